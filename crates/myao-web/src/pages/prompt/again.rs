//! The prompt of an answer that was given, composed again from its record (ADR 144).

use maud::{Markup, html};
use myao_companion::companion::{ComposedAgain, ComposingAgain, heading_of_reply, name_of_shown};
use myao_core::{
    chat::{Channel, MessageTs},
    ports::Role,
};
use myao_store::ReplyRecord;

use super::{Tab, heading_with_tabs, show_whole_prompt};
use crate::{
    answer::{PageError, PageResult, page_response},
    layout::{Here, whole_page},
    visit::Visit,
};

/// How many things that differ are listed in one list.
const MOST_LISTED: usize = 40;

/// `/channel/ID/prompt?reply=TS`: the answer that was posted at that time.
pub(super) async fn of_answer(visit: &Visit, channel: &Channel, posted: MessageTs) -> PageResult {
    let replies = visit.site.store.replies();
    let eyes = &visit.view.visibility;
    let reply = replies.reply_posted(eyes, &channel.id, Some(posted)).await?.ok_or(PageError::NotFound)?;
    let record = replies.record_of_reply(eyes, reply).await?.ok_or(PageError::NotFound)?;
    let max_tokens = usize::try_from(visit.site.config.prompt.max_tokens).unwrap_or(usize::MAX);
    let asker = visit.site.asker.as_ref();
    let tools = asker.is_some_and(|asker| asker.model_takes_tools(Role::Response));
    let how = ComposingAgain { max_tokens, tools, tool_tokens: 0 };
    let again = visit.site.companion().compose_again(&record, how).await?;
    let title = visit.say_with("prompt-reply-saw", &[("channel", (&*channel.name).into())]);
    let main = html! {
        (heading_with_tabs(visit, channel, Tab::Prompt, &title, &html! {}))
        (about_answer(visit, &record, &again))
        (show_whole_prompt(visit, &again.composed.prompt, false, channel.id.as_str()))
    };
    Ok(page_response(whole_page(visit, &title, &Here::Channel(channel.id.clone()), &main)))
}

/// When it was given, and how the prompt differs from what it was made from.
fn about_answer(visit: &Visit, record: &ReplyRecord, again: &ComposedAgain) -> Markup {
    let zone = &visit.site.config.locale.timezone;
    let names = &visit.view.names;
    html! {
        div.stack {
            p.lede { (heading_of_reply(record, zone, visit.language)) }
            @for sentence in again.difference.sentences(visit.language) { p.note { (sentence) } }
            @for (heading, things) in again.difference.lists(visit.language) {
                details {
                    summary { (heading) }
                    ul.frags {
                        @for thing in things.iter().take(MOST_LISTED) {
                            li { span { (name_of_shown(thing, names, zone, visit.language)) } }
                        }
                        @if things.len() > MOST_LISTED { li.quiet { "… +" (things.len() - MOST_LISTED) } }
                    }
                }
            }
        }
    }
}
