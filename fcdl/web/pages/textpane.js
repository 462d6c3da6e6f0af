// The text of a chart: an ordinary text field over a copy of it in colours, with line numbers and findings.

import { h } from "./common.js";
import { completing } from "./palette.js";

const WORDS = /("(?:\\.|[^"\\])*"?)|(#[^\n]*)|\b(game|about|players|teams|deck|order|table|list|words|option|zone|each player has|secret|define|expect|chart|start|end|do|private)\b|(->|\b(?:yes|no)(?=\s*->))|^(\s*\w+:)(?!=)/gm;

export class TextPane {
  /** @param {HTMLElement} place @param {{typed: (text: string) => void, moved: (line: number) => void, names: () => any[]}} wants */
  constructor(place, wants) {
    this.area = h("textarea", { class: "code", spellcheck: false, wrap: "off", "aria-label": "The text of the chart", autocapitalize: "off", autocomplete: "off" });
    this.copy = h("pre", { class: "code", "aria-hidden": "true" });
    this.gutter = h("div", { class: "gutter", "aria-hidden": "true" });
    this.list = h("ul", { class: "completions", hidden: true, role: "listbox", "aria-label": "Words that fit" });
    /** @type {any[]} */
    this.findings = [];
    this.lit = 0;
    place.append(h("div", { class: "editor-text" }, this.gutter, h("div", { class: "code-place" }, this.copy, this.area)), this.list);
    const complete = completing(this.area, wants.names, this.list, () => { this.paint(); wants.typed(this.area.value); });
    this.area.addEventListener("input", () => { this.paint(); wants.typed(this.area.value); });
    this.area.addEventListener("scroll", () => this.follow());
    this.area.addEventListener("keydown", (event) => {
      if (complete(event)) return;
      if (event.key === "Tab" && !event.shiftKey && this.area.selectionStart === this.area.selectionEnd && wordLeft(this.area)) {
        event.preventDefault();
        this.area.setRangeText("    ", this.area.selectionStart, this.area.selectionEnd, "end");
        this.paint();
        wants.typed(this.area.value);
      }
    });
    document.addEventListener("selectionchange", () => {
      if (document.activeElement === this.area) wants.moved(this.line());
    });
  }

  /** The line of the cursor. @returns {number} */
  line() {
    return this.area.value.slice(0, this.area.selectionStart).split("\n").length;
  }

  /** Shows a text that came from elsewhere. @param {string} text */
  set(text) {
    if (this.area.value !== text) {
      const { scrollTop, selectionStart } = this.area;
      this.area.value = text;
      this.area.setSelectionRange(Math.min(selectionStart, text.length), Math.min(selectionStart, text.length));
      this.area.scrollTop = scrollTop;
    }
    this.paint();
  }

  /** @param {any[]} findings */
  setFindings(findings) {
    this.findings = findings;
    this.paint();
  }

  /** Lights a line and brings it into sight. @param {number} line @param {boolean} [scroll] */
  light(line, scroll = true) {
    this.lit = line;
    this.paint();
    if (scroll && line) {
      const height = parseFloat(getComputedStyle(this.area).lineHeight);
      const top = (line - 1) * height;
      if (top < this.area.scrollTop + 10 || top > this.area.scrollTop + this.area.clientHeight - 2 * height) this.area.scrollTop = top - this.area.clientHeight / 3;
      this.follow();
    }
  }

  /** Puts the cursor into a line. @param {number} line @param {number} column */
  goTo(line, column) {
    const start = this.area.value.split("\n").slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0) + column - 1;
    this.area.focus();
    this.area.setSelectionRange(start, start);
    this.light(line);
  }

  follow() {
    this.copy.style.transform = `translate(${-this.area.scrollLeft}px, ${-this.area.scrollTop}px)`;
    this.gutter.style.transform = `translateY(${-this.area.scrollTop}px)`;
  }

  paint() {
    const text = this.area.value;
    const parts = [];
    let last = 0;
    for (const match of text.matchAll(WORDS)) {
      const kind = match[1] ? "string" : match[2] ? "comment" : match[3] ? "word" : match[4] ? "to" : "label";
      parts.push(text.slice(last, match.index), h("span", { class: `t-${kind}` }, match[0]));
      last = (match.index ?? 0) + match[0].length;
    }
    parts.push(`${text.slice(last)}\n`);
    this.copy.replaceChildren(...parts);
    /** @type {Map<number, string>} */
    const bad = new Map();
    for (const one of this.findings) if (one.line && bad.get(one.line) !== "error") bad.set(one.line, one.severity);
    const lines = text.split("\n").length;
    this.gutter.replaceChildren(...Array.from({ length: lines }, (_, number) => h("div", { class: `${bad.get(number + 1) ?? ""}${this.lit === number + 1 ? " lit" : ""}` }, number + 1)));
    this.follow();
  }
}

/** Whether the cursor stands after nothing but blanks. @param {HTMLTextAreaElement} area */
function wordLeft(area) {
  return /(^|\n)\s*$/.test(area.value.slice(0, area.selectionStart));
}
