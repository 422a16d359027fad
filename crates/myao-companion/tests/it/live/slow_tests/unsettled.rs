//! Messages that were said, and deleted while nobody listened, less than half a minute before the history is read again: the
//! list leaves them out, and that tells nothing yet (ADR 20).

use myao_core::chat::{ChannelId, MessageTs, UserId};
use myao_testkit::slack::{ChannelSpec, FakeSlack, UserSpec};

use crate::{
    live::{Live, days},
    scenario::hours,
};

const HISTORY: &str = "conversations.history";
const CONCLUDED: &str = "SELECT count(*) FROM deletions WHERE channel_id = $1";

/// A channel with talk of the last days and a thread of yesterday, which the program hears.
struct Heard {
    live: Live,
    general: ChannelId,
    aki: UserId,
    /// The root of the thread.
    root: MessageTs,
}

impl Heard {
    async fn with(times: u32) -> Self {
        let mut live = Live::with(times, |setup| setup, |_| {}).await;
        let aki = live.slack.user(UserSpec::person("aki"));
        let general = live.slack.channel(ChannelSpec::public("general").members(&[&aki]));
        for day in (1..=10).rev() {
            live.slack.say_at(&general, &aki, &format!("{day} days ago"), live.ago(days(day)));
        }
        let root = live.slack.say_at(&general, &aki, "who comes along?", live.ago(hours(20)));
        live.slack.reply_at(&general, root, &aki, "I do", live.ago(hours(19)));
        live.start().await;
        live.caught_up(&[&general]).await;
        Self { live, general, aki, root }
    }

    /// Somebody says something, in the thread of a root if there is one, and the program stores it.
    async fn hears(&self, root: Option<MessageTs>, text: &str) -> MessageTs {
        let slack = &self.live.slack;
        let said = match root {
            None => slack.say(&self.general, &self.aki, text),
            Some(root) => slack.reply(&self.general, root, &self.aki, text),
        };
        let is_stored = async || self.live.message(&self.general, said).await.is_some();
        self.live.eventually("it is stored", is_stored).await;
        said
    }

    /// The program is killed, something happens that nobody tells of, and the program is started again.
    async fn killed_and_started(&mut self, meanwhile: impl FnOnce(&FakeSlack)) {
        self.live.kill().await;
        self.live.slack.muted(meanwhile);
        self.live.start().await;
    }

    async fn is_gone(&self, ts: MessageTs) -> bool {
        self.live.message(&self.general, ts).await.expect("stored").deleted
    }

    /// Waits until these are known to be deleted, and nothing of the channel is missing.
    async fn lost(&self, gone: &[MessageTs]) {
        for ts in gone {
            self.live.eventually("it is known to be deleted", async || self.is_gone(*ts).await).await;
        }
        self.live.caught_up(&[&self.general]).await;
    }

    /// Where the gap begins, if there is one.
    async fn gap_from(&self) -> Option<MessageTs> {
        self.live.row(&self.general).await.expect("stored").gap_from
    }

    fn histories(&self) -> usize {
        self.live.slack.calls(HISTORY).len()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_just_said_and_deleted_while_nobody_listened_goes() {
    let mut heard = Heard::with(10).await;
    let kept = heard.hears(None, "this one stays").await;
    let gone = heard.hears(None, "this one goes").await;
    let before = heard.histories();
    let general = heard.general.clone();
    heard.killed_and_started(|slack| slack.delete(&general, gone)).await;
    // The second list begins with what is said in between.
    let later = heard.hears(None, "and so does this one").await;
    heard.lost(&[gone]).await;
    for stays in [kept, later] {
        assert!(!heard.is_gone(stays).await);
    }
    assert!((1..=2).contains(&(heard.histories() - before)), "it is looked at once more, and no oftener");
    heard.live.stop().await;
    heard.live.slack.finish();
}

/// The newest one of a thread, one before it, and a whole thread that began just now.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reply_that_was_just_given_and_deleted_while_nobody_listened_goes() {
    let mut heard = Heard::with(10).await;
    let newest = heard.hears(Some(heard.root), "I do as well").await;
    let general = heard.general.clone();
    heard.killed_and_started(|slack| slack.delete(&general, newest)).await;
    heard.lost(&[newest]).await;

    let earlier = heard.hears(Some(heard.root), "I may").await;
    let kept = heard.hears(Some(heard.root), "I don't").await;
    let root = heard.hears(None, "and who cooks?").await;
    let of_new_thread = heard.hears(Some(root), "me").await;
    heard
        .killed_and_started(|slack| {
            slack.delete(&general, earlier);
            slack.delete(&general, of_new_thread);
        })
        .await;
    heard.lost(&[earlier, of_new_thread]).await;
    for stays in [kept, root, heard.root] {
        assert!(!heard.is_gone(stays).await);
    }
    heard.live.stop().await;
    heard.live.slack.finish();
}

/// Killed between the two readings: the gap tells that something is to be looked at again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_crash_before_the_second_look_loses_nothing() {
    for in_thread in [false, true] {
        let mut heard = Heard::with(10).await;
        let gone = heard.hears(in_thread.then_some(heard.root), "this one goes").await;
        let general = heard.general.clone();
        heard.killed_and_started(|slack| slack.delete(&general, gone)).await;
        // On a busy machine half a minute may have passed at the first look.
        let is_noted = async || heard.gap_from().await == Some(gone) || heard.is_gone(gone).await;
        heard.live.eventually("it is noted", is_noted).await;
        heard.killed_and_started(|_| {}).await;
        heard.lost(&[gone]).await;
        heard.live.stop().await;
        heard.live.slack.finish();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_only_listed_late_stays() {
    for in_thread in [false, true] {
        let mut heard = Heard::with(4).await;
        let late = heard.hears(in_thread.then_some(heard.root), "this one is late").await;
        let before = heard.histories();
        heard.killed_and_started(|slack| slack.list_all_but(&[late])).await;
        heard.live.eventually("it is noted", async || heard.gap_from().await == Some(late)).await;
        heard.live.slack.list_all_but(&[]);
        heard.live.caught_up(&[&heard.general]).await;
        assert_eq!(heard.histories() - before, 2);
        assert!(!heard.is_gone(late).await);
        assert_eq!(heard.live.count(CONCLUDED, &heard.general).await, 0, "nor was it in between");
        heard.live.stop().await;
        heard.live.slack.finish();
    }
}

/// Where everything is listed, nothing is asked twice.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_just_said_and_is_listed_costs_nothing() {
    let mut heard = Heard::with(10).await;
    heard.hears(None, "this one stays").await;
    heard.hears(Some(heard.root), "and this one").await;
    let before = heard.histories();
    heard.killed_and_started(|_| {}).await;
    heard.live.caught_up(&[&heard.general]).await;
    assert_eq!(heard.histories() - before, 1);
    heard.live.stop().await;
    heard.live.slack.finish();
}
