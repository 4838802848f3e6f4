//! Limits for each client address, and the checks of every request.

use super::Server;
use super::counts::Counts;
use super::reply::Refusal;
use super::transit::Keeping;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{HOST, HeaderName, ORIGIN};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, Method, StatusCode, Version};
use axum::middleware::Next;
use axum::response::Response;
use bsq_api::{Error, Kind};
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use parking_lot::Mutex;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::num::NonZeroU32;
use std::sync::Arc;

const FORWARDED: HeaderName = HeaderName::from_static("x-forwarded-for");
/// The seconds of requests that a client may send at once.
const BURST: u32 = 4;
/// The requests per second of a client on another machine.
const DEFAULT_RATE: u32 = 1000;

/// The other end of a connection.
#[derive(Clone, Copy)]
pub struct Peer(pub IpAddr);

/// The address of a client, which differs from that of the connection behind a proxy.
#[derive(Clone, Copy)]
pub struct Client(pub IpAddr);

/// The clients and their limits.
pub struct Clients {
    rate: Option<DefaultKeyedRateLimiter<IpAddr>>,
    /// Whether the rate of clients on this machine is limited as well.
    limits_this_machine: bool,
    /// The connections of each address, or the requests of a client behind a proxy.
    connections: Mutex<Counts>,
    most_connections: u64,
    proxies: Vec<IpAddr>,
    /// Whether only local clients are accepted. Host names are refused then, because a foreign page
    /// could use a name that resolves to this machine (DNS rebinding).
    is_local: bool,
}

impl Clients {
    /// Limits the requests per second, unless the rate is 0, and the connections of an address. The
    /// default rate, for `None`, does not apply to clients on this machine. Proxies tell the
    /// addresses of their clients.
    pub fn new(
        rate: Option<u32>,
        most_connections: u64,
        proxies: Vec<IpAddr>,
        is_local: bool,
    ) -> Clients {
        let quota = |rate: NonZeroU32| {
            let burst = rate.saturating_mul(NonZeroU32::MIN.saturating_add(BURST - 1));
            RateLimiter::keyed(Quota::per_second(rate).allow_burst(burst))
        };
        let limits_this_machine = rate.is_some();
        let rate = NonZeroU32::new(rate.unwrap_or(DEFAULT_RATE)).map(quota);
        let proxies = proxies.into_iter().map(|proxy| proxy.to_canonical()).collect();
        let connections = Mutex::default();
        Clients { rate, limits_this_machine, connections, most_connections, proxies, is_local }
    }

    /// Admits a connection, or a request of a client behind a proxy, until the result is dropped.
    /// Refuses one over the limit.
    pub fn connect(self: &Arc<Clients>, peer: IpAddr) -> Option<Connected> {
        let is_proxy = self.proxies.contains(&peer.to_canonical());
        let peer = network(peer);
        let mut connections = self.connections.lock();
        if connections.of(peer) >= self.most_connections && !is_proxy {
            return None;
        }
        connections.add(peer, 1);
        Some(Connected(Arc::clone(self), peer))
    }

    /// Counts requests of a client, or refuses those over the limit.
    pub fn count(&self, Client(client): Client, requests: usize) -> Result<(), Refusal> {
        let is_this_machine = client.is_loopback() && !self.proxies.contains(&client);
        if is_this_machine && !self.limits_this_machine {
            return Ok(());
        }
        let requests = u32::try_from(requests).unwrap_or(u32::MAX);
        let (Some(rate), Some(requests)) = (&self.rate, NonZeroU32::new(requests)) else {
            return Ok(());
        };
        match rate.check_key_n(&client, requests) {
            Ok(Ok(())) => Ok(()),
            Ok(Err(refused)) => {
                let wait = refused.wait_time_from(DefaultClock::default().now());
                Err(Refusal::later("too many requests from this address", wait.as_secs() + 1))
            }
            Err(most) => {
                let message = format!("more requests at once than the limit of {}", most.0);
                Err(Refusal::later(message, 1))
            }
        }
    }

    /// Forgets clients that have not sent requests for a while.
    pub fn forget(&self) {
        if let Some(rate) = &self.rate {
            rate.retain_recent();
        }
    }

    /// The client of a request: the last address of `X-Forwarded-For` that is not a trusted proxy,
    /// if the request comes from such a proxy.
    pub fn client(&self, Peer(peer): Peer, headers: &HeaderMap) -> Client {
        let lines = headers.get_all(FORWARDED).iter();
        let mut addresses = vec![peer.to_canonical()];
        let named: Vec<&[u8]> =
            lines.flat_map(|line| line.as_bytes().split(|&byte| byte == b',')).collect();
        addresses.extend(named.into_iter().rev().map_while(address));
        let last = addresses.len() - 1;
        let is_proxy = |address: &&IpAddr| self.proxies.contains(address);
        Client(network(addresses[addresses.iter().take_while(is_proxy).count().min(last)]))
    }
}

/// A connection that counts for its address.
pub struct Connected(Arc<Clients>, IpAddr);

impl Drop for Connected {
    fn drop(&mut self) {
        self.0.connections.lock().subtract(self.1, 1);
    }
}

