//! Tells whom and which channels gathered texts mention, so that their names are read.

use myao_core::chat::{Mentions, Message};

use super::Gathered;
use crate::recall::RecalledText;

impl Gathered {
    /// The people and channels that the gathered texts mention.
    pub(super) fn mentions(&self) -> Mentions {
        let mut mentions = Mentions::default();
        self.remembered_texts().for_each(|text| mentions.add_memory(text));
        for message in self.shown_messages() {
            mentions.add_talk(&message.text);
            mentions.users.insert(message.user.clone());
        }
        mentions.channels.extend(self.person_lines.iter().map(|line| line.channel.clone()));
        mentions.channels.extend(self.found().map(|found| found.text.channel().clone()));
        mentions
    }

    /// The memories and notes that were gathered, and the lines of memories.
    pub(super) fn remembered_texts(&self) -> impl Iterator<Item = &str> {
        let versions = self.versions.values().flatten().chain(&self.own_versions);
        let versions = versions.chain(&self.versions_in_conversation);
        let memories = self.workspace.iter().chain(self.long_term.values());
        let memories = memories.chain(versions.map(|version| &version.content));
        let memories = memories.chain(self.threads.iter().map(|(_, text)| text));
        let memories = memories.chain(self.lines_in_force.iter().map(|line| &line.words));
        let memories = memories.chain(self.person_lines.iter().map(|line| &line.words));
        let notes = self.memos.iter().map(|stored| &stored.memo);
        let notes = notes.flat_map(|memo| [Some(&memo.content), memo.detail.as_ref()]).flatten();
        let found = self.found().filter_map(|found| match &found.text {
            RecalledText::Line(line) => Some(&line.text),
            RecalledText::Message(_) => None,
        });
        memories.chain(notes).chain(found).map(String::as_str)
    }

    /// The messages that were gathered.
    pub(super) fn shown_messages(&self) -> impl Iterator<Item = &Message> {
        let found = self.found().filter_map(|found| found.text.as_message());
        self.messages.iter().chain(found).chain(&self.around)
    }
}
