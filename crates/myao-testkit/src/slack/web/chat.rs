//! `chat.postMessage`, `chat.update`, `chat.delete`.

use myao_core::chat::{ChannelId, MessageTs, UserId};
use serde_json::{Value, json};

use super::{
    args::Args,
    conversations::known_channel,
    refusal::{MethodAnswer, MethodRefusal},
    views::refused_by_limits,
};
use crate::slack::{
    block_limits::{self, Surface},
    blocks, identity,
    message::{self, Author, BROADCAST, FakeMessage, Metadata},
    rules::Rule,
    seen::SeenPost,
    sessions::StreamState,
    spec::ChannelSpec,
    state::WorkspaceState,
};

/// The most characters of a posted text. Slack would cut a longer one off.
const MOST_CHARS: usize = 40_000;
/// The most characters of a text that `chat.update` takes.
const MOST_CHARS_OF_UPDATE: usize = 4_000;
const MOST_METADATA_BYTES: usize = 8_000;

pub(super) fn post_message(state: &mut WorkspaceState, args: &Args) -> MethodAnswer {
    let channel = channel_of_post(state, args)?;
    let content = sent_content(args)?;
    let metadata = metadata_of_post(args)?;
    let thread_ts = root_of_thread(state, &channel, args)?;
    let ts = state.time.next_ts();
    let mut message = FakeMessage::new(
        ts,
        Author::User(UserId::new(identity::BOT_USER)),
        &blocks::escape_as_stored(&content.text),
    );
    message.thread_ts = thread_ts;
    message.blocks.clone_from(&content.blocks);
    message.metadata.clone_from(&metadata);
    if thread_ts.is_some() && args.flag("reply_broadcast") {
        message.subtype = Some(BROADCAST);
    }
    state.say(&channel, message);
    let post = SeenPost {
        channel: channel.clone(),
        thread_ts,
        text: content.text,
        blocks: content.blocks,
        metadata,
        ts,
        at: state.time.now(),
    };
    state.seen.posts.push(post);
    state.clear_status_after_post(&channel, thread_ts);
    Ok(
        json!({"channel": channel.as_str(), "ts": ts.to_string(), "message": message_as_shown(state, &channel, ts)}),
    )
}

pub(super) fn update_message(state: &mut WorkspaceState, args: &Args) -> MethodAnswer {
    let (channel, ts) = own_message(state, args, "cant_update_message")?;
    // Nobody knows what Slack does here: nothing may depend on it.
    if state.agents.streams.get(&(channel.clone(), ts)) == Some(&StreamState::InProgress) {
        return Err(MethodRefusal::new("cant_update_message"));
    }
    let given = blocks_of_post(args)?;
    let metadata = metadata_of_post(args)?;
    let text = words_of_post(args, MOST_CHARS_OF_UPDATE, given.is_some())?;
    if let Some(message) = state.world.channel(&channel).messages.get_mut(&ts).filter(|_| metadata.is_some())
    {
        message.metadata = metadata;
    }
    if let Some(given) = given {
        let message = state.world.channel(&channel).messages.get_mut(&ts);
        // An empty list takes the blocks away; without one they stay.
        let kept = Some(given).filter(|given| given.as_array().is_some_and(|all| !all.is_empty()));
        if let Some(message) = message {
            message.blocks = kept;
        }
    }
    state.edit(&channel, ts, &blocks::escape_as_stored(text));
    Ok(json!({"channel": channel.as_str(), "ts": ts.to_string(), "text": text,
        "message": message_as_shown(state, &channel, ts)}))
}

pub(super) fn delete_message(state: &mut WorkspaceState, args: &Args) -> MethodAnswer {
    let (channel, ts) = own_message(state, args, "cant_delete_message")?;
    if state.agents.streams.get(&(channel.clone(), ts)) == Some(&StreamState::InProgress) {
        return Err(MethodRefusal::new("cant_delete_message"));
    }
    state.delete(&channel, ts);
    Ok(json!({"channel": channel.as_str(), "ts": ts.to_string()}))
}

pub(super) fn message_as_shown(state: &WorkspaceState, channel: &ChannelId, ts: MessageTs) -> Value {
    let place = state.world.channels.get(channel);
    let message = place.and_then(|place| Some((place, place.messages.get(&ts)?)));
    let shown = message
        .map(|(place, message)| message::object_in_channel(&state.world, place, message, Metadata::Whole));
    shown.unwrap_or_default()
}

/// The channel of a post: one that the bot is in, or the direct messages with a person, which are opened if necessary.
pub(super) fn channel_of_post(state: &mut WorkspaceState, args: &Args) -> Result<ChannelId, MethodRefusal> {
    let id = args.channel()?;
    let user = UserId::new(id.as_str());
    if state.world.users.contains_key(&user) {
        let open = state.world.dm_with(&user).cloned();
        let now = state.time.now().as_second();
        return Ok(open.unwrap_or_else(|| state.world.add_channel(ChannelSpec::dm(&user), now)));
    }
    let channel = known_channel(state, &id)?;
    if channel.archived {
        return Err(MethodRefusal::new("is_archived"));
    }
    if !channel.has_bot() {
        return Err(MethodRefusal::new("not_in_channel"));
    }
    Ok(id)
}

