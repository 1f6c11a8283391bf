// Jotto with NAO: NAO, its sentence, the answers to tap, and the board. Everything is read from the robot's own notes.
import { html, nothing, render } from "../lib/lit-html/lit-html.js";
import { language, t } from "../texts.js";
import { drawBoard, drawKeyboard, drawLegend, drawLetters, drawNumbers, drawPegs, drawTiles, makeKeys, NumberPad } from "./board.js";

/** @typedef {{label: string, phrase: string, meaning: string, main: boolean}} Answer */
/** @typedef {{moment: any, runs: boolean, over: boolean, won: string, language: string, role: string, role_text: string,
 *   level_text: string, question: {kind: string, text: string, guess: string, answers: Answer[], commands: Answer[],
 *   pairs: [number, number][], numbers: number[], length: number}, spelled: string, boards: import("./board.js").Board[], keyboard: string[],
 *   secret: string}} Game */

const READ_PAUSE_MS = 60;
const CONFETTI = 40;

export class GameView {
  /** @param {HTMLElement} host @param {import("../stage.js").Stage} stage */
  constructor(host, stage) {
    this.host = host;
    this.stage = stage;
    this.link = stage.link;
    /** @type {Game | null} */
    this.game = null;
    this.pad = new NumberPad(() => this.draw());
    this.entry = "";
    this.status = "";
    this.why = "";
    /** @type {{[name: string]: any} | null} */
    this.statistics = null;
    this.reading = 0;
    this.shownRows = 0;
    this.key = (/** @type {KeyboardEvent} */ event) => this.takeKey(event);
    document.addEventListener("keydown", this.key);
    this.stopListening = stage.onChange((happened) => {
      if (happened !== "word" && happened !== "microphone") this.readSoon();
      this.draw();
    });
    this.link.ask("page", { view: "patience", waiting: true }).catch(() => {});
    this.readSoon();
  }

  end() {
    document.removeEventListener("keydown", this.key);
    this.stopListening();
    clearTimeout(this.reading);
    this.link.ask("page", { view: "patience", waiting: false }).catch(() => {});
  }

  readSoon() {
    if (this.reading) return;
    this.reading = window.setTimeout(async () => {
      this.reading = 0;
      await this.read();
    }, READ_PAUSE_MS);
  }

  async read() {
    try {
      const before = this.game;
      this.game = await this.link.ask("page", { view: "game", lang: language() });
      const moment = JSON.stringify(this.game?.moment);
      if (moment !== JSON.stringify(before?.moment)) {
        this.status = "";
        this.why = "";
        if (this.game?.question.kind !== "two-numbers") this.pad.clear();
        if (this.game?.question.kind !== "word") this.entry = "";
        if (this.game?.won && !before?.won) celebrate(this.host);
      }
    } catch (error) {
      this.status = String(/** @type {Error} */ (error).message);
    }
    this.draw();
  }

  /** Tell NAO an answer by what it means. @param {{[name: string]: any}} answer */
  async tap(answer) {
    if (!this.game) return;
    this.status = "";
    try {
      const told = await this.link.ask("page", { view: "tap", lang: language(), moment: this.game.moment, ...answer });
      if (told?.remark) this.status = told.remark;
    } catch (error) {
      this.status = String(/** @type {Error} */ (error).message);
    }
    this.readSoon();
    this.draw();
  }

  guess() {
    const word = this.entry.trim();
    if (!word) return;
    this.entry = "";
    this.tap({ word });
  }

  /** @param {string} letter */
  press(letter) {
    if (this.entry.length < (this.game?.question.length ?? 5)) this.entry += letter;
    this.draw();
  }

  remove() {
    this.entry = this.entry.slice(0, -1);
    this.draw();
  }

  /** The computer's keyboard works at once: letters, digits, Enter. @param {KeyboardEvent} event */
  takeKey(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (!this.game || event.ctrlKey || event.metaKey || event.altKey || target.matches("input, textarea, select, dialog *")) return;
    const { kind, pairs, numbers, length, answers } = this.game.question;
    if (kind === "word") {
      if (event.key === "Enter" && target.tagName !== "BUTTON") this.guess();
      else if (event.key === "Backspace") this.remove();
      else if (/^\p{L}$/u.test(event.key)) this.press(event.key.toLocaleUpperCase(language()));
      else return;
    } else if (kind === "two-numbers" && /^\d$/.test(event.key) && Number(event.key) <= length) {
      const place = this.pad.chosen[0] === null ? 0 : 1, number = Number(event.key);
      const other = this.pad.chosen[0];
      if (!pairs.some((pair) => pair[place] === number && (place === 0 || pair[0] === other))) return;
      this.pad.choose(place, number, length, (score) => this.tap({ score }));
    } else if (kind === "one-number" && /^\d$/.test(event.key) && numbers.includes(Number(event.key))) {
      this.tap({ number: Number(event.key) });
    } else if (kind === "choice") {
      const meaning = { y: "yes", n: "no" }[event.key];
      const answer = answers.find((each) => each.meaning === meaning);
      if (!answer) return;
      this.tap({ phrase: answer.phrase });
    } else return;
    event.preventDefault();
  }

