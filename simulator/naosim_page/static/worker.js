// The simulated robot in a web worker: Python (Pyodide) runs naosim and speaks its protocol by messages.
//
// From the page: {line: "<a request as JSON>"}, or {id, store: "<file name>", bytes: ArrayBuffer} for a file, whose
// answer is the path for `load`, or {id, notebook: "export" | "import" | "delete", content}, or {acknowledged: count} for
// the messages that the page has got so far. To the page: the answers and pushes of the protocol as JSON texts. The first
// is {"push": "ready", ...} or {"push": "broken", "message": ...}. `worker_link.js` is the page's side.

import { Notebook } from "./notebook.js";
import { checkBrowser, fetchPacked, startPython } from "./python.js";

const FOLDER = "/nao";
const DROPPED = "/dropped";
const NOTEBOOK = "/saved";
/** The module of a worker for a stranger's file, which gets neither the notebook nor a way out. */
const GUEST = "naosim_page.dropped";
const STARTED = performance.now();

let python = null;
let takeLine = null;
let notebook = null;
let isBroken = false;
let stored = 0;
/** Messages that came before Python was ready. */
const early = [];

/** Messages that may be on their way to the page, as in `worker_link.js`; characters of those that wait, which also
 * count their objects; and milliseconds that Python waits for one. */
const MAX_UNACKNOWLEDGED = 200, MAX_WAITING_CHARACTERS = 16 * 2 ** 20, OBJECT_CHARACTERS = 1000, MAX_WAIT_MS = 5000;
// A stranger's scripts can change or lock everything that has a name.
const send = self.postMessage.bind(self), sleep = self.setTimeout.bind(self), { apply } = Reflect;
const readData = Object.getOwnPropertyDescriptor(MessageEvent.prototype, "data").get;
const waiting = [];
let sent = 0, acknowledged = 0, waitingCharacters = 0;

/** Send a text to the page; return a promise if it has to wait for the page. @param {string} line */
function post(line) {
  if (typeof line !== "string") throw new TypeError("only texts are posted");
  if (!waiting.length && sent - acknowledged < MAX_UNACKNOWLEDGED) {
    sent += 1;
    send(line);
    return undefined;
  }
  if (waitingCharacters > MAX_WAITING_CHARACTERS) throw new Error("too many messages wait for the page");
  waitingCharacters += line.length + OBJECT_CHARACTERS;
  return new Promise((resolve) => {
    waiting.push({ line, resolve });
    sleep(resolve, MAX_WAIT_MS);
  });
}

/** Send what waits, after the page has got `count` messages. @param {number} count */
function acknowledge(count) {
  acknowledged = count;
  while (waiting.length && sent - acknowledged < MAX_UNACKNOWLEDGED) {
    const { line, resolve } = waiting.shift();
    waitingCharacters -= line.length + OBJECT_CHARACTERS;
    sent += 1;
    send(line);
    resolve();
  }
}

const push = (message) => post(JSON.stringify(message));

function report(error) {
  if (!isBroken) push({ push: "broken", message: String(error?.message ?? error) });
  isBroken = true;
}

/** Store a file of the page in a folder of its own; return the path for `load`. */
function storeFile(name, bytes) {
  const plain = name.replace(/^.*[/\\]/, "").replace(/^\.+/, "") || "file";
  const folder = `${DROPPED}/${(stored += 1)}`;
  python.FS.mkdirTree(folder);
  const path = `${folder}/${plain}`;
  python.FS.writeFile(path, new Uint8Array(bytes));
  return path;
}

function answerStore({ id, store, bytes }) {
  try {
    push({ id, value: storeFile(store, bytes) });
  } catch (error) {
    push({ id, error: `the file ${store} cannot be stored: ${error?.message ?? error}` });
  }
}

function answerNotebook({ id, notebook: act, content }) {
  notebook.answer(act, content).then((value) => push({ id, value }), (error) => push({ id, error: String(error?.message ?? error) }));
}

function take(message) {
  if (message.acknowledged !== undefined) acknowledge(message.acknowledged);
  else if (python === null) early.push(message);
  else if (message.store !== undefined) answerStore(message);
  else if (message.notebook !== undefined) answerNotebook(message);
  else takeLine(message.line);
}

/** Names of a worker that lead to the page, the network, the browser's stores and other pages, or run JavaScript from a text. */
const WAYS_OUT = [
  "postMessage", "reportError", "close", "fetch", "XMLHttpRequest", "WebSocket", "WebSocketStream", "WebTransport", "EventSource", "importScripts", "Worker", "SharedWorker",
  "BroadcastChannel", "indexedDB", "caches", "cookieStore", "navigator", "Notification", "FontFace", "eval",
];

const lock = (place, name, value) => Object.defineProperty(place, name, { value, writable: false, configurable: false });

/** Leave a stranger's scripts only this worker. Python can reach JavaScript by `import js`. */
function lockUp() {
  for (let place = self; place !== null; place = Object.getPrototypeOf(place)) {
    for (const name of WAYS_OUT) if (Object.hasOwn(place, name)) lock(place, name, undefined);
  }
  for (const like of [function () {}, async function () {}, function* () {}, async function* () {}]) {
    const { name } = like.constructor;
    const refuse = { [name]: function () { throw new Error("a behaviour cannot run JavaScript"); } }[name];
    refuse.prototype = Object.getPrototypeOf(like);
    lock(refuse.prototype, "constructor", refuse);
  }
  lock(self, "Function", Function.prototype.constructor);
  for (const name of ["setTimeout", "setInterval"]) {
    const plain = self[name].bind(self);
    lock(self, name, (call, ...rest) => (typeof call === "function" ? plain(call, ...rest) : 0));
  }
}

async function start() {
  checkBrowser();
  // The browser hands every line of the console to the page.
  if (self.name === GUEST) lock(self, "console", new Proxy({}, { get: () => () => {} }));
  const archive = fetchPacked("./nao.zip").then((answer) => answer.arrayBuffer());
  const [found, bundle] = await Promise.all([startPython((text) => push({ push: "log", text })), archive]);
  const loaded = performance.now() - STARTED;
  found.unpackArchive(bundle, "zip", { extractDir: FOLDER });
  found.runPython(`import sys; sys.path.insert(0, "${FOLDER}")`);
  // The worker's name, not its address: a service worker forgets what is behind the question mark.
  if (self.name !== GUEST) {
    notebook = new Notebook(found.FS, NOTEBOOK);
    await notebook.open();
  }
  const server = found.pyimport(self.name || "naosim_page.posted").make_server(post);
  takeLine = server.take;
  if (self.name === GUEST) lockUp();
  server.run.callPromising().catch(report);
  python = found;
  push({
    push: "ready",
    python: found.runPython("import platform; platform.python_version()"),
    folder: FOLDER,
    loaded: Math.round(loaded),
    milliseconds: Math.round(performance.now() - STARTED),
  });
  early.splice(0).forEach(take);
}

self.addEventListener("message", (event) => {
  if (!event.isTrusted) return;
  try {
    take(apply(readData, event, []));
  } catch (error) {
    report(error);
  }
});
// A crash of Python ends the promises of its threads.
self.addEventListener("unhandledrejection", (event) => report(event.reason));

start().catch(report);
