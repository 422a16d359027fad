//! Chooses the shared images that go with a prompt, for models that see.

use std::collections::BTreeSet;

use crate::{
    chat::{FileRef, Message, MessageTs, UserId},
    context::Context,
};

/// The most images of one prompt: each costs as much as a long conversation ([`crate::ports::IMAGE_TOKENS`]).
pub const MOST_IMAGES: usize = 4;
/// People often share an image first and ask about it afterwards: what the same person shared in the place in this many
/// seconds before a question belongs to the question.
const JUST_BEFORE_SECONDS: i64 = 600;

/// The images that go with a prompt, the most important first, at most [`MOST_IMAGES`]: those of what is to be
/// answered (or of the newest message, when nobody asked), newest first; those of the thread's root; and what the same
/// people shared just before. Only messages of the place itself that are `shown` count.
pub(super) fn most_important_images(
    context: &Context,
    shown: &BTreeSet<MessageTs>,
    answers: &[MessageTs],
) -> Vec<FileRef> {
    let place = context.target_thread_ts;
    let is_root = |message: &Message| Some(message.ts) == place;
    let history = context.conversation_history.get_all_messages();
    let here: Vec<&Message> = history
        .iter()
        .rev()
        .filter(|message| shown.contains(&message.ts))
        .filter(|message| message.thread_ts == place || is_root(message))
        .collect();
    let asked: Vec<&Message> = if answers.is_empty() {
        here.iter().take(1).copied().collect()
    } else {
        here.iter().filter(|message| answers.contains(&message.ts)).copied().collect()
    };
    let just_before = |ts: MessageTs, user: &UserId| {
        let belongs = |question: &&Message| {
            question.user == *user && ts < question.ts && ts >= question.ts.plus_seconds(-JUST_BEFORE_SECONDS)
        };
        asked.iter().any(belongs)
    };
    let root = here.iter().filter(|message| is_root(message));
    let before = here.iter().filter(|message| just_before(message.ts, &message.user));
    let mut found: Vec<FileRef> = Vec::new();
    for file in asked.iter().chain(root).chain(before).flat_map(|message| &message.files) {
        if found.len() < MOST_IMAGES && file.image_url.is_some() && !found.contains(file) {
            found.push(file.clone());
        }
    }
    found
}
