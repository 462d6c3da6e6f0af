// The palette: choosing what to put into a chart and filling in its gaps; and completion of captions.

import { BRICKS, choicesFor, FOR, gapsOf, wordsOf, write } from "./bricks.js";
import { dialog, h, sentence } from "./common.js";

/** @typedef {import("./bricks.js").Brick} Brick */
/** @typedef {import("./bricks.js").Context} Context */
/** @typedef {(caption: string) => Promise<string>} Test what is wrong with a caption at its place */

/**
 * Lets the person choose what to put into the chart, and fill in its gaps.
 * @param {Context} context @param {{name: string, caption: string}[]} more what else there is, such as a box that was copied @param {Test} test @returns {Promise<string | null>} a caption
 */
export async function choosePart(context, more, test) {
  /** @type {Brick[]} */
  const bricks = [...more.map(({ name, caption }) => ({ group: "Copied", name, caption, says: "What you have copied." })), ...BRICKS,
    ...context.charts.slice(1).map((name) => ({ group: "Another chart", name, caption: `do ${name}`, says: `The chart ${name} once more.` }))];
  const search = h("input", { id: "palette-search", placeholder: "Search, or write the caption yourself", "aria-label": "Search, or write the caption yourself", autocomplete: "off" });
  const list = h("div", { class: "palette" });
  /** @type {Brick | null} */
  let chosen = null;
  /** @param {Brick} brick */
  const take = (brick) => {
    chosen = brick;
    list.closest("dialog")?.close("");
  };
  const show = () => {
    const wanted = search.value.trim().toLowerCase();
    const found = bricks.filter((one) => `${one.group} ${one.name} ${one.caption} ${one.says}`.toLowerCase().includes(wanted));
    const groups = [...new Set(found.map((one) => one.group))];
    list.replaceChildren(...groups.map((group) => h("section", null, h("h3", null, group), h("ul", null, found.filter((one) => one.group === group).map((one) =>
      h("li", null, h("button", { class: `brick ${kindOf(one.caption)}`, onclick: () => take(one) }, h("strong", null, one.name), h("span", { class: "small" }, one.says))))))),
      ...(wanted && !found.length ? [h("p", null, h("button", { class: "main", onclick: () => take({ group: "", name: "", caption: search.value.trim(), says: "" }) }, `Put “${search.value.trim()}” there`))] : []));
  };
  search.addEventListener("input", show);
  search.addEventListener("keydown", (event) => {
    const buttons = list.querySelectorAll("button");
    if (event.key === "Enter" && buttons.length) buttons[0].click();
    if (event.key === "ArrowDown") buttons[0]?.focus();
  });
  list.addEventListener("keydown", (event) => {
    const buttons = [...list.querySelectorAll("button")];
    const place = buttons.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
    if (event.key === "ArrowDown") buttons[Math.min(place + 1, buttons.length - 1)]?.focus();
    if (event.key === "ArrowUp") (place > 0 ? buttons[place - 1] : search).focus();
    if (event.key.startsWith("Arrow")) event.preventDefault();
  });
  show();
  const closed = dialog("What comes here?", [search, list], [["", "Cancel"]], "wide");
  search.focus();
  await closed;
  const brick = /** @type {Brick | null} */ (chosen);
  if (!brick) return null;
  return gapsOf(brick).length ? fillIn(brick, null, context, test) : brick.caption;
}

/**
 * Fills in the gaps of a sentence.
 * @param {Brick} brick @param {{[gap: string]: string} | null} given @param {Context} context @param {Test} test @returns {Promise<string | null>} the caption
 */
