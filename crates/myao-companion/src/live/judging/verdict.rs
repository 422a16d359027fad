//! Has a model judge one pause.

use jiff::SignedDuration;
use myao_core::{
    chat::instant_after,
    judgment::Verdict,
    mandate::Origins,
    ports::{BudgetKind, ModelError},
    prompt::Fragments,
    wording::PromptTask,
};
use myao_store::{Claim, Decided, ReplyInputs, StoreError, VerdictDraft, VerdictOutcome};

use super::{Judging, UpcomingJudgment, manners_in_channel};
use crate::{
    ask::{AskError, CallSubject, DataAnswer},
    borrowed_words::telling_among_borrowed,
    companion::{Companion, CompanionError},
};

/// Stands in the ledger for a reason that is not kept.
const BORROWED_REASON: &str = "(the model's reason repeated words of other places and was not kept)";

/// What came of a pause.
pub(super) enum Judged {
    /// It was decided about, or somebody spoke meanwhile.
    Decided(Decided),
    /// The day's budget has nothing left.
    Spent,
    /// The place's own budget has nothing left, or what places without one share.
    PlaceSpent,
    /// The program is stopping.
    Stopped,
}

/// Why there is no verdict.
#[derive(Debug, thiserror::Error)]
enum NoVerdict {
    /// The prompt could not be made: nobody was asked.
    #[error(transparent)]
    Prompt(#[from] CompanionError),
    /// No model gave one.
    #[error(transparent)]
    Model(#[from] AskError),
}

impl Judging {
    /// Has a pause judged, and writes what was decided.
    pub(super) async fn judge_pause(
        &self,
        claim: &Claim,
        ready: UpcomingJudgment,
    ) -> Result<Judged, StoreError> {
        if self.stop.is_cancelled() {
            return Ok(Judged::Stopped);
        }
        let mut draft = VerdictDraft {
            place: ready.place.clone(),
            latest_ts: ready.pause.latest_ts,
            wait: ready.wait,
            outcome: VerdictOutcome::Failed { reason: String::new() },
            model: String::new(),
            calls: Vec::new(),
            shown_from: None,
            read_revision: None,
            inputs: ReplyInputs::default(),
        };
        match self.ask_model(&ready, &mut draft).await {
            Ok((verdict, origins)) => {
                draft.outcome = self.outcome_of_verdict(&ready, verdict).await?;
                self.keep_to_own_words(&ready, &origins, &mut draft.outcome).await?;
            }
            Err(NoVerdict::Model(AskError::Stopped)) => return Ok(Judged::Stopped),
            Err(
                NoVerdict::Model(AskError::Store(error)) | NoVerdict::Prompt(CompanionError::Store(error)),
            ) => return Err(error),
            Err(NoVerdict::Model(ref error @ AskError::Budget { no_room, .. })) => {
                tracing::info!(%error, channel = %ready.place.channel, "judgments wait for tomorrow");
                // Where something is set aside for other places, these go on.
                let is_of_all = no_room.budget == BudgetKind::Day;
                return Ok(if is_of_all { Judged::Spent } else { Judged::PlaceSpent });
            }
            Err(
                error @ (NoVerdict::Model(AskError::Model { .. })
                | NoVerdict::Prompt(CompanionError::Unknown(_) | CompanionError::Compose(_))),
            ) => draft.outcome = VerdictOutcome::Failed { reason: error.to_string() },
        }
        if let VerdictOutcome::Failed { reason } = &draft.outcome {
            tracing::warn!(channel = %ready.place.channel, reason, "a judgment failed");
        }
        Ok(Judged::Decided(self.store.replies().write_verdict(claim, draft, self.clock.now()).await?))
    }

    /// Asks the model, and a second time with half of the memories and of the conversation if the prompt is too
    /// long for it. What the prompt was made from goes into the draft.
    async fn ask_model(
        &self,
        ready: &UpcomingJudgment,
        draft: &mut VerdictDraft,
    ) -> Result<(Verdict, Origins), NoVerdict> {
        let companion = Companion {
            store: &self.store,
            clock: &*self.clock,
            templates: &self.templates,
            config: &self.config,
            asker: Some(&self.asker),
        };
        let whole = usize::try_from(self.config.prompt.max_tokens).unwrap_or(usize::MAX);
        let about = CallSubject {
            channel: Some(ready.place.channel.clone()),
            thread: ready.place.thread,
            is_passing: false,
            answer_by: None,
        };
        let place = companion.gather(ready.place.clone(), whole, None).await?;
        draft.read_revision = Some(place.revision);
        let mut room = whole;
        loop {
            let composed = place.compose(PromptTask::Judgment, Fragments::default(), room);
            let composed = composed.map_err(CompanionError::from)?;
            draft.shown_from = composed.prompt.talk.first().map(|line| line.ts);
            draft.inputs = composed.inputs;
            let origins = composed.origins;
            match self.asker.ask_for_json::<Verdict>(&composed.prompt.into_judgment(), &about).await {
                Ok(DataAnswer { value, model, records }) => {
                    draft.model = model;
                    draft.calls = records;
                    return Ok((value.bounded(), origins));
                }
                Err(AskError::Model { error: ModelError::TooLong(_), .. }) if room == whole => room /= 2,
                Err(error) => {
                    if let AskError::Model { model, .. } = &error {
                        draft.model.clone_from(model);
                    }
                    return Err(error.into());
                }
            }
        }
    }

    /// Puts [`BORROWED_REASON`] in place of a reason that repeats words of other places: the ledger is read where those
    /// may not be seen.
    async fn keep_to_own_words(
        &self,
        ready: &UpcomingJudgment,
        origins: &Origins,
        outcome: &mut VerdictOutcome,
    ) -> Result<(), StoreError> {
        let Some(reason) = outcome.reason_mut() else { return Ok(()) };
        let borrowed = origins.borrowed(reason);
        if !telling_among_borrowed(&self.store, Some(&ready.place.channel), borrowed).await?.is_empty() {
            BORROWED_REASON.clone_into(reason);
        }
        Ok(())
    }

    async fn outcome_of_verdict(
        &self,
        ready: &UpcomingJudgment,
        verdict: Verdict,
    ) -> Result<VerdictOutcome, StoreError> {
        let Verdict { should_respond, reason, confidence, delay_seconds } = verdict;
        let now = self.clock.now();
        let (places, channel) = (&self.config.places, &ready.place.channel);
        let of_place = manners_in_channel(&self.store, places, &self.manners, channel).await?;
        // Where nothing is to be said unasked from now on, the reply is declined when it is due.
        let manners = of_place.as_ref().unwrap_or(&self.manners);
        if !should_respond {
            return Ok(VerdictOutcome::Quiet {
                reason,
                confidence,
                until: instant_after(now, manners.hold(confidence, ready.before)),
            });
        }
        let delay = SignedDuration::try_from_secs_f64(delay_seconds.unwrap_or_default());
        let earliest = manners.not_quiet(instant_after(now, delay.unwrap_or_default()));
        let interval = manners.interval(&ready.place, ready.pause.latest_ts);
        Ok(VerdictOutcome::Speak { reason, confidence, earliest, interval })
    }
}
