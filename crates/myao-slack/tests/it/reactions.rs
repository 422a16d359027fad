//! Answers that are one emoji.

use myao_core::{
    chat::{ChannelId, MessageTs},
    ports::{Chat, PostError, Reaction, ReactionOutcome},
    text::Language,
};
use myao_slack::post::SlackChat;
use myao_testkit::slack::{ChannelSpec, InjectedFault, SlackSetup, UserSpec};

use crate::live::Live;

const ADD: &str = "reactions.add";

fn chat(live: &Live) -> SlackChat {
    SlackChat::new(live.bot(), live.own(), Language::Ja)
}

fn message(live: &Live) -> (ChannelId, MessageTs) {
    let aki = live.slack.user(UserSpec::person("aki"));
    let channel = live.slack.channel(ChannelSpec::public("a").members(&[&aki]));
    let ts = live.slack.say(&channel, &aki, "hello");
    (channel, ts)
}

fn reaction((channel, to): &(ChannelId, MessageTs), emoji: &str) -> Reaction {
    Reaction { channel: channel.clone(), to: *to, emoji: emoji.to_owned() }
}

#[tokio::test]
async fn an_answer_is_an_emoji_when_it_is_nothing_else() {
    let chat = chat(&Live::start().await);
    for (text, emoji) in [
        (":tada:", ":tada:"),
        (" :ThumbsUp:\n", ":thumbsup:"),
        (":+1::skin-tone-2:", ":+1::skin-tone-2:"),
        (":おつかれさま:", ":おつかれさま:"),
        (":piñata:", ":piñata:"),
        (":flag-jp:", ":flag-jp:"),
        ("👍", ":+1:"),
        ("👍🏽", ":+1::skin-tone-4:"),
        ("❤️", ":heart:"),
        ("❤", ":heart:"),
    ] {
        assert_eq!(chat.emoji(text).as_deref(), Some(emoji), "{text}");
    }
    let long = format!(":{}:", "a".repeat(101));
    for text in [
        "",
        ":",
        "::",
        "tada",
        ":tada",
        "はい :tada:",
        ":tada: :tada:",
        ":tada::tada:",
        ":a b:",
        ":a\nb:",
        ":<!channel>:",
        ":+1::skin-tone-7:",
        ":+1::skin-tone-1:",
        "👍👍",
        "👍🏽🏽",
        "🏽",
        "👍 はい",
        "🦖",
        long.as_str(),
    ] {
        assert_eq!(chat.emoji(text), None, "{text}");
    }
}

/// Whatever Unicode's emoji are called, Slack knows the name; and what we take for an emoji is one in a post too.
#[tokio::test]
async fn every_name_of_ours_is_one_of_slacks() {
    let live = Live::start().await;
    let chat = chat(&live);
    let all = "👍👎👌👏🙌🙏💪🤝👋✋✌🤞🫡🙇🙆🤗👀🎉🎊🥳✨⭐🌟🔥🚀💯✅☑✔⭕❌❤💖💕🧡💛💚💙💜😀😄😊🙂😂🤣😉😍😎🤔😮😢😭😅🌸🍵☕";
    assert_eq!(all.chars().count(), 56, "the whole table");
    let mut at = message(&live);
    for (n, c) in all.chars().enumerate() {
        if n % 20 == 0 {
            // More than Slack takes beside one message.
            at = message(&live);
        }
        let emoji = chat.emoji(&c.to_string()).unwrap_or_else(|| panic!("{c} is not known"));
        live.clock.advance(jiff::SignedDuration::from_secs(2));
        assert_eq!(chat.react(&reaction(&at, &emoji)).await, Ok(ReactionOutcome::There), "{c}");
    }
    assert_eq!(live.slack.seen().reactions.len(), 56);
    live.slack.finish();
}

#[tokio::test]
async fn a_reaction_that_is_there_is_as_good_as_one_that_is_added() {
    let live = Live::start().await;
    let chat = chat(&live);
    let at = message(&live);
    for emoji in [":tada:", ":tada:", ":+1::skin-tone-2:"] {
        assert_eq!(chat.react(&reaction(&at, emoji)).await, Ok(ReactionOutcome::There));
    }
    let seen = live.slack.seen().reactions;
    let names: Vec<&str> = seen.iter().map(|reaction| reaction.name.as_str()).collect();
    assert_eq!(names, ["tada", "+1::skin-tone-2"]);
    assert!(seen.iter().all(|reaction| (&reaction.channel, reaction.ts) == (&at.0, at.1)));
    live.slack.delete(&at.0, at.1);
    assert_eq!(chat.react(&reaction(&at, ":wave:")).await, Ok(ReactionOutcome::NoMessage));
    live.slack.finish();
}

/// What the caller is told.
type Is = fn(&PostError) -> bool;

#[tokio::test]
async fn each_outcome_says_what_became_of_the_reaction() {
    let live = Live::start().await;
    let chat = chat(&live);
    let at = message(&live);
    let unknown = |outcome: &PostError| matches!(outcome, PostError::Unknown(_));
    let refused = |outcome: &PostError| matches!(outcome, PostError::Refused(_));
    let barred = |outcome: &PostError| matches!(outcome, PostError::Barred(_));
    let table: [(InjectedFault, Is); 9] = [
        (InjectedFault::ServerErrorAfter, unknown),
        (InjectedFault::CutAfter, unknown),
        (InjectedFault::Garbage, unknown),
        (InjectedFault::ServerError, unknown),
        (InjectedFault::CutBefore, unknown),
        (InjectedFault::Refused("invalid_name".into()), refused),
        (InjectedFault::Refused("too_many_emoji".into()), refused),
        (InjectedFault::Refused("token_revoked".into()), barred),
        (InjectedFault::Limited(7), |outcome| *outcome == PostError::Limited(7)),
    ];
    for (fault, is_told) in table {
        live.clock.advance(jiff::SignedDuration::from_secs(2));
        let before = live.slack.calls(ADD).len();
        live.slack.fail_next(ADD, fault.clone());
        let outcome = chat.react(&reaction(&at, ":tada:")).await;
        assert!(outcome.as_ref().is_err_and(is_told), "{fault:?}: {outcome:?}");
        assert_eq!(live.slack.calls(ADD).len(), before + 1, "{fault:?}: tried once, and no more");
    }
    live.clock.advance(jiff::SignedDuration::from_secs(7));
    assert_eq!(chat.react(&reaction(&at, ":tada:")).await, Ok(ReactionOutcome::There), "after all of that");
    live.clock.advance(jiff::SignedDuration::from_secs(2));
    let nobody_made_it = chat.react(&reaction(&at, ":nobody_made_it:")).await;
    assert_eq!(nobody_made_it, Err(PostError::Refused("invalid_name".to_owned())));
    live.slack.finish();
}

#[tokio::test]
async fn without_the_scope_a_reaction_is_refused() {
    let live = Live::with(|setup: SlackSetup| setup.without_scope("reactions:write")).await;
    let outcome = chat(&live).react(&reaction(&message(&live), ":tada:")).await;
    let Err(PostError::Refused(why)) = outcome else { panic!("{outcome:?}") };
    assert!(why.contains("`reactions:write`"), "{why}");
    live.slack.finish();
}
