//! The terms of forgotten messages, and which of them show that a text was made from these messages (ADR 89).
//!
//! A term shows it only if a person said it, nobody else says it, it is no name of anybody else and no way of our own to
//! write. What we wrote before anybody said it is ours.

use std::collections::{BTreeMap, BTreeSet};

use myao_core::{
    chat::{ChannelId, Message, Own, UserId},
    memory::can_tell,
    text::{key_of_term, terms_of_text},
};

use super::{
    targets::{self, ForgetTarget},
    texts::SuspectedText,
};
use crate::{
    StoreError,
    archive::team,
    db::{Tx, query_as},
    recall::word_counts::{self, counted::terms_of_message},
};

/// How far our clock and the platform's may be apart, in microseconds: a text counts as made before a message only if it
/// is older by more.
const CLOCKS_APART: i64 = 3_600_000_000;

/// Messages read in one query where words are not counted yet.
const LOOKED_AT: i64 = 2_000;

/// What forgotten messages said, by the keys of the terms.
#[derive(Clone, Debug, Default)]
pub(super) struct SaidTerms(pub(super) BTreeMap<i64, SaidTerm>);

/// How often and since when forgotten messages say a term.
#[derive(Clone, Copy, Debug)]
pub(super) struct SaidTerm {
    /// Messages that hold it, those of bots included.
    messages: i64,
    /// When a person first said it, in microseconds; `i64::MAX` if only bots did.
    pub(super) since: i64,
    /// When anybody first said it, in microseconds.
    pub(super) first: i64,
    /// The lowest revision of a message that holds it.
    pub(super) revision: i64,
}

/// Who is no person: we ourselves, and bots.
#[derive(Clone, Debug, Default)]
pub(super) struct NoPersons {
    own: Option<Own>,
    bots: BTreeSet<UserId>,
}

impl NoPersons {
    pub(super) async fn read(tx: &mut Tx) -> Result<Self, StoreError> {
        let own = team::own_identity(&mut *tx).await?;
        let bots: Vec<(String,)> = on!(tx, c => query_as("SELECT id FROM users WHERE is_bot = 1")
            .fetch_all(c).await)?;
        Ok(Self { own, bots: bots.into_iter().map(|(id,)| UserId::new(id)).collect() })
    }

    /// Whether we said it: our words are not counted.
    pub(super) fn are_us(&self, user: &UserId) -> bool {
        self.own.as_ref().is_some_and(|own| own.is(user))
    }
}

impl SaidTerms {
    /// Adds those terms of a message that `is_wanted`. Our own words are nobody's.
    pub(super) fn add(&mut self, target: &ForgetTarget, no_persons: &NoPersons, is_wanted: fn(&str) -> bool) {
        let ForgetTarget { message, revision, is_expired } = target;
        if *is_expired || !message.is_talk() || no_persons.are_us(&message.user) {
            return;
        }
        let first = message.ts.as_micros();
        let since = if no_persons.bots.contains(&message.user) { i64::MAX } else { first };
        for term in terms_of_message(&message.text, &message.files).iter().filter(|term| is_wanted(term)) {
            let of_term = self.0.entry(key_of_term(term)).or_insert(SaidTerm {
                messages: 0,
                since: i64::MAX,
                first: i64::MAX,
                revision: i64::MAX,
            });
            of_term.messages += 1;
            of_term.since = of_term.since.min(since);
            of_term.first = of_term.first.min(first);
            of_term.revision = of_term.revision.min(*revision);
        }
    }

    /// Only the terms of a message that can tell, as they are kept until every text was searched.
    pub(super) fn telling_of(message: &Message, no_persons: &NoPersons) -> BTreeMap<i64, i64> {
        if !message.is_talk() || no_persons.are_us(&message.user) || no_persons.bots.contains(&message.user) {
            return BTreeMap::new();
        }
        let terms = terms_of_message(&message.text, &message.files);
        let telling = terms.iter().filter(|term| can_tell(term));
        telling.map(|term| (key_of_term(term), message.ts.as_micros())).collect()
    }

