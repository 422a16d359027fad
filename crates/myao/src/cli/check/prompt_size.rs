//! Says whether `prompt.max_tokens` has room for what the other keys ask for.

use std::collections::BTreeMap;

use jiff::Timestamp;
use myao_core::{
    chat::{Channel, ChannelId, ChannelKind, Names},
    context::{ChannelMessages, Context},
    prompt::{ComposeError, Composer},
};

use super::finding::{CheckReport, Finding};
use crate::app::App;

const SUBJECT: &str = "prompt.max_tokens";
/// About how many tokens a message takes in a conversation.
const MESSAGE: usize = 50;
/// About how many tokens stand around the long-term memories, and around each version.
const AROUND: usize = 40;
/// What bears on a question takes at most this share of a prompt, in percent.
const RECALL_PERCENT: usize = 40;
/// Sizes are suggested in steps of so many tokens.
const STEP: usize = 500;

/// Adds up what a prompt of a busy channel holds when all memories are as long as they should be at most.
pub(super) fn add_up_full_prompt(app: &App, report: &mut CheckReport) {
    let size = |tokens: u32| usize::try_from(tokens).unwrap_or(usize::MAX);
    let memory = &app.config.memory;
    let most = size(app.config.prompt.max_tokens);
    let frame = match frame_tokens(app, most) {
        Ok(frame) => frame,
        Err(error) => {
            report.add(Finding::wrong(
                SUBJECT,
                error.to_string(),
                "shorten the persona, or raise prompt.max_tokens",
            ));
            return;
        }
    };
    let count = memory.history.shown();
    let versions = count.saturating_mul(size(memory.short_term_summary_max_tokens) + AROUND);
    let long_term = 2 * (size(memory.long_term_summary_max_tokens) + AROUND);
    let recalled = size(app.config.prompt.recall_tokens).min(most.saturating_mul(RECALL_PERCENT) / 100);
    let conversation = size(app.config.response.message_limit).saturating_mul(MESSAGE);
    let needs =
        [frame, versions, long_term, recalled, conversation].into_iter().fold(0, usize::saturating_add);
    let parts = format!(
        "{frame} for persona and instructions, about {conversation} for a conversation of {} messages, up to \
         {long_term} for the long-term memories of channel and workspace, {versions} for {count} versions, {recalled} \
         for what bears on a question",
        app.config.response.message_limit
    );
    report.add(if needs <= most {
        Finding::fine(SUBJECT, format!("{most} tokens; {needs} are due at most: {parts}"))
    } else {
        let advice = format!(
            "raise it to {}, or lower memory.short_term_history.max_history_count; until then the workspace's memory \
             and the oldest versions are left out where memories are long",
            needs.div_ceil(STEP).saturating_mul(STEP)
        );
        Finding::noted(SUBJECT, format!("{most} tokens; up to {needs} are due: {parts}"), advice)
    });
}

/// The tokens of a prompt without any talk and memory.
fn frame_tokens(app: &App, max_tokens: usize) -> Result<usize, ComposeError> {
    let nowhere =
        Channel { id: ChannelId::new("C0"), name: String::new(), kind: ChannelKind::Public, external: false };
    let context = Context {
        persona: app.config.persona.clone(),
        conversation_history: ChannelMessages::new(nowhere, []),
        workspace_long_term_memory: None,
        channel_memories: BTreeMap::new(),
        thread_memories: Vec::new(),
        target_thread_ts: None,
        memos: Vec::new(),
    };
    let names = Names::default();
    let zone = &app.config.locale.timezone;
    let composer = Composer { templates: app.templates(), names: &names, zone, max_tokens };
    Ok(composer.reply(&context, &[], Timestamp::UNIX_EPOCH)?.tokens)
}
