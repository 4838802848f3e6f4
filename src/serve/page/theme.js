// Not a module, so that it runs before the page is drawn first, without a flash of the other theme.
(() => {
  const root = document.documentElement;
  const prefersDark = matchMedia("(prefers-color-scheme: dark)");

  // If storage is not available, the choice is lost when the page is closed.
  function stored() {
    try { return localStorage.getItem("theme"); } catch { return null; }
  }
  function store(theme) {
    try { localStorage.setItem("theme", theme); } catch { /* see above */ }
  }
  const isDark = () => root.dataset.theme === "dark";

  function show(theme) {
    root.dataset.theme = theme ?? (prefersDark.matches ? "dark" : "light");
    document.getElementById("theme")?.setAttribute("aria-pressed", String(isDark()));
  }

  show(stored());
  prefersDark.addEventListener("change", () => show(stored()));
  document.addEventListener("DOMContentLoaded", () => {
    show(root.dataset.theme);
    document.getElementById("theme").addEventListener("click", () => {
      const theme = isDark() ? "light" : "dark";
      store(theme);
      show(theme);
    });
  });
})();
