//! The page of a channel: its long-term memory, and its chapters.

use axum::extract::Path;
use maud::{Markup, html};
use myao_core::{
    chat::{Channel, ChannelKind, MessageTs},
    memory::{StepId, StepKind},
    text::estimate_tokens,
};
use myao_store::{JournalEntry, JournalWindow, MemoryKey, VersionLog};

use super::as_of::{self, TimeAsked};
use crate::{
    answer::{PageError, PageResult, page_response},
    layout::{Here, kind_in_words, whole_page},
    numbers::digits_in_groups,
    show::{SheetLine, SheetReading, changed_lines, lines_in_order, reason_in_quotes, sheet_of_lines},
    visit::{Visit, escape_path_part},
};

/// How many chapters a page lists.
const CHAPTERS: usize = 30;
/// How many texts of a memory are linked above it: the newest ones.
const LEAVES: usize = 6;
/// How many entries of a journal are read for one page.
const MOST_ENTRIES: usize = 100;

/// The pages of a channel.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Tab {
    Memory,
    Changes,
    Why,
    Threads,
    Prompt,
}

/// The heading of a channel's pages.
pub(super) fn heading_with_tabs(
    visit: &Visit,
    channel: &Channel,
    tab: Tab,
    title: &str,
    more: &Markup,
) -> Markup {
    let tabs = [
        (Tab::Memory, "", visit.say("common-memory")),
        (Tab::Changes, "/changes", visit.say("channel-changes")),
        (Tab::Why, "/why", visit.say("channel-why")),
        (Tab::Threads, "/threads", visit.say("channel-threads")),
        (Tab::Prompt, "/prompt", visit.say("channel-prompt")),
    ];
    html! {
        header.head {
            div.row.spread { h1 { (title) } (more) }
            nav.tabs aria-label=(visit.say("channel-this-channel")) {
                @for (this, rest, name) in tabs {
                    a href=(visit.channel_href(&channel.id, rest, &[])) aria-current=[(tab == this).then_some("page")] {
                        (name)
                    } " "
                }
                @if visit.view.place.as_ref().is_none_or(|place| place.id != channel.id) {
                    a.eye href=(format!("{}?as={}", visit.path, escape_path_part(channel.id.as_str()))) {
                        (visit.say("channel-see-as-here"))
                    }
                }
            }
        }
    }
}

/// `/channel/ID`: `text` is the journal entry of an earlier text; the list of chapters begins before chapter `before`.
/// With `as_of`, it is shown how things stood then.
pub(super) async fn show_channel_memory(Path(id): Path<String>, visit: Visit) -> PageResult {
    let channel = visit.channel(&id)?;
    let asked = as_of::time_asked(&visit, channel).await?;
    if !matches!(asked, TimeAsked::Now) {
        return show_memory_as_of(&visit, channel, &asked).await;
    }
    let key = MemoryKey::long_term(&channel.id);
    let window = journal_window(&visit, &key, visit.query.parsed("text")).await?;
    let sums = visit.site.counted().await?;
    let counted = sums.coverage.iter().find(|row| row.channel == channel.id);
    let more = html! {
        p.quiet {
            @if let Some(row) = counted {
                (visit.say_with("channel-coverage", &[("messages", visit.messages(row.messages).into()), ("remembered", digits_in_groups(row.covered).into()), ("waiting", digits_in_groups(row.pending).into())]))
            }
            @if let Some(kind) = kind_in_words(&visit, channel.kind) { " · " (kind) }
            @if channel.external { " · " (visit.say("channel-with-people-from-outside")) }
            @if channel.kind == ChannelKind::Unknown { " · " (visit.say("channel-until-the-chat-tells-what")) }
        }
    };
    visit.note_instants(window.entries.iter().map(|entry| entry.at));
    let chapters = chapter_list(&visit, channel).await?;
    let title = format!("#{}", channel.name);
    let main = html! {
        (heading_with_tabs(&visit, channel, Tab::Memory, &title, &more))
        div.two {
            (long_term(&visit, channel, &window))
            (chapters)
        }
        (as_of::form_for_day(&visit, &[]))
    };
    Ok(page_response(whole_page(&visit, &title, &Here::Channel(channel.id.clone()), &main)))
}

