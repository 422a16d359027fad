//! What is offered below the search field while somebody types: channels, people, memories, messages. Each is found as the
//! page of recall finds it, through the same visibility, but for meaning: no model is asked at a keystroke.

use axum::response::Response;
use maud::{Markup, html};
use myao_companion::found::{self, RecallHit};
use myao_core::{
    chat::{Channel, MessageTs, UserId},
    memory::MemoryType,
    recall::{Highlighter, RecallFilter, RecallQuery},
    wording::{MESSAGE_LIMIT, TalkFormat, messages_as_lines},
};
use myao_store::{MemoryLine, RecallRequest, RecalledText};

use super::{named_offers::best_named, query};
use crate::{
    answer::{PageError, page_response},
    numbers::digits_in_groups,
    room_links,
    show::{words_found_in_line, words_without_marks},
    visit::{Visit, escape_path_part},
};

/// The most offers of a kind.
const MOST_OF_A_KIND: usize = 4;
/// How many messages and lines are fetched, so that there are enough where several belong to one thread.
const LOOKED_AT: usize = 30;
/// The most columns of an offer.
const COLUMNS: usize = 90;

/// One offer.
struct SearchOffer {
    address: String,
    words: Markup,
    /// Where and when it was said.
    place: Option<Markup>,
}

/// Offers of one kind.
struct OfferGroup {
    /// The key of its name.
    name: &'static str,
    offers: Vec<SearchOffer>,
}

/// `/recall/offers`: `q` is what was typed so far. A part of a page: the options of a list.
pub(in crate::pages) async fn show_offers(visit: Visit) -> Result<Response, PageError> {
    let typed: String = visit.query.text("q").chars().take(query::LIMIT).collect();
    let typed = typed.trim();
    let site = &visit.site;
    let query = RecallQuery::parse(typed, site.now(), &site.config.locale.timezone).ok();
    // After `in:` and `from:`, a name is being typed. What is too little for a search may be the beginning of one.
    let words = query.as_ref().map_or(typed, |query| query.words.as_str());
    let of_channel = query.as_ref().and_then(|query| query.channels.last()).map_or(words, String::as_str);
    let of_person = query.as_ref().and_then(|query| query.from.last()).map_or(words, String::as_str);
    let mut groups = vec![
        OfferGroup { name: "common-channels", offers: channels_offered(&visit, of_channel) },
        OfferGroup { name: "common-people", offers: people_offered(&visit, of_person) },
    ];
    let mut meant = None;
    if let Some(query) = query.filter(RecallQuery::has_terms)
        && let Ok(filter) = query::filter_of_query(&visit, &query).await?
    {
        meant = add_texts(&visit, &query, filter, &mut groups).await?;
    }
    groups.retain(|group| !group.offers.is_empty());
    Ok(page_response(list_of_offers(&visit, typed, meant.as_deref(), &groups)))
}

fn channels_offered(visit: &Visit, typed: &str) -> Vec<SearchOffer> {
    let named = visit.view.channels.iter().map(|channel| (channel, channel.name.as_str())).collect();
    let offer = |channel: &Channel| SearchOffer {
        address: visit.channel_href(&channel.id, "", &[]),
        words: html! { "# " (channel.name) },
        place: None,
    };
    best_named(typed, named, MOST_OF_A_KIND).into_iter().map(offer).collect()
}

fn people_offered(visit: &Visit, typed: &str) -> Vec<SearchOffer> {
    let offer = |id: &UserId| SearchOffer {
        address: visit.href(&format!("/people/{}", escape_path_part(id.as_str())), &[]),
        words: html! { (visit.view.names.user(id)) },
        place: None,
    };
    best_named(typed, visit.view.names.users().collect(), MOST_OF_A_KIND).into_iter().map(offer).collect()
}

