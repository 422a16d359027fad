//! The page of recall, which searches messages and memories.

mod hits;
mod named_offers;
mod offers;
mod query;

use std::collections::{BTreeMap, BTreeSet};

use axum::response::Response;
use jiff::Timestamp;
use maud::{Markup, html};
use myao_companion::found::{self, RecallHit, TypedHits, TypedSearch};
use myao_core::{
    chat::{ChannelId, Message, MessageTs},
    recall::{Highlighter, RecallFilter, RecallQuery},
};
use myao_store::RecalledText;

pub(super) use self::offers::show_offers;
use self::query::{Asked, Unclear};
use crate::{
    answer::{PageError, page_response},
    layout::{Here, whole_live},
    numbers::digits_in_groups,
    visit::Visit,
};

/// The most hits that are shown.
const MOST_HITS: usize = 30;

/// How much talk a search goes through.
struct SearchedTalk {
    messages: u64,
    channels: u64,
}

/// What a search found.
struct RecallAnswer {
    query: RecallQuery,
    found: TypedHits,
    searched: SearchedTalk,
}

/// `/recall`: `q` is the query, besides the fields below it.
pub(super) async fn show_hits(visit: Visit) -> Result<Response, PageError> {
    let title = visit.say("common-recall");
    let asked = Asked::of(&visit);
    let answer = match &asked.text {
        text if text.is_empty() => None,
        text => Some(answer_query(&visit, text).await?),
    };
    let team_url = visit.site.store.archive().team_url().await?;
    let main = html! {
        header.head { h1 { (title) } }
        div.stack {
            (asked.form(&visit))
            div.stack id=(query::FOUND) {
                @match &answer {
                    None => { (query::how_to_ask(&visit)) }
                    Some(Err(unclear)) => {
                        section.note.stack role="status" { p { (unclear.told(&visit)) } }
                        (query::how_to_ask(&visit))
                    }
                    Some(Ok(answer)) if answer.found.hits.is_empty() => { (nothing_found(&visit, &asked, answer)) }
                    Some(Ok(answer)) => { (list_of_hits(&visit, answer, team_url.as_deref())) }
                }
            }
        }
    };
    Ok(page_response(whole_live(&visit, title, &Here::At("/recall"), &main)))
}

async fn answer_query(visit: &Visit, text: &str) -> Result<Result<RecallAnswer, Unclear>, PageError> {
    let site = &visit.site;
    let query = match RecallQuery::parse(text, site.now(), &site.config.locale.timezone) {
        Ok(query) => query,
        Err(error) => return Ok(Err(Unclear::Query(error))),
    };
    let filter = match query::filter_of_query(visit, &query).await? {
        Ok(filter) => filter,
        Err(unclear) => return Ok(Err(unclear)),
    };
    let found = find_hits(visit, &query, filter).await?;
    let searched = searched_talk(visit).await?;
    Ok(Ok(RecallAnswer { query, found, searched }))
}

async fn find_hits(visit: &Visit, query: &RecallQuery, filter: RecallFilter) -> Result<TypedHits, PageError> {
    let site = &visit.site;
    let meaning = match site.asker.as_ref().filter(|asker| asker.embeddings().is_some()) {
        Some(asker) if query.has_terms() => asker.meaning_of(&query.words).await,
        _ => None,
    };
    let search = TypedSearch {
        store: &site.store,
        visibility: &visit.view.visibility,
        query,
        filter,
        meaning,
        most: MOST_HITS,
        with_memories: true,
        each_message: false,
        now: site.now(),
        zone: &site.config.locale.timezone,
    };
    Ok(search.find(|text| hits::words_of_hit(visit, text)).await?)
}

