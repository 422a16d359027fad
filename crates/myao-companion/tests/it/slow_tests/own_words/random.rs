//! Promises 2 and 3 over random histories: at no instant does a place hold a word that it may not see now, nor is
//! somebody there told one who asks for it by name; and no word of somebody who opted out is anywhere at all.
//!
//! Every model copies everything that it is shown, wherever it may: into memories, memos and reasons. Each message
//! holds a word that no other message holds, so that whatever stands anywhere tells which message it came from.

mod hostile;
mod opted_out;

use std::{collections::BTreeMap, sync::Arc};

use jiff::{SignedDuration, Timestamp, tz::TimeZone};
use myao_companion::{
    ask::{Asker, AskerParts, Models},
    companion::{Companion, ComposedPrompt},
    keeper::RoundPolicy,
    live::Judging,
    tools::memo::{ADD_MEMO, MemoTools},
};
use myao_config::Config;
use myao_core::{
    chat::{Channel, ChannelId, ChannelKind, Event, Message, MessageTs, Place, User, UserId, Visibility},
    context::memo::HIGHEST_OF_MODELS,
    memory::StepId,
    ports::{Clock, Model, Request, ResponseFormat, ToolCall, Turn},
    prompt::Fragments,
    text::Language,
    wording::{PromptTask, Templates},
};
use myao_store::{
    ByHand, ByHandError, FirstSight, Grounds, LedgerQuery, MemoQuery, RestartFrom, SharedInputs, Sight,
    place_subject,
};
use myao_testkit::ScriptedModel;
use proptest::prelude::*;
use serde_json::json;
use sqlx::SqlitePool;
use tokio_util::sync::CancellationToken;

use crate::{
    reply_world::attention,
    scenario::{BUILD, Scenario, hours, leaking_model, literal_mode_settings},
};

/// Worlds in a usual run; `MYAO_WORKSPACES` asks for more.
const WORLDS: u32 = 24;
/// Who says everything ([`Scenario::message`]), but for what somebody says who may opt out.
const SPEAKER: &str = "U1";
const CHANNELS: [&str; 4] = ["C0", "C1", "C2", "C3"];

/// What a channel may become: kind, and whether outsiders take part.
const KINDS: [(ChannelKind, bool); 5] = [
    (ChannelKind::Public, false),
    (ChannelKind::Private, false),
    (ChannelKind::Public, true),
    (ChannelKind::Dm, false),
    (ChannelKind::Dm, true),
];

/// A word of each kind that is looked for: nobody else says it, and no prompt of ours does.
fn word(n: usize) -> String {
    let letter = |first: u32, n: usize| {
        u32::try_from(n).ok().and_then(|n| char::from_u32(first + n)).expect("a letter")
    };
    match n % 6 {
        0 => format!("zk{n:03}q"),
        1 => format!("7{n:04}31"),
        2 => letter(0x9_100, n).to_string(),
        3 => letter(0x1_f400, n % 0xff).to_string(),
        4 => format!("ヰ{}", letter(0x30a2, n % 60)),
        _ => format!("Ångström{n}"),
    }
}

/// The words among these that a text holds.
fn held<'w>(text: &str, words: impl IntoIterator<Item = &'w String>) -> Vec<&'w String> {
    words.into_iter().filter(|word| text.contains(word.as_str())).collect()
}

struct Said {
    channel: &'static str,
    user: &'static str,
    ts: MessageTs,
    thread: Option<MessageTs>,
    word: String,
}

struct World {
    scenario: Scenario,
    reader: SqlitePool,
    config: Config,
    kinds: BTreeMap<&'static str, (ChannelKind, bool)>,
    said: Vec<Said>,
    /// Words that nobody says any more, or that were never to be heard.
    gone: Vec<String>,
    /// Those of them that people said who had opted out.
    unheard: Vec<String>,
    /// Whether somebody opted out who said something before.
    is_silent: bool,
    words: usize,
    memos: usize,
}

