//! When it would speak up unasked: hardly ever, and only where somebody is plainly left alone (specification §4).

use myao_core::{
    judgment::{VERDICT, Verdict, verdict_json_schema},
    ports::{DataMode, FoundIn, Material, ModelError, Request, ResponseFormat, Role, TalkLine},
    text::Language,
};

use crate::asking::{ask, day, line, request, speaker};

fn judgment(lines: Vec<TalkLine>, language: Language) -> Request {
    Request {
        role: Role::Judgment,
        purpose: "judgment",
        language,
        form: ResponseFormat::Data { name: VERDICT, schema: verdict_json_schema(), means: DataMode::Schema },
        ..request(Material::Conversation(lines), 200)
    }
}

/// The verdict at the end of a conversation.
pub(crate) fn judge(lines: Vec<TalkLine>, language: Language) -> Verdict {
    serde_json::from_str(&ask(&judgment(lines, language)).unwrap().text).unwrap()
}

/// Lines of one day; those whose name begins with `>` reply in a thread under the last one that does not.
fn said(talk: &str) -> Vec<TalkLine> {
    let mut root = None;
    let mut lines = day("2026-03-02", talk);
    for line in &mut lines {
        match line.name.strip_prefix('>') {
            Some(name) => {
                line.name = name.to_owned();
                line.speaker = speaker(&line.name);
                line.thread = root;
            }
            None => root = Some(line.ts),
        }
    }
    lines
}

const QUESTION: &str = "nobody has answered the question, and I know no answer";
const TROUBLE: &str = "somebody is in trouble and nobody has reacted, and I know nothing that helps";
const ANSWERED: &str = "somebody has taken it up already";
const CLOSED: &str = "it has come to its end";
const ADDRESSED: &str = "it is meant for somebody else";
const ANNOUNCED: &str = "it is an announcement that wants no answer";
const LITTLE: &str = "little was said that wants an answer";
const TALKING: &str = "people are talking to each other";
const REMARK: &str = "it is neither a question nor a call for help";
const OWN: &str = "the last words were mine";
const BOTS: &str = "only bots have spoken";

#[track_caller]
fn all_end_as(cases: &[(&str, &str)]) {
    for (talk, reason) in cases {
        let verdict = judge(said(talk), Language::En);
        assert_eq!(verdict.reason, *reason, "{talk}");
        assert!(!verdict.should_respond, "nothing is known that answers: {talk}");
    }
}

#[test]
fn who_is_left_alone_is_seen() {
    all_end_as(&[
        ("10:00 ken: 開発用のサーバーに接続できる時間帯は決まっていますか？", QUESTION),
        ("10:00 ken: PostgreSQLのバックアップを別のリージョンに置く方法を教えてください", QUESTION),
        ("10:00 mio: 経費精算の締切っていつでしたっけ？\n10:01 mio: 先月と同じ？", QUESTION),
        // What follows a question adds to it.
        (
            "10:00 mio: テストがCIでだけ失敗するのはなぜでしょうか？\n10:02 mio: https://example.com/ci/123\n10:03 mio: 手元のmacOSでは通ります。",
            QUESTION,
        ),
        ("10:00 mio: 設定ファイルの書き方がわからなくて、もう二時間も困っています。", TROUBLE),
        ("10:00 mio: 今日はもうしんどい…", TROUBLE),
        ("10:00 ann: Does anyone know how to rotate the staging certificates?", QUESTION),
        ("10:00 ann: Which version of the exporter do we run in production?", QUESTION),
        ("10:00 ann: Where do we keep the wiring diagrams of the old office?\n10:04 ann: anyone?", QUESTION),
        ("10:00 ann: I'm stuck with the migration script, it stops at table 14 without an error.", TROUBLE),
        ("10:00 ann: feeling so lonely in this empty office", TROUBLE),
        // Another matter came before; whoever asks took no part in it.
        (
            "09:00 ken: The lunch menu is out, it's curry again.\n09:01 bob: great\n09:50 ann: How do I reset the password of the build server?",
            QUESTION,
        ),
        // A bot's line is no answer.
        (
            "10:00 ann: How do I reset the password of the build server?\n10:01 bot: Build 4711 passed on main.",
            QUESTION,
        ),
        // A new question after our own answer is for us as much as for anybody.
        (
            "10:00 ann: How do I reset the password of the build server?\n10:05 >myao: There is a page about it in the wiki.\n10:09 >ann: Where in the wiki is the page about the build server?",
            QUESTION,
        ),
        // Somebody else's thread is elsewhere.
        (
            "09:00 ken: The printer is out of paper.\n10:00 ann: How do I reset the password of the build server?\n10:02 bob: ok",
            ANSWERED,
        ),
    ]);
    let elsewhere = "09:00 ken: The printer on the second floor is out of paper.\n09:30 >bob: I'll get some.";
    let mut lines = said(elsewhere);
    lines.extend(said("10:00 ann: How do I reset the password of the build server?"));
    let mut late = said("10:02 bob: Paper is in the printer.").remove(0);
    late.thread = Some(lines[0].ts);
    lines.push(late);
    assert_eq!(judge(lines, Language::En).reason, QUESTION, "a reply in another thread answers nothing");
}

