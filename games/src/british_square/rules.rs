//! Rules and their variants, positions, legal moves, and the test whether play can reach a
//! position.

use super::board::{Board, BoardError, Cells, cells_of};
use bsq_engine::game::Player;

/// The rules of British Square, with variants.
///
/// Players take turns placing a piece on an empty cell that is not adjacent to an opponent's piece.
/// The first move may not be on the centre cell. A player with no legal placement passes. When
/// neither player can place a piece, the game ends, and the player with more pieces wins.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// The board.
    pub board: Board,
    /// Whether the first move may be on the centre cell.
    pub center_allowed: bool,
    /// Points added to the second player's score, -[`MAX_BIAS`] to [`MAX_BIAS`].
    pub bias: i32,
    /// The number of pieces of each player, if limited, at least 1. A player who has placed all of
    /// them passes.
    pub pieces: Option<u32>,
}

/// The largest absolute bias, in points.
pub const MAX_BIAS: i32 = 64;

/// Invalid rules.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RulesError {
    /// The board is invalid.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// The bias is out of range.
    #[error("a bias of {0} is out of range; it is between -{MAX_BIAS} and {MAX_BIAS} points")]
    Bias(i32),
    /// The number of pieces is zero.
    #[error("with no pieces nobody can move; give each player at least 1")]
    NoPieces,
}

impl Rules {
    /// The published rules, on a board of the given size. The article's board is 5x5.
    pub fn standard(rows: usize, cols: usize) -> Result<Rules, BoardError> {
        Ok(Rules::of(Board::new(rows, cols)?))
    }

    /// The standard rules on a board.
    pub fn of(board: Board) -> Rules {
        Rules { board, center_allowed: false, bias: 0, pieces: None }
    }

    /// Checks the ranges of the bias and of the number of pieces.
    pub fn check(&self) -> Result<(), RulesError> {
        if self.bias.unsigned_abs() > MAX_BIAS.unsigned_abs() {
            return Err(RulesError::Bias(self.bias));
        }
        if self.pieces == Some(0) {
            return Err(RulesError::NoPieces);
        }
        Ok(())
    }

    /// The cells on which the first move is forbidden: the centre, or none.
    pub fn forbidden_opening(&self) -> Cells {
        match self.board.centre() {
            Some(centre) if !self.center_allowed => 1 << centre,
            _ => 0,
        }
    }

    /// The initial position.
    pub fn start(&self) -> Position {
        Position { pieces: [0, 0], to_move: Player::First, turn: 1 }
    }

    /// The cells on which `player` could place a piece if it were that player's turn.
    pub fn legal(&self, position: &Position, player: Player) -> Cells {
        let [own, opponent] = position.seen_by(player);
        let mut cells = self.usable(own, opponent);
        if position.turn == 1 {
            cells &= !self.forbidden_opening();
        }
        cells
    }

    /// The cells that a player with the pieces `own` may still use against the pieces `opponent`.
    /// The rule about the first move is not applied.
    #[inline]
    pub fn usable(&self, own: Cells, opponent: Cells) -> Cells {
        // Not `is_some_and`: its optimized code reads the limit even if there is none, which
        // valgrind reports as uninitialized.
        if own.count_ones() >= self.pieces.unwrap_or(u32::MAX) {
            return 0;
        }
        self.board.all() & !(own | opponent | self.board.neighbours(opponent))
    }

    /// Whether neither player can place a piece. No later move can change that.
    pub fn is_terminal(&self, position: &Position) -> bool {
        let [first, second] = position.pieces;
        self.usable(first, second) | self.usable(second, first) == 0
    }

    /// The position after a move. The move is not checked.
    pub fn play(&self, position: &Position, mv: Move) -> Position {
        let mut next = *position;
        if let Move::Place(cell) = mv {
            next.pieces[position.to_move.index()] |= 1 << cell;
        }
        next.to_move = position.to_move.other();
        next.turn += 1;
        next
    }

    /// The first player's pieces minus the second player's, minus the bias.
    pub fn score(&self, position: &Position) -> i32 {
        position.lead() - self.bias
    }

    /// The legal moves: placements in the order of cells, or a pass if there are none and the game
    /// is not over.
    pub fn moves(&self, position: &Position) -> Vec<Move> {
        let cells = self.legal(position, position.to_move);
        if cells == 0 && !self.is_terminal(position) {
            return vec![Move::Pass];
        }
        cells_of(cells).map(Move::Place).collect()
    }

