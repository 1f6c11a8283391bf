// NAO in three dimensions: one mesh of simple solids for each joint. Draws only if something would look different, and no
// more often and no sharper than this computer draws easily.
import * as THREE from "./lib/three/three.module.min.js";

/** @typedef {{shape: string, joint: string, place: number[], size: number[], colour: string, turn: number[], zone: string,
 *   taper: number}} Solid */
/** @typedef {{joints: {name: string, parent: string, place: number[], turn: number[], axis: number[],
 *   base: number, gain: number}[],
 *   order: string[], solids: Solid[], lamps: {joint: string, place: number[], size: number, lights: number[],
 *   isEye: boolean, isEar: boolean}[], zones: {[zone: string]: string}, name: string,
 *   view: {distance: number, headDistance: number, middle: number, head: number}}} Body */

const EASE_S = 0.06, EASE_TORSO_S = 0.12; // most of the way to the newest frame is made in this time
const STILL = 1e-4; // radians and metres that nobody sees
const TOUCHED_COLOUR = new THREE.Color(0xff7a1a), lit = new THREE.Color();
const FIRST_TURN = 0.255; // radians
/** Pixels of the picture for each point of the page, from fine to coarse. */
const PIXEL_RATIOS = [2, 1.5, 1, 0.75];
/** A picture should take this long at most; if all take less than the second number, they can be finer. */
const SLOW_MS = 22, FAST_MS = 4;
const SAMPLES = 6, SAMPLE_EVERY = 50; // pictures that are measured before a change, and one in so many later
/** Milliseconds between two pictures at least, and how much of the time drawing may take: while NAO moves, and only breathes. */
const MOVING = { pause: 33, share: 0.5 }, RESTING = { pause: 100, share: 0.15 };
const BLINK_MS = 130, MIN_BLINK_PAUSE_MS = 2500, MAX_BLINK_PAUSE_MS = 6500;
const EAR_JOINT = "HeadPitch", EAR_DISTANCE = 0.05; // lamps of the head that are farther from its middle are in the ears
const MIN_PRESS_MS = 120;
const reducesMotion = window.matchMedia("(prefers-reduced-motion: reduce)");

/** Return whether this browser can draw in three dimensions. */
export function canDraw() {
  try {
    return Boolean(document.createElement("canvas").getContext("webgl2"));
  } catch {
    return false;
  }
}

export class Figure {
  /** @param {HTMLElement} host @param {Body} body @param {(verb: "press" | "release", zone: string) => void} touch */
  constructor(host, body, touch) {
    this.host = host;
    this.touch = touch;
    /** @type {any} */
    this.frame = {};
    this.isStale = true;
    this.isHead = false;
    this.isListening = false;
    this.last = performance.now();
    this.drawnAt = 0;
    this.pictures = 0;
    /** How long the pictures that were measured took, in milliseconds. @type {number[]} */
    this.costs = [];
    this.cost = FAST_MS;
    this.mayBeFiner = true;
    // Twice as many pixels smooth edges as well as antialiasing does, and can be taken back.
    this.renderer = new THREE.WebGLRenderer({ antialias: false, alpha: true, powerPreference: "low-power" });
    this.sharpness = PIXEL_RATIOS.findIndex((ratio) => ratio <= Math.max(1, window.devicePixelRatio));
    this.renderer.setPixelRatio(PIXEL_RATIOS[this.sharpness]);
    const canvas = this.renderer.domElement;
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", body.name);
    host.append(canvas);
    this.scene = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(34, 1, 0.05, 20);
    this.camera.up.set(0, 0, 1);
    this.view = body.view;
    this.orbit = { turn: FIRST_TURN, lift: 0.16 };
    this.middle = new THREE.Vector3();
    this.scene.add(new THREE.HemisphereLight(0xffffff, 0xb8c0cc, 2.2));
    const sun = new THREE.DirectionalLight(0xffffff, 1.6);
    sun.position.set(1.5, 1, 2.5);
    this.scene.add(sun);
    const floor = new THREE.Mesh(
      new THREE.CircleGeometry(0.48 * body.view.distance, 48), new THREE.MeshBasicMaterial({ color: 0x8a95a3, transparent: true, opacity: 0.18 }));
    this.floor = floor;
    this.scene.add(floor);
    this.torso = new THREE.Group();
    this.breathing = new THREE.Group();
    this.nodding = new THREE.Group();
    /** @type {{mesh: THREE.Object3D, axis: THREE.Vector3, rest: THREE.Quaternion, base: number, gain: number, shown: number | undefined}[]} */
    this.joints = [];
    /** @type {{part: Part, zone: string, colour: THREE.Color}[]} */
    this.zones = [];
    /** @type {{part: Part, lights: number[], isEye: boolean, isEar: boolean}[]} */
    this.lamps = [];
    this.isShut = false;
    this.build(body);
    this.sizes = new ResizeObserver(() => this.resize());
    this.sizes.observe(host);
    this.resize();
    this.listenToHands(canvas);
    this.nextBlink = 0;
    this.loop = (/** @type {number} */ now) => {
      this.request = requestAnimationFrame(this.loop);
      this.draw(now);
    };
    this.request = requestAnimationFrame(this.loop);
  }

