"""Pictures of flowcharts: SVG, PNG, DOT and Mermaid."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast, get_args

from fcdl.errors import FcdlError
from fcdl.language.flowchart import Flowchart

if TYPE_CHECKING:
    from fcdl.drawing.page import Wanted
    from fcdl.drawing.paths import Branch

Form = Literal["svg", "png", "dot", "mmd"]
FORMS: tuple[str, ...] = get_args(Form)


def form_of(path: str | Path) -> Form:
    """What a file is to be, by its ending; raises FcdlError."""
    form = Path(path).suffix.lower().removeprefix(".")
    if form not in FORMS:
        raise FcdlError(f"cannot draw '{path}'; it must end in one of: .{', .'.join(FORMS)}")
    return cast("Form", form)


def draw(flowchart: Flowchart, form: Form, wanted: Wanted | None = None) -> bytes:
    """Draws all charts of a game in one picture; what else it shows, and its width, is for SVG and PNG."""
    match form:
        case "svg":
            from fcdl.drawing.page import make_page
            from fcdl.drawing.svg import write_svg

            return write_svg(make_page(flowchart, wanted))
        case "png":
            from fcdl.drawing.page import make_page
            from fcdl.drawing.png import write_png

            return write_png(make_page(flowchart, wanted))
        case "dot":
            from fcdl.drawing.dot import write_dot

            return write_dot(flowchart).encode()
        case "mmd":
            from fcdl.drawing.mermaid import write_mermaid

            return write_mermaid(flowchart).encode()
        case _:
            raise ValueError(f"cannot draw '{form}' (forms: {', '.join(FORMS)})")


def draw_paths(title: str, goal: Sequence[str], trees: Sequence[Branch], form: Literal["svg", "png"]) -> bytes:
    """Draws trees of paths, with what they are worth."""
    from fcdl.drawing.paths import path_page

    page = path_page(title, goal, trees)
    if form == "svg":
        from fcdl.drawing.svg import write_svg

        return write_svg(page)
    from fcdl.drawing.png import write_png

    return write_png(page)
