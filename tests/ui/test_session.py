"""Moves, undo, journals, records and explanations, without any user interface."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from fcdl.agents import AgentError
from fcdl.language.flowchart import Play
from fcdl.language.load import load_flowchart, load_text
from fcdl.model import PASS, Event, Game, IllegalMoveError, Move, MoveError
from fcdl.model.record import RecordError, replay
from fcdl.model.table import Table
from fcdl.ui.journal import journal_head, read_journal
from fcdl.ui.session import Session, parse_move
from fcdl.ui.view import Watcher
from fcdl.ui.why import Explainer
from tests.ui.tables import SHORT, everything, make_view, play_on, play_to_your_turn, session


@pytest.mark.parametrize("name", SHORT)
def test_record_of_a_finished_game_replays(name: str) -> None:
    table = session(name)
    play_on(table, 10_000)
    record = table.record()
    assert record.agents[0] == "human"
    replay(table.engine, record)


def test_undo_goes_back_to_your_last_decision() -> None:
    table = session("hearts")
    play_to_your_turn(table)
    before = table.view()
    assert not table.undo()
    table.apply(table.legal[0])
    table.apply(table.legal[0])
    table.undo()
    assert len(table.moves) == 1
    assert table.undo()
    assert table.view() == before
    assert table.moves == []


@pytest.fixture
def events_read(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How many events tables and views read from now on."""
    read = Counter[str]()
    for kind in (Table, Watcher):

        def see(reader: Any, event: Event, name: str = kind.__name__, see: Any = kind.see) -> None:
            read[name] += 1
            see(reader, event)

        monkeypatch.setattr(kind, "see", see)
    return read


def test_a_move_reads_only_the_events_that_it_made(events_read: Counter[str]) -> None:
    table = session("hearts")
    seen = 0
    for _ in range(60):
        table.frames()
        table.view()
        new = len(table.observation.events) - seen
        assert events_read == {"Watcher": new, "Table": new}  # the view reads each once, and so does its table
        events_read.clear()
        seen += new
        play_on(table, 1)
    assert seen > 300


def test_computers_read_each_event_once(events_read: Counter[str]) -> None:
    game = session("hearts").game
    table = Session(game, ["human", *["hearts.rules"] * 3], "1")
    play_on(table, 60)
    assert len(table.observation.events) < events_read["Table"] <= 3 * len(table._events)


def test_view_follows_an_undo() -> None:
    table = session("hearts")
    play_on(table, 20)
    after = table.view()
    table.undo()
    assert table.view() == make_view(table.game, table.observation.events, table.seat)
    assert table.view() != after


def test_computers_answer_the_same_after_an_undo() -> None:
    table = session("trumps")
    play_to_your_turn(table)
    number, move = len(table.moves), table.legal[0]
    table.apply(move)
    play_to_your_turn(table)
    first = list(table.moves)
    while len(table.moves) > number:
        table.undo()
    table.apply(move)
    play_to_your_turn(table)
    assert table.moves == first


def test_record_names_the_seed_only_if_all_chance_came_from_it() -> None:
    table = session("oh_hell")
    play_on(table, 10_000)
    assert table.record().seed == "1"
    table.undo()
    play_on(table, 10_000)
    assert table.record().seed == "1"  # the last deal was not changed
    while len(table.moves) > 4:
        table.undo()
    play_on(table, 10_000)
    assert table.record().seed is None
    replay(table.engine, table.record())


@pytest.mark.parametrize("name", SHORT)
def test_journal_resumes_at_every_move(name: str, tmp_path: Path) -> None:
    path = tmp_path / "game.journal"
    table = session(name)
    table.save(path)
    for _ in range(12):
        play_on(table, 1)
        saved = read_journal(path, load_flowchart(name))
        resumed = Session.resume(saved)
        assert resumed.moves == table.moves
        assert resumed.view() == table.view()
    assert journal_head(path).game == name


def test_journal_knows_undo(tmp_path: Path) -> None:
    path = tmp_path / "game.journal"
    table = session("trumps")
    table.save(path)
    play_on(table, 5)
    table.undo()
    play_on(table, 1)
    resumed = Session.resume(read_journal(path, load_flowchart("trumps")))
    assert resumed.view() == table.view()
    play_on(resumed, 100)
    replay(resumed.engine, resumed.record())


