//! Tests whole games by keys and clicks, and their screens.

use super::values::Values;
use super::{BritishSquare, Own};
use crate::play::app::{Action, App, Popup};
use crate::play::side::Side;
use crate::play::terminal::Explorer;
use crate::play::tests::{self as testing, look, press, screen};
use bsq_engine::game::Player;
use bsq_games::british_square::heuristic::by_name;
use bsq_games::british_square::{Evaluator, GameRecord, Move, Rules};
use std::time::{Duration, Instant};

fn greedy() -> Side {
    Side::Heuristic(Box::new(by_name("greedy").unwrap().clone()))
}

fn unsettled(line: GameRecord, sides: [Side; 2], others: Vec<Side>) -> App<BritishSquare> {
    let evaluator = Evaluator::new(line.rules(), None).unwrap();
    let game = BritishSquare::new(&line, Values::of(evaluator).unwrap());
    App::new(game, line, sides, others, true)
}

fn app_of(line: GameRecord, sides: [Side; 2]) -> App<BritishSquare> {
    let mut app = unsettled(line, sides, vec![greedy()]);
    app.settle();
    app
}

/// The usual game, both players at the keyboard.
fn app() -> App<BritishSquare> {
    app_of(GameRecord::new(Rules::standard(5, 5).unwrap()), [Side::You, Side::You])
}

fn click(app: &mut App<BritishSquare>, cell: usize) {
    testing::click(app, |_, other| other == cell);
}

fn tiles(app: &App<BritishSquare>) -> Vec<usize> {
    let tile = |mv: &Move| match mv {
        Move::Place(cell) => cell + 1,
        Move::Pass => 0,
    };
    app.line.moves().iter().map(tile).collect()
}

#[test]
fn the_start_as_it_looks() {
    insta::assert_snapshot!(screen(&app()));
}

#[test]
fn a_blunder_is_named_and_taken_back() {
    let mut app = app();
    press(&mut app, "7<enter>4<enter>");
    assert_eq!(
        app.warning,
        "4 (d1) costs 1 point: the first player's win by 2 becomes a win by 3. u takes it back."
    );
    insta::assert_snapshot!(screen(&app));
    press(&mut app, "u");
    assert_eq!((app.line.at(), app.warning.as_str()), (1, ""));
    press(&mut app, "w4<enter>");
    assert_eq!((app.line.at(), app.warning.as_str()), (2, ""));
}

#[test]
fn a_game_looks_the_same_at_any_size() {
    let mut app = app();
    press(&mut app, "7<enter>13<enter>19<enter>3<enter>");
    insta::assert_snapshot!("large", look(&app, 110, 34).0);
    insta::assert_snapshot!("small", look(&app, 64, 18).0);
    insta::assert_snapshot!("too_small", look(&app, 40, 10).0);
    for width in 1..100 {
        for height in 1..30 {
            look(&app, width, height); // never a panic
        }
    }
}

#[test]
fn keys_clicks_and_names_play_alike() {
    let mut app = app();
    press(&mut app, "<left><enter>");
    click(&mut app, 18);
    press(&mut app, "c1<enter>");
    assert_eq!(tiles(&app), [7, 19, 3]);
    press(&mut app, "99<enter>");
    assert!(app.message.contains("'99' is no tile"), "{}", app.message);
    press(&mut app, "8<enter>0<enter>13<enter>");
    assert_eq!(tiles(&app), [7, 19, 3, 13]);
    press(&mut app, "2<back>1<esc>");
    assert_eq!((tiles(&app), app.entry.as_str()), (vec![7, 19, 3, 13], ""));
    press(&mut app, "<back>");
    assert_eq!((app.line.at(), app.line.moves().len()), (3, 4));
}

#[test]
fn back_and_forth_along_the_line() {
    let mut app = app();
    press(&mut app, "7<enter>19<enter>9<enter>");
    for (keys, at) in
        [("u", 2), ("r", 3), ("[[", 1), ("]", 2), ("<home>", 0), ("u", 0), ("<end>", 3)]
    {
        press(&mut app, keys);
        assert_eq!(app.line.at(), at, "{keys}");
    }
    press(&mut app, "<home>7<enter>");
    assert_eq!((app.line.at(), tiles(&app)), (1, vec![7, 19, 9]));
    press(&mut app, "23<enter>");
    assert_eq!((app.line.at(), tiles(&app)), (2, vec![7, 23]));
    press(&mut app, "n");
    assert_eq!((app.line.at(), tiles(&app)), (0, vec![]));
}

