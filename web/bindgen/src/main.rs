//! `bsq-bindgen MODULE OUT` writes `bsq.js` and `bsq_bg.wasm` to the folder `OUT`: the compiled crate
//! `web/wasm` as a module for browsers. `web/build` runs it.

use anyhow::Context;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args_os().skip(1);
    let module = arguments.next().context("expected the compiled module")?;
    let out = arguments.next().context("expected the folder for the files")?;
    Bindgen::new()
        .input_path(&module)
        .web(true)?
        .typescript(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .out_name("bsq")
        .generate(&out)
}
