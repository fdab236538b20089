// The annotation page: one task, its draft in this browser's store, checks by the server while somebody writes, sending.
import { attach } from "/static/timeline.js";
import { alone } from "/static/alone.js";
import { all, newId, put, remove, Saver, send as deliver, wait } from "/static/outbox.js";
import { showUnsent } from "/static/unsent.js";
import { questions } from "/static/annotate_questions.js";
import { lines } from "/static/annotate_lines.js";
import { form } from "/static/annotate_form.js";

/** @type {Record<string, (root: HTMLElement, desk: Desk) => Editor>} */
const EDITORS = { questions, translation: lines, transcript: lines, form };
const CHECK_MS = 400;
const IDLE_MS = 60000; // longer without a key, a click or playing is not work
const BACK_S = 3;
/** @type {Record<string, "play" | "back" | "forward">} */
const CODES = { KeyP: "play", Comma: "back", Period: "forward" };

/** @type {<K extends keyof AnnotateParts>(id: K) => AnnotateParts[K]} */
const part = (id) => /** @type {any} */ (document.getElementById(id));
/** @type {AnnotationState} */
const state = JSON.parse(part("state").textContent ?? "");
const talk_box = part("talk");
const talk = talk_box ? attach(talk_box) : null;

const saver = new Saver();
/** @type {Draft | null} */
let draft = null; // an entry of the outbox, with {answers, extra, seconds, tried}
/** @type {Findings | null} */
let findings = null; // what the last check found
/** @type {Editor} `begin` makes it */
let editor;
let busy = false; // while it is sent, nothing changes
let stored = true;
let attempt = 0;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
let asked = 0;
let last = Date.now();

/** @type {Say} */
const say = (name, values = {}) => state.say[name].replace(/\{(\w+)\}/g, (whole, field) => String(values[field] ?? whole));
/** @type {(name: string, values?: Values) => void} */
const show = (name, values) => { part("status").textContent = say(name, values); };

function warn(text = "") {
  part("warning").hidden = !text;
  part("warning").textContent = text;
}

// Seconds of work, for pay: pauses of more than a minute don't count, unless the talk plays.
function worked() {
  const now = Date.now();
  const passed = now - last;
  last = now;
  if (draft && (passed < IDLE_MS || (talk && !talk.media.paused))) draft.seconds += passed / 1000;
}

function changed({ checked = true } = {}) {
  worked();
  if (!draft) return;
  draft.answers = editor.answers();
  draft.extra = editor.extra();
  gate();
  /** @returns {Promise<void>} */
  save();
  if (!checked) return;
  clearTimeout(timer);
  timer = setTimeout(check, CHECK_MS);
}

// The page says that something is saved only when it is in the browser's store.
async function save() {
  if (!draft) return;
  try {
    await saver.save(draft);
    stored = true;
    if (!busy) show("saved");
  } catch {
    stored = false;
    show("no-store");
  }
}

const address = () => `${state.base}/${encodeURIComponent(state.queue)}/${state.task}`;

/** @type {(last_part: string, body: object) => Promise<Response>} */
function post(last_part, body) {
  const headers = { "content-type": "application/json", accept: "application/json", "x-form-token": state.token };
  return fetch(`${address()}/${last_part}`, { method: "POST", headers, body: JSON.stringify(body) });
}

// The server opens the talk once the questions from the abstract are written; it stays open from then on.
function gate() {
  if (!part("first") || !draft) return;
  const written = (draft.answers.questions ?? []).filter((/** @type {Question} */ one) => one.origin === "Abstract" && one.question.trim()).length;
  part("first-open").disabled = written < state.abstract_first;
}

async function openTalk() {
  if (!draft) return;
  let answer;
  try { answer = await post("open", { answers: draft.answers }); } catch { warn(say("remarks-wait")); return; }
  if ([401, 403].includes(answer.status)) warn(say("log-in"));
  else if (!answer.ok) warn(await reasonOf(answer));
  else {
    await save();
    await saver.idle();
    location.reload();
  }
}

