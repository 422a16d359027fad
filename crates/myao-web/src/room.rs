//! The local workspace in the browser: talk, and beside it the memory that grows from it (`myao demo`).
//!
//! Everything works by plain forms and page loads; where there is script, a stream brings what changes.
//!
//! Read in this order: `place` reads what a page shows; `says`, `composer`, `growing` and `around` write it; `channels`: all there are;
//! `acts` takes forms; `stream` sends what changed; `who` is who somebody is.

mod acts;
mod around;
mod channels;
mod composer;
mod growing;
mod place;
mod says;
mod stream;
mod who;

use std::sync::Arc;

use axum::{
    Extension, Router,
    extract::Path,
    routing::{get, post},
};
use maud::html;
use myao_companion::live::local::{LocalError, LocalWorkspace};
use myao_core::{chat::ChannelId, prompt::Language};
use tokio_util::sync::CancellationToken;

use self::{around::whole, composer::ComposerDraft, place::RoomPlace, who::Guest};
use crate::{
    answer::{PageError, PageResult, go_to, page},
    pages::{behind_gate, pages},
    room_links::place as address,
    site::Site,
    visit::Visit,
};

/// What the pages of a local workspace are made from, beside what all are.
pub struct Room {
    /// The workspace.
    pub workspace: Arc<LocalWorkspace>,
    /// The channel that is shown first, where somebody sees it.
    pub first: Option<ChannelId>,
    /// A question that is worth asking in the first channel, in the workspace's language.
    pub question: Option<&'static str>,
    /// The language of all pages until somebody chooses another; `None`: what the browser asks for.
    pub language: Option<Language>,
    /// Who answers: `builtin`, or a provider's model.
    pub model: String,
    /// Cancelled when nothing is served any more: streams end then.
    pub over: CancellationToken,
}

/// Every page, and the local workspace beside them, behind the gate.
pub fn router_with_room(site: &Arc<Site>, room: Arc<Room>) -> Router {
    site.open_room(room.language);
    behind_gate(site, pages().merge(room_routes(room)))
}

fn room_routes(room: Arc<Room>) -> Router<Arc<Site>> {
    Router::new()
        .route("/talk", get(first))
        .route("/talk/new", get(acts::new_form).post(acts::new_place))
        .route("/talk/channels", get(channels::channels))
        .route("/talk/person", post(acts::be))
        .route("/talk/pass", post(acts::pass))
        .route("/talk/at/{channel}", get(talk).post(acts::say))
        .route("/talk/at/{channel}/act", post(acts::act))
        .route("/talk/at/{channel}/invite", post(acts::invite))
        .route("/talk/at/{channel}/live", get(stream::live))
        .layer(Extension(room))
}

/// An act that was refused for a reason that no page can word better than an error.
fn refused(error: LocalError) -> PageError {
    match error {
        LocalError::Store(error) => PageError::Store(error),
        LocalError::NotThere
        | LocalError::NotYours
        | LocalError::Empty
        | LocalError::TooLong
        | LocalError::BadName
        | LocalError::NameTaken
        | LocalError::NoEmoji => PageError::NotFound,
    }
}

/// `/talk`: the first channel.
async fn first(Extension(room): Extension<Arc<Room>>, guest: Guest) -> PageResult {
    let channels = room.workspace.channels_of(&guest.id).await?;
    let first = room.first.as_ref().and_then(|first| channels.iter().find(|channel| channel.id == *first));
    Ok(go_to(&first.or(channels.first()).map_or("/talk/new".to_owned(), |channel| address(&channel.id))))
}

/// `/talk/at/CHANNEL`: `before` is where older talk ends, `edit` the message that is written anew, `thread` the root of the
/// thread that is written in.
async fn talk(
    Extension(room): Extension<Arc<Room>>,
    Path(channel): Path<String>,
    guest: Guest,
    visit: Visit,
) -> PageResult {
    let draft = ComposerDraft::of(&visit);
    show(&visit, &room, (&guest, &ChannelId::new(channel)), draft).await
}

/// A channel's page, with what is being written.
async fn show(
    visit: &Visit,
    room: &Room,
    (guest, channel): (&Guest, &ChannelId),
    draft: ComposerDraft,
) -> PageResult {
    let place = RoomPlace::read(visit, room, (guest, channel)).await?;
    let title = place.title(visit);
    let main = html! {
        section aria-labelledby="place" {
            (around::head(visit, &place))
            (around::clock(visit, &place))
            div.flow tabindex="0" role="region" aria-label=(visit.say("Conversation", "会話")) {
                div {
                    @if place.has_earlier { (around::earlier(visit, &place)) }
                    (says::list(visit, &place, draft.editing()))
                    (says::told(visit, &place))
                }
            }
            (composer::composer(visit, &place, &draft))
            (says::act_form(visit, &place))
        }
        (growing::aside(visit, &place))
    };
    Ok(page(whole(visit, (&title, &place), &main)))
}
