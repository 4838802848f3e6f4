//! `bsq solve`.

use crate::args::{Format, Solve};
use crate::checkpoint::Checkpoint;
use crate::exit::usage;
use crate::output::{self, Answer};
use crate::run::Run;
use anyhow::{Context, Result};
use bsq_analyses::{Kind, Table, Valued, Valuer, rules_label};
use bsq_engine::game::british_square::{Move, Position, Rules, symbol};
use bsq_engine::table::Bounds;
use bytesize::ByteSize;
use serde_json::json;
use std::io::{Read, Write};

/// Boards of up to that many cells are mapped without asking.
const MAPPED_CELLS: usize = 25;

/// Solves a position and shows what it is worth, and its moves if they are asked for.
pub fn run(args: Solve) -> Result<()> {
    let rules = args.rules.rules();
    if rules.pieces.is_some() && (args.checkpoint.is_some() || args.table_size.is_some()) {
        return Err(usage(
            "with --pieces all states are searched; --checkpoint and --table-size do not apply",
        ));
    }
    let run = Run::begin(&args.output)?;
    let valuer = Valuer::new(&rules, args.table_size.map(|size| size.as_u64()));
    let valuer = valuer.with_context(|| format!("cannot search {}", rules.board))?;
    let position = position(&rules, &args)?;
    let out = output::Folder::open(&args.output)?;
    let label = format!("{}: {}", rules_label(&rules), rules.format_position(&position));
    let checkpoint = match (&args.checkpoint, valuer.solver()) {
        (Some(path), Some(solver)) => Some(Checkpoint::open(path, solver, label, &run)?),
        _ => None,
    };
    let with_map = args.map || rules.board.cells() <= MAPPED_CELLS;
    let work = || valuer.value(&position, with_map, &run.monitor());
    let valued = Checkpoint::keep(checkpoint.as_ref(), &run, work);
    report(&valuer, &run, valued.is_err());
    let valued = valued?;
    let Valued { value, moves } = valued;
    let answer = Solution { rules, position, value, moves };
    let format = output::format(&args.output);
    let tables = vec![answer.table()];
    let command = format!("solve '{}'", answer.rules.format_position(&answer.position));
    let export = Answer { command, rules: answer.rules.clone(), tables };
    if let Some(out) = out {
        out.write(&run, std::slice::from_ref(&export))?;
    }
    run.clear();
    match format {
        None => {}
        Some(Format::Csv) => output::csv::write(std::io::stdout(), &export.tables[0])?,
        Some(Format::Json) => output::json::print(&answer.json())?,
        Some(Format::Table) => std::io::stdout().write_all(answer.text().as_bytes())?,
    }
    run.end();
    Ok(())
}

/// How much work it was, said aloud if it took a while; and what is known if it was stopped.
fn report(valuer: &Valuer, run: &Run, stopped: bool) {
    let Some(solver) = valuer.solver() else { return };
    let (nodes, seconds) = (solver.nodes(), run.seconds());
    let (regions, fill) = (solver.regions(), solver.table().fill());
    tracing::info!(nodes, seconds, regions, fill, "searched");
    match solver.proved() {
        Some(Bounds { lower, upper }) if stopped && lower < upper => run.note(&format!(
            "so far: the mover makes at least {lower} and at most {upper} points more from here on"
        )),
        Some(Bounds { lower, .. }) if stopped => run.note(&format!(
            "the mover makes {lower} points more from here on; not every move was valued"
        )),
        _ => {}
    }
    if seconds >= 1.0 {
        let rate = nodes as f64 / seconds / 1e6;
        let size = ByteSize::b(solver.table().bytes()).display().iec();
        run.note(&format!(
            "{nodes} positions searched in {seconds:.1} s, {rate:.2} million a second; table of {size} {:.0}% full",
            100.0 * fill
        ));
    }
}

/// The position that was asked for.
fn position(rules: &Rules, args: &Solve) -> Result<Position> {
    let mut text = args.position.clone();
    if text.as_deref() == Some("-") {
        let mut typed = String::new();
        // A board is small; whoever sends more does not send a position.
        let read = std::io::stdin().take(1 << 16).read_to_string(&mut typed);
        read.map_err(|error| usage(format!("standard input is no position: {error}")))?;
        text = Some(typed);
    }
    let mut position = match text {
        None => rules.start(),
        Some(text) => rules.parse_position(&text).map_err(usage)?,
    };
    // `8 (c2)`, as moves are printed, is one move.
    let moves = args.moves.replace(" (", "(");
    let separates = |c: char| c == ',' || c.is_whitespace();
    for word in moves.split(separates).filter(|word| !word.is_empty()) {
        let mv = rules.parse_move(word).map_err(usage)?;
        position = rules.try_play(&position, mv).map_err(usage)?;
    }
    Ok(position)
}

/// A position and what perfect play makes of it.
struct Solution {
    rules: Rules,
    position: Position,
    value: i32,
    /// For each cell the score after moving there, where that is legal; if it was asked for.
    moves: Option<Vec<Option<i32>>>,
}

/// A legal move, or the pass where there is none.
struct Choice {
    cell: Option<usize>,
    value: i32,
    /// Points given away.
    cost: i32,
}

