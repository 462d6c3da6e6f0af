"""What `fcdl verify` answers: properties of a game, each proved for all games, refuted by a game, or not decided."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from fcdl.engines import make_engine
from fcdl.engines.stepping.engine import SteppingEngine
from fcdl.engines.stepping.values import Values
from fcdl.errors import FcdlError
from fcdl.language import tree
from fcdl.language.check.program import Program
from fcdl.language.check.reveals import told_by
from fcdl.language.flowchart import Expr, Flowchart, Node, Type, statement_exprs
from fcdl.language.seats import spread
from fcdl.language.sight import decisive, hidden_part
from fcdl.language.written import expr_text
from fcdl.model.chance import ChanceError, RandomChance, RecordingChance, ScriptedChance
from fcdl.model.engine import Engine, IllegalMoveError, State
from fcdl.model.events import Event, observation
from fcdl.model.game import Game
from fcdl.model.moves import Move
from fcdl.model.outcome import Reason
from fcdl.model.record import Record, make_record
from fcdl.verify.explore import Deals
from fcdl.verify.levels import Proof, prove
from fcdl.verify.seats import names_seats
from fcdl.verify.small import SmallDecks
from fcdl.verify.terms import INFINITE

PROVED, REFUTED, OPEN = "proved", "refuted", "not decided"
PROPERTIES = {
    "legal-move": "no decision without a legal move",
    "fault": "nobody that is no player is asked or given anything",
    "ends": "no endless game",
    "end": "from every position that a game comes to, the end can be reached",
    "turns": "every seat gets a turn",
    "reached": "every box can be reached",
    "cards": "no card is left behind when the cards are shuffled and dealt again",
    "sum": "the sum of the scores is the same in every game",
    "bounds": "scores stay within bounds",
    "partners": "partners have the same score",
    "stated": "what the chart states by 'always' holds at the end of every game",
    "seats": "it makes no difference where one sits",
    "options": "every option has an effect",
    "hidden": "nothing hidden is told, except where the chart says so",
}
WRONG = frozenset({"legal-move", "fault", "ends", "end", "turns", "cards", "partners", "stated", "options"})
"""The properties without which something is wrong with a game; the others are for the author to judge."""
_LOOKED_AT = 40
_LONG_GAME = 2000
_TRIED = 12
"""Games that an option may change."""
_FACE_DOWN = "with the cards face down: all deals, all choices"


@dataclass(frozen=True, slots=True)
class Answer:
    """What is known about one property; `record` is the game that refutes it, if a game can."""

    property: str
    verdict: str
    how: str
    record: Record | None = None


@dataclass(slots=True)
class _Sample:
    """What random games showed."""

    games: int
    improper: dict[Reason, Record]
    sums: dict[int, Record]
    unequal: Record | None
    any_game: Record | None
    records: list[Record] = field(default_factory=list)
    """Some of the games, which are gone through box by box."""
    reached: set[int] = field(default_factory=set)
    movers: set[int] = field(default_factory=set)
    lost: dict[tuple[int, str], Record] = field(default_factory=dict)
    broken: dict[int, Record] = field(default_factory=dict)
    """Of the chart's own `always` lines those that a game breaks."""


def answers(games: Sequence[Game], seconds: float, seed: str = "verify") -> Iterator[Answer]:
    """The answers for a game with each number of players, within about so many seconds."""
    chart = games[0].flowchart
    begin = time.process_time()
    samples = [
        _play(game, begin + seconds * 0.2 * (number + 1) / len(games), seed) for number, game in enumerate(games)
    ]
    proofs = [
        prove(game, begin + seconds * (0.2 + 0.6 * (number + 1) / len(games))) for number, game in enumerate(games)
    ]
    judge = _Judge(chart, games, samples, proofs)
    found = [
        judge.improper("legal-move", Reason.NO_LEGAL_MOVE, lambda proof: proof.stuck),
        judge.improper("fault", Reason.FAULT, lambda proof: proof.faults),
        judge.ends(),
    ]
    found.append(judge.end(found))
    found += [judge.turns(), judge.reached(), judge.cards(), judge.sums(), judge.bounds()]
    if chart.teams:
        found.append(judge.partners())
    if chart.always:
        found.append(judge.stated())
    found.append(judge.seats())
    small = SmallDecks(games, begin + seconds * 0.9)
    for answer in found:
        yield small.instead(answer)
    if chart.options:
        yield options_answer(games[0], begin + seconds * 0.95, seed)
    yield _hidden(games[0], begin + seconds)


