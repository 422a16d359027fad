//! People who got another name, or left, stay themselves (ADR 147).

mod stories;

use std::{collections::BTreeMap, sync::Arc};

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

/// Who bears which name now.
#[derive(Default)]
struct Directory {
    bearers: BTreeMap<String, UserId>,
    /// How many people there were.
    known: usize,
}

impl Directory {
    /// The bearer of a name; somebody new if there is none.
    fn bearer(&mut self, name: &str) -> UserId {
        let known = &mut self.known;
        let new = || {
            *known += 1;
            UserId::new(format!("UPERSON{known}"))
        };
        self.bearers.entry(name.to_owned()).or_insert_with(new).clone()
    }

    /// What the directory tells once each of `changes`, `old=new, old=new`, has taken place.
    fn rename(&mut self, changes: &str) -> Vec<Event> {
        let pairs: Vec<(&str, &str)> = changes.split(", ").filter_map(|pair| pair.split_once('=')).collect();
        let renamed: Vec<(String, UserId)> =
            pairs.iter().map(|(old, new)| ((*new).to_owned(), self.bearer(old))).collect();
        for (old, _) in &pairs {
            self.bearers.remove(*old);
        }
        self.bearers.extend(renamed.iter().cloned());
        renamed.into_iter().map(|(name, id)| Event::User(User { id, name, is_bot: false })).collect()
    }

    /// What the directory tells once somebody has left.
    fn departs(&mut self, name: &str) -> Event {
        Event::Departed(User { id: self.bearer(name), name: name.to_owned(), is_bot: false })
    }
}

async fn says(world: &World, people: &mut Directory, channel: &str, line: &str) {
    let (name, text) = line.split_once(": ").expect("a speaker");
    let user = people.bearer(name);
    let known = User { id: user.clone(), name: name.to_owned(), is_bot: false };
    let message = Message { user, ..world.message(channel, text) };
    world.hear(vec![Event::User(known), Event::Message(message)]).await;
}

async fn answer(story: &Story) -> String {
    let builtin: Arc<dyn Model> = Arc::new(Builtin);
    let world = World::with(Models::all(&builtin)).await;
    let mut people = Directory::default();
    for (channel, line) in story.talk {
        world.clock.advance(SignedDuration::from_hours(24));
        match *channel {
            "=" => world.hear(people.rename(line)).await,
            "-" => world.hear(vec![people.departs(line)]).await,
            channel => says(&world, &mut people, channel, line).await,
        }
    }
    world.clock.advance(SignedDuration::from_hours(48));
    let (channel, asked) = story.asks;
    let (name, question) = asked.split_once(": ").expect("a speaker");
    says(&world, &mut people, channel, &format!("{name}: <@UMYAO> {question}")).await;
    world.clock.advance(SignedDuration::from_secs(1));
    world.settle().await;
    world.chat.texts().join("\n")
}

