//! "My", "our" and "your" in a question: what is answered is the asker's, or their group's, or nobody said it (ADR 146).

mod stories;

use std::sync::Arc;

use jiff::SignedDuration;
use myao_companion::ask::Models;
use myao_core::{
    chat::{Event, Message, User, UserId},
    ports::{Model, Turn},
};
use myao_model::Builtin;
use myao_testkit::ScriptedModel;

use self::stories::{ENGLISH, JAPANESE, Story};
use crate::reply_world::World;

/// What we say of what nobody said, in either language.
const NOBODY_SAID: [&str; 2] = ["I found nobody who said that", "そう言っている人が見つかりませんでした"];

/// A day passes, or a minute for what follows at once.
async fn says(world: &World, channel: &str, line: &str) {
    let follows = channel.strip_prefix('+');
    let passed = follows.map_or(SignedDuration::from_hours(24), |_| SignedDuration::from_mins(1));
    world.clock.advance(passed);
    says_now(world, follows.unwrap_or(channel), line).await;
}

async fn says_now(world: &World, channel: &str, line: &str) {
    let (name, text) = line.split_once(": ").expect("a speaker");
    let user = UserId::new(format!("U-{name}"));
    let known = User { id: user.clone(), name: name.to_owned(), is_bot: false };
    let message = Message { user, ..world.message(channel, text) };
    world.hear(vec![Event::User(known), Event::Message(message)]).await;
    world.clock.advance(SignedDuration::from_secs(1));
}

async fn answer(story: &Story) -> String {
    let builtin: Arc<dyn Model> = Arc::new(Builtin);
    let world = World::with(Models::all(&builtin)).await;
    for (channel, line) in story.talk {
        says(&world, channel, line).await;
    }
    world.clock.advance(SignedDuration::from_hours(48));
    let (channel, asked) = story.asks;
    let (name, question) = asked.split_once(": ").expect("a speaker");
    says_now(&world, channel, &format!("{name}: <@UMYAO> {question}")).await;
    world.settle().await;
    world.chat.texts().join("\n")
}

/// The lines that a model is shown where `name` asks `question` in C1 after this talk in C2.
async fn shown_to_model(talk: &[&str], name: &str, question: &str) -> Vec<String> {
    let model = Arc::new(ScriptedModel::answers(["hm"]));
    let world = World::new(&model).await;
    for line in talk {
        says(&world, "C2", line).await;
    }
    world.clock.advance(SignedDuration::from_hours(48));
    says_now(&world, "C1", &format!("{name}: <@UMYAO> {question}")).await;
    world.settle().await;
    let asked = model.requests();
    let request = asked.first().expect("a request");
    let turns = request.turns.iter().filter_map(|turn| match turn {
        Turn::User(text) => Some(text.as_str()),
        Turn::Assistant { .. } | Turn::Tool { .. } => None,
    });
    turns.flat_map(str::lines).map(str::to_owned).collect()
}

async fn fault_of(story: &Story) -> Option<String> {
    let told = answer(story).await;
    let is_told = match story.says {
        Some(words) => told.contains(words),
        None => NOBODY_SAID.iter().any(|words| told.contains(words)),
    };
    let is_false = story.never.iter().any(|words| told.contains(words));
    (!is_told || is_false).then(|| format!("{} (held out: {}): {told}", story.asks.1, story.held_out))
}

async fn are_right(stories: &[Story], held_out: bool) {
    let mut faults = Vec::new();
    for story in stories.iter().filter(|story| story.held_out == held_out) {
        faults.extend(fault_of(story).await);
    }
    assert!(faults.is_empty(), "{} wrong:\n{}", faults.len(), faults.join("\n"));
}

#[tokio::test]
async fn english_stories_are_answered() {
    are_right(&ENGLISH, false).await;
}

#[tokio::test]
async fn japanese_stories_are_answered() {
    are_right(&JAPANESE, false).await;
}

#[tokio::test]
async fn english_stories_that_are_held_out_are_answered() {
    are_right(&ENGLISH, true).await;
}

#[tokio::test]
async fn japanese_stories_that_are_held_out_are_answered() {
    are_right(&JAPANESE, true).await;
}

/// Whoever else said the words of the question more often, and later.
#[tokio::test]
async fn a_model_is_shown_what_is_the_askers_first() {
    let english = [
        "ann: The dentist appointment of mine is on Thursday at 15:30.",
        "ben: My dentist appointment, the dentist appointment for my tooth, is on Friday at 9:00.",
    ];
    let japanese = [
        "亜美: 歯医者の予約は木曜の15時半になりました。",
        "健太: 僕の歯医者の予約、僕の歯医者の予約は金曜の9時です。",
    ];
    for (talk, asker, question) in [
        (english, "ann", "When is my dentist appointment?"),
        (english, "ben", "When is my dentist appointment?"),
        (japanese, "亜美", "私の歯医者の予約はいつ？"),
        (japanese, "健太", "僕の歯医者の予約はいつ？"),
    ] {
        let shown = shown_to_model(&talk, asker, question).await;
        let own = talk.iter().filter_map(|line| line.split_once(": ")).find(|(name, _)| *name == asker);
        let (_, words) = own.expect("a line of whoever asks");
        let first = shown.iter().find(|line| line.starts_with("* [r"));
        assert!(first.is_some_and(|first| first.contains(words)), "{asker}: {shown:#?}");
    }
}
