//! The game of the example, added to the registry.

use bsq::Registry;
use bsq_api::{Class, Detail, Monitor, Outcome, Player, Request, Resources};
use bsq_engine::conformance;
use bsq_engine::definition::{Explorable, Info};
use bsq_engine::game::{Game, Notation, Value};
use bsq_engine::options::{OptionKind, RuleOption};
use bsq_engine::record::{RecordFormat, Recorded};
use bsq_engine::view::{Scene, View};
use hexapawn::Hexapawn;
use std::sync::LazyLock;

/// The blocks of Rust of the chapter, one after the other, are the example.
#[test]
fn the_chapter_is_the_example() {
    let chapter = include_str!("../docs/adding.md").split("```rust\n").skip(1);
    let blocks: Vec<&str> = chapter.map(|rest| rest.split("```").next().unwrap()).collect();
    let (program, game) = blocks.split_last().unwrap();
    assert_eq!(game.join("\n"), include_str!("../examples/hexapawn/src/lib.rs"));
    assert_eq!(*program, include_str!("../examples/hexapawn/src/main.rs"));
}

#[test]
fn the_traits_of_hexapawn_are_implemented_correctly() {
    conformance::check(&Hexapawn).unwrap_or_else(|violation| panic!("{violation}"));
    conformance::check_rules(&Hexapawn).unwrap_or_else(|violation| panic!("{violation}"));
}

/// The second player can always win (Gardner 1962).
#[test]
fn hexapawn_is_won_by_the_second_player() {
    let registry = Registry::standard().with(Hexapawn);
    let resources = Resources::new(1 << 20);
    let session = registry.get("hexapawn").unwrap().open(&[], None, &resources).unwrap();
    let request = Request { detail: Some(Detail::Moves), line: 100, time: None };
    let answer = session.answer(request, &Monitor::default()).unwrap();
    let value = answer.value.unwrap();
    assert_eq!(value.outcome, Outcome::Second);
    assert_eq!(answer.principal_variation.unwrap().len() as u32, value.plies.unwrap());
    assert!(answer.moves.iter().all(|mv| mv.class != Some(Class::ChangesOutcome)));
}

/// The command runs in this process, without a job that needs threads of its own.
#[test]
fn the_command_has_the_game() {
    let line = ["bsq", "hexapawn", "analyze", "list"];
    let with = Registry::standard().with(Hexapawn);
    assert_eq!(bsq::run(&with, line), std::process::ExitCode::SUCCESS);
    assert_eq!(bsq::run(&Registry::standard(), line), std::process::ExitCode::from(2));
}

/// A pawn on the far row has won, even if the other player is to move and has no move.
#[test]
fn the_far_row_wins() {
    let result =
        |text: &str| Hexapawn.result(&Hexapawn.parse_position(text).unwrap()).unwrap().winner();
    for mover in ["X", "O"] {
        assert_eq!(result(&format!("X.X/O.O/.X. {mover}")), Some(Player::First));
        assert_eq!(result(&format!(".../X.X/O.O {mover}")), Some(Player::Second));
    }
    assert_eq!(result("O../X../... X"), Some(Player::Second));
    let error = Hexapawn.parse_move(&Hexapawn.start(), "z9").unwrap_err().to_string();
    assert_eq!(error, "'z9' is not a move such as a3a2");
    let error = Hexapawn.parse_position("a3a2").unwrap_err().to_string();
    assert_eq!(error, "'a3a2' is not a position such as 'OOO/.../XXX X'");
    let error = Hexapawn.illegal_move(&Hexapawn.start(), (0, 3)).to_string();
    assert_eq!(error, "'a1a2' is not legal here");
}

/// A piece that both players move around a ring of three cells, for ever, in one or both directions.
#[derive(Clone, Default)]
struct Ring {
    both: bool,
}

impl Game for Ring {
    type Position = (u8, Player);
    type Move = u8;

    fn start(&self) -> (u8, Player) {
        (0, Player::First)
    }

    fn to_move(&self, position: &(u8, Player)) -> Player {
        position.1
    }

    fn moves(&self, _: &(u8, Player)) -> Vec<u8> {
        if self.both { vec![1, 2] } else { vec![1] }
    }

    fn play(&self, &(cell, player): &(u8, Player), steps: u8) -> (u8, Player) {
        ((cell + steps) % 3, player.other())
    }

    fn result(&self, _: &(u8, Player)) -> Option<Value> {
        None
    }
}

impl Notation for Ring {
    type Error = std::num::ParseIntError;

    fn format_position(&self, &(cell, player): &(u8, Player)) -> String {
        (2 * cell + player as u8).to_string()
    }

    fn parse_position(&self, text: &str) -> Result<(u8, Player), Self::Error> {
        let number: u8 = text.parse()?;
        Ok((number / 2 % 3, Player::BOTH[usize::from(number % 2)]))
    }

    fn format_move(&self, _: &(u8, Player), steps: u8) -> String {
        steps.to_string()
    }

