// A timeline: the waveform of a recording (or the plain length of a video), on which spans of time are set by mouse and
// keyboard. `templates/timeline.html` makes its box; `attach(box)` returns a Timeline, an EventTarget with
//   spans       [[start, end], …] in seconds, in order; `set(spans)` replaces them
//   "change"    the event of every change by the person
// data-into names a text field that holds the spans as `3.20-5.10; 8.00-9.50`; data-most is the highest number of spans.
// Keys on the bar, and anywhere on the page outside fields: space plays and pauses, arrows seek (Shift: finely),
// Home, End, [ and ] set start and end, Delete removes the chosen span.

const SVG = "http://www.w3.org/2000/svg";
const WIDE = 480;
const HIGH = 100;
const START = ["[", "【", "「"]; // Chinese input methods turn brackets into these
const END = ["]", "】", "」"];

/** @type {(seconds: number) => string} */
export const clock = (seconds) => {
  const whole = Math.max(0, Math.round(seconds * 100));
  return `${Math.floor(whole / 6000)}:${String(Math.floor((whole % 6000) / 100)).padStart(2, "0")}.${String(whole % 100).padStart(2, "0")}`;
};
/** @type {(spans: Span[]) => string} */
export const written = (spans) => spans.map(([start, end]) => `${start.toFixed(2)}-${end.toFixed(2)}`).join("; ");
/** @type {(text: string) => Span[]} */
export const read = (text) => [...text.matchAll(/(\d+(?:\.\d+)?)\s*-\s*(\d+(?:\.\d+)?)/g)].map(([, start, end]) => [Number(start), Number(end)]);

/** @template {keyof HTMLElementTagNameMap} K @param {K} name @param {Record<string, string>} attributes @returns {HTMLElementTagNameMap[K]} */
function made(name, attributes = {}, text = "") {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.textContent = text;
  return element;
}

/** @type {(name: string, attributes: Record<string, string | number>, above: Element) => Element} */
function drawn(name, attributes, above) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  above.append(element);
  return element;
}

/** @type {(x: number, y: number) => Span} */
const ordered = (x, y) => [Math.min(x, y), Math.max(x, y)];

