// An AudioWorklet: sound of any rate in, blocks of 16-bit PCM at 16 kHz out, each with its level.
const RATE = 16000;
const BLOCK = 1600;

class Blocks extends AudioWorkletProcessor {
  constructor() {
    super();
    this.step = sampleRate / RATE;
    this.block = new Int16Array(BLOCK);
    this.begin();
    // The mean over one step is the filter, if the browser does not change the rate itself.
    this.sum = 0;
    this.weight = 0;
  }

  begin() {
    this.count = 0;
    this.power = 0;
    this.peak = 0;
    this.clipped = 0;
  }

  process([input]) {
    const channel = input[0];
    if (!channel) return true;
    for (const sample of channel) {
      const room = this.step - this.weight;
      if (room > 1) {
        this.sum += sample;
        this.weight += 1;
        continue;
      }
      this.put((this.sum + sample * room) / this.step);
      this.sum = sample * (1 - room);
      this.weight = 1 - room;
    }
    return true;
  }

  put(value) {
    const size = Math.abs(value);
    this.power += value * value;
    if (size > this.peak) this.peak = size;
    if (size > 0.98) this.clipped += 1;
    this.block[this.count++] = Math.max(-32768, Math.min(32767, Math.round(value * 32767)));
    if (this.count < BLOCK) return;
    const pcm = this.block.slice().buffer;
    this.port.postMessage({ pcm, loudness: Math.sqrt(this.power / BLOCK), peak: this.peak, clipped: this.clipped }, [pcm]);
    this.begin();
  }
}

registerProcessor("blocks", Blocks);
