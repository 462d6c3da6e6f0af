// A table: play, watch, chat, ask for help. The server sends what our seat may see; we show it and send moves.

import { card, cardColour, shortName, spokenName, suitSign } from "./cards.js";
import { announce, api, askName, byId, complain, copy, count, dialog, download, h, me, myName, openNetwork, qrCode, reducedMotion, sentence, setName, shareOrigin, themeButton, toast, visitor, Wire } from "./common.js";
import { Felt } from "./felt.js";

/** @typedef {import("./felt.js").View} View */
/** @typedef {[string, string]} Move kind and what */

const id = location.pathname.split("/")[2];
const TOKEN = `fcdl.seat.${id}`;
const FEW_MOVES = 6;

/** @type {any} */ let table = null;
/** @type {any} */ let game = null;
/** @type {any} */ let sight = null;
/** @type {Felt} */ let felt;
/** @type {Wire} */ let wire;
/** @type {any[]} */ let queue = [];
/** @type {any[]} */ const chats = [];
/** @type {string[]} */ let log = [];
/** @type {{move: string, number: number} | null} */ let pending = null;
/** @type {string[]} */ let ticked = [];
/** @type {any} */ let replay = null;
let showing = false;
let tab = "messages";
let unread = 0;
let asked = 0;
let focus = 0;
let first = true;
/** @type {Map<number, {resolve: (value: any) => void, reject: (error: any) => void}>} */ const questions = new Map();
const muted = new Set(JSON.parse(localStorage.getItem("fcdl.muted") ?? "[]"));
/** @type {any} */ let self = { computers: [] };

// --- names and words

/** @param {number | null} seat @returns {string} */
function nameOf(seat) {
  if (seat === null || !table) return "nobody";
  const row = table.seats[seat];
  return row?.name || (row?.computer ? ["Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal"][seat] : `Player ${seat + 1}`);
}

/** A message of the game with names for seats and signs for cards. @param {string} text @returns {(Node | string)[]} */
function words(text) {
  const you = table?.you;
  const named = text.replace(/\b[Pp]layer (\d)(?: \(you\))?/g, (_, number) => (Number(number) === you ? "you" : nameOf(Number(number))));
  const parts = [];
  let last = 0;
  for (const match of named.matchAll(/\b[\dA-Z]{1,2}[A-Z][a-z]*\b/g)) {
    if (!game?.cards[match[0]]) continue;
    parts.push(named.slice(last, match.index), h("b", { class: cardColour(match[0], game.cards) }, shortName(match[0], game.cards)));
    last = match.index + match[0].length;
  }
  parts.push(named.slice(last));
  if (typeof parts[0] === "string" && parts[0]) parts[0] = parts[0][0].toUpperCase() + parts[0].slice(1);
  return parts;
}

/** @param {string} text @returns {string} */
function plainWords(text) {
  return words(text).map((part) => (typeof part === "string" ? part : part.textContent ?? "")).join("");
}

/** @param {Move} move @returns {string} */
function moveWords([kind, what]) {
  const said = sight?.said?.[sight.legal.findIndex((/** @type {Move} */ one) => one[0] === kind && one[1] === what)];
  const spoken = said && !game.cards[said] ? plainWords(said) : "";
  if (spoken && kind !== "play") return spoken;
  if (kind === "pass") return "Pass";
  const codes = what.split(" ");
  if (codes.every((code) => game.cards[code])) return codes.map((code) => shortName(code, game.cards)).join(" ");
  return valueWords(what);
}

/** @param {string} what @returns {string} */
function valueWords(what) {
  const spaced = what.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  return spaced[0] ? spaced[0].toUpperCase() + spaced.slice(1) : what;
}

// --- messages of the server

/** @param {any} message */
function heard(message) {
  switch (message.do) {
    case "hello":
      table = message.table;
      chats.length = 0;
      chats.push(...message.chats);
      if (message.token) {
        localStorage.setItem(TOKEN, message.token);
        if (location.hash) history.replaceState(null, "", location.pathname);
      }
      queue = [];
      if (message.sight) arrive(message.sight, true);
      else sight = null;
      showAll();
      break;
    case "table": {
      const old = table;
      table = message.table;
      if (old && table.rematch && !old.rematch) toast("There is a rematch.");
      showAll();
      break;
    }
    case "sight":
      queue.push(message.sight);
      play();
      break;
    case "chat":
      chats.push(message.chat);
      if (!muted.has(message.chat.name)) {
        if (tab !== "chat") unread += 1;
        announce(`${message.chat.name} says: ${message.chat.text}`);
      }
      showPanel();
      break;
    case "answer": {
      const question = questions.get(message.id);
      questions.delete(message.id);
      if (message.error !== undefined) question?.reject(new Error(message.error));
      else question?.resolve(message.answer);
      break;
    }
    case "illegal":
    case "error":
    case "fatal":
      pending = null;
      toast(plainWords(sentence(message.text)), "bad");
      showHand();
      break;
  }
}

