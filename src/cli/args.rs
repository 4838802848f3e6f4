//! The arguments of the command line.

use super::flags;
use super::flags::{flags, given};
use crate::memory::Share;
use bsq_api::command;
use bsq_api::tables::manifest::FileFormat;
use bsq_engine::definition::Definition as _;
use bsq_engine::options::borrowed;
use bsq_engine::parallel::most_threads;
use bsq_engine::record::{Recorded as _, set_options};
use bsq_games::british_square::{Definition, MAX_SOLVED_CELLS, Rules};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{ArgMatches, Args as ClapArgs, FromArgMatches, ValueEnum, ValueHint};
use std::fmt::Display;
use std::path::PathBuf;
use std::str::FromStr;

/// The examples of the help and of the manual page.
pub const EXAMPLES: &str = "  \
  bsq solve                                  the value of every first move
  bsq solve '..... .X... ..... ...O. ..... X'
  bsq solve 5x6 --values --pv                with the principal variation
  bsq analyze list                           the list of analyses
  bsq analyze playouts
  bsq analyze variants --center-allowed
  bsq analyze all --out results
  bsq analyze scores --plot scores.svg       with a chart
  bsq query 'best_moves = 1' --by ply        states with a single best move
  bsq export states --board 4x5 --out all    every state with its value, as CSV
  bsq test-heuristic greedy --failures greedy.csv
  bsq test-heuristic 'most claim, most free-difference' --from-start
  bsq search-heuristic beam --board 4x5 --max-rules 2
  bsq play --second perfect                  against perfect play
  bsq serve                                  in a browser, and as an HTTP API
  bsq games                                  all games, with the same verbs
  bsq dots solve 3x3 --values --pv
  bsq mnk play 4x4 --k 4 --second mistakes-25
  bsq rpsw tablebase build small.db --pieces 2
  bsq rpsw play --tablebase small.db";

/// Conventions of all results.
pub const NOTES: &str = "\
Scores are the first player's points minus the second player's.
Tiles are numbered from 1, by rows from the top left; 8 is also c2.";

/// The examples of `bsq export`.
pub const EXPORT_EXAMPLES: &str = "\
Sets of cells are integers with a bit for each tile: 1 for tile 1, 2 for tile 2, 4 for tile 3, ...
The manifest, datapackage.json, describes each column.

Examples:
  bsq export list
  bsq export positions 'score = 2' --board 4x4 -o two.csv
  bsq export positions --moves c2 --show ply,score,position --out below
  bsq export moves best --show ply,move,position -o best.parquet
  bsq export states --board 4x6 --bias 2 --format parquet --out states";

/// `bsq plot`.
#[derive(Debug, ClapArgs)]
#[command(after_help = PLOT_EXAMPLES)]
pub struct Plot {
    /// A table that an analysis wrote as CSV, or - for standard input. The rules are read from the
    /// manifest beside it (datapackage.json), if there is one
    pub csv: PathBuf,
    /// Write the chart to this file, .svg or .png [default: SVG on standard output]
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Use a dark background [default: white in PNG; light or dark in SVG, as the reader prefers]
    #[arg(long)]
    pub dark: bool,
    /// Print only errors
    #[arg(long, short)]
    pub quiet: bool,
}

/// The examples of `bsq plot`.
const PLOT_EXAMPLES: &str = "\
Examples:
  bsq analyze scores --out results && bsq plot results/scores.csv -o scores.svg
  bsq analyze blunders --board 4x4 | bsq plot - -o blunders.svg";

