//! Puts right what somebody says is wrong in an answer of ours: "No, it's Thursday" (specification §4).
//!
//! The message is read by words alone. What was wrong is looked for in what the answer was made from, in its own channel;
//! what holds is stored once for each message, before anything is said about it. Where two statements may be meant, we ask,
//! and what the same person says right behind our question is read for which of them it is; nothing of that is kept but in
//! the messages themselves.

use std::collections::BTreeMap;

use myao_config::CorrectedBy;
use myao_core::{
    chat::{Message, UserId, Visibility},
    memory::{MeantStatement, SaidRight, mark_of_day, statements_of_text, statements_said},
    text::{fold_for_comparison, letters_and_digits, phrase, phrase_with},
    worth::is_question,
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

/// What somebody said when we asked them which of two statements is wrong.
struct ToldChoice<'a> {
    message: &'a Message,
    /// The statement that they mean; `None` if that is not clear.
    meant: Option<String>,
}

/// What somebody says is wrong in an answer of ours.
struct Objection<'a> {
    /// The message that says it.
    message: &'a Message,
    /// What holds.
    said: SaidRight,
    /// Our answer.
    answer: &'a Message,
    /// What the same person said when we asked them which of two statements is meant.
    choice: Option<ToldChoice<'a>>,
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
        let waiting = place.waiting_messages().filter(|_| !place.is_passing);
        for message in waiting.filter(|message| self.may_put_right(&message.user)) {
            if let Some(objection) = self.choice_told(place, message).await?
                && let Some(text) = self.put_right_by(reply, place, &objection).await?
            {
                return Ok(Some(Drafted::without_model(place, message, inputs.clone(), text)));
            }
            if let Some(objection) = self.objection_of(place, message)
                && let Some(text) = self.put_right_by(reply, place, &objection).await?
            {
                return Ok(Some(Drafted::without_model(place, message, inputs.clone(), text)));
            }
        }
        Ok(None)
    }

    /// Whether somebody may put right what is remembered (`slack.corrections`). Bots may not, also those that are answered
    /// like people.
    fn may_put_right(&self, user: &UserId) -> bool {
        let owners = &self.config.slack.owners;
        let is_let = self.config.slack.corrections == CorrectedBy::Members
            || owners.iter().any(|owner| owner == user.as_str());
        is_let && !self.attention.answers_bot(user)
    }

    /// What a message says is wrong in an answer right before it.
    fn objection_of<'a>(&self, place: &'a PlaceSnapshot<'_>, message: &'a Message) -> Option<Objection<'a>> {
        let said = SaidRight::of_message(&message.text)?;
        let answer = place.said_before(message).filter(|before| self.is_own(before))?;
        Some(Objection { message, said, answer, choice: None })
    }

    /// What somebody said was wrong before we asked them which of two statements they meant, and what this message, right
    /// behind our question, says to that.
    async fn choice_told<'a>(
        &self,
        place: &'a PlaceSnapshot<'_>,
        message: &'a Message,
    ) -> Result<Option<Objection<'a>>, StoreError> {
        let Some(asked) = place.said_before(message).filter(|before| self.is_own(before)) else {
            return Ok(None);
        };
        let Some((first, second)) = self.statements_asked_about(&asked.text) else { return Ok(None) };
        // A question asks for something else, and what puts something right does so by itself.
        if is_question(&message.text)
            || message.text.contains(['?', '？'])
            || SaidRight::of_message(&message.text).is_some()
        {
            return Ok(None);
        }
        let visibility = Visibility::only(&message.channel);
        let origin = self.store.replies().origin_of_post(&visibility, &message.channel, asked.ts).await?;
        let answered = origin.map(|origin| origin.answers).unwrap_or_default();
        let answered = answered.iter().filter_map(|ts| place.said_at(*ts));
        let mut own = answered.filter(|earlier| earlier.user == message.user);
        let Some(objection) = own.find_map(|earlier| self.objection_of(place, earlier)) else {
            return Ok(None);
        };
        let meant = match MeantStatement::of_message(&message.text, &first, &second) {
            Some(MeantStatement::First) => Some(first),
            Some(MeantStatement::Second) => Some(second),
            None => None,
        };
        Ok(Some(Objection { choice: Some(ToldChoice { message, meant }), ..objection }))
    }

    /// The two statements of a question of ours which of them is wrong; `None` if a text is no such question.
    fn statements_asked_about(&self, text: &str) -> Option<(String, String)> {
        const GAP: &str = "\u{1}";
        let question =
            phrase_with(self.templates.language(), "told-which", &json!({ "first": GAP, "second": GAP }));
        let mut parts = question.split(GAP);
        let (before, between, behind) = (parts.next()?, parts.next()?, parts.next()?);
        let statements = text.trim().strip_prefix(before)?.strip_suffix(behind)?;
        let (first, second) = statements.split_once(between)?;
        Some((first.to_owned(), second.to_owned()))
    }

    /// Stores what somebody put right, and what to say then: what was changed, which of two statements is asked about, or
    /// that nothing was changed. `None` if it is not found what was wrong.
    async fn put_right_by(
        &self,
        reply: &WantedReply,
        place: &PlaceSnapshot<'_>,
        objection: &Objection<'_>,
    ) -> Result<Option<String>, StoreError> {
        let Objection { message, said, answer, choice } = objection;
        let language = self.templates.language();
        let memory = self.store.memory();
        if let Some(words) = memory.correction_of_message(&message.channel, message.ts).await? {
            return Ok(Some(phrase_with(language, "told-right", &json!({ "words": place.shown(&words) }))));
        }
        let visibility = Visibility::only(&message.channel);
        let shown = self.store.replies().words_shown_for(&visibility, &message.channel, answer.ts).await?;
        let candidates = self.candidates(&shown.unwrap_or_default(), message, said, &answer.text);
        let wrong = match (candidates.as_slice(), choice) {
            ([], None) => return Ok(None),
            ([only], None) => Some(only),
            ([first, second, ..], None) => {
                let values =
                    json!({ "first": place.shown(&first.wrong), "second": place.shown(&second.wrong) });
                return Ok(Some(phrase_with(language, "told-which", &values)));
            }
            (all, Some(ToldChoice { meant, .. })) => {
                let meant = comparable(meant.as_deref().unwrap_or_default());
                all.iter().find(|candidate| comparable(&place.shown(&candidate.wrong)) == meant)
            }
        };
        let Some(wrong) = wrong else { return Ok(Some(phrase(language, "told-unclear").to_owned())) };
        let day = message.ts.to_timestamp().to_zoned(self.config.locale.timezone.clone()).date();
        let told = ToldCorrection {
            channel: message.channel.clone(),
            ts: message.ts,
            chosen_in: choice.as_ref().map(|choice| choice.message.ts),
            user: message.user.clone(),
            actor: place.name_of(&message.user),
            revision: place.revision,
            wrong: wrong.wrong.clone(),
            right: wrong.right.clone(),
            mark: mark_of_day(day, language),
        };
        if !memory.put_right_as_told(&told, self.clock.now()).await? {
            return Ok(None);
        }
        tracing::info!(reply = %reply.id, channel = %message.channel, "somebody put right what was answered");
        Ok(Some(phrase_with(language, "told-right", &json!({ "words": place.shown(&wrong.right) }))))
    }
}

