// What recording needs of a browser, by feature and not by its name: said before the first clip, not after it.
import { newId, put, remove } from "/static/outbox.js";

const LITTLE = 50 * 1024 * 1024; // bytes: about seventeen takes of half a minute

// The names of what is missing: microphone, worklet, digest, store, space.
export async function lacking() {
  const missing = [];
  if (!navigator.mediaDevices?.getUserMedia) missing.push("microphone");
  if (!window.AudioContext || !window.AudioWorkletNode) missing.push("worklet");
  if (!window.crypto?.subtle) missing.push("digest");
  if (!(await stores())) missing.push("store");
  else if (await isFull()) missing.push("space");
  return missing;
}

// A private window may have a store that takes nothing: so something is written and removed.
async function stores() {
  const id = newId();
  try {
    await put({ id, kind: "recording", state: "probe", person: "", queue: "", task: 0, title: "", at: 0, wav: new Blob([new Uint8Array(64)]) });
    await remove(id);
    return true;
  } catch { return false; }
}

async function isFull() {
  try {
    const { quota = 0, usage = 0 } = await navigator.storage.estimate();
    return quota > 0 && quota - usage < LITTLE;
  } catch { return false; }
}
