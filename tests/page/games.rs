//! What only one game has: claims, passes and typed agents; boxes; pieces that move.

use crate::browser::{Page, drive, drive_at, drive_refused};
use bsq::Registry;
use hexapawn::Hexapawn;
use serde_json::{Value, json};
use std::net::{TcpListener, TcpStream};

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn cells_say_what_they_are() {
    drive(|page| {
        page.settle("?moves=7,19");
        for (place, label) in [
            ("c2", "c2, tile 8, empty, only Player 1 may play here, a tie, costs 2 points"),
            ("d1", "d1, tile 4, empty, Player 1 wins by 2 points, best"),
            ("b2", "b2, tile 7, Player 1's X"),
            ("d4", "d4, tile 19, Player 2's O, last move"),
            ("d3", "d3, tile 14, empty, only Player 2 may play here"),
        ] {
            assert_eq!(page.label(place), label);
        }
        page.keys("c");
        assert_eq!(page.label("d3"), "d3, tile 14, empty");
        page.settle("?game=dots&board=2x2&moves=a1-b1,a1-a2,b1-b2");
        assert_eq!(page.label("a2-b2"), "a2 to b2, open, a tie, best");
        assert_eq!(page.label("a1-a2"), "a1 to a2, drawn by Player 2");
        page.settle("?game=rpsw&board=4x3&pieces=2&moves=a1a2");
        assert_eq!(page.label("a2"), "a2, Player 1's rock, last move");
        assert!(page.label("a4").starts_with("a4, Player 2's rock, can move, "));
        page.settle("?game=mnk&moves=b2,b1");
        assert_eq!(page.label("b1"), "b1, Player 2's O, last move");
        assert_eq!(page.label("a1"), "a1, empty, Player 1 wins in 3 moves, best");
    });
}

