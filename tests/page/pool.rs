//! Browsers that tests use one after the other: a start takes longer than most tests.

use crate::programs::Program;
use fantoccini::error::CmdError;
use fantoccini::wd::{Capabilities, WebDriverCompatibleCommand};
use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use std::mem;
use std::path::Path;
use std::sync::{Mutex, MutexGuard};
use tempfile::TempDir;
use tokio::runtime::{Builder, Runtime};
use url::{ParseError, Url};

static POOL: Mutex<Pool> = Mutex::new(Pool { idle: Vec::new(), users: 0 });

struct Pool {
    idle: Vec<Browser>,
    /// The number of running tests.
    users: usize,
}

fn pool() -> MutexGuard<'static, Pool> {
    POOL.lock().expect("no test panics with the lock")
}

/// A running browser with its driver.
pub struct Browser {
    pub runtime: Runtime,
    pub client: Client,
    _driver: Program,
    _profile: TempDir,
}

/// The right of a test to a browser. When the last one is dropped, all idle browsers are closed,
/// because they would outlive the process.
pub struct Lease;

impl Lease {
    /// Counts a test as running, until the lease is dropped. A test takes it before it starts its
    /// server, so that the browsers of other tests are kept meanwhile.
    pub fn new() -> Lease {
        pool().users += 1;
        Lease
    }

    /// Returns an idle browser, or starts one.
    pub fn browser(&self) -> Browser {
        let idle = pool().idle.pop();
        idle.unwrap_or_else(Browser::start)
    }

    /// Makes a browser available to other tests, without its windows and the data of the origin of
    /// an address.
    pub fn give_back(&self, browser: Browser, address: &str) {
        match browser.runtime.block_on(browser.reset(address)) {
            Ok(()) => pool().idle.push(browser),
            Err(error) => {
                browser.close();
                panic!("the browser cannot be used again: {error}");
            }
        }
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let idle = {
            let mut pool = pool();
            pool.users -= 1;
            if pool.users == 0 { mem::take(&mut pool.idle) } else { Vec::new() }
        };
        idle.into_iter().for_each(Browser::close);
    }
}

impl Browser {
    fn start() -> Browser {
        let driver = Program::driver();
        let profile = tempfile::tempdir().unwrap();
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        let client = runtime.block_on(connect(&driver, profile.path()));
        Browser { runtime, client, _driver: driver, _profile: profile }
    }

    /// Closes the browser. It would outlive its driver.
    pub fn close(self) {
        if let Err(error) = self.runtime.block_on(self.client.close()) {
            eprintln!("the browser does not end: {error}");
        }
    }

    /// Replaces the windows by a new one, and clears the data of the origin of an address.
    async fn reset(&self, address: &str) -> Result<(), CmdError> {
        let origin = Url::parse(address)?.origin().ascii_serialization();
        let all = json!({ "origin": origin, "storageTypes": "all" });
        self.client.issue_cmd(Extra::devtools("Storage.clearDataForOrigin", &all)).await?;
        let new = self.client.new_window(true).await?.handle;
        for window in self.client.windows().await? {
            if window != new {
                self.client.switch_to_window(window).await?;
                self.client.close_window().await?;
            }
        }
        self.client.switch_to_window(new).await?;
        self.client.issue_cmd(Extra::log()).await?;
        Ok(())
    }
}

async fn connect(driver: &Program, profile: &Path) -> Client {
    let arguments = [
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--window-size=1280,900",
    ];
    let mut arguments = arguments.map(String::from).to_vec();
    arguments.push(format!("--user-data-dir={}", profile.display()));
    let capabilities = json!({
        "goog:chromeOptions": { "args": arguments },
        "goog:loggingPrefs": { "browser": "ALL" },
    });
    let capabilities: Capabilities = serde_json::from_value(capabilities).unwrap();
    let mut builder = ClientBuilder::new(HttpConnector::new());
    let connected = builder.capabilities(capabilities).connect(&driver.place).await;
    connected.expect("Chromium does not start; on Debian 'apt-get install chromium' has it")
}

/// A command specific to this driver.
#[derive(Debug)]
pub struct Extra {
    path: &'static str,
    body: Value,
}

impl Extra {
    /// A command of the DevTools protocol.
    pub fn devtools(command: &str, parameters: &Value) -> Extra {
        Extra { path: "goog/cdp/execute", body: json!({ "cmd": command, "params": parameters }) }
    }

    /// Reads what the console said since the last time.
    pub fn log() -> Extra {
        Extra { path: "se/log", body: json!({ "type": "browser" }) }
    }
}

impl WebDriverCompatibleCommand for Extra {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, ParseError> {
        base.join(&format!("session/{}/{}", session.unwrap_or_default(), self.path))
    }

    fn method_and_body(&self, _: &Url) -> (http::Method, Option<String>) {
        (http::Method::POST, Some(self.body.to_string()))
    }
}
