//! By day and by night, in both languages, by keys alone.

use super::{
    Demo,
    tab::{DESK, Eyes, Tab},
};

const GENERAL: &str = "/channel/C0GENERAL1";

/// How bright the ground of the page is, from 0 to 255.
async fn ground(tab: &Tab) -> f64 {
    let colour =
        "getComputedStyle(document.querySelector('main')).backgroundColor.match(/[0-9.]+/g).slice(0, 3)";
    let parts = tab.eval(&format!("{colour}.map(Number)")).await;
    parts.as_array().expect("a colour").iter().filter_map(serde_json::Value::as_f64).sum::<f64>() / 3.0
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn colours_and_language_are_the_systems_until_somebody_chooses() {
    let demo = Demo::start(&["--lang", "en"]).await;
    let Some(tab) = demo.tab(DESK).await else { return };
    tab.go(GENERAL).await;
    assert!(ground(&tab).await > 200.0, "light");
    tab.look(Eyes { is_dark: true, ..DESK }).await;
    assert!(ground(&tab).await < 60.0, "dark");
    tab.go("/talk").await;
    assert!(ground(&tab).await < 60.0, "dark there too");
    tab.go("/looks").await;
    tab.choose("main #theme", "light").await;
    tab.choose("main #language", "日本語").await;
    tab.click("main form button").await;
    tab.until("document.documentElement.lang === 'ja'").await;
    assert!(ground(&tab).await > 200.0, "what was chosen counts");
    tab.go("/talk").await;
    tab.until_says("長く覚えていること").await;
    tab.done().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_japanese_workspace_is_japanese() {
    let demo = Demo::start(&["--lang", "ja"]).await;
    let Some(tab) = demo.tab(Eyes { language: "fr", ..DESK }).await else { return };
    tab.go("/talk").await;
    assert_eq!(tab.eval("document.documentElement.lang").await, "ja");
    super::story::ask(&tab, "@myao 発送はいつからですか？", "5/8").await;
    tab.click("form.clock button[value='1w']").await;
    tab.until_says("最後に閉じた章").await;
    tab.go("/recall?q=新茶").await;
    tab.until("[...document.querySelectorAll('main mark')].some((one) => one.innerText.includes('新茶'))")
        .await;
    tab.done().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn everything_is_reached_by_keys() {
    let demo = Demo::start(&["--lang", "en"]).await;
    let Some(tab) = demo.tab(DESK).await else { return };
    tab.go(GENERAL).await;
    tab.press("?").await;
    tab.until("document.querySelector('#keys').matches(':popover-open')").await;
    tab.press("Escape").await;
    tab.until("!document.querySelector('#keys').matches(':popover-open')").await;
    tab.press("j").await;
    tab.press("j").await;
    tab.press("k").await;
    tab.until("document.activeElement === document.querySelector('[data-item]')").await;
    tab.press("Enter").await;
    tab.until(&format!("location.pathname.startsWith('{GENERAL}/')")).await;
    tab.press("g").await;
    tab.press("o").await;
    tab.until("location.pathname === '/' && document.readyState === 'complete'").await;
    tab.press("/").await;
    tab.until("document.activeElement.id === 'q'").await;
    tab.fill("#q", "/j?").await;
    assert_eq!(tab.eval("document.querySelector('#q').value").await, "/j?", "keys are letters while typing");
    tab.fill("#q", "gaskets").await;
    tab.press("Enter").await;
    tab.until("location.pathname === '/recall' && document.querySelectorAll('main mark').length > 0").await;
    tab.done().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn recall_follows_what_is_typed() {
    let demo = Demo::start(&["--lang", "en"]).await;
    let Some(tab) = demo.tab(DESK).await else { return };
    tab.go("/recall").await;
    tab.fill("#rq", "gaskets").await;
    tab.until("document.querySelectorAll('#found mark').length > 0").await;
    tab.fill("#f-from", "nobody-of-that-name").await;
    tab.until_says("There is nobody called").await;
    assert_eq!(tab.eval("document.activeElement.id").await, "f-from", "the cursor stays where it was");
    assert_eq!(tab.eval("document.querySelectorAll('#found').length").await, 1);
    tab.done().await;
}
