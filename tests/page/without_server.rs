//! The static files of `web/build`, in a folder of a web server without the API.

use crate::browser::{Page, drive, drive_refused};
use crate::learning::learn;
use crate::programs::Program;
use crate::{GAMES, with};
use bsq::Registry;
use bsq_api::{Monitor, Request, Resources};
use bsq_engine::random::Random;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

/// The page in the same browser, from another server.
pub fn of(page: &Page, files: &Program) -> Page {
    let mut page = page.clone();
    page.origin = files.place.clone();
    page
}

/// Runs a test on the page of files.
pub fn alone(test: impl FnOnce(&Page)) {
    drive(|page| {
        let files = Program::files();
        test(&of(page, &files));
    });
}

/// What the page shows of a link.
fn shown(page: &Page, link: &str) -> String {
    page.settle(link);
    page.until("!document.body.innerText.includes('Searching')");
    page.get("document.querySelector('main').innerText").as_str().unwrap().to_string()
}

#[test]
#[ignore = "needs Chromium, chromedriver and web/build: cargo test --features full --test page -- --ignored"]
fn the_page_shows_the_same_with_and_without_a_server() {
    drive(|page| {
        let files = Program::files();
        let alone = of(page, &files);
        for link in GAMES {
            let expected = shown(page, link);
            assert_eq!(shown(&alone, link), expected, "{link}");
            assert_ne!(alone.text("verdict"), "", "{link}");
        }
    });
}

#[test]
#[ignore = "needs Chromium, chromedriver and web/build: cargo test --features full --test page -- --ignored"]
fn games_are_played_loaded_and_linked_without_a_server() {
    alone(|page| {
        page.settle("?board=4x4&second=perfect");
        page.click(".playable");
        page.settled(2, 2);
        let link = page.link();
        page.settle(&link);
        page.settled(2, 2);
        // A record is written and loaded by the same program.
        page.click("#share summary");
        page.until("document.getElementById('record').value.includes('4x4')");
        page.open("?board=4x4&moves=1,1");
        page.until("document.body.innerText.includes('not legal')");
    });
}

/// A search that is no longer wanted ends, and its place is free for the next one.
#[test]
#[ignore = "needs Chromium, chromedriver and web/build: cargo test --features full --test page -- --ignored"]
fn a_long_search_neither_blocks_the_page_nor_the_next_search() {
    alone(|page| {
        page.open("?game=dots&board=5x5&values=yes");
        assert_eq!(page.get("document.getElementById('board').ariaBusy"), "true");
        page.get("document.querySelector('.playable').dispatchEvent(new Event('click', { bubbles: true }))");
        page.says("place", "1 / 1");
        page.get("document.getElementById('game').value = 'mnk'");
        page.get("document.getElementById('game').dispatchEvent(new Event('change'))");
        page.says("verdict", "Best play ends in a tie.");
    });
}

#[test]
#[ignore = "needs Chromium, chromedriver and web/build: cargo test --features full --test page -- --ignored"]
fn lessons_puzzles_and_set_ups_need_no_server() {
    alone(|page| {
        for link in GAMES {
            assert!(learn(page, link) >= 3, "{link}");
            page.open(&with(link, "puzzle=any&seed=4"));
            page.until("document.getElementById('notice-text').innerText.includes('find the only move that')");
            page.click("#hint");
            page.tells("notice-text", "Hint: ");
            page.click("[data-task=edit]");
            page.click("#edit-start");
            page.until("!document.getElementById('edit-done').disabled");
            page.click("#edit-done");
            page.says("place", "0 / 0");
        }
    });
}

/// The moves to random positions of a game, as a batch of the API.
fn batch(game: &str, rules: &[(&str, &str)], count: usize) -> String {
    let registry = Registry::standard();
    let game = registry.get(game).unwrap();
    let resources = Resources::new(1 << 20);
    let mut session = game.open(rules, None, &resources).unwrap();
    let mut random = Random(7);
    let mut positions: Vec<Value> = Vec::new();
    while positions.len() < count {
        session.go_to(0);
        let plies = random.below(16);
        for _ in 0..plies {
            let moves = session.answer(Request::default(), &Monitor::default()).unwrap().moves;
            if moves.is_empty() {
                break;
            }
            session.play(&moves[random.below(moves.len())].name).unwrap();
        }
        positions.push(json!({ "moves": session.moves()[..session.at()].join(" ") }));
    }
    let rules: serde_json::Map<_, _> =
        rules.iter().map(|&(name, value)| (name.to_string(), value.into())).collect();
    json!({ "rules": rules, "line": 2, "positions": positions }).to_string()
}

/// The answers that the page receives, without the cost, which depends on tables that are built.
fn answers(page: &Page, game: &str, body: &str) -> Vec<Value> {
    let asked = format!(
        "import('./transport.js').then(({{ get }}) => get('{game}/position', {{ body: {}, type: 'application/json' }})) \
         .then(({{ answers }}) => answers.map(({{ cost, ...answer }}) => JSON.stringify(answer)))",
        json!(body)
    );
    page.get(&asked).as_array().unwrap().clone()
}

#[test]
#[ignore = "needs Chromium, chromedriver and web/build: cargo test --features full --test page -- --ignored"]
fn web_assembly_answers_as_the_server_does() {
    const COUNT: usize = 500;
    drive(|page| {
        let (server, files) = (Program::server(&["--time-limit", "120"]), Program::files());
        for (game, rules) in [
            ("british-square", &[][..]),
            ("dots", &[("board", "2x3")]),
            ("rpsw", &[("board", "4x3"), ("pieces", "2")]),
            ("mnk", &[("board", "3x4"), ("k", "3")]),
        ] {
            let body = batch(game, rules, COUNT);
            let mut found = Vec::new();
            for origin in [&server, &files] {
                let page = of(page, origin);
                page.open("?game=mnk");
                found.push(answers(&page, game, &body));
            }
            assert_eq!(found[0].len(), COUNT);
            for (server, own) in found[0].iter().zip(&found[1]) {
                assert_eq!(own, server, "{game}");
                assert!(!own.as_str().unwrap().contains("\"error\""), "{own}");
            }
        }
    });
}

