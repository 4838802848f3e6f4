//! Words of bitboards: of 64 bits for boards of which every line is in play, of 128 bits for others.

use super::isomorphism::{Kernel, Labels};
use super::{Bitboard, Board, OpenLines, lines_of};
use num_traits::{PrimInt, WrappingNeg};
use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAndAssign, BitOrAssign, BitXorAssign};

/// The most places of a layout: the bits of the largest word.
pub const MOST_PLACES: usize = u128::BITS as usize;

/// A set of places of a [`Bitboard`].
pub trait Word:
    PrimInt
    + WrappingNeg
    + BitAndAssign
    + BitOrAssign
    + BitXorAssign
    + Default
    + Debug
    + Hash
    + Send
    + Sync
    + 'static
{
    /// The kernels for a board on this machine, the fastest first.
    fn kernels(board: &Board) -> Vec<Kernel>;

    /// See [`Bitboard::signature`].
    fn signature(bitboard: &Bitboard<Self>, open: OpenLines<Self>) -> u64;

    /// Labels that are equal for corresponding boxes of isomorphic positions; 0 for those without
    /// open lines.
    fn labels(bitboard: &Bitboard<Self>, open: OpenLines<Self>) -> Labels;

    /// See [`Bitboard::isomorphic`].
    fn isomorphic(bitboard: &Bitboard<Self>, one: OpenLines<Self>, other: OpenLines<Self>) -> bool;

    /// See [`Bitboard::packed`].
    fn packed(bitboard: &Bitboard<Self>, open: OpenLines<Self>) -> u128;

    /// See [`Bitboard::unpacked`].
    fn unpacked(bitboard: &Bitboard<Self>, bits: u128) -> OpenLines<Self>;

    /// See [`Bitboard::packed_bits`].
    fn packed_bits(bitboard: &Bitboard<Self>) -> u32;

    /// The set folded to 64 bits.
    fn folded(self) -> u64;
}

/// Packed lines are the two words side by side.
impl Word for u64 {
    fn kernels(board: &Board) -> Vec<Kernel> {
        Kernel::all(board)
    }

    #[inline(always)]
    fn signature(bitboard: &Bitboard, open: OpenLines) -> u64 {
        bitboard.signature_by_kernel(open)
    }

    #[inline(always)]
    fn labels(bitboard: &Bitboard, open: OpenLines) -> Labels {
        bitboard.labels_by_kernel(open)
    }

    #[inline(always)]
    fn isomorphic(bitboard: &Bitboard, one: OpenLines, other: OpenLines) -> bool {
        bitboard.isomorphic_by_kernel(one, other)
    }

    #[inline(always)]
    fn packed(bitboard: &Bitboard, open: OpenLines) -> u128 {
        u128::from(open.horizontal) | u128::from(open.vertical) << bitboard.places
    }

    #[inline(always)]
    fn unpacked(bitboard: &Bitboard, bits: u128) -> OpenLines {
        let word = |bits: u128| bits as u64 & ((1 << bitboard.places) - 1);
        OpenLines { horizontal: word(bits), vertical: word(bits >> bitboard.places) }
    }

    #[inline(always)]
    fn packed_bits(bitboard: &Bitboard) -> u32 {
        2 * bitboard.places
    }

    #[inline(always)]
    fn folded(self) -> u64 {
        self
    }
}

/// Packed lines have one bit for each line in play.
impl Word for u128 {
    fn kernels(_: &Board) -> Vec<Kernel> {
        vec![Kernel::Plain]
    }

    fn signature(bitboard: &Bitboard<u128>, open: OpenLines<u128>) -> u64 {
        bitboard.signature_plain(open)
    }

    fn labels(bitboard: &Bitboard<u128>, open: OpenLines<u128>) -> Labels {
        bitboard.labels_plain(open)
    }

    fn isomorphic(bitboard: &Bitboard<u128>, one: OpenLines<u128>, other: OpenLines<u128>) -> bool {
        bitboard.isomorphic_plain(one, other)
    }

    fn packed(bitboard: &Bitboard<u128>, open: OpenLines<u128>) -> u128 {
        let all = bitboard.all;
        let horizontal = extracted(open.horizontal, all.horizontal);
        horizontal | extracted(open.vertical, all.vertical) << all.horizontal.count_ones()
    }

    fn unpacked(bitboard: &Bitboard<u128>, bits: u128) -> OpenLines<u128> {
        let all = bitboard.all;
        let vertical = bits >> all.horizontal.count_ones();
        OpenLines {
            horizontal: deposited(bits, all.horizontal),
            vertical: deposited(vertical, all.vertical),
        }
    }

    fn packed_bits(bitboard: &Bitboard<u128>) -> u32 {
        bitboard.all.count()
    }

    fn folded(self) -> u64 {
        self as u64 ^ ((self >> 64) as u64).rotate_left(17)
    }
}

/// The bits of a set at the places of a mask, moved together.
fn extracted(set: u128, mask: u128) -> u128 {
    (0..).zip(lines_of(mask)).fold(0, |bits, (rank, place)| bits | (set >> place & 1) << rank)
}

/// The lowest bits of a set at the places of a mask.
fn deposited(bits: u128, mask: u128) -> u128 {
    (0..).zip(lines_of(mask)).fold(0, |set, (rank, place)| set | (bits >> rank & 1) << place)
}

/// The set of the first member of a set; empty if the set is.
#[inline(always)]
pub fn first<W: Word>(set: W) -> W {
    set & set.wrapping_neg()
}

/// Whether a place is a member of a set.
#[inline(always)]
pub fn has<W: Word>(set: W, place: usize) -> bool {
    set >> place & W::one() == W::one()
}
