// The box of what is in this browser and not at the server: each piece can be heard or read, downloaded, sent again, discarded.
import { all, remove, send } from "/static/outbox.js";

const box = document.getElementById("unsent");
const { person = "", token = "" } = box?.dataset ?? {};
/** @type {Say} */
const say = (name, values = {}) => (box?.dataset[`say${name}`] ?? "").replace(/\{(\w+)\}/g, (whole, field) => String(values[field] ?? whole));
/** @type {string[]} */
let addresses = []; // of sounds and files that the box shows

// `own`: {kind, queue}, whose drafts the page itself shows if they are of `task`; `changed`: called after something was sent
// again or discarded.
/** @type {(own?: Partial<Entry>, changed?: () => void) => Promise<void>} */
export async function showUnsent(own = {}, changed = () => {}) {
  if (!box) return;
  const entries = await all(person).catch(() => []);
  const kept = entries.filter((entry) => entry.state === "kept").length;
  const shown = entries.filter((entry) => entry.state === "refused" || forgotten(entry, own));
  addresses.forEach((address) => URL.revokeObjectURL(address));
  addresses = [];
  const again = () => { changed(); return showUnsent(own, changed); };
  box.replaceChildren(...(kept ? [line(say("Waiting", { number: kept }))] : []), ...shown.map((entry) => piece(entry, again)));
  box.hidden = !box.children.length;
}

// A draft of a task that is not open any more, for instance because it was done in another tab.
/** @type {(entry: Entry, own: Partial<Entry>) => boolean} */
const forgotten = (entry, own) => entry.state === "draft" && entry.kind === own.kind && entry.queue === own.queue && entry.task !== own.task;

/** @type {(text: string) => HTMLElement} */
function line(text) {
  const made = document.createElement("p");
  made.textContent = text;
  return made;
}

/** @type {(entry: Entry) => string} */
function reason(entry) {
  if (entry.state === "draft") return say("Draft");
  const bytes = entry.wav?.size ?? JSON.stringify(entry.body).length;
  return entry.stranger ? say("Proxy", { status: entry.status ?? 0, kilobytes: Math.ceil(bytes / 1000) }) : say("Refused", { why: entry.why ?? "" });
}

/** @type {(entry: Entry, again: () => unknown) => HTMLElement} */
function piece(entry, again) {
  const made = document.createElement("div");
  made.className = "unsent-piece";
  made.dataset.id = entry.id;
  made.append(line(`${entry.title ?? entry.queue} · ${new Date(entry.at).toLocaleString(document.documentElement.lang)}`), line(reason(entry)));
  const file = entry.wav ?? new Blob([JSON.stringify(entry.body ?? {}, null, 1)], { type: "application/json" });
  const address = URL.createObjectURL(file);
  addresses.push(address);
  if (entry.wav && location.pathname.startsWith("/record/")) { // other pages may not play what the browser holds
    const sound = document.createElement("audio");
    Object.assign(sound, { controls: true, src: address, ariaLabel: say("Listen") });
    made.append(sound);
  }
  const controls = document.createElement("p");
  controls.className = "controls";
  controls.append(link(address, entry), button("Again", () => sendAgain(entry, again)), button("Discard", () => discard(entry, again)));
  made.append(controls);
  return made;
}

/** @type {(address: string, entry: Entry) => HTMLElement} */
function link(address, entry) {
  const made = document.createElement("a");
  Object.assign(made, { href: address, textContent: say("Download"), download: `${entry.queue}-${entry.task}-${entry.id.slice(0, 8)}.${entry.wav ? "wav" : "json"}` });
  return made;
}

/** @type {(name: string, act: () => unknown) => HTMLElement} */
function button(name, act) {
  const made = document.createElement("button");
  Object.assign(made, { type: "button", className: "quiet", textContent: say(name), onclick: act });
  return made;
}

/** @type {(entry: Entry, again: () => unknown) => Promise<void>} */
async function sendAgain(entry, again) {
  await send(entry, token); // a refusal is in the store with its reason, and is shown again
  await again();
}

/** @type {(entry: Entry, again: () => unknown) => Promise<void>} */
async function discard(entry, again) {
  if (!confirm(say("DiscardSure"))) return;
  await remove(entry.id);
  await again();
}

// On pages without work of their own: send everything that waits.
if (box?.dataset.sends) {
  const flush = async () => {
    for (const entry of await all(person, { state: "kept" }).catch(() => [])) {
      const { outcome } = await send(entry, token);
      if (outcome === "again" || outcome === "session") break;
    }
    await showUnsent();
  };
  addEventListener("online", flush);
  flush();
}

