//! Thermographs: the mean value and the temperature of a game.
//!
//! Each move is charged a tax. As the tax rises, the advantage of moving first shrinks. The lowest
//! tax at which it vanishes is the **temperature** of the game; the value at that tax is its **mean
//! value**. The two **walls** of the thermograph give the value as a function of the tax, when the
//! first player and when the second player moves first. Where passing never gains, mean values are
//! additive, and the value of a sum exceeds the sum of the mean values by at most the highest
//! temperature (O. Hanner, *Mean play of sums of positional games*, 1959; the part used here is
//! proved in `docs/territory.md`). For thermographs in general see E. R. Berlekamp, J. H. Conway
//! and R. K. Guy, *Winning Ways for your Mathematical Plays*, 1982, chapter 6.
//!
//! Taxes and values are multiples of 1/16 point. A game whose walls meet between two multiples has
//! no thermograph here, and no bound is derived from it. No such region is known.

/// Steps per point.
pub const STEPS: i16 = 16;
/// Number of taxes: 0 to 8 points, in steps.
const TAXES: usize = 8 * STEPS as usize + 1;

/// The walls of a game, from tax 0 to the temperature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thermograph {
    /// For each tax in steps, the value in steps when the first player and when the second player
    /// moves first. The two values of the last pair are equal: the mean value.
    walls: Box<[[i16; 2]]>,
}

impl Thermograph {
    /// A game without moves, worth `points` to the first player.
    pub fn number(points: i32) -> Thermograph {
        Thermograph { walls: [[steps(points); 2]].into() }
    }

    /// The values in points when the first player and when the second player moves first.
    pub fn stops(&self) -> [i32; 2] {
        self.walls[0].map(|value| i32::from(value / STEPS))
    }

    /// The mean value, in steps.
    pub fn mean(&self) -> i16 {
        self.walls[self.walls.len() - 1][0]
    }

    /// The temperature, in steps.
    pub fn temperature(&self) -> i16 {
        self.walls.len() as i16 - 1
    }

    /// The negative of the game, with the players exchanged.
    pub fn negated(&self) -> Thermograph {
        Thermograph { walls: self.walls.iter().map(|[first, second]| [-second, -first]).collect() }
    }
}

fn steps(points: i32) -> i16 {
    points as i16 * STEPS
}

/// Builds the thermograph of a game from those of its options.
pub struct ThermographBuilder {
    walls: [[i16; 2]; TAXES],
}

impl Default for ThermographBuilder {
    fn default() -> ThermographBuilder {
        ThermographBuilder { walls: [[i16::MIN, i16::MAX]; TAXES] }
    }
}

impl ThermographBuilder {
    /// Adds an option of the first player: `game` plus `points`.
    pub fn first_option(&mut self, points: i32, game: &Thermograph) {
        for (tax, walls) in self.walls.iter_mut().enumerate() {
            let [_, second] = game.walls[tax.min(game.walls.len() - 1)];
            walls[0] = walls[0].max(second + steps(points) - tax as i16);
        }
    }

    /// Adds an option of the second player: `game` plus `points`.
    pub fn second_option(&mut self, points: i32, game: &Thermograph) {
        for (tax, walls) in self.walls.iter_mut().enumerate() {
            let [first, _] = game.walls[tax.min(game.walls.len() - 1)];
            walls[1] = walls[1].min(first + steps(points) + tax as i16);
        }
    }

    /// Returns the thermograph of a game in which both players have an option, or `None` if its
    /// walls meet between two steps or above the highest tax.
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
        let mut builder = ThermographBuilder::default();
        builder.first_option(first, &Thermograph::number(0));
        builder.second_option(second, &Thermograph::number(0));
        builder.finish().unwrap()
    }

    #[test]
    fn the_temperature_of_a_switch_is_half_its_width() {
        let game = switch(1, -4);
        assert_eq!(game.stops(), [1, -4]);
        assert_eq!(game.mean(), -3 * STEPS / 2);
        assert_eq!(game.temperature(), 5 * STEPS / 2);
        assert_eq!(game.negated(), switch(4, -1));
    }

    #[test]
    fn a_threat_is_answered() {
        // The first player threatens ten points; the second answers and keeps one.
        let mut builder = ThermographBuilder::default();
        builder.first_option(0, &switch(10, -1));
        builder.second_option(-2, &Thermograph::number(0));
        let game = builder.finish().unwrap();
        assert_eq!(game.stops(), [-1, -2]);
        assert_eq!((game.mean(), game.temperature()), (-STEPS, STEPS));
    }

    #[test]
    fn walls_that_meet_between_steps_have_no_thermograph() {
        let mut builder = ThermographBuilder::default();
        builder.walls[0] = [1, 0];
        builder.walls[1] = [0, 1];
        assert_eq!(builder.finish(), None);
    }
}
