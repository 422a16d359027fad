//! What Slack's history no longer lists, and lists again (ADR 81, ADR 82).

use myao_core::{
    chat::{Event, MessageTs},
    ports::Clock as _,
};
use myao_store::{MissingIn, MissingSource};
use myao_testkit::slack::{ChannelSpec, UserSpec};

use super::Live;
use crate::scenario::hours;

/// Replies that are wanted or were given in a channel.
const REPLIES: &str = "SELECT count(*) FROM replies WHERE channel_id = $1 AND state <> 'skipped'";
const MESSAGES: &str =
    "SELECT count(*) FROM messages WHERE channel_id = $1 AND kind = 'talk' AND deleted = 0";

/// What was concluded from a history that lacked it is undone by the next that lists it, and not answered once more.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_taken_for_deleted_and_is_listed_stands_again() {
    let mut live = Live::new(|_| {}).await;
    let aki = live.slack.user(UserSpec::person("aki"));
    let general = live.slack.channel(ChannelSpec::public("general").members(&[&aki]));
    let mention = format!("<@{}> hello", live.slack.bot_user_id());
    let said: Vec<MessageTs> = (0..20)
        .map(|n| {
            live.slack.say_at(
                &general,
                &aki,
                if n == 4 { &mention } else { "words" },
                live.ago(hours(40 - n)),
            )
        })
        .collect();
    let reply = live.ago(hours(30));
    live.slack.reply_at(&general, said[2], &aki, "a reply", reply);
    live.start().await;
    live.caught_up(&[&general]).await;
    live.stop().await;
    // A history that was stale, an hour ago; and one message that Slack said was deleted.
    let missing_in = MissingIn { source: MissingSource::History, at: live.ago(hours(1)), is_proven: true };
    let missing = [said[4], said[9], said[19], reply];
    live.store.intake().take_for_deleted(&general, &missing, missing_in, live.clock.now()).await.unwrap();
    live.store
        .intake()
        .apply(vec![Event::Deleted { channel: general.clone(), ts: said[11] }], live.clock.now())
        .await
        .unwrap();
    assert_eq!(live.count(MESSAGES, &general).await, 16);
    live.start().await;
    live.caught_up(&[&general]).await;
    live.eventually("all but one are back", async || live.count(MESSAGES, &general).await == 20).await;
    for ts in missing {
        assert!(!live.message(&general, ts).await.unwrap().deleted, "{ts}");
    }
    assert!(live.message(&general, said[11]).await.unwrap().deleted, "Slack's word is final");
    assert_eq!(live.count(REPLIES, &general).await, 0);
    live.stop().await;
    live.slack.finish();
}

/// Bots' posts are missing, and nothing else: a platform that hides an app's posts for a while.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_missing_in_a_history_by_a_pattern_is_kept_and_told() {
    let mut live = Live::new(|_| {}).await;
    let aki = live.slack.user(UserSpec::person("aki"));
    let ben = live.slack.user(UserSpec::person("ben"));
    let general = live.slack.channel(ChannelSpec::public("general").members(&[&aki, &ben]));
    let said: Vec<MessageTs> = (0..60)
        .map(|n| {
            live.slack.say_at(
                &general,
                if n % 12 == 5 { &ben } else { &aki },
                "words",
                live.ago(hours(70 - n)),
            )
        })
        .collect();
    live.start().await;
    live.caught_up(&[&general]).await;
    live.stop().await;
    // Five of sixty: fewer than a fifth. And one besides.
    let gone: Vec<MessageTs> = said.iter().skip(5).step_by(12).copied().collect();
    live.slack.muted(|slack| gone.iter().for_each(|ts| slack.delete(&general, *ts)));
    live.slack.muted(|slack| slack.delete(&general, said[30]));
    live.start().await;
    live.caught_up(&[&general]).await;
    assert_eq!((gone.len(), live.count(MESSAGES, &general).await), (5, 59));
    assert!(live.message(&general, said[30]).await.unwrap().deleted);
    let setbacks = live.store.memory().list_open_setbacks().await.unwrap();
    assert!(setbacks.iter().any(|setback| setback.subject == format!("history:{general}")), "{setbacks:?}");
    live.stop().await;
    live.slack.finish();
}

/// An administrator purges a channel: Slack tells of it once, and not of each message.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_slack_purged_is_deleted_however_much_it_is() {
    let mut live = Live::new(|_| {}).await;
    let aki = live.slack.user(UserSpec::person("aki"));
    let general = live.slack.channel(ChannelSpec::public("general").members(&[&aki]));
    let said: Vec<MessageTs> =
        (0..12).map(|n| live.slack.say_at(&general, &aki, "words", live.ago(hours(200 - n)))).collect();
    for n in 0..6 {
        live.slack.reply_at(&general, said[3], &aki, "a reply", live.ago(hours(150 - n)));
    }
    let kept = live.slack.say_at(&general, &aki, "kept", live.ago(hours(2)));
    live.start().await;
    live.caught_up(&[&general]).await;
    assert_eq!(live.count(MESSAGES, &general).await, 19);
    live.slack.purge(&general, live.ago(hours(100)));
    live.eventually("the purge is followed", async || live.count(MESSAGES, &general).await == 1).await;
    assert!(!live.message(&general, kept).await.unwrap().deleted);
    live.eventually("and done", async || {
        live.store.hearing().channels_to_read_again().await.unwrap().is_empty()
    })
    .await;
    live.stop().await;
    live.slack.finish();
}

/// A channel whose last days hold a few messages, of which somebody deletes some, first ones among them, while nobody listens.
async fn left_of(said: usize, gone: std::ops::Range<usize>) -> (i64, bool) {
    let mut live = Live::new(|_| {}).await;
    let aki = live.slack.user(UserSpec::person("aki"));
    let general = live.slack.channel(ChannelSpec::public("general").members(&[&aki]));
    let times: Vec<MessageTs> = (0..said)
        .rev()
        .map(|n| live.slack.say_at(&general, &aki, "words", live.ago(hours(i64::try_from(n).unwrap() + 2))))
        .collect();
    live.start().await;
    live.caught_up(&[&general]).await;
    live.stop().await;
    live.slack.muted(|slack| times[gone].iter().for_each(|ts| slack.delete(&general, *ts)));
    live.start().await;
    live.caught_up(&[&general]).await;
    let setbacks = live.store.memory().list_open_setbacks().await.unwrap();
    let left = live.count(MESSAGES, &general).await;
    live.stop().await;
    live.slack.finish();
    (left, setbacks.iter().any(|setback| setback.flagged))
}

/// Nothing that is listed stands before the first message of a channel, so that the end of the history has to tell.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_first_and_the_only_message_of_a_channel_are_missed_as_well() {
    assert_eq!(left_of(1, 0..1).await, (0, false), "the only one");
    assert_eq!(left_of(3, 0..3).await, (0, false), "all of three");
    assert_eq!(left_of(3, 0..1).await, (2, false), "the first one");
    assert_eq!(left_of(8, 0..8).await, (8, true), "an empty history proves nothing of many");
}
