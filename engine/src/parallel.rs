//! Parallel maps whose scheduling is compiled once instead of for every type of item.

use parking_lot::Mutex;
use rayon::prelude::*;

/// Returns what `of` returns for each item, in the order of the items. Items are passed to `of` on
/// all threads, so each should take much longer than a lock.
pub(crate) fn map<T: Send, R: Send>(
    items: impl IntoIterator<Item = T>,
    of: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    let tasks: Vec<_> = items.into_iter().map(|item| Mutex::new((Some(item), None))).collect();
    run_all(tasks.len(), &|i| {
        let (item, result) = &mut *tasks[i].lock();
        *result = item.take().map(&of);
    });
    tasks.into_iter().filter_map(|task| task.into_inner().1).collect()
}

/// Runs the tasks 0 to `tasks` - 1 on all threads.
fn run_all(tasks: usize, run: &(dyn Fn(usize) + Sync)) {
    (0..tasks).into_par_iter().for_each(run);
}
