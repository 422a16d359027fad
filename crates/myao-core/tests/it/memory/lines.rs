//! Lines of memories: where they stand, what they are worth, and which of them a later one replaces.

use jiff::civil::date;
use myao_core::{
    memory::{
        announces_change, lines_ended_within, lines_of_text, mark_line_ends, subjects_if_replaced,
        words_of_end,
    },
    text::Language,
    worth::points_of_line,
};

/// Number, day, words.
fn told(text: &str) -> Vec<(usize, String, String)> {
    let day = |day: Option<jiff::civil::Date>| day.map(|day| day.to_string()).unwrap_or_default();
    lines_of_text(text).into_iter().map(|line| (line.nth, day(line.day), line.words)).collect()
}

fn line(nth: usize, day: &str, words: &str) -> (usize, String, String) {
    (nth, day.to_owned(), words.to_owned())
}

#[test]
fn lines_of_bullets_stand_under_their_day() {
    let text = "2026-03-02\n- hana: We meet at nine.\n- ken: Fine.\n\n2026-03-05\n- hana: We meet at ten.";
    let expected = [
        line(1, "2026-03-02", "hana: We meet at nine."),
        line(2, "2026-03-02", "ken: Fine."),
        line(5, "2026-03-05", "hana: We meet at ten."),
    ];
    assert_eq!(told(text), expected);
}

#[test]
fn a_day_before_the_words_is_theirs() {
    let text = "- 2026-03-02 hana: We meet.\n* 2026年3月4日 会議は10時\n3. 2026/3/5: a note";
    let expected = [
        line(0, "2026-03-02", "hana: We meet."),
        line(1, "2026-03-04", "会議は10時"),
        line(2, "2026-03-05", "a note"),
    ];
    assert_eq!(told(text), expected);
}

#[test]
fn a_message_kept_word_for_word_is_one_line() {
    let text = "[2026-03-02 10:15] hana: We meet\n  at nine\n[2026-03-03 09:00] ken: Fine.";
    let expected = [line(0, "2026-03-02", "hana: We meet at nine"), line(2, "2026-03-03", "ken: Fine.")];
    assert_eq!(told(text), expected);
}

#[test]
fn prose_is_a_line_a_paragraph() {
    let text = "## Monday\n\nThey planned the fair.\nIt is in May.\n\nNobody minds.";
    assert_eq!(
        told(text),
        [line(2, "", "They planned the fair. It is in May."), line(5, "", "Nobody minds.")]
    );
    assert!(told("\n \n").is_empty());
}

#[test]
fn what_stands_for_months_is_worth_more_than_the_moment() {
    let pairs = [
        ("ana: Decided: the pump house gets Ferrel valves.", "ana: wait, I get an error now"),
        ("ana: The Lindwell fair takes place on 9 June.", "ana: I have a fair on 9 June, can you help me?"),
        ("ana: Tova looks after the Lindwell greenhouse.", "ana: you should look at line 12 of main.rs"),
        ("ana: 森の家の予算は45000円です。", "ana: いま45000行目でエラーが出て困っています"),
        ("ana: 今後の窓口は田村さんが担当します。", "ana: ちょっと試してみます"),
    ];
    for (lasting, passing) in pairs {
        assert!(
            points_of_line(lasting) > points_of_line(passing) + 20,
            "{lasting} {}",
            points_of_line(lasting)
        );
    }
}

#[test]
fn a_changed_value_ends_the_earlier_one() {
    let pairs = [
        (
            "ana: The Lindwell fair has been moved: it is now on 9 June.",
            "ken: The Lindwell fair is on 2 May.",
        ),
        ("ana: Lindwell parking fee changes to 14 crowns", "ken: The Lindwell parking fee is 12 crowns."),
        (
            "ana: The Lindwell choir no longer sings in Holm; the choir sings in Varde now",
            "ken: The Lindwell choir sings in Holm.",
        ),
        ("ana: 森の家の花見は日程を変更して4月12日に行います。", "ken: 森の家の花見は4月5日に行います。"),
        ("ana: 訂正：森の家の会費は500円ではなく800円です。", "ken: 森の家の会費は500円です。"),
        // A place is a value although no writing shows that, and a decision may be put as a question.
        ("ana: 花見の場所は市民会館になります。", "ken: 花見の場所は中央公園です。"),
        ("ana: 例会の会場は図書館になったそうです", "ken: 例会の会場は公民館です"),
        ("ana: じゃあ花見の集合は15時でいきますか？", "ken: 花見の集合は14時です"),
    ];
    for (later, earlier) in pairs {
        assert!(announces_change(later).is_some(), "{later}");
        assert!(subjects_if_replaced(later, earlier).is_some(), "{later} / {earlier}");
        assert!(subjects_if_replaced(earlier, later).is_none(), "{later} / {earlier}");
    }
}

#[test]
fn a_value_that_is_said_to_hold_no_more_ends_where_it_stands() {
    let pairs = [
        (
            "ana: Change of plan: the Spring Count is now 20 to 24 April, not 23 to 27 March.",
            "ken: Decided: Count week is Monday 23 March to Friday 27 March.",
        ),
        (
            "ana: The bus to Holm leaves at 9:15 rather than 9:45.",
            "ken: We take the bus at 9:45, somebody is always late.",
        ),
        (
            "ana: Dinner was moved from 2 May to 9 June, says Tova.",
            "ken: I will bring the big table for dinner on 2 May.",
        ),
        (
            "ana: 棚卸しは3月23日ではなく4月20日からです。",
            "ken: 棚卸し、3月23日に始めるので倉庫の鍵を借りてください",
        ),
        (
            "ana: 棚卸しの日程、3月23日から4月20日に変更だそうです",
            "ken: 棚卸し、3月23日に始めるので倉庫の鍵を借りてください",
        ),
    ];
    for (later, earlier) in pairs {
        let words = announces_change(later).expect(later);
        let shared = subjects_if_replaced(later, earlier).unwrap_or_else(|| panic!("{later} / {earlier}"));
        assert!(
            shared.is_subset(&words) && shared.is_subset(&words_of_end(earlier)),
            "it is looked up by {shared:?}"
        );
        assert!(subjects_if_replaced(earlier, later).is_none(), "{later} / {earlier}");
    }
}

