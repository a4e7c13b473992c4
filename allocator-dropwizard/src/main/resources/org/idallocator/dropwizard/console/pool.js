// A scheme's pool: a map with a cell for each slot, or a list where there are too many.
import { make, reconcile, set, setText } from "./dom.js";
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

/**
 * The slots of a pool as they are drawn, with what is told of who holds them: every slot in order, and behind them what has a name that
 * is no slot's; of a large pool what is not free, and first what is held here. A slot that nobody tells of is free.
 */
function entries({ names, slots }, held) {
  const told = new Map(slots.map((slot) =>
    [slot.slot, { ...slot.lease, ...slot, here: slot.state === "held" && held.has(slot.slot) }]));
  const all = [...new Set([...names, ...told.keys()])].map((slot) => told.get(slot) ?? { slot, state: "free", here: false });
  return names.length > 0 ? all : all.sort((one, other) => Number(other.here) - Number(one.here));
}

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
  if (entry.state === "unreadable") return `${slot}, unreadable: ${entry.unreadable ?? "the admin port says why"}`;
  return `${slot}, ${entry.state}`;
}

/** The same in lines, for the eye. */
const inLines = (entry) => {
  const words = inWords(entry);
  const text = words.replace(", ", "\n").replace(" since ", "\nsince ").replace("this replica, ", "this replica\n");
  return text[0].toUpperCase() + text.slice(1);
};

/** How the keyboard leads through a map, said to who comes to it by keyboard. */
const KEYS = "Arrows lead to other slots, with Shift to the next that is not free, and a number to that slot.";

/** Digits that follow each other more quickly than this are one number. */
const TYPING_MILLIS = 1500;

/** The drawing of a pool; {@code choose} is called with the entry of a slot that somebody presses, where something can be done. */
export class PoolView {
  constructor(scheme, choose) {
    this.scheme = scheme;
    this.choose = choose;
    this.entries = new Map();
    this.entered = null;
    this.typed = { number: "", at: 0 };
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
      if (cell) showTip(cell, this.lines(cell));
    };
    this.map.addEventListener("pointerover", show);
    this.map.addEventListener("pointerleave", hideTip);
    this.map.addEventListener("focusin", (event) => {
      const cell = of(event);
      const comes = cell.matches(":focus-visible") && !this.map.contains(event.relatedTarget);
      this.entered = comes ? cell : null;
      this.rove(cell);
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

  lines(cell) {
    const words = inLines(this.entries.get(cell.dataset.slot));
    return cell === this.entered ? `${words}\n${KEYS}` : words;
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
    if (at < 0 || event.ctrlKey || event.altKey || event.metaKey) return;
    const next = this.leads(cells, at, event);
    if (next === undefined) return;
    event.preventDefault();
    cells[next]?.focus();
  }

  /** Where a key leads to; undefined for keys that are none of the map's. */
  leads(cells, at, { key, shiftKey }) {
    const towards = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[key];
    if (towards && shiftKey) return this.used(cells, at, towards);
    if (/^[0-9]$/.test(key)) return this.numbered(cells, key);
    const columns = getComputedStyle(this.map).gridTemplateColumns.split(" ").length;
    return {
      ArrowRight: at + 1, ArrowLeft: at - 1, ArrowDown: at + columns, ArrowUp: at - columns, Home: 0, End: cells.length - 1,
      PageDown: Math.min(at + 10 * columns, cells.length - 1), PageUp: Math.max(at - 10 * columns, 0),
    }[key];
  }

  /** The next slot that is not free. */
  used(cells, at, towards) {
    let next = at + towards;
    while (cells[next]?.dataset.state === "free") next += towards;
    return next;
  }

  /** The slot of a number, with each digit that is typed. */
  numbered(cells, digit) {
    const at = performance.now();
    const number = at - this.typed.at < TYPING_MILLIS ? this.typed.number + digit : digit;
    this.typed = { number, at };
    const digits = cells[0].dataset.slot.length;
    const name = number.slice(-digits).padStart(digits, "0");
    return cells.findIndex((cell) => cell.dataset.slot === name);
  }

  /** Brings the drawing up to date; {@code pool} is null for a scheme whose pool is not known, and {@code held} what is held here. */
  show(pool, held) {
    if (!pool) return;
    const { counts, names } = pool;
    const slots = entries(pool, new Set(held.map(({ slot }) => slot)));
    const whole = names.length > 0;
    const left = whole ? 0 : Math.max(0, counts.size - counts.free - slots.length);
    this.entries = new Map(slots.map((entry) => [entry.slot, entry]));
    this.showLegend(counts, slots);
    this.map.hidden = !whole;
    this.list.hidden = whole || slots.length === 0;
    if (whole) this.showMap(slots, counts);
    else this.showList(slots);
    renewTip((cell) => {
      const known = this.map.contains(cell) && this.entries.has(cell.dataset.slot);
      return known ? this.lines(cell) : document.getElementById("tip").textContent;
    });
    setText(this.note, left > 0 ? `and ${count(left)} more, as "leases list" shows them` : "");
    this.note.hidden = left === 0;
  }

  /** What has a name that is no slot's is shown as unreadable, and no part of the pool: it is counted here alone. */
  showLegend(counts, slots) {
    const shown = (state) => slots.filter((entry) => drawn(entry) === state).length;
    const here = shown("here");
    const unreadable = Math.max(counts.unreadable, shown("unreadable"));
    const numbers = { ...counts, here, held: counts.held - here, unreadable };
    reconcile(this.legend, STATES.filter(([state]) => state !== "unreadable" || unreadable > 0), ([state]) => state,
      ([state, word]) => make("li", { "data-state": state },
        make("span", { class: "cell", "data-state": state, "aria-hidden": "true" }), make("b"), ` ${word}`),
      (item, [state]) => {
        setText(item.querySelector("b"), count(numbers[state]));
        set(item, { "data-count": numbers[state] });
      });
  }

  showMap(slots, counts) {
    const size = slots.length <= 32 ? "small" : slots.length <= 256 ? "middle" : "large";
    set(this.map, { "data-size": size, "aria-label": `Pool of ${this.scheme}, ${count(counts.size)} slots. ${KEYS}` });
    reconcile(this.map, slots, (entry) => entry.slot,
      (entry) => make("button", { type: "button", class: "cell", tabindex: "-1", "data-slot": entry.slot, "data-scheme": this.scheme }),
      (cell, entry) => set(cell, { "data-state": drawn(entry), "aria-label": inWords(entry) }));
    if (!this.map.querySelector('[tabindex="0"]')) this.rove(this.map.firstElementChild);
  }

  showList(slots) {
    set(this.list, { tabindex: slots.length > 8 ? "0" : null });
    reconcile(this.list, slots, (entry) => entry.slot,
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
        setText(row.querySelector(".grow"), inWords(entry));
        const release = row.querySelector("button");
        if (release) {
          release.hidden = !entry.nonce;
          set(release, { "aria-label": `Release slot ${entry.slot} of ${this.scheme}` });
        }
      });
  }
}
