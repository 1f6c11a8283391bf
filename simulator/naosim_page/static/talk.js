// What was said, heard and touched, worked out from the robot's events.

/** @typedef {{number: number, who: "NAO" | "you" | "touch" | "error" | "end", text: string, time: number, spoken: number,
 *   note: string, words: {[name: string]: string}}} Line */

const MAX_LINES = 500;
const MAX_LINE_LENGTH = 2000;
/** Below this NAO's confidence is shown. */
const SURE = 0.7;

export class Talk {
  constructor() {
    /** @type {Line[]} */
    this.lines = [];
    this.count = 0;
    this.isSpeaking = false;
  }

  /** Note an event; return whether the talk has changed. @param {{kind: string, time: number, fields: any}} event */
  note({ kind, time, fields }) {
    switch (kind) {
      case "say":
        this.isSpeaking = true;
        this.add("NAO", String(fields.plain || fields.text || ""), time, 0);
        return true;
      case "said": {
        this.isSpeaking = false;
        const line = this.last("NAO");
        if (line) Object.assign(line, { spoken: -1, note: fields.whole === false ? "(interrupted)" : "" });
        return true;
      }
      case "hear": {
        const line = this.add("you", String(fields.phrase || "(not understood)"), time);
        if (!fields.engine) line.note = "NAO isn't listening";
        else if (fields.confidence < SURE) {
          line.note = "NAO understood {phrase} ({sure})";
          line.words = { phrase: line.text, sure: `${Math.round(100 * fields.confidence)}%` };
        }
        return true;
      }
      case "touch":
        if (!fields.pressed) return false;
        this.add("touch", String(fields.sensor), time);
        return true;
      case "error":
        if (fields.handled) return false;
        this.add("error", `${fields.where}: ${fields.message}`, time);
        return true;
      case "end":
        this.isSpeaking = false;
        this.add("end", String(fields.behaviour), time);
        return true;
      default:
        return false;
    }
  }

  /** Count a word that NAO has begun to say. */
  sayWord() {
    const line = this.last("NAO");
    if (!line || line.spoken < 0) return false;
    line.spoken = Math.min(line.spoken + 1, line.text.split(/\s+/).length);
    return true;
  }

  /** Return the latest line by somebody. @param {Line["who"]} who */
  last(who) {
    return this.lines.findLast((line) => line.who === who);
  }

  /** @param {Line["who"]} who @param {string} text @param {number} time @param {number} [spoken] */
  add(who, text, time, spoken = -1) {
    /** @type {Line} */
    const line = { number: ++this.count, who, text: text.slice(0, MAX_LINE_LENGTH), time, spoken, note: "", words: {} };
    this.lines.push(line);
    if (this.lines.length > MAX_LINES) this.lines.shift();
    return line;
  }
}
