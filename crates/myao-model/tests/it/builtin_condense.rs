//! Talk is told in fewer words, and says the same.

use crate::asking::{day, talk, text};

/// What `builtin` makes of a message, said on Thursday 12 March 2026, without its day and speaker.
fn told(said: &str) -> String {
    let written = text(talk("", day("2026-03-12", &format!("10:00 ann: {said}"))), 300);
    let lines: Vec<&str> =
        written.lines().skip(1).map(|line| line.strip_prefix("- ann: ").unwrap_or(line)).collect();
    lines.join(" / ")
}

fn hold(cases: &[(&str, &str)]) {
    let found: Vec<(&str, String)> = cases.iter().map(|(said, _)| (*said, told(said))).collect();
    let wanted: Vec<(&str, String)> =
        cases.iter().map(|(said, short)| (*said, (*short).to_owned())).collect();
    assert_eq!(found, wanted);
}

#[test]
fn what_is_only_polite_or_gains_time_is_left_out() {
    hold(&[
        ("ok so, the old press really just needs a new belt :)", "the old press needs a new belt"),
        ("hey, btw the kiln is basically fixed, thanks!", "the kiln is fixed"),
        ("the kiln is fixed, guys ;-)", "the kiln is fixed"),
        ("@channel the hall is ours on Monday", "the hall is ours on Monday"),
        ("Great, the hall is ours from Friday on lol", "the hall is ours from Friday on"),
        ("えっと、実は新しい窯の納期は四月二日なんですよね。", "新しい窯の納期は四月二日"),
        ("そうですね、展示の準備は私が進めさせていただきます！", "展示の準備は私が進めさせていただきます"),
        ("報告書は私が作成させていただきました。", "報告書は私が作成しました"),
        ("ちなみに受付の当番は佐藤さんですよ〜", "受付の当番は佐藤さん"),
        ("新しい窯の温度計が壊れたww", "新しい窯の温度計が壊れた"),
        ("窯の温度を測っているのですが", "窯の温度を測っている"),
    ]);
}

#[test]
fn what_carries_meaning_stays() {
    hold(&[
        ("the new belt is not really strong enough", "the new belt is not really strong enough"),
        ("I think the press is broken again", "I think the press is broken again"),
        ("maybe we should move the fair to May", "maybe we should move the fair to May"),
        ("we need just the lids of the kiln", "we need just the lids of the kiln"),
        ("right wing of the museum is closed", "right wing of the museum is closed"),
        ("yes, the archive room has a second key", "yes, the archive room has a second key"),
        ("the sign says `just really do it` in red", "the sign says `just really do it` in red"),
        (
            "I keep a row of small lamps (only four or five really...)",
            "I keep a row of small lamps (only four or five really...)",
        ),
        (
            "the lamps are in the hall (next to the press though)",
            "the lamps are in the hall (next to the press though)",
        ),
        ("I like the blue tiles of the kitchen", "I like the blue tiles of the kitchen"),
        ("so far only the hall is booked", "so far only the hall is booked"),
        ("well done was the word of the jury", "well done was the word of the jury"),
        ("the jury of the fair liked the old man", "the jury of the fair liked the old man"),
        ("we move to the Very Large Telescope in May", "we move to the Very Large Telescope in May"),
        ("the check is a == b and the count =3", "the check is a == b and the count =3"),
        ("< 30 tables fit into the hall", "< 30 tables fit into the hall"),
        ("受付の当番は田中くんです", "受付の当番は田中くん"),
        ("この鍵は図書館のです", "この鍵は図書館の"),
        ("窯の掃除はかんたんです", "窯の掃除はかんたん"),
        ("締め切りまであと三日しかない", "締め切りまであと三日しかない"),
        ("お昼は近所の食堂の焼き魚ごはんです", "お昼は近所の食堂の焼き魚ごはん"),
        ("受付の係は佐藤さんらしい", "受付の係は佐藤さんらしい"),
        ("友達の差し入れは紅茶のクッキー", "友達の差し入れは紅茶のクッキー"),
        ("発表の資料を作るのは新しいPreview", "発表の資料を作るのは新しいPreview"),
    ]);
}

