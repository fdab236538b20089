// The work of people, in this browser's own store until the server has it: drafts, what is being sent, and what was refused.
//
// An entry: {id, kind, state, person, queue, task, title, at, …}. `kind`: recording, review, annotation or survey; `state`:
// draft, kept (to be sent) or refused. A recording has {wav, sha256, facts}; everything else {address, body}, which is sent
// as JSON. Each write is on the disk before its promise resolves ("strict"), so that it outlives a browser that is killed.

const NAME = "triptych-portal";
const STORE = "work";
const BEFORE = "recordings"; // the store of version 1
const WAITS = [1, 2, 4, 8, 15, 30]; // seconds between attempts to send
const PART = 448 * 1024; // bytes sent at once: proxies refuse bodies above 1 MB unless they are configured otherwise
const LATER = [408, 425, 429]; // a refusal for the moment, as all of 500 and more are

/** @type {() => Promise<IDBDatabase>} */
function opened() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 2);
    request.onupgradeneeded = () => upgrade(request.result, /** @type {IDBTransaction} */ (request.transaction));
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** @type {(database: IDBDatabase, transaction: IDBTransaction) => void} */
function upgrade(database, transaction) {
  const store = database.createObjectStore(STORE, { keyPath: "id" });
  if (!database.objectStoreNames.contains(BEFORE)) return;
  const request = transaction.objectStore(BEFORE).openCursor();
  request.onsuccess = () => {
    const cursor = request.result;
    if (!cursor) return;
    store.put({ kind: "recording", ...cursor.value });
    cursor.continue();
  };
}

/** @type {<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>) => Promise<T>} */
async function within(mode, act) {
  const database = await opened();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(STORE, mode, { durability: "strict" });
      const request = act(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onerror = () => reject(transaction.error);
      transaction.onabort = () => reject(transaction.error);
    });
  } finally {
    database.close();
  }
}

export const newId = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
/** @type {(attempt: number) => number} */
export const wait = (attempt) => WAITS[Math.min(attempt, WAITS.length - 1)];
/** @type {(id: string) => Promise<undefined>} */
export const remove = (id) => within("readwrite", (store) => store.delete(id));

// The sound is stored as bytes: WebKit, and so a private window of Safari, has a store that refuses a Blob.
/** @type {(entry: Entry) => Promise<IDBValidKey>} */
export async function put(entry) {
  const bytes = entry.wav instanceof Blob ? { wav: await entry.wav.arrayBuffer() } : {};
  return within("readwrite", (store) => store.put({ ...entry, kind: entry.kind ?? "recording", ...bytes }));
}

// The entries of a person, oldest first. `only`: values that they must have, such as {kind, queue, state}.
/** @type {(person: string, only?: Partial<Entry>) => Promise<Entry[]>} */
export async function all(person, only = {}) {
  /** @param {Entry} entry */
  const fits = (entry) => entry.person === person && Object.entries(only).every(([name, value]) => entry[/** @type {keyof Entry} */ (name)] === value);
  return (await within("readonly", (store) => store.getAll())).filter(fits).map(withBlob).sort((a, b) => a.at - b.at);
}

/** @type {(entry: Entry & { wav?: Blob | ArrayBuffer }) => Entry} */
const withBlob = (entry) => (entry.wav instanceof ArrayBuffer ? { ...entry, wav: new Blob([entry.wav], { type: "audio/wav" }) } : entry);

// Remove everything of a person: after a withdrawal.
/** @type {(person: string) => Promise<void>} */
export async function forget(person) {
  for (const entry of await all(person)) await remove(entry.id);
}

// Writes a draft while somebody works on it: one write at a time, always the newest version.
export class Saver {
  constructor() {
    /** @type {Entry | null} */
    this.next = null;
    /** @type {Promise<void> | null} */
    this.running = null;
  }

  get busy() { return this.running !== null; }

  /** @param {Entry} entry */
  save(entry) {
    this.next = entry;
    this.running ??= this.write().finally(() => { this.running = null; });
    return this.running;
  }

  async write() {
    while (this.next) {
      const entry = this.next;
      this.next = null;
      await put(entry);
    }
  }

  async idle() { await this.running?.catch(() => {}); }
}

/** @type {(outcome: Delivery["outcome"], entry: Entry, why?: string) => Delivery} */
const unsent = (outcome, entry, why = "") => ({ outcome, why, entry });

// Send one entry. {outcome, why}: "sent"; "again" (later); "session" (`why`: what the portal asks for first); "gone" (the
// person has withdrawn); or "refused": it stays in the store, with the reason, until somebody discards it.
/** @type {(entry: Entry, token: string) => Promise<Delivery>} */
export async function send(entry, token) {
  let answer;
  try {
    answer = await deliver(entry, token);
    if (answer.ok) return await received(entry, answer);
  } catch { return unsent("again", entry); }
  const told = await answer.json().catch(() => null);
  const own = typeof told?.problem === "string"; // the portal names its problems; a proxy before it doesn't
  if (answer.status >= 500 || LATER.includes(answer.status)) return unsent("again", entry);
  if (own && ["damaged-on-the-way", "parts-are-missing"].includes(told.problem)) return unsent("again", entry);
  if (own && [401, 403].includes(answer.status)) return unsent("session", entry, answer.status === 401 ? "" : told.message);
  if (own && told.problem === "withdrawn-meanwhile") {
    await remove(entry.id);
    return unsent("gone", entry);
  }
  /** @type {Entry} */
  const refused = { ...entry, state: "refused", why: told?.message ?? "", status: answer.status, stranger: !own };
  await put(refused).catch(() => {});
  return { outcome: "refused", why: refused.why || String(answer.status), entry: refused, told };
}

/** @type {(entry: Entry, answer: Response) => Promise<Delivery>} */
async function received(entry, answer) {
  const receipt = answer.status === 201 ? await answer.json() : {};
  if (receipt.id !== entry.id || (entry.wav && receipt.sha256 !== entry.sha256)) return unsent("again", entry);
  await remove(entry.id).catch(() => {}); // the only place where what was kept leaves the store by itself
  return { outcome: "sent", why: "", entry, receipt };
}

/** @type {(entry: Entry, token: string) => Promise<Response>} */
async function deliver(entry, token) {
  /** @type {Record<string, string>} */
  const headers = { "x-form-token": token, accept: "application/json" };
  const body = entry.wav ?? new Blob([JSON.stringify(entry.body)], { type: "application/json" });
  if (entry.wav) Object.assign(headers, { "content-type": "audio/wav", "x-content-sha256": entry.sha256 ?? "", "x-facts": JSON.stringify(entry.facts) });
  else headers["content-type"] = "application/json";
  const base = entry.address ?? `/record/${encodeURIComponent(entry.queue)}/${entry.task}`;
  const address = `${base}/${entry.id}`;
  if (body.size <= PART) return fetch(address, { method: "PUT", body, headers });
  const parts = Math.ceil(body.size / PART);
  const there = await fetch(`/parts/${entry.id}`, { headers: { accept: "application/json" } });
  if (!there.ok) return there;
  const known = (await there.json()).parts;
  for (let number = 0; number < parts; number += 1) {
    const part = body.slice(number * PART, (number + 1) * PART);
    if (known[number] === part.size) continue;
    const answer = await fetch(`/parts/${entry.id}/${number}`, { method: "PUT", body: part, headers: { "x-form-token": token, accept: "application/json" } });
    if (!answer.ok) return answer;
  }
  return fetch(address, { method: "PUT", headers: { ...headers, "x-parts": String(parts) } });
}
