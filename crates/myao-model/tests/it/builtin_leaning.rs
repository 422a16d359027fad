//! What leans on other words is told with them, or not at all.

use crate::asking::{day, talk, text, told};

/// What is told of a message, with another one behind it that is always told.
fn written(said: &str) -> String {
    let lines = format!("10:00 ann: {said}\n10:10 bob: 新しい窯の修理は三月二十日の午後に業者が来ます");
    let written = text(talk("", day("2026-03-12", &lines)), 600);
    assert!(written.contains("業者が来ます"), "{written}");
    written
}

/// Without `so` or `then`, what somebody wants or supposes would be told as a fact.
#[test]
fn what_follows_from_something_says_so() {
    for (said, line) in [
        (
            "could anybody lend Bea the key of the kiln in Hall B? so the glazier can open the door on Monday",
            "could anybody lend Bea the key of the kiln in Hall B? so the glazier can open the door on Monday",
        ),
        (
            "had the town of Bergen only paid the glazier in March! then the kiln of Hall B would open on Monday",
            "had the town of Bergen only paid the glazier in March; then the kiln of Hall B would open on Monday",
        ),
    ] {
        assert_eq!(told(said), [line]);
    }
}

#[test]
fn a_statement_stays_with_its_condition() {
    let said = "if the town of Bergen pays the glazier from the harbour before the fair of the second Monday in March, then he \
                repairs the door of the kiln in Hall B, and the press of Hall C stands in the yard until the end of the \
                summer because nobody needs it";
    let lines = told(said);
    assert!(matches!(lines.as_slice(), [line] if line.starts_with("if the town")), "{lines:?}");
    let apart = format!("the lamps of Hall B came with the boat from Bergen on Monday, but {said}");
    let lines = told(&apart);
    assert!(matches!(lines.as_slice(), [_, line] if line.starts_with("but if the town")), "{lines:?}");
}

/// What somebody doubts or only remembers, they doubt or remember with its reason.
#[test]
fn a_japanese_reason_is_not_told_without_what_it_explains() {
    for (said, end) in [
        (
            "どこかの窯の扉の取っ手が一回目の点検の途中で外れていて、二回目の点検ではその取っ手がもう付いていないので、温度計の目盛りだけを見て点検が終わっていたような気がします。",
            "点検が終わっていたような気がします",
        ),
        (
            "説明書の三頁の図を見る限り実際には新しい窯の温度計と古い窯の温度計は同じもので、目盛りの数え方が特殊なものを新しい窯の温度計と呼んでいる、という理解になりました。",
            "という理解になりました",
        ),
    ] {
        let lines = told(said);
        assert!(matches!(lines.as_slice(), [line] if line.ends_with(end)), "{lines:?}");
    }
}

#[test]
fn what_somebody_asks_about_is_not_told_without_the_question() {
    for (said, question) in [
        ("窯の扉は焼く前に必ず二回閉める。鍵は一回だけ回す。この理解で合っていますか？", "この理解で"),
        ("窯の扉は焼く前に必ず二回閉める。鍵は一回だけ回すという認識でよろしいでしょうか", "という認識で"),
        ("扉 of Hall B is closed twice before the fire of Monday. Is that right?", "Is that right?"),
    ] {
        let written = written(said);
        assert!(!written.contains("扉") || written.contains(question), "{written}");
    }
    assert_eq!(
        told("the kiln of Hall B is closed on Monday. Is the right lamp of Hall C repaired?"),
        ["the kiln of Hall B is closed on Monday", "Is the right lamp of Hall C repaired?"]
    );
}

#[test]
fn a_japanese_sentence_whose_beginning_is_lost_is_not_told() {
    let lost = written("窯の設定はこちらです\\n\\nに変えても扉が同じ音を立てるので困っています");
    assert!(!lost.contains("扉"), "{lost}");
    let quoted = written("受付の窓口の記事\\n> 窯の扉の閉め方\\nという扉の記事が図書室の棚に置いてあります");
    assert!(quoted.contains("窓口の記事…という扉の記事が"), "{quoted}");
    assert!(written("というわけで扉の鍵は受付の係に返します").contains("扉の鍵"));
}

/// The clause before it may not be told, and then it would point to something else.
#[test]
fn a_japanese_sentence_is_not_divided_before_what_points_back() {
    let lines = told(
        "新しい窯の温度計の目盛りを古い窯の温度計の目盛りに合わせて読みたいのですが、そうすると点検の紙に書く数がすべて四十度も大きくなってしまいます。",
    );
    assert!(matches!(lines.as_slice(), [line] if line.starts_with('…')), "{lines:?}");
}

#[test]
fn no_sentence_ends_behind_an_initial_in_japanese_words() {
    for said in [
        "受付の棚の新しい窯の説明書ではなくて古い窯の説明書を使った、図B. A の方が近いのでは？",
        "図書室の窯の温度計の赤い表紙の説明書の次のver. は四月に届く予定です",
    ] {
        assert_eq!(told(said), [said.trim_end_matches("です")]);
    }
}

#[test]
fn a_japanese_sentence_goes_on_behind_a_particle() {
    for (said, line) in [
        (
            "新しい窯の点検の初めの日の予定は\\n三月二十日の午後に受付の係が紙に書いて貼り出します",
            "新しい窯の点検の初めの日の予定は 三月二十日の午後に受付の係が紙に書いて貼り出します",
        ),
        (
            "新しい窯の扉… が閉まる条件は図書室の説明書の三頁の表に載っています",
            "新しい窯の扉… が閉まる条件は図書室の説明書の三頁の表に載っています",
        ),
    ] {
        assert_eq!(told(said), [line]);
    }
    assert_eq!(
        told("みなさんこんにちは\\n三月二十日の午後に業者が来ます"),
        ["三月二十日の午後に業者が来ます"]
    );
}

/// Without its first word a quotation would have no beginning.
#[test]
fn quoted_words_stay_whole() {
    for said in [
        "the glazier told Bea 'well, there is a trick' when the kiln of Hall B was cold",
        "\"so the kiln of Hall B is closed\" is what the glazier told Bea on Monday",
    ] {
        assert_eq!(told(said), [said]);
    }
}

/// What was said between two sentences may be what the second one is about.
#[test]
fn only_what_was_said_side_by_side_shares_a_line() {
    let said = "10:00 ann: the lamps of the yard hang behind the green press. the old boat lies at the harbour of the \
                fishermen with nets and ropes and barrels and baskets and sails and oars and ladders and stones that nobody \
                wanted to buy at the fair of the second week or at the fair of the third week. the ladder came with the glazier of the town";
    let written = text(talk("", day("2026-03-12", said)), 62);
    let lines: Vec<&str> = written.lines().skip(1).collect();
    assert_eq!(
        lines,
        [
            "- ann: the lamps of the yard hang behind the green press",
            "- ann: the ladder came with the glazier of the town"
        ]
    );
}

#[test]
fn a_question_keeps_its_mark() {
    for said in [
        "the clerk wants to ignore the advice of the glazier and open the kiln of Hall B anyway?",
        "the kiln of Hall B is closed until the end of the fair, really?",
    ] {
        assert_eq!(told(said), [said]);
    }
}
