//! The page of all channels of the local workspace that the person may read. The list beside a page leads here where it
//! does not hold them all.

use std::sync::Arc;

use axum::Extension;
use maud::html;
use myao_core::chat::Channel;

use super::{Guest, Room, address, around::name_and_kind};
use crate::{
    answer::{PageResult, page_response},
    layout::{Here, whole_page},
    numbers::digits_in_groups,
    visit::Visit,
};

/// The most channels that are shown. If there are more, one can look for a part of the name.
const MOST_SHOWN: usize = 200;

/// `/talk/channels`: `name` is a part of a name.
pub(super) async fn show_all_channels(
    Extension(room): Extension<Arc<Room>>,
    guest: Guest,
    visit: Visit,
) -> PageResult {
    let title = visit.say("common-all-channels");
    let wanted = visit.query.get("name").unwrap_or_default().to_lowercase();
    let all = room.workspace.channels_of(&guest.id).await?;
    let is_meant = |channel: &&Channel| channel.name.to_lowercase().contains(&wanted);
    let meant: Vec<&Channel> = all.iter().filter(is_meant).collect();
    let left_out = u64::try_from(meant.len().saturating_sub(MOST_SHOWN)).unwrap_or(u64::MAX);
    let main = html! {
        header.head { h1 { (title) } }
        div.stack {
            form.fields method="get" action="/talk/channels" {
                div.grow {
                    label for="name" { (visit.say("common-a-part-of-its-name")) }
                    input type="search" id="name" name="name" value=(visit.query.text("name"));
                }
                button type="submit" { (visit.say("common-find")) }
            }
            @if meant.is_empty() { p.quiet { (visit.say("common-no-channel-is-called-that")) } }
            ul.names {
                @for channel in meant.iter().take(MOST_SHOWN) {
                    @let (name, kind) = name_and_kind(&visit, channel);
                    li tabindex="-1" data-item { a href=(address(&channel.id)) { (name) } @if !kind.is_empty() { " " span.quiet { (kind) } } }
                }
            }
            @if left_out > 0 { p.quiet { (visit.say_with("room-and-more-names", &[("number", digits_in_groups(left_out).into())])) } }
        }
    };
    Ok(page_response(whole_page(&visit, title, &Here::At("/talk"), &main)))
}
