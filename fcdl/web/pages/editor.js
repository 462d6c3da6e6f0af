// The editor: the chart and its text side by side. The text is what counts; every edit of the chart is one of the text.

import { ago, announce, api, byId, complain, count, dialog, download, h, sentence, themeButton, toast, visitor } from "./common.js";
import { ChartView } from "./chart.js";
import { declarations } from "./declarations.js";
import { brickOf, inWords } from "./bricks.js";
import { choosePart, completing, fillIn } from "./palette.js";
import { histogram, shares } from "./plots.js";
import { TextPane } from "./textpane.js";
import { TryIt } from "./tryit.js";

/** @typedef {import("./chart.js").Placed} Placed */

const id = location.pathname.split("/")[2];
const TABS = [["text", "Text"], ["game", "Game"], ["try", "Try it"], ["advice", "Advice"], ["test", "Test"]];

let text = "";
/** @type {any} */ let picture = { title: "", charts: [], findings: [], header: [], names: [], good: false };
/** @type {any} */ let draft = null;
/** @type {string[]} */ let past = [];
/** @type {string[]} */ let future = [];
let typedAt = 0;
let tab = "text";
const COPIED = "fcdl.copied";
/** @type {string[]} */ let copied = JSON.parse(localStorage.getItem(COPIED) ?? "[]");
/** @type {Map<string, string>} */ const types = new Map();
/** @type {any} */ let checking = null;
/** @type {any} */ let saving = null;
let busy = Promise.resolve();
let focusedChart = "";
/** @type {HTMLElement | null} */ let captionField = null;

const view = new ChartView(byId("chart"), {
  select: (box) => {
    if (box) pane.light(box.line);
    showBoxTools(box);
  },
  edit: editCaption,
  insert: (line, arrow) => insert(line, arrow).catch(complain),
  connect: (line, arrow, to) => edit({ do: "connect", line, arrow, to }),
  breakpoint: (line) => tryIt.act("break", { line }),
  chart: (name) => chartMenu(name).catch(complain),
});
const pane = new TextPane(byId("panel-text"), {
  typed: (now) => {
    if (Date.now() - typedAt > 900) remember();
    typedAt = Date.now();
    text = now;
    clearTimeout(checking);
    checking = setTimeout(() => check().catch(complain), 250);
    save();
  },
  moved: (line) => { view.selectLine(line, false); showBoxTools(view.current()); pane.light(line, false); },
  names: () => picture.names,
});
const tryIt = new TryIt(byId("panel-try"), { text: () => text, light: (state) => view.light(state) });

// --- the text, and everything that follows from it

function remember() {
  if (past[past.length - 1] === text) return;
  past.push(text);
  future = [];
}

/** Shows a text and its picture. @param {string} now @param {any} shown */
function show(now, shown) {
  const changed = now !== text;
  text = now;
  picture = shown;
  pane.set(text);
  pane.setFindings(picture.findings);
  view.show(picture);
  showTitle();
  showChartTabs();
  showFindings();
  showGame();
  showTools();
  showCoach();
  showBoxTools(view.current());
  if (changed) save();
  if (picture.good) tryIt.reload(text);
}

/** Draws and checks what the text says. */
async function check() {
  const asked = text;
  const shown = await api("POST", "/api/work/check", { text: asked });
  if (asked === text) show(text, shown);
}

/** Makes an edit of the chart, one after another. @param {any} what @returns {Promise<number | null>} the line of what is new */
function edit(what) {
  const work = busy.then(async () => {
    const answer = await api("POST", "/api/work/edit", { text, edit: what });
    remember();
    show(answer.text, answer.picture);
    save();
    return answer.line;
  });
  busy = work.then(() => {}, () => {});
  return work.catch((error) => {
    complain(error);
    return null;
  });
}

/** @param {string[]} from @param {string[]} to */
async function travel(from, to) {
  const target = from.pop();
  if (target === undefined) return;
  to.push(text);
  text = target;
  pane.set(text);
  save();
  await check();
}

function save() {
  byId("saved").textContent = "…";
  clearTimeout(saving);
  saving = setTimeout(saveNow, 500);
}