/// A judge that copies words of its prompt into its reason: of the request's lines, the one that `n` chooses.
fn judge() -> Arc<dyn Model> {
    Arc::new(ScriptedModel::answering(|request: &Request| {
        assert!(matches!(request.form, ResponseFormat::Data { .. }), "{request:?}");
        let reason = shown(request);
        let words: Vec<&str> = reason.split_whitespace().collect();
        let from = reason.len() % words.len().max(1);
        let reason = words.iter().skip(from).take(12).copied().collect::<Vec<_>>().join(" ");
        json!({"should_respond": false, "reason": reason, "confidence": 0.5, "delay_seconds": null})
            .to_string()
    }))
}

fn shown(request: &Request) -> String {
    let turns = request.turns.iter().map(|turn| match turn {
        Turn::User(text) | Turn::Assistant { text, .. } | Turn::Tool { text, .. } => text.as_str(),
    });
    turns.chain([request.system.as_str()]).collect::<Vec<_>>().join("\n")
}

impl World {
    async fn new() -> Self {
        let scenario = Scenario::new(literal_mode_settings(), leaking_model()).await;
        scenario.store.recall().note_own(&attention().own).await.expect("noted");
        let mut config = Config::default();
        config.response.jitter_ratio = 0.0;
        let said = Vec::new();
        let gone = Vec::new();
        let unheard = Vec::new();
        let kinds = BTreeMap::new();
        let is_silent = false;
        let reader = super::reader(&scenario.target).await;
        let mut world =
            Self { scenario, reader, config, kinds, said, gone, unheard, is_silent, words: 0, memos: 0 };
        let speaker = User { id: UserId::new(SPEAKER), name: "のあ".to_owned(), is_bot: false };
        world.scenario.apply(vec![Event::User(speaker)]).await;
        world.some_opt_out().await;
        for channel in CHANNELS {
            world.become_of(channel, (ChannelKind::Public, false)).await;
        }
        world
    }

    async fn become_of(&mut self, id: &'static str, (kind, external): (ChannelKind, bool)) {
        self.kinds.insert(id, (kind, external));
        let channel = Channel { id: ChannelId::new(id), name: id.to_lowercase(), kind, external };
        self.scenario.apply(vec![Event::Channel(channel)]).await;
    }

    fn next_word(&mut self) -> String {
        self.words += 1;
        word(self.words)
    }

    async fn say(&mut self, channel: &'static str, user: &'static str, in_thread: bool) {
        let word = self.next_word();
        let thread = self.thread_in(channel).filter(|_| in_thread);
        let message = Message {
            thread_ts: thread,
            user: UserId::new(user),
            ..self.scenario.message(channel, &format!("今日は {word} です"))
        };
        let ts = message.ts;
        self.scenario.apply(vec![Event::Message(message)]).await;
        self.scenario.pass(SignedDuration::from_secs(1));
        self.said.push(Said { channel, user, ts, thread, word });
    }

    /// The thread of what was said last in a channel.
    fn thread_in(&self, channel: &str) -> Option<MessageTs> {
        let last = self.said.iter().rev().find(|said| said.channel == channel);
        last.map(|said| said.thread.unwrap_or(said.ts))
    }

    async fn delete(&mut self, which: usize) {
        if self.said.is_empty() {
            return;
        }
        let said = self.said.remove(which % self.said.len());
        let gone = Event::Deleted { channel: ChannelId::new(said.channel), ts: said.ts };
        self.scenario.apply(vec![gone]).await;
        self.gone.push(said.word);
    }

    async fn edit(&mut self, which: usize) {
        let word = self.next_word();
        let edited_at = Some(MessageTs::from_timestamp(self.scenario.now()));
        let many = self.said.len().max(1);
        let scenario = &self.scenario;
        let Some(said) = self.said.get_mut(which % many) else { return };
        let text = format!("いえ、 {word} でした");
        let message = Message {
            ts: said.ts,
            thread_ts: said.thread,
            user: UserId::new(said.user),
            edited_at,
            ..scenario.message(said.channel, &text)
        };
        scenario.apply(vec![Event::Message(message)]).await;
        self.gone.push(std::mem::replace(&mut said.word, word));
        if self.is_silent && said.user == opted_out::WAVERING {
            // What they said before goes, and what they write instead is not kept.
            let said = self.said.remove(which % many);
            self.unheard.push(said.word.clone());
            self.gone.push(said.word);
        }
    }

