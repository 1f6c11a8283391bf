// What is wrong with a microphone, in sentences for people.
const SILENT_AFTER = 50;
const SILENT = 0.001;
const CLIPPED = 8;
const KEPT = 20;

const REFUSALS = {
  NotAllowedError: "The browser doesn't let this page listen. Allow the microphone next to the page's address, and press again.",
  NotFoundError: "The browser finds no microphone. Connect one, and press again.",
  OverconstrainedError: "That microphone is gone. Choose another one.",
  NotReadableError: "The microphone doesn't open. Another program might be using it.",
  AbortError: "The microphone doesn't open. Another program might be using it.",
};

export const NO_MICROPHONE = "Browsers allow the microphone only on this computer (127.0.0.1) or over https.";
export const LOST = "The microphone is gone. Connect it or choose another one, and press again.";

const UNUSABLE = "The microphone doesn't work ({name}).";

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
      this.verdict = this.say("No sound from {name}. Is it muted, or is it the wrong microphone?", this.name);
    } else if (loud > 2) {
      this.verdict = this.say("Too loud! Turn the microphone down, or move away from it.");
    } else {
      this.verdict = "";
    }
  }
}