async function saveNow() {
  clearTimeout(saving);
  saving = null;
  try {
    await api("PUT", `/api/drafts/${id}`, { text, title: picture.title || draft.title });
    byId("saved").textContent = "saved";
    byId("saved").dataset.state = "on";
  } catch (error) {
    byId("saved").dataset.state = "off";
    byId("saved").textContent = "not saved; trying again…";
    saving = setTimeout(saveNow, 3000);
  }
}

addEventListener("pagehide", () => {
  if (saving) fetch(`/api/drafts/${id}`, { method: "PUT", keepalive: true, headers: { "x-visitor": visitor(), "content-type": "application/json" }, body: JSON.stringify({ text, title: picture.title || draft?.title }) });
});

// --- boxes

/** What the chart has, for gaps in sentences. @returns {import("./bricks.js").Context} */
function context() {
  const players = picture.header.find((/** @type {any} */ one) => one.kind === "players");
  for (const one of picture.names) if (one.type) types.set(one.name, one.type);
  const names = picture.names.map((/** @type {any} */ one) => ({ ...one, type: one.type || types.get(one.name) || "" }));
  const decks = picture.header.filter((/** @type {any} */ one) => one.kind === "deck");
  const suits = [...new Set(decks.flatMap((/** @type {any} */ one) => one.suits))];
  return { players: players?.high ?? 2, names, charts: picture.charts.map((/** @type {any} */ one) => one.name), suits: suits.length ? suits : ["clubs", "diamonds", "hearts", "spades"] };
}

/** What would be wrong with an edit at its place; nothing if it is fine. @param {any} what @param {number | null} line */
async function wouldSay(what, line) {
  const answer = await api("POST", "/api/work/edit", { text, edit: what });
  const at = line ?? answer.line;
  const found = answer.picture.findings.filter((/** @type {any} */ one) => one.line === at && one.severity === "error");
  return found.map((/** @type {any} */ one) => sentence(one.message + (one.hint ? ` (${one.hint})` : ""))).join(" ");
}

/** @param {number} line @param {string} arrow */
async function insert(line, arrow) {
  const caption = await choosePart(context(), copied.length === 1 ? [{ name: "Paste", caption: copied[0] }] : [], (one) => wouldSay({ do: "insert", line, arrow, caption: one }, null));
  if (!caption) {
    view.picture.focus({ preventScroll: true });
    return;
  }
  await put(line, arrow, caption);
}

/** Puts a box on an arrow. @param {number} line @param {string} arrow @param {string} caption */
async function put(line, arrow, caption) {
  const added = await edit({ do: "insert", line, arrow, caption });
  const box = added === null ? null : view.selectLine(added);
  if (!box) return null;
  view.reveal(box);
  view.picture.focus({ preventScroll: true });
  announce(`Added: ${box.caption}`);
  return box;
}

/** Fills in the sentence of a box again, if its caption is one. @param {Placed} box */
async function refill(box) {
  const found = brickOf(box.caption);
  if (!found) return;
  const caption = await fillIn(found.brick, found.values, context(), (one) => wouldSay({ do: "caption", line: box.line, caption: one }, box.line));
  if (caption && caption !== box.caption) await edit({ do: "caption", line: box.line, caption });
  view.picture.focus({ preventScroll: true });
}

