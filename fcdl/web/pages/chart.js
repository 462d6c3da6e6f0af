// The flowchart on the screen: boxes and arrows where the server's layout puts them, to look at and to take hold of.
// It shows a picture (see picture.py) and says what the person wants (`wants`); it never changes the chart itself.

import { h, reducedMotion, svg } from "./common.js";

/** @typedef {{line: number, endLine: number, kind: string, decision: boolean, private: boolean, caption: string, label: string | null, chart: string | null, rect: number[], lines: string[]}} Box */
/** @typedef {{from: number, to: number, kind: string, points: number[][]}} Arrow */
/** @typedef {{name: string, line: number | null, width: number, height: number, boxes: Box[], arrows: Arrow[], labels: any[], tooLarge?: boolean}} Chart */
/** @typedef {Box & {id: string, x: number, y: number, w: number, h: number, chartName: string}} Placed */

const GAP = 46;
const HEAD = 40;
const PAD = 26;
const MOVE = 350;

export class ChartView {
  /**
   * @param {HTMLElement} place
   * @param {{select: (box: Placed | null) => void, edit: (box: Placed) => void, insert: (line: number, arrow: string) => void, connect: (line: number, arrow: string, to: number) => void, breakpoint: (line: number) => void, chart: (name: string) => void}} wants
   */
  constructor(place, wants) {
    this.place = place;
    this.wants = wants;
    /** @type {Placed[]} */
    this.boxes = [];
    /** @type {{chart: Chart, x: number, y: number, w: number, h: number}[]} */
    this.frames = [];
    /** @type {Map<string, SVGGElement>} */
    this.elements = new Map();
    /** @type {Map<number, any[]>} */
    this.findings = new Map();
    this.selected = /** @type {string | null} */ (null);
    /** @type {Set<string>} boxes that are selected besides */
    this.also = new Set();
    /** @type {Map<string, number[][]>} where arrows were, by their boxes */
    this.paths = new Map();
    /** @type {{at?: number | null, calls?: (number | null)[], breakpoints?: (number | null)[]}} */
    this.lit = {};
    this.fitted = "";
    this.touched = false;
    this.scale = 1;
    this.x = 0;
    this.y = 0;
    this.ids = 0;
    this.fresh = true;
    this.size = { w: 100, h: 100 };
    this.layers = { frames: svg("g"), arrows: svg("g", { class: "arrows" }), boxes: svg("g"), handles: svg("g", { class: "handles" }), drag: svg("g") };
    this.world = svg("g", null, ...Object.values(this.layers));
    this.picture = svg("svg", { class: "canvas", role: "application", "aria-label": "The flowchart. Arrow keys go from box to box, Enter edits, plus adds a box.", tabindex: 0 }, this.world);
    this.map = svg("svg", { class: "minimap", "aria-hidden": "true" });
    const zoom = h("div", { class: "zoom" },
      h("button", { "aria-label": "Larger", onclick: () => this.zoom(1.25) }, "+"),
      h("button", { "aria-label": "Smaller", onclick: () => this.zoom(0.8) }, "−"),
      h("button", { "aria-label": "Show everything", title: "Show everything (0)", onclick: () => this.fit() }, "⤢"));
    place.append(this.picture, this.map, zoom);
    this.listen();
    new ResizeObserver(() => { if (this.touched) this.showMap(); else this.fit(this.fitted); }).observe(place);
  }

  // --- what is shown

  /** Shows a picture; boxes that stay move to their new places. @param {{charts: Chart[], findings: any[]}} picture */
  show(picture) {
    const old = this.boxes;
    this.placeFrames(picture.charts);
    this.boxes = [];
    for (const { chart, x, y, w: wide } of this.frames) {
      const left = x + (wide - chart.width) / 2;
      const before = old.filter((box) => box.chartName === chart.name);
      const ids = match(before.map((box) => box.caption), chart.boxes.map((box) => box.caption));
      chart.boxes.forEach((box, number) => {
        const same = ids[number];
        const [bx, by, w, height] = box.rect;
        this.boxes.push({ ...box, id: same === null ? `b${++this.ids}` : before[same].id, chartName: chart.name, x: left + bx, y: y + HEAD + by, w, h: height });
      });
    }
    this.findings = new Map();
    for (const finding of picture.findings) {
      if (finding.line === null) continue;
      const box = this.boxes.find((one) => one.line <= finding.line && finding.line <= one.endLine);
      if (box) this.findings.set(box.line, [...(this.findings.get(box.line) ?? []), finding]);
    }
    this.draw();
    if (this.boxes.length && !this.touched) this.fit(this.fitted);
    this.fresh &&= !this.boxes.length;
  }

