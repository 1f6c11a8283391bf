// The sheet of a diagram and the strip of its timeline. The SVG comes from the server with every text escaped; what runs
// is shown by classes, and what changes as text is set as text.
const SVG = "http://www.w3.org/2000/svg";
// Real milliseconds after a person's last move in which the sheet stays where it is, though what runs is out of sight.
const STAYS = 6000;
const TRAVELS = 450, LIT = 700, FLASHES = 350, MOST_TRAVELLING = 30, LEAST_ZOOM = 0.25, MOST_ZOOM = 3;

export default {
  template: `
    <div class="diagram-canvas">
      <div class="diagram-scroll" ref="strip" v-show="strip" v-html="strip" @click="press" @keydown="key"></div>
      <div class="diagram-scroll diagram-paper" ref="sheet" tabindex="-1" v-html="sheet" @click="press" @dblclick="open" @keydown="key"></div>
    </div>`,
  props: { sheet: String, strip: String, scene: String, address: String },
  data() {
    return { zoom: 0, state: null, picked: null, travelling: 0, next: null, moved: -Infinity };
  },
  mounted() {
    this.observer = new ResizeObserver(() => this.size());
    this.observer.observe(this.$refs.sheet);
    for (const event of ["wheel", "pointerdown", "keydown", "touchmove"])
      this.$refs.sheet.addEventListener(event, () => { this.moved = performance.now(); }, { passive: true });
    this.renewed();
  },
  unmounted() {
    this.observer.disconnect();
  },
  watch: {
    sheet() { this.$nextTick(this.renewed); },
    strip() { this.$nextTick(this.renewed); },
  },
  methods: {
    // What the server calls.
    show(state) {
      if (state.scene !== this.scene) return;
      this.state = state;
      this.light();
      for (const signal of state.signals || []) this.travel(signal);
    },
    pick(address) {
      this.picked = address;
      this.mark();
    },
    scale(by) {
      const now = this.zoom || this.fitting();
      this.zoom = by ? Math.max(LEAST_ZOOM, Math.min(MOST_ZOOM, now * by)) : 0;
      this.size();
    },
    // What is shown.
    renewed() {
      this.size();
      this.light();
      this.mark();
      const next = this.next;
      this.next = null;
      if (next) next();
    },
    svg() {
      return this.$refs.sheet && this.$refs.sheet.querySelector("svg");
    },
    fitting() {
      const svg = this.svg();
      if (!svg) return 1;
      return Math.max(0.7, Math.min(1, (this.$refs.sheet.clientWidth - 2) / svg.viewBox.baseVal.width));
    },
    size() {
      const svg = this.svg();
      if (!svg) return;
      const zoom = this.zoom || this.fitting();
      svg.setAttribute("width", svg.viewBox.baseVal.width * zoom);
      svg.setAttribute("height", svg.viewBox.baseVal.height * zoom);
      this.showRunning();
    },
    boxes() {
      return [...this.$refs.sheet.querySelectorAll(".diagram-box")];
    },
    mark() {
      if (!this.$refs.sheet) return;
      for (const box of this.boxes()) {
        box.classList.toggle("picked", box.dataset.address === this.picked);
        box.setAttribute("aria-pressed", box.dataset.address === this.picked);
      }
    },
    light() {
      if (!this.state || !this.$refs.sheet || this.state.scene !== this.scene) return;
      const runs = new Set(this.state.runs), errors = new Map(this.state.errors);
      for (const box of this.boxes()) {
        const id = Number(box.dataset.id), badge = box.querySelector(".diagram-errors");
        const count = errors.get(id) || 0, lint = Number(badge.dataset.lint);
        box.classList.toggle("runs", runs.has(id));
        box.classList.toggle("failed", count > 0);
        badge.classList.toggle("none", !count && !lint);
        badge.querySelector("text").textContent = count ? String(Math.min(count, 99)) : lint ? "!" : "";
        box.setAttribute("aria-label", box.dataset.label + (runs.has(id) ? ", running" : "")
          + (count ? `, ${count} error${count > 1 ? "s" : ""}` : ""));
      }
      const active = new Set(this.state.active);
      for (const frame of this.$refs.strip.querySelectorAll(".diagram-keyframe"))
        frame.classList.toggle("runs", active.has(Number(frame.dataset.place)));
      this.movePlayhead();
      this.showRunning();
    },
    showRunning() {
      const paper = this.$refs.sheet, edges = paper.getBoundingClientRect();
      const running = [...paper.querySelectorAll(".diagram-box.runs .diagram-body")].map((box) => box.getBoundingClientRect());
      const isSeen = (box) => box.right > edges.left && box.left < edges.right && box.bottom > edges.top && box.top < edges.bottom;
      if (!running.length || running.some(isSeen) || performance.now() - this.moved < STAYS) return;
      const box = running[0], calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
      paper.scrollBy({ left: (box.left + box.right - edges.left - edges.right) / 2,
                       top: (box.top + box.bottom - edges.top - edges.bottom) / 2, behavior: calm ? "auto" : "smooth" });
    },
    movePlayhead() {
      const head = this.$refs.strip.querySelector(".diagram-playhead");
      if (!head || !this.state.timeline) return;
      const strip = head.ownerSVGElement.dataset, frame = this.state.timeline[0];
      head.style.transform = `translateX(${(frame - Number(strip.start)) * Number(strip.frame)}px)`;
      head.classList.toggle("plays", this.state.timeline[1]);
    },
    travel([, , emitter, output, receiver, input, value]) {
      const link = this.$refs.sheet.querySelector(`[data-ends="${[emitter, output, receiver, input].join(":")}"]`);
      if (!link) return;
      const arrive = () => this.flash(this.$refs.sheet.querySelector(`.diagram-box[data-id="${receiver}"]`));
      link.classList.add("lit");
      clearTimeout(link.lit);
      link.lit = setTimeout(() => link.classList.remove("lit"), LIT);
      if (matchMedia("(prefers-reduced-motion: reduce)").matches || this.travelling >= MOST_TRAVELLING) return arrive();
      this.travelling += 1;
      const mark = document.createElementNS(SVG, "g"), dot = document.createElementNS(SVG, "circle");
      mark.classList.add("diagram-signal");
      dot.setAttribute("r", 5);
      mark.append(dot);
      if (value) {
        const text = document.createElementNS(SVG, "text");
        text.textContent = value.length > 24 ? value.slice(0, 23) + "…" : value;
        text.setAttribute("y", -8);
        mark.append(text);
      }
      this.svg().querySelector(".diagram-flow").append(mark);
      const length = link.getTotalLength(), began = performance.now();
      const step = (now) => {
        const part = Math.min(1, Math.max(0, (now - began) / TRAVELS)), at = link.getPointAtLength(length * part);
        mark.setAttribute("transform", `translate(${at.x} ${at.y})`);
        if (part < 1 && mark.isConnected) return requestAnimationFrame(step);
        mark.remove();
        this.travelling -= 1;
        arrive();
      };
      step(began);
    },
    flash(box) {
      if (!box) return;
      box.classList.add("flashes");
      clearTimeout(box.flashes);
      box.flashes = setTimeout(() => box.classList.remove("flashes"), FLASHES);
    },
    // What a person does.
    press(event) {
      const frame = event.target.closest(".diagram-keyframe"), box = event.target.closest(".diagram-box");
      if (frame) this.$emit("keyframe", Number(frame.dataset.place));
      else if (box) {
        this.stand(box);
        this.$emit("pick", box.dataset.address);
      }
    },
    open(event) {
      const box = event.target.closest(".diagram-box");
      if (box && box.dataset.opens === "1") this.$emit("open", box.dataset.address);
    },
    key(event) {
      const frame = event.target.closest(".diagram-keyframe"), box = event.target.closest(".diagram-box");
      const acts = event.key === "Enter" || event.key === " ";
      if (frame && acts) this.leave("keyframe", Number(frame.dataset.place));
      else if (box && event.key === "Enter" && box.dataset.opens === "1") this.leave("open", box.dataset.address);
      else if (box && acts) this.$emit("pick", box.dataset.address);
      else if (event.key === "Backspace") this.leave("back", this.address);
      else if (!box || !this.walk(box, event.key)) return;
      event.preventDefault();
    },
    // Another sheet takes the place of this one: the keyboard goes to what leads back or on from there.
    leave(event, value) {
      this.next = () => {
        const frame = event === "keyframe" && this.$refs.strip.querySelector(`[data-place="${value}"]`);
        const boxes = this.boxes(), came = event === "back" && boxes.find((box) => box.dataset.address === value);
        if (frame) frame.focus();
        else if (came || boxes.length) this.stand(came || boxes[0]);
        else this.$refs.sheet.focus();
      };
      this.$emit(event, value);
    },
    walk(box, key) {
      const ways = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
      const all = this.boxes();
      if (key === "Home" || key === "End") return this.stand(all[key === "Home" ? 0 : all.length - 1]);
      if (!ways[key]) return false;
      const [x, y] = ways[key], here = this.middle(box);
      let best = null, least = Infinity;
      for (const other of all) {
        const there = this.middle(other), ahead = (there.x - here.x) * x + (there.y - here.y) * y;
        const aside = Math.abs((there.x - here.x) * y) + Math.abs((there.y - here.y) * x);
        if (other !== box && ahead > 1 && ahead + 2 * aside < least) [best, least] = [other, ahead + 2 * aside];
      }
      return best ? this.stand(best) : true;
    },
    middle(box) {
      const edges = box.querySelector(".diagram-body").getBBox();
      return { x: edges.x + edges.width / 2, y: edges.y + edges.height / 2 };
    },
    stand(box) {
      for (const each of this.boxes()) each.setAttribute("tabindex", each === box ? 0 : -1);
      box.focus();
      return true;
    },
  },
};
