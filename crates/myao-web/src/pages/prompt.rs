//! The exact prompt of a place, piece by piece: what each costs, and what was left out.

mod again;

use axum::extract::Path;
use maud::{Markup, html};
use myao_core::{
    chat::{Channel, MessageTs, Place},
    prompt::{Fragments, Item, Prompt, ShownRecall},
    recall::RecalledWords,
    text::estimate_tokens,
    wording::PromptTask,
};

use super::{
    as_of::{self, TimeAsked},
    channel::{Tab, heading_with_tabs},
};
use crate::{
    answer::{PageError, PageResult, page_response},
    layout::{Here, whole_page},
    numbers::digits_in_groups,
    show::bar_of_parts,
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

/// `/channel/ID/prompt`: `thread` is the root of a thread; with `judgment`, the prompt asks whether to speak; with `as_of`, it
/// is the one that could have been made then; with `reply`, the time stamp of a post of ours, the one of that answer.
pub(super) async fn of_channel(Path(id): Path<String>, visit: Visit) -> PageResult {
    let channel = visit.channel(&id)?;
    if let Some(posted) = visit.query.parsed::<MessageTs>("reply") {
        return again::of_answer(&visit, channel, posted).await;
    }
    let thread = visit.query.parsed::<MessageTs>("thread");
    let place = Place { channel: channel.id.clone(), thread };
    let asked = as_of::time_asked(&visit, channel).await?;
    let judgment = visit.query.is_set("judgment") && matches!(asked, TimeAsked::Now);
    let max_tokens = usize::try_from(visit.site.config.prompt.max_tokens).unwrap_or(usize::MAX);
    let companion = visit.site.companion();
    let snapshot = match asked {
        TimeAsked::Then(instant) => companion.gather_as_of(place, max_tokens, instant, None).await?,
        TimeAsked::Now | TimeAsked::Wrong(_) => companion.gather(place, max_tokens, None).await?,
    };
    let task = if judgment {
        PromptTask::Judgment
    } else {
        let reactions = visit.site.config.response.reactions;
        PromptTask::Reply { unasked: None, tools: false, reactions }
    };
    let composed = snapshot.compose(task, Fragments::default(), max_tokens);
    let named = [("channel", (&*channel.name).into())];
    let title = match (judgment, &asked) {
        (true, _) => visit.say_with("prompt-decision-sees", &named),
        (false, TimeAsked::Then(_)) => visit.say_with("prompt-reply-saw", &named),
        (false, TimeAsked::Now | TimeAsked::Wrong(_)) => visit.say_with("prompt-reply-sees", &named),
    };
    let more = html! {};
    let time = time_of_prompt(&visit, channel, &asked).await?;
    let main = match &composed {
        Ok(composed) => html! {
            (heading_with_tabs(&visit, channel, Tab::Prompt, &title, &more))
            (time)
            (show_whole_prompt(&visit, &composed.prompt, judgment, &id))
        },
        Err(error) => html! {
            (heading_with_tabs(&visit, channel, Tab::Prompt, &title, &more))
            (time)
            p.note.needs { (error) }
        },
    };
    Ok(page_response(whole_page(&visit, &title, &Here::Channel(channel.id.clone()), &main)))
}

/// The form that asks for a day, and what is to be known of the prompt of that day.
async fn time_of_prompt(visit: &Visit, channel: &Channel, asked: &TimeAsked) -> Result<Markup, PageError> {
    let about = match asked {
        TimeAsked::Now => html! {},
        TimeAsked::Wrong(why) => html! { p.note.needs { (why) } },
        TimeAsked::Then(instant) => {
            let memory = visit.site.store.memory();
            let ids = [channel.id.clone()];
            let removed = memory.removed_as_of(&visit.view.visibility, &ids, *instant).await?;
            html! {
                p.lede { (visit.markup_with("channel-as-of-shown", &[("at", visit.times().instant(instant.to_timestamp()).into())])) }
                (as_of::removed(visit, &removed))
            }
        }
    };
    let thread = [("thread", visit.query.text("thread"))];
    Ok(html! { div.stack { (as_of::form_for_day(visit, &thread)) (about) } })
}

fn show_whole_prompt(visit: &Visit, prompt: &Prompt, judgment: bool, id: &str) -> Markup {
    let system = cut_at_headings(&prompt.system);
    let user = cut_at_headings(&prompt.user);
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
                (visit.markup_with("prompt-tokens-of-most", &[("tokens", html! { b.num { (digits_in_groups(spent)) } }.into()), ("most", digits_in_groups(whole).into())]))
                " " (left_out_sentence(visit, prompt))
            }
            (bar_of_parts(&parts, whole))
            p.row {
                a href=(visit.href(&visit.path, &[("judgment", if judgment { "" } else { "1" })])) {
                    @if judgment { (visit.say("prompt-for-a-reply-instead")) } @else { (visit.say("prompt-for-the-decision-to-speak")) }
                }
            }
            div.two {
                div.stack {
                    h2 { (visit.say("prompt-what-stays-read-first-kept")) }
                    @for (nth, piece) in system.iter().enumerate() { (sheet_of_piece(visit, piece, nth == 0)) }
                }
                div.stack {
                    h2 { (visit.say("prompt-what-is-new-the-conversation")) }
                    @for piece in &user { (sheet_of_piece(visit, piece, true)) }
                    (recalled_list(visit, prompt))
                    (shown_and_left_out(visit, prompt, id))
                }
            }
        }
    }
}

