//! Sizes, names and themes.

use crate::browser::{Page, drive};
use crate::{GAMES, with};
use serde_json::json;

/// On a large screen everything needed to play is visible at once; on a phone the board and the
/// messages are.
#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn it_fits_every_screen_and_everything_has_a_name() {
    const SIZES: [(u32, u32, &str); 4] =
        [(1400, 900, ".legend"), (1280, 720, ".legend"), (390, 844, "#new"), (360, 740, "#board")];
    drive(|page| {
        for link in GAMES.into_iter().chain([
            "?game=british-square",
            "?board=8x8&moves=1",
            "?game=dots&board=3x3",
        ]) {
            page.open(link);
            for (width, height, last) in SIZES {
                page.resize(width, height);
                fits(page, link, height, &["#notice", "#board", last]);
                let smallest = "Math.min(...[...document.querySelectorAll('.playable > .ground, .playable > .area')] \
                                .flatMap((it) => { const { width, height } = it.getBoundingClientRect(); \
                                return [width, height]; }))";
                let least = if link.contains("8x8") { 34.0 } else { 44.0 };
                assert!(page.get(smallest).as_f64().unwrap() >= least, "{link}");
                let unnamed = "[...document.querySelectorAll('button, input, select, textarea, [role=button]')] \
                               .filter((one) => one.checkVisibility() && !one.textContent.trim() && !one.ariaLabel && !one.labels?.length) \
                               .map((one) => one.outerHTML)";
                assert_eq!(page.get(unnamed), json!([]), "{link}");
                let pictures = "[...document.querySelectorAll('svg')].filter((one) => \
                                one.ariaHidden !== 'true' && !one.ariaLabel).length";
                assert_eq!(page.get(pictures), json!(0), "{link}");
            }
        }
        // In the other activities the board and what belongs to it are in sight, and fingers hit everything.
        for link in GAMES {
            for (task, last) in [
                ("learn=yes", "#board"),
                ("puzzle=any&seed=3", "#puzzle-form"),
                ("edit=first", "#tools"),
                ("values=yes", "#hint"),
            ] {
                let link = with(link, task);
                page.open(&link);
                let task = task.split('=').next().unwrap();
                page.until(&format!("location.search.includes('{task}')"));
                for (width, height, _) in &SIZES[..3] {
                    page.resize(*width, *height);
                    fits(page, &link, *height, &[last]);
                }
                let small = "[...document.querySelectorAll('button, select, summary, input:not([type=checkbox])')] \
                             .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 43.9) \
                             .map((one) => one.outerHTML)";
                assert_eq!(page.get(small), json!([]), "{link}");
            }
        }
    });
}

