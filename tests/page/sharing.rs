//! Links, records, and rules.

use crate::GAMES;
use crate::browser::{drive, drive_at, drive_refused};
use crate::programs::Program;
use serde_json::json;

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn a_link_restores_game_and_players() {
    drive(|page| {
        for (link, at, of) in [
            (
                "?board=4x5&center_allowed=yes&bias=1&pieces=5&position=...../.X.../...../...O.+X\
                 &moves=4,15,11&at=2&first=perfect&second=greedy",
                2,
                3,
            ),
            ("?game=dots&board=2x2&variant=icelandic&penalty=-1&moves=a1-b1&at=0", 0, 1),
            (
                "?game=rpsw&board=4x3&pieces=2&position=..r/.../.../R..+first&moves=a1a2,c4c3,a2b3\
                 &at=2&first=perfect&flip=yes",
                2,
                3,
            ),
            ("?game=mnk&board=4x4&k=4&moves=b2,c3,b3&at=1&second=mistakes-25", 1, 3),
        ] {
            page.settle(link);
            page.settled(at, of);
            assert_eq!(page.link(), link);
            let players = "['first', 'second'].map((side) => document.getElementById(side).value)";
            let players = page.get(players);
            for (side, player) in ["first", "second"].into_iter().zip(players.as_array().unwrap()) {
                let named = link.split(&format!("&{side}=")).nth(1);
                let named = named.map_or("you", |rest| rest.split('&').next().unwrap());
                assert_eq!(player, named, "{link}");
            }
        }
    });
}

/// They have fragments and other words.
#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn links_to_earlier_versions_are_read() {
    drive(|page| {
        page.settle("#game=dots&board=2x2&moves=a1-b1");
        page.settled(1, 1);
        assert_eq!(page.link(), "?game=dots&board=2x2&moves=a1-b1");
        page.settle("?center_allowed=true&moves=13");
        page.settled(1, 1);
        assert_eq!(page.link(), "?center_allowed=yes&moves=13");
    });
}

