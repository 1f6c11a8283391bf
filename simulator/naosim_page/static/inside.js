// Look inside: the running diagram, the robot, ALMemory, its sensors, the log and the time, for authors of behaviours.
import { html, nothing, render } from "./lib/lit-html/lit-html.js";
import { Diagram } from "./diagram.js";
import { t } from "./texts.js";

const READ_PAUSE_MS = 300, LIST_PAUSE_MS = 2000;
const MAX_ROWS = 60, MAX_VALUE_LENGTH = 200, MAX_LOG_LINES = 1000;
const DEVICES = "Device/"; // shown only if somebody searches for them: there are hundreds
const GROUPS = /** @type {{[group: string]: string[]}} */ ({
  talk: ["say", "said", "hear"], moves: ["motion", "animate", "posture", "timeline"], lights: ["eyes", "leds"],
  senses: ["touch", "event"], errors: ["error", "warning", "leak", "lint"],
  output: ["log", "print", "service", "tablet", "sound", "record"], boxes: ["load", "unload", "input", "output"],
});
const SONAR = (/** @type {string} */ side) => `Device/SubDeviceList/US/${side}/Sensor/Value`;
const CHARGE = "Device/SubDeviceList/Battery/Charge/Sensor/Value";
const SPEEDS = [0, 0.25, 1, 2, 5, 20];

export class InsideView {
  /** @param {HTMLElement} host @param {import("./stage.js").Stage} stage */
  constructor(host, stage) {
    this.host = host;
    this.stage = stage;
    this.link = stage.link;
    this.diagramHost = document.createElement("div");
    this.diagramHost.className = "diagram";
    this.diagram = new Diagram(this.diagramHost, this.link);
    this.tab = "robot";
    this.search = "";
    /** @type {string[]} */
    this.keys = [];
    this.listedAt = -Infinity;
    /** @type {[string, string, boolean][]} */
    this.rows = [];
    this.group = "";
    this.speed = 1;
    this.seconds = 0;
    /** The first and last moment of a recording; null for a robot that runs. @type {[number, number] | null} */
    this.extent = null;
    this.status = "";
    this.stopListening = stage.onChange(() => {
      if (this.tab !== "memory") this.draw();
    });
    this.draw();
    this.run();
  }

