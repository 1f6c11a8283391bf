// Look inside: the running diagram, the robot, ALMemory, its sensors, the log and the time, for authors of behaviours.
import { html, nothing, render } from "./lib/lit-html/lit-html.js";
import { Diagram } from "./diagram.js";
import { takeDropped } from "./drop.js";
import { canFilm, Film, saveFile } from "./film.js";
import { Guest } from "./guest.js";
import { isRecording, openRecording, ReplayStage } from "./replay.js";
import { Stage } from "./stage.js";
import { t } from "./texts.js";

const READ_PAUSE_MS = 300, LIST_PAUSE_MS = 2000;
const MAX_ROWS = 60, MAX_VALUE_LENGTH = 200, MAX_LOG_LINES = 1000;
const DEVICES = "Device/"; // shown only if somebody searches for them: there are hundreds
const GROUPS = /** @type {{[group: string]: string[]}} */ ({
  talk: ["say", "said", "hear"], moves: ["motion", "animate", "posture", "timeline"], lights: ["eyes", "leds"],
  senses: ["touch", "push", "event"], errors: ["error", "warning", "leak", "lint"],
  output: ["log", "print", "service", "tablet", "sound", "record"], boxes: ["load", "unload", "input", "output"],
});
const SONAR = (/** @type {string} */ side) => `Device/SubDeviceList/US/${side}/Sensor/Value`;
const CHARGE = "Device/SubDeviceList/Battery/Charge/Sensor/Value";
const SPEEDS = [0, 0.25, 1, 2, 5, 20];

/** Draw a button, on which a sign stands for the word in a narrow panel. @param {string} kind @param {string} word @param {() => void} act */
const drawSign = (kind, word, act) =>
  html`<button type="button" class="second slim sign-${kind}" title=${word} @click=${act}><span>${word}</span></button>`;

/** The stranger's behaviour, which runs on while another view is shown. @type {Guest | null} */
let guest = null;

export class InsideView {
  /** @param {HTMLElement} host @param {Stage} stage
   * @param {{kind: string, game: string, recorded?: boolean, repeats?: boolean, behaviour?: string}} home where the robot is; strangers' files run in this browser */
  constructor(host, stage, home) {
    this.host = host;
    this.home = home;
    this.homeStage = stage;
    stage.hear = (phrase) => this.ask("hear", { phrase, confidence: 1 });
    /** The robot that is looked at. @type {Stage | null} */
    this.stage = null;
    this.link = stage.link;
    /** A recording that is looked at. @type {ReplayStage | null} */
    this.replay = null;
    /** @type {{id: string, file: string, title: string, line: string}[]} */
    this.examples = [];
    this.trouble = "";
    this.note = "";
    this.doing = "";
    /** @type {Film | null} */
    this.film = null;
    this.pace = 1;
    /** The speed of this page's own robot, which waits while a stranger's behaviour is shown. @type {number | null} */
    this.homePace = null;
    this.tab = "robot";
    this.search = "";
    this.group = "";
    this.speed = 1;
    this.seconds = 0;
    this.status = "";
    /** @type {string[]} */
    this.keys = [];
    this.listedAt = -Infinity;
    /** @type {[string, string, boolean][]} */
    this.rows = [];
    this.opened = "";
    this.takeFile = () => {
      const file = takeDropped();
      if (file) this.openFile(file);
    };
    this.readAddress = () => this.openAddressed();
    window.addEventListener("nao-file", this.takeFile);
    window.addEventListener("hashchange", this.readAddress);
    if (guest) guest.tell = () => this.show();
    this.keepGame(true);
    this.show();
    this.takeFile();
    this.listExamples();
    if (home.recorded) this.attempt(async () => this.openReplay(await this.fetchRecording()));
    this.run();
  }

  end() {
    this.hasEnded = true;
    this.homeStage.speech.isMuted = false;
    window.removeEventListener("nao-file", this.takeFile);
    window.removeEventListener("hashchange", this.readAddress);
    this.film?.stop();
    this.endReplay();
    this.diagram?.end();
    this.stopListening?.();
    if (guest) guest.tell = () => {};
    this.letHomeGoOn();
    this.keepGame(false);
  }

  /** Let the game of this page wait while a person looks inside. @param {boolean} isKept */
  keepGame(isKept) {
    if (!this.home.game || this.home.recorded) return;
    this.homeStage.link.ask("page", { view: "patience", waiting: isKept, inside: isKept }).catch(() => {});
  }

