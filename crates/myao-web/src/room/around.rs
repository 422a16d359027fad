//! The frame around the talk: the list of channels, the choice of the person one is, the clock.

use maud::{DOCTYPE, Markup, html};
use myao_core::{
    chat::{Channel, ChannelKind},
    memory::MemorySettings,
    ports::BUILTIN,
};

use super::{RoomPlace, address};
use crate::{
    layout::{MOST_LISTED, all_channels, head as page_head, htmx, keys, lang, listed, mark},
    numbers::grouped,
    visit::{Visit, escaped},
};

/// The spans of time that the clock can be moved forward by.
const SPANS: [(&str, &str, &str); 3] =
    [("1h", "+1 hour", "+1時間"), ("1d", "+1 day", "+1日"), ("1w", "+1 week", "+1週間")];

/// A whole page of the local workspace.
pub(super) fn whole(visit: &Visit, title: &str, place: &RoomPlace, main: &Markup) -> Markup {
    let theme = Some(visit.theme.as_str()).filter(|theme| !theme.is_empty());
    let scripts = html! {
        (htmx(&visit.site.assets))
        link rel="stylesheet" href=(visit.site.assets.room);
    };
    html! {
        (DOCTYPE)
        html lang=(lang(visit.language)) data-theme=[theme] {
            (page_head(&visit.site.assets, title, &scripts))
            body {
                a.skip href="#main" { (visit.say("Skip to content", "本文へ")) }
                (top(visit, place))
                (rail(visit, place))
                main.room id="main" hx-sse:connect=[live(visit, place)] hx-swap="none" { (main) }
                (keys(visit))
            }
        }
    }
}

/// The address of the stream that sends what changes. `None` for a page that shows older talk, which does not change,
/// and for one with a message being edited, which must not be replaced.
fn live(visit: &Visit, place: &RoomPlace) -> Option<String> {
    let is_end = ["before", "edit"].into_iter().all(|name| visit.query.get(name).is_none());
    is_end.then(|| format!("{}/live", address(&place.channel.id)))
}

fn top(visit: &Visit, place: &RoomPlace) -> Markup {
    html! {
        header.top {
            a.brand href="/talk" { (mark()) span { "myao" } }
            button.menu type="button" popovertarget="rail" { (visit.say("Menu", "メニュー")) }
            search {
                form action="/recall" method="get" {
                    label.vh for="q" { (visit.say("Recall", "思い出す")) }
                    input type="search" id="q" name="q" data-key="/"
                        placeholder=(visit.say("Recall: words, from:name", "思い出す：言葉 from:名前"));
                    // A search from here finds what this place sees.
                    input type="hidden" name="as" value=(place.channel.id.as_str());
                }
            }
            form.viewas.row method="post" action="/talk/person" {
                (visit.form_fields())
                input type="hidden" name="return" value=(address(&place.channel.id));
                label for="me" { (visit.say("You are", "あなたは")) }
                @if place.people.len() <= MOST_LISTED {
                    select id="me" name="person" {
                        @for person in &place.people { option value=(person.id.as_str()) selected[person.id == place.me] { (person.name) } }
                    }
                } @else { input id="me" name="person" size="14" value=(place.names.user(&place.me)); }
                button.plain type="submit" { (visit.say("Switch", "切り替え")) }
            }
        }
    }
}

