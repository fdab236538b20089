// One tab works on a queue at a time: two would show the same task, and the second result would be refused.

const box = document.getElementById("elsewhere");

// Resolves when this tab may work: at once, or when somebody presses the button there. Browsers without locks have no limit.
export function alone(name) {
  if (!navigator.locks || !box) return Promise.resolve();
  return new Promise((resolve) => {
    const hold = (lock) => {
      if (!lock) { show(resolve, name); return undefined; }
      box.hidden = true;
      resolve();
      return new Promise(() => {}); // until the tab is closed
    };
    navigator.locks.request(name, { ifAvailable: true }, hold).catch(lost);
  });
}

function show(resolve, name) {
  box.hidden = false;
  box.querySelector("button").onclick = () => {
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
  box.querySelector("button").onclick = () => location.reload();
  box.dataset.lost = "yes";
}
