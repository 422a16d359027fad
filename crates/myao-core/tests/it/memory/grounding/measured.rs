//! How much of some talk a text keeps, and how much of it was said.

use myao_core::{
    memory::{FactCounts, facts_kept, grounded_lines},
    ports::{Material, Request},
    text::Language,
};

use super::Talk;

const TALK: Talk = Talk {
    lines: &[
        ("2026-03-02 10:00", "ana", "We meet Rosalind in Holm on 9 June at 15:30."),
        ("2026-03-02 10:01", "ken", "The hall takes 140 people. It is late, see you."),
    ],
    good: &[],
    bad: &[],
};

const TALK_JA: Talk = Talk {
    lines: &[("2026-03-02 10:00", "澄子", "発送は5月8日です。高橋さんが240箱を運びます。")],
    good: &[],
    bad: &[],
};

fn counts(text: &str, request: &Request) -> (FactCounts, FactCounts) {
    let Material::Talk { lines, .. } = &request.material else { panic!("talk") };
    let facts = facts_kept(text, lines, request.language);
    (facts.kept, facts.said)
}

#[test]
fn facts_count_in_whatever_form_they_stand() {
    let request = TALK.request(Language::En);
    let whole = "- 2026-06-09 ana: meeting Rosalind in Holm, half past three\n- ken: the hall takes 140";
    let (kept, said) = counts(whole, &request);
    assert_eq!((said.names, said.numbers, said.dates), (4, 1, 2), "{said:?}");
    assert_eq!(kept, said);
    let (kept, _) = counts("- ken speaks of a hall", &request);
    assert_eq!((kept.names, kept.numbers, kept.dates), (1, 0, 0));
    assert_eq!(counts("", &request).0.all(), 0);
    let (kept, said) =
        counts("- 2026-03-02 澄子: 発送は5/8、高橋さんが240箱", &TALK_JA.request(Language::Ja));
    assert_eq!((kept, said), (FactCounts { names: 2, numbers: 1, dates: 1 }, kept));
}

#[test]
fn lines_that_say_more_than_was_said_are_counted() {
    let request = TALK.request(Language::En);
    assert_eq!(grounded_lines("- ana meets Rosalind\n\n- 75 people came\n- on 1 May\n---", &request), (1, 3));
    assert_eq!(grounded_lines("", &request), (0, 0));
}
