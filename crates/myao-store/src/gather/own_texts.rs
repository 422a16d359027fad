//! Reads what a prompt shows of the place's own channel: the conversation, lines in force, memories of threads.

use std::collections::BTreeSet;

use myao_core::{chat::MessageTs, context::LineInForce, memory::StepId};

use super::{
    conversation::{self, ConversationRows},
    in_force,
    memories::ShownMemories,
    request::GatherRequest,
    threads,
};
use crate::{StoreError, archive::ChannelRow, db::Tx};

/// What is read of the place's own channel besides its long-term memory.
pub(super) struct OwnTexts {
    pub(super) lines_in_force: Vec<LineInForce>,
    /// The journal entries of these.
    pub(super) lines: BTreeSet<StepId>,
    pub(super) threads: Vec<(MessageTs, String, StepId)>,
}

impl OwnTexts {
    /// Reads it and the conversation, and adds to all versions which of their lines ended. Of a channel that opted out nothing is shown.
    pub(super) async fn read(
        tx: &mut Tx,
        request: &GatherRequest,
        channel: &ChannelRow,
        memories: &mut ShownMemories,
    ) -> Result<(Self, ConversationRows), StoreError> {
        let mut conversation = conversation::read_newest_talk(tx, request).await?;
        if channel.opted_out {
            memories.long_term.remove(&channel.channel.id);
            let (lines_in_force, lines, threads) = Default::default();
            return Ok((Self { lines_in_force, lines, threads }, conversation.without_anything()));
        }
        let texts = memories.versions.values_mut().flatten().chain(&mut conversation.versions);
        in_force::add_ends(tx, texts.chain(&mut conversation.versions_within)).await?;
        let (lines_in_force, lines) = in_force::read_best_lines(tx, request, &conversation).await?;
        let threads = threads::read_active_threads(tx, request, channel).await?;
        Ok((Self { lines_in_force, lines, threads }, conversation))
    }
}