    /// The terms that nobody else says, in a channel or anywhere. `gone` are the messages that would go, by channel, with
    /// their times in order.
    pub(super) async fn only_theirs(
        &self,
        tx: &mut Tx,
        channel: Option<&ChannelId>,
        gone: &BTreeMap<ChannelId, Vec<i64>>,
    ) -> Result<BTreeSet<i64>, StoreError> {
        let asked: BTreeSet<i64> = self.0.keys().copied().collect();
        if word_counts::has_uncounted(tx).await? {
            return unsaid_by_others(tx, asked, channel, gone).await;
        }
        let counts = word_counts::messages_with(tx, channel, &asked).await?;
        let is_theirs = |key: &i64, said: &SaidTerm| counts.get(key).is_none_or(|all| *all <= said.messages);
        Ok(self.0.iter().filter(|(key, said)| is_theirs(key, said)).map(|(key, _)| *key).collect())
    }
}

/// The terms that stand in no message but those that would go, found by reading the messages.
async fn unsaid_by_others(
    tx: &mut Tx,
    mut left: BTreeSet<i64>,
    channel: Option<&ChannelId>,
    gone: &BTreeMap<ChannelId, Vec<i64>>,
) -> Result<BTreeSet<i64>, StoreError> {
    let no_persons = NoPersons::read(tx).await?;
    let scope = targets::everything_in(channel);
    let mut after = None;
    while !left.is_empty() {
        let page = targets::next_in_scope(tx, &scope, after.as_ref(), LOOKED_AT).await?;
        let Some(last) = page.last() else { break };
        after = Some((last.message.channel.clone(), last.message.ts));
        for ForgetTarget { message, is_expired, .. } in page {
            let goes = |times: &Vec<i64>| times.binary_search(&message.ts.as_micros()).is_ok();
            let counts = message.is_talk() && !is_expired && !no_persons.are_us(&message.user);
            if counts && !gone.get(&message.channel).is_some_and(goes) {
                for term in terms_of_message(&message.text, &message.files) {
                    left.remove(&key_of_term(&term));
                }
            }
        }
    }
    Ok(left)
}

/// Takes out the terms that are our way to write: names, since we write who said something and where, and what a model
/// once made up. The names of the person who is forgotten are left in.
pub(super) async fn without_ours(
    tx: &mut Tx,
    telling: &mut BTreeMap<i64, i64>,
    forgotten: Option<&UserId>,
) -> Result<(), StoreError> {
    if telling.is_empty() {
        return Ok(());
    }
    let names: Vec<(String,)> = on!(&mut *tx, c => query_as(
        "SELECT called FROM users WHERE id <> $1 UNION SELECT called FROM former_names WHERE user_id <> $1
         UNION SELECT called FROM channels WHERE kind <> 'dm'")
        .bind(forgotten.map_or("", UserId::as_str)).fetch_all(c).await)?;
    for term in names.iter().flat_map(|(name,)| terms_of_text(name)) {
        telling.remove(&key_of_term(&term));
    }
    let asked: BTreeSet<i64> = telling.keys().copied().collect();
    for (term,) in word_counts::terms_of_models(tx, &asked).await? {
        telling.remove(&term);
    }
    Ok(())
}

/// The texts that go: those marked by the words or the name, and those that hold a term which no text of ours held before
/// it was said.
pub(super) fn texts_that_go(found: Vec<SuspectedText>, since: &BTreeMap<i64, i64>) -> Vec<SuspectedText> {
    let was_before = |text: &SuspectedText, term: &i64| {
        since.get(term).is_some_and(|since| text.at.saturating_add(CLOCKS_APART) < *since)
    };
    let ours: BTreeSet<i64> = found
        .iter()
        .flat_map(|text| text.terms.iter().filter(|term| was_before(text, term)))
        .copied()
        .collect();
    let goes = |text: &SuspectedText| text.is_sure || text.terms.iter().any(|term| !ours.contains(term));
    found.into_iter().filter(goes).collect()
}
