// The types of answers, as the server describes them.

import type { components } from "./schema.js";

type Schemas = components["schemas"];

export type Info = Schemas["ServedGame"];
export type RuleOption = Schemas["OptionAnswer"];
export type Agent = Schemas["AgentInfo"];
export type Mark = Schemas["Mark"];
export type Player = Schemas["Player"];
export type Score = Schemas["Score"];
export type Value = Schemas["ValueAnswer"];
export type Move = Schemas["MoveAnswer"];
export type Answer = Schemas["Answer"];
export type Scene = Schemas["Scene"];
export type Place = Schemas["Place"];
export type Shape = Schemas["Shape"];
export type Fact = Schemas["Fact"];
export type Cost = Schemas["Cost"];
export type Chosen = Schemas["Chosen"];
export type FoundPuzzle = Schemas["Puzzle"];
export type Loaded = Schemas["Loaded"];
export type Variation = Schemas["Variation"];
export type ErrorAnswer = Schemas["Error"];

/** What is known about the value of a position or of a move. */
export type Known = Pick<Move, "value" | "to_come">;

/** The options of the rules that are set, by parameter. */
export type Rules = Record<string, string | null>;
