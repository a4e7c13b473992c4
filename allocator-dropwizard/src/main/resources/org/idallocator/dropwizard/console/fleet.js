// The replicas, as ZooKeeper shows them.
import { make, reconcile, set, setText } from "./dom.js";
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

/** Who is not told names knows this replica by the slots that it holds. */
function isHere(member, { replica, schemes }) {
  if (replica) return member.instance === replica.instance && member.pid === replica.pid;
  return member.slots.some(({ scheme, slot }) =>
    schemes.some(({ name, held }) => name === scheme && held.some((each) => each.slot === slot)));
}

/** Only of a node that cannot be read it is not told since when it is there. */
const unreadable = (member) => member.since ? null : member.unreadable ?? "the admin port says why";

function change(item, replica, here) {
  const dd = (name) => item.querySelector(`[data-fact="${name}"]`);
  const title = item.querySelector("h3");
  const broken = unreadable(replica);
  set(item, { "data-here": here, "data-state": broken ? "unreadable" : "live" });
  const name = replica.instance ? `${replica.instance}${here ? " (this one)" : ""}` : here ? "This replica" : "Another replica";
  const link = /^https?:/.test(replica.url ?? "") ? replica.url : null;
  if (link && title.firstElementChild?.getAttribute("href") !== link) {
    title.replaceChildren(make("a", { href: link, rel: "noreferrer" }));
  }
  setText(link ? title.firstElementChild : title, name);
  setText(item.querySelector(".soft"), [replica.host, replica.pid && `process ${replica.pid}`].filter(Boolean).join(", "));
  setText(dd("state"), broken ? `unreadable: ${broken}` : `live since ${when(replica.since)}`);
  setText(dd("offset"), offset(replica.clockOffsetMillis));
  set(dd("offset"), { "data-level": Math.abs(replica.clockOffsetMillis ?? 0) >= FAR_MILLIS ? "low" : "enough" });
  setText(dd("version"), replica.version ?? "not told");
  const slots = new Map();
  for (const { scheme, slot } of replica.slots) slots.set(scheme, [...(slots.get(scheme) ?? []), slot]);
  setText(dd("has"), [...slots].map(([scheme, names]) => `${scheme} ${several(names)}`).join(" · ") || "none");
}

/** The first of many; the pools show all of them. */
function several(names) {
  const more = names.length - MOST_NAMED;
  return more > 1 ? `${names.slice(0, MOST_NAMED).join(", ")} and ${count(more)} more` : names.join(", ");
}

export function showFleet(members, state) {
  if (!members) return;
  setText(note, `${many(members.length, "replica has", "replicas have")} a session with ZooKeeper. The clock is told against ZooKeeper's.`);
  reconcile(list, members, (replica) => replica.instance ?? replica.since, create, (item, replica) => change(item, replica, isHere(replica, state)));
}