/** Asks the croupier something. @param {string} what @param {any} [more] @returns {Promise<any>} */
function ask(what, more = {}) {
  const number = ++asked;
  return new Promise((resolve, reject) => {
    questions.set(number, { resolve, reject });
    if (!wire.send({ do: "ask", id: number, what, ...more })) reject(new Error("there is no connection now"));
  });
}

/** Takes a position in: messages, and a move that was on its way when the connection broke. @param {any} next @param {boolean} whole */
function arrive(next, whole) {
  const { total, lines } = next.log;
  if (whole || total < log.length) log = Array(Math.max(0, total - lines.length)).fill("");
  const fresh = lines.slice(Math.max(0, lines.length - (total - log.length)));
  if (!whole) for (const line of fresh) announce(plainWords(line));
  log.push(...fresh);
  sight = next;
  if (pending && next.number > pending.number) pending = null;
  if (pending && whole && next.number === pending.number) wire.send({ do: "move", ...pending });
  ticked = [];
}

/** Shows positions one after another, each for a while. */
async function play() {
  if (showing) return;
  showing = true;
  try {
    await showQueue();
  } finally {
    showing = false;
  }
  const yours = sight && table.you !== null && sight.mover === table.you && !sight.over;
  document.title = `${yours ? "● Your turn: " : ""}${table.title}`;
  if (yours) announce(`Your turn: ${plainWords(sight.prompt)}`);
  if (sight?.over && !replay) announce(overWords());
}

async function showQueue() {
  while (queue.length) {
    const next = queue.shift();
    const hurry = queue.length > 5 || document.visibilityState !== "visible";
    const own = sight && table.you !== null && sight.mover === table.you;
    arrive(next, false);
    if (!replay) {
      if (next.frames.length > 1 && !hurry) {
        showView(next.frames[0]);
        showPanel();
        await sleep(reducedMotion() ? 900 : 1100);
      }
      showAll();
    }
    if (queue.length && !hurry) await sleep(own ? 350 : 550);
  }
}

/** @param {number} time */
function sleep(time) {
  return new Promise((resolve) => setTimeout(resolve, time));
}

// --- what is shown

function showAll() {
  byId("title").textContent = table.title;
  if (first) document.title = table.title;
  first = false;
  showTools();
  showTable();
  showPanel();
}

function showTable() {
  keepingFocus(() => {
    if (!table.begun) showWaiting();
    else if (sight && !replay) showView(sight.frames[sight.frames.length - 1], sight.mover, tablePicks());
    drawHand();
  });
}

/** @param {View} view @param {number | null} [mover] @param {import("./felt.js").Picks} [picks] */
function showView(view, mover = sight?.mover ?? null, picks = undefined) {
  const seat = table.you ?? 0;
  const plates = table.seats.map((/** @type {any} */ row) => ({
    seat: row.seat,
    name: row.seat === table.you ? `${nameOf(row.seat)} (you)` : nameOf(row.seat),
    tag: row.computer ? (row.computer === "normal" ? "computer" : `computer, ${row.computer}`) : !row.present && row.person ? "away" : "",
    you: row.seat === table.you,
    away: row.person && !row.computer && !row.present,
    turn: mover === row.seat && !sight?.over,
  }));
  felt.show(view, plates, seat, Boolean(view.faceUp) || table.you === null, picks);
}

/** Before the game: who is missing, links, QR codes. */
function showWaiting() {
  const rows = table.seats.map((/** @type {any} */ row) => {
    const free = row.person && !row.taken;
    const link = row.link ? `${shareOrigin(self)}/table/${id}#${row.link}` : null;
    return h("li", { class: free ? "free" : "" },
      h("span", null, h("b", null, `Seat ${row.seat + 1}: `), free ? "free" : row.computer ? `computer (${row.computer})` : `${nameOf(row.seat)}${row.seat === table.you ? " (you)" : ""}${row.present ? "" : ", away"}`),
      free && table.you === null && (table.open || table.host) ? h("button", { class: "main", onclick: () => wire.send({ do: "sit", seat: row.seat }) }, "Sit here") : null,
      link && table.you !== null ? h("button", { onclick: () => copy(link), "aria-label": `Copy link of seat ${row.seat + 1}` }, "Copy link") : null,
      link && table.you !== null ? h("button", { onclick: () => showLink(row.seat, link).catch(complain), "aria-label": `QR code of seat ${row.seat + 1}` }, "QR code") : null,
      free && table.host && table.you !== null ? h("button", { class: "quiet", onclick: () => wire.send({ do: "computer", seat: row.seat, computer: "normal" }), "aria-label": `Computer for seat ${row.seat + 1}` }, "Computer") : null);
  });
  const missing = table.seats.filter((/** @type {any} */ row) => row.person && !row.taken).length;
  felt.place.replaceChildren(h("div", { class: "waiting" },
    h("h2", null, missing ? `Waiting for ${count(missing, "player")}` : "Dealing…"),
    h("p", null, table.host ? "Give each friend the link of a seat, or let them scan its code. Whoever opens a link sits there." : "The game begins when all seats are taken."),
    ...(table.host && missing ? [reach()] : []),
    h("ol", { class: "links" }, rows),
    table.host && table.you !== null ? h("button", { class: "main", onclick: () => wire.send({ do: "begin" }) }, missing ? "Begin now, with computers in the free seats" : "Begin") : null));
  byId("turn").textContent = "";
}