/** Edits a caption in its place. @param {Placed} box */
function editCaption(box) {
  captionField?.remove();
  if (box.kind === "start" || box.kind === "end") return;
  const now = view.boxes.find((one) => one.id === box.id) ?? box;
  const at = view.onPage(now);
  const field = h("input", { value: now.caption, "aria-label": `What the box of line ${now.line} says`, spellcheck: false, autocomplete: "off" });
  const list = h("ul", { class: "completions", hidden: true, role: "listbox", "aria-label": "Words that fit" });
  const says = h("p", { class: "caption-says small", role: "status" });
  const bad = picture.findings.filter((/** @type {any} */ one) => one.line === now.line);
  says.textContent = bad.map((/** @type {any} */ one) => sentence(one.message + (one.hint ? ` (${one.hint})` : ""))).join(" ");
  const width = Math.max(300, Math.min(620, 9 * now.caption.length + 60, at.place.width - 20));
  captionField = h("div", { class: "caption-edit", style: { left: `${Math.max(6, Math.min(at.left + at.width / 2 - width / 2, at.place.width - width - 6))}px`, top: `${Math.max(4, Math.min(at.top + at.height / 2 - 20, at.place.height - 60))}px`, width: `${width}px` } }, field, says, list);
  byId("chart").append(captionField);
  const complete = completing(field, () => picture.names, list, () => {});
  let done = false;
  /** @type {any} */
  let trying = null;
  /** @param {boolean} keep */
  const finish = async (keep) => {
    if (done) return;
    done = true;
    clearTimeout(trying);
    captionField?.remove();
    captionField = null;
    if (keep && field.value.trim() && field.value.trim() !== now.caption) {
      await edit({ do: "caption", line: now.line, caption: field.value });
      view.selectLine(now.line);
    }
    view.picture.focus({ preventScroll: true });
  };
  field.addEventListener("input", () => {
    clearTimeout(trying);
    trying = setTimeout(async () => {
      try {
        const answer = await api("POST", "/api/work/edit", { text, edit: { do: "caption", line: now.line, caption: field.value } });
        const found = answer.picture.findings.filter((/** @type {any} */ one) => one.line === now.line && one.severity !== "note");
        says.textContent = found.map((/** @type {any} */ one) => sentence(one.message + (one.hint ? ` (${one.hint})` : ""))).join(" ");
        says.classList.toggle("bad", found.length > 0);
      } catch (error) {
        says.textContent = sentence(/** @type {any} */ (error).message);
      }
    }, 250);
  });
  field.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (complete(event)) return;
    if (event.key === "Enter") finish(true);
    if (event.key === "Escape") finish(false);
  });
  field.addEventListener("blur", () => finish(true));
  field.focus();
  field.select();
}

/** Keeps the captions of the selected boxes, for this game and for others. */
function copyBoxes() {
  copied = view.selection().filter((one) => one.kind !== "start" && one.kind !== "end").map((one) => one.caption);
  localStorage.setItem(COPIED, JSON.stringify(copied));
  if (copied.length) toast(copied.length === 1 ? "Copied. + or Ctrl+V puts it on an arrow." : `${count(copied.length, "box").replace("boxs", "boxes")} copied. “Paste” or Ctrl+V puts them after a box.`);
}

/** Puts what was copied after a box, one after another. @param {Placed} box */
async function paste(box) {
  if (!copied.length || box.kind === "end") return;
  const added = await edit({ do: "insert", line: box.line, arrow: box.kind === "choice" ? "yes" : "next", captions: copied });
  const now = added === null ? null : view.selectLine(added);
  if (now) view.reveal(now);
}

function deleteBoxes() {
  const lines = view.selection().filter((one) => one.kind !== "start" && one.kind !== "end").map((one) => one.line);
  if (lines.length) edit({ do: "delete", lines });
}

/** @param {Placed | null} box */
function showBoxTools(box) {
  const place = byId("box-tools");
  if (!box) {
    place.replaceChildren(h("span", { class: "small" }, "Click a box to change it, a + to put one there. Drag an arrow to another box to lead it there."));
    return;
  }
  const several = view.selection();
  if (several.length > 1) {
    place.replaceChildren(h("span", null, `${several.length} boxes`), h("button", { onclick: () => copyBoxes() }, "Copy"), h("button", { class: "danger", onclick: () => deleteBoxes() }, "Delete"), h("button", { class: "quiet", onclick: () => view.select(null) }, "Select none"));
    return;
  }
  const terminal = box.kind === "start" || box.kind === "end";
  const arrows = box.kind === "end" ? [] : box.kind === "choice" ? ["yes", "no"] : ["next"];
  const said = inWords(box.caption, context());
  place.replaceChildren(
    said ? h("span", { class: "in-words" }, said) : h("code", null, box.caption.length > 42 ? `${box.caption.slice(0, 40)}…` : box.caption),
    ...(terminal ? [] : [h("button", { onclick: () => editCaption(box) }, "Edit")]),
    ...(brickOf(box.caption) ? [h("button", { onclick: () => refill(box).catch(complain) }, "Fill in…")] : []),
    ...arrows.map((arrow) => h("button", { onclick: () => insert(box.line, arrow).catch(complain), "aria-label": `${arrow === "next" ? "+ after" : `+ ${arrow}`}: add a box` }, arrow === "next" ? "+ after" : `+ ${arrow}`)),
    ...(terminal ? [] : [h("button", { onclick: () => copyBoxes() }, "Copy")]),
    ...(copied.length && arrows.length ? [h("button", { onclick: () => paste(box).catch(complain) }, "Paste")] : []),
    ...(box.kind === "choice" ? [h("button", { onclick: () => edit({ do: "swap", line: box.line }) }, "Swap yes and no")] : []),
    ...(arrows.length ? [h("button", { onclick: () => lead(box, arrows).catch(complain) }, "Lead arrow…")] : []),
    ...(box.chart ? [h("button", { onclick: () => view.fit(box.chart ?? "") }, `Go to ${box.chart}`)] : []),
    ...(terminal ? [] : [h("button", { class: "danger", onclick: () => deleteBoxes() }, "Delete")]));
}