  end() {
    this.hasEnded = true;
    this.diagram.end();
    this.stopListening();
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

  /** @param {string} service @param {string} method @param {...any} args */
  call(service, method, ...args) {
    return this.ask("call", { service, method, args });
  }

  async run() {
    while (!this.hasEnded && !this.link.gone) {
      try {
        const pace = await this.link.ask("pace");
        [this.speed, this.seconds] = [pace.speed, pace.seconds];
        this.extent = "ends" in pace ? [pace.begins, pace.ends] : null;
        if (this.tab === "memory") await this.readMemory();
      } catch {
        // The page says if the robot is gone.
      }
      this.draw();
      await new Promise((resolve) => setTimeout(resolve, READ_PAUSE_MS));
    }
  }

  async readMemory() {
    if (performance.now() - this.listedAt > LIST_PAUSE_MS) {
      this.listedAt = performance.now();
      this.keys = await this.link.ask("call", { service: "ALMemory", method: "getDataListName", args: [] });
    }
    const sought = this.search.toLowerCase();
    const shown = this.keys.filter((key) => (sought ? key.toLowerCase().includes(sought) : !key.startsWith(DEVICES))).slice(0, MAX_ROWS);
    const values = await this.link.ask("call", { service: "ALMemory", method: "getListData", args: [shown] });
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
    });
    render(html`<div class="inside">
      <section class="panel diagram-panel" aria-label=${t("Diagram")}>${this.diagramHost}</section>
      <section class="panel side-panel">
        ${this.drawTime()}
        <div class="side-tabs" role="tablist">${tab("robot", "Robot")}${tab("memory", "Memory")}${tab("sensors", "Sensors")}${tab("log", "Log")}</div>
        <p class="status bad" role="status">${this.status}</p>
        <div class="side" role="tabpanel">${panels[this.tab]()}</div>
      </section></div>`, this.host);
  }

  drawTime() {
    return html`<div class="time"><span class="clock">${this.seconds.toFixed(1)} s</span>
      <label>${t("Speed")} <select @change=${(/** @type {Event} */ event) =>
        this.ask("pace", { speed: Number(/** @type {HTMLSelectElement} */ (event.target).value) })}>${SPEEDS.map(
        (speed) => html`<option value=${speed} ?selected=${speed === this.speed}>${speed ? `${speed}×` : t("Stop the time")}</option>`)}</select></label>
      ${this.extent ? html`<button type="button" class="second slim" @click=${() => this.ask("step", { back: true })}>${t("Step back")}</button>` : nothing}
      <button type="button" class="second slim" @click=${() => this.ask("step")}>${t("One step")}</button>
      ${this.extent ? html`<input type="range" class="moment" aria-label=${t("Moment of the recording")} min=${this.extent[0]} max=${this.extent[1]}
          step="0.1" .value=${String(this.seconds)} @input=${(/** @type {Event} */ event) =>
            this.ask("seek", { seconds: Number(/** @type {HTMLInputElement} */ (event.target).value) })}>`
        : html`<button type="button" class="second slim" @click=${() => this.ask("start")}>${t("Start")}</button>
          <button type="button" class="second slim" @click=${() => this.ask("stop")}>${t("Stop")}</button>`}</div>`;
  }

  drawRobot() {
    return html`<div class="robot-panel">${this.stage.element}</div>
      <p class="faint">${this.stage.frame.posture ?? ""}</p>
      ${this.stage.drawTalk()}
      <form class="typing" @submit=${(/** @type {SubmitEvent} */ event) => {
        event.preventDefault();
        const field = /** @type {HTMLInputElement} */ (/** @type {HTMLFormElement} */ (event.target).elements.namedItem("line"));
        if (field.value.trim()) this.ask("hear", { phrase: field.value.trim(), confidence: 1 });
        field.value = "";
      }}><input name="line" maxlength="200" autocomplete="off" aria-label=${t("Say something to NAO")} placeholder=${t("Say something to NAO")}>
        ${this.stage.microphone?.draw() ?? nothing}<button class="second slim">${t("Say")}</button></form>
      <p class="chips">${this.stage.ears.vocabulary.slice(0, 30).map((phrase) => html`<button type="button" class="ghost slim"
        @click=${() => this.ask("hear", { phrase, confidence: 1 })}>${phrase}</button>`)}</p>
      <details><summary>${t("Touch NAO")}</summary><div class="zones">${Object.entries(this.stage.zones).map(([zone, name]) => html`
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
      if (field("key").trim()) this.call("ALMemory", method, field("key").trim(), value);
    };
    return html`<input type="search" placeholder=${t("Search keys")} aria-label=${t("Search keys")} maxlength="200"
        @input=${(/** @type {Event} */ event) => (this.search = /** @type {HTMLInputElement} */ (event.target).value)}>
      <div class="rows"><table><thead><tr><th scope="col">${t("Key")}</th><th scope="col">${t("Value")}</th></tr></thead><tbody>${this.rows.map(([key, value, hasChanged]) =>
        html`<tr class=${hasChanged ? "changed" : ""}><th scope="row">${key}</th><td>${value}</td></tr>`)}</tbody></table></div>
      <div class="typing"><input name="key" maxlength="200" placeholder=${t("Key")} aria-label=${t("Key")}>
        <input name="value" maxlength="2000" placeholder=${t("Value, as JSON or text")} aria-label=${t("Value, as JSON or text")}></div>
      <div class="typing"><button type="button" class="second slim" @click=${() => store("insertData")}>${t("Set")}</button>
        <button type="button" class="second slim" @click=${() => store("raiseEvent")}>${t("Raise event")}</button></div>`;
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
    const lines = this.stage.log.filter((event) => !kinds || kinds.includes(event.kind)).slice(-MAX_LOG_LINES);
    return html`<select aria-label=${t("Show only")} @change=${(/** @type {Event} */ event) => {
      this.group = /** @type {HTMLSelectElement} */ (event.target).value;
      this.draw();
    }}><option value="">${t("everything")}</option>${Object.keys(GROUPS).map((group) => html`<option>${group}</option>`)}</select>
      <pre class="log" tabindex="0">${lines.map((event) => html`<span class="log-${event.kind}">${event.time.toFixed(1).padStart(7)} ${event.kind} ${
        Object.values(event.fields).filter((value) => value !== null && value !== "").map((value) => (typeof value === "string" ? value : JSON.stringify(value))).join(" ").slice(0, 300)}\n</span>`)}</pre>
      <button type="button" class="second slim" @click=${() => this.saveLog()}>${t("Save the log")}</button>${nothing}`;
  }

  saveLog() {
    const text = this.stage.log.map((event) => JSON.stringify(event)).join("\n");
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "application/jsonl" }));
    link.download = "nao.jsonl";
    link.click();
    URL.revokeObjectURL(link.href);
  }
}
