//! Puts right what somebody says is wrong in an answer of ours: "No, it's Thursday" (specification §4).
//!
//! The message is read by words alone. What was wrong is looked for in what the answer was made from, in its own channel;
//! what holds is stored once for each message, before anything is said about it.

use std::collections::BTreeMap;

use myao_config::CorrectedBy;
use myao_core::{
    chat::{Message, Visibility},
    memory::{SaidRight, mark_of_day, statements_of_text, statements_said},
    text::{fold_for_comparison, letters_and_digits, phrase_with},
};
use myao_store::{ReplyInputs, ShownWords, StoreError, ToldCorrection, WantedReply};
use serde_json::json;

use super::{Answering, drafting::Drafted};
use crate::companion::PlaceSnapshot;

/// A statement that may be the wrong one, and what it would be with the right value.
struct WrongAndRight {
    wrong: String,
    right: String,
    /// Whether the answer said it as it stands.
    is_quoted: bool,
}

impl Answering {
    /// What to say to a message that puts right what we answered, once that is stored; `None` if none of those that wait
    /// reads so, or if it is not found what was wrong.
    pub(super) async fn put_right_as_told(
        &self,
        reply: &WantedReply,
        place: &PlaceSnapshot<'_>,
        inputs: &ReplyInputs,
    ) -> Result<Option<Drafted>, StoreError> {
        // Of who opted out nothing is kept.
        let mut waiting = place.waiting_messages().filter(|_| !place.is_passing);
        let Some((message, said)) = waiting.find_map(|m| Some((m, SaidRight::of_message(&m.text)?))) else {
            return Ok(None);
        };
        let owners = &self.config.slack.owners;
        let may = self.config.slack.corrections == CorrectedBy::Members
            || owners.iter().any(|owner| owner == message.user.as_str());
        let Some(answer) = place.said_before(message).filter(|before| may && self.is_own(before)) else {
            return Ok(None);
        };
        let draft = |key: &'static str, values: &serde_json::Value| {
            let text = phrase_with(self.templates.language(), key, values);
            Drafted::without_model(place, message, inputs.clone(), text)
        };
        let memory = self.store.memory();
        if let Some(words) = memory.correction_of_message(&message.channel, message.ts).await? {
            return Ok(Some(draft("told-right", &json!({ "words": words }))));
        }
        let visibility = Visibility::only(&message.channel);
        let shown = self.store.replies().words_shown_for(&visibility, &message.channel, answer.ts).await?;
        let candidates = self.candidates(&shown.unwrap_or_default(), message, &said, &answer.text);
        let [only] = candidates.as_slice() else {
            let [first, second, ..] = candidates.as_slice() else { return Ok(None) };
            let values = json!({ "first": first.wrong, "second": second.wrong });
            return Ok(Some(draft("told-which", &values)));
        };
        let day = message.ts.to_timestamp().to_zoned(self.config.locale.timezone.clone()).date();
        let told = ToldCorrection {
            channel: message.channel.clone(),
            ts: message.ts,
            user: message.user.clone(),
            actor: place.name_of(&message.user),
            revision: place.revision,
            wrong: only.wrong.clone(),
            right: only.right.clone(),
            mark: mark_of_day(day, self.templates.language()),
        };
        if !memory.put_right_as_told(&told, self.clock.now()).await? {
            return Ok(None);
        }
        tracing::info!(reply = %reply.id, channel = %message.channel, "somebody put right what was answered");
        Ok(Some(draft("told-right", &json!({ "words": only.right }))))
    }
}

impl Answering {
    /// The statements that may be wrong, each once; where the answer said some of them as they stand, only these.
    fn candidates(
        &self,
        shown: &ShownWords,
        message: &Message,
        said: &SaidRight,
        answer: &str,
    ) -> Vec<WrongAndRight> {
        let letters = |words: &str| letters_and_digits(&fold_for_comparison(words));
        let answered = letters(answer);
        let earlier = shown.messages.iter().filter(|one| one.ts < message.ts && !self.is_own(one));
        let talk = earlier.flat_map(|one| statements_said(&one.text));
        let remembered = shown.texts.iter().flat_map(|text| statements_of_text(text));
        let mut found: BTreeMap<String, WrongAndRight> = BTreeMap::new();
        for wrong in talk.chain(remembered) {
            let Some(right) = said.put_into(&wrong, answer) else { continue };
            let key = letters(&wrong);
            let is_quoted = answered.contains(&key);
            found.entry(key).or_insert(WrongAndRight { wrong, right, is_quoted });
        }
        let is_any_quoted = found.values().any(|candidate| candidate.is_quoted);
        found.into_values().filter(|candidate| candidate.is_quoted || !is_any_quoted).collect()
    }

    fn is_own(&self, message: &Message) -> bool {
        self.attention.own.is(&message.user)
    }
}
