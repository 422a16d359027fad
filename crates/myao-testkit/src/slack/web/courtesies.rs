//! Permalinks, and what says that a reply is being written: an agent's session, and the older status of a thread.

use myao_core::chat::ChannelId;
use serde_json::json;

use super::{
    args::Args,
    conversations::known_channel,
    refusal::{MethodAnswer, MethodRefusal},
};
use crate::slack::{identity, rules::Rule, seen::Status, sessions::PROCESSING, state::WorkspaceState};

/// The method of sessions.
pub(super) const SET_STATUS: &str = "agents.sessions.setStatus";
/// The scope that apps have which are agents.
const AGENT: &str = "assistant:write";
const STATUSES: [&str; 4] = [PROCESSING, "active", "suspended", "closed"];
/// The most prompts that may be suggested.
const MOST_PROMPTS: usize = 4;
/// What Slack warns of where it shows no stop button.
const NO_STOP_EVENT: &str = "missing_agent_session_stopped_event_subscription";

pub(super) fn permalink_of_message(state: &mut WorkspaceState, args: &Args) -> MethodAnswer {
    let id = args.channel()?;
    let channel = known_channel(state, &id)?;
    args.required("message_ts")?;
    let ts = args.ts("message_ts", "message_not_found")?;
    let message = ts.and_then(|ts| channel.messages.get(&ts));
    let message = message.ok_or_else(|| MethodRefusal::new("message_not_found"))?;
    let digits = message.ts.to_string().replace('.', "");
    let thread = message.thread_ts.map(|root| format!("?thread_ts={root}&cid={id}")).unwrap_or_default();
    let permalink = format!("{}archives/{id}/p{digits}{thread}", identity::TEAM_URL);
    Ok(json!({"channel": id.as_str(), "permalink": permalink}))
}

/// Sets the status of a thread; an empty one removes it.
pub(super) fn set_status(state: &mut WorkspaceState, args: &Args) -> MethodAnswer {
    let channel = ChannelId::new(args.required("channel_id")?);
    args.required("thread_ts")?;
    let thread_ts = args.ts("thread_ts", "invalid_thread_ts")?;
    if !args.has("status") {
        return Err(MethodRefusal::new("invalid_arguments").breaking(Rule::Arguments, "`status` is missing"));
    }
    let place = known_channel(state, &channel)?;
    if !place.has_bot() {
        return Err(MethodRefusal::new("not_in_channel"));
    }
    let thread_ts = thread_ts.filter(|ts| place.messages.contains_key(ts));
    let thread_ts = thread_ts.ok_or_else(|| MethodRefusal::new("invalid_thread_ts"))?;
    let text = args.text("status").unwrap_or_default().to_owned();
    let thread = (channel.clone(), thread_ts);
    let before = if text.is_empty() {
        state.agents.statuses.remove(&thread)
    } else {
        state.agents.statuses.insert(thread, text.clone())
    };
    if before.unwrap_or_default() != text {
        state.note_status(&channel, thread_ts, &text);
    }
    state.seen.statuses.push(Status { channel, thread_ts, text });
    Ok(json!({}))
}

/// Sets what is suggested in direct messages. For an agent a thread makes it do nothing, without an error.
pub(super) fn set_suggested_prompts(state: &mut WorkspaceState, args: &Args) -> MethodAnswer {
    let channel = ChannelId::new(args.required("channel_id")?);
    if !known_channel(state, &channel)?.has_bot() {
        return Err(MethodRefusal::new("not_in_channel"));
    }
    let listed: Vec<serde_json::Value> = serde_json::from_str(args.required("prompts")?).unwrap_or_default();
    let text = |one: &serde_json::Value, key: &str| one[key].as_str().unwrap_or_default().to_owned();
    let prompts: Vec<(String, String)> =
        listed.iter().map(|one| (text(one, "title"), text(one, "message"))).collect();
    let is_whole = prompts.iter().all(|(title, message)| !title.is_empty() && !message.is_empty());
    if prompts.is_empty() || prompts.len() > MOST_PROMPTS || !is_whole {
        return Err(MethodRefusal::new("invalid_arguments")
            .breaking(Rule::Arguments, "there are one to four prompts, each with a title and a message"));
    }
    if !args.has("thread_ts") {
        state.seen.suggested.push(channel.clone());
        state.agents.suggested.insert(channel, prompts);
    }
    Ok(json!({}))
}

/// Sets the status of a session, and makes the session if there is none.
pub(super) fn set_session_status(state: &mut WorkspaceState, args: &Args) -> MethodAnswer {
    if !state.agents.has_methods {
        return Err(MethodRefusal::new("unknown_method").with("req_method", SET_STATUS));
    }
    if !state.scopes.contains(AGENT) {
        return Err(MethodRefusal::new("not_allowed"));
    }
    let channel = ChannelId::new(args.required("channel_id")?);
    args.required("thread_ts")?;
    let thread_ts = args.ts("thread_ts", "invalid_thread_ts")?;
    let status = args.required("status")?.to_owned();
    if !STATUSES.contains(&status.as_str()) {
        return Err(MethodRefusal::new("invalid_arguments")
            .breaking(Rule::Arguments, format!("`{status}` is no status of a session")));
    }
    let place = known_channel(state, &channel)?;
    if !place.has_bot() {
        return Err(MethodRefusal::new("not_in_channel"));
    }
    let thread_ts = thread_ts.filter(|ts| place.messages.contains_key(ts));
    let thread_ts = thread_ts.ok_or_else(|| MethodRefusal::new("invalid_thread_ts"))?;
    let before = state.agents.sessions.insert((channel.clone(), thread_ts), status.clone());
    if before.as_deref() != Some(status.as_str()) {
        state.note_status(&channel, thread_ts, &status);
    }
    if status == PROCESSING && !state.agents.hears_stops {
        return Ok(json!({"warning": NO_STOP_EVENT, "response_metadata": {"warnings": [NO_STOP_EVENT]}}));
    }
    Ok(json!({}))
}
