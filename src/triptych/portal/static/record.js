// The recording page: one take at a time, keyboard first. What is recorded is in this browser's store before the page says so.
import { Take, sha256 } from "/static/sound.js";
import { measure, verdict } from "/static/microphone.js";
import { lacking } from "/static/able.js";
import { alone } from "/static/alone.js";
import { all, newId, put, remove, send, wait } from "/static/outbox.js";
import { showUnsent } from "/static/unsent.js";

const root = /** @type {HTMLElement} */ (document.getElementById("recorder"));
/** @type {<K extends keyof RecordParts>(id: K) => RecordParts[K]} */
const part = (id) => /** @type {any} */ (document.getElementById(id));
const settings = /** @type {Settings} */ (root.dataset);
const SILENT_S = 3;
const WAITS_MS = 2000;
const TRIED_S = 4;
const LEAST_RATE = 16000; // a telephone's headset may deliver 8 kHz
const DEAF = new Error("no sound");
const DEAF_MS = 10000; // without a single frame: the browser will not deliver any

/** @type {AudioContext} the first call of `microphone` makes it */
let context;
/** @type {MediaStream} the first call of `microphone` opens it */
let stream;
/** @type {Take} `start` and `tryOut` make it */
let take;
/** @type {Entry | null} */
let entry = null; // the recording of this clip, in the store
let mode = "loading"; // until the store was read; then ready, starting, recording, ending, recorded, sending
let begun = Date.now();
let timer = 0;
let quiet = 0;
let attempt = 0;
let retry = 0;
let sending = false;

/** @type {Say} */
function say(name, values = {}) {
  const key = `say${name.split("-").map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("")}`;
  return settings[key].replace(/\{(\w+)\}/g, (whole, field) => String(values[field] ?? whole));
}

/** @param {string} name @param {Values} [values] */
function show(name, values) { part("state").textContent = say(name, values); }

/** @type {(name: string, values?: Values) => void} */
const warn = (name, values) => tell(name ? say(name, values) : "");

/** @param {string} text */
function tell(text) {
  part("warning").hidden = !text;
  part("warning").textContent = text;
}

const task = () => Number(part("clip").dataset.task || 0);
const title = () => [part("clip-title"), document.querySelector(".clip-place")].map((each) => each?.textContent ?? "").filter(Boolean).join(" · ");

/** @param {string} state */
function become(state) {
  mode = state === "ready" && !part("lacking").hidden ? "lacking" : state;
  root.dataset.mode = mode;
  const go = part("go");
  go.textContent = (mode === "recording" ? go.dataset.stop : go.dataset.start) ?? "";
  go.disabled = !["ready", "recording"].includes(mode);
  part("redo").disabled = mode !== "recorded";
  part("keep").disabled = mode !== "recorded";
  part("listen").hidden = mode !== "recorded";
  part("try-go").disabled = mode !== "ready";
}

async function microphone() {
  if (stream?.getAudioTracks().every((track) => track.readyState === "live") && context.state !== "closed") {
    await running();
    return;
  }
  const audio = { channelCount: 1, echoCancellation: false, noiseSuppression: false, autoGainControl: false };
  stream = await navigator.mediaDevices.getUserMedia({ audio });
  for (const track of stream.getAudioTracks()) track.onended = track.onmute = interrupted;
  context = new AudioContext(); // at the device's own rate: Safari ignores another, Firefox refuses to mix
  context.onstatechange = () => { if (context.state !== "running") interrupted(); };
  await context.audioWorklet.addModule("/static/worklet.js");
  await running();
}

async function start() {
  become("starting");
  warn("");
  show("waiting");
  try {
    await microphone();
  } catch (error) {
    surrender(error === DEAF ? "no-sound" : "no-microphone");
    return;
  }
  if (context.sampleRate < LEAST_RATE) {
    surrender("low-rate");
    return;
  }
  quiet = 0;
  take = new Take(context, stream, { onCue: cue, onLevel: level });
  take.begin();
  const mine = take;
  setTimeout(() => {
    if (take !== mine || mode !== "starting") return;
    take.stop();
    surrender("no-sound");
  }, DEAF_MS);
}

/** @param {string} why */
function surrender(why) {
  become("ready");
  warn(why);
  show("ready");
}

