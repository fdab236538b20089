"use strict";
(() => {
  const root = document.documentElement;
  /** @type {(selector: string, from?: ParentNode) => any[]} the elements of any kind that a selector finds */
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  /** @type {(tag: string, text?: string | null, more?: object) => HTMLElement} */
  const make = (tag, text = "", more = {}) => Object.assign(document.createElement(tag), { textContent: text }, more);
  /** @type {(tag: string, text: string, more?: object) => HTMLElement} */
  const marked = (tag, text, more = {}) => make(tag, text, /[\u2e80-\u9fff]/.test(text) ? { lang: "zh", ...more } : more);

  // ---- light and dark
  const store = { /** @returns {string | null} */
                  get: () => { try { return localStorage.getItem("triptych-theme"); } catch { return null; } },
                  /** @type {(theme: string) => void} */
                  set: (v) => { try { localStorage.setItem("triptych-theme", v); } catch { /* a file may have no store */ } } };
  const toggle = /** @type {HTMLButtonElement} */ (document.querySelector(".theme"));
  const dark = () => root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const tell = () => toggle.setAttribute("aria-pressed", String(dark()));
  const theme = store.get();
  if (theme) root.dataset.theme = theme;
  toggle.hidden = false;
  toggle.setAttribute("aria-label", "Dark colours");
  toggle.addEventListener("click", () => { root.dataset.theme = dark() ? "light" : "dark"; store.set(root.dataset.theme); tell(); });
  tell();
  all(".scripted").forEach((hint) => { hint.hidden = false; });

  // ---- tables sort by the column pressed: best first, then worst, then as they were
  /** @type {(cell: HTMLTableCellElement, text: boolean) => string | number} */
  const order = (cell, text) => {
    if (text) return cell.textContent?.trim() ?? "";
    return cell.dataset.sort === "" || cell.dataset.sort === undefined ? NaN : Number(cell.dataset.sort);
  };
  /** @type {(table: HTMLTableElement, index: number, way: string | null) => void} */
  const sort = (table, index, way) => {
    for (const body of table.tBodies) {
      const rows = [...body.rows].filter((row) => !row.classList.contains("group"));
      rows.forEach((row, n) => { row.dataset.place ??= String(n); });
      /** @param {HTMLTableRowElement} row */
      const place = (row) => Number(row.dataset.place);
      /** @type {(a: HTMLTableRowElement, b: HTMLTableRowElement) => number} */
      const compare = (a, b) => {
        if (!way) return place(a) - place(b);
        const [x, y] = [a, b].map((row) => order(row.cells[index], index === 0));
        if (typeof x === "string" || typeof y === "string") return (way === "ascending" ? 1 : -1) * String(x).localeCompare(String(y));
        if (Number.isNaN(x) || Number.isNaN(y)) return Number(Number.isNaN(x)) - Number(Number.isNaN(y));
        return (way === "ascending" ? x - y : y - x) || place(a) - place(b);
      };
      rows.sort(compare).forEach((row) => body.append(row));
    }
  };
  for (const table of all("table.sortable")) {
    [...[...table.tHead.rows].at(-1).cells].forEach((/** @type {HTMLTableCellElement} */ head, index) => {
      const coverage = index > 0 && !head.dataset.col && head.textContent?.trim() === "coverage";
      if (coverage) return;
      const button = make("button", "", { type: "button", className: "sort", title: "Sort by this column" });
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const now = head.getAttribute("aria-sort");
        const next = now === null ? (index ? "descending" : "ascending") : now === "descending" ? (index ? "ascending" : null) : (index ? null : "descending");
        all("th[aria-sort]", table.tHead).forEach((th) => th.removeAttribute("aria-sort"));
        if (next) head.setAttribute("aria-sort", next);
        sort(table, index, next);
      });
    });
  }

  // ---- the questions behind a number
  const data = Object.fromEntries(all("script.behind").map((s) => [s.dataset.chapter, s]));
  /** @type {(chapter: string) => Chapter} */
  const read = (chapter) => (data[chapter] instanceof Element ? (data[chapter] = JSON.parse(data[chapter].textContent)) : data[chapter]);
  const dialog = /** @type {HTMLDialogElement} */ (document.getElementById("behind"));
  /** @type {(id: string) => HTMLElement} */
  const part = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
  const viewer = document.body.dataset.viewer;
  /** @type {(task: string, of: string) => boolean} */
  const below = (task, of) => task === of || task.startsWith(`${of}/`);
  /** @type {(metric: string) => string} */
  const name = (metric) => metric.split(".")[0];

  // what a Score is worth, so that more is better; what has no value comes first
  /** @type {(told: Chapter, row: Shown) => number} */
  const worth = (told, [metric, , , value]) => value === null ? -Infinity : told.lower.includes(metric) ? -value : value;

  /** @type {(told: Chapter, run: ChapterRun, protocol: string, task: string, metric: string, slice: Record<string, string>) => { derived: boolean, rows: Shown[] }} */
  function units(told, run, protocol, task, metric, slice) {
    const metrics = run.scores[protocol] ?? {};
    const ids = Object.keys(metrics);
    const own = ids.includes(metric) ? [metric] : ids.filter((id) => name(id) === name(metric));
    const known = new Set(told.facets.flatMap((facet) => Object.keys(facet)));
    const wanted = Object.entries(slice).filter(([key]) => known.has(key));
    /** @param {ChapterUnit} unit */
    const fits = (unit) => below(told.tasks[unit[2]], task) && wanted.every(([k, v]) => told.facets[unit[3]][k] === v);
    /** @type {Shown[]} */
    const rows = ids.flatMap((id) => metrics[id].map((row) => /** @type {Shown} */ ([id, ...row])));
    const derived = !own.length; // a figure of figures: what the tasks' main metrics say
    const chosen = rows.filter(([id, n]) => (derived ? told.main[told.tasks[run.units[n][2]]] === id : own.includes(id)));
    return { derived, rows: chosen.filter(([, n]) => fits(run.units[n])).sort((a, b) => worth(told, a) - worth(told, b)) };
  }

  /** @type {(run: ChapterRun, unit: ChapterUnit) => string} */
  function link(run, unit) {
    const repeat = unit[7] ? `?repeat=${unit[7]}` : "";
    return `${viewer}/runs/${encodeURIComponent(run.slug)}/items/${unit[1]}${repeat}`;
  }

  /** @type {(told: Chapter, run: ChapterRun, row: Shown) => HTMLElement} */
  function line(told, run, [metric, n, status, value, extraction]) {
    const unit = run.units[n];
    const row = make("tr");
    const id = make("td");
    id.append(viewer ? marked("a", unit[0], { href: link(run, unit), target: "_blank", rel: "noopener noreferrer" }) : marked("span", unit[0]));
    const said = told.statuses[status];
    const came = make("td", value === null ? said : said === "scored" ? String(value) : `${said}, ${value}`);
    came.className = value === null ? "lost" : (told.lower.includes(metric) ? value === 0 : value > 0) ? "good" : "bad";
    row.append(id, came, marked("td", extraction), marked("td", unit[4]), marked("td", unit[5] || `(${unit[6]})`));
    return row;
  }

  // The elements that name a figure's Run and its column; a table with a column for each model has them the other way round
  /** @type {(cell: HTMLTableCellElement) => [HTMLElement & { dataset: Settings }, HTMLElement & { dataset: Settings }]} */
  function crossing(cell) {
    const row = /** @type {any} */ (cell.closest("tr"));
    const head = /** @type {any} */ (cell.closest("table")?.tHead?.rows[0].cells[cell.cellIndex]);
    return row.dataset.col ? [head, row] : [row, head];
  }

  /** @type {(cell: HTMLTableCellElement, button: HTMLElement) => void} */
  function open(cell, button) {
    const table = /** @type {HTMLTableElement & { dataset: Settings }} */ (cell.closest("table"));
    const [row, head] = crossing(cell);
    const told = read(table.dataset.chapter);
    const run = told.runs[row.dataset.run];
    const [partTask, partSlice] = row.dataset.part ? JSON.parse(row.dataset.part) : ["", {}];
    const [task, metric, slice] = JSON.parse(head.dataset.col ?? "[]");
    const where = { ...partSlice, ...slice };
    const found = units(told, run, table.dataset.protocol, partTask || task, metric, where);
    const group = cell.closest("tbody")?.querySelector("tr.group");
    const title = head instanceof HTMLTableRowElement ? head.cells[0] : head;
    const words = [row.dataset.run, group?.textContent?.trim(), title.innerText.replace(/\s*([↑↓→]|\nn [\d,]+).*/s, "")].filter(Boolean).join(", ");
    part("behind-h").textContent = `${words}: ${button.textContent}`;
    const interval = cell.querySelector(".interval")?.textContent;
    part("behind-what").textContent = [
      interval && (/^[\d−]/.test(interval) ? `95% interval ${interval}` : interval), `${found.rows.length} of ${run.count} questions`, `protocol ${table.dataset.protocol}`,
      found.derived && `${metric} is an average of the tasks' main metrics, which are listed here`, "sorted worst first",
    ].filter(Boolean).join("; ");
    const query = new URLSearchParams(Object.entries({ protocol: table.dataset.protocol, task: partTask || task, metric: found.derived ? "" : metric }).filter(([, v]) => v));
    for (const [key, value] of Object.entries(where)) query.set(`f.${key}`, String(value));
    const more = part("behind-more");
    more.replaceChildren();
    if (viewer) more.append(make("a", "Show all in the viewer", { href: `${viewer}/runs/${encodeURIComponent(run.slug)}/items?${query}`, target: "_blank", rel: "noopener noreferrer" }));
    if (!run.units.length) more.prepend(`This Run has ${run.count} questions, too many to list in this file. `);
    const body = /** @type {HTMLTableSectionElement} */ (dialog.querySelector("tbody"));
    body.replaceChildren(...found.rows.slice(0, 500).map((entry) => line(told, run, entry)));
    if (found.rows.length > 500) more.append(` (only the first 500 of ${found.rows.length} are listed here)`);
    dialog.showModal();
    part("behind-h").focus();
  }

  for (const cell of all("table.figures td[data-sort]")) {
    const table = cell.closest("table");
    const [row, head] = crossing(cell);
    const value = cell.querySelector(".value");
    if (!row?.dataset.run || !head?.dataset.col || cell.dataset.sort === "" || !data[table.dataset.chapter] || !table.dataset.protocol) continue;
    const button = make("button", "", { type: "button", title: "The questions behind this number" });
    button.append(...value.childNodes);
    value.append(button);
    button.addEventListener("click", () => open(cell, button));
  }
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });

  // ---- where one is
  const links = new Map(all(".contents a").map((a) => [decodeURIComponent(a.hash.slice(1)), a]));
  if ("IntersectionObserver" in window) {
    const seen = new IntersectionObserver((entries) => {
      for (const entry of entries) if (entry.isIntersecting) {
        links.forEach((a) => a.removeAttribute("aria-current"));
        links.get(entry.target.id)?.setAttribute("aria-current", "true");
      }
    }, { rootMargin: "-15% 0px -75% 0px" });
    links.forEach((_, id) => { const target = document.getElementById(id); if (target) seen.observe(target); });
  }

  // ---- folded: a link opens what it leads to; one button opens everything, on the screen and on paper
  const reveal = () => {
    const target = location.hash ? document.getElementById(decodeURIComponent(location.hash.slice(1))) : null;
    if (!target) return;
    for (let fold = target.closest("details"); fold; fold = fold.parentElement?.closest("details") ?? null) fold.open = true;
    target.scrollIntoView();
  };
  addEventListener("hashchange", reveal);
  reveal();
  const everything = document.querySelector(".open-all");
  if (everything) {
    const pages = all("details[name]").map((page) => [page, page.getAttribute("name")]); // of one name, one alone is open
    everything.hidden = false;
    everything.addEventListener("click", () => {
      const unfold = everything.getAttribute("aria-pressed") !== "true";
      pages.forEach(([page, group]) => (unfold ? page.removeAttribute("name") : page.setAttribute("name", group)));
      all("main details").forEach((fold) => { fold.open = unfold; });
      everything.setAttribute("aria-pressed", String(unfold));
    });
  }
})();
