// A robot in a web worker of this browser: the worker is started, and speaks the same messages as a program.
import { Link, RobotError } from "./link.js";
import { t } from "./texts.js";

/** Return whether this browser can run Python's threads (JavaScript Promise Integration). */
export const canRun = () => "Suspending" in WebAssembly;

/** Messages of a worker that the page has not acknowledged, as in `worker.js`, and characters of one. */
const MAX_UNACKNOWLEDGED = 200, MAX_MESSAGE_LENGTH = 64 * 2 ** 20;
/** A slow device needs minutes to start Python. A worker is never lost on the way, and says when it has failed. */
const WORKER_ANSWER_TIMEOUT_MS = 600_000;
const FLOODED = "This behaviour sends too much: its worker has ended.";

const STEPS = ["NAO's Python is on its way …", "NAO wakes up …", "NAO is getting up."];

export class WorkerLink extends Link {
  /** @param {string} module the Python module with `make_server` */
  constructor(module) {
    const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module", name: module });
    super((message) => worker.postMessage({ line: JSON.stringify(message) }));
    this.worker = worker;
    this.patience = WORKER_ANSWER_TIMEOUT_MS;
    this.received = this.acknowledged = 0;
    const acknowledging = new MessageChannel();
    acknowledging.port1.onmessage = () => worker.postMessage({ acknowledged: (this.acknowledged = this.received) });
    /** @type {Promise<any>} */
    this.ready = new Promise((resolve, reject) => {
      this.listen((push) => {
        if (push.push === "ready") resolve(push);
        else if (push.push === "broken" || push.push === "gone") reject(new RobotError(String(push.message ?? push.sentence)));
        if (push.push === "broken") this.kill(`NAO has stopped: ${push.message}. Load the page again.`);
      });
    });
    worker.addEventListener("message", ({ data }) => {
      const unacknowledged = (this.received += 1) - this.acknowledged;
      // After what the page has to do meanwhile.
      if (unacknowledged === 1) acknowledging.port2.postMessage(null);
      if (unacknowledged > MAX_UNACKNOWLEDGED || typeof data !== "string" || data.length > MAX_MESSAGE_LENGTH) this.kill(t(FLOODED));
      else this.take(JSON.parse(data));
    });
    worker.addEventListener("error", (event) => this.kill(`NAO has stopped: ${event.message}. Load the page again.`));
  }

  /** Store a file where the robot can load it; return its path. @param {string} name @param {ArrayBuffer} bytes */
  store(name, bytes) {
    return this.request((id) => this.worker.postMessage({ id, store: name, bytes }, [bytes]), `store ${name}`);
  }

  /** Ask for NAO's notebook, which this browser keeps: "export" returns a text, "import" adds one, "delete" forgets all.
   * @param {"export" | "import" | "delete"} act @param {string} [content] */
  notebook(act, content = "") {
    return this.request((id) => this.worker.postMessage({ id, notebook: act, content }), `notebook ${act}`);
  }

  /** End the worker, even in the middle of a loop without end. @param {string} sentence */
  kill(sentence) {
    this.worker.terminate();
    this.end(sentence);
  }
}

/** Start a worker, open a robot in it, and load and start its behaviour.
 * @param {(step: number, text: string) => void} report @param {{module: string, behaviour: string, game: string}} home
 * @param {{lang: string, level: string, role: string, seed: number}} options of the game */
export async function openWorker(report, home, options) {
  const tell = (/** @type {string} */ step) => report(STEPS.indexOf(step) + 1, t(step));
  tell("NAO's Python is on its way …");
  const link = new WorkerLink(home.module);
  await link.ready;
  tell("NAO wakes up …");
  await link.ask("open", { languages: ["English", "French", "German", "Spanish"] });
  if (home.game) await link.ask("page", { view: "start_options", ...options });
  await link.ask("load", { file: home.behaviour });
  tell("NAO is getting up.");
  return link;
}
