//! What was said, edited and deleted while nobody listened (specification §4 catch-up).

use jiff::SignedDuration;
use myao_core::chat::{Channel, ChannelId, ChannelKind, Event, Message, MessageKind, MessageTs, UserId};
use myao_testkit::slack::{ChannelSpec, InjectedFault, SlackSetup, UserSpec};

use crate::live::{Live, days};
use crate::scenario::{hours, minutes};

const HISTORY: &str = "conversations.history";

/// Replies that are wanted or were given in a channel.
const REPLIES: &str = "SELECT count(*) FROM replies WHERE channel_id = $1 AND state <> 'skipped'";
const SKIPPED: &str = "SELECT count(*) FROM replies WHERE channel_id = $1 AND state = 'skipped'";
const MESSAGES: &str =
    "SELECT count(*) FROM messages WHERE channel_id = $1 AND kind = 'talk' AND deleted = 0";

/// Aki and a channel in which the program ran for a while, and runs no more.
async fn heard_and_stopped(live: &mut Live) -> (ChannelId, UserId) {
    let aki = live.slack.user(UserSpec::person("aki"));
    let general = live.slack.channel(ChannelSpec::public("general").members(&[&aki]));
    for day in (1..=25).rev() {
        live.slack.say_at(&general, &aki, &format!("{day} days ago"), live.ago(days(day)));
    }
    live.start().await;
    live.caught_up(&[&general]).await;
    live.stop().await;
    (general, aki)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_said_meanwhile_is_archived_and_a_mention_answered_once() {
    let mut live = Live::new(|_| {}).await;
    let (general, aki) = heard_and_stopped(&mut live).await;
    let bot = live.slack.bot_user_id();
    let (plain, mention) = live.slack.muted(|slack| {
        (
            slack.say(&general, &aki, "anybody?"),
            slack.say(&general, &aki, &format!("<@{bot}> are you there?")),
        )
    });
    for _ in 0..2 {
        live.start().await;
        live.caught_up(&[&general]).await;
        assert_eq!(live.message(&general, plain).await.unwrap().text, "anybody?");
        assert!(live.message(&general, mention).await.is_some());
        assert_eq!(live.count(REPLIES, &general).await, 1);
        live.stop().await;
    }
    live.slack.finish();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mention_that_is_found_too_late_is_recorded_and_not_answered() {
    let mut live = Live::new(|config| config.response.max_message_age_seconds = 3600).await;
    let aki = live.slack.user(UserSpec::person("aki"));
    let general = live.slack.channel(ChannelSpec::public("general").members(&[&aki]));
    let mention = format!("<@{}> hello", live.slack.bot_user_id());
    let old = live.slack.say_at(&general, &aki, &mention, live.ago(hours(2)));
    live.start().await;
    live.caught_up(&[&general]).await;
    assert!(live.message(&general, old).await.is_some());
    assert_eq!((live.count(REPLIES, &general).await, live.count(SKIPPED, &general).await), (0, 1));
    live.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn edits_and_deletions_of_the_last_days_are_noticed() {
    changed_while_away_for(SignedDuration::ZERO).await;
    // They are looked for back from when nobody listened any more, however long ago that is.
    changed_while_away_for(days(9)).await;
}

async fn changed_while_away_for(absence: SignedDuration) {
    let mut live = Live::new(|_| {}).await;
    let aki = live.slack.user(UserSpec::person("aki"));
    let general = live.slack.channel(ChannelSpec::public("general").members(&[&aki]));
    let said: Vec<MessageTs> = (1..=60)
        .rev()
        .map(|hour| live.slack.say_at(&general, &aki, &format!("{hour} h ago"), live.ago(hours(hour))))
        .collect();
    let root = said[5];
    let long_ago = live.ago(days(5));
    live.slack.say_at(&general, &aki, "long ago", long_ago);
    let reply = live.slack.reply(&general, root, &aki, "a reply");
    live.start().await;
    live.caught_up(&[&general]).await;
    live.stop().await;
    live.clock.skip(absence);
    live.slack.muted(|slack| {
        slack.edit(&general, said[10], "other words");
        slack.edit(&general, reply, "another reply");
        slack.delete(&general, said[20]);
        slack.delete(&general, *said.last().unwrap());
        slack.delete(&general, long_ago);
    });
    live.start().await;
    live.caught_up(&[&general]).await;
    assert_eq!(live.message(&general, said[10]).await.unwrap().text, "other words");
    for gone in [said[20], *said.last().unwrap()] {
        let message = live.message(&general, gone).await.unwrap();
        assert!(message.deleted && message.text.is_empty());
    }
    assert!(!live.message(&general, long_ago).await.unwrap().deleted, "older than slack.recheck_hours");
    live.eventually("the reply is read again", async || {
        live.message(&general, reply).await.unwrap().text == "another reply"
    })
    .await;
    assert_eq!(live.count(MESSAGES, &general).await, 60, "nothing else went");
    live.stop().await;
    live.slack.finish();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_much_is_missing_in_a_thread_nothing_is_deleted_and_a_person_is_told() {
    let mut live = Live::new(|_| {}).await;
    let aki = live.slack.user(UserSpec::person("aki"));
    let general = live.slack.channel(ChannelSpec::public("general").members(&[&aki]));
    let root = live.slack.say_at(&general, &aki, "root", live.ago(hours(30)));
    let replies: Vec<MessageTs> = (0..9).map(|n| live.ago(hours(20 - n))).collect();
    for ts in &replies {
        live.slack.reply_at(&general, root, &aki, "a reply", *ts);
    }
    live.start().await;
    live.caught_up(&[&general]).await;
    live.stop().await;
    live.slack.muted(|slack| replies[2..8].iter().for_each(|ts| slack.delete(&general, *ts)));
    live.start().await;
    live.caught_up(&[&general]).await;
    live.eventually("a person is told", async || {
        let setbacks = live.store.memory().list_open_setbacks().await.unwrap();
        setbacks.iter().any(|setback| setback.flagged && setback.subject == format!("history:{general}"))
    })
    .await;
    assert_eq!(live.count(MESSAGES, &general).await, 10);
    live.stop().await;
    live.slack.finish();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_much_is_missing_nothing_is_deleted_and_a_person_is_told() {
    let mut live = Live::new(|_| {}).await;
    let aki = live.slack.user(UserSpec::person("aki"));
    let general = live.slack.channel(ChannelSpec::public("general").members(&[&aki]));
    let said: Vec<MessageTs> = (1..=20)
        .rev()
        .map(|hour| live.slack.say_at(&general, &aki, &format!("{hour} h ago"), live.ago(hours(hour))))
        .collect();
    live.start().await;
    live.caught_up(&[&general]).await;
    live.stop().await;
    live.slack.muted(|slack| said[5..15].iter().for_each(|ts| slack.delete(&general, *ts)));
    live.start().await;
    live.caught_up(&[&general]).await;
    assert_eq!(live.count(MESSAGES, &general).await, 20);
    let setbacks = live.store.memory().list_open_setbacks().await.unwrap();
    let flagged: Vec<_> = setbacks.iter().filter(|setback| setback.flagged).collect();
    assert_eq!(flagged.len(), 1, "{setbacks:?}");
    assert_eq!(flagged[0].subject, format!("history:{general}"));
    live.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reply_to_an_old_root_is_found() {
    let mut live = Live::new(|_| {}).await;
    let (general, aki) = heard_and_stopped(&mut live).await;
    let root = live.ago(days(20));
    live.slack.muted(|slack| slack.say_at(&general, &aki, "forgotten", root));
    let first = live.slack.muted(|slack| slack.reply(&general, root, &aki, "about that"));
    live.start().await;
    live.caught_up(&[&general]).await;
    assert_eq!(live.message(&general, first).await.unwrap().thread_ts, Some(root));
    // Nothing below the gap is fetched for its own sake; the page's other roots are left alone.
    assert_eq!(live.slack.calls("conversations.replies").len(), 1);
    live.stop().await;
    live.slack.finish();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sweep_that_was_killed_goes_on_where_it_was() {
    let mut live = Live::with(10, |setup| setup, |config| config.slack.backfill_days = 100).await;
    let aki = live.slack.user(UserSpec::person("aki"));
    let general = live.slack.channel(ChannelSpec::public("general").members(&[&aki]));
    let said: Vec<MessageTs> = (0..450)
        .rev()
        .map(|n| live.slack.say_at(&general, &aki, &format!("{n}"), live.ago(hours(5 * n + 1))))
        .collect();
    for fault in [InjectedFault::Slow(std::time::Duration::ZERO), InjectedFault::Hang] {
        live.slack.fail_next(HISTORY, fault);
    }
    live.start().await;
    live.slack.wait_until(|seen| seen.calls(HISTORY) == 2).await;
    live.kill().await;
    live.slack.release();
    let first_page_ends = said[250];
    assert_eq!(live.count(MESSAGES, &general).await, 200);
    live.start().await;
    live.caught_up(&[&general]).await;
    assert_eq!(live.count(MESSAGES, &general).await, 450);
    let goes_on = live
        .slack
        .calls(HISTORY)
        .into_iter()
        .skip(2)
        .any(|call| call.args["latest"].as_str() == Some(&first_page_ends.just_before().to_string()));
    assert!(goes_on, "{:?}", live.slack.calls(HISTORY));
    live.stop().await;
    live.slack.finish();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_waits_when_slack_asks_to_and_goes_on() {
    let mut live = Live::with(10, SlackSetup::with_rate_limits, |_| {}).await;
    let (general, aki) = heard_and_stopped(&mut live).await;
    let said = live.slack.muted(|slack| slack.say(&general, &aki, "patience"));
    for fault in [InjectedFault::Limited(5), InjectedFault::ServerError, InjectedFault::CutAfter] {
        live.slack.fail_next(HISTORY, fault);
    }
    live.start().await;
    live.caught_up(&[&general]).await;
    assert!(live.message(&general, said).await.is_some());
    live.stop().await;
    live.slack.finish();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn channels_joined_and_left_meanwhile_are_found_out() {
    let mut live = Live::new(|_| {}).await;
    let (left, aki) = heard_and_stopped(&mut live).await;
    let joined = live.slack.channel(ChannelSpec::private("plans").members(&[&aki]).without_bot());
    let before = live.slack.muted(|slack| {
        let before = slack.say(&joined, &aki, "before you came");
        slack.invite_bot(&joined);
        slack.remove_bot(&left);
        before
    });
    live.start().await;
    live.caught_up(&[&joined]).await;
    assert!(live.message(&joined, before).await.is_some());
    let row = live.row(&joined).await.unwrap();
    assert_eq!((row.channel.kind, row.channel.name.as_str()), (ChannelKind::Private, "plans"));
    live.eventually("the other one is left", async || {
        live.row(&left).await.is_some_and(|row| !row.member && row.gap_from.is_none())
    })
    .await;
    live.stop().await;
    live.slack.finish();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_import_and_the_first_visit_meet_without_a_hole() {
    let mut live = Live::new(|config| config.slack.backfill_days = 1).await;
    let aki = live.slack.user(UserSpec::person("aki"));
    let general = live.slack.channel(ChannelSpec::public("general").members(&[&aki]));
    let said: Vec<MessageTs> = (1..=40)
        .rev()
        .map(|day| {
            live.slack.say_at(&general, &aki, &format!("{day} days ago"), live.ago(days(day) - minutes(5)))
        })
        .collect();
    let (imported, missing) = said.split_at(20);
    let channel = Channel {
        id: general.clone(),
        name: "general".to_owned(),
        kind: ChannelKind::Public,
        external: false,
    };
    let message = |ts: &MessageTs| {
        Event::Message(Message {
            channel: general.clone(),
            ts: *ts,
            thread_ts: None,
            user: aki.clone(),
            kind: MessageKind::Talk,
            text: "imported".to_owned(),
            files: Vec::new(),
            edited_at: None,
            deleted: false,
        })
    };
    let until = imported[19];
    let heard = Event::HeardUntil { channel: general.clone(), until };
    let events = [Event::Channel(channel)].into_iter().chain(imported.iter().map(message)).chain([heard]);
    live.store.intake().apply(events.collect(), jiff::Timestamp::UNIX_EPOCH).await.unwrap();
    live.start().await;
    live.caught_up(&[&general]).await;
    for ts in missing {
        assert!(live.message(&general, *ts).await.is_some(), "{ts}");
    }
    assert_eq!(live.count(MESSAGES, &general).await, 40);
    live.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_as_far_back_as_wanted() {
    let mut live = Live::new(|config| config.slack.backfill_days = 10).await;
    let (general, _) = heard_and_stopped(&mut live).await;
    // Ten days and a moment: the tenth is older than that by the time it is fetched.
    assert_eq!(live.count(MESSAGES, &general).await, 9);
    live.start().await;
    live.caught_up(&[&general]).await;
    assert_eq!(live.count(MESSAGES, &general).await, 9, "nor later");
    live.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_workspace_of_many_channels_is_caught_up_within_slacks_rates() {
    let mut live = Live::with(30, SlackSetup::with_rate_limits, |_| {}).await;
    let aki = live.slack.user(UserSpec::person("aki"));
    let said: Vec<(ChannelId, MessageTs)> = (0..150)
        .map(|n| {
            let channel = live.slack.channel(ChannelSpec::public(&format!("c{n}")).members(&[&aki]));
            let ts = live.slack.say_at(&channel, &aki, "hello", live.ago(SignedDuration::from_hours(1)));
            (channel, ts)
        })
        .collect();
    live.start().await;
    live.caught_up(&said.iter().map(|(channel, _)| channel).collect::<Vec<_>>()).await;
    for (channel, ts) in &said {
        assert!(live.message(channel, *ts).await.is_some());
    }
    live.eventually("the health page knows", async || live.status.gaps() == 0).await;
    live.stop().await;
    live.slack.finish();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_said_while_the_connection_was_lost_is_fetched() {
    let mut live = Live::with(10, |setup| setup, |_| {}).await;
    let aki = live.slack.user(UserSpec::person("aki"));
    let general = live.slack.channel(ChannelSpec::public("general").members(&[&aki]));
    let root = live.slack.say_at(&general, &aki, "an old root", live.ago(days(8)));
    live.start().await;
    live.caught_up(&[&general]).await;
    let history = live.slack.calls(HISTORY).len();
    let (said, reply) = live.slack.muted(|slack| {
        slack.drop_sockets();
        (slack.say(&general, &aki, "in the dark"), slack.reply(&general, root, &aki, "there too"))
    });
    live.slack.wait_until(|seen| seen.calls(HISTORY) > history).await;
    live.caught_up(&[&general]).await;
    assert!(live.message(&general, said).await.is_some());
    assert!(live.message(&general, reply).await.is_some());
    let heard = live.slack.say(&general, &aki, "in the light");
    live.slack.wait_until(|seen| seen.unacknowledged == 0).await;
    assert!(live.message(&general, heard).await.is_some());
    live.stop().await;
    live.slack.finish();
}

/// A reply was missed, the next one was heard: the newest reply being there says nothing of those before it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reply_between_two_that_are_known_is_found() {
    let mut live = Live::new(|_| {}).await;
    let (general, aki) = heard_and_stopped(&mut live).await;
    let (root, missed) = live.slack.muted(|slack| {
        let root = slack.say(&general, &aki, "a new root");
        (root, slack.reply(&general, root, &aki, "missed"))
    });
    // The history is not read before the next reply has been heard.
    live.slack.fail_next(HISTORY, InjectedFault::Hang);
    live.start().await;
    live.slack.wait_until(|seen| seen.calls(HISTORY) > 1).await;
    let heard = live.slack.reply(&general, root, &aki, "heard");
    live.slack.wait_until(|seen| seen.unacknowledged == 0).await;
    live.slack.release();
    live.caught_up(&[&general]).await;
    for reply in [missed, heard] {
        assert!(live.message(&general, reply).await.is_some());
    }
    live.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_ends_at_once_in_the_middle_of_a_page() {
    let mut live = Live::new(|_| {}).await;
    let (general, _) = heard_and_stopped(&mut live).await;
    for method in [HISTORY, "users.list"] {
        live.slack.fail_next(method, InjectedFault::Hang);
    }
    live.start().await;
    live.slack.wait_until(|seen| seen.calls(HISTORY) > 1 && seen.calls("users.list") > 1).await;
    let asked = std::time::Instant::now();
    live.stop().await;
    // A call is given up after thirty.
    assert!(asked.elapsed() < std::time::Duration::from_secs(20), "{:?}", asked.elapsed());
    live.slack.release();
    // What it held is free again: nothing has to expire first.
    live.start().await;
    live.caught_up(&[&general]).await;
    live.stop().await;
}
