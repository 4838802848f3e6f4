//! What boards in rows and columns share: how their size is typed, and their symmetries.

/// The two numbers of `ROWSxCOLS`; none if the text is no such thing.
pub fn parse_size(text: &str) -> Option<(usize, usize)> {
    let (rows, cols) = text.split_once(['x', 'X'])?;
    let side = |side: &str| side.trim().parse().ok();
    Some((side(rows)?, side(cols)?))
}

/// Where each cell of a rectangle goes, rows from the top and each from the left, under each of its
/// symmetries, the identity first: 8 permutations of a square, else 4. On rectangles one cell wide
/// some are the same.
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
