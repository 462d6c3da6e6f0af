// The "try it" pane: the draft under the debugger, which goes from box to box, forwards and back.

import { announce, h, sentence, visitor, Wire } from "./common.js";
import { shortName } from "./cards.js";
import { Felt } from "./felt.js";

export class TryIt {
  /** @param {HTMLElement} place @param {{text: () => string, light: (state: any) => void}} wants */
  constructor(place, wants) {
    this.wants = wants;
    /** @type {any} */
    this.state = null;
    /** @type {any[]} */
    this.waiting = [];
    /** @type {Wire | null} */
    this.wire = null;
    this.seat = /** @type {number | null} */ (null);
    this.seed = 1;
    this.computers = true;
    this.felt = h("div", { class: "felt mini" });
    this.said = h("p", { class: "said", role: "status" });
    this.body = h("div", { class: "try-body" });
    this.controls = h("div", { class: "row try-controls" });
    place.append(this.controls, this.said, h("div", { class: "play try-felt" }, this.felt), this.body);
    this.show();
  }

  get running() {
    return this.state !== null;
  }

  /** @param {any} message */
  send(message) {
    if (!this.wire) {
      this.wire = new Wire("/ws/try", () => ({ do: "hello", visitor: visitor() }), (answer) => this.heard(answer), (state) => {
        if (state === "off") this.state = null;
      });
      const start = this.wire.state;
      this.wire.state = (state) => {
        start(state);
        if (state === "on") for (const one of this.waiting.splice(0)) this.wire?.send(one);
      };
    }
    if (!this.wire.send(message)) this.waiting.push(message);
  }

  start() {
    this.send({ do: "start", text: this.wants.text(), seed: String(this.seed), seat: this.seat, computers: this.computers });
  }

  /** The text has changed: the game goes on where it stood, if that makes sense. @param {string} text */
  reload(text) {
    if (this.running) this.send({ do: "reload", text });
  }

  /** @param {string} what @param {any} [more] */
  act(what, more = {}) {
    if (!this.running && what !== "start") this.start();
    else this.send({ do: what, ...more });
  }

  /** @param {any} answer */
  heard(answer) {
    if (answer.do === "fatal" || answer.error) {
      if (answer.gone || answer.do === "fatal") this.state = null;
      this.said.textContent = sentence(answer.error ?? answer.text);
      if (answer.do === "fatal") this.wire = null;
      this.show();
      return;
    }
    this.state = answer;
    this.said.textContent = sentence(answer.said);
    if (answer.said) announce(answer.said);
    this.wants.light({ at: answer.line, calls: answer.calls, breakpoints: answer.breakpoints });
    this.show();
  }

  show() {
    const state = this.state;
    /** @param {string} what @param {string} text @param {string} says */
    const button = (what, text, says) => h("button", { title: says, "aria-label": says, disabled: !state && what !== "start", onclick: () => (what === "start" ? this.start() : this.act(what)) }, text);
    const seats = state ? [["", "all cards"], ...Array.from({ length: state.players }, (_, seat) => [String(seat), `as player ${seat} sees it`])] : [];
    this.controls.replaceChildren(
      button("start", state ? "⟲ Again" : "▶ Start", state ? "Again: from the beginning" : "Start from the beginning"), button("backDecision", "«", "Back to the decision before"), button("back", "‹", "One box back"), button("step", "›", "One box on"),
      button("over", "⤼", "Over a sub-chart"), button("out", "⤴", "Out of this sub-chart"), button("decision", "»", "On to the next decision"), button("go", "»|", "On to a breakpoint or the end"),
      state ? h("select", { "aria-label": "Whose view", onchange: (/** @type {any} */ event) => { this.seat = event.target.value === "" ? null : Number(event.target.value); this.act("look", { seat: this.seat }); } }, seats.map(([value, text]) => h("option", { value, selected: String(this.seat ?? "") === value }, text))) : "",
      state ? h("button", { class: "quiet", onclick: () => { this.seed += 1; this.start(); } }, "Other cards") : "");
    this.felt.parentElement?.toggleAttribute("hidden", !state);
    if (!state) {
      this.body.replaceChildren(h("p", { class: "small" }, "Plays the draft as it is now. The box where the game stands is lit in the chart; step on and back, click the left edge of a box to stop there, and change the rules while you are at it."));
      return;
    }
    const felt = new Felt(this.felt, { cards: state.cards, suits: [...new Set(Object.values(state.cards).map((/** @type {any} */ face) => face[1]))] });
    felt.show(state.view, Array.from({ length: state.players }, (_, seat) => ({ seat, name: `player ${seat}`, tag: "", you: false, away: false, turn: state.mover === seat })), this.seat ?? 0, true);
    const faces = state.cards;
    /** @param {[string, string]} move */
    const word = ([kind, what]) => (kind === "pass" ? "pass" : what.split(" ").map((code) => shortName(code, faces)).join(" "));
    this.body.replaceChildren(
      h("p", null, h("b", null, state.title)),
      ...(state.over ? [h("p", null, `Scores: ${state.over.scores.join(", ")}`)] : []),
      ...(state.legal.length ? [h("p", { class: "row" }, `player ${state.mover}: `, state.legal.slice(0, 60).map((/** @type {[string, string]} */ move) => h("button", { class: state.planned === move.join(" ").trim() ? "choice planned" : "choice", onclick: () => this.act("play", { move: move.join(" ").trim() }) }, word(move))))] : []),
      ...(state.parts.length ? [h("details", { open: true }, h("summary", null, "Values of this box"), h("dl", { class: "parts" }, state.parts.map((/** @type {string[]} */ [text, value]) => h("div", null, h("dt", null, h("code", null, text)), h("dd", null, value)))))] : []),
      h("details", { open: true }, h("summary", null, "Variables"), h("dl", { class: "parts" }, [...state.values, ...state.seatValues].map((/** @type {any} */ [name, cells]) => h("div", null, h("dt", null, name), h("dd", null, cells.map((/** @type {any} */ [text, changed]) => h("span", { class: changed ? "changed" : "" }, `${text} `))))))),
      h("details", null, h("summary", null, "What has happened"), h("ol", { class: "log" }, state.events.map((/** @type {string} */ one) => h("li", null, one)))));
  }
}
