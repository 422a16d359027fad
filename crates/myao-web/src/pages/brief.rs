//! What somebody missed: what was asked of them, decided and changed, as the place of the page sees it.

use axum::extract::Path;
use maud::{Markup, html};
use myao_companion::brief::{BriefOrder, BriefSection, make_brief};
use myao_core::recall::brief::BriefWish;

use super::people::name_or_id;
use crate::{
    answer::{PageError, PageResult, page_response},
    layout::{Here, whole_page},
    visit::{Visit, escape_path_part},
};

/// `/people/ID/brief`; `since` is a day, as people name it.
pub(super) async fn show_brief(Path(id): Path<String>, visit: Visit) -> PageResult {
    let store = &visit.site.store;
    let all = store.recall().named_users().await?;
    let user = all.into_iter().find(|user| user.id.as_str() == id).ok_or(PageError::NotFound)?;
    let (now, zone) = (visit.site.now(), &visit.site.config.locale.timezone);
    let asked = visit.query.text("since").trim().to_owned();
    let wish = BriefWish::of_command(&asked, now, zone);
    let is_understood = wish.is_ok();
    let wish = wish.unwrap_or_default();
    let order = BriefOrder {
        visibility: &visit.view.visibility,
        user: &user.id,
        wish: &wish,
        place: None,
        now,
        zone,
        language: visit.language,
    };
    let brief = make_brief(store, order).await?;
    let team_url = store.archive().team_url().await?;
    let name = name_or_id(&user);
    let title = visit.say_with("people-brief-of", &[("name", (&*name).into())]);
    let main = html! {
        header.head { h1 { (title) } p.quiet { (brief.heading(&order)) } }
        div.stack {
            (form(&visit, &asked, is_understood))
            @for section in brief.sections(&order, team_url.as_deref()) { (shown(&section)) }
            p.row { a href=(visit.href(&format!("/people/{}", escape_path_part(user.id.as_str())), &[])) { (name) } }
        }
    };
    Ok(page_response(whole_page(&visit, &title, &Here::At("/people"), &main)))
}

fn form(visit: &Visit, asked: &str, is_understood: bool) -> Markup {
    html! {
        form.fields method="get" action=(visit.path) {
            @for (name, value) in visit.query.without("since") { input type="hidden" name=(name) value=(value); }
            div.field {
                label for="since" { (visit.say("people-brief-since")) }
                input id="since" name="since" value=(asked) autocomplete="off";
            }
            button type="submit" { (visit.say("decisions-show")) }
            @if !is_understood { p.note.needs role="alert" { (visit.say("people-brief-no-day")) } }
        }
    }
}

fn shown(section: &BriefSection) -> Markup {
    html! {
        section {
            h2 { (section.heading) }
            ul.lines {
                @for line in &section.lines {
                    li {
                        div dir="auto" {
                            @if let Some(label) = &line.label {
                                span.quiet {
                                    @match &line.address {
                                        Some(address) => { a href=(address) { (label) } }
                                        None => { (label) }
                                    }
                                }
                                " "
                            }
                            (line.text)
                        }
                    }
                }
            }
        }
    }
}
