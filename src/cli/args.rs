//! The arguments of the command line.

use bsq_analyses::{Method, of_game};
use bsq_games::british_square::{Board, Rules};
use bsq_games::dots::{Penalty, Variant};
use bsq_games::{british_square, dots};
use bytesize::ByteSize;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::parser::ValueSource;
use clap::{ArgMatches, Args as ClapArgs, FromArgMatches, Parser, Subcommand, ValueEnum};
use std::net::IpAddr;
use std::path::PathBuf;

/// The size of the board if none is given.
pub const DEFAULT_BOARD: &str = "5x5";

/// The examples of the help and of the manual page.
pub const EXAMPLES: &str = "  \
  bsq solve                                  value and map of the first moves
  bsq solve '..... .X... ..... ...O. ..... X'
  bsq solve 5x6 --values --pv                larger boards too
  bsq analyze list                           which analyses there are
  bsq analyze playouts
  bsq analyze variants --center-allowed
  bsq analyze all --out results
  bsq analyze scores --plot scores.svg       a chart, light or dark
  bsq export states --board 4x5 --out all    every state with its value, as CSV
  bsq test-heuristic greedy --failures greedy.csv
  bsq test-heuristic 'most claim, most free-difference' --from-start
  bsq search-heuristic beam --max-rules 4
  bsq play --second perfect                  values in sight, undo, hints
  bsq rpsw solve --pieces 2 --out small.db   the other game, every position
  bsq play --game rpsw --db small.db         every verdict in sight
  bsq play --game dots 3x3 --second perfect  Dots-and-Boxes
  bsq serve                                  the same for a browser
  bsq dots solve 3x3 --moves                 Dots-and-Boxes: every move, and best play";

/// Conventions of all results.
pub const NOTES: &str = "\
Scores are first player's points minus second player's, positive when the first wins.
Tiles are numbered from 1, by rows from the top left; 8 is also c2.";

/// Exact analysis of small two-player games, British Square first
#[derive(Debug, Parser)]
#[command(name = "bsq", version, after_help = format!("Examples:\n{EXAMPLES}\n\n{NOTES}"), max_term_width = 100)]
#[command(arg_required_else_help = true, subcommand_required = true)]
pub struct Args {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Value of a position, of every move in it, and the perfect moves
    Solve(Solve),
    /// Answer a question with a table: playouts, states, openings, ...
    Analyze(Analyze),
    /// Write a whole table to a file: every state with its value and its moves
    Export(Export),
    /// Measure a heuristic against perfect play, at every decision
    TestHeuristic(TestHeuristic),
    /// Look for rule lists that are easy for a person and seldom wrong
    SearchHeuristic(SearchHeuristic),
    /// Play on the terminal, with the value of every move in sight
    Play(Play),
    /// Draw a table that bsq wrote, or any other CSV file
    Plot(Plot),
    /// The other game: rock-paper-scissors-well on 4x6, solved for every position
    Rpsw {
        /// What to do.
        #[command(subcommand)]
        command: RpswCommand,
    },
    /// Dots-and-Boxes: one position, or every position of a board
    Dots {
        /// What to do.
        #[command(subcommand)]
        command: DotsCommand,
    },
    /// The same in a browser, and an HTTP API
    Serve(Serve),
    /// List the games
    Games,
    /// Print completions for a shell
    Completions {
        /// Which shell.
        shell: clap_complete::Shell,
    },
    /// Print a manual page
    Man {
        /// The page of a subcommand, such as 'solve' or 'rpsw solve', instead of the overview
        command: Vec<String>,
    },
}

