// Boards of guesses, the letters that are certain, number pads and keyboards, drawn from plain values.
import { html, nothing } from "../lib/lit-html/lit-html.js";
import { t } from "../texts.js";

/** @typedef {{symbol: string, look: string, said: string}} Tile */
/** @typedef {{number: number, tiles: Tile[], pegs: string[], score: string}} Row */
/** @typedef {{title: string, rows: Row[], letters: [string, string][], places: string, remarks: string[]}} Board */

const CONFETTI = 60;
const LETTERS_SAID = /** @type {{[state: string]: string}} */ ({
  "in": "in the word", "in-place": "in the right place", "elsewhere": "in the wrong place", "neither": "not in the word",
});

/** Draw pegs: a filled square is in place, a ring elsewhere, a dot neither. @param {string[]} pegs */
export const drawPegs = (pegs) => html`<span class="pegs" aria-hidden="true">${pegs.map(
  (peg) => html`<span class="peg peg-${peg}"></span>`)}</span>`;

/** Draw the symbols of a guess. @param {Tile[]} tiles */
export const drawTiles = (tiles) => html`<span class="tiles" role="img"
  aria-label=${tiles.map((tile) => tile.said || tile.symbol).join(tiles.some((tile) => tile.said) ? ", " : "") || t("Guess")}
  >${tiles.map((tile) => html`<span class="tile tile-${tile.look || "plain"}" aria-hidden="true">${tile.symbol}</span>`)}</span>`;

/** Draw a board; `pick` is called with a guess that was clicked, `open` is the row that is being filled.
 * @param {Board} board @param {{pick?: (guess: string) => void, open?: Tile[], fault?: string, emptyRows?: number,
 * length?: number, isMarked?: boolean}} [options] `isMarked`: the looks of the tiles are the score; `fault`: why the open row does not count */
export function drawBoard(board, { pick, open = [], fault = "", emptyRows = 0, length = 5, isMarked = false } = {}) {
  const guess = (/** @type {Row} */ row) => row.tiles.map((tile) => tile.symbol).join("");
  return html`<table class="board">
    <caption>${board.title}</caption>
    <thead class="unseen"><tr><th scope="col">${t("Number")}</th><th scope="col">${t("Guess")}</th><th scope="col">${t("Score")}</th></tr></thead>
    <tbody>
      ${board.rows.map((row) => html`<tr class="${row.pegs.length || (isMarked && row.tiles.some((tile) => tile.look)) ? "scored" : "asked"} ${
        row.pegs.length === row.tiles.length && row.pegs.every((peg) => peg === "in-place") && !row.tiles.some((tile) => tile.look) ? "row-won" : ""}">
        <th scope="row">${row.number}</th>
        <td>${pick ? html`<button type="button" class="guess" title=${t("Could it be this one?")}
          aria-label=${t("{guess}: could it be this one?", { guess: guess(row) })}
          @click=${() => pick(guess(row))}>${drawTiles(row.tiles)}</button>` : drawTiles(row.tiles)}</td>
        <td class="score"><div>${drawPegs(row.pegs)}<span class="score-said">${row.score}</span></div></td></tr>`)}
      ${open.length ? html`<tr class="open ${fault ? "shake" : ""}"><th scope="row">${board.rows.length + 1}</th><td>${drawTiles(open)}</td><td></td></tr>` : nothing}
      ${fault ? html`<tr><td></td><td colspan="2"><p class="refused" role="alert">${fault}</p></td></tr>` : nothing}
      ${Array.from({ length: emptyRows }, () => html`<tr aria-hidden="true"><th></th><td><span class="tiles">${Array.from(
        { length }, () => html`<span class="tile tile-empty"></span>`)}</span></td><td></td></tr>`)}
    </tbody></table>
    ${board.remarks.map((remark) => html`<p class="remark">${remark}</p>`)}`;
}

/** Draw what is certain of each letter. @param {Board} board */
export function drawLetters(board) {
  if (!board.letters.some(([, state]) => state !== "open")) return nothing;
  return html`<ul class="letters" aria-label=${t("Letters: what you know for sure")}>${board.letters.map(([letter, state]) =>
    html`<li class="letter letter-${state}">${letter}${LETTERS_SAID[state] ? html`<span class="unseen"> ${t(LETTERS_SAID[state])}</span>` : nothing}</li>`)}</ul>
    ${board.places ? html`<p class="places">${t("By place: {places}", { places: [...board.places].join(" ") })}</p>` : nothing}`;
}

/** Draw the legend of the pegs. */
export const drawLegend = () => html`<p class="faint legend">
  <span>${drawPegs(["in-place"])}${t("in the right place")}</span><span>${drawPegs(["elsewhere"])}${t("in the wrong place")}</span></p>`;

