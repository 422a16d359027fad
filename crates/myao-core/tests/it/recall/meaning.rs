//! Vectors of texts, which of them lie near, and one list out of two.

use std::collections::{BTreeMap, BTreeSet};

use myao_core::{
    chat::{ChannelId, FileRef, Message, MessageKind, MessageTs, UserId},
    recall::{
        EmbeddedText, TextVector, VectorKey, VectorSet, fuse_ranked_lists, words_of_message, words_to_embed,
    },
};
use proptest::prelude::*;

const DIMENSIONS: usize = 24;

fn exact(a: &[f32], b: &[f32]) -> f64 {
    let product =
        |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>();
    product(a, b) / (product(a, a).sqrt() * product(b, b).sqrt())
}

fn numbers() -> impl Strategy<Value = Vec<f32>> {
    let some = |numbers: &Vec<f32>| numbers.iter().any(|number| number.abs() > 0.1);
    prop::collection::vec(-9.0_f32..9.0, DIMENSIONS).prop_filter("a direction", some)
}

fn key(address: i64) -> VectorKey {
    VectorKey { address, batch: 1 }
}

proptest! {
    #[test]
    fn a_likeness_is_kept_to_a_hundredth(a in numbers(), b in numbers()) {
        let one = TextVector::new(&a).unwrap();
        let other = TextVector::new(&b).unwrap();
        prop_assert!((one.likeness(&other) - exact(&a, &b)).abs() < 0.01);
        prop_assert!((one.likeness(&one) - 1.0).abs() < 0.01);
    }

    #[test]
    fn it_is_stored_whole(a in numbers()) {
        let vector = TextVector::new(&a).unwrap();
        let bytes = vector.to_bytes();
        prop_assert_eq!(bytes.len(), DIMENSIONS + 4);
        prop_assert_eq!(TextVector::from_bytes(&bytes), Some(vector));
    }

    #[test]
    fn no_bytes_are_too_odd(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
        if let Some(vector) = TextVector::from_bytes(&bytes) {
            prop_assert!(vector.likeness(&vector).is_finite());
        }
    }

    #[test]
    fn the_nearest_are_those_that_are_most_alike(
        texts in prop::collection::vec((0_i64..3, numbers()), 1..60),
        asked in numbers(),
        most in 1_usize..20,
        (from, to) in (0_i64..60, 0_i64..60),
    ) {
        let question = TextVector::new(&asked).unwrap();
        let mut set = VectorSet::default();
        let mut expected = Vec::new();
        for (address, (group, numbers)) in (0..).zip(&texts) {
            let vector = TextVector::new(numbers).unwrap();
            set.insert(*group, key(address), &vector);
            // The group 2 is not looked at.
            if *group < 2 && address >= from && address < to {
                expected.push((question.likeness(&vector), address));
            }
        }
        expected.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)));
        expected.truncate(most);
        let within = BTreeMap::from([(0, (from, to)), (1, (from, to)), (7, (from, to))]);
        let near = set.nearest(&question, &within, most);
        let found: Vec<i64> = near.iter().map(|near| near.key.address).collect();
        prop_assert_eq!(found, expected.iter().map(|(_, address)| *address).collect::<Vec<_>>());
    }

    #[test]
    fn what_is_removed_is_not_found(texts in prop::collection::vec(numbers(), 2..30), gone in any::<prop::sample::Index>()) {
        let mut set = VectorSet::default();
        for (address, numbers) in (0..).zip(&texts) {
            set.insert(0, key(address), &TextVector::new(numbers).unwrap());
        }
        let at = gone.index(texts.len());
        let gone = i64::try_from(at).unwrap();
        set.remove(0, VectorKey { address: gone, batch: 2 });
        prop_assert_eq!(set.len(), texts.len(), "another vector of the same text");
        set.remove(0, key(gone));
        let within = BTreeMap::from([(0, (i64::MIN, i64::MAX))]);
        let near = set.nearest(&TextVector::new(&texts[at]).unwrap(), &within, 100);
        prop_assert_eq!(near.len(), texts.len() - 1);
        for near in near {
            let address = usize::try_from(near.key.address).unwrap();
            prop_assert!(address != at);
            let vector = TextVector::new(&texts[address]).unwrap();
            let asked = TextVector::new(&texts[at]).unwrap();
            prop_assert!((near.likeness - asked.likeness(&vector)).abs() < 1e-9, "the values moved with their keys");
        }
    }

    #[test]
    fn each_thing_is_in_one_list_once(one in prop::collection::vec(0_u8..40, 0..20), other in prop::collection::vec(0_u8..40, 0..20)) {
        let unique = |list: Vec<u8>| {
            let mut seen = BTreeSet::new();
            list.into_iter().filter(|thing| seen.insert(*thing)).collect::<Vec<_>>()
        };
        let one = unique(one);
        let other = unique(other);
        let both = fuse_ranked_lists(&[(1.0, one.clone()), (0.5, other.clone())]);
        let all: BTreeSet<u8> = one.iter().chain(&other).copied().collect();
        prop_assert_eq!(both.len(), all.len());
        prop_assert_eq!(both.iter().copied().collect::<BTreeSet<_>>(), all);
        let place = |thing: &u8| both.iter().position(|other| other == thing).unwrap();
        for (a, b) in one.iter().zip(one.iter().skip(1)) {
            // What stands in one list only keeps its order there.
            if !other.contains(a) && !other.contains(b) {
                prop_assert!(place(a) < place(b));
            }
        }
        prop_assert_eq!(fuse_ranked_lists(&[(1.0, one.clone()), (1.0, Vec::new())]), one, "nothing is added, nothing moves");
    }
}

