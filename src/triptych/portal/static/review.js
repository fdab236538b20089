// The review page: what is entered is kept in this browser until the server's receipt names it.
const desk = document.getElementById("desk");
const { person, token, task, address, after } = desk.dataset;
const part = (id) => document.getElementById(id);
const PREFIX = `triptych-review:${person}:`;
const WAITS = [1, 2, 4, 8, 15, 30]; // seconds between attempts to send
const PERMANENT = [400, 404, 409, 413, 422]; // sending it again would not help
const begun = Date.now();
const fields = [...desk.querySelectorAll("[data-field]")];
let attempt = 0;
let sending = false;

const say = (name, values = {}) => (desk.dataset[`say${name}`] ?? "").replace(/\{(\w+)\}/g, (whole, field) => values[field] ?? whole);
const newId = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

// --- the browser's store; without it (a private window) the page works, but a reload loses the draft
const store = {
  get(key) { try { return JSON.parse(localStorage.getItem(PREFIX + key)); } catch { return null; } },
  set(key, value) { try { localStorage.setItem(PREFIX + key, JSON.stringify(value)); return true; } catch { return false; } },
  remove(key) { try { localStorage.removeItem(PREFIX + key); } catch { /* nothing was kept */ } },
  kept() { try { return Object.keys(localStorage).filter((key) => key.startsWith(`${PREFIX}kept:`)).map((key) => key.slice(PREFIX.length)); } catch { return []; } },
};

function entered() {
  const values = {};
  for (const box of fields) {
    const inputs = [...box.querySelectorAll(`[name="${CSS.escape(box.dataset.field)}"]`)];
    if (box.dataset.kind === "several") values[box.dataset.field] = inputs.filter((each) => each.checked).map((each) => each.value);
    else if (inputs[0].type === "radio") values[box.dataset.field] = inputs.find((each) => each.checked)?.value ?? "";
    else values[box.dataset.field] = inputs[0].value;
  }
  return values;
}

function fill(values) {
  for (const box of fields) {
    const value = values[box.dataset.field];
    if (value === undefined) continue;
    for (const input of box.querySelectorAll(`[name="${CSS.escape(box.dataset.field)}"]`)) {
      if (input.type === "checkbox") input.checked = value.includes(input.value);
      else if (input.type === "radio") input.checked = input.value === value;
      else {
        input.value = value;
        input.dispatchEvent(new Event("change"));
      }
    }
  }
}

function complain(text) {
  const box = part("problem");
  if (!box) return;
  box.hidden = !text;
  box.textContent = text;
}

// A changed proposal chooses the answer that takes changes, and can be undone.
function marked() {
  let changed = false;
  for (const box of fields.filter((each) => "proposed" in each.dataset)) {
    const own = box.querySelector("textarea").value.trim() !== box.dataset.proposed.trim();
    box.classList.toggle("changed", own);
    box.querySelector(".undo").hidden = !own;
    changed ||= own;
  }
  return changed;
}

function onInput(event) {
  const before = desk.dataset.changed === "yes";
  const changed = marked();
  desk.dataset.changed = changed ? "yes" : "";
  const takes = desk.querySelector("[data-first] input[value=edit], [data-first] input[value=revise]");
  if (changed && !before && takes && event?.target.closest("[data-proposed]")) takes.checked = true;
  complain("");
  if (store.set(`draft:${task}`, { values: entered(), seconds: spent() }) && part("state")) part("state").textContent = say("Draft");
}

const earlier = store.get(`draft:${task}`)?.seconds ?? 0;
const spent = () => Math.min(21600, earlier + Math.round((Date.now() - begun) / 1000));

async function send(entry) {
  let answer;
  try {
    answer = await fetch(`${entry.address}/${entry.id}`, {
      method: "PUT", body: JSON.stringify({ values: entry.values, seconds: entry.seconds }),
      headers: { "content-type": "application/json", "x-form-token": token, accept: "application/json" },
    });
    if (answer.status === 201) return (await answer.json()).id === entry.id ? "sent" : "again";
  } catch { return "again"; }
  if (answer.status === 401 || answer.status === 403) return "session";
  if (!PERMANENT.includes(answer.status)) return "again";
  entry.why = await answer.json().then((told) => told.message, () => String(answer.status));
  return "refused";
}

