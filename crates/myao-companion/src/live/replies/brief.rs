//! Answers who asks what they missed: "what did I miss?", 「不在の間に何があった？」 (specification §5, ADR 140).
//!
//! The message is read by words alone, and the brief is made without a model, from what the place sees: whoever is in it
//! reads the answer. What is shown becomes an input of the reply, so that it is made anew if any of it moves meanwhile.

use std::fmt::Write as _;

use myao_core::{
    chat::{ChannelId, Message, MessageTs, Visibility},
    recall::{RecallFilter, brief::BriefWish},
};
use myao_slack::private_answer::AnswerLine;
use myao_store::{ReplyInput, ReplyInputs, StoreError, WantedReply};

use super::{Answering, drafting::Drafted};
use crate::{
    brief::{Brief, BriefOrder, make_brief},
    companion::PlaceSnapshot,
};

impl Answering {
    /// The brief that a message asks for; `None` if none of those that wait asks for one.
    pub(super) async fn brief_as_asked(
        &self,
        place: &PlaceSnapshot<'_>,
        reply: &WantedReply,
        inputs: &ReplyInputs,
    ) -> Result<Option<Drafted>, StoreError> {
        let zone = &self.config.locale.timezone;
        let now = self.clock.now();
        // Of who opted out nothing is looked up.
        let mut waiting = place.waiting_messages().filter(|_| !place.is_passing);
        let Some((message, wish)) = waiting.find_map(|m| Some((m, BriefWish::of_talk(&m.text, now, zone)?)))
        else {
            return Ok(None);
        };
        let channel = &reply.place.channel;
        let visibility = self.visibility_for_answer(place, channel).await?;
        let order = BriefOrder {
            visibility: &visibility,
            user: &message.user,
            wish: &wish,
            place: Some(channel),
            now,
            zone,
            language: self.templates.language(),
        };
        let mut brief = make_brief(&self.store, order).await?;
        // What waits for this answer is no news.
        brief.asked.retain(|asked| asked.ts != message.ts || asked.channel != message.channel);
        let mut shown = inputs.clone();
        shown.extend(self.inputs_of(&visibility, &mut brief).await?);
        let team_url = self.store.archive().team_url().await?;
        let text = as_talk(&brief, &order, team_url.as_deref());
        tracing::info!(reply = %reply.id, %channel, "somebody asked what they missed");
        Ok(Some(Drafted::without_model(place, message, shown, text)))
    }

    /// What a brief shows, as inputs of its reply. What has moved since it was read is left out of it.
    async fn inputs_of(&self, visibility: &Visibility, brief: &mut Brief) -> Result<ReplyInputs, StoreError> {
        let mut inputs = ReplyInputs::default();
        for messages in [&mut brief.asked, &mut brief.decided] {
            let mut kept = Vec::new();
            for message in messages.drain(..) {
                let filter = only(&message.channel, message.ts);
                let (found, shown) = self.store.replies().recent_for_reply(visibility, &filter, 1).await?;
                let stands = |found: &Message| found.ts == message.ts && found.text == message.text;
                if found.iter().any(|found| found.text.as_message().is_some_and(stands)) {
                    inputs.extend(shown);
                    kept.push(message);
                }
            }
            *messages = kept;
        }
        for change in &brief.changed {
            for line in [&change.was, &change.is] {
                inputs.add(ReplyInput::Memory { channel: Some(line.channel.clone()), step: line.step });
            }
        }
        Ok(inputs)
    }
}

/// Lets only the message with this address through.
fn only(channel: &ChannelId, ts: MessageTs) -> RecallFilter {
    RecallFilter {
        channels: vec![channel.clone()],
        since: Some(ts),
        before: Some(MessageTs::from_micros(ts.as_micros().saturating_add(1))),
        ..RecallFilter::default()
    }
}

/// A brief as an answer in talk.
fn as_talk(brief: &Brief, order: &BriefOrder<'_>, team_url: Option<&str>) -> String {
    let mut text = brief.heading(order);
    for section in brief.sections(order, team_url) {
        let _written = write!(text, "\n**{}**", section.heading);
        for AnswerLine { label, address, text: words } in section.lines {
            let label = match (label, address) {
                (Some(label), Some(address)) => format!("[{label}]({address}) "),
                (Some(label), None) => format!("{label} "),
                (None, _) => String::new(),
            };
            let _written = write!(text, "\n- {label}{words}");
        }
    }
    text
}
