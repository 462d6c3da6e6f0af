"""Which form a text is in."""

from __future__ import annotations

import pytest

from fcdl.language.forms import recognise

TEXTS = [
    ("", "fcdl"),
    ('game "X"\nchart main\n start\n end', "fcdl"),
    ("start\nlabel: Shuffle", "fcdl"),
    ("# state(0, x).\nstart", "fcdl"),
    ("Shuffle", "fcdl"),
    ('publish("a.")', "fcdl"),
    ('terminal(0,0,0,"StartGame").', "facts"),
    ('  % a drawing\n\n statement(0,0,0,"x").', "facts"),
    ('header("players 3").\nterminal(0,0,0,"StartGame").', "facts"),
    ('header("players 3").\nstate(0, endTerminal).', "states"),
    ("state (0, startTerminal(1)).", "states"),
    ("\ufeffstate(0, startTerminal(1)).", "states"),
    ("foo(1).", "facts"),
    ("foo(1) :- bar(2).", "facts"),
    (' {"format": 1}', "json"),
    ("[1]", "json"),
    ("\0\1", "fcdl"),
]


@pytest.mark.parametrize(("text", "form"), TEXTS)
def test_form_is_recognised(text: str, form: str) -> None:
    assert recognise(text) == form
