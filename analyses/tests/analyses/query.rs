//! Compares queries with plain loops over the rules, on every position of small boards of every game.
//!
//! All rows of a dataset are compared with what the rules say of each position; groups, conditions
//! and aggregates are compared with plain loops over these rows.

use bsq_analyses::source::Explorer;
use bsq_analyses::{Analysis, Cell, Table, queries_of, query};
use bsq_engine::dataset::GameColumn;
use bsq_engine::definition::Definition as _;
use bsq_engine::error::HasKind;
use bsq_engine::game::{Game, Measure, Notation, Outcome, Value};
use bsq_engine::monitor::Monitor;
use bsq_engine::record::Recorded;
use bsq_games::{british_square, dots, mnk, rpsw};
use num_bigint::BigInt;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// What the rules say of a position, as the cells of some columns.
type Facts = BTreeMap<&'static str, Cell>;

/// The positions of a game, found by playing every move from a position, with their values by plain
/// recursion over moves.
struct Plain<G: Game> {
    game: G,
    /// The positions by the fewest plies, each [reduced](Game::reduced).
    plies: Vec<Vec<G::Position>>,
    values: HashMap<G::Position, Value>,
    /// Whether positions tell the player to move.
    has_players: bool,
}

impl<G: Notation> Plain<G> {
    fn of(game: G, start: &G::Position) -> Plain<G> {
        let mut seen: Vec<G::Position> = Vec::new();
        let mut known = HashSet::new();
        let mut plies = Vec::new();
        let mut now = vec![game.reduced(start)];
        known.insert(now[0].clone());
        while !now.is_empty() {
            let mut next = Vec::new();
            for position in &now {
                for mv in game.moves(position) {
                    let after = game.reduced(&game.play(position, mv));
                    if known.insert(after.clone()) {
                        next.push(after);
                    }
                }
            }
            seen.extend(now.iter().cloned());
            plies.push(std::mem::replace(&mut now, next));
        }
        // Below a position, every move may close a box and keep the player.
        let has_players = seen.iter().chain([&game.start()]).all(|position| {
            game.moves(position).into_iter().all(|mv| {
                let next = game.play(position, mv);
                game.to_move(&next) == game.to_move(&game.reduced(&next))
            })
        });
        let mut plain = Plain { game, plies, values: HashMap::new(), has_players };
        for position in seen {
            plain.value(&position);
        }
        plain
    }

    fn value(&mut self, position: &G::Position) -> Value {
        if let Some(value) = self.values.get(position) {
            return *value;
        }
        let player = self.game.to_move(position);
        let after = self.game.moves(position).into_iter();
        let after: Vec<G::Position> = after.map(|mv| self.game.play(position, mv)).collect();
        let after: Vec<Value> = after.iter().map(|next| self.value(next).before()).collect();
        let best = after.into_iter().max_by(|a, b| a.rank(player).cmp(&b.rank(player)));
        // A position that forgets points made has no result; then those to come count.
        let to_come = || Value::of_score(self.game.score(position).into());
        let value = best.unwrap_or_else(|| self.game.result(position).unwrap_or_else(to_come));
        self.values.insert(position.clone(), value);
        value
    }

    /// The rows of the positions up to symmetry, and those of their moves, by the cells of the
    /// columns that every game has.
    fn rows(&self) -> [Vec<Facts>; 2] {
        let (mut positions, mut moves) = (Vec::new(), Vec::new());
        for (ply, of_ply) in self.plies.iter().enumerate() {
            let mut done: HashSet<G::Position> = HashSet::new();
            for position in of_ply {
                if done.contains(position) {
                    continue;
                }
                let orbit = self.game.images(position);
                let orbit: HashSet<G::Position> = orbit.into_iter().collect();
                let (facts, of_moves) = self.facts(position, ply, orbit.len());
                done.extend(orbit);
                positions.push(facts);
                moves.extend(of_moves);
            }
        }
        [positions, moves]
    }

