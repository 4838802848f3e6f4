//! The game of the example, added to the registry.

#[allow(dead_code, reason = "the main function of the example")]
#[path = "../examples/hexapawn.rs"]
mod hexapawn;

use bsq::Registry;
use bsq_api::{Class, Detail, Monitor, Outcome, Player, Request, Resources};
use bsq_engine::conformance;
use hexapawn::Hexapawn;

#[test]
fn the_traits_of_hexapawn_are_implemented_correctly() {
    conformance::check(&Hexapawn).unwrap_or_else(|violation| panic!("{violation}"));
}

/// The second player can always win (Gardner 1962).
#[test]
fn hexapawn_is_won_by_the_second_player() {
    let registry = Registry::standard().with::<Hexapawn>();
    let resources = Resources::new(1 << 20);
    let session = registry.get("hexapawn").unwrap().open(&[], None, &resources).unwrap();
    let request = Request { detail: Some(Detail::Moves), line: 100 };
    let answer = session.answer(request, &Monitor::default()).unwrap();
    let value = answer.value.unwrap();
    assert_eq!((value.outcome, value.winner), (Outcome::Win, Some(Player::Second)));
    assert_eq!(answer.principal_variation.unwrap().len() as u32, value.plies.unwrap());
    assert!(answer.moves.iter().all(|mv| mv.class != Some(Class::ChangesOutcome)));
}

/// The command runs in this process, without a job that needs threads of its own.
#[test]
fn the_command_has_the_game() {
    let line = ["bsq", "hexapawn", "analyze", "list"];
    let with = Registry::standard().with::<Hexapawn>();
    assert_eq!(bsq::run(&with, line), std::process::ExitCode::SUCCESS);
    assert_eq!(bsq::run(&Registry::standard(), line), std::process::ExitCode::from(2));
}
