//! What is told in fewer words does not come to say something that nobody said.

use crate::asking::{day, talk, text, told};

/// Checks what becomes of messages: the words of each have to give these lines, and no others.
fn hold(cases: &[(&str, &[&str])]) {
    let found: Vec<(&str, Vec<String>)> = cases.iter().map(|(said, _)| (*said, told(said))).collect();
    let wanted: Vec<(&str, Vec<String>)> = cases
        .iter()
        .map(|(said, lines)| (*said, lines.iter().map(|line| (*line).to_owned()).collect()))
        .collect();
    assert_eq!(found, wanted);
}

#[test]
fn a_question_that_is_cut_stays_a_question() {
    hold(&[
        (
            "新しい窯の温度計の目盛りが古い窯の温度計の目盛りと食い違っている原因は設置場所の湿度と配線の長さと部屋の明るさの組み合わせではないでしょうか？",
            &[
                "新しい窯の温度計の目盛りが古い窯の温度計の目盛りと食い違っている原因は設置場所の湿度と配線の…？",
            ],
        ),
        (
            "is the thermometer of the new kiln on the second floor that the glazier brought from the old workshop behind the harbour last winter together with the shelves the tables the lamps the brushes and the heavy green press from Bergen still wrong by about forty degrees when the door stays open for more than a minute?",
            &[
                "is the thermometer of the new kiln on the second floor that the glazier brought from the old workshop behind the harbour last winter together with the shelves the tables the lamps the brushes and the…?",
            ],
        ),
    ]);
}

#[test]
fn a_statement_that_is_cut_becomes_no_question() {
    hold(&[
        (
            "新しい窯の温度計の目盛りが古い窯の温度計の目盛りと食い違っている原因は設置場所の湿度と配線の長さと部屋の明るさの組み合わせでした。",
            &[
                "新しい窯の温度計の目盛りが古い窯の温度計の目盛りと食い違っている原因は設置場所の湿度と配線の長…",
            ],
        ),
        ("窯の温度計は直りましたか？", &["窯の温度計は直りましたか？"]),
    ]);
}

#[test]
fn a_long_sentence_is_divided_at_the_comma_of_science_too() {
    hold(&[(
        "新しい窯の温度計は三月の初めに届いた古い説明書の通りに据え付けてありますが，目盛りが古い窯の温度計と四十度も食い違っているので業者に交換を頼みました。",
        &[
            "新しい窯の温度計は三月の初めに届いた古い説明書の通りに据え付けてありますが",
            "目盛りが古い窯の温度計と四十度も食い違っているので業者に交換を頼みました",
        ],
    )]);
}

/// Without its end, what somebody asks about or doubts would be told as what they say.
#[test]
fn a_sentence_goes_on_behind_a_mark_where_it_is_quoted() {
    let whole = |said: &'static str, line: &'static str| assert_eq!(told(said), [line]);
    whole(
        "新しい窯の扉は焼く前に必ず二回閉めて鍵を回す。という理解で合っているでしょうか？",
        "新しい窯の扉は焼く前に必ず二回閉めて鍵を回す。という理解で合っているでしょうか？",
    );
    whole(
        "新しい窯の扉は焼く前に必ず二回閉めて鍵を回す。\\nという理解で合っているでしょうか？",
        "新しい窯の扉は焼く前に必ず二回閉めて鍵を回す。 という理解で合っているでしょうか？",
    );
    whole(
        "新しい窯の扉は中の皿が冷める前でも開けられる．と考えられませんか？",
        "新しい窯の扉は中の皿が冷める前でも開けられる．と考えられませんか？",
    );
    whole(
        "新しい窯の扉は中の皿が冷める前でも開けられる! と思ったのは間違いでした。",
        "新しい窯の扉は中の皿が冷める前でも開けられる! と思ったのは間違いでした",
    );
    whole(
        "次の点検は四月の第一月曜日の朝に新しい窯の扉の右の枠の取っ手から。だったかな。",
        "次の点検は四月の第一月曜日の朝に新しい窯の扉の右の枠の取っ手から。だったかな",
    );
    whole(
        "図書室の窯の説明書の赤い表紙の第2版? から扉の閉め方と鍵の回し方が変わりました。",
        "図書室の窯の説明書の赤い表紙の第2版? から扉の閉め方と鍵の回し方が変わりました",
    );
    whole(
        "The sign at the old kiln says \"Close the door behind you!\" in tall red letters since the fair of last Monday.",
        "The sign at the old kiln says \"Close the door behind you!\" in tall red letters since the fair of last Monday",
    );
}