    fn facts(&self, position: &G::Position, ply: usize, orbit: usize) -> (Facts, Vec<Facts>) {
        let game = &self.game;
        let (player, value) = (game.to_move(position), self.values[position]);
        let legal = game.moves(position);
        let after: Vec<Value> =
            legal.iter().map(|mv| self.values[&game.play(position, mv.clone())].before()).collect();
        let best = after.iter().filter(|of_move| **of_move == value).count();
        let mut facts = Facts::from([
            ("ply", ply.into()),
            ("legal_moves", legal.len().into()),
            ("best_moves", best.into()),
            ("terminal", legal.is_empty().into()),
            ("orbit_size", orbit.into()),
        ]);
        let points = |value: Value| value.points().map(|points| points * player.sign());
        let tell = |facts: &mut Facts, names: [&'static str; 4], value: Value| {
            let [outcome, score, plies, to_come] = names;
            match (self.has_players, game.measure()) {
                (true, Measure::Plies) => {
                    facts.insert(outcome, word(value).into());
                    facts.insert(plies, value.plies.into());
                }
                (true, _) => {
                    facts.insert(outcome, word(value).into());
                    facts.insert(score, value.points().into());
                }
                (false, _) => {
                    facts.insert(to_come, points(value).into());
                }
            }
        };
        if self.has_players {
            facts.insert("player", player.name().into());
        }
        tell(&mut facts, ["outcome", "score", "plies", "to_come"], value);
        // The worst move loses if some move does, else nobody wins if so after some move.
        let gain = |value: &Value| {
            value.winner().map_or(0, |winner| if winner == player { 1 } else { -1 })
        };
        if self.has_players {
            let worst = after.iter().min_by_key(|value| gain(value));
            facts.insert("worst_outcome", worst.map(|value| word(*value)).into());
        }
        if game.measure() != Measure::Plies {
            let least = after.iter().map(|of_move| points(*of_move).unwrap()).min();
            facts.insert("worst_cost", least.map(|least| points(value).unwrap() - least).into());
        }
        let of_moves = after.into_iter().map(|of_move| {
            let mut facts = facts.clone();
            let names = ["move_outcome", "move_score", "move_plies", "move_to_come"];
            tell(&mut facts, names, of_move);
            facts.insert("best", (of_move == value).into());
            if game.measure() != Measure::Plies {
                let cost = points(value).zip(points(of_move)).map(|(best, this)| best - this);
                facts.insert("cost", cost.into());
            }
            facts
        });
        let of_moves = of_moves.collect();
        (facts, of_moves)
    }
}

fn word(value: Value) -> &'static str {
    match value.outcome {
        Outcome::Win(player) => player.name(),
        Outcome::Tie => "tie",
        Outcome::Draw => "draw",
    }
}

fn answer(query: &Analysis, given: &[(&str, &str)]) -> Table {
    let job = query.prepare(given, None).unwrap_or_else(|error| panic!("{given:?}: {error}"));
    job.run(&Monitor::default()).unwrap_or_else(|error| panic!("{given:?}: {error}")).remove(0)
}

/// The error of a query, and whether it comes before the work.
fn refusal(query: &Analysis, given: &[(&str, &str)]) -> String {
    let error = query.prepare(given, None).map(|_| ()).unwrap_err();
    assert_eq!(error.kind(), bsq_engine::error::Kind::Usage);
    error.to_string()
}

/// The rows of a table by the names of its columns.
fn rows_of(table: &Table) -> Vec<BTreeMap<String, Cell>> {
    let names = table.columns.iter().map(|column| column.name.to_string());
    let names: Vec<String> = names.collect();
    table.rows.iter().map(|row| names.iter().cloned().zip(row.iter().cloned()).collect()).collect()
}

/// Rows as texts in order, each with the cells of the columns of the facts.
fn sorted(rows: impl Iterator<Item = BTreeMap<String, Cell>>) -> Vec<String> {
    let mut rows: Vec<String> = rows.map(|row| format!("{row:?}")).collect();
    rows.sort();
    rows
}

/// Every row of a dataset.
const ALL_ROWS: (&str, &str) = ("rows", "1000000");

/// Compares all rows of both datasets with the rules, and returns them.
fn compare<G: Recorded>(
    query: &Analysis,
    rules: &G,
    given: &[(&str, &str)],
    start: &G::Position,
    first_ply: usize,
) -> [Vec<BTreeMap<String, Cell>>; 2] {
    let plain = Plain::of(rules.clone(), start);
    let wanted = plain.rows();
    ["positions", "moves"].map(|dataset| {
        // The condition holds in every row, and names columns that are not shown otherwise.
        let mut condition = "true".to_string();
        if plain.has_players {
            condition += " or worst_outcome = first";
        }
        if rules.measure() != Measure::Plies {
            condition += " or worst_cost = 0";
        }
        let asked = [("condition", condition.as_str()), ("dataset", dataset), ALL_ROWS];
        let request = [&asked[..], given].concat();
        let rows = rows_of(&answer(query, &request));
        let wanted = &wanted[usize::from(dataset == "moves")];
        let of_facts = wanted.iter().map(|facts| {
            let cells = facts.iter().map(|(name, cell)| (name.to_string(), cell.clone()));
            let mut row: BTreeMap<String, Cell> = cells.collect();
            if let Some(Cell::Integer(ply)) = row.get_mut("ply") {
                *ply += first_ply;
            }
            row
        });
        let compared = rows.iter().map(|row| {
            let mut row = row.clone();
            let text = match row.remove("position") {
                Some(Cell::Text(text)) => text,
                other => panic!("{other:?}"),
            };
            let position = rules.reduced(&rules.parse_position(&text).unwrap());
            let value = plain.values.get(&position);
            // Below a position, that of an image may be shown.
            let found = rules.images(&position).iter().any(|it| plain.values.contains_key(it));
            assert!(value.is_some() || found, "{text}");
            if let Some(Cell::Text(mv)) = row.remove("move") {
                let mv = rules.parse_move(&position, &mv).unwrap();
                assert!(rules.moves(&position).contains(&mv), "{mv:?}");
            }
            row
        });
        assert_eq!(sorted(compared), sorted(of_facts), "{dataset} {given:?}");
        rows
    })
}

