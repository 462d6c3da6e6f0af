// What all pages share: making elements, asking the server, WebSockets that come back, names, themes, small dialogs.
// Whatever comes from a chart or a person becomes text, never markup: `h` and `svg` only ever make text nodes.

/** @typedef {Node | string | number | null | undefined | false} Child */
/** @typedef {{[name: string]: any}} Attributes */

const SVG = "http://www.w3.org/2000/svg";

/**
 * Gives an element its attributes and children. `on...` are listeners, `class` and `data` do what one expects.
 * @template {Element} T
 * @param {T} element @param {Attributes | null} attributes @param {(Child | Child[])[]} children @returns {T}
 */
function dress(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "data") Object.assign(/** @type {any} */ (element).dataset, value);
    else if (name === "style") for (const [key, one] of Object.entries(value)) /** @type {any} */ (element).style.setProperty(key, String(one));
    else if (name === "value" || name === "checked") /** @type {any} */ (element)[name] = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return element;
}

/**
 * An HTML element.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag @param {Attributes | null} [attributes] @param {...(Child | Child[])} children @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, attributes = null, ...children) {
  return dress(document.createElement(tag), attributes, children);
}

/**
 * An SVG element.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag @param {Attributes | null} [attributes] @param {...(Child | Child[])} children @returns {SVGElementTagNameMap[K]}
 */
export function svg(tag, attributes = null, ...children) {
  return dress(document.createElementNS(SVG, tag), attributes, children);
}

/** The element with an id, which the page surely has. @param {string} id @returns {any} */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`no element ${id}`);
  return found;
}

// --- who we are

/** The secret of this browser, which makes drafts and seats ours. @returns {string} */
export function visitor() {
  let token = localStorage.getItem("fcdl.visitor");
  if (!token) {
    const bytes = crypto.getRandomValues(new Uint8Array(24));
    token = btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_");
    localStorage.setItem("fcdl.visitor", token);
  }
  return token;
}

/** @param {string} token */
export function becomeVisitor(token) {
  localStorage.setItem("fcdl.visitor", token);
}

