//! Posting replies, and finding them again.

use futures::future;
use myao_core::{
    chat::{ChannelId, MessageTs, Place},
    ports::{Chat, Post, PostError, PostMark},
    text::Language,
};
use myao_slack::post::SlackChat;
use myao_testkit::slack::{ChannelSpec, InjectedFault, SlackSetup, UserSpec};

use crate::live::Live;

const POST: &str = "chat.postMessage";

async fn chat(live: &Live) -> SlackChat {
    let own = live.directory().await.own().clone();
    SlackChat::new(live.bot(), own, Language::Ja)
}

fn place(channel: &ChannelId) -> Place {
    Place { channel: channel.clone(), thread: None }
}

fn part(place: &Place, reply: i64) -> Post {
    let mark = PostMark { reply, part: 1 };
    Post { place: place.clone(), text: "*hi* &amp; bye".to_owned(), mark, asks_for_vote: false }
}

#[tokio::test]
async fn a_post_carries_its_mark_and_is_found_by_it() {
    let live = Live::start().await;
    let aki = live.slack.user(UserSpec::person("aki"));
    let channel = live.slack.channel(ChannelSpec::public("a").members(&[&aki]));
    let chat = chat(&live).await;
    let root = live.slack.say(&channel, &aki, "hello");
    let thread = Place { channel: channel.clone(), thread: Some(root) };
    for (place, reply) in [(place(&channel), 7), (thread, 8)] {
        let since = MessageTs::from_timestamp(live.slack.now());
        let post = part(&place, reply);
        let ts = chat.post(&post).await.unwrap();
        for n in 0..250 {
            live.slack.reply(&channel, root, &aki, &format!("r{n}"));
            live.slack.say(&channel, &aki, &format!("m{n}"));
        }
        assert_eq!(chat.find(&place, &post.mark, since).await, Ok(Some(ts)), "over the pages");
        let other = PostMark { reply, part: 2 };
        assert_eq!(chat.find(&place, &other, since).await, Ok(None));
        let seen = live.slack.posts().pop().unwrap();
        assert_eq!((seen.ts, seen.thread_ts, seen.text.as_str()), (ts, place.thread, "*hi* &amp; bye"));
        let metadata =
            serde_json::json!({"event_type": "myao_reply", "event_payload": {"reply": reply, "part": 1}});
        assert_eq!(seen.metadata, Some(metadata));
    }
    let gone = Place { channel, thread: Some(MessageTs::from_micros(5_000_000)) };
    assert_eq!(chat.find(&gone, &PostMark { reply: 7, part: 1 }, MessageTs::MIN).await, Ok(None));
    live.slack.finish();
}

/// A long answer with buttons is one post of several sections, each of a length that Slack takes.
#[tokio::test]
async fn an_answer_with_buttons_says_all_of_its_text() {
    let live = Live::start().await;
    let aki = live.slack.user(UserSpec::person("aki"));
    let channel = live.slack.channel(ChannelSpec::public("a").members(&[&aki]));
    let chat = chat(&live).await;
    let text = format!("{}\n\n```\n{}\n```", "word ".repeat(500).trim(), "code\n".repeat(190).trim());
    let [text] = <[String; 1]>::try_from(chat.parts(&text)).unwrap();
    assert!(text.chars().count() > 3_000, "{}", text.len());
    // What the app may do is known from the first answer of Slack's on.
    chat.post(&part(&place(&channel), 6)).await.unwrap();
    assert_eq!(live.slack.posts().pop().unwrap().blocks, None);
    let post = Post { text: text.clone(), asks_for_vote: true, ..part(&place(&channel), 7) };
    chat.post(&post).await.unwrap();
    let seen = live.slack.posts().pop().unwrap();
    assert_eq!(seen.text, text);
    let blocks = seen.blocks.unwrap();
    let blocks = blocks.as_array().unwrap();
    assert_eq!(blocks.len(), 3, "{blocks:?}");
    let said: Vec<&str> = blocks.iter().filter_map(|block| block.pointer("/text/text")?.as_str()).collect();
    let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
    assert_eq!(letters(&said.concat()), letters(&text));
    assert_eq!(blocks[2]["elements"][0]["positive_button"]["text"]["text"], "良い答え");
    live.slack.finish();
}