class _Judge:
    """Draws conclusions from what random games and abstract positions show."""

    def __init__(self, chart: Flowchart, games: Sequence[Game], samples: list[_Sample], proofs: list[Proof]) -> None:
        self._chart, self._games, self._samples, self._proofs = chart, games, samples, proofs
        self._why_not = next((proof.why_not for proof in proofs if not proof.levels), "")

    def _open(self, name: str, why: str) -> Answer:
        number = sum(sample.games for sample in self._samples)
        return Answer(name, OPEN, f"{self._why_not or why}; {number} random games showed no fault")

    def _lines(self, nodes: set[int]) -> str:
        return ", ".join(str(line) for line in sorted({_line(self._chart.box_of(number)) for number in nodes}))

    def improper(self, name: str, reason: Reason, where: Callable[[Proof], set[int] | None]) -> Answer:
        """Whether a game can end for a reason that is none."""
        for sample in self._samples:
            if reason in sample.improper:
                return Answer(name, REFUTED, f"a game ends with '{reason}'", sample.improper[reason])
        suspects = set[int]().union(*(where(proof) or () for proof in self._proofs))
        if suspects or self._why_not:
            return self._open(name, f"perhaps in line {self._lines(suspects)}")
        return Answer(name, PROVED, _FACE_DOWN)

    def ends(self) -> Answer:
        """Whether every game ends by itself."""
        for sample in self._samples:
            for reason in (Reason.STEP_LIMIT, Reason.STALEMATE):
                if reason in sample.improper:
                    return Answer("ends", REFUTED, f"a game goes on until '{reason}'", sample.improper[reason])
        if self._why_not or not all(proof.terminates for proof in self._proofs):
            return self._open("ends", "nothing was found that always gets less while the game goes on")
        if all(proof.longest is not None for proof in self._proofs):
            most = max(proof.longest or 0 for proof in self._proofs)
            return Answer("ends", PROVED, f"{_FACE_DOWN}; after at most {most} decisions")
        return Answer("ends", PROVED, f"{_FACE_DOWN}; wherever a game could stay, something gets less with every turn")

    def end(self, before: Sequence[Answer]) -> Answer:
        """Whether the end can be reached from wherever a game comes to."""
        for answer in before:
            if answer.property in ("legal-move", "fault") and answer.verdict == REFUTED:
                return Answer("end", REFUTED, answer.how, answer.record)
        if all(answer.verdict == PROVED for answer in before):
            return Answer("end", PROVED, "it follows: every game ends, and none for want of a legal move or by a fault")
        missing = ", ".join(answer.property for answer in before if answer.verdict != PROVED)
        return self._open("end", f"this would follow from {missing}")

    def turns(self) -> Answer:
        """Whether every seat decides something in some game."""
        for game, sample, proof in zip(self._games, self._samples, self._proofs, strict=True):
            if proof.movers is not None and (idle := set(range(game.players)) - proof.movers):
                seats = ", ".join(f"player {seat}" for seat in sorted(idle))
                return Answer("turns", REFUTED, f"{seats} of {game.players} never decides anything", sample.any_game)
        for game, sample in zip(self._games, self._samples, strict=True):
            if len(sample.movers) < game.players:
                return self._open("turns", "a seat decided nothing in the games that were looked at")
        return Answer("turns", PROVED, "by games in which they do")

    def reached(self) -> Answer:
        """Whether no box is idle."""
        boxes = {number for number, node in self._chart.nodes.items() if node.box is None}
        played = set[int]().union(*(sample.reached for sample in self._samples))
        if boxes <= played:
            return Answer("reached", PROVED, "by games that come there")
        if self._why_not:
            return self._open("reached", "")
        idle = boxes - set[int]().union(*(proof.reached or () for proof in self._proofs))
        if idle:
            how = f"no game comes to line {self._lines(idle)} with these options"
            return Answer("reached", REFUTED, how, self._samples[0].any_game)
        return self._open("reached", f"no game that was looked at came to line {self._lines(boxes - played)}")

    def cards(self) -> Answer:
        """Whether cards stay in the game from deal to deal."""
        for sample in self._samples:
            for (node, zone), record in sample.lost.items():
                how = f"cards stay in {zone} when the cards are shuffled in line {self._lines({node})}"
                return Answer("cards", REFUTED, how, record)
        lost = {pair for proof in self._proofs for pair in proof.lost or ()}
        if self._why_not or lost:
            return self._open("cards", f"perhaps in line {self._lines({node for node, _ in lost})}")
        return Answer("cards", PROVED, _FACE_DOWN)

    def sums(self) -> Answer:
        """Whether the scores always add up to the same."""
        low, high = min(proof.sum[0] for proof in self._proofs), max(proof.sum[1] for proof in self._proofs)
        bounds = f"; in every game {_range(low, high)}" if low > -INFINITE and high < INFINITE else ""
        for sample in self._samples:
            if len(sample.sums) > 1:
                (least, record), (most, _) = min(sample.sums.items()), max(sample.sums.items())
                return Answer("sum", REFUTED, f"{least} in one game, {most} in another{bounds}", record)
        if not all(proof.sum[0] == proof.sum[1] for proof in self._proofs):
            return self._open("sum", "the scores are not followed card by card")
        if low == high:
            return Answer("sum", PROVED, f"{_FACE_DOWN}; always {low:g}")
        pairs = zip(self._games, self._proofs, strict=True)
        each = ", ".join(f"{proof.sum[0]:g} of {game.players}" for game, proof in pairs)
        return Answer("sum", PROVED, f"{_FACE_DOWN}; always the same for a number of players: {each}")

    def bounds(self) -> Answer:
        """Whether scores stay within bounds."""
        low, high = min(proof.score[0] for proof in self._proofs), max(proof.score[1] for proof in self._proofs)
        if low == -INFINITE or high == INFINITE:
            side = "lower" if low == -INFINITE else "upper"
            return self._open("bounds", f"no {side} bound of a score was found")
        return Answer("bounds", PROVED, f"{_FACE_DOWN}; a score is {_range(low, high)}")

    def partners(self) -> Answer:
        """Whether partners score together."""
        for sample in self._samples:
            if sample.unequal is not None:
                return Answer("partners", REFUTED, f"scores {sample.unequal.scores}", sample.unequal)
        if self._why_not or any(proof.unequal for proof in self._proofs):
            return self._open("partners", "the scores are not followed card by card")
        return Answer("partners", PROVED, _FACE_DOWN)

    def stated(self) -> Answer:
        """Whether the chart's own `always` lines hold."""
        for sample in self._samples:
            for number, record in sample.broken.items():
                text = expr_text(self._chart.always[number], self._chart)
                return Answer("stated", REFUTED, f"at the end of a game it does not hold that {text}", record)
        doubtful = set[int]().union(*(proof.stated or () for proof in self._proofs))
        if self._why_not or doubtful:
            texts = "; ".join(expr_text(self._chart.always[number], self._chart) for number in sorted(doubtful))
            return self._open("stated", f"not proved: {texts}")
        return Answer("stated", PROVED, _FACE_DOWN)

    def seats(self) -> Answer:
        """Whether it makes no difference where one sits."""
        bodies = [node.body for part in self._chart.document.charts for node in part.nodes]
        together = any(isinstance(body, tree.ForSeats) and body.together for body in bodies)
        for game, sample, proof in zip(self._games, self._samples, self._proofs, strict=True):
            first = proof.first_movers
            if first and len(first) < game.players and not together:
                names = " or ".join(f"player {seat}" for seat in sorted(first))
                how = f"{names} makes the first decision of every game, and no other seat does"
                return Answer("seats", REFUTED, how, sample.any_game)
        named = names_seats(self._chart)
        if named:
            return self._open("seats", f"seats are told apart by their numbers in line {self._lines(named)}")
        how = "no box names a seat or goes by the order of the seats from the first one on"
        return Answer("seats", PROVED, f"by the chart's words: {how}")


