//! `bsq check`.

use crate::cli::args::{Check, Format};
use crate::errors::is_stopped;
use crate::output::{self, Computed, Folder, Printer};
use crate::published::{self, Pick, Published, Question};
use crate::run::Run;
use anyhow::{Context, Result, bail};
use bsq_analyses::{Cell, Described, Table};
use bsq_api::{Detail, Game, Registry, Request, Resources};
use bsq_engine::game::Player;
use bsq_engine::options::borrowed;
use bsq_engine::tabulate;
use bsq_games::british_square;
use std::collections::{HashMap, HashSet};

/// Compares published numbers with what is computed now.
pub fn run(registry: &Registry, args: Check) -> Result<()> {
    let mut all = published::all()?;
    all.retain(|one| registry.get(one.game).is_some());
    let is_asked = |one: &Published| match one.question {
        Question::Tablebase { .. } => args.tablebase.is_some(),
        _ => args.all || !one.is_long,
    };
    let (asked, left): (Vec<Published>, Vec<Published>) = all.into_iter().partition(is_asked);
    let run = Run::begin(&args.output.work)?;
    let folder = Folder::open(&args.output)?;
    let mut checker = Checker { registry, args: &args, run: &run, tables: HashMap::new() };
    let mut rows = Vec::new();
    run.monitor().begin("published numbers", asked.len() as u64);
    for one in asked {
        run.monitor().check()?;
        // What cannot be computed does not agree.
        let computed = match checker.computed(&one) {
            Err(error) if is_stopped(&error) => return Err(error),
            Err(error) => format!("error: {error}"),
            Ok(computed) => computed,
        };
        rows.push((one, computed));
        run.monitor().advance(1);
    }
    let [checked, different] =
        [rows.len(), rows.iter().filter(|(one, found)| one.value != *found).count()];
    let note = note(&rows, &left);
    if folder.is_none() && output::format(&args.output) == Some(Format::Table) {
        run.clear();
        let mut to = Printer::open(&args.output)?;
        to.print(&format!("{}{}\n", listed(&rows), textwrap::fill(&note, WIDTH)))?;
        to.finish()?;
    } else {
        let command = if args.all { "check --all" } else { "check" }.to_string();
        let rules = Described { label: String::new(), fields: serde_json::json!({}) };
        let answer = Computed { command, rules, tables: vec![table(&rows, note)] };
        output::deliver(&run, &args.output, folder, &[answer])?;
    }
    run.end();
    match different {
        0 => Ok(()),
        _ => bail!("{different} of {checked} published numbers differ from what is computed"),
    }
}

/// Computes what published numbers are compared with.
struct Checker<'a> {
    registry: &'a Registry,
    args: &'a Check,
    run: &'a Run,
    /// The tables of the analyses so far, by game, analysis and options.
    tables: HashMap<String, Vec<Table>>,
}

