// Guesses and secrets in capitals, also in NAO's sentences in the talk of every view.
import { language } from "../texts.js";

/** Sentences that are remembered. */
const MAX_SENTENCES = 500;

/** Return a text in capitals; each letter stays one. @param {string} text */
export const capitalise = (text) => text.replaceAll("ß", "ẞ").toLocaleUpperCase(language());

/** Have a stage show guesses and secrets in capitals; the robot's side knows which words these are.
 * @param {import("../stage.js").Stage} stage */
export function showCapitals(stage) {
  if (stage.hasCapitals) return;
  stage.hasCapitals = true;
  /** The shown sentence for each one of NAO. @type {Map<string, string>} */
  const shown = new Map();
  stage.capitalise = (line) => shown.get(line.text) ?? line.text;
  const ask = async (/** @type {string} */ text) => {
    shown.set(text, text);
    if (shown.size > MAX_SENTENCES) shown.delete(/** @type {string} */ (shown.keys().next().value));
    try {
      const told = await stage.link.ask("page", { view: "capitals", text });
      shown.set(text, told?.text || text);
      stage.tell("capitals");
    } catch {
      // A robot that is gone knows no words; the sentence stays as it is.
    }
  };
  const askAll = () => {
    for (const { who, text } of stage.talk.lines) if (who === "NAO" && text.trim() && !shown.has(text)) ask(text);
  };
  stage.onChange(askAll);
  askAll();
}
