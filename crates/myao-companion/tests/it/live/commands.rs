//! `/myao …`, as people type it: answered once, and through two pairs of eyes.

use std::collections::BTreeMap;

use jiff::SignedDuration;
use myao_core::{
    chat::{ChannelId, MessageTs, UserId},
    text::Language,
};
use myao_store::OptOuts;
use myao_testkit::slack::{ChannelSpec, FakeSlack, InjectedFault, UserSpec};

use super::Live;

/// A workspace with an open, a private and a shared channel, in each of which something is said.
struct Office {
    live: Live,
    general: ChannelId,
    hiring: ChannelId,
    partners: ChannelId,
    /// In all of them.
    aki: UserId,
    /// In the open one alone.
    ben: UserId,
    /// A guest, in the shared one alone.
    gus: UserId,
}

impl Office {
    async fn open() -> Self {
        let mut live = Live::with(20, |setup| setup, |config| config.locale.language = Language::En).await;
        let [aki, ben] = ["aki", "ben"].map(|name| live.slack.user(UserSpec::person(name)));
        let gus = live.slack.user(UserSpec::person("gus").guest());
        let general = live.slack.channel(ChannelSpec::public("general").members(&[&aki, &ben]));
        let hiring = live.slack.channel(ChannelSpec::private("hiring").members(&[&aki]));
        let partners = live.slack.channel(ChannelSpec::public("partners").members(&[&aki, &gus]));
        live.start().await;
        for channel in [&general, &hiring, &partners] {
            live.slack.invite_bot(channel);
        }
        live.caught_up(&[&general, &hiring, &partners]).await;
        let office = Self { live, general, hiring, partners, aki, ben, gus };
        office.say(&office.general, "the gaskets for the kiln are fitted on Tuesday").await;
        office.say(&office.hiring, "the gaskets expert asks for nine thousand").await;
        office.say(&office.partners, "our partners bring gaskets of their own").await;
        office
    }

    fn slack(&self) -> &FakeSlack {
        &self.live.slack
    }

    async fn say(&self, channel: &ChannelId, text: &str) -> MessageTs {
        let ts = self.slack().say(channel, &self.aki, text);
        self.live.eventually("stored", async || self.live.message(channel, ts).await.is_some()).await;
        ts
    }

    /// Returns once nothing that somebody asked is open.
    async fn over(&self) {
        let asked = self.live.store.interactions();
        self.live.eventually("over", async || asked.askers().await.expect("read").is_empty()).await;
    }

    /// How many requests ended in each way.
    async fn counts(&self) -> BTreeMap<String, u64> {
        self.live.store.interactions().counts().await.expect("read")
    }

