//! Takes messages for deleted that a newer export no longer holds (specification §6 Removal, ADR 81).

use std::collections::BTreeSet;

use myao_core::chat::{
    Absence, ChannelId, ComparedChannel, HeldState, MessageTs, MissingPattern, PatternSizes,
    interpret_missing,
};
use myao_slack::export::ExportInventory;
use myao_store::{Applied, MissingIn, MissingSource};

use super::{EVENTS_AT_ONCE, Failure, output, patterns::PatternCount};
use crate::app::App;

/// The messages that an export should hold and does not.
#[derive(Debug, Default)]
pub(super) struct AbsentMessages {
    /// How many were taken for deleted.
    pub(super) deleted: u64,
    /// How many of these only since a person said so.
    pub(super) unproven: u64,
    /// Channels of which messages are missing that were kept.
    pub(super) kept: Vec<KeptInChannel>,
}

/// Messages of a channel that are missing, and were kept.
#[derive(Debug)]
pub(super) struct KeptInChannel {
    pub(super) channel: ChannelId,
    /// What the channel is called.
    pub(super) name: String,
    /// How many messages are missing.
    pub(super) missing: usize,
    /// How many messages the export should hold.
    pub(super) of: usize,
    /// What they have in common.
    pub(super) patterns: Vec<PatternCount>,
    /// Whether a person is asked: nothing but their number speaks against their deletion.
    pub(super) is_asked: bool,
}

/// Takes the messages that are missing for deleted, as far as that is certain. With `is_sure`, a person says that
/// everything that is missing was deleted.
pub(super) async fn conclude_deletions(
    app: &App,
    exported: &ExportInventory,
    is_sure: bool,
    applied: &mut Applied,
) -> Result<AbsentMessages, Failure> {
    let mut compared = Vec::with_capacity(exported.channels.len());
    for inventory in &exported.channels {
        let held = app.store.archive().held_channel(&inventory.channel).await?;
        compared.push(inventory.compare(held.talk, exported.times, held.known));
    }
    let absences = interpret_missing(&compared, PatternSizes::EXPORT);
    let mut settling = Settling { app, exported, is_sure, applied, all: AbsentMessages::default() };
    let flagged: BTreeSet<String> =
        app.store.memory().list_open_setbacks().await?.into_iter().map(|s| s.subject).collect();
    let channels = exported.channels.iter().map(|inventory| &inventory.channel);
    for (channel, (compared, absence)) in channels.zip(compared.iter().zip(absences)) {
        settling.conclude_for_channel(channel, compared, absence, &flagged).await?;
    }
    Ok(settling.all)
}

/// What an import concludes.
struct Settling<'a> {
    app: &'a App,
    exported: &'a ExportInventory,
    is_sure: bool,
    applied: &'a mut Applied,
    all: AbsentMessages,
}

/// What is concluded of one channel.
#[derive(Default)]
struct Conclusions {
    proven: Vec<MessageTs>,
    /// Only since a person says so.
    unproven: Vec<MessageTs>,
}

impl Settling<'_> {
    async fn conclude_for_channel(
        &mut self,
        channel: &ChannelId,
        compared: &ComparedChannel,
        absence: Absence,
        flagged: &BTreeSet<String>,
    ) -> Result<(), Failure> {
        let is_slacks_own = self.exported.why_not_slacks_own.is_none();
        let absence = if is_slacks_own { absence } else { absence.without_proof(compared.should_list()) };
        let store = &self.app.store;
        store.archive().confirm_deleted(channel, &absence.confirmed, self.missing_in(true)).await?;
        let is_asked =
            !self.is_sure && is_slacks_own && absence.kept.iter().any(|k| k.pattern == MissingPattern::Many);
        let subject = format!("export:{channel}");
        if is_asked {
            store
                .memory()
                .flag_for_person(
                    &subject,
                    &question_for_person(compared.missing_messages().count(), compared.should_list()),
                )
                .await?;
        } else if flagged.contains(&subject) && (is_slacks_own || self.is_sure) {
            store.memory().clear_after_success(&subject).await?;
        }
        let conclusions = if self.is_sure {
            conclude_all_deleted(compared, &absence)
        } else {
            Conclusions { proven: absence.deleted.clone(), ..Conclusions::default() }
        };
        self.take_for_deleted(channel, &conclusions.proven, true).await?;
        self.take_for_deleted(channel, &conclusions.unproven, false).await?;
        if !self.is_sure && !absence.kept.is_empty() {
            let name = store.archive().channel(channel).await?.map_or_else(String::new, |known| known.name);
            self.all.kept.push(KeptInChannel {
                channel: channel.clone(),
                name,
                missing: absence.doubtful(),
                of: compared.should_list(),
                patterns: absence.kept.iter().map(PatternCount::of_kept).collect(),
                is_asked,
            });
        }
        Ok(())
    }

    async fn take_for_deleted(
        &mut self,
        channel: &ChannelId,
        missing: &[MessageTs],
        is_proven: bool,
    ) -> Result<(), Failure> {
        let missing_in = self.missing_in(is_proven);
        let now = self.app.clock.now();
        for some in missing.chunks(EVENTS_AT_ONCE) {
            *self.applied += self.app.store.intake().take_for_deleted(channel, some, missing_in, now).await?;
        }
        let count = u64::try_from(missing.len()).unwrap_or(u64::MAX);
        self.all.deleted += count;
        self.all.unproven += if is_proven { 0 } else { count };
        Ok(())
    }

    fn missing_in(&self, is_proven: bool) -> MissingIn {
        MissingIn { source: MissingSource::Export, at: self.exported.times.taken, is_proven }
    }
}

/// What is concluded where a person says that everything that is missing was deleted. That many are missing is then no
/// reason to doubt a source that holds everything; a pattern still is. Words that have expired go with proof only, as
/// they would never come back.
fn conclude_all_deleted(compared: &ComparedChannel, absence: &Absence) -> Conclusions {
    let many = absence.kept.iter().filter(|kept| kept.pattern == MissingPattern::Many);
    let proven: BTreeSet<MessageTs> =
        absence.deleted.iter().chain(many.flat_map(|kept| &kept.messages)).copied().collect();
    let others = compared.missing_messages().filter(|message| !proven.contains(&message.ts));
    let unproven = others.filter(|message| message.state != HeldState::Expired).map(|message| message.ts);
    Conclusions { unproven: unproven.collect(), proven: proven.into_iter().collect() }
}

/// The question that `myao status` shows to a person.
fn question_for_person(missing: usize, of: usize) -> String {
    format!(
        "missing in a newer export, and kept: {missing} of {}. Deleted, or is the export not whole? \
         `myao import slack PATH --missing-are-deleted` takes them for deleted",
        output::count_with_noun(of, "message")
    )
}
