//! `/terms`: words of the house, as messages explain them, each with who said so and a link to the message.

use axum::response::Response;
use maud::{Markup, html};
use myao_core::{recall::HouseWordState, text::one_line};
use myao_store::{HouseWordQuery, StoredHouseWord};

use crate::{
    answer::{PageError, page_response},
    layout::{Here, whole_page},
    numbers::digits_in_groups,
    show::message_address,
    visit::Visit,
};

/// How many words the page shows; a part of a word finds the others.
const ON_A_PAGE: usize = 200;

/// `/terms`: `word` is a part of a word or of a meaning to look for.
pub(super) async fn show_house_words(visit: Visit) -> Result<Response, PageError> {
    let title = visit.say("terms-words-of-the-house");
    let store = &visit.site.store;
    let mut words = store.recall().house_words(&visit.view.visibility, &HouseWordQuery::default()).await?;
    let wanted = visit.query.get("word").unwrap_or_default().to_lowercase();
    let holds = |text: &str| text.to_lowercase().contains(&wanted);
    words.retain(|one| one.state == HouseWordState::Stands);
    words.retain(|one| holds(&one.said.said.word) || holds(&one.said.said.meaning));
    let team_url = store.archive().team_url().await?;
    let left_out = words.len().saturating_sub(ON_A_PAGE);
    let main = html! {
        header.head {
            h1 { (title) }
            p.lede { (visit.say("terms-people-explained-them")) }
        }
        div.stack {
            form.fields method="get" action="/terms" {
                div.grow {
                    label for="word" { (visit.say("terms-a-part-of-a-word")) }
                    input type="search" id="word" name="word" value=(visit.query.text("word"));
                }
                @if let Some(place) = &visit.view.place { input type="hidden" name="as" value=(place.id.as_str()); }
                button type="submit" { (visit.say("common-find")) }
            }
            @if words.is_empty() { p.quiet { (visit.say("terms-nobody-explained-one")) } }
            ul.memory.lines {
                @for word in words.iter().take(ON_A_PAGE) { (row_of_word(&visit, word, team_url.as_deref())) }
            }
            @if left_out > 0 { p.quiet { (visit.say_with("terms-and-more-words", &[("number", digits_in_groups(u64::try_from(left_out).unwrap_or(u64::MAX)).into())])) } }
            p.quiet { (visit.say("terms-how-to-end-one")) }
        }
    };
    Ok(page_response(whole_page(&visit, title, &Here::At("/people"), &main)))
}

/// A word with what it means, who said so, where and when.
fn row_of_word(visit: &Visit, word: &StoredHouseWord, team_url: Option<&str>) -> Markup {
    let names = &visit.view.names;
    let message = &word.message;
    let outside = message_address(visit, &message.channel, message.ts, message.thread_ts, team_url);
    let here = || visit.channel_href(&message.channel, &format!("/said/{}", message.ts), &[]);
    let source = outside.unwrap_or_else(here);
    html! {
        li tabindex="-1" data-item {
            span.m {
                a href=(source) rel="noopener noreferrer" { (visit.times().moment(message.ts)) }
            }
            div {
                p dir="auto" { strong { (one_line(&word.said.said.word)) } " = " (one_line(&word.said.said.meaning)) }
                p.quiet { (names.user(&message.user)) " · #" (names.channel(&message.channel)) }
            }
        }
    }
}
