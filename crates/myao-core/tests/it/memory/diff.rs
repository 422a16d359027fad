//! What changed between two texts, word by word.

use myao_core::memory::{Change, DiffPiece, diff_of_words};
use proptest::prelude::*;

/// With the marks of a plain terminal.
fn marked(old: &str, new: &str) -> String {
    let piece = |DiffPiece { change, text }: DiffPiece| match change {
        Change::Kept => text,
        Change::Removed => format!("[-{text}-]"),
        Change::Added => format!("{{+{text}+}}"),
    };
    diff_of_words(old, new).into_iter().map(piece).collect()
}

fn side(pieces: &[DiffPiece], left_out: Change) -> String {
    pieces.iter().filter(|p| p.change != left_out).map(|p| p.text.as_str()).collect()
}

#[test]
fn japanese_is_told_apart_where_the_script_changes() {
    insta::assert_snapshot!(
        marked("- 会議は三月五日、担当は佐藤さん", "- 会議は三月八日、担当は高橋さん"),
        @"- 会議は[-三月五日-]{+三月八日+}、担当は[-佐藤-]{+高橋+}さん"
    );
    insta::assert_snapshot!(
        marked("サーバーの移行を3月に延期した", "データベースの移行を4月に中止した"),
        @"[-サーバー-]{+データベース+}の移行を[-3-]{+4+}月に[-延期-]{+中止+}した"
    );
    insta::assert_snapshot!(marked("Rust入門を読む", "Rust入門を読んだ"), @"Rust入門を読[-む-]{+んだ+}");
}

#[test]
fn words_of_other_languages_are_whole() {
    insta::assert_snapshot!(
        marked("- the bats don't roost here", "- the bats didn't roost there"),
        @"- the bats [-don't-]{+didn't+} roost [-here-]{+there+}"
    );
}

#[test]
fn a_phrase_rewritten_reads_as_one_change() {
    insta::assert_snapshot!(
        marked("we meet on Monday, early, as ever", "we meet each second week, as ever"),
        @"we meet [-on Monday, early-]{+each second week+}, as ever"
    );
}

#[test]
fn line_breaks_keep_changes_apart() {
    insta::assert_snapshot!(marked("- 一\n- 二\n- 三", "- 一\n- 弐\n- 参"), @r"
    - 一
    - [-二-]{+弐+}
    - [-三-]{+参+}
    ");
}

#[test]
fn nothing_and_everything() {
    assert_eq!(diff_of_words("", ""), []);
    assert_eq!(marked("", "新しい"), "{+新しい+}");
    assert_eq!(marked("古い", ""), "[-古い-]");
    assert_eq!(marked("同じ text。", "同じ text。"), "同じ text。");
}

/// Beyond the limit lines are compared, and beyond that wholes: no text is too much.
#[test]
fn long_texts_are_compared_more_coarsely() {
    let old = (0..3000).map(|n| format!("- point {n}")).collect::<Vec<_>>().join("\n");
    let new = old.replace("point 1500\n", "point X\n");
    let pieces = diff_of_words(&old, &new);
    assert_eq!(
        pieces.iter().map(|p| p.change).collect::<Vec<_>>(),
        [Change::Kept, Change::Removed, Change::Added, Change::Kept]
    );
    assert_eq!(pieces[1].text, "- point 1500\n");
    let old = "a\n".repeat(9000);
    let pieces = diff_of_words(&old, &"b\n".repeat(9000));
    assert_eq!(pieces.iter().map(|p| p.change).collect::<Vec<_>>(), [Change::Removed, Change::Added]);
}

proptest! {
    /// Kept and removed are the old text, kept and added the new; nothing is empty, no two alike in a row.
    #[test]
    fn both_texts_are_in_it(old in "[a-c ,。\n会議テスト01のはñ']{0,60}", new in "[a-c ,。\n会議テスト01のはñ']{0,60}") {
        let pieces = diff_of_words(&old, &new);
        prop_assert_eq!(side(&pieces, Change::Added), old);
        prop_assert_eq!(side(&pieces, Change::Removed), new);
        prop_assert!(pieces.iter().all(|p| !p.text.is_empty()));
        prop_assert!(pieces.windows(2).all(|p| p[0].change != p[1].change));
    }
}
