//! What is learned of one game, from which its positions are valued.

use super::answers::Unanswered;
use anyhow::Context;
use bsq_analyses::{Valued, Valuer, suitable_table};
use bsq_engine::monitor::Monitor;
use bsq_games::british_square::Move::{Pass, Place};
use bsq_games::british_square::count::state_bounds::states_at_most;
use bsq_games::british_square::territory::StrongSolution;
use bsq_games::british_square::{Position, Rules, TerritoryBoard, cells_of};

/// Boards of up to that many cells are valued as a whole, in less than a second.
const SMALL_BOARD: usize = 25;
/// The same for boards of a single row, where far more can be left open.
const SHORT_ROW: usize = 20;
/// Regions that a valuer may have met, some hundred bytes each, before it begins anew.
const MOST_REGIONS: usize = 1 << 20;

/// What is known of a game.
pub enum Learned {
    /// The value of whatever can be left open on a small board: each answer is a look-up.
    Everything(Box<StrongSolution>, Box<TerritoryBoard>),
    /// What earlier searches found, for later ones.
    Some(Valuer),
}

impl Learned {
    /// As much as is known before the first question.
    pub fn at_first(rules: &Rules, table_bytes: u64) -> Result<Learned, Unanswered> {
        if is_small(rules) {
            let field = TerritoryBoard::new(rules.board);
            let every = everything(field.clone(), rules)?;
            return Ok(Learned::Everything(Box::new(every), Box::new(field)));
        }
        let bytes = suitable_table(&rules.board).min(table_bytes);
        let valuer = Valuer::new(rules, Some(bytes)).map_err(Unanswered::Unsearchable)?;
        Ok(Learned::Some(valuer))
    }

    /// The value of a position and of its moves.
    pub fn value(
        &self,
        rules: &Rules,
        position: &Position,
        monitor: &Monitor,
    ) -> Result<Valued, Unanswered> {
        match self {
            Learned::Everything(every, field) => {
                let known = look_up(every, field, rules, position);
                known.context("a position is missing").map_err(Unanswered::Failed)
            }
            Learned::Some(valuer) => Ok(valuer.value(position, true, monitor)?),
        }
    }

    /// Whether there is nothing left to search.
    pub fn is_everything(&self) -> bool {
        matches!(self, Learned::Everything(..))
    }

    /// Whether it is not too much to keep; tables have a size of their own.
    pub fn is_handy(&self) -> bool {
        let solver = match self {
            Learned::Everything(..) => None,
            Learned::Some(valuer) => valuer.solver(),
        };
        solver.is_none_or(|solver| solver.regions() <= MOST_REGIONS)
    }
}

/// Whether everything about a game is soon known.
pub fn is_small(rules: &Rules) -> bool {
    let most = match rules.board.rows().min(rules.board.cols()) {
        1 => SHORT_ROW,
        _ => SMALL_BOARD,
    };
    rules.pieces.is_none() && rules.board.cells() <= most
}

/// Not to be stopped: it is soon done, and serves all who ask later.
fn everything(field: TerritoryBoard, rules: &Rules) -> Result<StrongSolution, Unanswered> {
    let root = field.territory(rules, &rules.start());
    // About eight states leave the same open; a wrong guess costs time only.
    let expected = states_at_most(&rules.board) / 8;
    Ok(StrongSolution::solve(field, root, expected, &Monitor::default())?)
}

fn look_up(
    every: &StrongSolution,
    field: &TerritoryBoard,
    rules: &Rules,
    position: &Position,
) -> Option<Valued> {
    let value = |position: &Position| {
        let open = every.value(field.territory(rules, position))?;
        Some(rules.score(position) + position.to_move.sign() * open)
    };
    let mut moves = vec![None; rules.board.cells()];
    for cell in cells_of(rules.legal(position, position.to_move)) {
        moves[cell] = Some(value(&rules.play(position, Place(cell)))?);
    }
    let sign = position.to_move.sign();
    let best = moves.iter().flatten().copied().max_by_key(|value| sign * value);
    // What is open does not say that the first move may not take the centre.
    let without_move = || match rules.is_terminal(position) {
        true => Some(rules.score(position)),
        false => value(&rules.play(position, Pass)),
    };
    Some(Valued { value: best.or_else(without_move)?, moves: Some(moves) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use bsq_games::british_square::Board;

    /// Plays a game of moves that look random, and compares all its positions.
    fn compare(rules: &Rules, seed: usize) {
        let learned = Learned::at_first(rules, 1 << 20).unwrap();
        let valuer = Valuer::new(rules, None).unwrap();
        let mut position = rules.start();
        loop {
            let found = learned.value(rules, &position, &Monitor::default()).unwrap();
            let searched = valuer.value(&position, true, &Monitor::default()).unwrap();
            assert_eq!(found, searched, "{}", rules.format_position(&position));
            let moves = rules.moves(&position);
            let turn = position.turn as usize;
            let Some(mv) = moves.get((seed + 7 * turn) % moves.len().max(1)) else { break };
            position = rules.play(&position, *mv);
        }
    }

    #[test]
    fn what_is_looked_up_is_what_is_searched() {
        for (board, seed) in
            [("1x1", 0), ("1x2", 0), ("3x3", 1), ("1x20", 3), ("25x1", 4), ("4x4", 2), ("4x5", 9)]
        {
            let board = Board::parse(board).unwrap();
            for center_allowed in [false, true] {
                let rules = Rules { board, center_allowed, bias: 0, pieces: None };
                compare(&rules, seed);
            }
        }
    }
}