  /** Puts the charts on one page, in rows. @param {Chart[]} charts */
  placeFrames(charts) {
    this.frames = [];
    const total = charts.reduce((sum, chart) => sum + chart.width + 2 * PAD + GAP, 0);
    const limit = Math.max(900, Math.sqrt(total * Math.max(...charts.map((chart) => chart.height + HEAD + PAD), 1)) * 1.25);
    let x = 0, y = 0, row = 0;
    for (const chart of charts) {
      const w = Math.max(chart.width, 9 * chart.name.length + 40, 160) + 2 * PAD, height = chart.height + HEAD + PAD;
      if (x > 0 && x + w > limit) {
        x = 0;
        y += row + GAP;
        row = 0;
      }
      this.frames.push({ chart, x, y, w, h: height });
      x += w + GAP;
      row = Math.max(row, height);
    }
    this.size = { w: Math.max(...this.frames.map((one) => one.x + one.w), 100), h: Math.max(...this.frames.map((one) => one.y + one.h), 100) };
  }

  draw() {
    const { frames, arrows, handles } = this.layers;
    frames.replaceChildren(...this.frames.map(({ chart, x, y, w, h: height }) => svg("g", null,
      svg("rect", { x, y, width: w, height, rx: 14, class: "frame" }),
      svg("text", { x: x + 18, y: y + 26, class: "frame-name", onclick: () => this.wants.chart(chart.name) }, chart.name, chart.tooLarge ? " (too large to draw while you type)" : ""))));
    arrows.replaceChildren();
    handles.replaceChildren();
    const paths = this.paths;
    this.paths = new Map();
    const ids = new Map(this.boxes.map((box) => [box.line, box.id]));
    for (const { chart, x, y, w } of this.frames) {
      const dx = x + (w - chart.width) / 2, dy = y + HEAD;
      for (const arrow of chart.arrows) this.drawArrow(arrow, dx, dy, `${ids.get(arrow.from)} ${arrow.kind}`, paths);
      for (const label of chart.labels) arrows.append(svg("text", { x: dx + label.x, y: dy + label.y + 10.5, class: "answer" }, label.text));
    }
    const gone = new Map(this.elements);
    for (const box of this.boxes) {
      gone.delete(box.id);
      this.drawBox(box);
    }
    for (const [id, element] of gone) {
      element.remove();
      this.elements.delete(id);
    }
    if (this.selected && !this.elements.has(this.selected)) this.selected = null;
    for (const id of this.also) if (!this.elements.has(id)) this.also.delete(id);
    this.light(this.lit);
    this.showMap();
  }

