// The review page: what is entered is kept in this browser until the server's receipt names it.
import { alone } from "/static/alone.js";
import { all, newId, put, remove, Saver, send, wait } from "/static/outbox.js";
import { showUnsent } from "/static/unsent.js";

const desk = /** @type {HTMLFormElement} */ (document.getElementById("desk"));
const data = /** @type {Settings} */ (desk.dataset);
const { person, token, address, after, queue } = data;
const task = Number(desk.dataset.task || 0);
/** @type {<K extends keyof ReviewParts>(id: K) => ReviewParts[K]} */
const part = (id) => /** @type {any} */ (document.getElementById(id));
const begun = Date.now();
const fields = [...desk.querySelectorAll("[data-field]")];
/** @type {(box: HTMLElement) => string} */
const nameOf = (box) => box.dataset.field ?? "";
/** @type {(box: HTMLElement) => HTMLInputElement[]} the inputs of a field; the first is a textarea or a select where the field is one */
const inputsOf = (box) => /** @type {any} */ ([...box.querySelectorAll(`[name="${CSS.escape(nameOf(box))}"]`)]);
/** @type {(box: HTMLElement) => HTMLTextAreaElement} the text of a field that has a proposal */
const textOf = (box) => /** @type {HTMLTextAreaElement} */ (box.querySelector("textarea"));
const CHECK_MS = 400;
let attempt = 0;
let sending = false;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let checking;

/** @type {Say} */
const say = (name, values = {}) => (data[`say${name}`] ?? "").replace(/\{(\w+)\}/g, (whole, field) => String(values[field] ?? whole));
const saver = new Saver();
/** @type {Entry} set by `begin`, and nothing works before it; null after it was sent */
let draft = /** @type {any} */ (null);
let dirty = false; // whether something was entered since the page came
let stored = true; // false without a store (a private window): the page works, but a reload loses the draft

/** @type {() => Entry} */
const fresh = () => ({ id: newId(), kind: "review", state: "draft", person, queue, task, address, title: data.title, at: Date.now(), body: { values: {}, seconds: 0 } });

function entered() {
  /** @type {Record<string, string | string[]>} */
  const values = {};
  for (const box of fields) {
    const inputs = inputsOf(box);
    if (box.dataset.kind === "several") values[nameOf(box)] = inputs.filter((each) => each.checked).map((each) => each.value);
    else if (inputs[0].type === "radio") values[nameOf(box)] = inputs.find((each) => each.checked)?.value ?? "";
    else values[nameOf(box)] = inputs[0].value;
  }
  return values;
}

/** @param {Record<string, string | string[]>} values */
function fill(values) {
  for (const box of fields) {
    const value = values[nameOf(box)];
    if (value === undefined) continue;
    for (const input of inputsOf(box)) {
      if (input.type === "checkbox") input.checked = value.includes(input.value);
      else if (input.type === "radio") input.checked = input.value === value;
      else {
        input.value = String(value);
        input.dispatchEvent(new Event("change"));
      }
    }
  }
}

/** @param {string} text */
function complain(text) {
  /** @type {HTMLElement | null} */
  const box = part("problem");
  if (!box) return;
  box.hidden = !text;
  box.textContent = text;
}

// A changed proposal chooses the answer that takes changes, and can be undone.
function marked() {
  let changed = false;
  for (const box of fields.filter((each) => "proposed" in each.dataset)) {
    const inputs = inputsOf(box);
    const now = inputs[0].type === "radio" ? inputs.find((each) => each.checked)?.value ?? "" : textOf(box).value;
    const own = now.trim() !== (box.dataset.proposed ?? "").trim();
    box.classList.toggle("changed", own);
    /** @type {HTMLElement | null} */
    const undo = box.querySelector(".undo");
    if (undo) undo.hidden = !own;
    changed ||= own;
  }
  return changed;
}