// A call, a locked screen or a pulled plug takes the microphone away: the take is not whole, and is read again.
function interrupted() {
  if (mode !== "recording") return;
  clearInterval(timer);
  take.stop();
  part("level").value = -60;
  part("left").textContent = "";
  surrender("interrupted");
}

// Firefox without loudspeakers leaves the context suspended for ever.
function running() {
  return /** @type {Promise<void>} */ (new Promise((resolve, reject) => {
    context.resume().then(resolve, reject);
    setTimeout(() => reject(DEAF), DEAF_MS);
  }));
}

function cue() {
  become("recording");
  show("speak");
  const until = performance.now() + 1000 * Number(settings.most);
  timer = setInterval(() => {
    const left = Math.max(0, (until - performance.now()) / 1000);
    part("left").textContent = say("left", { seconds: Math.ceil(left) });
    if (left <= 0) stop();
  }, 100);
}

/** @param {Float32Array} samples */
function level(samples) {
  let power = 0;
  let peak = 0;
  for (const value of samples) {
    power += value * value;
    peak = Math.max(peak, Math.abs(value));
  }
  const db = samples.length ? 10 * Math.log10(Math.max(power / samples.length, 1e-6)) : -60;
  part("level").value = Math.max(-60, db);
  quiet = db < -50 ? quiet + samples.length / context.sampleRate : 0;
  if (peak >= 0.999) warn("loud");
  else if (quiet > SILENT_S && mode === "recording") warn("quiet");
  else if (quiet === 0 && part("warning").textContent === say("quiet")) warn("");
}

// The test of the microphone: a take that is measured and played back, and then forgotten.
async function tryOut() {
  if (mode !== "ready") return;
  become("trying");
  warn("");
  part("try-result").textContent = say("waiting");
  try {
    await microphone();
  } catch (error) {
    surrender(error === DEAF ? "no-sound" : "no-microphone");
    part("try-result").textContent = "";
    return;
  }
  const begun_at = performance.now();
  take = new Take(context, stream, { onCue: () => { part("try-result").textContent = say("try-speak"); }, onLevel: level });
  take.begin();
  await new Promise((resolve) => { setTimeout(resolve, 1000 * TRIED_S); });
  const made = await take.end();
  const samples = new Float32Array(take.blocks.reduce((sum, block) => sum + block.samples.length, 0));
  let at = 0;
  for (const block of take.blocks) {
    samples.set(block.samples, at);
    at += block.samples.length;
  }
  const found = measure(samples, context.sampleRate);
  const name = context.sampleRate < LEAST_RATE ? "low-rate" : !made.whole && performance.now() - begun_at < DEAF_MS && samples.length ? "try-lost" : `try-${verdict(found)}`;
  const heard = part("try-heard");
  if (heard.src) URL.revokeObjectURL(heard.src);
  heard.src = URL.createObjectURL(made.wav);
  heard.hidden = false;
  part("try-result").textContent = `${say(name)} ${say("try-measures", { speech: Math.round(found.speech), room: Math.round(found.room), rate: context.sampleRate / 1000, device: stream.getAudioTracks()[0]?.label ?? "" })}`;
  part("try-result").className = name === "try-good" ? "notice good" : "notice bad";
  part("level").value = -60;
  warn("");
  become("ready");
  show("ready");
}

async function stop() {
  if (mode !== "recording") return;
  clearInterval(timer);
  become("ending");
  show("ending");
  part("left").textContent = "";
  const made = await take.end();
  part("level").value = -60;
  if (!made.whole || made.seconds < Number(settings.least)) {
    become("ready");
    warn(made.whole ? "short" : "lost");
    show("ready");
    return;
  }
  show("saving");
  entry = {
    id: newId(), kind: "recording", state: "draft", person: settings.person, queue: settings.queue,
    task: task(), title: title(), wav: made.wav, sha256: await sha256(made.wav), facts: made.facts, at: Date.now(),
  };
  try {
    await put(entry);
  } catch {
    become("ready");
    warn("no-store");
    show("ready");
    return;
  }
  recorded(made.wav);
}

/** @param {Blob} wav */
function recorded(wav) {
  part("listen").src = URL.createObjectURL(wav);
  become("recorded");
  show("recorded");
  part("keep").focus();
}

async function redo() {
  if (mode !== "recorded" || !entry) return;
  await remove(entry.id);
  forget();
  become("ready");
  show("ready");
  part("go").focus();
}