def _range(low: float, high: float) -> str:
    return f"{low:g}" if low == high else f"from {low:g} to {high:g}"


def _line(node: Node) -> int:
    return node.span.line if node.span is not None else node.number


# --- games ------------------------------------------------------------------------------------------------------------


def _play(game: Game, until: float, seed: str) -> _Sample:
    """Random games until the time is over, or there are enough."""
    engine = make_engine(game)
    found = _Sample(0, {}, {}, None, None)
    while found.games < 300 and (time.process_time() < until or found.games == 0):
        name = f"{seed} {found.games}"
        chance, rng = RecordingChance(RandomChance(name)), random.Random(name)
        state, moves = engine.start(chance), list[Move]()
        while engine.outcome(state) is None:
            moves.append(rng.choice(engine.legal(state)))
            state = engine.apply(state, moves[-1], chance)
        record = make_record(engine, state, chance, moves, seed=name)
        found.games += 1
        found.any_game = found.any_game or record
        if len(found.records) < _LOOKED_AT and len(moves) < _LONG_GAME:
            found.records.append(record)
        if record.reason != Reason.END:
            found.improper.setdefault(Reason(record.reason), record)
            continue
        if len(found.sums) < 50:
            found.sums.setdefault(sum(record.scores), record)
        if any(len({record.scores[seat] for seat in team}) > 1 for team in game.flowchart.teams):
            found.unequal = found.unequal or record
    _look(game, found, until)
    return found


