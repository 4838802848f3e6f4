//! Boards: lines between neighbouring dots, and the boxes that they enclose.

use super::bitboard::has;
use super::grid::Sketch;
use super::notation;
use super::rules::Position;
use crate::rectangle;
use crate::rectangle::Rectangle;
use std::ops::Deref;

pub use crate::rectangle::bits_of as lines_of;

/// A set of lines, one bit for each line in play: first those along the top from left to right, then
/// the vertical lines of the first row of boxes, then the lines below it, and so on.
pub type Lines = u64;

/// A set of boxes, one bit for each box in play, by rows from the top left.
pub type Boxes = u64;

/// The largest number of lines in play.
pub const MOST_LINES: usize = 64;
/// The largest number of boxes in play.
pub const MOST_BOXES: usize = 63;
/// The largest number of rows and of columns of a board of which only a part is in play.
const MOST_SIDE: usize = 10;

/// A board of rows x columns of boxes with at most 64 lines in play.
///
/// On a board of up to 64 lines, such as 5x5, all of them are. On a larger one, of up to 10x10
/// boxes, those of a position are that are open. The others are drawn before the game begins, and
/// boxes that they close are taken. Lines and boxes that are not in play have no numbers.
///
/// ```
/// use bsq_games::dots::{Board, parse_position};
/// let board = Board::new(5, 5).unwrap();
/// assert_eq!((board.lines(), board.boxes()), (60, 25));
/// assert!(Board::new(5, 6).is_err()); // 71 lines
///
/// // All horizontal lines are drawn, and no vertical ones.
/// let rows = "------/............./".repeat(5) + "------";
/// let (board, _) = parse_position(&rows).unwrap();
/// assert_eq!((board.lines(), board.boxes()), (35, 30));
/// assert_eq!(board.to_string(), format!("5x6:{rows}"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    size: Rectangle,
    /// `None` if all of the board is in play.
    part: Option<Part>,
}

/// The part of a board that is in play, by sets of [places](Board::place).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Part {
    /// Horizontal and vertical lines in play.
    lines: [u128; 2],
    /// Boxes in play.
    boxes: u128,
    /// Other boxes that the first player has, and the second. Those of unknown owner are in neither
    /// set.
    taken: [u128; 2],
}

/// The numbers of lines and boxes, as the functions of [`Board`] with the same names give them. Not
/// inlined, because most boards are in play as a whole.
impl Part {
    #[inline(never)]
    fn line_at(&self, board: &Board, vertical: bool, row: usize, col: usize) -> Option<usize> {
        let place = board.place(row, col);
        // The lines of each kind before it.
        let (row, next) = (board.place(row, 0), board.place(row + 1, 0));
        let before = if vertical { [next, place] } else { [place, row] };
        let count = |(lines, before): (u128, usize)| (lines & below(before)).count_ones() as usize;
        let number = self.lines.into_iter().zip(before).map(count).sum();
        has(self.lines[usize::from(vertical)], place).then_some(number)
    }

    #[inline(never)]
    fn box_at(&self, place: usize) -> Option<usize> {
        has(self.boxes, place).then(|| (self.boxes & below(place)).count_ones() as usize)
    }

    #[inline(never)]
    fn box_place(&self, board: &Board, cell: usize) -> (usize, usize) {
        let place = lines_of(self.boxes).nth(cell).expect("the box is in play");
        (place / (board.cols() + 1), place % (board.cols() + 1))
    }

    #[inline(never)]
    fn locate(&self, board: &Board, line: usize) -> (bool, usize, usize) {
        let mut before = line;
        for row in 0..=board.rows() {
            for vertical in [false, true] {
                let in_row = below(board.place(row + 1, 0)) & !below(board.place(row, 0));
                let in_row = self.lines[usize::from(vertical)] & in_row;
                match lines_of(in_row).nth(before) {
                    Some(place) => return (vertical, row, place - board.place(row, 0)),
                    None => before -= in_row.count_ones() as usize,
                }
            }
        }
        panic!("line {line} is not in play")
    }
}

