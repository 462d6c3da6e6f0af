// What can be put into a chart, each with a sentence that explains it, and completion of captions.

import { dialog, h } from "./common.js";

/** @typedef {{group: string, name: string, caption: string, says: string}} Brick */

/** @type {Brick[]} */
export const BRICKS = [
  { group: "What happens", name: "Shuffle", caption: "Shuffle", says: "All cards, wherever they are, go back to the pack, which is shuffled." },
  { group: "What happens", name: "Deal", caption: "Deal(5)", says: "Every player gets so many cards from the pack." },
  { group: "What happens", name: "Remember", caption: "leader = player(0)", says: "Gives a name to a value: a player, a suit, a number. From then on the game knows it." },
  { group: "What happens", name: "Score", caption: "score(player(0)) = score(player(0)) + 1", says: "Changes a score. At the end the highest score wins." },
  { group: "What happens", name: "Draw cards", caption: "pickUp(player(0), 1)", says: "A player gets cards from the pack." },
  { group: "What happens", name: "Move cards", caption: "move(1, pack, stack)", says: "Cards go from one place to another: a number from the top, all of them, or those that you name." },
  { group: "What happens", name: "Clear the table", caption: "Stack.empty", says: "The cards that were played go to the stack." },
  { group: "What happens", name: "Say something", caption: 'publish("#{player(0)} is first.")', says: "A message for everybody. What stands in #{…} becomes its value." },
  { group: "What happens", name: "Show cards", caption: "show(top(pack), all)", says: "Cards stay where they are, but a player, or all, may see them." },
  { group: "What happens", name: "Chance", caption: "n = random(6)", says: "A number from 0 to one less than this, all equally likely." },
  { group: "What happens", name: "For every player", caption: "score(p) = 0 for p in players", says: "The same for each player in turn; where … leaves some out, from … says who begins." },
  { group: "A player decides", name: "Play a card", caption: "playCard(player(0), cards)", says: "The player plays one of these cards from their hand; it lies before them." },
  { group: "A player decides", name: "Play or pass", caption: "playCardOrPass(player(0), cards, stack)", says: "The same, but they may pass. passed(player) tells afterwards whether they did." },
  { group: "A player decides", name: "Pick cards", caption: "pick(player(0), 1, cards, hand(player(0)), stack)", says: "The player picks so many of these cards from one place, and they go to another." },
  { group: "A player decides", name: "Choose", caption: "choose(player(0), trumps, suits)", says: "The player chooses a value: a suit, a number, a word, another player." },
  { group: "A player decides", name: "Play cards that go together", caption: "playCards(player(0), sets s in subsets(hand(player(0)), 2 to 4) where isGroup(s), stack)", says: "The player plays several cards at once: a pair, a run, whatever the condition says. playCardsOrPass lets them pass." },
  { group: "A player decides", name: "Take cards from the table", caption: "take(player(0), sets s in subsets(stack, 1 to 3), stack, hand(player(0)))", says: "The player takes several cards from one place to another, those that fit together." },
  { group: "A player decides", name: "All decide at once", caption: "together playCard(p, cards) for p in players", says: "Every player plays a card (or chooses), and nobody sees those of the others before all have." },
  { group: "A question", name: "Diamond", caption: "empty(hand(player(0)))?", says: "A question with two ways on, yes and no." },
  { group: "A question", name: "Can they follow?", caption: "playerHas(player(0), card(any, hearts))?", says: "Whether a player holds one of these cards." },
  { group: "A question", name: "Which card is higher?", caption: "rankValue(middle(player(0))) > rankValue(middle(player(1)))?", says: "Compares the cards that two players have played." },
  { group: "A question", name: "Is it this one's turn again?", caption: "turn == leader?", says: "Whether two names mean the same player." },
  { group: "Another chart", name: "Sub-chart", caption: "do trick", says: "A box that stands for a whole chart of its own. If there is none of that name, it is made." },
];

/**
 * Lets the person choose what to put into the chart.
 * @param {string[]} charts names of charts that there are already @param {string | null} copied a caption that was copied @returns {Promise<string | null>} a caption
 */
export async function choosePart(charts, copied) {
  /** @type {Brick[]} */
  const bricks = [...(copied ? [{ group: "Copied", name: "Paste", caption: copied, says: "The box that you have copied." }] : []), ...BRICKS,
    ...charts.slice(1).map((name) => ({ group: "Another chart", name, caption: `do ${name}`, says: `The chart ${name} once more.` }))];
  const search = h("input", { id: "palette-search", placeholder: "Search, or write the caption yourself", "aria-label": "Search, or write the caption yourself", autocomplete: "off" });
  const list = h("div", { class: "palette" });
  return new Promise((resolve) => {
    /** @type {string | null} */
    let chosen = null;
    /** @param {string | null} caption */
    const take = (caption) => {
      chosen = caption;
      list.closest("dialog")?.close("");
    };
    const show = () => {
      const wanted = search.value.trim().toLowerCase();
      const found = bricks.filter((one) => `${one.group} ${one.name} ${one.caption} ${one.says}`.toLowerCase().includes(wanted));
      const groups = [...new Set(found.map((one) => one.group))];
      list.replaceChildren(...groups.map((group) => h("section", null, h("h3", null, group), h("ul", null, found.filter((one) => one.group === group).map((one) =>
        h("li", null, h("button", { class: `brick ${kindOf(one.caption)}`, onclick: () => take(one.caption) }, h("strong", null, one.name), h("code", null, one.caption), h("span", { class: "small" }, one.says))))))),
        ...(wanted && !found.length ? [h("p", null, h("button", { class: "main", onclick: () => take(search.value.trim()) }, `Put “${search.value.trim()}” there`))] : []));
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
    dialog("What comes here?", [search, list], [["", "Cancel"]], "wide").then(() => resolve(chosen));
    search.focus();
  });
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
