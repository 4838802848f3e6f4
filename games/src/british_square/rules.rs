//! What is legal: the rules and their variants, positions, moves, and what play can reach.

use super::board::{Board, BoardError, Cells, cells_of};
use bsq_engine::game::Player;

/// The rules of one game of British Square, variants included.
///
/// Players take turns placing a piece on an empty cell that shares no side with an opponent's
/// piece. The first player may not open on the centre cell. Who cannot place passes; when
/// neither can, the game is over.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// Where the game is played.
    pub board: Board,
    /// Whether the first move may take the centre cell.
    pub center_allowed: bool,
    /// Points given to the second player.
    pub bias: i32,
    /// How many pieces each player has; who has placed them all passes.
    pub pieces: Option<u32>,
}

/// The largest bias, either way.
pub const MAX_BIAS: i32 = 64;

/// Why no game can be played by such rules.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RulesError {
    /// The board is none.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// The bias is out of range.
    #[error("a bias of {0} is out of range; it is between -{MAX_BIAS} and {MAX_BIAS} points")]
    Bias(i32),
    /// Nobody could place anything.
    #[error("with no pieces nobody can move; give each player at least 1")]
    NoPieces,
}

impl Rules {
    /// The published rules on a board of that size; on 5x5 they are the article's.
    pub fn standard(rows: usize, cols: usize) -> Result<Rules, BoardError> {
        Ok(Rules { board: Board::new(rows, cols)?, center_allowed: false, bias: 0, pieces: None })
    }

    /// Checks what the types leave open.
    pub fn check(&self) -> Result<(), RulesError> {
        if self.bias.unsigned_abs() > MAX_BIAS.unsigned_abs() {
            return Err(RulesError::Bias(self.bias));
        }
        if self.pieces == Some(0) {
            return Err(RulesError::NoPieces);
        }
        Ok(())
    }

    /// The cells that the first move may not take: the centre, or nothing.
    pub fn forbidden_opening(&self) -> Cells {
        match self.board.centre() {
            Some(centre) if !self.center_allowed => 1 << centre,
            _ => 0,
        }
    }

    /// The position in which play begins.
    pub fn start(&self) -> Position {
        Position { pieces: [0, 0], to_move: Player::First, turn: 1 }
    }

    /// The cells that a player could place on if it were that player's turn.
    pub fn legal(&self, position: &Position, player: Player) -> Cells {
        let [own, opponent] = position.seen_by(player);
        let mut cells = self.usable(own, opponent);
        if position.turn == 1 {
            cells &= !self.forbidden_opening();
        }
        cells
    }

    /// The cells that a player with these pieces may still use against those of the opponent,
    /// the rule about the opening apart.
    #[inline]
    pub fn usable(&self, own: Cells, opponent: Cells) -> Cells {
        // Not `is_some_and`: optimized, it compared with the limit before it asked for one, and
        // valgrind complained of what no rule had written.
        if own.count_ones() >= self.pieces.unwrap_or(u32::MAX) {
            return 0;
        }
        self.board.all() & !(own | opponent | self.board.neighbours(opponent))
    }

    /// Whether neither player can place a piece, now or later.
    pub fn is_terminal(&self, position: &Position) -> bool {
        let [first, second] = position.pieces;
        self.usable(first, second) | self.usable(second, first) == 0
    }

    /// The position after a move, legal or not.
    pub fn play(&self, position: &Position, mv: Move) -> Position {
        let mut next = *position;
        if let Move::Place(cell) = mv {
            next.pieces[position.to_move.index()] |= 1 << cell;
        }
        next.to_move = position.to_move.other();
        next.turn += 1;
        next
    }

    /// First player's pieces minus the second's, less the bias.
    pub fn score(&self, position: &Position) -> i32 {
        position.lead() - self.bias
    }

    /// The legal moves: tiles in order, a pass where there is none but the game goes on.
    pub fn moves(&self, position: &Position) -> Vec<Move> {
        let cells = self.legal(position, position.to_move);
        if cells == 0 && !self.is_terminal(position) {
            return vec![Move::Pass];
        }
        cells_of(cells).map(Move::Place).collect()
    }

