//! Channels in which we may not speak for a while: archived, or without us.

use myao_core::chat::ChannelId;
use myao_testkit::slack::{ChannelSpec, SlackSetup, UserSpec};

use super::Live;

const POST: &str = "chat.postMessage";

/// A mention in a channel that is barred while the model thinks, until the post was refused once.
async fn refused_once(channel: ChannelSpec, bar: impl Fn(&Live, &ChannelId)) -> (Live, ChannelId) {
    let mut live = Live::with(20, SlackSetup::with_rate_limits, |_| {}).await;
    let aki = live.slack.user(UserSpec::person("aki"));
    let channel = live.slack.channel(channel.members(&[&aki]));
    live.start().await;
    live.caught_up(&[&channel]).await;
    live.model.hold();
    live.slack.say(&channel, &aki, &format!("<@{}> are you there?", live.slack.bot_user_id()));
    live.model.asked(1).await;
    bar(&live, &channel);
    live.model.release();
    live.slack.wait_until(|seen| seen.calls(POST) >= 1).await;
    live.eventually("refused", async || {
        live.store.replies().failed_and_postponed(jiff::Timestamp::UNIX_EPOCH).await.unwrap().len() == 1
    })
    .await;
    (live, channel)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mention_outlives_an_archived_channel() {
    let spec = ChannelSpec::public("general");
    let (mut live, channel) = refused_once(spec, |live, channel| live.slack.archive(channel)).await;
    assert!(live.slack.posts().is_empty());
    live.slack.unarchive(&channel);
    live.slack.wait_until(|seen| seen.posts.len() == 1).await;
    live.eventually("done", async || live.store.replies().list_unfinished().await.unwrap().is_empty()).await;
    live.stop().await;
    live.slack.finish();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mention_outlives_our_being_sent_away() {
    for spec in [ChannelSpec::public("general"), ChannelSpec::private("plans")] {
        let (mut live, channel) = refused_once(spec, |live, channel| live.slack.remove_bot(channel)).await;
        assert!(live.slack.posts().is_empty());
        live.slack.invite_bot(&channel);
        live.slack.wait_until(|seen| seen.posts.len() == 1).await;
        assert_eq!(live.model.calls(), 1, "the words are those that were found");
        live.stop().await;
        live.slack.finish();
    }
}
