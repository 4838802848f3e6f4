//! What the page offers besides playing, in every game: lessons, puzzles, set-up positions, reviews,
//! hints and terms.

use crate::browser::{Page, drive};
use crate::{GAMES, with};
use serde_json::{Value, json};

/// Plays a lesson to its end by the marked places; returns the number of moves.
pub fn learn(page: &Page, link: &str) -> usize {
    page.open(&with(link, "learn=yes"));
    let mut moves = 0;
    loop {
        page.until("document.querySelector('.playable.hint') || document.getElementById('notice-act').innerText === 'Play'");
        if page.text("notice-act") == "Play" {
            return moves;
        }
        let told = page.text("notice-text");
        assert!(told.starts_with(&format!("{} of ", moves + 1)), "{told}");
        let before = page.text("place");
        // Another move is not played.
        page.get("document.querySelector('.playable:not(.hint)').dispatchEvent(new Event('click', { bubbles: true }))");
        // By mouse and by keyboard in turn.
        for which in [".legal", ".target"] {
            let place = format!(".playable.hint{which}");
            if moves % 2 == 0 {
                page.click(&place);
            } else {
                page.get(&format!("(document.querySelector('{place}').focus(), 1)"));
                page.keys("\u{e007}");
            }
            if page.places(".selected") == json!([]) {
                break;
            }
        }
        moves += 1;
        page.until(&format!("document.getElementById('place').innerText !== '{before}'"));
    }
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn a_guided_game_teaches_every_game() {
    drive(|page| {
        for (link, moves) in GAMES.into_iter().zip([5, 5, 3, 5]) {
            assert_eq!(learn(page, link), moves, "{link}");
            let is_over = page.get("document.body.classList.contains('over')");
            assert_eq!(is_over, json!(true), "{link}");
            // The browser goes back move by move, and the game begins anew.
            page.back();
            page.until("document.getElementById('notice-act').innerText !== 'Play'");
            page.forward();
            page.says("notice-act", "Play");
            page.click("#notice-act");
            page.settled(0, 0);
            assert!(!page.link().contains("learn"), "{link}");
        }
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn puzzles_of_every_game_are_solved() {
    drive(|page| {
        for link in GAMES {
            let (game, rules) = crate::parts(link);
            page.open(link);
            let puzzle = page.fetch(&format!("{game}/puzzle?{rules}&seed=4"));
            let solution = puzzle["solution"].as_str().unwrap();
            let asked = with(link, "puzzle=any&seed=4");
            page.open(&asked);
            page.until("document.getElementById('notice-text').innerText.includes('find the only move that')");
            let position = puzzle["position"].as_str().unwrap().replace(' ', "%20");
            let answer = page.fetch(&format!("{game}/position?{rules}&position={position}"));
            assert_eq!(answer["moves"][0]["move"], solution);
            // Nothing is told before a move is made.
            assert_eq!(page.places(":has(.star.shown)"), json!([]), "{link}");
            page.play(answer["moves"].as_array().unwrap().last().unwrap());
            page.says("notice-act", "Try again");
            page.until("document.getElementById('notice-text').innerText.includes('becomes')");
            page.click("#notice-act");
            page.says("place", "0 / 1");
            page.play(&answer["moves"][0]);
            page.tells("notice-text", "Right: ");
            // The opponent answers, and up to two further moves keep the result.
            let is_solved = "document.getElementById('notice-act').innerText === 'Next puzzle' \
                 && /^(Right: |Solved: )/.test(document.getElementById('notice-text').innerText)";
            for _ in 1..3 {
                page.until(&format!(
                    "{is_solved} || document.getElementById('notice-text').innerText.includes('Go on: keep the ')"
                ));
                if page.get(is_solved) == json!(true) {
                    break;
                }
                let shown = page.link().replace("puzzle=any&seed=4&moves=", "moves=");
                let moves = shown.split("moves=").nth(1).unwrap().split('&').next().unwrap();
                let path = format!("{game}/position?{rules}&position={position}&moves={moves}");
                let place = page.text("place");
                page.play(&page.fetch(&path)["moves"][0]);
                // The notice before this move is not mistaken for the one after it.
                page.until(&format!(
                    "document.getElementById('place').innerText.trim() !== {place:?}"
                ));
            }
            page.until(is_solved);
            // The link leads to the same puzzle, with the moves.
            let whole = page.link();
            page.open(&whole);
            page.until(is_solved);
            assert_eq!(page.link(), whole);
            page.click("#notice-act");
            page.until("location.search.includes('seed=5')");
            page.back();
            page.until(is_solved);
        }
        // What was solved at the first try is counted, once and across visits.
        let (game, rules) = crate::parts(GAMES[3]);
        for seed in [11, 12, 11] {
            page.open(&with(GAMES[3], &format!("puzzle=win&level=1&seed={seed}")));
            let puzzle = page.fetch(&format!("{game}/puzzle?{rules}&task=win&level=1&seed={seed}"));
            let position = puzzle["position"].as_str().unwrap().replace(' ', "%20");
            let answer = page.fetch(&format!("{game}/position?{rules}&position={position}"));
            page.play(&answer["moves"][0]);
            page.says("notice-act", "Next puzzle");
        }
        assert!(
            page.text("notice-text").ends_with(" 2 solved at the first try, 2 of them in a row.")
        );
        // Task and level are chosen in the form.
        page.open(&with(GAMES[3], "puzzle=any&seed=1"));
        page.click("[name=task] option[value=win]");
        page.click("[name=level] option[value='1']");
        page.click("#puzzle-form button");
        page.until("location.search.includes('puzzle=win&level=1&seed=1')");
        page.until("document.getElementById('notice-text').innerText.includes('only move that wins (easy)')");
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn positions_are_set_up_in_every_game() {
    drive(|page| {
        for (link, pieces, wrong, reason, standing) in [
            (
                GAMES[0],
                &[("X", "b1"), ("O", "d4")][..],
                ("O", "b2"),
                "This is not a position yet. No game reaches this position",
                &["b1", "d4"][..],
            ),
            (
                GAMES[1],
                &[("A", "a1-b1"), ("A", "a1-a2"), ("A", "b1-b2"), ("A", "a2-b2"), ("B", "a1")],
                // A box that is not closed cannot be claimed.
                ("?", "b2"),
                "",
                &["a1", "a1-a2", "a1-b1", "a2-b2", "b1-b2"],
            ),
            (
                GAMES[2],
                &[("R", "b2"), ("p", "c4"), ("S", "c1"), ("R", "a2")],
                ("P", "b1"),
                "This is not a position yet. Player 1 has 3 pieces",
                &["a2", "c1", "c4"],
            ),
            (GAMES[3], &[("X", "b2"), ("O", "a1")], ("X", "b1"), "", &["a1", "b1", "b2"]),
        ] {
            page.open(link);
            page.click("[data-task=edit]");
            page.click("#edit-clear");
            let put = |(symbol, place): (&str, &str)| {
                page.click(&format!("#tools [data-symbol='{symbol}']"));
                page.press(place);
            };
            for &piece in pieces {
                put(piece);
            }
            let taken = "[...document.querySelectorAll('#board .place[data-state=taken]')].map((one) => one.dataset.place)";
            page.until(&format!(
                "!document.getElementById('edit-done').disabled && ({taken}).length > 0"
            ));
            let before = page.link();
            // With a server, answers take longer than two clicks.
            page.run(
                "const get = window.fetch; window.fetch = async (...asked) => { \
                 await new Promise((ends) => setTimeout(ends, 500)); return get(...asked); }",
            );
            put(wrong);
            if !reason.is_empty() {
                page.tells("notice-text", reason);
                assert_eq!(page.get("document.getElementById('edit-done').disabled"), json!(true));
                // An impossible position has a link, too.
                let whole = page.link();
                assert_ne!(whole, before);
                page.open(&whole);
                page.tells("notice-text", reason);
                assert_eq!(page.link(), whole);
                put(wrong);
            }
            page.until("!document.getElementById('edit-done').disabled");
            // The last change counts, even if it has not been validated yet.
            page.click("#edit-done");
            page.until("location.search.includes('position=')");
            assert_eq!(page.get(&format!("({taken}).sort()")), json!(standing), "{link}");
            assert!(!page.link().contains("edit="));
            page.click(".playable.legal");
        }
        // A closed box whose owner is not known is said in words.
        page.open("?game=dots&position=-./|%3F|../-.+A");
        assert_eq!(page.label("a1"), "box a1 to b2, owner unknown");
        // The game before is restored.
        page.open("?game=mnk&moves=b2,a1");
        page.click("[data-task=edit]");
        page.press("c3");
        page.until("location.search.includes('c3:X')");
        page.click("#edit-mover");
        page.says("notice-text", "In this game, the pieces determine who is to move.");
        page.click("#edit-cancel");
        page.says("place", "2 / 2");
        assert_eq!(page.link(), "?game=mnk&moves=b2,a1");
    });
}

/// The report is computed again from the answers of the API.
#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn a_game_of_every_game_is_reviewed() {
    drive(|page| {
        for link in GAMES {
            page.open(link);
            let mut moves = Vec::new();
            let (mut decisions, mut best, mut turning) = ([0, 0], [0, 0], None);
            for ply in 0..7 {
                let answer = page_answer(page, link, &moves);
                let all = answer["moves"].as_array().unwrap();
                let chosen = &all[(ply * 5 + 2) % all.len()];
                let side = usize::from(answer["to_move"] == "second");
                if all.len() > 1 {
                    decisions[side] += 1;
                    best[side] += usize::from(chosen["class"] == "best");
                    if chosen["class"] == "changes-outcome" {
                        turning = Some(ply);
                    }
                }
                moves.push(chosen["move"].as_str().unwrap().to_string());
                if page_answer(page, link, &moves)["is_over"] == json!(true) {
                    break;
                }
            }
            let game = with(link, &format!("moves={}", moves.join(",")));
            page.open(&game);
            page.click("#reveal");
            page.until("!document.getElementById('report').innerText.includes('not valued')");
            let cells = "[...document.querySelectorAll('#report tbody tr')].map((row) => \
                         [...row.querySelectorAll('td')].slice(0, 2).map((cell) => cell.textContent))";
            let wanted: Vec<Value> = (0..2)
                .map(|side| {
                    let share = 100.0 * best[side] as f64 / decisions[side] as f64;
                    json!([
                        format!("{} %", share.round()),
                        format!("{}/{}", best[side], decisions[side])
                    ])
                })
                .collect();
            assert_eq!(page.get(cells), json!(wanted), "{link} {moves:?}");
            match turning {
                Some(ply) => {
                    page.click("#turning");
                    page.settled(ply, moves.len());
                }
                None => assert!(page.text("report").contains("No move changed")),
            }
            // Best play is drawn on the board.
            page.keys("[");
            page.until("document.querySelectorAll('#line li').length > 1");
            page.click("#draw-line");
            page.until("document.querySelectorAll('#board .step').length > 1");
            // Its moves have their numbers in the game.
            let next = page.get("Number(document.querySelector('#board .step').textContent)");
            let at = page.get("Number(document.getElementById('slider').value)");
            assert_eq!(next.as_u64(), at.as_u64().map(|at| at + 1), "{link}");
            page.click("#draw-line");
            page.until("!document.querySelector('#board .step')");
        }
    });
}

fn page_answer(page: &Page, link: &str, moves: &[String]) -> Value {
    let (game, rules) = crate::parts(link);
    page.fetch(&format!("{game}/position?{rules}&moves={}", moves.join(",")))
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn hints_have_reasons() {
    drive(|page| {
        for (link, reason) in [
            ("?board=4x4&moves=1", "it takes the most cells from the opponent"),
            ("?game=dots&board=2x2&moves=a1-b1,a1-a2,b1-b2", "it closes a box"),
            ("?game=dots&board=2x2", "it leaves no box to take"),
            ("?game=mnk&moves=a1,b1,b2,a2", "it wins at once"),
            ("?game=mnk&moves=a1", "it is the only move that keeps the tie"),
            ("?game=rpsw&board=4x3&pieces=2&position=..r/.../.../R..+first", ""),
        ] {
            page.open(link);
            page.click("#hint");
            page.tells("notice-text", "Hint: ");
            page.until(&format!(
                "document.getElementById('notice-text').innerText.includes({reason:?})"
            ));
        }
        // A loony move is called so.
        page.settle("?game=dots&board=1x3&moves=b2-c2,b1-b2,c2-d2,a1-b1,b1-c1");
        page.press("c1-d1");
        page.until(
            "document.getElementById('notice-text').innerText.includes('It is a loony move.')",
        );
    });
}

/// Everything that can be asked is there without a game as well.
#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn a_new_visitor_is_introduced_once() {
    drive(|page| {
        for link in GAMES {
            page.visit("");
            page.get("(localStorage.clear(), 1)");
            page.open(link);
            page.until("!document.getElementById('intro').hidden");
            let intro = page.text("intro-text");
            assert_eq!(intro.matches(['.', '!']).count(), 2, "{intro}");
            page.tells("notice-text", "New here?");
            page.until("document.querySelectorAll('#example [data-state=taken]').length > 1");
            assert!(page.text("example-text").len() > 30);
            page.click("#intro-close");
            page.open(link);
            page.says("notice-text", "");
            assert_eq!(page.get("document.getElementById('intro').hidden"), json!(true));
            // The numbers are explained, and terms have definitions.
            page.click("#reveal");
            page.click("#numbers summary");
            let meaning = page.text("meaning");
            assert!(meaning.starts_with("The value of a position is"), "{meaning}");
            page.get("(document.querySelector('#meaning .term').focus(), 1)");
            page.until("document.getElementById('definition').innerText.length > 10");
            let said = page.text("definition");
            let glossary = include_str!("../../docs/glossary.md");
            assert!(glossary.contains(&format!(" | {said} | ")), "{said}");
            page.keys("\u{e00c}");
            page.until("!document.querySelector('#definition:popover-open')");
        }
        // Levels come first, and the opponent that is chosen is described in words.
        page.open("?game=british-square");
        let agents =
            "[...document.querySelectorAll('#second option')].map((one) => one.textContent)";
        let agents: Vec<String> = serde_json::from_value(page.get(agents)).unwrap();
        let levels = ["A person", "Beginner", "Easy", "Medium", "Strong", "Perfect"];
        assert_eq!(agents[..levels.len()], levels);
        page.click("#second option[value='greedy']");
        page.until("document.querySelectorAll('.player')[1].innerText.includes('Wrong in 23 % of its moves.')");
    });
}

/// A lost game of tic-tac-toe: its mistake is looked for, a wrong try is answered, and play goes on from there.
#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn a_lost_game_is_learned_from() {
    drive(|page| {
        page.open("?game=mnk&moves=b2,b1,a1,c3,a3,c1,a2&first=perfect");
        page.says("turn", "You lost.");
        page.says("verdict", "You gave away the tie on move 2.");
        let mut row: Vec<String> = serde_json::from_value(page.places(".winning")).unwrap();
        row.sort_unstable();
        assert_eq!(row, ["a1", "a2", "a3"]);
        page.click("#notice-act");
        page.tells("notice-text", "You made 1 mistake in this game.");
        assert!(page.link().ends_with("&review=yes"));
        page.click("#notice-act");
        page.says("place", "1 / 7");
        page.tells("notice-text", "1 of 1. b1 is a mistake: a tie becomes the computer's win.");
        assert_eq!(page.places("[data-shade]"), json!([]), "nothing is told");
        // The moves are judged, and counted: You, share of best moves, ?, ??.
        let flaws = "[...document.querySelectorAll('.played .flaw')].map((one) => one.textContent)";
        assert_eq!(page.get(flaws), json!(["??"]));
        let row =
            "document.querySelectorAll('#report tbody tr')[1].innerText.split(/\\s+/).join(' ')";
        assert_eq!(page.get(row), json!("You 67 % 2/3 0 1"));
        page.press("a2");
        page.tells("notice-text", "a2 is a mistake: a tie becomes the computer's win. Try another");
        page.until("document.querySelectorAll('#board .step').length > 1");
        page.press("a1");
        page.tells("notice-text", "Right: a1 is a best move");
        // The link leads to the same position of the review.
        page.open(&page.link());
        page.tells("notice-text", "1 of 1.");
        page.press("a3");
        page.tells("notice-text", "Right: a3 is a best move");
        page.click("#notice-act");
        page.says("place", "1 / 1");
        page.press("a1");
        page.says("place", "3 / 3");
    });
}

/// Every game is one press away from the first page, against the computer, with an answer to everything.
#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn all_games_are_offered_first() {
    drive(|page| {
        for game in ["british-square", "dots", "rpsw", "mnk"] {
            page.visit("");
            page.until("document.querySelectorAll('.game .board [data-state=taken]').length > 8");
            page.click(&format!(".game[data-game={game}] button"));
            page.until("document.querySelector('.playable.legal')");
            assert!(page.link().contains(&format!("game={game}")), "{}", page.link());
            let second =
                page.get("document.getElementById('second').selectedOptions[0].textContent");
            assert_eq!(second, json!("Easy"), "{game}");
            page.says("turn", "Your turn");
            page.click("#show-values");
            page.until("document.querySelector('#board [data-shade]')");
            assert_ne!(page.text("verdict"), "", "{game}");
            page.click("#home");
            page.links("");
        }
        // The browser goes back to the game.
        page.back();
        page.until("document.querySelector('#board [data-shade]')");
    });
}
