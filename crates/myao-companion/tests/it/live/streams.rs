//! What people see of an answer while it is written (ADR 125): in threads of direct messages, finished whatever becomes of
//! the stream, and taken away where it may not stand.

use myao_core::chat::{ChannelId, MessageTs, UserId};
use myao_slack::manifest::AGENT_SCOPE;
use myao_testkit::{
    ScriptedModel,
    slack::{ChannelSpec, InjectedFault, OwnMessage, SlackSetup, UserSpec},
};

use super::Live;

pub(crate) const WHOLE: &str = "The release was put off to Thursday, since the tests were not green yet. Ben looks at them \
    once more, and Aki has told the customers [r999]. Nothing else changes, and the party is on Friday.";
/// The whole answer as it is posted: nothing is known of what its mark stands for.
pub(crate) const POSTED: &str = "The release was put off to Thursday, since the tests were not green yet. Ben looks at them \
    once more, and Aki has told the customers. Nothing else changes, and the party is on Friday.";
pub(crate) const FIRST: &str = "The release was put off to Thursday,";
pub(crate) const MORE: &str = "The release was put off to Thursday, since the tests were not green yet.";

/// A thread of direct messages whose root is answered.
pub(crate) struct DirectThread {
    pub(crate) live: Live,
    pub(crate) dm: ChannelId,
    pub(crate) root: MessageTs,
    pub(crate) aki: UserId,
    /// The answer to the root.
    first: MessageTs,
}

impl DirectThread {
    pub(crate) async fn with(times: u32, setup: impl FnOnce(SlackSetup) -> SlackSetup) -> Self {
        Self::configured(times, setup, true).await
    }

    async fn configured(times: u32, setup: impl FnOnce(SlackSetup) -> SlackSetup, stream: bool) -> Self {
        let mut live = Live::with(times, setup, |config| config.response.stream = stream).await;
        live.model = ScriptedModel::answering(|_| WHOLE.to_owned()).into();
        let aki = live.slack.user(UserSpec::person("aki"));
        let dm = live.slack.channel(ChannelSpec::dm(&aki));
        live.start().await;
        live.caught_up(&[&dm]).await;
        let root = live.slack.say(&dm, &aki, "hello there");
        live.slack.wait_until(|seen| seen.posts.len() == 1).await;
        let first = live.slack.seen().posts[0].ts;
        let thread = Self { live, dm, root, aki, first };
        thread.live.all_answered().await;
        thread
    }

    pub(crate) fn ask(&self) -> MessageTs {
        self.live.slack.reply(&self.dm, self.root, &self.aki, "what about the release?")
    }

    /// Somebody asks, and the model has begun its answer.
    pub(crate) async fn ask_and_begin(&self, words: &str) -> MessageTs {
        let calls = self.live.model.calls();
        self.live.model.hold();
        let asked = self.ask();
        self.live.model.asked(calls + 1).await;
        self.live.model.begin_answer(words);
        asked
    }

    /// The same, and people see it.
    pub(crate) async fn ask_and_see(&self, words: &str) -> MessageTs {
        let asked = self.ask_and_begin(words).await;
        self.live.slack.wait_until(|seen| !seen.streamed.is_empty()).await;
        asked
    }

    /// Our messages in the thread, but for the answer to its root.
    pub(crate) fn answers(&self) -> Vec<OwnMessage> {
        let all = self.live.slack.own_messages(&self.dm).into_iter();
        all.filter(|message| message.thread_ts == Some(self.root) && message.ts != self.first).collect()
    }

    /// Exactly one whole answer stands in the thread, and in the archive.
    pub(crate) async fn one_answer_stands(&self) {
        let answers = self.answers();
        assert_eq!(answers.iter().map(|one| one.text.as_str()).collect::<Vec<_>>(), [POSTED], "{answers:?}");
        let answer = &answers[0];
        assert!(answer.metadata.is_some() && !answer.is_growing, "{answer:?}");
        let kept = self.live.message(&self.dm, answer.ts).await.expect("archived");
        assert_eq!((kept.text.as_str(), kept.deleted), (POSTED, false));
    }