/** Leads an arrow elsewhere without a mouse. @param {Placed} box @param {string[]} arrows */
async function lead(box, arrows) {
  const others = view.boxes.filter((one) => one.chartName === box.chartName && one.kind !== "start");
  const which = h("select", { id: "lead-arrow" }, arrows.map((arrow) => h("option", { value: arrow }, arrow === "next" ? "its arrow" : `its ${arrow} arrow`)));
  const to = h("select", { id: "lead-to" }, others.map((one) => h("option", { value: one.line }, `line ${one.line}: ${one.caption}`)));
  const chosen = await dialog("Lead an arrow", [h("p", null, h("label", { for: "lead-arrow" }, "Lead "), which), h("p", null, h("label", { for: "lead-to" }, "to "), to)], [["", "Cancel"], ["yes", "Lead it there"]]);
  if (chosen === "yes") await edit({ do: "connect", line: box.line, arrow: which.value, to: Number(to.value) });
}

/** @param {string} name */
async function chartMenu(name) {
  const first = picture.charts[0]?.name === name;
  const field = h("input", { id: "chart-name", value: name });
  const chosen = await dialog(`The chart ${name}`, [h("p", null, h("label", { for: "chart-name" }, "Its name "), field)], [...(first ? [] : /** @type {[string, string][]} */ ([["delete", "Delete"]])), ["", "Cancel"], ["yes", "Rename"]]);
  if (chosen === "yes" && field.value.trim() !== name) await edit({ do: "rename", name, to: field.value.trim() });
  if (chosen === "delete") await edit({ do: "deleteChart", name });
}

async function newChart() {
  const field = h("input", { id: "new-chart", placeholder: "trick" });
  const chosen = await dialog("A new chart", [h("p", null, h("label", { for: "new-chart" }, "Its name "), field), h("p", { class: "small" }, "A box “do name” then stands for it.")], [["", "Cancel"], ["yes", "Make it"]]);
  if (chosen === "yes") {
    await edit({ do: "chart", name: field.value.trim() });
    view.fit(field.value.trim());
  }
}

// --- around the chart

function showTitle() {
  const title = picture.title || draft.title;
  byId("title").textContent = title;
  document.title = `${title}: drawing`;
}

function showChartTabs() {
  byId("charts").replaceChildren(
    h("button", { class: focusedChart ? "" : "on", onclick: () => { focusedChart = ""; view.fit(); showChartTabs(); } }, "All"),
    ...picture.charts.map((/** @type {any} */ one) => h("button", { class: focusedChart === one.name ? "on" : "", onclick: () => { focusedChart = one.name; view.fit(one.name); showChartTabs(); } }, one.name)),
    h("button", { class: "quiet", onclick: () => newChart().catch(complain), "aria-label": "+ chart: a new one" }, "+ chart"));
}

/** Says how to begin as long as there is hardly anything. */
function showCoach() {
  const few = picture.charts.length === 1 && picture.charts[0].boxes.length <= 3;
  byId("coach").hidden = !few;
}

