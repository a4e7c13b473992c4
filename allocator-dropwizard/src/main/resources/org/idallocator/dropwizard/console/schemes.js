// The schemes: state, what this replica holds, what it hands out, and the pool.
import { make, reconcile, set, setText } from "./dom.js";
import { drawPlot, plot, Rates } from "./plot.js";
import { PoolView } from "./pool.js";
import { count, many, rate, span, when } from "./words.js";

const list = document.getElementById("scheme-list");
const busy = document.getElementById("busy");
const views = new Map();

/** A bar that says how much is left of something: in a word, and in more for those who do not see it. */
function meter(word, label) {
  return make("div", { class: "meter", role: "meter", "aria-label": label, "aria-valuemin": "0" },
    make("span", { title: label }, word, make("b")), make("div", { class: "track" }, make("div", { class: "fill" })));
}

function showMeter(element, millis, full) {
  const part = Math.max(0, Math.min(1, millis / full));
  const fill = element.querySelector(".fill");
  set(element, { "aria-valuenow": Math.round(millis), "aria-valuemax": full, "aria-valuetext": span(millis) });
  setText(element.querySelector("b"), span(millis));
  fill.style.width = `${(part * 100).toFixed(1)}%`;
  set(fill, { "data-level": part === 0 ? "none" : part < 0.25 ? "low" : "enough" });
}

/** Slots that are held: a line, and how long it goes well without ZooKeeper. */
const holding = () => [make("p", { class: "name" }), meter("reserved", "time that is reserved ahead"), meter("deadline", "time until a renewal must be confirmed")];

function showHolding(element, words, { timeLeftMillis, deadlineMillis }, { windowMillis }) {
  const [lead, deadline] = element.querySelectorAll(".meter");
  setText(element.querySelector(".name"), words);
  showMeter(lead, timeLeftMillis, windowMillis * 1.25);
  showMeter(deadline, deadlineMillis, windowMillis);
}

/** Of more slots than these one line tells the worst, and the others are behind it. */
const FEW_HELD = 4;

/** One scheme. */
class SchemeView {
  constructor(scheme, actions) {
    this.pool = scheme.leased ? new PoolView(scheme.name, actions && ((entry) => actions.release(scheme.name, entry))) : null;
    this.state = make("span", { class: "pill" });
    this.reason = make("a", { class: "mono" });
    this.detail = make("span");
    this.why = make("p", { class: "why" }, this.reason, this.detail);
    this.rate = make("b", { "data-rate": "" });
    this.total = make("p", { class: "soft" });
    this.plot = plot();
    this.rates = new Rates();
    this.flow = make("div", { class: "flow" }, make("p", { class: "rate" }, this.rate, "IDs a second over HTTP"), this.plot, this.total);
    this.held = make("ul", { class: "held", "aria-label": `Slots of ${scheme.name} that this replica holds` });
    this.worst = make("div", { class: "holding" }, ...holding());
    this.summary = make("summary");
    this.each = make("details", { class: "each" }, this.summary, this.held);
    this.element = make("article", { class: "card scheme", "data-scheme": scheme.name, "aria-labelledby": `scheme-${scheme.name}` },
      make("header", {}, make("h3", { id: `scheme-${scheme.name}` }, scheme.name), this.state, this.rotator(scheme, actions)),
      this.why,
      make("div", { class: "work" }, this.flow, this.worst, this.each),
      this.pool ? this.pool.element : make("p", { class: "soft" }, "This scheme needs no slots."));
  }

  rotator(scheme, actions) {
    if (!actions || !scheme.leased) return null;
    const button = make("button", { type: "button", class: "small", "data-action": "rotate", "aria-label": `Rotate ${scheme.name}` }, "Rotate…");
    button.addEventListener("click", () => actions.rotate(scheme.name));
    return button;
  }

