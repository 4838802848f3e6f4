//! The names of dots, none of which hides a dot or another name.

use super::label;
use super::picture::{line, text};
use bsq_analyses::palette::{INK, SOFT};
use kuva::render::render::{Primitive, TextAnchor};

/// The name of a dot and its place.
pub type Dot<'a> = (&'a str, [f64; 2]);
/// Left, top, width and height.
type Area = [f64; 4];

/// The font size of names, and their height.
const SIZE: u32 = 11;
const HEIGHT: f64 = 13.0;
/// The most dots with names.
const MOST: usize = 200;
/// Dots of one name that are nearer to each other share it.
const TOGETHER: f64 = 30.0;
/// The least distance of a name at the end of a line from other dots.
const CLEAR: f64 = 9.0;

/// Names dots inside of left, top, right and bottom. Returns the number of dots without room for their
/// names too. Of several orders, that counts with the fewest of those, and then with the shortest lines.
pub fn names(dots: &[Dot], inside: [f64; 4]) -> (Vec<Primitive>, usize) {
    if dots.len() > MOST {
        return (Vec::new(), dots.len());
    }
    let mut across = dots.to_vec();
    across.sort_by(|(_, one), (_, other)| one[0].total_cmp(&other[0]));
    let mut down = dots.to_vec();
    down.sort_by(|(_, one), (_, other)| one[1].total_cmp(&other[1]));
    let [left, up] = [&across, &down].map(|dots| dots.iter().rev().copied().collect());
    let orders: [Vec<Dot>; 4] = [left, up, across, down];
    let named = orders.iter().map(|order| in_order(order, inside));
    named.min_by_key(|(shapes, unnamed)| (*unnamed, length(shapes))).unwrap_or_default()
}

/// The length of all lines.
fn length(shapes: &[Primitive]) -> u64 {
    let length = |shape: &Primitive| match shape {
        Primitive::Line { x1, y1, x2, y2, .. } => (x2 - x1).hypot(y2 - y1),
        _ => 0.0,
    };
    shapes.iter().map(length).sum::<f64>() as u64
}

/// Names dots in this order, each beside its dot and nearer to it than to others, or at the end of a
/// line from it.
fn in_order(dots: &[Dot], inside: [f64; 4]) -> (Vec<Primitive>, usize) {
    let of_dot = |[x, y]: [f64; 2]| [x - 4.0, y - 4.0, 8.0, 8.0];
    let mut taken: Vec<Area> = dots.iter().map(|&(_, dot)| of_dot(dot)).collect();
    let (mut shapes, mut done): (Vec<Primitive>, Vec<Dot>) = Default::default();
    let is_done = |done: &[Dot], (name, [x, y]): Dot| {
        let is_near = |other: [f64; 2]| (other[0] - x).hypot(other[1] - y) < TOGETHER;
        done.iter().any(|&(other, at)| other == name && is_near(at))
    };
    // Names beside their dots first, so that lines lead around them.
    for (is_led, &(name, dot)) in
        [false, true].iter().flat_map(|is_led| dots.iter().map(move |dot| (is_led, dot)))
    {
        if is_done(&done, (name, dot)) {
            continue;
        }
        let others = || dots.iter().filter(|(other, _)| *other != name).map(|(_, at)| *at);
        let is_free = |place: &Place| {
            let [left, top, wide, high] = place.area;
            let fits = left > inside[0]
                && top > inside[1] - high
                && left + wide < inside[2]
                && top + high < inside[3];
            let clear = if *is_led { CLEAR } else { apart(place.area, dot) + 2.0 };
            // Dots of the name itself do not bar the way.
            let is_way = |at: [f64; 2]| {
                taken[dots.len()..].iter().all(|&area| apart(area, at) > 1.0)
                    && others().all(|other| apart(of_dot(other), at) > 1.0)
            };
            fits && place.is_led == *is_led
                && taken.iter().all(|other| !overlap(*other, place.area))
                && others().all(|other| apart(place.area, other) > clear)
                && place.way(dot).all(is_way)
        };
        let Some(place) = places(dot, label::width(name, SIZE.into())).find(is_free) else {
            continue;
        };
        if *is_led {
            shapes.push(line(dot, place.end, 0.8, SOFT));
            taken.extend(place.way(dot).map(|[x, y]| [x - 1.0, y - 1.0, 2.0, 2.0]));
        }
        let [left, top, ..] = place.area;
        shapes.push(text([left, top + 10.5], name, SIZE, TextAnchor::Start, INK));
        taken.push(place.area);
        done.push((name, dot));
    }
    let unnamed = dots.iter().filter(|&&dot| !is_done(&done, dot)).count();
    (shapes, unnamed)
}

/// A place for the name of a dot.
struct Place {
    area: Area,
    /// The end of the line from the dot.
    end: [f64; 2],
    /// Whether there is a line.
    is_led: bool,
}

impl Place {
    /// Points on the line from the dot.
    fn way(&self, from: [f64; 2]) -> impl Iterator<Item = [f64; 2]> {
        let end = self.end;
        let length = (end[0] - from[0]).hypot(end[1] - from[1]);
        let count = (length / 2.0) as i32;
        let at = move |part: i32, side: usize| {
            from[side] + (end[side] - from[side]) * f64::from(part) / f64::from(count)
        };
        (1..count).map(move |part| [0, 1].map(|side| at(part, side)))
    }
}

/// The places for a name around its dot, from the nearest on.
fn places([x, y]: [f64; 2], wide: f64) -> impl Iterator<Item = Place> {
    const REACHES: [f64; 8] = [16.0, 22.0, 30.0, 42.0, 56.0, 72.0, 90.0, 120.0];
    const TURNS: i32 = 32;
    let [right, left, middle] = [x + 7.0, x - 7.0 - wide, x - wide / 2.0];
    let beside = [
        [right, y - 7.0],
        [left, y - 7.0],
        [middle, y - 20.0],
        [middle, y + 6.0],
        [right, y - 16.0],
        [right, y + 2.0],
        [left, y - 16.0],
        [left, y + 2.0],
    ];
    let beside = beside.into_iter().map(move |[left, top]| Place {
        area: [left, top, wide, HEIGHT],
        end: [x, y],
        is_led: false,
    });
    let around = REACHES.into_iter().flat_map(move |reach| {
        (0..TURNS).map(move |turn| {
            let (sine, cosine) =
                (f64::from(turn) * std::f64::consts::TAU / f64::from(TURNS)).sin_cos();
            let end = [x + reach * cosine, y + reach * sine];
            let left = match cosine {
                right if right > 0.3 => end[0] + 2.0,
                left if left < -0.3 => end[0] - 2.0 - wide,
                _ => end[0] - wide / 2.0,
            };
            let top = end[1] - HEIGHT / 2.0 * (1.0 - sine);
            Place { area: [left, top, wide, HEIGHT], end, is_led: true }
        })
    });
    beside.chain(around)
}

/// Whether two areas have a point in common.
fn overlap(one: Area, other: Area) -> bool {
    (0..2).all(|side| {
        one[side] < other[side] + other[side + 2] && other[side] < one[side] + one[side + 2]
    })
}

/// The distance of a point from an area.
fn apart(area: Area, at: [f64; 2]) -> f64 {
    let [across, down] = [0, 1].map(|side| {
        let (low, high) = (area[side], area[side] + area[side + 2]);
        (low - at[side]).max(at[side] - high).max(0.0)
    });
    across.hypot(down)
}