/// `bsq solve`.
#[derive(Debug, ClapArgs)]
pub struct Solve {
    /// Rows from the top, then who moves (X first, O second): '.X.../...../...../...../..... O';
    /// or the size of a board, such as 4x5; '-' reads a position from standard input; the start of
    /// the game if left out
    pub position: Option<String>,
    /// Moves to play from the position first, such as '7 19' or 'b2 d4'
    #[arg(long, value_name = "TILES", default_value = "", hide_default_value = true)]
    pub moves: String,
    /// The value of every move too; up to 25 cells it comes without asking
    #[arg(long, alias = "map")]
    pub values: bool,
    /// The principal variation too: best play of both players
    #[arg(long)]
    pub pv: bool,
    /// Memory for the table, such as 500MB or 8GiB [default: what suits the board, up to 4GiB]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub table_size: Option<ByteSize>,
    /// Save what is known to a file now and then and when stopped; go on from it if it is there
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    #[command(flatten)]
    pub rules: RuleArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// `bsq analyze`.
#[derive(Debug, ClapArgs)]
pub struct Analyze {
    /// Which analysis; 'list' shows them, 'all' runs all but the long ones
    #[arg(id = "pass", value_name = "PASS", value_parser = analysis_parser(), hide_possible_values = true)]
    pub analysis: String,
    /// How to count playouts; all ways lead to the same numbers [default: orders, or levels if
    /// one of the flags about large counts is given]
    #[arg(id = "route", long = "route", value_name = "ROUTE", value_parser = method_parser())]
    pub method: Option<String>,
    #[command(flatten)]
    pub rules: RuleArgs,
    #[command(flatten)]
    pub room: RoomArgs,
    #[command(flatten)]
    pub cluster: ClusterArgs,
    #[command(flatten)]
    pub plot: PlotArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// `bsq export`.
#[derive(Debug, ClapArgs)]
#[command(after_help = EXPORT_EXAMPLES)]
pub struct Export {
    /// Which table; 'list' shows them
    #[arg(value_parser = export_parser(), hide_possible_values = true)]
    pub table: String,
    /// How to write it; Parquet is smaller, typed, and in full builds only
    #[arg(long, value_enum, default_value_t = FileFormat::Csv, hide_possible_values = true, value_name = "csv|parquet")]
    pub format: FileFormat,
    /// Write the file and its manifest into this folder
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub rules: RuleArgs,
    #[command(flatten)]
    pub work: WorkArgs,
}

/// The examples of `bsq export`.
const EXPORT_EXAMPLES: &str = "\
Sets of cells are integers with a bit for each tile: 1 for tile 1, 2 for tile 2, 4 for tile 3, ...
The manifest, datapackage.json, says what each column holds.

Examples:
  bsq export list
  bsq export states --out states
  bsq export states --format parquet --out states
  bsq export states --board 4x6 --bias 2 --out states";

/// `bsq plot`.
#[derive(Debug, ClapArgs)]
#[command(after_help = PLOT_EXAMPLES)]
pub struct Plot {
    /// A table that an analysis wrote as CSV, or - for standard input. A manifest beside it
    /// (datapackage.json) says which rules it is about
    pub csv: PathBuf,
    /// Write the picture to this file: .svg, or .png in a build with all features [default: SVG on
    /// standard output]
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Dark background [default: white in PNG; in SVG light or dark as the reader prefers]
    #[arg(long)]
    pub dark: bool,
    /// Only errors
    #[arg(long, short)]
    pub quiet: bool,
    /// Columns, rows and kinds of earlier versions.
    #[arg(long = "x", aliases = ["y", "by", "kind", "only"], hide = true)]
    pub columns: Vec<String>,
    /// The logarithmic axis of earlier versions.
    #[arg(long, aliases = ["log-x", "log-y"], hide = true)]
    pub log: bool,
    /// The file of earlier versions.
    #[arg(long, hide = true)]
    pub out: Option<PathBuf>,
}

/// The examples of `bsq plot`.
const PLOT_EXAMPLES: &str = "\
Examples:
  bsq analyze scores --out results && bsq plot results/scores.csv -o scores.svg
  bsq analyze blunders --board 4x4 | bsq plot - -o blunders.svg";

/// Flags about a picture of an analysis.
#[derive(Clone, Debug, ClapArgs)]
#[command(next_help_heading = "Output")]
pub struct PlotArgs {
    /// Draw the result: .svg, or .png in a build with all features
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    /// Draw on a dark background [default: white in PNG; in SVG light or dark as the reader prefers]
    #[arg(long, requires = "plot")]
    pub dark: bool,
}

/// `bsq test-heuristic`.
#[derive(Debug, ClapArgs)]
#[command(after_long_help = RULE_LISTS)]
pub struct TestHeuristic {
    /// A name, or rules such as 'most claim, most free-difference'; 'list' shows the names,
    /// 'features' what rules can speak of
    #[arg(allow_hyphen_values = true)]
    pub heuristic: String,
    /// Look the name, and names in rules, up in this file too
    #[arg(long, value_name = "FILE")]
    pub lists: Option<PathBuf>,
    /// Test instead what a player is sure of who follows it from the start
    #[arg(long, conflicts_with = "failures")]
    pub from_start: bool,
    /// Write every failing position to a CSV file, with its perfect and its liked moves
    #[arg(long, value_name = "FILE")]
    pub failures: Option<PathBuf>,
    #[command(flatten)]
    pub rules: RuleArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// The syntax of decision lists, for the long help.
const RULE_LISTS: &str = "\
Rules stand in order of importance; each decides among the moves that those before it left:
  most claim                                 highest value of a feature
  least opponent-best-claim                  lowest value
  3*claim + 2*safe-difference                highest weighted sum
  reply(own-free - opponent-free)            after the opponent's reply that is worst for it
  most claim up to 2, least contested down to 3   more, or less, than that counts no more
  if contested = 0: most own-free            only where a condition holds before the move
  if turn > 1 and contested is odd: ...      =, !=, <, <=, >, >=, 'is odd', 'is even'; 'and'
  greedy, most free-difference               a named list, then more rules
A file of lists has entries 'name = rules'; lines that begin with a blank go on with the entry,
'#' begins a comment.";

/// `bsq search-heuristic`.
#[derive(Debug, ClapArgs)]
pub struct SearchHeuristic {
    /// How to look
    #[arg(value_enum, default_value_t = WayName::Beam)]
    pub way: WayName,
    /// The most rules in a list
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = at_least_one)]
    pub max_rules: usize,
    /// The highest difficulty of a list
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub max_difficulty: u32,
    /// Use these features only, by name and with commas [default: all that look at territory]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub features: Vec<String>,
    /// Try rules with conditions on these features too, by name and with commas, such as regions
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub conditions: Vec<String>,
    /// Try rules about what is left after the opponent's reply too: slower, and more memory
    #[arg(long)]
    pub replies: bool,
    /// local: try limits too, such as 'most claim up to 2'
    #[arg(long)]
    pub limits: bool,
    /// beam: how many lists of each length are continued
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = at_least_one)]
    pub width: usize,
    /// local: how many rounds of eight walks
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub rounds: u64,
    /// local: how many changes are tried in a walk
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub steps: u64,
    /// local: what random changes are taken from
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Begin with this list too, a name or rules; can be given more than once
    #[arg(long, value_name = "LIST")]
    pub start: Vec<String>,
    /// Look names up in this file too
    #[arg(long, value_name = "FILE")]
    pub lists: Option<PathBuf>,
    /// Save what is known to a file after every round; go on from it if it is there, with the same
    /// flags, --rounds apart
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    #[command(flatten)]
    pub rules: RuleArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// `bsq play`.
