// The browser's own recogniser, which sends the voice to a company: what it has written down goes on as text.
const Recogniser = window.SpeechRecognition || window.webkitSpeechRecognition;
const MOST_TEXTS = 5;
const LONGEST_TEXT = 300;
// Milliseconds before it begins anew, after it has ended by itself.
const AGAIN = 150;

const BLOCKED = "The browser doesn't let this page listen. Allow the microphone next to the page's address, and press again.";
const REFUSALS = {
  "not-allowed": BLOCKED,
  "service-not-allowed": "This browser can't recognise speech here. Untick the box about the browser, and press again.",
  "audio-capture": "The browser finds no microphone. Connect one, and press again.",
  network: "This browser can't reach its speech recognition. Untick the box about the browser, and press again.",
  "language-not-supported": "This browser can't recognise speech here. Untick the box about the browser, and press again.",
};

export const canDictate = () => Boolean(Recogniser);

// Listens while it is to; `tell(message)` gets what was said, `fail(sentence)` why nothing can be.
export class Dictation {
  constructor(tell, fail) {
    this.wanted = false;
    this.running = false;
    this.began = false;
    this.engine = new Recogniser();
    Object.assign(this.engine, { lang: "en-US", continuous: true, interimResults: false, maxAlternatives: MOST_TEXTS });
    this.engine.onspeechstart = () => {
      this.began = this.wanted;
      if (this.began) tell({ began: true });
    };
    this.engine.onresult = ({ results, resultIndex }) => {
      for (const result of [...results].slice(resultIndex)) {
        const texts = [...result].slice(0, MOST_TEXTS).map((each) => String(each.transcript).slice(0, LONGEST_TEXT));
        if (!this.wanted || !result.isFinal) continue;
        this.began = false;
        tell({ written: texts });
      }
    };
    this.engine.onerror = ({ error }) => {
      if (REFUSALS[error]) fail(REFUSALS[error]);
    };
    // It ends after a while of silence.
    this.engine.onend = () => {
      this.running = false;
      // Somebody spoke, and nothing came of it.
      if (this.began && this.wanted) tell({ written: [] });
      this.began = false;
      setTimeout(() => this.begin(), AGAIN);
    };
  }

  listen(wanted) {
    this.wanted = wanted;
    if (wanted) this.begin();
    else this.engine.abort();
  }

  begin() {
    if (!this.wanted || this.running) return;
    this.running = true;
    this.engine.start();
  }
}
