//! Pictures: shapes in the light colours of the palette, and SVG output.

use bsq_analyses::palette::{Color, INK, PAPER};
use kuva::backend::svg::SvgBackend;
use kuva::render::render::{Primitive, Scene, TextAnchor};
use std::fmt::Write;

/// Fonts in order of preference. The widths of texts are those of DejaVu Sans, the font of PNG
/// output, or less.
pub const FONTS: &str =
    "'DejaVu Sans', Verdana, system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";

/// A picture with its description.
#[derive(Debug)]
pub struct Picture {
    /// The finding, and the rules.
    pub title: String,
    /// The shapes, in light colours.
    pub scene: Scene,
}

/// The colours of an SVG.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// Those that the reader prefers, without a background.
    Reader,
    /// Light colours, on their background.
    Light,
    /// Dark colours, on their background.
    Dark,
}

impl Picture {
    /// A picture without shapes.
    pub fn new(title: String, width: f64, height: f64) -> Picture {
        let mut scene = Scene::new(width, height);
        scene.font_family = Some(FONTS.to_string());
        scene.text_color = Some(paint(INK));
        scene.background_color = None;
        Picture { title, scene }
    }

    /// Formats the picture as SVG.
    pub fn svg(&self, look: Look) -> String {
        let svg = SvgBackend::new().with_pretty(true).render_scene(&self.scene);
        let (open, shapes) = svg.split_once('>').unwrap_or((&svg, ""));
        let [width, height] = [self.scene.width, self.scene.height].map(f64::ceil);
        let title = self.title.replace('&', "&amp;").replace('<', "&lt;");
        let ground = match look {
            Look::Reader => format!("<style>{}</style>", dark_style(&svg)),
            Look::Light | Look::Dark => {
                format!(r#"<rect width="100%" height="100%" fill="{}" />"#, paint(PAPER))
            }
        };
        let svg = format!(
            "{open} viewBox=\"0 0 {width} {height}\" role=\"img\">\n  <title>{title}</title>\n  {ground}{shapes}"
        );
        let svg = if look == Look::Dark { darkened(&svg) } else { svg };
        svg.chars().map(|letter| if is_allowed(letter) { letter } else { '\u{fffd}' }).collect()
    }
}

/// Whether XML allows a character.
fn is_allowed(letter: char) -> bool {
    letter == '\n' || !(letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}'))
}

/// The dark colours of the shapes of an SVG, if the reader prefers them.
fn dark_style(svg: &str) -> String {
    let mut rules = String::new();
    for color in Color::all() {
        for property in ["fill", "stroke"] {
            let light = format!("{property}=\"{}\"", paint(color));
            if svg.contains(&light) {
                // Writing to a string cannot fail.
                let _ = write!(rules, "[{light}]{{{property}:#{:06x}}}", color.dark);
            }
        }
    }
    format!("@media (prefers-color-scheme:dark){{{rules}}}")
}

/// Replaces light colours by dark ones. Quotation marks occur in tags only.
fn darkened(svg: &str) -> String {
    let mut parts = svg.split("\"#");
    let mut dark = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let light = part.get(..6).and_then(|digits| u32::from_str_radix(digits, 16).ok());
        match light.and_then(|light| Color::all().find(|color| color.light == light)) {
            Some(color) => dark += &format!("\"#{:06x}{}", color.dark, &part[6..]),
            None => dark += &format!("\"#{part}"),
        }
    }
    dark
}

/// The light variant of a colour, such as `#1f2328`.
pub fn paint(color: Color) -> String {
    format!("#{:06x}", color.light)
}

/// A text at a place of its base line.
pub fn text(
    [x, y]: [f64; 2],
    content: &str,
    size: u32,
    anchor: TextAnchor,
    color: Color,
) -> Primitive {
    let (content, color) = (content.to_string(), Some(paint(color).into()));
    Primitive::Text { x, y, content, size, anchor, rotate: None, bold: false, color }
}

/// A text that is rotated around its place, in degrees.
pub fn turned(
    at: [f64; 2],
    content: &str,
    size: u32,
    anchor: TextAnchor,
    degrees: f64,
    color: Color,
) -> Primitive {
    match text(at, content, size, anchor, color) {
        Primitive::Text { x, y, content, size, anchor, bold, color, .. } => {
            Primitive::Text { x, y, content, size, anchor, rotate: Some(degrees), bold, color }
        }
        other => other,
    }
}

/// A rectangle: left, top, width and height.
pub fn rect([x, y, width, height]: [f64; 4], color: Color) -> Primitive {
    let fill = paint(color).into();
    Primitive::Rect { x, y, width, height, fill, stroke: None, stroke_width: None, opacity: None }
}

/// A line between two points.
pub fn line([x1, y1]: [f64; 2], [x2, y2]: [f64; 2], stroke_width: f64, color: Color) -> Primitive {
    let stroke = paint(color).into();
    Primitive::Line { x1, y1, x2, y2, stroke, stroke_width, stroke_dasharray: None }
}

/// Adds shapes with a tip.
pub fn with_tip(scene: &mut Scene, tip: String, shapes: impl IntoIterator<Item = Primitive>) {
    scene.has_tooltips = true;
    scene.add(Primitive::GroupStart { transform: None, title: Some(tip), extra_attrs: None });
    shapes.into_iter().for_each(|shape| scene.add(shape));
    scene.add(Primitive::GroupEnd);
}
