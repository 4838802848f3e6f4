//! The ways to dominate what a sweep has passed.

use super::frontier::{Levels, Step, mirrored};

/// A number of chosen pieces that dominate every cell that has to be dominated and is no longer in
/// the frontier, and the levels of the frontier that they reach.
///
/// Fewer pieces come first, and of as many, larger levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cover {
    pub pieces: u8,
    /// The complement of the levels.
    missing: Levels,
}

impl Cover {
    pub(super) fn new(pieces: u8, levels: Levels) -> Cover {
        Cover { pieces, missing: !levels }
    }

    pub(super) fn levels(self) -> Levels {
        !self.missing
    }
}

/// Replaces `after` by the covers after a step that are to be kept, without those that another makes
/// useless: one of as few pieces and at least the same levels, which is kept if they are.
pub(super) fn advance(
    covers: &[Cover],
    step: &Step,
    is_kept: impl Fn(&Cover) -> bool,
    after: &mut Vec<Cover>,
) {
    after.clear();
    for cover in covers {
        let unchosen = step.unchosen(cover.levels()).map(|levels| Cover::new(cover.pieces, levels));
        let chosen = step.chosen(cover.levels()).map(|levels| Cover::new(cover.pieces + 1, levels));
        after.extend([unchosen, chosen].into_iter().flatten().filter(&is_kept));
    }
    after.sort_unstable();
    let mut kept = 0;
    for at in 0..after.len() {
        let cover = after[at];
        if after[..kept].iter().all(|better| better.missing & !cover.missing != 0) {
            after[kept] = cover;
            kept += 1;
        }
    }
    after.truncate(kept);
}

/// Replaces covers by those of the mirror image.
pub(super) fn mirror(covers: &mut [Cover], width: usize) {
    for cover in covers.iter_mut() {
        *cover = Cover::new(cover.pieces, mirrored(cover.levels(), width));
    }
    covers.sort_unstable();
}

/// Stands between covers of one number of pieces and those of the next in a key. It is not the
/// levels of a cover: in these the lower bit of a column is set if the upper one is.
const NEXT_NUMBER: u16 = 2;

/// Replaces `key` by sorted covers. Their numbers of pieces are relative to the fewest.
pub(super) fn pack(covers: &[Cover], key: &mut Vec<u16>) {
    key.clear();
    let mut pieces = covers.first().map_or(0, |cover| cover.pieces);
    for cover in covers {
        while pieces < cover.pieces {
            key.push(NEXT_NUMBER);
            pieces += 1;
        }
        key.push(cover.levels());
    }
}

/// The key of covers, as of [`pack`].
pub(super) fn key_of(covers: &[Cover]) -> Vec<u16> {
    let mut key = Vec::new();
    pack(covers, &mut key);
    key
}

/// Replaces `covers` by those of a key.
pub(super) fn unpack(key: &[u16], covers: &mut Vec<Cover>) {
    covers.clear();
    let mut pieces = 0;
    for &word in key {
        if word == NEXT_NUMBER {
            pieces += 1;
        } else {
            covers.push(Cover::new(pieces, word));
        }
    }
}
