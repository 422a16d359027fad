//! `chat.startStream`, `chat.appendStream` and `chat.stopStream`: messages that grow.

use myao_core::chat::{ChannelId, ChannelKind, MessageTs, UserId};
use serde_json::json;

use super::{
    args::Args,
    chat::{channel_of_post, message_as_shown, own_message, root_of_thread},
    refusal::{MethodAnswer, MethodRefusal},
};
use crate::slack::{
    blocks, identity,
    message::{Author, FakeMessage},
    rules::Rule,
    seen::SeenPost,
    sessions::StreamState,
    state::WorkspaceState,
};

/// The most characters of a piece.
const MOST_CHARS: usize = 12_000;

pub(super) fn start(state: &mut WorkspaceState, args: &Args) -> MethodAnswer {
    are_there(state, "chat.startStream")?;
    let channel = channel_of_post(state, args)?;
    let words = words_of_piece(args)?.to_owned();
    let thread_ts = root_of_thread(state, &channel, args)?;
    let thread_ts = thread_ts.ok_or_else(|| MethodRefusal::new("invalid_thread_ts"))?;
    if state.world.channel(&channel).kind != ChannelKind::Dm {
        args.required("recipient_user_id")?;
        args.required("recipient_team_id")?;
    }
    let ts = state.time.next_ts();
    let author = Author::User(UserId::new(identity::BOT_USER));
    let mut message = FakeMessage::new(ts, author, &blocks::escape_as_stored(&words));
    message.thread_ts = Some(thread_ts);
    message.extra.insert("streaming_state".to_owned(), json!(StreamState::InProgress.name()));
    state.agents.streams.insert((channel.clone(), ts), StreamState::InProgress);
    state.say(&channel, message);
    let at = state.time.now();
    let thread_ts = Some(thread_ts);
    state.seen.streamed.push((ts, words.clone()));
    state.seen.posts.push(SeenPost {
        channel: channel.clone(),
        thread_ts,
        text: words,
        blocks: None,
        metadata: None,
        ts,
        at,
    });
    state.clear_status_after_post(&channel, thread_ts);
    Ok(json!({"channel": channel.as_str(), "ts": ts.to_string()}))
}

pub(super) fn append(state: &mut WorkspaceState, args: &Args) -> MethodAnswer {
    are_there(state, "chat.appendStream")?;
    let (channel, ts) = streaming_message(state, args)?;
    let words = words_of_piece(args)?.to_owned();
    state.seen.streamed.push((ts, words.clone()));
    state.change(&channel, ts, |message| message.text.push_str(&blocks::escape_as_stored(&words)));
    Ok(json!({"channel": channel.as_str(), "ts": ts.to_string()}))
}

pub(super) fn stop(state: &mut WorkspaceState, args: &Args) -> MethodAnswer {
    are_there(state, "chat.stopStream")?;
    let (channel, ts) = streaming_message(state, args)?;
    state.end_stream(&channel, ts, StreamState::Completed);
    Ok(
        json!({"channel": channel.as_str(), "ts": ts.to_string(), "message": message_as_shown(state, &channel, ts)}),
    )
}

fn are_there(state: &WorkspaceState, method: &str) -> Result<(), MethodRefusal> {
    if state.agents.has_streams {
        return Ok(());
    }
    Err(MethodRefusal::new("unknown_method").with("req_method", method))
}

/// A message of the bot that is still growing.
fn streaming_message(state: &WorkspaceState, args: &Args) -> Result<(ChannelId, MessageTs), MethodRefusal> {
    let (channel, ts) = own_message(state, args, "message_not_owned_by_app")?;
    match state.agents.streams.get(&(channel.clone(), ts)) {
        Some(StreamState::InProgress) => Ok((channel, ts)),
        Some(StreamState::StoppedByPerson) => Err(MethodRefusal::new("stopped_by_user")),
        _ => Err(MethodRefusal::new("message_not_in_streaming_state")),
    }
}

fn words_of_piece(args: &Args) -> Result<&str, MethodRefusal> {
    let words = args.text("markdown_text").ok_or_else(|| MethodRefusal::new("no_text"))?;
    let chars = words.chars().count();
    if chars > MOST_CHARS {
        let what = format!("a piece of {chars} characters, at most {MOST_CHARS} are taken");
        return Err(MethodRefusal::new("msg_too_long").breaking(Rule::Length, what));
    }
    Ok(words)
}
