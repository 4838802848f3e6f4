//! The page, with the files that it loads, embedded in the program.

use super::Server;
use super::reply::Refusal;
use super::routes::no_such_path;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::http::{Method, Uri};
use axum::response::IntoResponse;
use rust_embed::Embed;
use std::sync::Arc;

/// The folder of the page.
#[derive(Embed)]
#[folder = "web/page"]
struct Files;

/// The colours, which the page shares with charts and the terminal.
#[derive(Embed)]
#[folder = "analyses"]
#[include = "palette.css"]
struct Palette;

/// The definitions of terms.
#[derive(Embed)]
#[folder = "docs"]
#[include = "glossary.md"]
struct Glossary;

/// The page of the games, which is the same under the name of each game, or a file that it loads.
pub async fn file(
    State(server): State<Arc<Server>>,
    method: Method,
    uri: Uri,
) -> Result<impl IntoResponse, Refusal> {
    let path = uri.path();
    let path = path.strip_prefix('/').unwrap_or(path);
    let is_page = path.is_empty() || server.answers.engines.registry.get(path).is_some();
    let path = if is_page { "index.html" } else { path };
    let file = Files::get(path).or_else(|| Palette::get(path)).or_else(|| Glossary::get(path));
    let file = file.filter(|_| [Method::GET, Method::HEAD].contains(&method));
    let Some(file) = file else { return Err(no_such_path(uri).await) };
    let kind = match file.metadata.mimetype() {
        text if text.starts_with("text/") => format!("{text}; charset=utf-8"),
        other => other.to_string(),
    };
    Ok(([(CONTENT_TYPE, kind)], file.data))
}
