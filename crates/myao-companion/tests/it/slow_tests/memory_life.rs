//! Whatever happens to a workspace, and whoever has a hand in its memories: `verify` finds nothing, at once and
//! after the keeper's rounds.

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

use myao_core::{
    chat::{Channel, ChannelId, ChannelKind, Event, Message, MessageTs, Visibility},
    memory::{HistorySettings, MemorySettings, StepId},
};
use myao_store::{ByHand, ByHandError, MemoryKey, RestartFrom};
use myao_testkit::ScriptedModel;
use proptest::prelude::*;

use crate::scenario::{BUILD, LIVE, Scenario, hours, literal_mode_settings, minutes};

const CHANNELS: [&str; 2] = ["C1", "C2"];

/// Something that happens. Numbers choose among what there is.
#[derive(Clone, Debug)]
enum Happening {
    Say(usize),
    Reply(usize, usize),
    /// A message of this many hours ago is found now.
    Late(usize, i64),
    Edit(usize, usize),
    Delete(usize, usize),
    Pass(i64),
    Build,
    Live,
    /// A person goes back to an entry, of whichever memory.
    Revert(usize),
    /// A person writes a long-term memory: a channel's, or the workspace's.
    Write(usize),
    Rebuild(usize, u32),
    CutAnew(usize),
    Close(usize),
    Open(usize),
}

fn happening() -> impl Strategy<Value = Happening> {
    let channel = || 0..CHANNELS.len();
    prop_oneof![
        6 => channel().prop_map(Happening::Say),
        2 => (channel(), any::<usize>()).prop_map(|(c, n)| Happening::Reply(c, n)),
        1 => (channel(), 1..40_i64).prop_map(|(c, hours)| Happening::Late(c, hours)),
        2 => (channel(), any::<usize>()).prop_map(|(c, n)| Happening::Edit(c, n)),
        2 => (channel(), any::<usize>()).prop_map(|(c, n)| Happening::Delete(c, n)),
        4 => (1..9_i64).prop_map(Happening::Pass),
        4 => Just(Happening::Build),
        2 => Just(Happening::Live),
        2 => any::<usize>().prop_map(Happening::Revert),
        1 => (0..=CHANNELS.len()).prop_map(Happening::Write),
        1 => (channel(), 1..5_u32).prop_map(|(c, from)| Happening::Rebuild(c, from)),
        1 => channel().prop_map(Happening::CutAnew),
        1 => channel().prop_map(Happening::Close),
        1 => channel().prop_map(Happening::Open),
    ]
}

/// A workspace, and what was said in it.
struct Life {
    scenario: Scenario,
    said: Vec<Vec<MessageTs>>,
}

fn alice() -> ByHand {
    ByHand { actor: "alice".to_owned(), user: None, reason: String::new() }
}

impl Life {
    async fn new(settings: MemorySettings) -> Self {
        let said = AtomicU32::new(0);
        let model = ScriptedModel::answering(move |request| {
            format!("- 2026-03-02 {} の記憶その{}", request.purpose, said.fetch_add(1, Ordering::Relaxed))
        });
        let scenario = Scenario::new(settings, Arc::new(model)).await;
        for channel in CHANNELS {
            scenario.channel(channel).await;
        }
        Self { scenario, said: vec![Vec::new(); CHANNELS.len()] }
    }

    fn chosen(&self, channel: usize, n: usize) -> Option<MessageTs> {
        let said = &self.said[channel];
        (!said.is_empty()).then(|| said[n % said.len()])
    }

    async fn happen(&mut self, happening: &Happening) {
        let scenario = &self.scenario;
        match *happening {
            Happening::Say(channel) => {
                let ts = scenario.say(CHANNELS[channel], "長めの話をひとつ。").await;
                self.said[channel].push(ts);
            }
            Happening::Reply(channel, n) => {
                if let Some(root) = self.chosen(channel, n) {
                    let ts = scenario.reply(CHANNELS[channel], root, "返事").await;
                    self.said[channel].push(ts);
                }
            }
            Happening::Late(channel, hours) => {
                let message = scenario.message(CHANNELS[channel], "遅れて見つかった話");
                let message = Message { ts: message.ts.plus_seconds(-3600 * hours), ..message };
                self.said[channel].push(message.ts);
                scenario.apply(vec![Event::Message(message)]).await;
            }
            Happening::Edit(channel, n) => {
                if let Some(ts) = self.chosen(channel, n) {
                    let edited_at = Some(MessageTs::from_timestamp(scenario.now()));
                    let message = scenario.message(CHANNELS[channel], "言い直した話");
                    scenario.apply(vec![Event::Message(Message { ts, edited_at, ..message })]).await;
                }
            }
            Happening::Delete(channel, n) => {
                if let Some(ts) = self.chosen(channel, n) {
                    let channel = ChannelId::new(CHANNELS[channel]);
                    scenario.apply(vec![Event::Deleted { channel, ts }]).await;
                }
            }
            Happening::Pass(n) => scenario.pass(hours(n)),
            Happening::Build => drop(scenario.round(BUILD).await),
            Happening::Live => drop(scenario.round(LIVE).await),
            Happening::Revert(n) => self.revert(n).await,
            Happening::Write(n) => self.write(n).await,
            Happening::Rebuild(channel, from) => self.rebuild(channel, RestartFrom::Chapter(from)).await,
            Happening::CutAnew(channel) => self.rebuild(channel, RestartFrom::Start).await,
            Happening::Close(channel) => {
                scenario.channel_of(CHANNELS[channel], ChannelKind::Private, false).await;
            }
            Happening::Open(channel) => {
                scenario.channel_of(CHANNELS[channel], ChannelKind::Public, false).await;
            }
        }
    }

