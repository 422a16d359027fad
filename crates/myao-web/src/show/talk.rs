//! Messages: names to the left of a margin, words to its right.

use std::collections::BTreeSet;

use maud::{Markup, html};
use myao_core::{
    chat::{ChannelId, Message, MessageTs, Speaker},
    forget::SoughtWords,
    ports::TalkLine,
    recall::Highlighter,
    wording::{MESSAGE_LIMIT, TalkFormat, messages_as_lines},
};

use super::{drawn_words, drawn_words_found, marked_text::REL, without_invisible};
use crate::{room_links, visit::Visit};

/// What is marked in the words of messages.
#[derive(Clone, Copy)]
pub(crate) enum TalkMarks<'a> {
    /// What recall found.
    Found(&'a Highlighter),
    /// The words that are to be forgotten, exactly as they are looked for.
    Sought(&'a SoughtWords),
}

/// How talk is shown.
#[derive(Default)]
pub(crate) struct TalkView<'a> {
    /// What is marked in the words.
    pub(crate) marks: Option<TalkMarks<'a>>,
    /// The messages that were looked for; all others are shown dimmed around them. `None`: all were looked for.
    pub(crate) found: Option<&'a BTreeSet<MessageTs>>,
    /// The address of the chat's workspace, if it is known.
    pub(crate) team_url: Option<&'a str>,
}

/// Messages in their order, with a line for each new day.
pub(crate) fn talk_with_days(visit: &Visit, messages: &[Message], view: &TalkView<'_>) -> Markup {
    let format = TalkFormat {
        names: &visit.view.names,
        zone: &visit.site.config.locale.timezone,
        language: visit.language,
        limit: MESSAGE_LIMIT,
    };
    let said: Vec<&Message> = messages.iter().filter(|message| message.is_talk()).collect();
    let lines = messages_as_lines(said.iter().copied(), &format);
    visit.note_instants(said.iter().map(|message| message.ts.to_timestamp()));
    let times = visit.times();
    let day = |nth: usize| said.get(nth).map(|message| times.day_of(message.ts.to_timestamp()));
    html! {
        ol.talk.lines {
            @for (nth, (line, message)) in lines.iter().zip(&said).enumerate() {
                @if nth == 0 || day(nth) != day(nth - 1) { li.day { h3 { (times.weekday(line.ts)) } } }
                (one_message(visit, line, message, view))
            }
        }
    }
}

fn one_message(visit: &Visit, line: &TalkLine, message: &Message, view: &TalkView<'_>) -> Markup {
    let is_near = view.found.is_some_and(|found| !found.contains(&line.ts));
    let is_own = line.speaker == Speaker::Own;
    let anchor = message_anchor(line.ts);
    let address = message_address(visit, &message.channel, line.ts, message.thread_ts, view.team_url);
    html! {
        li id=(anchor) .own[is_own] .dimmed[is_near] .near[is_near] .reply[line.thread.is_some()] tabindex="-1" data-item[!is_near] {
            span.m { (line.name) }
            div.say {
                p dir="auto" { (marked_words(&line.text, view.marks.filter(|_| !is_near))) }
                a.t href=(address.as_deref().unwrap_or(&format!("#{anchor}"))) rel=[address.as_ref().map(|_| REL)] {
                    (visit.times().time_said(line.ts))
                }
            }
        }
    }
}

/// The words of a message, with marks at what was looked for.
fn marked_words(text: &str, marks: Option<TalkMarks<'_>>) -> Markup {
    match marks {
        Some(TalkMarks::Sought(words)) => {
            let text = without_invisible(text);
            drawn_words_found(&text, &words.places(&text))
        }
        Some(TalkMarks::Found(highlighter)) => {
            let snippet = highlighter.snippet(text, MESSAGE_LIMIT * 2);
            drawn_words_found(&snippet.text, &snippet.marks)
        }
        None => drawn_words(text),
    }
}

/// The id of a message within a page.
pub(crate) fn message_anchor(ts: MessageTs) -> String {
    format!("m{ts}")
}

/// The address at which people open a message, in the chat or in the local workspace. An address in the chat counts
/// only if it begins with `http://` or `https://`.
pub(crate) fn message_address(
    visit: &Visit,
    channel: &ChannelId,
    ts: MessageTs,
    thread: Option<MessageTs>,
    team_url: Option<&str>,
) -> Option<String> {
    if visit.site.has_room() {
        return Some(room_links::message_address(channel, ts));
    }
    let link = visit.site.links.message;
    let address = link(team_url?, channel, ts, thread)?;
    ["https://", "http://"].iter().any(|scheme| address.starts_with(scheme)).then_some(address)
}
