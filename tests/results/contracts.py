"""`python -m tests.results.contracts FILES`: who plays alone at Skat, what, and how often it is won, from records.

FILES are records (`fcdl simulate skat ... -o games.jsonl`), games of the International Skat Server (`.sgf`), or logs of
Debian's xskat playing itself (`xskat -auto 3000 -lang english -unfmt -log - > xskat.log`). One line for each player.
`--play AGENT --deals 1000` plays deals between three of a kind first.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from fcdl.agents import make_agent
from fcdl.arena.measures import wilson
from fcdl.arena.play import play
from fcdl.arena.replay import collected
from fcdl.engines.native.engine import NativeEngine
from fcdl.errors import FcdlError
from fcdl.language.load import load_flowchart
from fcdl.model.game import Game
from fcdl.model.record import Record, RecordError, replay, to_line
from tests.results.journal import Journal, manifest

KINDS = ("suit", "grand", "null", "null ouvert")
PUBLISHED = (
    "Published: 18 million tournament games of people at Skat-Online (skatblog.com, Skat in Zahlen 2): 4.9 % passed;\n"
    "  of the others 61 % suit (77.6 % won), 32 % grand (91.4 %), 6.4 % null (70.7 %; ouvert 86.9 %); 81.6 % won.\n"
    "  Rebstock's best bidder (MLV.85, thesis, tables 3.5 and 3.6): alone in 32.5 % of a player's games (suit 19.0,\n"
    "  grand 10.6, null 1.6, null ouvert 1.3), 1.9 % passed, 23.6 tournament points a game; Kermit 32.8 %, 22.4 points."
)


@dataclass(frozen=True, slots=True)
class Deal:
    """What a deal came to: who sat where, who played alone, what, and the value with its sign; nobody: all passed."""

    players: tuple[str, ...]
    declarer: int | None = None
    kind: str = ""
    by_hand: bool = False
    won: bool = False
    value: int | None = None

    def tournament_points(self, seat: int) -> int | None:
        """By Seeger and Fabian; None if the value is not known."""
        if self.declarer is None:
            return 0
        if self.value is None:
            return None
        if seat == self.declarer:
            return self.value + (50 if self.won else -50)
        return 0 if self.won else 40


@dataclass(slots=True)
class Row:
    """The deals of one player."""

    deals: int = 0
    passed: int = 0
    alone: Counter[str] = field(default_factory=Counter)
    won: Counter[str] = field(default_factory=Counter)
    by_hand: int = 0
    points: list[int] = field(default_factory=list)
    valued: bool = True
    """Whether the values of all deals are known."""

    def add(self, deal: Deal, seat: int) -> None:
        """One more, in this seat."""
        self.deals += 1
        self.passed += deal.declarer is None
        points = deal.tournament_points(seat)
        if points is None:
            self.valued = False
        else:
            self.points.append(points)
        if deal.declarer == seat:
            self.alone[deal.kind] += 1
            self.won[deal.kind] += deal.won
            self.by_hand += deal.by_hand

    def summary(self, name: str) -> dict[str, Any]:
        """Its figures."""
        alone = self.alone.total()
        enough = self.valued and len(self.points) > 1
        mean = statistics.fmean(self.points) if enough else None
        spread = 1.96 * statistics.stdev(self.points) / len(self.points) ** 0.5 if enough else None
        return {
            "player": name,
            "deals": self.deals,
            "alone": alone / self.deals,
            "passed": self.passed / self.deals,
            "by_hand": self.by_hand / max(1, alone),
            "kinds": {
                kind: {
                    "share": self.alone[kind] / self.deals,
                    "games": self.alone[kind],
                    "won": self.won[kind] / self.alone[kind] if self.alone[kind] else None,
                    "interval": wilson(self.won[kind], self.alone[kind]),
                }
                for kind in KINDS
            },
            "won": self.won.total() / alone if alone else None,
            "tournament_points": mean,
            "tournament_points_half": spread,
        }


def of_record(engine: NativeEngine, record: Record) -> Deal:
    """A record of one deal, played again; raises RecordError."""
    state = replay(engine, record)
    last: dict[str, str] = {}
    for event in engine.events(state):  # type: ignore[arg-type]
        if event.kind in ("assign", "choose") and event.name is not None and event.value is not None:
            last[event.name] = event.value
    players = record.agents or tuple("people and programs" for _ in range(3))
    if last.get("contract") is None:
        return Deal(players)
    ouvert = last["contract"] == "nullGame" and last["announced"] == "ouvert"
    kind = {"suitGame": "suit", "grand": "grand", "nullGame": "null ouvert" if ouvert else "null"}[last["contract"]]
    declarer = int(last["declarer"])
    value = int(last["value"]) if "value" in last else record.scores[declarer]
    return Deal(players, declarer, kind, last["skatUse"] == "handGame", value > 0, value)


def of_xskat(text: str) -> Iterator[Deal]:
    """The deals of a log of xskat playing itself, told in English."""
    for part in text.split("=" * 40)[:-1]:
        played = re.search(r"Computer(\d) played (\w+)", part)
        if played is None:
            yield Deal(("xskat",) * 3)
            continue
        word = played[2]
        ouvert = "ouvert" in part.partition(played[0])[2]
        kind = {"Grand": "grand", "Null": "null ouvert" if ouvert else "null"}.get(word, "suit")
        won = re.search(r"^Won", part, re.MULTILINE) is not None
        yield Deal(("xskat",) * 3, int(played[1]) - 1, kind, "Hand" in part.partition(played[0])[2], won)


def deals(paths: Sequence[Path], bad: list[str]) -> Iterator[Deal]:
    """The deals of all files; what cannot be read is put on the list."""
    engines: dict[tuple[tuple[str, str], ...], NativeEngine] = {}
    flowchart = load_flowchart("skat")
    for path in paths:
        if path.suffix == ".log":
            yield from of_xskat(path.read_text(encoding="latin-1"))
            continue
        for found in collected([path], Game.make(flowchart, name="skat")):
            try:
                if isinstance(found, RecordError):
                    raise found
                key = tuple(sorted(found.options.items()))
                if key not in engines:
                    engines[key] = NativeEngine(Game.make(flowchart, name="skat", options=found.options))
                yield of_record(engines[key], found)
            except RecordError as error:
                bad.append(str(error))


def rows(found: Iterator[Deal]) -> dict[str, Row]:
    """By player; `a:...` and `b:...` are two."""
    table: dict[str, Row] = defaultdict(Row)
    for deal in found:
        for seat, player in enumerate(deal.players):
            table[player].add(deal, seat)
    return table


def told(row: dict[str, Any]) -> str:
    """One player's figures in words."""
    alone, passed = (f"{100 * row[name]:.1f} %" for name in ("alone", "passed"))
    parts = [f"{row['player']}: {row['deals']} games, alone in {alone} ({passed} passed)"]
    for kind, of_kind in row["kinds"].items():
        if of_kind["games"]:
            low, high = of_kind["interval"]
            parts.append(
                f"  {kind:12} {100 * of_kind['share']:5.1f} %   won {100 * of_kind['won']:5.1f} %"
                f" ({100 * low:.1f} to {100 * high:.1f}, {of_kind['games']} games)"
            )
    if row["won"] is not None:
        parts.append(f"  won in all {100 * row['won']:.1f} %, {100 * row['by_hand']:.1f} % of them by hand")
    if row["tournament_points_half"] is not None:
        parts.append(f"  tournament points a game {row['tournament_points']:.1f} ± {row['tournament_points_half']:.1f}")
    return "\n".join(parts)


