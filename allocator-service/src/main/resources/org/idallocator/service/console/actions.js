// What operators can do, on the admin port alone. Each asks back with what it means, and says what came of it.
import { say } from "./dom.js";

const dialog = document.getElementById("ask");
const title = document.getElementById("ask-title");
const consequence = document.getElementById("ask-consequence");
const outcome = document.getElementById("ask-outcome");
const no = document.getElementById("ask-no");
const yes = document.getElementById("ask-yes");
let pending = null;

/** Asks back, and does it when told to. */
function ask({ heading, means, verb, method, path, done }) {
  pending = { method, path, done };
  say(title, heading);
  say(consequence, means);
  say(outcome, "");
  outcome.classList.remove("problem");
  say(yes, verb);
  say(no, "Cancel");
  yes.hidden = false;
  yes.disabled = false;
  dialog.showModal();
  no.focus();
}

async function act() {
  const { method, path, done } = pending;
  yes.disabled = true;
  say(outcome, "Asking…");
  try {
    const answer = await fetch(path, { method, headers: { Accept: "text/plain" }, cache: "no-store" });
    const text = (await answer.text()).trim();
    outcome.classList.toggle("problem", !answer.ok);
    say(outcome, answer.ok ? done(text) : problem(text, answer.status));
    yes.hidden = answer.ok;
    if (answer.ok) say(no, "Close");
  } catch {
    outcome.classList.add("problem");
    say(outcome, "The replica does not answer. It is not known whether anything was done.");
  }
  yes.disabled = false;
}

function problem(text, status) {
  try {
    return JSON.parse(text).detail ?? text;
  } catch {
    return text || `refused with status ${status}`;
  }
}

yes.addEventListener("click", act);

export const actions = {
  release(scheme, entry) {
    const who = entry.here ? "This replica" : `Replica ${entry.instance}`;
    ask({
      heading: `Release slot ${entry.slot} of ${scheme}?`,
      means: `${who} loses the slot, and stops handing out ${scheme} until it has another one. What it reserved stays reserved: no ID comes twice.`,
      verb: "Release",
      method: "DELETE",
      path: `leases/${scheme}/${encodeURIComponent(entry.slot)}?nonce=${encodeURIComponent(entry.nonce)}`,
      done: () => `Slot ${entry.slot} of ${scheme} was taken away from ${entry.instance}.`,
    });
  },
  rotate(scheme) {
    ask({
      heading: `Rotate the slots of ${scheme}?`,
      means: `This replica claims another slot of ${scheme} for each that it holds, and releases those once the others serve. Callers notice nothing.`,
      verb: "Rotate",
      method: "POST",
      path: `tasks/rotate?scheme=${scheme}`,
      done: (line) => line,
    });
  },
  drain() {
    ask({
      heading: "Drain this replica?",
      means: "This replica stops handing out IDs of every scheme that needs slots, releases its slots, and is not ready until it is resumed. Load balancers send requests elsewhere.",
      verb: "Drain",
      method: "POST",
      path: "tasks/drain",
      done: (line) => line,
    });
  },
  resume() {
    ask({
      heading: "Resume this replica?",
      means: "This replica claims slots again, and is ready as soon as it has them.",
      verb: "Resume",
      method: "POST",
      path: "tasks/resume",
      done: (line) => line,
    });
  },
};
