// The theme: that of the system until another one is chosen. `early.js` restores the choice.

import { remember } from "./memory.js";

const root = document.documentElement;
const prefersDark = matchMedia("(prefers-color-scheme: dark)");

export const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : prefersDark.matches);

/** Changes to the other theme. */
export function turnTheme() {
  root.dataset.theme = isDark() ? "light" : "dark";
  remember("theme", root.dataset.theme);
}

/** Calls a function when the system changes the theme. @param {() => void} changed */
export const watchTheme = (changed) => prefersDark.addEventListener("change", changed);
