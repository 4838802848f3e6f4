//! Connects all processes to each other and checks their identities.
//!
//! A process connects to those before it in the hosts file and accepts connections from those after
//! it. It listens on its own address only, and only until all processes are connected.

use super::deadline::Within;
use super::error::ClusterError;
use super::hosts::Hosts;
use super::identity::{Greeting, Hello};
use super::printable::printable;
use bsq_engine::monitor::Monitor;
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::io::{Error, ErrorKind};
use std::net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

/// The time limit for a greeting.
const PATIENCE: Duration = Duration::from_secs(5);
/// The interval between attempts to connect.
const AGAIN: Duration = Duration::from_millis(100);
/// The maximum number of connections without a greeting.
const AT_ONCE: usize = 32;

/// Another process that is connected.
pub struct Guest {
    /// Its identity.
    pub hello: Hello,
    /// The connection.
    pub socket: TcpStream,
}

/// A message from a thread of the meeting.
enum News {
    Came(Box<Guest>),
    /// Another process refuses this one.
    RefusedBy(usize, String),
    /// A process to which this one has connected has another identity.
    Unfit(String),
    /// This process has refused another.
    Refused(String),
}

/// Waits until all processes are connected, at most for `wait`. The entry of this process is
/// `None`.
pub fn meet(
    hosts: &Hosts,
    hello: &Hello,
    wait: Duration,
    monitor: &Monitor<'_>,
) -> Result<Vec<Option<Guest>>, ClusterError> {
    let (news, heard) = channel();
    let meeting = Meeting {
        hosts: hosts.clone(),
        hello: hello.clone(),
        wait,
        deadline: Instant::now() + wait,
        news,
        over: Arc::default(),
        tried: Arc::default(),
    };
    let (listener, waiter) = (listen(hosts)?, meeting.clone());
    std::thread::spawn(move || waiter.listen(&listener));
    (0..hosts.process).for_each(|process| meeting.start_visit(process));
    let guests = meeting.gather(&heard, monitor);
    meeting.over.store(true, Ordering::Relaxed);
    guests
}

fn listen(hosts: &Hosts) -> Result<TcpListener, ClusterError> {
    let address = hosts.addresses[hosts.process].clone();
    let listen = || {
        let listener = TcpListener::bind(&*address)?;
        listener.set_nonblocking(true)?;
        Ok(listener)
    };
    listen().map_err(|error: std::io::Error| {
        let why = error.to_string();
        ClusterError::Listen { address, process: hosts.process, why }
    })
}

/// Whether the connection is open.
fn is_open(socket: &TcpStream) -> bool {
    let peek = || {
        socket.set_nonblocking(true)?;
        let seen = socket.peek(&mut [0]);
        socket.set_nonblocking(false)?;
        seen
    };
    match peek() {
        Ok(bytes) => bytes > 0,
        Err(error) => error.kind() == ErrorKind::WouldBlock,
    }
}

/// The state that the threads share.
#[derive(Clone)]
struct Meeting {
    hosts: Hosts,
    hello: Hello,
    wait: Duration,
    deadline: Instant,
    news: Sender<News>,
    over: Arc<AtomicBool>,
    /// The error of the last attempt to connect to each process.
    tried: Arc<Mutex<BTreeMap<usize, String>>>,
}

impl Meeting {
    /// Collects the processes that are connected, until all are.
    fn gather(
        &self,
        heard: &Receiver<News>,
        monitor: &Monitor<'_>,
    ) -> Result<Vec<Option<Guest>>, ClusterError> {
        let hosts = &self.hosts;
        let mut guests: Vec<Option<Guest>> = hosts.addresses.iter().map(|_| None).collect();
        let mut refused = String::new();
        let absent = |guests: &[Option<Guest>]| {
            hosts.others().filter(|&process| guests[process].is_none()).collect::<Vec<_>>()
        };
        while !absent(&guests).is_empty() {
            monitor.check()?;
            if Instant::now() >= self.deadline {
                let absent = absent(&guests);
                let names = absent.iter().map(|&process| hosts.name(process)).collect::<Vec<_>>();
                let tried = self.tried.lock();
                let tries =
                    absent.iter().filter_map(|process| Some((process, tried.get(process)?)));
                let tries =
                    tries.map(|(process, why)| format!("; process {process} was tried: {why}"));
                let (names, seconds) = (names.join(", "), self.wait.as_secs());
                let refused = refused + &tries.collect::<String>();
                return Err(ClusterError::Absent { names, seconds, refused });
            }
            for process in hosts.others() {
                // A process that has disconnected may reconnect.
                let gone = |guest: &mut Guest| !is_open(&guest.socket);
                if guests[process].take_if(gone).is_some() && process < hosts.process {
                    self.start_visit(process);
                }
            }
            match heard.recv_timeout(AGAIN) {
                Ok(News::Came(guest)) => {
                    let process = guest.hello.process;
                    match &guests[process] {
                        Some(known) if is_open(&known.socket) => {
                            let why = format!("{} is here already", hosts.name(process));
                            self.refuse(why, guest.socket);
                        }
                        _ => guests[process] = Some(*guest),
                    }
                }
                Ok(News::RefusedBy(process, why)) => {
                    let why = printable(&why);
                    let name = hosts.name(process);
                    return Err(ClusterError::Refused { name, why });
                }
                Ok(News::Unfit(why)) => {
                    return Err(ClusterError::Unfit { why: printable(&why) });
                }
                Ok(News::Refused(why)) => {
                    let why = printable(&why);
                    monitor.note(&format!("refused a connection: {why}"));
                    refused = format!("; one that came was refused: {why}");
                }
                Err(_) => {}
            }
        }
        Ok(guests)
    }

