//! Asks the judge about one moment in the past.

use std::collections::BTreeMap;

use myao_core::{
    chat::{Message, MessageTs},
    context::{ChannelMessages, Context},
    judgment::{Moment, Verdict},
    ports::Request,
    prompt::{Composer, Fragments, Prompt},
    wording::PromptTask,
};
use myao_model::Builtin;

use super::{Judge, Past, Replay};
use crate::ask::{AskError, CallSubject};

/// The least number of the channel's messages that a judge is shown beside the thread it judges.
const SHOWN: usize = 20;

/// The last verdict of `builtin` for each thread or the channel (`None`), with what it depends on: the message it was
/// about and the channel's newest message.
pub(super) type KnownVerdicts =
    BTreeMap<Option<MessageTs>, ((MessageTs, Option<MessageTs>), Option<Verdict>)>;

impl Replay<'_> {
    /// The verdict of `builtin`. It depends only on what was said, so that it is asked again only after new messages.
    fn ask_builtin(&self, past: &Past, moment: &Moment, known: &mut KnownVerdicts) -> Option<Verdict> {
        let now = MessageTs::from_timestamp(moment.at);
        let newest = past.messages.range(..=now).next_back().map(|(ts, _)| *ts);
        let place = moment.pause.thread;
        let about = (moment.pause.latest_ts, newest);
        if let Some((_, verdict)) = known.get(&place).filter(|(other, _)| *other == about) {
            return verdict.clone();
        }
        let said = self.request_to_judge(past, moment).and_then(|request| Builtin.answer(&request).ok());
        let verdict = said.and_then(|response| serde_json::from_str::<Verdict>(&response.text).ok());
        known.insert(place, (about, verdict.clone()));
        verdict
    }

    /// The verdict at a moment; `None` without a judge, or when it fails.
    pub(super) async fn verdict_at_moment(
        &self,
        past: &Past,
        moment: &Moment,
        known: &mut KnownVerdicts,
    ) -> Result<Option<Verdict>, AskError> {
        match &self.judge {
            Judge::Nobody => Ok(None),
            Judge::Builtin => Ok(self.ask_builtin(past, moment, known)),
            Judge::Model(asker) => {
                let Some(request) = self.request_to_judge(past, moment) else { return Ok(None) };
                let about = CallSubject {
                    channel: Some(past.channel.id.clone()),
                    thread: moment.pause.thread,
                    is_passing: false,
                    answer_by: None,
                };
                match asker.ask_for_json::<Verdict>(&request, &about).await {
                    Ok(data) => Ok(Some(data.value.bounded())),
                    Err(AskError::Model { model, error, .. }) => {
                        tracing::warn!(model, %error, "a judgment failed");
                        Ok(None)
                    }
                    Err(error @ (AskError::Budget { .. } | AskError::Stopped | AskError::Store(_))) => {
                        Err(error)
                    }
                }
            }
        }
    }

    /// The request to the judge; `None` when no prompt can be composed.
    fn request_to_judge(&self, past: &Past, moment: &Moment) -> Option<Request> {
        let context = Context {
            persona: self.config.persona.clone(),
            conversation_history: ChannelMessages::new(
                past.channel.clone(),
                self.messages_at_moment(past, moment),
            ),
            workspace_long_term_memory: None,
            channel_memories: BTreeMap::new(),
            thread_memories: Vec::new(),
            target_thread_ts: moment.pause.thread,
            memos: Vec::new(),
        };
        let composer = Composer {
            templates: self.templates,
            names: &past.names,
            zone: &self.config.locale.timezone,
            max_tokens: usize::try_from(self.config.prompt.max_tokens).unwrap_or(usize::MAX),
        };
        let prompt = composer.compose(&context, &[], moment.at, &PromptTask::Judgment, Fragments::default());
        prompt
            .inspect_err(|error| tracing::warn!(%error, "no prompt could be composed for a judgment"))
            .ok()
            .map(Prompt::into_judgment)
    }

    /// The channel's newest messages at that moment, and those of the thread with its root.
    fn messages_at_moment(&self, past: &Past, moment: &Moment) -> Vec<Message> {
        let now = MessageTs::from_timestamp(moment.at);
        let limit = |messages: u32| usize::try_from(messages).unwrap_or(usize::MAX).max(SHOWN);
        let newest = past.messages.range(..=now).rev().take(limit(self.config.response.message_limit));
        // An imported message may have a root that is later than itself.
        let root = moment.pause.thread.filter(|root| *root <= now);
        let thread = root.into_iter().flat_map(|root| {
            let replies = past.messages.range(root..=now).rev().filter(move |(_, m)| m.thread() == root);
            replies.take(limit(self.config.response.channel_messages_limit))
        });
        let root = root.into_iter().filter_map(|root| past.messages.get_key_value(&root));
        newest.chain(thread).chain(root).map(|(_, message)| message.clone()).collect()
    }
}
