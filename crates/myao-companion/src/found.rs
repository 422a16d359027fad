//! Searches for what people type, and prepares what was found for them: one message of each thread, and nothing twice.

use std::collections::{BTreeMap, BTreeSet};

use async_recursion::async_recursion as boxed;
use jiff::{Timestamp, civil::Date, tz::TimeZone};
use myao_core::{
    chat::{ChannelId, MessageTs, UserId, Visibility},
    recall::{RecallFilter, RecallQuery},
    text::{Language, one_line, phrase_with},
};
use myao_store::{QuestionVector, RecallRequest, Recalled, RecalledText, Store, StoreError, WordInstead};
use serde_json::json;

/// How many messages and lines are fetched for each hit that is shown, so that hits of one thread can be merged into
/// one.
const FETCHED_FOR_EACH: usize = 5;

/// A hit that is shown.
#[derive(Clone, Debug)]
pub struct RecallHit {
    /// The message or the line of a memory.
    pub text: RecalledText,
    /// How well it fits; `None` if only the newest were looked for.
    pub score: Option<f64>,
    /// The words asked for that it holds, folded.
    pub terms: Vec<String>,
    /// How many others of its thread were found.
    pub more: usize,
    /// Of a message the day (UTC) on which somebody put right what it says.
    pub replaced_on: Option<Date>,
}

impl RecallHit {
    /// The day since which what it says no longer holds, as far as is known.
    pub fn ended_on(&self) -> Option<Date> {
        match &self.text {
            RecalledText::Line(line) => line.ended,
            RecalledText::Message(_) => self.replaced_on,
        }
    }
}

impl From<Recalled> for RecallHit {
    fn from(found: Recalled) -> Self {
        Self {
            text: found.text,
            score: Some(found.score),
            terms: found.terms,
            more: 0,
            replaced_on: found.replaced_on,
        }
    }
}

/// A name in a query that means nobody, or nothing that is seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnmeantName {
    /// Nobody is called so.
    Person(String),
    /// No channel that is seen is called so. One that is not seen is treated like one that does not exist.
    Channel(String),
}

/// The filter of a query, with its names resolved to people, and to channels that `visibility` sees.
///
/// # Errors
/// When the database fails; inside, the first name that means nothing.
#[boxed]
pub async fn filter_of_query(
    store: &Store,
    visibility: &Visibility,
    query: &RecallQuery,
) -> Result<Result<RecallFilter, UnmeantName>, StoreError> {
    let mut users: BTreeSet<UserId> = BTreeSet::new();
    if !query.from.is_empty() {
        let people = store.recall().named_people().await?;
        for name in &query.from {
            let meant = people.with_name(name);
            if meant.is_empty() {
                return Ok(Err(UnmeantName::Person(name.clone())));
            }
            users.extend(meant.into_iter().map(|user| user.id.clone()));
        }
    }
    let mut channels: BTreeSet<ChannelId> = BTreeSet::new();
    for name in &query.channels {
        let called = store.archive().channels_named(name.trim().trim_start_matches(['#', '＃'])).await?;
        let ids = called.into_iter().map(|channel| channel.id).collect();
        let seen = store.hearing().seen_among(visibility, ids).await?;
        if seen.is_empty() {
            return Ok(Err(UnmeantName::Channel(name.clone())));
        }
        channels.extend(seen);
    }
    Ok(Ok(query.filter(users.into_iter().collect(), channels.into_iter().collect())))
}

/// A search for what somebody typed.
pub struct TypedSearch<'a> {
    /// The database.
    pub store: &'a Store,
    /// What may be shown.
    pub visibility: &'a Visibility,
    /// The query.
    pub query: &'a RecallQuery,
    /// Its filter, with the names resolved.
    pub filter: RecallFilter,
    /// What its words mean, if a model of embeddings is configured.
    pub meaning: Option<QuestionVector>,
    /// The most hits.
    pub most: usize,
    /// Whether memories are searched as well as messages.
    pub with_memories: bool,
    /// Whether each message stands by itself, instead of the best one of its thread.
    pub each_message: bool,
    /// The time.
    pub now: Timestamp,
    /// The zone of days that the words name.
    pub zone: &'a TimeZone,
}

