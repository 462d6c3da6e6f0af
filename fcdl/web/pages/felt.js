// The table as a picture: seats around it, what lies on it, and cards that move to their new places.
// It draws a view, which is all that the seat may see, and knows nothing else.

import { back, card, shortName, spokenName } from "./cards.js";
import { h, reducedMotion } from "./common.js";

/** @typedef {{name: string, owner: number | null, zone: string, key: string, count: number, cards: (string | null)[], top: string | null, up: boolean}} Pile */
/** @typedef {{hand: string[], piles: Pile[], values: [string, string][], seatValues: [string, string][][], scores: string[], played: [number, string][], lastTrick: [number, string][], taker: number | null, seats: string[], faceUp?: boolean}} View */
/** @typedef {(code: string) => {on: boolean, pressed: boolean | null, pick: () => void} | null} Picks what a click on a card does, asked for one card after another */
/** @typedef {{seat: number, name: string, tag: string, you: boolean, away: boolean, turn: boolean}} Plate */

const FEW = 8;
const SLOTS = 16;
const MOVE = 380;

/** Where a seat is around the table: one's own at the bottom, the next to its left. @param {number} number @param {number} seat @param {number} players */
function angleOf(number, seat, players) {
  return Math.PI / 2 + (2 * Math.PI * ((number - seat + players) % players)) / players;
}

/** Keys as one would put them in a row: numbers by size. @param {string} a @param {string} b */
function byNumber(a, b) {
  return a.localeCompare(b, "en", { numeric: true });
}

export class Felt {
  /** @param {HTMLElement} place @param {any} game */
  constructor(place, game) {
    this.place = place;
    this.game = game;
    /** @type {Map<string, DOMRect>} */
    this.before = new Map();
    /** @type {Picks} */
    this.picks = () => null;
  }

  /** @param {string} code */
  face(code) {
    return card(code, this.game.cards, this.game.suits);
  }

  /** A card, which can be picked if it is to be. @param {string | null} code */
  slot(code) {
    if (!code) return h("span", { class: "slot" }, back());
    const pick = this.picks(code);
    if (!pick) return h("span", { class: "slot", data: { card: code } }, this.face(code));
    return h("button", { class: `slot own legal${pick.on ? " ticked" : ""}`, data: { card: code }, "aria-pressed": pick.pressed === null ? null : String(pick.pressed), onclick: pick.pick },
      this.face(code), h("span", { class: "unseen" }, spokenName(code, this.game.cards)));
  }

  /**
   * Shows a view. `seat` is at the bottom.
   * @param {View} view @param {Plate[]} plates @param {number} seat @param {boolean} withHand whether the bottom seat's hand is shown here, too @param {Picks} [picks]
   */
  show(view, plates, seat, withHand, picks = () => null) {
    this.picks = picks;
    const players = plates.length;
    const boxes = plates.map((plate) => {
      return this.seatBox(view, plate, angleOf(plate.seat, seat, players), withHand);
    });
    const shared = view.piles.filter((pile) => pile.owner === null);
    // Where tricks are played the middle is theirs: what belongs to nobody lies aside. A table for two has room for both.
    const aside = this.game.middle && players > 2;
    const centre = h("div", { class: aside ? "aside" : "centre" },
      shared.length ? h("div", { class: "shared" }, shared.map((pile) => this.pile(pile, pile.zone === "stack" ? 1 : 14))) : null);
    const values = view.values.length ? [h("dl", { class: "values" }, view.values.map(([name, value]) => h("div", null, h("dt", null, name), h("dd", null, this.words(value, plates)))))] : [];
    const fronts = plates.map((plate) => this.front(view, plate, seat, players));
    const old = this.before;
    const ghosts = this.leaving(view);
    this.place.style.setProperty("--seats", String(players));
    this.place.dataset.seats = String(players);
    this.place.replaceChildren(centre, ...values, ...boxes, ...fronts);
    this.remember();
    if (!reducedMotion() && document.visibilityState === "visible") this.animate(old, ghosts, view);
  }

  /** A value with the names of players in it. @param {string} value @param {Plate[]} plates */
  words(value, plates) {
    return value.replace(/\bplayer (\d)\b/g, (whole, number) => plates[Number(number)]?.name ?? whole);
  }

