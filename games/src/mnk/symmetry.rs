//! The symmetries of the board.

use super::rules::{Cells, MAX_CELLS, Position};
use crate::rectangle::Rectangle;

/// Cells of a group. A set of cells is mapped group by group.
const GROUP: usize = 5;

/// The image of a set of cells under a symmetry is the union of the images of its groups.
type Symmetry = [[Cells; 1 << GROUP]; MAX_CELLS / GROUP];

/// The symmetries of a board, the identity first.
#[derive(Clone, Debug)]
pub(super) struct Symmetries(Vec<Symmetry>);

impl Symmetries {
    pub(super) fn new(board: Rectangle) -> Symmetries {
        let table = |images: Vec<usize>| {
            let mut table = [[0; 1 << GROUP]; MAX_CELLS / GROUP];
            for (cell, image) in images.into_iter().enumerate() {
                let (group, bit) = (cell / GROUP, cell % GROUP);
                for (set, images) in table[group].iter_mut().enumerate() {
                    *images |= (set as Cells >> bit & 1) << image;
                }
            }
            table
        };
        Symmetries(board.cell_symmetries().map(table).collect())
    }

    /// The images of a set of cells, that under the identity first.
    #[inline]
    pub(super) fn images(&self, cells: Cells) -> impl Iterator<Item = Cells> + '_ {
        let group = move |i: usize| (cells >> (GROUP * i)) as usize % (1 << GROUP);
        let image = move |(i, images): (usize, &[Cells; 1 << GROUP])| images[group(i)];
        self.0.iter().map(move |table| table.iter().enumerate().map(image).fold(0, |a, b| a | b))
    }

    /// The images of a position, that under the identity first.
    #[inline]
    pub(super) fn images_of(&self, position: &Position) -> impl Iterator<Item = Position> + '_ {
        let [first, second] = position.pieces;
        self.pairs(first, second).map(|pieces| Position { pieces })
    }

    /// The images of two sets of cells under the same symmetry.
    #[inline]
    pub(super) fn pairs(&self, one: Cells, other: Cells) -> impl Iterator<Item = [Cells; 2]> + '_ {
        self.images(one).zip(self.images(other)).map(|(one, other)| [one, other])
    }
}
