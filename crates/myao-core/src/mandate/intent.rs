//! Recognises messages that ask for something to be noted, changed or forgotten, by their words (ADR 34).
//!
//! No model is asked. If a request is missed, the person can make it again in other words. If one is seen where there
//! is none, nothing but people's own words can be written ([`super::permission::Mandate`]).

/// What a message wants done with something that is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Intent {
    /// Something is to be kept that was not.
    Remember,
    /// Something that is kept is to be changed.
    Change,
    /// Something is to be kept no longer.
    Forget,
}

/// Words that ask to remember: whole words in English, beginnings of words in Japanese.
pub(super) const REMEMBER: &[&str] = &[
    "remember",
    "memo",
    "memorize",
    "memorise",
    "note",
    "jot",
    "record",
    "write down",
    "write it down",
    "write this down",
    "write that down",
    "take down",
    "keep in mind",
    "keep this in mind",
    "keep that in mind",
    "keep it in mind",
    "dont forget",
    "do not forget",
    "never forget",
];
pub(super) const REMEMBER_JA: &[&str] = &[
    "覚え",
    "憶え",
    "おぼえ",
    "メモ",
    "記憶し",
    "記録し",
    "書き留め",
    "書きとめ",
    "書いておい",
    "書いとい",
    "控えて",
    "控えと",
    "忘れない",
    "忘れず",
    "わすれない",
    "わすれず",
];
const CHANGE: &[&str] =
    &["change", "update", "correct", "fix", "edit", "rename", "replace", "amend", "append", "add", "rewrite"];
const CHANGE_JA: &[&str] = &[
    "直し",
    "なおし",
    "変え",
    "かえて",
    "変更",
    "更新",
    "修正",
    "訂正",
    "書き換え",
    "書き直",
    "改め",
    "差し替え",
    "追加",
    "追記",
    "加え",
];
const FORGET: &[&str] = &["forget", "delete", "remove", "erase", "discard", "get rid of"];
const FORGET_JA: &[&str] = &[
    "忘れて",
    "忘れろ",
    "忘れよ",
    "忘れと",
    "わすれて",
    "消し",
    "消せ",
    "けして",
    "消去",
    "削除",
    "取り消",
    "破棄",
];

/// Words which, right before an English one, negate it or make it a statement instead of a request.
const NOT_BEFORE: &[&str] = &[
    "dont", "not", "never", "cant", "cannot", "couldnt", "didnt", "doesnt", "wont", "i", "we", "they", "he",
    "she", "do you", "did you",
];
/// What follows て or てい behind a Japanese beginning in a statement or a prohibition: 覚えてる, 忘れてはいけない.
const STATES: &[&str] = &["る", "ます", "た", "まし", "ない", "ません", "は", "しま"];
/// Negations that make a request more polite instead of negating it: 覚えておいてくれない？
const ASKING: &[&str] = &[
    "くれない",
    "くれません",
    "もらえない",
    "もらえません",
    "いただけない",
    "いただけません",
    "できない",
    "できません",
];
const NEGATIONS: &[&str] = &["ない", "なく", "ません", "するな", "不要", "いらない"];
/// A negation within this many characters behind a beginning belongs to it.
const NEAR: usize = 10;

impl Intent {
    /// Whether a message asks for it in its author's own words, not in a quotation or in code. Words that ask to
    /// remember count as asking for a change, too.
    pub fn is_told_in(self, text: &str) -> bool {
        let said = without_quotes(text).to_lowercase();
        let (words, stems): (&[&[&str]], &[&[&str]]) = match self {
            Self::Remember => (&[REMEMBER], &[REMEMBER_JA]),
            Self::Change => (&[REMEMBER, CHANGE], &[REMEMBER_JA, CHANGE_JA]),
            Self::Forget => (&[FORGET], &[FORGET_JA]),
        };
        let spaced = words_with_blanks(&said);
        words.iter().copied().flatten().any(|word| is_asked_in(&spaced, word))
            || stems.iter().copied().flatten().any(|stem| is_begun_in(&said, stem))
    }
}

/// A message without quoted lines and code.
pub(super) fn without_quotes(text: &str) -> String {
    let outside = text.split("```").step_by(2).collect::<Vec<_>>().join("\n");
    let own = |line: &&str| !line.trim_start().starts_with(['>', '＞']);
    outside.lines().filter(own).collect::<Vec<_>>().join("\n")
}

/// The words of a text with one blank around each; apostrophes are dropped.
pub(super) fn words_with_blanks(text: &str) -> String {
    let letters = text.chars().filter(|c| !matches!(c, '\'' | '’'));
    let plain: String = letters.map(|c| if c.is_ascii_alphanumeric() { c } else { ' ' }).collect();
    let words: Vec<&str> = plain.split_whitespace().collect();
    format!(" {} ", words.join(" "))
}

fn is_asked_in(spaced: &str, word: &str) -> bool {
    asked_around(spaced, word).next().is_some()
}

/// What stands before and behind each place where `word` asks for something, in a text that is [`words_with_blanks`].
pub(super) fn asked_around<'t>(
    spaced: &'t str,
    word: &str,
) -> impl Iterator<Item = (&'t str, &'t str)> + use<'t> {
    let found = format!(" {word} ");
    let length = found.len();
    let places: Vec<usize> = spaced.match_indices(&found).map(|(at, _)| at).collect();
    places.into_iter().filter_map(move |at| {
        let (before, rest) = spaced.split_at_checked(at)?;
        let (_, behind) = rest.split_at_checked(length)?;
        let before = before.trim();
        let is_no_request = NOT_BEFORE.iter().any(|not| format!(" {before} ").ends_with(&format!(" {not} ")));
        (!is_no_request).then_some((before, behind.trim()))
    })
}

fn is_begun_in(said: &str, stem: &str) -> bool {
    begun_around(said, stem).next().is_some()
}

/// What stands before and behind each place where `stem` begins a request.
pub(super) fn begun_around<'t>(
    said: &'t str,
    stem: &str,
) -> impl Iterator<Item = (&'t str, &'t str)> + use<'t> {
    let places: Vec<usize> = said.match_indices(stem).map(|(at, _)| at).collect();
    let length = stem.len();
    let ends_in_te = stem.ends_with('て');
    places.into_iter().filter_map(move |at| {
        let (before, rest) = said.split_at_checked(at)?;
        let (_, rest) = rest.split_at_checked(length)?;
        let clause: String = rest
            .chars()
            .take_while(|c| !matches!(c, '。' | '！' | '？' | '!' | '?' | '\n'))
            .take(NEAR)
            .collect();
        let follows = if ends_in_te { Some(clause.as_str()) } else { clause.strip_prefix('て') };
        let is_state = follows.is_some_and(|follows| {
            let follows = follows.strip_prefix('い').unwrap_or(follows);
            STATES.iter().any(|state| follows.starts_with(state))
        });
        let is_negated = NEGATIONS.iter().any(|not| clause.contains(not))
            && !ASKING.iter().any(|asking| clause.contains(asking));
        (!is_state && !is_negated).then_some((before, rest))
    })
}
