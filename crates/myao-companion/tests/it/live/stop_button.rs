//! What people see in Slack while an answer is being written, and what their stop button does (ADR 121).

use jiff::Timestamp;
use myao_core::chat::{ChannelId, MessageTs, UserId, Visibility};
use myao_slack::manifest::AGENT_SCOPE;
use myao_store::LedgerQuery;
use myao_testkit::slack::{ChannelSpec, SlackSetup, UserSpec};

use super::Live;

const SESSIONS: &str = "agents.sessions.setStatus";
const THREADS: &str = "assistant.threads.setStatus";

/// A thread in which somebody speaks to us.
struct Thread {
    live: Live,
    channel: ChannelId,
    root: MessageTs,
    aki: UserId,
}

impl Thread {
    async fn with(setup: impl FnOnce(SlackSetup) -> SlackSetup) -> Self {
        let mut live = Live::with(1, setup, |_| {}).await;
        let aki = live.slack.user(UserSpec::person("aki"));
        let channel = live.slack.channel(ChannelSpec::public("general").members(&[&aki]));
        live.start().await;
        live.caught_up(&[&channel]).await;
        let root = live.slack.say(&channel, &aki, "we could go to the lake");
        Self { live, channel, root, aki }
    }

    fn ask(&self) {
        let text = format!("<@{}> are you coming?", self.live.slack.bot_user_id());
        self.live.slack.reply(&self.channel, self.root, &self.aki, &text);
    }

    /// Somebody asks, and the model thinks for the n-th time.
    async fn ask_and_think(&self, calls: usize) {
        self.live.model.hold();
        self.ask();
        self.live.model.asked(calls).await;
        self.live.slack.wait_until(|seen| seen.status_changes.len() % 2 == 1).await;
    }

    /// Returns once nothing shows that an answer is being written, and nothing is under way.
    async fn is_over(&self) {
        self.live
            .eventually("over", async || {
                let replies = self.live.store.replies();
                let wanted = replies.list_wanted(Timestamp::MAX).await.expect("read");
                let unfinished = replies.list_unfinished().await.expect("read");
                wanted.is_empty()
                    && unfinished.is_empty()
                    && self.live.slack.threads_being_answered().is_empty()
            })
            .await;
    }

    /// The statuses as they changed, each with how many posts there were.
    fn shown(&self) -> Vec<(String, usize)> {
        let changes = self.live.slack.seen().status_changes.into_iter();
        changes.map(|change| (change.status, change.posts)).collect()
    }

    async fn end(mut self) {
        self.live.stop().await;
        self.live.slack.finish();
    }
}

fn told(status: &str, posts: usize) -> (String, usize) {
    (status.to_owned(), posts)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_session_processes_while_the_model_thinks_and_not_when_the_answer_is_there() {
    let thread = Thread::with(|setup| setup).await;
    thread.ask_and_think(1).await;
    assert_eq!(thread.live.slack.threads_being_answered(), [(thread.channel.clone(), thread.root)]);
    thread.live.model.release();
    thread.live.slack.wait_until(|seen| seen.posts.len() == 1).await;
    thread.is_over().await;
    assert_eq!(thread.shown(), [told("processing", 0), told("active", 0)]);
    thread.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_stop_button_ends_the_answer_and_the_next_question_is_answered() {
    let thread = Thread::with(|setup| setup).await;
    thread.ask_and_think(1).await;
    thread.live.slack.press_stop(&thread.channel, thread.root, &thread.aki);
    thread.is_over().await;
    thread.live.model.release();
    assert_eq!(thread.shown(), [told("processing", 0), told("active", 0)]);
    let query = LedgerQuery { channel: None, since: Timestamp::UNIX_EPOCH, limit: 10 };
    let stopped = thread.live.store.replies().list_stopped(&Visibility::Owner, &query).await.expect("read");
    assert_eq!(stopped.iter().map(|reply| reply.by.clone()).collect::<Vec<_>>(), [Some(thread.aki.clone())]);
    thread.ask();
    thread.live.slack.wait_until(|seen| seen.posts.len() == 1).await;
    thread.is_over().await;
    assert_eq!(thread.live.model.calls(), 2, "nothing was asked anew");
    thread.end().await;
}

/// An app with the manifest from before: no call that it did not make, and none less.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn with_the_older_manifest_slack_sees_the_calls_it_always_saw() {
    let setup = |setup: SlackSetup| {
        setup.without_scope(AGENT_SCOPE.name).without_agent_sessions().without_stop_event()
    };
    let thread = Thread::with(setup).await;
    thread.ask_and_think(1).await;
    thread.live.model.release();
    thread.live.slack.wait_until(|seen| seen.posts.len() == 1).await;
    thread.is_over().await;
    let calls = thread.live.slack.seen().calls;
    let about_it = |method: &&str| matches!(*method, SESSIONS | THREADS | "chat.postMessage");
    let methods: Vec<&str> = calls.iter().map(|call| call.method.as_str()).filter(about_it).collect();
    assert_eq!(methods, [THREADS, THREADS, "chat.postMessage"]);
    thread.end().await;
}

/// What is said at top level is answered there, where there is no session.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn at_top_level_nothing_is_shown() {
    let thread = Thread::with(|setup| setup).await;
    let text = format!("<@{}> are you there?", thread.live.slack.bot_user_id());
    thread.live.slack.say(&thread.channel, &thread.aki, &text);
    thread.live.slack.wait_until(|seen| seen.posts.len() == 1).await;
    thread.is_over().await;
    assert_eq!(thread.shown(), []);
    thread.end().await;
}