/// Why a board is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
    /// The text is not of the form `ROWSxCOLS`.
    #[error("'{0}' is not a board; write rows x columns of boxes, such as 3x5")]
    Malformed(String),
    /// The rows of the position are invalid.
    #[error("{0}")]
    Rows(String),
    /// The rows are those of a board of another size than that before them.
    #[error("'{0}' is not the size of these rows; they are {1}")]
    OtherSize(String, Rectangle),
    /// The board has no boxes.
    #[error("a board has at least one row and one column of boxes")]
    Empty,
    /// The board has more than [`MOST_LINES`] lines, and no position says which are drawn, or more
    /// than 10 rows or columns.
    #[error(
        "a board of {rows}x{cols} boxes has {lines} lines; at most 64 are possible{}",
        if rows.max(cols) > &MOST_SIDE {
            ", or 10x10 boxes of which at most 64 lines are open"
        } else {
            "; give a position with at most 64 open lines instead"
        }
    )]
    TooLarge {
        /// Rows of boxes.
        rows: usize,
        /// Columns of boxes.
        cols: usize,
        /// The number of lines.
        lines: u128,
    },
    /// More than [`MOST_LINES`] lines are open.
    #[error("{0} lines are open, and at most {MOST_LINES} can be; draw at least {more} more", more = *.0 as usize - MOST_LINES)]
    TooManyOpen(u32),
    /// More than [`MOST_BOXES`] boxes are open.
    #[error(
        "{0} boxes are not closed, and on a board of more than 64 lines at most {MOST_BOXES} can be"
    )]
    TooManyBoxes(u32),
}

impl Board {
    /// Creates a board of at most [`MOST_LINES`] lines, all of which are in play.
    pub fn new(rows: usize, cols: usize) -> Result<Board, BoardError> {
        let size = Board::size(rows, cols)?;
        let board = Board::whole(size);
        if !board.is_small() {
            let lines = board.all_lines() as u128;
            return Err(BoardError::TooLarge { rows, cols, lines });
        }
        Ok(board)
    }

    /// The size of a board that may be large if only a part is in play.
    pub(super) fn size(rows: usize, cols: usize) -> Result<Rectangle, BoardError> {
        if rows == 0 || cols == 0 {
            return Err(BoardError::Empty);
        }
        let (r, c) = (rows as u128, cols as u128);
        let lines = r.saturating_mul(c).saturating_mul(2).saturating_add(r + c);
        if lines > MOST_LINES as u128 && rows.max(cols) > MOST_SIDE {
            return Err(BoardError::TooLarge { rows, cols, lines });
        }
        Ok(Rectangle::new(rows, cols))
    }

    /// The board of a size with all lines in play, however many they are.
    pub(super) fn whole(size: Rectangle) -> Board {
        Board { size, part: None }
    }

    /// The board of a position: all of it is in play if it has at most [`MOST_LINES`] lines,
    /// otherwise what is open.
    pub(super) fn of(sketch: &Sketch) -> Result<Board, BoardError> {
        let whole = Board::whole(sketch.size);
        if whole.is_small() { Ok(whole) } else { Board::open_part(sketch) }
    }

    /// The board of which the open lines of a position are in play.
    pub(super) fn open_part(sketch: &Sketch) -> Result<Board, BoardError> {
        let whole = Board::whole(sketch.size);
        let lines = [0, 1].map(|kind| whole.line_places(kind == 1) & !sketch.drawn[kind]);
        let open = lines.iter().map(|lines| lines.count_ones()).sum::<u32>();
        if open as usize > MOST_LINES {
            return Err(BoardError::TooManyOpen(open));
        }
        let boxes = whole.box_places() & !sketch.closed();
        if boxes.count_ones() as usize > MOST_BOXES {
            return Err(BoardError::TooManyBoxes(boxes.count_ones()));
        }
        Ok(Board { part: Some(Part { lines, boxes, taken: sketch.taken }), ..whole })
    }

