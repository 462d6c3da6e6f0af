"""The words that cannot be names are those that the text form cannot read as names."""

from __future__ import annotations

import pytest

from fcdl.language import tree
from fcdl.language.diagnostics import Findings
from fcdl.language.forms.sketch import is_name
from fcdl.language.parser import parse_caption, parse_expression
from tests.language.strategies import KEYWORDS


@pytest.mark.parametrize("word", sorted(KEYWORDS))
def test_words_of_the_grammar(word: str) -> None:
    findings = Findings()
    in_expression = parse_expression(word, findings) == tree.Name(word)
    in_line = parse_caption(word, findings) == tree.Action(word)
    assert (is_name(word), is_name(word, begins_line=True)) == (in_expression, in_line)
