//! The sets of cells of a board, one of each orbit under its symmetries.

use super::board::{Board, Cells, MAX_CELLS};
use super::permute;
use bsq_engine::for_each_cpu;
use bsq_engine::monitor::{Monitor, SolveError};

/// The number of images of a set. Boards with fewer symmetries repeat theirs.
const LANES: usize = 8;
/// The number of low cells. The sets of a part differ only in these.
const LOW: usize = 9;
/// The number of cells whose images are read from a table at once.
const SLICE: usize = 14;
/// The number of parts in a task of a thread.
const PARTS_PER_TASK: u64 = 256;

/// The images of a set, that under the identity first.
type Images = [Cells; LANES];

/// The sets of cells of a board, in parts. The sets of a part differ only in the low cells. The
/// number of a part is the set of its other cells, shifted by the number of low cells.
pub struct Orbits {
    board: Board,
    low: Vec<Images>,
    /// The images of the sets within each slice of the other cells.
    high: Vec<Vec<Images>>,
    symmetries: [Symmetry; LANES],
    /// The lanes whose symmetry is the identity, a bit each.
    identity: u8,
    /// The image of each cell, by lane and cell.
    cells: [[u8; MAX_CELLS]; LANES],
}

/// The cycles of a symmetry. Their lengths are 1, 2 and 4.
#[derive(Clone, Copy)]
struct Symmetry {
    is_identity: bool,
    /// The cells that the symmetry does not move.
    fixed: Cells,
    /// The cells that it does not move if it is applied twice.
    fixed_by_square: Cells,
}

/// The least set of an orbit.
#[derive(Clone, Copy)]
pub struct Orbit {
    pub set: Cells,
    /// The symmetries that leave the set unchanged, a bit for each lane.
    pub stabilizer: u8,
}

impl Orbits {
    /// Builds the tables of a board.
    pub fn new(board: &Board) -> Orbits {
        let symmetries = board.symmetries();
        let slice = |from: usize, to: usize| -> Vec<Images> {
            let (from, to) = (from.min(board.cells()), to.min(board.cells()));
            let image = |set: Cells, lane: usize| {
                permute(set << from, &symmetries[lane % symmetries.len()])
            };
            (0..1 << (to - from)).map(|set| std::array::from_fn(|lane| image(set, lane))).collect()
        };
        let of_lane = |lane: usize| {
            let image = &symmetries[lane % symmetries.len()];
            let cells = |keep: &dyn Fn(usize) -> bool| -> Cells {
                (0..board.cells()).filter(|&cell| keep(cell)).map(|cell| 1 << cell).sum()
            };
            let fixed = cells(&|cell| image[cell] == cell);
            let fixed_by_square = cells(&|cell| image[image[cell]] == cell);
            Symmetry { is_identity: fixed == board.all(), fixed, fixed_by_square }
        };
        let lanes: [Symmetry; LANES] = std::array::from_fn(of_lane);
        let bits = lanes.iter().zip(0..);
        let identity = bits.map(|(lane, bit)| u8::from(lane.is_identity) << bit).sum();
        let mut cells = [[0; MAX_CELLS]; LANES];
        for (lane, images) in cells.iter_mut().enumerate() {
            for (image, &cell) in images.iter_mut().zip(&symmetries[lane % symmetries.len()]) {
                *image = cell as u8;
            }
        }
        let high = (LOW..board.cells()).step_by(SLICE).map(|from| slice(from, from + SLICE));
        Orbits {
            board: *board,
            low: slice(0, LOW),
            high: high.collect(),
            symmetries: lanes,
            identity,
            cells,
        }
    }

    /// The lanes whose symmetry is the identity, a bit each.
    pub fn identity(&self) -> u8 {
        self.identity
    }

    /// The image of a cell under the symmetry of a lane.
    #[inline]
    pub fn image_of_cell(&self, cell: usize, lane: usize) -> usize {
        self.cells[lane][cell].into()
    }

    /// The number of subsets of `set` with `size` cells, up to the symmetries of a stabilizer,
    /// which leave `set` unchanged: by Burnside's lemma, the mean number of subsets that a symmetry
    /// leaves unchanged.
    pub fn subsets(&self, stabilizer: u8, set: Cells, size: u32) -> u64 {
        let all = self.symmetries.iter().zip(0..);
        let stabilizing = all.filter(|(_, lane)| stabilizer >> lane & 1 == 1);
        let unchanged = stabilizing.map(|(symmetry, _)| {
            let single = (set & symmetry.fixed).count_ones();
            let paired = (set & symmetry.fixed_by_square).count_ones();
            let cycles = [single, (paired - single) / 2, (set.count_ones() - paired) / 4];
            unions_of_cycles(cycles, size)
        });
        unchanged.sum::<u64>() / u64::from(stabilizer.count_ones())
    }

