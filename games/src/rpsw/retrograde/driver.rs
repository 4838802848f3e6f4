//! The iterations of the analysis: one of the two sets is extended, the other one is read.

use super::bit_set::{BitSet, Found, RowMut, TrackedSet, bytes};
use super::layout::Layout;
use super::material::ByMaterial;
use super::part::Reached;
use bsq_engine::monitor::{Monitor, SolveError};
use bsq_engine::parallel;
use std::convert::Infallible;

/// The result of an iteration.
#[derive(Clone, Debug)]
pub struct Iteration {
    /// The depth to win or loss of these positions in plies, with best play of both players: odd
    /// for won positions, even for lost ones.
    pub plies: u32,
    /// The number of these positions.
    pub found: ByMaterial,
}

/// A function that receives every decided position: the depth in plies, a row, and the positions of
/// the row. The mover wins after an odd number of plies and loses after an even one. A row is
/// passed at most once in an iteration, in any order and on any thread.
pub type OnDecided<'a> = &'a (dyn Fn(u32, usize, &Found) + Sync);

/// The result of an analysis.
pub struct Solved {
    /// Positions lost for the mover.
    pub lost: BitSet,
    /// Positions won for the mover. Bits that stand for no position may be set as well.
    pub won: BitSet,
    /// The results of the iterations, without the last one, which found nothing.
    pub iterations: Vec<Iteration>,
    /// The number of all positions.
    pub positions: ByMaterial,
}

/// Bytes of the bit sets of a game.
pub fn set_bytes(layout: &Layout) -> u64 {
    bytes(layout.rows(), layout.places())
}

/// The memory that an analysis takes, in bytes: the bit sets, and the depths of lost positions. One
/// position in four is lost, and a tenth of these take two bytes each.
pub fn solving_bytes(layout: &Layout) -> u64 {
    set_bytes(layout) / 6 * 7
}

/// Analyses all positions of a game.
pub fn solve(
    layout: &Layout,
    on_decided: OnDecided,
    monitor: &Monitor,
) -> Result<Solved, SolveError> {
    let mut analysis = Retrograde::begin(layout)?;
    while analysis.iterate(on_decided, monitor)?.is_some() {}
    Ok(analysis.finish())
}

/// An analysis between two iterations.
pub struct Retrograde<'l> {
    layout: &'l Layout,
    lost: TrackedSet,
    won: TrackedSet,
    iterations: Vec<Iteration>,
    positions: ByMaterial,
}

impl<'l> Retrograde<'l> {
    /// The state before the first iteration.
    pub fn begin(layout: &'l Layout) -> Result<Retrograde<'l>, SolveError> {
        let empty = || TrackedSet::new(layout.rows(), layout.places());
        Ok(Retrograde {
            lost: empty()?,
            won: empty()?,
            iterations: Vec::new(),
            positions: count_positions(layout),
            layout,
        })
    }

    /// Resumes an analysis after these iterations, the last of which found lost positions. Returns
    /// `None` if their counts are not those of the positions.
    ///
    /// `codes` returns the codes of the positions of a row that are lost in exactly the given
    /// number of plies; it is called for 4 plies and more. The first two iterations are repeated.
    pub fn resume(
        layout: &'l Layout,
        iterations: Vec<Iteration>,
        codes: impl Fn(u32, usize) -> Vec<u32> + Sync,
        monitor: &Monitor,
    ) -> Result<Option<Retrograde<'l>>, SolveError> {
        let mut analysis = Retrograde::begin(layout)?;
        for _ in 0..2 {
            analysis.iterate(&|_, _, _| {}, monitor)?;
        }
        let last = iterations.len() as u32;
        // The numbers of positions that are lost in 4, 6, ... plies, and of those won before the last
        // iteration.
        let (mut lost, mut won) = (Vec::new(), ByMaterial::default());
        if last > 2 {
            for plies in (4..last).step_by(2) {
                lost.push(analysis.lost.add_codes(layout, |row| codes(plies, row)));
            }
            // The won positions follow from those lost before the last iteration.
            analysis.lost.mark_all();
            monitor.begin("what was won before", layout.rows() as u64);
            won = analysis.extend(1, &|_, _, _| {}, monitor)?.unwrap_or_default();
            analysis.lost.unmark_all();
            lost.push(analysis.lost.add_codes(layout, |row| codes(last, row)));
        }
        let repeated = std::mem::replace(&mut analysis.iterations, iterations);
        let mut won_before = ByMaterial::default();
        let is_right = analysis.iterations.iter().all(|Iteration { plies, found }| {
            match plies {
                1 | 2 => {
                    repeated.get(*plies as usize - 1).is_some_and(|first| first.found == *found)
                }
                // Of won positions the sum is known.
                _ if plies % 2 == 1 => {
                    let is_possible = found.is_within(&analysis.positions);
                    if is_possible {
                        won_before.add(found);
                    }
                    is_possible
                }
                _ => lost.get(*plies as usize / 2 - 2) == Some(found),
            }
        });
        Ok((is_right && won_before == won).then_some(analysis))
    }

