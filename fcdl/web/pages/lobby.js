// The first page: games to play, tables to join or to go on with, drafts to draw.

import { ago, api, askName, becomeVisitor, byId, complain, copy, count, dialog, download, h, me, myName, openNetwork, qrCode, setName, shareOrigin, themeButton, toast, visitor } from "./common.js";

/** @type {any} */
let self = { name: "", author: false, computers: [] };
/** @type {any[]} */
let games = [];
let genre = "";
let all = false;
const FIRST = 9;

/** @param {any} game */
function gameCard(game) {
  const [low, high] = game.players;
  const number = low === high ? count(low, "player") : `${low} to ${high} players`;
  return h("li", { class: "game" },
    h("h3", null, game.title),
    h("p", { class: "about" }, game.about || "No description."),
    h("p", { class: "small" }, number, game.builtin ? "" : ` · by ${game.author || "somebody"}`),
    h("div", { class: "row" },
      h("button", { class: "main", onclick: () => quickGame(game.name).catch(complain), "aria-label": `Play now: ${game.title}` }, "Play now"),
      h("button", { onclick: () => setUp(game.name).catch(complain), "aria-label": `With friends… ${game.title}` }, "With friends…"),
      self.author && h("button", { class: "quiet", onclick: () => newDraft({ game: game.name }), "aria-label": `Change the rules of ${game.title}` }, "Change the rules")));
}

/** @param {any} table */
function tableRow(table) {
  const people = table.seats.map((/** @type {any} */ seat, /** @type {number} */ number) => seat.name || (seat.computer ? seat.computer : `seat ${number + 1} is free`)).join(", ");
  const how = table.over ? "finished" : !table.begun ? `waiting for ${count(table.free, "player")}` : table.yourTurn ? "your turn" : "in play";
  const verb = table.seat !== null ? (table.over ? "Look at it" : "Go on") : table.free ? "Sit down" : "Watch";
  return h("li", { class: table.yourTurn ? "table turn" : "table" },
    h("div", null, h("strong", null, table.title), h("span", { class: "small" }, ` · ${how} · ${ago(table.changed)}`), h("div", { class: "small people" }, people)),
    h("div", { class: "row" },
      h("a", { class: "button", href: `/table/${table.id}`, "aria-label": `${verb}: ${table.title}, ${people}` }, verb),
      table.host && h("button", { class: "quiet", "aria-label": `Delete this table: ${table.title}`, onclick: () => removeTable(table) }, "Delete")));
}

/** @param {any} draft */
function draftRow(draft) {
  return h("li", { class: "table" },
    h("div", null, h("strong", null, draft.title), h("div", { class: "small" }, `changed ${ago(draft.changed)}${draft.published ? (draft.current ? " · published" : " · an older version is published") : ""}`)),
    h("div", { class: "row" },
      h("a", { class: "button", href: `/edit/${draft.id}`, "aria-label": `Draw ${draft.title}` }, "Draw"),
      h("button", { class: "quiet", "aria-label": `Delete ${draft.title}`, onclick: () => removeDraft(draft) }, "Delete")));
}

/** @param {string} id @param {Node[]} rows @param {string} nothing */
function fill(id, rows, nothing) {
  byId(id).replaceChildren(...(rows.length ? rows : [h("li", { class: "nothing" }, nothing)]));
}

async function showTables() {
  const [lobby, drafts] = await Promise.all([api("GET", "/api/lobby"), api("GET", "/api/drafts")]);
  const mine = lobby.mine.filter((/** @type {any} */ one) => !one.over);
  const done = [...lobby.mine.filter((/** @type {any} */ one) => one.over), ...lobby.finished];
  fill("mine", mine.map(tableRow), "You have no games under way.");
  fill("open", lobby.open.map(tableRow), "Nobody else waits for players. Games that are open to all are listed here.");
  fill("finished", done.slice(0, 20).map(tableRow), "No game is finished yet.");
  fill("drafts", drafts.drafts.map(draftRow), "You have not drawn a game yet.");
  byId("section-mine").hidden = !mine.length;
  byId("section-open").hidden = !lobby.open.length;
  byId("finished-count").textContent = done.length ? String(done.length) : "";
}

async function showGames() {
  const found = await api("GET", "/api/games");
  games = found.games;
  listGames();
  byId("templates").replaceChildren(...found.templates.map((/** @type {any} */ one) =>
    h("li", null, h("button", { onclick: () => newDraft({ template: one.name }) }, h("strong", null, one.name), h("span", { class: "small" }, one.text)))));
}

