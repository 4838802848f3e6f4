//! The finding that a chart states: its title, with facts of the values that are drawn.

use super::label::{exact, number, short};
use num_bigint::BigInt;

/// The most places or series that are named. Of more, their number is.
const NAMED: usize = 3;

/// A value that is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    /// The value of `by`, the column, or the sign of a score. Empty without series.
    pub series: String,
    /// The words for the series.
    pub label: String,
    /// The words for its place.
    pub at: String,
    /// The value. Without one, only the series counts.
    pub value: Option<(f64, String)>,
}

/// Replaces the facts in a title, which [`Chart::title`](bsq_analyses::Chart::title) lists.
pub fn finding(title: &str, facts: &[Fact], is_share: bool) -> String {
    let mut text = String::new();
    let mut rest = title;
    while let Some((before, after)) = rest.split_once('{') {
        text += before;
        rest = match (after.strip_prefix('{'), after.split_once('}')) {
            (Some(after), _) => {
                text.push('{');
                after
            }
            (None, Some((name, after))) => {
                text += &fact(name, facts, is_share);
                after
            }
            (None, None) => after,
        };
    }
    text + rest
}

/// The fact of a name such as `share of won`.
fn fact(name: &str, facts: &[Fact], is_share: bool) -> String {
    let (quantity, series) = name.split_once(" of ").map_or((name, None), |(q, s)| (q, Some(s)));
    let chosen = || facts.iter().filter(|fact| series.is_none_or(|series| fact.series == series));
    let values = || chosen().filter_map(|fact| Some((fact, fact.value.as_ref()?)));
    let numbers = || values().map(|(_, (number, _))| *number);
    let end = if quantity.starts_with("most") {
        numbers().max_by(f64::total_cmp)
    } else {
        numbers().min_by(f64::total_cmp)
    };
    let at_end = || values().filter(|(_, (number, _))| Some(*number) == end);
    let of_all = |part: f64| {
        let sum: f64 = facts.iter().filter_map(|fact| Some(fact.value.as_ref()?.0)).sum();
        let share = if sum == 0.0 { 0.0 } else { part / sum };
        short(&share.to_string(), share, true)
    };
    match quantity {
        "count" => exact(&chosen().count().to_string()),
        "total" => {
            let texts: Vec<&str> = values().map(|(_, (_, text))| text.as_str()).collect();
            let sum: f64 = numbers().sum();
            let whole: Option<BigInt> = texts.iter().map(|text| text.parse::<BigInt>().ok()).sum();
            let text = whole.map_or_else(|| sum.to_string(), |whole| whole.to_string());
            short(&text, sum, is_share)
        }
        "share" => of_all(numbers().sum()),
        "range" => {
            let [least, most] = ["least", "most"].map(|end| {
                let of = series.map_or_else(String::new, |series| format!(" of {series}"));
                fact(&format!("{end}{of}"), facts, is_share)
            });
            if least == most { most } else { format!("{least} to {most}") }
        }
        "most" | "least" => at_end().next().map_or_else(
            || "none".to_string(),
            |(_, (number, text))| short(text, *number, is_share),
        ),
        "most share" => of_all(end.unwrap_or(0.0)),
        "most at" | "least at" => listed(at_end().map(|(fact, _)| fact.at.as_str())),
        "most series" => listed(at_end().map(|(fact, _)| fact.label.as_str())),
        "last at" => {
            let last = chosen().filter_map(|fact| number(&fact.at)).max_by(f64::total_cmp);
            last.map_or_else(String::new, |last| exact(&last.to_string()))
        }
        _ => format!("{{{name}}}"),
    }
}

/// Formats a list such as `a, b and c`, without repetitions; of many names the first and the number
/// of others.
fn listed<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let mut distinct: Vec<&str> = Vec::new();
    names.for_each(|name| {
        if !distinct.contains(&name) {
            distinct.push(name);
        }
    });
    match distinct.as_slice() {
        [] => "nowhere".to_string(),
        [only] => only.to_string(),
        [first, .., _] if distinct.len() > NAMED => {
            format!("{first} and {} others", distinct.len() - 1)
        }
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts() -> Vec<Fact> {
        let fact = |series: &str, at: &str, text: &str| Fact {
            series: series.to_string(),
            label: format!("{series} label"),
            at: at.to_string(),
            value: number(text).map(|number| (number, text.to_string())),
        };
        vec![fact("a", "1", "10"), fact("b", "2", "30"), fact("a", "4", "30"), fact("b", "3", "")]
    }

    #[test]
    fn facts_are_those_of_the_values() {
        let found = |title: &str| finding(title, &facts(), false);
        assert_eq!(found("{count}, {count of b}"), "4, 2");
        assert_eq!(found("{total} {total of a} {share of a}"), "70 40 57%");
        assert_eq!(
            found("{most} at {most at}, {most series}"),
            "30 at 2 and 4, b label and a label"
        );
        assert_eq!(
            found("{least} at {least at}; {least of b} at {least at of b}"),
            "10 at 1; 30 at 2"
        );
        assert_eq!(found("{range}, {range of a}, {range of b}"), "10 to 30, 10 to 30, 30");
        assert_eq!(found("{most share}, {last at}"), "43%, 4");
        assert_eq!(
            found("{total of c} {share of c} {most of c} {most at of c}"),
            "0 0% none nowhere"
        );
    }

    #[test]
    fn sums_are_exact() {
        let large = |text: &str| Fact {
            series: String::new(),
            label: String::new(),
            at: String::new(),
            value: Some((number(text).unwrap(), text.to_string())),
        };
        let facts = ["123456", "654321"].map(large);
        assert_eq!(finding("{total}", &facts, false), "777,777");
        let facts = [large("9".repeat(30).as_str()), large("1")];
        assert_eq!(finding("{total}", &facts, false), "1.00 × 10³⁰");
    }

    #[test]
    fn braces_of_a_condition_stay() {
        assert_eq!(finding("{{{count}}; {", &facts(), false), "{4}; ");
        assert_eq!(finding("{other}", &facts(), false), "{other}");
    }

    #[test]
    fn of_many_names_the_first_is_said() {
        assert_eq!(listed(["a", "b", "a"].into_iter()), "a and b");
        assert_eq!(listed(["a", "b", "c", "d"].into_iter()), "a and 3 others");
    }
}
