//! `bsq GAME solve`.

use super::words;
use super::{LONGEST_LINE, Subject, advised, check_pv, label};
use crate::cli::args::{Format, OutputArgs};
use crate::cli::game::Solve;
use crate::lines;
use crate::output;
use crate::run::Run;
use crate::stop::is_stopped;
use crate::usage::usage;
use anyhow::Result;
use bsq_analyses::Table;
use bsq_analyses::column::{integer, text};
use bsq_api::{Answer, Class, Cost, Detail, Game, Monitor, Points, Request, Session, ValueAnswer};
use std::io::Write;

/// Prints the value of a position and of its moves, or of many positions line by line.
pub fn run(game: &dyn Game, args: Solve) -> Result<()> {
    let Solve { subject, values, pv, print } = args;
    let output = OutputArgs::printed(print.format, print.work);
    if subject.given.as_deref() == Some("-") {
        let run = Run::begin(&output.work)?;
        each_line(game, &subject, pv, output.format, &run)?;
        run.end();
        return Ok(());
    }
    check_pv(pv, &output)?;
    let session = subject.open(game)?;
    let run = Run::begin(&output.work)?;
    let monitor = run.monitor();
    let answer = answer(session.as_ref(), values, pv, &monitor)?;
    run.clear();
    let mut out = std::io::stdout();
    match output::format(&output) {
        None => {}
        Some(Format::Json) => output::json::print(&serde_json::to_value(&answer)?)?,
        Some(Format::Csv) => output::csv::write(out, &table(&answer))?,
        Some(Format::Table) => {
            out.write_all(text_of(game, session.as_ref(), &answer).as_bytes())?
        }
    }
    run.end();
    Ok(())
}

/// The answer to the current position: its value, and those of its moves if they are wanted or cost
/// nothing.
fn answer(session: &dyn Session, values: bool, pv: bool, monitor: &Monitor) -> Result<Answer> {
    let line = if pv { LONGEST_LINE } else { 0 };
    let ask = |detail, line| {
        let answer = session.answer(Request { detail: Some(detail), line }, monitor);
        answer.map_err(|error| advised(error, None))
    };
    if values {
        return ask(Detail::Moves, line);
    }
    let answer = ask(Detail::Value, line)?;
    match answer.cost {
        Cost::LookUp => {
            let Answer { principal_variation, .. } = answer;
            Ok(Answer { principal_variation, ..ask(Detail::Moves, 0)? })
        }
        _ => Ok(answer),
    }
}

/// Answers each line of standard input with a line of CSV or JSON.
fn each_line(
    game: &dyn Game,
    subject: &Subject,
    pv: bool,
    format: Option<Format>,
    run: &Run,
) -> Result<()> {
    let as_json = match format {
        Some(Format::Table) => {
            return Err(usage("'-' answers in lines of CSV or JSON; leave --format table out"));
        }
        format => format == Some(Format::Json),
    };
    let engine = game.engine(&subject.rules(), &subject.resources());
    let engine = engine.map_err(|error| advised(error, None))?;
    let header = match pv {
        true => "line,position,outcome,winner,score,plies,best,pv",
        false => "line,position,outcome,winner,score,plies,best",
    };
    lines::answer_each((!as_json).then_some(header), |number, line| {
        let monitor = run.monitor();
        monitor.check()?;
        let session = engine.clone().session(Some(line.trim())).and_then(|mut session| {
            session.play(&subject.moves)?;
            Ok(session)
        });
        let session = match session {
            Ok(session) => session,
            Err(error) => return Ok(Err(advised(error, None))),
        };
        let answer = match answer(session.as_ref(), true, pv, &monitor) {
            Ok(answer) => answer,
            Err(error) if is_stopped(&error) => return Err(error),
            Err(error) => return Ok(Err(error)),
        };
        Ok(if as_json {
            serde_json::to_string(&answer).map_err(anyhow::Error::from)
        } else {
            Ok(csv_line(number, &answer))
        })
    })?;
    Ok(run.monitor().check()?)
}

fn csv_line(number: usize, answer: &Answer) -> String {
    let best = answer.moves.iter().filter(|mv| mv.class == Some(Class::Best));
    let best: Vec<&str> = best.map(|mv| mv.name.as_str()).collect();
    let [outcome, winner, score, plies] = fields(answer.value.as_ref());
    let (position, best) = (&answer.position, best.join(" "));
    let mut line = format!("{number},{position},{outcome},{winner},{score},{plies},{best}");
    if let Some(moves) = &answer.principal_variation {
        line += &format!(",{}", moves.join(" "));
    }
    line
}

/// The fields of a value as text, empty where they do not apply.
fn fields(value: Option<&ValueAnswer>) -> [String; 4] {
    let Some(value) = value else { return Default::default() };
    [
        words::outcome(value.outcome).to_string(),
        value.winner.map_or(String::new(), |winner| words::player(winner).to_string()),
        value.score.map_or(String::new(), |Points(score)| score.to_string()),
        value.plies.map_or(String::new(), |plies| plies.to_string()),
    ]
}

/// The moves with their values as a table.
fn table(answer: &Answer) -> Table {
    let columns = [
        text("move", "the move, in the notation of the game"),
        text("outcome", "win, tie or draw under best play after the move"),
        text("winner", "the player who wins; empty for a tie or draw"),
        text("score", "first player's points minus the second player's at the end"),
        integer("plies", "plies until the win, this move included"),
        text("cost", "points that the move gives away"),
        text("class", "best, keeps-outcome or changes-outcome"),
    ];
    let mut table = Table::new("solve", "Value of each move", &columns);
    for mv in &answer.moves {
        let [outcome, winner, score, _] = fields(mv.value.as_ref()).map(known);
        let plies = mv.value.and_then(|value| value.plies);
        let class = mv.class.map(|class| match class {
            Class::Best => "best".to_string(),
            Class::KeepsOutcome => "keeps-outcome".to_string(),
            Class::ChangesOutcome => "changes-outcome".to_string(),
        });
        let cost = mv.cost.map(|Points(cost)| cost.to_string());
        table.push(vec![
            mv.name.clone().into(),
            outcome.into(),
            winner.into(),
            score.into(),
            plies.into(),
            cost.into(),
            class.into(),
        ]);
    }
    table
}

/// `None` for an empty text.
fn known(text: String) -> Option<String> {
    Some(text).filter(|text| !text.is_empty())
}

/// The answer for reading.
fn text_of(game: &dyn Game, session: &dyn Session, answer: &Answer) -> String {
    let mover = match answer.is_over {
        true => "the game is over".to_string(),
        false => format!("the {} player is to move", words::player(answer.to_move)),
    };
    let rules = match label(&answer.rules) {
        label if label.is_empty() => label,
        label => format!(" ({label})"),
    };
    let mut text = format!("{}{rules}: {mover}\n", game.info().title);
    text += &format!("{}.\n\n{}", words::verdict(answer), session.drawing());
    if let Some(line) = &answer.principal_variation {
        text += &format!("\nPrincipal variation: {}\n", line.join(" "));
    }
    match answer.moves.first() {
        None => text,
        Some(mv) if mv.value.is_none() && mv.to_come.is_none() => {
            text + "\nAdd --values for the value of every move.\n"
        }
        Some(_) => text + "\n" + &words::moves(answer),
    }
}
