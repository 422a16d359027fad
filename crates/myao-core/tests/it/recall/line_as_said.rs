//! Whether a line of a memory repeats a message to the letter.

use myao_core::recall::LineAsSaid;

fn is_said(line: &str, name: &str, message: &str) -> bool {
    LineAsSaid::of(line).is_said_by(name, message)
}

#[test]
fn what_stands_in_front_is_no_part_of_what_was_said() {
    let message = "Boxes go in the post on Monday 16 March, tracked.";
    for line in [
        "- 2026-03-02 Imogen: Boxes go in the post on Monday 16 March",
        "- 2026-03-02 #spring-count Imogen: Boxes go in the post on Monday 16 March",
        "[2026-03-02 10:33] Imogen: Boxes go in the post on Monday 16 March, tracked.",
        "- Imogen: boxes go in the *post*",
        "- 2026-03-02: Boxes go in the post",
        "boxes go",
    ] {
        assert!(is_said(line, "Imogen", message), "{line}");
    }
    let japanese = "予約開始は3/20(金)10:00に決定します。写真はあとで。";
    assert!(is_said(
        "- 2026-03-02 #新茶2026 澄子: 予約開始は3/20(金)１０:００に決定します",
        "澄子",
        japanese
    ));
}

#[test]
fn sentences_are_looked_for_one_by_one() {
    let message = "The gaskets are here. Tea first!\nI measured: they fit. Fit 37 of them";
    assert!(is_said("- 2026-03-19 Tomasz: The gaskets are here; I measured: they fit", "Tomasz", message));
    assert!(is_said("- Tomasz: The gaskets are here [file: Dry]", "Tomasz", message));
    let japanese = "空き36GB\n「毎晩消す」設定も入れました\n以上です";
    assert!(is_said("- 2026-03-10 たかなし: 空き36GB; 「毎晩消す」設定も入れました", "たかなし", japanese));
    assert!(is_said("- たかなし: 空き36GB。以上です", "たかなし", japanese));
}

#[test]
fn other_words_and_other_people_are_not_what_was_said() {
    let message = "We do not move the count. It stays on Friday";
    for line in [
        "- 2026-03-02 Bea: We move the count",
        "- 2026-03-02 Bea: We do not move the count; it stays on Thursday",
        "- 2026-03-02 Imogen: It stays on Friday",
        "- 2026-03-02 Bea: It stays on Fri",
        "- Bea:",
        "**",
    ] {
        assert!(!is_said(line, "Bea", message), "{line}");
    }
}

#[test]
fn the_day_of_a_line_is_known() {
    let line = LineAsSaid::of("- 2026-03-02 Bea: tea");
    assert_eq!(line.day(), Some(jiff::civil::date(2026, 3, 2)));
    assert_eq!(line.undated(), "bea: tea");
    assert!(line.stands_in("- 2026-03-02 Bea: Tea at four") && line.stands_in("[2026-03-02 10:00] Bea: tea"));
}
