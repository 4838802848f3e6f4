//! `bsq dots probe`.

use super::described;
use crate::cli::args::{DotsProbe, Format, OutputArgs};
use crate::dots::{Found, Given, Scored, Scores, find};
use crate::lines;
use crate::output::{self, Answer};
use crate::run::Run;
use crate::usage::usage;
use anyhow::Result;
use bsq_analyses::column::{integer, text};
use bsq_analyses::{Cell, Table};
use bsq_engine::evaluate::Evaluator as _;
use bsq_engine::game::{Game, Notation};
use bsq_engine::record::play_all;
use bsq_games::dots::tablebase::Tablebase;
use bsq_games::dots::{Board, Evaluator, Position, Rules, parse_position};
use serde_json::{Value, json};

/// The largest number of open lines at which a position without an entry in the tablebase is
/// searched.
const MOST_OPEN: u32 = 40;
/// The table of a search, in bytes.
const TABLE_BYTES: u64 = 256 << 20;

/// Prints the values of a position and its moves, or answers many positions line by line.
pub fn run(args: DotsProbe) -> Result<()> {
    let run = Run::begin(&args.print.work)?;
    let tablebase = Tablebase::open(&args.folder)?;
    let plan = tablebase.plan();
    let rules = Rules { penalty: plan.penalty().into(), ..Rules::standard(*plan.board()) };
    let described = described(plan);
    let evaluator = Evaluator::new(rules, Some(tablebase), TABLE_BYTES, MOST_OPEN);
    let probe = Probe { evaluator, run };
    if args.position == "-" {
        return probe.batch(&args);
    }
    let given = Given::read(&args.position)?;
    if let Some(penalty) = given.penalty.filter(|&penalty| rules.penalty != penalty.into()) {
        let found = rules.penalty;
        return Err(usage(format!(
            "the file says a penalty of {penalty}, and the folder is for one of {found}"
        )));
    }
    let position = probe.position(given.board, given.position, &args.moves)?;
    let table = probe.table(&position)?;
    let command = format!("dots probe '{}'", rules.format_position(&position));
    let output = OutputArgs::printed(args.print.format, args.print.work);
    let answer = Answer { command, rules: described, tables: vec![table] };
    output::deliver(&probe.run, &output, None, &[answer])?;
    probe.run.end();
    Ok(())
}

/// A tablebase that is being probed.
struct Probe {
    evaluator: Evaluator,
    run: Run,
}

impl Probe {
    fn rules(&self) -> &Rules {
        self.evaluator.game()
    }

    /// The position after the given moves, if the tablebase covers it.
    fn position(&self, board: Board, position: Position, moves: &str) -> Result<Position> {
        let own = self.rules().board;
        if board != own {
            return Err(usage(format!(
                "this is a position on a {board} board; the folder is for {own}"
            )));
        }
        let from = self.evaluator.tablebase().map_or(0, |tablebase| tablebase.plan().from());
        if position.lines & from != from {
            return Err(usage(
                "lines are open there that are drawn at the start of all positions of the folder",
            ));
        }
        let played = play_all(self.rules(), &position, moves).map_err(usage)?;
        Ok(played.last().map_or(position, |(_, position)| *position))
    }

    fn scores(&self, position: &Position) -> Result<Found> {
        let found = find(&self.evaluator, position.lines, &self.run.monitor());
        self.run.clear();
        found
    }

    /// The table of moves, with the position itself in the first row.
    fn table(&self, position: &Position) -> Result<Table> {
        let Found { scores, searched } = self.scores(position)?;
        if searched > 0 {
            let many = if searched == 1 { "one position was" } else { "some positions were" };
            self.run.note(&format!("{many} not in the folder and had to be searched ({searched})"));
        }
        let rules = self.rules();
        let mut table = Table::new(
            "dots-probe",
            &title(&scores, position),
            &[
                text(
                    "move",
                    "the line drawn; 'none' in the first row, which is the position itself",
                ),
                integer(
                    "score",
                    "boxes from there on and points of penalty, the mover's less the other's; nothing if it is not known",
                ),
                integer("takes", "boxes that the move closes"),
                text("position", "the position after the move"),
            ],
        );
        let label = |line: usize| scores.of(line).map(|score| score.to_string());
        table.picture = Some(rules.board.labelled(position, label));
        table.screen = vec!["move", "score", "takes"];
        let mut push = |mv: String, score: Option<i32>, takes: u32, after: &Position| {
            let after = rules.format_position(after);
            table.push(vec![mv.into(), score.into(), Cell::from(u64::from(takes)), after.into()]);
        };
        push("none".to_string(), scores.value, 0, position);
        for &Scored { line, takes, score } in &scores.moves {
            push(rules.format_move(line), score, takes, &rules.play(position, line));
        }
        Ok(table)
    }

    /// Answers each line of standard input with a line.
    fn batch(&self, args: &DotsProbe) -> Result<()> {
        let as_json = args.print.format == Some(Format::Json);
        let header = (!as_json).then_some("line,position,value,best");
        lines::answer_each(header, |number, line| {
            let position = parse_position(line).map_err(anyhow::Error::from);
            let position =
                position.and_then(|(board, position)| self.position(board, position, &args.moves));
            let position = match position {
                Ok(position) => position,
                Err(error) => return Ok(Err(error)),
            };
            let Found { scores, .. } = self.scores(&position)?;
            Ok(Ok(match as_json {
                true => self.json(number, &position, &scores).to_string(),
                false => self.csv(number, &position, &scores),
            }))
        })
    }

    fn csv(&self, line: usize, position: &Position, scores: &Scores) -> String {
        let best: Vec<String> =
            scores.best().map(|scored| self.rules().format_move(scored.line)).collect();
        let value = scores.value.map_or(String::new(), |value| value.to_string());
        format!("{line},{},{value},{}", self.rules().format_position(position), best.join(" "))
    }

    fn json(&self, line: usize, position: &Position, scores: &Scores) -> Value {
        let mv = |scored: &Scored| {
            let mv = self.rules().format_move(scored.line);
            json!({ "move": mv, "score": scored.score, "takes": scored.takes })
        };
        json!({
            "line": line,
            "position": self.rules().format_position(position),
            "value": scores.value,
            "moves": scores.moves.iter().map(mv).collect::<Value>(),
        })
    }
}

fn title(scores: &Scores, position: &Position) -> String {
    let player = position.to_move;
    match scores.value {
        Some(_) if scores.moves.is_empty() => "The game is over".to_string(),
        Some(0) => format!("Worth 0 from here on for the {player} player, to move"),
        Some(value) => format!("Worth {value:+} from here on for the {player} player, to move"),
        None => format!("Not in the folder; the {player} player to move"),
    }
}
