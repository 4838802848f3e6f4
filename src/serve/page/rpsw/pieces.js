// The pieces as pictures: the shape tells the player, the drawing and the letter the kind.

import { svg } from "../svg.js";

const stroke = (d) => svg("path", { class: "drawn", d });
const filled = (d) => svg("path", { class: "filled", d });
const ring = (cx, cy, r) => svg("circle", { class: "drawn", cx, cy, r });

const DRAWINGS = {
  rock: () => [filled("M29 61 31 45 44 31 59 33 71 47 70 62 60 70 38 70Z"),
    svg("path", { class: "crease", d: "M44 31 49 47 71 47M49 47 40 60 29 61M40 60 60 70" })],
  paper: () => [filled("M35 26H56L67 37V74H35Z"),
    svg("path", { class: "crease", d: "M55 26V38H67M41 48H61M41 56H61M41 64H54" })],
  scissors: () => [stroke("M41 59 62 27M59 59 38 27"), ring(37, 66, 7.5), ring(63, 66, 7.5)],
  well: () => [filled("M26 43 50 25 74 43Z"), stroke("M34 43V58M66 43V58M50 43V53"),
    filled("M29 57H71V73H29Z"), svg("path", { class: "crease", d: "M29 65H71M43 57V65M57 65V73" })],
};

/** The ground that a player's pieces have. */
export function token(player) {
  return player === "first"
    ? svg("circle", { class: "token first", cx: 50, cy: 50, r: 42 })
    : svg("rect", { class: "token second", x: 9, y: 9, width: 82, height: 82, rx: 15 });
}

/** A piece in a square of 100. */
export function piece({ player, kind }) {
  const letter = svg("text", { class: "letter", x: 15, y: 20.5, "text-anchor": "middle" },
    kind[0].toUpperCase());
  const tag = svg("circle", { class: "tag", cx: 15, cy: 15, r: 13 });
  return svg("g", { class: `of-${player}` }, token(player), ...DRAWINGS[kind](), tag, letter);
}