/// A line that a search found.
fn known(words: &str, by: &str) -> TalkLine {
    TalkLine {
        mark: Some("r1".to_owned()),
        found: Some(FoundIn { exchange: 1, is_hit: true, is_memory: false, is_here: true }),
        ..line("2026-02-20 10:00", by, words)
    }
}

/// Silence, unless what was said before answers.
#[test]
fn it_speaks_up_where_what_was_said_answers() {
    let knowing = |found: &str, by: &str, talk: &str| {
        judge([vec![known(found, by)], said(talk)].concat(), Language::En)
    };
    let asked = "10:00 ann: When does the exporter move to the new server?";
    for (found, by, answers) in [
        ("The exporter moves to the new server on 14 April.", "bob", true),
        ("The exporter moves to the new server on 14 April.", "ann", false),
        ("When does the exporter move to the new server?", "bob", false),
        ("The exporter is on the second floor since 14 April.", "bob", false),
        ("The new server is closed on Monday.", "bob", false),
    ] {
        let verdict = knowing(found, by, asked);
        assert_eq!(verdict.should_respond, answers, "{found}");
        assert_eq!(verdict.delay_seconds.is_some(), answers, "a question is left to others for a while");
    }
    let japanese = "10:00 ken: 経費精算の締切っていつでしたっけ？";
    assert!(knowing("経費精算の締切は毎月25日です。", "hana", japanese).should_respond);
    assert!(!knowing("経費精算のページが新しくなりました。", "hana", japanese).should_respond);
    // Whoever is answered already is left alone, whatever is known.
    let answered = "10:00 ann: When does the exporter move to the new server?\n10:02 cy: In April, I think.";
    assert!(!knowing("The exporter moves to the new server on 14 April.", "bob", answered).should_respond);
    // What answered somebody who asked the same answers again.
    let root = known("How do I reset the password of the build server?", "cy");
    let reply = TalkLine {
        thread: Some(root.ts),
        ts: root.ts.plus_seconds(60),
        ..known("Hold the left key down while it starts.", "bob")
    };
    let asked = "10:00 ann: How do I reset the password of the build server?";
    assert!(judge([vec![root, reply], said(asked)].concat(), Language::En).should_respond);
    // Where it is no reply, it has to call whoever asked by name.
    for (words, answers) in [
        ("Al, hold the left key down while it starts.", true),
        ("Hold the left key down while it starts.", false),
        ("Hold the left key down, also while it starts.", false),
    ] {
        let root = known("How do I reset the password of the build server?", "Al");
        let next = TalkLine { ts: root.ts.plus_seconds(60), ..known(words, "bob") };
        let verdict = judge([vec![root, next], said(asked)].concat(), Language::En);
        assert_eq!(verdict.should_respond, answers, "{words}");
    }
}

