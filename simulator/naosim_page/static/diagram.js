// The running diagram: the robot draws its boxes as SVG; here they are lit, signals travel, and a person opens them.
import { html, nothing, render } from "./lib/lit-html/lit-html.js";
import { splitPython } from "./colours.js";
import { letPan } from "./panning.js";
import { t } from "./texts.js";

const SVG = "http://www.w3.org/2000/svg";
const READ_PAUSE_MS = 200;
const TRAVEL_MS = 450, LIT_MS = 700, FLASH_MS = 350;
const MAX_TRAVELLING = 30;
const MIN_ZOOM = 0.25, MAX_ZOOM = 3;
const TEXT_SIZE = 12.5, READ_PX = 13; // the size of texts on the sheet, and in a diagram that opens
const OPENING_ZOOM = READ_PX / TEXT_SIZE;
const STAY_MS = 6000; // after a person's last move the sheet stays where it is, even if what runs is out of sight
const NEW_S = 2; // older signals are not shown when somebody begins to look
const reducesMotion = window.matchMedia("(prefers-reduced-motion: reduce)");

const SHAPES = new Set(["svg", "g", "rect", "path", "circle", "text", "title"]);
const ATTRIBUTES = /^(class|id|role|tabindex|d|x|y|r|rx|cx|cy|width|height|viewBox|transform|text-anchor|(data|aria)-[a-z]+|xmlns)$/;

/** Return an SVG text as an element, without anything that could run or fetch: it comes from a stranger's worker. @param {string} text */
function parseSvg(text) {
  const drawn = document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
  for (const each of [drawn, ...drawn.querySelectorAll("*")]) {
    if (!SHAPES.has(each.localName)) each.remove();
    for (const { name } of [...each.attributes]) if (!ATTRIBUTES.test(name)) each.removeAttribute(name);
  }
  return SHAPES.has(drawn.localName) ? drawn : document.createElementNS(SVG, "svg");
}

export class Diagram {
  /** @param {HTMLElement} host @param {import("./link.js").Link} link @param {boolean} isAwaited whether a behaviour is sure to be loaded */
  constructor(host, link, isAwaited) {
    this.host = host;
    this.link = link;
    this.isAwaited = isAwaited;
    /** @type {any} */
    this.told = null;
    /** Why there is no diagram: the robot has no behaviour, or its refusal. */
    this.isEmpty = false;
    this.failure = "";
    /** @type {any} */
    this.details = null;
    this.picked = "";
    this.position = -1;
    /** The size that a person has chosen, 0 for the whole diagram, "open" for one at which names are read. @type {number | "open"} */
    this.zoom = "open";
    this.travelling = 0;
    this.moved = -Infinity;
    this.follows = true;
    this.paper = document.createElement("div");
    this.paper.className = "paper";
    this.paper.tabIndex = 0;
    this.strip = document.createElement("div");
    this.strip.className = "paper strip";
    for (const type of ["wheel", "pointerdown", "keydown", "touchmove"]) {
      this.paper.addEventListener(type, () => (this.moved = performance.now()), { passive: true });
    }
    letPan(this.paper, (factor, x, y) => this.scale(factor, x, y));
    for (const element of [this.paper, this.strip]) {
      element.addEventListener("click", (event) => this.press(event));
      element.addEventListener("keydown", (event) => this.key(event));
    }
    this.paper.addEventListener("dblclick", (event) => this.openBox(event));
    this.sizes = new ResizeObserver(() => this.fit());
    this.sizes.observe(this.paper);
    this.draw();
    this.run();
  }

  end() {
    this.hasEnded = true;
    this.sizes.disconnect();
  }

  async run() {
    while (!this.hasEnded && !this.link.gone) {
      try {
        if (!this.told?.behaviour) await this.show();
        else await this.read();
        this.failure = "";
      } catch (error) {
        if (this.link.gone) return; // The page says so.
        // A behaviour that was replaced is asked for again.
        if (!this.told) {
          this.failure = String(/** @type {Error} */ (error).message);
          this.draw();
        }
        this.told = null;
      }
      await new Promise((resolve) => setTimeout(resolve, READ_PAUSE_MS));
    }
  }