fn explored<G: Recorded + bsq_engine::view::View + Send + Sync + 'static>(
    name: &str,
    rules: &G,
    columns: impl Fn(&G) -> Vec<GameColumn<G>> + Send + Sync + 'static,
) -> Analysis {
    query::analysis::<Explorer<G>>(name, rules, columns)
}

fn squares() -> Vec<british_square::Rules> {
    let sizes = [(1, 1), (1, 5), (2, 4), (3, 3), (3, 4)];
    let standard = sizes.map(|(rows, cols)| british_square::Rules::standard(rows, cols).unwrap());
    let mut all = standard.to_vec();
    let small = all[3].clone();
    all.push(british_square::Rules { center_allowed: true, bias: 2, ..small.clone() });
    all.push(british_square::Rules { pieces: Some(3), ..small });
    all
}

fn entries<G: Recorded>(rules: &G) -> Vec<(String, String)> {
    rules.entries().into_iter().map(|(name, value)| (name.to_string(), value)).collect()
}

fn british_square_query() -> Analysis {
    let [query, ..] = queries_of(british_square::NAME).unwrap();
    query
}

#[test]
fn rows_are_what_the_rules_say() {
    for rules in squares() {
        let entries = entries(&rules);
        let given = bsq_engine::options::borrowed(&entries);
        compare(&british_square_query(), &rules, &given, &rules.start(), 0);
        // The explorer finds the same.
        let explored = explored("bs", &rules, |_| Vec::new());
        compare(&explored, &rules, &given, &rules.start(), 0);
    }
    for (rows, cols) in [(1, 1), (1, 2), (2, 2), (1, 3)] {
        let rules = dots::Rules::standard(dots::Board::new(rows, cols).unwrap());
        compare(&explored("dots", &rules, |_| Vec::new()), &rules, &[], &Game::start(&rules), 0);
    }
    let rules = mnk::Rules::tic_tac_toe();
    let [positions, _] =
        compare(&explored("mnk", &rules, |_| Vec::new()), &rules, &[], &rules.start(), 0);
    assert_eq!(positions.len(), 765);
}

/// The values of positions that can recur are those of a tablebase, which `games` compares with the
/// rules.
#[test]
fn rows_of_a_tablebase_have_its_values() {
    use rpsw::retrograde::Layout;
    use rpsw::tablebase::solution::Solution;
    use rpsw::tablebase::{LEAST_PLIES, Tablebase};

    let rules = rpsw::Rules::standard().on_board(3, 4).unwrap().with_pieces(1).unwrap();
    let monitor = Monitor::default();
    let solution = Solution::solve(Layout::new(rules.clone()), LEAST_PLIES, &monitor).unwrap();
    let mut bytes = Vec::new();
    solution.into_rows(&monitor).unwrap().write(&mut bytes, &monitor).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("small.db");
    std::fs::write(&path, &bytes).unwrap();
    let tablebase = Tablebase::from_bytes("small", bytes).unwrap();

    let [query, ..] = queries_of(rpsw::NAME).unwrap();
    let path = path.to_str().unwrap();
    let table = answer(&query, &[("condition", "true"), ("tablebase", path), ALL_ROWS]);
    let rows = rows_of(&table);
    assert_eq!(rows.len() as u64, tablebase.census().positions.total());
    let mut seen = BTreeSet::new();
    for row in &rows {
        let Cell::Text(text) = &row["position"] else { panic!("{row:?}") };
        let position = rules.parse_position(text).unwrap();
        assert!(seen.insert(rules.canonical(&position)), "{text} occurs twice");
        let value = tablebase.value(&position).unwrap();
        assert_eq!(row["outcome"], word(value).into(), "{text}");
        assert_eq!(row["plies"], value.plies.into(), "{text}");
        assert_eq!(row["legal_moves"], rules.moves(&position).len().into(), "{text}");
        let after = rules.moves(&position).into_iter().map(|mv| rules.play(&position, mv));
        let after = after.map(|next| tablebase.value(&next).unwrap().before());
        let best = after.filter(|of_move| *of_move == value).count();
        assert_eq!(row["best_moves"], best.into(), "{text}");
        assert!(!row.contains_key("ply"));
    }
    // What play reaches has the same values without the tablebase.
    let given = [("condition", "not terminal"), ("board", "4x3"), ("pieces", "1"), ALL_ROWS];
    for row in rows_of(&answer(&query, &given)) {
        let Cell::Text(text) = &row["position"] else { panic!("{row:?}") };
        let value = tablebase.value(&rules.parse_position(text).unwrap()).unwrap();
        assert_eq!((&row["outcome"], &row["plies"]), (&word(value).into(), &value.plies.into()));
    }
    let refused = [("condition", "true"), ("tablebase", path), ("board", "3x4")];
    assert!(refusal(&query, &refused).contains("the tablebase determines the rules"));
    let start = rules.start();
    let mv = rules.format_move(&start, rules.moves(&start)[0]);
    let refused = refusal(&query, &[("condition", "true"), ("tablebase", path), ("moves", &mv)]);
    assert!(refused.contains("leave the position and the moves out"), "{refused}");
}

