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

pub(super) fn composer(visit: &Visit, place: &RoomPlace, draft: &ComposerDraft) -> Markup {
    let here = address(&place.channel.id);
    let me = place.names.user(&place.me);
    let root = draft.thread.and_then(|root| place.says.iter().find(|say| say.message.ts == root));
    html! {
        form.composer id="composer" method="post" action=(here) hx-post=(here) hx-swap="outerHTML" {
            (visit.form_fields())
            @if let Some(error) = &draft.trouble { p.note.needs role="alert" { (trouble(visit, error)) } }
            @if let Some(root) = root {
                input type="hidden" name="thread" value=(root.message.ts);
                p.row.spread.quiet {
                    span.nw { (visit.markup_with("in-thread-of", "In the thread of { $who }", "スレッド：{ $who }", &[("who", html! { b { (place.names.user(&root.message.user)) } }.into())])) }
                    a href=(here) { (visit.say("Not in the thread", "スレッドから出る")) }
                }
            }
            label.vh for="say" { (visit.say("Say something", "発言")) }
            textarea id="say" name="text" rows="2" autofocus[root.is_some() || draft.trouble.is_some() || draft.is_next]
                placeholder=(visit.say("Say something. @myao asks for an answer", "話しかけてみてください。@myao で返事を求めます")) { (draft.text) }
            @if let Some(question) = place.question.filter(|_| place.answered.is_none()) {
                p.quiet {
                    (visit.markup_with("try-it", "Try it: ask { $question } Then let a week pass, and see what is remembered.", "試しに：{ $question } と聞いて、1週間進めて、何を覚えるか見てください。",
                        &[("question", html! { b { (question) } }.into())]))
                }
            }
            div.row.spread {
                p.quiet { (visit.markup_with("you-speak-as", "You speak as { $me }", "話す人：{ $me }", &[("me", html! { b { (me) } }.into())])) }
                button.go type="submit" disabled[!visit.may_change()] { (visit.say("Post", "投稿")) }
            }
        }
    }
}

/// Says why an act was refused.
pub(super) fn trouble(visit: &Visit, error: &LocalError) -> &'static str {
    match error {
        LocalError::NotThere => visit.say("trouble-not-there", "There is no such place, person or message here.", "その場所や人、発言は、ここにはありません。"),
        LocalError::NotYours => visit.say("trouble-not-yours", "Only whoever wrote a message can change it.", "発言を変えられるのは、書いた本人だけです。"),
        LocalError::Empty => visit.say("trouble-empty", "Nothing was written.", "何も書かれていません。"),
        LocalError::TooLong => visit.say("trouble-too-long", "A message has at most 40000 characters.", "長すぎます。発言は4万字までです。"),
        LocalError::BadName => visit.say("trouble-bad-name", "A channel's name has 1 to 80 letters, digits, hyphens and underscores, and no capitals.", "チャンネル名に使えるのは、文字と数字、ハイフン、下線だけで、80字までです。"),
        LocalError::NameTaken => visit.say("trouble-name-taken", "There is a channel of this name already.", "その名前のチャンネルは、もうあります。"),
        LocalError::NoEmoji => visit.say("trouble-no-emoji", "A reaction is one emoji.", "反応は絵文字ひとつです。"),
        LocalError::Store(_) => visit.say("trouble-not-saved", "It was not saved. The log says why.", "保存できませんでした。くわしくはログにあります。"),
    }
}
