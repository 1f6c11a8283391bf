// NAO's hearing in this browser: the page fetches the recogniser's model once, and a worker recognises what the microphone
// hears. No sound leaves the computer. Who prefers the browser's own recogniser can choose it.
import { html, nothing } from "./lib/lit-html/lit-html.js";
import { Microphone } from "./microphone.js";
import { language, t } from "./texts.js";

/** @typedef {{name: string, bytes: number, version: string}} KeptFile */
const CACHE = "hearing";
const LANGUAGES = /** @type {{[code: string]: string}} */ ({ en: "English" });
const OTHER_LANGUAGE = "NAO only understands spoken {language} here. Type or tap your answers.";
const ENGINE = "ALSpeechRecognition";
const LOOK_PAUSE_MS = 100;
const MAX_WAITING_BLOCKS = 100; // of 0.1 s, while the recogniser is busy
const SENSITIVITY = 0.5; // of engines that do not tell it
const STOPS = `{"phrases": [], "spotting": false, "sensitivity": ${SENSITIVITY}}`; // what ends NAO's sentence
const megabytes = (/** @type {number} */ bytes) => Math.ceil(bytes / 1e6);

export class Hearing extends Microphone {
  /** @param {import("./stage.js").Stage} stage @param {KeptFile[]} files what to fetch
   * @param {import("./recogniser.js").Recogniser | null} other the browser's own recogniser */
  constructor(stage, files, other) {
    super("", () => stage.tell("microphone"));
    this.stage = stage;
    this.files = files;
    this.bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    this.other = other;
    if (other) other.before = this;
    /** @type {Worker | null} */
    this.worker = null;
    this.timer = 0;
    /** The vocabulary for which the worker listens, as JSON; "" for none. */
    this.wanted = "";
    this.number = 0;
    this.waiting = 0;
    /** @type {{vocabulary: string, engine: string, settings: {sensitivity: number, speaks: string}}} */
    this.asked = { vocabulary: "", engine: "", settings: { sensitivity: SENSITIVITY, speaks: "" } };
  }

  get understands() {
    return Object.hasOwn(LANGUAGES, this.stage.speech.code || language());
  }

  /** The sentence for a game in another language. */
  get refusal() {
    return t(OTHER_LANGUAGE, { language: Object.values(LANGUAGES).map((name) => t(name)).join(", ") });
  }

  /** @param {Event} [event] of the button */
  async turn(event) {
    if (this.isOn || this.isBusy || (this.understands && (await this.isKept()))) return super.turn();
    if (this.understands || this.other) /** @type {HTMLElement} */ (event?.target).closest("button")?.parentElement?.querySelector("dialog")?.showModal();
    else {
      this.sentence = this.refusal;
      this.tell();
    }
  }

  // The files in this browser.

  /** @param {KeptFile} file */
  place({ name, version }) {
    return new URL(`${name}?${version}`, import.meta.url).href;
  }

  /** Return whether all files are in this browser. */
  async isKept() {
    const cache = await caches.open(CACHE);
    const found = await Promise.all(this.files.map((file) => cache.match(this.place(file))));
    return found.every(Boolean);
  }

  /** Fetch the files that are missing, and forget those of other versions. @param {number} number */
  async fetchFiles(number) {
    const cache = await caches.open(CACHE), wanted = new Set(this.files.map((file) => this.place(file)));
    const own = new URL("hearing/", import.meta.url).href;
    for (const { url } of await cache.keys()) if (url.startsWith(own) && !wanted.has(url)) await cache.delete(url);
    let done = 0;
    for (const file of this.files) {
      const address = this.place(file);
      if (!(await cache.match(address))) await cache.put(address, await this.load(address, done, number));
      done += file.bytes;
    }
  }

  /** Fetch a file and tell how far it has come. @param {string} address @param {number} done bytes before @param {number} number */
  async load(address, done, number) {
    // One copy in this browser is enough.
    const answer = await fetch(address, { cache: "no-store" }).catch(() => null);
    if (!answer?.ok || !answer.body) throw new DOMException("", "NetworkError");
    const counting = new TransformStream({
      transform: (chunk, control) => {
        if (number !== this.opening) throw new DOMException("", "AbortError");
        done += chunk.byteLength;
        const sentence = t("Speech model: {done} of {all} MB …", { done: String(Math.floor(done / 1e6)), all: String(megabytes(this.bytes)) });
        if (sentence !== this.sentence) {
          this.sentence = sentence;
          this.tell();
        }
        control.enqueue(chunk);
      },
    });
    return new Response(answer.body.pipeThrough(counting), { headers: answer.headers });
  }

  // The worker.

  async connect() {
    const number = this.opening;
    await this.fetchFiles(number);
    if (number !== this.opening) return;
    this.sentence = "";
    if (this.worker) this.worker.postMessage({ forget: true });
    else {
      this.sentence = t("Speech recognition is starting …");
      this.tell();
      await this.startWorker();
      this.sentence = "";
    }
    if (number === this.opening) this.timer = window.setInterval(() => this.look(), LOOK_PAUSE_MS);
  }

