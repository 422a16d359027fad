//! What is said where a place does not see it changes nothing there: it hides nothing and is not counted (ADR 87).

use std::sync::Arc;

use jiff::Timestamp;
use myao::app::App;
use myao_companion::keeper::{RoundPolicy, Start};
use myao_config::{Config, Database};
use myao_core::{
    chat::{
        Channel, ChannelId, ChannelKind, Event, Message, MessageKind, MessageTs, Place, User, UserId,
        Visibility,
    },
    prompt::Fragments,
    recall::RecallFilter,
    wording::PromptTask,
};
use myao_store::RecallRequest;
use myao_testkit::HandClock;

use crate::binary::Home;

const CONFIG: &str = "memory: {database_path: ./memory.db}\n";
const BEGINS: i64 = 1_772_442_000;

fn channel(id: &str, name: &str, kind: ChannelKind, external: bool) -> Event {
    Event::Channel(Channel { id: ChannelId::new(id), name: name.to_owned(), kind, external })
}

fn message(channel: &str, second: i64, user: &str, text: String) -> Message {
    let ts =
        Timestamp::from_microsecond((BEGINS + second) * 1_000_000 + second % 977 * 1000).expect("a time");
    Message {
        channel: ChannelId::new(channel),
        ts: MessageTs::from_timestamp(ts),
        thread_ts: None,
        user: UserId::new(user),
        kind: MessageKind::Talk,
        text,
        files: Vec::new(),
        edited_at: None,
        deleted: false,
    }
}

async fn open(home: &Home) -> App {
    let mut config = Config::load(Some(&home.path("config.yaml"))).expect("a configuration").config;
    config.database = Database::Sqlite(home.path("memory.db"));
    let clock = HandClock::at(Timestamp::from_second(BEGINS + 90 * 86_400).expect("a time"));
    App::open_at(config, Arc::new(clock)).await.expect("a database")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_word_is_found_however_often_hidden_places_say_it() {
    let home = Home::with_config(CONFIG);
    let app = open(&home).await;
    let mut events = vec![
        channel("C1", "open-a", ChannelKind::Public, false),
        channel("C2", "open-b", ChannelKind::Public, false),
        channel("G1", "closed", ChannelKind::Private, false),
    ];
    let said = ["the budget for chairs is small", "we doubled the budget", "who signs the budget?"];
    events.extend((1..).zip(said).map(|(n, text)| Event::Message(message("C1", n, "U1", text.to_owned()))));
    let hidden = |n: i64| Event::Message(message("G1", 10 + n, "U2", format!("a budget, number {n}")));
    events.extend((0..4500).map(hidden));
    app.store.intake().apply(events, Timestamp::from_second(BEGINS).expect("a time")).await.expect("applied");
    app.close().await;
    tokio::task::block_in_place(|| {
        let found = home.json(&["recall", "--place", "#open-b", "budget"]);
        assert_eq!(found["hits"].as_array().expect("a list").len(), 3, "{found}");
        let prompt = home.done(&["prompt", "#open-b", "--ask", "what about the budget?"]).out;
        for text in said {
            assert!(prompt.contains(text), "{text}:\n{prompt}");
        }
        assert!(!prompt.contains("number"), "{prompt}");
    });
}

/// Numbers that look random, the same in each run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % most
    }

    fn words(&mut self, most: usize) -> String {
        let count = 1 + self.below(most);
        let words: Vec<&str> =
            (0..count).map(|_| WORDS[self.below(WORDS.len()).min(self.below(WORDS.len()))]).collect();
        words.join(" ")
    }

    /// A word with one letter too many, one too few, two exchanged, or its beginning.
    fn slip(&mut self) -> String {
        let mut letters: Vec<char> = WORDS[self.below(WORDS.len())].chars().collect();
        let at = self.below(letters.len());
        let last = letters.len() - 1;
        match self.below(4) {
            0 => letters.insert(at, 'e'),
            1 => drop(letters.remove(at)),
            2 => letters.truncate(3),
            _ => letters.swap(at, last - at),
        }
        letters.into_iter().collect()
    }
}

/// The first ones are said most.
const WORDS: [&str; 24] = [
    "meeting",
    "budget",
    "deploy",
    "会議",
    "予算",
    "lantern",
    "倉庫",
    "release",
    "orchard",
    "鍵",
    "server",
    "ferry",
    "請求書",
    "cupboard",
    "walnut",
    "暗号",
    "printer",
    "harbour",
    "決算",
    "violin",
    "granite",
    "温泉",
    "compass",
    "marmalade",
];
const PEOPLE: [(&str, &str); 4] = [("U1", "Aki"), ("U2", "Ben"), ("U3", "花子"), ("U4", "Noor")];

