use super::*;
use bsq_engine::record::RecordError;

fn parse(text: &str) -> Result<GameRecord, RecordError<MoveError>> {
    GameRecord::parse(text, &Rules::standard(Board::new(3, 3).unwrap()))
}

#[test]
fn a_game_is_read_as_it_is_written() {
    let text = "game: Dots-and-Boxes\nboard: 2x2\nvariant: swedish\npenalty: -1\n\
                start: --/|?|.|/-./|...|/-- B\nmoves: b2-c2 b2-b3\n";
    let line = parse(text).unwrap();
    assert_eq!(line.to_string(), text);
    assert_eq!((line.at(), line.positions().len()), (2, 3));
    for (text, says) in [
        ("", "there is no game here; write at least 'board: 3x3'"),
        ("rows: 3", "line 1: 'rows' is not known; a game has game, board, variant, penalty"),
        ("variant: odd", "'odd' is not a variant; there are standard, icelandic, swedish"),
        (
            "penalty: 1001",
            "line 1: penalty: the penalty 1001 is too high; a penalty is from -1000 to 1000",
        ),
        ("moves: a1-b1\n board: 3x3", "line 1: moves: 'board:' is not a move"),
        ("board: 1x1\nmoves: a1-b1 a1-b1", "line 2: moves: a1-b1 is drawn already"),
        ("board: 2x2\nboard: 3x3", "line 2: 'board' comes too late or twice"),
    ] {
        let error = parse(text).unwrap_err().to_string();
        assert!(error.contains(says), "{error}");
    }
}

#[test]
fn a_line_is_gone_back_and_on() {
    let mut line = GameRecord::new(Rules::standard(Board::new(1, 2).unwrap()));
    line.play_all("a1-b1 b1-c1").unwrap();
    let after = *line.position();
    line.go_to(1);
    assert!(line.play_all("a1-a2 a1-b1").is_err());
    line.play_all("b1-c1").unwrap();
    assert_eq!((line.position(), line.moves().len()), (&after, 2));
    line.go_to(0);
    line.play_all("a1-a2").unwrap();
    assert_eq!((line.at(), line.moves().len()), (1, 1));
}
