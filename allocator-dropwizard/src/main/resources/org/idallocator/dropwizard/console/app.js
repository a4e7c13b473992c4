// Asks the replica how it is, again and again, and shows that. Stops while nobody looks, and backs off while nobody answers.
import { actions } from "./actions.js";
import { make, set, setText } from "./dom.js";
import { offerDraw, pointToDraw } from "./draw.js";
import { showFleet } from "./fleet.js";
import { read } from "./read.js";
import { showSchemes } from "./schemes.js";
import { many, span, when } from "./words.js";

const EVERY_MILLIS = 1000;
const LONGEST_MILLIS = 30000;
const PATIENCE_MILLIS = 4000;
const FEW = 4;
/** While somebody looks, what is seen of ZooKeeper is never this old. */
const OLD_MILLIS = 6000;
const READ = "#read=";

const health = document.getElementById("health");
const seen = document.getElementById("seen");
const cutoff = document.getElementById("cutoff");
const main = document.getElementById("main");

/** What was heard last, and when, by this machine's monotonic clock. */
let last = null;
let cluster = {};
/** Since when nobody answers, and how long the page waits now before it asks again. */
let failing = null;
let timer = null;
let asking = false;
/** How often the replica had nothing to say of ZooKeeper yet. */
let waited = 0;
/** The schemes that the form to draw offers: after a restart there may be others. */
let offered = "";

async function ask() {
  if (asking) return;
  asking = true;
  try {
    const known = cluster.look ? `?seen=${encodeURIComponent(cluster.look)}` : "";
    const answer = await fetch(`console/state${known}`, { cache: "no-store", signal: AbortSignal.timeout(PATIENCE_MILLIS) });
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    onState(await answer.json());
  } catch {
    failed();
  } finally {
    asking = false;
  }
}

function onState(state) {
  const first = last === null;
  last = { state, at: performance.now() };
  failing = null;
  const { pools = cluster.pools, members = cluster.members } = state.cluster;
  cluster = { ...state.cluster, pools, members };
  if (first) begin(state);
  if (!state.application) offer(state.schemes);
  const early = isEarly();
  if (early) tell();
  else show(state);
  schedule(early ? EVERY_MILLIS / 4 : EVERY_MILLIS);
}

/**
 * The first look at ZooKeeper takes a moment, and so does the next one after nobody has looked for a while. Schemes are shown once it
 * is there, so that the page does not grow twice; where it does not come soon, they are shown without it.
 */
function isEarly() {
  const stale = main.hidden && cluster.ageMillis > OLD_MILLIS;
  return (!cluster.look || stale) && !cluster.failure && ++waited <= FEW;
}

function failed() {
  const wait = failing ? Math.min(LONGEST_MILLIS, failing.wait * 2) : EVERY_MILLIS;
  failing = { since: failing?.since ?? new Date(), wait };
  schedule(wait);
  tell();
}

function schedule(wait) {
  clearTimeout(timer);
  if (!document.hidden) timer = setTimeout(ask, wait);
}

/** What depends on the port is made once. */
function begin(state) {
  if (state.application) {
    const { protocol, port, path } = state.application;
    document.getElementById("actions").hidden = false;
    document.getElementById("drain").addEventListener("click", actions.drain);
    document.getElementById("resume").addEventListener("click", actions.resume);
    document.title = "ID Allocator, for operators";
    pointToDraw(port > 0 ? `${protocol}://${location.hostname}:${port}${path}` : null);
    links(["leases", "fleet", "prometheus", "healthcheck", "metrics", "threads"]);
  } else {
    links(["ids", "leases", "health-check?name=all"]);
  }
  readAddress();
}

/** An address that ends in #read=… shows what that ID says. */
function readAddress() {
  if (location.hash.startsWith(READ)) read(decoded(location.hash.slice(READ.length)));
}

/** What was typed by hand may have a percent sign that stands for itself. */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The catalogue makes the form. It is asked for until it comes, and again when other schemes are served. */
async function offer(schemes) {
  const served = schemes.map((scheme) => scheme.name).join();
  if (offered === served) return;
  offered = served;
  try {
    await offerDraw(read);
  } catch {
    offered = "";
    setText(document.getElementById("draw-result"), "The catalogue cannot be read yet.");
  }
}

