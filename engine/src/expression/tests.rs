use super::{ColumnName, Condition, Cursor, Expression, Language, Number, Row, Type, alternatives};
use proptest::prelude::*;

const PLAYERS: &[&str] = &["first", "second"];
const OUTCOMES: &[&str] = &["first", "second", "tie"];
const COLUMNS: [ColumnName; 7] = [
    ColumnName { name: "ply", kind: Type::Number },
    ColumnName { name: "score", kind: Type::Number },
    ColumnName { name: "plies", kind: Type::Number },
    ColumnName { name: "terminal", kind: Type::Truth },
    ColumnName { name: "player", kind: Type::Words(PLAYERS) },
    ColumnName { name: "outcome", kind: Type::Words(OUTCOMES) },
    ColumnName { name: "position", kind: Type::Text },
];

/// Ply 7, score -3/2, no plies, not terminal, the second player to move, and the outcome.
struct Values {
    outcome: Option<usize>,
}

impl Row for Values {
    fn number(&self, column: usize) -> Option<Number> {
        [Some(Number::from(7)), Some(Number::new(-3, 2)), None][column]
    }
    fn truth(&self, _: usize) -> Option<bool> {
        Some(false)
    }
    fn word(&self, column: usize) -> Option<usize> {
        if column == 4 { Some(1) } else { self.outcome }
    }
}

fn holds(text: &str) -> bool {
    let condition = Condition::parse(text, &COLUMNS).unwrap_or_else(|error| panic!("{error}"));
    condition.holds(&Values { outcome: Some(1) }).unwrap()
}

fn error(text: &str) -> String {
    Condition::parse(text, &COLUMNS).unwrap_err().to_string()
}

#[test]
fn conditions_hold_as_in_arithmetic() {
    for text in [
        "true",
        "not false",
        "not not true",
        "ply = 7 and score = -1.5",
        "ply > 8 or score < 0",
        "true or false and false",
        "not (true and false)",
        "not terminal and true",
        "ply - 2 - 1 = 4",
        "ply / 2 / 2 = 1.75",
        "1 + 2 * 3 = ply",
        "(1 + 2) * 3 = 9",
        "-ply = 0 - 7",
        "--ply = ply",
        "ply is odd",
        "ply + 1 is even",
        "not (score is odd) and not (score is even)",
        "player = second",
        "second = player",
        "player != first",
        "player = outcome",
        "outcome = player and outcome != tie",
        "terminal = false",
        "(ply > 3) = (score < 0)",
        "ply = 7 # a comment",
    ] {
        assert!(holds(text), "{text}");
        assert!(!holds(&format!("not ({})", text.split('#').next().unwrap())), "{text}");
    }
}

#[test]
fn comparisons_with_missing_values_do_not_hold() {
    for text in
        ["plies = 1", "plies != 1", "plies < 1", "plies >= 1", "plies is odd", "plies = plies"]
    {
        assert!(!holds(text), "{text}");
        assert!(holds(&format!("not {text}")), "{text}");
    }
    for text in ["outcome = tie", "outcome != tie", "outcome = player", "player != outcome"] {
        let condition = Condition::parse(text, &COLUMNS).unwrap();
        assert!(!condition.holds(&Values { outcome: None }).unwrap(), "{text}");
    }
}

#[test]
fn errors_mark_the_word_and_say_what_would_be_right() {
    for (text, marked, says) in [
        ("", "", "expected a column"),
        ("ply", "ply", "'ply' is a number; compare it, as in 'ply > 0'"),
        ("player", "player", "compare it, as in 'player = first'"),
        ("position", "position", "'position' is a text, which cannot be compared"),
        ("terminal > 1", "1", "'1' is a number"),
        ("ply + terminal > 1", "terminal", "'terminal' is true or false, not a number"),
        ("ply > true", "ply", "'ply' is a number"),
        ("score = ti", "ti", "'ti' is not a column"),
        ("tie", "tie", "'tie' is not a column; did you mean 'outcome = tie'?"),
        ("player = tie", "tie", "'player' is one of the words first, second, never 'tie'"),
        ("player < second", "player < second", "compare with = or !="),
        ("turminal", "turminal", "did you mean 'terminal'?"),
        ("1 < ply < 3", "<", "'1 < ply and ply < 3'"),
        ("ply == 3", "==", "write '='"),
        ("ply > 3 && terminal", "&", "write 'and'"),
        ("!terminal", "!", "write 'not'"),
        ("ply = 3, terminal", ",", "',' has no meaning here"),
        ("(ply = 3", "", "expected ')'"),
        ("terminal or ply\n + 1", "ply", "'ply + 1' is a number; compare it"),
        ("ply = 3)", ")", "expected 'and', 'or', or the end"),
        ("ply is prime", "prime", "expected 'odd' or 'even'"),
        ("ply = 1.", "1.", "a number is written as 12 or 0.5"),
        ("ply = 1.2.3", "1.2.3", "a number is written as 12 or 0.5"),
        ("ply = 1234567890123456789", "1234567890123456789", "at most 18 digits"),
        ("ply = 0.1234567", "0.1234567", "6 after the point"),
    ] {
        let found = error(text);
        assert!(found.contains(says), "{text}: {found}");
        let marks = found.lines().last().unwrap();
        let at = marks.find('^').unwrap() - 2;
        let expected = if marked.is_empty() { text.len() } else { text.find(marked).unwrap() };
        if text != "1 < ply < 3" {
            assert_eq!(at, expected, "{found}");
        }
        assert_eq!(marks.trim().len(), marked.len().max(1), "{found}");
    }
}

