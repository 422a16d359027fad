//! The pages of people: what memory holds about them, line by line, with a link to the source of each line.

use axum::extract::Path;
use axum::response::Response;
use maud::{Markup, html};
use myao_companion::tools::recall::source_of_line;
use myao_core::{
    chat::{User, name_in_talk},
    memory::{MemoryType, StepId, lines_of_text},
};
use myao_store::{JournalEntry, PersonLine};

use crate::{
    answer::{PageError, PageResult, go_to, page_response},
    layout::{Here, whole_page},
    numbers::digits_in_groups,
    show::{drawn_words, message_address},
    visit::{Visit, escape_path_part},
};

/// How many people the list shows.
const ON_A_PAGE: usize = 200;
/// How many lines about a person are shown.
const MOST_LINES: usize = 60;

/// `/people`: `name` is a part of a name to look for.
pub(super) async fn show_all_people(visit: Visit) -> Result<Response, PageError> {
    let title = visit.say("common-people");
    let wanted = visit.query.get("name").unwrap_or_default().to_lowercase();
    let all = visit.site.store.recall().named_people().await?;
    let has_part = |name: &str| name_in_talk(name).to_lowercase().contains(&wanted);
    let former = all.former_names();
    let was_meant =
        |user: &User| former.get(&user.id).is_some_and(|names| names.iter().any(|name| has_part(name)));
    let is_meant = |user: &&User| has_part(&user.name) || was_meant(user);
    let meant: Vec<&User> = all.people.iter().filter(is_meant).collect();
    let left_out = meant.len().saturating_sub(ON_A_PAGE);
    let main = html! {
        header.head {
            h1 { (title) }
            p.lede { (visit.say("people-there-are-no-profiles")) }
            p { a href=(visit.href("/terms", &[])) { (visit.say("terms-words-of-the-house")) } }
        }
        div.stack {
            form.fields method="get" action="/people" {
                div.grow {
                    label for="name" { (visit.say("people-a-part-of-a-name")) }
                    input type="search" id="name" name="name" value=(visit.query.text("name"));
                }
                @if let Some(place) = &visit.view.place { input type="hidden" name="as" value=(place.id.as_str()); }
                button type="submit" { (visit.say("common-find")) }
            }
            @if meant.is_empty() { p.quiet { (visit.say("people-nobody-is-called-that")) } }
            ul.names {
                @for user in meant.iter().take(ON_A_PAGE) {
                    li tabindex="-1" data-item {
                        a href=(visit.href(&format!("/people/{}", escape_path_part(user.id.as_str())), &[])) { (name_or_id(user)) }
                        @if user.is_bot { " " span.quiet { (visit.say("people-a-program")) } }
                    }
                }
            }
            @if left_out > 0 { p.quiet { (visit.say_with("people-and-more-names", &[("number", digits_in_groups(u64::try_from(left_out).unwrap_or(u64::MAX)).into())])) } }
        }
    };
    Ok(page_response(whole_page(&visit, title, &Here::At("/people"), &main)))
}

/// The name of a user, or the id of one without a name.
pub(super) fn name_or_id(user: &User) -> String {
    let name = name_in_talk(&user.name);
    if name.is_empty() { user.id.to_string() } else { name }
}

/// `/people/ID`: one person.
pub(super) async fn show_person(Path(id): Path<String>, visit: Visit) -> PageResult {
    let all = visit.site.store.recall().named_people().await?;
    let user = all.people.iter().find(|user| user.id.as_str() == id).ok_or(PageError::NotFound)?;
    let former: Vec<String> = all.former_names_of(user).into_iter().map(name_in_talk).collect();
    let found =
        visit.site.store.recall().lines_of_person(&visit.view.visibility, &user.id, MOST_LINES).await?;
    let lines = found.lines;
    let name = name_or_id(user);
    let more = found.all.saturating_sub(u64::try_from(lines.len()).unwrap_or(u64::MAX));
    let said = visit.href("/recall", &[("q", &format!("from:{}", user.id))]);
    let main = html! {
        header.head {
            h1 { (name) }
            p.quiet { (user.id) }
            @if !former.is_empty() { p.quiet { (visit.say_with("people-called-before", &[("names", former.join(", ").into())])) } }
        }
        div.stack {
            (in_force(&visit, &lines))
            @if more > 0 { p.quiet { (visit.say_with("people-and-older-lines", &[("number", digits_in_groups(more).into())])) } }
            p.row {
                a href=(said) { (visit.say("people-everything-this-person-said-through")) }
                a href=(visit.href(&format!("/people/{}/brief", escape_path_part(user.id.as_str())), &[])) { (visit.say("people-brief")) }
                @if visit.may_change() && visit.view.place.is_none() {
                    a href=(visit.href("/forget", &[("user", user.id.as_str())])) { (visit.say("people-forget-what-this-person-said")) }
                }
            }
        }
    };
    Ok(page_response(whole_page(&visit, &name, &Here::At("/people"), &main)))
}