#[test]
fn perfect_play_keeps_the_value_to_the_end() {
    let line = GameRecord::new(Rules::standard(5, 5).unwrap());
    let mut app = app_of(line, [Side::Perfect, Side::Perfect]);
    assert!(app.solution().is_over());
    assert_eq!(app.solution().rules.score(app.line.position()), 2);
    insta::assert_snapshot!(screen(&app));
    press(&mut app, "u");
    assert!(app.waits_for_go());
    press(&mut app, "p");
    assert!(app.solution().is_over());
}

#[test]
fn a_machine_answers_and_undo_takes_both_back() {
    let line = GameRecord::new(Rules::standard(5, 5).unwrap());
    let mut app = app_of(line, [Side::You, greedy()]);
    press(&mut app, "7<enter>");
    assert_eq!(tiles(&app).len(), 2);
    assert!(app.message.starts_with("greedy plays"), "{}", app.message);
    press(&mut app, "2<enter>");
    assert!(
        app.warning.contains("costs") && app.message.contains("greedy plays"),
        "{}",
        app.message
    );
    assert_eq!((tiles(&app).len(), app.line.at()), (4, 4));
    press(&mut app, "u");
    assert_eq!(app.line.at(), 2);
    press(&mut app, "[");
    assert!(app.waits_for_go());
    press(&mut app, "p");
    assert_eq!(app.line.at(), 2);
}

#[test]
fn a_warning_comes_however_late_the_values_are() {
    let line = GameRecord::new(Rules::standard(5, 6).unwrap());
    let mut app = app_of(line, [Side::You, greedy()]);
    let costly = app.solution().choices().last().unwrap().mv;
    // The previous position is not evaluated yet, and the machine answers first.
    let line = GameRecord::new(Rules::standard(5, 6).unwrap());
    let mut late = unsettled(line, [Side::You, greedy()], Vec::new());
    let Move::Place(cell) = costly else { panic!("a cell is legal") };
    late.act(Action::Own(Own::Click(cell)));
    late.tick(Instant::now() + Duration::from_secs(9));
    assert_eq!((late.line.at(), late.warning.as_str()), (2, ""));
    late.settle();
    assert!(late.warning.contains(" costs ") && late.warning.contains("u takes it back"));
    app.act(Action::Own(Own::Click(cell)));
    app.settle();
    assert_eq!(late.warning, app.warning);
}

#[test]
fn players_change_with_their_keys() {
    let mut app = app();
    press(&mut app, "oo");
    assert_eq!(*app.side(Player::Second), greedy());
    press(&mut app, "O");
    assert_eq!(*app.side(Player::Second), Side::Perfect);
    press(&mut app, "X");
    assert_eq!(*app.side(Player::First), greedy());
    assert!(app.solution().is_over(), "both play by themselves");
}

#[test]
fn hidden_values_are_nowhere() {
    let mut app = app();
    press(&mut app, "v7<enter>");
    let hidden = screen(&app);
    assert!(!hidden.contains('*') && !hidden.contains("Perfect:") && !hidden.contains("+2"));
    press(&mut app, "i");
    insta::assert_snapshot!(screen(&app));
    press(&mut app, "i");
    assert_eq!(screen(&app), hidden);
    press(&mut app, "m");
    assert_ne!(screen(&app), hidden);
}

#[test]
fn popups_come_and_go() {
    let mut app = app();
    press(&mut app, "7<enter>19<enter>?");
    insta::assert_snapshot!("help", screen(&app));
    press(&mut app, "u");
    assert_eq!((app.popup, app.line.at()), (None, 2));
    press(&mut app, "t");
    assert_eq!(app.popup, Some(Popup::Game));
    assert!(screen(&app).contains("moves: 7 19"));
    press(&mut app, "q");
    assert!(app.over);
}

#[test]
fn other_rules_and_a_pass() {
    let rules = Rules { bias: 2, center_allowed: true, ..Rules::standard(1, 3).unwrap() };
    let mut app = app_of(GameRecord::new(rules), [Side::You, Side::You]);
    press(&mut app, "2<enter>");
    assert!(!app.solution().is_over());
    insta::assert_snapshot!(screen(&app));
    press(&mut app, "<enter>1<enter>0<enter>3<enter>");
    assert_eq!(tiles(&app), [2, 0, 1, 0, 3]);
    assert!(screen(&app).contains("has won by 1 point"), "{}", screen(&app));
}
