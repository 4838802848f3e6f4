//! Every decision of a game with the features of its moves, kept so that a rule list is tried
//! on all of them in a moment.
//!
//! Decisions that look alike, by the features taken in, are kept as one **class** with their
//! number. Features of territory are the same wherever the territory lies, and cells that nobody
//! can take from their player any more change them for all moves alike, which ranks no move
//! before another; moves that no feature tells apart are one. So nothing is a sample, and yet
//! there is little to look at.

use super::features::Feature;
use super::tester::decision;
use super::{Rule, RuleList, Sum, Test};
use crate::game::british_square::{BritishSquare, Cells, Field, Node, Position, cells_of};
use crate::solve::search::{Visitor, solve_visiting};
use crate::solve::territory::{Territorial, Territory};
use crate::solve::{Monitor, SolveError};
use rayon::prelude::*;

/// All decisions of a game, as some features see them.
pub struct Corpus {
    /// Features of moves; `columns[i]` has the values of feature `i`, a row for each move.
    features: Vec<&'static Feature>,
    columns: Vec<Vec<i16>>,
    /// Features of positions, likewise with a row for each class.
    conditions: Vec<&'static Feature>,
    states: Vec<Vec<i16>>,
    classes: Vec<Class>,
    decisions: u64,
    risky: u64,
}

/// Decisions that look alike.
#[derive(Clone, Copy, Debug)]
struct Class {
    /// How many.
    decisions: u32,
    /// The row of the first move.
    start: u32,
    /// How many moves there are to tell apart.
    moves: u8,
    /// Which of them are perfect, bit by bit.
    perfect: u32,
}

/// How often a list fails.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Failures {
    /// Decisions where some liked move is not perfect.
    pub fails: u64,
    /// Decisions where no liked move is perfect.
    pub fails_badly: u64,
}

/// What rules have left undecided: the classes where some liked moves are perfect and some are
/// not, with the moves still liked. What they have decided is only counted.
#[derive(Clone, Debug)]
pub struct Open {
    classes: Vec<(u32, u32)>,
    undecided: u64,
    fails_badly: u64,
}

impl Open {
    /// How often the rules so far fail, if no others follow. Whatever follows, they fail badly at
    /// no fewer decisions, and so fail at no fewer.
    pub fn failures(&self) -> Failures {
        Failures { fails: self.fails_badly + self.undecided, fails_badly: self.fails_badly }
    }

    /// Whether just the same moves are liked.
    pub fn is_as_open_as(&self, other: &Open) -> bool {
        self.classes == other.classes
    }
}

/// A decision as the search shows it.
#[derive(Clone, Copy)]
struct Seen {
    /// The same for decisions that are alike.
    key: u64,
    /// The position, from whatever side.
    word: u64,
    perfect: u32,
}