#[derive(Debug, ClapArgs)]
#[command(after_long_help = PLAIN)]
pub struct Play {
    #[command(flatten)]
    pub given: Given,
    /// A position (rows from the top, then who moves: '.X.../...../...../...../..... O', or
    /// 'rpsw/..../..../..../..../RPSW first', '../.|.../.. B'), or a file with a game as it is
    /// shown; the start of the game if left out; dots: a board such as 3x4 too
    #[arg(allow_hyphen_values = true, value_parser = parse_no_flag)]
    pub game: Option<String>,
    /// Which game
    #[arg(id = "which", long = "game", value_enum, value_name = "NAME", default_value_t = GameName::BritishSquare)]
    pub which: GameName,
    /// rpsw: the database of all positions, from 'bsq rpsw solve --out FILE'; dots: a folder from
    /// 'bsq dots enumerate BOARD --out DIR', instead of a search
    #[arg(long, value_name = "FILE")]
    pub db: Option<PathBuf>,
    /// dots: which lines are drawn at the start: none, left and bottom, or all sides
    #[arg(long, value_name = "NAME", value_parser = dots_variant_parser())]
    pub variant: Option<Variant>,
    /// dots: points, 0 or less, for who draws the last line of all
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub penalty: Option<i32>,
    /// Moves to play from there first, such as '7 19' or 'b2 d4'; rpsw: 'b1b2 c6c5'; dots:
    /// 'a1-b1 b1-b2'
    #[arg(long, value_name = "MOVES", default_value = "", hide_default_value = true)]
    pub moves: String,
    /// Who plays first: you, perfect (the first of the perfect moves), or a heuristic
    #[arg(long, value_name = "WHO", default_value = "you")]
    pub first: String,
    /// Who plays second
    #[arg(long, value_name = "WHO", default_value = "you")]
    pub second: String,
    /// Look names of heuristics up in this file too
    #[arg(long, value_name = "FILE")]
    pub lists: Option<PathBuf>,
    /// Read moves from standard input, a line each; it is so anyway where there is no terminal
    #[arg(long)]
    pub plain: bool,
    /// Do not show values, best moves and warnings at first
    #[arg(long)]
    pub no_values: bool,
    /// Memory for the table, such as 500MB or 8GiB [default: what suits the board, up to 4GiB]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub table_size: Option<ByteSize>,
    #[command(flatten)]
    pub rules: RuleArgs,
    #[command(flatten)]
    pub work: WorkArgs,
}

