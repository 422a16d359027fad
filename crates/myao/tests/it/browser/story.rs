//! What the demo tells: something is asked and answered, time passes, memory grows, and words are taken back.

use super::{
    Demo,
    tab::{DESK, Eyes, Tab},
};

/// Says something, and waits until it stands in the talk.
pub(super) async fn say(tab: &Tab, text: &str) {
    tab.fill("#say", text).await;
    tab.click("#composer button.go").await;
    tab.until(&format!(
        "document.querySelector('#says').innerText.includes({0}) && document.querySelector('#say').value === ''",
        serde_json::json!(text)
    ))
    .await;
}

/// The condition that our answer after the message that ends with `question` holds some words.
fn is_answered(question: &str, words: &str) -> String {
    format!(
        "(() => {{ const all = [...document.querySelectorAll('#says > li[data-item]')];
            const at = all.findLastIndex((one) => one.innerText.includes({}));
            return all.slice(at + 1).some((one) => one.classList.contains('own') && one.innerText.includes({})); }})()",
        serde_json::json!(question),
        serde_json::json!(words)
    )
}

/// Asks something, and waits for the answer that is given to it: the whole text of it.
pub(super) async fn ask(tab: &Tab, question: &str, words: &str) -> String {
    say(tab, question).await;
    tab.until(&is_answered(question, words)).await;
    let last = "[...document.querySelectorAll('#says > .own')].at(-1).innerText";
    tab.eval(last).await.as_str().expect("an answer").to_owned()
}

/// Lets time pass, and waits until a part of the page says something.
pub(super) async fn pass(tab: &Tab, span: &str, part: &str, words: &str) {
    tab.click(&format!("form.clock button[value='{span}']")).await;
    tab.until(&format!("document.querySelector('{part}')?.innerText.includes({})", serde_json::json!(words)))
        .await;
    tab.until("!document.querySelector('form.clock.htmx-request') && !document.querySelector('#stop')").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn from_opening_to_memory_growing() {
    let demo = Demo::start(&["--lang", "en"]).await;
    let Some(tab) = demo.tab(DESK).await else { return };
    tab.go("/talk").await;
    assert!(tab.text().await.contains("#spring-count"));
    ask(&tab, "@myao when is the Spring Count now?", "April").await;
    tab.until("/[1-9][0-9,]* of at most/.test(document.querySelector('#lastreply').innerText)").await;

    say(&tab, "Decided: box 41 goes to the old mill on Friday 3 April.").await;
    tab.until("/^[1-9]/.test(document.querySelector('#underway b').innerText)").await;
    pass(&tab, "1h", "#clock", "closes at").await;
    pass(&tab, "1h", "#says", "Chapter 11 ends here").await;
    pass(&tab, "1d", "#closed", "Chapter 11, the last that closed").await;
    pass(&tab, "1d", "#longterm", "old mill").await;
    tab.until(
        "[...document.querySelectorAll('#longterm ins')].some((one) => one.innerText.includes('old mill'))",
    )
    .await;

    // A line of the memory leads to the message that it came from.
    tab.click("#longterm li:has(ins) a").await;
    tab.until("location.pathname.endsWith('/why')").await;
    tab.until_says("Decided: box 41 goes to the old mill").await;
    tab.done().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_edit_reaches_the_memory() {
    let demo = Demo::start(&["--lang", "en"]).await;
    let Some(tab) = demo.tab(DESK).await else { return };
    tab.go("/talk").await;
    say(&tab, "Decided: the launch party is on Saturday 9 May at the lido.").await;
    pass(&tab, "1w", "#longterm", "the lido").await;
    let said = "[...document.querySelectorAll('#says > li[data-item]')].findLast((one) => one.innerText.includes('the lido')).id";
    let said = tab.eval(said).await.as_str().expect("an id").to_owned();
    tab.click(&format!("#{said} .more > summary")).await;
    tab.click(&format!("#{said} .more a[href*='edit=']")).await;
    tab.until("document.querySelector('#anew') !== null").await;
    tab.fill("#anew", "Decided: the launch party is on Sunday 10 May at the observatory.").await;
    tab.click("form:has(#anew) button.go").await;
    tab.until("document.querySelector('#anew') === null && document.querySelector('#says') !== null").await;
    tab.until_says("(edited)").await;
    // What was made from the old words is gone at once, before anything was written anew.
    tab.until("!document.querySelector('#longterm').innerText.includes('the lido')").await;
    pass(&tab, "1d", "#longterm", "the observatory").await;
    assert!(!tab.text().await.contains("the lido"));
    tab.done().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ones_own_history_is_walked_through() {
    let export = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/en");
    let demo = Demo::start(&["--lang", "en", "--import", export]).await;
    let Some(tab) = demo.tab(DESK).await else { return };
    tab.go("/talk/at/C0SPRINGC4").await;
    let clock = async || tab.eval("document.querySelector('#clock').innerText").await.to_string();
    assert!(clock().await.contains("Your export: 1 of 292 messages; the next 2 Mar"), "{}", clock().await);
    assert!(!tab.text().await.contains("20 April"), "what is to come is not there");
    pass(&tab, "1w", "#longterm", "Count week is Monday 23 March").await;
    assert!(!tab.text().await.contains("20 April"));
    pass(&tab, "4w", "#clock", "that was all of it").await;
    tab.until("document.querySelector('#longterm').innerText.includes('April')").await;
    tab.done().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_of_it_works_without_script() {
    let demo = Demo::start(&["--lang", "en"]).await;
    let Some(tab) = demo.tab(Eyes { has_script: false, ..DESK }).await else { return };
    tab.go("/talk").await;
    let question = "@myao when is the Spring Count now?";
    say(&tab, question).await;
    // A page on which something is under way loads itself again, until that is over.
    tab.until(&is_answered(question, "April")).await;
    tab.until("document.querySelector('#typing').innerText === ''").await;
    tab.click("form.clock button[value='1w']").await;
    tab.until_says("Chapter 11 ends here").await;
    tab.until("document.querySelector('#stop') === null").await;
    tab.choose("#me", "Callum").await;
    tab.click(".viewas button").await;
    tab.until_says("You speak as Callum").await;
    tab.go("/recall").await;
    tab.fill("main input[name='q']", "gaskets").await;
    tab.click("main form button.go").await;
    tab.until("document.querySelectorAll('main mark').length > 0").await;
    tab.done().await;
}
