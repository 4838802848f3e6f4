//! The value of every position of a small board, without the reductions of the search.

use crate::dots::board::{Board, Lines, lines_of, set_of};
use bsq_engine::error::{HasKind, Kind};
use bsq_engine::monitor::{Monitor, SolveError};

/// The number of positions between two checks for cancellation.
const POSITIONS_AT_A_TIME: usize = 1 << 16;

/// The values of all positions of a board, one byte for each set of lines, without a penalty for
/// the last line.
///
/// Moves only add lines, so positions are valued in descending order of their sets.
///
/// ```
/// use bsq_games::dots::Board;
/// use bsq_games::dots::search::Every;
/// use bsq_engine::monitor::Monitor;
///
/// let board = Board::new(2, 2).unwrap();
/// let every = Every::new(board, &Monitor::default()).unwrap();
/// assert_eq!(every.value(0), 2); // the first player gets 3 boxes of 4
/// assert_eq!(every.score(0, board.vertical(0, 1)), 0); // a tie of 2 to 2 after an inner line
/// ```
#[derive(Clone, Debug)]
pub struct Every {
    board: Board,
    around: Vec<Around>,
    values: Vec<i8>,
}

/// The other sides of each box beside a line. A line along the border has one box. Its second entry
/// is the line itself, so that an open line never closes a second box.
#[derive(Clone, Copy, Debug)]
struct Around([Lines; 2]);

impl Around {
    fn new(board: &Board, line: usize) -> Around {
        let own = 1 << line;
        let mut boxes = lines_of(board.beside(line)).map(|cell| board.sides(cell) & !own);
        Around([boxes.next().unwrap_or(own), boxes.next().unwrap_or(own)])
    }

    /// The number of boxes that the line closes if it is open.
    #[inline]
    fn closes(self, drawn: Lines) -> i8 {
        self.0.map(|others| i8::from(others & !drawn == 0)).iter().sum()
    }
}

/// Why the positions of a board cannot be valued.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EveryError {
    /// The board has too many positions.
    #[error(
        "a board of {board} boxes has {lines} lines; every position is valued on boards of up to {most} lines, such as 3x3",
        lines = .0.lines(), board = .0, most = Every::MOST_LINES
    )]
    TooLarge(Board),
    /// The caller cancelled, or memory is insufficient.
    #[error(transparent)]
    Solve(#[from] SolveError),
}

impl HasKind for EveryError {
    fn kind(&self) -> Kind {
        match self {
            EveryError::Solve(error) => error.kind(),
            _ => Kind::Usage,
        }
    }
}

impl Every {
    /// The largest number of lines of a board: 16 MiB of values.
    pub const MOST_LINES: usize = 24;

    /// Values every position of a board with at most [`Every::MOST_LINES`] lines.
    pub fn new(board: Board, monitor: &Monitor) -> Result<Every, EveryError> {
        if board.lines() > Every::MOST_LINES {
            return Err(EveryError::TooLarge(board));
        }
        let positions = 1 << board.lines();
        monitor.allow(positions as u64)?;
        let mut values = Vec::new();
        values
            .try_reserve_exact(positions)
            .map_err(|_| SolveError::NoRoom { positions: positions as u64 })?;
        values.resize(positions, 0);
        let around = (0..board.lines()).map(|line| Around::new(&board, line)).collect();
        let mut every = Every { board, around, values };
        monitor.begin("positions", positions as u64);
        for drawn in (0..positions as Lines - 1).rev() {
            let moves = lines_of(board.all() & !drawn);
            let best = moves.map(|line| every.byte(drawn, line)).max().unwrap_or(0);
            every.values[drawn as usize] = best;
            if (drawn as usize).is_multiple_of(POSITIONS_AT_A_TIME) {
                monitor.check()?;
                monitor.advance(POSITIONS_AT_A_TIME as u64);
            }
        }
        Ok(every)
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The value of a position: the net score of the player to move.
    pub fn value(&self, drawn: Lines) -> i32 {
        self.values[(drawn & self.board.all()) as usize].into()
    }

    /// The score of an open line, for the player who draws it.
    pub fn score(&self, drawn: Lines, line: usize) -> i32 {
        self.byte(drawn & self.board.all(), line).into()
    }

    /// The open lines with the best score.
    pub fn perfect(&self, drawn: Lines) -> Lines {
        let value = self.value(drawn);
        let open = lines_of(self.board.all() & !drawn);
        set_of(open.filter(|&line| self.score(drawn, line) == value))
    }

    /// The number of boxes that an open line closes, 0 to 2.
    pub fn closes(&self, drawn: Lines, line: usize) -> i32 {
        self.around[line].closes(drawn).into()
    }

    #[inline]
    fn byte(&self, drawn: Lines, line: usize) -> i8 {
        let rest = self.values[(drawn | 1 << line) as usize];
        match self.around[line].closes(drawn) {
            0 => -rest,
            closed => closed + rest,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;

    #[test]
    fn boxes_are_closed_as_the_rules_say() {
        for (rows, cols) in [(1, 1), (1, 3), (2, 2)] {
            let board = Board::new(rows, cols).unwrap();
            let every = Every::new(board, &Monitor::default()).unwrap();
            for drawn in 0..board.all() {
                for line in lines_of(board.all() & !drawn) {
                    let closed = board.closed(drawn | 1 << line) & !board.closed(drawn);
                    assert_eq!(every.closes(drawn, line), closed.count_ones() as i32);
                }
            }
        }
    }

    #[test]
    fn large_boards_are_refused_and_the_caller_can_cancel() {
        let board = Board::new(2, 5).unwrap();
        let error = Every::new(board, &Monitor::default()).unwrap_err();
        assert_eq!(error, EveryError::TooLarge(board));
        assert!(error.to_string().contains("2x5 boxes has 27 lines"), "{error}");
        let stop = AtomicBool::new(true);
        let monitor = Monitor { stop: Some(&stop), ..Monitor::default() };
        let stopped = Every::new(Board::new(3, 3).unwrap(), &monitor).map(drop);
        assert_eq!(stopped, Err(SolveError::Stopped.into()));
    }
}
