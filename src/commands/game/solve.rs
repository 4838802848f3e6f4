//! `bsq GAME solve`.

use super::{LONGEST_LINE, PositionArgs, advised, command_of, of_rules};
use crate::checkpoint::Checkpoint;
use crate::cli::args::Format;
use crate::cli::solve::Solve;
use crate::errors::{answered_so_far, is_stopped, proved_so_far, usage};
use crate::lines::{self, Answered};
use crate::output::style::{bold, won_by};
use crate::output::{self, Folder, Printer};
use crate::run::Run;
use crate::words;
use anyhow::Result;
use bsq_analyses::Table;
use bsq_analyses::column::text;
use bsq_api::command::{self, quoted};
use bsq_api::requests::options_of;
use bsq_api::tables;
use bsq_api::{
    Answer, BoundsAnswer, Class, Cost, Detail, Engine, Game, PositionValue, Request, Score,
    Session, ValueAnswer,
};
use bsq_engine::tabulate;
use bsq_engine::text::thousands;
use bytesize::ByteSize;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// The time after Ctrl-C in which the answers to lines should end.
const GRACE: Duration = Duration::from_millis(300);

/// Prints the value of a position and of its moves, or of many positions line by line.
pub fn run(game: &dyn Game, args: Solve) -> Result<()> {
    let Solve { position, values, pv, checkpoint, output } = args;
    let run = Run::begin(&output.work)?;
    if position.given.as_deref() == Some("-") {
        if checkpoint.is_some() || output.out.is_some() {
            return Err(usage("--checkpoint and --out are for one position, not for those of '-'"));
        }
        // On a terminal as well, the default is CSV.
        let format = output.file.as_ref().and_then(|_| output::format(&output)).or(output.format);
        if let (Some(fact), true) = (position.facts.first(), format != Some(Format::Json)) {
            return Err(usage(format!(
                "lines of CSV do not contain what --{fact} finds; add --format json"
            )));
        }
        let by_line = ByLine::new(game, &position, values, pv, &run)?;
        let mut to = Printer::open(&output)?;
        // Ctrl-C does not end the wait for a line.
        let _watch = run.exit_when_stuck(GRACE, tell_stop);
        by_line
            .answer(&mut to, format)
            .map_err(|error| if is_stopped(&error) { answered_so_far() } else { error })?;
        to.finish()?;
        run.end();
        return Ok(());
    }
    let session = position.open(game)?;
    run.monitor().detail(words::plan(&session.cost()));
    let folder = Folder::open(&output)?;
    let time = position.time;
    let question = Question { session: session.as_ref(), facts: &position.facts, values, pv, time };
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
            let is_printed = folder.is_none() && so_far.bounds.is_some();
            if !is_printed {
                run.note_stopped();
            }
            let error = if is_printed && checkpoint.is_none() { proved_so_far() } else { error };
            (so_far, Some(error))
        }
        answer => (answer?, None),
    };
    if let Some(folder) = folder.filter(|_| stopped.is_none()) {
        let presented = presented(game, &position, &answer, values);
        folder.write(&run, &[presented], output.files())?;
    }
    if let Some(format) = output::format(&output) {
        let mut to = Printer::open(&output)?;
        match format {
            Format::Json => output::json::print(&mut to, &serde_json::to_value(&answer)?)?,
            Format::Csv | Format::Parquet => {
                let table = table(game, &position.facts, &answer, values);
                tables::write(&mut to, &table, format.of_files())?;
            }
            Format::Table => to.print(&text_of(game, session.as_ref(), &answer))?,
        }
        to.finish()?;
    }
    run.end();
    // A state that was not saved does not withhold the answer.
    stopped.map_or(saved, Err)
}

fn tell_stop() {
    // The message is dropped if standard error is closed.
    let _ = writeln!(std::io::stderr(), "error: stopped before the end");
}

