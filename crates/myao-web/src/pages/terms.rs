//! `/terms`: words of the house, as messages explain them, each with who said so and a link to the message; and ending a
//! wrong meaning with a form.

use axum::response::Response;
use maud::{Markup, html};
use myao_core::{chat::ChannelId, recall::HouseWordState, text::one_line};
use myao_store::{HouseWordEnd, HouseWordQuery, StoredHouseWord};

use crate::{
    answer::{PageError, PageResult, go_to, page_response},
    layout::{Here, whole_page},
    numbers::digits_in_groups,
    show::message_address,
    visit::Visit,
};

/// How many words the page shows; a part of a word finds the others.
const ON_A_PAGE: usize = 200;

/// `/terms`: `word` is a part of a word or of a meaning to look for; with `ended`, what was ended by hand is shown instead.
pub(super) async fn show_house_words(visit: Visit) -> Result<Response, PageError> {
    let title = visit.say("terms-words-of-the-house");
    let store = &visit.site.store;
    let mut words = store.recall().house_words(&visit.view.visibility, &HouseWordQuery::default()).await?;
    let wanted = visit.query.get("word").unwrap_or_default().to_lowercase();
    let holds = |text: &str| text.to_lowercase().contains(&wanted);
    let shows_ended = visit.query.is_set("ended");
    let wanted_state = if shows_ended { HouseWordState::Ended } else { HouseWordState::Stands };
    let any_ended = words.iter().any(|one| one.state == HouseWordState::Ended);
    words.retain(|one| one.state == wanted_state);
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
            @if words.is_empty() { p.quiet { (visit.say(if shows_ended { "terms-none-is-ended" } else { "terms-nobody-explained-one" })) } }
            ul.memory.lines {
                @for word in words.iter().take(ON_A_PAGE) { (row_of_word(&visit, word, team_url.as_deref())) }
            }
            @if left_out > 0 { p.quiet { (visit.say_with("terms-and-more-words", &[("number", digits_in_groups(u64::try_from(left_out).unwrap_or(u64::MAX)).into())])) } }
            p.quiet { (visit.say("terms-how-to-end-one")) }
            @if shows_ended {
                p { a href=(visit.href("/terms", &[])) { (visit.say("terms-show-what-counts")) } }
            } @else if any_ended {
                p { a href=(visit.href("/terms", &[("ended", "1")])) { (visit.say("terms-show-what-was-ended")) } }
            }
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
                @if visit.may_change() { (form_to_end(visit, word)) }
            }
        }
    }
}

/// The form that ends a meaning, or lets it count again.
fn form_to_end(visit: &Visit, word: &StoredHouseWord) -> Markup {
    let is_ended = word.state == HouseWordState::Ended;
    let told = if is_ended { "terms-let-it-count-again" } else { "terms-it-does-not-mean-this" };
    html! {
        form.row method="post" action="/terms" {
            (visit.form_fields())
            input type="hidden" name="channel" value=(word.message.channel.as_str());
            input type="hidden" name="word" value=(word.said.said.word);
            input type="hidden" name="meaning" value=(word.said.said.meaning);
            @if is_ended { input type="hidden" name="again" value="1"; }
            button.plain type="submit" { (visit.say(told)) }
        }
    }
}

/// Ends a meaning in its channel, or lets it count again.
pub(super) async fn end_from_form(visit: Visit) -> PageResult {
    let channel = ChannelId::new(visit.posted.text("channel"));
    let (word, meaning) = (visit.posted.text("word"), visit.posted.text("meaning"));
    let recall = visit.site.store.recall();
    let query = HouseWordQuery { channel: Some(channel.clone()), word: Some(word.to_owned()) };
    let seen = recall.house_words(&visit.view.visibility, &query).await?;
    if !seen.iter().any(|one| one.said.said.is_meaning(meaning)) {
        return Err(PageError::NotFound);
    }
    let is_again = visit.posted.is_set("again");
    let end = if is_again { HouseWordEnd::TakenBack } else { HouseWordEnd::Ended };
    recall.end_house_word(&channel, word, meaning, end, visit.site.now()).await?;
    Ok(go_to(&visit.href("/terms", if is_again { &[("ended", "1")] } else { &[] })))
}