/** Whether friends can reach this server, and what to do if not. */
function reach() {
  if (self.address) return h("p", { class: "reach" }, `Friends on this network can also begin at ${self.address}`, self.passphrase ? ` (passphrase for drawing games: ${self.passphrase})` : "", ".");
  if (!self.canOpen) return h("p", null);
  return h("p", { class: "reach" }, "Other devices cannot reach this page yet. ", h("button", { onclick: () => openNetwork(self).then((now) => { self = now; showAll(); }).catch(complain) }, "Let this network in…"));
}

/** @param {number} seat @param {string} link */
async function showLink(seat, link) {
  await dialog(`Seat ${seat + 1}`, [await qrCode(link), h("p", { class: "link" }, link), h("p", { class: "small" }, "Whoever opens this first has the seat, and the link then works for nobody else.")], [["", "Close"]]);
}

/** Moves with cards, each with its codes. @returns {string[][]} */
function cardMoves() {
  if (!sight || replay) return [];
  return sight.legal.filter((/** @type {Move} */ [kind]) => kind !== "choose" && kind !== "pass").map((/** @type {Move} */ [, what]) => what.split(" "));
}

/** What can be done with cards: play one, tick several, or nothing. @returns {"play" | "tick" | "none"} */
function cardUse() {
  const moves = cardMoves();
  if (!moves.length) return "none";
  return moves.some((codes) => codes.length > 1) ? "tick" : "play";
}

/** The kind of the moves with cards. @returns {string} */
function cardKind() {
  return sight.legal.find((/** @type {Move} */ [kind]) => kind !== "choose" && kind !== "pass")?.[0] ?? "play";
}