    /// The position with the given pieces and player to move.
    ///
    /// Legality does not depend on the order in which pieces were placed, and a player who has
    /// passed once passes until the end. So the numbers of pieces determine how often each player
    /// has passed.
    ///
    /// # Errors
    ///
    /// [`Unreachable`] if no game leads to the position.
    pub fn position(
        &self,
        first: Cells,
        second: Cells,
        to_move: Player,
    ) -> Result<Position, Unreachable> {
        let pieces = [first, second];
        let [a, b] = pieces.map(|p| p.count_ones());
        for player in Player::BOTH {
            let placed = pieces[player.index()].count_ones();
            if let Some(limit) = self.pieces.filter(|&limit| placed > limit) {
                return Err(Unreachable::TooManyPieces { player, placed, limit });
            }
        }
        if first & second != 0 {
            return Err(Unreachable::Shared { cell: (first & second).trailing_zeros() as usize });
        }
        if let Some(cell) = lowest(first & self.board.neighbours(second)) {
            let other = lowest(second & self.board.neighbours(1 << cell)).unwrap_or(cell);
            return Err(Unreachable::Adjacent { cells: [cell, other] });
        }
        // The passes that explain the difference between the numbers of pieces.
        let passes = match to_move {
            Player::First => [b.saturating_sub(a), a.saturating_sub(b)],
            Player::Second => [(b + 1).saturating_sub(a), a.saturating_sub(b + 1)],
        };
        let turn = 1 + a + b + passes[0] + passes[1];
        let position = Position { pieces, to_move, turn };
        if a == 1 && first == self.forbidden_opening() {
            return Err(Unreachable::Centre);
        }
        for player in Player::BOTH {
            let count = passes[player.index()];
            if count > 0 && !self.could_have_passed(pieces, player) {
                return Err(Unreachable::NeedlessPass { player, passes: count, to_move });
            }
        }
        let last = to_move.other();
        if passes[last.index()] > 0 && self.is_terminal(&position) {
            return Err(Unreachable::Over { to_move });
        }
        Ok(position)
    }

    /// Whether the player can have been unable to move on the first turn with the present number of
    /// own pieces. `pieces` are those of both players now.
    pub(super) fn could_have_passed(&self, pieces: [Cells; 2], player: Player) -> bool {
        let [own, opponent] = [pieces[player.index()], pieces[player.other().index()]];
        let placed = own.count_ones();
        if self.pieces == Some(placed) {
            return true;
        }
        // The number of the opponent's pieces at that time. Some of the present pieces must have
        // left the player no cell.
        let then = placed + (player == Player::Second) as u32;
        let banned = match player {
            Player::Second if then == 1 => self.forbidden_opening(),
            _ => 0,
        };
        let denied = match player {
            Player::First if placed == 0 => self.forbidden_opening(),
            _ => 0,
        };
        self.dominated(self.board.all() & !own & !denied, opponent & !banned, then)
    }

    /// Calls `see` with each state in which one player has the pieces `set`, and the player to move
    /// is stuck with the pieces `beyond`, all cells out of reach of `set`. States after the pass are
    /// not included.
    #[inline(always)]
    pub(super) fn each_stuck(&self, set: Cells, beyond: Cells, mut see: impl FnMut(Stuck)) {
        let most = self.pieces.unwrap_or(u32::MAX);
        let (size, rest) = (set.count_ones(), beyond.count_ones());
        let to_reach = self.board.cells() as u32 - rest;
        // Saves time: at the first pass, at most `rest + 1` pieces reached all other cells.
        let is_possible = size <= rest + 1 || to_reach <= MOST_REACHED * (rest + 1);
        if size < rest || size > most || !is_possible {
            return;
        }
        let open = self.board.all() & !(set | beyond | self.board.neighbours(beyond));
        for stuck in Player::BOTH {
            let pieces = match stuck {
                Player::First => [beyond, set],
                Player::Second => [set, beyond],
            };
            // On the first pass the second player has one piece fewer than the first.
            let before = rest + stuck.index() as u32;
            let is_centre = pieces[0] == self.forbidden_opening() && pieces[0] != 0;
            if size < before || is_centre {
                continue;
            }
            // With `size == before`, this is the first pass.
            if size > before && !self.could_have_passed(pieces, stuck) {
                continue;
            }
            let turn = 2 * size + 1 - stuck.index() as u32;
            let position = Position { pieces, to_move: stuck, turn };
            see(Stuck { position, moves: if size == most { 0 } else { open } });
        }
    }