fn rail(visit: &Visit, place: &RoomPlace) -> Markup {
    let is_direct = |channel: &&Channel| matches!(channel.kind, ChannelKind::Dm | ChannelKind::GroupDm);
    let listed = listed(&place.channels, |channel| channel.id == place.channel.id);
    let (direct, open): (Vec<&Channel>, Vec<&Channel>) = listed.partition(is_direct);
    html! {
        nav.rail id="rail" popover aria-label=(visit.say("Pages", "ページ")) {
            button.menu type="button" popovertarget="rail" popovertargetaction="hide" { (visit.say("Close", "閉じる")) }
            h2 { (visit.say("Talk", "会話")) }
            ul {
                @for channel in open { (entry(visit, place, channel)) }
                @for channel in direct { (entry(visit, place, channel)) }
                (all_channels(visit, place.channels.len(), "/talk/channels", false))
                li { a href="/talk/new" { (visit.say("+ New channel or direct message", "＋ チャンネルか DM をつくる")) } }
            }
            h2 { (visit.say("Memory", "記憶")) }
            ul {
                li { a href="/" { (visit.say("Overview", "全体")) } }
                li { a href=(format!("/channel/{}", escaped(place.channel.id.as_str()))) { (visit.say("This channel’s", "このチャンネル")) } }
                li { a href="/workspace" { (visit.say("The workspace’s", "ワークスペース")) } }
                li { a href="/decisions" { (visit.say("Decisions", "判断")) } }
                li { a href="/forget" { (visit.say("Forget", "忘れる")) } }
            }
            div.foot.stack.quiet {
                @if place.model == BUILTIN {
                    p {
                        (visit.say("No key, no model: ", "キーもモデルもなし：")) b { "builtin" }
                        (visit.say(" quotes what was said and costs nothing.", " は言われたことを引用するだけで、費用はかかりません。"))
                    }
                } @else { p { b { (place.model) } (visit.say(" answers here, which may cost something.", " が答えます。費用がかかることがあります。")) } }
                p.row {
                    a href=(format!("/looks?return={}", escaped(&address(&place.channel.id)))) lang=(visit.say("ja", "en")) hreflang=(visit.say("ja", "en")) {
                        (visit.say("日本語", "English"))
                    }
                    button.plain type="button" popovertarget="keys" data-key="?" { (visit.say("Keys and looks", "キーと配色")) " " kbd { "?" } }
                }
            }
        }
    }
}

fn entry(visit: &Visit, place: &RoomPlace, channel: &Channel) -> Markup {
    let (name, kind) = called(visit, channel);
    html! {
        li {
            a href=(address(&channel.id)) aria-current=[(channel.id == place.channel.id).then_some("page")] {
                span { (name) } @if !kind.is_empty() { small { (kind) } }
            }
        }
    }
}

/// The name of a channel in a list, and its kind if it is not public.
pub(super) fn called<'v>(visit: &'v Visit, channel: &Channel) -> (String, &'v str) {
    let kind = match channel.kind {
        ChannelKind::Public => "",
        ChannelKind::Private | ChannelKind::Unknown => visit.say("private", "非公開"),
        ChannelKind::Dm | ChannelKind::GroupDm => visit.say("direct", "DM"),
    };
    let name = match channel.kind {
        ChannelKind::Dm => "myao".to_owned(),
        ChannelKind::GroupDm => channel.name.clone(),
        ChannelKind::Public | ChannelKind::Private | ChannelKind::Unknown => format!("# {}", channel.name),
    };
    (name, kind)
}

/// Says what the channel is, and who is in it.
pub(super) fn head(visit: &Visit, place: &RoomPlace) -> Markup {
    let members: Vec<&str> = place.members.iter().map(|one| place.names.user(one)).collect();
    let others = place.people.iter().filter(|person| !place.members.contains(&person.id));
    html! {
        header.title {
            div.row.spread {
                h1 id="place" dir="auto" { (place.title(visit)) }
                p.quiet { a href=(format!("/channel/{}", escaped(place.channel.id.as_str()))) { (visit.say("Its memory", "この場の記憶")) } }
            }
            @match place.channel.kind {
                ChannelKind::Public => p.quiet { (visit.say("Open: everybody may read it, and every place may know it.", "公開：誰でも読めて、どの場所でも知ってよい話です。")) },
                ChannelKind::Dm => p.quiet { (visit.say("Between you two. Everything here is answered, and stays here.", "二人だけの場所です。何を書いても返事があり、話は外に出ません。")) },
                ChannelKind::Private | ChannelKind::GroupDm | ChannelKind::Unknown => {
                    p.quiet { (visit.say("Private, for ", "非公開：")) (members.join(visit.say(", ", "、"))) (visit.say(". What is said here stays here.", "。ここの話は外に出ません。")) }
                }
            }
            @if place.channel.kind == ChannelKind::Private && visit.may_change() {
                details.thread {
                    summary { (visit.say("Let somebody in", "誰かを招く")) }
                    form.row method="post" action=(format!("{}/invite", address(&place.channel.id))) {
                        (visit.form_fields())
                        label.vh for="whom" { (visit.say("Whom", "誰を")) }
                        @if place.people.len() <= MOST_LISTED {
                            select id="whom" name="person" { @for person in others { option value=(person.id.as_str()) { (person.name) } } }
                        } @else { input id="whom" name="person" size="14"; }
                        button type="submit" { (visit.say("Let in", "招く")) }
                    }
                }
            }
            p.jump.row { a href="#growing" { (visit.say("See the memory grow ↓", "記憶が育つのを見る ↓")) } }
        }
    }
}