def _look(game: Game, found: _Sample, until: float) -> None:
    """Goes through some of the games box by box."""
    engine = SteppingEngine(game)
    values = Values(game)
    deals = Deals(game)
    for record in found.records:
        chance, moves = ScriptedChance(record.chance), iter(record.moves)
        state = engine.begin()
        while state.result is None:
            found.reached.add(state.node)
            for zone in deals.lost(state.node, {slot: len(cards) for slot, cards in state.zones.items()}):
                found.lost.setdefault((state.node, zone), record)
            if state.waiting:
                mover = engine.mover(state)
                if mover is not None:
                    found.movers.add(mover)
                state = engine.decide(state, next(moves))
            else:
                state = engine.step(state, chance)
        if state.result.reason is Reason.END:
            for number, condition in enumerate(game.flowchart.always):
                if not values.value(condition, state):
                    found.broken.setdefault(number, record)
        if time.process_time() > until:
            break


# --- options ----------------------------------------------------------------------------------------------------------


def options_answer(game: Game, until: float, seed: str) -> Answer:
    """Whether every option makes a difference to some game."""
    chart = game.flowchart
    read = {part.name for expr in _expressions(chart) for part in expr.walk() if part.op == "option"}
    idle = [name for name in chart.options if name not in read]
    if idle:
        how = f"nothing depends on {', '.join(idle)}"
        return Answer("options", REFUTED, how, _play(game, time.process_time(), seed).any_game)
    usual = [_events_of(game, f"{seed} {number}") for number in range(_TRIED)]
    undecided = [name for name in chart.options if not _differs(game, name, usual, until, seed)]
    if undecided:
        how = f"{_TRIED} games were the same with other values of {', '.join(undecided)}"
        return Answer("options", OPEN, how)
    return Answer("options", PROVED, "by games that go otherwise with another value, with the same cards and players")


def _expressions(chart: Flowchart) -> Iterator[Expr]:
    for node in chart.nodes.values():
        if node.condition is not None:
            yield node.condition
        if node.statement is not None:
            yield from statement_exprs(node.statement)
    yield from (restriction for restriction in chart.deck.restrictions if restriction is not None)


def _differs(game: Game, name: str, usual: list[tuple[Event, ...]], until: float, seed: str) -> bool:
    option = game.flowchart.options[name]
    if option.type is Type.WORD:
        others = list(option.words)
    elif option.type is Type.BOOL:
        others = ["yes", "no"]
    else:
        nearby = {option.low, option.high, option.default - 1, option.default + 1}
        others = [str(value) for value in sorted(nearby) if option.low <= value <= option.high]
    for text in others:
        settings = {other: game.option_text(other) for other in game.options} | {name: text}
        if settings[name] == game.option_text(name):
            continue
        try:
            changed = Game.make(game.flowchart, name=game.name, players=game.players, options=settings)
        except FcdlError:
            continue
        for number, events in enumerate(usual):
            if time.process_time() > until and number:
                break
            if _events_of(changed, f"{seed} {number}") != events:
                return True
    return False


