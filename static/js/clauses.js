// A clause chip opens its clause over whatever one was doing; without this module it is a plain link.
let dialog;

function make() {
  dialog = document.createElement("dialog");
  dialog.className = "ask-dialog clause-dialog";
  dialog.setAttribute("aria-labelledby", "clause-title");
  const text = document.createElement("div");
  text.id = "clause-text";
  text.className = "ask";
  dialog.append(text);
  document.body.append(dialog);
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog || event.target.closest("[data-close]")) dialog.close();
  });
}

async function open(link) {
  if (!dialog) make();
  await window.htmx.ajax("GET", link.getAttribute("href"), { target: "#clause-text", swap: "innerHTML" });
  if (!dialog.querySelector(".clause-page")) return window.location.assign(link.href);
  if (!dialog.open) dialog.showModal();
  dialog.querySelector("[data-close]").focus();
  return undefined;
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a.clause");
  const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (!link || !plain || !window.htmx) return;
  event.preventDefault();
  event.stopPropagation();
  open(link);
}, true);
