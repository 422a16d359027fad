//! Takes the forms with which people act. Each answers with a redirect; to htmx it answers without a page, since the
//! stream brings what changed.

use std::sync::Arc;

use axum::{
    Extension,
    extract::{FromRequestParts, Path},
    http::{HeaderMap, HeaderValue, StatusCode, header, request::Parts},
    response::{IntoResponse as _, Response},
};
use jiff::SignedDuration;
use maud::{Markup, html};
use myao_companion::live::local::{LocalError, NewChannel};
use myao_core::chat::{ChannelId, MessageTs, Place};

use super::{
    ComposerDraft, Guest, Room, RoomPlace, address, channel_page, composer, composer::why_refused,
    refusal_response, who::PERSON_COOKIE,
};
use crate::{
    answer::{PageError, PageResult, back_to, go_to, page_response},
    layout::{self, Here, notice_of},
    room_links::message_anchor,
    site::Site,
    visit::Visit,
};

/// How long the browser keeps which person it is, in seconds: a day.
const KEPT: u32 = 24 * 3600;

/// Whether htmx sent the request.
pub(super) struct IsScript(bool);

impl FromRequestParts<Arc<Site>> for IsScript {
    type Rejection = PageError;

    async fn from_request_parts(parts: &mut Parts, _: &Arc<Site>) -> Result<Self, PageError> {
        Ok(Self(is_script(&parts.headers)))
    }
}

fn is_script(headers: &HeaderMap) -> bool {
    headers.get("hx-request").is_some_and(|value| value == "true")
}

/// Answers htmx with nothing, and anybody else with a redirect to the page.
fn answer_after_doing(IsScript(is_script): &IsScript, address: &str) -> Response {
    if *is_script { StatusCode::NO_CONTENT.into_response() } else { go_to(address) }
}

/// An error that a person can correct is returned, to be shown beside the field. Any other becomes a page of its own.
fn correctable_error(error: LocalError) -> Result<Option<LocalError>, PageError> {
    if matches!(error, LocalError::NotThere | LocalError::Store(_)) {
        return Err(refusal_response(error));
    }
    Ok(Some(error))
}

/// Posts a message.
pub(super) async fn post_message(
    Extension(room): Extension<Arc<Room>>,
    Path(channel): Path<String>,
    guest: Guest,
    is_script: IsScript,
    visit: Visit,
) -> PageResult {
    let channel = ChannelId::new(channel);
    let thread = visit.posted.parsed::<MessageTs>("thread");
    let text = visit.posted.text("text");
    let said = room.workspace.post(&guest.id, &Place { channel: channel.clone(), thread }, text).await;
    let draft = match said {
        Ok(ts) if !is_script.0 => {
            let thread =
                thread.map(|root| format!("?thread={root}#{}", message_anchor(ts))).unwrap_or_default();
            return Ok(go_to(&format!("{}{thread}", address(&channel))));
        }
        Ok(_) => ComposerDraft { thread, is_next: true, ..ComposerDraft::default() },
        Err(error) => ComposerDraft {
            text: text.to_owned(),
            thread,
            trouble: correctable_error(error)?,
            ..ComposerDraft::default()
        },
    };
    if is_script.0 {
        let place = RoomPlace::read(&visit, &room, &guest, &channel).await?;
        return Ok(page_response(composer::form_for_message(&visit, &place, &draft)));
    }
    channel_page(&visit, &room, &guest, &channel, draft).await
}

/// Does what a button of the talk says: `delete TS`, `react TS EMOJI`, `unreact TS EMOJI`, `edit TS`.
pub(super) async fn act_on_message(
    Extension(room): Extension<Arc<Room>>,
    Path(channel): Path<String>,
    guest: Guest,
    is_script: IsScript,
    visit: Visit,
) -> PageResult {
    let channel = ChannelId::new(channel);
    let mut words = visit.posted.text("act").splitn(3, ' ');
    let verb = words.next();
    let ts = words.next();
    let emoji = words.next().unwrap_or_default();
    let ts: MessageTs = ts.and_then(|ts| ts.parse().ok()).ok_or(PageError::NotFound)?;
    let workspace = &room.workspace;
    let me = &guest.id;
    let acted = match verb {
        Some("delete") => workspace.delete(me, &channel, ts).await,
        Some("react") => workspace.react(me, &channel, ts, emoji, true).await,
        Some("unreact") => workspace.react(me, &channel, ts, emoji, false).await,
        Some("edit") => workspace.edit(me, &channel, ts, visit.posted.text("text")).await,
        _ => Err(LocalError::NotThere),
    };
    match acted {
        Ok(()) => {
            let at = if verb == Some("delete") { String::new() } else { format!("#{}", message_anchor(ts)) };
            let thread = visit.posted.parsed::<MessageTs>("thread");
            let thread = thread.map(|root| format!("?thread={root}")).unwrap_or_default();
            Ok(answer_after_doing(&is_script, &format!("{}{thread}{at}", address(&channel))))
        }
        Err(error) => {
            let draft = ComposerDraft { trouble: correctable_error(error)?, ..ComposerDraft::default() };
            channel_page(&visit, &room, &guest, &channel, draft).await
        }
    }
}

/// Lets a person into a channel.
pub(super) async fn invite_person(
    Extension(room): Extension<Arc<Room>>,
    Path(channel): Path<String>,
    guest: Guest,
    visit: Visit,
) -> PageResult {
    let channel = ChannelId::new(channel);
    let whom = guest.named(visit.posted.text("person")).ok_or(PageError::NotFound)?.id.clone();
    room.workspace.invite(&guest.id, &channel, &whom).await.map_err(refusal_response)?;
    Ok(go_to(&address(&channel)))
}

