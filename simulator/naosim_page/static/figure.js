// NAO in three dimensions: one mesh of simple solids for each joint. Draws only if something would look different, and no
// more often than this computer draws easily; every picture has the pixels of the screen and smooth edges.
import * as THREE from "./lib/three/three.module.min.js";

/** @typedef {{shape: string, joint: string, place: number[], size: number[], colour: string, turn: number[], zone: string,
 *   taper: number}} Solid */
/** @typedef {{joints: {name: string, parent: string, place: number[], turn: number[], axis: number[],
 *   base: number, gain: number}[],
 *   order: string[], outlines: {[shape: string]: number[][]}, solids: Solid[], lamps: {joint: string, place: number[],
 *   size: number, lights: number[], ahead: number[], isEye: boolean}[], zones: {[zone: string]: string}, name: string,
 *   height: number}} Body */

const EASE_S = 0.06, EASE_TORSO_S = 0.12; // most of the way to the newest frame is made in this time
const STILL = 1e-4; // radians and metres that nobody sees
const TOUCHED_COLOUR = new THREE.Color(0xffb21a), lit = new THREE.Color();
const FIRST_TURN = 0.255; // radians
const SHADOW_COLOUR = new THREE.Color(0x101820);
const SHADOW_HEIGHT = 0.15; // as a part of the robot's height: what is higher throws no shadow of its own
const MARGIN = 1.03; // how much farther than needed the camera is
const FOLLOW = 0.3, FOLLOW_MS = 4000; // how far a head turns to the mouse, in radians, and for how long
const MOST_PIXELS = 2; // of the picture for each point of the page, along an edge: nobody sees more
const SEEN = 1.15, SEEN_HEAD = 0.33; // the height of the picture as a part of the robot's height
const FINER = 1.3; // a picture with so many times the pixels gets shapes with more corners
const MIN_CORNERS = 6, MAX_CORNERS = 28; // of a round shape
const COARSE_PX = 9; // a shape that is thinner has half the points of its outline
const SAMPLES = 6, SAMPLE_EVERY = 50; // pictures that are measured at first, and one in so many later
/** Milliseconds between two pictures at least, and how much of the time drawing may take: while NAO moves, and only breathes. */
const MOVING = { pause: 33, share: 0.5 }, RESTING = { pause: 100, share: 0.15 };
const BLINK_MS = 130, MIN_BLINK_PAUSE_MS = 2500, MAX_BLINK_PAUSE_MS = 6500;
const EAR_JOINT = "HeadPitch", EAR_DISTANCE = 0.05; // lamps of the head that are farther from its middle are in the ears
const MIN_PRESS_MS = 120;
const LOOKS = /** @type {const} */ (["pointermove", "pointerdown"]); // at what NAO looks
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
    this.cost = 0;
    this.renderer = new THREE.WebGLRenderer({ antialias: true, alpha: true, powerPreference: "low-power" });
    const canvas = this.renderer.domElement;
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", body.name);
    host.append(canvas);
    this.scene = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(34, 1, 0.05, 20);
    this.camera.up.set(0, 0, 1);
    this.body = body;
    this.height = body.height;
    this.orbit = { turn: FIRST_TURN, lift: 0.13 };
    /** How high the camera looks above the torso, and its distance. @type {{up: number, distance: number} | null} */
    this.aim = null;
    /** Where a hand or mouse is, seen from the middle of the picture, and when it moved. */
    this.pointer = { across: 0, down: 0, movedAt: -Infinity };
    this.scene.add(new THREE.HemisphereLight(0xffffff, 0x8f9bb0, 1.9));
    const sun = new THREE.DirectionalLight(0xfff6ea, 1.7);
    sun.position.set(1.5, 1.2, 2.2);
    this.scene.add(sun);
    /** Pixels of the picture for a metre, for which the shapes were made. */
    this.density = 0;
    /** @type {THREE.Mesh[]} */
    this.meshes = [];
    this.surface = new THREE.MeshLambertMaterial({ vertexColors: true });
    this.glow = new THREE.MeshBasicMaterial({ vertexColors: true, map: makeSpot(), transparent: true, depthWrite: false });
    /** The floor and the shadows on it. */
    this.shadow = new THREE.Mesh();
    /** @type {Part[]} */
    this.shadowParts = [];
    /** The mesh of each joint. @type {Map<string, THREE.Mesh>} */
    this.bodies = new Map();
    this.torso = new THREE.Group();
    this.breathing = new THREE.Group();
    this.nodding = new THREE.Group();
    /** Where the shapes of each joint are. @type {Map<string, THREE.Object3D>} */
    this.groups = new Map();
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
    this.lookAtPointer = (/** @type {PointerEvent} */ event) => {
      const { x, y, width, height } = canvas.getBoundingClientRect(), size = Math.max(height, 200);
      this.pointer = { across: (event.clientX - x - width / 2) / size, down: (event.clientY - y - height / 4) / size, movedAt: performance.now() };
    };
    for (const type of LOOKS) window.addEventListener(type, this.lookAtPointer);
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
    for (const type of LOOKS) window.removeEventListener(type, this.lookAtPointer);
    this.renderer.dispose();
    this.renderer.forceContextLoss(); // A browser has few of them.
    this.renderer.domElement.remove();
  }

  /** Show only the head and the shoulders, where there is little room. @param {boolean} isHead */
  showHead(isHead) {
    this.isHead = isHead;
    this.aim = null;
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
    const groups = this.groups;
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
  }

  /** Give the shapes as many corners as are seen in a picture of this size. */
  refine() {
    const density = this.renderer.domElement.height / ((this.isHead ? SEEN_HEAD : SEEN) * this.height);
    if (density < FINER * this.density) return;
    this.density = density;
    for (const mesh of this.meshes) {
      mesh.removeFromParent();
      mesh.geometry.dispose();
    }
    this.meshes = [];
    this.zones = [];
    this.makeShapes();
    this.light();
    if (this.frame.touched) this.mark();
  }

  makeShapes() {
    const bodyParts = new Map(), lampParts = new Map(), { solids, lamps, outlines } = this.body;
    const shapesOf = (/** @type {Map<string, Shapes>} */ parts, /** @type {string} */ joint) =>
      parts.get(joint) ?? /** @type {Shapes} */ (parts.set(joint, new Shapes()).get(joint));
    const addMesh = (/** @type {Shapes} */ shapes, /** @type {THREE.Material} */ material, /** @type {THREE.Object3D | undefined} */ above) => {
      const mesh = shapes.mesh(material);
      above?.add(mesh);
      this.meshes.push(mesh);
      return mesh;
    };
    for (const solid of solids) {
      const colour = new THREE.Color(solid.colour), part = shapesOf(bodyParts, solid.joint).add(makeSolid(solid, outlines, this.density), colour);
      if (solid.zone) this.zones.push({ part, zone: solid.zone, colour });
    }
    this.lamps = lamps.map(({ joint, place: [x, y, z], size, lights, ahead, isEye }) => {
      const facing = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), new THREE.Vector3(...ahead));
      const spot = new THREE.PlaneGeometry(2 * size, 2 * size).applyQuaternion(facing).translate(x, y, z);
      const part = shapesOf(lampParts, joint).add(spot, new THREE.Color(0), 0);
      return { part, lights, isEye, isEar: joint === EAR_JOINT && Math.abs(y) > EAR_DISTANCE };
    });
    for (const [joint, shapes] of bodyParts) {
      const mesh = addMesh(shapes, this.surface, this.groups.get(joint));
      mesh.geometry.computeBoundingSphere();
      this.bodies.set(joint, mesh);
    }
    const shadows = new Shapes(), spot = new THREE.PlaneGeometry(2, 2);
    // The floor, and what of it every part of the body darkens.
    shadows.add(spot, new THREE.Color(0x8a95a3), 0.3);
    this.shadowParts = [...this.bodies].map(() => shadows.add(spot, SHADOW_COLOUR));
    this.shadow = addMesh(shadows, this.glow, this.scene);
    this.shadow.frustumCulled = false;
    // Fingers reach the touch zones behind the lamps.
    for (const [joint, shapes] of lampParts) addMesh(shapes, this.glow, this.groups.get(joint)).raycast = () => {};
  }

  resize() {
    const { clientWidth, clientHeight } = this.host;
    if (!clientWidth || !clientHeight) return;
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, MOST_PIXELS));
    this.renderer.setSize(clientWidth, clientHeight);
    this.camera.aspect = clientWidth / clientHeight;
    this.camera.updateProjectionMatrix();
    this.isStale = true;
  }

  /** List the parts of the body as balls: their joints, middles and radiuses. */
  balls() {
    this.torso.updateMatrixWorld();
    return [...this.bodies].map(([joint, mesh]) => {
      const { center, radius } = /** @type {THREE.Sphere} */ (mesh.geometry.boundingSphere);
      return { joint, middle: center.clone().applyMatrix4(mesh.matrixWorld), radius };
    });
  }

  /** Let the camera see the whole body, or the head and what is lifted beside it.
   * @param {number} share of the way there
   * @param {ReturnType<Figure["balls"]>} balls */
  placeCamera(share, balls) {
    const torso = this.torso.position, { turn, lift } = this.orbit;
    const towards = new THREE.Vector3(Math.cos(turn) * Math.cos(lift), Math.sin(turn) * Math.cos(lift), Math.sin(lift));
    const across = new THREE.Vector3(-Math.sin(turn), Math.cos(turn), 0), up = towards.clone().cross(across);
    const tall = Math.tan((this.camera.fov * Math.PI) / 360), wide = tall * this.camera.aspect;
    const head = balls.find(({ joint }) => joint === EAR_JOINT) ?? balls[0];
    const seen = balls.flatMap(({ joint, middle, radius }) => {
      if (!this.isHead || joint === EAR_JOINT) return [{ middle, radius }];
      // Hands come into a small picture as they rise.
      const raised = /Elbow|Wrist|Hand/.test(joint) ? (middle.z - torso.z - 0.2 * this.height) / (0.1 * this.height) : 0;
      return raised > 0 ? [{ middle: head.middle.clone().lerp(middle, Math.min(raised, 1)), radius }] : [];
    });
    const fixed = this.isHead ? [head.middle.z - 2.1 * head.radius] : [-0.02 * this.height, 1.02 * this.height];
    for (const z of fixed) seen.push({ middle: new THREE.Vector3(torso.x, torso.y, z), radius: 0 });
    const places = seen.map(({ middle, radius }) => {
      const from = middle.clone().sub(torso);
      return { radius, near: from.dot(towards), side: Math.abs(from.dot(across)), high: from.dot(up) };
    });
    const middle = (Math.min(...places.map(({ high, radius }) => high - radius)) + Math.max(...places.map(({ high, radius }) => high + radius))) / 2;
    const distance = MARGIN * Math.max(...places.map(({ radius, near, side, high }) =>
      near + Math.max((side + radius) / wide, (Math.abs(high - middle) + radius) / tall)));
    this.aim ??= { up: middle, distance };
    const rest = Math.abs(middle - this.aim.up) + Math.abs(distance - this.aim.distance);
    this.aim.up += (middle - this.aim.up) * share;
    this.aim.distance += (distance - this.aim.distance) * share;
    if (rest > 10 * STILL) this.isStale = true;
    const place = torso.clone().addScaledVector(up, this.aim.up);
    this.camera.position.copy(place).addScaledVector(towards, this.aim.distance);
    this.camera.lookAt(place);
  }

  /** Put the shadows below the parts of the body: wide and pale below what is high.
   * @param {ReturnType<Figure["balls"]>} balls */
  placeShadows(balls) {
    const places = this.shadow.geometry.attributes.position, { x, y } = this.torso.position;
    const put = (/** @type {Part} */ { first }, /** @type {THREE.Vector3} */ middle, /** @type {number} */ radius) => {
      for (const [at, [right, ahead]] of [[-1, 1], [1, 1], [-1, -1], [1, -1]].entries()) {
        places.setXYZ(first + at, middle.x + right * radius, middle.y + ahead * radius, 0.001);
      }
    };
    put({ first: 0, end: 4, colours: null }, new THREE.Vector3(x, y, 0), 0.55 * this.height);
    for (const [at, { middle, radius }] of balls.entries()) {
      const height = Math.max(0, middle.z - radius) / this.height, part = this.shadowParts[at];
      put(part, middle, height < SHADOW_HEIGHT ? 1.3 * radius + 0.2 * height : 0);
      paint(part, SHADOW_COLOUR, 0.4 * Math.max(0, 1 - height / SHADOW_HEIGHT));
    }
    places.needsUpdate = true;
  }

  /** @param {number} now */
  draw(now) {
    // Browsers call this up to 144 times a second.
    if (document.hidden || !this.host.clientHeight || now - this.last < MOVING.pause - 4) return;
    const seconds = Math.min((now - this.last) / 1000, 0.25);
    this.last = now;
    if (this.turnJoints(1 - Math.exp(-seconds / EASE_S))) this.isStale = true;
    if (this.moveTorso(1 - Math.exp(-seconds / EASE_TORSO_S))) this.isStale = true;
    const isAlive = this.live(now), { pause, share } = this.isStale || this.frame.is_speaking ? MOVING : RESTING;
    if (!(this.isStale || isAlive) || now - this.drawnAt < Math.max(pause, this.cost / share) - 4) return;
    this.refine();
    this.isStale = false;
    this.pictures++;
    const balls = this.balls();
    this.placeCamera(1 - Math.exp(-Math.min((now - this.drawnAt) / 1000, 0.25) / EASE_TORSO_S), balls);
    this.drawnAt = now;
    this.placeShadows(balls);
    const begin = performance.now();
    this.renderer.render(this.scene, this.camera);
    if (this.costs.length < SAMPLES || this.pictures % SAMPLE_EVERY === 0) this.measure(begin);
  }

  /** Measure a picture: a slow computer gets fewer of them, none that is coarser. @param {number} begin */
  measure(begin) {
    const gl = this.renderer.getContext();
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4)); // waits for the picture
    // The first picture compiles the shaders.
    if (this.pictures === 1) return;
    this.costs = [...this.costs, performance.now() - begin].slice(-SAMPLES);
    // Another program can have slowed some of them down, but hardly all.
    this.cost = Math.min(...this.costs);
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
    const [across, down] = this.follow(now, isCalm);
    const rest = Math.abs(across - this.nodding.rotation.z) + Math.abs(nod + down - this.nodding.rotation.y);
    this.nodding.rotation.y += (nod + down - this.nodding.rotation.y) * 0.3;
    this.nodding.rotation.z += (across - this.nodding.rotation.z) * 0.15;
    const isShut = Boolean(this.frame.is_blinking) && !isCalm && this.blinks(now);
    if (isShut !== this.isShut) {
      this.isShut = isShut;
      this.light();
      this.isStale = true;
    }
    return Boolean(perMinute) || speaks || (this.isListening && !isCalm) || rest > 10 * STILL;
  }

  /** Return how far an awake NAO turns its head to a hand or mouse that moves: to its left, and down. @param {number} now @param {boolean} isCalm */
  follow(now, isCalm) {
    const { across, down, movedAt } = this.pointer, faces = Math.cos(this.orbit.turn);
    if (isCalm || !this.frame.is_blinking || faces < 0.3 || now - movedAt > FOLLOW_MS) return [0, 0];
    return [FOLLOW * Math.tanh(across), 0.5 * FOLLOW * Math.tanh(down)];
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
        paint(part, lit.setRGB(0.35, 0.8, 1, THREE.SRGBColorSpace), glow);
        continue;
      }
      // Blue light alone looks paler than the same colour of a screen.
      const seen = [Math.max(red, 0.25 * blue * (1 - green)), Math.max(green, 0.6 * blue * (1 - red)), blue], strength = Math.max(...seen);
      const [r, g, b] = seen.map((each) => 0.3 + 0.7 * (each / (strength || 1)));
      paint(part, lit.setRGB(r, g, b, THREE.SRGBColorSpace), strength ** 0.7);
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
    this.spots = /** @type {number[]} */ ([]);
    this.corners = /** @type {number[]} */ ([]);
    this.parts = /** @type {(Part & {colour: THREE.Color, alpha: number})[]} */ ([]);
  }

  /** @param {THREE.BufferGeometry} shape @param {THREE.Color} colour @param {number} [alpha] @returns {Part} */
  add(shape, colour, alpha = 1) {
    const first = this.places.length / 3, { position, normal, uv } = shape.attributes;
    this.places.push(...position.array);
    this.normals.push(...normal.array);
    this.spots.push(...uv.array);
    const corners = shape.index?.array ?? [], isSame = (/** @type {number} */ one, /** @type {number} */ other) =>
      [0, 1, 2].every((axis) => Math.abs(position.array[3 * one + axis] - position.array[3 * other + axis]) < 1e-7);
    for (let at = 0; at < corners.length; at += 3) {
      const [a, b, c] = [corners[at], corners[at + 1], corners[at + 2]];
      // Where an outline meets the axis, half the triangles have no area.
      if (!isSame(a, b) && !isSame(b, c) && !isSame(a, c)) this.corners.push(first + a, first + b, first + c);
    }
    const part = { first, end: first + position.count, colours: null, colour, alpha };
    this.parts.push(part);
    return part;
  }

  /** @param {THREE.Material} material */
  mesh(material) {
    const geometry = new THREE.BufferGeometry(), colours = new THREE.BufferAttribute(new Float32Array((4 * this.places.length) / 3), 4);
    geometry.setAttribute("position", new THREE.Float32BufferAttribute(this.places, 3));
    geometry.setAttribute("normal", new THREE.Float32BufferAttribute(this.normals, 3));
    geometry.setAttribute("uv", new THREE.Float32BufferAttribute(this.spots, 2));
    geometry.setAttribute("color", colours);
    geometry.setIndex(this.corners);
    for (const part of this.parts) {
      part.colours = colours;
      paint(part, part.colour, part.alpha);
    }
    return new THREE.Mesh(geometry, material);
  }
}

