//! A page in a headless browser, with the actions of tests.
//!
//! The environment variable `BSQ_PAGE` chooses how the page is shown: the size of the screen, the theme
//! that the system prefers, and where the page comes from, as in `390x844,dark,files`. `served` pages have
//! the server of `bsq serve`; `files` are those of `web/build`, on a web server without the API. Without the
//! variable, tests run as for `1280x900,light,served`.

use crate::pool::{Browser, Extra, Lease};
use crate::programs::Program;
use fantoccini::elements::Element;
use fantoccini::{Client, Locator};
use serde_json::{Value, json};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::rc::Rc;
use std::time::{Duration, Instant};
use url::Url;

/// The time limit of a search, in seconds. Tests run beside each other, so one may take longer than
/// the default limit of the server.
const SEARCH_SECONDS: u64 = 60;
/// The time after which the page is not expected to change any more, unless it searches.
const PATIENCE: Duration = Duration::from_secs(10);

/// A browser with a page of its own server. Each method waits for the browser.
#[derive(Clone)]
pub struct Page {
    browser: Rc<Browser>,
    /// The address of the server.
    pub origin: String,
}

/// How a page is shown.
struct Look {
    width: u32,
    height: u32,
    theme: &'static str,
    is_served: bool,
}

impl Look {
    /// The look that `BSQ_PAGE` names.
    fn chosen() -> Look {
        let name = std::env::var("BSQ_PAGE").unwrap_or("1280x900,light,served".to_string());
        Look::named(&name).unwrap_or_else(|| {
            panic!("BSQ_PAGE is {name:?}; it has to be like '390x844,dark,files'")
        })
    }

    fn named(name: &str) -> Option<Look> {
        let [size, theme, source] = name.split(',').collect::<Vec<_>>().try_into().ok()?;
        let (width, height) = size.split_once('x')?;
        Some(Look {
            width: width.parse().ok()?,
            height: height.parse().ok()?,
            theme: ["light", "dark"].into_iter().find(|&known| known == theme)?,
            is_served: match source {
                "served" => true,
                "files" => false,
                _ => return None,
            },
        })
    }
}

/// Runs a test on a page. The console must have no errors or warnings at the end.
pub fn drive(test: impl FnOnce(&Page)) {
    open(None, test);
}

/// Runs a test on the page of a server that is running.
pub fn drive_at(origin: &str, test: impl FnOnce(&Page)) {
    run(Lease::new(), origin, None, test);
}

/// What the console says of a request that fails.
const FAILED: Option<&str> = Some("Failed to load resource");

/// Runs a test in which a request fails.
pub fn drive_refused(test: impl FnOnce(&Page)) {
    open(FAILED, test);
}

/// Runs a test in which a request fails, always with a server. It has further arguments.
pub fn drive_served(arguments: &[&str], test: impl FnOnce(&Page)) {
    let lease = Lease::new();
    let server = Program::server(arguments);
    run(lease, &server.place, FAILED, test);
}

fn open(forgiven: Option<&str>, test: impl FnOnce(&Page)) {
    let lease = Lease::new();
    let server = if Look::chosen().is_served {
        Program::server(&["--time-limit", &SEARCH_SECONDS.to_string()])
    } else {
        Program::files()
    };
    run(lease, &server.place, forgiven, test);
}

fn run(lease: Lease, origin: &str, forgiven: Option<&str>, test: impl FnOnce(&Page)) {
    let page = Page { browser: Rc::new(lease.browser()), origin: origin.to_string() };
    let look = Look::chosen();
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        page.resize(look.width, look.height);
        page.prefer(&[("prefers-color-scheme", look.theme)]);
        test(&page);
        page.complains_only_of(forgiven);
        page.asks_only_its_server();
    }));
    let browser = Rc::into_inner(page.browser).expect("the test has no page any more");
    match outcome {
        Ok(()) => lease.give_back(browser, origin),
        Err(panic) => {
            browser.close();
            resume_unwind(panic);
        }
    }
}

impl Page {
    fn client(&self) -> &Client {
        &self.browser.client
    }

    fn wait<T>(&self, answer: impl Future<Output = T>) -> T {
        self.browser.runtime.block_on(answer)
    }