/// A workspace with three open channels; if `hidden` is given, people say other things in a private channel and in one
/// that is shared with others as well, before, between and after.
async fn workspace(seed: u64, hidden: Option<u64>) -> (Home, App) {
    let home = Home::with_config(CONFIG);
    let app = open(&home).await;
    let mut events: Vec<Event> = PEOPLE
        .map(|(id, name)| Event::User(User { id: UserId::new(id), name: name.to_owned(), is_bot: false }))
        .to_vec();
    let mut closed = hidden.map(Dice);
    if closed.is_some() {
        events.push(channel("B1", "board", ChannelKind::Private, false));
        events.push(channel("B2", "guests", ChannelKind::Public, true));
    }
    events
        .extend(["C1", "C2", "C3"].map(|id| channel(id, &format!("open-{id}"), ChannelKind::Public, false)));
    let mut open = Dice(seed);
    for second in 0..240 {
        if let Some(dice) = &mut closed {
            for n in 0..dice.below(9) {
                let id = ["B1", "B2"][dice.below(2)];
                let user = PEOPLE[dice.below(4)].0;
                // Also words that are near those of the open channels, which people there may mistype.
                let words = format!("{} {}", dice.words(6), dice.slip());
                let at = second * 60 + i64::try_from(n).expect("few");
                events.push(Event::Message(message(id, at, user, words)));
            }
        }
        let id = ["C1", "C2", "C3"][open.below(3)];
        let user = PEOPLE[open.below(4)].0;
        events.push(Event::Message(message(id, second * 60 + 30, user, open.words(6))));
    }
    app.store.intake().apply(events, app.clock.now()).await.expect("applied");
    let policy = RoundPolicy { start: Start::FirstArchived, retry_now: true, workspace_now: false };
    app.keeper().expect("a keeper").round(policy, &|_| {}).await.expect("remembered");
    while !app.store.recall().index_some().await.expect("indexed").is_complete {}
    (home, app)
}

async fn prompt(app: &App, place: &str, asked: Message) -> String {
    let place = Place { channel: ChannelId::new(place), thread: None };
    let place = app.companion().gather_as_if_said(place, 3000, asked).await.expect("gathered");
    let prompt = place.compose(PromptTask::REPLY, Fragments::default(), 3000).expect("composed").prompt;
    format!("{}\n{}", prompt.system, prompt.user)
}

/// Which words are shown for one that was typed, and what is found.
async fn typed(app: &App, place: &str, words: String) -> String {
    let seen = Visibility::Place { channel: ChannelId::new(place), open_channels: true };
    let request = RecallRequest {
        words,
        filter: RecallFilter::default(),
        most: 10,
        with_memories: true,
        now: MessageTs::from_timestamp(app.clock.now()),
        meaning: None,
        named_in: None,
    };
    let typed = app.store.recall().search_typed_words(&seen, &request).await.expect("asked");
    let found = typed.found.iter().map(|found| format!("{:.6} {}", found.score, found.text.words()));
    format!("{:?}\n{}", typed.instead, found.collect::<Vec<_>>().join("\n"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn prompts_are_equal_whatever_is_said_where_it_is_not_seen() {
    let mut prompts = 0;
    let mut told = 0;
    let mut different = Vec::new();
    for seed in 1..=8 {
        let one = workspace(seed, None).await;
        let twin = workspace(seed, Some(seed + 100)).await;
        let mut dice = Dice(seed + 200);
        for nth in 0..30 {
            let words = dice.words(4);
            let asked = match dice.below(3) {
                0 => format!("What did {} say about {words}?", PEOPLE[dice.below(4)].1),
                1 => format!("{words}はどうなりましたか？"),
                _ => words,
            };
            let id = ["C1", "C2", "C3"][dice.below(3)];
            let question = message(id, 80_000 + nth, "U1", asked.clone());
            let here = prompt(&one.1, id, question.clone()).await;
            let there = prompt(&twin.1, id, question).await;
            prompts += 1;
            if here != there {
                let line = here.lines().zip(there.lines()).find(|(a, b)| a != b);
                different.push(format!("{seed}: {asked}: {line:?}"));
            }
        }
        for _ in 0..30 {
            let words = dice.slip();
            let here = typed(&one.1, "C1", words.clone()).await;
            let there = typed(&twin.1, "C1", words.clone()).await;
            told += usize::from(!here.starts_with("[]"));
            if here != there {
                different.push(format!("{seed}: typed {words}: {here}, but {there}"));
            }
        }
        one.1.close().await;
        twin.1.close().await;
    }
    assert_eq!(prompts, 240);
    assert!(told > 60, "{told} of 240 slips were taken for a word");
    assert!(different.is_empty(), "{} of {prompts}: {}", different.len(), different.join("\n"));
}
