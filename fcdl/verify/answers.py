"""What `fcdl verify` answers: properties of a game, each proved for all games, refuted by a game, or not decided."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from fcdl.engines import make_engine
from fcdl.engines.stepping.engine import SteppingEngine
from fcdl.language import tree
from fcdl.language.check.program import Program
from fcdl.language.check.reveals import told_by
from fcdl.language.flowchart import Flowchart, Node
from fcdl.language.seats import spread
from fcdl.language.sight import decisive, hidden_part
from fcdl.model.chance import ChanceError, RandomChance, RecordingChance, ScriptedChance
from fcdl.model.engine import IllegalMoveError
from fcdl.model.events import Event, observation
from fcdl.model.game import Game
from fcdl.model.moves import Move
from fcdl.model.outcome import Reason
from fcdl.model.record import Record, make_record
from fcdl.verify.abstract import TOTAL, Abstract, UnsupportedError
from fcdl.verify.explore import Deals, Explorer, Findings, OutOfTimeError

PROVED, REFUTED, OPEN = "proved", "refuted", "not decided"
PROPERTIES = {
    "legal-move": "no decision without a legal move",
    "fault": "nobody that is no player is asked or given anything",
    "ends": "no endless game",
    "turns": "every seat gets a turn",
    "reached": "every box can be reached",
    "cards": "no card is left behind when the cards are shuffled and dealt again",
    "sum": "the sum of the scores is the same in every game",
    "partners": "partners have the same score",
    "hidden": "nothing hidden is told, except where the chart says so",
}
WRONG = frozenset({"legal-move", "fault", "ends", "turns", "reached", "cards", "partners"})
"""The properties without which something is wrong with a game; the others are for the author to judge."""
_LOOKED_AT = 40
_LONG_GAME = 2000
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


def answers(games: Sequence[Game], seconds: float, seed: str = "verify") -> Iterator[Answer]:
    """The answers for a game with each number of players, within about so many seconds."""
    chart = games[0].flowchart
    begin = time.monotonic()
    samples = [
        _play(game, begin + seconds * 0.25 * (number + 1) / len(games), seed) for number, game in enumerate(games)
    ]
    proofs: list[Findings] = []
    why_not = ""
    for number, game in enumerate(games):
        until = begin + seconds * (0.25 + 0.65 * (number + 1) / len(games))
        try:
            proofs.append(Explorer(Abstract(game), until).run())
        except OutOfTimeError:
            why_not = f"the time was over before all positions for {game.players} players were found"
            break
        except (UnsupportedError, RecursionError) as error:
            why_not = str(error)
            break
    judge = _Judge(chart, samples, proofs, why_not)
    yield judge.improper("legal-move", Reason.NO_LEGAL_MOVE, lambda seen: seen.stuck)
    yield judge.improper("fault", Reason.FAULT, lambda seen: seen.faults)
    yield judge.ends()
    yield judge.turns(games)
    yield judge.reached()
    yield judge.cards()
    yield judge.sums()
    if chart.teams:
        yield judge.partners()
    yield _hidden(games[0], begin + seconds)


class _Judge:
    """Draws conclusions from what random games and abstract positions show."""

    def __init__(self, chart: Flowchart, samples: list[_Sample], proofs: list[Findings], why_not: str) -> None:
        self._chart, self._samples, self._proofs, self._why_not = chart, samples, proofs, why_not

    def _open(self, name: str, why: str) -> Answer:
        games = sum(sample.games for sample in self._samples)
        return Answer(name, OPEN, f"{self._why_not or why}; {games} random games showed no fault")

    def _lines(self, nodes: set[int]) -> str:
        return ", ".join(str(line) for line in sorted({_line(self._chart.box_of(number)) for number in nodes}))

    def improper(self, name: str, reason: Reason, where: Callable[[Findings], set[int]]) -> Answer:
        """Whether a game can end for a reason that is none."""
        for sample in self._samples:
            if reason in sample.improper:
                return Answer(name, REFUTED, f"a game ends with '{reason}'", sample.improper[reason])
        suspects = set[int]().union(*map(where, self._proofs))
        if suspects or self._why_not:
            return self._open(name, f"perhaps in line {self._lines(suspects)}")
        return Answer(name, PROVED, _FACE_DOWN)

    def ends(self) -> Answer:
        """Whether every game ends by itself."""
        for sample in self._samples:
            for reason in (Reason.STEP_LIMIT, Reason.STALEMATE):
                if reason in sample.improper:
                    return Answer("ends", REFUTED, f"a game goes on until '{reason}'", sample.improper[reason])
        if self._why_not:
            return self._open("ends", "")
        bounds = [_longest(seen) for seen in self._proofs]
        longest = [bound for bound in bounds if bound is not None]
        if len(longest) < len(bounds):
            return self._open("ends", "positions come again as far as they are told apart")
        return Answer("ends", PROVED, f"{_FACE_DOWN}; after at most {max(longest)} decisions")

    def turns(self, games: Sequence[Game]) -> Answer:
        """Whether every seat decides something in some game."""
        for game, sample, seen in zip(games, self._samples, self._proofs, strict=False):
            idle = set(range(game.players)) - seen.movers
            if idle:
                seats = ", ".join(f"player {seat}" for seat in sorted(idle))
                return Answer("turns", REFUTED, f"{seats} of {game.players} never decides anything", sample.any_game)
        for game, sample in zip(games, self._samples, strict=True):
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
        idle = boxes - set[int]().union(*(proof.reached for proof in self._proofs))
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
        lost = {pair for proof in self._proofs for pair in proof.lost}
        if self._why_not or lost:
            return self._open("cards", f"perhaps in line {self._lines({node for node, _ in lost})}")
        return Answer("cards", PROVED, _FACE_DOWN)

    def sums(self) -> Answer:
        """Whether the scores always add up to the same."""
        for sample in self._samples:
            if len(sample.sums) > 1:
                (low, record), (high, _) = min(sample.sums.items()), max(sample.sums.items())
                return Answer("sum", REFUTED, f"{low} in one game, {high} in another", record)
        found = {end.values[TOTAL + "score", None] for seen in self._proofs for end in seen.ends}
        if self._why_not or len(found) != 1 or not all(isinstance(total, int) for total in found):
            return self._open("sum", "the scores are not followed card by card")
        return Answer("sum", PROVED, f"{_FACE_DOWN}; always {found.pop()}")

    def partners(self) -> Answer:
        """Whether partners score together."""
        for sample in self._samples:
            if sample.unequal is not None:
                return Answer("partners", REFUTED, f"scores {sample.unequal.scores}", sample.unequal)
        equal = all(
            len({end.values["score", seat] for seat in team}) == 1
            for seen in self._proofs
            for end in seen.ends
            for team in self._chart.teams
        )
        if self._why_not or not equal:
            return self._open("partners", "the scores are not followed card by card")
        return Answer("partners", PROVED, _FACE_DOWN)


def _line(node: Node) -> int:
    return node.span.line if node.span is not None else node.number


def _longest(seen: Findings) -> int | None:
    """The most decisions from the start to an end; None if there is a cycle."""
    after: dict[int, list[tuple[int, int]]] = {}
    arriving = [0] * seen.positions
    for edge in seen.edges:
        after.setdefault(edge.source, []).append((edge.target, edge.decisions))
        arriving[edge.target] += 1
    most = [0] * seen.positions
    ready = [number for number, arrows in enumerate(arriving) if arrows == 0]
    done = 0
    while ready:
        number = ready.pop()
        done += 1
        for target, decisions in after.get(number, ()):
            most[target] = max(most[target], most[number] + decisions)
            arriving[target] -= 1
            if arriving[target] == 0:
                ready.append(target)
    return max(most) if done == seen.positions else None


# --- games ------------------------------------------------------------------------------------------------------------


def _play(game: Game, until: float, seed: str) -> _Sample:
    """Random games until the time is over, or there are enough."""
    engine = make_engine(game)
    found = _Sample(0, {}, {}, None, None)
    while found.games < 300 and (time.monotonic() < until or found.games == 0):
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
        if time.monotonic() > until:
            break


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
    diamonds = {node.number for node in telling if node.condition is not None}
    shown = _twins(game, diamonds, until)
    if shown is not None:
        at, seat, record = shown
        how = f"the diamond in line {_line(chart.box_of(at))} tells player {seat} something about cards they do not see"
        return Answer("hidden", REFUTED, how, record)
    lines = ", ".join(str(line) for line in sorted({_line(chart.box_of(node.number)) for node in telling}))
    return Answer("hidden", OPEN, f"line {lines} depends on hidden cards; no two games were found that show it")


def _twins(game: Game, diamonds: set[int], until: float) -> tuple[int, int, Record] | None:
    """Two games that look the same to a seat until a diamond answers differently: the node, the seat, one of them."""
    if not diamonds:
        return None
    engine, rng = SteppingEngine(game), random.Random("twins")
    tried = 0
    while tried < 40 and (time.monotonic() < until or tried == 0):
        tried += 1
        chance, moves = RecordingChance(RandomChance(f"twins {tried}")), list[Move]()
        state = engine.start(chance)
        while engine.outcome(state) is None and len(moves) < 200:
            moves.append(rng.choice(engine.legal(state)))
            state = engine.apply(state, moves[-1], chance)
        if engine.outcome(state) is None or not chance.outcomes:
            continue
        seen = [observation(engine.events(state), seat).events for seat in range(game.players)]
        for _ in range(20):
            others = _events(engine, ScriptedChance(_swapped(chance.outcomes, rng)), moves)
            for seat, mine in enumerate(seen):
                pairs = zip(mine, observation(others, seat).events, strict=False)
                first, second = next(((one, other) for one, other in pairs if one != other), (None, None))
                if first is None or second is None or first.kind != "branch" or second.kind != "branch":
                    continue
                if first.node == second.node and first.node in diamonds:
                    return first.node, seat, make_record(engine, state, chance, moves)
    return None


def _swapped(outcomes: list[int | list[int]], rng: random.Random) -> list[int | list[int]]:
    """The same chance, with two cards of a shuffle exchanged."""
    changed = [answer if isinstance(answer, int) else list(answer) for answer in outcomes]
    shuffles = [answer for answer in changed if not isinstance(answer, int)]
    if shuffles:
        order = rng.choice(shuffles)
        one, other = rng.randrange(len(order)), rng.randrange(len(order))
        order[one], order[other] = order[other], order[one]
    return changed


def _events(engine: SteppingEngine, chance: ScriptedChance, moves: list[Move]) -> tuple[Event, ...]:
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
    return engine.events(state)