/// Its second half would be told without the condition, and its first half would say nothing.
#[test]
fn a_sentence_goes_on_in_the_next_message() {
    for (said, line) in [
        (
            "to open the kiln of Hall B turn the key from\\n'closed' to 'open'",
            "to open the kiln of Hall B turn the key from 'closed' to 'open'",
        ),
        (
            "the kiln of Hall B would be repaired by now if the\\ntown had paid the glazier in March",
            "the kiln of Hall B would be repaired by now if the town had paid the glazier in March",
        ),
    ] {
        assert_eq!(told(said), [line]);
    }
    let begin =
        "the glazier wrote that the lamps of the hall stand on the shelves behind the press ".repeat(3);
    let written =
        told(&format!("{begin}but if the town had paid\\nthe kiln of Hall B would be repaired by now"));
    assert!(!written.iter().any(|line| line.starts_with("the kiln of Hall B would")), "{written:?}");
    assert_eq!(
        told(
            "the kiln of Hall B came with the glazier from Bergen on Monday morning\\nthe press of Hall C stands in the yard until the end of the fair"
        ),
        [
            "the kiln of Hall B came with the glazier from Bergen on Monday morning",
            "the press of Hall C stands in the yard until the end of the fair"
        ]
    );
}

/// Without its lead, what a program says would be told as the speaker's own words.
#[test]
fn what_a_line_announces_is_told_with_it() {
    for (said, line) in [
        (
            "the display shows this error when Bea turns the key.\\nThe kiln is limited to members of the Guild.",
            "the display shows this error when Bea turns the key: The kiln is limited to members of the Guild",
        ),
        (
            "one of the clerks of the harbour said\\nthe kiln of Hall B is limited to members of the Guild",
            "one of the clerks of the harbour said the kiln of Hall B is limited to members of the Guild",
        ),
        (
            "the letter of the town says:\\nThe kiln of Hall B is limited to members.",
            "the letter of the town says: The kiln of Hall B is limited to members",
        ),
        (
            "the display shows this error since Monday\\nDoes anybody know the key of the kiln?",
            "the display shows this error since Monday; Does anybody know the key of the kiln?",
        ),
    ] {
        assert_eq!(told(said), [line]);
    }
}

/// `stops at the second page` would be told without its condition.
#[test]
fn no_sentence_ends_behind_the_name_of_a_macro() {
    let said =
        "the list of Hall B only has to be longer than a page and then print_list! stops at the second one";
    assert_eq!(told(said), [said]);
}

/// Without what it explains, the explanation of a question or of a wish would be told as a fact.
#[test]
fn an_explanation_is_told_with_what_it_explains() {
    for (said, line) in [
        (
            "could the kiln of Hall B get a second door? i.e. the door to the yard is the way in and out",
            "could the kiln of Hall B get a second door? i.e. the door to the yard is the way in and out",
        ),
        (
            "could the kiln of Hall B get a second door?\\ni.e. the door to the yard is the way in and out",
            "could the kiln of Hall B get a second door? i.e. the door to the yard is the way in and out",
        ),
    ] {
        assert_eq!(told(said), [line]);
    }
    let lines = day(
        "2026-03-12",
        "10:00 ann: could the kiln of Hall B get a second door?
         10:01 bob: why would anybody need a second door in Hall B
         10:02 ann: e.g. the door to the yard is the way in and out of Hall B",
    );
    let written = text(talk("", lines), 600);
    assert!(written.contains("why would anybody") && !written.contains("to the yard"), "{written}");
}

