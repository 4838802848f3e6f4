//! Parallel loops on the threads of the current pool, by rayon's work stealing.
//!
//! Each item is a task, which should take a microsecond at least; pass smaller ones in chunks. A
//! task is made for each item first; [`fold_range`] is for long ranges of numbers.
//!
//! The only parallel iterator is that over boxed tasks, which is compiled once. Adapters of parallel
//! iterators would be compiled for every type of item: they made the command a sixth larger.

use parking_lot::Mutex;
use rayon::prelude::*;
use std::cell::RefCell;
use std::convert::Infallible;
use std::num::NonZero;
use std::ops::Range;
use std::panic::resume_unwind;
use thread_local::ThreadLocal;

/// The largest number of threads that a pool should have: four for each core, and at least 64. Many
/// more only wait for each other.
///
/// ```
/// use bsq_engine::parallel::most_threads;
///
/// assert!(most_threads() >= 64);
/// ```
pub fn most_threads() -> usize {
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
    (4 * cores).max(64)
}

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
    let Ok(results) = try_map(items, |item| Ok::<R, Infallible>(of(item)));
    results
}

/// As [`map`], for functions that can fail. After an error no further item is taken.
///
/// # Errors
///
/// The first error of `of`.
pub fn try_map<T: Send, R: Send, E: Send>(
    items: impl IntoIterator<Item = T>,
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
pub fn try_map_with<T: Send, B: Send, R: Send, E: Send>(
    items: impl IntoIterator<Item = T>,
    buffers: impl Fn() -> B + Sync,
    of: impl Fn(&mut B, T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    let items: Vec<T> = items.into_iter().collect();
    let mut results = Vec::new();
    results.resize_with(items.len(), || None);
    fold(items.into_iter().zip(&mut results), buffers, |buffers, (item, result)| {
        *result = Some(of(buffers, item)?);
        Ok(())
    })?;
    Ok(results.into_iter().flatten().collect())
}

/// Runs `work`, and beside it `other` on a thread that is not of the pool, so that it may wait for
/// something. If the pool has one thread, `other` runs first, on this one.
///
/// ```
/// use bsq_engine::parallel;
///
/// assert_eq!(parallel::beside(|| 1, || parallel::map([2, 3], |number| number)), (1, vec![2, 3]));
/// ```
pub fn beside<A: Send, B>(other: impl FnOnce() -> A + Send, work: impl FnOnce() -> B) -> (A, B) {
    if rayon::current_num_threads() == 1 {
        return (other(), work());
    }
    std::thread::scope(|scope| {
        let other = scope.spawn(other);
        let done = work();
        (other.join().unwrap_or_else(|panic| resume_unwind(panic)), done)
    })
}

/// Adds each item to the sum of the thread that takes it. `begin` returns a sum of no items.
/// Returns the sums, which together contain every item once; which items a sum contains depends on
/// the threads. After an error no further item is taken.
///
/// There is at most one sum for each thread, unless `add` itself waits for rayon: a thread that
/// takes another item meanwhile adds it to another sum.
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
pub fn fold<T: Send, A: Send, E: Send>(
    items: impl IntoIterator<Item = T>,
    begin: impl Fn() -> A + Sync,
    add: impl Fn(&mut A, T) -> Result<(), E> + Sync,
) -> Result<Vec<A>, E> {
    let (sums, failure) = (PerThread::default(), Mutex::new(None));
    let run = |item| {
        let mut sum = sums.take().unwrap_or_else(&begin);
        match add(&mut sum, item) {
            Ok(()) => {
                sums.put(sum);
                Some(())
            }
            Err(error) => {
                failure.lock().get_or_insert(error);
                None
            }
        }
    };
    let run = &run;
    let mut tasks: Vec<Task> = Vec::new();
    for item in items {
        tasks.push(Box::new(move || run(item)));
    }
    run_all(tasks);
    match failure.into_inner() {
        Some(error) => Err(error),
        None => Ok(sums.into_values().collect()),
    }
}

/// As [`fold`], for the numbers of a range, for which no tasks are made.
///
/// # Errors
///
/// An error of `add`.
///
/// ```
/// use bsq_engine::parallel;
///
/// let add = |sum: &mut u64, number| {
///     *sum += number;
///     Ok::<(), ()>(())
/// };
/// let sums = parallel::fold_range(1..101, || 0, add).unwrap();
/// assert_eq!(sums.iter().sum::<u64>(), 5050);
/// ```
pub fn fold_range<A: Send, E: Send>(
    numbers: Range<u64>,
    begin: impl Fn() -> A + Sync,
    add: impl Fn(&mut A, u64) -> Result<(), E> + Sync,
) -> Result<Vec<A>, E> {
    let sums = PerThread::default();
    numbers.into_par_iter().try_for_each(|number| {
        let mut sum = sums.take().unwrap_or_else(&begin);
        add(&mut sum, number)?;
        sums.put(sum);
        Ok(())
    })?;
    Ok(sums.into_values().collect())
}

/// A task, which returns `None` if no further one is to be taken.
type Task<'a> = Box<dyn FnOnce() -> Option<()> + Send + 'a>;

/// Runs tasks on all threads until one of them returns `None`.
fn run_all(tasks: Vec<Task>) {
    tasks.into_par_iter().with_max_len(1).try_for_each(|task| task());
}

/// Values of which a task uses one at a time, usually the one that the previous task on the same
/// thread has used.
///
/// A task takes its value. A thread that waits for rayon in the middle of a task may begin another
/// one, which finds no value and creates a second one; so each thread has a list.
pub(crate) struct PerThread<T: Send>(ThreadLocal<RefCell<Vec<T>>>);

impl<T: Send> Default for PerThread<T> {
    fn default() -> PerThread<T> {
        PerThread(ThreadLocal::new())
    }
}

impl<T: Send> PerThread<T> {
    /// Takes a value of this thread. `None` if all are in use.
    pub fn take(&self) -> Option<T> {
        self.0.get_or_default().borrow_mut().pop()
    }

    /// Puts a value back, or a new one.
    pub fn put(&self, value: T) {
        self.0.get_or_default().borrow_mut().push(value);
    }

    /// The values of all threads.
    pub fn into_values(self) -> impl Iterator<Item = T> {
        self.0.into_iter().flat_map(RefCell::into_inner)
    }
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

    #[test]
    fn each_thread_has_one_sum() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        let add = |sum: &mut (Option<usize>, u32), n| {
            let thread = rayon::current_thread_index();
            assert_eq!(*sum.0.get_or_insert(thread.unwrap()), thread.unwrap());
            sum.1 += n;
            Ok::<(), ()>(())
        };
        let sums = pool.install(|| fold(0..1000, || (None, 0), add)).unwrap();
        assert!(sums.len() <= 3);
        assert_eq!(sums.iter().map(|(_, sum)| sum).sum::<u32>(), 499_500);
    }

    /// While a thread waits for the inner loop it takes other items of the outer one, whose sum is
    /// in use.
    #[test]
    fn loops_can_be_nested() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap();
        let add_one = |sum: &mut u32, ()| {
            std::thread::sleep(Duration::from_micros(100));
            *sum += 1;
            Ok::<(), ()>(())
        };
        let add = |sum: &mut u32, ones: usize| {
            *sum += fold(vec![(); ones], || 0, add_one)?.iter().sum::<u32>();
            Ok::<(), ()>(())
        };
        let sums = pool.install(|| fold(vec![4; 200], || 0, add)).unwrap();
        assert_eq!(sums.iter().sum::<u32>(), 800);
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
