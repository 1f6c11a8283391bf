// The page's texts in the language of the visitor; a text without a translation stays English.

/** @type {{[english: string]: string}} */
let table = {};
let current = "en";

/** Use the texts of a language from now on. @param {string} language @param {{[english: string]: string}} texts */
export function setTexts(language, texts) {
  current = language;
  table = texts;
  document.documentElement.lang = language;
}

/** Return the language of the texts. */
export const language = () => current;

/** Return a text in the visitor's language, with values for its {names}.
 * @param {string} english @param {{[name: string]: any}} [values] */
export function t(english, values = {}) {
  const text = table[english] ?? english;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}
