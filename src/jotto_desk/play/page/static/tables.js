// Mastermind and Wordle: a board, what it is filled with, and what is still possible. The game itself answers each act.
import { html, nothing, render } from "../lib/lit-html/lit-html.js";
import { language, t } from "../texts.js";
import { celebrate, drawBoard, drawKeyboard, drawLegend, drawTiles, makeKeys, NumberPad } from "./board.js";

/** Rows of a board that are there from the start. */
const ROWS = { wordle: 6, mastermind: 8 };

/** Return whether the player has found the word or code. @param {any} table */
const isWon = (table) => Boolean(table.is_over && !table.is_flipped && table.won !== false);

export class TableView {
  /** @param {HTMLElement} host @param {import("../link.js").Link} link @param {"mastermind" | "wordle"} name */
  constructor(host, link, name) {
    this.host = host;
    this.link = link;
    this.name = name;
    /** @type {any} */
    this.table = null;
    this.status = "";
    this.picked = "";
    this.shownRows = 0;
    /** Whether the last symbol came from the computer's keyboard. */
    this.hasTyped = false;
    /** The codes or words that fit. @type {{text: string, named: string[]} | null} */
    this.fitting = null;
    this.pad = new NumberPad(() => this.draw());
    this.key = (/** @type {KeyboardEvent} */ event) => this.takeKey(event);
    document.addEventListener("keydown", this.key);
    this.act("");
  }

  end() {
    document.removeEventListener("keydown", this.key);
  }

  /** @param {string} act @param {any} [value] */
  async act(act, value = "") {
    try {
      const told = await this.link.ask("page", { view: this.name, lang: language(), act, ...(value === "" ? {} : { value }) });
      const hasWon = isWon(told) && this.table && !isWon(this.table);
      this.table = told;
      if (hasWon) celebrate(this.host);
      this.status = "";
      this.picked = told.objections ?? "";
      this.fitting = told.fitting ?? null;
    } catch (error) {
      this.status = String(/** @type {Error} */ (error).message);
    }
    this.draw();
  }

  /** Ask before a game that has begun is thrown away. @param {string} act */
  restart(act) {
    const isRunning = this.table?.board.rows.length && !this.table.is_over;
    if (!isRunning) return this.act(act);
    const dialog = /** @type {HTMLDialogElement} */ (this.host.querySelector("dialog.ask"));
    dialog.onclose = () => {
      if (dialog.returnValue === "yes") this.act(act);
    };
    dialog.returnValue = "";
    dialog.showModal();
  }

  /** @param {KeyboardEvent} event */
  takeKey(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (!this.table || this.table.is_over || event.ctrlKey || event.metaKey || event.altKey || target.matches("input, textarea, select, dialog *")) return;
    if (event.key === "Enter" && (target.tagName !== "BUTTON" || this.hasTyped)) {
      this.hasTyped = false;
      this.act("judge");
    } else if (event.key === "Backspace") this.act("delete");
    else if (this.table.is_flipped && /^\d$/.test(event.key)) {
      this.pad.choose(this.pad.chosen[0] === null ? 0 : 1, Number(event.key), this.table.length, (score) => this.act("answer", score));
    } else if (/^[\p{L}\d]$/u.test(event.key) && !this.table.guess) {
      this.hasTyped = true;
      this.act("press", event.key.toLowerCase());
    } else return;
    event.preventDefault();
  }