  /** Show a box's diagram. @param {string} [behaviour] @param {string} [box] @param {number} [place] */
  async show(behaviour = "", box = "", place = 0) {
    const told = await this.link.ask("drawing", { behaviour, box, place });
    this.isEmpty = !told.behaviour;
    if (this.isEmpty) {
      if (!this.told) this.draw();
      return;
    }
    const moved = told.behaviour !== this.told?.behaviour || told.address !== this.told?.address;
    if (moved || told.place !== this.told?.place) this.position = -1;
    if (moved) {
      this.follows = true;
      this.close();
      this.zoom = "open";
    }
    this.told = told;
    this.paper.replaceChildren(parseSvg(told.sheet));
    this.paper.firstElementChild?.setAttribute("aria-label", t("Diagram of {name}", { name: told.trail.at(-1)?.[1] || "root" }));
    this.strip.replaceChildren(...(told.strip ? [parseSvg(told.strip)] : []));
    this.draw();
    this.fit();
    if (moved) this.showStart();
  }

  async read() {
    const { behaviour, address, place } = this.told;
    const state = await this.link.ask("signals", { behaviour, box: address, place, since: this.position });
    if (this.told.address !== address || this.told.place !== place) return;
    if (state.position === this.position && !state.timeline) return;
    const isFirst = this.position < 0;
    this.position = state.position;
    this.state = state;
    const hasEnded = !state.behaviours.includes(behaviour);
    if (state.loads !== this.told.loads || (hasEnded && state.behaviours.length)) {
      await this.show(hasEnded ? state.latest : behaviour, hasEnded ? "" : address, hasEnded ? 0 : place);
    }
    const layer = this.told.keyframes[this.told.place]?.[2];
    const active = state.active.filter((/** @type {number} */ at) => this.told.keyframes[at]?.[2] === layer);
    if (this.follows && active.length && !active.includes(this.told.place)) {
      await this.show(behaviour, address, active[0]);
      return;
    }
    this.light(state);
    for (const signal of state.signals) if (!isFirst || state.now - signal[1] < NEW_S) this.travel(signal);
    if (this.picked) await this.readDetails();
  }

  boxes() {
    return /** @type {SVGGElement[]} */ ([...this.paper.querySelectorAll(".diagram-box")]);
  }

  /** @param {any} state */
  light(state) {
    const runs = new Set(state.runs), errors = new Map(state.errors);
    for (const box of this.boxes()) {
      const id = Number(box.dataset.id), count = errors.get(id) || 0;
      const badge = /** @type {SVGGElement} */ (box.querySelector(".diagram-errors")), lint = Number(badge.dataset.lint);
      box.classList.toggle("runs", runs.has(id));
      box.classList.toggle("failed", count > 0);
      badge.classList.toggle("none", !count && !lint);
      /** @type {SVGTextElement} */ (badge.querySelector("text")).textContent = count ? String(Math.min(count, 99)) : lint ? "!" : "";
      const [, name, kind] = /^(.*), (.*)$/.exec(box.dataset.label ?? "") ?? ["", "", "box"];
      box.setAttribute("aria-label", [name, t(kind), ...(runs.has(id) ? [t("running")] : []), ...(count ? [t("errors: {count}", { count })] : [])].join(", "));
    }
    const active = new Set(state.active);
    for (const frame of /** @type {NodeListOf<SVGGElement>} */ (this.strip.querySelectorAll(".diagram-keyframe"))) {
      frame.classList.toggle("runs", active.has(Number(frame.dataset.place)));
    }
    const head = /** @type {SVGPathElement | null} */ (this.strip.querySelector(".diagram-playhead"));
    if (head?.ownerSVGElement && state.timeline) {
      const { start, frame } = head.ownerSVGElement.dataset;
      head.style.transform = `translateX(${(state.timeline[0] - Number(start)) * Number(frame)}px)`;
    }
    this.showRunning();
  }

