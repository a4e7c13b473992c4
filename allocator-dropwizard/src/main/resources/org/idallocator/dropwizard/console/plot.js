// A small plot of IDs a second.
import { rate } from "./words.js";
import { set } from "./dom.js";

const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 300;
const HEIGHT = 44;
/** The plot has room for so many rates, and does not change its scale while they come. */
const MOST = 150;
/** For how long each rate is, and after which silence the page begins anew. */
const EVERY_MILLIS = 2000;
const SILENCE_MILLIS = 30000;

function part(name, attributes) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

export function plot() {
  const svg = part("svg", { class: "plot", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img" });
  svg.append(
    part("path", { class: "area" }),
    part("line", { class: "base", x1: 0, x2: WIDTH, y1: HEIGHT - 0.5, y2: HEIGHT - 0.5 }),
    part("path", { class: "line" }));
  return svg;
}

/** The rates of a count since the page was opened. */
export class Rates {
  constructor() {
    this.perSecond = [];
    this.before = null;
  }

  /** Takes what the count is now. After a restart or a long silence the rates begin anew. */
  take(number) {
    const at = performance.now();
    const millis = at - (this.before?.at ?? -Infinity);
    if (millis > SILENCE_MILLIS || number < this.before.number) {
      this.perSecond = [];
    } else if (millis < EVERY_MILLIS - 500) {
      return;
    } else {
      this.perSecond = [...this.perSecond, ((number - this.before.number) * 1000) / millis].slice(-MOST);
    }
    this.before = { number, at };
  }
}

/** Draws rates, the latest last. */
export function drawPlot(svg, rates) {
  const top = Math.max(1, ...rates);
  const step = WIDTH / (MOST - 1);
  const from = WIDTH - (rates.length - 1) * step;
  const points = rates.map((value, i) =>
    `${(from + i * step).toFixed(1)},${(HEIGHT - 1 - (value / top) * (HEIGHT - 4)).toFixed(1)}`);
  const line = points.length > 1 ? `M${points.join("L")}` : "";
  set(svg.querySelector(".line"), { d: line });
  set(svg.querySelector(".area"), { d: line ? `${line}L${WIDTH},${HEIGHT}L${from.toFixed(1)},${HEIGHT}Z` : "" });
  const minutes = Math.round((MOST * EVERY_MILLIS) / 60000);
  set(svg, { "aria-label": `IDs a second over HTTP in the last ${minutes} minutes: ${rate(rates.at(-1) ?? 0)} now, ${rate(Math.max(0, ...rates))} at most` });
}