    /// Opens a link.
    pub fn visit(&self, link: &str) {
        self.wait(self.client().goto(&format!("{}/{link}", self.origin))).unwrap();
    }

    /// Opens a link, and waits for the board.
    pub fn open(&self, link: &str) {
        self.visit(link);
        self.until("document.querySelector('.playable')");
    }

    /// Opens a link with values, and waits for those of its position.
    pub fn settle(&self, link: &str) {
        let (place, query) = link.split_once(['?', '#']).unwrap_or((link, ""));
        let mark = if link.contains('#') { '#' } else { '?' };
        let both = [query, "values=yes"].into_iter().filter(|part| !part.is_empty());
        self.open(&format!("{place}{mark}{}", both.collect::<Vec<_>>().join("&")));
        self.until_found();
    }

    /// Goes back to the previous page of the browser.
    pub fn back(&self) {
        self.wait(self.client().back()).unwrap();
    }

    /// Goes to the next page of the browser.
    pub fn forward(&self) {
        self.wait(self.client().forward()).unwrap();
    }

    /// The value of an expression.
    pub fn get(&self, expression: &str) -> Value {
        self.wait(self.client().execute(&format!("return ({expression})"), vec![])).unwrap()
    }

    /// Runs a script.
    pub fn run(&self, script: &str) {
        self.wait(self.client().execute(script, vec![])).unwrap();
    }

    /// Waits until an expression is true.
    pub fn until(&self, expression: &str) {
        self.until_within(expression, PATIENCE);
    }

    /// Waits until the search for the values is over.
    fn until_found(&self) {
        let time = PATIENCE + Duration::from_secs(SEARCH_SECONDS);
        self.until_within("document.getElementById('board').ariaBusy === 'false'", time);
    }

