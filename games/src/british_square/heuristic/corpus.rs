//! All decisions of a game with the features of their moves, stored by column, so that decision
//! lists can be evaluated quickly.
//!
//! Decisions with the same selected features form a **class**, which is stored once with its size.
//! Features of territory do not depend on its location, and free cells change them by the same
//! amount for all moves, which does not affect the ranking. Moves with the same features are merged
//! too. The corpus is complete, not a sample.

use super::decision::Decision;
use super::features;
use super::features::Feature;
use super::list::{DecisionList, Rule, Term, Test, highest, lowest};
use super::tester::TerritoryKey;
use crate::british_square::{BritishSquare, Position, TerritoryBoard, cells_of};
use bsq_engine::monitor::{Growth, Monitor, SolveError};
use bsq_engine::parallel;
use bsq_engine::strong::{AcyclicGame as _, Visitor};
use rayon::prelude::*;

/// All decisions of a game, described by some features.
#[derive(Default)]
pub struct Corpus {
    /// Features of moves; `columns[i]` contains the values of feature `i`, one row for each move.
    features: Vec<&'static Feature>,
    columns: Vec<Vec<i16>>,
    /// Features after replies, one row for each reply. The replies to the move in row `i` are in
    /// rows `replies[i]..replies[i + 1]`.
    after_replies: Vec<&'static Feature>,
    reply_columns: Vec<Vec<i16>>,
    replies: Vec<u32>,
    /// Features of positions, one row for each class.
    conditions: Vec<&'static Feature>,
    states: Vec<Vec<i16>>,
    classes: Vec<Class>,
    /// Whether values are absolute, and not relative to the lowest of the decision.
    absolute: bool,
    decisions: u64,
    risky: u64,
}

/// The features of a corpus.
#[derive(Clone, Copy, Debug, Default)]
pub struct Selection<'a> {
    /// Features that rank moves.
    pub moves: &'a [&'static Feature],
    /// Features after replies. They must be features of territory.
    pub replies: &'a [&'static Feature],
    /// Features in conditions.
    pub conditions: &'a [&'static Feature],
    /// Whether rules may have limits. Limits and conditions increase the number of classes.
    pub limits: bool,
}

/// A class of decisions.
#[derive(Clone, Copy, Debug)]
struct Class {
    /// The number of decisions.
    decisions: u32,
    /// The row of the first move.
    start: u32,
    /// The number of different moves.
    moves: u8,
    /// The perfect moves, as a set of bits.
    perfect: u32,
}

/// The numbers of failures of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Failures {
    /// Decisions at which some liked move is not perfect.
    pub fails: u64,
    /// Decisions at which no liked move is perfect.
    pub fails_badly: u64,
}

/// The result of some rules: the undecided classes, in which some liked moves are perfect and some
/// are not, with the moves still liked, and the number of decisions that fail badly.
#[derive(Clone, Debug)]
pub struct Undecided {
    classes: Vec<(u32, u32)>,
    undecided: u64,
    fails_badly: u64,
}

impl Undecided {
    /// The failures if no rule follows. Further rules cannot reduce the number of decisions that
    /// fail badly.
    pub fn failures(&self) -> Failures {
        Failures { fails: self.fails_badly + self.undecided, fails_badly: self.fails_badly }
    }

    /// Whether both like the same moves.
    pub fn is_as_open_as(&self, other: &Undecided) -> bool {
        self.classes == other.classes
    }
}

/// A decision collected during the traversal.
#[derive(Clone, Copy)]
struct Seen {
    /// Equal for decisions with the same features.
    key: u64,
    /// The position, in any of its images.
    word: u64,
    perfect: u32,
}