/// The page as of a time that was asked for.
async fn show_memory_as_of(visit: &Visit, channel: &Channel, asked: &TimeAsked) -> PageResult {
    let title = format!("#{}", channel.name);
    let shown = match asked {
        TimeAsked::Then(instant) => as_of::memory_as_of(visit, channel, *instant).await?,
        TimeAsked::Wrong(why) => html! { p.note.needs { (why) } },
        TimeAsked::Now => html! {},
    };
    let main = html! {
        (heading_with_tabs(visit, channel, Tab::Memory, &title, &html! {}))
        div.stack { (as_of::form_for_day(visit, &[])) (shown) }
    };
    Ok(page_response(whole_page(visit, &title, &Here::Channel(channel.id.clone()), &main)))
}

/// The part of a memory's journal that a page shows: around `text`, or else around the text that the memory has now.
pub(super) async fn journal_window(
    visit: &Visit,
    key: &MemoryKey,
    text: Option<i64>,
) -> Result<JournalWindow, PageError> {
    let store = &visit.site.store;
    Ok(store
        .memory()
        .journal_window_around(&visit.view.visibility, key, text.map(StepId), MOST_ENTRIES)
        .await?)
}

/// The number of a text among all that its memory ever had, counted from 1, and how many those are.
pub(super) fn place_of(window: &JournalWindow, at: usize, shown: usize) -> (u64, u64) {
    let number = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
    let nth = window.texts_before.saturating_add(number(at)).saturating_add(1);
    (nth, window.texts_before.saturating_add(number(shown)).saturating_add(window.texts_behind))
}

/// The entries that became a text of the memory and still hold one, oldest first.
pub(super) fn entries_with_text(entries: &[JournalEntry]) -> Vec<&JournalEntry> {
    entries
        .iter()
        .filter(|entry| entry.content.as_ref().is_some_and(|text| !text.is_empty()) && is_text(entry.kind))
        .collect()
}

/// Whether an entry of this kind became the text of the memory.
fn is_text(kind: StepKind) -> bool {
    match kind {
        StepKind::Refused | StepKind::Dropped | StepKind::Emptied | StepKind::Correction => false,
        StepKind::Verbatim
        | StepKind::Summary
        | StepKind::Merge
        | StepKind::Adopted
        | StepKind::Revert
        | StepKind::Edit => true,
    }
}

fn long_term(visit: &Visit, channel: &Channel, window: &JournalWindow) -> Markup {
    let texts = entries_with_text(&window.entries);
    let wanted = visit.query.parsed::<i64>("text");
    let current = texts.iter().position(|entry| entry.is_current);
    let at = wanted.and_then(|step| texts.iter().position(|entry| entry.step.0 == step)).or(current);
    html! {
        section.sheets aria-labelledby="lt" {
            @match at.and_then(|at| Some((at, texts.get(at)?))) {
                Some((at, entry)) => {
                    (links_as_leaves(visit, channel, &texts, at))
                    @let (nth, all) = place_of(window, at, texts.len());
                    (memory_sheet(visit, channel, entry, at.checked_sub(1).and_then(|before| texts.get(before)).copied(), nth, all))
                }
                None => { (nothing_yet(visit)) }
            }
        }
    }
}

fn nothing_yet(visit: &Visit) -> Markup {
    html! {
        article.paper.stack {
            h2 id="lt" { (visit.say("common-what-it-remembers-for-long")) }
            p { (visit.say("channel-nothing-yet-chapters-are-folded")) }
        }
    }
}

