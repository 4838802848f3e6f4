//! What front ends need in order to show a game: scenes for drawing, and facts about positions.

use crate::game::{Notation, Player};
use crate::score::Score;
use serde::Serialize;

/// A position as a drawing that does not depend on the display: named places on a grid.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Scene {
    /// The height of the board in units: the side of a cell or box.
    pub rows: usize,
    /// The width of the board in units.
    pub cols: usize,
    /// The places of the board, from the top left by rows.
    pub places: Vec<Place>,
}

/// A part of the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Place {
    /// The name, to which the places of moves refer.
    pub name: String,
    /// The shape.
    pub shape: Shape,
    /// The distance of its left end from the left side of the board, in units.
    pub x: usize,
    /// The distance of its upper end from the top of the board, in units.
    pub y: usize,
    /// Whether the place is free or taken.
    pub state: State,
    /// The player to whom the piece, the box or the claim belongs, if it is known.
    pub owner: Option<Player>,
    /// A letter or two to write there.
    pub symbol: Option<String>,
}

/// What can stand at a place, for setting up a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Mark {
    /// The character in the text of a position.
    pub symbol: char,
    /// The player to whom it belongs, if it belongs to one.
    pub owner: Option<Player>,
    /// The shape of the places at which it can stand.
    pub shape: Shape,
    /// The most of them on a board. Null for any number.
    pub most: Option<usize>,
}

impl Mark {
    /// A mark in cells, which may occur any number of times.
    pub fn in_cells(symbol: char, owner: Option<Player>) -> Mark {
        Mark { symbol, owner, shape: Shape::Cell, most: None }
    }
}

/// A label for a place of a drawing as text, such as the value of a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// A few characters.
    pub text: String,
    /// Whether the move is one of the best.
    pub is_best: bool,
}

/// The shape of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Shape {
    /// A square with a side of one unit.
    Cell,
    /// A horizontal line, one unit long.
    Horizontal,
    /// A vertical line, one unit long.
    Vertical,
}

/// Whether a place is free or taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum State {
    /// Free for both players.
    Empty,
    /// Free, but only the owner may play there.
    Claimed,
    /// Free, but neither player may play there.
    Blocked,
    /// A piece, a line, or a closed box.
    Taken,
}

/// The coordinate of a cell in a row and a column, both counted from 0: a letter for the column from
/// the left, a number for the row from the top. After column `z` comes `aa`.
///
/// ```
/// use bsq_engine::view::coordinate;
///
/// assert_eq!([coordinate(1, 2), coordinate(0, 26)], ["c2", "aa1"]);
/// ```
pub fn coordinate(row: usize, col: usize) -> String {
    let mut letters = Vec::new();
    let mut rest = col + 1;
    while rest > 0 {
        letters.push(char::from(b'a' + ((rest - 1) % 26) as u8));
        rest = (rest - 1) / 26;
    }
    letters.into_iter().rev().collect::<String>() + &(row + 1).to_string()
}

impl Scene {
    /// A board of cells, numbered by rows from the top left and named by their
    /// [coordinates](coordinate), each with what is there, its owner and its symbol.
    pub fn of_cells(
        rows: usize,
        cols: usize,
        at: impl Fn(usize) -> (State, Option<Player>, Option<String>),
    ) -> Scene {
        let place = |cell: usize| {
            let (x, y) = (cell % cols, cell / cols);
            let (state, owner, symbol) = at(cell);
            Place { name: coordinate(y, x), shape: Shape::Cell, x, y, state, owner, symbol }
        };
        Scene { rows, cols, places: (0..rows * cols).map(place).collect() }
    }

    /// A board of cells, each with the owner of its piece. Pieces are drawn with the letters of the
    /// players.
    pub fn of_pieces(
        rows: usize,
        cols: usize,
        letters: [&str; 2],
        owner: impl Fn(usize) -> Option<Player>,
    ) -> Scene {
        Scene::of_cells(rows, cols, |cell| match owner(cell) {
            Some(player) => (State::Taken, Some(player), Some(letters[player.index()].to_string())),
            None => (State::Empty, None, None),
        })
    }

    /// The characters at the places, with `.` where there is none, as rows from the top, separated by
    /// `/`. Horizontal lines are rows of their own.
    pub fn rows(&self, mark: impl Fn(&Place) -> Option<char>) -> String {
        let row = |place: &Place| (place.y, place.shape == Shape::Horizontal);
        let rows = self.places.chunk_by(|one, next| row(one) == row(next));
        let rows = rows.map(|row| row.iter().map(|place| mark(place).unwrap_or('.')).collect());
        rows.collect::<Vec<String>>().join("/")
    }

