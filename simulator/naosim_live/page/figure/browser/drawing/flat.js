// NAO as an SVG seen from the front: moves its parts by name and lights its lamps.
import { Life, brightness } from "nao-drawing/life.js";

const LIVES_EVERY = 50; // milliseconds between two pictures of breath, nod and blinking
const OFF = 0.12; // how bright a lamp that is off is drawn

export class FlatDrawing {
  kind = "flat";

  constructor(svg, binding) {
    this.svg = svg;
    this.parts = new Map([...svg.querySelectorAll("[data-part]")].map((part) => [part.dataset.part, part]));
    this.lamps = binding.lamps.map((lamp, at) => ({ ...lamp, drawn: svg.querySelector(`[data-lamp="${at}"]`) }));
    this.frame = {};
    this.life = new Life();
    this.timer = setInterval(() => this.live(), LIVES_EVERY);
  }

  end() {
    clearInterval(this.timer);
  }

  show(changes) {
    Object.assign(this.frame, changes);
    if (changes.flat) this.move(changes.flat);
    if (changes.lights) this.light();
  }

  zoneAt() {
    return undefined; // The zones are elements here.
  }

  turn() {}

  angles() {
    return this.frame.angles;
  }

  move({ lines, marks, trunk, head }) {
    for (const [name, [x1, y1, x2, y2]] of Object.entries(lines)) this.set(name, { x1, y1, x2, y2 });
    for (const [name, [x, y]] of Object.entries(marks)) this.set(name, { transform: `translate(${x} ${y})` });
    this.set("trunk", { points: trunk.join(" ") });
    this.head = head;
    this.turnHead();
  }

  turnHead() {
    if (!this.head) return;
    const [x, y, across, down] = this.head;
    this.set("head", { transform: `translate(${x} ${y - 1.5 * this.life.breath})` });
    this.set("face", { transform: `translate(${across} ${down + 40 * this.life.nod})` });
  }

  set(name, attributes) {
    for (const [key, value] of Object.entries(attributes)) this.parts.get(name)?.setAttribute(key, value);
  }

  live() {
    const wasShut = this.life.isShut;
    if (!this.life.advance(performance.now(), this.frame)) return;
    this.turnHead();
    if (wasShut !== this.life.isShut) this.light();
  }

  light() {
    for (const { drawn, lights, isEye } of this.lamps) {
      const isShut = isEye && this.life.isShut;
      const shown = isShut ? [0, 0, 0] : brightness(lights, this.frame.lights);
      drawn.style.fill = `rgb(${shown.map((part) => Math.round(255 * (OFF + (1 - OFF) * part))).join(" ")})`;
    }
  }
}
