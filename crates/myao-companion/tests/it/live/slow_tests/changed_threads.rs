//! Replies that were edited and deleted while nobody listened: a history lists no reply, and tells only how many there are
//! (ADR 20).

use myao_core::chat::MessageTs;
use myao_testkit::slack::{ChannelSpec, InjectedFault, UserSpec};

use crate::live::{Live, days};
use crate::scenario::{hours, minutes};

const THREAD: &str = "conversations.replies";

/// Threads of two to five replies, of which some were deleted while nobody listened: the newest, the oldest, all of
/// them, the root besides; and where something was said there meanwhile.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn replies_deleted_meanwhile_are_deleted() {
    let mut live = Live::new(|_| {}).await;
    let aki = live.slack.user(UserSpec::person("aki"));
    let general = live.slack.channel(ChannelSpec::public("general").members(&[&aki]));
    // How many replies, which of them are deleted, whether the root is too, whether somebody replies meanwhile.
    let cases: [(usize, &[usize], bool, bool); 8] = [
        (1, &[0], false, false),
        (2, &[0, 1], true, false),
        (3, &[1], false, false),
        (3, &[2], false, true),
        (4, &[0], false, true),
        (4, &[3], true, false),
        (5, &[0, 4], false, false),
        (5, &[], false, false),
    ];
    let mut threads = Vec::new();
    for (nth, (replies, ..)) in cases.iter().enumerate() {
        let root = live.ago(hours(60) - minutes(nth.try_into().unwrap()));
        live.slack.say_at(&general, &aki, &format!("root {nth}"), root);
        let reply = |n: usize| {
            let ts = live.ago(hours(40 - i64::try_from(n).unwrap()) - minutes(nth.try_into().unwrap()));
            live.slack.reply_at(&general, root, &aki, &format!("reply {n}"), ts);
            ts
        };
        threads.push((root, (0..*replies).map(reply).collect::<Vec<_>>()));
    }
    live.start().await;
    live.caught_up(&[&general]).await;
    live.stop().await;
    let mut meanwhile = Vec::new();
    live.slack.muted(|slack| {
        for ((root, replies), (_, deleted, with_root, more)) in threads.iter().zip(cases) {
            for n in deleted {
                slack.delete(&general, replies[*n]);
            }
            if with_root {
                slack.delete(&general, *root);
            }
            meanwhile.extend(more.then(|| slack.reply(&general, *root, &aki, "meanwhile")));
        }
    });
    live.start().await;
    live.caught_up(&[&general]).await;
    for ((_, replies), (_, deleted, ..)) in threads.iter().zip(cases) {
        for n in deleted {
            live.eventually("a deleted reply is", async || {
                live.message(&general, replies[*n]).await.unwrap().deleted
            })
            .await;
        }
    }
    for ((_, replies), (_, deleted, ..)) in threads.iter().zip(cases) {
        for (n, ts) in replies.iter().enumerate().filter(|(n, _)| !deleted.contains(n)) {
            assert!(!live.message(&general, *ts).await.unwrap().deleted, "reply {n} of {cases:?} stands");
        }
    }
    for ts in meanwhile {
        assert!(live.message(&general, ts).await.is_some());
    }
    live.stop().await;
    live.slack.finish();
}

