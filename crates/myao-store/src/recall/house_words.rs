//! Words of the house, as messages explain them (ADR 137). Nothing of them is stored but hashes in the index: words and
//! meanings are read in the messages that say them, as these stand, through a visibility.

use std::collections::{BTreeMap, BTreeSet};

use async_recursion::async_recursion as boxed;
use myao_core::{
    chat::{ChannelId, Message, MessageTs, UserId, Visibility},
    recall::{
        HouseWord, HouseWordState, IndexTerm, RecallFilter, SaidHouseWord, house_words_in,
        index_terms_of_question, question_in_other_words, states_of_house_words,
    },
};

use super::{
    address,
    apart::{self, TermScope},
    house_word_ends,
    postings::{self, TermLookup, TermPlan, Wanted},
    request::Recalled,
    texts::{self, RecalledText},
};
use crate::{
    RecallHandle, StoreError,
    archive::team,
    db::{Tx, query_as, values::rows_from_json},
    hearing::{opt_outs, visible::VisibilityBinds},
};

/// The most messages that are read for the words of a question.
const MOST_EXPLANATIONS: usize = 200;
/// The most messages that are read to list words.
const MOST_LISTED: usize = 2_000;
/// The most messages that a question brings along because they explain its words.
const MOST_BROUGHT: usize = 4;
/// The score of these, as a share of the best of what was found.
const SCORE_OF_EXPLANATION: f64 = 0.9;

/// Which words are asked for.
#[derive(Clone, Debug, Default)]
pub struct HouseWordQuery {
    /// Only those of this channel.
    pub channel: Option<ChannelId>,
    /// Only those that are this word or mean it.
    pub word: Option<String>,
}

/// A word of the house, with the message that explains it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct StoredHouseWord {
    /// What the message says.
    pub said: SaidHouseWord,
    /// The message.
    pub message: Message,
    /// Whether it counts.
    pub state: HouseWordState,
}

/// A word of a question, as a message explains it that counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BearingHouseWord {
    /// Where it was said.
    pub channel: ChannelId,
    /// When.
    pub ts: MessageTs,
    /// The word and its meaning.
    pub word: HouseWord,
    /// Whether the question is also asked in these words. It is not where other places mean something else by them.
    pub is_asked_too: bool,
}

/// What messages explain of the words of a question.
#[derive(Debug, Default)]
pub(super) struct HouseWordsOfQuestion {
    /// The words.
    pub(super) words: Vec<BearingHouseWord>,
    /// The messages that explain them, the newest first.
    explanations: Vec<Message>,
    /// The question in the words that these mean.
    pub(super) other_questions: Vec<String>,
}

impl RecallHandle<'_> {
    /// The words of the house that `visibility` shows, by word, of one word the later one first; the newest 2,000
    /// messages are read.
    #[boxed]
    pub async fn house_words(
        &self,
        visibility: &Visibility,
        query: &HouseWordQuery,
    ) -> Result<Vec<StoredHouseWord>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let seen = self.store.hearing().visibility_binds(visibility);
        let wanted = Wanted::default().and(vec![IndexTerm::of_house_words()]);
        let lookup = match &query.channel {
            None => everywhere(wanted, apart::seen_from(&mut tx, &seen).await?),
            Some(channel) => {
                let Some(placed) = apart::find_placed_channel(&mut tx, &seen, channel).await? else {
                    return Ok(Vec::new());
                };
                let (from, to) = address::of_channel(placed.number);
                TermLookup { wanted, scope: placed.scope(), from, to, plan: TermPlan::Rare }
            }
        };
        let sought = ExplanationSearch { lookup, most: MOST_LISTED, before: None };
        let mut words = read_explained(&mut tx, &seen, sought).await?;
        if let Some(word) = &query.word {
            words.retain(|one| one.said.said.is_word(word) || one.said.said.is_meaning(word));
        }
        let later_first = |a: &StoredHouseWord, b: &StoredHouseWord| {
            let letters = |one: &StoredHouseWord| one.said.said.word.to_lowercase();
            letters(a).cmp(&letters(b)).then_with(|| b.message.ts.cmp(&a.message.ts))
        };
        words.sort_by(later_first);
        Ok(words)
    }
}

