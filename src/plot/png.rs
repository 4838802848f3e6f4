//! PNG output: the SVG, rendered with an embedded font.

use anyhow::{Context, Result};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};
use std::sync::Arc;

/// Pixels per unit of a picture.
const SCALE: f32 = 2.0;
/// The embedded font, the only one.
const FONT: &str = "DejaVu Sans";

/// Renders an SVG as a PNG.
pub fn render(svg: &str) -> Result<Vec<u8>> {
    let mut options = Options { font_family: FONT.to_string(), ..Options::default() };
    let fonts = Arc::make_mut(&mut options.fontdb);
    fonts.load_font_data(dejavu::sans::regular().to_vec());
    fonts.set_sans_serif_family(FONT);
    let tree = Tree::from_str(svg, &options)?;
    let side = |length: f32| (length * SCALE).ceil() as u32;
    let size = tree.size();
    let mut pixels = Pixmap::new(side(size.width()), side(size.height()))
        .context("the picture is too large for a PNG; an SVG has no limit")?;
    resvg::render(&tree, Transform::from_scale(SCALE, SCALE), &mut pixels.as_mut());
    Ok(pixels.encode_png()?)
}
