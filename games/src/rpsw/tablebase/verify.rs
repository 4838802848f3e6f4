//! Checks of a tablebase against the rules.
//!
//! There are three checks, each stronger and slower than the previous one: the checksum and the
//! entries of every block; a random sample of positions, whose depths to win must follow from those
//! of their successors; and solving the game again, which must give the same bytes.

use super::solution::{StoredRows, WriteError};
use super::{Problem, Tablebase, TablebaseError, drawn_symbol};
use crate::rpsw::{Dtw, Position};
use bsq_engine::error::{HasKind, Kind};
use bsq_engine::game::{Game, Notation};
use bsq_engine::monitor::{Monitor, SolveError};
use bsq_engine::parallel;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;
use std::io::{self, Write};

/// A file that did not pass, or a check that was cancelled.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VerifyError {
    /// The file is damaged or wrong.
    #[error(transparent)]
    Tablebase(#[from] TablebaseError),
    /// The caller cancelled the check.
    #[error(transparent)]
    Stopped(#[from] SolveError),
}

impl HasKind for VerifyError {
    fn kind(&self) -> Kind {
        match self {
            VerifyError::Tablebase(error) => error.kind(),
            VerifyError::Stopped(error) => error.kind(),
        }
    }
}

/// Numbers of sampled positions by outcome for the player to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sample {
    /// Won positions.
    pub won: u64,
    /// Lost positions.
    pub lost: u64,
    /// Drawn positions.
    pub drawn: u64,
}

impl Sample {
    /// All sampled positions.
    pub fn positions(&self) -> u64 {
        self.won + self.lost + self.drawn
    }

    fn plus(self, other: Sample) -> Sample {
        Sample {
            won: self.won + other.won,
            lost: self.lost + other.lost,
            drawn: self.drawn + other.drawn,
        }
    }
}

impl Tablebase {
    /// Compares every block with its checksum, every entry with the rules, and the counts of all
    /// with the census. Returns the number of stored positions.
    pub fn check_blocks(&self, monitor: &Monitor) -> Result<u64, VerifyError> {
        monitor.begin("blocks", self.rows() as u64);
        let symbols = drawn_symbol(self.census()) as usize + 1;
        let none = || vec![0; symbols];
        let counts = parallel::fold(0..self.rows(), none, |counts, row| {
            monitor.check()?;
            monitor.advance(1);
            for (position, symbol) in self.stored(row)? {
                *counts.get_mut(symbol as usize).ok_or_else(|| self.damaged(row))? +=
                    u64::from(self.is_counted(&position));
            }
            Ok::<_, VerifyError>(())
        })?;
        let counts: Vec<u64> =
            (0..symbols).map(|symbol| counts.iter().map(|counts| counts[symbol]).sum()).collect();
        self.check_counts(&counts)?;
        if self.file.is_intact() {
            Ok(counts.iter().sum())
        } else {
            Err(self.file.error(Problem::Damaged("its blocks")).into())
        }
    }

    fn check_counts(&self, counts: &[u64]) -> Result<(), TablebaseError> {
        let census = self.census();
        for (symbol, &found) in counts.iter().enumerate() {
            let (what, said) = match self.of_symbol(symbol as u32) {
                Some(Dtw::Lost(plies)) => (
                    format!("lost in {plies} plies"),
                    census.iterations[plies as usize - 1].total(),
                ),
                _ => ("drawn".to_string(), census.drawn()),
            };
            if found != said {
                let wrong = format!("{found} positions are {what}, and its census says {said}");
                return Err(self.file.error(Problem::Wrong(wrong)));
            }
        }
        Ok(())
    }

    /// Compares the depths to win of randomly drawn positions with those of their successors. The
    /// same seed draws the same positions.
    pub fn check_sample(
        &self,
        positions: u64,
        seed: u64,
        monitor: &Monitor,
    ) -> Result<Sample, VerifyError> {
        monitor.begin("positions", positions);
        let samples = (0..positions).into_par_iter().map(|number| {
            monitor.check()?;
            monitor.advance(1);
            let mut random = SmallRng::seed_from_u64(seed.wrapping_add(number.rotate_left(32)));
            let found = self.check_position(&self.random_position(&mut random))?;
            let mut sample = Sample::default();
            *match found {
                Dtw::Won(_) => &mut sample.won,
                Dtw::Lost(_) => &mut sample.lost,
                Dtw::Drawn => &mut sample.drawn,
            } += 1;
            Ok(sample)
        });
        samples.try_reduce(Sample::default, |one, other| Ok(one.plus(other)))
    }

    /// The least probability with which a sampled position is a given one.
    pub fn least_probability(&self) -> f64 {
        1.0 / (self.checked.len() as f64 * (self.layout.places() as f64).powi(4))
    }

    /// Compares the file byte by byte with the rows of a new solution.
    pub fn check_against(&self, rows: &StoredRows, monitor: &Monitor) -> Result<(), VerifyError> {
        let compared = Compared { wanted: self.file.bytes(), at: 0 };
        match rows.write_as(&self.file.header.program, compared, monitor) {
            Ok(length) if length == self.bytes() => Ok(()),
            Ok(_) => Err(self.file.error(Problem::Wrong("it is too long".to_string())).into()),
            Err(WriteError::Stopped(error)) => Err(error.into()),
            Err(error) => Err(self.file.error(Problem::Wrong(error.to_string())).into()),
        }
    }

    /// A random position that is not over: first a row, then one of its positions, each equally
    /// likely.
    fn random_position(&self, random: &mut SmallRng) -> Position {
        let codes = self.layout.places().pow(4) as u32;
        loop {
            let row = random.random_range(0..self.checked.len());
            if let Some(position) = self.layout.position(row, random.random_range(0..codes)) {
                return position;
            }
        }
    }

    fn check_position(&self, position: &Position) -> Result<Dtw, TablebaseError> {
        let stored = self.consistent(position)?;
        let follows = self.by_successors(position)?;
        if stored == follows {
            return Ok(stored);
        }
        let text = self.rules().format_position(position);
        let wrong = format!("{text} is {stored:?}, and after its moves it is {follows:?}");
        Err(self.file.error(Problem::Wrong(wrong)))
    }

    /// The depth to win of a position. Fails if the file contradicts it.
    pub(super) fn consistent(&self, position: &Position) -> Result<Dtw, TablebaseError> {
        self.depth_to_win(position)?.ok_or_else(|| {
            let position = self.rules().format_position(position);
            let wrong = format!("{position} is not stored, and no move of it wins");
            self.file.error(Problem::Wrong(wrong))
        })
    }

    fn by_successors(&self, position: &Position) -> Result<Dtw, TablebaseError> {
        let rules = self.rules();
        let after = rules.moves(position).into_iter();
        let after = after.map(|mv| Ok(self.consistent(&rules.play(position, mv))?.before()));
        let after: Vec<Dtw> = after.collect::<Result<_, TablebaseError>>()?;
        Ok(after.into_iter().max_by_key(|found| found.rank()).unwrap_or(Dtw::Drawn))
    }
}

/// A writer that fails at the first byte that differs from the expected ones.
struct Compared<'a> {
    wanted: &'a [u8],
    at: usize,
}

impl Write for Compared<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let wanted = self.wanted.get(self.at..).unwrap_or_default();
        let same = wanted.iter().zip(bytes).take_while(|(wanted, byte)| wanted == byte).count();
        if same < bytes.len() {
            return Err(io::Error::other(format!("byte {} is another one", self.at + same)));
        }
        self.at += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
