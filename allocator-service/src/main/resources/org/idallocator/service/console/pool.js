// A scheme's pool: a map with a cell for each slot, or a list where there are too many.
import { follow, make, say, set } from "./dom.js";
import { hideTip, renewTip, showTip } from "./tip.js";
import { count, when } from "./words.js";

const STATES = [
  ["free", "free"],
  ["here", "held here"],
  ["held", "held by others"],
  ["cooling", "cooling"],
  ["retired", "retired"],
  ["unreadable", "unreadable"],
];

/** The state of a slot as it is drawn: those that this replica holds have one of their own. */
const drawn = (entry) => (entry.state === "held" && entry.here ? "here" : entry.state);

/** Strangers are not told who it is. */
function holder(entry) {
  if (!entry.instance) return entry.here ? "this replica" : "another replica";
  const name = entry.instance.includes(entry.host) ? entry.instance : `${entry.instance} on ${entry.host}`;
  return entry.here ? `this replica, ${name}` : name;
}

/** One sentence about a slot. */
function inWords(entry) {
  const slot = `slot ${entry.slot}`;
  if (entry.state === "held") {
    return `${slot}, held by ${holder(entry)}${entry.since ? ` since ${when(entry.since)}` : ""}`;
  }
  if (entry.state === "cooling") return `${slot}, cooling${entry.freeAt ? ` until ${when(entry.freeAt)}` : ""}`;
  if (entry.state === "unreadable") return `${slot}, unreadable: ${entry.unreadable ?? "no reason told"}`;
  return `${slot}, ${entry.state}`;
}

/** The same in lines, for the eye. */
const inLines = (entry) => {
  const words = inWords(entry);
  const text = words.replace(", ", "\n").replace(" since ", "\nsince ").replace("this replica, ", "this replica\n");
  return text[0].toUpperCase() + text.slice(1);
};

/** The drawing of a pool; {@code choose} is called with the entry of a slot that somebody presses, where something can be done. */
export class PoolView {
  constructor(scheme, choose) {
    this.scheme = scheme;
    this.choose = choose;
    this.entries = new Map();
    this.legend = make("ul", { class: "legend" });
    this.map = make("div", { class: "map", role: "group", "data-scheme": scheme });
    this.list = make("ul", { class: "slots", "aria-label": `Slots of ${scheme} that are not free` });
    this.note = make("p", { class: "soft" }, "ZooKeeper has not answered yet.");
    this.element = make("div", { class: "pool", "data-pool": scheme }, this.legend, this.map, this.list, this.note);
    this.map.hidden = true;
    this.list.hidden = true;
    this.listen();
  }

  listen() {
    const of = (event) => event.target.closest("[data-slot]");
    const show = (event) => {
      const cell = of(event);
      if (cell) showTip(cell, inLines(this.entries.get(cell.dataset.slot)));
    };
    this.map.addEventListener("pointerover", show);
    this.map.addEventListener("pointerleave", hideTip);
    this.map.addEventListener("focusin", (event) => {
      this.rove(of(event));
      show(event);
    });
    this.map.addEventListener("focusout", hideTip);
    this.map.addEventListener("click", (event) => {
      const cell = of(event);
      if (!cell) return;
      this.rove(cell);
      show(event);
      const entry = this.entries.get(cell.dataset.slot);
      if (this.choose && entry.nonce) this.choose(entry);
    });
    this.map.addEventListener("keydown", (event) => this.move(event));
  }

  /** One cell alone is met with the tab key; arrows lead on from there. */
  rove(cell) {
    const before = this.map.querySelector('[tabindex="0"]');
    if (before && before !== cell) before.tabIndex = -1;
    if (cell) cell.tabIndex = 0;
  }

  move(event) {
    const cells = [...this.map.children];
    const at = cells.indexOf(document.activeElement);
    if (at < 0) return;
    const columns = getComputedStyle(this.map).gridTemplateColumns.split(" ").length;
    const next = {
      ArrowRight: at + 1, ArrowLeft: at - 1, ArrowDown: at + columns, ArrowUp: at - columns, Home: 0, End: cells.length - 1,
      PageDown: Math.min(at + 10 * columns, cells.length - 1), PageUp: Math.max(at - 10 * columns, 0),
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    cells[next]?.focus();
  }

  /** Brings the drawing up to date; {@code pool} is null for a scheme whose pool is not known. */
  show(pool) {
    if (!pool) return;
    this.entries = new Map(pool.slots.map((entry) => [entry.slot, entry]));
    this.showLegend(pool);
    this.map.hidden = !pool.whole;
    this.list.hidden = pool.whole || pool.slots.length === 0;
    if (pool.whole) this.showMap(pool);
    else this.showList(pool);
    renewTip((cell) => {
      const entry = this.map.contains(cell) && this.entries.get(cell.dataset.slot);
      return entry ? inLines(entry) : document.getElementById("tip").textContent;
    });
    say(this.note, pool.left > 0 ? `and ${count(pool.left)} more, as "leases list" shows them` : "");
    this.note.hidden = pool.left === 0;
  }

  /** What has a name that is no slot's is shown as unreadable, and no part of the pool: it is counted here alone. */
  showLegend({ counts, slots }) {
    const shown = (state) => slots.filter((entry) => drawn(entry) === state).length;
    const here = shown("here");
    const unreadable = Math.max(counts.unreadable, shown("unreadable"));
    const numbers = { ...counts, here, held: counts.held - here, unreadable };
    follow(this.legend, STATES.filter(([state]) => state !== "unreadable" || unreadable > 0), ([state]) => state,
      ([state, word]) => make("li", { "data-state": state },
        make("span", { class: "cell", "data-state": state, "aria-hidden": "true" }), make("b"), ` ${word}`),
      (item, [state]) => {
        say(item.querySelector("b"), count(numbers[state]));
        set(item, { "data-count": numbers[state] });
      });
  }

  showMap(pool) {
    const size = pool.slots.length <= 32 ? "small" : pool.slots.length <= 256 ? "middle" : "large";
    set(this.map, { "data-size": size, "aria-label": `Pool of ${this.scheme}, ${count(pool.counts.size)} slots; arrow keys lead from slot to slot` });
    follow(this.map, pool.slots, (entry) => entry.slot,
      (entry) => make("button", { type: "button", class: "cell", tabindex: "-1", "data-slot": entry.slot, "data-scheme": this.scheme }),
      (cell, entry) => set(cell, { "data-state": drawn(entry), "aria-label": inWords(entry) }));
    if (!this.map.querySelector('[tabindex="0"]')) this.rove(this.map.firstElementChild);
  }

  showList(pool) {
    set(this.list, { tabindex: pool.slots.length > 8 ? "0" : null });
    follow(this.list, pool.slots, (entry) => entry.slot,
      (entry) => {
        const row = make("li", { "data-slot": entry.slot, "data-scheme": this.scheme },
          make("span", { class: "cell", "aria-hidden": "true" }), make("span", { class: "grow" }));
        if (this.choose) {
          const release = make("button", { type: "button", class: "small", "data-action": "release" }, "Release…");
          release.addEventListener("click", () => this.choose(this.entries.get(entry.slot)));
          row.append(release);
        }
        return row;
      },
      (row, entry) => {
        set(row, { "data-state": drawn(entry) });
        set(row.querySelector(".cell"), { "data-state": drawn(entry) });
        say(row.querySelector(".grow"), inWords(entry));
        const release = row.querySelector("button");
        if (release) {
          release.hidden = !entry.nonce;
          set(release, { "aria-label": `Release slot ${entry.slot} of ${this.scheme}` });
        }
      });
  }
}
