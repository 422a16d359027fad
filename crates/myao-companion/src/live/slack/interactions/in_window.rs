//! Answers entries of a message's menu, buttons that open a window, and forms, in windows (ADR 123).
//!
//! A window was opened when the request arrived ([`super::super::windows`]), or was there before; here it is filled in. It
//! can be found by the name that we gave it, so whoever takes over after a crash fills it in as well, and showing the same
//! once more does no harm. Where there is none, the answer goes where answers to commands go, at most once.

use jiff::SignedDuration;
use myao_core::chat::{InteractionRequest, InteractionView, RefusedInteraction, instant_after};
use myao_slack::{
    api::ApiError,
    modal::{Modal, ModalAddress},
    private_answer::PrivateAnswer,
};
use myao_store::{Claim, InteractionOutcome, InteractionState, OpenInteraction, StoreError};

use super::{PrivateAnswering, RequestProgress, asker_of, send_in_private};
use crate::{
    commands::{Commands, Screen},
    live::slack::windows::name_of_window,
};

/// How long the process that heard a request is given to open its window, before another one answers it.
const OPENED_WITHIN: SignedDuration = SignedDuration::from_secs(5);
/// How long Slack may take to show what stands in an acknowledgement.
const ACKNOWLEDGED_WITHIN: SignedDuration = SignedDuration::from_secs(1);

/// What came of showing something in a window.
enum WindowOutcome {
    Yes,
    /// There is no such window: it was never opened, or the person has closed it.
    NoWindow,
    /// It is not known, or not now.
    No,
}

/// A screen, and whether nothing was done for it.
struct ComposedScreen {
    screen: Screen,
    is_refusal: bool,
}

impl ComposedScreen {
    const fn outcome(&self) -> InteractionOutcome {
        if self.is_refusal { InteractionOutcome::Refused } else { InteractionOutcome::Answered }
    }
}

/// Answers an entry of a message's menu, or a button that opens a window: neither changes anything.
pub(super) async fn answer_in_new_window(
    slack: &PrivateAnswering,
    claim: &Claim,
    open: &OpenInteraction,
) -> Result<RequestProgress, StoreError> {
    let shared = &slack.shared;
    let key = &open.interaction.key;
    let window = match slack.windows.take(key).await {
        Some(Some(shown)) => Some((ModalAddress::Id(shown.id), Some(shown.hash))),
        Some(None) => None,
        // It was heard by another process, or by one that died.
        None if instant_after(open.arrived_at, OPENED_WITHIN) > shared.clock.now() => {
            return Ok(RequestProgress::Later);
        }
        None => Some((ModalAddress::Ours(name_of_window(key)), None)),
    };
    let composed = compose_new_window(slack, open).await?;
    let outcome = composed.outcome();
    let interactions = shared.store.interactions();
    let waiting = open.state == InteractionState::Waiting;
    let (answering, told) = (InteractionState::Answering, InteractionState::Told);
    if waiting && !interactions.advance(claim, key, InteractionState::Waiting, answering).await? {
        return Ok(RequestProgress::Over(InteractionOutcome::Uncertain));
    }
    let was_opened = matches!(&window, Some((ModalAddress::Id(_), _)));
    if let Some((address, hash)) = window {
        let modal = slack.commands_for(&open.interaction.user).await?.window_of(&composed.screen);
        match fill(slack, &address, hash.as_deref(), &modal).await {
            WindowOutcome::Yes => return Ok(RequestProgress::Over(outcome)),
            // Who closes the window does not want the answer elsewhere.
            WindowOutcome::NoWindow if was_opened => {
                return Ok(RequestProgress::Over(InteractionOutcome::Failed));
            }
            WindowOutcome::NoWindow => {}
            WindowOutcome::No => return Ok(RequestProgress::Over(InteractionOutcome::Uncertain)),
        }
    }
    // A button of the Home tab comes without an address for answers.
    if open.interaction.answer_to.is_none() {
        return Ok(RequestProgress::Over(InteractionOutcome::Failed));
    }
    if waiting {
        let failed = send_in_private(slack, open, &composed.screen.into_answer()).await;
        return Ok(RequestProgress::Over(failed.unwrap_or(outcome)));
    }
    if open.state == answering && interactions.advance(claim, key, answering, told).await? {
        let commands = slack.commands_for(&open.interaction.user).await?;
        let answer = PrivateAnswer::of_words(commands.phrase("command-interrupted"));
        send_in_private(slack, open, &answer).await;
    }
    Ok(RequestProgress::Over(InteractionOutcome::Uncertain))
}

