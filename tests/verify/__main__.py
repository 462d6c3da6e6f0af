"""`python -m tests.verify`: verifies the built-in games and writes the table of docs/verify.md."""

import argparse
import re
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from fcdl.language.load import builtin_names, load_flowchart
from fcdl.model.game import Game
from fcdl.verify.answers import OPEN, PROPERTIES, PROVED, answers

PAGE = Path(__file__).parents[2] / "docs" / "verify.md"
BEGIN, END = "<!-- table -->\n", "<!-- end of table -->\n"
SIGNS = {PROVED: "proved", OPEN: "?"}


def row(name: str, seconds: float) -> str:
    """A line of the table."""
    chart = load_flowchart(name)
    low, high = chart.players
    games = [Game.make(chart, name=name, players=number) for number in range(low, high + 1)]
    found = {answer.property: answer for answer in answers(games, seconds)}
    cells = []
    for key in PROPERTIES:
        answer = found.get(key)
        text = "" if answer is None else SIGNS.get(answer.verdict, "refuted")
        if answer is not None:
            said = answer.how.rpartition("; ")[2]
            small = re.match(r"holds for all decks up to \d+ cards and \d+ players", answer.how)
            if answer.verdict == PROVED and key in ("ends", "sum", "bounds") and re.search(r"\d", said):
                text = said.removeprefix("after ").removeprefix("a score is ")
            elif answer.verdict == OPEN and small:
                text = small[0]
        cells.append(text)
    return f"| {name} | {low if low == high else f'{low} to {high}'} | {' | '.join(cells)} |"


def main(arguments: list[str]) -> None:
    """Makes the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.verify")
    parser.add_argument("--seconds", type=float, default=12.0, help="processor time for each game")
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args(arguments)
    lines = []
    with ProcessPoolExecutor(given.jobs) as pool:
        for line in pool.map(row, builtin_names(), [given.seconds] * 1000):
            print(line, flush=True)
            lines.append(line)
    head = f"| game | players | {' | '.join(PROPERTIES)} |\n|{'---|' * (len(PROPERTIES) + 2)}\n"
    text = PAGE.read_text()
    before, _, rest = text.partition(BEGIN)
    PAGE.write_text(before + BEGIN + head + "\n".join(lines) + "\n" + END + rest.partition(END)[2])


if __name__ == "__main__":
    main(sys.argv[1:])
