//! *Something here is wrong* in the Home tab: people put right what is remembered of the places that they are in.

use jiff::SignedDuration;
use myao_config::CorrectedBy;
use myao_core::{
    chat::{ChannelId, UserId, Visibility},
    memory::{MemoryScope, MemoryType, ScopeId},
    text::Language,
};
use myao_store::MemoryKey;
use myao_testkit::slack::{
    ChannelSpec, InjectedFault, PlayedInteraction, UserSpec,
    block_limits::{Surface, check_blocks},
};

use super::Live;

const FAIR: &str = "the fair moves to May";
const KILN: &str = "the kiln stands in the barn";

/// An open and a private channel with a chapter each; of two people, one is in both.
struct Barn {
    live: Live,
    general: ChannelId,
    hiring: ChannelId,
    aki: UserId,
    ben: UserId,
}

impl Barn {
    async fn open(language: Language, corrections: CorrectedBy, owner: bool) -> Self {
        let mut live = Live::with(
            1,
            |setup| setup,
            |config| {
                config.locale.language = language;
                config.slack.corrections = corrections;
            },
        )
        .await;
        let [aki, ben] = ["aki", "ben"].map(|name| live.slack.user(UserSpec::person(name)));
        if owner {
            live.config.slack.owners = vec![aki.to_string()];
        }
        let general = live.slack.channel(ChannelSpec::public("general").members(&[&aki, &ben]));
        let hiring = live.slack.channel(ChannelSpec::private("hiring").members(&[&aki]));
        live.start().await;
        for channel in [&general, &hiring] {
            live.slack.invite_bot(channel);
        }
        live.caught_up(&[&general, &hiring]).await;
        for channel in [&general, &hiring] {
            for words in [FAIR, KILN] {
                let ts = live.slack.say(channel, &aki, words);
                live.eventually("stored", async || live.message(channel, ts).await.is_some()).await;
            }
        }
        // Hours later the talk is a chapter.
        live.clock.skip(SignedDuration::from_hours(3));
        let barn = Self { live, general, hiring, aki, ben };
        for channel in [&barn.general, &barn.hiring] {
            barn.live.eventually("a chapter", async || barn.chapter(channel).await.contains("barn")).await;
        }
        barn
    }

    async fn chapter(&self, channel: &ChannelId) -> String {
        let (scope, memory) = (ScopeId::channel(channel), self.live.store.memory());
        let latest = memory
            .find_latest(&Visibility::Owner, MemoryScope::Channel, &scope, MemoryType::ShortTerm)
            .await
            .expect("read");
        latest.map(|latest| latest.content().to_owned()).unwrap_or_default()
    }

    async fn opened(&self, user: &UserId) -> String {
        let before = self.live.slack.seen().calls("views.publish");
        self.live.slack.open_home(user);
        self.live.slack.wait_until(|seen| seen.calls("views.publish") > before).await;
        self.over().await;
        self.live.slack.home(user).expect("a tab").drawn()
    }

    async fn over(&self) {
        let asked = self.live.store.interactions();
        self.live.eventually("over", async || asked.askers().await.expect("read").is_empty()).await;
    }

    async fn press(&self, user: &UserId, channel: &ChannelId) -> PlayedInteraction {
        self.opened(user).await;
        self.live.slack.click_home(user, &*format!("home-wrong-{channel}"))
    }

    /// What somebody's window says, once it says this.
    async fn window(&self, user: &UserId, says: &str) -> String {
        let drawn = || self.live.slack.modals(user).pop().map(|view| view.drawn()).unwrap_or_default();
        self.live.eventually(says, async || drawn().contains(says)).await;
        drawn()
    }

    /// What comes back if the line that holds some words is chosen.
    fn choice(&self, user: &UserId, words: &str) -> String {
        let view = self.live.slack.modals(user).pop().expect("a window").json;
        let options = view.pointer("/blocks").and_then(|blocks| {
            blocks.as_array()?.iter().find_map(|block| block.pointer("/element/options").cloned())
        });
        let options = options.expect("a list").as_array().expect("a list").clone();
        let meant =
            options.iter().find(|option| option["text"]["text"].as_str().expect("a text").contains(words));
        meant.unwrap_or_else(|| panic!("{words}: {options:?}"))["value"].as_str().expect("a value").to_owned()
    }

