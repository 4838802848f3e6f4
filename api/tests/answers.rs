//! Answers of all games: their values, their keys, and that the text of an answer can be asked about
//! again.

use bsq_api::requests::{Local, options_of};
use bsq_api::{
    AnalysisError, Answer, BuildRequest, Class, Cost, Detail, Fact, Game, Kind, Mark, Monitor,
    MoveAnswer, Outcome, PlaceAnswer, Player, Registry, Request, Resources, SceneAnswer, Score,
    Session, State, Task, Verification, Wanted,
};
use bsq_games::dots::{Board, Nimber, Nimstring};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

const EVERYTHING: Request = Request { detail: Some(Detail::Moves), line: 100, time: None };

fn resources() -> Resources {
    Resources::new(1 << 28)
}

/// A session of a small game of each kind.
fn sessions() -> Vec<Box<dyn Session>> {
    let registry = Registry::standard();
    let rules: &[(&str, &[(&str, &str)])] = &[
        ("british-square", &[("board", "3x4"), ("bias", "1"), ("center allowed", "yes")]),
        ("dots", &[("board", "2x2"), ("variant", "icelandic"), ("penalty", "-1")]),
        ("rpsw", &[("board", "4x3"), ("pieces", "2")]),
        ("mnk", &[("board", "3x4"), ("k", "3")]),
    ];
    let open = |(name, rules): &(&str, &[_])| {
        registry.get(name).unwrap().open(rules, None, &resources()).unwrap()
    };
    assert_eq!(rules.len(), registry.games().count());
    rules.iter().map(open).collect()
}

fn answer(session: &dyn Session) -> Answer {
    session.answer(EVERYTHING, &Monitor::default()).unwrap()
}

fn open(game: &str, rules: &[(&str, &str)], position: Option<&str>) -> Answer {
    let registry = Registry::standard();
    let game = registry.get(game).unwrap();
    answer(game.open(rules, position, &resources()).unwrap().as_ref())
}

#[test]
fn the_moves_of_an_example_lead_to_its_position() {
    for game in Registry::standard().games() {
        let example = game.example();
        let open = |position| game.open(&[], position, &resources()).unwrap();
        let mut session = open(None);
        session.play(&example.moves).unwrap();
        assert_eq!(session.moves().join(" "), example.moves);
        for session in [session, open(Some(&example.position))] {
            let answer = session.answer(Request::default(), &Monitor::default()).unwrap();
            assert_eq!(answer.position, example.position, "{}", answer.game);
        }
    }
}

/// Plays the worst move of every position, which shows more than best play does.
#[test]
fn values_of_moves_are_those_of_the_positions_after_them() {
    for mut session in sessions() {
        for _ in 0..6 {
            let before = answer(session.as_ref());
            let Some(worst) = before.moves.last() else { break };
            session.play(&worst.name).unwrap();
            let after = answer(session.as_ref());
            let (announced, value) = (worst.value.unwrap(), after.value.unwrap());
            let announced = (announced.outcome, announced.score);
            assert_eq!(announced, (value.outcome, value.score), "{}", after.game);
            let plies = worst.value.unwrap().plies;
            assert_eq!(plies, value.plies.map(|plies| plies + 1));
        }
    }
}

#[test]
fn best_moves_come_first_and_keep_the_value() {
    for session in sessions() {
        let found = answer(session.as_ref());
        assert_eq!(found.moves[0].class, Some(Class::Best));
        for mv in &found.moves {
            let value = mv.value.unwrap();
            let wanted = match (
                value == found.value.unwrap(),
                value.winner() == found.value.unwrap().winner(),
            ) {
                (true, _) => Class::Best,
                (false, true) => Class::KeepsOutcome,
                (false, false) => Class::ChangesOutcome,
            };
            assert_eq!(mv.class, Some(wanted), "{} {}", found.game, mv.name);
            if let (Some(cost), Some(score)) = (mv.cost, value.score) {
                let best = found.value.unwrap().score.unwrap();
                assert_eq!(cost.abs(), (best - score).abs());
                assert!(cost.signum() >= 0);
            }
        }
    }
}

