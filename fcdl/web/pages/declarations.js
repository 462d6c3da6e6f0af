// What the game is made of, as forms: each changes one line of the header.

import { dialog, h, sentence } from "./common.js";
import { completing } from "./palette.js";

/** @typedef {(line: number | null, text: string) => Promise<number | null>} Change gives the line of what is new */
/** @typedef {{fields: (Node | string)[], write: () => string}} Form fields, and the line that they say */
/** @typedef {{header: any[], findings: any[], names: any[]}} Picture */

const DECKS = [
  ["standard", "52 cards", "deck standard"],
  ["36", "36 cards, from 6", "deck ranks 6 to 10 jack queen king ace suits clubs diamonds hearts spades"],
  ["32", "32 cards, from 7", "deck ranks 7 to 10 jack queen king ace suits clubs diamonds hearts spades"],
  ["24", "24 cards, from 9", "deck ranks 9 10 jack queen king ace suits clubs diamonds hearts spades"],
  ["two", "two packs of 52", "deck standard copies 2"],
];
const OWN_DECK = "deck ranks 1 to 10 suits red blue green";
const SEEN = [["all", "face up", "all see its cards"], ["nobody", "face down", "nobody sees its cards"], ["owner", "seen by owner", "its owner sees its cards"], ["others", "seen by others", "all but its owner see its cards"]];
const KEYS = [["", "one for all"], ["player", "one for each player"], ["team", "one for each team"], ["suit", "one for each suit"], ["rank", "one for each rank"]];

/** What can be added: kind, what it is called, a first line, what it is for. */
const KINDS = [
  ["zone", "A place for cards", "zone board: face up", "Where cards can lie, besides hand, pack, middle and stack."],
  ["option", "An option", "option handSize = 5 from 1 to 10 \"Cards dealt to each player.\"", "What players may change before a game: a number, yes or no, or one of several words."],
  ["each", "Something of each player", "each player has tricks = 0", "A number, a suit, a card … that every player has one of, as they have a score."],
  ["table", "What cards are worth", "table points: hearts 1, QS 13, else 0", "A number for each card, rank or suit. Boxes then ask points(card)."],
  ["order", "An order of ranks", "order power: 2 3 4 5 6 7 8 9 10 jack queen king ace", "Which rank beats which, the lowest first. Boxes then ask power(card)."],
  ["define", "A definition", "define isTrump(c) = suit(c) == trumps", "A name for something that boxes ask often."],
  ["list", "A row of numbers", "list bids: 18, 20, 22", "bids(0) is the first one."],
  ["words", "Words", "words left, right", "Names that are values, to choose from."],
  ["secret", "A secret", "secret bid", "A variable that only its owner sees."],
  ["teams", "Teams", "teams 0 2, 1 3", "Who wins and loses together. Seats are numbered from 0."],
  ["goal", "What players want", "goal more score(me)", "Only where it cannot be worked out from the rules."],
  ["say", "What something is called", "say score: \"points\"", "The word for a variable, a place, an answer; ask and tell are for questions and messages."],
  ["sort", "How a hand is held", "sort hand by suit(card), rankValue(card)", "The order of the cards in a hand, first by this, then by that."],
  ["about", "A sentence about the game", "about \"What it is about.\"", "Shown before one plays."],
  ["genre", "What kind of game it is", "genre \"trick-taking\"", "Under this it is found in the list of games."],
  ["expect", "An example that must hold", "expect \"a first example\": do trick, then score(player(0)) == 0", "A position, moves, and what must be true then. Tests play it."],
];

