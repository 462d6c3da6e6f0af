"""Is this game any good? Random and strong players try it out, and what an author should know about it is reported.

The games are those of a run, so they may be played anywhere; what happened in them is read from their records, here.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from fcdl.arena.expectations import failures
from fcdl.arena.measures import Spread, wilson
from fcdl.arena.play import Played
from fcdl.arena.run import Run
from fcdl.arena.simulate import Setup
from fcdl.engines import make_engine
from fcdl.language import flowchart as fc
from fcdl.language.ops import looked_into
from fcdl.model.chance import ScriptedChance
from fcdl.model.engine import Engine, State
from fcdl.model.events import Event
from fcdl.model.game import Game
from fcdl.model.outcome import Outcome, Reason
from fcdl.model.record import Record

STRONG = "ismcts:iterations=200"
"""The player that stands for a good one."""
KEPT_RECORDS = 5
"""Games that went wrong of which a record is kept."""
PAYS, PAYS_SECONDS = 3, 4.0
"""So many heuristics are measured in so many seconds at most."""
FEW = 30
"""With fewer games than this nothing is said about what never happened."""


@dataclass(frozen=True, slots=True)
class Concern:
    """Something an author should look at; `node` and `line` say where, if it has a place."""

    severity: str
    code: str
    message: str
    node: int | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Stuck:
    """A game that did not end properly: its record, how it ended, and the zone where most cards lay then."""

    record: Record
    outcome: Outcome
    zone: str
    cards: int


@dataclass(slots=True)
class Series:
    """What was counted in some games of the same players, by seat where that makes a difference."""

    players: tuple[str, ...]
    games: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    wins: list[float] = field(default_factory=list)
    """Games that each seat won; of n sides that tie each has 1/n."""
    decisions: list[int] = field(default_factory=list)
    ties: int = 0
    lengths: Spread = field(default_factory=Spread)
    choices: int = 0
    scores: list[Spread] = field(default_factory=list)
    lead_changes: Spread = field(default_factory=Spread)
    length_counts: Counter[int] = field(default_factory=Counter)
    """How many games had how many moves, for pictures."""
    score_counts: list[Counter[int]] = field(default_factory=list)
    """By seat, how many games ended with which score."""

    def add(self, game: Game, played: Played, lead_changes: int) -> None:
        """One more game."""
        self.wins = self.wins or [0.0] * game.players
        self.decisions = self.decisions or [0] * game.players
        self.scores = self.scores or [Spread() for _ in range(game.players)]
        self.score_counts = self.score_counts or [Counter() for _ in range(game.players)]
        self.games += 1
        self.reasons[played.reason] += 1
        winners = game.winning_sides(played.scores)
        self.ties += len(winners) > 1
        for side in winners:
            for seat in side:
                self.wins[seat] += 1 / len(winners)
        for seat, number in enumerate(played.moves):
            self.decisions[seat] += number
            self.scores[seat].add(played.scores[seat])
            self.score_counts[seat][played.scores[seat]] += 1
        self.length_counts[sum(played.moves)] += 1
        self.lengths.add(sum(played.moves))
        self.choices += played.choices
        self.lead_changes.add(lead_changes)

    def summary(self) -> dict[str, Any]:
        """As JSON."""
        games = max(1, self.games)
        moves = max(1.0, self.lengths.total)
        return {
            "players": list(self.players),
            "games": self.games,
            "reasons": dict(self.reasons),
            "win_rate": [won / games for won in self.wins],
            "win_rate_wilson": [list(wilson(won, self.games)) for won in self.wins],
            "decisions_mean": [number / games for number in self.decisions],
            "mean_score": [score.mean for score in self.scores],
            "ties": self.ties,
            "moves_mean": self.lengths.mean,
            "moves_min": self.lengths.low,
            "moves_max": self.lengths.high,
            "branching_mean": self.choices / moves,
            "lead_changes_mean": self.lead_changes.mean,
        }


class _Watch:
    """What happens in games, read from their events; sees all cards."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.game = engine.game
        self.answers: defaultdict[int, Counter[str]] = defaultdict(Counter)
        self.offered: defaultdict[int, set[str]] = defaultdict(set)
        self.moved: set[str] = set()
        self.received: Counter[str] = Counter()
        self.gave: Counter[str] = Counter()
        self.largest: Counter[str] = Counter()
        self.ups: Counter[str] = Counter()
        self.downs: Counter[str] = Counter()
        self.deals = 0
        self.games = 0
        self.decided: set[int] = set()
        self.short_deals = 0
        self._begin()

    def _begin(self) -> None:
        self.zones: Counter[str] = Counter(pack=len(self.game.cards))
        self._values: dict[str, int] = {
            self.game.place_text(variable.name, place): variable.initial
            for variable in self.game.flowchart.variables.values()
            if variable.initial is not None
            for place in self.game.places_of(variable)
        }
        self._first_deal: int | None = None
        self._dealing = False
        """Whether cards have come to hands that were all empty, since the last decision."""
        self._leaders: tuple[tuple[int, ...], ...] | None = None
        self.lead_changes = 0

    def game_of(self, record: Record) -> None:
        """Goes through a game; `zones` and `lead_changes` are then those of its end."""
        self._begin()
        engine, chance = self.engine, ScriptedChance(record.chance)
        state = engine.start(chance)
        for move in record.moves:
            self._position(state)
            self.decided.add(state.node)
            if isinstance(self.game.flowchart.nodes[state.node].statement, fc.Choose):
                self.offered[state.node].update(one.what for one in engine.legal(state))
            state = engine.apply(state, move, chance)
        self._position(state)
        self.games += 1

    def _position(self, state: State) -> None:
        self._read(self.engine.latest(state))
        self._dealt()

    def _read(self, events: Sequence[Event]) -> None:
        for event in events:
            match event.kind:
                case "branch":
                    self.answers[event.node or 0][event.value or ""] += 1
                case "assign" | "choose":
                    self._assign(event)
                case "move" | "play" | "pick" | "take":
                    self._move(event)
                case "shuffle" if event.source == "pack" and event.number == len(self.game.cards):
                    self._gather()

    def _dealt(self) -> None:
        """Compares a deal with the first one since all cards were in the pack."""
        if self._dealing:
            self._dealing = False
            if self._first_deal is None:
                self._first_deal = self._hands()
            self.short_deals += self._hands() < self._first_deal

    def _gather(self) -> None:
        self.deals += 1
        self.gave.update(self.zones)
        self.zones = Counter(pack=len(self.game.cards))
        self._first_deal = None
        self._dealing = False

    def _move(self, event: Event) -> None:
        assert event.source is not None
        assert event.target is not None
        number = 1 if event.number is None else event.number
        self.moved.update(event.cards or ())
        self.gave[event.source] += number
        self.received[event.target] += number
        self.zones[event.source] -= number
        self.zones[event.target] += number
        self.largest[event.target] = max(self.largest[event.target], self.zones[event.target])
        self._dealing |= event.source == "pack" and event.kind == "move" and self._hands() == number

    def _hands(self) -> int:
        return sum(number for zone, number in self.zones.items() if zone.startswith("hand("))

    def _assign(self, event: Event) -> None:
        assert event.name is not None
        variable = self.game.flowchart.variables[event.name]
        if variable.type is not fc.Type.INT or event.value is None:
            return
        place = self.game.place_text(event.name, event.owner)
        before, after = self._values.get(place), int(event.value)
        self._values[place] = after
        if before is not None:
            self.ups[event.name] += after > before
            self.downs[event.name] += after < before
        if event.name == "score":
            self._lead()

    def _lead(self) -> None:
        scores = [self._values.get(f"score({seat})", 0) for seat in range(self.game.players)]
        leaders = self.game.winning_sides(scores)
        if len(leaders) > 1:
            return  # nobody leads alone
        self.lead_changes += self._leaders is not None and leaders != self._leaders
        self._leaders = leaders


