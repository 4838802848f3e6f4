//! Answers to the requests of the page, in a Web Worker. `web/build` compiles it.

use bsq_api::requests::Local;
use bsq_api::{Monitor, Registry};
use bsq_engine::monitor::Progress;
use std::sync::atomic::{AtomicU64, Ordering};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// A function of the worker: called with the number of units of work that are done, and of all
    /// units, or 0 if that is unknown.
    #[wasm_bindgen(js_name = reportProgress)]
    fn report_progress(done: f64, units: f64);
}

/// Answers requests one after another.
#[wasm_bindgen]
pub struct Answers(Local);

#[wasm_bindgen]
impl Answers {
    /// Creates answers whose tables take about `memory` MiB.
    #[wasm_bindgen(constructor)]
    pub fn new(memory: u32) -> Answers {
        Answers(Local::new(Registry::standard(), u64::from(memory) << 20))
    }

    /// Answers the request of a path, such as `mnk/position?moves=b2`, as JSON. Throws the error of
    /// the API as JSON.
    pub fn answer(&mut self, path: &str, body: Option<String>) -> Result<String, String> {
        let bar = Bar::default();
        let monitor = Monitor { progress: Some(&bar), ..Monitor::default() };
        self.0
            .answer(path, body.as_deref(), &monitor)
            .map_err(|error| serde_json::to_string(&error).expect("the keys of an error are text"))
    }
}

/// The positions between two reports, if their number is unknown. The page takes a search that reports
/// nothing for half a minute as ended.
const STEP: u64 = 200_000;

/// Reports each percent of the progress, or every [`STEP`] positions if their number is unknown.
#[derive(Default)]
struct Bar {
    /// The expected units; 0 if unknown.
    units: AtomicU64,
    done: AtomicU64,
}

impl Progress for Bar {
    fn begin(&self, _: &str, units: u64) {
        self.units.store(units, Ordering::Relaxed);
        self.done.store(0, Ordering::Relaxed);
        report_progress(0.0, units as f64);
    }

    fn advance(&self, units: u64) {
        let before = self.done.fetch_add(units, Ordering::Relaxed);
        let (done, all) = (before + units, self.units.load(Ordering::Relaxed));
        let step = (all / 100).max(if all == 0 { STEP } else { 1 });
        if before / step != done / step {
            report_progress(done as f64, all as f64);
        }
    }
}
