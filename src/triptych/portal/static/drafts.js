// Drafts of annotations in this browser's own store, one for each task of a person, until the server has them.

const PREFIX = "triptych-annotation";
const key = ({ person, queue, task }) => [PREFIX, person, queue, task].map(encodeURIComponent).join(" ");

// All drafts of a person in a queue. What can't be read is left alone.
export function drafts(person, queue) {
  const found = [];
  try {
    for (let number = 0; number < localStorage.length; number += 1) {
      const name = localStorage.key(number);
      if (!name.startsWith(`${PREFIX} ${encodeURIComponent(person)} ${encodeURIComponent(queue)} `)) continue;
      try {
        const draft = JSON.parse(localStorage.getItem(name));
        if (draft?.id && draft.answers) found.push(draft);
      } catch { /* not ours */ }
    }
  } catch { /* no store */ }
  return found;
}

// Store a draft; false if the browser refuses.
export function keep(draft) {
  try {
    localStorage.setItem(key(draft), JSON.stringify(draft));
    return true;
  } catch { return false; }
}

export function forget(draft) {
  try { localStorage.removeItem(key(draft)); } catch { /* no store */ }
}
