//! The page that shows why something is remembered: it leads from a line of a memory down to the messages it was made
//! from.

use axum::{extract::Path, response::Response};
use maud::{Markup, html};
use myao_companion::provenance::{ChapterMatch, MemoryMatches, SourceSearch};
use myao_core::{
    chat::Channel,
    memory::StepId,
    recall::{Highlighter, LineAsSaid},
};
use myao_store::{JournalEntry, LineageLimits, LineageNode, MemoryKey};

use super::channel::{Tab, heading_with_tabs, how_it_came_about};
use crate::{
    answer::{PageError, PageResult, page_response},
    layout::{Here, whole_page},
    show::{
        SheetLine, SheetReading, TalkMarks, TalkView, changed_lines, lines_in_order, sheet_of_lines,
        talk_with_days,
    },
    visit::Visit,
};

/// The most messages that are shown.
const MOST_MESSAGES: usize = 12;
/// The most chapters that are searched, the newest: of one channel, and of all channels together. The second is lower,
/// because the chapters of several channels are not stored side by side.
const MOST_CHAPTERS: usize = 200;
const MOST_CHAPTERS_OF_ALL: usize = 40;
/// How far a lineage is followed.
const LINEAGE: LineageLimits = LineageLimits { depth: 3, width: 12, entries: 60 };
/// The most characters of the words that are looked for.
const WORDS_LIMIT: usize = 500;

/// `/channel/ID/why`: where a `line` of the journal entry `entry` comes from, or any `words`.
pub(super) async fn of_channel(Path(id): Path<String>, visit: Visit) -> PageResult {
    let channel = visit.channel(&id)?;
    let title = visit.say("why-why-it-remembers-this").to_owned();
    let heading = heading_with_tabs(&visit, channel, Tab::Why, &title, &html! {});
    show_sources(&visit, Some(channel), Here::Channel(channel.id.clone()), &title, heading).await
}

/// `/workspace/why`: the same for the memory of the workspace.
pub(super) async fn of_workspace(visit: Visit) -> PageResult {
    if !visit.view.visibility.sees_open_channels() {
        return Err(PageError::NotFound);
    }
    let title = visit.say("why-why-the-workspace-remembers-this").to_owned();
    let heading = html! { header.head { h1 { (title) } } };
    show_sources(&visit, None, Here::At("/workspace"), &title, heading).await
}

async fn show_sources(
    visit: &Visit,
    channel: Option<&Channel>,
    here: Here,
    title: &str,
    heading: Markup,
) -> Result<Response, PageError> {
    let store = &visit.site.store;
    let step = if let Some(step) = visit.query.parsed::<i64>("entry") {
        Some(StepId(step))
    } else {
        let key = channel.map_or_else(MemoryKey::workspace, |channel| MemoryKey::long_term(&channel.id));
        let head =
            store.memory().head(&visit.view.visibility, key.scope, &key.scope_id, key.memory_type).await?;
        head.map(|head| head.step)
    };
    let entry = match step {
        Some(step) => store.memory().find_journal_entry(&visit.view.visibility, step).await?,
        None => None,
    };
    // An entry of another memory has its own page, so it is not shown here.
    let entry = entry.filter(|entry| entry.key.channel().as_ref() == channel.map(|channel| &channel.id));
    let shown =
        entry.as_ref().map(|entry| visit.view.names.show(entry.content.as_deref().unwrap_or_default()));
    let lines = shown.as_deref().map(lines_in_order).unwrap_or_default();
    let wanted =
        visit.query.parsed::<usize>("line").and_then(|nth| lines.iter().find(|line| line.nth == nth));
    let typed = visit.query.get("words").map(|words| words.chars().take(WORDS_LIMIT).collect::<String>());
    let words =
        typed.or_else(|| wanted.map(|line| words_to_seek(line, shown.as_deref().unwrap_or_default())));
    let found = match &words {
        Some(words) => Some(find_sources(visit, channel, words).await?),
        None => None,
    };
    let nodes = match (&entry, &words) {
        (Some(entry), None) => visit
            .site
            .store
            .memory()
            .lineage_of_step(&visit.view.visibility, entry.step, LINEAGE)
            .await?
            .unwrap_or_default(),
        _ => Vec::new(),
    };
    let team_url = visit.site.store.archive().team_url().await?;
    let main = html! {
        (heading)
        div.stack {
            (question_field(visit, words.as_deref()))
            @match (&found, &words) {
                (Some(found), Some(words)) => { (path_to_sources(visit, wanted, entry.as_ref(), words, found, team_url.as_deref())) }
                _ => { (lineage_tree(visit, &nodes)) }
            }
        }
    };
    Ok(page_response(whole_page(visit, title, &here, &main)))
}

