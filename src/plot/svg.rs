//! SVG output: texts as text, light colours as attributes, and dark colours in a style sheet that
//! applies if the reader prefers them.

use super::drawing::{Anchor, Drawing, Form, Paint, Shape};
use super::theme::Theme;
use quick_xml::Writer;
use quick_xml::events::BytesText;
use std::collections::BTreeSet;
use std::io;

/// Fonts in order of preference. The last one with a name is that of PNG output.
const FONTS: &str =
    "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif";

/// The colours of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colors {
    /// Those that the reader prefers, without a background.
    Readers,
    /// Those of a theme, with its background.
    Of(Theme),
}

/// A writer of XML, with a line per element.
type Xml = Writer<Vec<u8>>;

/// Formats a drawing.
pub fn write(drawing: &Drawing, colors: Colors) -> io::Result<Vec<u8>> {
    let theme = match colors {
        Colors::Readers => Theme::Light,
        Colors::Of(theme) => theme,
    };
    let mut xml = Writer::new_with_indent(Vec::new(), b' ', 1);
    let [width, height] = [drawing.width, drawing.height].map(number);
    let svg = xml.create_element("svg").with_attributes([
        ("xmlns", "http://www.w3.org/2000/svg"),
        ("viewBox", &format!("0 0 {width} {height}")),
        ("width", &width),
        ("height", &height),
        ("role", "img"),
        ("font-family", FONTS),
    ]);
    svg.write_inner_content(|xml| {
        xml.create_element("title").write_text_content(words(&drawing.title))?;
        match colors {
            Colors::Readers => {
                let style = dark_style(drawing);
                xml.create_element("style").write_text_content(BytesText::from_escaped(style))?;
            }
            Colors::Of(theme) => {
                let [ground, all] = [theme.color(Paint::Paper), "100%".to_string()];
                let values = [("width", &all), ("height", &all), ("fill", &ground)];
                let values = values.map(|(name, value)| (name, value.as_str()));
                xml.create_element("rect").with_attributes(values).write_empty()?;
            }
        }
        drawing.shapes.iter().try_for_each(|shape| add(xml, shape, theme))
    })?;
    let mut bytes = xml.into_inner();
    bytes.push(b'\n');
    Ok(bytes)
}

/// The dark colours of the shapes of a drawing.
fn dark_style(drawing: &Drawing) -> String {
    let used: BTreeSet<(Paint, bool)> = drawing.shapes.iter().map(used).collect();
    let rule = |&(paint, is_line): &(Paint, bool)| {
        let property = if is_line { "stroke" } else { "fill" };
        format!(".{}{{{property}:{}}}", class(paint, is_line), Theme::Dark.color(paint))
    };
    let rules: String = used.iter().map(rule).collect();
    format!("@media (prefers-color-scheme:dark){{{rules}}}")
}

/// The colour of a shape, and whether the shape is a line.
fn used(shape: &Shape) -> (Paint, bool) {
    (shape.paint, matches!(shape.form, Form::Line(..)))
}

/// The name of a colour in the style sheet.
fn class(paint: Paint, is_line: bool) -> String {
    let name = match paint {
        Paint::Ink => "ink".to_string(),
        Paint::Soft => "soft".to_string(),
        Paint::Grid => "grid".to_string(),
        Paint::Paper => "paper".to_string(),
        Paint::Series(which) => format!("series{which}"),
        Paint::Value(step) if step < 0 => format!("minus{}", -step),
        Paint::Value(step) => format!("plus{step}"),
        Paint::On(step) if step < 0 => format!("on-minus{}", -step),
        Paint::On(step) => format!("on-plus{step}"),
    };
    if is_line { format!("{name}-line") } else { name }
}

fn add(xml: &mut Xml, Shape { form, paint, tip }: &Shape, theme: Theme) -> io::Result<()> {
    let color = [("fill", theme.color(*paint)), ("class", class(*paint, false))];
    match form {
        Form::Rect(at) => {
            let place = ["x", "y", "width", "height"].into_iter().zip(at.map(number));
            element(xml, "rect", place.chain(color), tip)
        }
        Form::Disc([x, y], radius) => {
            let place = ["cx", "cy", "r"].into_iter().zip([*x, *y, *radius].map(number));
            element(xml, "circle", place.chain(color), tip)
        }
        Form::Line(through, width) => {
            let point = |[x, y]: &[f64; 2]| format!("{},{}", number(*x), number(*y));
            let points: Vec<String> = through.iter().map(point).collect();
            let line = [
                ("points", points.join(" ")),
                ("fill", "none".to_string()),
                ("stroke", theme.color(*paint)),
                ("stroke-width", number(*width)),
                ("stroke-linejoin", "round".to_string()),
                ("class", class(*paint, true)),
            ];
            element(xml, "polyline", line, tip)
        }
        Form::Text { at, text, size, anchor, turn } => {
            let held = match anchor {
                Anchor::Start => None,
                Anchor::Middle => Some("middle"),
                Anchor::End => Some("end"),
            };
            let [x, y] = at.map(number);
            let turned = format!("rotate({} {x} {y})", number(*turn));
            let more = [
                held.map(|held| ("text-anchor", held.to_string())),
                (*turn != 0.0).then_some(("transform", turned)),
            ];
            let place = [("x", x), ("y", y), ("font-size", number(*size))];
            let values = place.into_iter().chain(more.into_iter().flatten()).chain(color);
            let values: Vec<(&str, String)> = values.collect();
            let values = values.iter().map(|(name, value)| (*name, value.as_str()));
            let element = xml.create_element("text").with_attributes(values);
            element.write_text_content(words(text)).map(drop)
        }
    }
}

/// Writes an element with attributes and a tip.
fn element(
    xml: &mut Xml,
    name: &str,
    values: impl IntoIterator<Item = (&'static str, String)>,
    tip: &Option<String>,
) -> io::Result<()> {
    let values: Vec<(&str, String)> = values.into_iter().collect();
    let values = values.iter().map(|(name, value)| (*name, value.as_str()));
    let element = xml.create_element(name).with_attributes(values);
    match tip {
        None => element.write_empty().map(drop),
        Some(tip) => {
            let inside = |xml: &mut Xml| {
                xml.create_element("title").write_text_content(words(tip)).map(drop)
            };
            element.write_inner_content(inside).map(drop)
        }
    }
}

/// A text in which characters that XML does not allow are replaced.
fn words(text: &str) -> BytesText<'static> {
    let is_allowed =
        |character: char| !(character.is_control() || matches!(character, '\u{fffe}' | '\u{ffff}'));
    let text: String = text.chars().map(|c| if is_allowed(c) { c } else { '\u{fffd}' }).collect();
    BytesText::new(&text).into_owned()
}

/// Formats a coordinate or a size, with at most two decimals.
fn number(number: f64) -> String {
    let text = format!("{number:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_string() } else { text.to_string() }
}