async function flush() {
  if (sending) return;
  sending = true;
  try {
    for (const key of store.kept()) {
      const entry = store.get(key);
      const outcome = entry ? await send(entry) : "sent";
      if (outcome === "again") {
        const seconds = WAITS[Math.min(attempt++, WAITS.length - 1)];
        setTimeout(flush, seconds * 1000);
        if (part("state")) part("state").textContent = say("Retry", { seconds });
        return;
      }
      if (outcome === "session") { complain(say("LogIn")); return; }
      store.remove(key);
      if (entry && outcome === "refused") {
        const own = String(entry.task) === task;
        if (!own) continue; // an older one that somebody else has done meanwhile
        store.set(`draft:${task}`, { values: entry.values, seconds: entry.seconds });
        open(true);
        part("state").textContent = "";
        complain(say("Refused", { why: entry.why }));
        part("problem").scrollIntoView({ block: "center" });
        return;
      }
      attempt = 0;
      if (entry) store.remove(`draft:${entry.task}`);
      if (entry && String(entry.task) === task) { location.assign(after || location.href); return; }
    }
  } finally { sending = false; }
}

function open(on) {
  part("submit").disabled = !on;
}

async function submit() {
  if (part("submit").disabled) return;
  const entry = { id: newId(), task, address, values: entered(), seconds: spent() };
  open(false);
  part("state").textContent = say("Sending");
  if (store.set(`kept:${task}`, entry)) { await flush(); return; }
  const outcome = await send(entry); // no store: this one attempt
  if (outcome === "sent") location.assign(after || location.href);
  else { open(true); part("state").textContent = ""; complain(outcome === "session" ? say("LogIn") : say("Refused", { why: entry.why ?? "" })); }
}

// What the person entered before this script was loaded, when the draft was not on the page yet.
const ticks = (input) => ["radio", "checkbox"].includes(input.type);
function early() {
  const touched = (input) => (ticks(input) ? input.checked !== input.defaultChecked : input.value !== input.defaultValue);
  const names = fields.filter((box) => [...box.querySelectorAll("[name]")].some(touched)).map((box) => box.dataset.field);
  return Object.fromEntries(Object.entries(entered()).filter(([name]) => names.includes(name)));
}

// A draft with what was entered early: choices replace those of the draft, a text comes behind the draft's.
function merged(values, typed) {
  const all = { ...values, ...typed };
  for (const [name, text] of Object.entries(typed)) {
    const input = desk.querySelector(`[name="${CSS.escape(name)}"]`);
    if (ticks(input) || !values[name] || values[name] === input.defaultValue) continue;
    all[name] = input.tagName === "TEXTAREA" && !input.defaultValue ? `${values[name]}\n${text}` : values[name];
  }
  return all;
}

if (desk.tagName === "FORM") {
  const draft = store.get(`draft:${task}`);
  const typed = early();
  if (draft) fill(merged(draft.values, typed));
  const edited = fields.find((box) => box.dataset.field in typed && "proposed" in box.dataset);
  const decided = draft || fields.some((box) => box.dataset.field in typed && "first" in box.dataset);
  if (Object.keys(typed).length) onInput({ target: decided || !edited ? desk : edited });
  else desk.dataset.changed = marked() ? "yes" : "";
  desk.addEventListener("input", onInput);
  desk.addEventListener("submit", (event) => { event.preventDefault(); submit(); });
  for (const button of desk.querySelectorAll(".undo")) {
    button.addEventListener("click", () => {
      const area = button.closest("[data-proposed]").querySelector("textarea");
      area.value = area.closest("[data-proposed]").dataset.proposed;
      area.focus();
      onInput();
    });
  }
  document.addEventListener("keydown", (event) => {
    if (event.isComposing || event.keyCode === 229 || event.altKey) return; // an input method is at work
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      submit();
    } else if (event.key === "Enter" && event.target.matches("input:not([type=submit])")) {
      event.preventDefault(); // only the button and Ctrl+Enter submit
    } else if (!event.ctrlKey && !event.metaKey && /^[1-9]$/.test(event.key) && !event.target.closest("textarea, select, input:not([type=radio], [type=checkbox])")) {
      const choice = desk.querySelectorAll("[data-first] input")[Number(event.key) - 1];
      if (choice) { choice.checked = true; choice.focus(); onInput(); }
    }
  });
  if (!desk.contains(document.activeElement)) desk.querySelector("[data-first] input, [data-field] textarea, [data-field] input")?.focus({ preventScroll: true });
  open(!store.get(`kept:${task}`));
}
addEventListener("online", () => { attempt = 0; flush(); });
desk.dataset.ready = "yes"; // keys and buttons work from now on
flush();
