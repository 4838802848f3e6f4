//! The page and what it is made of, inside the program.

use axum::Router;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::IntoResponse;
use axum::routing::get;

/// Path, type and content of every file.
const FILES: [(&str, &str, &str); 1] =
    [("/", "text/html; charset=utf-8", include_str!("page/index.html"))];

/// A path for each file.
pub fn routes() -> Router {
    FILES.iter().fold(Router::new(), |router, &(path, kind, text)| {
        let file = move || async move { answer(kind, text) };
        router.route(path, get(file))
    })
}

fn answer(kind: &'static str, text: &'static str) -> impl IntoResponse {
    ([(CONTENT_TYPE, kind), (CACHE_CONTROL, "no-cache")], text)
}
