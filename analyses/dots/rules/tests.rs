use super::*;
use bsq_games::dots::lines_of;
use bsq_games::dots::search::EveryError;

#[test]
fn counts_are_those_of_every_position() {
    for (rows, cols) in [(1, 1), (1, 3), (2, 2)] {
        let board = Board::new(rows, cols).unwrap();
        let (layout, monitor) = (Layout::new(board), Monitor::default());
        let every = Every::new(board, &monitor).unwrap();
        let tally = count(&layout, &every, &monitor).unwrap();
        for (which, rule) in Rule::ALL.into_iter().enumerate() {
            let mut wanted = Counts::default();
            for drawn in 0..board.all() {
                let scores: Vec<(usize, i32)> = lines_of(board.all() & !drawn)
                    .map(|line| (line, every.score(drawn, line)))
                    .collect();
                let best = scores.iter().map(|found| found.1).max().unwrap();
                let liked = layout.situation(drawn).liked()[which];
                let mut liked = scores.iter().filter(|found| liked >> found.0 & 1 == 1);
                wanted.add(Counts {
                    positions: 1,
                    mistakable: scores.iter().any(|found| found.1 < best).into(),
                    fails: liked.clone().any(|found| found.1 < best).into(),
                    badly: liked.all(|found| found.1 < best).into(),
                });
            }
            assert_eq!(tally.sum(rule, None, None), wanted, "{board} {rule:?}");
            let mut by_line = Counts::default();
            (0..board.lines()).for_each(|drawn| by_line.add(tally.sum(rule, None, Some(drawn))));
            assert_eq!(by_line, wanted);
        }
    }
}

#[test]
fn boards_with_too_many_lines_are_refused() {
    let board = Board::new(2, 5).unwrap();
    let refused = AnalysisError::Board(EveryError::TooLarge(board));
    assert_eq!(analysis().prepare(&[("board", "2x5")], None).err(), Some(refused));
}
