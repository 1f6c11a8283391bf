// The browser's own speech recogniser. It may send sound to the browser's maker, so people choose it, and it listens only
// while NAO listens and is silent.
import { html, nothing } from "./lib/lit-html/lit-html.js";
import { BLOCKED, drawMicrophone, ECHO_MS, NOT_FOUND } from "./microphone.js";
import { isSpeaking } from "./speech.js";
import { language, t } from "./texts.js";

const CHOSEN = "recogniser";
const LOOK_PAUSE_MS = 200;
const TAGS = /** @type {{[code: string]: string}} */ ({ en: "en-US", de: "de-DE", es: "es-ES", fr: "fr-FR" });
const HEARD_NOTHING = "The browser heard nothing. Speak a little louder, or type.";
/** What ends listening, by the browser's names. */
const REFUSALS = /** @type {{[name: string]: string}} */ ({
  "not-allowed": BLOCKED, "service-not-allowed": BLOCKED, "audio-capture": NOT_FOUND,
  network: "The browser's speech recognition isn't reachable now. Type or tap instead.",
  "language-not-supported": "The browser's speech recognition doesn't know this language. Type or tap instead.",
});
/** TypeScript doesn't know this interface. */
const { SpeechRecognition, webkitSpeechRecognition } = /** @type {any} */ (window);
const Recognition = SpeechRecognition ?? webkitSpeechRecognition;

/** Return whether this browser has a recogniser that this page may use. */
export const canRecognise = () => Boolean(Recognition) && window.isSecureContext;

export class Recogniser {
  /** @param {import("./stage.js").Stage} stage */
  constructor(stage) {
    this.stage = stage;
    this.isOn = false;
    this.sentence = "";
    /** @type {any} */
    this.session = null;
    this.spokeAt = -Infinity;
    this.timer = 0;
    /** The microphone that is there again once this one is turned off. @type {import("./hearing.js").Hearing | null} */
    this.before = null;
  }

  get isBusy() {
    return false;
  }

  /** @param {Event} event */
  turn(event) {
    if (this.isOn) return this.stop();
    if (localStorage.getItem(CHOSEN) === "yes") return this.start();
    /** @type {HTMLElement} */ (event.currentTarget).parentElement?.querySelector("dialog")?.showModal();
  }

  start() {
    this.isOn = true;
    this.sentence = "";
    this.timer = window.setInterval(() => this.look(), LOOK_PAUSE_MS);
    this.look();
    this.stage.tell("microphone");
  }

  /** @param {string} [sentence] */
  stop(sentence = "") {
    clearInterval(this.timer);
    this.isOn = false;
    this.sentence = sentence;
    this.session?.abort();
    this.session = null;
    if (this.before) {
      this.before.sentence = sentence;
      this.stage.microphone = this.before;
    }
    this.stage.tell("microphone");
  }

  /** Listen while NAO listens; stop while it speaks, and for as long as rooms echo. */
  look() {
    const { talk, ears, link } = this.stage, now = performance.now();
    if (talk.isSpeaking || isSpeaking()) this.spokeAt = now;
    const isWanted = Boolean(ears.engine) && now - this.spokeAt > ECHO_MS && !document.hidden && !link.gone;
    if (isWanted && !this.session) this.listen();
    else if (!isWanted && this.session) this.session.abort();
  }

  /** Recognise one phrase. */
  listen() {
    const session = new Recognition(), code = this.stage.speech.code || language();
    session.lang = TAGS[code] ?? code;
    session.onresult = (/** @type {any} */ { results }) => {
      const phrase = String(results[results.length - 1][0].transcript).trim().replace(/[.,!?…]+$/u, "");
      if (session !== this.session || !phrase) return;
      this.sentence = "";
      this.stage.hear(phrase);
    };
    session.onerror = (/** @type {any} */ { error }) => {
      if (session !== this.session || error === "aborted") return;
      if (error !== "no-speech") return this.stop(REFUSALS[error] ? t(REFUSALS[error]) : t("The microphone doesn't work ({name}).", { name: error }));
      this.sentence = t(HEARD_NOTHING);
      this.stage.tell("microphone");
    };
    session.onend = () => {
      if (session !== this.session) return;
      this.session = null; // The next look begins again.
      this.stage.tell("microphone");
    };
    this.session = session;
    session.start();
    this.stage.tell("microphone");
  }

  draw() {
    const answer = (/** @type {Event} */ event, /** @type {boolean} */ isYes) => {
      /** @type {HTMLElement} */ (event.currentTarget).closest("dialog")?.close();
      if (!isYes) return;
      localStorage.setItem(CHOSEN, "yes");
      this.start();
    };
    return html`${drawMicrophone(this, Boolean(this.session), (event) => this.turn(event))}
      ${this.isOn ? nothing : html`<dialog aria-label=${t("Speak with NAO")}>
        <p>${t("Should your browser listen? It may send your voice to the browser's maker.")}</p><p>
        <button type="button" class="main" @click=${(/** @type {Event} */ event) => answer(event, true)}>${t("Yes")}</button>
        <button type="button" class="second" @click=${(/** @type {Event} */ event) => answer(event, false)}>${t("No")}</button></p></dialog>`}`;
  }
}