impl Corpus {
    /// Solves the game and stores its decisions, described by the selected features. Features that
    /// cannot be used as selected are ignored.
    ///
    /// # Errors
    ///
    /// If the monitor stops the job, or if it takes more memory than the monitor allows.
    pub fn new(
        game: &BritishSquare,
        selection: Selection,
        monitor: &Monitor,
    ) -> Result<Corpus, SolveError> {
        let keep = |features: &[&'static Feature], fits: fn(&Feature) -> bool| {
            features.iter().copied().filter(|feature| fits(feature)).collect::<Vec<_>>()
        };
        let mut corpus = Corpus {
            features: keep(selection.moves, Feature::ranks_moves),
            after_replies: keep(selection.replies, Feature::tells_replies),
            conditions: keep(selection.conditions, Feature::tells_positions),
            absolute: selection.limits || !selection.conditions.is_empty(),
            ..Corpus::default()
        };
        let territorial = corpus
            .features
            .iter()
            .chain(&corpus.conditions)
            .all(|feature| feature.is_territorial());
        let visitor = Collect {
            game,
            board: TerritoryBoard::new(game.rules().board),
            pieces_matter: game.rules().pieces.is_some() || !territorial,
            absolute: corpus.absolute,
            seen: Vec::new(),
        };
        // Each state is a decision at most, in lists of the threads and in one of all.
        let collected = game.max_positions().saturating_mul(2 * size_of::<Seen>() as u64);
        let visiting = monitor.holding(collected);
        visiting.allow(0)?;
        let Collect { mut seen, .. } = game.visit_states(visitor, &visiting)?;
        seen.shrink_to_fit();
        seen.par_sort_unstable_by_key(|seen| seen.key);
        let groups: Vec<&[Seen]> = seen.chunk_by(|a, b| a.key == b.key).collect();
        let monitor = &monitor.holding((size_of_val(&seen[..]) + size_of_val(&groups[..])) as u64);
        monitor.begin("classes of decisions", groups.len() as u64);
        let growth = Growth::new(monitor, "classes of decisions");
        let describe = |groups: &[&[Seen]]| {
            monitor.check()?;
            monitor.advance(groups.len() as u64);
            let describe = |group: &&[Seen]| {
                let mut description = corpus.describe(game, &group[0]);
                description.shrink_to_fit();
                (description, group.len() as u32)
            };
            let described: Vec<(Vec<i16>, u32)> = groups.iter().map(describe).collect();
            let bytes = |(description, _): &(Vec<i16>, u32)| {
                // The list of all is copied once, and what it contains is stored by column.
                2 * (size_of::<(Vec<i16>, u32)>() + size_of_val(&description[..])) as u64 + 16
            };
            growth.add(described.iter().map(bytes).sum(), described.len() as u64)?;
            Ok::<Vec<_>, SolveError>(described)
        };
        let described = parallel::try_map(groups.chunks(4096), describe)?;
        let mut merged: Vec<(Vec<i16>, u32)> = described.into_iter().flatten().collect();
        drop(groups);
        drop(seen);
        merged.par_sort_unstable();
        merged.dedup_by(|later, first| {
            let same = later.0 == first.0;
            first.1 += if same { later.1 } else { 0 };
            same
        });
        corpus.store(&merged);
        Ok(corpus)
    }

    /// The features of a decision: those of the position; the number of moves; for each move 1 if
    /// it is perfect, its features, the number of replies, and the features after each.
    ///
    /// Without conditions and limits only differences matter, and values are relative to the lowest
    /// of the decision. Moves and replies are sorted, without duplicates.
    fn describe(&self, game: &BritishSquare, seen: &Seen) -> Vec<i16> {
        let position = game.position(seen.word);
        let rules = game.rules();
        let decision =
            Decision::new(rules, game.reach(), &position, rules.legal(&position, position.to_move));
        let of_reply = |open: &features::OpenCells| -> Vec<i16> {
            let values = self.after_replies.iter().map(|feature| feature.of_reply(open));
            values.map(|value| value.expect("features of territory") as i16).collect()
        };
        let mut moves: Vec<(Vec<i16>, Vec<Vec<i16>>)> = cells_of(decision.legal)
            .map(|cell| {
                let perfect = (seen.perfect >> cell & 1) as i16;
                let choice = features::Choice::new(&decision, cell);
                let values = self.features.iter().map(|f| f.of_move(&choice) as i16);
                let row = std::iter::once(perfect).chain(values).collect();
                if self.after_replies.is_empty() {
                    return (row, Vec::new());
                }
                let after = choice.after();
                let replies: Vec<Vec<i16>> = after.replies().map(|open| of_reply(&open)).collect();
                (row, if replies.is_empty() { vec![of_reply(after)] } else { replies })
            })
            .collect();
        if !self.absolute {
            count_from_lowest(moves.iter_mut().map(|(row, _)| &mut row[1..]));
            count_from_lowest(moves.iter_mut().flat_map(|(_, rows)| rows).map(|row| &mut row[..]));
        }
        for (_, replies) in &mut moves {
            replies.sort_unstable();
            replies.dedup();
        }
        moves.sort_unstable();
        moves.dedup();
        let of_position = |feature: &&Feature| feature.of_position(&decision);
        let mut description: Vec<i16> =
            self.conditions.iter().filter_map(of_position).map(|value| value as i16).collect();
        description.push(moves.len() as i16);
        for (row, replies) in moves {
            description.extend(row);
            description.push(replies.len() as i16);
            description.extend(replies.into_iter().flatten());
        }
        description
    }

