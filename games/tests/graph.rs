//! Games that are given as graphs: the graphs of other games have the same values, and files that are no
//! graphs are refused with the place.

use bsq_engine::conformance::{check, check_rules};
use bsq_engine::explore::{Limits, Solution, explore};
use bsq_engine::game::{Game, Measure, Notation, Player, Value};
use bsq_engine::monitor::Monitor;
use bsq_engine::nim::Nim;
use bsq_engine::view::View;
use bsq_games::graph::{Content, Entry, Graph, GraphError, Node};
use bsq_games::{mnk, rpsw};
use proptest::prelude::*;
use std::collections::{BTreeMap, HashMap};

fn solved<G: Game + Clone>(game: &G) -> Solution<G> {
    let monitor = Monitor::default();
    explore(game.clone(), Limits::default(), &monitor).unwrap().solve(&monitor).unwrap()
}

/// All positions that can follow the start, in breadth-first order.
fn positions<G: Game>(game: &G) -> Vec<G::Position> {
    let mut found = vec![game.start()];
    let mut known = std::collections::HashSet::from([game.start()]);
    let mut at = 0;
    while at < found.len() {
        for mv in game.moves(&found[at]) {
            let next = game.play(&found[at], mv);
            if known.insert(next.clone()) {
                found.push(next);
            }
        }
        at += 1;
    }
    found
}

/// The graph of a game, whose moves are numbered by their texts.
fn graph_of<G: Game + Notation>(game: &G) -> Graph {
    let positions = positions(game);
    let numbers: HashMap<&G::Position, u32> = positions.iter().zip(0..).collect();
    let mut content = Content::default();
    let mut names: HashMap<String, u32> = HashMap::new();
    for position in &positions {
        let moves = game.moves(position);
        let count = moves.len() as u32;
        for mv in moves {
            let text = game.format_move(position, mv.clone());
            let next_name = names.len() as u32;
            let name = *names.entry(text.clone()).or_insert_with(|| {
                content.names.push(text.into());
                next_name
            });
            content.moves.push((name, numbers[&game.play(position, mv)]));
        }
        content.positions.push(Entry {
            text: game.format_position(position).into(),
            to_move: game.to_move(position),
            moves: count,
            result: game.result(position),
        });
    }
    Graph::new("game.csv", content).unwrap()
}

/// Compares a game with its graph at every position, after a round trip through a file.
fn has_the_values_of<G: Game + Notation + Clone>(game: &G) -> Graph {
    let written = graph_of(game);
    let mut file = Vec::new();
    written.write(&mut file).unwrap();
    let graph = Graph::read("game.csv", &*file).unwrap();
    let (of_game, of_graph) = (solved(game), solved(&graph));
    let all = positions(game);
    assert_eq!(graph.content().positions.len(), all.len());
    for position in all {
        let text = game.format_position(&position);
        let node = graph.parse_position(&text).unwrap();
        assert_eq!(graph.format_position(&node), text);
        assert_eq!(of_graph.value(&node), of_game.value(&position), "{text}");
        assert_eq!(graph.score(&node), game.score(&position), "{text}");
        let named =
            |moves: Vec<String>| moves.into_iter().collect::<std::collections::BTreeSet<_>>();
        let moves = graph.moves(&node).into_iter().map(|mv| graph.format_move(&node, mv));
        let wanted = game.moves(&position).into_iter().map(|mv| game.format_move(&position, mv));
        assert_eq!(named(moves.collect()), named(wanted.collect()), "{text}");
    }
    check(&graph).unwrap();
    check_rules(&graph).unwrap();
    graph
}

#[test]
fn graphs_of_games_have_their_values() {
    let tic_tac_toe = has_the_values_of(&mnk::Rules::tic_tac_toe());
    assert_eq!(tic_tac_toe.content().positions.len(), 5478);
    assert_eq!(tic_tac_toe.measure(), Measure::Plies);
    // With points.
    assert_eq!(has_the_values_of(&Nim([3, 2, 1])).measure(), Measure::Points);
    // Positions occur again.
    let rules = rpsw::Rules::standard().on_board(2, 5).unwrap().with_pieces(1).unwrap();
    has_the_values_of(&rules);
}

#[test]
fn the_example_conforms() {
    let example = Graph::example();
    check(&example).unwrap();
    check_rules(&example).unwrap();
    // Three counters are lost by the player to move, of whom at most two can take.
    assert_eq!(solved(&example).value(&example.start()), Some(Value::win(Player::Second, 2)));
}

