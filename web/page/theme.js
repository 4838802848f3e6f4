// The theme: that of the system until another one is chosen. `early.js` restores the choice.

const root = document.documentElement;
const prefersDark = matchMedia("(prefers-color-scheme: dark)");

export const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : prefersDark.matches);

/** Changes to the other theme. If storage is not available, the choice is lost when the page is closed. */
export function turnTheme() {
  root.dataset.theme = isDark() ? "light" : "dark";
  try {
    localStorage.setItem("theme", root.dataset.theme);
  } catch {
    // See above.
  }
}

/** Calls a function when the system changes the theme. @param {() => void} changed */
export const watchTheme = (changed) => prefersDark.addEventListener("change", changed);