fn everywhere(wanted: Wanted, scope: TermScope) -> TermLookup {
    let (from, to) = address::ALL;
    TermLookup { wanted, scope, from, to, plan: TermPlan::Rare }
}

/// What messages explain of the words of a question, looked up where the question is: one statement if nothing does.
#[boxed]
pub(super) async fn words_of_question(
    tx: &mut Tx,
    seen: &VisibilityBinds,
    scope: &TermScope,
    (words, filter): (&str, &RecallFilter),
) -> Result<HouseWordsOfQuestion, StoreError> {
    let terms = index_terms_of_question(words);
    if terms.is_empty() {
        return Ok(HouseWordsOfQuestion::default());
    }
    let lookup = everywhere(Wanted::default().and(terms), scope.clone());
    let sought = ExplanationSearch { lookup, most: MOST_EXPLANATIONS, before: filter.before };
    let mut explained = read_explained(tx, seen, sought).await?;
    explained.retain(|one| one.state == HouseWordState::Stands);
    let bears = |one: &StoredHouseWord| {
        let HouseWord { word, meaning, .. } = &one.said.said;
        !question_in_other_words(words, [(word.as_str(), meaning.as_str())]).is_empty()
    };
    explained.retain(bears);
    explained.sort_by_key(|one| std::cmp::Reverse(one.message.ts));
    Ok(HouseWordsOfQuestion::of(&explained, &ChannelId::new(seen.own.clone()), words))
}

impl HouseWordsOfQuestion {
    /// Of what was explained, the newest first, for a question in a place. What the place itself says of a word goes before
    /// what others say of it; where others differ, the question is not asked in their words.
    fn of(explained: &[StoredHouseWord], place: &ChannelId, question: &str) -> Self {
        let mut words: Vec<BearingHouseWord> = Vec::new();
        let mut explanations: Vec<Message> = Vec::new();
        let own = |one: &StoredHouseWord| one.message.channel == *place;
        for one in explained {
            let rivals = || explained.iter().filter(|other| other.said.said.is_same_word(&one.said.said));
            if !own(one) && rivals().any(own) {
                continue;
            }
            let is_known = |word: &BearingHouseWord| {
                word.channel == one.message.channel && word.word.is_same_pair(&one.said.said)
            };
            if words.iter().any(is_known) || words.len() >= MOST_BROUGHT {
                continue;
            }
            let differs = |other: &StoredHouseWord| {
                other.message.channel != one.message.channel && !other.said.said.is_same_pair(&one.said.said)
            };
            let is_asked_too = own(one) || !rivals().any(differs);
            let (channel, ts) = (one.message.channel.clone(), one.message.ts);
            words.push(BearingHouseWord { channel, ts, word: one.said.said.clone(), is_asked_too });
            if !explanations.contains(&one.message) {
                explanations.push(one.message.clone());
            }
        }
        let asked = words.iter().filter(|word| word.is_asked_too);
        let pairs = asked.map(|one| (one.word.word.as_str(), one.word.meaning.as_str()));
        let other_questions = question_in_other_words(question, pairs);
        Self { words, explanations, other_questions }
    }

    /// Adds the messages that explain words of the question to what was found, as far as a filter lets them through.
    pub(super) fn bring_explanations(&self, filter: &RecallFilter, found: &mut Vec<Recalled>) {
        let best = found.iter().map(|one| one.score).fold(1.0, f64::max);
        for message in &self.explanations {
            let text = RecalledText::Message(message.clone());
            let score = best * SCORE_OF_EXPLANATION;
            if let Some(known) = found.iter_mut().find(|one| one.text == text) {
                known.score = known.score.max(score);
                known.is_incidental = false;
                known.evidence = None;
            } else if text.meets(filter) {
                found.push(Recalled {
                    text,
                    score,
                    terms: Vec::new(),
                    evidence: None,
                    is_incidental: false,
                    replaced_on: None,
                });
            }
        }
        found.sort_by(|a, b| b.score.total_cmp(&a.score));
    }
}