/// The time in the workspace, what comes next, and the buttons that move the clock forward.
pub(super) fn clock(visit: &Visit, place: &RoomPlace) -> Markup {
    html! {
        form.clock method="post" action="/talk/pass" hx-post="/talk/pass" hx-swap="none" {
            (visit.form_fields())
            input type="hidden" name="return" value=(address(&place.channel.id));
            (time(visit, place))
            div.row role="group" aria-label=(visit.say("Let time pass", "時間を進める")) {
                @for (span, english, japanese) in SPANS {
                    button type="submit" name="span" value=(span) disabled[!visit.may_change()] { (visit.say(english, japanese)) }
                }
                @if place.past.is_some() {
                    button type="submit" name="span" value="4w" disabled[!visit.may_change()] { (visit.say("+4 weeks", "+4週間")) }
                }
            }
        }
    }
}

/// The time, as a part that the stream replaces.
pub(super) fn time(visit: &Visit, place: &RoomPlace) -> Markup {
    let times = visit.times();
    html! {
        p id="clock" {
            (times.instant(place.now)) br;
            @if let Some((come, all, next)) = place.past {
                span.quiet {
                    (visit.say("Your export: ", "エクスポート：")) b.num { (numbers(come)) } (visit.say(" of ", "／")) (visit.messages(u64::try_from(all).unwrap_or(u64::MAX)))
                    @match next {
                        Some(at) => { (visit.say("; the next ", "。次は")) (times.instant(at)) (visit.say(".", "。")) }
                        None => { (visit.say("; that was all of it.", "。これで全部です。")) }
                    }
                } br;
            }
            span.quiet {
                @match closes(place, &visit.site.config.memory) {
                    Some(at) => {
                        (visit.say("Chapter ", "章")) (place.under_way.0)
                        (visit.say(" closes at ", "は")) (times.instant(at)) (visit.say(", if nobody speaks.", "に閉じます（誰も話さなければ）。"))
                    }
                    None => { (visit.say("Time runs as it does outside. Nothing waits to be remembered here.", "時間はふつうに流れます。ここに記憶待ちの話はありません。")) }
                }
            }
        }
    }
}

fn numbers(number: usize) -> String {
    grouped(u64::try_from(number).unwrap_or(u64::MAX))
}

/// The time at which silence ends the chapter under way. `None` if nothing waits in it, or that time is past.
fn closes(place: &RoomPlace, settings: &MemorySettings) -> Option<jiff::Timestamp> {
    let last = place.waiting.last()?.to_timestamp();
    let silence =
        jiff::SignedDuration::from_secs(i64::try_from(settings.history.conversation_idle_seconds).ok()?);
    last.checked_add(silence).ok().filter(|at| *at > place.now)
}

pub(super) fn earlier(visit: &Visit, place: &RoomPlace) -> Markup {
    let before = place.says.first().map(|say| say.message.ts.to_string()).unwrap_or_default();
    html! { p.earlier { a href=(format!("{}?before={before}", address(&place.channel.id))) rel="prev" { (visit.say("Earlier talk", "前の会話")) } } }
}
