//! Parts of a count of states, as files.
//!
//! A count of states from sets of pieces is a sum over many sets. Each [`CountedPart`] has the sum
//! over some of them; [`merge`] adds all of them. A file consists of a
//! [`header`] with the analysis, the rules, the number of the part, and
//! the sums.

use crate::british_square::{Asked, described, note_time, states, terminals};
use crate::{Analysis, AnalysisError, Described, Method, Table};
use bsq_engine::definition::Definition as _;
use bsq_engine::error::{HasKind, Kind};
use bsq_engine::monitor::Monitor;
use bsq_engine::record::{Recorded as _, set_options};
use bsq_engine::storage::{Format, StorageError, header};
use bsq_games::british_square::count::sets::{Part, count_part};
use bsq_games::british_square::count::{LevelCount, StateCounts};
use bsq_games::british_square::{Definition, Rules};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// The format of the files.
pub const FORMAT: Format = Format { kind: "part of a count", noun: "part of a count", version: 1 };

/// A part of a count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountedPart {
    /// The name of the analysis.
    analysis: String,
    /// The values of the options of the rules, by name.
    rules: BTreeMap<String, String>,
    /// The number of the part, from 1.
    part: u64,
    /// The number of all parts.
    parts: u64,
    /// The sums.
    counts: StateCounts,
}

/// Computes the tables of counted states.
type Tables = fn(&Rules, &StateCounts) -> Vec<Table>;

/// The analyses of British Square that can be counted in parts.
const IN_PARTS: [(&str, Tables); 2] =
    [("states", states::tables), ("terminals", terminals::tables)];

/// The names of the analyses of British Square that can be counted in parts.
pub fn names() -> impl Iterator<Item = &'static str> {
    IN_PARTS.iter().map(|(name, _)| *name)
}

/// A part of a count, ready to be counted.
#[derive(Clone, Debug)]
pub struct PartJob {
    analysis: String,
    rules: Rules,
    part: Part,
}

impl PartJob {
    /// Checks a request about a part; the method must be [`Method::Sets`].
    ///
    /// # Errors
    ///
    /// If the request is invalid.
    pub fn prepare(
        analysis: &Analysis,
        given: &[(&str, &str)],
        part: Part,
    ) -> Result<PartJob, AnalysisError> {
        let name = analysis.name().to_string();
        if !names().any(|known| known == name) {
            return Err(AnalysisError::NoParts { analysis: name, divided: names().collect() });
        }
        let asked = Asked::of(&analysis.request(given)?)?;
        asked.check_counts()?;
        match asked.method {
            Some(Method::Sets) => Ok(PartJob { analysis: name, rules: asked.rules, part }),
            _ => Err(AnalysisError::PartMethod),
        }
    }

    /// Counts the part.
    ///
    /// # Errors
    ///
    /// If the count is stopped.
    pub fn count(&self, monitor: &Monitor) -> Result<CountedPart, AnalysisError> {
        note_time(&self.rules, self.part, monitor);
        let counts = count_part(&self.rules, self.part, monitor)?;
        let entries = self.rules.entries().into_iter();
        Ok(CountedPart {
            analysis: self.analysis.clone(),
            rules: entries.map(|(name, value)| (name.to_string(), value)).collect(),
            part: self.part.number(),
            parts: self.part.parts(),
            counts,
        })
    }
}

/// All parts of a count, added.
#[derive(Clone, Debug)]
pub struct Merged {
    analysis: &'static str,
    tables: Tables,
    rules: Rules,
    counts: StateCounts,
}