  /** @param {Arrow} arrow @param {number} dx @param {number} dy @param {string} key @param {Map<string, number[][]>} paths where arrows were */
  drawArrow(arrow, dx, dy, key, paths) {
    const points = arrow.points.map(([x, y]) => [x + dx, y + dy]);
    const data = { from: String(arrow.from), kind: arrow.kind, to: String(arrow.to), x: String(points[0][0]), y: String(points[0][1]) };
    const line = svg("path", { d: pathOf(points), class: "line" }), head = svg("path", { d: headOf(points), class: "head" });
    const whole = svg("g", { class: "arrow", data }, line, head, svg("path", { d: pathOf(points), class: "end grip", data: { ...data } }, svg("title", null, "Drag it to another box")));
    this.layers.arrows.append(whole);
    this.paths.set(key, points);
    if (!this.fresh && !reducedMotion()) glide(line, head, paths.get(key), points);
    const [px, py] = middleOf(points);
    const words = arrow.kind === "next" ? "after" : `where the answer is ${arrow.kind}, after`;
    const plus = svg("g", {
      class: "plus", tabindex: -1, role: "button", "aria-label": `Add a box ${words} line ${arrow.from}`, transform: `translate(${px} ${py})`, data,
      onclick: (/** @type {Event} */ event) => { event.stopPropagation(); this.wants.insert(arrow.from, arrow.kind); },
      ontouchend: (/** @type {TouchEvent} */ event) => {  // a slow tap is no click; and a click that came after it would fall on the palette
        event.preventDefault();
        const finger = event.changedTouches[0];
        if (plus.contains(document.elementFromPoint(finger.clientX, finger.clientY))) this.wants.insert(arrow.from, arrow.kind);
      },
    }, svg("circle", { r: 13, class: "reach" }), svg("circle", { r: 8.5 }), svg("path", { d: "M-4.500 0H4.500M0-4.500V4.500" }));
    const [ex, ey] = points[points.length - 1], [bx, by] = points[points.length - 2];
    const length = Math.hypot(ex - bx, ey - by) || 1;
    const end = svg("circle", { cx: ex - (6 * (ex - bx)) / length, cy: ey - (6 * (ey - by)) / length, r: 8, class: "end", data: { ...data }, "aria-hidden": "true", onpointerenter: () => whole.classList.add("hot"), onpointerleave: () => whole.classList.remove("hot") });
    this.layers.handles.append(end, plus);
  }

