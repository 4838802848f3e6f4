//! Places for simultaneous work, which clients get in turn.

use super::counts::Counts;
use parking_lot::Mutex;
use std::collections::VecDeque;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::oneshot;

/// The interval at which who holds a place notices that another client waits.
pub const GLANCE: Duration = Duration::from_millis(100);

/// A limited number of places, of which one client holds at most some.
///
/// A free place goes to the client that holds the fewest, and among those with equally many to the
/// one that has waited for its turn the longest. So the number of requests of a client does not
/// matter to the others.
pub struct Fair(Mutex<State>);

struct State {
    /// The number of free places. If there is one, a client waits only if it holds `most`.
    free: usize,
    /// The most places of a client.
    most: u64,
    /// The number of places of each client that holds some.
    held: Counts,
    /// The clients that wait, in the order of their turns, with their requests in order of arrival.
    waiting: VecDeque<(IpAddr, VecDeque<oneshot::Sender<Place>>)>,
}

/// A place, which is free again when this is dropped.
pub struct Place {
    fair: Arc<Fair>,
    client: IpAddr,
}

impl Fair {
    /// Creates free places, of which a client holds at most `most`.
    pub fn new(places: usize, most: u64) -> Arc<Fair> {
        let (held, waiting) = Default::default();
        Arc::new(Fair(Mutex::new(State { free: places, most, held, waiting })))
    }

    /// Waits for a place. The turn is lost if the future is dropped.
    pub async fn place(self: &Arc<Fair>, client: IpAddr) -> Place {
        let granted = {
            let mut state = self.0.lock();
            if state.free > 0 && state.held.of(client) < state.most {
                state.take(client);
                return Place { fair: Arc::clone(self), client };
            }
            let (sender, granted) = oneshot::channel();
            state.wait(client, sender);
            granted
        };
        granted.await.expect("a request that waits is granted a place")
    }

    /// Whether a client that holds fewer places than the given one waits for its turn.
    pub fn is_wanted(&self, client: IpAddr) -> bool {
        let state = self.0.lock();
        let held = state.held.of(client);
        state.waiting.iter().any(|(other, requests)| {
            state.held.of(*other) < held && requests.iter().any(|request| !request.is_closed())
        })
    }

    /// Waits until a client that holds fewer places than the given one waits for its turn.
    pub async fn until_wanted(&self, client: IpAddr) {
        while !self.is_wanted(client) {
            tokio::time::sleep(GLANCE).await;
        }
    }
}

impl State {
    fn take(&mut self, client: IpAddr) {
        self.free -= 1;
        self.held.add(client, 1);
    }

    fn wait(&mut self, client: IpAddr, request: oneshot::Sender<Place>) {
        if let Some((_, requests)) = self.waiting.iter_mut().find(|(other, _)| *other == client) {
            requests.retain(|request| !request.is_closed());
            requests.push_back(request);
        } else {
            self.waiting.push_back((client, VecDeque::from([request])));
        }
    }

    /// Frees a place of a client, which has had its turn.
    fn release(&mut self, client: IpAddr) {
        self.free += 1;
        self.held.subtract(client, 1);
        if let Some(at) = self.waiting.iter().position(|(other, _)| *other == client) {
            self.waiting.make_contiguous()[at..].rotate_left(1);
        }
    }

    /// Takes a place for the request whose turn it is.
    fn next(&mut self) -> Option<(IpAddr, oneshot::Sender<Place>)> {
        if self.free == 0 {
            return None;
        }
        self.waiting.retain_mut(|(_, requests)| {
            requests.retain(|request| !request.is_closed());
            !requests.is_empty()
        });
        let waiting = self.waiting.iter().map(|(client, _)| self.held.of(*client));
        let waiting = waiting.enumerate().filter(|(_, held)| *held < self.most);
        let (at, _) = waiting.min_by_key(|(_, held)| *held)?;
        // The others of the client wait for its next turn.
        let (client, mut requests) = self.waiting.remove(at)?;
        let request = requests.pop_front()?;
        if !requests.is_empty() {
            self.waiting.push_back((client, requests));
        }
        self.take(client);
        Some((client, request))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        // Under one lock, so that no newcomer takes the place before those who wait.
        let next = {
            let mut state = self.fair.0.lock();
            state.release(self.client);
            state.next()
        };
        if let Some((client, request)) = next {
            // If the client has just gone, the place is dropped, and free again.
            let _ = request.send(Place { fair: Arc::clone(&self.fair), client });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::pin::Pin;
    use std::task::Poll;
    use tokio::time::timeout;

    fn client(number: u8) -> IpAddr {
        [127, 0, 0, number].into()
    }

    /// The clients in the order in which they are served at a single place.
    #[tokio::test]
    async fn clients_take_turns_however_many_requests_they_have() {
        let fair = Fair::new(1, 1);
        let first = fair.place(client(1)).await;
        let order = Arc::new(Mutex::new(Vec::new()));
        let mut tasks = Vec::new();
        for number in [1, 1, 1, 1, 2, 2, 3] {
            let (fair, order) = (Arc::clone(&fair), Arc::clone(&order));
            tasks.push(tokio::spawn(async move {
                let _place = fair.place(client(number)).await;
                order.lock().push(number);
            }));
            tokio::task::yield_now().await;
        }
        assert!(fair.is_wanted(client(1)));
        drop(first);
        for task in tasks {
            task.await.unwrap();
        }
        assert_eq!(*order.lock(), [2, 3, 1, 2, 1, 1, 1]);
        assert!(!fair.is_wanted(client(1)));
    }

    #[tokio::test]
    async fn a_client_without_a_place_goes_first() {
        let fair = Fair::new(2, 2);
        let kept = [fair.place(client(1)).await, fair.place(client(1)).await];
        let mut again = Box::pin(fair.place(client(1)));
        let mut other = Box::pin(fair.place(client(2)));
        assert!(
            poll_once(&mut again).await.is_pending() && poll_once(&mut other).await.is_pending()
        );
        let [one, rest] = kept;
        drop(one);
        let Poll::Ready(other) = poll_once(&mut other).await else { panic!("it is the turn of 2") };
        assert!(poll_once(&mut again).await.is_pending());
        assert!(!fair.is_wanted(client(2)));
        drop((other, rest));
        assert!(poll_once(&mut again).await.is_ready());
    }

    #[tokio::test]
    async fn who_has_gone_takes_no_place() {
        let fair = Fair::new(1, 1);
        let place = fair.place(client(1)).await;
        for _ in 0..3 {
            let gone = timeout(Duration::from_millis(1), fair.place(client(2))).await;
            assert!(gone.is_err());
        }
        assert!(!fair.is_wanted(client(1)));
        drop(place);
        drop(timeout(Duration::from_secs(5), fair.place(client(3))).await.unwrap());
        assert_eq!(fair.0.lock().free, 1);
        assert!(fair.0.lock().held.is_empty());
    }

    #[tokio::test]
    async fn a_client_leaves_places_to_others() {
        let fair = Fair::new(3, 2);
        let first = fair.place(client(1)).await;
        let _second = fair.place(client(1)).await;
        let mut third = Box::pin(fair.place(client(1)));
        assert!(poll_once(&mut third).await.is_pending());
        let _other = fair.place(client(2)).await;
        drop(first);
        assert!(poll_once(&mut third).await.is_ready());
    }

    async fn poll_once<F: Future + Unpin>(future: &mut F) -> Poll<F::Output> {
        std::future::poll_fn(|context| Poll::Ready(Pin::new(&mut *future).poll(context))).await
    }
}
