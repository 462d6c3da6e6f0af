"""Edits of a chart's text as a drawing makes them: a box is put on an arrow, an arrow is led elsewhere, a box goes.

The text stays the author's: comments, blank lines, the order of lines and the wording of captions are kept, and only
lines whose arrows must change are written again. A box is named by the number of its line. How an edit is made:

    Sheet.read(text)   cuts the text into rows, and says where every arrow leads
    sheet.insert(...)  changes rows and where arrows lead
    sheet.text()       writes arrows and labels so that they say just that

Captions are not understood, so that a chart with errors can be edited, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from fcdl.errors import FcdlError
from fcdl.language.parser import logical_lines, without_comment
from fcdl.language.syntax import HEADER_WORDS
from fcdl.language.text import ARROW_COLUMN, INDENT, LINE_WORDS

_FIRST_WORD = re.compile(r"\s*([a-z]+)\b(?!\s*[:=(.])")
_LABEL = re.compile(r"\s*(\w+)\s*:(?!=)", re.ASCII)
_ARROW = re.compile(r"\s*(?:\b(yes|no)\s*)?->\s*(\w+)\s*$", re.ASCII)
_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)


class EditError(FcdlError):
    """An edit that cannot be made; says why."""


@dataclass(eq=False, slots=True)
class Row:
    """One logical line: a header or chart line, a label, a box, or nothing but blanks and comments."""

    line: int
    """Its first line in the text, from 1; 0 for a new one."""
    text: str
    kind: str
    """`header`, `chart`, `label`, `box`, `rest`."""


@dataclass(eq=False, slots=True)
class Box:
    """A box: its row, its parts as they are written, and where its arrows are to lead."""

    row: Row
    before: str
    """Indentation and a label on the same line."""
    caption: str
    comment: str
    labels: list[str]
    label_rows: list[Row]
    written: list[tuple[str, str]]
    """The arrows of the text, with their labels."""
    leads: dict[str, Box | None] = field(default_factory=dict)
    """Where each arrow is to lead."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """The arrows that such a box has."""
        if self.caption.rstrip().endswith("?"):
            return ("yes", "no")
        return () if self.caption.strip() == "end" else ("next",)


@dataclass(eq=False, slots=True)
class SheetChart:
    """A chart: the row of its name, if it has one, and its boxes in order."""

    name: str
    row: Row | None
    boxes: list[Box] = field(default_factory=list)

    def labels(self) -> dict[str, Box]:
        """Where labels stand; of two that are the same the first counts."""
        return {label: box for box in reversed(self.boxes) for label in box.labels}

    def following(self, box: Box) -> Box | None:
        """The box of the next line."""
        at = self.boxes.index(box) + 1
        return self.boxes[at] if at < len(self.boxes) else None


class Sheet:
    """A text that is being edited."""

    def __init__(self, source: str) -> None:
        self.rows: list[Row] = []
        self.charts: list[SheetChart] = []
        self._read(source)
        self._used = {id(chart): _used_labels(chart) for chart in self.charts}
        self._broken = {
            id(box): kinds
            for chart in self.charts
            for box in chart.boxes
            if (kinds := [kind for kind, label in box.written if label not in chart.labels()])
        }
        """Arrows to labels that do not exist stay as they are."""

    # --- reading

    def _read(self, source: str) -> None:
        pending: list[Row] = []
        pending_labels: list[str] = []
        for logical in logical_lines(source):
            row = Row(logical.number, logical.text, "rest")
            self.rows.append(row)
            code = without_comment(logical.text) if "\n" not in logical.text else logical.text
            if not "".join(without_comment(line) for line in logical.text.split("\n")).strip():
                continue
            first = _FIRST_WORD.match(code)
            if first and first.group(1) in HEADER_WORDS:
                row.kind = "chart" if first.group(1) == "chart" else "header"
                if row.kind == "chart":
                    name = _NAME.search(code, first.end())
                    self.charts.append(SheetChart(name.group() if name else "", row))
                    pending, pending_labels = [], []
                continue
            if not self.charts:
                self.charts.append(SheetChart("main", None))
            box = _box(row)
            if not box.caption:
                row.kind = "label"
                pending.append(row)
                pending_labels += box.labels
                continue
            row.kind = "box"
            box.label_rows, box.labels = pending, [*pending_labels, *box.labels]
            pending, pending_labels = [], []
            self.charts[-1].boxes.append(box)
        for chart in self.charts:
            labels = chart.labels()
            for box in chart.boxes:
                box.leads = _meaning(box, labels, chart.following(box))

    def find(self, line: int) -> tuple[SheetChart, Box]:
        """The box of a line; raises EditError."""
        for chart in self.charts:
            for box in chart.boxes:
                if box.row.line == line:
                    return chart, box
        raise EditError(f"there is no box in line {line}")

    def chart(self, name: str) -> SheetChart:
        """The chart of this name; raises EditError."""
        found = next((chart for chart in self.charts if chart.name == name), None)
        if found is None:
            raise EditError(f"there is no chart '{name}'")
        return found

    # --- edits

    def insert(self, line: int, arrow: str, caption: str) -> Row:
        """Puts a box on an arrow; a diamond's arrows both go on. Returns its row, which has a line after `text`."""
        chart, box = self.find(line)
        if arrow not in box.kinds:
            raise EditError("there is no such arrow")
        caption = _clean(caption)
        target = box.leads.get(arrow)
        row = Row(0, INDENT + caption, "box")
        new = _box(row)
        if not new.kinds or caption == "start":
            raise EditError("a chart has one start and one end")
        new.leads = dict.fromkeys(new.kinds, target)
        box.leads[arrow] = new
        self._place(chart, box, new, target)
        if caption.startswith("do ") and _NAME.fullmatch(caption[3:].strip()):
            name = caption[3:].strip()
            if all(other.name != name for other in self.charts):
                self.add_chart(name)
        return row

    def _place(self, chart: SheetChart, box: Box, new: Box, target: Box | None) -> None:
        """Finds the place of a new box in the text: where most arrows need not be written."""
        others = [other for kind, other in box.leads.items() if other is not new]
        following = chart.following(box)
        if following is None or following is target or following not in others:
            self._put_after(chart, box, new)
            return
        at = chart.boxes.index(target) if target is not None else 0
        if target is not None and at > 0 and target not in chart.boxes[at - 1].leads.values():
            chart.boxes.insert(at, new)
            place = self.rows.index((target.label_rows or [target.row])[0])
            while place > 0 and self.rows[place - 1].kind == "rest" and self.rows[place - 1].text.strip():
                place -= 1
            self.rows.insert(place, new.row)
            return
        self._put_after(chart, chart.boxes[-1], new)

    def _put_after(self, chart: SheetChart, box: Box, new: Box) -> None:
        chart.boxes.insert(chart.boxes.index(box) + 1, new)
        self.rows.insert(self.rows.index(box.row) + 1, new.row)

    def set_caption(self, line: int, caption: str) -> None:
        """Another caption; a box that becomes a diamond, or is one no more, keeps its way on."""
        _, box = self.find(line)
        old, kinds = box.leads, box.kinds
        caption = _clean(caption)
        if (caption in ("start", "end")) or box.caption.strip() in ("start", "end"):
            raise EditError("a chart has one start and one end")
        box.caption = caption
        if caption.startswith("do ") and _NAME.fullmatch(caption[3:].strip()):
            name = caption[3:].strip()
            if all(other.name != name for other in self.charts):
                self.add_chart(name)
        if box.kinds != kinds:
            on = next(iter(old.values()), None)
            box.leads = dict.fromkeys(box.kinds, on)
            box.written = []
        self._rewrite(box, box.written)

    def connect(self, line: int, arrow: str, to: int) -> None:
        """Leads an arrow to another box of the same chart."""
        chart, box = self.find(line)
        other_chart, target = self.find(to)
        if arrow not in box.kinds or chart is not other_chart:
            raise EditError("an arrow stays in its chart")
        if target.caption.strip() == "start":
            raise EditError("no arrow leads to the start")
        box.leads[arrow] = target

    def swap(self, line: int) -> None:
        """Lets a diamond's yes and no change places."""
        _, box = self.find(line)
        if box.kinds != ("yes", "no"):
            raise EditError("only a diamond has yes and no")
        box.leads = {"yes": box.leads["no"], "no": box.leads["yes"]}

    def delete(self, line: int) -> None:
        """Takes a box away; arrows that led to it go on to where its own did."""
        chart, box = self.find(line)
        if box.caption.strip() in ("start", "end"):
            raise EditError("a chart needs its start and its end")
        on = next((to for to in box.leads.values() if to is not box), None) or chart.following(box)
        for other in chart.boxes:
            other.leads = {kind: on if to is box else to for kind, to in other.leads.items()}
        chart.boxes.remove(box)
        for row in (*box.label_rows, box.row):
            self.rows.remove(row)

    def add_chart(self, name: str) -> None:
        """A new chart at the end: a start and an end."""
        if not _NAME.fullmatch(name) or any(chart.name == name for chart in self.charts):
            raise EditError(f"'{name}' cannot be the name of a new chart")
        while self.rows and not self.rows[-1].text.strip():
            self.rows.pop()
        self.rows += [Row(0, text, "rest") for text in ("", f"chart {name}", f"{INDENT}start", f"{INDENT}end", "")]

    def rename_chart(self, name: str, to: str) -> None:
        """Another name for a chart, and for the boxes that stand for it."""
        if not _NAME.fullmatch(to) or any(chart.name == to for chart in self.charts):
            raise EditError(f"'{to}' cannot be the name of a chart")
        chart = self.chart(name)
        if chart.row is None:
            raise EditError("this chart has no line with its name")
        chart.row.text = re.sub(rf"\b{name}\b", to, chart.row.text, count=1)
        for other in self.charts:
            for box in other.boxes:
                if box.caption.split() == ["do", name]:
                    box.caption = f"do {to}"
                    self._rewrite(box, box.written)

    def delete_chart(self, name: str) -> None:
        """Takes away a chart that no box stands for."""
        chart = self.chart(name)
        if chart is self.charts[0]:
            raise EditError("the first chart is the game")
        if any(box.caption.split() == ["do", name] for other in self.charts for box in other.boxes):
            raise EditError(f"a box still says 'do {name}'")
        assert chart.row is not None
        first = self.rows.index(chart.row)
        last = next((at for at in range(first + 1, len(self.rows)) if self.rows[at].kind == "chart"), len(self.rows))
        del self.rows[first:last]
        self.charts.remove(chart)

    def set_header(self, line: int | None, text: str) -> Row | None:
        """Writes a header line anew, adds one (no line; its row is returned), or takes one away (no text)."""
        text = _clean(text) if text.strip() else ""
        if text and not ((first := _FIRST_WORD.match(text)) and first.group(1) in HEADER_WORDS):
            raise EditError(f"'{text[:40]}' is not a line of the header")
        if text.startswith("chart"):
            raise EditError("a chart is not a line of the header")
        if line is None:
            return self._add_header(text)
        row = next((row for row in self.rows if row.line == line and row.kind == "header"), None)
        if row is None:
            raise EditError(f"there is no header line {line}")
        if text:
            comment = row.text[len(without_comment(row.text)) :] if "\n" not in row.text else ""
            row.text = text + (f"  {comment}" if comment else "")
        else:
            self.rows.remove(row)
        return None

    def _add_header(self, text: str) -> Row:
        """Puts a header line where such lines stand: after the last one of its kind or of one that comes before."""
        order = HEADER_WORDS.index(text.split()[0])
        place = None
        for at, row in enumerate(self.rows):
            if row.kind == "header" and HEADER_WORDS.index(row.text.split()[0]) <= order:
                place = at + 1
        if place is None:
            place = next((at for at, row in enumerate(self.rows) if row.kind == "header"), None)
        if place is None:
            place = next((at for at, row in enumerate(self.rows) if row.kind != "rest"), len(self.rows))
            self.rows.insert(place, Row(0, "", "rest"))
        new = Row(0, text, "header")
        self.rows.insert(place, new)
        return new

    # --- writing

    def text(self) -> str:
        """The text that says it all; rows have their new lines then."""
        for chart in self.charts:
            self._write_arrows(chart)
        number = 1
        for row in self.rows:
            row.line = number
            number += row.text.count("\n") + 1
        return "\n".join(row.text for row in self.rows)

    def _write_arrows(self, chart: SheetChart) -> None:
        changed = []
        for box in chart.boxes:
            following = chart.following(box)
            if _meaning(box, chart.labels(), following) != box.leads:
                changed.append((box, following))
        for box, following in changed:
            arrows = [(kind, box.leads.get(kind)) for kind in box.kinds]
            lost = self._broken.get(id(box), [])
            kept = [(kind, label) for kind, label in box.written if kind in lost and box.leads.get(kind) is None]
            skip = next((kind for kind, to in arrows if to is following), None)
            self._rewrite(
                box,
                [
                    *((kind, self._label(chart, to)) for kind, to in arrows if to is not None and kind != skip),
                    *kept,
                ],
            )
        self._drop_labels(chart)

    def _label(self, chart: SheetChart, box: Box) -> str:
        """The label of a box, which gets one if it has none."""
        if not box.labels:
            name = _label_for(box, set(chart.labels()))
            row = Row(0, f"{name}:", "label")
            self.rows.insert(self.rows.index(box.row), row)
            box.label_rows.append(row)
            box.labels.append(name)
        return box.labels[0]

    def _drop_labels(self, chart: SheetChart) -> None:
        """Labels that arrows led to, and lead to no more, go."""
        gone = self._used.get(id(chart), set()) - _used_labels(chart)
        for box in chart.boxes:
            for row in list(box.label_rows):
                label = _LABEL.match(row.text)
                if label and label.group(1) in gone and row.text.strip() == f"{label.group(1)}:":
                    self.rows.remove(row)
                    box.label_rows.remove(row)
                    box.labels.remove(label.group(1))

    def _rewrite(self, box: Box, arrows: list[tuple[str, str]]) -> None:
        box.written = arrows
        words = " ".join(f"{'' if kind == 'next' else kind + ' '}-> {label}" for kind, label in arrows)
        code = f"{box.before}{box.caption}"
        *lines, last = code.split("\n")
        if words:
            last = f"{last.ljust(ARROW_COLUMN - 1)} {words}"
        box.row.text = "\n".join([*lines, last]) + (f"  {box.comment}" if box.comment else "")


