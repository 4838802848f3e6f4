use super::*;
use crate::dots::search::Captures;
use crate::dots::{Board, Lines};
use proptest::prelude::*;
use std::collections::{HashMap, HashSet};

/// The open lines of a board after the captures of a position.
fn quiet(bitboard: &Bitboard, drawn: Lines) -> OpenLines {
    Captures::new(bitboard, bitboard.open(drawn)).open
}

fn boards() -> impl Strategy<Value = Board> {
    let sizes =
        vec![(1, 4), (2, 2), (2, 8), (3, 3), (3, 8), (4, 5), (5, 5), (6, 4), (2, 12), (1, 21)];
    prop::sample::select(sizes).prop_map(|(rows, cols)| Board::new(rows, cols).unwrap())
}

/// The layout of a board with each kernel of this machine.
fn bitboards(board: Board) -> Vec<Bitboard> {
    let kernels = Kernel::all(&board).into_iter();
    kernels.map(|kernel| Bitboard { kernel, ..Bitboard::new(board) }).collect()
}

proptest! {
    #[test]
    fn kernels_agree(board in boards(), drawn: [u64; 2]) {
        for bitboard in bitboards(board) {
            let open = quiet(&bitboard, drawn[0] & drawn[1] & board.all());
            prop_assert_eq!(bitboard.labels(open), bitboard.labels_plain(open));
            prop_assert_eq!(bitboard.signature(open), bitboard.signature_plain(open));
        }
    }

    #[test]
    fn images_have_one_signature(board in boards(), drawn: [u64; 2], side: prop::sample::Index) {
        let drawn = drawn[0] & drawn[1] & board.all();
        let symmetries = board.symmetries();
        let symmetry = &symmetries[side.index(symmetries.len())];
        let image = lines_of(drawn).fold(0, |set, line| set | 1 << symmetry[line]);
        for bitboard in bitboards(board) {
            let [open, image] = [drawn, image].map(|drawn| quiet(&bitboard, drawn));
            prop_assert_eq!(bitboard.signature(open), bitboard.signature(image));
            prop_assert!(bitboard.isomorphic(open, open));
        }
    }
}

/// Whether the graphs of two positions are isomorphic. By backtracking.
fn is_isomorphic(bitboard: &Bitboard, one: OpenLines, other: OpenLines) -> bool {
    // Neighbours of boxes before, so that dead ends are found early.
    let (mut boxes, mut left) = (Vec::new(), bitboard.boxes_at(one));
    while left != 0 {
        let near = boxes.iter().fold(0, |set, &place| set | bitboard.near(one, place)) & left;
        let next = if near != 0 { near } else { left }.trailing_zeros();
        boxes.push(next as usize);
        left &= !(1 << next);
    }
    boxes.len() == bitboard.boxes_at(other).count_ones() as usize
        && can_be_mapped(bitboard, [one, other], &boxes, &mut Vec::new())
}

/// Whether the boxes after those that have images can be mapped as well.
fn can_be_mapped(
    bitboard: &Bitboard,
    [one, other]: [OpenLines; 2],
    boxes: &[usize],
    images: &mut Vec<usize>,
) -> bool {
    let Some(&place) = boxes.get(images.len()) else { return true };
    let sides = |open, place: usize| bitboard.lines_at(open, 1 << place).count();
    let joined = |open, place, to: usize| bitboard.near(open, place) >> to & 1 == 1;
    lines_of(bitboard.boxes_at(other)).any(|image| {
        let alike = sides(one, place) == sides(other, image)
            && bitboard.near(one, place).count_ones() == bitboard.near(other, image).count_ones()
            && !images.contains(&image)
            && boxes
                .iter()
                .zip(images.iter())
                .all(|(&mapped, &to)| joined(one, place, mapped) == joined(other, image, to));
        if !alike {
            return false;
        }
        images.push(image);
        let is_mapped = can_be_mapped(bitboard, [one, other], boxes, images);
        images.pop();
        is_mapped
    })
}

/// All quiet positions of 2x3.
#[test]
fn isomorphic_positions_are_those_with_the_same_graph() {
    let board = Board::new(2, 3).unwrap();
    let bitboard = Bitboard::new(board);
    let quiet = (0..=board.all()).map(|drawn| bitboard.open(drawn));
    let quiet: Vec<OpenLines> = quiet.filter(|&open| bitboard.degrees(open).one == 0).collect();
    let mut classes: Vec<Vec<OpenLines>> = Vec::new();
    for &open in &quiet {
        match classes.iter_mut().find(|class| is_isomorphic(&bitboard, class[0], open)) {
            Some(class) => class.push(open),
            None => classes.push(vec![open]),
        }
    }
    let words: HashSet<u64> = quiet.iter().map(|&open| bitboard.canonical(open)).collect();
    assert!(classes.len() < words.len(), "more positions than images are isomorphic");
    for bitboard in bitboards(board) {
        let mut found = 0;
        for class in &classes {
            for &open in class {
                assert_eq!(bitboard.signature(open), bitboard.signature(class[0]), "{open:?}");
                found += usize::from(bitboard.isomorphic(class[0], open));
            }
            for other in classes.iter().map(|other| other[0]) {
                assert!(other == class[0] || !bitboard.isomorphic(class[0], other));
            }
        }
        assert!(found * 100 >= quiet.len() * 99, "{found} of {} are found", quiet.len());
    }
}

/// Graphs with equal signatures, most of which are isomorphic, but not all.
#[test]
fn equal_signatures_do_not_suffice() {
    let board = Board::new(4, 5).unwrap();
    let (bitboard, bitboards) = (Bitboard::new(board), bitboards(board));
    let mut found = vec![0; bitboards.len()];
    let mut first: HashMap<u64, OpenLines> = HashMap::new();
    let (mut state, mut different, mut same) = (1_u64, 0, 0);
    for _ in 0..400_000 {
        state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
        let open = quiet(&bitboard, (state >> 15 ^ state >> 3) & board.all());
        let other = *first.entry(bitboard.signature(open)).or_insert(open);
        if open == other {
            continue;
        }
        let is_same = is_isomorphic(&bitboard, open, other);
        for (bitboard, found) in bitboards.iter().zip(&mut found) {
            let is_found = bitboard.isomorphic(open, other);
            assert!(is_same || !is_found, "{open:?} {other:?}");
            *found += u32::from(is_found);
        }
        different += u32::from(!is_same);
        same += u32::from(is_same);
    }
    assert!(different > 10 && same > 100 * different, "{different} {same}");
    assert!(found.iter().all(|found| found * 100 >= same * 99), "{found:?} of {same}");
    // Boxes can be mapped to boxes with equal labels and all neighbours, but not all together.
    let open = OpenLines { horizontal: 22_292, vertical: 26_064 };
    let other = OpenLines { horizontal: 37_512, vertical: 254_156 };
    for bitboard in bitboards {
        assert_eq!(bitboard.signature(open), bitboard.signature(other));
        assert!(!bitboard.isomorphic(open, other));
    }
}
