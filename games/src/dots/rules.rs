//! What is legal, as plainly as possible.

use super::board::{Board, Boxes, Lines, lines_of};
use bsq_engine::game::{Game, Player, Value};

/// Which lines are drawn before play begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Variant {
    /// None.
    #[default]
    Standard,
    /// Those of the left side and of the bottom.
    Icelandic,
    /// Those of all four sides.
    Swedish,
}

impl Variant {
    /// All of them.
    pub const ALL: [Variant; 3] = [Variant::Standard, Variant::Icelandic, Variant::Swedish];

    /// `standard`, `icelandic` or `swedish`.
    pub fn name(self) -> &'static str {
        match self {
            Variant::Standard => "standard",
            Variant::Icelandic => "icelandic",
            Variant::Swedish => "swedish",
        }
    }

    /// The lines drawn before play begins.
    pub fn lines(self, board: &Board) -> Lines {
        match self {
            Variant::Standard => 0,
            Variant::Icelandic => board.left_and_bottom(),
            Variant::Swedish => board.border(),
        }
    }
}

/// A board, how play begins, and what the last line costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The board.
    pub board: Board,
    /// Which lines are drawn at the start.
    pub variant: Variant,
    /// Points, 0 or less, for who draws the last line of all.
    pub penalty: i32,
}

/// Lines drawn, boxes taken, and whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// The lines that are drawn.
    pub lines: Lines,
    /// The boxes that each player has taken, the first player's first. A closed box may be in
    /// neither: then nobody knows who took it.
    pub taken: [Boxes; 2],
    /// Who draws the next line.
    pub to_move: Player,
}

impl Position {
    /// A position of which no more is known than the lines: whoever took the boxes that they close.
    pub fn of_lines(lines: Lines) -> Position {
        Position { lines, taken: [0, 0], to_move: Player::First }
    }

    /// First player's boxes minus the second player's so far; none if that is not known.
    pub fn lead(&self, board: &Board) -> Option<i32> {
        let [first, second] = self.taken;
        let known = board.closed(self.lines) == first | second;
        known.then(|| first.count_ones() as i32 - second.count_ones() as i32)
    }
}

impl Rules {
    /// The usual rules: nothing drawn at the start, no penalty.
    pub fn standard(board: Board) -> Rules {
        Rules { board, variant: Variant::Standard, penalty: 0 }
    }

    /// The lowest penalty with which every value of the board fits a byte.
    pub fn least_penalty(board: &Board) -> i32 {
        board.boxes() as i32 - i32::from(i8::MAX)
    }

    /// Whether a penalty is possible on the board.
    pub fn takes_penalty(&self, penalty: i32) -> bool {
        (Rules::least_penalty(&self.board)..=0).contains(&penalty)
    }

    /// Why a text is no penalty on the board.
    pub fn no_penalty(&self, text: &str) -> String {
        let least = Rules::least_penalty(&self.board);
        format!("'{text}' is no penalty here; it can be from {least} to 0")
    }

    /// The position in which play begins.
    pub fn start(&self) -> Position {
        Position::of_lines(self.variant.lines(&self.board))
    }

    /// The boxes that a line closes.
    pub fn closes(&self, lines: Lines, line: usize) -> Boxes {
        self.board.closed_by(lines, line)
    }
}

impl Game for Rules {
    type Position = Position;
    /// A line, as [`Board::horizontal`] and [`Board::vertical`] number them.
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

    /// Boxes that nobody is known to have taken do not count. The penalty does, at the end: who is
    /// on the move then has drawn the last line.
    fn score(&self, position: &Position) -> i32 {
        let [first, second] = position.taken.map(|boxes| boxes.count_ones() as i32);
        let over = position.lines == self.board.all();
        let penalty = if over { position.to_move.sign() * self.penalty } else { 0 };
        first - second + penalty
    }

    /// None if it is not known who took a box.
    fn result(&self, position: &Position) -> Option<Value> {
        let is_over = position.lines == self.board.all();
        let is_known = is_over && position.lead(&self.board).is_some();
        is_known.then(|| Value::of_score(self.score(position).into()))
    }
}
