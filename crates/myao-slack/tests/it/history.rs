//! Channels and threads, read back.

use futures::TryStreamExt;
use myao_core::chat::{Event, MessageTs};
use myao_slack::history::HistoryPage;
use myao_testkit::slack::{ChannelSpec, UserSpec};

use crate::live::Live;

fn texts(pages: &[HistoryPage]) -> Vec<&str> {
    let events = pages.iter().flat_map(|page| &page.events);
    let texts = events
        .filter_map(|event| if let Event::Message(message) = event { Some(&*message.text) } else { None });
    texts.collect()
}

#[tokio::test]
async fn a_channel_comes_newest_page_first_with_everything_on_it() {
    let live = Live::start().await;
    let slack = &live.slack;
    let aki = slack.user(UserSpec::person("aki"));
    let channel = slack.channel(ChannelSpec::public("a").members(&[&aki]));
    let said: Vec<MessageTs> = (0..450).map(|n| slack.say(&channel, &aki, &format!("m{n}"))).collect();
    let root = said[400];
    let replies: Vec<MessageTs> =
        (0..3).map(|n| slack.reply(&channel, root, &aki, &format!("r{n}"))).collect();
    let sent_along = slack.broadcast(&channel, root, &aki, "both");
    slack.edit(&channel, said[10], "edited");
    slack.delete(&channel, said[20]);
    let bot = live.bot();
    let pages: Vec<HistoryPage> =
        bot.history(&channel, MessageTs::MIN, MessageTs::MAX).try_collect().await.unwrap();
    assert!(pages.len() >= 3);
    assert!(pages[0].oldest() > pages[1].newest(), "newest first");
    let mut seen: Vec<MessageTs> = pages.iter().flat_map(|page| page.seen.clone()).collect();
    seen.sort_unstable();
    let mut expected: Vec<MessageTs> = said.iter().copied().filter(|ts| *ts != said[20]).collect();
    expected.push(sent_along);
    assert_eq!(seen, expected, "no replies, but what was sent along");
    assert!(texts(&pages).contains(&"edited"));
    let parents: Vec<_> = pages.iter().flat_map(|page| page.parents.clone()).collect();
    assert_eq!(parents.len(), 1);
    assert_eq!((parents[0].ts, parents[0].reply_count, parents[0].latest_reply), (root, 4, Some(sent_along)));

    // Both ends included.
    let pages: Vec<HistoryPage> = bot.history(&channel, said[100], said[104]).try_collect().await.unwrap();
    assert_eq!(texts(&pages), ["m104", "m103", "m102", "m101", "m100"]);
    let pages: Vec<HistoryPage> = bot.replies(&channel, root, replies[1]).try_collect().await.unwrap();
    let in_thread: Vec<&str> = texts(&pages).into_iter().filter(|text| !text.starts_with('m')).collect();
    assert_eq!(in_thread, ["r1", "r2", "both"]);
    let gone = bot.replies(&channel, MessageTs::from_micros(1_000_000), MessageTs::MIN);
    let error = gone.try_collect::<Vec<HistoryPage>>().await.unwrap_err();
    assert_eq!(error.refusal(), Some("thread_not_found"));
    live.slack.finish();
}

#[tokio::test]
async fn what_is_gone_is_seen_as_gone() {
    let live = Live::start().await;
    let slack = &live.slack;
    let aki = slack.user(UserSpec::person("aki"));
    let channel = slack.channel(ChannelSpec::public("a").members(&[&aki]));
    let root = slack.say(&channel, &aki, "root");
    slack.reply(&channel, root, &aki, "reply");
    slack.delete(&channel, root);
    let bot = live.bot();
    let pages: Vec<HistoryPage> =
        bot.history(&channel, MessageTs::MIN, MessageTs::MAX).try_collect().await.unwrap();
    let events: Vec<&Event> = pages.iter().flat_map(|page| &page.events).collect();
    assert_eq!(
        events,
        [&Event::Deleted { channel: channel.clone(), ts: root }],
        "the root of a thread leaves a tombstone"
    );
}
