//! The form in which a message is written.

use maud::{Markup, html};
use myao_companion::live::local::LocalError;
use myao_core::chat::MessageTs;

use super::{RoomPlace, address};
use crate::visit::Visit;

/// What somebody is writing, and if it was refused, why.
#[derive(Debug, Default)]
pub(super) struct ComposerDraft {
    pub(super) text: String,
    /// The root of the thread in which it is written.
    pub(super) thread: Option<MessageTs>,
    /// The message that is being edited.
    pub(super) edit: Option<MessageTs>,
    pub(super) trouble: Option<LocalError>,
    /// Whether the cursor goes into the form, because something was just posted.
    pub(super) is_next: bool,
}

impl ComposerDraft {
    /// The draft that the address of a page asks for.
    pub(super) fn of(visit: &Visit) -> Self {
        let stamp = |name| visit.query.parsed::<MessageTs>(name);
        Self { thread: stamp("thread"), edit: stamp("edit"), ..Self::default() }
    }

    pub(super) fn editing(&self) -> Option<MessageTs> {
        self.edit
    }
}

pub(super) fn form_for_message(visit: &Visit, place: &RoomPlace, draft: &ComposerDraft) -> Markup {
    let here = address(&place.channel.id);
    let me = place.names.user(&place.me);
    let root = draft.thread.filter(|_| place.thread.is_some());
    let invitation = if root.is_some() {
        visit.say("room-say-something-in-the-thread")
    } else {
        visit.say("room-say-something-myao-asks")
    };
    html! {
        form.composer id="composer" method="post" action=(here) hx-post=(here) hx-swap="outerHTML" {
            (visit.form_fields())
            @if let Some(error) = &draft.trouble { p.note.needs role="alert" { (why_refused(visit, error)) } }
            @if let Some(root) = root { input type="hidden" name="thread" value=(root); }
            label.vh for="say" { (visit.say("room-say-something")) }
            textarea id="say" name="text" rows="2" autofocus[root.is_some() || draft.trouble.is_some() || draft.is_next]
                data-enter-posts aria-describedby="enter"
                placeholder=(invitation) { (draft.text) }
            div.row.spread {
                p.quiet {
                    (visit.markup_with("room-you-speak-as", &[("me", html! { b { (me) } }.into())]))
                    span.enter id="enter" { (visit.say("room-enter-posts")) }
                }
                button.go type="submit" disabled[!visit.may_change()] { (visit.say("room-post")) }
            }
        }
    }
}

/// Says why an act was refused.
pub(super) fn why_refused(visit: &Visit, error: &LocalError) -> &'static str {
    match error {
        LocalError::NotThere => visit.say("room-trouble-not-there"),
        LocalError::NotYours => visit.say("room-trouble-not-yours"),
        LocalError::Empty => visit.say("room-trouble-empty"),
        LocalError::TooLong => visit.say("room-trouble-too-long"),
        LocalError::BadName => visit.say("room-trouble-bad-name"),
        LocalError::NameTaken => visit.say("room-trouble-name-taken"),
        LocalError::NoEmoji => visit.say("room-trouble-no-emoji"),
        LocalError::Store(_) => visit.say("room-trouble-not-saved"),
    }
}
