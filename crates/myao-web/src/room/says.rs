//! The talk: names to the left of a margin, words to its right, and a line where a day begins and where a chapter
//! ended.

use maud::{Markup, html};
use myao_companion::live::local::LocalSay;
use myao_core::chat::MessageTs;

use super::{RoomPlace, address};
use crate::{
    room_links::message_anchor,
    show::{drawn_words, words_without_marks},
    visit::{Visit, escape_path_part},
};

/// The emoji that are offered as reactions.
const OFFERED: [&str; 4] = ["👍", "🎉", "🙏", "👀"];
/// The id of the form that all buttons of the talk belong to.
const ACT: &str = "act";
/// The most replies with which a thread is shown open.
const OPEN_REPLIES: usize = 8;

/// A line of the talk, after its id in the page.
pub(super) type NamedLine = (String, Markup);

/// The talk as a list.
pub(super) fn talk_as_list(visit: &Visit, place: &RoomPlace, editing: Option<MessageTs>) -> Markup {
    html! { ol.talk.lines id="says" { @for (_, line) in lines_of_talk(visit, place, editing) { (line) } } }
}

/// The lines of the talk, each with an id of its own.
pub(super) fn lines_of_talk(visit: &Visit, place: &RoomPlace, editing: Option<MessageTs>) -> Vec<NamedLine> {
    let said = place.says.iter().flat_map(|say| std::iter::once(say).chain(&say.replies));
    visit.note_instants(said.map(|say| say.message.ts.to_timestamp()));
    let times = visit.times();
    let mut lines = Vec::new();
    let mut day = None;
    let mut ends = place
        .chapters
        .iter()
        .rev()
        .filter_map(|log| Some((log.range.as_ref()?.to, log.memory.version(), log.closed_by.as_str())))
        .peekable();
    let first = place.says.first().map(|say| say.message.ts);
    while ends.next_if(|(to, ..)| first.is_some_and(|first| *to < first)).is_some() {}
    for say in &place.says {
        let ts = say.message.ts;
        while let Some((_, number, why)) = ends.next_if(|(to, ..)| *to < ts) {
            lines.push((format!("end{number}"), chapter_end(visit, place, number, why)));
        }
        let today = times.day_of(ts.to_timestamp());
        if day != Some(today) {
            day = Some(today);
            let id = format!("day{today}");
            lines.push((id.clone(), html! { li.day id=(id) { h2 { (times.weekday(ts)) } } }));
        }
        lines.push((message_anchor(ts), one_message(visit, place, say, editing)));
    }
    for (_, number, why) in ends {
        lines.push((format!("end{number}"), chapter_end(visit, place, number, why)));
    }
    if lines.is_empty() {
        lines.push(("nothing".to_owned(), nothing_said(visit, place)));
    }
    lines
}

fn nothing_said(visit: &Visit, place: &RoomPlace) -> Markup {
    let words = if place.channel.is_open() {
        visit.say("room-nothing-said-open")
    } else {
        visit.say("room-nothing-said-private")
    };
    html! { li id="nothing" { span.m {} p.dimmed { (words) } } }
}

/// The line that marks where a chapter ended, and why it did.
fn chapter_end(visit: &Visit, place: &RoomPlace, number: u32, why: &str) -> Markup {
    let reason = match why {
        "idle" => visit.say("room-nobody-spoke-for-a-while"),
        "threshold" => visit.say("room-it-was-full"),
        _ => "",
    };
    let href = format!("/channel/{}/chapter/{number}", escape_path_part(place.channel.id.as_str()));
    let chapter = html! { a href=(href) { (visit.chapter_heading(number)) } };
    html! {
        li.end.quiet id=(format!("end{number}")) {
            p {
                @if reason.is_empty() { (visit.markup_with("room-chapter-ends", &[("chapter", chapter.into())])) }
                @else { (visit.markup_with("room-chapter-ends-why", &[("chapter", chapter.into()), ("reason", reason.into())])) }
            }
        }
    }
}