#[test]
fn every_place_of_a_move_is_in_the_scene() {
    for mut session in sessions() {
        for _ in 0..4 {
            let found = answer(session.as_ref());
            for mv in &found.moves {
                for place in &mv.places {
                    let there = found.scene.places.iter().filter(|it| it.name == *place);
                    assert_eq!(there.count(), 1, "{} {place}", found.game);
                }
            }
            let Some(first) = found.moves.first() else { break };
            session.play(&first.name).unwrap();
        }
    }
}

#[test]
fn a_record_and_a_position_lead_to_the_same_answer() {
    let registry = Registry::standard();
    for mut session in sessions() {
        let first = answer(session.as_ref()).moves[0].name.clone();
        session.play(&first).unwrap();
        let found = answer(session.as_ref());
        let game = registry.get(&found.game).unwrap();
        let loaded = game.load(&session.record(), &[], &resources()).unwrap();
        assert_eq!(answer(loaded.as_ref()), found);
        assert_eq!((loaded.at(), loaded.moves()), (1, vec![first]));

        let rules: Vec<(String, String)> = found
            .rules
            .iter()
            .filter_map(|(name, value)| Some((name.replace('_', " "), value.clone()?)))
            .collect();
        let rules: Vec<(&str, &str)> =
            rules.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let engine = game.engine(&rules, &resources()).unwrap();
        let asked = engine.session(Some(&found.position)).unwrap();
        let again = Answer { played: found.played.clone(), ..answer(asked.as_ref()) };
        assert_eq!(again, found);
    }
}

#[test]
fn moves_are_taken_back_and_played_again() {
    for mut session in sessions() {
        let start = answer(session.as_ref());
        session.play(&start.moves[0].name).unwrap();
        let after = answer(session.as_ref());
        session.go_to(0);
        assert_eq!(answer(session.as_ref()), start);
        session.go_to(9);
        assert_eq!(answer(session.as_ref()), after);
    }
}

/// Wellons, I Solved British Square, 2020: the first player wins by two.
#[test]
fn british_square() {
    let found = open("british-square", &[], None);
    let value = found.value.unwrap();
    assert_eq!((value.winner(), value.score), (Some(Player::First), Some(2.into())));
    let best = found.moves.iter().filter(|mv| mv.class == Some(Class::Best));
    let best: Vec<&str> = best.map(|mv| mv.name.as_str()).collect();
    assert_eq!(best, ["7", "9", "17", "19"]);
    let after = open("british-square", &[], Some("X.... ..... ..... ..... ....O X"));
    let state = |name: &str| {
        let place = after.scene.places.iter().find(|place| place.name == name).unwrap();
        (place.state, place.owner, place.symbol.as_deref())
    };
    assert_eq!(state("a1"), (State::Taken, Some(Player::First), Some("X")));
    assert_eq!(state("b1"), (State::Claimed, Some(Player::First), None));
    assert_eq!(state("e4"), (State::Claimed, Some(Player::Second), None));
    assert_eq!(state("c3"), (State::Empty, None, None));
}

/// A position determines the board. Its value is unknown if its past is.
#[test]
fn dots_and_boxes() {
    let found = open("dots", &[], Some("-./|?|../-. A"));
    assert_eq!(found.rules["board"].as_deref(), Some("1x2"));
    assert_eq!((found.value, found.score), (None, None));
    assert_eq!(found.to_come, Some(1.into()));
    let mv = &found.moves[0];
    assert_eq!((mv.class, mv.to_come), (Some(Class::Best), found.to_come));
    assert_eq!(mv.facts["taken"], Fact::Integer(0));
    assert_eq!(mv.facts["next_loony_move"], Fact::Unknown);
    let range = (found.to_come_min, found.to_come_max, found.proved);
    assert_eq!(range, (found.to_come, found.to_come, true));
}

