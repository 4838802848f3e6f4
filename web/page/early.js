// Not a module, so that it runs before the page is drawn first, without a flash of the other theme.
(() => {
  // A module that is not loaded, or one that it needs.
  const tell = (/** @type {Event} */ { target }) => {
    const place = document.getElementById("notice-text");
    if (!(target instanceof HTMLScriptElement) || !place) return;
    place.textContent = "The page is not loaded completely. Please reload it.";
  };
  addEventListener("error", tell, true);

  try {
    document.documentElement.dataset.theme = localStorage.getItem("theme") ?? "";
  } catch {
    // Without storage the theme is that of the system.
  }
})();