def test_line_that_a_crash_cut_off_is_forgotten(tmp_path: Path) -> None:
    path = tmp_path / "game.journal"
    table = session("trumps")
    table.save(path)
    play_on(table, 3)
    whole = path.read_bytes()
    for cut in range(len(whole.splitlines(keepends=True)[-1])):
        path.write_bytes(whole[: len(whole) - 1 - cut])
        resumed = Session.resume(read_journal(path, load_flowchart("trumps")))
        assert resumed.moves == table.moves[:2]
        resumed.go_on_saving(path)
        resumed.apply(table.moves[2])
        assert path.read_bytes() == whole


def test_move_counts_although_it_cannot_be_saved(tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    table = session("trumps")
    table.save(folder / "game.journal")
    (folder / "game.journal").unlink()
    folder.rmdir()
    with pytest.raises(OSError, match="No such file"):
        table.apply(table.legal[0])
    assert len(table.moves) == 1
    assert table.journal is None


def changed(path: Path, line: int, **fields: object) -> None:
    """Changes fields of a line of a journal."""
    lines = path.read_text().splitlines()
    lines[line] = json.dumps(json.loads(lines[line]) | fields)
    path.write_text("".join(f"{text}\n" for text in lines))


@pytest.mark.parametrize(
    ("line", "fields", "message"),
    [
        (0, {"journal": 2}, "not a journal"),
        (0, {"hash": "0"}, "another version"),
        (0, {"players": 9}, "is for 2 players"),
        (0, {"players": None}, "missing"),
        (0, {"seed": 1}, "'seed'"),
        (1, {"chance": ["2C 2C"]}, "so often"),
        (1, {"chance": 7}, "not a list"),
        (1, {"chance": []}, "too short"),
        (2, {"move": "jump"}, "is not a move"),
        (2, {"move": "play 2"}, "does not replay"),
        (2, {"undo": 5}, "'undo'"),
    ],
)
def test_damaged_journal_is_refused(line: int, fields: dict[str, object], message: str, tmp_path: Path) -> None:
    path = tmp_path / "game.journal"
    table = session("trumps")
    table.save(path)
    play_on(table, 2)
    changed(path, line, **fields)
    with pytest.raises(RecordError, match=message):
        Session.resume(read_journal(path, load_flowchart("trumps")))


@pytest.mark.parametrize("content", [b"", b"\n", b"[]\n", b"{}\n", b"\xff\xfe\n", b"{" * 10_000 + b"\n"])
def test_file_that_is_no_journal_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "game.journal"
    path.write_bytes(content)
    with pytest.raises(RecordError):
        journal_head(path)
    assert path.read_bytes() == content


@pytest.mark.parametrize("seats", [("human",), ("random", "random"), ("human", "nobody")])
def test_seats_need_a_person_and_known_agents(seats: tuple[str, ...]) -> None:
    game = Game.make(load_flowchart("trumps"), name="trumps")
    with pytest.raises(AgentError):
        Session(game, seats, "1")


def test_person_may_have_any_seat() -> None:
    game = Game.make(load_flowchart("trumps"), name="trumps")
    table = Session(game, ("random", "human"), "1")
    play_to_your_turn(table)
    assert table.mover == 1
    assert len(table.view().hand) == 7


def test_illegal_move_changes_nothing_and_is_explained() -> None:
    table = session("trumps", "5")
    play_to_your_turn(table)
    illegal = next(Move("play", card) for card in table.view().hand if Move("play", card) not in table.legal)
    before = table.view()
    with pytest.raises(IllegalMoveError):
        table.apply(illegal)
    assert table.view() == before
    assert table.why_not(illegal) == "You must follow diamonds."


@pytest.mark.parametrize(
    ("cards", "may_tell"),
    [
        ("card(any, hearts)", True),
        ("cards c in hand(player(0)) where c in middle(player(1))", True),
        ("cards c in hand(player(0)) where some(d in hand(player(1)) where suit(d) == suit(c))", False),
        ("cards c in hand(player(0)) where suit(c) != suit(top(pack))", False),
        ("cards c in hand(player(0)) where playerHas(player(1), card(any, suit(c)))", False),
        ("card(any, plan)", False),
    ],
)
def test_reason_that_looks_into_hidden_cards_is_not_told(cards: str, may_tell: bool) -> None:
    lines = ["players 2", "secret plan", "chart main", "    start", "    plan = hearts", "    Shuffle", "    Deal(2)"]
    checked = load_text("\n".join([*lines, f"    playCardOrPass(player(0), {cards})", "    end", ""]))
    assert checked.flowchart is not None, checked.findings
    game = Game.make(checked.flowchart, name="x")
    play = next(node.statement for node in game.flowchart.nodes.values() if isinstance(node.statement, Play))
    assert Explainer(game)._may_tell(play) is may_tell


LEGAL_CARDS = (Move("play", "QH"), Move("play", "TH"), PASS)
LEGAL_WORDS = (Move("choose", "hold"), Move("choose", "hearts"), Move("choose", "pass"))
LEGAL_NUMBERS = (Move("choose", "1"), Move("choose", "12"))


@pytest.mark.parametrize(
    ("text", "legal", "move"),
    [
        ("QH", LEGAL_CARDS, "play QH"),
        (" qh ", LEGAL_CARDS, "play QH"),
        ("10h", LEGAL_CARDS, "play TH"),
        ("play 10H", LEGAL_CARDS, "play TH"),
        ("pass", LEGAL_CARDS, "pass"),
        ("2C", LEGAL_CARDS, "play 2C"),
        ("QH", (Move("pick", "QH"),), "pick QH"),
        ("6H", (PASS,), "play 6H"),
        ("pass", LEGAL_WORDS, "choose pass"),
        ("ho", LEGAL_WORDS, "choose hold"),
        ("choose hearts", LEGAL_WORDS, "choose hearts"),
        ("1", LEGAL_NUMBERS, "choose 1"),
        ("12", LEGAL_NUMBERS, "choose 12"),
        ("7", LEGAL_NUMBERS, "choose 7"),
    ],
)
def test_text_is_understood_as_a_move(text: str, legal: tuple[Move, ...], move: str) -> None:
    assert str(parse_move(text, legal, load_flowchart("trumps").deck)) == move


@pytest.mark.parametrize(("text", "legal"), [("hello", LEGAL_CARDS), ("play 1X", LEGAL_CARDS), ("x", LEGAL_WORDS)])
def test_text_that_is_no_move_is_refused(text: str, legal: tuple[Move, ...]) -> None:
    with pytest.raises(MoveError, match=text):
        parse_move(text, legal, load_flowchart("trumps").deck)


def test_prompt_says_what_is_decided() -> None:
    table = everything()
    prompts = []
    while table.your_turn:
        prompts.append(table.prompt)
        table.apply(table.legal[0])
    assert prompts == [
        "Bid: 0 to 12?",
        "Trumps: clubs, diamonds, hearts or spades?",
        "Side: left or right?",
        "Mate: which player?",
        "Sure: yes or no?",
        "Pick 2 cards for the parcel (1 of 2)",
        "Pick 2 cards for the parcel (2 of 2)",
        "Pick a card for the hand",
        "Play a card or pass",
        "Play a card",
    ]


def first_illegal(table: Session) -> Move | None:
    """The first card of the person's hand that is not legal; None if there is none, or no card is to be played."""
    if not table.your_turn or table.kind != "play":
        return None
    moves = (Move("play", card) for card in table.view().hand)
    return next((move for move in moves if move not in table.legal), None)


def test_illegal_card_in_a_chart_of_ones_own_is_explained() -> None:
    flowchart = load_flowchart("trumps")
    game = Game.make(flowchart, name="mine")
    table = Session(game, ("human", "random"), "5", chart=Path("mine.fcdl"))
    play_to_your_turn(table)
    illegal = first_illegal(table)
    assert illegal is not None
    assert table.why_not(illegal) == "You must follow diamonds."


def test_illegal_card_late_in_a_long_game_is_explained() -> None:
    game = Game.make(load_flowchart("hearts"), name="hearts")
    table = Session(game, ("human", "random", "random", "random"), "1")
    while len(table.moves) < 200 or first_illegal(table) is None:
        play_on(table, 1)
    illegal = first_illegal(table)
    assert illegal is not None
    assert re.fullmatch("You must follow [a-z]+.", table.why_not(illegal))


def test_chart_that_takes_too_long_to_follow_gets_the_short_reason() -> None:
    heavy = "x = count(i in 0 to 99 where some(j in 0 to 99 where some(k in 0 to 99 where i + j + k < 0)))"
    lines = [
        "players 2",
        "chart main",
        "    start",
        "    Shuffle",
        "    Deal(3)",
        f"    {heavy}",
        '    publish("#{x}")',
    ]
    checked = load_text("\n".join([*lines, "    playCardOrPass(player(0), card(any, hearts))", "    end", ""]))
    assert checked.flowchart is not None, checked.findings
    table = Session(Game.make(checked.flowchart, name="mine"), ("human", "random"), "1")
    table._explainer = Explainer(table.game, seconds=0.1)
    illegal = first_illegal(table)
    assert illegal is not None
    assert table.why_not(illegal) == f"You may not {illegal} now; legal: 6H pass"


HIDDEN_RULE = """game "Hidden rule"
players 2
deck ranks 2 3 4 5 6 suits clubs hearts
zone deep: face down
chart main
    start
    Shuffle
    Deal(4)
    move(1, pack, deep)
    playCardOrPass(player(0), cards c in cards where {rule})
    end
"""


def refused(rule: str, engine: str = "native") -> tuple[Session, str]:
    """What a person is told who cannot play a card because of a rule."""
    checked = load_text(HIDDEN_RULE.format(rule=rule))
    assert checked.flowchart is not None, checked.findings
    table = Session(Game.make(checked.flowchart, name="mine"), ("human", "random"), "1", engine=engine)
    illegal = first_illegal(table)
    assert illegal is not None
    return table, table.why_not(illegal)


@pytest.mark.parametrize("engine", ["native", "asp"])
@pytest.mark.parametrize(
    "rule", ["false & c in deep", "count(except(deep, hand(player(0)))) == 7", "playerHas(player(1), c)"]
)
def test_why_not_says_nothing_about_cards_that_one_cannot_see(rule: str, engine: str) -> None:
    table, sentence = refused(rule, engine)
    assert re.match("You may not play [2-6][CH] now; legal: ", sentence)
    deck = table.game.flowchart.deck
    hidden = {deck.code(card) for card in table.game.cards} - set(table.view().hand)
    assert not hidden & set(re.findall(r"\w+", sentence.partition("; legal:")[0]))


@pytest.mark.parametrize("rule", ["count(deep) == 7", "cardsRemaining(player(1)) == 7", "empty(deep)"])
def test_why_not_says_how_many_cards_there_are_anywhere(rule: str) -> None:
    _, sentence = refused(rule)
    assert sentence.startswith("You may not play")


PRIVATE_RULE = """game "Private"
players 2
deck ranks 2 3 4 5 6 suits clubs hearts
chart main
    start
    Shuffle
    Deal(4)
    x = 0
    private playerHas(player(1), 2C)?            no -> other
    x = 1
    playCardOrPass(player(0), card(any, hearts)) -> last
other:
    x = 1
    playCardOrPass(player(0), card(any, hearts))
last:
    playCardOrPass(player(0), card(any, hearts))
    score(player(0)) = x
    end
"""


def test_why_not_does_not_tell_how_a_private_diamond_was_left() -> None:
    checked = load_text(PRIVATE_RULE)
    assert checked.flowchart is not None, checked.findings
    table = Session(Game.make(checked.flowchart, name="mine"), ("human", "random"), "1")
    illegal = first_illegal(table)
    assert illegal is not None
    assert table.why_not(illegal).startswith(f"You may not {illegal} now; legal: ")
    table.apply(PASS)
    assert table.why_not(illegal) == "You must play hearts, or pass."


WORDS_OF_REASONS = """game "Reasons"
players 2
deck ranks 2 3 4 5 6 suits clubs hearts
say leadSuit: "suit led"
say most: "limit"
say open: "doors open"
chart main
    start
    leadSuit = hearts
    most = 1
    open = no
    Shuffle
    Deal(5)
    playCardOrPass(player(0), cards c in cards where {rule})
    score(player(0)) = most
    end
"""


@pytest.mark.parametrize(
    ("rule", "reason"),
    [
        ("rankValue(c) < most", ": the rank value of 6C (6) is not less than the limit (1)"),
        ("open", ": “doors open” is no"),
        ("count(d in hand(player(0)) where d != c & rankValue(d) * most > 1) == 0", ""),
    ],
)
def test_reasons_at_the_table_are_said_in_the_words_of_the_chart_or_left_out(rule: str, reason: str) -> None:
    checked = load_text(WORDS_OF_REASONS.format(rule=rule))
    assert checked.flowchart is not None, checked.findings
    table = Session(Game.make(checked.flowchart, name="mine"), ("human", "random"), "1")
    assert table.why_not(Move("play", "6C")) == f"You may not play 6C{reason}."


TRICK = """game "Mine"
players 2
deck ranks 2 3 4 5 6 suits clubs diamonds hearts spades
order power: 2 to 6
say broken: "hearts broken"
sort hand by isTrump(card)
define isTrump(c) = suit(c) == trumps | rank(c) == 6
chart main
    start
    trumps = spades
    broken = no
    tricks = 0
    move(union(2C, 3C, 5H, 6C, 4S), pack, hand(player(1)))
    move(union(4C, 6D, 2H, 3D, 2S), pack, hand(player(0)))
    playCard(player(1), {LED})
    playCard(player(0), cards c in hand(player(0)) where RULE)
    score(player(0)) = tricks + if(broken, 1, 0) + power(middle(player(0)))
    end
"""


@pytest.mark.parametrize(
    ("rule", "led", "card", "reason"),
    [
        ("suit(c) == suit(middle(player(1)))", "2C", "2H", "You must follow clubs."),
        (
            "suit(c) == suit(middle(player(1))) | isTrump(c)",
            "2C",
            "2H",
            "You must follow clubs or play a trump (spades) or a 6.",
        ),
        ("suit(c) == trumps", "2C", "2H", "You must play a trump."),
        ("isTrump(c)", "6C", "2H", "You must follow trumps."),
        ("!isTrump(c) & suit(c) == suit(middle(player(1)))", "3C", "6D", "You must follow clubs, and 6D is a trump."),
        ("power(c) > power(middle(player(1)))", "3C", "2H", "You must play a higher card."),
        ("broken | suit(c) != hearts", "3C", "2H", "You may not play hearts: they have not been broken yet."),
        ("tricks > 0 | c != 2H", "3C", "2H", "You may not play 2H yet."),
        ("rank(c) == 4", "3C", "2H", "You must play a 4."),
    ],
)
def test_why_a_card_may_not_be_played_is_said_as_card_players_do(rule: str, led: str, card: str, reason: str) -> None:
    checked = load_text(TRICK.replace("RULE", rule).replace("{LED}", f"card({led[0]}, {SUITS[led[1]]})"))
    assert checked.flowchart is not None, checked.findings
    table = Session(Game.make(checked.flowchart, name="mine"), ("human", "random"), "1")
    play_to_your_turn(table)
    assert table.why_not(Move("play", card)) == reason


SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}


def test_a_sentence_that_is_not_true_of_all_legal_cards_is_not_said() -> None:
    checked = load_text(TRICK.replace("RULE", "suit(c) == clubs | power(c) > 4").replace("{LED}", "card(2, clubs)"))
    assert checked.flowchart is not None, checked.findings
    table = Session(Game.make(checked.flowchart, name="mine"), ("human", "random"), "1")
    play_to_your_turn(table)
    assert "must follow" not in table.why_not(Move("play", "2H"))  # the 6 of diamonds is legal, too


def test_what_is_done_with_a_card_is_called_as_the_chart_tells_it() -> None:
    table = session("hearts")
    play_to_your_turn(table)
    assert {table.whole(move) for move in table.legal} == {f"pass {move.what}" for move in table.legal}
    table.apply(table.legal[0])
    assert table.decisions()[0].said(table.moves[0]) == f"pass {table.moves[0].what}"
