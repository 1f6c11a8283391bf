// NAO's voice in this browser: the browser's own local voice where it has one for the language, else sound that comes.
const LETTERS_A_SECOND = 14;
const SLOWEST = 0.7;
const FASTEST = 1.8;

export default {
  template: `
    <button type="button" class="speech-button" :aria-pressed="String(isOn)" @click="turn">{{
      isOn ? names.on : names.off }}</button>`,
  props: { names: Object },
  data() {
    return { isOn: false };
  },
  created() {
    this.number = 0;
    this.context = this.sound = null;
    this.pause = 0;
    this.letters = LETTERS_A_SECOND;
  },
  mounted() {
    window.speechSynthesis?.addEventListener?.("voiceschanged", this.tell);
    this.tell();
  },
  beforeUnmount() {
    window.speechSynthesis?.removeEventListener?.("voiceschanged", this.tell);
    this.hush();
    this.context?.close();
  },
  methods: {
    // The languages of voices that speak on this computer: others send the text to a company.
    voices() {
      return (window.speechSynthesis?.getVoices() ?? []).filter((voice) => voice.localService);
    },
    tell() {
      const languages = new Set(this.voices().map((voice) => voice.lang.slice(0, 2).toLowerCase()));
      this.$emit("voices", [...languages].slice(0, 100));
    },
    turn() {
      this.set(!this.isOn);
    },
    set(isOn) {
      if (isOn === this.isOn) return;
      this.isOn = isOn;
      if (isOn) {
        this.context ??= new AudioContext();
        this.context.resume();
      } else this.hush();
      this.$emit("turned", isOn);
    },
    // A text by the browser's own voice: words and pauses, in so many seconds.
    async speak(number, language, parts, seconds) {
      this.hush();
      this.number = number;
      const letters = parts.reduce((sum, part) => sum + part.words.length, 0);
      const pauses = parts.reduce((sum, part) => sum + part.pause, 0);
      const rate = letters / this.letters / Math.max(0.3, seconds - pauses);
      for (const part of parts) {
        if (number !== this.number) return;
        if (part.pause) await new Promise((done) => { this.pause = setTimeout(done, part.pause * 1000); });
        else await this.utter(part, language, Math.min(Math.max(rate, SLOWEST), FASTEST));
      }
      this.spoken(number);
    },
    utter(part, language, rate) {
      return new Promise((done) => {
        const said = new SpeechSynthesisUtterance(part.words);
        said.voice = this.voices().find((voice) => voice.lang.toLowerCase().startsWith(language)) ?? null;
        said.lang = said.voice?.lang ?? language;
        said.rate = rate * (part.speed / 100);
        said.pitch = Math.min(2, 1.3 * (part.pitch / 100));
        said.volume = Math.min(1, part.volume / 80);
        let begun = 0;
        said.onstart = () => { begun = performance.now(); };
        said.onend = said.onerror = (event) => {
          const took = (performance.now() - begun) / 1000;
          if (begun && event.type === "end" && part.words.length > 20 && took > 0.3) {
            this.letters = 0.7 * this.letters + 0.3 * (part.words.length / took / said.rate);
          }
          done();
        };
        window.speechSynthesis.speak(said);
      });
    },
    // A text as a WAV file in base64, with a volume from 0 to 1.
    async play(number, wave, volume) {
      this.hush();
      this.number = number;
      try {
        const bytes = Uint8Array.from(atob(wave), (each) => each.charCodeAt(0));
        const sound = this.context.createBufferSource();
        sound.buffer = await this.context.decodeAudioData(bytes.buffer);
        if (number !== this.number || !this.isOn) return;
        const loudness = this.context.createGain();
        loudness.gain.value = volume;
        sound.connect(loudness).connect(this.context.destination);
        sound.onended = () => this.spoken(number);
        this.sound = sound;
        sound.start();
      } catch {
        this.spoken(number);
      }
    },
    spoken(number) {
      if (number !== this.number) return;
      this.number = 0;
      this.sound = null;
      this.$emit("spoken", number);
    },
    hush() {
      const { number, sound } = this;
      clearTimeout(this.pause);
      this.number = 0;
      this.sound = null;
      if (sound) {
        sound.onended = null;
        sound.stop();
      }
      window.speechSynthesis?.cancel();
      if (number) this.$emit("spoken", number);
    },
  },
};
