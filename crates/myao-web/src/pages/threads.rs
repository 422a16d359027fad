//! The threads of a channel, and what is remembered of one.

use axum::extract::Path;
use maud::{Markup, html};
use myao_core::{
    chat::{Channel, Message, MessageTs},
    memory::{MemoryScope, MemoryType, make_thread_scope_id},
    wording::{TalkFormat, messages_as_lines},
};

use super::channel::{Tab, heading_with_tabs};
use crate::{
    answer::{PageError, PageResult, page_response},
    layout::{Here, whole_page},
    numbers::digits_in_groups,
    show::{
        SheetReading, TalkView, changed_lines, lines_in_order, sheet_of_lines, talk_with_days,
        words_without_marks,
    },
    visit::Visit,
};

/// How many days back threads are listed.
const DAYS: i64 = 30;
/// The most threads that are listed: those that began last.
const MOST_THREADS: usize = 40;
/// The most characters that are shown of a thread's first message.
const EXCERPT: usize = 140;
/// The most messages that are shown of a thread: the last.
const MOST_MESSAGES: usize = 500;

/// `/channel/ID/threads`: the list.
pub(super) async fn show_channel_threads(Path(id): Path<String>, visit: Visit) -> PageResult {
    let channel = visit.channel(&id)?;
    let store = &visit.site.store;
    let now = MessageTs::from_timestamp(visit.site.now());
    let newest = store
        .recall()
        .count_searchable_texts(&myao_core::chat::Visibility::only(&channel.id))
        .await?
        .until
        .unwrap_or(now);
    let since = newest.min(now).plus_seconds(-DAYS * 24 * 3600);
    let mut roots = store.memory().threads_active_between(&channel.id, since, MessageTs::MAX).await?;
    roots.reverse();
    let all = roots.len();
    roots.truncate(MOST_THREADS);
    let mut listed = Vec::with_capacity(roots.len());
    for root in roots {
        let (_, said) =
            store.memory().talk_of_thread(&visit.view.visibility, &channel.id, root, MessageTs::MAX).await?;
        let remembered = memory_of_thread(&visit, channel, root).await?;
        listed.push((root, said, remembered.is_some()));
    }
    visit.note_instants(listed.iter().map(|(root, ..)| root.to_timestamp()));
    let title = visit.say_with("threads-of", &[("channel", (&*channel.name).into())]);
    let main = html! {
        (heading_with_tabs(&visit, channel, Tab::Threads, &title, &html! {}))
        div.stack {
            p.quiet { (visit.say("threads-those-of-the-last-30")) }
            @if listed.is_empty() { p { (visit.say("threads-nobody-replied-in-a-thread")) } }
            ol.lines.threads {
                @for (root, said, is_remembered) in &listed { (line_about_thread(&visit, channel, *root, said, *is_remembered)) }
            }
            @if all > listed.len() { p.quiet { "… +" (all - listed.len()) } }
        }
    };
    Ok(page_response(whole_page(&visit, &title, &Here::Channel(channel.id.clone()), &main)))
}

fn line_about_thread(
    visit: &Visit,
    channel: &Channel,
    root: MessageTs,
    said: &[Message],
    is_remembered: bool,
) -> Markup {
    let format = TalkFormat {
        names: &visit.view.names,
        zone: &visit.site.config.locale.timezone,
        language: visit.language,
        limit: EXCERPT,
    };
    let first = messages_as_lines(said.iter().take(1), &format).into_iter().next();
    let replies = u64::try_from(said.iter().filter(|message| message.ts != root).count()).unwrap_or(u64::MAX);
    html! {
        li tabindex="-1" data-item {
            span.m { (visit.times().day_said(root)) }
            div {
                p dir="auto" {
                    a href=(visit.channel_href(&channel.id, &format!("/thread/{root}"), &[])) {
                        @match &first { Some(line) => { b { (line.name) } " " (words_without_marks(&line.text)) } None => { (root) } }
                    }
                }
                p.quiet {
                    (visit.say_with("threads-replies", &[("replies", digits_in_groups(replies).into())]))
                    @if is_remembered { " · " (visit.say("threads-remembered-by-itself")) }
                }
            }
        }
    }
}

async fn memory_of_thread(
    visit: &Visit,
    channel: &Channel,
    root: MessageTs,
) -> Result<Option<String>, PageError> {
    let id = make_thread_scope_id(&channel.id, root);
    let scope = MemoryScope::Thread;
    let short = MemoryType::ShortTerm;
    let found = visit.site.store.memory().find_latest(&visit.view.visibility, scope, &id, short).await?;
    Ok(found.map(|memory| visit.view.names.show(memory.content())))
}

/// `/channel/ID/thread/TS`: one thread.
pub(super) async fn show_one_thread(Path((id, root)): Path<(String, String)>, visit: Visit) -> PageResult {
    let channel = visit.channel(&id)?;
    let root: MessageTs = root.parse().map_err(|_no_time| PageError::NotFound)?;
    let store = &visit.site.store;
    let (_, mut said) =
        store.memory().talk_of_thread(&visit.view.visibility, &channel.id, root, MessageTs::MAX).await?;
    if said.is_empty() {
        return Err(PageError::NotFound);
    }
    let left_out = said.len().saturating_sub(MOST_MESSAGES);
    said.drain(..left_out);
    let remembered = memory_of_thread(&visit, channel, root).await?;
    let team_url = store.archive().team_url().await?;
    let title = visit.say_with("threads-thread-of", &[("channel", (&*channel.name).into())]);
    let main = html! {
        (heading_with_tabs(&visit, channel, Tab::Threads, &title, &html! {}))
        div.two {
            section.stack aria-labelledby="rem" {
                h2 id="rem" { (visit.say("common-what-is-remembered-of-it")) }
                @match remembered {
                    Some(text) => { article.paper { (sheet_of_lines(&visit, &changed_lines(None, &lines_in_order(&text)), &SheetReading { why: None, is_new: false })) } }
                    None => { p.note { (visit.say("threads-nothing-by-itself-only-threads")) } }
                }
            }
            section.stack aria-labelledby="said" {
                h2 id="said" { (visit.say("common-what-was-said")) }
                @if left_out > 0 { p.quiet { "… " (left_out) } }
                (talk_with_days(&visit, &said, &TalkView { team_url: team_url.as_deref(), ..TalkView::default() }))
            }
        }
    };
    Ok(page_response(whole_page(&visit, &title, &Here::Channel(channel.id.clone()), &main)))
}
