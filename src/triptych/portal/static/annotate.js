// The annotation page: one task, its draft in this browser's store, checks by the server while somebody writes, sending.
import { attach } from "/static/timeline.js";
import { drafts, keep, forget } from "/static/drafts.js";
import { questions } from "/static/annotate_questions.js";
import { lines } from "/static/annotate_lines.js";
import { form } from "/static/annotate_form.js";

const EDITORS = { questions, translation: lines, transcript: lines, form };
const WAITS = [1, 2, 4, 8, 15, 30]; // seconds between attempts to send
const CHECK_MS = 400;
const IDLE_MS = 60000; // longer without a key, a click or playing is not work
const BACK_S = 3;
const CODES = { KeyP: "play", Comma: "back", Period: "forward" };

const part = (id) => document.getElementById(id);
const state = JSON.parse(part("state").textContent);
const talk = part("talk") ? attach(part("talk")) : null;

let draft = null; // {id, person, queue, task, name, answers, extra, seconds, sending, tried}
let told = null; // what the last check found
let editor = null;
let busy = false; // while it is sent, nothing changes
let stored = true;
let attempt = 0;
let timer = 0;
let asked = 0;
let last = Date.now();

const say = (name, values = {}) => state.say[name].replace(/\{(\w+)\}/g, (whole, field) => values[field] ?? whole);
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
  draft.answers = editor.answers();
  draft.extra = editor.extra();
  stored = keep(draft);
  show(stored ? "saved" : "no-store");
  if (!checked) return;
  clearTimeout(timer);
  timer = setTimeout(check, CHECK_MS);
}

async function post(method, last_part, body) {
  const headers = { "content-type": "application/json", accept: "application/json", "x-form-token": state.token };
  return fetch(`/annotate/${encodeURIComponent(state.queue)}/${state.task}/${last_part}`, { method, headers, body: JSON.stringify(body) });
}

async function check() {
  if (!draft || busy) return;
  asked += 1;
  const mine = asked;
  let answer;
  try {
    answer = await post("POST", "check", { answers: draft.answers });
    if (!answer.ok) throw new Error(String(answer.status));
    const found = await answer.json();
    if (mine !== asked || busy || !draft) return;
    tell(found);
    warn(found.yours ? "" : say("not-yours"));
  } catch {
    if (mine !== asked) return;
    if (answer && [401, 403].includes(answer.status)) warn(say("log-in"));
    else if (answer?.status === 400) warn(say("refused", { why: await why(answer) }));
    else part("remarks").replaceChildren(paragraph(say("remarks-wait"), "muted"));
  }
}

const why = (answer) => answer.json().then((told) => told.message, () => String(answer.status));

function paragraph(text, style) {
  const made = document.createElement("p");
  made.textContent = text;
  made.className = style;
  return made;
}

