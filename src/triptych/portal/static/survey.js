// The page of a survey: one question at a time, keyboard first. What is answered is in this browser's store until the
// server has it; then the next question replaces this one.
import { alone } from "/static/alone.js";
import { all, newId, put, remove, send, wait } from "/static/outbox.js";
import { showUnsent } from "/static/unsent.js";

const root = /** @type {HTMLElement} */ (document.getElementById("survey"));
const settings = /** @type {Settings} */ (root.dataset);
/** @type {<K extends keyof SurveyParts>(id: K) => SurveyParts[K]} */
const part = (id) => /** @type {any} */ (document.getElementById(id));
const stage = () => part("stage");
const controls = () => /** @type {HTMLInputElement[]} */ ([...part("answer").elements]);

/** @type {Entry | null} */
let entry = null; // the answer to the question on the screen
let since = 0; // when the question was last shown, if it is visible
let attempt = 0;
let retry = 0;
let sending = false;
let stored = true;

/** @type {Say} */
function say(name, values = {}) {
  const key = `say${name.split("-").map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("")}`;
  return settings[key].replace(/\{(\w+)\}/g, (whole, field) => String(values[field] ?? whole));
}

/** @param {string} name @param {Values} [values] */
function show(name, values) { part("state").textContent = name ? say(name, values) : ""; }

/** @type {(name: string, values?: Values) => void} */
const warn = (name, values) => tell(name ? say(name, values) : "");

/** @param {string} text */
function tell(text) {
  /** @type {HTMLElement | null} */
  const box = part("warning");
  if (!box) { part("state").textContent = text; return; }
  box.hidden = !text;
  box.textContent = text;
}

const waiting = () => showUnsent({ kind: "survey", queue: settings.queue, task: Number(stage().dataset.task || 0) });

// A question that has just come to the screen; its buttons work from the moment in which its draft can't come back any more.
function begin() {
  since = document.hidden ? 0 : performance.now();
  /** @type {HTMLFormElement | null} */
  const form = part("answer");
  if (!form) { entry = null; return; }
  entry = {
    id: newId(), kind: "survey", state: "draft", person: settings.person, queue: settings.queue, title: part("stage-title").textContent,
    task: Number(stage().dataset.task), address: `/survey/${encodeURIComponent(settings.queue)}/${stage().dataset.task}`, at: Date.now(),
    body: { picked: [], order: order(), text: "", declined: false, ms: 0 },
  };
  form.addEventListener("submit", (event) => { event.preventDefault(); finish(false); });
  form.addEventListener("input", () => { warn(""); keep(); });
  part("decline")?.addEventListener("click", () => finish(true));
  if (settings.ready) enable();
}

function enable() {
  for (const button of stage().querySelectorAll("button")) if (["send", "decline"].includes(button.id)) button.disabled = false;
}

function order() { return (stage().dataset.order || "").split(",").filter(Boolean).map(Number); }

function spent() {
  if (since && entry) entry.body.ms += Math.round(performance.now() - since);
  since = document.hidden ? 0 : performance.now();
}

/** @param {Entry} answer */
function read(answer) {
  const data = new FormData(part("answer"));
  answer.body.picked = data.getAll("picked").map(Number);
  answer.body.text = data.get("text") ?? "";
}

async function keep() {
  if (!entry || entry.state !== "draft") return;
  spent();
  read(entry);
  await store(entry);
}

/** @param {Entry} what */
async function store(what) {
  if (!stored) return;
  try { await put(what); } catch { stored = false; warn("no-store"); }
}

/** @param {boolean} declined */
async function finish(declined) {
  if (!settings.ready || !entry || entry.state !== "draft") return;
  read(entry);
  const { picked, text } = entry.body;
  if (!declined && !picked.length && !text.trim()) { warn("missing"); part("answer").querySelector("input, textarea")?.focus(); return; }
  spent();
  if (declined) Object.assign(entry.body, { picked: [], text: "", declined: true });
  entry.state = "kept";
  for (const control of controls()) control.disabled = true;
  stage().querySelectorAll("audio, video").forEach((medium) => medium.pause());
  await store(entry);
  await flush();
}

// Send everything that was kept, oldest first; then get the next question.
async function flush() {
  if (sending) return;
  sending = true;
  clearTimeout(retry);
  try {
    const kept = stored ? await all(settings.person, { kind: "survey", queue: settings.queue, state: "kept" }) : [];
    if (!stored && entry?.state === "kept") kept.push(entry);
    if (!kept.length) return;
    show("sending");
    for (const each of kept) {
      const { outcome, why, entry: refused } = await send(each, settings.token);
      if (outcome === "session") { show(""); if (why) tell(why); else warn("log-in"); return; }
      if (outcome === "gone") { location.reload(); return; }
      if (outcome === "again") { later(); return; }
      if (outcome === "refused") { show(""); await again(refused, why); return; }
    }
    attempt = 0;
    await next();
  } finally { sending = false; }
}

function later() {
  const seconds = wait(attempt);
  attempt += 1;
  show("retry", { seconds });
  retry = setTimeout(flush, 1000 * seconds);
}

