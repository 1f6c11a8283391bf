// The stage on which NAO is drawn, solid or flat, and touched. What is drawn lies in the slot; frames come by `show`.
import { Touching } from "nao-drawing/touching.js";

const hasWebGL = () => {
  try {
    return Boolean(document.createElement("canvas").getContext("webgl2"));
  } catch {
    return false;
  }
};

export default {
  template: `<div class="figure-stage"><slot></slot></div>`,
  created() {
    // What the robot looks like, whether it is drawn already or not; nothing here is for Vue to watch.
    this.frame = {};
    this.drawing = null;
    this.binds = 0;
  },
  mounted() {
    this.touching = new Touching(this.$el, (event) => this.drawing?.zoneAt(event), (act, zone) => this.$emit(act, zone));
    if (window.matchMedia("(max-width: 800px)").matches) this.$el.querySelector("details").open = false;
    this.$emit("ready", { flat: !hasWebGL() || new URLSearchParams(location.search).has("flat") });
  },
  beforeUnmount() {
    this.touching.end();
    this.drawing?.end();
  },
  methods: {
    async bindSolid(binding) {
      const number = ++this.binds;
      const { SolidDrawing } = await import("nao-drawing/solid.js");
      const scene = getElement(binding.scene);
      if (number === this.binds && scene && this.drawing?.scene !== scene) {
        this.put(await SolidDrawing.of(scene, binding), number);
      }
    },
    async bindFlat(binding) {
      const number = ++this.binds;
      const { FlatDrawing } = await import("nao-drawing/flat.js");
      if (number === this.binds) this.put(new FlatDrawing(this.$el.querySelector("svg"), binding), number);
    },
    put(drawing, number) {
      if (!drawing || number !== this.binds) return drawing?.end();
      this.drawing?.end();
      this.drawing = drawing;
      drawing.show(this.frame);
      this.$el.dataset.drawn = drawing.kind;
    },
    show(changes) {
      Object.assign(this.frame, changes);
      if (changes.touched) this.touching.mark(changes.touched);
      this.drawing?.show(changes);
    },
    turn() {
      this.drawing?.turn();
    },
    // Return the angles that are drawn, read from the drawing itself.
    angles() {
      return this.drawing?.angles();
    },
  },
};
