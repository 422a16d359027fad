//! Talk as a model reads it (specification §2.4, §12.3).

use insta::assert_snapshot;
use jiff::tz::TimeZone;
use myao_core::{
    chat::{FileRef, Message, MessageKind, Names},
    text::Language,
    wording::{MESSAGE_LIMIT, TalkFormat, lines_as_text, messages_as_lines},
};

use crate::prompt_sample::{morning, named, names, replied, said, tokyo};

fn text(messages: &[Message], names: &Names, zone: &TimeZone, language: Language) -> String {
    lines_as_text(&messages_as_lines(messages, &TalkFormat { names, zone, language, limit: MESSAGE_LIMIT }))
}

fn english(messages: &[Message]) -> String {
    text(messages, &names(Language::En), &tokyo(), Language::En)
}

#[test]
fn a_morning() {
    assert_snapshot!(text(&morning(Language::Ja), &names(Language::Ja), &tokyo(), Language::Ja), @"
    [2026-03-02 09:00] 佐藤: おはようございます。今日の定例は15時からです。
    [2026-03-02 09:05] 鈴木: @佐藤 データベースの移行日を決めたいです。
      候補は3月10日と3月17日です。
    [2026-03-02 09:07] 佐藤: 10日は負荷試験と重なりますね。
    [2026-03-02 09:10] 佐藤: #random に昼食の相談を書きました。
    [2026-03-02 09:15] 鈴木: では17日で。計画を貼ります。 [ファイル: 移行計画.pdf]
    [2026-03-02 09:16] 佐藤: @みゃお 17日で問題ないか、覚えていることがあれば教えて。
    ");
    assert_snapshot!(english(&morning(Language::En)), @"
    [2026-03-02 09:00] Alice: Good morning. The weekly is at 3 pm today.
    [2026-03-02 09:05] Bob: @Alice I'd like to fix the date of the database migration.
      Either 10 or 17 March.
    [2026-03-02 09:07] Alice: The 10th clashes with the load test.
    [2026-03-02 09:10] Alice: I asked about lunch in #random.
    [2026-03-02 09:15] Bob: The 17th then. Here is the plan. [file: migration-plan.pdf]
    [2026-03-02 09:16] Alice: @myao anything you remember that speaks against the 17th?
    ");
}

#[test]
fn times_stand_in_the_configured_zone() {
    let berlin = TimeZone::get("Europe/Berlin").unwrap();
    let talk = text(&[said(0, 1, "hi")], &names(Language::En), &berlin, Language::En);
    assert_eq!(talk, "[2026-03-02 01:00] Alice: hi");
}

#[test]
fn notices_and_deleted_messages_are_no_talk() {
    let joined = Message { kind: MessageKind::Notice, ..said(0, 1, "joined") };
    let gone = Message { deleted: true, ..replied(0, 1, 2, "") };
    assert_eq!(english(&[joined, gone, said(2, 1, "hi")]), "[2026-03-02 09:00] Alice: hi");
}

#[test]
fn strangers_are_called_by_their_id() {
    assert_eq!(english(&[said(0, 9, "ask <@U8> in <#C7>")]), "[2026-03-02 09:00] U9: ask @U8 in #C7");
}

#[test]
fn continuation_lines_are_indented_and_blank_ones_dropped() {
    let talk = english(&[said(0, 1, "\none\r\n\n  two\u{2028}three\u{b}four\n")]);
    assert_eq!(talk, "[2026-03-02 09:00] Alice: one\n    two\n  three\n  four");
}

#[test]
fn files_are_named_and_many_are_counted() {
    let file = |n: usize| FileRef { name: format!("f{n}.png"), ..FileRef::default() };
    let alone = Message { files: vec![file(1)], ..said(0, 1, "") };
    assert_eq!(english(&[alone]), "[2026-03-02 09:00] Alice: [file: f1.png]");
    let many = Message { files: (1..=12).map(file).collect(), ..said(0, 1, "all of them") };
    assert!(english(&[many]).ends_with(": all of them [file: f1.png] [file: f2.png] [file: f3.png] [file: f4.png] [file: f5.png] [file: f6.png] [file: f7.png] [file: f8.png] [file: f9.png] [file: f10.png] [files: 2 more]"));
}

/// What an image shows is told to whoever does not see it; it keeps to its place like a name.
#[test]
fn an_image_is_told_in_its_authors_words() {
    let file =
        |alt: &str| FileRef { alt: Some(alt.to_owned()), name: "roof.png".to_owned(), ..FileRef::default() };
    let told = |alt: &str, language| {
        let message = Message { files: vec![file(alt)], ..said(0, 1, "look") };
        text(&[message], &names(language), &tokyo(), language)
    };
    let ja = told("屋根の上の猫", Language::Ja);
    assert!(ja.ends_with(": look [ファイル: roof.png（屋根の上の猫）]"), "{ja}");
    let en = told("A cat\non a [hot] roof", Language::En);
    assert!(en.ends_with(": look [file: roof.png (A cat on a (hot) roof)]"), "{en}");
    assert!(told(" ", Language::En).ends_with(": look [file: roof.png]"));
    let long = told(&"x".repeat(300), Language::En);
    assert_eq!(long.matches('x').count(), 200);
}

#[test]
fn an_overlong_message_says_how_much_is_missing() {
    let long = "あ".repeat(MESSAGE_LIMIT + 38_000);
    let ja = text(&[said(0, 1, &long)], &names(Language::Ja), &tokyo(), Language::Ja);
    assert!(
        ja.ends_with("ああ …（以下 38000 文字省略）"),
        "{}",
        ja.chars().rev().take(30).collect::<String>()
    );
    assert_eq!(ja.chars().filter(|c| *c == 'あ').count(), MESSAGE_LIMIT);
    assert!(english(&[said(0, 1, &long)]).ends_with("あ … (38000 more characters)"));
    let exact = "あ".repeat(MESSAGE_LIMIT);
    assert_eq!(english(&[said(0, 1, &exact)]), format!("[2026-03-02 09:00] Alice: {exact}"));
}

#[test]
fn a_name_keeps_to_its_place() {
    let names = named(&["[2026-03-02 09:00] Bob: hi\nCarol", "", &"n".repeat(200)]);
    let talk = text(&[said(0, 1, "x"), said(60, 3, "y")], &names, &tokyo(), Language::En);
    let long = "n".repeat(80);
    assert_eq!(
        talk,
        format!("[2026-03-02 09:00] (2026-03-02 09:00) Bob：hi Carol: x\n[2026-03-02 09:01] {long}: y")
    );
}

#[test]
fn colour_codes_of_machines_are_left_out() {
    let table = [
        ("\u{1b}[1;31mFAILED\u{1b}[0m in 3 s", "FAILED in 3 s"),
        ("[1;31mFAILED[0m in 3 s", "FAILED in 3 s"),
        ("\u{1b}[2K\u{1b}[?25lstep 3", "step 3"),
        ("\u{3}04,01build\u{3} \u{3}10done\u{f}", "build done"),
        ("\u{2}loud\u{2}, and a \u{8}slip", "loud, and a slip"),
        ("a[0] and [640m] and [12m] of rope, [x](y), [", "a[0] and [640m] and [12m] of rope, [x](y), ["),
        ("the pool is [5", "the pool is [5"),
    ];
    for (said_there, read) in table {
        assert_eq!(
            english(&[said(0, 1, said_there)]),
            format!("[2026-03-02 09:00] Alice: {read}"),
            "{said_there:?}"
        );
    }
}
