//! What is open of those who speak in a place, for a prompt that is to know of it (`response.open_loops`).

use std::collections::BTreeSet;

use myao_core::{
    chat::{Message, UserId},
    loops::OpenLoop,
    prompt::AboutPerson,
    recall::RecalledItem,
    text::phrase_with,
};
use myao_store::{GatherRequest, Gathered, StoreError};
use serde_json::json;

use super::Companion;
use crate::open_loops::{EVERYTHING_OPEN, OpenLoopsFound, OpenLoopsQuery, find_open_loops};

impl Companion<'_> {
    /// What those who speak in the place owe, as lines about them, through the place's visibility; nothing unless the
    /// configuration wants it. The messages that say it become inputs of the prompt.
    pub(super) async fn open_of_speakers(
        &self,
        request: &GatherRequest,
        gathered: &mut Gathered,
    ) -> Result<Vec<AboutPerson>, StoreError> {
        if !self.config.response.open_loops || gathered.is_passing || request.as_of.is_some() {
            return Ok(Vec::new());
        }
        let query = OpenLoopsQuery {
            visibility: &gathered.visibility,
            channel: None,
            asked: &EVERYTHING_OPEN,
            at: request.now,
            zone: &self.config.locale.timezone,
            language: self.templates.language(),
        };
        let mut found = find_open_loops(self.store, &query).await?;
        let speakers: BTreeSet<&UserId> = gathered.messages.iter().map(|message| &message.user).collect();
        found.open.retain(|one| speakers.iter().any(|speaker| one.is_owed_by(speaker)));
        let lines: Vec<AboutPerson> =
            found.open.iter().filter_map(|one| self.line_of_open(&found, one)).collect();
        let shown: Vec<Message> =
            found.sources.iter().filter(|m| is_of_any(m, &found.open)).cloned().collect();
        let inputs = self.store.replies().messages_as_inputs(&shown).await?;
        gathered.inputs.found.extend(inputs.iter().cloned());
        Ok(lines)
    }

    /// A line that says who owes what, in place of the message that says it.
    fn line_of_open(&self, found: &OpenLoopsFound, one: &OpenLoop) -> Option<AboutPerson> {
        let message = found.sources.iter().find(|m| m.ts == one.ts && m.channel == one.channel)?;
        let values = json!({ "label": found.label(one), "words": found.words(one) });
        let text = phrase_with(self.templates.language(), "loops-in-prompt", &values);
        let zone = self.config.locale.timezone.clone();
        Some(AboutPerson {
            person: one.who.clone()?,
            day: Some(one.ts.to_timestamp().to_zoned(zone).date()),
            item: RecalledItem::beside(&Message { text, ..message.clone() }),
        })
    }
}

fn is_of_any(message: &Message, open: &[OpenLoop]) -> bool {
    let says = |one: &OpenLoop| one.ts == message.ts || one.asked_at == Some(message.ts);
    open.iter().any(|one| one.channel == message.channel && says(one))
}