async function check() {
  if (!draft || busy) return;
  asked += 1;
  const mine = asked;
  let answer;
  try {
    answer = await post("check", { answers: draft.answers });
    if (!answer.ok) throw new Error(String(answer.status));
    const found = await answer.json();
    if (mine !== asked || busy || !draft) return;
    tell(found);
    warn(found.yours ? "" : say("not-yours"));
  } catch {
    if (mine !== asked) return;
    if (answer && [401, 403].includes(answer.status)) warn(say("log-in"));
    else if (answer?.status === 400) warn(say("refused", { why: await reasonOf(answer) }));
    else part("remarks").replaceChildren(paragraph(say("remarks-wait"), "muted"));
  }
}

/** @type {(answer: Response) => Promise<string>} */
const reasonOf = (answer) => answer.json().then((reply) => reply.message, () => String(answer.status));

/** @type {(text: string, style: string) => HTMLElement} */
function paragraph(text, style) {
  const made = document.createElement("p");
  made.textContent = text;
  made.className = style;
  return made;
}

// Show remarks where they belong, and all of them above the button, each leading to its place. What nobody has begun is not
// wrong yet: until somebody tries to send, there are remarks only on what has been written.
/** @param {Findings} found */
function tell(found) {
  const { tried = false } = draft ?? {};
  findings = found;
  const { counters, passes } = found;
  const remarks = found.remarks.filter(({ at }) => tried || editor.begun(at));
  editor.mark(remarks);
  const list = document.createElement("ul");
  for (const remark of remarks) {
    const row = document.createElement("li");
    row.className = remark.blocks ? "must" : "hint";
    const sign = document.createElement("b");
    sign.textContent = say(remark.blocks ? "must" : "hint");
    row.append(sign, " ");
    const { at } = remark;
    if (at === null) row.append(remark.message);
    else {
      const link = document.createElement("a");
      link.href = `#at-${at}`;
      link.textContent = say(state.editor === "questions" ? "at-question" : "at-line", { number: at + 1 });
      link.onclick = (event) => { event.preventDefault(); editor.go(at); };
      row.append(link, ` ${remark.message}`);
    }
    list.append(row);
  }
  part("remarks").replaceChildren(...(remarks.length ? [list] : passes ? [paragraph(`✓ ${say("remarks-none")}`, "good")] : [paragraph(say("remarks-later"), "muted")]));
  part("counters")?.replaceChildren(...counters.map(({ name, count, wanted }) => {
    const row = document.createElement("li");
    row.className = count >= wanted ? "met" : "open";
    const many = document.createElement("b");
    many.textContent = say("count", { count, wanted });
    const sign = document.createElement("span");
    sign.textContent = count >= wanted ? "✓" : "·";
    sign.setAttribute("aria-hidden", "true");
    row.append(sign, many, ` ${name}`);
    return row;
  }));
}

/** @param {boolean} on */
function lock(on) {
  busy = on;
  part("send").disabled = on;
  part("discard").disabled = on;
  part("editor").inert = on;
}

async function submit() {
  if (busy || !draft) return;
  draft.tried = true;
  if (findings) tell(findings);
  const missing = editor.missing();
  if (missing) { warn(missing); return; }
  clearTimeout(timer);
  warn();
  worked();
  draft.answers = editor.answers();
  // From now on the same answers are sent under the same id, until the server has answered.
  Object.assign(draft, { state: "kept", body: { answers: draft.answers, seconds: Math.round(draft.seconds) } });
  lock(true);
  await saver.idle();
  stored = await put(draft).then(() => true, () => false);
  await send();
}

async function send() {
  if (!draft) return;
  show("sending");
  const { outcome, why, told, entry } = await deliver(draft, state.token);
  if (outcome === "sent") {
    try { sessionStorage.setItem("triptych-annotation-sent", "yes"); } catch { /* only the message is missing */ }
    draft = null;
    location.reload();
  } else if (outcome === "gone") location.reload();
  else if (outcome === "session") {
    warn(why || say("log-in"));
    draft.state = "draft";
    lock(false);
    await save();
  } else if (outcome === "refused") await refused(entry, why, told);
  else {
    const seconds = wait(attempt);
    attempt += 1;
    show("retry", { seconds });
    timer = setTimeout(send, 1000 * seconds);
  }
}

