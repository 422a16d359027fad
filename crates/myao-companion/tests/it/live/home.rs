//! The Home tab: what is remembered of the places that its person is in, as they may see it when it is shown.

use std::fmt::Write as _;

use jiff::SignedDuration;
use myao_companion::commands::{Commands, HomeOwner};
use myao_core::{
    chat::{Channel, ChannelId, ChannelKind, Event, MessageTs, UserId},
    text::Language,
};
use myao_store::{MemoAudience, MemoHand};
use myao_testkit::slack::{ChannelSpec, Click, InjectedFault, UserSpec, block_limits::check_view};

use super::Live;

/// Three places, each with a note, and two people.
struct House {
    live: Live,
    general: ChannelId,
    hiring: ChannelId,
    aki: UserId,
    ben: UserId,
}

const OPEN: &str = "the gaskets are fitted on Tuesday";
const PRIVATE: &str = "the expert asks for nine thousand";

impl House {
    async fn open(language: Language) -> Self {
        let mut live = Live::with(1, |setup| setup, |config| config.locale.language = language).await;
        let [aki, ben] = ["aki", "ben"].map(|name| live.slack.user(UserSpec::person(name)));
        let general = live.slack.channel(ChannelSpec::public("general").members(&[&aki, &ben]));
        let hiring = live.slack.channel(ChannelSpec::private("hiring").members(&[&aki]));
        live.start().await;
        for channel in [&general, &hiring] {
            live.slack.invite_bot(channel);
        }
        live.caught_up(&[&general, &hiring]).await;
        let house = Self { live, general, hiring, aki, ben };
        house.note(&house.general, "gaskets", OPEN).await;
        house.note(&house.hiring, "salary", PRIVATE).await;
        house
    }

    async fn note(&self, channel: &ChannelId, name: &str, content: &str) {
        let draft = myao_core::context::MemoDraft::new(name, content).expect("a note");
        let audience = MemoAudience::Channel(channel.clone());
        let hand = MemoHand::Owner { name: "owner".to_owned(), audience };
        self.live.store.memos().add(&hand, &draft, self.live.clock_now()).await.expect("noted");
    }

