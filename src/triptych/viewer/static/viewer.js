// Themes, keyboard shortcuts, sorting and waveforms of the viewer's pages. Everything else works without this script.

/** @type {(id: string) => any} an element that every page of the viewer has */
const part = (id) => document.getElementById(id);

const remembered = {
  /** @param {string} name */
  get(name) { try { return localStorage.getItem(name); } catch { return null; } },
  /** @param {string} name @param {string | null} value */
  set(name, value) { try { if (value === null) localStorage.removeItem(name); else localStorage.setItem(name, value); } catch { /* as in theme.js */ } },
};

// --- light, dark, or as the system says
function themes() {
  /** @type {HTMLButtonElement} */
  const button = part("theme-button");
  const show = () => {
    const now = document.documentElement.dataset.theme;
    button.textContent = now === "light" ? "☀ Light" : now === "dark" ? "☾ Dark" : "◐ Auto";
    button.setAttribute("aria-label", `Theme: ${now || "as the system"}. Change`);
  };
  button.hidden = false;
  button.addEventListener("click", () => {
    /** @type {Record<string, string | undefined>} */
    const after = { auto: "dark", dark: "light" };
    const next = after[document.documentElement.dataset.theme ?? "auto"];
    if (next) document.documentElement.dataset.theme = next; else delete document.documentElement.dataset.theme;
    remembered.set("triptych-theme", next || null);
    show();
  });
  show();
}

// --- keys, which can be switched off (WCAG 2.1.4)
function keys() {
  /** @type {HTMLDialogElement} */
  const dialog = part("help");
  /** @type {HTMLInputElement} */
  const box = part("keys-on");
  /** @type {HTMLButtonElement} */
  const button = part("help-button");
  box.checked = remembered.get("triptych-keys") !== "off";
  box.addEventListener("change", () => remembered.set("triptych-keys", box.checked ? null : "off"));
  button.hidden = false;
  button.addEventListener("click", () => dialog.showModal());
  /** @type {(selector: string) => boolean} */
  const follow = (selector) => { const link = document.querySelector(selector); if (link) link.click(); return Boolean(link); };
  /** @param {number} by */
  const step = (by) => {
    const rows = [...document.querySelectorAll("a.row-link")];
    const here = rows.findIndex((row) => row === document.activeElement);
    const next = rows[here < 0 ? (by > 0 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, here + by))];
    if (next) next.focus();
  };
  const walk = document.querySelector(".walk");
  /** @type {Record<string, () => unknown>} */
  const actions = {
    j: () => walk ? follow(".walk a[rel=next]") : step(1),
    k: () => walk ? follow(".walk a[rel=prev]") : step(-1),
    u: () => follow("#up"),
    p: () => { const sound = document.querySelector("audio, video"); if (sound?.paused) sound.play(); else sound?.pause(); },
    "/": () => { /** @type {HTMLInputElement | null} */ const q = part("q"); if (q) { const fold = q.closest("details"); if (fold) fold.open = true; q.focus(); q.select(); } },
    "?": () => dialog.showModal(),
  };
  document.addEventListener("keydown", (event) => {
    if (!box.checked || event.ctrlKey || event.metaKey || event.altKey || dialog.open) return;
    if (event.target.closest("input, textarea, select, [contenteditable]")) return;
    const action = actions[event.key];
    if (action) { event.preventDefault(); action(); }
  });
}

// --- tables sort by any column: numbers by data-sort, words by the reader's language
/** @param {HTMLTableElement} table */
function sortable(table) {
  const body = table.tBodies[0];
  if (!body || body.rows.length < 2) return;
  const first = [...body.rows];
  const heads = [.../** @type {HTMLTableSectionElement} */ (table.tHead).rows[0].cells];
  heads.forEach((head, column) => {
    if ("fixed" in head.dataset || !head.textContent?.trim()) return;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sorter";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const now = head.getAttribute("aria-sort");
      const next = now === "descending" ? "ascending" : now === "ascending" ? null : "descending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      if (next) head.setAttribute("aria-sort", next);
      body.append(...(next ? sorted(first, column, next === "ascending" ? 1 : -1) : first));
    });
  });
}
/** @type {(rows: HTMLTableRowElement[], column: number, direction: 1 | -1) => HTMLTableRowElement[]} */
function sorted(rows, column, direction) {
  /** @param {HTMLTableRowElement} row */
  const value = (row) => { const cell = row.cells[column]; return cell.dataset.sort ?? (cell.classList.contains("number") ? "" : (cell.textContent ?? "").trim()); };
  return [...rows].sort((x, y) => {
    const a = value(x), b = value(y);
    if (a === "" || b === "") return Number(a === "") - Number(b === "");  // what has no value comes last either way
    const numbers = Number(a) - Number(b);
    return direction * (Number.isNaN(numbers) ? a.localeCompare(b) : numbers);
  });
}