/** @param {Picture} picture @param {Change} change @returns {HTMLElement} */
export function declarations(picture, change) {
  const header = picture.header;
  const one = (/** @type {string} */ kind) => header.find((row) => row.kind === kind);
  const title = one("game"), players = one("players"), wins = one("wins");
  const decks = header.filter((row) => row.kind === "deck");
  const name = h("input", { id: "d-title", value: title?.title ?? "", onchange: () => change(title?.line ?? null, `game ${quoted(name.value)}`) });
  const low = h("input", { id: "d-low", type: "number", min: 1, max: 8, value: players?.low ?? 2 }), high = h("input", { id: "d-high", type: "number", min: 1, max: 8, value: players?.high ?? 2 });
  const seats = (/** @type {boolean} */ fromLow) => {
    const a = Number(low.value) || 2, b = Number(high.value) || a;
    const [least, most] = fromLow ? [a, Math.max(a, players && players.low === players.high ? a : b)] : [Math.min(a, b), b];
    change(players?.line ?? null, least === most ? `players ${least}` : `players ${least} to ${most}`);
  };
  low.addEventListener("change", () => seats(true));
  high.addEventListener("change", () => seats(false));
  const who = h("select", { id: "d-wins", onchange: () => change(wins?.line ?? null, `${who.value} score wins`) }, ["highest", "lowest"].map((word) => h("option", { value: word, selected: (wins?.lowest ? "lowest" : "highest") === word }, `the ${word} score wins`)));
  const written = decks.length ? decks.map((row) => row.written).join("\n") : "deck standard";
  const known = DECKS.find(([, , line]) => line === written);
  const cards = h("select", { id: "d-deck", onchange: () => change(decks[0]?.line ?? null, DECKS.find(([value]) => value === cards.value)?.[2] ?? OWN_DECK) },
    DECKS.map(([value, text]) => h("option", { value, selected: known?.[0] === value }, text)), h("option", { value: "own", selected: !known }, "cards of its own"));
  const rest = header.filter((row) => !["game", "players", "wins"].includes(row.kind) && !(row.kind === "deck" && known));
  return h("div", { class: "declarations" },
    h("p", null, h("label", { for: "d-title" }, "Title"), name),
    h("p", null, h("label", { for: "d-low" }, "Players: from"), low, h("label", { for: "d-high" }, "to"), high),
    h("p", null, h("label", { for: "d-wins" }, "Who wins"), who),
    h("p", null, h("label", { for: "d-deck" }, "Cards"), cards),
    h("ul", null, rest.map((row) => declaration(row, picture, change))),
    h("p", { class: "small" }, "Places for cards, options, what cards are worth, definitions, teams:"),
    h("button", { id: "d-add", onclick: () => add(picture, change) }, "Add…"));
}

/** One line of the header, with what is wrong with it. @param {any} row @param {Picture} picture @param {Change} change */
function declaration(row, picture, change) {
  const made = (FORMS[row.kind] ?? plain)(row, picture);
  const inside = h("span", { class: "fields" }, made.fields);
  [...inside.querySelectorAll("input, select")].forEach((field, number) => { field.id = `d-${row.line}-${number}`; });
  const was = made.write();
  const say = () => {
    const now = made.write();
    if (now.trim() && now !== was) change(row.line, now);
  };
  inside.addEventListener("change", say);
  inside.addEventListener("say", say);
  const bad = picture.findings.filter((one) => one.line === row.line && one.severity !== "note");
  return h("li", { class: bad.some((one) => one.severity === "error") ? "wrong" : "", data: { kind: row.kind } },
    h("h2", null, row.kind === "deck" ? "Cards" : row.kind === "broken" ? "A line that cannot be read" : KINDS.find(([kind]) => kind === row.kind)?.[1] ?? row.kind,
      h("button", { class: "quiet", "aria-label": `Delete: ${row.written}`, title: "Delete", onclick: () => change(row.line, "") }, "×")),
    inside,
    ...bad.map((one) => h("p", { class: `small ${one.severity}` }, sentence(one.message + (one.hint ? ` (${one.hint})` : "")))));
}

// --- fields

/** @param {string} name @param {HTMLElement} field */
function labelled(name, field) {
  return h("label", null, h("span", null, name), field);
}

/** @param {string} value @param {number} [size] */
function short(value, size = 12) {
  return h("input", { value, size, spellcheck: false, autocomplete: "off" });
}

/** @param {number | string | null} value */
function number(value) {
  return h("input", { type: "number", value: value ?? "" });
}

/** @param {string[][]} options value and text @param {string} value */
function chosen(options, value) {
  const known = options.some(([one]) => one === value) ? options : [...options, [value, value]];
  return h("select", null, known.map(([one, text]) => h("option", { value: one, selected: one === value }, text)));
}

/** A field for a formula, with the words that fit. @param {string} value @param {any[]} names */
function formula(value, names) {
  const field = h("input", { class: "line", value, spellcheck: false, autocomplete: "off" });
  const list = h("ul", { class: "completions", hidden: true, role: "listbox", "aria-label": "Words that fit" });
  const complete = completing(field, () => names, list, () => {});
  field.addEventListener("keydown", (event) => { complete(event); });
  return { field, element: h("span", { class: "formula" }, field, list) };
}

/** Rows that can be added and taken away. @param {any[]} rows @param {(row: any) => HTMLElement[]} make @param {any} empty @param {string} more */
function rowsOf(rows, make, empty, more) {
  const list = h("ol", { class: "rows" });
  const put = (/** @type {any} */ row) => {
    const line = h("li", null, make(row), h("button", { class: "quiet", "aria-label": "Take this row away", onclick: () => { line.remove(); list.dispatchEvent(new Event("say", { bubbles: true })); } }, "×"));
    list.append(line);
    return line;
  };
  rows.forEach(put);
  const plus = h("button", { class: "quiet", onclick: () => put(empty).querySelector("input")?.focus() }, `+ ${more}`);
  /** @returns {string[][]} */
  const values = () => [...list.children].map((line) => [.../** @type {NodeListOf<HTMLInputElement>} */ (line.querySelectorAll("input, select"))].map((field) => field.value.trim())).filter(([first]) => first);
  return { list, plus, values };
}

