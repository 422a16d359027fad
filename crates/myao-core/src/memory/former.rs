//! Finds what a sentence names as the value that holds no more: "now on 9 June, not 2 May", 「5月2日ではなく6月9日」.

/// English words before such a value, and whether the new value may follow after "to".
const BEFORE: [(&[&str], bool); 11] = [
    (&["not"], false),
    (&["instead", "of"], false),
    (&["rather", "than"], false),
    (&["moved", "from"], true),
    (&["moves", "from"], true),
    (&["changed", "from"], true),
    (&["changes", "from"], true),
    (&["went", "from"], true),
    (&["raised", "from"], true),
    (&["lowered", "from"], true),
    (&["postponed", "from"], true),
];
/// English words that may stand between: "not on 2 May".
const BETWEEN: [&str; 7] = ["on", "at", "in", "by", "for", "the", "a"];
/// English words that end it: "not 2 May but 9 June".
const AFTER: [&str; 3] = ["but", "now", "because"];
/// English words behind a number that is no value: "not 100% sure", "not 9 yet".
const NO_VALUE: [&str; 4] = ["sure", "certain", "yet", "enough"];
/// The most words that an English value has.
const MOST_WORDS: usize = 6;
/// What follows such a value in Japanese.
const JAPANESE_AFTER: [&str; 3] = ["ではなく", "じゃなく", "でなく"];
/// The word between the old value and the new one in Japanese, and what follows the new one then.
const JAPANESE_FROM: &str = "から";
const JAPANESE_CHANGED: [&str; 8] =
    ["に変更", "へ変更", "に変わ", "へ変わ", "に延期", "にずら", "に移動", "に前倒し"];
/// Characters of a new value, at most.
const LONGEST_VALUE: usize = 20;

/// The parts of a sentence that name it; `is_value` tells which words are a number or a day. `said` is folded.
pub(super) fn no_longer_valid_values(said: &str, is_value: impl Fn(&str) -> bool) -> Vec<String> {
    let mut found = in_english(said, is_value);
    found.extend(in_japanese(said));
    found
}

fn in_english(said: &str, is_value: impl Fn(&str) -> bool) -> Vec<String> {
    let words: Vec<&str> = said.split_whitespace().collect();
    let mut found = Vec::new();
    for at in 0..words.len() {
        let rest = words.get(at..).unwrap_or_default();
        let Some((before, has_new)) = BEFORE.iter().find(|(before, _)| rest.starts_with(before)) else {
            continue;
        };
        let value = rest.iter().skip(before.len()).skip_while(|word| BETWEEN.contains(word));
        let mut part = Vec::new();
        for word in value.take(MOST_WORDS) {
            if NO_VALUE.contains(&bare_word(word)) {
                part.clear();
                break;
            }
            if AFTER.contains(word) || (*has_new && *word == "to") {
                break;
            }
            part.push(*word);
            if word.ends_with([',', '.', ';', ':', '!', ')']) {
                break;
            }
        }
        if part.first().is_some_and(|word| is_value(bare_word(word))) {
            found.push(part.join(" "));
        }
    }
    found
}

/// A word without what stands around it.
fn bare_word(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric())
}

fn in_japanese(said: &str) -> Vec<String> {
    let denied = JAPANESE_AFTER.iter().flat_map(|after| said.match_indices(after)).map(|(at, _)| at);
    let changed = said.match_indices(JAPANESE_FROM).filter(|(at, from)| {
        let new: String =
            said.get(at + from.len()..).unwrap_or_default().chars().take(LONGEST_VALUE).collect();
        new.starts_with(|c: char| c.is_ascii_digit())
            && JAPANESE_CHANGED.iter().any(|word| new.contains(word))
    });
    let ends = denied.chain(changed.map(|(at, _)| at));
    let before = |at: usize| said.get(..at)?.rsplit(['、', '。', ',', ':', ' ']).next().map(str::to_owned);
    ends.filter_map(before).collect()
}
