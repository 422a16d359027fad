//! What it says when spoken to.

use insta::assert_snapshot;
use myao_core::{
    ports::{FoundIn, Material, Request, TalkLine, ToolSpec, Turn, UNASKED},
    text::Language,
};
use serde_json::json;

use crate::asking::{ask, day, line, request};

fn reply(lines: Vec<TalkLine>, language: Language) -> String {
    let mut request = request(Material::Conversation(lines), 300);
    request.language = language;
    request.own_names = vec!["myao".to_owned()];
    ask(&request).unwrap().text
}

/// What it says though nobody asked.
fn remark(lines: Vec<TalkLine>) -> String {
    ask(&Request { purpose: UNASKED, ..request(Material::Conversation(lines), 300) }).unwrap().text
}

/// A line that a search found, in an exchange of its own or with others.
fn found(exchange: usize, at: &str, name: &str, words: &str) -> TalkLine {
    TalkLine {
        mark: Some(format!("r{exchange}")),
        found: Some(FoundIn { exchange, is_hit: true, is_memory: false, is_here: true }),
        ..line(at, name, words)
    }
}

#[test]
fn unasked_it_says_something_only_where_it_has_something_to_say() {
    let known = "10:00 hana: 次の勉強会は4月10日に図書館で開催することに決まりました。
         13:30 mio: 次の勉強会は図書館で開催でしたっけ？";
    assert_snapshot!(remark(day("2026-03-02", known)), @"");
    let known = "10:00 ann: The release freeze starts on March 9, so please merge your branches by Thursday.
         13:30 cy: when does the release freeze start?";
    assert_snapshot!(remark(day("2026-03-02", known)), @"Quoted, no model — ann on 2 March: “The release freeze starts on March 9, so please merge your branches by Thursday.”");
    let unknown = "10:00 ken: お昼は蕎麦にします
         11:00 mio: 次の勉強会はいつでしたっけ？";
    assert_eq!(remark(day("2026-03-02", unknown)), "");
    assert_eq!(remark(day("2026-03-02", "10:00 ann: anybody?")), "");
}

/// Whoever asks knows what they said themselves.
#[test]
fn unasked_it_never_quotes_whoever_asks() {
    let own = "08:00 cy: The release freeze starts on March 9, so please merge your branches by Thursday.
         13:30 cy: when does the release freeze start?";
    assert_eq!(remark(day("2026-03-02", own)), "");
    let similar = "08:00 ann: The release notes are on the wiki since March 9.
         13:30 cy: when does the release freeze start?";
    assert_eq!(remark(day("2026-03-02", similar)), "", "what is only alike answers nothing");
}

#[test]
fn a_question_is_answered_by_what_was_said() {
    let lines = day(
        "2026-03-02",
        "10:00 hana: 次の勉強会は4月10日に図書館で開催することに決まりました。
         10:05 ken: お昼は蕎麦にします
         11:00 mio: @myao 次の勉強会はいつでしたっけ？",
    );
    assert_snapshot!(reply(lines, Language::En), @"引用（モデルなし）：3月2日、hanaさん「次の勉強会は4月10日に図書館で開催することに決まりました。」");
    let lines = day(
        "2026-03-02",
        "10:00 ann: The release freeze starts on March 9, so please merge your branches by Thursday.
         10:05 bob: lunch anyone?
         11:00 cy: @myao when does the release freeze start?",
    );
    assert_snapshot!(reply(lines, Language::Ja), @"Quoted, no model — ann on 2 March: “The release freeze starts on March 9, so please merge your branches by Thursday.”");
}

#[test]
fn a_bare_mention_is_answered_in_the_language_of_the_workspace() {
    for words in ["@myao", "@myao @hana !"] {
        let called = day("2026-03-02", &format!("10:00 hana: {words}"));
        assert!(reply(called.clone(), Language::Ja).contains("わかりません"), "{words}");
        assert!(reply(called, Language::En).contains("I don't know"), "{words}");
    }
}