/// Each game had a page of its own.
#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn a_server_answers_the_paths_of_earlier_versions() {
    let server = Program::server(&[]);
    drive_at(&server.place, |page| {
        page.settle("dots#board=2x2&moves=b1-c1");
        page.settled(1, 1);
        assert_eq!(page.link(), "?game=dots&board=2x2&moves=b1-c1");
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn a_bad_link_says_why_and_shows_a_new_game() {
    drive_refused(|page| {
        for link in [
            "?moves=7,8",
            "?game=dots&board=2x2&moves=a1-c1",
            "?game=rpsw&board=4x3&pieces=2&moves=a1a4",
            "?game=mnk&moves=b2,b2",
        ] {
            page.open("?game=british-square");
            let why = page.answer(link)["error"]["message"].as_str().unwrap().to_string();
            page.open(link);
            page.tells("notice-text", &format!("The link is not valid: {why}"));
            page.settled(0, 0);
            // Three pieces on each side, on the board that the page offers first.
            let pieces = if link.contains("rpsw") { 6 } else { 0 };
            assert_eq!(page.owners().as_object().unwrap().len(), pieces, "{link}");
            let first = page.answer(&page.link())["moves"][0].clone();
            page.until("document.querySelector('.playable.legal')");
            page.settled(0, 0);
            if link.contains("rpsw") {
                continue;
            }
            page.play(&first);
            page.says("place", "1 / 1");
        }
        page.open("?game=chess");
        page.tells("notice-text", "The link is not valid: There is no game 'chess'.");
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn games_and_rules_can_be_chosen() {
    drive_refused(|page| {
        page.settle("?game=british-square");
        for (index, fields, link) in [
            (
                0,
                &[("board", "4"), ("board", "5"), ("bias", "2"), ("pieces", "6")][..],
                "?board=4x5&bias=2&pieces=6",
            ),
            (
                1,
                &[("board", "2"), ("board", "2"), ("penalty", "-1")],
                "?game=dots&board=2x2&penalty=-1",
            ),
            (
                2,
                &[("board", "4"), ("board", "3"), ("pieces", "2")],
                "?game=rpsw&board=4x3&pieces=2",
            ),
            (3, &[("board", "3"), ("board", "4"), ("k", "4")], "?game=mnk&board=3x4&k=4"),
        ] {
            page.click(&format!("#game option:nth-child({})", index + 1));
            let name = link
                .strip_prefix("?game=")
                .map_or("british-square", |rest| rest.split('&').next().unwrap());
            page.until(&format!(
                "document.getElementById('options').dataset.shown.startsWith('[\"{name}\"')"
            ));
            page.until("document.getElementById('place').innerText === '0 / 0'");
            if index == 0 {
                page.click("#rules summary");
            }
            let mut seen = Vec::new();
            for (field, text) in fields {
                let nth = seen.iter().filter(|one| **one == *field).count();
                seen.push(*field);
                let input = match (*field, nth) {
                    ("board", nth) => format!("#options .pair label:nth-child({}) input", nth + 1),
                    (field, _) => format!("#options [name='{field}']"),
                };
                page.fill(&input, text);
            }
            page.click("#rules-form button");
            page.links(link);
            page.settled(0, 0);
            assert!(page.text("rules-text").len() > 50, "the rules are in sight");
        }
        // More than 64 cells.
        page.fill("#options .pair label:nth-child(2) input", "22");
        page.click("#rules-form button");
        page.until("!document.getElementById('rules-error').hidden");
        assert_eq!(page.link(), "?game=mnk&board=3x4&k=4");
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn records_links_moves_and_positions_can_be_loaded() {
    drive_refused(|page| {
        page.settle("?game=british-square");
        page.click("#share summary");
        for (text, link) in [
            (
                "game: British Square\nboard: 4x4\nbias: 1\nmoves: 1 4",
                "?board=4x4&bias=1&moves=1,4",
            ),
            ("..... .X... ..... ...O. ..... X", "?bias=1&position=...../.X.../...../...O./.....+X"),
            ("7 19", "?bias=1&moves=7,19"),
            ("?game=dots&board=2x2&moves=a1-b1", "?game=dots&board=2x2&moves=a1-b1"),
            (
                "game: rock-paper-scissors-well\nboard: 4x3\npieces: 2\nmoves: a1a2",
                "?game=rpsw&board=4x3&pieces=2&moves=a1a2",
            ),
            ("b1b2", "?game=rpsw&board=4x3&pieces=2&moves=b1b2"),
            (
                "..r/.../.../R.. second",
                "?game=rpsw&board=4x3&pieces=2&position=..r/.../.../R..+second",
            ),
            ("?bias=2", "?bias=2"),
            ("?game=mnk&moves=b2", "?game=mnk&moves=b2"),
        ] {
            page.fill("#load-text", text);
            page.click("#load-form button");
            page.links(link);
            assert_eq!(page.get("document.getElementById('load-error').hidden"), json!(true));
            // The board is in sight.
            page.until("document.getElementById('status').getBoundingClientRect().top >= 0");
        }
        for (text, why) in [
            ("https://example.com/?q=b2", "This is not a link to a game of this page."),
            (" ", "There is nothing to load."),
        ] {
            page.fill("#load-text", text);
            page.click("#load-form button");
            page.says("load-error", why);
            assert_eq!(page.link(), "?game=mnk&moves=b2");
        }
        // The same from a file.
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("game.txt");
        std::fs::write(&file, "game: British Square\nmoves: 7 19\n").unwrap();
        page.choose("#load-file", file.to_str().unwrap());
        page.links("?moves=7,19");
        page.open("?game=mnk&moves=b2");
        page.click("#share summary");
        page.fill("#load-text", "b2 b2");
        page.click("#load-form button");
        page.until("!document.getElementById('load-error').hidden");
        assert_eq!(page.link(), "?game=mnk&moves=b2");
        // The record is that of the server, and is loaded again.
        for link in GAMES {
            page.settle(link);
            let answer = page.answer(link);
            page.play(&answer["moves"][0]);
            page.settled(1, 1);
            page.click("#share summary");
            page.until("document.getElementById('record').value.includes('moves: ')");
            let record = page.get("document.getElementById('record').value");
            let whole = page.link();
            page.open("?game=mnk");
            page.click("#share summary");
            let copy = format!("(document.getElementById('load-text').value = {record}, 1)");
            page.get(&copy);
            page.click("#load-form button");
            page.links(&whole);
        }
    });
}