/// The address in a part of `X-Forwarded-For`, which may have a port.
fn address(text: &[u8]) -> Option<IpAddr> {
    let text = str::from_utf8(text).ok()?.trim();
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let with_port = || text.parse::<SocketAddr>().ok().map(|address| address.ip());
    let address: Option<IpAddr> = bare.parse().ok().or_else(with_port);
    address.map(|address| address.to_canonical())
}

/// The address that limits apply to. A client usually has a whole network of IPv6 addresses.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) if !address.is_loopback() => {
            Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into()
        }
        address => address,
    }
}

/// Passes a request on or refuses it.
pub async fn check(
    State(server): State<Arc<Server>>,
    mut request: Request,
    next: Next,
) -> Result<Response, Refusal> {
    let clients = &server.clients;
    let peer = request.extensions().get::<Peer>().copied();
    let client = clients.client(peer.expect("the peer of the connection"), request.headers());
    clients.count(client, 1)?;
    let has_host = request.headers().contains_key(HOST) || request.uri().authority().is_some();
    if request.version() >= Version::HTTP_11 && !has_host {
        return Err(Refusal::from(Error::of(Kind::Usage, "a request names its host")));
    }
    if clients.is_local && !is_for_this_machine(&request) {
        return Err(forbidden("this server is addressed by its IP address or as localhost"));
    }
    if is_cross_site(&request) {
        return Err(forbidden("requests of other sites are refused"));
    }
    request.extensions_mut().insert(client);
    if peer.is_some_and(|Peer(peer)| network(peer) == client.0) {
        return Ok(next.run(request).await);
    }
    // The connection is that of a proxy, and does not count for its client.
    let Some(admitted) = clients.connect(client.0) else {
        return Err(Refusal::later("too many simultaneous requests from this address", 1));
    };
    let response = next.run(request).await;
    Ok(response.map(|body| Body::new(Keeping::new(body, admitted))))
}

fn forbidden(message: &str) -> Refusal {
    Refusal::new(StatusCode::FORBIDDEN, Kind::Refused, message)
}

/// Whether a browser sent the request on behalf of a page of another site. Links to this one are
/// allowed.
fn is_cross_site(request: &Request) -> bool {
    let header = |name: &str| request.headers().get(name)?.to_str().ok();
    let is_read = [Method::GET, Method::HEAD].contains(request.method());
    match header("sec-fetch-site") {
        Some("cross-site" | "same-site") => {
            !(is_read && header("sec-fetch-dest") == Some("document"))
        }
        Some(_) => false,
        None => header(ORIGIN.as_str()).is_some_and(|origin| {
            origin.split_once("://").map(|(_, host)| host) != header(HOST.as_str())
        }),
    }
}

fn is_for_this_machine(request: &Request) -> bool {
    let written = request.uri().authority().into_iter().cloned();
    let hosts = request.headers().get_all(HOST);
    let mut named = hosts.iter().map(|host| Authority::try_from(host.as_bytes()).ok());
    // Old clients send none; browsers always do.
    written.map(Some).chain(&mut named).all(|host| host.is_some_and(|host| is_local(host.host())))
}

fn is_local(host: &str) -> bool {
    let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    host.eq_ignore_ascii_case("localhost") || bare.parse::<IpAddr>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    #[test]
    fn only_trusted_proxies_name_clients() {
        let address = |text: &str| text.parse::<IpAddr>().unwrap();
        let clients =
            Clients::new(Some(0), 1, vec![address("127.0.0.1"), address("10.0.0.1")], true);
        let client = |peer: &str, forwarded: &str| {
            let headers = HeaderMap::from_iter([(FORWARDED, forwarded.parse().unwrap())]);
            clients.client(Peer(address(peer)), &headers).0
        };
        assert_eq!(client("127.0.0.1", "1.2.3.4, 5.6.7.8, 10.0.0.1"), address("5.6.7.8"));
        assert_eq!(client("127.0.0.1", "1.2.3.4, nonsense"), address("127.0.0.1"));
        assert_eq!(client("127.0.0.2", "1.2.3.4"), address("127.0.0.2"));
        assert_eq!(client("127.0.0.1", "1.2.3.4:5678"), address("1.2.3.4"));
        assert_eq!(client("127.0.0.1", "[2001:db8::1]:443"), address("2001:db8::"));
        assert_eq!(client("127.0.0.1", "[2001:db8::1]"), address("2001:db8::"));
        assert_eq!(client("::1", "1.2.3.4"), address("::1"), "this machine, no proxy");
        assert_eq!(client("127.0.0.1", "2001:db8::1"), address("2001:db8::"));
        let odd = HeaderValue::from_bytes(b"\xff, 1.2.3.4").unwrap();
        let headers = HeaderMap::from_iter([(FORWARDED, odd)]);
        assert_eq!(clients.client(Peer(address("127.0.0.1")), &headers).0, address("1.2.3.4"));
    }

    #[test]
    fn connections_are_counted_until_they_are_dropped() {
        let clients = Arc::new(Clients::new(Some(0), 2, Vec::new(), true));
        let [one, other]: [IpAddr; 2] = [[127, 0, 0, 1].into(), [127, 0, 0, 2].into()];
        let kept = [clients.connect(one).unwrap(), clients.connect(one).unwrap()];
        assert!(clients.connect(one).is_none());
        assert!(clients.connect(other).is_some());
        drop(kept);
        assert!(clients.connect(one).is_some());
    }
}