    /// Back to any entry there ever was, of any memory; a refusal is an answer too.
    async fn revert(&self, n: usize) {
        let store = &self.scenario.store;
        let entries =
            store.memory().journal_page_after(&Visibility::Owner, StepId(0), usize::MAX).await.expect("read");
        let Some(entry) = (!entries.is_empty()).then(|| &entries[n % entries.len()]) else { return };
        let now = self.scenario.now();
        let claim =
            store.claim(&entry.key.subject(), now, now + minutes(1)).await.expect("asked").expect("free");
        if let Err(ByHandError::Store(error)) = store.memory().revert(&claim, entry.step, alice(), now).await
        {
            panic!("{error}");
        }
        store.release(&claim).await.expect("released");
    }

    async fn write(&self, n: usize) {
        let store = &self.scenario.store;
        let channel = CHANNELS.get(n).map(|id| ChannelId::new(*id));
        let key = channel.map_or_else(MemoryKey::workspace, |id| MemoryKey::long_term(&id));
        let head = store
            .memory()
            .head(&Visibility::Owner, key.scope, &key.scope_id, key.memory_type)
            .await
            .expect("read");
        let Some(head) = head else { return };
        let now = self.scenario.now();
        let claim = store.claim(&key.subject(), now, now + minutes(1)).await.expect("asked").expect("free");
        let text = format!("{}\n- 手で書いた", head.memory.content());
        store.memory().edit(&claim, (key, head.step), &text, alice(), now).await.expect("edited");
        store.release(&claim).await.expect("released");
    }

    async fn rebuild(&self, channel: usize, from: RestartFrom) {
        let id = ChannelId::new(CHANNELS[channel]);
        let channel = Channel { name: String::new(), id, kind: ChannelKind::Public, external: false };
        let keeper = self.scenario.keeper();
        assert!(keeper.restart(&channel, from, "alice").await.expect("the database works"), "it was busy");
    }
}

fn overwriting() -> MemorySettings {
    let history = HistorySettings { enabled: false, ..literal_mode_settings().history };
    MemorySettings { history, ..literal_mode_settings() }
}

async fn live(happenings: &[Happening], settings: MemorySettings) -> Result<(), TestCaseError> {
    let mut life = Life::new(settings).await;
    // At the end everything settles: removals have had their quiet time, verbatim chapters their company.
    let end = [Happening::Pass(30), Happening::Build, Happening::Pass(30), Happening::Build];
    for happening in happenings.iter().chain(&end) {
        life.happen(happening).await;
        let faults = life.scenario.store.verify().await.expect("read").faults;
        prop_assert!(faults.is_empty(), "after {happening:?}: {faults:#?}");
    }
    let coverage = life.scenario.store.memory().coverage_by_channel().await.expect("read");
    prop_assert!(coverage.iter().all(|c| c.uncovered == 0 && c.pending == 0), "{coverage:#?}");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn a_life_leaves_no_fault(
        happenings in prop::collection::vec(happening(), 1..40),
        settings in prop::sample::select(vec![MemorySettings::default(), literal_mode_settings(), overwriting()]),
    ) {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        runtime.block_on(live(&happenings, settings))?;
    }
}

/// Talk found late in a chapter whose messages were all deleted: no merge had taken that chapter in, the mark
/// had gone past it.
#[tokio::test]
async fn an_emptied_chapter_that_fills_again_is_merged() {
    let happenings = [
        Happening::Say(0),
        Happening::Pass(2),
        Happening::Live,
        Happening::Delete(0, 0),
        Happening::Pass(2),
        Happening::Say(0),
        Happening::Pass(4),
        Happening::Build,
    ];
    let mut life = Life::new(literal_mode_settings()).await;
    for happening in &happenings {
        life.happen(happening).await;
    }
    let versions = life.scenario.versions("C1").await;
    let emptied = versions.first().is_some_and(|version| version.content().is_empty());
    assert!(emptied && versions.len() == 2, "{versions:?}");
    let late = life.said[0][0];
    let message =
        Message { ts: late.just_before(), ..life.scenario.message("C1", "遅れて見つかった話") };
    life.scenario.apply(vec![Event::Message(message)]).await;
    life.happen(&Happening::Build).await;
    assert_eq!(life.scenario.store.verify().await.expect("read").faults, []);
    assert_eq!(life.scenario.long_term("C1").await.expect("merged").source_message_count(), 2);
}
