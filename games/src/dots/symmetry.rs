//! Positions that differ in nothing that counts.

use super::board::{Board, Lines, lines_of};
use super::rules::{Position, Rules};
use bsq_engine::game::Symmetric;
use std::collections::BTreeSet;

/// On boards one box wide and longer than this, only lines of the boxes at the ends change places:
/// each further box would double the number of images.
const LONGEST: usize = 4;

/// The sets of lines within which the images exchange lines.
fn exchanged(board: &Board) -> Vec<Lines> {
    let mut sets = board.exchanges();
    let narrow = board.rows().min(board.cols()) == 1;
    if narrow && board.boxes() > LONGEST {
        // Of the boxes in the middle two sides lie on the border, of those at the ends three.
        sets.retain(|set| set.count_ones() > 2);
    }
    sets
}

fn moved(set: u64, image: &[usize]) -> u64 {
    lines_of(set).fold(0, |moved, at| moved | 1 << image[at])
}

/// The images under the symmetries of the rectangle, the position itself first.
fn turned(board: &Board, position: &Position) -> Vec<Position> {
    let symmetries = board.symmetries().into_iter().zip(board.box_symmetries());
    let turn = |(lines, boxes): (Vec<usize>, Vec<usize>)| Position {
        lines: moved(position.lines, &lines),
        taken: position.taken.map(|taken| moved(taken, &boxes)),
        to_move: position.to_move,
    };
    symmetries.map(turn).collect()
}

/// All subsets of a set of that size.
fn choices(set: Lines, size: u32) -> impl Iterator<Item = Lines> {
    let subsets = std::iter::successors(Some(0), move |&subset: &Lines| {
        let next = subset.wrapping_sub(set) & set;
        (next != 0).then_some(next)
    });
    subsets.filter(move |subset| subset.count_ones() == size)
}

/// The first lines of a set, as many as that.
fn first(set: Lines, size: u32) -> Lines {
    lines_of(set).take(size as usize).fold(0, |lines, line| lines | 1 << line)
}

/// The symmetries of the rectangle, and exchanges of lines along the border of one box. What is
/// drawn before play begins makes no difference: these are images of positions, whatever the
/// variant. Where a board of one row or column has more than 4 boxes, the images leave out the
/// exchanges within the boxes in the middle; at most 128 are left.
impl Symmetric for Rules {
    fn images(&self, position: &Position) -> Vec<Position> {
        let mut images: BTreeSet<Position> = turned(&self.board, position).into_iter().collect();
        for set in exchanged(&self.board) {
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

    fn canonical(&self, position: &Position) -> Position {
        let sets = exchanged(&self.board);
        let settle = |image: Position| {
            let settle =
                |lines: Lines, &set: &Lines| lines & !set | first(set, (lines & set).count_ones());
            Position { lines: sets.iter().fold(image.lines, settle), ..image }
        };
        let images = turned(&self.board, position).into_iter();
        images.map(settle).min().expect("the position itself")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bsq_engine::game::Game;

    fn played(rules: &Rules, mut random: u64) -> Vec<Position> {
        let mut positions = vec![rules.start()];
        while let Some(position) = positions.last() {
            let moves = rules.moves(position);
            if moves.is_empty() {
                break;
            }
            random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            positions.push(rules.play(position, moves[(random >> 33) as usize % moves.len()]));
        }
        positions
    }

    #[test]
    fn the_canonical_position_is_the_least_image() {
        for (rows, cols) in [(1, 1), (1, 2), (1, 5), (6, 1), (1, 8), (2, 2), (3, 4), (5, 5)] {
            let rules = Rules::standard(Board::new(rows, cols).unwrap());
            for position in played(&rules, 7) {
                let images = rules.images(&position);
                assert_eq!(images.iter().min(), Some(&rules.canonical(&position)));
                let distinct: BTreeSet<_> = images.iter().collect();
                assert_eq!(distinct.len(), images.len());
                let closed = rules.board.closed(position.lines).count_ones();
                for image in images {
                    let [first, second] = image.taken;
                    assert_eq!(rules.board.closed(image.lines), first | second);
                    assert_eq!(first.count_ones() + second.count_ones(), closed);
                }
            }
        }
    }

    /// Positions with one line, and with the two lines of a corner, counted by hand.
    #[test]
    fn classes_of_one_and_two_lines() {
        let classes = |(rows, cols), size: u32| {
            let rules = Rules::standard(Board::new(rows, cols).unwrap());
            let sets = choices(rules.board.all(), size).map(Position::of_lines);
            sets.map(|position| rules.canonical(&position)).collect::<BTreeSet<_>>().len()
        };
        // On 1x1 all lines are alike; on 1x2 the middle one differs; on 1x3 the middle ones and
        // those along the border of the middle box do too.
        assert_eq!([classes((1, 1), 1), classes((1, 2), 1), classes((1, 3), 1)], [1, 2, 3]);
        assert_eq!([classes((1, 1), 2), classes((1, 2), 2)], [1, 3]);
        // On 2x2 a line is along the border or not. Two of the border: in one corner, in
        // neighbouring ones or in opposite ones. One of each: the corner is beside the inner line
        // or not. Two inner ones: at a right angle or straight.
        assert_eq!([classes((2, 2), 1), classes((2, 2), 2)], [2, 7]);
    }

    /// One line of each set within which lines are exchanged, and others that no symmetry leaves
    /// as they are: every combination of the two counts.
    #[test]
    fn images_are_few() {
        for ((rows, cols), most) in [
            ((1, 4), 2 * 3 * 2 * 2 * 3),
            ((1, 5), 4 * 3 * 3),
            ((1, 21), 4 * 3 * 3),
            ((21, 1), 4 * 3 * 3),
            ((2, 12), 4 * 16),
            ((5, 5), 8 * 16),
        ] {
            let rules = Rules::standard(Board::new(rows, cols).unwrap());
            let sets = exchanged(&rules.board);
            let others = rules.board.all() & !sets.iter().fold(0, |all, set| all | set);
            let others = first(others, others.count_ones() / 3) & 0x7777_7777_7777_7777;
            let lines = sets.into_iter().fold(others, |lines, set| lines | first(set, 1));
            assert_eq!(rules.images(&Position::of_lines(lines)).len(), most, "{rows}x{cols}");
        }
    }
}
