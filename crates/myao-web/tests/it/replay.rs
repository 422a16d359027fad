//! The same past under other settings, beside what was decided.

use axum::http::StatusCode;

use crate::{
    support::{Browser, World, text_of},
    workspace::furnished,
};

/// The longest that is waited for a replay.
const PATIENCE: std::time::Duration = std::time::Duration::from_mins(1);
const FORM: &str = "/decisions/replay";

/// Sends the form, and waits until all is judged: the page then.
async fn replayed(browser: &mut Browser, fields: &[(&str, &str)]) -> String {
    text_of(&judged_again(browser, fields).await.1)
}

/// The same, with the address of the page.
async fn judged_again(browser: &mut Browser, fields: &[(&str, &str)]) -> (String, String) {
    let begun = browser.submit(FORM, FORM, fields).await;
    assert_eq!(begun.status, StatusCode::SEE_OTHER, "{}", text_of(&begun.body));
    let address = begun.header("location").to_owned();
    let over = async {
        loop {
            let page = browser.see(&address).await;
            if !page.contains("hx-get=\"/decisions/replay/") {
                break page;
            }
        }
    };
    let page = tokio::time::timeout(PATIENCE, over).await.expect("it ends");
    (address, page)
}

const USUAL: [(&str, &str); 5] =
    [("channel", "general"), ("days", "30"), ("wait", "5"), ("least", "10"), ("longest", "20")];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_past_is_judged_again_beside_what_was_decided() {
    let world = furnished().await;
    let mut browser = world.browser();
    assert!(browser.see("/decisions").await.contains(&format!("href=\"{FORM}\"")));
    let rules = replayed(&mut browser, &[&USUAL[..], &[("judge", "rules")]].concat()).await;
    assert!(rules.contains("after 5 minutes of silence, 10 to 20 seconds between"), "{rules}");
    assert!(
        rules.contains("Kept quiet: somebody will answer about the gaskets"),
        "what was decided: {rules}"
    );
    assert!(rules.contains("Considers it") && rules.contains("was not considered"), "what would be: {rules}");
    assert!(!rules.contains("severance") && !rules.contains("tarpaulin"), "one channel: {rules}");
    let builtin = replayed(&mut browser, &[&USUAL[..], &[("judge", "builtin")]].concat()).await;
    assert!(
        builtin.contains("builtin judges") && builtin.contains("pauses would have ended otherwise"),
        "{builtin}"
    );
    let all: Vec<(&str, &str)> = USUAL.iter().copied().filter(|(name, _)| *name != "channel").collect();
    let all = replayed(&mut browser, &[&all[..], &[("judge", "rules")]].concat()).await;
    assert!(all.contains("severance") && all.contains("3 channels"), "{all}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reasons_are_gone_once_words_were_removed() {
    let world = furnished().await;
    let mut browser = world.browser();
    let fields = [&USUAL[..], &[("judge", "builtin")]].concat();
    let (address, page) = judged_again(&mut browser, &fields).await;
    let reason = |page: &str| text_of(page).contains("nobody has answered the question");
    assert!(reason(&page), "{}", text_of(&page));
    let words = [("text", "severance"), ("confirm", "forget")];
    let forgotten = browser.submit("/forget?text=severance", "/forget", &words).await;
    assert_eq!(forgotten.status, StatusCode::SEE_OTHER, "{}", text_of(&forgotten.body));
    let gone = async {
        while !text_of(&browser.see(forgotten.header("location")).await).contains("The words are gone") {}
    };
    tokio::time::timeout(PATIENCE, gone).await.expect("it ends");
    let page = browser.see(&address).await;
    assert!(!reason(&page) && text_of(&page).contains("Words were removed since"), "{}", text_of(&page));
    let (_, anew) = judged_again(&mut browser, &fields).await;
    assert!(reason(&anew) && !text_of(&anew).contains("Words were removed since"), "{}", text_of(&anew));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn other_settings_give_another_past() {
    let world = furnished().await;
    let mut browser = world.browser();
    let considered = |page: &str| {
        let rest = page.split_once("With these settings Considered").expect("numbers").1;
        rest.split_whitespace().next().and_then(|number| number.parse::<u64>().ok()).expect("a number")
    };
    let soon = replayed(&mut browser, &[&USUAL[..], &[("judge", "rules")]].concat()).await;
    let late = [("channel", "general"), ("days", "30"), ("wait", "9000"), ("least", "10"), ("longest", "20")];
    let late = replayed(&mut browser, &[&late[..], &[("judge", "rules")]].concat()).await;
    assert!(considered(&soon) > considered(&late), "{} {}", considered(&soon), considered(&late));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_makes_no_sense_is_said_and_judges_nothing() {
    let world = furnished().await;
    let mut browser = world.browser();
    for (odd, told) in [
        (("wait", "soon"), "Minutes and seconds are whole numbers"),
        (("longest", "3"), "the least is not above the longest"),
        (("channel", "nowhere"), "There is no channel of that name"),
    ] {
        let fields: Vec<(&str, &str)> =
            USUAL.iter().map(|one| if one.0 == odd.0 { odd } else { *one }).collect();
        let page = browser.submit(FORM, FORM, &fields).await;
        assert_eq!(page.status, StatusCode::OK);
        assert!(text_of(&page.body).contains(told), "{odd:?}: {}", text_of(&page.body));
    }
    assert_eq!(browser.get("/decisions/replay/1").await.status, StatusCode::NOT_FOUND);
    assert_eq!(browser.get("/decisions/replay/x").await.status, StatusCode::NOT_FOUND);
    assert_eq!(browser.get("/decisions/replay?as=C1").await.status, StatusCode::NOT_FOUND);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_is_asked_only_once_its_price_was_said() {
    let mut world = furnished().await;
    world.ask_a_model("openai/judge", 2.0);
    let mut browser = world.browser();
    let fields = [&USUAL[..], &[("judge", "model"), ("most", "10")]].concat();
    let asked = browser.submit(FORM, FORM, &fields).await;
    assert_eq!(asked.status, StatusCode::OK, "nothing began");
    let page = text_of(&asked.body);
    assert!(page.contains("openai/judge would be asked 10 times at most"), "{page}");
    // 10 prompts of at most 8,000 tokens, at 2 a million.
    assert!(page.contains("80,000 tokens at most: 0.16 USD at most"), "{page}");
    assert_eq!(world.store.memory().sum_all_calls().await.expect("read").calls, world.calls_before().await);
    let judged = replayed(&mut browser, &[&fields[..], &[("confirmed", "1")]].concat()).await;
    assert!(judged.contains("judged by openai/judge"), "{judged}");
    assert!(world.store.memory().sum_all_calls().await.expect("read").calls > 0);

    world.judge = None;
    world.is_read_only = true;
    let mut reader = world.browser();
    let page = reader.see(FORM).await;
    assert!(!page.contains("openai/judge"), "where nothing may be spent, no model is offered: {page}");
    let builtin =
        replayed(&mut reader, &[&USUAL[..], &[("judge", "model"), ("confirmed", "1")]].concat()).await;
    assert!(builtin.contains("builtin judges"), "{builtin}");
}

impl World {
    /// Has pauses judged by a model of this name, at so much for a million tokens.
    fn ask_a_model(&mut self, name: &str, price: f64) {
        use myao_config::{ModelId, Price};
        let (provider, model) = name.split_once('/').expect("a provider and a model");
        self.config.agents.judgment.model_id =
            ModelId::Provider { provider: provider.to_owned(), model: model.to_owned() };
        self.config.budget.currency = "USD".to_owned();
        self.config.budget.prices =
            vec![Price { model: name.to_owned(), input: price, cached: price, output: price }];
        self.judge = Some(self.asker());
    }

    async fn calls_before(&self) -> u64 {
        let sums =
            self.store.memory().sum_calls_by_group(myao_store::CallGroup::Role, None).await.expect("read");
        sums.iter().filter(|sum| sum.key != "judgment").map(|sum| sum.calls).sum()
    }
}
