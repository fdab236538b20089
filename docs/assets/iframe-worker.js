// Search in a site that is read from a folder: browsers start no Worker there, so its script runs in a hidden frame.

/** @typedef {Window & { Event: typeof Event, MessageEvent: typeof MessageEvent, importScripts: (...sources: string[]) => Promise<void> }} Frame */
if (location.protocol === "file:") {
  class FrameWorker extends EventTarget {
    /** @param {string | URL} script */
    constructor(script) {
      super();
      /** @type {((event: MessageEvent) => void) | null} */
      this.onmessage = null;
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      const inner = /** @type {Frame} */ (frame.contentWindow);
      /** @type {(source: string) => Promise<void>} */
      const load = (source) =>
        new Promise((done, failed) => {
          const element = inner.document.createElement("script");
          Object.assign(element, { src: source, onload: done, onerror: failed });
          inner.document.body.append(element);
        });
      inner.postMessage = (/** @type {unknown} */ data) => {
        const event = new MessageEvent("message", { data });
        this.dispatchEvent(event);
        this.onmessage?.(event);
      };
      inner.importScripts = (...sources) =>
        sources.reduce((before, source) => before.then(() => load(source)), Promise.resolve());
      this.frame = frame;
      this.inner = inner;
      this.ready = load(new URL(script, location.href).href);
    }

    /** @param {unknown} data */
    postMessage(data) {
      this.ready.then(() => this.inner.dispatchEvent(new this.inner.MessageEvent("message", { data })));
    }

    terminate() {
      this.frame.remove();
    }
  }
  window.Worker = /** @type {any} */ (FrameWorker);
}
