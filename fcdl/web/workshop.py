"""The process that works on charts for the editor: checks, edits, drawings, other forms, heuristics, tests."""

from __future__ import annotations

import base64
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from fcdl.drawing import FORMS as PICTURES
from fcdl.drawing import draw
from fcdl.language.diagnostics import ChartError, Findings
from fcdl.language.edits import EditError, Row, Sheet
from fcdl.language.flowchart import Flowchart
from fcdl.language.forms import FORMS, read_form, recognise, write_form
from fcdl.language.load import load_text
from fcdl.language.parser import parse_text
from fcdl.model.game import Game
from fcdl.web.child import AnswerError, serve
from fcdl.web.croupier import game_json
from fcdl.web.picture import picture

TEST_SECONDS = 18.0
RANDOM_GAMES = 200
STRONG_GAMES = 12
HEURISTIC_SECONDS = 15.0
MOST_PASTED = 60


def check(text: str) -> dict[str, Any]:
    """The picture of a text."""
    return picture(text)


def edit(text: str, edit: dict[str, Any]) -> dict[str, Any]:
    """The text after an edit, its picture, and the line of what is new."""
    sheet = Sheet(text)
    new = None
    try:
        match edit.get("do"):
            case "insert":
                sheet, new = _insert(sheet, int(edit["line"]), str(edit["arrow"]), edit)
            case "caption":
                sheet.set_caption(int(edit["line"]), str(edit["caption"]))
            case "connect":
                sheet.connect(int(edit["line"]), str(edit["arrow"]), int(edit["to"]))
            case "swap":
                sheet.swap(int(edit["line"]))
            case "delete":
                for line in sorted({int(line) for line in edit["lines"]}, reverse=True):
                    sheet.delete(line)
            case "chart":
                sheet.add_chart(str(edit["name"]))
            case "rename":
                sheet.rename_chart(str(edit["name"]), str(edit["to"]))
            case "deleteChart":
                sheet.delete_chart(str(edit["name"]))
            case "header":
                new = sheet.set_header(None if edit.get("line") is None else int(edit["line"]), str(edit["text"]))
            case _:
                raise EditError("this is not an edit")
    except (KeyError, TypeError, OverflowError) as error:
        raise EditError(f"this is not an edit ({error})") from None
    changed = sheet.text()
    return {"text": changed, "line": new.line if new is not None else None, "picture": picture(changed)}


def _insert(sheet: Sheet, line: int, arrow: str, edit: dict[str, Any]) -> tuple[Sheet, Row | None]:
    """Puts one box or several (`captions`) on an arrow, one after another; the sheet then, and the first row."""
    first = None
    captions = [str(caption) for caption in edit["captions"]] if "captions" in edit else [str(edit["caption"])]
    for caption in captions[:MOST_PASTED]:
        row = sheet.insert(line, arrow, caption)
        sheet = Sheet(sheet.text())
        line, arrow = row.line, "yes" if caption.rstrip().endswith("?") else "next"
        first = first or row
    return sheet, first


def draw_chart(text: str, form: str) -> dict[str, str]:
    """A drawing, in base64."""
    if form not in PICTURES:
        raise AnswerError(f"forms of pictures: {', '.join(PICTURES)}")
    return {"data": base64.b64encode(draw(_flowchart(text), form)).decode()}  # type: ignore[arg-type]


def convert(text: str, form: str) -> dict[str, str]:
    """The chart in another form."""
    if form not in FORMS:
        raise AnswerError(f"forms: {', '.join(FORMS)}")
    findings = Findings()
    document = parse_text(text, findings)
    if findings.has_errors:
        raise AnswerError("a chart with mistakes can only be kept as text", "chart")
    try:
        return {"text": write_form(document, form)}
    except ChartError as error:
        raise AnswerError(error.findings[0].message) from None


def import_text(text: str) -> dict[str, str]:
    """A chart in any form, as text; a text stays as it is, whatever is wrong with it."""
    form = recognise(text)
    if form == "fcdl":
        return {"text": text}
    findings = Findings()
    document = read_form(text, form, findings)
    if findings.has_errors:
        raise AnswerError(f"this cannot be read: {findings.sorted()[0].message}")
    try:
        return {"text": write_form(document, "fcdl")}
    except ChartError as error:
        raise AnswerError(f"this cannot be read: {error.findings[0].message}") from None


