//! How much a game is worth, and how much it is worth to move in it: its mean and temperature.
//!
//! Let every move cost a tax. The higher it is the less the first move is worth, until at some
//! tax, the **temperature**, it makes no difference who moves; what the game is worth then is
//! its **mean**. The two **walls** of a thermograph are what the game is worth, by tax, when
//! the first player moves and when the second does. In games where waiting never pays means
//! add up, and the value of a sum exceeds the sum of the means by no more than the highest
//! temperature (O. Hanner, *Mean play of sums of positional games*, 1959; the part that is
//! used here is proved in `docs/territory.md`).
//!
//! Taxes and values are multiples of a sixteenth of a point. Where two walls would meet between
//! such multiples there is no thermograph, and nothing is concluded from it; no region has yet
//! been met where they do.

/// Steps of a point.
pub const STEPS: i16 = 16;
/// Taxes looked at: up to eight points.
const TAXES: usize = 8 * STEPS as usize + 1;

/// The walls of a game, from no tax to the temperature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thermograph {
    /// Value when the first and when the second player moves, in steps, by tax in steps. The
    /// last pair is equal: the mean.
    walls: Box<[[i16; 2]]>,
}

impl Thermograph {
    /// A game without moves.
    pub fn number(points: i32) -> Thermograph {
        Thermograph { walls: [[steps(points); 2]].into() }
    }

    /// The value, in points, when the first and when the second player moves.
    pub fn stops(&self) -> [i32; 2] {
        self.walls[0].map(|value| i32::from(value / STEPS))
    }

    /// The mean, in steps.
    pub fn mean(&self) -> i16 {
        self.walls[self.walls.len() - 1][0]
    }

    /// The temperature, in steps.
    pub fn temperature(&self) -> i16 {
        self.walls.len() as i16 - 1
    }

    /// The same game with the players exchanged.
    pub fn negated(&self) -> Thermograph {
        Thermograph { walls: self.walls.iter().map(|[first, second]| [-second, -first]).collect() }
    }
}

fn steps(points: i32) -> i16 {
    points as i16 * STEPS
}

/// The walls of a game in the making, from those of what its moves lead to.
pub struct Scaffold {
    walls: [[i16; 2]; TAXES],
}

impl Default for Scaffold {
    fn default() -> Scaffold {
        Scaffold { walls: [[i16::MIN, i16::MAX]; TAXES] }
    }
}

impl Scaffold {
    /// The first player can move to that game, plus points.
    pub fn first_to(&mut self, points: i32, game: &Thermograph) {
        for (tax, walls) in self.walls.iter_mut().enumerate() {
            let [_, second] = game.walls[tax.min(game.walls.len() - 1)];
            walls[0] = walls[0].max(second + steps(points) - tax as i16);
        }
    }

    /// The second player can move to that game, plus points.
    pub fn second_to(&mut self, points: i32, game: &Thermograph) {
        for (tax, walls) in self.walls.iter_mut().enumerate() {
            let [first, _] = game.walls[tax.min(game.walls.len() - 1)];
            walls[1] = walls[1].min(first + steps(points) + tax as i16);
        }
    }

    /// The thermograph, for a game in which both players have a move; none if its walls meet
    /// between two steps, or above the highest tax.
    pub fn finish(&self) -> Option<Thermograph> {
        let temperature = self.walls.iter().position(|[first, second]| first <= second)?;
        let [first, second] = self.walls[temperature];
        (first == second).then(|| Thermograph { walls: self.walls[..=temperature].into() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn switch(first: i32, second: i32) -> Thermograph {
        let mut scaffold = Scaffold::default();
        scaffold.first_to(first, &Thermograph::number(0));
        scaffold.second_to(second, &Thermograph::number(0));
        scaffold.finish().unwrap()
    }

    #[test]
    fn a_switch_is_as_hot_as_half_of_what_it_decides() {
        let game = switch(1, -4);
        assert_eq!(game.stops(), [1, -4]);
        assert_eq!(game.mean(), -3 * STEPS / 2);
        assert_eq!(game.temperature(), 5 * STEPS / 2);
        assert_eq!(game.negated(), switch(4, -1));
    }

    #[test]
    fn a_threat_is_answered() {
        // The first player threatens ten points; the second answers, and keeps one.
        let mut scaffold = Scaffold::default();
        scaffold.first_to(0, &switch(10, -1));
        scaffold.second_to(-2, &Thermograph::number(0));
        let game = scaffold.finish().unwrap();
        assert_eq!(game.stops(), [-1, -2]);
        assert_eq!((game.mean(), game.temperature()), (-STEPS, STEPS));
    }

    #[test]
    fn walls_that_meet_between_steps_are_none() {
        let mut scaffold = Scaffold::default();
        scaffold.walls[0] = [1, 0];
        scaffold.walls[1] = [0, 1];
        assert_eq!(scaffold.finish(), None);
    }
}
