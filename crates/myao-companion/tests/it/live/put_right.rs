//! People put right in talk what we answered: "No, it's Thursday".

use std::sync::Arc;

use jiff::SignedDuration;
use myao_config::CorrectedBy;
use myao_core::{
    chat::{ChannelId, MessageTs, UserId, Visibility},
    memory::{MemoryScope, MemoryType, ScopeId},
    ports::{Material, Role},
    recall::RecallFilter,
};
use myao_testkit::{
    ScriptedModel,
    slack::{ChannelSpec, UserSpec},
};

use super::Live;
use crate::corrections::stories::{ENGLISH, JAPANESE, Story};

/// Stories, each in a channel of its own, up to our answer.
struct Answered {
    live: Live,
    channels: Vec<(ChannelId, &'static Story)>,
    hana: UserId,
}

fn answer_to(request: &myao_core::ports::Request) -> String {
    let words = format!("{:?}", request.turns);
    let is_told = |story: &&Story| words.contains(story.talk[0].split_once(": ").expect("a speaker").1);
    match (&request.role, &request.material) {
        (Role::Response, Material::Conversation(_)) => {
            let story = ENGLISH.iter().chain(&JAPANESE).find(is_told);
            story.map_or("?", |story| story.answer).to_owned()
        }
        _ => "はい。".to_owned(),
    }
}

impl Answered {
    async fn new(stories: impl Iterator<Item = &'static Story>, corrections: CorrectedBy) -> Self {
        let mut live = Live::with(
            1,
            |setup| setup,
            |config| {
                config.slack.agent_view = false;
                config.slack.corrections = corrections;
            },
        )
        .await;
        live.model = Arc::new(ScriptedModel::answering(answer_to));
        let hana = live.slack.user(UserSpec::person("hana"));
        let speakers =
            ["ann", "bob", "田中", "佐藤"].map(|name| (name, live.slack.user(UserSpec::person(name))));
        let mut channels = Vec::new();
        for (at, story) in stories.enumerate() {
            let members: Vec<&UserId> = speakers.iter().map(|(_, user)| user).chain([&hana]).collect();
            let spec = ChannelSpec::private(&format!("story-{at}")).members(&members);
            channels.push((live.slack.channel(spec), story));
        }
        live.start().await;
        for (channel, _) in &channels {
            live.slack.invite_bot(channel);
        }
        let all: Vec<&ChannelId> = channels.iter().map(|(channel, _)| channel).collect();
        live.caught_up(&all).await;
        for (channel, story) in &channels {
            for line in story.talk {
                let (name, text) = line.split_once(": ").expect("a speaker");
                let user = &speakers.iter().find(|(speaker, _)| *speaker == name).expect("known").1;
                let ts = live.slack.say(channel, user, text);
                live.eventually("stored", async || live.message(channel, ts).await.is_some()).await;
            }
        }
        let answered = Self { live, channels, hana };
        for (channel, story) in &answered.channels {
            let said = answered.says(channel, "what was decided?").await;
            assert_eq!(said, story.answer);
        }
        answered
    }

    /// Hana says something to us; what we say to it.
    async fn says(&self, channel: &ChannelId, words: &str) -> String {
        self.tells(channel, words).await.1
    }

    /// The same, with the time stamp of what she says.
    async fn tells(&self, channel: &ChannelId, words: &str) -> (MessageTs, String) {
        let before = self.live.slack.seen().posts.len();
        let text = format!("<@{}> {words}", self.live.slack.bot_user_id());
        let ts = self.live.slack.say(channel, &self.hana, &text);
        self.live.eventually("posted", async || self.live.slack.seen().posts.len() > before).await;
        self.live.all_answered().await;
        (ts, self.live.slack.posts().pop().expect("posted").text)
    }

    async fn corrections(&self, channel: &ChannelId) -> Vec<String> {
        let found = self
            .live
            .store
            .memory()
            .corrections(&Visibility::Owner, channel, usize::MAX)
            .await
            .expect("read");
        found.into_iter().map(|one| one.words).collect()
    }

    /// What was said in a channel and put right later, as whoever finds it again is told.
    async fn said_and_put_right(&self, channel: &ChannelId) -> Vec<String> {
        let filter = RecallFilter { channels: [channel.clone()].into(), ..RecallFilter::default() };
        let found =
            self.live.store.recall().newest_messages(&Visibility::Owner, &filter, 50).await.expect("read");
        found.into_iter().filter(|one| one.replaced_on.is_some()).map(|one| one.text.words()).collect()
    }

