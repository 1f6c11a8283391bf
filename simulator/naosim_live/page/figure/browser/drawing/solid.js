// NAO in three dimensions: poses the groups of a NiceGUI scene between the frames, and draws only what has moved.
import { THREE } from "nicegui-scene";
import { Life, brightness } from "nao-drawing/life.js";
import { Pace } from "nao-drawing/pace.js";

const EASE = 0.06, EASE_TORSO = 0.12; // seconds in which most of the way to the newest frame is made
const STILL = 1e-4; // radians and metres that nobody sees
const TOUCHED = 0xff7a1a, FLOOR_STEP = 0.25;
const FINEST = 2; // pixels of the screen for one of the page, at most
const EYE_LEVEL = 0.88; // of the torso's height: the middle of a robot that stands
const UNTOUCHED = 0x000000;
const MOVES_REST = 1, LIFE_REST = 3; // after a picture, in times of what it took: while NAO moves, and while it only lives
const BREATH_SEEN = 0.12, NOD_SEEN = 0.006; // a breath's share and radians below which a picture would look the same

const ready = async (scene, id) => {
  const object = scene.objects.get(id);
  await object?.ready_promise;
  return object?.mesh;
};

export class SolidDrawing {
  kind = "solid";

  // Wait until every object of the binding is there; the scene may be taken away meanwhile.
  static async of(scene, binding) {
    const ids = [binding.torso, binding.breath, binding.nod, ...binding.joints.map((each) => each.id),
      ...binding.lamps.map((each) => each.id), ...Object.keys(binding.zones)];
    const meshes = new Map();
    for (const id of ids) meshes.set(id, await ready(scene, id));
    return [...meshes.values()].every(Boolean) ? new SolidDrawing(scene, binding, meshes) : undefined;
  }

  constructor(scene, binding, meshes) {
    this.scene = scene;
    this.meshes = meshes;
    this.zones = binding.zones;
    [this.torso, this.breathing, this.nodding] = [binding.torso, binding.breath, binding.nod].map((id) => meshes.get(id));
    this.joints = binding.joints.map((each) => ({
      ...each, mesh: meshes.get(each.id), axis: new THREE.Vector3(...each.axis), shown: undefined }));
    this.lamps = binding.lamps.map((each) => ({ ...each, material: meshes.get(each.id).material }));
    this.raycaster = new THREE.Raycaster();
    this.life = new Life();
    this.frame = {};
    this.last = performance.now();
    this.middle = this.scene.controls.target.clone(); // what is looked at
    this.isStale = true;
    this.drawn = { breath: 0, nod: 0 };
    this.limitView();
    this.hookIntoDrawing();
    this.themes = new MutationObserver(() => this.takeTheme());
    this.themes.observe(document.body, { attributes: true, attributeFilter: ["class"] });
    this.takeTheme();
  }

  // The scene's own loop goes on for ever, and has nothing to draw from now on.
  end() {
    this.themes.disconnect();
    this.sizes.disconnect();
    this.scene.renderer.render = () => {};
    this.scene.renderer.dispose();
  }

  show(changes) {
    Object.assign(this.frame, changes);
    if (changes.lights) this.light();
    if (changes.touched) {
      for (const [id, zone] of Object.entries(this.zones)) {
        this.meshes.get(id).material.emissive.setHex(changes.touched.includes(zone) ? TOUCHED : UNTOUCHED);
      }
      this.isStale = true;
    }
  }

  // Return the angle of every joint as it is drawn, read from the groups.
  angles() {
    return this.joints.map(({ mesh, axis, base, gain }) => {
      const { x, y, z, w } = mesh.quaternion;
      return (2 * Math.atan2(x * axis.x + y * axis.y + z * axis.z, w) - base) / gain;
    });
  }

  // Look from the next side, an eighth of the way round.
  turn() {
    const { camera, controls } = this.scene;
    const offset = camera.position.clone().sub(controls.target);
    camera.position.copy(controls.target).add(offset.applyAxisAngle(new THREE.Vector3(0, 0, 1), Math.PI / 4));
    this.isStale = true;
  }

  zoneAt(event) {
    const { width, height } = this.scene.renderer.domElement.getBoundingClientRect();
    const point = new THREE.Vector2((event.offsetX / width) * 2 - 1, 1 - (event.offsetY / height) * 2);
    this.raycaster.setFromCamera(point, this.scene.camera);
    const hits = this.raycaster.intersectObject(this.torso, true);
    // A lamp in front of a zone is no obstacle: the chest button shines itself.
    const first = hits.find(({ object }) => !this.lamps.some(({ material }) => material === object.material));
    return first && this.zones[first.object.object_id];
  }

