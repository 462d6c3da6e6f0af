"""Skat, refereed: bidding, declaring, following, scoring by rules of their own; and real games of a Skat server."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from fcdl.language.diagnostics import Severity
from fcdl.language.load import load, load_flowchart
from fcdl.language.text import format_source
from fcdl.model.chance import ScriptedChance
from fcdl.model.moves import Move
from fcdl.model.outcome import Reason
from tests.games.table import Decision, Played, TooLong, decisions, make_game, play, suit

POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
BASE = {"diamonds": 9, "hearts": 10, "spades": 11, "clubs": 12, "grand": 24}
NULL = {(False, False): 23, (True, False): 35, (False, True): 46, (True, True): 59}
ANNOUNCEMENTS = ["nothing", "schneider", "schwarz", "ouvert"]
JACKS = ["JC", "JS", "JH", "JD"]
BIDS = sorted({23, 35, 46, 59} | {24 * level for level in range(2, 12)} |
              {base * level for base in (9, 10, 11, 12) for level in range(2, 19)})  # fmt: skip


def points(cards: Sequence[str] | set[str]) -> int:
    """Card points."""
    return sum(POINTS.get(card[0], 0) for card in cards)


def is_trump(card: str, game: str) -> bool:
    """Whether a card is a trump in a suit game (by the suit's name), grand or null."""
    return game != "null" and (card[0] == "J" or card[1] == game[0].upper() != "G")


def beats(card: str, other: str, game: str) -> bool:
    """Whether a later card beats an earlier one."""
    if is_trump(card, game) != is_trump(other, game):
        return is_trump(card, game)
    if not is_trump(card, game) and suit(card) != suit(other):
        return False
    if card[0] == other[0] == "J" and game != "null":
        return JACKS.index(card) < JACKS.index(other)
    order = "789TJQKA" if game == "null" else "789QKTAJ"
    return order.index(card[0]) > order.index(other[0])


def matadors(held: set[str], game: str) -> int:
    """How many top trumps the declarer has in a row, or lacks (negative)."""
    if game == "null":
        return 0
    row = JACKS + ([] if game == "grand" else [rank + game[0].upper() for rank in "ATKQ987"])
    number = next((place for place, card in enumerate(row) if (card in held) != ("JC" in held)), len(row))
    return number if "JC" in held else -number


class Referee:
    """Follows deals of Skat; `scores` and `results` are what they should come to."""

    def __init__(self, played: Played) -> None:
        self.option = {name: played.game.option_text(name) for name in played.game.options}
        self.story: Iterator[Decision] = decisions(played)
        self.scores = [0, 0, 0]
        self.bid = 0
        self.games: Counter[str] = Counter()
        self.ahead = next(self.story, None)
        for deal in range(int(self.option["deals"])):
            self.deal(deal % 3)
        assert self.ahead is None

    def decision(self, seat: int, legal: Sequence[str] | set[str]) -> str:
        """What was chosen or played; checks who decided and what was legal."""
        made = self.ahead
        assert made is not None
        assert (made.seat, set(made.legal)) == (seat, set(legal))
        self.ahead = next(self.story, None)
        return made.move.partition(" ")[2]

    def choice(self, seat: int, *values: str) -> str:
        """A choice among values."""
        return self.decision(seat, [f"choose {value}" for value in values])

    def duel(self, bidder: int, holder: int) -> int:
        """Bids and answers; who is left."""
        while higher := [str(bid) for bid in BIDS if bid > self.bid]:
            if self.choice(bidder, "bid", "pass") == "pass":
                return holder
            self.bid = int(self.choice(bidder, *higher) if self.option["jumpBids"] == "yes" else higher[0])
            if self.choice(holder, "hold", "pass") == "pass":
                return bidder
        return holder

    def deal(self, forehand: int) -> None:
        """One deal."""
        assert self.ahead is not None
        hands = [set(hand) for hand in self.ahead.hands]
        assert [len(hand) for hand in hands] == [10, 10, 10]
        skat = {rank + color for rank in "789TJQKA" for color in "CDHS"}.difference(*hands)
        self.bid = 0
        declarer = self.duel((forehand + 2) % 3, self.duel((forehand + 1) % 3, forehand))
        if self.bid == 0:
            if self.choice(forehand, "bid", "pass") == "pass":
                self.games["passed"] += 1
                return
            self.bid = 18

        by_hand = self.choice(declarer, "takeSkat", "handGame") == "handGame"
        if not by_hand:
            hands[declarer] |= skat
            skat = set()
            for _ in range(2):
                skat.add(self.decision(declarer, {f"pick {card}" for card in hands[declarer]}))
                hands[declarer] -= skat
        held = hands[declarer] | skat
        game = self.choice(declarer, "suitGame", "grand", "nullGame").removesuffix("Game")
        if game == "suit":
            game = self.choice(declarer, "diamonds", "hearts", "spades", "clubs")
        announced = "nothing"
        if game == "null":
            announced = self.choice(declarer, "nothing", "ouvert")
        elif by_hand:
            announced = self.choice(declarer, *ANNOUNCEMENTS)
        self.games[f"{game} {'hand ' * by_hand}{announced}"] += 1

        taken, tricks = set(skat), 0
        leader = forehand
        while any(hands) and not (game == "null" and tricks):
            trick: list[tuple[int, str]] = []
            for seat in (leader, (leader + 1) % 3, (leader + 2) % 3):
                allowed = hands[seat]
                if trick:
                    led = trick[0][1]
                    trump = is_trump(led, game)
                    same = {c for c in allowed if is_trump(c, game) == trump and (trump or suit(c) == suit(led))}
                    allowed = same or allowed
                card = self.decision(seat, {f"play {card}" for card in allowed})
                hands[seat].remove(card)
                trick.append((seat, card))
            best = trick[0]
            for later in trick[1:]:
                best = later if beats(later[1], best[1], game) else best
            leader = best[0]
            if leader == declarer:
                tricks += 1
                taken |= {card for _, card in trick}
        self.score(declarer, game, announced, by_hand, points(taken), tricks, abs(matadors(held, game)))

    def score(
        self, declarer: int, game: str, announced: str, by_hand: bool, card_points: int, tricks: int, tops: int
    ) -> None:
        """What the declarer wins or loses."""
        if game == "null":
            base, levels = NULL[by_hand, announced == "ouvert"], 1
            won = tricks == 0
        else:
            base, promised = BASE[game], ANNOUNCEMENTS.index(announced)
            schneider = not 30 < card_points < 90 or promised > 0
            schwarz = tricks in (0, 10) or promised > 1
            levels = tops + 1 + by_hand + schneider + schwarz + promised
            won = card_points >= (90 if promised else 61) and (tricks == 10 or promised < 2)
        value = base * levels
        won = won and value >= self.bid
        while value < self.bid:
            value += base
        self.games["won" if won else "lost"] += 1
        tournament = self.option["scoring"] == "seegerFabian"
        self.scores[declarer] += value + 50 * tournament if won else -2 * value - 50 * tournament
        for seat in range(3):
            self.scores[seat] += 40 * (tournament and not won and seat != declarer)


def test_chart_is_clean_and_formatted() -> None:
    checked = load("skat")
    assert [item for item in checked.findings if item.severity is not Severity.NOTE] == []
    assert format_source(checked.source) == checked.source


def test_seats_options_and_bids() -> None:
    flowchart = load_flowchart("skat")
    assert flowchart.players == (3, 3)
    assert {name: make_game("skat").option_text(name) for name in flowchart.options} == {
        "deals": "1",
        "scoring": "plain",
        "jumpBids": "no",
    }
    assert list(flowchart.lists["bids"]) == BIDS


@pytest.mark.parametrize("scoring", ["plain", "seegerFabian"])
@pytest.mark.parametrize("jump", ["no", "yes"])
@pytest.mark.parametrize("deals", [1, 4])
def test_every_move_and_the_scores_are_by_the_rules(deals: int, jump: str, scoring: str) -> None:
    game = make_game("skat", options={"deals": deals, "jumpBids": jump, "scoring": scoring})
    for seed in range(30):
        played = play(game, seed)
        assert played.outcome.reason is Reason.END
        assert list(played.outcome.scores) == Referee(played).scores


def test_random_games_are_of_every_kind() -> None:
    games: Counter[str] = Counter()
    game = make_game("skat", options={"deals": 36})
    for seed in range(25):
        games += Referee(play(game, seed)).games
    suits = {f"{suit} {how}" for suit in BASE for how in ("nothing", *(f"hand {word}" for word in ANNOUNCEMENTS))}
    nulls = {f"null {hand}{word}" for hand in ("", "hand ") for word in ("nothing", "ouvert")}
    assert set(games) == suits | nulls | {"won", "lost", "passed"}


def test_nobody_sees_the_skat_but_who_takes_it() -> None:
    game, seen = make_game("skat"), set()
    for seed in range(60):
        played = play(game, seed)
        declarer = None
        for event in played.events:
            if event.kind == "choose" and event.name == "skatUse":
                declarer = event.seat
                seen.add(event.value)
            if event.kind == "move" and event.target == "skat":
                assert event.seers == frozenset()
            if event.kind == "pick" or (event.kind == "move" and event.source == "skat"):
                assert event.seers == {declarer}
            if event.kind == "assign" and event.name in ("matadors", "breakCard"):
                assert event.seers == frozenset()
            if event.kind == "show" and event.source != "skat":
                assert (event.source, event.number, len(event.seers)) == (f"hand({declarer})", 10, 3)
                seen.add("open")
        shown = [event for event in played.events if event.kind == "show" and event.source == "skat"]
        assert len(shown) == (declarer is not None)
    assert seen == {"takeSkat", "handGame", "open"}


# --- real games: six records of the International Skat Server, converted by hand (cards are suit, then rank there)

RECORDS = (Path(__file__).parent.parent / "data/skat-iss.sgf").read_text().splitlines()
SUIT_NAMES = {"C": "clubs", "S": "spades", "H": "hearts", "D": "diamonds"}


def converted(record: str) -> tuple[list[str], list[str], dict[str, str]]:
    """The 32 cards in order of dealing, the moves, and the server's result."""
    words = re.search(r"MV\[(.*?)\]", record)
    result = re.search(r"\]R\[(.*?)\]", record)
    assert words is not None
    assert result is not None
    pairs = list(zip(*[iter(words[1].split())] * 2, strict=True))
    cards = [card[::-1] for card in pairs[0][1].split(".")]
    moves: list[str] = []
    for who, what in pairs[1:]:
        head, *discards = what.split(".")
        if who == "w" or what in ("RE", "SC"):
            continue
        if what in ("p", "y", "s"):
            moves.append({"p": "choose pass", "y": "choose hold", "s": "choose takeSkat"}[what])
        elif what.isdigit():
            moves.append("choose bid")
        elif discards:
            moves += [f"pick {card[::-1]}" for card in discards[:2]]
            kind = head[0]
            moves += ["choose suitGame", f"choose {SUIT_NAMES[kind]}"] if kind in SUIT_NAMES else []
            moves += ["choose grand"] if kind == "G" else []
            moves += ["choose nullGame", f"choose {'ouvert' if 'O' in head else 'nothing'}"] if kind == "N" else []
        else:
            moves.append(f"play {what[::-1]}")
    return cards, moves, dict(part.partition(":")[::2] for part in result[1].split())


def replay(cards: Sequence[str], moves: Sequence[str]) -> Played:
    """The game of a record; raises TooLong when the record ends before the game does."""
    game = make_game("skat")
    deck = game.flowchart.deck
    chance = ScriptedChance([[deck.cards_with_code(card)[0] for card in cards]])
    left = iter(moves)

    def choose(_seat: int, legal: Sequence[Move]) -> Move:
        move = Move.parse(next(left))
        assert move in legal
        return move

    return play(game, 0, choose, chance, limit=len(moves))


@pytest.mark.parametrize("record", RECORDS[:4])
def test_real_games_end_as_on_the_server(record: str) -> None:
    cards, moves, result = converted(record)
    played = replay(cards, moves)
    final = {event.name: event.value for event in played.events if event.kind == "assign" and event.owner is None}
    declarer = int(result["d"])
    tricks = [e.value for e in played.events if (e.kind, e.name, e.owner) == ("assign", "tricks", declarer)][-1]
    flags = {"yes": "1", "no": "0"}
    assert (final["declarer"], final["won"]) == (result["d"], "yes" if "win" in result else "no")
    assert (final["value"], final["matadors"]) == (result["v"], result["m"])
    assert (final["cardPoints"], tricks) == (result["p"], result["t"])
    assert (flags[str(final["isSchneider"])], flags[str(final["isSchwarz"])]) == (result["s"], result["z"])
    assert played.outcome.scores == tuple(int(result["v"]) if seat == declarer else 0 for seat in range(3))
    assert list(played.outcome.scores) == Referee(played).scores


def test_real_game_that_everybody_passes() -> None:
    cards, moves, result = converted(RECORDS[4])
    assert result == {"passed": ""}
    assert replay(cards, moves).outcome.scores == (0, 0, 0)


def test_real_game_that_ends_early() -> None:
    cards, moves, result = converted(RECORDS[5])
    assert result["r"] == "1"
    with pytest.raises(TooLong):
        replay(cards, moves)
    assert moves[-4:] == ["pick AH", "pick QH", "choose nullGame", "choose ouvert"]
