//! Shows what a forgetting would take.

use std::path::Path;

use maud::{Markup, html};
use myao_core::{chat::ChannelId, forget::ForgetScope};
use myao_store::{ForgetPreview, ForgottenOfChannel, TextPlace};

use super::asked::ForgetRequest;
use crate::{
    answer::PageError,
    forget_counts::CountedSoFar,
    numbers::digits_in_groups,
    show::{TalkMarks, TalkView, talk_with_days},
    visit::Visit,
};

/// The id of the part of the page that says what would go.
pub(super) const GOING: &str = "going";
/// The most channels that are named one by one.
const CHANNELS_NAMED: usize = 40;
/// The most chapters of a channel that are named one by one.
const VERSIONS_NAMED: usize = 12;
/// The most of our posts that are shown.
const POSTS_SHOWN: usize = 20;

/// What would go, what was made from it, and what is out of our reach.
pub(super) async fn preview_markup(
    visit: &Visit,
    request: &ForgetRequest,
    scope: &ForgetScope,
    found: &CountedSoFar,
) -> Result<Markup, PageError> {
    let preview = &found.preview;
    let view = TalkView { marks: scope.words.as_ref().map(TalkMarks::Sought), ..TalkView::default() };
    let mut first = Vec::new();
    for (channel, ts) in &preview.first {
        first.extend(visit.site.store.archive().message(&visit.view.visibility, channel, *ts).await?);
    }
    let mut posts = Vec::new();
    for (channel, ts) in preview.answers.iter().cloned().chain(preview.own_posts()).take(POSTS_SHOWN) {
        posts.extend(visit.site.store.archive().message(&visit.view.visibility, &channel, ts).await?);
    }
    let mut channels = preview.by_channel();
    for row in &preview.channels {
        channels.entry(row.channel.clone()).or_default();
    }
    let messages = preview.message_count();
    let left_out = messages.saturating_sub(u64::try_from(first.len()).unwrap_or(u64::MAX));
    let would_go = [("number", messages.into()), ("shown", digits_in_groups(messages).into())];
    Ok(html! {
        section.stack aria-labelledby="goes" {
            h2 id="goes" role="status" {
                @if found.is_whole {
                    (visit.say_with("forget-would-go", &would_go))
                } @else {
                    (visit.say_with("forget-would-go-at-least", &would_go))
                }
            }
            @if !found.is_whole { (still_counting(visit, request, scope, found)) }
            @if scope.words.is_some() && !first.is_empty() {
                p.quiet { (visit.say("forget-what-was-looked")) }
            }
            (talk_with_days(visit, &first, &view))
            @if left_out > 0 && !first.is_empty() { p.quiet { (visit.say_with("common-and-others", &[("number", digits_in_groups(left_out).into())])) } }
        }
        @if !posts.is_empty() {
            section.stack aria-labelledby="ours" {
                h2 id="ours" { (visit.say("forget-posts-of-ours-that-go")) }
                (talk_with_days(visit, &posts, &view))
            }
        }
        div.two {
            section.stack aria-labelledby="mems" {
                h2 id="mems" { (visit.say("forget-what-was-made-from-them")) }
                ul.stack {
                    @for (channel, memories) in channels.iter().take(CHANNELS_NAMED) { (of_channel(visit, preview, channel, memories)) }
                    @if channels.len() > CHANNELS_NAMED { li.quiet { "… +" (channels.len() - CHANNELS_NAMED) } }
                    @if preview.reaches_workspace() { li { b { (visit.say("common-workspace-memory")) } br; (visit.say("forget-is-made-anew")) } }
                }
                (text_counts(visit, preview))
            }
            (out_of_reach(visit))
        }
    })
}

/// Says how far the count has come. Where scripts run, the page is fetched again until the count is complete.
fn still_counting(
    visit: &Visit,
    request: &ForgetRequest,
    scope: &ForgetScope,
    found: &CountedSoFar,
) -> Markup {
    let address = request.address(scope);
    html! {
        p.note role="status" hx-get=(address) hx-trigger="load delay:1s" hx-target=(format!("#{GOING}")) hx-select=(format!("#{GOING}")) hx-swap="outerHTML" {
            (visit.markup_with("forget-still-counting", &[("number", html! { b.num { (digits_in_groups(found.looked_at)) } }.into()), ("again", html! { a href=(address) { (visit.say("common-look-again")) } }.into())]))
        }
    }
}

