// A recording that is looked at: a worker has repeated it in virtual time, and the page shows any of its moments.
import { Figure, canDraw } from "./figure.js";
import { fromBase64, startWorker, storeFile } from "./guest.js";
import { Link, RobotError } from "./link.js";
import { Stage } from "./stage.js";
import { Talk } from "./talk.js";
import { t } from "./texts.js";

const MAX_BYTES = 16 * 1024 * 1024;
const ENDED = "The recording is closed.";
const STEP = /^(\d+)(?:k(\d+))?$/; // the last step of a box's address

/** @typedef {{seconds: number, events: number, frame: any, memory: {[key: string]: string}, gone: string[],
 *   live?: {[behaviour: string]: {lit: string[], places: {[address: string]: number[]}, cursors: {[address: string]: [number, boolean, number]}}},
 *   latest?: string, ears?: {engine: string | null, vocabulary: string[]}}} Moment */

/** Return whether a text looks like a recording. @param {string} text */
export const isRecording = (text) => /^\s*\{[^\n]*"recording":/.test(text);

/** Repeat a recording in a worker of its own. @param {string} text
 * @param {{name: string, bytes: ArrayBuffer | null, home: string}} here the file that runs, and the path of the page's own behaviour */
export async function openRecording(text, here) {
  const lines = text.trim().split("\n");
  if (lines.join("").length > MAX_BYTES) throw new RobotError(t("The file is larger than {size} MB.", { size: MAX_BYTES / 2 ** 20 }));
  let head;
  try {
    head = JSON.parse(lines[0]);
  } catch {
    throw new RobotError(t("The first line of the recording is damaged."));
  }
  const kept = head.file ?? {};
  delete head.file; // Python's limit of a line is for what it reads.
  let { bytes } = here;
  try {
    if (typeof kept.content === "string") bytes = fromBase64(kept.content);
  } catch {
    throw new RobotError(t("The first line of the recording is damaged."));
  }
  const isHome = kept.home !== undefined && kept.home === here.home;
  const isWatched = head.watched === true; // It has what the robot did, and needs no behaviour.
  if (!bytes && !isHome && !isWatched) throw new RobotError(t("The recording comes without its behaviour: open the behaviour first, then the recording."));
  const worker = await startWorker();
  try {
    const offers = isWatched || isHome || !bytes ? [{ name: "", file: isWatched ? "" : here.home, behaviour: "" }] : await storeFile(worker, String(kept.name ?? here.name), bytes);
    const offer = offers.find(({ name, behaviour }) => name === (kept.offer ?? name) && behaviour === kept.behaviour) ?? offers[0];
    const told = await worker.ask("replay", { file: offer.file, behaviour: offer.behaviour, lines: [JSON.stringify(head), ...lines.slice(1)] });
    const stage = new ReplayStage(new ReplayLink(worker), told);
    await stage.open();
    return stage;
  } catch (error) {
    worker.kill(t(ENDED));
    throw error;
  }
}

/** Answers the views' questions from the moment that is shown; the worker answers those about the robot itself. */
export class ReplayLink extends Link {
  /** @param {{ask: (verb: string, fields?: any) => Promise<any>, kill: (sentence: string) => void}} worker */
  constructor(worker) {
    super(() => {});
    this.worker = worker;
    this.position = 0;
    /** @type {Moment} */
    this.moment = { seconds: 0, events: 0, frame: {}, memory: {}, gone: [] };
    /** @type {Map<string, string>} */
    this.memory = new Map();
  }

  /** @param {string} verb @param {import("./link.js").Fields} [fields] @returns {Promise<any>} */
  async ask(verb, fields = {}) {
    if (this.gone) throw new RobotError(this.gone);
    if (verb === "signals") return this.signals(fields.behaviour, fields.box, fields.place);
    if (verb === "pace") return { speed: 0, seconds: this.moment.seconds };
    if (verb === "call" && fields.method === "getDataListName") return [...this.memory.keys()].sort();
    if (verb === "call" && fields.method === "getListData") return fields.args[0].map((/** @type {string} */ key) => JSON.parse(this.memory.get(key) ?? "null"));
    return this.worker.ask(verb, fields);
  }

  /** Return which boxes of a diagram run in this moment. @param {string} behaviour @param {string} address @param {number} place */
  signals(behaviour, address, place) {
    const live = this.moment.live ?? {}, now = live[behaviour];
    const runs = (now?.lit ?? []).flatMap((each) => {
      const cut = each.lastIndexOf("__"), step = STEP.exec(each.slice(cut < 0 ? 0 : cut + 2));
      return step && (cut < 0 ? "" : each.slice(0, cut)) === address && Number(step[2] ?? 0) === place ? [Number(step[1])] : [];
    });
    return { position: this.position, now: this.moment.seconds, is_loaded: Boolean(now), behaviours: [behaviour], latest: behaviour, loads: 1,
      runs, owner_runs: now?.lit.includes(address) ?? false, errors: [], signals: [], active: now?.places[address] ?? [],
      timeline: now?.cursors[address] ?? null };
  }
}

export class ReplayStage extends Stage {
  /** @param {ReplayLink} link @param {{events: any[], moments: Moment[], note: string, length: number}} told */
  constructor(link, told) {
    super(link);
    this.told = told;
    this.replayLink = link;
    this.at = -1;
    /** @type {Moment} */
    this.sum = link.moment;
  }

  async open() {
    const body = await this.link.ask("figure");
    if (canDraw()) {
      this.figure = new Figure(this.element, body, () => {});
    } else {
      this.element.textContent = t("This browser cannot draw NAO in three dimensions.");
    }
    this.seek(this.told.moments.length - 1);
  }

  /** Show a moment. @param {number} wanted */
  seek(wanted) {
    const at = Math.max(0, Math.min(wanted, this.told.moments.length - 1)), { memory } = this.replayLink;
    if (at < this.at) {
      this.at = -1;
      this.sum = { seconds: 0, events: 0, frame: {}, memory: {}, gone: [] };
      memory.clear();
    }
    for (const moment of this.told.moments.slice(this.at + 1, at + 1)) {
      this.sum = { ...this.sum, ...moment, frame: { ...this.sum.frame, ...moment.frame } };
      for (const [key, value] of Object.entries(moment.memory)) memory.set(key, value);
      for (const key of moment.gone) memory.delete(key);
    }
    this.at = at;
    this.replayLink.position++;
    this.replayLink.moment = this.sum;
    this.frame = this.sum.frame;
    this.figure?.show(this.frame);
    this.ears = this.sum.ears ?? { engine: null, vocabulary: [] };
    this.log = this.told.events.slice(0, this.sum.events);
    this.talk = new Talk();
    for (const event of this.log) this.talk.note(event);
    this.tell("seek");
  }

  /** Go to the next moment with a new event, or the one before. @param {1 | -1} way */
  step(way) {
    const { moments } = this.told, now = moments[this.at]?.events;
    let at = this.at + way;
    while (moments[at] && moments[at].events === now) at += way;
    if (moments[at]) this.seek(at);
  }

  end() {
    super.end();
    this.link.end(t(ENDED));
    this.replayLink.worker.kill(t(ENDED));
  }
}