  /** What lies face up before a player, on the way to the middle. @param {View} view @param {Plate} plate @param {number} seat @param {number} players */
  front(view, plate, seat, players) {
    const angle = angleOf(plate.seat, seat, players);
    const slots = this.slots(view, plate.seat);
    const piles = view.piles.filter((pile) => pile.owner === plate.seat && pile.zone !== "hand" && this.isFront(pile) && !slots.includes(pile));
    return h("div", { class: "front", data: { owner: String(plate.seat) }, style: { "--x": Math.cos(angle).toFixed(4), "--y": Math.sin(angle).toFixed(4) } },
      piles.map((pile) => this.pile(pile, FEW)));
  }

  /** The places of a player that have numbers or other keys, if they are not too many: they lie in a row, face up or down. @param {View} view @param {number} seat */
  slots(view, seat) {
    const found = view.piles.filter((pile) => pile.owner === seat && pile.key !== "");
    return found.length <= SLOTS ? found : [];
  }

  /** @param {View} view @param {Plate} plate @param {number} angle @param {boolean} withHand */
  seatBox(view, plate, angle, withHand) {
    const own = view.piles.filter((pile) => pile.owner === plate.seat);
    const hand = own.find((pile) => pile.zone === "hand");
    const slots = this.slots(view, plate.seat);
    const rest = own.filter((pile) => pile.zone !== "hand" && !this.isFront(pile) && !slots.includes(pile));
    const values = view.seatValues[plate.seat] ?? [];
    const score = view.scores[plate.seat];
    const x = Math.cos(angle), y = Math.sin(angle);
    const fan = hand && (!plate.you || withHand) ? this.fan(hand) : null;
    return h("div", { class: `seat${plate.turn ? " turn" : ""}${plate.away ? " away" : ""}${plate.you ? " you" : ""}`, data: { seat: String(plate.seat) }, style: { "--x": x.toFixed(4), "--y": y.toFixed(4) } },
      h("div", { class: "plate" },
        h("div", { class: "who" }, h("span", { class: "dot", "aria-hidden": "true" }, (plate.name[0] ?? "?").toUpperCase()),
          h("span", { class: "name" }, plate.name, plate.tag ? h("small", null, ` ${plate.tag}`) : null),
          h("span", { class: "score", title: "score" }, score)),
        view.seats[plate.seat] ? h("div", { class: "seat-values" }, view.seats[plate.seat]) : null,
        values.length ? h("div", { class: "seat-values" }, values.map(([name, value]) => h("span", null, `${name} `, h("b", null, value)))) : null,
        rest.length ? h("div", { class: "won" }, rest.map((pile) => h("span", { class: "chip", data: { pile: `${pile.zone}` } }, `${pile.name} ${pile.count}`))) : null,
        plate.turn ? h("span", { class: "unseen" }, "It is their turn.") : null),
      fan,
      slots.length ? h("div", { class: "slots" }, [...new Set(slots.map((pile) => pile.key))].sort(byNumber).map((key) =>
        h("div", { class: "slot-place" }, slots.filter((pile) => pile.key === key).map((pile) => this.pile(pile, FEW, key))))) : null);
  }

  /** Whether a pile lies face up before its player. @param {Pile} pile */
  isFront(pile) {
    return pile.up && pile.cards.length > 0 && pile.count <= FEW && pile.zone !== "won";
  }

  /** Somebody's hand: backs, or faces where they are seen. @param {Pile} hand */
  fan(hand) {
    const known = hand.cards.some((one) => one !== null);
    const shown = known ? hand.cards : Array(Math.min(hand.count, 13)).fill(null);
    return h("div", { class: known ? "fan faces" : "fan", role: "img", "aria-label": `${hand.count} cards` },
      shown.map((code) => h("span", { class: "slot", data: code ? { card: code } : {} }, code ? this.face(code) : back())),
      h("span", { class: "number", "aria-hidden": "true" }, hand.count));
  }