/// Games that can be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GameName {
    /// Claim territory.
    BritishSquare,
    /// Rock-paper-scissors-well.
    Rpsw,
    /// Dots-and-Boxes.
    Dots,
}

/// The flags about British Square that were given explicitly.
#[derive(Clone, Debug, Default)]
pub struct Given(Vec<&'static str>);

impl Given {
    const FLAGS: [&str; 6] = ["lists", "table_size", "board", "center_allowed", "bias", "pieces"];

    /// Returns a given flag that is not allowed.
    pub fn any_but(&self, allowed: &[&str]) -> Option<String> {
        let flag = self.0.iter().find(|flag| !allowed.contains(flag));
        flag.map(|flag| format!("--{}", flag.replace('_', "-")))
    }
}

impl FromArgMatches for Given {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Given, clap::Error> {
        let typed = |id: &&str| matches.value_source(id) == Some(ValueSource::CommandLine);
        Ok(Given(Given::FLAGS.into_iter().filter(typed).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Given::from_arg_matches(matches)?;
        Ok(())
    }
}

impl ClapArgs for Given {
    fn augment_args(command: clap::Command) -> clap::Command {
        command
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        command
    }
}

/// `bsq rpsw`.
#[derive(Debug, Subcommand)]
pub enum RpswCommand {
    /// Decide every position, from the ends of the game backward
    Solve(RpswSolve),
    /// What a position and every move in it is worth, from a database
    Probe(RpswProbe),
    /// Compare a database with the rules
    Verify(RpswVerify),
    /// Answer a question from a database: arrangements, distances, draws
    Analyze(RpswAnalyze),
}

/// `bsq rpsw solve`.
#[derive(Debug, ClapArgs)]
pub struct RpswSolve {
    /// Write what every position is worth to this file, the database
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Write CSV files and their manifest into this folder
    #[arg(long, value_name = "DIR")]
    pub tables: Option<PathBuf>,
    /// Keep a checkpoint in this folder after every second round, until the end is reached
    #[arg(long, value_name = "DIR")]
    pub scratch: Option<PathBuf>,
    /// Go on from the checkpoint in the scratch folder
    #[arg(long, requires = "scratch")]
    pub resume: bool,
    /// Table on a terminal, else CSV, unless said here
    #[arg(long, short, value_enum)]
    pub format: Option<Format>,
    #[command(flatten)]
    pub rules: RpswRuleArgs,
    #[command(flatten)]
    pub work: WorkArgs,
}

/// Flags that change the rules of rock-paper-scissors-well.
#[derive(Clone, Debug, ClapArgs)]
#[command(next_help_heading = "Rules")]
pub struct RpswRuleArgs {
    /// The most pieces of each player, 1 to 4, whichever they are
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub pieces: usize,
    /// The most pieces of both players, 2 to 8
    #[arg(long, value_name = "N", default_value_t = 8)]
    pub total: usize,
    /// Columns x rows, at most the usual
    #[arg(long, value_name = "CxR", default_value = "4x6")]
    pub board: String,
    /// What each kind takes
    #[arg(long, value_name = "TABLE", default_value = "R:S,P:RW,S:P,W:RS")]
    pub takes: String,
}

/// `bsq rpsw probe`.
#[derive(Debug, ClapArgs)]
pub struct RpswProbe {
    /// The database, from 'bsq rpsw solve --out FILE'
    pub file: PathBuf,
    /// Rows from the second player's side, then who moves: 'rpsw/..../..../..../..../RPSW first';
    /// '-' reads positions from standard input, one a line, and answers with a line each
    pub position: String,
    /// Moves to play from the position first, such as 'b1b2 c6c5'
    #[arg(long, value_name = "MOVES", default_value = "", hide_default_value = true)]
    pub moves: String,
    #[command(flatten)]
    pub print: ProbeOutputArgs,
}

/// `bsq rpsw verify`.
#[derive(Debug, ClapArgs)]
pub struct RpswVerify {
    /// The database
    pub file: PathBuf,
    /// Positions whose verdict is compared with those of the positions after them
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    pub sample: u64,
    /// What the sample is drawn by
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub seed: u64,
    /// Solve the game again too, and compare every byte: takes as long and as much memory as that
    #[arg(long)]
    pub full: bool,
    #[command(flatten)]
    pub print: PrintArgs,
}

/// `bsq rpsw analyze`.
#[derive(Debug, ClapArgs)]
pub struct RpswAnalyze {
    /// Which analysis; 'list' shows them, 'all' runs all
    #[arg(id = "pass", value_name = "PASS")]
    pub analysis: String,
    /// The database
    pub file: Option<PathBuf>,
    #[command(flatten)]
    pub plot: PlotArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// `bsq dots`.
#[derive(Debug, Subcommand)]
pub enum DotsCommand {
    /// What a position is worth, its moves, and a line of best play
    Solve(DotsSolve),
    /// Find the value of every position, from the full board backward, and keep them in files
    Enumerate(DotsEnumerate),
    /// Answer a question about boards: boards, rules, positions
    Analyze(DotsAnalyze),
    /// Look up what a position and every move in it are worth
    Probe(DotsProbe),
    /// Compare the files of a finished run with their checksums, and a sample with the rules
    Verify(DotsVerify),
}

/// `bsq dots solve`.
#[derive(Debug, ClapArgs)]
#[command(after_help = DOTS_EXAMPLES)]
pub struct DotsSolve {
    /// Rows x columns of boxes, such as 3x5; or a file of Wilson's analyser, '-' for standard
    /// input; or a position, rows from the top and who moves: '../...../.. A'
    #[arg(value_name = "BOARD|FILE|POSITION", allow_hyphen_values = true)]
    pub question: String,
    /// Lines drawn before play begins on a BOARD: none, those on the left and at the bottom, or
    /// those on all four sides [default: standard]
    #[arg(long, value_name = "NAME", value_parser = dots_variant_parser())]
    pub variant: Option<Variant>,
    /// The score of every move too
    #[arg(long)]
    pub moves: bool,
    /// Who must make the next loony move, with best play: 'v' behind a score if A must, '^' if B must
    #[arg(long)]
    pub loony: bool,
    /// The value of the position in Nimstring, where only the last line counts
    #[arg(long)]
    pub nimstring: bool,
    /// No line of best play
    #[arg(long)]
    pub no_line: bool,
    /// Points for who draws the last line of all, 0 or less, such as -1, -0.5 or -1/2 [default:
    /// that of the FILE, else 0]
    #[arg(long, value_name = "P", allow_hyphen_values = true, value_parser = parse_penalty)]
    pub penalty: Option<Penalty>,
    /// Memory for the table, such as 500MB or 8GiB [default: what suits the position, up to 1GiB]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub table_size: Option<ByteSize>,
    /// Save what is known to a file now and then and when stopped; go on from it if it is there,
    /// with any position of the same board and penalty
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// The examples of `bsq dots solve`.
const DOTS_EXAMPLES: &str = "\
Scores are boxes still to come for the player to move minus those for the other, penalty included.
Dots are named by column and row from the top left: a1-b1 is the first line.

Examples:
  bsq dots solve 3x3 --moves
  bsq dots solve 3x3 --variant icelandic --penalty -0.5
  bsq dots solve problem.txt --moves --format json
  bsq dots solve '--/...../-. B'";

/// `bsq dots enumerate`.
#[derive(Debug, ClapArgs)]
pub struct DotsEnumerate {
    /// Rows x columns of boxes, such as 3x4
    #[arg(value_parser = parse_dots_board, required_unless_present = "from")]
    pub board: Option<dots::Board>,
    /// Only what can follow a position (rows from the top, '../...../..'), or that of a file of
    /// Wilson's analyser, whoever has taken which boxes
    #[arg(long, value_name = "POSITION", allow_hyphen_values = true, value_parser = parse_no_flag, conflicts_with_all = ["board", "variant"])]
    pub from: Option<String>,
    /// The folder for the files
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Keep only positions with up to so many lines drawn, a chain of the start as one
    /// [default: all]
    #[arg(long, value_name = "N")]
    pub book: Option<u32>,
    /// Points, 0 or less, for who draws the last line of all [default: 0, or what the file says]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub penalty: Option<i32>,
    /// Which lines are drawn at the start: none, left and bottom, or all sides
    #[arg(long, value_name = "NAME", default_value = "standard", value_parser = dots_variant_parser())]
    pub variant: Variant,
    /// The most memory, such as 8GiB or 500MB [default: what is free]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub memory: Option<ByteSize>,
    /// The most room on disk at any time [default: what is free]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub disk: Option<ByteSize>,
    /// Go on from the layers that are in the folder
    #[arg(long)]
    pub resume: bool,
    #[command(flatten)]
    pub print: PrintArgs,
}

/// `bsq dots probe`.
#[derive(Debug, ClapArgs)]
pub struct DotsProbe {
    /// The folder, from 'bsq dots enumerate BOARD --out DIR'
    pub folder: PathBuf,
    /// Rows from the top, then who moves: '../.|.../.. A'; or a file of Wilson's analyser; '-' reads
    /// positions from standard input, one a line, and answers with a line each
    #[arg(allow_hyphen_values = true, value_parser = parse_no_flag)]
    pub position: String,
    /// Moves to play from the position first, such as 'a1-b1 b1-b2'
    #[arg(long, value_name = "MOVES", default_value = "", hide_default_value = true)]
    pub moves: String,
    #[command(flatten)]
    pub print: ProbeOutputArgs,
}

/// `bsq dots verify`.
#[derive(Debug, ClapArgs)]
pub struct DotsVerify {
    /// The folder, from 'bsq dots enumerate BOARD --out DIR'
    pub folder: PathBuf,
    /// Positions whose value is compared with those after every move
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub sample: u64,
    /// What the sample is drawn by
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub seed: u64,
    #[command(flatten)]
    pub print: PrintArgs,
}

/// `bsq dots analyze`.
#[derive(Debug, ClapArgs)]
pub struct DotsAnalyze {
    /// Which analysis; 'list' shows them, 'all' runs all
    #[arg(id = "pass", value_name = "PASS")]
    pub analysis: String,
    /// boards: the most lines that are open at the start, 1 to 64 [default: 31]; 31 takes some
    /// seconds, 40 some minutes
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=64))]
    pub lines: Option<u8>,
    /// rules, positions: rows x columns of boxes [default: 3x3]
    #[arg(long, value_name = "RxC", value_parser = dots::Board::parse)]
    pub board: Option<dots::Board>,
    #[command(flatten)]
    pub plot: PlotArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// The use of the plain mode, for the long help.
const PLAIN: &str = "\
Lines of the plain mode: a tile or coordinate plays there, 0 passes, -1 begins again, 'undo',
'redo', 'moves' and 'game' do what they say, 'help' lists all. The end of input ends it.

Rock-paper-scissors-well (--game rpsw) is played from a database, by its rules: --db says which,
and flags about rules and searches are refused. A move is two squares, such as b1b2, counted from
the first player's corner at the bottom left; 'line' shows how best play goes on.";

/// `bsq serve`.
#[derive(Debug, ClapArgs)]
#[cfg_attr(not(feature = "full"), allow(dead_code, reason = "only a full build serves"))]
pub struct Serve {
    /// The port to listen on; 0 takes any that is free
    #[arg(long, value_name = "N", default_value_t = 1978)]
    pub port: u16,
    /// The address to listen on; others than this machine can only ask if it is one of theirs
    #[arg(long, value_name = "IP", default_value = "127.0.0.1")]
    pub address: IpAddr,
    /// Seconds that an answer may take
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=3600))]
    pub time_limit: u16,
    /// The largest board that is answered for, in cells
    #[arg(long, value_name = "N", default_value_t = 64)]
    pub max_cells: usize,
    /// The most memory for the table of a large board; up to seven are in use
    #[arg(long, value_name = "SIZE", value_parser = parse_size, default_value = "256MiB")]
    pub table_size: ByteSize,
    /// Rock-paper-scissors-well too, from a database that 'bsq rpsw solve --out FILE' has made
    #[arg(long, value_name = "FILE")]
    pub db: Option<PathBuf>,
    /// Dots-and-Boxes from a folder that 'bsq dots enumerate BOARD --out DIR' has made, where it has
    /// what is asked for; else by a search of positions with few open lines
    #[arg(long, value_name = "DIR")]
    pub dots: Option<PathBuf>,
    #[command(flatten)]
    pub work: WorkArgs,
}