export async function fillIn(brick, given, context, test) {
  const gaps = gapsOf(brick);
  /** @type {{[gap: string]: string}} */
  const values = Object.fromEntries(gaps.map((gap) => [gap.name, given?.[gap.name] ?? firstOf(gap, context)]));
  const who = () => values[gaps.find((gap) => gap.kind === "seats" || gap.kind === "player")?.name ?? ""] ?? "";
  const place = h("div", { class: "sentence-form" }), says = h("p", { class: "caption-says small", role: "status" }), code = h("code", null);
  /** @type {any} */
  let trying = null;
  const changed = () => {
    code.textContent = write(brick, values);
    clearTimeout(trying);
    trying = setTimeout(async () => {
      const bad = await test(write(brick, values)).catch((error) => error.message);
      says.textContent = sentence(bad);
      says.classList.toggle("bad", Boolean(bad));
    }, 150);
  };
  /** @param {import("./bricks.js").Gap} gap @param {string} value */
  const set = (gap, value) => {
    const before = who();
    values[gap.name] = value;
    if (who() !== before) {  // what others may play depends on who they are
      for (const other of gaps.filter((one) => one.kind === "cards")) {
        const at = choicesFor("cards", context, before).findIndex(([one]) => one === values[other.name]);
        if (at >= 0) values[other.name] = choicesFor("cards", context, who())[at][0];
      }
      show(gap.name);
    }
    changed();
  };
  /** @param {import("./bricks.js").Gap} gap @returns {HTMLElement} */
  const field = (gap) => {
    const choices = choicesFor(gap.kind, context, who());
    const value = values[gap.name];
    const label = `${brick.name}: ${gap.name}`;
    if (choices.length && gap.kind !== "number") {
      const known = choices.some(([one]) => one === value) ? choices : [[value, value.replace(FOR, "")], ...choices];
      const select = h("select", { id: `gap-${gap.name}`, "aria-label": label, onchange: () => {
        if (select.value === OWN) select.replaceWith(free(gap, label, true));
        else set(gap, select.value);
      } }, known.map(([one, text]) => h("option", { value: one, selected: one === value }, text)), gap.kind === "sign" ? null : h("option", { value: OWN }, gap.kind === "chart" ? "a new chart…" : "something else…"));
      return select;
    }
    return free(gap, label, false);
  };
  /** @param {import("./bricks.js").Gap} gap @param {string} label @param {boolean} focus @returns {HTMLElement} */
  const free = (gap, label, focus) => {
    const value = values[gap.name].split(FOR)[0];
    const input = h("input", { id: `gap-${gap.name}`, value, "aria-label": label, size: gap.kind === "number" ? 5 : gap.kind === "text" ? 40 : Math.max(10, value.length), spellcheck: gap.kind === "text", autocomplete: "off" });
    const list = h("ul", { class: "completions", hidden: true, role: "listbox", "aria-label": "Words that fit" });
    const say = () => set(gap, gap.kind === "text" ? input.value.replaceAll('"', "'") : input.value.trim());
    if (gap.kind !== "text") {
      const complete = completing(input, () => context.names, list, say);
      input.addEventListener("keydown", (event) => { complete(event); });
    }
    input.addEventListener("input", say);
    if (focus) setTimeout(() => input.select(), 0);
    return h("span", { class: "formula" }, input, list);
  };
  /** @param {string} [focused] */
  const show = (focused) => {
    place.replaceChildren(...wordsOf(brick).map((part) => {
      const gap = gaps.find((one) => one.name === part.gap);
      return gap ? field(gap) : h("span", null, part.text);
    }));
    if (focused) document.getElementById(`gap-${focused}`)?.focus();
  };
  show();
  changed();
  place.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.defaultPrevented) place.closest("dialog")?.close("yes");
  });
  const closed = dialog(brick.name, [h("p", { class: "small" }, brick.says), place, says, h("p", { class: "small" }, "In the chart: ", code)], [["", "Cancel"], ["yes", given ? "Change it" : "Put it there"]], "wide");
  const first = /** @type {HTMLElement | null} */ (place.querySelector("input, select"));
  first?.focus();
  if (first instanceof HTMLInputElement) first.select();
  return (await closed) === "yes" ? write(brick, values) : null;
}

const OWN = "\u0000own";

/** What stands in a gap at first: what is usual there, if the chart has it. @param {import("./bricks.js").Gap} gap @param {Context} context */
function firstOf(gap, context) {
  const choices = choicesFor(gap.kind, context, "");
  if (["player", "playerName", "numberName"].includes(gap.kind) && choices.length && !choices.some(([one]) => one === gap.first)) return choices[0][0];
  return gap.first;
}

/** @param {string} caption */
function kindOf(caption) {
  if (caption.endsWith("?")) return "choice";
  if (caption.startsWith("do ")) return "call";
  return /^(together |playCard|pick\(|take|choose)/.test(caption) ? "decision" : "statement";
}

/** The word that is being written at a place in a text. @param {string} text @param {number} at @returns {string} */
export function wordAt(text, at) {
  return /[A-Za-z_][A-Za-z_0-9.]*$/.exec(text.slice(0, at))?.[0] ?? "";
}

/** Words that go on like that. @param {any[]} names @param {string} word @returns {any[]} */
export function completions(names, word) {
  if (word.length < 1) return [];
  const low = word.toLowerCase();
  const begins = names.filter((one) => one.name.toLowerCase().startsWith(low) && one.name !== word);
  const inside = names.filter((one) => !one.name.toLowerCase().startsWith(low) && one.name.toLowerCase().includes(low) && low.length > 2);
  return [...begins, ...inside].slice(0, 8);
}

/**
 * Completion for an input or a textarea: a list below it, chosen with the arrow keys and Tab or Enter.
 * @param {HTMLInputElement | HTMLTextAreaElement} field @param {() => any[]} names @param {HTMLElement} list @param {() => void} changed
 * @returns {(event: KeyboardEvent) => boolean} whether a key was used by the list
 */
export function completing(field, names, list, changed) {
  /** @type {any[]} */
  let found = [];
  let place = 0;
  const show = () => {
    const word = wordAt(field.value, field.selectionStart ?? 0);
    found = completions(names(), word);
    place = 0;
    draw();
  };
  const draw = () => {
    list.hidden = !found.length;
    list.replaceChildren(...found.map((one, number) => h("li", { role: "option", "aria-selected": String(number === place), class: number === place ? "on" : "", onpointerdown: (/** @type {Event} */ event) => { event.preventDefault(); place = number; take(); } }, h("code", null, one.written), h("span", { class: "small" }, one.kind))));
  };
  const take = () => {
    const one = found[place];
    if (!one) return;
    const at = field.selectionStart ?? 0;
    const word = wordAt(field.value, at);
    const name = one.name + (/\(/.test(one.written) && !field.value.slice(at).startsWith("(") ? "(" : "");
    field.setRangeText(name, at - word.length, at, "end");
    found = [];
    draw();
    changed();
  };
  field.addEventListener("input", show);
  field.addEventListener("blur", () => { found = []; draw(); });
  return (event) => {
    if (!found.length) return false;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      place = (place + (event.key === "ArrowDown" ? 1 : -1) + found.length) % found.length;
      draw();
    } else if (event.key === "Tab" || (event.key === "Enter" && place >= 0 && found[place].name.startsWith(wordAt(field.value, field.selectionStart ?? 0)) && event.ctrlKey)) take();
    else if (event.key === "Escape") {
      found = [];
      draw();
    } else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  };
}
