// Plays the stories of a test in a worker and reports every answer to the server of the page.
import { WorkerLink } from "./worker_link.js";

const report = (message) => fetch("/report", { method: "POST", body: JSON.stringify(message) });
const pushed = [];
let wake = () => {};

function start() {
  const link = new WorkerLink("naosim_page.posted");
  link.unpack = (value) => value; // The answers are compared as they come.
  link.patience = 300_000;
  link.ready.catch(() => {});
  link.listen((push) => {
    pushed.push({ ...push, at: performance.now() });
    if (push.push === "broken") report({ broken: push.message, log: pushed.filter((each) => each.push === "log") });
    wake();
  });
  return link;
}

let robot = start();

/** Ask the robot; end one that does not answer in time, and start another. */
async function ask({ patience, do: verb, ...fields }) {
  const timer = patience && setTimeout(() => {
    robot.kill("the robot was ended");
    robot = start();
  }, patience);
  const answer = await robot.ask(verb, fields).catch((error) => ({ error: error.message }));
  clearTimeout(timer);
  return answer;
}

/** Wait until a push with these fields has come. */
async function until(field, wanted) {
  const fits = (push) => push[field] === wanted || push.fields?.[field] === wanted;
  while (!pushed.some(fits)) await new Promise((resolve) => (wake = resolve));
  return pushed.find(fits);
}

const ready = await until("push", "ready");
await report({ ready });
for (const { name, requests, forget } of await (await fetch("stories.json")).json()) {
  const began = performance.now();
  const answers = [];
  pushed.length = 0;
  for (const request of requests) {
    if (request.until) answers.push(await until(...request.until));
    else if (request.store) answers.push(await robot.store(request.store, new TextEncoder().encode(request.text).buffer));
    else answers.push(await ask(request));
  }
  await report({ name, answers: forget ? answers.length : answers, seconds: (performance.now() - began) / 1000 });
}
const old = new Worker("./old.js", { type: "module" });
const told = await new Promise((resolve) => old.addEventListener("message", resolve, { once: true }));
await report({ name: "old", answers: [JSON.parse(told.data)] });
await report({ over: true, bytes: performance.getEntriesByType("resource").map((each) => [each.name, each.transferSize]) });
