//! Draws the board: pieces, lines and boxes, values, marks, the cursor.

use super::app::App;
use super::grid::{Grid, is_line};
use super::style::{Look, bold, centred, dim, label};
use bsq_api::{Class, MoveAnswer, PlaceAnswer, Player, Shape, State};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::symbols::merge::MergeStrategy;
use ratatui::widgets::{Block, BorderType, Widget};

/// Draws the board.
pub fn draw(app: &App, grid: &Grid, buffer: &mut Buffer) {
    let now = app.contest.now();
    let places = &now.scene.places;
    if grid.has_lines {
        for corner in grid.corners() {
            buffer.set_string(corner.x, corner.y, "•", dim());
        }
    } else if grid.ruled {
        rule(grid, places, buffer);
    }
    names(grid, places, buffer);
    let view = View { app, grid, look: app.look, moves: app.shown_moves(), mover: now.to_move };
    // Lines are drawn last, because their labels extend into boxes.
    for lines in [false, true] {
        for place in places.iter().filter(|place| is_line(place) == lines) {
            if lines { view.line(place, buffer) } else { view.cell(place, buffer) }
        }
    }
    let place = |name: &String| places.iter().find(|place| place.name == *name);
    for picked in app.picked.iter().filter_map(place) {
        view.frame(picked, BorderType::Double, buffer);
    }
    if let Some(at) = app.cursor_place().filter(|_| !now.is_over) {
        view.frame(at, BorderType::Thick, buffer);
    }
}

/// Draws the lines between cells.
fn rule(grid: &Grid, places: &[PlaceAnswer], buffer: &mut Buffer) {
    for place in places {
        let Rect { x, y, width, height } = grid.place(place);
        let lines = Block::bordered().border_style(dim()).merge_borders(MergeStrategy::Exact);
        lines.render(Rect::new(x - 1, y - 1, width + 2, height + 2), buffer);
    }
}

fn put(buffer: &mut Buffer, x: u16, y: u16, glyph: char, style: Style) {
    centred(&glyph.to_string(), Rect::new(x, y, 1, 1), style, buffer);
}

/// Draws the letters of the columns above the board, and the numbers of the rows on its left.
///
/// They are taken from the names of places. A cell is named after its middle, and a line after its
/// left or upper end.
fn names(grid: &Grid, places: &[PlaceAnswer], buffer: &mut Buffer) {
    let is_letter = |c: char| c.is_ascii_alphabetic();
    let of_columns = if grid.has_lines { Shape::Vertical } else { Shape::Cell };
    for place in places.iter().filter(|place| place.shape == of_columns && place.y == 0) {
        let Rect { x, width, .. } = grid.place(place);
        let name = place.name.split(|c| !is_letter(c)).next().unwrap_or_default();
        centred(name, Rect { x, y: grid.area.y - 1, width, height: 1 }, dim(), buffer);
    }
    let of_rows = if grid.has_lines { Shape::Horizontal } else { Shape::Cell };
    for place in places.iter().filter(|place| place.shape == of_rows && place.x == 0) {
        let Rect { y, height, .. } = grid.place(place);
        let digits = place.name.trim_start_matches(is_letter).chars();
        let number: String = digits.take_while(char::is_ascii_digit).collect();
        let left = Rect { x: grid.area.x - 3, y: y + (height - 1) / 2, width: 2, height: 1 };
        centred(&format!("{number:>2}"), left, dim(), buffer);
    }
}

struct View<'a> {
    app: &'a App,
    grid: &'a Grid,
    look: Look,
    /// The moves that can be chosen, with the values that are shown.
    moves: Vec<&'a MoveAnswer>,
    mover: Player,
}

