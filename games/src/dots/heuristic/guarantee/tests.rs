use super::*;
use crate::dots::{Board, Position, Rules};
use bsq_engine::game::Game;

/// The guarantee by plain recursion over the rules of the game, without symmetry.
struct Plain<'a> {
    rules: Rules,
    layout: &'a Layout,
    rule: Rule,
    best: bool,
    follower: Player,
    known: HashMap<(Lines, Player), i32>,
}

impl Plain<'_> {
    /// The follower's boxes still to come minus the opponent's.
    fn sure(&mut self, drawn: Lines, to_move: Player) -> i32 {
        if let Some(&known) = self.known.get(&(drawn, to_move)) {
            return known;
        }
        let position = Position { to_move, ..Position::of_lines(drawn) };
        let situation = self.layout.situation(drawn);
        let mut scores = Vec::new();
        for line in self.rules.moves(&position) {
            if to_move == self.follower && situation.liked_by(self.rule) >> line & 1 == 0 {
                continue;
            }
            let next = self.rules.play(&position, line);
            let boxes = self.follower.sign() * self.rules.score(&next);
            scores.push(boxes + self.sure(next.lines, next.to_move));
        }
        let sure = if self.best && to_move == self.follower {
            scores.into_iter().max()
        } else {
            scores.into_iter().min()
        };
        let sure = sure.unwrap_or(0);
        self.known.insert((drawn, to_move), sure);
        sure
    }
}

#[test]
fn guarantees_are_those_of_plain_recursion() {
    let monitor = Monitor::default();
    for (rows, cols) in [(1, 1), (1, 2), (1, 4), (2, 2)] {
        let board = Board::new(rows, cols).unwrap();
        let (layout, every) = (Layout::new(board), Every::new(board, &monitor).unwrap());
        for rule in Rule::ALL {
            for (ties, follower) in [
                (Ties::Worst, Player::First),
                (Ties::Worst, Player::Second),
                (Ties::Best, Player::First),
                (Ties::Best, Player::Second),
            ] {
                let (rules, best) = (Rules::standard(board), ties == Ties::Best);
                let known = HashMap::new();
                let mut plain = Plain { rules, layout: &layout, rule, best, follower, known };
                let wanted = follower.sign() * plain.sure(0, Player::First);
                let mut found = Follower::new(&layout, &every, rule, ties, &monitor);
                assert_eq!(found.score(follower), Ok(wanted), "{board} {rule:?} {follower:?}");
            }
        }
    }
}
