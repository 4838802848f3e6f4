use bsq_engine::game::dots::*;
use bsq_engine::solve::Monitor;
use bsq_engine::solve::dots::Solver;
use std::time::Instant;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let board = Board::parse(&args[1]).unwrap();
    let variant = match args.get(2).map(String::as_str) {
        Some("i") => Variant::Icelandic,
        Some("s") => Variant::Swedish,
        _ => Variant::Standard,
    };
    let threads: usize = args.get(3).map_or(1, |t| t.parse().unwrap());
    let gib: f64 = args.get(4).map_or(1.0, |t| t.parse().unwrap());
    rayon::ThreadPoolBuilder::new().num_threads(threads).build_global().unwrap();
    let mut drawn = variant.lines(&board);
    let mut all = false;
    if let Some(set) = args.get(5) {
        drawn = u64::from_str_radix(set, 16).unwrap();
        all = true;
    }
    let start = Instant::now();
    let solver = if std::env::var("MARKS").is_ok() {
        Solver::with_marks(board, 0, (gib * (1u64 << 30) as f64) as u64)
    } else {
        Solver::new(board, 0, (gib * (1u64 << 30) as f64) as u64)
    }
    .unwrap();
    let _ = Solver::new(board, 0, (gib * (1u64 << 30) as f64) as u64).unwrap();
    let made = start.elapsed();
    let value = solver.value(drawn, &Monitor::default()).unwrap();
    println!(
        "{board} value {value} nodes {} setup {made:?} time {:?}",
        solver.nodes(),
        start.elapsed()
    );
    if all {
        println!(
            "{:?} {} {:?}",
            solver.moves(drawn, &Monitor::default()).unwrap(),
            solver.nodes(),
            start.elapsed()
        );
    }
}