function showFindings() {
  const errors = picture.findings.filter((/** @type {any} */ one) => one.severity === "error").length;
  const warnings = picture.findings.filter((/** @type {any} */ one) => one.severity === "warning").length;
  const notes = picture.findings.length - errors - warnings;
  const head = errors ? `${count(errors, "mistake")}${warnings ? `, ${count(warnings, "warning")}` : ""}` : warnings ? count(warnings, "warning") : "No mistakes";
  const row = (/** @type {any} */ one) => h("li", { class: one.severity }, h("button", { class: "quiet", onclick: () => goToFinding(one) }, h("b", null, one.line ? `${one.line}: ` : ""), sentence(one.message), one.hint ? h("span", { class: "small" }, ` ${sentence(one.hint)}`) : null));
  byId("findings").replaceChildren(
    h("h2", { class: errors ? "error" : warnings ? "warning" : "good" }, head),
    h("ul", null, picture.findings.filter((/** @type {any} */ one) => one.severity !== "note").map(row)),
    ...(notes ? [h("details", null, h("summary", { class: "small" }, `${count(notes, "note")} about who learns what`), h("ul", null, picture.findings.filter((/** @type {any} */ one) => one.severity === "note").map(row)))] : []));
}

/** @param {any} finding */
function goToFinding(finding) {
  if (!finding.line) return;
  const box = view.selectLine(finding.line);
  if (box) view.reveal(box);
  else if (tab !== "text") setTab("text");
  pane.light(finding.line);
  if (!box) pane.goTo(finding.line, finding.column ?? 1);
}

/** Shows the forms anew; whoever is writing in one of them goes on writing. */
function showGame() {
  const panel = byId("panel-game");
  const active = document.activeElement;
  const old = active instanceof HTMLElement && panel.contains(active) ? active : null;
  panel.replaceChildren(declarations(picture, (line, now) => edit({ do: "header", line, text: now })));
  for (const field of panel.querySelectorAll("input")) field.defaultValue = field.value;
  const now = old?.id ? document.getElementById(old.id) : null;
  if (!now) return;
  if (old instanceof HTMLInputElement && now instanceof HTMLInputElement) {
    if (old.value !== old.defaultValue) now.value = old.value;
    now.focus();
    if (now.type !== "number") now.setSelectionRange(old.selectionStart, old.selectionEnd);
  } else now.focus();
}
byId("panel-game").addEventListener("change", (/** @type {Event} */ event) => { if (event.target instanceof HTMLInputElement) event.target.defaultValue = event.target.value; }, true);
byId("panel-game").addEventListener("focusout", (/** @type {Event} */ event) => {  // what was begun before the form was shown anew
  const field = event.target;
  if (field instanceof HTMLInputElement && field.isConnected && field.type !== "checkbox" && field.value !== field.defaultValue) field.dispatchEvent(new Event("change", { bubbles: true }));
});

/** @param {string} name */
function setTab(name) {
  tab = name;
  if (name !== "advice") view.light({});
  if (name === "try" && draft) {
    if (!tryIt.running) tryIt.start();
    else tryIt.act("look");
  }
  if (name === "advice" && !byId("panel-advice").childElementCount) showAdvice().catch(complain);
  if (name === "test" && !byId("panel-test").childElementCount) showTest().catch(complain);
  showTabs();
}

function showTabs() {
  byId("tabs").replaceChildren(...TABS.map(([name, word]) => h("button", { role: "tab", id: `tab-${name}`, "aria-selected": String(tab === name), "aria-controls": `panel-${name}`, onclick: () => setTab(name) }, word)));
  for (const [name] of TABS) byId(`panel-${name}`).hidden = tab !== name;
}

function showTools() {
  byId("tools").replaceChildren(
    h("button", { class: "icon", "aria-label": "Undo", title: "Undo (Ctrl+Z)", disabled: !past.length, onclick: () => travel(past, future).catch(complain) }, "↶"),
    h("button", { class: "icon", "aria-label": "Redo", title: "Redo (Ctrl+Y)", disabled: !future.length, onclick: () => travel(future, past).catch(complain) }, "↷"),
    h("button", { class: "not-small", onclick: () => versions().catch(complain) }, "Versions"),
    h("button", { class: "not-small", onclick: () => exportAs().catch(complain) }, "Export"),
    h("button", { class: "not-small", disabled: !picture.good, onclick: () => publish().catch(complain) }, draft?.published ? "Published" : "Publish"),
    h("button", { class: "icon only-small", "aria-label": "More", onclick: () => more().catch(complain) }, "⋯"),
    h("button", { class: "main", disabled: !picture.good, onclick: () => playIt().catch(complain) }, "Play"),
    h("button", { class: "icon not-small", "aria-label": "Keys", title: "Keys (?)", onclick: () => showKeys().catch(complain) }, "?"), theme);
}
const theme = themeButton();

