//! The static files of `web/build`, in a folder of a web server without the API.

use crate::GAMES;
use crate::browser::{Page, drive_refused};
use crate::programs::Program;

/// The page in the same browser, from static files.
fn without_server(page: &Page, files: &Program) -> Page {
    let mut page = page.clone();
    page.origin = files.place.clone();
    page
}

/// What the page shows of a link.
async fn shown(page: &Page, link: &str) -> String {
    page.settle(link).await;
    page.until("!document.body.innerText.includes('Searching')").await;
    page.get("document.querySelector('main').innerText").await.as_str().unwrap().to_string()
}

#[test]
#[ignore = "needs Chromium, chromedriver and web/build: cargo test --features full --test page -- --ignored"]
fn the_page_shows_the_same_with_and_without_a_server() {
    drive_refused(async |page| {
        let files = Program::files();
        let alone = without_server(&page, &files);
        for link in GAMES {
            let expected = shown(&page, link).await;
            assert_eq!(shown(&alone, link).await, expected, "{link}");
            assert_ne!(alone.text("verdict").await, "", "{link}");
        }
    });
}

#[test]
#[ignore = "needs Chromium, chromedriver and web/build: cargo test --features full --test page -- --ignored"]
fn games_are_played_loaded_and_linked_without_a_server() {
    drive_refused(async |page| {
        let files = Program::files();
        let page = without_server(&page, &files);
        page.settle("?board=4x4&second=perfect").await;
        page.click(".playable").await;
        page.settled(2, 2).await;
        let link = page.link().await;
        page.settle(&link).await;
        page.settled(2, 2).await;
        // A record is written and loaded by the same program.
        page.click("#share summary").await;
        page.until("document.getElementById('record').value.includes('4x4')").await;
        page.open("?board=4x4&moves=1,1").await;
        page.until("document.body.innerText.includes('not legal')").await;
    });
}

/// A search that is no longer wanted ends, and its place is free for the next one.
#[test]
#[ignore = "needs Chromium, chromedriver and web/build: cargo test --features full --test page -- --ignored"]
fn a_long_search_neither_blocks_the_page_nor_the_next_search() {
    drive_refused(async |page| {
        let files = Program::files();
        let page = without_server(&page, &files);
        page.open("?game=dots&board=4x4").await;
        assert_eq!(page.get("document.getElementById('board').ariaBusy").await, "true");
        page.get("document.querySelector('.playable').dispatchEvent(new Event('click', { bubbles: true }))")
            .await;
        page.says("place", "1 / 1").await;
        page.get("document.getElementById('game').value = 'mnk'").await;
        page.get("document.getElementById('game').dispatchEvent(new Event('change'))").await;
        page.says("verdict", "Best play ends in a draw.").await;
    });
}
