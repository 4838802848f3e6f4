//! The page and what it is made of, inside the program.

use axum::Router;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::IntoResponse;
use axum::routing::get;

const HTML: &str = "text/html; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const PICTURE: &str = "image/svg+xml";

/// Path and content of every page. A line such as `<!--toolbar-->` stands for a part of [`PARTS`].
const PAGES: [(&str, &str); 3] = [
    ("/", include_str!("page/index.html")),
    ("/rpsw", include_str!("page/rpsw/index.html")),
    ("/dots", include_str!("page/dots/index.html")),
];

/// Line and content of the parts that all pages share.
const PARTS: [(&str, &str); 8] = [
    ("<!--head-->\n", include_str!("page/parts/head.html")),
    ("<!--start-->\n", include_str!("page/parts/start.html")),
    ("<!--status-->\n", include_str!("page/parts/status.html")),
    ("<!--trouble-->\n", include_str!("page/parts/trouble.html")),
    ("<!--toolbar-->\n", include_str!("page/parts/toolbar.html")),
    ("<!--notices-->\n", include_str!("page/parts/notices.html")),
    ("<!--keys-->\n", include_str!("page/parts/keys.html")),
    ("<!--end-->\n", include_str!("page/parts/end.html")),
];

/// Path, type and content of every file that a page loads.
const FILES: &[(&str, &str, &str)] = &[
    ("/icon.svg", PICTURE, include_str!("page/icon.svg")),
    ("/style.css", STYLE, include_str!("page/style.css")),
    ("/board.css", STYLE, include_str!("page/board.css")),
    ("/theme.js", SCRIPT, include_str!("page/theme.js")),
    ("/main.js", SCRIPT, include_str!("page/main.js")),
    ("/api.js", SCRIPT, include_str!("page/api.js")),
    ("/board.js", SCRIPT, include_str!("page/board.js")),
    ("/forms.js", SCRIPT, include_str!("page/forms.js")),
    ("/frame.js", SCRIPT, include_str!("page/frame.js")),
    ("/game.js", SCRIPT, include_str!("page/game.js")),
    ("/graph.js", SCRIPT, include_str!("page/graph.js")),
    ("/keys.js", SCRIPT, include_str!("page/keys.js")),
    ("/machine.js", SCRIPT, include_str!("page/machine.js")),
    ("/panel.js", SCRIPT, include_str!("page/panel.js")),
    ("/perfect.js", SCRIPT, include_str!("page/perfect.js")),
    ("/players.js", SCRIPT, include_str!("page/players.js")),
    ("/clipboard.js", SCRIPT, include_str!("page/clipboard.js")),
    ("/roving.js", SCRIPT, include_str!("page/roving.js")),
    ("/session.js", SCRIPT, include_str!("page/session.js")),
    ("/steps.js", SCRIPT, include_str!("page/steps.js")),
    ("/svg.js", SCRIPT, include_str!("page/svg.js")),
    ("/view.js", SCRIPT, include_str!("page/view.js")),
    ("/words.js", SCRIPT, include_str!("page/words.js")),
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
    ("/dots/dots.css", STYLE, include_str!("page/dots/dots.css")),
    ("/dots/main.js", SCRIPT, include_str!("page/dots/main.js")),
    ("/dots/answers.js", SCRIPT, include_str!("page/dots/answers.js")),
    ("/dots/board.js", SCRIPT, include_str!("page/dots/board.js")),
    ("/dots/game.js", SCRIPT, include_str!("page/dots/game.js")),
    ("/dots/view.js", SCRIPT, include_str!("page/dots/view.js")),
    ("/dots/words.js", SCRIPT, include_str!("page/dots/words.js")),
];

/// A path for each page and file.
pub fn routes() -> Router {
    let whole = |page: &str| {
        PARTS.iter().fold(page.to_string(), |page, (line, part)| page.replace(line, part))
    };
    let router = PAGES.iter().fold(Router::new(), |router, (path, page)| {
        let page = whole(page);
        router.route(path, get(async move || answer(HTML, page)))
    });
    FILES.iter().fold(router, |router, &(path, kind, text)| {
        router.route(path, get(async move || answer(kind, text)))
    })
}

fn answer(kind: &'static str, text: impl IntoResponse) -> impl IntoResponse {
    ([(CONTENT_TYPE, kind), (CACHE_CONTROL, "no-cache")], text)
}
