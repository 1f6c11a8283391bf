// The microphone of this browser: on and off, its level, what is wrong with it. Sound leaves only while NAO listens.
import { Dictation, canDictate } from "nao-sound/dictation.js";
import { LOST, NO_MICROPHONE, SoundCheck, refusal } from "nao-sound/sound_check.js";

const PATH = "/_ears";
const RATE = 16000;
// Bytes that may wait in the socket; blocks of sound kept from before a press, and of silence after it.
const MOST_WAITING = 96 * 1024;
const BEFORE = 4;
const AFTER = 7;
const LOUDEST = 60;

export default {
  template: `
    <div class="microphone">
      <div class="microphone-row">
        <button type="button" class="speech-button" :aria-pressed="String(isOn)" :disabled="isBusy || !able"
          @click="turn">{{ isOn ? say("Microphone off") : say("Speak with NAO") }}</button>
        <button v-if="isOn && isHeld && !isDictated" type="button" class="speech-button hold" :aria-pressed="String(isDown)"
          @pointerdown="down" @pointerup="up" @pointercancel="up" @pointerleave="up" @blur="up"
          @keydown.space.prevent="down" @keyup.space.prevent="up" @keydown.enter.prevent="down" @keyup.enter.prevent="up"
          @contextmenu.prevent>{{ say("Hold to speak") }}</button>
        <slot></slot>
      </div>
      <div class="microphone-row" v-show="isOn">
        <meter v-if="!isDictated" class="level" min="0" :max="loudest" :value="level" :aria-label="say('Sound level')"></meter>
        <span class="sends" :class="{ 'sends-now': sends }">{{ sends ? say("NAO hears this") : say("NAO doesn't hear this") }}</span>
      </div>
      <p class="speech-check" role="alert" v-show="sentence">{{ sentence }}</p>
      <details class="microphone-more">
        <summary>{{ say("Microphone") }}</summary>
        <div class="microphone-row">
          <label v-if="devices.length > 1">{{ say("Which one") }}
            <select v-model="device" @change="again">
              <option v-for="each in devices" :key="each.id" :value="each.id">{{ each.label }}</option>
            </select>
          </label>
          <label v-if="!isDictated"><input type="checkbox" v-model="isHeld"> {{ say("Only while I hold a button") }}</label>
        </div>
        <label v-if="canDictate" class="microphone-row"><input type="checkbox" class="dictation" v-model="isDictated" @change="again">
          {{ say("Let the browser recognise what I say: it sends my voice to a company, Chrome to Google") }}</label>
      </details>
    </div>`,
  props: { able: Boolean, texts: Object },
  data() {
    return { isOn: false, isBusy: false, isHeld: false, isDown: false, listens: false, level: 0, loudest: LOUDEST,
      sentence: "", devices: [], device: "", isDictated: false, canDictate: canDictate() };
  },
  computed: {
    sends() {
      return this.isOn && this.listens && (!this.isHeld || this.isDown || this.isDictated);
    },
  },
  created() {
    // What is no part of the drawing, and nothing for Vue to watch.
    this.stream = this.context = this.socket = this.check = this.dictation = null;
    this.before = [];
    this.opening = 0;
  },
  beforeUnmount() {
    this.stop();
  },
  methods: {
    // A text in the page's language, with a name put in.
    say(english, name = "") {
      return (this.texts[english] || english).replace("{name}", () => name);
    },
    turn() {
      return this.isOn ? this.stop("") : this.start();
    },
    again() {
      if (!this.isOn) return;
      this.stop("");
      this.start();
    },
    async start() {
      const number = ++this.opening;
      this.sentence = "";
      if (this.isDictated) return this.dictate();
      if (!navigator.mediaDevices?.getUserMedia) return void (this.sentence = this.say(NO_MICROPHONE));
      this.isBusy = true;
      try {
        await this.open(number);
      } catch (error) {
        if (number === this.opening) this.stop(refusal(error, this.say));
      } finally {
        if (number === this.opening) this.isBusy = false;
      }
    },
    // The browser listens by itself: no sound comes here, nor to NAO's computer.
    dictate() {
      this.dictation = new Dictation((told) => this.send(JSON.stringify(told)), (sentence) => this.stop(this.say(sentence)));
      this.isOn = true;
      this.$emit("wanted", true);
    },
    async open(number) {
      const wanted = { channelCount: 1, echoCancellation: true, noiseSuppression: true, autoGainControl: true };
      if (this.device) wanted.deviceId = { exact: this.device };
      const stream = await navigator.mediaDevices.getUserMedia({ audio: wanted });
      if (number !== this.opening) return stream.getTracks().forEach((track) => track.stop());
      this.stream = stream;
      const track = stream.getAudioTracks()[0];
      track.onended = () => this.stop(this.say(LOST));
      this.check = new SoundCheck(track.label, this.say);
      await this.list(track);
      await this.carry(number);
      if (number !== this.opening) return;
      this.isOn = true;
      this.$emit("wanted", false);
    },
    async list(track) {
      const found = (await navigator.mediaDevices.enumerateDevices()).filter((each) => each.kind === "audioinput" && each.deviceId);
      this.devices = found.map((each) => ({ id: each.deviceId, label: each.label || this.say("A microphone") }));
      const now = track.getSettings().deviceId;
      if (this.devices.some((each) => each.id === now)) this.device = now;
    },
    async carry(number) {
      let source;
      try {
        this.context = new AudioContext({ sampleRate: RATE });
        source = this.context.createMediaStreamSource(this.stream);
      } catch {
        // Firefox connects no microphone to a context of another rate.
        this.context?.close();
        this.context = new AudioContext();
        source = this.context.createMediaStreamSource(this.stream);
      }
      const context = this.context;
      await context.resume();
      await context.audioWorklet.addModule(import.meta.resolve("nao-sound/blocks.js"));
      if (number !== this.opening) return;
      const blocks = new AudioWorkletNode(context, "blocks", { numberOfOutputs: 1, channelCount: 1, channelCountMode: "explicit" });
      blocks.port.onmessage = ({ data }) => this.take(data);
      // A node that leads nowhere is not run; nothing comes out of it.
      source.connect(blocks).connect(context.destination);
    },
    take(block) {
      if (!this.isOn) return;
      this.level = Math.max(0, LOUDEST + 20 * Math.log10(block.loudness + 1e-6));
      this.check.take(block);
      if (this.check.verdict !== this.sentence) this.sentence = this.check.verdict;
      if (this.sends) this.send(block.pcm);
      else if (this.isHeld) {
        this.before.push(block.pcm);
        if (this.before.length > BEFORE) this.before.shift();
      }
    },
    send(told) {
      if (this.socket?.readyState === WebSocket.OPEN && this.socket.bufferedAmount < MOST_WAITING) this.socket.send(told);
    },
    down(event) {
      if (this.isDown || event.repeat) return;
      this.isDown = true;
      if (this.listens) this.before.forEach((pcm) => this.send(pcm));
      this.before = [];
    },
    up() {
      if (!this.isDown) return;
      // By silence NAO knows that the answer is over.
      if (this.sends) for (let count = 0; count < AFTER; count++) this.send(new ArrayBuffer(RATE / 5));
      this.isDown = false;
    },
    // Called by the server, which has a recogniser for the ticket, or says why it has none.
    connect(ticket) {
      if (!this.isOn) return;
      const earlier = this.socket;
      this.socket = null;
      earlier?.close();
      const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${PATH}`);
      socket.onopen = () => socket.send(ticket);
      socket.onmessage = ({ data }) => {
        if (socket !== this.socket) return;
        this.listens = JSON.parse(data).listens === true;
        this.dictation?.listen(this.listens);
      };
      socket.onclose = () => {
        if (socket === this.socket) this.stop(this.say("The microphone stopped. Press it again."));
      };
      this.socket = socket;
    },
    stop(sentence = "") {
      this.opening += 1;
      const { socket, stream, context, dictation } = this;
      this.socket = this.stream = this.context = this.dictation = null;
      this.isOn = this.isBusy = this.isDown = this.listens = false;
      this.before = [];
      this.sentence = sentence;
      stream?.getTracks().forEach((track) => {
        track.onended = null;
        track.stop();
      });
      dictation?.listen(false);
      context?.close();
      socket?.close();
      this.$emit("ended");
    },
  },
};