/// The rest of a quotation would be told as the speaker's own words.
#[test]
fn no_sentence_ends_inside_a_quotation() {
    for said in [
        "since the fair the display of the new kiln says \"The door is not closed. You cannot start a kiln with an open door.\" whenever Bea turns the key",
        "since the fair the display of the new kiln says \"The door is not closed; you cannot start a kiln with an open door; close it\" whenever Bea turns the green key twice",
    ] {
        assert_eq!(told(said), [said]);
    }
    assert_eq!(
        told(
            "the shelf in Hall B is 40\" wide and is for Bea. The lamp in Hall C is 20\" wide and is for the glazier of Bergen."
        ),
        [
            "the shelf in Hall B is 40\" wide and is for Bea",
            "The lamp in Hall C is 20\" wide and is for the glazier of Bergen",
        ]
    );
    assert_eq!(
        told(
            "since the fair the display of the new kiln in Hall B says \"The door is not closed.\" The glazier from Bergen repairs it on Monday."
        ),
        [
            "since the fair the display of the new kiln in Hall B says \"The door is not closed.\"",
            "The glazier from Bergen repairs it on Monday",
        ]
    );
}

#[test]
fn a_sentence_ends_at_a_mark_where_the_next_begins() {
    let apart = |said: &'static str, lines: [&'static str; 2]| assert_eq!(told(said), lines);
    apart(
        "図書室の隣の新しい窯の扉は今朝の点検の後で直りました。とても便利な取っ手が扉の右側の枠に付いています。",
        [
            "図書室の隣の新しい窯の扉は今朝の点検の後で直りました",
            "とても便利な取っ手が扉の右側の枠に付いています",
        ],
    );
    apart(
        "図書室の隣の新しい窯の点検は今朝の九時に終わりました。とりあえず正面入口の鍵は受付の係に返します。",
        [
            "図書室の隣の新しい窯の点検は今朝の九時に終わりました",
            "とりあえず正面入口の鍵は受付の係に返します",
        ],
    );
    apart(
        "図書室の隣の新しい窯の扉は先週の点検の時に壊れた？ でも扉の右側の枠の取っ手は今朝の点検で直りました。",
        [
            "図書室の隣の新しい窯の扉は先週の点検の時に壊れた？",
            "でも扉の右側の枠の取っ手は今朝の点検で直りました",
        ],
    );
    apart(
        "図書室の隣の新しい窯の扉は今朝の点検の後で直りました。というわけで正面入口の鍵は受付の係に返します。",
        [
            "図書室の隣の新しい窯の扉は今朝の点検の後で直りました",
            "というわけで正面入口の鍵は受付の係に返します",
        ],
    );
}

/// The last words of a program's confirmation say that nobody said the rest.
#[test]
fn a_reminder_that_was_set_is_no_remark() {
    let wishes = "受付の鍵と名札と台帳を棚に戻し、".repeat(9);
    let lines = day(
        "2026-03-12",
        &format!(
            "10:00 ann: set up a reminder “{wishes}窓を閉めましょう！” in this channel at 9AM every Monday.
             10:10 bob: 新しい窯の修理は三月二十日の午後に業者が来ます"
        ),
    );
    let written = text(talk("", lines), 600);
    assert!(!written.contains("every Monday") && written.contains("業者が来ます"), "{written}");
}

#[test]
fn what_somebody_struck_out_is_not_told() {
    for (said, line) in [
        ("~新しい窯は四月に届くと思います。~ 失礼、届くのは五月だそうです。", "失礼、届くのは五月だそう"),
        ("窯の修理は ~三月~ 四月の初めに業者が来ます", "窯の修理は 四月の初めに業者が来ます"),
        (
            "the kiln comes ~on Monday~, on Tuesday with the glazier",
            "the kiln comes, on Tuesday with the glazier",
        ),
    ] {
        assert_eq!(told(said), [line]);
    }
    let lines = day(
        "2026-03-12",
        "10:00 ann: ~新しい窯は四月に届くことになりました~
         10:10 bob: 新しい窯の修理は三月二十日の午後に業者が来ます",
    );
    let written = text(talk("", lines), 600);
    assert!(!written.contains("四月に届く") && written.contains("業者が来ます"), "{written}");
}

