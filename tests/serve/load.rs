//! Tests many simultaneous clients.

use crate::server::{Server, agent, get, query};
use bsq_games::british_square::{GameRecord, Rules};
use std::time::{Duration, Instant};

const CLIENTS: u32 = 8;
const A_SECOND: u32 = 400;
const REQUESTS: u32 = 4 * A_SECOND;
const PERCENTILE_99: Duration = Duration::from_millis(100);

/// A pseudo-random number generator.
pub struct Dice(pub u64);

impl Dice {
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}

/// Some legal moves of a game on 5x5.
fn moves(dice: &mut Dice) -> String {
    let rules = Rules::standard(5, 5).unwrap();
    let mut line = GameRecord::new(rules.clone());
    for _ in 0..dice.below(12) {
        let legal = rules.moves(line.position());
        if legal.is_empty() {
            break;
        }
        line.play(legal[dice.below(legal.len())]).unwrap();
    }
    let words = line.moves().iter().map(|&mv| rules.format_move(mv));
    words.collect::<Vec<_>>().join(" ")
}

/// Sends requests at a constant rate. Returns the latencies from the scheduled times, sorted.
fn ask_all(server: &Server, dice: &mut Dice) -> Vec<Duration> {
    let paths: Vec<String> = (0..REQUESTS)
        .map(|_| format!("/api/british-square/position?{}", query(&[("moves", &moves(dice))])))
        .collect();
    let began = Instant::now();
    let client = |first: u32| {
        let agent = agent();
        let mine = (first..REQUESTS).step_by(CLIENTS as usize);
        let ask = |place: u32| {
            let due = began + Duration::from_secs(1) * place / A_SECOND;
            std::thread::sleep(due.saturating_duration_since(Instant::now()));
            let reply = get(&agent, &server.at, &paths[place as usize]);
            assert_eq!(reply.status, 200, "{}: {}", paths[place as usize], reply.body);
            due.elapsed()
        };
        mine.map(ask).collect::<Vec<_>>()
    };
    let mut took: Vec<Duration> = std::thread::scope(|scope| {
        let clients: Vec<_> =
            (0..CLIENTS).map(|first| scope.spawn(move || client(first))).collect();
        clients.into_iter().flat_map(|client| client.join().unwrap()).collect()
    });
    took.sort_unstable();
    took
}

#[test]
fn hundreds_of_requests_a_second_are_answered_at_once() {
    let server = Server::start_alone(&[]);
    server.get("/api/british-square/position");
    let mut dice = Dice(1978);
    // A second attempt is permitted, because the machine may be busy.
    let tries = (0..2).map(|_| {
        let took = ask_all(&server, &mut dice);
        let [half, most] = [50, 99].map(|percent| took[took.len() * percent / 100]);
        println!("{A_SECOND} requests a second: half within {half:?}, 99 of 100 within {most:?}");
        most
    });
    let tries: Vec<Duration> = tries.take_while(|&most| most > PERCENTILE_99).collect();
    assert!(tries.len() < 2, "99 of 100 requests took up to {tries:?}");
}

/// Sequential requests for distinct positions, to measure the cost of an answer.
#[test]
fn an_answer_that_is_not_known_yet_is_a_matter_of_milliseconds() {
    let server = Server::start_alone(&[]);
    server.get("/api/british-square/position");
    let mut dice = Dice(2024);
    let agent = agent();
    let mut took: Vec<Duration> = (0..500)
        .map(|_| {
            let path =
                format!("/api/british-square/position?{}", query(&[("moves", &moves(&mut dice))]));
            let began = Instant::now();
            assert_eq!(get(&agent, &server.at, &path).status, 200);
            began.elapsed()
        })
        .collect();
    took.sort_unstable();
    let mean = took.iter().sum::<Duration>() / 500;
    println!(
        "one at a time: mean {mean:?}, half within {:?}, 99 of 100 within {:?}",
        took[250], took[495]
    );
    assert!(
        took[250] < Duration::from_millis(10),
        "half of the answers took more than {:?}",
        took[250]
    );
}
