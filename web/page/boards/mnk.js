// m,n,k games: crosses and rings.

import { cross, ring } from "../pieces.js";

export const piece = ({ owner }) => (owner === "first" ? cross() : ring());
