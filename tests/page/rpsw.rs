//! Rock-paper-scissors-well on its page: 3x4, two pieces each.

use crate::browser::{Page, drive, drive_rpsw};
use serde_json::{Value, json};

/// A race: each player has one rock, so no captures are possible, and the first player is to move.
const RACE: &str = "#position=..r/.../.../R..+first";

impl Page {
    /// Waits for the position after `at` of `of` moves.
    async fn stands(&self, at: usize, of: usize) {
        self.says("place", &format!("{at} / {of}")).await;
    }

    /// Clicks a square.
    async fn press(&self, square: &str) {
        self.click(&format!(".cell[data-square='{square}']")).await;
    }

    /// The piece on each square.
    async fn standing(&self) -> Value {
        self.get(
            "Object.fromEntries([...document.querySelectorAll('.cell')] \
             .filter((cell) => cell.dataset.stands) \
             .map((cell) => [cell.dataset.square, cell.dataset.stands]))",
        )
        .await
    }

    async fn labels(&self) -> String {
        let labels = "[...document.querySelectorAll('.cell')].map((cell) => cell.ariaLabel).join()";
        self.get(labels).await.as_str().unwrap().to_string()
    }

    async fn hash(&self) -> String {
        self.get("location.hash").await.as_str().unwrap().to_string()
    }
}

