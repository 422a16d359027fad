//! The exact prompt of a place, piece by piece: what each costs, and what was left out.

use axum::extract::Path;
use maud::{Markup, html};
use myao_core::{
    chat::MessageTs,
    context::Place,
    prompt::{Fragments, Item, Language, Prompt, PromptTask, RecalledWords, ShownRecall, estimate_tokens},
};

use super::channel::{Tab, head};
use crate::{
    answer::{PageResult, page},
    layout::{Here, whole},
    numbers::grouped,
    show::bar,
    visit::Visit,
};

/// The most items without room that are listed.
const MOST_LEFT_OUT: usize = 40;
/// The CSS classes of the shades of a bar. The pieces of a prompt take them in turn.
const SHADES: [&str; 4] = ["k1", "k2", "k3", "k4"];

/// A piece of the prompt, from one heading to the next.
struct PromptPiece {
    title: String,
    text: String,
    tokens: u64,
}

/// `/channel/ID/prompt`: `thread` is the root of a thread; with `judgment`, the prompt asks whether to speak.
pub(super) async fn of_channel(Path(id): Path<String>, visit: Visit) -> PageResult {
    let channel = visit.channel(&id)?;
    let thread = visit.query.parsed::<MessageTs>("thread");
    let place = Place { channel: channel.id.clone(), thread };
    let judgment = visit.query.is_set("judgment");
    let max_tokens = usize::try_from(visit.site.config.prompt.max_tokens).unwrap_or(usize::MAX);
    let snapshot = visit.site.companion().gather(place, max_tokens, None).await?;
    let task = if judgment {
        PromptTask::Judgment
    } else {
        let reactions = visit.site.config.response.reactions;
        PromptTask::Reply { unasked: None, tools: false, reactions }
    };
    let composed = snapshot.compose(task, Fragments::default(), max_tokens);
    let title = format!(
        "#{}{}",
        channel.name,
        if judgment {
            visit.say(": what a decision to speak would see now", "で話すかどうかの判断が、いま見るもの")
        } else {
            visit.say(": what a reply would see now", "での返事が、いま見るもの")
        }
    );
    let more = html! {};
    let main = match &composed {
        Ok(composed) => html! {
            (head(&visit, channel, Tab::Prompt, &title, more))
            (whole_prompt(&visit, &composed.prompt, judgment, &id))
        },
        Err(error) => html! {
            (head(&visit, channel, Tab::Prompt, &title, more))
            p.note.needs { (error) }
        },
    };
    Ok(page(whole(&visit, &title, &Here::Channel(channel.id.clone()), &main)))
}

