// Moonshine's network by ONNX Runtime: what `naosim_voice/posted.py` asks it. Rows are beginnings of texts.
import * as ort from "./ort.mjs";

/** What the network keeps of each row: of the sound, which all rows share, and of the text.
 * @typedef {{heard: any, sound: {[name: string]: any}, text: {[name: string]: any}}} Kept */
const THREADS = 1; // More need headers that plain servers do not send.

/** Return numbers of Python as a typed array of their own. @param {any} numbers */
function copy(numbers) {
  const view = numbers.getBuffer();
  try {
    return view.data.slice();
  } finally {
    view.release();
  }
}

/** Return a tensor with some rows of another. @param {any} tensor @param {ArrayLike<number>} rows */
function pick(tensor, rows) {
  const [, ...dims] = tensor.dims, size = dims.reduce((/** @type {number} */ one, /** @type {number} */ other) => one * other, 1);
  const data = new Float32Array(size * rows.length);
  for (let at = 0; at < rows.length; at++) data.set(tensor.data.subarray(rows[at] * size, (rows[at] + 1) * size), at * size);
  return new ort.Tensor("float32", data, [rows.length, ...dims]);
}

const whole = (/** @type {number[]} */ numbers, /** @type {number[]} */ dims) => new ort.Tensor("int64", BigInt64Array.from(numbers, BigInt), dims);
const ones = (/** @type {number[]} */ dims) => new ort.Tensor("int64", new BigInt64Array(dims[0] * dims[1]).fill(1n), dims);

/** Choose the given tensors that a part of the model takes. @param {any} session @param {{[name: string]: any}} given */
const choose = (session, given) => Object.fromEntries(session.inputNames.map((/** @type {string} */ name) => [name, given[name]]));

export class Network {
  /** @param {any} encoder @param {any} decoder */
  constructor(encoder, decoder) {
    this.encoder = encoder;
    this.decoder = decoder;
    this.past = decoder.inputMetadata.filter((/** @type {any} */ each) => each.name.startsWith("past"));
  }

  /** @param {ArrayBuffer} runtime ONNX Runtime's WebAssembly @param {ArrayBuffer} encoder @param {ArrayBuffer} decoder */
  static async load(runtime, encoder, decoder) {
    Object.assign(ort.env.wasm, { wasmBinary: runtime, numThreads: THREADS });
    const open = (/** @type {ArrayBuffer} */ model) => ort.InferenceSession.create(new Uint8Array(model), { executionProviders: ["wasm"] });
    return new Network(await open(encoder), await open(decoder));
  }

  /** Listen to samples, and write the first token. @param {any} samples @param {number} token */
  async listen(samples, token) {
    const data = copy(samples), dims = [1, data.length];
    const sound = { input_values: new ort.Tensor("float32", data, dims), attention_mask: ones(dims) };
    const [heard] = Object.values(await this.encoder.run(choose(this.encoder, sound)));
    const nothing = this.past.map(({ name, shape }) => [name, new ort.Tensor("float32", [], [1, shape[1], 0, shape[3]])]);
    return this.run([token], { heard, sound: {}, text: Object.fromEntries(nothing) }, true);
  }

  /** Go on with some rows, each with one more token. @param {Kept} kept @param {any} rows @param {any} tokens */
  async write(kept, rows, tokens) {
    const chosen = copy(rows), added = copy(tokens);
    const choosing = (/** @type {any} */ tensor) => pick(tensor, chosen);
    const of = (/** @type {{[name: string]: any}} */ tensors) => Object.fromEntries(Object.entries(tensors).map(([name, tensor]) => [name, choosing(tensor)]));
    // All rows have the same sound: as many rows need no copies.
    const isSame = kept.heard.dims[0] === chosen.length;
    return this.run(added, { heard: isSame ? kept.heard : choosing(kept.heard), sound: isSame ? kept.sound : of(kept.sound), text: of(kept.text) }, false);
  }

  /** @param {ArrayLike<number>} tokens @param {Kept} kept @param {boolean} isFirst */
  async run(tokens, { heard, sound, text }, isFirst) {
    const found = await this.decoder.run(choose(this.decoder, {
      ...sound, ...text, encoder_hidden_states: heard, encoder_attention_mask: ones([tokens.length, 1]),
      input_ids: whole(Array.from(tokens), [tokens.length, 1]), use_cache_branch: new ort.Tensor("bool", [!isFirst], [1]),
    }));
    /** @type {Kept} */
    const kept = { heard, sound: isFirst ? {} : sound, text: {} };
    for (const { name } of this.past) {
      const now = found[name.replace("past_key_values", "present")];
      if (name.includes(".decoder.")) kept.text[name] = now;
      else if (isFirst) kept.sound[name] = now; // The first token works what was heard into the cache, where it stays.
    }
    return { ...weigh(found.logits, tokens.length), kept };
  }
}

/** Return the natural logarithms of the probabilities, and the likeliest token of each row. @param {any} logits @param {number} rows */
function weigh(logits, rows) {
  const size = logits.dims[2], odds = logits.data.slice(), likeliest = new Int32Array(rows);
  for (let row = 0; row < rows; row++) {
    const part = odds.subarray(row * size, (row + 1) * size);
    let best = 0, sum = 0;
    for (let at = 1; at < size; at++) if (part[at] > part[best]) best = at;
    const most = part[best];
    for (let at = 0; at < size; at++) sum += Math.exp(part[at] - most);
    const all = most + Math.log(sum);
    for (let at = 0; at < size; at++) part[at] -= all;
    likeliest[row] = best;
  }
  return { odds, likeliest };
}
