// A sheet larger than its frame: a person moves it by dragging, and zooms by the wheel, two fingers or keys.

const DRAG_PX = 4; // a hand that moves less has clicked
const WHEEL_STEP = 1.0015, KEY_STEP = 1.25; // the factor for each unit of the wheel, and for each key
const LINE_PX = 16; // a line of a wheel that counts lines

/** Let a person move and zoom what is in a frame that scrolls. Fingers move it as the browser does.
 * @param {HTMLElement} frame
 * @param {(factor: number, x?: number, y?: number) => void} zoom by a factor, 0 shows everything, around a place in the
 *   window, by default the middle */
export function letPan(frame, zoom) {
  /** @type {{x: number, y: number, left: number, top: number, moves: boolean} | null} */
  let hand = null;
  let apart = 0;
  frame.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "touch" || event.button > 1) return;
    hand = { x: event.clientX, y: event.clientY, left: frame.scrollLeft, top: frame.scrollTop, moves: false };
  });
  frame.addEventListener("pointermove", (event) => {
    if (!hand) return;
    const x = event.clientX - hand.x, y = event.clientY - hand.y;
    if (!hand.moves && Math.hypot(x, y) < DRAG_PX) return;
    if (!hand.moves) frame.setPointerCapture(event.pointerId); // From here on the click is the frame's, not a box's.
    hand.moves = true;
    frame.classList.add("dragged");
    frame.scrollTo({ left: hand.left - x, top: hand.top - y, behavior: "instant" });
  });
  for (const type of ["pointerup", "pointercancel"]) {
    frame.addEventListener(type, () => {
      hand = null;
      frame.classList.remove("dragged");
    });
  }
  frame.addEventListener("wheel", (event) => {
    // A touchpad that moves to the side, or a person who holds Shift, moves the sheet.
    if (!event.ctrlKey && (event.shiftKey || event.deltaX)) return;
    event.preventDefault();
    zoom(WHEEL_STEP ** -(event.deltaMode ? event.deltaY * LINE_PX : event.deltaY), event.clientX, event.clientY);
  }, { passive: false });
  const gap = (/** @type {TouchEvent} */ { touches: [one, other] }) =>
    Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
  frame.addEventListener("touchstart", (event) => {
    if (event.touches.length !== 2) return;
    event.preventDefault();
    apart = gap(event);
  }, { passive: false });
  frame.addEventListener("touchmove", (event) => {
    if (event.touches.length !== 2) return;
    event.preventDefault();
    const [one, other] = event.touches, now = gap(event);
    if (apart) zoom(now / apart, (one.clientX + other.clientX) / 2, (one.clientY + other.clientY) / 2);
    apart = now;
  }, { passive: false });
  frame.addEventListener("keydown", (event) => {
    const factor = { "+": KEY_STEP, "=": KEY_STEP, "-": 1 / KEY_STEP, "0": 0 }[event.key];
    if (factor === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    zoom(factor);
  });
}
