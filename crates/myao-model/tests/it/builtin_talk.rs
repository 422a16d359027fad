//! What becomes of talk.

use std::{
    pin::pin,
    task::{Context, Waker},
};

use insta::assert_snapshot;
use myao_core::{
    ports::{Material, Model, StopReason},
    text::estimate_tokens,
};
use myao_model::Builtin;

use crate::asking::{ask, day, entry, merge, request, talk, text};

#[test]
fn japanese_talk_becomes_japanese_bullets() {
    let lines = day(
        "2026-03-02",
        "10:00 hana: おはようございます！
         10:01 ken: おはようです〜
         10:02 hana: 来週の合宿、宿を決めないとですね。候補は箱根の山の家か、鎌倉の海の家です。
         10:03 mio: 海！海がいいですw
         10:04 ken: 予算はいくらくらいでしたっけ？
         10:05 hana: @ken ひとり一万二千円までです
         10:06 mio: なるほど
         10:20 ken: じゃあ鎌倉の海の家に決めましょう。3月14日の土曜、10時に鎌倉駅集合で。
         10:21 mio: 了解です！
         10:22 hana: ありがとうございます、助かります。予約は私が今日中にやっておきます。
         10:30 ken: https://example.com/umi/no/ie?plan=3
         10:31 mio: うちの犬も連れて行っていいのかな？ペット可か確認してもらえますか？
         10:33 hana: 確認したところ、小型犬なら大丈夫だそうです
         10:34 mio: やったー！！
         10:35 ken: wwww",
    );
    assert_snapshot!(text(talk("", lines), 300), @r"
    2026-03-02
    - hana: 来週の合宿、宿を決めないと
    - hana: 候補は箱根の山の家か、鎌倉の海の家
    - mio: 海！海がいい
    - ken: 予算はいくらくらいでしたっけ？ → hana: ひとり一万二千円まで
    - ken: じゃあ鎌倉の海の家に決めましょう
    - ken: 3月14日の土曜、10時に鎌倉駅集合で
    - hana: 予約は私が今日中にやっておきます
    - mio: うちの犬も連れて行っていいのかな？ペット可か確認してもらえますか？
    - hana: 確認したところ、小型犬なら大丈夫だそう
    ");
}

#[test]
fn english_talk_becomes_english_bullets() {
    let lines = day(
        "2026-03-02",
        "09:00 ann: morning all
         09:00 bob: hey
         09:02 ann: the nightly build fails since Friday, e.g. on arm64. See https://ci.example.com/runs/8841?log=1
         09:03 bob: @ann which step? is it the linker again?
         09:05 ann: @bob yes, the linker runs out of memory. I think v2.41 of the toolchain is the problem.
         09:06 cy: lol
         09:07 cy: ```ld: fatal: out of memory\\nexit 137```
         09:10 bob: ok, we will pin the toolchain to 2.40 until the upstream bug is fixed
         09:11 ann: thanks!
         09:12 cy: Does anybody know when the release freeze starts?
         09:15 bob: the freeze starts on March 9, so please merge your branches by Thursday
         09:16 cy: k thx
         09:20 ann: nice",
    );
    assert_snapshot!(text(talk("", lines), 300), @r"
    2026-03-02
    - ann: the nightly build fails since Friday, e.g. on arm64
    - bob: is it the linker again? → ann: yes, the linker runs out of memory; I think v2.41 of the toolchain is the problem
    - bob: we will pin the toolchain to 2.40 until the upstream bug is fixed
    - cy: Does anybody know when the release freeze starts?
    - bob: the freeze starts on March 9, so please merge your branches by Thursday
    ");
}

#[test]
fn each_line_keeps_its_language() {
    let lines = day(
        "2026-03-02",
        "09:00 hana: 新しいサーバーの引っ越しは金曜の夜に決まりました。
         09:10 bob: The old server will be switched off on Monday, please move your files.",
    );
    assert_snapshot!(text(talk("", lines), 300), @r"
    2026-03-02
    - hana: 新しいサーバーの引っ越しは金曜の夜に決まりました
    - bob: The old server will be switched off on Monday, please move your files
    ");
}

#[test]
fn little_room_goes_to_what_matters_and_to_everybody() {
    let lines = day(
        "2026-03-02",
        "10:00 hana: 今日は朝から雨で、駅まで歩くのが大変でした
         10:02 hana: お昼は近所の蕎麦屋に行ってきました
         10:30 ken: 次の勉強会は4月10日に開催することに決定しました。会場は図書館です。
         11:00 hana: 夕方からは晴れるみたいですね
         11:10 mio: 発表は私が担当します。題材はパーサーコンビネーターの予定です。",
    );
    let written = text(talk("", lines), 130);
    assert!(written.contains("4月10日に開催することに決定しました"), "{written}");
    assert!(written.contains("発表は私が担当します"), "{written}");
    assert!(estimate_tokens(&written) <= 130);
}

#[test]
fn a_question_nobody_took_up_is_marked_once_that_can_be_told() {
    let asked = "10:00 hana: 監視サーバーの古いログは消してもいいですか？";
    let later = "12:30 ken: 今年の花見は4月5日に上野でやることになりました";
    let chapter = text(talk("", day("2026-03-02", &format!("{asked}\n{later}"))), 300);
    assert!(chapter.contains("古いログは消してもいいですか？（未回答）"), "{chapter}");

    let last_word = text(talk("", day("2026-03-02", asked)), 300);
    assert!(!last_word.contains("未回答"), "a chapter does not know what comes next: {last_word}");

    let answered = "10:05 ken: ログは30日より古ければ消して大丈夫です";
    let answered = text(talk("", day("2026-03-02", &format!("{asked}\n{answered}\n{later}"))), 300);
    assert!(!answered.contains("未回答"), "{answered}");

    let by_name = "10:05 ken: @hana ログは30日より古ければ消して大丈夫です";
    let answered = text(talk("", day("2026-03-02", &format!("{asked}\n{by_name}\n{later}"))), 300);
    assert!(answered.contains(" → ken: "), "{answered}");
}

#[test]
fn a_thread_goes_on_from_what_is_known_of_it() {
    let existing = "- 2026-03-01 hana: 入口の自動ドアが壊れたので、業者に修理を依頼しました";
    let lines = day(
        "2026-03-03",
        "15:00 ken: 業者から連絡があって、修理は3月6日の午前になるそうです
         15:01 hana: ありがとうございます！
         15:40 mio: その日の受付は誰が担当しますか？",
    );
    let mut thread = request(talk(existing, lines), 300);
    thread.purpose = "thread";
    assert_snapshot!(ask(&thread).unwrap().text, @r"
    2026-03-01
    - hana: 入口の自動ドアが壊れたので、業者に修理を依頼しました
    2026-03-03
    - ken: 業者から連絡があって、修理は3月6日の午前になるそう
    - mio: その日の受付は誰が担当しますか？（未回答）
    ");
}

#[test]
fn sentences_end_where_people_end_them() {
    let english = "The parser, i.e. the part in src/parse.rs, was rewritten by J. Smith for version 2.0.1, since the \
                   old one was slow. It reads 1.5 million lines per second on my laptop... not bad, so please try \
                   it (see https://example.com/docs/parser.html?tab=2#usage). thanks to everybody! The next release \
                   is planned for 12.5.2026, approx. two weeks from now, and it will bring the new formatter, too.";
    let japanese = "昨日の発表、めちゃくちゃ面白かったですwww 特に「型は文書である。だから読まれる」という一文が印象に残りました。\
                    資料は図書室の共有フォルダーに置いてあるので、欠席した人は必ず金曜までに読んでおいてください（笑）\
                    ちなみに次回の当番は佐藤さんで、日程は5月8日に決まっています。";
    let lines = [("bob", english), ("hana", japanese)]
        .map(|(name, said)| crate::asking::line("2026-03-02 10:00", name, said));
    assert_snapshot!(text(talk("", lines.to_vec()), 400), @r"
    2026-03-02
    - bob: The parser, i.e. the part in src/parse.rs, was rewritten by J. Smith for version 2.0.1, since the old one was slow
    - bob: It reads 1.5 million lines per second on my laptop... not bad, so please try it (see example.com/…)
    - bob: The next release is planned for 12.5.2026, approx. two weeks from now, and it will bring the new formatter, too
    - hana: 昨日（3/1）の発表、めちゃくちゃ面白かった
    - hana: 特に「型は文書である。だから読まれる」という一文が印象に残りました
    - hana: 資料は図書室の共有フォルダーに置いてあるので、欠席した人は必ず金曜までに読んでおいてください（笑）
    - hana: 次回の当番は佐藤さんで、日程は5月8日に決まっています
    ");
}

#[test]
fn courtesies_are_kept_only_where_there_is_nothing_else() {
    let greetings = "10:00 hana: おはよう\n10:01 ken: はい\n10:02 mio: lol";
    let only = text(talk("", day("2026-03-02", greetings)), 300);
    assert_snapshot!(only, @r"
    2026-03-02
    - hana: おはよう
    - ken: はい
    ");
    let more = format!("{greetings}\n10:03 ken: 本日の会議は15時に変更になりました");
    assert_snapshot!(text(talk("", day("2026-03-02", &more)), 300), @r"
    2026-03-02
    - ken: 本日の会議は15時に変更になりました
    ");
}

/// A text has to come of any words: a memory that stays empty would be asked for again and again.
#[test]
fn something_comes_of_words_that_say_nothing() {
    for said in ["hi", "lol", "!!!", "😀", ":tada:", "```\\n```", "> hi", "**", "- "] {
        let chapter = text(talk("", day("2026-03-02", &format!("10:00 hana: {said}"))), 300);
        assert!(chapter.contains("hana:"), "{said}: {chapter}");
        let memory = merge("", &[entry(&format!("[2026-03-02 10:00] hana: {said}"))], 500);
        assert!(memory.starts_with("- 2026-03-02 hana:"), "{said}: {memory}");
        let later = merge(&memory, &[entry("- 2026-03-03 ken: 会議は15時に変更になりました")], 500);
        assert_eq!(later, "- 2026-03-03 ken: 会議は15時に変更になりました");
    }
}

#[test]
fn its_own_replies_are_not_remembered() {
    let question = "金庫の鍵はどこにありますか？";
    for asked in [question, "Where is the key to the old safe?", "昨日の会議で決まった予算はいくらですか？"]
    {
        let lines =
            day("2026-03-02", &format!("09:00 ken: 予算会議は3月9日に決まりました\n10:00 hana: {asked}"));
        let reply = text(Material::Conversation(lines.clone()), 300);
        let said = [lines, day("2026-03-02", &format!("10:01 myao: {reply}"))].concat();
        let chapter = text(talk("", said), 300);
        assert!(!chapter.contains("myao") && chapter.contains("3月9日"), "{reply}: {chapter}");
        let verbatim = format!(
            "[2026-03-02 09:00] ken: 予算会議は3月9日に決まりました\n[2026-03-02 10:01] myao: {reply}"
        );
        let memory = merge(&format!("- 2026-03-01 myao: {reply}"), &[entry(&verbatim)], 500);
        assert!(!memory.contains("myao") && memory.contains("3月9日"), "{reply}: {memory}");
    }
}

#[test]
fn nothing_comes_of_nothing() {
    assert_eq!(text(talk("", Vec::new()), 300), "");
    assert_eq!(text(talk(" \n", day("2026-03-02", "10:00 hana:  \\n ")), 300), "");
    assert_eq!(text(Material::Memories { existing: String::new(), entries: Vec::new() }, 500), "");
}

#[test]
fn it_says_what_it_is_and_what_it_cost() {
    assert_eq!(Builtin.id(), "builtin");
    let lines = day("2026-03-02", "10:00 hana: 次の会議は金曜の15時に決まりました");
    let request = request(talk("", lines), 300);
    let response = ask(&request).unwrap();
    assert_eq!(response.stop, StopReason::End);
    let count = |text: &str| u64::try_from(estimate_tokens(text)).unwrap();
    assert_eq!(response.usage.input, count("system") + count("user"));
    assert_eq!(response.usage.output, count(&response.text));
    assert!(response.usage.estimated);
}

/// A memory that knows only what held before is worse than one that knows nothing.
#[test]
fn a_change_is_told_before_what_is_longer() {
    let rest: Vec<String> = (10..50)
        .map(|minute| {
            format!(
                "10:{minute} ken: 『入門{minute}』の第{minute}章を読み、「演習{minute}」の解答例を調べました"
            )
        })
        .collect();
    let talk_with = |said: &str| {
        let lines = format!("10:00 hana: {said}\n{}", rest.join("\n"));
        text(talk("", day("2026-03-02", &lines)), 300)
    };
    let changed = talk_with("やっぱり気が変わった、同窓会は浜辺でやろう");
    assert!(changed.contains("同窓会は浜辺"), "{changed}");
}

#[test]
fn what_one_tells_of_oneself_is_told_before_praise_of_the_other() {
    let praise: Vec<String> = (10..40)
        .map(|minute| {
            let word = ["wonderful", "patient", "careful", "cheerful", "generous"][minute % 5];
            format!(
                "10:{minute} ann: You're a {word} gardener number {minute} and your roses look lovely today"
            )
        })
        .collect();
    let lines =
        format!("10:00 bob: I planted a pear tree behind my grandmother's barn\n{}", praise.join("\n"));
    let chapter = text(talk("", day("2026-03-02", &lines)), 150);
    assert!(chapter.contains("pear tree"), "{chapter}");
}

/// Whoever asks waits, and does not compute: other tasks of the same thread go on (ADR 71).
#[tokio::test]
async fn it_computes_on_a_thread_of_its_own() {
    let said: Vec<String> = (0..200)
        .map(|n| {
            format!(
                "10:{:02} ann: The shelf of room {n} holds {} jars of glaze since Monday.",
                n / 10,
                n % 83
            )
        })
        .collect();
    let request = request(talk("", day("2026-03-12", &said.join("\n"))), 600);
    let mut answer = pin!(Builtin.ask(&request));
    assert!(answer.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    assert_eq!(answer.await, Builtin.answer(&request));
}

/// A question is told with what answered it, or not at all.
#[test]
fn a_question_is_told_with_its_answer_or_not_at_all() {
    // Two who talk need not name each other; a short answer needs its question.
    let two = "10:00 mio: 仕事終わりの一杯は最高ですよね
               10:01 ken: そうですね、週末はいつも飲みます
               10:02 mio: 何のお酒が好きですか？
               10:03 ken: 梅酒
               10:04 mio: 甘いお酒はおいしいですよね
               10:05 ken: ソーダ割りにしています";
    let chapter = text(talk("", day("2026-03-02", two)), 300);
    assert!(chapter.contains("mio: 何のお酒が好きですか？ → ken: 梅酒"), "{chapter}");
    let english = "10:00 ann: The market was packed this morning.
                   10:01 bob: I stayed at home and fixed the shelf.
                   10:02 ann: How many cats do you have?
                   10:03 bob: Three! Pepper, Panda and Moss. Do you like cats?
                   10:04 ann: I prefer dogs, to be honest.
                   10:05 bob: We had a beagle when I was ten.";
    let chapter = text(talk("", day("2026-03-02", english)), 300);
    assert!(
        chapter.contains("ann: How many cats do you have? → bob: Three; Pepper, Panda and Moss"),
        "{chapter}"
    );
    // What says by itself what it is about needs no question.
    assert!(chapter.contains("- ann: I prefer dogs") && !chapter.contains("Do you like cats?"), "{chapter}");
    // Among many, what follows may be no answer: then the question is left out.
    let many = "10:00 ann: Does anybody know which port the staging proxy uses?
                10:01 bob: The lift of the second floor is out of order until Thursday.
                10:02 cy: The canteen serves pumpkin soup with ginger on Friday.
                10:03 dan: My bicycle stands in the cellar of the north wing.
                10:04 eve: The printer on the third floor was replaced on Monday.";
    let chapter = text(talk("", day("2026-03-02", many)), 300);
    assert!(!chapter.contains('?'), "{chapter}");
    assert!(chapter.contains("pumpkin soup"), "{chapter}");
    // Where it is taken up, the answer stands right behind it.
    let taken_up = many.replace(
        "10:03 dan: My bicycle",
        "10:03 dan: The staging proxy uses port 8443.\n10:03 dan: My bicycle",
    );
    let chapter = text(talk("", day("2026-03-02", &taken_up)), 300);
    let lines: Vec<&str> = chapter.lines().collect();
    let asked = lines.iter().position(|line| line.contains("which port")).unwrap();
    assert!(lines[asked + 1].contains("8443"), "{chapter}");
}

/// Free room is filled with what says most; what only says again what was said, and assent, is not told.
#[test]
fn short_talk_fills_its_room_without_echoes() {
    let mut said = Vec::new();
    for minute in 0..25 {
        let word = ["冬の海", "古い駅", "赤い橋", "白い鳥", "朝の市"][minute % 5];
        said.push(format!("10:{minute:02} mio: {word}の{minute}枚目"));
        said.push(format!("10:{minute:02} ken: わかります"));
    }
    let chapter = text(talk("", day("2026-03-02", &said.join("\n"))), 300);
    assert!(!chapter.contains("わかります"), "{chapter}");
    assert!(chapter.lines().count() > 15, "{chapter}");
    let only_assent: Vec<String> = (0..40)
        .map(|minute| {
            format!("10:{minute:02} {}: わかります{}", ["mio", "ken"][minute % 2], "ー".repeat(minute))
        })
        .collect();
    let chapter = text(talk("", day("2026-03-02", &only_assent.join("\n"))), 300);
    assert!(chapter.lines().count() <= 3, "{chapter}");
}

/// Decisions put as a question, tastes and places are told, and a sentence that points at a link has its link.
#[test]
fn what_is_come_back_to_is_told() {
    let filler: Vec<String> = (10..55)
        .map(|minute| {
            format!("10:{minute} ken: 第{minute}回の読書会では『灯台守の手帖』の第{minute}章を朗読しました")
        })
        .collect();
    for said in [
        "じゃあ花見の集合は15時でいきますか",
        "花見の場所は市民会館になります",
        "うちの娘はえびアレルギーなので食べられません",
    ] {
        let lines = format!("10:00 mio: {said}\n{}", filler.join("\n"));
        let chapter = text(talk("", day("2026-03-02", &lines)), 300);
        assert!(chapter.contains(said.trim_start_matches("じゃあ")), "{said}: {chapter}");
    }
    let link = "10:00 ann: Please sign up for the harbour walk with the following link\\nhttps://forms.example.com/harbour-walk/2026";
    let chapter = text(talk("", day("2026-03-02", link)), 300);
    assert!(chapter.contains("following link https://forms.example.com/harbour-walk/2026"), "{chapter}");
}