class Trial:
    """Tries a game out; what was found so far can be read at any time, so that an interrupted run keeps it."""

    def __init__(self, game: Game, seed: str, strong: str = STRONG, engine: str = "auto") -> None:
        self.game, self.seed = game, seed
        self.engine_name, self.engine = engine, make_engine(game, engine)
        players = self.game.players
        first = self.game.sides[0]
        self.random = Series(("random",) * players)
        self.strong = Series((strong,) * players)
        self.mixed = Series(tuple(strong if seat in first else "random" for seat in range(players)))
        """The strong player, with all seats of a side in turn, against random ones."""
        self.skill = 0.0
        """Games that the strong player won against random ones."""
        self.stuck: list[Stuck] = []
        """Games that did not end properly, the first few of them."""
        self.out_of_time = False
        self.pays: list[dict[str, Any]] = []
        """The strongest heuristics measured by play."""
        self.pays_note = ""
        """Why there are none."""
        self._watch = _Watch(self.engine)
        self._uneven = 0

    def run(
        self, random_games: int, strong_games: int, seconds: float, run: Run | None = None
    ) -> Iterator[tuple[Setup, int, Played]]:
        """Plays and yields the games. `seconds` is a guard: each of the three kinds of games has a third of it.

        Games that are in the run's journal take no time, so one that was out of time goes on where it stopped.
        """
        run = run or Run()
        yield from self._play(run, self.random, random_games, seconds / 3, self._watch)
        yield from self._play(run, self.strong, strong_games, seconds / 3, _Watch(self.engine))
        yield from self._play(run, self.mixed, strong_games, seconds / 3, _Watch(self.engine))

    def measure(self, seconds: float = PAYS_SECONDS) -> None:
        """Plays a little more to find out what pays, so that an author sees a comparison the wrong way round."""
        try:
            from fcdl.heuristics.measured import SMALL, measure
            from fcdl.heuristics.measured_words import effect_json

            found = measure(self.game, self.seed, replace(SMALL, seconds=seconds))
            self.pays = [effect_json(found, effect) for effect in found.effects[:PAYS]]
        except Exception as error:  # whatever it is, the other results stand
            self.pays_note = f"This could not be measured ({error})."
        else:
            self.pays_note = "" if self.pays else found.note

    def _play(
        self, run: Run, series: Series, games: int, seconds: float, watch: _Watch
    ) -> Iterator[tuple[Setup, int, Played]]:
        until = time.monotonic() + seconds
        setup = self._setup(series)
        for number, played in run.runner(setup).play(range(games)):
            assert played.record is not None
            watch.game_of(played.record)
            series.add(self.game, played, watch.lead_changes)
            if series is self.mixed:
                winners = self.game.winning_sides(played.scores)
                seating = setup.seating(number)
                self.skill += sum(seating[side[0]] == 0 for side in winners) / len(winners)
            self._uneven += any(len({played.scores[seat] for seat in side}) > 1 for side in self.game.sides)
            if played.reason != Reason.END and len(self.stuck) < KEPT_RECORDS:
                ((zone, cards),) = watch.zones.most_common(1)
                self.stuck.append(Stuck(played.record, played.outcome, zone, cards))
            yield setup, number, played
            if time.monotonic() > until and number + 1 < games:
                self.out_of_time = True
                return

    def _setup(self, series: Series) -> Setup:
        """The strong player against random ones sits with each side in turn; all others are equal anyway."""
        seats = range(self.game.players)
        names: tuple[str, ...] = series.players[:1]
        seatings: tuple[tuple[int, ...], ...] = (tuple(0 for _ in seats),)
        if series is self.mixed:
            names = (self.strong.players[0], "random")
            seatings = tuple(tuple(0 if seat in side else 1 for seat in seats) for side in self.game.sides)
        return Setup(self.game, self.engine_name, names, self.seed, seatings, records=True)

    # --- what follows from it

    def fair_share(self) -> float:
        """The share of games that a side would win if all were equally strong."""
        return 1 / len(self.game.sides)

    def summary(self) -> dict[str, Any]:
        """As JSON."""
        games = self.mixed.games
        return {
            "game": self.game.name,
            "options": {name: self.game.option_text(name) for name in self.game.options},
            "players": self.game.players,
            "seed": self.seed,
            "out_of_time": self.out_of_time,
            "random": self.random.summary(),
            "strong": self.strong.summary(),
            "skill": {
                "agent": self.strong.players[0],
                "games": games,
                "win_rate": self.skill / games if games else None,
                "wilson": list(wilson(self.skill, games)),
                "fair_share": self.fair_share(),
            },
            "pays": self.pays,
            "findings": [asdict(concern) for concern in self.concerns()],
        }

    def concerns(self) -> list[Concern]:
        """Everything that looks wrong, warnings first."""
        found = [
            *self._expectations(),
            *self._ends(),
            *self._seats(),
            *self._teams(),
            *self._results(),
            *self._cards(),
            *self._counters(),
            *self._paths(),
            *self._skill(),
        ]
        return sorted(found, key=lambda concern: concern.severity != "warning")

    def _at(self, severity: str, code: str, message: str, node: int | None) -> Concern:
        span = self.game.flowchart.nodes[node].span if node is not None else None
        return Concern(severity, code, message, node, span.line if span is not None else None)

    def _expectations(self) -> Iterator[Concern]:
        for failure in failures(self.game.flowchart):
            span = failure.expectation.span
            yield Concern("warning", "expectation", failure.text, line=span.line if span is not None else None)

    def _ends(self) -> Iterator[Concern]:
        for series, who in ((self.random, "random players"), (self.strong, "good players")):
            for reason, count in series.reasons.items():
                if reason == Reason.END:
                    continue
                message = f"{count} of {series.games} games between {who} did not end properly: {reason}"
                one = next((one for one in self.stuck if one.outcome.reason == reason), None)
                node = one.outcome.node if one is not None else None
                if one is not None and node is not None:
                    message += f" at \u201c{self.game.flowchart.nodes[node].caption}\u201d"
                    message += f"; {one.cards} of {len(self.game.cards)} cards were in {one.zone}"
                yield self._at("warning", "does-not-end", message, node)

    def _seats(self) -> Iterator[Concern]:
        series = self.random
        if series.games < FEW:
            return
        mean = sum(series.decisions) / self.game.players
        for seat, number in enumerate(series.decisions):
            if mean and not number:
                yield Concern("warning", "never-decides", f"player {seat} never gets a turn")
            elif number < mean / 2:
                times = (
                    f"{number / series.games:.1f} decisions per game, where the average is {mean / series.games:.1f}"
                )
                yield Concern("note", "seldom-decides", f"player {seat} seldom gets a turn: {times}")
        if len(self.game.sides) < 2 or series.ties == series.games:
            return
        fair = self.fair_share()
        for side in self.game.sides:
            who = " and ".join(f"player {seat}" for seat in side)
            wins, has = ("wins", "has") if len(side) == 1 else ("win", "have")
            low, high = wilson(series.wins[side[0]], series.games)
            if series.wins[side[0]] == 0:
                yield Concern(
                    "warning", "never-wins", f"{who} never {wins} ({series.games} games between random players)"
                )
            elif series.wins[side[0]] == series.games:
                yield Concern(
                    "warning", "always-wins", f"{who} always {wins} ({series.games} games between random players)"
                )
            elif low > 1.25 * fair or high < fair / 1.25:
                share = f"{100 * series.wins[side[0]] / series.games:.0f} % of the games between random players"
                better = "an advantage" if low > fair else "a disadvantage"
                yield Concern(
                    "note", "unequal-seats", f"{who} {has} {better}: {share}, {100 * fair:.0f} % would be fair"
                )

    def _teams(self) -> Iterator[Concern]:
        if self._uneven:
            games = self.random.games + self.strong.games + self.mixed.games
            message = f"partners had different scores at the end of {self._uneven} of {games} games"
            yield Concern("warning", "partners-differ", message)

    def _results(self) -> Iterator[Concern]:
        series = self.random
        if series.games < FEW or len(self.game.sides) < 2:
            return
        if all(score.low == score.high == 0 for score in series.scores):
            yield Concern("warning", "nobody-scores", "nobody ever scores: every score is 0 at the end")
        elif series.ties == series.games:
            yield Concern("warning", "always-tied", "every game is a tie")
        elif series.ties > series.games / 2:
            yield Concern("note", "often-tied", f"{series.ties} of {series.games} games are ties")

    def _cards(self) -> Iterator[Concern]:
        watch = self._watch
        if watch.games < FEW:
            return
        deck = self.game.flowchart.deck
        still = [card for card in dict.fromkeys(map(deck.code, self.game.cards)) if card not in watch.moved]
        if still:
            shown = " ".join(still[:8]) + (" ..." if len(still) > 8 else "")
            yield Concern("warning", "card-never-moves", f"never moved in {watch.games} games: {shown}")
        for zone in self.game.flowchart.zones.values():
            places = [place for place in self.game.zones if place.partition("(")[0] == zone.name]
            received, gave = sum(watch.received[place] for place in places), sum(watch.gave[place] for place in places)
            largest = max(watch.largest[place] for place in places)
            if not received or gave:
                continue
            if watch.short_deals >= watch.games:
                message = f"cards that go to {zone.name} never come back, so later hands get fewer cards"
                yield self._at("warning", "cards-lost", message, self._played_to(zone.name))
            elif (
                zone.per_player
                and largest > 1
                and (node := self._played_to(zone.name))
                and self._looks_at_top(zone.name)
            ):
                message = (
                    f"cards played to {zone.name} stay there: up to {largest} pile up in front of a player, "
                    "but the chart only looks at the last one"
                )
                severity = "warning" if zone.name == "middle" else "note"  # other zones may be meant to grow
                yield self._at(severity, "never-cleared", message, node)

    def _played_to(self, zone: str) -> int | None:
        """The decision whose cards go to a zone."""
        for node in self.game.flowchart.nodes.values():
            if isinstance(node.statement, fc.Play | fc.Pick | fc.TakeSet) and node.statement.target.name == zone:
                return node.number
        return None

    def _looks_at_top(self, zone: str) -> bool:
        parts = (part for node in self.game.flowchart.nodes.values() for expr in node.exprs() for part in expr.walk())
        return any((found := looked_into(part)) is not None and found.name == zone for part in parts)

    def _counters(self) -> Iterator[Concern]:
        watch = self._watch
        if watch.deals < 2 * watch.games:
            return
        for name, ups in watch.ups.items():
            if name != "score" and not watch.downs[name] and ups >= 2 * watch.deals:
                message = f"{name} only ever grows, although the cards are dealt again: is it reset anywhere?"
                yield self._at("note", "never-reset", message, self._assigned_at(name))

    def _assigned_at(self, name: str) -> int | None:
        for node in self.game.flowchart.nodes.values():
            if isinstance(node.statement, fc.Assign) and node.statement.target.name == name:
                return node.number
        return None

    def _paths(self) -> Iterator[Concern]:
        """Diamonds that always answer the same, decisions that never come, values that are never offered."""
        watch = self._watch
        if watch.games < FEW:
            return
        for node in self.game.flowchart.nodes.values():
            if node.is_turning:
                continue
            if node.condition is not None and len(watch.answers[node.number]) == 1 and not self._by_options(node):
                ((answer, count),) = watch.answers[node.number].items()
                if count >= FEW:
                    message = f"\u201c{node.caption}\u201d was answered {answer} every time ({count} times)"
                    yield self._at("note", "same-answer", message, node.number)
            elif node.is_decision and node.number not in watch.decided:
                message = f"nobody ever got to \u201c{node.caption}\u201d in {watch.games} games"
                yield self._at("note", "never-reached", message, node.number)
            elif isinstance(node.statement, fc.Choose):
                missing = [text for text in self._values_of(node.statement) if text not in watch.offered[node.number]]
                for text in missing:
                    message = f"{text} was never offered in {watch.games} games"
                    yield self._at("note", "never-offered", message, node.number)

    def _by_options(self, node: fc.Node) -> bool:
        """Whether options or the number of players help to answer a diamond: others would give other answers."""
        assert node.condition is not None
        return any(part.op in ("option", "numberOfPlayers") for part in node.condition.walk())

    def _values_of(self, statement: fc.Choose) -> Iterator[str]:
        """The values that a decision names one by one."""
        if statement.values.op != "values":
            return
        for item in statement.values.args:
            value = item.args[1] if item.op == "when" else item
            if value.op == "const" and value.value is not None:
                yield self.game.value_text(value.type, value.value)

    def _skill(self) -> Iterator[Concern]:
        games = self.mixed.games
        if games < 10 or len(self.game.sides) < 2:
            return
        low, high = wilson(self.skill, games)
        if high < self.fair_share():
            share = f"{100 * self.skill / games:.0f} % of {games} games"
            message = f"a good player loses to random ones ({share}): what scores is perhaps not what was meant"
            yield Concern("warning", "skill-loses", message)
        elif low <= self.fair_share():
            message = f"a good player does not win more than random ones in {games} games: luck decides"
            yield Concern("note", "no-skill", message)
