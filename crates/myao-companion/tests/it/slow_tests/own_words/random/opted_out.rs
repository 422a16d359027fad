//! People and a channel that are never to be remembered (ADR 51) among those who are: some from the beginning, by id and
//! by name, and one who speaks before.

use std::{collections::BTreeSet, fmt::Write as _};

use jiff::SignedDuration;
use myao_companion::companion::AnswerFocus;
use myao_core::{
    chat::{Channel, ChannelId, ChannelKind, Event, Message, MessageTs, User, UserId, Visibility},
    prompt::Fragments,
    recall::{IndexTerm, RecallFilter, terms_to_index},
    wording::PromptTask,
};
use myao_store::{OptOuts, RecallRequest, Target};
use sqlx::{AssertSqlSafe, Row as _};

use super::{World, held};
use crate::reply_world::attention;

/// Who says something before they opt out.
pub(super) const WAVERING: &str = "U5";
/// Who opted out before they said anything: by id, and by the name that somebody bears.
const OUT: [(&str, &str); 2] = [("U7", "そら"), ("U8", "ひかり")];
/// A channel that opted out, by its name.
const OUT_CHANNEL: &str = "C8";
/// Files are read for words after so long: what nobody answers is wiped by then.
const A_DAY: SignedDuration = SignedDuration::from_hours(25);

fn opt_outs(users: &[&str]) -> OptOuts {
    let users: Vec<String> = users.iter().map(|&user| user.to_owned()).collect();
    OptOuts::new(&users, &["#ないしょ".to_owned()])
}

impl World {
    /// The people and the channel that are never remembered are known, and the store heeds them.
    pub(super) async fn some_opt_out(&mut self) {
        self.scenario.store = self.scenario.store.clone().heeding(opt_outs(&["U7", "@ひかり"]));
        let person = |(id, name): (&str, &str)| {
            Event::User(User { id: UserId::new(id), name: name.to_owned(), is_bot: false })
        };
        let channel = Channel {
            id: ChannelId::new(OUT_CHANNEL),
            name: "ないしょ".to_owned(),
            kind: ChannelKind::Public,
            external: false,
        };
        let people = OUT.into_iter().chain([(WAVERING, "かなで")]).map(person);
        self.scenario.apply(people.chain([Event::Channel(channel)]).collect()).await;
    }

    /// Somebody who spoke before opts out. What is archived of them stays, until a person has it forgotten.
    pub(super) fn waver(&mut self) {
        self.scenario.store = self.scenario.store.clone().heeding(opt_outs(&["U7", "@ひかり", WAVERING]));
        self.is_silent = true;
    }

    /// Somebody speaks who opted out, or in a channel that did: to everybody or to us, as it happens or by way of what
    /// is caught up with.
    pub(super) async fn say_unheard(&mut self, channel: &'static str, which: usize) {
        let word = self.next_word();
        let people: &[&str] = if self.is_silent { &["U7", "U8", WAVERING] } else { &["U7", "U8"] };
        let (channel, user) = match which % (people.len() + 1) {
            0 => (OUT_CHANNEL, super::SPEAKER),
            n => (channel, people[n - 1]),
        };
        let which = which / (people.len() + 1);
        let text = if which.is_multiple_of(2) {
            format!("今日は {word} です")
        } else {
            format!("<@UMYAO> {word} ですか？")
        };
        let thread = self.thread_in(channel).filter(|_| (which / 2).is_multiple_of(3));
        let user = UserId::new(user);
        let message = Message { user, thread_ts: thread, ..self.scenario.message(channel, &text) };
        let store = &self.scenario.store;
        let now = self.scenario.now();
        if (which / 6).is_multiple_of(4) {
            self.scenario.apply(vec![Event::Message(message)]).await;
        } else {
            store
                .intake()
                .apply_live(vec![Event::Message(message)], &attention(), now)
                .await
                .expect("applied");
        }
        self.scenario.pass(SignedDuration::from_secs(1));
        self.unheard.push(word.clone());
        self.gone.push(word);
    }

    /// The reply that has waited longest is thought about, and given or not.
    pub(super) async fn answer_unheard(&self, which: usize) {
        let store = &self.scenario.store;
        let now = self.scenario.now();
        let wanted = store.replies().list_wanted(now).await.expect("read");
        let Some(reply) = wanted.into_iter().next() else { return };
        let templates = Self::templates();
        let companion = self.companion(&templates);
        let place = companion
            .gather_to_answer(reply.place.clone(), 8000, None, &AnswerFocus::default())
            .await
            .expect("gathered");
        let is_passing = place.is_passing;
        let prompt = place.compose(PromptTask::REPLY, Fragments::default(), 8000).expect("composed").prompt;
        let shown = held(&prompt.user, &self.unheard);
        assert!(is_passing || shown.is_empty(), "{shown:?}:\n{}", prompt.user);
        if which.is_multiple_of(2) {
            return;
        }
        let until = now + SignedDuration::from_mins(1);
        let subject = myao_store::place_subject(&reply.place);
        let claim = store.claim(&subject, now, until).await.expect("asked").expect("free");
        store.replies().skip(&claim, reply.id, "said nothing", now).await.expect("skipped");
        store.release(&claim).await.expect("released");
    }

