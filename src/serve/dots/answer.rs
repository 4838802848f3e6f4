//! Answers about positions, as JSON.

use super::question::Question;
use crate::dots::{Scored, Scores};
use bsq_engine::game::{Game, Notation, Player};
use bsq_games::dots::{Position, Rules, lines_of};
use serde_json::{Value, json};

/// The answer about a position; values are `null` if they are unknown or were not requested.
pub fn json(question: &Question, scores: Option<&Scores>) -> Value {
    let Question { rules, position, played, .. } = question;
    let legal = rules.moves(position);
    let moves: Value = match scores {
        Some(scores) => scores.moves.iter().map(|scored| move_json(rules, scored)).collect(),
        None => {
            legal.iter().map(|&line| move_json(rules, &unknown(rules, position, line))).collect()
        }
    };
    json!({
        "rules": { "board": rules.board.to_string(), "penalty": rules.penalty.floor() },
        "position": rules.format_position(position),
        "to_move": position.to_move.name(),
        "game_over": legal.is_empty(),
        "score": rules.score(position),
        "taken": taken(rules, position),
        "boxes": boxes(rules, position),
        "drawn": names(rules, lines_of(position.lines)),
        "legal": names(rules, legal.iter().copied()),
        "value": scores.and_then(|scores| scores.value),
        "moves": moves,
        "played": names(rules, played.iter().copied()),
    })
}

fn unknown(rules: &Rules, position: &Position, line: usize) -> Scored {
    let takes = rules.closes(position.lines, line).count_ones();
    Scored { line, takes, score: None }
}

fn move_json(rules: &Rules, scored: &Scored) -> Value {
    let mv = rules.format_move(scored.line);
    json!({ "move": mv, "takes": scored.takes, "score": scored.score })
}

fn names(rules: &Rules, lines: impl Iterator<Item = usize>) -> Value {
    lines.map(|line| rules.format_move(line)).collect()
}

/// The number of boxes of each player.
fn taken(rules: &Rules, position: &Position) -> Value {
    let [first, second] = position.taken.map(u64::count_ones);
    let closed = rules.board.closed(position.lines).count_ones();
    json!({ "first": first, "second": second, "unknown": closed - first - second })
}

/// The closed boxes, each by the dot at its upper left corner.
fn boxes(rules: &Rules, position: &Position) -> Value {
    let board = &rules.board;
    let one = |cell: usize| {
        let owner =
            Player::BOTH.into_iter().find(|player| position.taken[player.index()] >> cell & 1 == 1);
        let corner = board.dot_name(cell / board.cols(), cell % board.cols());
        json!({ "box": corner, "player": owner.map(Player::name) })
    };
    lines_of(board.closed(position.lines)).map(one).collect()
}
