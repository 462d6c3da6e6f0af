"""A decision of Oh Hell as one of OpenSpiel's states; the chart is the variant that turns up a card for trumps."""

from __future__ import annotations

from typing import Any

from fcdl.agents import AgentError
from fcdl.model.events import Observation
from fcdl.model.game import Game
from fcdl.model.moves import Move
from tests.open_spiel.deals import PACK, read_round, share_out
from tests.oracle.oh_hell import number
from tests.oracle.peer import load_game

FIRST_BID = 52


class OhHell:
    """Oh Hell in OpenSpiel's words."""

    def __init__(self, game: Game) -> None:
        if "upCard" not in game.flowchart.zones:
            raise AgentError(
                "OpenSpiel's Oh Hell turns up a card: use the chart of `tests.results.variants oh_hell_up_card`"
            )
        if game.players < 3:
            raise AgentError("OpenSpiel's Oh Hell is for 3 to 7 players")
        self.players = game.players
        self.peer = load_game("oh_hell", (("players", game.players),))

    def action(self, move: Move) -> int:
        """OpenSpiel's number of a move."""
        return FIRST_BID + int(move.what) if move.kind == "choose" else number(move.what)

    def state(self, observation: Observation) -> Any:
        """A state in which the observing seat has seen what it has seen, and is to move."""
        seen = read_round(observation.seat, self.players, observation.events)
        size = seen.hand_sizes[seen.seat]
        hands = [set(seen.played(seat)) for seat in range(self.players)]
        hands[seen.seat] = seen.dealt
        free = set(PACK).difference(seen.shown, *hands)
        needs = {seat: size - len(hands[seat]) for seat in range(self.players) if seat != seen.seat}
        for seat, cards in share_out(free, needs, seen.voids()).items():
            hands[seat] |= cards
        state = self.peer.new_initial_state()
        dealt = [sorted(hand) for hand in hands]
        actions = [size, int(seen.values["dealer"])]
        actions += [number(dealt[place % self.players][place // self.players]) for place in range(size * self.players)]
        actions += [number(card) for card in seen.shown]
        actions += [FIRST_BID + int(bid) for _, bid in seen.choices]
        actions += [number(card) for _, card in seen.plays]
        for action in actions:
            state.apply_action(action)
        return state
