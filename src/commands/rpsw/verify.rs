//! `bsq rpsw verify`.

use super::check_memory;
use super::tablebase::open;
use crate::cli::args::{OutputArgs, RpswVerify};
use crate::output::{self, Answer};
use crate::run::Run;
use anyhow::Result;
use bsq_analyses::Table;
use bsq_analyses::column::{integer, text};
use bsq_games::rpsw::retrograde::Layout;
use bsq_games::rpsw::tablebase::LEAST_PLIES;
use bsq_games::rpsw::tablebase::solution::Solution;

/// Verifies a tablebase. Returns an error if it is wrong.
pub fn run(args: RpswVerify) -> Result<()> {
    let database = open(&args.file)?;
    let output = OutputArgs::printed(args.print.format, args.print.work);
    let run = Run::begin(&output.work)?;
    let rules = database.rules().clone();
    if args.full {
        check_memory(&Layout::new(rules.clone()))?;
    }
    let file = args.file.display();
    let title = match args.full {
        true => format!("{file} is right"),
        false => format!("Nothing wrong was found in {file}"),
    };
    let mut table = Table::new(
        "rpsw-verify",
        &title,
        &[
            text("checked", "what was compared with what the rules or checksums say"),
            integer("count", "how many of them"),
        ],
    );
    let mut check = |what: &str, count: u64| table.push(vec![what.into(), count.into()]);
    check(
        "stored positions, by checksum, rules and census",
        database.check_blocks(&run.monitor())?,
    );
    let sample = database.check_sample(args.sample, args.seed, &run.monitor())?;
    check("sampled positions, by those after them", sample.positions());
    check("of these won", sample.won);
    check("of these lost", sample.lost);
    check("of these drawn", sample.drawn);
    if args.full {
        let layout = Layout::new(rules.clone());
        let solution = Solution::solve(layout, LEAST_PLIES, &run.monitor())?;
        let rows = solution.into_rows(&run.monitor())?;
        database.check_against(&rows, &run.monitor())?;
        check("bytes, by solving the game again", database.bytes());
    }
    let command = format!("rpsw verify {}", args.file.display());
    let answer = Answer { command, rules: (&rules).into(), tables: vec![table] };
    output::deliver(&run, &output, None, &[answer])?;
    run.end();
    Ok(())
}