  limitView() {
    const { controls, renderer } = this.scene;
    controls.enableZoom = false; // The wheel scrolls the page.
    controls.enablePan = false;
    controls.minPolarAngle = 0.3;
    controls.maxPolarAngle = 1.7;
    controls.addEventListener("change", () => (this.isStale = true));
    renderer.domElement.style.touchAction = "pan-y";
    renderer.setPixelRatio(Math.min(window.devicePixelRatio, FINEST));
    this.sizes = new ResizeObserver(() => {
      this.scene.resize();
      this.isStale = true;
    });
    this.sizes.observe(this.scene.$el);
  }

  // The scene asks for pictures many times a second: put the newest pose into it, and draw what would look different.
  hookIntoDrawing() {
    const { renderer } = this.scene;
    this.draw = renderer.render;
    this.pace = new Pace(renderer.getContext());
    this.pictures = 0;
    renderer.render = (...args) => {
      const now = performance.now();
      this.advance(now);
      if (!this.isStale && !this.hasLived()) return;
      if (!this.pace.allows(now, this.isStale ? MOVES_REST : LIFE_REST)) return;
      const { breath, nod } = this.life;
      this.drawn = { breath, nod };
      this.isStale = false;
      this.pictures++;
      this.draw.apply(renderer, args);
      this.pace.begin();
    };
  }

  advance(now) {
    const seconds = Math.min((now - this.last) / 1000, 0.25);
    this.last = now;
    if (this.turnJoints(1 - Math.exp(-seconds / EASE))) this.isStale = true;
    if (this.moveTorso(1 - Math.exp(-seconds / EASE_TORSO))) this.isStale = true;
    const wasShut = this.life.isShut;
    if (!this.life.advance(now, this.frame)) return;
    this.breathing.rotation.y = 0.012 * this.life.breath;
    this.breathing.position.z = 0.0015 * this.life.breath;
    this.nodding.rotation.y = this.life.nod;
    if (wasShut !== this.life.isShut) this.light();
  }

  // Return whether breath and nod differ from what was drawn last; one that has come to rest is drawn as it rests.
  hasLived() {
    const { drawn, life } = this;
    return Math.abs(life.breath - drawn.breath) > (life.breath ? BREATH_SEEN : 0)
      || Math.abs(life.nod - drawn.nod) > (life.nod ? NOD_SEEN : 0);
  }

  turnJoints(share) {
    let moved = false;
    (this.frame.angles || []).forEach((wanted, at) => {
      const joint = this.joints[at];
      if (joint.shown === wanted) return;
      const rest = wanted - (joint.shown ?? wanted);
      joint.shown = Math.abs(rest) < STILL ? wanted : joint.shown + rest * share;
      joint.mesh.quaternion.setFromAxisAngle(joint.axis, joint.base + joint.gain * joint.shown);
      moved = true;
    });
    return moved;
  }

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
    this.lookAfter();
    return true;
  }

  // Let the view go with a robot that walks, sits or lies, and the floor with the view.
  lookAfter() {
    const { controls, camera, scene } = this.scene;
    const { x, y, z } = this.torso.position;
    const middle = new THREE.Vector3(x, y, EYE_LEVEL * z);
    for (const each of [camera.position, controls.target]) each.add(middle).sub(this.middle);
    this.middle = middle;
    for (const child of scene.children) {
      if (child.type !== "GridHelper" && child.object_id !== "ground") continue;
      child.position.x = Math.round(x / FLOOR_STEP) * FLOOR_STEP;
      child.position.y = Math.round(y / FLOOR_STEP) * FLOOR_STEP;
    }
  }

  light() {
    for (const { lights, isEye, material } of this.lamps) {
      const isShut = isEye && this.life.isShut;
      const [red, green, blue] = isShut ? [0, 0, 0] : brightness(lights, this.frame.lights);
      material.emissive.setRGB(red, green, blue, THREE.SRGBColorSpace);
    }
    this.isStale = true;
  }

  takeTheme() {
    const floor = getComputedStyle(this.scene.$el).getPropertyValue("--figure-floor").trim() || "#e9edf2";
    this.scene.renderer.setClearColor(floor);
    for (const child of this.scene.scene.children) if (child.object_id === "ground") child.material.color.set(floor);
    this.isStale = true;
  }
}