    /// The position with these pieces and this player to move, if play can reach it.
    ///
    /// The order in which pieces were placed never matters for what is legal, so it is
    /// enough to look at who is ahead: a player who moved more often than taking turns
    /// allows has an opponent who had to pass, and who passes once passes for good.
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
        // How often each would have moved by now if nobody had passed.
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
            if count > 0 && !self.could_have_passed(&position, player) {
                return Err(Unreachable::NeedlessPass { player, passes: count, to_move });
            }
        }
        let last = to_move.other();
        if passes[last.index()] > 0 && self.is_terminal(&position) {
            return Err(Unreachable::Over { to_move });
        }
        Ok(position)
    }

    /// Whether the player, with the pieces now on the board, can have been unable to move
    /// when it was first that player's turn with them.
    fn could_have_passed(&self, position: &Position, player: Player) -> bool {
        let [own, opponent] = position.seen_by(player);
        let placed = own.count_ones();
        if self.pieces == Some(placed) {
            return true;
        }
        // The opponent's pieces at that time: as many as the player had, one more against the
        // second player, and among them some that left the player nothing.
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

    /// Whether at most `count` of the pieces reach every one of the cells. Tries the cell that
    /// is hardest to reach, and stops where even the best pieces together reach too few.
    fn dominated(&self, cells: Cells, pieces: Cells, count: u32) -> bool {
        let reachable = |piece: usize| self.board.reach(piece) & cells;
        let reaching = |cell: usize| self.board.reach(cell) & pieces;
        let Some(hardest) = cells_of(cells).min_by_key(|&cell| reaching(cell).count_ones()) else {
            return true;
        };
        let mut gains: Vec<u32> = cells_of(pieces).map(|p| reachable(p).count_ones()).collect();
        gains.sort_unstable_by_key(|&gain| std::cmp::Reverse(gain));
        let at_best: u32 = gains.iter().take(count as usize).sum();
        at_best >= cells.count_ones()
            && cells_of(reaching(hardest))
                .any(|piece| self.dominated(cells & !reachable(piece), pieces, count - 1))
    }
}

fn lowest(cells: Cells) -> Option<usize> {
    (cells != 0).then(|| cells.trailing_zeros() as usize)
}

/// Pieces, whose turn it is, and which turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// The first player's pieces, then the second's.
    pub pieces: [Cells; 2],
    /// Whose turn it is.
    pub to_move: Player,
    /// The number of this turn, from 1: moves and passes so far, plus one.
    pub turn: u32,
}

impl Position {
    /// First player's pieces minus second player's, without the bias.
    pub fn lead(&self) -> i32 {
        self.pieces[0].count_ones() as i32 - self.pieces[1].count_ones() as i32
    }

    /// The player's own pieces, then the opponent's.
    pub fn seen_by(&self, player: Player) -> [Cells; 2] {
        [self.pieces[player.index()], self.pieces[player.other().index()]]
    }
}

/// A move: a cell, or a pass, which is legal only where no cell is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Move {
    /// A piece on the cell of this index.
    Place(usize),
    /// No piece.
    Pass,
}

/// Why no game leads to a position. Cells are indices from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreachable {
    /// Both players on one cell.
    Shared {
        /// The cell.
        cell: usize,
    },
    /// Pieces of different players side by side.
    Adjacent {
        /// A first player's and a second player's piece.
        cells: [usize; 2],
    },
    /// More pieces than the player has.
    TooManyPieces {
        /// Whose pieces.
        player: Player,
        /// On the board.
        placed: u32,
        /// Allowed by the rules.
        limit: u32,
    },
    /// The first player's only piece stands on the centre.
    Centre,
    /// A player would have passed although a move was legal.
    NeedlessPass {
        /// Who would have passed.
        player: Player,
        /// How often.
        passes: u32,
        /// Whose turn it is said to be.
        to_move: Player,
    },
    /// Neither player can move, and the game ended a turn earlier.
    Over {
        /// Whose turn it is said to be.
        to_move: Player,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    #[test]
    fn large_boards_are_judged_at_once() {
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