    /// What somebody sees after they opened the tab.
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
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_shows_the_places_that_its_person_is_in_now() {
    let mut house = House::open(Language::En).await;
    let drawn = house.opened(&house.aki).await;
    assert!(drawn.contains(OPEN) && drawn.contains(PRIVATE), "{drawn}");
    let drawn = house.opened(&house.ben).await;
    assert!(drawn.contains(OPEN) && !drawn.contains(PRIVATE) && !drawn.contains("hiring"), "{drawn}");
    house.live.slack.leave(&house.hiring, &house.aki);
    let drawn = house.opened(&house.aki).await;
    assert!(drawn.contains(OPEN) && !drawn.contains(PRIVATE) && !drawn.contains("hiring"), "{drawn}");
    // The tab with direct messages is another one.
    let before = house.live.slack.seen().calls("views.publish");
    house.live.slack.open_messages_tab(&house.aki);
    house.opened(&house.ben).await;
    assert_eq!(house.live.slack.seen().calls("views.publish"), before + 1);
    house.live.stop().await;
    house.live.slack.finish();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_written_down_of_a_place_is_shown_to_those_who_are_in_it() {
    let mut house = House::open(Language::En).await;
    for (channel, text) in
        [(&house.general, "the fair moves to May"), (&house.hiring, "nobody else may know of the offer")]
    {
        for words in [text, "thank you, noted"] {
            let ts = house.live.slack.say(channel, &house.aki, words);
            house.live.eventually("stored", async || house.live.message(channel, ts).await.is_some()).await;
        }
    }
    // Hours later the talk is a chapter.
    house.live.clock.skip(SignedDuration::from_hours(3));
    house
        .live
        .eventually("a chapter", async || house.opened(&house.ben).await.contains("Newest chapter"))
        .await;
    let drawn = house.opened(&house.ben).await;
    assert!(drawn.contains("the fair moves to May") && !drawn.contains("the offer"), "{drawn}");
    house.live.eventually("another", async || house.opened(&house.aki).await.contains("the offer")).await;
    house.live.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_slack_does_not_tell_nothing_is_shown() {
    let mut house = House::open(Language::En).await;
    let refused = InjectedFault::Refused("internal_trouble".to_owned());
    house.live.slack.fail_next("users.conversations", refused);
    let drawn = house.opened(&house.aki).await;
    assert!(drawn.contains("cannot find out") && !drawn.contains("gaskets"), "{drawn}");
    house.live.slack.click_home(&house.aki, "home-page-again").acknowledged().await;
    house.over().await;
    assert!(house.live.slack.home(&house.aki).expect("a tab").drawn().contains(OPEN));
    house.live.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_tab_meanwhile_is_replaced_by_one_that_is_made_anew() {
    let mut house = House::open(Language::En).await;
    house.opened(&house.ben).await;
    // An older click tells a tab that is no longer there.
    house.live.slack.change_next_interaction(|payload| payload["view"]["hash"] = "1.old".into());
    house.note(&house.general, "kiln", "the kiln is cold").await;
    house.live.slack.click_home(&house.ben, "home-page-again").acknowledged().await;
    house.over().await;
    let drawn = house.live.slack.home(&house.ben).expect("a tab").drawn();
    assert!(drawn.contains("the kiln is cold"), "{drawn}");
    assert_eq!(house.live.slack.seen().calls("views.publish"), 3, "one of them in vain");
    house.live.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_while_it_shows_it_shows_after_the_start() {
    let mut house = House::open(Language::En).await;
    house.live.slack.fail_next("views.publish", InjectedFault::Hang);
    house.live.slack.open_home(&house.ben);
    house.live.slack.wait_until(|seen| seen.calls("views.publish") == 1).await;
    house.live.kill().await;
    house.live.clock.skip(SignedDuration::from_mins(5));
    house.live.start().await;
    house.live.eventually("shown", async || house.live.slack.home(&house.ben).is_some()).await;
    house.over().await;
    assert!(house.live.slack.home(&house.ben).expect("a tab").drawn().contains(OPEN));
    house.live.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn quiet_is_asked_for_where_one_is_and_nowhere_else() {
    let mut house = House::open(Language::En).await;
    let hushed = async || {
        let now = house.live.clock_now();
        house.live.store.replies().hushed_channels(now).await.expect("read").into_keys().collect::<Vec<_>>()
    };
    let general = format!("home-quiet-{}", house.general);
    assert!(house.opened(&house.ben).await.contains("[Say nothing unasked here for a week]"));
    house.live.slack.click_home(&house.ben, &*general).acknowledged().await;
    house.over().await;
    assert_eq!(hushed().await, [house.general.clone()]);
    let drawn = house.live.slack.home(&house.ben).expect("a tab").drawn();
    assert!(
        drawn.contains("I say nothing unasked here until") && drawn.contains("[You may speak up"),
        "{drawn}"
    );
    house.live.slack.click_home(&house.ben, &*general).acknowledged().await;
    house.over().await;
    assert!(hushed().await.is_empty());
    // A button of a place that its person is not in.
    let elsewhere = format!("home-quiet-{}", house.hiring);
    house.live.slack.change_next_interaction(move |payload| {
        payload["actions"][0]["action_id"] = elsewhere.into();
    });
    house.live.slack.click_home(&house.ben, &*general).acknowledged().await;
    house.over().await;
    assert!(hushed().await.is_empty());
    house.live.stop().await;
}

/// A wish of one's own holds everywhere, and what was about to be said is not said.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_wants_to_be_left_alone_is() {
    let mut house = House::open(Language::En).await;
    let replies = || house.live.store.replies();
    assert!(house.opened(&house.ben).await.contains("[Do not speak to me unasked]"));
    let pressed = house.live.slack.click_home(&house.ben, "home-alone");
    pressed.deliver_again();
    pressed.acknowledged().await;
    house.over().await;
    assert!(replies().is_to_be_left_alone(&house.ben).await.expect("read"));
    assert!(!replies().is_to_be_left_alone(&house.aki).await.expect("read"));
    let drawn = house.live.slack.home(&house.ben).expect("a tab").drawn();
    assert!(drawn.contains("as you wish") && drawn.contains("[You may speak to me unasked]"), "{drawn}");
    let ts = house.live.slack.say(&house.general, &house.ben, "does anybody know when the fair is?");
    house.live.eventually("stored", async || house.live.message(&house.general, ts).await.is_some()).await;
    let far = house.live.clock_now() - SignedDuration::from_hours(1);
    let open = replies().open_talk(MessageTs::from_timestamp(far)).await.expect("read");
    let pauses = open.iter().flat_map(|open| open.talk.pauses()).count();
    assert_eq!(pauses, 0, "it is no pause to speak up in");
    house.live.slack.click_home(&house.ben, "home-alone").acknowledged().await;
    house.over().await;
    assert!(!replies().is_to_be_left_alone(&house.ben).await.expect("read"));
    let open = replies().open_talk(MessageTs::from_timestamp(far)).await.expect("read");
    assert_eq!(open.iter().flat_map(|open| open.talk.pauses()).count(), 1);
    // Also where Slack does not tell what they may see.
    let refused = InjectedFault::Refused("internal_trouble".to_owned());
    house.live.slack.leave(&house.general, &house.aki);
    house.live.slack.fail_next("users.conversations", refused);
    house.live.slack.click_home(&house.ben, "home-alone").acknowledged().await;
    house.over().await;
    assert!(replies().is_to_be_left_alone(&house.ben).await.expect("read"));
    house.live.stop().await;
}

/// From then on nothing of them is kept, and what they said before is shown to nobody; what they ask is answered.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_wants_not_to_be_remembered_is_not() {
    let mut house = House::open(Language::En).await;
    let before = house.live.slack.say(&house.general, &house.ben, "the tarot lies in the attic");
    house.live.eventually("kept", async || house.live.message(&house.general, before).await.is_some()).await;
    let drawn = house.opened(&house.ben).await;
    assert!(drawn.contains("I remember what you say") && drawn.contains("[Do not remember me]"), "{drawn}");
    let view = house.live.slack.home(&house.ben).expect("a tab").json;
    assert!(view.to_string().contains("From now on nothing that you say is kept"), "it is told before");
    let pressed = house.live.slack.click_home(&house.ben, "home-never");
    pressed.deliver_again();
    pressed.acknowledged().await;
    house.over().await;
    let drawn = house.live.slack.home(&house.ben).expect("a tab").drawn();
    assert!(drawn.contains("[You may remember me again]") && drawn.contains("I keep nothing"), "{drawn}");
    let words = format!("<@{}> where is the tarot?", house.live.slack.bot_user_id());
    let asked = house.live.slack.say(&house.general, &house.ben, &words);
    house.live.slack.wait_until(|seen| seen.posts.len() == 1).await;
    house.live.all_answered().await;
    assert!(house.live.message(&house.general, asked).await.is_none(), "not archived");
    let after = house.live.slack.say(&house.general, &house.aki, "good morning");
    house.live.eventually("kept", async || house.live.message(&house.general, after).await.is_some()).await;
    let shown = house.live.message(&house.general, before).await.expect("not deleted");
    let hearing = house.live.store.hearing();
    assert!(hearing.without_opted_out(vec![shown.clone()]).await.expect("read").is_empty());
    // It lasts over a restart, and until it is taken back.
    house.live.stop().await;
    house.live.store.intake().note_opted_out(house.live.clock_now()).await.expect("noted");
    house.live.start().await;
    assert!(house.live.store.hearing().opted_out_themselves(&house.ben).await.expect("read"));
    house.live.slack.click_home(&house.ben, "home-never").acknowledged().await;
    house.over().await;
    assert_eq!(hearing_of(&house).without_opted_out(vec![shown]).await.expect("read").len(), 1);
    let kept = house.live.slack.say(&house.general, &house.ben, "here again");
    house.live.eventually("kept", async || house.live.message(&house.general, kept).await.is_some()).await;
    house.live.stop().await;
}

fn hearing_of(house: &House) -> myao_store::HearingHandle<'_> {
    house.live.store.hearing()
}

/// For themselves alone: the tab, commands and windows.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn somebody_chooses_another_language() {
    let mut house = House::open(Language::En).await;
    assert!(house.opened(&house.ben).await.contains("[日本語で表示]"));
    house.live.slack.click_home(&house.ben, "home-language").acknowledged().await;
    house.over().await;
    let drawn = house.live.slack.home(&house.ben).expect("a tab").drawn();
    assert!(drawn.contains("[Show this in English]") && drawn.contains("覚えていること"), "{drawn}");
    let help = async |user: &UserId| {
        let typed = house.live.slack.slash(&house.general, user, "/myao", "help");
        typed.answered().await.drawn()
    };
    assert!(help(&house.ben).await.contains("ここでできること"));
    assert!(!help(&house.aki).await.contains("ここでできること"));
    house.live.slack.click_home(&house.ben, "home-language").acknowledged().await;
    house.over().await;
    assert!(!help(&house.ben).await.contains("ここでできること"));
    house.live.stop().await;
}

/// What a button of another version stands for nobody knows; the tab is shown as it is now.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unknown_button_changes_nothing_and_is_counted() {
    let mut house = House::open(Language::En).await;
    house.opened(&house.ben).await;
    house
        .live
        .slack
        .change_next_interaction(|payload| payload["actions"][0]["action_id"] = "home-burn".into());
    house.live.slack.click_home(&house.ben, Click::from("home-page-again")).acknowledged().await;
    house.over().await;
    let counts = house.live.store.interactions().counts().await.expect("read");
    assert_eq!(counts, [("answered".to_owned(), 1), ("refused".to_owned(), 1)].into());
    house.live.stop().await;
}

/// A thousand places are shown in pages, each within Slack's limits.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_places_are_shown_in_pages() {
    let live = Live::with(1, |setup| setup, |config| config.locale.language = Language::Ja).await;
    let place = |nth: usize| Channel {
        id: ChannelId::new(format!("C{nth:04}")),
        name: format!("部屋-{nth:04}"),
        kind: ChannelKind::Private,
        external: false,
    };
    let places: Vec<Channel> = (0..1_000).map(place).collect();
    let attention = crate::reply_world::attention();
    let events = places.iter().cloned().map(Event::Channel).collect();
    live.store.intake().apply_live(events, &attention, live.clock_now()).await.expect("stored");
    for place in places.iter().take(12) {
        for note in ["一", "二", "三"] {
            let draft = myao_core::context::MemoDraft::new(note, &"窯の話".repeat(166)).expect("a note");
            let hand = MemoHand::Owner {
                name: "owner".to_owned(),
                audience: MemoAudience::Channel(place.id.clone()),
            };
            live.store.memos().add(&hand, &draft, live.clock_now()).await.expect("noted");
        }
    }
    let parts = live.parts();
    let commands = Commands {
        config: &live.config,
        store: &live.store,
        clock: &live.clock,
        language: Language::Ja,
        asker: &parts.asker,
    };
    let owner = HomeOwner { user: UserId::new("U1"), places };
    let mut seen = String::new();
    for page in 0..101 {
        let began = std::time::Instant::now();
        let view = commands.home_tab(&owner, page).await.expect("made").to_json();
        if page == 0 {
            eprintln!("a page of 1,000 places: {:?}, {} bytes", began.elapsed(), view.to_string().len());
        }
        assert_eq!(check_view(&view), [], "page {page}");
        assert!(view.to_string().len() < 250_000 && view["blocks"].as_array().expect("blocks").len() <= 100);
        if page < 100 {
            write!(seen, "{view}").expect("a text");
        }
    }
    for channel in &owner.places {
        assert_eq!(seen.matches(&channel.name).count(), 1, "{}", channel.name);
    }
}

async fn screen(language: Language) -> String {
    let mut house = House::open(language).await;
    let drawn = house.opened(&house.aki).await;
    house.live.stop().await;
    drawn.replace("2026-01-05 00:00", "TIME").replace("2026-01-05 00:01", "TIME")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn home_in_english() {
    insta::assert_snapshot!(screen(Language::En).await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn home_in_japanese() {
    insta::assert_snapshot!(screen(Language::Ja).await);
}
