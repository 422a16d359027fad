//! Searches an archive as the store does, with an index in memory: what each question finds, and what the scores of that
//! are made of.

use std::collections::{BTreeMap, HashMap};

use myao_core::{
    chat::MessageTs,
    recall::{
        ConversationUnit, IndexSize, Matches, Postings, RankParts, RecallCandidate, RecallQuestion,
        TalkAround, TermLookups, UnitPlaces, terms_to_index,
    },
};

use super::archive::{Archive, KnownItem, Said};

/// The bounds of a search of the store.
const MOST_CANDIDATES: usize = 300;
const MOST_ROWS: usize = 4_001;
const MOST_ROWS_IN_ALL: u64 = 2_500;
/// Terms of fewer rows are hardly ever in the store's sample.
const SAMPLED: usize = 64;
/// A chapter ends after so many messages, or so many microseconds of silence.
const CHAPTER: usize = 50;
const SILENCE: i64 = 7_200_000_000;
const MINUTE: i64 = 60_000_000;

/// A message that a question found.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) parts: RankParts,
    pub(super) is_gold: bool,
    pub(super) is_root: bool,
}

/// What a question found.
#[derive(Debug)]
pub(super) struct FoundItem {
    pub(super) found: Vec<Found>,
    pub(super) is_fitted_on: bool,
    pub(super) has_root: bool,
}

/// A channel and its index; addresses are times in microseconds.
struct IndexedChannel<'a> {
    said: &'a [Said],
    rows: HashMap<String, Vec<i64>>,
    /// For each message, the last of its thread's messages and where its chapter begins and ends.
    threads: BTreeMap<MessageTs, Vec<i64>>,
    chapters: Vec<(i64, i64)>,
}

/// What all questions find.
pub(super) fn all(archive: &Archive, asked: &[KnownItem]) -> Vec<FoundItem> {
    let indexed: BTreeMap<&str, IndexedChannel<'_>> =
        archive.channels.iter().map(|(name, said)| (name.as_str(), IndexedChannel::new(said))).collect();
    let mut everywhere: HashMap<&str, usize> = HashMap::new();
    for channel in indexed.values() {
        for (term, rows) in &channel.rows {
            *everywhere.entry(term).or_default() += rows.len();
        }
    }
    let all: usize = archive.channels.values().map(Vec::len).sum();
    let find = |item: &KnownItem| {
        let found = indexed.get(item.channel.as_str()).map(|channel| channel.find(item, (&everywhere, all)));
        FoundItem {
            found: found.unwrap_or_default(),
            is_fitted_on: item.is_fitted_on,
            has_root: item.root.is_some(),
        }
    };
    asked.iter().map(find).collect()
}

impl<'a> IndexedChannel<'a> {
    fn new(said: &'a [Said]) -> Self {
        let mut channel = Self { said, rows: HashMap::new(), threads: BTreeMap::new(), chapters: Vec::new() };
        let mut begun = None;
        let mut held = 0;
        let mut last = 0;
        for message in said {
            let at = message.ts.as_micros();
            for term in terms_to_index(&message.text) {
                channel.rows.entry(term.as_str().to_owned()).or_default().push(at);
            }
            channel.threads.entry(message.thread).or_default().push(at);
            if held == CHAPTER || at - last > SILENCE {
                channel.chapters.extend(begun.map(|begun| (begun, last)));
                (begun, held) = (None, 0);
            }
            begun = begun.or(Some(at));
            (held, last) = (held + 1, at);
        }
        channel.chapters.extend(begun.map(|begun| (begun, last)));
        channel
    }