  end() {
    cancelAnimationFrame(this.request);
    this.sizes.disconnect();
    this.renderer.dispose();
    this.renderer.forceContextLoss(); // A browser has few of them.
    this.renderer.domElement.remove();
  }

  /** Show only the head and the shoulders, where there is little room. @param {boolean} isHead */
  showHead(isHead) {
    this.isHead = isHead;
    this.isStale = true;
  }

  /** Take what has changed of the robot. @param {any} changes */
  show(changes) {
    Object.assign(this.frame, changes);
    if (changes.lights) this.light();
    if (changes.touched) this.mark();
    this.isStale = true;
  }

  /** Let the ears glow while NAO listens. @param {boolean} isListening */
  showListening(isListening) {
    this.isListening = isListening;
    this.light();
    this.isStale = true;
  }

  /** Turn the view. @param {number} radians */
  turnView(radians) {
    this.orbit.turn += radians;
    this.isStale = true;
  }

  /** Return the angles that are drawn, in the order of the frame. */
  angles() {
    return this.joints.map((joint) => joint.shown);
  }

  /** @param {Body} body */
  build(body) {
    /** @type {Map<string, THREE.Object3D>} */
    const groups = new Map();
    const group = (/** @type {string} */ name, /** @type {THREE.Object3D} */ above, /** @type {number[]} */ place) => {
      const made = new THREE.Group();
      made.position.fromArray(place);
      above.add(made);
      groups.set(name, made);
      return made;
    };
    this.torso = group("Pelvis", this.scene, [0, 0, 0.333]);
    this.breathing = group("Torso", this.torso, [0, 0, 0]);
    const joints = new Map();
    for (const { name, parent, place, turn, axis, base, gain } of body.joints) {
      const mesh = group(name, /** @type {THREE.Object3D} */ (groups.get(parent)), place);
      joints.set(name, { mesh, axis: new THREE.Vector3(...axis), rest: turned(turn), base, gain, shown: undefined });
    }
    this.joints = body.order.map((name) => joints.get(name));
    groups.get("HeadPitch")?.add(this.nodding);
    groups.set("HeadPitch", this.nodding);
    const bodyParts = new Map(), lampParts = new Map();
    const shapesOf = (/** @type {Map<string, Shapes>} */ parts, /** @type {string} */ joint) =>
      parts.get(joint) ?? /** @type {Shapes} */ (parts.set(joint, new Shapes()).get(joint));
    for (const solid of body.solids) {
      const colour = new THREE.Color(solid.colour), part = shapesOf(bodyParts, solid.joint).add(makeSolid(solid), colour);
      if (solid.zone) this.zones.push({ part, zone: solid.zone, colour });
    }
    this.lamps = body.lamps.map(({ joint, place, size, lights, isEye }) => {
      const ball = new THREE.SphereGeometry(size, 6, 4).translate(place[0], place[1], place[2]);
      const part = shapesOf(lampParts, joint).add(ball, new THREE.Color(0x20262f));
      return { part, lights, isEye, isEar: joint === EAR_JOINT && Math.abs(place[1]) > EAR_DISTANCE };
    });
    const surface = new THREE.MeshLambertMaterial({ vertexColors: true }), glass = new THREE.MeshBasicMaterial({ vertexColors: true });
    for (const [joint, shapes] of bodyParts) groups.get(joint)?.add(shapes.mesh(surface));
    for (const [joint, shapes] of lampParts) {
      const mesh = shapes.mesh(glass);
      mesh.raycast = () => {}; // Fingers reach the touch zones behind the lamps.
      groups.get(joint)?.add(mesh);
    }
  }