/// Why parts cannot be merged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PartsError {
    /// A file cannot be read.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// There is no file.
    #[error("there are no parts to merge")]
    None,
    /// A file is a part of another count than the first one.
    #[error("{path} is one of {found}, but {first} is one of {wanted}")]
    Foreign {
        /// The file.
        path: String,
        /// The parts to which the file belongs.
        found: String,
        /// The first file.
        first: String,
        /// The parts to which the first file belongs.
        wanted: String,
    },
    /// Two files are the same part.
    #[error("{} and {} are both part {part}", paths[0], paths[1])]
    Doubled {
        /// The files.
        paths: [String; 2],
        /// The part, such as `3/64`.
        part: String,
    },
    /// Some parts are missing.
    #[error("of {parts}, these are missing: {missing}")]
    Missing {
        /// The parts to which the files belong.
        parts: String,
        /// The numbers of the missing parts, as text.
        missing: String,
    },
}

impl HasKind for PartsError {
    fn kind(&self) -> Kind {
        match self {
            PartsError::Storage(error) => error.kind(),
            _ => Kind::Usage,
        }
    }
}

impl CountedPart {
    /// The content of the file.
    ///
    /// # Errors
    ///
    /// None in practice: the encoding of numbers and texts does not fail.
    pub fn encode(&self) -> io::Result<String> {
        FORMAT.encode(&header::program(), self)
    }

    /// Reads a file.
    ///
    /// # Errors
    ///
    /// If it cannot be read, is no part, or is damaged.
    pub fn read(path: &Path) -> Result<CountedPart, StorageError> {
        let missing = || {
            let error = io::Error::new(ErrorKind::NotFound, "there is no such file");
            StorageError::system("read", path, &error)
        };
        FORMAT.read::<CountedPart>(path)?.ok_or_else(missing)?.checked(path)
    }

    /// Reads the content of a file. The name is that of the part in errors.
    ///
    /// # Errors
    ///
    /// If it is no part, or is damaged.
    pub fn decode(name: &str, content: &str) -> Result<CountedPart, StorageError> {
        let name = Path::new(name);
        let header = FORMAT.decode::<CountedPart>(content.as_bytes());
        header.map_err(|error| FORMAT.error(name, error))?.metadata.checked(name)
    }

    /// The part, if it can be one.
    fn checked(self, path: &Path) -> Result<CountedPart, StorageError> {
        match self.check() {
            Ok(()) => Ok(self),
            Err(why) => Err(StorageError::damaged(path, why)),
        }
    }

    /// Reports what cannot be true of any part. Sums of parts that pass do not overflow.
    fn check(&self) -> Result<(), String> {
        if Part::new(self.part, self.parts).is_none() {
            return Err(format!("there is no part {} of {}", self.part, self.parts));
        }
        self.analysis()?;
        self.rules()?;
        let levels = &self.counts.levels;
        let numbers =
            levels.iter().flat_map(|level| level.by_moves.iter().chain([&level.terminals]));
        let is_possible = levels.len() <= MOST_TURNS
            && levels.iter().all(|level| level.by_moves.len() <= MOST_CELLS + 1)
            && self.counts.terminals.keys().all(|lead| lead.unsigned_abs() as usize <= MOST_CELLS)
            && numbers.chain(self.counts.terminals.values()).all(|&number| number <= MOST_STATES);
        let terminals = |level: &LevelCount| level.terminals;
        let by_turn = || levels.iter().map(terminals).sum::<u128>();
        if !is_possible || by_turn() != self.counts.terminals.values().sum::<u128>() {
            return Err("its numbers cannot be those of a count".to_string());
        }
        Ok(())
    }

    fn analysis(&self) -> Result<(&'static str, Tables), String> {
        let known = IN_PARTS.into_iter().find(|(name, _)| *name == self.analysis);
        known.ok_or_else(|| format!("'{}' is not counted in parts", self.analysis))
    }

    fn rules(&self) -> Result<Rules, String> {
        let given = self.rules.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let rules = set_options(Definition.rules(), &given.collect::<Vec<_>>());
        let rules = rules.map_err(|(_, why)| why)?;
        rules.check().map_err(|error| error.to_string())?;
        Ok(rules)
    }

