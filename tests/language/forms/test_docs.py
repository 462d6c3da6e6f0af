"""The examples of the pages about the forms are true."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from fcdl.language.forms import json_form, write_form
from tests.language.forms.reading import read

DOCS = Path(__file__).parents[3] / "docs"


def blocks(page: str, language: str) -> list[str]:
    """The examples of a page."""
    text = (DOCS / page).read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


@pytest.mark.parametrize(
    ("page", "language", "index", "form"),
    [
        ("json-form.md", "json", 0, "json"),
        ("fact-forms.md", "prolog", 0, "facts"),
        ("fact-forms.md", "prolog", 1, "states"),
    ],
)
def test_example_comes_back_as_it_stands(page: str, language: str, index: int, form: str) -> None:
    example = blocks(page, language)[index]
    assert write_form(read(example, form), form) == example


def test_both_fact_forms_show_the_same_chart() -> None:
    drawing, states = blocks("fact-forms.md", "prolog")
    assert read(drawing, "facts") == read(states, "states")


def test_schema_names_the_fields_that_are_read() -> None:
    schema: dict[str, Any] = json.loads(blocks("json-form.md", "json")[1])
    node = schema["$defs"]["node"]["properties"]
    assert tuple(schema["properties"]) == json_form.DOCUMENT_FIELDS
    assert tuple(node) == json_form.NODE_FIELDS
    assert tuple(node["arrows"]["properties"]) == json_form.ARROW_FIELDS
    assert node["kind"]["enum"] == list(json_form.KINDS)