/// What a search found is quoted with its mark, which becomes a link.
#[test]
fn what_was_found_elsewhere_answers_as_well() {
    let asked = |question: &str| {
        let mut lines = vec![
            found(1, "2026-01-07 10:00", "hana", "次の勉強会は4月10日に図書館で開催することに決まりました。"),
            found(
                2,
                "2026-01-08 10:00",
                "hana",
                "The release freeze starts on March 9, so please merge by Thursday.",
            ),
        ];
        lines.extend(day("2026-03-02", &format!("10:05 ken: お昼は蕎麦にします\n11:00 mio: {question}")));
        reply(lines, Language::Ja)
    };
    assert_snapshot!(asked("@myao 次の勉強会はいつでしたっけ？"), @"引用（モデルなし）：1月7日、hanaさん「次の勉強会は4月10日に図書館で開催することに決まりました。」 [r1]");
    assert_snapshot!(asked("@myao when does the release freeze start?"), @"Quoted, no model — hana on 8 January: “The release freeze starts on March 9, so please merge by Thursday.” [r2]");
    assert_snapshot!(asked("@myao 猫の名前は何？"), @"わかりません（モデルなし）。そう言っている人が見つかりませんでした。");
}

/// What somebody said in #random is asked for there.
fn is_told(said: &str, question: &str) -> bool {
    let mut lines =
        vec![TalkLine { channel: Some("random".to_owned()), ..found(1, "2026-01-07 10:00", "hana", said) }];
    lines.extend(day("2026-03-02", &format!("11:00 mio: @myao {question}")));
    let answer = reply(lines, Language::En);
    let is_unknown = answer.contains("I don't know") || answer.contains("わかりません");
    assert!(is_unknown != answer.contains("[r1]"), "{answer}");
    !is_unknown
}

/// Who asks for one thing is not told about another of its kind.
#[test]
fn another_thing_of_the_kind_answers_nothing() {
    let others = [
        ("The Cobblebrook hall holds 3272 people.", "How many people does the Marlstone hall hold?"),
        ("The Cobblebrook hall holds 3272 people.", "how many people does the marlstone hall hold"),
        (
            "ugh, weather. Duskerry boat trip, make that 25 February instead",
            "When is the Wrenfield boat trip?",
        ),
        ("The Berlin office closes at 18:00 on Fridays.", "When does the Osaka office close on Fridays?"),
        ("Byobu says that F9 should bring up the menu.", "What should I bring to Marlstone?"),
        ("深雪町ホールの定員は3272名です。", "朝凪館ホールの定員は何名？"),
        ("楓坂の物置の鍵なら鴨志田さん持ってるよ", "月見橋の物置の鍵は誰が持ってる？"),
        ("青鷺台の屋根の請求きた、6688円だって、目を疑ったわ", "深雪町の屋根の請求はいくら？"),
        ("鳴砂の皆さんは昼食に蕎麦ぼうろを好まれます。", "月見橋の皆さんが昼食に好むものは？"),
    ];
    for (said, question) in others {
        assert!(!is_told(said, question), "{question} — {said}");
    }
}

/// A thing is named behind it as well as before it.
#[test]
fn another_thing_of_a_name_answers_nothing() {
    let others = [
        ("The wifi password of the office is heron42.", "What's the wifi password of the moon?"),
        ("The office wifi password is heron42.", "What's the wifi password of the moon?"),
        ("The office wifi is duskbox (password on the board).", "What's the wifi password of the moon?"),
        ("The office's wifi password is heron42.", "What's the wifi password of the moon?"),
        ("The wifi password for the office is heron42.", "What is the wifi password for the barn?"),
        ("The wifi password of the office is heron42.", "What's the barn wifi password?"),
        ("The wifi password of the office is heron42.", "What's the barn's wifi password?"),
        (
            "The opening hours of the town library are 9 to 17.",
            "What are the opening hours of the town museum?",
        ),
        ("The delivery code of the back gate is 4711.", "What is the delivery code of the garage?"),
        (
            "The opening hours of the library are 9 to 17.",
            "What are the opening hours of the museum for guests?",
        ),
        ("The library's opening hours are 9 to 17.", "What are the opening hours of the town museum?"),
        (
            "The emergency phone number of the plumber is 4711.",
            "What is the emergency phone number of the locksmith?",
        ),
        ("番茶の値段は500円です。", "うちの新茶の値段はいくら？"),
        ("ほうじ茶は500円です。", "うちの新茶の値段はいくら？"),
        ("楓坂の新茶の値段は500円です。", "月見橋の新茶の値段はいくら？"),
        ("楓坂の鍵の番号は4711です。", "月見橋の鍵の番号は？"),
    ];
    let told: Vec<_> = others.iter().filter(|(said, question)| is_told(said, question)).collect();
    assert!(told.is_empty(), "{told:#?}");
}

