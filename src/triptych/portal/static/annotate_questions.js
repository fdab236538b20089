// Questions about a talk: cards with question, answer, time, what answers it, and kind.
import { clock } from "/static/timeline.js";

/** @template {keyof HTMLElementTagNameMap} K @param {K} name @param {Record<string, string | null>} attributes @param {(Node | string)[]} inside @returns {HTMLElementTagNameMap[K]} */
function made(name, attributes = {}, ...inside) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) if (value !== null) element.setAttribute(key, value);
  element.append(...inside);
  return element;
}

// `1:05.20` or `65.2` in seconds; null for anything else.
/** @type {(text: string | undefined) => number | null} */
export function secondsOf(text) {
  const parts = String(text ?? "").trim().replace(",", ".").split(":");
  if (!parts[0] || parts.length > 3 || parts.some((one) => !/^\d+(\.\d+)?$/.test(one))) return null;
  return parts.reduce((sum, one) => 60 * sum + Number(one), 0);
}

let made_cards = 0; // names of fields must differ

/** @type {(root: HTMLElement, desk: Desk) => Editor} */
export function questions(root, { state, draft, talk, say, changed }) {
  const list = made("ol", { class: "cards" });
  const notes = made("p", { class: "notice", role: "status" });
  const add = made("button", { type: "button", class: "quiet add" }, say("add"));
  notes.hidden = true;
  root.append(list, notes, add);
  /** @type {Card[]} */
  let cards = [];
  /** @type {Card | null} */
  let current = null;

  /** @type {(one: Question) => boolean} */
  const fixed = (one) => one.origin === "General" && state.general.includes(one.question);

  /** @type {(one: Question) => Card} */
  function card(one) {
    made_cards += 1;
    const id = `card-${made_cards}`;
    const box = made("li", { class: "card paper" });
    const own = /** @type {Card} */ (/** @type {Partial<Card>} */ ({ one, box, given: fixed(one) }));
    /** @type {(name: "begin" | "end" | "question" | "answer", label: string, tag: "input" | "textarea", attributes: Record<string, string>) => HTMLElement} */
    const field = (name, label, tag, attributes) => {
      const input = made(tag, { id: `${id}-${name}`, ...attributes });
      input.value = one[name] ?? "";
      input.addEventListener("input", () => { one[name] = input.value; follow(own); changed(); });
      own[name] = input;
      return made("p", { class: `field ${name}` }, made("label", { for: input.id }, say(label)), input);
    };
    const text = { rows: "2", maxlength: "2000", lang: "en", spellcheck: "true" };
    const kinds = made("fieldset", { class: "types" }, made("legend", {}, say("type")));
    for (const type of state.types) {
      const input = made("input", { type: "radio", name: `${id}-type`, value: type, id: `${id}-${type}` });
      input.checked = one.type === type;
      input.disabled = type.includes("V") && !state.video;
      input.addEventListener("change", () => { one.type = type; follow(own); changed(); });
      kinds.append(made("label", { class: "check", for: input.id }, input, ` ${say(`type-${type}`)}`));
    }
    const origin = made("select", { id: `${id}-origin` });
    for (const name of state.origins) origin.append(made("option", { value: name }, say(`origin-${name}`)));
    origin.value = one.origin;
    origin.addEventListener("change", () => { one.origin = origin.value; changed(); });
    const time = { inputmode: "decimal", autocomplete: "off", maxlength: "12", placeholder: "0:00.00" };
    own.title = made("h3", { tabindex: "-1" });
    own.remarks = made("ul", { class: "card-remarks", id: `${id}-remarks` });
    /** @type {(name: string, call: () => void) => HTMLButtonElement} */
    const act = (name, call) => {
      const button = made("button", { type: "button", class: "quiet" }, say(name));
      button.addEventListener("click", call);
      return button;
    };
    own.up = act("up", () => move(own, -1));
    own.down = act("down", () => move(own, 1));
    const tools = made("p", { class: "card-tools" }, own.up, own.down);
    if (!own.given) tools.append(act("delete", () => remove(own)));
    const times = made("div", { class: "times" }, field("begin", "begin", "input", time), field("end", "end", "input", time));
    if (talk) {
      own.marks = [act("set-begin", () => set(own, 0)), act("set-end", () => set(own, 1)), act("listen", () => hear(own))];
      times.append(made("p", { class: "marks" }, ...own.marks));
    }
    const kind = made("p", { class: "field" }, made("label", { for: origin.id }, say("origin")), origin);
    if (own.given) { kind.hidden = true; }
    box.append(made("div", { class: "card-head" }, own.title, tools),
      field("question", "question", "textarea", { ...text, ...(own.given ? { readonly: "" } : {}) }));
    if (own.given) box.append(made("p", { class: "muted small" }, say("given")));
    box.append(kinds, field("answer", "answer", "textarea", text), times, kind, own.remarks);
    own.question.setAttribute("aria-describedby", own.remarks.id);
    box.addEventListener("focusin", () => choose(own));
    follow(own);
    return own;
  }

  // Fields that follow from others: a question that can't be answered has a fixed answer and no time.
  /** @param {Card} own */
  function follow(own) {
    const none = own.one.type === "NA";
    if (none && own.answer.value !== state.no_answer) {
      own.before = own.answer.value;
      own.answer.value = own.one.answer = state.no_answer;
    } else if (!none && own.answer.value === state.no_answer) own.answer.value = own.one.answer = own.before ?? "";
    own.answer.readOnly = none;
    for (const input of [own.begin, own.end]) input.disabled = none;
    for (const button of own.marks ?? []) button.disabled = none;
    if (none) own.begin.value = own.end.value = own.one.begin = own.one.end = "";
    if (own === current) draw();
  }

  /** @type {(own: Card) => [number | null, number | null]} */
  const span = (own) => [secondsOf(own.one.begin), secondsOf(own.one.end)];

  function draw() {
    const [start, end] = current ? span(current) : [null, null];
    if (talk) talk.set(start !== null && end !== null && end > start ? [[start, end]] : []);
  }

  /** @param {Card} own */
  function choose(own) {
    if (own === current) return;
    current?.box.classList.remove("current");
    current = own;
    own.box.classList.add("current");
    draw();
  }

  /** @param {Card} own @param {0 | 1} side @param {number} seconds */
  function put(own, side, seconds) {
    const name = side === 0 ? "begin" : "end";
    own[name].value = own.one[name] = clock(seconds);
  }

  /** @param {Card} own @param {0 | 1} side */
  function set(own, side) {
    if (!talk || own.one.type === "NA") return;
    choose(own);
    put(own, side, talk.media.currentTime);
    draw();
    changed();
  }

  /** @param {Card} own */
  function hear(own) {
    const [start, end] = span(own);
    if (talk && start !== null && end !== null && end > start) talk.listenTo(start, end);
  }

  function number() {
    cards.forEach((own, place) => {
      own.box.id = `at-${place}`;
      own.title.textContent = say("at-question", { number: place + 1 });
      own.up.disabled = place === 0;
      own.down.disabled = place === cards.length - 1;
    });
  }

  function order() {
    for (const own of cards) if (own.box.parentNode !== list) list.append(own.box);
    number();
    changed();
  }

  /** @param {Card} own @param {number} by */
  function move(own, by) {
    const from = cards.indexOf(own);
    const to = from + by;
    if (to < 0 || to >= cards.length) return;
    const focused = /** @type {HTMLButtonElement | null} */ (document.activeElement);
    cards.splice(from, 1);
    cards.splice(to, 0, own);
    if (by < 0) cards[to + 1].box.before(own.box); else cards[to - 1].box.after(own.box);
    order();
    (!focused || focused.disabled ? own.title : focused).focus();
  }

  /** @param {Card} own */
  function remove(own) {
    const place = cards.indexOf(own);
    cards.splice(place, 1);
    own.box.remove();
    if (own === current) { current = null; draw(); }
    order();
    const undo = made("button", { type: "button", class: "quiet" }, say("undo"));
    undo.addEventListener("click", () => {
      cards.splice(Math.min(place, cards.length), 0, own);
      if (cards[place + 1]) cards[place + 1].box.before(own.box);
      notes.hidden = true;
      order();
      own.question.focus();
    });
    notes.replaceChildren(`${say("deleted", { number: place + 1 })} `, undo);
    notes.hidden = false;
    undo.focus();
  }

  function append() {
    /** @param {string} origin */
    const many = (origin) => cards.filter((own) => own.one.origin === origin).length;
    const origin = many("Abstract") < 3 ? "Abstract" : "Transcript";
    const own = card({ question: "", answer: "", type: "", origin, begin: "", end: "" });
    cards.push(own);
    list.append(own.box);
    notes.hidden = true;
    order();
    own.question.focus();
    own.box.scrollIntoView({ block: "nearest" });
  }

  cards = draft.answers.questions.map((/** @type {Question} */ one) => card({ ...one }));
  for (const own of cards) list.append(own.box);
  number();
  if (cards.length) choose(cards[0]);
  add.addEventListener("click", append);
  talk?.addEventListener("change", () => { // spans drawn on the waveform, or set there by keys
    const found = talk.spans[0];
    if (!current || current.one.type === "NA") return;
    if (found) { put(current, 0, found[0]); put(current, 1, found[1]); } else current.begin.value = current.end.value = current.one.begin = current.one.end = "";
    changed();
  });

  return {
    answers: () => ({ questions: cards.map(({ one }) => ({ ...one, question: one.question.trim(), answer: one.answer.trim() })) }),
    extra: () => null,
    missing: () => "",
    begun: (at) => at !== null && Boolean(cards[at] && (["answer", "type", "begin", "end"].some((name) => cards[at].one[name]) || (!cards[at].given && cards[at].one.question))),
    go: (at) => { cards[at]?.question.focus(); },
    mark(remarks) {
      cards.forEach((own, place) => {
        const mine = remarks.filter((remark) => remark.at === place);
        own.box.classList.toggle("faulty", mine.some((remark) => remark.blocks));
        own.remarks.replaceChildren(...mine.map((remark) => made("li", { class: remark.blocks ? "must" : "hint" }, remark.message)));
      });
    },
    press(event) {
      /** @type {Record<string, () => void>} */
      const acts = { BracketLeft: () => current && set(current, 0), BracketRight: () => current && set(current, 1), KeyN: append,
        ArrowUp: () => current && move(current, -1), ArrowDown: () => current && move(current, 1) };
      const act = acts[event.code];
      if (act) act();
      return Boolean(act);
    },
  };
}