/// Makes the browser another of the workspace's people.
pub(super) async fn become_person(
    Extension(room): Extension<Arc<Room>>,
    guest: Guest,
    visit: Visit,
) -> PageResult {
    let person = guest.named(visit.posted.text("person")).ok_or(PageError::NotFound)?;
    // If the new person does not see the channel that was shown, they begin at the first one.
    let back = visit.posted.text("return");
    let there = room.workspace.channels_of(&person.id).await?;
    let is_seen = there.iter().any(|channel| address(&channel.id) == back);
    let mut response = back_to(if is_seen { back } else { "/talk" });
    let cookie = format!("{PERSON_COOKIE}={}; Path=/; Max-Age={KEPT}; SameSite=Lax; HttpOnly", person.id);
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    Ok(response)
}

/// Has time pass. The run does it, so that it goes on wherever somebody looks meanwhile.
pub(super) async fn pass_time(
    Extension(room): Extension<Arc<Room>>,
    is_script: IsScript,
    visit: Visit,
) -> PageResult {
    let hours = match visit.posted.text("span") {
        "1h" => 1,
        "1d" => 24,
        "1w" => 7 * 24,
        "4w" => 4 * 7 * 24,
        _ => return Err(PageError::NotFound),
    };
    room.workspace.ask_to_pass(SignedDuration::from_hours(hours));
    Ok(answer_and_go_back(&is_script, &visit))
}

/// Stops the time that passes.
pub(super) async fn stop_time(
    Extension(room): Extension<Arc<Room>>,
    is_script: IsScript,
    visit: Visit,
) -> Response {
    room.workspace.stop_passing();
    answer_and_go_back(&is_script, &visit)
}

/// Answers htmx with nothing, and anybody else with the way back to the page that held the form.
fn answer_and_go_back(IsScript(is_script): &IsScript, visit: &Visit) -> Response {
    if *is_script { StatusCode::NO_CONTENT.into_response() } else { back_to(visit.posted.text("return")) }
}

/// `/talk/passing`: the notice of other pages that time passes, as it is now; `return` is the page.
pub(super) async fn show_passing(Extension(room): Extension<Arc<Room>>, visit: Visit) -> PageResult {
    let passing = room.workspace.time_passing().ok_or(PageError::NotFound)?;
    // Only pages of ours are led back to.
    let here =
        Some(visit.query.text("return")).filter(|page| page.starts_with('/') && !page.starts_with("//"));
    Ok(page_response(notice_of(&visit, &passing, here.unwrap_or("/"))))
}

/// `/talk/new`: the forms for a channel and for a direct message.
pub(super) async fn new_form(guest: Guest, visit: Visit) -> Response {
    new_page(&visit, &guest, None)
}

fn new_page(visit: &Visit, guest: &Guest, why_not: Option<&LocalError>) -> Response {
    let title = visit.say("room-a-new-place");
    let main = html! {
        header.head { h1 { (title) } }
        @if let Some(error) = why_not { p.note.needs role="alert" { (why_refused(visit, error)) } }
        div.two { (channel_form(visit)) (direct_form(visit, guest)) }
    };
    page_response(layout::whole_page(visit, title, &Here::Elsewhere, &main))
}

fn channel_form(visit: &Visit) -> Markup {
    html! {
        form.stack method="post" action="/talk/new" {
            (visit.form_fields())
            h2 { (visit.say("room-a-channel")) }
            div { label for="name" { (visit.say("room-its-name")) } br; input id="name" name="name" required maxlength="80"; }
            p.choice { input type="checkbox" id="private" name="private"; label for="private" { (visit.say("room-private-only-those-who")) } }
            button.go type="submit" { (visit.say("room-create-it")) }
        }
    }
}

fn direct_form(visit: &Visit, guest: &Guest) -> Markup {
    html! {
        form.stack method="post" action="/talk/new" {
            (visit.form_fields())
            input type="hidden" name="direct" value="1";
            h2 { (visit.say("room-a-direct-message-with-myao")) }
            p.quiet { (visit.say("room-for-you-two-or")) }
            fieldset {
                legend { (visit.say("room-who-else")) }
                @for person in guest.people.iter().filter(|person| person.id != guest.id) {
                    p.choice {
                        input type="checkbox" id=(person.id.as_str()) name=(person.id.as_str());
                        label for=(person.id.as_str()) { (person.name) }
                    }
                }
            }
            button type="submit" { (visit.say("room-open-it")) }
        }
    }
}

/// Creates a channel, or opens a direct message.
pub(super) async fn new_place(
    Extension(room): Extension<Arc<Room>>,
    guest: Guest,
    visit: Visit,
) -> PageResult {
    let workspace = &room.workspace;
    let posted = &visit.posted;
    let made = if posted.is_set("direct") {
        let people = guest.people.iter().map(|person| &person.id).filter(|id| posted.is_set(id.as_str()));
        workspace.open_direct(&guest.id, &people.cloned().collect::<Vec<_>>()).await
    } else {
        let new = NewChannel { name: posted.text("name").to_owned(), is_private: posted.is_set("private") };
        workspace.create_channel(&guest.id, &new).await
    };
    match made {
        Ok(channel) => Ok(go_to(&address(&channel))),
        Err(LocalError::Store(error)) => Err(error.into()),
        Err(error) => Ok(new_page(&visit, &guest, Some(&error))),
    }
}
