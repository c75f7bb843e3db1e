// The bar: theme switch, and a menu that closes when one looks elsewhere.
const root = document.documentElement;
const prefersLight = matchMedia("(prefers-color-scheme: light)");

const current = () => root.dataset.theme ?? (prefersLight.matches ? "light" : "dark");

function showName() {
  for (const place of document.querySelectorAll("[data-theme-name]")) place.textContent = current();
}

function switchTheme() {
  root.dataset.theme = current() === "dark" ? "light" : "dark";
  try {
    localStorage.setItem("theme", root.dataset.theme);
  } catch {
    // not remembered, still switched
  }
  showName();
}

const menu = document.getElementById("menu");
document.addEventListener("click", (event) => {
  if (event.target.closest("[data-theme-switch]")) switchTheme();
  if (menu?.open && !menu.contains(event.target)) menu.open = false;
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !menu?.open) return;
  menu.open = false;
  menu.querySelector("summary").focus();
});
prefersLight.addEventListener("change", showName);
showName();
