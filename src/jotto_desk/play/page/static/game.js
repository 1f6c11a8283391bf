// Jotto with NAO: NAO, its sentence, the answers to tap, and the board. Everything is read from the robot's own notes.
import { html, nothing, render } from "../lib/lit-html/lit-html.js";
import { language, t } from "../texts.js";
import { celebrate, drawBoard, drawKeyboard, drawLegend, drawLetters, drawNumbers, drawPegs, drawTiles, makeKeys, NumberPad } from "./board.js";
import { capitalise, showCapitals } from "./capitals.js";

/** @typedef {{label: string, phrase: string, meaning: string, main: boolean, note: string, group: string, is_on: boolean}} Answer */
/** @typedef {{moment: any, runs: boolean, over: boolean, won: string, language: string, role: string, role_text: string,
 *   level_text: string, question: {kind: string, text: string, guess: string, answers: Answer[], commands: Answer[],
 *   pairs: [number, number][], numbers: number[], length: number}, has_reason: boolean, spelled: string, boards: import("./board.js").Board[], keyboard: string[],
 *   secret: string}} Game */

const READ_PAUSE_MS = 60;
const MAX_NOTEBOOK_BYTES = 20_000_000;
/** Characters of a sentence that is shown in smaller letters. */
const LONG_SENTENCE = 60;
/** Matches windows in which only a short text fits into the field for typing. */
const narrow = matchMedia("(max-width: 1000px)");

export class GameView {
  /** @param {HTMLElement} host @param {import("../stage.js").Stage} stage */
  constructor(host, stage) {
    this.host = host;
    this.stage = stage;
    this.link = stage.link;
    stage.hear = (phrase) => this.tap({ phrase });
    showCapitals(stage);
    /** @type {Game | null} */
    this.game = null;
    this.pad = new NumberPad(() => this.draw());
    this.entry = "";
    /** Whether the entry's last letter came from the computer's keyboard. */
    this.hasTyped = false;
    this.status = "";
    /** A guess that does not count, which stays on the tiles, and the reason. */
    this.refused = { word: "", reason: "" };
    this.why = "";
    /** @type {{[name: string]: any} | null} */
    this.statistics = null;
    /** What has become of the notebook, and whether it is to be deleted at the next press. */
    this.told = "";
    this.isSure = false;
    this.reading = 0;
    /** The rows of each board that were drawn last. @type {number[]} */
    this.shownRows = [];
    this.key = (/** @type {KeyboardEvent} */ event) => this.takeKey(event);
    document.addEventListener("keydown", this.key);
    this.resize = () => {
      this.shownRows = [];
      this.draw();
    };
    window.addEventListener("resize", this.resize);
    this.stopListening = stage.onChange((happened) => {
      if (happened !== "word" && happened !== "microphone") this.readSoon();
      this.draw();
    });
    this.link.ask("page", { view: "patience", waiting: true }).catch(() => {});
    this.readSoon();
  }

