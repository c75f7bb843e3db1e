// Commands as htmx sends them: CSRF header, idempotency key, and a press without answer shown as *not sent* with retry.
// Nothing is queued: it is sent again only when the person says so.
import { Presses, fingerprint } from "./press_core.js";
import { serverNow, timeOfDay } from "./clocks.js";

const presses = new Presses(() => crypto.randomUUID?.() ?? randomKey());
const notes = new Map(); // fingerprint → toast

// crypto.randomUUID is there on secure pages only; a pit may run on plain HTTP inside the house.
function randomKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const cookie = () => document.cookie.match(/(?:^|; )csrftoken=([^;]+)/)?.[1];
const isCommand = (verb) => verb.toLowerCase() !== "get";

// The fields in FormData: one name may stand several times.
const pressOf = ({ verb, path, formData }) => ({ verb, path, fields: [...formData.entries()] });

document.addEventListener("htmx:configRequest", ({ detail }) => {
  if (!isCommand(detail.verb)) return;
  detail.headers["X-CSRFToken"] = cookie() ?? document.body.dataset.csrf ?? "";
  if (!detail.formData.get("key")) detail.headers["Idempotency-Key"] = presses.key(pressOf(detail));
});

// At the request itself, not at htmx's event: the element may have been replaced by a newer tile meanwhile, and then
// its events reach nobody.
document.addEventListener("htmx:beforeSend", ({ detail }) => {
  if (!isCommand(detail.requestConfig.verb)) return;
  detail.xhr.addEventListener("loadend", () => ended(detail));
});

function ended(detail) {
  const press = pressOf(detail.requestConfig);
  const { status } = detail.xhr;
  takeNote(press);
  if (!presses.ended(press, status)) notSent(press, detail);
}

function takeNote(press) {
  const mark = fingerprint(press);
  notes.get(mark)?.remove();
  notes.delete(mark);
}

function notSent(press, detail) {
  const toast = document.createElement("div");
  toast.className = "toast toast--bad";
  toast.dataset.toast = "not-sent";
  toast.setAttribute("role", "alert");
  const text = document.createElement("span");
  text.textContent = `Not sent: ${labelOf(detail)} (${timeOfDay(serverNow())})`;
  const retry = button("Try again", () => again(press, detail));
  retry.setAttribute("data-command", "");
  retry.classList.add("button--primary");
  const drop = button("Let it be", () => {
    presses.drop(press);
    takeNote(press);
  });
  toast.append(text, retry, drop);
  notes.set(fingerprint(press), toast);
  placeFor().append(toast);
}

// A modal dialog covers the page: the note must stand inside it to be seen and reached.
function placeFor() {
  const dialogs = [...document.querySelectorAll("dialog[open]")];
  return dialogs.at(-1) ?? document.getElementById("toasts") ?? document.body;
}

function labelOf({ elt, requestConfig }) {
  const pressed = requestConfig.triggeringEvent?.submitter ?? elt?.querySelector?.("button[data-command]") ?? elt;
  return pressed?.textContent?.trim().replace(/\s+/g, " ") || requestConfig.path;
}

function button(text, press) {
  const element = document.createElement("button");
  element.type = "button";
  element.className = "button";
  element.textContent = text;
  element.addEventListener("click", press);
  return element;
}

// The same words again, with the same key: recorded once, whether or not the first had arrived.
function again(press, { requestConfig, target, etc }) {
  takeNote(press);
  const formData = new FormData();
  for (const [name, value] of press.fields) formData.append(name, value);
  const source = requestConfig.elt?.isConnected ? requestConfig.elt : undefined;
  const swap = etc?.swapOverride ?? source?.getAttribute("hx-swap") ?? "innerHTML";
  const place = target?.isConnected ? target : document.getElementById(target?.id ?? "");
  const ways = { source, target: place ?? document.body, swap, values: formData };
  // Failing again is told like the first time; htmx's promise says nothing more.
  window.htmx.ajax(press.verb, press.path, ways)?.catch?.(() => undefined);
}
