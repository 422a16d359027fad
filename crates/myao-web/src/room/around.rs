//! The frame around the talk: the list of channels, the choice of the person one is, the clock.

use maud::{DOCTYPE, Markup, html};
use myao_core::{
    chat::{Channel, ChannelKind},
    memory::MemorySettings,
    ports::BUILTIN,
};

use super::{RoomPlace, address, time};
use crate::{
    layout::{
        Here, MOST_LISTED, all_channels, channels_to_list, html_language, htmx_script, keys, page_head,
        rail_with_channels, top_bar,
    },
    numbers::digits_in_groups,
    visit::{Visit, escape_path_part},
};

/// The spans of time that the clock can be moved forward by, each with the key of its name.
const SPANS: [(&str, &str); 3] =
    [("1h", "room-plus-1-hour"), ("1d", "room-plus-1-day"), ("1w", "room-plus-1-week")];

/// A whole page of the local workspace.
pub(super) fn whole_page(
    visit: &Visit,
    title: &str,
    place: &RoomPlace,
    again: &Markup,
    main: &Markup,
) -> Markup {
    let theme = Some(visit.theme.as_str()).filter(|theme| !theme.is_empty());
    let scripts = html! {
        (htmx_script(&visit.site.assets))
        script src=(visit.site.assets.composer) defer {}
        script src=(visit.site.assets.opened) defer {}
        link rel="stylesheet" href=(visit.site.assets.room);
        (again)
    };
    html! {
        (DOCTYPE)
        html lang=(html_language(visit.language)) data-theme=[theme] {
            (page_head(&visit.site.assets, title, &scripts))
            body {
                a.skip href="#main" { (visit.say("common-skip-to-content")) }
                (top_bar(visit, Some(&place.channel.id), &choice_of_person(visit, place)))
                (channel_rail(visit, place))
                main.room id="main" hx-sse:connect=[stream_address(visit, place)] hx-swap="none" { (main) }
                (keys(visit))
            }
        }
    }
}

/// The address of the stream that sends what changes. `None` for a page that shows older talk, which does not change,
/// and for one with a message being edited, which must not be replaced.
fn stream_address(visit: &Visit, place: &RoomPlace) -> Option<String> {
    let is_end = ["before", "edit"].into_iter().all(|name| visit.query.get(name).is_none());
    let thread = place.thread.map(|root| format!("?thread={root}")).unwrap_or_default();
    is_end.then(|| format!("{}/live{thread}", address(&place.channel.id)))
}

/// The choice of the person one is.
fn choice_of_person(visit: &Visit, place: &RoomPlace) -> Markup {
    html! {
        form.viewas.row method="post" action="/talk/person" {
            (visit.form_fields())
            input type="hidden" name="return" value=(address(&place.channel.id));
            label for="me" { (visit.say("room-you-are")) }
            @if place.people.len() <= MOST_LISTED {
                select id="me" name="person" {
                    @for person in &place.people { option value=(person.id.as_str()) selected[person.id == place.me] { (person.name) } }
                }
            } @else { input id="me" name="person" size="14" value=(place.names.user(&place.me)); }
            button.plain type="submit" { (visit.say("common-switch")) }
        }
    }
}

/// The list beside the page: that of every page, with the channels that the person may read.
fn channel_rail(visit: &Visit, place: &RoomPlace) -> Markup {
    let is_direct = |channel: &&Channel| matches!(channel.kind, ChannelKind::Dm | ChannelKind::GroupDm);
    let listed = channels_to_list(&place.channels, |channel| channel.id == place.channel.id);
    let (direct, open): (Vec<&Channel>, Vec<&Channel>) = listed.partition(is_direct);
    let channels = html! {
        ul {
            @for channel in open { (rail_entry(visit, place, channel)) }
            @for channel in direct { (rail_entry(visit, place, channel)) }
            (all_channels(visit, place.channels.len(), "/talk/channels", false))
            li { a href="/talk/new" { (visit.say("room-new-channel-or-direct-message")) } }
        }
    };
    let notice = html! {
        @if place.model == BUILTIN {
            p { (visit.markup_with("room-no-key-no-model", &[("builtin", html! { b { "builtin" } }.into())])) }
        } @else {
            p { (visit.markup_with("room-model-answers", &[("model", html! { b { (place.model) } }.into())])) }
        }
    };
    rail_with_channels(visit, &Here::Elsewhere, &channels, &notice)
}

fn rail_entry(visit: &Visit, place: &RoomPlace, channel: &Channel) -> Markup {
    let (name, kind) = name_and_kind(visit, channel);
    html! {
        li {
            a href=(address(&channel.id)) aria-current=[(channel.id == place.channel.id).then_some("page")] {
                span { (name) } @if !kind.is_empty() { small { (kind) } }
            }
        }
    }
}

/// The name of a channel in a list, and its kind if it is not public.
pub(super) fn name_and_kind<'v>(visit: &'v Visit, channel: &Channel) -> (String, &'v str) {
    let kind = match channel.kind {
        ChannelKind::Public => "",
        ChannelKind::Private | ChannelKind::Unknown => visit.say("common-private"),
        ChannelKind::Dm | ChannelKind::GroupDm => visit.say("common-direct"),
    };
    let name = match channel.kind {
        ChannelKind::Dm => "myao".to_owned(),
        ChannelKind::GroupDm => channel.name.clone(),
        ChannelKind::Public | ChannelKind::Private | ChannelKind::Unknown => format!("# {}", channel.name),
    };
    (name, kind)
}

