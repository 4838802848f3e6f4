//! `bsq search-heuristic`.

use super::plot::{Plotting, deliver};
use crate::checkpoint::{Claim, open_if_there, unusable};
use crate::cli::args::{SearchHeuristic, WayName};
use crate::errors::{of_job, stopped_and_saved, usage};
use crate::lists::{heuristic, read_lists};
use crate::new_file::NewFile;
use crate::output::{self, Computed};
use crate::run::Run;
use anyhow::{Context, Result};
use bsq_analyses::british_square::heuristics::{FRONT_CHART, front_table};
use bsq_analyses::described;
use bsq_api::command::quoted;
use bsq_engine::monitor::SolveError;
use bsq_engine::storage::files;
use bsq_engine::text::thousands;
use bsq_games::british_square::heuristic::corpus::{Corpus, Selection};
use bsq_games::british_square::heuristic::features;
use bsq_games::british_square::heuristic::features::Feature;
use bsq_games::british_square::heuristic::language;
use bsq_games::british_square::heuristic::search::{Method, Plan, Saved, Search, State};
use bsq_games::british_square::{BritishSquare, Rules};
use clap::{Args as _, FromArgMatches as _, ValueEnum as _};
use std::cell::Cell;
use std::io::Write;
use std::path::Path;

/// Searches for good decision lists.
pub fn run(mut args: SearchHeuristic) -> Result<()> {
    let features = if args.features.is_empty() {
        // With features of pieces, every state would form a class of its own.
        features::all().filter(|feature| feature.is_territorial()).collect()
    } else {
        named(&args.features)?
    };
    if let Some(feature) = features.iter().find(|feature| !feature.ranks_moves()) {
        return Err(usage(format!(
            "'{}' is the same for every move; it cannot rank them",
            feature.name
        )));
    }
    let conditions = named(&args.conditions)?;
    if let Some(feature) = conditions.iter().find(|feature| !feature.tells_positions()) {
        return Err(usage(format!(
            "'{}' belongs to a move; it cannot stand in a condition",
            feature.name
        )));
    }
    let plan = plan(&args)?;
    let rules = args.rules.0.clone();
    let game = BritishSquare::new(rules.clone()).map_err(usage)?;
    let plotting = Plotting::begin(&args.plot, &[&FRONT_CHART])?;
    let run = Run::begin(&args.output.work)?;
    let out = output::Folder::open(&args.output)?;
    let selection = Selection {
        moves: &features,
        replies: if args.replies { &features } else { &[] },
        conditions: &conditions,
        limits: args.limits,
    };
    let kept = Kept { rules: &rules, selection, plan: &plan };
    let _claim = args.checkpoint.as_deref().map(Claim::of).transpose()?;
    let saved = match &args.checkpoint {
        Some(path) => kept.open(path, &run)?.map(|saved| (saved, path)),
        None => None,
    };
    let is_saved = Cell::new(saved.is_some());
    let stopped = |error: anyhow::Error| match error.downcast_ref() {
        Some(SolveError::Stopped) if is_saved.get() => stopped_and_saved(),
        _ => error,
    };
    let monitor = run.monitor().within(Some(args.memory.limit));
    let corpus = Corpus::new(&game, selection, &monitor).map_err(|error| match error {
        SolveError::Stopped => stopped(error.into()),
        error => of_job(error),
    })?;
    run.note(&format!(
        "{} decisions in {} classes",
        thousands(corpus.decisions()),
        thousands(corpus.classes())
    ));
    let search = Search::new(&corpus, &plan);
    if let Some(list) = plan.start.iter().find(|list| !search.allows(list)) {
        return Err(usage(format!(
            "--start '{list}' is not a list of this search: see --features, --replies, --conditions, --limits, --max-rules and --max-difficulty"
        )));
    }
    let state = match saved {
        Some((saved, path)) => search.resume(saved).map_err(|error| unusable(path, error))?,
        None => State::default(),
    };
    let save = |state: &State| match &args.checkpoint {
        Some(path) => kept.save(state, path).inspect(|()| is_saved.set(true)),
        None => Ok(()),
    };
    let state = search.run(state, &run.monitor(), save).map_err(stopped)?;
    let command = command(&args, &plan)?;
    let tables = vec![front_table(&corpus, &state.front)];
    let answer = Computed { command, rules: described(&rules), tables };
    deliver(&run, &mut args.output, out, &[answer], plotting)?;
    run.end();
    Ok(())
}

