//! Who asks for what is open is told, whichever model answers; unasked nothing is said of what was settled meanwhile
//! (ADR 138).

use std::sync::Arc;

use jiff::SignedDuration;
use myao_companion::ask::Models;
use myao_core::{
    chat::{Channel, ChannelId, ChannelKind, Event, Message, MessageTs, UserId},
    ports::{Model, PostError},
    text::Language,
};
use myao_model::Builtin;
use myao_testkit::ScriptedModel;

use super::{World, platform::Fate, saying, top};

const PROMISE: &str = "I'll send the budget by Wednesday.";
const SETTLED: &str = "what was open was settled meanwhile";

/// A model that no question for what is open reaches.
fn never_asked() -> Arc<ScriptedModel> {
    saying("a model was asked")
}

impl World {
    async fn says(&self, who: &str, channel: &str, text: &str) -> MessageTs {
        self.told(Message { user: UserId::new(who), ..self.message(channel, text) }).await
    }

    /// What is said to a question: the platform of the tests posts each line by itself.
    async fn asks(&self, channel: &str, question: &str) -> String {
        let before = self.chat.texts().len();
        self.mention(channel, question).await;
        self.settle().await;
        self.chat.texts().split_off(before).join("\n")
    }
}

async fn workspace(model: &Arc<ScriptedModel>) -> World {
    let mut world = World::new(model).await;
    world.language = Language::En;
    world.store.archive().note_team_url("https://town.slack.com/").await.expect("noted");
    world
}

#[tokio::test]
async fn whoever_asks_is_told_with_links_and_no_model_is_asked() {
    let world = workspace(&never_asked()).await;
    let said = world.says("U2", "C1", PROMISE).await;
    world.says("U2", "C1", "<@U1> where did we put the ladder of the depot?").await;
    let told = world.asks("C2", "who still owes what?").await;
    assert!(told.contains("鈴木さん, by 2026-03-04: I'll send the budget by Wednesday."), "{told}");
    assert!(told.contains("where did we put the ladder"), "{told}");
    let link = format!("https://town.slack.com/archives/C1/p{}", said.to_string().replace('.', ""));
    assert!(told.contains(&link), "{told}");
    let own = world.asks("C2", "what did I promise?").await;
    assert_eq!(own, "I see nothing open of 佐藤さん here.");
    assert_eq!(world.settled_calls().await, Vec::new(), "no model was asked");
    world.says("U2", "C1", "Sent the budget!").await;
    let told = world.asks("C2", "who still owes what?").await;
    assert!(!told.contains("budget"), "{told}");
}

#[tokio::test]
async fn it_is_asked_and_told_in_japanese() {
    let builtin: Arc<dyn Model> = Arc::new(Builtin);
    let world = World::with(Models::all(&builtin)).await;
    world.says("U2", "C1", "予算案は水曜までに送ります。").await;
    let told = world.asks("C1", "まだ返事待ちのものは？").await;
    assert!(told.contains("鈴木さん、2026-03-04まで: 予算案は水曜までに送ります。"), "{told}");
    let own = world.asks("C1", "私が約束したのは？").await;
    assert!(own.contains("佐藤さんのものは残っていません"), "{own}");
}

/// What somebody promised in a private place is told there alone.
#[tokio::test]
async fn other_private_places_stay_private() {
    let world = workspace(&never_asked()).await;
    let private = Channel {
        id: ChannelId::new("C2"),
        name: "c2".to_owned(),
        kind: ChannelKind::Private,
        external: false,
    };
    world.hear(vec![Event::Channel(private)]).await;
    world.says("U2", "C2", PROMISE).await;
    world.says("U2", "C1", "I'll order the chairs tomorrow.").await;
    let told = world.asks("C1", "who still owes what?").await;
    assert!(told.contains("chairs") && !told.contains("budget"), "{told}");
    let told = world.asks("C2", "who still owes what?").await;
    assert!(told.contains("chairs") && told.contains("budget"), "{told}");
}

#[tokio::test]
async fn deleted_and_edited_messages_owe_nothing() {
    let world = workspace(&never_asked()).await;
    let deleted = world.says("U2", "C1", PROMISE).await;
    let edited = world.says("U2", "C1", "I'll order the chairs tomorrow.").await;
    let told = world.asks("C1", "who still owes what?").await;
    assert!(told.contains("chairs") && told.contains("budget"), "{told}");
    let channel = ChannelId::new("C1");
    let now = MessageTs::from_timestamp(world.now());
    let other = Message {
        ts: edited,
        user: UserId::new("U2"),
        edited_at: Some(now),
        ..world.message("C1", "The chairs are green.")
    };
    world.hear(vec![Event::Deleted { channel, ts: deleted }, Event::Message(other)]).await;
    world.settle().await;
    let told = world.asks("C1", "who still owes what?").await;
    assert!(told.starts_with("I see nothing open here"), "{told}");
}

/// It was decided to speak up; before the words are made, what was open is settled elsewhere.
#[tokio::test]
async fn nothing_is_said_of_what_was_settled_after_the_verdict() {
    let mut world = workspace(&never_asked()).await;
    world.config.response.open_loops = true;
    let about = world.says("U2", "C1", PROMISE).await;
    world.speak_up(&top("C1"), about).await;
    world.says("U2", "C2", "The budget is sent.").await;
    world.settle().await;
    assert_eq!(world.chat.texts(), Vec::<String>::new());
    assert_eq!(world.states().await, [("skipped".to_owned(), SETTLED.to_owned())]);
}

/// The words were made, and wait to be posted; meanwhile what was open is settled elsewhere.
#[tokio::test]
async fn nothing_is_posted_of_what_was_settled_before_the_post() {
    let mut world = workspace(&saying("Is the budget on its way?")).await;
    world.config.response.open_loops = true;
    let about = world.says("U2", "C1", PROMISE).await;
    world.speak_up(&top("C1"), about).await;
    world.chat.will(Fate::Before(PostError::Limited(30)));
    world.settle().await;
    world.says("U2", "C2", "The budget is sent.").await;
    world.settle_later().await;
    assert_eq!(world.chat.texts(), Vec::<String>::new());
    assert_eq!(world.states().await, [("skipped".to_owned(), SETTLED.to_owned())]);
}

/// What is still open is said, and without the key nothing is held back.
#[tokio::test]
async fn what_is_still_open_may_be_said() {
    for is_on in [true, false] {
        let mut world = workspace(&saying("Is the budget on its way?")).await;
        world.config.response.open_loops = is_on;
        let about = world.says("U2", "C1", PROMISE).await;
        world.speak_up(&top("C1"), about).await;
        world.says("U1", "C2", if is_on { "The lamp works." } else { "The budget is sent." }).await;
        world.settle().await;
        assert_eq!(world.chat.texts(), ["Is the budget on its way?"], "{is_on}");
    }
}

/// With the key, a prompt tells what those who speak owe, however long ago they said it.
#[tokio::test]
async fn a_prompt_tells_what_who_speaks_owes_if_that_is_wanted() {
    for (is_on, expected) in [(true, "yes"), (false, "no")] {
        let model = Arc::new(ScriptedModel::answering(|request| {
            let is_told = format!("{:?}", request.turns).contains("(open) 佐藤さん, by 2026-03-06");
            if is_told { "yes" } else { "no" }
        }));
        let mut world = workspace(&model).await;
        world.config.response.open_loops = is_on;
        world.says("U1", "C2", "I'll send the budget by Friday.").await;
        world.clock.advance(SignedDuration::from_mins(5));
        assert_eq!(world.asks("C1", "how is the weather?").await, expected);
    }
}
