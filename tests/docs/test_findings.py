"""docs/findings.md lists every code that a finding can have."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCES = [path.read_text() for path in (ROOT / "fcdl" / "language").rglob("*.py")]
REPORTERS = re.compile(r"^_?(error|warning|note)$|^(LineError|_RefusedError|_BadFieldError|Finding)$")
CODE = re.compile(r"[a-z]+(-[a-z]+)*")


def codes_in(source: str) -> Iterator[str]:
    """Every literal code that a call reports."""
    for call in ast.walk(ast.parse(source)):
        if isinstance(call, ast.Call):
            name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
            texts = [item.value for item in call.args if isinstance(item, ast.Constant) and isinstance(item.value, str)]
            if REPORTERS.match(name):
                yield from (text for text in texts if CODE.fullmatch(text))


def documented() -> set[str]:
    rows = re.findall(r"^\| (`.*?) \|", (ROOT / "docs" / "findings.md").read_text(), re.MULTILINE)
    return {code for row in rows for code in re.findall(r"`([a-z-]+)`", row)}


def test_every_code_is_documented() -> None:
    assert {code for source in SOURCES for code in codes_in(source)} - documented() == set()


def test_every_documented_code_exists() -> None:
    text = "\n".join(SOURCES)
    gone = {code for code in documented() if f'"{code}"' not in text and not code.startswith("unused-")}
    assert gone == set()
