//! Words of the house: learned from talk, found by either word, explained with who said so and when, and gone with their
//! words (specification §5, ADR 137).

mod stories;

use std::sync::Arc;

use jiff::SignedDuration;
use myao_companion::ask::Models;
use myao_core::{
    chat::{ChannelId, ChannelKind, Event, Message, MessageTs, User, UserId, Visibility},
    ports::Model,
    recall::HouseWordState,
};
use myao_model::Builtin;
use myao_store::{HouseWordEnd, HouseWordQuery};

use self::stories::{ENGLISH, JAPANESE, Story};
use crate::reply_world::World;

/// A workspace that answers by `builtin`.
async fn world() -> World {
    let builtin: Arc<dyn Model> = Arc::new(Builtin);
    World::with(Models::all(&builtin)).await
}

/// What people say beside it, so that what belongs together does not stand together.
const BESIDE: [&str; 3] =
    ["zoe: Good morning everybody.", "zoe: 今日は雨ですね。", "zoe: The printer needs toner."];

/// Somebody says something in a channel; a day passes, in which other things are said.
async fn says(world: &World, channel: &str, line: &str) -> MessageTs {
    let ts = says_now(world, channel, line).await;
    for line in BESIDE {
        world.clock.advance(SignedDuration::from_hours(8));
        says_now(world, channel, line).await;
    }
    ts
}

async fn says_now(world: &World, channel: &str, line: &str) -> MessageTs {
    let (name, text) = line.split_once(": ").expect("a speaker");
    let user = UserId::new(format!("U-{name}"));
    let known = User { id: user.clone(), name: name.to_owned(), is_bot: false };
    let message = Message { user, ..world.message(channel, text) };
    let ts = message.ts;
    world.hear(vec![Event::User(known), Event::Message(message)]).await;
    world.clock.advance(SignedDuration::from_mins(1));
    ts
}

/// Has everything indexed anew.
async fn index_anew(world: &World) {
    world.damage("DELETE FROM settings WHERE key IN ('recall', 'house_words')").await;
    while !world.store.recall().index_some().await.expect("indexed").is_complete {}
}

/// What we answer a newcomer who asks in a channel a month later.
async fn answer(world: &World, channel: &str, question: &str) -> String {
    world.clock.advance(SignedDuration::from_hours(24 * 30));
    let before = world.chat.texts().len();
    world.mention(channel, question).await;
    world.settle().await;
    world.chat.texts().into_iter().skip(before).collect::<Vec<_>>().join("\n")
}

/// The words that stand, as `word=meaning`, the later one of a word first.
async fn terms(world: &World, visibility: &Visibility) -> Vec<String> {
    let words = world.store.recall().house_words(visibility, &HouseWordQuery::default()).await.expect("read");
    let standing = words.into_iter().filter(|one| one.state == HouseWordState::Stands);
    standing.map(|one| format!("{}={}", one.said.said.word, one.said.said.meaning)).collect()
}

/// Ends every meaning in a channel by hand, which leaves what was said as it is.
async fn end_all(world: &World, channel: &str) {
    let recall = world.store.recall();
    let channel = ChannelId::new(channel);
    let words = recall.house_words(&Visibility::Owner, &HouseWordQuery::default()).await.expect("read");
    for word in words.into_iter().map(|one| one.said.said) {
        let ended = HouseWordEnd::Ended;
        recall.end_house_word(&channel, &word.word, &word.meaning, ended, world.now()).await.expect("ended");
    }
}

async fn is_right(story: &Story, with_words: bool) -> Result<(), String> {
    let world = world().await;
    for line in story.talk {
        says(&world, "C1", line).await;
    }
    if !with_words {
        end_all(&world, "C1").await;
    }
    let told = answer(&world, "C1", story.question).await;
    let mut rest = told.as_str();
    for words in story.says {
        let Some((_, behind)) = rest.split_once(words) else {
            return Err(format!("{}: {words} is not said, or not in this order: {told}", story.question));
        };
        rest = behind;
    }
    match story.never.iter().find(|words| told.contains(**words)) {
        Some(words) => Err(format!("{}: {words} is said: {told}", story.question)),
        None => Ok(()),
    }
}

async fn are_right(stories: &[Story]) {
    let mut wrong = Vec::new();
    for story in stories {
        wrong.extend(is_right(story, true).await.err());
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), stories.len(), wrong.join("\n"));
}

#[tokio::test]
async fn english_stories_are_answered() {
    are_right(&ENGLISH).await;
}

#[tokio::test]
async fn japanese_stories_are_answered() {
    are_right(&JAPANESE).await;
}

/// What else finds answers does not answer them: it is the words that do.
#[tokio::test]
async fn without_the_words_the_stories_are_not_answered() {
    let mut answered = Vec::new();
    for story in ENGLISH.iter().chain(&JAPANESE) {
        if is_right(story, false).await.is_ok() {
            answered.push(story.question);
        }
    }
    assert!(answered.len() <= 4, "{answered:?}");
}

