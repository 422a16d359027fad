//! One of two workspaces that are alike but for one message.

use std::{collections::BTreeMap, fmt::Write as _, sync::Arc, time::Duration};

use jiff::{SignedDuration, Timestamp, tz::TimeZone};
use myao_companion::{
    ask::Models,
    companion::Companion,
    keeper::{Keeper, KeeperParts, RoundEvent, RoundPolicy, Start},
};
use myao_core::{
    chat::{Channel, ChannelId, ChannelKind, Event, Message, MessageTs, Place, Visibility},
    forget::ForgetScope,
    memory::MemorySettings,
    ports::Model,
    prompt::Fragments,
    recall::RecallFilter,
    text::Language,
    wording::{PromptTask, Templates},
};
use myao_model::Builtin;
use myao_store::{RecallRequest, RecalledText, RestartFrom};
use sqlx::{ConnectOptions as _, sqlite::SqliteConnectOptions};

use crate::reply_world::World;

/// Two open channels and a private one.
const CHANNELS: [&str; 3] = ["C1", "C2", "G1"];
/// What is spoken of: several messages are about the same, and a later one may replace an earlier.
const SUBJECTS: [&str; 6] = ["倉庫の鍵", "合宿", "the roof", "定例会議", "the invoice", "新しいプリンタ"];
/// How long a forgetting waits for whoever reads.
const PATIENCE: Duration = Duration::from_mins(2);

/// What happens: what, about what or where, and for how many minutes nothing else does.
pub(super) type Happening = (u8, usize, i64);

/// How the one message goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Going {
    Deleted,
    Forgotten,
}

/// One row of `chapters`: channel, version, from, to, why it was closed, threshold, idle seconds.
type Border = (String, i64, i64, i64, String, i64, i64);

/// What the twin is given of the first workspace.
#[derive(Default)]
pub(super) struct Record {
    /// The borders of all chapters, after each round.
    borders: Vec<Vec<Border>>,
    /// When each happening was over.
    ends: Vec<Timestamp>,
    /// What we said, as far as it stands at the end.
    pub(super) own: Vec<Message>,
}

pub(super) struct Twin {
    world: World,
    said: Vec<(&'static str, MessageTs)>,
    words: usize,
    rounds: usize,
    happened: usize,
}

/// A word that nobody else says, of letters, so that dictionaries hold it too.
fn word(n: usize) -> String {
    let letters = (0..26).map(|at| char::from(b'a' + at)).collect::<Vec<_>>();
    let first = letters[n / 26 % 26];
    let second = letters[n % 26];
    format!("Zk{first}{second}{second}qx")
}

/// What is said about a subject: things that memories keep, and things that they do not.
fn sentence(which: usize, n: usize) -> String {
    let subject = SUBJECTS[which % SUBJECTS.len()];
    let word = word(n);
    match which / SUBJECTS.len() % 7 {
        0 => format!("決定: {subject}は{word}にします"),
        1 => format!("{subject}の担当は{word}さんです"),
        2 => format!("We decided that {subject} goes to {word} on {} May", 1 + n % 28),
        3 => format!("{subject}は{}月{}日に変更になりました、{word}です", 1 + n % 12, 1 + n % 28),
        4 => format!("{subject}って{word}でしたっけ？"),
        5 => format!("{word} is what {subject} costs: {} euros", n * 7),
        _ => format!("なるほど、{word}ですね"),
    }
}

fn templates() -> Templates {
    Templates::new(Language::Ja, &BTreeMap::new()).expect("ours")
}

impl Twin {
    pub(super) async fn new() -> Self {
        let model: Arc<dyn Model> = Arc::new(Builtin);
        let world = World::with(Models::all(&model)).await;
        let private = Channel {
            id: ChannelId::new("G1"),
            name: "g1".to_owned(),
            kind: ChannelKind::Private,
            external: false,
        };
        world.hear(vec![Event::Channel(private)]).await;
        Self { world, said: Vec::new(), words: 0, rounds: 0, happened: 0 }
    }

    pub(super) fn said_so_far(&self) -> usize {
        self.said.len()
    }

    pub(super) fn choose(&self, which: usize) -> Option<(&'static str, MessageTs)> {
        self.said.get(which % self.said.len().max(1)).copied()
    }

    pub(super) fn choose_last(&self) -> Option<(&'static str, MessageTs)> {
        self.said.last().copied()
    }

