//! Decision lists: their structure, evaluation and text form; heuristics, which are named lists.

use super::decision::Decision;
use super::features::{Choice, Feature, OpenCells};
use crate::british_square::{Cells, Position, Rules, cells_of};
use bsq_engine::expression::Relation;
use std::fmt;

/// Rules in order of importance. Each rule selects among the moves left by the earlier ones (R. L.
/// Rivest, *Learning decision lists*, 1987).
///
/// ```
/// use bsq_games::british_square::heuristic::language::parse;
///
/// let list = parse("most claim, if contested = 0: least edge + 2*own-neighbours", &[]).unwrap();
/// assert_eq!(list.rules.len(), 2);
/// assert_eq!(list.to_string(), "most claim, if contested = 0: least edge + 2*own-neighbours");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DecisionList {
    /// The rules. If there are none, every legal move is liked.
    pub rules: Vec<Rule>,
}

/// A rule: keeps the moves for which a sum is highest, if its conditions hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Conditions on the position before the move. All must hold.
    pub when: Vec<Test>,
    /// The sum to be maximized.
    pub aim: Sum,
    /// A limit on the sum: larger values count as this one.
    pub enough: Option<i32>,
}

/// A weighted sum of features of the move and of features after the opponent's reply.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    /// The features of the move, in the order of the text.
    pub terms: Vec<Term>,
    /// Features of territory. Their sum is evaluated after each reply, and the minimum is taken.
    pub reply: Vec<Term>,
}

/// A feature with a weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// The weight, -1000 to 1000, not 0.
    pub weight: i32,
    /// The feature.
    pub feature: &'static Feature,
}

/// A comparison of a position's features with a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    /// The sum compared, of features that can be evaluated before the move.
    pub sum: Sum,
    /// The comparison.
    pub relation: Relation,
    /// The number compared with, -1000 to 1000; 0 for odd and even.
    pub number: i32,
}

/// A decision list with an optional name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heuristic {
    /// The name; `None` for a list given as text.
    pub name: Option<String>,
    /// A short description; may be empty.
    pub summary: String,
    /// The decision list.
    pub list: DecisionList,
}

impl Heuristic {
    /// The name, or the text of the list if it has none.
    pub fn label(&self) -> String {
        self.name.clone().unwrap_or_else(|| self.list.to_string())
    }

    /// The name for files of results: the name, or `list`.
    pub fn file_name(&self) -> String {
        self.name.as_deref().unwrap_or("list").replace('-', "_")
    }

    /// The liked moves: a nonempty subset of the legal ones.
    pub fn liked(&self, decision: &Decision) -> Cells {
        self.list.liked(decision)
    }

    /// The liked moves in a position, on a board of any size; empty if no placement is legal.
    ///
    /// ```
    /// use bsq_games::british_square::{Rules, format_tiles};
    /// use bsq_games::british_square::heuristic::by_name;
    ///
    /// let rules = Rules::standard(5, 5).unwrap();
    /// let liked = by_name("greedy").unwrap().liked_at(&rules, &rules.start());
    /// assert_eq!(format_tiles(&rules.board, liked), "7 8 9 12 14 17 18 19");
    /// ```
    pub fn liked_at(&self, rules: &Rules, position: &Position) -> Cells {
        let legal = rules.legal(position, position.to_move);
        if legal == 0 {
            return 0;
        }
        let reach: Vec<Cells> = (0..rules.board.cells()).map(|c| rules.board.reach(c)).collect();
        self.liked(&Decision::new(rules, &reach, position, legal))
    }
}

/// The difficulty of comparing replies, added to that of the features.
const READ_AHEAD: u32 = 3;

impl DecisionList {
    /// The liked moves: a nonempty subset of the legal ones.
    pub fn liked(&self, decision: &Decision) -> Cells {
        let mut left = decision.legal;
        for rule in &self.rules {
            if left & (left - 1) == 0 {
                break;
            }
            if rule.when.iter().all(|test| test.holds(decision)) {
                left = rule.best(decision, left);
            }
        }
        left
    }

