//! Shows people their Home tab (ADR 124): what they may see at this moment, in place of what they saw.
//!
//! It changes nothing but what its person wishes, so it may be shown again after a crash. Whoever
//! shows it holds the claim on that person, and says which tab it replaces; where another one was shown meanwhile, it is
//! made anew.

use myao_core::chat::{InteractionRequest, UserId};
use myao_slack::home::HomeTab;
use myao_store::{Claim, InteractionOutcome, InteractionState, OpenInteraction, StoreError};

use super::{PrivateAnswering, RequestProgress, SightError};
use crate::commands::{HomeChange, HomeWish};

/// How often it is made anew where another one was shown meanwhile.
const MOST_TRIES: u32 = 3;
/// Shows somebody their Home tab, because they opened it or pressed a button in it.
pub(super) async fn show_home(
    slack: &PrivateAnswering,
    claim: &Claim,
    open: &OpenInteraction,
) -> Result<RequestProgress, StoreError> {
    let (user, key) = (&open.interaction.user, &open.interaction.key);
    let interactions = slack.shared.store.interactions();
    let wish = wish_of(&open.interaction.request);
    let mut hash =
        open.interaction.view.as_ref().map(|view| view.hash.clone()).filter(|hash| !hash.is_empty());
    let mut state = open.state;
    for _ in 0..MOST_TRIES {
        let (tab, is_done) = compose(slack, user, wish.as_ref()).await?;
        // Only whoever holds the claim shows anything.
        if !interactions.advance(claim, key, state, InteractionState::Answering).await? {
            return Ok(RequestProgress::Over(InteractionOutcome::Uncertain));
        }
        state = InteractionState::Answering;
        let error = match slack.client.publish_home(user.as_str(), hash.as_deref(), &tab).await {
            Ok(shown) => {
                slack.homes.note(user, shown);
                let outcome =
                    if is_done { InteractionOutcome::Answered } else { InteractionOutcome::Refused };
                return Ok(RequestProgress::Over(outcome));
            }
            Err(error) => error,
        };
        if error.refusal() == Some("hash_conflict") {
            // Slack tells what somebody sees only with what they do; what we showed last is the best that we know.
            hash = slack.homes.of(user).filter(|shown| hash.as_ref() != Some(shown));
        } else if !error.may_pass() {
            tracing::warn!(%error, "a Home tab was not shown");
            return Ok(RequestProgress::Over(InteractionOutcome::Failed));
        }
    }
    tracing::warn!("a Home tab was not shown: Slack did not take it");
    Ok(RequestProgress::Over(InteractionOutcome::Uncertain))
}

/// What is asked for; `None` if it is not known what was pressed.
fn wish_of(request: &InteractionRequest) -> Option<HomeWish> {
    match request {
        InteractionRequest::HomeOpened => Some(HomeWish::FIRST_PAGE),
        InteractionRequest::Button { action, value } => HomeWish::read(action, value),
        InteractionRequest::Command { .. }
        | InteractionRequest::Vote { .. }
        | InteractionRequest::Shortcut { .. }
        | InteractionRequest::Submission { .. }
        | InteractionRequest::Refused { .. } => None,
    }
}

/// Does what is wished, and makes the tab as its person may see it now: a sentence, where that cannot be found out. Also
/// whether anything was done.
async fn compose(
    slack: &PrivateAnswering,
    user: &UserId,
    wish: Option<&HomeWish>,
) -> Result<(HomeTab, bool), StoreError> {
    let shared = &slack.shared;
    // It does not depend on what they may see.
    if let Some(HomeChange::Own(own)) = wish.and_then(|wish| wish.change.as_ref()) {
        slack.commands_for(user).await?.heed_own_wish(user, *own).await?;
    }
    let commands = slack.commands_for(user).await?;
    let owner = match slack.sights.home_owner(&slack.directory, &shared.store, &*shared.clock, user).await {
        Ok(owner) => owner,
        Err(SightError::Store(error)) => return Err(error),
        Err(error @ (SightError::Slack(_) | SightError::Unknown)) => {
            tracing::warn!(%error, "it is not known what somebody may see in their Home tab");
            return Ok((commands.home_that_says("command-sight-unknown"), false));
        }
    };
    let is_heeded = match wish.and_then(|wish| wish.change.as_ref()) {
        Some(HomeChange::Quiet(quiet)) => commands.heed_quiet_wish(&owner, quiet).await?,
        Some(HomeChange::Own(_)) | None => wish.is_some(),
    };
    let page = wish.map_or(0, |wish| wish.page);
    Ok((commands.home_tab(&owner, page).await?, is_heeded))
}
