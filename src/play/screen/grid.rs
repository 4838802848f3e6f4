//! The layout of a scene on the screen.

use bsq_api::{PlaceAnswer, SceneAnswer, Shape};
use ratatui::layout::{Position, Rect};

/// The sizes of cells, the largest first: columns, rows, and whether lines are drawn between them.
const SIZES: [(u16, u16, bool); 9] = [
    (15, 7, true),
    (13, 6, true),
    (11, 5, true),
    (9, 4, true),
    (9, 3, true),
    (7, 2, true),
    (5, 1, true),
    (4, 1, false),
    (3, 1, false),
];
/// The columns at the left for the numbers of rows.
const MARGIN: u16 = 3;
/// The rows at the top for the letters of columns.
const HEAD: u16 = 1;
/// The greatest distance from a line, in columns, at which a click selects it.
const NEAR: usize = 4;

/// A scene in a part of the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    rows: usize,
    cols: usize,
    /// The cells and lines, without letters and numbers.
    pub area: Rect,
    /// Columns inside a cell.
    pub width: u16,
    /// Rows inside a cell.
    pub height: u16,
    /// Whether there are lines between cells.
    pub ruled: bool,
    /// Whether the lines are places of the scene.
    pub has_lines: bool,
}

/// Whether a place is a line.
pub fn is_line(place: &PlaceAnswer) -> bool {
    place.shape != Shape::Cell
}

impl Grid {
    /// The largest grid that fits, if any does.
    pub fn fit(scene: &SceneAnswer, space: Rect) -> Option<Grid> {
        let has_lines = scene.places.iter().any(is_line);
        SIZES.iter().filter(|size| size.2 || !has_lines).find_map(|&(width, height, ruled)| {
            let line = usize::from(ruled);
            let columns = scene.cols * (usize::from(width) + line) + line;
            let rows = scene.rows * (usize::from(height) + line) + line;
            let (columns, rows) = (u16::try_from(columns).ok()?, u16::try_from(rows).ok()?);
            let fits = columns.checked_add(MARGIN)? <= space.width
                && rows.checked_add(HEAD)? <= space.height;
            let area = Rect::new(space.x + MARGIN, space.y + HEAD, columns, rows);
            let (rows, cols) = (scene.rows, scene.cols);
            fits.then_some(Grid { rows, cols, area, width, height, ruled, has_lines })
        })
    }

    /// The area of a place.
    pub fn place(&self, place: &PlaceAnswer) -> Rect {
        let line = u16::from(self.ruled);
        let x = self.area.x + place.x as u16 * (self.width + line);
        let y = self.area.y + place.y as u16 * (self.height + line);
        match place.shape {
            Shape::Cell => Rect::new(x + line, y + line, self.width, self.height),
            Shape::Horizontal => Rect::new(x + line, y, self.width, 1),
            Shape::Vertical => Rect::new(x, y + line, 1, self.height),
        }
    }

    /// The corners of cells.
    pub fn corners(&self) -> impl Iterator<Item = Position> {
        let Rect { x, y, .. } = self.area;
        let (across, down) = (self.width + 1, self.height + 1);
        (0..=self.rows).flat_map(move |row| {
            (0..=self.cols as u16)
                .map(move |col| Position::new(x + col * across, y + row as u16 * down))
        })
    }

    /// The place that a click on a point of the screen selects: the place there, or else the
    /// nearest line close to it.
    pub fn hit<'a>(
        &self,
        places: impl Iterator<Item = &'a PlaceAnswer>,
        column: u16,
        row: u16,
    ) -> Option<&'a PlaceAnswer> {
        let apart = |place: &PlaceAnswer| {
            let area = self.place(place);
            let beyond = |at: u16, from: u16, to: u16| {
                usize::from(from.saturating_sub(at).max(at.saturating_sub(to - 1)))
            };
            // A row is about as high as two columns are wide.
            beyond(column, area.left(), area.right()) + 2 * beyond(row, area.top(), area.bottom())
        };
        places
            .map(|place| (apart(place), place))
            .filter(|(apart, place)| *apart == 0 || is_line(place) && *apart <= NEAR)
            .min_by_key(|(apart, _)| *apart)
            .map(|(_, place)| place)
    }
}

