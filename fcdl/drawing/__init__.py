"""Pictures of flowcharts: SVG, PNG, DOT and Mermaid."""

from __future__ import annotations

from typing import Literal, get_args

from fcdl.language.flowchart import Flowchart

Form = Literal["svg", "png", "dot", "mmd"]
FORMS: tuple[str, ...] = get_args(Form)


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