    fn send(&self, user: &UserId, line: &str, words: &str) -> PlayedInteraction {
        let chosen = self.choice(user, line);
        self.live.slack.submit(user, &[("statement", &chosen), ("words", words)])
    }

    async fn kill_and_start(&mut self) {
        self.live.kill().await;
        self.live.clock.skip(SignedDuration::from_mins(5));
        self.live.start().await;
    }

    /// Who wrote the newest entry of a channel's chapter.
    async fn author(&self, channel: &ChannelId) -> String {
        let key = MemoryKey { memory_type: MemoryType::ShortTerm, ..MemoryKey::long_term(channel) };
        let window = self.live.store.memory().journal_window_around(&Visibility::Owner, &key, None, 2).await;
        let current = window.expect("read").entries.into_iter().find(|entry| entry.is_current);
        current.expect("one").actor
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_line_is_put_right_by_who_is_there() {
    let mut barn = Barn::open(Language::En, CorrectedBy::Members, false).await;
    let pressed = barn.press(&barn.ben, &barn.general.clone()).await;
    pressed.deliver_again();
    assert!(pressed.view_opened().await.drawn().contains("One moment"), "nothing was waited for");
    let drawn = barn.window(&barn.ben, "Which line is wrong?").await;
    assert!(drawn.contains(FAIR) && drawn.contains(KILN) && drawn.contains("[Put it right]"), "{drawn}");
    let view = barn.live.slack.modals(&barn.ben).pop().expect("a window").json;
    assert_eq!(check_blocks(&view["blocks"], Surface::Modal), []);
    let sent = barn.send(&barn.ben, "May", "the fair moves to June");
    sent.deliver_again();
    let drawn = barn.window(&barn.ben, "Put right:").await;
    assert!(drawn.contains(FAIR) && drawn.contains("June"), "{drawn}");
    let chapter = barn.chapter(&barn.general).await;
    assert!(chapter.contains("the fair moves to June") && !chapter.contains("May") && chapter.contains(KILN));
    assert_eq!(barn.author(&barn.general).await, "ben");
    assert!(barn.chapter(&barn.hiring).await.contains(FAIR), "another place's memory stays");
    barn.over().await;
    assert_eq!(pressed.opened_views().len(), 1);
    assert!(barn.opened(&barn.aki).await.contains("June"));
    // Without words the line goes; the last one does not.
    barn.live.slack.close_all_modals(&barn.ben);
    barn.press(&barn.ben, &barn.general.clone()).await;
    barn.window(&barn.ben, "Which line is wrong?").await;
    barn.send(&barn.ben, "June", "");
    barn.window(&barn.ben, "Put right:").await;
    assert!(!barn.chapter(&barn.general).await.contains("fair"));
    barn.live.stop().await;
    barn.live.slack.finish();
}

/// Who is not there, or no longer, changes nothing and sees nothing; nor does a form that was made up.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_is_elsewhere_changes_nothing() {
    let mut barn = Barn::open(Language::En, CorrectedBy::Members, false).await;
    barn.opened(&barn.ben).await;
    let hiring = format!("home-wrong-{}", barn.hiring);
    barn.live.slack.change_next_interaction(move |payload| {
        payload["actions"][0]["action_id"] = hiring.into();
    });
    barn.live.slack.click_home(&barn.ben, &*format!("home-wrong-{}", barn.general));
    let drawn = barn.window(&barn.ben, "Nothing can be changed here").await;
    assert!(!drawn.contains("fair") && !drawn.contains("kiln"), "{drawn}");
    barn.live.slack.close_all_modals(&barn.ben);
    // The form of one place with the line of another.
    barn.press(&barn.aki, &barn.hiring.clone()).await;
    barn.window(&barn.aki, "Which line is wrong?").await;
    let elsewhere = barn.choice(&barn.aki, "May");
    barn.live.slack.close_all_modals(&barn.aki);
    barn.press(&barn.ben, &barn.general.clone()).await;
    barn.window(&barn.ben, "Which line is wrong?").await;
    barn.live.slack.change_next_interaction(move |payload| {
        payload["view"]["state"]["values"]["statement"]["statement"]["selected_option"]["value"] =
            elsewhere.into();
    });
    barn.send(&barn.ben, "May", "the fair moves to June");
    barn.window(&barn.ben, "Nothing was changed").await;
    // Whoever left meanwhile.
    barn.live.slack.close_all_modals(&barn.ben);
    barn.press(&barn.ben, &barn.general.clone()).await;
    barn.window(&barn.ben, "Which line is wrong?").await;
    barn.live.slack.leave(&barn.general, &barn.ben);
    barn.send(&barn.ben, "May", "the fair moves to June");
    barn.window(&barn.ben, "Nothing can be changed here").await;
    for channel in [&barn.general, &barn.hiring] {
        assert!(barn.chapter(channel).await.contains(FAIR));
    }
    barn.live.stop().await;
}

/// Owners may switch it off for others.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_it_is_switched_off_only_owners_change_anything() {
    let mut barn = Barn::open(Language::Ja, CorrectedBy::Owners, true).await;
    assert!(!barn.opened(&barn.ben).await.contains("ちがうところがある"));
    let general = format!("home-wrong-{}", barn.general);
    barn.live.slack.change_next_interaction(move |payload| {
        payload["actions"][0]["action_id"] = general.into();
    });
    barn.live.slack.click_home(&barn.ben, "home-page-again");
    barn.window(&barn.ben, "ここでは何も変えられません").await;
    barn.press(&barn.aki, &barn.general.clone()).await;
    barn.window(&barn.aki, "どの行がちがいますか？").await;
    barn.send(&barn.aki, "May", "the fair moves to June");
    barn.window(&barn.aki, "なおしました").await;
    assert!(barn.chapter(&barn.general).await.contains("June"));
    barn.live.stop().await;
}

