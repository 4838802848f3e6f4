//! Counts of partly filled boards by three sizes: the closer's pieces minus the stuck player's (the
//! lead), the stuck player's pieces, and the cells left over.

use super::frontier::Filling;

/// The numbers of boards by triple of sizes, sparse.
#[derive(Clone, Debug, Default)]
pub struct Sizes {
    /// Sorted by lead, then by the stuck player's pieces.
    runs: Box<[Run]>,
    /// The counts of all runs, concatenated.
    counts: Box<[u64]>,
}

/// Counts that differ only in the number of cells left over.
#[derive(Clone, Copy, Debug)]
struct Run {
    lead: i8,
    stuck: u8,
    /// The smallest number of cells left over.
    least: u8,
    len: u8,
}

impl Sizes {
    /// One board, without pieces and without cells left over.
    pub fn one() -> Sizes {
        let run = Run { lead: 0, stuck: 0, least: 0, len: 1 };
        Sizes { runs: [run].into(), counts: [1].into() }
    }

    /// The memory outside of the value itself, in bytes, with what the allocator adds.
    pub fn bytes_on_heap(&self) -> usize {
        size_of_val(&*self.runs) + size_of_val(&*self.counts) + 2 * 16
    }

    /// Whether all counts are 0.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    fn runs(&self) -> impl Iterator<Item = (&Run, &[u64])> {
        let mut counts = &*self.counts;
        self.runs.iter().map(move |run| {
            let (here, rest) = counts.split_at(run.len.into());
            counts = rest;
            (run, here)
        })
    }
}

/// A dense, reusable accumulator of [`Sizes`].
pub struct Sum {
    /// The largest size and the largest absolute lead.
    most: usize,
    /// For each lead and number of the stuck player's pieces, the range of the nonzero counts.
    ranges: Vec<(u8, u8)>,
    counts: Vec<u64>,
}

impl Sum {
    /// An empty sum, for boards of at most `cells` cells.
    ///
    /// # Panics
    ///
    /// Panics if `cells` exceeds 40. There are at most 3^40 fillings, so that every sum fits 64
    /// bits.
    pub fn new(cells: usize) -> Sum {
        assert!(cells <= 40, "counts of {cells} cells may not fit 64 bits");
        let places = (2 * cells + 1) * (cells + 1);
        Sum { most: cells, ranges: vec![(0, 0); places], counts: vec![0; places * (cells + 1)] }
    }

    /// Adds the counts of the boards of `sizes` with one more cell, filled with `filling`, which
    /// leaves over `left_over` more cells.
    pub fn add(&mut self, sizes: &Sizes, filling: Filling, left_over: u8) {
        let (ahead, stuck) = match filling {
            Filling::Empty => (0, 0),
            Filling::Closer => (1, 0),
            Filling::Stuck => (-1, 1),
        };
        for (run, counts) in sizes.runs() {
            let lead = run.lead as isize + ahead + self.most as isize;
            let place = lead as usize * (self.most + 1) + usize::from(run.stuck + stuck);
            let from = run.least + left_over;
            let to = from + run.len;
            let range = &mut self.ranges[place];
            *range = match *range {
                (0, 0) => (from, to),
                (least, most) => (least.min(from), most.max(to)),
            };
            let first = place * (self.most + 1) + usize::from(from);
            for (sum, count) in self.counts[first..].iter_mut().zip(counts) {
                *sum += count;
            }
        }
    }

    /// Returns the sum and resets it.
    pub fn take(&mut self) -> Sizes {
        let mut runs = Vec::new();
        let mut all = Vec::new();
        for (place, range) in self.ranges.iter_mut().enumerate() {
            let (from, to) = std::mem::take(range);
            if to == 0 {
                continue;
            }
            let first = place * (self.most + 1);
            let counts = &mut self.counts[first + usize::from(from)..first + usize::from(to)];
            all.extend_from_slice(counts);
            counts.fill(0);
            runs.push(Run {
                lead: (place / (self.most + 1)) as i8 - self.most as i8,
                stuck: (place % (self.most + 1)) as u8,
                least: from,
                len: to - from,
            });
        }
        Sizes { runs: runs.into(), counts: all.into() }
    }
}

/// Counts of whole boards with leads 0 and 1, each by the stuck player's pieces and the cells left
/// over.
#[derive(Clone, Debug)]
pub struct Whole {
    /// The largest size plus 1.
    side: usize,
    counts: [Vec<u128>; 2],
}

impl Whole {
    /// Empty counts, for boards of `cells` cells.
    ///
    /// # Panics
    ///
    /// Panics if `cells` exceeds 64. There are at most 3^64 fillings, so that every sum fits 128
    /// bits.
    pub fn new(cells: usize) -> Whole {
        assert!(cells <= 64, "counts of {cells} cells are for wider integers");
        let side = cells + 1;
        Whole { side, counts: [(); 2].map(|()| vec![0; side * side]) }
    }

    /// Adds the boards that join a half of `upper` and a half of `lower`: the products of the
    /// counts.
    pub fn add_products(&mut self, upper: &Sizes, lower: &Sizes) {
        for (above, counts_above) in upper.runs() {
            let mut index = 0;
            let mut from = 0;
            // Runs are sorted by lead, so the matching ones are consecutive.
            let wanted = [-above.lead, 1 - above.lead];
            while index < lower.runs.len() && lower.runs[index].lead < wanted[0] {
                from += usize::from(lower.runs[index].len);
                index += 1;
            }
            while index < lower.runs.len() && lower.runs[index].lead <= wanted[1] {
                let below = lower.runs[index];
                let counts_below = &lower.counts[from..from + usize::from(below.len)];
                let ahead = usize::from(below.lead == wanted[1]);
                let stuck = usize::from(above.stuck + below.stuck);
                let left_over = usize::from(above.least + below.least);
                let first = stuck * self.side + left_over;
                for (i, &a) in counts_above.iter().enumerate() {
                    let sums = &mut self.counts[ahead][first + i..][..counts_below.len()];
                    for (sum, &b) in sums.iter_mut().zip(counts_below) {
                        *sum += u128::from(a) * u128::from(b);
                    }
                }
                from += usize::from(below.len);
                index += 1;
            }
        }
    }

    /// Adds other counts.
    pub fn add(&mut self, other: &Whole) {
        for (mine, theirs) in self.counts.iter_mut().zip(&other.counts) {
            mine.iter_mut().zip(theirs).for_each(|(sum, count)| *sum += count);
        }
    }

    /// The nonzero counts of boards with a lead of `ahead`, 0 or 1: the number of the stuck
    /// player's pieces, the number of cells left over, and the count.
    pub fn counts(&self, ahead: usize) -> impl Iterator<Item = (usize, usize, u128)> {
        let listed = self.counts[ahead].iter().enumerate().filter(|(_, count)| **count > 0);
        listed.map(|(place, &count)| (place / self.side, place % self.side, count))
    }
}