    async fn rebuild(&self, channel: &str) {
        let rows = self.scenario.store.archive().channels(&Visibility::Owner).await.expect("read");
        let row = rows.iter().find(|row| row.channel.id.as_str() == channel).expect("known");
        self.scenario.keeper().restart(&row.channel, RestartFrom::Start, "test").await.expect("works");
    }

    /// A person takes a memory back to an earlier text, where that is allowed.
    async fn revert(&self, which: usize) {
        let store = &self.scenario.store;
        let now = self.scenario.now();
        let journal =
            store.memory().journal_page_after(&Visibility::Owner, StepId(0), 10_000).await.expect("read");
        let Some(entry) = journal.get(which % journal.len().max(1)) else { return };
        let until = now + SignedDuration::from_mins(1);
        let claim = store.claim(&entry.key.subject(), now, until).await.expect("asked").expect("free");
        let by = ByHand { actor: "alice".to_owned(), user: None, reason: String::new() };
        if let Err(ByHandError::Store(error)) = store.memory().revert(&claim, entry.step, by, now).await {
            panic!("{error}");
        }
        store.release(&claim).await.expect("released");
    }

    fn templates() -> Templates {
        Templates::new(Language::Ja, &BTreeMap::new()).expect("ours")
    }

    fn asker(&self) -> Asker {
        Asker::new(AskerParts {
            store: self.scenario.store.clone(),
            clock: Arc::new(self.scenario.clock.clone()),
            models: Models::all(&judge()),
            zone: TimeZone::UTC,
            daily_tokens: None,
            is_patient: false,
            recording: None,
        })
    }

    fn companion<'a>(&'a self, templates: &'a Templates) -> Companion<'a> {
        let Scenario { store, clock, .. } = &self.scenario;
        Companion { store, clock, templates, config: &self.config, asker: None }
    }

    async fn prompt(&self, channel: &str) -> (ComposedPrompt, i64, Sight) {
        let templates = Self::templates();
        let companion = self.companion(&templates);
        let place = Place { channel: ChannelId::new(channel), thread: None };
        let place = companion.gather(place, 8000, None).await.expect("gathered");
        let composed = place.compose(PromptTask::REPLY, Fragments::default(), 8000).expect("composed");
        (composed, place.revision, place.sight)
    }

    /// Somebody asks for a memo; the model notes one of the words that it sees.
    async fn note(&mut self, channel: &'static str, which: usize) {
        let store = &self.scenario.store;
        let now = self.scenario.now();
        let message = self.scenario.message(channel, "<@UMYAO> 覚えておいて");
        let trigger = message.ts;
        let events = vec![Event::Message(message)];
        store.intake().apply_live(events, &attention(), now).await.expect("applied");
        self.scenario.pass(SignedDuration::from_secs(1));
        let place = Place { channel: ChannelId::new(channel), thread: None };
        let Some(reply) = store.replies().find_wanted(&place, now).await.expect("read") else { return };
        let until = now + SignedDuration::from_mins(1);
        let claim =
            store.claim(&place_subject(&reply.place), now, until).await.expect("asked").expect("free");
        let (ComposedPrompt { prompt, origins, inputs, .. }, revision, sight) = self.prompt(channel).await;
        let all = format!("{}\n{}", prompt.system, prompt.user);
        let seen = held(&all, self.said.iter().map(|said| &said.word));
        let noted = seen.get(which % seen.len().max(1)).map_or("なにも", |word| word.as_str());
        let tools = MemoTools {
            store: store.clone(),
            clock: Arc::new(self.scenario.clock.clone()),
            language: Language::Ja,
            zone: TimeZone::UTC,
        };
        let triggers = vec![trigger];
        let grounds = Grounds {
            claim: claim.clone(),
            reply: reply.id,
            triggers,
            read_revision: revision,
            highest_priority: HIGHEST_OF_MODELS,
            sight,
            inputs: SharedInputs::new(inputs),
        };
        let origins = Arc::new(tokio::sync::Mutex::new(origins));
        let kit = tools.kit(ChannelId::new(channel), grounds, origins);
        self.memos += 1;
        let arguments =
            json!({"name": format!("memo{}", self.memos), "content": format!("メモ: {noted} のこと")});
        let call = ToolCall { id: "1".to_owned(), name: ADD_MEMO.to_owned(), arguments };
        let _told = (kit.run)(call).await;
        store.replies().skip(&claim, reply.id, "noted", now).await.expect("skipped");
        store.release(&claim).await.expect("released");
    }