/// What is asked about the current position of a session.
struct Question<'a> {
    session: &'a dyn Session,
    /// The optional facts that are found.
    facts: &'a [&'static str],
    values: bool,
    pv: bool,
    time: Option<Duration>,
}

impl Question<'_> {
    /// The value, and the values of the moves if they are wanted or found at once.
    fn ask(&self, run: &Run) -> Result<Answer> {
        let line = if self.pv { LONGEST_LINE } else { 0 };
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
        ask(Request { detail: Some(detail), line, time: self.time })
    }

    /// The checkpoint of the search, read from the file if that exists.
    fn checkpoint(&self, game: &dyn Game, path: &Path, run: &Run) -> Result<Checkpoint<'_>> {
        let learned = self.session.learned();
        if learned.is_empty() {
            return Err(usage("--checkpoint is for searches; this value is found in another way"));
        }
        // The tables are valid for all positions under the same rules, with the same facts.
        let mut question =
            format!("{} {}", game.info().title, of_rules(game, &self.session.rules()).label);
        for fact in self.facts {
            question += &format!(", with {fact}");
        }
        Checkpoint::open(path, learned, question, run)
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

/// Positions of standard input.
struct ByLine<'a> {
    engine: Arc<dyn Engine>,
    moves: &'a str,
    values: bool,
    pv: bool,
    time: Option<Duration>,
    run: &'a Run,
}

impl<'a> ByLine<'a> {
    fn new(
        game: &dyn Game,
        position: &'a PositionArgs,
        values: bool,
        pv: bool,
        run: &'a Run,
    ) -> Result<ByLine<'a>> {
        let engine = game.engine(&position.rules(), &position.resources());
        let engine = engine.map_err(|error| advised(error, None))?;
        Ok(ByLine { engine, moves: &position.moves, values, pv, time: position.time, run })
    }

    /// Answers each line with a line of CSV or JSON.
    fn answer(&self, to: &mut Printer, format: Option<Format>) -> Result<()> {
        match format {
            Some(Format::Table | Format::Parquet) => Err(usage(
                "'-' answers in lines of CSV or JSON; leave --format table or parquet out, or the ending .txt or .parquet",
            )),
            Some(Format::Json) => lines::answer_each(self.run, to, None, |_, line| {
                let answer = self.full(line)?;
                Ok(answer.and_then(|answer| Ok(serde_json::to_string(&answer)?)))
            }),
            _ => {
                let header = format!("line,{}", header(self.values, self.pv));
                lines::answer_each(self.run, to, Some(&header), |number, line| {
                    let text = if self.values || self.pv {
                        self.full(line)?.map(|answer| csv_line(&answer, self.values))
                    } else {
                        self.value(line)?
                    };
                    Ok(text.map(|text| format!("{number},{text}")))
                })
            }
        }
    }

    /// The answer with moves or a principal variation.
    fn full(&self, line: &str) -> Result<Answered<Answer>> {
        let session = self.engine.clone().session(Some(line)).and_then(|mut session| {
            session.play(self.moves)?;
            Ok(session)
        });
        Ok(match session {
            Ok(session) => {
                let question = Question {
                    session: session.as_ref(),
                    facts: &[],
                    values: self.values,
                    pv: self.pv,
                    time: self.time,
                };
                go_on(question.ask(self.run))?
            }
            Err(error) => Err(advised(error, None)),
        })
    }

    /// The value alone, as a line.
    fn value(&self, line: &str) -> Result<Answered<String>> {
        let monitor = self.run.monitor();
        let value = self.engine.value(line, self.moves, self.time, &monitor);
        let value = value.map_err(|error| advised(error, None));
        Ok(go_on(value)?.map(|PositionValue { position, value, bounds, to_come }| {
            value_line(&position, value.as_ref(), bounds.as_ref(), to_come)
        }))
    }
}

/// Ends the whole job if it was stopped.
fn go_on<T>(answer: Result<T>) -> Result<Answered<T>> {
    match answer {
        Err(error) if is_stopped(&error) => Err(error),
        answer => Ok(answer),
    }
}

