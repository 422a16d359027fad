//! The words by which texts are scored, all in folded form (NFKC, lower case).
//!
//! Japanese ones are found as parts of the text, which has no spaces; English ones as whole words.

use crate::text::Lexicon;

/// A kind of remark: the words that show it in either language, and its points.
pub(super) struct Marker {
    pub(super) points: i64,
    /// Whether a date or number in it earns extra points.
    pub(super) is_dated: bool,
    /// Its points in a long-term memory, by whether it is still worth knowing after months.
    pub(super) lasting: i64,
    pub(super) japanese: Lexicon,
    pub(super) english: Lexicon,
}

/// What people decided.
pub(super) static DECISION: Marker = Marker {
    points: 24,
    is_dated: true,
    lasting: 48,
    japanese: Lexicon::japanese("worth.decision"),
    english: Lexicon::english("worth.decision"),
};

pub(super) static NO_DECISIONS: Lexicon = Lexicon::english("worth.no_decision");

/// What is going to happen, or has to.
static PLAN: Marker = Marker {
    points: 17,
    is_dated: true,
    lasting: 34,
    japanese: Lexicon::japanese("worth.plan"),
    english: Lexicon::english("worth.plan"),
};

/// What holds until somebody changes it.
static STANDING: Marker = Marker {
    points: 12,
    is_dated: true,
    lasting: 36,
    japanese: Lexicon::japanese("worth.standing"),
    english: Lexicon::english("worth.standing"),
};

/// Who does it.
static OWNER: Marker = Marker {
    points: 12,
    is_dated: false,
    lasting: 12,
    japanese: Lexicon::japanese("worth.owner"),
    english: Lexicon::english("worth.owner"),
};

/// What was done or found out.
static RESULT: Marker = Marker {
    points: 14,
    is_dated: false,
    lasting: 24,
    japanese: Lexicon::japanese("worth.result"),
    english: Lexicon::english("worth.result"),
};

/// What goes wrong.
static PROBLEM: Marker = Marker {
    points: 11,
    is_dated: false,
    lasting: 0,
    japanese: Lexicon::japanese("worth.problem"),
    english: Lexicon::english("worth.problem"),
};

/// Why, and what one should do.
static REASON: Marker = Marker {
    points: 9,
    is_dated: false,
    lasting: 0,
    japanese: Lexicon::japanese("worth.reason"),
    english: Lexicon::english("worth.reason"),
};

/// What people tell about themselves.
static LIFE: Marker = Marker {
    points: 10,
    is_dated: false,
    lasting: 20,
    japanese: Lexicon::japanese("worth.life"),
    english: Lexicon::english("worth.life"),
};

/// Times and dates.
static TIME: Marker = Marker {
    points: 8,
    is_dated: false,
    lasting: 0,
    japanese: Lexicon::japanese("worth.time"),
    english: Lexicon::english("worth.time"),
};

/// All kinds of remark. Each earns its points once, however often it occurs.
pub(super) static MARKERS: [&Marker; 9] =
    [&DECISION, &PLAN, &STANDING, &OWNER, &RESULT, &PROBLEM, &REASON, &LIFE, &TIME];

pub(super) static JAPANESE_COURTESIES: Lexicon = Lexicon::japanese("worth.courtesies");

pub(super) static ENGLISH_COURTESIES: Lexicon = Lexicon::english("worth.courtesies");

pub(super) static COMMON_WORDS: Lexicon = Lexicon::english("worth.common_words");

pub(super) static JAPANESE_BACKREFS: Lexicon = Lexicon::japanese("worth.back_references");

pub(super) static ENGLISH_BACKREFS: Lexicon = Lexicon::english("worth.back_references");

pub(super) static JAPANESE_FRAGMENTS: Lexicon = Lexicon::japanese("worth.fragments");

pub(super) static JAPANESE_QUESTIONS: Lexicon = Lexicon::japanese("worth.question_ends");

pub(super) static JAPANESE_PROPOSALS: Lexicon = Lexicon::japanese("worth.proposals");
pub(super) static ENGLISH_PROPOSALS: Lexicon = Lexicon::english("worth.proposals");

pub(super) static ENGLISH_QUESTIONS: Lexicon = Lexicon::english("worth.question_starts");

pub(super) static BOT_NOISE: Lexicon = Lexicon::of_all("worth.bot_noise");

pub(super) static ANNOUNCING: Lexicon = Lexicon::english("worth.announcing");

pub(super) static HEADINGS: Lexicon = Lexicon::of_all("worth.headings");

pub(super) static JOKING: Lexicon = Lexicon::of_all("worth.joking");