#[test]
fn results_that_are_no_numbers_are_errors() {
    for (text, says) in [
        ("ply / (ply - 7) > 1", "division by zero"),
        ("ply / 0 = 0 / 0", "division by zero"),
        ("999999999999999 * 999999999999999 > 0", "too large"),
        ("0.000001 / 999999999999999 / 999999999 > 0", "too large"),
    ] {
        let condition = Condition::parse(text, &COLUMNS).unwrap();
        let error = condition.holds(&Values { outcome: None }).unwrap_err().to_string();
        assert!(error.contains(says), "{text}: {error}");
    }
}

#[test]
fn deep_and_long_expressions_are_errors() {
    assert!(error(&format!("{}true{}", "(".repeat(5000), ")".repeat(5000))).contains("at most"));
    assert!(error(&format!("{}true", "not ".repeat(900))).contains("within each other"));
    assert!(error(&format!("{}ply = 1", "-".repeat(900))).contains("within each other"));
    assert!(error(&format!("{}true", "true and ".repeat(600))).contains("at most 1000 words"));
    assert!(holds(&format!("{}1 > 0", "1 + ".repeat(490))));
}

/// An expression with its value, computed without the parser.
fn sums() -> impl Strategy<Value = (String, Option<i64>)> {
    let leaf = prop_oneof![
        (0i64..1000).prop_map(|number| (number.to_string(), Some(number))),
        Just(("ply".to_string(), Some(7))),
        Just(("plies".to_string(), None)),
    ];
    leaf.prop_recursive(5, 40, 2, |inner| {
        let pair = (inner.clone(), inner.clone());
        prop_oneof![
            inner.prop_map(|(text, value)| (format!("-({text})"), value.map(|value| -value))),
            pair.clone().prop_map(|((a, x), (b, y))| (
                format!("({a}) + ({b})"),
                x.zip(y).map(|(x, y)| x + y)
            )),
            pair.clone().prop_map(|((a, x), (b, y))| (
                format!("({a}) - ({b})"),
                x.zip(y).map(|(x, y)| x - y)
            )),
            pair.prop_map(|((a, x), (b, _))| (format!("({a}) * 2 + 0 * ({b}) "), x.map(|x| x * 2)))
                .prop_filter("a missing factor", |(text, _)| !text.contains("plies")),
        ]
    })
}

/// The pairs of values of the columns `own-free` and `b` at which conditions are evaluated.
fn points() -> impl Iterator<Item = [i64; 2]> {
    (0..25).map(|at| [at / 5 - 2, at % 5 - 2])
}

/// A sum of columns and numbers, with its value at each point, times 6.
fn linear() -> impl Strategy<Value = (String, Vec<i64>)> {
    let leaf = prop_oneof![
        (0i64..5).prop_map(|number| (number.to_string(), vec![6 * number; 25])),
        Just(("1.5".to_string(), vec![9; 25])),
        Just(("own_free".to_string(), points().map(|[a, _]| 6 * a).collect())),
        Just(("b".to_string(), points().map(|[_, b]| 6 * b).collect())),
        Just(("b / 3".to_string(), points().map(|[_, b]| 2 * b).collect())),
        Just(("-own-free".to_string(), points().map(|[a, _]| -6 * a).collect())),
    ];
    leaf.prop_recursive(2, 4, 2, |inner| {
        let of_two = |(a, x): (String, Vec<i64>), (b, y): (String, Vec<i64>)| {
            let sums = x.iter().zip(&y).map(|(x, y)| x + y).collect();
            let differences = x.iter().zip(&y).map(|(x, y)| 2 * x - y).collect();
            [(format!("{a} + {b}"), sums), (format!("2 * ({a}) - ({b})"), differences)]
        };
        (inner.clone(), inner, 0usize..2)
            .prop_map(move |(first, second, which)| of_two(first, second)[which].clone())
    })
}