  /** @param {Placed} box */
  drawBox(box) {
    let element = this.elements.get(box.id);
    const isNew = !element;
    if (!element) {
      element = svg("g", { class: "box" });
      this.elements.set(box.id, element);
    }
    this.layers.boxes.append(element);
    const bad = this.findings.get(box.line) ?? [];
    const worst = ["error", "warning", "note"].find((level) => bad.some((one) => one.severity === level)) ?? "";
    element.setAttribute("class", `box ${box.decision ? "decision" : box.kind} ${worst}${this.selected === box.id || this.also.has(box.id) ? " selected" : ""}${box.private ? " private" : ""}`);
    element.dataset.line = String(box.line);
    element.dataset.id = box.id;
    element.style.transform = `translate(${box.x}px, ${box.y}px)`;
    const w = box.w, height = box.h;
    const first = height / 2 - ((box.lines.length - 1) * 17) / 2 + 4.7;
    element.replaceChildren(
      svg("title", null, `line ${box.line}: ${box.caption}${bad.map((one) => `\n${one.severity}: ${one.message}${one.hint ? ` (${one.hint})` : ""}`).join("")}`),
      shapeOf(box, w, height),
      ...box.lines.map((line, number) => svg("text", { x: w / 2, y: first + number * 17, "text-anchor": "middle" }, line)),
      ...(worst && worst !== "note" ? [svg("g", { class: "mark", transform: `translate(${box.kind === "choice" ? w / 2 + 26 : w - 2} ${box.kind === "choice" ? 4 : 2})` }, svg("circle", { r: 8 }), svg("text", { y: 4.300, "text-anchor": "middle" }, "!"))] : []),
      svg("circle", { cx: -1, cy: height / 2, r: 5, class: "break" }));
    if (isNew && !this.fresh && !reducedMotion()) element.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 300 });
  }

  /** Lights boxes and arrows. @param {{at?: number | null, calls?: (number | null)[], lines?: number[], arrows?: [number, string][], breakpoints?: (number | null)[]}} light */
  light(light) {
    this.lit = { at: light.at, calls: light.calls, breakpoints: light.breakpoints };  // what stays when the chart is drawn anew
    const arrows = new Set((light.arrows ?? []).map(([line, kind]) => `${line} ${kind}`));
    for (const box of this.boxes) {
      const classes = this.elements.get(box.id)?.classList;
      classes?.toggle("at", light.at === box.line);
      classes?.toggle("called", Boolean(light.calls?.includes(box.line)));
      classes?.toggle("lit", Boolean(light.lines?.includes(box.line)));
      if (light.breakpoints) classes?.toggle("stops", light.breakpoints.includes(box.line));
    }
    this.picture.classList.toggle("lighting", Boolean(light.lines?.length));
    for (const arrow of this.layers.arrows.querySelectorAll(".arrow")) {
      const { from, kind } = /** @type {SVGElement} */ (arrow).dataset;
      arrow.classList.toggle("lit", arrows.has(`${from} ${kind}`));
    }
  }

  // --- selection

  /** Selects a box, alone or besides those that are selected. @param {string | null} id @param {boolean} [tell] @param {boolean} [besides] */
  select(id, tell = true, besides = false) {
    if (besides && this.selected && id) {
      if (id === this.selected || this.also.has(id)) return;
      this.also.add(this.selected);
    } else {
      for (const other of this.also) this.elements.get(other)?.classList.remove("selected");
      this.also.clear();
      if (this.selected) this.elements.get(this.selected)?.classList.remove("selected");
    }
    this.selected = id;
    const box = this.boxes.find((one) => one.id === id) ?? null;
    if (box) this.elements.get(box.id)?.classList.add("selected");
    if (box) this.layers.handles.append(...this.layers.handles.querySelectorAll(`[data-from="${box.line}"]`));  // where ends meet, this box has the first grip
    if (tell) this.wants.select(box);
  }

  /** @param {number} line @param {boolean} [tell] */
  selectLine(line, tell = true) {
    const box = this.boxes.find((one) => one.line <= line && line <= one.endLine);
    this.select(box?.id ?? null, tell);
    return box ?? null;
  }

  /** @returns {Placed | null} */
  current() {
    return this.boxes.find((one) => one.id === this.selected) ?? null;
  }

  /** All boxes that are selected, in the order of their lines. @returns {Placed[]} */
  selection() {
    return this.boxes.filter((one) => one.id === this.selected || this.also.has(one.id)).sort((a, b) => a.line - b.line);
  }

  /** The nearest box in a direction. @param {number} dx @param {number} dy @param {boolean} [besides] */
  go(dx, dy, besides = false) {
    const from = this.current();
    if (!from) {
      this.select(this.boxes[0]?.id ?? null);
      return;
    }
    let best = null, cost = Infinity;
    for (const box of this.boxes) {
      if (box === from) continue;
      const x = box.x + box.w / 2 - from.x - from.w / 2, y = box.y + box.h / 2 - from.y - from.h / 2;
      const along = x * dx + y * dy, across = Math.abs(x * dy) + Math.abs(y * dx);
      if (along > 4 && along + 2.500 * across < cost) {
        cost = along + 2.500 * across;
        best = box;
      }
    }
    if (best) {
      this.select(best.id, true, besides);
      this.reveal(best);
    }
  }

  /** Moves the picture so that a box is seen. @param {Placed} box */
  reveal(box) {
    const { width, height } = this.place.getBoundingClientRect();
    const x = box.x * this.scale + this.x, y = box.y * this.scale + this.y;
    if (x < 20 || y < 20 || x + box.w * this.scale > width - 20 || y + box.h * this.scale > height - 60) {
      this.touched = true;
      this.moveTo(width / 2 - (box.x + box.w / 2) * this.scale, height / 2 - (box.y + box.h / 2) * this.scale, this.scale, true);
    }
  }

  /** Where a box is on the page. @param {Placed} box */
  onPage(box) {
    const place = this.place.getBoundingClientRect();
    return { left: box.x * this.scale + this.x, top: box.y * this.scale + this.y, width: box.w * this.scale, height: box.h * this.scale, place };
  }

  // --- zoom and pan

  /** @param {number} x @param {number} y @param {number} scale @param {boolean} [smooth] */
  moveTo(x, y, scale, smooth = false) {
    this.x = x;
    this.y = y;
    this.scale = Math.min(3, Math.max(0.12, scale));
    this.world.classList.toggle("smooth", smooth && !reducedMotion());
    this.world.style.transform = `translate(${this.x}px, ${this.y}px) scale(${this.scale})`;
    this.showMap();
  }

  /** @param {number} dx @param {number} dy */
  pan(dx, dy) {
    this.touched = true;
    this.moveTo(this.x + dx, this.y + dy, this.scale, true);
  }

  /** @param {number} by @param {number} [cx] @param {number} [cy] */
  zoom(by, cx, cy) {
    this.touched = true;
    const { width, height } = this.place.getBoundingClientRect();
    const px = cx ?? width / 2, py = cy ?? height / 2;
    const scale = Math.min(3, Math.max(0.12, this.scale * by));
    this.moveTo(px - ((px - this.x) * scale) / this.scale, py - ((py - this.y) * scale) / this.scale, scale);
  }

  /** Shows everything, or one chart. @param {string} [name] */
  fit(name = "") {
    this.fitted = name;
    this.touched = false;
    const { width, height } = this.place.getBoundingClientRect();
    if (!width || !this.frames.length) return;
    const frame = this.frames.find((one) => one.chart.name === name);
    const area = frame ?? { x: 0, y: 0, ...this.size };
    const fits = Math.min((width - 40) / area.w, (height - 40) / area.h);
    const scale = Math.min(1.15, Math.max(fits, frame ? 0.5 : Math.min(0.4, (width - 24) / area.w)));
    this.moveTo((width - area.w * scale) / 2 - area.x * scale, (area.h * scale > height - 40 ? 20 : (height - area.h * scale) / 2) - area.y * scale, scale, !this.fresh);
  }

  showMap() {
    const { width, height } = this.place.getBoundingClientRect();
    const small = this.size.w * this.scale < width && this.size.h * this.scale < height;
    this.map.classList.toggle("unneeded", small);
    this.map.setAttribute("viewBox", `0 0 ${this.size.w} ${this.size.h}`);
    this.map.replaceChildren(
      ...this.frames.map((one) => svg("rect", { x: one.x, y: one.y, width: one.w, height: one.h, class: "frame" })),
      ...this.boxes.map((box) => svg("rect", { x: box.x, y: box.y, width: box.w, height: box.h, class: `box ${box.decision ? "decision" : box.kind}` })),
      svg("rect", { x: -this.x / this.scale, y: -this.y / this.scale, width: width / this.scale, height: height / this.scale, class: "window" }));
  }

  // --- mouse, touch, pen

  listen() {
    const canvas = this.picture;
    /** @type {Map<number, {x: number, y: number}>} */
    const fingers = new Map();
    /** @type {any} */
    let drag = null;
    /** @param {PointerEvent} event */
    const at = (event) => {
      const place = this.place.getBoundingClientRect();
      return { x: event.clientX - place.left, y: event.clientY - place.top };
    };
    canvas.addEventListener("pointerdown", (event) => {
      const target = /** @type {SVGElement} */ (event.target);
      if (target.closest(".plus")) return;
      canvas.setPointerCapture(event.pointerId);
      fingers.set(event.pointerId, at(event));
      const end = /** @type {SVGElement | null} */ (target.closest(".end"));
      const box = /** @type {SVGElement | null} */ (target.closest(".box"));
      if (target.classList.contains("break") && box) this.wants.breakpoint(Number(box.dataset.line));
      else if (end) drag = { kind: "arrow", line: Number(end.dataset.from), arrow: end.dataset.kind, start: { x: Number(end.dataset.x), y: Number(end.dataset.y) }, to: null };
      else drag = { kind: "pan", box: box?.dataset.id ?? null, moved: false, from: at(event), x: this.x, y: this.y };
      this.world.classList.remove("smooth");
    });
    canvas.addEventListener("pointermove", (event) => {
      const old = fingers.get(event.pointerId);
      if (!old) return;
      const now = at(event);
      if (fingers.size === 2) {
        const other = [...fingers.entries()].find(([id]) => id !== event.pointerId)?.[1] ?? now;
        const before = Math.hypot(old.x - other.x, old.y - other.y), after = Math.hypot(now.x - other.x, now.y - other.y);
        if (before > 0) this.zoom(after / before, (now.x + other.x) / 2, (now.y + other.y) / 2);
        if (drag) drag.moved = true;
      } else if (drag?.kind === "arrow") {
        this.dragArrow(drag, now);
      } else if (drag?.kind === "pan") {
        if (Math.hypot(now.x - drag.from.x, now.y - drag.from.y) > 4) drag.moved = true;
        if (drag.moved) this.touched = true;
        if (drag.moved) this.moveTo(drag.x + now.x - drag.from.x, drag.y + now.y - drag.from.y, this.scale);
      }
      fingers.set(event.pointerId, now);
    });
    const up = (/** @type {PointerEvent} */ event) => {
      fingers.delete(event.pointerId);
      if (drag?.kind === "arrow") {
        this.layers.drag.replaceChildren();
        for (const element of this.elements.values()) element.classList.remove("target");
        if (drag.to && event.type === "pointerup") this.wants.connect(drag.line, drag.arrow, drag.to.line);
      } else if (drag?.kind === "pan" && !drag.moved && event.type === "pointerup") {
        const besides = event.shiftKey || event.ctrlKey || event.metaKey;
        const again = drag.box !== null && drag.box === this.selected && !this.also.size && !besides;
        this.select(drag.box, true, besides);
        canvas.focus({ preventScroll: true });
        const box = this.current();
        if (box && again) this.wants.edit(box);
      }
      drag = null;
    };
    canvas.addEventListener("pointerup", up);
    canvas.addEventListener("pointercancel", up);
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      const place = this.place.getBoundingClientRect();
      if (event.ctrlKey || !event.shiftKey && Math.abs(event.deltaX) < 1 && event.deltaMode === 0 && Math.abs(event.deltaY) >= 60) this.zoom(Math.exp(-event.deltaY / 400), event.clientX - place.left, event.clientY - place.top);
      else {
        this.touched = true;
        this.moveTo(this.x - (event.shiftKey ? event.deltaY : event.deltaX), this.y - (event.shiftKey ? 0 : event.deltaY), this.scale);
      }
    }, { passive: false });
    this.map.addEventListener("pointerdown", (event) => {
      const area = this.map.getBoundingClientRect(), { width, height } = this.place.getBoundingClientRect();
      const scale = Math.min(area.width / this.size.w, area.height / this.size.h);
      this.touched = true;
      const x = (event.clientX - area.left - (area.width - this.size.w * scale) / 2) / scale, y = (event.clientY - area.top - (area.height - this.size.h * scale) / 2) / scale;
      this.moveTo(width / 2 - x * this.scale, height / 2 - y * this.scale, this.scale, true);
    });
  }

  /** @param {any} drag @param {{x: number, y: number}} now */
  dragArrow(drag, now) {
    const x = (now.x - this.x) / this.scale, y = (now.y - this.y) / this.scale;
    drag.to = this.boxes.find((box) => box.kind !== "start" && box.x <= x && x <= box.x + box.w && box.y <= y && y <= box.y + box.h && this.sameChart(box, drag.line)) ?? null;
    for (const [id, element] of this.elements) element.classList.toggle("target", drag.to?.id === id);
    this.layers.drag.replaceChildren(svg("path", { d: `M${drag.start.x} ${drag.start.y}L${x} ${y}`, class: "dragged" }), svg("circle", { cx: x, cy: y, r: 6, class: "dragged-end" }));
  }

  /** @param {Placed} box @param {number} line */
  sameChart(box, line) {
    return this.boxes.find((one) => one.line === line)?.chartName === box.chartName;
  }
}

