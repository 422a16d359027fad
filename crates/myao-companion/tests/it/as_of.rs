//! As of an instant of talk: what is read later is what a database that stopped at that instant would tell, but for what
//! was removed since, and nothing of what came later; through what may be seen now (ADR 135).

use std::{collections::BTreeMap, fmt::Write as _, sync::Arc};

use jiff::SignedDuration;
use myao_core::{
    chat::{ChannelId, ChannelKind, Event, Message, MessageTs, User, UserId, Visibility},
    memory::{HistorySettings, MemoryScope, MemorySettings, MemoryType, ScopeId},
    recall::RecallFilter,
};
use myao_model::Builtin;
use myao_store::{AsOfQuery, ChannelAsOf, RecallRequest, Target};
use proptest::prelude::*;

use crate::scenario::{BUILD, Scenario, minutes};

/// Two open channels and a private one.
const CHANNELS: [&str; 3] = ["C1", "C2", "G1"];
const PEOPLE: [(&str, &str); 2] = [("U1", "Noor"), ("U2", "Ben")];
const SUBJECTS: [&str; 4] = ["Lindwell fair", "choir evening", "boiler count", "Holm office"];
const DAYS: [&str; 5] = ["2 May", "9 June", "20 July", "3 August", "14 September"];
/// Everything there is.
const ALL: AsOfQuery = AsOfQuery { instant: MessageTs::MAX, versions: usize::MAX, most_talk: usize::MAX };

/// What happens: which of the things below, and numbers that say to what and for how long nothing else does.
type Happening = (u8, usize, i64);

fn happenings(most: usize) -> impl Strategy<Value = Vec<Happening>> {
    prop::collection::vec((any::<u8>(), any::<usize>(), 1_i64..400), 3..most)
}

/// A message, with a word that nothing else says.
#[derive(Clone, Debug)]
struct Said {
    channel: &'static str,
    ts: MessageTs,
    word: String,
    /// Whether it was deleted or edited after the instant.
    is_touched: bool,
}

struct LivedWorkspace {
    scenario: Scenario,
    said: Vec<Said>,
    spoken: usize,
    closed: bool,
}

/// What a database tells that stopped at the instant.
#[derive(Debug)]
struct Stopped {
    /// The text of each version whose chapter had ended.
    versions: BTreeMap<u32, String>,
    /// How far the long-term memory had come, and its text.
    long_term: Option<(u32, String)>,
    /// The ends of lines: version, line, by which version.
    ends: Vec<(u32, usize, u32)>,
    /// What was said after the last of these chapters.
    talk: Vec<(MessageTs, String)>,
}

fn settings() -> MemorySettings {
    MemorySettings {
        history: HistorySettings { message_threshold: 4, ..HistorySettings::default() },
        ..MemorySettings::default()
    }
}

impl LivedWorkspace {
    async fn new(target: Option<Target>) -> Self {
        let model = Arc::new(Builtin);
        let scenario = match target {
            Some(target) => Scenario::at(target, settings(), model).await,
            None => Scenario::new(settings(), model).await,
        };
        for (id, kind) in
            CHANNELS.iter().zip([ChannelKind::Public, ChannelKind::Public, ChannelKind::Private])
        {
            scenario.channel_of(id, kind, false).await;
        }
        let people = PEOPLE.iter().map(|(id, name)| {
            Event::User(User { id: UserId::new(*id), name: (*name).to_owned(), is_bot: false })
        });
        scenario.apply(people.collect()).await;
        while !scenario.store.recall().index_some().await.expect("indexed").is_complete {}
        Self { scenario, said: Vec::new(), spoken: 0, closed: false }
    }