impl Answering {
    /// The statements that may be wrong, each once; where the answer said some of them as they stand, only these. What
    /// only objects to something ("No, Thursday") says nothing by itself, unless the answer said it.
    fn candidates(
        &self,
        shown: &ShownWords,
        message: &Message,
        said: &SaidRight,
        answer: &str,
    ) -> Vec<WrongAndRight> {
        let answered = comparable(answer);
        let earlier = shown.messages.iter().filter(|one| one.ts < message.ts && !self.is_own(one));
        let talk = earlier.flat_map(|one| statements_said(&one.text));
        let remembered = shown.texts.iter().flat_map(|text| statements_of_text(text));
        let mut found: BTreeMap<String, WrongAndRight> = BTreeMap::new();
        for wrong in talk.chain(remembered) {
            let Some(right) = said.put_into(&wrong, answer) else { continue };
            let key = comparable(&wrong);
            let is_quoted = answered.contains(&key);
            if !is_quoted && SaidRight::of_message(&wrong).is_some() {
                continue;
            }
            found.entry(key).or_insert(WrongAndRight { wrong, right, is_quoted });
        }
        let is_any_quoted = found.values().any(|candidate| candidate.is_quoted);
        found.into_values().filter(|candidate| candidate.is_quoted || !is_any_quoted).collect()
    }

    fn is_own(&self, message: &Message) -> bool {
        self.attention.own.is(&message.user)
    }
}

fn comparable(words: &str) -> String {
    letters_and_digits(&fold_for_comparison(words))
}
