//! Positions as scenes, and drawings as text: dots with letters and numbers at the margins, lines
//! and owners of boxes.

use super::board::{Board, set_of};
use super::grid::{Element, Owner, Sketch, element, grid, letter};
use super::notation::{dot_name, line_name};
use super::rules::{Position, Rules};
use bsq_engine::game::Player;
use bsq_engine::view::{Label, Mark, Place, Scene, Shape, State, View};
use std::ops::Range;

/// The width of a terminal, in characters.
const WIDTH: usize = 80;
/// The longest label, in characters.
const LONGEST: usize = 5;

impl View for Rules {
    /// The dots are at the corners of the boxes. A box is named after the dot at its upper left.
    fn scene(&self, position: &Position) -> Scene {
        let (rows, cols) = grid(self.board.rectangle());
        let sketch = self.board.sketch(position);
        let place = |row: usize, col: usize| {
            let (name, shape, state, owner) = match element(row, col) {
                Element::Dot => return None,
                Element::Line { vertical, row, col } => {
                    let drawn = sketch.has(vertical, row, col);
                    let state = if drawn { State::Taken } else { State::Empty };
                    let shape = if vertical { Shape::Vertical } else { Shape::Horizontal };
                    (line_name(vertical, row, col), shape, state, None)
                }
                Element::Box { row, col } => {
                    let (state, owner) = match sketch.owner(row, col) {
                        Owner::Unclosed => (State::Empty, None),
                        Owner::Unknown => (State::Taken, None),
                        Owner::Known(player) => (State::Taken, Some(player)),
                    };
                    (dot_name(row, col), Shape::Cell, state, owner)
                }
            };
            let symbol = owner.map(|owner| letter(owner).to_string());
            Some(Place { name, shape, x: col / 2, y: row / 2, state, owner, symbol })
        };
        let places = (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col)));
        let places = places.filter_map(|(row, col)| place(row, col));
        let (rows, cols) = (self.board.rows(), self.board.cols());
        Scene { rows, cols, places: places.collect() }
    }

    fn places(&self, _: &Position, line: usize) -> Vec<String> {
        vec![self.board.line_name(line)]
    }

    fn marks(&self) -> Vec<Mark> {
        let owners = Player::BOTH.map(|player| Mark::in_cells(letter(player), Some(player)));
        let lines = [('-', Shape::Horizontal), ('|', Shape::Vertical)];
        let lines = lines.map(|(symbol, shape)| Mark { shape, ..Mark::in_cells(symbol, None) });
        [&owners[..], &[Mark::in_cells('?', None)], &lines].concat()
    }

    fn mover(&self, player: Player) -> Option<String> {
        Some(letter(player).to_string())
    }

    /// Boxes that are not closed have no marks.
    fn set_up(&self, mark: &dyn Fn(&str) -> Option<char>, to_move: Player) -> String {
        let is_drawn = |&line: &usize| mark(&self.board.line_name(line)).is_some();
        let lines = set_of((0..self.board.lines()).filter(is_drawn));
        let position = Position { lines, ..self.start() };
        let rows = self.scene(&position).rows(|place| match place.state {
            State::Empty => None,
            _ => mark(&place.name).or(Some('?')),
        });
        format!("{rows} {}", letter(to_move))
    }

    fn drawing(&self, position: &Position, label: &dyn Fn(&str) -> Option<Label>) -> String {
        self.board.labelled(position, |line| Some(label(&self.board.line_name(line))?.text))
    }
}

impl Board {
    /// Draws a position: letters above the columns of dots, numbers left of their rows, and in a
    /// closed box `A`, `B` or, if its owner is unknown, `?`. At most 66 characters wide.
    ///
    /// ```
    /// use bsq_games::dots::parse_position;
    ///
    /// let (board, position) = parse_position("-./|A|../-. A").unwrap();
    /// let drawn = "  a  b  c\n1 +--+  +\n  | A|\n2 +--+  +\n";
    /// assert_eq!(board.drawing(&position), drawn);
    /// ```
    pub fn drawing(&self, position: &Position) -> String {
        self.labelled(position, |_| None)
    }

