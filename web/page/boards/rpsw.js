// Rock-paper-scissors-well: pieces whose ground tells the player, and whose drawing and letter tell
// the kind.

/** @import { Answer, Rules } from "../../types/api.js" */
/** @import { Piece } from "./index.js" */

import { token } from "../pieces.js";
import { svg } from "../vendor/lit-html/lit-html.js";
import { listed } from "../words.js";

/** @type {Record<string, "rock" | "paper" | "scissors" | "well">} */
const KINDS = { r: "rock", p: "paper", s: "scissors", w: "well" };
/** @param {string} d */
const stroke = (d) => svg`<path class="drawn" d=${d} />`;
/** @param {string} d */
const filled = (d) => svg`<path class="filled" d=${d} />`;
/** @param {string} d */
const crease = (d) => svg`<path class="crease" d=${d} />`;
/** @param {number} cx @param {number} cy */
const eye = (cx, cy) => svg`<circle class="drawn" cx=${cx} cy=${cy} r="7.5" />`;

const DRAWINGS = {
  rock: () => [
    filled("M29 61 31 45 44 31 59 33 71 47 70 62 60 70 38 70Z"),
    crease("M44 31 49 47 71 47M49 47 40 60 29 61M40 60 60 70"),
  ],
  paper: () => [filled("M35 26H56L67 37V74H35Z"), crease("M55 26V38H67M41 48H61M41 56H61M41 64H54")],
  scissors: () => [stroke("M41 59 62 27M59 59 38 27"), eye(37, 66), eye(63, 66)],
  well: () => [
    filled("M26 43 50 25 74 43Z"),
    stroke("M34 43V58M66 43V58M50 43V53"),
    filled("M29 57H71V73H29Z"),
    crease("M29 65H71M43 57V65M57 65V73"),
  ],
};

/** @param {string} letter */
const kindOf = (letter) => KINDS[letter.toLowerCase()];

/** @param {Piece} piece */
export const noun = ({ symbol }) => kindOf(symbol);

/** @param {Piece} piece */
export const piece = (piece) => svg`
  <g class="of-${piece.owner}">
    ${piece.owner && token(piece.owner)} ${DRAWINGS[noun(piece)]()}
    <circle class="tag" cx="20" cy="20" r="13"/>
    <text class="letter" x="20" y="26" text-anchor="middle">${piece.symbol.toUpperCase()}</text>
  </g>`;

export const home = true;

export const starts = { "Shuffled start": shuffled };

/** Shuffles the pieces of each home row. @param {string} position */
function shuffled(position) {
  const [board, mover] = position.split(" ");
  const rows = board.split("/");
  for (const row of [0, rows.length - 1]) rows[row] = mixed([...rows[row]]).join("");
  return `${rows.join("/")} ${mover}`;
}

/** @param {string[]} letters */
function mixed(letters) {
  for (let last = letters.length - 1; last > 0; last -= 1) {
    const other = Math.floor(Math.random() * (last + 1));
    [letters[last], letters[other]] = [letters[other], letters[last]];
  }
  return letters;
}

/** What each kind captures, from text such as `R:S,P:RW`, and which pieces there are if not all. @param {Rules} rules */
export function rules({ board, pieces, takes }) {
  const pairs = (takes ?? "").split(",").map((pair) => pair.split(":"));
  const count = Math.min(Number(pieces) || pairs.length, Number(board?.split("x")[1]) || pairs.length);
  const begun = pairs.slice(0, count).map(([kind]) => kindOf(kind));
  const captures = pairs.map(([kind, taken]) =>
    `The ${kindOf(kind)} captures ${taken ? listed([...taken].map(kindOf)) : "nothing"}.`.replace(
      "scissors captures",
      "scissors capture",
    ),
  );
  const each = listed(begun.map((name) => (name === "scissors" ? name : `a ${name}`)));
  return [...(count < pairs.length ? [`Here, each player begins with ${each}.`] : []), ...captures];
}

/** The place of a piece that reached the home row of its opponent. @param {Answer} answer */
export function winning({ scene: { places, rows } }) {
  const goal = { first: 0, second: rows - 1 };
  return places
    .filter(({ owner, state, y }) => owner && state === "taken" && y === goal[owner])
    .map(({ name }) => name);
}

/** A board whose values are known within a second. */
export const usual = { board: "4x3", pieces: "3" };
export const minutes = 3;
export const prompt = "Choose a piece to move.";
export const intro =
  "Pieces move like a chess king and capture what they beat. Reach the opponent’s home row or capture every piece to win.";
export const example = {
  rules: { board: "4x3", pieces: "2" },
  moves: ["b1a2", "a4a3", "a2a3"],
  say: "The paper has captured the rock on a3 and is one step from the home row.",
};

/** Best play of two pieces on each side. */
export const lesson = {
  rules: { board: "4x3", pieces: "2" },
  steps: [
    {
      say: "You have a rock and a paper, at the bottom. Pieces move one square in any direction. Click the paper on b1, then a2.",
      move: "b1a2",
      replies: ["a4a3"],
    },
    { say: "The rock came to a3. Paper captures rock: click a2, then a3.", move: "a2a3", replies: ["b4a4"] },
    { say: "The opponent’s home row is open: click a3, then b4.", move: "a3b4" },
  ],
  end: "You reached the home row after five moves of both players: you win.",
};
