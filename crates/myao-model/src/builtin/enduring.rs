//! How much a bullet is worth in a channel's long-term memory, by its own words and its day.
//!
//! What lasts comes first: decisions, agreements, who has what, dates to come, tastes (`worth::of_line`). Besides, where
//! people tell each other of their lives, what has happened to them is what they come back to: a move, a new job, a pet.
//! Encouragement has the words of a decision (`we'll make it`) and decides nothing.

use std::{collections::HashSet, sync::LazyLock};

use myao_core::{
    memory::announces_change,
    text::{Lexicon, fold_for_comparison, is_japanese},
    worth::{ARROW, WORTH, WordFinder, is_question, points_for_concreteness, points_of_line, weight_of_text},
};

use super::{bullet::Bullet, manner::tells_an_event};

/// Points that count in full; of more than these only a part counts, since a line with three words of a decision is no
/// better than one with two.
const FULL: i64 = 36;
const PART_OF_MORE: i64 = 7;
/// Points for what says that something changes and is worth a line by itself: what held before may be another line.
const CHANGE: i64 = 2;
/// The points of concreteness of what names two things, such as a place and a day; and the points for what says so much
/// and no more, neither of oneself nor of computers: how things stand.
const TWO_DETAILS: i64 = 24;
const STATED: i64 = 10;
/// A change with two details that is not told to one person or of oneself counts at least so much: its old
/// value may count that.
const LEAST_OF_CHANGE: i64 = 36;
/// Points for what somebody has done or met with, for a time of it, and for each matter of life that is named, up to three.
const EVENT: i64 = 24;
const WHEN: i64 = 10;
const MATTER: i64 = 8;
const MOST_MATTERS: usize = 3;
/// The same in Japanese, where one word is mostly found as several.
const JAPANESE_MATTER: i64 = 4;
/// The weight of an event's words that counts, and by which part: more words tell more of it.
const LONGEST_EVENT: i64 = 80;
const PART_OF_WEIGHT: i64 = 3;
/// Points off for a question without an answer, which is settled or forgotten after months.
const ASKED: i64 = 40;
/// Points off for words whose beginning or end is lost.
const CUT: i64 = 12;
/// Points off for a decision or a plan that names neither a thing nor a number nor a day: `we'll keep pushing`.
const UNNAMED: i64 = 34;
/// Points off for praise, comfort and the like, said to one person.
const SPOKEN_TO: i64 = 24;
/// Points off for English words that go on from what was said before, or speak of something that was named there.
const GOES_ON: i64 = 14;
static GOING_ON: Lexicon = Lexicon::english("enduring.going_on");
/// Points off for what is only supposed, and for what reads like code.
const SUPPOSED: i64 = 16;
const CODE_TALK: i64 = 14;
/// Points off for what people say of themselves or to one person, if it is not of their lives.
const SPOKEN_BETWEEN_TWO: i64 = 24;
/// Characters within which a Japanese line calls somebody.
const LONGEST_CALL: usize = 12;
/// The weight under which a Japanese line says too little to be understood after months, and the points off for that.
const SHORT: i64 = 8;
const TOO_SHORT: i64 = 8;
/// Signs of code from which on words read like it, and Latin letters in a Japanese line, in percent.
const CODE_SIGNS: usize = 4;
const LATIN_PERCENT: usize = 45;
/// Points off for a Japanese line that is no whole statement, and ends at which a sentence goes on.
const HALF_SAID: i64 = 14;
static OPEN_ENDS: Lexicon = Lexicon::japanese("enduring.open_ends");
/// Most points by which the day of a bullet decides between bullets that are worth about the same.
const SPREAD: i64 = 6;
/// 2^64 divided by the golden ratio: multiples of it, cut to 64 bits, lie evenly however many there are.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

static NOW: Lexicon = Lexicon::of_all("enduring.now");
static MATTERS: Lexicon = Lexicon::english("enduring.matters");
static AMBIGUOUS: Lexicon = Lexicon::english("enduring.ambiguous");
static OF_COMPUTERS: Lexicon = Lexicon::english("enduring.of_computers");
static JAPANESE_MATTERS: Lexicon = Lexicon::japanese("enduring.matters");

