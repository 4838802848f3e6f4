//! The pages, with the files that they load, embedded in the program.

use axum::Router;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::IntoResponse;
use axum::routing::get;

/// Path and content of every page. A line such as `<!--toolbar.html-->` is replaced by a part of
/// [`PARTS`].
const PAGES: [(&str, &str); 3] = [
    ("/", include_str!("page/index.html")),
    ("/rpsw", include_str!("page/rpsw/index.html")),
    ("/dots", include_str!("page/dots/index.html")),
];

/// The names of files, each with a text before and after it, and their contents.
macro_rules! files {
    ($before:literal, $after:literal, $folder:literal: $($name:literal)*) => {
        &[$((concat!($before, $name, $after), include_str!(concat!($folder, $name)))),*]
    };
}

/// Line and content of the parts that all pages share.
const PARTS: &[(&str, &str)] = files![
    "<!--", "-->\n", "page/parts/":
    "head.html" "start.html" "status.html" "trouble.html" "toolbar.html" "notices.html" "keys.html"
    "end.html"
];

/// Path and content of every file that a page loads.
const FILES: &[(&str, &str)] = files![
    "/", "", "page/":
    "icon.svg" "style.css" "board.css" "theme.js" "main.js" "api.js" "board.js" "forms.js"
    "frame.js" "game.js" "graph.js" "keys.js" "machine.js" "panel.js" "perfect.js" "players.js"
    "clipboard.js" "roving.js" "session.js" "steps.js" "svg.js" "view.js" "words.js"
    "rpsw/rpsw.css" "rpsw/main.js" "rpsw/answers.js" "rpsw/board.js" "rpsw/game.js"
    "rpsw/machine.js" "rpsw/panel.js" "rpsw/pieces.js" "rpsw/view.js" "rpsw/words.js"
    "dots/dots.css" "dots/main.js" "dots/answers.js" "dots/board.js" "dots/game.js" "dots/view.js"
    "dots/words.js"
];

/// A path for each page and file.
pub fn routes() -> Router {
    let whole = |page: &str| {
        PARTS.iter().fold(page.to_string(), |page, (line, part)| page.replace(line, part))
    };
    let router = PAGES.iter().fold(Router::new(), |router, (path, page)| {
        let page = whole(page);
        router.route(path, get(async move || answer("text/html; charset=utf-8", page)))
    });
    FILES.iter().fold(router, |router, &(path, text)| {
        router.route(path, get(async move || answer(media_type(path), text)))
    })
}

/// The media type of a file that a page loads.
fn media_type(path: &str) -> &'static str {
    match path.rsplit_once('.') {
        Some((_, "js")) => "text/javascript; charset=utf-8",
        Some((_, "css")) => "text/css; charset=utf-8",
        _ => "image/svg+xml",
    }
}

fn answer(kind: &'static str, text: impl IntoResponse) -> impl IntoResponse {
    ([(CONTENT_TYPE, kind), (CACHE_CONTROL, "no-cache")], text)
}
