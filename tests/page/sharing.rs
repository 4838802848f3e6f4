//! Links, games as text, and rules.

use crate::browser::{drive, drive_refused};
use serde_json::json;

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn a_link_restores_game_and_players() {
    let link = "?board=4x5&center_allowed=true&bias=1&pieces=5\
                &position=...../.X.../...../...O.+X&moves=4,15,11&at=2\
                &first=perfect&second=most+claim,+most+free-difference";
    drive(async move |page| {
        page.open(link).await;
        page.settled(2, 3).await;
        assert_eq!(page.link().await, link);
        let seen = "[document.getElementById('first').value, document.getElementById('second').value, \
                    document.getElementById('second-rules').value, \
                    document.getElementById('game-text').value]";
        let text = "game: British Square\nboard: 4x5\ncenter allowed: yes\nbias: 1\npieces: 5\n\
                    start: ...../.X.../...../...O. X\nmoves: 4 15 11\n";
        let rules = "most claim, most free-difference";
        assert_eq!(page.get(seen).await, json!(["perfect", "rules", rules, text]));
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn a_bad_link_says_why_and_lets_begin_anew() {
    drive_refused(async |page| {
        page.open("?moves=7,8").await;
        let why = page.api("?moves=7,8").await["error"].as_str().unwrap().to_string();
        page.says("trouble-text", &why).await;
        page.click("#begin-anew").await;
        page.settled(0, 0).await;
        assert_eq!(page.link().await, "");
        page.until("document.getElementById('trouble').hidden").await;
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn a_game_without_values_can_be_played() {
    drive_refused(async |page| {
        page.open("?board=6x6&pieces=9").await;
        let why = page.api("?board=6x6&pieces=9").await["error"].as_str().unwrap().to_string();
        page.says("trouble-text", &why).await;
        page.play(8).await;
        page.settled(1, 1).await;
        page.until("document.querySelector('[data-tile=\"8\"]').dataset.owner === 'first'").await;
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn rules_can_be_chosen() {
    drive(async |page| {
        page.open("").await;
        page.settled(0, 0).await; // an answer refills the fields unless one is focused
        page.click("#rules summary").await;
        for (field, text) in [("#rows", "4"), ("#cols", "5"), ("#bias", "2"), ("#pieces", "6")] {
            page.fill(field, text).await;
        }
        page.click("#center").await;
        page.click("#rules-form button").await;
        page.until("document.querySelectorAll('.cell').length === 20").await;
        page.settled(0, 0).await;
        let link = "?board=4x5&center_allowed=true&bias=2&pieces=6";
        assert_eq!(page.link().await, link);
        let answer = page.api(link).await;
        let values = "[...document.querySelectorAll('.cell')].map((cell) => Number( \
                      cell.querySelector('.value').innerText.replace('\u{2212}', '-')))";
        let mut moves = answer["moves"].as_array().unwrap().clone();
        moves.sort_by_key(|choice| choice["move"].as_u64());
        let expected: Vec<_> = moves.iter().map(|choice| choice["value"].clone()).collect();
        assert_eq!(page.get(values).await, json!(expected));
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn games_and_positions_can_be_pasted() {
    drive_refused(async |page| {
        page.open("").await;
        page.settled(0, 0).await;
        page.click("#share summary").await;
        page.fill("#load-text", "game: British Square\nboard: 4x4\nbias: 1\nmoves: 1 4").await;
        page.click("#load-form button").await;
        page.settled(2, 2).await;
        assert_eq!(page.link().await, "?board=4x4&bias=1&moves=1,4");
        page.fill("#load-text", "7 8").await;
        page.click("#load-form button").await;
        page.until("document.getElementById('load-error').innerText.includes('not legal')").await;
        page.fill("#load-text", "..... .X... ..... ...O. ..... X").await;
        page.click("#load-form button").await;
        page.settled(0, 0).await;
        let link = "?bias=1&position=...../.X.../...../...O./.....+X";
        assert_eq!(page.link().await, link);
        assert_eq!(page.get("document.getElementById('load-error').hidden").await, json!(true));
    });
}