// --- waveforms: drawn when they come into view, played from where they are pressed
const SVG = "http://www.w3.org/2000/svg";
/** @param {number[][]} peaks */
function drawn(peaks) {
  const wide = peaks[0].length, high = 100 * peaks.length;
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", `0 0 ${wide} ${high}`);
  svg.setAttribute("preserveAspectRatio", "none");
  svg.setAttribute("aria-hidden", "true");
  peaks.forEach((channel, number) => {
    const middle = 100 * number + 50;
    const up = channel.map((peak, x) => `L${x} ${middle - Math.max(1, peak / 2)}L${x + 1} ${middle - Math.max(1, peak / 2)}`);
    const down = channel.map((peak, x) => `L${x + 1} ${middle + Math.max(1, peak / 2)}L${x} ${middle + Math.max(1, peak / 2)}`).reverse();
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", `M0 ${middle}${up.join("")}${down.join("")}Z`);
    svg.append(path);
  });
  const head = document.createElementNS(SVG, "rect");
  head.setAttribute("class", "playhead");
  head.setAttribute("height", String(high));
  head.setAttribute("width", String(wide / 300));
  svg.append(head);
  return { svg, head, wide };
}
/** @param {HTMLElement} box */
async function wave(box) {
  const audio = /** @type {HTMLAudioElement} */ (box.parentElement?.querySelector("audio"));
  const note = document.createElement("p");
  note.className = "wave-note";
  try {
    const told = await (await fetch(/** @type {string} */ (box.dataset.wave))).json();
    if (told.problem) { note.textContent = told.problem; box.append(note); return; }
    const { svg, head, wide } = drawn(told.peaks);
    note.textContent = `${told.seconds.toFixed(told.seconds < 10 ? 2 : 1)} s · ${told.rate / 1000} kHz · ${["", "mono", "stereo, left above right"][told.channels] || told.channels + " channels"}`;
    box.append(svg, note);
    box.style.setProperty("--channels", told.peaks.length);
    const move = () => head.setAttribute("x", String((audio.currentTime / (audio.duration || told.seconds)) * wide));
    audio.addEventListener("timeupdate", move);
    audio.addEventListener("seeked", move);
    svg.addEventListener("click", (event) => {
      const area = svg.getBoundingClientRect();
      audio.currentTime = ((event.clientX - area.left) / area.width) * (audio.duration || told.seconds);
      audio.play();
    });
  } catch { note.textContent = "the waveform could not be loaded"; box.append(note); }
}
function waves() {
  const boxes = document.querySelectorAll("[data-wave]");
  if (!("IntersectionObserver" in window)) { boxes.forEach(wave); return; }
  const watcher = new IntersectionObserver((entries) => entries.forEach((entry) => {
    if (entry.isIntersecting) { watcher.unobserve(entry.target); wave(/** @type {HTMLElement} */ (entry.target)); }
  }), { rootMargin: "300px" });
  boxes.forEach((box) => watcher.observe(box));
}

themes();
keys();
document.querySelectorAll("table").forEach((table) => { if (table.classList.contains("sortable")) sortable(table); });
waves();
// filters are folded away on a phone
if (window.matchMedia("(max-width: 60rem)").matches) document.querySelectorAll("details").forEach((box) => { if (box.classList.contains("side")) box.open = false; });
// one sound at a time
document.addEventListener("play", (event) => document.querySelectorAll("audio, video").forEach((other) => { if (other !== event.target) other.pause(); }), true);
