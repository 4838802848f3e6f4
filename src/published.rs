//! Published numbers, with the question that each answers.
//!
//! The numbers and their sources are those of `tests/golden`. Here is what has to be computed to compare
//! them.

use anyhow::{Context, Result};
use std::collections::HashMap;

/// A published number.
#[derive(Clone, Debug)]
pub struct Published {
    /// The game.
    pub game: &'static str,
    /// The rules that do not have their defaults, as options.
    pub rules: Vec<(&'static str, String)>,
    /// What the number counts or measures.
    pub what: String,
    /// The number, as a result has it.
    pub value: String,
    /// Who published it, and where.
    pub source: String,
    /// What has to be computed.
    pub question: Question,
    /// Whether that takes long.
    pub is_long: bool,
}

/// What has to be computed to compare a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// The value of the game, as the score or the outcome.
    Value,
    /// A number of an analysis.
    Analysis {
        /// The name of the analysis.
        name: &'static str,
        /// The number of its main table.
        pick: Pick,
    },
    /// The number of positions of a tablebase that are decided in so many plies.
    Tablebase {
        /// The plies.
        plies: String,
    },
}

/// A number of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pick {
    /// That of a column, in the row with a value in another column.
    Row(&'static str, &'static str, &'static str),
    /// That of a column, in the only row.
    Only(&'static str),
    /// The sum of a column.
    Sum(&'static str),
    /// The least number of a column.
    Least(&'static str),
    /// The greatest number of a column.
    Greatest(&'static str),
}

const BRITISH_SQUARE: &str = bsq_games::british_square::NAME;
const DOTS: &str = bsq_games::dots::NAME;
const MNK: &str = bsq_games::mnk::NAME;
const RPSW: &str = bsq_games::rpsw::NAME;

/// All published numbers, the quickest to compare first in each game.
///
/// # Errors
///
/// If one of them is about something that is not known here.
pub fn all() -> Result<Vec<Published>> {
    Ok([british_square()?, openings()?, dots()?, mnk_counts()?, mnk_values()?, rpsw()?].concat())
}

/// The rows of a table, by the names of the columns.
fn rows(csv: &str) -> Result<Vec<HashMap<String, String>>> {
    let rows = csv::Reader::from_reader(csv.as_bytes()).into_deserialize();
    rows.collect::<Result<_, _>>().context("a table of published numbers")
}

fn analysis(name: &'static str, pick: Pick) -> Question {
    Question::Analysis { name, pick }
}

/// The numbers of the article.
fn british_square() -> Result<Vec<Published>> {
    let rows = rows(include_str!("../tests/golden/british_square.csv"))?;
    let published = rows.into_iter().map(|row| {
        let (board, bias) = row["rules"].split_once(" bias=").unwrap_or((&row["rules"], "0"));
        let (what, question) = match row["quantity"].as_str() {
            "playouts" => ("playouts", analysis("playouts", Pick::Only("playouts"))),
            "first wins" => {
                ("playouts, first wins", analysis("playouts", Pick::Only("playouts_first")))
            }
            "second wins" => {
                ("playouts, second wins", analysis("playouts", Pick::Only("playouts_second")))
            }
            "ties" => ("playouts, ties", analysis("playouts", Pick::Only("playouts_tie"))),
            "states" => ("states", analysis("states", Pick::Sum("states"))),
            "terminals" => ("terminal states", analysis("terminals", Pick::Only("terminals"))),
            "terminals first" => {
                ("terminal, first wins", analysis("terminals", Pick::Only("terminals_first")))
            }
            "terminals second" => {
                ("terminal, second wins", analysis("terminals", Pick::Only("terminals_second")))
            }
            "terminals ties" => {
                ("terminal, ties", analysis("terminals", Pick::Only("terminals_tie")))
            }
            "first turn" => ("first turn", analysis("states", Pick::Least("turn"))),
            "last turn" => ("last turn", analysis("states", Pick::Greatest("turn"))),
            "lowest score" => ("lowest score", analysis("scores", Pick::Least("score"))),
            "highest score" => ("highest score", analysis("scores", Pick::Greatest("score"))),
            "value" => ("value", Question::Value),
            other => anyhow::bail!("'{other}' of British Square is not compared"),
        };
        let mut rules = vec![("board", board.to_string())];
        rules.extend((bias != "0").then(|| ("bias", bias.to_string())));
        let (value, source) = (row["number"].clone(), row["source"].clone());
        let (what, game) = (what.to_string(), BRITISH_SQUARE);
        Ok(Published { game, rules, what, value, source, question, is_long: false })
    });
    published.collect()
}

/// The values of all first moves, which the article draws.
fn openings() -> Result<Vec<Published>> {
    let rows = rows(include_str!("../tests/golden/openings.csv"))?;
    let published = rows.into_iter().map(|row| {
        let (board, with_center) = match row["rules"].split_once(' ') {
            Some((board, _)) => (board, true),
            None => (row["rules"].as_str(), false),
        };
        let label = if with_center { "5x5 centre allowed" } else { "5x5 standard" };
        let question = analysis("variants", Pick::Row("openings", "rules", label));
        let mut rules = vec![("board", board.to_string())];
        rules.extend(with_center.then(|| ("center allowed", "yes".to_string())));
        let (value, source) = (row["map"].clone(), row["source"].clone());
        let (what, game) = ("values of first moves".to_string(), BRITISH_SQUARE);
        Ok(Published { game, rules, what, value, source, question, is_long: false })
    });
    published.collect()
}

/// The values of boards of Dots-and-Boxes.
fn dots() -> Result<Vec<Published>> {
    /// The boards that take less than a second.
    const QUICK: [&str; 4] = ["1x2", "2x2", "2x3", "3x3"];
    let rows = rows(include_str!("../tests/golden/dots_boards.csv"))?;
    let published = rows.into_iter().map(|row| {
        let board = row["board"].clone();
        let is_long = !QUICK.contains(&board.as_str());
        let (value, source) = (row["value"].clone(), row["source"].clone());
        let (what, question) = ("value".to_string(), Question::Value);
        let rules = vec![("board", board)];
        Ok(Published { game: DOTS, rules, what, value, source, question, is_long })
    });
    published.collect()
}

/// The rules of a board of m,n,k games.
fn board_of(rows: &str, columns: &str, k: &str) -> Vec<(&'static str, String)> {
    vec![("board", format!("{rows}x{columns}")), ("k", k.to_string())]
}

/// The counts of m,n,k games, as far as others have published them.
fn mnk_counts() -> Result<Vec<Published>> {
    /// The columns with what they count.
    const COUNTS: [(&str, &str, Pick); 5] = [
        ("positions", "positions", Pick::Sum("positions")),
        ("positions up to symmetry", "positions", Pick::Sum("canonical")),
        ("first wins", "playouts", Pick::Row("playouts", "outcome", "first")),
        ("second wins", "playouts", Pick::Row("playouts", "outcome", "second")),
        ("draws", "playouts", Pick::Row("playouts", "outcome", "tie")),
    ];
    let mut published = Vec::new();
    for row in rows(include_str!("../tests/golden/mnk.csv"))? {
        let source = &row["source"];
        // Of some games, others have published nothing, or the positions only.
        let only_positions = source.contains("first computed here");
        if only_positions && !source.contains("README (positions)") {
            continue;
        }
        let (board, k) = row["game"].split_once(' ').context("a board and a length")?;
        let (height, width) = board.split_once('x').context("a board")?;
        for (column, name, pick) in COUNTS {
            // A result that no playout has is not in the table.
            if row[column] == "0" || only_positions && column != "positions" {
                continue;
            }
            let what = match (name, column) {
                ("playouts", column) => format!("playouts, {column}"),
                (_, "positions up to symmetry") => "canonical positions".to_string(),
                (_, column) => column.to_string(),
            };
            published.push(Published {
                game: MNK,
                rules: board_of(height, width, k),
                what,
                value: row[column].clone(),
                source: source.clone(),
                question: analysis(name, pick.clone()),
                is_long: false,
            });
        }
    }
    Ok(published)
}

/// The values of m,n,k games.
fn mnk_values() -> Result<Vec<Published>> {
    let rows = rows(include_str!("../tests/golden/mnk_values.csv"))?;
    let published = rows.into_iter().map(|row| {
        // Play of m,n,k games always ends: the literature calls a full board a draw.
        let value = if row["value"] == "draw" { "tie".to_string() } else { row["value"].clone() };
        Ok(Published {
            game: MNK,
            rules: board_of(&row["rows"], &row["columns"], &row["k"]),
            what: "value".to_string(),
            value,
            source: row["source"].clone(),
            question: Question::Value,
            is_long: false,
        })
    });
    published.collect()
}

/// The positions of rock-paper-scissors-well by plies.
fn rpsw() -> Result<Vec<Published>> {
    let rows = rows(include_str!("../tests/golden/rpsw_iterations.csv"))?;
    let published = rows.into_iter().map(|row| {
        let plies = row["plies"].clone();
        Ok(Published {
            game: RPSW,
            rules: Vec::new(),
            what: format!("positions decided in {plies} plies"),
            value: row["positions"].clone(),
            source: row["source"].clone(),
            question: Question::Tablebase { plies },
            is_long: false,
        })
    });
    published.collect()
}
