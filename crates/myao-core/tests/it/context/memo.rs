//! The bounds of a memo, and how a prompt shows one.

use myao_core::{
    context::{
        InvalidMemo, Memo, MemoChange, MemoDraft,
        memo::{CONTENT_LIMIT, DETAIL_LIMIT, NAME_LIMIT},
    },
    prompt::Composer,
    text::Language,
};
use proptest::prelude::*;

use crate::prompt_sample::{bare, names, now, templates, tokyo};

fn words(tags: &[&str]) -> Vec<String> {
    tags.iter().map(|&tag| tag.to_owned()).collect()
}

#[test]
fn a_new_memo_has_the_usual_priority_and_nothing_else() {
    let draft = MemoDraft::new("  佐藤さんの猫 ", "\nミケ、3歳\u{0}\u{7}\r\n三毛 ").unwrap();
    let expected = Memo {
        name: "佐藤さんの猫".to_owned(),
        content: "ミケ、3歳\n三毛".to_owned(),
        priority: 3,
        tags: Vec::new(),
        detail: None,
    };
    assert_eq!(*draft.memo(), expected);
}

#[test]
fn what_cannot_stand_in_a_memo_is_refused_with_its_bound() {
    let at_limit = MemoDraft::new(&"あ".repeat(NAME_LIMIT), &"い".repeat(CONTENT_LIMIT));
    assert!(at_limit.is_ok());
    let long = MemoDraft::new(&"あ".repeat(NAME_LIMIT + 1), "x").unwrap_err();
    assert_eq!(long.to_string(), "the name has 33 characters; at most 32 fit");
    assert_eq!(MemoDraft::new(" \n", "x").unwrap_err(), InvalidMemo::Empty("the name"));
    assert_eq!(MemoDraft::new("x", "\u{0}").unwrap_err(), InvalidMemo::Empty("the content"));
    let long = MemoDraft::new("x", &"い".repeat(CONTENT_LIMIT + 1)).unwrap_err();
    assert!(matches!(long, InvalidMemo::TooLong { limit: CONTENT_LIMIT, .. }), "{long}");
    for forged in ["a\nb", "[2026-03-02 09:00] x", "a: b", "a\u{2028}b"] {
        assert_eq!(MemoDraft::new(forged, "x").unwrap_err(), InvalidMemo::NoLabel("the name"), "{forged:?}");
    }
    let change = MemoChange::default;
    for priority in [-1, 0, 6, i64::MAX] {
        assert_eq!(change().priority(priority).unwrap_err(), InvalidMemo::Priority(priority));
    }
    assert_eq!(change().tags(&words(&["a", "b", "c", "d"])).unwrap_err(), InvalidMemo::Tags(4));
    assert!(change().tags(&words(&["a", " a", "b", "a ", "c"])).is_ok(), "each counts once");
    assert!(change().tags(&words(&["a", ""])).is_err());
    assert!(change().tags(&[NAME_LIMIT, 1].map(|n| "x".repeat(n + 1))).is_err());
    assert!(change().detail(&"う".repeat(DETAIL_LIMIT)).is_ok());
    assert!(change().detail(&"う".repeat(DETAIL_LIMIT + 1)).is_err());
}

#[test]
fn a_change_leaves_alone_what_it_does_not_name() {
    let all = MemoChange::default().tags(&words(&["家"])).unwrap().detail("牛乳は2本").unwrap();
    let memo = MemoDraft::new("買い物", "牛乳").unwrap().with(&all).memo().clone();
    assert_eq!((memo.tags.as_slice(), memo.detail.as_deref()), (&words(&["家"])[..], Some("牛乳は2本")));
    assert!(MemoChange::default().is_empty());
    assert_eq!(MemoChange::default().apply(memo.clone()), memo);
    let change = MemoChange::default().priority(5).unwrap().detail(" ").unwrap().name("買うもの").unwrap();
    assert!(!change.is_empty());
    let expected = Memo { name: "買うもの".to_owned(), priority: 5, detail: None, ..memo.clone() };
    assert_eq!(change.apply(memo), expected);
}

#[test]
fn a_prompt_says_where_there_is_more() {
    let mut context = bare(Language::Ja, Vec::new());
    let draft = |name, detail| {
        let change = MemoChange::default().detail(detail).unwrap();
        MemoDraft::new(name, "ミケ\n三毛").unwrap().with(&change).memo().clone()
    };
    context.memos = vec![draft("猫", "駅前の病院"), draft("犬", "")];
    let names = names(Language::Ja);
    let zone = tokyo();
    let templates = templates(Language::Ja);
    let composer = Composer { templates: &templates, names: &names, zone: &zone, max_tokens: 8000 };
    let system = composer.reply(&context, &[], now()).unwrap().system;
    assert!(system.contains("- 犬: ミケ\n  三毛\n- 猫: ミケ\n  三毛 … (get_memo)"), "{system}");
    assert!(!system.contains("駅前"), "{system}");
}

proptest! {
    /// Whatever is taken is in its bounds, and is taken again as it is.
    #[test]
    fn what_is_taken_is_within_the_bounds(name in ".{0,40}", content in ".{0,520}", tags in prop::collection::vec(".{0,34}", 0..5)) {
        let Ok(draft) = MemoDraft::new(&name, &content) else { return Ok(()) };
        let Ok(change) = MemoChange::default().tags(&tags) else { return Ok(()) };
        let memo = draft.with(&change).memo().clone();
        prop_assert!((1..=NAME_LIMIT).contains(&memo.name.chars().count()));
        prop_assert!((1..=CONTENT_LIMIT).contains(&memo.content.chars().count()));
        prop_assert!(!memo.content.contains('\0') && !memo.name.contains('\n'));
        prop_assert!(memo.tags.len() <= 3);
        let tags = MemoChange::default().tags(&memo.tags).unwrap();
        let again = MemoDraft::new(&memo.name, &memo.content).unwrap().with(&tags);
        prop_assert_eq!(again.memo(), &memo);
    }
}