/// Adds what is remembered and what was said. Returns the words that were looked for, if others were typed that nothing
/// says.
async fn add_texts(
    visit: &Visit,
    query: &RecallQuery,
    filter: RecallFilter,
    groups: &mut Vec<OfferGroup>,
) -> Result<Option<String>, PageError> {
    let site = &visit.site;
    let request = RecallRequest {
        words: query.words.clone(),
        filter,
        most: LOOKED_AT,
        with_memories: true,
        now: MessageTs::from_timestamp(site.now()),
        meaning: None,
        named_in: Some(site.config.locale.timezone.clone()),
    };
    let recalled = site.store.recall().search_typed_words(&visit.view.visibility, &request).await?;
    let hits = found::telling_hits(recalled.found);
    let hits = found::by_thread(found::without_copies(hits, |text| super::hits::words_of_hit(visit, text)));
    let highlighter = Highlighter::new(&recalled.words, &query.phrases);
    visit.note_instants(hits.iter().filter_map(|hit| super::instant_of_text(&hit.text)));
    let mut remembered = Vec::new();
    let mut said = Vec::new();
    for RecallHit { text, .. } in &hits {
        match text {
            RecalledText::Line(line) if remembered.len() < MOST_OF_A_KIND => {
                remembered.push(line_offered(visit, line, &highlighter));
            }
            RecalledText::Message(_) if said.len() < MOST_OF_A_KIND => {
                said.extend(message_offered(visit, text, &highlighter));
            }
            RecalledText::Line(_) | RecalledText::Message(_) => {}
        }
    }
    groups.push(OfferGroup { name: "recall-in-memory", offers: remembered });
    groups.push(OfferGroup { name: "recall-in-what-was-said", offers: said });
    Ok((!recalled.instead.is_empty()).then_some(recalled.words))
}

fn line_offered(visit: &Visit, line: &MemoryLine, highlighter: &Highlighter) -> SearchOffer {
    let address = match line.memory_type {
        MemoryType::LongTerm => visit.channel_href(&line.channel, "/why", &[("words", &line.text)]),
        MemoryType::ShortTerm => {
            visit.channel_href(&line.channel, &format!("/chapter/{}", line.version), &[])
        }
    };
    let place = html! {
        "#" (visit.view.names.channel(&line.channel))
        @if let Some(until) = line.until { " · " (visit.times().day_said(until)) }
    };
    let words = visit.view.names.show(&line.text);
    SearchOffer { address, words: words_offered(&words, highlighter), place: Some(place) }
}

fn message_offered(visit: &Visit, text: &RecalledText, highlighter: &Highlighter) -> Option<SearchOffer> {
    let RecalledText::Message(message) = text else { return None };
    let zone = &visit.site.config.locale.timezone;
    let format =
        TalkFormat { names: &visit.view.names, zone, language: visit.language, limit: MESSAGE_LIMIT };
    let line = messages_as_lines([message], &format).into_iter().next()?;
    // What a place of the local workspace sees stands in its talk.
    let address = if visit.site.has_room() && visit.view.place.is_some() {
        room_links::message_address(&message.channel, message.ts)
    } else {
        visit.channel_href(&message.channel, &format!("/said/{}", message.ts), &[])
    };
    let words = html! { b { (line.name) } " " (words_offered(&line.text, highlighter)) };
    let place =
        html! { "#" (visit.view.names.channel(&message.channel)) " · " (visit.times().day_said(message.ts)) };
    Some(SearchOffer { address, words, place: Some(place) })
}

fn words_offered(text: &str, highlighter: &Highlighter) -> Markup {
    let snippet = highlighter.snippet(&words_without_marks(text), COLUMNS);
    words_found_in_line(&snippet.text, &snippet.marks)
}

/// The options: those of each kind, and the way to everything that was found.
fn list_of_offers(visit: &Visit, typed: &str, meant: Option<&str>, groups: &[OfferGroup]) -> Markup {
    let number: usize = groups.iter().map(|group| group.offers.len()).sum();
    let shown = digits_in_groups(u64::try_from(number).unwrap_or(u64::MAX));
    let told = match (number, meant) {
        (0, _) => visit.say("recall-nothing-was-found").to_owned(),
        (_, Some(meant)) => visit.say_with("recall-offers-meant", &[("words", meant.into())]),
        (_, None) => visit.say_with("recall-offers", &[("number", number.into()), ("shown", shown.into())]),
    };
    let mut nth = 0;
    let mut next_id = || {
        nth += 1;
        format!("offer{nth}")
    };
    html! {
        @if let Some(meant) = meant {
            a.meant role="option" id=(next_id()) tabindex="-1" href=(visit.href("/recall", &[("q", meant)])) {
                (visit.say_with("recall-did-you-mean", &[("words", meant.into())]))
            }
        }
        @for group in groups {
            div role="group" aria-label=(visit.say(group.name)) {
                span.quiet aria-hidden="true" { (visit.say(group.name)) }
                @for offer in &group.offers {
                    a role="option" id=(next_id()) tabindex="-1" href=(offer.address) {
                        span dir="auto" { (offer.words) }
                        @if let Some(place) = &offer.place { " " small { (place) } }
                    }
                }
            }
        }
        a.all role="option" id=(next_id()) tabindex="-1" href=(visit.href("/recall", &[("q", typed)])) data-told=(told) {
            (visit.say_with("recall-all-that-fits", &[("words", typed.into())]))
        }
    }
}
