// Speech recognition in a worker of its own: Python (Pyodide) finds phrases in sound, as on a desktop; the network that it
// asks runs in JavaScript. No sound leaves the worker.
//
// From the page: {open: "<vocabulary as JSON>", number}, {pcm: ArrayBuffer}, {close: true}, {forget: true}. To the page:
// {ready: true}, {broken: "<message>"}, {taken: 1} for each block of sound, and {number, heard: [...]} with events as
// `naosim_voice/posted.py` describes them, for the vocabulary with that number.
import { checkBrowser, fetchPacked, startPython, unpack } from "../python.js";
import { Network } from "./network.js";

const FOLDER = "/nao";
let recogniser = null;
let number = 0;

/** Return a file of this folder, from those that the page has kept. */
async function read(name) {
  const address = new URL(`${name}.packed`, import.meta.url);
  const answer = (await globalThis.caches?.match(address, { ignoreSearch: true })) ?? (await fetch(address));
  if (!answer.ok) throw new Error(`${name}: ${answer.status} ${answer.statusText}`);
  return unpack(answer).arrayBuffer();
}

async function start() {
  checkBrowser();
  const archives = [fetchPacked("./nao.zip").then((answer) => answer.arrayBuffer()), read("voice.zip")];
  const network = Promise.all(["ort.wasm", "encoder_model.ort", "decoder_model_merged.ort"].map(read)).then((files) => Network.load(...files));
  const python = await startPython((text) => console.warn(text));
  for (const archive of await Promise.all(archives)) python.unpackArchive(archive, "zip", { extractDir: FOLDER });
  python.runPython(`import sys; sys.path.insert(0, "${FOLDER}")`);
  const { PostedRecogniser } = python.pyimport("naosim_voice.posted");
  const tokens = new Uint8Array(await read("tokenizer.bin"));
  recogniser = PostedRecogniser(await network, tokens, python.pyimport("pyodide.ffi").run_sync);
  postMessage({ ready: true });
}

/** Do what a message asks. Python waits for the network, so it runs on a stack of its own. */
async function take(message) {
  if (message.open !== undefined) {
    number = message.number;
    await recogniser.open.callPromising(message.open);
  } else if (message.pcm) {
    const heard = JSON.parse(await recogniser.feed.callPromising(new Uint8Array(message.pcm)));
    postMessage({ number, heard, taken: 1 });
  } else if (message.close) recogniser.close();
  else if (message.forget) recogniser.forget_room();
}

const report = (error) => postMessage({ broken: String(error?.message ?? error) });
/** The end of the last message's work: messages are answered one after another. */
let last = start();
last.catch(report);
self.addEventListener("message", ({ data }) => {
  last = last.then(() => take(data));
  last.catch(report);
});