/// A whole game as the first player, by the marks on the board, against perfect play.
#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn a_game_between_perfect_players_ends_as_it_must() {
    drive_rpsw(None, async |page| {
        page.open("rpsw#second=perfect").await;
        let start = page.fetch("/api/rpsw").await;
        let plies = start["plies"].as_u64().unwrap();
        page.says("verdict", &format!("The first player wins in {plies} plies with perfect play."))
            .await;
        for played in (1..=plies).step_by(2) {
            page.click(".cell:has(.value.best:not([hidden]))").await;
            page.click(".cell.target:has(.star:not([hidden]))").await;
            let stands = plies.min(played + 1);
            page.says("place", &format!("{stands} / {stands}")).await;
        }
        page.says("turn", "The first player has won").await;
        page.says("verdict", "The game is over.").await;
        let moves = page.hash().await.replace("#moves=", "").replace("&second=perfect", "");
        let end = page.fetch(&format!("/api/rpsw?moves={moves}")).await;
        assert_eq!((&end["winner"], &end["played"]), (&json!("first"), &start["line"]));
        assert_eq!(page.get("document.querySelectorAll('.cell.legal').length").await, json!(0));
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn squares_are_marked_with_what_moves_are_worth() {
    drive_rpsw(None, async |page| {
        page.open("rpsw").await;
        let start = page.fetch("/api/rpsw").await;
        page.press("a1").await;
        page.until("document.querySelector('.cell.selected').dataset.square === 'a1'").await;
        let seen = "Object.fromEntries([...document.querySelectorAll('.cell.target')] \
                    .map((cell) => [cell.dataset.square, cell.querySelector('.value').innerText]))";
        let own = start["moves"].as_array().unwrap().iter().filter(|mv| mv["from"] == "a1");
        let wanted: Value = own
            .map(|mv| {
                let plies = mv["plies"].as_u64().map_or(String::new(), |plies| format!(" {plies}"));
                let mark = format!("{}{plies}", mv["result"].as_str().unwrap());
                (mv["to"].as_str().unwrap().to_string(), Value::from(mark))
            })
            .collect::<serde_json::Map<_, _>>()
            .into();
        assert_eq!(page.get(seen).await, wanted);
        // A second click, or Escape, deselects the piece.
        page.press("a1").await;
        page.until("!document.querySelector('.cell.selected')").await;
        page.press("b1").await;
        page.keys("\u{e00c}").await;
        page.until("!document.querySelector('.cell.selected')").await;
        page.stands(0, 0).await;
        let listed = page.get("document.querySelectorAll('#best button').length").await;
        assert_eq!(listed, start["moves"].as_array().unwrap().len());
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn a_mistake_is_told_and_can_be_taken_back() {
    drive_rpsw(None, async |page| {
        page.open(&format!("rpsw{RACE}")).await;
        page.stands(0, 0).await;
        page.press("a1").await;
        page.press("b1").await;
        page.stands(1, 1).await;
        let told = "a1b1 gives the win away: the second player now wins in 5 plies.";
        page.says("warning-text", told).await;
        page.click("#warning-undo").await;
        page.stands(0, 1).await;
        page.until("document.getElementById('warning').hidden").await;
        page.click("#redo").await;
        page.stands(1, 1).await;
        page.click("#undo").await;
        page.press("a1").await;
        page.press("a2").await;
        page.stands(1, 1).await;
        assert_eq!(page.standing().await, json!({ "a2": "first rock", "c4": "second rock" }));
        page.click("#restart").await;
        page.stands(0, 0).await;
        assert_eq!(page.standing().await, json!({ "a1": "first rock", "c4": "second rock" }));
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn values_can_be_hidden() {
    drive_rpsw(None, async |page| {
        page.open("rpsw").await;
        page.press("b1").await;
        assert!(page.labels().await.contains("won in"));
        page.click("#show-values").await;
        let numbers = "[...document.querySelectorAll('main .value, #best, #line')] \
                       .filter((one) => one.checkVisibility()).length";
        page.until(&format!("{numbers} === 0")).await;
        let labels = page.labels().await;
        for word in ["won", "lost", "drawn", "best"] {
            assert!(!labels.contains(word), "{labels}");
        }
        assert_eq!(page.text("verdict").await, "");
        // Legal moves are still shown.
        page.until("document.querySelector('.cell.target .dot').checkVisibility()").await;
        page.press("a2").await;
        page.stands(1, 1).await;
        page.keys("h").await;
        page.until("document.getElementById('hint-text').innerText.startsWith('Hint: ')").await;
        assert_eq!(page.get("document.querySelectorAll('.cell.hint').length").await, json!(2));
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn the_keyboard_is_enough() {
    const UP: &str = "\u{e013}";
    drive_rpsw(None, async |page| {
        page.open(&format!("rpsw{RACE}")).await;
        page.get("(document.querySelector('[data-square=a1]').focus(), true)").await;
        page.keys(&format!(" {UP}\u{e007}")).await;
        page.stands(1, 1).await;
        assert_eq!(page.standing().await, json!({ "a2": "first rock", "c4": "second rock" }));
        page.keys("u").await;
        page.stands(0, 1).await;
        page.keys("r").await;
        page.stands(1, 1).await;
        page.keys("[").await;
        page.stands(0, 1).await;
        page.keys("]").await;
        page.stands(1, 1).await;
        // The focus stays on its square when the board is turned.
        page.keys("f").await;
        page.until("document.querySelector('.cell').dataset.square === 'a1'").await;
        assert_eq!(page.get("document.activeElement.dataset.square").await, json!("a2"));
        page.keys("n").await;
        page.stands(0, 0).await;
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn a_link_restores_game_and_players() {
    drive_rpsw(None, async |page| {
        let link =
            "#position=..r/.../.../R..+first&moves=a1a2,c4c3,a2b3&at=2&first=perfect&flip=yes";
        page.open(&format!("rpsw{link}")).await;
        page.stands(2, 3).await;
        assert_eq!(page.hash().await, link);
        assert_eq!(page.standing().await, json!({ "a2": "first rock", "c3": "second rock" }));
        assert_eq!(page.get("document.getElementById('first').value").await, json!("perfect"));
        page.until("!document.getElementById('paused').hidden").await;
        page.click("#play-on").await;
        page.stands(3, 3).await;
        page.says("turn", "Second player to move").await;
        page.click("#share summary").await;
        page.click("#usual").await;
        page.stands(0, 0).await;
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn positions_and_moves_can_be_pasted() {
    drive_rpsw(Some("status of 400"), async |page| {
        page.open("rpsw").await;
        page.click("#share summary").await;
        page.fill("#load-text", " ..r/.../.../R..  second ").await;
        page.click("#load-form button").await;
        page.says("turn", "Second player to move").await;
        assert_eq!(page.hash().await, "#position=..r/.../.../R..+second");
        let shown = page.get("document.getElementById('game-text').value").await;
        assert_eq!(shown, "..r/.../.../R.. second");
        page.fill("#load-text", "a1a2 a4a3").await;
        page.click("#load-form button").await;
        page.stands(2, 2).await;
        assert_eq!(page.hash().await, "#moves=a1a2,a4a3");
        page.fill("#load-text", "a1a4").await;
        page.click("#load-form button").await;
        page.until("document.getElementById('load-error').innerText.includes('not legal')").await;
        page.stands(2, 2).await;
        page.click("#shuffle").await;
        page.stands(0, 0).await;
        page.until("document.getElementById('load-error').hidden").await;
        let pieces = page.standing().await;
        assert_eq!(pieces.as_object().unwrap().len(), 4, "{pieces}");
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn a_bad_link_says_why_and_lets_begin_anew() {
    drive_rpsw(Some("status of 400"), async |page| {
        page.open("rpsw#moves=a1a4").await;
        let why = page.fetch("/api/rpsw?moves=a1a4").await["error"].as_str().unwrap().to_string();
        page.says("trouble-text", &why).await;
        page.click("#begin-anew").await;
        page.stands(0, 0).await;
        assert_eq!(page.hash().await, "");
        page.until("document.getElementById('trouble').hidden").await;
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn perfect_play_rests_where_it_would_go_round_in_circles() {
    drive_rpsw(None, async |page| {
        page.open("rpsw#position=p.r/.../.../WS.+first&first=perfect").await;
        page.stands(1, 1).await;
        page.says("verdict", "Neither can win against perfect play.").await;
        page.click("#second option[value='perfect']").await;
        page.until("!document.getElementById('circles').hidden").await;
        let rests = page.text("place").await;
        // A person may continue where two machines stop.
        for side in ["first", "second"] {
            page.click(&format!("#{side} option[value='you']")).await;
        }
        page.until("document.getElementById('circles').hidden").await;
        assert_eq!(page.text("place").await, rests);
        page.click(".cell:has(.value.best:not([hidden]))").await;
        page.click(".cell.target:has(.star:not([hidden]))").await;
        page.until(&format!("document.getElementById('place').innerText !== '{rests}'")).await;
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn without_a_database_the_page_says_how_to_make_one() {
    drive(async |page| {
        page.open("").await;
        page.click("header nav a").await;
        page.until("document.getElementById('missing')?.checkVisibility()").await;
        let said = page.text("missing").await;
        for command in ["bsq rpsw tablebase build rpsw.db", "bsq serve --db rpsw.db"] {
            assert!(said.contains(command), "{said}");
        }
        assert_eq!(page.get("document.getElementById('main').hidden").await, json!(true));
        page.click("header nav a").await;
        page.settled(0, 0).await;
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn it_fits_a_small_phone_and_everything_has_a_name() {
    drive_rpsw(None, async |page| {
        let size = json!({ "width": 360, "height": 740, "deviceScaleFactor": 2, "mobile": true });
        page.devtools("Emulation.setDeviceMetricsOverride", size).await;
        page.open("rpsw#moves=a1a2").await;
        page.stands(1, 1).await;
        assert_eq!(page.get("document.documentElement.scrollWidth").await, json!(360));
        let narrowest = "Math.min(...[...document.querySelectorAll('.cell')] \
                         .map((cell) => cell.getBoundingClientRect().width))";
        assert!(page.get(narrowest).await.as_f64().unwrap() >= 60.0);
        let unnamed = "[...document.querySelectorAll('button, input, select, textarea')].filter( \
                       (one) => !one.textContent.trim() && !one.ariaLabel && !one.labels?.length).length";
        assert_eq!(page.get(unnamed).await, json!(0));
        let labels = page.labels().await;
        assert!(labels.contains("a2, first player's rock, of the last move"), "{labels}");
        assert!(labels.contains("a3, empty"), "{labels}");
    });
}