  /** Let this page's own robot wait, unless others see it, too. */
  async holdHome() {
    const { link } = this.homeStage;
    if (!this.isAlone || this.homePace !== null || link.gone) return;
    this.homePace = 1;
    try {
      this.homePace = (await link.ask("pace")).speed;
      if (guest && !this.hasEnded) await link.ask("pace", { speed: 0 });
    } catch {
      // The page says if the robot is gone.
    }
  }

  letHomeGoOn() {
    const speed = this.homePace;
    this.homePace = null;
    if (speed !== null) this.homeStage.link.ask("pace", { speed }).catch(() => {});
  }

  /** Whether nobody but this browser sees the page's own robot. */
  get isAlone() {
    return this.home.kind === "worker";
  }

  /** The running robot that nobody but this browser sees, if there is one. */
  get ownLink() {
    return guest?.stage?.link ?? (this.isAlone ? this.homeStage.link : null);
  }

  /** Show the robot that is looked at now: the recording's, the stranger's, or that of this page. */
  show() {
    if (this.hasEnded) return;
    if (guest) this.holdHome();
    /** @type {Stage} */
    const stage = this.replay ?? guest?.stage ?? this.homeStage;
    this.homeStage.speech.isMuted = stage !== this.homeStage;
    if (stage !== this.homeStage && this.homeStage.microphone?.isOn) this.homeStage.microphone.stop();
    if (stage !== this.stage) {
      this.diagram?.end();
      this.stopListening?.();
      this.film?.stop();
      this.stage = stage;
      this.link = stage.link;
      this.diagramHost = document.createElement("div");
      this.diagramHost.className = "diagram";
      this.diagram = new Diagram(this.diagramHost, this.link, stage !== this.homeStage || Boolean(this.home.game || this.home.behaviour));
      [this.keys, this.rows, this.listedAt] = [[], [], -Infinity];
      this.stopListening = stage.onChange(() => {
        if (this.tab !== "memory") this.draw();
      });
    }
    this.draw();
  }

  // Files.

  async listExamples() {
    const answer = await fetch("examples/examples.json");
    this.examples = answer.ok ? await answer.json() : [];
    this.openAddressed();
    this.draw();
  }

  /** Open the example that the address names: #inside?example=greeting. */
  openAddressed() {
    const name = new URLSearchParams(location.hash.split("?")[1] ?? "").get("example") ?? "";
    const example = this.examples.find(({ id }) => id === name);
    if (!example || name === this.opened) return;
    this.opened = name;
    this.attempt(async () => {
      const answer = await fetch(`examples/${example.file}`);
      if (!answer.ok) throw new Error(t("The example cannot be fetched."));
      await this.openBytes(example.file, await answer.arrayBuffer());
    });
  }

  /** @param {{id: string}} example */
  openExample({ id }) {
    this.opened = "";
    if (location.hash === `#inside?example=${id}`) this.openAddressed();
    else location.hash = `#inside?example=${id}`;
  }

  /** @param {File} file */
  openFile(file) {
    return this.attempt(async () => {
      await this.openBytes(file.name, await file.arrayBuffer());
    });
  }

  /** Run a behaviour, or show a recording. @param {string} name @param {ArrayBuffer} bytes */
  async openBytes(name, bytes) {
    this.leaveReplay();
    const text = new TextDecoder().decode(bytes.slice(0, 4096));
    if (isRecording(text)) {
      await this.openReplay(new TextDecoder().decode(bytes));
      return;
    }
    guest ??= new Guest(() => this.show());
    await guest.open(name, bytes);
  }

  /** Do something; what goes wrong is shown in one sentence. @param {() => Promise<void>} work */
  async attempt(work) {
    this.trouble = this.note = "";
    try {
      await work();
    } catch (error) {
      this.trouble = String(/** @type {Error} */ (error).message);
    }
    this.show();
  }

  /** @param {string} text */
  async openReplay(text) {
    const here = { name: guest?.name ?? "", bytes: guest?.offers.length ? guest.bytes : null, home: this.home.behaviour ?? "" };
    this.doing = t("The recording is computed …");
    this.show();
    try {
      const replay = await openRecording(text, here);
      [this.replay, this.note] = [replay, replay.told.note];
      // The present waits.
      const link = this.ownLink;
      if (link && !link.gone && !guest?.isStuck) {
        this.pace = (await link.ask("pace")).speed;
        await link.ask("pace", { speed: 0 });
      }
    } finally {
      this.doing = "";
    }
  }

