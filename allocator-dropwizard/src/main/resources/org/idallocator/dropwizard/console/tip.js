// What is said of a slot, beside it: on hover, on focus and on tap.
import { setText } from "./dom.js";

const tip = document.getElementById("tip");
let shown = null;

export function showTip(cell, text) {
  if (shown !== cell) hideTip();
  shown = cell;
  cell.dataset.shown = "";
  setText(tip, text);
  tip.hidden = false;
  place();
}

function place() {
  const box = shown.getBoundingClientRect();
  const size = tip.getBoundingClientRect();
  const left = Math.min(Math.max(8, box.left + box.width / 2 - size.width / 2), document.documentElement.clientWidth - size.width - 8);
  const above = box.top - size.height - 8;
  tip.style.transform = `translate(${Math.round(left)}px, ${Math.round(above < 8 ? box.bottom + 8 : above)}px)`;
}

export function hideTip() {
  if (shown) delete shown.dataset.shown;
  shown = null;
  tip.hidden = true;
}

/** Says again of the slot that is shown what has changed. */
export function renewTip(text) {
  if (shown) setText(tip, text(shown));
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") hideTip();
});
document.addEventListener("pointerdown", (event) => {
  if (!event.target.closest(".map")) hideTip();
});
/** Focus may scroll the page to its slot: then the tip goes with it. */
document.addEventListener("scroll", () => (shown && shown === document.activeElement ? place() : hideTip()), { passive: true });