impl Checker<'_> {
    fn computed(&mut self, one: &Published) -> Result<String> {
        let game = self.registry.get(one.game).context("the game is not registered")?;
        match &one.question {
            Question::Value => self.value(game, one),
            Question::Analysis { name, pick } => {
                let tables = self.tables(game, name, &borrowed(&one.rules))?;
                picked(tables.first().context("the analysis has no table")?, pick)
            }
            Question::Tablebase { plies } => {
                let path = self.args.tablebase.as_ref().context("there is no tablebase")?;
                let path = path.to_string_lossy();
                let tables = self.tables(game, "distances", &[("tablebase", &path)])?;
                let found = tables.iter().find(|table| table.name == "rpsw-iterations");
                let table = found.context("the analysis has no such table")?;
                let [at, counts] = ["plies", "positions"].map(|name| column(table, name));
                let (at, counts) = (at?, counts?);
                let row = table.rows.iter().find(|row| text(&row[at]) == *plies);
                Ok(row.map_or("none".to_string(), |row| text(&row[counts])))
            }
        }
    }

    /// The tables of an analysis, which is run once.
    fn tables(&mut self, game: &dyn Game, name: &str, given: &[(&str, &str)]) -> Result<&[Table]> {
        let key = format!("{} {name} {given:?}", game.info().name);
        if !self.tables.contains_key(&key) {
            let analysis = game.analyses().iter().find(|analysis| analysis.name() == name);
            let analysis = analysis.with_context(|| format!("there is no analysis '{name}'"))?;
            let job = analysis.prepare(given, Some(self.args.memory.limit))?;
            let tables = job.run(&self.run.monitor())?;
            self.tables.insert(key.clone(), tables);
        }
        Ok(&self.tables[&key])
    }

    /// The value of a game: its score or its outcome.
    fn value(&self, game: &dyn Game, one: &Published) -> Result<String> {
        let session =
            game.open(&borrowed(&one.rules), None, &Resources::new(self.args.memory.limit))?;
        let request = Request { detail: Some(Detail::Value), ..Request::default() };
        let answer = session.answer(request, &self.run.monitor())?;
        let value = answer.value.context("the value is not found")?;
        Ok(match value.score {
            Some(score) => score.to_string(),
            None => value.winner().map_or("tie", Player::name).to_string(),
        })
    }
}

fn column(table: &Table, name: &str) -> Result<usize> {
    let found = table.columns.iter().position(|column| column.name == name);
    found.with_context(|| format!("there is no column '{name}'"))
}

fn text(cell: &Cell) -> String {
    match cell {
        Cell::Text(text) => text.to_string(),
        Cell::Integer(number) => number.to_string(),
        other => format!("{other:?}"),
    }
}

/// The number that is wanted of a table.
fn picked(table: &Table, pick: &Pick) -> Result<String> {
    let integers = |name: &str| -> Result<Vec<_>> {
        let at = column(table, name)?;
        let integers = table.rows.iter().filter_map(|row| match &row[at] {
            Cell::Integer(number) => Some(number.clone()),
            _ => None,
        });
        Ok(integers.collect())
    };
    let found = match pick {
        Pick::Row(name, key, value) => {
            let (at, key) = (column(table, name)?, column(table, key)?);
            let row = table.rows.iter().find(|row| text(&row[key]) == *value);
            row.map(|row| text(&row[at]))
        }
        Pick::Only(name) => {
            let at = column(table, name)?;
            table.rows.first().map(|row| text(&row[at]))
        }
        Pick::Sum(name) => {
            Some(integers(name)?.into_iter().sum::<num_bigint::BigInt>().to_string())
        }
        Pick::Least(name) => integers(name)?.into_iter().min().map(|it| it.to_string()),
        Pick::Greatest(name) => integers(name)?.into_iter().max().map(|it| it.to_string()),
    };
    found.context("the table has no such row")
}

/// The width of a screen.
const WIDTH: usize = 80;

/// The rules of a number, in a few words.
fn rules(one: &Published) -> String {
    let words = one.rules.iter().map(|(name, value)| match *name {
        "board" => value.clone(),
        "center allowed" => "centre allowed".to_string(),
        name => format!("{name} {value}"),
    });
    words.collect::<Vec<_>>().join(", ")
}

