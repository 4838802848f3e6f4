//! What a person does in every game: play by mouse and keyboard, look at positions, take moves back.

use crate::browser::{Page, drive, drive_served};
use crate::{GAMES, parts};
use serde_json::{Value, json};

const ENTER: &str = "\u{e007}";
const RIGHT: &str = "\u{e014}";
const LEFT: &str = "\u{e012}";
const HOME: &str = "\u{e011}";
const END: &str = "\u{e010}";

/// A value as it stands on the board.
fn mark(mv: &Value) -> String {
    let value = &mv["value"];
    let winner = match value["winner"].as_str() {
        Some("first") => "1st",
        Some(_) => "2nd",
        None => value["outcome"].as_str().unwrap(),
    };
    match (value["score"].as_i64(), value["plies"].as_u64()) {
        (Some(0), _) => "0".to_string(),
        (Some(score), _) => format!("{score:+}").replace('-', "\u{2212}"),
        (None, Some(plies)) => format!("{winner} {plies}"),
        (None, None) => winner.to_string(),
    }
}

/// Whole games as the first player, by the stars, against perfect play.
#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn best_play_by_the_stars_ends_in_the_announced_value() {
    drive(async |page| {
        let over = "document.body.classList.contains('over')";
        let yours = "document.getElementById('turn').innerText === 'First player to move' \
                     && document.getElementById('board').ariaBusy === 'false'";
        let star = "#placeless button, .playable.legal:has(.star.shown)";
        for link in GAMES {
            page.settle(&format!("{link}&second=perfect")).await;
            let start = page.answer(link).await;
            while page.get(over).await != json!(true) {
                let before = page.text("place").await;
                page.click(star).await;
                // A piece is selected before it moves.
                if page.places(".selected").await != json!([]) {
                    page.click(star).await;
                }
                page.until(&format!("document.getElementById('place').innerText !== '{before}'"))
                    .await;
                page.until(&format!("({yours}) || {over}")).await;
            }
            let end = page.answer(&page.link().await).await;
            assert_eq!(end["is_over"], json!(true), "{link}");
            for key in ["outcome", "winner", "score"] {
                assert_eq!(end["value"][key], start["value"][key], "{link}");
            }
            let played = end["played"].as_array().unwrap().len() as u64;
            assert!(start["value"]["plies"].as_u64().is_none_or(|plies| plies == played), "{link}");
            assert_eq!(page.places(".legal").await, json!([]));
            assert_eq!(page.get("document.getElementById('hint').disabled").await, json!(true));
        }
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn the_board_shows_the_values_of_the_api() {
    drive(async |page| {
        for link in GAMES {
            page.settle(link).await;
            let answer = page.answer(link).await;
            let marks = "Object.fromEntries([...document.querySelectorAll('#board .place:has(.badge.first, \
                         .badge.tie, .badge.second)')].map((place) => [place.dataset.place, \
                         place.querySelector('.badge').textContent]))";
            // Where a piece stands, the value of its best move.
            let mut wanted = serde_json::Map::new();
            for mv in answer["moves"].as_array().unwrap() {
                let place = mv["places"][0].as_str().unwrap().to_string();
                wanted.entry(place).or_insert_with(|| mark(mv).into());
            }
            assert_eq!(page.get(marks).await, Value::from(wanted), "{link}");
            // The moves by cost are all of them, in the same order.
            let listed =
                "[...document.querySelectorAll('#best button')].map((it) => it.textContent)";
            let moves = answer["moves"].as_array().unwrap();
            let moves: Vec<&Value> = moves.iter().map(|mv| &mv["move"]).collect();
            assert_eq!(page.get(listed).await, json!(moves), "{link}");
            let line = page.fetch(&line_path(link)).await["moves"].clone();
            let shown = "[...document.querySelectorAll('#line li')].map((it) => it.textContent)";
            page.until(&format!("({shown}).length")).await;
            let shown = page.get(shown).await;
            let shown = shown.as_array().unwrap();
            assert_eq!(shown[..], line.as_array().unwrap()[..shown.len()], "{link}");
        }
    });
}

fn line_path(link: &str) -> String {
    let (game, rules) = parts(link);
    format!("{game}/line?{rules}")
}

/// Every list marks the worst move, and no part of the page moves when the warning appears.
#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn a_mistake_is_marked_and_can_be_taken_back() {
    drive(async |page| {
        let links = [
            ("?moves=7,19", "12 (b3) costs 2 points: the first player's win by 2 becomes a tie."),
            ("?game=dots&position=-./|.|../../...../..+B", "b1-c1 costs 4 points: "),
            (
                "?game=rpsw&board=4x3&pieces=2&position=..r/.../.../R..+first",
                "a1b1 is a mistake: the first player's win becomes the second player's win.",
            ),
            ("?game=mnk&moves=b2", "b1 is a mistake: a draw becomes the first player's win."),
        ];
        for (link, told) in links {
            page.settle(link).await;
            let at = page.get("Number(document.getElementById('slider').value)").await;
            let at = at.as_u64().unwrap() as usize;
            // On a phone, the moves of the game are below the best moves, of which there may be fewer.
            let tops = "['board', 'best', 'played'].slice(0, innerWidth < 600 ? 2 : 3).map((id) => \
                        document.getElementById(id).getBoundingClientRect().top)";
            let before = page.get(tops).await;
            let name = told.split(' ').next().unwrap();
            let answer = page.answer(link).await;
            let moves = answer["moves"].as_array().unwrap();
            page.play(moves.iter().find(|mv| mv["move"] == name).unwrap()).await;
            page.settled(at + 1, at + 1).await;
            page.tells("notice-text", told).await;
            assert_eq!(page.get(tops).await, before, "{link}");
            page.until("document.querySelector('#graph .current.flaw')").await;
            let flaw =
                page.get("document.querySelector('.played [aria-current] .flaw').textContent");
            assert_eq!(flaw.await, json!("??"), "{link}");
            page.click("#notice-act").await;
            page.settled(at, at + 1).await;
            page.until("document.getElementById('notice-act').hidden").await;
            page.play(&moves[0]).await;
            page.settled(at + 1, at + 1).await;
            page.until("document.getElementById('notice-text').innerText === ''").await;
            page.until("!document.querySelector('.flaw')").await;
        }
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn every_position_of_a_game_can_be_visited() {
    drive(async |page| {
        for link in GAMES {
            page.settle(link).await;
            let mut boards = vec![page.owners().await];
            let mut moves = Vec::new();
            for ply in 0..3 {
                let answer = page.answer(&page.link().await).await;
                let mv = answer["moves"].as_array().unwrap().last().unwrap();
                moves.push(mv["move"].as_str().unwrap().to_string());
                page.play(mv).await;
                page.settled(ply + 1, ply + 1).await;
                boards.push(page.owners().await);
            }
            let whole = page.link().await;
            assert!(whole.ends_with(&format!("moves={}", moves.join(","))), "{whole}");
            page.click("#undo").await;
            page.settled(2, 3).await;
            assert_eq!(page.owners().await, boards[2], "{link}");
            assert_eq!(page.link().await, format!("{whole}&at=2"));
            page.click("#redo").await;
            page.settled(3, 3).await;
            let slide = "(() => { const slider = document.getElementById('slider'); \
                         slider.value = 1; slider.dispatchEvent(new Event('input')); return 1; })()";
            page.get(slide).await;
            page.settled(1, 3).await;
            assert_eq!(page.owners().await, boards[1], "{link}");
            page.until("!document.querySelector('#graph .unknown')").await;
            page.click("#graph [data-at='2']").await;
            page.settled(2, 3).await;
            page.click("#played li:nth-child(3) button").await;
            page.settled(3, 3).await;
            assert_eq!(page.owners().await, boards[3], "{link}");
            // The browser goes back move by move, and does not leave the page.
            page.back().await;
            page.settled(2, 2).await;
            page.back().await;
            page.settled(1, 1).await;
            assert_eq!(page.owners().await, boards[1], "{link}");
            page.forward().await;
            page.settled(2, 2).await;
            page.click("#new").await;
            page.settled(0, 0).await;
            assert_eq!(page.owners().await, boards[0], "{link}");
        }
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn the_keyboard_is_enough() {
    drive(async |page| {
        let focused = "document.activeElement.dataset.place";
        for (link, keys) in [
            ("?board=4x4", " "),
            ("?game=dots&board=2x2", " "),
            ("?game=rpsw&board=4x3&pieces=2&position=..r/.../.../R..+first", " \u{e013} "),
            ("?game=mnk", ENTER),
        ] {
            page.settle(link).await;
            page.get("(document.getElementById('board').focus(), 1)").await;
            let stops = "document.querySelectorAll('.playable[tabindex=\"0\"]').length";
            assert_eq!(page.get(stops).await, json!(1), "{link}");
            page.keys("\t").await;
            // To the first row, or down to the only piece.
            match link.contains("rpsw") {
                true => page.keys("\u{e015}\u{e015}\u{e015}").await,
                false => page.keys(&format!("{RIGHT}{RIGHT}{LEFT}")).await,
            }
            let place = page.get(focused).await;
            page.keys(keys).await;
            page.settled(1, 1).await;
            let taken = page.owners().await;
            match link.contains("rpsw") {
                true => assert_eq!(taken, json!({ "a2": "first", "c4": "second" })),
                false => assert_eq!(taken, json!({ place.as_str().unwrap(): "first" })),
            }
            for (key, at) in [("u", 0), ("r", 1), ("[", 0), ("]", 1), (HOME, 0), (END, 1)] {
                page.keys(key).await;
                page.settled(at, 1).await;
            }
            page.keys("h").await;
            page.tells("notice-text", "Hint: ").await;
            page.until("document.querySelector('.place.hint')").await;
            page.keys("v").await;
            page.until("document.body.classList.contains('no-values')").await;
            page.keys("vn").await;
            page.settled(0, 0).await;
        }
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn values_can_be_hidden() {
    drive(async |page| {
        for link in GAMES {
            page.settle(link).await;
            let numbers = "[...document.querySelectorAll('.badge:not([class=badge]), .value, #graph text')] \
                           .filter((one) => one.checkVisibility()).length";
            assert_ne!(page.get(numbers).await, json!(0));
            page.click("#show-values").await;
            page.until(&format!("{numbers} === 0")).await;
            let labels =
                "[...document.querySelectorAll('.playable')].map((it) => it.ariaLabel).join()";
            let labels = page.get(labels).await.to_string();
            for word in ["wins", "tie", "draw ", "best", "cost"] {
                assert!(!labels.contains(word), "{link}: {labels}");
            }
            assert_eq!(page.text("verdict").await, "");
            // A hint is still available on request.
            page.click("#hint").await;
            page.until("document.querySelector('.place.hint')").await;
            page.tells("notice-text", "Hint: ").await;
            page.click("#show-values").await;
        }
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn computers_play_and_wait_while_a_person_looks_back() {
    drive(async |page| {
        for link in GAMES {
            page.settle(&format!("{link}&second=perfect")).await;
            let answer = page.answer(link).await;
            page.play(&answer["moves"][0]).await;
            page.settled(2, 2).await;
            // Undo returns to the person's last decision.
            page.click("#undo").await;
            page.settled(0, 2).await;
            page.click("#redo").await;
            page.settled(2, 2).await;
            page.keys("[").await;
            page.settled(1, 2).await;
            page.tells("notice-text", "This is an earlier position").await;
            // Waits longer than a computer takes to move.
            let now = page.get("performance.now()").await;
            page.until(&format!("performance.now() > {now} + 700")).await;
            page.settled(1, 2).await;
            page.click("#notice-act").await;
            page.settled(2, 2).await;
        }
    });
}

/// The values of a large board are not known: nothing is drawn as a 0.
#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn unknown_values_are_not_drawn() {
    drive_served(&["--time-limit", "1"], async |page| {
        page.open("?board=8x8&moves=1&values=yes").await;
        page.tells("notice-text", "No values: ").await;
        assert_eq!(page.get("document.querySelectorAll('#graph .dot').length").await, json!(0));
        assert_eq!(page.get("document.querySelectorAll('#graph .unknown').length").await, json!(2));
        assert_eq!(page.places(":has(.badge.first, .badge.tie, .badge.second)").await, json!([]));
        assert_eq!(page.get("document.getElementById('board').ariaBusy").await, json!("false"));
        page.click("#notice-act").await;
        page.says("notice-text", "Searching\u{2026}").await;
        page.tells("notice-text", "No values: ").await;
        page.press("d3").await;
        page.says("place", "2 / 2").await;
        assert_eq!(page.owners().await, json!({ "a1": "first", "d3": "second" }));
    });
}

/// Without the server, board, slider and address stay at the last position.
#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn a_move_without_a_server_is_not_played() {
    drive_served(&[], async |page| {
        for link in GAMES {
            page.settle(link).await;
            let (before, mv) = (page.owners().await, page.answer(link).await["moves"][0].clone());
            connect(&page, false).await;
            page.play(&mv).await;
            page.says("notice-text", "The server does not answer.").await;
            assert_eq!(page.text("place").await, "0 / 0");
            assert_eq!((page.owners().await, page.link().await), (before, link.to_string()));
            connect(&page, true).await;
            page.click("#notice-act").await;
            page.settled(1, 1).await;
        }
    });
}

/// A server that hangs: the page says so, stays usable, and goes on when the server does.
#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn a_server_that_does_not_answer_is_reported() {
    drive_served(&[], async |page| {
        page.settle("?board=4x4&moves=1").await;
        network(&page, json!({ "offline": false, "latency": 60_000 })).await;
        page.press("c3").await;
        page.says("notice-text", "Waiting for an answer\u{2026}").await;
        page.click("#undo").await;
        page.settled(0, 1).await;
        page.click("#redo").await;
        page.says("notice-text", "The server does not answer.").await;
        page.says("place", "1 / 1").await;
        connect(&page, true).await;
        page.click("#notice-act").await;
        page.settled(2, 2).await;
    });
}

async fn connect(page: &Page, is: bool) {
    network(page, json!({ "offline": !is, "latency": 0 })).await;
}

async fn network(page: &Page, mut speed: Value) {
    page.devtools("Network.enable", json!({})).await;
    speed["downloadThroughput"] = json!(-1);
    speed["uploadThroughput"] = json!(-1);
    page.devtools("Network.emulateNetworkConditions", speed).await;
}
