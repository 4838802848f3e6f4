//! States, counted by the search of the strong solution, which visits each of them once.
//!
//! It takes rules and positions on boards of up to
//! [`MAX_SOLVED_CELLS`](crate::british_square::MAX_SOLVED_CELLS) cells.

use super::census::StateCounts;
use crate::british_square::{BritishSquare, Cells, Position};
use bsq_engine::monitor::{Monitor, SolveError};
use bsq_engine::strong::Visitor;

/// Counts the states that play reaches from the position in which the game
/// [begins](BritishSquare::begun_in).
///
/// # Errors
///
/// [`SolveError::Stopped`] if the monitor stops the search, and an error if it takes more memory than
/// the monitor allows or than there is.
///
/// ```
/// use bsq_engine::monitor::Monitor;
/// use bsq_games::british_square::{BritishSquare, Move, Rules};
/// use bsq_games::british_square::count::depth_first::count_states;
///
/// let rules = Rules::standard(3, 4).unwrap();
/// let corner = rules.play(&rules.start(), Move::Place(0));
/// let game = BritishSquare::new(rules).unwrap();
/// assert_eq!(count_states(&game, &Monitor::default()).unwrap().states(), 1_167);
/// let below = count_states(&game.begun_in(corner), &Monitor::default()).unwrap();
/// assert_eq!((below.states(), below.levels[0].states()), (907, 0));
/// ```
pub fn count_states(game: &BritishSquare, monitor: &Monitor) -> Result<StateCounts, SolveError> {
    Ok(game.solve_visiting(StateCounts::default(), monitor)?.1)
}

impl Visitor<Position> for StateCounts {
    fn fresh(&self) -> StateCounts {
        StateCounts::default()
    }

    fn visit(&mut self, position: &Position, moves: Cells, values: &[i8]) {
        if values.is_empty() {
            self.add_terminals(position.turn, position.lead(), 1);
        } else {
            self.add(position.turn, moves.count_ones(), 1);
        }
    }

    fn absorb(&mut self, other: StateCounts) {
        StateCounts::absorb(self, &other);
    }
}