#[test]
fn the_same_thing_of_a_name_answers_wherever_the_name_stands() {
    let same = [
        ("The wifi password of the office is heron42.", "What's the office wifi password?"),
        ("The office wifi password is heron42.", "What's the wifi password of the office?"),
        ("The office's wifi password is heron42.", "What's the wifi password for the office?"),
        ("The barn's key is on the hook.", "Where is the key of the barn?"),
        ("The opening hours of the library are 9 to 17.", "What are the opening hours of the town library?"),
        (
            "The emergency phone number of the van's insurance is 4711.",
            "What is the emergency phone number of the insurance?",
        ),
        ("The opening hours of the town library are 9 to 17.", "What are the library's opening hours?"),
        ("新茶の値段は500円です。", "うちの新茶の値段はいくら？"),
        ("うちの新茶は500円です。", "うちの新茶の値段はいくら？"),
        ("新茶は500円です。", "うちの新茶の値段はいくら？"),
        ("今年の新茶の値段は500円です。", "うちの新茶の値段はいくら？"),
        ("月見橋の新茶は500円です。", "月見橋の新茶の値段はいくら？"),
    ];
    let unknown: Vec<_> = same.iter().filter(|(said, question)| !is_told(said, question)).collect();
    assert!(unknown.is_empty(), "{unknown:#?}");
}

/// What was said right before does not make it the thing that is asked for.
#[test]
fn what_names_another_thing_is_about_it_whatever_was_said_before() {
    let asked = [
        (
            "雲雀野の誕生会には蕎麦ぼうろを買っとけば間違いない",
            "鹿ノ瀬の地下に椅子が23脚ある、誰が買ったの",
            "鹿ノ瀬の誕生会に何を買う？",
        ),
        (
            "千鳥峠の荷物が届いた",
            "訂正：月見橋のサーバーの停止は7月25日ではなく5月24日です。",
            "千鳥峠のサーバーはいつ停止する？",
        ),
    ];
    for (before, said, question) in asked {
        let mut lines = vec![
            found(1, "2026-03-02 10:00", "hana", before),
            TalkLine { mark: Some("r2".to_owned()), ..found(1, "2026-03-02 10:05", "ken", said) },
        ];
        lines.extend(day("2026-03-12", &format!("11:00 mio: @myao {question}")));
        let answer = reply(lines, Language::Ja);
        assert!(answer.contains("わかりません"), "{question} — {answer}");
    }
    // What is said in its thread is.
    let root = TalkLine {
        mark: None, ..found(1, "2026-03-02 10:00", "hana", "千鳥峠のサーバーのことで")
    };
    let said = "停止は5月24日です。月見橋のサーバーは別の日です。";
    let mut lines =
        vec![root.clone(), TalkLine { thread: Some(root.ts), ..found(1, "2026-03-02 10:05", "ken", said) }];
    lines.extend(day("2026-03-12", "11:00 mio: @myao 千鳥峠のサーバーはいつ停止する？"));
    assert!(reply(lines, Language::Ja).contains("5月24日"));
}