    /// Waits some time until an expression is true.
    pub fn until_within(&self, expression: &str, time: Duration) {
        let begin = Instant::now();
        while self.get(&format!("(async () => !!({expression}))()")) != json!(true) {
            if begin.elapsed() > time {
                let seen = self.get("document.body.innerText");
                panic!("it never came to {expression}; the page says: {seen}");
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits until an element has a text.
    pub fn says(&self, id: &str, text: &str) {
        self.until(&format!("document.getElementById('{id}').innerText.trim() === {text:?}"));
    }

    /// Waits until a text begins an element.
    pub fn tells(&self, id: &str, text: &str) {
        self.until(&format!(
            "document.getElementById('{id}').innerText.trim().startsWith({text:?})"
        ));
    }

    /// Waits for the position after `at` of `of` moves, with values.
    pub fn settled(&self, at: usize, of: usize) {
        self.says("place", &format!("{at} / {of}"));
        self.until_found();
    }

    /// The text of an element.
    pub fn text(&self, id: &str) -> String {
        let text = self.get(&format!("document.getElementById('{id}').innerText.trim()"));
        text.as_str().unwrap().to_string()
    }

    /// Clicks the element of a selector.
    pub fn click(&self, selector: &str) {
        // The page may draw the element anew meanwhile.
        while let Err(error) = self.wait(self.find(selector).click()) {
            assert!(error.is_stale_element_reference(), "{selector}: {error}");
        }
    }

    /// Clicks a place of the board.
    pub fn press(&self, place: &str) {
        self.click(&format!(".playable[data-place='{place}']"));
    }

    /// Clicks the places of a move of the API, in their order.
    pub fn play(&self, mv: &Value) {
        for place in mv["places"].as_array().unwrap() {
            self.press(place.as_str().unwrap());
        }
    }

    /// The places of the board that match a selector.
    pub fn places(&self, selector: &str) -> Value {
        let all = format!("[...document.querySelectorAll('#board .place{selector}')]");
        self.get(&format!("{all}.map((place) => place.dataset.place)"))
    }

    /// The owner of each taken place.
    pub fn owners(&self) -> Value {
        let taken = "[...document.querySelectorAll('#board .place[data-state=taken]')]";
        let pairs = format!("{taken}.map((place) => [place.dataset.place, place.dataset.owner])");
        self.get(&format!("Object.fromEntries({pairs})"))
    }

    /// The name of a place for screen readers.
    pub fn label(&self, place: &str) -> String {
        let label = format!("document.querySelector('[data-place=\"{place}\"]').ariaLabel");
        self.get(&label).as_str().unwrap().to_string()
    }

    /// Types into the focused element.
    pub fn keys(&self, keys: &str) {
        let focused = self.wait(self.client().active_element()).unwrap();
        self.wait(focused.send_keys(keys)).unwrap();
    }

    /// Replaces the text of a field.
    pub fn fill(&self, selector: &str, text: &str) {
        let field = self.find(selector);
        self.wait(field.clear()).unwrap();
        self.wait(field.send_keys(text)).unwrap();
    }

    /// Chooses a file in a field.
    pub fn choose(&self, selector: &str, file: &str) {
        self.wait(self.find(selector).send_keys(file)).unwrap();
    }

    fn find(&self, selector: &str) -> Element {
        let found = self.wait(self.client().find(Locator::Css(selector)));
        found.unwrap_or_else(|error| panic!("{selector}: {error}"))
    }

    /// The answer of the API to the position of a link.
    pub fn answer(&self, link: &str) -> Value {
        let link = Url::parse(&format!("{}/{link}", self.origin)).unwrap();
        let mut asked = Url::parse(&self.origin).unwrap();
        let mut game = "british-square".to_string();
        for (name, value) in link.query_pairs() {
            match name.as_ref() {
                "game" => game = value.into_owned(),
                "at" | "first" | "second" | "flip" | "values" => {}
                _ => drop(asked.query_pairs_mut().append_pair(&name, &value)),
            }
        }
        self.fetch(&format!("{game}/position?{}", asked.query().unwrap_or_default()))
    }

    /// The answer to a request, from where the page has its answers.
    pub fn fetch(&self, path: &str) -> Value {
        let asked = format!("import('./transport.js').then(({{ get }}) => get({path:?}))");
        self.get(&format!("{asked}.catch(({{ message }}) => ({{ error: {{ message }} }}))"))
    }

    /// The query string of the address bar, without the switch of values.
    pub fn link(&self) -> String {
        let link = self.get("location.search").as_str().unwrap().to_string();
        let rest = link.split(['?', '&']).filter(|part| !["", "values=yes"].contains(part));
        let rest = rest.collect::<Vec<_>>().join("&");
        if rest.is_empty() { rest } else { format!("?{rest}") }
    }

    /// Waits for a link in the address bar.
    pub fn links(&self, link: &str) {
        let search = "location.search.replace(/[?&]values=yes/, '')";
        self.until(&format!("{search} === {link:?}"));
    }

    /// Sends a command of the DevTools protocol.
    pub fn devtools(&self, command: &str, parameters: Value) {
        self.wait(self.client().issue_cmd(Extra::devtools(command, &parameters))).unwrap();
    }

    /// Sets the size of the screen, which is that of a phone if it is narrow.
    pub fn resize(&self, width: u32, height: u32) {
        let mobile = width < 600;
        let size =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": mobile });
        self.devtools("Emulation.setDeviceMetricsOverride", size);
    }

    /// Sets media features, as the preferences of a system.
    pub fn prefer(&self, features: &[(&str, &str)]) {
        let features = features.iter().map(|(name, value)| json!({ "name": name, "value": value }));
        let features = features.collect::<Vec<_>>();
        self.devtools("Emulation.setEmulatedMedia", json!({ "features": features }));
    }

    /// Checks that the page has loaded nothing from elsewhere.
    fn asks_only_its_server(&self) {
        let elsewhere = "performance.getEntriesByType('resource').map(({ name }) => name) \
                         .filter((name) => new URL(name).origin !== location.origin)";
        assert_eq!(self.get(elsewhere), json!([]));
    }

    /// Checks that the console has no error or warning but those with a text.
    fn complains_only_of(&self, forgiven: Option<&str>) {
        let log = self.wait(self.client().issue_cmd(Extra::log())).unwrap();
        for entry in log.as_array().unwrap() {
            let text = entry["message"].as_str().unwrap();
            assert!(forgiven.is_some_and(|part| text.contains(part)), "the browser says: {text}");
        }
    }
}