/** For each new caption the old one that it is: the same text first, then whatever stands between two that are the same. @param {string[]} old @param {string[]} now @returns {(number | null)[]} */
function match(old, now) {
  const found = /** @type {(number | null)[]} */ (Array(now.length).fill(null));
  const n = old.length, m = now.length;
  if (n * m > 250000) return found.map((_, number) => (number < n ? number : null));
  const table = Array.from({ length: n + 1 }, () => new Uint16Array(m + 1));
  for (let i = n - 1; i >= 0; i--) for (let j = m - 1; j >= 0; j--) table[i][j] = old[i] === now[j] ? table[i + 1][j + 1] + 1 : Math.max(table[i + 1][j], table[i][j + 1]);
  let i = 0, j = 0;
  const gaps = [];
  let gi = 0, gj = 0;
  while (i < n && j < m) {
    if (old[i] === now[j]) {
      gaps.push([gi, i, gj, j]);
      found[j++] = i++;
      gi = i;
      gj = j;
    } else if (table[i + 1][j] >= table[i][j + 1]) i++;
    else j++;
  }
  gaps.push([gi, n, gj, m]);
  for (const [a, b, c, d] of gaps) if (b - a === d - c) for (let k = 0; k < b - a; k++) found[c + k] = a + k;
  return found;
}

