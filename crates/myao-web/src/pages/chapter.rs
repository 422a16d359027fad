//! The page of a chapter: its memory, beside what was said.

use axum::extract::Path;
use maud::{Markup, html};
use myao_core::chat::{Channel, MessageTs};
use myao_store::{Range, VersionLog};

use super::channel::{Tab, heading_with_tabs, how_it_came_about};
use crate::{
    answer::{PageError, PageResult, go_to, page_response},
    layout::{Here, whole_page},
    show::{
        SheetLine, SheetReading, TalkView, changed_lines, lines_in_order, sheet_of_lines, talk_with_days,
    },
    visit::Visit,
};

/// How many messages of a chapter are shown, the newest. No chapter that we cut has more, but one that was never cut
/// may.
const MOST_MESSAGES: usize = 500;

/// `/channel/ID/chapter/N`: the memory of the chapter, and what was said in it.
pub(super) async fn show_one_chapter(Path((id, number)): Path<(String, String)>, visit: Visit) -> PageResult {
    let channel = visit.channel(&id)?;
    let number: u32 = number.parse().ok().filter(|number| *number > 0).ok_or(PageError::NotFound)?;
    let store = &visit.site.store;
    let mut found =
        store.memory().version_page(&visit.view.visibility, &channel.id, number.saturating_add(1), 1).await?;
    let log = found.pop();
    let is_ended = log.as_ref().is_some_and(|log| log.memory.version() == number);
    let is_next = log.as_ref().map_or(number == 1, |log| log.memory.version() + 1 == number);
    if !is_ended && !is_next {
        return Err(PageError::NotFound);
    }
    let range = range_of_chapter(channel, log.as_ref(), is_ended);
    let mut messages = match &range {
        Some(range) => store.archive().talk_in_range(&visit.view.visibility, range).await?.1,
        None => Vec::new(),
    };
    let left_out = messages.len().saturating_sub(MOST_MESSAGES);
    messages.drain(..left_out);
    let team_url = store.archive().team_url().await?;
    let title = format!("#{}, {}", channel.name, visit.chapter(number));
    let log = log.filter(|_| is_ended);
    let main = html! {
        (heading_with_tabs(&visit, channel, Tab::Memory, &title, &html! {}))
        div.two {
            (text_of_chapter(&visit, channel, log.as_ref()))
            section.stack aria-labelledby="said" {
                h2 id="said" { (visit.say("common-what-was-said")) }
                @if messages.is_empty() { p.quiet { (visit.say("chapter-nothing-that-is-still-there")) } }
                @if left_out > 0 { p.quiet { "… " (left_out) } }
                (talk_with_days(&visit, &messages, &TalkView { team_url: team_url.as_deref(), ..TalkView::default() }))
                (turn_links(&visit, channel, number, is_ended))
            }
        }
    };
    Ok(page_response(whole_page(&visit, &title, &Here::Channel(channel.id.clone()), &main)))
}

/// Where a chapter lies. The one under way begins where the last one ends.
fn range_of_chapter(channel: &Channel, log: Option<&VersionLog>, is_ended: bool) -> Option<Range> {
    match log {
        Some(log) if is_ended && log.is_provisional() => {
            log.range.clone().map(|range| Range { to: MessageTs::MAX, ..range })
        }
        Some(log) if is_ended => log.range.clone(),
        Some(log) => {
            let from = log.range.as_ref().map_or(MessageTs::MIN, |range| range.to);
            Some(Range { channel: channel.id.clone(), from, to: MessageTs::MAX })
        }
        None => Some(Range { channel: channel.id.clone(), from: MessageTs::MIN, to: MessageTs::MAX }),
    }
}

fn text_of_chapter(visit: &Visit, channel: &Channel, log: Option<&VersionLog>) -> Markup {
    let Some(log) = log else {
        let words = visit.say("chapter-it-is-under-way-nothing");
        return html! { section.stack { p.note { (words) } } };
    };
    let lines = changed_lines(None, &lines_in_order(&visit.view.names.show(log.memory.content())));
    let why = |line: &SheetLine| {
        visit.channel_href(
            &channel.id,
            "/why",
            &[("entry", &log.step.to_string()), ("line", &line.nth.to_string())],
        )
    };
    let period = log.source_first_message_ts.zip(log.memory.source_latest_message_ts());
    html! {
        section.stack aria-labelledby="text" {
            article.paper {
                header {
                    h2 id="text" { (visit.say("common-what-is-remembered-of-it")) }
                    p.quiet {
                        @if let Some((from, to)) = period { (visit.times().period(from, to)) ". " }
                        (visit.say_with("chapter-text-about", &[("messages", visit.messages(log.memory.source_message_count()).into()), ("how", how_it_came_about(visit, log.kind).into()), ("entry", log.step.to_string().into())]))
                        @if log.is_provisional() {
                            (visit.say("chapter-provisional-it-is-written-anew"))
                        } @else if !log.closed_by.is_empty() { (visit.say_with("chapter-ended-by", &[("why", (&*log.closed_by).into())])) }
                    }
                }
                (sheet_of_lines(visit, &lines, &SheetReading { why: Some(&why), is_new: false }))
            }
            p.row.quiet {
                a href=(visit.channel_href(&channel.id, "/changes", &[("version", &log.memory.version().to_string())])) { (visit.say("chapter-every-text-it-ever-had")) }
                @if visit.may_change() {
                    a href=(visit.channel_href(&channel.id, "/rebuild", &[("from", &log.memory.version().to_string())])) { (visit.say("chapter-rebuild-from-here-on")) }
                }
            }
        }
    }
}

fn turn_links(visit: &Visit, channel: &Channel, number: u32, is_ended: bool) -> Markup {
    let link = |number: u32| visit.channel_href(&channel.id, &format!("/chapter/{number}"), &[]);
    html! {
        p.row {
            @if number > 1 { a href=(link(number - 1)) rel="prev" data-key="[" { (visit.say_with("chapter-before", &[("number", (number - 1).into())])) } }
            @if is_ended { a href=(link(number + 1)) rel="next" data-key="]" { (visit.say_with("chapter-after", &[("number", (number + 1).into())])) } }
        }
    }
}

/// `/channel/ID/said/TS`: leads to the chapter that holds the message.
pub(super) async fn show_talk_around(Path((id, ts)): Path<(String, String)>, visit: Visit) -> PageResult {
    let channel = visit.channel(&id)?;
    let ts: MessageTs = ts.parse().map_err(|_no_time| PageError::NotFound)?;
    let log = visit.site.store.memory().version_log(&visit.view.visibility, &channel.id).await?;
    let holds = |log: &&VersionLog| log.range.as_ref().is_some_and(|range| range.from < ts && ts <= range.to);
    let number = match log.iter().find(holds) {
        Some(log) => log.memory.version(),
        None => log.last().map_or(1, |log| log.memory.version().saturating_add(1)),
    };
    let address = visit.channel_href(&channel.id, &format!("/chapter/{number}"), &[]);
    Ok(go_to(&format!("{address}#m{ts}")))
}