def _box(row: Row) -> Box:
    """The parts of a box's line."""
    *lines, last = row.text.split("\n")
    code = without_comment(last)
    comment = last[len(code) :].strip()
    code = code.rstrip()
    written: list[tuple[str, str]] = []
    while match := _ARROW.search(code):
        before = code[: match.start()].rstrip()
        if match.group(1) and not before.endswith("?") and not _ARROW.search(before):
            written.insert(0, ("next", match.group(2)))  # `out(turn) = yes -> next`: the word belongs to the caption
            code = code[: match.end(1)]
        else:
            written.insert(0, (match.group(1) or "next", match.group(2)))
            code = before
    whole = "\n".join([*lines, code])
    label = _LABEL.match(whole)
    before = whole[: label.end()] if label else ""
    rest = whole[len(before) :]
    before += rest[: len(rest) - len(rest.lstrip())]
    labels = [label.group(1)] if label else []
    return Box(row, before, rest.strip(), comment, labels, [], written)


def _meaning(box: Box, labels: dict[str, Box], following: Box | None) -> dict[str, Box | None]:
    """Where the arrows of a box lead as it is written."""
    leads: dict[str, Box | None] = {kind: labels.get(label) for kind, label in reversed(box.written)}
    leads = {kind: to for kind, to in leads.items() if kind in box.kinds}
    still = [kind for kind in box.kinds if kind not in leads]
    if still:
        leads[still[0]] = following
    return {kind: leads.get(kind) for kind in box.kinds}


def _used_labels(chart: SheetChart) -> set[str]:
    return {label for box in chart.boxes for _, label in box.written}


def _label_for(box: Box, taken: set[str]) -> str:
    """A name for a place, from what happens there."""
    words = _NAME.findall(re.sub(r'"[^"]*"?', "", box.caption))
    if words and words[0] in LINE_WORDS:
        words = ["finish"] if words[0] == "end" else words[1:]
    name = words[0] if words else "here"
    name = name[0].lower() + name[1:24]
    if name in LINE_WORDS or name in ("yes", "no", "not", "those", "lowest", "highest"):
        name = f"{name}_"
    return next(label for label in _numbered(name) if label not in taken)


def _numbered(name: str) -> Iterator[str]:
    yield name
    number = 2
    while True:
        yield f"{name}{number}"
        number += 1


def _clean(text: str) -> str:
    """A caption or header line as it may stand in one line of the text."""
    text = " ".join(text.split())
    if not text or len(text) > 5000:
        raise EditError("a box says something" if not text else "this is too long")
    if without_comment(text) != text:
        raise EditError("'#' begins a comment; write comments in the text")
    if _ARROW.search(text):
        raise EditError("draw the arrow in the chart, or write it in the text")
    return text
