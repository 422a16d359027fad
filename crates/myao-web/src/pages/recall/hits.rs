//! How hits of recall are shown.

use maud::{Markup, html};
use myao_companion::found::RecallHit;
use myao_core::{
    chat::{ChannelId, Message},
    memory::{MemoryType, mark_of_day},
    recall::Highlighter,
    wording::{MESSAGE_LIMIT, TalkFormat, messages_as_lines},
};
use myao_store::{MemoryLine, RecalledText};

use crate::{
    show::{TalkMarks, TalkView, drawn_words_found, talk_with_days},
    visit::Visit,
};

/// The most columns shown of a line of a memory.
const COLUMNS: usize = 400;

/// The words of a hit, as they are shown.
pub(super) fn words_of_hit(visit: &Visit, text: &RecalledText) -> String {
    match text {
        RecalledText::Message(message) => {
            let zone = &visit.site.config.locale.timezone;
            let format =
                TalkFormat { names: &visit.view.names, zone, language: visit.language, limit: MESSAGE_LIMIT };
            messages_as_lines([message], &format).into_iter().next().map(|line| line.text).unwrap_or_default()
        }
        RecalledText::Line(line) => visit.view.names.show(&line.text),
    }
}

/// The hits among the lines of one channel's memories.
pub(super) fn remembered_lines(
    visit: &Visit,
    channel: &ChannelId,
    lines: &[&MemoryLine],
    highlighter: &Highlighter,
) -> Markup {
    html! {
        article.paper {
            p.quiet { a href=(visit.channel_href(channel, "", &[])) { "#" (visit.view.names.channel(channel)) } }
            ul.memory.lines { @for line in lines { (one_memory_line(visit, line, highlighter)) } }
        }
    }
}

fn one_memory_line(visit: &Visit, line: &MemoryLine, highlighter: &Highlighter) -> Markup {
    let snippet = highlighter.snippet(&visit.view.names.show(&line.text), COLUMNS);
    let version = line.version.to_string();
    let address = match line.memory_type {
        MemoryType::LongTerm => visit.channel_href(&line.channel, "/why", &[("words", &line.text)]),
        MemoryType::ShortTerm => visit.channel_href(&line.channel, &format!("/chapter/{version}"), &[]),
    };
    html! {
        li tabindex="-1" data-item {
            span.m {
                a href=(address) {
                    @match (line.memory_type, line.until) {
                        (MemoryType::ShortTerm, Some(until)) => { (visit.times().day_said(until)) }
                        (MemoryType::ShortTerm, None) => { (visit.say("recall-chapter")) }
                        (MemoryType::LongTerm, _) => { (visit.say("recall-long-term")) }
                    }
                }
            }
            p dir="auto" {
                (drawn_words_found(&snippet.text, &snippet.marks))
                @if let Some(day) = line.ended { span.quiet { (mark_of_day(day, visit.language)) } }
            }
        }
    }
}

/// A message that was found, as the hit says.
pub(super) fn found_message(
    visit: &Visit,
    message: &Message,
    hit: &RecallHit,
    highlighter: &Highlighter,
    team_url: Option<&str>,
) -> Markup {
    let view = TalkView { marks: Some(TalkMarks::Found(highlighter)), found: None, team_url };
    let channel = &message.channel;
    let around = visit.channel_href(channel, &format!("/said/{}", message.ts), &[]);
    let thread = message.thread_ts.map(|root| visit.channel_href(channel, &format!("/thread/{root}"), &[]));
    html! {
        li.hit {
            p.quiet.row.spread {
                span {
                    a href=(visit.channel_href(channel, "", &[])) { "#" (visit.view.names.channel(channel)) }
                    @if let Some(thread) = &thread { ", " a href=(thread) { (visit.say("recall-in-a-thread")) } }
                    @if hit.more > 0 { " (+" (hit.more) ")" }
                    @if let Some(day) = hit.ended_on() { (mark_of_day(day, visit.language)) }
                }
                a href=(around) { (visit.say("recall-what-stands-around-it")) }
            }
            (talk_with_days(visit, std::slice::from_ref(message), &view))
        }
    }
}
