// The graph of the value of the positions played: points, or who wins in games without points.

/** @import { Answer, Known } from "../../types/api.js" */
/** @import { Names } from "../names.js" */
/** @import { Seen } from "./seen.js" */
/** @import { TemplateResult } from "../vendor/lit-html/lit-html.js" */

import { goTo } from "../moves.js";
import { html, nothing, svg } from "../vendor/lit-html/lit-html.js";
import { favours, flaw, number, phrase, scoreOf, signed, winnerOf } from "../words.js";

const HEIGHT = 190;
const EDGE = { left: 40, right: 12, top: 20, bottom: 40 };
/** The least width in which a graph can be read. */
const NARROW = 240;

/**
 * @typedef {object} Scale
 * @property {number} width
 * @property {number} least the lowest value that is shown
 * @property {number} most the highest one
 * @property {number} across the distance of two positions
 * @property {(index: number) => number} x
 * @property {(value: number) => number} y
 */

/** @param {Seen} seen @param {number} room the width in pixels that there is */
export function graph(seen, room) {
  const { game, valued } = seen;
  const heights = valued.map(heightOf);
  const values = heights.filter((value) => value !== null);
  const width = Math.max(room, NARROW);
  const most = Math.max(1, ...values) + 0.5;
  const least = Math.min(-1, ...values) - 0.5;
  const across = (width - EDGE.left - EDGE.right) / Math.max(game.last, 8);
  /** @type {Scale} */
  const scale = {
    width,
    least,
    most,
    across,
    x: (index) => EDGE.left + index * across,
    y: (value) => EDGE.top + ((most - value) / (most - least)) * (HEIGHT - EDGE.top - EDGE.bottom),
  };
  return html`<svg
    viewBox="0 0 ${width} ${HEIGHT}"
    .style=${`height: ${HEIGHT}px`}
    role="group"
    aria-label="Value of each position"
  >
    ${rules(scale)} ${axes(scale, seen, values.length > 0)} ${steps(heights, scale)}
    ${heights.map((height, index) => point(seen, height, index, scale))}
  </svg>`;
}

/** @param {Answer | null} known */
function heightOf(known) {
  if (!known?.value) return null;
  if (known.value.score !== null) return number(known.value.score);
  const who = favours(known);
  return who === "first" ? 1 : who === "second" ? -1 : 0;
}

/** The integers from one number to another. @param {number} least @param {number} most */
const whole = (least, most) =>
  Array.from({ length: Math.floor(most) - Math.ceil(least) + 1 }, (_, i) => Math.ceil(least) + i);

/** @param {Scale} scale */
const rules = ({ y, width, most, least }) =>
  whole(least, most).map(
    (value) =>
      svg`<line class=${value === 0 ? "zero" : "rule"} x1=${EDGE.left} x2=${width - EDGE.right} y1=${y(value)} y2=${y(value)} />`,
  );

/** @param {Scale} scale @param {Seen} seen @param {boolean} isKnown */
function axes({ x, y, width, most, least, across }, { game, names, valued }, isKnown) {
  const isScored = valued.some((known) => known?.value && scoreOf(known) !== null);
  const step = most - least > 24 ? 10 : most - least > 12 ? 5 : most - least > 7 ? 2 : 1;
  const known = valued.flatMap((answer) => (answer ? [answer.value, ...answer.moves.map(({ value }) => value)] : []));
  const even = known.find((value) => value && !winnerOf(value))?.outcome ?? "";
  const named = isScored ? signed : (/** @type {number} */ value) => (value === 0 ? even : "");
  const every = across < 6 ? 20 : across < 9 ? 10 : across < 18 ? 5 : 2;
  const levels = isKnown ? whole(least, most).filter((value) => value % step === 0) : [];
  // The word `move` takes the place of the first numbers.
  const moves = whole(0, Math.max(game.last, 8)).filter((move) => x(move) > EDGE.left + 40 && move % every === 0);
  return [
    text("end-label first", width - EDGE.right, 12, "end", names.does("first", "win")),
    text("end-label second", width - EDGE.right, HEIGHT - EDGE.bottom + 16, "end", names.does("second", "win")),
    text("axis", EDGE.left, HEIGHT - 4, "start", "move"),
    ...levels.map((value) => text("axis", EDGE.left - 12, y(value) + 4, "end", named(value))),
    ...moves.map((move) => text("axis", x(move), HEIGHT - 4, "middle", move)),
  ];
}

/** Each value lasts until the next move; where one is not known, the line has a gap. @param {(number | null)[]} heights @param {Scale} scale */
function steps(heights, { x, y }) {
  const path = heights.map((value, index) => {
    if (value === null) return "";
    return (heights[index - 1] ?? null) === null ? `M${x(index)} ${y(value)}` : `H${x(index)}V${y(value)}`;
  });
  return path.some(Boolean) ? svg`<path class="steps" d=${path.join("")} />` : nothing;
}

/**
 * A position to which a click goes. An unknown value is a question mark at the lower edge.
 * @param {Seen} seen
 * @param {number | null} height
 * @param {number} index
 * @param {Scale} scale
 */
function point({ state, game, made, names, valued }, height, index, { x, y, across }) {
  const [known, move] = [valued[index], made[index - 1]];
  const [left, top] = [x(index), height === null ? HEIGHT - EDGE.bottom - 8 : y(height)];
  const wrong = flaw(move?.choice);
  const isCurrent = index === game.at;
  const label = (move?.label ?? "The start") + worth(known, Boolean(move?.choice), names);
  const classes = ["point", isCurrent && "current", wrong && "flaw", move?.mover].filter(Boolean).join(" ");
  /** @param {KeyboardEvent} event */
  const key = (event) => {
    const to = { ArrowLeft: index - 1, ArrowRight: index + 1, Enter: index, " ": index }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    goTo(state, to);
    const graph = /** @type {SVGElement} */ (event.currentTarget).ownerSVGElement;
    /** @type {SVGElement | null | undefined} */ (graph?.querySelector(".current"))?.focus();
  };
  return svg`<g class=${classes} role="button" tabindex=${isCurrent ? 0 : -1} aria-label=${label} data-at=${index}
    aria-current=${isCurrent ? "step" : nothing} @click=${() => goTo(state, index)} @keydown=${key}>
    <title>${label}</title>
    <rect class="area" x=${left - across / 2} y=${EDGE.top - 8} width=${across} height=${HEIGHT - EDGE.top - EDGE.bottom + 16} />
    ${dot(height, wrong, left, top)}
    ${isCurrent ? svg`<circle class="ring" cx=${left} cy=${top} r="9" />` : nothing}
  </g>`;
}

/** What the label of a position adds to that of its move. @param {Known | null} known @param {boolean} isSaid @param {Names} names */
function worth(known, isSaid, names) {
  if (!known) return ", value not known";
  return isSaid ? "" : `, ${phrase(known, names)}`;
}

/** @param {number | null} height @param {string} wrong @param {number} left @param {number} top */
function dot(height, wrong, left, top) {
  if (height === null) return text("unknown", left, top + 4, "middle", "?");
  if (wrong) return svg`<path class="dot" d="M${left} ${top - 6.5}l6.5 6.5l-6.5 6.5l-6.5 -6.5z" />`;
  return svg`<circle class="dot" cx=${left} cy=${top} r="3.5" />`;
}

/** @param {string} kind @param {number} x @param {number} y @param {"start" | "middle" | "end"} anchor @param {string | number} said @returns {TemplateResult} */
const text = (kind, x, y, anchor, said) => svg`<text class=${kind} x=${x} y=${y} text-anchor=${anchor}>${said}</text>`;
