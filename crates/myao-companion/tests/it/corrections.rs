//! What people put right stays right: through rebuilds, a fold from the beginning and what is said later, on both
//! databases (specification §2.2).

pub(crate) mod stories;

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use myao_companion::by_hand::HandWriter;
use myao_core::{
    chat::{Channel, ChannelId, ChannelKind, Event, Message, User, UserId, Visibility},
    memory::{HistorySettings, MemorySettings, MemoryType, parts_of_text, text_with_statement},
    ports::{Material, Model},
};
use myao_model::Builtin;
use myao_store::{ByHand, JournalEntry, MemoryKey, RestartFrom, Target};
use myao_testkit::ScriptedModel;

use self::stories::{ENGLISH, JAPANESE, Story};
use crate::scenario::{BUILD, Scenario, hours, minutes};

/// Talk about other things, so that there are chapters before and after.
const BEFORE: [&str; 2] = ["The printer on the third floor needs toner.", "コピー用紙を注文しました。"];
const AFTER: [&str; 2] = ["The lamp in the hall was repaired.", "廊下の電球を交換しました。"];

/// A story that is told, remembered and folded.
struct Told {
    scenario: Scenario,
    story: &'static Story,
}

impl Told {
    async fn new(scenario: Scenario, story: &'static Story) -> Self {
        scenario.channel("C1").await;
        let told = Self { scenario, story };
        told.chapter(&BEFORE.map(|line| format!("ann: {line}"))).await;
        told.chapter(&story.talk.map(str::to_owned)).await;
        told.chapter(&AFTER.map(|line| format!("ann: {line}"))).await;
        told
    }

    async fn chapter(&self, lines: &[String]) {
        for line in lines {
            let (name, text) = line.split_once(": ").expect("a speaker");
            let user = UserId::new(format!("U-{name}"));
            let known = User { id: user.clone(), name: name.to_owned(), is_bot: false };
            let message = Message { user, ..self.scenario.message("C1", text) };
            self.scenario.apply(vec![Event::User(known), Event::Message(message)]).await;
            self.scenario.pass(minutes(1));
        }
        self.scenario.pass(hours(5));
        self.scenario.round(BUILD).await;
    }

    /// The texts of the channel that stand: chapters and long-term memory.
    async fn texts_of_channel(&self) -> Vec<String> {
        let mut texts: Vec<String> =
            self.scenario.versions("C1").await.iter().map(|version| version.content().to_owned()).collect();
        texts.extend(self.scenario.long_term("C1").await.map(|memory| memory.content().to_owned()));
        texts
    }

    /// The same with the workspace's memory.
    async fn texts(&self) -> Vec<String> {
        let workspace = self.scenario.workspace().await.map(|memory| memory.content().to_owned());
        self.texts_of_channel().await.into_iter().chain(workspace).collect()
    }

    /// The chapter's text in which the wrong words stand.
    async fn wrong_entry(&self) -> JournalEntry {
        let memory = self.scenario.store.memory();
        for version in self.scenario.versions("C1").await {
            let key = MemoryKey {
                memory_type: MemoryType::ShortTerm,
                version: version.version(),
                ..MemoryKey::long_term(&ChannelId::new("C1"))
            };
            let entries = memory.journal_of_memory(&Visibility::Owner, &key).await.expect("read");
            let current = entries.into_iter().find(|entry| entry.is_current).expect("a text");
            if current.content.as_deref().unwrap_or_default().contains(self.story.wrong) {
                return current;
            }
        }
        panic!("{} is in no chapter: {:?}", self.story.wrong, self.texts().await);
    }

    /// Hana puts it right, as the Home tab and an agent's `memory_correct` do.
    async fn put_right(&self) {
        let entry = self.wrong_entry().await;
        let before = entry.content.as_deref().unwrap_or_default();
        let parts = parts_of_text(before);
        let part = parts.iter().find(|part| part.text.contains(self.story.wrong)).expect("a statement");
        let after = text_with_statement(before, part.nth, self.story.right).expect("there").text;
        let hand =
            HandWriter { store: &self.scenario.store, clock: &self.scenario.clock, target_tokens: 2000 };
        let by =
            ByHand { actor: "hana".to_owned(), user: Some(UserId::new("U-hana")), reason: String::new() };
        hand.edit_memory(entry.key, entry.step, &after, by).await.expect("edited");
    }

    async fn rebuild(&self, from: RestartFrom) {
        let channel = Channel {
            id: ChannelId::new("C1"),
            name: "c1".to_owned(),
            kind: ChannelKind::Public,
            external: false,
        };
        assert!(self.scenario.keeper().restart(&channel, from, "owner").await.expect("restarted"));
        self.scenario.pass(hours(1));
        self.scenario.round(BUILD).await;
    }

    async fn is_right(&self, when: &str) {
        self.are_right(&self.texts().await, when).await;
    }

    async fn are_right(&self, texts: &[String], when: &str) {
        let all = texts.join("\n---\n");
        let Story { wrong, right, .. } = self.story;
        assert!(!all.contains(wrong), "{when}: {wrong} is back\n{all}");
        assert!(texts.iter().any(|text| text.contains(right)), "{when}: {right} is gone\n{all}");
        let found = self.scenario.store.verify().await.expect("checked");
        assert!(found.faults.is_empty(), "{when}: {:?}", found.faults);
    }

