// A small plot of IDs a second.
import { rate } from "./words.js";
import { set } from "./dom.js";

const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 300;
const HEIGHT = 44;
/** As many as the replica remembers: the plot does not change its scale while they come. */
const MOST = 150;

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

/** Draws rates, the latest last, each for so many milliseconds. */
export function drawPlot(svg, rates, millis) {
  const top = Math.max(1, ...rates);
  const step = WIDTH / (MOST - 1);
  const from = WIDTH - (rates.length - 1) * step;
  const points = rates.map((value, i) =>
    `${(from + i * step).toFixed(1)},${(HEIGHT - 1 - (value / top) * (HEIGHT - 4)).toFixed(1)}`);
  const line = points.length > 1 ? `M${points.join("L")}` : "";
  set(svg.querySelector(".line"), { d: line });
  set(svg.querySelector(".area"), { d: line ? `${line}L${WIDTH},${HEIGHT}L${from.toFixed(1)},${HEIGHT}Z` : "" });
  const minutes = Math.round((MOST * millis) / 60000);
  set(svg, { "aria-label": `IDs a second over HTTP in the last ${minutes} minutes: ${rate(rates.at(-1) ?? 0)} now, ${rate(Math.max(0, ...rates))} at most` });
}
