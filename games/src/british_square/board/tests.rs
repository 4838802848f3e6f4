use super::*;

fn plain_neighbours(board: &Board, cell: usize) -> Cells {
    let (rows, cols) = (board.rows() as i32, board.cols() as i32);
    let (r, c) = (cell as i32 / cols, cell as i32 % cols);
    let mut set = 0;
    for (dr, dc) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
        let (r, c) = (r + dr, c + dc);
        if (0..rows).contains(&r) && (0..cols).contains(&c) {
            set |= 1 << (r * cols + c);
        }
    }
    set
}

#[test]
fn neighbours_agree_with_coordinates_on_every_board() {
    for rows in 1..=MAX_CELLS {
        for cols in 1..=MAX_CELLS / rows {
            let board = Board::new(rows, cols).unwrap();
            for cell in 0..board.cells() {
                let plain = plain_neighbours(&board, cell);
                assert_eq!(board.neighbours(1 << cell), plain, "{board} cell {cell}");
            }
        }
    }
}

#[test]
fn coordinates_name_each_cell_once_and_parse_back() {
    for (rows, cols) in [(5, 5), (1, 64), (64, 1), (8, 8), (2, 30)] {
        let board = Board::new(rows, cols).unwrap();
        for cell in 0..board.cells() {
            assert_eq!(board.parse_cell(&board.coordinate(cell)).unwrap(), cell);
            assert_eq!(board.parse_cell(&board.tile(cell).to_string()).unwrap(), cell);
        }
        assert!(board.parse_cell("0").is_err());
        assert!(board.parse_cell(&(board.cells() + 1).to_string()).is_err());
    }
}

#[test]
fn symmetries_form_a_group_of_the_right_order() {
    for (rows, cols, order) in [(5, 5, 8), (2, 2, 8), (4, 5, 4), (1, 5, 2), (3, 1, 2), (1, 1, 1)] {
        let board = Board::new(rows, cols).unwrap();
        let group = board.symmetries();
        assert_eq!(group.len(), order, "{board}");
        for a in &group {
            for b in &group {
                let product: Vec<usize> = a.iter().map(|&c| b[c]).collect();
                assert!(group.contains(&product));
            }
        }
    }
}