impl View<'_> {
    /// The best move that continues at a place.
    fn best(&self, place: &PlaceAnswer) -> Option<&MoveAnswer> {
        let next = |mv: &&&MoveAnswer| {
            let rest = mv.places.strip_prefix(self.app.picked.as_slice());
            rest.and_then(|rest| rest.first()).is_some_and(|next| *next == place.name)
        };
        self.moves.iter().find(next).copied()
    }

    /// The text about moves at a place: the best value, a star for a hint, or a dot.
    fn label(&self, place: &PlaceAnswer) -> Option<(String, Style)> {
        let best = self.best(place)?;
        let is_best = best.class == Some(Class::Best);
        let star = if is_best { "*" } else { "" };
        match label(best, self.mover) {
            Some((text, winner)) if self.app.show_values => {
                let style = self.look.of(winner);
                let style = if is_best { style.add_modifier(Modifier::BOLD) } else { style };
                Some((format!("{text}{star}"), style))
            }
            Some(_) if self.app.hint && is_best => Some(("*".to_string(), bold())),
            _ => (place.state != State::Taken).then(|| ("·".to_string(), dim())),
        }
    }

    /// Whether a place belongs to the last move.
    fn is_last(&self, place: &PlaceAnswer) -> bool {
        self.app.contest.last_move().is_some_and(|mv| mv.places.contains(&place.name))
    }

    fn cell(&self, place: &PlaceAnswer, buffer: &mut Buffer) {
        let area = self.grid.place(place);
        let row = |y: u16| Rect { y: area.y + y, height: 1, ..area };
        let (middle, last) = (row((area.height - 1) / 2), row(area.height - 1));
        let label = self.label(place);
        if place.state == State::Taken {
            let style = self.look.filled(place.owner);
            for y in 0..area.height {
                centred(&" ".repeat(area.width.into()), row(y), style, buffer);
            }
            let least_height = if label.is_some() { 5 } else { 3 };
            if !self.look.color && area.height >= least_height {
                let is_first = place.owner == Some(Player::First);
                let border = if is_first { BorderType::Thick } else { BorderType::Rounded };
                let inner =
                    Rect { x: area.x + area.width / 2 - 2, y: middle.y - 1, width: 5, height: 3 };
                outline(inner, border, Style::new(), buffer);
            }
            let symbol = place.symbol.as_deref().unwrap_or("?");
            let symbol =
                if self.is_last(place) { format!("({symbol})") } else { symbol.to_string() };
            centred(&symbol, middle, style.add_modifier(Modifier::BOLD), buffer);
            if let Some((text, _)) = label.filter(|_| area.height > 1) {
                centred(&text, last, style, buffer);
            }
            return;
        }
        if self.is_last(place) && !self.grid.has_lines {
            centred("( )", middle, dim(), buffer);
        }
        let claim = self.claim(place).filter(|_| self.app.show_claims);
        if let Some((mark, style)) = claim.filter(|_| area.height > 1 || label.is_none()) {
            let wide = if area.height > 1 { area.width / 2 } else { 1 };
            centred(&mark.to_string().repeat(wide.into()), last, style, buffer);
        }
        if let Some((text, style)) = label {
            centred(&text, middle, style, buffer);
        }
    }

    /// The mark of a free place that not both players may use.
    fn claim(&self, place: &PlaceAnswer) -> Option<(char, Style)> {
        match (place.state, place.owner) {
            (State::Claimed, Some(Player::First)) => Some(('╱', self.look.of(place.owner))),
            (State::Claimed, Some(Player::Second)) => Some(('╲', self.look.of(place.owner))),
            (State::Blocked, _) => Some(('╳', dim())),
            _ => None,
        }
    }

    fn line(&self, place: &PlaceAnswer, buffer: &mut Buffer) {
        let area = self.grid.place(place);
        let flat = place.shape == Shape::Horizontal;
        if place.state == State::Taken {
            let (glyph, style) = if self.is_last(place) {
                (if flat { '═' } else { '║' }, self.look.of(self.app.last_mover()))
            } else {
                (if flat { '━' } else { '┃' }, Style::new())
            };
            fill(area, glyph, style, buffer);
            return;
        }
        if let Some((text, style)) = self.label(place) {
            centred(&text, self.middle_of_line(area), style, buffer);
        }
    }

    /// The area of the label of a line.
    fn middle_of_line(&self, area: Rect) -> Rect {
        let y = area.y + (area.height - 1) / 2;
        match area.width {
            1 => Rect { x: area.x.saturating_sub(2), y, width: 5, height: 1 },
            _ => Rect { y, height: 1, ..area },
        }
    }

    /// Marks a place without hiding its content.
    fn frame(&self, place: &PlaceAnswer, border: BorderType, buffer: &mut Buffer) {
        let area = self.grid.place(place);
        if is_line(place) {
            let glyph = if place.shape == Shape::Horizontal { '╌' } else { '╎' };
            let label = self.label(place).filter(|(text, _)| text != "·");
            if label.is_none() || area.height > 1 || area.width > 1 {
                fill(area, glyph, bold(), buffer);
            }
            if let Some((text, style)) = label {
                let style = style.add_modifier(Modifier::REVERSED);
                centred(&text, self.middle_of_line(area), style, buffer);
            }
        } else if self.grid.ruled {
            let Rect { x, y, width, height } = area;
            let around = Rect::new(x - 1, y - 1, width + 2, height + 2);
            outline(around, border, bold(), buffer);
        } else {
            let ends = if border == BorderType::Thick { ['[', ']'] } else { ['{', '}'] };
            put(buffer, area.x, area.y, ends[0], bold());
            put(buffer, area.right() - 1, area.y, ends[1], bold());
        }
    }
}

fn fill(area: Rect, glyph: char, style: Style, buffer: &mut Buffer) {
    for position in area.positions() {
        put(buffer, position.x, position.y, glyph, style);
    }
}

/// Draws the outline of an area.
fn outline(area: Rect, border: BorderType, style: Style, buffer: &mut Buffer) {
    Block::bordered().border_type(border).border_style(style).render(area, buffer);
}