/// Links to the texts of the memory, drawn as leaves behind the newest.
fn links_as_leaves(visit: &Visit, channel: &Channel, texts: &[&JournalEntry], at: usize) -> Markup {
    let first = texts.len().saturating_sub(LEAVES).min(at);
    let shown = texts.iter().enumerate().skip(first).take(LEAVES);
    let address =
        |entry: &JournalEntry| visit.channel_href(&channel.id, "", &[("text", &entry.step.to_string())]);
    let beside = |nth: Option<usize>| nth.and_then(|nth| texts.get(nth)).map(|entry| address(entry));
    html! {
        nav.leaves aria-label=(visit.say("channel-earlier-texts-of-this-memory")) {
            @if let Some(earlier) = beside(at.checked_sub(1)) { a href=(earlier) rel="prev" data-key="[" title=(visit.say("common-earlier-text")) { "‹" } }
            @for (nth, entry) in shown {
                a href=(address(entry)) aria-current=[(nth == at).then_some("page")] {
                    (visit.times().date(visit.times().day_of(entry.at)))
                    @if entry.is_current { (visit.say("channel-now")) }
                }
            }
            @if let Some(later) = beside(at.checked_add(1)) { a href=(later) rel="next" data-key="]" title=(visit.say("common-later-text")) { "›" } }
        }
    }
}

fn memory_sheet(
    visit: &Visit,
    channel: &Channel,
    entry: &JournalEntry,
    before: Option<&JournalEntry>,
    nth: u64,
    all: u64,
) -> Markup {
    let text = |entry: &JournalEntry| {
        lines_in_order(&visit.view.names.show(entry.content.as_deref().unwrap_or_default()))
    };
    let lines = changed_lines(before.map(text).as_deref(), &text(entry));
    let step = entry.step.to_string();
    let why = |line: &SheetLine| {
        visit.channel_href(&channel.id, "/why", &[("entry", &step), ("line", &line.nth.to_string())])
    };
    let base = before.map(|entry| entry.step.to_string()).unwrap_or_default();
    html! {
        article.paper {
            header {
                h2 id="lt" { (visit.say("common-what-it-remembers-for-long")) }
                p.quiet { (about_text(visit, entry, nth, all)) }
            }
            (sheet_of_lines(visit, &lines, &SheetReading { why: Some(&why), is_new: entry.is_current }))
            footer.row.spread.quiet {
                span { (visit.say("channel-blue-is-new-since")) }
                span.row {
                    a href=(visit.channel_href(&channel.id, "/changes", &[("from", &base), ("to", &step)])) { (visit.say("common-what-changed")) }
                    @if visit.may_change() {
                        a href=(format!("{}#edit", visit.channel_href(&channel.id, "/changes", &[]))) { (visit.say("channel-edit")) }
                        a href=(visit.channel_href(&channel.id, "/rebuild", &[])) { (visit.say("channel-rebuild")) }
                    }
                }
            }
        }
    }
}

/// Says about a text: `Text 4 of 4. 353 of about 500 tokens, …`
pub(super) fn about_text(visit: &Visit, entry: &JournalEntry, nth: u64, all: u64) -> Markup {
    let tokens = estimate_tokens(entry.content.as_deref().unwrap_or_default());
    let target = visit.site.config.memory.long_term_summary_max_tokens;
    html! {
        (visit.markup_with("channel-text-about", &[
                ("nth", nth.into()),
                ("all", all.into()),
                ("tokens", tokens.into()),
                ("target", target.into()),
                ("messages", digits_in_groups(entry.source_message_count).into()),
                ("chapters", entry.mark.version.into()),
                ("entry", entry.step.to_string().into()),
                ("at", visit.times().instant(entry.at).into()),
                ("actor", (&*entry.actor).into()),
            ]))
        @if !entry.reason.is_empty() { " " (reason_in_quotes(visit.language, &entry.reason)) }
    }
}

