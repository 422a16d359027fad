//! What only a platform of one's own shows: reactions, as people see them.

use myao_core::chat::MessageTs;
use myao_testkit::{
    ScriptedModel,
    slack::{ChannelSpec, Fault, UserSpec},
};

use super::Live;

/// A workspace whose model answers with one emoji.
async fn nodding(scope: Option<&'static str>) -> Live {
    let setup = |setup: myao_testkit::slack::SlackSetup| match scope {
        Some(scope) => setup.without_scope(scope),
        None => setup,
    };
    let mut live = Live::with(20, setup, |config| config.response.reactions = true).await;
    live.model = std::sync::Arc::new(ScriptedModel::answering(|_| "👍"));
    live
}

fn mentioned(live: &Live) -> MessageTs {
    let aki = live.slack.user(UserSpec::person("aki"));
    let general = live.slack.channel(ChannelSpec::public("general").members(&[&aki]));
    live.slack.invite_bot(&general);
    live.slack.say(&general, &aki, &format!("<@{}> done!", live.slack.bot_user_id()))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mention_is_answered_by_a_reaction() {
    let mut live = nodding(None).await;
    live.start().await;
    live.slack.fail_next("reactions.add", Fault::Limited(2));
    live.slack.fail_next("reactions.add", Fault::CutAfter);
    let ts = mentioned(&live);
    live.slack.wait_until(|seen| seen.calls("reactions.add") == 3).await;
    live.eventually("done", async || live.store.unfinished_replies().await.expect("read").is_empty()).await;
    live.stop().await;
    let seen = live.slack.seen();
    let stands: Vec<(MessageTs, &str)> =
        seen.reactions.iter().map(|reaction| (reaction.ts, reaction.name.as_str())).collect();
    assert_eq!(stands, [(ts, "+1")]);
    assert!(seen.posts.is_empty());
    live.slack.finish();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_the_scope_the_emoji_is_posted() {
    let mut live = nodding(Some("reactions:write")).await;
    live.start().await;
    mentioned(&live);
    live.slack.wait_until(|seen| seen.posts.len() == 1).await;
    live.stop().await;
    assert_eq!(live.slack.posts()[0].text, ":+1:");
    live.slack.finish();
}