fn whole_prompt(visit: &Visit, prompt: &Prompt, judgment: bool, id: &str) -> Markup {
    let system = pieces(&prompt.system);
    let user = pieces(&prompt.user);
    let whole = u64::from(visit.site.config.prompt.max_tokens);
    let spent = u64::try_from(prompt.tokens).unwrap_or(u64::MAX);
    let parts: Vec<(&'static str, u64)> = system
        .iter()
        .chain(&user)
        .zip(SHADES.iter().cycle())
        .map(|(piece, shade)| (*shade, piece.tokens))
        .collect();
    html! {
        div.stack {
            p.lede {
                @match visit.language {
                    Language::En => { b.num { (grouped(spent)) } " of at most " (grouped(whole)) " tokens, to the letter, as far as no page is linked." }
                    Language::Ja => { b.num { (grouped(spent)) } "トークン（最大" (grouped(whole)) "）。リンク先のページを除き、一字一句このとおりです。" }
                }
                " " (left_out_sentence(visit, prompt))
            }
            (bar(&parts, whole))
            p.row {
                a href=(visit.href(&visit.path, &[("judgment", if judgment { "" } else { "1" })])) {
                    @if judgment { (visit.say("For a reply instead", "返事のときは")) } @else { (visit.say("For the decision to speak up instead", "話すかどうかの判断のときは")) }
                }
            }
            div.two {
                div.stack {
                    h2 { (visit.say("What stays: read first, kept in caches", "変わりにくい部分（最初に読み、キャッシュに残る）")) }
                    @for (nth, piece) in system.iter().enumerate() { (sheet(visit, piece, nth == 0)) }
                }
                div.stack {
                    h2 { (visit.say("What is new: the conversation", "新しい部分（会話）")) }
                    @for piece in &user { (sheet(visit, piece, true)) }
                    (recalled(visit, prompt))
                    (shown(visit, prompt, id))
                }
            }
        }
    }
}

/// Cuts a prompt at its headings of the first two levels. No text that somebody wrote can begin a line with one.
fn pieces(text: &str) -> Vec<PromptPiece> {
    let mut pieces: Vec<(String, String)> = Vec::new();
    for line in text.lines() {
        if let Some(title) = line.strip_prefix("## ").or_else(|| line.strip_prefix("# ")) {
            pieces.push((title.to_owned(), String::new()));
        } else if pieces.is_empty() {
            pieces.push((String::new(), String::new()));
        }
        if let Some((_, words)) = pieces.last_mut() {
            words.push_str(line);
            words.push('\n');
        }
    }
    let piece = |(title, text): (String, String)| {
        let tokens = u64::try_from(estimate_tokens(&text)).unwrap_or(u64::MAX);
        PromptPiece { title, text, tokens }
    };
    pieces.into_iter().map(piece).collect()
}

fn sheet(visit: &Visit, piece: &PromptPiece, is_open: bool) -> Markup {
    html! {
        article.paper.fragment {
            div.row.spread {
                h3 dir="auto" { @if piece.title.is_empty() { (visit.say("Who it is, and its manners", "誰なのか、どうふるまうか")) } @else { (piece.title) } }
                span.quiet.num { (grouped(piece.tokens)) (visit.say(" tokens", "トークン")) }
            }
            details open[is_open] { summary { (visit.say("The words", "文面")) } pre dir="auto" tabindex="0" { (piece.text) } }
        }
    }
}

fn left_out_sentence(visit: &Visit, prompt: &Prompt) -> String {
    let items = prompt.left_out.len();
    let messages = prompt.earlier_messages;
    let memories = if items == 1 { "1 memory".to_owned() } else { format!("{items} memories") };
    let earlier =
        if messages == 1 { "1 earlier message".to_owned() } else { format!("{messages} earlier messages") };
    match (visit.language, items, messages) {
        (Language::En, 0, 0) => "Nothing was left out.".to_owned(),
        (Language::En, 1, 0) => format!("{memories} was left out."),
        (Language::En, _, 0) => format!("{memories} were left out."),
        (Language::En, 0, 1) => format!("{earlier} was left out."),
        (Language::En, 0, _) => format!("{earlier} were left out."),
        (Language::En, ..) => format!("{memories} and {earlier} were left out."),
        (Language::Ja, 0, 0) => "省いたものはありません。".to_owned(),
        (Language::Ja, _, 0) => format!("{items}件の記憶を省きました。"),
        (Language::Ja, 0, _) => format!("前の{messages}件の発言を省きました。"),
        (Language::Ja, ..) => format!("{items}件の記憶と、前の{messages}件の発言を省きました。"),
    }
}

fn recalled(visit: &Visit, prompt: &Prompt) -> Markup {
    html! {
        @if !prompt.recalled.is_empty() {
            section.stack aria-labelledby="recalled" {
                h2 id="recalled" { (visit.say("Found for the question, and by which words", "質問のために見つけたものと、その手がかり")) }
                ul.frags { @for shown in prompt.recalled.iter().filter(|shown| shown.is_hit) { (found(visit, shown)) } }
            }
        }
    }
}

fn found(visit: &Visit, shown: &ShownRecall) -> Markup {
    let item = &shown.item;
    let path = match &item.text {
        RecalledWords::Message(message) => format!("/said/{}", message.ts),
        RecalledWords::Line { version, memory_type, .. } => match memory_type {
            myao_core::memory::MemoryType::LongTerm => String::new(),
            myao_core::memory::MemoryType::ShortTerm => format!("/chapter/{version}"),
        },
    };
    let by = if item.terms.is_empty() {
        visit.say("its conversation or meaning", "会話や意味から").to_owned()
    } else {
        item.terms.join(", ")
    };
    html! {
        li {
            span { "[" (shown.mark) "] " a href=(visit.channel_href(&item.channel, &path, &[])) { "#" (visit.view.names.channel(&item.channel)) } " " span.quiet { (by) } }
            span.num.quiet { (format!("{:.1}", item.score)) }
        }
    }
}

/// The memories that are in the prompt, and those that were left out, by name.
fn shown(visit: &Visit, prompt: &Prompt, id: &str) -> Markup {
    let left_out = prompt.left_out.iter().take(MOST_LEFT_OUT);
    html! {
        section.stack aria-labelledby="shown" {
            h2 id="shown" { (visit.say("Memories in it, the most important first", "入っている記憶（大事な順）")) }
            @if prompt.shown.is_empty() { p.quiet { (visit.say("None yet.", "まだありません。")) } }
            ul.frags { @for item in &prompt.shown { li { span { (called(visit, item)) } span.quiet { (why(visit, item, id)) } } } }
            @if !prompt.left_out.is_empty() {
                h3 { (visit.say("Left out: no room, or more than the share of other channels", "省いたもの（入りきらない、または他チャンネルの枠を超える）")) }
                ul.frags {
                    @for left in left_out { li { span { (called(visit, &left.item)) } span.num.quiet { (grouped(u64::try_from(left.tokens).unwrap_or(u64::MAX))) } } }
                    @if prompt.left_out.len() > MOST_LEFT_OUT { li.quiet { "… +" (prompt.left_out.len() - MOST_LEFT_OUT) } }
                }
            }
        }
    }
}

fn called(visit: &Visit, item: &Item) -> String {
    let channel = |id| format!("#{}", visit.view.names.channel(id));
    match item {
        Item::Workspace => visit.say("the workspace’s memory", "ワークスペースの記憶").to_owned(),
        Item::LongTerm(id) => format!("{}{}", channel(id), visit.say(", long-term", "の長期記憶")),
        Item::ShortTerm(id, Some(version)) => {
            format!("{}, {}{version}", channel(id), visit.say("chapter ", "章"))
        }
        Item::ShortTerm(id, None) => channel(id),
        Item::Thread(root) => format!("{}{root}", visit.say("thread ", "スレッド")),
        Item::Memo(name) => format!("{}{name}", visit.say("memo ", "メモ")),
    }
}

/// The reason why an item is in the prompt.
fn why(visit: &Visit, item: &Item, id: &str) -> &'static str {
    let (english, japanese) = match item {
        Item::Workspace => ("what everybody may know", "みんなが知ってよいこと"),
        Item::LongTerm(channel) | Item::ShortTerm(channel, _) if channel.as_str() == id => {
            ("the place’s own: comes first", "この場所のもの（最優先）")
        }
        Item::LongTerm(_) | Item::ShortTerm(..) => {
            ("an open channel with recent talk", "最近話された公開チャンネル")
        }
        Item::Thread(_) => ("a thread of this channel", "このチャンネルのスレッド"),
        Item::Memo(_) => ("somebody wanted it kept", "覚えておくよう頼まれたこと"),
    };
    match visit.language {
        Language::En => english,
        Language::Ja => japanese,
    }
}