    /// The judge looks at every pause there is.
    async fn judge(&self) {
        self.scenario.pass(SignedDuration::from_mins(20));
        let clock: Arc<dyn Clock> = Arc::new(self.scenario.clock.clone());
        let now = MessageTs::from_timestamp(self.scenario.now());
        for channel in CHANNELS {
            self.scenario
                .store
                .hearing()
                .join_channel(&ChannelId::new(channel), FirstSight::since(now))
                .await
                .expect("joined");
        }
        for gap in self.scenario.store.hearing().gaps().await.expect("read") {
            self.scenario.store.hearing().close_filled_gap(&gap).await.expect("closed");
        }
        let asker = self.asker();
        let judging = Judging {
            config: self.config.clone(),
            manners: self.config.manners(7),
            store: self.scenario.store.clone(),
            clock,
            templates: Arc::new(Self::templates()),
            asker,
            stop: CancellationToken::new(),
        };
        judging.look().await.expect("the database answers");
    }

    /// Nothing stands anywhere that may not stand there now.
    async fn check(&self, after: &str, nth: usize) {
        self.check_unheard(after).await;
        for channel in CHANNELS {
            let mine = self.notes_of(channel).await;
            let prompt = self.prompt(channel).await.0.prompt;
            let prompt = format!("{}\n{}", prompt.system, prompt.user);
            let others = self.said.iter().filter(|said| said.channel != channel);
            let foreign: Vec<&String> = others.clone().map(|said| &said.word).chain(&self.gone).collect();
            assert_eq!(held(&mine, foreign), Vec::<&String>::new(), "{channel}, after {after}:\n{mine}");
            let (_, external) = self.kinds[channel];
            let hidden =
                others.filter(|said| external || self.kinds[said.channel] != (ChannelKind::Public, false));
            let hidden: Vec<&String> = hidden.map(|said| &said.word).chain(&self.gone).collect();
            assert_eq!(
                held(&prompt, hidden.clone()),
                Vec::<&String>::new(),
                "{channel}, after {after}:\n{prompt}"
            );
            let lines = self.lines_about_people(channel).await;
            assert_eq!(
                held(&lines, hidden.clone()),
                Vec::<&String>::new(),
                "{channel}, after {after}:\n{lines}"
            );
            // One place a time: it is the most work by far.
            if channel == CHANNELS[nth % CHANNELS.len()] {
                let told = self.told_who_asks_for(channel, &hidden).await;
                let found = held(&told, hidden);
                assert!(found.is_empty(), "{found:?}, asked in {channel}, after {after}:\n{told}");
            }
        }
        let closed = self.said.iter().filter(|said| self.kinds[said.channel] != (ChannelKind::Public, false));
        let closed: Vec<&String> = closed.map(|said| &said.word).chain(&self.gone).collect();
        let workspace = self.texts("scope = 'workspace'").await;
        assert_eq!(held(&workspace, closed), Vec::<&String>::new(), "workspace, after {after}:\n{workspace}");
    }

