//! Shows how far a rebuild of a channel's memories has come.

use axum::extract::Path;
use maud::{Markup, html};
use myao_core::chat::Channel;

use super::super::channel::{Tab, heading_with_tabs};
use crate::{
    answer::{PageError, PageResult, page_response},
    layout::{Here, whole_live},
    show::bar_of_parts,
    visit::Visit,
};

/// How far a rebuild has come.
struct Rebuilding {
    /// The first chapter to be written again, and `last` the last.
    from: u32,
    last: u32,
    /// How many chapters among them have no valid text yet.
    waiting: u32,
    /// The last chapter that is folded into the long-term memory.
    folded: u32,
    /// Whether the keeper still has to look at the channel. Once it has, what is written is also folded in, as far as
    /// that is due.
    is_due: bool,
    /// Why the work does not go on.
    setback: Option<String>,
}

impl Rebuilding {
    async fn read(visit: &Visit, channel: &Channel, from: u32) -> Result<Self, PageError> {
        let store = &visit.site.store;
        let last = store.memory().chapters_in_channel(&channel.id).await?.latest_version;
        let from = from.clamp(1, last.max(1));
        let waiting = store.memory().chapters_to_write(&channel.id).await?;
        let waiting = waiting.iter().filter(|work| work.version >= from).count();
        let subject = format!("channel:{}", channel.id);
        let setback =
            store.memory().list_open_setbacks().await?.into_iter().find(|setback| setback.subject == subject);
        let due = store.memory().channels_due_at(visit.site.now()).await?;
        Ok(Self {
            is_due: due.iter().any(|row| row.channel.id == channel.id),
            from,
            last,
            waiting: u32::try_from(waiting).unwrap_or(u32::MAX),
            folded: store.memory().channel_fold(&visit.view.visibility, &channel.id).await?.mark.version,
            setback: setback.map(|setback| setback.reason),
        })
    }

    const fn all(&self) -> u32 {
        (self.last + 1).saturating_sub(self.from)
    }

    const fn written(&self) -> u32 {
        self.all().saturating_sub(self.waiting)
    }

    const fn is_done(&self) -> bool {
        self.waiting == 0 && !self.is_due
    }
}

/// `/channel/ID/rebuild/N`: how far the rebuild from chapter N on has come.
pub(in crate::pages) async fn show_how_far(
    Path((id, from)): Path<(String, String)>,
    visit: Visit,
) -> PageResult {
    let channel = visit.channel(&id)?;
    let from = from.parse().map_err(|_no_number| PageError::NotFound)?;
    let rebuilding = Rebuilding::read(&visit, channel, from).await?;
    let title = visit.say_with("rebuild-written-anew", &[("channel", (&*channel.name).into())]);
    let main = html! {
        (heading_with_tabs(&visit, channel, Tab::Memory, &title, &html! {}))
        (so_far(&visit, channel, &rebuilding))
    };
    Ok(page_response(whole_live(&visit, &title, &Here::Channel(channel.id.clone()), &main)))
}

fn so_far(visit: &Visit, channel: &Channel, rebuilding: &Rebuilding) -> Markup {
    let written = rebuilding.written();
    let all = rebuilding.all();
    let is_done = rebuilding.is_done();
    html! {
        // Where scripts run, this part is fetched again until all is done.
        div.stack id="progress" hx-get=[(!is_done).then_some(&visit.path)] hx-trigger="load delay:1s" hx-target="#progress" hx-select="#progress" hx-swap="outerHTML" {
            p.lede role="status" {
                (visit.markup_with("rebuild-written", &[("written", html! { b.num { (written) } }.into()), ("all", all.into())]))
                " " (folded_in_words(visit, rebuilding))
            }
            (bar_of_parts(&[("k1", u64::from(written)), ("k3", u64::from(rebuilding.waiting))], u64::from(all)))
            @if let Some(reason) = &rebuilding.setback {
                p.note.needs { (visit.say_with("rebuild-does-not-go-on", &[("why", (&**reason).into())])) }
            }
            @if is_done {
                p { (visit.say("rebuild-all-of-it")) a href=(visit.channel_href(&channel.id, "", &[])) { (visit.say("rebuild-to-the-memory")) } }
            } @else {
                p.quiet {
                    (visit.say("rebuild-goes-on-by-itself"))
                    a href=(visit.path) { (visit.say("common-look-again")) }
                }
            }
        }
    }
}

fn folded_in_words(visit: &Visit, rebuilding: &Rebuilding) -> String {
    let folded = rebuilding.folded;
    if folded == 0 {
        return visit.say("rebuild-none-folded-in").to_owned();
    }
    visit.say_with("rebuild-folded-in", &[("chapter", folded.into())])
}
