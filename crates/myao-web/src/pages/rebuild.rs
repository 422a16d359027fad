//! The pages on which a person has a channel's memories written again.

mod progress;

use axum::{extract::Path, response::Response};
use maud::html;
use myao_core::chat::Channel;

use super::channel::{Tab, heading_with_tabs};
use crate::{
    answer::{PageError, PageResult, go_to, page_response},
    layout::{Here, whole_page},
    visit::Visit,
};

pub(super) use self::progress::show_how_far;

/// `/channel/ID/rebuild`: asks whether memories are to be written again; `from` is the first chapter of those.
pub(super) async fn show_form(Path(id): Path<String>, visit: Visit) -> PageResult {
    let channel = visit.channel(&id)?;
    form_with_trouble(&visit, channel, None).await
}

async fn form_with_trouble(
    visit: &Visit,
    channel: &Channel,
    trouble: Option<&str>,
) -> Result<Response, PageError> {
    let from = visit.query.parsed::<u32>("from").or_else(|| visit.posted.parsed("from")).unwrap_or(1).max(1);
    let last = visit.site.store.memory().chapters_in_channel(&channel.id).await?.latest_version;
    let title = visit.say_with("rebuild-write-anew", &[("channel", (&*channel.name).into())]);
    let from_text = from.to_string();
    let main = html! {
        (heading_with_tabs(visit, channel, Tab::Memory, &title, &html! {}))
        div.stack {
            @if let Some(trouble) = trouble { p.note.needs role="alert" { (trouble) } }
            p.lede {
                (visit.say_with("rebuild-chapters-from-to", &[("first", from.into()), ("last", last.into())]))
            }
            p { (visit.say("rebuild-until-that-is-done")) }
            @if visit.may_change() {
                form.paper.stack method="post" action=(visit.path) {
                    (visit.form_fields())
                    div.field { label for="first" { (visit.say("rebuild-from-chapter")) } input id="first" name="from" inputmode="numeric" value=(from_text); }
                    p.row {
                        button.harm type="submit" { (visit.say("rebuild-write-them-anew")) }
                        a href=(visit.channel_href(&channel.id, "", &[])) { (visit.say("common-leave-everything-as-it-is")) }
                    }
                }
            }
        }
    };
    Ok(page_response(whole_page(visit, &title, &Here::Channel(channel.id.clone()), &main)))
}

/// Has a channel's memories written again.
pub(super) async fn begin_rebuilding(Path(id): Path<String>, visit: Visit) -> PageResult {
    let channel = visit.channel(&id)?;
    let from = visit.posted.parsed::<u32>("from").unwrap_or(1).max(1);
    match visit.site.rebuild(channel, from, &visit.visitor.name).await? {
        Ok(()) => Ok(go_to(&visit.channel_href(&channel.id, &format!("/rebuild/{from}"), &[]))),
        Err(trouble) => form_with_trouble(&visit, channel, Some(visit.say(trouble))).await,
    }
}