    /// The results of the iterations so far.
    pub fn iterations(&self) -> &[Iteration] {
        &self.iterations
    }

    /// Performs an iteration. Returns `None` if it found nothing: then the analysis is complete.
    pub fn iterate(
        &mut self,
        on_decided: OnDecided,
        monitor: &Monitor,
    ) -> Result<Option<&Iteration>, SolveError> {
        let plies = self.iterations.len() as u32 + 1;
        let last = self.iterations.last().map(|iteration| {
            let result = if iteration.plies % 2 == 1 { "won" } else { "lost" };
            format!(", after {} {result} in {}", iteration.found.total(), iteration.plies)
        });
        let what = format!("ply {plies}{}", last.unwrap_or_default());
        monitor.begin(&what, self.layout.rows() as u64);
        let Some(found) = self.extend(plies, on_decided, monitor)? else { return Ok(None) };
        self.iterations.push(Iteration { plies, found });
        Ok(self.iterations.last())
    }

    /// Ends the analysis.
    pub fn finish(self) -> Solved {
        let Retrograde { lost, won, iterations, positions, .. } = self;
        Solved { lost: lost.bits, won: won.bits, iterations, positions }
    }

    /// Extends one of the sets by the positions decided in this number of plies, and counts them.
    /// `None` if there are no such positions.
    fn extend(
        &mut self,
        plies: u32,
        on_decided: OnDecided,
        monitor: &Monitor,
    ) -> Result<Option<ByMaterial>, SolveError> {
        let (extended, read) = match plies % 2 {
            1 => (&mut self.won, &self.lost),
            _ => (&mut self.lost, &self.won),
        };
        let step = Step { layout: self.layout, read, plies, on_decided };
        let begin = || Buffers::new(self.layout);
        let done = parallel::fold(extended.blocks_mut(), begin, |buffers, rows| {
            monitor.check()?;
            monitor.advance(rows.len() as u64);
            for (row, mut out) in rows {
                // The marks of the last iteration but one.
                out.unmark();
                step.row(row, out, buffers);
            }
            Ok::<_, SolveError>(())
        })?;
        let any = done.iter().any(|buffers| buffers.any);
        let counts = done.into_iter().map(|buffers| buffers.count);
        Ok(any.then(|| counts.fold(ByMaterial::default(), ByMaterial::plus)))
    }
}

fn count_positions(layout: &Layout) -> ByMaterial {
    let begin = <(Found, ByMaterial)>::default;
    let Ok(counted) = parallel::fold(0..layout.rows(), begin, |(found, count), row| {
        found.clear();
        layout.positions(row, found);
        count.add_found(layout, row, found);
        Ok::<_, Infallible>(())
    });
    let counts = counted.into_iter().map(|(_, count)| count);
    counts.fold(ByMaterial::default(), ByMaterial::plus)
}

/// The buffers of a thread.
struct Buffers {
    reached: Reached,
    found: Found,
    count: ByMaterial,
    /// Whether anything was found.
    any: bool,
}

impl Buffers {
    fn new(layout: &Layout) -> Buffers {
        Buffers {
            reached: Reached::new(layout.places()),
            found: Found::default(),
            count: ByMaterial::default(),
            any: false,
        }
    }
}

/// One iteration.
struct Step<'a> {
    layout: &'a Layout,
    /// The set that is read.
    read: &'a TrackedSet,
    plies: u32,
    on_decided: OnDecided<'a>,
}

impl Step<'_> {
    /// Extends a row of the other set.
    fn row(&self, row: usize, mut out: RowMut, buffers: &mut Buffers) {
        let (layout, is_won, is_first) = (self.layout, self.plies % 2 == 1, self.plies == 1);
        let Buffers { reached, found, count, any } = buffers;
        found.clear();
        if is_won {
            layout.won(row, self.read, out.words, is_first, reached, found);
        } else {
            layout.lost(row, self.read, out.words, found);
        }
        if found.is_empty() && !(is_won && is_first) {
            return;
        }
        out.add(found, layout.places());
        count.add_found(layout, row, found);
        if !found.is_empty() {
            *any = true;
            (self.on_decided)(self.plies, row, found);
        }
        if is_won {
            layout.complete_won(row, found, is_first, &mut out);
        }
        out.mark_sections(layout.places());
    }
}