/// The middle of a place, in halves of a unit.
pub fn middle(place: &PlaceAnswer) -> (isize, isize) {
    let (x, y) = (2 * place.x as isize, 2 * place.y as isize);
    match place.shape {
        Shape::Cell => (x + 1, y + 1),
        Shape::Horizontal => (x + 1, y),
        Shape::Vertical => (x, y + 1),
    }
}

/// The place that an arrow key leads to from another.
///
/// It is the next one in the row, or the nearest one in the next row.
pub fn towards<'a>(
    places: impl Iterator<Item = &'a PlaceAnswer>,
    from: &PlaceAnswer,
    (right, down): (isize, isize),
) -> Option<&'a PlaceAnswer> {
    let (x, y) = middle(from);
    let apart = |place: &PlaceAnswer| {
        let (to_x, to_y) = middle(place);
        let (across, along) = (right * (to_x - x), down * (to_y - y));
        match down {
            0 => (across > 0 && to_y == y).then_some((across, 0)),
            _ => (along > 0).then_some((along, (to_x - x).abs())),
        }
    };
    places.filter_map(|place| Some((apart(place)?, place))).min_by_key(|it| it.0).map(|it| it.1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bsq_api::{Monitor, Registry, Request, Resources};

    fn scene(game: &str, board: &str) -> SceneAnswer {
        let resources = Resources::new(1 << 28);
        let registry = Registry::standard();
        let session = registry.get(game).unwrap().open(&[("board", board)], None, &resources);
        session.unwrap().answer(Request::default(), &Monitor::default()).unwrap().scene
    }

    #[test]
    fn places_lie_apart_inside_the_area_and_are_hit() {
        for (game, board) in [
            ("british-square", "5x5"),
            ("british-square", "1x20"),
            ("british-square", "16x4"),
            ("dots", "3x3"),
            ("dots", "2x5"),
            ("rpsw", "6x4"),
        ] {
            let scene = scene(game, board);
            for (width, height) in [(80, 24), (120, 50), (200, 70), (70, 20)] {
                let space = Rect::new(2, 1, width, height);
                let Some(grid) = Grid::fit(&scene, space) else { continue };
                for place in &scene.places {
                    let area = grid.place(place);
                    assert_eq!(grid.area.intersection(area), area, "{game} {board}");
                    assert_eq!(space.intersection(area), area, "{game} {board}");
                    for (column, row) in [(area.x, area.y), (area.right() - 1, area.bottom() - 1)] {
                        let hit = grid.hit(scene.places.iter(), column, row);
                        assert_eq!(hit, Some(place), "{game} {board}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_large_terminal_is_used() {
        let size = |board, width, height| {
            let grid = Grid::fit(&scene("british-square", board), Rect::new(0, 1, width, height));
            grid.map(|grid| (grid.width, grid.height, grid.ruled))
        };
        assert_eq!(size("5x5", 53, 19), Some((7, 2, true)));
        assert_eq!(size("5x5", 93, 35), Some((11, 5, true)));
        assert_eq!(size("8x8", 53, 19), Some((5, 1, true)));
        assert_eq!(size("5x5", 17, 6), None);
    }

    #[test]
    fn arrows_reach_every_place() {
        for (game, board) in [("dots", "2x3"), ("rpsw", "4x3")] {
            let scene = scene(game, board);
            let lines = scene.places.iter().any(is_line);
            let places: Vec<_> = scene.places.iter().filter(|it| is_line(it) == lines).collect();
            let mut reached = vec![places[0]];
            let mut at = 0;
            while at < reached.len() {
                for arrow in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
                    let next = towards(places.iter().copied(), reached[at], arrow);
                    reached.extend(next.filter(|next| !reached.contains(next)));
                }
                at += 1;
            }
            assert_eq!(reached.len(), places.len(), "{game}");
        }
    }
}
