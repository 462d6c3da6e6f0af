"""Every example in the documentation is checked.

What stands after the three backquotes says how:

  fcdl              a whole file; it has no errors and no warnings
  fcdl-step         a whole file on the way to a game; it has no errors
  fcdl-broken       a whole file with errors; the next block, `text`, is what `fcdl check` prints for it
  fcdl-header       header lines; a chart is put behind them
  fcdl-lines        the lines of a chart; a header and variables are put before them
  fcdl-expressions  an expression in each line, and its type after `#`
  fcdl-debug        a debugging session: the command, what is printed, and after `>` what is typed
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, zip_longest
from pathlib import Path

import pytest

from fcdl.cli.debug import debug_new
from fcdl.drawing import draw
from fcdl.language.diagnostics import Severity, render_finding
from fcdl.language.load import load_text
from fcdl.language.resolve import vocabulary
from fcdl.ui.debug.plain import PlainDebugger

ROOT = Path(__file__).parents[2]
PICTURE = ROOT / "docs" / "images" / "agram.svg"
PAGES = ["README.md", "CONTRIBUTING.md", *sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob("docs/*.md"))]

HEADER = """
players 4
teams 0 2, 1 3
words left, right, across
table points: hearts 1, QS 13
order power: 2 3 4 5 6 7 8 9 queen king 10 ace
list bids: 18, 20, 22
zone won(player): face up
zone parcel(player): seen by owner
zone board: face up
each player has bid = 0
chart main
    start
    Shuffle
    Deal(5)
    leader = player(0)
    trumps = hearts
    led = spades
    n = 3
"""
TYPE_NAMES = {"number": "int", "yes or no": "bool"}


@dataclass(frozen=True)
class Example:
    """A code block of a page: its kind, its text, the line it starts at and, for broken ones, what is printed."""

    page: str
    line: int
    kind: str
    text: str
    printed: str = ""

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def examples_in(page: str) -> Iterator[Example]:
    blocks = list(re.finditer(r"^```(\S*)\n(.*?)^```$", (ROOT / page).read_text(), re.DOTALL | re.MULTILINE))
    for block, following in zip_longest(blocks, blocks[1:]):
        if block.group(1).startswith("fcdl"):
            line = block.string.count("\n", 0, block.start()) + 1
            yield Example(page, line, block.group(1), block.group(2), following.group(2) if following else "")


EXAMPLES = [example for page in PAGES for example in examples_in(page)]


def of_kind(*kinds: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("example", [item for item in EXAMPLES if item.kind in kinds], ids=str)


def serious(source: str, least: Severity = Severity.ERROR) -> list[str]:
    """The errors (and warnings, if asked for) that a source has, as a reader sees them."""
    wanted = {Severity.ERROR, least}
    findings = load_text(source).findings
    return [render_finding(item, "example", source) for item in findings if item.severity in wanted]


def test_every_block_is_of_a_known_kind() -> None:
    assert {item.kind for item in EXAMPLES} <= {
        *("fcdl", "fcdl-step", "fcdl-broken", "fcdl-header", "fcdl-lines", "fcdl-expressions", "fcdl-debug")
    }


@of_kind("fcdl")
def test_whole_file_checks_clean(example: Example) -> None:
    assert serious(example.text, Severity.WARNING) == []


@of_kind("fcdl-step")
def test_step_has_no_errors(example: Example) -> None:
    assert serious(example.text) == []


@of_kind("fcdl-broken")
def test_broken_file_gives_the_printed_findings(example: Example) -> None:
    filename = example.printed.split(":", 1)[0]
    printed = [
        render_finding(item, filename, example.text)
        for item in load_text(example.text).findings
        if item.severity is not Severity.NOTE
    ]
    assert "\n".join(printed) == example.printed.rstrip("\n")


@of_kind("fcdl-header")
def test_header_lines_are_accepted(example: Example) -> None:
    assert serious(example.text + "chart main\n    start\n    end\n") == []


@of_kind("fcdl-lines")
def test_lines_are_accepted(example: Example) -> None:
    assert serious(HEADER + example.text + "    end\n") == []


@of_kind("fcdl-debug")
def test_debugging_session_goes_as_shown(example: Example) -> None:
    first, *lines = example.text.splitlines()
    command = re.fullmatch(r"fcdl play (\w+) --debug --plain --seed (\d+)", first)
    assert command is not None
    typed = iter([line for line in lines if line.startswith("> ")])
    session: list[str] = []

    def read_line() -> str:
        session.extend(line := list(islice(typed, 1)))
        return f"{line[0][2:]}\n" if line else ""

    PlainDebugger(debug_new(command[1], None, None, (), command[2]), read_line, session.append).run()
    assert session == lines


@of_kind("fcdl-expressions")
def test_expressions_have_the_type_that_is_named(example: Example) -> None:
    for line in example.text.splitlines():
        expression, comment = (part.strip() for part in line.split("#"))
        kind = comment.split(":")[0]
        if kind == "cards":
            assert serious(f"{HEADER}    show({expression}, all)\n    end\n") == [], line
        else:
            source = f"{HEADER}    result = {expression}\n    end\n"
            assert serious(source) == [], line
            flowchart = load_text(source).flowchart
            assert flowchart is not None
            assert flowchart.variables["result"].type == TYPE_NAMES.get(kind, kind), line


def test_picture_is_what_fcdl_draws() -> None:
    """If the drawing has changed for the better, `python -m tests.docs.test_examples` renews the picture."""
    assert PICTURE.read_bytes() == drawn_tutorial()


def drawn_tutorial() -> bytes:
    (game,) = (item.text for item in EXAMPLES if item.page == "docs/tutorial.md" and item.kind == "fcdl")
    flowchart = load_text(game).flowchart
    assert flowchart is not None
    return draw(flowchart, "svg")


def test_reference_has_an_example_of_everything() -> None:
    code = " ".join(re.sub('"[^"]*"', "", item.text) for item in EXAMPLES if item.page == "docs/language.md")
    used = set(re.findall(r"Stack\.empty|\w+", code))
    simple, folded, tabled = vocabulary.SIMPLE_FUNCTIONS, vocabulary.FOLDED_FUNCTIONS, vocabulary.TABLED_FUNCTIONS
    functions = {*simple, *folded, *tabled, *vocabulary.SPECIAL_FUNCTIONS, *vocabulary.AGGREGATES}
    header_lines = {"game", "about", "players", "teams", "deck", "order", "table", "list", "words", "option", "zone",
                    "each", "secret", "define", "chart", "lowest"}  # fmt: skip
    node_lines = {"start", "end", "do", "private", "yes", "no"}
    assert functions | {*vocabulary.STATEMENTS, *vocabulary.CONSTANTS} | header_lines | node_lines <= used


if __name__ == "__main__":
    PICTURE.write_bytes(drawn_tutorial())
