//! The last days are read again after a start: what is only read better now is no edit (ADR 80).

use std::collections::BTreeMap;

use myao_core::chat::{ChannelId, MessageTs, Visibility};
use myao_testkit::slack::{ChannelSpec, UserSpec};

use super::Live;
use crate::scenario::hours;

/// Every memory's text, by what names it.
async fn memories(live: &Live) -> BTreeMap<String, String> {
    let shown = live.store.memory().all_memories(&Visibility::Owner).await.expect("read");
    let named = |memory: &myao_core::memory::Memory| {
        format!("{} {:?} {}", memory.scope_id().as_str(), memory.memory_type(), memory.version())
    };
    shown.iter().map(|(_, memory)| (named(memory), memory.content().to_owned())).collect()
}

/// Twenty-four messages in the three days that are read again, each a chapter of its own.
fn said_in_three_days(live: &Live) -> (ChannelId, Vec<MessageTs>) {
    let aki = live.slack.user(UserSpec::person("aki"));
    let general = live.slack.channel(ChannelSpec::public("general").members(&[&aki]));
    let said = (1..=24).rev().map(|nth| {
        let words = format!("lorry {nth} is late, see what Bo wrote");
        live.slack.say_at(&general, &aki, &words, live.ago(hours(3 * nth - 2)))
    });
    let said = said.collect();
    (general, said)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn three_days_that_are_read_better_withdraw_no_memory_and_make_no_answer() {
    let mut live = Live::with(60, |setup| setup, |config| config.memory.short_term_window_hours = 100).await;
    let (general, said) = said_in_three_days(&live);
    live.start().await;
    live.eventually("remembered", async || memories(&live).await.len() >= said.len()).await;
    live.stop().await;
    let before = memories(&live).await;

    let bot = live.slack.bot_user_id();
    live.slack.muted(|slack| {
        for ts in &said {
            slack.unfurl_message(&general, *ts, "Bo", &format!("<@{bot}> the pump fails at 07:40"));
        }
    });
    live.start().await;
    live.eventually("all is read again, and written anew", async || {
        let now = memories(&live).await;
        let withdrawn: Vec<&String> = before.keys().filter(|name| !now.contains_key(*name)).collect();
        assert!(withdrawn.is_empty(), "{withdrawn:?}");
        // The newest message is in no chapter yet.
        now.values().filter(|text| text.contains("07:40")).count() >= said.len() - 1
    })
    .await;
    for ts in &said {
        let text = live.message(&general, *ts).await.expect("stored").text;
        assert!(text.contains("is late") && text.contains("the pump fails"), "{text}");
    }
    assert_eq!(live.count("SELECT count(*) FROM replies WHERE channel_id = $1", &general).await, 0);
    live.stop().await;
}