/// A long-term memory tells of ends by its own words alone.
#[test]
fn a_text_ends_what_its_later_lines_deny() {
    let text = "\
- 2026-03-02 ken: Decided: Count week is Monday 23 March to Friday 27 March.
- 2026-03-09 noor: 40 boxes posted on 16 March, Count 23 to 27 March
- 2026-03-12 ana: Change of plan: the Spring Count is now 20 to 24 April, not 23 to 27 March.
- 2026-03-15 ana: The Spring Count moves from 20 to 24 April.
- 2026-03-20 ken: Count week is 20 to 24 April.";
    assert_eq!(lines_ended_within(text), [(0, date(2026, 3, 12))]);
    let backwards: Vec<&str> = text.lines().rev().collect();
    assert_eq!(lines_ended_within(&backwards.join("\n")), [(4, date(2026, 3, 12))], "days count, not places");
    assert_eq!(lines_ended_within("- ken: Count week is 2 May.\n- ana: Count week is 9 May, not 2 May."), []);
}

#[test]
fn a_value_of_something_else_does_not_end() {
    let pairs = [
        // Another month.
        (
            "ana: Change of plan: the Spring Count is now 20 to 24 April, not 23 to 27 March.",
            "ken: Count week is 23 to 27 May.",
        ),
        // More than the value that is denied.
        (
            "ana: Change of plan: the Spring Count is now 20 to 24 April, not 23 to 27 March.",
            "ken: The Count is 23 to 27 March, 40 people help.",
        ),
        // Another matter.
        ("ana: The bus to Holm leaves at 9:15, not 9:45.", "ken: Tova opens the kitchen at 9:45."),
        ("ana: The Varde choir sings on 9 June, not 2 May.", "ken: The Lindwell choir sings on 2 May."),
        ("ana: 花見の場所は市民会館になります。", "ken: 月見の場所は中央公園です。"),
        ("ana: 花見の場所は市民会館になります。", "ken: 花見の会費は中央公園で集めます。"),
        // No value is denied.
        (
            "ana: I am not 100% sure about the budget of the fair.",
            "ken: The fair has a budget of 100 crowns.",
        ),
        ("ana: The kitchen is dark, it is not 9 yet.", "ken: The kitchen opens at 9."),
        (
            "ana: The bus to Holm does not wait, 9:45 is too late.",
            "ken: We take the bus at 9:45, Tova is late.",
        ),
        ("ana: Not more than 45 people fit into the bus.", "ken: 45 people want to come by bus to Holm."),
        (
            "ana: 棚卸しは3月23日から4人で始めます、鍵は変更なし",
            "ken: 棚卸し、3月23日に始めるので倉庫の鍵を借りてください",
        ),
    ];
    for (later, earlier) in pairs {
        assert_eq!(subjects_if_replaced(later, earlier), None, "{later} / {earlier}");
    }
}

#[test]
fn what_is_not_plain_ends_nothing() {
    let pairs = [
        // Another matter.
        ("ana: The Varde fair has been moved: it is now on 9 June.", "ken: The Lindwell choir is on 2 May."),
        (
            "ana: The Varde fair has been moved: it is now on 9 June.",
            "ken: The Lindwell fair has been moved: it is now on 2 May.",
        ),
        (
            "ana: that key went on, Tova has the one for the Varde shed now",
            "ken: that key went on, Edda has the one for the Lindwell shed now",
        ),
        ("ana: 天気がだめそう、梅坂の釣りは7月25日に変更", "ken: 天気がだめそう、竹橋の釣りは6月12日に変更"),
        // Nothing changes.
        ("ana: The Lindwell fair has not changed, it is on 9 June.", "ken: The Lindwell fair is on 2 May."),
        ("ana: 森の家の花見、変更なしで4月12日に行います。", "ken: 森の家の花見は4月5日に行います。"),
        ("ana: The Lindwell fair is fun, on 9 June we saw it.", "ken: The Lindwell fair is on 2 May."),
        // The same value.
        ("ana: The Lindwell fair stays on 2 May now.", "ken: The Lindwell fair is on 2 May."),
        // A question.
        ("ana: Has the Lindwell fair been moved to 9 June?", "ken: The Lindwell fair is on 2 May."),
        // Nothing with a value.
        ("ana: The Lindwell fair has been moved, it is now on 9 June.", "ken: The Lindwell fair was lovely."),
        ("ana: 今週も森の家の本の続きを読みます、今は6章です", "ken: 今週も引き続き3章の本文を読みました"),
    ];
    for (later, earlier) in pairs {
        assert_eq!(subjects_if_replaced(later, earlier), None, "{later} / {earlier}");
    }
}

#[test]
fn an_end_stands_behind_its_line() {
    let text = "2026-03-02\n- hana: at nine\n- ken: fine";
    let ends = [(1, date(2026, 3, 9))];
    assert_eq!(
        mark_line_ends(text, &ends, Language::En),
        "2026-03-02\n- hana: at nine (until 2026-03-09)\n- ken: fine"
    );
    assert_eq!(
        mark_line_ends(text, &ends, Language::Ja),
        "2026-03-02\n- hana: at nine（2026-03-09まで）\n- ken: fine"
    );
    assert_eq!(mark_line_ends(text, &[], Language::En), text);
}
