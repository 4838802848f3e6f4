//! Whether a file is what the rules say.
//!
//! Three ways, each more than the one before: the checksum of every block; a sample of positions,
//! whose verdicts must follow from those of the positions after them; and the whole game solved
//! again, which must give the same bytes.

use super::solution::{StoredRows, WriteError};
use super::{Problem, Tablebase, TablebaseError, drawn_symbol};
use crate::rpsw::value::{Store, Verdict, VerdictError};
use crate::rpsw::{Position, Rules};
use bsq_engine::game::{Game, Notation};
use bsq_engine::monitor::{Monitor, SolveError};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;
use std::io::{self, Write};

/// Why a file was not found right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VerifyError {
    /// It is not.
    #[error(transparent)]
    Tablebase(#[from] TablebaseError),
    /// The caller wanted an end.
    #[error(transparent)]
    Stopped(#[from] SolveError),
}

/// How the positions of a sample are worth what they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sample {
    /// Won positions in it.
    pub won: u64,
    /// Lost ones.
    pub lost: u64,
    /// Drawn ones.
    pub drawn: u64,
}

impl Sample {
    /// All of them.
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
    /// Reads every block and compares it with its checksum, every entry with the rules, and the
    /// counts of all with the census; tells how many positions are stored.
    pub fn check_blocks(&self, monitor: &Monitor) -> Result<u64, VerifyError> {
        monitor.begin("blocks", self.rows() as u64);
        let symbols = drawn_symbol(self.census()) as usize + 1;
        let counts = (0..self.rows()).into_par_iter().map(|row| -> Result<Vec<u64>, VerifyError> {
            monitor.check()?;
            monitor.advance(1);
            let mut counts = vec![0; symbols];
            for (position, symbol) in self.stored(row)? {
                *counts.get_mut(symbol as usize).ok_or_else(|| self.damaged(row))? +=
                    u64::from(self.is_counted(&position));
            }
            Ok(counts)
        });
        let add = |mut one: Vec<u64>, other: Vec<u64>| {
            one.iter_mut().zip(other).for_each(|(one, other)| *one += other);
            Ok(one)
        };
        let counts = counts.try_reduce(|| vec![0; symbols], add)?;
        self.check_counts(&counts)?;
        match self.file.is_intact() {
            true => Ok(counts.iter().sum()),
            false => Err(self.file.error(Problem::Damaged("its blocks")).into()),
        }
    }

    fn check_counts(&self, counts: &[u64]) -> Result<(), TablebaseError> {
        let census = self.census();
        for (symbol, &found) in counts.iter().enumerate() {
            let (what, said) = match self.verdict_of(symbol as u32) {
                Some(Verdict::Lost(plies)) => (
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

    /// Takes positions at random and compares the verdict of each with those of the positions after
    /// it. The same seed takes the same positions.
    pub fn check_sample(
        &self,
        positions: u64,
        seed: u64,
        monitor: &Monitor,
    ) -> Result<Sample, VerifyError> {
        monitor.begin("positions", positions);
        let sample = (0..positions).into_par_iter().map(|number| -> Result<Sample, VerifyError> {
            monitor.check()?;
            monitor.advance(1);
            let mut random = SmallRng::seed_from_u64(seed.wrapping_add(number.rotate_left(32)));
            let verdict = self.check_position(&self.random_position(&mut random))?;
            let mut one = Sample::default();
            *match verdict {
                Verdict::Won(_) => &mut one.won,
                Verdict::Lost(_) => &mut one.lost,
                Verdict::Drawn => &mut one.drawn,
            } = 1;
            Ok(one)
        });
        sample.try_reduce(Sample::default, |one, other| Ok(one.plus(other)))
    }

    /// Compares the file with what the rules give.
    pub fn check_against(&self, rows: &StoredRows, monitor: &Monitor) -> Result<(), VerifyError> {
        let compared = Compared { wanted: self.file.bytes(), at: 0 };
        match rows.write_as(&self.file.header.program, compared, monitor) {
            Ok(length) if length == self.bytes() => Ok(()),
            Ok(_) => Err(self.file.error(Problem::Wrong("it is too long".to_string())).into()),
            Err(WriteError::Io(error)) => {
                Err(self.file.error(Problem::Wrong(error.to_string())).into())
            }
            Err(WriteError::Stopped(error)) => Err(error.into()),
        }
    }

    /// Any position whose game goes on, each as likely as any other of its row.
    fn random_position(&self, random: &mut SmallRng) -> Position {
        let codes = self.layout.places().pow(4) as u32;
        loop {
            let row = random.random_range(0..self.checked.len());
            if let Some(position) = self.layout.position(row, random.random_range(0..codes)) {
                return position;
            }
        }
    }

    fn check_position(&self, position: &Position) -> Result<Verdict, TablebaseError> {
        let stored = self.verdict(position)?;
        let follows = self.verdict_from_next(position)?;
        if stored == follows {
            return Ok(stored);
        }
        let text = self.rules().format_position(position);
        let wrong = format!("{text} is {stored:?}, and after its moves it is {follows:?}");
        Err(self.file.error(Problem::Wrong(wrong)))
    }

    /// What a position is worth, errors in the words of the file.
    pub fn verdict(&self, position: &Position) -> Result<Verdict, TablebaseError> {
        self.rules().verdict(self, position).map_err(|error| self.explain(error))
    }

    fn verdict_from_next(&self, position: &Position) -> Result<Verdict, TablebaseError> {
        let rules: &Rules = self.rules();
        let after = rules.moves(position).into_iter();
        let after = after.map(|mv| Ok(self.verdict(&rules.play(position, mv))?.before()));
        let after: Vec<Verdict> = after.collect::<Result<_, TablebaseError>>()?;
        Ok(after.into_iter().min_by_key(|verdict| verdict.rank()).unwrap_or(Verdict::Drawn))
    }

    fn explain(&self, error: VerdictError<<Tablebase as Store>::Error>) -> TablebaseError {
        match error {
            VerdictError::Store(error) => error,
            VerdictError::Contradiction(position) => {
                let wrong = format!("{position} is not stored, and no move of it wins");
                self.file.error(Problem::Wrong(wrong))
            }
        }
    }
}

/// Takes bytes that must be these.
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