#[test]
fn words_for_a_day_get_its_date() {
    hold(&[
        ("the kiln comes tomorrow at nine", "the kiln comes tomorrow (13 March) at nine"),
        ("Yesterday the press stopped twice", "Yesterday (11 March) the press stopped twice"),
        ("we open the hall this Saturday", "we open the hall this Saturday (14 March)"),
        ("the fair begins next Monday, bring tables", "the fair begins next Monday (16 March), bring tables"),
        ("窯は明日の朝に届きます", "窯は明日（3/13）の朝に届きます"),
        ("展示の搬入は来週の月曜日に決まりました", "展示の搬入は来週の月曜日（3/16）に決まりました"),
        ("一昨日の会議で担当が決まりました", "一昨日（3/10）の会議で担当が決まりました"),
        ("一昨昨日の会議で担当が決まりました", "一昨昨日（3/9）の会議で担当が決まりました"),
        ("おとといの会議で担当が決まりました", "おととい（3/10）の会議で担当が決まりました"),
        ("再来週の月曜に搬入することに決まりました", "再来週の月曜（3/23）に搬入することに決まりました"),
        ("先々週の金曜に担当が決まりました", "先々週の金曜（2/27）に担当が決まりました"),
        ("明明後日に搬入することに決まりました", "明明後日（3/15）に搬入することに決まりました"),
        ("搬入はしあさってに決まりました", "搬入はしあさって（3/15）に決まりました"),
        ("搬入はやのあさってに決まりました", "搬入はやのあさってに決まりました"),
        ("再々来週の月曜に搬入することに決まりました", "再々来週の月曜に搬入することに決まりました"),
        ("説明日は三月末に決まりました", "説明日は三月末に決まりました"),
        ("説明後日に搬入することに決まりました", "説明後日に搬入することに決まりました"),
        ("the first fair feels like just yesterday", "the first fair feels like yesterday"),
        ("they print posters like there's no tomorrow", "they print posters like there's no tomorrow"),
        ("最初の展示が昨日のことのように思えます", "最初の展示が昨日のことのように思えます"),
    ]);
}

#[test]
fn a_day_that_could_be_another_one_gets_none() {
    hold(&[
        ("the fair begins next Friday at noon", "the fair begins next Friday at noon"),
        ("the script tomorrow.sh empties the queue", "the script tomorrow.sh empties the queue"),
        ("the kiln comes tomorrow (the 13th) at nine", "the kiln comes tomorrow (the 13th) at nine"),
        ("the fair begins next Monday, 16 March, at noon", "the fair begins next Monday, 16 March, at noon"),
        ("展示の搬入は明日、3月13日の朝です", "展示の搬入は明日、3月13日の朝"),
        ("受付は明日香さんが担当します", "受付は明日香さんが担当します"),
    ]);
}

#[test]
fn what_is_quoted_gets_no_day() {
    hold(&[
        (
            "the kiln's display says \"come back tomorrow\" all night",
            "the kiln's display says \"come back tomorrow\" all night",
        ),
        ("窯の画面に「明日また来てください」と出ました", "窯の画面に「明日また来てください」と出ました"),
        ("the kiln (the new one) comes tomorrow", "the kiln (the new one) comes tomorrow (13 March)"),
    ]);
}

#[test]
fn what_belongs_together_stays_together() {
    hold(&[
        (
            "今週は例の窯の記事 https://example.org/kilns/12/ に取り組む予定です",
            "今週は例の窯の記事 example.org/… に取り組む予定",
        ),
        (":point_up: の新しい窯の修理が終わりました", ":point_up: の新しい窯の修理が終わりました"),
        ("新しい窯の修理が終わりました:tada:", "新しい窯の修理が終わりました"),
        (
            "写真は https://example.org/shop?utm=12[…]b22-5cb&id=15 の三枚目です",
            "写真は example.org/… の三枚目",
        ),
    ]);
    let lines = day(
        "2026-03-12",
        "10:00 ann: 休みの日は市民体育館で友達と一緒にフットサルを
         10:20 bob: 新しい窯の修理は三月二十日の午後に業者が来ます",
    );
    let written = text(talk("", lines), 300);
    assert!(!written.contains("フットサルを") && written.contains("業者が来ます"), "{written}");
}

#[test]
fn short_messages_that_say_little_stay_apart() {
    hold(&[
        ("oak 12\\npine 14", "oak 12; pine 14"),
        ("棚2\\n棚4", "棚2; 棚4"),
        ("```\\noak 12\\npine 14\\n```", "``` oak 12 pine 14 ```"),
    ]);
}

#[test]
fn two_people_who_are_alone_call_each_other_by_no_name() {
    let lines = day(
        "2026-03-12",
        "10:00 melanie: Ann, the kiln on the second floor is repaired since Monday.
         10:01 ann: The bill of the roof was paid by the insurance, Mel!
         10:02 melanie: Ann and the glazier carried the old kiln to the yard.",
    );
    let written = text(talk("", lines), 300);
    for said in [
        "- melanie: the kiln on the second floor is repaired since Monday",
        "- ann: The bill of the roof was paid by the insurance",
        "Ann and the glazier carried the old kiln to the yard",
    ] {
        assert!(written.contains(said), "{said}\nis not in\n{written}");
    }
    assert!(!written.contains("Ann, ") && !written.contains("Mel!"), "{written}");
}
