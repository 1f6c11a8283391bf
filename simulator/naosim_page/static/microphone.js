// The microphone of this browser: a button, its level, and what is wrong. Sound leaves the browser only while NAO listens,
// for answers or for "NAO, stop".
import { html, nothing } from "./lib/lit-html/lit-html.js";
import { isSpeaking } from "./speech.js";
import { t } from "./texts.js";

const RATE = 16000;
const MAX_WAITING_BYTES = 96 * 1024; // in the socket
export const ECHO_MS = 400; // rooms echo after NAO's voice in this browser
const LOUDEST_DB = 60;
// A microphone without sound, and one that is too loud: in blocks of 0.1 s, samples, and values.
const SILENT_BLOCKS = 50, SILENT_PEAK = 0.001, CLIPPED_SAMPLES = 8, JUDGED_BLOCKS = 20;
export const BLOCKED = "The browser doesn't let this page listen. Allow the microphone next to the page's address, and press again.";
export const NOT_FOUND = "The browser finds no microphone. Connect one, and press again.";
const IN_USE = "The microphone doesn't open. Another program might be using it.";
const UNREACHABLE = "The speech model can't be downloaded now. Try again later, or type.";
const REFUSALS = /** @type {{[name: string]: string}} */ ({ NotAllowedError: BLOCKED, NotFoundError: NOT_FOUND, NotReadableError: IN_USE, AbortError: IN_USE, NetworkError: UNREACHABLE });
const LOST = "The microphone is gone. Connect it or choose another one, and press again.";

/** Draw a microphone's button. @param {{isOn: boolean, isBusy: boolean}} state @param {boolean} hears whether NAO hears now
 * @param {(event: Event) => void} press */
export function drawMicrophone({ isOn, isBusy }, hears, press) {
  return html`<button type="button" class="second slim microphone ${isOn && hears ? "hears" : ""}" aria-pressed=${isOn ? "true" : "false"}
    aria-label=${t("Speak with NAO")} title=${t("Speak with NAO")} ?disabled=${isBusy} @click=${press}>
    <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true"><path fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round"
      d="M12 3a3 3 0 0 1 3 3v5a3 3 0 0 1-6 0V6a3 3 0 0 1 3-3zM6 11a6 6 0 0 0 12 0M12 17v4"></path></svg></button>`;
}

/** Return whether this page may use a microphone: on this computer, or over https. */
export const canListen = () => Boolean(navigator.mediaDevices && window.AudioContext);

export class Microphone {
  /** @param {string} address of the web socket @param {() => void} tell is called when something has changed */
  constructor(address, tell) {
    this.address = address;
    this.tell = tell;
    this.isOn = false;
    this.isBusy = false;
    this.listens = false;
    /** Whether NAO speaks, and "NAO, stop" ends its sentence. */
    this.stops = false;
    this.cancelsEcho = false;
    this.level = 0;
    this.sentence = "";
    this.opening = 0;
    this.spokeAt = -Infinity;
    /** @type {MediaStream | null} */
    this.stream = null;
    /** @type {AudioContext | null} */
    this.context = null;
    /** @type {WebSocket | null} */
    this.socket = null;
    this.blocks = 0;
    this.hasSound = false;
    /** @type {number[]} */
    this.clipped = [];
  }

  /** Turn it on or off. @param {Event} [_event] of the button */
  async turn(_event) {
    if (this.isOn || this.isBusy) return this.stop();
    const number = ++this.opening;
    this.isBusy = true;
    this.sentence = "";
    this.tell();
    try {
      await this.open(number);
    } catch (error) {
      const name = /** @type {Error} */ (error).name;
      if (number === this.opening) this.stop(REFUSALS[name] ? t(REFUSALS[name]) : t("The microphone doesn't work ({name}).", { name }));
    }
    if (number === this.opening) this.isBusy = false;
    this.tell();
  }