/** What has no room on a small screen. */
async function more() {
  const chosen = await dialog(picture.title || "This game", [], [["versions", "Versions"], ["export", "Export"], ...(picture.good ? /** @type {[string, string][]} */ ([["publish", draft?.published ? "Published" : "Publish"]]) : [])], "menu");
  if (chosen === "versions") await versions();
  if (chosen === "export") await exportAs();
  if (chosen === "publish") await publish();
}

// --- what is worth doing, and is it any good

async function showAdvice() {
  const place = byId("panel-advice");
  if (!picture.good) {
    place.replaceChildren(h("p", null, "Mend the mistakes first."));
    return;
  }
  place.replaceChildren(h("p", { class: "busy" }, "Working out from the rules what is worth doing…"));
  const again = h("button", { onclick: () => showAdvice().catch(complain) }, "Work it out again");
  try {
    const found = await api("POST", "/api/work/heuristics", { text });
    const row = (/** @type {any} */ one) => h("li", null, h("button", { class: "quiet sentence", onclick: () => { view.light({ lines: one.lines, arrows: one.arrows }); const box = view.selectLine(one.first, false); if (box) view.reveal(box); } }, one.weight === null ? null : h("b", { class: one.weight > 0 ? "plus-weight" : "minus-weight" }, `${one.weight > 0 ? "+" : ""}${one.weight} `), one.sentence));
    place.replaceChildren(
      h("p", { class: "small" }, "Click a sentence to light its path in the chart."),
      found.derived.length ? h("h2", null, "From the rules alone") : "", h("ol", { class: "advice" }, found.derived.map(row)),
      found.measured.length ? h("h2", null, "Measured by play") : "", h("ol", { class: "advice" }, found.measured.map(row)),
      ...(found.notes.length ? [h("details", null, h("summary", { class: "small" }, "What was left out"), found.notes.map((/** @type {string} */ one) => h("p", { class: "small" }, sentence(one))))] : []),
      !found.derived.length && !found.measured.length ? h("p", null, "Nothing could be said about this game.") : "", again);
  } catch (error) {
    place.replaceChildren(h("p", null, sentence(/** @type {any} */ (error).message)), again);
  }
}

async function showTest() {
  const place = byId("panel-test");
  if (!picture.good) {
    place.replaceChildren(h("p", null, "Mend the mistakes first."));
    return;
  }
  place.replaceChildren(h("p", { class: "busy" }, "Random and good players try the game out…"));
  const again = h("button", { onclick: () => showTest().catch(complain) }, "Test again");
  try {
    const found = await api("POST", "/api/work/test", { text });
    const kinds = [["random", "random players"], ["strong", "good players"]].filter(([key]) => found[key].games);
    const bad = found.findings;
    place.replaceChildren(
      h("h2", null, bad.length ? "What looks wrong" : "Nothing looks wrong."),
      h("ul", { class: "test-findings" }, bad.map((/** @type {any} */ one) => h("li", { class: one.severity }, h("button", { class: "quiet", onclick: () => goToFinding(one) }, one.line ? `${one.line}: ` : "", sentence(one.message))))),
      ...kinds.flatMap(([key, name]) => {
        const one = found[key];
        return [
          h("h2", null, `${one.games} games between ${name}`),
          h("p", { class: "small" }, `${one.reasons.end ?? 0} ended properly; ${one.moves_mean.toFixed(1)} moves a game; ${one.branching_mean.toFixed(1)} legal moves a decision; ${count(one.ties, "tie")}.`),
          shares("Wins by seat", one.win_rate.map((/** @type {number} */ share, /** @type {number} */ seat) => ({ name: `player ${seat}`, share, low: one.win_rate_wilson[seat][0], high: one.win_rate_wilson[seat][1] })), found.skill.fair_share),
          histogram("Length of games", one.length_counts, "moves"),
          ...one.score_counts.map((/** @type {any} */ bars, /** @type {number} */ seat) => histogram(`Scores of player ${seat}`, bars, "points")),
        ];
      }),
      found.skill.games ? shares("Does skill matter?", [{ name: "good player", share: found.skill.win_rate, low: found.skill.wilson[0], high: found.skill.wilson[1] }], found.skill.fair_share) : "", again);
  } catch (error) {
    place.replaceChildren(h("p", null, sentence(/** @type {any} */ (error).message)), again);
  }
}

