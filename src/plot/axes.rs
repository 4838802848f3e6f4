//! Bars, lines and dots on two axes, drawn by the library.

use super::error::PlotError;
use super::finding::{Fact, finding};
use super::head::{Head, Key, MARGIN, WIDTH};
use super::label;
use super::marks::{Mark, Marks, label_of};
use super::names::{Dot, names};
use super::picture::{FONTS, Picture, paint, text};
use super::sheet::Sheet;
use bsq_analyses::palette::{GRID, INK, PAPER, SOFT};
use bsq_analyses::{Chart, Figure};
use kuva::plot::line::LineStyle;
use kuva::plot::{BarPlot, LinePlot, ScatterPlot};
use kuva::render::annotations::TextAnnotation;
use kuva::render::layout::{AxisLabelOverlap, ComputedLayout, Layout, TickFormat};
use kuva::render::plots::Plot;
use kuva::render::render::{Primitive, TextAnchor, render_multiple};
use kuva::render::theme::Theme;
use std::collections::HashMap;
use std::sync::Arc;

/// The maximum number of bars.
const MOST: usize = 400;
/// The height of the area between the axes, and its approximate width.
const HEIGHT: f64 = 320.0;
const TALL: f64 = 420.0;
const ROOM: f64 = WIDTH - 90.0;
/// The margin beside the label of the vertical axis.
const LEFT: f64 = 16.0;
/// The font size of marks and values.
const SMALL: u32 = 11;
/// The angle of the names of bars that are too long, in degrees.
const TURN: f64 = -40.0;
/// With more values, dots are small.
const MANY: usize = 200;
/// Patterns of lines that coincide with other lines.
const DASHES: [&str; 4] = ["", "10 8", "3 6", "14 5 3 5"];

/// Draws a chart with two axes.
pub fn draw(sheet: &Sheet, chart: &Chart) -> Result<Picture, PlotError> {
    let rows = sheet.drawn(chart)?;
    let marks = Marks::of(sheet, chart, &rows)?;
    if chart.figure != Figure::Points {
        marks.alone()?;
    }
    let axes = Axes::new(&marks, chart);
    let placed: Vec<Placed> = marks.marks.iter().filter_map(|mark| axes.place(mark)).collect();
    if placed.is_empty() {
        return Err(PlotError::NotAboveZero(chart.table.to_string()));
    }
    let dashes = if axes.coincide(&placed) { DASHES } else { [""; 4] };
    let (plots, values) = match chart.figure {
        Figure::Bars | Figure::Stack => axes.bars(&placed, chart.figure == Figure::Stack)?,
        Figure::Lines => (axes.lines(&placed, &dashes), Vec::new()),
        _ => (axes.dots(&placed), Vec::new()),
    };
    let head = Head {
        title: finding(chart.title, &axes.facts(&placed), marks.is_share),
        rules: sheet.about(chart, &rows),
        about: "",
        legend: axes.legend(&dashes),
    };
    let (shapes, top) = head.draw(WIDTH);
    let layout =
        || values.iter().cloned().fold(axes.layout(&plots, &placed), Layout::with_annotation);
    let natural = ComputedLayout::from_layout(&layout());
    let bottom = natural.margin_bottom + 4.0;
    // Names of dots take room.
    let height = if chart.name.is_some() { TALL } else { HEIGHT };
    let layout = layout()
        .with_height(top + height + bottom)
        .with_force_margins_y(top, bottom)
        .with_force_margins(natural.margin_left + LEFT, 1.5 * MARGIN)
        .with_y_label_offset(LEFT / 4.0, 0.0);
    let (names, unnamed) = axes.names(&placed, &ComputedLayout::from_layout(&layout));
    let mut scene = render_multiple(plots, layout);
    // All values are inside of the axes. Dots on an axis would be cut.
    let is_clip =
        |shape: &Primitive| matches!(shape, Primitive::ClipStart { .. } | Primitive::ClipEnd);
    scene.elements.retain(|shape| !is_clip(shape));
    scene.elements.extend(shapes.into_iter().chain(names));
    scene.background_color = None;
    let mut picture = Picture { title: head.full_title(), scene };
    for note in axes.notes(unnamed) {
        let at = [MARGIN, picture.scene.height + 12.0];
        let note = label::fit(&note, SMALL.into(), WIDTH - 2.0 * MARGIN);
        picture.scene.add(text(at, &note, SMALL, TextAnchor::Start, SOFT));
        picture.scene.height += 20.0;
    }
    picture.scene.height = (picture.scene.height + 8.0).ceil();
    Ok(picture)
}