/// Cuts a prompt at its headings of the first two levels. No text that somebody wrote can begin a line with one.
fn cut_at_headings(text: &str) -> Vec<PromptPiece> {
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

fn sheet_of_piece(visit: &Visit, piece: &PromptPiece, is_open: bool) -> Markup {
    html! {
        article.paper.fragment {
            div.row.spread {
                h3 dir="auto" { @if piece.title.is_empty() { (visit.say("prompt-who-it")) } @else { (piece.title) } }
                span.quiet.num { (visit.say_with("common-number-of-tokens", &[("tokens", digits_in_groups(piece.tokens).into())])) }
            }
            details open[is_open] { summary { (visit.say("prompt-the-words")) } pre dir="auto" tabindex="0" { (piece.text) } }
        }
    }
}

fn left_out_sentence(visit: &Visit, prompt: &Prompt) -> String {
    let items = prompt.left_out.len();
    let messages = prompt.earlier_messages;
    let memories = ("memories", items.into());
    let earlier = ("messages", messages.into());
    match (items, messages) {
        (0, 0) => visit.say("prompt-nothing-was-left-out").to_owned(),
        (_, 0) => visit.say_with("prompt-memories-left-out", &[memories]),
        (0, _) => visit.say_with("prompt-messages-left-out", &[earlier]),
        (..) => visit.say_with("prompt-both-left-out", &[memories, earlier]),
    }
}

fn recalled_list(visit: &Visit, prompt: &Prompt) -> Markup {
    html! {
        @if !prompt.recalled.is_empty() {
            section.stack aria-labelledby="recalled" {
                h2 id="recalled" { (visit.say("prompt-found-for-the-question")) }
                ul.frags { @for shown in prompt.recalled.iter().filter(|shown| shown.is_hit) { (found_line(visit, shown)) } }
            }
        }
    }
}

fn found_line(visit: &Visit, shown: &ShownRecall) -> Markup {
    let item = &shown.item;
    let path = match &item.text {
        RecalledWords::Message(message) => format!("/said/{}", message.ts),
        RecalledWords::Line { version, memory_type, .. } => match memory_type {
            myao_core::memory::MemoryType::LongTerm => String::new(),
            myao_core::memory::MemoryType::ShortTerm => format!("/chapter/{version}"),
        },
    };
    let by = if item.terms.is_empty() {
        visit.say("prompt-its-conversation-or-meaning").to_owned()
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
fn shown_and_left_out(visit: &Visit, prompt: &Prompt, id: &str) -> Markup {
    let left_out = prompt.left_out.iter().take(MOST_LEFT_OUT);
    html! {
        section.stack aria-labelledby="shown" {
            h2 id="shown" { (visit.say("prompt-memories-in-it-the-most")) }
            @if prompt.shown.is_empty() { p.quiet { (visit.say("prompt-none-yet")) } }
            ul.frags { @for item in &prompt.shown { li { span { (name_of_item(visit, item)) } span.quiet { (why_in_prompt(visit, item, id)) } } } }
            @if !prompt.left_out.is_empty() {
                h3 { (visit.say("prompt-left-out-no-room-or")) }
                ul.frags {
                    @for left in left_out { li { span { (name_of_item(visit, &left.item)) } span.num.quiet { (digits_in_groups(u64::try_from(left.tokens).unwrap_or(u64::MAX))) } } }
                    @if prompt.left_out.len() > MOST_LEFT_OUT { li.quiet { "… +" (prompt.left_out.len() - MOST_LEFT_OUT) } }
                }
            }
        }
    }
}

fn name_of_item(visit: &Visit, item: &Item) -> String {
    let channel = |id| format!("#{}", visit.view.names.channel(id));
    match item {
        Item::Workspace => visit.say("common-the-workspace-memory").to_owned(),
        Item::LongTerm(id) => visit.say_with("common-long-term-of", &[("channel", channel(id).into())]),
        Item::ShortTerm(id, Some(version)) => {
            format!("{}, {}", channel(id), visit.chapter(*version))
        }
        Item::ShortTerm(id, None) => channel(id),
        Item::Thread(root) => visit.say_with("prompt-thread", &[("root", root.to_string().into())]),
        Item::Memo(name) => visit.say_with("prompt-memo", &[("name", name.into())]),
    }
}

/// The reason why an item is in the prompt.
fn why_in_prompt(visit: &Visit, item: &Item, id: &str) -> &'static str {
    match item {
        Item::Workspace => visit.say("prompt-what-everybody-may-know"),
        Item::LongTerm(channel) | Item::ShortTerm(channel, _) if channel.as_str() == id => {
            visit.say("prompt-the-places-own-comes-first")
        }
        Item::LongTerm(_) | Item::ShortTerm(..) => visit.say("prompt-an-open-channel-with-recent"),
        Item::Thread(_) => visit.say("prompt-a-thread-of-this-channel"),
        Item::Memo(_) => visit.say("prompt-somebody-wanted-it-kept"),
    }
}
