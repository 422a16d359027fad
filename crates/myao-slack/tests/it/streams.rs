//! Answers that are shown while they are written.

use jiff::SignedDuration;
use myao_core::{
    chat::{ChannelId, Place},
    ports::{Chat, Post, PostError, PostMark},
    text::Language,
};
use myao_slack::{directory::Directory, post::SlackChat};
use myao_testkit::slack::{ChannelSpec, InjectedFault, UserSpec, drawn::draw_blocks};
use tokio::time::timeout;

use crate::live::{Live, PATIENCE};

fn answer(place: &Place, nth: usize) -> Post {
    let mark = PostMark { reply: i64::try_from(nth).unwrap(), part: 0 };
    Post { place: place.clone(), text: format!("answer {nth}"), mark, asks_for_vote: false }
}

/// A thread of direct messages.
fn ask(live: &Live, dm: &ChannelId, nth: usize) -> Place {
    let aki = live.slack.user(UserSpec::person(&format!("aki-{nth}")));
    let root = live.slack.say(dm, &aki, &format!("question {nth}"));
    Place { channel: dm.clone(), thread: Some(root) }
}

/// An answer that is whole waits for the end of its stream, so no more are begun than can be ended without waiting. The
/// clock stands still here, so a call that waited would wait for ever.
#[tokio::test]
async fn no_more_are_begun_than_can_be_ended_at_once() {
    let live = Live::start().await;
    let own = live.slack.user(UserSpec::person("aki"));
    let dm = live.slack.channel(ChannelSpec::dm(&own));
    let client = live.bot();
    let bot = Directory::open(client.clone()).await.unwrap().own().clone();
    let chat = SlackChat::new(client, bot, Language::En);
    let mut begun = Vec::new();
    for nth in 0..9 {
        let place = ask(&live, &dm, nth);
        match timeout(PATIENCE, chat.begin_stream(&place, "It is")).await.expect("at once") {
            Ok(ts) => begun.push((place, ts)),
            Err(error) => assert!(matches!(error, PostError::Limited(_)), "{error:?}"),
        }
    }
    assert_eq!(begun.len(), 5, "the burst of Slack's second tier");
    for (nth, (place, ts)) in begun.iter().enumerate() {
        timeout(PATIENCE, chat.finish_stream(&answer(place, nth), *ts)).await.expect("at once").unwrap();
    }
    live.clock.advance(SignedDuration::from_mins(1));
    let place = ask(&live, &dm, 9);
    let ts = chat.begin_stream(&place, "It is").await.expect("there is room again");
    chat.take_stream_away(&dm, ts).await.unwrap();
    live.slack.finish();
}

/// What grew has its buttons once it is whole; where Slack refuses them, it is whole without.
#[tokio::test]
async fn an_answer_that_grew_has_buttons_beneath_it() {
    let live = Live::start().await;
    let own = live.slack.user(UserSpec::person("aki"));
    let dm = live.slack.channel(ChannelSpec::dm(&own));
    let client = live.bot();
    let bot = Directory::open(client.clone()).await.unwrap().own().clone();
    let chat = SlackChat::new(client, bot, Language::En);
    for (nth, shown) in [(1, "answer 1\n[Good answer] [Bad answer]"), (2, "answer 2"), (3, "answer 3")] {
        let place = ask(&live, &dm, nth);
        let ts = chat.begin_stream(&place, "It is").await.unwrap();
        if nth == 2 {
            live.slack.fail_next("chat.update", InjectedFault::Refused("invalid_blocks".to_owned()));
        }
        let whole = Post { asks_for_vote: true, ..answer(&place, nth) };
        chat.finish_stream(&whole, ts).await.unwrap();
        let message = live.slack.message(&dm, ts).unwrap();
        assert_eq!(message["text"], format!("answer {nth}"));
        assert_eq!(draw_blocks(&message["blocks"]), shown);
    }
    assert_eq!(live.slack.calls("chat.update").len(), 4, "they are not tried again");
    live.slack.finish();
}