#[test]
fn datasets_begin_at_any_position() {
    let rules = british_square::Rules::standard(3, 4).unwrap();
    let start = rules.parse_position("...X/..../.... O").unwrap();
    let given = [("board", "3x4"), ("moves", "4")];
    let ply_of = |given: &[(&str, &str)], query: &Analysis| {
        compare(query, &rules, given, &start, 1);
    };
    // The position is not symmetric, so images count as it does.
    ply_of(&given, &british_square_query());
    ply_of(&[("board", "3x4"), ("position", "...X/..../.... O")], &british_square_query());
    let tic_tac_toe = mnk::Rules::tic_tac_toe();
    let after = tic_tac_toe.parse_position("X../.O./...").unwrap();
    let query = explored("mnk", &tic_tac_toe, |_| Vec::new());
    compare(&query, &tic_tac_toe, &[("moves", "a1 b2")], &after, 2);
    compare(&query, &tic_tac_toe, &[("position", "X../.O./...")], &after, 0);
    // A position may contain its board.
    let small = dots::Rules::standard(dots::Board::new(2, 2).unwrap());
    let query = explored("dots", &small, |rules| dots::Definition.columns(rules));
    let given = [("condition", "lines >= 6"), ("position", "-./|A|../-. A"), ("sum", "lines")];
    // The three with six lines are images of each other.
    assert_eq!(answer(&query, &given).rows, [[13u32.into()]]);
    let query = explored("mnk", &tic_tac_toe, |_| Vec::new());
    let refused = [("condition", "true"), ("moves", "a1 a1")];
    assert_eq!(refusal(&query, &refused), "a1 is not empty");
    let refused = refusal(&query, &[("condition", "true"), ("position", "?")]);
    assert!(refused.contains("is not a cell"), "{refused}");
}

