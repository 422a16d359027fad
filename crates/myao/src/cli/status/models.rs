//! Models that cannot be asked at present, and what to do about it.

use myao_companion::model_trouble::{ModelTrouble, TroubleKind, models_in_trouble};
use myao_core::ports::Role;
use serde_json::{Value, json};

use super::{Failure, Labels, output};
use crate::app::App;

pub(super) async fn as_json(app: &App) -> Result<Value, Failure> {
    let trouble = |trouble: &ModelTrouble| {
        json!({
            "model": trouble.model,
            "roles": names_of_roles(trouble),
            "trouble": name_in_json(trouble.kind),
            "at": trouble.at,
        })
    };
    let troubles = models_in_trouble(&app.store, &app.config, app.clock.now()).await?;
    Ok(json!({ "models_in_trouble": troubles.iter().map(trouble).collect::<Vec<_>>() }))
}

pub(super) async fn print_troubles(app: &App, labels: &Labels) -> Result<(), Failure> {
    for trouble in models_in_trouble(&app.store, &app.config, app.clock.now()).await? {
        output::print_line(&format!(
            "{} {} ({}; last asked at {}): {}",
            trouble.model,
            what_is_wrong(trouble.kind),
            names_of_roles(&trouble).join(", "),
            labels.when(trouble.at),
            what_to_do(trouble.kind)
        ));
    }
    Ok(())
}

fn names_of_roles(trouble: &ModelTrouble) -> Vec<&'static str> {
    trouble.roles.iter().map(|role: &Role| role.as_str()).collect()
}

const fn name_in_json(kind: TroubleKind) -> &'static str {
    match kind {
        TroubleKind::Unreachable => "unreachable",
        TroubleKind::TooSlow => "too_slow",
        TroubleKind::WrongKey => "wrong_key",
        TroubleKind::KeySpent => "key_spent",
        TroubleKind::WrongAddress => "wrong_address",
        TroubleKind::NoSuchModel => "no_such_model",
    }
}

pub(in super::super) const fn what_is_wrong(kind: TroubleKind) -> &'static str {
    match kind {
        TroubleKind::Unreachable => "cannot be reached",
        TroubleKind::TooSlow => "does not answer in time",
        TroubleKind::WrongKey => "does not accept the key",
        TroubleKind::KeySpent => "is not paid for any more: the key's budget or quota is spent",
        TroubleKind::WrongAddress => "has no interface at its address",
        TroubleKind::NoSuchModel => "is not known to its provider",
    }
}

const fn what_to_do(kind: TroubleKind) -> &'static str {
    match kind {
        TroubleKind::KeySpent => "raise it where the key comes from, or wait until it begins anew",
        TroubleKind::Unreachable
        | TroubleKind::TooSlow
        | TroubleKind::WrongKey
        | TroubleKind::WrongAddress
        | TroubleKind::NoSuchModel => "`myao check` tries it, and says what to do",
    }
}