/// The words by which the source of a line is looked for: the line as it stands in the text, without its bullet.
fn words_to_seek(line: &SheetLine, text: &str) -> String {
    let raw = text.lines().nth(line.nth).unwrap_or(&line.words).trim();
    let bare = ["- ", "* ", "・", "• "].iter().find_map(|mark| raw.strip_prefix(mark)).unwrap_or(raw);
    bare.chars().take(WORDS_LIMIT).collect()
}

async fn find_sources(
    visit: &Visit,
    channel: Option<&Channel>,
    words: &str,
) -> Result<MemoryMatches, PageError> {
    let search = SourceSearch {
        store: &visit.site.store,
        visibility: &visit.view.visibility,
        names: &visit.view.names,
        zone: &visit.site.config.locale.timezone,
        limit: MOST_MESSAGES,
        most_chapters: if channel.is_some() { MOST_CHAPTERS } else { MOST_CHAPTERS_OF_ALL },
    };
    Ok(search.of(channel, words).await?)
}

fn question_field(visit: &Visit, words: Option<&str>) -> Markup {
    html! {
        form.fields method="get" action=(visit.path) {
            div.grow {
                label for="words" { (visit.say("why-where-do-these-words-come")) }
                input type="search" id="words" name="words" maxlength=(WORDS_LIMIT) value=(words.unwrap_or_default());
            }
            @if let Some(place) = &visit.view.place { input type="hidden" name="as" value=(place.id.as_str()); }
            button type="submit" { (visit.say("why-look")) }
        }
    }
}

/// The line, the chapters it comes from, and what people said.
fn path_to_sources(
    visit: &Visit,
    line: Option<&SheetLine>,
    entry: Option<&JournalEntry>,
    words: &str,
    found: &MemoryMatches,
    team_url: Option<&str>,
) -> Markup {
    html! {
        ol.path.stack {
            @if let (Some(line), Some(entry)) = (line, entry) {
                li.stack {
                    h2 { (visit.say("why-the-line")) }
                    article.paper {
                        p.quiet { (visit.entry_heading(entry.step)) ", " (visit.times().instant(entry.at)) ", " (entry.actor) ", " (how_it_came_about(visit, entry.kind)) }
                        (sheet_of_lines(visit, &changed_lines(None, std::slice::from_ref(line)), &SheetReading { why: None, is_new: false }))
                    }
                }
            }
            li.stack {
                h2 {
                    @if found.by_hand.is_some() { (visit.say("why-written-by-hand")) }
                    @else if found.is_likely { (visit.say("why-no-message-holds-these-words")) }
                    @else if found.is_said() { (visit.say("why-said-so-here")) }
                    @else { (visit.say("why-comes-from-what-people-said")) }
                }
                @if let Some(entry) = &found.by_hand {
                    p { (visit.say("why-no-message-holds")) (visit.say("common-between-sentences")) (visit.entry_heading(entry.step)) ", " (visit.times().instant(entry.at)) ", " (entry.actor) }
                } @else if found.chapters.is_empty() {
                    p { (visit.say("why-no-chapter-and-no-message")) }
                }
                @for chapter in &found.chapters { (of_chapter(visit, chapter, words, team_url)) }
                @if !found.is_complete { p.quiet { (visit.say("why-and-there-may-be-more")) } }
            }
        }
    }
}