/// If the points so far are not known, bounds are on those to come.
#[test]
fn points_to_come_have_bounds_when_time_is_over() {
    let position = "-.../|?|....../-.../........./..../........./..../........./.... A";
    let game = Registry::standard().get("dots").unwrap().open(&[], Some(position), &resources());
    let request = Request { time: Some(Duration::from_millis(50)), ..EVERYTHING };
    let found = game.unwrap().answer(request, &Monitor::default()).unwrap();
    assert_eq!((found.score_min, found.to_come, found.proved), (None, None, false));
    let (least, most) = (found.to_come_min.unwrap(), found.to_come_max.unwrap());
    assert!(Score::from(-15) <= least && least < most && most <= 15.into(), "{least} {most}");
}

#[test]
fn rock_paper_scissors_well() {
    let found = open("rpsw", &[("pieces", "1"), ("board", "3x3")], None);
    let value = found.value.unwrap();
    assert_eq!((value.outcome, value.plies), (Outcome::First, Some(3)));
    assert_eq!(found.principal_variation.unwrap().len(), 3);
    let registry = Registry::standard();
    let whole = registry.get("rpsw").unwrap().open(&[], None, &resources()).unwrap();
    let refused = whole.answer(EVERYTHING, &Monitor::default()).unwrap_err();
    assert_eq!(refused.kind, Kind::Refused);
    assert!(refused.message.starts_with("solving the game takes 6.2 GiB"), "{refused}");
    // The position itself needs no evaluation.
    assert_eq!(whole.answer(Request::default(), &Monitor::default()).unwrap().value, None);
}

#[test]
fn questions_about_any_game() {
    let registry = Registry::standard();
    let dots = registry.get("dots").unwrap();
    let ask = |game: &dyn Game, name: &str, given: &[(&str, &str)]| {
        let analysis = game.analyses().iter().find(|analysis| analysis.name() == name).unwrap();
        let tables = analysis.prepare(given, None).and_then(|job| job.run(&Monitor::default()));
        tables.map_err(AnalysisError::located)
    };
    let tables = ask(dots, "perft", &[("board", "2x2"), ("depth", "3")]).unwrap();
    assert_eq!(tables[0].rows.len(), 4); // 1, 12, 12 * 11, 12 * 11 * 10
    let unknown = ask(dots, "perft", &[("lines", "3")]).unwrap_err();
    assert_eq!((unknown.kind, unknown.location.as_deref()), (Kind::Usage, Some("lines")));
    let rpsw = registry.get("rpsw").unwrap();
    let endless = ask(rpsw, "playouts", &[("board", "4x3"), ("pieces", "2")]);
    assert_eq!(endless.unwrap_err().kind, Kind::Usage);
}

#[test]
fn errors_name_the_part_that_is_wrong() {
    let registry = Registry::standard();
    let error = |game: &str, rules: &[(&str, &str)], position, moves: &str| {
        let opened = registry.get(game).unwrap().open(rules, position, &resources());
        let error = opened.and_then(|mut session| session.play(moves)).unwrap_err();
        assert_eq!(error.kind, Kind::Usage);
        (error.location.unwrap(), error.message)
    };
    let (location, message) = error("mnk", &[("k", "0")], None, "");
    assert_eq!(location, "k");
    assert_eq!(message, "'0' is not an integer from 1 to 64");
    assert_eq!(error("mnk", &[("k", "three")], None, "").1, message.replace('0', "three"));
    let (location, message) = error("mnk", &[("size", "3")], None, "");
    assert_eq!((location.as_str(), message.contains("there are board, k")), ("size", true));
    assert_eq!(error("rpsw", &[("board", "4x6")], None, "").0, "board");
    assert_eq!(error("dots", &[("variant", "danish")], None, "").0, "variant");
    assert_eq!(error("british-square", &[("bias", "x")], None, "").0, "bias");
    assert_eq!(error("british-square", &[], Some("X"), "").0, "position");
    assert_eq!(error("british-square", &[], None, "13").0, "moves");
    let record = registry.get("mnk").unwrap().load("moves: z9\n", &[], &resources()).err().unwrap();
    assert_eq!(record.location.as_deref(), Some("record"));
    assert_eq!(serde_json::to_value(&record).unwrap()["code"], Value::from("invalid"));
}