    /// Draws a position with labels on open lines, of which the first 5 characters are shown.
    /// Labels of more than 2 characters move the dots apart. A board that does not fit in 80
    /// characters is drawn in several parts, one below the other, which share the dots at the cut.
    pub fn labelled(&self, position: &Position, label: impl Fn(usize) -> Option<String>) -> String {
        let shown = |line: usize| {
            let open = position.lines >> line & 1 == 0;
            let label = if open { label(line) } else { None };
            label.unwrap_or_default().chars().take(LONGEST).collect()
        };
        let labels: Vec<Vec<char>> = (0..self.lines()).map(shown).collect();
        let gap = labels.iter().map(Vec::len).max().unwrap_or(0).max(2);
        let picture = Picture { board: self, sketch: self.sketch(position), labels, gap };
        // Besides the columns: the margin, the last dot, and half of a label on it.
        let most = (WIDTH - picture.margin() - 1 - gap / 2) / (gap + 1);
        let parts = self.cols().div_ceil(most);
        let each = self.cols().div_ceil(parts);
        let part = |part: usize| picture.columns(part * each..self.cols().min((part + 1) * each));
        (0..parts).map(part).collect::<Vec<String>>().join("\n")
    }
}

/// A drawing.
struct Picture<'a> {
    board: &'a Board,
    sketch: Sketch,
    /// The label of each line.
    labels: Vec<Vec<char>>,
    /// Characters between two dots.
    gap: usize,
}

impl Picture<'_> {
    /// The column of the first dot: after the longest number and a blank.
    fn margin(&self) -> usize {
        (self.board.rows() + 1).to_string().len() + 1
    }

    /// Draws a range of columns of boxes, with the dots on both sides.
    fn columns(&self, cols: Range<usize>) -> String {
        let at = |col: usize| self.margin() + (col - cols.start) * (self.gap + 1);
        let mut header = Text::default();
        for col in cols.start..=cols.end {
            header.put(at(col), &[char::from(b'a' + col as u8)]);
        }
        let mut drawn = header.ended();
        for row in 0..grid(self.sketch.size).0 {
            let mut text = Text::default();
            if row % 2 == 0 {
                let number = format!("{:>1$}", row / 2 + 1, self.margin() - 1);
                text.put(0, &number.chars().collect::<Vec<char>>());
            }
            for col in 2 * cols.start..=2 * cols.end {
                self.put(&mut text, element(row, col), at(col / 2));
            }
            drawn += &text.ended();
        }
        drawn
    }

    /// Draws an element into a row. `at` is the column of its dot, or of the dot left of or above
    /// it.
    fn put(&self, text: &mut Text, place: Element, at: usize) {
        let middle = |length: usize| at + 1 + (self.gap - length).div_ceil(2);
        match place {
            Element::Dot => text.put(at, &['+']),
            Element::Line { vertical, row, col } if self.sketch.has(vertical, row, col) => {
                if vertical {
                    text.put(at, &['|']);
                } else {
                    text.put(at + 1, &vec!['-'; self.gap]);
                }
            }
            Element::Line { vertical, row, col } => {
                // An open line is in play.
                let line = self.board.line_at(vertical, row, col);
                let label = line.map_or(&[][..], |line| &self.labels[line]);
                text.put(if vertical { at - label.len() / 2 } else { middle(label.len()) }, label);
            }
            Element::Box { row, col } => match self.sketch.owner(row, col) {
                Owner::Known(player) => text.put(middle(1), &[letter(player)]),
                Owner::Unknown => text.put(middle(1), &['?']),
                Owner::Unclosed => {}
            },
        }
    }
}

/// A row of characters, blank by default.
#[derive(Default)]
struct Text(Vec<char>);

impl Text {
    fn put(&mut self, at: usize, what: &[char]) {
        let end = at + what.len();
        if self.0.len() < end {
            self.0.resize(end, ' ');
        }
        self.0[at..end].copy_from_slice(what);
    }

    /// The row without trailing blanks, with a line feed.
    fn ended(self) -> String {
        self.0.into_iter().collect::<String>().trim_end().to_string() + "\n"
    }
}

#[cfg(test)]
mod tests;
