//! The pages on which a person has a channel's memories written again.

mod progress;

use axum::{extract::Path, response::Response};
use maud::html;
use myao_core::chat::Channel;

use super::channel::{Tab, head};
use crate::{
    answer::{PageError, PageResult, go_to, page},
    layout::{Here, whole},
    visit::Visit,
};

pub(super) use self::progress::progress;

/// `/channel/ID/rebuild`: asks whether memories are to be written again; `from` is the first chapter of those.
pub(super) async fn form(Path(id): Path<String>, visit: Visit) -> PageResult {
    let channel = visit.channel(&id)?;
    rebuild_page(&visit, channel, None).await
}

async fn rebuild_page(
    visit: &Visit,
    channel: &Channel,
    trouble: Option<&str>,
) -> Result<Response, PageError> {
    let from = visit.query.parsed::<u32>("from").or_else(|| visit.posted.parsed("from")).unwrap_or(1).max(1);
    let last = visit.site.store.chapters(&channel.id).await?.latest_version;
    let title = format!("#{}{}", channel.name, visit.say(": write its memories anew", "の記憶を作り直す"));
    let from_text = from.to_string();
    let main = html! {
        (head(visit, channel, Tab::Memory, &title, html! {}))
        div.stack {
            @if let Some(trouble) = trouble { p.note.needs role="alert" { (trouble) } }
            p.lede {
                @match visit.language {
                    myao_core::prompt::Language::En => { "Chapters " (from) " to " (last) " are written anew, and folded in again." }
                    myao_core::prompt::Language::Ja => { "章" (from) "〜" (last) "を書き直し、もう一度織り込みます。" }
                }
            }
            p { (visit.say("Until that is done, an older text shows, or none. What was written so far stays in the journal. A model that costs something is asked again for each chapter.",
                "終わるまでは、古い文章か、何も見えません。いままでの文章は記録に残ります。費用のかかるモデルなら、章ごとにもう一度たずねます。")) }
            @if visit.may_change() {
                form.paper.stack method="post" action=(visit.path) {
                    (visit.form_fields())
                    div.field { label for="first" { (visit.say("From chapter", "この章から")) } input id="first" name="from" inputmode="numeric" value=(from_text); }
                    p.row {
                        button.harm type="submit" { (visit.say("Write them anew", "作り直す")) }
                        a href=(visit.channel_href(&channel.id, "", &[])) { (visit.say("Leave everything as it is", "そのままにする")) }
                    }
                }
            }
        }
    };
    Ok(page(whole(visit, &title, &Here::Channel(channel.id.clone()), &main)))
}

/// Has a channel's memories written again.
pub(super) async fn rebuild(Path(id): Path<String>, visit: Visit) -> PageResult {
    let channel = visit.channel(&id)?;
    let from = visit.posted.parsed::<u32>("from").unwrap_or(1).max(1);
    match visit.site.rebuild(channel, from, &visit.visitor.name).await? {
        Ok(()) => Ok(go_to(&visit.channel_href(&channel.id, &format!("/rebuild/{from}"), &[]))),
        Err(trouble) => rebuild_page(&visit, channel, Some(visit.say(trouble.0, trouble.1))).await,
    }
}
