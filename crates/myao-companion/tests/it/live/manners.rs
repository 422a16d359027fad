//! What only a platform of one's own shows: reactions and images, as people see and share them.

use myao_core::chat::MessageTs;
use myao_testkit::{
    ScriptedModel,
    slack::{ChannelSpec, FileSpec, InjectedFault, SlackSetup, UserSpec},
};

use super::Live;

/// A workspace whose model answers with one emoji.
async fn nodding(scope: Option<&'static str>) -> Live {
    let setup = |setup: SlackSetup| match scope {
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
    live.slack.fail_next("reactions.add", InjectedFault::Limited(2));
    live.slack.fail_next("reactions.add", InjectedFault::CutAfter);
    let ts = mentioned(&live);
    live.slack.wait_until(|seen| seen.calls("reactions.add") == 3).await;
    live.eventually("done", async || live.store.replies().list_unfinished().await.expect("read").is_empty())
        .await;
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

const PNG: &[u8] = b"\x89PNG\r\n\x1a\nand so on";

/// A model that tells what it was shown.
async fn seeing(setup: impl FnOnce(SlackSetup) -> SlackSetup) -> Live {
    let mut live = Live::with(20, setup, |config| config.agents.response.vision = true).await;
    live.model = std::sync::Arc::new(ScriptedModel::answering(|request| {
        let sizes = request.images.iter().map(|image| format!("{} {}", image.name, image.bytes.len()));
        format!("seen: {}", sizes.collect::<Vec<_>>().join(", "))
    }));
    live
}

/// From the message that shares it to the request: the archive keeps where it is, not what is in it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_shared_image_is_seen() {
    let mut live = seeing(|setup| setup).await;
    live.start().await;
    let aki = live.slack.user(UserSpec::person("aki"));
    let general = live.slack.channel(ChannelSpec::public("general").members(&[&aki]));
    live.slack.invite_bot(&general);
    let cat = FileSpec::new("cat.png", "image/png", PNG).alt("a cat");
    let mention = format!("<@{}> what is it?", live.slack.bot_user_id());
    live.slack.share(&general, &aki, &cat, &mention);
    live.slack.wait_until(|seen| seen.posts.len() == 1).await;
    let root = live.slack.share(&general, &aki, &cat, "look at this");
    live.slack.reply(&general, root, &aki, &mention);
    live.slack.wait_until(|seen| seen.posts.len() == 2).await;
    live.stop().await;
    let texts: Vec<String> = live.slack.posts().into_iter().map(|post| post.text).collect();
    assert_eq!(texts, [format!("seen: cat.png {}", PNG.len()), format!("seen: cat.png {}", PNG.len())]);
    assert!(format!("{:?}", live.model.requests()[0].turns).contains("cat.png（a cat）"));
    live.slack.finish();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_the_scope_an_image_is_a_name() {
    let mut live = seeing(|setup| setup.without_scope("files:read")).await;
    live.start().await;
    let aki = live.slack.user(UserSpec::person("aki"));
    let general = live.slack.channel(ChannelSpec::public("general").members(&[&aki]));
    live.slack.invite_bot(&general);
    let mention = format!("<@{}> what is it?", live.slack.bot_user_id());
    live.slack.share(&general, &aki, &FileSpec::new("cat.png", "image/png", PNG), &mention);
    live.slack.wait_until(|seen| seen.posts.len() == 1).await;
    live.stop().await;
    assert_eq!(live.slack.posts()[0].text, "seen:");
    live.slack.finish();
}