/// A value with its place on both axes.
struct Placed<'m> {
    mark: &'m Mark,
    x: f64,
    y: f64,
}

/// The distance of the marks of an axis of integers, and both ends, if it has about so many marks.
fn integers(numbers: impl Iterator<Item = f64> + Clone, most: f64) -> Option<(f64, [f64; 2])> {
    let (low, high) = numbers
        .clone()
        .fold((f64::MAX, f64::MIN), |(low, high), number| (low.min(number), high.max(number)));
    if !numbers.clone().all(|number| number.fract() == 0.0) || high - low > 1e6 || high < low {
        return None;
    }
    let steps = (0..).flat_map(|power| [1.0, 2.0, 5.0].map(|step| step * 10_f64.powi(power)));
    let step = steps.into_iter().find(|step| (high - low) / step <= most)?;
    let [low, high] = [(low / step).floor() * step, (high / step).ceil() * step];
    Some((step, [low, if low == high { low + step } else { high }]))
}

/// The ends of a logarithmic axis: the nearest of 1, 2 and 5 times a power of ten.
fn decades(numbers: impl Iterator<Item = f64>) -> [f64; 2] {
    let [low, high] = numbers.fold([f64::MAX, f64::MIN_POSITIVE], |[low, high], number| {
        [low.min(number), high.max(number)]
    });
    let ends = |number: f64| {
        let power = 10_f64.powf(number.log10().floor());
        [1.0, 2.0, 5.0, 10.0].into_iter().map(move |times| times * power)
    };
    // Powers of ten are not exact.
    let below = ends(low).rfind(|end| *end <= low * 1.000_001);
    let above = ends(high).find(|end| *end >= high * 0.999_999);
    let [low, high] = [below.unwrap_or(low), above.unwrap_or(high)];
    [low, if low < high { high } else { 10.0 * low }]
}

/// The axes of a chart.
struct Axes<'m, 'c> {
    marks: &'m Marks<'c>,
    chart: &'m Chart<'c>,
    /// The places of a horizontal axis that is not a scale.
    names: Option<Vec<String>>,
    log_x: bool,
    log_y: bool,
    /// The power of ten of the unit of the vertical axis.
    unit: i32,
}

impl<'m, 'c> Axes<'m, 'c> {
    fn new(marks: &'m Marks<'c>, chart: &'m Chart<'c>) -> Axes<'m, 'c> {
        let are_bars = matches!(chart.figure, Figure::Bars | Figure::Stack);
        let numbers = marks.marks.iter().map(|mark| label::number(&mark.x));
        let has_names = are_bars || numbers.clone().any(|number| number.is_none());
        let is_above_0 = |number: f64| number > 0.0;
        let log_y = chart.log_y && !are_bars && marks.marks.iter().any(|m| is_above_0(m.number));
        let largest = marks.marks.iter().map(|mark| mark.number.abs()).fold(0.0, f64::max);
        Axes {
            marks,
            chart,
            names: has_names.then(|| marks.categories()),
            log_x: chart.log_x && !has_names && numbers.flatten().any(is_above_0),
            log_y,
            unit: if log_y || marks.is_share { 0 } else { label::unit(largest) },
        }
    }

