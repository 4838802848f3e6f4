//! Agents: which there are, and how they choose.

use bsq_api::{Class, Detail, Kind, Monitor, Registry, Request, Resources, Session};
use std::collections::BTreeSet;

const MOVES: Request = Request { detail: Some(Detail::Moves), line: 0, time: None };

/// A small board of each game.
const SMALL: [(&str, &[(&str, &str)]); 4] = [
    ("british-square", &[("board", "3x4")]),
    ("dots", &[("board", "2x2")]),
    ("rpsw", &[("board", "4x3"), ("pieces", "2")]),
    ("mnk", &[("board", "3x4"), ("k", "3")]),
];

fn open(game: &str, rules: &[(&str, &str)]) -> Box<dyn Session> {
    let registry = Registry::standard();
    let resources = Resources::new(1 << 28);
    registry.get(game).unwrap().open(rules, None, &resources).unwrap()
}

fn choose(session: &dyn Session, agent: &str, seed: u64) -> String {
    session.choose(agent, seed, None, &Monitor::default()).unwrap().mv
}

fn names(game: &str) -> Vec<String> {
    let registry = Registry::standard();
    let agents = registry.get(game).unwrap().agents(&[]).unwrap();
    agents.into_iter().map(|agent| agent.name).collect()
}

#[test]
fn agents_are_listed_from_the_weakest_to_perfect_play() {
    assert_eq!(names("rpsw"), ["random", "mistakes-50", "mistakes-25", "mistakes-10", "perfect"]);
    assert_eq!(names("mnk"), names("rpsw"));
    let dots = ["greedy", "double-cross", "chain-rule", "mistakes-10", "perfect"];
    assert_eq!(names("dots")[3..], dots);
    let british_square = names("british-square");
    assert_eq!(british_square[..4], ["random", "mirror", "nearest-centre", "mistakes-50"]);
    assert_eq!(british_square.iter().rev().nth(1).unwrap(), "fifty-weights");
    assert_eq!(british_square.len(), 17 + 5);
}

/// The shares of mistakes are those of the published tables.
#[test]
fn shares_of_mistakes_are_those_measured() {
    let results = concat!(env!("CARGO_MANIFEST_DIR"), "/../results/");
    let measured = |file: &str| {
        let mut table = csv::Reader::from_path(format!("{results}{file}")).unwrap();
        let columns = table.headers().unwrap().clone();
        let at = |name: &str| columns.iter().position(|column| column == name).unwrap();
        let mut found = Vec::new();
        for row in table.records().map(Result::unwrap) {
            let share: f64 = row[at("fails_share")].parse().unwrap();
            found.push((row[0].to_string(), (share * 10_000.0).round() / 100.0));
        }
        found
    };
    let registry = Registry::standard();
    let check = |game: &str, measured: Vec<(String, f64)>| {
        let agents = registry.get(game).unwrap().agents(&[]).unwrap();
        for (name, share) in measured.iter().filter(|(name, _)| name != "random") {
            let agent = agents.iter().find(|agent| agent.name == *name).unwrap();
            assert_eq!(agent.mistakes, Some(*share), "{game} {name}");
        }
        measured.len()
    };
    let british_square = measured("heuristics.csv");
    assert_eq!(check("british-square", british_square), 18);
    assert_eq!(check("dots", measured("dots-rules-total.csv")), 3);
}

/// Perfect play meets itself and random play; every other agent plays legal moves to the end.
#[test]
fn agents_play_to_the_end_of_the_game() {
    for (game, rules) in SMALL {
        for agent in names(game) {
            let mut session = open(game, rules);
            for ply in 0..60 {
                let answer = session.answer(MOVES, &Monitor::default()).unwrap();
                if answer.is_over {
                    break;
                }
                let name = if ply % 2 == 0 { agent.as_str() } else { "random" };
                let mv = choose(session.as_ref(), name, ply);
                assert_eq!(mv, choose(session.as_ref(), name, ply), "{game} {name}");
                let class = answer.moves.iter().find(|it| it.name == mv).unwrap().class;
                assert!(name != "perfect" || class == Some(Class::Best), "{game}");
                session.play(&mv).unwrap();
            }
        }
    }
}

#[test]
fn the_seed_decides_between_preferred_moves_and_when_a_mistake_is_made() {
    let all = |game: &str, rules, agent: &str| {
        let session = open(game, rules);
        (0..200).map(|seed| choose(session.as_ref(), agent, seed)).collect::<BTreeSet<String>>()
    };
    let words = |names: &str| names.split(' ').map(str::to_string).collect::<BTreeSet<String>>();
    let greedy = words("7 8 9 12 14 17 18 19");
    assert_eq!(all("british-square", &[], "greedy"), greedy);
    assert_eq!(all("british-square", &[], "most claim"), greedy, "a typed decision list");
    assert_eq!(all("mnk", &[], "random").len(), 9);
    assert_eq!(all("mnk", &[], "mistakes-100").len(), 9);
    assert_eq!(all("mnk", &[], "perfect").len(), 1);
    assert_eq!(all("mnk", &[], "mistakes-0"), all("mnk", &[], "perfect"));
    let session = open("mnk", &[]);
    let perfect = choose(session.as_ref(), "perfect", 0);
    let other = (0..1000).filter(|&seed| choose(session.as_ref(), "mistakes-50", seed) != perfect);
    assert!((400..490).contains(&other.count()), "half of the moves are any of nine");
}

#[test]
fn errors_name_the_agents() {
    let error = |game: &str, agent: &str| {
        let error = open(game, &[]).choose(agent, 1, None, &Monitor::default()).unwrap_err();
        assert_eq!((error.kind, error.location.as_deref()), (Kind::Usage, Some("agent")));
        error.message
    };
    let known = "random, mistakes-50, mistakes-25, mistakes-10, perfect";
    assert_eq!(error("mnk", "greedy"), format!("unknown agent 'greedy'\nagents: {known}"));
    assert!(error("rpsw", "mistakes-101").ends_with(known));
    let message = error("british-square", "most clame");
    assert!(message.contains("did you mean 'claim'?") && message.contains("fifty-weights"));
}

#[test]
fn only_agents_that_need_values_depend_on_them() {
    let session = open("rpsw", &[]);
    let is_sure = |agent| session.choose(agent, 1, None, &Monitor::default()).unwrap().is_sure;
    assert!(!is_sure("perfect"));
    assert!(is_sure("random"));
}

#[test]
fn no_agent_moves_after_the_end() {
    let mut session = open("mnk", &[]);
    session.play("a1 a2 b1 b2 c1").unwrap();
    let error = session.choose("random", 1, None, &Monitor::default()).unwrap_err();
    assert_eq!((error.kind, error.message.as_str()), (Kind::Usage, "the game is over"));
}

#[test]
fn a_move_is_liked_by_the_heuristics_that_prefer_it() {
    let mut session = open("british-square", &[("board", "4x4")]);
    session.play("1").unwrap();
    let liked = session.liked_by("16");
    assert!(liked.contains(&"mirror".to_string()), "{liked:?}");
    assert!(!session.liked_by("8").contains(&"mirror".to_string()));
    // A heuristic that likes every move is no reason.
    let dots = open("dots", &[("board", "2x2")]);
    assert_eq!(dots.liked_by("a1-b1"), Vec::<String>::new());
    assert_eq!(open("mnk", &[]).liked_by("b2"), Vec::<String>::new());
}