  resize() {
    const { clientWidth, clientHeight } = this.host;
    if (!clientWidth || !clientHeight) return;
    this.renderer.setSize(clientWidth, clientHeight);
    this.camera.aspect = clientWidth / clientHeight;
    this.camera.updateProjectionMatrix();
    this.isStale = true;
  }

  placeCamera() {
    const { x, y, z } = this.torso.position;
    const wanted = this.isHead ? new THREE.Vector3(x, y, z + this.view.head) : new THREE.Vector3(x, y, this.view.middle * z);
    this.middle.copy(wanted);
    // A narrow view needs more distance for the arms.
    const distance = (this.isHead ? this.view.headDistance : this.view.distance) * Math.max(1, 0.8 / this.camera.aspect);
    const { turn, lift } = this.orbit;
    this.camera.position.set(
      x + distance * Math.cos(turn) * Math.cos(lift), y + distance * Math.sin(turn) * Math.cos(lift),
      wanted.z + distance * Math.sin(lift));
    this.camera.lookAt(this.middle);
    this.floor.position.set(x, y, 0);
  }

  /** @param {number} now */
  draw(now) {
    // Browsers call this up to 144 times a second.
    if (document.hidden || now - this.last < MOVING.pause - 4) return;
    const seconds = Math.min((now - this.last) / 1000, 0.25);
    this.last = now;
    if (this.turnJoints(1 - Math.exp(-seconds / EASE_S))) this.isStale = true;
    if (this.moveTorso(1 - Math.exp(-seconds / EASE_TORSO_S))) this.isStale = true;
    const isAlive = this.live(now), { pause, share } = this.isStale || this.frame.is_speaking ? MOVING : RESTING;
    if (!(this.isStale || isAlive) || now - this.drawnAt < Math.max(pause, this.cost / share) - 4) return;
    this.isStale = false;
    this.drawnAt = now;
    this.pictures++;
    this.placeCamera();
    const begin = performance.now();
    this.renderer.render(this.scene, this.camera);
    if (this.costs.length < SAMPLES || this.pictures % SAMPLE_EVERY === 0) this.measure(begin);
  }

