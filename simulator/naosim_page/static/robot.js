// The page's side of a robot in a web worker: requests of the protocol as promises.

/** @typedef {{push: string, [field: string]: unknown}} Push */

export class WorkerRobot {
  /**
   * @param {(push: Push) => void} hear  called with every push: ready, broken, event, link, log ...
   * @param {string | URL} [script]  the address of worker.js
   */
  constructor(hear, script = new URL("./worker.js", import.meta.url)) {
    this.hear = hear;
    this.script = script;
    this.number = 0;
    /** @type {Map<number, {resolve: (value: any) => void, reject: (error: Error) => void}>} */
    this.waiting = new Map();
    this.restart();
  }

  /** Start another worker; one that does not answer any more ends, and with it every open request. */
  restart() {
    this.worker?.terminate();
    for (const { reject } of this.waiting.values()) reject(new Error("the robot was ended"));
    this.waiting.clear();
    this.worker = new Worker(this.script, { type: "module" });
    this.worker.addEventListener("message", ({ data }) => this.#receive(JSON.parse(data)));
    this.worker.addEventListener("error", (event) => this.hear({ push: "broken", message: event.message }));
  }

  /**
   * Send a request like {do: "hear", phrase: "yes"}; return the value of its answer or throw its error.
   * @param {{do: string, [field: string]: unknown}} request
   * @param {number} [patience]  milliseconds after which a robot that does not answer is ended and started again
   */
  ask(request, patience) {
    return this.#send((id) => this.worker.postMessage({ line: JSON.stringify({ ...request, id }) }), patience);
  }

  /** Store a file in the worker; return its path there, for `load`. */
  store(name, bytes) {
    return this.#send((id) => this.worker.postMessage({ id, store: name, bytes }, [bytes]));
  }

  #send(post, patience) {
    const id = (this.number += 1);
    return new Promise((resolve, reject) => {
      const timer = patience ? setTimeout(() => this.restart(), patience) : undefined;
      const after = (call) => (value) => {
        clearTimeout(timer);
        call(value);
      };
      this.waiting.set(id, { resolve: after(resolve), reject: after(reject) });
      post(id);
    });
  }

  #receive(message) {
    const asked = this.waiting.get(message.id);
    if (message.push !== undefined) this.hear(message);
    else if (asked !== undefined) {
      this.waiting.delete(message.id);
      if (message.error === undefined) asked.resolve(message.value);
      else asked.reject(new Error(message.error));
    }
  }
}
