//! Sizes, names and themes.

use crate::GAMES;
use crate::browser::{Page, drive};
use serde_json::json;

async fn resize(page: &Page, width: u32, height: u32) {
    let size =
        json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600 });
    page.devtools("Emulation.setDeviceMetricsOverride", size).await;
}

/// On a large screen everything needed to play is visible at once; on a phone the board and the
/// messages are.
#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn it_fits_every_screen_and_everything_has_a_name() {
    drive(async |page| {
        for (width, height, last) in [
            (1400, 900, ".legend"),
            (1280, 720, ".legend"),
            (390, 844, "#new"),
            (360, 740, "#board"),
        ] {
            resize(&page, width, height).await;
            for link in GAMES.into_iter().chain(["", "?board=8x8&moves=1", "?game=dots&board=3x3"])
            {
                page.open(link).await;
                let scrolled = "document.documentElement.scrollWidth \
                                - document.documentElement.clientWidth";
                assert_eq!(page.get(scrolled).await, json!(0), "{link}");
                for element in ["#notice", "#board", last] {
                    let bottom = format!(
                        "document.querySelector('{element}').getBoundingClientRect().bottom"
                    );
                    let bottom = page.get(&bottom).await.as_f64().unwrap();
                    assert!(
                        bottom <= height.into(),
                        "{element} of {link} ends at {bottom} of {width}x{height}"
                    );
                }
                let smallest = "Math.min(...[...document.querySelectorAll('.playable > .ground, .playable > .area')] \
                                .flatMap((it) => { const { width, height } = it.getBoundingClientRect(); \
                                return [width, height]; }))";
                let least = if link.contains("8x8") { 34.0 } else { 44.0 };
                assert!(page.get(smallest).await.as_f64().unwrap() >= least, "{link}");
                let unnamed = "[...document.querySelectorAll('button, input, select, textarea, [role=button]')] \
                               .filter((one) => one.checkVisibility() && !one.textContent.trim() && !one.ariaLabel && !one.labels?.length) \
                               .map((one) => one.outerHTML)";
                assert_eq!(page.get(unnamed).await, json!([]), "{link}");
                let pictures = "[...document.querySelectorAll('svg')].filter((one) => \
                                one.ariaHidden !== 'true' && !one.ariaLabel).length";
                assert_eq!(page.get(pictures).await, json!(0), "{link}");
            }
        }
        let elsewhere = "performance.getEntriesByType('resource') \
                         .filter((entry) => new URL(entry.name).origin !== location.origin).length";
        assert_eq!(page.get(elsewhere).await, json!(0));
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn wide_boards_scroll_within_the_page() {
    drive(async |page| {
        resize(&page, 360, 740).await;
        for link in
            ["?board=8x8&moves=1,20", "?board=8x2", "?board=1x8", "?board=1x20", "?board=4x16"]
        {
            page.open(link).await;
            assert_eq!(
                page.get("document.documentElement.scrollWidth").await,
                json!(360),
                "{link}"
            );
            let narrowest = "Math.min(...[...document.querySelectorAll('.playable .ground')] \
                             .map((cell) => cell.getBoundingClientRect().width))";
            assert!(page.get(narrowest).await.as_f64().unwrap() >= 32.0, "{link}");
        }
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn the_theme_follows_the_system_until_it_is_chosen() {
    drive(async |page| {
        let dark = json!({ "features": [{ "name": "prefers-color-scheme", "value": "dark" }] });
        page.devtools("Emulation.setEmulatedMedia", dark).await;
        page.open("").await;
        assert!(brightness(&page).await < 60);
        page.click("#theme").await;
        assert!(brightness(&page).await > 200);
        page.open("?game=dots").await;
        assert!(brightness(&page).await > 200);
        assert_eq!(page.get("document.getElementById('theme').ariaPressed").await, json!("false"));
    });
}

/// The text whose contrast with what is behind it is below 4.5, with the ratio.
const FAINT: &str = r#"(() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const luminance = (color) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = [...canvas.getImageData(0, 0, 1, 1).data].map((part) => part / 255);
    const linear = (part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    return alpha < 1 ? null : 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
  };
  const behind = (one) => {
    for (let at = one; at; at = at.parentElement) {
      const shape = at instanceof SVGElement ? at.previousElementSibling : null;
      const color = shape?.matches("rect, .token") ? getComputedStyle(shape).fill : getComputedStyle(at).backgroundColor;
      const found = luminance(color);
      if (found !== null) return found;
    }
    return 1;
  };
  const isText = (node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim();
  const faint = [];
  for (const one of document.querySelectorAll("body *")) {
    if (![...one.childNodes].some(isText) || !one.checkVisibility() || one.closest(":disabled, .hidden, .skip, option")) continue;
    const style = getComputedStyle(one);
    const [text, ground] = [luminance(one instanceof SVGElement ? style.fill : style.color), behind(one)];
    const ratio = (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05);
    if (ratio < 4.5) faint.push([one.textContent.trim(), one.getAttribute("class") ?? one.id, Math.round(ratio * 100) / 100]);
  }
  return faint;
})()"#;

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn text_is_legible_in_both_themes() {
    drive(async |page| {
        for theme in ["light", "dark"] {
            let scheme =
                json!({ "features": [{ "name": "prefers-color-scheme", "value": theme }] });
            page.devtools("Emulation.setEmulatedMedia", scheme).await;
            for link in [
                "?board=4x4&moves=1,16,2",
                "?board=3x3&moves=1,9,3,7",
                "?game=dots&board=2x2&moves=a1-b1,b1-b2,a1-a2,a2-b2",
                "?game=rpsw&board=4x3&pieces=2",
                "?game=mnk&moves=a1,b2,b1",
            ] {
                page.settle(link).await;
                assert_eq!(page.get(FAINT).await, json!([]), "{theme} {link}");
            }
        }
    });
}

/// The brightness of the background, from 0 to 255.
async fn brightness(page: &Page) -> u64 {
    let red = "Number(/\\d+/.exec(getComputedStyle(document.body).backgroundColor)[0])";
    page.get(red).await.as_u64().unwrap()
}
