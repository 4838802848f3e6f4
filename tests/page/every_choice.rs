//! Whatever a visitor chooses, there is an answer, or a sentence that says what is missing: every opponent and
//! every activity, on boards from the smallest to those that nobody has solved. With `BSQ_ALL=1` on more boards,
//! which takes 10 minutes.

use crate::browser::{Page, drive, drive_refused, drive_served};
use crate::every_game::connect;
use crate::with;
use crate::without_server::alone;
use serde_json::Value;
use std::time::Duration;

/// The rules of boards of a game; the first ones are always tried.
fn boards(game: &str) -> Vec<&'static str> {
    let (always, more): (&[_], &[_]) = match game {
        "british-square" => {
            (&[""], &["board=1x1", "board=4x4", "board=7x7", "board=7x8", "board=8x8", "pieces=5"])
        }
        "dots" => {
            (&[""], &["board=1x1", "board=4x4", "board=5x5", "variant=swedish", "penalty=-1"])
        }
        "rpsw" => (&["board=4x3&pieces=3", ""], &["board=3x1", "board=4x4", "board=5x4"]),
        "mnk" => (&[""], &["board=1x1&k=1", "board=4x4&k=4", "board=7x7&k=5", "board=8x8&k=5"]),
        _ => (&[""], &[]),
    };
    let more = if std::env::var_os("BSQ_ALL").is_some() { more } else { &[] };
    [always, more].concat()
}

/// The games, by the answer of the API.
fn games(page: &Page) -> Vec<Value> {
    page.open("?game=mnk");
    page.fetch("games")["games"].as_array().unwrap().clone()
}

fn for_every_board(page: &Page, mut each: impl FnMut(&Value, &str)) {
    let games = games(page);
    assert!(games.len() >= 4);
    for info in &games {
        for rules in boards(info["name"].as_str().unwrap()) {
            let link = format!("?game={}", info["name"].as_str().unwrap());
            each(info, &if rules.is_empty() { link } else { with(&link, rules) });
        }
    }
}

/// The text of the most important message.
const NOTICE: &str = "(document.getElementById('notice-text')?.innerText.trim() ?? '')";
/// Whether a computer has moved.
const MOVED: &str = "(document.getElementById('place')?.innerText ?? '').startsWith('1 ')";

/// Whether a message says something besides that the page waits.
fn is_said() -> String {
    format!("({NOTICE} !== '' && !{NOTICE}.includes('Loading') && !{NOTICE}.includes('Waiting'))")
}

/// No message speaks of what visitors do not know.
fn is_plain(page: &Page) {
    let text = page.get("document.querySelector('.play').innerText");
    let text = text.as_str().unwrap();
    for word in ["MiB", "GiB", "memory", "HTTP", "values=", "tablebase", "status"] {
        assert!(!text.contains(word), "'{word}' in {text}");
    }
}

/// Waits for something that comes at once, but for the noise of a machine with other work.
fn soon(page: &Page, expression: &str) {
    page.until_within(expression, Duration::from_secs(4));
}

/// The computer moves, or says why it cannot.
fn every_opponent_moves(page: &Page) {
    for_every_board(page, |info, link| {
        let agents = info["agents"].as_array().unwrap();
        let names = agents.iter().map(|agent| agent["name"].as_str().unwrap());
        for agent in names.chain(["mistakes-30"]) {
            page.visit(&with(link, &format!("first={agent}")));
            soon(page, &format!("{MOVED} || {NOTICE} !== '' && !{NOTICE}.includes('Loading')"));
            page.until(MOVED);
            is_plain(page);
        }
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn every_opponent_moves_on_every_board() {
    drive(every_opponent_moves);
}

#[test]
#[ignore = "needs Chromium, chromedriver and web/build: cargo test --features full --test page -- --ignored"]
fn every_opponent_moves_without_a_server() {
    alone(every_opponent_moves);
}

/// Values are found or bounded, and every activity begins, or says why not.
fn every_activity_begins(page: &Page) {
    for_every_board(page, |_, link| {
        page.visit(&with(link, "values=yes"));
        let verdict = "document.getElementById('verdict')?.innerText";
        soon(
            page,
            &format!(
                "{verdict} || {NOTICE}.includes('Searching') || {NOTICE}.includes('No values')"
            ),
        );
        page.until(&format!("{verdict} || {NOTICE}.includes('No values')"));
        is_plain(page);
        for task in ["learn=yes", "puzzle=any&seed=1", "edit=first"] {
            page.visit(&with(link, task));
            soon(page, &format!("{NOTICE} !== '' && !{NOTICE}.includes('Loading')"));
            page.until(&is_said());
            is_plain(page);
        }
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn every_activity_begins_on_every_board() {
    // There is no puzzle where nothing is known.
    drive_refused(every_activity_begins);
}

#[test]
#[ignore = "needs Chromium, chromedriver and web/build: cargo test --features full --test page -- --ignored"]
fn every_activity_begins_without_a_server() {
    alone(every_activity_begins);
}

/// When the server is gone, everything says so, and the game goes on when it is back.
#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn every_activity_waits_for_a_server_that_is_gone() {
    drive_served(&[], |page| {
        for info in games(page) {
            let link = with(
                &format!("?game={}", info["name"].as_str().unwrap()),
                boards(info["name"].as_str().unwrap())[0],
            );
            for task in ["learn", "puzzle", "edit", "play"] {
                page.open(&link);
                connect(page, false);
                page.click(&format!("[data-task={task}]"));
                if task == "play" {
                    page.click(".playable.legal");
                }
                // Whatever the page has already needs no server.
                let goes_on =
                    format!("document.body.dataset.activity === '{task}' && '{task}' !== 'play'");
                soon(
                    page,
                    &format!(
                        "{NOTICE}.includes('The server does not answer') || {goes_on} || document.querySelector('.selected')"
                    ),
                );
                connect(page, true);
                if page.get(&format!("{NOTICE}.includes('The server does not answer')")) == true {
                    page.click("#notice-act");
                    page.until(&format!("!{NOTICE}.includes('The server does not answer')"));
                }
            }
        }
    });
}
