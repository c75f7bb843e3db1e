// Every running clock and meter of a page: one timer, the server's time, the property's zone.
//
// <time data-since="…Z"> counts up, <time data-due="…Z"> counts down and, when over, up again with a plus and `.is-over`;
// `data-short` leaves the seconds out. `.meter[data-since][data-due]` gets --done (0–1). `[data-wall]` is the time of day.

const SECOND = 1000;
const CLOCKS = ":is([data-since], [data-due]):not(.meter, li, article)";

let offset = 0; // server time minus this device's
let faces = null;

/** A span of milliseconds as "0:42", "12:05", "3:07:20"; never below zero. */
export function span(milliseconds) {
  const whole = Math.max(0, Math.floor(milliseconds / SECOND));
  const two = (number) => String(number).padStart(2, "0");
  const minutes = Math.floor(whole / 60) % 60;
  const hours = Math.floor(whole / 3600);
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

/** The same without seconds: "0 min", "12 min", "3 h 07". */
export function shortSpan(milliseconds) {
  const minutes = Math.max(0, Math.floor(milliseconds / (60 * SECOND)));
  if (minutes < 60) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")}`;
}

/** What a clock shows at `now`: {text, over}. A countdown shows a second that has begun as whole. */
export function reading({ since, due, short }, now) {
  const write = short ? shortSpan : span;
  if (!due) return { text: write(now - Date.parse(since)), over: false };
  const left = Date.parse(due) - now;
  if (left <= -SECOND) return { text: `+${write(-left)}`, over: true };
  return { text: write(left > 0 ? left + SECOND - 1 : 0), over: left <= 0 };
}

/** How much of the time from `since` to `due` is over at `now`, 0 to 1. */
export function done(since, due, now) {
  const from = Date.parse(since);
  const until = Date.parse(due);
  if (!(until > from)) return now >= until ? 1 : 0;
  return Math.min(1, Math.max(0, (now - from) / (until - from)));
}

/** The new offset after hearing the server's time: the least delayed word counts, a set clock counts at once. */
export function offsetAfter(current, server, device) {
  const heard = server - device;
  return heard > current || current - heard > SECOND ? heard : current;
}

/** The server's time now, in milliseconds. */
export function serverNow() {
  return Date.now() + offset;
}

/** Takes the server's time (UTC ISO) as just heard. */
export function sync(iso) {
  offset = offsetAfter(offset, Date.parse(iso), Date.now());
}

/** An instant (milliseconds) as the time of day at the property, hours to seconds. */
export function timeOfDay(instant) {
  const { zone, clock } = document.documentElement.dataset;
  faces ??= new Intl.DateTimeFormat(clock === "12" ? "en-US" : "en-GB", {
    hour: clock === "12" ? "numeric" : "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hour12: clock === "12",
    timeZone: zone || "UTC",
  });
  return faces.format(instant);
}

function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function drawMeter(meter, now) {
  const part = done(meter.dataset.since, meter.dataset.due, now);
  const text = part.toFixed(3);
  if (meter.style.getPropertyValue("--done") !== text) meter.style.setProperty("--done", text);
  meter.classList.toggle("is-over", part >= 1);
}

function drawClock(element, now) {
  const { text, over } = reading({ ...element.dataset, short: "short" in element.dataset }, now);
  write(element, text);
  element.classList.toggle("is-over", over);
}

/** Writes every clock and meter below `root` (and `root` itself) as of now. */
export function draw(root = document) {
  const now = serverNow();
  const all = (selector) => [
    ...(root.matches?.(selector) ? [root] : []),
    ...root.querySelectorAll(selector),
  ];
  for (const element of all(CLOCKS)) if (!element.firstElementChild && (element.dataset.since || element.dataset.due)) drawClock(element, now);
  for (const meter of all(".meter[data-since][data-due]")) drawMeter(meter, now);
  for (const element of all("[data-wall]")) write(element, timeOfDay(now));
}

function run() {
  if (document.visibilityState === "visible") draw();
  // Just after the server's full second, so that all digits turn together.
  setTimeout(run, SECOND - (serverNow() % SECOND) + 5);
}

if (typeof document !== "undefined") {
  const { now } = document.documentElement.dataset;
  // The page took time to come: its word is a first guess, kept only when this device's clock is clearly off.
  if (now && Math.abs(Date.parse(now) - Date.now()) > 5 * SECOND) offset = Date.parse(now) - Date.now();
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && draw());
  document.addEventListener("htmx:load", (event) => draw(event.detail.elt));
  run();
}