/// `/channel/ID/source`: leads to the message that a `line` of a chapter's text most likely comes from, in the chat or
/// on our pages; or else to the chapter. The source is looked for only when somebody asks, since a page has dozens of
/// lines.
pub(super) async fn lead_to_source(Path(id): Path<String>, visit: Visit) -> PageResult {
    let channel = visit.channel(&id)?;
    let store = &visit.site.store;
    let step = visit.query.parsed::<i64>("entry").map(StepId).ok_or(PageError::NotFound)?;
    let entry = store.memory().find_journal_entry(&visit.view.visibility, step).await?;
    let of_chapter = |entry: &JournalEntry| {
        entry.key.channel().as_ref() == Some(&channel.id) && entry.key.memory_type == MemoryType::ShortTerm
    };
    let entry = entry.filter(of_chapter).ok_or(PageError::NotFound)?;
    let chapter = visit.channel_href(&channel.id, &format!("/chapter/{}", entry.key.version), &[]);
    let wanted = visit.query.parsed::<usize>("line");
    let line = lines_of_text(entry.content.as_deref().unwrap_or_default())
        .into_iter()
        .find(|line| Some(line.nth) == wanted);
    let Some(line) = line else { return Ok(go_to(&chapter)) };
    let until = entry.source_latest_message_ts;
    let found =
        source_of_line(store, &visit.view.visibility, &line.words, &channel.id, until, visit.site.now())
            .await?;
    let Some((ts, thread)) = found else { return Ok(go_to(&chapter)) };
    let team_url = store.archive().team_url().await?;
    let outside = message_address(&visit, &channel.id, ts, thread, team_url.as_deref());
    let here = || visit.channel_href(&channel.id, &format!("/said/{ts}"), &[]);
    Ok(go_to(&outside.unwrap_or_else(here)))
}

fn in_force(visit: &Visit, lines: &[PersonLine]) -> Markup {
    let (holding, ended): (Vec<_>, Vec<_>) = lines.iter().partition(|line| line.ended.is_none());
    html! {
        @if lines.is_empty() {
            p.note { (visit.say("people-no-memory-that-is-seen")) }
        }
        @if !holding.is_empty() {
            article.paper aria-labelledby="holds" {
                header { h2 id="holds" { (visit.say("people-what-is-remembered")) } }
                (sheet_about_person(visit, &holding))
            }
        }
        @if !ended.is_empty() {
            article.paper aria-labelledby="ended" {
                header { h2 id="ended" { (visit.say("people-what-holds-no-more")) } }
                (sheet_about_person(visit, &ended))
            }
        }
    }
}

fn sheet_about_person(visit: &Visit, lines: &[&PersonLine]) -> Markup {
    let names = &visit.view.names;
    let source = |line: &PersonLine| {
        let entry = line.step.to_string();
        let nth = line.nth.to_string();
        visit.channel_href(&line.channel, "/source", &[("entry", &entry), ("line", &nth)])
    };
    visit.note_dates(lines.iter().filter_map(|line| line.day));
    html! {
        ul.memory.lines {
            @for line in lines {
                li tabindex="-1" data-item {
                    span.m {
                        a href=(source(line)) rel="noopener noreferrer" title=(visit.say("people-why-to-the-message")) {
                            @match line.day { Some(day) => { (visit.times().day(day)) } None => { (visit.say("common-why")) } }
                        }
                    }
                    div {
                        p dir="auto" { (drawn_words(&names.show(&line.words))) }
                        p.quiet {
                            a href=(visit.channel_href(&line.channel, &format!("/chapter/{}", line.version), &[])) { "#" (names.channel(&line.channel)) }
                            @if let Some(end) = &line.ended {
                                " · " (visit.markup_with("common-until-said", &[("day", visit.times().day(end.day).into()), ("words", drawn_words(&names.show(&end.words)).into())]))
                            }
                        }
                    }
                }
            }
        }
    }
}