  show(scheme, pool, guided) {
    set(this.element, { "data-state": scheme.state });
    set(this.state, { "data-state": scheme.state });
    setText(this.state, scheme.state);
    this.showWhy(scheme, guided);
    this.showFlow(scheme);
    this.showHeld(scheme);
    this.pool?.show(pool, scheme.held);
  }

  /** The name of the state, by which the guide has it, and why in words. */
  showWhy({ reason, detail }, guided) {
    this.why.hidden = !reason;
    set(this.reason, { href: reason && guided ? `problems/${reason}` : null });
    setText(this.reason, reason ?? "");
    setText(this.detail, reason ? `: ${detail}` : "");
  }

  /** Where the program draws IDs itself, and none over HTTP, nothing is counted. */
  showFlow(scheme) {
    this.flow.hidden = typeof scheme.issued !== "number";
    if (this.flow.hidden) return;
    this.rates.take(scheme.issued);
    setText(this.rate, rate(this.rates.perSecond.at(-1) ?? 0));
    drawPlot(this.plot, this.rates.perSecond);
    this.showTotal(scheme);
  }

  showTotal({ issued, refused }) {
    const reasons = Object.entries(refused).filter(([, number]) => number > 0);
    const total = reasons.reduce((sum, [, number]) => sum + number, 0);
    const each = reasons.map(([reason, number]) => `${reason} ${count(number)}`).join(", ");
    const failed = total === 0 ? "no draw refused" : `${many(total, "draw")} refused (${each})`;
    setText(this.total, `${many(issued, "ID")} over HTTP since the start, ${failed}`);
    set(this.total, { "data-issued": issued, "data-refused": total });
  }

  showHeld(scheme) {
    const { held } = scheme;
    this.fold(held.length);
    if (held.length > FEW_HELD) {
      const least = (name) => Math.min(...held.map((slot) => slot[name]));
      const worst = { timeLeftMillis: least("timeLeftMillis"), deadlineMillis: least("deadlineMillis") };
      const words = `the least reserved ${span(worst.timeLeftMillis)}, the nearest deadline ${span(worst.deadlineMillis)}`;
      showHolding(this.worst, `Holds ${count(held.length)} slots, ${words}`, worst, scheme);
      setText(this.summary, `Each of the ${count(held.length)} slots`);
    }
    reconcile(this.held, held, (slot) => slot.slot,
      (slot) => make("li", { class: "holding", "data-slot": slot.slot }, ...holding()),
      (item, slot) => showHolding(item, `Holds slot ${slot.slot} since ${when(slot.since)}`, slot, scheme));
  }

  /** Many slots are folded away when they become many; whoever opens them sees them from then on. */
  fold(number) {
    const folds = number > FEW_HELD;
    this.each.hidden = number === 0;
    this.worst.hidden = !folds;
    if (this.folds !== folds) this.each.open = !folds;
    this.folds = folds;
    this.summary.hidden = !folds;
  }
}

/** Requests that a limit has refused before it was known of which scheme they would draw, and others. Nothing is told where nothing is counted. */
function showBusy(refused) {
  busy.hidden = !refused;
  if (!refused) return;
  const limits = Object.entries(refused).filter(([, number]) => number > 0);
  const total = limits.reduce((sum, [, number]) => sum + number, 0);
  const each = limits.map(([limit, number]) => `limits.${limit} ${count(number)}`).join(", ");
  setText(busy, total === 0 ? "No request refused as busy since the start" : `${many(total, "request")} refused as busy since the start (${each})`);
  set(busy, { "data-refused": total });
}

/** Shows the schemes; {@code actions} is null where nothing can be done. The application port alone has the guide to states. */
export function showSchemes(state, pools, actions) {
  const guided = !state.application;
  showBusy(state.busy);
  reconcile(list, state.schemes, (scheme) => scheme.name,
    (scheme) => {
      const view = new SchemeView(scheme, actions);
      views.set(scheme.name, view);
      return view.element;
    },
    (element, scheme) => views.get(scheme.name).show(scheme, pools?.find((pool) => pool.counts.scheme === scheme.name), guided));
}
