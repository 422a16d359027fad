//! Which of the configured models cannot be asked at present, and why: from the records of calls, so that every process
//! and every page knows it at once.

use jiff::{SignedDuration, Timestamp};
use myao_config::Config;
use myao_core::ports::{BUILTIN, Role};
use myao_store::{Store, StoreError};

use crate::ask::{KEY_SPENT, NO_SUCH_MODEL, TOO_SLOW, UNREACHABLE, WRONG_ADDRESS, WRONG_KEY, share_of};

/// How far back a call still says something about now.
const LOOKED_BACK: SignedDuration = SignedDuration::from_hours(24);
/// The roles, those that wait first when the day's tokens run out first.
const ROLES: [Role; 3] = [Role::Memory, Role::Judgment, Role::Response];

/// Why a model cannot be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TroubleKind {
    /// Its server cannot be reached, or fails.
    Unreachable,
    /// It does not answer in time.
    TooSlow,
    /// The key is missing or wrong.
    WrongKey,
    /// The key's budget or quota is used up.
    KeySpent,
    /// There is no model's interface at the address.
    WrongAddress,
    /// The provider does not know the model.
    NoSuchModel,
}

/// A model that its last call could not ask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelTrouble {
    /// `provider/model`.
    pub model: String,
    /// The roles that it has, of those whose last call failed so; at least one.
    pub roles: Vec<Role>,
    /// Why.
    pub kind: TroubleKind,
    /// When that call was made.
    pub at: Timestamp,
}

/// A day's budget of which some role has used its share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpentBudget {
    /// Tokens that were used or are reserved today.
    pub used: u64,
    /// `budget.daily_tokens`.
    pub limit: u64,
    /// The roles that wait until tomorrow.
    pub waiting: Vec<Role>,
}

/// The configured models whose last call of a role within a day failed because of something outside of myao.
///
/// # Errors
/// When the database fails.
pub async fn models_in_trouble(
    store: &Store,
    config: &Config,
    now: Timestamp,
) -> Result<Vec<ModelTrouble>, StoreError> {
    let since = now.saturating_sub(LOOKED_BACK).unwrap_or(Timestamp::MIN);
    let mut troubles: Vec<ModelTrouble> = Vec::new();
    for role in ROLES {
        let model = config.agents.get(role).model_id.to_string();
        if model == BUILTIN {
            continue;
        }
        let Some(last) = store.memory().last_ended_call(role, &model, since).await? else { continue };
        let Some(kind) = kind_of_outcome(&last.outcome) else { continue };
        match troubles.iter_mut().find(|trouble| trouble.model == model && trouble.kind == kind) {
            Some(trouble) => {
                trouble.roles.push(role);
                trouble.at = trouble.at.max(last.at);
            }
            None => troubles.push(ModelTrouble { model, roles: vec![role], kind, at: last.at }),
        }
    }
    Ok(troubles)
}

/// The day's budget, if any role has used its share of it. `None` without a budget, and where `builtin` does everything.
///
/// # Errors
/// When the database fails.
pub async fn spent_budget(
    store: &Store,
    config: &Config,
    now: Timestamp,
) -> Result<Option<SpentBudget>, StoreError> {
    let Some(limit) = config.budget.daily_tokens else { return Ok(None) };
    let today = now.to_zoned(config.locale.timezone.clone()).date().to_string();
    let used = store.memory().day_spent(&today).await?.total();
    let percent = used.saturating_mul(100).checked_div(limit).unwrap_or(100);
    let waits =
        |role: &Role| config.agents.get(*role).model_id.to_string() != BUILTIN && percent >= share_of(*role);
    let waiting: Vec<Role> = ROLES.into_iter().filter(waits).collect();
    Ok((!waiting.is_empty()).then_some(SpentBudget { used, limit, waiting }))
}

fn kind_of_outcome(outcome: &str) -> Option<TroubleKind> {
    match outcome {
        UNREACHABLE => Some(TroubleKind::Unreachable),
        TOO_SLOW => Some(TroubleKind::TooSlow),
        WRONG_KEY => Some(TroubleKind::WrongKey),
        KEY_SPENT => Some(TroubleKind::KeySpent),
        WRONG_ADDRESS => Some(TroubleKind::WrongAddress),
        NO_SUCH_MODEL => Some(TroubleKind::NoSuchModel),
        _ => None,
    }
}
