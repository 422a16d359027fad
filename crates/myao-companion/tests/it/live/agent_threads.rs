//! Direct messages of an app that is an agent: each at top level is the root of a thread, all of them one memory (ADR 128).

use myao_core::{
    chat::{ChannelId, MessageTs, UserId},
    text::Language,
};
use myao_slack::manifest::AGENT_SCOPE;
use myao_testkit::{
    ScriptedModel,
    slack::{ChannelSpec, SlackSetup, UserSpec},
};

use super::Live;

/// A person who writes to us directly.
struct Direct {
    live: Live,
    dm: ChannelId,
    aki: UserId,
}

impl Direct {
    async fn open(setup: impl FnOnce(SlackSetup) -> SlackSetup, agent_view: bool) -> Self {
        let mut live = Live::with(20, setup, |config| {
            config.locale.language = Language::En;
            config.slack.agent_view = agent_view;
            // What is posted is looked at, not what is shown before.
            config.response.stream = false;
        })
        .await;
        live.model = ScriptedModel::answering(|_| "Noted.".to_owned()).into();
        let aki = live.slack.user(UserSpec::person("aki"));
        let dm = live.slack.channel(ChannelSpec::dm(&aki));
        live.start().await;
        live.caught_up(&[&dm]).await;
        Self { live, dm, aki }
    }

    fn say(&self, text: &str) -> MessageTs {
        self.live.slack.say(&self.dm, &self.aki, text)
    }

    /// Returns once so much is posted and nothing is left to answer.
    async fn answered(&self, posts: usize) {
        self.live.eventually("posted", async || self.live.slack.seen().posts.len() >= posts).await;
        self.live.all_answered().await;
        assert_eq!(self.live.slack.seen().posts.len(), posts);
    }

    /// The threads in which we posted, in the order of the posts.
    fn threads(&self) -> Vec<Option<MessageTs>> {
        self.live.slack.seen().posts.iter().map(|post| post.thread_ts).collect()
    }

    async fn end(mut self) {
        self.live.stop().await;
        self.live.slack.finish();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_is_answered_in_its_own_thread() {
    let direct = Direct::open(|setup| setup, true).await;
    let one = direct.say("the key is under the quince");
    direct.answered(1).await;
    direct.live.slack.reply(&direct.dm, one, &direct.aki, "and the spare one?");
    direct.answered(2).await;
    let two = direct.say("where is the key?");
    direct.answered(3).await;
    assert_eq!(direct.threads(), [Some(one), Some(one), Some(two)]);
    // One memory: what was said in one thread is shown in the next.
    let asked = direct.live.model.requests().pop().expect("asked");
    let shown = format!("{:?}", asked.turns);
    assert!(shown.contains("under the quince") && shown.contains("the spare one"), "{shown}");
    direct.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_in_a_row_are_answered_side_by_side_and_once_each() {
    let direct = Direct::open(|setup| setup, true).await;
    direct.live.model.hold();
    let calls = direct.live.model.calls();
    let one = direct.say("where is the key?");
    let two = direct.say("and when is the fair?");
    direct.live.model.asked(calls + 2).await;
    direct.live.model.release();
    direct.answered(2).await;
    let mut threads = direct.threads();
    threads.sort_unstable();
    assert_eq!(threads, [Some(one), Some(two)]);
    direct.end().await;
}

/// Killed while it thinks, one answer stands in each thread; one whose question is deleted meanwhile has none.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_kill_and_a_deletion_leave_each_thread_as_it_should_be() {
    let mut direct = Direct::open(|setup| setup, true).await;
    direct.live.model.hold();
    let calls = direct.live.model.calls();
    let kept = direct.say("where is the key?");
    let gone = direct.say("never mind this");
    direct.live.model.asked(calls + 2).await;
    direct.live.kill().await;
    direct.live.slack.delete(&direct.dm, gone);
    direct.live.model.release();
    direct.live.start().await;
    direct.answered(1).await;
    assert_eq!(direct.threads(), [Some(kept)]);
    direct.end().await;
}

/// Without the scope, or where it is not wanted, what is said at top level is answered there, by the same calls as ever.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_app_that_is_no_agent_answers_at_top_level() {
    let older = |setup: SlackSetup| setup.without_scope(AGENT_SCOPE.name).without_agent_sessions();
    for direct in [Direct::open(older, true).await, Direct::open(|setup| setup, false).await] {
        let one = direct.say("the key is under the quince");
        direct.answered(1).await;
        direct.live.slack.reply(&direct.dm, one, &direct.aki, "and the spare one?");
        direct.answered(2).await;
        direct.say("where is the key?");
        direct.answered(3).await;
        assert_eq!(direct.threads(), [None, Some(one), None]);
        let seen = direct.live.slack.seen();
        assert_eq!((seen.calls("chat.postMessage"), seen.calls("chat.startStream")), (3, 0));
        direct.end().await;
    }
}