/** Lets an arrow go from where it was to where it is while its boxes move; where it has other corners it appears. @param {SVGPathElement} line @param {SVGPathElement} head @param {number[][] | undefined} from @param {number[][]} to */
function glide(line, head, from, to) {
  if (!from || from.length !== to.length) {
    for (const part of [line, head]) part.animate([{ opacity: 0 }, { opacity: 0, offset: 0.4 }, { opacity: 1 }], { duration: MOVE });
    return;
  }
  if (from.every(([x, y], at) => x === to[at][0] && y === to[at][1])) return;
  const start = performance.now();
  const step = (/** @type {number} */ now) => {
    const part = Math.min(1, Math.max(0, now - start) / MOVE), done = 1 - (1 - part) ** 3;
    const points = to.map(([x, y], at) => [from[at][0] + (x - from[at][0]) * done, from[at][1] + (y - from[at][1]) * done]);
    line.setAttribute("d", pathOf(points));
    head.setAttribute("d", headOf(points));
    if (part < 1 && line.isConnected) requestAnimationFrame(step);
  };
  step(start);
}

/** @param {Box} box @param {number} w @param {number} height */
function shapeOf(box, w, height) {
  switch (box.kind) {
    case "start":
    case "end":
      return svg("ellipse", { cx: w / 2, cy: height / 2, rx: w / 2, ry: height / 2, class: "shape" });
    case "choice":
      return svg("path", { d: `M${w / 2} 0L${w} ${height / 2}L${w / 2} ${height}L0 ${height / 2}Z`, class: "shape" });
    case "call":
      return svg("g", null, svg("rect", { width: w, height, class: "shape" }), svg("path", { d: `M7 0V${height}M${w - 7} 0V${height}`, class: "bars" }));
    default:
      return svg("rect", { width: w, height, rx: 5, class: "shape" });
  }
}