/// Where calls are few, a thread may wait for its turn until its last days are over.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn replies_changed_meanwhile_are_found_however_late_their_thread_is_read() {
    let mut live = Live::new(|_| {}).await;
    let aki = live.slack.user(UserSpec::person("aki"));
    let general = live.slack.channel(ChannelSpec::public("general").members(&[&aki]));
    let mut threads = Vec::new();
    for nth in 0..6 {
        let root = live.ago(hours(60) - minutes(nth));
        live.slack.say_at(&general, &aki, &format!("root {nth}"), root);
        let replies = [39, 40].map(|hour| live.ago(hours(hour) - minutes(nth)));
        for reply in replies {
            live.slack.reply_at(&general, root, &aki, &format!("reply {nth}"), reply);
        }
        threads.push(replies);
    }
    live.start().await;
    live.caught_up(&[&general]).await;
    live.stop().await;
    // Of the first three a reply is deleted, of the others one is edited.
    live.slack.muted(|slack| {
        for (nth, [_, changed]) in threads.iter().enumerate() {
            if nth < 3 {
                slack.delete(&general, *changed);
            } else {
                slack.edit(&general, *changed, "other words");
            }
        }
    });
    let before = live.slack.look(|seen| seen.calls(THREAD));
    live.slack.fail_next(THREAD, InjectedFault::Limited(2));
    live.start().await;
    live.slack.wait_until(|seen| seen.calls(THREAD) > before).await;
    live.clock.skip(days(3));
    for (nth, [kept, changed]) in threads.iter().enumerate() {
        live.eventually("what was changed is found", async || {
            let message = live.message(&general, *changed).await.unwrap();
            if nth < 3 { message.deleted } else { message.text == "other words" }
        })
        .await;
        let kept = live.message(&general, *kept).await.unwrap();
        assert_eq!((kept.deleted, kept.text), (false, format!("reply {nth}")));
    }
    live.stop().await;
    live.slack.finish();
}

/// What a run does not come to is left to the next, also when what was changed is too old by then to be looked for.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn threads_that_a_run_did_not_come_to_are_looked_through_by_the_next() {
    let mut live = Live::new(|_| {}).await;
    let aki = live.slack.user(UserSpec::person("aki"));
    let general = live.slack.channel(ChannelSpec::public("general").members(&[&aki]));
    let mut replies = Vec::new();
    for nth in 0..6 {
        let root = live.ago(hours(60) - minutes(nth));
        live.slack.say_at(&general, &aki, &format!("root {nth}"), root);
        let reply = live.ago(hours(40) - minutes(nth));
        live.slack.reply_at(&general, root, &aki, "a reply", reply);
        replies.push(reply);
    }
    live.start().await;
    live.caught_up(&[&general]).await;
    live.stop().await;
    live.slack.muted(|slack| replies.iter().for_each(|ts| slack.edit(&general, *ts, "other words")));
    // Twice the program ends while Slack lets nobody ask for threads.
    for absence in [4, 9] {
        let before = live.slack.look(|seen| seen.calls(THREAD));
        live.slack.fail_next(THREAD, InjectedFault::Limited(3600));
        live.start().await;
        live.caught_up(&[&general]).await;
        live.slack.wait_until(|seen| seen.calls(THREAD) > before).await;
        live.stop().await;
        live.clock.skip(days(absence));
    }
    live.start().await;
    for reply in &replies {
        live.eventually("what was changed is found", async || {
            live.message(&general, *reply).await.unwrap().text == "other words"
        })
        .await;
    }
    live.eventually("nothing is left to look through", async || {
        live.store.hearing().count_threads_to_recheck().await.unwrap() == 0
    })
    .await;
    live.stop().await;
    let of_threads = "SELECT count(*) FROM claims WHERE subject LIKE '%recheck%' AND subject <> $1";
    assert_eq!(live.count(of_threads, &general).await, 1, "a thread leaves no row of its own");
    let held = "SELECT count(*) FROM claims WHERE until > 0 AND subject <> $1";
    assert_eq!(live.count(held, &general).await, 0, "a run that ended holds nothing");
    live.slack.finish();
}

/// A process that does not reach Slack leaves what is still to be looked through to one that does.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_that_is_not_connected_holds_no_claim_on_threads() {
    let mut live = Live::with(60, |setup| setup, |_| {}).await;
    let aki = live.slack.user(UserSpec::person("aki"));
    let general = live.slack.channel(ChannelSpec::public("general").members(&[&aki]));
    let root = live.ago(hours(60));
    live.slack.say_at(&general, &aki, "root", root);
    live.slack.reply_at(&general, root, &aki, "a reply", live.ago(hours(40)));
    live.start().await;
    live.caught_up(&[&general]).await;
    live.stop().await;
    // Slack answers no call for a thread for as long as the test takes.
    live.slack.fail_next(THREAD, InjectedFault::Limited(36_000));
    live.start().await;
    let held = "SELECT count(*) FROM claims WHERE subject = 'rechecks' AND until > 0 AND subject <> $1";
    live.eventually("threads are claimed", async || live.count(held, &general).await == 1).await;
    live.slack.refuse_connections(true);
    live.slack.drop_sockets();
    live.eventually("others may look through them", async || live.count(held, &general).await == 0).await;
    live.slack.refuse_connections(false);
    live.stop().await;
    live.slack.finish();
}

