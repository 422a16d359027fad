//! What is suggested to somebody who opens their direct messages with us: places that they are in and may see, and no words.

use jiff::SignedDuration;
use myao_core::{
    chat::{ChannelId, UserId, Visibility},
    memory::{MemoryScope, MemoryType, ScopeId},
    text::Language,
};
use myao_slack::manifest::AGENT_SCOPE;
use myao_testkit::slack::{ChannelSpec, InjectedFault, SlackSetup, UserSpec};

use super::Live;

const METHOD: &str = "assistant.threads.setSuggestedPrompts";
const ABOUT_YOU: &str = "What do you remember about me?";
const WORDS: &str = "the fair moves to May";

/// An open, a private and a shared channel with a chapter each, and their people.
struct Town {
    live: Live,
    general: ChannelId,
    /// In all of them, in the open one alone, and a guest.
    aki: UserId,
    ben: UserId,
    gus: UserId,
}

impl Town {
    async fn open(language: Language, setup: impl FnOnce(SlackSetup) -> SlackSetup) -> Self {
        let mut live = Live::with(1, setup, |config| config.locale.language = language).await;
        let [aki, ben] = ["aki", "ben"].map(|name| live.slack.user(UserSpec::person(name)));
        let gus = live.slack.user(UserSpec::person("gus").guest());
        let general = live.slack.channel(ChannelSpec::public("general").members(&[&aki, &ben]));
        let hiring = live.slack.channel(ChannelSpec::private("hiring").members(&[&aki]));
        let partners = live.slack.channel(ChannelSpec::public("partners").members(&[&aki, &gus]));
        let empty = live.slack.channel(ChannelSpec::public("empty").members(&[&aki, &ben]));
        live.start().await;
        let all = [&general, &hiring, &partners, &empty];
        for channel in all {
            live.slack.invite_bot(channel);
        }
        live.caught_up(&all).await;
        for channel in [&general, &hiring, &partners] {
            for words in [WORDS, "thank you, noted"] {
                let ts = live.slack.say(channel, &aki, words);
                live.eventually("stored", async || live.message(channel, ts).await.is_some()).await;
            }
        }
        // Hours later the talk is chapters.
        live.clock.skip(SignedDuration::from_hours(3));
        for channel in [&general, &hiring, &partners] {
            live.eventually("a chapter", async || has_chapter(&live, channel).await).await;
        }
        Self { live, general, aki, ben, gus }
    }

    /// What somebody is suggested after they opened their direct messages.
    async fn suggested(&self, user: &UserId) -> Vec<String> {
        let before = self.live.slack.seen().suggested.len();
        self.live.slack.open_messages_tab(user);
        self.live.slack.wait_until(|seen| seen.suggested.len() > before).await;
        self.shown(user)
    }

    fn shown(&self, user: &UserId) -> Vec<String> {
        let dm = self.live.slack.direct_messages(user).expect("opened");
        let prompts = self.live.slack.suggested_prompts(&dm);
        assert!(prompts.iter().all(|(title, message)| title == message), "{prompts:?}");
        prompts.into_iter().map(|(title, _)| title).collect()
    }

    async fn end(mut self) {
        self.live.stop().await;
        self.live.slack.finish();
    }
}

async fn has_chapter(live: &Live, channel: &ChannelId) -> bool {
    let scope_id = ScopeId::channel(channel);
    let memory = live.store.memory();
    let latest =
        memory.find_latest(&Visibility::Owner, MemoryScope::Channel, &scope_id, MemoryType::ShortTerm).await;
    latest.expect("read").is_some_and(|latest| !latest.content().is_empty())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn open_channels_that_one_is_in_are_suggested_and_nothing_else() {
    let town = Town::open(Language::En, |setup| setup).await;
    let general = "What happened in #general lately?";
    assert_eq!(town.suggested(&town.aki).await, [general, ABOUT_YOU]);
    assert_eq!(town.suggested(&town.ben).await, [general, ABOUT_YOU]);
    town.live.slack.leave(&town.general, &town.ben);
    assert_eq!(town.suggested(&town.ben).await, [ABOUT_YOU], "who is not there is not asked about it");
    // A guest is shown nothing of the house.
    assert_eq!(town.suggested(&town.gus).await, [ABOUT_YOU]);
    town.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_channel_that_closes_is_taken_out_at_once() {
    let town = Town::open(Language::Ja, |setup| setup).await;
    assert_eq!(
        town.suggested(&town.aki).await,
        ["#general で最近あったことは？", "わたしについて覚えていることは？"]
    );
    town.live.slack.convert_to_private(&town.general);
    town.live.eventually("taken out", async || town.shown(&town.aki).len() == 1).await;
    town.end().await;
}

/// Where Slack does not tell where somebody is, no place is named; where it is busy, it is tried again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_not_known_is_not_named() {
    let town = Town::open(Language::En, |setup| setup).await;
    let refused = InjectedFault::Refused("internal_trouble".to_owned());
    town.live.slack.fail_next("users.conversations", refused);
    assert_eq!(town.suggested(&town.aki).await, [ABOUT_YOU]);
    town.live.slack.fail_next(METHOD, InjectedFault::Limited(1));
    town.live.slack.open_messages_tab(&town.aki);
    town.live.eventually("tried again", async || town.shown(&town.aki).len() == 2).await;
    town.end().await;
}

/// What is the same is not said again, and an app that cannot suggest does not try.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_asked_of_slack_without_need() {
    let town = Town::open(Language::En, |setup| setup).await;
    town.suggested(&town.aki).await;
    town.live.slack.open_messages_tab(&town.aki);
    town.suggested(&town.ben).await;
    assert_eq!(town.live.slack.seen().calls(METHOD), 2);
    town.end().await;
    let older = |setup: SlackSetup| setup.without_scope(AGENT_SCOPE.name).without_agent_sessions();
    let town = Town::open(Language::En, older).await;
    town.live.slack.open_messages_tab(&town.aki);
    town.live.slack.open_home(&town.aki);
    town.live.slack.wait_until(|seen| seen.calls("views.publish") == 1).await;
    assert_eq!(town.live.slack.seen().calls(METHOD), 0);
    town.end().await;
}