/** @param {number[][]} points */
function pathOf(points) {
  let d = `M${points[0][0]} ${points[0][1]}`;
  for (let i = 1; i < points.length - 1; i++) {
    const [a, b, c] = [points[i - 1], points[i], points[i + 1]];
    const before = towards(b, a, 6), after = towards(b, c, 6);
    d += `L${before[0]} ${before[1]}Q${b[0]} ${b[1]} ${after[0]} ${after[1]}`;
  }
  const last = towards(points[points.length - 1], points[points.length - 2], 6);
  return `${d}L${last[0]} ${last[1]}`;
}

/** @param {number[]} point @param {number[]} other @param {number} distance */
function towards(point, other, distance) {
  const length = Math.hypot(other[0] - point[0], other[1] - point[1]) || 1;
  const part = Math.min(distance, length / 2) / length;
  return [point[0] + (other[0] - point[0]) * part, point[1] + (other[1] - point[1]) * part];
}

/** @param {number[][]} points */
function headOf(points) {
  const [x, y] = points[points.length - 1], [px, py] = points[points.length - 2];
  const length = Math.hypot(x - px, y - py) || 1;
  const ux = (x - px) / length, uy = (y - py) / length;
  return `M${x} ${y}L${x - 9 * ux + 3.500 * uy} ${y - 9 * uy - 3.500 * ux}L${x - 9 * ux - 3.500 * uy} ${y - 9 * uy + 3.500 * ux}Z`;
}

/** The middle of the longest stretch: there is room for a +. @param {number[][]} points */
function middleOf(points) {
  let best = [points[0], points[1]], length = -1;
  for (let i = 1; i < points.length; i++) {
    const size = Math.hypot(points[i][0] - points[i - 1][0], points[i][1] - points[i - 1][1]);
    if (size > length) {
      length = size;
      best = [points[i - 1], points[i]];
    }
  }
  return [(best[0][0] + best[1][0]) / 2, (best[0][1] + best[1][1]) / 2];
}
