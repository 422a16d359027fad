//! Showing that an answer is being written, in the way that a workspace has.

use jiff::SignedDuration;
use myao_core::{
    chat::{MessageTs, Place},
    ports::{Chat, PostError},
    text::Language,
};
use myao_slack::{directory::Directory, manifest::AGENT_SCOPE, post::SlackChat};
use myao_testkit::slack::{ChannelSpec, InjectedFault, SlackSetup, UserSpec};

use tokio::time::timeout;

use crate::live::{Live, PATIENCE};

const SESSIONS: &str = "agents.sessions.setStatus";
const THREADS: &str = "assistant.threads.setStatus";

/// A thread in a workspace, and us.
struct Scene {
    live: Live,
    chat: SlackChat,
    thread: Place,
}

impl Scene {
    async fn with(setup: impl FnOnce(SlackSetup) -> SlackSetup) -> Self {
        let live = Live::with(setup).await;
        let aki = live.slack.user(UserSpec::person("aki"));
        let channel = live.slack.channel(ChannelSpec::public("a").members(&[&aki]));
        let root = live.slack.say(&channel, &aki, "hello");
        let client = live.bot();
        let own = Directory::open(client.clone()).await.unwrap().own().clone();
        let chat = SlackChat::new(client, own, Language::En);
        Self { live, chat, thread: Place { channel, thread: Some(root) } }
    }

    /// Shows that something is being written and that it is not, so often.
    async fn write(&self, times: usize) {
        for _ in 0..times {
            self.chat.show_typing(&self.thread, true).await.unwrap();
            self.chat.show_typing(&self.thread, false).await.unwrap();
        }
    }

    fn calls(&self) -> (usize, usize) {
        (self.live.slack.calls(SESSIONS).len(), self.live.slack.calls(THREADS).len())
    }

    /// What was shown, as it changed.
    fn shown(&self) -> Vec<String> {
        self.live.slack.seen().status_changes.into_iter().map(|change| change.status).collect()
    }
}

#[tokio::test]
async fn an_agent_has_sessions() {
    let scene = Scene::with(|setup| setup).await;
    scene.write(2).await;
    assert_eq!(scene.calls(), (4, 0));
    assert_eq!(scene.shown(), ["processing", "active", "processing", "active"]);
    assert!(scene.chat.keeps_typing(&scene.thread));
    scene.live.slack.finish();
}

#[tokio::test]
async fn there_is_no_status_outside_of_threads() {
    let scene = Scene::with(|setup| setup).await;
    let place = Place { thread: None, ..scene.thread.clone() };
    scene.chat.show_typing(&place, true).await.unwrap();
    assert_eq!(scene.calls(), (0, 0));
    assert!(!scene.chat.keeps_typing(&place));
    scene.live.slack.finish();
}

/// A manifest from before there were sessions: the same calls as ever, and no other.
#[tokio::test]
async fn an_app_that_is_no_agent_has_the_older_status() {
    let scene = Scene::with(|setup| setup.without_scope(AGENT_SCOPE.name).without_agent_sessions()).await;
    scene.write(2).await;
    assert_eq!(scene.calls(), (0, 4));
    assert_eq!(scene.shown(), ["is typing…", "", "is typing…", ""]);
    scene.live.slack.finish();
}

#[tokio::test]
async fn what_a_workspace_lacks_is_asked_for_once() {
    for code in ["unknown_method", "method_deprecated", "feature_not_enabled", "not_allowed", "missing_scope"]
    {
        let scene = Scene::with(|setup| setup).await;
        scene.live.slack.fail_next(SESSIONS, InjectedFault::Refused(code.into()));
        scene.write(3).await;
        assert_eq!(scene.calls(), (1, 6), "{code}");
        scene.live.slack.fail_next(THREADS, InjectedFault::Refused(code.into()));
        scene.write(3).await;
        assert_eq!(scene.calls(), (1, 7), "{code}: neither, so nothing");
        assert!(!scene.chat.keeps_typing(&scene.thread));
        scene.live.slack.finish();
    }
}

/// Some threads have no status; others have one all the same.
#[tokio::test]
async fn a_refusal_of_one_thread_says_nothing_of_others() {
    let scene = Scene::with(|setup| setup).await;
    let gone = Place { thread: Some(MessageTs::from_micros(5_000_000)), ..scene.thread.clone() };
    scene.chat.show_typing(&gone, true).await.unwrap();
    scene.write(1).await;
    assert_eq!(scene.shown(), ["processing", "active"]);
}

#[tokio::test]
async fn a_call_that_may_have_failed_is_told_of() {
    let scene = Scene::with(|setup| setup).await;
    scene.live.slack.fail_next(SESSIONS, InjectedFault::ServerError);
    let told = scene.chat.show_typing(&scene.thread, false).await;
    assert!(matches!(told, Err(PostError::Unknown(_))), "{told:?}");
    scene.write(1).await;
    assert_eq!(scene.calls(), (3, 0));
}

/// An answer waits until its status is gone: however many are written at once, that never takes a turn that is to come.
/// The clock stands still here, so a call that waited would wait for ever.
#[tokio::test]
async fn nothing_is_shown_that_could_not_be_taken_away_at_once() {
    let scene = Scene::with(|setup| setup).await;
    let aki = scene.live.slack.user(UserSpec::person("ben"));
    let mut shown = Vec::new();
    for n in 0..40 {
        let root = scene.live.slack.say(&scene.thread.channel, &aki, &format!("question {n}"));
        let place = Place { thread: Some(root), ..scene.thread.clone() };
        if scene.chat.show_typing(&place, true).await.unwrap() {
            shown.push(place);
        }
    }
    assert_eq!(shown.len(), 6, "of twelve calls at once, half are for the way back");
    for place in &shown {
        timeout(PATIENCE, scene.chat.show_typing(place, false)).await.expect("at once").unwrap();
    }
    assert_eq!(scene.live.slack.threads_being_answered(), []);
    assert!(!scene.chat.show_typing(&scene.thread, true).await.unwrap(), "all of the burst is used");
    scene.live.clock.advance(SignedDuration::from_mins(1));
    scene.write(3).await;
    assert_eq!(scene.calls(), (18, 0));
    scene.live.slack.finish();
}

/// Slack takes the status and shows no stop button. That is logged, and nothing else changes.
#[tokio::test]
async fn without_the_stop_event_it_is_shown_all_the_same() {
    let scene = Scene::with(SlackSetup::without_stop_event).await;
    scene.write(2).await;
    assert_eq!(scene.shown(), ["processing", "active", "processing", "active"]);
    scene.live.slack.finish();
}
