// Copies texts to the clipboard.

import { at } from "./frame.js";

/** If the clipboard is not accessible, the text is selected instead. */
export async function copy(text, done) {
  try {
    await navigator.clipboard.writeText(text);
    at("copied").textContent = done;
  } catch {
    at("game-text").value = text;
    at("game-text").select();
    at("copied").textContent = "Selected below, ready to be copied";
  }
}