  /** Return the recording of the program that serves this page. */
  async fetchRecording() {
    return (await fetch("recording.jsonl")).text();
  }

  endReplay() {
    this.replay?.end();
    this.replay?.link.close();
    this.replay = null;
  }

  leaveReplay() {
    if (!this.replay) return;
    this.endReplay();
    this.note = "";
    this.ownLink?.ask("pace", { speed: this.pace }).catch(() => {});
  }

  /** @param {boolean} isKept as a file, else it is looked at */
  useRecording(isKept) {
    return this.attempt(async () => {
      const text = guest || this.isAlone ? (await (guest ? guest.record() : this.recordHome())).join("\n") + "\n" : await this.fetchRecording();
      if (isKept) saveFile(`${guest?.name ?? "nao"}.recording.jsonl`, new Blob([text], { type: "application/jsonl" }));
      else await this.openReplay(text);
    });
  }

  /** Return what was done with this page's own robot so far as a recording. */
  async recordHome() {
    const lines = await this.homeStage.link.ask("recording");
    return [JSON.stringify({ ...JSON.parse(lines[0]), file: { home: this.home.behaviour } }), ...lines.slice(1)];
  }

  goHome() {
    this.leaveReplay();
    guest?.end();
    guest = null;
    this.letHomeGoOn();
    this.opened = this.trouble = "";
    if (location.hash.includes("example=")) history.replaceState(null, "", "#inside");
    this.show();
  }

  async toggleFilm() {
    if (this.film) {
      this.film.stop();
      return;
    }
    const canvas = this.stage?.element.querySelector("canvas");
    if (!canvas) return;
    this.stage?.figure?.show({}); // A robot that stands still is in the film, too.
    this.film = new Film(canvas, (film) => {
      this.film = null;
      saveFile("nao.webm", film);
      this.draw();
    });
    this.draw();
  }

  /** Ask the robot; its refusal is shown. @param {string} verb @param {any} [fields] */
  async ask(verb, fields = {}) {
    try {
      this.status = "";
      return await this.link.ask(verb, fields);
    } catch (error) {
      this.status = String(/** @type {Error} */ (error).message);
      return undefined;
    } finally {
      this.draw();
    }
  }

  async run() {
    while (!this.hasEnded) {
      try {
        const pace = await this.link.ask("pace");
        [this.speed, this.seconds] = [pace.speed, pace.seconds];
        if (this.tab === "memory") await this.readMemory();
      } catch {
        // The page says if the robot is gone.
      }
      this.draw();
      await new Promise((resolve) => setTimeout(resolve, READ_PAUSE_MS));
    }
  }

  async readMemory() {
    const link = this.link;
    if (performance.now() - this.listedAt > LIST_PAUSE_MS) {
      this.listedAt = performance.now();
      this.keys = await link.ask("call", { service: "ALMemory", method: "getDataListName", args: [] });
    }
    const sought = this.search.toLowerCase();
    const shown = this.keys.filter((key) => (sought ? key.toLowerCase().includes(sought) : !key.startsWith(DEVICES))).slice(0, MAX_ROWS);
    const values = await link.ask("call", { service: "ALMemory", method: "getListData", args: [shown] });
    const before = new Map(this.rows.map(([key, value]) => [key, value]));
    this.rows = shown.map((key, at) => {
      const value = (JSON.stringify(values[at]) ?? "").slice(0, MAX_VALUE_LENGTH);
      return [key, value, before.has(key) && before.get(key) !== value];
    });
  }

