//! Permalinks, and the status which says that a reply is being written.

use myao_core::chat::ChannelId;
use serde_json::json;

use super::{
    args::Args,
    conversations::known_channel,
    refusal::{MethodAnswer, MethodRefusal},
};
use crate::slack::{identity, rules::Rule, seen::Status, state::WorkspaceState};

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
    state.seen.statuses.push(Status { channel, thread_ts, text });
    Ok(json!({}))
}