    async fn stays_right(&self) {
        self.put_right().await;
        // The workspace's memory follows when it is next written.
        self.are_right(&self.texts_of_channel().await, "at once").await;
        self.scenario.pass(hours(1));
        self.scenario.round(BUILD).await;
        self.is_right("after the next round").await;
        for time in 1..=3 {
            self.rebuild(RestartFrom::Start).await;
            self.is_right(&format!("after rebuild {time}")).await;
            let who = self.texts().await.join("\n");
            assert!(who.contains(&format!("hana: {}", self.story.right)), "who and when: {who}");
        }
        self.rebuild(RestartFrom::Chapter(1)).await;
        self.is_right("after the fold from the first chapter on").await;
        self.chapter(&["ann: The gate squeaks again.".to_owned()]).await;
        self.is_right("after more talk").await;
    }
}

/// Every chapter summarised, and folded at once.
fn summarised() -> MemorySettings {
    MemorySettings {
        long_term_update_interval_seconds: 0,
        history: HistorySettings { verbatim_small: false, ..HistorySettings::default() },
        ..MemorySettings::default()
    }
}

async fn all_stay_right(settings: fn() -> MemorySettings, model: fn() -> Arc<dyn Model>) {
    for story in ENGLISH.iter().chain(&JAPANESE) {
        Told::new(Scenario::new(settings(), model()).await, story).await.stays_right().await;
    }
}

#[tokio::test]
async fn stories_stay_right_with_builtin() {
    all_stay_right(summarised, || Arc::new(Builtin)).await;
}

#[tokio::test]
async fn stories_stay_right_where_small_chapters_stay_word_for_word() {
    all_stay_right(MemorySettings::default, || Arc::new(Builtin)).await;
}

#[tokio::test]
async fn stories_stay_right_on_postgresql() {
    for story in [&ENGLISH[0], &ENGLISH[9], &JAPANESE[0], &JAPANESE[9]] {
        let target = Target::Postgres(myao_testkit::fresh_database().await);
        let scenario = Scenario::at(target, summarised(), Arc::new(Builtin)).await;
        Told::new(scenario, story).await.stays_right().await;
    }
}

/// A model that says in other words each time when the party is.
fn rewording_model() -> Arc<dyn Model> {
    const WAYS: [&str; 4] = [
        "夏祭りは8月12日の金曜に決まった",
        "8月12日（金曜）に夏祭りを行うと決定",
        "夏祭りの日取りは8月12日の金曜で決まり",
        "8月12日金曜が夏祭りの日",
    ];
    let said = AtomicUsize::new(0);
    let noted = move |lines: Vec<&str>| {
        let in_other_words = |line: &str| {
            if line.contains("8月12日") {
                return format!("- {}", WAYS[said.fetch_add(1, Ordering::Relaxed) % WAYS.len()]);
            }
            if line.contains("8月11日") {
                line.to_owned()
            } else {
                "- 屋台や備品の話が出た".to_owned()
            }
        };
        let mut noted: Vec<String> = lines.into_iter().map(in_other_words).collect();
        noted.dedup();
        noted.join("\n")
    };
    Arc::new(ScriptedModel::answering(move |request| match &request.material {
        Material::Talk { existing, lines } => {
            noted(existing.lines().chain(lines.iter().map(|line| line.text.as_str())).collect())
        }
        Material::Memories { existing, entries } => {
            noted(existing.lines().chain(entries.iter().flat_map(|entry| entry.text.lines())).collect())
        }
        Material::Conversation(_) => String::new(),
    }))
}

/// What a model says in other words does not stand beside what holds.
#[tokio::test]
async fn it_stays_right_where_a_model_says_it_in_other_words() {
    let told = Told::new(Scenario::new(summarised(), rewording_model()).await, &JAPANESE[0]).await;
    let texts = told.texts_of_channel().await.join("\n");
    assert!(!texts.contains("8月12日の金曜に決まりました"), "in the model's words: {texts}");
    told.stays_right().await;
}

/// Taken back, it is as if nobody had said it.
#[tokio::test]
async fn what_is_taken_back_is_gone_everywhere() {
    let told = Told::new(Scenario::new(summarised(), Arc::new(Builtin)).await, &ENGLISH[0]).await;
    let before = told.texts().await;
    told.put_right().await;
    told.rebuild(RestartFrom::Start).await;
    let (memory, channel) = (told.scenario.store.memory(), ChannelId::new("C1"));
    let standing = memory.corrections(&Visibility::Owner, &channel, usize::MAX).await.expect("read");
    let now = told.scenario.now();
    assert!(memory.undo_correction(&channel, standing[0].step, now).await.expect("undone"));
    assert!(!told.texts_of_channel().await.join("\n").contains("Thursday"), "at once");
    told.scenario.pass(hours(1));
    told.scenario.round(BUILD).await;
    assert_eq!(told.texts().await, before);
}
