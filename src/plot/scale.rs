//! Scales map numbers to places between 0 and 1, with marks at round numbers.

use super::label;
use super::number::Number;
use bsq_analyses::Kind;

/// The margin of a scale beyond its numbers, relative to its length.
const BEYOND: f64 = 0.02;
/// The approximate number of steps of a scale.
const STEPS: f64 = 6.0;
/// The approximate number of steps if the ends are not marks.
const MORE_STEPS: f64 = 8.0;
/// Up to this number of powers of ten, there are marks between them.
const FEW_POWERS: f64 = 3.0;

/// The ends of a scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// At marks that include 0.
    Zero,
    /// The same, but a logarithmic scale begins below all numbers, so that the lowest bar is
    /// visible.
    Below,
    /// Slightly beyond the numbers.
    Numbers,
}

/// A scale from its lower to its upper end.
#[derive(Clone, Debug, PartialEq)]
pub struct Scale {
    from: f64,
    to: f64,
    way: Way,
    /// The places and labels of the marks.
    pub marks: Vec<(f64, String)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// Linear, in units of that power of ten.
    Linear(i32),
    /// Logarithmic.
    Log,
}

impl Scale {
    /// Creates a linear scale for these numbers.
    pub fn linear(numbers: &[Number], kind: Kind, ends: Ends) -> Scale {
        let unit = label::unit(numbers.iter().filter_map(|number| number.exponent()).max(), kind);
        let zero = (ends != Ends::Numbers).then_some(0.0);
        let scaled = || numbers.iter().map(|number| number.scaled(unit)).chain(zero);
        let (low, high) = apart(
            scaled().fold(f64::INFINITY, f64::min),
            scaled().fold(f64::NEG_INFINITY, f64::max),
        );
        let whole = unit == 0 && matches!(kind, Kind::Integer | Kind::Label);
        let steps = if ends == Ends::Numbers { MORE_STEPS } else { STEPS };
        let step = step((high - low) / steps).max(if whole { 1.0 } else { 0.0 });
        let decimals = if step >= 1.0 { 0 } else { (-step.log10()).ceil() as usize };
        let (first, last) = match ends {
            Ends::Zero | Ends::Below => ((low / step + 1e-9).floor(), (high / step - 1e-9).ceil()),
            Ends::Numbers => ((low / step - 1e-9).ceil(), (high / step + 1e-9).floor()),
        };
        let margin = (high - low) * BEYOND;
        let (from, to) = match ends {
            Ends::Zero | Ends::Below => (first * step, last * step),
            Ends::Numbers => (low - margin, high + margin),
        };
        let mark = |i: usize| {
            let value = (first + i as f64) * step;
            ((value - from) / (to - from), label::tick(value, decimals, unit))
        };
        let count = (last - first) as usize;
        Scale { from, to, way: Way::Linear(unit), marks: (0..=count).map(mark).collect() }
    }

    /// Creates a logarithmic scale for these numbers. Numbers that are not positive have no place
    /// on it. None if no number is positive.
    pub fn log(numbers: &[Number], kind: Kind, ends: Ends) -> Option<Scale> {
        let logs = || numbers.iter().filter_map(|number| number.log10());
        let (low, high) = (logs().reduce(f64::min)?, logs().reduce(f64::max)?);
        let times: &[f64] = if high - low <= FEW_POWERS { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let step = step((high - low) / STEPS).max(1.0).round();
        let least = if ends == Ends::Below { (low - 1e-9).floor() } else { low.floor() };
        let last = ((high - least) / step).ceil() as usize + 1;
        let powers = (0..=last).map(|i| least + i as f64 * step);
        let all: Vec<(f64, f64)> =
            powers.flat_map(|power| times.iter().map(move |&times| (power, times))).collect();
        let place = |&(power, times): &(f64, f64)| power + times.log10();
        let (from, to) = match ends {
            Ends::Zero | Ends::Below => {
                let most = if ends == Ends::Below { low - 1e-9 } else { low + 1e-9 };
                let below = all.iter().rev().map(place).find(|&at| at <= most);
                let from = below.unwrap_or(low);
                let above = all.iter().map(place).find(|&at| at >= high - 1e-9 && at > from);
                (from, above.unwrap_or(high + 1.0))
            }
            Ends::Numbers => {
                let margin = if high > low { (high - low) * BEYOND } else { 0.5 };
                (low - margin, high + margin)
            }
        };
        let is_on = |mark: &&(f64, f64)| (from - 1e-9..=to + 1e-9).contains(&place(mark));
        let mark = |mark: &(f64, f64)| {
            ((place(mark) - from) / (to - from), log_label(mark.0 as i32, mark.1, kind))
        };
        let marks = all.iter().filter(is_on).map(mark).collect();
        Some(Scale { from, to, way: Way::Log, marks })
    }

    /// The place of a number, from 0 at the lower end to 1 at the upper end.
    pub fn at(&self, number: Number) -> Option<f64> {
        let value = match self.way {
            Way::Linear(unit) => number.scaled(unit),
            Way::Log => number.log10()?,
        };
        Some((value - self.from) / (self.to - self.from))
    }

    /// The power of ten of the unit of the marks.
    pub fn unit(&self) -> i32 {
        match self.way {
            Way::Linear(unit) => unit,
            Way::Log => 0,
        }
    }
}

/// Widens a range that is empty or almost empty.
fn apart(low: f64, high: f64) -> (f64, f64) {
    let size = low.abs().max(high.abs());
    match () {
        () if low > high => (0.0, 1.0),
        () if high - low > size * 1e-9 => (low, high),
        () if size == 0.0 => (0.0, 1.0),
        () => (low - size / 2.0, high + size / 2.0),
    }
}

/// Rounds up to the next of 1, 2, 5, 10, ... times a power of ten.
fn step(least: f64) -> f64 {
    let power = 10_f64.powf(least.log10().floor());
    let times = [1.0, 2.0, 5.0, 10.0].into_iter().find(|times| times * power >= least * 0.999);
    times.unwrap_or(10.0) * power
}

fn log_label(exponent: i32, times: f64, kind: Kind) -> String {
    let percent = kind == Kind::Share;
    let shown = if percent { exponent.saturating_add(2) } else { exponent };
    match shown {
        -3..=5 => {
            let decimals = usize::try_from(-shown).unwrap_or(0);
            label::tick(times * 10_f64.powi(shown), decimals, if percent { -2 } else { 0 })
        }
        _ if times != 1.0 => format!("{times} × {}", label::power(exponent)),
        _ => label::power(exponent),
    }
}

#[cfg(test)]
mod tests;
