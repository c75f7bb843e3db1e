// The board around the tiles: which are mine, plan or list, how many are open. Rules live on the server.
const board = document.getElementById("board");
const view = document.getElementById("view");
const tiles = document.getElementById("tiles");
const needs = document.getElementById("needs");
const section = new Set((board?.dataset.section ?? "").split(" ").filter(Boolean));

const isMine = (element) => section.size === 0 || section.has(element.dataset.number);

function remember(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // shown now, not remembered
  }
}

function recalled(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function write(id, text) {
  const place = document.getElementById(id);
  if (place && place.textContent !== text) place.textContent = text;
}

function markSection() {
  for (const element of [...tiles.children, ...needs.children]) {
    element.classList.toggle("is-elsewhere", !isMine(element));
  }
}

function count() {
  const all = [...tiles.children];
  light(all);
  const open = all.filter((tile) => tile.dataset.condition !== "closed").length;
  const mine = section.size ? ` · your section: ${section.size}` : "";
  write("open-count", `${open} of ${all.length} open${mine}`);
  const waiting = [...needs.children].filter(isMine).length;
  write("needs-count", waiting ? `${waiting}${section.size ? " in your section" : ""}` : "");
  countTab(all);
}

// On the overview each table is a light; the tiles behind it are not shown.
function light(all) {
  for (const tile of all) {
    const lamp = document.getElementById(tile.id.replace("table", "light"));
    if (!lamp || lamp.dataset.condition === tile.dataset.condition) continue;
    lamp.classList.replace(`is-${lamp.dataset.condition}`, `is-${tile.dataset.condition}`);
    lamp.dataset.condition = tile.dataset.condition;
    lamp.querySelector("use").setAttribute("href", `#sign-${tile.dataset.condition}`);
    lamp.lastElementChild.textContent = `: ${tile.querySelector(".tile__stage span").textContent}`;
  }
}

// The badge of this pit in the bar follows its tiles; the others are asked for now and then.
function countTab(all) {
  const attention = all.filter((tile) => Number(tile.dataset.needs) > 0).length;
  if (board.dataset.pit) badge(board.dataset.pit, attention, all.some((tile) => tile.dataset.condition === "hold"));
}

function badge(pit, attention, held) {
  const place = document.querySelector(`[data-pit="${pit}"] .count`);
  if (!place) return;
  place.classList.toggle("count--hold", held);
  if (place.dataset.count === String(attention)) return;
  place.dataset.count = attention;
  place.lastChild.textContent = attention;
}

const BADGES_EVERY = 20_000;
let asked = performance.now();

async function askTabs() {
  if (document.hidden || performance.now() - asked < BADGES_EVERY) return;
  asked = performance.now();
  const answer = await fetch("/live/tabs.json", { headers: { Accept: "application/json" } }).catch(() => null);
  if (!answer?.ok) return;
  for (const [pit, [attention, held]] of Object.entries((await answer.json()).tabs)) {
    if (pit !== board.dataset.pit) badge(pit, attention, held > 0);
  }
}

// Where the plan would be too small to read and to touch (a phone, a large zoom) there is only the list.
const narrow = matchMedia("(max-width: 620px)");

function show(as) {
  view.dataset.view = narrow.matches ? "list" : as;
  for (const button of document.querySelectorAll("[data-view-switch]")) {
    button.setAttribute("aria-pressed", String(button.dataset.viewSwitch === as));
  }
}

let planned = false;
function settle() {
  if (planned) return;
  planned = true;
  requestAnimationFrame(() => {
    planned = false;
    markSection();
    count();
  });
}

if (tiles && needs) {
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-view-switch]");
    if (!button) return;
    show(button.dataset.viewSwitch);
    remember("board-view", button.dataset.viewSwitch);
  });
  document.addEventListener("pitstand:beat", askTabs);
  const watcher = new MutationObserver(settle);
  for (const list of [tiles, needs]) watcher.observe(list, { childList: true });
  const asChosen = () => show(recalled("board-view") === "list" ? "list" : "map");
  if (view) {
    asChosen();
    narrow.addEventListener("change", asChosen);
  }
  markSection();
  count();
}
