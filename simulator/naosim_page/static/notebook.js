// Keeps the files of a folder of the worker's Python in the browser (IndexedDB), for all tabs of the site together.
//
// Files of lines are only added to: each tab adds its own new lines to what the others have kept. A file of another kind,
// such as an unfinished game, belongs to one tab; when that tab is gone, the next one takes it over.

const LINES = /\.(jsonl|txt)$/;
const SYNC_PAUSE_MS = 1000;
const MAX_FILES = 50;

/** @param {IDBRequest | IDBTransaction} request @returns {Promise<any>} */
const done = (request) => new Promise((resolve, reject) => {
  if (request instanceof IDBTransaction) request.oncomplete = () => resolve(undefined);
  else request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

const lines = (/** @type {string} */ text) => text.split("\n").filter(Boolean);

export class Notebook {
  /** @param {any} files the file system of Emscripten @param {string} folder */
  constructor(files, folder) {
    this.files = files;
    this.folder = folder;
    this.tab = crypto.randomUUID();
    /** What this tab has read or written last, by the names of files. @type {Map<string, string>} */
    this.known = new Map();
    /** @type {IDBDatabase | null} */
    this.store = null;
    /** The end of the last round of keeping. @type {Promise<void>} */
    this.kept = Promise.resolve();
  }

  /** Read what is kept; from then on, keep what changes. A browser that keeps nothing is no fault. */
  async open() {
    this.files.mkdirTree(this.folder);
    try {
      const request = indexedDB.open("nao-notebook", 1);
      request.onupgradeneeded = () => request.result.createObjectStore("files");
      this.store = await done(request);
      await this.adopt();
    } catch {
      this.store = null;
      return;
    }
    setInterval(() => this.sync().catch(() => {}), SYNC_PAUSE_MS);
  }

  begin() {
    return /** @type {IDBDatabase} */ (this.store).transaction("files", "readwrite", { durability: "relaxed" }).objectStore("files");
  }

  /** Read the files of lines, and the newest file of each other kind whose tab is gone. */
  async adopt() {
    // While a tab lives it holds a lock with its name.
    await new Promise((resolve) => {
      navigator.locks?.request(`nao-notebook ${this.tab}`, () => {
        resolve(undefined);
        return new Promise(() => {});
      }) ?? resolve(undefined);
    });
    const held = new Set(((await navigator.locks?.query())?.held ?? []).map(({ name }) => name));
    const store = this.begin();
    const [keys, values] = await Promise.all([done(store.getAllKeys()), done(store.getAll())]);
    /** @type {Map<string, {text: string, time: number, key: string}>} */
    const found = new Map();
    keys.forEach((/** @type {string} */ key, /** @type {number} */ at) => {
      const [name, tab] = key.split("#");
      const { text, time } = values[at];
      if (tab && held.has(`nao-notebook ${tab}`)) return;
      if (!found.has(name) || time > /** @type {any} */ (found.get(name)).time) found.set(name, { text, time, key });
    });
    for (const [name, { text, time, key }] of found) {
      if (key !== name) {
        store.delete(key);
        store.put({ text, time }, `${name}#${this.tab}`);
      }
      this.write(name, text);
    }
  }

  /** @param {string} name @param {string} text */
  write(name, text) {
    this.files.writeFile(`${this.folder}/${name}`, text);
    this.known.set(name, text);
  }

  /** Return the folder's files by their names. @returns {Map<string, string>} */
  read() {
    const found = new Map();
    for (const name of this.files.readdir(this.folder)) {
      if (name.startsWith(".") || found.size >= MAX_FILES) continue;
      const path = `${this.folder}/${name}`;
      if (this.files.isFile(this.files.stat(path).mode)) found.set(name, this.files.readFile(path, { encoding: "utf8" }));
    }
    return found;
  }

  /** Keep what this tab's Python has written, and read what other tabs have added; one round after the other. */
  sync() {
    this.kept = this.kept.then(() => this.keep(), () => this.keep());
    return this.kept;
  }

  async keep() {
    if (!this.store) return;
    const now = this.read();
    for (const [name, text] of now) {
      if (text === this.known.get(name)) continue;
      if (LINES.test(name)) await this.add(name, text);
      else {
        this.known.set(name, text);
        await done(this.begin().put({ text, time: Date.now() }, `${name}#${this.tab}`));
      }
    }
    for (const name of [...this.known.keys()]) {
      if (now.has(name)) continue;
      this.known.delete(name);
      if (!LINES.test(name)) await done(this.begin().delete(`${name}#${this.tab}`));
    }
  }

  /** Add the new lines of a file to those that are kept. @param {string} name @param {string} text */
  async add(name, text) {
    const before = this.known.get(name) ?? "";
    const fresh = text.startsWith(before) ? lines(text.slice(before.length)) : lines(text).filter((line) => !lines(before).includes(line));
    const store = this.begin();
    const kept = (await done(store.get(name)))?.text ?? "";
    const whole = [...lines(kept), ...fresh, ""].join("\n");
    await done(store.put({ text: whole, time: Date.now() }, name));
    this.known.set(name, text);
    // Python may have written meanwhile: then the next round adds that first.
    if (this.files.readFile(`${this.folder}/${name}`, { encoding: "utf8" }) === text) this.write(name, whole);
  }

  /** Answer a request of the page: "export", "import" with a text, or "delete". @param {string} act @param {string} [content] */
  async answer(act, content = "") {
    if (act === "export") {
      await this.sync();
      return JSON.stringify({ "nao-notebook": 1, files: Object.fromEntries(this.read()) }, null, 1);
    }
    if (act === "delete") {
      for (const name of this.read().keys()) this.files.unlink(`${this.folder}/${name}`);
      this.known.clear();
      if (this.store) await done(this.begin().clear());
      return null;
    }
    if (act !== "import") throw new Error(`The notebook cannot ${act}.`);
    const told = JSON.parse(content);
    const names = told?.["nao-notebook"] === 1 && told.files ? Object.entries(told.files) : [];
    if (!names.length || names.length > MAX_FILES || names.some(([name, text]) => typeof text !== "string" || !/^[\w-]{1,60}\.(jsonl|txt|json)$/.test(name))) {
      throw new Error("This file is not a notebook of NAO.");
    }
    await this.sync();
    for (const [name, text] of names) {
      if (!LINES.test(name)) continue; // An unfinished game goes on where it was begun.
      const has = this.read().get(name) ?? "";
      const fresh = lines(/** @type {string} */ (text)).filter((line) => !lines(has).includes(line));
      this.files.writeFile(`${this.folder}/${name}`, [...lines(has), ...fresh, ""].join("\n"));
    }
    await this.sync();
    return null;
  }
}
