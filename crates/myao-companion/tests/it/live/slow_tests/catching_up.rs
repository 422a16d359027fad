//! Catching up in a workspace of a thousand channels, at Slack's rates: who is caught up first.

use std::collections::{BTreeMap, BTreeSet};

use jiff::{SignedDuration, Timestamp};
use myao_core::chat::{Channel, ChannelId, ChannelKind, Event, Message, MessageKind, MessageTs, UserId};
use myao_store::FirstSight;
use myao_testkit::slack::{ChannelSpec, InjectedFault, SlackSetup, UserSpec};

use crate::live::{Live, days};
use crate::scenario::{hours, minutes};

const HISTORY: &str = "conversations.history";
/// Within so many seconds of the start, nine of ten missed mentions are answered.
const ANSWERED_WITHIN: SignedDuration = SignedDuration::from_secs(60);
/// As many histories as Slack gives in a minute: their channels are among the first so many that are read.
const CALLS_OF_A_MINUTE: usize = 50;
/// By what power a channel's talk falls with its rank: 58 of 1,000 channels said something in the week, and of ten mentions
/// that fall as this talk does, four are in the liveliest and the last in the 28th.
const TALK_FALLS_BY: f64 = 1.4;
/// How many messages the liveliest channel had in the last week.
const LIVELIEST: f64 = 300.0;

/// How many messages a channel of a rank, from 1 on, had in the last week.
fn talk_of_rank(rank: usize) -> usize {
    let rank = f64::from(u32::try_from(rank).expect("few"));
    let talk = LIVELIEST / rank.powf(TALK_FALLS_BY);
    (1..=300).take_while(|n| f64::from(*n) <= talk).count()
}

/// A workspace whose channels were all heard until `quiet_for` ago: every channel is in the archive with its talk of the
/// last week, and the program does not run.
struct Workspace {
    live: Live,
    aki: UserId,
    /// The liveliest first. Their ids tell nothing of that.
    channels: Vec<ChannelId>,
}

impl Workspace {
    async fn new(
        times: u32,
        setup: impl FnOnce(SlackSetup) -> SlackSetup,
        count: usize,
        quiet_for: SignedDuration,
    ) -> Self {
        let live = Live::with(times, setup, |_| {}).await;
        let aki = live.slack.user(UserSpec::person("aki"));
        let spec = |n: usize| ChannelSpec::public(&format!("c{n}")).members(&[&aki]);
        let mut channels: Vec<ChannelId> = (0..count).map(|n| live.slack.channel(spec(n))).collect();
        // Stepping through them by a number without a common divisor mixes ids and ranks.
        channels = (0..count).map(|n| channels[(n * 7 + 3) % count].clone()).collect();
        let workspace = Self { live, aki, channels };
        workspace.fill_archive().await;
        workspace
            .live
            .store
            .hearing()
            .note_heard(workspace.live.clock_now() - quiet_for)
            .await
            .expect("noted");
        workspace
    }

    async fn fill_archive(&self) {
        let store = &self.live.store;
        for (n, channel) in self.channels.iter().enumerate() {
            let row = Channel {
                id: channel.clone(),
                name: channel.to_string(),
                kind: ChannelKind::Public,
                external: false,
            };
            let said = (0..talk_of_rank(n + 1)).map(|nth| {
                let nth = i64::try_from(nth).expect("few");
                let ts = self.live.ago(days(4) + minutes(10 * nth));
                self.live.slack.muted(|slack| slack.say_at(channel, &self.aki, "as ever", ts));
                Event::Message(Message {
                    channel: channel.clone(),
                    ts,
                    thread_ts: None,
                    user: self.aki.clone(),
                    kind: MessageKind::Talk,
                    text: "as ever".to_owned(),
                    files: Vec::new(),
                    edited_at: None,
                    deleted: false,
                })
            });
            let events = [Event::Channel(row)].into_iter().chain(said).collect();
            store.intake().apply(events, self.live.clock_now()).await.expect("applied");
            store
                .hearing()
                .join_channel(channel, FirstSight::since(self.live.ago(days(1))))
                .await
                .expect("joined");
        }
        for gap in store.hearing().gaps().await.expect("read") {
            assert!(store.hearing().close_filled_gap(&gap).await.expect("closed"));
        }
    }

    /// The channel in which the talk of the whole week has reached a share, the liveliest first.
    fn channel_at(&self, share: f64) -> ChannelId {
        let talk: Vec<usize> = (1..=self.channels.len()).map(talk_of_rank).collect();
        let count = |n: usize| f64::from(u32::try_from(n).expect("few"));
        let whole = count(talk.iter().sum());
        let mut said = 0;
        let rank = talk.iter().position(|talk| {
            said += talk;
            count(said) >= share * whole
        });
        self.channels[rank.expect("all of it is said in the end")].clone()
    }