    /// Parses `ROWSxCOLS`, such as `3x5`, or the rows of a position whose open lines are in play, with
    /// or without the size and a colon before them.
    ///
    /// ```
    /// use bsq_games::dots::Board;
    /// let board = Board::parse("-./|?|../-.").unwrap();
    /// assert_eq!((board.to_string().as_str(), board.lines()), ("1x2:-./|?|../-.", 3));
    /// ```
    pub fn parse(text: &str) -> Result<Board, BoardError> {
        let (size, rows) = match text.split_once(':') {
            Some((size, rows)) => (Some(size), rows),
            None => (None, text),
        };
        if !rows.contains('/') {
            return rectangle::parse(text, Board::new, BoardError::Malformed);
        }
        let sketch = notation::parse_rows(rows);
        let sketch = sketch.map_err(|error| BoardError::Rows(error.to_string()))?;
        match size {
            Some(size) if size != sketch.size.to_string() => {
                Err(BoardError::OtherSize(size.to_string(), sketch.size))
            }
            _ => Board::open_part(&sketch),
        }
    }

    /// The size.
    pub fn rectangle(&self) -> Rectangle {
        self.size
    }

    /// Whether all lines are in play.
    pub fn is_whole(&self) -> bool {
        self.part.is_none()
    }

    /// The number of lines in play.
    pub fn lines(&self) -> usize {
        match self.part {
            None => self.all_lines(),
            Some(part) => part.lines.iter().map(|lines| lines.count_ones() as usize).sum(),
        }
    }

    /// Whether the board has at most [`MOST_LINES`] lines, in play or not, so that words of 64 bits are
    /// enough for its [bitboard](super::Bitboard).
    pub fn is_small(&self) -> bool {
        self.all_lines() <= MOST_LINES
    }

    /// The number of lines, whether in play or not.
    pub(super) fn all_lines(&self) -> usize {
        2 * self.size.cells() + self.rows() + self.cols()
    }

    /// The number of boxes in play.
    pub fn boxes(&self) -> usize {
        self.part.map_or(self.size.cells(), |part| part.boxes.count_ones() as usize)
    }

    /// The set of all lines in play.
    pub fn all(&self) -> Lines {
        first_bits(self.lines())
    }

    /// The set of all boxes in play.
    pub fn all_boxes(&self) -> Boxes {
        first_bits(self.boxes())
    }

    /// The lines that are drawn before the game begins, and the boxes that are taken.
    pub(super) fn before(&self) -> Sketch {
        let mut sketch = Sketch::new(self.size);
        if let Some(Part { lines, taken, .. }) = self.part {
            let drawn = |vertical| self.line_places(vertical) & !lines[usize::from(vertical)];
            sketch.drawn = [false, true].map(drawn);
            sketch.taken = taken;
        }
        sketch
    }

    /// The boxes that are not in play, by owner; the last number is of those of unknown owner.
    pub(super) fn taken_before(&self) -> [u32; 3] {
        let Some(Part { boxes, taken, .. }) = self.part else { return [0; 3] };
        let [first, second] = taken.map(u128::count_ones);
        [first, second, self.size.cells() as u32 - boxes.count_ones() - first - second]
    }

    /// The number of a dot, counted by rows: the place of the line right of it, of the line below it,
    /// and of the box between them.
    fn place(&self, row: usize, col: usize) -> usize {
        row * (self.cols() + 1) + col
    }

    /// The places of all horizontal or vertical lines.
    fn line_places(&self, vertical: bool) -> u128 {
        let (rows, cols) = (self.rows(), self.cols());
        let (rows, cols) = if vertical { (rows, cols + 1) } else { (rows + 1, cols) };
        self.places(rows, cols)
    }

    /// The places of all boxes.
    fn box_places(&self) -> u128 {
        self.places(self.rows(), self.cols())
    }

    fn places(&self, rows: usize, cols: usize) -> u128 {
        let places = (0..rows).flat_map(|row| (0..cols).map(move |col| self.place(row, col)));
        places.fold(0, |set, place| set | 1 << place)
    }

    /// The number of the line right of a dot, or below it, if it is in play.
    #[inline]
    pub(super) fn line_at(&self, vertical: bool, row: usize, col: usize) -> Option<usize> {
        match &self.part {
            None => Some(row * self.stride() + if vertical { self.cols() } else { 0 } + col),
            Some(part) => part.line_at(self, vertical, row, col),
        }
    }

    /// The number of a box, if it is in play.
    #[inline]
    pub(super) fn box_at(&self, row: usize, col: usize) -> Option<usize> {
        match &self.part {
            None => Some(row * self.cols() + col),
            Some(part) => part.box_at(self.place(row, col)),
        }
    }

