//! Tests whole games by keys and clicks, and their screens.

use super::evaluations::Evaluations;
use super::{Rpsw, screen, words};
use crate::play::app::{App, Popup};
use crate::play::side::Side;
use crate::play::terminal::Explorer;
use crate::play::tests::{self as testing, look, press, screen};
use bsq_engine::evaluate::{self, Cost, Detail, Evaluator as _};
use bsq_engine::game::{Game, Notation, Player};
use bsq_engine::monitor::Monitor;
use bsq_games::rpsw::retrograde::Layout;
use bsq_games::rpsw::tablebase::solution::Solution;
use bsq_games::rpsw::tablebase::{Problem, TablebaseError};
use bsq_games::rpsw::{Evaluation, Evaluator, EvaluatorError, GameRecord, Position, Rules};
use std::cmp::Reverse;
use std::sync::LazyLock;

fn rules() -> Rules {
    Rules::standard().with_pieces(2).unwrap()
}

type Solved = Evaluator<'static>;

fn solve(rules: Rules) -> Solution {
    Solution::solve(Layout::new(rules), 2, &Monitor::default()).unwrap()
}

/// A tablebase of the standard board with at most two pieces per player.
fn solved() -> Solved {
    static SOLUTION: LazyLock<Solution> = LazyLock::new(|| solve(rules()));
    Evaluator::Solution(&SOLUTION)
}

fn app_with<'a>(
    evaluator: impl evaluate::Evaluator<
        Game = Rules,
        Facts = (),
        MoveFacts = (),
        Error = EvaluatorError,
    > + 'a,
    line: GameRecord,
    sides: [Side; 2],
) -> App<Rpsw<'a>> {
    let game = Rpsw { evaluations: Evaluations::new(evaluator), chosen: None };
    App::new(game, line, sides, Vec::new(), true)
}

fn app_of(line: GameRecord, sides: [Side; 2]) -> App<Rpsw<'static>> {
    let mut app = app_with(solved(), line, sides);
    app.settle();
    app
}

fn app_at(position: &str) -> App<Rpsw<'static>> {
    let start = rules().parse_position(position).unwrap();
    app_of(GameRecord::from(rules(), start), [Side::You, Side::You])
}

/// The start of the game with two pieces each, both players at the keyboard.
fn app() -> App<Rpsw<'static>> {
    app_of(GameRecord::new(rules()), [Side::You, Side::You])
}

fn click(app: &mut App<Rpsw>, square: &str) {
    let rules = app.rules().clone();
    testing::click(app, |grid, cell| {
        rules.square_name(screen::square_of(&grid.board, cell)) == square
    });
}

fn moves(app: &App<Rpsw>) -> String {
    words::names(app.line.rules(), app.line.moves().iter().copied())
}

#[test]
fn the_start_as_it_looks() {
    insta::assert_snapshot!(screen(&app()));
}

#[test]
fn captures_are_seen() {
    let mut app = app_at("..../r.../P.p./..R./..../.... first");
    insta::assert_snapshot!(screen(&app));
    press(&mut app, "a4a5<enter>");
    assert!(screen(&app).contains("··p·") || screen(&app).contains("·p··"), "{}", screen(&app));
}

#[test]
fn a_game_looks_the_same_at_any_size() {
    let mut app = app();
    press(&mut app, "a1a2<enter><enter><enter><enter><down>");
    insta::assert_snapshot!("large", look(&app, 110, 34).0);
    insta::assert_snapshot!("small", look(&app, 40, 24).0);
    insta::assert_snapshot!("too_small", look(&app, 36, 8).0);
    for keys in ["", "?", " t", " vi"] {
        press(&mut app, keys);
        for width in (1..90).step_by(7) {
            for height in (1..30).step_by(2) {
                look(&app, width, height); // never a panic
            }
        }
    }
}

#[test]
fn keys_clicks_and_names_play_alike() {
    let mut app = app();
    press(&mut app, "a1b2<enter>");
    click(&mut app, "b6");
    click(&mut app, "b5");
    assert_eq!(moves(&app), "a1b2 b6b5");
    // A typed square chooses among its moves.
    press(&mut app, "b2");
    assert_eq!(app.rules().square_name(app.game.chosen.unwrap().from), "b2");
    press(&mut app, "<down><up><enter>");
    assert_eq!(app.line.at(), 3);
    press(&mut app, "<back>");
    assert_eq!(app.line.at(), 2);
}

