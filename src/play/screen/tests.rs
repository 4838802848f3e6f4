//! Tests whole games by keys and clicks, and their screens.

use super::app::{App, Popup};
use super::grid::Grid;
use super::style::Look;
use super::{drawing, keys};
use crate::play::contest::{Contest, Side};
use bsq_analyses::palette::{FIRST, SECOND};
use bsq_api::{Monitor, Player, Registry, Request, Resources};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::{Buffer, Cell};
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::style::{Color, Modifier};
use std::time::{Duration, Instant};

type Rules<'a> = &'a [(&'a str, &'a str)];

const BRITISH_SQUARE: (&str, Rules) = ("british-square", &[]);
const SMALL_DOTS: (&str, Rules) = ("dots", &[("board", "2x2")]);
const DOTS: (&str, Rules) = ("dots", &[("board", "3x3")]);
const RPSW: (&str, Rules) = ("rpsw", &[("board", "4x3"), ("pieces", "2")]);
const MNK: (&str, Rules) = ("mnk", &[]);

/// A game from the start, or after moves, without colours and nothing evaluated yet.
fn unsettled((game, rules): (&str, Rules), moves: &str, sides: [&str; 2]) -> App {
    let registry = Registry::standard();
    let game = registry.get(game).unwrap();
    let resources = Resources::new(1 << 28);
    let mut session = game.open(rules, None, &resources).unwrap();
    session.play(moves).unwrap();
    let sides = sides.map(|name| match name {
        Side::YOU => Side::You,
        name => Side::Agent(name.to_string()),
    });
    let board = session.answer(Request::default(), &Monitor::default()).unwrap();
    let board = board.rules["board"].clone().unwrap();
    let contest = Contest::new(session, sides, 1, Duration::from_secs(60)).unwrap();
    App::new(contest, (game.info().clone(), board), Look { color: false }, true).unwrap()
}

fn app_of(game: (&str, Rules), moves: &str, sides: [&str; 2]) -> App {
    let mut app = unsettled(game, moves, sides);
    app.settle();
    app
}

/// A game of two people at the keyboard.
fn app(game: (&str, Rules)) -> App {
    app_of(game, "", ["you", "you"])
}

/// The cells of the screen, and the area of the board.
fn cells(app: &App, width: u16, height: u16) -> (Buffer, Option<Grid>) {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    let mut grid = None;
    terminal.draw(|frame| grid = drawing::draw(app, frame)).unwrap();
    (terminal.backend().buffer().clone(), grid)
}

/// The screen as text.
fn look(app: &App, width: u16, height: u16) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal
        .draw(|frame| {
            let _grid = drawing::draw(app, frame);
        })
        .unwrap();
    terminal.backend().to_string()
}

/// The screen of the usual size as text.
fn screen(app: &App) -> String {
    look(app, 80, 24)
}

/// Presses keys one by one; `<name>` is a key with a name.
fn press(app: &mut App, keys: &str) {
    let named = [
        ("<enter>", KeyCode::Enter),
        ("<left>", KeyCode::Left),
        ("<right>", KeyCode::Right),
        ("<up>", KeyCode::Up),
        ("<down>", KeyCode::Down),
        ("<page>", KeyCode::PageDown),
        ("<tab>", KeyCode::Tab),
        ("<back>", KeyCode::Backspace),
        ("<esc>", KeyCode::Esc),
        ("<home>", KeyCode::Home),
        ("<end>", KeyCode::End),
    ];
    let mut rest = keys;
    while let Some(first) = rest.chars().next() {
        let found = named.into_iter().find(|(name, _)| rest.starts_with(name));
        let (length, code) = found
            .map_or((first.len_utf8(), KeyCode::Char(first)), |(name, code)| (name.len(), code));
        rest = &rest[length..];
        let event = Event::Key(KeyEvent::new(code, KeyModifiers::NONE));
        keys::follow(app, &event, None);
        app.settle();
    }
}

/// Clicks on a place.
fn click(app: &mut App, name: &str) {
    let grid = cells(app, 80, 24).1.unwrap();
    let places = &app.contest.now().scene.places;
    let area = grid.place(places.iter().find(|place| place.name == name).unwrap());
    let kind = MouseEventKind::Down(MouseButton::Left);
    let modifiers = KeyModifiers::NONE;
    let mouse = MouseEvent { kind, column: area.x, row: area.y, modifiers };
    keys::follow(app, &Event::Mouse(mouse), Some(&grid));
    app.settle();
}

fn moves(app: &App) -> String {
    app.contest.session.moves().join(" ")
}

