// Questions to the server about rock-paper-scissors-well.

import { get } from "../api.js";
import { asker, askSteps } from "../steps.js";

// The maximum length of the principal variation.
const LONGEST = 70;
const askServer = asker("/api/rpsw");

/** Without a principal variation, which takes the server longest. */
const ask = (parameters, line = 0) => askServer({ ...parameters, line });

/** Whether the server has no database of this game. */
export async function isMissing() {
  const games = await get("/api/games");
  return games.some(({ name, missing }) => name === "rpsw" && missing !== null);
}

/** The start of the game. */
export const usualStart = () => ask({});

/** The answer after a move. */
export const after = ({ position }, move) => ask({ position, moves: move });

/** The principal variation from a position; empty if the server refuses. */
export function bestLine({ position }) {
  return ask({ position }, LONGEST).then(({ line }) => line, () => []);
}

/** Requests the steps of a game; throws the refusal of the server. */
export const steps = ({ position, moves }) => askSteps(ask, position ? { position } : {}, moves);