/** The games that are looked for; at first those that are played most. */
function listGames() {
  const words = byId("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const kinds = [...new Set(games.map((one) => one.genre).filter(Boolean))].sort();
  byId("genres").replaceChildren(...["", ...kinds].map((kind) => h("button", { "aria-pressed": String(kind === genre), onclick: () => { genre = kind; listGames(); } }, kind || "all kinds")));
  const found = games.filter((one) => (!genre || one.genre === genre) && words.every((/** @type {string} */ word) => `${one.title} ${one.about} ${one.genre} ${one.tags.join(" ")}`.toLowerCase().includes(word)));
  const shown = all || genre || words.length ? found : found.slice(0, FIRST);
  fill("games", shown.map(gameCard), "No game is like that. Draw it!");
  byId("all").hidden = shown.length === found.length;
  byId("all").textContent = `Show all ${found.length} games`;
}

/** Who else can come here. */
function showReach() {
  byId("reach").replaceChildren(...(self.address ? ["On this network: ", h("b", null, self.address), " ", h("button", { class: "quiet", onclick: () => showAddress().catch(complain) }, "QR code"), self.passphrase ? ` Passphrase for drawing games: ${self.passphrase}` : ""]
    : self.canOpen ? ["Only this machine can reach this page. ", h("button", { class: "quiet", onclick: () => openNetwork(self).then((now) => { self = now; showReach(); }).catch(complain) }, "Let friends on this network in…")] : []));
}

async function showAddress() {
  await dialog("Come and play", [await qrCode(self.address), h("p", { class: "link" }, self.address)], [["", "Close"]]);
}

/** A game against computers, at once. @param {string} name */
async function quickGame(name) {
  await nameFirst();
  const game = await api("GET", `/api/games/${encodeURIComponent(name)}`);
  const number = Math.min(Math.max(game.players[0], 2), game.players[1]);
  const seats = ["person", ...Array(number - 1).fill("normal")];
  const { id } = await api("POST", "/api/tables", { game: name, seats, options: {}, open: false });
  location.href = `/table/${id}`;
}

/** Sets up a table: who plays, with which options. @param {string} name */
export async function setUp(name) {
  await nameFirst();
  const game = await api("GET", `/api/games/${encodeURIComponent(name)}`);
  const [low, high] = game.players;
  let seats = ["person", ...Array(Math.max(low, 2, Math.min(high, 4)) - 1).fill("person")].slice(0, high);
  const list = h("ol", { class: "seats" });
  /** @param {number} number */
  const choose = (number) => h("select", {
    "aria-label": `Who plays seat ${number + 1}`,
    onchange: (/** @type {any} */ event) => { seats[number] = event.target.value; },
  }, [["person", number ? "a friend" : "you"], ...self.computers.map((/** @type {string} */ one) => [one, `computer: ${one}`])].map(([value, text]) =>
    h("option", { value, selected: seats[number] === value }, text)));
  const show = () => list.replaceChildren(...seats.map((_, number) => h("li", null, choose(number))));
  show();
  const players = h("input", {
    type: "number", min: low, max: high, value: seats.length, id: "setup-players", disabled: low === high,
    onchange: (/** @type {any} */ event) => {
      const wanted = Math.min(high, Math.max(low, Number(event.target.value) || low));
      event.target.value = wanted;
      seats = Array.from({ length: wanted }, (_, number) => seats[number] ?? "person");
      show();
    },
  });
  const options = game.options.map((/** @type {any} */ option) => optionField(option));
  const open = h("input", { type: "checkbox", checked: true, id: "setup-open" });
  const chosen = await dialog(`A table of ${game.title}`, [
    ...game.words.filter((/** @type {string} */ one) => one).map((/** @type {string} */ one) => h("p", { class: "small" }, one)),
    h("p", null, h("label", { for: "setup-players" }, "Players "), players),
    list,
    options.length ? h("details", null, h("summary", null, "Options"), h("div", { class: "options" }, options.map((/** @type {any} */ one) => one.element))) : null,
    h("p", null, h("label", null, open, " Anybody on this server may take a free seat and watch. Without this, only who has a link.")),
  ], [["", "Cancel"], ["yes", "Set up the table"]]);
  if (chosen !== "yes") return;
  const given = Object.fromEntries(options.filter((/** @type {any} */ one) => one.value() !== one.default).map((/** @type {any} */ one) => [one.name, one.value()]));
  const { id } = await api("POST", "/api/tables", { game: name, seats, options: given, open: open.checked });
  location.href = `/table/${id}`;
}

/** A field for an option of a game. @param {any} option */
function optionField(option) {
  const id = `option-${option.name}`;
  let input;
  if (option.type === "bool") input = h("select", { id }, ["yes", "no"].map((one) => h("option", { value: one, selected: one === option.default }, one)));
  else if (option.type === "word") input = h("select", { id }, option.words.map((/** @type {string} */ one) => h("option", { value: one, selected: one === option.default }, one)));
  else input = h("input", { id, type: "number", min: option.low, max: option.high, value: option.default });
  const name = option.name.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  return { name: option.name, default: option.default, value: () => String(/** @type {any} */ (input).value), element: h("p", null, h("label", { for: id }, `${name} `), input, h("span", { class: "small" }, ` ${option.text}`)) };
}

/** Asks for a name if there is none yet. */
async function nameFirst() {
  await askName();
  byId("name").value = myName();
}

/** @param {any} from */
async function newDraft(from) {
  try {
    if (!self.author && !(await becomeAuthor())) return;
    const { id } = await api("POST", "/api/drafts", from);
    location.href = `/edit/${id}`;
  } catch (error) {
    complain(error);
  }
}

/** @returns {Promise<boolean>} */
async function becomeAuthor() {
  const field = h("input", { id: "passphrase", type: "password", autocomplete: "off" });
  const chosen = await dialog("Drawing games", [h("p", null, "Who started this server can tell you the passphrase for drawing games."), h("p", null, h("label", { for: "passphrase" }, "Passphrase "), field)], [["", "Cancel"], ["yes", "Go on"]]);
  if (chosen !== "yes") return false;
  await api("POST", "/api/author", { passphrase: field.value });
  self.author = true;
  return true;
}

/** @param {any} table */
async function removeTable(table) {
  if ((await dialog("Delete this table?", [h("p", null, `${table.title}: the game is lost for everybody at it.`)], [["", "Keep it"], ["yes", "Delete"]])) !== "yes") return;
  await api("DELETE", `/api/tables/${table.id}`).catch(complain);
  await showTables();
}

/** @param {any} draft */
async function removeDraft(draft) {
  if ((await dialog("Delete this game?", [h("p", null, `${draft.title} and all its versions.`)], [["", "Keep it"], ["yes", "Delete"]])) !== "yes") return;
  await api("DELETE", `/api/drafts/${draft.id}`).catch(complain);
  await Promise.all([showTables(), showGames()]);
}

async function importChart() {
  const file = h("input", { type: "file", accept: ".fcdl,.txt,.json,.lp,.pl" });
  const area = h("textarea", { rows: 8, id: "import-text", spellcheck: false });
  file.addEventListener("change", async () => { if (file.files?.[0]) area.value = await file.files[0].text(); });
  const chosen = await dialog("Bring a chart", [h("p", null, h("label", null, "A file: ", file)), h("p", null, h("label", { for: "import-text" }, "or its text, in any form (fcdl, JSON, drawing facts, state facts):")), area], [["", "Cancel"], ["yes", "Draw it"]]);
  if (chosen === "yes" && area.value.trim()) await newDraft({ text: area.value });
}

/** One's own data: on another device, as a file, or gone. */
async function mine() {
  const link = `${shareOrigin(self)}/#me=${visitor()}`;
  const chosen = await dialog("Your things", [
    h("p", null, "Your drafts and tables belong to this browser. This link takes them to another device; keep it to yourself."),
    await qrCode(link),
    h("p", null, h("button", { onclick: () => copy(link) }, "Copy the link")),
    h("p", { class: "small" }, "The server keeps your name, drafts, tables and what you said there, and nothing else."),
  ], [["delete", "Delete everything of mine"], ["export", "Download everything"], ["", "Close"]]);
  if (chosen === "export") download(JSON.stringify(await api("GET", "/api/me/export"), null, 2), "fcdl-my-data.json", "application/json");
  if (chosen === "delete" && (await dialog("Delete everything?", [h("p", null, "All your drafts, their versions and your tables. This cannot be undone.")], [["", "Keep it"], ["yes", "Delete everything"]])) === "yes") {
    await api("DELETE", "/api/me");
    localStorage.clear();
    location.reload();
  }
}

async function start() {
  byId("tools").append(h("button", { class: "quiet", onclick: () => mine().catch(complain) }, "My things"), themeButton());
  const taken = /^#me=([\w-]{20,100})$/.exec(location.hash);
  if (taken) {
    history.replaceState(null, "", "/");
    const chosen = taken[1] === visitor() ? "" : await dialog("Is this you?", [h("p", null, "This link brings somebody's drafts and tables to this browser, instead of those it had.")], [["", "No"], ["yes", "Yes, that is me"]]);
    if (chosen === "yes") {
      becomeVisitor(taken[1]);
      localStorage.removeItem("fcdl.name");
    }
  }
  const name = byId("name");
  let typed = Boolean(name.value.trim());
  name.addEventListener("input", () => { typed = true; });
  name.addEventListener("change", () => setName(name.value.trim()).then(() => toast("The others see your new name.")).catch(complain));
  self = await me();
  if (!typed) name.value = myName();
  else if (document.activeElement !== name) await setName(name.value.trim());
  showReach();
  byId("search").addEventListener("input", listGames);
  byId("all").addEventListener("click", () => { all = true; listGames(); });
  byId("import").addEventListener("click", () => importChart().catch(complain));
  await Promise.all([showGames(), showTables()]);
  byId("page").setAttribute("aria-busy", "false");
  setInterval(() => { if (document.visibilityState === "visible") showTables().catch(() => {}); }, 5000);
}

start().catch(complain);