    /// Lets one thing happen; `of_first` is what the twin is given.
    pub(super) async fn let_happen(
        &mut self,
        (what, which, minutes): Happening,
        of_first: Option<&Record>,
        record: &mut Record,
    ) {
        let channel = CHANNELS[which / 7 % CHANNELS.len()];
        let began = self.world.now();
        match what % 10 {
            0..=4 => self.say(channel, None, which, of_first).await,
            5 => {
                let root = self.said.iter().rev().find(|(at, _)| *at == channel).map(|(_, ts)| *ts);
                self.say(channel, root, which, of_first).await;
            }
            6 => {
                // Somebody repeats what was said: from now on that is their own word.
                let repeated = format!("「{}」だそうです", word(1 + which % self.words.max(1)));
                self.tell(channel, None, &repeated, of_first).await;
            }
            7 => {
                let question = format!("<@UMYAO> {}は？", SUBJECTS[which % SUBJECTS.len()]);
                self.tell(channel, None, &question, of_first).await;
                if of_first.is_none() {
                    self.world.settle().await;
                }
            }
            _ => self.round(of_first, record).await,
        }
        match of_first {
            None => {
                self.world.clock.advance(SignedDuration::from_mins(minutes) + SignedDuration::from_secs(1));
                record.ends.push(self.world.now());
            }
            Some(first) => {
                let end = first.ends[self.happened];
                let within = |message: &&Message| {
                    let at = message.ts.to_timestamp();
                    at >= began && at < end
                };
                let ours = first.own.iter().filter(within).cloned().map(Event::Message).collect();
                self.world.store.intake().apply(ours, self.world.now()).await.expect("applied");
                self.world.clock.set(end);
            }
        }
        self.happened += 1;
    }

    async fn say(
        &mut self,
        channel: &'static str,
        thread: Option<MessageTs>,
        which: usize,
        of_first: Option<&Record>,
    ) {
        self.words += 1;
        let text = sentence(which, self.words);
        self.tell(channel, thread, &text, of_first).await;
    }

    async fn tell(
        &mut self,
        channel: &'static str,
        thread: Option<MessageTs>,
        text: &str,
        of_first: Option<&Record>,
    ) {
        let message = Message { thread_ts: thread, ..self.world.message(channel, text) };
        let ts = message.ts;
        let told = vec![Event::Message(message)];
        if of_first.is_none() {
            self.world.hear(told).await;
        } else {
            self.world.store.intake().apply(told, self.world.now()).await.expect("applied");
        }
        self.world.clock.advance(SignedDuration::from_secs(1));
        self.said.push((channel, ts));
    }

    pub(super) async fn take_back(&self, (channel, ts): (&str, MessageTs), going: Going) {
        let store = &self.world.store;
        let now = self.world.now();
        let channel = ChannelId::new(channel);
        match going {
            Going::Deleted => {
                store.intake().apply(vec![Event::Deleted { channel, ts }], now).await.expect("applied");
            }
            Going::Forgotten => {
                let scope = ForgetScope::message(channel, ts);
                for mut work in store.forget().begin(&scope, "alice", now).await.expect("begun") {
                    while store.forget().do_next_piece(&mut work, now).await.expect("forgotten") {}
                }
                store.forget().clean_database(now, PATIENCE).await.expect("cleaned");
            }
        }
    }

    /// The talk has come to an end, and everything is built. The workspace's memory is folded once more from what the
    /// channels remember at the end: what it prefers depends on what stood there each time that it was updated.
    pub(super) async fn end(&mut self, of_first: Option<&Record>, record: &mut Record) {
        if of_first.is_none() {
            self.world.settle().await;
        }
        for is_last in [false, false, true] {
            self.world.clock.advance(SignedDuration::from_hours(30));
            if is_last {
                self.drop_workspace_memory().await;
            }
            self.round(of_first, record).await;
        }
        match of_first {
            None => record.ends.push(self.world.now()),
            Some(first) => self.world.clock.set(*first.ends.last().expect("it ended")),
        }
    }

    async fn drop_workspace_memory(&self) {
        for row in self.world.store.archive().channels(&Visibility::Owner).await.expect("read") {
            let nothing_else = RestartFrom::Chapter(u32::MAX);
            self.keeper().restart(&row.channel, nothing_else, "test").await.expect("works");
        }
    }

    async fn round(&mut self, of_first: Option<&Record>, record: &mut Record) {
        let store = &self.world.store;
        self.world.clock.advance(SignedDuration::from_secs(31));
        let until = MessageTs::from_timestamp(self.world.now());
        let heard = CHANNELS.map(|id| Event::HeardUntil { channel: ChannelId::new(id), until });
        store.intake().apply(heard.to_vec(), self.world.now()).await.expect("applied");
        if let Some(first) = of_first {
            self.take_borders(&first.borders[self.rounds]).await;
        }
        self.rounds += 1;
        let policy = RoundPolicy { start: Start::FirstArchived, retry_now: true, workspace_now: true };
        self.keeper().round(policy, &|_: RoundEvent| {}).await.expect("the database works");
        while !store.recall().index_some().await.expect("indexed").is_complete {}
        record.borders.push(self.rows(BORDERS).await);
    }

    fn keeper(&self) -> Keeper {
        Keeper::new(KeeperParts {
            store: self.world.store.clone(),
            asker: self.world.asker(),
            clock: Arc::new(self.world.clock.clone()),
            templates: Arc::new(templates()),
            settings: MemorySettings::default(),
            zone: TimeZone::UTC,
            input_tokens: 8_000,
            thread_memory_days: 7,
        })
    }

