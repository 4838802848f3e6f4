//! The values of a chart with two axes: their places, series and colours.

use super::error::PlotError;
use super::label;
use super::sheet::{Row, Sheet};
use bsq_analyses::palette::{Color, OTHERS};
use bsq_analyses::{Chart, Shown, palette};
use std::collections::{HashMap, HashSet};

/// The maximum number of values.
const MOST: usize = 20_000;
/// How winners are shown, by the sign of a score.
const WINNERS: [Shown; 3] = [
    Shown::second("-", "second player wins"),
    Shown::tie("0", "tie"),
    Shown::first("+", "first player wins"),
];

/// A value and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// The text that determines its place.
    pub x: String,
    /// The index of its series.
    pub series: usize,
    /// The value.
    pub number: f64,
    /// The value as a text of the table.
    pub text: String,
    /// Its name.
    pub name: String,
    /// The line of its row.
    pub line: u64,
}

/// A series of values.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// The value of `by`, or the column. Empty for a single series.
    pub value: String,
    /// The words of the legend. Empty for a single series.
    pub label: String,
    /// Its colour.
    pub color: Color,
}

/// The values of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Marks<'a> {
    /// The values, in the order of the rows.
    pub marks: Vec<Mark>,
    /// The series. One without series.
    pub series: Vec<Series>,
    /// How values are shown.
    pub shown: &'a [Shown<'a>],
    /// Whether the values are shares.
    pub is_share: bool,
    /// Whether the series follows from the place, so that a legend would repeat the axis.
    pub series_by_x: bool,
}

impl<'a> Marks<'a> {
    /// Collects the values of a chart.
    pub fn of(sheet: &Sheet, chart: &Chart<'a>, rows: &[&Row]) -> Result<Marks<'a>, PlotError> {
        let x = (!chart.x.is_empty()).then(|| sheet.column(chart.x)).transpose()?;
        let ys: Vec<usize> = chart.y.iter().map(|y| sheet.column(y)).collect::<Result<_, _>>()?;
        let by = chart.by.map(|by| sheet.column(by)).transpose()?;
        let name = chart.name.map(|name| sheet.column(name)).transpose()?;
        let of_series = if chart.is_score { &WINNERS } else { chart.shown };
        let mut values: Vec<String> = Vec::new();
        let mut marks = Vec::new();
        for &row in rows {
            for &y in &ys {
                let Some(number) = sheet.number(row, y)? else { continue };
                let value = match by {
                    Some(by) if chart.is_score => sign(sheet.number(row, by)?).to_string(),
                    Some(by) => row.cells[by].clone(),
                    None if ys.len() > 1 => sheet.columns[y].clone(),
                    None => String::new(),
                };
                let rest = 1.0 - number;
                let (number, text) = if chart.complement {
                    (rest, format!("{rest:.6}"))
                } else {
                    (number, row.cells[y].clone())
                };
                let series = position(&mut values, value);
                let name = name.map(|name| row.cells[name].clone()).unwrap_or_default();
                marks.push(Mark {
                    x: x.map_or(&sheet.columns[y], |x| &row.cells[x]).clone(),
                    series,
                    number,
                    text,
                    name,
                    line: row.line,
                });
            }
        }
        if marks.is_empty() {
            return Err(PlotError::NoRows(sheet.name.clone()));
        }
        PlotError::limit("values", marks.len(), MOST)?;
        let order = reorder(&mut values, of_series);
        marks.iter_mut().for_each(|mark| mark.series = order[mark.series]);
        Ok(Marks {
            marks,
            series: series(&values, of_series)?,
            shown: chart.shown,
            is_share: ys.iter().all(|&y| is_share(&sheet.columns[y])),
            series_by_x: by == x && !chart.is_score,
        })
    }

    /// Returns an error if two values of a series have the same place, where one would hide the
    /// other.
    pub fn alone(&self) -> Result<(), PlotError> {
        let mut taken: HashMap<(&str, usize), u64> = HashMap::new();
        for mark in &self.marks {
            if let Some(other) = taken.insert((&mark.x, mark.series), mark.line) {
                let place = self.place(mark);
                return Err(PlotError::Twice { place, lines: [other, mark.line] });
            }
        }
        Ok(())
    }

    /// The distinct places, with their words: sorted if all are numbers, otherwise in the declared
    /// order and that of appearance.
    pub fn categories(&self) -> Vec<String> {
        let mut names = categories(self.marks.iter().map(|mark| mark.x.as_str()));
        if names.iter().any(|name| label::number(name).is_none()) {
            reorder(&mut names, self.shown);
        }
        names
    }

    /// The tip of a value: its place, its series, and all its digits.
    pub fn tip(&self, mark: &Mark) -> String {
        format!("{}: {}", self.place(mark), label::exact(&mark.text))
    }

    fn place(&self, mark: &Mark) -> String {
        let series = if self.series_by_x { "" } else { self.series[mark.series].label.as_str() };
        let words = [mark.name.as_str(), &label_of(self.shown, &mark.x), series].map(String::from);
        words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(", ")
    }
}

/// The sign of a score.
pub fn sign(score: Option<f64>) -> &'static str {
    match score {
        Some(score) if score > 0.0 => "+",
        Some(score) if score < 0.0 => "-",
        _ => "0",
    }
}

