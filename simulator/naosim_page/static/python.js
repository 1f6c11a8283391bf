// Python (Pyodide) in a worker, from the packed files of the site.
import { loadPyodide } from "./pyodide/pyodide.mjs";

/** Raise an Error if this browser cannot run Python's threads (JavaScript Promise Integration). */
export function checkBrowser() {
  if ("Suspending" in WebAssembly) return;
  throw new Error("This browser is too old: use Chrome or Edge 137, Firefox 153 or Safari 27, or a newer one.");
}

/** Unpack a file: plain servers do not compress what they send. @param {Response} answer @param {string} [type] */
export function unpack(answer, type = "application/octet-stream") {
  const plain = /** @type {ReadableStream} */ (answer.body).pipeThrough(new DecompressionStream("gzip"));
  return new Response(plain, { headers: { "content-type": type } });
}

/** Fetch a packed file. Raise an Error that names it if there is none. @param {string} name @param {string} [type] */
export async function fetchPacked(name, type) {
  const answer = await fetch(new URL(`${name}.packed`, import.meta.url));
  if (!answer.ok) throw new Error(`${name}: ${answer.status} ${answer.statusText}`);
  return unpack(answer, type);
}

/** Let Pyodide fetch its files from those that are on their way. @param {{[name: string]: Promise<Response>}} files */
function offerFiles(files) {
  const plainFetch = self.fetch.bind(self);
  self.fetch = (resource, options) => {
    const address = new URL(resource instanceof Request ? resource.url : resource, self.location.href).href;
    const name = Object.keys(files).find((each) => address.endsWith(`/pyodide/${each}`));
    return name ? files[name] : plainFetch(resource, options);
  };
}

/** Import a module that was fetched packed. @param {Promise<Response>} answer */
export async function importFetched(answer) {
  const address = URL.createObjectURL(new Blob([await (await answer).arrayBuffer()], { type: "text/javascript" }));
  try {
    return await import(address);
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** Start Python; `log` gets what it prints. @param {(text: string) => void} log @returns {Promise<any>} */
export async function startPython(log) {
  const runtime = importFetched(fetchPacked("./pyodide/pyodide.asm.mjs", "text/javascript"));
  offerFiles({
    "pyodide.asm.wasm": fetchPacked("./pyodide/pyodide.asm.wasm", "application/wasm"),
    "python_stdlib.zip": fetchPacked("./pyodide/python_stdlib.zip"),
  });
  const indexURL = new URL("./pyodide/", import.meta.url).href;
  return loadPyodide({ indexURL, createPyodideModule: (await runtime).default, stdout: log, stderr: log });
}