    fn mention(&self, channel: &ChannelId) -> MessageTs {
        let words = format!("<@{}> are you there?", self.live.slack.bot_user_id());
        self.live.slack.say(channel, &self.aki, &words)
    }

    /// Somebody asks while nobody listens.
    fn missed_mention(&self, channel: &ChannelId) -> MessageTs {
        self.live.slack.muted(|_| self.mention(channel))
    }

    /// The channels whose histories were asked for, in order.
    fn asked_for(&self) -> Vec<ChannelId> {
        let channel =
            |call: &myao_testkit::slack::SeenCall| call.args["channel"].as_str().map(ChannelId::new);
        self.live.slack.calls(HISTORY).iter().filter_map(channel).collect()
    }

    fn posts_by_channel(&self) -> BTreeMap<ChannelId, Vec<Timestamp>> {
        let mut posts: BTreeMap<ChannelId, Vec<Timestamp>> = BTreeMap::new();
        for post in self.live.slack.posts() {
            posts.entry(post.channel).or_default().push(post.at);
        }
        posts
    }
}

/// A thousand channels, two minutes of silence, ten mentions that fall as last week's talk did. Somebody asks meanwhile
/// in the quietest channel.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nine_of_ten_missed_mentions_are_answered_within_a_minute_of_the_start() {
    // No faster than that: a busy machine has to keep up.
    let mut workspace = Workspace::new(2, SlackSetup::with_rate_limits, 1_000, minutes(2)).await;
    let shares = (0..10).map(|n| 0.05 + 0.1 * f64::from(n));
    // In the liveliest channel there are several of them.
    let mentions: Vec<ChannelId> = shares.map(|share| workspace.channel_at(share)).collect();
    let asked: BTreeSet<&ChannelId> = mentions.iter().collect();
    for channel in &asked {
        workspace.missed_mention(channel);
    }
    let began = workspace.live.clock_now();
    workspace.live.start().await;
    let enough = asked.len() - 1;
    workspace
        .live
        .eventually("nine of ten are answered", async || workspace.live.slack.posts().len() >= enough)
        .await;
    let posts = workspace.posts_by_channel();
    let seconds_to = |channel: &ChannelId| Some(posts.get(channel)?[0].duration_since(began).as_secs());
    let mut seconds: Vec<i64> = mentions.iter().filter_map(seconds_to).collect();
    seconds.sort_unstable();
    println!("{} mentions, answered so many seconds after the start: {seconds:?}", mentions.len());
    let first: BTreeSet<ChannelId> = workspace.asked_for().into_iter().take(CALLS_OF_A_MINUTE).collect();
    let read_first = mentions.iter().filter(|channel| first.contains(channel)).count();
    assert!(read_first >= 9, "{read_first} of {}: {posts:?}", mentions.len());
    let in_time = seconds.iter().filter(|seconds| **seconds <= ANSWERED_WITHIN.as_secs()).count();
    assert!(in_time >= 9, "{in_time} of {}: {posts:?}", mentions.len());
    assert!(posts.values().all(|at| at.len() == 1), "nothing is answered twice: {posts:?}");

    let quietest = workspace.channels.last().expect("some").clone();
    assert!(!workspace.asked_for().contains(&quietest));
    let asked_at = workspace.mention(&quietest);
    workspace
        .live
        .eventually("the question is here", async || {
            workspace.live.message(&quietest, asked_at).await.is_some()
        })
        .await;
    let before = workspace.asked_for();
    workspace
        .live
        .eventually("the asker's channel is caught up", async || workspace.asked_for().contains(&quietest))
        .await;
    let position = workspace.asked_for().iter().position(|channel| *channel == quietest).expect("asked for");
    // Those that had their turn when the question arrived go before it.
    assert!(position.saturating_sub(before.len()) <= 6, "{position} after {}", before.len());
    let until = workspace.live.status.caught_up_at().expect("the rest takes a while");
    let rest = until.duration_since(workspace.live.clock_now());
    assert!(rest > minutes(20) && rest < minutes(30), "{rest:?}");
    let noted = workspace.live.store.hearing().catching_up().await.expect("read").expect("noted");
    assert!(noted.channels > 900 && noted.until > workspace.live.clock_now());
    workspace.live.stop().await;
    workspace.live.slack.finish();
}

