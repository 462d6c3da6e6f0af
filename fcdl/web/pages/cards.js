// Playing cards, drawn here: any rank and any suit that a chart may have.

import { svg } from "./common.js";

/** @typedef {{[code: string]: [string, string]}} Faces rank and suit of each card */

const PATHS = /** @type {{[suit: string]: string}} */ ({
  hearts: "M0 46C-10 30-48 12-48-17C-48-38-32-46-20-46C-10-46-3-39 0-29C3-39 10-46 20-46C32-46 48-38 48-17C48 12 10 30 0 46Z",
  diamonds: "M0-50C10-28 24-12 38 0C24 12 10 28 0 50C-10 28-24 12-38 0C-24-12-10-28 0-50Z",
  spades: "M0-50C8-30 48-14 48 16C48 34 36 40 26 40C16 40 9 35 5 27C6 38 11 46 20 50H-20C-11 46-6 38-5 27C-9 35-16 40-26 40C-36 40-48 34-48 16C-48-14-8-30 0-50Z",
  clubs: "M0-50C14-50 23-40 23-28C23-20 19-14 14-9C19-13 25-14 29-14C41-14 50-5 50 8C50 21 41 30 29 30C18 30 9 24 5 15C5 34 10 44 19 50H-19C-10 44-5 34-5 15C-9 24-18 30-29 30C-41 30-50 21-50 8C-50-5-41-14-29-14C-25-14-19-13-14-9C-19-14-23-20-23-28C-23-40-14-50 0-50Z",
});
const OTHER = [
  "M0-48L14-15L48-15L21 7L31 42L0 21L-31 42L-21 7L-48-15L-14-15Z",
  "M-40-40H40V40H-40Z",
  "M0-46A46 46 0 1 1 0 46A46 46 0 1 1 0-46Z",
  "M0-46L44 36H-44Z",
  "M-16-46H16V-16H46V16H16V46H-16V16H-46V-16H-16Z",
  "M0-50L25-43L43-25L50 0L43 25L25 43L0 50L-25 43L-43 25L-50 0L-43-25L-25-43Z",
];
const COLOURS = /** @type {{[suit: string]: string}} */ ({ hearts: "red", diamonds: "red", spades: "black", clubs: "black" });
const SIGNS = /** @type {{[suit: string]: string}} */ ({ hearts: "♥", diamonds: "♦", spades: "♠", clubs: "♣" });
const LETTERS = /** @type {{[rank: string]: string}} */ ({ ace: "A", king: "K", queen: "Q", jack: "J" });

// Where the pips of a card lie: columns -1, 0, 1 and heights from -1 (top) to 1.
const PIPS = /** @type {{[rank: string]: [number, number][]}} */ ({
  2: [[0, -1], [0, 1]],
  3: [[0, -1], [0, 0], [0, 1]],
  4: [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]],
  6: [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
  7: [[-1, -1], [1, -1], [0, -0.5], [-1, 0], [1, 0], [-1, 1], [1, 1]],
  8: [[-1, -1], [1, -1], [0, -0.5], [-1, 0], [1, 0], [0, 0.5], [-1, 1], [1, 1]],
  9: [[-1, -1], [1, -1], [-1, -0.34], [1, -0.34], [0, 0], [-1, 0.34], [1, 0.34], [-1, 1], [1, 1]],
  10: [[-1, -1], [1, -1], [0, -0.67], [-1, -0.34], [1, -0.34], [-1, 0.34], [1, 0.34], [0, 0.67], [-1, 1], [1, 1]],
});

/** @param {string} suit @param {string[]} suits @returns {string} */
function shape(suit, suits) {
  return PATHS[suit] ?? OTHER[Math.max(0, suits.indexOf(suit)) % OTHER.length];
}

/** @param {string} suit @param {string[]} suits @returns {string} */
function colour(suit, suits) {
  return COLOURS[suit] ?? ["black", "red", "blue", "green", "violet", "brown"][Math.max(0, suits.indexOf(suit)) % 6];
}

/** @param {string} rank @returns {string} */
function letter(rank) {
  return LETTERS[rank] ?? rank;
}

/** A suit's sign alone. @param {string} suit @param {string[]} suits @returns {SVGSVGElement} */
export function suitSign(suit, suits) {
  return svg("svg", { viewBox: "-55 -55 110 110", class: `suit ${colour(suit, suits)}`, "aria-hidden": "true" },
    svg("path", { d: shape(suit, suits) }));
}

/** A card in a sentence: Q♥. @param {string} code @param {Faces} faces @returns {string} */
export function shortName(code, faces) {
  const face = faces[code];
  return face && SIGNS[face[1]] ? `${letter(face[0])}${SIGNS[face[1]]}` : code;
}

/** A card as one says it. @param {string} code @param {Faces} faces @returns {string} */
export function spokenName(code, faces) {
  const face = faces[code];
  return face ? `${face[0]} of ${face[1]}` : code;
}

/** @param {string} code @param {Faces} faces @returns {string} */
export function cardColour(code, faces) {
  return faces[code] ? colour(faces[code][1], []) : "black";
}

