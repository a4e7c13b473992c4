// The replicas, as ZooKeeper shows them.
import { follow, make, say, set } from "./dom.js";
import { count, many, offset, when } from "./words.js";

const list = document.getElementById("replica-list");
const note = document.getElementById("fleet-note");
/** From here on a clock deserves a look. */
const FAR_MILLIS = 500;
/** More slots of a scheme than these would be a wall of numbers. */
const MOST_NAMED = 6;

const fact = (name, label) => make("dl", { class: name }, make("dt", {}, label), make("dd", { "data-fact": name }));

function create(replica) {
  return make("li", { class: "replica card", "data-replica": replica.instance ?? null },
    make("div", { class: "who" }, make("h3"), make("p", { class: "soft" })),
    fact("state", "State"), fact("offset", "Clock"), fact("version", "Version"), fact("has", "Slots"));
}

function change(item, replica) {
  const dd = (name) => item.querySelector(`[data-fact="${name}"]`);
  const title = item.querySelector("h3");
  set(item, { "data-here": replica.here, "data-state": replica.unreadable ? "unreadable" : "live" });
  const name = replica.instance ? `${replica.instance}${replica.here ? " (this one)" : ""}` : replica.here ? "This replica" : "Another replica";
  const link = /^https?:/.test(replica.url ?? "") ? replica.url : null;
  if (link && title.firstElementChild?.getAttribute("href") !== link) {
    title.replaceChildren(make("a", { href: link, rel: "noreferrer" }));
  }
  say(link ? title.firstElementChild : title, name);
  say(item.querySelector(".soft"), [replica.host, replica.pid && `process ${replica.pid}`].filter(Boolean).join(", "));
  say(dd("state"), replica.unreadable ? `unreadable: ${replica.unreadable}` : replica.since ? `live since ${when(replica.since)}` : "live");
  say(dd("offset"), offset(replica.clockOffsetMillis));
  set(dd("offset"), { "data-level": Math.abs(replica.clockOffsetMillis ?? 0) >= FAR_MILLIS ? "low" : "enough" });
  say(dd("version"), replica.version ?? "not told");
  const slots = Object.entries(replica.slots ?? {});
  say(dd("has"), slots.length === 0 ? "none" : slots.map(([scheme, names]) => `${scheme} ${several(names)}`).join(" · "));
}

/** The first of many; the pools show all of them. */
function several(names) {
  const more = names.length - MOST_NAMED;
  return more > 1 ? `${names.slice(0, MOST_NAMED).join(", ")} and ${count(more)} more` : names.join(", ");
}

export function showFleet(replicas) {
  if (!replicas) return;
  say(note, `${many(replicas.length, "replica has", "replicas have")} a session with ZooKeeper. The clock is told against ZooKeeper's.`);
  follow(list, replicas, (replica) => replica.instance ?? replica.since, create, change);
}