    /// The place of a value. `None` if it has no place on a logarithmic axis.
    fn place(&self, mark: &'m Mark) -> Option<Placed<'m>> {
        let x = match &self.names {
            Some(names) => names.iter().position(|name| *name == mark.x)? as f64 + 1.0,
            None => label::number(&mark.x).filter(|&x| !self.log_x || x > 0.0)?,
        };
        let is_placed = !self.log_y || mark.number > 0.0;
        is_placed.then_some(Placed { mark, x, y: mark.number / 10_f64.powi(self.unit) })
    }

    /// Whether values of different series have the same place.
    fn coincide(&self, placed: &[Placed]) -> bool {
        let mut taken = HashMap::new();
        placed.iter().any(|it| {
            let place = (it.x.to_bits(), it.y.to_bits());
            *taken.entry(place).or_insert(it.mark.series) != it.mark.series
        })
    }

    fn color(&self, series: usize) -> String {
        paint(self.marks.series[series].color)
    }

    /// Bars at each place, and their values if they fit over them.
    fn bars(
        &self,
        placed: &[Placed],
        is_stack: bool,
    ) -> Result<(Vec<Plot>, Vec<TextAnnotation>), PlotError> {
        const WIDE: f64 = 0.82;
        PlotError::limit("bars", placed.len(), MOST)?;
        let names = self.names.iter().flatten();
        let mut groups: Vec<Vec<&Placed>> = names.clone().map(|_| Vec::new()).collect();
        placed.iter().for_each(|it| groups[it.x as usize - 1].push(it));
        groups.iter_mut().for_each(|group| group.sort_by_key(|it| it.mark.series));
        let mut bars = BarPlot::new().with_width(WIDE);
        for (name, group) in names.zip(&groups) {
            let values = group.iter().map(|it| (it.y, self.color(it.mark.series)));
            bars = bars.with_group(label_of(self.marks.shown, name), values);
        }
        let in_order = groups.iter().flatten();
        // Without `with_tooltips`, the library leaves the groups of the tips open.
        bars = bars.with_tooltips().with_tooltip_labels(in_order.map(|it| self.marks.tip(it.mark)));
        bars = if is_stack { bars.with_stacked() } else { bars };
        let text = |it: &Placed| label::short(&it.mark.text, it.mark.number, self.marks.is_share);
        let most = groups.iter().map(Vec::len).max().unwrap_or(1);
        let room = ROOM / groups.len() as f64 * if most > 1 { WIDE } else { 1.0 } / most as f64;
        let fits = |it: &Placed| label::width(&text(it), SMALL.into()) <= room;
        if is_stack || !placed.iter().all(fits) {
            return Ok((vec![Plot::Bar(bars)], Vec::new()));
        }
        let values = groups.iter().flat_map(|group| {
            let part = WIDE / group.len() as f64;
            (0..).zip(group).map(move |(i, it)| {
                let x = it.x - WIDE / 2.0 + part * (f64::from(i) + 0.5);
                TextAnnotation::new(text(it), x, it.y.max(0.0)).with_font_size(SMALL)
            })
        });
        let values = values.collect();
        Ok((vec![Plot::Bar(bars)], values))
    }

    /// A line for each series, with a dot for each value. Lines that coincide with others have
    /// patterns of dashes and smaller dots, so that all are visible.
    fn lines(&self, placed: &[Placed], dashes: &[&str]) -> Vec<Plot> {
        let mut plots = Vec::new();
        for (series, dashes) in (0..self.marks.series.len()).zip(dashes) {
            let of_series = placed.iter().filter(|it| it.mark.series == series);
            let mut points: Vec<(f64, f64)> = of_series.map(|it| (it.x, it.y)).collect();
            points.sort_by(|one, other| one.0.total_cmp(&other.0));
            let line = LinePlot::new().with_data(points).with_color(self.color(series));
            plots.push(Plot::Line(match *dashes {
                "" => line,
                dashes => line.with_line_style(LineStyle::Custom(dashes.to_string())),
            }));
        }
        let are_many = placed.len() > MANY;
        for (series, dashes) in (0..self.marks.series.len()).zip(dashes) {
            let size = if are_many || !dashes.is_empty() { 2.4 } else { 3.6 };
            plots.push(self.dots_of(placed, series, size));
        }
        plots
    }

    fn dots(&self, placed: &[Placed]) -> Vec<Plot> {
        let size = if placed.len() > MANY { 2.6 } else { 4.5 };
        // Smaller dots of later series leave earlier ones visible.
        let size = |series: usize| size / (1.0 + 0.6 * series as f64);
        let all = 0..self.marks.series.len();
        all.map(|series| self.dots_of(placed, series, size(series))).collect()
    }

    fn dots_of(&self, placed: &[Placed], series: usize, size: f64) -> Plot {
        let of_series = || placed.iter().filter(|it| it.mark.series == series);
        let dots = ScatterPlot::new()
            .with_data(of_series().map(|it| (it.x, it.y)))
            .with_color(self.color(series))
            .with_size(size)
            .with_tooltip_labels(of_series().map(|it| self.marks.tip(it.mark)));
        Plot::Scatter(dots)
    }

    /// The values as facts of the title.
    fn facts(&self, placed: &[Placed]) -> Vec<Fact> {
        let fact = |Placed { mark, .. }: &Placed| {
            let series = &self.marks.series[mark.series];
            let at = match mark.name.as_str() {
                "" => label_of(self.marks.shown, &mark.x),
                name => name.to_string(),
            };
            let (series, label) = (series.value.clone(), series.label.clone());
            Fact { series, label, at, value: Some((mark.number, mark.text.clone())) }
        };
        placed.iter().map(fact).collect()
    }

    /// The names of dots, and the number of dots without room for theirs.
    fn names(&self, placed: &[Placed], layout: &ComputedLayout) -> (Vec<Primitive>, usize) {
        let named = placed.iter().filter(|it| !it.mark.name.is_empty());
        let dots: Vec<Dot> = named
            .map(|it| (it.mark.name.as_str(), [layout.map_x(it.x), layout.map_y(it.y)]))
            .collect();
        let bottom = layout.height - layout.margin_bottom;
        names(&dots, [layout.margin_left, layout.margin_top, WIDTH, bottom])
    }

    /// The legend, if there are several series that the axis does not name.
    fn legend(&self, dashes: &[&str]) -> Vec<Key> {
        let series = self.marks.series.iter();
        if series.len() == 1 || self.marks.series_by_x {
            return Vec::new();
        }
        let key = |(series, dashes): (&super::marks::Series, &&str)| {
            let label = series.label.clone();
            match self.chart.figure {
                Figure::Lines => {
                    let dashes = (!dashes.is_empty()).then(|| dashes.to_string());
                    Key::Line(series.color, dashes, label)
                }
                _ => Key::Square(series.color, label),
            }
        };
        series.zip(dashes.iter().chain(std::iter::repeat(&""))).map(key).collect()
    }

    /// The labels, marks and colours of the axes.
    fn layout(&self, plots: &[Plot], placed: &[Placed]) -> Layout {
        let theme = Theme {
            background: paint(PAPER),
            axis_color: paint(SOFT),
            tick_color: paint(SOFT),
            grid_color: paint(GRID),
            text_color: paint(INK),
            ..Theme::light()
        };
        let logarithmic = |is: bool| if is { " (logarithmic)" } else { "" };
        let unit = label::unit_name(self.unit);
        let y_label = format!("{}{unit}{}", self.chart.y_label, logarithmic(self.log_y));
        let (is_share, log_y, log_x) = (self.marks.is_share, self.log_y, self.log_x);
        let format = |log: bool, is_share: bool| {
            TickFormat::Custom(Arc::new(move |number| {
                if log { label::log_tick(number, is_share) } else { label::tick(number, is_share) }
            }))
        };
        let mut layout = Layout::auto_from_plots(plots)
            .with_theme(theme)
            .with_font_family(FONTS)
            .with_width(WIDTH)
            .with_tick_size(SMALL)
            .with_label_size(12)
            .with_x_label_overlap(AxisLabelOverlap::Thin)
            .with_y_label(y_label)
            .with_y_tick_format(format(log_y, is_share))
            .with_x_tick_format(format(log_x, false));
        if !self.chart.x_label.is_empty() {
            layout = layout.with_x_label(format!("{}{}", self.chart.x_label, logarithmic(log_x)));
        }
        if let Some(names) = &self.names {
            let labels: Vec<String> =
                names.iter().map(|name| label_of(self.marks.shown, name)).collect();
            let widest = label::widest(labels.iter().map(String::as_str), SMALL.into());
            let are_numbers = names.iter().all(|name| label::number(name).is_some());
            let room = ROOM / names.len() as f64;
            if !are_numbers && widest + 6.0 > room {
                layout = layout.with_x_tick_rotate(TURN);
                // The lines of turned names are so far apart that each has room.
                if room * TURN.abs().to_radians().sin() > f64::from(SMALL) {
                    layout = layout.with_x_label_overlap(AxisLabelOverlap::Allow);
                }
            }
            layout = layout.with_x_categories(labels);
        }
        let across = integers(placed.iter().map(|it| it.x), 12.0);
        if let (None, false, Some((step, [low, high]))) = (&self.names, log_x, across) {
            layout = layout.with_x_tick_step(step).with_x_axis_min(low).with_x_axis_max(high);
        }
        layout = match self.top(placed) {
            Some((step, [low, high])) => {
                layout.with_y_tick_step(step).with_y_axis_min(low).with_y_axis_max(high)
            }
            None => layout,
        };
        if log_y {
            let [low, high] = decades(placed.iter().map(|it| it.y));
            layout = layout.with_log_y().with_y_axis_min(low).with_y_axis_max(high);
        }
        if log_x {
            let [low, high] = decades(placed.iter().map(|it| it.x));
            layout = layout.with_log_x().with_x_axis_min(low).with_x_axis_max(high);
        }
        layout
    }

    /// The distance of the marks and the ends of a vertical axis of shares up to 1, or of a few
    /// integers. `None` for another one.
    fn top(&self, placed: &[Placed]) -> Option<(f64, [f64; 2])> {
        let values = || placed.iter().map(|it| it.y);
        let most = match self.chart.figure {
            Figure::Stack => {
                let sum = |x: f64| placed.iter().filter(|it| it.x == x).map(|it| it.y).sum();
                placed.iter().map(|it| sum(it.x)).fold(0.0, f64::max)
            }
            _ => values().fold(0.0, f64::max),
        };
        if self.log_y || values().any(|value| value < 0.0) && self.marks.is_share {
            return None;
        }
        if self.marks.is_share {
            // A sum of rounded shares may be more than 1.
            return (0.85..1.01).contains(&most).then_some((0.2, [0.0, most.max(1.0)]));
        }
        let (step, [low, high]) = integers(values().chain([0.0, most]), 12.0)?;
        // Above a bar there is room for its value.
        let above = if high == most { step } else { 0.0 };
        (self.unit == 0 && step == 1.0).then_some((step, [low, high + above]))
    }

    /// Notes on values without a place on a logarithmic axis, and on dots without a name.
    fn notes(&self, unnamed: usize) -> Vec<String> {
        let is_out = |mark: &&Mark| self.place(mark).is_none();
        let out = || self.marks.marks.iter().filter(is_out).map(|mark| mark.name.as_str());
        let mut names: Vec<&str> = out().filter(|name| !name.is_empty()).collect();
        names.dedup();
        let names_of =
            if names.is_empty() { String::new() } else { format!(" ({})", names.join(", ")) };
        let left_out = match out().count() {
            0 => None,
            1 => Some(format!("1 value is left out{names_of}: a logarithmic axis has no 0.")),
            n => Some(format!("{n} values are left out{names_of}: a logarithmic axis has no 0.")),
        };
        let no_room = match unnamed {
            0 => None,
            1 => Some("There is no room for the name of 1 dot.".to_string()),
            n => Some(format!("There is no room for the names of {n} dots.")),
        };
        left_out.into_iter().chain(no_room).collect()
    }
}