    /// What somebody reads after they typed a command.
    async fn read(&self, channel: &ChannelId, user: &UserId, text: &str) -> String {
        self.slack().slash(channel, user, "/myao", text).answered().await.drawn()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_search_shows_what_the_place_and_the_person_see() {
    let mut office = Office::open().await;
    let Office { general, hiring, partners, aki, ben, gus, .. } = &office;
    let [open, private, shared] = ["fitted on Tuesday", "nine thousand", "of their own"];
    let cases = [
        (general, aki, [true, false, false]),
        (hiring, aki, [true, true, false]),
        // Where a guest takes part, nothing of the house is shown.
        (partners, aki, [false, false, true]),
        (general, ben, [true, false, false]),
        // Somebody who is not in the channel sees what everybody may see.
        (partners, ben, [true, false, false]),
        (partners, gus, [false, false, true]),
    ];
    for (channel, user, seen) in cases {
        let drawn = office.read(channel, user, "recall gaskets").await;
        for (words, is_seen) in [open, private, shared].into_iter().zip(seen) {
            assert_eq!(drawn.contains(words), is_seen, "{user} in {channel} looks for {words}: {drawn}");
        }
    }
    office.live.stop().await;
    office.live.slack.finish();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_brief_shows_what_the_place_and_the_person_see() {
    let mut office = Office::open().await;
    office.say(&office.general, "We decided to fire the kiln on Friday").await;
    office.say(&office.hiring, "We decided to hire the gasket expert").await;
    office.say(&office.partners, "We decided to share the van with the partners").await;
    let Office { general, hiring, partners, ben, aki, gus, .. } = &office;
    let [open, private, shared] = ["fire the kiln", "hire the gasket", "share the van"];
    let cases = [
        (general, ben, [true, false, false]),
        (hiring, aki, [true, true, false]),
        (partners, gus, [false, false, true]),
        (partners, ben, [true, false, false]),
    ];
    for (channel, user, seen) in cases {
        let drawn = office.read(channel, user, "brief 7d").await;
        for (words, is_seen) in [open, private, shared].into_iter().zip(seen) {
            assert_eq!(drawn.contains(words), is_seen, "{user} in {channel}, {words}: {drawn}");
        }
    }
    let hidden = office.read(general, ben, "brief #hiring").await;
    assert!(!hidden.contains("gasket") && hidden.contains("hiring"), "{hidden}");
    let unclear = office.read(general, ben, "brief someday").await;
    assert!(unclear.contains("names no day"), "{unclear}");
    office.live.stop().await;
    office.live.slack.finish();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_leaves_a_channel_sees_it_no_more_though_it_was_asked_a_moment_ago() {
    let mut office = Office::open().await;
    let Office { hiring, aki, .. } = &office;
    assert!(office.read(hiring, aki, "recall nine thousand").await.contains("nine thousand"));
    let before = office.slack().seen().calls("users.conversations");
    office.slack().leave(hiring, aki);
    office
        .live
        .eventually("the event is taken in", async || {
            let drawn =
                office.slack().slash(hiring, aki, "/myao", "recall nine thousand").answered().await.drawn();
            !drawn.contains("nine thousand")
        })
        .await;
    assert!(office.slack().seen().calls("users.conversations") > before, "Slack was asked anew");
    office.live.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_slack_does_not_tell_who_sees_what_nothing_is_shown() {
    let mut office = Office::open().await;
    let Office { general, aki, .. } = &office;
    for method in ["users.info", "users.conversations"] {
        office.slack().fail_next(method, InjectedFault::Refused("internal_trouble".to_owned()));
        let drawn = office.read(general, aki, "recall gaskets").await;
        assert!(drawn.contains("cannot find out") && !drawn.contains("Tuesday"), "{method}: {drawn}");
    }
    assert!(office.read(general, aki, "recall gaskets").await.contains("Tuesday"));
    office.live.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn told_twice_it_is_answered_once() {
    let mut office = Office::open().await;
    let Office { general, aki, .. } = &office;
    let typed = office.slack().slash(general, aki, "/myao", "status");
    typed.deliver_again();
    typed.answered().await;
    typed.deliver_again();
    office.read(general, aki, "help").await;
    office.over().await;
    assert_eq!(typed.answers().len(), 1);
    assert_eq!(office.counts().await, [("answered".to_owned(), 2)].into());
    office.live.stop().await;
    office.live.slack.finish();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_before_the_answer_it_answers_after_the_start() {
    let mut office = Office::open().await;
    let (general, aki) = (office.general.clone(), office.aki.clone());
    office.slack().fail_next("users.info", InjectedFault::Hang);
    let typed = office.slack().slash(&general, &aki, "/myao", "recall gaskets");
    typed.acknowledged().await;
    office.live.kill().await;
    assert!(typed.answers().is_empty());
    office.live.start().await;
    assert!(typed.answered().await.drawn().contains("Tuesday"));
    office.read(&general, &aki, "help").await;
    assert_eq!(typed.answers().len(), 1);
    office.live.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_while_it_answers_it_says_once_that_the_answer_may_be_missing() {
    let mut office = Office::open().await;
    let (general, aki) = (office.general.clone(), office.aki.clone());
    office.slack().fail_next(myao_testkit::slack::RESPONSE_URL, InjectedFault::Hang);
    let typed = office.slack().slash(&general, &aki, "/myao", "recall gaskets");
    office.slack().wait_until(|seen| seen.calls(myao_testkit::slack::RESPONSE_URL) == 1).await;
    office.live.kill().await;
    for _ in 0..2 {
        office.live.start().await;
        assert!(typed.answered().await.drawn().contains("I was interrupted"));
        office.read(&general, &aki, "help").await;
        office.over().await;
        office.live.kill().await;
    }
    assert_eq!(typed.answers().len(), 1);
    assert_eq!(office.counts().await, [("answered".to_owned(), 2), ("uncertain".to_owned(), 1)].into());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_not_ours_is_refused_in_words_and_counted() {
    let mut office = Office::open().await;
    let Office { general, aki, .. } = &office;
    office.slack().next_interaction_from_team("T0ELSEWHERE");
    assert!(office.read(general, aki, "recall gaskets").await.contains("another workspace"));
    office.slack().change_next_interaction(|payload| payload["command"] = "/newer".into());
    assert!(office.read(general, aki, "recall gaskets").await.contains("Nothing was done"));
    office.over().await;
    assert_eq!(office.counts().await, [("refused".to_owned(), 2)].into());
    office.live.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn quiet_is_kept_until_it_is_over_or_lifted() {
    let mut office = Office::open().await;
    let Office { general, aki, ben, partners, .. } = &office;
    let hushed = async || {
        let now = office.live.clock_now();
        office.live.store.replies().hushed_channels(now).await.expect("read")
    };
    let told = office.read(general, aki, "quiet 2h").await;
    assert!(told.contains("I say nothing unasked here until 2026-01-05 0"), "{told}");
    assert_eq!(hushed().await.into_keys().collect::<Vec<_>>(), vec![general.clone()]);
    assert!(office.read(general, aki, "status").await.contains("I say nothing unasked here until"));
    assert!(office.read(general, aki, "quiet off").await.contains("I may speak up"));
    assert!(hushed().await.is_empty());
    assert!(office.read(general, aki, "quiet someday").await.contains("`someday`"));
    // Who is not in a channel changes nothing there.
    let told = office.read(partners, ben, "quiet").await;
    assert!(told.contains("that both of us are in"), "{told}");
    assert!(hushed().await.is_empty());
    office.live.stop().await;
}

/// What people who opted out said, and what was said in a channel that did, is shown by no command. Lines of memories
/// that were made from it before stay until they are forgotten.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_opted_out_is_shown_by_no_command() {
    let mut office = Office::open().await;
    let (general, hiring, aki) = (office.general.clone(), office.hiring.clone(), office.aki.clone());
    let said = office.slack().say(&general, &office.ben, "the fair moves to the month of May");
    office.live.eventually("stored", async || office.live.message(&general, said).await.is_some()).await;
    office.say(&general, "thank you, the calendar has it now").await;
    // Two hours later the talk is a chapter, whose messages `why` leads to.
    office.live.clock.skip(SignedDuration::from_hours(3));
    let link = format!("p{}", said.to_string().replace('.', ""));
    office
        .live
        .eventually("a chapter", async || {
            office.read(&general, &aki, "why the fair moves to the month of May").await.contains(&link)
        })
        .await;
    assert!(office.read(&general, &aki, "recall month of May").await.contains(&link));
    office.live.stop().await;
    let outs = OptOuts::new(&[office.ben.to_string()], &[hiring.to_string()]);
    office.live.store = office.live.store.clone().heeding(outs);
    office.live.store.intake().note_opted_out(office.live.clock_now()).await.expect("noted");
    office.live.start().await;
    for command in ["why the fair moves to the month of May", "recall month of May", "recall from:ben"] {
        let drawn = office.read(&general, &aki, command).await;
        assert!(!drawn.contains(&link), "{command}: {drawn}");
    }
    for command in ["recall nine thousand", "why nine thousand", "memo", "status"] {
        let drawn = office.read(&hiring, &aki, command).await;
        assert!(
            !drawn.contains("nine thousand") && !drawn.contains("I hear everything"),
            "{command}: {drawn}"
        );
    }
    office.live.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_open_is_shown_as_the_place_and_the_person_see_it() {
    let mut office = Office::open().await;
    let Office { general, hiring, aki, ben, .. } = &office;
    office.say(general, "I'll order the gaskets by 1 December.").await;
    office.say(hiring, "I'll send the offer by 2 December.").await;
    let [open, private] = ["order the gaskets by 1 December", "send the offer by 2 December"];
    for (channel, user, typed, seen) in [
        (general, ben, "loops", [true, false]),
        (hiring, aki, "loops", [true, true]),
        (general, aki, "宿題", [true, false]),
        (general, aki, "loops mine", [true, false]),
        (general, ben, "loops mine", [false, false]),
        (general, ben, "loops aki", [true, false]),
    ] {
        let drawn = office.read(channel, user, typed).await;
        for (words, is_seen) in [open, private].into_iter().zip(seen) {
            assert_eq!(drawn.contains(words), is_seen, "{user} in {channel} types {typed}: {drawn}");
        }
    }
    assert!(office.read(general, ben, "loops nobody").await.contains("nobody"));
    office.say(general, "The gaskets are ordered.").await;
    let drawn = office.read(general, ben, "loops").await;
    assert!(drawn.contains("nothing open here") && !drawn.contains(open), "{drawn}");
    office.live.stop().await;
}
