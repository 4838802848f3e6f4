//! What a person does in every game: play by mouse and keyboard, look at positions, take moves back.

use crate::browser::{Page, drive, drive_served};
use crate::{GAMES, parts};
use serde_json::{Value, json};

const ENTER: &str = "\u{e007}";
const RIGHT: &str = "\u{e014}";
const LEFT: &str = "\u{e012}";
const HOME: &str = "\u{e011}";
const END: &str = "\u{e010}";

/// A value as it stands on the board, where a player is to move.
fn mark(mv: &Value, mover: &Value) -> String {
    let value = &mv["value"];
    let result = match value["outcome"].as_str().unwrap() {
        winner @ ("first" | "second") if mover == winner => "win",
        "first" | "second" => "loss",
        outcome => outcome,
    };
    match (value["score"].as_i64(), value["plies"].as_u64()) {
        (Some(0), _) => "0".to_string(),
        (Some(score), _) => format!("{score:+}").replace('-', "\u{2212}"),
        (None, Some(plies)) => format!("{result} {}", plies.div_ceil(2)),
        (None, None) => result.to_string(),
    }
}

/// Whole games as the first player, by the best shade, against perfect play.
#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn best_play_by_the_shades_ends_in_the_announced_value() {
    drive(|page| {
        let over = "document.body.classList.contains('over')";
        let yours = "document.getElementById('turn').innerText === 'Your turn' \
                     && document.getElementById('board').ariaBusy === 'false'";
        let best = "#placeless button, .playable.legal[data-shade='0']";
        for link in GAMES {
            page.settle(&format!("{link}&second=perfect"));
            let start = page.answer(link);
            while page.get(over) != json!(true) {
                let before = page.text("place");
                page.click(best);
                // A piece is selected before it moves.
                if page.places(".selected") != json!([]) {
                    page.click(best);
                }
                page.until(&format!("document.getElementById('place').innerText !== '{before}'"));
                page.until(&format!("({yours}) || {over}"));
            }
            let end = page.answer(&page.link());
            assert_eq!(end["is_over"], json!(true), "{link}");
            for key in ["outcome", "score"] {
                assert_eq!(end["value"][key], start["value"][key], "{link}");
            }
            let played = end["played"].as_array().unwrap().len() as u64;
            assert!(start["value"]["plies"].as_u64().is_none_or(|plies| plies == played), "{link}");
            assert_eq!(page.places(".legal"), json!([]));
            assert_eq!(page.get("document.getElementById('hint').disabled"), json!(true));
        }
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn the_board_shows_the_values_of_the_api() {
    drive(|page| {
        for link in GAMES {
            page.settle(link);
            let answer = page.answer(link);
            let marks = "Object.fromEntries([...document.querySelectorAll('#board .place[data-shade]')].map((place) => [place.dataset.place, \
                         place.querySelector('.badge').textContent]))";
            // Where a piece stands, the value of its best move.
            let mut wanted = serde_json::Map::new();
            for mv in answer["moves"].as_array().unwrap() {
                let place = mv["places"][0].as_str().unwrap().to_string();
                wanted.entry(place).or_insert_with(|| mark(mv, &answer["to_move"]).into());
            }
            assert_eq!(page.get(marks), Value::from(wanted), "{link}");
            // The moves by cost are all of them, in the same order.
            let listed = "[...document.querySelectorAll('#best button')].map((it) => it.innerText)";
            let moves = answer["moves"].as_array().unwrap();
            let moves: Vec<&Value> = moves.iter().map(name).collect();
            assert_eq!(page.get(listed), json!(moves), "{link}");
            let line = page.fetch(&line_path(link));
            let (line, answers) =
                (line["moves"].as_array().unwrap(), line["answers"].as_array().unwrap());
            let named = line.iter().zip(answers).map(|(step, answer)| {
                let moves = answer["moves"].as_array().unwrap();
                name(moves.iter().find(|mv| mv["move"] == *step).unwrap())
            });
            let line: Vec<&Value> = named.collect();
            let shown = "[...document.querySelectorAll('#line li')].map((it) => it.textContent)";
            page.until(&format!("({shown}).length"));
            let shown = page.get(shown);
            let shown: Vec<&Value> = shown.as_array().unwrap().iter().collect();
            assert_eq!(shown[..], line[..shown.len()], "{link}");
        }
    });
}

/// How the page names a move: by its place, if it has one.
fn name(mv: &Value) -> &Value {
    match &mv["places"].as_array().unwrap()[..] {
        [place] => place,
        _ => &mv["move"],
    }
}

fn line_path(link: &str) -> String {
    let (game, rules) = parts(link);
    format!("{game}/line?{rules}")
}

/// Every list marks the worst move, and no part of the page moves when the warning appears.
#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn a_mistake_is_marked_and_can_be_taken_back() {
    drive(|page| {
        let links = [
            ("?moves=7,19", "b3 costs 2 points: Player 1's win by 2 becomes a tie."),
            ("?game=dots&position=-./|.|../../...../..+B", "b1-c1 costs 4 points: "),
            (
                "?game=rpsw&board=4x3&pieces=2&position=..r/.../.../R..+first",
                "a1b1 is a mistake: Player 1's win becomes Player 2's win.",
            ),
            ("?game=mnk&moves=b2", "b1 is a mistake: a tie becomes Player 1's win."),
        ];
        for (link, told) in links {
            page.settle(link);
            let at = page.get("Number(document.getElementById('slider').value)");
            let at = at.as_u64().unwrap() as usize;
            // On a phone, the moves of the game are below the best moves, of which there may be fewer.
            let tops = "['board', 'best', 'played'].slice(0, innerWidth < 600 ? 2 : 3).map((id) => \
                        document.getElementById(id).getBoundingClientRect().top)";
            let before = page.get(tops);
            let wrong = told.split(' ').next().unwrap();
            let answer = page.answer(link);
            let moves = answer["moves"].as_array().unwrap();
            page.play(moves.iter().find(|mv| name(mv) == wrong).unwrap());
            page.settled(at + 1, at + 1);
            page.tells("notice-text", told);
            assert_eq!(page.get(tops), before, "{link}");
            page.until("document.querySelector('#graph .current.flaw')");
            let flaw =
                page.get("document.querySelector('.played [aria-current] .flaw').textContent");
            assert_eq!(flaw, json!("??"), "{link}");
            page.click("#notice-act");
            page.settled(at, at + 1);
            page.until("document.getElementById('notice-act').hidden");
            page.play(&moves[0]);
            page.settled(at + 1, at + 1);
            page.until("document.getElementById('notice-text').innerText === ''");
            page.until("!document.querySelector('.flaw')");
        }
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn every_position_of_a_game_can_be_visited() {
    drive(|page| {
        for link in GAMES {
            page.settle(link);
            let mut boards = vec![page.owners()];
            let mut moves = Vec::new();
            for ply in 0..3 {
                let answer = page.answer(&page.link());
                let mv = answer["moves"].as_array().unwrap().last().unwrap();
                moves.push(mv["move"].as_str().unwrap().to_string());
                page.play(mv);
                page.settled(ply + 1, ply + 1);
                boards.push(page.owners());
            }
            let whole = page.link();
            assert!(whole.ends_with(&format!("moves={}", moves.join(","))), "{whole}");
            page.click("#undo");
            page.settled(2, 3);
            assert_eq!(page.owners(), boards[2], "{link}");
            assert_eq!(page.link(), format!("{whole}&at=2"));
            page.click("#redo");
            page.settled(3, 3);
            let slide = "(() => { const slider = document.getElementById('slider'); \
                         slider.value = 1; slider.dispatchEvent(new Event('input')); return 1; })()";
            page.get(slide);
            page.settled(1, 3);
            assert_eq!(page.owners(), boards[1], "{link}");
            page.until("!document.querySelector('#graph .unknown')");
            page.click("#graph [data-at='2']");
            page.settled(2, 3);
            page.click("#played li:nth-child(3) button");
            page.settled(3, 3);
            assert_eq!(page.owners(), boards[3], "{link}");
            // The browser goes back move by move, and does not leave the page.
            page.back();
            page.settled(2, 2);
            page.back();
            page.settled(1, 1);
            assert_eq!(page.owners(), boards[1], "{link}");
            page.forward();
            page.settled(2, 2);
            page.click("#new");
            page.settled(0, 0);
            assert_eq!(page.owners(), boards[0], "{link}");
        }
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn the_keyboard_is_enough() {
    drive(|page| {
        let focused = "document.activeElement.dataset.place";
        for (link, keys) in [
            ("?board=4x4", " "),
            ("?game=dots&board=2x2", " "),
            ("?game=rpsw&board=4x3&pieces=2&position=..r/.../.../R..+first", " \u{e013} "),
            ("?game=mnk", ENTER),
        ] {
            page.settle(link);
            page.get("(document.getElementById('board').focus(), 1)");
            let stops = "document.querySelectorAll('.playable[tabindex=\"0\"]').length";
            assert_eq!(page.get(stops), json!(1), "{link}");
            page.keys("\t");
            // To the first row, or down to the only piece.
            if link.contains("rpsw") {
                page.keys("\u{e015}\u{e015}\u{e015}");
            } else {
                page.keys(&format!("{RIGHT}{RIGHT}{LEFT}"));
            }
            let place = page.get(focused);
            page.keys(keys);
            page.settled(1, 1);
            let taken = page.owners();
            if link.contains("rpsw") {
                assert_eq!(taken, json!({ "a2": "first", "c4": "second" }));
            } else {
                assert_eq!(taken, json!({ place.as_str().unwrap(): "first" }));
            }
            for (key, at) in [("u", 0), ("r", 1), ("[", 0), ("]", 1), (HOME, 0), (END, 1)] {
                page.keys(key);
                page.settled(at, 1);
            }
            page.keys("h");
            page.tells("notice-text", "Hint: ");
            page.until("document.querySelector('.place.hint')");
            page.keys("v");
            page.until("document.body.classList.contains('no-values')");
            page.keys("vn");
            page.settled(0, 0);
        }
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn values_can_be_hidden() {
    drive(|page| {
        for link in GAMES {
            page.settle(link);
            let numbers = "[...document.querySelectorAll('.badge:not([class=badge]), .value, #graph text')] \
                           .filter((one) => one.checkVisibility()).length";
            assert_ne!(page.get(numbers), json!(0));
            page.click("#show-values");
            page.until(&format!("{numbers} === 0"));
            let labels =
                "[...document.querySelectorAll('.playable')].map((it) => it.ariaLabel).join()";
            let labels = page.get(labels).to_string();
            for word in ["wins", "tie", "draw ", "best", "cost"] {
                assert!(!labels.contains(word), "{link}: {labels}");
            }
            assert_eq!(page.text("verdict"), "");
            // A hint is still available on request.
            page.click("#hint");
            page.until("document.querySelector('.place.hint')");
            page.tells("notice-text", "Hint: ");
            page.click("#show-values");
        }
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn computers_play_and_wait_while_a_person_looks_back() {
    drive(|page| {
        for link in GAMES {
            page.settle(&format!("{link}&second=perfect"));
            let answer = page.answer(link);
            page.play(&answer["moves"][0]);
            page.settled(2, 2);
            // Undo returns to the person's last decision.
            page.click("#undo");
            page.settled(0, 2);
            page.click("#redo");
            page.settled(2, 2);
            page.keys("[");
            page.settled(1, 2);
            page.tells("notice-text", "This is an earlier position");
            // Waits longer than a computer takes to move.
            let now = page.get("performance.now()");
            page.until(&format!("performance.now() > {now} + 700"));
            page.settled(1, 2);
            page.click("#notice-act");
            page.settled(2, 2);
        }
    });
}

/// The values of a large board are not known: nothing is drawn as a 0.
#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn unknown_values_are_not_drawn() {
    drive_served(&["--time-limit", "1"], |page| {
        page.open("?board=7x9&moves=1&values=yes");
        page.until("document.getElementById('verdict').innerText.includes('more is not proved')");
        page.until("document.getElementById('board').ariaBusy === 'false'");
        assert_eq!(page.get("document.querySelectorAll('#graph .dot').length"), json!(0));
        assert_eq!(page.get("document.querySelectorAll('#graph .unknown').length"), json!(2));
        assert_eq!(page.places("[data-shade]"), json!([]));
        page.press("d3");
        page.says("place", "2 / 2");
        assert_eq!(page.owners(), json!({ "a1": "first", "d3": "second" }));
    });
}

/// Without the server, board, slider and address stay at the last position.
#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn a_move_without_a_server_is_not_played() {
    drive_served(&[], |page| {
        for link in GAMES {
            page.settle(link);
            let (before, mv) = (page.owners(), page.answer(link)["moves"][0].clone());
            connect(page, false);
            page.play(&mv);
            page.says("notice-text", "The server does not answer.");
            assert_eq!(page.text("place"), "0 / 0");
            assert_eq!((page.owners(), page.link()), (before, link.to_string()));
            connect(page, true);
            page.click("#notice-act");
            page.settled(1, 1);
        }
    });
}

/// A server that hangs: the page says so, stays usable, and goes on when the server does.
#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn a_server_that_does_not_answer_is_reported() {
    drive_served(&[], |page| {
        page.settle("?board=4x4&moves=1");
        network(page, json!({ "offline": false, "latency": 60_000 }));
        page.press("c3");
        page.says("notice-text", "Waiting for an answer\u{2026}");
        page.click("#undo");
        page.settled(0, 1);
        page.click("#redo");
        page.says("notice-text", "The server does not answer.");
        page.says("place", "1 / 1");
        connect(page, true);
        page.click("#notice-act");
        page.settled(2, 2);
    });
}

/// Whether the network is available.
pub fn connect(page: &Page, is: bool) {
    network(page, json!({ "offline": !is, "latency": 0 }));
}

fn network(page: &Page, mut speed: Value) {
    page.devtools("Network.enable", json!({}));
    speed["downloadThroughput"] = json!(-1);
    speed["uploadThroughput"] = json!(-1);
    page.devtools("Network.emulateNetworkConditions", speed);
}

/// No one knows how an 8x8 board with k = 5 is played best, and still there is an answer.
#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn what_is_proved_so_far_is_shown() {
    drive(|page| {
        page.settle("?game=mnk&board=8x8&k=5");
        let verdict = page.text("verdict");
        assert!(verdict.contains("does not lose") && verdict.contains("not proved"), "{verdict}");
        page.keys("h");
        page.until("document.getElementById('notice').innerText.includes('found in 10 s')");
        page.open("?game=mnk&board=8x8&k=5&second=perfect");
        page.until("document.querySelector('.playable')");
        page.click(".playable");
        page.until("document.getElementById('place').innerText.startsWith('2 /')");
        page.until("document.getElementById('notice').innerText.includes('that it has found')");
    });
}

/// A game from a file has a plain board: pieces without an owner are letters, and moves without places
/// are buttons.
#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn a_graph_is_played() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.csv");
    let rows = "position,player,move,next\nX./.. O,second,b1,XO/.. X\nX./.. O,second,pass,X./.. X\n\
                XO/.. X,first,a2,XO/X. O\nX./.. X,first,b2,X./.X O\nXO/X. O,second,first\n\
                X./.X O,second,second\n";
    std::fs::write(&file, rows).unwrap();
    drive_served(&["--graph", file.to_str().unwrap()], |page| {
        page.settle("graph");
        let letter = "document.querySelector('.place[data-place=a1] .symbol')";
        assert_eq!(page.get(&format!("{letter}.textContent")), json!("X"));
        let ink = format!("getComputedStyle({letter}).fill");
        let paper = "getComputedStyle(document.body).backgroundColor";
        assert_ne!(page.get(&ink), page.get(paper));
        // The second player wins by passing.
        page.tells("verdict", "Player 2 wins in 1 move");
        page.click("#placeless button");
        page.settled(1, 1);
        page.press("b2");
        page.says("place", "2 / 2");
        assert_eq!(page.owners(), json!({ "a1": "", "b2": "first" }));
    });
}
