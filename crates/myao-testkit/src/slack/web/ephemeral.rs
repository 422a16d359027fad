//! `chat.postEphemeral`.

use myao_core::chat::UserId;
use serde_json::json;

use super::{
    args::Args,
    chat::{channel_of_post, root_of_thread, sent_content},
    refusal::{MethodAnswer, MethodRefusal},
};
use crate::slack::{ephemeral::Ephemeral, state::WorkspaceState};

pub(super) fn post_ephemeral(state: &mut WorkspaceState, args: &Args) -> MethodAnswer {
    let user = UserId::new(args.required("user")?);
    let channel = channel_of_post(state, args)?;
    let content = sent_content(args)?;
    let thread_ts = root_of_thread(state, &channel, args)?;
    if !state.world.channel(&channel).members.contains(&user) {
        return Err(MethodRefusal::new("user_not_in_channel"));
    }
    let ts = state.time.next_ts();
    let at = state.time.now();
    let (text, blocks) = (content.text, content.blocks);
    state.show_ephemeral(Ephemeral { channel, user, ts, thread_ts, text, blocks, at });
    Ok(json!({"message_ts": ts.to_string()}))
}
