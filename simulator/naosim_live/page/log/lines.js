// Lines of the log; every text is set as text, and drawn once (v-memo).
export default {
  template: `
    <div class="log-lines" tabindex="0" role="region" aria-label="What the robot did" ref="box">
      <div v-for="line in lines" :key="line.number" v-memo="[line]" class="log-line" :class="'log-' + line.group">
        <span class="log-time">{{ line.time }}</span> <span class="log-text">{{ line.text }}</span>
      </div>
    </div>`,
  props: { most: Number },
  data() {
    return { lines: [], count: 0 };
  },
  methods: {
    put(rows, anew) {
      const box = this.$refs.box;
      const atEnd = anew || box.scrollHeight - box.scrollTop - box.clientHeight < 40;
      if (anew) this.lines = [];
      for (const [time, group, text] of rows)
        this.lines.push({ number: this.count++, time: time.toFixed(2) + " s", group, text });
      if (this.lines.length > this.most) this.lines.splice(0, this.lines.length - this.most);
      if (atEnd) this.$nextTick(() => { box.scrollTop = box.scrollHeight; });
    },
  },
};