/// Which messages are read for what they explain.
struct ExplanationSearch {
    lookup: TermLookup,
    /// The most messages.
    most: usize,
    /// Only what was said before this time.
    before: Option<MessageTs>,
}

/// What the messages explain that are looked for, as far as they may be seen and are by people.
async fn read_explained(
    tx: &mut Tx,
    seen: &VisibilityBinds,
    sought: ExplanationSearch,
) -> Result<Vec<StoredHouseWord>, StoreError> {
    let ExplanationSearch { lookup, most, before } = sought;
    let found = postings::look_up(tx, &[lookup], most).await?;
    if found.iter().all(Vec::is_empty) {
        return Ok(Vec::new());
    }
    let channels = apart::visible_numbers(tx, seen, &found).await?;
    let addresses: BTreeSet<i64> = found.into_iter().flatten().collect();
    let addresses: Vec<i64> = addresses.into_iter().collect();
    let read = texts::read_visible_texts(tx, seen, &channels, &addresses).await?;
    let mut messages: Vec<Message> =
        read.into_iter().filter_map(|(_, text)| text.as_message().cloned()).collect();
    let hidden = opt_outs::hidden_people(tx).await?;
    let bots = bots_among(tx, &messages).await?;
    let own = team::own_identity(tx).await?;
    let is_ours = |message: &Message| own.as_ref().is_some_and(|own| own.is(&message.user));
    messages.retain(|message| {
        before.is_none_or(|before| message.ts < before)
            && !is_ours(message)
            && !bots.contains(&message.user)
            && !opt_outs::is_hidden(&hidden, message)
    });
    with_states(tx, messages).await
}

/// What messages explain, each with whether it counts among them.
async fn with_states(tx: &mut Tx, messages: Vec<Message>) -> Result<Vec<StoredHouseWord>, StoreError> {
    let ended = house_word_ends::ends_of_messages(tx, &messages).await?;
    let mut by_channel: BTreeMap<ChannelId, (Vec<SaidHouseWord>, Vec<Message>)> = BTreeMap::new();
    for message in messages {
        for said in house_words_in(&message.text) {
            let (channel, ts) = (message.channel.clone(), message.ts);
            let is_ended = ended.contains(&(channel.clone(), ts, said.key()));
            let (words, sources) = by_channel.entry(channel.clone()).or_default();
            let user = message.user.clone();
            words.push(SaidHouseWord { said, channel, ts, user, is_ended });
            sources.push(message.clone());
        }
    }
    let stored = by_channel.into_values().flat_map(|(words, sources)| {
        let states = states_of_house_words(&words);
        words.into_iter().zip(sources).zip(states)
    });
    Ok(stored.map(|((said, message), state)| StoredHouseWord { said, message, state }).collect())
}

/// The bots among those who said these messages.
#[boxed]
async fn bots_among(tx: &mut Tx, messages: &[Message]) -> Result<BTreeSet<UserId>, StoreError> {
    let users: BTreeSet<&str> = messages.iter().map(|message| message.user.as_str()).collect();
    let rows: Vec<(String,)> = match tx {
        Tx::Sqlite(tx) => {
            let (rows,): (String,) = query_as(
                "SELECT json_group_array(json_array(u.id)) FROM json_each($1) AS s CROSS JOIN users u ON u.id = s.value
                 WHERE u.is_bot = 1",
            )
            .bind(serde_json::to_string(&users)?)
            .fetch_one(&mut **tx)
            .await?;
            rows_from_json(&rows)?
        }
        Tx::Postgres(tx) => {
            query_as("SELECT u.id FROM users u WHERE u.id = ANY($1) AND u.is_bot = 1")
                .bind(users.into_iter().collect::<Vec<_>>())
                .fetch_all(&mut *tx)
                .await?
        }
    };
    Ok(rows.into_iter().map(|(id,)| UserId::new(id)).collect())
}