  /** @param {number} number */
  async open(number) {
    // A browser's gain control makes a television as loud as the player while the player is silent.
    const stream = await navigator.mediaDevices.getUserMedia({ audio: { channelCount: 1, echoCancellation: true, noiseSuppression: true, autoGainControl: false } });
    if (number !== this.opening) return stream.getTracks().forEach((track) => track.stop());
    this.stream = stream;
    const [track] = stream.getAudioTracks(), /** @type {any} */ cancelled = track.getSettings().echoCancellation;
    track.onended = () => this.stop(t(LOST));
    this.cancelsEcho = Boolean(cancelled) && cancelled !== "remote-only";
    let source;
    try {
      this.context = new AudioContext({ sampleRate: RATE });
      source = this.context.createMediaStreamSource(stream);
    } catch {
      // Firefox connects no microphone to a context of another rate.
      this.context?.close();
      this.context = new AudioContext();
      source = this.context.createMediaStreamSource(stream);
    }
    const context = this.context;
    await context.audioWorklet.addModule("blocks.js");
    if (number !== this.opening) return;
    const blocks = new AudioWorkletNode(context, "blocks", { numberOfOutputs: 1, channelCount: 1, channelCountMode: "explicit" });
    [this.blocks, this.hasSound, this.clipped] = [0, false, []];
    blocks.port.onmessage = ({ data }) => this.take(data);
    // A node without a destination does not run; no sound comes out of it.
    source.connect(blocks).connect(context.destination);
    await this.connect();
    if (number !== this.opening) return;
    this.isOn = true;
  }

  /** Open the way to what recognises the sound. @returns {void | Promise<void>} */
  connect() {
    const socket = new WebSocket(this.address);
    this.socket = socket;
    socket.onmessage = ({ data }) => {
      const told = JSON.parse(data);
      if ("listens" in told) [this.listens, this.stops] = [told.listens, told.stops];
      if ("trouble" in told) this.sentence = t(told.trouble, { language: t(told.language) });
      this.tell();
    };
    socket.onclose = ({ reason }) => {
      if (socket === this.socket) this.stop(t(reason) || t("The microphone stopped. Press it again."));
    };
  }

  /** @param {{pcm: ArrayBuffer, loudness: number, peak: number, clipped: number}} block */
  take({ pcm, loudness, peak, clipped }) {
    if (!this.isOn) return;
    if (isSpeaking()) this.spokeAt = performance.now();
    this.level = Math.max(0, LOUDEST_DB + 20 * Math.log10(loudness + 1e-6));
    this.judge(peak, clipped);
    const isQuiet = performance.now() - this.spokeAt > ECHO_MS;
    // The browser takes out what it plays, but not the system's voices.
    const canStop = this.stops && this.cancelsEcho && !window.speechSynthesis?.speaking;
    if ((this.listens && isQuiet) || canStop) this.send(pcm);
    this.tell();
  }

  /** Hand a block of sound to what recognises it. @param {ArrayBuffer} pcm */
  send(pcm) {
    const { socket } = this;
    if (socket?.readyState === WebSocket.OPEN && socket.bufferedAmount < MAX_WAITING_BYTES) socket.send(pcm);
  }

  /** Say if the microphone gives no sound, or is too loud. @param {number} peak @param {number} clipped */
  judge(peak, clipped) {
    this.blocks += 1;
    this.hasSound ||= peak > SILENT_PEAK;
    this.clipped = [...this.clipped, clipped].slice(-JUDGED_BLOCKS);
    const loud = this.clipped.filter((count) => count >= CLIPPED_SAMPLES).length;
    const name = this.stream?.getAudioTracks()[0]?.label || t("this microphone");
    const isSilent = !this.hasSound && this.blocks > SILENT_BLOCKS;
    if (isSilent) this.sentence = t("No sound from {name}. Is it muted, or is it the wrong microphone?", { name });
    else if (loud > 2) this.sentence = t("Too loud! Turn the microphone down, or move away from it.");
    else if (this.wasWrong) this.sentence = "";
    this.wasWrong = isSilent || loud > 2;
  }

  /** @param {string} [sentence] */
  stop(sentence = "") {
    this.opening += 1;
    const { socket, stream, context } = this;
    this.socket = this.stream = this.context = null;
    this.isOn = this.isBusy = this.listens = this.stops = false;
    this.level = 0;
    this.sentence = sentence;
    stream?.getTracks().forEach((track) => {
      track.onended = null;
      track.stop();
    });
    context?.close();
    socket?.close();
    this.tell();
  }

  /** Draw the button, with the level of the sound while it is on. */
  draw() {
    return html`${drawMicrophone(this, this.listens, (event) => this.turn(event))}
      ${this.isOn ? html`<meter class="sound-level" min="0" max=${LOUDEST_DB} value=${this.level} aria-label=${t("Sound level")}></meter>` : nothing}`;
  }
}