#[test]
fn what_cannot_be_played_is_explained() {
    let mut app = app_at("..../r.../P.p./..R./..../.... first");
    for (typed, says) in [
        ("b", "'b' is no move"),
        ("b1b2", "nothing stands on b1"),
        ("c4c5", "the paper on c4 is the second player's"),
        ("a4c4", "a piece goes to one of the squares around it"),
        ("c3c4", "rock does not take paper"),
    ] {
        press(&mut app, &format!("{typed}<enter>"));
        assert!(app.message.contains(says), "{typed}: {}", app.message);
        assert_eq!(app.line.at(), 0);
    }
    click(&mut app, "c3");
    click(&mut app, "c4");
    assert!(app.message.contains("rock does not take paper"), "{}", app.message);
}

#[test]
fn the_list_goes_along_with_the_chosen_move() {
    let mut app = app_at("w..p/..../.R../..../.P../.... first");
    let listed = app.listed();
    assert!(
        listed.len() == 16
            && listed.is_sorted_by_key(|listed| Reverse(listed.value.unwrap().rank(Player::First)))
    );
    press(&mut app, "<page><page>");
    assert_eq!(app.game.chosen, listed.last().map(|listed| listed.mv));
    insta::assert_snapshot!(screen(&app));
    press(&mut app, "<down><down><up>");
    assert_eq!(app.game.chosen, Some(listed[listed.len() - 2].mv));
}

#[test]
fn back_and_forth_along_the_line() {
    let mut app = app();
    press(&mut app, "<enter><enter><enter>");
    let played = moves(&app);
    for (keys, at) in
        [("u", 2), ("r", 3), ("<left><left>", 1), ("<right>", 2), ("<home>", 0), ("<end>", 3)]
    {
        press(&mut app, keys);
        assert_eq!((app.line.at(), moves(&app)), (at, played.clone()), "{keys}");
    }
    press(&mut app, "<home><down><enter>");
    assert_eq!((app.line.at(), app.line.moves().len()), (1, 1));
    press(&mut app, "n");
    assert_eq!((app.line.at(), moves(&app).as_str()), (0, ""));
}

#[test]
fn perfect_play_ends_when_it_was_said() {
    let line = GameRecord::new(rules());
    let app = app_of(line, [Side::Perfect, Side::Perfect]);
    let found = solved().evaluate(&rules().start(), Detail::Value, &Monitor::default()).unwrap();
    assert_eq!(found.value.unwrap().plies, Some(app.line.moves().len() as u32));
    insta::assert_snapshot!(screen(&app));
}

#[test]
fn a_machine_answers_and_undo_takes_both_back() {
    let mut app = app_of(GameRecord::new(rules()), [Side::You, Side::Perfect]);
    press(&mut app, "<enter>");
    assert_eq!(app.line.at(), 2);
    assert!(app.message.starts_with("perfect plays"), "{}", app.message);
    press(&mut app, "u");
    assert_eq!(app.line.at(), 0);
    press(&mut app, "<right>");
    assert!(app.waits_for_go());
    press(&mut app, "p");
    assert_eq!(app.line.at(), 2);
    press(&mut app, "f");
    assert_eq!(*app.side(Player::First), Side::Perfect);
    assert!(app.ending().is_some());
}

#[test]
fn a_mistake_is_named_and_taken_back() {
    let mut app = app();
    let [best, worst] = [app.listed()[0], *app.listed().last().unwrap()];
    assert_ne!(best.value, worst.value);
    let worst = app.rules().format_move(worst.mv);
    press(&mut app, &format!("{worst}<enter>"));
    assert!(app.warning.starts_with(&worst) && app.warning.ends_with("u takes it back."));
    insta::assert_snapshot!(screen(&app));
    press(&mut app, "u");
    assert_eq!((app.line.at(), app.warning.as_str()), (0, ""));
    press(&mut app, &format!("w{worst}<enter>"));
    assert_eq!((app.line.at(), app.warning.as_str()), (1, ""));
}