// --- versions, files, playing

async function versions() {
  await saveNow();
  const { versions: all } = await api("GET", `/api/drafts/${id}/versions`);
  const note = h("input", { id: "version-note", maxlength: 24, placeholder: "a name for it" });
  /** @type {string | null} */
  let taken = null;
  const list = h("ul", { class: "versions" }, all.map((/** @type {any} */ one) => h("li", null,
    h("details", null, h("summary", null, h("b", null, one.note || "a version"), h("span", { class: "small" }, ` ${ago(one.made)}, ${one.diff.length ? count(one.diff.filter((/** @type {string} */ line) => /^[+-]/.test(line)).length, "changed line") : "as now"}`)),
      h("pre", { class: "diff" }, one.diff.map((/** @type {string} */ line) => h("span", { class: line[0] === "+" ? "added" : line[0] === "-" ? "removed" : "" }, `${line}\n`))),
      h("button", { onclick: () => { taken = one.text; list.closest("dialog")?.close(""); } }, "Go back to this one")))));
  const chosen = await dialog("Versions", [h("p", null, h("label", { for: "version-note" }, "Keep what it says now as "), note), list], [["", "Close"], ["keep", "Keep this version"]], "wide");
  if (taken !== null) {
    remember();
    text = taken;
    pane.set(text);
    await check();
    save();
  } else if (chosen === "keep") {
    await api("POST", `/api/drafts/${id}/versions`, { note: note.value });
    toast("Kept.");
  }
}

async function exportAs() {
  const forms = [["fcdl", "Text (.fcdl)"], ["json", "JSON, for programs"], ["facts", "Drawing facts of the thesis"], ["states", "State facts of the thesis"], ["svg", "Drawing as SVG"], ["png", "Drawing as PNG"], ["dot", "Graphviz (.dot)"], ["mmd", "Mermaid (.mmd)"]];
  const chosen = await dialog("Export", [h("p", { class: "small" }, "The text keeps your comments; the other forms do not.")], /** @type {[string, string][]} */ (forms), "menu");
  if (!chosen) return;
  const name = (picture.title || "game").replace(/\W+/g, "_").toLowerCase();
  if (chosen === "fcdl") download(text, `${name}.fcdl`, "text/plain");
  else if (["svg", "png", "dot", "mmd"].includes(chosen)) {
    const { data } = await api("POST", "/api/work/draw", { text, form: chosen });
    const bytes = Uint8Array.from(atob(data), (sign) => sign.charCodeAt(0));
    download(bytes, `${name}.${chosen}`, { svg: "image/svg+xml", png: "image/png" }[chosen] ?? "text/plain");
  } else {
    const answer = await api("POST", "/api/work/convert", { text, form: chosen });
    download(answer.text, `${name}.${chosen === "json" ? "json" : "lp"}`, "text/plain");
  }
}

async function publish() {
  await saveNow();
  const on = draft.published && draft.current && draft.text === text;
  const { game } = await api("POST", `/api/drafts/${id}/publish`, { published: !on });
  draft = { ...draft, published: !on, current: true, text };
  toast(on ? "No longer published." : "Published: everybody on this server finds it under Play.");
  showTools();
  return game;
}

async function playIt() {
  await saveNow();
  const game = picture.header.find((/** @type {any} */ one) => one.kind === "players");
  const seats = ["person", ...Array(Math.max(1, (game?.low ?? 2) - 1)).fill("normal")].slice(0, Math.max(game?.low ?? 2, 1));
  const { id: table } = await api("POST", "/api/tables", { game: `draft-${id}`, seats, options: {}, open: false });
  location.href = `/table/${table}`;
}

// --- keys