#[test]
fn a_stopped_evaluation_is_reported_as_such() {
    let stop = std::sync::atomic::AtomicBool::new(true);
    let monitor = Monitor { stop: Some(&stop), ..Monitor::default() };
    let session = &sessions()[3];
    assert_eq!(session.answer(EVERYTHING, &monitor).unwrap_err().kind, Kind::Stopped);
}

/// Every key of the schema is in every answer, and nothing else.
#[cfg(feature = "schema")]
#[test]
fn answers_follow_the_schema() {
    let schema = serde_json::to_value(schemars::schema_for!(Answer)).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let keys =
        |value: &Value| -> Vec<String> { value.as_object().unwrap().keys().cloned().collect() };
    let known = keys(&schema["properties"]);
    for session in sessions() {
        for request in [EVERYTHING, Request::default()] {
            let answer = session.answer(request, &Monitor::default()).unwrap();
            let answer = serde_json::to_value(answer).unwrap();
            let errors: Vec<String> =
                validator.iter_errors(&answer).map(|error| error.to_string()).collect();
            assert_eq!(errors, Vec::<String>::new());
            let mut found = keys(&answer);
            found.sort();
            let mut known = known.clone();
            known.sort();
            assert_eq!(found, known);
        }
    }
    let wrong = json!({ "game": "mnk" });
    assert!(!validator.is_valid(&wrong));
}

/// Points that are not integers are fractions as text.
#[test]
fn points_as_json() {
    let points =
        |numerator, denominator| serde_json::to_value(Score::new(numerator, denominator)).unwrap();
    assert_eq!(points(-4, 2), json!(-2));
    assert_eq!(points(-3, 2), json!("-3/2"));
}

#[test]
fn a_game_of_the_same_name_is_replaced() {
    let registry = Registry::standard().with(bsq_games::mnk::Rules::tic_tac_toe());
    let names: Vec<&str> = registry.games().map(|game| &*game.info().name).collect();
    assert_eq!(names, bsq_games::GAMES);
    assert!(registry.get("chess").is_none());
}

#[test]
fn a_tablebase_has_the_rules_of_its_answers() {
    let path = std::env::temp_dir().join(format!("bsq-api-{}", std::process::id()));
    let (registry, monitor) = (Registry::standard(), Monitor::default());
    let dots = registry.get("dots").unwrap();
    let build = |rules: &[(&str, &str)]| {
        let request = BuildRequest { path: &path, options: &[], memory: 1 << 30 };
        dots.build_tablebase(rules, &request, &monitor)
    };
    let tables = build(&[("board", "1x2"), ("penalty", "-1")]).unwrap();
    assert_eq!(build(&[("board", "1x2"), ("penalty", "-1")]), Ok(tables), "finished already");
    assert_eq!(build(&[("board", "1x3")]).unwrap_err().kind, Kind::Usage);
    let resources = Resources { tablebase: Some(path.clone()), ..Resources::new(1 << 20) };
    let open = |rules: &[(&str, &str)]| dots.open(rules, None, &resources);
    for rules in [vec![], vec![("penalty", "-1")]] {
        let answer = open(&rules).unwrap().answer(Request::default(), &monitor).unwrap();
        assert_eq!(answer.rules["board"].as_deref(), Some("1x2"));
        assert_eq!(answer.rules["penalty"].as_deref(), Some("-1"));
        assert_eq!(answer.cost, Cost::LookUp);
    }
    let error = open(&[("board", "1x3")]).err().unwrap();
    assert_eq!((error.kind, error.location.as_deref()), (Kind::Usage, Some("tablebase")));
    let verification = Verification { sample: 10, seed: 1, full: false, memory: 0 };
    assert!(dots.verify_tablebase(&path, &verification, &monitor).is_ok());
    std::fs::remove_dir_all(path).unwrap();
    let mnk = registry.get("mnk").unwrap();
    assert!(mnk.tablebases().is_none());
    assert!(mnk.open(&[], None, &resources).is_err(), "the game has no tablebases");
}