/** Whether a move has all these cards; of copies, as many. @param {string[]} move @param {string[]} codes */
function hasAll(move, codes) {
  const left = [...move];
  return codes.every((code) => {
    const at = left.indexOf(code);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

/** The cards that may be ticked besides those that are, or played. @returns {Set<string>} */
function cardsThatFit() {
  const fits = cardMoves().filter((move) => hasAll(move, ticked));
  return new Set(fits.flatMap((move) => [...new Set(move)].filter((code) => hasAll(move, [...ticked, code]))));
}

/** Says for one card after another whether it can be clicked; of copies the first ones are the ticked ones. @returns {(code: string) => {on: boolean, can: boolean}} */
function cardStates() {
  const fit = cardsThatFit();
  const seen = /** @type {{[code: string]: number}} */ ({});
  return (code) => {
    seen[code] = (seen[code] ?? 0) + 1;
    const on = seen[code] <= ticked.filter((one) => one === code).length;
    return { on, can: on || fit.has(code) };
  };
}

/** The cards on the table that can be picked there. @returns {import("./felt.js").Picks} */
function tablePicks() {
  const use = cardUse();
  const hand = new Set(sight ? sight.frames[sight.frames.length - 1].hand : []);
  const known = new Set(cardMoves().flat());
  const state = cardStates();
  return (code) => {
    if (use === "none" || !known.has(code) || hand.has(code)) return null;
    const { on, can } = state(code);
    return can ? { on, pressed: use === "tick" ? on : null, pick: () => pickCard(code, can, on) } : null;
  };
}

/** Draws something anew, and gives the keyboard back to the button that had it. @param {() => void} draw */
function keepingFocus(draw) {
  const active = /** @type {HTMLElement | null} */ (document.activeElement);
  const place = active?.closest("#hand, #choices, #felt");
  const number = place ? [...place.querySelectorAll("button")].indexOf(/** @type {HTMLButtonElement} */ (active)) : -1;
  draw();
  if (place && number >= 0) {
    const buttons = place.querySelectorAll("button");
    buttons[Math.min(number, buttons.length - 1)]?.focus({ preventScroll: true });
  }
}

function showHand() {
  keepingFocus(drawHand);
}

function drawHand() {
  const hand = byId("hand"), choices = byId("choices"), turn = byId("turn");
  hand.hidden = table.you === null || !table.begun || replay;
  if (replay || !sight || !table.begun) {
    choices.replaceChildren();
    if (!replay) turn.textContent = "";
    if (table.begun === false) hand.replaceChildren();
    return;
  }
  const use = cardUse(), kind = cardKind();
  /** @type {string[]} */
  const cards = sight.frames[sight.frames.length - 1].hand;
  const state = cardStates();
  hand.dataset.few = String(cards.length <= 5);
  hand.replaceChildren(...cards.map((code, number) => {
    const { on, can } = use === "none" ? { on: false, can: false } : state(code);
    const says = `${spokenName(code, game.cards)}${use === "none" || can ? "" : ", not legal"}`;
    return h("button", {
      class: `own${use === "none" ? "" : can ? " legal" : " illegal"}${on ? " ticked" : ""}${pending?.move === `${kind} ${code}` ? " pending" : ""}`,
      data: { card: code }, "aria-pressed": use === "tick" ? String(on) : null, "aria-disabled": String(use !== "none" && !can), tabindex: number === Math.min(focus, cards.length - 1) ? 0 : -1,
      onclick: () => { focus = number; pickCard(code, can, on); },
    }, card(code, game.cards, game.suits), h("span", { class: "unseen" }, says));
  }));
  const seen = new Set([...cards, ...[...byId("felt").querySelectorAll("button.own")].map((one) => one.dataset.card)]);
  const options = sight.legal.filter((/** @type {Move} */ [kind, what]) => kind === "choose" || kind === "pass" || (use === "play" && !seen.has(what)));
  choices.replaceChildren(...(use === "tick" ? tickControls(kind, seen) : []), ...options.map(choiceButton));
  choices.dataset.many = String(options.length > 8);
  turn.replaceChildren(...turnWords());
}

/** @param {Move} move */
function choiceButton(move) {
  const [kind, what] = move;
  const isCard = kind !== "choose" && kind !== "pass";
  const isPlayer = kind === "choose" && sight.prompt.match(/player|partner|opponent|target|victim/i) && /^\d$/.test(what);
  return h("button", { class: isCard ? "own legal small-card" : kind === "pass" ? "choice pass" : "choice", data: isCard ? { card: what } : {}, onclick: () => send(move) },
    isCard ? [card(what, game.cards, game.suits), h("span", { class: "unseen" }, spokenName(what, game.cards))] : kind === "choose" && game.suits.includes(what) ? [suitSign(what, game.suits), ` ${valueWords(what)}`] : isPlayer ? nameOf(Number(what)) : sentence(sight.said[sight.legal.indexOf(move)] ?? moveWords(move)).replace(/\.$/, ""));
}

/** For moves of several cards: those that are seen nowhere else can be ticked here; a button for each move where they are few, else one that makes the move. @param {string} kind @param {Set<string | undefined>} seen */
function tickControls(kind, seen) {
  const moves = cardMoves(), start = `${kind[0].toUpperCase()}${kind.slice(1)}`;
  const done = moves.find((codes) => codes.length === ticked.length && hasAll(codes, ticked));
  const fits = moves.filter((codes) => hasAll(codes, ticked));
  const state = cardStates();
  const elsewhere = [...new Set(moves.flat())].filter((code) => !seen.has(code));
  /** @param {string[]} codes */
  const button = (codes) => h("button", { class: `choice${codes === done ? " main" : ""}`, onclick: () => send([kind, codes.join(" ")]) }, `${start} `, codes.map((code) => h("b", { class: cardColour(code, game.cards) }, `${shortName(code, game.cards)} `)));
  return [
    ...elsewhere.map((code) => {
      const { on, can } = state(code);
      return h("button", { class: `own small-card${can ? " legal" : " illegal"}${on ? " ticked" : ""}`, data: { card: code }, "aria-pressed": String(on), onclick: () => pickCard(code, can, on) }, card(code, game.cards, game.suits), h("span", { class: "unseen" }, spokenName(code, game.cards)));
    }),
    ...(fits.length <= FEW_MOVES ? fits.map(button) : [h("button", { class: "choice main", disabled: !done, onclick: () => done && send([kind, done.join(" ")]) }, ticked.length ? `${start} ${count(ticked.length, "card")}` : "Click the cards that go together")]),
  ];
}

/** A click on a card: plays it, ticks it, or says why not. @param {string} code @param {boolean} can @param {boolean} on */
async function pickCard(code, can, on) {
  const use = cardUse();
  if (use === "none") {
    if (sight.mover !== table.you && !sight.over) toast(`It is ${nameOf(sight.mover)}'s turn.`);
  } else if (can && use === "play") {
    send([cardKind(), code]);
  } else if (can) {
    if (on) ticked.splice(ticked.indexOf(code), 1);
    else ticked.push(code);
    showTable();
  } else if (cardMoves().some((codes) => codes.includes(code))) {
    toast(`${shortName(code, game.cards)} does not go with what you have ticked.`, "bad");
  } else {
    await ask("why", { move: `${cardKind()} ${code}` }).then((text) => toast(plainWords(text), "bad"), complain);
  }
}

/** @param {Move} move */
function send(move) {
  if (pending) return;
  const text = move[1] ? `${move[0]} ${move[1]}` : move[0];
  pending = { move: text, number: sight.number };
  if (!wire.send({ do: "move", ...pending })) toast("There is no connection now; your move is made when it is back.");
  showHand();
}

/** @returns {(Node | string)[]} */
function turnWords() {
  if (sight.over) return [h("b", null, overWords())];
  const row = table.you !== null ? table.seats[table.you] : null;
  if (row?.computer) return ["A computer plays for you. ", h("button", { class: "main", onclick: () => wire.send({ do: "back" }) }, "Take your seat back")];
  if (table.you !== null && sight.mover === table.you) return [h("b", null, "Your turn: "), h("span", null, words(sight.prompt.replace(/\.$/, "")))];
  const mover = sight.mover !== null ? table.seats[sight.mover] : null;
  if (mover?.person && !mover.computer && !mover.present) {
    return [`${nameOf(sight.mover)} is away. `, table.host ? h("button", { onclick: () => wire.send({ do: "computer", seat: sight.mover, computer: "normal" }) }, "Let a computer play on") : ""];
  }
  return [`${nameOf(sight.mover)} ${mover?.computer ? "is thinking…" : "is to play."}`];
}

/** @returns {string} */
function overWords() {
  const over = sight.over;
  if (over.reason !== "end") return `The game ended early: ${over.reason}.`;
  if (!over.winners.length) return "Nobody wins.";
  const names = over.winners.map((/** @type {number} */ seat) => (seat === table.you ? "you" : nameOf(seat)));
  if (names.length === 1 && names[0] === "you") return "You win!";
  const list = names.join(" and ");
  return `${list[0].toUpperCase()}${list.slice(1)} ${names.length === 1 ? "wins" : "win"}!`;
}

// --- buttons

function showTools() {
  const mine = table.you !== null && table.begun;
  const others = table.seats.some((/** @type {any} */ row) => row.person && row.seat !== table.you);
  const over = Boolean(sight?.over);
  byId("tools").replaceChildren(
    mine && !over ? h("button", { onclick: () => showHint().catch(complain), "aria-keyshortcuts": "h" }, "Hint") : "",
    mine && !over ? h("button", { onclick: () => showKnown().catch(complain), "aria-keyshortcuts": "k" }, "Who has what?") : "",
    mine && !others ? h("button", { onclick: () => wire.send({ do: "undo" }), "aria-keyshortcuts": "u" }, "Undo") : "",
    over && !table.rematch && table.you !== null ? h("button", { class: "main", onclick: () => wire.send({ do: "rematch" }) }, "Play again") : "",
    table.rematch ? h("a", { class: "button main", href: `/table/${table.rematch}` }, "To the rematch") : "",
    h("button", { class: "icon only-small", "aria-label": "Messages, scores and chat", onclick: () => document.body.classList.toggle("side-open") }, unread ? `☰ ${unread}` : "☰"),
    h("button", { class: "icon", "aria-label": "More", onclick: () => more().catch(complain) }, "⋯"),
    theme);
}
const theme = themeButton();

async function more() {
  const mine = table.you !== null;
  const link = `${shareOrigin(self)}/table/${id}`;
  const own = localStorage.getItem(TOKEN);
  const name = h("input", { id: "new-name", value: nameOf(table.you), maxlength: 24 });
  const seats = table.host ? table.seats.filter((/** @type {any} */ row) => !row.person || (row.taken && !row.present)) : [];
  const chosen = await dialog(table.title, [
    mine ? h("p", null, h("label", { for: "new-name" }, "Your name "), name, " ", h("button", { onclick: () => setName(name.value.trim()).then(() => wire.send({ do: "name", name: name.value.trim() })).catch(complain) }, "Change")) : null,
    h("p", null, "To watch: ", h("span", { class: "link" }, link), " ", h("button", { onclick: () => copy(link) }, "Copy")),
    mine && own ? h("p", null, h("button", { onclick: () => showMine(`${link}#${own}`).catch(complain) }, "Go on playing on another device…")) : null,
    seats.length ? h("fieldset", null, h("legend", null, "Computers"), seats.map((/** @type {any} */ row) => h("p", null, h("label", null, `${nameOf(row.seat)} `, h("select", {
      onchange: (/** @type {any} */ event) => wire.send({ do: "computer", seat: row.seat, computer: event.target.value }),
    }, [...(row.computer ? [] : ["(away)"]), ...self.computers].map((/** @type {string} */ one) => h("option", { value: one, selected: one === row.computer }, one))))))) : null,
    h("details", null, h("summary", null, "The rules"), game.words.map((/** @type {string} */ one) => h("p", null, one)), h("p", { class: "small" }, Object.entries(table.options).map(([key, value]) => `${key}: ${value}`).join(", "))),
    h("details", null, h("summary", null, "Keys"), h("p", null, "Arrow keys move among your cards, Enter or Space plays one. H: a hint. K: who has what. U: undo. M, S, C: messages, scores, chat.")),
    sight?.over ? h("p", null, h("button", { onclick: () => ask("record").then((line) => download(`${line}\n`, `${table.name}.jsonl`, "application/json")).catch(complain) }, "Save the record of this game")) : null,
  ], [...(mine && !sight?.over ? /** @type {[string, string][]} */ ([["leave", table.begun ? "Leave: a computer plays on" : "Leave this seat"]]) : []), ["", "Close"]]);
  if (chosen === "leave") wire.send({ do: "leave" });
}

/** @param {string} link */
async function showMine(link) {
  await dialog("Your seat on another device", [await qrCode(link), h("p", { class: "link" }, link), h("p", { class: "small" }, "Keep this to yourself: whoever has it can play your cards.")], [["", "Close"]]);
}

async function showHint() {
  if (!sight || sight.mover !== table.you) {
    toast("A hint is for when it is your turn.");
    return;
  }
  setTab("help");
  byId("panel").replaceChildren(h("p", { class: "busy" }, "Thinking about your cards…"));
  const hint = await ask("hint");
  const values = hint.values.map((/** @type {any} */ one) => one.worth);
  const low = Math.min(...values), high = Math.max(...values);
  byId("panel").replaceChildren(
    h("h2", null, "Best: ", words(hint.best.replace(/\b(play|pick|choose) /g, ""))),
    h("table", { class: "worths" }, h("caption", { class: "small" }, sentence(hint.worth)), h("tbody", null, hint.values.map((/** @type {any} */ one) => h("tr", null,
      h("th", { scope: "row" }, words(moveWords(one.move))), h("td", { class: "figure" }, `${one.worth > 0 ? "+" : ""}${one.worth.toFixed(2)}`),
      h("td", null, h("span", { class: "meter" }, h("span", { style: { width: `${high > low ? (100 * (one.worth - low)) / (high - low) : 100}%` } }))))))),
    ...[["Rules of thumb", hint.heuristics], ["Measured by play", hint.measured], ["Why", hint.reasons]].filter(([, lines]) => lines.length).flatMap(([title, lines]) => [h("h3", null, title), h("ul", null, lines.map((/** @type {string} */ line) => h("li", null, words(line))))]));
  announce(`Best: ${plainWords(hint.best)}`);
}

async function showKnown() {
  setTab("help");
  byId("panel").replaceChildren(h("p", { class: "busy" }, "Counting the deals that fit everything you have seen…"));
  const known = await ask("known");
  byId("panel").replaceChildren(h("h2", null, "Who may hold what, in percent"), ...(known.length ? known.map((/** @type {any} */ row) => h("div", { class: "scroll", tabindex: 0 }, h("table", { class: "known" },
    h("thead", null, h("tr", null, h("th", { scope: "col" }, h("span", { class: "unseen" }, row.suit), suitSign(row.suit, game.suits)), row.cards.map((/** @type {string} */ code) => h("th", { scope: "col", class: cardColour(code, game.cards) }, shortName(code, game.cards))))),
    h("tbody", null, row.zones.map((/** @type {any} */ zone) => h("tr", null, h("th", { scope: "row" }, zoneWords(zone)), zone.shares.map((/** @type {number} */ share) => h("td", { style: { "--share": share.toFixed(3) } }, share === 0 ? "·" : share > 0.99 ? ">99" : share < 0.01 ? "<1" : Math.round(100 * share))))))))) : [h("p", null, "You know where every card is.")]));
}

/** @param {any} zone */
function zoneWords(zone) {
  const name = zone.zone.replace(/\(.*/, "");
  return zone.owner === null ? name : name === "hand" ? nameOf(zone.owner) : `${nameOf(zone.owner)}'s ${name}`;
}

async function showReview() {
  byId("panel").replaceChildren(h("p", { class: "busy" }, "Going through your moves. This takes a while…"));
  const review = await ask("review");
  byId("panel").replaceChildren(h("h2", null, "Your moves"),
    h("p", null, `${count(review.decisions, "decision")} with a choice: ${review.best} were the best found; together they cost ${review.lost.toFixed(2)}.`),
    h("ol", { class: "review" }, review.rows.map((/** @type {any} */ row) => h("li", null, h("button", { class: "quiet", onclick: () => goTo(row.number).catch(complain) }, `Move ${row.number + 1}`), " ", words(moveWords(row.move)),
      row.lost < 0.005 ? h("span", { class: "small" }, " the best found") : h("span", null, ` cost ${row.lost.toFixed(2)}, better: `, words(moveWords(row.best)))))));
}

// --- replay

/** Shows the position after so many moves. @param {number} number */
async function goTo(number) {
  replay = await ask("replay", { number: Math.max(0, number) });
  showView(replay.view, replay.mover);
  const total = replay.total;
  byId("turn").replaceChildren(
    h("div", { class: "replay" },
      h("button", { "aria-label": "To the start", onclick: () => goTo(0).catch(complain) }, "«"),
      h("button", { "aria-label": "Back", disabled: replay.number === 0, onclick: () => goTo(replay.number - 1).catch(complain) }, "‹"),
      h("input", { type: "range", min: 0, max: total, value: replay.number, "aria-label": "Move", oninput: (/** @type {any} */ event) => goTo(Number(event.target.value)).catch(complain) }),
      h("button", { "aria-label": "Forward", disabled: replay.number >= total, onclick: () => goTo(replay.number + 1).catch(complain) }, "›"),
      h("span", null, `move ${replay.number} of ${total}`),
      h("button", { class: "main", onclick: endReplay }, "Back to the table")));
  byId("hand").hidden = true;
  byId("choices").replaceChildren();
}

function endReplay() {
  replay = null;
  showAll();
}

// --- the side

/** @param {string} name */
function setTab(name) {
  tab = name;
  if (name === "chat") unread = 0;
  document.body.classList.add("side-open");
  showPanel();
}

function showPanel() {
  const names = [["messages", "Messages"], ["scores", "Scores"], ["chat", unread ? `Chat (${unread})` : "Chat"], ["help", "Help"]];
  byId("tabs").replaceChildren(...names.map(([name, text]) => h("button", { role: "tab", id: `tab-${name}`, "aria-selected": String(tab === name), "aria-controls": "panel", onclick: () => setTab(name) }, text)),
    h("button", { class: "cross only-small", "aria-label": "Close", onclick: () => document.body.classList.remove("side-open") }, "×"));
  const panel = byId("panel");
  panel.setAttribute("aria-labelledby", `tab-${tab}`);
  if (tab === "messages") {
    const lines = log.slice(-300).map((line) => h("li", { class: /^(A new deal|The game)/.test(line) ? "mark" : "" }, words(line)));
    panel.replaceChildren(h("ol", { class: "log" }, lines));
    panel.scrollTop = panel.scrollHeight;
  } else if (tab === "scores") {
    panel.replaceChildren(...scoreSheet(), ...lastTrick(), ...afterGame());
  } else if (tab === "chat") {
    showChat(panel);
  } else if (!panel.querySelector("h2, .busy")) {
    panel.replaceChildren(h("p", null, "“Hint” says what your cards are worth. “Who has what?” says who may hold which card. Click a card that you may not play to see why not."), ...afterGame());
  }
}

function scoreSheet() {
  if (!sight) return [h("p", null, "The game has not begun.")];
  const view = sight.frames[sight.frames.length - 1];
  const names = table.seats.map((/** @type {any} */ row) => h("th", { scope: "col" }, nameOf(row.seat)));
  const rows = sight.rounds.map((/** @type {string[]} */ round, /** @type {number} */ number) => h("tr", null, h("th", { scope: "row" }, number + 1), round.map((score, seat) => {
    const before = number ? Number(sight.rounds[number - 1][seat]) : 0;
    const gain = Number(score) - before;
    return h("td", null, score, Number.isFinite(gain) && sight.rounds.length > 1 ? h("small", null, ` ${gain > 0 ? "+" : ""}${gain}`) : null);
  })));
  return [h("div", { class: "scroll", tabindex: 0 }, h("table", { class: "scores" }, h("caption", null, game.lowestWins ? "The lowest score wins." : "The highest score wins."),
    h("thead", null, h("tr", null, h("th", { scope: "col" }, "Round"), names)),
    h("tbody", null, rows, sight.over ? null : h("tr", { class: "now" }, h("th", { scope: "row" }, "now"), view.scores.map((/** @type {string} */ score) => h("td", null, score))))))];
}

function lastTrick() {
  const view = sight?.frames[sight.frames.length - 1];
  if (!view?.lastTrick.length) return [];
  return [h("h2", null, view.taker === null ? "The last trick" : `The last trick: ${view.taker === table.you ? "you take it" : `${nameOf(view.taker)} takes it`}`), h("ul", { class: "trick" }, view.lastTrick.map((/** @type {[number, string]} */ [seat, code]) => h("li", null, card(code, game.cards, game.suits), h("span", null, nameOf(seat)))))];
}

function afterGame() {
  if (!sight?.over) return [];
  return [h("h2", null, "After the game"), h("p", { class: "row" },
    h("button", { onclick: () => goTo(0).catch(complain) }, "Replay, face up"),
    table.you !== null ? h("button", { onclick: () => { tab = "help"; showPanel(); showReview().catch(complain); } }, "Review my moves") : null)];
}

/** @param {HTMLElement} panel */
function showChat(panel) {
  const old = panel.querySelector("input");
  const field = h("input", { id: "chat-field", maxlength: 500, placeholder: "Say something…", "aria-label": "Say something", autocomplete: "off" });
  if (old instanceof HTMLInputElement && old.id === "chat-field") field.value = old.value;
  const focused = document.activeElement === old;
  const say = () => {
    if (field.value.trim()) wire.send({ do: "chat", text: field.value });
    field.value = "";
  };
  field.addEventListener("keydown", (event) => { if (event.key === "Enter") say(); });
  const lines = chats.filter((one) => !muted.has(one.name)).map((one) => h("li", { class: one.seat === table.you && one.seat !== null ? "mine" : "" }, h("b", null, one.name), " ",
    one.seat === table.you && one.seat !== null ? null : h("button", { class: "mute", "aria-label": `mute ${one.name}`, title: "mute", onclick: () => mute(one.name) }, "mute"), h("span", null, one.text)));
  panel.replaceChildren(h("ol", { class: "chat" }, lines), muted.size ? h("p", { class: "small" }, `Not shown: ${[...muted].join(", ")} `, h("button", { class: "quiet", onclick: unmute }, "show them")) : "", h("div", { class: "say" }, field, h("button", { onclick: say }, "Say")));
  const list = panel.querySelector("ol");
  if (list) list.scrollTop = list.scrollHeight;
  if (focused) field.focus();
}

/** @param {string} name */
function mute(name) {
  muted.add(name);
  localStorage.setItem("fcdl.muted", JSON.stringify([...muted]));
  showPanel();
}

function unmute() {
  muted.clear();
  localStorage.removeItem("fcdl.muted");
  showPanel();
}

// --- keys

addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.ctrlKey || event.metaKey || event.altKey || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName) || document.querySelector("dialog[open]")) return;
  const key = event.key.toLowerCase();
  const cards = [...byId("hand").querySelectorAll("button")];
  if (["arrowleft", "arrowright", "home", "end"].includes(key) && cards.length && !replay) {
    focus = key === "home" ? 0 : key === "end" ? cards.length - 1 : (cards.includes(target) ? focus + (key === "arrowleft" ? -1 : 1) + cards.length : focus) % cards.length;
    cards.forEach((one, number) => { one.tabIndex = number === focus ? 0 : -1; });
    cards[focus].focus();
    event.preventDefault();
  } else if (["arrowleft", "arrowright"].includes(key) && replay && target.tagName !== "INPUT") {
    goTo(replay.number + (key === "arrowleft" ? -1 : 1)).catch(complain);
  } else if (key === "h") showHint().catch(complain);
  else if (key === "k") showKnown().catch(complain);
  else if (key === "u") wire.send({ do: "undo" });
  else if (key === "m") setTab("messages");
  else if (key === "s") setTab("scores");
  else if (key === "c") {
    setTab("chat");
    byId("chat-field").focus();
    event.preventDefault();
  } else if (key === "escape" && replay) endReplay();
});

// --- start

/** There is no such table, or it is not to be seen. @param {string} text */
function showNothing(text) {
  byId("wire").textContent = "";
  byId("felt").replaceChildren(h("div", { class: "waiting" }, h("h2", null, sentence(text)), h("p", null, h("a", { href: "/" }, "To the games"))));
}

async function start() {
  try {
    [self, game] = await Promise.all([me(), api("GET", `/api/tables/${id}/game`)]);
  } catch (error) {
    showNothing(/** @type {any} */ (error).message);
    return;
  }
  if (location.hash) await askName();  // somebody who was given the link of a seat
  felt = new Felt(byId("felt"), game);
  wire = new Wire(`/ws/table/${id}`,
    () => ({ do: "hello", visitor: visitor(), name: myName(), token: location.hash.slice(1) || localStorage.getItem(TOKEN) || "" }),
    (message) => {
      if (message.do === "fatal" && !table) showNothing(message.text);
      else heard(message);
    },
    (state) => {
      byId("wire").dataset.state = state;
      byId("wire").textContent = state === "on" ? "connected" : state === "off" ? "the connection is lost; trying again…" : "";
    });
}

start().catch(complain);