/// Ways to look for rule lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum WayName {
    /// Every list of rules, up to the longest.
    Exhaustive,
    /// The best lists of each length, continued by every rule.
    Beam,
    /// Lists and weights changed at random.
    Local,
}

/// Flags that change the rules.
#[derive(Clone, Debug, ClapArgs)]
#[command(next_help_heading = "Rules")]
pub struct RuleArgs {
    /// Rows x columns: up to 64 cells to solve and for playouts and boards, 36 to count states,
    /// else 25
    #[arg(long, value_name = "RxC", default_value = DEFAULT_BOARD, value_parser = parse_board)]
    pub board: Board,
    /// The first move may take the centre
    #[arg(long, alias = "centre-allowed")]
    pub center_allowed: bool,
    /// Points given to the second player
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true)]
    pub bias: i32,
    /// Pieces of each player; who has placed them all passes
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub pieces: Option<u32>,
}

impl RuleArgs {
    /// The rules that the flags describe.
    pub fn rules(&self) -> Rules {
        Rules {
            board: self.board,
            center_allowed: self.center_allowed,
            bias: self.bias,
            pieces: self.pieces,
        }
    }
}

/// Flags about how much room a count takes.
#[derive(Clone, Debug, ClapArgs)]
#[command(next_help_heading = "Large counts (playouts, states, terminals, scores)")]
pub struct RoomArgs {
    /// Memory for the count, such as 8GiB, 500MB or 2G [default: three quarters of what is free]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub memory: Option<ByteSize>,
    /// Keep what does not fit in this folder, and a checkpoint after every turn
    #[arg(long, value_name = "DIR")]
    pub scratch: Option<PathBuf>,
    /// Go on from the checkpoint in the scratch folder
    #[arg(long, requires = "scratch")]
    pub resume: bool,
}

