//! The rules of Dots-and-Boxes.

use super::board::{Board, Boxes, Lines, lines_of};
use super::penalty::Penalty;
use bsq_engine::game::{Game, Measure, Player, Remaining, Value};

/// A variant: the lines that are drawn at the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Variant {
    /// No line is drawn.
    #[default]
    Standard,
    /// The lines along the left side and the bottom are drawn.
    Icelandic,
    /// The lines along all four sides are drawn.
    Swedish,
}

impl Variant {
    /// All variants.
    pub const ALL: [Variant; 3] = [Variant::Standard, Variant::Icelandic, Variant::Swedish];

    /// The names of all variants.
    pub const NAMES: [&'static str; 3] = ["standard", "icelandic", "swedish"];

    /// `standard`, `icelandic` or `swedish`.
    pub fn name(self) -> &'static str {
        Variant::NAMES[self as usize]
    }

    /// The lines that are drawn at the start.
    pub fn lines(self, board: &Board) -> Lines {
        match self {
            Variant::Standard => 0,
            Variant::Icelandic => board.left_and_bottom(),
            Variant::Swedish => board.border(),
        }
    }
}

/// A board, a variant and a penalty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The board.
    pub board: Board,
    /// The lines that are drawn at the start.
    pub variant: Variant,
    /// Points for the player who draws the last line.
    pub penalty: Penalty,
}

/// A position: the drawn lines, the owners of boxes and the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// The drawn lines.
    pub lines: Lines,
    /// The boxes of the first and of the second player. A closed box may be in neither set: then
    /// its owner is unknown.
    pub taken: [Boxes; 2],
    /// The player to move.
    pub to_move: Player,
}

impl Position {
    /// A position with these lines, the owners of boxes unknown, the first player to move.
    pub fn of_lines(lines: Lines) -> Position {
        Position { lines, taken: [0, 0], to_move: Player::First }
    }

    /// First player's boxes minus the second player's so far; `None` if an owner is unknown.
    pub fn lead(&self, board: &Board) -> Option<i32> {
        let [first, second] = self.taken;
        let known = board.closed(self.lines) == first | second && board.taken_before()[2] == 0;
        known.then(|| self.known_lead(board))
    }

    /// The lead, boxes of unknown owner left out.
    fn known_lead(&self, board: &Board) -> i32 {
        let [first, second] = self.taken.map(|boxes| boxes.count_ones() as i32);
        let [before, other, _] = board.taken_before().map(|boxes| boxes as i32);
        first + before - second - other
    }
}

impl Rules {
    /// The standard rules: no line drawn at the start, no penalty.
    pub fn standard(board: Board) -> Rules {
        Rules { board, variant: Variant::Standard, penalty: Penalty::ZERO }
    }

    /// The highest penalty in whole points with which every value of the board fits in a byte. The
    /// lowest one is its negative.
    pub fn most_penalty(board: &Board) -> i32 {
        i32::from(i8::MAX) - board.boxes() as i32
    }

    /// The start of the game.
    pub fn start(&self) -> Position {
        Position::of_lines(self.variant.lines(&self.board))
    }

    /// The penalty at the end of the game: none if a player has drawn no line, because the variant
    /// draws all of them.
    fn charged(&self) -> Penalty {
        if self.draws_every_line() { Penalty::ZERO } else { self.penalty }
    }

    /// Whether the variant draws every line, so that there is no move at all.
    pub(super) fn draws_every_line(&self) -> bool {
        self.board.is_whole() && self.variant.lines(&self.board) == self.board.all()
    }

    /// The boxes that an open line closes if these lines are drawn.
    pub fn closes(&self, lines: Lines, line: usize) -> Boxes {
        self.board.closed_by(lines, line)
    }
}

impl Game for Rules {
    type Position = Position;
    /// A line, numbered as by [`Board::horizontal`] and [`Board::vertical`].
    type Move = usize;

    fn start(&self) -> Position {
        Rules::start(self)
    }

    fn to_move(&self, position: &Position) -> Player {
        position.to_move
    }

    fn moves(&self, position: &Position) -> Vec<usize> {
        lines_of(self.board.all() & !position.lines).collect()
    }

    fn play(&self, position: &Position, line: usize) -> Position {
        let mut next = *position;
        let closed = self.closes(position.lines, line);
        next.lines |= 1 << line;
        next.taken[position.to_move.index()] |= closed;
        if closed == 0 {
            next.to_move = position.to_move.other();
        }
        next
    }

    /// Boxes of unknown owner do not count. The penalty, rounded down, counts at the end, when the
    /// player to move has drawn the last line.
    fn score(&self, position: &Position) -> i32 {
        let over = position.lines == self.board.all();
        let penalty = if over { position.to_move.sign() * self.charged().floor() } else { 0 };
        position.known_lead(&self.board) + penalty
    }

    /// `None` too if the owner of a box is unknown.
    fn result(&self, position: &Position) -> Option<Value> {
        if position.lines != self.board.all() {
            return None;
        }
        let lead = position.lead(&self.board)?;
        let penalty = match position.to_move {
            Player::First => self.charged().score(),
            Player::Second => -self.charged().score(),
        };
        Some(Value::of_score(penalty + lead))
    }

    fn images(&self, position: &Position) -> Vec<Position> {
        Rules::images(self, position)
    }

    fn orbit_size(&self, position: &Position) -> u64 {
        Rules::orbit_size(self, position)
    }

    fn canonical(&self, position: &Position) -> Position {
        Rules::canonical(self, position)
    }

    /// The lines, whoever took the boxes, with the first player to move.
    fn reduced(&self, position: &Position) -> Position {
        Position::of_lines(position.lines)
    }

    fn measure(&self) -> Measure {
        if self.penalty.is_whole() { Measure::Points } else { Measure::Fractions }
    }

    /// `None` if the penalty is not an integer.
    fn remaining(&self, position: &Position) -> Option<Remaining> {
        let penalty = self.penalty.score().to_integer()?.abs();
        let open = self.board.all() & !position.lines;
        let boxes =
            self.board.boxes() as i32 - self.board.closed(position.lines).count_ones() as i32;
        let most = if open == 0 { 0 } else { boxes + penalty };
        let plies = open.count_ones();
        Some(Remaining { plies, lower: -most, upper: most })
    }
}