function forget() {
  const listen = part("listen");
  if (listen.src) URL.revokeObjectURL(listen.src);
  listen.removeAttribute("src");
  entry = null;
}

async function keep() {
  if (mode !== "recorded" || !entry?.facts) return;
  const worked = Math.min(600, Math.round((Date.now() - begun) / 1000));
  entry = { ...entry, state: "kept", facts: { ...entry.facts, worked } };
  await put(entry);
  forget();
  become("sending");
  await flush();
}

// Send everything that was kept, oldest first; then get the next clip.
async function flush() {
  if (sending) return;
  sending = true;
  clearTimeout(retry);
  try {
    const kept = await all(settings.person, { kind: "recording", state: "kept" });
    if (kept.length) show("sending");
    for (const each of kept) {
      const { outcome, why } = await send(each, settings.token);
      if (outcome === "session") { if (why) tell(why); else warn("log-in"); await waiting(); return; }
      if (outcome === "gone") { location.reload(); return; }
      if (outcome === "again") {
        const seconds = wait(attempt);
        attempt += 1;
        show("retry", { seconds });
        await waiting();
        retry = setTimeout(flush, 1000 * seconds);
        return;
      }
    }
    attempt = 0;
    await waiting();
    if (mode === "sending") {
      if (kept.length) show("sent");
      await next();
    }
  } finally { sending = false; }
}

async function next() {
  let page;
  try {
    const answer = await fetch(location.href, { headers: { accept: "text/html" } });
    if (answer.redirected || [401, 403].includes(answer.status)) { // another page comes first: a new consent form, a link
      mode = "leaving";
      location.reload();
      return;
    }
    if (!answer.ok) throw new Error(String(answer.status));
    page = new DOMParser().parseFromString(await answer.text(), "text/html");
  } catch {
    show("retry", { seconds: 5 });
    retry = setTimeout(flush, 5000);
    return;
  }
  part("clip").replaceWith(document.adoptNode(/** @type {HTMLElement} */ (page.getElementById("clip"))));
  part("desk").hidden = page.getElementById("desk")?.hidden ?? true;
  waits();
  begun = Date.now();
  become("ready");
  show("ready");
  part("go").focus();
  scrollTo(0, 0);
}

// A practice take is being checked: what was wrong with it comes next.
function waits() {
  if (part("clip").dataset.waits) retry = setTimeout(next, WAITS_MS);
}

const waiting = () => showUnsent({ kind: "recording", queue: settings.queue, task: task() });

async function resume() {
  const missing = await lacking();
  part("lacking").hidden = !missing.length;
  for (const line of part("lacking").querySelectorAll("[data-name]")) line.hidden = !missing.includes(line.dataset.name ?? "");
  await alone(`recording ${settings.person} ${settings.queue}`);
  let mine;
  try {
    mine = await all(settings.person, { kind: "recording" });
  } catch {
    warn("no-store");
    settings.ready = "no";
    return;
  }
  settings.ready = "yes"; // keys and buttons work from now on
  const draft = mine.findLast((each) => each.state === "draft" && each.task === task() && each.queue === settings.queue);
  if (mine.some((each) => each.state === "kept")) {
    become("sending");
    await flush();
  } else if (draft?.wav) {
    entry = draft;
    recorded(draft.wav);
  } else become(missing.length ? "lacking" : "ready");
  await waiting();
  waits();
  navigator.storage?.persist?.();
}

part("go").onclick = () => (mode === "recording" ? stop() : start());
part("try-go").onclick = tryOut;
part("redo").onclick = redo;
part("keep").onclick = keep;
document.addEventListener("keydown", (event) => {
  if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (event.target.closest("input, textarea, select")) return;
  /** @type {Record<string, () => unknown>} */
  const acts = { r: () => !part("go").disabled && part("go").click(), d: redo, k: keep,
    p: () => { const sound = part("listen"); if (sound.src) { if (sound.paused) sound.play(); else sound.pause(); } } };
  const act = acts[event.key.toLowerCase()];
  if (act && !part("desk").hidden) {
    event.preventDefault();
    act();
  }
});
addEventListener("online", () => { attempt = 0; flush(); });
addEventListener("beforeunload", (event) => { if (["recording", "ending", "sending"].includes(mode)) event.preventDefault(); });
resume();
