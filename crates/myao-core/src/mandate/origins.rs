//! Separates the words in a context that are its place's own from those of other places (specification §6).

use std::collections::BTreeSet;

use crate::{
    chat::{FileRef, Names},
    context::{Context, Memo},
    recall::{RecalledItem, RecalledWords},
    text::terms_borrowed_from,
};

/// The texts that a model is shown for a place, by where they come from. What the model writes down there may use the
/// words of the place itself, but must not borrow words of other places.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origins {
    /// Talk and memories of the place's channel, the names of those who speak there, the persona, our instructions.
    pub own: Vec<String>,
    /// Memories and notes of other places.
    pub elsewhere: Vec<String>,
}

impl Origins {
    /// The origins of what `context` holds. `is_own` tells whether a memo was made in the place's channel.
    pub fn of(context: &Context, names: &Names, is_own: impl Fn(&Memo) -> bool) -> Self {
        let talk = &context.conversation_history;
        let mut own = vec![
            context.persona.name.clone(),
            context.persona.system_prompt.clone(),
            talk.channel().name.clone(),
        ];
        for message in talk.get_all_messages() {
            own.push(names.user(&message.user).to_owned());
            own.push(names.resolve(&message.text));
            own.extend(message.files.iter().map(FileRef::words));
        }
        own.extend(context.thread_memories.iter().map(|thread| thread.content.clone()));
        let mut elsewhere: Vec<String> = context.workspace_long_term_memory.iter().cloned().collect();
        for (id, memory) in &context.channel_memories {
            let side = if *id == talk.channel().id { &mut own } else { &mut elsewhere };
            side.push(memory.channel_name.clone());
            side.extend(memory.long_term_memory.iter().cloned());
            side.extend(memory.versions().map(|short| short.content.clone()));
            side.extend(memory.lines_in_force.iter().map(|line| line.words.clone()));
        }
        let mut origins = Self { own, elsewhere };
        for memo in &context.memos {
            origins.add_memo(memo, is_own(memo));
        }
        origins
    }

    /// Adds a memo that the model was shown.
    pub fn add_memo(&mut self, memo: &Memo, is_own: bool) {
        let side = if is_own { &mut self.own } else { &mut self.elsewhere };
        side.extend([memo.name.clone(), memo.content.clone()]);
        side.extend(memo.tags.iter().chain(&memo.detail).cloned());
    }

    /// Adds what a search found and the model was shown.
    pub fn add_recalled(&mut self, item: &RecalledItem, is_own: bool, names: &Names) {
        let side = if is_own { &mut self.own } else { &mut self.elsewhere };
        side.push(names.channel(&item.channel).to_owned());
        match &item.text {
            RecalledWords::Message(message) => {
                side.extend([names.user(&message.user).to_owned(), names.resolve(&message.text)]);
                side.extend(message.files.iter().map(FileRef::words));
            }
            RecalledWords::Line { text, .. } => side.push(names.show(text)),
        }
    }

    /// The terms of `text` that stand in what was shown of other places, and nowhere in what is the place's own.
    pub fn borrowed(&self, text: &str) -> BTreeSet<String> {
        terms_borrowed_from(
            text,
            self.elsewhere.iter().map(String::as_str),
            self.own.iter().map(String::as_str),
        )
    }
}