/// A condition, with its truth value at each point.
fn condition() -> impl Strategy<Value = (String, Vec<bool>)> {
    let signs = ["<", "<=", "=", "!=", ">=", ">"];
    let comparison =
        (linear(), 0..signs.len(), linear()).prop_map(move |((a, x), sign, (b, y))| {
            let holds = |(x, y): (&i64, &i64)| [x < y, x <= y, x == y, x != y, x >= y, x > y][sign];
            let values = x.iter().zip(&y).map(holds).collect();
            (format!("{a} {} {b}", signs[sign]), values)
        });
    let parity = (0i64..4, any::<bool>()).prop_map(|(plus, is_odd)| {
        let holds = |[a, b]: [i64; 2]| ((3 * a - b + plus).rem_euclid(2) == 1) == is_odd;
        let text = format!("3*own-free - b + {plus} is {}", if is_odd { "odd" } else { "even" });
        (text, points().map(holds).collect())
    });
    let truth = any::<bool>().prop_map(|truth| (truth.to_string(), vec![truth; 25]));
    prop_oneof![6 => comparison, 2 => parity, 1 => truth].prop_recursive(3, 8, 3, |inner| {
        let join = |parts: Vec<(String, Vec<bool>)>, which: usize| {
            let [word, sign] = [["and", "or"], ["=", "!="]].map(|words| words[which]);
            let texts: Vec<String> = parts.iter().map(|(text, _)| format!("({text})")).collect();
            let at = |point: usize| parts.iter().map(move |(_, values)| values[point]);
            let joined = |point| match which {
                0 => at(point).all(|value| value),
                _ => at(point).any(|value| value),
            };
            let is_same = |point: usize| (parts[0].1[point] == parts[1].1[point]) == (which == 0);
            [
                (texts.join(&format!(" {word} ")), (0..25).map(joined).collect()),
                (texts[..2].join(&format!(" {sign} ")), (0..25).map(is_same).collect()),
            ]
        };
        prop_oneof![
            inner.clone().prop_map(|(text, values)| {
                (format!("not ({text})"), values.iter().map(|value| !value).collect())
            }),
            (proptest::collection::vec(inner, 2..4), 0usize..2, 0usize..2)
                .prop_map(move |(parts, which, kind)| join(parts, which)[kind].clone()),
        ]
    })
}

const OF_RULES: [ColumnName; 2] = [
    ColumnName { name: "own-free", kind: Type::Number },
    ColumnName { name: "b", kind: Type::Number },
];

#[test]
fn alternatives_have_errors_of_their_own() {
    for (text, marked, says) in [
        ("own-free * b > 1", "own-free * b", "multiplies and divides by numbers only"),
        ("b / own-free > 1", "b / own-free", "multiplies and divides by numbers only"),
        ("b / 0 > 1", "b / 0", "division by zero"),
        ("0 * b > 1", "0 * b", "a weight of 0 does nothing"),
        ("b / 2 is odd", "b / 2 is odd", "only whole numbers are odd or even"),
        ("b", "b", "'b' is a number; compare it"),
        ("b > 1 or own-fre > 1", "own-fre", "'own-fre' is not a feature; did you mean 'own-free'?"),
        ("b > ", "", "expected a feature, a number or '('"),
        ("999999999999999999 * 999 * b > 1", "999999999999999999 * 999", "too large"),
        ("(b < 1 or b > 2) and (b < 3 or b > 4) and (b < 5 or b > 6)", "(b", "at most 20 weights"),
    ] {
        let mut cursor = Cursor::new(text, Language::Rules).unwrap();
        let error = alternatives(&mut cursor, &OF_RULES, 20).unwrap_err().within(text).to_string();
        assert!(error.contains(says), "{text}: {error}");
        if !says.contains("at most") {
            let marks = error.lines().last().unwrap();
            let expected =
                if marked.is_empty() { text.trim_end().len() } else { text.find(marked).unwrap() };
            assert_eq!(marks.find('^').unwrap() - 2, expected, "{error}");
            assert_eq!(marks.trim().len(), marked.len().max(1), "{error}");
        }
    }
}

proptest! {
    #[test]
    fn alternatives_hold_where_the_condition_holds((text, values) in condition()) {
        let mut cursor = Cursor::new(&text, Language::Rules).unwrap();
        let found = match alternatives(&mut cursor, &OF_RULES, 500) {
            Ok(found) => found,
            Err(fault) => {
                let error = fault.within(&text).to_string();
                prop_assert!(error.contains("at most 500"), "{}", error);
                return Ok(());
            }
        };
        for (point, value) in points().zip(values) {
            let holds = found.iter().any(|all| all.iter().all(|comparison| {
                let terms = comparison.terms.iter();
                let sum: i64 = terms.map(|term| term.weight * point[term.column]).sum();
                comparison.relation.holds(sum as i32, comparison.number as i32)
            }));
            prop_assert_eq!(holds, value, "{} at {:?}", text, point);
        }
    }

    #[test]
    fn sums_are_those_of_integers((text, value) in sums()) {
        let Ok(Expression::Number(sum)) = Expression::parse(&text, &COLUMNS) else {
            return Err(TestCaseError::fail(text));
        };
        let found = sum.amount(&Values { outcome: None }).unwrap();
        prop_assert_eq!(found, value.map(Number::from), "{}", text);
    }

    #[test]
    fn any_text_is_an_expression_or_an_error(text in "[a-z0-9_ .()<>=!+*/#&|\\-]{0,40}") {
        if let Ok(condition) = Condition::parse(&text, &COLUMNS) {
            let _ = condition.holds(&Values { outcome: Some(0) });
        }
    }
}