// Show remarks where they belong, and all of them above the button, each leading to its place. What nobody has begun is not
// wrong yet: until somebody tries to send, there are remarks only on what has been written.
function tell(found) {
  told = found;
  const { counters, passes } = found;
  const remarks = found.remarks.filter(({ at }) => draft.tried || editor.begun(at));
  editor.mark(remarks);
  const list = document.createElement("ul");
  for (const remark of remarks) {
    const row = document.createElement("li");
    row.className = remark.blocks ? "must" : "hint";
    const sign = document.createElement("b");
    sign.textContent = say(remark.blocks ? "must" : "hint");
    row.append(sign, " ");
    if (remark.at === null) row.append(remark.message);
    else {
      const link = document.createElement("a");
      link.href = `#at-${remark.at}`;
      link.textContent = say(state.editor === "questions" ? "at-question" : "at-line", { number: remark.at + 1 });
      link.onclick = (event) => { event.preventDefault(); editor.go(remark.at); };
      row.append(link, ` ${remark.message}`);
    }
    list.append(row);
  }
  part("remarks").replaceChildren(...(remarks.length ? [list] : passes ? [paragraph(`✓ ${say("remarks-none")}`, "good")] : [paragraph(say("remarks-later"), "muted")]));
  if (!part("counters")) return;
  part("counters").replaceChildren(...counters.map(({ name, count, wanted }) => {
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

function lock(on) {
  busy = on;
  part("send").disabled = on;
  part("discard").disabled = on;
  part("editor").inert = on;
}

async function submit() {
  if (busy || !draft) return;
  draft.tried = true;
  if (told) tell(told);
  const missing = editor.missing();
  if (missing) { warn(missing); return; }
  clearTimeout(timer);
  warn();
  worked();
  draft.answers = editor.answers();
  draft.sending = true; // from now on the same answers are sent under the same id, until the server has answered
  stored = keep(draft);
  lock(true);
  await send();
}

async function send() {
  show("sending");
  let answer;
  try { answer = await post("PUT", draft.id, { answers: draft.answers, seconds: Math.round(draft.seconds) }); } catch { answer = null; }
  const receipt = answer?.status === 201 ? await answer.json().catch(() => null) : null;
  if (receipt?.id === draft.id) {
    forget(draft);
    try { sessionStorage.setItem("triptych-annotation-sent", "yes"); } catch { /* only the message is missing */ }
    draft = null;
    location.reload();
    return;
  }
  if (answer && [401, 403].includes(answer.status)) { warn(say("log-in")); show("saved"); lock(false); return; }
  if (answer && [400, 404, 409, 413, 422].includes(answer.status)) { await refused(answer); return; }
  const seconds = WAITS[Math.min(attempt, WAITS.length - 1)];
  attempt += 1;
  show("retry", { seconds });
  timer = setTimeout(send, 1000 * seconds);
}

// A refusal is final for these answers: what is changed and sent afterwards has an id of its own.
async function refused(answer) {
  const reply = await answer.json().catch(() => ({ message: String(answer.status) }));
  draft = { ...draft, sending: false, id: crypto.randomUUID() };
  stored = keep(draft);
  attempt = 0;
  lock(false);
  show(stored ? "saved" : "no-store");
  if (reply.remarks) tell(reply);
  warn(answer.status === 422 ? reply.message : say("refused", { why: reply.message }));
}

function discard() {
  if (!confirm(say("discard-sure"))) return;
  forget(draft);
  draft = null;
  location.reload();
}

// Drafts of other tasks in this browser: one that was being sent is sent now, the others are named.
async function others() {
  for (const each of drafts(state.person, state.queue).filter((one) => one.task !== state.task)) {
    if (each.sending) {
      const task = state.task;
      state.task = each.task;
      const answer = await post("PUT", each.id, { answers: each.answers, seconds: Math.round(each.seconds) }).catch(() => null);
      state.task = task;
      if (answer?.status === 201) { forget(each); continue; }
      if (!answer || answer.status >= 500) continue; // the next visit tries again
    }
    const row = paragraph(`${say("other-draft", { task: each.name })} `, "");
    const button = document.createElement("button");
    button.type = "button";
    button.className = "quiet";
    button.textContent = say("discard");
    button.onclick = () => { if (confirm(say("discard-sure"))) { forget(each); row.remove(); part("others").hidden = !part("others").children.length; } };
    row.append(button);
    part("others").append(row);
    part("others").hidden = false;
  }
}

function follow(video, sound) {
  const level = () => { if (Math.abs(video.currentTime - sound.currentTime) > 0.25) video.currentTime = sound.currentTime; };
  sound.addEventListener("play", () => { level(); video.play().catch(() => {}); });
  sound.addEventListener("pause", () => { video.pause(); level(); });
  for (const name of ["seeked", "timeupdate"]) sound.addEventListener(name, level);
  sound.addEventListener("ratechange", () => { video.playbackRate = sound.playbackRate; });
}

function keys(event) {
  if (event.isComposing || event.keyCode === 229 || event.ctrlKey || event.metaKey || !event.altKey || busy) return;
  const act = { play: () => talk.play(), back: () => talk.seek(talk.media.currentTime - BACK_S), forward: () => talk.seek(talk.media.currentTime + BACK_S) }[talk && CODES[event.code]];
  if (act) act();
  else if (!editor.press(event)) return;
  event.preventDefault();
}

async function begin() {
  const earlier = drafts(state.person, state.queue).find((each) => each.task === state.task);
  draft = earlier ?? {
    id: crypto.randomUUID(), person: state.person, queue: state.queue, task: state.task, name: document.querySelector("h1").textContent,
    answers: state.answers, extra: null, seconds: 0, sending: false, tried: false,
  };
  editor = EDITORS[state.editor](part("editor"), { state, draft, talk, say, changed });
  if (earlier) show("restored");
  if (part("pictures")) follow(part("pictures"), talk.media);
  part("send").onclick = submit;
  part("discard").onclick = discard;
  document.addEventListener("keydown", keys);
  for (const name of ["keydown", "pointerdown"]) document.addEventListener(name, worked, true);
  addEventListener("online", () => { attempt = 0; if (busy) { clearTimeout(timer); send(); } else check(); });
  addEventListener("beforeunload", (event) => { if (draft && (busy || !stored)) event.preventDefault(); });
  const unfinished = draft.sending;
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