  /** Measure a picture, and make the next ones coarser or finer if all the latest ones say so. @param {number} begin */
  measure(begin) {
    const gl = this.renderer.getContext();
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4)); // waits for the picture
    // The first picture compiles the shaders.
    if (this.pictures === 1) return;
    this.costs = [...this.costs, performance.now() - begin].slice(-SAMPLES);
    const costs = [...this.costs].sort((one, other) => one - other);
    // Another program can have slowed some of them down, but hardly all.
    this.cost = costs[0];
    if (costs.length < SAMPLES) return;
    const isSlow = this.cost > SLOW_MS && this.sharpness < PIXEL_RATIOS.length - 1;
    if (!isSlow && !(this.mayBeFiner && this.sharpness && costs[SAMPLES - 1] < FAST_MS)) return;
    // Never up again after a step down: the picture would flicker between two.
    if (isSlow) this.mayBeFiner = false;
    this.sharpness += isSlow ? 1 : -1;
    this.costs = [];
    this.renderer.setPixelRatio(PIXEL_RATIOS[this.sharpness]);
    this.renderer.render(this.scene, this.camera); // A canvas of another size is empty.
  }

  /** Breathe, nod while speaking, and blink; return whether anything may have moved. @param {number} now */
  live(now) {
    const isCalm = reducesMotion.matches;
    if (this.isListening && !isCalm) this.light(0.65 + 0.35 * Math.sin(now / 260));
    const [perMinute, depth] = isCalm ? [0, 0] : this.frame.breath || [0, 0];
    const breath = perMinute ? depth * Math.sin((now / 60000) * perMinute * 2 * Math.PI) : 0;
    const speaks = this.frame.is_speaking && !isCalm;
    const nod = speaks ? 0.035 * Math.sin(now / 170) + 0.02 * Math.sin(now / 97) : 0;
    this.breathing.rotation.y = 0.012 * breath;
    this.breathing.position.z = 0.0015 * breath;
    this.nodding.rotation.y += (nod - this.nodding.rotation.y) * 0.3;
    const isShut = Boolean(this.frame.is_blinking) && !isCalm && this.blinks(now);
    if (isShut !== this.isShut) {
      this.isShut = isShut;
      this.light();
      this.isStale = true;
    }
    return Boolean(perMinute) || speaks || (this.isListening && !isCalm) || Math.abs(this.nodding.rotation.y) > STILL;
  }

  /** @param {number} now */
  blinks(now) {
    if (now > this.nextBlink + BLINK_MS) {
      this.nextBlink = now + MIN_BLINK_PAUSE_MS + Math.random() * (MAX_BLINK_PAUSE_MS - MIN_BLINK_PAUSE_MS);
    }
    return now > this.nextBlink;
  }

  /** @param {number} share */
  turnJoints(share) {
    let hasMoved = false;
    (this.frame.angles || []).forEach((/** @type {number} */ wanted, /** @type {number} */ at) => {
      const joint = this.joints[at];
      if (!joint || joint.shown === wanted) return;
      const rest = wanted - (joint.shown ?? wanted);
      joint.shown = Math.abs(rest) < STILL ? wanted : (joint.shown ?? wanted) + rest * share;
      joint.mesh.quaternion.setFromAxisAngle(joint.axis, joint.base + joint.gain * joint.shown).premultiply(joint.rest);
      hasMoved = true;
    });
    return hasMoved;
  }

  /** @param {number} share */
  moveTorso(share) {
    const wanted = this.frame.torso;
    if (!wanted || wanted === this.stood) return false;
    const [x, y, z, qw, qx, qy, qz] = wanted;
    const place = new THREE.Vector3(x, y, z), turn = new THREE.Quaternion(qx, qy, qz, qw);
    const rest = this.torso.position.distanceTo(place) + this.torso.quaternion.angleTo(turn);
    if (rest < STILL || !this.stood) {
      this.torso.position.copy(place);
      this.torso.quaternion.copy(turn);
      this.stood = wanted;
    } else {
      this.torso.position.lerp(place, share);
      this.torso.quaternion.slerp(turn, share);
    }
    return true;
  }

  /** Show the lights; while NAO listens, its ears glow. @param {number} [glow] */
  light(glow = 1) {
    const level = (/** @type {number} */ at) => (at < 0 ? 0 : parseInt(this.frame.lights.substr(2 * at, 2), 16) / 255);
    for (const { lights, isEye, isEar, part } of this.frame.lights ? this.lamps : []) {
      const [red, green, blue] = this.isShut && isEye ? [0, 0, 0] : lights.map(level);
      if (this.isListening && isEar) {
        paint(part, lit.setRGB(0.1 + 0.2 * glow, 0.2 + 0.6 * glow, 0.3 + 0.7 * glow, THREE.SRGBColorSpace));
        continue;
      }
      // A lamp that has only a blue light looks paler than the light.
      const seen = lights[0] < 0 ? [0.15 * blue, 0.5 * blue, blue] : [red, green, blue];
      paint(part, lit.setRGB(0.09 + 0.91 * seen[0], 0.11 + 0.89 * seen[1], 0.14 + 0.86 * seen[2], THREE.SRGBColorSpace));
    }
  }

  mark() {
    for (const { part, zone, colour } of this.zones) paint(part, this.frame.touched.includes(zone) ? TOUCHED_COLOUR : colour);
  }

  /** A finger or mouse on a touch zone touches NAO; outside the zones it turns the view. @param {HTMLCanvasElement} canvas */
  listenToHands(canvas) {
    canvas.style.touchAction = "pan-y";
    let held = "", since = 0, turnsFrom = NaN;
    const release = () => {
      turnsFrom = NaN;
      if (!held) return;
      const zone = held;
      held = "";
      setTimeout(() => this.touch("release", zone), Math.max(0, MIN_PRESS_MS - (performance.now() - since)));
    };
    canvas.addEventListener("pointerdown", (event) => {
      held = this.zoneAt(event);
      since = performance.now();
      if (held) this.touch("press", held);
      else turnsFrom = event.clientX;
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!Number.isNaN(turnsFrom)) {
        this.turnView((turnsFrom - event.clientX) / 150);
        turnsFrom = event.clientX;
      } else if (!held) canvas.style.cursor = this.zoneAt(event) ? "pointer" : "grab";
    });
    for (const type of ["pointerup", "pointercancel"]) canvas.addEventListener(type, release);
  }

  /** @param {PointerEvent} event */
  zoneAt(event) {
    const { width, height } = this.renderer.domElement.getBoundingClientRect();
    const point = new THREE.Vector2((event.offsetX / width) * 2 - 1, 1 - (event.offsetY / height) * 2);
    const ray = new THREE.Raycaster();
    ray.setFromCamera(point, this.camera);
    const first = ray.intersectObject(this.torso, true)[0];
    const corner = first?.face?.a ?? -1, colours = /** @type {THREE.Mesh | undefined} */ (first?.object)?.geometry.attributes.color;
    return this.zones.find(({ part }) => part.colours === colours && part.first <= corner && corner < part.end)?.zone ?? "";
  }
}

