//! The search field offers what fits while somebody types, on every page, by keys alone; and one list of pages leads
//! from the talk to the memory and back, on a phone and without script, too.

use serde_json::json;

use super::{
    Demo,
    tab::{DESK, Eyes, PHONE, Tab},
};

/// How often a page is loaded again until the index is complete.
const MOST_LOADS: u32 = 400;
const TALK: &str = "/talk/at/C0SPRINGC4";

/// Types letter by letter, as a hand does.
async fn type_into(tab: &Tab, selector: &str, text: &str) {
    tab.fill(selector, "").await;
    for letter in text.chars() {
        tab.press(&letter.to_string()).await;
    }
}

async fn until_offered(tab: &Tab, words: &str) {
    tab.until(&format!(
        "!document.querySelector('#offers').hidden && document.querySelector('#offers').innerText.includes({})",
        json!(words)
    ))
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_fits_is_offered_on_every_page() {
    let demo = Demo::start(&["--lang", "en"]).await;
    let Some(tab) = demo.tab(DESK).await else { return };
    // The sample is indexed while its first page is shown already.
    for _ in 0..MOST_LOADS {
        tab.go("/recall?q=gaskts").await;
        if tab.eval("document.querySelectorAll('main mark').length > 0").await == true {
            break;
        }
    }
    for path in [TALK, "/", "/people", "/channel/C0SPRINGC4"] {
        tab.go(path).await;
        tab.fill("#q", "imog").await;
        until_offered(&tab, "Imogen").await;
        let chosen =
            "[...document.querySelectorAll('#offers a')].some((one) => one.pathname.startsWith('/people/'))";
        assert_eq!(tab.eval(chosen).await, true, "{path}");
        tab.fill("#q", "gaskts").await;
        until_offered(&tab, "Did you mean “gaskets”?").await;
        let told = tab.barriers().await;
        assert!(told.is_empty(), "{path}: {told:#?}");
    }
    tab.look(Eyes { is_dark: true, ..DESK }).await;
    let told = tab.contrasts().await;
    assert!(told.is_empty(), "dark: {told:#?}");
    tab.done().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_offer_is_chosen_by_keys() {
    let demo = Demo::start(&["--lang", "en"]).await;
    let Some(tab) = demo.tab(DESK).await else { return };
    tab.go(TALK).await;
    tab.press("/").await;
    tab.until("document.activeElement.id === 'q'").await;
    type_into(&tab, "#q", "spring").await;
    until_offered(&tab, "# spring-count").await;
    // A hand that pauses is offered what fits the letters so far; keys choose from what fits all of them.
    until_offered(&tab, "All that fits “spring”").await;
    let active = "document.querySelector('#q').getAttribute('aria-activedescendant')";
    assert!(tab.eval(active).await.is_null());
    tab.press("ArrowDown").await;
    assert_eq!(tab.eval(active).await, "offer1");
    assert_eq!(tab.eval("document.activeElement.id").await, "q", "the field keeps the focus");
    tab.press("ArrowUp").await;
    assert!(tab.eval(active).await.is_null(), "before the first is the field");
    tab.press("ArrowUp").await;
    tab.until("document.querySelector('#offers [aria-selected=true]').classList.contains('all')").await;
    tab.press("Escape").await;
    assert_eq!(tab.eval("document.querySelector('#offers').hidden").await, true);
    assert_eq!(tab.eval("document.querySelector('#q').value").await, "spring", "what was typed stays");
    assert_eq!(tab.eval("document.querySelector('#q').getAttribute('aria-expanded')").await, "false");
    tab.press("ArrowDown").await;
    tab.press("Enter").await;
    tab.until("location.pathname === '/channel/C0SPRINGC4'").await;
    tab.fill("#q", "gaskets").await;
    until_offered(&tab, "gaskets").await;
    tab.press("Enter").await;
    tab.until("location.pathname === '/recall' && document.querySelectorAll('main mark').length > 0").await;
    tab.done().await;
}

/// While one question is answered, no other is asked; then the newest is, and what it finds is what is shown.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_question_at_a_time() {
    let demo = Demo::start(&["--lang", "en"]).await;
    let Some(tab) = demo.tab(DESK).await else { return };
    tab.go("/").await;
    tab.eval(
        "window.asked = []; window.under = 0; window.most = 0; const really = window.fetch;
        window.fetch = async (address) => {
            window.asked.push(new URL(address, location).searchParams.get('q'));
            window.most = Math.max(window.most, ++window.under);
            if (window.asked.length === 1) await new Promise((done) => { window.goOn = done; });
            const answer = await really(address);
            window.under -= 1;
            return answer;
        }; 0",
    )
    .await;
    // At once: where a busy machine pauses between two letters, the first alone would be asked for.
    tab.fill("#q", "gas").await;
    tab.until("window.asked.length === 1").await;
    for more in ["k", "e", "t"] {
        tab.press(more).await;
        // Longer than the pause after which something is asked for.
        tab.eval("new Promise((done) => setTimeout(done, 250))").await;
    }
    assert_eq!(tab.eval("window.asked.length").await, 1, "the first is not answered yet");
    tab.eval("window.goOn()").await;
    until_offered(&tab, "All that fits “gasket”").await;
    assert_eq!(tab.eval("window.asked").await, json!(["gas", "gasket"]));
    assert_eq!(tab.eval("window.most").await, 1);
    tab.done().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn japanese_is_offered_once_it_is_written() {
    let demo = Demo::start(&["--lang", "ja"]).await;
    let Some(tab) = demo.tab(Eyes { language: "ja", ..DESK }).await else { return };
    tab.go("/talk").await;
    tab.fill("#q", "新茶").await;
    until_offered(&tab, "「新茶」に合うものをすべて見る").await;
    tab.until("document.querySelectorAll('#offers mark').length > 0").await;
    tab.done().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn search_and_pages_work_without_script() {
    let demo = Demo::start(&["--lang", "en"]).await;
    let Some(tab) = demo.tab(Eyes { has_script: false, ..PHONE }).await else { return };
    for page in ["/people", "/memos", "/cost", "/recall"] {
        tab.go(TALK).await;
        tab.click("header .menu").await;
        tab.click(&format!("#rail a[href='{page}']")).await;
        tab.until(&format!("location.pathname === '{page}'")).await;
        tab.click("header .menu").await;
        tab.click("#rail a[href='/talk']").await;
        tab.until("location.pathname.startsWith('/talk/at/')").await;
    }
    tab.fill("#q", "gaskets").await;
    tab.press("Enter").await;
    tab.until("location.pathname === '/recall' && document.querySelectorAll('main mark').length > 0").await;
    assert_eq!(tab.eval("document.querySelector('#q').getAttribute('role')").await, serde_json::Value::Null);
    tab.done().await;
}

/// On a phone of 390 pixels: words have 300, and what is touched is 32 high.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_phone_has_room_for_words_and_thumbs() {
    let narrow = "[...document.querySelectorAll('.lines .say p, .memory > li > p, .memory > li > div > p:first-child')]
        .filter((one) => one.checkVisibility() && !one.closest('table') && one.getBoundingClientRect().width < 300)
        .map((one) => `${Math.round(one.getBoundingClientRect().width)}: ${one.innerText.slice(0, 40)}`)";
    let small = "[...document.querySelectorAll('button, select, textarea, summary, input:not([type=hidden], [type=checkbox], [type=radio]), \
        nav a, main a')]
        .filter((one) => one.checkVisibility() && !one.closest('table, .vh, [dir] a') && one.getBoundingClientRect().height < 32)
        .map((one) => `${one.getBoundingClientRect().height}: ${one.outerHTML.slice(0, 120)}`)";
    let mut found = Vec::new();
    for language in ["en", "ja"] {
        let demo = Demo::start(&["--lang", language]).await;
        let Some(tab) = demo.tab(Eyes { width: 390, language, ..PHONE }).await else { return };
        tab.go("/talk").await;
        let talk = tab.eval("location.pathname").await.as_str().expect("a path").to_owned();
        let channel = talk.rsplit('/').next().expect("an id").to_owned();
        for path in [
            talk,
            format!("/channel/{channel}"),
            format!("/channel/{channel}/chapter/2"),
            format!("/channel/{channel}/threads"),
            "/recall?q=1".to_owned(),
            "/".to_owned(),
            "/people".to_owned(),
            "/workspace".to_owned(),
            "/looks".to_owned(),
        ] {
            tab.go(&path).await;
            for (what, expression) in [("narrow", narrow), ("small", small)] {
                let told = tab.eval(expression).await;
                let told = told.as_array().expect("a list").iter().take(4);
                found.extend(told.map(|one| format!("{language} {path}: {what}: {one}")));
            }
            let overhang = tab.overhang().await;
            if overhang > 0 {
                found.push(format!("{language} {path}: {overhang} stick out: {}", tab.sticking_out().await));
            }
        }
        tab.done().await;
    }
    assert!(found.is_empty(), "{found:#?}");
}