/// The board of a position written as rows is that of the rules, unless another is given.
#[test]
fn positions_contain_the_size_of_their_board() {
    let registry = Registry::standard();
    for (game, position, board) in [
        ("british-square", ".../X../... O", "3x3"),
        ("mnk", "X.../..../..../....", "4x4"),
        ("rpsw", "r../.../.../R.. first", "4x3"),
        ("dots", "-../......./.../......./.../......./... A", "3x3"),
    ] {
        let game = registry.get(game).unwrap();
        assert_eq!(
            game.rules_at(&[], Some(position), None).unwrap()["board"].as_deref(),
            Some(board)
        );
        let session = game.open(&[], Some(position), &Resources::new(1 << 20)).unwrap();
        let answer = session.answer(Request::default(), &Monitor::default()).unwrap();
        assert_eq!(answer.position, position);
    }
    let error = registry.get("mnk").unwrap().rules_at(
        &[("board", "3x3")],
        Some("..../..../..../...."),
        None,
    );
    assert_eq!(error.unwrap_err().location.as_deref(), Some("position"));
    let large = ["........"; 9].join("/");
    let error = registry.get("mnk").unwrap().rules_at(&[], Some(&large), None);
    assert_eq!(error.unwrap_err().location.as_deref(), Some("board"));
}

/// What stands in a scene, as [`Game::set_up`] reads it.
fn standing(game: &dyn Game, scene: &SceneAnswer) -> BTreeMap<String, String> {
    let marks = game.marks();
    let word = |place: &PlaceAnswer| {
        let fits = |mark: &&Mark| mark.shape == place.shape && mark.owner == place.owner;
        let is_same = |mark: &&Mark| Some(mark.symbol.to_string()) == place.symbol;
        let own = marks.iter().filter(fits).find(is_same).or(marks.iter().find(fits));
        (place.name.clone(), own.unwrap().symbol.to_string())
    };
    let taken = scene.places.iter().filter(|place| place.state == State::Taken);
    taken.map(word).collect()
}

#[test]
fn positions_are_set_up_by_what_stands_at_their_places() {
    let registry = Registry::standard();
    for mut session in sessions() {
        for _ in 0..6 {
            let found = session.answer(Request::default(), &Monitor::default()).unwrap();
            let game = registry.get(&found.game).unwrap();
            let rules = options_of(game, &found.rules);
            let text = game.set_up(&rules, &standing(game, &found.scene), found.to_move).unwrap();
            assert_eq!(text, found.position, "{}", found.game);
            let Some(mv) = found.moves.last() else { break };
            session.play(&mv.name).unwrap();
        }
    }
}

#[test]
fn optional_facts_are_found_on_request() {
    let mut local = Local::new(Registry::standard(), 16 << 20);
    let mut ask = |query: &str| local.answer(query, None, &Monitor::default());
    let facts = |answer: String| serde_json::from_str::<Value>(&answer).unwrap()["facts"].clone();
    // Other tests compare nimbers with brute force.
    let start = "dots/position?board=2x2&values=value";
    assert_eq!(facts(ask(start).unwrap())["nimber"], Value::Null);
    let expected = Nimstring::new(Board::new(2, 2).unwrap(), 1 << 20).value(0, &Monitor::default());
    let Ok(Nimber::Heap(expected)) = expected else { panic!("{expected:?}") };
    assert_eq!(facts(ask(&format!("{start}&facts=nimstring")).unwrap())["nimber"], expected);
    // The same rules without the fact have an engine of their own.
    assert_eq!(facts(ask(start).unwrap())["nimber"], Value::Null);
    // A loony move that offers a chain of three boxes.
    let offered = "dots/position?position=---/......./---+A&moves=a1-a2&values=value";
    let both = facts(ask(&format!("{offered}&facts=nimstring,loony")).unwrap());
    assert_eq!(both["nimber"], "loony");
    for (game, name, known) in [
        ("dots", "nimber", "loony, nimstring"),
        ("mnk", "nimstring", "none"),
        ("dots", "", "loony, nimstring"),
    ] {
        let error = ask(&format!("{game}/position?facts={name}")).unwrap_err();
        assert_eq!(error.location.as_deref(), Some("facts"));
        let told = format!("'{name}' is not an optional fact; those of this game: {known}");
        assert_eq!(error.message, told);
    }
}

