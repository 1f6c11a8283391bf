// A report on talks: each opens to its transcript, and to NAO as it did then, at any moment.
import { html, nothing, render } from "./lib/lit-html/lit-html.js";
import { saveFile } from "./film.js";
import { ReplayLink, ReplayStage } from "./replay.js";

/** @typedef {{events: any[], moments: import("./replay.js").Moment[], note: string, length: number, body: string}} Told */
/** @typedef {{name: string, file: string, passed: boolean, sentence: string, transcript: string[], seconds: number,
 *   replay: Told | null, recording: string[] | null, source: string}} Row */

/** @type {{talks: Row[], bodies: {[kind: string]: any}, sources: {[name: string]: any}}} */
const content = JSON.parse(document.getElementById("content")?.textContent ?? "{}");
const host = /** @type {HTMLElement} */ (document.getElementById("talks"));
const STEP_S = 0.1; // between two moments, and the last digit of a transcript: what happens in a line is over then
/** The talk that is open, with its robot. @type {{row: Row, stage: ReplayStage | null} | null} */
let open = null;

/** @param {Row} row */
async function choose(row) {
  const isClosed = open?.row !== row;
  open?.stage?.end();
  open = isClosed ? { row, stage: null } : null;
  draw();
  if (!open || !row.replay) return;
  const { replay } = row, now = open;
  const worker = { ask: async () => content.bodies[replay.body], kill: () => {} };
  const stage = new ReplayStage(new ReplayLink(worker), replay);
  stage.onChange(draw);
  await stage.open();
  now.stage = stage;
  stage.seek(0);
  seekLine(row.transcript.find((line) => line.startsWith(">")) ?? "");
}

/** Show the moment of a line of the transcript. @param {string} line */
function seekLine(line) {
  const stage = open?.stage, time = Number(/^>? *([\d.]+) s /.exec(line)?.[1] ?? NaN);
  if (!stage || Number.isNaN(time)) return;
  const at = stage.told.moments.findIndex((moment) => moment.seconds >= time + STEP_S);
  stage.seek(at < 0 ? stage.told.moments.length - 1 : at);
}

/** Offer the recording of a talk with its behaviour, which Look inside opens. @param {Row} row */
function saveRecording(row) {
  const [first, ...rest] = row.recording ?? [];
  const head = JSON.stringify({ ...JSON.parse(first), file: content.sources[row.source] });
  saveFile("talk.recording.jsonl", new Blob([[head, ...rest, ""].join("\n")], { type: "application/jsonl" }));
}

/** @param {ReplayStage} stage @param {Row} row */
function drawReplay(stage, row) {
  const { moments, note } = stage.told;
  return html`<div class="replay"><div class="robot">${stage.element}</div>
    <div class="time"><span class="clock">${stage.sum.seconds.toFixed(1)} s</span>
      <input class="scrubber" type="range" min="0" max=${moments.length - 1} .value=${String(stage.at)} aria-label="Moment of the talk"
        @input=${(/** @type {Event} */ event) => stage.seek(Number(/** @type {HTMLInputElement} */ (event.target).value))}>
      <button type="button" class="second slim" @click=${() => stage.step(-1)}>Previous event</button>
      <button type="button" class="second slim" @click=${() => stage.step(1)}>Next event</button>
      <button type="button" class="second slim" @click=${() => saveRecording(row)}>Save the recording</button></div>
    ${note ? html`<p class="faint">${note}</p>` : nothing}${stage.drawTalk()}</div>`;
}

function draw() {
  render(html`<ul class="talks">${content.talks.map((row) => html`<li class=${row.passed ? "passed" : "failed"}>
    <button type="button" class="ghost" aria-expanded=${String(open?.row === row)} @click=${() => choose(row)}>
      <b>${row.passed ? "passed" : "FAILED"}</b> ${row.name} <span class="faint">${row.file}, ${row.seconds.toFixed(1)} s</span></button>
    ${row.sentence ? html`<p class="sentence">${row.sentence}</p>` : nothing}
    ${open?.row === row ? html`<div class="opened">
      <ol class="lines">${row.transcript.map((line) => html`<li class=${line.startsWith(">") ? "differs" : ""} @click=${() => seekLine(line)}>${line}</li>`)}</ol>
      ${open.stage ? drawReplay(open.stage, row) : row.replay ? nothing : html`<p class="faint">This talk has no replay.</p>`}</div>` : nothing}
  </li>`)}</ul>`, host);
}

draw();
