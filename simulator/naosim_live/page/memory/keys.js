// Keys of ALMemory in a table; what has just changed is marked for a moment.
export default {
  template: `
    <div class="table-box" tabindex="0" role="region" aria-label="Keys of ALMemory">
      <table class="memory-keys">
        <thead><tr><th scope="col">Watch</th><th scope="col">Key</th><th scope="col">Value</th></tr></thead>
        <tbody>
          <tr v-for="row in rows" :key="row[0]" :class="{ changed: row[3] }">
            <td><button type="button" class="star" :aria-pressed="row[2]" :aria-label="'Watch ' + row[0]"
              @click="$emit('watch', row[0])">{{ row[2] ? "★" : "☆" }}</button></td>
            <td class="memory-key"><template v-for="part in parts(row[0])">{{ part }}<wbr></template></td>
            <td class="memory-value">{{ row[1] }}</td>
          </tr>
        </tbody>
      </table>
    </div>`,
  data() {
    return { rows: [] };
  },
  methods: {
    // A key is broken after a slash, if it has to be.
    parts(key) {
      return key.split(/(?<=\/)/);
    },
    put(rows) {
      this.rows = rows;
    },
  },
};