/// What names nothing else, or says the name in another way, still answers.
#[test]
fn what_is_named_or_names_no_other_answers() {
    let same = [
        ("The Marlstone hall holds 3272 people.", "How many people does the Marlstone hall hold?"),
        ("Marlstone's hall holds 3272 people.", "How many people does the Marlstone hall hold?"),
        ("The wifi password is on the fridge.", "Where is the WiFi password?"),
        ("The next release is on 9 March.", "When is the next Release?"),
        ("朝凪館のホールの定員は3272名です。", "朝凪館ホールの定員は何名？"),
        ("来春、朝凪館チームは竜胆湖へ研修旅行に行く予定です。", "来春朝凪館チームはどこへ研修旅行に行く？"),
        ("物置の鍵なら鴨志田さん持ってるよ", "月見橋の物置の鍵は誰が持ってる？"),
        ("楓坂の物置の鍵なら鴨志田さん持ってるよ", "物置の鍵は誰が持ってる？"),
    ];
    for (said, question) in same {
        assert!(is_told(said, question), "{question} — {said}");
    }
}

/// The newest value comes first, and the one before it is told as such.
#[test]
fn what_was_replaced_is_told_behind_what_holds() {
    let asked = |old: (&str, &str), new: (&str, &str), question: &str| {
        let mut lines = vec![found(1, old.0, "ann", old.1), found(2, new.0, "bea", new.1)];
        lines.extend(day("2026-03-23", &format!("11:00 cy: {question}")));
        reply(lines, Language::En)
    };
    let swim = ("2026-03-02 10:00", "The swim meet is on Friday 27 March.");
    let moved = ("2026-03-12 10:00", "The swim meet has moved to Friday 24 April.");
    assert_snapshot!(asked(swim, moved, "@myao when is the swim meet?"), @"
    Quoted, no model — bea on 12 March: “The swim meet has moved to Friday 24 April.” [r2]
    Until 12 March it was — ann on 2 March: “The swim meet is on Friday 27 March.” [r1]
    ");
    let fund = ("2026-03-02 10:00", "The tea fund stands at £3.40.");
    let full = ("2026-03-12 10:00", "The tea fund is at £11.80 now.");
    assert_snapshot!(asked(fund, full, "@myao how much is in the tea fund"), @"
    Quoted, no model — bea on 12 March: “The tea fund is at £11.80 now.” [r2]
    Until 12 March it was — ann on 2 March: “The tea fund stands at £3.40.” [r1]
    ");
    let fee = ("2026-03-02 10:00", "会費は1,500円です。");
    let fees = ("2026-03-12 10:00", "会費は1,800円に変更します。");
    assert_snapshot!(asked(fee, fees, "@myao 会費っていくらだっけ"), @"
    引用（モデルなし）：3月12日、beaさん「会費は1,800円に変更します。」 [r2]
    3月12日までは：3月2日、annさん「会費は1,500円です。」 [r1]
    ");
}

/// A reply says little without what it answers.
#[test]
fn what_answers_a_question_is_found_by_the_question() {
    let root = found(1, "2026-03-05 15:10", "bea", "What does everybody drink at work?");
    let of =
        |at: &str, name: &str, words: &str| TalkLine { thread: Some(root.ts), ..found(1, at, name, words) };
    let thread = [
        root.clone(),
        of("2026-03-05 15:11", "ann", "Lapsang. Yes, the one that smells like a bonfire"),
        of("2026-03-05 15:14", "dan", "Anything with oat milk, please!"),
    ];
    let asked = |question: &str| {
        let mut lines = thread.to_vec();
        lines.extend(day("2026-03-23", &format!("11:00 cy: {question}")));
        reply(lines, Language::En)
    };
    assert!(
        asked("@myao what does dan drink?").contains("oat milk"),
        "{}",
        asked("@myao what does dan drink?")
    );
    assert!(asked("@myao what does ann drink").contains("Lapsang"));
    assert!(asked("@myao what does hugo drink").contains("I don't know"));
}

/// Pointing at its own pointing, each answer would quote the one before.
#[test]
fn what_was_asked_before_is_no_answer() {
    let english = "10:00 ann: The Spring Count is now in April, from the 20th to the 24th.
10:05 bea: @myao when is the Spring Count now, and when do the boxes go out?
10:20 joe: @myao when is the Spring Count now?";
    let answer = reply(day("2026-03-02", english), Language::En);
    assert!(answer.contains("ann on 2 March: “The Spring Count is now in April"), "{answer}");
    let japanese = "10:00 hana: 次の勉強会は4月10日に図書館で開催することに決まりました。
10:05 jun: 次の勉強会はいつ、どこで開催するのでしたっけ？
10:20 ken: 次の勉強会はいつでしたか？";
    let answer = reply(day("2026-03-02", japanese), Language::Ja);
    assert!(answer.contains("hanaさん「次の勉強会は4月10日"), "{answer}");
}

/// A question that stands open is told as one.
#[test]
fn a_question_that_nobody_answered_is_no_answer() {
    let open = "10:00 noor: Do the volunteers keep their vests after the count? I have 44 people and 30 vests
10:20 joe: @myao do the volunteers keep their vests?";
    assert_snapshot!(reply(day("2026-03-02", open), Language::En), @"I don't know (no model): noor asked that on 2 March, and I found no answer to it.");
    let open = "10:00 hana: はぎれの和紙は使ってもよいでしょうか?
10:20 ken: @myao はぎれの和紙って使っていいの？";
    assert_snapshot!(reply(day("2026-03-02", open), Language::Ja), @"わかりません（モデルなし）。3月2日にhanaさんも聞いていますが、答えが見つかりませんでした。");
}

#[test]
fn it_does_not_quote_itself() {
    for own in [
        "I run without a language model, so I can only point at what was said: the release freeze, when does it start",
        "Quoted, no model — ann on 1 March: “The release freeze starts, when does it start”",
    ] {
        let lines = day(
            "2026-03-02",
            &format!(
                "10:00 ann: The release freeze starts on March 9, so please merge your branches by Thursday.
         11:00 myao: {own}
         11:05 cy: @myao when does the release freeze start?"
            ),
        );
        let answer = reply(lines, Language::En);
        assert!(answer.contains("ann on 2 March: “The release freeze starts on March 9"), "{answer}");
    }
}

#[test]
fn without_anything_to_point_at_it_says_so() {
    let ask = |text: &str, language| reply(day("2026-03-02", &format!("10:00 mio: {text}")), language);
    assert_snapshot!(ask("@myao 一番高い山はどこにありますか？", Language::Ja), @"わかりません（モデルなし）。そう言っている人が見つかりませんでした。");
    assert_snapshot!(ask("@myao what is the highest mountain?", Language::En), @"I don't know (no model): I found nobody who said that.");
    assert_snapshot!(ask("???", Language::Ja), @"わかりません（モデルなし）。そう言っている人が見つかりませんでした。");
}

#[test]
fn it_says_who_it_is_and_what_it_can_do() {
    let ask = |text: &str| reply(day("2026-03-02", &format!("10:00 mio: @myao {text}")), Language::En);
    for asked in ["Who are you?", "what's your name", "あなたは誰？", "お名前は？"] {
        assert!(ask(asked).contains("myao"), "{asked}: {}", ask(asked));
    }
    assert!(ask("what can you do?").contains("remember that"));
    assert!(ask("何ができるの？").contains("覚えておいて"));
}

/// Nothing is forgotten by talking: it says where that is done.
#[test]
fn forgetting_is_done_elsewhere() {
    let ask = |text: &str| reply(day("2026-03-02", &format!("10:00 mio: @myao {text}")), Language::En);
    for asked in
        ["forget what I said about the shampoo", "please delete that", "さっきの話、忘れて", "川の話は消して"]
    {
        assert!(ask(asked).contains("myao forget"), "{asked}: {}", ask(asked));
    }
    assert!(!ask("did you forget the swim meet?").contains("myao forget"));
}

/// Asked why it knows, it names what it quoted.
#[test]
fn it_says_from_what_it_knows_something() {
    let talk = |said: &str, asked: &str| {
        let mut lines = vec![found(1, "2026-01-08 10:00", "hana", "I drink rooibos")];
        lines.extend(day(
            "2026-03-02",
            &format!("10:00 cy: @myao what does hana drink?\n10:01 myao: {said}\n10:02 cy: @myao {asked}"),
        ));
        reply(lines, Language::En)
    };
    let said = "Quoted, no model — hana on 8 January: “I drink rooibos” [1] (https://example.com/1)";
    assert_snapshot!(talk(said, "Why do you remember that?"), @"Because of what was said (no model) — hana on 8 January: “I drink rooibos” [r1]");
    assert_snapshot!(talk(said, "なんで覚えてるの？"), @"こう言われていたからです（モデルなし）：1月8日、hanaさん「I drink rooibos」 [r1]");
    let nothing = reply(day("2026-03-02", "10:00 cy: @myao how do you know that?"), Language::En);
    assert!(nothing.contains("I don't know"), "{nothing}");
}

/// What is to be remembered becomes a memo, under another name if that is taken.
#[test]
fn what_is_to_be_remembered_becomes_a_memo() {
    let spec = ToolSpec { name: "add_memo".to_owned(), description: String::new(), parameters: json!({}) };
    let asked = |text: &str, turns: &[&str]| {
        let lines = day(
            "2026-03-02",
            &format!("09:00 bob: The spare key is under the mat.\n10:00 mio: @myao {text}"),
        );
        let turns =
            turns.iter().map(|text| Turn::Tool { call: "memo-".to_owned(), text: (*text).to_owned() });
        let mut request = request(Material::Conversation(lines), 300);
        request.tools = vec![spec.clone()];
        request.turns.extend(turns);
        ask(&request).unwrap()
    };
    let memo = |text: &str| asked(text, &[]).calls.first().map(|call| call.arguments["content"].clone());
    for (text, content) in [
        ("remember that the spare torch is in my desk", "mio: the spare torch is in my desk"),
        ("please remember: swimming is on Friday", "mio: swimming is on Friday"),
        ("Don't forget that Ann is allergic to nuts", "mio: Ann is allergic to nuts"),
        ("remember that", "bob: The spare key is under the mat."),
        ("3/23はお休みって覚えておいて", "mio: 3/23はお休み"),
        ("箱は60サイズだとメモして", "mio: 箱は60サイズだ"),
    ] {
        assert_eq!(memo(text), Some(json!(content)), "{text}");
    }
    assert_eq!(memo("do you remember the torch?"), None);
    assert_eq!(memo("覚えてる？"), None);
    let said = asked("remember that the torch is here", &["noted: the torch is here"]);
    assert_snapshot!(said.text, @"Noted (no model): “the torch is here”");
    let again = asked("remember that the torch is here", &["error: there is a memo of this name already"]);
    assert_eq!(again.calls[0].arguments["name"], "the torch is here 2");
    let refused =
        asked("remember that the torch is here", &["error: the memos cannot be reached at the moment"]);
    assert_snapshot!(refused.text, @"I could not note that (no model): the memos cannot be reached at the moment");
}

#[test]
fn courtesies_are_returned() {
    let say = |text: &str| reply(day("2026-03-02", &format!("10:00 mio: {text}")), Language::Ja);
    assert_eq!(say("おはよう！"), "おはようございます。");
    assert_eq!(say("@myao ありがとう！"), "どういたしまして。");
    assert_eq!(say("thanks a lot"), "You're welcome.");
    assert_eq!(say("hello there"), "Hello.");
}

#[test]
fn nobody_spoke() {
    assert_eq!(reply(Vec::new(), Language::Ja), "");
}

/// "How" in front of a verb is no word that an answer holds.
#[test]
fn how_something_is_done_is_told_by_whoever_knows_it() {
    let told = "入館証の再設定は、読み取り機に10秒かざすとできます。";
    for question in [
        "入館証の再設定は？",
        "入館証はどうやって再設定すればいい？",
        "入館証の再設定はどうすればいい？",
        "私の入館証はどうやって再設定すればいい？",
    ] {
        let lines = vec![line("2026-03-02 10:00", "千夏", told), line("2026-03-09 10:00", "亜美", question)];
        assert!(reply(lines, Language::Ja).contains("10秒"), "{question}");
    }
}
