use super::*;
use crate::dots::{lines_of, parse_position};

/// The kind of each move of a position.
fn named_kinds(text: &str) -> Vec<(String, MoveKind)> {
    let (board, position) = parse_position(text).unwrap();
    let bitboard = Bitboard::new(board);
    let open = lines_of(board.all() & !position.lines);
    open.map(|line| (board.line_name(line), MoveKind::of(&bitboard, position.lines, line)))
        .collect()
}

#[test]
fn moves_are_of_some_kind() {
    use MoveKind::*;
    let elsewhere = [Sacrifice, Sacrifice, Takes, Sacrifice, Sacrifice, Sacrifice, Sacrifice];
    let cases: [(&str, &[MoveKind]); 11] = [
        ("../...../.. A", &[Safe; 7]),
        ("-/.../- A", &[Sacrifice; 2]),
        ("--/...../-- A", &[Loony, HardHearted, Loony]),
        ("./|.|/./|.|/. A", &[Loony, HardHearted, Loony]),
        ("---/......./--- A", &[Loony; 4]),
        // A loop, closed and opened.
        ("--/|...|/../|...|/-- A", &[Loony; 4]),
        ("--/|.|.|/../|...|/-- A", &[Takes, Takes, DoubleDealing]),
        // An opened chain of two and of three boxes, and a chain of two that is not opened yet.
        ("--/|..../-- A", &[Takes, DoubleDealing]),
        ("---/|....../--- A", &[Takes, Sacrifice, Sacrifice]),
        ("--/|...|/-- A", &[Takes]),
        // A box that is not taken.
        ("-../..|..../-.. A", &elsewhere),
    ];
    for (text, kinds) in cases {
        let named = named_kinds(text);
        let found: Vec<MoveKind> = named.iter().map(|(_, kind)| *kind).collect();
        assert_eq!(found, kinds, "{text}: {named:?}");
    }
}
