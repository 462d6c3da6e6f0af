"""Captions: broken where a reader would break them, and boxes large enough."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fcdl.drawing.captions import LINE_HEIGHT, MAX_CAPTION, fit, text_width, wrap
from fcdl.language.flowchart import NodeKind


@pytest.mark.parametrize(
    ("caption", "lines"),
    [
        ("i = 1", ["i = 1"]),
        ("playCard(turn, card(any, leadSuit))", ["playCard(turn,", "card(any, leadSuit))"]),
        ("suit(a) == hearts & rankValue(b) < 12", ["suit(a) == hearts", "& rankValue(b) < 12"]),
        ("score(winner) = score(winner) + 1", ["score(winner) =", "score(winner) + 1"]),
        ('publish("a long text, without end")', ['publish("a long text,', 'without end")']),
    ],
)
def test_lines_are_broken_at_commas_and_operators(caption: str, lines: list[str]) -> None:
    assert list(wrap(caption, 160)) == lines


@given(st.text(st.characters(codec="ascii", categories=("L", "N", "P", "S", "Zs")), max_size=200), st.integers(60, 300))
def test_no_line_is_wider_than_the_limit_and_no_character_is_lost(text: str, limit: int) -> None:
    lines = wrap(text, limit)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert all(text_width(line) <= limit + 4 for line in lines)


@given(st.text(max_size=300), st.sampled_from(NodeKind))
def test_caption_fits_into_its_box(text: str, kind: NodeKind) -> None:
    caption = fit(kind, text)
    for i, line in enumerate(caption.lines):
        across = text_width(line) / caption.width
        down = (
            max(abs(2 * i - len(caption.lines)), abs(2 * i + 2 - len(caption.lines)))
            * (LINE_HEIGHT - 3)
            / caption.height
        )
        assert across < 1
        assert down < 1
        if kind is NodeKind.CHOICE:
            assert across + down < 1.02


def test_huge_caption_is_cut() -> None:
    caption = fit(NodeKind.STATEMENT, "x + " * 250_000)
    assert sum(map(len, caption.lines)) <= MAX_CAPTION
    assert caption.lines[-1].endswith("…")
