// One tab works on a queue at a time: two would show the same task, and the second result would be refused.

const box = /** @type {HTMLElement} */ (document.getElementById("elsewhere")); // some pages don't have it: `alone` looks
/** @type {() => HTMLButtonElement} */
const button = () => /** @type {HTMLButtonElement} */ (box.querySelector("button"));

// Resolves when this tab may work: at once, or when somebody presses the button there. Browsers without locks have no limit.
/** @type {(name: string) => Promise<void>} */
export function alone(name) {
  if (!navigator.locks || !box) return Promise.resolve();
  return new Promise((resolve) => {
    /** @param {Lock | null} lock */
    const hold = (lock) => {
      if (!lock) { show(resolve, name); return undefined; }
      box.hidden = true;
      resolve();
      return /** @type {Promise<void>} */ (new Promise(() => {})); // until the tab is closed
    };
    navigator.locks.request(name, { ifAvailable: true }, hold).catch(lost);
  });
}

/** @type {(resolve: () => void, name: string) => void} */
function show(resolve, name) {
  box.hidden = false;
  button().onclick = () => {
    navigator.locks.request(name, { steal: true }, () => {
      box.hidden = true;
      resolve();
      return new Promise(() => {});
    }).catch(lost);
  };
}

// Another tab took over: nothing can be changed here any more; the button takes the work back, as it is now.
function lost() {
  box.hidden = false;
  document.querySelectorAll("[data-work]").forEach((part) => { part.inert = true; });
  button().onclick = () => location.reload();
  box.dataset.lost = "yes";
}