    /// No word of theirs is in a memory, a memo, a reason, the talk of the archive or its index, and not even the owner
    /// finds one.
    pub(super) async fn check_unheard(&self, after: &str) {
        if self.unheard.is_empty() {
            return;
        }
        let store = &self.scenario.store;
        let mut all = self.texts("1 = 1").await;
        all.push_str(&self.notes_of(OUT_CHANNEL).await);
        let prompt = self.prompt(OUT_CHANNEL).await.0.prompt;
        all.push_str(&prompt.system);
        all.push_str(&prompt.user);
        for (user, _) in OUT {
            let lines = store.recall().lines_of_person(&Visibility::Owner, &UserId::new(user), 10_000).await;
            write!(all, "{:?}", lines.expect("read").lines).expect("written");
        }
        let now = MessageTs::from_timestamp(self.scenario.now());
        for word in &self.unheard {
            let request = RecallRequest {
                words: word.clone(),
                filter: RecallFilter::default(),
                most: 40,
                with_memories: true,
                now,
                meaning: None,
                named_in: None,
            };
            let found = store.recall().search(&Visibility::Owner, &request).await.expect("searched");
            write!(all, "{:?}", found.iter().map(|found| &found.text).collect::<Vec<_>>()).expect("written");
        }
        let newest = store
            .recall()
            .newest_messages(&Visibility::Owner, &RecallFilter::default(), 1_000)
            .await
            .expect("read");
        write!(all, "{newest:?}").expect("written");
        let found = held(&all, &self.unheard);
        assert!(found.is_empty(), "{found:?}, after {after}:\n{all}");
        assert_eq!(self.indexed_of(&self.unheard).await, Vec::<String>::new(), "after {after}");
    }

    /// Those of these words whose terms stand in the index.
    async fn indexed_of(&self, words: &[String]) -> Vec<String> {
        let Target::Sqlite(path) = &self.scenario.target else { panic!("SQLite") };
        let options = sqlx::sqlite::SqliteConnectOptions::new().filename(path).read_only(true);
        let pool = sqlx::SqlitePool::connect_with(options).await.expect("opened");
        let said: BTreeSet<IndexTerm> =
            self.said.iter().flat_map(|said| terms_to_index(&said.word)).collect();
        let mut indexed = Vec::new();
        for word in words {
            for term in terms_to_index(word).difference(&said) {
                let sql = format!("SELECT count(*) FROM recall WHERE recall MATCH '{term}'");
                let rows: i64 =
                    sqlx::query(AssertSqlSafe(sql)).fetch_one(&pool).await.expect("counted").get(0);
                let sql = format!("SELECT count(*) FROM recall_samples WHERE term = '{term}'");
                let samples: i64 =
                    sqlx::query(AssertSqlSafe(sql)).fetch_one(&pool).await.expect("counted").get(0);
                indexed.extend((rows + samples > 0).then(|| word.clone()));
            }
        }
        pool.close().await;
        indexed
    }

    /// A day later no file of the database holds a byte of them.
    pub(super) async fn check_files(&self) {
        self.scenario.pass(A_DAY);
        self.scenario.store.replies().wipe_left_over(self.scenario.now()).await.expect("wiped");
        let Target::Sqlite(path) = &self.scenario.target else { panic!("SQLite") };
        for file in std::fs::read_dir(path.parent().expect("a folder")).expect("listed") {
            let path = file.expect("an entry").path();
            let bytes = std::fs::read(&path).expect("read");
            let is_log = path.extension().is_some_and(|extension| extension == "db-wal");
            let bytes = if is_log { log_pages(&bytes) } else { bytes };
            let holds = |word: &&String| myao_testkit::holds_words(&bytes, word);
            let found: Vec<&String> = self.unheard.iter().filter(holds).collect();
            assert!(found.is_empty(), "{found:?} in {}", path.display());
        }
    }
}

/// The pages of an SQLite log without the headers of its frames: each holds two random numbers and a checksum, which
/// happened to be one of our words of three bytes once in ten thousand worlds.
fn log_pages(log: &[u8]) -> Vec<u8> {
    const HEADER: usize = 32;
    const FRAME_HEADER: usize = 24;
    let Some(page) = log.get(8..12) else { return Vec::new() };
    let page = u32::from_be_bytes(page.try_into().expect("four bytes")) as usize;
    log[HEADER..].chunks(FRAME_HEADER + page).flat_map(|frame| &frame[FRAME_HEADER..]).copied().collect()
}