fn list_of_hits(visit: &Visit, answer: &RecallAnswer, team_url: Option<&str>) -> Markup {
    let highlighter = Highlighter::new(&answer.found.words, &answer.query.phrases);
    let (mut lines, mut said): (BTreeMap<&ChannelId, Vec<_>>, Vec<(&Message, &RecallHit)>) =
        Default::default();
    for hit in &answer.found.hits {
        match &hit.text {
            RecalledText::Line(line) => lines.entry(&line.channel).or_default().push(line),
            RecalledText::Message(message) => said.push((message, hit)),
        }
    }
    visit.note_instants(answer.found.hits.iter().filter_map(|hit| instant_of_text(&hit.text)));
    html! {
        @for word in &answer.found.instead {
            p.note role="status" { (found::told_instead(word, visit.language)) }
        }
        @if !lines.is_empty() {
            section.stack aria-labelledby="mem" {
                h2 id="mem" { (visit.say("recall-in-memory")) }
                @for (channel, lines) in &lines { (hits::remembered_lines(visit, channel, lines, &highlighter)) }
            }
        }
        @if !said.is_empty() {
            section.stack aria-labelledby="said" {
                div.row.spread {
                    h2 id="said" { (visit.say("recall-in-what-was-said")) }
                    p.quiet role="status" { (count_in_words(visit, answer, said.len())) }
                }
                ol.stack { @for (message, hit) in &said { (hits::found_message(visit, message, hit, &highlighter, team_url)) } }
            }
        }
        p.quiet { (told_searched(visit, &answer.searched)) }
    }
}

/// When something was said, or the last of what was summed up.
fn instant_of_text(text: &RecalledText) -> Option<Timestamp> {
    match text {
        RecalledText::Message(message) => Some(message.ts.to_timestamp()),
        RecalledText::Line(line) => line.until.map(MessageTs::to_timestamp),
    }
}

fn count_in_words(visit: &Visit, answer: &RecallAnswer, said: usize) -> String {
    let order = if answer.query.has_terms() {
        visit.say("recall-best-first")
    } else {
        visit.say("recall-newest-first")
    };
    let counted = [("said", said.into()), ("order", order.into())];
    if answer.found.has_more {
        visit.say_with("recall-conversations-and-more", &counted)
    } else {
        visit.say_with("recall-conversations", &counted)
    }
}

/// How much talk is searched, by the last count.
async fn searched_talk(visit: &Visit) -> Result<SearchedTalk, PageError> {
    let counted = visit.site.counted().await?;
    let seen: BTreeSet<&ChannelId> = visit.view.channels.iter().map(|channel| &channel.id).collect();
    let messages = counted.coverage.iter().filter(|row| seen.contains(&row.channel)).map(|row| row.messages);
    let channels = u64::try_from(seen.len()).unwrap_or(u64::MAX);
    Ok(SearchedTalk { messages: messages.sum(), channels })
}

/// The sentence that says what was searched.
fn told_searched(visit: &Visit, searched: &SearchedTalk) -> String {
    let messages = ("messages", digits_in_groups(searched.messages).into());
    let channels = ("channels", digits_in_groups(searched.channels).into());
    match &visit.view.place {
        None => visit.say_with("recall-searched-by-owner", &[messages, channels]),
        Some(place) => {
            let place = ("place", format!("#{}", place.name).into());
            visit.say_with("recall-searched-from-place", &[messages, channels, place])
        }
    }
}

/// Says that nothing was found, what was searched, and what to try.
fn nothing_found(visit: &Visit, asked: &Asked, answer: &RecallAnswer) -> Markup {
    let words = answer.query.words.trim();
    let wider = (asked.is_limited() && !words.is_empty()).then(|| visit.href("/recall", &[("q", words)]));
    html! {
        section.stack aria-labelledby="none" {
            h2 id="none" role="status" { (visit.say("recall-nothing-was-found")) }
            p.lede { (told_searched(visit, &answer.searched)) }
            @if let Some(wider) = wider {
                p { a href=(wider) { (visit.say_with("recall-wider", &[("words", words.into())])) } }
            }
            (query::how_to_ask(visit))
        }
    }
}