/// A newcomer is told by whom a word was explained and when, with a link, also when it was said in another open channel.
#[tokio::test]
async fn who_asks_for_a_meaning_is_told_by_whom_and_when_with_a_link() {
    let world = world().await;
    world.store.archive().note_team_url("https://example.slack.com/").await.expect("noted");
    let ts = says(&world, "C2", "hana: PJ-K stands for Kanda.").await;
    says(&world, "C2", "bob: PJ-K is late again.").await;
    let told = answer(&world, "C1", "what is PJ-K?").await;
    let link = format!("/archives/C2/p{}", ts.as_micros());
    assert!(told.contains("hana on 2 March: “PJ-K stands for Kanda.”") && told.contains(&link), "{told}");
    assert!(!told.contains("late"), "{told}");
}

/// What is said in a closed channel neither expands nor explains anything elsewhere; in the channel itself it does.
#[tokio::test]
async fn a_word_of_a_closed_channel_is_known_there_alone() {
    for kind in [ChannelKind::Private, ChannelKind::Dm] {
        let world = world().await;
        world.changes("C2", kind, false).await;
        says(&world, "C2", "hana: PJ-K = Kanda").await;
        says(&world, "C1", "bob: Kanda opens on 3 May.").await;
        let told = answer(&world, "C1", "what is PJ-K?").await;
        assert!(!told.contains("Kanda"), "{told}");
        let told = answer(&world, "C1", "When does PJ-K open?").await;
        assert!(!told.contains("3 May"), "{told}");
        let told = answer(&world, "C2", "When does PJ-K open?").await;
        assert!(told.contains("3 May"), "{told}");
        // Once everybody may read it, everybody may know.
        world.changes("C2", ChannelKind::Public, false).await;
        let told = answer(&world, "C1", "When does PJ-K open?").await;
        assert!(told.contains("3 May"), "{told}");
    }
}

/// What differs in two places stays apart: each answers with its own, and a third asks with neither.
#[tokio::test]
async fn two_meanings_in_two_places_stay_apart() {
    let world = world().await;
    says(&world, "C1", "hana: PJ-K = Kanda").await;
    says(&world, "C2", "bob: PJ-K = Kobe").await;
    says(&world, "C1", "hana: Kanda opens on 3 May.").await;
    says(&world, "C1", "hana: Kobe opens on 9 July.").await;
    let told = answer(&world, "C1", "When does PJ-K open?").await;
    assert!(told.contains("3 May") && !told.contains("9 July"), "{told}");
    let told = answer(&world, "C2", "When does PJ-K open?").await;
    assert!(told.contains("9 July") && !told.contains("3 May"), "{told}");
    let told = answer(&world, "D1", "When does PJ-K open?").await;
    assert!(!told.contains("9 July") && !told.contains("3 May"), "{told}");
    let told = answer(&world, "D1", "what is PJ-K?").await;
    let (kobe, kanda) = (told.find("Kobe"), told.find("Kanda"));
    assert!(kobe.is_some() && kobe < kanda, "the later one first: {told}");
}

/// A question, our own words and those of a program teach nothing.
#[tokio::test]
async fn only_what_people_state_is_learned() {
    let world = world().await;
    says(&world, "C1", "hana: is PJ-K = Kanda?").await;
    says(&world, "C1", "hana: PJ-S = Shinagawa lol").await;
    for user in ["UMYAO", "UPARROT"] {
        let said = Message { user: UserId::new(user), ..world.message("C1", "PJ-T = Tamachi") };
        world.told(said).await;
    }
    assert_eq!(terms(&world, &Visibility::Owner).await, <[String; 0]>::default());
}

/// A meaning that a person ended stays ended through what is indexed anew, until that is taken back; what is said later
/// counts.
#[tokio::test]
async fn what_a_person_ended_stays_ended() {
    let world = world().await;
    says(&world, "C1", "hana: PJ-K = Kanda").await;
    says(&world, "C1", "bob: Kanda opens on 3 May.").await;
    let channel = ChannelId::new("C1");
    let end = async |end| {
        let recall = world.store.recall();
        recall.end_house_word(&channel, "pj-k", "kanda", end, world.now()).await.expect("ended")
    };
    assert_eq!(end(HouseWordEnd::Ended).await, 1);
    assert_eq!(end(HouseWordEnd::Ended).await, 0);
    for _ in 0..3 {
        index_anew(&world).await;
        assert_eq!(terms(&world, &Visibility::Owner).await, <[String; 0]>::default());
    }
    let told = answer(&world, "C1", "When does PJ-K open?").await;
    assert!(!told.contains("3 May"), "{told}");
    assert_eq!(end(HouseWordEnd::TakenBack).await, 1);
    assert_eq!(terms(&world, &Visibility::Owner).await, ["PJ-K=Kanda"]);
    end(HouseWordEnd::Ended).await;
    says(&world, "C1", "bob: PJ-K = Kanda").await;
    assert_eq!(terms(&world, &Visibility::Owner).await, ["PJ-K=Kanda"]);
}