#[test]
fn a_tilde_strikes_nothing_out_in_a_path_a_span_or_code() {
    for (said, line) in [
        (
            "the list is in ~/.kiln/list.yaml and the other one in ~/old~ since Monday",
            "the list is in ~/.kiln/list.yaml and the other one in ~/old~ since Monday",
        ),
        (
            "窯の点検は ~10分、取っ手の点検は ~20分 で終わります",
            "窯の点検は ~10分、取っ手の点検は ~20分 で終わります",
        ),
        (
            "受付は平日の9時~18時、土曜の10時~15時に開いています",
            "受付は平日の9時~18時、土曜の10時~15時に開いています",
        ),
        ("窯の設定は `a ~b~ c` という一行で変わりました", "窯の設定は `a ~b~ c` という一行で変わりました"),
    ] {
        assert_eq!(told(said), [line]);
    }
}

#[test]
fn a_sentence_is_not_divided_inside_brackets_or_quotation_marks() {
    hold(&[
        (
            "新しい窯の説明書には「扉は必ず二回閉めますが、鍵は一回だけ回します」という赤い字の注意書きが最後の頁の下の方に載っていました。",
            &[
                "新しい窯の説明書には「扉は必ず二回閉めますが、鍵は一回だけ回します」という赤い字の注意書きが最後の…",
            ],
        ),
        (
            "新しい窯の扉は（昨年の点検の報告では壊れていないはずでしたが、今年は違いました）閉める時に大きな音がするようになりました。",
            &["新しい窯の扉は（昨年の点検の報告では壊れていないはずでしたが、今年は違いました）…"],
        ),
        (
            "新しい窯の温度計は三月の初めに届いた古い説明書の「据え付け」の通りに付けてありますが、目盛りが古い窯の温度計と四十度も食い違っています。",
            &[
                "新しい窯の温度計は三月の初めに届いた古い説明書の「据え付け」の通りに付けてありますが",
                "目盛りが古い窯の温度計と四十度も食い違っています",
            ],
        ),
        (
            "新しい窯の温度計は（三月の初めに届いた古い説明書の通りに付けてありますが、目盛りが古い窯の温度計と四十度も食い違っていました。",
            &[
                "新しい窯の温度計は（三月の初めに届いた古い説明書の通りに付けてありますが",
                "目盛りが古い窯の温度計と四十度も食い違っていました",
            ],
        ),
        (
            "新しい窯の温度計は棚に付けてあります（目盛りが古い窯の温度計と四十度も食い違っていますが、来週の点検の日に別の温度計に交換します）。",
            &[
                "新しい窯の温度計は棚に付けてあります（目盛りが古い窯の温度計と四十度も食い違っていますが",
                "来週の点検の日に別の温度計に交換します）",
            ],
        ),
    ]);
}

/// A Japanese sentence says at its end whether it is denied, doubted or asked.
#[test]
fn of_a_long_japanese_sentence_the_end_is_kept() {
    hold(&[
        (
            "新しい窯の温度計と古い窯の温度計の目盛りの違いについて言えば、業者の説明書と先月の点検の記録を見比べる限り、設置場所の湿度が原因というわけではないと思います。",
            &[
                "…業者の説明書と先月の点検の記録を見比べる限り、設置場所の湿度が原因というわけではないと思います",
            ],
        ),
        (
            "新しい窯の温度計の目盛りを毎朝紙に書き写している理由は、業者の人に見せるためではなく、単に受付の当番が温度の変化を後から見たいだけだったりしないですかね？",
            &[
                "…業者の人に見せるためではなく、単に受付の当番が温度の変化を後から見たいだけだったりしないですかね？",
            ],
        ),
        (
            "新しい窯の温度計の目盛りが古い窯の温度計の目盛りと食い違っている原因は設置場所の湿度と配線の長さと部屋の明るさの組み合わせで、困ります。",
            &[
                "新しい窯の温度計の目盛りが古い窯の温度計の目盛りと食い違っている原因は設置場所の湿度と配線の長…",
            ],
        ),
        (
            "新しい窯の温度計は、目盛りが古い窯のものと違うわけではない",
            &["新しい窯の温度計は、目盛りが古い窯のものと違うわけではない"],
        ),
    ]);
}

