// The graph of the value of the positions played: points, or who wins in games without points.

import { svg } from "./dom.js";
import { favours, number, scoreOf, signed } from "./words.js";

const HEIGHT = 176;
const EDGE = { left: 40, right: 12, top: 20, bottom: 26 };

/** `points` has what is known about each position (or null), its mover, flaw and label. */
export function drawGraph(place, { points, at, jump }) {
  const width = Math.max(place.clientWidth, 240);
  const heights = points.map(({ known }) => heightOf(known));
  const values = heights.filter((value) => value !== null);
  const isScored = points.some(({ known }) => known?.value && scoreOf(known) !== null);
  const most = Math.max(1, ...values) + 0.5;
  const least = Math.min(-1, ...values) - 0.5;
  const across = (width - EDGE.left - EDGE.right) / Math.max(points.length - 1, 8);
  const x = (index) => EDGE.left + index * across;
  const y = (value) => EDGE.top + ((most - value) / (most - least)) * (HEIGHT - EDGE.top - EDGE.bottom);
  const scale = { x, y, width, most, least, across, at, jump, isScored, isKnown: values.length > 0, last: points.length - 1 };
  const focused = place.contains(document.activeElement);
  const picture = svg("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, role: "group", "aria-label": "Value of each position" },
    ...grid(scale), ...axes(scale), ...steps(heights, scale),
    ...points.map((point, index) => button(point, heights[index], index, scale)));
  picture.style.height = `${HEIGHT}px`;
  place.replaceChildren(picture);
  if (focused) place.querySelector(".current")?.focus();
}

function heightOf(known) {
  if (!known?.value) return null;
  return known.value.score === null ? { first: 1, tie: 0, second: -1 }[favours(known)] : number(known.value.score);
}

function grid({ y, width, most, least }) {
  return whole(least, most).map((value) => svg("line", {
    class: value === 0 ? "zero" : "rule", x1: EDGE.left, x2: width - EDGE.right, y1: y(value), y2: y(value),
  }));
}

const whole = (least, most) =>
  Array.from({ length: Math.floor(most) - Math.ceil(least) + 1 }, (_, i) => Math.ceil(least) + i);

function axes({ x, y, width, most, least, last, across, isScored, isKnown }) {
  const labels = [
    text("end-label first", width - EDGE.right, 12, "end", "first player wins"),
    text("end-label second", width - EDGE.right, HEIGHT - EDGE.bottom + 3, "end", "second player wins"),
    text("axis", EDGE.left, HEIGHT - 4, "start", "move"),
  ];
  const step = most - least > 24 ? 10 : most - least > 12 ? 5 : most - least > 7 ? 2 : 1;
  const named = isScored ? signed : (value) => ["2nd", "=", "1st"][value + 1];
  for (const value of isKnown ? whole(least, most) : []) {
    if (value % step === 0) labels.push(text("axis", EDGE.left - 12, y(value) + 4, "end", named(value)));
  }
  const every = across < 6 ? 20 : across < 9 ? 10 : across < 18 ? 5 : 2;
  // The word `move` takes the place of the first numbers.
  for (const move of whole(0, Math.max(last, 8))) {
    if (x(move) > EDGE.left + 40 && move % every === 0) labels.push(text("axis", x(move), HEIGHT - 4, "middle", move));
  }
  return labels;
}

/** Each value lasts until the next move; where one is not known, the line has a gap. */
function steps(heights, { x, y }) {
  const path = heights.map((value, index) => {
    if (value === null) return "";
    return (heights[index - 1] ?? null) === null ? `M${x(index)} ${y(value)}` : `H${x(index)}V${y(value)}`;
  }).join("");
  return path ? [svg("path", { class: "steps", d: path })] : [];
}

/** A position to which a click goes. An unknown value is a question mark at the lower edge. */
function button({ mover, flaw, label }, height, index, { x, y, across, at, jump }) {
  const [left, top] = [x(index), height === null ? HEIGHT - EDGE.bottom - 8 : y(height)];
  const area = svg("rect", { class: "area", x: left - across / 2, y: EDGE.top - 8, width: across, height: HEIGHT - EDGE.top - EDGE.bottom + 16 });
  const dot = height === null ? text("unknown", left, top + 4, "middle", "?")
    : flaw ? svg("path", { class: "dot", d: `M${left} ${top - 6.5}l6.5 6.5l-6.5 6.5l-6.5 -6.5z` })
    : svg("circle", { class: "dot", cx: left, cy: top, r: 3.5 });
  const classes = ["point", index === at && "current", flaw && "flaw", mover].filter(Boolean);
  const made = svg("g", { class: classes.join(" "), role: "button", tabindex: index === at ? 0 : -1, "aria-label": label, "data-at": index },
    svg("title", {}, label), area, dot);
  if (index === at) {
    made.setAttribute("aria-current", "step");
    made.append(svg("circle", { class: "ring", cx: left, cy: top, r: 9 }));
  }
  made.addEventListener("click", () => jump(index));
  made.addEventListener("keydown", (event) => {
    const to = { ArrowLeft: index - 1, ArrowRight: index + 1, Enter: index, " ": index }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    jump(to);
  });
  return made;
}

function text(kind, x, y, anchor, said) {
  return svg("text", { class: kind, x, y, "text-anchor": anchor }, String(said));
}