  draw() {
    if (this.hasEnded) return;
    const tab = (/** @type {string} */ name, /** @type {string} */ title) => html`<button type="button" role="tab" class="ghost slim"
      aria-selected=${this.tab === name ? "true" : "false"} @click=${() => {
        this.tab = name;
        this.draw();
      }}>${t(title)}</button>`;
    const panels = /** @type {{[tab: string]: () => unknown}} */ ({
      robot: () => this.drawRobot(), memory: () => this.drawMemory(), sensors: () => this.drawSensors(), log: () => this.drawLog(),
      findings: () => this.drawFindings(),
    });
    // A stranger's behaviour has no diagram while it loads, if it could not be loaded, and before `show` takes its stage.
    const awaited = !guest || this.replay || (guest.isLoaded && guest.stage === this.stage) ? ""
      : guest.doing || (guest.offers.length && this.trouble);
    const hasFindings = Boolean(guest?.isLoaded) && !this.replay;
    if (!(this.tab in panels) || (this.tab === "findings" && !hasFindings)) this.tab = "robot";
    render(html`<div class="inside">
      ${this.drawFiles()}
      <section class="panel diagram-panel" aria-label=${t("Diagram")}>${awaited ? html`<p class="no-diagram">${awaited}</p>` : this.diagramHost}</section>
      <section class="panel side-panel" aria-label=${t("Robot")}>
        ${this.replay ? this.drawScrubber(this.replay) : this.drawTime()}
        <div class="side-tabs" role="tablist">${tab("robot", "Robot")}${tab("memory", "Memory")}${this.replay ? nothing : tab("sensors", "Sensors")}${tab("log", "Log")}
          ${hasFindings ? tab("findings", "Findings") : nothing}</div>
        <p class="status bad" role="status">${this.status}</p>
        <div class="side" role="tabpanel">${panels[this.tab]()}</div>
      </section></div>`, this.host);
  }

  /** Draw what can be run: a file of the visitor, or an example; and what runs. */
  drawFiles() {
    const file = html`<label class="main slim file">${t("Run your behaviour")}<input type="file" class="unseen" accept=".xar,.zip,.pkg,.jsonl"
      @change=${(/** @type {Event} */ event) => {
        const field = /** @type {HTMLInputElement} */ (event.target);
        if (field.files?.[0]) this.openFile(field.files[0]);
        field.value = "";
      }}></label>`;
    const doing = guest?.doing || this.doing;
    const hasPast = guest ? guest.isLoaded && !guest.doing : !this.home.recorded;
    // A robot that others drive cannot be repeated.
    const repeats = guest || this.isAlone || this.home.repeats;
    const past = this.replay || !hasPast ? nothing : html`
      ${repeats ? html`<button type="button" class="second slim" @click=${() => this.useRecording(false)}>${t("Go back in time")}</button>` : nothing}
      <button type="button" class="second slim" @click=${() => this.useRecording(true)}>${t("Save recording")}</button>`;
    return html`<section class="panel files" aria-label=${t("Run your behaviour")}>
      ${guest?.offers.length || guest?.doing ? this.drawGuest(guest, html`${past}${file}`) : html`
        <div class="file-row">${file}${past}<p class="faint">${t("Drop a .xar, a zipped project or a .pkg anywhere. It stays in this browser and runs in a worker of its own.")}</p></div>
        <ul class="examples" aria-label=${t("Examples")}>${this.examples.map((example) => html`<li>
          <button type="button" class="second slim" @click=${() => this.openExample(example)}><b>${t(example.title)}</b> <span>${t(example.line)}</span></button></li>`)}</ul>`}
      ${doing ? html`<p role="status">${doing}</p>` : nothing}
      ${guest?.isStuck ? html`<p class="bad" role="alert">${t("NAO has not answered for 5 seconds.")}
        <button type="button" class="main slim" @click=${() => guest?.kill()}>${t("Stop it")}</button></p>` : nothing}
      ${this.trouble ? html`<p class="bad" role="alert">${this.trouble}</p>` : nothing}
      ${this.note ? html`<p class="faint" role="status">${this.note}</p>` : nothing}</section>`;
  }

  /** @param {Guest} running @param {unknown} acts buttons */
  drawGuest(running, acts) {
    const { offers, chosen } = running;
    return html`<div class="file-row"><h2>${running.name}</h2>
      ${offers.length > 1 ? html`<label>${t("Behaviour")} <select class="offers" @change=${(/** @type {Event} */ event) =>
        this.attempt(() => running.choose(Number(/** @type {HTMLSelectElement} */ (event.target).value), {}))}>${offers.map(({ name }, at) =>
        html`<option value=${at} ?selected=${at === chosen}>${name}</option>`)}</select></label>` : nothing}
      ${running.link?.gone && !running.doing ? html`<p class="faint" role="status">${running.link.gone}</p><button type="button" class="main slim" @click=${() => this.attempt(() => running.choose(chosen, {}))}>${t("Start it again")}</button>` : nothing}
      ${acts}
      <button type="button" class="second slim" @click=${() => this.goHome()}>${this.home.game ? t("Back to {game}", { game: this.home.game }) : t("Back")}</button></div>
      ${running.parameters.length && !this.replay ? this.drawParameters(running) : nothing}`;
  }