  showRunning() {
    if (performance.now() - this.moved < STAY_MS) return;
    const edges = this.paper.getBoundingClientRect();
    const running = [...this.paper.querySelectorAll(".diagram-box.runs .diagram-body")].map((box) => box.getBoundingClientRect());
    const isSeen = (/** @type {DOMRect} */ box) =>
      box.right > edges.left && box.left < edges.right && box.bottom > edges.top && box.top < edges.bottom;
    if (!running.length || running.some(isSeen)) return;
    this.center(running[0], reducesMotion.matches ? "auto" : "smooth");
  }

  /** Show the place where the diagram begins. */
  showStart() {
    const dot = this.paper.querySelector(".diagram-dot") ?? this.paper.querySelector(".diagram-body");
    if (dot) this.center(dot.getBoundingClientRect(), "auto");
  }

  /** @param {DOMRect} box @param {ScrollBehavior} behavior */
  center(box, behavior) {
    const edges = this.paper.getBoundingClientRect();
    this.paper.scrollBy({ left: (box.left + box.right - edges.left - edges.right) / 2,
      top: (box.top + box.bottom - edges.top - edges.bottom) / 2, behavior });
  }

  /** Let a signal travel along its link. @param {any[]} signal */
  travel([, , emitter, output, receiver, input, value]) {
    const link = /** @type {SVGPathElement | null} */ (this.paper.querySelector(`[data-ends~="${emitter}:${output}:${receiver}:${input}"]`));
    const arrive = () => flash(this.paper.querySelector(`.diagram-box[data-id="${receiver}"]`), "flashes", FLASH_MS);
    if (!link) return arrive(); // Its output is a tag.
    flash(link, "lit", LIT_MS);
    if (reducesMotion.matches || this.travelling >= MAX_TRAVELLING) return arrive();
    this.travelling++;
    const mark = document.createElementNS(SVG, "g"), dot = document.createElementNS(SVG, "circle");
    mark.classList.add("diagram-signal");
    dot.setAttribute("r", "5");
    mark.append(dot);
    if (value) {
      const text = document.createElementNS(SVG, "text");
      text.textContent = value.length > 24 ? `${value.slice(0, 23)}…` : value;
      text.setAttribute("y", "-8");
      mark.append(text);
    }
    this.paper.querySelector(".diagram-flow")?.append(mark);
    const length = link.getTotalLength(), began = performance.now();
    const step = (/** @type {number} */ now) => {
      const part = Math.min(1, Math.max(0, (now - began) / TRAVEL_MS)), at = link.getPointAtLength(length * part);
      mark.setAttribute("transform", `translate(${at.x} ${at.y})`);
      if (part < 1 && mark.isConnected) return requestAnimationFrame(step);
      mark.remove();
      this.travelling--;
      arrive();
    };
    step(began);
  }

  /** Give the sheet its size: the chosen one, or one at which the whole diagram is seen, or names are read. */
  fit() {
    const svg = /** @type {SVGSVGElement | null} */ (this.paper.querySelector("svg"));
    if (!svg) return;
    const { width, height } = svg.viewBox.baseVal;
    const whole = Math.min((this.paper.clientWidth - 4) / width, (this.paper.clientHeight - 4) / height);
    const least = this.zoom === "open" ? OPENING_ZOOM : MIN_ZOOM;
    const zoom = typeof this.zoom === "number" && this.zoom ? this.zoom : Math.max(least, Math.min(1.4, whole));
    svg.setAttribute("width", String(width * zoom));
    svg.setAttribute("height", String(height * zoom));
    this.shownZoom = zoom;
  }