/** @param {HTMLElement} [target] */
function onInput(target) {
  const before = data.changed === "yes";
  const changed = marked();
  data.changed = changed ? "yes" : "";
  const takes = [...desk.querySelectorAll("input")].find((input) => ["edit", "revise"].includes(input.value) && input.closest("[data-first]"));
  if (changed && !before && takes && target?.closest("[data-proposed]")) takes.checked = true;
  complain("");
  save();
  clearTimeout(checking);
  if (changed) checking = setTimeout(check, CHECK_MS);
}

// The server says whether a build can use the changed texts, by the rules by which it takes the review.
async function check() {
  if (sending || !draft || draft.state !== "draft") return;
  const asked = JSON.stringify({ values: entered() });
  const headers = { "content-type": "application/json", accept: "application/json", "x-form-token": token };
  /** @type {{ message: string } | null} */
  const found = await fetch(`${address}/check`, { method: "POST", headers, body: asked }).then((answer) => (answer.ok ? answer.json() : null), () => null);
  if (found && !sending && asked === JSON.stringify({ values: entered() })) complain(found.message);
}

// The page says that something is kept only when it is in the browser's store.
async function save() {
  draft.body = { values: entered(), seconds: spent() };
  dirty = true;
  try {
    await saver.save(draft);
    stored = true;
    if (!sending) part("state").textContent = say("Draft");
  } catch { stored = false; }
}

let earlier = 0; // seconds of earlier visits
const spent = () => Math.min(21600, earlier + Math.round((Date.now() - begun) / 1000));

async function flush() {
  if (sending) return;
  sending = true;
  try {
    /** @type {Entry[]} */
    const kept = stored ? await all(person, { kind: "review", state: "kept" }).catch(() => []) : [];
    if (!stored && draft?.state === "kept") kept.push(draft);
    for (const entry of kept) if (!(await sent(entry))) return;
    attempt = 0;
  } finally { sending = false; await waiting(); }
}

// Send one; false if the others have to wait.
/** @param {Entry} entry */
async function sent(entry) {
  const own = entry.id === draft?.id;
  const { outcome, why } = await send(entry, token);
  if (outcome === "again") {
    const seconds = wait(attempt);
    attempt += 1;
    setTimeout(flush, seconds * 1000);
    /** @type {HTMLElement | null} */
    const state = part("state");
    if (state) state.textContent = say("Retry", { seconds });
    return false;
  }
  if (outcome === "session") { complain(why || say("LogIn")); return false; }
  if (outcome === "gone") { location.reload(); return false; }
  if (outcome === "refused" && own) { await reopen(entry, why); return false; }
  if (outcome === "sent" && own) { draft = /** @type {any} */ (null); location.assign(after || location.href); return false; }
  return true;
}

// A refused review can be changed: it goes on as a draft, under an id of its own.
/** @param {Entry} entry @param {string} why */
async function reopen(entry, why) {
  draft = { ...entry, id: newId(), state: "draft" };
  open(true);
  await save();
  await remove(entry.id).catch(() => {});
  part("state").textContent = "";
  complain(say("Refused", { why }));
  part("problem").scrollIntoView({ block: "center" });
}

const waiting = () => showUnsent({ kind: "review", queue, task });

/** @param {boolean} on */
function open(on) {
  part("submit").disabled = !on;
}

async function submit() {
  if (part("submit").disabled) return;
  open(false);
  part("state").textContent = say("Sending");
  await saver.idle();
  draft = { ...draft, state: "kept", body: { values: entered(), seconds: spent() } };
  stored = await put(draft).then(() => true, () => false);
  await flush();
}

// The values that the person entered before this script was loaded, when the draft was not on the page yet.
/** @type {(input: HTMLInputElement) => boolean} */
const ticks = (input) => ["radio", "checkbox"].includes(input.type);
function early() {
  /** @param {HTMLInputElement} input */
  const touched = (input) => (ticks(input) ? input.checked !== input.defaultChecked : input.value !== input.defaultValue);
  const names = fields.filter((box) => inputsOf(box).some(touched)).map(nameOf);
  return Object.fromEntries(Object.entries(entered()).filter(([name]) => names.includes(name)));
}

