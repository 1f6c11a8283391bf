// NAO's voice: a good voice of this computer, else the page's program. Nothing is sent to anybody.
import { language } from "./texts.js";

// NAO is small and lively.
const NAO_PITCH = 1.25, NAO_RATE = 1.05, USUAL = { rspd: 100, vct: 100 }, MAX_MS = 30_000;
// Voices that buzz, as "Eddy (English (US))", or are for fun.
const BAD = /speak|speechd|\([^)]*\(|\b(albert|bahh|bells|boing|bubbles|cellos|fred|jester|junior|kathy|news|organ|ralph|superstar|trinoids|whisper|wobble|zarvox)\b/i;
const NATURAL = /natural|neural|premium|enhanced|siri/i;
// A man's voice sounds odd when higher.
const LIGHT = /\b(anna|audrey|ava|aria|hedda|helena|hortense|jenny|julie|katja|laura|m[oó]nica|samantha|zira)\b|female/i;

/** Return NAO's voice for a language, and whether it is good.
 * @param {SpeechSynthesisVoice[]} voices @param {string} code */
export function chooseVoice(voices, code) {
  const [best] = voices.filter(({ localService, lang }) => localService && lang.toLowerCase().split(/[-_]/)[0] === code).map((voice) => {
    const { name, voiceURI, lang } = voice, near = code === "en" ? /us$/i : /^(..).\1$/i;
    return { voice, points: +NATURAL.test(name) * 4 + +near.test(lang) * 2 + +LIGHT.test(name) - +BAD.test(name + voiceURI) * 9 };
  }).sort((one, other) => other.points - one.points);
  return { voice: best?.voice, isGood: best?.points >= 0 };
}

/** Split a text at NAOqi's tags, which are never read aloud, into words and pauses (ms). @param {string} text */
export function splitSpeech(text) {
  let now = { ...USUAL, words: "", pau: 0 };
  /** @type {(typeof now)[]} */
  const parts = [];
  text.replace(/\^\w+(\([^)]*\))?/g, " ").split(/\\(\w+(?:=[^\\]*)?)\\/).forEach((piece, at) => {
    const words = piece.replace(/[\s\\]+/g, " ").trim(), [, name, value] = /^(\w+)=(\d{1,5})$/.exec(piece.toLowerCase()) ?? [];
    if (at % 2 === 0) {
      if (words) parts.push({ ...now, words });
    } else if (name === "pau") parts.push({ ...now, pau: +value });
    else if (piece === "rst") now = { ...now, ...USUAL };
    else if (name in USUAL) now = { ...now, [name]: +value };
  });
  return parts;
}

let sounding = 0;
export const isSpeaking = () => sounding > 0;

export class Speech {
  /** @param {() => void} changed is called when voices come or go */
  constructor(changed) {
    this.isOn = localStorage.getItem("speech") === "on";
    /** Whether another robot is shown. */
    this.isMuted = false;
    /** The language of NAO's sentences. */
    this.code = "";
    this.hasProgram = false;
    this.queue = Promise.resolve();
    this.cuts = 0;
    this.end = () => {};
    this.sound = new Audio();
    window.speechSynthesis?.addEventListener?.("voiceschanged", changed);
  }

  choose() {
    return chooseVoice(window.speechSynthesis?.getVoices?.() ?? [], this.code || language());
  }

  get canSpeak() {
    return this.hasProgram || Boolean(this.choose().voice);
  }

  toggle() {
    this.isOn = !this.isOn;
    localStorage.setItem("speech", this.isOn ? "on" : "off");
    if (!this.isOn) this.cut();
  }

  /** Follow the robot's events. @param {{kind: string, time: number, fields: any}} event */
  note({ kind, time, fields }) {
    if (kind === "say") this.say(String(fields.text || ""), time);
    else if (kind === "end" || (kind === "said" && fields.whole === false)) this.cut();
  }

  /** @param {string} text @param {number} time its name at the program */
  say(text, time) {
    const { voice, isGood } = this.choose();
    if (!this.isOn || this.isMuted || document.hidden) return;
    if (this.hasProgram && !isGood) this.enqueue((end) => {
      Object.assign(this.sound, { src: `said.wav?at=${time}`, onended: end, onerror: end }).play().catch(end);
    });
    else if (voice) for (const { words, pau, rspd, vct } of splitSpeech(text)) this.enqueue((end) => {
      if (pau) setTimeout(end, pau);
      else window.speechSynthesis.speak(Object.assign(new SpeechSynthesisUtterance(words), { voice, lang: voice.lang, onend: end, onerror: end,
        rate: NAO_RATE * rspd / 100, pitch: NAO_PITCH * vct / 100 }));
    });
  }

  /** Start what comes next. @param {(end: () => void) => void} start */
  enqueue(start) {
    const { cuts } = this;
    sounding += 1;
    const play = () => new Promise((/** @type {(_: void) => void} */ end) => {
      start(this.end = end);
      setTimeout(end, MAX_MS);
    });
    this.queue = this.queue.then(() => cuts === this.cuts ? play() : undefined).finally(() => sounding--);
  }

  cut() {
    this.cuts += 1;
    window.speechSynthesis?.cancel();
    this.sound.pause();
    this.end();
  }
}
