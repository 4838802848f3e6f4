// Questions to the server about Dots-and-Boxes.

import { asker, askSteps } from "../steps.js";

const ask = asker("/api/dots");
const askBoard = (parameters) => ask({ ...parameters, values: false });

/** The answer with values; the server may refuse. */
export const scored = ({ position, rules }) => ask({ position, penalty: rules.penalty });

/** The answer after a move, without values. */
export const after = ({ position, rules }, move) =>
  askBoard({ position, penalty: rules.penalty, moves: move });

/** Requests the steps of a game; throws the refusal of the server. */
export const steps = ({ start, moves }) => askSteps(askBoard, start, moves);
