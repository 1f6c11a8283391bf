// What is wrong with a microphone, in sentences for people.
const SILENT_AFTER = 50;
const SILENT = 0.001;
const CLIPPED = 8;
const KEPT = 20;

const REFUSALS = {
  NotAllowedError: "The browser does not let this page listen: allow the microphone, beside the page's address, and press again.",
  NotFoundError: "This computer has no microphone, or the browser sees none: connect one and press again.",
  OverconstrainedError: "That microphone is no longer there: choose another one.",
  NotReadableError: "The microphone cannot be opened; another program may be using it.",
  AbortError: "The microphone cannot be opened; another program may be using it.",
};

export const NO_MICROPHONE = "Browsers give a microphone only to pages of this computer (127.0.0.1) or over TLS (https).";
export const LOST = "The microphone is gone: connect it, or choose another one, and press again.";

const UNUSABLE = "The microphone cannot be used ({name}).";

// Puts a name into a sentence, which stays English.
const inEnglish = (english, name = "") => english.replace("{name}", () => name);

export const refusal = (error, say = inEnglish) => say(REFUSALS[error.name] || UNUSABLE, error.name);

// Judges the blocks of one microphone as they come; `verdict` is a sentence, empty while all is well.
export class SoundCheck {
  constructor(name, say = inEnglish) {
    this.say = say;
    this.name = name || say("this microphone");
    this.blocks = 0;
    this.heard = false;
    this.clipped = [];
    this.verdict = "";
  }

  take({ peak, clipped }) {
    this.blocks += 1;
    if (peak > SILENT) this.heard = true;
    this.clipped.push(clipped);
    if (this.clipped.length > KEPT) this.clipped.shift();
    const loud = this.clipped.filter((count) => count >= CLIPPED).length;
    if (!this.heard && this.blocks > SILENT_AFTER) {
      this.verdict = this.say("No sound comes from {name}: it may be muted, or another one is meant.", this.name);
    } else if (loud > 2) {
      this.verdict = this.say("Too loud: turn the microphone down, or go further away from it.");
    } else {
      this.verdict = "";
    }
  }
}
