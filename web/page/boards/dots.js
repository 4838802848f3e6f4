// Dots-and-Boxes: the boxes of each player.

export function tally({ places }) {
  const count = (player) => places.filter(({ shape, state, owner }) =>
    shape === "cell" && state === "taken" && owner === player).length;
  const unknown = count(null);
  return `A ${count("first")} : ${count("second")} B${unknown ? `, ${unknown} unknown` : ""}`;
}