/// Flags about a count on several machines.
#[derive(Clone, Debug, ClapArgs)]
#[command(next_help_heading = "Counts on several machines (builds with --features cluster)")]
#[cfg_attr(not(feature = "cluster"), allow(dead_code, reason = "only such a build has them"))]
pub struct ClusterArgs {
    /// Count together with other processes: a file with a line host:port for each, this one
    /// included; the same command everywhere but for --process, and --scratch DIR
    #[arg(long, value_name = "FILE", requires_all = ["process", "scratch"])]
    pub hosts: Option<PathBuf>,
    /// Which line of the file this process is, from 0; process 0 shows the result
    #[arg(long, value_name = "P", requires = "hosts")]
    pub process: Option<usize>,
    /// Seconds to wait for processes to come up, and to be heard of again
    #[arg(long, value_name = "N", default_value_t = 60, requires = "hosts", value_parser = clap::value_parser!(u32).range(1..=86400))]
    pub wait: u32,
}

/// Flags about where results go and how the work is done.
#[derive(Clone, Debug, ClapArgs)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs {
    /// Table on a terminal, else CSV, unless said here
    #[arg(long, short, value_enum)]
    pub format: Option<Format>,
    /// Write CSV files and their manifest into this folder
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Whether a picture is written as well.
    #[arg(skip)]
    pub is_plotted: bool,
    /// The name of the flag for the folder.
    #[arg(skip = "--out")]
    pub out_flag: &'static str,
    #[command(flatten)]
    pub work: WorkArgs,
}