  draw() {
    const table = this.table;
    if (!table) return render(html`<p class="loading" role="status">${this.status}</p>`, this.host);
    const isWordle = this.name === "wordle";
    const filled = table.board.rows.length + (table.open.length ? 1 : 0);
    const isFlipped = this.name === "mastermind" && table.is_flipped;
    render(html`<div class="table-game ${this.name}">
      <p class="sentence" role="status">${table.said}</p>
      <div class="table-board">${drawBoard(table.board, { pick: (guess) => this.act("objections", guess), open: table.open, fault: table.fault, isMarked: isWordle,
        emptyRows: table.is_over && !isWordle ? 0 : Math.max(0, ROWS[this.name] - filled), length: table.length })}
        ${isWordle || this.fitting ? nothing : drawLegend()}
        ${table.is_over && table.result ? html`<pre class="result">${table.result}</pre>` : nothing}</div>
      ${this.fitting ? html`<p class="faint">${this.fitting.text}</p><p class="fitting">${this.fitting.named.map(
        (word) => html`<button type="button" class="ghost slim" @click=${() => this.act("objections", word)}>${this.drawFitting(word)}</button>`)}</p>` : nothing}
      <p class="status" role="status">${this.status || this.picked}</p>
      ${table.is_over ? nothing : this.drawControls(table)}
      <div class="answers">
        ${table.is_over && table.result ? html`<button type="button" class="second" @click=${() => this.copy(table.result)}>${t("Copy the result")}</button>` : nothing}
        ${isFlipped && table.board.rows.length ? html`<button type="button" class="second slim" @click=${() => this.act("take_back")}>${t("Take the last answer back")}</button>` : nothing}
        ${this.name === "mastermind" && !table.is_flipped && !table.is_over ? html`<button type="button" class="second slim" @click=${() => this.restart("reveal")}>${t("Give up")}</button>` : nothing}
        <button type="button" class=${table.is_over ? "main" : "second slim"} @click=${() => this.restart("new")}>${t("New game")}</button>
        ${this.name === "mastermind" ? html`<button type="button" class="second slim" @click=${() => this.restart("flip")}>${t(table.is_flipped ? "You guess instead" : "Let the computer guess yours")}</button>` : nothing}
        <button type="button" class="ghost slim" aria-expanded=${this.fitting ? "true" : "false"} @click=${() => {
          if (this.fitting) this.fitting = null;
          else return this.act("fitting");
          this.draw();
        }}>${t("What is still possible?")}</button>
      </div>
      <dialog class="ask" aria-label=${t("New game")}><form method="dialog"><p>${t("Throw this game away?")}</p><div class="answers">
        <button class="main" value="yes">${t("Yes")}</button><button class="second" value="no">${t("No")}</button></div></form></dialog>
    </div>`, this.host);
    if (table.board.rows.length !== this.shownRows) {
      this.shownRows = table.board.rows.length;
      this.host.querySelector(".board tr.open, .board tr.scored:last-of-type")?.scrollIntoView({ block: "nearest" });
    }
  }

  /** Draw a code in its colours, or a word. @param {string} fitting */
  drawFitting(fitting) {
    if (this.name === "wordle") return fitting;
    const tiles = /** @type {import("./board.js").Tile[]} */ (this.table.symbols);
    return drawTiles([...fitting].map((symbol) => tiles.find((tile) => tile.symbol === symbol) ?? { symbol, look: "", said: symbol }));
  }

  /** Copy the result, to be shared. @param {string} result */
  async copy(result) {
    try {
      await navigator.clipboard.writeText(result);
      this.status = t("Copied.");
    } catch {
      this.status = t("This browser does not let the page copy: mark the result and copy it.");
    }
    this.draw();
  }

  /** @param {any} table */
  drawControls(table) {
    if (this.name === "wordle") {
      return drawKeyboard(makeKeys(table.keyboard, table.board.letters), { press: (letter) => this.act("press", letter.toLowerCase()),
        enter: () => this.act("judge"), remove: () => this.act("delete"), enterName: t("Guess") });
    }
    if (table.is_flipped) return this.pad.draw(table.pairs, table.length, (score) => this.act("answer", score));
    return html`<div class="code-keys" role="group" aria-label=${t("Colours and symbols")}>${table.symbols.map(
      (/** @type {import("./board.js").Tile} */ tile) => html`<button type="button" class="code-key" aria-label=${tile.said}
        @click=${() => this.act("press", tile.symbol.toLowerCase())}>${drawTiles([tile])}<span aria-hidden="true">${tile.look ? tile.said : nothing}</span></button>`)}</div>
      <div class="answers"><button type="button" class="main" @click=${() => this.act("judge")}>${t("Guess")}</button>
        <button type="button" class="second" aria-label=${t("Delete the last one")} @click=${() => this.act("delete")}>⌫</button></div>`;
  }
}
