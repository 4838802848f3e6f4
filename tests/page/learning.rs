//! What the page offers besides playing, in every game: lessons, puzzles, set-up positions, reviews,
//! hints and terms.

use crate::browser::{Page, drive};
use crate::{GAMES, with};
use serde_json::{Value, json};

/// Plays a lesson to its end by the marked places; returns the number of moves.
pub async fn learn(page: &Page, link: &str) -> usize {
    page.open(&with(link, "learn=yes")).await;
    let mut moves = 0;
    loop {
        page.until("document.querySelector('.playable.hint') || document.getElementById('notice-act').innerText === 'Play'").await;
        if page.text("notice-act").await == "Play" {
            return moves;
        }
        let told = page.text("notice-text").await;
        assert!(told.starts_with(&format!("{} of ", moves + 1)), "{told}");
        let before = page.text("place").await;
        // Another move is not played.
        page.get("document.querySelector('.playable:not(.hint)').dispatchEvent(new Event('click', { bubbles: true }))")
            .await;
        // By mouse and by keyboard in turn.
        for which in [".legal", ".target"] {
            let place = format!(".playable.hint{which}");
            match moves % 2 {
                0 => page.click(&place).await,
                _ => {
                    page.get(&format!("(document.querySelector('{place}').focus(), 1)")).await;
                    page.keys("\u{e007}").await;
                }
            }
            if page.places(".selected").await == json!([]) {
                break;
            }
        }
        moves += 1;
        page.until(&format!("document.getElementById('place').innerText !== '{before}'")).await;
    }
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn a_guided_game_teaches_every_game() {
    drive(async |page| {
        for (link, moves) in GAMES.into_iter().zip([5, 5, 3, 5]) {
            assert_eq!(learn(&page, link).await, moves, "{link}");
            let is_over = page.get("document.body.classList.contains('over')").await;
            assert_eq!(is_over, json!(true), "{link}");
            // The browser goes back move by move, and the game begins anew.
            page.back().await;
            page.until("document.getElementById('notice-act').innerText !== 'Play'").await;
            page.forward().await;
            page.says("notice-act", "Play").await;
            page.click("#notice-act").await;
            page.settled(0, 0).await;
            assert!(!page.link().await.contains("learn"), "{link}");
        }
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn puzzles_of_every_game_are_solved() {
    drive(async |page| {
        for link in GAMES {
            let (game, rules) = crate::parts(link);
            page.open(link).await;
            let puzzle = page.fetch(&format!("{game}/puzzle?{rules}&seed=4")).await;
            let solution = puzzle["solution"].as_str().unwrap();
            let asked = with(link, "puzzle=any&seed=4");
            page.open(&asked).await;
            page.until("document.getElementById('notice-text').innerText.includes('find the only move that')")
                .await;
            let position = puzzle["position"].as_str().unwrap().replace(' ', "%20");
            let answer = page.fetch(&format!("{game}/position?{rules}&position={position}")).await;
            assert_eq!(answer["moves"][0]["move"], solution);
            // Nothing is told before a move is made.
            assert_eq!(page.places(":has(.star.shown)").await, json!([]), "{link}");
            page.play(answer["moves"].as_array().unwrap().last().unwrap()).await;
            page.says("notice-act", "Try again").await;
            page.until("document.getElementById('notice-text').innerText.includes('becomes')")
                .await;
            page.click("#notice-act").await;
            page.says("place", "0 / 1").await;
            page.play(&answer["moves"][0]).await;
            page.tells("notice-text", "Right: ").await;
            // The link leads to the same puzzle, with the move.
            let whole = page.link().await;
            page.open(&whole).await;
            page.tells("notice-text", "Right: ").await;
            assert_eq!(page.link().await, whole);
            page.click("#notice-act").await;
            page.until("location.search.includes('seed=5')").await;
            page.back().await;
            page.tells("notice-text", "Right: ").await;
        }
        // Task and level are chosen in the form.
        page.open(&with(GAMES[3], "puzzle=any&seed=1")).await;
        page.click("[name=task] option[value=win]").await;
        page.click("[name=level] option[value='1']").await;
        page.click("#puzzle-form button").await;
        page.until("location.search.includes('puzzle=win&level=1&seed=1')").await;
        page.until("document.getElementById('notice-text').innerText.includes('only move that wins (easy)')").await;
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn positions_are_set_up_in_every_game() {
    drive(async |page| {
        for (link, pieces, wrong, reason) in [
            (
                GAMES[0],
                &[("X", "b1"), ("O", "d4")][..],
                ("O", "b2"),
                "No game reaches this position",
            ),
            (
                GAMES[1],
                &[("A", "a1-b1"), ("A", "a1-a2"), ("A", "b1-b2"), ("A", "a2-b2"), ("B", "a1")],
                ("?", "b2"),
                "",
            ),
            (
                GAMES[2],
                &[("R", "b2"), ("p", "c4"), ("S", "c1"), ("R", "a2")],
                ("P", "b1"),
                "The first player has 3 pieces",
            ),
            (GAMES[3], &[("X", "b2"), ("O", "a1")], ("X", "b1"), ""),
        ] {
            page.open(link).await;
            page.click("[data-task=edit]").await;
            page.click("#edit-clear").await;
            let put = async |(symbol, place): (&str, &str)| {
                page.click(&format!("#tools [data-symbol='{symbol}']")).await;
                page.press(place).await;
            };
            for &piece in pieces {
                put(piece).await;
            }
            let taken = "[...document.querySelectorAll('#board .place[data-state=taken]')].map((one) => one.dataset.place)";
            page.until(&format!(
                "!document.getElementById('edit-done').disabled && ({taken}).length > 0"
            ))
            .await;
            let before = page.link().await;
            put(wrong).await;
            if !reason.is_empty() {
                page.tells("notice-text", reason).await;
                assert_eq!(
                    page.get("document.getElementById('edit-done').disabled").await,
                    json!(true)
                );
                // An impossible position has a link, too.
                let whole = page.link().await;
                assert_ne!(whole, before);
                page.open(&whole).await;
                page.tells("notice-text", reason).await;
                assert_eq!(page.link().await, whole);
                put(wrong).await;
            }
            // The link contains the position of the last answer.
            let words = "new URLSearchParams(location.search).get('edit').split(',').length - 1";
            page.until(&format!("{words} === {taken}.length")).await;
            page.until("!document.getElementById('edit-done').disabled").await;
            let shown = page.get(taken).await;
            page.click("#edit-done").await;
            page.until("location.search.includes('position=')").await;
            assert_eq!(page.get(taken).await, shown, "{link}");
            assert!(!page.link().await.contains("edit="));
            page.click(".playable.legal").await;
        }
        // A closed box whose owner is not known is said in words.
        page.open("?game=dots&position=-./|%3F|../-.+A").await;
        assert_eq!(page.label("a1").await, "box a1, owner unknown");
        // The game before is restored.
        page.open("?game=mnk&moves=b2,a1").await;
        page.click("[data-task=edit]").await;
        page.press("c3").await;
        page.until("location.search.includes('c3:X')").await;
        page.click("#edit-mover").await;
        page.says("notice-text", "In this game, the pieces determine who is to move.").await;
        page.click("#edit-cancel").await;
        page.says("place", "2 / 2").await;
        assert_eq!(page.link().await, "?game=mnk&moves=b2,a1");
    });
}

/// The report is computed again from the answers of the API.
#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn a_game_of_every_game_is_reviewed() {
    drive(async |page| {
        for link in GAMES {
            page.open(link).await;
            let mut moves = Vec::new();
            let (mut decisions, mut best, mut turning) = ([0, 0], [0, 0], None);
            for ply in 0..7 {
                let answer = page_answer(&page, link, &moves).await;
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
                if page_answer(&page, link, &moves).await["is_over"] == json!(true) {
                    break;
                }
            }
            let game = with(link, &format!("moves={}", moves.join(",")));
            page.open(&game).await;
            page.click("#reveal").await;
            page.until("!document.getElementById('report').innerText.includes('not valued')").await;
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
            assert_eq!(page.get(cells).await, json!(wanted), "{link} {moves:?}");
            match turning {
                Some(ply) => {
                    page.click("#turning").await;
                    page.settled(ply, moves.len()).await;
                }
                None => assert!(page.text("report").await.contains("No move changed")),
            }
            // Best play is drawn on the board.
            page.keys("[").await;
            page.until("document.querySelectorAll('#line li').length > 1").await;
            page.click("#draw-line").await;
            page.until("document.querySelectorAll('#board .step').length > 1").await;
            page.click("#draw-line").await;
            page.until("!document.querySelector('#board .step')").await;
        }
    });
}

async fn page_answer(page: &Page, link: &str, moves: &[String]) -> Value {
    let (game, rules) = crate::parts(link);
    page.fetch(&format!("{game}/position?{rules}&moves={}", moves.join(","))).await
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn hints_have_reasons() {
    drive(async |page| {
        for (link, reason) in [
            ("?board=4x4&moves=1", "it takes the most cells from the opponent"),
            ("?game=dots&board=2x2&moves=a1-b1,a1-a2,b1-b2", "it closes a box"),
            ("?game=dots&board=2x2", "it leaves no box to take"),
            ("?game=mnk&moves=a1,b1,b2,a2", "it wins at once"),
            ("?game=mnk&moves=a1", "it is the only move that keeps the draw"),
            ("?game=rpsw&board=4x3&pieces=2&position=..r/.../.../R..+first", ""),
        ] {
            page.open(link).await;
            page.click("#hint").await;
            page.tells("notice-text", "Hint: ").await;
            page.until(&format!(
                "document.getElementById('notice-text').innerText.includes({reason:?})"
            ))
            .await;
        }
        // A loony move is called so.
        page.settle("?game=dots&board=1x3&moves=b2-c2,b1-b2,c2-d2,a1-b1,b1-c1").await;
        page.press("c1-d1").await;
        page.until(
            "document.getElementById('notice-text').innerText.includes('It is a loony move.')",
        )
        .await;
    });
}

/// Everything that can be asked is there without a game as well.
#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn a_new_visitor_is_introduced_once() {
    drive(async |page| {
        for link in GAMES {
            page.open("").await;
            page.get("(localStorage.clear(), 1)").await;
            page.open(link).await;
            page.until("!document.getElementById('intro').hidden").await;
            let intro = page.text("intro-text").await;
            assert_eq!(intro.matches(['.', '!']).count(), 2, "{intro}");
            page.tells("notice-text", "New here?").await;
            page.until("document.querySelectorAll('#example [data-state=taken]').length > 1").await;
            assert!(page.text("example-text").await.len() > 30);
            page.click("#intro-close").await;
            page.open(link).await;
            page.says("notice-text", "").await;
            assert_eq!(page.get("document.getElementById('intro').hidden").await, json!(true));
            // The numbers are explained, and terms have definitions.
            page.click("#numbers summary").await;
            let meaning = page.text("meaning").await;
            assert!(meaning.starts_with("The value of a position is"), "{meaning}");
            page.get("(document.querySelector('#meaning .term').focus(), 1)").await;
            page.until("document.getElementById('definition').innerText.length > 10").await;
            let said = page.text("definition").await;
            let glossary = include_str!("../../docs/glossary.md");
            assert!(glossary.contains(&format!(" | {said} | ")), "{said}");
            page.keys("\u{e00c}").await;
            page.until("!document.querySelector('#definition:popover-open')").await;
        }
        // An opponent is described in words.
        page.open("").await;
        let agents =
            "[...document.querySelectorAll('#second option')].map((one) => one.textContent)";
        let agents: Vec<String> = serde_json::from_value(page.get(agents).await).unwrap();
        assert!(
            agents.contains(&"Easy: greedy, wrong in 23 % of its moves".to_string()),
            "{agents:?}"
        );
        assert_eq!(agents[agents.len() - 2], "Perfect play");
    });
}