/** The shapes that move with one joint, as one mesh; each shape is a part with a colour of its own. */
class Shapes {
  constructor() {
    this.places = /** @type {number[]} */ ([]);
    this.normals = /** @type {number[]} */ ([]);
    this.corners = /** @type {number[]} */ ([]);
    this.parts = /** @type {(Part & {colour: THREE.Color})[]} */ ([]);
  }

  /** @param {THREE.BufferGeometry} shape @param {THREE.Color} colour @returns {Part} */
  add(shape, colour) {
    const first = this.places.length / 3, { position, normal } = shape.attributes;
    this.places.push(...position.array);
    this.normals.push(...normal.array);
    for (const corner of shape.index?.array ?? []) this.corners.push(first + corner);
    const part = { first, end: first + position.count, colours: null, colour };
    this.parts.push(part);
    return part;
  }

  /** @param {THREE.Material} material */
  mesh(material) {
    const geometry = new THREE.BufferGeometry(), colours = new THREE.BufferAttribute(new Float32Array(this.places.length), 3);
    geometry.setAttribute("position", new THREE.Float32BufferAttribute(this.places, 3));
    geometry.setAttribute("normal", new THREE.Float32BufferAttribute(this.normals, 3));
    geometry.setAttribute("color", colours);
    geometry.setIndex(this.corners);
    for (const part of this.parts) {
      part.colours = colours;
      paint(part, part.colour);
    }
    return new THREE.Mesh(geometry, material);
  }
}

/** @typedef {{first: number, end: number, colours: THREE.BufferAttribute | null}} Part */

/** Colour a part of a mesh. @param {Part} part @param {THREE.Color} colour */
function paint({ first, end, colours }, { r, g, b }) {
  if (!colours || (Math.fround(r) === colours.getX(first) && Math.fround(g) === colours.getY(first) && Math.fround(b) === colours.getZ(first))) return;
  for (let at = first; at < end; at++) colours.setXYZ(at, r, g, b);
  colours.needsUpdate = true;
}

/** Return the shape of a solid where it is on its joint; small ones have fewer corners. @param {Solid} solid */
function makeSolid({ shape, place, size, turn, taper }) {
  const [width, depth, length] = size, corners = Math.max(...size) < 0.015 ? 6 : Math.max(...size) < 0.03 ? 12 : 20;
  const made = shape === "ball" ? new THREE.SphereGeometry(1, corners, corners / 2 + 1) : shape === "box" ? new THREE.BoxGeometry(2, 2, 2)
    : new THREE.CylinderGeometry(taper, 1, 1, corners);
  if (shape === "tube") made.rotateX(Math.PI / 2); // Cylinders stand along y, tubes along z.
  made.scale(width, depth, length);
  return made.applyQuaternion(turned(turn)).translate(place[0], place[1], place[2]);
}

/** Return turns about x, y and z as one. @param {number[]} turn */
function turned([x, y, z]) {
  return new THREE.Quaternion().setFromEuler(new THREE.Euler(x, y, z, "ZYX"));
}
