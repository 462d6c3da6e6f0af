// Small pictures of numbers: bars with intervals, and how often something came.

import { h, svg } from "./common.js";

/** Shares by seat, with their intervals and a line for what would be fair. @param {string} title @param {{name: string, share: number, low: number, high: number}[]} rows @param {number | null} fair */
export function shares(title, rows, fair) {
  const height = 30 * rows.length + 24;
  return h("figure", { class: "plot" }, h("figcaption", null, title), svg("svg", { viewBox: `0 0 320 ${height}`, role: "img", "aria-label": `${title}: ${rows.map((row) => `${row.name} ${Math.round(100 * row.share)} percent`).join(", ")}` },
    rows.map((row, number) => [
      svg("text", { x: 0, y: 30 * number + 17, class: "axis" }, row.name),
      svg("rect", { x: 70, y: 30 * number + 4, width: Math.max(1, 200 * row.share), height: 18, rx: 3, class: "bar-fill" }),
      svg("path", { d: `M${70 + 200 * row.low} ${30 * number + 13}H${70 + 200 * row.high}M${70 + 200 * row.low} ${30 * number + 9}v8M${70 + 200 * row.high} ${30 * number + 9}v8`, class: "whisker" }),
      svg("text", { x: 316, y: 30 * number + 17, class: "axis", "text-anchor": "end" }, `${Math.round(100 * row.share)} %`),
    ]).flat(),
    fair === null ? [] : [svg("path", { d: `M${70 + 200 * fair} 0V${height - 22}`, class: "fair" }), svg("text", { x: 70 + 200 * fair, y: height - 8, "text-anchor": "middle", class: "axis" }, "fair")]));
}

/** How often numbers came. @param {string} title @param {[number, number, number][]} bars from, to, how often @param {string} what */
export function histogram(title, bars, what) {
  if (!bars.length) return h("figure", { class: "plot" }, h("figcaption", null, title), h("p", null, "nothing to show"));
  const most = Math.max(...bars.map((bar) => bar[2]), 1), width = Math.min(40, 300 / bars.length);
  const total = bars.reduce((sum, bar) => sum + bar[2], 0);
  const first = bars[0][0], last = bars[bars.length - 1][1];
  return h("figure", { class: "plot" }, h("figcaption", null, title), svg("svg", { viewBox: "0 0 320 120", role: "img", "aria-label": `${title}: from ${first} to ${last} ${what}` },
    bars.map(([from, to, count], number) => svg("rect", { x: 10 + number * width + 0.500, y: 96 - (88 * count) / most, width: Math.max(1, width - 1), height: Math.max(count ? 1 : 0, (88 * count) / most), class: "bar-fill" }, svg("title", null, `${from === to ? from : `${from} to ${to}`} ${what}: ${count} of ${total}`))),
    svg("path", { d: "M10 96.500H310", class: "whisker" }),
    svg("text", { x: 10, y: 114, class: "axis" }, first), svg("text", { x: 310, y: 114, class: "axis", "text-anchor": "end" }, last), svg("text", { x: 160, y: 114, class: "axis", "text-anchor": "middle" }, what)));
}