async fn chapter_list(visit: &Visit, channel: &Channel) -> Result<Markup, PageError> {
    let before = visit.query.parsed::<u32>("before").unwrap_or(u32::MAX);
    let mut versions = visit
        .site
        .store
        .memory()
        .version_page(&visit.view.visibility, &channel.id, before, CHAPTERS + 1)
        .await?;
    let has_more = versions.len() > CHAPTERS;
    versions.truncate(CHAPTERS);
    let said = versions.iter().filter_map(|log| log.source_first_message_ts);
    visit.note_instants(said.map(MessageTs::to_timestamp));
    let merged =
        visit.site.store.memory().channel_fold(&visit.view.visibility, &channel.id).await?.mark.version;
    let waiting = visit.site.store.memory().chapters_to_write(&channel.id).await?;
    let oldest = versions.last().map(|log| log.memory.version().to_string()).unwrap_or_default();
    Ok(html! {
        section.stack aria-labelledby="chs" {
            h2 id="chs" { (visit.say("channel-its-chapters")) }
            @if versions.iter().all(VersionLog::is_provisional) {
                p.quiet { (visit.say("channel-none-ended-yet-a-chapter")) }
            }
            @if let Some(first) = waiting.first().filter(|_| before == u32::MAX) {
                p { a href=(visit.channel_href(&channel.id, &format!("/rebuild/{}", first.version), &[])) { (visit.say_with("channel-still-to-be-written", &[("number", waiting.len().into())])) } }
            }
            ol.lines.chapters reversed {
                @if before == u32::MAX && !versions.first().is_some_and(VersionLog::is_provisional) {
                    (under_way(visit, channel, versions.first()))
                }
                @for log in &versions { (chapter_line(visit, channel, log, log.memory.version() <= merged)) }
            }
            @if has_more {
                p { a href=(visit.channel_href(&channel.id, "", &[("before", &oldest)])) rel="next" { (visit.say("channel-earlier-chapters")) } }
            }
        }
    })
}

/// The line of the chapter that is under way: what was said since the last chapter ended.
fn under_way(visit: &Visit, channel: &Channel, last: Option<&VersionLog>) -> Markup {
    let next = last.map_or(1, |log| log.memory.version().saturating_add(1));
    let address = visit.channel_href(&channel.id, &format!("/chapter/{next}"), &[]);
    html! {
        li tabindex="-1" data-item {
            span.m { (visit.say("common-now")) }
            div {
                p { a href=(address) { b { (visit.chapter_heading(next)) } } " " span.quiet { (visit.say("channel-under-way")) } }
            }
        }
    }
}

fn chapter_line(visit: &Visit, channel: &Channel, log: &VersionLog, is_merged: bool) -> Markup {
    let number = log.memory.version();
    let shown = visit.view.names.show(log.memory.content());
    let first = lines_in_order(&shown).into_iter().find(|line| !line.is_heading && !line.words.is_empty());
    let tokens = estimate_tokens(log.memory.content());
    html! {
        li id=(format!("c{number}")) tabindex="-1" data-item {
            span.m {
                @if let Some(ts) = log.source_first_message_ts { (visit.times().day_said(ts)) br; (visit.times().time_said(ts)) }
            }
            div {
                p {
                    a href=(visit.channel_href(&channel.id, &format!("/chapter/{number}"), &[])) { b { (visit.chapter_heading(number)) } }
                    " "
                    span.quiet {
                        (visit.messages(log.memory.source_message_count())) " · " (how_it_came_about(visit, log.kind)) " · "
                        (visit.say_with("common-number-of-tokens", &[("tokens", tokens.into())]))
                        @if log.is_provisional() { " · " (visit.say("channel-provisional-its-chapter-is-under")) }
                        @else if !is_merged { " · " (visit.say("common-not-in-long-term-memory")) }
                    }
                }
                @if let Some(line) = first {
                    p.dimmed dir="auto" {
                        @if let Some(name) = &line.name { (name) ": " }
                        (crate::show::words_without_marks(&line.words).chars().take(160).collect::<String>())
                    }
                }
            }
        }
    }
}

/// Says how a text came about.
pub(super) fn how_it_came_about(visit: &Visit, kind: StepKind) -> &'static str {
    match kind {
        StepKind::Verbatim => visit.say("channel-how-verbatim"),
        StepKind::Summary => visit.say("channel-how-summary"),
        StepKind::Merge => visit.say("channel-how-merge"),
        StepKind::Emptied => visit.say("channel-how-emptied"),
        StepKind::Adopted => visit.say("channel-how-adopted"),
        StepKind::Revert => visit.say("channel-how-revert"),
        StepKind::Edit => visit.say("channel-how-edit"),
        StepKind::Refused => visit.say("channel-how-refused"),
        StepKind::Dropped => visit.say("channel-how-dropped"),
        StepKind::Correction => visit.say("channel-how-correction"),
    }
}