impl Solution {
    /// The legal moves, best first, then by tile; none where the game is over.
    fn choices(&self) -> Vec<Choice> {
        let sign = self.position.to_move.sign();
        let choice = |(cell, value): (usize, &Option<i32>)| {
            let cell = Some(cell);
            value.map(|value| Choice { cell, value, cost: sign * (self.value - value) })
        };
        if self.rules.moves(&self.position) == [Move::Pass] {
            return vec![Choice { cell: None, value: self.value, cost: 0 }];
        }
        let moves = self.moves.iter().flatten().enumerate();
        let mut choices: Vec<Choice> = moves.filter_map(choice).collect();
        choices.sort_by_key(|choice| (choice.cost, choice.cell));
        choices
    }

    /// The value alone.
    fn value_table(&self) -> Table {
        let mut table = Table::new(
            "solve",
            "Value of the position",
            &[
                ("turn", Kind::Label, "turns taken, passes included, and 1"),
                ("to_move", Kind::Text, "whose turn it is"),
                ("value", Kind::Integer, "score under perfect play"),
            ],
        );
        let player = self.position.to_move.name();
        table.push(vec![self.position.turn.into(), player.into(), self.value.into()]);
        table
    }

    fn table(&self) -> Table {
        if self.moves.is_none() {
            return self.value_table();
        }
        let mut table = Table::new(
            "solve",
            "Value of each move",
            &[
                (
                    "move",
                    Kind::Text,
                    "tile number, 1 at the top left, by rows; pass where none is legal",
                ),
                ("coordinate", Kind::Text, "column letter from the left, row number from the top"),
                ("value", Kind::Integer, "score under perfect play after the move"),
                ("cost", Kind::Integer, "points that the move gives away"),
                ("perfect", Kind::Truth, "whether it keeps the value of the position"),
            ],
        );
        let board = &self.rules.board;
        for choice in self.choices() {
            table.push(vec![
                choice.cell.map_or("pass".into(), |cell| board.tile(cell).into()),
                choice.cell.map(|cell| board.coordinate(cell)).into(),
                choice.value.into(),
                choice.cost.into(),
                (choice.cost == 0).into(),
            ]);
        }
        table
    }

    fn json(&self) -> serde_json::Value {
        let board = &self.rules.board;
        let moves = self.choices().into_iter().map(|choice| {
            json!({
                "move": choice.cell.map_or(json!("pass"), |cell| json!(board.tile(cell))),
                "coordinate": choice.cell.map(|cell| board.coordinate(cell)),
                "value": choice.value,
                "cost": choice.cost,
                "perfect": choice.cost == 0,
            })
        });
        json!({
            "rules": output::json::rules(&self.rules),
            "position": self.rules.format_position(&self.position),
            "turn": self.position.turn,
            "to_move": self.position.to_move.name(),
            "game_over": self.rules.is_terminal(&self.position),
            "value": self.value,
            "moves": self.moves.as_ref().map(|_| moves.collect::<Vec<_>>()),
        })
    }

    /// Board and map side by side, then the moves by cost.
    fn text(&self) -> String {
        let player = self.position.to_move;
        let mut text = format!("{}, turn {}: ", rules_label(&self.rules), self.position.turn);
        let over = self.rules.is_terminal(&self.position);
        if over {
            text += &format!("the game is over\n{}\n", result(self.value, "has won", "A tie"));
        } else {
            text += &format!("{} to move, the {player} player\n", symbol(player));
            text += &format!("{}\n", result(self.value, "wins", "Perfect play ties"));
        }
        text += "\n";
        let map = self.map();
        for (row, board) in self.rules.format_rows(&self.position).iter().enumerate() {
            let values = map.get(row).map_or("", String::as_str);
            text += format!("    {}    {values}", spaced(board)).trim_end();
            text += "\n";
        }
        if over {
            return text;
        }
        if self.moves.is_none() {
            text += "\nAdd --map for the value of every move.\n";
            return text;
        }
        let choices = self.choices();
        text += "\n";
        if choices.iter().all(|choice| choice.cell.is_none()) {
            text += "No legal move: the player must pass.\n";
            return text;
        }
        for group in choices.chunk_by(|a, b| a.cost == b.cost) {
            let label = match group[0].cost {
                0 => "Perfect moves".to_string(),
                1 => "Costs 1 point".to_string(),
                cost => format!("Costs {cost} points"),
            };
            let board = &self.rules.board;
            let cells = group.iter().filter_map(|choice| choice.cell);
            let tiles: Vec<String> = cells.map(|cell| board.tile(cell).to_string()).collect();
            text += &format!("{label}: {}\n", tiles.join(" "));
        }
        text
    }

    /// The values on the board; a star marks a perfect move, a dash a tile that is not legal.
    fn map(&self) -> Vec<String> {
        let best = self.choices().first().map(|choice| choice.value);
        let cell = |value: &Option<i32>| match value {
            Some(value) if Some(*value) == best => format!("{value}*"),
            Some(value) => format!("{value} "),
            None => "- ".to_string(),
        };
        let cells: Vec<String> = self.moves.iter().flatten().map(cell).collect();
        let width = cells.iter().map(String::len).max().unwrap_or(0);
        let row = |row: &[String]| {
            row.iter().map(|cell| format!("{cell:>width$}")).collect::<Vec<_>>().join(" ")
        };
        cells.chunks(self.rules.board.cols()).map(row).collect()
    }
}

fn result(value: i32, wins: &str, tie: &str) -> String {
    let points = if value.abs() == 1 { "point" } else { "points" };
    match value {
        0 => tie.to_string(),
        1.. => format!("The first player {wins} by {value} {points}"),
        _ => format!("The second player {wins} by {} {points}", -value),
    }
}

fn spaced(row: &str) -> String {
    row.chars().map(String::from).collect::<Vec<_>>().join(" ")
}