    pub(crate) fn calls(&self, method: &str) -> usize {
        self.live.slack.seen().calls(method)
    }

    pub(crate) async fn end(mut self) {
        self.live.model.release();
        self.live.stop().await;
        self.live.slack.finish();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_appears_as_it_is_written_and_is_one_message_in_the_end() {
    let thread = DirectThread::with(1, |setup| setup).await;
    thread.ask_and_see(FIRST).await;
    let shown = thread.answers();
    assert_eq!(
        shown.iter().map(|one| (one.text.as_str(), one.is_growing)).collect::<Vec<_>>(),
        [(FIRST, true)]
    );
    thread.live.model.begin_answer(MORE);
    thread.live.slack.wait_until(|seen| seen.streamed.len() == 2).await;
    assert_eq!(thread.live.message(&thread.dm, shown[0].ts).await, None, "it is kept when it is whole");
    thread.live.model.release();
    thread.live.all_answered().await;
    thread.one_answer_stands().await;
    assert_eq!(thread.answers()[0].ts, shown[0].ts);
    assert_eq!(thread.calls("chat.postMessage"), 1, "the answer to the root");
    thread.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stream_that_dies_is_finished_as_the_same_message() {
    let thread = DirectThread::with(1, |setup| setup).await;
    thread.ask_and_see(FIRST).await;
    let shown = thread.answers()[0].ts;
    thread.live.slack.end_streams();
    thread.live.model.begin_answer(MORE);
    thread.live.slack.wait_until(|seen| seen.calls("chat.appendStream") == 1).await;
    thread.live.model.release();
    thread.live.all_answered().await;
    thread.one_answer_stands().await;
    assert_eq!(thread.answers()[0].ts, shown);
    thread.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_limit_in_the_middle_loses_and_doubles_nothing() {
    let thread = DirectThread::with(20, |setup| setup).await;
    thread.ask_and_see(FIRST).await;
    thread.live.slack.fail_next("chat.appendStream", InjectedFault::Limited(2));
    thread.live.slack.fail_next("chat.update", InjectedFault::Limited(2));
    thread.live.model.begin_answer(MORE);
    thread.live.slack.wait_until(|seen| seen.calls("chat.appendStream") == 1).await;
    thread.live.model.release();
    thread.live.all_answered().await;
    thread.one_answer_stands().await;
    thread.end().await;
}

/// The message may not be changed, and cannot be taken away at first: the answer is not posted beside it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_may_not_be_changed_is_replaced_once_it_is_gone() {
    for fault in [InjectedFault::ServerError, InjectedFault::CutBefore, InjectedFault::Limited(2)] {
        let thread = DirectThread::with(20, |setup| setup).await;
        thread.ask_and_see(FIRST).await;
        let shown = thread.answers()[0].ts;
        for _ in 0..2 {
            let refused = InjectedFault::Refused("cant_update_message".to_owned());
            thread.live.slack.fail_next("chat.update", refused);
        }
        thread.live.slack.fail_next("chat.delete", fault);
        thread.live.model.release();
        thread.live.all_answered().await;
        thread.one_answer_stands().await;
        assert_ne!(thread.answers()[0].ts, shown);
        assert_eq!((thread.calls("chat.update"), thread.calls("chat.delete")), (2, 2));
        thread.end().await;
    }
}

/// It was changed although the answer to that was lost, may not be changed again, and cannot be taken away.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_whole_already_is_not_posted_beside_itself() {
    let thread = DirectThread::with(20, |setup| setup).await;
    thread.ask_and_see(FIRST).await;
    let shown = thread.answers()[0].ts;
    thread.live.slack.fail_next("chat.update", InjectedFault::CutAfter);
    for method in ["chat.update", "chat.delete"] {
        thread.live.slack.fail_next(method, InjectedFault::Refused("edit_window_closed".to_owned()));
    }
    thread.live.model.release();
    thread.live.all_answered().await;
    thread.one_answer_stands().await;
    assert_eq!(thread.answers()[0].ts, shown);
    thread.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_stop_button_takes_away_what_is_shown() {
    let thread = DirectThread::with(1, |setup| setup).await;
    thread.ask_and_see(FIRST).await;
    thread.live.slack.press_stop(&thread.dm, thread.root, &thread.aki);
    thread.live.all_answered().await;
    assert_eq!(thread.answers(), []);
    assert_eq!(thread.live.slack.threads_being_answered(), []);
    thread.live.model.begin_answer("");
    thread.live.model.release();
    thread.ask();
    thread.live.slack.wait_until(|seen| seen.posts.len() == 3).await;
    thread.live.all_answered().await;
    thread.one_answer_stands().await;
    thread.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_answers_a_deleted_question_disappears() {
    let thread = DirectThread::with(1, |setup| setup).await;
    let asked = thread.ask_and_see(FIRST).await;
    thread.live.slack.delete(&thread.dm, asked);
    thread
        .live
        .eventually("deleted", async || {
            thread.live.message(&thread.dm, asked).await.is_some_and(|message| message.deleted)
        })
        .await;
    // Before the next piece it is looked whether the words may be said.
    thread.live.model.begin_answer(MORE);
    thread.live.eventually("taken away", async || thread.answers().is_empty()).await;
    thread.live.all_answered().await;
    assert_eq!(thread.live.slack.seen().streamed.len(), 1);
    thread.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_answers_an_edited_question_is_made_anew() {
    let thread = DirectThread::with(1, |setup| setup).await;
    let asked = thread.ask_and_see(FIRST).await;
    let calls = thread.live.model.calls();
    thread.live.slack.edit(&thread.dm, asked, "and what about the party?");
    thread
        .live
        .eventually("edited", async || {
            thread.live.message(&thread.dm, asked).await.is_some_and(|message| message.text.contains("party"))
        })
        .await;
    thread.live.model.begin_answer(MORE);
    thread.live.eventually("asked anew", async || thread.live.model.calls() > calls).await;
    thread.live.model.release();
    thread.live.all_answered().await;
    thread.one_answer_stands().await;
    thread.end().await;
}

/// Wherever a message cannot grow, or is not to, the same calls are made as ever.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_the_scope_or_switched_off_slack_sees_no_new_calls() {
    let older = |setup: SlackSetup| setup.without_scope(AGENT_SCOPE.name).without_agent_sessions();
    for thread in
        [DirectThread::with(1, older).await, DirectThread::configured(1, |setup| setup, false).await]
    {
        thread.ask_and_begin(FIRST).await;
        thread.live.model.release();
        thread.live.all_answered().await;
        thread.one_answer_stands().await;
        assert_eq!(thread.calls("chat.postMessage"), 2);
        let new = ["chat.startStream", "chat.appendStream", "chat.stopStream", "chat.update"];
        assert_eq!(new.map(|method| thread.calls(method)), [0; 4]);
        thread.end().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_workspace_without_streams_is_asked_once() {
    let thread = DirectThread::with(1, SlackSetup::without_streams).await;
    for _ in 0..2 {
        thread.ask_and_begin(FIRST).await;
        thread.live.slack.wait_until(|seen| seen.calls("chat.startStream") == 1).await;
        thread.live.model.release();
        thread.live.all_answered().await;
    }
    assert_eq!((thread.calls("chat.startStream"), thread.calls("chat.postMessage")), (1, 3));
    thread.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn in_channels_nothing_is_shown_before_it_is_whole() {
    let thread = DirectThread::with(1, |setup| setup).await;
    let channel = thread.live.slack.channel(ChannelSpec::public("general").members(&[&thread.aki]));
    let root = thread.live.slack.say(&channel, &thread.aki, "we could go to the lake");
    thread.live.model.hold();
    thread.live.model.begin_answer(FIRST);
    let calls = thread.live.model.calls();
    let text = format!("<@{}> are you coming?", thread.live.slack.bot_user_id());
    thread.live.slack.reply(&channel, root, &thread.aki, &text);
    thread.live.model.asked(calls + 1).await;
    thread.live.model.release();
    thread.live.slack.wait_until(|seen| seen.posts.len() == 2).await;
    thread.live.all_answered().await;
    assert_eq!(thread.calls("chat.startStream"), 0);
    thread.end().await;
}