addEventListener("keydown", (event) => {
  if (document.querySelector("dialog[open]")) return;
  const control = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  if (control && key === "z" && !event.shiftKey) {
    event.preventDefault();
    travel(past, future).catch(complain);
    return;
  }
  if (control && (key === "y" || (key === "z" && event.shiftKey))) {
    event.preventDefault();
    travel(future, past).catch(complain);
    return;
  }
  if (event.target !== view.picture) return;
  const box = view.current();
  const moves = /** @type {{[key: string]: [number, number]}} */ ({ arrowdown: [0, 1], arrowup: [0, -1], arrowleft: [-1, 0], arrowright: [1, 0] });
  const leaves = box && box.kind !== "end";
  if (moves[key] && control) view.pan(-120 * moves[key][0], -120 * moves[key][1]);
  else if (moves[key]) view.go(...moves[key], event.shiftKey);
  else if (key === "0") view.fit();
  else if (key === "." || key === ">") view.zoom(1.25);
  else if (key === "," || key === "<") view.zoom(0.8);
  else if (key === "?") showKeys().catch(complain);
  else if (control && key === "c" && box) copyBoxes();
  else if (control && key === "x" && box) {
    copyBoxes();
    deleteBoxes();
  } else if (control && key === "v" && leaves) paste(box).catch(complain);
  else if (control) return;
  else if (key === "enter" && box) editCaption(box);
  else if (key === "f" && box) refill(box).catch(complain);
  else if (key === "b" && box) tryIt.act("break", { line: box.line });
  else if (key === "l" && leaves) lead(box, box.kind === "choice" ? ["yes", "no"] : ["next"]).catch(complain);
  else if (key === "s" && box?.kind === "choice") edit({ do: "swap", line: box.line });
  else if ((key === "+" || key === "insert") && leaves) insert(box.line, box.kind === "choice" ? "yes" : "next").catch(complain);
  else if (key === "-" && box?.kind === "choice") insert(box.line, "no").catch(complain);
  else if ((key === "y" || key === "n") && box?.kind === "choice") {
    const frame = view.frames.find((one) => one.chart.name === box.chartName);
    const arrow = frame?.chart.arrows.find((one) => one.from === box.line && one.kind === (key === "y" ? "yes" : "no"));
    const to = arrow && view.selectLine(arrow.to);
    if (to) view.reveal(to);
  } else if ((key === "delete" || key === "backspace") && box) deleteBoxes();
  else if (key === "escape") view.select(null);
  else return;
  event.preventDefault();
  const now = view.current();
  if (now && moves[key]) announce(`${now.caption}${(view.findings.get(now.line) ?? []).map((one) => `. ${one.message}`).join("")}`);
});

const KEYS = [
  ["Arrow keys", "go from box to box; with Shift several are selected, with Ctrl the picture moves"], ["Y, N", "follow the yes or the no of a diamond"], ["+", "adds a box after this one"], ["−", "adds one where the answer is no"],
  ["Enter", "edits what a box says"], ["F", "fills in its sentence again"], ["L", "leads an arrow elsewhere"], ["S", "lets yes and no change places"], ["Delete", "removes boxes"], ["Ctrl+C, Ctrl+X, Ctrl+V", "copy, cut, paste"],
  ["Ctrl+Z, Ctrl+Y", "undo, redo"], ["B", "stops the game at this box, in “Try it”"], [". and ,", "larger and smaller"], ["0", "shows everything"],
];

async function showKeys() {
  await dialog("Keys", [h("dl", { class: "keys" }, KEYS.map(([key, says]) => h("div", null, h("dt", null, h("kbd", null, key)), h("dd", null, says))))], [["", "Close"]]);
  view.picture.focus({ preventScroll: true });
}

async function start() {
  showTabs();
  draft = await api("GET", `/api/drafts/${id}`);
  text = draft.text;
  pane.set(text);
  show(text, await api("POST", "/api/work/check", { text }));
  if (innerWidth < 700 && picture.charts.length > 1) {  // all of them would be too small to read
    focusedChart = picture.charts[0].name;
    view.fit(focusedChart);
    showChartTabs();
  }
  byId("saved").textContent = "saved";
  byId("saved").dataset.state = "on";
  if (tab !== "text") setTab(tab);  // chosen before there was anything to show
  clearTimeout(saving);
  saving = null;
}

start().catch((error) => {
  byId("title").textContent = sentence(error.message);
  complain(error);
});
