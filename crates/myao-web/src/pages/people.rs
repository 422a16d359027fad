//! People: what is remembered of them and by them, line by line, with sources.

use axum::extract::Path;
use axum::response::Response;
use maud::{Markup, html};
use myao_companion::tools::recall::source_of_line;
use myao_core::chat::{User, shown_name};
use myao_store::PersonLine;

use crate::{
    answer::{PageError, PageResult, page},
    layout::{Here, whole},
    numbers::grouped,
    show::{address, plain, with_links},
    visit::{Visit, escaped},
};

/// People on one page of the list.
const ON_A_PAGE: usize = 200;
/// Lines about somebody.
const MOST_LINES: usize = 60;

/// `/people`: `name` is a part of a name.
pub(super) async fn people(visit: Visit) -> Result<Response, PageError> {
    let title = visit.say("People", "人");
    let wanted = visit.query.get("name").unwrap_or_default().to_lowercase();
    let all = visit.site.store.people().await?;
    let is_meant = |user: &&User| shown_name(&user.name).to_lowercase().contains(&wanted);
    let meant: Vec<&User> = all.iter().filter(is_meant).collect();
    let left_out = meant.len().saturating_sub(ON_A_PAGE);
    let main = html! {
        header.head {
            h1 { (title) }
            p.lede { (visit.say("There are no profiles. This is what memory happens to hold, and every line leads to who said it.",
                "人物の記録はありません。記憶にたまたまあることだけを並べ、どの行からも、言った人の発言へ行けます。")) }
        }
        div.stack {
            form.fields method="get" action="/people" {
                div.grow {
                    label for="name" { (visit.say("A part of a name", "名前の一部")) }
                    input type="search" id="name" name="name" value=(visit.query.text("name"));
                }
                @if let Some(place) = &visit.view.place { input type="hidden" name="as" value=(place.id.as_str()); }
                button type="submit" { (visit.say("Find", "さがす")) }
            }
            @if meant.is_empty() { p.quiet { (visit.say("Nobody is called that.", "その名前の人はいません。")) } }
            ul.names {
                @for user in meant.iter().take(ON_A_PAGE) {
                    li tabindex="-1" data-item {
                        a href=(visit.href(&format!("/people/{}", escaped(user.id.as_str())), &[])) { (called(user)) }
                        @if user.is_bot { " " span.quiet { (visit.say("a program", "プログラム")) } }
                    }
                }
            }
            @if left_out > 0 { p.quiet { (visit.say("and more; say a part of the name: ", "ほかにもいます。名前の一部を入れてください：")) (grouped(u64::try_from(left_out).unwrap_or(u64::MAX))) } }
        }
    };
    Ok(page(whole(&visit, title, &Here::At("/people"), &main)))
}

/// A name; the id where there is none.
fn called(user: &User) -> String {
    let name = shown_name(&user.name);
    if name.is_empty() { user.id.to_string() } else { name }
}

/// `/people/ID`.
pub(super) async fn person(Path(id): Path<String>, visit: Visit) -> PageResult {
    let all = visit.site.store.people().await?;
    let user = all.into_iter().find(|user| user.id.as_str() == id).ok_or(PageError::NotFound)?;
    let found = visit.site.store.lines_of_person(&visit.view.visibility, &user.id, MOST_LINES).await?;
    let team_url = visit.site.store.team_url().await?;
    let mut lines = Vec::with_capacity(found.lines.len());
    for line in found.lines {
        let source = source(&visit, &line, team_url.as_deref()).await?;
        lines.push((line, source));
    }
    let name = called(&user);
    let more = found.all.saturating_sub(u64::try_from(lines.len()).unwrap_or(u64::MAX));
    let said = visit.href("/recall", &[("q", &format!("from:{}", user.id))]);
    let main = html! {
        header.head { h1 { (name) } p.quiet { (user.id) } }
        div.stack {
            (in_force(&visit, &lines))
            @if more > 0 { p.quiet { (visit.say("and older lines: ", "ほかの古い行：")) (grouped(more)) } }
            p.row {
                a href=(said) { (visit.say("Everything this person said, through recall", "この人が言ったことをすべて（思い出す）")) }
                @if visit.may_change() && visit.view.place.is_none() {
                    a href=(visit.href("/forget", &[("user", user.id.as_str())])) { (visit.say("Forget what this person said", "この人の言ったことを忘れる")) }
                }
            }
        }
    };
    Ok(page(whole(&visit, &name, &Here::At("/people"), &main)))
}

/// Where a line most likely comes from: in the chat, else the chapter here.
async fn source(visit: &Visit, line: &PersonLine, team_url: Option<&str>) -> Result<String, PageError> {
    let store = &visit.site.store;
    let place = (line.words.as_str(), &line.channel, line.until);
    let found = source_of_line(store, &visit.view.visibility, place, visit.site.now()).await?;
    Ok(match found {
        Some((ts, thread)) => {
            let address = address(visit, (&line.channel, ts, thread), team_url);
            address.unwrap_or_else(|| visit.channel_href(&line.channel, &format!("/said/{ts}"), &[]))
        }
        None => visit.channel_href(&line.channel, &format!("/chapter/{}", line.version), &[]),
    })
}

fn in_force(visit: &Visit, lines: &[(PersonLine, String)]) -> Markup {
    let (holding, ended): (Vec<_>, Vec<_>) = lines.iter().partition(|(line, _)| line.ended.is_none());
    html! {
        @if lines.is_empty() {
            p.note { (visit.say("No memory that is seen from here names this person.", "ここから見える記憶に、この人の名前はありません。")) }
        }
        @if !holding.is_empty() {
            article.paper aria-labelledby="holds" {
                header { h2 id="holds" { (visit.say("What is remembered", "覚えていること")) } }
                (sheet(visit, &holding))
            }
        }
        @if !ended.is_empty() {
            article.paper aria-labelledby="ended" {
                header { h2 id="ended" { (visit.say("What holds no more", "いまは違うこと")) } }
                (sheet(visit, &ended))
            }
        }
    }
}

fn sheet(visit: &Visit, lines: &[&(PersonLine, String)]) -> Markup {
    let names = &visit.view.names;
    html! {
        ul.memory.lines {
            @for (line, source) in lines {
                li tabindex="-1" data-item {
                    span.m {
                        a href=(source) rel="noopener noreferrer" title=(visit.say("Why? To the message", "出どころの発言へ")) {
                            @match line.day { Some(day) => { (visit.times().day(day)) } None => { (visit.say("why", "出どころ")) } }
                        }
                    }
                    div {
                        p dir="auto" { (with_links(&names.show(&line.words))) }
                        p.quiet {
                            a href=(visit.channel_href(&line.channel, &format!("/chapter/{}", line.version), &[])) { "#" (names.channel(&line.channel)) }
                            @if let Some(end) = &line.ended {
                                (visit.say(" · until ", " · ")) (visit.times().day(end.day)) (visit.say(", when it was said: ", "まで。そのあと："))
                                (plain(&names.show(&end.words)))
                            }
                        }
                    }
                }
            }
        }
    }
}
