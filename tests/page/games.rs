//! What only one game has: claims, passes and typed agents; boxes; pieces that move.

use crate::browser::{Page, drive, drive_at, drive_refused};
use crate::hexapawn::Hexapawn;
use bsq::Registry;
use serde_json::{Value, json};
use std::net::{TcpListener, TcpStream};

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn cells_say_what_they_are() {
    drive(async |page| {
        page.settle("?moves=7,19").await;
        for (place, label) in [
            ("c2", "c2, tile 8, empty, only the first player may play here, a tie, costs 2 points"),
            ("d1", "d1, tile 4, empty, the first player wins by 2 points, best"),
            ("b2", "b2, tile 7, first player's X"),
            ("d4", "d4, tile 19, second player's O, last move"),
            ("d3", "d3, tile 14, empty, only the second player may play here"),
        ] {
            assert_eq!(page.label(place).await, label);
        }
        page.keys("c").await;
        assert_eq!(page.label("d3").await, "d3, tile 14, empty");
        page.settle("?game=dots&board=2x2&moves=a1-b1,a1-a2,b1-b2").await;
        assert_eq!(page.label("a2-b2").await, "a2 to b2, open, a tie, best");
        assert_eq!(page.label("a1-a2").await, "a1 to a2, drawn by the second player");
        page.settle("?game=rpsw&board=4x3&pieces=2&moves=a1a2").await;
        assert_eq!(page.label("a2").await, "a2, first player's rock, last move");
        assert!(page.label("a4").await.starts_with("a4, second player's rock, can move, "));
        page.settle("?game=mnk&moves=b2,b1").await;
        assert_eq!(page.label("b1").await, "b1, second player's O, last move");
        assert_eq!(page.label("a1").await, "a1, empty, the first player wins in 5 plies, best");
    });
}

