// After a withdrawal: what this browser has kept of the person, and did not send, is removed too.
import { forget } from "/static/outbox.js";

for (const box of document.querySelectorAll("[data-forget]")) {
  forget(box.dataset.forget ?? "").then(() => { box.dataset.ready = "yes"; }, () => {});
}