/// Does what a form stands for, or what was done in a window that we do not know, and shows there what came of it.
pub(super) async fn answer_form(
    slack: &PrivateAnswering,
    claim: &Claim,
    open: &OpenInteraction,
) -> Result<RequestProgress, StoreError> {
    let key = &open.interaction.key;
    let Some(view) = &open.interaction.view else {
        return Ok(RequestProgress::Over(InteractionOutcome::Failed));
    };
    let commands = slack.commands_for(&open.interaction.user).await?;
    let composed = if open.state == InteractionState::Waiting {
        compose_form(slack, open).await?
    } else {
        let name = name_of_form(open);
        let screen = commands.screen_of_words(name, commands.phrase("window-done-before"));
        ComposedScreen { screen, is_refusal: false }
    };
    let (waiting, answering) = (InteractionState::Waiting, InteractionState::Answering);
    let interactions = slack.shared.store.interactions();
    if open.state == waiting && !interactions.advance(claim, key, waiting, answering).await? {
        return Ok(RequestProgress::Over(InteractionOutcome::Uncertain));
    }
    let modal = commands.window_of(&composed.screen);
    Ok(RequestProgress::Over(match fill_over_acknowledgement(slack, view, &modal).await {
        WindowOutcome::Yes => composed.outcome(),
        WindowOutcome::NoWindow => InteractionOutcome::Failed,
        WindowOutcome::No => InteractionOutcome::Uncertain,
    }))
}

const fn name_of_form(open: &OpenInteraction) -> &str {
    match &open.interaction.request {
        InteractionRequest::Submission { name, .. } => name.as_str(),
        InteractionRequest::Command { .. }
        | InteractionRequest::Button { .. }
        | InteractionRequest::Vote { .. }
        | InteractionRequest::Shortcut { .. }
        | InteractionRequest::HomeOpened
        | InteractionRequest::Refused { .. } => "",
    }
}

async fn compose_new_window(
    slack: &PrivateAnswering,
    open: &OpenInteraction,
) -> Result<ComposedScreen, StoreError> {
    let interaction = &open.interaction;
    let commands = slack.commands_for(&open.interaction.user).await?;
    let (name, ts) = match &interaction.request {
        InteractionRequest::Shortcut { name, ts } => (name, *ts),
        InteractionRequest::Button { action, .. } => return compose_for_button(slack, open, action).await,
        InteractionRequest::Command { .. }
        | InteractionRequest::Vote { .. }
        | InteractionRequest::Submission { .. }
        | InteractionRequest::HomeOpened
        | InteractionRequest::Refused { .. } => {
            return Ok(refusal(&commands, "", "command-unknown-button"));
        }
    };
    let Some(asker) = asker_of(slack, &interaction.user, interaction.channel.as_ref()).await? else {
        return Ok(refusal(&commands, name, "command-sight-unknown"));
    };
    let answered = match &interaction.channel {
        Some(channel) => commands.use_shortcut(&asker, name, channel, ts).await?,
        None => None,
    };
    Ok(match answered {
        Some(screen) => ComposedScreen { screen, is_refusal: false },
        None => refusal(&commands, name, "command-unknown-button"),
    })
}

