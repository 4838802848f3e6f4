//! Where results go: a file for each format, one for the folder with its manifest.

pub mod csv;
mod folder;
pub mod json;
#[cfg(feature = "full")]
mod parquet;
pub mod screen;
mod stream;

pub use folder::{Folder, MANIFEST};
pub use stream::export;

use crate::args::{Format, OutputArgs};
use crate::run::Run;
use anyhow::Result;
use bsq_analyses::{Subject, Table, rules_label};
use bsq_games::british_square::{Board, Rules};
use bsq_games::rpsw;
use serde_json::{Value, json};
use std::io::{IsTerminal, Write};

/// What a command found.
pub struct Answer {
    /// The command without its flags, such as `analyze playouts`.
    pub command: String,
    /// The rules that were asked for.
    pub rules: Described,
    /// The main table, then any others.
    pub tables: Vec<Table>,
}

/// Rules as results show them.
#[derive(Clone, Debug)]
pub struct Described {
    /// In a few words.
    pub label: String,
    /// By the names of their flags.
    pub fields: Value,
}

impl From<&Rules> for Described {
    fn from(rules: &Rules) -> Described {
        Described { label: rules_label(rules), fields: json::rules(rules) }
    }
}

impl From<&rpsw::Rules> for Described {
    fn from(rules: &rpsw::Rules) -> Described {
        let (board, pieces) = (format!("{}x{}", rules.cols(), rules.rows()), rules.pieces());
        let (total, takes) = (rules.total(), rules.format_takes());
        let mut label = match pieces {
            4 => format!("{board} standard"),
            1 => format!("{board}, 1 piece each"),
            _ => format!("{board}, at most {pieces} pieces each"),
        };
        if total < 2 * pieces {
            label += &format!(", {total} in all");
        }
        if rules.capture_table() != rpsw::Rules::standard().capture_table() {
            label += &format!(", {takes}");
        }
        let fields = json!({
            "game": rpsw::NAME, "board": board, "pieces": pieces, "total": total, "takes": takes,
        });
        Described { label, fields }
    }
}

impl From<&Subject<'_>> for Described {
    fn from(subject: &Subject) -> Described {
        let game = subject.game();
        match subject {
            Subject::Rules(rules) => rules.into(),
            Subject::Board(board) => Described {
                label: format!("{board} standard"),
                fields: json!({ "game": game, "board": board.to_string() }),
            },
            Subject::Lines(lines) => Described {
                label: format!("up to {lines} open lines"),
                fields: json!({ "game": game, "lines": lines }),
            },
            Subject::Tablebase(tablebase) => tablebase.rules().into(),
        }
    }
}

/// The rules in a manifest in a few words, as far as they are known.
pub fn rules_of_manifest(fields: &Value) -> String {
    let board = fields["board"].as_str();
    if let (None, Some(board)) = (fields["game"].as_str(), board.and_then(|b| Board::parse(b).ok()))
    {
        let number = |name: &str| fields[name].as_i64();
        return rules_label(&Rules {
            board,
            center_allowed: fields["center_allowed"] == true,
            bias: number("bias").and_then(|bias| bias.try_into().ok()).unwrap_or(0),
            pieces: number("pieces").and_then(|pieces| pieces.try_into().ok()),
        });
    }
    match (board, fields["lines"].as_u64()) {
        (Some(board), _) => board.to_string(),
        (None, Some(lines)) => format!("up to {lines} open lines"),
        (None, None) => String::new(),
    }
}

/// The format for standard output: what was asked for; nothing where files are written; else
/// a table on a terminal and CSV in a pipe.
pub fn format(output: &OutputArgs) -> Option<Format> {
    match (output.format, output.out.is_some() || output.is_plotted) {
        (Some(format), _) => Some(format),
        (None, true) => None,
        (None, false) if std::io::stdout().is_terminal() => Some(Format::Table),
        (None, false) => Some(Format::Csv),
    }
}

/// Writes the answers into the folder, if there is one, and prints them.
pub fn deliver(
    run: &Run,
    output: &OutputArgs,
    out: Option<Folder>,
    answers: &[Answer],
) -> Result<()> {
    let in_files = out.is_some();
    if let Some(out) = out {
        out.write(run, answers)?;
    }
    run.clear();
    match format(output) {
        None => return Ok(()),
        Some(Format::Json) => return json::print_answers(answers),
        Some(Format::Table) => screen::print(answers)?,
        Some(Format::Csv) => csv::write(std::io::stdout(), &answers[0].tables[0])?,
    }
    let more: Vec<&Table> = answers.iter().flat_map(|a| a.tables.iter().skip(1)).collect();
    if !in_files && !more.is_empty() {
        let more = match more[..] {
            [one] => one.name.clone(),
            _ => format!("{} more tables", more.len()),
        };
        run.note(&format!("also computed: {more}; {} DIR writes everything", output.out_flag));
    }
    Ok(())
}

/// Prints names with a line about each.
pub fn print_list<'a>(lines: impl Iterator<Item = (&'a str, String)>) -> Result<()> {
    let lines: Vec<(&str, String)> = lines.collect();
    let width = lines.iter().map(|(name, _)| name.len() + 2).max().unwrap_or(0).max(16);
    let text: String =
        lines.iter().map(|(name, about)| format!("{name:<width$}{about}\n")).collect();
    Ok(std::io::stdout().write_all(text.as_bytes())?)
}