impl OutputArgs {
    /// The output of a command that only prints its results.
    pub fn printed(format: Option<Format>, work: WorkArgs) -> OutputArgs {
        OutputArgs { format, out: None, is_plotted: false, out_flag: "--out", work }
    }
}

/// Flags of a command that only prints its results.
#[derive(Clone, Debug, ClapArgs)]
pub struct PrintArgs {
    /// Table on a terminal, else CSV, unless said here
    #[arg(long, short, value_enum)]
    pub format: Option<Format>,
    #[command(flatten)]
    pub work: WorkArgs,
}

/// Flags of a command that prints the answer to a position, or to each line of standard input.
#[derive(Clone, Debug, ClapArgs)]
pub struct ProbeOutputArgs {
    /// Table on a terminal, else CSV, unless said here; with '-' a line of CSV or JSON a position
    #[arg(long, short, value_enum)]
    pub format: Option<Format>,
    #[command(flatten)]
    pub work: WorkArgs,
}

/// Flags about how the work is done.
#[derive(Clone, Debug, ClapArgs)]
#[command(next_help_heading = "Output")]
pub struct WorkArgs {
    /// Threads to work with [default: one a core]
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,
    /// No progress and no notes, only the result and errors
    #[arg(long, short)]
    pub quiet: bool,
    /// Write what varies from run to run to a file: seconds, threads, memory
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
}