#[test]
fn rows_of_equal_length_are_a_board() {
    let file = "position,player,move,next\nX./.. O,second,b1,XO/.. X\nXO/.. X,first,pass,XX/.. O\n\
                XX/.. O,second,first\n";
    let graph = Graph::read("FILE", file.as_bytes()).unwrap();
    let scene = graph.scene(&Node(0));
    assert_eq!((scene.rows, scene.cols), (2, 2));
    assert_eq!(scene.rows(|place| place.symbol.as_ref()?.chars().next()), "X./..");
    let places = |node| graph.places(&node, graph.moves(&node)[0]);
    assert_eq!((places(Node(0)), places(Node(1))), (vec!["b1".to_string()], vec![]));
    let other = file.replace("XX/.. O", "over");
    let graph = Graph::read("FILE", other.as_bytes()).unwrap();
    let scene = graph.scene(&Node(0));
    assert_eq!((scene.rows, scene.cols), (1, 7));
    assert_eq!(graph.drawing(&Node(0), &|_| None), "X./.. O\n");
}

/// A position that no play reaches has a value, too, and is not said to be reachable.
#[test]
fn positions_that_play_does_not_reach_are_known() {
    let file = "position,player,move,next\na,first,x,b\nb,second,first\nc,second,y,b\n";
    let graph = Graph::read("FILE", file.as_bytes()).unwrap();
    let reachable =
        ["a", "b", "c"].map(|text| graph.is_reachable(&graph.parse_position(text).unwrap()));
    assert_eq!(reachable, [true, true, false]);
}

#[test]
fn files_that_are_no_graphs_are_refused_with_the_place() {
    let head = "position,player,move,next\n";
    for (rows, why) in [
        ("", "there are no positions; the first one is the start"),
        (
            "a,first\n",
            "line 2: 'a,first' is neither 'position,player,move,next' nor 'position,player,result'",
        ),
        ("a,first,x,b,c\n", "line 2: 'a,first,x,b,c' is neither"),
        ("a,White,x,b\n", "line 2: the player to move is 'first' or 'second', not 'White'"),
        (
            "a,first,draw\n",
            "line 2: 'draw' is not a result; write 'first' or 'second' for the winner, 'tie'",
        ),
        ("a,first,1.5\n", "line 2: '1.5' is not a result"),
        ("a,first,99999999999\n", "line 2: '99999999999' is not a result"),
        (
            "a,first,x,b\n\n# the end\nb,second,tie\na,second,y,b\n",
            "line 6: 'a' has another player to move than in line 2",
        ),
        ("a,first,tie\na,first,tie\n", "line 3: 'a' has a result already"),
        ("a,first,x,b\n", "line 2: the next position 'b' has no row of its own"),
        ("a,first,x,a\na,first,tie\n", "'a' has moves, so it has no result yet"),
        ("a,first,x,a\na,first,x,b\nb,first,tie\n", "two moves of 'a' have the name 'x'"),
        ("a,first,x y,a\n", "\"x y\", a move of 'a', is not a word without blanks, commas and '#'"),
        ("a,first,,a\n", "\"\", a move of 'a', is not a word"),
        (",first,tie\n", "\"\" is not the text of a position"),
        (
            "a,first,x,b\na,first,y,c\nb,first,tie\nc,first,3\n",
            "'c' ends with points and 'b' with a winner or a tie",
        ),
        ("\"a\nb\",first,tie\n", "\"a\\nb\" is not the text of a position"),
        ("\u{0}\u{1},first,tie\n", "is not the text of a position"),
    ] {
        let error =
            Graph::read("FILE", format!("{head}{rows}").as_bytes()).unwrap_err().to_string();
        assert!(error.contains(why), "{rows:?}: {error}");
    }
    let error = Graph::read("FILE", "a,first,x,b\n".as_bytes()).unwrap_err().to_string();
    assert_eq!(
        error,
        "the first line is 'a,first,x,b' and not 'position,player,move,next', the names of the columns"
    );
    assert!(Graph::read("FILE", &b"position,player,move,next\n\xff,first,tie\n"[..]).is_err());
}