/// Wellons, I Solved British Square, 2020: the first player wins by two.
#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn the_first_player_wins_british_square_by_two() {
    drive(|page| {
        page.settle("?game=british-square");
        page.says("verdict", "Player 1 wins by 2 points with best play.");
        assert_eq!(page.places(":has(.star.shown)"), json!(["b2", "d2", "b4", "d4"]));
        page.settle("?moves=7");
        page.says("aim", "Numbers: Player 1's lead at the end; Player 2 prefers lower ones");
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn a_player_without_a_legal_move_passes() {
    drive(|page| {
        page.settle("?board=3x4&position=O..X/.X../O.X.+O");
        page.click("#placeless button");
        page.settled(1, 1);
        page.until("!document.querySelector('#placeless button')");
        assert!(page.link().ends_with("&moves=pass"));
        page.keys("up");
        page.settled(1, 1);
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn a_place_without_a_move_says_why() {
    drive_refused(|page| {
        for (link, place, why, other) in [
            (
                "?game=british-square",
                "c3",
                "13 (c3) is not legal here: the first move may not take the centre.",
                "b2",
            ),
            (
                "?moves=7",
                "c2",
                "8 (c2) is not legal here: the tile shares a side with an opponent's piece.",
                "e5",
            ),
            ("?game=dots&moves=a1-b1", "a1-b1", "a1-b1 is drawn already.", "b1-b2"),
            ("?game=mnk&moves=b2", "b2", "b2 is not empty.", "a1"),
            (
                "?game=rpsw&board=4x3&pieces=2",
                "a2",
                "Player 1 has no move that begins at a2.",
                "a1",
            ),
        ] {
            page.open(link);
            page.press(place);
            page.says("notice-text", why);
            page.press(other);
            let text = "document.getElementById('notice-text').innerText.trim()";
            page.until(&format!("{text} !== {why:?}"));
        }
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn a_typed_agent_is_checked_when_it_is_entered() {
    drive_refused(|page| {
        page.settle("?game=british-square");
        page.click("#second optgroup[label='Your own'] option");
        page.fill("#second-typed", "most clam\u{e007}");
        page.until("document.getElementById('players-error').innerText.includes('clam')");
        page.settled(0, 0);
        assert_eq!(page.link(), "?game=british-square");
        page.fill("#second-typed", "least centre-distance\u{e007}");
        page.until("document.getElementById('players-error').hidden");
        page.press("a1");
        page.settled(2, 2);
        assert_eq!(page.link(), "?moves=1,13&second=least+centre-distance");
    });
}

/// A whole game of Dots-and-Boxes by clicks on the middle of lines.
#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn lines_and_boxes_have_owners() {
    drive(|page| {
        page.settle("?game=dots&board=2x2");
        let all = [
            "a1-b1", "a1-a2", "b1-b2", "a2-b2", "b1-c1", "c1-c2", "b2-c2", "a2-a3", "a3-b3",
            "b2-b3", "b3-c3", "c2-c3",
        ];
        for (turn, line) in all.into_iter().enumerate() {
            page.press(line);
            page.settled(turn + 1, turn + 1);
        }
        let owners = page.owners();
        assert_eq!([&owners["a1"], &owners["b1"], &owners["b2"]], ["second", "second", "first"]);
        assert_eq!([&owners["a2-b2"], &owners["b1-c1"]], ["second", "second"]);
        page.says("score", "1 : 3");
        page.says("turn", "Player 2 won by 2 points.");
        assert_eq!(page.places(".last"), json!(["c2-c3"]));
        assert_eq!(page.link(), format!("?game=dots&board=2x2&moves={}", all.join(",")));
        // A drawn line cannot be drawn again.
        page.press("a1-b1");
        page.click("#undo");
        page.settled(11, 12);
        page.says("turn", "Player 1's turn");
        page.says("score", "0 : 3");
    });
}

/// The points so far are unknown: the value is that of the boxes to come.
#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn a_position_may_not_know_its_past() {
    drive(|page| {
        page.settle("?game=dots&position=-./|%3F|../-.+A");
        page.says("verdict", "Player 1 makes 1 point more from here on.");
        page.says("score", "0 : 0\n1 unknown");
        assert_eq!(page.get("document.querySelectorAll('#graph .dot').length"), json!(0));
        assert_eq!(page.label("c1-c2"), "c1 to c2, open, +1 from here on, best");
    });
}

impl Page {
    /// The piece on each square.
    fn standing(&self) -> Value {
        let all = "[...document.querySelectorAll('#board .place:has(.piece[data-standing]:not([data-standing=\"\"]))')]";
        let pairs =
            "map((place) => [place.dataset.place, place.querySelector('.piece').dataset.standing])";
        self.get(&format!("Object.fromEntries({all}.{pairs})"))
    }
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn a_piece_is_selected_before_it_moves() {
    const ESCAPE: &str = "\u{e00c}";
    drive(|page| {
        let link = "?game=rpsw&board=4x3&pieces=2";
        page.settle(link);
        let answer = page.answer(link);
        page.press("b1");
        let all = answer["moves"].as_array().unwrap().iter().map(|mv| &mv["places"]);
        let mut targets: Vec<&str> =
            all.filter(|it| it[0] == "b1").map(|it| it[1].as_str().unwrap()).collect();
        targets.sort_unstable();
        let mut shown: Vec<String> = serde_json::from_value(page.places(".target")).unwrap();
        shown.sort_unstable();
        assert_eq!(shown, targets);
        // A second click, or Escape, deselects the piece; a click on another one selects that.
        page.press("b1");
        assert_eq!(page.places(".selected"), json!([]));
        page.press("b1");
        page.press("a1");
        assert_eq!(page.places(".selected"), json!(["a1"]));
        page.keys(ESCAPE);
        assert_eq!(page.places(".selected"), json!([]));
        page.says("place", "0 / 0");
        page.press("b1");
        page.press("b2");
        page.settled(1, 1);
        assert_eq!(page.standing()["b2"], "first P");
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn the_board_of_pieces_can_be_turned_and_shuffled() {
    drive(|page| {
        page.settle("?game=rpsw&board=4x3&pieces=2");
        let top = "document.querySelector('[data-place=a1]').getBoundingClientRect().top \
                   < document.querySelector('[data-place=a4]').getBoundingClientRect().top";
        assert_eq!(page.get(top), json!(false));
        page.keys("f");
        assert_eq!(page.get(top), json!(true));
        assert!(page.link().ends_with("&flip=yes"));
        page.open(&page.link());
        assert_eq!(page.get(top), json!(true));
        // A person's rows are in front.
        page.click("#second option[value='perfect']");
        page.until(&format!("!({top})"));
        page.click("#second option[value='you']");
        page.click("#first option[value='perfect']");
        page.until(top);
        page.click("#first option[value='you']");
        page.click("#share summary");
        page.click("#starts button");
        page.until("document.getElementById('load-error').hidden");
        let pieces = page.standing();
        assert_eq!(pieces.as_object().unwrap().len(), 4, "{pieces}");
        page.until("document.querySelectorAll('#rules-list li').length === 5");
        let begins = "document.querySelector('#rules-list li').innerText";
        assert_eq!(page.get(begins), json!("Here, each player begins with a rock and a paper."));
    });
}

/// Of a stored start, only the best moves have values.
#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn moves_without_values_are_listed_if_they_are_not_best() {
    drive(|page| {
        page.settle("?game=rpsw");
        let rows = "[...document.querySelectorAll('#best dl > div')].map((row) => \
                    [row.querySelector('dt span:last-child').textContent, row.querySelectorAll('button').length])";
        assert_eq!(page.get(rows), json!([["Best", 8], ["Not best", 2]]));
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn computers_rest_where_they_would_go_round_in_circles() {
    drive(|page| {
        let link = "?game=rpsw&board=4x3&pieces=2&position=p.r/.../.../WS.+first&first=perfect";
        page.settle(link);
        page.settled(1, 1);
        page.says("verdict", "Best play ends in a draw.");
        page.click("#second option[value='perfect']");
        page.tells("notice-text", "The position has occurred before");
        let rests = page.text("place");
        // A person may continue.
        for side in ["first", "second"] {
            page.click(&format!("#{side} option[value='you']"));
        }
        page.until("document.getElementById('notice-text').innerText === ''");
        assert_eq!(page.text("place"), rests);
        page.click(".playable.legal[data-shade='0']");
        page.click(".playable.target[data-shade='0']");
        page.until(&format!("document.getElementById('place').innerText !== '{rests}'"));
    });
}

/// A game that a program adds, without a board module, is drawn from its scene.
#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn a_game_of_another_program_is_played() {
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    std::thread::spawn(move || {
        let registry = Registry::standard().with(Hexapawn);
        let port = free.port().to_string();
        bsq::run(&registry, ["bsq", "serve", "--quiet", "--port", &port])
    });
    while TcpStream::connect(free).is_err() {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    drive_at(&format!("http://{free}"), |page| {
        page.settle("?game=hexapawn");
        page.tells("verdict", "Player 2 wins in ");
        assert_eq!(page.label("a1"), "a1, Player 2's O");
        page.press("a3");
        assert_eq!(page.places(".target"), json!(["a2"]));
        page.press("a2");
        page.settled(1, 1);
        assert_eq!(page.standing()["a2"], "first X");
        assert_eq!(page.link(), "?game=hexapawn&moves=a3a2");
        page.click("#second option[value='perfect']");
        page.settled(2, 2);
    });
}

/// On the first page, a game can be begun without scrolling, also if it is the only one.
#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn a_game_is_in_sight_on_the_first_page() {
    let in_sight = "[...document.querySelectorAll('.game .main')].some((button) => { \
        const { top, bottom } = button.getBoundingClientRect(); \
        return top >= 0 && bottom <= innerHeight; })";
    // Answers as those of a program with a single game.
    let single = "const { json } = Response.prototype; \
        Response.prototype.json = async function () { \
            const found = await json.call(this); \
            return found.games ? { ...found, games: found.games.slice(-1) } : found; }";
    drive(|page| {
        for games in [4, 1] {
            if games == 1 {
                page.devtools("Page.addScriptToEvaluateOnNewDocument", json!({ "source": single }));
            }
            for (width, height) in [(1400, 900), (1280, 720), (390, 844), (844, 390)] {
                page.resize(width, height);
                page.visit("");
                page.until("document.querySelector('.game .board')");
                let cards = page.get("document.querySelectorAll('.game').length");
                assert_eq!(cards, json!(games));
                assert_eq!(page.get(in_sight), json!(true), "{games} games, {width}x{height}");
            }
            page.click(".game .main");
            page.until("document.querySelector('.playable')");
            // A single game is not chosen.
            let choices = page.get("document.querySelectorAll('#home, #game').length");
            assert_eq!(choices, json!(if games == 1 { 0 } else { 2 }));
        }
    });
}

/// What players of Dots-and-Boxes count.
#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn chains_and_loops_are_counted() {
    drive(|page| {
        page.open("?game=dots");
        let parity = "Player 1 wants an even number of long chains, and Player 2 an odd one.";
        page.says(
            "counts",
            &format!("There are no chains and no loops yet. With 16 dots, {parity}"),
        );
        page.settle("?game=dots&position=-----/|...|....../...--/|...|....../-----+A");
        // 6 - 4 boxes of the chain, 4 - 8 of the loop, and 4 for the last of them.
        let all = "1 long chain of 6 boxes, 1 loop of 4 boxes. The controlled value is 2.";
        // Every move is loony.
        let nimber = "The nimber is 0: in nimstring, Player 1 loses.";
        page.says("counts", &format!("{all} With 18 dots, {parity} {nimber}"));
        // Short chains count little.
        page.settle("?game=dots&position=--/...../--/...../..+A");
        let parity = "Player 1 wants an odd number of long chains, and Player 2 an even one.";
        page.says("counts", &format!("1 short chain of 2 boxes. With 9 dots, {parity} {nimber}"));
        page.settle("?game=dots&position=---/......./---+A&moves=a1-a2");
        page.until(
            "document.getElementById('counts').innerText             .endsWith('The last move was loony: in nimstring, Player 2 wins.')",
        );
        page.open("?game=mnk");
        assert_eq!(page.get("document.getElementById('counts').offsetParent"), json!(null));
    });
}

/// Two people have names, which the browser remembers.
#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn two_people_have_names() {
    drive(|page| {
        page.open("?game=mnk&moves=a1,b1,a2,b2");
        page.says("turn", "Player 1's turn");
        page.fill("#first-name", "Ann");
        page.fill("#second-name", "you");
        page.says("turn", "Ann's turn");
        page.press("a3");
        page.says("turn", "Ann won.");
        page.open("?game=dots&moves=a1-a2");
        page.says("turn", "Player 2's turn");
        page.fill("#first-name", "");
        // Against the computer there is no name to choose.
        page.open("?game=mnk&second=perfect");
        page.says("turn", "Your turn");
        assert_eq!(page.get("document.getElementById('first-name').hidden"), json!(true));
    });
}

/// A browser that stores nothing: everything is remembered until the page is closed.
#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn storage_may_be_forbidden() {
    drive(|page| {
        page.open("?game=mnk&moves=a1,b1,a2,b2");
        page.run(
            "Object.defineProperty(window, 'localStorage', \
             { get() { throw new DOMException('forbidden', 'SecurityError'); } })",
        );
        page.fill("#first-name", "Ann");
        page.click("#theme");
        page.says("turn", "Ann's turn");
        page.press("a3");
        page.says("turn", "Ann won.");
        page.click("#intro-close");
        page.click("[data-task=puzzle]");
        page.until(
            "document.getElementById('notice-text').innerText.includes('find the only move')",
        );
        page.click("[data-task=play]");
        page.until("document.getElementById('turn').innerText.endsWith(\"'s turn\")");
        page.click("#theme");
    });
}

/// A browser whose storage is full: what does not fit is remembered until the page is closed.
#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn storage_may_be_full() {
    drive(|page| {
        page.open("?game=mnk");
        let recalled = "import('./memory.js').then(({ remember, recall }) => { \
            const { setItem } = Storage.prototype; \
            const full = () => { throw new DOMException('full', 'QuotaExceededError'); }; \
            return ['before', 'full', 'after'].map((text) => { \
                Storage.prototype.setItem = text === 'full' ? full : setItem; \
                remember('test', text); \
                return [recall('test'), localStorage.getItem('test')]; }); })";
        let seen = page.get(recalled);
        assert_eq!(seen, json!([["before", "before"], ["full", "before"], ["after", "after"]]));
    });
}