/// A condition on rows, as text and as a function.
type Held = (&'static str, fn(&BTreeMap<String, Cell>) -> bool);

fn number(row: &BTreeMap<String, Cell>, name: &str) -> i64 {
    match &row[name] {
        Cell::Integer(number) => i64::try_from(number).unwrap(),
        other => panic!("{name} is {other:?}"),
    }
}

fn is(row: &BTreeMap<String, Cell>, name: &str, word: &str) -> bool {
    row[name] == word.into()
}

/// With a tablebase, positions and moves are those of plain recursion too, from its start and below it.
#[test]
fn rows_of_a_tablebase_of_lines_have_its_values() {
    use bsq_games::dots::tablebase::{Limits, Plan, build};

    let [query, ..] = queries_of(dots::NAME).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let monitor = Monitor::default();
    let [small, square, wide] =
        [(1, 2), (2, 2), (1, 4)].map(|(rows, cols)| dots::Board::new(rows, cols).unwrap());
    let chain = wide.border() & !(1 << wide.vertical(0, 0));
    let cases =
        [(small, 0, 0), (square, 0, 0), (square, 0, -1), (square, 0b1001, 0), (wide, chain, 0)];
    for (at, (board, from, penalty)) in cases.into_iter().enumerate() {
        let path = folder.path().join(at.to_string());
        let plan = Plan::new(&board, from, penalty, None, &Limits::default()).unwrap();
        build(&plan, &path, &monitor).unwrap();
        let rules = dots::Rules { penalty: penalty.into(), ..dots::Rules::standard(board) };
        let text = |lines| rules.format_position(&dots::Position::of_lines(lines));
        let path = path.to_str().unwrap();
        let tablebase = ("tablebase", path);
        let start = dots::Position::of_lines(from);
        if from == 0 {
            compare(&query, &rules, &[tablebase], &start, 0);
        } else {
            let error = refusal(&query, &[("condition", "true"), tablebase]);
            assert!(error.contains(&format!("it begins at '{}'", text(from))), "{error}");
        }
        // Below two more lines, which no symmetry need leave unchanged.
        let open: Vec<usize> = dots::lines_of(board.all() & !from).collect();
        let below = from | 1 << open[0] | 1 << open[open.len() - 2];
        for lines in [from, below, board.all()] {
            let text = text(lines);
            let root = [tablebase, ("position", text.as_str())];
            compare(&query, &rules, &root, &dots::Position::of_lines(lines), 0);
        }
        let other = [("condition", "true"), tablebase, ("board", "2x2")];
        assert!(refusal(&query, &other).contains("the tablebase determines the rules"));
    }
    // The lines of a variant are drawn before the first ply.
    for variant in dots::Variant::ALL {
        let path = folder.path().join(format!("{variant:?}"));
        let rules = dots::Rules { variant, ..dots::Rules::standard(square) };
        let from = variant.lines(&square);
        let plan = Plan::new(&square, from, 0, None, &Limits::default()).unwrap();
        build(&plan, &path, &monitor).unwrap();
        let tablebase = [("tablebase", path.to_str().unwrap())];
        compare(&query, &rules, &tablebase, &rules.start(), 0);
    }
    let path = folder.path().join("book");
    let plan = Plan::new(&square, 0, 0, Some(5), &Limits::default()).unwrap();
    build(&plan, &path, &monitor).unwrap();
    let book = [("condition", "true"), ("tablebase", path.to_str().unwrap())];
    assert!(refusal(&query, &book).contains("up to 5 lines only"));
    // Values that do not fit in memory.
    let whole = folder.path().join("1");
    let given = [("condition", "true"), ("tablebase", whole.to_str().unwrap())];
    let job = query.prepare(&given, Some(64)).unwrap();
    let error = job.run(&monitor).unwrap_err();
    assert!(error.to_string().contains("a limit of 64 B of memory is too small"), "{error}");
}

#[test]
fn groups_are_those_of_plain_loops() {
    let rules = british_square::Rules::standard(3, 4).unwrap();
    let query = british_square_query();
    let held: [Held; 7] = [
        ("true", |_| true),
        ("best_moves = 1 and ply > 3", |row| {
            number(row, "best_moves") == 1 && number(row, "ply") > 3
        }),
        ("score = 2 or not terminal and outcome = second", |row| {
            number(row, "score") == 2
                || row["terminal"] == false.into() && is(row, "outcome", "second")
        }),
        ("(ply + legal_moves) / 2 >= 4.5", |row| {
            number(row, "ply") + number(row, "legal_moves") >= 9
        }),
        ("(ply is odd) != (player = first)", |row| {
            (number(row, "ply") % 2 == 1) != is(row, "player", "first")
        }),
        ("player = outcome", |row| row["player"] == row["outcome"]),
        ("-score * 3 < legal_moves - 2", |row| {
            -number(row, "score") * 3 < number(row, "legal_moves") - 2
        }),
    ];
    let all = ("condition", "true");
    let positions = rows_of(&answer(&query, &[all, ("board", "3x4"), ALL_ROWS]));
    let states = super::run("states", rules).remove(0).total.unwrap();
    assert_eq!(states.rows[0][0], positions.len().into());
    for (text, holds) in held {
        let kept: Vec<_> = positions.iter().filter(|row| holds(row)).collect();
        let given = [("condition", text), ("board", "3x4")];
        let table = answer(&query, &given);
        let sizes: i64 = kept.iter().map(|row| number(row, "orbit_size")).sum();
        assert_eq!(table.rows, [[kept.len().into(), (sizes as u64).into()]], "{text}");

        let more = [
            ("by", "score, player"),
            ("count", "yes"),
            ("sum", "legal_moves"),
            ("mean", "best_moves"),
            ("min", "ply - score"),
            ("max", "ply / 2"),
        ];
        let table = answer(&query, &[&given[..], &more].concat());
        let names: Vec<&str> = table.columns.iter().map(|column| &*column.name).collect();
        assert_eq!(
            names,
            [
                "score",
                "player",
                "positions",
                "sum_legal_moves",
                "mean_best_moves",
                "min_ply_score",
                "max_ply_2"
            ]
        );
        let mut groups: BTreeMap<(i64, bool), Vec<&BTreeMap<String, Cell>>> = BTreeMap::new();
        for row in &kept {
            let key = (number(row, "score"), is(row, "player", "second"));
            groups.entry(key).or_default().push(row);
        }
        let wanted: Vec<Vec<Cell>> = groups
            .into_iter()
            .map(|((score, is_second), rows)| {
                let each =
                    |name: &str| rows.iter().map(|row| number(row, name)).collect::<Vec<_>>();
                let best: i64 = each("best_moves").iter().sum();
                let least = rows.iter().map(|row| number(row, "ply") - number(row, "score")).min();
                let most = each("ply").into_iter().max().unwrap();
                vec![
                    BigInt::from(score).into(),
                    if is_second { "second" } else { "first" }.into(),
                    rows.len().into(),
                    BigInt::from(each("legal_moves").iter().sum::<i64>()).into(),
                    ((best as f64 / rows.len() as f64 * 1e12).trunc() / 1e12).into(),
                    BigInt::from(least.unwrap()).into(),
                    (most as f64 / 2.0).into(),
                ]
            })
            .collect();
        assert_eq!(table.rows, wanted, "{text}");
        let total = table.total.unwrap();
        assert_eq!(total.rows[0][0], kept.len().into(), "{text}");
    }
}

/// The values that the explorer and retrograde analysis find are the same in every group.
#[test]
fn sources_agree() {
    let rules = british_square::Rules::standard(4, 4).unwrap();
    let columns = |rules: &british_square::Rules| british_square::Definition.columns(rules);
    let explored = explored("bs", &rules, columns);
    let given = [
        ("condition", "regions > 1 or claim > 2 or pass"),
        ("dataset", "moves"),
        ("board", "4x4"),
        ("by", "ply, player, score, cost, own_free, best, terminal"),
        ("sum", "orbit_size, own_best_claim, centre_distance"),
    ];
    let [one, other] = [&explored, &british_square_query()].map(|query| answer(query, &given));
    assert!(one.rows.len() > 300, "{}", one.rows.len());
    assert_eq!(one, other);
}

/// On 5x5, the numbers of the existing tables.
#[test]
fn states_of_5x5_are_those_of_other_tables() {
    let query = british_square_query();
    let rules = british_square::Rules::standard(5, 5).unwrap();
    let states = super::run("states", rules.clone()).remove(0);
    let by_ply = answer(&query, &[("condition", "true"), ("by", "ply"), ("max", "legal_moves")]);
    let at = |table: &Table, name: &str| {
        table.columns.iter().position(|column| column.name == name).unwrap()
    };
    let counted = answer(&query, &[("condition", "true"), ("by", "ply + 1")]);
    let column = |table: &Table, name: &str| -> Vec<Cell> {
        let at = at(table, name);
        table.rows.iter().map(|row| row[at].clone()).collect()
    };
    assert_eq!(column(&counted, "positions"), column(&states, "states"));
    assert_eq!(column(&counted, "ply_1"), column(&states, "turn"));
    assert_eq!(counted.total.unwrap().rows[0][0], 8_659_987u32.into());
    assert_eq!(by_ply.rows.len(), states.rows.len());

    // Decisions, risky ones and failures of the greedy heuristic.
    let greedy = [
        ("condition", "not terminal and not pass and best_moves < legal_moves"),
        ("by", "ply + 1"),
    ];
    let risky = answer(&query, &greedy);
    let tested = bsq_analyses::heuristic_test_of(british_square::NAME).unwrap();
    let report = answer(&tested, &[("heuristic", "greedy")]);
    let wanted: Vec<Cell> =
        column(&report, "risky").into_iter().filter(|cell| *cell != 0u32.into()).collect();
    assert_eq!(column(&risky, "positions"), wanted);
}

/// A condition counts 1 where it holds, so its sum is the number of these rows, and its mean their
/// share.
#[test]
fn conditions_are_summed() {
    let query = explored("mnk", &mnk::Rules::tic_tac_toe(), |_| Vec::new());
    let condition = "outcome = player and worst_outcome != player";
    let asked = [("condition", "true"), ("by", "ply"), ("count", "yes")];
    let sums = [("sum", condition), ("mean", condition), ("max", condition)];
    let all = rows_of(&answer(&query, &[&asked[..], &sums].concat()));
    let those = rows_of(&answer(&query, &[("condition", condition), asked[1], asked[2]]));
    let of_ply = |ply: &Cell| those.iter().find(|row| row["ply"] == *ply);
    for row in &all {
        let none = Cell::Integer(0.into());
        let found = of_ply(&row["ply"]).map_or(&none, |row| &row["positions"]);
        let (Cell::Integer(found), Cell::Integer(positions)) = (found, &row["positions"]) else {
            panic!("{row:?}")
        };
        let column = "outcome_player_and_worst_outcome_player";
        assert_eq!(row[&format!("sum_{column}")], Cell::Integer(found.clone()));
        let share = bsq_analyses::Cell::from(Some(
            (found.to_string().parse::<f64>().unwrap())
                / positions.to_string().parse::<f64>().unwrap(),
        ));
        let (Cell::Real(mean), Cell::Real(share)) = (&row[&format!("mean_{column}")], &share)
        else {
            panic!("{row:?}")
        };
        assert!((mean - share).abs() < 1e-11, "{row:?}");
        assert_eq!(row[&format!("max_{column}")] == 1u32.into(), *share > 0.0);
    }
    assert_eq!(all.len(), 10);
    assert!(those.len() > 3);
}

#[test]
fn errors_come_before_the_work() {
    let rules = mnk::Rules::tic_tac_toe();
    let query = explored("mnk", &rules, |_| Vec::new());
    let given = |more: &[(&str, &str)]| {
        let condition = [("condition", "true")];
        refusal(&query, &[&condition, more].concat())
    };
    let message = refusal(&query, &[("condition", "plie > 2")]);
    assert_eq!(message, "'plie' is not a column; did you mean 'plies'?\n  plie > 2\n  ^^^^");
    assert!(refusal(&query, &[]).contains("a query needs a condition"));
    assert!(refusal(&query, &[("condition", "best")]).contains("'best' is not a column"));
    assert!(given(&[("by", "ply,player = draw")]).contains("never 'draw'"));
    assert_eq!(given(&[("sum", "player")]), "'player' is neither a number nor a condition");
    let of_moves = "\n'best' is a column of the dataset 'moves'";
    assert!(refusal(&query, &[("condition", "terminal or best")]).ends_with(of_moves));
    assert!(given(&[("by", "ply,best")]).ends_with(of_moves));
    assert!(!given(&[("by", "ply,worst")]).contains("dataset"));
    assert_eq!(given(&[("rows", "2"), ("by", "ply")]), "--rows shows rows, not groups");
    assert_eq!(given(&[("show", "ply")]), "columns are shown with --rows only");
    assert!(given(&[("rows", "2"), ("show", "plies,plyes")]).contains("did you mean 'plies'?"));
    assert!(given(&[("dataset", "games")]).contains("positions"));
    // Errors of rows are not known before.
    for (option, text) in [("condition", "1 / ply > 0"), ("by", "1 / ply"), ("mean", "1 / ply")] {
        let given = match option {
            "condition" => vec![(option, text)],
            _ => vec![("condition", "true"), (option, text)],
        };
        let job = query.prepare(&given, None).unwrap();
        let error = job.run(&Monitor::default()).unwrap_err();
        assert!(error.to_string().starts_with("division by zero"), "{error}");
        assert_eq!(error.kind(), bsq_engine::error::Kind::Usage);
    }
}

/// Groups and rows count as memory.
#[test]
fn answers_are_limited_in_memory() {
    let query = british_square_query();
    for more in [("by", "position"), ("rows", "100000")] {
        let given = [("condition", "true"), ("board", "4x5"), more];
        let needed = query.prepare(&given, Some(12 << 20)).unwrap();
        let error = needed.run(&Monitor::default()).unwrap_err();
        assert_eq!(error.kind(), bsq_engine::error::Kind::Refused, "{error}");
    }
}

/// A group that occurs in many parts of the dataset counts once as memory.
#[test]
fn groups_of_parts_count_once() {
    let rules = mnk::Rules::tic_tac_toe();
    let query = explored("mnk", &rules, |_| Vec::new());
    let keys = "ply,best_moves,plies,outcome,orbit_size";
    // Many sums, so that groups take more memory than positions.
    let sums = ["ply"; 60].join(",");
    let given = [("condition", "true"), ("board", "3x4"), ("k", "3"), ("by", keys), ("sum", &sums)];
    let job = query.prepare(&given, Some(6 << 20)).unwrap();
    let groups = job.run(&Monitor::default()).unwrap().remove(0);
    assert!(groups.rows.len() > 200, "{}", groups.rows.len());
}

/// The tables of one thread are those of many.
#[test]
fn answers_do_not_depend_on_the_number_of_threads() {
    let query = british_square_query();
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    for more in [("by", "ply, best_moves / legal_moves"), ("rows", "50")] {
        let given = [("condition", "not terminal"), ("board", "4x4"), more];
        let [one, many] = [1, 3].map(|threads| pool(threads).install(|| answer(&query, &given)));
        assert_eq!(one, many);
    }
}

/// Every feature has the values of its plain definition, before a move and for each move.
#[test]
fn features_are_columns() {
    use bsq_test_support::oracle::features::value;
    use bsq_test_support::oracle::{EMPTY, FIRST, Variant};

    let (variant, rules) = (Variant::standard(3, 4), squares().swap_remove(4));
    let all = || british_square::heuristic::features::all();
    for dataset in ["positions", "moves"] {
        let features = all().filter(|it| dataset == "moves" || it.tells_positions());
        let features: Vec<_> = features.collect();
        let names = features.iter().map(|feature| feature.name.replace('-', "_"));
        let mut show: Vec<String> =
            names.chain(["position", "key", "first_pieces"].map(String::from)).collect();
        if dataset == "moves" {
            let after = features.iter().filter(|it| it.ranks_moves() && it.tells_positions());
            show.extend(after.map(|feature| format!("after_{}", feature.name.replace('-', "_"))));
            show.push("move".to_string());
        }
        let mut after = 0;
        let show = show.join(",");
        let condition = if dataset == "moves" { "not pass" } else { "not terminal and not pass" };
        let given = [("condition", condition), ("dataset", dataset), ("board", "3x4"), ALL_ROWS];
        let given = [&given[..], &[("show", show.as_str())]].concat();
        let rows = rows_of(&answer(&british_square_query(), &given));
        assert!(rows.len() > 500);
        for row in rows {
            let Cell::Text(text) = &row["position"] else { panic!("{row:?}") };
            let position = rules.parse_position(text).unwrap();
            let now = super::situation(&variant, &position);
            let number = |cells: Vec<u8>| -> i64 {
                let bit = |(cell, owner): (usize, &u8)| match *owner {
                    EMPTY => 0,
                    FIRST => 1 << cell,
                    _ => 1 << (25 + cell),
                };
                cells.iter().enumerate().map(bit).sum::<i64>() + ((now.turn as i64) << 50)
            };
            let key = variant.images(&now.cells).into_iter().map(number).min().unwrap();
            assert_eq!(row["key"], Cell::Integer(key.into()), "{text}");
            let cell = match row.get("move") {
                Some(Cell::Text(mv)) => match rules.parse_move(mv).unwrap() {
                    british_square::Move::Place(cell) => Some(cell),
                    british_square::Move::Pass => panic!("{row:?}"),
                },
                _ => None,
            };
            for feature in &features {
                let column = feature.name.replace('-', "_");
                let of_move = cell.filter(|_| !feature.tells_positions());
                let wanted = value(feature.name, &variant, &now, of_move);
                assert_eq!(row[&column], wanted.into(), "{column} of {text} {cell:?}");
                if let Some(found) = row.get(&format!("after_{column}")) {
                    let wanted = value(feature.name, &variant, &now, cell);
                    assert_eq!(*found, wanted.into(), "after_{column} of {text} {cell:?}");
                    after += 1;
                }
            }
            let (board, _) = text.split_once(' ').unwrap();
            assert_eq!(row["first_pieces"], board.matches('X').count().into());
        }
        assert_eq!(after > 0, dataset == "moves");
    }
}

/// Whether a player can draw the lines that lead to `all`, each of which takes a box, in another
/// order: takes some boxes, then draws a line that takes none and leaves the others to the opponent.
fn leaves_some(rules: &dots::Rules, lines: dots::Lines, all: dots::Lines) -> bool {
    let left = |drawn: dots::Lines| {
        (0..rules.board.lines()).filter(move |line| (all & !drawn) >> line & 1 == 1)
    };
    let takes_rest = |mut drawn: dots::Lines| {
        while let Some(line) = left(drawn).find(|&line| rules.closes(drawn, line) != 0) {
            drawn |= 1 << line;
        }
        drawn == all
    };
    left(lines).any(|line| {
        let next = lines | 1 << line;
        if rules.closes(lines, line) != 0 {
            leaves_some(rules, next, all)
        } else {
            next != all && takes_rest(next)
        }
    })
}

/// Lines, boxes and strings of boxes, counted on the drawing.
#[test]
fn columns_of_dots_and_boxes_are_those_of_the_drawing() {
    let board = dots::Board::new(2, 2).unwrap();
    let rules = dots::Rules::standard(board);
    let columns = |rules: &dots::Rules| dots::Definition.columns(rules);
    let query = explored("dots", &rules, columns);
    let show = "lines,boxes,capturable,chains,long_chains,loops,loony,safe_lines,position";
    let given = [("condition", "true"), ("board", "2x2"), ALL_ROWS, ("show", show)];
    let rows = rows_of(&answer(&query, &given));
    let mut found = BTreeSet::new();
    for row in &rows {
        let Cell::Text(text) = &row["position"] else { panic!("{row:?}") };
        let lines = rules.parse_position(text).unwrap().lines;
        let is_drawn = |line: usize| lines >> line & 1 == 1;
        let sides = |cell: usize| -> Vec<usize> {
            (0..board.lines()).filter(|&line| board.sides(cell) >> line & 1 == 1).collect()
        };
        let open = |cell: usize| sides(cell).into_iter().filter(|&line| !is_drawn(line)).count();
        let boxes: Vec<usize> = (0..4).collect();
        let with = |number| boxes.iter().copied().filter(|&cell| open(cell) == number).collect();
        let twos: BTreeSet<usize> = with(2);
        let shared = |one: usize, other: usize| {
            sides(one).iter().any(|line| !is_drawn(*line) && sides(other).contains(line))
        };
        let (mut chains, mut long, mut loops, mut left) = (0u32, 0u32, 0u32, twos.clone());
        while let Some(first) = left.pop_first() {
            let mut string = vec![first];
            let mut at = 0;
            while at < string.len() {
                let near: Vec<usize> =
                    left.iter().copied().filter(|&other| shared(string[at], other)).collect();
                near.iter().for_each(|cell| _ = left.remove(cell));
                string.extend(near);
                at += 1;
            }
            let inner = string.iter().flat_map(|&one| {
                string.iter().filter(move |&&other| one < other && shared(one, other))
            });
            if inner.count() == string.len() && string.len() > 2 {
                loops += 1;
            } else {
                (chains, long) = (chains + 1, long + u32::from(string.len() > 2));
            }
        }
        let ones: BTreeSet<usize> = with(1);
        let is_safe = |line: usize| {
            !is_drawn(line)
                && boxes.iter().all(|&cell| !sides(cell).contains(&line) || open(cell) > 2)
        };
        let safe = if ones.is_empty() {
            (0..board.lines()).filter(|&line| is_safe(line)).count()
        } else {
            0
        };
        // Boxes are taken until none is left with one open side.
        let (mut drawn, mut taken) = (lines, 0u32);
        while let Some(line) = (0..board.lines())
            .find(|&line| drawn >> line & 1 == 0 && rules.closes(drawn, line) != 0)
        {
            taken += rules.closes(drawn, line).count_ones();
            drawn |= 1 << line;
        }
        let is_loony = leaves_some(&rules, lines, drawn);
        let wanted: [(&str, Cell); 8] = [
            ("lines", lines.count_ones().into()),
            ("boxes", with(0).len().into()),
            ("capturable", taken.into()),
            ("chains", chains.into()),
            ("long_chains", long.into()),
            ("loops", loops.into()),
            ("loony", is_loony.into()),
            ("safe_lines", safe.into()),
        ];
        for (name, cell) in wanted {
            assert_eq!(row[name], cell, "{name} of {text}");
            found.insert(format!("{name} {:?}", row[name]));
        }
    }
    for seen in ["loops Integer(1)", "long_chains Integer(1)", "loony Truth(true)"] {
        assert!(found.contains(seen), "{seen}");
    }
}

#[test]
fn columns_are_listed() {
    let query = british_square_query();
    let names = |dataset| {
        let table = answer(&query, &[("columns", "yes"), ("dataset", dataset)]);
        let names = table.rows.iter().map(|row| match &row[0] {
            Cell::Text(name) => name.clone(),
            other => panic!("{other:?}"),
        });
        names.collect::<BTreeSet<String>>()
    };
    let (positions, moves) = (names("positions"), names("moves"));
    assert!(positions.is_subset(&moves));
    let more: BTreeSet<&str> = moves.difference(&positions).map(String::as_str).collect();
    assert!(["move", "cost", "best", "claim", "edge"].iter().all(|name| more.contains(name)));
    assert!(positions.contains("own_free") && !positions.contains("claim"));
}