/// The columns of positions.
fn header(best: bool, pv: bool) -> String {
    let mut header =
        "position,outcome,winner,score,score_min,score_max,proved,plies,to_come".to_string();
    header += if best { ",best" } else { "" };
    header + if pv { ",pv" } else { "" }
}

/// The fields of a position with its value.
fn value_line(
    position: &str,
    value: Option<&ValueAnswer>,
    bounds: Option<&BoundsAnswer>,
    to_come: Option<Score>,
) -> String {
    let [outcome, winner, score, plies] = fields(value, bounds);
    let [score_min, score_max] = score_bounds(bounds).map(points);
    let (proved, to_come) = (value.is_some() || to_come.is_some(), points(to_come));
    format!(
        "{position},{outcome},{winner},{score},{score_min},{score_max},{proved},{plies},{to_come}"
    )
}

/// The least and the greatest score that are not excluded.
fn score_bounds(bounds: Option<&BoundsAnswer>) -> [Option<Score>; 2] {
    let score = |value: fn(&BoundsAnswer) -> ValueAnswer| bounds.and_then(|it| value(it).score);
    [score(|bounds| bounds.least), score(|bounds| bounds.most)]
}

fn csv_line(answer: &Answer, values: bool) -> String {
    let (value, bounds) = (answer.value.as_ref(), answer.bounds.as_ref());
    let mut line = value_line(&answer.position, value, bounds, answer.to_come);
    if values {
        let best: Vec<&str> = answer.best().map(|mv| mv.name.as_str()).collect();
        line += &format!(",{}", best.join(" "));
    }
    if let Some(moves) = &answer.principal_variation {
        line += &format!(",{}", moves.join(" "));
    }
    line
}

/// The fields of a value as text, empty where they do not apply or are not known. If the value is not
/// known, its outcome may be.
fn fields(value: Option<&ValueAnswer>, bounds: Option<&BoundsAnswer>) -> [String; 4] {
    let outcome = || {
        let BoundsAnswer { least, most, .. } = bounds?;
        let is_known = (least.outcome, least.winner) == (most.outcome, most.winner);
        is_known.then_some(ValueAnswer { score: None, plies: None, ..*least })
    };
    let Some(value) = value.copied().or_else(outcome) else { return Default::default() };
    [
        words::outcome(value.outcome).to_string(),
        value.winner.map_or(String::new(), |winner| winner.name().to_string()),
        points(value.score),
        value.plies.map_or(String::new(), |plies| plies.to_string()),
    ]
}

fn points(points: Option<Score>) -> String {
    points.map_or(String::new(), |score| score.to_string())
}

/// The table with the position and the rules, for files.
fn presented(
    game: &dyn Game,
    PositionArgs { facts, time, .. }: &PositionArgs,
    answer: &Answer,
    values: bool,
) -> output::Computed {
    let mut verb = format!("solve {}", quoted(&answer.position));
    verb += &command::flags(game.options(), &options_of(game, &answer.rules));
    let switches = [("values", values), ("pv", answer.principal_variation.is_some())].into_iter();
    let switches = switches.chain(facts.iter().map(|fact| (*fact, true)));
    switches.filter(|(_, is_on)| *is_on).for_each(|(name, _)| verb += &format!(" --{name}"));
    // What is proved within a time depends on the machine.
    if let Some(time) = time.filter(|_| !answer.is_complete) {
        verb += &format!(" --time {}", quoted(&humantime::format_duration(time).to_string()));
    }
    let command = command_of(game, &verb);
    let rules = of_rules(game, &answer.rules);
    output::Computed { command, rules, tables: vec![table(game, facts, answer, values)] }
}

