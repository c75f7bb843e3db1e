// Sets the remembered theme before the first paint; not a module so that nothing flashes.
(() => {
  const remembered = () => {
    try {
      return localStorage.getItem("theme");
    } catch {
      return null; // storage may be shut off: the system's preference then decides
    }
  };
  const theme = remembered();
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
})();