function links(paths) {
  document.getElementById("links").replaceChildren(...paths.map((path) => make("a", { href: path }, `/${path}`)));
}

function show(state) {
  const allowed = state.application ? actions : null;
  showSchemes(state, cluster.pools, allowed);
  showFleet(cluster.members, state);
  tell();
  reveal();
}

/** All appears at once, so that nothing jumps, and then what the address points at. */
function reveal() {
  if (!main.hidden) return;
  main.hidden = false;
  goToAddress();
}

function goToAddress() {
  const name = location.hash.slice(1).split("=")[0];
  if (name) document.getElementById(name)?.scrollIntoView();
}

const serving = (state) => state.schemes.filter((scheme) => scheme.state === "active").length;

function level(state) {
  if (failing) return "cutoff";
  if (serving(state) === 0) return "fenced";
  return state.ready && serving(state) === state.schemes.length ? "ready" : "partly";
}

/** Says how the replica is, how old that is, and whether anybody answers. */
function tell() {
  if (last) {
    const { state, at } = last;
    set(health, { "data-state": level(state) });
    setText(seen, ages(state, performance.now() - at));
  }
  cutoff.hidden = !failing;
  if (failing) {
    const from = last ? `, last seen ${when(last.state.at)}` : "";
    setText(cutoff, `Cut off since ${when(failing.since)}${from}. The page goes on asking, ever more seldom, every 30 s at last.`);
    set(health, { "data-state": "cutoff" });
    keepHeight(health);
    setText(health, "The replica does not answer");
  } else if (last) {
    health.style.minHeight = "";
    setText(health, inOneLine(last.state));
  }
  set(main, { "data-old": Boolean(failing && last) });
}

/** How the replica is: "4 schemes serve; sno fenced: every slot of the pool is held". What several schemes have in common is told once. */
function inOneLine(state) {
  const { schemes, leaving } = state;
  const number = serving(state);
  const all = number > 1 && number === schemes.length;
  const parts = [number === 0 ? "No scheme serves" : `${all ? "All " : ""}${many(number, "scheme serves", "schemes serve")}`];
  const fenced = new Map();
  for (const { name, detail } of schemes.filter((scheme) => scheme.state === "fenced")) {
    fenced.set(detail, [...(fenced.get(detail) ?? []), name]);
  }
  for (const [why, names] of fenced) parts.push(`${names.join(", ")} fenced: ${why}`);
  for (const { name, least, serving: few, lacking } of schemes.filter((scheme) => scheme.state === "active" && scheme.lacking)) {
    parts.push(`${name} has ${few} of ${least} slots: ${lacking}`);
  }
  return [...parts, ...(leaving ? ["about to be drained"] : [])].join("; ");
}

/** A shorter text moves nothing that is below. */
function keepHeight(element) {
  element.style.minHeight = `${element.offsetHeight}px`;
}

function ages(state, millis) {
  const instance = state.replica?.instance;
  const parts = [`${instance ? `Replica ${instance}` : "This replica"}, seen ${ago(millis)}`];
  if (cluster.look) parts.push(`ZooKeeper, seen ${ago(millis + cluster.ageMillis)}${cluster.failure ? `: ${cluster.failure}` : ""}`);
  else parts.push(cluster.failure ? `ZooKeeper, not seen yet: ${cluster.failure}` : "ZooKeeper is being asked");
  if (state.outage) parts.push(away(state.outage));
  return parts.join(" · ");
}

/** IDs come from what is reserved. */
function away({ since, reservedUntil }) {
  const until = Object.entries(reservedUntil).map(([name, time]) => `${name} until ${when(time)}`);
  return `ZooKeeper unreachable since ${when(since)}${until.length > 0 ? `, reserved: ${until.join(", ")}` : ""}`;
}

const ago = (millis) => (millis < 1500 ? "now" : `${span(Math.round(millis / 1000) * 1000).replace(".0 ", " ")} ago`);

document.addEventListener("visibilitychange", () => {
  clearTimeout(timer);
  if (!document.hidden) ask();
});
addEventListener("hashchange", () => {
  readAddress();
  goToAddress();
});
setInterval(tell, 1000);
ask();