/// The first of several things would be told as the only one.
#[test]
fn a_list_belongs_to_the_sentence_that_leads_to_it() {
    for (said, line) in [
        (
            "この場合、\\n• 窯の業者\\n• 受付の係\\n• 市の窓口\\n誰に修理の相談をすべきでしょうか",
            "この場合、窯の業者、受付の係、市の窓口 誰に修理の相談をすべきでしょうか",
        ),
        (
            "窯の修理に必要なのは\\n- 業者の電話番号\\n- 温度計の説明書\\nの二つだと思います",
            "窯の修理に必要なのは 業者の電話番号、温度計の説明書 の二つだと思います",
        ),
    ] {
        assert_eq!(told(said), [line]);
    }
}

#[test]
fn a_list_behind_a_whole_sentence_stands_by_itself() {
    assert_eq!(
        told(
            "窯の修理の前に受付の係に頼むことを書きます。\\n- 業者の会社の電話番号を調べて紙に書く\\n- 温度計の説明書の写しを図書室で取る"
        ),
        [
            "窯の修理の前に受付の係に頼むことを書きます",
            "業者の会社の電話番号を調べて紙に書く",
            "温度計の説明書の写しを図書室で取る"
        ]
    );
}

/// Without the code it would not be said what is done with it.
#[test]
fn a_sentence_that_goes_on_behind_code_names_it() {
    for (said, line) in [
        (
            "窯の設定を直すために、\\n```\\nkiln --check all\\n```\\nを実行して何が表示されるか教えてください",
            "窯の設定を直すために、`kiln --check all` を実行して何が表示されるか教えてください",
        ),
        (
            "窯の設定を直すために、\\n```\\nkiln --check all\\nkiln --reset\\n```\\nを実行して何が表示されるか教えてください",
            "窯の設定を直すために、…を実行して何が表示されるか教えてください",
        ),
        (
            "窯の設定を直しました。\\n```\\nkiln --check all\\n```\\n結果は受付の紙に書きました",
            "窯の設定を直しました。結果は受付の紙に書きました",
        ),
        (
            "the kiln is fixed since Monday ```kiln --check all``` so the fair can begin",
            "the kiln is fixed since Monday",
        ),
    ] {
        assert_eq!(told(said), [line]);
    }
}

/// Without the heading, the words below it would be read as said of the speaker.
#[test]
fn what_stands_below_a_heading_is_told_with_it() {
    let written = text(
        talk(
            "",
            day(
                "2026-03-12",
                "10:00 ann: 四月の展示で話す人が決まりました。\\n\\n田中一郎\\n市の窯の組合の代表で、三十年前から皿を焼いています。\\n\\nありがとうございます\\n受付の当番は次の会議で決めます。",
            ),
        ),
        600,
    );
    assert!(
        written.contains("- ann: 田中一郎: 市の窯の組合の代表で、三十年前から皿を焼いています"),
        "{written}"
    );
    assert!(written.contains("- ann: 受付の当番は次の会議で決めます"), "{written}");
}

/// What is read of a message has an end, and the words behind it may say the opposite.
#[test]
fn a_message_that_is_not_read_to_its_end_says_so() {
    let items = (100..600).map(|n| format!("Shelf {n} holds {} jars of glaze.", n * 7 % 83));
    let mut said = items.reduce(|all, item| format!("{all} {item}")).expect("items");
    said.truncate(7_950);
    said.push_str(". The press from Bergen is broken, which is what nobody believes.");
    let lines = text(talk("", day("2026-03-12", &format!("10:00 ann: {said}"))), 8_000);
    let line = lines.lines().find(|line| line.contains("from Bergen")).expect("a line");
    assert!(line.ends_with("The press from Bergen is broken, which is what n…"), "{line}");
}
