//! Rectangular boards: the notation of their size, and their symmetries.

/// Parses `ROWSxCOLS`. Returns `None` for text of any other form.
pub fn parse_size(text: &str) -> Option<(usize, usize)> {
    let (rows, cols) = text.split_once(['x', 'X'])?;
    let side = |side: &str| side.trim().parse().ok();
    Some((side(rows)?, side(cols)?))
}

/// The symmetries of a rectangle as permutations of its cells, the identity first: 8 for a square,
/// otherwise 4. Cells are numbered by rows from the top left. On rectangles one cell wide some
/// permutations are equal.
pub fn symmetries(rows: usize, cols: usize) -> impl Iterator<Item = Vec<usize>> {
    let image = move |code: usize, cell: usize| {
        let (mut row, mut col) = (cell / cols, cell % cols);
        if code & 1 != 0 {
            row = rows - 1 - row;
        }
        if code & 2 != 0 {
            col = cols - 1 - col;
        }
        if code & 4 != 0 {
            (row, col) = (col, row);
        }
        row * cols + col
    };
    let codes = 0..if rows == cols { 8 } else { 4 };
    codes.map(move |code| (0..rows * cols).map(|cell| image(code, cell)).collect())
}
