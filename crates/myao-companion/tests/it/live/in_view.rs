//! What somebody looks at beside their direct messages with us: what is found there comes first, and nothing else changes.

use myao_core::chat::{ChannelId, UserId};
use myao_slack::manifest::AGENT_SCOPE;
use myao_testkit::slack::{ChannelSpec, SlackSetup, UserSpec};

use super::Live;

/// Two open channels and a closed one in which the same is asked of something else.
struct Yard {
    live: Live,
    kiln: ChannelId,
    boat: ChannelId,
    hiring: ChannelId,
    aki: UserId,
}

impl Yard {
    async fn open() -> Self {
        let agents = |setup: SlackSetup| setup;
        let mut live = Live::with(1, agents, |_| {}).await;
        let [aki, ben] = ["aki", "ben"].map(|name| live.slack.user(UserSpec::person(name)));
        let kiln = live.slack.channel(ChannelSpec::public("kiln").members(&[&aki, &ben]));
        let boat = live.slack.channel(ChannelSpec::public("boat").members(&[&aki, &ben]));
        let hiring = live.slack.channel(ChannelSpec::private("hiring").members(&[&aki]));
        live.start().await;
        let all = [&kiln, &boat, &hiring];
        for channel in all {
            live.slack.invite_bot(channel);
        }
        live.caught_up(&all).await;
        let yard = Self { live, kiln, boat, hiring, aki };
        for (channel, words) in [
            (&yard.kiln, "the varnish is drying until Tuesday, kilnside"),
            (&yard.boat, "the varnish is drying until Friday, boatside"),
            (&yard.hiring, "the varnish is drying until Sunday, nobody else may know"),
        ] {
            let ts = yard.live.slack.say(channel, &ben, words);
            yard.live.eventually("kept", async || yard.live.message(channel, ts).await.is_some()).await;
        }
        yard
    }

    /// What stands in the prompt for a question in aki's direct messages, of what was found, in its order.
    async fn found(&self, nth: usize) -> Vec<&'static str> {
        let before = self.live.model.requests().len();
        let posts = self.live.slack.posts().len();
        let dm = self.live.slack.direct_messages(&self.aki).expect("opened");
        self.live.slack.say(&dm, &self.aki, &format!("until when is the varnish drying? ({nth})"));
        self.live.slack.wait_until(|seen| seen.posts.len() > posts).await;
        self.live.all_answered().await;
        let requests = self.live.model.requests().split_off(before);
        let asked = requests.iter().find(|request| request.purpose == "reply").expect("a reply");
        let text = format!("{:?}", asked.turns);
        let mut found: Vec<(usize, &'static str)> = ["kilnside", "boatside", "nobody else"]
            .into_iter()
            .filter_map(|words| Some((text.find(words)?, words)))
            .collect();
        found.sort_unstable();
        found.into_iter().map(|(_, words)| words).collect()
    }

    async fn looks_at(&self, channels: &[&ChannelId]) {
        self.live.slack.look_at(&self.aki, channels, false);
        // What comes after it is stored after it.
        let ts = self.live.slack.say(&self.kiln, &self.aki, "by the way");
        self.live.eventually("told", async || self.live.message(&self.kiln, ts).await.is_some()).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_said_there_comes_first_and_nothing_else_is_shown() {
    let mut yard = Yard::open().await;
    yard.live.slack.open_messages_tab(&yard.aki);
    yard.live.slack.wait_until(|seen| !seen.suggested.is_empty()).await;
    yard.looks_at(&[&yard.kiln]).await;
    assert_eq!(yard.found(1).await, ["kilnside", "boatside"]);
    yard.looks_at(&[&yard.boat]).await;
    assert_eq!(yard.found(2).await, ["boatside", "kilnside"]);
    // What one sees oneself, the direct messages do not.
    yard.looks_at(&[&yard.hiring]).await;
    let usual = yard.found(3).await;
    assert!(usual.len() == 2 && !usual.contains(&"nobody else"), "{usual:?}");
    // Nobody knows whose view this is.
    yard.live.slack.look_at(&yard.aki, &[&yard.kiln], true);
    yard.looks_at(&[]).await;
    assert_eq!(yard.found(4).await, usual);
    assert_eq!(yard.live.store.archive().count_unread_events().await.expect("read"), 0, "kept nowhere");
    yard.live.stop().await;
    yard.live.slack.finish();
}

/// An app that was made with an older manifest is never told.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_older_app_answers_as_before() {
    let older = |setup: SlackSetup| setup.without_scope(AGENT_SCOPE.name).without_agent_sessions();
    let mut live = Live::with(1, older, |_| {}).await;
    let aki = live.slack.user(UserSpec::person("aki"));
    let kiln = live.slack.channel(ChannelSpec::public("kiln").members(&[&aki]));
    live.start().await;
    live.slack.invite_bot(&kiln);
    live.caught_up(&[&kiln]).await;
    let words = format!("<@{}> are you there?", live.slack.bot_user_id());
    live.slack.say(&kiln, &aki, &words);
    live.slack.wait_until(|seen| seen.posts.len() == 1).await;
    live.stop().await;
    live.slack.finish();
}
