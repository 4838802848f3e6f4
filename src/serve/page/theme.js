// Not a module: it runs before the page is first drawn, so that no wrong theme flashes up.
(() => {
  const root = document.documentElement;
  const prefersDark = matchMedia("(prefers-color-scheme: dark)");

  // Storage may be forbidden; the theme then lasts as long as the page.
  function stored() {
    try { return localStorage.getItem("theme"); } catch { return null; }
  }
  function store(theme) {
    try { localStorage.setItem("theme", theme); } catch { /* as said above */ }
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
