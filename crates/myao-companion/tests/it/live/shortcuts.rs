//! Entries of a message's menu: a window is opened at once and filled in, and what is sent from it is done once.

use std::collections::BTreeMap;

use jiff::SignedDuration;
use myao_core::{
    chat::{ChannelId, MessageTs, UserId, Visibility},
    text::Language,
};
use myao_slack::interaction::{FORGET_SHORTCUT, REMEMBER_SHORTCUT, WHY_SHORTCUT};
use myao_store::MemoQuery;
use myao_testkit::slack::{ChannelSpec, InjectedFault, PlayedInteraction, UserSpec};

use super::Live;

const WORDS: &str = "the spare key of the kiln lies under the quince";

/// A workspace in which one of two people said something.
struct Kiln {
    live: Live,
    general: ChannelId,
    aki: UserId,
    ben: UserId,
    said: MessageTs,
}

impl Kiln {
    async fn new(language: Language) -> Self {
        let mut live = Live::with(1, |setup| setup, |config| config.locale.language = language).await;
        let [aki, ben] = ["aki", "ben"].map(|name| live.slack.user(UserSpec::person(name)));
        let general = live.slack.channel(ChannelSpec::public("general").members(&[&aki, &ben]));
        live.start().await;
        live.slack.invite_bot(&general);
        live.caught_up(&[&general]).await;
        let said = live.slack.say(&general, &aki, WORDS);
        live.eventually("stored", async || live.message(&general, said).await.is_some()).await;
        Self { live, general, aki, ben, said }
    }

    fn choose(&self, user: &UserId, shortcut: &str) -> PlayedInteraction {
        self.live.slack.message_shortcut(&self.general, self.said, user, shortcut)
    }

    /// What somebody's window says, once it says this.
    async fn window(&self, user: &UserId, says: &str) -> String {
        let drawn = || self.live.slack.modals(user).pop().map(|view| view.drawn()).unwrap_or_default();
        self.live.eventually(says, async || drawn().contains(says)).await;
        drawn()
    }

    async fn is_kept(&self) -> bool {
        let kept = self.live.message(&self.general, self.said).await;
        kept.is_some_and(|message| !message.deleted && message.text == WORDS)
    }

    async fn memos(&self) -> Vec<String> {
        let query = MemoQuery { tag: None, offset: 0, limit: 10 };
        let page = self.live.store.memos().page(&Visibility::Owner, &query).await.expect("read");
        page.memos.into_iter().map(|memo| format!("{}: {}", memo.memo.name, memo.memo.content)).collect()
    }

    /// How many requests ended in each way, once nothing is open.
    async fn counts(&self) -> BTreeMap<String, u64> {
        let asked = self.live.store.interactions();
        self.live.eventually("over", async || asked.askers().await.expect("read").is_empty()).await;
        asked.counts().await.expect("read")
    }

