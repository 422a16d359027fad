//! The list of pages and channels beside every page.

use maud::{Markup, html};
use myao_core::{
    chat::{Channel, ChannelKind},
    prompt::Language,
};
use myao_store::WebRole;

use super::Here;
use crate::visit::{Visit, escaped};

/// The most channels that are listed beside a page. Where there are more, they have a page of their own.
pub(crate) const MOST_LISTED: usize = 40;

/// The pages of the list: path, English name, Japanese name.
const PAGES: [(&str, &str, &str); 8] = [
    ("/", "Overview", "全体"),
    ("/recall", "Recall", "思い出す"),
    ("/workspace", "Workspace", "ワークスペース"),
    ("/decisions", "Decisions", "判断"),
    ("/people", "People", "人"),
    ("/memos", "Memos", "メモ"),
    ("/cost", "Cost", "費用"),
    ("/forget", "Forget", "忘れる"),
];

pub(super) fn rail(visit: &Visit, here: &Here) -> Markup {
    let current = |is: bool| is.then_some("page");
    html! {
        nav.rail id="rail" popover aria-label=(visit.say("Pages", "ページ")) {
            button.menu type="button" popovertarget="rail" popovertargetaction="hide" { (visit.say("Close", "閉じる")) }
            ul {
                @if visit.site.has_room() { li { a href="/talk" { (visit.say("Talk", "会話")) } } }
                @for (path, english, japanese) in PAGES {
                    li {
                        a href=(visit.href(path, &[])) aria-current=[current(*here == Here::At(path))] {
                            (visit.say(english, japanese))
                        }
                    }
                }
            }
            h2 { (visit.say("Channels", "チャンネル")) }
            (channels(visit, here))
            (foot(visit))
        }
    }
}

/// The channels listed beside a page: all of them, or only the current one if there are more than [`MOST_LISTED`].
pub(crate) fn listed(all: &[Channel], is_here: impl Fn(&Channel) -> bool) -> impl Iterator<Item = &Channel> {
    all.iter().filter(move |channel| all.len() <= MOST_LISTED || is_here(channel))
}

/// The link to the page of all channels, where the list beside a page does not hold them, with the reason.
pub(crate) fn all_channels(visit: &Visit, all: usize, address: &str, is_here: bool) -> Markup {
    html! {
        @if all > MOST_LISTED {
            li {
                a href=(address) aria-current=[is_here.then_some("page")] {
                    span { (visit.say("All channels", "すべてのチャンネル")) } " " small { (all) }
                }
                small.quiet {
                    @match visit.language {
                        Language::En => { "More than " (MOST_LISTED) " have a page of their own." }
                        Language::Ja => { (MOST_LISTED) "を超えると、別のページに並びます。" }
                    }
                }
            }
        }
    }
}

fn channels(visit: &Visit, here: &Here) -> Markup {
    let all = &visit.view.channels;
    let is_here = |id| *here == Here::Channel(id);
    let listed = listed(all, |channel| is_here(channel.id.clone()));
    html! {
        ul {
            @for channel in listed {
                li {
                    a href=(visit.channel_href(&channel.id, "", &[]))
                        aria-current=[is_here(channel.id.clone()).then_some("page")] {
                        span { "# " (channel.name) }
                        @if let Some(kind) = kind(visit, channel.kind) { small { (kind) } }
                    }
                }
            }
            (all_channels(visit, all.len(), &visit.href("/channels", &[]), *here == Here::At("/channels")))
            @if all.is_empty() { li.quiet { (visit.say("none yet", "まだありません")) } }
        }
    }
}

/// What kind a channel is, if it is not public.
pub(crate) fn kind(visit: &Visit, kind: ChannelKind) -> Option<&'static str> {
    match kind {
        ChannelKind::Public => None,
        ChannelKind::Private | ChannelKind::Unknown => Some(match visit.language {
            Language::En => "private",
            Language::Ja => "非公開",
        }),
        ChannelKind::Dm | ChannelKind::GroupDm => Some(match visit.language {
            Language::En => "direct",
            Language::Ja => "DM",
        }),
    }
}

fn foot(visit: &Visit) -> Markup {
    let name = &visit.visitor.name;
    let role = visit.visitor.role;
    html! {
        div.foot.stack.quiet {
            @if role == WebRole::Reader {
                p { (visit.say("You may look, and change nothing.", "見るだけで、何も変えられません。")) }
            }
            @if visit.visitor.session.is_some() {
                form method="post" action="/sign-out" {
                    (visit.form_fields())
                    p.row { span { (name) } button.plain type="submit" { (visit.say("Sign out", "ログアウト")) } }
                }
            }
            p.row {
                a href=(language_href(visit)) lang=(visit.say("ja", "en")) hreflang=(visit.say("ja", "en")) {
                    (visit.say("日本語", "English"))
                }
                button.plain type="button" popovertarget="keys" data-key="?" {
                    (visit.say("Keys and looks", "キーと配色")) " " kbd { "?" }
                }
            }
        }
    }
}

/// The address of the page that asks for a language: the choice is kept in a cookie, and only a form sets one.
fn language_href(visit: &Visit) -> String {
    // From that page itself, the link leads back to where that page leads back.
    let back = if visit.path == "/looks" { visit.query.text("return").to_owned() } else { visit.here() };
    format!("/looks?return={}", escaped(&back))
}
