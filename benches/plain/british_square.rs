//! A plain implementation, with which the fast ones are compared.
//!
//! It only supports the standard game on 5x5: depth-first search on one thread, with all states in
//! one open-addressing table. A state is a word: the first player's 25 cells, the second player's
//! 25 cells, then the turn in 6 bits; the bits above contain the value. The canonical form is the
//! smallest of eight images, each computed from the previous one by shifts and masks on both
//! players' cells.

const SIDE: u32 = 5;
const CELLS: u32 = SIDE * SIDE;
const BOARD: u64 = (1 << CELLS) - 1;
const CENTRE: u64 = 1 << (CELLS / 2);
const TURN_SHIFT: u32 = 2 * CELLS;
const VALUE_SHIFT: u32 = TURN_SHIFT + 6;
const STATE: u64 = (1 << VALUE_SHIFT) - 1;
/// An offset that makes values positive in the table.
const VALUE_OFFSET: i32 = 128;
const SLOT_BITS: u32 = 24;

/// The value and the number of states of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Minimax {
    pub value: i32,
    pub states: u64,
}

/// Numbers of playouts, where symmetric images count separately, and of states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tally {
    pub playouts: u64,
    pub first_wins: u64,
    pub second_wins: u64,
    pub ties: u64,
    pub states: u64,
    pub terminals: u64,
}

/// Finds the value of every state, with a table of 128 MiB.
pub fn minimax() -> Minimax {
    let mut table = Table::<1>::new();
    let value = value_of(START, &mut table);
    Minimax { value, states: table.used }
}

/// Counts the playouts through every state, with a table of 512 MiB.
pub fn tally() -> Tally {
    let mut counter = Counter { table: Table::new(), terminals: 0 };
    let [first_wins, second_wins, ties] = counter.playouts_of(START);
    Tally {
        playouts: first_wins + second_wins + ties,
        first_wins,
        second_wins,
        ties,
        states: counter.table.used,
        terminals: counter.terminals,
    }
}

/// An empty board at turn 1.
const START: u64 = 1 << TURN_SHIFT;

/// The possible continuations of a state.
enum Outlook {
    /// The player to move places a piece on one of these cells.
    Place(u64),
    /// The player to move passes.
    Pass,
    /// The game is over with this score.
    Over(i32),
}

fn first_to_move(state: u64) -> bool {
    (state >> TURN_SHIFT) % 2 == 1
}

fn outlook(state: u64) -> Outlook {
    let (first, second) = (state & BOARD, state >> CELLS & BOARD);
    let (own, other) = if first_to_move(state) { (first, second) } else { (second, first) };
    let mut cells = free_of(other) & !own;
    if state == START {
        cells &= !CENTRE;
    }
    if cells != 0 {
        Outlook::Place(cells)
    } else if free_of(own) & !other != 0 {
        Outlook::Pass
    } else {
        Outlook::Over(first.count_ones() as i32 - second.count_ones() as i32)
    }
}

/// The cells that are neither in nor adjacent to the set.
fn free_of(pieces: u64) -> u64 {
    const FIRST_COLUMN: u64 = column(0);
    const LAST_COLUMN: u64 = column(SIDE - 1);
    let beside = (pieces & !LAST_COLUMN) << 1 | (pieces & !FIRST_COLUMN) >> 1;
    BOARD & !(pieces | beside | pieces << SIDE | pieces >> SIDE)
}

const fn column(c: u32) -> u64 {
    let (mut mask, mut r) = (0, 0);
    while r < SIDE {
        mask |= 1 << (r * SIDE + c);
        r += 1;
    }
    mask
}

/// The canonical state after a placement on a cell, given as a set of one.
fn placed(state: u64, cell: u64) -> u64 {
    let piece = if first_to_move(state) { cell } else { cell << CELLS };
    let turn = (state >> TURN_SHIFT) + 1;
    canonical(state & ((1 << TURN_SHIFT) - 1) | piece) | turn << TURN_SHIFT
}

fn passed(state: u64) -> u64 {
    state + (1 << TURN_SHIFT)
}

/// The smallest of the eight images of both players' cells.
fn canonical(pair: u64) -> u64 {
    let (mut image, mut least) = (pair, pair);
    for step in 0..7 {
        image = if step % 2 == 0 { transpose(image) } else { flip(image) };
        least = least.min(image);
    }
    least
}

/// The cells of a row, of both players.
const fn row(r: u32) -> u64 {
    let mask = ((1 << SIDE) - 1) << (r * SIDE);
    mask | mask << CELLS
}

