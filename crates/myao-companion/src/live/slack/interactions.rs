//! Answers commands, buttons, shortcuts and forms, each once (ADR 120).
//!
//! What is to be done stands in the database. One worker for each person who asks takes their rows in order: it composes
//! the answer, notes that it is about to be sent, sends it, and ends the row. An answer for one person cannot be looked up
//! at Slack, so it is not sent again after a crash; the person is told that it may be missing. What is shown in a window
//! can be shown again without harm (`in_window`, ADR 123).

mod in_home;
mod in_window;
mod votes;

use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
    time::Duration,
};

use jiff::{SignedDuration, Timestamp};
use myao_core::chat::{ChannelId, InteractionRequest, RefusedInteraction, UserId, instant_after};
use myao_slack::{
    api::Client,
    directory::Directory,
    private_answer::{PrivateAnswer, PrivateAnswerError, TAKES_ANSWERS_FOR},
};
use myao_store::{Claim, InteractionOutcome, InteractionState, OpenInteraction, StoreError};
use tokio::task::{self, JoinSet};

use super::{
    homes::ShownHomes,
    person_sight::{AskedAt, PersonSights, SightError},
    windows::Windows,
};
use crate::{
    commands::{CommandAsker, Commands},
    keeper::Lease,
    live::{LiveError, RunContext, looks_every},
};

/// People whose requests are worked on at once.
const MOST_AT_ONCE: usize = 16;
/// How long somebody's requests are left alone while another process works on them, or after the database failed.
const LEFT_ALONE: SignedDuration = SignedDuration::from_secs(2);
/// The same after a worker died: what killed it would likely kill the next one.
const LEFT_AFTER_DEATH: SignedDuration = SignedDuration::from_mins(10);

/// What answers in private are made and sent with.
pub(super) struct PrivateAnswering {
    pub(super) shared: Arc<RunContext>,
    pub(super) client: Client,
    pub(super) directory: Arc<Directory>,
    pub(super) sights: Arc<PersonSights>,
    pub(super) windows: Arc<Windows>,
    pub(super) homes: ShownHomes,
}

/// How one thing that was asked goes on.
enum RequestProgress {
    /// Nothing is left to do.
    Over(InteractionOutcome),
    /// Another process may be at it: it is looked at again in a while.
    Later,
}

impl PrivateAnswering {
    /// What answers somebody, in their language.
    async fn commands_for(&self, user: &UserId) -> Result<Commands<'_>, StoreError> {
        let RunContext { config, store, clock, asker, .. } = &*self.shared;
        let language = store.interactions().preferred_language(user).await?;
        let language = language.unwrap_or(config.locale.language);
        Ok(Commands { config, store, clock: &**clock, language, asker })
    }
}

/// Answers what is asked by commands and buttons, until the run is to end; what is being answered then is finished.
pub(super) async fn answer_in_private(slack: Arc<PrivateAnswering>) -> Result<(), LiveError> {
    let shared = Arc::clone(&slack.shared);
    let mut desk = AskersAtWork::default();
    while !shared.stop.is_cancelled() {
        let interval = Duration::from_secs(shared.config.response.check_interval_seconds);
        let mut again = instant_after(shared.clock.steady(), looks_every(&shared.store, interval));
        match desk.take_up(&slack).await {
            Ok(Some(sooner)) => again = again.min(sooner),
            Ok(None) => {}
            Err(error) => {
                tracing::error!(%error, "it could not be read what people ask by commands");
                again = instant_after(shared.clock.steady(), LEFT_ALONE);
            }
        }
        tokio::select! {
            () = shared.stop.cancelled() => {}
            () = shared.bells.interactions.notified() => {}
            Some(ended) = desk.workers.join_next_with_id() => desk.put_down(&slack, ended),
            () = shared.clock.sleep_until_steady(again) => {}
        }
    }
    while let Some(ended) = desk.workers.join_next_with_id().await {
        desk.put_down(&slack, ended);
    }
    Ok(())
}

/// The people whose requests are worked on, and those that are left alone.
#[derive(Default)]
struct AskersAtWork {
    workers: JoinSet<bool>,
    busy: HashMap<task::Id, UserId>,
    /// Until when, in steady time.
    left_alone: HashMap<UserId, Timestamp>,
}

