// The connection to a robot: requests with answers, and what the robot reports by itself.
// The robot lives in a web worker of this browser or in a program on this computer; the messages are the same.

/** @typedef {{[name: string]: any}} Fields */

const ANSWER_TIMEOUT_MS = 30_000;

export class RobotError extends Error {}

export class Link {
  /** @param {(message: Fields) => void} send */
  constructor(send) {
    this.send = send;
    this.count = 0;
    this.patience = ANSWER_TIMEOUT_MS;
    /** @type {Map<number, {resolve: (value: any) => void, reject: (error: Error) => void, timer: number}>} */
    this.asked = new Map();
    /** @type {Set<(push: Fields) => void>} */
    this.listeners = new Set();
    /** The sentence that says why the robot is gone; empty while it is there. */
    this.gone = "";
  }

  /** Ask the robot; the answer is a promise, which a refusal rejects with the robot's sentence.
   * @param {string} verb @param {Fields} [fields] @returns {Promise<any>} */
  ask(verb, fields = {}) {
    return this.request((id) => this.send({ ...fields, id, do: verb }), verb);
  }

  /** Send something with a number that its answer repeats.
   * @param {(id: number) => void} post @param {string} what @returns {Promise<any>} */
  request(post, what) {
    if (this.gone) return Promise.reject(new RobotError(this.gone));
    const id = ++this.count;
    return new Promise((resolve, reject) => {
      const timer = window.setTimeout(() => {
        this.asked.delete(id);
        reject(new RobotError(`NAO has not answered "${what}" for ${this.patience / 1000} seconds.`));
      }, this.patience);
      this.asked.set(id, { resolve, reject, timer });
      post(id);
    });
  }

  /** Call `listener` with everything the robot reports. @param {(push: Fields) => void} listener */
  listen(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Take a message of the robot. @param {Fields} message */
  take(message) {
    if (message.push) {
      for (const listener of this.listeners) listener(message);
      return;
    }
    const asked = this.asked.get(message.id);
    if (!asked) return;
    this.asked.delete(message.id);
    clearTimeout(asked.timer);
    if ("error" in message) asked.reject(new RobotError(String(message.error)));
    else asked.resolve(this.unpack(message.value));
  }

  /** Return a value of the protocol, in which dictionaries are {dict: ...} and bytes {bytes: base64}. @param {any} value @returns {any} */
  unpack(value) {
    if (Array.isArray(value)) return value.map((item) => this.unpack(item));
    if (value === null || typeof value !== "object" || "bytes" in value) return value;
    return Object.fromEntries(Object.entries(value.dict ?? value).map(([key, item]) => [key, this.unpack(item)]));
  }

  /** Leave the robot, if the connection can be closed without ending it. */
  close() {}

  /** End the connection: every open question is refused with this sentence. @param {string} sentence */
  end(sentence) {
    if (this.gone) return;
    this.gone = sentence;
    for (const { reject, timer } of this.asked.values()) {
      clearTimeout(timer);
      reject(new RobotError(sentence));
    }
    this.asked.clear();
    for (const listener of this.listeners) listener({ push: "gone", sentence });
  }
}

/** Return the address of one of this server's web sockets. @param {string} name */
export function socketAddress(name) {
  const address = new URL(name, location.href);
  address.protocol = address.protocol.replace("http", "ws");
  address.hash = "";
  return address.href;
}

/** Connect to a robot in a program on this computer. @param {string} address @returns {Promise<Link>} */
export function connectSocket(address) {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(address);
    const link = new Link((message) => socket.send(JSON.stringify(message)));
    link.close = () => socket.close();
    socket.onopen = () => resolve(link);
    socket.onmessage = (event) => link.take(JSON.parse(event.data));
    socket.onclose = (event) => {
      const sentence = event.reason || "The program with the robot has ended. Start it again; this page then continues.";
      link.end(sentence);
      reject(new RobotError(sentence));
    };
  });
}
