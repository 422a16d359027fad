//! Memory as a library: give it messages, get memories, hits and prompts, without Slack, a key or a network.
//!
//! `cargo run -p myao-companion --example embed`
//!
//! The parts, in the order of use:
//! 1. [`Store`]: one database, SQLite here. Everything that is told enters it as [`Event`]s, in any order and any number
//!    of times.
//! 2. [`Keeper`]: looks at what is stored and writes what is due: chapters, long-term memories, the workspace's memory.
//! 3. Reading: memories by `store.memory()`, a search by `store.recall()`, each through a [`Visibility`], which says on
//!    whose behalf it is asked.
//! 4. [`Companion`]: the prompt of a reply in a place, of a given size, out of everything that may be seen there.
//! 5. [`Conversations`]: what a program of your own says and hears, as conversations that it and the owner see.

#![expect(clippy::print_stdout, reason = "an example talks to whoever runs it")]

use std::{collections::BTreeMap, error::Error, sync::Arc};

use jiff::SignedDuration;
use myao_companion::{
    ask::{Asker, AskerParts, Models},
    companion::Companion,
    conversations::{ConversationTurn, Conversations, TurnState},
    keeper::{Keeper, KeeperParts, RoundPolicy, Start},
};
use myao_config::Config;
use myao_core::{
    chat::{
        AgentId, AgentSees, AgentToken, Channel, ChannelId, ChannelKind, Event, Message, MessageKind,
        MessageTs, Place, User, UserId, Visibility,
    },
    context::Persona,
    ports::{Clock as _, Model},
    prompt::Fragments,
    recall::RecallFilter,
    text::Language,
    wording::{PromptTask, Templates},
};
use myao_model::Builtin;
use myao_store::{MemoryKey, RecallRequest, RecalledText, Store, Target};
use myao_testkit::HandClock;

/// The most tokens of the prompt.
const PROMPT_TOKENS: usize = 2_000;
/// The talk: who said it, so many hours ago, and the words.
const TALK: [(&str, i64, &str); 6] = [
    ("U1", 75, "Decided: the new bat boxes go up on Thursday 19 March"),
    ("U2", 75, "Good. I bring the ladder, Tomasz brings the screws"),
    ("U2", 50, "Rain tomorrow: the boxes go up on Wednesday 18 March instead"),
    ("U1", 50, "Then I ask the school whether their children may watch"),
    ("U1", 6, "All twelve boxes are up, and the school wants two more"),
    ("U2", 6, "I order two more today"),
];

/// What everything below works with.
struct Memory {
    store: Store,
    config: Config,
    templates: Arc<Templates>,
    /// Stands still, so that each run tells the same. A program implements `Clock` by the machine's time.
    clock: HandClock,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let mut config = Config::default();
    config.locale.language = Language::En;
    config.persona = Persona {
        name: "Pip".to_owned(),
        system_prompt: "You count bats with these people, and you are brief.".to_owned(),
    };
    let memory = Memory {
        store: Store::open(&Target::Sqlite(folder.path().join("memory.db"))).await?,
        templates: Arc::new(Templates::new(config.locale.language, &BTreeMap::new())?),
        config,
        clock: HandClock::at("2026-03-20T12:00:00Z".parse()?),
    };
    let channel = ChannelId::new("C1");
    memory.tell(&channel).await?;
    memory.build().await?;
    memory.show_memories(&channel).await?;
    memory.search(&Visibility::Open, "when did the boxes go up").await?;
    memory.show_prompt(&channel, "how many boxes are missing?").await?;
    memory.keep_a_conversation().await
}

impl Memory {
    /// Tells of a channel, its people and what they said.
    async fn tell(&self, channel: &ChannelId) -> Result<(), Box<dyn Error>> {
        let now = self.clock.now();
        let mut events = vec![
            Event::Channel(Channel {
                id: channel.clone(),
                name: "bats".to_owned(),
                // Open: whoever sees open channels sees this one.
                kind: ChannelKind::Public,
                // Whether people from outside are in it.
                external: false,
            }),
            person("U1", "Tomasz"),
            person("U2", "Noor"),
        ];
        for (nth, (user, hours, text)) in TALK.iter().enumerate() {
            let at = MessageTs::from_timestamp(now - SignedDuration::from_hours(*hours));
            // A time stamp is what names a message within its channel, so no two have the same.
            events.push(Event::Message(said(channel, user, at.plus_seconds(i64::try_from(nth)?), text)));
        }
        // Up to here nothing is missing. What is later is not looked at, since more of it may be on its way.
        events.push(Event::HeardUntil { channel: channel.clone(), until: MessageTs::from_timestamp(now) });
        self.store.intake().apply(events, now).await?;
        Ok(())
    }

