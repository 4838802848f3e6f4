//! Parallel loops on the threads of the current pool.
//!
//! Each item should take much longer than a lock; pass smaller ones in chunks.
//!
//! The only parallel iterator is that over the numbers of tasks, which is compiled once. Adapters
//! of parallel iterators would be compiled for every type of item: they were a fifth of the code of
//! `bsq-games` before optimization.

use parking_lot::Mutex;
use rayon::prelude::*;

/// Returns what `of` returns for each item, in the order of the items.
///
/// ```
/// use bsq_engine::parallel;
///
/// assert_eq!(parallel::map(1..=4, |number| number * number), [1, 4, 9, 16]);
/// ```
pub fn map<T: Send, R: Send>(
    items: impl IntoIterator<Item = T>,
    of: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    // Loops are compiled in less time than adapters of iterators.
    let mut tasks = Vec::new();
    for item in items {
        tasks.push(Mutex::new((Some(item), None)));
    }
    run_all(tasks.len(), &|i| {
        let (item, result) = &mut *tasks[i].lock();
        *result = item.take().map(&of);
    });
    let mut results = Vec::with_capacity(tasks.len());
    for task in tasks {
        if let Some(result) = task.into_inner().1 {
            results.push(result);
        }
    }
    results
}

/// As [`map`], for functions that can fail. After an error no further item is taken.
///
/// # Errors
///
/// The first error of `of`.
pub fn try_map<T, R: Send, E: Send>(
    items: impl IntoIterator<Item = T, IntoIter: Send>,
    of: impl Fn(T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    try_map_with(items, || (), |(), item| of(item))
}

/// As [`try_map`], for functions that need buffers. Each thread has its own, which `buffers`
/// returns.
///
/// # Errors
///
/// The first error of `of`.
pub fn try_map_with<T, B: Send, R: Send, E: Send>(
    items: impl IntoIterator<Item = T, IntoIter: Send>,
    buffers: impl Fn() -> B + Sync,
    of: impl Fn(&mut B, T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    let begin = || (buffers(), Vec::new());
    let numbered = items.into_iter().enumerate();
    let found = fold(numbered, begin, |(buffers, results), (number, item)| {
        results.push((number, of(buffers, item)?));
        Ok(())
    })?;
    let mut ordered = Vec::new();
    ordered.resize_with(found.iter().map(|(_, results)| results.len()).sum(), || None);
    for (_, results) in found {
        for (number, result) in results {
            ordered[number] = Some(result);
        }
    }
    Ok(ordered.into_iter().flatten().collect())
}

/// Adds each item to the sum of the thread that takes it. `begin` returns a sum of no items.
/// Returns the sums, at most one for each thread, which together contain every item once; which
/// items a sum contains depends on the threads. After an error no further item is taken.
///
/// # Errors
///
/// The first error of `add`.
///
/// ```
/// use bsq_engine::parallel;
///
/// let add = |sum: &mut u64, number| {
///     *sum += number;
///     Ok::<(), ()>(())
/// };
/// let sums = parallel::fold(1..=100, || 0, add).unwrap();
/// assert_eq!(sums.iter().sum::<u64>(), 5050);
/// ```
pub fn fold<T, A: Send, E: Send>(
    items: impl IntoIterator<Item = T, IntoIter: Send>,
    begin: impl Fn() -> A + Sync,
    add: impl Fn(&mut A, T) -> Result<(), E> + Sync,
) -> Result<Vec<A>, E> {
    let items = items.into_iter();
    let threads = rayon::current_num_threads();
    let tasks = items.size_hint().1.map_or(threads, |most| most.min(threads));
    let items = Mutex::new(Some(items));
    let next = || {
        let mut items = items.lock();
        let item = items.as_mut()?.next();
        if item.is_none() {
            *items = None;
        }
        item
    };
    let (sums, failure) = (Mutex::new(Vec::new()), Mutex::new(None));
    run_all(tasks, &|_| {
        let mut sum = None;
        while let Some(item) = next() {
            if let Err(error) = add(sum.get_or_insert_with(&begin), item) {
                *items.lock() = None;
                failure.lock().get_or_insert(error);
                return;
            }
        }
        if let Some(sum) = sum {
            sums.lock().push(sum);
        }
    });
    match failure.into_inner() {
        Some(error) => Err(error),
        None => Ok(sums.into_inner()),
    }
}

/// Runs the tasks 0 to `tasks` - 1 on all threads.
fn run_all(tasks: usize, run: &(dyn Fn(usize) + Sync)) {
    (0..tasks).into_par_iter().with_max_len(1).for_each(run);
}

#[cfg(test)]
mod tests {
    use super::{fold, map, try_map, try_map_with};
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::time::Duration;

    #[test]
    fn results_are_in_the_order_of_the_items() {
        assert!(map(Vec::<u8>::new(), |n| n).is_empty());
        let squares: Vec<usize> = (0..1000).map(|n| n * n).collect();
        assert_eq!(map(0..1000, |n| n * n), squares);
        assert_eq!(try_map(0..1000, |n| Ok::<_, ()>(n * n)).as_ref(), Ok(&squares));
        let with_buffer = try_map_with(0..1000, Vec::new, |seen, n| {
            seen.push(n);
            Ok::<_, ()>(n * seen[seen.len() - 1])
        });
        assert_eq!(with_buffer, Ok(squares));
    }

    #[test]
    fn each_item_is_in_one_sum() {
        let add = |sum: &mut Vec<u32>, n| {
            sum.push(n);
            Ok::<(), ()>(())
        };
        let mut items = fold(0..1000, Vec::new, add).unwrap().concat();
        items.sort_unstable();
        assert_eq!(items, (0..1000).collect::<Vec<_>>());
    }

    /// One thread takes the items in order, so it is known which are taken after the error.
    #[test]
    fn no_item_is_taken_after_an_error() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let taken = AtomicU32::new(0);
        let of = |n: u32| {
            taken.fetch_add(1, Ordering::Relaxed);
            if n < 10 { Ok(n) } else { Err(n) }
        };
        assert_eq!(pool.install(|| try_map(0..1000, of)), Err(10));
        assert_eq!(taken.swap(0, Ordering::Relaxed), 11);
        let add = |sum: &mut u32, n| of(n).map(|n| *sum += n);
        assert_eq!(pool.install(|| fold(0..1000, || 0, add)), Err(10));
        assert_eq!(taken.into_inner(), 11);
    }

    #[test]
    fn an_error_stops_the_other_threads() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let taken = AtomicU32::new(0);
        let add = |_: &mut (), n: u32| {
            taken.fetch_add(1, Ordering::Relaxed);
            std::thread::sleep(Duration::from_millis(1));
            if n == 0 { Err(n) } else { Ok(()) }
        };
        assert_eq!(pool.install(|| fold(0..5000, || (), add)), Err(0));
        assert!(taken.into_inner() < 5000);
    }
}