/// The comparisons for reading, by source.
fn listed(rows: &[(Published, String)]) -> String {
    // Some sources name a file of this repository, or one for each number.
    let source = |one: &Published| {
        let mut source = one.source.as_str();
        for end in [": lines of", "; value as in"] {
            source = source.split(end).next().unwrap_or(source);
        }
        source.to_string()
    };
    let mut sources: Vec<String> = rows.iter().map(|(one, _)| source(one)).collect();
    let mut seen = HashSet::new();
    sources.retain(|source| seen.insert(source.clone()));
    let mut text = String::new();
    for wanted in &sources {
        text += &format!("{}\n", textwrap::fill(&format!("{wanted}:"), WIDTH));
        for (one, computed) in rows.iter().filter(|(one, _)| source(one) == *wanted) {
            let subject = match one.game {
                british_square::NAME => rules(one),
                game => format!("{game} {}", rules(one)),
            };
            let about = format!("{subject:<19} {:<21} {:>16}", one.what, one.value);
            let (mark, sign) = if one.value == *computed { ("✓", "=") } else { ("✗", "≠") };
            let both = format!("{about} {sign} {computed}");
            let fits = both.chars().count() <= WIDTH - 2;
            text += &match (fits, sign) {
                (true, _) | (false, "≠") => format!("{mark} {both}\n"),
                _ => format!("{mark} {about}\n"),
            };
        }
        text.push('\n');
    }
    text
}

/// How many numbers agree, and how many are not compared.
fn note(rows: &[(Published, String)], left: &[Published]) -> String {
    let different = rows.iter().filter(|(one, found)| one.value != *found).count();
    let mut note = match different {
        0 => format!("All {} published numbers agree with those computed now.", rows.len()),
        _ => format!("{different} of {} published numbers differ.", rows.len()),
    };
    let of = |is: fn(&Published) -> bool| left.iter().filter(|one| is(one)).count();
    match of(|one| one.is_long) {
        0 => {}
        long => note += &format!(" {long} more take long; --all compares them."),
    }
    match of(|one| matches!(one.question, Question::Tablebase { .. })) {
        0 => {}
        more => {
            note += &format!(
                " {more} are about a tablebase: --tablebase PATH compares them with one of the \
                 whole game of rock-paper-scissors-well."
            );
        }
    }
    note
}

/// The table of all comparisons.
fn table(rows: &[(Published, String)], note: String) -> Table {
    let mut table = tabulate!("check", "Published numbers", for (one, computed) in rows => {
        "game": text key, "the game" => one.game;
        "rules": text key, "the board, and other rules" => rules(one);
        "what": text key, "what the number counts or measures" => one.what.clone();
        "published": text, "the published number" => one.value.clone();
        "computed": text, "the number that is computed now" => computed.clone();
        "agrees": truth, "whether they are equal" => one.value == *computed;
        "source": text, "who published it, and where" => one.source.clone();
    });
    table.note = Some(note);
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compared(computed: &str) -> Vec<(Published, String)> {
        let all = published::all().unwrap();
        let one = all.into_iter().find(|one| one.what == "playouts").unwrap();
        vec![(one, computed.to_string())]
    }

    #[test]
    fn what_differs_is_marked() {
        let right = compared("4233789642926592");
        let line =
            "✓ 5x5                 playouts              4233789642926592 = 4233789642926592\n";
        assert!(listed(&right).contains(line), "{}", listed(&right));
        assert!(note(&right, &[]).starts_with("All 1 published numbers agree"));
        let wrong = compared("4233789642926593");
        assert!(listed(&wrong).contains("✗ 5x5"), "{}", listed(&wrong));
        assert!(listed(&wrong).contains("4233789642926592 ≠ 4233789642926593"));
        assert_eq!(note(&wrong, &[]), "1 of 1 published numbers differ.");
        assert_eq!(table(&wrong, String::new()).rows[0][5], Cell::Truth(false));
    }

    /// Numbers that others have published are in the list, and those first computed here are not.
    #[test]
    fn all_published_numbers_are_compared() {
        let all = published::all().unwrap();
        let of = |game: &str| all.iter().filter(|one| one.game == game).count();
        let counts = ["british-square", "dots", "mnk", "rpsw"].map(of);
        assert_eq!(counts, [17, 7, 61, 62]);
        assert!(all.iter().all(|one| !one.value.is_empty() && !one.source.is_empty()));
        let is_own = |one: &&Published| one.source.starts_with("first computed here");
        assert_eq!(all.iter().filter(is_own).count(), 0);
    }
}