/// Says what the channel is, and who is in it.
pub(super) fn channel_head(visit: &Visit, place: &RoomPlace) -> Markup {
    let members: Vec<&str> = place.members.iter().map(|one| place.names.user(one)).collect();
    let others = place.people.iter().filter(|person| !place.members.contains(&person.id));
    html! {
        header.title {
            div.row.spread {
                h1 id="place" dir="auto" { (place.title(visit)) }
                p.quiet { a href=(format!("/channel/{}", escape_path_part(place.channel.id.as_str()))) { (visit.say("room-its-memory")) } }
            }
            @match place.channel.kind {
                ChannelKind::Public => p.quiet { (visit.say("room-open-everybody-may-read")) },
                ChannelKind::Dm => p.quiet { (visit.say("room-between-you-two-everything-here")) },
                ChannelKind::Private | ChannelKind::GroupDm | ChannelKind::Unknown => {
                    p.quiet { (visit.say_with("room-private-for", &[("members", members.join(visit.say("common-between-names")).into())])) }
                }
            }
            @if place.channel.kind == ChannelKind::Private && visit.may_change() {
                details.thread {
                    summary { (visit.say("room-let-somebody-in")) }
                    form.row method="post" action=(format!("{}/invite", address(&place.channel.id))) {
                        (visit.form_fields())
                        label.vh for="whom" { (visit.say("room-whom")) }
                        @if place.people.len() <= MOST_LISTED {
                            select id="whom" name="person" { @for person in others { option value=(person.id.as_str()) { (person.name) } } }
                        } @else { input id="whom" name="person" size="14"; }
                        button type="submit" { (visit.say("room-let-in")) }
                    }
                }
            }
            p.jump.row { a href="#growing" { (visit.say("room-see-the-memory-grow")) } }
        }
    }
}

/// The time in the workspace, what comes next, and the buttons that move the clock forward.
pub(super) fn clock_and_buttons(visit: &Visit, place: &RoomPlace) -> Markup {
    html! {
        form.clock method="post" action="/talk/pass" hx-post="/talk/pass" hx-swap="none" {
            (visit.form_fields())
            input type="hidden" name="return" value=(place.here());
            (time_part(visit, place))
            div.row role="group" aria-label=(visit.say("room-let-time-pass")) {
                @for (span, name) in SPANS {
                    button type="submit" name="span" value=(span) disabled[!visit.may_change()] { (visit.say(name)) }
                }
                @if place.past.is_some() {
                    button type="submit" name="span" value="4w" disabled[!visit.may_change()] { (visit.say("room-plus-4-weeks")) }
                }
            }
        }
        p.vh id="passed" role="status" { (time::passing_aloud(visit, place)) }
        (time::passing_part(visit, place))
        (time::standing_still(visit, place))
    }
}

/// The time, as a part that the stream replaces.
pub(super) fn time_part(visit: &Visit, place: &RoomPlace) -> Markup {
    let times = visit.times();
    html! {
        p id="clock" {
            (times.instant(place.now)) br;
            @if let Some((come, all, next)) = place.past {
                span.quiet {
                    (visit.markup_with("room-export-so-far", &[("come", html! { b.num { (number_as_text(come)) } }.into()), ("all", visit.messages(u64::try_from(all).unwrap_or(u64::MAX)).into())]))
                    @match next {
                        Some(at) => { (visit.markup_with("room-export-next", &[("at", times.instant(at).into())])) }
                        None => { (visit.say("room-that-was-all-of-it")) }
                    }
                } br;
            }
            span.quiet {
                @match chapter_closes_at(place, &visit.site.config.memory) {
                    Some(at) => {
                        (visit.markup_with("room-chapter-closes", &[("number", place.under_way.0.into()), ("at", times.instant(at).into())]))
                    }
                    None => { (visit.say("room-nothing-waits")) }
                }
            }
        }
    }
}

fn number_as_text(number: usize) -> String {
    digits_in_groups(u64::try_from(number).unwrap_or(u64::MAX))
}

/// The time at which silence ends the chapter under way. `None` if nothing waits in it, or that time is past.
fn chapter_closes_at(place: &RoomPlace, settings: &MemorySettings) -> Option<jiff::Timestamp> {
    let last = place.waiting.last()?.to_timestamp();
    let silence =
        jiff::SignedDuration::from_secs(i64::try_from(settings.history.conversation_idle_seconds).ok()?);
    last.checked_add(silence).ok().filter(|at| *at > place.now)
}

pub(super) fn earlier_link(visit: &Visit, place: &RoomPlace) -> Markup {
    let before = place.says.first().map(|say| say.message.ts.to_string()).unwrap_or_default();
    html! { p.earlier { a href=(format!("{}?before={before}", address(&place.channel.id))) rel="prev" { (visit.say("room-earlier-talk")) } } }
}
