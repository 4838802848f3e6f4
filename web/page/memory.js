// What the browser remembers from one visit to the next; if it may not store anything, until the page is closed.

/** @type {Map<string, string>} */
const stored = new Map();

/** The text that was remembered under a name; empty if there is none. @param {string} name */
export function recall(name) {
  try {
    return localStorage.getItem(name) ?? stored.get(name) ?? "";
  } catch {
    return stored.get(name) ?? "";
  }
}

/** @param {string} name @param {string} text */
export function remember(name, text) {
  stored.set(name, text);
  try {
    localStorage.setItem(name, text);
  } catch {
    // It is remembered until the page is closed.
  }
}