  startWorker() {
    const worker = new Worker(new URL("./hearing/worker.js", import.meta.url), { type: "module" });
    this.worker = worker;
    this.waiting = 0;
    return new Promise((resolve, reject) => {
      const fail = (/** @type {string} */ message) => {
        reject(new DOMException(message, "WorkerError"));
        worker.terminate();
        if (this.worker !== worker) return;
        this.worker = null;
        this.stop(t("The microphone doesn't work ({name}).", { name: message }));
      };
      worker.onmessage = ({ data }) => {
        if (data.ready) resolve(undefined);
        else if (data.broken) fail(data.broken);
        else this.note(data);
      };
      worker.onerror = ({ message }) => fail(message ?? "");
    });
  }

  /** Listen whenever NAO does and is silent, for the vocabulary of that moment. */
  async look() {
    const { talk, ears, link } = this.stage;
    if (talk.isSpeaking && this.cancelsEcho && this.understands && !link.gone) return this.listenFor(STOPS);
    if (!ears.engine || !ears.vocabulary.length || talk.isSpeaking || link.gone) return this.listenFor("");
    const number = this.opening, vocabulary = JSON.stringify(ears.vocabulary);
    if (vocabulary !== this.asked.vocabulary || ears.engine !== this.asked.engine) {
      this.asked = { vocabulary, engine: ears.engine, settings: await this.ask(ears.engine) };
    }
    if (number !== this.opening || talk.isSpeaking || ears !== this.stage.ears) return;
    const { sensitivity, speaks } = this.asked.settings;
    const isForeign = speaks && !Object.values(LANGUAGES).includes(speaks);
    if (isForeign) this.sentence = this.refusal;
    else if (this.sentence === this.refusal) this.sentence = "";
    this.listenFor(isForeign ? "" : `{"phrases": ${vocabulary}, "spotting": ${Boolean(ears.spotting)}, "sensitivity": ${sensitivity}}`);
  }

  /** Ask an engine of NAO for its settings. @param {string} engine */
  async ask(engine) {
    const call = (/** @type {string} */ method, /** @type {string[]} */ ...args) =>
      this.stage.link.ask("call", { service: engine, method, args }).catch(() => null);
    const speaks = await call("getLanguage");
    const told = engine === ENGINE ? await call("getParameter", "Sensitivity") : null;
    return { sensitivity: typeof told === "number" ? Math.min(1, Math.max(0, told)) : SENSITIVITY, speaks: typeof speaks === "string" ? speaks : "" };
  }

  /** @param {string} wanted a vocabulary as JSON, or "" */
  listenFor(wanted) {
    if (wanted === this.wanted) return;
    this.wanted = wanted;
    this.stops = wanted === STOPS;
    this.listens = Boolean(wanted) && !this.stops;
    this.number += 1;
    this.worker?.postMessage(wanted ? { open: wanted, number: this.number } : { close: true });
    this.tell();
  }

  /** @param {ArrayBuffer} pcm */
  send(pcm) {
    if (this.waiting >= MAX_WAITING_BLOCKS) return;
    this.waiting += 1;
    this.worker?.postMessage({ pcm }, [pcm]);
  }

  /** Pass on to NAO what the worker has heard. @param {{number: number, taken: number, heard: any[]}} told */
  note({ number, taken, heard }) {
    this.waiting -= taken;
    for (const event of heard) {
      if (!this.wanted || number !== this.number) return;
      const act = (/** @type {string} */ verb, /** @type {import("./link.js").Fields} */ fields = {}) => this.stage.link.ask(verb, fields).catch(() => {});
      if (this.stops) {
        if (event.isStop) act("call", { service: "ALTextToSpeech", method: "stopAll", args: [] });
      } else if ("began" in event) act("begin_to_speak");
      else if (event.hypotheses.length || (this.asked.engine === ENGINE && !event.isOther)) act("speak", { hypotheses: event.hypotheses });
    }
  }

  /** @param {string} [sentence] */
  stop(sentence = "") {
    clearInterval(this.timer);
    this.listenFor("");
    super.stop(sentence);
  }

  // The question before the first time.

  draw() {
    const choose = (/** @type {Event} */ event, /** @type {() => void} */ act) => {
      /** @type {HTMLElement} */ (event.currentTarget).closest("dialog")?.close();
      act();
    };
    const button = (/** @type {string} */ kind, /** @type {string} */ label, /** @type {() => void} */ act) =>
      html`<button type="button" class=${kind} @click=${(/** @type {Event} */ event) => choose(event, act)}>${label}</button>`;
    const { other } = this;
    return html`${super.draw()}${this.isOn ? nothing : html`<dialog aria-label=${t("Speak with NAO")}>
      ${this.understands ? html`<p>${t("Speech model: {all} MB, once. No sound leaves this computer.", { all: String(megabytes(this.bytes)) })}</p>
        <p>${button("main", t("Download"), () => super.turn())}</p>` : html`<p>${this.refusal}</p>`}
      ${other ? html`<p>${t("Should your browser listen? It may send your voice to the browser's maker.")}</p>
        <p>${button("second", t("Let the browser listen"), () => this.give(other))}</p>` : nothing}
      <p>${button("second", t("No"), () => {})}</p></dialog>`}`;
  }

  /** Let the browser's own recogniser listen until it is turned off. @param {import("./recogniser.js").Recogniser} other */
  give(other) {
    this.stage.microphone = other;
    other.start();
  }
}