export class Timeline extends EventTarget {
  /** @param {HTMLElement} box */
  constructor(box) {
    super();
    this.box = box;
    this.media = /** @type {HTMLMediaElement} */ (box.querySelector("audio, video"));
    this.into = box.dataset.into ? /** @type {HTMLInputElement} */ (document.getElementById(box.dataset.into)) : null;
    this.most = Number(box.dataset.most || 50);
    this.seconds = 0;
    /** @type {number | null} */
    this.begun = null; // the start that was set and has no end yet
    this.chosen = -1;
    /** @type {number | undefined} */
    this.until = undefined; // where playing stops
    /** @type {Span[]} */
    this.spans = this.into ? read(this.into.value) : [];
    this.bar = made("div", { class: "timeline-bar", role: "slider", tabindex: "0", "aria-label": this.say("position"), "aria-valuemin": "0", "aria-valuemax": "0", "aria-valuenow": "0" });
    this.svg = drawn("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none", "aria-hidden": "true" }, this.bar);
    this.wave = drawn("path", { class: "wave", d: `M0 49H${WIDE}V51H0Z` }, this.svg);
    this.marks = drawn("g", {}, this.svg);
    this.head = drawn("rect", { class: "playhead", y: 0, height: HIGH, width: 1.5 }, this.svg);
    this.tools = made("div", { class: "timeline-tools" });
    this.now = made("span", { class: "timeline-now", "aria-hidden": "true" });
    this.state = made("span", { class: "muted", role: "status" });
    this.list = made("ol", { class: "timeline-spans" });
    this.build();
    this.listen();
    this.measure();
  }

  /** @param {string} name @param {Values} values */
  say(name, values = {}) {
    const text = this.box.dataset[`say${name[0].toUpperCase()}${name.slice(1)}`] ?? name;
    return text.replace(/\{(\w+)\}/g, (whole, field) => String(values[field] ?? whole));
  }

  build() {
    this.tools.append(this.button("play", () => this.play()), this.now);
    if (this.most > 0) this.tools.append(this.button("start", () => this.start()), this.button("end", () => this.end()));
    this.tools.append(this.state);
    this.box.append(this.bar, this.tools, this.list);
    this.show();
  }

  /** @param {string} name @param {() => void} act @param {Values} values */
  button(name, act, values = {}) {
    const button = made("button", { type: "button", class: "quiet" }, this.say(name, values));
    button.addEventListener("click", act);
    return button;
  }

  listen() {
    const { media, bar } = this;
    for (const name of ["timeupdate", "seeked", "play", "pause"]) media.addEventListener(name, () => this.move());
    for (const name of ["loadedmetadata", "durationchange"]) media.addEventListener(name, () => this.lengthen(media.duration));
    this.lengthen(media.duration);
    bar.addEventListener("keydown", (event) => this.press(event));
    /** @type {number | null} */
    let from = null;
    bar.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      from = event.clientX;
      bar.setPointerCapture(event.pointerId);
    });
    bar.addEventListener("pointermove", (event) => {
      if (from !== null && this.most > 0 && Math.abs(event.clientX - from) > 4) this.draw(ordered(this.at(from), this.at(event.clientX)));
    });
    bar.addEventListener("pointerup", (event) => {
      if (from === null) return;
      const [start, end] = ordered(this.at(from), this.at(event.clientX));
      const dragged = this.most > 0 && Math.abs(event.clientX - from) > 4;
      from = null;
      if (dragged) this.add(start, end);
      else this.seek(end);
    });
    bar.addEventListener("pointercancel", () => { from = null; this.draw(); });
    const { into } = this;
    into?.addEventListener("change", () => { this.spans = this.tidy(read(into.value)); this.show(); });
  }

  async measure() {
    if (!this.box.dataset.wave) return;
    try {
      const answer = await fetch(this.box.dataset.wave, { headers: { accept: "application/json" } });
      /** @type {{ seconds: number, peaks: number[][] }} */
      const { seconds, peaks } = await answer.json();
      if (!answer.ok || !peaks?.length) return;
      this.lengthen(seconds);
      const loud = peaks[0].map((_, place) => Math.max(...peaks.map((channel) => channel[place])));
      const step = WIDE / loud.length;
      /** @type {(peak: number, place: number, sign: number) => string} */
      const line = (peak, place, sign) => `L${place * step} ${50 - sign * Math.max(1, peak / 2)}L${(place + 1) * step} ${50 - sign * Math.max(1, peak / 2)}`;
      const below = loud.map((peak, place) => `L${(place + 1) * step} ${50 + Math.max(1, peak / 2)}L${place * step} ${50 + Math.max(1, peak / 2)}`).reverse();
      this.wave.setAttribute("d", `M0 50${loud.map((peak, place) => line(peak, place, 1)).join("")}${below.join("")}Z`);
    } catch { /* without a waveform the timeline is a plain line */ }
  }

  /** @param {number} seconds */
  lengthen(seconds) {
    if (!Number.isFinite(seconds) || seconds <= 0) return;
    this.seconds = seconds;
    this.bar.setAttribute("aria-valuemax", seconds.toFixed(2));
    this.move();
    this.draw();
  }

  /** @param {number} x */
  at(x) {
    const area = this.bar.getBoundingClientRect();
    return Math.min(1, Math.max(0, (x - area.left) / area.width)) * this.seconds;
  }

  move() {
    const now = this.media.currentTime;
    if (this.until !== undefined && (now >= this.until || this.media.paused)) {
      if (now >= this.until) this.media.pause();
      this.until = undefined;
    }
    if (this.seconds) this.head.setAttribute("x", String((now / this.seconds) * (WIDE - 1.5)));
    this.bar.setAttribute("aria-valuenow", now.toFixed(2));
    this.bar.setAttribute("aria-valuetext", this.say("at", { now: clock(now), of: clock(this.seconds) }));
    this.now.textContent = `${clock(now)} / ${clock(this.seconds)}`;
    /** @type {HTMLElement} */ (this.tools.firstChild).textContent = this.say(this.media.paused ? "play" : "pause");
  }

  /** @param {number} seconds */
  seek(seconds) {
    this.media.currentTime = Math.min(this.seconds, Math.max(0, seconds));
    this.move();
  }

  play() {
    if (this.media.paused) this.media.play().catch(() => { this.state.textContent = this.say("unplayable"); });
    else this.media.pause();
  }

  /** @param {number} start @param {number} end */
  listenTo(start, end) {
    this.media.currentTime = start;
    this.until = undefined;
    this.media.play().then(() => { this.until = end; }, () => { this.state.textContent = this.say("unplayable"); });
  }

  start() {
    this.begun = this.media.currentTime;
    this.state.textContent = this.say("started", { at: clock(this.begun) });
    this.draw();
  }

  end() {
    const now = this.media.currentTime;
    if (this.begun !== null) this.add(...ordered(this.begun, now));
    else if (this.spans[this.chosen]) this.change(this.chosen, [this.spans[this.chosen][0], now]);
    else this.state.textContent = this.say("startFirst");
  }

  /** @param {number} start @param {number} end */
  add(start, end) {
    this.begun = null;
    /** @type {Span} */
    const span = [Math.round(start * 100) / 100, Math.round(end * 100) / 100];
    if (span[1] <= span[0]) { this.state.textContent = this.say("empty"); this.draw(); return; }
    if (this.most === 1) this.spans = [];
    if (this.spans.length >= this.most) { this.state.textContent = this.say("most", { most: this.most }); this.draw(); return; }
    this.spans = this.tidy([...this.spans, span]);
    this.chosen = this.spans.findIndex((each) => each[0] === span[0] && each[1] === span[1]);
    this.state.textContent = this.say("added", { start: clock(span[0]), end: clock(span[1]) });
    this.changed();
  }

  /** @param {number} place @param {Span} span */
  change(place, span) {
    if (!span.every(Number.isFinite) || span[1] <= span[0]) { this.state.textContent = this.say("empty"); this.show(); return; }
    this.spans = this.tidy(this.spans.map((each, number) => (number === place ? span : each)));
    this.changed();
  }

  /** @param {number} place */
  remove(place) {
    if (!this.spans[place]) return;
    this.spans = this.spans.filter((_, number) => number !== place);
    this.chosen = -1;
    this.state.textContent = this.say("removed");
    this.changed();
    this.bar.focus();
  }

  /** @param {Span[]} spans @returns {Span[]} */
  tidy(spans) {
    const end = this.seconds || Infinity;
    return spans.map(([x, y]) => /** @type {Span} */ ([Math.max(0, x), Math.min(end, y)])).filter(([x, y]) => y > x).sort((x, y) => x[0] - y[0] || x[1] - y[1]);
  }

  /** @param {Span[]} spans */
  set(spans) {
    this.spans = this.tidy(spans);
    this.chosen = -1;
    this.begun = null;
    if (this.into) this.into.value = written(this.spans);
    this.show();
  }

  changed() {
    this.show();
    if (this.into) {
      this.into.value = written(this.spans);
      this.into.dispatchEvent(new Event("input", { bubbles: true }));
    }
    this.dispatchEvent(new Event("change"));
  }

  /** @param {Span} [dragged] */
  draw(dragged) {
    this.marks.replaceChildren();
    if (!this.seconds) return;
    /** @param {number} value */
    const x = (value) => (value / this.seconds) * WIDE;
    /** @type {(span: Span, name: string) => Element} */
    const mark = ([start, end], name) => drawn("rect", { class: name, x: x(start), y: 0, height: HIGH, width: Math.max(1, x(end) - x(start)) }, this.marks);
    this.spans.forEach((span, place) => mark(span, place === this.chosen ? "span chosen" : "span"));
    if (dragged) mark(dragged, "span chosen");
    if (this.begun !== null) mark([this.begun, this.begun], "begun");
  }

  show() {
    this.draw();
    this.list.replaceChildren(...this.spans.map((span, place) => {
      const row = made("li");
      /** @param {0 | 1} side */
      const field = (side) => {
        const input = made("input", { type: "number", step: "0.01", min: "0", "aria-label": this.say(side ? "endOf" : "startOf", { number: place + 1 }) });
        input.value = span[side].toFixed(2);
        input.addEventListener("focus", () => { this.chosen = place; this.draw(); });
        input.addEventListener("change", () => this.change(place, side ? [span[0], Number(input.value)] : [Number(input.value), span[1]]));
        return input;
      };
      row.append(this.button("listen", () => { this.chosen = place; this.draw(); this.listenTo(...span); }, { number: place + 1 }),
        field(0), made("span", { "aria-hidden": "true" }, "–"), field(1), this.button("remove", () => this.remove(place), { number: place + 1 }));
      return row;
    }));
  }

  // Carry out a key; true if it was one of the timeline's.
  /** @param {KeyboardEvent} event */
  press(event) {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return false;
    const step = event.shiftKey ? 0.1 : 1;
    const { key, code } = event;
    const now = this.media.currentTime;
    /** @type {(() => void) | null} */
    const act = /** @type {Record<string, () => void>} */ ({ " ": () => this.play(), ArrowLeft: () => this.seek(now - step), ArrowRight: () => this.seek(now + step),
      ArrowDown: () => this.seek(now - step), ArrowUp: () => this.seek(now + step), PageDown: () => this.seek(now - 10),
      PageUp: () => this.seek(now + 10), Home: () => this.seek(0), End: () => this.seek(this.seconds) })[key]
      ?? (this.most > 0 && (START.includes(key) || code === "BracketLeft" ? () => this.start() : END.includes(key) || code === "BracketRight" ? () => this.end()
        : key === "Delete" && this.spans[this.chosen] ? () => this.remove(this.chosen) : null));
    if (!act || (event.repeat && !key.startsWith("Arrow"))) return false;
    event.preventDefault();
    act();
    return true;
  }
}

/** @type {WeakMap<HTMLElement, Timeline>} */
const attached = new WeakMap();
/** @type {(box: HTMLElement) => Timeline} */
export function attach(box) {
  const timeline = attached.get(box) ?? new Timeline(box);
  attached.set(box, timeline);
  return timeline;
}

// The keys of the first timeline, or of the one that played last, wherever no field or button has the focus.
/** @type {HTMLElement | null} */
let current = null;
const BUSY = "input, textarea, select, button, a, summary, audio, video, [role=slider], [contenteditable]";
document.addEventListener("play", (event) => { current = /** @type {Element} */ (event.target).closest?.("[data-timeline]") ?? current; }, true);
document.addEventListener("keydown", (event) => {
  if (event.target.closest(BUSY)) return;
  const box = current?.isConnected ? current : document.querySelector("[data-timeline]");
  if (box && !["ArrowUp", "ArrowDown", "PageUp", "PageDown", "Home", "End"].includes(event.key)) attach(box).press(event);
});
for (const box of document.querySelectorAll("[data-timeline]")) attach(box);
