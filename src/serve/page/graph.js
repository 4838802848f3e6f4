// The graph of the value over the moves of the game.

import { html, svg } from "./svg.js";
import { signed } from "./words.js";

const HEIGHT = 190;
const EDGE = { left: 40, right: 14, top: 22, bottom: 30 };

/** `points` has the value (or null) and the label of each position; `jump` goes to a position. */
export function drawGraph(place, { points, at, jump }) {
  const width = Math.max(place.clientWidth, 240);
  const values = points.map((point) => point.value).filter((value) => value !== null);
  const most = Math.max(1, ...values) + 0.5;
  const least = Math.min(-1, ...values) - 0.5;
  const across = (width - EDGE.left - EDGE.right) / Math.max(points.length - 1, 8);
  const x = (index) => EDGE.left + index * across;
  const y = (value) =>
    EDGE.top + ((most - value) / (most - least)) * (HEIGHT - EDGE.top - EDGE.bottom);
  const scale = { x, y, width, most, least, last: points.length - 1, across };
  const focused = place.contains(document.activeElement);
  const picture = svg("svg", {
    viewBox: `0 0 ${width} ${HEIGHT}`, role: "group", "aria-label": "Value after each move",
  }, ...grid(scale), ...axes(scale), ...line(points, scale),
  ...points.map((point, index) => mark(point, index, { ...scale, at, jump })));
  picture.style.height = `${HEIGHT}px`;
  const rest = html("p", { className: "quiet", hidden: values.length > 0, textContent: "searching…" });
  place.replaceChildren(picture, rest);
  if (focused) place.querySelector(".current")?.focus();
}

function grid({ y, width, most, least }) {
  const lines = [];
  for (let value = Math.ceil(least); value <= most; value += 1) {
    lines.push(svg("line", {
      class: value === 0 ? "zero" : "rule",
      x1: EDGE.left, x2: width - EDGE.right, y1: y(value), y2: y(value),
    }));
  }
  return lines;
}

function axes({ x, y, width, most, least, last, across }) {
  const labels = [
    text("end-label first", width - EDGE.right, 13, "end", "first player wins"),
    text("end-label second", width - EDGE.right, HEIGHT - EDGE.bottom + 2, "end", "second player wins"),
    text("axis", EDGE.left, HEIGHT - 5, "start", "move"),
  ];
  const step = most - least > 12 ? 5 : most - least > 7 ? 2 : 1;
  for (let value = Math.ceil(least); value <= most; value += 1) {
    if (value % step === 0) labels.push(text("axis", EDGE.left - 14, y(value) + 4, "end", signed(value)));
  }
  const every = across < 9 ? 10 : across < 18 ? 5 : 2;
  for (let move = 0; move <= Math.max(last, 8); move += 1) {
    // The word `move` takes the place of 0 and 1.
    const clear = x(move) > EDGE.left + 40;
    if (clear && move % every === 0) labels.push(text("axis", x(move), HEIGHT - 5, "middle", move));
  }
  return labels;
}

/** Each value lasts until the next move; where one is not known, the line has a gap. */
function line(points, { x, y }) {
  let path = "";
  let before = null;
  points.forEach(({ value }, index) => {
    if (value !== null) {
      path += before === null ? `M${x(index)} ${y(value)}` : `H${x(index)}V${y(value)}`;
    }
    before = value;
  });
  return path ? [svg("path", { class: "steps", d: path })] : [];
}

function mark(point, index, { x, y, at, jump, across }) {
  const here = [x(index), y(point.value ?? 0)];
  const classes = ["point", index === at && "current", point.cost > 0 && "blunder",
    point.value === null && "unknown", point.mover].filter(Boolean).join(" ");
  const area = svg("rect", {
    class: "area", x: here[0] - across / 2, y: EDGE.top - 8, width: across,
    height: HEIGHT - EDGE.top - EDGE.bottom + 16,
  });
  const button = svg("g", {
    class: classes, role: "button", tabindex: index === at ? 0 : -1,
    "aria-label": point.label, "data-at": index,
  }, svg("title", {}, point.label), area, shape(point, here));
  if (index === at) {
    button.setAttribute("aria-current", "step");
    button.append(svg("circle", { class: "ring", cx: here[0], cy: here[1], r: 9 }));
  }
  button.addEventListener("click", () => jump(index));
  button.addEventListener("keydown", (event) => {
    const to = { ArrowLeft: index - 1, ArrowRight: index + 1, Enter: index, " ": index }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    jump(to);
  });
  return button;
}

/** A blunder is a diamond, everything else a dot. */
function shape(point, [x, y]) {
  return point.cost > 0
    ? svg("path", { class: "dot", d: `M${x} ${y - 6.5}l6.5 6.5l-6.5 6.5l-6.5 -6.5z` })
    : svg("circle", { class: "dot", cx: x, cy: y, r: 3.5 });
}

function text(kind, x, y, anchor, said) {
  return svg("text", { class: kind, x, y, "text-anchor": anchor }, String(said));
}
