//! Positions that are equal by a symmetry of the board, or by an exchange of lines that are sides of
//! the same box and lie on the border.

use super::board::{Board, Lines, lines_of, set_of};
use super::rules::{Position, Rules};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

/// The length above which only lines of the boxes at the ends of a board one box wide are
/// exchanged, because each further box would double the number of images.
const LONGEST: usize = 4;

/// The symmetries of a board, which are computed once for many positions.
struct Symmetries {
    board: Board,
    /// The images of lines and boxes under the symmetries of the rectangle, the identity first.
    turns: Vec<(Vec<usize>, Vec<usize>)>,
    /// The sets of interchangeable lines.
    exchanged: Vec<Lines>,
}

thread_local! {
    /// Those of the board of the last position on this thread. Rules have no room for them.
    static LAST: RefCell<Option<Rc<Symmetries>>> = const { RefCell::new(None) };
}

impl Symmetries {
    fn of(board: &Board) -> Rc<Symmetries> {
        LAST.with_borrow_mut(|last| match last {
            Some(known) if known.board == *board => Rc::clone(known),
            _ => {
                let turns = board.both_symmetries().collect();
                let found = Symmetries { board: *board, turns, exchanged: exchanged(board) };
                Rc::clone(last.insert(Rc::new(found)))
            }
        })
    }

    /// The images of a position under the symmetries of the rectangle, the position itself first.
    fn turned(&self, position: &Position) -> impl Iterator<Item = Position> {
        self.turns.iter().map(|(lines, boxes)| Position {
            lines: moved(position.lines, lines),
            taken: position.taken.map(|taken| moved(taken, boxes)),
            to_move: position.to_move,
        })
    }

    /// The same images, each with the first lines of every set of interchangeable ones drawn.
    fn settled(&self, position: &Position) -> impl Iterator<Item = Position> {
        self.turned(position).map(|image| {
            let settle =
                |lines: Lines, &set: &Lines| lines & !set | first(set, (lines & set).count_ones());
            Position { lines: self.exchanged.iter().fold(image.lines, settle), ..image }
        })
    }
}

/// The sets of interchangeable lines.
fn exchanged(board: &Board) -> Vec<Lines> {
    let mut sets = board.exchanges();
    let narrow = board.rows().min(board.cols()) == 1;
    if narrow && board.boxes() > LONGEST {
        // Boxes in the middle have two sides on the border, those at the ends have three.
        sets.retain(|set| set.count_ones() > 2);
    }
    sets
}

fn moved(set: u64, image: &[usize]) -> u64 {
    set_of(lines_of(set).map(|at| image[at]))
}

/// All subsets of that size.
fn choices(set: Lines, size: u32) -> impl Iterator<Item = Lines> {
    let subsets = std::iter::successors(Some(0), move |&subset: &Lines| {
        let next = subset.wrapping_sub(set) & set;
        (next != 0).then_some(next)
    });
    subsets.filter(move |subset| subset.count_ones() == size)
}

/// The first `size` lines of a set.
fn first(set: Lines, size: u32) -> Lines {
    set_of(lines_of(set).take(size as usize))
}

/// The symmetries of the rectangle, combined with exchanges of lines along the border of one box.
/// They do not depend on the variant. On a board of one row or column with more than 4 boxes,
/// exchanges within the boxes in the middle are left out, so that there are at most 128 images.
impl Rules {
    /// The distinct images of a position, the position itself first.
    pub fn images(&self, position: &Position) -> Vec<Position> {
        let symmetries = Symmetries::of(&self.board);
        let mut images: BTreeSet<Position> = symmetries.turned(position).collect();
        for &set in &symmetries.exchanged {
            let exchange = |image: &Position| {
                let image = *image;
                let drawn = choices(set, (image.lines & set).count_ones());
                drawn.map(move |drawn| Position { lines: image.lines & !set | drawn, ..image })
            };
            images = images.iter().flat_map(exchange).collect();
        }
        images.remove(position);
        std::iter::once(*position).chain(images).collect()
    }

    /// The number of distinct images. Those under the symmetries of the rectangle that an exchange
    /// of lines makes equal are counted once, and each with every choice of the lines drawn in a set.
    pub fn orbit_size(&self, position: &Position) -> u64 {
        let symmetries = Symmetries::of(&self.board);
        let mut settled: Vec<Position> = symmetries.settled(position).collect();
        settled.sort_unstable();
        settled.dedup();
        let choices = symmetries.exchanged.iter().map(|set| {
            let (all, drawn) = (set.count_ones(), (position.lines & set).count_ones());
            // A box has at most four lines on the border.
            (0..drawn).fold(1, |choices, one| choices * u64::from(all - one) / u64::from(one + 1))
        });
        settled.len() as u64 * choices.product::<u64>()
    }

    /// The image that represents all of them.
    pub fn canonical(&self, position: &Position) -> Position {
        Symmetries::of(&self.board).settled(position).min().expect("the position itself")
    }
}

#[cfg(test)]
mod tests;
