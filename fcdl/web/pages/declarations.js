// What the game is made of, as forms: each changes one line of the header.

import { dialog, h } from "./common.js";

/** @typedef {(line: number | null, text: string) => void} Change */

const DECKS = [
  ["standard", "52 cards", "deck standard"],
  ["36", "36 cards, from 6", "deck ranks 6 to 10 jack queen king ace suits clubs diamonds hearts spades"],
  ["32", "32 cards, from 7", "deck ranks 7 to 10 jack queen king ace suits clubs diamonds hearts spades"],
  ["two", "two packs of 52", "deck ranks 2 to 10 jack queen king ace suits clubs diamonds hearts spades copies 2"],
];
const SEEN = [["all", "face up"], ["nobody", "face down"], ["owner", "seen by owner"], ["others", "seen by others"]];
const KINDS = /** @type {{[name: string]: [string, string, string]}} */ ({
  zone: ["A place for cards", "zone board: face up", "Where cards can lie, besides hand, pack, middle and stack."],
  row: ["A place for each suit", "zone row(suit): face up", "Many places of one name: for each suit, rank, number or player."],
  option: ["An option", "option handSize = 5 from 1 to 10 \"Cards dealt to each player.\"", "What players may change before a game."],
  each: ["Something of each player", "each player has tricks = 0", "A number, suit … that every player has one of."],
  table: ["What cards are worth", "table points: hearts 1, QS 13, else 0", "A number for each card, rank or suit: points(card)."],
  order: ["An order of ranks", "order power: 2 3 4 5 6 7 8 9 10 jack queen king ace", "Which rank beats which: power(card)."],
  list: ["A row of numbers", "list bids: 18, 20, 22", "bids(0) is the first one."],
  words: ["Words", "words left, right", "Names that are values, to choose from."],
  define: ["A definition", "define isTrump(c) = suit(c) == trumps", "A name for something that you ask often."],
  secret: ["A secret", "secret bid", "A variable that only its owner sees."],
  teams: ["Teams", "teams 0 2, 1 3", "Who wins and loses together."],
  about: ["A sentence about the game", "about \"What it is about.\"", "Shown before one plays."],
  expect: ["An example that must hold", "expect \"a first example\": do trick, then score(player(0)) == 0", "A position, moves, and what must be true then. Tests play it."],
});

/** @param {any[]} header @param {Change} change @returns {HTMLElement} */
export function declarations(header, change) {
  const one = (/** @type {string} */ kind) => header.find((row) => row.kind === kind);
  const title = one("game"), players = one("players"), goal = one("goal"), deck = one("deck");
  const name = h("input", { id: "d-title", value: title?.title ?? "", onchange: () => change(title?.line ?? null, `game ${quoted(name.value)}`) });
  const low = h("input", { id: "d-low", type: "number", min: 1, max: 8, value: players?.low ?? 2 }), high = h("input", { id: "d-high", type: "number", min: 1, max: 8, value: players?.high ?? 2 });
  const seats = () => {
    const a = Number(low.value) || 2, b = Math.max(a, Number(high.value) || a);
    change(players?.line ?? null, a === b ? `players ${a}` : `players ${a} to ${b}`);
  };
  low.addEventListener("change", seats);
  high.addEventListener("change", seats);
  const wins = h("select", { id: "d-wins", onchange: () => change(goal?.line ?? null, `${wins.value} score wins`) }, ["highest", "lowest"].map((word) => h("option", { value: word, selected: (goal?.lowest ? "lowest" : "highest") === word }, `the ${word} score wins`)));
  const known = DECKS.find(([, , text]) => text === (deck?.text ?? "deck standard"));
  const cards = h("select", { id: "d-deck", onchange: () => { const found = DECKS.find(([value]) => value === cards.value); if (found) change(deck?.line ?? null, found[2]); } },
    DECKS.map(([value, text]) => h("option", { value, selected: known?.[0] === value }, text)), known ? null : h("option", { value: "own", selected: true }, "cards of its own"));
  const rest = header.filter((row) => !["game", "players", "goal"].includes(row.kind) && !(row.kind === "deck" && known));
  return h("div", { class: "declarations" },
    h("p", null, h("label", { for: "d-title" }, "Title"), name),
    h("p", null, h("label", { for: "d-low" }, "Players: from"), low, h("label", { for: "d-high" }, "to"), high),
    h("p", null, h("label", { for: "d-wins" }, "Who wins"), wins),
    h("p", null, h("label", { for: "d-deck" }, "Cards"), cards),
    rest.length ? h("h3", null, "Declarations") : null,
    h("ul", null, rest.map((row) => h("li", null, form(row, change), h("button", { class: "quiet", "aria-label": `Delete: ${row.text}`, title: "Delete", onclick: () => change(row.line, "") }, "×")))),
    h("button", { onclick: () => add(change) }, "Add…"));
}

/** @param {any} row @param {Change} change @returns {HTMLElement} */
function form(row, change) {
  if (row.kind === "zone") {
    const name = h("input", { value: row.name, size: 10, "aria-label": "Name of the place" });
    const each = h("input", { type: "checkbox", checked: row.perPlayer });
    const seen = h("select", { "aria-label": "Who sees the cards" }, SEEN.map(([value, text]) => h("option", { value: text, selected: value === row.visibility }, text)));
    const say = () => change(row.line, `zone ${name.value.trim()}${each.checked ? "(player)" : ""}: ${seen.value}`);
    for (const field of [name, each, seen]) field.addEventListener("change", say);
    return h("span", { class: "row" }, h("b", null, "place"), name, h("label", null, each, " one each"), seen);
  }
  if (row.kind === "option" && row.low !== null) {
    const name = h("input", { value: row.name, size: 10, "aria-label": "Name of the option" });
    const [value, low, high] = [row.default, row.low, row.high].map((number, place) => h("input", { type: "number", value: number, "aria-label": ["usual value", "smallest", "largest"][place] }));
    const text = h("input", { value: row.text, "aria-label": "What it is for" });
    const say = () => change(row.line, `option ${name.value.trim()} = ${value.value} from ${low.value} to ${high.value}${text.value.trim() ? ` ${quoted(text.value)}` : ""}`);
    for (const field of [name, value, low, high, text]) field.addEventListener("change", say);
    return h("span", { class: "row" }, h("b", null, "option"), name, "=", value, "from", low, "to", high, text);
  }
  const field = h("input", { class: "line", value: row.text, "aria-label": `A line of the header: ${row.kind}`, spellcheck: false, onchange: () => change(row.line, field.value) });
  return field;
}

/** @param {Change} change */
async function add(change) {
  /** @type {string | null} */
  let chosen = null;
  const list = h("ul", { class: "palette-list" }, Object.values(KINDS).map(([name, text, says]) => h("li", null, h("button", { class: "brick", onclick: () => { chosen = text; list.closest("dialog")?.close(""); } }, h("strong", null, name), h("code", null, text), h("span", { class: "small" }, says)))));
  await dialog("What has the game besides?", [list], [["", "Cancel"]], "wide");
  if (chosen) change(null, chosen);
}

/** @param {string} text */
function quoted(text) {
  return `"${text.trim().replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}
