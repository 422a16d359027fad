//! What of much talk is kept: decisions, dates, outcomes, who does what.

use myao_core::worth::{SAID, points_if_lasting, points_of_text};

use crate::asking::{day, entry, merge, talk, text};

const SETTLED: [&str; 8] = [
    "- 2026-01-06 ann: Decided: the winter fair moves to Saturday 7 February, hall B.",
    "- 2026-01-13 bob: I'll book the van for 6 February and pay the deposit by Friday.",
    "- 2026-01-21 cy: The roof turned out to leak at the chimney, it was fixed on Monday.",
    "- 2026-02-09 ann: We agreed on 12 euros a table, the deadline is 20 January.",
    "- 2026-02-12 hana: 会場は市民館の第二ホールに決まりました。2月7日の10時開場です。",
    "- 2026-02-18 ken: ポスターの印刷は私が担当します。1月30日までに入稿します。",
    "- 2026-02-24 mio: 受付の混雑の原因は名簿の並び順でした。五十音順に直して解決しました。",
    "- 2026-02-27 hana: 雪のため屋台は中止になりました。返金は3月10日までに済ませます。",
];

const CHATTER: [&str; 6] = [
    "The pictures of the old lighthouse near the harbour look wonderful, the evening light over the wet stones \
     reminds me of that painter with the enormous beard from Bergen",
    "Does anybody remember the name of the bakery behind the cathedral with the walnut bread and the grumpy owner?",
    "@dan have you ever seen the second season of that series about the submarine captain from Lisbon?",
    "昨日の夜は駅前の古い喫茶店で珈琲を飲みながら、分厚い探偵小説の続きを最後まで一気に読んでしまいました",
    "皆さんは朝食に珈琲と紅茶のどちらを飲みますか？それとも牛乳や野菜の汁でしょうか？",
    "dan: which camera did you use in Porto? → eve: @dan the small silver one of my grandmother, with film",
];

/// Two months of talk, a few chapters a day, with what was settled among it.
fn chapters() -> Vec<myao_core::ports::MemoryEntry> {
    let mut all: Vec<_> = SETTLED.into_iter().map(entry).collect();
    for month in [1, 2] {
        for date in 1..=28 {
            let said = CHATTER.iter().enumerate().map(|(nth, words)| {
                let words = format!("{words} ({})", date * 10 + nth);
                let name = ["dan", "eve", "fay"].into_iter().cycle().nth(nth).unwrap();
                if words.contains(" → ") {
                    format!("- 2026-{month:02}-{date:02} {words}")
                } else {
                    format!("- 2026-{month:02}-{date:02} {name}: {words}")
                }
            });
            all.push(entry(&said.collect::<Vec<_>>().join("\n")));
        }
    }
    all
}

#[test]
fn what_was_settled_outlives_what_was_talked_about() {
    let memory = merge("", &chapters(), 500);
    for line in SETTLED {
        assert!(memory.contains(line), "{line}\nis not in\n{memory}");
    }
}

#[test]
fn a_joke_about_a_plan_is_no_plan() {
    let lines = day(
        "2026-03-05",
        "10:00 ann: The hall is ours from Friday 13 March, the key is at the reception.
         10:05 bob: Second try of the sign tomorrow, a ladder in the rain on Friday 13th, what could go wrong
         10:07 bob: 明日は雷の中ではしごに登ります、冗談です
         10:10 cy: I will bring the ladder and return it on Monday.",
    );
    let memory = merge("", &[entry(&text(talk("", lines), 300))], 130);
    assert!(memory.contains("the key is at the reception"), "{memory}");
    assert!(!memory.contains("could go wrong") && !memory.contains("冗談"), "{memory}");
}

