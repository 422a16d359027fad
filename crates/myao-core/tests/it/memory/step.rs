//! Names in storage: read back as they were written, and nothing else.

use myao_core::memory::{ClosedBy, StepKind};

#[test]
fn kinds_of_journal_entries() {
    let kinds = [
        (StepKind::Verbatim, "verbatim"),
        (StepKind::Summary, "summary"),
        (StepKind::Merge, "merge"),
        (StepKind::Emptied, "emptied"),
        (StepKind::Adopted, "adopted"),
        (StepKind::Revert, "revert"),
        (StepKind::Edit, "edit"),
        (StepKind::Refused, "refused"),
    ];
    for (kind, name) in kinds {
        assert_eq!((kind.as_str(), name.parse()), (name, Ok(kind)));
    }
    assert!("merged".parse::<StepKind>().is_err());
}

#[test]
fn reasons_for_a_chapter_to_end() {
    let reasons = [
        (ClosedBy::Threshold, "threshold"),
        (ClosedBy::Idle, "idle"),
        (ClosedBy::Provisional, "provisional"),
        (ClosedBy::First, "first"),
        (ClosedBy::Window, "window"),
        (ClosedBy::Adopted, "adopted"),
    ];
    for (by, name) in reasons {
        assert_eq!((by.as_str(), name.parse()), (name, Ok(by)));
    }
    assert!("full".parse::<ClosedBy>().is_err());
}