/// The cells of the screen that belong to a place.
fn place<'a>(app: &App, cells: &'a (Buffer, Option<Grid>), name: &str) -> Vec<&'a Cell> {
    let grid = cells.1.as_ref().unwrap();
    let places = &app.contest.now().scene.places;
    let area = grid.place(places.iter().find(|place| place.name == name).unwrap());
    area.positions().map(|at| &cells.0[at]).collect()
}

#[test]
fn every_game_as_it_looks() {
    for (name, game, line) in [
        ("british_square", BRITISH_SQUARE, "7 4"),
        ("dots", DOTS, "a1-b1 a1-a2 b1-b2 c2-c3 d1-d2 b3-b4 c3-c4 a2-b2 a4-b4"),
        ("rpsw", RPSW, "b1a2"),
        ("mnk", MNK, "b2 a2"),
    ] {
        let app = app_of(game, line, ["you", "you"]);
        insta::assert_snapshot!(name, screen(&app));
        insta::assert_snapshot!(format!("{name}_large"), look(&app, 120, 40));
    }
}

#[test]
fn popups_come_and_go() {
    let mut app = app_of(BRITISH_SQUARE, "7 19", ["you", "greedy"]);
    press(&mut app, "?");
    insta::assert_snapshot!("help", screen(&app));
    let help = screen(&app);
    let rows = help.lines().filter(|row| row.contains('│'));
    assert!(rows.into_iter().all(|row| row.ends_with("│\"")), "nothing stands beside it: {help}");
    press(&mut app, "u");
    assert_eq!((app.popup, app.contest.session.at()), (None, 2));
    press(&mut app, "t");
    assert_eq!(app.popup, Some(Popup::Game));
    assert!(screen(&app).contains("moves: 7 19"));
    press(&mut app, "q");
    assert!(app.over);
}

#[test]
fn no_size_is_a_panic() {
    for (game, line) in [(BRITISH_SQUARE, "7 4"), (DOTS, "a1-b1"), (RPSW, "b1a2 a4a3")] {
        let mut app = app_of(game, line, ["you", "you"]);
        for keys in ["", "l", "?", "?p", "<esc>t", "<esc>vi"] {
            press(&mut app, keys);
            for width in (1..130).step_by(17) {
                for height in (1..40).step_by(5) {
                    look(&app, width, height);
                }
            }
        }
    }
    let app = app(BRITISH_SQUARE);
    assert!(look(&app, 40, 10).contains("The terminal is too small"));
}

#[test]
fn a_mistake_is_named_and_taken_back() {
    let mut app = app(BRITISH_SQUARE);
    press(&mut app, "7<enter>4<enter>");
    assert_eq!(
        app.warning,
        "4 costs 1 point: the first player wins by 3 points (best: the first player wins by 2 \
         points). u takes it back."
    );
    assert!(screen(&app).contains("1 7   4?1"), "{}", screen(&app));
    let warning = app.warning.clone();
    press(&mut app, "i");
    assert_eq!((app.warning.as_str(), app.hint), (warning.as_str(), false));
    assert!(screen(&app).contains("* marks the best moves"), "{}", screen(&app));
    press(&mut app, "u");
    assert_eq!((app.contest.session.at(), app.warning.as_str()), (1, ""));
    press(&mut app, "w4<enter>");
    assert_eq!((app.contest.session.at(), app.warning.as_str()), (2, ""));
    for (game, line, shown) in
        [(BRITISH_SQUARE, "8", "8??2"), (RPSW, "b1c1", "b1c1??"), (MNK, "b2 b1", "b1??")]
    {
        let mut app = app_of(game, line, ["you", "you"]);
        assert!(screen(&app).contains(shown), "{}", screen(&app));
        press(&mut app, "v");
        assert!(!screen(&app).contains("??"), "{}", screen(&app));
    }
}

#[test]
fn a_warning_comes_however_late_the_values_are() {
    let mut late = unsettled(BRITISH_SQUARE, "7", ["greedy", "you"]);
    // The previous position is not evaluated yet, and the agent answers first.
    late.click("d1".to_string());
    while late.contest.session.at() < 3 {
        late.values.wait();
        late.tick(Instant::now() + Duration::from_secs(9));
        assert_eq!(late.warning, "");
    }
    late.settle();
    assert!(late.warning.starts_with("4 costs 1 point"), "{}", late.warning);
    assert!(late.message.starts_with("greedy plays "), "{}", late.message);
}