export class ApiError extends Error {
  /** @param {string} message @param {number} status */
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

/**
 * Asks the server.
 * @param {string} method @param {string} path @param {any} [body] @returns {Promise<any>}
 */
export async function api(method, path, body) {
  let answer;
  try {
    answer = await fetch(path, {
      method,
      headers: { "x-visitor": visitor(), ...(body === undefined ? {} : { "content-type": "application/json" }) },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new ApiError("The server cannot be reached.", 0);
  }
  const kind = answer.headers.get("content-type") ?? "";
  const value = kind.startsWith("application/json") ? await answer.json() : await answer.text();
  if (!answer.ok) throw new ApiError(sentence(value.error ?? value), answer.status);
  return value;
}

/** Who we are for the server. @returns {Promise<any>} */
export async function me() {
  const found = await api("GET", "/api/me");
  if (found.name) localStorage.setItem("fcdl.name", found.name);
  return found;
}

/** @returns {string} */
export function myName() {
  return localStorage.getItem("fcdl.name") ?? "";
}

/** @param {string} name */
export async function setName(name) {
  localStorage.setItem("fcdl.name", name);
  await api("POST", "/api/me", { name });
}

/** Asks for a name if there is none yet. */
export async function askName() {
  if (myName()) return;
  const field = h("input", { id: "first-name", maxlength: 24, autocomplete: "nickname" });
  const asked = dialog("What shall the others call you?", [h("p", null, h("label", { for: "first-name" }, "Your name "), field)], [["yes", "Go on"]]);
  field.addEventListener("keydown", (event) => { if (event.key === "Enter") field.closest("dialog")?.close("yes"); });
  field.focus();
  await asked;
  await setName(field.value.trim() || "Guest");
}

/** Where others reach this server: the page's own address, unless it is one that only this machine knows. @param {any} self @returns {string} */
export function shareOrigin(self) {
  return self.address && /^(localhost|127\.|\[::1\])/.test(location.hostname) ? self.address : location.origin;
}

/** Lets others on the network in, which only works at the server's own machine. @param {any} self @returns {Promise<any>} who we are then */
export async function openNetwork(self) {
  const sure = await dialog("Let this network in?", [
    h("p", null, "Phones and computers on the same network can then play here. Each of them sees only what their seat may see."),
    h("p", null, "Drawing games will need a passphrase on other devices; this page shows it to you. It lasts until the server ends."),
  ], [["", "Cancel"], ["yes", "Let them in"]]);
  if (sure !== "yes") return self;
  await api("POST", "/api/network");
  return me();
}

// --- words

/** A message as a sentence. @param {any} text @returns {string} */
export function sentence(text) {
  const said = String(text ?? "").trim();
  if (!said) return "";
  const big = said[0].toUpperCase() + said.slice(1);
  return /[.!?…)]$/.test(big) ? big : `${big}.`;
}

/** How long ago, in words. @param {number} seconds since 1970 @returns {string} */
export function ago(seconds) {
  const passed = Date.now() / 1000 - seconds;
  const units = /** @type {const} */ ([["day", 86400], ["hour", 3600], ["minute", 60]]);
  const format = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
  for (const [unit, size] of units) if (passed >= size) return format.format(-Math.floor(passed / size), unit);
  return "just now";
}

/** @param {number} number @param {string} thing @returns {string} */
export function count(number, thing) {
  return `${number} ${thing}${number === 1 ? "" : "s"}`;
}

// --- a WebSocket that comes back

/** Milliseconds between two questions whether the server is there, and how long an answer may take. */
const PING = 20000, PATIENCE = 8000;

/**
 * Talks to the server and comes back after sleep, crashes and restarts.
 * `hello` makes the first message of every connection; `heard` gets what the server says; `state` "on", "off" or "end".
 */
export class Wire {
  /** @param {string} path @param {() => any} hello @param {(message: any) => void} heard @param {(state: string) => void} state */
  constructor(path, hello, heard, state) {
    this.path = path;
    this.hello = hello;
    this.heard = heard;
    this.state = state;
    this.tries = 0;
    this.ended = false;
    /** @type {WebSocket | null} */
    this.socket = null;
    /** @type {any} */
    this.timer = null;
    this.open();
    const wake = () => {
      if (document.visibilityState !== "visible") return;
      if (this.socket?.readyState === WebSocket.OPEN) this.ping();
      else this.again(0);
    };
    document.addEventListener("visibilitychange", wake);
    addEventListener("online", wake);
    this.heardAt = Date.now();
    setInterval(() => this.ping(), PING);
  }

  /** Asks whether the other end is still there. After sleep or a change of network a connection may look open and be dead. */
  ping() {
    const asked = Date.now();
    if (!this.send({ do: "ping" })) return;
    setTimeout(() => {
      if (this.heardAt < asked) this.drop();
    }, PATIENCE);
  }

  /** Gives a connection up and makes a new one. */
  drop() {
    const dead = this.socket;
    this.socket = null;
    dead?.close();
    if (this.ended) return;
    this.state("off");
    this.again(0);
  }

  open() {
    if (this.ended || (this.socket && this.socket.readyState <= WebSocket.OPEN)) return;
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${this.path}`);
    this.socket = socket;
    socket.onopen = () => {
      if (socket !== this.socket) return;
      this.tries = 0;
      this.heardAt = Date.now();
      socket.send(JSON.stringify(this.hello()));
      this.state("on");
    };
    socket.onmessage = (event) => {
      if (socket !== this.socket) return;
      this.heardAt = Date.now();
      const message = JSON.parse(event.data);
      if (message.do === "fatal") {
        this.ended = true;
        this.state("end");
      }
      if (message.do !== "pong") this.heard(message);
    };
    socket.onclose = () => {
      if (this.ended || socket !== this.socket) return;
      this.state("off");
      this.again(Math.min(8000, 300 * 2 ** this.tries++) * (0.7 + 0.6 * Math.random()));
    };
  }

  /** @param {number} wait milliseconds */
  again(wait) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.open(), wait);
  }

  /** Sends a message; false if there is no connection now. @param {any} message @returns {boolean} */
  send(message) {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  close() {
    this.ended = true;
    this.socket?.close();
  }
}

// --- what is said to the person

let live = /** @type {HTMLElement | null} */ (null);

/** Tells a screen reader. @param {string} text */
export function announce(text) {
  if (!live) {
    live = h("div", { class: "unseen", "aria-live": "polite", role: "status", id: "live" });
    document.body.append(live);
  }
  live.append(h("p", null, text));
  while (live.childNodes.length > 6) live.firstChild?.remove();
}

/** Shows a short message for a while. @param {string} text @param {"note" | "bad"} [kind] */
export function toast(text, kind = "note") {
  if (!text) return;
  let place = document.getElementById("toasts");
  if (!place) {
    place = h("div", { id: "toasts", "aria-hidden": "true" });
    document.body.append(place);
  }
  if (place.lastChild?.textContent === text) return;
  const one = h("div", { class: `toast ${kind}` }, text);
  place.append(one);
  while (place.childNodes.length > 3) place.firstChild?.remove();
  announce(text);
  setTimeout(() => one.remove(), 3000 + 45 * text.length);
}

/** @param {any} error */
export function complain(error) {
  toast(sentence(error?.message ?? error), "bad");
}

/**
 * A dialog with a title, anything inside, and buttons; resolves with the value of the button that closed it.
 * @param {string} title @param {Child[]} content @param {[string, string][]} buttons value and text @param {string} [kind] @returns {Promise<string>}
 */
export function dialog(title, content, buttons, kind = "") {
  return new Promise((resolve) => {
    const heading = h("h2", { id: "dialog-title" }, title);
    const foot = h("footer", null, buttons.map(([value, text], number) =>
      h("button", { class: number === buttons.length - 1 ? "main" : "", onclick: () => box.close(value) }, text)));
    const cross = h("button", { class: "cross", "aria-label": "Close", onclick: () => box.close("") }, "×");
    const box = h("dialog", { class: kind, "aria-labelledby": "dialog-title" }, h("header", null, heading, cross), h("div", { class: "inside" }, content), foot);
    box.addEventListener("close", () => {
      box.remove();
      resolve(box.returnValue);
    });
    box.addEventListener("click", (event) => {
      if (event.target === box) box.close("");
    });
    document.body.append(box);
    box.showModal();
  });
}

/** Copies a text, and says so. @param {string} text */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    toast("Copied.");
  } catch {
    const area = h("textarea", { value: text });
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
    toast("Copied.");
  }
}

/** Saves something as a file. @param {BlobPart} data @param {string} name @param {string} type */
export function download(data, name, type) {
  const address = URL.createObjectURL(new Blob([data], { type }));
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 5000);
}

/** A QR code of a link, as a picture. @param {string} link @returns {Promise<HTMLImageElement>} */
export async function qrCode(link) {
  const answer = await fetch("/api/qr", {
    method: "POST", headers: { "x-visitor": visitor(), "content-type": "application/json" }, body: JSON.stringify({ text: link }),
  });
  const text = await answer.text();
  const image = h("img", { alt: `QR code of ${link}`, class: "qr" });
  image.src = `data:image/svg+xml;base64,${btoa(text)}`;
  return image;
}

// --- light and dark

const THEMES = ["auto", "light", "dark"];

/** Sets the theme that was chosen here before; gives a button that changes it. @returns {HTMLButtonElement} */
export function themeButton() {
  const names = { auto: "Theme: as the system", light: "Theme: light", dark: "Theme: dark" };
  const signs = { auto: "◐", light: "☀", dark: "☾" };
  let theme = localStorage.getItem("fcdl.theme") ?? "auto";
  const button = h("button", { class: "icon", onclick: () => show(THEMES[(THEMES.indexOf(theme) + 1) % 3]) });
  /** @param {string} wanted */
  function show(wanted) {
    theme = wanted;
    localStorage.setItem("fcdl.theme", theme);
    document.documentElement.dataset.theme = theme;
    button.textContent = /** @type {any} */ (signs)[theme];
    button.title = /** @type {any} */ (names)[theme];
    button.setAttribute("aria-label", button.title);
  }
  show(THEMES.includes(theme) ? theme : "auto");
  return button;
}

/** @returns {boolean} */
export function reducedMotion() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
