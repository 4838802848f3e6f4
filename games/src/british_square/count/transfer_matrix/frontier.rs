//! Frontiers: what is known about the last cells of a sweep, one in each column.

/// The largest number of columns of a frontier.
pub(super) const MAX_WIDTH: usize = 8;

/// What is known about a cell with respect to a set of pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Label {
    /// The cell is not on the board.
    Edge = 0,
    /// The cell is neither in the set nor adjacent to a cell of it so far.
    Apart = 1,
    /// The cell is not in the set, but adjacent to a cell of it.
    Beside = 2,
    /// The cell is in the set.
    Inside = 3,
}

/// The labels of a frontier, two bits for each column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Labels(u16);

impl Labels {
    /// The frontier above the first row.
    pub(super) const START: Labels = Labels(0);

    /// The labels of the columns other than `column` and the one to the left of it. A placement in
    /// `column` leaves them as they are.
    pub(super) fn others(self, column: usize) -> Labels {
        let changed = if column == 0 { 3 } else { 15 << (2 * column - 2) };
        Labels(self.0 & !changed)
    }

    /// The labels of the mirror image.
    pub(super) fn mirrored(self, width: usize) -> Labels {
        Labels(mirrored(self.0, width))
    }

    fn get(self, column: usize) -> Label {
        match self.0 >> (2 * column) & 3 {
            0 => Label::Edge,
            1 => Label::Apart,
            2 => Label::Beside,
            _ => Label::Inside,
        }
    }

    fn set(&mut self, column: usize, label: Label) {
        self.0 = self.0 & !(3 << (2 * column)) | (label as u16) << (2 * column);
    }
}

/// The levels of a frontier, two bits for each column: whether the cell is dominated by the chosen
/// pieces, and whether its piece is a chosen one, which is dominated too.
pub(super) type Levels = u16;

const DOMINATED: Levels = 1;
const CHOSEN: Levels = 3;

/// The columns of labels or levels in reverse order.
pub(super) fn mirrored(word: u16, width: usize) -> u16 {
    (0..width).fold(0, |image, column| image << 2 | word >> (2 * column) & 3)
}

/// What is placed on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Placed {
    /// Nothing: the cell is off the board.
    Edge,
    /// No piece.
    Empty,
    /// A piece that may be chosen.
    Piece,
    /// A piece that is chosen.
    Chosen,
    /// A piece that is not chosen.
    Marked,
}

/// The effect of a placement on a frontier.
pub(super) struct Step {
    /// The labels after it.
    pub labels: Labels,
    /// Whether the cell above is in no set and will have no neighbour in it.
    pub leaves_apart: bool,
    may_be_chosen: bool,
    may_be_unchosen: bool,
    /// Whether the cell above has to be dominated.
    has_to_be_dominated: bool,
    /// The level of the cell if a neighbour is chosen.
    beside_chosen: Levels,
    /// The position of the column in the levels.
    shift: usize,
}

impl Step {
    /// The effect of a placement in a column. The cell replaces the one above.
    pub(super) fn new(labels: Labels, column: usize, placed: Placed) -> Step {
        let is_piece = matches!(placed, Placed::Piece | Placed::Chosen | Placed::Marked);
        let left = if column == 0 { Label::Edge } else { labels.get(column - 1) };
        let above = labels.get(column);
        let here = if placed == Placed::Edge {
            Label::Edge
        } else if is_piece {
            Label::Inside
        } else if left == Label::Inside || above == Label::Inside {
            Label::Beside
        } else {
            Label::Apart
        };
        let mut after = labels;
        after.set(column, here);
        if is_piece && left == Label::Apart {
            after.set(column - 1, Label::Beside);
        }
        let leaves_apart = above == Label::Apart && !is_piece;
        Step {
            labels: after,
            leaves_apart,
            may_be_chosen: matches!(placed, Placed::Piece | Placed::Chosen),
            may_be_unchosen: placed != Placed::Chosen,
            has_to_be_dominated: above != Label::Edge && !leaves_apart,
            beside_chosen: if here == Label::Edge { 0 } else { DOMINATED },
            shift: 2 * column,
        }
    }

    /// The levels after the placement if the cell is not chosen, unless the cell above could no
    /// longer be dominated.
    #[inline]
    pub(super) fn unchosen(&self, levels: Levels) -> Option<Levels> {
        let above = levels >> self.shift & 3;
        if !self.may_be_unchosen || self.has_to_be_dominated && above == 0 {
            return None;
        }
        let left = if self.shift == 0 { 0 } else { levels >> (self.shift - 2) & 3 };
        let is_reached = above == CHOSEN || left == CHOSEN;
        let here = if is_reached { self.beside_chosen } else { 0 };
        Some(levels & !(3 << self.shift) | here << self.shift)
    }

    /// The levels after the placement if the cell is chosen.
    #[inline]
    pub(super) fn chosen(&self, levels: Levels) -> Option<Levels> {
        let left = if self.shift == 0 { 0 } else { DOMINATED << (self.shift - 2) };
        self.may_be_chosen.then_some(levels | CHOSEN << self.shift | left)
    }
}
