// Not a module, so that it runs before the page is drawn first, without a flash of the other theme.
(() => {
  // A module that is not loaded, or one that it needs.
  addEventListener("error", ({ target }) => {
    if (target instanceof HTMLScriptElement) document.getElementById("notice-text").textContent = "The page is not loaded completely. Please reload it.";
  }, true);

  const root = document.documentElement;
  const prefersDark = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : prefersDark.matches);
  const show = () => document.getElementById("theme")?.setAttribute("aria-pressed", String(isDark()));

  // If storage is not available, the choice is lost when the page is closed.
  try { root.dataset.theme = localStorage.getItem("theme") ?? ""; } catch { /* see above */ }
  prefersDark.addEventListener("change", show);
  document.addEventListener("DOMContentLoaded", () => {
    show();
    document.getElementById("theme").addEventListener("click", () => {
      root.dataset.theme = isDark() ? "light" : "dark";
      try { localStorage.setItem("theme", root.dataset.theme); } catch { /* see above */ }
      show();
    });
  });
})();