async fn fault_of(story: &Story) -> Option<String> {
    let told = answer(story).await;
    let is_right = told.contains(story.says) && !story.never.iter().any(|words| told.contains(words));
    (!is_right).then(|| format!("{} (held out: {}): {told}", story.asks.1, story.held_out))
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

/// What a model is shown once all of this has happened and `name` asks `question` in C1.
async fn shown_to_model(talk: &[(&str, &str)], asked: &str) -> String {
    let model = Arc::new(ScriptedModel::answers(["hm"]));
    let world = World::new(&model).await;
    let mut people = Directory::default();
    for (channel, line) in talk {
        world.clock.advance(SignedDuration::from_hours(24));
        match *channel {
            "=" => world.hear(people.rename(line)).await,
            "-" => world.hear(vec![people.departs(line)]).await,
            channel => says(&world, &mut people, channel, line).await,
        }
    }
    world.clock.advance(SignedDuration::from_hours(1));
    let (name, question) = asked.split_once(": ").expect("a speaker");
    says(&world, &mut people, "C1", &format!("{name}: <@UMYAO> {question}")).await;
    world.clock.advance(SignedDuration::from_secs(1));
    world.settle().await;
    let asked = model.requests();
    let request = asked.first().expect("a request");
    let turns = request.turns.iter().filter_map(|turn| match turn {
        Turn::User(text) => Some(text.as_str()),
        Turn::Assistant { .. } | Turn::Tool { .. } => None,
    });
    turns.collect::<Vec<_>>().join("\n")
}

#[tokio::test]
async fn a_model_is_told_who_was_called_otherwise_where_that_matters() {
    let talk = [
        ("C2", "yamada: Good morning!"),
        ("C2", "ben: Yamada's drill is in locker 14."),
        ("=", "yamada=suzuki"),
    ];
    let note = "- suzukiの以前の名前：yamada";
    for question in ["cleo: Where is Suzuki's drill?", "cleo: Where is Yamada's drill?"] {
        let shown = shown_to_model(&talk, question).await;
        assert!(shown.contains(note) && shown.contains("locker 14"), "{question}: {shown}");
    }
    // Who speaks, and is called so in what is shown.
    let shown = shown_to_model(&talk, "suzuki: Where is the drill from locker 14?").await;
    assert!(shown.contains(note), "{shown}");
    // Nobody is named, or called so.
    let shown = shown_to_model(&talk, "cleo: Where is the crane?").await;
    assert!(!shown.contains("以前の名前"), "{shown}");
    // Somebody else is called so now.
    let taken = [&talk[..], &[("C2", "yamada: Hello, I am new.")]].concat();
    for question in ["cleo: Where is Yamada's bike?", "suzuki: Where is Yamada's bike?"] {
        let shown = shown_to_model(&taken, question).await;
        assert!(!shown.contains("以前の名前"), "{question}: {shown}");
    }
}

/// What stands beside a name is no name, and a name that is somebody else's now stands for nobody else.
#[tokio::test]
async fn what_is_said_of_something_else_is_no_answer() {
    for (talk, asks) in [
        (
            &[
                ("C1", "Noor (Sales): Good morning!"),
                ("C1", "ben: The Support budget is 8000 pounds."),
                ("=", "Noor (Sales)=Noor (Support)"),
            ][..],
            "cleo: How much is the Sales budget?",
        ),
        (
            &[
                ("C1", "山田花子_営業部: おはよう"),
                ("C1", "ben: 人事部の予算は80万円です"),
                ("=", "山田花子_営業部=山田花子_人事部"),
            ],
            "cleo: 営業部の予算はいくらですか？",
        ),
        (
            &[
                ("C1", "ann: Good morning!"),
                ("C1", "ben: Bella parks the van in Dover."),
                ("=", "ann=Bella"),
                ("C1", "ann: Hello, I am new here."),
                ("C1", "Bella: Welcome, Ann!"),
            ],
            "Bella: Where does Ann park the van?",
        ),
        (
            &[
                ("C1", "ann: Good morning!"),
                ("=", "ann=Bella"),
                ("C1", "ann: Hello, I am new here."),
                ("C1", "ben: Ann's van is in Dover."),
                ("C1", "Bella: Welcome, Ann!"),
            ],
            "Bella: Where is my van?",
        ),
    ] {
        let story = Story { held_out: false, talk, asks: ("C1", asks), says: "", never: &[] };
        let told = answer(&story).await;
        let never = ["8000", "80万", "Dover"];
        assert!(!never.iter().any(|words| told.contains(words)), "{asks}: {told}");
    }
}

#[tokio::test]
async fn a_model_is_told_who_of_those_who_spoke_has_left() {
    let talk = [("C1", "olga: I'll send the budget by Friday."), ("-", "olga")];
    let shown = shown_to_model(&talk, "cleo: Who sends the budget?").await;
    assert!(shown.contains("- olgaは退会済み"), "{shown}");
    let shown = shown_to_model(&talk[..1], "cleo: Who sends the budget?").await;
    assert!(!shown.contains("退会済み"), "{shown}");
}

#[tokio::test]
async fn what_is_open_of_who_left_says_so_and_is_found_by_a_former_name() {
    let world = World::new(&Arc::new(ScriptedModel::answers(["hm"]))).await;
    let mut people = Directory::default();
    says(&world, &mut people, "C1", "yamada: I'll send the budget by Friday.").await;
    world.hear(people.rename("yamada=suzuki")).await;
    let asks = async |people: &mut Directory, question: &str| {
        world.clock.advance(SignedDuration::from_mins(1));
        let before = world.chat.texts().len();
        says(&world, people, "C1", &format!("cleo: <@UMYAO> {question}")).await;
        world.settle().await;
        world.chat.texts().split_off(before).join("\n")
    };
    let told = asks(&mut people, "what did Yamada promise?").await;
    assert!(told.contains("suzuki、") && told.contains("budget"), "{told}");
    world.hear(vec![people.departs("suzuki")]).await;
    let told = asks(&mut people, "who still owes what?").await;
    assert!(told.contains("suzuki（退会済み）、") && told.contains("budget"), "{told}");
}