    /// Refuses a process, without waiting until it has read so.
    fn refuse(&self, why: String, socket: TcpStream) {
        let patience = self.patience();
        std::thread::spawn(move || Greeting::Refused(why).write(Within::new(&socket, patience)));
    }

    /// The time limit of a greeting.
    fn patience(&self) -> Duration {
        PATIENCE.min(self.wait)
    }

    fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// Accepts connections.
    fn listen(&self, listener: &TcpListener) {
        let speaking = Arc::new(AtomicUsize::new(0));
        while !self.is_over() {
            match listener.accept() {
                Ok((socket, from)) if speaking.load(Ordering::Relaxed) < AT_ONCE => {
                    let (meeting, speaking) = (self.clone(), speaking.clone());
                    speaking.fetch_add(1, Ordering::Relaxed);
                    std::thread::spawn(move || {
                        meeting.receive(socket, from);
                        speaking.fetch_sub(1, Ordering::Relaxed);
                    });
                }
                Ok(_) => {}
                Err(_) => std::thread::sleep(AGAIN / 4),
            }
        }
    }

    /// Reads a greeting and answers it.
    fn receive(&self, socket: TcpStream, from: SocketAddr) {
        let greeting =
            prepare(&socket).and_then(|()| Greeting::read(Within::new(&socket, self.patience())));
        let hello = match greeting {
            Ok(Greeting::Hello(hello)) => *hello,
            Ok(Greeting::Refused(_)) => return,
            // Strangers receive no answer.
            Err(error) => {
                let why = match error.kind() {
                    ErrorKind::InvalidData => error.to_string(),
                    _ => "it does not say who it is".to_string(),
                };
                return self.tell(News::Refused(format!("{why} (from {from})")));
            }
        };
        if let Some(why) = self.hello.differs(&hello, &self.hosts) {
            self.refuse(why.clone(), socket);
            return self.tell(News::Refused(why));
        }
        let answer = Greeting::Hello(Box::new(self.hello.clone()));
        if answer.write(Within::new(&socket, self.patience())).is_ok() {
            self.tell(News::Came(Box::new(Guest { hello, socket })));
        }
    }

    fn start_visit(&self, process: usize) {
        let meeting = self.clone();
        std::thread::spawn(move || meeting.visit(process));
    }

    /// Tries to connect to a process until it answers.
    fn visit(&self, process: usize) {
        while !self.is_over() && Instant::now() < self.deadline {
            match self.try_visit(process) {
                Ok(news) => return self.tell(news),
                Err(error) => {
                    self.tried.lock().insert(process, error.to_string());
                    std::thread::sleep(AGAIN);
                }
            }
        }
    }

    fn try_visit(&self, process: usize) -> std::io::Result<News> {
        // A host name may have several addresses.
        let mut socket = Err(ErrorKind::NotFound.into());
        for address in self.hosts.addresses[process].to_socket_addrs()? {
            socket = TcpStream::connect_timeout(&address, self.patience());
            if socket.is_ok() {
                break;
            }
        }
        let socket = socket?;
        prepare(&socket)?;
        let greeting = Greeting::Hello(Box::new(self.hello.clone()));
        greeting.write(Within::new(&socket, self.patience()))?;
        let hello = match Greeting::read(Within::new(&socket, self.patience()))? {
            Greeting::Hello(hello) => *hello,
            Greeting::Refused(why) => return Ok(News::RefusedBy(process, why)),
        };
        match self.hello.differs(&hello, &self.hosts) {
            Some(why) => Ok(News::Unfit(why)),
            None if hello.process != process => {
                let why = format!("it is process {}", hello.process);
                Err(Error::new(ErrorKind::InvalidData, why))
            }
            None => Ok(News::Came(Box::new(Guest { hello, socket }))),
        }
    }

    fn tell(&self, news: News) {
        // The message is dropped if the meeting is over.
        let _ = self.news.send(news);
    }
}

fn prepare(socket: &TcpStream) -> std::io::Result<()> {
    socket.set_nonblocking(false)?;
    socket.set_nodelay(true)
}