#[test]
fn lines_of_machines_are_noise() {
    let lines = day(
        "2026-03-05",
        "10:00 tracker: 03(new) Import stops at the second page of a list - 10https://bugs.example.org/4711  (10Ann Other)
         10:01 builder: \\u{1b}[31mERROR\\u{1b}[0m step 3 of 12 failed with code 137 in target importer-release
         10:02 builder: [31mERROR[0m step 4 of 12 failed with code 137 in target importer-release
         10:03 builder: \\u{3}04,01BUILD 4711 FAILED\\u{f} importer-release was broken by the last commit
         10:10 hana: 取り込みの不具合は設定の読み違いが原因でした。3月9日に直します。
         10:12 ann: I will release the importer on Monday, the list of changes is in the wiki.",
    );
    let lines: Vec<_> = lines
        .into_iter()
        .map(|mut line| {
            line.text =
                line.text.replace("\\u{1b}", "\u{1b}").replace("\\u{3}", "\u{3}").replace("\\u{f}", "\u{f}");
            line
        })
        .collect();
    let chapter = text(talk("", lines), 300);
    assert!(chapter.contains("原因でした") && chapter.contains("I will release the importer"), "{chapter}");
    for noise in ["03(new)", "10http", "[31m", "04,01", "BUILD 4711", "step 3", "step 4"] {
        assert!(!chapter.contains(noise), "{noise} is in\n{chapter}");
    }
}

#[test]
fn a_changed_plan_outlives_what_is_done_because_of_it() {
    let before = "- 2026-03-02 ann: Decided: the winter fair is on Saturday 7 February, hall B.";
    let lines = day(
        "2026-03-12",
        "11:00 ann: @channel Change of plan: the winter fair is now on Saturday 14 February, not on the 7th.
         11:01 ann: The posters go out on Monday, correct any date you have given to anybody
         11:02 bob: I'll tell the bakery, they will be delighted",
    );
    let memory = merge(before, &[entry(&text(talk("", lines), 300))], 130);
    assert!(memory.contains("now on Saturday 14 February"), "{memory}");
}

#[test]
fn announcements_of_changes_are_noise() {
    for noise in [
        "New review: Ann; \"The kiln reads its list at start\" [kiln/oven]",
        "Change merged: Ann; \"The kiln reads its list at start\" [kiln/oven]",
        "03ann * r4711 10/trunk/kiln/oven.c: The kiln reads its list at start",
    ] {
        assert!(points_of_text(noise) < 0, "{noise}: {}", points_of_text(noise));
    }
    for said in [
        "the webhook of the till fails when two people pay at the same time",
        "the schedule for Friday: talk at 10, lunch at 12 in the hall",
        "the fair takes 15 tables on 10/12 * and 12 lamps from the hall",
        "the review of the new kiln is on Monday in hall B",
    ] {
        assert!(points_of_text(said) > 0, "{said}: {}", points_of_text(said));
    }
}

/// The parts of an announcement do not show that they belong to one.
#[test]
fn no_part_of_an_announcement_is_told() {
    let lines = day(
        "2026-03-05",
        "10:00 reviewer: New patchset: Ann; \"The kiln of Hall B reads its list of 12 Bergen lamps at the start of the day\" [kiln/extensions/HallPlan] (main) - https://review.example.org/4711
         10:01 tracker: 03(mod) The door of Hall B and its new ext. counterpart from Bergen stick at noon - 10https://bugs.example.org/4711  +comment (10Ann Other)
         10:10 bob: the press in the hall is repaired",
    );
    assert_eq!(text(talk("", lines), 300), "2026-03-05\n- bob: the press in the hall is repaired");
}

#[test]
fn what_people_say_comes_before_what_programs_say() {
    let lines = day(
        "2026-03-05",
        "10:00 votebot: Commands Available: Topic, Idea, Link, Kiln and Lamp, written in front of Words in the Hall of Bergen
         10:01 ann: the old press by the door was cleaned by the two of us and by the glazier, and it looks like new
         10:02 votebot: Public Votes can be registered by saying Yes, No or Maybe in the Hall, private Votes by Letter to Votebot in Bergen",
    );
    let written = text(talk("", lines), 62);
    assert!(written.contains("the old press by the door"), "{written}");
}

#[test]
fn assent_and_help_decide_nothing() {
    for (undecided, decided) in [
        ("agreed @ann the new kiln is loud", "agreed on Monday @ann, the new kiln is loud"),
        ("agreed with ann, the new kiln is loud", "we agreed with ann, the new kiln is loud"),
        ("bring the lamp and we'll take a look", "bring the lamp and we'll take a van"),
        ("we'll see about the loud kiln", "we'll mend the loud kiln"),
    ] {
        assert!(
            points_if_lasting(undecided) + 20 < points_if_lasting(decided),
            "{}, {}",
            points_if_lasting(undecided),
            points_if_lasting(decided)
        );
    }
}

#[test]
fn what_points_beside_its_line_lasts_less() {
    for (pointing, plain) in [
        ("4月9日に以下の勉強会を市民館で開催します", "4月9日に皿の勉強会を市民館で開催します"),
        ("4月9日の展示は上記の会場で開催します", "4月9日の展示は市民の会場で開催します"),
        ("4月9日の展示は↑の会場で開催します", "4月9日の展示は市の会場で開催します"),
    ] {
        assert!(
            points_if_lasting(pointing) + 10 < points_if_lasting(plain),
            "{}, {}",
            points_if_lasting(pointing),
            points_if_lasting(plain)
        );
    }
    for (below, plain) in [
        ("4月9日の展示は30人以下の部屋で開催します", "4月9日の展示は30人以上の部屋で開催します"),
        ("展示は以下の理由で4月9日に延期: 会場が雨漏り", "展示は会場の理由で4月9日に延期: 会場が雨漏り"),
    ] {
        assert!(
            points_if_lasting(below) + 10 >= points_if_lasting(plain),
            "{}, {}",
            points_if_lasting(below),
            points_if_lasting(plain)
        );
    }
}

#[test]
fn remarks_about_the_message_itself_say_nothing() {
    for said in ["質問連投失礼します", "少しお聞きしたいんですが", "軽い気持ちで"]
    {
        assert!(points_of_text(said) < SAID, "{said}: {}", points_of_text(said));
    }
    assert!(points_of_text("窯の修理の費用を業者に質問しました") >= SAID);
}

/// What asks for no more than assent decides something, if nobody objects.
#[test]
fn a_decision_put_as_a_question_is_no_question() {
    for said in [
        "じゃあ14時でいきますか？",
        "会場は鎌倉でいいですよね？",
        "旗の色は青にしましょうか",
        "Pencil in 3 May for the harbour walk, ok?",
    ] {
        assert!(!myao_core::worth::is_question(said), "{said}");
    }
    for said in [
        "何時でいきますかね、誰か知っていますか？",
        "ok?",
        "Is the harbour walk on 3 May?",
        "どこに住んでいますか",
    ] {
        assert!(myao_core::worth::is_question(said), "{said}");
    }
}