/// How many texts of each other kind would go.
fn text_counts(visit: &Visit, preview: &ForgetPreview) -> Markup {
    let answers = u64::try_from(preview.answers.len()).unwrap_or(u64::MAX);
    let failures = preview.text_count(TextPlace::Replies) + preview.text_count(TextPlace::Setbacks);
    let rows = [
        (visit.say("forget-entries-of-the-journal"), preview.text_count(TextPlace::Steps)),
        (visit.say("common-memos"), preview.text_count(TextPlace::Memos)),
        (visit.say("forget-entries-of-the-memo-log"), preview.text_count(TextPlace::MemoLog)),
        (visit.say("forget-our-answers"), answers),
        (visit.say("forget-our-posts-elsewhere"), preview.text_count(TextPlace::Posts)),
        (visit.say("forget-answers-not-posted-yet"), preview.text_count(TextPlace::ReplyParts)),
        (visit.say("forget-reasons-of-decisions"), preview.text_count(TextPlace::Verdicts)),
        (visit.say("forget-notes-of-failures"), failures),
        (visit.say("forget-raw-copies"), preview.text_count(TextPlace::Raw)),
        (visit.say("forget-questions-of-people-who-opted"), preview.passing),
    ];
    html! {
        dl.facts { @for (name, count) in rows { dt { (name) } dd { (digits_in_groups(count)) } } }
    }
}

fn of_channel(
    visit: &Visit,
    preview: &ForgetPreview,
    channel: &ChannelId,
    memories: &ForgottenOfChannel,
) -> Markup {
    let row = preview.channels.iter().find(|row| row.channel == *channel);
    let ForgottenOfChannel { versions, long_term, threads } = memories;
    let named = versions.iter().take(VERSIONS_NAMED).map(u32::to_string).collect::<Vec<_>>().join(", ");
    let more = versions.len().saturating_sub(VERSIONS_NAMED);
    html! {
        li {
            b { "#" (visit.view.names.channel(channel)) } " "
            @if let Some(row) = row {
                span.quiet {
                    (visit.markup_with("forget-messages-of-period", &[("messages", visit.messages(row.messages).into()), ("period", visit.times().period(row.first, row.last).into())]))
                    @if row.files > 0 { (visit.say_with("forget-and-files", &[("number", digits_in_groups(row.files).into())])) }
                }
            }
            @if !versions.is_empty() { br; (visit.say_with("forget-chapters-anew", &[("chapters", named.into())])) @if more > 0 { " +" (more) } }
            @if *long_term { br; (visit.say("forget-long-term-memory-goes-back")) }
            @if *threads > 0 { br; (visit.say_with("forget-memories-of-threads", &[("number", digits_in_groups(*threads).into())])) }
        }
    }
}

/// Names the places that a forgetting does not reach.
pub(super) fn out_of_reach(visit: &Visit) -> Markup {
    let copies = visit.site.store.copies_beside().unwrap_or_default();
    let name = |path: &Path| Some(path.file_name()?.to_string_lossy().into_owned());
    let names: Vec<(String, bool)> =
        copies.iter().filter_map(|copy| Some((name(&copy.path)?, copy.is_backup))).collect();
    html! {
        section.note.needs.stack aria-labelledby="cannot" {
            h2 id="cannot" { (visit.say("forget-what-this-cant-reach")) }
            ul.tight {
                li { b { (visit.say("forget-the-chat-itself")) } (visit.say("forget-delete-the-message-there-or")) }
                @for (name, is_backup) in &names {
                    @if *is_backup {
                        li { b { (visit.say("forget-a-copy-of-the-database")) } (visit.markup_with("forget-delete-copy", &[("file", html! { code { (name) } }.into())])) }
                    } @else {
                        li { b { (visit.say("forget-a-database-of-myao")) } (visit.markup_with("forget-delete-database", &[("file", html! { code { (name) } }.into())])) }
                    }
                }
                li { b { (visit.say("forget-exports-and-copies-elsewhere")) } (visit.say("forget-importing-one-again-does-not")) }
                li { (visit.markup_with("forget-logs-elsewhere", &[("logs", html! { b { (visit.say("forget-a-providers-logs")) } }.into())])) }
                li { (visit.markup_with("forget-people-who-read", &[("people", html! { b { (visit.say("common-people")) } }.into())])) }
            }
        }
    }
}