/** Two rows of numbers; both together are an answer. Numbers that cannot go with the chosen one are grey. */
export class NumberPad {
  /** @param {() => void} redraw */
  constructor(redraw) {
    this.redraw = redraw;
    /** @type {[number | null, number | null]} */
    this.chosen = [null, null];
  }

  clear() {
    this.chosen = [null, null];
  }

  /** @param {0 | 1} place @param {number} number @param {number} length @param {(score: [number, number]) => void} say */
  choose(place, number, length, say) {
    this.chosen[place] = this.chosen[place] === number ? null : number;
    const [exact, elsewhere] = this.chosen;
    const isWhole = exact !== null && (elsewhere !== null || exact === length);
    if (isWhole) {
      this.clear();
      say([exact, elsewhere ?? 0]);
    }
    this.redraw();
  }

  /** @param {[number, number][]} pairs @param {number} length @param {(score: [number, number]) => void} say */
  draw(pairs, length, say) {
    const isPossible = (/** @type {0 | 1} */ place, /** @type {number} */ number) => {
      const other = this.chosen[1 - place];
      return pairs.some((pair) => pair[place] === number && (other === null || pair[1 - place] === other));
    };
    const row = (/** @type {0 | 1} */ place, /** @type {string} */ name, /** @type {string} */ peg) => html`
      <div class="numbers" role="group" aria-label=${name}>
        <span class="numbers-name" aria-hidden="true">${drawPegs([peg])}${name}</span>
        ${Array.from({ length: length + 1 }, (_, number) => html`<button type="button" class="second number"
          aria-label="${name}: ${number}" aria-pressed=${this.chosen[place] === number ? "true" : "false"}
          ?disabled=${!isPossible(place, number)} @click=${() => this.choose(place, number, length, say)}>${number}</button>`)}
      </div>`;
    return html`<div class="pad">${row(0, t("In the right place"), "in-place")}${row(1, t("In the wrong place"), "elsewhere")}</div>`;
  }
}

/** Draw one row of numbers; those that cannot be are grey.
 * @param {number} most @param {number[]} possible @param {(number: number) => void} say */
export const drawNumbers = (most, possible, say) => html`<div class="pad"><div class="numbers" role="group" aria-label=${t("How many")}>
  <span class="numbers-name" aria-hidden="true">${t("How many")}</span>${Array.from({ length: most + 1 }, (_, number) => html`
  <button type="button" class="second number" aria-label="${t("How many")}: ${number}" ?disabled=${!possible.includes(number)}
    @click=${() => say(number)}>${number}</button>`)}</div></div>`;

/** Draw a keyboard; a key has the look of what is certain of its letter.
 * @param {Tile[][]} rows @param {{press: (letter: string) => void, enter: () => void, remove: () => void,
 * enterName: string}} keys */
export function drawKeyboard(rows, { press, enter, remove, enterName }) {
  const key = (/** @type {Tile} */ { symbol, look, said }) => html`<button type="button" class="key letter-${look || "open"}"
    aria-label=${said || symbol} @click=${() => press(symbol)}>${symbol}</button>`;
  return html`<div class="keyboard" role="group" aria-label=${t("Letters")}>${rows.map((row, at) => html`<div class="keys">
    ${at === rows.length - 1 ? html`<button type="button" class="key wide" @click=${enter}>${enterName}</button>` : nothing}
    ${row.map(key)}
    ${at === rows.length - 1 ? html`<button type="button" class="key wide" aria-label=${t("Delete the last letter")} @click=${remove}>⌫</button>` : nothing}
  </div>`)}</div>`;
}

/** Return the keys of a keyboard with what is certain of each letter. @param {string[]} rows @param {[string, string][]} letters
 * @returns {Tile[][]} */
export function makeKeys(rows, letters) {
  const states = Object.fromEntries(letters);
  return rows.map((row) => [...row].map((symbol) => {
    const look = states[symbol] ?? "open", said = LETTERS_SAID[look];
    return { symbol, look, said: said ? `${symbol}, ${t(said)}` : symbol };
  }));
}

/** Let coloured paper fall after a win. @param {HTMLElement} host */
export function celebrate(host) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const shower = document.createElement("div");
  shower.className = "confetti";
  shower.setAttribute("aria-hidden", "true");
  for (let at = 0; at < CONFETTI; at++) {
    const piece = document.createElement("span");
    piece.style.setProperty("--x", `${Math.random() * 100}%`);
    piece.style.setProperty("--delay", `${Math.random() * 0.8}s`);
    piece.style.setProperty("--hue", `${Math.floor(Math.random() * 360)}`);
    shower.append(piece);
  }
  host.append(shower);
  setTimeout(() => shower.remove(), 4500);
}
