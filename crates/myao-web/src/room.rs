//! The local workspace in the browser: talk, and beside it the memory that grows from it (`myao demo`).
//!
//! Everything works by plain forms and page loads. Where scripts run, a stream also brings what changes.
//!
//! Read in this order: `parts`, what all is made from; `who` tells which person the browser is; `place` and `walk` read
//! what a page shows; `steps`, `time`, `says`, `composer`, `growing` and `around` write the page; `channels` lists all
//! channels; `next` says what comes after; `acts` takes forms; `stream` sends what changed.

mod acts;
mod around;
mod channels;
mod composer;
mod growing;
mod next;
mod parts;
mod place;
mod says;
mod steps;
mod stream;
mod time;
mod walk;
mod who;

use std::sync::Arc;

use axum::{
    Extension, Router,
    extract::Path,
    routing::{get, post},
};
use maud::html;
use myao_core::chat::ChannelId;

pub use self::parts::{FirstSteps, OfferedQuestion, Room};
use self::{
    around::whole_page, composer::ComposerDraft, parts::refusal_response, place::RoomPlace, who::Guest,
};
use crate::{
    answer::{PageResult, go_to, page_response},
    pages::{behind_gate, routes_of_pages},
    room_links::channel_address as address,
    site::Site,
    visit::Visit,
};

/// All pages, with those of the local workspace, behind the gate.
pub fn router_with_room(site: &Arc<Site>, room: Arc<Room>) -> Router {
    site.open_room(room.language, Arc::clone(&room.workspace));
    behind_gate(site, routes_of_pages().merge(routes_of_workspace(room)))
}

fn routes_of_workspace(room: Arc<Room>) -> Router<Arc<Site>> {
    Router::new()
        .route("/talk", get(show_first_channel))
        .route("/talk/new", get(acts::new_form).post(acts::new_place))
        .route("/talk/channels", get(channels::show_all_channels))
        .route("/talk/person", post(acts::become_person))
        .route("/talk/pass", post(acts::pass_time))
        .route("/talk/stop", post(acts::stop_time))
        .route("/talk/passing", get(acts::show_passing))
        .route("/talk/next", get(next::show_what_comes_next))
        .route("/talk/at/{channel}", get(show_talk).post(acts::post_message))
        .route("/talk/at/{channel}/act", post(acts::act_on_message))
        .route("/talk/at/{channel}/invite", post(acts::invite_person))
        .route("/talk/at/{channel}/live", get(stream::send_what_changes))
        .layer(Extension(room))
}

/// `/talk`: leads to the first channel.
async fn show_first_channel(Extension(room): Extension<Arc<Room>>, guest: Guest) -> PageResult {
    let channels = room.workspace.channels_of(&guest.id).await?;
    let first = room.first.as_ref().and_then(|first| channels.iter().find(|channel| channel.id == *first));
    Ok(go_to(&first.or(channels.first()).map_or("/talk/new".to_owned(), |channel| address(&channel.id))))
}

/// `/talk/at/CHANNEL`: with `before`, only talk older than that is shown; `edit` is the message that is being changed;
/// `thread` is the root of the thread that alone is shown, and written in.
async fn show_talk(
    Extension(room): Extension<Arc<Room>>,
    Path(channel): Path<String>,
    guest: Guest,
    visit: Visit,
) -> PageResult {
    let draft = ComposerDraft::of(&visit);
    channel_page(&visit, &room, &guest, &ChannelId::new(channel), draft).await
}

/// The page of a channel, with what is being written.
async fn channel_page(
    visit: &Visit,
    room: &Room,
    guest: &Guest,
    channel: &ChannelId,
    draft: ComposerDraft,
) -> PageResult {
    let place = RoomPlace::read(visit, room, guest, channel).await?;
    let title = place.title(visit);
    let main = html! {
        (steps::strip_of_steps(visit, &place))
        section aria-labelledby="place" {
            (around::channel_head(visit, &place))
            (around::clock_and_buttons(visit, &place))
            @if place.thread.is_some() { (says::thread_head(visit, &place)) }
            div.flow tabindex="0" role="region" aria-label=(visit.say("room-conversation")) {
                div {
                    @if place.has_earlier { (around::earlier_link(visit, &place)) }
                    (says::talk_as_list(visit, &place, draft.editing()))
                    (says::read_aloud(visit, &place))
                }
            }
            (composer::form_for_message(visit, &place, &draft))
            (says::act_form(visit, &place))
        }
        (growing::memory_aside(visit, &place))
    };
    // Nothing that is being written may be lost.
    let again = if draft.text.is_empty() {
        time::loading_again(visit, &place)
    } else {
        html! {}
    };
    Ok(page_response(whole_page(visit, &title, &place, &again, &main)))
}