impl AskersAtWork {
    /// Puts workers on what waits; returns when somebody who is left alone has their turn again.
    async fn take_up(&mut self, slack: &Arc<PrivateAnswering>) -> Result<Option<Timestamp>, StoreError> {
        let now = slack.shared.clock.steady();
        self.left_alone.retain(|_, until| *until > now);
        let busy: BTreeSet<UserId> = self.busy.values().cloned().collect();
        for asker in slack.shared.store.interactions().askers().await? {
            let is_free = !busy.contains(&asker) && !self.left_alone.contains_key(&asker);
            if is_free && self.busy.len() < MOST_AT_ONCE {
                let slack = Arc::clone(slack);
                let user = asker.clone();
                let task = self.workers.spawn(async move { work_for(&slack, &user).await });
                self.busy.insert(task.id(), asker);
            }
        }
        Ok(self.left_alone.values().copied().min())
    }

    fn put_down(&mut self, slack: &PrivateAnswering, ended: Result<(task::Id, bool), task::JoinError>) {
        let (id, left_for) = match ended {
            Ok((id, true)) => (id, None),
            Ok((id, false)) => (id, Some(LEFT_ALONE)),
            Err(died) => {
                tracing::error!(%died, "an answer to a command died half-way");
                (died.id(), Some(LEFT_AFTER_DEATH))
            }
        };
        if let (Some(user), Some(span)) = (self.busy.remove(&id), left_for) {
            self.left_alone.insert(user, instant_after(slack.shared.clock.steady(), span));
        }
    }
}

/// Does what somebody asks until nothing is left. `false` if it has to be left alone for a while.
async fn work_for(slack: &PrivateAnswering, user: &UserId) -> bool {
    match work_under_lease(slack, user).await {
        Ok(is_done) => is_done,
        Err(error) => {
            tracing::error!(%error, "the database failed while a command was answered");
            false
        }
    }
}

async fn work_under_lease(slack: &PrivateAnswering, user: &UserId) -> Result<bool, StoreError> {
    let shared = &slack.shared;
    let subject = shared.store.interactions().subject(user);
    let Some(lease) = Lease::take(&shared.store, &shared.clock, &subject).await? else { return Ok(false) };
    let worked = work_on_requests(slack, &lease.claim, user).await;
    let released = lease.release().await;
    released.and(worked)
}

/// `false` if what is next has to be left alone for a while.
async fn work_on_requests(
    slack: &PrivateAnswering,
    claim: &Claim,
    user: &UserId,
) -> Result<bool, StoreError> {
    let shared = &slack.shared;
    while !shared.stop.is_cancelled() {
        let Some(open) = shared.store.interactions().next_of(user).await? else { return Ok(true) };
        let progress = match &open.interaction.request {
            InteractionRequest::Shortcut { .. } => {
                in_window::answer_in_new_window(slack, claim, &open).await?
            }
            InteractionRequest::Button { action, .. } if Commands::place_of_window(action).is_some() => {
                in_window::answer_in_new_window(slack, claim, &open).await?
            }
            InteractionRequest::HomeOpened => in_home::show_home(slack, claim, &open).await?,
            // No window of ours has buttons.
            InteractionRequest::Button { .. } if open.interaction.view.is_some() => {
                in_home::show_home(slack, claim, &open).await?
            }
            InteractionRequest::Vote { ts, vote } => {
                votes::note_vote(slack, &open, *ts, *vote).await?;
                RequestProgress::Over(work_on_request(slack, claim, &open).await?)
            }
            _ if open.interaction.view.is_some() => in_window::answer_form(slack, claim, &open).await?,
            InteractionRequest::Command { .. }
            | InteractionRequest::Button { .. }
            | InteractionRequest::Submission { .. }
            | InteractionRequest::Refused { .. } => {
                RequestProgress::Over(work_on_request(slack, claim, &open).await?)
            }
        };
        let RequestProgress::Over(outcome) = progress else { return Ok(false) };
        let key = &open.interaction.key;
        shared.store.interactions().end(claim, key, outcome, shared.clock.now()).await?;
    }
    Ok(true)
}

