// NAO's voice: the browser speaks what NAO says, with a voice of this computer only; nothing is sent to anybody.
import { language } from "./texts.js";

const KEPT = "speech";

export class Speech {
  /** @param {() => void} changed is called when voices come or go */
  constructor(changed) {
    this.isOn = localStorage.getItem(KEPT) === "on";
    /** Whether another robot is shown. */
    this.isMuted = false;
    /** The language of NAO's sentences. */
    this.code = "";
    window.speechSynthesis?.addEventListener?.("voiceschanged", changed);
  }

  /** Return this computer's own voice for NAO's language, if there is one. */
  voice() {
    const code = this.code || language();
    const voices = window.speechSynthesis?.getVoices?.() ?? [];
    return voices.find((voice) => voice.localService && voice.lang.toLowerCase().split(/[-_]/)[0] === code);
  }

  toggle() {
    this.isOn = !this.isOn;
    localStorage.setItem(KEPT, this.isOn ? "on" : "off");
    if (!this.isOn) this.cut();
  }

  /** Follow the robot's events. @param {{kind: string, fields: any}} event */
  note({ kind, fields }) {
    if (kind === "say") this.say(String(fields.plain || fields.text || ""));
    else if (kind === "end" || (kind === "said" && fields.whole === false)) this.cut();
  }

  /** @param {string} text */
  say(text) {
    const voice = this.isOn && !this.isMuted && !document.hidden && this.voice();
    if (!voice || !text) return;
    const spoken = new SpeechSynthesisUtterance(text);
    spoken.voice = voice;
    spoken.lang = voice.lang;
    window.speechSynthesis.speak(spoken);
  }

  cut() {
    window.speechSynthesis?.cancel();
  }
}