#[test]
fn keys_clicks_and_names_play_alike() {
    let mut app = app(BRITISH_SQUARE);
    press(&mut app, "<left><down><enter>");
    click(&mut app, "d4");
    press(&mut app, "c1<enter>");
    assert_eq!(moves(&app), "12 19 3");
    press(&mut app, "99<enter>");
    assert!(app.message.contains("'99' is not a tile"), "{}", app.message);
    press(&mut app, "25<enter>2<back>2<esc>");
    assert_eq!((moves(&app), app.entry.clone()), ("12 19 3 25".to_string(), None));
    press(&mut app, "<back>");
    assert_eq!((app.contest.session.at(), moves(&app).as_str()), (3, "12 19 3 25"));

    let mut app = self::app(DOTS);
    press(&mut app, "a1-b1<enter>");
    click(&mut app, "a1-a2");
    press(&mut app, ":b1-b2<enter>");
    let lines = app.contest.session.moves();
    assert_eq!(lines, ["a1-b1", "a1-a2", "b1-b2"]);
    press(&mut app, "<enter>");
    assert_eq!(app.contest.session.at(), 4, "the cursor is at an open line");
}

#[test]
fn a_move_of_two_places_is_chosen_place_by_place() {
    let mut app = app(RPSW);
    click(&mut app, "b1");
    assert_eq!((app.picked.as_slice(), moves(&app).as_str()), (&["b1".to_string()][..], ""));
    assert!(screen(&app).contains("b1: where to?"), "{}", screen(&app));
    // The values of the moves of this piece are at their destinations.
    let drawn = cells(&app, 80, 24);
    let text: String = place(&app, &drawn, "a2").iter().map(|cell| cell.symbol()).collect();
    assert!(text.contains("W5*"), "{text}");
    click(&mut app, "b1");
    assert!(app.picked.is_empty());
    press(&mut app, "<enter>");
    assert_eq!(app.picked, ["b1"]);
    click(&mut app, "a1");
    assert_eq!(app.picked, ["a1"], "another piece");
    press(&mut app, "<esc>");
    assert!(app.picked.is_empty());
    click(&mut app, "b1");
    click(&mut app, "a2");
    assert_eq!(moves(&app), "b1a2");
    // An illegal move is explained.
    click(&mut app, "b4");
    click(&mut app, "b2");
    assert!(app.message.contains("b4b2 is not legal here"), "{}", app.message);
    // A move of the list.
    press(&mut app, "<page><page>");
    let listed = app.shown_moves()[1].name.clone();
    assert_eq!(app.entry.as_ref(), Some(&listed));
    press(&mut app, "<enter>");
    assert_eq!(moves(&app), format!("b1a2 {listed}"));
}

#[test]
fn back_and_forth_along_the_game() {
    let mut app = app(BRITISH_SQUARE);
    press(&mut app, "7<enter>19<enter>9<enter>");
    for (keys, at) in
        [("u", 2), ("r", 3), ("[[", 1), ("]", 2), ("<home>", 0), ("u", 0), ("<end>", 3)]
    {
        press(&mut app, keys);
        assert_eq!(app.contest.session.at(), at, "{keys}");
    }
    press(&mut app, "<home>7<enter>");
    assert_eq!((app.contest.session.at(), moves(&app).as_str()), (1, "7 19 9"));
    press(&mut app, "23<enter>");
    assert_eq!((app.contest.session.at(), moves(&app).as_str()), (2, "7 23"));
    press(&mut app, "n");
    assert_eq!(app.contest.session.at(), 0);
}

#[test]
fn perfect_play_keeps_the_value_to_the_end() {
    for (game, says) in [
        (BRITISH_SQUARE, "The first player has won by 2 points"),
        (SMALL_DOTS, "The first player has won by 2 points"),
        (RPSW, "The first player has won"),
        (MNK, "The game is a tie"),
    ] {
        let mut app = app_of(game, "", ["perfect", "perfect"]);
        assert!(app.contest.now().is_over);
        assert!(look(&app, 120, 40).contains(says), "{}", look(&app, 120, 40));
        press(&mut app, "u");
        assert!(app.waits_for_go());
        press(&mut app, "<enter>");
        assert!(app.contest.now().is_over);
    }
}

#[test]
fn an_agent_answers_and_undo_takes_both_back() {
    let mut app = app_of(BRITISH_SQUARE, "", ["you", "greedy"]);
    press(&mut app, "7<enter>");
    assert_eq!(app.contest.session.at(), 2);
    assert!(app.message.starts_with("greedy plays"), "{}", app.message);
    press(&mut app, "2<enter>");
    assert!(app.warning.contains("costs") && app.message.contains("greedy plays"));
    assert_eq!(app.contest.session.at(), 4);
    press(&mut app, "u");
    assert_eq!(app.contest.session.at(), 2);
    press(&mut app, "[");
    assert!(app.waits_for_go() && screen(&app).contains("greedy waits: Enter"));
    press(&mut app, "<enter>");
    assert_eq!(app.contest.session.at(), 2);
}