    /// The parts to which the part belongs, such as `3 parts of 'states' of 5x5 standard`.
    fn description(&self) -> String {
        let rules = self.rules().map(|rules| crate::rules_label(&rules)).unwrap_or_default();
        format!("{} parts of '{}' of {rules}", self.parts, self.analysis)
    }

    /// Whether another part is of the same count.
    fn belongs_to(&self, other: &CountedPart) -> bool {
        (&self.analysis, &self.rules, self.parts) == (&other.analysis, &other.rules, other.parts)
    }
}

/// The largest number of cells of a board.
const MOST_CELLS: usize = 64;
/// The largest number of turns: each cell is filled or a pass.
const MOST_TURNS: usize = 2 * MOST_CELLS + 2;
/// More than twice 3^64, the number of ways to fill 64 cells.
const MOST_STATES: u128 = 1 << 103;

/// Reads and adds all parts of a count, in any order.
///
/// # Errors
///
/// If a file cannot be read or is damaged, or if the files are not each part of one count once.
pub fn merge(paths: &[PathBuf]) -> Result<Merged, PartsError> {
    let read = |path: &PathBuf| Ok((path.display().to_string(), CountedPart::read(path)?));
    merge_parts(paths.iter().map(read))
}

/// Adds all parts of a count, in any order, each with its name.
///
/// # Errors
///
/// The first error of the parts, or if they are not each part of one count once.
pub fn merge_parts(
    parts: impl IntoIterator<Item = Result<(String, CountedPart), StorageError>>,
) -> Result<Merged, PartsError> {
    let mut first: Option<(String, CountedPart)> = None;
    let mut found: BTreeMap<u64, String> = BTreeMap::new();
    let mut counts = StateCounts::default();
    for part in parts {
        let (name, part) = part?;
        if let Some((first, other)) = first.as_ref().filter(|(_, other)| !part.belongs_to(other)) {
            return Err(PartsError::Foreign {
                path: name,
                found: part.description(),
                first: first.clone(),
                wanted: other.description(),
            });
        }
        if let Some(other) = found.insert(part.part, name.clone()) {
            let part = format!("{}/{}", part.part, part.parts);
            return Err(PartsError::Doubled { paths: [other, name], part });
        }
        counts.absorb(&part.counts);
        first.get_or_insert((name, part));
    }
    let (name, first) = first.ok_or(PartsError::None)?;
    if (found.len() as u64) < first.parts {
        let missing = missing(&found, first.parts);
        return Err(PartsError::Missing { parts: first.description(), missing });
    }
    let invalid = |why| StorageError::damaged(Path::new(&name), why);
    let (analysis, tables) = first.analysis().map_err(invalid)?;
    Ok(Merged { analysis, tables, rules: first.rules().map_err(invalid)?, counts })
}

/// The numbers from 1 to `parts` that are not among those found, as text such as `3, 7-9`. At most
/// a few ranges are listed.
fn missing(found: &BTreeMap<u64, String>, parts: u64) -> String {
    const MOST: usize = 8;
    let mut ranges = Vec::new();
    let mut next = 1;
    for number in found.keys().copied().chain([parts + 1]) {
        match number - next {
            0 => {}
            1 => ranges.push(next.to_string()),
            _ => ranges.push(format!("{next}-{}", number - 1)),
        }
        next = number + 1;
    }
    if ranges.len() > MOST {
        ranges.truncate(MOST);
        ranges.push("...".to_string());
    }
    ranges.join(", ")
}

impl Merged {
    /// The name of the analysis.
    pub fn analysis(&self) -> &'static str {
        self.analysis
    }

    /// The rules that were given, by the names of their options.
    pub fn given(&self) -> Vec<(String, String)> {
        let entries = self.rules.entries().into_iter();
        entries.map(|(name, value)| (name.to_string(), value)).collect()
    }

    /// The rules as they are presented with results.
    pub fn described(&self) -> Described {
        described(&self.rules)
    }

    /// The tables of the undivided analysis.
    pub fn tables(&self) -> Vec<Table> {
        (self.tables)(&self.rules, &self.counts)
    }
}