    /// Writes the memories that are due, and makes what is new searchable. Call it after something was told, or now and
    /// then: where nothing is new, no model is asked.
    async fn build(&self) -> Result<(), Box<dyn Error>> {
        // Any `Model` will do. This one quotes, and needs no network.
        let model: Arc<dyn Model> = Arc::new(Builtin);
        let asker = Asker::new(AskerParts {
            store: self.store.clone(),
            clock: Arc::new(self.clock.clone()),
            models: Models::all(&model),
            zone: self.config.locale.timezone.clone(),
            daily_tokens: None,
            is_patient: false,
            recording: None,
        });
        let keeper = Keeper::new(KeeperParts {
            store: self.store.clone(),
            asker,
            clock: Arc::new(self.clock.clone()),
            templates: Arc::clone(&self.templates),
            settings: self.config.memory.clone(),
            zone: self.config.locale.timezone.clone(),
            input_tokens: usize::try_from(self.config.prompt.max_tokens)?,
            thread_memory_days: self.config.response.thread_memory_days,
        });
        let policy = RoundPolicy { start: Start::FirstArchived, retry_now: true, workspace_now: true };
        keeper.round(policy, &|_| {}).await?;
        while !self.store.recall().index_some().await?.is_complete {}
        Ok(())
    }

    /// Prints the chapters of a channel, oldest first, and its long-term memory.
    async fn show_memories(&self, channel: &ChannelId) -> Result<(), Box<dyn Error>> {
        let seen = self.store.hearing().seen_from(channel).await?;
        // Memories refer to people and channels by id. They are shown under the names that these have now.
        let names = self.store.archive().names(&seen).await?.in_language(self.config.locale.language);
        for log in self.store.memory().version_log(&seen, channel).await? {
            println!("--- chapter {}\n{}", log.memory.version(), names.show(log.memory.content()));
        }
        let key = MemoryKey::long_term(channel);
        let head = self.store.memory().head(&seen, key.scope, &key.scope_id, key.memory_type).await?;
        let text = head.map_or_else(|| "nothing yet".to_owned(), |head| names.show(head.memory.content()));
        println!("--- long-term memory\n{text}");
        Ok(())
    }

    /// Prints the three messages that fit best.
    async fn search(&self, seen: &Visibility, words: &str) -> Result<(), Box<dyn Error>> {
        let request = RecallRequest {
            words: words.to_owned(),
            filter: RecallFilter::default(),
            most: 3,
            with_memories: false,
            now: MessageTs::from_timestamp(self.clock.now()),
            meaning: None,
            named_in: None,
        };
        let found = self.store.recall().search(seen, &request).await?;
        println!("--- found for {words:?}: {}", found.len());
        for hit in &found {
            if let RecalledText::Message(message) = &hit.text {
                println!("{} {}: {}", message.ts.to_timestamp(), message.user, message.text);
            }
        }
        Ok(())
    }

    /// Prints the prompt by which a model is asked for a reply to a question that somebody has now.
    async fn show_prompt(&self, channel: &ChannelId, question: &str) -> Result<(), Box<dyn Error>> {
        let companion = Companion {
            store: &self.store,
            clock: &self.clock,
            templates: &self.templates,
            config: &self.config,
            asker: None,
        };
        let place = Place { channel: channel.clone(), thread: None };
        let asked = said(channel, "U1", MessageTs::from_timestamp(self.clock.now()), question);
        let snapshot = companion.gather_as_if_said(place, PROMPT_TOKENS, asked).await?;
        let task = PromptTask::Reply { unasked: None, tools: false, reactions: false };
        let prompt = snapshot.compose(task, Fragments::default(), PROMPT_TOKENS)?.prompt;
        println!("--- prompt of {} tokens, its part for the system\n{}", prompt.tokens, prompt.system);
        println!("--- its part for the user\n{}", prompt.user);
        Ok(())
    }

    /// Stores a conversation of a program, and looks for it as that program and as everybody else.
    async fn keep_a_conversation(&self) -> Result<(), Box<dyn Error>> {
        // Draw the bytes at random, once for each program, and keep the id.
        let agent = AgentId::draw([7; 10]);
        let token = AgentToken { agent, name: "helper".to_owned(), sees: AgentSees::Open, may_write: true };
        let conversations = Conversations { store: &self.store, clock: &self.clock, agent: &token };
        let turns = [
            turn(Some("Ines"), "Please remember that I am allergic to walnuts"),
            turn(None, "I will remember it"),
        ];
        for time in ["first", "second"] {
            let stored = conversations.remember("kitchen", &turns).await?;
            let new = stored.iter().filter(|turn| turn.state == TurnState::New).count();
            println!("--- told for the {time} time: {new} of {} turns are new", stored.len());
        }
        // Once it has paused, it gets a chapter.
        self.clock.advance(SignedDuration::from_hours(3));
        self.build().await?;
        self.show_memories(&conversations.channel("kitchen")?).await?;
        let seen = self.store.hearing().seen_by_agent(&token).await?;
        self.search(&seen, "walnuts").await?;
        self.search(&Visibility::Open, "walnuts").await
    }
}

fn person(id: &str, name: &str) -> Event {
    Event::User(User { id: UserId::new(id), name: name.to_owned(), is_bot: false })
}

fn said(channel: &ChannelId, user: &str, ts: MessageTs, text: &str) -> Message {
    Message {
        channel: channel.clone(),
        ts,
        thread_ts: None,
        user: UserId::new(user),
        kind: MessageKind::Talk,
        text: text.to_owned(),
        files: Vec::new(),
        edited_at: None,
        deleted: false,
    }
}

/// Something that is said now; without a speaker, by the program itself.
fn turn(speaker: Option<&str>, text: &str) -> ConversationTurn {
    ConversationTurn { speaker: speaker.map(str::to_owned), text: text.to_owned(), said_at: None }
}