/// What was seen is not what stands any more: nothing is changed, and nobody's change is lost.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_text_that_changed_meanwhile_is_left_alone() {
    let mut barn = Barn::open(Language::En, CorrectedBy::Members, false).await;
    for user in [&barn.aki, &barn.ben] {
        barn.press(user, &barn.general).await;
        barn.window(user, "Which line is wrong?").await;
    }
    barn.send(&barn.aki, "May", "the fair moves to June");
    barn.window(&barn.aki, "Put right:").await;
    barn.send(&barn.ben, "May", "the fair moves to July");
    barn.window(&barn.ben, "was written anew meanwhile").await;
    assert!(barn.chapter(&barn.general).await.contains("June"));
    barn.live.stop().await;
}

/// Killed before the window is filled in, and after the text was written: it is shown, and done once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_on_the_way_it_is_done_once() {
    let mut barn = Barn::open(Language::En, CorrectedBy::Members, false).await;
    barn.live.slack.fail_next("views.update", InjectedFault::Hang);
    barn.press(&barn.ben, &barn.general.clone()).await;
    barn.live.slack.wait_until(|seen| seen.calls("views.update") == 1).await;
    barn.kill_and_start().await;
    barn.window(&barn.ben, "Which line is wrong?").await;
    barn.live.slack.fail_next("views.update", InjectedFault::Hang);
    let before = barn.live.slack.seen().calls("views.update");
    barn.send(&barn.ben, "May", "the fair moves to June");
    barn.live.slack.wait_until(|seen| seen.calls("views.update") > before).await;
    assert!(barn.chapter(&barn.general).await.contains("June"), "written before it is told");
    barn.kill_and_start().await;
    barn.window(&barn.ben, "It was done.").await;
    barn.over().await;
    let key = MemoryKey { memory_type: MemoryType::ShortTerm, ..MemoryKey::long_term(&barn.general) };
    let window = barn.live.store.memory().journal_window_around(&Visibility::Owner, &key, None, 10).await;
    let by_ben = window.expect("read").entries.into_iter().filter(|entry| entry.actor == "ben").count();
    assert_eq!(by_ben, 1);
    barn.live.stop().await;
}
