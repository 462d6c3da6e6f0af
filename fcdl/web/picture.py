"""A chart's text as the editor shows it: boxes and arrows in their places, findings, declarations, words to complete.

A chart with errors is drawn, too, from its lines as far as they can be told apart.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from fcdl.drawing.layout import ChartLayout, lay_out
from fcdl.language import tree
from fcdl.language.diagnostics import Finding, Findings
from fcdl.language.edits import Box, Sheet
from fcdl.language.flowchart import Flowchart, Node, NodeKind
from fcdl.language.load import Checked, check_document
from fcdl.language.parser import parse_text
from fcdl.language.resolve.vocabulary import AGGREGATES, BUILT_IN_ZONES, CONSTANTS, SIGNATURES, STATEMENTS
from fcdl.language.text import format_expression, format_header, key_text

DECISIONS = tuple(
    name for name in STATEMENTS if name.startswith(("play", "pick", "choose", "take")) and name != "pickUp"
)
"""How captions begin that ask a player, for charts that have errors."""
MAX_BOXES = 1500
"""Charts with more boxes are not drawn while one types."""

_KINDS = {"start": NodeKind.START, "end": NodeKind.END}


def read(text: str) -> tuple[tree.Document, Checked]:
    """What a text says, and everything that is wrong with it."""
    findings = Findings()
    document = parse_text(text, findings)
    flowchart = check_document(document, findings)
    return document, Checked(flowchart, findings.sorted(), "chart", text)


def picture(text: str) -> dict[str, Any]:
    """All that the editor shows."""
    document, checked = read(text)
    sheet = Sheet(text)
    flowchart = checked.flowchart
    lines = (
        {node.span.line: node for node in flowchart.nodes.values() if node.span and node.box is None}
        if flowchart
        else {}
    )
    charts = [
        {
            "name": chart.name,
            "line": chart.row.line if chart.row is not None else None,
            **_chart(chart.boxes, lines),
        }
        for chart in sheet.charts
    ]
    title = next((header.title for header in document.header if isinstance(header, tree.Title)), "")
    return {
        "title": title,
        "good": flowchart is not None,
        "charts": charts,
        "findings": [finding_json(finding) for finding in checked.findings[:200]],
        "header": _headers(document, sheet),
        "names": _names(document, flowchart),
    }


def finding_json(finding: Finding) -> dict[str, Any]:
    """A finding with its place in the text."""
    span = finding.span
    return {
        "severity": str(finding.severity),
        "code": finding.code,
        "message": finding.message,
        "hint": finding.hint,
        "line": span.line if span else None,
        "column": span.column if span else None,
        "endLine": span.end_line if span else None,
        "endColumn": span.end_column if span else None,
    }


def _chart(boxes: list[Box], checked: dict[int, Node]) -> dict[str, Any]:
    if not boxes or len(boxes) > MAX_BOXES:
        return {"width": 0, "height": 0, "boxes": [], "arrows": [], "labels": [], "tooLarge": bool(boxes)}
    index = {id(box): number for number, box in enumerate(boxes)}
    nodes = tuple(_node(number, box, index) for number, box in enumerate(boxes))
    layout = _laid_out(nodes)
    return {
        "width": layout.width,
        "height": layout.height,
        "boxes": [
            {
                "line": box.row.line,
                "endLine": box.row.line + box.row.text.count("\n"),
                "kind": str(nodes[number].kind),
                "decision": _decides(box, checked.get(box.row.line)),
                "private": box.caption.startswith("private "),
                "caption": box.caption,
                "label": box.labels[0] if box.labels else None,
                "chart": box.caption[3:].strip() if box.caption.startswith("do ") else None,
                "rect": [placed.rect.x, placed.rect.y, placed.rect.width, placed.rect.height],
                "lines": placed.lines,
            }
            for number, (box, placed) in enumerate(zip(boxes, layout.boxes, strict=True))
        ],
        "arrows": [
            {
                "from": boxes[line.source].row.line,
                "to": boxes[line.target].row.line,
                "kind": line.arrow,
                "points": line.points,
            }
            for line in layout.lines
        ],
        "open": [{"line": box.row.line, "kind": kind} for box in boxes for kind, to in box.leads.items() if to is None],
        "labels": [
            {"line": boxes[label.node].row.line, "text": label.text, "x": label.rect.x, "y": label.rect.y}
            for label in layout.labels
        ],
    }


def _node(number: int, box: Box, index: dict[int, int]) -> Node:
    """A box for the layout, which knows boxes by their place in the chart."""
    leads = {kind: index[id(to)] for kind, to in box.leads.items() if to is not None}
    return Node(number, "", _kind(box), _shown(box), leads.get("next"), leads.get("yes"), leads.get("no"))


@lru_cache(maxsize=500)
def _laid_out(nodes: tuple[Node, ...]) -> ChartLayout:
    """Charts that did not change need not be laid out again."""
    return lay_out(nodes)


def _kind(box: Box) -> NodeKind:
    if box.caption in _KINDS:
        return _KINDS[box.caption]
    if box.kinds == ("yes", "no"):
        return NodeKind.CHOICE
    return NodeKind.CALL if box.caption.startswith("do ") else NodeKind.STATEMENT


def _shown(box: Box) -> str:
    caption = " ".join(box.caption.split())
    if box.kinds == ("yes", "no"):
        return caption.removesuffix("?").removeprefix("private ").strip() or "?"
    return caption.removeprefix("do ")


def _decides(box: Box, node: Node | None) -> bool:
    if node is not None:
        return node.is_decision
    return box.caption.partition("(")[0].removeprefix("together ").strip() in DECISIONS


def _headers(document: tree.Document, sheet: Sheet) -> list[dict[str, Any]]:
    """The header as forms show it; lines that cannot be read are there, too, as they are written."""
    read = {header.span.line: header for header in document.header}
    return [
        _header(read[row.line]) if row.line in read else {"line": row.line, "written": row.text, "kind": "broken"}
        for row in sheet.rows
        if row.kind == "header"
    ]


def _header(header: tree.Header) -> dict[str, Any]:
    """A declaration as a form shows it: its parts by name, and the line as it would be written."""
    parts: dict[str, Any] = {}
    match header:
        case tree.Title(title):
            parts = {"kind": "game", "title": title}
        case tree.Players(low, high):
            parts = {"kind": "players", "low": low, "high": high}
        case tree.Wins(lowest):
            parts = {"kind": "wins", "lowest": lowest}
        case tree.About(text):
            parts = {"text": text}
        case tree.Genre(texts):
            parts = {"texts": texts}
        case tree.Teams(teams):
            parts = {"teams": [" ".join(map(str, team)) for team in teams]}
        case tree.Goal(wishes):
            parts = {"rows": [["more" if more else "fewer", format_expression(of)] for more, of in wishes]}
        case tree.Deck(ranks, suits, copies, only):
            parts = {"ranks": ranks, "suits": suits, "copies": copies}
            if only is not None and only.condition is not None:
                parts |= {"variable": only.variable, "only": format_expression(only.condition)}
        case tree.Order(name, ranks):
            parts = {"name": name, "ranks": ranks}
        case tree.Table(name, entries, otherwise):
            parts = {"name": name, "rows": entries, "otherwise": otherwise}
        case tree.List(name, values):
            parts = {"name": name, "values": values}
        case tree.Words(words):
            parts = {"words": words}
        case tree.Zone(name, keys, visibility):
            parts = {"name": name, "keys": [key_text(key) for key in keys], "visibility": visibility}
        case tree.Variables(keys, variables):
            parts = {
                "kind": "each",
                "keys": [key_text(key) for key in keys],
                "rows": [[name, "" if value is None else format_expression(value)] for name, value in variables],
            }
        case tree.Secret(names):
            parts = {"names": names}
        case tree.Define(name, parameters, value):
            parts = {"name": name, "parameters": parameters, "value": format_expression(value)}
        case tree.Say(role, name, answer, text, meaning, condition):
            about = ".".join(filter(None, (name, answer)))
            parts = {"about": f"{role} {about}".strip(), "text": text.value, "meaning": meaning}
            parts["condition"] = "" if condition is None else format_expression(condition)
        case tree.Sort(keys):
            parts = {"rows": [[format_expression(key)] for key in keys]}
        case tree.Option(name, default, low, high, words, text):
            usual = ("yes" if default else "no") if isinstance(default, bool) else default
            parts = {"name": name, "default": usual, "low": low, "high": high, "words": words, "text": text}
    return {"line": header.span.line, "written": format_header(header), "kind": type(header).__name__.lower(), **parts}


def _keyed(name: str, keys: tuple[tree.Key, ...]) -> str:
    """A zone or variable as it is written: `won(player)`, `row(suit)`."""
    return f"{name}({', '.join(key.kind for key in keys)})" if keys else name


def _names(document: tree.Document, flowchart: Flowchart | None) -> list[dict[str, str]]:
    """Words that captions may use, with what they are."""
    found: dict[str, dict[str, str]] = {}

    types: dict[str, str] = (
        {name: str(variable.type) for name, variable in flowchart.variables.items()} if flowchart is not None else {}
    )

    def add(name: str, kind: str, written: str = "") -> None:
        found.setdefault(name, {"name": name, "kind": kind, "written": written or name, "type": types.get(name, "")})

    for header in document.header:
        match header:
            case tree.Zone(name=name, keys=keys):
                add(name, "place", _keyed(name, keys))
            case tree.Option(name=name):
                add(name, "option")
            case tree.Define(name=name, parameters=parameters):
                add(name, "definition", f"{name}({', '.join(parameters)})" if parameters else name)
            case tree.Table(name=name) | tree.Order(name=name):
                add(name, "table", f"{name}(card)")
            case tree.List(name=name):
                add(name, "list", f"{name}(number)")
            case tree.Words(words=words):
                for word in words:
                    add(word, "word")
            case tree.Variables(keys=keys, variables=variables):
                for name, _ in variables:
                    add(name, "variable", _keyed(name, keys))
    for chart in document.charts:
        for node in chart.nodes:
            if isinstance(node.body, tree.Assign) and isinstance(node.body.target, tree.Name):
                add(node.body.target.name, "variable")
    if flowchart is not None:
        bodies = (node.body for chart in document.charts for node in chart.nodes)
        passing = {body.variable for body in bodies if isinstance(body, tree.ForSeats)}
        for variable in flowchart.variables.values():
            if variable.name in passing and variable.name not in found:
                continue  # a name inside one box only
            add(variable.name, "variable", f"{variable.name}(player)" if variable.per_player else variable.name)
        for name in (*flowchart.deck.suits, *(rank for rank in flowchart.deck.ranks if not rank.isdigit())):
            add(name, "card word")
    for name in ("score", "passed"):
        add(name, "variable of a player", f"{name}(player)")
    for name, (per_player, _) in BUILT_IN_ZONES.items():
        add(name, "place", f"{name}(player)" if per_player else name)
    for chart in document.charts[1:]:
        add(f"do {chart.name}", "chart")
    for name in STATEMENTS:
        add(name, "statement", SIGNATURES.get(name, name).partition(" or ")[0])
    for name, signature in SIGNATURES.items():
        add(name, "function", signature)
    for name, row in AGGREGATES.items():
        add(name, "function", row.written)
    for name in CONSTANTS:
        add(name, "value")
    return list(found.values())