impl Corpus {
    /// Solves the game and keeps every decision as the features of its moves see it, and as
    /// those see it that are to stand in conditions.
    pub fn new(
        game: &BritishSquare,
        features: &[&'static Feature],
        conditions: &[&'static Feature],
        monitor: &Monitor,
    ) -> Result<Corpus, SolveError> {
        let moves: Vec<_> = features.iter().copied().filter(|f| f.ranks_moves()).collect();
        let positions: Vec<_> =
            conditions.iter().copied().filter(|f| f.tells_positions()).collect();
        let territorial = moves.iter().chain(&positions).all(|feature| feature.is_territorial());
        let visitor = Collect {
            game,
            field: Field::new(game.rules().board),
            pieces_matter: game.rules().pieces.is_some() || !territorial,
            free_cells_matter: !positions.is_empty(),
            seen: Vec::new(),
        };
        let (_, Collect { mut seen, .. }) = solve_visiting(game, &game.root(), visitor, monitor)?;
        seen.par_sort_unstable_by_key(|seen| seen.key);
        let groups: Vec<&[Seen]> = seen.chunk_by(|a, b| a.key == b.key).collect();
        monitor.begin("classes of decisions", groups.len() as u64);
        let look = |groups: &[&[Seen]]| {
            monitor.check()?;
            monitor.advance(groups.len() as u64);
            let look =
                |group: &&[Seen]| (looks(game, &moves, &positions, &group[0]), group.len() as u32);
            Ok(groups.iter().map(look).collect())
        };
        let looked: Vec<Vec<(Vec<i16>, u32)>> =
            groups.par_chunks(4096).map(look).collect::<Result<_, SolveError>>()?;
        let mut merged = looked.concat();
        merged.par_sort_unstable();
        merged.dedup_by(|later, first| {
            let same = later.0 == first.0;
            first.1 += if same { later.1 } else { 0 };
            same
        });
        Ok(Corpus::assemble(moves, positions, &merged))
    }

    fn assemble(
        features: Vec<&'static Feature>,
        conditions: Vec<&'static Feature>,
        merged: &[(Vec<i16>, u32)],
    ) -> Corpus {
        let mut corpus = Corpus {
            columns: vec![Vec::new(); features.len()],
            states: vec![Vec::new(); conditions.len()],
            features,
            conditions,
            classes: Vec::with_capacity(merged.len()),
            decisions: 0,
            risky: 0,
        };
        let mut start = 0;
        for (looks, decisions) in merged {
            let (position, rows) = looks.split_at(corpus.conditions.len());
            let rows = rows.chunks_exact(corpus.features.len() + 1);
            let mut class =
                Class { decisions: *decisions, start, moves: rows.len() as u8, perfect: 0 };
            for (column, &value) in corpus.states.iter_mut().zip(position) {
                column.push(value);
            }
            for (i, row) in rows.enumerate() {
                class.perfect |= (row[0] as u32) << i;
                for (column, &value) in corpus.columns.iter_mut().zip(&row[1..]) {
                    column.push(value);
                }
            }
            start += u32::from(class.moves);
            corpus.decisions += u64::from(*decisions);
            let risky = class.perfect != class.all();
            corpus.risky += if risky { u64::from(*decisions) } else { 0 };
            corpus.classes.push(class);
        }
        corpus
    }

    /// How many decisions there are.
    pub fn decisions(&self) -> u64 {
        self.decisions
    }

    /// At how many a mistake is possible.
    pub fn risky(&self) -> u64 {
        self.risky
    }

    /// How many classes they fall into.
    pub fn classes(&self) -> usize {
        self.classes.len()
    }

    /// The features of moves that lists can use here.
    pub fn features(&self) -> &[&'static Feature] {
        &self.features
    }

    /// The features that conditions can use here.
    pub fn conditions(&self) -> &[&'static Feature] {
        &self.conditions
    }

    /// How often a list fails, over all decisions. Its features must be among those taken in.
    pub fn failures(&self, list: &RuleList) -> Failures {
        let mut open = self.open();
        for rule in &list.rules {
            open = self.after(&open, rule);
        }
        open.failures()
    }

    /// Every decision where a mistake is possible, with every move liked.
    pub fn open(&self) -> Open {
        let risky =
            self.classes.iter().enumerate().filter(|(_, class)| class.perfect != class.all());
        let classes = risky.map(|(i, class)| (i as u32, class.all())).collect();
        Open { classes, undecided: self.risky, fails_badly: 0 }
    }

    /// What is left undecided after one more rule.
    pub fn after(&self, open: &Open, rule: &Rule) -> Open {
        let aim = Weighted::new(&rule.aim, &self.features, &self.columns);
        let when: Vec<(Weighted, &Test)> = rule
            .when
            .iter()
            .map(|test| (Weighted::new(&test.sum, &self.conditions, &self.states), test))
            .collect();
        let mut next = Open { classes: Vec::new(), undecided: 0, fails_badly: open.fails_badly };
        for &(index, liked) in &open.classes {
            let class = self.classes[index as usize];
            let holds = |(sum, test): &(Weighted, &Test)| {
                test.relation.holds(sum.at(index as usize), test.number)
            };
            let liked = if when.iter().all(holds) { aim.highest(&class, liked) } else { liked };
            if liked & class.perfect == 0 {
                next.fails_badly += u64::from(class.decisions);
            } else if liked & !class.perfect != 0 {
                next.undecided += u64::from(class.decisions);
                next.classes.push((index, liked));
            }
        }
        next
    }
}

impl Class {
    fn all(&self) -> u32 {
        (1 << self.moves) - 1
    }
}

/// A sum with its columns looked up.
struct Weighted<'a>(Vec<(i32, &'a [i16])>);

