// Answers in this browser's own store, from the first key until the server's receipt. One entry for each question.

const NAME = "triptych-survey";
const STORE = "answers";
const PERMANENT = [400, 404, 413, 415]; // sending it again would not help
const WAITS = [1, 2, 4, 8, 15, 30]; // seconds between attempts to send

function opened() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "id" });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

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

export const wait = (attempt) => WAITS[Math.min(attempt, WAITS.length - 1)];
export const put = (entry) => within("readwrite", (store) => store.put(entry));
export const remove = (id) => within("readwrite", (store) => store.delete(id));
export const all = async (person, queue) =>
  (await within("readonly", (store) => store.getAll())).filter((entry) => entry.person === person && entry.queue === queue);

// Send one answer: "sent", "done" (answered in another tab), "again" (later), "session" (log in first) or "refused" with
// the reason.
export async function send(entry, token) {
  let answer;
  try {
    answer = await fetch(`/survey/${encodeURIComponent(entry.queue)}/${entry.task}/${entry.id}`, {
      method: "PUT",
      body: JSON.stringify(entry.answer),
      headers: { "content-type": "application/json", "x-form-token": token, accept: "application/json" },
    });
    if (answer.status === 201) return (await answer.json()).id === entry.id ? { outcome: "sent" } : { outcome: "again" };
  } catch { return { outcome: "again" }; }
  if (answer.status === 401 || answer.status === 403) return { outcome: "session" };
  if (answer.status === 409) return { outcome: "done" };
  if (!PERMANENT.includes(answer.status)) return { outcome: "again" };
  return { outcome: "refused", why: await answer.json().then((told) => told.message, () => `${answer.status}`) };
}
