//! Three rules of thumb: which lines each of them likes.

use bsq_games::dots::search::Captures;
use bsq_games::dots::{Bitboard, Board, Degrees, Lines, OpenLines, lines_of};

/// Boxes of the shortest long chain.
const LONG: u32 = 3;

/// A rule of thumb. The later ones know more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Take a box if one can be taken; else draw a line after which none can be; else give away as
    /// few boxes as possible.
    Greedy,
    /// The same, but the last two boxes that can be taken, four in a closed chain, are left to the
    /// opponent, who has to move on then, unless nothing else is left of the game.
    DoubleCross,
    /// The same, but a line after which nothing can be taken is to make the number of long chains
    /// right: by the long chain rule dots and long chains add up to an even number if the first
    /// player is to have the last word, to an odd one if the second is.
    ChainRule,
}

impl Rule {
    /// All of them.
    pub const ALL: [Rule; 3] = [Rule::Greedy, Rule::DoubleCross, Rule::ChainRule];

    /// How tables call it.
    pub fn name(self) -> &'static str {
        match self {
            Rule::Greedy => "greedy",
            Rule::DoubleCross => "double-cross",
            Rule::ChainRule => "chain-rule",
        }
    }
}

/// What there is to do in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Boxes can be taken.
    Take,
    /// None can, and there are lines after which none can be.
    Safe,
    /// Every line gives boxes away.
    Give,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 3] = [Kind::Take, Kind::Safe, Kind::Give];

    /// How tables call it.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Take => "take",
            Kind::Safe => "safe",
            Kind::Give => "give",
        }
    }
}

/// A board as the rules look at it.
pub struct Ground {
    bitboard: Bitboard,
    /// Each line by itself.
    singly: Vec<OpenLines>,
}

impl Ground {
    /// For positions of a board.
    pub fn new(board: Board) -> Ground {
        let bitboard = Bitboard::new(board);
        let singly = (0..board.lines()).map(|line| bitboard.open(board.all() & !(1 << line)));
        Ground { singly: singly.collect(), bitboard }
    }

    /// The layout of the board.
    pub fn bitboard(&self) -> &Bitboard {
        &self.bitboard
    }

    /// A position with those lines drawn.
    pub fn situation(&self, drawn: Lines) -> Situation<'_> {
        let open = self.bitboard.open(drawn);
        let drawn = drawn & self.bitboard.board().all();
        Situation { ground: self, drawn, open, degrees: self.bitboard.degrees(open) }
    }
}

/// A position as the rules look at it.
pub struct Situation<'a> {
    ground: &'a Ground,
    drawn: Lines,
    open: OpenLines,
    degrees: Degrees,
}