    /// The row and the column of a box in play.
    #[inline]
    pub(super) fn box_place(&self, cell: usize) -> (usize, usize) {
        match &self.part {
            None => (cell / self.cols(), cell % self.cols()),
            Some(part) => part.box_place(self, cell),
        }
    }

    /// The line above a box; in row `rows()`, the line below the last row. It must be in play.
    pub fn horizontal(&self, row: usize, col: usize) -> usize {
        debug_assert!(row <= self.rows() && col < self.cols());
        self.line_at(false, row, col).expect("the line is in play")
    }

    /// The line left of a box; in column `cols()`, the line right of the last column. It must be in
    /// play.
    pub fn vertical(&self, row: usize, col: usize) -> usize {
        debug_assert!(row < self.rows() && col <= self.cols());
        self.line_at(true, row, col).expect("the line is in play")
    }

    /// The number of lines from one row of dots to the next.
    fn stride(&self) -> usize {
        2 * self.cols() + 1
    }

    /// Whether a line is vertical, and its row and column as in [`horizontal`](Self::horizontal)
    /// and [`vertical`](Self::vertical).
    #[inline]
    pub fn locate(&self, line: usize) -> (bool, usize, usize) {
        if let Some(part) = &self.part {
            return part.locate(self, line);
        }
        let (row, rest) = (line / self.stride(), line % self.stride());
        match rest.checked_sub(self.cols()) {
            Some(col) => (true, row, col),
            None => (false, row, rest),
        }
    }

    /// The lines around a box that are in play: four if all lines are.
    pub fn sides(&self, cell: usize) -> Lines {
        let (row, col) = self.box_place(cell);
        let horizontal = [row, row + 1].map(|row| self.line_at(false, row, col));
        let vertical = [col, col + 1].map(|col| self.line_at(true, row, col));
        set_of(horizontal.into_iter().chain(vertical).flatten())
    }

    /// The boxes of which a line is a side: one for a line along the border, otherwise two.
    pub fn beside(&self, line: usize) -> Boxes {
        let (vertical, row, col) = self.locate(line);
        let within = |at: usize, of: usize| at.saturating_sub(1)..(at + 1).min(of);
        let cell = |row, col| self.box_at(row, col).expect("it has an open side");
        if vertical {
            set_of(within(col, self.cols()).map(|col| cell(row, col)))
        } else {
            set_of(within(row, self.rows()).map(|row| cell(row, col)))
        }
    }

    /// The boxes that are closed if these lines are drawn.
    pub fn closed(&self, lines: Lines) -> Boxes {
        set_of((0..self.boxes()).filter(|&cell| self.sides(cell) & !lines == 0))
    }

    /// The boxes that an open line closes if these lines are drawn.
    pub fn closed_by(&self, lines: Lines, line: usize) -> Boxes {
        let closed = |&cell: &usize| self.sides(cell) & !lines == 1 << line;
        set_of(lines_of(self.beside(line)).filter(closed))
    }

    /// The lines along the border.
    pub fn border(&self) -> Lines {
        set_of((0..self.lines()).filter(|&line| self.beside(line).count_ones() == 1))
    }

    /// The lines along the left side and the bottom.
    pub fn left_and_bottom(&self) -> Lines {
        let left = (0..self.rows()).map(|row| self.line_at(true, row, 0));
        let bottom = (0..self.cols()).map(|col| self.line_at(false, self.rows(), col));
        set_of(left.chain(bottom).flatten())
    }

    /// The symmetries of the rectangle that keep the lines in play, as permutations of these, the
    /// identity first: 8 on a square board, otherwise 4, if all lines are in play.
    pub fn symmetries(&self) -> Vec<Vec<usize>> {
        self.both_symmetries().map(|(lines, _)| lines).collect()
    }