/// `bsq check`.
#[derive(Debug, ClapArgs)]
pub struct Check {
    /// Also compare the numbers that take minutes or longer
    #[arg(long)]
    pub all: bool,
    /// Also compare the numbers of rock-paper-scissors-well, which are read from a tablebase of the whole
    /// game
    #[arg(long, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub tablebase: Option<PathBuf>,
    #[command(flatten)]
    pub memory: MemoryArg,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// `bsq merge`.
#[derive(Debug, ClapArgs)]
#[command(after_help = MERGE_EXAMPLES)]
pub struct Merge {
    /// The files of all parts, in any order
    #[arg(required = true, value_hint = ValueHint::FilePath)]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub plot: PlotArgs,
    #[command(flatten)]
    pub table: TableArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// The examples of `bsq merge`.
const MERGE_EXAMPLES: &str = "\
Examples:
  bsq analyze states --method sets --board 5x6 --part 1/2 -o 1.part
  bsq analyze states --method sets --board 5x6 --part 2/2 -o 2.part
  bsq merge 1.part 2.part";

/// Flags about which table is printed.
#[derive(Clone, Debug, ClapArgs)]
#[command(next_help_heading = "Output")]
pub struct TableArgs {
    /// Print this table instead of the main one; 'total' is the total of that, and an unknown name
    /// lists all
    #[arg(long, value_name = "NAME")]
    pub table: Option<String>,
    /// Explain the columns of all tables instead of printing the rows
    #[arg(long, conflicts_with_all = ["table", "format", "file", "out"])]
    pub describe: bool,
    /// Print the rows side by side, each as a column
    #[arg(long, conflicts_with_all = ["describe", "format", "file", "out"])]
    pub compare: bool,
}

/// Flags about a picture of an analysis.
#[derive(Clone, Debug, ClapArgs)]
#[command(next_help_heading = "Output")]
pub struct PlotArgs {
    /// Draw a chart of the result in this file, .svg or .png; needs a build with all features
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    /// Use a dark background [default: white in PNG; light or dark in SVG, as the reader prefers]
    #[arg(long, requires = "plot")]
    pub dark: bool,
}

/// `bsq search-heuristic`.
#[derive(Debug, ClapArgs)]
pub struct SearchHeuristic {
    /// The method of the search
    #[arg(value_enum, default_value_t = WayName::Beam)]
    pub way: WayName,
    /// The largest number of rules in a list
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = at_least_one)]
    pub max_rules: usize,
    /// The highest difficulty of a list
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub max_difficulty: u32,
    /// Use only these features, separated by commas [default: all features of territory]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub features: Vec<String>,
    /// Also try rules with conditions on these features, separated by commas, such as regions
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub conditions: Vec<String>,
    /// Also try rules about the position after the opponent's reply; takes more time and memory
    #[arg(long)]
    pub replies: bool,
    /// local: also try limits, such as 'most claim up to 2'
    #[arg(long)]
    pub limits: bool,
    /// beam: the number of lists of each length that are extended
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = at_least_one)]
    pub width: usize,
    /// local: the number of rounds, of eight walks each
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub rounds: u64,
    /// local: the number of changes tried in a walk
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub steps: u64,
    /// local: the random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Also start from this list, a name or rules; can be given more than once
    #[arg(long, value_name = "LIST")]
    pub start: Vec<String>,
    /// Also look up names in this file
    #[arg(long, value_name = "FILE")]
    pub lists: Option<PathBuf>,
    /// Save the progress to this file after every round, and resume from it if it exists; all flags
    /// but --rounds must be the same
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    #[command(flatten)]
    pub memory: MemoryArg,
    #[command(flatten)]
    pub rules: RuleFlags,
    #[command(flatten)]
    pub plot: PlotArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// The flag for the memory of a command whose flags are not derived from a game.
#[derive(Clone, Copy, Debug)]
pub struct MemoryArg {
    /// The limit in bytes.
    pub limit: u64,
}

impl ClapArgs for MemoryArg {
    fn augment_args(command: clap::Command) -> clap::Command {
        flags::memory(command, Share::ThreeQuarters)
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        MemoryArg::augment_args(command)
    }
}