async fn compose_for_button(
    slack: &PrivateAnswering,
    open: &OpenInteraction,
    action: &str,
) -> Result<ComposedScreen, StoreError> {
    let commands = slack.commands_for(&open.interaction.user).await?;
    let Some(place) = Commands::place_of_window(action) else {
        return Ok(refusal(&commands, action, "command-unknown-button"));
    };
    let Some(asker) = asker_of(slack, &open.interaction.user, Some(&place)).await? else {
        return Ok(refusal(&commands, action, "command-sight-unknown"));
    };
    Ok(ComposedScreen { screen: commands.open_window(&asker, &place).await?, is_refusal: false })
}

async fn compose_form(
    slack: &PrivateAnswering,
    open: &OpenInteraction,
) -> Result<ComposedScreen, StoreError> {
    let interaction = &open.interaction;
    let commands = slack.commands_for(&open.interaction.user).await?;
    let (name, note, values) = match &interaction.request {
        InteractionRequest::Submission { name, note, values } => (name, note, values),
        InteractionRequest::Refused { why: RefusedInteraction::Foreign } => {
            return Ok(refusal(&commands, "", "command-foreign"));
        }
        InteractionRequest::Command { .. }
        | InteractionRequest::Button { .. }
        | InteractionRequest::Vote { .. }
        | InteractionRequest::Shortcut { .. }
        | InteractionRequest::HomeOpened
        | InteractionRequest::Refused { why: RefusedInteraction::Unknown } => {
            return Ok(refusal(&commands, "", "command-unknown-button"));
        }
    };
    let channel = Commands::channel_of_form(note);
    let Some(asker) = asker_of(slack, &interaction.user, channel.as_ref()).await? else {
        return Ok(refusal(&commands, name, "command-sight-unknown"));
    };
    Ok(match commands.submit(&asker, name, note, values).await? {
        Some(screen) => ComposedScreen { screen, is_refusal: false },
        None => refusal(&commands, name, "command-unknown-button"),
    })
}

fn refusal(commands: &Commands<'_>, name: &str, key: &'static str) -> ComposedScreen {
    ComposedScreen { screen: commands.screen_of_words(name, commands.phrase(key)), is_refusal: true }
}

/// Shows something in the window from which a form was sent. Our acknowledgement replaces what it shows, too, and Slack
/// does both in any order: what is shown where it was not replaced yet is shown once more afterwards.
async fn fill_over_acknowledgement(
    slack: &PrivateAnswering,
    view: &InteractionView,
    modal: &Modal,
) -> WindowOutcome {
    let address = ModalAddress::Id(view.id.clone());
    match slack.client.replace_modal(&address, Some(&view.hash), modal).await {
        Ok(_) => {
            let clock = &slack.shared.clock;
            clock.sleep_until(instant_after(clock.now(), ACKNOWLEDGED_WITHIN)).await;
            match fill(slack, &address, None, modal).await {
                // The person has read it and closed it.
                WindowOutcome::NoWindow => WindowOutcome::Yes,
                filled @ (WindowOutcome::Yes | WindowOutcome::No) => filled,
            }
        }
        Err(error) if error.refusal() == Some("hash_conflict") => fill(slack, &address, None, modal).await,
        Err(error) => filled_of_error(&error),
    }
}

/// Shows something in a window, once more where it is not known whether Slack took it.
async fn fill(
    slack: &PrivateAnswering,
    address: &ModalAddress,
    hash: Option<&str>,
    modal: &Modal,
) -> WindowOutcome {
    match slack.client.replace_modal(address, hash, modal).await {
        Ok(_) => WindowOutcome::Yes,
        Err(error) if error.may_pass() || error.refusal() == Some("hash_conflict") => {
            match slack.client.replace_modal(address, None, modal).await {
                Ok(_) => WindowOutcome::Yes,
                Err(error) => filled_of_error(&error),
            }
        }
        Err(error) => filled_of_error(&error),
    }
}

fn filled_of_error(error: &ApiError) -> WindowOutcome {
    if matches!(error.refusal(), Some("not_found" | "view_not_found")) {
        return WindowOutcome::NoWindow;
    }
    tracing::warn!(%error, "a window was not filled in");
    WindowOutcome::No
}
