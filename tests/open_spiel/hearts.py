"""A decision of Hearts as one of OpenSpiel's states, which know a single round."""

from __future__ import annotations

from typing import Any

from fcdl.agents import AgentError
from fcdl.model.events import Observation
from fcdl.model.game import Game
from fcdl.model.moves import Move
from tests.open_spiel.deals import PACK, Round, read_round, share_out
from tests.oracle.hearts import number
from tests.oracle.peer import load_game

OPTIONS = {
    "anyClub": "can_lead_any_club",
    "jackBonus": "jd_bonus",
    "noTrickBonus": "avoid_all_tricks_bonus",
    "breaking": "must_break_hearts",
    "queenBreaks": "qs_breaks_hearts",
    "heartsForQueen": "can_lead_hearts_instead_of_qs",
}
NO_PASSING = 0


class Hearts:
    """Hearts in OpenSpiel's words."""

    def __init__(self, game: Game) -> None:
        self.options = {name: game.option_text(name) for name in game.options}
        first = self.options["firstTrick"]
        if first == "noQueen":
            raise AgentError(
                "OpenSpiel has no firstTrick=noQueen in Hearts; say --set firstTrick=noPoints or =anything"
            )
        if self.options["passing"] == "yes":
            # Its process dies in the search for a card to pass, for all seats but the first (version 2.0.2).
            raise AgentError("OpenSpiel's player cannot pass cards; say --set passing=no")
        theirs = {name: self.options[ours] == "yes" for ours, name in OPTIONS.items()}
        theirs |= {"pass_cards": False, "no_pts_on_first_trick": first == "noPoints"}
        self.peer = load_game("hearts", tuple(theirs.items()))

    def action(self, move: Move) -> int:
        """OpenSpiel's number of a move."""
        return number(move.what)

    def state(self, observation: Observation) -> Any:
        """A state in which the observing seat has seen what it has seen, and is to move."""
        seen = read_round(observation.seat, 4, observation.events)
        hands = [set(seen.played(seat)) for seat in range(4)]
        if seen.plays:
            hands[seen.plays[0][0]].add("2C")  # its holder leads, if not this card
        hands[seen.seat] = seen.dealt
        free = set(PACK).difference(*hands)
        needs = {seat: 13 - len(hands[seat]) for seat in range(4) if seat != seen.seat}
        for seat, cards in share_out(free, needs, self._voids(seen)).items():
            hands[seat] |= cards
        state = self.peer.new_initial_state()
        dealt = [sorted(hand) for hand in hands]
        actions = [NO_PASSING, *(number(dealt[place % 4][place // 4]) for place in range(52))]
        for action in (*actions, *(number(card) for _, card in seen.plays)):
            state.apply_action(action)
        return state

    def _voids(self, seen: Round) -> list[set[str]]:
        """Suits that seats cannot hold: not followed, or hearts led although they were not broken."""
        voids = seen.voids()
        broken = self.options["breaking"] == "no"
        for place, (seat, card) in enumerate(seen.plays):
            if place % 4 == 0 and card[1] == "H" and not broken and self.options["heartsForQueen"] == "no":
                voids[seat] |= set("CDS")
            broken = broken or card[1] == "H" or (card == "QS" and self.options["queenBreaks"] == "yes")
        return voids
