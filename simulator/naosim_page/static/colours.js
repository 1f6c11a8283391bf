// Colours for Python in a script: comments, texts, keywords, names of definitions and numbers.

const KEYWORDS = new Set(("False None True and as assert async await break class continue def del elif else except exec finally for from " +
  "global if import in is lambda nonlocal not or pass print raise return try while with yield").split(" "));
// A text that does not end is one up to the end of its line, or with three quotes up to the end of the script.
const TOKEN = new RegExp([
  /(?<comment>#[^\n]*)/,
  /(?:(?<!\w)[bfru]{1,2})?(?:"""(?:\\[^]|[^\\])*?(?:"""|\\?$)|'''(?:\\[^]|[^\\])*?(?:'''|\\?$))/,
  /(?:(?<!\w)[bfru]{1,2})?(?:"(?:[^"\\\n]|\\[^])*"?|'(?:[^'\\\n]|\\[^])*'?)/,
  /(?<number>\b(?:0[xob][\da-f_]+|\d[\d_]*(?:\.\d*)?(?:e[+-]?\d+)?)[lj]?\b)/,
  /(?<word>[^\W\d]\w*)/,
].map(({ source }) => source).join("|"), "giu");

/** Split a script into pieces with the names of their colours, "" for none; together they are the script.
 * @param {string} script @returns {[string, string][]} */
export function splitPython(script) {
  /** @type {[string, string][]} */
  const pieces = [];
  let end = 0, before = "";
  const add = (/** @type {string} */ text, colour = "") => {
    const last = pieces.at(-1);
    if (last?.[1] === colour) last[0] += text;
    else if (text) pieces.push([text, colour]);
  };
  for (const found of script.matchAll(TOKEN)) {
    const [text] = found, { comment, number, word } = found.groups ?? {};
    add(script.slice(end, found.index));
    end = found.index + text.length;
    if (word) {
      const isName = before === "def" || before === "class";
      add(text, KEYWORDS.has(text) ? "keyword" : isName ? "name" : text === "self" ? "self" : "");
    } else add(text, comment ? "comment" : number ? "number" : "text");
    before = word ?? "";
  }
  add(script.slice(end));
  return pieces;
}