/// An edited reply shows nowhere but in its thread, so that many are looked through; people edit what they said lately.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn threads_are_looked_through_from_the_one_in_which_something_was_said_last() {
    let mut live = Live::new(|_| {}).await;
    let aki = live.slack.user(UserSpec::person("aki"));
    let general = live.slack.channel(ChannelSpec::public("general").members(&[&aki]));
    let mut threads = Vec::new();
    // The roots, from the oldest on, have their replies in another order.
    for (nth, replied) in [31, 25, 37, 22, 34, 28].into_iter().enumerate() {
        let root = live.ago(hours(60 - i64::try_from(nth).unwrap()));
        live.slack.say_at(&general, &aki, &format!("root {nth}"), root);
        live.slack.reply_at(&general, root, &aki, "a reply", live.ago(hours(replied)));
        threads.push((replied, root.to_string()));
    }
    live.start().await;
    live.caught_up(&[&general]).await;
    live.stop().await;
    let before = live.slack.look(|seen| seen.calls(THREAD));
    live.start().await;
    live.slack.wait_until(|seen| seen.calls(THREAD) >= before + threads.len()).await;
    let of_thread = live.slack.look(|seen| {
        let calls = seen.calls.iter().filter(|call| call.method == THREAD);
        calls.skip(before).map(|call| call.args["ts"].as_str().unwrap_or_default().to_owned()).collect()
    });
    threads.sort();
    // Two are asked for at once, so that each is one of the two newest that are left.
    let mut left: Vec<String> = threads.into_iter().map(|(_, root)| root).collect();
    let of_thread: Vec<String> = of_thread;
    for root in &of_thread {
        let place = left.iter().position(|one| one == root).expect("each is asked for once");
        assert!(place < 2, "{root} was before {left:?}; the order was {of_thread:?}");
        left.remove(place);
    }
    live.stop().await;
    live.slack.finish();
}

/// A page tells of fewer replies than the archive has: what is missing is found before the gap is closed. One of three was
/// deleted, the only one, and one with its root.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thread_that_became_smaller_is_read_with_the_history() {
    let mut live = Live::new(|_| {}).await;
    let aki = live.slack.user(UserSpec::person("aki"));
    let general = live.slack.channel(ChannelSpec::public("general").members(&[&aki]));
    let thread = |begun: i64, replied: &[i64]| {
        let root = live.slack.say_at(&general, &aki, "who comes along?", live.ago(hours(begun)));
        let replies: Vec<MessageTs> = replied.iter().map(|hour| live.ago(hours(*hour))).collect();
        for ts in &replies {
            live.slack.reply_at(&general, root, &aki, "I do", *ts);
        }
        (root, replies)
    };
    let (first, of_three) = thread(60, &[50, 40, 30]);
    let (second, only) = thread(59, &[41]);
    let (third, with_root) = thread(58, &[42]);
    live.start().await;
    live.caught_up(&[&general]).await;
    live.stop().await;
    let gone = [of_three[1], only[0], with_root[0], third];
    live.slack.muted(|slack| gone.iter().for_each(|ts| slack.delete(&general, *ts)));
    live.start().await;
    live.caught_up(&[&general]).await;
    for ts in [first, second, third].iter().chain(&of_three).chain(&only).chain(&with_root) {
        let message = live.message(&general, *ts).await.expect("stored");
        assert_eq!(message.deleted, gone.contains(ts), "{}", message.text);
    }
    live.stop().await;
    live.slack.finish();
}
