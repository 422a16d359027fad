//! The page of a channel: its long-term memory, and its chapters.

use axum::extract::Path;
use maud::{Markup, html};
use myao_core::{
    chat::{Channel, ChannelKind},
    memory::{StepId, StepKind},
    prompt::{Language, estimate_tokens},
};
use myao_store::{JournalEntry, JournalWindow, MemoryKey, VersionLog};

use crate::{
    answer::{PageError, PageResult, page},
    layout::{Here, kind, whole},
    numbers::grouped,
    show::{SheetLine, SheetReading, changed, lines_of, paper, quoted_reason},
    visit::{Visit, escaped},
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
pub(super) fn head(visit: &Visit, channel: &Channel, tab: Tab, title: &str, more: Markup) -> Markup {
    let tabs = [
        (Tab::Memory, "", "Memory", "記憶"),
        (Tab::Changes, "/changes", "Changes", "変わったところ"),
        (Tab::Why, "/why", "Why", "出どころ"),
        (Tab::Threads, "/threads", "Threads", "スレッド"),
        (Tab::Prompt, "/prompt", "Prompt", "プロンプト"),
    ];
    html! {
        header.head {
            div.row.spread { h1 { (title) } (more) }
            nav.tabs aria-label=(visit.say("This channel", "このチャンネル")) {
                @for (this, rest, english, japanese) in tabs {
                    a href=(visit.channel_href(&channel.id, rest, &[])) aria-current=[(tab == this).then_some("page")] {
                        (visit.say(english, japanese))
                    } " "
                }
                @if visit.view.place.as_ref().is_none_or(|place| place.id != channel.id) {
                    a.eye href=(format!("{}?as={}", visit.path, escaped(channel.id.as_str()))) {
                        (visit.say("See as here", "ここから見る"))
                    }
                }
            }
        }
    }
}

/// `/channel/ID`: `text` is the journal entry of an earlier text; the list of chapters begins before chapter `before`.
pub(super) async fn channel(Path(id): Path<String>, visit: Visit) -> PageResult {
    let channel = visit.channel(&id)?;
    let key = MemoryKey::long_term(&channel.id);
    let window = window(&visit, &key, visit.query.parsed("text")).await?;
    let sums = visit.site.counted().await?;
    let counted = sums.coverage.iter().find(|row| row.channel == channel.id);
    let more = html! {
        p.quiet {
            @if let Some(row) = counted {
                (visit.messages(row.messages)) (visit.say(", ", "、"))
                (grouped(row.covered)) (visit.say(" remembered, ", "件を記憶、"))
                (grouped(row.pending)) (visit.say(" waiting", "件が待ち"))
            }
            @if let Some(kind) = kind(&visit, channel.kind) { " · " (kind) }
            @if channel.external { " · " (visit.say("with people from outside", "外部の人がいます")) }
            @if channel.kind == ChannelKind::Unknown { " · " (visit.say("until the chat tells what it is", "種類が分かるまで")) }
        }
    };
    let title = format!("#{}", channel.name);
    let main = html! {
        (head(&visit, channel, Tab::Memory, &title, more))
        div.two {
            (long_term(&visit, channel, &window))
            (chapters(&visit, channel).await?)
        }
    };
    Ok(page(whole(&visit, &title, &Here::Channel(channel.id.clone()), &main)))
}

/// The part of a memory's journal that a page shows: around `text`, or else around the text that the memory has now.
pub(super) async fn window(
    visit: &Visit,
    key: &MemoryKey,
    text: Option<i64>,
) -> Result<JournalWindow, PageError> {
    let store = &visit.site.store;
    Ok(store.journal_window(&visit.view.visibility, key, text.map(StepId), MOST_ENTRIES).await?)
}

/// The number of a text among all that its memory ever had, counted from 1, and how many those are.
pub(super) fn place_of(window: &JournalWindow, at: usize, shown: usize) -> (u64, u64) {
    let number = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
    let nth = window.texts_before.saturating_add(number(at)).saturating_add(1);
    (nth, window.texts_before.saturating_add(number(shown)).saturating_add(window.texts_behind))
}

/// The entries that became a text of the memory and still hold one, oldest first.
pub(super) fn texts(entries: &[JournalEntry]) -> Vec<&JournalEntry> {
    entries
        .iter()
        .filter(|entry| entry.content.as_ref().is_some_and(|text| !text.is_empty()) && is_text(entry.kind))
        .collect()
}

/// Whether an entry of this kind became the text of the memory.
fn is_text(kind: StepKind) -> bool {
    match kind {
        StepKind::Refused | StepKind::Dropped | StepKind::Emptied => false,
        StepKind::Verbatim
        | StepKind::Summary
        | StepKind::Merge
        | StepKind::Adopted
        | StepKind::Revert
        | StepKind::Edit => true,
    }
}

fn long_term(visit: &Visit, channel: &Channel, window: &JournalWindow) -> Markup {
    let texts = texts(&window.entries);
    let wanted = visit.query.parsed::<i64>("text");
    let current = texts.iter().position(|entry| entry.is_current);
    let at = wanted.and_then(|step| texts.iter().position(|entry| entry.step.0 == step)).or(current);
    html! {
        section.sheets aria-labelledby="lt" {
            @match at.and_then(|at| Some((at, texts.get(at)?))) {
                Some((at, entry)) => {
                    (leaves(visit, channel, &texts, at))
                    @let (nth, all) = place_of(window, at, texts.len());
                    (sheet(visit, channel, entry, at.checked_sub(1).and_then(|before| texts.get(before)).copied(), nth, all))
                }
                None => { (nothing(visit)) }
            }
        }
    }
}

fn nothing(visit: &Visit) -> Markup {
    html! {
        article.paper.stack {
            h2 id="lt" { (visit.say("What it remembers for long", "長く覚えていること")) }
            p { (visit.say("Nothing yet. Chapters are folded in here once there are some: a chapter ends after two quiet hours, or fifty messages.",
                "まだありません。章がいくつかできると、ここに織り込まれます。章は、静かな2時間か50件の発言で終わります。")) }
        }
    }
}

/// Links to the texts of the memory, drawn as leaves behind the newest.
fn leaves(visit: &Visit, channel: &Channel, texts: &[&JournalEntry], at: usize) -> Markup {
    let first = texts.len().saturating_sub(LEAVES).min(at);
    let shown = texts.iter().enumerate().skip(first).take(LEAVES);
    let address =
        |entry: &JournalEntry| visit.channel_href(&channel.id, "", &[("text", &entry.step.to_string())]);
    let beside = |nth: Option<usize>| nth.and_then(|nth| texts.get(nth)).map(|entry| address(entry));
    html! {
        nav.leaves aria-label=(visit.say("Earlier texts of this memory", "この記憶の前の文章")) {
            @if let Some(earlier) = beside(at.checked_sub(1)) { a href=(earlier) rel="prev" data-key="[" title=(visit.say("earlier text", "前の文章")) { "‹" } }
            @for (nth, entry) in shown {
                a href=(address(entry)) aria-current=[(nth == at).then_some("page")] {
                    (visit.times().date(visit.times().day_of(entry.at)))
                    @if entry.is_current { (visit.say(", now", "、いま")) }
                }
            }
            @if let Some(later) = beside(at.checked_add(1)) { a href=(later) rel="next" data-key="]" title=(visit.say("later text", "次の文章")) { "›" } }
        }
    }
}

fn sheet(
    visit: &Visit,
    channel: &Channel,
    entry: &JournalEntry,
    before: Option<&JournalEntry>,
    nth: u64,
    all: u64,
) -> Markup {
    let text =
        |entry: &JournalEntry| lines_of(&visit.view.names.show(entry.content.as_deref().unwrap_or_default()));
    let lines = changed(before.map(text).as_deref(), &text(entry));
    let step = entry.step.to_string();
    let why = |line: &SheetLine| {
        visit.channel_href(&channel.id, "/why", &[("entry", &step), ("line", &line.nth.to_string())])
    };
    let base = before.map(|entry| entry.step.to_string()).unwrap_or_default();
    html! {
        article.paper {
            header {
                h2 id="lt" { (visit.say("What it remembers for long", "長く覚えていること")) }
                p.quiet { (about(visit, entry, nth, all)) }
            }
            (paper(visit, &lines, &SheetReading { why: Some(&why), is_new: entry.is_current }))
            footer.row.spread.quiet {
                span { (visit.say("Blue is new since the text before. A day leads to the messages behind a line.",
                    "青い字は前の文章から新しくなったところです。日付から、もとの発言へ行けます。")) }
                span.row {
                    a href=(visit.channel_href(&channel.id, "/changes", &[("from", &base), ("to", &step)])) { (visit.say("What changed", "変わったところ")) }
                    @if visit.may_change() {
                        a href=(format!("{}#edit", visit.channel_href(&channel.id, "/changes", &[]))) { (visit.say("Edit", "書き直す")) }
                        a href=(visit.channel_href(&channel.id, "/rebuild", &[])) { (visit.say("Rebuild", "作り直す")) }
                    }
                }
            }
        }
    }
}

/// Says about a text: `Text 4 of 4. 353 of about 500 tokens, …`
pub(super) fn about(visit: &Visit, entry: &JournalEntry, nth: u64, all: u64) -> Markup {
    let tokens = estimate_tokens(entry.content.as_deref().unwrap_or_default());
    let target = visit.site.config.memory.long_term_summary_max_tokens;
    let messages = grouped(entry.source_message_count);
    html! {
        @match visit.language {
            Language::En => {
                "Text " (nth) " of " (all) ". " (tokens) " of about " (target) " tokens, from " (messages) " messages"
                @if entry.mark.version > 0 { ", chapters 1 to " (entry.mark.version) } ". Entry " (entry.step) " of "
                (visit.times().instant(entry.at)) ", by " (entry.actor) "."
            }
            Language::Ja => {
                @if all > 1 { "全" (all) "件の文章の" (nth) "件目。" }
                (tokens) "トークン（目安" (target) "）、" (messages) "件の発言から"
                @if entry.mark.version > 0 { "（章1〜" (entry.mark.version) "）" } "。記録" (entry.step) "、"
                (visit.times().instant(entry.at)) "、" (entry.actor) "。"
            }
        }
        @if !entry.reason.is_empty() { " " (quoted_reason(visit.language, &entry.reason)) }
    }
}

async fn chapters(visit: &Visit, channel: &Channel) -> Result<Markup, PageError> {
    let before = visit.query.parsed::<u32>("before").unwrap_or(u32::MAX);
    let mut versions =
        visit.site.store.version_page(&visit.view.visibility, &channel.id, before, CHAPTERS + 1).await?;
    let has_more = versions.len() > CHAPTERS;
    versions.truncate(CHAPTERS);
    let merged = visit.site.store.fold(&visit.view.visibility, &channel.id).await?.mark.version;
    let waiting = visit.site.store.chapters_to_write(&channel.id).await?;
    let oldest = versions.last().map(|log| log.memory.version().to_string()).unwrap_or_default();
    Ok(html! {
        section.stack aria-labelledby="chs" {
            h2 id="chs" { (visit.say("Its chapters", "章")) }
            @if versions.iter().all(VersionLog::is_provisional) {
                p.quiet { (visit.say("None ended yet. A chapter ends when nobody speaks for a while, or when it is full.",
                    "まだ終わった章はありません。しばらく誰も話さないか、いっぱいになると章が終わります。")) }
            }
            @if let Some(first) = waiting.first().filter(|_| before == u32::MAX) {
                p { a href=(visit.channel_href(&channel.id, &format!("/rebuild/{}", first.version), &[])) { (waiting.len()) (visit.say(" still to be written: how far it has come", "章がこれから書かれます。進み具合を見る")) } }
            }
            ol.lines.chapters reversed {
                @if before == u32::MAX && !versions.first().is_some_and(VersionLog::is_provisional) {
                    (under_way(visit, channel, versions.first()))
                }
                @for log in &versions { (chapter_line(visit, channel, log, log.memory.version() <= merged)) }
            }
            @if has_more {
                p { a href=(visit.channel_href(&channel.id, "", &[("before", &oldest)])) rel="next" { (visit.say("Earlier chapters", "前の章")) } }
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
            span.m { (visit.say("now", "いま")) }
            div {
                p { a href=(address) { b { (visit.say("Chapter ", "章")) (next) } } " " span.quiet { (visit.say("under way", "進行中")) } }
            }
        }
    }
}

fn chapter_line(visit: &Visit, channel: &Channel, log: &VersionLog, is_merged: bool) -> Markup {
    let number = log.memory.version();
    let shown = visit.view.names.show(log.memory.content());
    let first = lines_of(&shown).into_iter().find(|line| !line.is_heading && !line.words.is_empty());
    let tokens = estimate_tokens(log.memory.content());
    html! {
        li id=(format!("c{number}")) tabindex="-1" data-item {
            span.m {
                @if let Some(ts) = log.source_first_message_ts { (visit.times().day_said(ts)) br; (visit.times().time_said(ts)) }
            }
            div {
                p {
                    a href=(visit.channel_href(&channel.id, &format!("/chapter/{number}"), &[])) { b { (visit.say("Chapter ", "章")) (number) } }
                    " "
                    span.quiet {
                        (visit.messages(log.memory.source_message_count())) " · " (how(visit, log.kind)) " · "
                        (tokens) (visit.say(" tokens", "トークン"))
                        @if log.is_provisional() { (visit.say(" · provisional, its chapter is under way", " · 仮のもの（章は進行中）")) }
                        @else if !is_merged { (visit.say(" · not in long-term memory yet", " · 長期記憶にはまだ")) }
                    }
                }
                @if let Some(line) = first {
                    p.dimmed dir="auto" {
                        @if let Some(name) = &line.name { (name) ": " }
                        (crate::show::plain(&line.words).chars().take(160).collect::<String>())
                    }
                }
            }
        }
    }
}

/// Says how a text came about.
pub(super) fn how(visit: &Visit, kind: StepKind) -> &'static str {
    let (english, japanese) = match kind {
        StepKind::Verbatim => ("word for word", "そのまま"),
        StepKind::Summary => ("summary", "要約"),
        StepKind::Merge => ("folded in", "織り込み"),
        StepKind::Emptied => ("emptied: every message was deleted", "空（発言がすべて削除されました）"),
        StepKind::Adopted => ("taken over", "引き継ぎ"),
        StepKind::Revert => ("taken back", "戻した"),
        StepKind::Edit => ("by hand", "手書き"),
        StepKind::Refused => ("refused", "採らなかった"),
        StepKind::Dropped => ("dropped, to be written anew", "書き直しのため外した"),
    };
    match visit.language {
        Language::En => english,
        Language::Ja => japanese,
    }
}