def _events_of(game: Game, name: str) -> tuple[Event, ...]:
    """What happens in a random game, or in its first moves."""
    engine, chance, rng = make_engine(game), RandomChance(name), random.Random(name)
    state = engine.start(chance)
    for _ in range(_LONG_GAME):
        if engine.outcome(state) is not None:
            break
        state = engine.apply(state, rng.choice(engine.legal(state)), chance)
    return tuple(engine.events(state))


# --- what is told -----------------------------------------------------------------------------------------------------


def _hidden(game: Game, until: float) -> Answer:
    """Whether diamonds, values and texts tell everybody only what everybody sees."""
    chart = game.flowchart
    written = {node.number: node for part in spread(chart.document).document.charts for node in part.nodes}
    program = Program(chart)
    telling = []
    for number in program.reachable():
        node = chart.nodes[number]
        told, deciding = told_by(chart, node), decisive(node.statement)
        meant = number in written and tree.is_meant(written[number].body)
        tells = told is not None and not meant and hidden_part(chart, told) is not None
        if not tells and deciding is not None:
            tells = any(hidden_part(chart, expr, deciding[0]) is not None for expr in deciding[1])
        if tells:
            telling.append(node)
    if not telling:
        return Answer("hidden", PROVED, "by who sees what: nothing that is told or offered depends on what is hidden")
    shown = _twins(game, {node.number for node in telling}, until)
    if shown is not None:
        at, seat, record = shown
        box = chart.box_of(at)
        what = "diamond" if chart.nodes[at].condition is not None else "box"
        how = f"the {what} in line {_line(box)} tells player {seat} something about cards they do not see"
        return Answer("hidden", REFUTED, how, record)
    lines = ", ".join(str(line) for line in sorted({_line(chart.box_of(node.number)) for node in telling}))
    return Answer("hidden", OPEN, f"line {lines} depends on hidden cards; no two games were found that show it")


def _twins(game: Game, telling: set[int], until: float) -> tuple[int, int, Record] | None:
    """Two games that look the same to a seat until a node tells different things: the node, the seat, one of them."""
    engine, rng = make_engine(game), random.Random("twins")
    tried = 0
    while tried < 60 and (time.process_time() < until or tried == 0):
        tried += 1
        chance, moves = RecordingChance(RandomChance(f"twins {tried}")), list[Move]()
        state = engine.start(chance)
        while engine.outcome(state) is None and len(moves) < rng.choice((3, 10, 40, 120)):
            moves.append(rng.choice(engine.legal(state)))
            state = engine.apply(state, moves[-1], chance)
        seen = [observation(engine.events(state), seat).events for seat in range(game.players)]
        for _ in range(200):
            others = _events(engine, ScriptedChance(_swapped(chance.outcomes, rng)), moves)
            for seat, mine in enumerate(seen):
                pairs = zip(mine, observation(others, seat).events, strict=False)
                first, second = next(((one, other) for one, other in pairs if one != other), (None, None))
                if first is None or second is None or first.kind != second.kind or first.node != second.node:
                    continue
                if first.node in telling and first.cards == second.cards:
                    return first.node, seat, _finished(engine, state, chance, moves, rng)
            if time.process_time() > until:
                break
    return None


def _finished(engine: Engine, state: State, chance: RecordingChance, moves: list[Move], rng: random.Random) -> Record:
    """The record of a game that is played to its end."""
    while engine.outcome(state) is None:
        moves.append(rng.choice(engine.legal(state)))
        state = engine.apply(state, moves[-1], chance)
    return make_record(engine, state, chance, moves)


def _swapped(outcomes: list[int | list[int]], rng: random.Random) -> list[int | list[int]]:
    """The same chance, with two cards of a shuffle exchanged."""
    changed = [answer if isinstance(answer, int) else list(answer) for answer in outcomes]
    shuffles = [answer for answer in changed if not isinstance(answer, int)]
    if shuffles:
        order = rng.choice(shuffles)
        one, other = rng.randrange(len(order)), rng.randrange(len(order))
        order[one], order[other] = order[other], order[one]
    return changed


def _events(engine: Engine, chance: ScriptedChance, moves: list[Move]) -> tuple[Event, ...]:
    """What happens when the same moves are made, as far as they can be."""
    try:
        state = engine.start(chance)
    except ChanceError:
        return ()
    for move in moves:
        try:
            state = engine.apply(state, move, chance)
        except (IllegalMoveError, ChanceError):
            break
    return tuple(engine.events(state))