/// Checks that elements are in sight and that the page is not wider than the screen.
fn fits(page: &Page, link: &str, height: u32, elements: &[&str]) {
    let scrolled = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
    assert_eq!(page.get(scrolled), json!(0), "{link}");
    for element in elements {
        let bottom = format!("document.querySelector('{element}').getBoundingClientRect().bottom");
        let bottom = page.get(&bottom).as_f64().unwrap();
        assert!(bottom <= height.into(), "{element} of {link} ends at {bottom} of {height}");
    }
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn wide_boards_scroll_within_the_page() {
    drive(|page| {
        page.resize(360, 740);
        for link in
            ["?board=8x8&moves=1,20", "?board=8x2", "?board=1x8", "?board=1x20", "?board=4x16"]
        {
            page.open(link);
            assert_eq!(page.get("document.documentElement.scrollWidth"), json!(360), "{link}");
            let narrowest = "Math.min(...[...document.querySelectorAll('.playable .ground')] \
                             .map((cell) => cell.getBoundingClientRect().width))";
            assert!(page.get(narrowest).as_f64().unwrap() >= 32.0, "{link}");
        }
    });
}

/// On paper there are the board and what is known, without controls.
#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn a_position_is_printed_without_controls() {
    drive(|page| {
        page.settle("?game=mnk&moves=b2,a1");
        page.until("document.querySelector('#line li')");
        page.devtools("Emulation.setEmulatedMedia", json!({ "media": "print" }));
        let seen = |what: &str| {
            format!(
                "[...document.querySelectorAll('{what}')].filter((one) => one.checkVisibility()).length"
            )
        };
        assert_eq!(
            page.get(&seen(".toolbar button, header button, select:not(#game), .switch")),
            json!(0)
        );
        for what in ["#board", "#turn", "#played li", "#best button", "#line li", "#report"] {
            assert_ne!(page.get(&seen(what)), json!(0), "{what}");
        }
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn the_theme_follows_the_system_until_it_is_chosen() {
    drive(|page| {
        scheme(page, "dark");
        page.open("?game=mnk");
        assert!(brightness(page) < 60);
        page.click("#theme");
        assert!(brightness(page) > 200);
        page.open("?game=dots");
        assert!(brightness(page) > 200);
        assert_eq!(page.get("document.getElementById('theme').ariaPressed"), json!("false"));
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
      const before = at instanceof SVGElement ? at.previousElementSibling : null;
      const shape = before?.matches("rect, .token") ? before : at.matches(".cell > text") ? at.parentElement.querySelector(".ground") : null;
      const color = shape ? getComputedStyle(shape).fill : getComputedStyle(at).backgroundColor;
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

/// The violations of WCAG that axe finds. What stands at a place of the board is not its label: marks of
/// values are described in words.
const VIOLATIONS: &str = r#"axe.run(document, { runOnly: RULES })
  .then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes
    .filter(({ html }) => id !== "label-content-name-mismatch" || !/^<g [^>]*class="place/.test(html))
    .map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`)))"#;

/// axe-core of the npm registry finds no violation of WCAG 2.2 AA in any state of the page.
#[test]
#[ignore = "needs Chromium, chromedriver and axe-core: npm install --prefix target/axe axe-core && cargo test --features full --test page -- --ignored"]
fn axe_finds_no_violation() {
    const AXE: &str =
        concat!(env!("CARGO_MANIFEST_DIR"), "/target/axe/node_modules/axe-core/axe.min.js");
    let axe = std::fs::read_to_string(AXE).expect("npm install --prefix target/axe axe-core");
    // What depends on colours and sizes is checked again on a phone in the dark.
    let looks = [
        ("light", 1280, 720, "['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']"),
        ("dark", 390, 844, "['color-contrast', 'target-size']"),
    ];
    drive(move |page| {
        page.visit("");
        page.get("(localStorage.clear(), 1)");
        for link in [
            "",
            "?game=mnk",
            "?moves=7,19,9,17,13&values=yes",
            "?game=mnk&moves=a1,b2,b1,c1,a3&values=yes",
            "?game=dots&board=2x2&moves=a1-b1,b1-b2,a1-a2,a2-b2&values=yes",
            "?game=rpsw&board=4x3&pieces=2&values=yes",
            "?game=dots&learn=yes",
            "?puzzle=win&seed=2",
            "?game=rpsw&board=4x3&pieces=2&edit=first,a1:R,b2:p",
            "?game=mnk&moves=a1,b1,a2,b2,a3",
        ] {
            page.visit(link);
            page.until(
                "document.getElementById('board')?.ariaBusy === 'false' || document.querySelector('.game .board')",
            );
            page.run("document.querySelectorAll('details').forEach((one) => { one.open = true; })");
            page.run(&axe);
            for (theme, width, height, rules) in looks {
                scheme(page, theme);
                page.resize(width, height);
                let found = page.get(&VIOLATIONS.replace("RULES", rules));
                assert_eq!(found, json!([]), "{theme} {link}");
            }
        }
    });
}

/// Switches to a theme at once, without a transition.
fn scheme(page: &Page, theme: &str) {
    page.prefer(&[("prefers-color-scheme", theme), ("prefers-reduced-motion", "reduce")]);
}

#[test]
#[ignore = "needs Chromium and chromedriver: cargo test --features full --test page -- --ignored"]
fn text_is_legible_in_both_themes() {
    drive(|page| {
        for theme in ["light", "dark"] {
            scheme(page, theme);
            for link in [
                "?board=4x4&moves=1,16,2",
                "?board=3x3&moves=1,9,3,7",
                "?game=dots&board=2x2&moves=a1-b1,b1-b2,a1-a2,a2-b2",
                "?game=rpsw&board=4x3&pieces=2",
                "?game=mnk&moves=a1,b2,b1",
            ] {
                page.settle(link);
                assert_eq!(page.get(FAINT), json!([]), "{theme} {link}");
            }
        }
    });
}

/// The brightness of the background, from 0 to 255.
fn brightness(page: &Page) -> u64 {
    let red = "Number(/\\d+/.exec(getComputedStyle(document.body).backgroundColor)[0])";
    page.get(red).as_u64().unwrap()
}
