// British Square: crosses and rings, and numbers of tiles.

import { cross, ring } from "../pieces.js";

export const piece = ({ owner }) => (owner === "first" ? cross() : ring());
export const corner = (index) => String(index + 1);
export const claims = true;
export const typed = "most claim, most free-difference";

export function tally({ places }) {
  const count = (player) => places.filter(({ owner, state }) => owner === player && state === "taken").length;
  return `X ${count("first")} : ${count("second")} O`;
}
