// Questions to the server about Dots-and-Boxes.

import { asker, askSteps } from "../steps.js";

const ask = asker("/api/dots");
const askBoard = (parameters) => ask({ ...parameters, values: false });

/** What a position and its moves are worth; the server may refuse. */
export const scored = ({ position, rules }) => ask({ position, penalty: rules.penalty });

/** What the board is after a move. */
export const after = ({ position, rules }, move) =>
  askBoard({ position, penalty: rules.penalty, moves: move });

/** The steps of a game; fails with the server's sentence. */
export const steps = ({ start, moves }) => askSteps(askBoard, start, moves);