    /// The features that occur in the list, each once.
    pub fn features(&self) -> Vec<&'static Feature> {
        let mut features: Vec<&'static Feature> = Vec::new();
        for term in self.rules.iter().flat_map(Rule::terms) {
            if !features.contains(&term.feature) {
                features.push(term.feature);
            }
        }
        features
    }

    /// The number of weights and limits, including those of conditions, as a measure of what a
    /// person has to remember.
    pub fn size(&self) -> usize {
        let of_rule = |rule: &Rule| {
            let aim = rule.aim.terms.len() + rule.aim.reply.len();
            let tested: usize = rule.when.iter().map(|test| test.sum.terms.len()).sum();
            tested + aim + usize::from(rule.enough.is_some())
        };
        self.rules.iter().map(of_rule).sum()
    }

    /// The difficulty for a person: the sum, over all rules and conditions, of the effort of each
    /// feature, 1 for each weight other than 1, 1 for each limit and each comparison, and 3 for
    /// comparing replies.
    pub fn difficulty(&self) -> u32 {
        let of_rule = |rule: &Rule| {
            let conditions = rule.when.iter().map(|test| test.sum.difficulty() + 1);
            let enough = u32::from(rule.enough.is_some());
            rule.aim.difficulty() + enough + conditions.sum::<u32>()
        };
        self.rules.iter().map(of_rule).sum()
    }

    /// Whether the values of features matter, and not only their differences between moves: whether
    /// the list has a condition or a limit.
    pub fn is_absolute(&self) -> bool {
        self.rules.iter().any(|rule| !rule.when.is_empty() || rule.enough.is_some())
    }

    /// Whether all features depend only on the cells that each player may still use.
    pub fn is_territorial(&self) -> bool {
        self.rules.iter().flat_map(Rule::terms).all(|term| term.feature.is_territorial())
    }
}

impl Rule {
    /// A rule without conditions and limit.
    pub fn always(aim: Sum) -> Rule {
        Rule { when: Vec::new(), aim, enough: None }
    }

    /// The best moves of a set.
    fn best(&self, decision: &Decision, moves: Cells) -> Cells {
        if let (None, [term], []) = (self.enough, &*self.aim.terms, &*self.aim.reply)
            && let Some(values) = term.feature.of_all_moves(decision)
        {
            return if term.weight > 0 { values.highest(moves).1 } else { values.lowest(moves) };
        }
        let value = |cell, best| self.counts(self.aim.value(decision, cell, best));
        if self.aim.reply.is_empty() {
            return highest(cells_of(moves), value);
        }
        // Moves with large claims are often the best, and replies to the others soon fall below them.
        highest(OpenCells::before(decision).claims.descending(moves), value)
    }

    /// Applies the limit to a value of the sum.
    #[inline]
    pub(super) fn counts(&self, value: i32) -> i32 {
        self.enough.map_or(value, |enough| value.min(enough))
    }

    fn terms(&self) -> impl Iterator<Item = &Term> {
        let tested = self.when.iter().flat_map(|test| &test.sum.terms);
        tested.chain(&self.aim.terms).chain(&self.aim.reply)
    }
}

/// The set of the elements for which the value is highest.
///
/// `value` also receives the highest value found so far. Instead of a value below it, it may return
/// any number below it.
#[inline]
pub(super) fn highest(
    elements: impl Iterator<Item = usize>,
    value: impl Fn(usize, i32) -> i32,
) -> u64 {
    let mut best = i32::MIN;
    let mut kept = 0;
    for element in elements {
        let value = value(element, best);
        if value > best {
            best = value;
            kept = 0;
        }
        kept |= u64::from(value == best) << element;
    }
    kept
}

/// The lowest of some values, `None` if there are none. Stops at the first value below `bound`.
#[inline]
pub(super) fn lowest(values: impl Iterator<Item = i32>, bound: i32) -> Option<i32> {
    let mut lowest = None;
    for value in values {
        lowest = Some(lowest.map_or(value, |lowest: i32| lowest.min(value)));
        if value < bound {
            break;
        }
    }
    lowest
}

impl Sum {
    /// A single feature, maximized if the weight is positive, otherwise minimized.
    pub fn of(feature: &'static Feature, weight: i32) -> Sum {
        Sum { terms: vec![Term { weight, feature }], reply: Vec::new() }
    }

