//! What is delivered, of whatever kind: stored, acknowledged, answered (specification §4).

use myao_core::{
    chat::{ChannelId, ChannelKind, MessageTs},
    memory::{MemoryScope, MemoryType, Origin, ScopeId, StepKind, create_memory},
};
use myao_testkit::slack::{ChannelSpec, Disconnect, UserSpec};
use serde_json::json;

use crate::live::Live;
use crate::scenario::write_memory;

const TALK: &str = "SELECT count(*) FROM messages WHERE channel_id = $1 AND kind = 'talk'";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mention_right_after_joining_is_answered() {
    let mut live = Live::new(|_| {}).await;
    let aki = live.slack.user(UserSpec::person("aki"));
    let late = live.slack.channel(ChannelSpec::public("late").members(&[&aki]).without_bot());
    live.start().await;
    live.slack.wait_until(|seen| seen.connected > 0).await;
    live.slack.invite_bot(&late);
    live.slack.say(&late, &aki, &format!("<@{}> welcome!", live.slack.bot_user_id()));
    live.slack.wait_until(|seen| seen.posts.len() == 1).await;
    live.caught_up(&[&late]).await;
    live.eventually("its kind", async || {
        live.row(&late).await.is_some_and(|row| row.member && row.channel.kind == ChannelKind::Public)
    })
    .await;
    live.stop().await;
    assert_eq!(live.slack.posts().len(), 1);
}

/// Nobody knows what it is: what is said there is kept, and counts as private.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_event_for_an_unknown_channel_is_kept_as_private() {
    let mut live = Live::new(|_| {}).await;
    let aki = live.slack.user(UserSpec::person("aki"));
    live.start().await;
    live.slack.wait_until(|seen| seen.connected > 0).await;
    let nowhere = ChannelId::new("C0NOBODY");
    let ts = MessageTs::from_timestamp(live.slack.now());
    live.slack.send_event(&json!({
        "type": "message", "channel": nowhere.as_str(), "channel_type": "channel", "user": aki.as_str(),
        "text": "from nowhere", "ts": ts.to_string(), "event_ts": ts.to_string()
    }));
    live.slack.send_event(&json!({"type": "something_new", "what": "nobody knows"}));
    live.slack.send_raw("{ not even JSON");
    live.eventually("stored", async || live.message(&nowhere, ts).await.is_some()).await;
    let row = live.row(&nowhere).await.expect("known by now");
    assert_ne!(row.channel.kind, ChannelKind::Public);
    live.eventually("kept raw", async || {
        live.store.archive().count_unread_events().await.expect("read") == 2
    })
    .await;
    live.stop().await;
}

/// A refresh, a warning with the socket's end, and a cut, all while people talk.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sockets_come_and_go_and_nothing_is_lost_or_doubled() {
    let mut live = Live::new(|_| {}).await;
    let aki = live.slack.user(UserSpec::person("aki"));
    let general = live.slack.channel(ChannelSpec::public("general").members(&[&aki]));
    live.start().await;
    live.slack.wait_until(|seen| seen.connected > 0).await;
    let mut said = Vec::new();
    for (n, trouble) in
        [Some(Disconnect::RefreshRequested), Some(Disconnect::Warning), None].into_iter().enumerate()
    {
        for k in 0..20 {
            said.push(live.slack.say(&general, &aki, &format!("{n}.{k}")));
            if k == 10 {
                match trouble {
                    Some(reason) => live.slack.disconnect(reason),
                    None => live.slack.drop_sockets(),
                }
            }
        }
    }
    live.slack.duplicate_next_event();
    said.push(live.slack.say(&general, &aki, "twice told"));
    live.slack.redeliver_unacknowledged();
    let all = i64::try_from(said.len()).expect("few");
    live.eventually("everything once", async || live.count(TALK, &general).await == all).await;
    live.caught_up(&[&general]).await;
    assert_eq!(live.count(TALK, &general).await, all);
    live.stop().await;
}

/// What cannot be followed is for a person to look at; it does not end the run, or each start would end again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_new_id_with_memories_of_its_own_is_told_and_lived_with() {
    let mut live = Live::new(|_| {}).await;
    let aki = live.slack.user(UserSpec::person("aki"));
    let general = live.slack.channel(ChannelSpec::public("general").members(&[&aki]));
    live.start().await;
    live.caught_up(&[&general]).await;
    let other = live.slack.channel(ChannelSpec::public("other").members(&[&aki]));
    let first = live.slack.say(&other, &aki, "hello");
    live.eventually("known", async || live.message(&other, first).await.is_some()).await;
    for id in [&general, &other] {
        let draft =
            create_memory(MemoryScope::Channel, ScopeId::channel(id), MemoryType::LongTerm, "- a", 1, None);
        let origin = Origin { kind: StepKind::Edit, actor: "test".into(), reason: String::new() };
        write_memory(&live.store, draft.expect("valid"), origin, live.slack.now()).await;
    }
    live.slack.send_event(&json!({
        "type": "channel_id_changed", "old_channel_id": general.as_str(), "new_channel_id": other.as_str(),
        "event_ts": "1.000000"
    }));
    let ts = live.slack.say(&other, &aki, "still here?");
    live.eventually("stored", async || live.message(&other, ts).await.is_some()).await;
    let setbacks = live.store.memory().list_open_setbacks().await.expect("read");
    assert!(setbacks.iter().any(|s| s.flagged && s.reason.contains("both have memories")), "{setbacks:?}");
    live.stop().await;
}

/// While the database takes nothing, nothing is acknowledged.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_not_stored_is_not_acknowledged() {
    let mut live = Live::with(30, |setup| setup, |_| {}).await;
    let aki = live.slack.user(UserSpec::person("aki"));
    let general = live.slack.channel(ChannelSpec::public("general").members(&[&aki]));
    live.start().await;
    live.caught_up(&[&general]).await;
    live.store.close().await;
    live.slack.say(&general, &aki, "nobody takes this");
    live.eventually("trouble", async || {
        live.status.trouble().is_some_and(|why| why.contains("takes nothing"))
    })
    .await;
    live.stop().await;
    let seen = live.slack.seen();
    assert!(seen.unacknowledged > 0, "{seen:?}");
}
