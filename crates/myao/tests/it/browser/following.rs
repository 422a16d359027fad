//! Pages that change while somebody looks: the overview, a past that is judged again, memories that are written anew.

use super::{
    Demo,
    story::{pass, say},
    tab::{DESK, Tab},
};

/// Marks the page, so that it shows whether it was loaded anew.
const MARK: &str = "window.isTheSame = true";
/// How often a menu is clicked until it is open.
const TRIES: usize = 5;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_overview_follows_what_happens() {
    let demo = Demo::start(&["--lang", "en"]).await;
    let Some(tab) = demo.tab(DESK).await else { return };
    let Some(other) = demo.tab(DESK).await else { return };
    tab.go("/").await;
    tab.eval(MARK).await;
    let counted = "document.querySelector('#told .lede').innerText";
    let before = tab.eval(counted).await;
    other.go("/talk").await;
    say(&other, "Somebody left a ladder at the mill.").await;
    tab.until(&format!("{counted} !== {before}")).await;
    tab.until("document.querySelector('#pulse').innerText.includes('spring-count')").await;
    // A day later the words are remembered.
    pass(&other, "1d", "#closed", "the last that closed").await;
    tab.until("document.querySelector('#pulse').innerText.includes('caught up')").await;
    assert_eq!(tab.eval("window.isTheSame").await, true, "without being loaded anew");
    other.done().await;
    tab.done().await;
}

/// A reaction from elsewhere draws the message anew while its menu is open.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_open_menu_stays_open_when_something_arrives() {
    let demo = Demo::start(&["--lang", "en"]).await;
    let Some(tab) = demo.tab(DESK).await else { return };
    let Some(other) = demo.tab(DESK).await else { return };
    tab.go("/talk").await;
    say(&tab, "The owl is back in the church tower.").await;
    let said = "[...document.querySelectorAll('#says > li[data-item]')].findLast((one) => one.innerText.includes('The owl is back')).id";
    let said = tab.eval(said).await.as_str().expect("an id").to_owned();
    open_menu(&tab, &said).await;
    other.go("/talk").await;
    open_menu(&other, &said).await;
    // Nothing covers what can be done about it.
    other.until(&buttons_in_reach(&said)).await;
    other.click(&format!("#{said} .more button[value^='react ']")).await;
    tab.until(&format!("document.querySelector('#{said} .chip') !== null")).await;
    tab.until(&format!("document.querySelector('#{said} .more').open")).await;
    // Whoever closes it has it closed.
    tab.click(&format!("#{said} .more > summary")).await;
    other.until(&format!("document.querySelector('#{said} .chip') !== null")).await;
    other.click(&format!("#{said} .chip")).await;
    tab.until(&format!("document.querySelector('#{said} .chip') === null")).await;
    tab.until(&format!("!document.querySelector('#{said} .more').open")).await;
    other.done().await;
    tab.done().await;
}

/// Opens the menu of a message. What arrives between looking where it is and the click moves it away.
async fn open_menu(tab: &Tab, said: &str) {
    let is_open = format!("document.querySelector('#{said} .more').open");
    for _ in 0..TRIES {
        if tab.eval(&is_open).await == true {
            return;
        }
        tab.click(&format!("#{said} .more > summary")).await;
    }
    tab.until(&is_open).await;
}

/// Whether each button of an open menu is what one hits at its upper and lower edge, at the end of the talk.
fn buttons_in_reach(said: &str) -> String {
    format!(
        "(() => {{ document.querySelector('.flow').scrollTop = 0; \
         const all = [...document.querySelectorAll('#{said} .acts button')]; \
         return all.length > 0 && all.every((one) => {{ const at = one.getBoundingClientRect(); \
         return [at.top + 1, at.bottom - 1].every((y) => \
         one.contains(document.elementFromPoint(at.x + at.width / 2, y))); }}); }})()"
    )
}

/// A script that came late once found the page set up without it: the page never changed by itself.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_follows_however_slowly_its_scripts_arrive() {
    let demo = Demo::start(&["--lang", "en"]).await;
    let Some(tab) = demo.tab(DESK).await else { return };
    tab.go_slowly("/talk").await;
    say(&tab, "The ladder is still at the mill.").await;
    tab.go_slowly("/").await;
    let counted = "document.querySelector('#told .lede').innerText";
    let before = tab.eval(counted).await;
    let Some(other) = demo.tab(DESK).await else { return };
    other.go("/talk").await;
    say(&other, "Now it is gone.").await;
    tab.until(&format!("{counted} !== {before}")).await;
    other.done().await;
    tab.done().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_past_is_judged_again_with_other_settings() {
    let demo = Demo::start(&["--lang", "en"]).await;
    let Some(tab) = demo.tab(DESK).await else { return };
    tab.go("/decisions").await;
    tab.click("main a[href='/decisions/replay']").await;
    tab.until("document.querySelector('#wait') !== null").await;
    tab.fill("#channel", "general").await;
    tab.choose("#days", "90").await;
    tab.fill("#wait", "45").await;
    tab.click("main form button.go").await;
    tab.until("location.pathname.startsWith('/decisions/replay/')").await;
    tab.until_says("after 45 minutes of silence").await;
    // Where it is not over at once, the page follows it to its end.
    tab.until("document.querySelector('#replay table.beside') !== null").await;
    tab.until("!document.querySelector('#replay').hasAttribute('hx-get')").await;
    assert!(
        tab.text().await.contains("Nothing was decided in that time"),
        "an imported past has no decisions"
    );
    tab.done().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn memories_are_written_anew_before_ones_eyes() {
    let demo = Demo::start(&["--lang", "en"]).await;
    let Some(tab) = demo.tab(DESK).await else { return };
    let Some(other) = demo.tab(DESK).await else { return };
    tab.go("/channel/C0SPRINGC4/rebuild?from=2").await;
    tab.click("main form button.harm").await;
    tab.until("location.pathname === '/channel/C0SPRINGC4/rebuild/2'").await;
    tab.eval(MARK).await;
    // The run takes it up within a minute; here a minute need not be waited for.
    other.go("/talk").await;
    other.click("form.clock button[value='1h']").await;
    tab.until_says("That is all of it.").await;
    assert_eq!(tab.eval("window.isTheSame").await, true, "without being loaded anew");
    tab.click("#progress a[href='/channel/C0SPRINGC4']").await;
    tab.until("document.querySelector('.paper .memory') !== null").await;
    other.done().await;
    tab.done().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_would_be_forgotten_is_marked() {
    let demo = Demo::start(&["--lang", "en"]).await;
    let Some(tab) = demo.tab(DESK).await else { return };
    tab.go("/forget").await;
    tab.fill("#ft", "count WEEK").await;
    tab.click("main form button").await;
    tab.until("document.querySelectorAll('#going mark').length > 0").await;
    let marked = "[...document.querySelectorAll('#going mark')].every((one) => one.innerText.toLowerCase() === 'count week')";
    assert_eq!(tab.eval(marked).await, true);
    tab.done().await;
}
