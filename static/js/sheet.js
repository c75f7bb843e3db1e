// The table sheet beside the board and the form of one command. What may be done comes from the server, ready made.
const sheetDialog = document.getElementById("sheet-dialog");
const askDialog = document.getElementById("ask-dialog");
const sheet = document.getElementById("sheet");

const plainClick = (event) => event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
const shown = () => sheet?.querySelector("[data-sheet]");
const get = (address, target, headers = {}) => window.htmx.ajax("GET", address, { target, swap: "innerHTML", headers });
const BY_ITSELF = { "X-Pitstand-By-Itself": "1" }; // no sign of a person: a tablet left alone is signed out all the same

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

// Reading may be tried again by itself (a command never is): a server that restarts is back within seconds.
async function bring(address, target, arrived) {
  let waiting = null;
  for (const wait of [0, 500, 1000, 2000, 4000]) {
    await pause(wait);
    await get(address, target).catch(() => undefined);
    if (arrived()) {
      waiting?.remove();
      return true;
    }
    waiting ??= tell("No answer from the server yet: trying again."); // a tap is never left without a word
  }
  waiting.remove();
  setTimeout((toast) => toast.remove(), 8000, tell("This could not be opened: no answer from the server."));
  return false;
}

function tell(text) {
  const toast = document.createElement("div");
  toast.className = "toast toast--bad";
  toast.setAttribute("role", "alert");
  toast.textContent = text;
  document.getElementById("toasts")?.append(toast);
  return toast;
}

async function openSheet(address) {
  if (!(await bring(address, "#sheet", () => shown()?.dataset.address === address))) return;
  if (!sheetDialog.open) sheetDialog.showModal();
  (document.getElementById("next-step") ?? shown()).focus(); // open and press: two touches of a key, as two taps
}

async function ask(address) {
  document.getElementById("ask").replaceChildren();
  if (!(await bring(address, "#ask", () => document.querySelector("#ask .ask")))) return;
  if (!askDialog.open) askDialog.showModal();
  const first = document.querySelector("#ask [autofocus], #ask input:not([type=hidden]), #ask select, #ask button");
  first?.focus();
}

// Keeps the place of who reads along: the same control stays in focus, the same line in sight.
async function refreshSheet() {
  const current = shown();
  if (!current) return;
  const focused = sheet.contains(document.activeElement) ? document.activeElement.id : "";
  const place = [...sheet.querySelectorAll("[data-scroll]")].map((part) => part.scrollTop);
  await get(current.dataset.address, "#sheet", BY_ITSELF).catch(() => undefined); // the next tile brings it again
  sheet.querySelectorAll("[data-scroll]").forEach((part, index) => (part.scrollTop = place[index] ?? 0));
  if (focused) document.getElementById(focused)?.focus();
}

function onClick(event) {
  const close = event.target.closest("[data-close]");
  if (close) return close.closest("dialog")?.close();
  if (event.target === sheetDialog || event.target === askDialog) return event.target.close();
  if (!plainClick(event)) return undefined;
  const asking = event.target.closest("a[data-ask]");
  if (asking && askDialog) {
    event.preventDefault();
    if (asking.getAttribute("aria-disabled") !== "true") ask(asking.getAttribute("href"));
    return undefined;
  }
  const link = event.target.closest(".tile__link, .need__head a, a[data-open-sheet]");
  if (link && sheetDialog) {
    event.preventDefault();
    openSheet(link.getAttribute("href"));
  }
  return undefined;
}

// The one who acted gets the fresh tile in the response; the live core lets the highest version win.
function onAnswered(event) {
  const { requestConfig, xhr } = event.detail;
  if (requestConfig.verb === "get" || !xhr?.responseText) return;
  const page = new DOMParser().parseFromString(xhr.responseText, "text/html");
  const tiles = [...page.querySelectorAll("template[data-tile]")].map(({ dataset, content }) => ({
    stream: dataset.stream,
    seq: Number(dataset.seq),
    tile: content.querySelector("div").innerHTML,
    needs: content.querySelector("ol").innerHTML,
  }));
  if (tiles.length) document.dispatchEvent(new CustomEvent("pitstand:fresh", { detail: { tiles } }));
}

function onSwapped(event) {
  const status = event.detail.xhr?.status ?? 200;
  if (event.detail.target?.id === "sheet" && status >= 400 && shown()) {
    if (askDialog?.open) askDialog.close(); // the refusal stands in the sheet below it
    if (sheetDialog && !sheetDialog.open) sheetDialog.showModal();
  }
  event.detail.target?.querySelector?.("[data-refused], .errors")?.focus();
}

function onTile(event) {
  const current = shown();
  if (!current || current.dataset.stream !== event.detail.stream) return;
  if (Number(current.dataset.seq) >= event.detail.seq || askDialog?.open) return;
  refreshSheet();
}

// A newer tile may have taken the place of the one that was pressed: then the browser has nothing to give the focus back to.
function onSheetClosed() {
  if (document.activeElement !== document.body) return;
  document.querySelector(`#tiles [data-stream="${shown()?.dataset.stream}"] a`)?.focus();
}

sheetDialog?.addEventListener("close", onSheetClosed);
document.addEventListener("click", onClick);
document.addEventListener("htmx:afterRequest", onAnswered);
document.addEventListener("htmx:afterSwap", onSwapped);
document.addEventListener("pitstand:tile", onTile);
document.addEventListener("pitstand:recorded", () => askDialog?.open && askDialog.close());