/** Words in a field, with commas or blanks between them. @param {string} text */
function several(text) {
  return text.split(/[\s,]+/).filter(Boolean);
}

// --- kinds of lines

/** @type {{[kind: string]: (row: any, picture: Picture) => Form}} */
const FORMS = {
  about: (row) => {
    const text = h("input", { class: "line", value: row.text, "aria-label": "A sentence about the game" });
    return { fields: [text], write: () => `about ${quoted(text.value)}` };
  },
  genre: (row) => {
    const text = h("input", { class: "line", value: row.texts.join(", "), "aria-label": "Kinds, with commas between them" });
    return { fields: [text], write: () => `genre ${text.value.split(",").map((one) => one.trim()).filter(Boolean).map(quoted).join(", ")}` };
  },
  teams: (row) => {
    const rows = rowsOf(row.teams, (team) => [labelled("Seats", short(team, 8))], "", "team");
    return { fields: [rows.list, rows.plus], write: () => `teams ${rows.values().map(([team]) => several(team).join(" ")).join(", ")}` };
  },
  goal: (row, { names }) => {
    const rows = rowsOf(row.rows, ([more, of]) => [chosen([["more", "more"], ["fewer", "less"]], more), formula(of, names).element], ["more", ""], "wish");
    return { fields: [rows.list, rows.plus], write: () => `goal ${rows.values().filter(([, of]) => of).map(([more, of]) => `${more} ${of}`).join(", ")}` };
  },
  deck: (row, { names }) => {
    const ranks = short((row.ranks.length ? row.ranks : ["standard"]).join(" "), 30), suits = short(row.suits.join(" "), 30), copies = number(row.copies);
    const only = formula(row.only ?? "", names), variable = row.variable ?? "c";
    return {
      fields: [labelled("Ranks, the lowest first", ranks), labelled("Suits", suits), labelled("Copies of each", copies), labelled(`Only cards ${variable} where`, only.element)],
      write: () => {
        const standard = !suits.value.trim() || ranks.value.trim() === "standard";
        const part = `${standard ? "standard" : `ranks ${several(ranks.value).join(" ")} suits ${several(suits.value).join(" ")}`}${Number(copies.value) > 1 ? ` copies ${copies.value}` : ""}`;
        return only.field.value.trim() ? `deck cards ${variable} in ${part} where ${only.field.value.trim()}` : `deck ${part}`;
      },
    };
  },
  order: (row) => {
    const name = short(row.name), ranks = h("input", { class: "line", value: row.ranks.join(" ") });
    return { fields: [labelled("Name", name), labelled("Ranks, the lowest first", ranks)], write: () => `order ${name.value.trim()}: ${several(ranks.value).join(" ")}` };
  },
  table: (row) => {
    const name = short(row.name), otherwise = number(row.otherwise);
    const rows = rowsOf(row.rows, ([what, value]) => [labelled("Card, rank or suit", short(what, 8)), labelled("worth", number(value))], ["", 1], "row");
    return {
      fields: [labelled("Name", name), rows.list, rows.plus, labelled("All others", otherwise)],
      write: () => `table ${name.value.trim()}: ${[...rows.values().map(([what, value]) => `${what} ${value || 0}`), ...(otherwise.value === "" ? [] : [`else ${otherwise.value}`])].join(", ")}`,
    };
  },
  list: (row) => {
    const name = short(row.name), values = h("input", { class: "line", value: row.values.join(", ") });
    return { fields: [labelled("Name", name), labelled("Numbers", values)], write: () => `list ${name.value.trim()}: ${several(values.value).join(", ")}` };
  },
  words: (row) => {
    const words = h("input", { class: "line", value: row.words.join(", "), "aria-label": "Words, with commas between them" });
    return { fields: [words], write: () => `words ${several(words.value).join(", ")}` };
  },
  secret: (row) => {
    const names = h("input", { class: "line", value: row.names.join(", "), "aria-label": "Variables, with commas between them" });
    return { fields: [names], write: () => `secret ${several(names.value).join(", ")}` };
  },
  zone: (row) => {
    const name = short(row.name), seen = chosen(SEEN.map(([value, , text]) => [value, text]), row.visibility);
    const keys = chosen([...KEYS, ["1 to 4", "numbered 1 to 4"], ["player, 1 to 4", "numbered 1 to 4, for each player"]], row.keys.join(", "));
    return { fields: [labelled("Name", name), labelled("How many", keys), labelled("Who sees it", seen)], write: () => `zone ${name.value.trim()}${keys.value ? `(${keys.value})` : ""}: ${SEEN.find(([value]) => value === seen.value)?.[1]}` };
  },
  each: (row, { names }) => {
    const keys = chosen([["player", "each player"], ["team", "each team"], ["suit", "each suit"], ["rank", "each rank"]], row.keys.join(" and "));
    const rows = rowsOf(row.rows, ([name, value]) => [labelled("has", short(name)), labelled("at first", formula(value, names).element)], ["", "0"], "name");
    return { fields: [keys, rows.list, rows.plus], write: () => `each ${keys.value} has ${rows.values().map(([name, value]) => (value ? `${name} = ${value}` : name)).join(", ")}` };
  },
  say: (row, { names }) => {
    const about = short(row.about), text = h("input", { class: "line", value: row.text }), meaning = h("input", { class: "line", value: row.meaning }), when = formula(row.condition, names);
    return {
      fields: [labelled("For", about), labelled("say", text), labelled("it means", meaning), labelled("only if", when.element)],
      write: () => `say ${about.value.trim()}: ${quoted(text.value)}${meaning.value.trim() ? `, ${quoted(meaning.value)}` : ""}${when.field.value.trim() ? ` if ${when.field.value.trim()}` : ""}`,
    };
  },
  sort: (row, { names }) => {
    const rows = rowsOf(row.rows, ([key]) => [formula(key, names).element], [""], "then by");
    return { fields: ["by", rows.list, rows.plus], write: () => `sort hand by ${rows.values().map(([key]) => key).join(", ")}` };
  },
  define: (row, { names }) => {
    const name = short(row.name), parameters = short(row.parameters.join(", "), 8), value = formula(row.value, names);
    return {
      fields: [labelled("Name", name), labelled("of", parameters), labelled("is", value.element)],
      write: () => `define ${name.value.trim()}${several(parameters.value).length ? `(${several(parameters.value).join(", ")})` : ""} = ${value.field.value.trim()}`,
    };
  },
  option: (row) => {
    const name = short(row.name), text = h("input", { class: "line", value: row.text });
    const kind = chosen([["number", "a number"], ["bool", "yes or no"], ["word", "one of these words"]], row.low !== null ? "number" : row.words.length ? "word" : "bool");
    const usual = row.low !== null ? number(row.default) : chosen((row.words.length ? row.words : ["yes", "no"]).map((/** @type {string} */ one) => [one, one]), row.default);
    const low = number(row.low), high = number(row.high), words = short(row.words.join(", "), 20);
    const was = kind.value;
    return {
      fields: [labelled("Name", name), labelled("It is", kind), labelled("Usually", usual), ...(row.low !== null ? [labelled("from", low), labelled("to", high)] : row.words.length ? [labelled("Words", words)] : []), labelled("What it is for", text)],
      write: () => {
        const choice = kind.value !== was ? { number: "5 from 1 to 10", bool: "yes", word: "one of one, other" }[kind.value]
          : kind.value === "number" ? `${usual.value} from ${low.value} to ${high.value}`
            : kind.value === "word" ? `${several(words.value).includes(usual.value) ? usual.value : several(words.value)[0]} of ${several(words.value).join(", ")}` : usual.value;
        return `option ${name.value.trim()} = ${choice}${text.value.trim() ? ` ${quoted(text.value)}` : ""}`;
      },
    };
  },
};

