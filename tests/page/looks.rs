//! Tests what the page shows and hides.

use crate::browser::{Page, drive};
use serde_json::json;

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn values_can_be_hidden() {
    drive(async |page| {
        page.open("?moves=7,19,12").await;
        page.settled(3, 3).await;
        let numbers = "[...document.querySelectorAll('main .value, #graph text, #warning-text')] \
                       .filter((one) => one.checkVisibility()).length";
        assert_ne!(page.get(numbers).await, json!(0));
        page.click("#show-values").await;
        page.until(&format!("{numbers} === 0")).await;
        let labels = "[...document.querySelectorAll('.cell')].map((cell) => cell.ariaLabel).join()";
        let labels = page.get(labels).await.to_string();
        assert!(!labels.contains("value") && !labels.contains("cost"), "{labels}");
        assert_eq!(page.text("verdict").await, "");
        // A hint is still available on request.
        page.click("#hint").await;
        page.until("document.querySelectorAll('.cell .star:not([hidden])').length === 1").await;
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn cells_say_what_they_are() {
    drive(async |page| {
        page.open("?moves=7,19").await;
        page.settled(2, 2).await;
        let labels = "[...document.querySelectorAll('.cell')].map((cell) => cell.ariaLabel)";
        let labels = page.get(labels).await;
        assert_eq!(labels.as_array().unwrap().len(), 25);
        assert_eq!(labels[7], "c2, tile 8, empty, claimed by first, value 0, costs 2 points");
        assert_eq!(labels[3], "d1, tile 4, empty, value +2, perfect");
        assert_eq!(labels[6], "b2, tile 7, X");
        assert_eq!(labels[18], "d4, tile 19, O, the last move");
        assert_eq!(labels[13], "d3, tile 14, empty, claimed by second, not legal");
        let unnamed = "[...document.querySelectorAll('button, input, select, textarea')].filter( \
                       (one) => !one.textContent.trim() && !one.ariaLabel && !one.labels?.length).length";
        assert_eq!(page.get(unnamed).await, json!(0));
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn it_fits_a_small_phone_and_loads_nothing_from_elsewhere() {
    drive(async |page| {
        let size = json!({ "width": 360, "height": 740, "deviceScaleFactor": 2, "mobile": true });
        page.devtools("Emulation.setDeviceMetricsOverride", size).await;
        for link in [
            "?moves=7,19,12",
            "?board=8x8&moves=1,20",
            "?board=8x2",
            "?board=1x8",
            "?board=1x20",
            "?board=4x16",
        ] {
            page.open(link).await;
            let too_wide = "document.documentElement.scrollWidth - 360";
            assert_eq!(page.get(too_wide).await, json!(0), "{link}");
            let narrowest = "Math.min(...[...document.querySelectorAll('.cell')] \
                             .map((cell) => cell.getBoundingClientRect().width))";
            assert!(page.get(narrowest).await.as_f64().unwrap() >= 32.0, "{link}");
        }
        let elsewhere = "performance.getEntriesByType('resource') \
                         .filter((entry) => new URL(entry.name).origin !== location.origin).length";
        assert_eq!(page.get(elsewhere).await, json!(0));
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn the_theme_follows_the_system_until_it_is_chosen() {
    drive(async |page| {
        prefer(&page, "dark").await;
        page.open("").await;
        assert!(brightness(&page).await < 60);
        page.click("#theme").await;
        assert!(brightness(&page).await > 200);
        page.open("?moves=7").await;
        assert!(brightness(&page).await > 200);
    });
}

async fn prefer(page: &Page, theme: &str) {
    let features = json!({ "features": [{ "name": "prefers-color-scheme", "value": theme }] });
    page.devtools("Emulation.setEmulatedMedia", features).await;
}

/// The brightness of the background, from 0 to 255.
async fn brightness(page: &Page) -> u64 {
    let red = "Number(/\\d+/.exec(getComputedStyle(document.body).backgroundColor)[0])";
    page.get(red).await.as_u64().unwrap()
}
