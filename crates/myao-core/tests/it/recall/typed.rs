//! Words as people type them: beginnings of words, and slips.

use std::collections::BTreeMap;

use myao_core::recall::{SaidWord, TypedWord, TypedWords, is_dictionary_word, katakana_words};
use proptest::prelude::*;

fn typed(query: &str) -> Vec<String> {
    TypedWords::new(query).words().iter().map(|typed| typed.word().to_owned()).collect()
}

fn only(query: &str) -> TypedWord {
    let words = TypedWords::new(query);
    let [word] = words.words() else { panic!("{query}: {:?}", words.words()) };
    word.clone()
}

/// Words that are said, the first of them most often.
fn said(words: &[&str]) -> Vec<SaidWord> {
    let messages = (1..=words.len()).rev();
    let said = |(word, messages): (&&str, usize)| SaidWord {
        word: (*word).to_owned(),
        messages: u64::try_from(messages).expect("few"),
    };
    words.iter().zip(messages).map(said).collect()
}

fn nearest(query: &str, words: &[&str]) -> Option<String> {
    only(query).nearest(&said(words))
}

/// Whether the word would be looked at as one that this may be a slip of.
fn is_looked_up(query: &str, word: &str) -> bool {
    only(query).near().iter().any(|range| *range.first <= *word && *word < *range.after)
}

#[test]
fn words_are_read_as_they_are_typed() {
    assert_eq!(typed("the DEFUALT port, please"), ["defualt", "port", "please"]);
    assert_eq!(typed("ｄｅｆｕａｌｔの設定"), ["defualt"], "full width, and in Japanese");
    assert_eq!(typed("デプロの手順とｻｰﾊﾞｰ"), ["デプロ", "サーバー"]);
    assert_eq!(typed("db k8s 2026 a1b2c3"), [""; 0], "too short, or no word");
    assert_eq!(typed("foo-bar foo_bar a/path wasn't it@example.org @noor #genral :tadda: v1.alpha"), [""; 0]);
    assert_eq!(typed("すごーい"), [""; 0], "a long vowel of hiragana");
    assert_eq!(typed(&"word ".repeat(40)).len(), 16);
}

#[test]
fn a_dictionary_holds_words() {
    for word in ["default", "straße", "настройка"] {
        assert!(is_dictionary_word(word), "{word}");
    }
    for word in ["foo", "would", "k8sprod", "1234", "deadbeefdeadbeefdeadbeefdeadbeefdead", "設定値一"] {
        assert!(!is_dictionary_word(word), "{word}");
    }
    let words: Vec<String> =
        katakana_words("サーバのﾃﾞﾌﾟﾛｲはすごーい。ー ア バスでコーヒー").into_iter().collect();
    assert_eq!(words, ["コーヒー", "サーバ", "デプロイ", "バス"]);
}

#[test]
fn a_beginning_is_that_of_what_is_said_most() {
    let words = said(&["postgres", "post", "postgrest", "postgresql", "postgraduate"]);
    assert_eq!(only("postgr").begun(&words), ["postgres", "postgrest", "postgresql"]);
    // One word for all that a search takes for one, and they count together.
    let words = said(&["migrant", "migration", "migrations", "migrate"]);
    assert_eq!(only("migra").begun(&words), ["migration", "migrant"]);
    assert_eq!(only("デプ").begun(&said(&["デプロイ", "デプス", "デプ"])), ["デプロイ", "デプス"]);
    assert_eq!(only("default").begun(&said(&["default"])), [""; 0], "a word is no beginning of itself");
}

#[test]
fn a_slip_is_one_of_the_nearest_word() {
    let words = ["default", "postgres", "postgresql", "migration", "deploy", "grid", "デフォルト", "サーバ"];
    for (slip, meant) in [
        ("defualt", Some("default")),
        ("efault", Some("default")),
        ("dfeault", Some("default")),
        ("xefault", Some("default")),
        ("defauxt", Some("default")),
        ("postgress", Some("postgres")),
        ("migratoin", Some("migration")),
        ("migratoins", Some("migration")),
        ("grdi", Some("grid")),
        ("デフオルト", Some("デフォルト")),
        ("サーバー", Some("サーバ")),
        // Two slips in a short word, three in a long one.
        ("edfualt", None),
        ("depoly", Some("deploy")),
        ("mgiratoinx", None),
        ("gri", None),
    ] {
        assert_eq!(nearest(slip, &words).as_deref(), meant, "{slip}");
    }
    // Of equally near words: the one with the same first letter, then the one that is said more.
    assert_eq!(nearest("pasta", &["basta", "paste", "pasts"]).as_deref(), Some("paste"));
    assert_eq!(nearest("default", &["default", "defaults"]).as_deref(), Some("defaults"));
}

