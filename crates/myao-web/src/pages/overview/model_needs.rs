//! What the overview says where a model cannot be asked, or the day's tokens are used up.

use myao_companion::model_trouble::{
    ModelTrouble, SpentBudget, TroubleKind, models_in_trouble, spent_budget,
};
use myao_core::ports::Role;

use crate::{answer::PageError, numbers::digits_in_groups, visit::Visit};

/// Each as words and the address of a page about it.
pub(super) async fn models_that_need_a_person(
    visit: &Visit,
) -> Result<Vec<(String, Option<String>)>, PageError> {
    let site = &visit.site;
    let now = site.now();
    let mut needs = Vec::new();
    for trouble in models_in_trouble(&site.store, &site.config, now).await? {
        needs.push((trouble_in_words(visit, &trouble), Some(visit.href("/cost", &[]))));
    }
    if let Some(spent) = spent_budget(&site.store, &site.config, now).await? {
        needs.push((spent_in_words(visit, &spent), Some(visit.href("/cost", &[]))));
    }
    Ok(needs)
}

fn trouble_in_words(visit: &Visit, trouble: &ModelTrouble) -> String {
    let key = match trouble.kind {
        TroubleKind::Unreachable => "overview-model-unreachable",
        TroubleKind::TooSlow => "overview-model-too-slow",
        TroubleKind::WrongKey => "overview-model-wrong-key",
        TroubleKind::KeySpent => "overview-model-key-spent",
        TroubleKind::WrongAddress => "overview-model-wrong-address",
        TroubleKind::NoSuchModel => "overview-model-unknown",
    };
    let roles = roles_in_words(visit, &trouble.roles);
    visit.say_with(key, &[("model", trouble.model.as_str().into()), ("roles", roles.into())])
}

fn spent_in_words(visit: &Visit, spent: &SpentBudget) -> String {
    let roles = roles_in_words(visit, &spent.waiting);
    visit.say_with(
        "overview-budget-spent",
        &[
            ("used", digits_in_groups(spent.used).into()),
            ("limit", digits_in_groups(spent.limit).into()),
            ("roles", roles.into()),
        ],
    )
}

fn roles_in_words(visit: &Visit, roles: &[Role]) -> String {
    let name = |role: &Role| match role {
        Role::Memory => visit.say("overview-writes-memories"),
        Role::Response => visit.say("overview-answers"),
        Role::Judgment => visit.say("overview-judges"),
    };
    roles.iter().map(name).collect::<Vec<_>>().join(visit.say("overview-between-roles"))
}