// A draft with what was entered early: choices replace those of the draft, a text comes behind the draft's.
/** @type {(values: Record<string, any>, typed: Record<string, any>) => Record<string, any>} */
function merged(values, typed) {
  const both = { ...values, ...typed };
  for (const [name, text] of Object.entries(typed)) {
    const input = /** @type {HTMLInputElement} */ (desk.querySelector(`[name="${CSS.escape(name)}"]`));
    if (ticks(input) || !values[name] || values[name] === input.defaultValue) continue;
    both[name] = input.tagName === "TEXTAREA" && !input.defaultValue ? `${values[name]}\n${text}` : values[name];
  }
  return both;
}

// The values that the person sent, to be changed: numbers as their inputs have them.
/** @param {Record<string, unknown>} values */
function sentBefore(values) {
  /** @type {(value: unknown) => string | string[]} */
  const text = (value) => (Array.isArray(value) && !value.some(Array.isArray) ? value.map(String) : typeof value === "object" ? JSON.stringify(value) : String(value));
  const own = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, text(value)]));
  for (const box of fields) {
    const value = own[nameOf(box)];
    if (box.querySelector("textarea") && Array.isArray(value)) own[nameOf(box)] = value.join("\n");
  }
  fill(own);
}

async function begin() {
  await alone(`review ${person} ${queue}`);
  const kept = await all(person, { kind: "review", queue, task }).catch(() => { stored = false; return []; });
  const before = kept.findLast((each) => each.state !== "refused");
  if (!before && data.before) sentBefore(JSON.parse(data.before));
  earlier = before?.body.seconds ?? 0;
  draft = before ?? fresh();
  const typed = early();
  if (before) fill(merged(before.body.values, typed));
  const edited = fields.find((box) => nameOf(box) in typed && "proposed" in box.dataset);
  const decided = before || fields.some((box) => nameOf(box) in typed && "first" in box.dataset);
  if (draft.state === "draft" && Object.keys(typed).length) onInput(decided || !edited ? desk : edited);
  else data.changed = marked() ? "yes" : "";
  desk.addEventListener("input", (event) => onInput(/** @type {HTMLElement} */ (event.target)));
  desk.addEventListener("submit", (event) => { event.preventDefault(); submit(); });
  for (const button of desk.querySelectorAll(".undo")) {
    button.addEventListener("click", () => {
      const box = /** @type {HTMLElement} */ (button.closest("[data-proposed]"));
      const area = textOf(box);
      area.value = box.dataset.proposed ?? "";
      area.focus();
      onInput();
    });
  }
  document.addEventListener("keydown", (event) => {
    if (event.isComposing || event.keyCode === 229 || event.altKey) return; // an input method is at work
    if (event.target.closest(".remark")) return; // words to the administrator are not the review
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      submit();
    } else if (event.key === "Enter" && event.target.matches("input:not([type=submit])")) {
      event.preventDefault(); // only the button and Ctrl+Enter submit
    } else if (!event.ctrlKey && !event.metaKey && /^[1-9]$/.test(event.key) && !event.target.closest("textarea, select, input:not([type=radio], [type=checkbox])")) {
      const choice = [...desk.querySelectorAll("input")].filter((input) => input.closest("[data-first]"))[Number(event.key) - 1];
      if (choice) { choice.checked = true; choice.focus(); onInput(); }
    }
  });
  if (!desk.contains(document.activeElement)) desk.querySelector("[data-first] input, [data-field] textarea, [data-field] input")?.focus({ preventScroll: true });
  open(draft.state === "draft");
}

addEventListener("online", () => { attempt = 0; flush(); });
addEventListener("beforeunload", (event) => { if (saver.busy || (draft && dirty && !stored)) event.preventDefault(); });
if (desk.tagName === "FORM") await begin();
data.ready = "yes"; // keys and buttons work from now on
await flush();