    fn find(&self, item: &KnownItem, (everywhere, all): (&HashMap<&str, usize>, usize)) -> Vec<Found> {
        let question = RecallQuestion::new(&item.query);
        let keys = question.keys();
        let before = item.before.as_micros();
        let rows = |key: &str| everywhere.get(key).copied().filter(|rows| *rows >= SAMPLED).unwrap_or(0);
        let holding = keys.iter().map(|key| count(rows(key.as_str()))).collect();
        let size = IndexSize { rows: count(all), holding };
        let standing = |term: usize| -> &[i64] {
            let rows = keys.get(term).and_then(|key| self.rows.get(key.as_str()));
            let rows = rows.map(Vec::as_slice).unwrap_or_default();
            rows.get(..rows.partition_point(|at| *at < before)).unwrap_or_default()
        };
        let last =
            |rows: Vec<i64>| rows.get(rows.len().saturating_sub(MOST_ROWS)..).unwrap_or_default().to_vec();
        let found: Vec<Postings> = match question.lookups(&size) {
            TermLookups::Each(terms) => {
                let mut read = 0;
                let is_within = |term: &usize| {
                    let was = read;
                    read += size.holding.get(*term).copied().unwrap_or(0);
                    was < MOST_ROWS_IN_ALL
                };
                let terms = terms.into_iter().take_while(is_within);
                terms.map(|term| Postings { term, addresses: last(standing(term).to_vec()) }).collect()
            }
            TermLookups::Together(terms) => {
                let mut rows = terms.first().map_or(Vec::new(), |term| standing(*term).to_vec());
                rows.retain(|at| terms.iter().all(|term| standing(*term).binary_search(at).is_ok()));
                terms
                    .first()
                    .map(|term| Postings { term: *term, addresses: last(rows) })
                    .into_iter()
                    .collect()
            }
        };
        let matches = Matches::new(&question, &item.query, &size, found);
        self.ranked(item, &matches)
    }

    fn ranked(&self, item: &KnownItem, matches: &Matches) -> Vec<Found> {
        let before = item.before.as_micros();
        let mut places = matches.best(MOST_CANDIDATES, |_| true);
        let roots: Vec<i64> = places.iter().filter_map(|at| Some(self.at(*at)?.thread.as_micros())).collect();
        for root in roots {
            if !places.contains(&root) {
                places.push(root);
            }
        }
        let mut units = Vec::new();
        let mut candidates = Vec::new();
        let mut known = HashMap::new();
        let messages = places.iter().filter_map(|at| self.at(*at)).filter(|message| message.ts < item.before);
        for message in messages {
            let (unit, places, size) = self.unit(message, before);
            let is_thread = matches!(places, UnitPlaces::These(_));
            let unit = *known.entry(unit).or_insert_with(|| {
                units.push(ConversationUnit { places, size, is_thread });
                units.len() - 1
            });
            candidates.push(RecallCandidate {
                address: message.ts.as_micros(),
                text: message.text.clone(),
                at: message.ts,
                unit: Some(unit),
                is_root: is_thread && message.ts == message.thread,
                around: Some(TalkAround { from: 0, to: before, minute: MINUTE }),
            });
        }
        let ranked = matches.rank(&candidates, &units, item.before).into_iter();
        let found = ranked.filter_map(|ranked| {
            let ts = candidates.get(ranked.candidate)?.at;
            let is_gold = item.gold.contains(&ts);
            let is_root = item.root == Some(ts);
            Some(Found { parts: ranked.parts, is_gold, is_root })
        });
        found.collect()
    }

    fn at(&self, micros: i64) -> Option<&Said> {
        self.said.get(self.said.partition_point(|message| message.ts.as_micros() < micros))
    }

    /// The conversation of a message: where it begins, where its messages stand, and how many these are.
    fn unit(&self, message: &Said, before: i64) -> (i64, UnitPlaces, u64) {
        let thread = self.threads.get(&message.thread).map(Vec::as_slice).unwrap_or_default();
        let thread: Vec<i64> = thread.iter().copied().filter(|at| *at < before).collect();
        if thread.len() > 1 {
            let size = count(thread.len());
            return (message.thread.as_micros(), UnitPlaces::These(thread), size);
        }
        let at = message.ts.as_micros();
        let nth = self.chapters.partition_point(|(from, _)| *from <= at).saturating_sub(1);
        let (from, to) = self.chapters.get(nth).copied().unwrap_or((at, at));
        // A chapter and a thread may begin with the same message.
        (-from, UnitPlaces::Between(from, to.min(before - 1)), count(CHAPTER))
    }
}

fn count(n: usize) -> u64 {
    u64::try_from(n).unwrap_or(u64::MAX)
}
