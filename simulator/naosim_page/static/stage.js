// One robot as every view shows it: its body, what it says, whether it listens. Views are told when something happens.
import { html, nothing } from "./lib/lit-html/lit-html.js";
import { canDraw, Figure } from "./figure.js";
import { Speech } from "./speech.js";
import { t } from "./texts.js";
import { Talk } from "./talk.js";

const FRAME_PAUSE_MS = 50, REST_PAUSE_MS = 250; // between two looks at a robot that moves, and at one that rests
const MAX_LOG_LENGTH = 5000;
const WORD_KEY = "ALTextToSpeech/CurrentWord";

export class Stage {
  /** @param {import("./link.js").Link} link */
  constructor(link) {
    this.link = link;
    this.talk = new Talk();
    this.speech = new Speech(() => this.tell("voices"));
    /** @type {{engine: string | null, vocabulary: string[], spotting?: boolean}} */
    this.ears = { engine: null, vocabulary: [] };
    /** @type {Set<(what: string) => void>} */
    this.watchers = new Set();
    this.element = document.createElement("div");
    this.element.className = "figure";
    /** @type {Figure | null} */
    this.figure = null;
    /** @type {any} */
    this.frame = {};
    /** The latest events. @type {{kind: string, time: number, fields: {[name: string]: any}}[]} */
    this.log = [];
    /** The touch sensors' events, with their names. @type {{[zone: string]: string}} */
    this.zones = {};
    this.wordLink = 0;
    /** @type {import("./microphone.js").Microphone | import("./recogniser.js").Recogniser | null} */
    this.microphone = null;
    /** Takes a phrase that this browser has recognised: the view's own, as for a typed answer. @type {(phrase: string) => void} */
    this.hear = () => {};
    /** Returns the text of a line of NAO as it is shown; a game shows its words in capitals. @type {(line: import("./talk.js").Line) => string} */
    this.capitalise = (line) => line.text;
    this.hasCapitals = false;
  }

  /** Watch the robot and draw it. */
  async open() {
    this.stopListening = this.link.listen((push) => this.note(push));
    // What was said before is not said again.
    this.speech.isMuted = true;
    await this.link.ask("watch");
    this.speech.isMuted = false;
    this.wordLink = await this.link.ask("link", { event: WORD_KEY });
    const body = await this.link.ask("figure");
    this.zones = body.zones;
    if (canDraw()) {
      this.figure = new Figure(this.element, body, (verb, zone) => {
        this.link.ask(verb, { sensor: zone }).catch(() => {});
      });
      new ResizeObserver(() => this.figure?.showHead(this.element.clientHeight < 200)).observe(this.element);
    } else {
      const picture = document.createElement("img");
      Object.assign(picture, { src: "nao.svg", alt: "NAO", title: t("This browser cannot draw NAO in three dimensions.") });
      this.element.append(picture);
    }
    this.look();
  }

  /** Look no more, and draw nothing. */
  end() {
    this.hasEnded = true;
    this.stopListening?.();
    this.figure?.end();
    this.element.remove();
  }

  /** Call `watcher` when something happens. @param {(what: string) => void} watcher @returns {() => void} */
  onChange(watcher) {
    this.watchers.add(watcher);
    return () => {
      this.watchers.delete(watcher);
    };
  }

  /** @param {string} what */
  tell(what) {
    for (const watcher of this.watchers) watcher(what);
  }

  /** @param {import("./link.js").Fields} push */
  note(push) {
    if (push.push === "event") {
      this.isFresh = true;
      this.log.push(/** @type {any} */ (push));
      if (this.log.length > MAX_LOG_LENGTH) this.log.splice(0, MAX_LOG_LENGTH / 10);
      this.talk.note(/** @type {any} */ (push));
      this.speech.note(/** @type {any} */ (push));
      this.tell(push.kind);
    } else if (push.push === "link" && push.link === this.wordLink) {
      if (this.talk.sayWord()) this.tell("word");
    } else if (push.push === "gone") {
      this.tell("gone");
    }
  }

  /** Look at the robot again and again, more rarely while it rests. */
  async look() {
    while (!this.link.gone && !this.hasEnded) {
      let hasMoved = false;
      if (!document.hidden) {
        try {
          const changes = this.figure ? await this.link.ask("frame") : {};
          hasMoved = Object.keys(changes).length > 0;
          if (hasMoved) {
            Object.assign(this.frame, changes);
            this.figure?.show(changes);
          }
          const ears = await this.link.ask("ears");
          const hasChanged = ears.engine !== this.ears.engine;
          this.ears = ears;
          if (hasChanged) {
            this.figure?.showListening(Boolean(ears.engine));
            this.element.classList.toggle("listens", Boolean(ears.engine));
            this.tell("ears");
          }
        } catch {
          return;
        }
      }
      const pause = hasMoved || this.isFresh ? FRAME_PAUSE_MS : REST_PAUSE_MS;
      this.isFresh = false;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  status() {
    if (this.link.gone) return t(this.link.gone);
    if (this.microphone?.sentence) return this.microphone.sentence;
    if (this.talk.isSpeaking) return t("NAO is speaking.");
    return t(this.ears.engine ? "NAO is listening." : "NAO isn't listening right now.");
  }

  /** Draw a line of NAO word by word: those that it has not said yet are paler. @param {import("./talk.js").Line} line */
  drawWords(line) {
    return this.capitalise(line).split(/\s+/).map((word, at) => html`<span class="word ${
      line.spoken < 0 || at < line.spoken ? "word-said" : ""}">${word}</span>`);
  }

  drawTalk() {
    const names = /** @type {{[who: string]: string}} */ ({ you: t("You"), touch: t("Touch"), error: t("Error"), end: t("End") });
    return html`<div class="bubbles" role="log" tabindex="0" aria-label=${t("The talk")}><div>${this.talk.lines.map(
      (line) => html`<div class="bubble bubble-${line.who}">${names[line.who] ? html`<span class="faint">${names[line.who]}: </span>` : nothing}
        ${line.who === "NAO" ? this.capitalise(line) : line.text}${line.note ? html` <span class="faint">${t(line.note, line.words)}</span>` : nothing}</div>`)}</div></div>`;
  }
}