static MATTER_WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| MATTERS.words().collect());
static AMBIGUOUS_WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| AMBIGUOUS.words().collect());
static COMPUTER_WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| OF_COMPUTERS.words().collect());
static TIME_WORDS: LazyLock<WordFinder> = LazyLock::new(|| WordFinder::of("enduring.times"));
static JAPANESE_MATTER_WORDS: LazyLock<Vec<&str>> = LazyLock::new(|| JAPANESE_MATTERS.words().collect());
static ENCOURAGEMENTS: LazyLock<WordFinder> = LazyLock::new(|| WordFinder::of("enduring.encouragements"));
static SUPPOSITIONS: LazyLock<WordFinder> = LazyLock::new(|| WordFinder::of("enduring.suppositions"));

/// The points of a bullet in a long-term memory.
pub(super) fn points_if_enduring(bullet: &Bullet) -> i64 {
    let said = bullet.text();
    let told = said.split_once(ARROW).map_or(said, |(_, answer)| answer);
    let folded = fold_for_comparison(told);
    let english = !is_japanese(told).unwrap_or(false);
    let lasting = bullet.lasting();
    let concrete = points_for_concreteness(told);
    let life = points_for_life(told, &folded, english);
    let is_code = reads_like_code(told, english) || (english && speaks_of_computers(&folded));
    let is_of_two = is_of_two(told);
    let supposes = SUPPOSITIONS.stands_in(&folded);
    let is_stated = concrete >= TWO_DETAILS && !is_of_two && !is_code && !supposes && !is_question(told);
    let points = |yes: bool, points: i64| if yes { points } else { 0 };
    points_if_held(bullet, &Stance { lasting, concrete, is_of_two, is_stated }) + life
        - points(is_of_two && life <= MATTER, SPOKEN_BETWEEN_TWO)
        - points(!english && weight_of_text(told) < SHORT, TOO_SHORT)
        - points(is_question(told), ASKED)
        - points(told.starts_with('…') || said.ends_with(['…', ':']), CUT)
        - points(english && goes_on(&folded), GOES_ON)
        - points(english && concrete <= 0 && lasting >= WORTH, UNNAMED)
        - points(ENCOURAGEMENTS.stands_in(&folded), SPOKEN_TO)
        - points(supposes, SUPPOSED)
        - points(is_code, CODE_TALK)
        - points(!english && is_half_said(told, concrete), HALF_SAID)
}

/// What words state, and how.
struct Stance {
    /// The points of their kinds of remark.
    lasting: i64,
    /// The points of what they name.
    concrete: i64,
    /// Whether they are said of oneself or to one person.
    is_of_two: bool,
    /// Whether they say how things stand.
    is_stated: bool,
}

/// The points for what holds until somebody changes it. What says that it holds `now` is not over tomorrow.
fn points_if_held(bullet: &Bullet, stance: &Stance) -> i64 {
    let Stance { lasting, concrete, is_of_two, is_stated } = *stance;
    let may_change = lasting >= WORTH || concrete >= TWO_DETAILS;
    let changes = may_change && announces_change(bullet.text()).is_some();
    let holds_anew = is_stated && NOW.iter().any(|now| bullet.body.contains(now));
    let lasting = if holds_anew {
        let anew = NOW.iter().fold(bullet.body.clone(), |body, now| body.replace(now, ""));
        lasting.max(points_of_line(&anew))
    } else {
        lasting
    };
    let lasting = lasting + if is_stated && lasting < FULL { STATED } else { 0 };
    let is_told = changes && concrete >= TWO_DETAILS && !is_of_two;
    let lasting = if is_told { lasting.max(LEAST_OF_CHANGE) } else { lasting };
    let part = if lasting > FULL { FULL + (lasting - FULL) / PART_OF_MORE } else { lasting };
    part + if changes && lasting >= WORTH { CHANGE } else { 0 }
}