def play_deals(agent: str, number: int, seed: str, journal: Journal) -> None:
    """Plays deals between three of a kind, as many as are missing; their records are added to the journal."""
    game = Game.make(load_flowchart("skat"), name="skat", options={"scoring": "seegerFabian"})
    engine = NativeEngine(game)
    agents = [make_agent(agent, game) for _ in range(3)]
    while len(journal.values) < number:
        deal = f"{seed}/{len(journal.values)}"
        played = play(engine, agents, deal, deal, names=[agent] * 3)
        assert played.record is not None
        journal.add(json.loads(to_line(played.record, game.flowchart.deck)))
        if len(journal.values) % 50 == 0:
            print(f"{len(journal.values)} of {number} deals", file=sys.stderr, flush=True)


def main(arguments: Sequence[str] | None = None) -> None:
    """Reads (or plays) and prints."""
    parser = argparse.ArgumentParser(prog="python -m tests.results.contracts", description=__doc__)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--play", metavar="AGENT", help="play between three of this agent")
    parser.add_argument("--deals", type=int, default=1000, help="so many")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--resume", type=Path, help="a folder in which what was played is kept, and goes on")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(arguments)
    if not given.files and not given.play:
        parser.error("give files, or an agent with --play")
    started = datetime.now(UTC).isoformat(timespec="seconds")
    bad: list[str] = []
    files = list(given.files)
    with tempfile.TemporaryDirectory() as folder:
        if given.play:
            journal = Journal(given.resume or Path(folder), "games.jsonl")
            play_deals(given.play, given.deals, given.seed, journal)
            assert journal.path is not None
            files.append(journal.path)
        found = [row.summary(name) for name, row in rows(deals(files, bad)).items()]
    if given.json:
        print(json.dumps({"games": found[0]["deals"] // 3, "rows": found, "manifest": manifest(started)}, indent=1))
    else:
        print("\n".join(map(told, found)))
        print(PUBLISHED)
    if bad:
        print(f"{len(bad)} records could not be used; the first: {bad[0]}", file=sys.stderr)


if __name__ == "__main__":
    try:
        main()
    except FcdlError as error:
        sys.exit(str(error))