    async fn chapter(&self, channel: &ChannelId) -> String {
        let (scope, memory) = (ScopeId::channel(channel), self.live.store.memory());
        let latest = memory
            .find_latest(&Visibility::Owner, MemoryScope::Channel, &scope, MemoryType::ShortTerm)
            .await
            .expect("read");
        latest.map(|latest| latest.content().to_owned()).unwrap_or_default()
    }
}

async fn all_are_put_right(stories: &'static [Story]) {
    let mut answered = Answered::new(stories.iter(), CorrectedBy::Members).await;
    for (channel, story) in &answered.channels {
        let said = answered.says(channel, story.said).await;
        assert!(said.contains(story.right), "{}: {said}", story.said);
        assert_eq!(answered.corrections(channel).await, [story.right], "{}", story.said);
        let ended = answered.said_and_put_right(channel).await;
        let (old, kept): (Vec<&str>, Vec<&str>) =
            story.talk.iter().partition(|line| line.contains(story.wrong));
        let is_ended = |line: &&str| ended.iter().any(|text| line.ends_with(text.as_str()));
        assert!(old.iter().all(is_ended) && !kept.iter().any(is_ended), "{ended:?}");
        assert!(!ended.iter().any(|text| text.contains(story.said)), "{ended:?}");
    }
    let (channel, story) = &answered.channels[0];
    let old = story.talk.iter().find(|line| line.contains(story.wrong)).expect("a line");
    let typed = format!("recall {}", old.split_once(": ").expect("a speaker").1);
    let drawn = answered.live.slack.slash(channel, &answered.hana, "/myao", &typed).answered().await.drawn();
    assert!(drawn.contains("2026-01-05") && drawn.contains(story.wrong), "{drawn}");
    // Hours later the talk is a chapter: both stand there, each with its speaker, the first with its end.
    answered.live.clock.skip(SignedDuration::from_hours(3));
    for (channel, story) in &answered.channels {
        let right = format!("hana: {}", story.right);
        let chapter = async || answered.chapter(channel).await;
        answered.live.eventually("a chapter", async || chapter().await.contains(&right)).await;
        let text = chapter().await;
        assert!(text.contains("2026-01-05まで"), "{text}");
        let speaker = story.talk.iter().find(|line| line.contains(story.wrong)).expect("a line");
        let speaker = speaker.split_once(": ").expect("a speaker").0;
        let old = text.lines().find(|line| line.contains(story.wrong)).expect("it stays");
        assert!(old.contains(&format!("{speaker}: ")) && old.contains("まで"), "{old}");
    }
    answered.live.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn english_stories_are_put_right_by_talking() {
    all_are_put_right(&ENGLISH).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn japanese_stories_are_put_right_by_talking() {
    all_are_put_right(&JAPANESE).await;
}

/// What is no correction, or not behind our answer, changes nothing, and the answer claims nothing.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_none_changes_nothing() {
    let mut answered = Answered::new(ENGLISH.iter().take(1), CorrectedBy::Members).await;
    let (channel, story) = answered.channels[0].clone();
    for words in [
        "so it's Thursday 11 June?",
        "No, it's Thursday 11 June lol",
        "> No, it's Thursday 11 June",
        "No, it's blue",
    ] {
        assert_eq!(answered.says(&channel, words).await, story.answer, "{words}");
        assert_eq!(answered.corrections(&channel).await, [] as [String; 0], "{words}");
    }
    answered.live.slack.say(&channel, &answered.hana.clone(), "by the way");
    assert_eq!(answered.says(&channel, story.said).await, story.answer, "somebody spoke between");
    assert_eq!(answered.corrections(&channel).await, [] as [String; 0]);
    answered.live.stop().await;
}

/// Where only owners put memories right, nobody else does it by talking.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_owners_may_where_it_is_left_to_them() {
    let mut answered = Answered::new(ENGLISH.iter().take(1), CorrectedBy::Owners).await;
    let (channel, story) = answered.channels[0].clone();
    assert_eq!(answered.says(&channel, story.said).await, story.answer);
    assert_eq!(answered.corrections(&channel).await, [] as [String; 0]);
    answered.live.stop().await;
}

/// With the message the correction goes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_deleted_message_takes_its_correction_with_it() {
    let mut answered = Answered::new(ENGLISH.iter().take(1), CorrectedBy::Members).await;
    let (channel, story) = answered.channels[0].clone();
    let (ts, _) = answered.tells(&channel, story.said).await;
    assert_eq!(answered.corrections(&channel).await.len(), 1);
    answered.live.slack.delete(&channel, ts);
    answered.live.eventually("gone", async || answered.corrections(&channel).await.is_empty()).await;
    answered.live.stop().await;
}