fn of_chapter(visit: &Visit, found: &ChapterMatch, words: &str, team_url: Option<&str>) -> Markup {
    let number = found.version.memory.version();
    let sought = LineAsSaid::of(words);
    let highlighter = Highlighter::new(sought.undated(), &[]);
    let view = TalkView { marks: Some(TalkMarks::Found(&highlighter)), team_url, found: None };
    html! {
        section.stack {
            p.row.spread {
                span {
                    a href=(visit.channel_href(&found.channel.id, &format!("/chapter/{number}"), &[])) { "#" (found.channel.name) ", " (visit.chapter(number)) }
                    " " span.quiet { (how_it_came_about(visit, found.version.kind)) }
                }
                span.quiet {
                    @if found.in_text { (visit.say("why-its-text-holds-the-words")) }
                    @if found.expired > 0 { " " (visit.say("why-its-sources-are-gone")) }
                    @if !found.is_merged { " " (visit.say("common-not-in-long-term-memory")) }
                }
            }
            @for (line, end) in &found.ended {
                p.note.quiet { (line) " — " (visit.markup_with("common-until-said", &[("day", visit.times().day(end.day).into()), ("words", visit.view.names.show(&end.words).into())])) }
            }
            (talk_with_days(visit, &found.messages, &view))
        }
    }
}

/// The tree of what a text was made from, nearest first.
fn lineage_tree(visit: &Visit, nodes: &[LineageNode]) -> Markup {
    html! {
        section.stack {
            h2 { (visit.say("why-what-this-memory-was-made")) }
            @if nodes.is_empty() { p.quiet { (visit.say("why-there-is-no-memory-yet")) } }
            (children_of_node(visit, nodes, None))
        }
    }
}

fn children_of_node(visit: &Visit, nodes: &[LineageNode], of: Option<usize>) -> Markup {
    let under = nodes.iter().enumerate().filter(|(_, node)| node.of == of);
    html! {
        ul.tree {
            @for (at, node) in under {
                li {
                    (entry_line(visit, node, nodes))
                    @if nodes.iter().any(|other| other.of == Some(at)) { (children_of_node(visit, nodes, Some(at))) }
                    @if node.left_out > 0 { p.quiet { "… +" (node.left_out) } }
                }
            }
        }
    }
}

fn entry_line(visit: &Visit, node: &LineageNode, nodes: &[LineageNode]) -> Markup {
    let entry = &node.entry;
    let parent = node.of.and_then(|of| nodes.get(of)).is_some_and(|of| of.entry.parent == Some(entry.step));
    let channel = entry.key.channel();
    let name = channel.as_ref().map(|id| format!("#{}", visit.view.names.channel(id)));
    let is_chapter = entry.key.memory_type == myao_core::memory::MemoryType::ShortTerm;
    html! {
        @if !node.is_hard { span.quiet { (visit.say("why-beside-it")) } }
        @else if parent { span.quiet { (visit.say("why-the-text-before")) } }
        @match (&channel, is_chapter) {
            (Some(id), true) => {
                a href=(visit.channel_href(id, &format!("/chapter/{}", entry.key.version), &[])) { (name.as_deref().unwrap_or_default()) ", " (visit.chapter(entry.key.version)) }
            }
            (Some(id), false) => {
                a href=(visit.channel_href(id, "", &[("text", &entry.step.to_string())])) { (visit.say_with("common-long-term-of", &[("channel", name.as_deref().unwrap_or_default().into())])) }
            }
            (None, _) => { a href=(visit.href("/workspace", &[])) { (visit.say("common-the-workspace-memory")) } }
        }
        " "
        span.quiet {
            (visit.entry(entry.step)) ", " (visit.times().instant(entry.at)) ", " (entry.actor) ", " (how_it_came_about(visit, entry.kind))
            @if entry.is_wiped() { ", " (visit.say("why-wiped")) }
            @if node.is_repeated { " " (visit.say("why-see-above")) }
        }
    }
}
