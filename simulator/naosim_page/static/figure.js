// NAO in three dimensions: simple solids in nested groups, one for each joint. Draws only if something would look different.
import * as THREE from "./lib/three/three.module.min.js";

/** @typedef {{shape: string, joint: string, place: number[], size: number[], colour: string, turn: number[], zone: string,
 *   taper: number}} Solid */
/** @typedef {{joints: {name: string, parent: string, place: number[], axis: number[], base: number, gain: number}[],
 *   order: string[], solids: Solid[], lamps: {joint: string, place: number[], size: number, lights: number[],
 *   isEye: boolean, isEar: boolean}[], zones: {[zone: string]: string}}} Body */

const EASE_S = 0.06, EASE_TORSO_S = 0.12; // most of the way to the newest frame is made in this time
const STILL = 1e-4; // radians and metres that nobody sees
const TOUCHED_COLOUR = 0xff7a1a;
const CAMERA_PLACE = [1.15, 0.3, 0.47], LOOKS_AT = [0, 0, 0.29];
const EYE_LEVEL = 0.88; // of the torso's height
const MAX_PIXEL_RATIO = 2;
const MAX_FRAMES_PER_S = 20, MAX_LIFE_FRAMES_PER_S = 6; // while NAO moves, and while it only breathes
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
    this.renderer = new THREE.WebGLRenderer({ antialias: true, alpha: true, powerPreference: "low-power" });
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, MAX_PIXEL_RATIO));
    const canvas = this.renderer.domElement;
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", "NAO");
    host.append(canvas);
    this.scene = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(34, 1, 0.05, 20);
    this.camera.up.set(0, 0, 1);
    this.orbit = { turn: Math.atan2(CAMERA_PLACE[1], CAMERA_PLACE[0]), lift: 0.16 };
    this.middle = new THREE.Vector3(...LOOKS_AT);
    this.scene.add(new THREE.HemisphereLight(0xffffff, 0xb8c0cc, 2.2));
    const sun = new THREE.DirectionalLight(0xffffff, 1.6);
    sun.position.set(1.5, 1, 2.5);
    this.scene.add(sun);
    const floor = new THREE.Mesh(
      new THREE.CircleGeometry(0.55, 48), new THREE.MeshBasicMaterial({ color: 0x8a95a3, transparent: true, opacity: 0.18 }));
    this.floor = floor;
    this.scene.add(floor);
    this.torso = new THREE.Group();
    this.breathing = new THREE.Group();
    this.nodding = new THREE.Group();
    /** @type {{mesh: THREE.Object3D, axis: THREE.Vector3, base: number, gain: number, shown: number | undefined}[]} */
    this.joints = [];
    /** @type {{mesh: THREE.Mesh, zone: string}[]} */
    this.zones = [];
    /** @type {{material: THREE.MeshBasicMaterial, lights: number[], isEye: boolean, isEar: boolean}[]} */
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
    for (const { name, parent, place, axis, base, gain } of body.joints) {
      const mesh = group(name, /** @type {THREE.Object3D} */ (groups.get(parent)), place);
      joints.set(name, { mesh, axis: new THREE.Vector3(...axis), base, gain, shown: undefined });
    }
    this.joints = body.order.map((name) => joints.get(name));
    groups.get("HeadPitch")?.add(this.nodding);
    groups.set("HeadPitch", this.nodding);
    for (const solid of body.solids) this.addSolid(solid, /** @type {THREE.Object3D} */ (groups.get(solid.joint)));
    this.lamps = body.lamps.map(({ joint, place, size, lights, isEye }) => {
      const material = new THREE.MeshBasicMaterial({ color: 0x20262f });
      const mesh = new THREE.Mesh(new THREE.SphereGeometry(size, 10, 6), material);
      mesh.position.fromArray(place);
      groups.get(joint)?.add(mesh);
      return { material, lights, isEye, isEar: joint === EAR_JOINT && Math.abs(place[1]) > EAR_DISTANCE };
    });
  }

  /** @param {Solid} solid @param {THREE.Object3D} above */
  addSolid({ shape, place, size: [width, depth, length], colour, turn, zone, taper }, above) {
    const isBall = shape === "ball";
    const geometry = isBall ? new THREE.SphereGeometry(1, 24, 14) : new THREE.CylinderGeometry(taper, 1, 1, 24);
    if (!isBall) geometry.rotateX(Math.PI / 2); // Cylinders stand along y, tubes along z.
    geometry.scale(width, depth, length);
    const mesh = new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({ color: colour, roughness: 0.55 }));
    mesh.rotation.set(turn[0], turn[1], turn[2], "ZYX");
    mesh.position.fromArray(place);
    above.add(mesh);
    if (zone) this.zones.push({ mesh, zone });
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
    const wanted = this.isHead ? new THREE.Vector3(x, y, z + 0.15) : new THREE.Vector3(x, y, EYE_LEVEL * z);
    this.middle.copy(wanted);
    // A narrow view needs more distance for the arms.
    const distance = (this.isHead ? 0.55 : 1.15) * Math.max(1, 0.8 / this.camera.aspect);
    const { turn, lift } = this.orbit;
    this.camera.position.set(
      x + distance * Math.cos(turn) * Math.cos(lift), y + distance * Math.sin(turn) * Math.cos(lift),
      wanted.z + distance * Math.sin(lift));
    this.camera.lookAt(this.middle);
    this.floor.position.set(x, y, 0);
  }

  /** @param {number} now */
  draw(now) {
    const seconds = Math.min((now - this.last) / 1000, 0.25);
    this.last = now;
    if (document.hidden) return;
    if (this.turnJoints(1 - Math.exp(-seconds / EASE_S))) this.isStale = true;
    if (this.moveTorso(1 - Math.exp(-seconds / EASE_TORSO_S))) this.isStale = true;
    const isAlive = this.live(now);
    const pause = 1000 / (this.isStale ? MAX_FRAMES_PER_S : MAX_LIFE_FRAMES_PER_S);
    if (!(this.isStale || isAlive) || now - this.drawnAt < pause - 4) return;
    this.isStale = false;
    this.drawnAt = now;
    this.pictures++;
    this.placeCamera();
    this.renderer.render(this.scene, this.camera);
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
      joint.mesh.quaternion.setFromAxisAngle(joint.axis, joint.base + joint.gain * joint.shown);
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
    for (const { lights, isEye, isEar, material } of this.frame.lights ? this.lamps : []) {
      const [red, green, blue] = this.isShut && isEye ? [0, 0, 0] : lights.map(level);
      if (this.isListening && isEar) {
        material.color.setRGB(0.1 + 0.2 * glow, 0.2 + 0.6 * glow, 0.3 + 0.7 * glow, THREE.SRGBColorSpace);
        continue;
      }
      // A lamp that has only a blue light looks paler than the light.
      const seen = lights[0] < 0 ? [0.15 * blue, 0.5 * blue, blue] : [red, green, blue];
      material.color.setRGB(0.09 + 0.91 * seen[0], 0.11 + 0.89 * seen[1], 0.14 + 0.86 * seen[2], THREE.SRGBColorSpace);
    }
  }

  mark() {
    for (const { mesh, zone } of this.zones) {
      const material = /** @type {THREE.MeshStandardMaterial} */ (mesh.material);
      material.emissive.setHex(this.frame.touched.includes(zone) ? TOUCHED_COLOUR : 0x000000);
    }
  }

  /** A finger or mouse on a touch zone touches NAO; beside the zones it turns the view. @param {HTMLCanvasElement} canvas */
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
    const first = ray.intersectObject(this.torso, true).find(({ object }) => !this.lamps.some(
      ({ material }) => material === /** @type {THREE.Mesh} */ (object).material));
    return this.zones.find(({ mesh }) => mesh === first?.object)?.zone ?? "";
  }
}