    /// Stores the merged decisions by column.
    fn store(&mut self, merged: &[(Vec<i16>, u32)]) {
        self.columns = vec![Vec::new(); self.features.len()];
        self.reply_columns = vec![Vec::new(); self.after_replies.len()];
        self.states = vec![Vec::new(); self.conditions.len()];
        let (mut start, mut reply) = (0, 0);
        for (description, decisions) in merged {
            let mut description = description.iter().copied();
            let mut next = || description.next().expect("a description is complete");
            self.states.iter_mut().for_each(|column| column.push(next()));
            let moves = next() as u8;
            let mut class = Class { decisions: *decisions, start, moves, perfect: 0 };
            for i in 0..moves {
                class.perfect |= (next() as u32) << i;
                self.columns.iter_mut().for_each(|column| column.push(next()));
                self.replies.push(reply);
                for _ in 0..next() {
                    self.reply_columns.iter_mut().for_each(|column| column.push(next()));
                    reply += 1;
                }
            }
            start += u32::from(moves);
            self.decisions += u64::from(*decisions);
            self.risky += if class.is_risky() { u64::from(*decisions) } else { 0 };
            self.classes.push(class);
        }
        self.replies.push(reply);
    }

    /// The number of decisions.
    pub fn decisions(&self) -> u64 {
        self.decisions
    }

    /// The number of decisions at which some move is not perfect.
    pub fn risky(&self) -> u64 {
        self.risky
    }

    /// The number of classes.
    pub fn classes(&self) -> usize {
        self.classes.len()
    }

    /// The features of moves that lists can use.
    pub fn features(&self) -> &[&'static Feature] {
        &self.features
    }

    /// The features after replies that lists can use.
    pub fn after_replies(&self) -> &[&'static Feature] {
        &self.after_replies
    }

    /// Whether rules may have limits.
    pub fn allows_limits(&self) -> bool {
        self.absolute
    }

    /// The features that conditions can use.
    pub fn conditions(&self) -> &[&'static Feature] {
        &self.conditions
    }

    /// Whether the corpus contains everything that a list needs.
    pub fn sees(&self, list: &DecisionList) -> bool {
        let among = |terms: &[Term], features: &[&Feature]| {
            terms.iter().all(|term| features.contains(&term.feature))
        };
        list.rules.iter().all(|rule| {
            among(&rule.aim.terms, &self.features)
                && among(&rule.aim.reply, &self.after_replies)
                && (rule.enough.is_none() || self.absolute)
                && rule.when.iter().all(|test| among(&test.sum.terms, &self.conditions))
        })
    }

    /// The failures of a list over all decisions. The corpus must contain its features.
    pub fn failures(&self, list: &DecisionList) -> Failures {
        let mut open = self.open();
        for rule in &list.rules {
            open = self.after(&open, rule);
        }
        open.failures()
    }

    /// The result of no rules: all risky decisions, with every move liked.
    pub fn open(&self) -> Undecided {
        let risky = self.classes.iter().enumerate().filter(|(_, class)| class.is_risky());
        let classes = risky.map(|(i, class)| (i as u32, class.all())).collect();
        Undecided { classes, undecided: self.risky, fails_badly: 0 }
    }

    /// The result of one more rule.
    pub fn after(&self, open: &Undecided, rule: &Rule) -> Undecided {
        let mut classes = Vec::new();
        let failures =
            self.apply(open, rule, u64::MAX, |index, liked| classes.push((index, liked)));
        let Failures { fails, fails_badly } = failures.unwrap_or_default();
        Undecided { classes, undecided: fails - fails_badly, fails_badly }
    }

    /// The failures after one more rule; `None` as soon as they exceed `most`.
    pub fn failures_after(&self, open: &Undecided, rule: &Rule, most: u64) -> Option<Failures> {
        self.apply(open, rule, most, |_, _| ())
    }

