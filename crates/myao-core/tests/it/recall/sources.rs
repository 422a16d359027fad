//! Which messages a line of a memory was made from.

use jiff::civil::date;
use myao_core::recall::{SourceCandidate, SourceCandidates};

fn said(day: i8, name: &str, text: &str) -> SourceCandidate {
    SourceCandidate { day: date(2026, 3, day), name: name.to_owned(), text: text.to_owned() }
}

fn talk() -> SourceCandidates {
    let all = [
        said(1, "noor", "Well, um, the bat count moves to Friday then, I think"),
        said(2, "ben", "The bat count moves to Friday"),
        said(2, "noor", "the bat count moves to Friday"),
        said(
            2,
            "noor",
            "the bat count moves to Friday, and the van needs tyres, and who has the key to the shed?",
        ),
        said(3, "ben", "the van needs tyres"),
        said(3, "澄子", "新茶の発送は五月八日に決めました"),
        said(4, "澄子", "新茶の値段は五月に決めます"),
    ];
    all.into_iter().collect()
}

fn first(line: &str) -> Option<usize> {
    talk().of_line(line).first().map(|(nth, _)| *nth)
}

#[test]
fn words_day_and_name_tell_the_source() {
    assert_eq!(first("- 2026-03-02 noor: the bat count moves to Friday"), Some(2));
    assert_eq!(first("- 2026-03-02 ben: the bat count moves to Friday"), Some(1));
    assert_eq!(first("- 2026-03-01 noor: the bat count moves to Friday"), Some(0));
    assert_eq!(first("- 2026-03-04 澄子: 新茶の発送は五月八日"), Some(5), "words count for more than a day");
}

#[test]
fn what_a_model_left_out_is_not_needed() {
    assert_eq!(first("van tyres needed"), Some(4), "of two, the one that says less else");
    assert_eq!(first("五月八日に発送"), Some(5));
}

#[test]
fn what_nobody_said_has_no_source() {
    for line in ["", "- ", "axolotl", "- 2026-03-02 noor: 予算", "ben: ?"] {
        assert_eq!(first(line), None, "{line}");
    }
    assert_eq!(SourceCandidates::default().of_line("the bat count"), []);
}
