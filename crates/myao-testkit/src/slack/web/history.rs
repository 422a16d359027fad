//! `conversations.history`, newest first, and `conversations.replies`, oldest first.

use std::ops::Bound;

use myao_core::chat::MessageTs;
use serde_json::{Map, Value};

use super::{
    args::Args,
    conversations::known_channel,
    page,
    refusal::{MethodAnswer, MethodRefusal, require_scope},
};
use crate::slack::{
    message::{self, FakeMessage, Metadata},
    state::WorkspaceState,
    world::FakeChannel,
};

const DEFAULT_HISTORY: usize = 100;
/// Slack's documentation says 1,000, but a page of more than 999 is refused.
const DEFAULT_REPLIES: usize = 999;

/// The span of time that is asked for. Both ends are left out unless `inclusive` is set.
struct TimeRange(Bound<MessageTs>, Bound<MessageTs>);

impl TimeRange {
    fn read(args: &Args) -> Result<Self, MethodRefusal> {
        let inclusive = args.flag("inclusive");
        let bound = |ts: Option<MessageTs>| match ts {
            None => Bound::Unbounded,
            Some(ts) if inclusive => Bound::Included(ts),
            Some(ts) => Bound::Excluded(ts),
        };
        Ok(Self(bound(args.bound("oldest")?), bound(args.bound("latest")?)))
    }

    fn holds(&self, ts: MessageTs) -> bool {
        use std::ops::RangeBounds as _;
        (self.0, self.1).contains(&ts)
    }
}

pub(super) fn channel_page(state: &mut WorkspaceState, args: &Args) -> MethodAnswer {
    let id = args.channel()?;
    let span = TimeRange::read(args)?;
    let channel = readable_channel(state, known_channel(state, &id)?)?;
    let size = page::items_per_page(args, DEFAULT_HISTORY)?.min(state.most_messages);
    let before = position_of_cursor(args, "history")?;
    let mut rest = channel.messages.values().rev().filter(|message| {
        let is_on_page = span.holds(message.ts) && before.is_none_or(|before| message.ts < before);
        message.is_at_top() && is_on_page && !state.unlisted.contains(&message.ts)
    });
    let page: Vec<&FakeMessage> = rest.by_ref().take(size).collect();
    let last = page.last().map(|message| message.ts.to_string());
    let next = last.filter(|_| rest.next().is_some()).map(|last| page::cursor_to_place("history", &last));
    let mut told = answer_with_page(state, channel, args, &page, next);
    told.insert("pin_count".to_owned(), 0.into());
    told.insert("channel_actions_ts".to_owned(), Value::Null);
    told.insert("channel_actions_count".to_owned(), 0.into());
    Ok(Value::Object(told))
}

/// A thread: first its root, on every page and whatever the span, then its replies.
pub(super) fn thread_page(state: &mut WorkspaceState, args: &Args) -> MethodAnswer {
    let id = args.channel()?;
    let span = TimeRange::read(args)?;
    let channel = readable_channel(state, known_channel(state, &id)?)?;
    let not_found = || MethodRefusal::new("thread_not_found");
    args.required("ts")?;
    let asked =
        args.ts("ts", "thread_not_found")?.and_then(|ts| channel.messages.get(&ts)).ok_or_else(not_found)?;
    let root_ts = asked.thread_ts.unwrap_or(asked.ts);
    let size = page::items_per_page(args, DEFAULT_REPLIES)?.min(state.most_messages);
    let after = position_of_cursor(args, "replies")?;
    let mut rest = channel.replies(root_ts).filter(|message| {
        let is_on_page = span.holds(message.ts) && after.is_none_or(|after| message.ts > after);
        is_on_page && !state.unlisted.contains(&message.ts)
    });
    // The root counts as one, but a page always has room for one reply.
    let page: Vec<&FakeMessage> = rest.by_ref().take(size.saturating_sub(1).max(1)).collect();
    let last = page.last().map(|message| message.ts.to_string());
    let next = last.filter(|_| rest.next().is_some()).map(|last| page::cursor_to_place("replies", &last));
    let root = channel.messages.get(&root_ts);
    let shown: Vec<&FakeMessage> = root.into_iter().chain(page).collect();
    Ok(Value::Object(answer_with_page(state, channel, args, &shown, next)))
}

fn answer_with_page(
    state: &WorkspaceState,
    channel: &FakeChannel,
    args: &Args,
    page: &[&FakeMessage],
    next: Option<String>,
) -> Map<String, Value> {
    let whole = args.flag("include_all_metadata");
    let metadata = if whole { Metadata::Whole } else { Metadata::Stripped };
    let shown =
        page.iter().map(|message| message::object_in_channel(&state.world, channel, message, metadata));
    let mut told = Map::new();
    told.insert("messages".to_owned(), shown.collect());
    told.insert("has_more".to_owned(), next.is_some().into());
    // Unlike a list, the last page of a history carries no `response_metadata`.
    if next.is_some() {
        told.insert("response_metadata".to_owned(), page::response_metadata(next));
    }
    told
}

fn position_of_cursor(args: &Args, list: &str) -> Result<Option<MessageTs>, MethodRefusal> {
    let at = page::start_of_cursor(args, list)?;
    at.map(|at| at.parse().ok().ok_or_else(|| MethodRefusal::new("invalid_cursor"))).transpose()
}

/// A channel whose messages the bot may read.
fn readable_channel<'a>(
    state: &WorkspaceState,
    channel: &'a FakeChannel,
) -> Result<&'a FakeChannel, MethodRefusal> {
    require_scope(state, &format!("{}:history", channel.type_and_scope().1))?;
    if channel.has_bot() { Ok(channel) } else { Err(MethodRefusal::new("not_in_channel")) }
}
