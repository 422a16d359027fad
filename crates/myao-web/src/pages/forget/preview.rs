//! Shows what a forgetting would take.

use std::path::Path;

use maud::{Markup, html};
use myao_core::{chat::ChannelId, forget::ForgetScope, prompt::Language};
use myao_store::{ForgetPreview, ForgottenOfChannel, TextPlace};

use super::asked::ForgetRequest;
use crate::{
    answer::PageError,
    forget_counts::CountedSoFar,
    numbers::grouped,
    show::{TalkMarks, TalkView, talk},
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
pub(super) async fn preview(
    visit: &Visit,
    request: &ForgetRequest,
    scope: &ForgetScope,
    found: &CountedSoFar,
) -> Result<Markup, PageError> {
    let preview = &found.preview;
    let view = TalkView { marks: scope.words.as_ref().map(TalkMarks::Sought), ..TalkView::default() };
    let mut first = Vec::new();
    for (channel, ts) in &preview.first {
        first.extend(visit.site.store.message(&visit.view.visibility, channel, *ts).await?);
    }
    let mut posts = Vec::new();
    for (channel, ts) in preview.answers.iter().cloned().chain(preview.posts()).take(POSTS_SHOWN) {
        posts.extend(visit.site.store.message(&visit.view.visibility, &channel, ts).await?);
    }
    let mut channels = preview.by_channel();
    for row in &preview.channels {
        channels.entry(row.channel.clone()).or_default();
    }
    let messages = preview.messages();
    let left_out = messages.saturating_sub(u64::try_from(first.len()).unwrap_or(u64::MAX));
    Ok(html! {
        section.stack aria-labelledby="goes" {
            h2 id="goes" role="status" {
                @match visit.language {
                    Language::En => {
                        @if !found.is_whole { "At least " }
                        (grouped(messages)) @if messages == 1 { " message would go" } @else { " messages would go" }
                    }
                    Language::Ja => { @if !found.is_whole { "少なくとも" } (grouped(messages)) "件の発言が消えます" }
                }
            }
            @if !found.is_whole { (still_counting(visit, request, scope, found)) }
            @if scope.words.is_some() && !first.is_empty() {
                p.quiet { (visit.say("What was looked for is marked; a message goes as a whole.", "さがした言葉に印がついています。発言は丸ごと消えます。")) }
            }
            (talk(visit, &first, &view))
            @if left_out > 0 && !first.is_empty() { p.quiet { (visit.say("and others: ", "ほかに：")) (grouped(left_out)) } }
        }
        @if !posts.is_empty() {
            section.stack aria-labelledby="ours" {
                h2 id="ours" { (visit.say("Posts of ours that go too", "一緒に消えるmyaoの発言")) }
                (talk(visit, &posts, &view))
            }
        }
        div.two {
            section.stack aria-labelledby="mems" {
                h2 id="mems" { (visit.say("What was made from them", "そこから作られたもの")) }
                ul.stack {
                    @for (channel, memories) in channels.iter().take(CHANNELS_NAMED) { (of_channel(visit, preview, channel, memories)) }
                    @if channels.len() > CHANNELS_NAMED { li.quiet { "… +" (channels.len() - CHANNELS_NAMED) } }
                    @if preview.reaches_workspace() { li { b { (visit.say("The workspace’s memory", "ワークスペースの記憶")) } br; (visit.say("is made anew", "作り直されます")) } }
                }
                (counts(visit, preview))
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
            (visit.say("Still counting: looked through ", "まだ数えています。調べた発言：")) b.num { (grouped(found.looked_at)) }
            (visit.say(" messages so far. It can be forgotten once all are counted. ", "件。数え終わると、忘れさせることができます。"))
            a href=(address) { (visit.say("Look again", "もう一度見る")) }
        }
    }
}

/// How many texts of each other kind would go.
fn counts(visit: &Visit, preview: &ForgetPreview) -> Markup {
    let answers = u64::try_from(preview.answers.len()).unwrap_or(u64::MAX);
    let failures = preview.count(TextPlace::Replies) + preview.count(TextPlace::Setbacks);
    let rows = [
        (visit.say("Entries of the journal", "記憶の記録"), preview.count(TextPlace::Steps)),
        (visit.say("Memos", "メモ"), preview.count(TextPlace::Memos)),
        (visit.say("Entries of the memo log", "メモの記録"), preview.count(TextPlace::MemoLog)),
        (visit.say("Our answers", "myaoの答え"), answers),
        (visit.say("Our posts elsewhere", "ほかの場所のmyaoの発言"), preview.count(TextPlace::Posts)),
        (visit.say("Answers not posted yet", "まだ投稿していない答え"), preview.count(TextPlace::ReplyParts)),
        (visit.say("Reasons of decisions", "判断の理由"), preview.count(TextPlace::Verdicts)),
        (visit.say("Notes of failures", "失敗の控え"), failures),
        (visit.say("Raw copies", "そのままの控え"), preview.count(TextPlace::Raw)),
        (visit.say("Questions of people who opted out", "記憶を断った人の質問"), preview.passing),
    ];
    html! {
        dl.facts { @for (name, count) in rows { dt { (name) } dd { (grouped(count)) } } }
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
            @if let Some(row) = row { span.quiet { (visit.messages(row.messages)) (visit.say(", ", "、")) (visit.times().period(row.first, row.last)) @if row.files > 0 { (visit.say("; files: ", "。ファイル：")) (grouped(row.files)) } } }
            @if !versions.is_empty() { br; (visit.say("chapters written anew: ", "書き直される章：")) (named) @if more > 0 { " +" (more) } }
            @if *long_term { br; (visit.say("long-term memory goes back, and these are folded in again", "長期記憶は前の文章に戻り、もう一度織り込まれます")) }
            @if *threads > 0 { br; (visit.say("memories of threads: ", "スレッドの記憶：")) (grouped(*threads)) }
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
            h2 id="cannot" { (visit.say("What this can’t reach", "ここから届かないもの")) }
            ul.tight {
                li { b { (visit.say("The chat itself. ", "会話そのもの。")) } (visit.say("Delete the message there, or it is still to be read.", "会話のほうで発言を消さなければ、まだ読めます。")) }
                @for (name, is_backup) in &names {
                    @if *is_backup {
                        li { b { (visit.say("A copy of the database: ", "データベースの写し：")) } code { (name) } (visit.say(". Delete it.", "。消してください。")) }
                    } @else {
                        li { b { (visit.say("A database of myao: ", "myaoのデータベース：")) } code { (name) } (visit.say(". Delete it if it is a copy of this one.", "。これの写しなら、消してください。")) }
                    }
                }
                li { b { (visit.say("Exports, and copies elsewhere. ", "エクスポートと、よそにある写し。")) } (visit.say("Importing one again does not bring the words back.", "もう一度取り込んでも、言葉は戻りません。")) }
                li { b { (visit.say("A provider’s logs", "モデル提供者のログ")) } (visit.say(" that answered with these words in its prompt.", "（プロンプトにこの言葉があったとき）。")) }
                li { b { (visit.say("People", "人")) } (visit.say(" who have read it.", "（もう読んだ人）。")) }
            }
        }
    }
}
