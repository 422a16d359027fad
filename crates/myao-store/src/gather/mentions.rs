//! Tells whom and which channels gathered texts mention, so that their names are read.

use myao_core::chat::Mentions;

use super::Gathered;
use crate::recall::RecalledText;

impl Gathered {
    /// The people and channels that the gathered texts mention.
    pub(super) fn mentions(&self) -> Mentions {
        let mut mentions = Mentions::default();
        let versions = self.versions.values().flatten().chain(&self.own_versions);
        let versions = versions.chain(&self.versions_in_conversation);
        let memories = self.workspace.iter().chain(self.long_term.values());
        let memories = memories.chain(versions.map(|version| &version.content));
        let memories = memories.chain(self.threads.iter().map(|(_, text)| text));
        let memories = memories.chain(self.lines_in_force.iter().map(|line| &line.words));
        let memories = memories.chain(self.person_lines.iter().map(|line| &line.words));
        let notes = self.memos.iter().map(|stored| &stored.memo);
        let notes = notes.flat_map(|memo| [Some(&memo.content), memo.detail.as_ref()]).flatten();
        memories.chain(notes).for_each(|text| mentions.add_memory(text));
        let found = self.found().filter_map(|found| match &found.text {
            RecalledText::Message(message) => Some(message),
            RecalledText::Line(_) => None,
        });
        for message in self.messages.iter().chain(found).chain(&self.around) {
            mentions.add_talk(&message.text);
            mentions.users.insert(message.user.clone());
        }
        mentions.channels.extend(self.person_lines.iter().map(|line| line.channel.clone()));
        for found in self.found() {
            mentions.channels.insert(found.text.channel().clone());
            if let RecalledText::Line(line) = &found.text {
                mentions.add_memory(&line.text);
            }
        }
        mentions
    }
}