/// What a post says.
pub(super) struct SentContent {
    pub(super) text: String,
    /// The blocks, each with its `block_id`. `None` without any.
    pub(super) blocks: Option<Value>,
}

/// Reads what a post says: a text, blocks, or both.
pub(super) fn sent_content(args: &Args) -> Result<SentContent, MethodRefusal> {
    let blocks = blocks_of_post(args)?.filter(|blocks| blocks.as_array().is_some_and(|all| !all.is_empty()));
    let text = words_of_post(args, MOST_CHARS, blocks.is_some())?.to_owned();
    Ok(SentContent { text, blocks })
}

/// The blocks of a post, which keep all limits. `None` where none are given.
fn blocks_of_post(args: &Args) -> Result<Option<Value>, MethodRefusal> {
    if !args.has("blocks") {
        return Ok(None);
    }
    let wrong =
        || MethodRefusal::new("invalid_blocks_format").breaking(Rule::Arguments, "`blocks` are no JSON list");
    let given = args.json("blocks").filter(Value::is_array).ok_or_else(wrong)?;
    let breaches = block_limits::check_blocks(&given, Surface::Message);
    if !breaches.is_empty() {
        return Err(refused_by_limits("invalid_blocks", &breaches, "/blocks"));
    }
    Ok(Some(blocks::with_ids(&given)))
}

/// The text of a post; one with blocks may have none.
fn words_of_post(args: &Args, most_chars: usize, has_blocks: bool) -> Result<&str, MethodRefusal> {
    let text = args.text("text").filter(|text| !text.trim().is_empty());
    let text = text.or(has_blocks.then_some("")).ok_or_else(|| MethodRefusal::new("no_text"))?;
    let chars = text.chars().count();
    if chars > most_chars {
        let what = format!("a text of {chars} characters, at most {most_chars} are taken");
        return Err(MethodRefusal::new("msg_too_long").breaking(Rule::Length, what));
    }
    Ok(text)
}

/// The metadata of a post: an object with a type and a payload, no larger than Slack stores.
fn metadata_of_post(args: &Args) -> Result<Option<Value>, MethodRefusal> {
    if !args.has("metadata") {
        return Ok(None);
    }
    let wrong = |what: &str| {
        MethodRefusal::new("invalid_metadata_format").breaking(Rule::Arguments, format!("`metadata`: {what}"))
    };
    let given = args.json("metadata").ok_or_else(|| wrong("is no JSON"))?;
    let kind = given.get("event_type").and_then(Value::as_str).filter(|kind| !kind.is_empty());
    kind.ok_or_else(|| wrong("has no `event_type`"))?;
    if !given.get("event_payload").is_some_and(Value::is_object) {
        return Err(wrong("its `event_payload` is no object"));
    }
    let bytes = given.to_string().len();
    if bytes > MOST_METADATA_BYTES {
        let what = format!("metadata of {bytes} bytes, at most {MOST_METADATA_BYTES} are taken");
        return Err(MethodRefusal::new("metadata_too_large").breaking(Rule::Length, what));
    }
    Ok(Some(given))
}

/// The root of the thread that a post goes to. The real Slack accepts a reply's time stamp too, and starts a thread
/// that nobody sees.
pub(super) fn root_of_thread(
    state: &WorkspaceState,
    channel: &ChannelId,
    args: &Args,
) -> Result<Option<MessageTs>, MethodRefusal> {
    let Some(ts) = args.ts("thread_ts", "invalid_thread_ts")? else { return Ok(None) };
    let not_found = || MethodRefusal::new("thread_not_found");
    let root = state.world.channels.get(channel).and_then(|channel| channel.messages.get(&ts));
    if root.ok_or_else(not_found)?.thread_ts.is_some() {
        let what = format!("{ts} is a reply, not a thread's root");
        return Err(MethodRefusal::new("cannot_reply_to_message").breaking(Rule::ThreadRoot, what));
    }
    Ok(Some(ts))
}

/// A message that the bot posted.
pub(super) fn own_message(
    state: &WorkspaceState,
    args: &Args,
    refusal: &str,
) -> Result<(ChannelId, MessageTs), MethodRefusal> {
    let channel = args.channel()?;
    args.required("ts")?;
    let ts = args.ts("ts", "message_not_found")?;
    let found = ts.and_then(|ts| known_channel(state, &channel).ok()?.messages.get(&ts));
    match found {
        None => Err(MethodRefusal::new(if known_channel(state, &channel).is_ok() {
            "message_not_found"
        } else {
            "channel_not_found"
        })),
        Some(message) if message.is_by_bot() => Ok((channel, message.ts)),
        Some(_) => Err(MethodRefusal::new(refusal)),
    }
}
