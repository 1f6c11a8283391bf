// A film of a run: what the canvas shows, as WebM.

const FRAMES_PER_S = 20;
const MAX_LENGTH_MS = 10 * 60_000;

/** Return whether this browser can film. */
export const canFilm = () => typeof MediaRecorder !== "undefined" && "captureStream" in HTMLCanvasElement.prototype
  && MediaRecorder.isTypeSupported("video/webm");

export class Film {
  /** Begin to film. @param {HTMLCanvasElement} canvas @param {(film: Blob) => void} done takes the film at its end */
  constructor(canvas, done) {
    /** @type {Blob[]} */
    const pieces = [];
    this.bytes = 0;
    this.recorder = new MediaRecorder(canvas.captureStream(FRAMES_PER_S), { mimeType: "video/webm" });
    this.recorder.ondataavailable = ({ data }) => {
      pieces.push(data);
      this.bytes += data.size;
    };
    this.recorder.onstop = () => done(new Blob(pieces, { type: "video/webm" }));
    this.recorder.start(1000);
    this.limit = window.setTimeout(() => this.stop(), MAX_LENGTH_MS);
  }

  stop() {
    clearTimeout(this.limit);
    if (this.recorder.state !== "inactive") this.recorder.stop();
  }
}

/** Offer a file to keep. @param {string} name @param {Blob} content */
export function saveFile(name, content) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