  /** Zoom around a place in the window, by default the middle. @param {number} factor 0 shows the whole diagram
   * @param {number} [x] @param {number} [y] */
  scale(factor, x, y) {
    const svg = this.paper.querySelector("svg"), edges = this.paper.getBoundingClientRect();
    if (!svg) return;
    const [left, top] = [x ?? (edges.left + edges.right) / 2, y ?? (edges.top + edges.bottom) / 2];
    const before = svg.getBoundingClientRect();
    this.zoom = factor ? Math.max(MIN_ZOOM, Math.min(MAX_ZOOM, (this.shownZoom ?? 1) * factor)) : 0;
    this.fit();
    // The place stays under the pointer.
    const after = svg.getBoundingClientRect();
    const across = (left - before.left) / before.width, down = (top - before.top) / before.height;
    this.paper.scrollBy({ left: after.left + across * after.width - left, top: after.top + down * after.height - top, behavior: "instant" });
  }

  /** @param {Event} event */
  press(event) {
    const target = /** @type {Element} */ (event.target);
    const frame = /** @type {SVGGElement | null} */ (target.closest(".diagram-keyframe"));
    const box = /** @type {SVGGElement | null} */ (target.closest(".diagram-box"));
    if (frame) {
      this.follows = false;
      this.show(this.told.behaviour, this.told.address, Number(frame.dataset.place));
    } else if (box) this.pick(box.dataset.address ?? "");
  }

  /** @param {Event} event */
  openBox(event) {
    const box = /** @type {SVGGElement | null} */ (/** @type {Element} */ (event.target).closest(".diagram-box"));
    if (box?.dataset.opens === "1") this.show(this.told.behaviour, box.dataset.address);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const box = /** @type {SVGGElement | null} */ (/** @type {Element} */ (event.target).closest(".diagram-box"));
    const acts = event.key === "Enter" || event.key === " ";
    if (box && event.key === "Enter" && box.dataset.opens === "1") this.show(this.told.behaviour, box.dataset.address);
    else if (acts) this.press(event);
    else if (event.key === "Backspace") this.goUp();
    else if (!box || !this.walk(box, event.key)) return;
    event.preventDefault();
  }

