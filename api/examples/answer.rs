//! Prints the answer to a position of any game as JSON: `answer british-square 'b2 d4'`.

use bsq_api::{Detail, Monitor, Registry, Request, Resources};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let name = args.next().unwrap_or("british-square".into());
    let registry = Registry::standard();
    let game = registry.get(&name).ok_or("there is no such game")?;
    // Tables take at most 256 MiB.
    let mut session = game.open(&[], None, &Resources::new(256 << 20))?;
    for mv in args.next().unwrap_or_default().split_whitespace() {
        session.play(mv)?;
    }
    let request = Request { detail: Some(Detail::Moves), line: 0, time: None };
    println!("{}", serde_json::to_string_pretty(&session.answer(request, &Monitor::default())?)?);
    Ok(())
}
