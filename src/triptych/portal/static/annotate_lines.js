// Lines of a translation next to their source, or of a transcript. A translation's lines are always as many as the source's.
import { clock } from "/static/timeline.js";

const breaks = /[\r\n\u2028\u2029]+/g;

/** @template {keyof HTMLElementTagNameMap} K @param {K} name @param {Record<string, string>} attributes @param {(Node | string)[]} inside @returns {HTMLElementTagNameMap[K]} */
function made(name, attributes = {}, ...inside) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...inside);
  return element;
}

/** @type {(root: HTMLElement, desk: Desk) => Editor} */
export function lines(root, { state, draft, talk, say, changed }) {
  const source_lines = state.source;
  const fixed = source_lines !== null;
  const box = made("ol", { class: fixed ? "lines beside" : "lines" });
  const counted = made("p", { class: "muted", role: "status" });
  const tools = made("p", { class: "line-tools" });
  root.append(counted, tools, box);
  const more = (state.more ?? []).map((name) => {
    const id = `more-${name}`;
    const input = made("textarea", { id, rows: "2" });
    input.value = draft.answers[name] ?? "";
    input.addEventListener("input", () => changed());
    root.append(made("p", { class: "field" }, made("label", { for: id }, state.say[`more-${name}`] ?? name), input));
    return { name, input };
  });
  const told = () => more.filter(({ input }) => input.value.trim()); // such a text can be sent though lines are open
  /** @type {Row[]} */
  let rows = [];
  /** @type {Row | null} */
  let current = null;

  /** @type {(row: Row) => string} */
  const stateOf = (own) => (own.confirmed ? "confirmed" : !own.input.value.trim() ? "empty" : own.input.value === own.draft ? "draft" : "edited");

  /** @param {{ text: string, source?: string, time: number | null, own: string, confirmed: boolean }} line @returns {Row} */
  function row({ text, source, time, own, confirmed }) {
    const made_row = /** @type {Row} */ (/** @type {Partial<Row>} */ ({ draft: own, time, confirmed, box: made("li", { class: "line" }) }));
    made_row.input = made("textarea", { rows: "1", lang: fixed ? "" : "en", spellcheck: "true" });
    if (fixed) made_row.input.removeAttribute("lang");
    made_row.input.value = text;
    made_row.sign = made("span", { class: "chip" });
    made_row.play = made("button", { type: "button", class: "quiet play", tabindex: "-1" });
    made_row.play.addEventListener("click", () => hear(made_row));
    made_row.head = made("span", { class: "line-head" }, made("span", { class: "line-number" }), made_row.play);
    made_row.remarks = made("ul", { class: "card-remarks" });
    made_row.box.append(made_row.head);
    if (source !== undefined) {
      made_row.source = made("p", { class: "source", lang: "en" }, source);
      made_row.box.append(made_row.source);
    }
    made_row.box.append(made_row.input, made_row.sign, made_row.remarks);
    made_row.input.addEventListener("input", () => {
      const flat = made_row.input.value.replace(breaks, " "); // what is pasted may have several lines
      if (flat !== made_row.input.value) made_row.input.value = flat;
      made_row.confirmed = false;
      grow(made_row);
      sign(made_row);
      changed();
    });
    made_row.input.addEventListener("keydown", (event) => enter(event, made_row));
    made_row.input.addEventListener("focus", () => { current = made_row; for (const each of rows) each.box.classList.toggle("current", each === made_row); });
    return made_row;
  }

  /** @param {Row} own */
  function grow({ input }) {
    if (CSS.supports("field-sizing", "content")) return;
    input.style.height = "auto";
    input.style.height = `${input.scrollHeight + 2}px`;
  }

  /** @param {Row} own */
  function sign(own) {
    const name = stateOf(own);
    own.box.dataset.state = name;
    own.sign.textContent = (name === "confirmed" ? "✓ " : "") + say(`state-${name}`);
    const open = rows.filter((each) => each.confirmed).length;
    counted.textContent = say("confirmed", { count: open, of: rows.length });
  }

  function number() {
    rows.forEach((own, place) => {
      own.box.id = `at-${place}`;
      /** @type {HTMLElement} */ (own.head.firstChild).textContent = String(place + 1);
      own.input.setAttribute("aria-label", say("line", { number: place + 1 }));
      own.play.hidden = own.time === null || !talk;
      if (own.time !== null) {
        own.play.textContent = `▶ ${clock(own.time).slice(0, -3)}`;
        own.play.setAttribute("aria-label", say("play-line", { number: place + 1, time: clock(own.time) }));
      }
      sign(own);
    });
  }

  /** @param {Row} own */
  function hear(own) {
    if (!talk || own.time === null) return;
    const { time } = own;
    const next = rows.slice(rows.indexOf(own) + 1).find((each) => each.time !== null && each.time > time);
    talk.listenTo(time, next?.time ?? talk.seconds);
  }

  /** @param {Row | undefined} own @param {number | null} at */
  function focus(own, at = null) {
    if (!own) return;
    own.input.focus();
    if (at !== null) own.input.setSelectionRange(at, at);
    own.box.scrollIntoView({ block: "nearest" });
  }

  // Enter confirms a line, unless an input method is composing: then it chooses a word.
  /** @param {KeyboardEvent} event @param {Row} own */
  function enter(event, own) {
    if (event.isComposing || event.keyCode === 229 || event.key !== "Enter" || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    if (!event.repeat) confirmLine(own);
  }

  /** @param {Row} own */
  function confirmLine(own) {
    if (fixed && !own.input.value.trim()) return; // every line of the source needs one
    own.confirmed = true;
    sign(own);
    const place = rows.indexOf(own);
    if (place + 1 < rows.length) focus(rows[place + 1]);
    else if (!fixed && own.input.value.trim() && rows.every((each) => each.confirmed) && !state.draft.length) insert(place + 1, "", null);
    else (rows.find((each) => !each.confirmed)?.input ?? document.getElementById("send"))?.focus();
    changed({ checked: true });
  }

  /** @param {number} place @param {string} text @param {number | null} time */
  function insert(place, text, time) {
    const own = row({ text, time, own: "", confirmed: false });
    rows.splice(place, 0, own);
    if (rows[place + 1]) rows[place + 1].box.before(own.box); else box.append(own.box);
    number();
    grow(own);
    focus(own, 0);
    return own;
  }

  /** @param {Row} own */
  function split(own) {
    const at = own.input.selectionStart;
    const rest = own.input.value.slice(at).trimStart();
    own.input.value = own.input.value.slice(0, at).trimEnd();
    own.confirmed = false;
    insert(rows.indexOf(own) + 1, rest, null);
    changed();
  }

  /** @param {Row} own */
  function join(own) {
    const place = rows.indexOf(own);
    if (place < 1) return;
    const above = rows[place - 1];
    const at = above.input.value.length;
    above.input.value = `${above.input.value} ${own.input.value}`.trim();
    above.confirmed = false;
    rows.splice(place, 1);
    own.box.remove();
    number();
    grow(above);
    focus(above, at);
    changed();
  }

  /** @param {Row} own */
  function restore(own) {
    own.input.value = own.draft;
    own.confirmed = false;
    grow(own);
    sign(own);
    focus(own);
    changed();
  }

  /** @type {(name: string, call: (own: Row) => void) => void} */
  const act = (name, call) => {
    const button = made("button", { type: "button", class: "quiet" }, say(name));
    button.addEventListener("click", () => call(current ?? rows[0]));
    tools.append(button);
  };
  /** @type {(own: Row, by: number) => void} */
  const near = (own, by) => focus(rows[rows.indexOf(own) + by]);
  act("confirm", confirmLine);
  if (!fixed) { act("split", split); act("join", join); }
  act("restore", restore);
  act("next-open", () => focus(rows.find((each) => !each.confirmed)));

  /** @type {string[]} */
  const texts = draft.answers[state.field].split("\n");
  const kept = draft.extra?.length === texts.length ? draft.extra : null;
  rows = texts.map((text, place) => row({
    text, source: source_lines?.[place], own: kept ? kept[place].draft : state.draft[place] ?? "",
    time: (kept ? kept[place].time : state.times[place]) ?? null, confirmed: kept ? kept[place].confirmed : Boolean(state.sent), // of what was sent, all is
  }));
  box.append(...rows.map((own) => own.box));
  number();
  rows.forEach(grow);
  current = rows[0];

  const open = () => rows.filter((own) => !own.confirmed).length;
  return {
    answers: () => ({ [state.field]: rows.map((own) => own.input.value.replace(breaks, " ").trim()).join("\n"), ...Object.fromEntries(told().map(({ name, input }) => [name, input.value.trim()])) }),
    extra: () => rows.map(({ draft: own, time, confirmed }) => ({ draft: own, time, confirmed })),
    missing() {
      if (!open() || told().length) return "";
      focus(rows.find((own) => !own.confirmed));
      return say("confirm-first", { count: open() });
    },
    begun: (at) => (at === null ? rows : rows.slice(at, at + 1)).some((own) => ["edited", "confirmed"].includes(stateOf(own))),
    go: (at) => focus(rows[at]),
    mark(remarks) {
      rows.forEach((own, place) => {
        const mine = remarks.filter((remark) => remark.at === place);
        own.box.classList.toggle("faulty", mine.some((remark) => remark.blocks));
        own.remarks.replaceChildren(...mine.map((remark) => made("li", { class: remark.blocks ? "must" : "hint" }, remark.message)));
      });
    },
    press(event) {
      if (!current) return false;
      const own = current;
      /** @type {Record<string, () => void>} */
      const calls = { ArrowUp: () => near(own, -1), ArrowDown: () => near(own, 1), KeyL: () => hear(own), KeyR: () => restore(own),
        ...(fixed ? {} : { Enter: () => split(own), NumpadEnter: () => split(own), Backspace: () => join(own) }) };
      const call = calls[event.code];
      if (call) call();
      return Boolean(call);
    },
  };
}