fn one_message(visit: &Visit, place: &RoomPlace, say: &LocalSay, editing: Option<MessageTs>) -> Markup {
    let message = &say.message;
    let is_own = message.user == place.own;
    html! {
        li id=(message_anchor(message.ts)) .own[is_own] tabindex="-1" data-item {
            span.m dir="auto" { (place.names.user(&message.user)) }
            @if editing == Some(message.ts) && message.user == place.me { (edit_form(visit, place, say)) } @else {
                (message_words(visit, place, say, None, false))
            }
            @if !say.replies.is_empty() { (thread_lines(visit, place, say, editing)) }
        }
    }
}

fn thread_lines(visit: &Visit, place: &RoomPlace, root: &LocalSay, editing: Option<MessageTs>) -> Markup {
    let replies = root.replies.len();
    html! {
        details.thread open[replies <= OPEN_REPLIES] {
            summary {
                (visit.say_with("room-replies", &[("replies", replies.into())]))
            }
            ol {
                @for (reply, is_of_another_day) in dated_replies(visit, root) {
                    li id=(message_anchor(reply.message.ts)) .own[reply.message.user == place.own] {
                        @if editing == Some(reply.message.ts) && reply.message.user == place.me { (edit_form(visit, place, reply)) } @else {
                            (message_words(visit, place, reply, Some(place.names.user(&reply.message.user)), is_of_another_day))
                        }
                    }
                }
            }
        }
    }
}

/// The replies of a thread, each with whether it was said on another day than what stands above it.
fn dated_replies<'a>(visit: &Visit, root: &'a LocalSay) -> Vec<(&'a LocalSay, bool)> {
    let day = |say: &LocalSay| visit.times().day_of(say.message.ts.to_timestamp());
    let above = std::iter::once(root).chain(&root.replies);
    root.replies.iter().zip(above).map(|(reply, above)| (reply, day(reply) != day(above))).collect()
}

/// The words of a message, its reactions, its time (with the day if `is_dated`), and what can be done about it.
fn message_words(
    visit: &Visit,
    place: &RoomPlace,
    say: &LocalSay,
    who: Option<&str>,
    is_dated: bool,
) -> Markup {
    let message = &say.message;
    let ts = message.ts;
    let at = format!("{}#{}", place.here(), message_anchor(ts));
    html! {
        div.say {
            div {
                p dir="auto" {
                    @if let Some(who) = who { span.who { (who) } }
                    span.words { (drawn_words(&place.names.resolve(&message.text))) }
                    @for file in &message.files { " " span.quiet { (file.name) } }
                    @if message.edited_at.is_some() { " " span.quiet { (visit.say("room-edited")) } }
                }
                @if !say.reactions.is_empty() { p.chips { @for (emoji, people) in &say.reactions { (reaction_chip(visit, place, ts, emoji.as_str(), people.as_slice())) } } }
            }
            a.t href=(at) { @if is_dated { (visit.times().moment(ts)) } @else { (visit.times().time_said(ts)) } }
            @if visit.may_change() { (message_menu(visit, place, say)) }
        }
    }
}

fn reaction_chip(
    visit: &Visit,
    place: &RoomPlace,
    ts: MessageTs,
    emoji: &str,
    people: &[myao_core::chat::UserId],
) -> Markup {
    let is_mine = people.contains(&place.me);
    let names: Vec<&str> = people.iter().map(|person| place.names.user(person)).collect();
    let names = names.join(visit.say("common-between-names"));
    let act = if is_mine { "unreact" } else { "react" };
    html! {
        button.chip type="submit" form=(ACT) name="act" value=(format!("{act} {ts} {emoji}")) aria-pressed=(is_mine) title=(names)
            aria-label=(format!("{emoji} {}: {names}", people.len())) { (emoji) " " (people.len()) }
    }
}

