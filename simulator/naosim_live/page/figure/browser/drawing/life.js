// What is drawn of a living robot and is no movement of its joints: breath, blinking, and a nod while it speaks.
const BLINK = 130, LEAST = 2500, MOST = 6500; // milliseconds: how long the eyes are shut, and between two blinks
const still = window.matchMedia("(prefers-reduced-motion: reduce)");

export class Life {
  constructor() {
    this.nodding = 0;
    this.blinks = 0;
    this.breath = 0;
    this.nod = 0;
    this.isShut = false;
  }

  // Work out `breath` (-1 to 1), `nod` (radians) and `isShut` at a time in milliseconds; return whether any has changed.
  advance(now, frame) {
    const before = [this.breath, this.nod, this.isShut];
    const [perMinute, depth] = still.matches ? [0, 0] : frame.breath || [0, 0];
    this.breath = perMinute ? depth * Math.sin((now / 60000) * perMinute * 2 * Math.PI) : 0;
    const wanted = frame.is_speaking && !still.matches ? 1 : 0;
    this.nodding += (wanted - this.nodding) * 0.15;
    if (Math.abs(wanted - this.nodding) < 0.01) this.nodding = wanted;
    this.nod = this.nodding * (0.035 * Math.sin(now / 170) + 0.02 * Math.sin(now / 97));
    this.isShut = this.blink(now, frame.is_blinking && !still.matches);
    return before[0] !== this.breath || before[1] !== this.nod || before[2] !== this.isShut;
  }

  blink(now, isBlinking) {
    if (!isBlinking) return false;
    if (now > this.blinks + BLINK) this.blinks = now + LEAST + Math.random() * (MOST - LEAST);
    return now > this.blinks;
  }
}

// Return how bright the three lights of a lamp are, 0 to 1; a lamp that is blue by itself is seen paler than the light.
export function brightness(lights, hex) {
  const [red, green, blue] = lights.map((at) => (at < 0 ? 0 : parseInt(hex.substr(2 * at, 2), 16) / 255));
  return lights[0] < 0 ? [0.15 * blue, 0.5 * blue, blue] : [red, green, blue];
}