  async askWhy() {
    try {
      this.why = (await this.link.ask("page", { view: "why" }))?.text ?? "";
    } catch (error) {
      this.why = String(/** @type {Error} */ (error).message);
    }
    this.draw();
  }

  /** @param {string} word @param {number} [board] */
  async askObjections(word, board = 0) {
    try {
      this.why = (await this.link.ask("page", { view: "objections", word, board }))?.text ?? "";
    } catch (error) {
      this.why = String(/** @type {Error} */ (error).message);
    }
    this.draw();
  }

  async showStatistics() {
    try {
      this.statistics = await this.link.ask("page", { view: "statistics", lang: language() });
    } catch (error) {
      this.statistics = { text: String(/** @type {Error} */ (error).message) };
    }
    this.draw();
    /** @type {HTMLDialogElement | null} */ (this.host.querySelector(".statistics"))?.showModal();
  }

  draw() {
    const game = this.game;
    render(html`
      <div class="play ${game?.question.kind === "word" ? "has-keyboard" : ""}">
        <section class="stage-area" aria-label="NAO">${this.stage.element}</section>
        <section class="task-area" aria-label=${t("Your answer")}>
          <p class="sentence" aria-live="polite">${this.sentence()}</p>
          ${game ? this.drawTask(game) : nothing}
          <p class="status" role="status">${this.status || this.stage.status()}</p>
          ${this.drawTyping(game)}
        </section>
        <section class="board-area" aria-label=${t("Game")}>
          <div class="board-head"><span class="faint">${game && game.role_text ? t("{role}. Level: {level}.", { role: game.role_text, level: game.level_text }) : nothing}</span>
            <button type="button" class="ghost slim" @click=${() => showHelp(this.host)}>${t("How to play")}</button>
            <button type="button" class="ghost slim" @click=${() => this.showStatistics()}>${t("Your games so far")}</button></div>
          <div class="boards">${game?.boards.map((board, at) => html`<div>${drawBoard(board, { pick: (word) => this.askObjections(word, at) })}${drawLetters(board)}</div>`)}
            ${game && !game.boards.some((board) => board.rows.length) ? html`<div class="hint">${drawExamples()}</div>` : nothing}</div>
          ${this.why ? html`<p class="why" role="status">${this.why}</p>` : nothing}
          ${game?.boards.some((board) => board.rows.length) ? html`${drawLegend()}<button type="button" class="ghost slim" @click=${() => this.askWhy()}>${t("Why?")}</button>` : nothing}
          <details class="said"><summary>${t("The talk")}</summary>${this.stage.drawTalk()}</details>
        </section>
        <dialog class="help" aria-label=${t("How to play")}>${drawExamples()}<form method="dialog"><button class="main">${t("OK")}</button></form></dialog>
        <dialog class="statistics" aria-label=${t("Your games so far")}>${this.drawStatistics()}<form method="dialog"><button class="main">${t("OK")}</button></form></dialog>
      </div>`, this.host);
    this.showLastRow();
  }

  /** Keep the newest guess in sight, where the board is longer than its place. */
  showLastRow() {
    const rows = (this.game?.boards ?? []).reduce((sum, board) => sum + board.rows.length, 0);
    if (rows === this.shownRows) return;
    this.shownRows = rows;
    this.host.querySelector(".board tbody tr:last-child")?.scrollIntoView({ block: "nearest" });
  }

  sentence() {
    const line = this.stage.talk.last("NAO");
    if (this.stage.talk.isSpeaking && line) return this.stage.drawWords(line, capitals(this.game));
    if (this.game?.question.text) return this.game.question.text;
    return line ? this.stage.drawWords(line, capitals(this.game)) : t("NAO is getting up.");
  }

