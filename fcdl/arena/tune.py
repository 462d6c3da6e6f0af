"""The best values of an agent's parameters, looked for with Optuna.

Every trial plays the same mirrored deals, so that luck is the same for all. It plays them part by part, and is given up
as soon as its interval lies below that of the best trial so far. What is found is then tried on deals that nobody has
seen: the best of many trials was also the luckiest.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fcdl.arena.plots import STEPS, line_chart, row_chart
from fcdl.arena.ranges import OpenAgent
from fcdl.arena.run import Run
from fcdl.arena.simulate import Simulation
from fcdl.arena.sweep import Contest, Figure, points, share
from fcdl.errors import FcdlError

STUDY = "study.db"
PARTS = 5
"""A trial is looked at so often, and may be given up each time."""
FIRST = 10
"""So many trials are drawn at random before Optuna has something to go by."""


class TuneError(FcdlError):
    """Tuning that cannot begin."""


@dataclass(frozen=True, slots=True)
class Tried:
    """One trial: the values, the agent, what it reached, and whether it was given up."""

    number: int
    values: dict[str, str]
    agent: str
    figure: Figure
    games: int
    pruned: bool

    def summary(self) -> dict[str, Any]:
        """As JSON."""
        figure = self.figure
        return {
            "trial": self.number, "agent": self.agent, "values": self.values, "value": figure.value,
            "interval": [figure.low, figure.high], "games": self.games, "pruned": self.pruned,
        }  # fmt: skip


class Tuning:
    """A study in a folder; what has been tried there is not tried again."""

    def __init__(self, contest: Contest, agent: OpenAgent, folder: Path, games: int, goal: str = "win") -> None:
        try:
            import optuna
        except ImportError:
            raise TuneError("fcdl tune needs Optuna: pip install 'fcdl[tune]'") from None
        optuna.logging.set_verbosity(optuna.logging.ERROR)
        self.contest, self.agent, self.games = contest, agent, games
        self.measure: Callable[[Simulation], Figure] = share if goal == "win" else points
        self.lowest = goal == "score" and contest.setup.game.flowchart.lowest_wins
        folder.mkdir(parents=True, exist_ok=True)
        self.study = optuna.create_study(
            storage=f"sqlite:///{folder / STUDY}",
            study_name="fcdl",
            direction="minimize" if self.lowest else "maximize",
            load_if_exists=True,
        )
        for trial in self.study.get_trials(deepcopy=False, states=[optuna.trial.TrialState.RUNNING]):
            self.study.tell(trial.number, state=optuna.trial.TrialState.FAIL)  # its process has gone

    def tried(self) -> list[Tried]:
        """The trials so far."""
        from optuna.trial import TrialState

        found = self.study.get_trials(deepcopy=False, states=[TrialState.COMPLETE, TrialState.PRUNED])
        return [
            Tried(
                number,
                trial.user_attrs["values"],
                trial.user_attrs["agent"],
                Figure(*trial.user_attrs["figure"]),
                trial.user_attrs["games"],
                trial.state is TrialState.PRUNED,
            )
            for number, trial in enumerate(found)
        ]

    def best(self) -> Tried | None:
        """The best trial that was not given up; the first of equals."""
        sign = -1 if self.lowest else 1
        whole = [tried for tried in self.tried() if not tried.pruned]
        return max(whole, key=lambda tried: (sign * tried.figure.value, -tried.number), default=None)

    def play(self, run: Run, trials: int) -> Iterator[Tried]:
        """Adds trials until there are so many.

        The values of a trial follow from the trials before it and the seed, so a study that was interrupted goes on as
        if it had not been.
        """
        import optuna

        while (done := len(self.tried())) < trials:
            seed = int.from_bytes(hashlib.sha256(f"{self.contest.setup.seed}/{done}".encode()).digest()[:4], "big")
            self.study.sampler = optuna.samplers.TPESampler(seed=seed, n_startup_trials=FIRST)
            trial = self.study.ask()
            values = {key: self._suggest(trial, key) for key in self.agent.ranges}
            yield self._try(run, trial, values, done)

    def _suggest(self, trial: Any, key: str) -> str:
        one = self.agent.ranges[key]
        if one.words:
            return str(trial.suggest_categorical(key, one.words))
        if one.whole:
            return str(trial.suggest_int(key, int(one.low), int(one.high), log=one.is_logarithmic))
        return one.text(trial.suggest_float(key, one.low, one.high, log=one.is_logarithmic))

    def _try(self, run: Run, trial: Any, values: dict[str, str], number: int) -> Tried:
        from optuna.trial import TrialState

        agent, best = self.agent.with_values(values), self.best()
        simulation, games = self.contest.play(run, agent, self.games)
        marks = {self.games * part // PARTS for part in range(1, PARTS)}
        pruned = False
        for _ in games:
            if simulation.games in marks:
                found = self.measure(simulation)
                trial.report(found.value, simulation.games)
                if best is not None and self._is_worse(found, best.figure):
                    pruned = True
                    break
        found = self.measure(simulation)
        attributes = {"values": values, "agent": agent, "games": simulation.games}
        for name, value in (attributes | {"figure": [found.value, found.low, found.high]}).items():
            trial.set_user_attr(name, value)
        if pruned:
            self.study.tell(trial, state=TrialState.PRUNED)
        else:
            self.study.tell(trial, found.value)
        return Tried(number, values, agent, found, simulation.games, pruned)

    def _is_worse(self, found: Figure, best: Figure) -> bool:
        """Whether the intervals leave no doubt."""
        return found.low > best.high if self.lowest else found.high < best.low

    def held_out(self, run: Run, games: int) -> list[dict[str, Any]]:
        """The best agent and the usual one on deals that were not tuned on, against the same others and directly.

        Where the others are the usual one already, that is the same.
        """
        best = self.best()
        assert best is not None
        seed = f"{self.contest.setup.seed}/held out"
        direct = Contest(self.contest.setup, self.agent.usual, self.contest.counting, self.contest.pairs)
        matches = [(best.agent, self.contest), (self.agent.usual, self.contest), (best.agent, direct)]
        rows = []
        for agent, contest in matches[: 2 if direct.against == self.contest.against else 3]:
            simulation, played = contest.play(run, agent, games, seed)
            for _ in played:
                pass
            won, scored = share(simulation), points(simulation)
            rows.append(
                {
                    "agent": agent, "against": contest.against, "games": simulation.games,
                    "win_rate": won.value, "wilson": [won.low, won.high],
                    "mean_score": scored.value, "score_interval": [scored.low, scored.high],
                }
            )  # fmt: skip
        return rows

    def plots(self) -> dict[str, str]:
        """Pictures by file name: all trials in order, and for each parameter what its values reached."""
        tried = self.tried()
        factor, unit = (100, "games won, %") if self.measure is share else (1, "mean score")

        def scaled(figure: Figure) -> Figure:
            return Figure(factor * figure.value, factor * figure.low, factor * figure.high)

        def flat(figure: Figure) -> Figure:
            return Figure(factor * figure.value, factor * figure.value, factor * figure.value)

        files = {}
        if tried:
            points_ = [(float(one.number + 1), flat(one.figure)) for one in tried]
            files["trials.svg"] = line_chart("Trials", "trial", unit, points_, (), STEPS[0], joined=False)
        for key, one in self.agent.ranges.items():
            whole = [trial for trial in tried if not trial.pruned]
            if one.words:
                rows = [
                    (word, scaled(max(found, key=lambda figure: figure.value)))
                    for word in one.words
                    if (found := [trial.figure for trial in whole if trial.values[key] == word])
                ]
                picture = row_chart(f"Best with each {key}", unit, rows) if rows else ""
            else:
                pairs = [(float(trial.values[key]), flat(trial.figure)) for trial in whole]
                picture = line_chart(f"Trials by {key}", key, unit, pairs, (), STEPS[0], joined=False) if pairs else ""
            if picture:
                files[f"{key}.svg"] = picture
        return files