/// Whether the values of a column are shares or probabilities, by its name.
pub fn is_share(column: &str) -> bool {
    const SHARES: [&str; 3] = ["share", "probability", "wins"];
    column.split('_').any(|word| SHARES.contains(&word))
}

/// The words for a value.
pub fn label_of(shown: &[Shown], value: &str) -> String {
    let found = shown.iter().find(|shown| shown.value == value);
    found.map_or_else(|| label::exact(value), |shown| shown.label.to_string())
}

/// The words and colours of values: the declared ones, or a colour without a meaning.
pub fn series(values: &[String], shown: &[Shown]) -> Result<Vec<Series>, PlotError> {
    let mut others = OTHERS.into_iter();
    let series = values.iter().map(|value| {
        let declared = shown.iter().find(|shown| shown.value == value).and_then(|s| s.color);
        let color = declared.or_else(|| others.next())?;
        Some(Series { value: value.clone(), label: label_of(shown, value), color })
    });
    let most = OTHERS.len();
    let too_many = PlotError::TooMany { what: "series", count: values.len(), most };
    series.collect::<Option<_>>().ok_or(too_many)
}

/// Returns the index of a name, and appends the name if it is new.
pub fn position(names: &mut Vec<String>, name: String) -> usize {
    names.iter().position(|known| *known == name).unwrap_or_else(|| {
        names.push(name);
        names.len() - 1
    })
}

/// Moves declared names to the front, in the declared order. Returns the new index of each name.
pub fn reorder(names: &mut Vec<String>, shown: &[Shown]) -> Vec<usize> {
    let rank = |name: &str| shown.iter().position(|shown| shown.value == name);
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_by_key(|&i| rank(&names[i]).unwrap_or(shown.len()));
    let mut moved = vec![0; names.len()];
    order.iter().enumerate().for_each(|(to, &from)| moved[from] = to);
    *names = order.into_iter().map(|i| names[i].clone()).collect();
    moved
}

/// The distinct texts: sorted if all are numbers, otherwise in order of appearance.
pub fn categories<'t>(texts: impl Iterator<Item = &'t str>) -> Vec<String> {
    let mut seen = HashSet::new();
    let mut names: Vec<&str> = texts.filter(|text| seen.insert(*text)).collect();
    if names.iter().all(|name| label::number(name).is_some()) {
        let number = |name: &str| label::number(name).unwrap_or_default();
        names.sort_by(|one, other| number(one).total_cmp(&number(other)));
    }
    names.into_iter().map(String::from).collect()
}

/// The colour of a score relative to the largest one.
pub fn score_color(score: f64, most: f64) -> Color {
    let steps = if score > 0.0 { palette::FIRST_STEPS } else { palette::SECOND_STEPS };
    if score == 0.0 { palette::EVEN } else { steps[step(score.abs() / most)] }
}

/// The step of a part of the largest number.
pub fn step(part: f64) -> usize {
    ((part * 5.0).ceil() as usize).clamp(1, 5) - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declared_names_come_first() {
        let mut names = ["drawn", "won", "other", "lost"].map(String::from).to_vec();
        let shown = ["won", "lost", "never", "drawn"].map(|value| Shown::new(value, ""));
        let moved = reorder(&mut names, &shown);
        assert_eq!(names, ["won", "lost", "drawn", "other"]);
        assert_eq!(moved, [2, 0, 3, 1]);
    }

    #[test]
    fn numbers_are_sorted_and_words_are_not() {
        let sorted = |texts: &[&str]| categories(texts.iter().copied());
        assert_eq!(sorted(&["10", "9", "-3", "9"]), ["-3", "9", "10"]);
        assert_eq!(sorted(&["first", "tie", "first", "9"]), ["first", "tie", "9"]);
    }

    #[test]
    fn scores_have_the_colour_of_the_winner() {
        assert_eq!(score_color(3.0, 3.0), palette::FIRST_STEPS[4]);
        assert_eq!(score_color(-0.5, 3.0), palette::SECOND_STEPS[0]);
        assert_eq!(score_color(0.0, 3.0), palette::EVEN);
    }
}