  end() {
    document.removeEventListener("keydown", this.key);
    window.removeEventListener("resize", this.resize);
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
      this.stage.speech.code = this.game?.language ?? "";
      const moment = JSON.stringify(this.game?.moment);
      if (moment !== JSON.stringify(before?.moment)) {
        this.status = "";
        this.forgetRefused();
        this.why = "";
        if (this.game?.question.kind !== "two-numbers") this.pad.clear();
        if (this.game?.question.kind !== "word") this.entry = "";
        if (before && this.game?.won && !before.won) celebrate(this.host);
      }
    } catch (error) {
      this.status = String(/** @type {Error} */ (error).message);
    }
    this.draw();
  }

  /** Tell NAO an answer by what it means. @param {{[name: string]: any}} answer */
  async tap(answer) {
    if (!this.game) return false;
    let isTaken = false;
    this.status = "";
    this.forgetRefused();
    this.stage.speech.cut();
    try {
      const told = await this.link.ask("page", { view: "tap", lang: language(), moment: this.game.moment, ...answer });
      isTaken = !told?.remark && !told?.late;
      if (told?.remark && answer.word && !told.waits) this.refused = { word: capitalise(answer.word), reason: told.remark };
      else if (told?.remark) this.status = told.remark;
    } catch (error) {
      this.status = String(/** @type {Error} */ (error).message);
    }
    this.readSoon();
    this.draw();
    return isTaken;
  }

  /** @param {Answer} answer */
  answer(answer) {
    this.tap(answer.meaning === "again" ? { meaning: "again" } : { phrase: answer.phrase });
  }

  guess() {
    const word = this.entry.trim();
    this.hasTyped = false;
    if (!word) return;
    this.entry = "";
    this.tap({ word });
  }

  forgetRefused() {
    this.refused = { word: "", reason: "" };
  }

  /** @param {string} letter */
  press(letter) {
    this.hasTyped = false;
    this.forgetRefused();
    if (this.entry.length < (this.game?.question.length ?? 5)) this.entry += letter;
    this.draw();
  }

  remove() {
    // A refused guess can be changed.
    this.entry = (this.entry || this.refused.word).slice(0, -1);
    this.forgetRefused();
    this.draw();
  }

  /** The computer's keyboard works at once: letters, digits, Enter. @param {KeyboardEvent} event */
  takeKey(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (!this.game || event.ctrlKey || event.metaKey || event.altKey || target.matches("input, textarea, select, dialog *")) return;
    const { kind, pairs, numbers, length, answers } = this.game.question;
    if (kind === "word") {
      if (event.key === "Enter" && (target.tagName !== "BUTTON" || this.hasTyped)) this.guess();
      else if (event.key === "Backspace") this.remove();
      else if (/^\p{L}$/u.test(event.key)) {
        this.press(capitalise(event.key));
        // Enter sends what was typed, whichever key of the page was used last.
        this.hasTyped = true;
      } else return;
    } else if (kind === "two-numbers" && event.key === "Backspace") {
      this.pad.clear();
      this.draw();
    } else if (kind === "two-numbers" && /^\d$/.test(event.key) && Number(event.key) <= length) {
      const place = this.pad.chosen[0] === null ? 0 : 1, number = Number(event.key);
      const other = this.pad.chosen[0];
      if (!pairs.some((pair) => pair[place] === number && (place === 0 || pair[0] === other))) return;
      this.pad.choose(place, number, length, (score) => this.tap({ score }));
    } else if (kind === "one-number" && /^\d$/.test(event.key) && numbers.includes(Number(event.key))) {
      this.tap({ number: Number(event.key) });
    } else if (kind === "choice") {
      const meaning = { y: "yes", n: "no" }[event.key];
      const answer = answers.find((each) => each.meaning === meaning) ?? answers.filter((each) => each.main)[Number(event.key) - 1];
      if (!answer) return;
      this.answer(answer);
    } else return;
    event.preventDefault();
  }

  async askWhy() {
    try {
      this.why = (await this.link.ask("page", { view: "why", lang: language() }))?.text ?? "";
    } catch (error) {
      this.why = String(/** @type {Error} */ (error).message);
    }
    this.draw();
  }

  /** @param {string} word @param {number} [board] */
  async askObjections(word, board = 0) {
    try {
      this.why = (await this.link.ask("page", { view: "objections", lang: language(), word, board }))?.text ?? "";
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
    const dialog = /** @type {HTMLDialogElement | null} */ (this.host.querySelector("dialog.statistics"));
    if (dialog && !dialog.open) {
      this.told = "";
      this.isSure = false;
      this.draw();
      dialog.showModal();
    }
  }

  draw() {
    const game = this.game, boards = game?.boards ?? [];
    const hasRows = boards.some((board) => board.rows.length);
    const task = this.host.querySelector(".task-area");
    const wasInTask = Boolean(task?.contains(document.activeElement));
    const sentence = this.sentence(), isSite = "notebook" in this.link;
    render(html`
      <div class="play ${game?.question.kind === "word" ? "has-keyboard" : ""} ${game?.role === "race" ? "race" : ""}">
        <section class="stage-area" aria-label="NAO">${this.stage.element}
          ${isSite && !hasRows ? html`<div class="first-doors"><h2>${t("Play with NAO")}</h2>
            <a href="#inside" title=${t("Your Choregraphe file, or an example.")}>${t("Run your behaviour")}</a></div>` : nothing}</section>
        <section class="task-area" tabindex="-1" aria-label=${t("Your answer")}>
          <p class="sentence ${sentence.length > LONG_SENTENCE ? "long" : ""}" aria-live="polite">${sentence.shown}</p>
          ${game ? this.drawTask(game) : nothing}
          <p class="status ${this.status ? "told" : ""}" role="status"><span class="ear ${this.stage.ears.engine && !this.link.gone ? "ear-open" : ""}" aria-hidden="true"></span><span>${this.status || this.stage.status()}</span></p>
          ${this.drawTyping(game)}
        </section>
        <section class="board-area" aria-label=${t("Game")}>
          <div class="board-head"><span class="faint">${game && game.role_text ? t("{role}. Level: {level}.", { role: game.role_text, level: game.level_text }) : nothing}</span>
            <button type="button" class="ghost slim" @click=${() => showDialog(this.host, "help")}>${t("How to play")}</button>
            <button type="button" class="ghost slim" @click=${() => this.showStatistics()}>${t("Your games so far")}</button></div>
          ${this.drawEnd(game)}
          <div class="boards ${boards.length > 1 ? "two" : ""}">${boards.map((board, at) => html`<div>${drawBoard(removeLoss(board, game), { pick: (word) => this.askObjections(word, at) })}${drawLetters(board)}</div>`)}
            ${hasRows ? nothing : html`<div class="hint">${drawExamples(game?.role ?? "")}</div>`}</div>
          ${this.why ? html`<p class="why" role="status">${this.why}</p>` : nothing}
          ${hasRows ? drawLegend() : nothing}
          ${game?.has_reason ? html`<button type="button" class="ghost slim" @click=${() => this.askWhy()}>${t("Why?")}</button>` : nothing}
          <details class="said" ?open=${matchMedia("(min-width: 1600px) and (min-height: 900px)").matches}><summary>${t("The talk")}</summary>${this.stage.drawTalk()}</details>
        </section>
        <dialog class="help" aria-label=${t("How to play")}>${drawExamples(game?.role ?? "")}<form method="dialog"><button class="main">${t("OK")}</button></form></dialog>
        <dialog class="statistics" aria-label=${t("Your games so far")}>${this.drawStatistics()}<form method="dialog"><button class="main">${t("OK")}</button></form></dialog>
      </div>`, this.host);
    // A button that was used and is gone leaves the keyboard nowhere: the task area takes it.
    if (wasInTask && document.activeElement === document.body) /** @type {HTMLElement} */ (task).focus();
    this.showLastRow(boards.map((board) => board.rows.length + (game?.won ? 0.5 : 0)));
  }

  /** Keep the newest guess in sight, where the board is longer than its place. @param {number[]} counts */
  showLastRow(counts) {
    const changed = counts.findIndex((count, at) => count !== (this.shownRows[at] ?? 0));
    if (changed < 0 && counts.length === this.shownRows.length) return;
    this.shownRows = counts;
    const board = this.host.querySelectorAll(".boards .board")[Math.max(0, changed)];
    board?.querySelector("tbody tr:last-child")?.scrollIntoView({ block: "nearest" });
  }

  /** Say who has won. @param {Game | null} game */
  drawEnd(game) {
    const loss = describeLoss(game);
    if (loss) return html`<p class="win lost">${loss}</p>`;
    if (!game?.won) return nothing;
    const count = game.boards[game.won === "nao" ? game.boards.length - 1 : 0]?.rows.length ?? 0;
    if (game.won === "you") return html`<p class="win"><span aria-hidden="true">★</span>${t("You found it! Guesses: {count}", { count })}</p>`;
    return html`<p class="win"><span aria-hidden="true">★</span>${t("NAO found it! Guesses: {count}", { count })}</p>`;
  }

  /** Return NAO's sentence, and its length. @returns {{shown: any, length: number}} */
  sentence() {
    const line = this.stage.talk.last("NAO"), asked = this.game?.question.text;
    if (line && (this.stage.talk.isSpeaking || !asked)) return { shown: this.stage.drawWords(line), length: line.text.length };
    const text = asked || t("NAO is getting up.");
    return { shown: text, length: text.length };
  }

  /** @param {Game} game */
  drawTask(game) {
    const { kind, pairs, numbers, length, answers } = game.question;
    const large = answers.filter((answer) => answer.main), small = answers.filter((answer) => !answer.main && !answer.group);
    const button = (/** @type {Answer} */ answer, /** @type {string} */ look) => html`<button type="button" class="${look} ${answer.note ? "noted" : ""}"
      aria-label=${answer.note ? `${answer.label}: ${answer.note}` : nothing} @click=${() => this.answer(answer)}>${answer.note
        ? html`<span>${answer.label}</span><span class="note">${answer.note}</span>` : answer.label}</button>`;
    const few = small.length ? html`<div class="answers answers-small">${small.map((answer) => button(answer, "second slim"))}</div>` : nothing;
    return html`
      ${kind === "two-numbers" ? this.pad.draw(pairs, length, (score) => this.tap({ score })) : nothing}
      ${kind === "one-number" ? drawNumbers(length, numbers, (number) => this.tap({ number })) : nothing}
      ${large.length ? html`<div class="answers ${large.some((answer) => answer.note) ? "answers-noted" : ""}">${large.map((answer) => button(answer, "main"))}</div>` : nothing}
      ${kind === "word" ? html`
        <div class="entry">${this.drawEntry(length, game.spelled)}${this.refused.reason ? html`<p class="refused" role="alert">${this.refused.reason}</p>` : few}</div>
        ${drawKeyboard(makeKeys(game.keyboard, game.role === "breaker" ? [] : game.boards[0]?.letters ?? []), { press: (letter) => this.press(letter),
          enter: () => this.guess(), remove: () => this.remove(), enterName: t("Guess") })}` : few}
      ${this.drawSettings(answers)}`;
  }

  /** Draw the tiles of the guess that is typed; a refused one stays on them until the next letter.
   * @param {number} length @param {string} spelled */
  drawEntry(length, spelled) {
    const shown = this.entry || spelled || this.refused.word;
    const tiles = drawTiles(Array.from({ length }, (_, at) => {
      const symbol = shown[at] ?? "";
      return { symbol, look: symbol ? "" : "empty", said: "" };
    }));
    return html`<span class=${this.refused.reason ? "shake" : ""}>${tiles}</span>`;
  }

  /** Draw the answers that change a setting, the level and the language; one of each is on. @param {Answer[]} answers */
  drawSettings(answers) {
    const levels = answers.filter((answer) => answer.group === "level"), languages = answers.filter((answer) => answer.group === "language");
    if (!levels.length) return nothing;
    return html`<div class="settings"><div class="setting" role="group" aria-label=${t("Level")}><span class="setting-name" aria-hidden="true">${t("Level")}</span>${levels.map(
      (answer) => html`<button type="button" class="second slim" aria-pressed=${answer.is_on ? "true" : "false"}
        @click=${() => this.answer(answer)}>${answer.label}</button>`)}</div>
      ${languages.length ? html`<label class="setting"><span class="setting-name">${t("Language")}</span><select class="second slim" @change=${async (/** @type {Event} */ event) => {
        const list = /** @type {HTMLSelectElement} */ (event.target), chosen = languages[list.selectedIndex];
        if (chosen && !(await this.chooseLanguage(chosen))) list.selectedIndex = languages.findIndex((each) => each.is_on);
      }}>${languages.map((answer) => html`<option ?selected=${answer.is_on}>${answer.label}</option>`)}</select></label>` : nothing}</div>`;
  }

  /** Let NAO and the page speak a language, unless NAO refuses it. @param {Answer} answer @returns {Promise<boolean>} */
  async chooseLanguage(answer) {
    // NAO in this browser starts again in the other language; another one is told.
    if (!("notebook" in this.link) && !(await this.tap({ phrase: answer.phrase }))) return false;
    this.host.dispatchEvent(new CustomEvent("language", { detail: answer.meaning.split(" ")[1], bubbles: true }));
    return true;
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
        aria-label=${t("Say something to NAO")} placeholder=${narrow.matches ? `${t("Say")} …` : t("Say something to NAO")}>
      ${this.stage.microphone?.draw() ?? nothing}
      <button class="second slim">${t("Say")}</button>
      ${this.stage.speech.canSpeak ? html`<button type="button" class="second slim speech" aria-pressed=${this.stage.speech.isOn ? "true" : "false"}
        aria-label=${t("Speech")} title=${t("NAO speaks with this computer's voice")} @click=${() => { this.stage.speech.toggle(); this.draw(); }}>${drawSpeaker()}</button>` : nothing}
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
          <meter min="0" aria-label=${bar.label} max=${Math.max(...group.bars.map((/** @type {any} */ each) => each.count))} value=${bar.count}></meter><span>${bar.count}</span></div>`)}`)}
      ${"notebook" in this.link ? this.drawNotebook() : nothing}`;
  }

  /** NAO's notebook is kept in this browser; people can take it along, or delete it. */
  drawNotebook() {
    const link = /** @type {import("../worker_link.js").WorkerLink} */ (this.link);
    const read = async (/** @type {Event} */ event) => {
      const field = /** @type {HTMLInputElement} */ (event.target), file = field.files?.[0];
      field.value = "";
      if (!file) return;
      try {
        if (file.size > MAX_NOTEBOOK_BYTES) throw new Error();
        await link.notebook("import", await file.text());
        this.told = t("NAO has read the file.");
      } catch {
        this.told = t("This file is not a notebook of NAO.");
      }
      this.showStatistics();
    };
    return html`<div class="notebook"><p class="faint">${t("NAO's notebook is kept in this browser only.")}</p>
      <div class="answers"><button type="button" class="second slim" @click=${() => this.saveNotebook(link)}>${t("Save as a file")}</button>
        <button type="button" class="second slim" @click=${() => /** @type {HTMLInputElement} */ (this.host.querySelector(".notebook input")).click()}>${t("Read a file")}</button>
        <input type="file" accept=".json,application/json" hidden @change=${read}>
        <button type="button" class="second slim" @click=${async () => {
          if (!this.isSure) {
            this.isSure = true;
            this.told = t("All games and words that NAO remembers will be gone. Press again to delete them.");
          } else {
            await link.notebook("delete");
            this.isSure = false;
            this.told = t("NAO has forgotten everything.");
          }
          this.showStatistics();
        }}>${t("Delete everything")}</button></div>
      <p class="status" role="status">${this.told}</p></div>`;
  }

  /** @param {import("../worker_link.js").WorkerLink} link */
  async saveNotebook(link) {
    const anchor = document.createElement("a");
    anchor.href = URL.createObjectURL(new Blob([await link.notebook("export")], { type: "application/json" }));
    anchor.download = "nao-notebook.json";
    anchor.click();
    setTimeout(() => URL.revokeObjectURL(anchor.href), 10_000);
  }
}

/** A loudspeaker, unlike the microphone next to it. */
const drawSpeaker = () => html`<svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true"><path fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round"
  stroke-linejoin="round" d="M4 9v6h4l5 4V5L8 9zM16.5 8.5a5 5 0 0 1 0 7M19 6a8.5 8.5 0 0 1 0 12"></path></svg>`;

/** @param {HTMLElement} host @param {string} name */
function showDialog(host, name) {
  /** @type {HTMLDialogElement | null} */ (host.querySelector(`dialog.${name}`))?.showModal();
}

/** Say which word nobody has found; "" before that. @param {Game | null} game */
const describeLoss = (game) => (game?.over && !game.won && game.secret ? t("The word was {word}.", { word: game.secret }) : "");

/** Return a board without the remark that is said above it. @param {import("./board.js").Board} board @param {Game | null} game */
const removeLoss = (board, game) => ({ ...board, remarks: board.remarks.filter((remark) => remark !== describeLoss(game)) });

/** Return the rules for a role of NAO. @param {string} role */
function describeRules(role) {
  if (role === "maker") return t("NAO thinks of a word with five different letters. You guess; NAO says how many letters are right.");
  if (role === "race") return t("You and NAO both have a secret word, and you take turns guessing. The first one to find the other's word wins.");
  return t("Think of a word with five different letters. NAO guesses; you say how many letters are right.");
}

/** A secret word, and two guesses with none and with three letters in place, in each language. @type {{[code: string]: string[]}} */
const EXAMPLES = {
  en: ["OCEAN", "MONEY", "CLEAN"],
  fr: ["TIGRE", "ACIER", "LITRE"],
  de: ["KATZE", "ACKER", "KANTE"],
  es: ["ROBLE", "ABETO", "SOBRE"],
};

/** Three examples in colours, with words of the page's language. @param {string} role */
function drawExamples(role) {
  const [secret, first, second] = EXAMPLES[language()] ?? EXAMPLES.en;
  const example = (/** @type {string} */ word, /** @type {string} */ said) => {
    const looks = [...word].map((letter, at) => (letter === secret[at] ? "in-place" : secret.includes(letter) ? "elsewhere" : "neither"));
    return html`<div class="example ${word === second ? "example-second" : ""}">
      ${drawTiles([...word].map((symbol, at) => ({ symbol, look: looks[at], said: "" })))}<span>${drawPegs(looks.filter((look) => look !== "neither").sort().reverse())}${said}</span></div>`;
  };
  return html`<h2>${t("How to play")}</h2>
    <p>${describeRules(role)}</p>
    <p class="faint">${role === "maker" ? t("If NAO's word is {word}:", { word: secret }) : t("If your word is {word}:", { word: secret })}</p>
    ${example(first, t("0 in the right place, 3 in the wrong place"))}
    ${example(second, t("3 in the right place, 1 in the wrong place"))}
    ${example(secret, role === "maker" ? t("5 in the right place: you have found it!") : t("5 in the right place: NAO has found it!"))}`;
}