/// The cells whose column exceeds the row by `by`, of both players.
const fn diagonal(by: i32) -> u64 {
    let (mut mask, mut r) = (0, 0);
    while r < SIDE as i32 {
        if 0 <= r + by && r + by < SIDE as i32 {
            mask |= 1 << (r * SIDE as i32 + r + by);
        }
        r += 1;
    }
    mask | mask << CELLS
}

/// Turns the board upside down.
fn flip(pair: u64) -> u64 {
    const ROWS: [u64; 5] = [row(0), row(1), row(2), row(3), row(4)];
    (pair & ROWS[0]) << (4 * SIDE)
        | (pair & ROWS[1]) << (2 * SIDE)
        | pair & ROWS[2]
        | (pair & ROWS[3]) >> (2 * SIDE)
        | (pair & ROWS[4]) >> (4 * SIDE)
}

/// Swaps rows and columns: a cell `d` off the main diagonal moves by `4 d` bits.
fn transpose(pair: u64) -> u64 {
    const ABOVE: [u64; 5] = [diagonal(0), diagonal(1), diagonal(2), diagonal(3), diagonal(4)];
    const BELOW: [u64; 5] = [0, diagonal(-1), diagonal(-2), diagonal(-3), diagonal(-4)];
    let mut image = pair & ABOVE[0];
    for d in 1..SIDE as usize {
        image |= (pair & ABOVE[d]) << (4 * d) | (pair & BELOW[d]) >> (4 * d);
    }
    image
}

/// A hash table of entries of `WORDS` words, with the first word as key. Free slots are all zero.
struct Table<const WORDS: usize> {
    entries: Vec<[u64; WORDS]>,
    used: u64,
}

impl<const WORDS: usize> Table<WORDS> {
    fn new() -> Table<WORDS> {
        Table { entries: vec![[0; WORDS]; 1 << SLOT_BITS], used: 0 }
    }

    fn home(state: u64) -> usize {
        (state.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - SLOT_BITS)) as usize
    }

    /// Probes from a slot on, and returns the slot of the state or the first free one.
    fn probe(&self, state: u64, mut slot: usize) -> usize {
        loop {
            let word = self.entries[slot][0];
            if word == 0 || word & STATE == state {
                return slot;
            }
            slot = (slot + 1) & ((1 << SLOT_BITS) - 1);
        }
    }

    fn find(&self, state: u64) -> usize {
        self.probe(state, Self::home(state))
    }

    /// Adds an entry whose slot was free when `slot` was found; it may have been filled since.
    fn insert(&mut self, slot: usize, entry: [u64; WORDS]) {
        let slot = self.probe(entry[0] & STATE, slot);
        self.entries[slot] = entry;
        self.used += 1;
    }
}

fn value_of(state: u64, table: &mut Table<1>) -> i32 {
    let slot = table.find(state);
    let [known] = table.entries[slot];
    if known != 0 {
        return (known >> VALUE_SHIFT) as i32 - VALUE_OFFSET;
    }
    let value = match outlook(state) {
        Outlook::Over(score) => score,
        Outlook::Pass => value_of(passed(state), table),
        Outlook::Place(cells) => {
            let values = each(cells).map(|cell| value_of(placed(state, cell), table));
            let best = if first_to_move(state) { values.max() } else { values.min() };
            best.expect("some cell is free")
        }
    };
    table.insert(slot, [state | ((value + VALUE_OFFSET) as u64) << VALUE_SHIFT]);
    value
}

/// Counts playouts. An entry is a state with the result of [`Counter::playouts_of`].
struct Counter {
    table: Table<4>,
    terminals: u64,
}

impl Counter {
    /// The numbers of playouts from a state that the first player wins, that the second player
    /// wins, and that tie.
    fn playouts_of(&mut self, state: u64) -> [u64; 3] {
        let slot = self.table.find(state);
        let [known, first, second, ties] = self.table.entries[slot];
        if known != 0 {
            return [first, second, ties];
        }
        let playouts = match outlook(state) {
            Outlook::Over(score) => {
                self.terminals += 1;
                [score > 0, score < 0, score == 0].map(u64::from)
            }
            Outlook::Pass => self.playouts_of(passed(state)),
            Outlook::Place(cells) => each(cells).fold([0; 3], |sums, cell| {
                let more = self.playouts_of(placed(state, cell));
                std::array::from_fn(|i| sums[i] + more[i])
            }),
        };
        let [first, second, ties] = playouts;
        self.table.insert(slot, [state, first, second, ties]);
        playouts
    }
}

/// The cells of a set, each as a set of one.
fn each(mut cells: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let cell = cells & cells.wrapping_neg();
        cells &= !cell;
        (cell != 0).then_some(cell)
    })
}
