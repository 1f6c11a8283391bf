// A stranger's behaviour: it runs in a worker of its own, which the page can end at any time. The file stays here.
import { RobotError } from "./link.js";
import { Stage } from "./stage.js";
import { t } from "./texts.js";
import { WorkerLink } from "./worker_link.js";

/** @typedef {{name: string, file: string, behaviour: string, robotType?: string}} Offer a behaviour of a file */

const MAX_FILE_BYTES = 64 * 1024 * 1024, MAX_STORED_BYTES = 256 * 1024 * 1024;
const MAX_KEPT_BYTES = 700_000; // A line of a recording has at most a megabyte.
const BEAT_MS = 500, STUCK_MS = 5000;
const MAX_SEED = 2 ** 31;
const MODULE = "naosim_page.dropped";
const ENDED = "You stopped the behaviour: its worker has ended.";

/** Start a worker for a stranger's file. */
export async function startWorker() {
  const link = new WorkerLink(MODULE);
  await link.ready;
  return link;
}

/** Store a file in a worker and return its behaviours. @param {WorkerLink} link @param {string} name @param {ArrayBuffer} bytes
 * @returns {Promise<Offer[]>} */
export async function storeFile(link, name, bytes) {
  const path = await link.store(name, bytes.slice(0));
  const found = await link.ask("unpack", { file: path });
  return found.map((/** @type {string[]} */ [shown, file, behaviour, robotType]) => ({ name: shown, file, behaviour, robotType }));
}

export class Guest {
  /** @param {() => void} tell is called when something has changed */
  constructor(tell) {
    this.tell = tell;
    /** @type {WorkerLink | null} */
    this.link = null;
    /** @type {Stage | null} */
    this.stage = null;
    this.isOpen = false;
    this.isLoaded = false;
    this.isStuck = false;
    this.doing = "";
    this.name = "";
    /** @type {ArrayBuffer} */
    this.bytes = new ArrayBuffer(0);
    this.stored = 0;
    /** @type {Offer[]} */
    this.offers = [];
    this.chosen = 0;
    /** @type {[string, string, number][]} */
    this.parameters = [];
    /** @type {[string, string, string][]} */
    this.findings = [];
    this.heart = window.setInterval(() => this.beat(), BEAT_MS);
    this.asked = 0;
  }

  /** Notice a worker that does not answer, such as one with an endless loop. */
  beat() {
    const link = this.link;
    if (!link || link.gone) return;
    const isStuck = this.asked > 0 && performance.now() - this.asked > STUCK_MS;
    if (isStuck !== this.isStuck) {
      this.isStuck = isStuck;
      this.tell();
    }
    if (this.asked) return;
    const began = (this.asked = performance.now());
    const answered = () => {
      if (this.asked === began) this.asked = 0;
    };
    link.ask("pace").then(answered, answered);
  }

  /** Do something that takes a while; its text is shown meanwhile. @template T @param {string} text @param {() => Promise<T>} work */
  async during(text, work) {
    this.doing = text;
    this.isLoaded = false; // What ran before is not shown any longer.
    this.tell();
    try {
      return await work();
    } finally {
      this.doing = "";
      this.tell();
    }
  }

  /** Take a file and run its behaviour; if it has several, the first. @param {string} name @param {ArrayBuffer} bytes */
  async open(name, bytes) {
    if (bytes.byteLength > MAX_FILE_BYTES) throw new RobotError(t("The file is larger than {size} MB.", { size: MAX_FILE_BYTES / 2 ** 20 }));
    await this.during(t("A new NAO starts for {name} …", { name }), async () => {
      const link = await this.ready(bytes.byteLength);
      await this.closeRobot();
      const offers = await storeFile(link, name, bytes);
      Object.assign(this, { name, bytes, offers });
      await this.load(0, {});
    });
  }

  /** Return the worker; start one if there is none, or if it holds too many files. @param {number} size of a new file */
  async ready(size) {
    this.stored += size;
    if (this.link && !this.link.gone && this.stored > MAX_STORED_BYTES) this.kill();
    if (!this.link || this.link.gone) {
      this.stored = size;
      this.asked = 0;
      this.link = await startWorker();
    }
    return this.link;
  }

  async closeRobot() {
    this.isLoaded = false;
    this.stage?.end();
    this.stage = null;
    if (this.isOpen) await this.link?.ask("close");
    this.isOpen = false;
  }

  /** Run one of the file's behaviours on a new robot. @param {number} chosen @param {{[name: string]: string}} parameters */
  async choose(chosen, parameters) {
    await this.during(t("A new NAO starts for {name} …", { name: this.offers[chosen].name }), async () => {
      if (this.link?.gone) {
        this.offers = await storeFile(await this.ready(this.bytes.byteLength), this.name, this.bytes);
      }
      await this.closeRobot();
      await this.load(chosen, parameters);
    });
  }

  /** @param {number} chosen @param {{[name: string]: string}} parameters */
  async load(chosen, parameters) {
    const link = /** @type {WorkerLink} */ (this.link), { file, behaviour, robotType } = this.offers[chosen];
    this.chosen = chosen;
    [this.parameters, this.findings] = [[], []];
    const seed = Math.floor(Math.random() * MAX_SEED);
    await link.ask("open", { languages: ["English", "French", "German", "Spanish"], seed, robot_type: robotType });
    this.isOpen = true;
    const stage = new Stage(link);
    this.stage = stage;
    await stage.open();
    await link.ask("load", { file, behaviour, parameters, rewrite: true });
    this.isLoaded = true;
    [this.parameters, this.findings] = [await link.ask("parameters"), await link.ask("findings")];
    await link.ask("start");
  }

  /** Return what was done so far as a recording, with the file if it is small. */
  async record() {
    const link = /** @type {WorkerLink} */ (this.link), lines = await link.ask("recording");
    const head = JSON.parse(lines[0]), { name, behaviour } = this.offers[this.chosen];
    head.file = { name: this.name, offer: name, behaviour };
    if (this.bytes.byteLength <= MAX_KEPT_BYTES) head.file.content = toBase64(new Uint8Array(this.bytes));
    return [JSON.stringify(head), ...lines.slice(1)];
  }

  /** End the worker, even in the middle of an endless loop. */
  kill() {
    this.stage?.end();
    this.link?.kill(t(ENDED));
    this.isOpen = this.isLoaded = this.isStuck = false;
    this.asked = 0;
    this.tell();
  }

  /** End everything. */
  end() {
    clearInterval(this.heart);
    this.kill();
  }
}

/** @param {Uint8Array} bytes */
function toBase64(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += 4096) text += String.fromCharCode(...bytes.subarray(at, at + 4096));
  return btoa(text);
}

/** @param {string} text @returns {ArrayBuffer} */
export function fromBase64(text) {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer;
}
