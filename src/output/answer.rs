//! Results with their rules.

use bsq_analyses::{Subject, Table, rules_label};
use bsq_games::british_square::{Board, Rules};
use bsq_games::rpsw;
use serde_json::{Value, json};

/// The result of a command.
pub struct Answer {
    /// The command without its flags, such as `analyze playouts`.
    pub command: String,
    /// The rules.
    pub rules: Described,
    /// The main table, followed by any others.
    pub tables: Vec<Table>,
}

/// Rules as they are presented with results.
#[derive(Clone, Debug)]
pub struct Described {
    /// A short text.
    pub label: String,
    /// Fields named after the flags.
    pub fields: Value,
}

impl From<&Rules> for Described {
    fn from(rules: &Rules) -> Described {
        Described { label: rules_label(rules), fields: rules_json(rules) }
    }
}

impl From<&rpsw::Rules> for Described {
    fn from(rules: &rpsw::Rules) -> Described {
        let (board, pieces) =
            (format!("{}x{}", rules.board().cols(), rules.board().rows()), rules.pieces());
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

/// Formats the rules in a manifest as a short text. Empty if they are unknown.
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

/// Formats rules as JSON with the names of their flags.
fn rules_json(rules: &Rules) -> Value {
    json!({
        "board": rules.board.to_string(),
        "center_allowed": rules.center_allowed,
        "bias": rules.bias,
        "pieces": rules.pieces,
    })
}
