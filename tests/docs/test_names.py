"""The list of words that cannot be names, in the language reference, is the checker's."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fcdl.language.load import load_text
from fcdl.language.resolve.vocabulary import RESERVED
from fcdl.language.text import LINE_WORDS

PAGE = (Path(__file__).parents[2] / "docs" / "language.md").read_text(encoding="utf-8")


def listed(beginning: str) -> set[str]:
    """The words of an item of the list, after the sentences that introduce it."""
    item = re.search(rf"^- {beginning}.*?:(.*?)(?=^- |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert item is not None
    return set(re.findall(r"`(\w+)`", item.group(1)))


LINES = listed("Words that start a line")
VALUES = listed("Functions and values")


def is_accepted(*lines: str) -> bool:
    chart = "\n    ".join(("chart main\n    start", *lines, "end"))
    return load_text(chart + "\n").flowchart is not None


def test_every_reserved_word_is_listed() -> None:
    assert LINES >= LINE_WORDS
    assert RESERVED | {"rankValue"} <= LINES | VALUES


@pytest.mark.parametrize("word", sorted(LINES | VALUES))
def test_a_listed_word_cannot_be_a_name(word: str) -> None:
    assert not is_accepted(f"{word} = 1", f"score(player(0)) = {word}")
    assert is_accepted(f"{word}: x = 1", f"x == 2? yes -> {word}") == (word not in LINES)


def test_another_word_can_be_a_name() -> None:
    assert is_accepted("leader = 1", "score(player(0)) = leader")
