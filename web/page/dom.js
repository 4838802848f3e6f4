// Elements of the page.

const NAMESPACE = "http://www.w3.org/2000/svg";

export const at = (id) => document.getElementById(id);

/** An HTML element with properties and children. */
export function html(name, properties = {}, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

/** An SVG element with attributes, children and text. */
export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** Sets the text of an element if it changes, so that live regions are read once. */
export function say(id, text) {
  if (at(id).textContent !== text) at(id).textContent = text;
}

/** Shows whether a switch is on. */
export const pressed = (id, is) => at(id).setAttribute("aria-pressed", String(is));

/** Listens to the keys of `actions`, unless the focused element uses them. */
export function listen(actions) {
  document.addEventListener("keydown", (event) => {
    // On many keyboards, brackets need AltGr, which some report as Ctrl and Alt.
    const held = event.ctrlKey || event.altKey || event.metaKey;
    if (event.defaultPrevented || (held && !event.getModifierState("AltGraph"))) return;
    const action = actions[event.key] ?? actions[event.key.toLowerCase()];
    if (!action || takes(event.target, event.key)) return;
    event.preventDefault();
    action();
  });
}

/** Whether an element uses a key: a text field uses all, a slider those that move it. */
function takes(target, key) {
  if (target.matches("input[type=range]")) return key === "Home" || key === "End";
  return target.matches("input, textarea, select");
}

/** Copies a text, or selects it in a field if the clipboard is not accessible. */
export async function copy(text, field) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    field.value = text;
    field.select();
    return false;
  }
}
