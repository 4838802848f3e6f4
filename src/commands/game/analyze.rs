//! `bsq GAME analyze`.

use super::{advised, label};
use crate::cli::game::Analyze;
use crate::output::{self, Answer, Described, Folder};
use crate::run::Run;
use anyhow::Result;
use bsq_api::{Game, Question};
use serde_json::{Map, Value};

/// Answers a question about a game with a table, or lists the questions.
pub fn run(game: &dyn Game, args: Analyze) -> Result<()> {
    let question = Question::ALL.into_iter().find(|question| question.name() == args.analysis);
    let Some(question) = question else {
        let list = Question::ALL.map(|question| (question.name(), question.summary().to_string()));
        return output::print_list(list.into_iter());
    };
    let (rules, resources) = (args.subject.rules(), args.subject.resources()?);
    // Invalid rules are reported before any work.
    let described = described(game, &rules)?;
    let run = Run::begin(&args.output.work)?;
    let folder = Folder::open(&args.output)?;
    let found = game.analyze(question, &rules, args.depth, &resources, &run.monitor());
    let table = found.map_err(|error| advised(error, None))?;
    let command = format!("{} analyze {}", game.info().name, question.name());
    let answer = Answer { command, rules: described, tables: vec![table] };
    output::deliver(&run, &args.output, folder, &[answer])?;
    run.end();
    Ok(())
}

/// The rules as they are presented with results.
fn described(game: &dyn Game, given: &[(&str, &str)]) -> Result<Described> {
    let rules = game.rules(given).map_err(|error| advised(error, None))?;
    let label = label(game.options(), &rules);
    let mut fields = Map::from_iter([("game".to_string(), Value::from(game.info().name))]);
    fields.extend(rules.into_iter().map(|(name, value)| (name, value.into())));
    Ok(Described { label, fields: fields.into() })
}