impl FromArgMatches for MemoryArg {
    fn from_arg_matches(matches: &ArgMatches) -> Result<MemoryArg, clap::Error> {
        Ok(MemoryArg { limit: flags::memory_limit(matches, Share::ThreeQuarters) })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = MemoryArg::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Ways to look for rule lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum WayName {
    /// Every list of up to that many rules.
    Exhaustive,
    /// The best lists of each length, extended by every rule.
    Beam,
    /// Random changes of lists and weights.
    Local,
}

/// The rules of British Square that the flags of its options describe. Commands that value every
/// state take smaller boards than others.
#[derive(Clone, Debug)]
pub struct RuleFlags(pub Rules);

impl RuleFlags {
    /// The flags that differ from their defaults.
    pub fn written(&self) -> String {
        let RuleFlags(rules) = self;
        let entries = rules.entries();
        let entries: Vec<(&str, &str)> =
            entries.iter().map(|(name, value)| (*name, value.as_str())).collect();
        command::flags(&rules.format().options, &entries)
    }
}

impl ClapArgs for RuleFlags {
    fn augment_args(command: clap::Command) -> clap::Command {
        let command = flags(command, &Definition.rules().format().options, Some("Rules"));
        command.mut_arg("board", |board| board.help(solved_board()))
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        RuleFlags::augment_args(command)
    }
}

impl FromArgMatches for RuleFlags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<RuleFlags, clap::Error> {
        let rules = Definition.rules();
        let given = given(&rules.format().options, matches);
        set_options(rules, &borrowed(&given)).map(RuleFlags).map_err(|(name, why)| {
            let message = format!("--{}: {why}\n", name.replace(' ', "-"));
            clap::Error::raw(ErrorKind::ValueValidation, message)
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = RuleFlags::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The help of the board in commands that value every state of British Square.
pub fn solved_board() -> String {
    format!("Rows x columns, up to {MAX_SOLVED_CELLS} cells [default: 5x5]")
}

/// Flags about where results go and how the work is done.
#[derive(Clone, Debug, ClapArgs)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs {
    /// Format of the result; Parquet and Arrow need -o or --out [default: table on a terminal,
    /// otherwise CSV]
    #[arg(long, short, value_enum)]
    pub format: Option<Format>,
    /// Write the result to this file; its extension (.txt, .csv, .json, .jsonl, .parquet, .arrow)
    /// determines the format, unless --format does
    #[arg(long = "output", short = 'o', value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: Option<PathBuf>,
    /// Write all tables and their manifest to this folder, as CSV or with --format jsonl, parquet or
    /// arrow
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub out: Option<PathBuf>,
    /// Whether a picture is written as well.
    #[arg(skip)]
    pub is_plotted: bool,
    /// Which table is printed, in commands in which that can be chosen.
    #[arg(skip)]
    pub shown: Option<TableArgs>,
    #[command(flatten)]
    pub work: WorkArgs,
}

impl OutputArgs {
    /// The output of a command that only prints its results.
    pub fn printed(format: Option<Format>, work: WorkArgs) -> OutputArgs {
        OutputArgs { format, file: None, out: None, is_plotted: false, shown: None, work }
    }

    /// The output of a command that prints a table of several, which can be chosen.
    pub fn of_tables(matches: &ArgMatches) -> Result<OutputArgs, clap::Error> {
        let shown = Some(TableArgs::from_arg_matches(matches)?);
        Ok(OutputArgs { shown, ..OutputArgs::from_arg_matches(matches)? })
    }

    /// The format of the files in the folder.
    pub fn files(&self) -> FileFormat {
        self.format.map_or(FileFormat::Csv, Format::of_files)
    }
}

/// Flags of a command that only prints its results.
#[derive(Clone, Debug, ClapArgs)]
pub struct PrintArgs {
    /// Format of the result [default: table on a terminal, otherwise CSV]
    #[arg(long, short, value_enum)]
    pub format: Option<Format>,
    #[command(flatten)]
    pub work: WorkArgs,
}

/// Flags about how the work is done.
#[derive(Clone, Debug, ClapArgs)]
#[command(next_help_heading = "Output")]
pub struct WorkArgs {
    /// Number of threads [default: one per core]
    #[arg(long, short = 'j', value_name = "N", value_parser = threads())]
    pub threads: Option<usize>,
    /// Print only the result and errors, without progress and notes
    #[arg(long, short, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Also print seconds, threads, memory and work on standard error
    #[arg(long, short)]
    pub verbose: bool,
    /// Write details of the work to this file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub log: Option<PathBuf>,
}

/// How results are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Aligned columns, for reading.
    Table,
    /// Plain numbers, one row per line.
    Csv,
    /// JSON, for programs.
    Json,
    /// JSON, an object per row and line.
    Jsonl,
    /// Exact types, compressed; needs a build with all features.
    Parquet,
    /// Exact types, as an IPC file of Arrow; needs a build with all features.
    Arrow,
}

impl Format {
    /// The format of the tables in a folder: CSV if tables are printed for reading or as one document.
    pub fn of_files(self) -> FileFormat {
        match self {
            Format::Table | Format::Csv | Format::Json => FileFormat::Csv,
            Format::Jsonl => FileFormat::JsonLines,
            Format::Parquet => FileFormat::Parquet,
            Format::Arrow => FileFormat::Arrow,
        }
    }

    /// Whether the format is for files only.
    pub fn is_binary(self) -> bool {
        matches!(self, Format::Parquet | Format::Arrow)
    }
}

/// The formats of files by their names.
pub fn file_format() -> impl TypedValueParser<Value = FileFormat> {
    PossibleValuesParser::new(["csv", "jsonl", "parquet", "arrow"]).map(|name| match &*name {
        "jsonl" => FileFormat::JsonLines,
        "parquet" => FileFormat::Parquet,
        "arrow" => FileFormat::Arrow,
        _ => FileFormat::Csv,
    })
}

/// Rejects a text that looks like a flag. Positions of Dots-and-Boxes may begin with a hyphen.
pub fn parse_no_flag(text: &str) -> Result<String, String> {
    let named = text.trim_start_matches('-');
    if named.len() < text.len() && named.starts_with(|first: char| first.is_ascii_alphabetic()) {
        Err("there is no such flag; --help lists the flags".to_string())
    } else {
        Ok(text.to_string())
    }
}

/// Parses a number of threads, up to the [largest](most_threads) that makes sense.
fn threads() -> impl Fn(&str) -> Result<usize, String> + Clone {
    within(1, most_threads())
}

/// Parses an integer from `least` to `most`.
pub fn within<T>(least: T, most: T) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: FromStr + PartialOrd + Display + Copy,
{
    move |text: &str| {
        let number = text.trim().parse().ok().filter(|number| (least..=most).contains(number));
        number.ok_or_else(|| format!("write a number from {least} to {most}"))
    }
}

fn at_least_one(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|&number: &usize| number > 0);
    number.ok_or_else(|| format!("'{text}' is not a number of at least 1"))
}

/// Replaces the names of parameters, which are in braces, by flags.
pub fn with_flags(summary: &str) -> String {
    summary.replace("{parameters}", "flags").replace('{', "--").replace('}', "")
}
