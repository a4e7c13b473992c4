// Drawing an ID. The catalogue says which schemes there are, and what they take.
import { copier, make, setText } from "./dom.js";

const form = document.getElementById("draw-form");
const result = document.getElementById("draw-result");
const scheme = make("select", { id: "draw-scheme", name: "scheme" });
const parameters = make("span", { class: "row", id: "draw-parameters" });
const button = make("button", { type: "submit", id: "draw-one", class: "strong" }, "Draw");
/** What the catalogue says, and what is called with an ID that somebody wants read. */
let schemes = [];
let read = null;

/** A field for a parameter, from the words for what is allowed: a choice where these are a list, else a text. */
function field(parameter) {
  const choices = parameter.allowed.split(/, | or /);
  const range = /^(\d+)\.\.(\d+)$/.exec(parameter.allowed);
  const name = { name: parameter.name, "data-parameter": parameter.name };
  const input = range
    ? make("input", { ...name, type: "number", min: range[1], max: range[2], placeholder: "not given" })
    : choices.length > 1
      ? make("select", name, make("option", { value: "" }, "not given"), ...choices.map((choice) => make("option", {}, choice)))
      : make("input", { ...name, placeholder: parameter.allowed });
  return make("label", {}, `${parameter.name}${range ? `, ${parameter.allowed}` : ""}`, input);
}

function address() {
  const query = new URLSearchParams();
  for (const input of parameters.querySelectorAll("[name]")) {
    if (input.value !== "") query.set(input.name, input.value);
  }
  const more = query.toString();
  return `ids/${scheme.value}${more ? `?${more}` : ""}`;
}

async function draw() {
  const path = address();
  button.disabled = true;
  try {
    const answer = await fetch(path, { headers: { Accept: "text/plain" }, cache: "no-store" });
    const text = (await answer.text()).trimEnd();
    if (answer.ok) showDrawn(text, path);
    else showProblem(text);
  } catch {
    showProblem("The replica does not answer.");
  }
  button.disabled = false;
}

function showDrawn(text, path) {
  const url = new URL(path, document.baseURI).href;
  const curl = url.includes("?") ? `curl '${url}'` : `curl ${url}`;
  const reader = make("button", { type: "button", class: "small", "data-action": "read" }, "Read it");
  reader.addEventListener("click", () => read(text.split("\n")[0]));
  result.replaceChildren(
    make("div", { class: "copied" }, make("output", { class: "id", id: "drawn" }, text),
      make("span", { class: "row" }, copier(() => text, "the ID"), reader)),
    make("div", { class: "copied" }, make("code", { class: "line", id: "curl" }, curl), copier(() => curl, "the curl line")));
}

function showProblem(text) {
  result.replaceChildren(make("p", { class: "problem", role: "alert" }, text));
}

/** The fields of the scheme that is chosen. */
function choose() {
  const chosen = schemes.find((each) => each.name === scheme.value);
  parameters.replaceChildren(
    ...chosen.parameters.map(field),
    field({ name: "form", allowed: chosen.forms.join(", ") || "canonical" }));
}

scheme.addEventListener("change", choose);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  draw();
});

/**
 * Makes the form from the catalogue, or throws; the scheme that was chosen stays chosen while it is served.
 *
 * @param reading is called with an ID that somebody wants read
 */
export async function offerDraw(reading) {
  const answer = await fetch("ids", { headers: { Accept: "application/json" } });
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  const { schemes: served } = await answer.json();
  const chosen = scheme.value;
  schemes = served;
  read = reading;
  scheme.replaceChildren(...schemes.map((each) => make("option", { selected: each.name === chosen }, each.name)));
  choose();
  setText(result, "");
  form.replaceChildren(make("label", {}, "Scheme", scheme), parameters, button);
}

/** Says where IDs are drawn, on a port that draws none; {@code url} is null where that is not on the network. */
export function pointToDraw(url) {
  const where = url
    ? make("p", { class: "soft" }, "IDs are drawn on the application port: ", make("a", { href: url }, url))
    : make("p", { class: "soft" }, "IDs are drawn on the application port, which is not on the network.");
  form.replaceChildren(where);
  setText(result, "");
}