#[test]
fn what_stands_high_in_both_comes_first() {
    assert_eq!(fuse_ranked_lists(&[(1.0, vec!["a", "b", "c"]), (1.0, vec!["c", "d"])]), ["c", "a", "b", "d"]);
    assert_eq!(
        fuse_ranked_lists(&[(1.0, vec!["a"]), (1.0, vec!["b"])]),
        ["a", "b"],
        "of equals, the earlier list's"
    );
}

#[test]
fn what_has_no_direction_is_no_vector() {
    let long = vec![1.0; 5000];
    for numbers in [&[][..], &[0.0, 0.0], &[f32::NAN, 1.0], &[f32::INFINITY, 1.0], &long] {
        assert_eq!(TextVector::new(numbers), None, "{:?}", numbers.iter().take(3).collect::<Vec<_>>());
    }
    let short = TextVector::new(&[1.0]).unwrap();
    let long = TextVector::new(&[1.0, 2.0]).unwrap();
    assert!(short.likeness(&long).abs() < f64::EPSILON, "of other lengths, nothing is known");
}

#[test]
fn vectors_of_another_length_are_another_models() {
    let mut set = VectorSet::default();
    set.insert(1, key(1), &TextVector::new(&[1.0, 0.0]).unwrap());
    set.insert(1, key(2), &TextVector::new(&[1.0, 0.0, 0.0]).unwrap());
    assert_eq!(set.len(), 1);
    let within = BTreeMap::from([(1, (0, 9))]);
    assert_eq!(set.nearest(&TextVector::new(&[1.0, 0.0]).unwrap(), &within, 9), []);
    assert_eq!(set.nearest(&TextVector::new(&[1.0, 0.0, 0.0]).unwrap(), &within, 9).len(), 1);
}

#[test]
fn a_model_is_given_words_and_no_references() {
    let words = |text: &str| words_to_embed(text);
    assert_eq!(words("<@U12AB> where is\n the  tea of <#C1>?").as_deref(), Some("where is the tea of ?"));
    assert_eq!(words("a < b and <@no one>").as_deref(), Some("a < b and <@no one>"));
    assert_eq!(words("te\u{200b}a").as_deref(), Some("tea"));
    assert_eq!(words("<@U1> :) !?"), None, "nothing that could mean anything");
    assert_eq!(words(&"茶".repeat(5000)).map(|words| words.chars().count()), Some(1000));
    let message = Message {
        channel: ChannelId::new("C1"),
        ts: MessageTs::from_micros(1),
        thread_ts: None,
        user: UserId::new("U1"),
        kind: MessageKind::Talk,
        text: "<@U2>".to_owned(),
        files: vec![FileRef { name: "crocodile.png".to_owned(), ..FileRef::default() }],
        edited_at: None,
        deleted: false,
    };
    let words = words_of_message(&message, "Noor K");
    assert_eq!(words.as_deref(), Some("(1 Jan 1970) Noor K: crocodile.png"), "when, who and what");
    let silent = Message { files: Vec::new(), ..message };
    assert_eq!(words_of_message(&silent, "Noor K"), None, "a name alone means nothing");
}

#[test]
fn models_are_told_what_a_text_is_as_they_were_trained() {
    let passage = EmbeddedText::Passage;
    let question = EmbeddedText::Question;
    assert_eq!(passage.with_model_mark("tea", "intfloat/multilingual-E5-small"), "passage: tea");
    assert_eq!(question.with_model_mark("tea", "multilingual-e5-small-q4"), "query: tea");
    assert_eq!(question.with_model_mark("tea", "text-embedding-3-small"), "tea");
    assert_eq!(passage.with_model_mark("tea", "nomic-embed-text:v1.5"), "search_document: tea");
    assert_eq!(question.with_model_mark("茶", "cl-nagoya/ruri-v3-130m"), "検索クエリ: 茶");
    assert_eq!(question.with_model_mark("茶", "ruri-base"), "クエリ: 茶");
    assert_eq!(passage.with_model_mark("tea", "mxbai-embed-large"), "tea");
    assert_eq!(passage.with_model_mark("tea", "multilingual-e5-large-instruct"), "tea");
    assert!(EmbeddedText::has_mark("mxbai-embed-large") && !EmbeddedText::has_mark("gte-small"));
}
