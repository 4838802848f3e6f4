//! The subcommands of a registered game: `solve`, `analyze` and `play`, with a flag for each option
//! of its rules.

use super::args::{OutputArgs, PrintArgs, WorkArgs, parse_size};
use bsq_api::{Game, OptionKind, Question, RuleOption};
use bytesize::ByteSize;
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, value_parser};
use std::path::PathBuf;

/// What `bsq GAME` does.
pub enum GameCommand {
    /// `solve`.
    Solve(Solve),
    /// `analyze`.
    Analyze(Analyze),
    /// `play`.
    Play(Play),
}

/// The position that a command is about.
pub struct Subject {
    /// A position, the size of a board, a file with a game record, or `-`; the start of the game if
    /// it is left out.
    pub given: Option<String>,
    /// The options of the rules that were given, with their values.
    pub rules: Vec<(&'static str, String)>,
    /// Moves to play first.
    pub moves: String,
    /// Memory for tables.
    pub memory: Option<ByteSize>,
    /// A tablebase.
    pub tablebase: Option<PathBuf>,
}

/// `bsq GAME solve`.
pub struct Solve {
    /// The position.
    pub subject: Subject,
    /// Whether every move is valued.
    pub values: bool,
    /// Whether the principal variation is printed.
    pub pv: bool,
    /// The output.
    pub print: PrintArgs,
}

/// `bsq GAME analyze`.
pub struct Analyze {
    /// The name of the analysis, or `list`.
    pub analysis: String,
    /// The rules.
    pub subject: Subject,
    /// The length of the longest sequences of `perft`.
    pub depth: usize,
    /// The output.
    pub output: OutputArgs,
}

/// `bsq GAME play`.
pub struct Play {
    /// The position.
    pub subject: Subject,
    /// The sides of the first and of the second player.
    pub sides: [String; 2],
    /// Whether values are hidden.
    pub hide_values: bool,
    /// How the work is done.
    pub work: WorkArgs,
}

/// The name of the verbs.
const SOLVE: &str = "solve";
const ANALYZE: &str = "analyze";
const PLAY: &str = "play";

/// The subcommand of a game, with verbs of its own that replace those of the same name.
pub fn command(game: &dyn Game, own: impl FnOnce(Command) -> Command) -> Command {
    let info = game.info();
    let command = Command::new(info.name)
        .about(format!("{}: {}", info.title, info.summary))
        .long_about(format!("{}: {}.\n\n{}", info.title, info.summary, info.rules))
        .subcommand_required(true)
        .arg_required_else_help(true);
    verbs(own(command), game)
}

/// Adds the verbs of a game that the command does not have.
pub fn verbs(command: Command, game: &dyn Game) -> Command {
    let subject = |command: Command, more: &str| {
        let position = Arg::new("position").value_name("POSITION").help(format!(
            "A position, the size of a board such as 4x5, or a file with a game; {more}the start of \
             the game if left out"
        ));
        let moves = Arg::new("moves")
            .long("moves")
            .value_name("MOVES")
            .default_value("")
            .hide_default_value(true)
            .help("Moves to play from the position first");
        resources(rules(command.arg(position).arg(moves), game.options()))
    };
    let values = Arg::new("values")
        .long("values")
        .action(ArgAction::SetTrue)
        .help("The value of every move too; shown anyway where it costs nothing");
    let pv =
        Arg::new("pv").long("pv").action(ArgAction::SetTrue).help("The principal variation too");
    let solve = Command::new(SOLVE).arg(values).arg(pv);
    let questions = Question::ALL
        .map(|question| PossibleValue::new(question.name()).help(question.summary()))
        .into_iter()
        .chain([PossibleValue::new("list").help("list the analyses")]);
    let analysis = Arg::new("analysis")
        .value_name("ANALYSIS")
        .required(true)
        .value_parser(PossibleValuesParser::new(questions))
        .hide_possible_values(true)
        .help("The analysis; 'list' lists them");
    let depth = Arg::new("depth")
        .long("depth")
        .value_name("N")
        .value_parser(value_parser!(usize))
        .default_value("6")
        .help("perft: the length of the longest sequences");
    let analyze = Command::new(ANALYZE).arg(analysis).arg(depth);
    let side = |id: &'static str, default: &'static str, player: &str| {
        Arg::new(id)
            .long(id)
            .value_name("WHO")
            .value_parser(["you", "perfect"])
            .default_value(default)
            .help(format!("Who plays for the {player} player"))
    };
    let hide = Arg::new("hide-values")
        .long("hide-values")
        .action(ArgAction::SetTrue)
        .help("Hide values until the word 'values'");
    let play = Command::new(PLAY)
        .arg(side("first", "you", "first"))
        .arg(side("second", "you", "second"))
        .arg(hide);
    let all = [
        PrintArgs::augment_args(subject(solve, "'-' reads positions from standard input; "))
            .about("The value of a position, and its best moves")
            .long_about(None),
        OutputArgs::augment_args(resources(rules(analyze, game.options())))
            .about("Answer a question with a table: positions, playouts, openings, ...")
            .long_about(None),
        WorkArgs::augment_args(subject(play, ""))
            .about("Play on the terminal, with the value of every move")
            .long_about(None),
    ];
    let has = |command: &Command, verb: &Command| {
        command.get_subcommands().any(|known| known.get_name() == verb.get_name())
    };
    all.into_iter().fold(command, |command, verb| match has(&command, &verb) {
        true => command,
        false => command.subcommand(verb),
    })
}

/// Adds a flag for each option of the rules.
fn rules(command: Command, options: &'static [RuleOption]) -> Command {
    options.iter().fold(command, |command, option| {
        let help = match option.default {
            Some(default) if option.kind != OptionKind::Truth => {
                format!("{} [default: {default}]", option.help)
            }
            _ => option.help.to_string(),
        };
        let arg = Arg::new(option.name).long(option.flag()).help(help).help_heading("Rules");
        command.arg(match option.kind {
            OptionKind::Truth => arg.action(ArgAction::SetTrue),
            OptionKind::Board => arg.value_name("RxC"),
            OptionKind::Integer { .. } => arg.value_name("N").allow_negative_numbers(true),
            OptionKind::Choice(words) => arg.value_name("NAME").value_parser(words.to_vec()),
            OptionKind::Text(form) => arg.value_name(form),
        })
    })
}

/// Adds the flags about what an evaluation may use.
fn resources(command: Command) -> Command {
    let memory = Arg::new("memory")
        .long("memory")
        .value_name("SIZE")
        .value_parser(parse_size)
        .help("Memory for tables, such as 500MB or 8GiB [default: half of what is free]");
    let tablebase = Arg::new("tablebase")
        .long("tablebase")
        .value_name("PATH")
        .value_parser(value_parser!(PathBuf))
        .value_hint(clap::ValueHint::AnyPath)
        .help("A tablebase with these rules");
    command.arg(memory).arg(tablebase)
}

/// The arguments of a game.
pub fn parse(game: &dyn Game, matches: &ArgMatches) -> Result<GameCommand, clap::Error> {
    let (verb, matches) = matches.subcommand().expect("clap requires a subcommand");
    let text = |id: &str| matches.get_one::<String>(id).cloned();
    let flag = |id: &str| matches.get_flag(id);
    Ok(match verb {
        SOLVE => GameCommand::Solve(Solve {
            subject: subject(game, matches),
            values: flag("values"),
            pv: flag("pv"),
            print: PrintArgs::from_arg_matches(matches)?,
        }),
        ANALYZE => GameCommand::Analyze(Analyze {
            analysis: text("analysis").unwrap_or_default(),
            subject: subject(game, matches),
            depth: matches.get_one("depth").copied().unwrap_or_default(),
            output: OutputArgs::from_arg_matches(matches)?,
        }),
        _ => GameCommand::Play(Play {
            subject: subject(game, matches),
            sides: ["first", "second"].map(|player| text(player).unwrap_or_default()),
            hide_values: flag("hide-values"),
            work: WorkArgs::from_arg_matches(matches)?,
        }),
    })
}

fn subject(game: &dyn Game, matches: &ArgMatches) -> Subject {
    // `analyze` has neither a position nor moves.
    let text = |id: &str| matches.try_get_one::<String>(id).ok().flatten().cloned();
    let rule = |option: &RuleOption| match option.kind {
        OptionKind::Truth => {
            matches.get_flag(option.name).then(|| (option.name, "yes".to_string()))
        }
        _ => text(option.name).map(|value| (option.name, value)),
    };
    Subject {
        given: text("position"),
        rules: game.options().iter().filter_map(rule).collect(),
        moves: text("moves").unwrap_or_default(),
        memory: matches.get_one("memory").copied(),
        tablebase: matches.get_one("tablebase").cloned(),
    }
}