/** A line that has no form of its own, as it is written. @param {any} row @returns {Form} */
function plain(row) {
  const field = h("input", { class: "line", value: row.written, "aria-label": `A line of the header: ${row.written}`, spellcheck: false });
  return { fields: [field], write: () => field.value };
}

/** @param {Picture} picture @param {Change} change */
async function add(picture, change) {
  /** @type {string | null} */
  let chosen = null;
  const list = h("ul", { class: "palette-list" }, KINDS.map(([, name, text, says]) => h("li", null, h("button", { class: "brick", onclick: () => { chosen = text; list.closest("dialog")?.close(""); } }, h("strong", null, name), h("code", null, text), h("span", { class: "small" }, says)))));
  await dialog("What has the game besides?", [list], [["", "Cancel"]], "wide");
  if (!chosen) return;
  const line = await change(null, unused(chosen, picture.header.map((row) => row.name)));
  if (line !== null) document.getElementById(`d-${line}-0`)?.focus();
}

/** A first line whose name nothing else has yet. @param {string} line @param {string[]} taken */
function unused(line, taken) {
  const name = /^(?:zone|option|table|order|define|list) (\w+)/.exec(line)?.[1];
  if (!name || !taken.includes(name)) return line;
  let number = 2;
  while (taken.includes(name + number)) number += 1;
  return line.replace(name, name + number);
}

/** @param {string} text */
function quoted(text) {
  return `"${text.trim().replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}