#[test]
fn what_is_over_is_left_alone() {
    all_end_as(&[
        (
            "10:00 ken: 会議室の予約はどこでできますか？\n10:05 hana: カレンダーの「設備」からできます。\n10:06 ken: ありがとうございます！",
            CLOSED,
        ),
        (
            "10:00 ken: 会議室の予約はどこでできますか？\n10:05 hana: カレンダーの「設備」からできます。",
            ANSWERED,
        ),
        ("10:00 ken: 会議室の予約はどこでできますか？\n10:20 ken: 自己解決しました", CLOSED),
        (
            "10:00 ken: デプロイが終わらず困っています。どうすればいいですか？\n10:03 >hana: 見てみます",
            ANSWERED,
        ),
        ("10:00 ken: デプロイが終わらないのはなぜでしょうか？\n10:30 >ken: 直りました！", CLOSED),
        (
            "10:00 ann: How do I reset the password of the build server?\n10:02 bob: See the wiki, section 3.",
            ANSWERED,
        ),
        (
            "10:00 ann: How do I reset the password of the build server?\n10:02 ann: never mind, found it",
            CLOSED,
        ),
        (
            "10:00 ann: How do I reset the password of the build server?\n10:02 bob: See the wiki.\n10:03 ann: thanks, that did it",
            CLOSED,
        ),
        ("10:00 ann: How do I reset the password of the build server?\n10:05 >bob: try the wiki", ANSWERED),
        ("18:00 ken: お疲れさまでした、また明日！", CLOSED),
    ]);
}

#[test]
fn what_is_meant_for_others_is_left_to_them() {
    all_end_as(&[
        ("10:00 ken: @hana 移行の日程は決まりましたか？", ADDRESSED),
        ("10:00 hana: おはようございます\n11:00 ken: hanaさん、移行の日程は決まりましたか？", ADDRESSED),
        ("10:00 ann: @bob did you get the numbers for the March report?", ADDRESSED),
        ("10:00 bob: morning\n14:00 ann: bob: did you get the numbers for the March report?", ADDRESSED),
        ("10:00 ann: @here does anyone have the numbers for the March report?", QUESTION),
        ("10:00 ann: write to ops@example.com, or is there another address for the March report?", QUESTION),
        // Between two who talk, the one waits for the other.
        (
            "10:00 ken: 移行の手順書を書き直しました。\n10:02 hana: 読みました。切り戻しの手順はどこにありますか？\n10:04 ken: 付録Bです。\n10:06 hana: 付録Bの所要時間はどうやって見積もりましたか？",
            TALKING,
        ),
        (
            "10:00 ann: How do I reset the password of the build server?\n10:02 bob: Do you mean the old build server or the new build server in Osaka?",
            TALKING,
        ),
        (
            "10:00 ann: How do I reset the password of the build server?\n10:05 >bob: Which browser do you use there?",
            ANSWERED,
        ),
    ]);
}

