//! `bsq GAME solve`.

use super::{LONGEST_LINE, PositionArgs, advised, batch, command_of, of_rules, series};
use crate::checkpoint::Checkpoint;
use crate::cli::args::Format;
use crate::cli::solve::Solve;
use crate::errors::{is_stopped, proved_so_far, usage};
use crate::output::style::{bold, won_by};
use crate::output::{self, Folder, Outlets, Printer};
use crate::run::Run;
use crate::words;
use anyhow::Result;
use bsq_api::command::{self, quoted};
use bsq_api::requests::options_of;
use bsq_api::{Answer, Cost, Detail, Game, PositionValues, Request, Session, ValuesRequest};
use bsq_engine::text::thousands;
use bytesize::ByteSize;
use std::path::Path;
use std::time::Duration;

/// A search is announced if it takes longer than this.
const LONG: Duration = Duration::from_secs(10);

/// Prints the value of a position and of its moves, or of many positions line by line.
pub fn run(game: &dyn Game, args: Solve) -> Result<()> {
    if args.position.given.as_deref() == Some("-") {
        return batch::run(game, args);
    }
    if series::is_given(game, &args.position) {
        return series::run(game, args);
    }
    let Solve { position, values, pv, checkpoint, output } = args;
    let run = Run::begin(&output.work)?;
    let session = position.open(game)?;
    match session.estimate() {
        Some(estimate) if session.cost() == Cost::Search && estimate >= LONG => {
            let end = "Ctrl-C or --time ends it with what is proved by then";
            run.note(&format!("{}; {end}", words::plan(session.as_ref())));
        }
        _ => run.monitor().detail(&words::plan(session.as_ref())),
    }
    let time = position.time;
    let request = ValuesRequest {
        of_moves: values,
        line: if pv { LONGEST_LINE } else { 0 },
        ..ValuesRequest::default()
    };
    let rules = session.rules();
    let schema = game.values_schema(&options_of(game, &rules), &position.resources(), &request);
    let schema = schema.map_err(|error| advised(error, None))?;
    let folder = Folder::open(&output)?;
    // Rows contain a best move, unless that takes another search.
    let has_rows = folder.is_some() || output::format(&output).is_some_and(Format::is_of_rows);
    let has_best = has_rows && session.cost() != Cost::Search;
    let line = if pv { LONGEST_LINE } else { usize::from(has_best) };
    let question =
        Question { session: session.as_ref(), facts: &position.facts, values, line, time };
    let checkpoint = checkpoint.map(|path| question.checkpoint(game, &path, &run)).transpose()?;
    let (answer, saved) = match &checkpoint {
        Some(checkpoint) => checkpoint.keep(&run, || question.ask(&run), |found| found.is_complete),
        None => (question.ask(&run), Ok(())),
    };
    let before = checkpoint.as_ref().map_or(0, Checkpoint::before);
    report(session.as_ref(), before, &run);
    // After Ctrl-C as well, what is proved by then is the answer.
    let (answer, stopped) = match answer {
        Err(error) if is_stopped(&error) => {
            let so_far = session.so_far();
            let is_printed = output.out.is_none() && so_far.bounds.is_some();
            if !is_printed {
                run.note_stopped();
            }
            let error = if is_printed && checkpoint.is_none() { proved_so_far() } else { error };
            (so_far, Some(error))
        }
        answer => (answer?, None),
    };
    if stopped.is_none() || output.out.is_none() {
        let mut batch = schema.batch();
        batch.push(1, &PositionValues::from(&answer), None);
        let empty = schema.batch().finish();
        let mut outlets = Outlets::open(&output, folder, schema.table(), &empty)?;
        let pieces = outlets.encode(batch.finish())?;
        outlets.append(pieces)?;
        let command = command_line(game, &position, &answer, values, pv);
        outlets.finish(&run, &command, &of_rules(game, &answer.rules))?;
    }
    let answer =
        Answer { principal_variation: answer.principal_variation.filter(|_| pv), ..answer };
    if let Some(format @ (Format::Json | Format::Table)) = output::format(&output) {
        let mut to = Printer::open(&output)?;
        match format {
            Format::Json => output::json::print(&mut to, &serde_json::to_value(&answer)?)?,
            _ => to.print(&text_of(game, session.as_ref(), &answer))?,
        }
        to.finish()?;
    }
    run.end();
    // A state that was not saved does not withhold the answer.
    stopped.map_or(saved, Err)
}

/// What is asked about the current position of a session.
pub struct Question<'a> {
    /// The session.
    pub session: &'a dyn Session,
    /// The optional facts that are found.
    pub facts: &'a [&'static str],
    /// Whether every move is valued.
    pub values: bool,
    /// The most moves of the principal variation.
    pub line: usize,
    /// The time after which the answer is what is proved by then.
    pub time: Option<Duration>,
}