// A refused answer to the question on the screen can be changed; any other one is listed among the unsent entries.
/** @param {Entry} refused @param {string} why */
async function again(refused, why) {
  if (refused.status === 409 || entry?.id !== refused.id) { await waiting(); await next(); return; }
  for (const control of controls()) control.disabled = false;
  entry = { .../** @type {Entry} */ (entry), id: newId(), state: "draft" }; // it goes on as a draft
  await store(entry);
  if (stored) await remove(refused.id);
  warn("refused", { why });
}

async function next() {
  let page;
  try {
    const answer = await fetch(location.pathname, { headers: { accept: "text/html" } });
    if (answer.redirected || answer.status === 401) { location.reload(); return; }
    if (!answer.ok) throw new Error(String(answer.status));
    page = new DOMParser().parseFromString(await answer.text(), "text/html");
  } catch {
    const seconds = wait(attempt);
    attempt += 1;
    show("retry", { seconds });
    retry = setTimeout(next, 1000 * seconds);
    return;
  }
  attempt = 0;
  stage().replaceWith(document.adoptNode(/** @type {HTMLElement} */ (page.getElementById("stage"))));
  if (location.search) history.replaceState(null, "", location.pathname);
  show("");
  begin();
  stage().focus();
  scrollTo(0, 0);
}

// Put a draft back, with what was entered before this script was loaded: a choice replaces that of the draft, a text comes
// behind the draft's.
/** @param {Entry} shown @param {Entry | undefined} draft */
function restore(shown, draft) {
  read(shown);
  const { picked, text } = shown.body;
  const early = picked.length > 0 || text.trim() !== "";
  if (draft && draft.body.order.join() === order().join()) {
    entry = draft;
    for (const control of controls()) {
      if (control.name === "picked" && !early) control.checked = draft.body.picked.includes(Number(control.value));
      else if (control.type === "radio" && control.name === "text" && !early) control.checked = control.value === draft.body.text;
      else if (control.type === "textarea") control.value = [draft.body.text, text].filter((each) => each.trim()).join("\n");
    }
  }
  if (early) keep();
}

// After a reload: what was kept is sent; a draft of this question is put back.
async function resume() {
  begin();
  await alone(`survey ${settings.person} ${settings.queue}`);
  /** @type {Entry[]} */
  let mine = [];
  try {
    mine = await all(settings.person, { kind: "survey", queue: settings.queue });
  } catch {
    stored = false;
    warn("no-store");
  }
  const shown = entry;
  if (shown) restore(shown, mine.find((each) => each.state === "draft" && each.task === shown.task));
  settings.ready = "yes"; // keys and buttons work from now on
  enable();
  if (mine.some((each) => each.state === "kept")) await flush();
  await waiting();
  navigator.storage?.persist?.();
}

function play() {
  const media = [...stage().querySelectorAll("audio, video")];
  const running = media.find((medium) => !medium.paused);
  if (running) { running.pause(); return; }
  const inside = document.activeElement?.closest(".option")?.querySelector("audio, video");
  (inside ?? media[0])?.play();
}

function back() {
  const medium = [...stage().querySelectorAll("audio, video")].find((each) => !each.paused) ?? stage().querySelector("audio, video");
  if (medium) medium.currentTime = Math.max(0, medium.currentTime - 3);
}

/** @param {number} number */
function choose(number) {
  const form = stage().dataset.form;
  const inputs = [...part("answer").querySelectorAll("input")].filter((input) => ["radio", "checkbox"].includes(input.type));
  const wanted = form === "rating" ? inputs.find((input) => input.value === String(number)) : inputs[number - 1];
  if (!wanted || wanted.disabled) return false;
  wanted.click();
  wanted.focus();
  return true;
}

/** @param {KeyboardEvent} event */
function pressed(event) {
  if (event.isComposing || event.keyCode === 229 || event.repeat) return false; // an input method is at work
  if (event.target.closest(".remark")) return false; // words to the administrator are not the answer
  const writing = event.target.closest("textarea");
  const command = event.ctrlKey || event.metaKey;
  if (event.key === "Enter" && part("answer")) {
    if (writing && !command) return false;
    if (!writing && event.target.closest("button, a, audio, video, summary, select")) return false;
    finish(false);
    return true;
  }
  if (event.altKey && !command && event.code === "KeyP") { play(); return true; }
  if (event.altKey && !command && event.code === "KeyB") { back(); return true; }
  if (writing || command || event.altKey || event.target.closest("select, input[type=text]")) return false;
  if (event.key.toLowerCase() === "p") { play(); return true; }
  if (!part("answer") || !/^[0-9]$/.test(event.key)) return false;
  return choose(Number(event.key));
}

document.addEventListener("keydown", (event) => { if (pressed(event)) event.preventDefault(); });
document.addEventListener("visibilitychange", () => { spent(); keep(); });
addEventListener("online", () => { attempt = 0; flush(); });
addEventListener("beforeunload", (event) => { if (entry?.state === "kept" && !stored) event.preventDefault(); });
resume();
