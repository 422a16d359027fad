//! The query of recall: its words, and the fields below them.

use maud::{Markup, html};
use myao_core::{
    chat::UserId,
    recall::{QueryError, RecallFilter, RecallQuery},
};

use crate::{answer::PageError, visit::Visit};

/// The id of the part of the page that holds what was found.
pub(super) const FOUND: &str = "found";
/// The most characters of a query.
pub(super) const LIMIT: usize = 400;

/// A query as it came from the form.
pub(super) struct Asked {
    /// The whole query, with the fields as filters.
    pub(super) text: String,
    /// The words as they were typed.
    typed: String,
}

/// Why a query cannot be answered.
pub(super) enum Unclear {
    Query(QueryError),
    Nobody(String),
    NoChannel(String),
}

impl Asked {
    pub(super) fn of(visit: &Visit) -> Self {
        let typed: String = visit.query.text("q").chars().take(LIMIT).collect();
        let mut text = typed.trim().to_owned();
        for (field, filter) in [("from", "from"), ("in", "in"), ("after", "since"), ("before", "before")] {
            if let Some(value) = visit.query.get(field) {
                let value: String = value.chars().filter(|c| *c != '"').take(LIMIT).collect();
                text.extend([" ", filter, ":\"", &value, "\""]);
            }
        }
        for has in ["link", "file"] {
            if visit.query.is_set(has) {
                text.extend([" has:", has]);
            }
        }
        Self { text: text.trim().to_owned(), typed }
    }

    /// Whether the query has filters besides words.
    pub(super) fn is_limited(&self) -> bool {
        self.text != self.typed.trim() || self.text.contains(':')
    }

    pub(super) fn form(&self, visit: &Visit) -> Markup {
        let field = |name: &'static str, label: &'static str, kind: &'static str| {
            html! {
                div.field {
                    label for=(format!("f-{name}")) { (label) }
                    input id=(format!("f-{name}")) name=(name) type=(kind) value=(visit.query.text(name));
                }
            }
        };
        let tick = |name: &'static str, label: &'static str| {
            html! {
                div.choice {
                    input type="checkbox" id=(format!("f-{name}")) name=(name) value="1" checked[visit.query.is_set(name)];
                    label for=(format!("f-{name}")) { (label) }
                }
            }
        };
        html! {
            // Where scripts run, the hits change while somebody types. The form is not replaced, so the cursor stays
            // where it is.
            form.stack method="get" action="/recall" hx-get="/recall" hx-trigger="input delay:250ms" hx-sync="this:replace"
                hx-target=(format!("#{FOUND}")) hx-select=(format!("#{FOUND}")) hx-swap="outerHTML" {
                div.fields {
                    div.grow {
                        label for="rq" { (visit.say("recall-what-are-you-looking-for")) }
                        input type="search" id="rq" name="q" maxlength=(LIMIT) value=(self.typed);
                    }
                    button.go type="submit" { (visit.say("common-recall")) }
                }
                div.fields {
                    (field("from", visit.say("recall-said-by"), "text"))
                    (field("in", visit.say("recall-in-channel"), "text"))
                    (field("after", visit.say("recall-since"), "date"))
                    (field("before", visit.say("recall-before"), "date"))
                    (tick("link", visit.say("recall-has-a-link")))
                    (tick("file", visit.say("recall-has-a-file")))
                }
                @if let Some(place) = &visit.view.place { input type="hidden" name="as" value=(place.id.as_str()); }
            }
        }
    }
}

impl Unclear {
    pub(super) fn told(&self, visit: &Visit) -> String {
        match self {
            Self::Query(error) => {
                visit.say_with("recall-not-looked-for", &[("error", error.to_string().into())])
            }
            Self::Nobody(name) => visit.say_with("recall-nobody-called", &[("name", name.into())]),
            Self::NoChannel(name) => visit.say_with("recall-no-channel", &[("name", name.into())]),
        }
    }
}

/// The filter of a query, with its names resolved to people and channels. A channel that the visitor does not see
/// counts as one that does not exist.
pub(super) async fn filter_of_query(
    visit: &Visit,
    query: &RecallQuery,
) -> Result<Result<RecallFilter, Unclear>, PageError> {
    let mut users: Vec<UserId> = Vec::new();
    if !query.from.is_empty() {
        let people = visit.site.store.recall().named_people().await?;
        for name in &query.from {
            let meant = people.with_name(name);
            if meant.is_empty() {
                return Ok(Err(Unclear::Nobody(name.clone())));
            }
            users.extend(meant.into_iter().map(|user| user.id.clone()));
        }
    }
    users.sort();
    users.dedup();
    let mut channels = Vec::new();
    for name in &query.channels {
        let bare = name.strip_prefix(['#', '＃']).unwrap_or(name);
        let seen = &visit.view.channels;
        let meant = seen.iter().filter(|channel| channel.name == bare || channel.id.as_str() == bare);
        let meant: Vec<_> = meant.map(|channel| channel.id.clone()).collect();
        if meant.is_empty() {
            return Ok(Err(Unclear::NoChannel(name.clone())));
        }
        channels.extend(meant);
    }
    Ok(Ok(query.filter(users, channels)))
}

/// Explains how a query is written.
pub(super) fn how_to_ask(visit: &Visit) -> Markup {
    html! {
        section.stack aria-labelledby="how" {
            h2 id="how" { (visit.say("recall-how-to-ask")) }
            dl.facts {
                dt { code { (visit.say("recall-from-noor")) } } dd { (visit.say("recall-what-noor-said")) }
                dt { code { (visit.say("recall-in-dev")) } } dd { (visit.say("recall-in-one-channel")) }
                dt { code { "after:2026-03-10" } } dd { (visit.say("recall-after-that-day-before-since")) }
                dt { code { "has:file" } } dd { (visit.say("recall-with-a-file-or-has")) }
                dt { code { (visit.say("recall-wet-slap")) } } dd { (visit.say("recall-these-words-in-one-piece")) }
            }
            p.quiet { (visit.say("recall-recall-finds-words-and-their")) }
        }
    }
}