/// The moves with their values, or the value of the position, with the optional facts.
fn table(game: &dyn Game, facts: &[&str], answer: &Answer, values: bool) -> Table {
    let mut table = if values { moves_table(answer) } else { value_table(answer) };
    for fact in game.optional_facts().iter().filter(|fact| facts.contains(&fact.name)) {
        table.columns.push(text(fact.key, fact.help));
        let of_position = answer.facts.get(fact.key);
        for (at, row) in table.rows.iter_mut().enumerate() {
            // A fact about the position alone is the same for every move.
            let of_move = answer.moves.get(at).filter(|_| values);
            let of_move = of_move.and_then(|mv| mv.facts.get(fact.key));
            row.push(of_move.or(of_position).and_then(words::fact).into());
        }
    }
    table
}

const SCORE: &str = "first player's points minus the second player's at the end; empty if unknown or in \
    games without points";

/// The value of the position as a table of one row.
fn value_table(answer: &Answer) -> Table {
    let mut table = tabulate!("solve", "Value of the position", for answer in [answer] => {
        let [outcome, winner, score, _] =
            fields(answer.value.as_ref(), answer.bounds.as_ref()).map(known);
        "position": text, "the position, as it can be asked about again"
            => answer.position.clone();
        "outcome": text, "win, tie or draw under best play; empty if unknown" => outcome;
        "winner": text, "the player who wins; empty for a tie or draw" => winner;
        "score": text, SCORE => score;
        "score_min": text, "the least score that is not excluded; empty if unknown or in games without points"
            => answer.score_min.map(|score| score.to_string());
        "score_max": text, "the greatest score that is not excluded" => answer.score_max.map(|score| score.to_string());
        "proved": truth, "whether the value is known; otherwise the search ended before" => answer.proved;
        "plies": integer, "plies until the win; empty if nobody wins, or in games with points"
            => answer.value.and_then(|value| value.plies);
        "to_come": text,
            "first player's points minus the second player's from the position on; empty if unknown or \
            in games without points"
            => known(points(answer.to_come));
    });
    if let Some(line) = &answer.principal_variation {
        table.columns.push(text("pv", "the principal variation"));
        table.rows[0].push(line.join(" ").into());
    }
    table
}

/// The moves with their values as a table.
fn moves_table(answer: &Answer) -> Table {
    let mut table = tabulate!("solve", "Value of each move", for mv in &answer.moves => {
        let [outcome, winner, score, _] = fields(mv.value.as_ref(), None).map(known);
        "move": text key, "the move, in the notation of the game" => mv.name.clone();
        "places": text,
            "the places on the board that the move names, with blanks between them"
            => mv.places.join(" ");
        "outcome": text, "win, tie or draw under best play after the move; empty if unknown"
            => outcome;
        "winner": text, "the player who wins; empty for a tie or draw" => winner;
        "score": text, SCORE => score;
        "plies": integer,
            "plies until the win, this move included; empty if nobody wins, or in games with points"
            => mv.value.and_then(|value| value.plies);
        "to_come": text, "first player's points minus the second player's from the move on; \
            empty if unknown or in games without points"
            => known(points(mv.to_come));
        "cost": text, "points that the move gives away; empty if unknown or in games without points"
            => known(points(mv.cost));
        "class": text, "best, keeps-outcome or changes-outcome; empty if unknown"
            => mv.class.map(|class| match class {
                Class::Best => "best",
                Class::KeepsOutcome => "keeps-outcome",
                Class::ChangesOutcome => "changes-outcome",
            });
    });
    if let Some(line) = &answer.principal_variation {
        let about = "the principal variation, with its first move; otherwise empty";
        table.columns.push(text("pv", about));
        for (mv, row) in answer.moves.iter().zip(&mut table.rows) {
            row.push(known(line.join(" ")).filter(|_| line.first() == Some(&mv.name)).into());
        }
    }
    table
}

/// `None` for an empty text.
fn known(text: String) -> Option<String> {
    Some(text).filter(|text| !text.is_empty())
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
    let winner = answer.value.and_then(|value| value.winner);
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
