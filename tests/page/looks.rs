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

/// The brightness of the background, from 0 to 255.
async fn brightness(page: &Page) -> u64 {
    let red = "Number(/\\d+/.exec(getComputedStyle(document.body).backgroundColor)[0])";
    page.get(red).await.as_u64().unwrap()
}
