// The page: connects to a robot and shows the view that the address names (#play, #inside, #mastermind, #wordle).
import { html, nothing, render } from "./lib/lit-html/lit-html.js";
import { listenForDrops } from "./drop.js";
import { connectSocket, RobotError, socketAddress } from "./link.js";
import { Stage } from "./stage.js";
import { setTexts, language, t } from "./texts.js";

const LANGUAGES = /** @type {{[code: string]: string}} */ ({ en: "English", de: "Deutsch", es: "Español", fr: "Français" });
/** What an address can choose, as in #play?lang=fr&level=easy&role=i-guess. */
const CHOICES = /** @type {{[name: string]: string[]}} */ ({
  level: ["easy", "normal", "hard"], role: ["nao-guesses", "i-guess", "race"] });
const SERVER_PAUSE_MS = 1500;
const OLD_BROWSER =
  "This browser is too old for NAO. Use Chrome or Edge 137, Firefox 153, Safari 27, or newer ones.";

/** The words of the address behind "#": the view, and what to play. */
function readAddress() {
  const [view, query = ""] = location.hash.slice(1).split("?");
  return { view, options: new URLSearchParams(query) };
}

class Page {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.alarm = "";
    this.progress = { step: 0, text: "" };
    this.query = "";
    /** @type {{end: () => void} | null} */
    this.view = null;
    this.viewName = "";
    this.viewHost = document.createElement("main");
    this.viewHost.className = "view";
    this.viewHost.addEventListener("language", (event) => this.changeLanguage(/** @type {CustomEvent<string>} */ (event).detail));
    window.addEventListener("hashchange", () => {
      if (this.home && !this.link) this.drawLoading();
      const { view, options } = readAddress();
      // A link to another game starts it.
      if (this.home?.kind === "worker" && view === "play" && options.size && String(options) !== this.query) location.reload();
      else this.route();
    });
  }

  async open() {
    const { options } = readAddress();
    this.query = String(options);
    const home = await (await fetch("home.json")).json();
    this.home = home;
    document.title = home.title;
    const code = this.chooseLanguage(options);
    await this.speak(code);
    this.drawLoading();
    let link;
    if (home.kind === "worker") {
      const { canRun, openWorker } = await import("./worker_link.js");
      if (!canRun()) throw new RobotError(OLD_BROWSER);
      link = await openWorker((step, text) => {
        this.progress = { step, text };
        this.drawLoading();
      }, home, this.chooseGame(options, code));
    } else {
      link = await connectSocket(socketAddress("robot"));
    }
    this.link = link;
    link.listen((push) => {
      if (push.push !== "gone") return;
      this.alarm = t(link.gone);
      this.draw();
      if (home.kind === "server") this.awaitServer();
    });
    if (home.robot !== false) {
      this.stage = new Stage(link);
      this.stage.speech.hasProgram = home.voice;
      await this.stage.open();
      if (home.sound || home.kind === "worker") await this.addMicrophone(this.stage);
    }
    // A recording is shown without the robot that it is of.
    if (home.recorded) this.stage = new Stage(link);
    if (home.kind === "worker") await link.ask("start");
    await this.route();
  }

  /** Return the settings of the game that the address asks for; words that mean nothing are left out.
   * @param {URLSearchParams} options @param {string} lang */
  chooseGame(options, lang) {
    const pick = (/** @type {string} */ name) => (CHOICES[name].includes(options.get(name) ?? "") ? options.get(name) ?? "" : "");
    const seed = Number(options.get("seed"));
    return { lang, level: pick("level"), role: pick("role"), seed: Number.isSafeInteger(seed) && seed > 0 && seed < 2 ** 31 ? seed : 0 };
  }

  /** Load the page again once its program is back. */
  async awaitServer() {
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, SERVER_PAUSE_MS));
      try {
        if ((await fetch("home.json")).ok) return location.reload();
      } catch {
        // It is still away.
      }
    }
  }

  /** Add the microphone's button to the views, if this browser can use one. @param {Stage} stage */
  async addMicrophone(stage) {
    const { canListen, Microphone } = await import("./microphone.js");
    if (this.home.kind === "worker") {
      const { canRecognise, Recogniser } = await import("./recogniser.js");
      const own = canRecognise() ? new Recogniser(stage) : null;
      stage.microphone = own;
      if (!this.home.hearing || !canListen() || !globalThis.caches) return;
      const { Hearing } = await import("./hearing.js");
      stage.microphone = new Hearing(stage, this.home.hearing, own);
      return;
    }
    if (canListen()) stage.microphone = new Microphone(socketAddress("sound"), () => stage.tell("microphone"));
  }

  /** Return the language that the address asks for, of the server's NAO, that was chosen last, or of the browser. @param {URLSearchParams} options */
  chooseLanguage(options) {
    const codes = [options.get("lang"), this.home?.language, localStorage.getItem("language"), navigator.language.slice(0, 2)];
    return codes.find((code) => code && Object.hasOwn(LANGUAGES, code)) ?? "en";
  }

  /** Use the texts of a language. @param {string} code */
  async speak(code) {
    const answer = this.home.game && code !== "en" ? await fetch(`game/texts_${code}.json`) : null;
    setTexts(code, answer?.ok ? await answer.json() : {});
    localStorage.setItem("language", code);
  }

  async route() {
    if (!this.link) return;
    const view = readAddress().view || this.home.start || "play";
    if (view === this.viewName) return this.draw();
    this.view?.end();
    this.view = null;
    this.viewHost.replaceChildren();
    // lit-html keeps what it has drawn into an element: every view gets a new one.
    const host = document.createElement("div");
    host.className = "view";
    this.viewHost.replaceChildren(host);
    this.viewName = view;
    this.draw();
    const make = await this.loadView(view);
    // The person can have gone on to another view.
    if (host.isConnected) this.view = make(host);
  }

  /** Load a view and return what makes it. @param {string} view @returns {Promise<(host: HTMLElement) => {end: () => void}>} */
  async loadView(view) {
    const link = /** @type {import("./link.js").Link} */ (this.link), stage = /** @type {Stage} */ (this.stage);
    if (this.home.game && (view === "mastermind" || view === "wordle" || !stage)) {
      const { TableView } = await import("./game/tables.js");
      return (host) => new TableView(host, link, view === "mastermind" || view === "wordle" ? view : this.home.start);
    }
    if (view === "inside" || !this.home.game) {
      const { InsideView } = await import("./inside.js");
      return (host) => new InsideView(host, stage, this.home);
    }
    const { GameView } = await import("./game/game.js");
    return (host) => new GameView(host, stage);
  }

  drawLoading() {
    const { step, text } = this.progress, view = readAddress().view || "play";
    const door = (/** @type {string} */ name, /** @type {string} */ query, /** @type {unknown} */ title, /** @type {unknown} */ line) =>
      html`<a class="door" href="#${name}${query}" aria-current=${view === name ? "page" : "false"}><b>${title}</b><span>${line}</span></a>`;
    // Who opens the link sees at once what it is for.
    const isSite = this.home.kind === "worker" && this.home.game;
    render(html`<main class="loading"><img src="nao.svg" alt="" width="160" height="150"><h1>NAO</h1>
      ${isSite ? html`<p>${t("A robot in your browser. There is nothing to install.")}</p><nav class="doors" aria-label=${t("Views")}>
        ${door("play", this.query && `?${this.query}`, t("Play with NAO"), t("Think of a word: NAO guesses it."))}
        ${door("inside", "", t("Run your behaviour"), t("Your Choregraphe file, or an example."))}</nav>` : nothing}
      <p class="faint" role="status">${text || t("NAO is on its way …")}</p>
      <div class="progress progress-${step}" aria-hidden="true"><span></span></div></main>`, this.root);
  }

  /** @param {string} sentence */
  fail(sentence) {
    render(html`<main class="loading"><img class="asleep" src="nao.svg" alt="" width="160" height="150"><h1>NAO</h1>
      <p role="alert">${sentence}</p></main>`, this.root);
  }

  draw() {
    const tab = (/** @type {string} */ view, /** @type {string} */ name) =>
      html`<a href="#${view}" aria-current=${this.viewName === view ? "page" : "false"}>${t(name)}</a>`;
    const { docs, robot = true } = this.home, game = this.home.game && !this.home.recorded;
    render(html`
      <header class="bar"><h1><img src="icon.svg" alt="" width="32" height="32"><span>NAO</span></h1>
        <nav class="tabs" aria-label=${t("Views")}>${game && robot ? tab("play", "Play") : nothing}${robot ? tab("inside", "Look inside") : nothing}
          ${game ? html`${tab("mastermind", "Mastermind")}${tab("wordle", "Wordle")}` : nothing}
          ${docs ? html`<a href="docs/index.html">${t("Read")}</a>` : nothing}</nav>
        ${this.home.game ? html`<span class="pick"><span aria-hidden="true">${language().toUpperCase()}</span><select
          aria-label=${t("Language")} title=${t("Language")} @change=${(/** @type {Event} */ event) =>
          this.changeLanguage(/** @type {HTMLSelectElement} */ (event.target).value)}>${Object.entries(LANGUAGES).map(
          ([code, name]) => html`<option value=${code} ?selected=${code === language()}>${name}</option>`)}</select></span>` : nothing}
        <button type="button" class="ghost icon" aria-label=${t("Light or dark")} title=${t("Light or dark")} @click=${() => {
          const theme = document.documentElement.dataset.theme;
          const isDark = theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
          setTheme(isDark ? "light" : "dark");
        }}>◐</button></header>
      ${this.alarm ? html`<p class="alarm" role="alert">${this.alarm}</p>` : nothing}
      ${this.viewHost}`, this.root);
  }

  /** Speak another language: at once if no game has begun, else from the next game on. @param {string} code */
  async changeLanguage(code) {
    await this.speak(code);
    const options = this.chooseGame(new URLSearchParams(this.query), code);
    const link = /** @type {import("./link.js").Link} */ (this.link);
    try {
      if (!this.stage) throw new RobotError("There is no robot.");
      await link.ask("page", { view: "start_options", ...options, seed: 0 });
      const game = await link.ask("page", { view: "game", lang: code });
      if (this.home.kind === "worker" && !game.boards.length) {
        if (game.runs) await link.ask("stop");
        await link.ask("start");
      }
    } catch {
      // A robot that plays something else has no settings.
    }
    this.viewName = "";
    await this.route();
  }
}

/** Use light or dark colours from now on. @param {string} theme */
function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  localStorage.setItem("theme", theme);
}

/** Keep the site in the browser, so that it works without a network next time. */
async function keepSite() {
  // Only after NAO is there: the first visit's files are in the browser's cache by then.
  if (page.home?.kind === "worker" && "serviceWorker" in navigator) await navigator.serviceWorker.register("service_worker.js");
}

const theme = localStorage.getItem("theme");
if (theme === "light" || theme === "dark") setTheme(theme);
const root = /** @type {HTMLElement} */ (document.getElementById("root"));
root.replaceChildren(); // lit-html would leave what is there.
const page = new Page(root);
/** @type {any} */ (globalThis).page = page; // for tests, and for the curious
listenForDrops();
page.open().then(keepSite, (error) => page.fail(error.message));