/// The command of the search, with the flags that differ from their defaults.
fn command(args: &SearchHeuristic, plan: &Plan) -> Result<String> {
    let mut command = "search-heuristic".to_string();
    let parser = SearchHeuristic::augment_args(clap::Command::new(command.clone()));
    let defaults = parser.try_get_matches_from([&command])?;
    let defaults = SearchHeuristic::from_arg_matches(&defaults)?;
    if args.way != defaults.way {
        let way = args.way.to_possible_value();
        command += &way.map(|way| format!(" {}", way.get_name())).unwrap_or_default();
    }
    let flags = |args: &SearchHeuristic| {
        [
            ("max-rules", args.max_rules.to_string()),
            ("max-difficulty", args.max_difficulty.to_string()),
            ("features", args.features.join(",")),
            ("conditions", args.conditions.join(",")),
            ("width", args.width.to_string()),
            ("rounds", args.rounds.to_string()),
            ("steps", args.steps.to_string()),
            ("seed", args.seed.to_string()),
        ]
    };
    for ((flag, value), (_, default)) in flags(args).into_iter().zip(flags(&defaults)) {
        if value != default {
            command += &format!(" --{flag} {}", quoted(&value));
        }
    }
    let switches = [("replies", args.replies), ("limits", args.limits)].into_iter();
    switches.filter(|(_, is_on)| *is_on).for_each(|(name, _)| command += &format!(" --{name}"));
    for list in &plan.start {
        command += &format!(" --start {}", quoted(&list.to_string()));
    }
    Ok(command + &args.rules.written())
}

/// Returns the features with these names.
fn named(names: &[String]) -> Result<Vec<&'static Feature>> {
    let named = |name: &String| {
        let known = features::all().map(|feature| feature.name);
        let name = name.trim();
        features::by_name(name).ok_or_else(|| {
            usage(format!("'{name}' is not a feature{}", language::suggestion(name, known)))
        })
    };
    names.iter().map(named).collect()
}

fn plan(args: &SearchHeuristic) -> Result<Plan> {
    let lists = args.lists.as_deref().map(read_lists).transpose()?.unwrap_or_default();
    let start = args.start.iter().map(|text| Ok(heuristic(text, &lists)?.list));
    Ok(Plan {
        method: match args.way {
            WayName::Exhaustive => Method::Exhaustive,
            WayName::Beam => Method::Beam { width: args.width },
            WayName::Local => Method::Local { rounds: args.rounds, steps: args.steps },
        },
        rules: args.max_rules,
        difficulty: args.max_difficulty,
        start: start.collect::<Result<_>>()?,
        seed: args.seed,
    })
}

/// The maximum length of a checkpoint, in bytes.
const LONGEST_CHECKPOINT: u64 = 64 << 20;

/// The checkpoint of a search.
struct Kept<'a> {
    rules: &'a Rules,
    selection: Selection<'a>,
    plan: &'a Plan,
}

impl Kept<'_> {
    /// Reads the file if it exists. Returns an error if it cannot be used, or if it cannot be
    /// created later.
    fn open(&self, path: &Path, run: &Run) -> Result<Option<Saved>> {
        let Some(mut file) = open_if_there(path)? else {
            run.note("starts a new search");
            return Ok(None);
        };
        let bytes = files::read_all(&mut file, LONGEST_CHECKPOINT)
            .with_context(|| format!("cannot read {}", path.display()))?;
        let state = State::read(&bytes, self.rules, &self.selection, self.plan)
            .map_err(|error| unusable(path, error))?;
        run.note(&format!("continues the search after round {}", state.round));
        Ok(Some(state))
    }

    fn save(&self, state: &State, path: &Path) -> Result<()> {
        let mut file = NewFile::begin(path)?;
        file.write_all(state.write(self.rules, &self.selection, self.plan).as_bytes())?;
        file.finish()
    }
}