    /// Ends it wherever it is, and starts it again when nobody waits for the dead one any more.
    async fn kill_and_start(&mut self) {
        self.live.kill().await;
        self.live.clock.skip(SignedDuration::from_mins(5));
        self.live.start().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn forgetting_shows_what_goes_and_is_done_once() {
    let mut kiln = Kiln::new(Language::En).await;
    let chosen = kiln.choose(&kiln.aki, FORGET_SHORTCUT);
    chosen.deliver_again();
    assert!(chosen.view_opened().await.drawn().contains("One moment"), "nothing was waited for");
    let drawn = kiln.window(&kiln.aki, "goes for good").await;
    assert!(drawn.contains(WORDS) && drawn.contains("[Forget it]"), "{drawn}");
    assert!(kiln.is_kept().await);
    let sent = kiln.live.slack.submit(&kiln.aki, &[]);
    sent.deliver_again();
    assert_eq!(sent.acknowledged().await.payload.expect("with a view")["response_action"], "update");
    let drawn = kiln.window(&kiln.aki, "Forgotten").await;
    assert!(!drawn.contains("quince") && !drawn.contains("[Forget it]"), "{drawn}");
    assert!(!kiln.is_kept().await);
    assert_eq!(kiln.counts().await, [("answered".to_owned(), 2)].into());
    assert_eq!(chosen.opened_views().len(), 1);
    assert!(chosen.answers().is_empty(), "the window has it");
    kiln.live.stop().await;
    kiln.live.slack.finish();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_forgets_what_others_said_by_the_menu() {
    let mut kiln = Kiln::new(Language::En).await;
    kiln.choose(&kiln.ben, FORGET_SHORTCUT);
    let drawn = kiln.window(&kiln.ben, "no message of yours").await;
    assert!(!drawn.contains("[Forget it]"), "{drawn}");
    // A form that somebody else was shown, sent in one's own name.
    kiln.choose(&kiln.aki, FORGET_SHORTCUT);
    kiln.window(&kiln.aki, "goes for good").await;
    let ben = kiln.ben.clone();
    kiln.live.slack.change_next_interaction(move |payload| payload["user"]["id"] = ben.as_str().into());
    kiln.live.slack.submit(&kiln.aki, &[]);
    kiln.window(&kiln.aki, "Nothing was forgotten").await;
    assert!(kiln.is_kept().await);
    kiln.live.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_note_of_a_message_goes_with_it() {
    let mut kiln = Kiln::new(Language::En).await;
    kiln.choose(&kiln.ben, REMEMBER_SHORTCUT);
    let drawn = kiln.window(&kiln.ben, "[Note it]").await;
    assert!(drawn.contains("Whoever can read this channel"), "{drawn}");
    let sent = kiln.live.slack.submit(&kiln.ben, &[("name", "spare key"), ("content", "under the quince")]);
    sent.deliver_again();
    let drawn = kiln.window(&kiln.ben, "Noted").await;
    assert!(drawn.contains("spare key") && drawn.contains("under the quince"), "{drawn}");
    assert_eq!(kiln.memos().await, ["spare key: under the quince"]);
    kiln.live.slack.close_all_modals(&kiln.ben);
    // The name is taken now.
    kiln.choose(&kiln.aki, REMEMBER_SHORTCUT);
    kiln.window(&kiln.aki, "[Note it]").await;
    kiln.live.slack.submit(&kiln.aki, &[("name", "spare key"), ("content", "elsewhere")]);
    kiln.window(&kiln.aki, "already").await;
    let typed = kiln.live.slack.slash(&kiln.general, &kiln.aki, "/myao", "memo spare key");
    assert!(typed.answered().await.drawn().contains("the spare key of the kiln"), "its source is shown");
    kiln.live.slack.delete(&kiln.general, kiln.said);
    kiln.live.eventually("the note is gone", async || kiln.memos().await.is_empty()).await;
    kiln.live.stop().await;
    kiln.live.slack.finish();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_left_meanwhile_notes_nothing() {
    let mut kiln = Kiln::new(Language::En).await;
    kiln.choose(&kiln.ben, REMEMBER_SHORTCUT);
    kiln.window(&kiln.ben, "[Note it]").await;
    kiln.live.slack.leave(&kiln.general, &kiln.ben);
    kiln.live.slack.submit(&kiln.ben, &[]);
    kiln.window(&kiln.ben, "not in that channel any more").await;
    assert!(kiln.memos().await.is_empty());
    kiln.live.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_tells_who_asked_and_what_was_shown() {
    let mut kiln = Kiln::new(Language::En).await;
    let bot = kiln.live.slack.bot_user_id();
    let asked = kiln.live.slack.say(&kiln.general, &kiln.ben, &format!("<@{bot}> where is the spare key?"));
    kiln.live.slack.wait_until(|seen| !seen.posts.is_empty()).await;
    let post = kiln.live.slack.seen().posts[0].ts;
    let typed = |ts: MessageTs| ts.to_string().replace('.', "");
    kiln.live
        .eventually("posted", async || {
            let origin =
                kiln.live.store.replies().origin_of_post(&Visibility::Owner, &kiln.general, post).await;
            origin.expect("read").is_some()
        })
        .await;
    kiln.live.slack.message_shortcut(&kiln.general, post, &kiln.aki, WHY_SHORTCUT);
    let drawn = kiln.window(&kiln.aki, "I was asked").await;
    assert!(drawn.contains("where is the spare key?") && drawn.contains(&typed(asked)), "{drawn}");
    assert!(drawn.contains("What I was shown") && drawn.contains("tokens read"), "{drawn}");
    // What people said is no answer of ours.
    kiln.choose(&kiln.ben, WHY_SHORTCUT);
    kiln.window(&kiln.ben, "no answer of mine").await;
    kiln.live.stop().await;
    kiln.live.slack.finish();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_window_it_is_answered_as_commands_are() {
    let mut kiln = Kiln::new(Language::En).await;
    for code in ["expired_trigger_id", "exchanged_trigger_id"] {
        kiln.live.slack.fail_next("views.open", InjectedFault::Refused(code.to_owned()));
        let shown = kiln.choose(&kiln.aki, FORGET_SHORTCUT).answered().await.drawn();
        assert!(shown.contains(WORDS) && shown.contains("[Forget it]"), "{code}: {shown}");
    }
    kiln.live.slack.change_next_interaction(|payload| {
        payload.as_object_mut().expect("an object").remove("trigger_id");
    });
    let chosen = kiln.choose(&kiln.aki, REMEMBER_SHORTCUT);
    kiln.live.clock.skip(SignedDuration::from_secs(10));
    assert!(chosen.answered().await.drawn().contains("/myao memo NAME: WORDS"));
    assert!(kiln.live.slack.modals(&kiln.aki).is_empty());
    kiln.live.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_older_or_foreign_changes_nothing_and_is_counted() {
    let mut kiln = Kiln::new(Language::En).await;
    kiln.choose(&kiln.aki, FORGET_SHORTCUT);
    kiln.window(&kiln.aki, "goes for good").await;
    kiln.live
        .slack
        .change_next_interaction(|payload| payload["view"]["callback_id"] = "forget-this/0".into());
    kiln.live.slack.submit(&kiln.aki, &[]);
    kiln.window(&kiln.aki, "older version of me").await;
    kiln.counts().await;
    kiln.choose(&kiln.aki, "forget-everything").view_opened().await;
    kiln.window(&kiln.aki, "older version of me").await;
    kiln.counts().await;
    kiln.choose(&kiln.aki, FORGET_SHORTCUT);
    kiln.window(&kiln.aki, "goes for good").await;
    kiln.live.slack.next_interaction_from_team("T0ELSEWHERE");
    kiln.live.slack.submit(&kiln.aki, &[]).acknowledged().await;
    kiln.live.slack.next_interaction_from_team("T0ELSEWHERE");
    let chosen = kiln.choose(&kiln.aki, FORGET_SHORTCUT);
    assert!(chosen.answered().await.drawn().contains("another workspace"));
    assert_eq!(kiln.counts().await, [("answered".to_owned(), 2), ("refused".to_owned(), 4)].into());
    assert!(kiln.is_kept().await);
    kiln.live.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_before_a_window_is_open_it_is_answered_without_one() {
    let mut kiln = Kiln::new(Language::En).await;
    kiln.live.slack.fail_next("views.open", InjectedFault::Hang);
    let chosen = kiln.choose(&kiln.aki, FORGET_SHORTCUT);
    chosen.acknowledged().await;
    kiln.live.slack.wait_until(|seen| seen.calls("views.open") == 1).await;
    kiln.kill_and_start().await;
    assert!(chosen.answered().await.drawn().contains("[Forget it]"));
    assert_eq!(kiln.counts().await, [("answered".to_owned(), 1)].into());
    kiln.live.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_before_a_window_is_filled_in_it_fills_it_in() {
    let mut kiln = Kiln::new(Language::En).await;
    // Opened, and nothing else; then about to be filled in.
    let points = [("views.open", 1, InjectedFault::HangAfter), ("views.update", 2, InjectedFault::Hang)];
    for (method, calls, fault) in points {
        kiln.live.slack.fail_next(method, fault);
        let chosen = kiln.choose(&kiln.aki, FORGET_SHORTCUT);
        chosen.view_opened().await;
        kiln.live.slack.wait_until(|seen| seen.calls(method) >= calls).await;
        kiln.kill_and_start().await;
        kiln.window(&kiln.aki, "goes for good").await;
        kiln.counts().await;
        assert!(chosen.answers().is_empty());
        kiln.live.slack.close_modal(&kiln.aki);
    }
    kiln.live.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_at_any_step_of_a_form_it_is_done_once_and_told() {
    let mut kiln = Kiln::new(Language::En).await;
    // Before it is done: who asks is asked of Slack anew after a start.
    kiln.choose(&kiln.ben, REMEMBER_SHORTCUT);
    kiln.window(&kiln.ben, "[Note it]").await;
    kiln.kill_and_start().await;
    kiln.live.slack.fail_next("users.info", InjectedFault::Hang);
    let sent = kiln.live.slack.submit(&kiln.ben, &[("name", "one"), ("content", "first")]);
    sent.acknowledged().await;
    kiln.kill_and_start().await;
    kiln.window(&kiln.ben, "Noted").await;
    kiln.live.slack.close_all_modals(&kiln.ben);
    // Done, and not told.
    kiln.choose(&kiln.ben, REMEMBER_SHORTCUT);
    kiln.window(&kiln.ben, "[Note it]").await;
    let before = kiln.live.slack.seen().calls("views.update");
    kiln.live.slack.fail_next("views.update", InjectedFault::Hang);
    kiln.live.slack.submit(&kiln.ben, &[("name", "two"), ("content", "second")]);
    kiln.live.slack.wait_until(|seen| seen.calls("views.update") > before).await;
    kiln.kill_and_start().await;
    kiln.window(&kiln.ben, "It was done").await;
    let mut memos = kiln.memos().await;
    memos.sort();
    assert_eq!(memos, ["one: first", "two: second"]);
    kiln.live.stop().await;
}

async fn screens(language: Language) -> String {
    let mut kiln = Kiln::new(language).await;
    let bot = kiln.live.slack.bot_user_id();
    kiln.live.slack.say(&kiln.general, &kiln.ben, &format!("<@{bot}> where is the spare key?"));
    kiln.live.slack.wait_until(|seen| !seen.posts.is_empty()).await;
    let post = kiln.live.slack.seen().posts[0].ts;
    kiln.live
        .eventually("posted", async || {
            kiln.live
                .store
                .replies()
                .origin_of_post(&Visibility::Owner, &kiln.general, post)
                .await
                .expect("read")
                .is_some()
        })
        .await;
    let mut read = Vec::new();
    for (shortcut, ts) in [(WHY_SHORTCUT, post), (REMEMBER_SHORTCUT, kiln.said), (FORGET_SHORTCUT, kiln.said)]
    {
        let chosen = kiln.live.slack.message_shortcut(&kiln.general, ts, &kiln.aki, shortcut);
        chosen.view_opened().await;
        kiln.counts().await;
        let drawn = || kiln.live.slack.modals(&kiln.aki).pop().expect("a window").drawn();
        read.push(drawn());
        if shortcut != WHY_SHORTCUT {
            kiln.live.slack.submit(&kiln.aki, &[]).acknowledged().await;
            kiln.counts().await;
            read.push(drawn());
        }
        kiln.live.slack.close_all_modals(&kiln.aki);
    }
    kiln.live.stop().await;
    without_times(&read.join("\n\n")).replace(kiln.general.as_str(), "CHANNEL")
}

/// Times and addresses differ from run to run.
fn without_times(text: &str) -> String {
    let time_stamps = text.split("/p").enumerate().map(|(nth, part)| {
        let digits = part.chars().take_while(char::is_ascii_digit).count();
        if nth == 0 {
            part.to_owned()
        } else {
            format!("STAMP{}", part.chars().skip(digits).collect::<String>())
        }
    });
    let plain = time_stamps.collect::<Vec<_>>().join("/p");
    ["2026-01-05 00:00", "2026-01-05 00:01"].iter().fold(plain, |text, time| text.replace(time, "TIME"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn windows_in_english() {
    insta::assert_snapshot!(screens(Language::En).await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn windows_in_japanese() {
    insta::assert_snapshot!(screens(Language::Ja).await);
}
