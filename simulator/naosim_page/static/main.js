// The page: connects to a robot and shows the view that the address names (#play, #inside, #mastermind, #wordle).
import { html, nothing, render } from "./lib/lit-html/lit-html.js";
import { connectSocket, RobotError } from "./link.js";
import { Stage } from "./stage.js";
import { setTexts, language, t } from "./texts.js";

const LANGUAGES = /** @type {{[code: string]: string}} */ ({ en: "English", de: "Deutsch", es: "Español", fr: "Français" });
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
    this.progress = { share: 0, text: "" };
    /** @type {{end: () => void} | null} */
    this.view = null;
    this.viewName = "";
    this.viewHost = document.createElement("main");
    this.viewHost.className = "view";
    window.addEventListener("hashchange", () => this.route());
  }

  async open() {
    this.drawLoading();
    const home = await (await fetch("home.json")).json();
    this.home = home;
    document.title = home.title;
    const { options } = readAddress();
    let link;
    if (home.kind === "worker") {
      const { canRun, openWorker } = await import("./worker_link.js");
      if (!canRun()) throw new RobotError(OLD_BROWSER);
      link = await openWorker((share, text) => {
        this.progress = { share, text };
        this.drawLoading();
      }, home, { lang: this.chooseLanguage(options), ...Object.fromEntries(options) });
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
    await this.speak(this.chooseLanguage(options));
    if (home.robot !== false) {
      this.stage = new Stage(link);
      await this.stage.open();
      if (home.sound) await this.addMicrophone(this.stage);
    }
    if (home.kind === "worker") await link.ask("start");
    await this.route();
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
    if (canListen()) stage.microphone = new Microphone(socketAddress("sound"), () => stage.tell("microphone"));
  }

  /** Return the language that the address asks for, of the server's NAO, that was chosen last, or of the browser.
   * @param {URLSearchParams} options */
  chooseLanguage(options) {
    const code = options.get("lang") ?? (this.home.language || localStorage.getItem("language")) ?? navigator.language.slice(0, 2);
    return code in LANGUAGES ? code : "en";
  }

  /** Use the texts of a language. @param {string} code */
  async speak(code) {
    localStorage.setItem("language", code);
    setTexts(code, this.home.game ? (await this.link?.ask("page", { view: "texts", lang: code })).table : {});
  }

  async route() {
    if (!this.link) return;
    const view = readAddress().view || this.home.start || "play";
    if (view === this.viewName) return this.draw();
    this.view?.end();
    this.viewHost.replaceChildren();
    // lit-html keeps what it has drawn into an element: every view gets a new one.
    const host = document.createElement("div");
    host.className = "view";
    this.viewHost.replaceChildren(host);
    this.viewName = view;
    this.draw();
    this.view = await this.makeView(view, host);
  }

  /** @param {string} view @param {HTMLElement} host */
  async makeView(view, host) {
    const link = /** @type {import("./link.js").Link} */ (this.link), stage = /** @type {Stage} */ (this.stage);
    if (this.home.game && (view === "mastermind" || view === "wordle" || !stage)) {
      const { TableView } = await import("./game/tables.js");
      return new TableView(host, link, view === "mastermind" || view === "wordle" ? view : this.home.start);
    }
    if (view === "inside" || !this.home.game) {
      const { InsideView } = await import("./inside.js");
      return new InsideView(host, stage);
    }
    const { GameView } = await import("./game/game.js");
    return new GameView(host, stage);
  }

  drawLoading() {
    render(html`<div class="loading"><h1>NAO</h1><p>${this.progress.text || t("NAO is on its way …")}</p>
      <progress max="1" value=${this.progress.share || nothing}></progress></div>`, this.root);
  }

  /** @param {string} sentence */
  fail(sentence) {
    render(html`<div class="loading"><h1>NAO</h1><p role="alert">${sentence}</p></div>`, this.root);
  }

  draw() {
    const tab = (/** @type {string} */ view, /** @type {string} */ name) =>
      html`<a href="#${view}" aria-current=${this.viewName === view ? "page" : "false"}>${t(name)}</a>`;
    const { game, robot = true } = this.home;
    const theme = document.documentElement.dataset.theme ?? "";
    render(html`
      <header class="bar"><h1>NAO</h1>
        <nav class="tabs" aria-label=${t("Views")}>${game && robot ? tab("play", "Play") : nothing}${robot ? tab("inside", "Look inside") : nothing}
          ${game ? html`${tab("mastermind", "Mastermind")}${tab("wordle", "Wordle")}` : nothing}</nav>
        ${game ? html`<select aria-label=${t("Language")} @change=${(/** @type {Event} */ event) =>
          this.changeLanguage(/** @type {HTMLSelectElement} */ (event.target).value)}>${Object.entries(LANGUAGES).map(
          ([code, name]) => html`<option value=${code} ?selected=${code === language()}>${name}</option>`)}</select>` : nothing}
        <button type="button" class="ghost icon" aria-label=${t("Light or dark")} @click=${() => {
          const isDark = theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
          document.documentElement.dataset.theme = isDark ? "light" : "dark";
          this.draw();
        }}>◐</button></header>
      ${this.alarm ? html`<p class="alarm" role="alert">${this.alarm}</p>` : nothing}
      ${this.viewHost}`, this.root);
  }

  /** @param {string} code */
  async changeLanguage(code) {
    await this.speak(code);
    if (this.stage) await this.link?.ask("page", { view: "start_options", lang: code }).catch(() => {});
    this.viewName = "";
    await this.route();
  }
}

/** Return the address of one of this server's web sockets. @param {string} name */
function socketAddress(name) {
  const address = new URL(name, location.href);
  address.protocol = address.protocol.replace("http", "ws");
  address.hash = "";
  return address.href;
}

/** Keep the site in the browser, so that it works without a network next time. */
async function keepSite() {
  // Only after NAO is there: the first visit's files are in the browser's cache by then.
  if (page.home?.kind === "worker" && "serviceWorker" in navigator) await navigator.serviceWorker.register("service_worker.js");
}

const root = /** @type {HTMLElement} */ (document.getElementById("root"));
root.replaceChildren(); // lit-html would leave what is there.
const page = new Page(root);
/** @type {any} */ (globalThis).page = page; // for tests, and for the curious
page.open().then(keepSite, (error) => page.fail(error.message));