#[test]
fn what_wants_no_answer_gets_none() {
    all_end_as(&[
        ("10:00 ken: おはようございます！", LITTLE),
        ("10:00 ken: https://example.com/articles/42", LITTLE),
        ("10:00 ken: :tada:", LITTLE),
        ("10:00 ann: good morning everyone", LITTLE),
        ("10:00 ken: 明日のリリースは10時に始めます。", REMARK),
        ("10:00 ann: The release starts at ten tomorrow.", REMARK),
        ("10:00 ken: 勉強会を開催します。参加できる方はいますか？リアクションをください。", ANNOUNCED),
        // Guesses, proposals and favours.
        ("10:00 ken: この関数は使われていないのではないでしょうか？", REMARK),
        ("10:00 ken: 昨日から失敗しているテストは、期待値が古いだけかな？", REMARK),
        ("10:00 ken: 資料のタイトルを先週のものに変えてもらえますか？", REMARK),
        ("10:00 ken: なんで半分以上がJavaScriptなんだろう？と思ったけど、デモ用のコードでした。", REMARK),
        ("10:00 ann: So the new parser needs half of the memory, right?", REMARK),
        ("10:00 ken: 本当に動いたんですか！？", REMARK),
        ("10:00 bot: Deployment 17 failed. Does anyone know why the health check is red?", BOTS),
        (
            "10:00 ann: How do I reset the password of the build server?\n10:09 myao: The wiki has a page on that.",
            OWN,
        ),
        ("10:00 myao: 何かお手伝いできることはありますか？", OWN),
    ]);
}

/// A workspace whose bots talk after somebody's thanks is as quiet as before.
#[test]
fn bots_change_nothing() {
    let talk = "10:00 ken: 会議室の予約はどこでできますか？\n10:05 hana: カレンダーからできます。\n10:06 ken: ありがとうございます！";
    let with_bot = format!("{talk}\n10:07 bot: 定例の15分前です。参加できますか？");
    assert_eq!(judge(said(talk), Language::Ja), judge(said(&with_bot), Language::Ja));
}

#[test]
fn the_surer_it_is_the_clearer_the_case() {
    let confidence = |talk: &str| judge(said(talk), Language::Ja).confidence;
    let thanks = confidence("10:00 ken: なるほど、ありがとうございます！");
    let remark = confidence("10:00 ken: 明日のリリースは10時に始めます。");
    assert!(thanks >= 0.9 && (0.5..0.7).contains(&remark), "{thanks} {remark}");
}

/// A question is left to others a while longer; who is in trouble has waited long enough.
#[test]
fn a_question_is_left_to_others_first() {
    let delay = |talk: &str| {
        let known = vec![known("経費精算の締切は毎月25日です。", "hana")];
        judge([known, said(talk)].concat(), Language::Ja).delay_seconds
    };
    assert_eq!(delay("10:00 ken: 経費精算の締切っていつでしたっけ？"), Some(300.0));
    assert_eq!(delay("10:00 mio: 今日はもうしんどい…"), None);
    assert_eq!(delay("10:00 ken: ありがとうございます！"), None);
}

#[test]
fn the_reason_is_in_the_language_of_the_request() {
    let lines = || said("10:00 ken: 経費精算の締切っていつでしたっけ？");
    assert_eq!(judge(lines(), Language::Ja).reason, "質問に誰も答えていないが、答えを知らない");
    assert_eq!(judge(lines(), Language::En).reason, QUESTION);
}

#[test]
fn a_verdict_is_within_its_bounds_and_costs_what_it_reads() {
    let verdict = judge(said("10:00 ken: 経費精算の締切っていつでしたっけ？"), Language::Ja);
    assert_eq!(verdict.clone().bounded(), verdict);
    let nobody = judge(Vec::new(), Language::En);
    assert!(!nobody.should_respond && nobody.confidence > 0.5, "{nobody:?}");
    let usage = ask(&judgment(Vec::new(), Language::En)).unwrap().usage;
    assert!(usage.estimated && usage.input > 0 && usage.output > 0);
}

#[test]
fn it_gives_no_other_data() {
    let mut other = judgment(said("10:00 ken: 経費精算の締切っていつでしたっけ？"), Language::Ja);
    other.form =
        ResponseFormat::Data { name: "answer", schema: verdict_json_schema(), means: DataMode::Words };
    assert!(matches!(ask(&other), Err(ModelError::Unsupported(_))));
    let mut summary = judgment(Vec::new(), Language::Ja);
    summary.material = Material::Talk { existing: String::new(), lines: Vec::new() };
    assert!(matches!(ask(&summary), Err(ModelError::Unsupported(_))));
}
