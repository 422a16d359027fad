//! `views.open`, `views.push`, `views.update`, `views.publish`.

use myao_core::chat::UserId;
use serde_json::{Value, json};

use super::{
    args::Args,
    refusal::{MethodAnswer, MethodRefusal},
};
use crate::slack::{
    block_limits::{self, LimitBreach},
    fields::field_of,
    interactions::TriggerRefusal,
    rules::Rule,
    state::WorkspaceState,
    views::{MOST_MODALS, ShownView},
};

pub(super) fn open_view(state: &mut WorkspaceState, args: &Args) -> MethodAnswer {
    let trigger = args.required("trigger_id")?;
    let view = view_of_call(args, "modal")?;
    refuse_taken_external_id(state, &view, None)?;
    let index = state.interactions.exchange_trigger(trigger, state.time.now()).map_err(refused_trigger)?;
    let user = state.interactions.get(index).map(|record| record.user.clone());
    let shown = state.views.open(&user.unwrap_or_else(|| UserId::new("")), &view);
    state.interactions.note_view(index, shown.clone());
    Ok(told_view(state, shown))
}

pub(super) fn push_view(state: &mut WorkspaceState, args: &Args) -> MethodAnswer {
    let trigger = args.required("trigger_id")?;
    let view = view_of_call(args, "modal")?;
    refuse_taken_external_id(state, &view, None)?;
    let user = state.interactions.user_of_trigger(trigger);
    let open = user.as_ref().map_or(0, |user| state.views.modals(user).len());
    if open >= MOST_MODALS {
        return Err(MethodRefusal::new("push_limit_reached"));
    }
    let index = state.interactions.exchange_trigger(trigger, state.time.now()).map_err(refused_trigger)?;
    let Some(user) = user.filter(|_| open > 0) else {
        // There is nothing to push it onto.
        return Err(MethodRefusal::new("invalid_trigger_id"));
    };
    let shown = state.views.push(&user, &view);
    state.interactions.note_view(index, shown.clone());
    Ok(told_view(state, shown))
}

pub(super) fn update_view(state: &mut WorkspaceState, args: &Args) -> MethodAnswer {
    let found = match (args.text("view_id"), args.text("external_id")) {
        (Some(id), _) => state.views.with_id(id),
        (None, Some(id)) => state.views.with_external_id(id),
        (None, None) => {
            let what = "neither `view_id` nor `external_id` is given";
            return Err(MethodRefusal::new("invalid_arguments").breaking(Rule::Arguments, what));
        }
    };
    let found = found.cloned();
    let kind = found.as_ref().and_then(|view| view.field("type")).unwrap_or("modal");
    let view = view_of_call(args, kind)?;
    let found = found.as_ref().ok_or_else(|| MethodRefusal::new("not_found"))?;
    refuse_other_hash(args, Some(found))?;
    refuse_taken_external_id(state, &view, Some(&found.id))?;
    let shown = state.views.update(&found.id, &view);
    shown.map(|shown| told_view(state, shown)).ok_or_else(|| MethodRefusal::new("not_found"))
}

pub(super) fn publish_home(state: &mut WorkspaceState, args: &Args) -> MethodAnswer {
    let user = UserId::new(args.required("user_id")?);
    let view = view_of_call(args, "home")?;
    if !state.world.users.contains_key(&user) {
        return Err(MethodRefusal::new("user_not_found"));
    }
    if !state.has_home_tab {
        return Err(MethodRefusal::new("not_enabled"));
    }
    let before = state.views.home(&user).cloned();
    refuse_other_hash(args, before.as_ref())?;
    refuse_taken_external_id(state, &view, before.as_ref().map(|view| view.id.as_str()))?;
    let shown = state.views.publish(&user, &view);
    Ok(told_view(state, shown))
}

/// The view of a call: one of this type that keeps all limits.
fn view_of_call(args: &Args, kind: &str) -> Result<Value, MethodRefusal> {
    let wrong = |what: String| MethodRefusal::new("invalid_arguments").breaking(Rule::Arguments, what);
    let view = args.json("view").filter(Value::is_object);
    let view = view.ok_or_else(|| wrong("`view` is missing or no JSON object".to_owned()))?;
    let given = field_of(&view, "type");
    if given != kind {
        return Err(wrong(format!("a view of the type {given} where a {kind} is taken")));
    }
    let breaches = block_limits::check_view(&view);
    if breaches.is_empty() {
        return Ok(view);
    }
    let is_large = view.to_string().len() > block_limits::MOST_VIEW_BYTES;
    let code = if is_large { "view_too_large" } else { "invalid_arguments" };
    Err(refused_by_limits(code, &breaches, "/view"))
}

/// The refusal of blocks or a view that do not keep limits, which stand at `place` among the arguments.
pub(super) fn refused_by_limits(code: &str, breaches: &[LimitBreach], place: &str) -> MethodRefusal {
    let told =
        breaches.iter().map(|breach| format!("[ERROR] {} [json-pointer:{place}{}]", breach.what, breach.at));
    let messages: Vec<String> = told.collect();
    let what = messages.join("; ");
    let refusal = MethodRefusal::new(code).breaking(Rule::BlockLimits, what);
    let refusal = if code == "invalid_blocks" { refusal.with("errors", messages.clone()) } else { refusal };
    refusal.with("response_metadata", json!({"messages": messages}))
}

fn refused_trigger(refusal: TriggerRefusal) -> MethodRefusal {
    MethodRefusal::new(refusal.code())
}

/// Refuses a call that rests on another state of the view than there is.
fn refuse_other_hash(args: &Args, view: Option<&ShownView>) -> Result<(), MethodRefusal> {
    let Some(hash) = args.text("hash") else { return Ok(()) };
    if view.is_some_and(|view| view.hash == hash) {
        return Ok(());
    }
    Err(MethodRefusal::new("hash_conflict"))
}

/// Refuses an `external_id` that another view has than the one with this id.
fn refuse_taken_external_id(
    state: &WorkspaceState,
    view: &Value,
    own: Option<&str>,
) -> Result<(), MethodRefusal> {
    let Some(external_id) = view.get("external_id").and_then(Value::as_str) else { return Ok(()) };
    let other = state.views.with_external_id(external_id);
    if other.is_some_and(|other| Some(other.id.as_str()) != own) {
        return Err(MethodRefusal::new("duplicate_external_id"));
    }
    Ok(())
}

/// Records a view that a person sees from now on, and tells the app of it.
fn told_view(state: &mut WorkspaceState, shown: ShownView) -> Value {
    let told = json!({"view": shown.json});
    state.seen.views.push(shown);
    told
}