/** A card face up. @param {string} code @param {Faces} faces @param {string[]} [suits] @returns {SVGSVGElement} */
export function card(code, faces, suits = []) {
  const face = faces[code] ?? [code, ""];
  const [rank, suit] = face;
  const d = shape(suit, suits);
  const name = letter(rank);
  /** @param {number} x @param {number} y @param {number} size @param {boolean} [down] */
  const pip = (x, y, size, down = false) =>
    svg("path", { d, transform: `translate(${x} ${y}) scale(${size / 100})${down ? " rotate(180)" : ""}` });
  const corner = () => [
    svg("text", { x: 14, y: name.length > 2 ? 20 : 24, "text-anchor": "middle", "font-size": name.length > 2 ? 11 : name.length > 1 ? 20 : 23, class: "index",
      ...(name.length > 2 ? { "text-anchor": "start", x: 7 } : {}), ...(name.length > 1 && name.length < 3 ? { textLength: 19, lengthAdjust: "spacingAndGlyphs" } : {}) }, name.length > 9 ? `${name.slice(0, 8)}…` : name),
    pip(14, name.length > 2 ? 33 : 38, 18),
  ];
  const parts = [
    svg("rect", { x: 0.75, y: 0.75, width: 98.5, height: 138.5, rx: 8, class: "paper" }),
    ...corner(),
    svg("g", { transform: "rotate(180 50 70)" }, corner()),
  ];
  if (PIPS[rank]) {
    for (const [x, y] of PIPS[rank]) parts.push(pip(51 + 17 * x, 70 + 44 * y, rank === "10" || rank === "9" ? 20 : 21, y > 0.01));
  } else if (rank === "ace") {
    parts.push(pip(50, 70, 52));
  } else if (LETTERS[rank]) {
    parts.push(svg("rect", { x: 25, y: 17, width: 50, height: 106, rx: 3, class: "panel" }));
    const half = () => court(rank, d);
    parts.push(svg("g", null, half()), svg("g", { transform: "rotate(180 50 70)" }, half()));
    parts.push(svg("path", { d: "M25 76L75 64", class: "stroke" }));
  } else {
    parts.push(pip(50, 62, 44));
    parts.push(svg("text", { x: 50, y: 104, "text-anchor": "middle", "font-size": Math.min(15, 120 / Math.max(4, rank.length)), class: "index" }, rank.length > 12 ? `${rank.slice(0, 11)}…` : rank));
  }
  return svg("svg", { viewBox: "0 0 100 140", class: `card ${colour(suit, suits)}`, "aria-hidden": "true" }, parts);
}

/** The upper half of a court card, from simple shapes. @param {string} rank @param {string} d the suit @returns {SVGElement[]} */
function court(rank, d) {
  const head = [
    svg("path", { d: "M32 70C32 58 40 52 50 52C60 52 68 58 68 70Z", class: "cloth" }),
    svg("path", { d: "M43 54L50 70L57 54Z", class: "gold" }),
    svg("circle", { cx: 50, cy: 43, r: 9.5, class: "skin" }),
    svg("path", { d: "M46.5 43.2h.01M53.5 43.2h.01", class: "eye" }),
    svg("path", { d: "M47.5 47.6Q50 49.4 52.5 47.6", class: "mouth" }),
    svg("path", { d, transform: "translate(34.5 28) scale(.13)" }),
  ];
  if (rank === "king") {
    head.push(svg("path", { d: "M40 36V24L45 30L50 21L55 30L60 24V36Z", class: "gold" }));
    head.push(svg("path", { d: "M41 46C41 58 46 60 50 60C54 60 59 58 59 46C57 51 54 52 50 50.5C46 52 43 51 41 46Z", class: "hair" }));
  } else if (rank === "queen") {
    head.push(svg("path", { d: "M40.5 41C37 50 38 56 41 60C42.5 55 42 47 42 41ZM59.5 41C63 50 62 56 59 60C57.500 55 58 47 58 41Z", class: "hair" }));
    head.push(svg("path", { d: "M40 38C39 29 45 26 50 23C55 26 61 29 60 38C56 33 44 33 40 38Z", class: "gold" }));
    head.push(svg("circle", { cx: 50, cy: 22.5, r: 2.6, class: "gold" }));
  } else {
    head.push(svg("path", { d: "M39 38C39 28 46 25 53 26C60 27 62 33 61 38C55 35 45 35 39 38Z", class: "cloth" }));
    head.push(svg("path", { d: "M58 30C63 22 67 22 69 24C67 28 63 31 59 33Z", class: "gold" }));
    head.push(svg("path", { d: "M40.5 39C39 45 40 48 41.500 50L42 40ZM59.5 39C61 45 60 48 58.500 50L58 40Z", class: "hair" }));
  }
  return head;
}

/** A card face down. @returns {SVGSVGElement} */
export function back() {
  const lines = [];
  for (let i = -6; i < 14; i++) lines.push(`M${i * 12 - 70} 140L${i * 12 + 70} 0M${i * 12 - 70} 0L${i * 12 + 70} 140`);
  const id = "clip";
  return svg("svg", { viewBox: "0 0 100 140", class: "card back", "aria-hidden": "true" },
    svg("rect", { x: 0.75, y: 0.75, width: 98.5, height: 138.5, rx: 8, class: "paper" }),
    svg("svg", { x: 7, y: 7, width: 86, height: 126, viewBox: "7 7 86 126", overflow: "hidden", "data-part": id },
      svg("rect", { x: 7, y: 7, width: 86, height: 126, rx: 4, class: "backside" }),
      svg("path", { d: lines.join(""), class: "lattice" })),
    svg("rect", { x: 7, y: 7, width: 86, height: 126, rx: 4, class: "backline" }));
}
