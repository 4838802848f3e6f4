//! The routes of the API, which `openapi.json` describes.

use super::answers::Answers;
use super::query::{Query, shorten};
use super::refusal::Refusal;
use crate::solution::Solution;
use crate::usage::with_centre_option;
use axum::extract::{RawQuery, State};
use axum::http::header::CACHE_CONTROL;
use axum::http::HeaderName;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use bsq_games::british_square::heuristic::{ALL, Heuristic, by_name, language};
use bsq_games::british_square::{Board, BoardError, GameRecord, MAX_BIAS, Move, Rules, cells_of};
use serde_json::{Value, json};
use std::sync::Arc;

/// Answers do not change, but a later version may add fields.
pub const AN_HOUR: (HeaderName, &str) = (CACHE_CONTROL, "max-age=3600");
/// The maximum length of a parameter in bytes.
const MOST_TEXT: usize = 2000;
/// The largest limit on pieces, the number of cells of the largest board.
const MOST_PIECES: i32 = 64;
/// The parameters of a position.
const NAMES: [&str; 8] =
    ["board", "center_allowed", "bias", "pieces", "position", "moves", "values", "heuristic"];

/// The paths below `/api`.
pub fn routes(answers: Arc<Answers>) -> Router {
    Router::new()
        .route("/british-square", get(position))
        .route("/heuristics", get(heuristics))
        .with_state(answers)
}

async fn position(
    State(answers): State<Arc<Answers>>,
    RawQuery(query): RawQuery,
) -> Result<Response, Refusal> {
    let query = parse(query, &NAMES)?;
    let with_values = query.truth("values").map_err(Refusal::bad)?.unwrap_or(true);
    let line = line(&query, answers.limits().cells)?;
    let (rules, position) = (line.rules().clone(), *line.position());
    let liked = query.text("heuristic").map(|text| liked(text, &line)).transpose()?;
    let mut solution = Solution::unknown(rules, position);
    if with_values {
        let evaluation = answers.of(&solution.rules, &solution.position).await?;
        solution = solution.with(&evaluation);
    }
    let mut answer = solution.json();
    let played = line.moves().iter().map(|&mv| solution.move_json(mv));
    answer["played"] = played.collect();
    if let Some(liked) = liked {
        answer["liked"] = liked.into_iter().map(|mv| solution.move_json(mv)).collect();
    }
    Ok(([AN_HOUR], Json(answer)).into_response())
}

/// Parses a query with these parameters.
pub fn parse(query: Option<String>, names: &[&'static str]) -> Result<Query, Refusal> {
    let query = Query::parse(query.as_deref().unwrap_or(""), names).map_err(Refusal::bad)?;
    match names.iter().find(|name| query.text(name).is_some_and(|text| text.len() > MOST_TEXT)) {
        Some(name) => Err(Refusal::bad(format!("{name}: longer than {MOST_TEXT} bytes"))),
        None => Ok(query),
    }
}

/// Parses the game: rules, position and moves.
fn line(query: &Query, most_cells: usize) -> Result<GameRecord, Refusal> {
    let rules = rules(query, most_cells)?;
    let start = match query.text("position") {
        Some(text) => rules
            .parse_position(text)
            .map_err(|why| with_centre_option(&why, Some(&why), "center_allowed=true"))
            .map_err(|why| wrong("position", why))?,
        None => rules.start(),
    };
    let mut line = GameRecord::from(rules, start);
    let moves = query.text("moves").unwrap_or("");
    line.play_all(moves).map_err(|why| wrong("moves", why))?;
    Ok(line)
}

fn rules(query: &Query, most_cells: usize) -> Result<Rules, Refusal> {
    let bias = query.number("bias", -MAX_BIAS, MAX_BIAS).map_err(Refusal::bad)?;
    let pieces = query.number("pieces", 1, MOST_PIECES).map_err(Refusal::bad)?;
    let rules = Rules {
        board: board(query.text("board").unwrap_or("5x5"), most_cells)?,
        center_allowed: query.truth("center_allowed").map_err(Refusal::bad)?.unwrap_or(false),
        bias: bias.unwrap_or(0),
        pieces: pieces.map(i32::unsigned_abs),
    };
    rules.check().map_err(Refusal::bad)?;
    Ok(rules)
}

fn board(text: &str, most_cells: usize) -> Result<Board, Refusal> {
    match Board::parse(text) {
        Ok(board) if board.cells() > most_cells => Err(Refusal::beyond(format!(
            "board: a {board} board is too large for this server, which takes up to {most_cells} cells"
        ))),
        Ok(board) => Ok(board),
        Err(why @ BoardError::TooLarge { .. }) => Err(Refusal::beyond(format!("board: {why}"))),
        Err(BoardError::Malformed(text)) => {
            Err(wrong("board", BoardError::Malformed(shorten(&text))))
        }
        Err(why) => Err(wrong("board", why)),
    }
}

/// Refuses a parameter.
pub fn wrong(name: &str, why: impl std::fmt::Display) -> Refusal {
    Refusal::bad(format!("{name}: {why}"))
}

/// The moves of a heuristic, given by name or as a decision list.
fn liked(text: &str, line: &GameRecord) -> Result<Vec<Move>, Refusal> {
    let list = match by_name(text) {
        Some(known) => known.list.clone(),
        None => language::parse(text, &[]).map_err(|why| wrong("heuristic", why))?,
    };
    let heuristic = Heuristic { name: None, summary: String::new(), list };
    let (rules, position) = (line.rules(), line.position());
    if rules.moves(position) == [Move::Pass] {
        return Ok(vec![Move::Pass]);
    }
    Ok(cells_of(heuristic.liked_at(rules, position)).map(Move::Place).collect())
}

/// The named heuristics.
async fn heuristics(RawQuery(query): RawQuery) -> Result<Response, Refusal> {
    parse(query, &[])?;
    let one = |heuristic: &Heuristic| {
        json!({
            "name": heuristic.name,
            "summary": heuristic.summary,
            "rules": heuristic.list.to_string(),
            "difficulty": heuristic.list.difficulty(),
        })
    };
    let all: Vec<Value> = ALL.iter().map(one).collect();
    Ok(([AN_HOUR], Json(Value::from(all))).into_response())
}