#[test]
fn texts_that_are_no_positions_or_moves_are_refused() {
    let graph = Graph::example();
    let error = graph.parse_position("4 X").unwrap_err().to_string();
    assert_eq!(error, "'4 X' is not a position of this graph; the start is '3 X'");
    let error = graph.parse_move(&Node(0), "take3").unwrap_err().to_string();
    assert_eq!(error, "'take3' is not a move here; there are take1, take2");
    let over = graph.parse_position("0 X").unwrap();
    let error = graph.parse_move(&over, "take1").unwrap_err().to_string();
    assert_eq!(error, "'take1' is not a move here; the game is over");
}

#[test]
fn content_that_is_no_game_is_refused() {
    let entry = |text: &str, moves, result| Entry {
        text: text.into(),
        to_move: Player::First,
        moves,
        result,
    };
    let of = |positions, moves| {
        let content = Content { positions, moves, names: vec!["x".into()] };
        Graph::new("FILE", content).unwrap_err()
    };
    let tie = Some(Value::TIE);
    assert_eq!(of(vec![], vec![]), GraphError::Empty);
    assert_eq!(of(vec![entry("a", 0, None)], vec![]), GraphError::NoResult("a".into()));
    let twice = vec![entry("a", 0, tie), entry("a", 0, tie)];
    assert_eq!(of(twice, vec![]), GraphError::SamePosition("a".into()));
    assert_eq!(of(vec![entry("a", 0, Some(Value::DRAW))], vec![]), GraphError::Result("a".into()));
    let late = Some(Value::win(Player::First, 2));
    assert_eq!(of(vec![entry("a", 0, late)], vec![]), GraphError::Result("a".into()));
    // Numbers that name nothing.
    assert_eq!(of(vec![entry("a", 1, None)], vec![]), GraphError::Numbers);
    assert_eq!(of(vec![entry("a", 1, None)], vec![(0, 1)]), GraphError::Numbers);
    assert_eq!(of(vec![entry("a", 1, None)], vec![(1, 0)]), GraphError::Numbers);
    assert_eq!(of(vec![entry("a", 0, tie)], vec![(0, 0)]), GraphError::Numbers);
}

/// Random graphs: cyclic ones, with positions that play does not reach.
fn contents() -> impl Strategy<Value = Content> {
    let texts = "[a-z#\",'/. ]{0,5}[a-z\"]";
    let results = [Value::win(Player::First, 0), Value::win(Player::Second, 0), Value::TIE];
    let position = (
        texts,
        any::<bool>(),
        prop::collection::vec((0_u32..4, any::<prop::sample::Index>()), 0..4),
        prop::sample::select(results.to_vec()),
    );
    prop::collection::vec(position, 1..12).prop_map(|rows| {
        let mut content = Content {
            names: ["x", "y\"", "'z'", "a1"].map(Into::into).into(),
            ..Content::default()
        };
        let count = rows.len();
        for (at, (text, is_first, moves, result)) in rows.into_iter().enumerate() {
            let moves: BTreeMap<u32, usize> =
                moves.into_iter().map(|(name, next)| (name, next.index(count))).collect();
            content.positions.push(Entry {
                text: format!("{}{at}", text.trim()).into(),
                to_move: if is_first { Player::First } else { Player::Second },
                moves: moves.len() as u32,
                result: moves.is_empty().then_some(result),
            });
            content.moves.extend(moves.into_iter().map(|(name, next)| (name, next as u32)));
        }
        content
    })
}

/// The positions of a graph by text: the player, the result, and the moves with the next positions.
fn described(graph: &Graph) -> BTreeMap<String, String> {
    let content = graph.content();
    let describe = |number: usize| {
        let node = Node(number as u32);
        let moves: BTreeMap<String, String> = graph
            .moves(&node)
            .into_iter()
            .map(|mv| {
                let next = graph.play(&node, mv);
                (graph.format_move(&node, mv), graph.format_position(&next))
            })
            .collect();
        let entry = &content.positions[number];
        (entry.text.to_string(), format!("{:?} {:?} {moves:?}", entry.to_move, entry.result))
    };
    (0..content.positions.len()).map(describe).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

    /// A file that was written has the same positions and moves when it is read.
    #[test]
    fn files_come_back(content in contents()) {
        let graph = Graph::new("FILE", content).unwrap();
        let mut file = Vec::new();
        graph.write(&mut file).unwrap();
        let read = Graph::read("FILE", &*file).unwrap();
        prop_assert_eq!(described(&read), described(&graph));
        prop_assert_eq!(read.format_position(&Node(0)), graph.format_position(&Node(0)));
    }
}