  /** Go to the next box in the direction of an arrow key. @param {SVGGElement} box @param {string} key */
  walk(box, key) {
    const way = /** @type {{[key: string]: [number, number]}} */ ({ ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] })[key];
    if (!way) return false;
    const middle = (/** @type {SVGGElement} */ one) => {
      const { x, y, width, height } = /** @type {SVGRectElement} */ (one.querySelector(".diagram-body")).getBBox();
      return [x + width / 2, y + height / 2];
    };
    const [x, y] = middle(box);
    let best = box, least = Infinity;
    for (const other of this.boxes()) {
      const [u, v] = middle(other), ahead = (u - x) * way[0] + (v - y) * way[1];
      const aside = Math.abs((u - x) * way[1]) + Math.abs((v - y) * way[0]);
      if (other !== box && ahead > 1 && ahead + 2 * aside < least) [best, least] = [other, ahead + 2 * aside];
    }
    for (const each of this.boxes()) each.setAttribute("tabindex", each === best ? "0" : "-1");
    best.focus();
    return true;
  }

  goUp() {
    const trail = this.told.trail;
    if (trail.length > 1) this.show(this.told.behaviour, trail.at(-2)[0], trail.at(-2)[2]);
  }

  /** Show what is in a box. @param {string} address */
  async pick(address) {
    this.picked = address;
    for (const box of this.boxes()) box.classList.toggle("picked", box.dataset.address === address);
    await this.readDetails();
  }

  async readDetails() {
    const picked = this.picked;
    const details = await this.link.ask("box", { behaviour: this.told.behaviour, box: picked });
    if (picked !== this.picked) return;
    this.details = details;
    this.draw();
  }

  close() {
    this.picked = "";
    this.details = null;
    for (const box of this.boxes()) box.classList.remove("picked");
    this.draw();
  }

  draw() {
    const told = this.told;
    render(html`
      <div class="diagram-bar">
        ${told?.behaviours.length > 1 ? html`<select aria-label=${t("Behaviour")} @change=${(/** @type {Event} */ event) =>
          this.show(/** @type {HTMLSelectElement} */ (event.target).value)}>${told.behaviours.map(
          (/** @type {[string, boolean]} */ [name]) => html`<option ?selected=${name === told.behaviour}>${name}</option>`)}</select>` : nothing}
        <nav class="trail" aria-label=${t("Diagram")}>${told?.trail.map((/** @type {any[]} */ [address, name, place], /** @type {number} */ at) => html`
          <button type="button" class="ghost slim" aria-current=${at === told.trail.length - 1 ? "page" : "false"}
            @click=${() => this.show(told.behaviour, address, place)}>${name || "root"}</button>`)}</nav>
        <button type="button" class="ghost slim" aria-label=${t("Smaller")} @click=${() => this.scale(0.8)}>−</button>
        <button type="button" class="ghost slim" @click=${() => this.scale(0)}>${t("Fit")}</button>
        <button type="button" class="ghost slim" aria-label=${t("Larger")} @click=${() => this.scale(1.25)}>+</button>
      </div>
      <div class="diagram-columns ${this.details ? "with-details" : ""}">
        <div class="papers">${told && this.strip.childNodes.length ? this.strip : nothing}${told ? this.paper : html`<p class="no-diagram">${
          this.failure || t(this.isEmpty && !this.isAwaited ? "No behaviour is loaded." : "NAO's diagram is on its way …")}</p>`}</div>
        ${this.details ? this.drawDetails() : nothing}</div>
      <p class="faint">${told ? t("Click or Space shows a box, double-click or Enter opens it. Drag to move, wheel to zoom.") : nothing}</p>`, this.host);
  }

  drawDetails() {
    const { name, kind, path, tooltip, opens, address, errors, lint, parameters, resources, script, is_cut: isCut, dialog } = this.details;
    const list = (/** @type {string} */ heading, /** @type {string[]} */ lines, look = "") =>
      lines.length ? html`<h3>${heading}</h3><ul class=${look}>${lines.map((line) => html`<li>${line}</li>`)}</ul>` : nothing;
    return html`<aside class="details" aria-label=${t("Details of a box")}>
      <div class="diagram-bar"><h2>${name || "root"}</h2>
        ${opens && address !== this.told.address ? html`<button type="button" class="second slim" @click=${() => this.show(this.told.behaviour, address)}>${t("Open")}</button>` : nothing}
        <button type="button" class="ghost slim" @click=${() => this.close()}>${t("Close")}</button></div>
      <p class="faint">${t(`${kind} box`)}, ${path}</p>${tooltip ? html`<p>${tooltip}</p>` : nothing}
      ${list(t("Errors"), errors.map((/** @type {any[]} */ [time, where, message, handled]) =>
        `${time.toFixed(1)} s, ${where}: ${message}${handled ? " (handled by onError)" : ""}`), "bad")}
      ${list(t("Lint"), lint.map((/** @type {string[]} */ [severity, , sentence]) => `${severity}: ${sentence}`))}
      ${parameters.length ? html`<h3>${t("Parameters")}</h3><table><tbody>${parameters.map((/** @type {any} */ row) => html`<tr>
        <th scope="row">${row.name}</th><td>${JSON.stringify(row.value)}</td><td class="faint">${row.type}</td></tr>`)}</tbody></table>` : nothing}
      ${list(t("Resources"), resources.map((/** @type {any[]} */ [resource, lock]) => `${resource}: ${lock}`))}
      ${list(t("Dialog"), dialog ? [dialog] : [])}
      ${script ? html`<h3>${t("Script")}</h3><pre class="script" tabindex="0">${splitPython(script).map(([text, colour]) =>
        (colour ? html`<span class="python-${colour}">${text}</span>` : text))}${isCut ? "\n…" : ""}</pre>` : nothing}
    </aside>`;
  }
}

/** Give an element a class for a moment. @param {Element | null} element @param {string} name @param {number} duration */
function flash(element, name, duration) {
  if (!element) return;
  element.classList.add(name);
  setTimeout(() => element.classList.remove(name), duration);
}
