//! The page and what it is made of, inside the program.

use axum::Router;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::IntoResponse;
use axum::routing::get;

const HTML: &str = "text/html; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const PICTURE: &str = "image/svg+xml";

/// Path, type and content of every file.
const FILES: [(&str, &str, &str); 40] = [
    ("/", HTML, include_str!("page/index.html")),
    ("/icon.svg", PICTURE, include_str!("page/icon.svg")),
    ("/style.css", STYLE, include_str!("page/style.css")),
    ("/board.css", STYLE, include_str!("page/board.css")),
    ("/theme.js", SCRIPT, include_str!("page/theme.js")),
    ("/main.js", SCRIPT, include_str!("page/main.js")),
    ("/api.js", SCRIPT, include_str!("page/api.js")),
    ("/board.js", SCRIPT, include_str!("page/board.js")),
    ("/forms.js", SCRIPT, include_str!("page/forms.js")),
    ("/game.js", SCRIPT, include_str!("page/game.js")),
    ("/graph.js", SCRIPT, include_str!("page/graph.js")),
    ("/keys.js", SCRIPT, include_str!("page/keys.js")),
    ("/machine.js", SCRIPT, include_str!("page/machine.js")),
    ("/panel.js", SCRIPT, include_str!("page/panel.js")),
    ("/players.js", SCRIPT, include_str!("page/players.js")),
    ("/clipboard.js", SCRIPT, include_str!("page/clipboard.js")),
    ("/roving.js", SCRIPT, include_str!("page/roving.js")),
    ("/svg.js", SCRIPT, include_str!("page/svg.js")),
    ("/view.js", SCRIPT, include_str!("page/view.js")),
    ("/words.js", SCRIPT, include_str!("page/words.js")),
    ("/rpsw", HTML, include_str!("page/rpsw/index.html")),
    ("/rpsw/rpsw.css", STYLE, include_str!("page/rpsw/rpsw.css")),
    ("/rpsw/main.js", SCRIPT, include_str!("page/rpsw/main.js")),
    ("/rpsw/answers.js", SCRIPT, include_str!("page/rpsw/answers.js")),
    ("/rpsw/board.js", SCRIPT, include_str!("page/rpsw/board.js")),
    ("/rpsw/game.js", SCRIPT, include_str!("page/rpsw/game.js")),
    ("/rpsw/machine.js", SCRIPT, include_str!("page/rpsw/machine.js")),
    ("/rpsw/panel.js", SCRIPT, include_str!("page/rpsw/panel.js")),
    ("/rpsw/pieces.js", SCRIPT, include_str!("page/rpsw/pieces.js")),
    ("/rpsw/view.js", SCRIPT, include_str!("page/rpsw/view.js")),
    ("/rpsw/words.js", SCRIPT, include_str!("page/rpsw/words.js")),
    ("/dots", HTML, include_str!("page/dots/index.html")),
    ("/dots/dots.css", STYLE, include_str!("page/dots/dots.css")),
    ("/dots/main.js", SCRIPT, include_str!("page/dots/main.js")),
    ("/dots/answers.js", SCRIPT, include_str!("page/dots/answers.js")),
    ("/dots/board.js", SCRIPT, include_str!("page/dots/board.js")),
    ("/dots/game.js", SCRIPT, include_str!("page/dots/game.js")),
    ("/dots/machine.js", SCRIPT, include_str!("page/dots/machine.js")),
    ("/dots/view.js", SCRIPT, include_str!("page/dots/view.js")),
    ("/dots/words.js", SCRIPT, include_str!("page/dots/words.js")),
];

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
