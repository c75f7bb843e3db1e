// Joins the pure core to the page: the socket, catching up over HTTP, tiles and needs, the banner, commands on or off.
import { LiveCore, byUrgency } from "./live_core.js";
import { draw, serverNow, sync, timeOfDay } from "./clocks.js";

const TICK = 250;
const OPEN_WITHIN = 10_000;
const FETCH_WITHIN = 8_000;
const HELD_AT_MOST = 1_500;
const FOCUSABLE = "a[href], button, input, select, textarea, summary, [tabindex]";
const WORDS = {
  connecting: "Connecting",
  live: "Live",
  delayed: "Not live",
  stale: "Not live",
  "signed-out": "Signed out",
  "no-right": "No right",
};
const COMMANDS_OFF = new Set(["stale", "signed-out", "no-right"]);

const root = document.querySelector("[data-ws]");
const board = document.getElementById("tiles");
const needs = document.getElementById("needs");
const at = () => ({ wall: Date.now(), mono: performance.now() });

let core = null;
let socket = null;
let finger = null; // when a finger went down on the board
const waiting = new Map(); // tiles that came meanwhile

// ---- the socket

function connect() {
  leave();
  const address = new URL(root.dataset.ws, location.href);
  address.protocol = address.protocol.replace("http", "ws");
  const mine = new WebSocket(address);
  const late = setTimeout(() => mine.close(), OPEN_WITHIN);
  socket = mine;
  mine.onopen = () => {
    clearTimeout(late);
    if (mine === socket) carry(core.opened());
  };
  mine.onmessage = (event) => mine === socket && heard(JSON.parse(event.data));
  mine.onclose = (event) => {
    clearTimeout(late);
    if (mine !== socket) return;
    socket = null;
    carry(core.closed(event.code, at()));
  };
}

function leave() {
  const left = socket;
  socket = null;
  left?.close();
}

function heard(message) {
  if (message.type === "beat") takeTime(message);
  carry(core.heard(message, at()));
}

function takeTime(beat) {
  sync(beat.now);
  document.dispatchEvent(new CustomEvent("pitstand:beat", { detail: beat }));
}

// ---- over HTTP

async function ask(address) {
  const response = await fetch(address, {
    headers: { Accept: "application/json" },
    credentials: "same-origin",
    signal: AbortSignal.timeout(FETCH_WITHIN),
  });
  if (response.status === 401 || response.status === 403) carry(core.refused(response.status));
  return response.ok ? response.json() : null;
}

async function poll() {
  const beat = await ask(root.dataset.headsUrl).catch(() => null);
  if (!beat) return;
  takeTime(beat);
  carry(core.polled(beat, at()));
}

async function catchUp(streams) {
  const query = new URLSearchParams(streams.map((stream) => ["stream", stream]));
  const missed = await ask(`/live/fragments?${query}`).catch(() => null);
  if (missed) carry(core.tiles(missed.tiles));
}

// ---- tiles and needs

const template = document.createElement("template");
const parsed = (html) => {
  template.innerHTML = html;
  return [...template.content.children];
};

// What a person would see, without what the clocks and the section filter have written into it.
function plain(element) {
  const copy = element.cloneNode(true);
  for (const part of [copy, ...copy.querySelectorAll("*")]) {
    part.removeAttribute("data-seq");
    part.removeAttribute("disabled");
    part.removeAttribute("aria-disabled");
    part.removeAttribute("data-off");
    part.classList.remove("is-over", "is-elsewhere");
    if (part.matches("[class='']")) part.removeAttribute("class");
    if (part.matches(".meter")) part.removeAttribute("style");
    if (part.matches("time")) part.textContent = "";
    if (part.matches("input[name=seen]")) part.removeAttribute("value");
  }
  return copy.outerHTML;
}

function sameButVersion(old, fresh) {
  if (plain(old) !== plain(fresh)) return false;
  old.dataset.seq = fresh.dataset.seq;
  const seen = old.querySelector("input[name=seen]");
  if (seen) seen.value = fresh.querySelector("input[name=seen]").value;
  return true;
}

// The focus stays on the same control; nothing scrolls.
function keepingFocus(change) {
  const focused = document.activeElement;
  const home = focused?.closest("[data-stream]");
  const place = home?.id ? [...home.querySelectorAll(FOCUSABLE)].indexOf(focused) : -1;
  change();
  if (!home?.id || document.activeElement === focused) return;
  const now = document.getElementById(home.id);
  const target = place < 0 ? now : now?.querySelectorAll(FOCUSABLE)[place];
  target?.focus({ preventScroll: true });
}

function insert(fresh) {
  window.htmx?.process(fresh);
  draw(fresh);
  setCommands(fresh);
}

function putTile(tile) {
  const [fresh] = parsed(tile.tile);
  if (!fresh) return;
  const old = document.getElementById(fresh.id);
  if (!old) {
    if (!board) return;
    board.append(fresh);
  } else if (Number(old.dataset.seq) >= tile.seq || sameButVersion(old, fresh)) {
    return;
  } else {
    old.replaceWith(fresh);
  }
  insert(fresh);
}

function putNeeds(tile) {
  if (!needs) return;
  const fresh = new Map(parsed(tile.needs).map((need) => [need.id, need]));
  for (const old of [...needs.children].filter((need) => need.dataset.stream === tile.stream)) {
    const next = fresh.get(old.id);
    fresh.delete(old.id);
    if (!next) old.remove();
    else if (!sameButVersion(old, next)) {
      old.replaceWith(next);
      insert(next);
    }
  }
  for (const need of fresh.values()) {
    needs.append(need);
    insert(need);
  }
  sortNeeds();
}

