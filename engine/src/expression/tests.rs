use super::{ColumnName, Condition, Expression, Number, Row, Type};
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

proptest! {
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
