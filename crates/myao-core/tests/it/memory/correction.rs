//! What a person put right, in the texts that are written later.

use jiff::civil::{Date, date};
use myao_core::memory::{Correction, ReplacedStatement, replaced_statements, text_put_right};
use proptest::prelude::*;

const DAY: Date = date(2026, 3, 4);

fn replaced(before: &str, after: &str) -> Vec<(Correction, String)> {
    let by_ben = |ReplacedStatement { replaced, terms, words }| {
        let correction = Correction {
            replaced: Some(replaced),
            replaced_terms: terms,
            words: words.clone(),
            actor: "ben".to_owned(),
            day: DAY,
            mark: None,
        };
        (correction, words)
    };
    replaced_statements(before, after).into_iter().map(by_ben).collect()
}

fn words(before: &str, after: &str) -> Vec<String> {
    replaced(before, after).into_iter().map(|(_, words)| words).collect()
}

/// A text, put right by the change from `before` to `after`; `None` if nothing changes.
fn again(before: &str, after: &str, text: &str) -> Option<String> {
    let corrections: Vec<Correction> = replaced(before, after).into_iter().map(|(one, _)| one).collect();
    let right = text_put_right(text, &corrections, |_| false);
    assert_eq!(text_put_right(&right.text, &corrections, |_| false).text, right.text, "once is enough");
    (right.text != text).then_some(right.text)
}

#[test]
fn what_was_replaced_is_told_sentence_by_sentence() {
    let text = "- 2026-03-02 aki: the fair is in May\n- the kiln stands in the barn";
    let fair = text.replace("2026-03-02 aki: the fair is in May", "the fair is in June");
    assert_eq!(words(text, &fair), ["the fair is in June"]);
    assert_eq!(words(text, "- the kiln stands in the barn"), [""], "struck out");
    assert_eq!(words(text, &format!("{text}\n- and a wheel")), [] as [&str; 0], "only added");
    assert_eq!(words(text, &text.replace("in May", "in May!")), [] as [&str; 0], "only marks");
    let two = "- the fair is in May; the kiln stands in the barn";
    assert_eq!(words(two, "- the fair is in June; the kiln stands in the barn"), ["the fair is in June"]);
    assert_eq!(words(two, "- the kiln stands in the barn"), [""]);
    let ja = "- 祭りは五月です。窯は納屋にあります。";
    assert_eq!(words(ja, "- 祭りは六月です。窯は納屋にあります。"), ["祭りは六月です。"]);
    let speaker = "- 2026-03-02 aki: I sent it";
    assert_eq!(words(speaker, "- 2026-03-02 hana: I sent it"), ["2026-03-02 hana: I sent it"]);
    let many = |word: &str| (0..60).map(|n| format!("- {word} number {n}")).collect::<Vec<_>>().join("\n");
    assert_eq!(words(&many("hen"), &many("the old cow of")), [] as [&str; 0], "another text altogether");
    let shorter = many("hen").lines().take(5).collect::<Vec<_>>().join("\n");
    assert_eq!(words(&many("hen"), &shorter), [] as [&str; 0], "it was only made shorter");
    let days = "- the fair is in May\n- the market is in May\n- the concert is in May\n- the race is in May";
    assert_eq!(words(days, &days.replace("May", "June")).len(), 4, "each with another value");
}

#[test]
fn it_stands_as_a_line_of_its_own_with_who_and_when() {
    let (before, after) = ("- the fair is in May", "- the fair is in June");
    let said = |text: &str| again(before, after, text);
    assert_eq!(
        said("- 2026-03-02 aki: The fair is in May.").as_deref(),
        Some("- 2026-03-04 ben: the fair is in June")
    );
    assert_eq!(
        said("[2026-03-02 09:00] aki: the fair is in May\n[2026-03-02 09:01] hana: fine").as_deref(),
        Some("- 2026-03-04 ben: the fair is in June\n[2026-03-02 09:01] hana: fine")
    );
    assert_eq!(
        said("## 2026-03-02\n- the kiln is hot; the fair is in May\n- more").as_deref(),
        Some("## 2026-03-02\n- the kiln is hot\n- 2026-03-04 ben: the fair is in June\n- more")
    );
    assert_eq!(
        said("- #general 2026-03-02 aki: the fair is in May").as_deref(),
        Some("- #general 2026-03-04 ben: the fair is in June")
    );
    assert_eq!(
        said("・祭り\n・the fair is in May\n・the fair is in May").as_deref(),
        Some("・祭り\n・2026-03-04 ben: the fair is in June"),
        "said twice, put right once"
    );
    assert_eq!(said("- the fair is in May\n- the fair is in June").as_deref(), Some("- the fair is in June"));
    assert_eq!(said("- the fair is in Maybach"), None);
    assert_eq!(said("- the kiln is hot"), None);
}

#[test]
fn what_is_said_later_is_left_alone() {
    let said = |text: &str| again("- the fair is in May", "- the fair is in June", text);
    assert_eq!(said("- 2026-03-09 aki: the fair is in May"), None);
    assert_eq!(said("[2026-03-09 09:00] aki: the fair is in May"), None);
    assert_eq!(said("## 2026-03-09\n- the fair is in May"), None);
    assert!(said("- 2026-03-05 aki: the fair is in May").is_some(), "there it may still be the day before");
}