impl Situation<'_> {
    /// What there is to do.
    pub fn kind(&self) -> Kind {
        match () {
            () if self.degrees.one != 0 => Kind::Take,
            () if self.safe().count() != 0 => Kind::Safe,
            () => Kind::Give,
        }
    }

    /// The lines that are not drawn.
    pub fn lines(&self) -> Lines {
        self.ground.bitboard.board().all() & !self.drawn
    }

    /// The lines that each rule likes, in the order of [`Rule::ALL`]; none only if none is open.
    pub fn liked(&self) -> [Lines; 3] {
        match self.kind() {
            Kind::Take => {
                let left = self.taken_or_left();
                [self.among(self.taking()), left, left]
            }
            Kind::Safe => {
                let safe = self.among(self.safe());
                [safe, safe, self.right_parity(safe)]
            }
            Kind::Give => [self.cheapest(); 3],
        }
    }

    /// The same for one rule.
    pub fn liked_by(&self, rule: Rule) -> Lines {
        self.liked()[rule as usize]
    }

    /// The open lines of a set.
    fn among(&self, set: OpenLines) -> Lines {
        self.those(self.lines(), |line| self.ground.singly[line].and(set).count() != 0)
    }

    fn those(&self, lines: Lines, is: impl Fn(usize) -> bool) -> Lines {
        lines_of(lines).filter(|&line| is(line)).fold(0, |set, line| set | 1 << line)
    }

    fn after(&self, line: usize) -> OpenLines {
        self.open.without(self.ground.singly[line])
    }

    /// What can be taken after a line.
    fn settled_after(&self, line: usize) -> Captures {
        Captures::new(&self.ground.bitboard, self.after(line))
    }

    /// Lines that close a box.
    fn taking(&self) -> OpenLines {
        self.ground.bitboard.lines_at(self.open, self.degrees.one)
    }

    /// Lines beside no box with two open sides: where nothing can be taken, nothing can be after
    /// them.
    fn safe(&self) -> OpenLines {
        self.open.without(self.ground.bitboard.lines_at(self.open, self.degrees.two))
    }

    /// The lines after which the opponent can take the fewest boxes.
    fn cheapest(&self) -> Lines {
        let given = |line| self.settled_after(line).boxes;
        let least = lines_of(self.lines()).map(given).min();
        self.those(self.lines(), |line| Some(given(line)) == least)
    }

    /// Takes boxes, but for the last ones if they can be left.
    fn taken_or_left(&self) -> Lines {
        let bitboard = &self.ground.bitboard;
        let captures = Captures::new(bitboard, self.open);
        let taking = self.taking();
        let all = self.among(taking);
        let Some(control_cost) = captures.control_cost.filter(|_| captures.open.count() != 0)
        else {
            return all;
        };
        // To leave boxes costs twice as many: the opponent has them, not the mover.
        let liked = match captures.boxes == control_cost / 2 {
            true => {
                let near = self.among(bitboard.lines_at(self.open, bitboard.boxes_at(taking)));
                self.those(near & !all, |line| {
                    let left = self.settled_after(line);
                    left.boxes == captures.boxes && left.control_cost.is_none()
                })
            }
            false => {
                self.those(all, |line| self.settled_after(line).control_cost == Some(control_cost))
            }
        };
        if liked == 0 { all } else { liked }
    }

    /// Of the safe lines those after which the number of long chains is as the mover wants it; if
    /// there are none, all.
    ///
    /// Turns so far are lines minus closed boxes plus double crosses, lines that closed two. To
    /// the end of the game there are as many turns as dots and double crosses, so a double
    /// cross of the past changes who is to move and what that player wants: it makes no difference,
    /// and the lines alone tell.
    fn right_parity(&self, safe: Lines) -> Lines {
        let board = self.ground.bitboard.board();
        let dots = (board.rows() + 1) * (board.cols() + 1);
        let turns = self.drawn.count_ones() - board.closed(self.drawn).count_ones();
        let wanted = (dots as u32 + turns) % 2;
        let right = self.those(safe, |line| self.long_chains(self.after(line)) % 2 == wanted);
        if right == 0 { safe } else { right }
    }

    /// Strings of at least three boxes with two open sides each that are no loops.
    fn long_chains(&self, open: OpenLines) -> u32 {
        let bitboard = &self.ground.bitboard;
        let (mut boxes, mut chains) = (bitboard.degrees(open).two, 0);
        while boxes != 0 {
            let string = bitboard.connected(open, boxes & boxes.wrapping_neg(), boxes);
            boxes &= !string;
            // A loop has as many lines as boxes, a chain one more.
            let is_loop = bitboard.lines_at(open, string).count() == string.count_ones();
            chains += u32::from(string.count_ones() >= LONG && !is_loop);
        }
        chains
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bsq_games::dots::parse_position;

    /// What there is to do, and the lines that each rule likes.
    fn assert_liked(position: &str, kind: Kind, words: [&str; 3]) {
        let (board, lines) = parse_position(position).unwrap();
        let ground = Ground::new(board);
        let situation = ground.situation(lines.lines);
        let names = |lines| lines_of(lines).map(|line| board.line_name(line)).collect::<Vec<_>>();
        let liked = situation.liked().map(|lines| names(lines).join(" "));
        assert_eq!((situation.kind(), liked), (kind, words.map(String::from)), "{position}");
    }

    #[test]
    fn the_last_boxes_of_a_chain_are_left() {
        // Two boxes to take, and a long chain below.
        assert_liked("---/|?|..../---/......./---", Kind::Take, ["c1-c2", "d1-d2", "d1-d2"]);
        // Three: the first one is free.
        assert_liked("---/|....../---/......./---", Kind::Take, ["b1-b2"; 3]);
        // With nothing else on the board there is nothing to wait for.
        assert_liked("---/|?|..../---", Kind::Take, ["c1-c2"; 3]);
        // A closed chain of four, and an open one of three.
        let left = ["b1-b2 b2-b3", "b2-c2", "b2-c2"];
        assert_liked("--.--/|...|....../-.---/|...|?|?|?|/-----", Kind::Take, left);
    }

    #[test]
    fn the_shortest_chain_is_given_away() {
        // Two boxes above, three below.
        assert_liked("-.-/....|?|/---/......./---", Kind::Give, ["b1-c1 a1-a2 b1-b2"; 3]);
    }

    #[test]
    fn safe_lines_make_the_number_of_long_chains_right() {
        // Ten dots. After six turns the first player wants an even number: no long chain.
        let safe = "d1-d2 e1-e2 c2-d2 d2-e2";
        assert_liked("----/........./--..", Kind::Safe, [safe, safe, "e1-e2 d2-e2"]);
        // After five the second player wants one.
        let safe = "d1-e1 d1-d2 e1-e2 c2-d2 d2-e2";
        assert_liked("---./........./--..", Kind::Safe, [safe, safe, "d1-d2 c2-d2"]);
        // Nine dots, no turn yet: the first player would like a long chain and cannot have it.
        let (board, start) = parse_position("../...../../...../..").unwrap();
        let ground = Ground::new(board);
        assert_eq!(ground.situation(start.lines).liked(), [board.all(); 3]);
    }

    #[test]
    fn a_long_chain_is_a_string_of_three_and_no_loop() {
        for (position, chains) in [
            ("---/......./---", 1),
            ("--/...../--", 0),
            ("--/|...|/../|...|/--", 0),
            ("--/....|/../|...|/--", 1),
            ("---/......./---/......./---", 2),
        ] {
            let (board, drawn) = parse_position(position).unwrap();
            let ground = Ground::new(board);
            let situation = ground.situation(drawn.lines);
            assert_eq!(situation.long_chains(situation.open), chains, "{position}");
        }
    }

    /// Boxes that can be taken one after the other.
    fn to_take(board: &Board, drawn: Lines) -> u32 {
        let more = |line: &usize| board.closed(drawn | 1 << line) != board.closed(drawn);
        match lines_of(board.all() & !drawn).find(more) {
            Some(line) => to_take(board, drawn | 1 << line),
            None => board.closed(drawn).count_ones(),
        }
    }

    #[test]
    fn greed_by_its_definition() {
        for (rows, cols) in [(1, 1), (1, 4), (2, 2)] {
            let board = Board::new(rows, cols).unwrap();
            let ground = Ground::new(board);
            for drawn in 0..board.all() {
                let cost = |line: usize| {
                    let (next, closed) = (drawn | 1 << line, board.closed(drawn));
                    match board.closed(next) == closed {
                        true => to_take(&board, next) as i32 - closed.count_ones() as i32,
                        false => -1,
                    }
                };
                let open = || lines_of(board.all() & !drawn);
                let least = open().map(cost).min();
                let liked = open().filter(|&line| Some(cost(line)) == least);
                let liked = liked.fold(0, |set: Lines, line| set | 1 << line);
                let situation = ground.situation(drawn);
                assert_eq!(situation.liked_by(Rule::Greedy), liked, "{board} {drawn:#x}");
                assert!(situation.liked().iter().all(|&lines| lines != 0));
            }
        }
    }

    /// Images of a position have the images of its liked lines.
    #[test]
    fn rules_do_not_depend_on_how_a_board_is_turned() {
        for (rows, cols) in [(1, 4), (2, 2), (2, 3)] {
            let board = Board::new(rows, cols).unwrap();
            let ground = Ground::new(board);
            let mut images = board.symmetries();
            for group in board.exchanges() {
                let pair: Vec<usize> = lines_of(group).take(2).collect();
                let mut swap: Vec<usize> = (0..board.lines()).collect();
                swap.swap(pair[0], pair[1]);
                images.push(swap);
            }
            let step = if board.lines() > 13 { 7 } else { 1 };
            for drawn in (0..board.all()).step_by(step) {
                for image in &images {
                    let moved = |set: Lines| {
                        lines_of(set).fold(0, |moved: Lines, at| moved | 1 << image[at])
                    };
                    let liked = ground.situation(drawn).liked().map(moved);
                    assert_eq!(ground.situation(moved(drawn)).liked(), liked, "{board} {drawn:#x}");
                }
            }
        }
    }
}