    async fn say(&mut self, which: usize) {
        self.spoken += 1;
        let word = format!("qz{}x", self.spoken);
        let channel = CHANNELS[which % CHANNELS.len()];
        let subject = SUBJECTS[which / 3 % SUBJECTS.len()];
        let day = DAYS[self.spoken % DAYS.len()];
        let text = if which.is_multiple_of(2) {
            format!("The {subject} has been moved: it is now on {day}. {word}")
        } else {
            format!("The {subject} is on {day}. {word}")
        };
        let message = self.scenario.message(channel, &text);
        let message = Message { user: UserId::new(PEOPLE[which / 7 % 2].0), ..message };
        let ts = message.ts;
        self.scenario.apply(vec![Event::Message(message)]).await;
        self.scenario.pass(SignedDuration::from_secs(1));
        self.said.push(Said { channel, ts, word, is_touched: false });
    }

    /// Lets things happen; only `after` the instant is anything taken back, or a channel closed.
    async fn live_through(&mut self, happenings: &[Happening], after: bool) {
        for (what, which, pause) in happenings {
            match what % 12 {
                0 | 1 => {
                    self.scenario.round(BUILD).await;
                }
                2 if after => self.take_back(*which, true).await,
                3 if after => self.take_back(*which, false).await,
                4 if after => {
                    self.scenario.channel_of("C2", ChannelKind::Private, false).await;
                    self.closed = true;
                }
                _ => self.say(*which).await,
            }
            self.scenario.pass(minutes(*pause));
        }
    }

    async fn take_back(&mut self, which: usize, deletes: bool) {
        let at = which % self.said.len().max(1);
        let Some(said) = self.said.get_mut(at).filter(|said| !said.is_touched) else { return };
        said.is_touched = true;
        let (channel, ts) = (said.channel, said.ts);
        let event = if deletes {
            Event::Deleted { channel: ChannelId::new(channel), ts }
        } else {
            let edited_at = Some(MessageTs::from_timestamp(self.scenario.now()));
            let message = self.scenario.message(channel, "never mind");
            Event::Message(Message { ts, edited_at, ..message })
        };
        self.scenario.apply(vec![event]).await;
    }

    /// Stops here: everything is remembered that can be. The instant up to which it is.
    async fn stop(&self) -> MessageTs {
        self.scenario.round(BUILD).await;
        // What was heard less than 30 seconds ago may still be on its way.
        MessageTs::from_timestamp(self.scenario.now()).plus_seconds(-30)
    }

    /// What is told now, by the reads that know no instant.
    async fn told_now(&self, channel: &str, instant: MessageTs) -> Stopped {
        let store = &self.scenario.store;
        let id = ChannelId::new(channel);
        let owner = &Visibility::Owner;
        let mut log = store.memory().version_log(owner, &id).await.expect("read");
        log.retain(|version| !version.is_provisional());
        let steps: Vec<_> = log.iter().map(|version| version.step).collect();
        let number: BTreeMap<_, _> =
            log.iter().map(|version| (version.step, version.memory.version())).collect();
        let ends = store.recall().ended_lines_of(owner, &id, &steps).await.expect("read");
        let fold = store.memory().channel_fold(owner, &id).await.expect("read");
        let scope = ScopeId::channel(&id);
        let head = store.memory().head(owner, MemoryScope::Channel, &scope, MemoryType::LongTerm).await;
        let until =
            log.last().and_then(|version| version.range.clone()).map_or(MessageTs::MIN, |range| range.to);
        let after = myao_store::Range { channel: id, from: until, to: instant };
        let talk = store.archive().talk_in_range(owner, &after).await.expect("read").1;
        Stopped {
            versions: log.iter().map(|v| (v.memory.version(), v.memory.content().to_owned())).collect(),
            long_term: head.expect("read").map(|head| (fold.mark.version, head.memory.content().to_owned())),
            ends: ends.iter().map(|line| (number[&line.step], line.nth, line.end.version)).collect(),
            talk: talk.into_iter().map(|message| (message.ts, message.text)).collect(),
        }
    }