/// Whether words are said of oneself or to one person.
fn is_of_two(told: &str) -> bool {
    let first = told.chars().take(LONGEST_CALL).collect::<String>();
    told.starts_with('@')
        || ["さん、", "さんも", "さんは"].iter().any(|call| first.contains(call))
        || told.split(|c: char| !(c.is_alphanumeric() || c == '\'')).any(|word| {
            matches!(word, "I" | "i" | "I'm" | "i'm" | "my" | "My" | "me" | "you" | "You" | "your" | "Your")
        })
}

/// Whether English words are said of oneself: a `boat trip` of the works is nobody's life.
fn is_of_oneself(all: &HashSet<&str>) -> bool {
    ["i", "my", "we", "our", "me", "us"].iter().any(|word| all.contains(word))
}

fn speaks_of_computers(folded: &str) -> bool {
    folded.split(|c: char| !c.is_alphanumeric()).any(|word| COMPUTER_WORDS.contains(word))
}

/// Whether English words begin in the middle of what is said.
fn goes_on(folded: &str) -> bool {
    let first = folded.split(|c: char| !(c.is_alphanumeric() || c == '\'')).find(|word| !word.is_empty());
    first.is_some_and(|first| GOING_ON.contains(&first))
}

/// Whether a Japanese line ends where its sentence goes on, or is a phrase without a topic and a name.
fn is_half_said(told: &str, concrete: i64) -> bool {
    let end = told.trim_end_matches(|c: char| !c.is_alphanumeric());
    let goes_on = OPEN_ENDS.iter().any(|open| end.ends_with(open));
    let is_phrase = end.ends_with(|c: char| !('ぁ'..='ん').contains(&c)) && !told.contains(['を', 'に']);
    goes_on || ((concrete <= 0 || is_phrase) && !told.contains(['は', 'が', 'も']))
}

/// The points for what has happened in somebody's life.
fn points_for_life(told: &str, folded: &str, english: bool) -> i64 {
    let count = |count: usize| i64::try_from(count.min(MOST_MATTERS)).unwrap_or_default();
    if !english {
        let matters = JAPANESE_MATTER_WORDS.iter().filter(|word| folded.contains(**word)).count();
        return count(matters) * JAPANESE_MATTER;
    }
    let all: HashSet<&str> = folded.split(|c: char| !c.is_alphanumeric()).collect();
    if !all.is_disjoint(&COMPUTER_WORDS) {
        return 0;
    }
    let has_time = TIME_WORDS.stands_in(folded);
    let sure = all.intersection(&MATTER_WORDS).count();
    let ambiguous = if has_time { all.intersection(&AMBIGUOUS_WORDS).count() } else { 0 };
    let matters = if sure + ambiguous > 1 { sure + ambiguous } else { sure };
    if !is_of_oneself(&all) {
        return 0;
    }
    if matters == 0 || !tells_an_event(told) {
        return count(matters) * MATTER;
    }
    let when = if has_time { WHEN } else { 0 };
    count(matters) * MATTER + EVENT + when + weight_of_text(told).min(LONGEST_EVENT) / PART_OF_WEIGHT
}

fn reads_like_code(told: &str, english: bool) -> bool {
    let signs = told.chars().filter(|c| "\"`<>[]{}()|\\=+*_#$%^&~".contains(*c)).count();
    let visible = told.chars().filter(|c| !c.is_whitespace()).count();
    let latin = told.chars().filter(char::is_ascii_alphabetic).count();
    signs >= CODE_SIGNS || (!english && latin * 100 > visible * LATIN_PERCENT)
}

/// Up to [`SPREAD`] points, in `fine` parts each. They differ from day to day so that of equally good bullets those that
/// stay are of all times, wherever a limit lies, and not the first ones alone.
pub(super) fn spread_of_points(bullet: &Bullet, fine: i64) -> i64 {
    let day = bullet.days.map(|days| days.from.duration_since(jiff::civil::Date::ZERO).as_hours() / 24);
    let day = day.and_then(|day| u64::try_from(day).ok()).unwrap_or_default();
    // FNV-1a of the words tells bullets of one day apart.
    let words = bullet.body.bytes().fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    });
    let part = day.wrapping_mul(GOLDEN).wrapping_add(words) >> 48;
    i64::try_from(part).unwrap_or_default() * SPREAD * fine / (1 << 16)
}