  /** @param {Game} game */
  drawTask(game) {
    const { kind, pairs, numbers, length, answers } = game.question;
    const large = answers.filter((answer) => answer.main), small = answers.filter((answer) => !answer.main);
    const button = (/** @type {Answer} */ answer, /** @type {string} */ look) => html`<button type="button" class=${look}
      @click=${() => this.tap(answer.meaning === "again" ? { meaning: "again" } : { phrase: answer.phrase })}>${answer.label}</button>`;
    return html`
      ${kind === "two-numbers" ? this.pad.draw(pairs, length, (score) => this.tap({ score })) : nothing}
      ${kind === "one-number" ? drawNumbers(length, numbers, (number) => this.tap({ number })) : nothing}
      ${kind === "word" ? html`
        <div class="entry">${drawTiles(Array.from({ length }, (_, at) => {
          const symbol = (this.entry || game.spelled)[at] ?? "";
          return { symbol, look: symbol ? "" : "empty", said: "" };
        }))}</div>
        ${drawKeyboard(makeKeys(game.keyboard, game.role === "breaker" ? [] : game.boards[0]?.letters ?? []), { press: (letter) => this.press(letter),
          enter: () => this.guess(), remove: () => this.remove(), enterName: t("Guess") })}` : nothing}
      ${large.length ? html`<div class="answers">${large.map((answer) => button(answer, "main"))}</div>` : nothing}
      ${small.length ? html`<div class="answers">${small.map((answer) => button(answer, "second slim"))}</div>` : nothing}`;
  }

  /** The field for those who type or speak. @param {Game | null} game */
  drawTyping(game) {
    const send = (/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      const field = /** @type {HTMLInputElement} */ (/** @type {HTMLFormElement} */ (event.target).elements.namedItem("line"));
      const line = field.value.trim();
      field.value = "";
      if (line) this.tap({ phrase: line });
    };
    return html`<form class="typing" @submit=${send}>
      <input name="line" maxlength="200" autocomplete="off" autocapitalize="off" spellcheck="false"
        aria-label=${t("Say something to NAO")} placeholder=${t("Say something to NAO")}>
      ${this.stage.microphone?.draw() ?? nothing}
      <button class="second slim">${t("Say")}</button>
      ${game?.question.commands.length ? html`<details class="commands"><summary class="second slim">${t("More")}</summary>
        <div class="menu">${game.question.commands.map((command) => html`<button type="button" class="ghost slim"
          @click=${(/** @type {Event} */ event) => {
            /** @type {HTMLElement} */ (event.target).closest("details")?.removeAttribute("open");
            this.tap({ phrase: command.phrase });
          }}>${command.label}</button>`)}</div></details>` : nothing}
    </form>`;
  }

  drawStatistics() {
    const told = this.statistics;
    if (!told) return nothing;
    return html`<h2>${t("Your games so far")}</h2>${told.text ? html`<p>${told.text}</p>` : nothing}
      ${(told.groups ?? []).map((/** @type {any} */ group) => html`<h3>${group.role_text}, ${group.level_text}</h3>
        <p class="faint">${group.sentences.join("; ")}.</p>
        ${group.bars.map((/** @type {any} */ bar) => html`<div class="stats-bar"><span>${bar.label}</span>
          <meter min="0" max=${Math.max(...group.bars.map((/** @type {any} */ each) => each.count))} value=${bar.count}></meter><span>${bar.count}</span></div>`)}`)}`;
  }
}

/** Return the words that the page shows in capitals: guesses. @param {Game | null} game */
function capitals(game) {
  const words = new Set();
  for (const board of game?.boards ?? []) for (const row of board.rows) words.add(row.tiles.map((tile) => tile.symbol).join("").toLowerCase());
  if (game?.question.guess) words.add(game.question.guess.toLowerCase());
  return words;
}

/** @param {HTMLElement} host */
function showHelp(host) {
  /** @type {HTMLDialogElement | null} */ (host.querySelector("dialog.help"))?.showModal();
}

/** Three examples in colours: the secret word is OCEAN. */
function drawExamples() {
  const example = (/** @type {string} */ word, /** @type {string[]} */ looks, /** @type {string} */ said) => html`<div class="example">
    ${drawTiles([...word].map((symbol, at) => ({ symbol, look: looks[at], said: "" })))}<span>${drawPegs(looks.filter((look) => look !== "neither"))}${said}</span></div>`;
  const [P, E, N] = ["in-place", "elsewhere", "neither"];
  return html`<h2>${t("How to play")}</h2>
    <p>${t("Think of a word with five different letters. NAO guesses; you say how many letters are right.")}</p>
    <p class="faint">${t("If your word is OCEAN:")}</p>
    ${example("MONEY", [N, E, E, E, N], t("0 in the right place, 3 in the wrong place"))}
    ${example("CLEAN", [E, N, P, P, P], t("3 in the right place, 1 in the wrong place"))}
    ${example("OCEAN", [P, P, P, P, P], t("5 in the right place: NAO has found it!"))}`;
}

/** Let coloured paper fall after a win. @param {HTMLElement} host */
function celebrate(host) {
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