    async fn as_of(&self, visibility: &Visibility, channel: &str, instant: MessageTs) -> Option<ChannelAsOf> {
        let query = AsOfQuery { instant, ..ALL };
        let memory = self.scenario.store.memory();
        memory.channel_as_of(visibility, &ChannelId::new(channel), query).await.expect("read")
    }

    /// All that is told as of the instant through a visibility, as one text.
    async fn everything_told(&self, visibility: &Visibility, instant: MessageTs) -> String {
        let store = &self.scenario.store;
        let mut told = String::new();
        for channel in CHANNELS {
            write!(told, "{:?}", self.as_of(visibility, channel, instant).await).expect("written");
            let id = ChannelId::new(channel);
            let changed = store.recall().lines_changed(visibility, &id, (MessageTs::MIN, instant)).await;
            write!(told, "{:?}", changed.expect("read")).expect("written");
        }
        for (id, _) in PEOPLE {
            let person = UserId::new(id);
            let lines = store.recall().lines_of_person_as_of(visibility, &person, 999, instant).await;
            write!(told, "{:?}", lines.expect("read")).expect("written");
        }
        for subject in SUBJECTS {
            let request = RecallRequest {
                words: subject.to_owned(),
                filter: RecallFilter::default().with_as_of(instant),
                most: 99,
                with_memories: true,
                now: instant,
                meaning: None,
                named_in: Some(jiff::tz::TimeZone::UTC),
            };
            write!(told, "{:?}", store.recall().search(visibility, &request).await.expect("searched"))
                .expect("written");
        }
        write!(told, "{:?}", store.memory().workspace_as_of(visibility, instant).await.expect("read"))
            .expect("written");
        told
    }
}

/// The versions of a channel in which something was taken back.
fn touched_versions(workspace: &LivedWorkspace, channel: &str, stood: &ChannelAsOf) -> Vec<u32> {
    let touched: Vec<MessageTs> = workspace
        .said
        .iter()
        .filter(|said| said.is_touched && said.channel == channel)
        .map(|said| said.ts)
        .collect();
    let holds = |range: &(MessageTs, MessageTs)| touched.iter().any(|ts| range.0 < *ts && *ts <= range.1);
    let versions = stood.versions.iter().filter(|version| version.range.as_ref().is_some_and(holds));
    versions.map(|version| version.version).collect()
}

/// What is told as of the instant is what was told when it stopped there, but for what was taken back since.
fn assert_equal_but_for_removed(
    workspace: &LivedWorkspace,
    channel: &str,
    stopped: &Stopped,
    stood: &ChannelAsOf,
) {
    let touched = touched_versions(workspace, channel, stood);
    let was_touched = |ts: &MessageTs| {
        workspace.said.iter().any(|said| said.channel == channel && said.ts == *ts && said.is_touched)
    };
    let is_whole = !workspace.said.iter().any(|said| said.channel == channel && said.is_touched);
    let last = stopped.versions.keys().next_back().copied().unwrap_or_default();
    assert_eq!(stood.through, last, "{channel}: the chapters that had ended");
    for version in &stood.versions {
        if !touched.contains(&version.version) {
            assert_eq!(Some(&version.content), stopped.versions.get(&version.version), "{channel}");
        }
    }
    assert!(
        is_whole || stood.removed.chapters <= u64::try_from(stopped.versions.len()).expect("few"),
        "{:?}",
        stood.removed
    );
    let talk: Vec<_> = stood.talk.iter().map(|message| (message.ts, message.text.clone())).collect();
    let untouched = |talk: &[(MessageTs, String)]| {
        talk.iter().filter(|(ts, _)| !was_touched(ts)).cloned().collect::<Vec<_>>()
    };
    assert_eq!(untouched(&talk), untouched(&stopped.talk), "{channel}: what was said after them");
    if !is_whole {
        return;
    }
    assert_eq!(stood.versions.len(), stopped.versions.len(), "{channel}");
    let ends: Vec<(u32, usize, u32)> = stood
        .versions
        .iter()
        .flat_map(|v| v.ended.iter().map(|line| (v.version, line.nth, line.end.version)))
        .collect();
    assert_eq!(ends, stopped.ends, "{channel}: what held then");
    let folded = stood.long_term.as_ref().map(|entry| (entry.mark.version, entry.content.clone()));
    let Some((mark, text)) = &stopped.long_term else { return };
    let (now, folded) = folded.expect("what was folded then");
    assert!(now >= *mark && now <= stood.through, "{channel}: {mark} then, {now} of {}", stood.through);
    if now == *mark {
        assert_eq!(folded.as_ref(), Some(text), "{channel}: the long-term memory");
    }
}

