// Reading an ID: every way to read a text, each drawn as its bits.
import { copier, make, setText } from "./dom.js";
import { many, span, when } from "./words.js";

const form = document.getElementById("read-form");
const input = document.getElementById("read-id");
const said = document.getElementById("read-said");
const result = document.getElementById("read-result");
const COLOURS = 6;
let asked = 0;

function digits(hex, bits) {
  return BigInt(`0x${hex}`).toString(2).padStart(bits, "0");
}

function segment(name, [from, to], all, more) {
  const grouped = all.slice(from, to + 1).replace(/(.{4})(?=.)/g, "$1 ");
  const range = from === to ? `bit ${from}` : `bits ${from}–${to}`;
  const element = make("li", { ...more, "data-bits": `${from}-${to}` },
    make("span", { class: "soft" }, make("b", {}, name), range),
    make("span", { class: "digits", "aria-hidden": "true" }, grouped));
  element.style.flexGrow = String(to - from + 1);
  return element;
}

/** The bits of an ID as segments, one for each field, and one for each gap between them. */
function bits(way) {
  const all = digits(way.hex, way.bits);
  const list = make("ol", { class: "bits", "aria-label": `The ${way.bits} bits, most significant first` });
  let next = 0;
  way.fields.forEach((field, i) => {
    if (field.bits[0] > next) list.append(segment("unused", [next, field.bits[0] - 1], all, {}));
    const element = segment(field.name, field.bits, all, { "data-field": i % COLOURS, "data-name": field.name });
    element.append(make("span", { class: "value" }, String(field.value)));
    list.append(element);
    next = field.bits[1] + 1;
  });
  if (next < way.bits) list.append(segment("unused", [next, way.bits - 1], all, {}));
  return list;
}

function time(instant) {
  const millis = Date.now() - new Date(instant);
  return `${instant.replace("T", " ").replace("Z", " UTC")}, ${span(millis)} ${millis < 0 ? "from now" : "ago"}`;
}

function text(value, what) {
  return make("div", { class: "copied" }, make("span", { class: "mono" }, value), copier(() => value, what));
}

function reading(way) {
  const facts = make("dl", { class: "facts" });
  const add = (name, value) => facts.append(make("dt", {}, name), make("dd", { "data-fact": name }, value));
  add("time", time(way.time));
  if (way.holder) add("slot now held by", way.holder);
  add("canonical", text(way.id, `the canonical text`));
  for (const [name, form] of Object.entries(way.forms)) add(name, text(form, `the form ${name}`));
  const remarks = [...(way.remarks ?? []), ...way.notes].map((note) => make("p", { class: "soft" }, note));
  return make("article", { class: "reading", "data-scheme": way.scheme, "data-form": way.form },
    make("h3", {}, make("span", { class: "mono" }, way.scheme), way.form === "canonical" ? ", canonical text" : `, as ${way.form}`),
    bits(way), facts, ...remarks);
}

/** Reads a text, and shows what it says. */
export async function read(value) {
  const mine = ++asked;
  input.value = value;
  try {
    const answer = await fetch(`console/read?id=${encodeURIComponent(value)}`, { cache: "no-store" });
    const body = await answer.json();
    if (mine !== asked) return;
    if (!answer.ok) throw new Error(body.detail);
    const ways = body.candidates;
    said.classList.remove("problem");
    setText(said, ways.length === 1
      ? `${ways[0].scheme}, made ${when(ways[0].time)}`
      : `It can be read in ${many(ways.length, "way")}, the most plausible first.`);
    result.replaceChildren(...ways.map(reading));
  } catch (error) {
    if (mine !== asked) return;
    said.classList.add("problem");
    setText(said, error instanceof TypeError ? "The replica does not answer." : error.message);
    result.replaceChildren();
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  read(input.value.trim());
});
input.addEventListener("paste", () => setTimeout(() => form.requestSubmit()));
