//! The list of pages and channels beside every page, of memory and of the talk. On a small screen it opens above the
//! page, which needs no script.

use maud::{Markup, html};
use myao_core::chat::{Channel, ChannelKind};
use myao_store::WebRole;

use super::Here;
use crate::visit::{Visit, escape_path_part};

/// The most channels that are listed beside a page. Where there are more, they have a page of their own.
pub(crate) const MOST_LISTED: usize = 40;

/// The pages of the list: the path, and the key of the name.
const PAGES: [(&str, &str); 9] = [
    ("/", "common-overview"),
    ("/recall", "common-recall"),
    ("/workspace", "layout-workspace"),
    ("/decisions", "common-decisions"),
    ("/loops", "loops-open"),
    ("/people", "common-people"),
    ("/memos", "common-memos"),
    ("/cost", "layout-cost"),
    ("/forget", "common-forget"),
];

pub(super) fn rail(visit: &Visit, here: &Here) -> Markup {
    rail_with_channels(visit, here, &channel_links(visit, here), &html! {})
}

/// The list, with channels that lead where the page needs them to: to their memory, or to their talk. `notice` stands
/// below them.
pub(crate) fn rail_with_channels(visit: &Visit, here: &Here, channels: &Markup, notice: &Markup) -> Markup {
    let current = |is: bool| is.then_some("page");
    html! {
        nav.rail id="rail" popover aria-label=(visit.say("common-pages")) {
            button.menu type="button" popovertarget="rail" popovertargetaction="hide" { (visit.say("common-close")) }
            ul {
                @if visit.site.has_room() {
                    li { a href="/talk" aria-current=[current(*here == Here::At("/talk"))] { (visit.say("common-talk")) } }
                }
                @for (path, name) in PAGES {
                    li {
                        a href=(visit.href(path, &[])) aria-current=[current(*here == Here::At(path))] {
                            (visit.say(name))
                        }
                    }
                }
            }
            h2 { (visit.say("common-channels")) }
            (channels)
            (foot_of_rail(visit, notice))
        }
    }
}

/// The channels listed beside a page: all of them, or only the current one if there are more than [`MOST_LISTED`].
pub(crate) fn channels_to_list(
    all: &[Channel],
    is_here: impl Fn(&Channel) -> bool,
) -> impl Iterator<Item = &Channel> {
    all.iter().filter(move |channel| all.len() <= MOST_LISTED || is_here(channel))
}

/// The link to the page of all channels, where the list beside a page does not hold them, with the reason.
pub(crate) fn all_channels(visit: &Visit, all: usize, address: &str, is_here: bool) -> Markup {
    html! {
        @if all > MOST_LISTED {
            li {
                a href=(address) aria-current=[is_here.then_some("page")] {
                    span { (visit.say("common-all-channels")) } " " small { (all) }
                }
                small.quiet {
                    (visit.say_with("layout-more-channels", &[("most", MOST_LISTED.into())]))
                }
            }
        }
    }
}

fn channel_links(visit: &Visit, here: &Here) -> Markup {
    let all = &visit.view.channels;
    let is_here = |id| *here == Here::Channel(id);
    let listed = channels_to_list(all, |channel| is_here(channel.id.clone()));
    html! {
        ul {
            @for channel in listed {
                li {
                    a href=(visit.channel_href(&channel.id, "", &[]))
                        aria-current=[is_here(channel.id.clone()).then_some("page")] {
                        span { "# " (channel.name) }
                        @if let Some(kind) = kind_in_words(visit, channel.kind) { small { (kind) } }
                    }
                }
            }
            (all_channels(visit, all.len(), &visit.href("/channels", &[]), *here == Here::At("/channels")))
            @if all.is_empty() { li.quiet { (visit.say("layout-none-yet")) } }
        }
    }
}

/// What kind a channel is, if it is not public.
pub(crate) fn kind_in_words(visit: &Visit, kind: ChannelKind) -> Option<&'static str> {
    match kind {
        ChannelKind::Public => None,
        ChannelKind::Private | ChannelKind::Unknown => Some(visit.say("common-private")),
        ChannelKind::Dm | ChannelKind::GroupDm => Some(visit.say("common-direct")),
    }
}

fn foot_of_rail(visit: &Visit, notice: &Markup) -> Markup {
    let name = &visit.visitor.name;
    let role = visit.visitor.role;
    html! {
        div.foot.stack.quiet {
            (notice)
            @if role == WebRole::Reader {
                p { (visit.say("common-you-may-look-and-change")) }
            }
            @if visit.visitor.session.is_some() {
                form method="post" action="/sign-out" {
                    (visit.form_fields())
                    p.row { span { (name) } button.plain type="submit" { (visit.say("layout-sign-out")) } }
                }
            }
            p.row {
                a href=(language_href(visit)) lang=(visit.say("common-other-language-tag")) hreflang=(visit.say("common-other-language-tag")) {
                    (visit.say("common-other-language"))
                }
                button.plain type="button" popovertarget="keys" data-key="?" {
                    (visit.say("common-keys-and-looks")) " " kbd { "?" }
                }
            }
        }
    }
}

/// The address of the page that asks for a language: the choice is kept in a cookie, and only a form sets one.
fn language_href(visit: &Visit) -> String {
    // From that page itself, the link leads back to where that page leads back.
    let back = if visit.path == "/looks" { visit.query.text("return").to_owned() } else { visit.here() };
    format!("/looks?return={}", escape_path_part(&back))
}