/** @typedef {{first: number, end: number, colours: THREE.BufferAttribute | null}} Part */

/** Colour a part of a mesh. @param {Part} part @param {THREE.Color} colour @param {number} [alpha] */
function paint({ first, end, colours }, { r, g, b }, alpha = 1) {
  if (!colours || [r, g, b, alpha].every((each, at) => Math.fround(each) === colours.getComponent(first, at))) return;
  for (let at = first; at < end; at++) colours.setXYZW(at, r, g, b, alpha);
  colours.needsUpdate = true;
}

/** Return the shape of a solid where it is on its joint. Its edges are half a pixel from a round shape at most.
 * @param {Solid} solid @param {Body["outlines"]} outlines @param {number} density */
function makeSolid({ shape, place, size, turn, taper }, outlines, density) {
  const [width, depth, length] = size, radius = density * Math.max(width, depth), isThin = density * Math.min(...size) < COARSE_PX;
  const corners = Math.min(MAX_CORNERS, Math.max(MIN_CORNERS, 2 * Math.round(1.65 * Math.sqrt(radius))));
  const points = (outlines[shape] ?? [[0, -1], [0, 1]]).filter((_, at) => !isThin || shape === "tube" || at % 2 === 0);
  const low = points[0][1], high = points[points.length - 1][1];
  const made = shape === "box" ? new THREE.BoxGeometry(2, 2, 2) : new THREE.LatheGeometry(points.map(([radius, at]) =>
    new THREE.Vector2(radius * (1 + ((taper - 1) * (at - low)) / (high - low)), at)), corners).rotateX(Math.PI / 2); // Lathes turn about y.
  made.scale(width, depth, length);
  return made.applyQuaternion(turned(turn)).translate(place[0], place[1], place[2]);
}

/** Return a spot that is white in the middle and fades: lights and shadows are as soft as it. */
function makeSpot() {
  const size = 32, pixels = new Uint8Array(4 * size * size).fill(255);
  for (let at = 0; at < size * size; at++) {
    const x = ((at % size) + 0.5) / (size / 2) - 1, y = (Math.floor(at / size) + 0.5) / (size / 2) - 1;
    pixels[4 * at + 3] = 255 * Math.max(0, 1 - x * x - y * y) ** 2;
  }
  const spot = new THREE.DataTexture(pixels, size, size);
  spot.magFilter = spot.minFilter = THREE.LinearFilter;
  spot.needsUpdate = true;
  return spot;
}

/** Return turns about x, y and z as one. @param {number[]} turn */
function turned([x, y, z]) {
  return new THREE.Quaternion().setFromEuler(new THREE.Euler(x, y, z, "ZYX"));
}
