//! The page of a chapter: its memory, beside what was said.

use axum::extract::Path;
use maud::{Markup, html};
use myao_core::chat::{Channel, MessageTs};
use myao_store::{Range, VersionLog};

use super::channel::{Tab, head, how};
use crate::{
    answer::{PageError, PageResult, go_to, page},
    layout::{Here, whole},
    show::{SheetLine, SheetReading, TalkView, changed, lines_of, paper, talk},
    visit::Visit,
};

/// How many messages of a chapter are shown, the newest. No chapter that we cut has more, but one that was never cut
/// may.
const MOST_MESSAGES: usize = 500;

/// `/channel/ID/chapter/N`: the memory of the chapter, and what was said in it.
pub(super) async fn chapter(Path((id, number)): Path<(String, String)>, visit: Visit) -> PageResult {
    let channel = visit.channel(&id)?;
    let number: u32 = number.parse().ok().filter(|number| *number > 0).ok_or(PageError::NotFound)?;
    let store = &visit.site.store;
    let mut found =
        store.version_page(&visit.view.visibility, &channel.id, number.saturating_add(1), 1).await?;
    let log = found.pop();
    let is_ended = log.as_ref().is_some_and(|log| log.memory.version() == number);
    let is_next = log.as_ref().map_or(number == 1, |log| log.memory.version() + 1 == number);
    if !is_ended && !is_next {
        return Err(PageError::NotFound);
    }
    let range = range(channel, log.as_ref(), is_ended);
    let mut messages = match &range {
        Some(range) => store.talk(&visit.view.visibility, range).await?.1,
        None => Vec::new(),
    };
    let left_out = messages.len().saturating_sub(MOST_MESSAGES);
    messages.drain(..left_out);
    let team_url = store.team_url().await?;
    let title = format!("#{}, {}{number}", channel.name, visit.say("chapter ", "章"));
    let log = log.filter(|_| is_ended);
    let main = html! {
        (head(&visit, channel, Tab::Memory, &title, html! {}))
        div.two {
            (chapter_text(&visit, channel, log.as_ref()))
            section.stack aria-labelledby="said" {
                h2 id="said" { (visit.say("What was said", "話されたこと")) }
                @if messages.is_empty() { p.quiet { (visit.say("Nothing that is still there.", "いま残っているものはありません。")) } }
                @if left_out > 0 { p.quiet { "… " (left_out) } }
                (talk(&visit, &messages, &TalkView { team_url: team_url.as_deref(), ..TalkView::default() }))
                (turn(&visit, channel, number, is_ended))
            }
        }
    };
    Ok(page(whole(&visit, &title, &Here::Channel(channel.id.clone()), &main)))
}

/// Where a chapter lies. The one under way begins where the last one ends.
fn range(channel: &Channel, log: Option<&VersionLog>, is_ended: bool) -> Option<Range> {
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

fn chapter_text(visit: &Visit, channel: &Channel, log: Option<&VersionLog>) -> Markup {
    let Some(log) = log else {
        let words = visit.say(
            "It is under way: nothing is written of it yet.",
            "まだ終わっていません。終わると、ここに書かれます。",
        );
        return html! { section.stack { p.note { (words) } } };
    };
    let lines = changed(None, &lines_of(&visit.view.names.show(log.memory.content())));
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
                    h2 id="text" { (visit.say("What is remembered of it", "覚えていること")) }
                    p.quiet {
                        @if let Some((from, to)) = period { (visit.times().period(from, to)) ". " }
                        (visit.messages(log.memory.source_message_count())) (visit.say(", ", "、")) (how(visit, log.kind)) ". "
                        (visit.say("Entry ", "記録")) (log.step)
                        @if log.is_provisional() {
                            (visit.say("; provisional: it is written anew when the chapter ends", "。仮のものです。章が終わると書き直されます。"))
                        } @else if !log.closed_by.is_empty() { (visit.say("; ended by ", "。終わった理由：")) (log.closed_by) }
                    }
                }
                (paper(visit, &lines, &SheetReading { why: Some(&why), is_new: false }))
            }
            p.row.quiet {
                a href=(visit.channel_href(&channel.id, "/changes", &[("version", &log.memory.version().to_string())])) { (visit.say("Every text it ever had", "これまでの文章")) }
                @if visit.may_change() {
                    a href=(visit.channel_href(&channel.id, "/rebuild", &[("from", &log.memory.version().to_string())])) { (visit.say("Rebuild from here on", "ここから作り直す")) }
                }
            }
        }
    }
}

fn turn(visit: &Visit, channel: &Channel, number: u32, is_ended: bool) -> Markup {
    let link = |number: u32| visit.channel_href(&channel.id, &format!("/chapter/{number}"), &[]);
    html! {
        p.row {
            @if number > 1 { a href=(link(number - 1)) rel="prev" data-key="[" { (visit.say("← chapter ", "← 章")) (number - 1) } }
            @if is_ended { a href=(link(number + 1)) rel="next" data-key="]" { (visit.say("chapter ", "章")) (number + 1) " →" } }
        }
    }
}

/// `/channel/ID/said/TS`: leads to the chapter that holds the message.
pub(super) async fn said(Path((id, ts)): Path<(String, String)>, visit: Visit) -> PageResult {
    let channel = visit.channel(&id)?;
    let ts: MessageTs = ts.parse().map_err(|_no_time| PageError::NotFound)?;
    let log = visit.site.store.version_log(&visit.view.visibility, &channel.id).await?;
    let holds = |log: &&VersionLog| log.range.as_ref().is_some_and(|range| range.from < ts && ts <= range.to);
    let number = match log.iter().find(holds) {
        Some(log) => log.memory.version(),
        None => log.last().map_or(1, |log| log.memory.version().saturating_add(1)),
    };
    let address = visit.channel_href(&channel.id, &format!("/chapter/{number}"), &[]);
    Ok(go_to(&format!("{address}#m{ts}")))
}