/// The menu of what can be done about a message.
fn message_menu(visit: &Visit, place: &RoomPlace, say: &LocalSay) -> Markup {
    let ts = say.message.ts;
    let here = address(&place.channel.id);
    let in_thread = place.thread.map(|root| format!("&thread={root}")).unwrap_or_default();
    let root = say.message.thread();
    let is_mine = say.message.user == place.me;
    html! {
        details.more {
            summary aria-label=(visit.say("room-what-to-do-with-this")) { "⋯" }
            p.acts {
                a href=(format!("{here}?thread={root}#say")) { (visit.say("room-reply")) }
                @for emoji in OFFERED {
                    button.plain type="submit" form=(ACT) name="act" value=(format!("react {ts} {emoji}"))
                        aria-label=(format!("{} {emoji}", visit.say("room-react"))) { (emoji) }
                }
                @if is_mine {
                    a href=(format!("{here}?edit={ts}{in_thread}#{}", message_anchor(ts))) { (visit.say("room-edit")) }
                    button.plain type="submit" form=(ACT) name="act" value=(format!("delete {ts}")) { (visit.say("room-delete")) }
                }
            }
        }
    }
}

/// The form that all buttons of the talk belong to. There is only one, so that each message adds little to the page.
pub(super) fn act_form(visit: &Visit, place: &RoomPlace) -> Markup {
    let to = format!("{}/act", address(&place.channel.id));
    html! {
        form id=(ACT) method="post" action=(to) hx-post=(to) hx-swap="none" { (visit.form_fields()) (thread_field(place)) }
    }
}

/// The form in which an author edits a message.
fn edit_form(visit: &Visit, place: &RoomPlace, say: &LocalSay) -> Markup {
    let ts = say.message.ts;
    html! {
        form.composer method="post" action=(format!("{}/act", address(&place.channel.id))) {
            (visit.form_fields())
            (thread_field(place))
            input type="hidden" name="act" value=(format!("edit {ts}"));
            label.vh for="anew" { (visit.say("room-the-message-written-anew")) }
            textarea id="anew" name="text" rows="3" autofocus data-enter-posts { (place.names.resolve(&say.message.text)) }
            div.row {
                button.go type="submit" { (visit.say("common-keep")) }
                a href=(format!("{}#{}", place.here(), message_anchor(ts))) { (visit.say("room-leave-as-it-was")) }
            }
        }
    }
}

/// Says to a form in which thread it is shown, so that whoever sends it gets back there.
fn thread_field(place: &RoomPlace) -> Markup {
    html! { @if let Some(root) = place.thread { input type="hidden" name="thread" value=(root); } }
}

/// The line above a thread that alone is shown: whose it is, and the way back.
pub(super) fn thread_head(visit: &Visit, place: &RoomPlace) -> Markup {
    let root = place.says.first().filter(|say| Some(say.message.ts) == place.thread);
    html! {
        p.row.spread.quiet {
            @match root {
                Some(root) => span { (visit.markup_with("room-in-thread-of", &[("who", html! { b { (place.names.user(&root.message.user)) } }.into())])) },
                None => span { (visit.say("room-thread-without-its-first")) },
            }
            a href=(address(&place.channel.id)) { (visit.say("room-not-in-the-thread")) }
        }
    }
}

/// What screen readers read aloud as it happens: that we are writing, and what we said. The stream changes the words in
/// these elements and never replaces the elements, because screen readers do not announce an element that replaces
/// another.
pub(super) fn read_aloud(visit: &Visit, place: &RoomPlace) -> Markup {
    html! {
        p.typing.quiet id="typing" role="status" { (typing_notice(visit, place)) }
        div.vh id="heard" role="log" aria-live="polite" aria-label=(visit.say("room-what-myao-says")) { (last_own_message(place)) }
    }
}

/// Says that we are writing.
pub(super) fn typing_notice(visit: &Visit, place: &RoomPlace) -> Markup {
    html! { @if place.is_typing { (visit.say("room-myao-is-writing")) } }
}

/// The last message of ours here.
pub(super) fn last_own_message(place: &RoomPlace) -> Markup {
    let all = place.says.iter().flat_map(|say| std::iter::once(say).chain(&say.replies));
    let ours = all.map(|say| &say.message).filter(|message| message.user == place.own);
    html! { @if let Some(last) = ours.max_by_key(|message| message.ts) { (place.names.user(&last.user)) ": " (words_without_marks(&place.names.resolve(&last.text))) } }
}
