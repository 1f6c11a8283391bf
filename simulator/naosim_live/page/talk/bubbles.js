// The talk as bubbles. Every text is set as text; words that NAO has not said yet are paler, and stay where they are, so
// that a screen reader reads them once. A word that is said draws the bubble it stands in anew, and no other (v-memo).
export default {
  template: `
    <div class="bubbles" role="log" aria-live="polite" aria-relevant="additions" :aria-label="names.talk" tabindex="0" ref="list">
      <div v-for="line in shown" :key="line.number" v-memo="[line, names]" class="bubble" :class="'bubble-' + line.who">
        <span class="bubble-who">{{ name(line) + " " }}</span>
        <span class="bubble-text"><template v-if="line.who !== 'NAO'">{{ line.text }}</template
          ><template v-else><span v-for="(word, index) in words(line)" class="word"
            :class="{ 'word-said': line.spoken < 0 || index < line.spoken, 'word-now': index === line.spoken - 1 }"
            >{{ word + " " }}</span></template></span>
        <span v-if="line.note" class="bubble-note">{{ " " + line.note }}</span>
      </div>
    </div>`,
  props: { lines: Array, most: Number, names: Object },
  data() {
    return { shown: this.lines.slice() };
  },
  mounted() {
    this.toEnd();
  },
  methods: {
    name(line) {
      return this.names[line.who] || line.who;
    },
    words(line) {
      return line.text.split(/\s+/);
    },
    putAll(lines) {
      this.shown = lines;
      this.toEnd();
    },
    put(lines) {
      const list = this.$refs.list;
      const atEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 60;
      for (const line of lines) {
        const last = this.shown.length - 1;
        const index = last >= 0 && this.shown[last].number < line.number ? -1
          : this.shown.findIndex((each) => each.number === line.number);
        if (index >= 0) this.shown[index] = line;
        else this.shown.push(line);
      }
      if (this.shown.length > this.most) this.shown.splice(0, this.shown.length - this.most);
      if (atEnd) this.toEnd();
    },
    toEnd() {
      this.$nextTick(() => {
        if (this.$refs.list) this.$refs.list.scrollTop = this.$refs.list.scrollHeight;
      });
    },
  },
};