/// Takes one request as far as it goes, and says how it ended.
async fn work_on_request(
    slack: &PrivateAnswering,
    claim: &Claim,
    open: &OpenInteraction,
) -> Result<InteractionOutcome, StoreError> {
    let shared = &slack.shared;
    let half_hour = SignedDuration::try_from(TAKES_ANSWERS_FOR).unwrap_or(SignedDuration::ZERO);
    if instant_after(open.arrived_at, half_hour) <= shared.clock.now() {
        return Ok(InteractionOutcome::Late);
    }
    let (answer, from, to, success) = match open.state {
        InteractionState::Waiting => {
            let Composed { answer, is_refusal } = compose(slack, open).await?;
            let success = if is_refusal { InteractionOutcome::Refused } else { InteractionOutcome::Answered };
            (answer, InteractionState::Waiting, InteractionState::Answering, success)
        }
        InteractionState::Answering => {
            let commands = slack.commands_for(&open.interaction.user).await?;
            let answer = PrivateAnswer::of_words(commands.phrase("command-interrupted"));
            let told = InteractionState::Told;
            (answer, InteractionState::Answering, told, InteractionOutcome::Uncertain)
        }
        InteractionState::Told | InteractionState::Over => return Ok(InteractionOutcome::Uncertain),
    };
    let key = &open.interaction.key;
    if !shared.store.interactions().advance(claim, key, from, to).await? {
        return Ok(InteractionOutcome::Uncertain);
    }
    Ok(send_in_private(slack, open, &answer).await.unwrap_or(success))
}

/// Sends an answer to the address that came with what was asked, if one did. `None` if Slack took it.
async fn send_in_private(
    slack: &PrivateAnswering,
    open: &OpenInteraction,
    answer: &PrivateAnswer,
) -> Option<InteractionOutcome> {
    let address = open.interaction.answer_to.as_ref()?;
    let error = slack.client.answer_in_private(address, answer).await.err()?;
    tracing::warn!(%error, "a command was not answered");
    Some(match error {
        PrivateAnswerError::Refused(_) => InteractionOutcome::Failed,
        PrivateAnswerError::Uncertain(_) => InteractionOutcome::Uncertain,
    })
}

/// An answer before it is sent.
struct Composed {
    answer: PrivateAnswer,
    /// Whether nothing was done for it.
    is_refusal: bool,
}

impl Composed {
    fn refusal(text: &str) -> Self {
        Self { answer: PrivateAnswer::of_words(text), is_refusal: true }
    }
}

/// Does what a request asks and composes the answer, through the eyes of whoever asks at this moment.
async fn compose(slack: &PrivateAnswering, open: &OpenInteraction) -> Result<Composed, StoreError> {
    let interaction = &open.interaction;
    let commands = slack.commands_for(&interaction.user).await?;
    if let InteractionRequest::Refused { why } = interaction.request {
        return Ok(Composed::refusal(commands.phrase(match why {
            RefusedInteraction::Foreign => "command-foreign",
            RefusedInteraction::Unknown => "command-unknown-button",
        })));
    }
    if let InteractionRequest::Vote { .. } = interaction.request {
        let answer = PrivateAnswer::of_words(commands.phrase("vote-noted"));
        return Ok(Composed { answer, is_refusal: false });
    }
    let Some(asker) = asker_of(slack, &interaction.user, interaction.channel.as_ref()).await? else {
        return Ok(Composed::refusal(commands.phrase("command-sight-unknown")));
    };
    let answer = match &interaction.request {
        InteractionRequest::Command { text, .. } => commands.answer(&asker, text).await?,
        InteractionRequest::Button { action, value } => commands.press(&asker, action, value).await?,
        InteractionRequest::Vote { .. }
        | InteractionRequest::Shortcut { .. }
        | InteractionRequest::Submission { .. }
        | InteractionRequest::HomeOpened
        | InteractionRequest::Refused { .. } => {
            return Ok(Composed::refusal(commands.phrase("command-unknown-button")));
        }
    };
    Ok(Composed { answer, is_refusal: false })
}

/// Who asks, and what they may see at this moment; `None` if that cannot be found out.
async fn asker_of(
    slack: &PrivateAnswering,
    user: &UserId,
    channel: Option<&ChannelId>,
) -> Result<Option<CommandAsker>, StoreError> {
    let shared = &slack.shared;
    let place = AskedAt { user, channel };
    match slack.sights.asker(&slack.directory, &shared.store, &*shared.clock, &place).await {
        Ok(asker) => Ok(Some(asker)),
        Err(SightError::Store(error)) => Err(error),
        Err(error @ (SightError::Slack(_) | SightError::Unknown)) => {
            tracing::warn!(%error, "it is not known what somebody who asks may see");
            Ok(None)
        }
    }
}
