//! Tests play by mouse and keyboard, and undo.

use crate::browser::{Page, drive, drive_hurried, drive_refused};
use serde_json::json;

/// A whole game as the first player, by the stars, against perfect play.
#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn a_game_between_perfect_players_ends_as_it_must() {
    drive(async |page| {
        page.open("?second=perfect").await;
        let your_turn = "document.getElementById('turn').innerText === 'X to move' \
                         && document.getElementById('searching').hidden \
                         && document.getElementById('board').ariaBusy === 'false'";
        let over = "document.getElementById('turn').innerText === 'The game is over'";
        loop {
            page.until(&format!("({your_turn}) || ({over})")).await;
            if page.get(over).await == json!(true) {
                break;
            }
            let before = page.text("place").await;
            match page.get("document.getElementById('pass').hidden").await == json!(true) {
                true => page.click(".cell:has(.star:not([hidden]))").await,
                false => page.click("#pass").await,
            }
            let moved = "document.getElementById('place').innerText !==";
            page.until(&format!("{moved} '{before}'")).await;
        }
        // The first player wins by 2, according to the literature, the page, the server and the
        // board.
        assert_eq!(page.text("verdict").await, "The first player has won by 2 points.");
        let link = page.link().await.replace("&second=perfect", "");
        let answer = page.api(&link).await;
        assert_eq!((&answer["game_over"], &answer["score"]), (&json!(true), &json!(2)));
        let count = "(who) => document.querySelectorAll(`.cell[data-owner=${who}]`).length";
        let difference = page.get(&format!("(({count})('first') - ({count})('second'))")).await;
        assert_eq!(difference, json!(2));
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn a_blunder_is_told_and_can_be_taken_back() {
    drive(async |page| {
        page.open("?moves=7,19").await;
        page.settled(2, 2).await;
        page.play(12).await;
        page.settled(3, 3).await;
        let told = "12 (b3) costs 2 points: the first player's win by 2 becomes a tie.";
        page.says("warning-text", told).await;
        let dot = "document.querySelector('#graph .current').classList.contains('blunder')";
        page.until(dot).await;
        page.click("#warning-undo").await;
        page.settled(2, 3).await;
        page.until("document.getElementById('warning').hidden").await;
        page.play(4).await;
        page.settled(3, 3).await;
        assert_eq!(page.get("document.getElementById('warning').hidden").await, json!(true));
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn every_position_of_a_game_can_be_looked_at() {
    drive(async |page| {
        page.open("?moves=7,19,9,13").await;
        page.settled(4, 4).await;
        page.click("#undo").await;
        page.settled(3, 4).await;
        assert_eq!(page.link().await, "?moves=7,19,9,13&at=3");
        page.click("#redo").await;
        page.settled(4, 4).await;
        let slide = "(() => { const slider = document.getElementById('slider'); slider.value = 1; \
                     slider.dispatchEvent(new Event('input')); return true; })()";
        page.get(slide).await;
        page.settled(1, 4).await;
        assert_eq!(owners(&page).await, json!({ "7": "first" }));
        page.until("document.querySelectorAll('#graph .unknown').length === 0").await;
        page.click("#graph [data-at='3']").await;
        page.settled(3, 4).await;
        assert_eq!(owners(&page).await, json!({ "7": "first", "9": "first", "19": "second" }));
        let values = page.get("[...document.querySelectorAll('#graph .point')].map((point) => point.getAttribute('aria-label'))").await;
        assert_eq!(values[2], "Move 2, second player: 19 (d4), value +2");
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn a_machine_waits_while_somebody_looks_back() {
    drive(async |page| {
        page.open("?second=greedy").await;
        page.settled(0, 0).await;
        page.play(7).await;
        page.settled(2, 2).await;
        let liked = page.api("?moves=7&values=false&heuristic=greedy").await;
        let lowest = liked["liked"].as_array().unwrap().iter().map(|tile| tile.as_u64().unwrap());
        assert_eq!(page.link().await, format!("?moves=7,{}&second=greedy", lowest.min().unwrap()));
        // Undo returns to the person's last decision.
        page.click("#undo").await;
        page.settled(0, 2).await;
        page.click("#redo").await;
        page.settled(2, 2).await;
        page.keys("[").await;
        page.settled(1, 2).await;
        page.until("!document.getElementById('paused').hidden").await;
        // Waits longer than a machine takes to move.
        let now = page.get("performance.now()").await;
        page.until(&format!("performance.now() > {now} + 700")).await;
        page.settled(1, 2).await;
        page.click("#play-on").await;
        page.settled(2, 2).await;
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn the_keyboard_is_enough() {
    const DOWN: &str = "\u{e015}";
    const RIGHT: &str = "\u{e014}";
    drive(async |page| {
        page.open("").await;
        page.settled(0, 0).await;
        page.get("(document.querySelector('.cell').focus(), true)").await;
        page.keys(&format!("{RIGHT}{DOWN} ")).await;
        page.settled(1, 1).await;
        page.keys(&format!("{DOWN}{DOWN}{RIGHT}{RIGHT}\u{e007}")).await;
        page.settled(2, 2).await;
        assert_eq!(owners(&page).await, json!({ "7": "first", "19": "second" }));
        page.keys("u").await;
        page.settled(1, 2).await;
        page.keys("r").await;
        page.settled(2, 2).await;
        page.keys("\u{e011}").await;
        page.settled(0, 2).await;
        page.keys("\u{e010}").await;
        page.settled(2, 2).await;
        page.keys("[").await;
        page.settled(1, 2).await;
        page.keys("]").await;
        page.settled(2, 2).await;
        page.keys("h").await;
        page.says("hint-text", "Hint: 4 (d1) is perfect.").await;
        page.keys("n").await;
        page.settled(0, 0).await;
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn who_cannot_move_passes() {
    drive(async |page| {
        page.open("?board=3x4&position=O..X/.X../O.X.+O").await;
        page.settled(0, 0).await;
        page.click("#pass").await;
        page.settled(1, 1).await;
        page.until("document.getElementById('pass').hidden").await;
        assert!(page.link().await.ends_with("&moves=pass"));
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn a_search_that_takes_too_long_can_be_tried_again() {
    drive_hurried(async |page| {
        page.open("?board=8x8&moves=1").await;
        let refused = "document.getElementById('trouble-text').innerText.startsWith( \
                       'the value was not found within 1 s')";
        page.until(refused).await;
        assert_eq!(owners(&page).await, json!({ "1": "first" }));
        page.click("#try-again").await;
        page.until("document.getElementById('trouble').hidden").await;
        page.says("verdict", "searching…").await;
        page.until(refused).await;
        page.play(20).await;
        page.says("place", "2 / 2").await;
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn a_heuristic_can_be_typed() {
    drive_refused(async |page| {
        page.open("").await;
        page.settled(0, 0).await;
        page.click("#first option[value='rules']").await;
        page.fill("#first-rules", "most clam\u{e007}").await;
        page.until("document.getElementById('players-error').innerText.includes('did you mean')")
            .await;
        page.fill("#first-rules", "least centre-distance\u{e007}").await;
        page.settled(1, 1).await;
        assert_eq!(page.link().await, "?moves=8&first=least+centre-distance");
        assert_eq!(page.get("document.getElementById('players-error').hidden").await, json!(true));
    });
}

/// The owner of the piece on each tile.
async fn owners(page: &Page) -> serde_json::Value {
    page.get(
        "Object.fromEntries([...document.querySelectorAll('.cell')] \
         .filter((cell) => cell.dataset.owner) \
         .map((cell) => [cell.dataset.tile, cell.dataset.owner]))",
    )
    .await
}