/// Lives through `before`, stops, goes on with `after`, and compares.
async fn lives_and_looks_back(target: Option<Target>, before: &[Happening], after: &[Happening]) {
    let mut workspace = LivedWorkspace::new(target).await;
    workspace.live_through(before, false).await;
    // Chapters that ended long ago are folded in.
    workspace.scenario.pass(minutes(if before.len().is_multiple_of(2) { 26 * 60 } else { 5 }));
    let instant = workspace.stop().await;
    let said_by_then = workspace.said.len();
    let mut stopped = BTreeMap::new();
    for channel in CHANNELS {
        stopped.insert(channel, workspace.told_now(channel, instant).await);
    }
    workspace.live_through(after, true).await;
    workspace.scenario.pass(minutes(200));
    workspace.scenario.round(BUILD).await;
    for channel in CHANNELS {
        let stood = workspace.as_of(&Visibility::Owner, channel, instant).await.expect("known");
        assert_equal_but_for_removed(&workspace, channel, &stopped[channel], &stood);
        let gone = workspace.said.iter().filter(|said| said.channel == channel && said.is_touched);
        let gone = gone.filter(|said| said.ts <= instant).count();
        let told = stood.removed.messages + stood.removed.edited;
        assert_eq!(told, u64::try_from(gone).expect("few"), "{channel}: what is gone is told");
    }
    let told = workspace.everything_told(&Visibility::Owner, instant).await;
    for (nth, said) in workspace.said.iter().enumerate() {
        let may_stand = nth < said_by_then && !said.is_touched;
        assert!(may_stand || !told.contains(&said.word), "{} of {:?}: {told}", said.word, said.ts);
    }
    each_sees_what_it_may_see_now(&workspace, instant).await;
}

/// Who may see what is decided now, not as it was then.
async fn each_sees_what_it_may_see_now(workspace: &LivedWorkspace, instant: MessageTs) {
    let store = &workspace.scenario.store;
    let mut views = vec![(Visibility::Open, vec!["C1", "C2"])];
    for channel in CHANNELS {
        let id = ChannelId::new(channel);
        let seen = store.hearing().seen_from(&id).await.expect("known");
        views.push((seen, vec!["C1", "C2", channel]));
        views.push((Visibility::only(&id), vec![channel]));
    }
    for (visibility, mut open) in views {
        let own = matches!(&visibility, Visibility::Place { channel, .. } if channel.as_str() == "C2");
        if workspace.closed && !own {
            open.retain(|channel| *channel != "C2");
        }
        let told = workspace.everything_told(&visibility, instant).await;
        for said in workspace.said.iter().filter(|said| !open.contains(&said.channel)) {
            assert!(!told.contains(&said.word), "{} to {visibility:?}: {told}", said.word);
        }
    }
}

fn run(target: impl Future<Output = Option<Target>>, before: &[Happening], after: &[Happening]) {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async { lives_and_looks_back(target.await, before, after).await });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn it_is_what_a_stopped_database_tells((before, after) in (happenings(28), happenings(20))) {
        run(async { None }, &before, &after);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4))]

    #[test]
    fn it_is_so_on_postgresql((before, after) in (happenings(28), happenings(20))) {
        let database = async { Some(Target::Postgres(myao_testkit::fresh_database().await)) };
        run(database, &before, &after);
    }
}