/// A copy of the static files, without some of them.
fn copied(left_out: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("dist");
    copy(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/web/dist")), &to, left_out);
    folder
}

fn copy(from: &Path, to: &Path, left_out: &str) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let to = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &to, left_out);
        } else if entry.file_name() != left_out {
            fs::copy(entry.path(), &to).unwrap();
            // The web server compares times in seconds: a change in the next moment is one.
            let earlier = SystemTime::now() - Duration::from_secs(60);
            fs::File::options().write(true).open(to).unwrap().set_modified(earlier).unwrap();
        }
    }
}

/// Waits until the service worker has kept some files, and all those that are loaded.
fn kept(page: &Page, files: &[&str]) {
    let names = "[...performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => /[.](js|css)$/.test(name))";
    let known = "((all) => Promise.all(all.map((name) => caches.match(name))).then((found) => found.every(Boolean)))";
    page.until(&format!("await {known}({names}, ...{}])", json!(files)));
}

#[test]
#[ignore = "needs Chromium, chromedriver and web/build: cargo test --features full --test page -- --ignored"]
fn the_page_works_offline_after_the_first_visit() {
    drive_refused(|page| {
        let folder = copied("");
        let files = Program::files_in(folder.path());
        let alone = of(page, &files);
        alone.settle("?board=4x4");
        kept(&alone, &["./", "glossary.md", "bsq_bg.wasm"]);
        // While there is a network, files are never those of an earlier visit.
        let index = folder.path().join("dist/view/rules.js");
        let text = fs::read_to_string(&index).unwrap();
        fs::write(
            &index,
            text.replace("<h3 id=\"rules-title\">Rules", "<h3 id=\"rules-title\">New rules"),
        )
        .unwrap();
        alone.settle("?board=4x4");
        alone.says("rules-title", "New rules");
        drop(files);
        for link in GAMES {
            alone.settle(link);
            alone.says("rules-title", "New rules");
            alone.click("#best button");
            alone.settled(1, 1);
        }
        // The page of a server opens, and says that the server is gone.
        let server = Program::server(&[]);
        let served = of(page, &server);
        served.settle("?board=4x4");
        kept(&served, &["./"]);
        drop(server);
        served.get("(location.reload(), 1)");
        served.tells("notice-text", "No server answers");
        served.says("notice-act", "Try again");
    });
}

/// The worker ends in the middle of a search, with an error or without a word.
#[test]
#[ignore = "needs Chromium, chromedriver and web/build: cargo test --features full --test page -- --ignored"]
fn a_worker_that_ends_in_a_search_is_replaced() {
    alone(|page| {
        let counted = "window.workers = []; const Plain = Worker; \
            window.Worker = class extends Plain { \
                constructor(...all) { super(...all); workers.push(this); } }";
        page.devtools("Page.addScriptToEvaluateOnNewDocument", json!({ "source": counted }));
        page.open("?game=mnk&board=9x7&k=5&values=yes");
        let ended = "No values: The search has ended unexpectedly.";
        let searches = "document.getElementById('notice-text').innerText.startsWith('Searching')";
        page.until(searches);
        page.get("(workers.at(-1).dispatchEvent(new ErrorEvent('error')), 1)");
        page.says("notice-text", ended);
        // The game goes on, and another worker searches.
        page.press("e4");
        page.says("place", "1 / 1");
        page.until(searches);
        assert_eq!(page.get("workers.length"), json!(3));
        page.get("(workers.at(-1).terminate(), 1)");
        let silence = Duration::from_secs(40);
        page.until_within(&format!("document.body.innerText.includes({ended:?})"), silence);
        page.click("#notice-act");
        page.until(searches);
        assert_eq!(page.get("workers.length"), json!(4));
        // The other worker, which has been idle, is still there; that of the unwanted search is not.
        page.press("d4");
        page.says("place", "2 / 2");
        page.until(searches);
        std::thread::sleep(Duration::from_secs(1));
        assert_eq!(page.get("workers.length"), json!(5));
        page.settle("?game=mnk");
        page.says("place", "0 / 0");
        page.until("document.body.innerText.includes('Best play ends in a tie.')");
    });
}

/// Without a server and with a worker that does not load, the page says so.
#[test]
#[ignore = "needs Chromium, chromedriver and web/build: cargo test --features full --test page -- --ignored"]
fn a_worker_that_does_not_load_is_reported() {
    drive_refused(|page| {
        let folder = copied("bsq_bg.wasm");
        let files = Program::files_in(folder.path());
        let page = of(page, &files);
        page.visit("?game=mnk");
        page.says(
            "notice-text",
            "No server answers, and this browser cannot compute the answers itself.",
        );
        // Switches work without a game.
        page.click("#theme");
        page.until("document.getElementById('theme').ariaPressed === 'true'");
        let wasm = concat!(env!("CARGO_MANIFEST_DIR"), "/web/dist/bsq_bg.wasm");
        fs::copy(wasm, folder.path().join("dist/bsq_bg.wasm")).unwrap();
        page.click("#notice-act");
        page.until("document.getElementById('place')");
        page.says("place", "0 / 0");
    });
}