/// Wellons, I Solved British Square, 2020: the first player wins by two.
#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn the_first_player_wins_british_square_by_two() {
    drive(async |page| {
        page.settle("").await;
        page.says("verdict", "The first player wins by 2 points with best play.").await;
        assert_eq!(page.places(":has(.star.shown)").await, json!(["b2", "d2", "b4", "d4"]));
        page.settle("?moves=7").await;
        page.says("aim", "the lower, the better").await;
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn a_player_without_a_legal_move_passes() {
    drive(async |page| {
        page.settle("?board=3x4&position=O..X/.X../O.X.+O").await;
        page.click("#placeless button").await;
        page.settled(1, 1).await;
        page.until("!document.querySelector('#placeless button')").await;
        assert!(page.link().await.ends_with("&moves=pass"));
        page.keys("up").await;
        page.settled(1, 1).await;
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn a_typed_agent_is_checked_when_it_is_entered() {
    drive_refused(async |page| {
        page.settle("").await;
        page.click("#second optgroup[label='Your own'] option").await;
        page.fill("#second-typed", "most clam\u{e007}").await;
        page.until("document.getElementById('players-error').innerText.includes('clam')").await;
        page.settled(0, 0).await;
        assert_eq!(page.link().await, "");
        page.fill("#second-typed", "least centre-distance\u{e007}").await;
        page.until("document.getElementById('players-error').hidden").await;
        page.press("a1").await;
        page.settled(2, 2).await;
        assert_eq!(page.link().await, "?moves=1,13&second=least+centre-distance");
    });
}

/// A whole game of Dots-and-Boxes by clicks on the middle of lines.
#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn lines_and_boxes_have_owners() {
    drive(async |page| {
        page.settle("?game=dots&board=2x2").await;
        let all = [
            "a1-b1", "a1-a2", "b1-b2", "a2-b2", "b1-c1", "c1-c2", "b2-c2", "a2-a3", "a3-b3",
            "b2-b3", "b3-c3", "c2-c3",
        ];
        for (turn, line) in all.into_iter().enumerate() {
            page.press(line).await;
            page.settled(turn + 1, turn + 1).await;
        }
        let owners = page.owners().await;
        assert_eq!([&owners["a1"], &owners["b1"], &owners["b2"]], ["second", "second", "first"]);
        assert_eq!([&owners["a2-b2"], &owners["b1-c1"]], ["second", "second"]);
        page.says("score", "A 1 : 3 B").await;
        page.says("turn", "The second player has won by 2 points").await;
        assert_eq!(page.places(".last").await, json!(["c2-c3"]));
        assert_eq!(page.link().await, format!("?game=dots&board=2x2&moves={}", all.join(",")));
        // A drawn line cannot be drawn again.
        page.press("a1-b1").await;
        page.click("#undo").await;
        page.settled(11, 12).await;
        page.says("turn", "First player to move").await;
        page.says("score", "A 0 : 3 B").await;
    });
}

/// The points so far are unknown: the value is that of the boxes to come.
#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn a_position_may_not_know_its_past() {
    drive(async |page| {
        page.settle("?game=dots&position=-./|%3F|../-.+A").await;
        page.says("verdict", "The first player makes 1 point more from here on.").await;
        page.says("score", "A 0 : 0 B, 1 unknown").await;
        assert_eq!(page.get("document.querySelectorAll('#graph .dot').length").await, json!(0));
        assert_eq!(page.label("c1-c2").await, "c1 to c2, open, +1 from here on, best");
    });
}

impl Page {
    /// The piece on each square.
    async fn standing(&self) -> Value {
        let all = "[...document.querySelectorAll('#board .place:has(.piece[data-standing]:not([data-standing=\"\"]))')]";
        let pairs =
            "map((place) => [place.dataset.place, place.querySelector('.piece').dataset.standing])";
        self.get(&format!("Object.fromEntries({all}.{pairs})")).await
    }
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn a_piece_is_selected_before_it_moves() {
    const ESCAPE: &str = "\u{e00c}";
    drive(async |page| {
        let link = "?game=rpsw&board=4x3&pieces=2";
        page.settle(link).await;
        let answer = page.answer(link).await;
        page.press("b1").await;
        let all = answer["moves"].as_array().unwrap().iter().map(|mv| &mv["places"]);
        let mut targets: Vec<&str> =
            all.filter(|it| it[0] == "b1").map(|it| it[1].as_str().unwrap()).collect();
        targets.sort_unstable();
        let mut shown: Vec<String> = serde_json::from_value(page.places(".target").await).unwrap();
        shown.sort_unstable();
        assert_eq!(shown, targets);
        // A second click, or Escape, deselects the piece; a click on another one selects that.
        page.press("b1").await;
        assert_eq!(page.places(".selected").await, json!([]));
        page.press("b1").await;
        page.press("a1").await;
        assert_eq!(page.places(".selected").await, json!(["a1"]));
        page.keys(ESCAPE).await;
        assert_eq!(page.places(".selected").await, json!([]));
        page.says("place", "0 / 0").await;
        page.press("b1").await;
        page.press("b2").await;
        page.settled(1, 1).await;
        assert_eq!(page.standing().await["b2"], "first P");
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn the_board_of_pieces_can_be_turned_and_shuffled() {
    drive(async |page| {
        page.settle("?game=rpsw&board=4x3&pieces=2").await;
        let top = "document.querySelector('[data-place=a1]').getBoundingClientRect().top \
                   < document.querySelector('[data-place=a4]').getBoundingClientRect().top";
        assert_eq!(page.get(top).await, json!(false));
        page.keys("f").await;
        assert_eq!(page.get(top).await, json!(true));
        assert!(page.link().await.ends_with("&flip=yes"));
        page.open(&page.link().await).await;
        assert_eq!(page.get(top).await, json!(true));
        page.click("#share summary").await;
        page.click("#starts button").await;
        page.until("document.getElementById('load-error').hidden").await;
        let pieces = page.standing().await;
        assert_eq!(pieces.as_object().unwrap().len(), 4, "{pieces}");
        page.until("document.querySelectorAll('#rules-list li').length === 4").await;
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn computers_rest_where_they_would_go_round_in_circles() {
    drive(async |page| {
        let link = "?game=rpsw&board=4x3&pieces=2&position=p.r/.../.../WS.+first&first=perfect";
        page.settle(link).await;
        page.settled(1, 1).await;
        page.says("verdict", "Best play ends in a draw.").await;
        page.click("#second option[value='perfect']").await;
        page.tells("notice-text", "The position has occurred before").await;
        let rests = page.text("place").await;
        // A person may continue.
        for side in ["first", "second"] {
            page.click(&format!("#{side} option[value='you']")).await;
        }
        page.until("document.getElementById('notice-text').innerText === ''").await;
        assert_eq!(page.text("place").await, rests);
        page.click(".playable.legal:has(.star.shown)").await;
        page.click(".playable.target:has(.star.shown)").await;
        page.until(&format!("document.getElementById('place').innerText !== '{rests}'")).await;
    });
}

/// A game that a program adds, without a board module, is drawn from its scene.
#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn a_game_of_another_program_is_played() {
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    std::thread::spawn(move || {
        let registry = Registry::standard().with::<Hexapawn>();
        let port = free.port().to_string();
        bsq::run(&registry, ["bsq", "serve", "--quiet", "--port", &port])
    });
    while TcpStream::connect(free).is_err() {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    drive_at(&format!("http://{free}"), async |page| {
        page.settle("?game=hexapawn").await;
        page.tells("verdict", "The second player wins in ").await;
        assert_eq!(page.label("a1").await, "a1, second player's O");
        page.press("a3").await;
        assert_eq!(page.places(".target").await, json!(["a2"]));
        page.press("a2").await;
        page.settled(1, 1).await;
        assert_eq!(page.standing().await["a2"], "first X");
        assert_eq!(page.link().await, "?game=hexapawn&moves=a3a2");
        page.click("#second option[value='perfect']").await;
        page.settled(2, 2).await;
    });
}
