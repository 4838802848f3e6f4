//! The value of any position, on any board: by territory, or by a search of all states where
//! the rules are not about territory alone.

use crate::PassError;
use bsq_engine::monitor::{Monitor, SolveError};
use bsq_engine::strong;
use bsq_engine::table::Bounds;
use bsq_games::british_square::territory::{SearchRequest, Solver};
use bsq_games::british_square::{
    Board, BritishSquare, Move, Position, Rules, TerritoryBoard, permute,
};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// Values positions of one game.
pub struct Valuer {
    rules: Rules,
    way: Way,
}

/// How values are found.
enum Way {
    /// By what is still open to whom; for boards of up to 64 cells.
    Territory(Box<Solver>),
    /// By all states below a position. A limit on pieces makes more of a position count than
    /// what is open.
    States(Box<BritishSquare>),
}

/// The value of a position, and of its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Valued {
    /// The score under perfect play.
    pub value: i32,
    /// For each cell the score after moving there, where that is legal; none if not asked for.
    pub moves: Option<Vec<Option<i32>>>,
}

impl Valuer {
    /// A valuer with a table of about that many bytes; as many as suit the board if none are
    /// given. Fails where the rules make no game, or one that is too large to search.
    pub fn new(rules: &Rules, table_bytes: Option<u64>) -> Result<Valuer, PassError> {
        let game = || BritishSquare::new(rules.clone());
        let way = match rules.pieces {
            Some(_) => Way::States(Box::new(game()?)),
            None => {
                rules.check().map_err(bsq_games::british_square::TooLarge::Rules)?;
                let bytes = table_bytes.unwrap_or_else(|| suitable_table(&rules.board));
                Way::Territory(Box::new(Solver::new(TerritoryBoard::new(rules.board), bytes)?))
            }
        };
        Ok(Valuer { rules: rules.clone(), way })
    }

    /// The same, with all that it has learned, under other rules of the same board and without
    /// a limit on pieces.
    pub fn under(self, rules: Rules) -> Valuer {
        assert!(rules.board == self.rules.board && rules.pieces.is_none(), "the same board");
        Valuer { rules, ..self }
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The solver, if values are found by territory.
    pub fn solver(&self) -> Option<&Solver> {
        match &self.way {
            Way::Territory(solver) => Some(solver),
            Way::States(_) => None,
        }
    }

    /// The value of a position, and of each of its moves if asked for.
    pub fn value(
        &self,
        position: &Position,
        with_moves: bool,
        monitor: &Monitor,
    ) -> Result<Valued, SolveError> {
        match &self.way {
            Way::Territory(solver) => {
                monitor.begin("positions", 0);
                let by_territory = ByTerritory { rules: &self.rules, solver, monitor };
                let value = by_territory.value(position, ANY_SCORE, self.rules.score(position))?;
                let moves = with_moves.then(|| by_territory.moves(position, value)).transpose()?;
                Ok(Valued { value, moves })
            }
            Way::States(game) => {
                let solved = strong::solve(game.as_ref(), &game.node(position), monitor)?;
                let moves = with_moves
                    .then(|| crate::british_square::openings::move_values(game, &solved, position));
                Ok(Valued { value: solved.value() - self.rules.bias, moves })
            }
        }
    }
}

/// Bytes of a table that holds most of what a search from the start of the game finds.
pub fn suitable_table(board: &Board) -> u64 {
    const MOST: u64 = 4 << 30;
    let bytes = 64.0 * (board.cells() as f64 / 2.0).exp2(); // at least a line
    (bytes as u64).min(MOST)
}

struct ByTerritory<'a> {
    rules: &'a Rules,
    solver: &'a Solver,
    monitor: &'a Monitor<'a>,
}

impl ByTerritory<'_> {
    fn value(&self, position: &Position, known: Bounds, guess: i32) -> Result<i32, SolveError> {
        let (rules, sign) = (self.rules, position.to_move.sign());
        if rules.moves(position) == [Move::Pass] {
            return self.value(&rules.play(position, Move::Pass), known, guess);
        }
        // From the score of the first player to the points that the mover still makes.
        let score = rules.score(position);
        let to_come = |value: i32| sign * (value - score);
        let (one, two) = (to_come(known.lower), to_come(known.upper));
        let request = SearchRequest {
            allowed: rules.legal(position, position.to_move),
            known: Bounds { lower: one.min(two), upper: one.max(two) },
            guess: to_come(guess),
            ..SearchRequest::new(self.solver.board().territory(rules, position))
        };
        Ok(score + sign * self.solver.value(&request, self.monitor)?)
    }

    /// The score after each move. Moves that are each other's images are valued once.
    fn moves(&self, position: &Position, value: i32) -> Result<Vec<Option<i32>>, SolveError> {
        let (rules, player) = (self.rules, position.to_move);
        let alike: Vec<Vec<usize>> = rules.board.symmetries();
        let alike: Vec<&Vec<usize>> = alike
            .iter()
            .filter(|turn| position.pieces.iter().all(|&pieces| permute(pieces, turn) == pieces))
            .collect();
        // No move is better than the value of the position, and none worse than waiting, which
        // where both players may use the same cells is worth the opposite.
        let legal = rules.legal(position, player);
        let open = self.solver.board().territory(rules, position);
        let waiting = 2 * rules.score(position) - value;
        let waiting = match open.own == open.other && legal == open.own {
            true => waiting,
            false => -player.sign() * MOST,
        };
        let known = Bounds { lower: value.min(waiting), upper: value.max(waiting) };
        let mut values: HashMap<usize, i32> = HashMap::new();
        let mut moves = vec![None; rules.board.cells()];
        for (cell, found) in moves.iter_mut().enumerate().filter(|(cell, _)| legal >> cell & 1 == 1)
        {
            let first = alike.iter().map(|turn| turn[cell]).min().unwrap_or(cell);
            *found = Some(match values.entry(first) {
                Entry::Occupied(valued) => *valued.get(),
                Entry::Vacant(unknown) => {
                    let after = rules.play(position, Move::Place(first));
                    *unknown.insert(self.value(&after, known, value)?)
                }
            });
        }
        Ok(moves)
    }
}

/// More than any score.
const MOST: i32 = 256;

/// Nothing known of a score.
const ANY_SCORE: Bounds = Bounds { lower: -MOST, upper: MOST };