#[test]
fn a_beginning_comes_before_a_slip_unless_letters_were_exchanged() {
    let meant = |query: &str, begun: &[&str], near: &[&str]| only(query).meant(&said(begun), &said(near));
    assert_eq!(meant("postg", &["postgres"], &["posts", "post"]), ["postgres"], "a letter more is no surer");
    assert_eq!(meant("monda", &["monday"], &["monads", "monad", "panda"]), ["monad"]);
    assert_eq!(meant("monda", &["monday", "mondai", "mondays"], &["monad"]), ["monday", "mondai"]);
    assert_eq!(meant("monda", &[], &["panda", "monde"]), ["monde"]);
    assert_eq!(meant("monda", &[], &["mundane"]), [""; 0]);
}

#[test]
fn other_words_stand_in_the_place_of_those_typed() {
    let words = TypedWords::new("is defualt set (postgr)? デプの設定");
    let shown = |typed: &[(usize, &[&str])]| -> BTreeMap<usize, Vec<String>> {
        typed.iter().map(|(at, words)| (*at, words.iter().map(|word| (*word).to_owned()).collect())).collect()
    };
    let at = |word: &str| words.words().iter().position(|typed| typed.word() == word).expect("typed");
    let others = shown(&[
        (at("defualt"), &["default"]),
        (at("postgr"), &["postgres", "postgresql"]),
        (at("デプ"), &["デプロイ"]),
    ]);
    assert_eq!(words.with(&others), "is default set (postgres postgresql )? デプ デプロイ の設定");
    assert_eq!(words.with(&BTreeMap::new()), "is defualt set (postgr)? デプの設定");
    // What names a day is not looked at.
    let rest = TypedWords::new("decembre defualt").only_of("defualt");
    assert_eq!(rest.words().len(), 1);
    assert_eq!(rest.with(&shown(&[(0, &["default"])])), "decembre default");
}

/// A slip, by kind, place and letter.
fn slipped(word: &str, kind: u8, place: usize, letter: char) -> String {
    let mut letters: Vec<char> = word.chars().collect();
    let at = place % letters.len();
    match kind % 4 {
        0 => letters.insert(at, letter),
        1 => drop(letters.remove(at)),
        2 => letters[at] = letter,
        _ if at > 0 => letters.swap(at - 1, at),
        _ => {}
    }
    letters.into_iter().collect()
}

proptest! {
    /// Whatever letter was missed, the word is among those that are compared, and is near.
    #[test]
    fn one_slip_is_always_looked_up(
        word in "[a-z]{5,12}",
        kind in any::<u8>(),
        place in any::<usize>(),
        letter in prop::char::range('a', 'z'),
    ) {
        let slipped = slipped(&word, kind, place, letter);
        prop_assume!(slipped != word && TypedWords::new(&slipped).words().len() == 1);
        prop_assert!(is_looked_up(&slipped, &word), "{slipped} {word}");
        let near = nearest(&slipped, &[&word]);
        prop_assert_eq!(near.as_deref(), Some(word.as_str()));
    }

    /// What is taken for the word that was meant is never far from what was typed, and no word is taken for itself.
    #[test]
    fn what_is_near_is_near(word in "[a-d]{4,9}", others in prop::collection::vec("[a-d]{4,9}", 1..20)) {
        prop_assume!(TypedWords::new(&word).words().len() == 1);
        let others: Vec<&str> = others.iter().map(String::as_str).collect();
        if let Some(near) = nearest(&word, &others) {
            let letters = |text: &str| i64::try_from(text.len()).expect("short");
            prop_assert!(near != word && (letters(&near) - letters(&word)).abs() <= 2);
        }
    }

    /// Any query can be read, and is itself if nothing is put in place of its words.
    #[test]
    fn any_query_can_be_read(query in any::<String>()) {
        let words = TypedWords::new(&query);
        prop_assert!(words.words().len() <= 16);
        let all = (0..words.words().len()).map(|at| (at, vec!["word".to_owned()])).collect();
        prop_assert!(words.with(&all).matches("word").count() >= words.words().len());
    }
}