#[test]
fn hidden_values_are_nowhere() {
    let mut app = app();
    press(&mut app, "v");
    let hidden = screen(&app);
    assert!(!hidden.contains(" in ") && !hidden.contains("drawn"), "{hidden}");
    let listed: Vec<_> = app.listed().iter().map(|listed| listed.mv).collect();
    assert_eq!(listed, app.rules().moves(app.line.position()), "in their usual order");
    press(&mut app, "i");
    insta::assert_snapshot!(screen(&app));
    press(&mut app, "i");
    assert_eq!(screen(&app), hidden);
}

#[test]
fn popups_come_and_go() {
    let mut app = app();
    press(&mut app, "a1a2<enter>?");
    insta::assert_snapshot!("help", look(&app, 40, 24).0);
    press(&mut app, "u");
    assert_eq!((app.popup, app.line.at()), (None, 1));
    press(&mut app, "t");
    assert_eq!(app.popup, Some(Popup::Game));
    assert!(screen(&app).contains("moves: a1a2"));
    press(&mut app, "q");
    assert!(app.is_over());
    assert_eq!(GameRecord::parse(&app.text().unwrap(), &rules()), Ok(app.line));
}

#[test]
fn a_position_that_comes_up_often_is_noted() {
    let mut app = app();
    let there_and_back = "a1a2<enter>a6a5<enter>a2a1<enter>a5a6<enter>";
    press(&mut app, &format!("w{there_and_back}"));
    assert_eq!(app.line.times(), 2);
    assert!(!screen(&app).contains("has come up"));
    press(&mut app, there_and_back);
    assert!(screen(&app).contains("This position has come up 3 times"), "{}", screen(&app));
    press(&mut app, "u");
    assert!(!screen(&app).contains("has come up"));
}

#[test]
fn two_machines_stop_before_they_go_round_for_ever() {
    let start = rules().parse_position("..../..../...s/...w/..P./R... first").unwrap();
    let mut app = app_of(GameRecord::from(rules(), start), [Side::Perfect, Side::Perfect]);
    assert!(app.waits_for_go() && app.line.times() == 3);
    assert!(
        screen(&app).contains("play need not end") && screen(&app).contains("Drawn with best play")
    );
    let at = app.line.at();
    press(&mut app, "p");
    assert_eq!(app.line.at(), at + 1);
}

#[test]
fn every_end_is_told() {
    for (position, says) in [
        (
            "..P./r.../..../..../..../.... second",
            "The first player has won: the paper has reached c6",
        ),
        (
            "..../r.../..../..../..../.s.R first",
            "The second player has won: the scissors have reached b1",
        ),
        (
            "..../..../..p./..../..../.... first",
            "The second player has won: the first player has no piece left",
        ),
    ] {
        let position = rules().parse_position(position).unwrap();
        let ending = words::ending(&rules(), &position).unwrap();
        assert!(ending.starts_with(says), "{ending}");
    }
    let narrow = Rules::standard().on_board(1, 3).unwrap();
    let stuck = narrow.parse_position("./p/R first").unwrap();
    let ending = words::ending(&narrow, &stuck);
    assert_eq!(ending.as_deref(), Some("The game is drawn: the first player cannot move"));
    let line = GameRecord::from(narrow.clone(), stuck);
    let mut app = app_with(Broken(narrow), line, [Side::You, Side::Perfect]);
    press(&mut app, "<enter>");
    assert_eq!(app.message, "The game is over.");
    assert!(screen(&app).contains("the first player cannot"), "{}", screen(&app));
}

/// An evaluator of a file that cannot be read.
struct Broken(Rules);

impl evaluate::Evaluator for Broken {
    type Game = Rules;
    type Facts = ();
    type MoveFacts = ();
    type Error = EvaluatorError;

    fn game(&self) -> &Rules {
        &self.0
    }

    fn cost(&self, _: &Position, _: Detail) -> Cost<EvaluatorError> {
        Cost::LookUp
    }

    fn evaluate(&self, _: &Position, _: Detail, _: &Monitor) -> Result<Evaluation, EvaluatorError> {
        let problem = Problem::Damaged("a test");
        Err(TablebaseError { path: "the file".to_string(), problem }.into())
    }
}

#[test]
fn a_database_that_fails_is_told_and_play_goes_on() {
    let sides = [Side::You, Side::Perfect];
    let mut app = app_with(Broken(rules()), GameRecord::new(rules()), sides);
    assert!(screen(&app).contains("No verdict: the file is damaged"), "{}", screen(&app));
    press(&mut app, "a1a2<enter>il");
    assert_eq!(app.line.at(), 1);
}