    /// What a place is told of whoever says anything.
    async fn lines_about_people(&self, channel: &str) -> String {
        let store = &self.scenario.store;
        let seen = store.hearing().seen_from(&ChannelId::new(channel)).await.expect("known");
        let found = store.recall().lines_of_person(&seen, &UserId::new(SPEAKER), 10_000).await.expect("read");
        format!("{:#?}", found.lines)
    }

    /// Everything that was written down for a channel: memories, their journal, memos, reasons.
    async fn notes_of(&self, channel: &str) -> String {
        let mut all = self.texts(&format!("scope_id = '{channel}' OR scope_id LIKE '{channel}:%'")).await;
        let query = MemoQuery { limit: 50, ..MemoQuery::default() };
        for memo in self.scenario.store.memos().page(&Visibility::Owner, &query).await.expect("read").memos {
            if memo.channel() == Some(&ChannelId::new(channel)) {
                all.push_str(&memo.memo.content);
            }
        }
        let query =
            LedgerQuery { channel: Some(ChannelId::new(channel)), since: Timestamp::UNIX_EPOCH, limit: 1000 };
        for verdict in
            self.scenario.store.replies().list_verdicts(&Visibility::Owner, &query).await.expect("read")
        {
            all.push_str(&verdict.reason);
        }
        all
    }

    async fn texts(&self, condition: &str) -> String {
        super::texts(&self.reader, condition).await
    }
}

/// Things that happen: what, where or to which message, and for how many minutes nothing else does.
type Happening = (u8, usize, i64);

async fn live_through(happenings: &[Happening]) {
    let mut world = World::new().await;
    for (n, (what, which, minutes)) in happenings.iter().enumerate() {
        let what = world.let_happen(*what, *which).await;
        world.check(&format!("{what} ({n})"), n).await;
        world.scenario.pass(SignedDuration::from_mins(*minutes));
    }
    world.check_files().await;
}

impl World {
    /// Lets something happen; what it was.
    async fn let_happen(&mut self, what: u8, which: usize) -> &'static str {
        let world = self;
        let channel = CHANNELS[which % CHANNELS.len()];
        let round = which / CHANNELS.len();
        match what % 20 {
            0..=5 => {
                let wavering = round.is_multiple_of(4) && !world.is_silent;
                let user = if wavering { opted_out::WAVERING } else { SPEAKER };
                world.say(channel, user, what % 2 == 1).await;
                "talk"
            }
            6 | 7 => {
                world.delete(which).await;
                "a deletion"
            }
            8 => {
                world.edit(which).await;
                "an edit"
            }
            9 => {
                let kind = KINDS[round % KINDS.len()];
                world.become_of(channel, kind).await;
                "another kind"
            }
            10 => {
                world.rebuild(channel).await;
                "a rebuild"
            }
            11 => {
                world.note(channel, round).await;
                "a memo"
            }
            12 => {
                world.judge().await;
                "a judgment"
            }
            13 => {
                world.revert(which).await;
                "a revert"
            }
            14 | 15 => {
                world.say_unheard(channel, round).await;
                "what is never to be remembered"
            }
            16 if round.is_multiple_of(3) => {
                world.waver();
                "somebody opts out"
            }
            16 => {
                world.answer_unheard(round).await;
                "an answer to somebody who opted out"
            }
            _ => {
                world.scenario.pass(hours(3));
                world.scenario.round(RoundPolicy { workspace_now: true, ..BUILD }).await;
                "a round"
            }
        }
    }
}

/// How many worlds are lived through.
#[expect(clippy::disallowed_methods, reason = "a long run is asked for from outside")]
fn worlds() -> u32 {
    std::env::var("MYAO_WORKSPACES").ok().and_then(|many| many.parse().ok()).unwrap_or(WORLDS)
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 200, ..ProptestConfig::with_cases(worlds()) })]

    #[test]
    fn no_place_holds_what_it_may_not_see(
        happenings in prop::collection::vec((any::<u8>(), any::<usize>(), 0_i64..200), 6..40),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        runtime.expect("a runtime").block_on(live_through(&happenings));
    }
}