  /** @param {Guest} running */
  drawParameters(running) {
    return html`<details class="parameters"><summary>${t("Parameters")}</summary><form @submit=${(/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      const given = new FormData(/** @type {HTMLFormElement} */ (event.target));
      const changed = running.parameters.filter(([name, value]) => given.get(name) !== value).map(([name]) => [name, String(given.get(name))]);
      this.attempt(() => running.choose(running.chosen, Object.fromEntries(changed)));
    }}><div class="fields">${running.parameters.map(([name, value]) => html`<label>${name.replace(/^root\//, "")}
      <input name=${name} .value=${value} maxlength="1000"></label>`)}</div>
      <button class="second slim">${t("Start again with these")}</button></form></details>`;
  }

  drawFindings() {
    const findings = guest?.findings ?? [];
    return html`<ul class="findings">${findings.map(([severity, box, sentence]) => html`<li class="finding-${severity}">
      <b>${severity}</b> ${box}<br>${sentence}</li>`)}</ul>${findings.length ? nothing : html`<p>${t("No problems found.")}</p>`}`;
  }

  /** @param {ReplayStage} replay */
  drawScrubber(replay) {
    const { moments, length } = replay.told;
    return html`<div class="time"><span class="clock">${replay.sum.seconds.toFixed(1)} s</span>
      <input class="scrubber" type="range" min="0" max=${moments.length - 1} .value=${String(replay.at)} aria-label=${t("Moment of the recording")}
        aria-valuetext=${`${replay.sum.seconds.toFixed(1)} s`} @input=${(/** @type {Event} */ event) => replay.seek(Number(/** @type {HTMLInputElement} */ (event.target).value))}>
      <span class="faint">${t("of {time} s", { time: length.toFixed(1) })}</span>
      ${drawSign("previous", t("Previous event"), () => replay.step(-1))}${drawSign("next", t("Next event"), () => replay.step(1))}
      ${this.home.recorded ? nothing : html`<button type="button" class="second slim" @click=${() => {
        this.leaveReplay();
        this.show();
      }}>${t("Close")}</button>`}</div>`;
  }

  drawTime() {
    return html`<div class="time"><span class="clock">${this.seconds.toFixed(1)} s</span>
      <select aria-label=${t("Speed")} title=${t("Speed")} @change=${(/** @type {Event} */ event) =>
        this.ask("pace", { speed: Number(/** @type {HTMLSelectElement} */ (event.target).value) })}>${SPEEDS.map(
        (speed) => html`<option value=${speed} ?selected=${speed === this.speed}>${speed ? `${speed}×` : t("Stop the time")}</option>`)}</select>
      ${drawSign("step", t("One step"), () => this.ask("step"))}
      ${drawSign("start", t("Start"), () => this.ask("start"))}
      ${drawSign("stop", t("Stop"), () => this.ask("stop"))}
      ${canFilm() && this.tab === "robot" && this.stage?.figure ? html`<button type="button" class="second slim sign-film" aria-pressed=${this.film ? "true" : "false"}
        title=${this.film ? t("Stop filming") : t("Film")} @click=${() => this.toggleFilm()}><span>${this.film ? t("Stop filming") : t("Film")}</span></button>` : nothing}</div>`;
  }

  drawRobot() {
    const stage = /** @type {Stage} */ (this.stage);
    return html`<div class="robot-panel">${stage.element}<p class="faint posture">${stage.frame.posture ?? ""}</p></div>
      ${stage.drawTalk()}
      ${this.replay ? nothing : this.drawActs(stage)}`;
  }

  /** @param {Stage} stage */
  drawActs(stage) {
    return html`
      <form class="typing" @submit=${(/** @type {SubmitEvent} */ event) => {
        event.preventDefault();
        const field = /** @type {HTMLInputElement} */ (/** @type {HTMLFormElement} */ (event.target).elements.namedItem("line"));
        if (field.value.trim()) this.ask("hear", { phrase: field.value.trim(), confidence: 1 });
        field.value = "";
      }}><input name="line" maxlength="200" autocomplete="off" aria-label=${t("Say something to NAO")} placeholder=${t("Say something to NAO")}>
        ${stage.microphone?.draw() ?? nothing}<button class="second slim">${t("Say")}</button></form>
      <p class="chips">${stage.ears.vocabulary.slice(0, 30).map((phrase) => html`<button type="button" class="ghost slim"
        @click=${() => this.ask("hear", { phrase, confidence: 1 })}>${phrase}</button>`)}</p>
      <details><summary>${t("Touch NAO")}</summary><div class="zones">${Object.entries(stage.zones).map(([zone, name]) => html`
        <button type="button" class="second slim" @click=${() => this.ask("touch", { sensor: zone })}>${t(name)}</button>`)}</div></details>`;
  }

  drawMemory() {
    const store = (/** @type {string} */ method) => {
      const field = (/** @type {string} */ name) => /** @type {HTMLInputElement} */ (this.host.querySelector(`input[name=${name}]`)).value;
      let value;
      try {
        value = JSON.parse(field("value"));
      } catch {
        value = field("value"); // What is no JSON is a text.
      }
      if (field("key").trim()) this.ask("call", { service: "ALMemory", method, args: [field("key").trim(), value] });
    };
    return html`<input type="search" placeholder=${t("Search keys")} aria-label=${t("Search keys")} maxlength="200"
        @input=${(/** @type {Event} */ event) => (this.search = /** @type {HTMLInputElement} */ (event.target).value)}>
      <div class="rows"><table><thead><tr><th scope="col">${t("Key")}</th><th scope="col">${t("Value")}</th></tr></thead><tbody>${this.rows.map(([key, value, hasChanged]) =>
        html`<tr class=${hasChanged ? "changed" : ""}><th scope="row">${key}</th><td>${value}</td></tr>`)}</tbody></table></div>
      ${this.replay ? nothing : html`<div class="typing"><input name="key" maxlength="200" placeholder=${t("Key")} aria-label=${t("Key")}>
        <input name="value" maxlength="2000" placeholder=${t("Value, as JSON or text")} aria-label=${t("Value, as JSON or text")}></div>
      <div class="typing"><button type="button" class="second slim" @click=${() => store("insertData")}>${t("Set")}</button>
        <button type="button" class="second slim" @click=${() => store("raiseEvent")}>${t("Raise event")}</button></div>`}`;
  }

  drawSensors() {
    const cause = (/** @type {string} */ key, /** @type {any} */ value) => this.ask("event", { key, value });
    const slider = (/** @type {string} */ key, /** @type {string} */ name, /** @type {number} */ max) => html`<label class="slider">${t(name)}
      <input type="range" min="0" max=${max} step=${max / 60} value=${max} @change=${(/** @type {Event} */ event) =>
        cause(key, Number(/** @type {HTMLInputElement} */ (event.target).value))}></label>`;
    return html`<div class="typing"><button type="button" class="second slim" @click=${() => cause("FaceDetected", true)}>${t("Show a face")}</button>
        <button type="button" class="second slim" @click=${() => cause("FaceDetected", [])}>${t("Hide the face")}</button></div>
      <div class="typing"><button type="button" class="second slim" @click=${() => cause("LandmarkDetected", 64)}>${t("Show landmark 64")}</button>
        <button type="button" class="second slim" @click=${() => cause("LandmarkDetected", [])}>${t("Hide the landmark")}</button></div>
      ${slider(SONAR("Left"), "Left sonar in metres", 3)}${slider(SONAR("Right"), "Right sonar in metres", 3)}${slider(CHARGE, "Battery charge", 1)}`;
  }

  drawLog() {
    const kinds = GROUPS[this.group];
    const lines = (this.stage?.log ?? []).filter((event) => !kinds || kinds.includes(event.kind)).slice(-MAX_LOG_LINES);
    return html`<select aria-label=${t("Show only")} @change=${(/** @type {Event} */ event) => {
      this.group = /** @type {HTMLSelectElement} */ (event.target).value;
      this.draw();
    }}><option value="">${t("everything")}</option>${Object.keys(GROUPS).map((group) => html`<option value=${group}>${t(group)}</option>`)}</select>
      <pre class="log" tabindex="0">${lines.map((event) => html`<span class="log-${event.kind}">${event.time.toFixed(1).padStart(7)} ${event.kind} ${
        Object.values(event.fields).filter((value) => value !== null && value !== "").map((value) => (typeof value === "string" ? value : JSON.stringify(value))).join(" ").slice(0, 300)}\n</span>`)}</pre>
      <button type="button" class="second slim" @click=${() => this.saveLog()}>${t("Save the log")}</button>`;
  }

  saveLog() {
    const text = (this.stage?.log ?? []).map((event) => JSON.stringify(event)).join("\n");
    saveFile("nao.jsonl", new Blob([text], { type: "application/jsonl" }));
  }
}
