"""Phrases that no card player would write stay out of what people read: messages, help and docs.

Not looked at: the page of results (`docs/results.md`), which speaks of the theses' authors.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted(page for page in (*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")) if page.name != "results.md")
MODULES = sorted((ROOT / "fcdl").rglob("*.py"))

FOREIGN = re.compile(
    r"(?:is|are) wanted here|stands? twice|\bgo(?:es)? on with\b|gone on with|\bis (?:not )?so\b(?! [a-z]+ that)"
    r"|\bfor information\b|made and told|told on stderr|points to be won|none of (?:two|three|four) others|turned round"
    r"|on every way|no way leads|each for himself|\b(?:he|him|himself|his)\b",
    re.IGNORECASE,
)


def texts(module: Path) -> Iterator[tuple[int, str]]:
    """The strings of a module, docstrings included, with their lines."""
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages_are_written_in_plain_english(page: Path) -> None:
    lines = page.read_text(encoding="utf-8").splitlines()
    assert [(number, found[0]) for number, line in enumerate(lines, 1) if (found := FOREIGN.search(line))] == []


def test_messages_and_docstrings_are_written_in_plain_english() -> None:
    assert [
        (str(module.relative_to(ROOT)), line, found[0])
        for module in MODULES
        for line, text in texts(module)
        if (found := FOREIGN.search(text))
    ] == []


@pytest.mark.parametrize(
    "text", ["a zone is wanted here", "each player has his tree", "“late” is so", "1 for information"]
)
def test_a_foreign_phrase_is_found(text: str) -> None:
    assert FOREIGN.search(text)
