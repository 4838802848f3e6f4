//! What can be asked over HTTP. `openapi.json` describes it.

use super::answers::{Answers, Unanswered};
use crate::commands::heuristic;
use crate::solution::Solution;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER};
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use bsq_analyses::Valued;
use bsq_engine::game::british_square::{Board, Line, Move, Rules, cells_of};
use bsq_engine::heuristic::ALL;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;

/// The description of the API.
const OPENAPI: &str = include_str!("openapi.json");
/// Answers are facts, but a later version may tell more.
const AN_HOUR: (axum::http::HeaderName, &str) = (CACHE_CONTROL, "max-age=3600");
/// The longest text of a position, of moves or of rules of thumb.
const MOST_TEXT: usize = 2000;

/// The paths below `/api`.
pub fn routes(answers: Arc<Answers>) -> Router {
    Router::new()
        .route("/british-square", get(position))
        .route("/heuristics", get(heuristics))
        .route("/openapi.json", get(openapi))
        .with_state(answers)
}

/// A position and what is wanted about it; everything may be left out.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    board: Option<String>,
    center_allowed: Option<bool>,
    bias: Option<i32>,
    pieces: Option<u32>,
    position: Option<String>,
    moves: Option<String>,
    values: Option<bool>,
    heuristic: Option<String>,
}

/// A refusal: a status and a sentence, as JSON.
struct Refusal(StatusCode, String);

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let Refusal(status, why) = self;
        let body = (status, [(CACHE_CONTROL, "no-store")], Json(json!({ "error": why })));
        match status {
            StatusCode::SERVICE_UNAVAILABLE => ([(RETRY_AFTER, "1")], body).into_response(),
            _ => body.into_response(),
        }
    }
}

fn bad(why: impl ToString) -> Refusal {
    Refusal(StatusCode::BAD_REQUEST, why.to_string())
}

impl From<Unanswered> for Refusal {
    fn from(why: Unanswered) -> Refusal {
        let status = match &why {
            Unanswered::TooLong(_) => StatusCode::SERVICE_UNAVAILABLE,
            Unanswered::Unsearchable(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Unanswered::Failed(_) => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Refusal(status, why.to_string())
    }
}

async fn position(
    State(answers): State<Arc<Answers>>,
    asked: Result<Query<Asked>, QueryRejection>,
) -> Result<Response, Refusal> {
    let Query(asked) = asked.map_err(|why| bad(why.body_text()))?;
    let line = line(&asked, answers.limits().cells)?;
    let (rules, position) = (line.rules().clone(), *line.position());
    let liked = asked.heuristic.as_deref().map(|text| liked(text, &line)).transpose()?;
    let mut solution = Solution::unknown(rules, position);
    if asked.values.unwrap_or(true) {
        let valued = answers.of(&solution.rules, &solution.position).await?;
        solution = solution.with(Valued::clone(&valued));
    }
    let mut answer = solution.json();
    let played = line.moves().iter().map(|&mv| solution.move_json(mv));
    answer["played"] = played.collect();
    if let Some(liked) = liked {
        answer["liked"] = liked.into_iter().map(|mv| solution.move_json(mv)).collect();
    }
    Ok(([AN_HOUR], Json(answer)).into_response())
}

/// The game that was asked about.
fn line(asked: &Asked, most_cells: usize) -> Result<Line, Refusal> {
    let texts = [&asked.board, &asked.position, &asked.moves, &asked.heuristic];
    if texts.into_iter().flatten().any(|text| text.len() > MOST_TEXT) {
        return Err(bad(format!("a text is longer than {MOST_TEXT} bytes")));
    }
    let board = Board::parse(asked.board.as_deref().unwrap_or("5x5")).map_err(bad)?;
    if board.cells() > most_cells {
        let why =
            format!("a {board} board is too large for this server; it takes {most_cells} cells");
        return Err(Refusal(StatusCode::UNPROCESSABLE_ENTITY, why));
    }
    let rules = Rules {
        board,
        center_allowed: asked.center_allowed.unwrap_or(false),
        bias: asked.bias.unwrap_or(0),
        pieces: asked.pieces,
    };
    rules.check().map_err(bad)?;
    let start = match &asked.position {
        Some(text) => rules.parse_position(text).map_err(bad)?,
        None => rules.start(),
    };
    let mut line = Line::from(rules, start);
    line.play_all(asked.moves.as_deref().unwrap_or("")).map_err(bad)?;
    Ok(line)
}

/// What a heuristic would play: a name, or rules.
fn liked(text: &str, line: &Line) -> Result<Vec<Move>, Refusal> {
    let heuristic = heuristic(text, &[]).map_err(bad)?;
    let (rules, position) = (line.rules(), line.position());
    let cells = cells_of(heuristic.liked_at(rules, position)).map(Move::Place).collect();
    Ok(if rules.moves(position) == [Move::Pass] { vec![Move::Pass] } else { cells })
}

/// The heuristics that have a name.
async fn heuristics() -> Response {
    let one = |heuristic: &bsq_engine::heuristic::Heuristic| {
        json!({
            "name": heuristic.name,
            "summary": heuristic.summary,
            "rules": heuristic.list.to_string(),
            "difficulty": heuristic.list.difficulty(),
        })
    };
    let all: Vec<Value> = ALL.iter().map(one).collect();
    ([AN_HOUR], Json(Value::from(all))).into_response()
}

async fn openapi() -> Response {
    ([(CONTENT_TYPE, "application/json")], OPENAPI).into_response()
}

/// What is not there.
pub async fn no_such_path(uri: Uri) -> impl IntoResponse {
    let path = uri.path();
    Refusal(
        StatusCode::NOT_FOUND,
        format!("there is no {path}; /api/openapi.json says what there is"),
    )
}

/// What is there, but not to be changed.
pub async fn no_such_method() -> impl IntoResponse {
    Refusal(StatusCode::METHOD_NOT_ALLOWED, "only GET is understood here".to_string())
}
