//! The first steps tick themselves off, time goes on wherever one looks, Enter posts, and a thread stays in sight.

use serde_json::json;

use super::{
    Demo,
    story::say,
    tab::{DESK, Eyes, PHONE, Tab},
};

/// What the story needs to know of a sample.
struct Sample {
    language: &'static str,
    channel: &'static str,
    /// Words of the right answer to each question that is offered.
    answers: [&'static str; 3],
    /// A word of the sentence that is offered, which nobody else says.
    remembered: &'static str,
}

const ENGLISH: Sample = Sample {
    language: "en",
    channel: "C0SPRINGC4",
    answers: ["20 to 24 April", "unplugged Kevin", "11.80"],
    remembered: "old mill",
};

const JAPANESE: Sample = Sample {
    language: "ja",
    channel: "C0SHINCHA4",
    answers: ["5/8", "白湯", "ログ"],
    remembered: "駅前広場",
};

/// How many steps are ticked off.
async fn ticked(tab: &Tab) -> serde_json::Value {
    tab.eval("document.querySelectorAll('#steps li.done').length").await
}

/// The condition that the long-term memory beside the talk holds a word.
fn remembers(word: &str) -> String {
    format!("document.querySelector('#longterm').innerText.includes({})", json!(word))
}

/// Axe finds nothing of any weight, in either colours, and nothing sticks out on a phone.
async fn everybody_gets_in(tab: &Tab, eyes: Eyes, what: &str) {
    assert_eq!(tab.findings().await, Vec::<String>::new(), "{what}");
    tab.look(Eyes { is_dark: true, ..eyes }).await;
    assert_eq!(tab.findings().await, Vec::<String>::new(), "{what}, dark");
    tab.look(Eyes { width: 390, ..eyes }).await;
    assert_eq!(tab.overhang().await, 0, "{what}: {}", tab.sticking_out().await);
    tab.look(eyes).await;
}

async fn story_of_the_steps(sample: Sample) {
    let demo = Demo::start(&["--lang", sample.language]).await;
    let eyes = Eyes { language: sample.language, ..DESK };
    let Some(tab) = demo.tab(eyes).await else { return };
    tab.go("/talk").await;
    everybody_gets_in(&tab, eyes, "at first").await;
    assert_eq!(ticked(&tab).await, 0);
    for (nth, words) in sample.answers.iter().enumerate() {
        tab.click(&format!("#ask{}", nth + 1)).await;
        tab.until(&format!("document.querySelector('#ask{} .tick') !== null", nth + 1)).await;
        let last = "[...document.querySelectorAll('#says > .own')].at(-1).innerText";
        tab.until(&format!("{last}.includes({})", json!(words))).await;
    }
    tab.until("document.querySelector('#step1.done') !== null").await;

    tab.click("#tell").await;
    tab.until("document.querySelector('#week') !== null").await;
    tab.click("#week").await;
    tab.until("document.querySelector('#stop') !== null").await;
    // It goes on while one looks elsewhere, and is seen to.
    tab.go("/").await;
    tab.until("document.querySelector('#passing') !== null").await;
    tab.until("document.querySelector('#passing button') === null").await;
    everybody_gets_in(&tab, eyes, "after a week").await;
    tab.click("#passing a[href='/talk']").await;
    tab.until("document.querySelector('#step2.done') !== null").await;
    tab.until(&remembers(sample.remembered)).await;
    assert_eq!(ticked(&tab).await, 2);

    tab.click("#untell").await;
    tab.until("document.querySelector('#step3.done') !== null").await;
    tab.until(&format!("!{}", remembers(sample.remembered))).await;
    tab.go(&format!("/talk/at/{}", sample.channel)).await;
    assert_eq!(ticked(&tab).await, 3, "a page that is loaded again knows it");
    everybody_gets_in(&tab, eyes, "at the end").await;
    tab.click("#steps .then a").await;
    tab.until_says("myao demo --import").await;
    everybody_gets_in(&tab, eyes, "what comes next").await;
    tab.done().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_first_steps_tick_themselves_off_in_english() {
    story_of_the_steps(ENGLISH).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_first_steps_tick_themselves_off_in_japanese() {
    story_of_the_steps(JAPANESE).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn time_is_stopped_where_one_looks() {
    let demo = Demo::start(&["--lang", "en"]).await;
    let Some(tab) = demo.tab(DESK).await else { return };
    tab.go("/talk").await;
    say(&tab, "Somebody left a ladder at the mill.").await;
    for _ in 0..4 {
        tab.click("form.clock button[value='1w']").await;
    }
    tab.until("document.querySelector('#stop') !== null").await;
    tab.go("/decisions").await;
    tab.click("#passing button").await;
    tab.until("document.querySelector('#passing button') === null").await;
    tab.go("/talk").await;
    tab.until_says("Stopped at").await;
    tab.done().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn enter_posts_and_ends_no_composition() {
    let demo = Demo::start(&["--lang", "en"]).await;
    let Some(tab) = demo.tab(DESK).await else { return };
    tab.go("/talk").await;
    tab.click("#say").await;
    tab.press("Enter").await;
    assert_eq!(tab.eval("document.querySelector('#say').value").await, "", "nothing is posted");
    tab.fill("#say", "The first line").await;
    tab.press_with_shift("Enter").await;
    tab.until("document.querySelector('#say').value === 'The first line\\n'").await;
    tab.compose("にほん").await;
    tab.press("Enter").await;
    let is_there = tab.eval("document.querySelector('#say').value.startsWith('The first line')").await;
    assert_eq!(is_there, true, "the Enter that ends a composition posts nothing");
    tab.go("/talk").await;
    tab.fill("#say", "The first line").await;
    tab.press("Enter").await;
    tab.until("document.querySelector('#says').innerText.includes('The first line')").await;
    tab.until("document.querySelector('#say').value === '' && document.activeElement.id === 'say'").await;
    let said = "[...document.querySelectorAll('#says .words')].map((one) => one.innerText.trim())
        .filter((words) => words.includes('first line'))";
    assert_eq!(tab.eval(said).await, json!(["The first line"]));
    tab.done().await;
}

/// Says something in a thread, and stays in it.
async fn reply_in_a_thread(eyes: Eyes) {
    let demo = Demo::start(&["--lang", "en"]).await;
    let Some(tab) = demo.tab(eyes).await else { return };
    tab.go("/talk").await;
    let root = tab.eval("[...document.querySelectorAll('#says > li:has(.thread)')].at(-1).id").await;
    let root = root.as_str().expect("an id");
    // The page may be renewed by what arrives just now, which closes a menu: its link is followed as it stands.
    let link =
        tab.eval(&format!("document.querySelector('#{root} > .say .more a').getAttribute('href')")).await;
    tab.go(link.as_str().expect("a link")).await;
    tab.until("location.search.includes('thread=')").await;
    say(&tab, "@myao when is the Spring Count now?").await;
    // What is asked there, is answered in the thread.
    let answered =
        "[...document.querySelectorAll('#says > .own')].some((one) => one.innerText.includes('April'))";
    tab.until(answered).await;
    tab.until("document.querySelector('#typing').innerText === ''").await;
    say(&tab, "Good to know.").await;
    assert_eq!(tab.eval("location.search.includes('thread=')").await, true, "the thread stays in sight");
    assert_eq!(tab.eval(&format!("document.querySelectorAll('#{root}').length")).await, 1);
    tab.click("a[href='/talk/at/C0SPRINGC4']:not(.rail a)").await;
    tab.until("!location.search.includes('thread=')").await;
    tab.done().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reply_stays_in_its_thread() {
    reply_in_a_thread(DESK).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reply_stays_in_its_thread_without_script() {
    reply_in_a_thread(Eyes { has_script: false, ..DESK }).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_steps_have_room_on_a_phone() {
    let demo = Demo::start(&["--lang", "ja"]).await;
    let Some(tab) = demo.tab(Eyes { width: 390, ..PHONE }).await else { return };
    tab.go("/talk").await;
    let small = "[...document.querySelectorAll('#steps button')].filter((one) => one.offsetParent)
        .filter((one) => one.getBoundingClientRect().height < 32).length";
    assert_eq!(tab.eval(small).await, 0, "fingers are not that small");
    tab.done().await;
}