// A refusal is final for these answers: what is changed and sent afterwards has an id of its own.
/** @param {Entry} entry @param {string} why @param {Problem | null | undefined} told */
async function refused(entry, why, told) {
  draft = { .../** @type {Draft} */ (draft), state: "draft", id: newId() };
  attempt = 0;
  lock(false);
  await save();
  await remove(entry.id).catch(() => {});
  if (told?.remarks) tell({ ...told, remarks: told.remarks });
  warn(entry.status === 422 && !entry.stranger ? why : say("refused", { why }));
}

async function discard() {
  if (!draft || !confirm(say("discard-sure"))) return;
  await saver.idle();
  await remove(draft.id);
  draft = null;
  location.reload();
}

// Work on other tasks in this browser: what was being sent is sent now, everything else is listed among the unsent entries.
async function others() {
  const own = { kind: /** @type {const} */ ("annotation"), queue: state.queue };
  for (const each of await all(state.person, { ...own, state: "kept" }).catch(() => [])) {
    if (each.task !== state.task && (await deliver(each, state.token)).outcome === "again") break;
  }
  await showUnsent({ ...own, task: state.task });
}

/** @type {(video: HTMLMediaElement, sound: HTMLMediaElement) => void} */
function follow(video, sound) {
  const level = () => { if (Math.abs(video.currentTime - sound.currentTime) > 0.25) video.currentTime = sound.currentTime; };
  sound.addEventListener("play", () => { level(); video.play().catch(() => {}); });
  sound.addEventListener("pause", () => { video.pause(); level(); });
  for (const name of ["seeked", "timeupdate"]) sound.addEventListener(name, level);
  sound.addEventListener("ratechange", () => { video.playbackRate = sound.playbackRate; });
}

/** @param {KeyboardEvent} event */
function keys(event) {
  if (event.isComposing || event.keyCode === 229 || event.ctrlKey || event.metaKey || !event.altKey || busy) return;
  const act = talk && { play: () => talk.play(), back: () => talk.seek(talk.media.currentTime - BACK_S), forward: () => talk.seek(talk.media.currentTime + BACK_S) }[CODES[event.code]];
  if (act) act();
  else if (!editor.press(event)) return;
  event.preventDefault();
}

async function begin() {
  await alone(`annotation ${state.person} ${state.queue}`);
  const kept = await all(state.person, { kind: "annotation", queue: state.queue, task: state.task }).then((mine) => mine.filter((each) => each.address === address())).catch(() => { stored = false; return []; });
  const earlier = /** @type {Draft | undefined} */ (kept.findLast((each) => each.state !== "refused"));
  draft = earlier ?? {
    id: newId(), kind: "annotation", state: "draft", person: state.person, queue: state.queue, task: state.task, address: address(),
    title: document.querySelector("h1")?.textContent ?? "", at: Date.now(), answers: state.answers, extra: null, seconds: 0, tried: false,
  };
  editor = EDITORS[state.editor](part("editor"), { state, draft, talk, say, changed });
  if (part("first")) part("first-open").onclick = openTalk;
  gate();
  if (earlier) show("restored");
  const pictures = part("pictures");
  if (pictures && talk) follow(pictures, talk.media);
  part("send").onclick = submit;
  part("discard").onclick = discard;
  document.addEventListener("keydown", keys);
  for (const name of ["keydown", "pointerdown"]) document.addEventListener(name, worked, true);
  addEventListener("online", () => { attempt = 0; if (busy) { clearTimeout(timer); send(); } else check(); });
  addEventListener("beforeunload", (event) => { if (draft && (busy || saver.busy || !stored)) event.preventDefault(); });
  const unfinished = draft.state === "kept";
  lock(unfinished);
  part("desk").dataset.ready = "yes"; // keys and buttons work from now on
  await others();
  if (unfinished) await send(); else check();
}

try {
  if (sessionStorage.getItem("triptych-annotation-sent")) {
    sessionStorage.removeItem("triptych-annotation-sent");
    part("arrived").hidden = false;
  }
} catch { /* only the message is missing */ }
if (state.editor) begin(); else {
  part("desk").dataset.ready = "yes";
  others();
}