    fn parse_move(&self, _: &(u8, Player), text: &str) -> Result<u8, Self::Error> {
        text.parse()
    }
}

impl Recorded for Ring {
    type MoveError = std::num::ParseIntError;

    fn format(&self) -> &RecordFormat {
        static FORMAT: LazyLock<RecordFormat> = LazyLock::new(|| {
            let options = [RuleOption::new(
                "both",
                OptionKind::Truth,
                Some("no"),
                "Whether the piece moves in both directions",
            )];
            RecordFormat::new("Ring", options, "moves: 1", 20)
        });
        &FORMAT
    }

    fn illegal_move(&self, _: &(u8, Player), _: u8) -> Self::MoveError {
        "".parse::<u8>().unwrap_err()
    }

    fn entries(&self) -> Vec<(&str, String)> {
        self.both.then(|| ("both", "yes".to_string())).into_iter().collect()
    }

    fn set_rule(&mut self, _: &str, value: &str) -> Result<(), String> {
        self.both = value == "yes";
        Ok(())
    }
}

impl View for Ring {
    fn scene(&self, &(cell, _): &(u8, Player)) -> Scene {
        Scene::of_pieces(1, 3, ["X", "O"], |at| (at == usize::from(cell)).then_some(Player::First))
    }

    fn places(&self, _: &(u8, Player), _: u8) -> Vec<String> {
        vec![]
    }
}

impl Explorable for Ring {
    fn info(&self) -> &Info {
        static INFO: Info = Info::new("ring", "Ring", "A ring", "");
        &INFO
    }
}

/// The variable with the arguments of [`runs_the_command`].
const LINE: &str = "BSQ_TEST_LINE";

/// Whether the command with the games of this file succeeds, and its standard error.
fn ran(line: &str) -> (bool, String) {
    let mut this = std::process::Command::new(std::env::current_exe().unwrap());
    let ran = this.args(["--exact", "runs_the_command", "--nocapture"]).env(LINE, line);
    let ran = ran.output().unwrap();
    (ran.status.success(), String::from_utf8(ran.stderr).unwrap())
}

/// Runs the command in the process that [`ran`] starts; does nothing in any other.
#[test]
fn runs_the_command() {
    let Ok(line) = std::env::var(LINE) else { return };
    let registry = Registry::empty().with(Ring::default()).with(Hexapawn);
    let ended = bsq::run(&registry, ["bsq"].into_iter().chain(line.split(' ')));
    std::process::exit(i32::from(ended != std::process::ExitCode::SUCCESS));
}

/// A question that has no answer where positions repeat does not end the others.
#[test]
fn a_game_with_cycles_is_analysed() {
    for both in [false, true] {
        conformance::check(&Ring { both }).unwrap();
    }
    conformance::check_rules(&Ring::default()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("all");
    let (succeeds, said) = ran(&format!("ring analyze all --out {}", to.display()));
    assert!(succeeds, "{said}");
    assert!(said.contains("playouts left out: "), "{said}");
    let has = |name: &str| to.join(format!("{name}.csv")).exists();
    assert!(has("positions") && has("depths") && !has("playouts"));
    let (succeeds, said) = ran("ring analyze playouts");
    assert!(!succeeds && said.contains("error: "), "{said}");
}

#[test]
fn a_question_refuses_the_options_of_others() {
    let (succeeds, said) = ran("hexapawn analyze positions --depth 3");
    assert!(
        !succeeds && said.contains("'positions' takes no --depth; it takes --position, --moves\n"),
        "{said}"
    );
    let (_, said) = ran("ring analyze positions --depth 3");
    assert!(
        said.contains("'positions' takes no --depth; it takes --both, --position, --moves\n"),
        "{said}"
    );
}

/// A draw without an end is shown up to the first repeated position, whatever the limit is.
#[test]
fn the_principal_variation_ends_with_a_repeated_position() {
    let game = Registry::empty().with(Ring::default());
    let session = game.get("ring").unwrap().open(&[], None, &Resources::new(1 << 20)).unwrap();
    for (line, moves) in [(1000, 6), (6, 6), (4, 4)] {
        let request = Request { detail: Some(Detail::Moves), line, time: None };
        let answer = session.answer(request, &Monitor::default()).unwrap();
        assert_eq!(answer.principal_variation.unwrap().len(), moves);
    }
}

/// Only yes and no are values, so that what is not yes does not mean no.
#[test]
fn truth_values_are_compared_with_their_kind() {
    let registry = Registry::empty().with(Ring::default());
    let ring = registry.get("ring").unwrap();
    assert_eq!(ring.rules(&[("both", "yes")]).unwrap()["both"].as_deref(), Some("yes"));
    let error = ring.rules(&[("both", "true")]).unwrap_err();
    assert_eq!(error.location.as_deref(), Some("both"));
    assert_eq!(error.message, "'true' is neither yes nor no");
    let record = ring.load("both: true\nmoves: 2", &[], &Resources::new(1 << 20)).err().unwrap();
    assert_eq!(record.message, "line 1: both: 'true' is neither yes nor no");
}