#[tokio::test]
async fn each_outcome_says_what_became_of_the_post() {
    let live = Live::start().await;
    let channel = live.general();
    let chat = chat(&live).await;
    let place = place(&channel);
    // What goes wrong, whether it was done nevertheless, and what the caller is told.
    let table = [
        (InjectedFault::ServerErrorAfter, true, "unknown"),
        (InjectedFault::CutAfter, true, "unknown"),
        (InjectedFault::Garbage, true, "unknown"),
        (InjectedFault::ServerError, false, "unknown"),
        (InjectedFault::CutBefore, false, "unknown"),
        (InjectedFault::Html, false, "unknown"),
        (InjectedFault::Refused("fatal_error".into()), false, "unknown"),
        (InjectedFault::Refused("msg_too_long".into()), false, "too long"),
        (InjectedFault::Refused("msg_blocks_too_long".into()), false, "too long"),
        (InjectedFault::Refused("restricted_action".into()), false, "forbidden"),
        (InjectedFault::Refused("restricted_action_read_only_channel".into()), false, "forbidden"),
        (InjectedFault::Refused("no_permission".into()), false, "forbidden"),
        (InjectedFault::Refused("restricted_action_thread_only_channel".into()), false, "threads only"),
        (InjectedFault::Refused("restricted_action_non_threadable_channel".into()), false, "no threads"),
        (InjectedFault::Refused("invalid_thread_ts".into()), false, "refused"),
        (InjectedFault::Refused("not_in_channel".into()), false, "barred"),
        (InjectedFault::Refused("is_archived".into()), false, "barred"),
        (InjectedFault::Refused("channel_not_found".into()), false, "barred"),
        (InjectedFault::Refused("token_revoked".into()), false, "barred"),
        (InjectedFault::Limited(7), false, "limited"),
    ];
    for (reply, (fault, done, told)) in table.into_iter().enumerate() {
        let post = part(&place, i64::try_from(reply).unwrap());
        let before = live.slack.posts().len();
        live.slack.fail_next(POST, fault.clone());
        // One post a second and channel.
        live.clock.advance(jiff::SignedDuration::from_secs(1));
        let outcome = chat.post(&post).await;
        let as_told = match &outcome {
            Err(PostError::Unknown(_)) => "unknown",
            Err(PostError::Refused(_)) => "refused",
            Err(PostError::TooLong(_)) => "too long",
            Err(PostError::Forbidden(_)) => "forbidden",
            Err(PostError::ThreadsOnly(_)) => "threads only",
            Err(PostError::NoThreads(_)) => "no threads",
            Err(PostError::Barred(_)) => "barred",
            Err(PostError::Limited(7)) => "limited",
            other => panic!("{fault:?}: {other:?}"),
        };
        assert_eq!(as_told, told, "{fault:?}: {outcome:?}");
        assert_eq!(
            live.slack.posts().len() - before,
            usize::from(done),
            "{fault:?}: tried once, and no more"
        );
        let found = chat.find(&place, &post.mark, MessageTs::MIN).await.unwrap();
        assert_eq!(found.is_some(), done, "{fault:?}");
    }
    live.slack.finish();
}

#[tokio::test]
async fn our_own_posts_are_taken_back_and_only_these() {
    let live = Live::start().await;
    let aki = live.slack.user(UserSpec::person("aki"));
    let channel = live.slack.channel(ChannelSpec::public("a").members(&[&aki]));
    let chat = chat(&live).await;
    let place = place(&channel);
    let post = part(&place, 7);
    let ts = chat.post(&post).await.unwrap();
    for (fault, told) in [
        (InjectedFault::Limited(7), "limited"),
        (InjectedFault::CutBefore, "unknown"),
        (InjectedFault::Refused("compliance_exports_prevent_deletion".into()), "refused"),
        (InjectedFault::Refused("channel_not_found".into()), "barred"),
    ] {
        live.slack.fail_next("chat.delete", fault.clone());
        let outcome = chat.take_back(&channel, ts).await;
        let as_told = match &outcome {
            Err(PostError::Limited(7)) => "limited",
            Err(PostError::Unknown(_)) => "unknown",
            Err(PostError::Refused(_)) => "refused",
            Err(PostError::Barred(_)) => "barred",
            other => panic!("{fault:?}: {other:?}"),
        };
        assert_eq!(as_told, told, "{fault:?}: {outcome:?}");
        assert_eq!(chat.find(&place, &post.mark, MessageTs::MIN).await, Ok(Some(ts)), "it stands");
        live.clock.advance(jiff::SignedDuration::from_secs(10));
    }
    assert_eq!(chat.take_back(&channel, ts).await, Ok(()));
    assert_eq!(chat.find(&place, &post.mark, MessageTs::MIN).await, Ok(None));
    assert_eq!(chat.take_back(&channel, ts).await, Ok(()), "it is gone already");
    let others = live.slack.say(&channel, &aki, "hello");
    let refused = chat.take_back(&channel, others).await;
    assert!(matches!(&refused, Err(PostError::Refused(why)) if why == "cant_delete_message"), "{refused:?}");
    live.slack.finish();
}

#[tokio::test]
async fn an_answer_that_never_comes_is_no_answer() {
    let live = Live::start().await;
    let place = place(&live.general());
    let chat = chat(&live).await;
    live.slack.fail_next(POST, InjectedFault::HangAfter);
    let post = part(&place, 1);
    let (outcome, ()) = future::join(chat.post(&post), async {
        live.slack.wait_until(|seen| !seen.posts.is_empty()).await;
        live.pass(30, 30).await;
    })
    .await;
    assert!(matches!(outcome, Err(PostError::Unknown(_))), "{outcome:?}");
    live.slack.release();
    let ts = live.slack.posts()[0].ts;
    assert_eq!(chat.find(&place, &post.mark, MessageTs::MIN).await, Ok(Some(ts)));
}

#[tokio::test]
async fn a_mark_of_somebody_elses_is_none() {
    let live = Live::start().await;
    let place = place(&live.general());
    let post = part(&place, 1);
    let ts = chat(&live).await.post(&post).await.unwrap();
    let mut own = live.own();
    assert_eq!(
        SlackChat::new(live.bot(), own.clone(), Language::En).find(&place, &post.mark, MessageTs::MIN).await,
        Ok(Some(ts))
    );
    own.user = myao_core::chat::UserId::new("U0OTHER");
    own.bot = None;
    let other = SlackChat::new(live.bot(), own, Language::En);
    assert_eq!(other.find(&place, &post.mark, MessageTs::MIN).await, Ok(None));
}

#[tokio::test]
async fn posts_into_one_channel_are_spread() {
    let live = Live::with(SlackSetup::with_rate_limits).await;
    let place = place(&live.general());
    let chat = chat(&live).await;
    let posts = async {
        for reply in 0..20 {
            chat.post(&part(&place, reply)).await.unwrap();
        }
    };
    tokio::pin!(posts);
    loop {
        tokio::select! {
            () = &mut posts => break,
            () = live.pass(0, 5) => {}
        }
    }
    assert_eq!(live.slack.calls(POST).len(), 20);
    live.slack.finish();
}