    /// A single feature after the reply, maximized if the weight is positive, otherwise minimized.
    pub fn of_reply(feature: &'static Feature, weight: i32) -> Sum {
        Sum { terms: Vec::new(), reply: vec![Term { weight, feature }] }
    }

    /// The value of a move, or any number below `bound` if the value is below it.
    fn value(&self, decision: &Decision, cell: usize, bound: i32) -> i32 {
        let choice = Choice::new(decision, cell);
        let of_move = |term: &Term| term.weight * term.feature.of_move(&choice);
        let sum: i32 = self.terms.iter().map(of_move).sum();
        if self.reply.is_empty() {
            return sum;
        }
        let of_reply = |open: &OpenCells| -> i32 {
            let of_term = |term: &Term| {
                let value = term.feature.of_reply(open);
                term.weight * value.expect("replies have features of territory")
            };
            sum + self.reply.iter().map(of_term).sum::<i32>()
        };
        let values = choice.after().replies().map(|open| of_reply(&open));
        lowest(values, bound).unwrap_or_else(|| of_reply(choice.after()))
    }

    fn difficulty(&self) -> u32 {
        let of_term = |term: &Term| term.feature.effort as u32 + u32::from(term.weight.abs() != 1);
        let of_terms: u32 = self.terms.iter().chain(&self.reply).map(of_term).sum();
        of_terms + if self.reply.is_empty() { 0 } else { READ_AHEAD }
    }

    /// The first weight. If it is negative, the rule is written as `least`.
    fn first_weight(&self) -> i32 {
        self.terms.first().or(self.reply.first()).map_or(0, |term| term.weight)
    }
}

impl Test {
    fn holds(&self, decision: &Decision) -> bool {
        let of_term = |term: &Term| {
            let value = term.feature.of_position(decision);
            term.weight * value.expect("conditions have features of positions")
        };
        self.relation.holds(self.sum.terms.iter().map(of_term).sum(), self.number)
    }
}

impl fmt::Display for DecisionList {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if self.rules.is_empty() {
            return f.write_str("any");
        }
        for (i, rule) in self.rules.iter().enumerate() {
            write!(f, "{}{rule}", if i > 0 { ", " } else { "" })?;
        }
        Ok(())
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for (i, test) in self.when.iter().enumerate() {
            write!(f, "{}{test}", if i > 0 { " and " } else { "if " })?;
        }
        if !self.when.is_empty() {
            f.write_str(": ")?;
        }
        // `least` reads better than a sum that begins with a minus.
        let (word, sign) = if self.aim.first_weight() < 0 { ("least", -1) } else { ("most", 1) };
        write!(f, "{word} ")?;
        self.aim.write(f, sign)?;
        match self.enough {
            None => Ok(()),
            Some(enough) if sign < 0 => write!(f, " down to {}", -enough),
            Some(enough) => write!(f, " up to {enough}"),
        }
    }
}

impl Sum {
    fn write(&self, f: &mut fmt::Formatter, sign: i32) -> fmt::Result {
        write_terms(f, &self.terms, sign)?;
        if self.reply.is_empty() {
            return Ok(());
        }
        f.write_str(if self.terms.is_empty() { "reply(" } else { " + reply(" })?;
        write_terms(f, &self.reply, sign)?;
        f.write_str(")")
    }
}

fn write_terms(f: &mut fmt::Formatter, terms: &[Term], sign: i32) -> fmt::Result {
    for (i, term) in terms.iter().enumerate() {
        let weight = sign * term.weight;
        match (i, weight < 0) {
            (0, false) => {}
            (0, true) => f.write_str("-")?,
            (_, false) => f.write_str(" + ")?,
            (_, true) => f.write_str(" - ")?,
        }
        if weight.abs() != 1 {
            write!(f, "{}*", weight.abs())?;
        }
        f.write_str(term.feature.name)?;
    }
    Ok(())
}

impl fmt::Display for Test {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.sum.write(f, 1)?;
        match self.relation {
            Relation::Odd => f.write_str(" is odd"),
            Relation::Even => f.write_str(" is even"),
            relation => {
                let sign = Relation::SIGNS.iter().find(|(_, other)| *other == relation);
                write!(f, " {} {}", sign.map_or("?", |(sign, _)| sign), self.number)
            }
        }
    }
}