#[test]
fn what_cannot_be_set_up_is_rejected_with_the_reason() {
    let mut local = Local::new(Registry::standard(), 1 << 20);
    let mut ask = |game: &str, board: &str, place: &str| {
        let body =
            format!(r#"{{"rules": {{{board}}}, "values": "no", "positions": [{{{place}}}]}}"#);
        let path = format!("{game}/position");
        let found = local.answer(&path, Some(&body), &Monitor::default()).unwrap();
        serde_json::from_str::<Value>(&found).unwrap()["answers"][0].clone()
    };
    for (game, place, location, reason) in [
        ("mnk", r#""places": {"z9": "X"}"#, "places", "'z9' is not a place"),
        ("mnk", r#""places": {"a1": "Z"}"#, "places", "'Z' cannot stand at a1; valid: X, O"),
        (
            "mnk",
            r#""places": {"a1": "X", "b1": "X", "c1": "X", "a2": "O", "b2": "O", "c2": "O"}"#,
            "position",
            "both players have 3 in a row",
        ),
        ("mnk", r#""places": {}, "position": ".../.../...""#, "places", "given already"),
        ("british-square", r#""places": {"a1": "X", "a2": "O"}"#, "position", "share a side"),
        (
            "british-square",
            r#""places": {"c3": "X"}, "to_move": "second""#,
            "position",
            "the centre",
        ),
        ("dots", r#""places": {"a1-b1": "A"}"#, "places", "valid: -"),
        ("rpsw", r#""places": {"b2": "R", "b3": "R", "c4": "r"}"#, "position", "two of 'R'"),
        ("rpsw", r#""places": {"b2": "R"}"#, "position", "the game is over"),
    ] {
        let error = &ask(game, "", place)["error"];
        assert_eq!(error["location"], location, "{place}: {error}");
        assert!(error["message"].as_str().unwrap().contains(reason), "{place}: {error}");
    }
    // A box that is closed belongs to nobody known, and a mark in an open one is left out.
    let closed = r#""to_move": "second", "places":
        {"a1-b1": "-", "a1-a2": "|", "b1-b2": "|", "a2-b2": "-", "b1": "A"}"#;
    assert_eq!(ask("dots", r#""board": "1x2""#, closed)["position"], "-./|?|../-. B");
}

/// The values of all moves show that only the solution keeps the result.
#[test]
fn a_puzzle_has_one_solution() {
    let registry = Registry::standard();
    for session in sessions() {
        let mut seen = BTreeSet::new();
        for seed in 0..12 {
            let wanted = Wanted { seed, ..Wanted::default() };
            let puzzle = session.puzzle(&wanted, &Monitor::default()).unwrap();
            assert_eq!(session.puzzle(&wanted, &Monitor::default()).unwrap(), puzzle);
            let found = session.answer(Request::default(), &Monitor::default()).unwrap();
            let rules = options_of(registry.get(&found.game).unwrap(), &found.rules);
            let at = open(&found.game, &rules, Some(&puzzle.position));
            assert_eq!((at.to_move, at.value), (puzzle.to_move, Some(puzzle.value)));
            let winner = puzzle.value.winner();
            let wins = winner == Some(puzzle.to_move);
            assert_eq!(puzzle.task == Task::Win, wins);
            assert!(wins || winner.is_none(), "{puzzle:?}");
            let keeps = |mv: &&MoveAnswer| mv.value.unwrap().winner() == winner;
            let keeping: Vec<&str> =
                at.moves.iter().filter(keeps).map(|mv| mv.name.as_str()).collect();
            assert_eq!(keeping, [puzzle.solution.as_str()], "{} {}", at.game, at.position);
            assert!(at.moves.len() > 2);
            // The same puzzle is found by its task and level.
            let (task, level) = (Some(puzzle.task), Some(puzzle.level));
            let chosen =
                session.puzzle(&Wanted { task, level, seed, time: None }, &Monitor::default());
            assert_eq!(chosen.unwrap(), puzzle);
            seen.insert(puzzle.position);
        }
        assert!(seen.len() > 4, "{seen:?}");
    }
}

#[test]
fn the_level_of_a_puzzle_is_how_far_one_must_look_ahead() {
    let registry = Registry::standard();
    let mnk = registry.get("mnk").unwrap().open(&[], None, &resources()).unwrap();
    let monitor = Monitor::default();
    let mut levels = BTreeSet::new();
    for seed in 0..60 {
        let puzzle = mnk.puzzle(&Wanted { seed, ..Wanted::default() }, &monitor).unwrap();
        let moves = open("mnk", &[], Some(&puzzle.position)).moves;
        // Within two plies, points are only those of a win at once, of either player.
        let plies = |mv: &MoveAnswer| mv.value.unwrap().plies;
        let others_lose = moves[1..].iter().all(|mv| plies(mv) == Some(2));
        let is_seen = plies(&moves[0]) == Some(1) || others_lose;
        assert_eq!(puzzle.level == 1, is_seen, "{puzzle:?}");
        levels.insert(puzzle.level);
    }
    assert_eq!(levels, BTreeSet::from([1, 2, 3]));
    // A board with an odd number of boxes has no ties.
    let odd = registry.get("dots").unwrap().open(&[("board", "1x3")], None, &resources()).unwrap();
    let wanted = Wanted { task: Some(Task::Save), ..Wanted::default() };
    let error = odd.puzzle(&wanted, &monitor).unwrap_err();
    assert_eq!(error.kind, Kind::Refused);
    assert!(error.message.contains("only one move keeps a tie or draw"), "{error}");
    let late = Wanted { time: Some(Duration::ZERO), ..wanted };
    let error = odd.puzzle(&late, &monitor).unwrap_err();
    let told = "no puzzle was found in 0 s; choose another seed, level, task or board";
    assert_eq!((error.kind, &*error.message), (Kind::Refused, told));
}

/// Where values cannot be found, agents that need them look some plies ahead.
#[test]
fn an_agent_without_values_takes_a_win_that_it_sees() {
    let registry = Registry::standard();
    let game = registry.get("rpsw").unwrap();
    let little = Resources::new(1 << 20);
    // The paper on a5 is one step from the home row, and nothing beats it there.
    let near = "rw../P.../..s./..../..../.R.. first";
    for (position, wins) in [(None, false), (Some(near), true)] {
        let session = game.open(&[], position, &little).unwrap();
        assert!(matches!(session.cost(), Cost::Refused { .. }));
        for agent in ["perfect", "mistakes-1"] {
            let chosen = session.choose(agent, 1, None, &Monitor::default()).unwrap();
            assert!(!chosen.is_sure, "{agent}");
            let mut after = session.fork();
            after.play(&chosen.mv).unwrap();
            let over = after.answer(Request::default(), &Monitor::default()).unwrap().is_over;
            assert_eq!(over, wins, "{agent} plays {}", chosen.mv);
        }
    }
    // The value of the start is not among what is stored unless that is wanted.
    let stored = Resources { first_plies: true, ..little };
    let start = game.open(&[], None, &stored).unwrap();
    let found = start.answer(EVERYTHING, &Monitor::default()).unwrap();
    assert_eq!(found.value.unwrap().outcome, Outcome::Draw);
    assert_eq!(found.best().count(), 8);
    assert_eq!(found.principal_variation.unwrap().len(), 1);
}
