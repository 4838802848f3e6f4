// The games with a board module. Others are drawn from their scene alone.

import * as britishSquare from "./british-square.js";
import * as dots from "./dots.js";
import * as mnk from "./mnk.js";
import * as rpsw from "./rpsw.js";

const BOARDS = { "british-square": britishSquare, dots, mnk, rpsw };

/** What a module may export, with the default:
 *  `piece(place)`: the drawing of a piece in a square of 100;
 *  `corner(index)`: a text in the corner of a cell;
 *  `noun(place)`: the name of a piece for screen readers;
 *  `tally(scene)`: the points so far as text;
 *  `claims`: whether players claim places;
 *  `typed`: an example of an opponent given as text;
 *  `home`: whether the first and last rows belong to the players, and the board can be turned;
 *  `starts`: buttons for other starts, each with a function from the usual start;
 *  `rules(rules)`: sentences about the rules;
 *  `terms`: terms of the glossary in the rules of the game;
 *  `hasPoints`: whether values are points;
 *  `intro`: the game in two sentences; `example`: `rules`, `moves` and what to `say` about the position;
 *  `lesson`: a guided game, see `lesson.js`;
 *  `reason(choice, moves)`: why a best move is good, as a clause;
 *  `reasons`: the same by the name of a heuristic that prefers it;
 *  `fault(choice)`: what is wrong with a mistake, as a sentence after a space, or nothing. */
export const boardOf = (game) => BOARDS[game] ?? {};