    /// Applies a rule to the undecided classes, until there are more than `most` failures. `keep`
    /// receives each class that remains undecided, with the moves still liked.
    fn apply(
        &self,
        open: &Undecided,
        rule: &Rule,
        most: u64,
        mut keep: impl FnMut(u32, u32),
    ) -> Option<Failures> {
        let aim = Weighted::new(&rule.aim.terms, &self.features, &self.columns);
        let reply = Weighted::new(&rule.aim.reply, &self.after_replies, &self.reply_columns);
        let value = |row: usize, bound: i32| {
            let sum = aim.at(row);
            let replies = self.replies[row] as usize..self.replies[row + 1] as usize;
            let replies = if reply.0.is_empty() { 0..0 } else { replies };
            let least = lowest(replies.map(|row| sum + reply.at(row)), bound);
            rule.counts(least.unwrap_or(sum))
        };
        let when: Vec<(Weighted, &Test)> = rule
            .when
            .iter()
            .map(|test| (Weighted::new(&test.sum.terms, &self.conditions, &self.states), test))
            .collect();
        let mut fails_badly = open.fails_badly;
        let mut fails = fails_badly;
        for &(index, liked) in &open.classes {
            if fails > most {
                return None;
            }
            let class = self.classes[index as usize];
            let holds = |(sum, test): &(Weighted, &Test)| {
                test.relation.holds(sum.at(index as usize), test.number)
            };
            let liked = if when.iter().all(holds) {
                highest(cells_of(liked), |i, best| value(class.start as usize + i, best)) as u32
            } else {
                liked
            };
            let decisions = u64::from(class.decisions);
            if liked & class.perfect == 0 {
                fails_badly += decisions;
                fails += decisions;
            } else if liked & !class.perfect != 0 {
                fails += decisions;
                keep(index, liked);
            }
        }
        (fails <= most).then_some(Failures { fails, fails_badly })
    }
}

impl Class {
    fn all(&self) -> u32 {
        (1 << self.moves) - 1
    }

    fn is_risky(&self) -> bool {
        self.perfect != self.all()
    }
}

/// A weighted sum of columns.
struct Weighted<'a>(Vec<(i32, &'a [i16])>);

impl<'a> Weighted<'a> {
    fn new(terms: &[Term], features: &[&'static Feature], columns: &'a [Vec<i16>]) -> Weighted<'a> {
        let column = |feature: &Feature| {
            let index = features.iter().position(|other| *other == feature);
            &columns[index.expect("the corpus has the list's features")][..]
        };
        Weighted(terms.iter().map(|term| (term.weight, column(term.feature))).collect())
    }

    #[inline]
    fn at(&self, row: usize) -> i32 {
        self.0.iter().map(|(weight, column)| weight * i32::from(column[row])).sum()
    }
}

/// Subtracts from each column its lowest value.
fn count_from_lowest<'a>(rows: impl Iterator<Item = &'a mut [i16]>) {
    let mut rows: Vec<&mut [i16]> = rows.collect();
    for column in 0..rows.first().map_or(0, |row| row.len()) {
        let lowest = rows.iter().map(|row| row[column]).min().unwrap_or(0);
        rows.iter_mut().for_each(|row| row[column] -= lowest);
    }
}

/// The visitor that collects decisions.
struct Collect<'a> {
    game: &'a BritishSquare,
    board: TerritoryBoard,
    pieces_matter: bool,
    absolute: bool,
    seen: Vec<Seen>,
}

impl Visitor<Position> for Collect<'_> {
    fn fresh(&self) -> Self {
        Collect { board: self.board.clone(), seen: Vec::new(), ..*self }
    }

    fn visit(&mut self, position: &Position, moves: u64, values: &[i8]) {
        if moves == 0 {
            return;
        }
        let sign = position.to_move.sign();
        let best = values.iter().map(|&value| sign * i32::from(value)).max();
        let perfect = cells_of(moves)
            .zip(values)
            .filter(|&(_, &value)| Some(sign * i32::from(value)) == best)
            .fold(0, |set, (cell, _)| set | 1 << cell);
        let key = if self.pieces_matter {
            self.game.node(position).smallest()
        } else {
            TerritoryKey::new(self.game, &self.board, position).word([self.absolute; 2])
        };
        self.seen.push(Seen { key, word: position.word(), perfect });
    }

    fn absorb(&mut self, other: Self) {
        self.seen.extend(other.seen);
    }
}
