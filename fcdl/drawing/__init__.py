"""Pictures of flowcharts: SVG, PNG, DOT and Mermaid."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, cast, get_args

from fcdl.errors import FcdlError
from fcdl.language.flowchart import Flowchart

Form = Literal["svg", "png", "dot", "mmd"]
FORMS: tuple[str, ...] = get_args(Form)


def form_of(path: str | Path) -> Form:
    """What a file is to be, by its ending; raises FcdlError."""
    form = Path(path).suffix.lower().removeprefix(".")
    if form not in FORMS:
        raise FcdlError(f"cannot draw '{path}'; it must end in one of: .{', .'.join(FORMS)}")
    return cast("Form", form)


def draw(flowchart: Flowchart, form: Form) -> bytes:
    """Draws all charts of a game in one picture."""
    match form:
        case "svg":
            from fcdl.drawing.page import make_page
            from fcdl.drawing.svg import write_svg

            return write_svg(make_page(flowchart))
        case "png":
            from fcdl.drawing.page import make_page
            from fcdl.drawing.png import write_png

            return write_png(make_page(flowchart))
        case "dot":
            from fcdl.drawing.dot import write_dot

            return write_dot(flowchart).encode()
        case "mmd":
            from fcdl.drawing.mermaid import write_mermaid

            return write_mermaid(flowchart).encode()
        case _:
            raise ValueError(f"cannot draw '{form}' (forms: {', '.join(FORMS)})")