    /// Whether at most `count` of the pieces dominate the cells: each cell is within reach of one
    /// of them. Takes every piece that is the only one to reach some cell, then branches on the
    /// pieces that reach a cell within reach of few, and prunes where the pieces of the largest
    /// reach cannot suffice.
    fn dominated(&self, mut cells: Cells, mut pieces: Cells, mut count: u32) -> bool {
        let reach = |set: Cells| set | self.board.neighbours(set);
        let hardest = loop {
            if cells == 0 {
                return true;
            }
            // The cells that at least one, two and three pieces reach.
            let [mut once, mut twice, mut thrice] = [0; 3];
            for reached in self.board.shifted(pieces).into_iter().chain([pieces]) {
                thrice |= twice & reached;
                twice |= once & reached;
                once |= reached;
            }
            if cells & !once != 0 || cells.count_ones() > MOST_REACHED * count {
                return false;
            }
            let needed = pieces & reach(cells & !twice);
            if needed == 0 {
                break if cells & !thrice != 0 { cells & !thrice } else { cells };
            }
            if needed.count_ones() > count {
                return false;
            }
            count -= needed.count_ones();
            cells &= !reach(needed);
            pieces &= !needed;
        };
        // The numbers of pieces that reach 0 to 5 of the cells.
        let mut by_gain = [0_u32; MOST_REACHED as usize + 1];
        for piece in cells_of(pieces) {
            by_gain[(self.board.reach(piece) & cells).count_ones() as usize] += 1;
        }
        let (mut left, mut at_best) = (count, 0);
        for gain in (0..by_gain.len()).rev() {
            let taken = left.min(by_gain[gain]);
            (left, at_best) = (left - taken, at_best + taken * gain as u32);
        }
        if at_best < cells.count_ones() {
            return false;
        }
        let mut others = pieces;
        cells_of(pieces & self.board.reach(hardest.trailing_zeros() as usize)).any(|piece| {
            others &= !(1 << piece);
            self.dominated(cells & !self.board.reach(piece), others, count - 1)
        })
    }
}

/// The largest number of cells that a piece reaches.
const MOST_REACHED: u32 = 5;

fn lowest(cells: Cells) -> Option<usize> {
    (cells != 0).then(|| cells.trailing_zeros() as usize)
}

/// A position in which the player to move has no placement and never will.
pub(super) struct Stuck {
    /// The position.
    pub position: Position,
    /// The cells on which the other player can still place a piece; if there are none, the game is
    /// over.
    pub moves: Cells,
}

/// A position: the pieces, the player to move, and the turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// The first player's pieces and the second player's.
    pub pieces: [Cells; 2],
    /// The player to move.
    pub to_move: Player,
    /// The number of the turn, from 1: placements and passes so far, plus 1.
    pub turn: u32,
}

impl Position {
    /// The first player's pieces minus the second player's, without the bias.
    pub fn lead(&self) -> i32 {
        self.pieces[0].count_ones() as i32 - self.pieces[1].count_ones() as i32
    }

    /// The pieces of `player` and those of the opponent.
    pub fn seen_by(&self, player: Player) -> [Cells; 2] {
        [self.pieces[player.index()], self.pieces[player.other().index()]]
    }
}

/// A move. A pass is legal only if no placement is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Move {
    /// A piece is placed on the cell of this index.
    Place(usize),
    /// No piece is placed.
    Pass,
}

/// Why play cannot reach a position. Cells are indices from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreachable {
    /// Both players have a piece on one cell.
    Shared {
        /// The cell.
        cell: usize,
    },
    /// Pieces of different players are adjacent.
    Adjacent {
        /// The cells of a first player's and a second player's piece.
        cells: [usize; 2],
    },
    /// A player has placed more pieces than allowed.
    TooManyPieces {
        /// The player.
        player: Player,
        /// The number of pieces on the board.
        placed: u32,
        /// The number allowed by the rules.
        limit: u32,
    },
    /// The first player's only piece is on the centre, where the first move is forbidden.
    Centre,
    /// A player must have passed although a placement was legal.
    NeedlessPass {
        /// The player.
        player: Player,
        /// The number of passes.
        passes: u32,
        /// The player to move, as given.
        to_move: Player,
    },
    /// The game was over a turn earlier.
    Over {
        /// The player to move, as given.
        to_move: Player,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    #[test]
    fn large_boards_are_checked_quickly() {
        let rules = Rules::standard(8, 8).unwrap();
        let (first, second) = ((1 << 40) - 1, Cells::MAX << 48 & (Cells::MAX >> 1));
        let began = Instant::now();
        let judged = rules.position(first, second, Player::First);
        // Fifteen pieces cannot reach the 49 cells that are not the second player's.
        let needless = Unreachable::NeedlessPass {
            player: Player::Second,
            passes: 25,
            to_move: Player::First,
        };
        assert_eq!(judged, Err(needless));
        assert!(began.elapsed() < Duration::from_secs(5), "took {:?}", began.elapsed());
    }
}