/// How results are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For reading.
    Table,
    /// For notebooks: plain numbers, a line a row.
    Csv,
    /// For programs.
    Json,
}

/// How tables are written to files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FileFormat {
    /// Plain text, a line a row.
    Csv,
    /// Typed columns, compressed.
    Parquet,
}

/// Parses a board of any size. Each command has its own limit.
fn parse_board(text: &str) -> Result<Board, String> {
    Board::parse(text).map_err(|error| error.to_string())
}

fn parse_dots_board(text: &str) -> Result<dots::Board, String> {
    dots::Board::parse(text).map_err(|error| error.to_string())
}

/// Rejects a text that looks like a flag. Positions of Dots-and-Boxes may begin with a hyphen.
fn parse_no_flag(text: &str) -> Result<String, String> {
    let named = text.trim_start_matches('-');
    match named.len() < text.len() && named.starts_with(|first: char| first.is_ascii_alphabetic()) {
        true => Err("there is no such flag; --help lists those that there are".to_string()),
        false => Ok(text.to_string()),
    }
}

fn dots_variant_parser() -> impl TypedValueParser<Value = Variant> {
    let names = PossibleValuesParser::new(Variant::ALL.map(Variant::name));
    let named = |name: String| Variant::ALL.into_iter().find(|variant| variant.name() == name);
    names.map(move |name| named(name).unwrap_or_default())
}

pub fn parse_size(text: &str) -> Result<ByteSize, String> {
    let size = text.parse::<ByteSize>();
    size.map_err(|_| {
        format!("'{text}' is no size; write a number and a unit, such as 8GiB, 500MB or 2G")
    })
}

fn parse_penalty(text: &str) -> Result<Penalty, String> {
    Penalty::parse(text).map_err(|error| error.to_string())
}

fn at_least_one(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|&number: &usize| number > 0);
    number.ok_or_else(|| format!("'{text}' is no number from 1 on"))
}

fn analysis_parser() -> impl TypedValueParser<Value = String> {
    let analyses = of_game(british_square::NAME)
        .map(|analysis| PossibleValue::new(analysis.name).help(with_flags(analysis.summary)));
    let special = [
        PossibleValue::new("list").help("show the analyses, a line each"),
        PossibleValue::new("all").help("run all but those marked long"),
    ];
    PossibleValuesParser::new(analyses.chain(special))
}

fn export_parser() -> impl TypedValueParser<Value = String> {
    let exports = bsq_analyses::EXPORTS.iter();
    let exports = exports.map(|export| PossibleValue::new(export.name).help(export.summary));
    let list = PossibleValue::new("list").help("show the tables, a line each");
    PossibleValuesParser::new(exports.chain([list]))
}

fn method_parser() -> impl TypedValueParser<Value = String> {
    PossibleValuesParser::new(
        Method::ALL
            .map(|method| PossibleValue::new(method.name()).help(with_flags(method.summary()))),
    )
}

/// Replaces the names of parameters, which are in braces, by flags.
pub fn with_flags(summary: &str) -> String {
    summary.replace("{parameters}", "flags").replace('{', "--").replace('}', "")
}
