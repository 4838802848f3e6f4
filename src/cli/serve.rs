//! `bsq serve`.

use super::args::{WorkArgs, within};
use super::flags::parse_size;
use bytesize::ByteSize;
use clap::{Args, ValueHint};
use std::net::IpAddr;
use std::path::PathBuf;

fn address(text: &str) -> Result<IpAddr, String> {
    text.parse().map_err(|_| "write an IP address, such as 127.0.0.1".to_string())
}

/// `bsq serve`.
#[derive(Debug, Args)]
#[cfg_attr(not(feature = "full"), allow(dead_code, reason = "only a full build serves"))]
pub struct Serve {
    /// Port to listen on; 0 for any free port
    #[arg(long, value_name = "N", default_value_t = 1978, value_parser = within(0, u16::MAX))]
    pub port: u16,
    /// Address to listen on; the default accepts local clients only
    #[arg(long, value_name = "IP", default_value = "127.0.0.1", value_parser = address)]
    pub address: IpAddr,
    /// Time limit of a request, in seconds
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = within(1_u16, 3600))]
    pub time_limit: u16,
    /// Memory for tables and answers, such as 500MB or 8GiB; each game uses at most a quarter
    #[arg(long, value_name = "SIZE", value_parser = parse_size, default_value = "1GiB")]
    pub memory: ByteSize,
    /// A tablebase, of any game; can be given more than once
    #[arg(long, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub tablebase: Vec<PathBuf>,
    /// A game that is given as a graph, as CSV with the columns position,player,move,next
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub graph: Option<PathBuf>,
    /// Requests per second from each client address, with bursts of four times as many; 0 for no
    /// limit [default: 1000, without a limit on this machine]
    #[arg(long, value_name = "N", value_parser = within(0, u32::MAX))]
    pub rate: Option<u32>,
    /// Simultaneous connections from each client address, or requests of a client behind a proxy
    #[arg(long, value_name = "N", default_value_t = 128, value_parser = within(1, u16::MAX))]
    pub connections: u16,
    /// A proxy whose header X-Forwarded-For names the client; can be given more than once
    #[arg(long, value_name = "IP")]
    pub trusted_proxy: Vec<IpAddr>,
    #[command(flatten)]
    pub work: WorkArgs,
}
