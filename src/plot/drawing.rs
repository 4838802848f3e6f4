//! A drawing: shapes in places, each with a part to play instead of a colour.

/// What a shape is, which decides its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Paint {
    /// Text, and lines that are as strong.
    Ink,
    /// Text that is less important.
    Soft,
    /// Lines of a grid, and what is empty.
    Grid,
    /// One of some series, from 0.
    Series(usize),
    /// A value below or above 0, from -[`STEPS`] to [`STEPS`].
    Value(i32),
    /// Text on that value.
    On(i32),
    /// What lies below everything.
    Paper,
}

/// Colours of values on either side of 0.
pub const STEPS: i32 = 5;
/// Colours of series that can be told apart.
pub const SERIES: usize = 8;

/// Where a text is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// Where it begins.
    Start,
    /// In the middle.
    Middle,
    /// Where it ends.
    End,
}

/// A shape. Places are from the top left; what has a tip tells it when pointed at.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A filled rectangle: left, top, width, height.
    Rect {
        /// Its place.
        at: [f64; 4],
        /// Its colour.
        paint: Paint,
        /// What it tells.
        tip: Option<String>,
    },
    /// A filled disc.
    Disc {
        /// Its centre.
        at: [f64; 2],
        /// Its radius.
        radius: f64,
        /// Its colour.
        paint: Paint,
        /// What it tells.
        tip: Option<String>,
    },
    /// A line through points.
    Line {
        /// The points.
        through: Vec<[f64; 2]>,
        /// How wide it is.
        width: f64,
        /// Its colour.
        paint: Paint,
        /// What it tells.
        tip: Option<String>,
    },
    /// A text on a base line.
    Text {
        /// Where it is held.
        at: [f64; 2],
        /// What it says.
        text: String,
        /// The size of its letters.
        size: f64,
        /// Which part of it is held.
        anchor: Anchor,
        /// By how many degrees it is turned.
        turn: f64,
        /// Its colour.
        paint: Paint,
    },
}

/// Shapes on a sheet, later ones over earlier ones.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drawing {
    /// How wide the sheet is.
    pub width: f64,
    /// How high.
    pub height: f64,
    /// What it shows, in a line.
    pub title: String,
    /// What is on it.
    pub shapes: Vec<Shape>,
}

impl Drawing {
    /// Adds a line of text.
    pub fn text(&mut self, at: [f64; 2], text: &str, size: f64, anchor: Anchor, paint: Paint) {
        self.turned(at, text, size, anchor, paint, 0.0);
    }

    /// Adds a line of text turned by some degrees.
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
        self.shapes.push(Shape::Text { at, text, size, anchor, turn, paint });
    }

    /// Adds a rectangle.
    pub fn rect(&mut self, at: [f64; 4], paint: Paint, tip: Option<String>) {
        self.shapes.push(Shape::Rect { at, paint, tip });
    }

    /// Adds a disc.
    pub fn disc(&mut self, at: [f64; 2], radius: f64, paint: Paint, tip: Option<String>) {
        self.shapes.push(Shape::Disc { at, radius, paint, tip });
    }

    /// Adds a line.
    pub fn line(&mut self, through: Vec<[f64; 2]>, width: f64, paint: Paint, tip: Option<String>) {
        self.shapes.push(Shape::Line { through, width, paint, tip });
    }
}
