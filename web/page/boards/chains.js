// What a player of Dots-and-Boxes counts: chains, loops, and who wants how many of them.

/** @import { Answer, Fact, Scene } from "../../types/api.js" */
/** @import { Names } from "../names.js" */

import { counted, listed, sentence } from "../words.js";

/** The least number of boxes of a long chain. */
const LONG = 3;

/**
 * The chains and loops of a position by their numbers of boxes, and whether nothing else is left.
 * @typedef {{ chains: number[], loops: number[], isAll: boolean }} Components
 */

/** @param {Scene} scene @returns {Components} */
export function components({ places, rows, cols }) {
  const open = new Set(places.filter(({ shape, state }) => shape !== "cell" && state !== "taken").map(sideOf));
  /** The open sides of a box, each with the box beyond it, if there is one. @param {number} box @returns {[string, number | null][]} */
  const sides = (box) => {
    const [x, y] = [box % cols, Math.floor(box / cols)];
    /** @type {[string, boolean, number][]} */
    const all = [
      [`horizontal ${x} ${y}`, y > 0, box - cols],
      [`horizontal ${x} ${y + 1}`, y + 1 < rows, box + cols],
      [`vertical ${x} ${y}`, x > 0, box - 1],
      [`vertical ${x + 1} ${y}`, x + 1 < cols, box + 1],
    ];
    return all.filter(([side]) => open.has(side)).map(([side, isInside, other]) => [side, isInside ? other : null]);
  };
  const boxes = Array.from({ length: rows * cols }, (_, box) => ({ box, sides: sides(box) }));
  const links = new Set(boxes.filter((one) => one.sides.length === 2).map(({ box }) => box));
  const isAll = boxes.every((one) => one.sides.length === 0 || one.sides.length === 2);
  const [chains, loops, seen] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([]), new Set()];
  for (const start of links) {
    if (seen.has(start)) continue;
    const [found, queue] = [new Set([start]), [start]];
    let ends = 0;
    for (const box of queue) {
      for (const [, other] of sides(box)) {
        if (other === null || !links.has(other)) ends += 1;
        else if (!found.has(other)) {
          found.add(other);
          queue.push(other);
        }
      }
    }
    found.forEach((box) => seen.add(box));
    (ends === 0 ? loops : chains).push(found.size);
  }
  const sorted = (/** @type {number[]} */ sizes) => sizes.sort((a, b) => a - b);
  return { chains: sorted(chains), loops: sorted(loops), isAll };
}

/** @param {Scene["places"][number]} place */
const sideOf = ({ shape, x, y }) => `${shape} ${x} ${y}`;

/**
 * The score of the player who keeps control of chains and loops to the end; null if a short chain is left.
 * @param {Components} components
 */
export function controlledValue({ chains, loops }) {
  if (chains.some((size) => size < LONG) || chains.length + loops.length === 0) return null;
  const sum = (/** @type {number[]} */ sizes, /** @type {number} */ cost) =>
    sizes.reduce((total, size) => total + size - cost, 0);
  // The last chain or loop costs nothing.
  const last = chains.length === 0 ? 8 : loops.length > 0 && chains.every((size) => size === LONG) ? 6 : 4;
  return sum(chains, 4) + sum(loops, 8) + last;
}

/**
 * What there is to count, in sentences.
 * @param {Answer} answer
 * @param {Names} names
 * @param {Fact} nimber
 */
export function counts({ scene, rules, to_move: mover, is_over: isOver }, names, nimber) {
  if (isOver) return [];
  const found = components(scene);
  const [long, short] = [found.chains.filter((size) => size >= LONG), found.chains.filter((size) => size < LONG)];
  const all = [list(long, "long chain"), list(found.loops, "loop"), list(short, "short chain")].filter(Boolean);
  const value = found.isAll ? controlledValue(found) : null;
  const dots = (scene.rows + 1) * (scene.cols + 1);
  const parity = dots % 2 === 0 ? ["even", "odd"] : ["odd", "even"];
  const isStandard = rules.variant === "standard" && Number(rules.penalty ?? 0) === 0;
  return [
    all.length ? `${sentence(all.join(", "))}.` : "There are no chains and no loops yet.",
    ...(value === null ? [] : [`The controlled value is ${value}.`]),
    ...(isStandard
      ? [
          `With ${dots} dots, ${names.does("first", "want")} an ${parity[0]} number of long chains, and ` +
            `${names.of("second")} an ${parity[1]} one.`,
        ]
      : []),
    ...(nimber === null
      ? []
      : [`${nimstring(nimber)}: in nimstring, ${names.does(mover, nimber === 0 ? "lose" : "win")}.`]),
  ];
}

/** What is known of the value in nimstring. @param {Fact} nimber */
const nimstring = (nimber) => (nimber === "loony" ? "The last move was loony" : `The nimber is ${nimber}`);

/** `2 long chains of 3 and 5 boxes`. @param {number[]} sizes @param {string} noun */
function list(sizes, noun) {
  if (sizes.length === 0) return "";
  const all = listed(sizes.map(String));
  return `${counted(sizes.length, noun)} of ${all === "1" ? "1 box" : `${all} boxes`}`;
}