impl<'a> Weighted<'a> {
    fn new(sum: &Sum, features: &[&'static Feature], columns: &'a [Vec<i16>]) -> Weighted<'a> {
        let column = |feature: &Feature| {
            let index = features.iter().position(|other| *other == feature);
            &columns[index.expect("the list's features were taken in")][..]
        };
        Weighted(sum.terms.iter().map(|term| (term.weight, column(term.feature))).collect())
    }

    #[inline]
    fn at(&self, row: usize) -> i32 {
        self.0.iter().map(|(weight, column)| weight * i32::from(column[row])).sum()
    }

    /// Those of the liked moves for which the sum is highest.
    #[inline]
    fn highest(&self, class: &Class, liked: u32) -> u32 {
        let mut best = i32::MIN;
        let mut kept = 0;
        for i in cells_of(Cells::from(liked)) {
            let value = self.at(class.start as usize + i);
            if value > best {
                best = value;
                kept = 0;
            }
            kept |= u32::from(value == best) << i;
        }
        kept
    }
}

/// All that the features see of a decision: of the position, then a row for each move, which
/// begins with 1 where it is perfect. Values of moves are counted from the lowest among the moves,
/// since only differences rank them. Rows are sorted, and none is there twice.
fn looks(
    game: &BritishSquare,
    moves: &[&'static Feature],
    positions: &[&'static Feature],
    seen: &Seen,
) -> Vec<i16> {
    let position = game.position(seen.word);
    let rules = game.rules();
    let decision = decision(game, &position, rules.legal(&position, position.to_move));
    let of_move = |cell: usize| -> Vec<i16> {
        let perfect = (seen.perfect >> cell & 1) as i16;
        let values = moves.iter().map(|feature| feature.of_move(&decision, cell) as i16);
        std::iter::once(perfect).chain(values).collect()
    };
    let mut rows: Vec<Vec<i16>> = cells_of(decision.legal).map(of_move).collect();
    for column in 1..=moves.len() {
        let lowest = rows.iter().map(|row| row[column]).min().unwrap_or(0);
        rows.iter_mut().for_each(|row| row[column] -= lowest);
    }
    rows.sort_unstable();
    rows.dedup();
    let of_position = |feature: &&Feature| feature.of_position(&decision).map(|value| value as i16);
    positions.iter().filter_map(of_position).chain(rows.into_iter().flatten()).collect()
}

/// The visitor that collects decisions.
struct Collect<'a> {
    game: &'a BritishSquare,
    field: Field,
    pieces_matter: bool,
    free_cells_matter: bool,
    seen: Vec<Seen>,
}

impl Collect<'_> {
    /// The same for decisions that the features cannot tell apart, if only territory matters.
    fn territory_key(&self, position: &Position) -> u64 {
        let territory = self.field.territory(self.game.rules(), position);
        let (_, open) = territory.settle(&self.field);
        let free = [(territory.own, open.own), (territory.other, open.other)]
            .map(|(all, open)| u64::from((all & !open).count_ones()));
        let free = match free {
            free if self.free_cells_matter => free,
            // One more move, to no effect: how often it is there does not matter.
            [own, _] => [own.min(1), 0],
        };
        let Territory { own, other } = self.field.canonical(open);
        // On the first turn the rules may forbid what the territory allows.
        let first = u64::from(position.turn == 1);
        (first << 10 | free[0] << 5 | free[1]) << 50 | own << 25 | other
    }
}

impl Visitor<Node> for Collect<'_> {
    fn fresh(&self) -> Self {
        Collect { field: self.field.clone(), seen: Vec::new(), ..*self }
    }

    fn visit(&mut self, node: &Node, moves: u64, values: &[i8]) {
        if moves == 0 {
            return;
        }
        let position = self.game.position(node.word());
        let sign = position.to_move.sign();
        let best = values.iter().map(|&value| sign * i32::from(value)).max();
        let perfect = cells_of(moves)
            .zip(values)
            .filter(|&(_, &value)| Some(sign * i32::from(value)) == best)
            .fold(0, |set, (cell, _)| set | 1 << cell);
        let key = match self.pieces_matter {
            true => node.smallest(),
            false => self.territory_key(&position),
        };
        self.seen.push(Seen { key, word: node.word(), perfect });
    }

    fn absorb(&mut self, other: Self) {
        self.seen.extend(other.seen);
    }
}