const urgency = (need) => ({ id: need.id, rank: need.dataset.rank ?? 9, due: need.dataset.due });

function sortNeeds() {
  const sorted = [...needs.children].sort((a, b) => byUrgency(urgency(a), urgency(b)));
  sorted.forEach((need, index) => {
    if (needs.children[index] !== need) needs.insertBefore(need, needs.children[index]);
  });
}

function put(tile) {
  keepingFocus(() => {
    putTile(tile);
    putNeeds(tile);
  });
  const detail = { stream: tile.stream, seq: tile.seq };
  document.dispatchEvent(new CustomEvent("pitstand:tile", { detail }));
}

function forget(stream) {
  for (const element of document.querySelectorAll("#tiles > *, #needs > *")) {
    if (element.dataset.stream === stream) element.remove();
  }
}

// Nothing moves under a finger: what comes between down and up waits, or the press would hit another table.
function show(tile) {
  if (finger !== null && performance.now() - finger < HELD_AT_MOST) waiting.set(tile.stream, tile);
  else put(tile);
}

function release() {
  finger = null;
  const tiles = [...waiting.values()];
  waiting.clear();
  tiles.forEach(put);
}

// ---- what the person is told

function tell(state, asOf) {
  document.body.dataset.live = state;
  const word = document.getElementById("live-state");
  if (word && word.textContent !== WORDS[state]) word.textContent = WORDS[state];
  tellBanner(state, asOf);
  setCommands(document);
}

function tellBanner(state, asOf) {
  const banner = document.getElementById("live-banner");
  if (!banner) return;
  const parts = {
    stale: () => [`Not live – as of ${timeOfDay(asOf.wall + serverNow() - Date.now())}`],
    delayed: () => [`Not live – as of ${timeOfDay(asOf.wall + serverNow() - Date.now())}`],
    "signed-out": () => ["You are signed out. ", link("Sign in", signIn())],
    "no-right": () => ["You may not see this pit any more. ", link("To my pits", "/")],
  }[state];
  banner.hidden = !parts;
  if (parts) banner.replaceChildren(...parts());
}

const signIn = () => `/accounts/login/?next=${encodeURIComponent(location.pathname + location.search)}`;

function link(text, address) {
  const element = document.createElement("a");
  element.href = address;
  element.textContent = text;
  return element;
}

function tellBuild() {
  const toast = document.createElement("div");
  toast.className = "toast";
  toast.dataset.toast = "build";
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button";
  button.textContent = "Reload";
  button.addEventListener("click", () => location.reload());
  toast.append("A new version is ready.", button);
  document.getElementById("toasts")?.append(toast);
}

// ---- commands on or off

function setCommands(within) {
  const off = COMMANDS_OFF.has(core?.state);
  for (const element of within.querySelectorAll("[data-command]")) {
    if (off === "off" in element.dataset) continue;
    if (off && (element.disabled || element.getAttribute("aria-disabled") === "true")) continue; // not ours to lift
    element.toggleAttribute("data-off", off);
    if (element.matches("button, input")) element.disabled = off;
    else if (off) element.setAttribute("aria-disabled", "true");
    else element.removeAttribute("aria-disabled");
  }
}

function refuse(event) {
  if (!COMMANDS_OFF.has(core.state)) return;
  const command = event.target.closest?.("[data-command]") ?? event.target.querySelector?.("[data-command]");
  if (!command || (event.type === "click" && event.target.closest("[data-command]") === null)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

// ---- together

function carry(effects) {
  for (const effect of effects) {
    if (effect.do === "connect") connect();
    else if (effect.do === "close") leave();
    else if (effect.do === "ping" && socket?.readyState === WebSocket.OPEN) socket.send('{"type":"ping"}');
    else if (effect.do === "poll") poll();
    else if (effect.do === "fetch") catchUp(effect.streams);
    else if (effect.do === "show") show(effect.tile);
    else if (effect.do === "forget") forget(effect.stream);
    else if (effect.do === "state") tell(effect.state, effect.asOf);
    else if (effect.do === "build") tellBuild();
  }
}

function listen() {
  const woke = () => document.visibilityState === "visible" && carry(core.woke(at()));
  document.addEventListener("visibilitychange", woke);
  document.addEventListener("resume", woke);
  for (const name of ["online", "pageshow", "focus"]) window.addEventListener(name, woke);
  for (const list of [board, needs]) {
    list?.addEventListener("pointerdown", () => (finger = performance.now()));
  }
  // The click comes right after the finger has gone: let it hit what it was meant for.
  for (const name of ["pointerup", "pointercancel"]) window.addEventListener(name, () => setTimeout(release, 0));
  for (const name of ["submit", "click"]) document.addEventListener(name, refuse, true);
  document.addEventListener("htmx:load", (event) => setCommands(event.detail.elt));
  document.addEventListener("pitstand:fresh", (event) => carry(core.tiles(event.detail.tiles)));
  window.addEventListener("pagehide", leave);
}

function seenOnPage() {
  const seen = {};
  for (const element of document.querySelectorAll("[data-stream][data-seq]")) {
    const { stream, seq } = element.dataset;
    // The tile's own version; a need or a sheet beside it may only be newer.
    seen[stream] = Math.max(seen[stream] ?? 0, Number(seq));
  }
  return seen;
}

function start() {
  const only = root.dataset.only ? root.dataset.only.split(" ") : null;
  core = new LiveCore({ seen: seenOnPage(), only, build: document.documentElement.dataset.build, at: at() });
  listen();
  if (needs) sortNeeds();
  tell(core.state, core.asOf);
  setInterval(() => carry(core.tick(at())), TICK);
}

if (root) start();