  /** A pile: all its cards if they are few and seen, else the top one and how many. @param {Pile} pile @param {number} few @param {string} [name] */
  pile(pile, few, name = pile.zone === "middle" ? "" : pile.name) {
    const all = pile.cards.length > 0 && pile.count <= few && pile.cards.every((one) => one !== null);
    const codes = all ? pile.cards : [pile.top];
    const spread = all && pile.count > 1;
    const says = `${pile.name}: ${pile.count}${all ? ` (${codes.map((code) => shortName(String(code), this.game.cards)).join(" ")})` : ""}`;
    const slots = codes.map((code) => this.slot(code));
    const open = slots.some((slot) => slot.tagName === "BUTTON");
    return h("div", { class: `pile${spread ? " spread" : ""}${open ? " open" : ""}${!all && pile.count > 1 ? " thick" : ""}`, title: says, role: open ? "group" : "img", "aria-label": says },
      h("div", { class: "cards-of" }, slots),
      name ? h("span", { class: "pile-name" }, `${name}${pile.count > 1 ? ` ${pile.count}` : ""}`) : null);
  }

  // --- movement

  remember() {
    this.before = new Map();
    for (const slot of document.querySelectorAll("[data-card]")) {
      const code = /** @type {HTMLElement} */ (slot).dataset.card ?? "";
      this.before.set(code, slot.getBoundingClientRect());
    }
  }

  /** Cards of the middle that are about to go: where they lie, and to whom they go. @param {View} next */
  leaving(next) {
    const still = new Set(next.piles.flatMap((pile) => (this.isFront(pile) || pile.owner === null ? pile.cards : [])));
    const ghosts = [];
    for (const slot of this.place.querySelectorAll(".front [data-card]")) {
      const code = /** @type {HTMLElement} */ (slot).dataset.card ?? "";
      if (still.has(code)) continue;
      const pile = next.piles.find((one) => one.cards.includes(code) && one.owner !== null);
      ghosts.push({ code, rect: slot.getBoundingClientRect(), owner: pile?.owner ?? null });
    }
    return ghosts;
  }

  /** @param {Map<string, DOMRect>} old @param {{code: string, rect: DOMRect, owner: number | null}[]} ghosts @param {View} view */
  animate(old, ghosts, view) {
    for (const element of this.place.querySelectorAll("[data-card]")) {
      const slot = /** @type {HTMLElement} */ (element);
      const code = slot.dataset.card ?? "";
      const owner = /** @type {HTMLElement | null} */ (slot.closest(".front"))?.dataset.owner;
      const from = old.get(code) ?? (owner === undefined ? undefined : this.place.querySelector(`.seat[data-seat="${owner}"] .plate`)?.getBoundingClientRect());
      if (!from) continue;
      const to = slot.getBoundingClientRect();
      const dx = from.left + from.width / 2 - to.left - to.width / 2, dy = from.top + from.height / 2 - to.top - to.height / 2;
      if (Math.abs(dx) + Math.abs(dy) < 3) continue;
      const turn = old.has(code) ? 0 : 8;
      slot.animate([{ transform: `translate(${dx}px, ${dy}px) rotate(${turn}deg)`, zIndex: 5 }, { transform: "none", zIndex: 5 }], { duration: MOVE, easing: "cubic-bezier(.2,.7,.2,1)" });
    }
    for (const ghost of ghosts) {
      if (view.piles.some((pile) => pile.owner === null && pile.cards.includes(ghost.code))) continue;
      const target = (ghost.owner === null ? this.place.querySelector(".centre, .aside") : this.place.querySelector(`.seat[data-seat="${ghost.owner}"] .plate`))?.getBoundingClientRect();
      if (!target) continue;
      const flying = h("span", { class: "ghost", style: { left: `${ghost.rect.left}px`, top: `${ghost.rect.top}px`, width: `${ghost.rect.width}px`, height: `${ghost.rect.height}px` } }, this.face(ghost.code));
      document.body.append(flying);
      const dx = target.left + target.width / 2 - ghost.rect.left - ghost.rect.width / 2, dy = target.top + target.height / 2 - ghost.rect.top - ghost.rect.height / 2;
      flying.animate([{ transform: "none", opacity: 1 }, { transform: `translate(${dx}px, ${dy}px) scale(.4)`, opacity: 0.1 }], { duration: MOVE + 120, easing: "ease-in" }).finished.finally(() => flying.remove());
    }
  }
}
