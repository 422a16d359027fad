//! Nobody asked it: the real program speaks up where somebody is left alone, once, and not before its time.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use myao_core::chat::{ChannelId, MessageTs};
use myao_testkit::{
    llm::FakeProvider,
    slack::{ChannelSpec, UserSpec},
};
use serde_json::{Value, json};

use super::{Running, World};

/// Seconds of silence before it considers to speak here.
const WAIT: i64 = 5;
/// What the builtin judge answers without more ado, since somebody else was helped with the same.
const CRY: &str = "The build is broken and I am stuck. Please help me.";
/// What helped, and how long ago it was said: longer than anything is judged.
const HELP: &str = "Restart the runner: the build is broken where it is stuck.";
const LONG_AGO: SignedDuration = SignedDuration::from_hours(20);

/// With a judge that needs nothing, and a talker that always has something to say.
async fn world() -> (World, FakeProvider) {
    let talker = FakeProvider::echoing(0, Duration::ZERO).await;
    let world = World::with(&format!(
        "response: {{min_wait_seconds: {WAIT}, jitter_ratio: 0, dynamic_wait: {{enabled: false}}}}\n\
         agents: {{response: {{model_id: openai/fake, client_args: {{api_key: k, api_base: '{}/v1'}}}}}}\n",
        talker.url()
    ))
    .await;
    let carol = world.slack.user(UserSpec::person("carol"));
    let dora = world.slack.user(UserSpec::person("dora"));
    let builds = world.slack.channel(ChannelSpec::public("builds").members(&[&carol, &dora]));
    let asked = MessageTs::from_timestamp(Timestamp::now() - LONG_AGO);
    world.slack.say_at(&builds, &carol, CRY, asked);
    world.slack.reply_at(&builds, asked, &dora, HELP, asked.plus_seconds(60));
    (world, talker)
}

impl World {
    /// The program listens, and has fetched what was said before: only then a channel is judged.
    async fn started(&self) -> Running {
        let running = self.start().await;
        self.eventually("caught up", |status| {
            let gaps = status["gaps"].as_array().is_some_and(Vec::is_empty);
            gaps && status["channels"].as_array().is_some_and(|channels| !channels.is_empty())
        })
        .await;
        running
    }

    fn decisions(&self) -> Value {
        tokio::task::block_in_place(|| self.home.json(&["decisions"]))
    }

    /// The only post so far is about what was said then, and came when its time had come.
    fn answered_once(&self, channel: &ChannelId, said: MessageTs) {
        let posts = self.slack.posts();
        let [post] = posts.as_slice() else { panic!("{posts:?}") };
        assert_eq!(post.channel, *channel);
        let waited = post.at.duration_since(said.to_timestamp());
        assert!(waited >= SignedDuration::from_secs(WAIT), "{waited}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_while_it_waits_it_speaks_up_once_and_not_before_its_time() {
    let (world, _talker) = world().await;
    let mut running = world.started().await;
    let said = world.slack.say(&world.general, &world.alice, CRY);
    world.slack.wait_until(|seen| seen.acks.len() == 1).await;
    // At once: a look at the rows may take longer than the silence that is waited for.
    running.kill();
    assert_eq!(world.slack.posts().len(), 0);
    let next = world.decisions();
    assert_eq!(next["next"][0]["latest_ts"], json!(said), "it was waiting: {next}");
    let again = world.start().await;
    world.slack.wait_until(|seen| !seen.posts.is_empty()).await;
    world.answered_once(&world.general, said);
    // What is asked is answered after it, so nothing more was to come.
    world.mention("and you?");
    world.slack.wait_until(|seen| seen.posts.len() > 1).await;
    world.eventually("all replies recorded", |status| status["messages"] == 6).await;
    assert_eq!(world.slack.posts().len(), 2);
    let told = world.decisions();
    let decisions = told["decisions"].as_array().expect("a list");
    assert_eq!(decisions.len(), 1, "reading commands work beside it: {told}");
    assert_eq!(
        (&decisions[0]["verdict"], &decisions[0]["reply"]["state"], &decisions[0]["wait_seconds"]),
        (&json!("speak"), &json!("done"), &json!(5.0))
    );
    assert_eq!(world.status()["judgments"], json!({"speak": 1, "quiet": 0, "failed": 0}));
    assert_eq!(again.stop(), Some(0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_a_person_answers_first_it_keeps_quiet() {
    let (world, _talker) = world().await;
    let bob = world.slack.user(UserSpec::person("bob"));
    let other = world.slack.channel(ChannelSpec::public("random").members(&[&world.alice, &bob]));
    let running = world.started().await;
    let said = world.slack.say(&world.general, &world.alice, CRY);
    world.slack.reply(&world.general, said, &bob, "I am on it.");
    world.slack.wait_until(|seen| seen.acks.len() == 2).await;
    // This one is said later, and so is due later.
    let lonely = world.slack.say(&other, &world.alice, CRY);
    world.slack.wait_until(|seen| !seen.posts.is_empty()).await;
    world.answered_once(&other, lonely);
    let told = world.decisions();
    let of_general = told["decisions"].as_array().expect("a list").iter();
    let of_general: Vec<&Value> = of_general.filter(|one| one["channel"] == "#general").collect();
    assert!(of_general.iter().all(|one| one["verdict"] == "quiet"), "{told}");
    assert_eq!(running.stop(), Some(0));
}
