//! `bsq GAME analyze`.

use super::{advised, described};
use crate::cli::game::Analyze;
use crate::output::{self, Answer, Folder};
use crate::run::Run;
use anyhow::Result;
use bsq_api::{Game, Question};

/// Answers a question about a game with a table, or lists the questions.
pub fn run(game: &dyn Game, args: Analyze) -> Result<()> {
    let question = Question::ALL.into_iter().find(|question| question.name() == args.analysis);
    let Some(question) = question else {
        let list = Question::ALL.map(|question| (question.name(), question.summary().to_string()));
        return output::print_list(list.into_iter());
    };
    let (rules, resources) = (args.subject.rules(), args.subject.resources()?);
    // Invalid rules are reported before any work.
    let named = game.rules(&rules).map_err(|error| advised(error, None))?;
    let run = Run::begin(&args.output.work)?;
    let folder = Folder::open(&args.output)?;
    let found = game.analyze(question, &rules, args.depth, &resources, &run.monitor());
    let table = found.map_err(|error| advised(error, None))?;
    let command = format!("{} analyze {}", game.info().name, question.name());
    let answer = Answer { command, rules: described(game, &named), tables: vec![table] };
    output::deliver(&run, &args.output, folder, &[answer])?;
    run.end();
    Ok(())
}
