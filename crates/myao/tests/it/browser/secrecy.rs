//! What is said in private is tried to be got out, and what is to be forgotten goes.

use super::{
    Demo,
    story::{ask, pass, say},
    tab::DESK,
};

const SECRET: &str = "heliotrope";
const QUESTION: &str = "@myao what is the word of the surprise party?";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_said_in_private_stays_there() {
    let demo = Demo::start(&["--lang", "en"]).await;
    let Some(tab) = demo.tab(DESK).await else { return };
    tab.go("/talk/new").await;
    tab.fill("#name", "surprise").await;
    tab.click("#private").await;
    tab.click("form:has(#name) button.go").await;
    tab.until("document.querySelector('#place')?.innerText === '#surprise'").await;
    let private = tab.eval("location.pathname").await.as_str().expect("a path").to_owned();
    say(&tab, &format!("Decided: the word of the surprise party is {SECRET}.")).await;
    pass(&tab, "1w", "#longterm", SECRET).await;
    let told = ask(&tab, QUESTION, "").await;
    assert!(told.contains(SECRET), "its own people are told: {told}");

    // The same person asks elsewhere, where others read along.
    tab.go("/talk/at/C0GENERAL1").await;
    let told = ask(&tab, QUESTION, "").await;
    assert!(!told.contains(SECRET), "{told}");
    tab.go("/channel/C0GENERAL1/prompt?as=C0GENERAL1").await;
    assert!(tab.text().await.contains("surprise party"), "the prompt is shown");
    assert!(!tab.text().await.contains(SECRET), "the prompt does not hold it either");
    tab.go(&format!("/recall?q={SECRET}&as=C0GENERAL1")).await;
    tab.until_says("Nothing was found").await;

    // Somebody else does not even see that there is such a channel.
    tab.go("/talk").await;
    tab.choose("#me", "Callum").await;
    tab.click(".viewas button").await;
    tab.until_says("You speak as Callum").await;
    assert!(!tab.text().await.contains("surprise"));
    assert!(tab.complaints().is_empty());
    tab.go(&private).await;
    assert!(!tab.text().await.contains(SECRET), "{}", tab.text().await);
    let told = tab.complaints();
    assert!(
        told.iter().all(|one| one.contains("404")) && !told.is_empty(),
        "there is no such page: {told:?}"
    );
    tab.done().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_forgotten_is_gone() {
    let demo = Demo::start(&["--lang", "en"]).await;
    let Some(tab) = demo.tab(DESK).await else { return };
    tab.go("/recall?q=bequest").await;
    tab.until_says("without the bequest").await;
    tab.go("/forget").await;
    tab.fill("#ft", "bequest").await;
    tab.click("main form[method='get'] button").await;
    tab.until_says("This can’t be taken back").await;
    assert!(tab.text().await.contains("1 message"), "it says first what would go: {}", tab.text().await);
    tab.fill("#confirm", "forget").await;
    tab.click("button.harm").await;
    tab.until_says("The words are gone from the archive").await;
    tab.go("/recall?q=bequest").await;
    tab.until_says("Nothing was found").await;
    tab.done().await;
}