/// A model says it in other words.
#[test]
fn what_was_wrong_is_known_again_in_other_words() {
    let (before, after) =
        ("The village party is on Friday 12 June.", "The village party is on Thursday 11 June.");
    let statement = ReplacedStatement::of(before, after.to_owned()).expect("words");
    let told = |mark: Option<&str>| Correction {
        replaced: Some(statement.replaced),
        replaced_terms: statement.terms.clone(),
        words: statement.words.clone(),
        actor: "ben".to_owned(),
        day: DAY,
        mark: mark.map(str::to_owned),
    };
    let right = |text: &str, mark| {
        let corrections = [told(mark)];
        let right = text_put_right(text, &corrections, |_| false);
        assert_eq!(text_put_right(&right.text, &corrections, |_| false), right, "once is enough");
        right.text
    };
    let until = Some(" (until 2026-03-04)");
    let holds = "- 2026-03-04 ben: The village party is on Thursday 11 June.";
    assert_eq!(
        right("- On Friday, 12 June, the party of the village takes place, and Bob brings tables.", until),
        format!(
            "- On Friday, 12 June, the party of the village takes place, and Bob brings tables (until 2026-03-04).\n{holds}"
        )
    );
    assert_eq!(
        right("- Village party: Friday, 12 June", until),
        format!("- Village party: Friday, 12 June (until 2026-03-04)\n{holds}")
    );
    assert_eq!(right("- Village party set for Friday 12 June", None), holds);
    for other in [
        "- The village council meets on Friday.",
        "- The village party was moved from Friday to Thursday.",
        "- Is the village party on Friday 12 June?",
        "- 2026-03-09 aki: The village party is on Friday 12 June after all, says the council",
        "- Friday 12 June is a holiday.",
        "- The village party will be loud.",
    ] {
        assert_eq!(right(other, until), other);
        assert_eq!(right(other, None), other);
    }
    let longer =
        "- On Friday 12 June the village party begins at noon, and Bob brings the long tables from the barn.";
    assert_eq!(right(longer, None), longer, "more than that would go with it");
}

#[test]
fn what_was_wrong_is_known_again_in_other_japanese_words() {
    let ja = ReplacedStatement::of(
        "夏祭りは8月12日の金曜に決まりました。",
        "夏祭りは8月11日の木曜に決まりました。".to_owned(),
    );
    let ja = ja.expect("words");
    let correction = Correction {
        replaced: Some(ja.replaced),
        replaced_terms: ja.terms,
        words: ja.words,
        actor: "花".to_owned(),
        day: DAY,
        mark: Some("（2026-03-04まで）".to_owned()),
    };
    let right =
        text_put_right("- 8月12日（金曜）に夏祭りを行うと決定", std::slice::from_ref(&correction), |_| false)
            .text;
    assert!(right.contains("（2026-03-04まで）") && right.contains("8月11日の木曜"), "{right}");
}

#[test]
fn where_it_stays_it_stands_even_alone() {
    let corrections: Vec<Correction> =
        replaced("- the fair is in May", "- the fair is in June").into_iter().map(|(one, _)| one).collect();
    let right = text_put_right("- spring brings the fair", &corrections, |_| true);
    assert_eq!(right.text, "- spring brings the fair\n- 2026-03-04 ben: the fair is in June");
    assert_eq!(right.used, [0]);
    assert_eq!(text_put_right(&right.text, &corrections, |_| true).text, right.text);
    assert_eq!(text_put_right("- spring", &corrections, |_| false).used, [] as [usize; 0]);
}

proptest! {
    /// Whatever stands in a text: what nothing was put right of stays to the letter, what was wrong is gone, and what holds
    /// stands there once.
    #[test]
    fn a_text_keeps_everything_else(
        lines in proptest::collection::vec("(- )?(2026-0[1-4]-1[0-9] )?([a-z]{2,6}: )?[a-zあ-ん ]{3,20}(。|; |\\. )?[a-z]{0,9}", 0..8),
        at in 0_usize..9,
    ) {
        let mut with = lines.clone();
        with.insert(at.min(lines.len()), "- the fair is in May".to_owned());
        let corrections: Vec<Correction> =
            replaced("- the fair is in May", "- the fair is in June").into_iter().map(|(one, _)| one).collect();
        let plain = lines.join("\n");
        prop_assert_eq!(&text_put_right(&plain, &corrections, |_| false).text, &plain);
        // Behind a line without a bullet it may be a part of that.
        prop_assume!(myao_core::memory::parts_of_text(&with.join("\n")).iter().any(|part| part.text == "the fair is in May"));
        let right = text_put_right(&with.join("\n"), &corrections, |_| false).text;
        prop_assert!(!right.contains("May"));
        prop_assert_eq!(right.matches("- 2026-03-04 ben: the fair is in June").count(), 1);
        let others: Vec<&str> = right.lines().filter(|line| !line.contains("June")).collect();
        prop_assert_eq!(others, plain.lines().collect::<Vec<_>>());
    }
}
