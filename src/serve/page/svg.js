// Creates elements.

const NAMESPACE = "http://www.w3.org/2000/svg";

/** An SVG element with attributes, children and text. */
export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** The piece of a player, in a square of 100. */
export function piece(player) {
  return player === "first"
    ? svg("path", { class: "x", d: "M22 22 78 78M78 22 22 78" })
    : svg("circle", { class: "o", cx: 50, cy: 50, r: 29 });
}

/** An HTML element with properties and children. */
export function html(name, properties = {}, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}