def fits(chart: str, name: str, players: int, options: dict[str, str]) -> None:
    """Whether a game can have these players and options; raises GameError."""
    Game.make(_flowchart(chart), name=name, players=players, options=options)


def _flowchart(text: str) -> Flowchart:
    checked = load_text(text, form="fcdl")
    if checked.flowchart is None:
        raise ChartError(checked.findings, checked.filename, checked.source)
    return checked.flowchart


# --- what is worth doing ---------------------------------------------------------------------------------------------


def heuristics(text: str) -> dict[str, Any]:
    """What is worth doing, in sentences, each with the lines of its path; or why there is nothing to say."""
    from fcdl.heuristics.derive import Heuristic, derive
    from fcdl.heuristics.measured import SMALL, measure
    from fcdl.heuristics.measured_words import effect_json
    from fcdl.heuristics.words import sentence
    from fcdl.language.loops import OutsideError

    flowchart = _flowchart(text)
    game = Game.make(flowchart, name="draft")

    def row(one: Heuristic) -> dict[str, Any]:
        path = path_of(flowchart, one.start, one.arrows)
        return {"sentence": sentence(derived, one), "weight": one.weight, **path}

    notes: list[str] = []
    rows: list[dict[str, Any]] = []
    try:
        derived = derive(game, work=None, seconds=HEURISTIC_SECONDS)
        notes += derived.notes
        rows = [row(one) for one in derived.heuristics[:60]]
    except OutsideError as error:
        notes.append(str(error))
    measured: list[dict[str, Any]] = []
    if not rows:
        from dataclasses import replace

        found = measure(game, "draft", replace(SMALL, seconds=HEURISTIC_SECONDS))
        if found.note:
            notes.append(found.note)
        for effect in found.effects[:20]:
            one = effect_json(found, effect)
            measured.append(
                {
                    "sentence": one["sentence"],
                    "weight": None,
                    "lines": [one["line"]],
                    "arrows": [],
                    "first": one["line"],
                }
            )
    return {"derived": rows, "measured": measured, "notes": notes}


def path_of(flowchart: Flowchart, start: int, arrows: Iterable[tuple[int, str]]) -> dict[str, Any]:
    """The lines and arrows of a path, as the drawing names them."""
    lines = {start: _line(flowchart, start)}
    drawn = set()
    for number, kind in arrows:
        lines[number] = _line(flowchart, number)
        drawn.add((lines[number], kind))
        for other, to in flowchart.nodes[number].arrows:
            if other == kind:
                lines[to] = _line(flowchart, to)
    return {"lines": sorted(set(lines.values())), "arrows": sorted(drawn), "first": lines[start]}


def _line(flowchart: Flowchart, node: int) -> int:
    span = flowchart.nodes[node].span
    return span.line if span is not None else 0


# --- is it any good --------------------------------------------------------------------------------------------------


def test(text: str) -> dict[str, Any]:
    """The report of `fcdl test`, with how long games were and how they ended, to be drawn."""
    from fcdl.arena.trial import Trial

    game = Game.make(_flowchart(text), name="draft")
    trial = Trial(game, "draft")
    for _ in trial.run(RANDOM_GAMES, STRONG_GAMES, TEST_SECONDS):
        pass
    result = trial.summary()
    for key, series in (("random", trial.random), ("strong", trial.strong)):
        result[key]["length_counts"] = _bars(series.length_counts)
        result[key]["score_counts"] = [_bars(counts) for counts in series.score_counts]
    return result


def _bars(counts: Counter[int], most: int = 24) -> list[list[int]]:
    """Numbers and how often they came, in at most so many groups: `[from, to, how often]`."""
    if not counts:
        return []
    low, high = min(counts), max(counts)
    width = max(1, -(-(high - low + 1) // most))
    bars = [[start, start + width - 1, 0] for start in range(low, high + 1, width)]
    for number, count in counts.items():
        bars[(number - low) // width][2] += count
    return bars


HANDLERS: dict[str, Callable[..., Any]] = {
    "check": check,
    "edit": edit,
    "draw": draw_chart,
    "convert": convert,
    "import": import_text,
    "fits": fits,
    "game": game_json,
    "heuristics": heuristics,
    "test": test,
}

if __name__ == "__main__":
    serve(HANDLERS)