impl Question<'_> {
    /// The value, and the values of the moves if they are wanted or found at once.
    pub fn ask(&self, run: &Run) -> Result<Answer> {
        let monitor = run.monitor();
        let ask = |request| {
            let answer = self.session.answer(request, &monitor);
            answer.map_err(|error| advised(error, None))
        };
        let detail = match self.session.cost() {
            _ if self.values => Detail::Moves,
            // With a table of the whole board, moves are looked up.
            Cost::LookUp | Cost::Quick | Cost::Build => Detail::Moves,
            Cost::Search | Cost::Refused { .. } => Detail::Value,
        };
        ask(Request { detail: Some(detail), line: self.line, time: self.time })
    }

    /// The checkpoint of the search, read from the file if that exists.
    fn checkpoint(&self, game: &dyn Game, path: &Path, run: &Run) -> Result<Checkpoint<'_>> {
        self.session.grow(0).map_err(|error| advised(error, None))?;
        if self.session.learned().is_empty() {
            return Err(usage("--checkpoint is for searches; this value is found in another way"));
        }
        // The tables are valid for all positions under the same rules, with the same facts.
        let mut question =
            format!("{} {}", game.info().title, of_rules(game, &self.session.rules()).label);
        for fact in self.facts {
            question += &format!(", with {fact}");
        }
        Checkpoint::open(path, self.session, question, run)
    }
}

/// Reports the work of a search that took a while. `before` is the number of positions searched
/// before it was resumed.
fn report(session: &dyn Session, before: u64, run: &Run) {
    let (learned, seconds) = (session.learned(), run.seconds());
    let nodes: u64 = learned.iter().map(|solver| solver.nodes()).sum();
    let fill: f64 = learned.iter().map(|solver| solver.fill()).sum();
    let fill = fill / learned.len().max(1) as f64;
    tracing::info!(nodes, seconds, fill, "searched");
    let new = nodes - before;
    if seconds >= 1.0 && new > 0 {
        let rate = new as f64 / seconds / 1e6;
        let earlier = match before {
            0 => String::new(),
            _ => format!(", after {} in earlier runs", thousands(before)),
        };
        let bytes = learned.iter().map(|solver| solver.table_bytes()).sum();
        let size = ByteSize::b(bytes).display().iec();
        run.note(&format!(
            "{} positions searched in {seconds:.1} s, {rate:.2} million a second{earlier}; table of {size} {:.0}% full",
            thousands(new),
            100.0 * fill
        ));
    }
    run.clear();
}

/// The command that gives the same rows.
fn command_line(
    game: &dyn Game,
    position: &PositionArgs,
    answer: &Answer,
    values: bool,
    pv: bool,
) -> String {
    let mut verb = format!("solve {}", quoted(&answer.position));
    verb += &command::flags(game.options(), &options_of(game, &answer.rules));
    // What is proved within a time depends on the machine.
    let time = position.time.filter(|_| !answer.is_complete);
    verb += &switches(&PositionArgs { time, ..position.clone() }, values, pv);
    command_of(game, &verb)
}

/// The flags about a tablebase and what is asked.
pub fn switches(position: &PositionArgs, values: bool, pv: bool) -> String {
    let facts = position.facts.iter().map(|fact| (*fact, true));
    let switches = [("values", values), ("pv", pv)].into_iter().chain(facts);
    let tablebase = position.tablebase.as_deref();
    let mut flags = tablebase
        .map_or(String::new(), |path| format!(" --tablebase {}", command::file_name(path)));
    flags.extend(switches.filter(|(_, is_on)| *is_on).map(|(name, _)| format!(" --{name}")));
    if let Some(time) = position.time {
        flags += &format!(" --time {}", quoted(&humantime::format_duration(time).to_string()));
    }
    flags
}

/// The answer for reading.
fn text_of(game: &dyn Game, session: &dyn Session, answer: &Answer) -> String {
    let mover = if answer.is_over {
        "the game is over".to_string()
    } else {
        format!("the {} player is to move", answer.to_move.name())
    };
    let rules = of_rules(game, &answer.rules).label;
    let title = format!("{} {rules}", game.info().title);
    let mut text = format!("{}: {mover}\n", bold(title.trim_end()));
    let winner = answer.value.and_then(|value| value.winner());
    let verdict = format!("{}.", words::verdict(answer));
    text += &if answer.value.is_some() { won_by(winner, &verdict) } else { verdict };
    text.push('\n');
    if !answer.is_reachable {
        text += "Play from the start does not reach this position.\n";
    }
    for (name, fact) in words::facts(&answer.facts) {
        text += &format!("{}: {fact}.\n", words::sentence(&name));
    }
    text += "\n";
    text += &words::drawing(session, answer);
    if let Some(line) = answer.principal_variation.as_ref().filter(|line| !line.is_empty()) {
        text += &format!("\n{}\n", words::wrapped("Principal variation: ", line));
    }
    match answer.moves.first() {
        None => text,
        Some(mv) if answer.is_complete && mv.value.is_none() && mv.to_come.is_none() => {
            text + "\nAdd --values for the value of every move.\n"
        }
        Some(_) => text + "\n" + &words::moves(answer, bold),
    }
}
