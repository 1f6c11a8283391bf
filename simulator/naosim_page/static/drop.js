// Files that are dropped anywhere on the page: Look inside runs them.

/** @type {File | null} */
let waiting = null;

/** Take files that are dropped on the page, and show Look inside. */
export function listenForDrops() {
  window.addEventListener("dragover", (event) => event.preventDefault());
  window.addEventListener("drop", (event) => {
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    waiting = file;
    // Look inside may be shown without being in the address.
    window.dispatchEvent(new Event("nao-file"));
    if (!location.hash.startsWith("#inside")) location.hash = "#inside";
  });
}

/** Return the file that was dropped last, once. */
export function takeDropped() {
  const file = waiting;
  waiting = null;
  return file;
}
