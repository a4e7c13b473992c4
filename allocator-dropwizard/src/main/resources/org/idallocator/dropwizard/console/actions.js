// What operators can do, on the admin port alone. Each asks back with what it means, and says what came of it.
import { setText } from "./dom.js";

const dialog = document.getElementById("ask");
const title = document.getElementById("ask-title");
const consequence = document.getElementById("ask-consequence");
const outcome = document.getElementById("ask-outcome");
const no = document.getElementById("ask-no");
const yes = document.getElementById("ask-yes");
const tokenRow = document.getElementById("ask-token-row");
const token = document.getElementById("ask-token");
/** Where the token is kept once it was right: for this tab alone, until that is closed. */
const TOKEN = "admin-token";
const UNAUTHORIZED = 401;
/** Longer than the replica itself waits for ZooKeeper. */
const PATIENCE_MILLIS = 30000;
/** The status for a question about what is so no more: it would be refused again. */
const CONFLICT = 409;
/** From this status on, the question was a good one. */
const FAILED = 500;
/** The question that the dialog asks. What comes of another one is not told under it. */
let question = null;

/** Asks back, and does it when told to. */
function ask({ heading, means, verb, method, path, done, refused = {} }) {
  question = { method, path, done, refused };
  setText(title, heading);
  setText(consequence, means);
  setText(outcome, "");
  outcome.classList.remove("problem");
  setText(yes, verb);
  setText(no, "Cancel");
  yes.hidden = false;
  tokenRow.hidden = true;
  wait(false);
  dialog.showModal();
  no.focus();
}

/** While the replica does what it was told to, the dialog stays: what comes of it is told there. */
function wait(waiting) {
  yes.disabled = waiting;
  no.disabled = waiting;
}

async function act() {
  const mine = question;
  const shown = tokenRow.hidden ? sessionStorage.getItem(TOKEN) : asHeader(token.value.trim());
  wait(true);
  setText(outcome, "Asking…");
  const { good, over, words, status } = await order(mine, shown);
  if (status !== UNAUTHORIZED && shown) sessionStorage.setItem(TOKEN, shown);
  if (mine !== question) return;
  wait(false);
  outcome.classList.toggle("problem", !good);
  setText(outcome, words);
  yes.hidden = over;
  setText(no, over ? "Close" : "Cancel");
  askToken(status === UNAUTHORIZED);
}

/** What no header can carry is no token: it is sent as another wrong one. */
const asHeader = (text) => text.replace(/[^\x21-\x7e]/g, "?");

/** Shows or hides the field for the token; what was typed there is in nobody's way the next time. */
function askToken(wanted) {
  token.value = "";
  tokenRow.hidden = !wanted;
  (wanted ? token : no).focus();
}

/** Has it done, and tells whether that went well, whether asking again is of no use, and in words what came of it. */
async function order({ method, path, done, refused }, shown) {
  try {
    const signal = AbortSignal.timeout(PATIENCE_MILLIS);
    const headers = { Accept: "application/json", ...(shown ? { Authorization: `Bearer ${shown}` } : {}) };
    const answer = await fetch(path, { method, headers, cache: "no-store", signal });
    const text = (await answer.text()).trim();
    const { status } = answer;
    if (answer.ok) return { good: true, over: true, words: done(JSON.parse(text)), status };
    if (status === UNAUTHORIZED) return { good: false, over: false, words: problem(text, status), status };
    const verdict = status < FAILED ? "Refused" : "Failed";
    const words = `${verdict}: ${problem(text, status)}. ${refused[status] ?? ""}`.trim();
    return { good: false, over: status === CONFLICT, words, status };
  } catch {
    return { good: false, over: false, words: "The replica does not answer. It is not known whether anything was done." };
  }
}

function problem(text, status) {
  try {
    return JSON.parse(text).detail ?? text;
  } catch {
    return text || `refused with status ${status}`;
  }
}

function drained({ givenBack, slots, reason, detail }) {
  const names = slots.map(({ scheme, slot }) => `${scheme} ${slot}`).join(", ");
  if (givenBack) return `drained: ${names ? `gave back ${names}` : "no slot was held"}; resume lets this replica serve again`;
  const lacking = names ? `ZooKeeper has not confirmed yet that ${names} are given back` : "ZooKeeper has not answered yet";
  return `drained: nothing is issued; ${lacking}${reason ? ` (${reason}: ${detail})` : ""}, and this replica goes on trying`;
}

function resumed({ resumed: changed, fenced }) {
  const said = changed ? "resumed" : "not drained: nothing has changed";
  const lacking = fenced.map(({ scheme, reason, detail }) => `${scheme} (${reason}: ${detail})`).join(", ");
  if (lacking) return `${said}; not every scheme serves: ${lacking}`;
  return changed ? `${said}: all schemes serve` : said;
}

function rotated({ scheme, done, rotated: slots }) {
  if (done) return `rotated: ${slots.map(({ from, to }) => `${scheme} ${from} -> ${to}`).join(", ")}`;
  return `rotating ${scheme}: ZooKeeper has not answered yet. If it does, the slots are changed; if it fails, all stays as it is.`;
}

yes.addEventListener("click", act);
token.addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  event.preventDefault();
  act();
});
dialog.addEventListener("cancel", (event) => {
  if (no.disabled) event.preventDefault();
});
/** Browsers let somebody who insists close it all the same. */
dialog.addEventListener("close", () => {
  if (no.disabled) dialog.showModal();
});

export const actions = {
  release(scheme, entry) {
    const who = entry.here ? "This replica" : `Replica ${entry.instance}`;
    ask({
      heading: `Release slot ${entry.slot} of ${scheme}?`,
      means: `${who} loses the slot. Where it holds no other one, it hands out no ${scheme} until it has another. What it reserved stays reserved: no ID comes twice.`,
      verb: "Release",
      method: "DELETE",
      path: `leases/${scheme}/${encodeURIComponent(entry.slot)}?nonce=${encodeURIComponent(entry.nonce)}`,
      done: () => `Slot ${entry.slot} of ${scheme} was taken away from ${entry.instance}.`,
      refused: { [CONFLICT]: "Nothing was changed. The map shows who holds the slot now; press it again to ask for that one." },
    });
  },
  rotate(scheme) {
    ask({
      heading: `Rotate the slots of ${scheme}?`,
      means: `This replica claims another slot of ${scheme} for each that it holds, and releases those once the others serve. Callers notice nothing.`,
      verb: "Rotate",
      method: "POST",
      path: `tasks/rotate?scheme=${scheme}`,
      done: rotated,
      refused: { 503: "Slots that were not changed go on as before. Rotate again once the reason is gone." },
    });
  },
  drain() {
    ask({
      heading: "Drain this replica?",
      means: "This replica says that it is not ready, and load balancers send requests elsewhere. A moment later it stops handing out IDs of any scheme, and gives all its slots back, until it is resumed or restarted.",
      verb: "Drain",
      method: "POST",
      path: "tasks/drain",
      done: drained,
    });
  },
  resume() {
    ask({
      heading: "Resume this replica?",
      means: "This replica claims slots again, and is ready as soon as it has them.",
      verb: "Resume",
      method: "POST",
      path: "tasks/resume",
      done: resumed,
    });
  },
};