    /// The [`symmetries`](Self::symmetries), each with the permutation of the boxes.
    pub(super) fn both_symmetries(&self) -> impl Iterator<Item = (Vec<usize>, Vec<usize>)> {
        (0..).zip(self.size.cell_symmetries()).filter_map(|(code, cells)| {
            let line = |line: usize| {
                let (mut vertical, mut row, mut col) = self.locate(line);
                if code & 1 != 0 {
                    row = self.rows() - usize::from(vertical) - row;
                }
                if code & 2 != 0 {
                    col = self.cols() - usize::from(!vertical) - col;
                }
                if code & 4 != 0 {
                    (vertical, row, col) = (!vertical, col, row);
                }
                self.line_at(vertical, row, col)
            };
            let lines = permutation(self.lines(), line)?;
            if self.is_whole() {
                return Some((lines, cells));
            }
            let cell = |cell: usize| {
                let (row, col) = self.box_place(cell);
                let to = cells[row * self.cols() + col];
                self.box_at(to / self.cols(), to % self.cols())
            };
            Some((lines, permutation(self.boxes(), cell)?))
        })
    }

    /// The square of twice the distance from the middle of a line to the middle of the board.
    pub fn from_middle(&self, line: usize) -> usize {
        let (vertical, row, col) = self.locate(line);
        let down = (2 * row + usize::from(vertical)).abs_diff(self.rows());
        let right = (2 * col + usize::from(!vertical)).abs_diff(self.cols());
        down * down + right * right
    }

    /// For each box with several lines along the border, those lines. They are interchangeable:
    /// only the number of them that are drawn matters.
    pub fn exchanges(&self) -> Vec<Lines> {
        let border = self.border();
        let shared = (0..self.boxes()).map(|cell| self.sides(cell) & border);
        shared.filter(|lines| lines.count_ones() > 1).collect()
    }
}

impl Deref for Board {
    type Target = Rectangle;

    fn deref(&self) -> &Rectangle {
        &self.size
    }
}

/// The size, followed by the rows of the position whose open lines are in play if not all are.
impl std::fmt::Display for Board {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.is_whole() {
            return self.size.fmt(f);
        }
        write!(f, "{}:{}", self.size, notation::format_rows(self, &Position::of_lines(0)))
    }
}

/// The images of the numbers below a count, if each has one. Allocated at once, since positions are
/// turned often.
fn permutation(count: usize, image: impl Fn(usize) -> Option<usize>) -> Option<Vec<usize>> {
    let mut images = Vec::with_capacity(count);
    for number in 0..count {
        images.push(image(number)?);
    }
    Some(images)
}

/// The set of the first bits.
fn first_bits(count: usize) -> u64 {
    u64::MAX.checked_shr(u64::BITS - count as u32).unwrap_or(0)
}

/// The places before one.
fn below(place: usize) -> u128 {
    (1 << place) - 1
}

/// The set of some lines or boxes.
pub(super) fn set_of(members: impl IntoIterator<Item = usize>) -> u64 {
    members.into_iter().fold(0, |set, member| set | 1 << member)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_boxes_meet() {
        for (rows, cols) in [(1, 1), (1, 21), (21, 1), (2, 3), (5, 5), (4, 6)] {
            let board = Board::new(rows, cols).unwrap();
            for line in 0..board.lines() {
                for cell in 0..board.boxes() {
                    let has = board.sides(cell) >> line & 1;
                    assert_eq!(board.beside(line) >> cell & 1, has, "{board} {line} {cell}");
                }
            }
            assert_eq!(board.border().count_ones() as usize, 2 * (rows + cols));
            assert_eq!(board.left_and_bottom().count_ones() as usize, rows + cols);
            assert_eq!(board.closed(board.all()), board.all_boxes());
            let images: Vec<_> = board.both_symmetries().collect();
            assert_eq!(board.symmetries().len(), images.len());
            for (lines, boxes) in images {
                let image = |set| set_of(lines_of(set).map(|line| lines[line]));
                assert_eq!(image(board.all()), board.all());
                for (cell, &to) in boxes.iter().enumerate() {
                    assert_eq!(image(board.sides(cell)), board.sides(to));
                }
            }
        }
        assert_eq!(Board::new(3, 3).unwrap().exchanges().len(), 4);
        assert_eq!(Board::new(1, 3).unwrap().exchanges().len(), 3);
    }

    #[test]
    fn too_many_lines_are_refused() {
        for (rows, cols) in [(5, 6), (1, 22), (usize::MAX, usize::MAX), (0, 3), (3, 0)] {
            assert!(Board::new(rows, cols).is_err());
        }
    }
}