#[test]
fn an_agent_without_values_says_so() {
    let mut app = unsettled(("rpsw", &[]), "", ["perfect", "you"]);
    app.settle();
    let shown = look(&app, 120, 40);
    assert!(shown.contains("No value: solving the game takes 6.2 GiB"), "{shown}");
    // It looks some plies ahead.
    assert!(app.message.starts_with("perfect plays"), "{}", app.message);
    assert!(app.message.ends_with(", the best move so far."), "{}", app.message);
    assert_eq!(app.contest.session.at(), 1);
    press(&mut app, "p<up><up><up><up><up><up><up><enter>");
    assert_eq!(*app.contest.side(Player::First), Side::You);
}

#[test]
fn players_are_chosen_from_a_list() {
    let mut app = app(BRITISH_SQUARE);
    press(&mut app, "p");
    insta::assert_snapshot!("players", screen(&app));
    press(&mut app, "<down><down><down>");
    assert_eq!(app.popup, Some(Popup::Players(Player::Second, 3)));
    press(&mut app, "<enter>");
    assert_eq!(*app.contest.side(Player::Second), Side::Agent("nearest-centre".to_string()));
    assert_eq!(app.message, "The second player: nearest-centre.");
    press(&mut app, "p<tab><down><enter>");
    assert_eq!(*app.contest.side(Player::First), Side::Agent("random".to_string()));
    assert!(app.contest.now().is_over, "both play by themselves");
}

#[test]
fn hidden_values_are_nowhere() {
    let mut app = app(BRITISH_SQUARE);
    press(&mut app, "v7<enter>");
    let hidden = screen(&app);
    assert!(!hidden.contains('*') && !hidden.contains("+2") && hidden.contains("are hidden"));
    press(&mut app, "i");
    let hint = screen(&app);
    assert!(hint.contains("Hint: 3 9 10 11") && hint.matches('*').count() == 12, "{hint}");
    press(&mut app, "i");
    assert_eq!(screen(&app), hidden);
    press(&mut app, "m");
    assert_ne!(screen(&app), hidden);
    press(&mut app, "l");
    assert!(screen(&app).contains("Best play:"));
}

#[test]
fn other_rules_and_a_pass() {
    let rules = [("board", "1x3"), ("bias", "2"), ("center allowed", "yes")];
    let mut app = app(("british-square", &rules));
    press(&mut app, "2<enter>");
    assert!(!app.contest.now().is_over);
    assert!(screen(&app).contains("No placement is legal: Enter passes."), "{}", screen(&app));
    press(&mut app, "<enter>1<enter>0<enter>3<enter>");
    assert_eq!(moves(&app), "2 pass 1 pass 3");
    assert!(screen(&app).contains("Score so far +1"), "{}", screen(&app));
}

/// The colours of players, and no style of the grid in pieces and values.
#[test]
fn pieces_have_the_colours_of_their_players() {
    let mut app = app_of(BRITISH_SQUARE, "7 19", ["you", "you"]);
    app.look = Look { color: true };
    let drawn = cells(&app, 80, 24);
    for (name, color) in
        [("b2", Color::Indexed(FIRST.terminal())), ("d4", Color::Indexed(SECOND.terminal()))]
    {
        for cell in place(&app, &drawn, name) {
            assert_eq!((cell.bg, cell.modifier.contains(Modifier::DIM)), (color, false), "{name}");
        }
    }
    let plain = |name| {
        let cells = place(&app, &drawn, name);
        let value = cells.into_iter().find(|cell| cell.symbol() == "+").unwrap();
        (value.fg, value.modifier.contains(Modifier::DIM))
    };
    assert_eq!(plain("e2"), (Color::Indexed(FIRST.terminal()), false));
    app.look = Look { color: false };
    let drawn = cells(&app, 80, 24);
    assert!(drawn.0.content.iter().all(|cell| (cell.fg, cell.bg) == (Color::Reset, Color::Reset)));
}

/// The cursor and the mark of the last move leave the piece visible.
#[test]
fn the_cursor_and_the_last_move_are_marked_around_the_piece() {
    for (width, height) in [(80, 24), (50, 13)] {
        let mut app = app_of(BRITISH_SQUARE, "7 19", ["you", "you"]);
        let text = |app: &App, name: &str| {
            let drawn = cells(app, width, height);
            place(app, &drawn, name).iter().map(|cell| cell.symbol()).collect::<String>()
        };
        assert!(text(&app, "d4").contains("(O)"));
        assert!(text(&app, "b2").contains('X') && !text(&app, "b2").contains('('));
        let without = look(&app, width, height);
        app.cursor = Some("b2".to_string());
        assert!(text(&app, "b2").contains('X'));
        assert_ne!(look(&app, width, height), without);
    }
}
