// Numbers and times in words.

const whole = new Intl.NumberFormat("en");
const short = new Intl.NumberFormat("en", { notation: "compact", compactDisplay: "long", maximumFractionDigits: 0 });
const time = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });

/** 1,024; 281 trillion where nobody would read all digits. */
export function count(number) {
  return (number >= 1e12 ? short : whole).format(number);
}

/** A rate: 0.4, 12, 1,200. */
export function rate(perSecond) {
  return perSecond > 0 && perSecond < 10 ? String(Math.round(perSecond * 10) / 10) : whole.format(Math.round(perSecond));
}

/** "1 slot", "3 slots". */
export function many(number, one, more = `${one}s`) {
  return `${count(number)} ${number === 1 ? one : more}`;
}

/** How long: 0.4 s, 12 s, 3 min, 5 h, 2 days. */
export function span(millis) {
  const seconds = Math.abs(millis) / 1000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172800) return `${Math.round(seconds / 3600)} h`;
  return `${whole.format(Math.round(seconds / 86400))} days`;
}

/** When, in the reader's own zone: 14:03:05 today, 3 Nov 14:03:05 on other days. */
export function when(instant) {
  const date = new Date(instant);
  const today = date.toDateString() === new Date().toDateString();
  const far = Math.abs(date - Date.now()) > 300 * 86400e3;
  return `${today ? "" : `${day.format(date)} ${far ? `${date.getFullYear()} ` : ""}`}${time.format(date)}`;
}

/** How far one clock is from another. */
export function offset(millis) {
  if (millis === undefined || millis === null) return "not told";
  if (Math.abs(millis) < 1) return "none";
  const far = Math.abs(millis) < 1000 ? `${Math.abs(millis)} ms` : span(millis);
  return `${far} ${millis < 0 ? "behind" : "ahead"}`;
}
