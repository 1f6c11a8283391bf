// Fingers, mouse and keys on NAO's touch zones: `tell("press", zone)` and `tell("release", zone)`.
const SHORTEST = 100; // milliseconds that a zone stays pressed at least

export class Touching {
  constructor(root, zoneAt, tell) {
    this.root = root;
    this.zoneAt = zoneAt;
    this.tell = tell;
    this.held = new Map(); // what holds a zone (a pointer or a key): the zone
    this.since = new Map(); // zone: when it was pressed
    this.handlers = [
      [root, "pointerdown", (event) => this.down(event)],
      [root, "pointermove", (event) => this.hover(event)],
      [root, "keydown", (event) => this.keyDown(event)],
      [root, "keyup", (event) => this.letGo("key " + event.code)],
      [root, "focusout", () => this.letGoAll("key ")],
      [root, "click", (event) => this.click(event)],
      [root, "contextmenu", (event) => this.zoneOf(event) && event.preventDefault()],
      [window, "pointerup", (event) => this.letGo("pointer " + event.pointerId)],
      [window, "pointercancel", (event) => this.letGo("pointer " + event.pointerId)],
      [window, "blur", () => this.letGoAll("")],
    ];
    // Capturing: a finger on a zone touches the robot and must not turn the view as well.
    for (const [target, type, handler] of this.handlers) target.addEventListener(type, handler, true);
  }

  end() {
    for (const [target, type, handler] of this.handlers) target.removeEventListener(type, handler, true);
    this.letGoAll("");
  }

  // Mark the zones that the robot feels.
  mark(touched) {
    for (const element of this.root.querySelectorAll("[data-zone]")) {
      const isTouched = touched.includes(element.dataset.zone);
      element.classList.toggle("is-touched", isTouched);
      if (element.hasAttribute("aria-pressed")) element.setAttribute("aria-pressed", String(isTouched));
    }
  }

  zoneOf(event) {
    const marked = event.target.closest?.("[data-zone]");
    return marked ? marked.dataset.zone : event.target.tagName === "CANVAS" ? this.zoneAt(event) : undefined;
  }

  down(event) {
    const zone = event.button === 0 ? this.zoneOf(event) : undefined;
    if (!zone) return;
    event.stopPropagation();
    this.hold("pointer " + event.pointerId, zone);
  }

  hover(event) {
    if (event.target.tagName === "CANVAS" && !event.buttons) {
      event.target.style.cursor = this.zoneAt(event) ? "pointer" : "grab";
    }
  }

  keyDown(event) {
    const zone = event.code === "Enter" || event.code === "Space" ? event.target.dataset?.zone : undefined;
    if (!zone) return;
    event.preventDefault(); // Neither a click nor a scroll follows.
    if (!event.repeat) this.hold("key " + event.code, zone);
  }

  // A screen reader clicks without a pointer and without a key.
  click(event) {
    const zone = event.detail === 0 && event.target.closest?.("[data-zone]")?.dataset.zone;
    if (!zone) return;
    this.hold("click", zone);
    this.letGo("click");
  }

  hold(holder, zone) {
    this.letGo(holder);
    const isNew = ![...this.held.values()].includes(zone);
    this.held.set(holder, zone);
    if (!isNew) return;
    this.since.set(zone, performance.now());
    this.tell("press", zone);
  }

  letGo(holder) {
    const zone = this.held.get(holder);
    if (zone === undefined) return;
    this.held.delete(holder);
    const since = this.since.get(zone);
    setTimeout(() => {
      const isHeld = [...this.held.values()].includes(zone);
      if (!isHeld && this.since.get(zone) === since) {
        this.since.delete(zone);
        this.tell("release", zone);
      }
    }, Math.max(0, since + SHORTEST - performance.now()));
  }

  letGoAll(kind) {
    for (const holder of [...this.held.keys()]) if (holder.startsWith(kind)) this.letGo(holder);
  }
}