    /// Draws a board of cells as text: letters above the columns, the numbers of the rows as in the
    /// names of their cells, and in each cell its symbol, or `.` if it has none. Columns after the
    /// 26th have no letter. Labels of cells, if there are any, stand right of the board, with `-`
    /// for a cell that has none and a star at the best ones.
    pub fn drawing(&self, label: &dyn Fn(&str) -> Option<Label>) -> String {
        let labels: Vec<Option<Label>> =
            self.places.iter().map(|place| label(&place.name)).collect();
        let widths = labels.iter().flatten().map(|label| label.text.chars().count());
        let Some(width) = widths.max() else {
            return self.board();
        };
        let mut drawing = String::new();
        for (number, line) in self.board().lines().enumerate() {
            drawing += line;
            let row = number.checked_sub(1).and_then(|row| labels.chunks(self.cols).nth(row));
            if let Some(row) = row {
                drawing += "   ";
                for label in row {
                    let text = label.as_ref().map_or("-", |label| &label.text);
                    let is_best = label.as_ref().is_some_and(|label| label.is_best);
                    drawing += &format!(" {text:>width$}{}", if is_best { '*' } else { ' ' });
                }
                drawing.truncate(drawing.trim_end().len());
            }
            drawing.push('\n');
        }
        drawing
    }

    fn board(&self) -> String {
        let margin = self.rows.to_string().len();
        let letters: String =
            ('a'..='z').take(self.cols).flat_map(|letter| [' ', letter]).collect();
        let mut drawing = format!("{:margin$}{letters}\n", "");
        for row in 0..self.rows {
            let places: Vec<&Place> = self.places.iter().filter(|place| place.y == row).collect();
            let name = places.first().map_or("", |place| &place.name);
            let number = name.trim_start_matches(|c: char| c.is_ascii_alphabetic());
            let cells = places.iter().map(|place| place.symbol.as_deref().unwrap_or("."));
            let cells: String = cells.flat_map(|symbol| [" ", symbol]).collect();
            drawing += &format!("{number:>margin$}{cells}\n");
        }
        drawing
    }
}

/// A game whose positions can be drawn.
///
/// A game must have [`scene`](View::scene) and [`places`](View::places). It should have
/// [`marks`](View::marks), and [`mover`](View::mover) if its positions name the player to move, so
/// that positions can be set up on the page. It may have the others.
pub trait View: Notation {
    /// The position as a scene.
    fn scene(&self, position: &Self::Position) -> Scene;

    /// The places of a move of a position, in the order in which a person points at them. Empty for a
    /// move that is made without the board, such as a pass.
    fn places(&self, position: &Self::Position, mv: Self::Move) -> Vec<String>;

    /// What can stand at the places of the board. By default nothing: positions are not set up.
    fn marks(&self) -> Vec<Mark> {
        Vec::new()
    }

    /// The player to move as the last word of a position, unless the rest of the text tells.
    fn mover(&self, _: Player) -> Option<String> {
        None
    }

    /// The text of the position with those [marks](View::marks) at the places of a name, which may
    /// be invalid: the rows of the board, and the player to move.
    fn set_up(&self, mark: &dyn Fn(&str) -> Option<char>, to_move: Player) -> String {
        let rows = self.scene(&self.start()).rows(|place| mark(&place.name));
        match self.mover(to_move) {
            Some(mover) => format!("{rows} {mover}"),
            None => rows,
        }
    }

    /// The position as lines of text, with labels for the places that have one.
    fn drawing(&self, position: &Self::Position, label: &dyn Fn(&str) -> Option<Label>) -> String {
        self.scene(position).drawing(label)
    }
}

/// A fact about a position or a move besides its value: an integer, a word, or null.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Fact {
    /// Not known, or not requested.
    Unknown,
    /// A number.
    Integer(i64),
    /// A word.
    Word(&'static str),
}

impl Fact {
    /// The fact as text, if it is known.
    pub fn text(&self) -> Option<String> {
        match *self {
            Fact::Unknown => None,
            Fact::Integer(number) => Some(number.to_string()),
            Fact::Word(word) => Some(word.to_string()),
        }
    }
}

impl<T: Into<Fact>> From<Option<T>> for Fact {
    fn from(fact: Option<T>) -> Fact {
        fact.map_or(Fact::Unknown, T::into)
    }
}

impl From<u32> for Fact {
    fn from(number: u32) -> Fact {
        Fact::Integer(number.into())
    }
}

impl From<Player> for Fact {
    fn from(player: Player) -> Fact {
        Fact::Word(player.name())
    }
}

/// Facts that front ends show without knowing the game.
pub trait Facts {
    /// The facts with their names, always the same names in the same order.
    fn facts(&self) -> Vec<(&'static str, Fact)>;

    /// First player's points minus the second player's from the position on, if the facts contain
    /// this.
    fn to_come(&self) -> Option<Score> {
        None
    }
}

impl Facts for () {
    fn facts(&self) -> Vec<(&'static str, Fact)> {
        Vec::new()
    }
}
