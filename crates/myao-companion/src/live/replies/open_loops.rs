//! Answers who asks for what is open: "who still owes what?", 「まだ返事待ちのものは？」 (ADR 138).
//!
//! The question is known by its words and answered from talk alone, so that no model has anything to make up. A message
//! that does not read so costs no statement.

use myao_core::{
    loops::{LoopsAsked, LoopsAskedFor},
    text::{phrase, phrase_with},
};
use myao_store::{ReplyInputs, StoreError, WantedReply};
use serde_json::json;

use super::{Answering, drafting::Drafted};
use crate::{
    companion::PlaceSnapshot,
    open_loops::{OpenLoopsFound, OpenLoopsQuery, find_open_loops},
};

/// The most that is told in an answer.
const MOST_TOLD: usize = 12;

impl Answering {
    /// What is open, said to who asks for it; `None` if nobody who waits does. What the answer tells are its inputs: if one
    /// of these messages is deleted or edited before it is posted, it is made anew.
    pub(super) async fn tell_open_loops(
        &self,
        reply: &WantedReply,
        place: &PlaceSnapshot<'_>,
        inputs: &ReplyInputs,
    ) -> Result<Option<Drafted>, StoreError> {
        // Of who opted out nothing is kept, and nothing is looked up for them.
        let mut waiting = place.waiting_messages().filter(|_| !place.is_passing);
        let asked = waiting.find_map(|m| Some((m, place.loops_asked_for(m)?)));
        let Some((message, asked)) = asked else { return Ok(None) };
        let visibility = self.visibility_for_answer(place, &reply.place.channel).await?;
        let query = OpenLoopsQuery {
            visibility: &visibility,
            channel: None,
            asked: &asked,
            at: self.clock.now(),
            zone: &self.config.locale.timezone,
            language: self.templates.language(),
        };
        let found = find_open_loops(&self.store, &query).await?;
        if found.open.is_empty() && asked.what == LoopsAsked::Coming {
            return Ok(None);
        }
        let mut inputs = inputs.clone();
        inputs.extend(self.store.replies().messages_as_inputs(&found.sources).await?);
        tracing::info!(reply = %reply.id, open = found.open.len(), "somebody asked for what is open");
        let text = self.open_in_words(&found, &asked);
        Ok(Some(Drafted::without_model(place, message, inputs, text)))
    }

    fn open_in_words(&self, found: &OpenLoopsFound, asked: &LoopsAskedFor) -> String {
        let language = self.templates.language();
        if found.open.is_empty() {
            return match &asked.of {
                Some(user) => {
                    phrase_with(language, "loops-none-of", &json!({ "who": found.names.user(user) }))
                }
                None => phrase(language, "loops-none").to_owned(),
            };
        }
        let mut lines = vec![phrase(language, "loops-heading").to_owned()];
        for (one, nth) in found.open.iter().take(MOST_TOLD).zip(1..) {
            let link = found.permalink(one).map(|link| format!(" [[{nth}]]({link})")).unwrap_or_default();
            lines.push(format!("- {}: {}{link}", found.label(one), found.words(one)));
        }
        let more = found.open.len().saturating_sub(MOST_TOLD);
        if more > 0 {
            lines.push(phrase_with(language, "loops-more", &json!({ "more": more })));
        }
        lines.join("\n")
    }
}
