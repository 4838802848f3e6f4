//! Drawings: shapes with symbolic colours.

/// A symbolic colour, which a theme translates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Paint {
    /// Text, and strong lines.
    Ink,
    /// Text that is less important.
    Soft,
    /// Lines of a grid, and empty cells.
    Grid,
    /// A series, counted from 0.
    Series(usize),
    /// A value below or above 0, from -[`STEPS`] to [`STEPS`].
    Value(i32),
    /// Text on a shape of that value.
    On(i32),
    /// The background.
    Paper,
}

/// The number of colours of values on either side of 0.
pub const STEPS: i32 = 5;
/// The number of colours of series.
pub const SERIES: usize = 8;

/// The point of a text that is at its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// Its start.
    Start,
    /// Its middle.
    Middle,
    /// Its end.
    End,
}

/// A shape with its colour.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// The shape.
    pub form: Form,
    /// Its colour.
    pub paint: Paint,
    /// A text that is shown when the pointer is on it.
    pub tip: Option<String>,
}

/// The geometry of a shape. Coordinates are measured from the top left.
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    /// A filled rectangle: left, top, width, height.
    Rect([f64; 4]),
    /// A filled disc: centre and radius.
    Disc([f64; 2], f64),
    /// A line through points, and its width.
    Line(Vec<[f64; 2]>, f64),
    /// A text on a base line.
    Text {
        /// The position of the anchor.
        at: [f64; 2],
        /// The text.
        text: String,
        /// The font size.
        size: f64,
        /// The anchor.
        anchor: Anchor,
        /// The rotation in degrees.
        turn: f64,
    },
}

/// A drawing: shapes, later ones over earlier ones.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drawing {
    /// The width.
    pub width: f64,
    /// The height.
    pub height: f64,
    /// The title.
    pub title: String,
    /// The shapes.
    pub shapes: Vec<Shape>,
}

impl Drawing {
    /// Adds a line of text.
    pub fn text(&mut self, at: [f64; 2], text: &str, size: f64, anchor: Anchor, paint: Paint) {
        self.turned(at, text, size, anchor, paint, 0.0);
    }

    /// Adds a line of text, rotated by an angle in degrees.
    pub fn turned(
        &mut self,
        at: [f64; 2],
        text: &str,
        size: f64,
        anchor: Anchor,
        paint: Paint,
        turn: f64,
    ) {
        let text = text.to_string();
        self.add(Form::Text { at, text, size, anchor, turn }, paint, None);
    }

    /// Adds a rectangle.
    pub fn rect(&mut self, at: [f64; 4], paint: Paint, tip: Option<String>) {
        self.add(Form::Rect(at), paint, tip);
    }

    /// Adds a disc.
    pub fn disc(&mut self, at: [f64; 2], radius: f64, paint: Paint, tip: Option<String>) {
        self.add(Form::Disc(at, radius), paint, tip);
    }

    /// Adds a line.
    pub fn line(&mut self, through: Vec<[f64; 2]>, width: f64, paint: Paint, tip: Option<String>) {
        self.add(Form::Line(through, width), paint, tip);
    }

    fn add(&mut self, form: Form, paint: Paint, tip: Option<String>) {
        self.shapes.push(Shape { form, paint, tip });
    }
}