    /// The least image of a set, and the lane of a symmetry that leads to it.
    pub fn least(&self, set: Cells) -> (Cells, usize) {
        let images = self.images(set).into_iter().zip(0..);
        images.min().expect("a set has images")
    }

    /// Whether a set is the least of its images under the symmetries of a stabilizer.
    #[inline]
    pub fn is_least(&self, set: Cells, stabilizer: u8) -> bool {
        stabilizer == self.identity || {
            let images = self.images(set).into_iter().zip(0..);
            images.filter(|(_, lane)| stabilizer >> lane & 1 == 1).all(|(image, _)| image >= set)
        }
    }

    #[inline]
    fn images(&self, set: Cells) -> Images {
        union(&self.high_images(set >> LOW), &self.low[set as usize & ((1 << LOW) - 1)])
    }

    /// The images of the set without low cells in a part.
    #[inline]
    fn high_images(&self, part: u64) -> Images {
        let mut images = Images::default();
        let mut rest = part;
        for slice in &self.high {
            images = union(&images, &slice[rest as usize & ((1 << SLICE) - 1)]);
            rest >>= SLICE;
        }
        images
    }

    /// The number of tasks: parts of the traversal of all sets that take milliseconds each.
    pub fn tasks(&self) -> u64 {
        self.parts().div_ceil(PARTS_PER_TASK)
    }

    /// The number of sets that the traversal of a task passes.
    pub fn sets_per_task(&self) -> u64 {
        self.parts().min(PARTS_PER_TASK) * self.low.len() as u64
    }

    /// Calls `see` with the orbits of each part of a task, in increasing order.
    ///
    /// # Errors
    ///
    /// [`SolveError::Stopped`] if the monitor stops the traversal.
    pub fn each_part(
        &self,
        task: u64,
        monitor: &Monitor,
        mut see: impl FnMut(&[Orbit]),
    ) -> Result<(), SolveError> {
        monitor.check()?;
        monitor.advance(self.sets_per_task());
        let first = task * PARTS_PER_TASK;
        let mut found = Vec::new();
        for part in first..self.parts().min(first + PARTS_PER_TASK) {
            self.in_part(part, &mut found);
            see(&found);
        }
        Ok(())
    }

    /// The number of parts.
    pub fn parts(&self) -> u64 {
        1 << self.board.cells().saturating_sub(LOW)
    }

    /// Finds the orbits whose least set is in a part.
    pub fn in_part(&self, part: u64, found: &mut Vec<Orbit>) {
        found.clear();
        let high = self.high_images(part);
        // Each image of a set is at most that of the largest set. If one of these is less than the
        // smallest set, no set of the part is the least of its orbit.
        let most = union(&high, self.low.last().unwrap_or(&high));
        if most.iter().all(|&most| most >= high[0]) {
            least_sets(&high, &self.low, found);
        }
    }
}

/// The number of unions of cycles with `size` elements, from the numbers of cycles of length 1, 2
/// and 4.
fn unions_of_cycles([singles, pairs, fours]: [u32; 3], size: u32) -> u64 {
    let with_fours = |taken: u32| {
        let rest = size - 4 * taken;
        let with_pairs = |pairs_taken: u32| {
            binomial(pairs, pairs_taken) * binomial(singles, rest - 2 * pairs_taken)
        };
        binomial(fours, taken) * (0..=rest / 2).map(with_pairs).sum::<u64>()
    };
    (0..=size / 4).map(with_fours).sum()
}

/// The number of subsets with `taken` elements of a set of `all`, at most 64, so that the result
/// is less than 2^61.
pub fn binomial(all: u32, taken: u32) -> u64 {
    if taken > all {
        return 0;
    }
    let (all, taken) = (u128::from(all), u128::from(taken.min(all - taken)));
    (0..taken).fold(1, |product, i| product * (all - i) / (i + 1)) as u64
}

#[inline(always)]
fn union(a: &Images, b: &Images) -> Images {
    std::array::from_fn(|lane| a[lane] | b[lane])
}

for_each_cpu! {
    fn least_sets(high: &Images, low: &[Images], found: &mut Vec<Orbit>) {
        for low in low {
            let images = union(high, low);
            let set = images[0];
            let less = images.iter().map(|&image| u64::from(image < set)).sum::<u64>();
            if less == 0 {
                let fixed = |lane: usize| u8::from(images[lane] == set) << lane;
                found.push(Orbit { set, stabilizer: (0..LANES).map(fixed).sum() });
            }
        }
    }
}
