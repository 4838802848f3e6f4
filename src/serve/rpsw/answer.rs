//! The value of a position and of its moves, as JSON.

use super::question::Question;
use bsq_engine::evaluate::{Detail, Evaluator as _, MoveEvaluation};
use bsq_engine::game::{self, Notation, Player};
use bsq_engine::monitor::Monitor;
use bsq_games::rpsw::{
    Evaluator, EvaluatorError, Move, Piece, Position, Rules, Square, outcome_for,
};
use serde_json::{Map, Value, json};

/// The reason why there is no answer.
#[derive(Debug, thiserror::Error)]
#[error("the position cannot be looked up: {0}")]
pub struct Unanswered(pub String);

impl From<EvaluatorError> for Unanswered {
    fn from(error: EvaluatorError) -> Unanswered {
        Unanswered(match error {
            // The path of the file is not revealed to clients.
            EvaluatorError::Tablebase(error) => format!("the database {}", error.problem),
            error => error.to_string(),
        })
    }
}

/// The evaluation of a position with its principal variation.
pub fn json(
    evaluator: Evaluator,
    question: &Question,
    monitor: &Monitor,
) -> Result<Value, Unanswered> {
    let (rules, position) = (evaluator.game(), &question.position);
    let found = evaluator.evaluate(position, Detail::Moves, monitor)?;
    let line = evaluator.principal_variation(position, question.line, monitor)?;
    let moves = found.moves.unwrap_or_default();
    Ok(json!({
        "rules": rules_json(rules),
        "position": rules.format_position(position),
        "to_move": position.to_move.name(),
        "pieces": pieces(rules, position),
        "game_over": moves.is_empty(),
        "winner": rules.winner(position).map(Player::name),
        "result": outcome(position, found.value),
        "plies": plies(found.value),
        "moves": moves.iter().map(|mv| move_json(rules, position, mv)).collect::<Value>(),
        "line": words(rules, &line),
        "played": words(rules, &question.played),
    }))
}

/// The rules that differ between variants.
pub fn rules_json(rules: &Rules) -> Value {
    let takes = |kind: Piece| -> Value {
        let taken = Piece::ALL.into_iter().filter(|&other| rules.takes(kind, other));
        taken.map(Piece::name).collect()
    };
    let takes: Map<String, Value> =
        Piece::ALL.into_iter().map(|kind| (kind.name().to_string(), takes(kind))).collect();
    json!({
        "board": format!("{}x{}", rules.board().cols(), rules.board().rows()),
        "pieces": rules.pieces(),
        "total": rules.total(),
        "takes": takes,
    })
}

/// The outcome of a value for the player to move.
fn outcome(position: &Position, value: Option<game::Value>) -> Option<&'static str> {
    value.map(|value| outcome_for(position.to_move, &value))
}

fn plies(value: Option<game::Value>) -> Option<u32> {
    value.and_then(|value| value.plies)
}

/// The pieces on the board, from the first player's home row on.
fn pieces(rules: &Rules, position: &Position) -> Value {
    let squares = 0..rules.board().squares() as Square;
    let found = squares.filter_map(|square| {
        let (player, kind) = rules.piece_on(position, square)?;
        let square = rules.square_name(square);
        Some(json!({ "square": square, "player": player.name(), "kind": kind.name() }))
    });
    found.collect()
}

fn move_json(rules: &Rules, position: &Position, evaluated: &MoveEvaluation<Move, ()>) -> Value {
    let &MoveEvaluation { mv, value, .. } = evaluated;
    let capture = rules.piece_on(position, mv.to).map(|(_, kind)| kind.name());
    json!({
        "move": rules.format_move(mv),
        "from": rules.square_name(mv.from),
        "to": rules.square_name(mv.to),
        "capture": capture,
        "result": outcome(position, value),
        "plies": plies(value),
    })
}

fn words(rules: &Rules, moves: &[Move]) -> Value {
    moves.iter().map(|&mv| rules.format_move(mv)).collect()
}
