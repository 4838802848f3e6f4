//! `bsq dots verify`.

use super::described;
use crate::cli::args::{DotsVerify, OutputArgs};
use crate::output::{self, Answer};
use crate::run::Run;
use anyhow::Result;
use bsq_analyses::Table;
use bsq_analyses::column::{integer, text};
use bsq_games::dots::tablebase::Tablebase;

/// Verifies the files of a tablebase. Returns an error if one is damaged or wrong.
pub fn run(args: DotsVerify) -> Result<()> {
    let output = OutputArgs::printed(args.print.format, args.print.work);
    let run = Run::begin(&output.work)?;
    let tablebase = Tablebase::open(&args.folder)?;
    let verified = tablebase.verify(&run.monitor())?;
    let sample = tablebase.check_sample(args.sample, args.seed, &run.monitor())?;
    let mut table = Table::new(
        "dots-verify",
        &format!("Nothing wrong was found in {}", args.folder.display()),
        &[
            text("checked", "what was compared with the rules or checksums"),
            integer("count", "how many of them"),
        ],
    );
    table.push(vec!["files, by checksum".into(), verified.files.into()]);
    table.push(vec!["bytes, by checksum".into(), verified.bytes.into()]);
    table.push(vec!["positions, by checksum".into(), verified.positions.into()]);
    table.push(vec!["sampled positions, by those after them".into(), sample.into()]);
    let command = format!("dots verify {}", args.folder.display());
    let answer = Answer { command, rules: described(tablebase.plan()), tables: vec![table] };
    output::deliver(&run, &output, None, &[answer])?;
    run.end();
    Ok(())
}