    /// Gives this twin the borders of the first one.
    async fn take_borders(&self, borders: &[Border]) {
        for (channel, version, from, to, closed_by, threshold, idle) in borders {
            let row = format!(
                "INSERT INTO chapters (channel_id, version, from_ts, to_ts, closed_by, message_threshold,
                     conversation_idle_seconds)
                 VALUES ('{channel}', {version}, {from}, {to}, '{closed_by}', {threshold}, {idle})
                 ON CONFLICT (channel_id, version) DO UPDATE SET to_ts = excluded.to_ts, closed_by = excluded.closed_by"
            );
            self.world.damage(&row).await;
            let begins = format!(
                "UPDATE channels SET look_at = 0, memory_from = coalesce(memory_from, {from}) WHERE id = '{channel}'"
            );
            self.world.damage(&begins).await;
        }
    }

    async fn rows<Row>(&self, sql: &'static str) -> Vec<Row>
    where
        Row: for<'r> sqlx::FromRow<'r, sqlx::sqlite::SqliteRow> + Send + Unpin,
    {
        let options = SqliteConnectOptions::new().filename(self.world.path()).read_only(true);
        let mut connection = options.connect().await.expect("opened");
        sqlx::query_as(sql).fetch_all(&mut connection).await.expect("read")
    }

    pub(super) async fn own(&self) -> Vec<Message> {
        let mut all = Vec::new();
        for channel in CHANNELS {
            all.extend(self.world.own(channel).await);
        }
        all
    }

    /// Everything that is shown, by what it is.
    pub(super) async fn shown(&self) -> BTreeMap<String, String> {
        let mut all = BTreeMap::new();
        let memories: Vec<(String, String, String, i64, String)> = self.rows(MEMORIES).await;
        for (scope, id, memory_type, version, content) in memories {
            all.insert(format!("memory of {scope} {id}, {memory_type} {version}"), content);
        }
        let faults = self.world.store.verify().await.expect("read").faults;
        all.insert("verify".to_owned(), format!("{faults:?}"));
        for channel in CHANNELS {
            for asked in
                SUBJECTS.iter().map(|subject| (*subject).to_owned()).chain((1..=self.words).map(word))
            {
                all.insert(format!("found in {channel} for {asked}"), self.found(channel, &asked).await);
                // Its beginning, and with two letters exchanged.
                let letters: Vec<char> = asked.chars().collect();
                let mut slip = letters.clone();
                if letters.len() > 2 {
                    slip.swap(1, 2);
                }
                for typed in [&letters[..letters.len() - 1], &slip] {
                    let typed: String = typed.iter().collect();
                    all.insert(format!("typed in {channel}: {typed}"), self.found(channel, &typed).await);
                }
            }
            for question in ["", SUBJECTS[0], SUBJECTS[2]] {
                all.insert(
                    format!("prompt of {channel}, {question:?}"),
                    self.prompt(channel, question).await,
                );
            }
        }
        all
    }

    async fn found(&self, channel: &str, words: &str) -> String {
        let store = &self.world.store;
        let seen = store.hearing().seen_from(&ChannelId::new(channel)).await.expect("known");
        let request = RecallRequest {
            words: words.to_owned(),
            filter: RecallFilter::default(),
            most: 20,
            with_memories: true,
            now: MessageTs::from_timestamp(self.world.now()),
            meaning: None,
            named_in: Some(TimeZone::UTC),
        };
        let mut all = String::new();
        let typed = store.recall().search_typed_words(&seen, &request).await.expect("asked");
        writeln!(all, "{:?}", typed.instead).expect("written");
        for found in typed.found {
            let text = match &found.text {
                RecalledText::Message(message) => message.text.clone(),
                RecalledText::Line(line) => format!("(memory) {}", line.text),
            };
            writeln!(all, "{:.6} {:?} {text}", found.score, found.terms).expect("written");
        }
        all
    }

    async fn prompt(&self, channel: &str, question: &str) -> String {
        let templates = templates();
        let world = &self.world;
        let store = &world.store;
        let clock = &world.clock;
        let config = &world.config;
        let companion = Companion { store, clock, templates: &templates, config, asker: None };
        let place = Place { channel: ChannelId::new(channel), thread: None };
        let gathered = if question.is_empty() {
            companion.gather(place, 8_000, None).await
        } else {
            let message = world.message(channel, &format!("<@UMYAO> {question}は？"));
            companion.gather_as_if_said(place, 8_000, message).await
        };
        let composed = gathered.expect("gathered").compose(PromptTask::REPLY, Fragments::default(), 8_000);
        let prompt = composed.expect("composed").prompt;
        format!("{}\n{}", prompt.system, prompt.user)
    }
}

const BORDERS: &str = "SELECT channel_id, version, from_ts, to_ts, closed_by, message_threshold,
        conversation_idle_seconds FROM chapters ORDER BY channel_id, version";
const MEMORIES: &str = "SELECT scope, scope_id, memory_type, version, content FROM memories
     ORDER BY scope, scope_id, memory_type, version";
