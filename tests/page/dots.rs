//! Dots-and-Boxes on its page.

use crate::browser::{Page, drive, drive_refused};
use serde_json::{Value, json};

impl Page {
    /// Waits for the position after `at` of `of` moves.
    async fn after(&self, at: usize, of: usize) {
        self.says("place", &format!("{at} / {of}")).await;
    }

    /// Clicks the middle of a line.
    async fn join(&self, line: &str) {
        self.click(&format!(".line[data-line='{line}']")).await;
    }

    /// The names of the lines that have a class.
    async fn lines(&self, class: &str) -> Value {
        let all = format!("[...document.querySelectorAll('.line.{class}')]");
        self.get(&format!("{all}.map((line) => line.dataset.line)")).await
    }

    /// The texts of the boxes.
    async fn owners(&self) -> String {
        let letters = "[...document.querySelectorAll('.box')].map((box) => box.textContent || '.')";
        self.get(&format!("{letters}.join('')")).await.as_str().unwrap().to_string()
    }

    async fn address(&self) -> String {
        self.get("location.hash").await.as_str().unwrap().to_string()
    }
}

/// A whole game by clicks on the middle of lines.
#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn a_game_is_played_by_clicks() {
    drive(async |page| {
        page.open("dots#board=2x2").await;
        let all = [
            "a1-b1", "a1-a2", "b1-b2", "a2-b2", "b1-c1", "c1-c2", "b2-c2", "a2-a3", "a3-b3",
            "b2-b3", "b3-c3", "c2-c3",
        ];
        for (turn, line) in all.into_iter().enumerate() {
            page.join(line).await;
            page.after(turn + 1, turn + 1).await;
        }
        assert_eq!(page.owners().await, "BBBA");
        page.says("score", "A 1 : 3 B").await;
        page.says("turn", "The second player has won by 2").await;
        assert_eq!(page.lines("drawn").await.as_array().unwrap().len(), 12);
        assert_eq!(page.lines("last").await, json!(["c2-c3"]));
        assert_eq!(page.address().await, format!("#board=2x2&moves={}", all.join(",")));
        // A drawn line cannot be drawn again.
        page.join("a1-b1").await;
        page.click("#undo").await;
        page.after(11, 12).await;
        page.says("turn", "First player (A) to move").await;
        assert_eq!(page.owners().await, "BBB.");
        page.click("#redo").await;
        page.after(12, 12).await;
        page.click("#restart").await;
        page.after(0, 0).await;
        assert_eq!(page.owners().await, "....");
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn scores_are_shown_when_asked_for() {
    drive(async |page| {
        page.open("dots#board=2x2&moves=a1-b1,a1-a2,b1-b2").await;
        page.after(3, 3).await;
        let seen = "Object.fromEntries([...document.querySelectorAll('.line')] \
                    .filter((line) => getComputedStyle(line.querySelector('.score')).display !== 'none') \
                    .map((line) => [line.dataset.line, line.querySelector('text').textContent]))";
        assert_eq!(page.get(seen).await, json!({}));
        page.click("#show-values").await;
        page.until("document.querySelector('.line.known')").await;
        let answer = page.fetch("/api/dots?board=2x2&moves=a1-b1,a1-a2,b1-b2").await;
        let wanted: serde_json::Map<String, Value> = answer["moves"]
            .as_array()
            .unwrap()
            .iter()
            .map(|known| {
                let score = known["score"].as_i64().unwrap();
                let text = match score {
                    0 => "0".to_string(),
                    ..0 => format!("\u{2212}{}", -score),
                    _ => format!("+{score}"),
                };
                (known["move"].as_str().unwrap().to_string(), Value::from(text))
            })
            .collect();
        assert_eq!(page.get(seen).await, Value::from(wanted));
        assert_eq!(page.lines("best").await, json!(["a2-b2"]));
        page.says("verdict", "Perfect play ends in a tie.").await;
        let label = "document.querySelector('[data-line=\"a2-b2\"]').ariaLabel";
        assert_eq!(page.get(label).await, "a2 to b2, open, score 0, best");
        // The cost of the played move is reported.
        page.join("b1-c1").await;
        page.says("warning-text", "b1-c1 costs 4 points.").await;
        page.click("#warning-undo").await;
        page.after(3, 4).await;
        page.keys("v").await;
        page.until("!document.querySelector('.line.known')").await;
        page.keys("h").await;
        page.says("hint-text", "Hint: a2 to b2, taking a box.").await;
        assert_eq!(page.lines("hint").await, json!(["a2-b2"]));
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn the_keyboard_is_enough() {
    const DOWN: &str = "\u{e015}";
    const RIGHT: &str = "\u{e014}";
    drive(async |page| {
        page.open("dots#board=2x2").await;
        page.get("(document.querySelector('.line[tabindex=\"0\"]').focus(), true)").await;
        let focused = "document.activeElement.dataset.line";
        assert_eq!(page.get(focused).await, "a1-b1");
        page.keys(" ").await;
        page.after(1, 1).await;
        assert_eq!(page.get(focused).await, "a1-b1", "the focus stays");
        for (key, line) in [(RIGHT, "b1-c1"), (DOWN, "b1-b2"), (DOWN, "a2-b2"), (RIGHT, "b2-c2")] {
            page.keys(key).await;
            assert_eq!(page.get(focused).await, line);
        }
        page.keys("\u{e007}").await;
        page.after(2, 2).await;
        assert_eq!(page.lines("drawn").await, json!(["a1-b1", "b2-c2"]));
        page.keys("u").await;
        page.after(1, 2).await;
        page.keys("r").await;
        page.after(2, 2).await;
        page.keys("n").await;
        page.after(0, 0).await;
        let stops = "document.querySelectorAll('.line[tabindex=\"0\"]').length";
        assert_eq!(page.get(stops).await, 1);
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn perfect_play_plays_to_the_end_and_waits_for_who_looks_back() {
    drive(async |page| {
        page.open("dots#board=2x2&second=perfect").await;
        page.join("a1-b1").await;
        page.until("Number(document.getElementById('slider').max) >= 2").await;
        page.click("#undo").await;
        page.says("turn", "First player (A) to move").await;
        page.open("dots#board=2x2&variant=swedish&penalty=-1&first=perfect&second=perfect").await;
        page.until("document.body.classList.contains('over')").await;
        let moves = page.address().await;
        let moves = moves.split("moves=").nth(1).unwrap().split('&').next().unwrap().to_string();
        let start = page.fetch("/api/dots?board=2x2&variant=swedish&penalty=-1").await;
        let path = format!("/api/dots?board=2x2&variant=swedish&penalty=-1&moves={moves}");
        let end = page.fetch(&path).await;
        assert_eq!((&end["score"], end["game_over"].clone()), (&start["value"], json!(true)));
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn a_new_game_and_what_is_too_large() {
    drive_refused(async |page| {
        page.open("").await;
        page.click("header nav a[href='/dots']").await;
        page.until("document.querySelector('.line')").await;
        page.fill("#rows", "4").await;
        page.fill("#cols", "4").await;
        page.click("#variant option[value='icelandic']").await;
        page.click("#new-form button").await;
        page.until("document.querySelectorAll('.line').length === 40").await;
        assert_eq!(page.lines("drawn").await.as_array().unwrap().len(), 8);
        assert_eq!(page.address().await, "#board=4x4&variant=icelandic");
        page.fill("#rows", "5").await;
        page.fill("#cols", "5").await;
        page.click("#variant option[value='standard']").await;
        page.click("#new-form button").await;
        page.until("document.querySelectorAll('.line').length === 60").await;
        page.click("#second option[value='perfect']").await;
        page.join("a1-b1").await;
        page.after(1, 1).await;
        let says = "Too many lines are open for scores and perfect play. Until then, move for it.";
        page.says("search-text", says).await;
        page.join("b1-c1").await;
        page.after(2, 2).await;
        page.fill("#cols", "9").await;
        page.click("#new-form button").await;
        page.until("document.getElementById('new-error').innerText.includes('at most 64')").await;
        page.after(2, 2).await;
        page.click("#share summary").await;
        page.fill("#load-text", " ../..|../..  B ").await;
        page.click("#load-form button").await;
        page.says("turn", "Second player (B) to move").await;
        assert_eq!(page.address().await, "#position=../..|../..+B&second=perfect");
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn it_fits_a_small_phone_and_lines_are_large_enough() {
    drive(async |page| {
        let size = json!({ "width": 360, "height": 740, "deviceScaleFactor": 2, "mobile": true });
        page.devtools("Emulation.setDeviceMetricsOverride", size).await;
        for (link, least) in [("dots#board=3x3", 60.0), ("dots#board=5x5&moves=a1-b1", 44.0)] {
            page.open(link).await;
            page.until("document.querySelector('.line')").await;
            assert_eq!(page.get("document.documentElement.scrollWidth").await, json!(360));
            let smallest = "Math.min(...[...document.querySelectorAll('.line .area')].flatMap( \
                (area) => { const { width, height } = area.getBoundingClientRect(); \
                return [width, height]; }))";
            assert!(page.get(smallest).await.as_f64().unwrap() >= least, "{link}");
        }
        let unnamed = "[...document.querySelectorAll('button, input, select, textarea, .line')] \
                       .filter((one) => !one.textContent.trim() && !one.ariaLabel \
                       && !one.labels?.length).length";
        assert_eq!(page.get(unnamed).await, json!(0));
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn a_bad_link_says_why_and_lets_begin_anew() {
    drive_refused(async |page| {
        page.open("dots#board=2x2&moves=a1-c1").await;
        page.says("trouble-text", "moves: a1 and c1 are not neighbours; a line joins two dots side by side or one above the other").await;
        page.click("#begin-anew").await;
        page.until("location.hash === ''").await;
        page.after(0, 0).await;
        page.until("document.getElementById('trouble').hidden").await;
    });
}