/// What it found.
#[derive(Clone, Debug)]
pub struct TypedHits {
    /// The hits: if the query has words, the best first, else the newest.
    pub hits: Vec<RecallHit>,
    /// Whether there are more.
    pub has_more: bool,
    /// The words that were looked for.
    pub words: String,
    /// In whose place others were looked for.
    pub instead: Vec<WordInstead>,
}

impl TypedSearch<'_> {
    /// Searches. `shown` gives the words of a hit as they are shown.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn find(self, shown: impl Fn(&RecalledText) -> String) -> Result<TypedHits, StoreError> {
        let recall = self.store.recall();
        let mut words = self.query.words.clone();
        let mut instead = Vec::new();
        let mut hits: Vec<RecallHit> = if self.query.has_terms() {
            let request = RecallRequest {
                words: words.clone(),
                filter: self.filter,
                most: self.most.saturating_mul(FETCHED_FOR_EACH),
                with_memories: self.with_memories,
                now: MessageTs::from_timestamp(self.now),
                meaning: self.meaning,
                named_in: Some(self.zone.clone()),
            };
            let recalled = recall.search_typed_words(self.visibility, &request).await?;
            (words, instead) = (recalled.words, recalled.instead);
            let hits = without_copies(telling_hits(recalled.found), shown);
            if self.each_message { hits } else { by_thread(hits) }
        } else {
            let most = self.most.saturating_add(1);
            let newest = recall.newest_messages(self.visibility, &self.filter, most).await?;
            newest.into_iter().map(|found| RecallHit { score: None, ..RecallHit::from(found) }).collect()
        };
        let has_more = hits.len() > self.most;
        hits.truncate(self.most);
        Ok(TypedHits { hits, has_more, words, instead })
    }
}

/// The hits of a search for words. Those that hold none of the words, but only letters that one of the words happens to
/// share with another, are left out: somebody who reads the list takes it for an answer.
pub fn telling_hits(found: Vec<Recalled>) -> Vec<RecallHit> {
    found.into_iter().filter(|found| !found.is_incidental).map(RecallHit::from).collect()
}

/// Drops the lines of memories that only repeat a message that was found as well: a chapter of a few messages is kept
/// word for word. `shown` gives the words of a hit as they are shown.
pub fn without_copies(mut hits: Vec<RecallHit>, shown: impl Fn(&RecalledText) -> String) -> Vec<RecallHit> {
    let words = |text: &RecalledText| one_line(&shown(text));
    let is_message = |hit: &&RecallHit| matches!(hit.text, RecalledText::Message(_));
    let messages = hits.iter().filter(is_message);
    let said: Vec<(ChannelId, String)> =
        messages.map(|hit| (hit.text.channel().clone(), words(&hit.text))).collect();
    hits.retain(|hit| match &hit.text {
        RecalledText::Message(_) => true,
        RecalledText::Line(line) => {
            let line_words = words(&hit.text);
            // Before the colon stand a date and a name.
            let body = line_words.split_once(": ").map_or(line_words.as_str(), |(_, body)| body);
            let mut of_channel = said.iter().filter(|(channel, _)| *channel == line.channel);
            !of_channel.any(|(_, text)| !text.is_empty() && (text.contains(body) || body.contains(text)))
        }
    });
    hits
}

/// Keeps the best hit of each thread, with the number of the others.
pub fn by_thread(hits: Vec<RecallHit>) -> Vec<RecallHit> {
    let mut kept: Vec<RecallHit> = Vec::new();
    let mut places: BTreeMap<(ChannelId, MessageTs), usize> = BTreeMap::new();
    for hit in hits {
        if let RecalledText::Message(message) = &hit.text {
            let thread = (message.channel.clone(), message.thread());
            if let Some(best) = places.get(&thread).and_then(|at| kept.get_mut(*at)) {
                best.more += 1;
                continue;
            }
            places.insert(thread, kept.len());
        }
        kept.push(hit);
    }
    kept
}

/// The sentence that says in whose place other words are shown: "Nothing says `defualt`; shown is `default`."
pub fn told_instead(instead: &WordInstead, language: Language) -> String {
    let values = json!({ "typed": instead.typed, "shown": instead.shown });
    phrase_with(language, "recall-shown-instead", &values)
}