/// Killed in the middle: what was answered is not answered again, nothing is lost, and nothing is read twice but what the
/// interruption makes necessary.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_crash_half_way_loses_nothing_and_doubles_no_reply() {
    let mut workspace = Workspace::new(10, |setup| setup, 40, minutes(2)).await;
    let asked: Vec<ChannelId> = workspace.channels.iter().step_by(4).cloned().collect();
    for channel in &asked {
        workspace.missed_mention(channel);
    }
    for _ in 0..20 {
        workspace.live.slack.fail_next(HISTORY, InjectedFault::Slow(std::time::Duration::ZERO));
    }
    for _ in 0..20 {
        workspace.live.slack.fail_next(HISTORY, InjectedFault::Hang);
    }
    workspace.live.start().await;
    workspace.live.slack.wait_until(|seen| seen.calls(HISTORY) > 20).await;
    workspace.live.slack.wait_until(|seen| !seen.posts.is_empty()).await;
    workspace.live.kill().await;
    workspace.live.slack.release();
    workspace.live.start().await;
    workspace
        .live
        .eventually("all are answered", async || {
            // What is left of the faults is of no use any more.
            workspace.live.slack.release();
            workspace.posts_by_channel().len() >= asked.len()
        })
        .await;
    let all: Vec<&ChannelId> = workspace.channels.iter().collect();
    workspace
        .live
        .eventually("caught up", async || {
            workspace.live.slack.release();
            workspace.live.store.hearing().gaps().await.expect("read").is_empty()
        })
        .await;
    workspace.live.caught_up(&all).await;
    let posts = workspace.posts_by_channel();
    assert!(posts.values().all(|at| at.len() == 1), "{posts:?}");
    assert_eq!(posts.keys().collect::<Vec<_>>().len(), asked.len());
    workspace.live.stop().await;
    workspace.live.slack.finish();
}

/// As many calls as there are channels: none is asked for twice. A 429 is obeyed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_call_for_each_channel_and_a_429_is_obeyed() {
    let mut workspace = Workspace::new(20, SlackSetup::with_rate_limits, 30, minutes(2)).await;
    for _ in 0..5 {
        workspace.live.slack.fail_next(HISTORY, InjectedFault::Slow(std::time::Duration::ZERO));
    }
    workspace.live.slack.fail_next(HISTORY, InjectedFault::Limited(30));
    workspace.live.start().await;
    let all: Vec<&ChannelId> = workspace.channels.iter().collect();
    workspace.live.caught_up(&all).await;
    let asked = workspace.asked_for();
    // The refused one, and those that crossed it on the way.
    assert!(asked.len() <= all.len() + 2, "{} calls for {} channels", asked.len(), all.len());
    let liveliest: Vec<&ChannelId> = asked.iter().take(3).collect();
    assert!(liveliest.iter().all(|channel| all[..5].contains(channel)), "the liveliest first: {liveliest:?}");
    workspace
        .live
        .eventually("nothing is left", async || workspace.live.status.caught_up_at().is_none())
        .await;
    workspace.live.stop().await;
    workspace.live.slack.finish();
}

/// Slack's limits for apps that are not in the marketplace: fifteen messages a page, one page a minute. Whoever asks has
/// their channel read until nothing recent is missing there, before all others, and it is said how long the rest takes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn with_fifteen_messages_a_minute_the_asker_comes_first() {
    let slow = |setup: SlackSetup| setup.with_short_pages(15).with_limit(HISTORY, 1);
    let mut workspace = Workspace::new(60, slow, 40, hours(5)).await;
    let quiet = workspace.channels[39].clone();
    for n in 0..40 {
        let ts = workspace.live.ago(minutes(250 - 5 * n));
        workspace.live.slack.muted(|slack| slack.say_at(&quiet, &workspace.aki, &format!("missed {n}"), ts));
    }
    workspace.live.start().await;
    // The burst that is allowed is over, and it is known how slow it goes.
    workspace
        .live
        .eventually("it is slow", async || {
            let until = workspace.live.status.caught_up_at();
            until.is_some_and(|until| until.duration_since(workspace.live.clock_now()) > minutes(20))
        })
        .await;
    assert!(!workspace.asked_for().contains(&quiet));
    let before = workspace.asked_for().len();
    workspace.mention(&quiet);
    workspace
        .live
        .eventually("nothing recent is missing", async || {
            workspace.asked_for().iter().filter(|channel| **channel == quiet).count() >= 3
        })
        .await;
    let since = workspace.asked_for().split_off(before);
    let others = since.iter().filter(|channel| **channel != quiet).count();
    assert!(others <= 4, "only those that had their turn: {since:?}");
    let noted = workspace.live.store.hearing().catching_up().await.expect("read").expect("noted");
    assert!(noted.until > workspace.live.clock_now(), "the rest takes a while, and that is said");
    workspace.live.stop().await;
    workspace.live.slack.finish();
}
