//! The guard before answers as models give them (specification §2.2): none of the good ones is refused, none of the bad
//! ones becomes a memory, and of a wrapped one only the memory is kept.

use myao_core::{
    memory::{Expectation, accept_response},
    ports::{Response, StopReason, Usage},
    text::Language::{self, En, Ja},
};

use super::guard_samples::{MEMORIES_EN, MEMORIES_JA, SYSTEM_EN, SYSTEM_JA};

/// What the guard keeps of `text`; none when it refuses it.
fn kept(text: &str, language: Language) -> Option<String> {
    let system = match language {
        Ja => SYSTEM_JA,
        En => SYSTEM_EN,
    };
    let expectation = Expectation {
        language: Some(language),
        system,
        existing: None,
        target_tokens: 500,
        check_collapse: true,
        request: None,
    };
    let response = Response {
        text: text.to_owned(),
        calls: Vec::new(),
        thoughts: Vec::new(),
        stop: StopReason::End,
        usage: Usage::default(),
    };
    accept_response(&response, &expectation).ok()
}

/// Kept as they are, to the letter.
const GOOD: [(Language, &str); 44] = [
    (Ja, MEMORIES_JA[0]),
    (Ja, MEMORIES_JA[1]),
    (Ja, MEMORIES_JA[2]),
    (Ja, MEMORIES_JA[3]),
    (Ja, MEMORIES_JA[4]),
    (Ja, MEMORIES_JA[5]),
    (En, MEMORIES_EN[0]),
    (En, MEMORIES_EN[1]),
    (En, MEMORIES_EN[2]),
    (En, MEMORIES_EN[3]),
    (En, MEMORIES_EN[4]),
    (En, MEMORIES_EN[5]),
    // Names and products of the other language.
    (
        Ja,
        "- TypeScript 5.4, React 18, Next.js 14, Tailwind CSS, Prisma, PostgreSQL 16, Docker Compose, GitHub Actions を採用",
    ),
    (Ja, "- 2026-03-02 Visual Studio Code から Zed への移行を Alice と Bob が検討。結論は持ち越し。"),
    (Ja, "- 好きな映画は The Lord of the Rings と Back to the Future（健、花子）"),
    (En, "- 山田太郎, 鈴木花子, 高橋健一, 田中美咲, 佐藤一郎 and 渡辺直美 joined #開発.\n- 山田 leads."),
    (
        En,
        "- Hana's team met at 東京ビッグサイト and ate お好み焼き afterwards; the talk was about 記憶の設計.",
    ),
    (En, "- They play Die Hard and La Dolce Vita on Friday; Das Boot comes next week, says Ken."),
    // Errors and code, quoted.
    (
        Ja,
        "- 健のビルドが「error: linking with `cc` failed: exit status: 1, note: use -v to see the invocation」で失敗。\n- リンカーを入れて解決した。",
    ),
    (
        Ja,
        "- 原因は \"Permission denied (publickey): could not read from the remote repository, please make sure you have the correct access rights\" だった。",
    ),
    (
        Ja,
        "- 起動しない件は次の設定で解決した。\n```toml\n[profile.release]\nlto = \"fat\"\n```\n- 花子が手順書に書く。",
    ),
    (
        Ja,
        "```\nerror[E0382]: borrow of moved value\n```\n- 上の間違いは健が clone で直した。\n```\nlet b = a.clone();\n```",
    ),
    (
        En,
        "- The page shows 「予期しないエラーが発生しました。しばらくしてからもう一度お試しください。」 since Monday; Ken looks into it.",
    ),
    (
        En,
        "```sh\ncargo build --release\n```\n- This is how releases are built now.\n```sh\ncargo publish\n```",
    ),
    (En, "- The service answers `{\"error\": \"申し訳ありません\"}` when the key is missing."),
    // Apologies and refusals that people made.
    (Ja, "- 申し訳ありませんが明日は参加できません、と健が連絡した。"),
    (Ja, "- 申し訳ありませんが、その日程では対応できません。\n- 代わりに4月12日を提案した。"),
    (Ja, "「申し訳ありません、会場の予約ができませんでした」と健が謝り、花子が別の会場を探すことになった。"),
    (Ja, "- 健は花子の依頼を断った。「すみませんが、今週はお手伝いできません」"),
    (Ja, "- 残念ながら会場の予約は取れなかった。\n- この件は来週まで決められません、と田中。"),
    (Ja, "残念ながら、今期の予算では増員できません。来期に改めて申請することにしました。"),
    (En, "- \"I'm sorry, but I can't help with that,\" Ken wrote when Hana asked for the report."),
    (En, "- I'm sorry, but I can't come on Friday (Ken)\n- Hana moves the meeting to Monday"),
    (En, "- Sorry for the delay, Ken wrote: the migration could not be finished before the weekend."),
    (En, "Ken can't help with the migration, and nobody else is able to. It was moved to May."),
    (En, "Unfortunately the venue cannot provide a projector. Hana brings her own."),
    // Short, dry, and about summaries.
    (
        Ja,
        "- 2026-03-02 予算承認（田中）\n- 2026-03-03 会場予約完了（鈴木）\n- 2026-03-04 資料提出期限延長決定\n- 2026-03-05 新製品公開日四月十日確定",
    ),
    (Ja, "以下の3点を決めた：\n- 予算は据え置き\n- 会場は東京\n- 要約は花子が書く"),
    (Ja, "- 議事録の要約は花子が担当。\n- まとめは以上、と健が締めた。"),
    (Ja, "- 要約ツールの比較：会話を貼り付けてください、と表示される方は使いにくい。"),
    (
        En,
        "- Ken wrote the summary of the meeting: nothing changes before May.\n- Please provide numbers by Friday (Hana).",
    ),
    (En, "The following was decided:\n- the budget stays\n- the hall is booked"),
    (En, "Demo on 3 May: \"certainly\", says Ken."),
    (En, "1. Release moved to May.\n2. [Open] Who writes the notes?"),
];

/// Refused, whatever the reason.
const BAD: [(Language, &str); 46] = [
    // Refusals, in either language.
    (Ja, "I'm sorry, but I can't help with that."),
    (Ja, "申し訳ありませんが、そのご依頼にはお応えできません。"),
    (Ja, "申し訳ありませんが…"),
    (Ja, "申し訳ございませんが、この内容を要約することはできません。他にお手伝いできることはありますか？"),
    (Ja, "すみません、この会話には対応できません。"),
    (Ja, "残念ながら、ご提供いただいた会話は要約できません。"),
    (Ja, "AIとして、そのような内容をまとめることはできません。"),
    (Ja, "私は言語モデルなので、個人に関する情報は扱えません。要約は控えさせていただきます。"),
    (Ja, "会話を拝見しました。申し訳ありませんが、この内容の要約はお手伝いできません。"),
    (Ja, "- 申し訳ありませんが、この会話は要約できません。"),
    (Ja, "申し訳ありませんが、要約できません。理由は次のとおりです。\n- 内容が不適切\n- 方針に反する"),
    (Ja, "要約する会話が提供されていません。会話の内容を貼り付けてください。"),
    (Ja, "ご要望にはお応えできません。"),
    (Ja, "この件についてはお答えできません。"),
    (En, "I'm sorry, but I can't help with that."),
    (En, "I\u{2019}m sorry, I can\u{2019}t assist with that request."),
    (En, "I cannot comply with this request."),
    (En, "I apologize, but I am unable to summarize this conversation as it contains sensitive content."),
    (En, "Sorry, but I won't be able to do that."),
    (En, "As an AI language model, I cannot provide summaries of private conversations."),
    (En, "Unfortunately, I'm not able to process this content. Is there anything else I can help with?"),
    (En, "I must decline to summarize this."),
    (En, "- I'm sorry, but I can't assist with that."),
    (En, "Please provide the conversation you would like me to summarize."),
    (En, "It looks like you haven't provided any messages. Could you share them?"),
    (En, "申し訳ありませんが、お手伝いできません。"),
    // Another language, however short.
    (Ja, "The launch is on 10 April, and Ken writes the plan."),
    (Ja, "- 2026-03-02 Hanako decided the launch of the new site: 10 April."),
    (Ja, "花子决定新网站于四月十日公开。"),
    (Ja, "- 三月四日，花子說網站將於四月十日開放，健會寫遷移的步驟。"),
    (Ja, "用户们讨论了发布的时间，决定推迟到下周。さくら没有来。"),
    (Ja, "- 하나코가 공개일을 정했다."),
    (Ja, "- Ханако назначила запуск на апрель."),
    (Ja, "Hanako-san wa atarashii saito no koukai wo shigatsu tooka ni kimemashita."),
    (
        Ja,
        "- 花子 decided that the launch of the new site is on 10 April, and 健 promised to write the plan for it.",
    ),
    (En, "花子が公開日を4月10日に決めた。"),
    (En, "- 花子决定新网站于四月十日公开。"),
    (En, "- Hanako hat den Start der neuen Seite auf den 10. April gelegt, und Ken schreibt den Plan."),
    (En, "- Hanako a fixé le lancement du nouveau site au 10 avril ; Ken écrit le plan de la migration."),
    (En, "- Hanako fijó el lanzamiento del nuevo sitio para el 10 de abril y Ken escribe el plan."),
    // Data instead of a text.
    (Ja, "{\"summary\": \"x\"}"),
    (Ja, "```json\n{\"summary\": \"花子が公開日を4月10日に決めた。健は移行手順を書く。\"}\n```"),
    (En, "{\"summary\": \"x\"}"),
    (En, "[\"The launch is on 10 April.\", \"Ken writes the plan.\"]"),
    // Wrappers around nothing.
    (Ja, "はい、以下が要約です。"),
    (En, "```markdown\n```"),
];

/// What is around a memory is taken off.
const WRAPPED: [(Language, &str, &str); 24] = [
    (Ja, "はい、以下が要約です\n- 公開は4月10日。", "- 公開は4月10日。"),
    (Ja, "はい、以下が要約です：\n\n- 公開は4月10日。", "- 公開は4月10日。"),
    (Ja, "承知しました。以下に長期記憶をまとめます。\n\n---\n- 公開は4月10日。\n---", "- 公開は4月10日。"),
    (Ja, "会話の要約は以下の通りです：\n- 公開は4月10日。\n\n以上です。", "- 公開は4月10日。"),
    (Ja, "## 要約\n- 公開は4月10日。", "- 公開は4月10日。"),
    (Ja, "**要約**：\n- 公開は4月10日。", "- 公開は4月10日。"),
    (Ja, "【要約】\n公開は4月10日。", "公開は4月10日。"),
    (Ja, "# #general の長期記憶\n\n- 公開は4月10日。", "- 公開は4月10日。"),
    (Ja, "```\n- 公開は4月10日。\n```", "- 公開は4月10日。"),
    (
        Ja,
        "```markdown\n- 公開は4月10日。\n- 手順は\n```sh\nmake\n```\n- 以上\n```",
        "- 公開は4月10日。\n- 手順は\n```sh\nmake\n```\n- 以上",
    ),
    (
        Ja,
        "はい、以下が要約です：\n```markdown\n## 要約\n- 公開は4月10日。\n```\n何か修正が必要な点がありましたらお知らせください。",
        "- 公開は4月10日。",
    ),
    (Ja, "Here is the summary:\n- 公開は4月10日。", "- 公開は4月10日。"),
    (Ja, "<summary>\n- 公開は4月10日。\n</summary>", "- 公開は4月10日。"),
    (Ja, "承知しました。\n\n- 申し訳ありませんと健が謝った。", "- 申し訳ありませんと健が謝った。"),
    (En, "Here is the summary of the conversation:\n\n- Launch: 10 April.", "- Launch: 10 April."),
    (
        En,
        "Sure! Here's a concise summary:\n- Launch: 10 April.\n\nLet me know if you'd like any changes!",
        "- Launch: 10 April.",
    ),
    (En, "Certainly.\n\n- Launch: 10 April.", "- Launch: 10 April."),
    (En, "**Summary:**\n- Launch: 10 April.", "- Launch: 10 April."),
    (En, "# Updated long-term memory\n\n- Launch: 10 April.", "- Launch: 10 April."),
    (En, "Summary: the launch is on 10 April.", "the launch is on 10 April."),
    (En, "~~~text\n- Launch: 10 April.\n~~~", "- Launch: 10 April."),
    (En, "````markdown\n- How to build:\n```\nmake\n```\n````", "- How to build:\n```\nmake\n```"),
    (En, "\"The launch is on 10 April.\"", "The launch is on 10 April."),
    (
        En,
        "<think>They want a summary. Let me write it.</think>\n\n- Launch: 10 April.",
        "- Launch: 10 April.",
    ),
];

#[test]
fn none_of_the_good_answers_is_refused_or_changed() {
    let wrong: Vec<_> = GOOD
        .iter()
        .filter(|(language, text)| kept(text, *language).as_deref() != Some(*text))
        .map(|(language, text)| (language, text, kept(text, *language)))
        .collect();
    assert!(wrong.is_empty(), "{} of {} good answers: {wrong:#?}", wrong.len(), GOOD.len());
}

#[test]
fn none_of_the_bad_answers_becomes_a_memory() {
    let wrong: Vec<_> = BAD.iter().filter(|(language, text)| kept(text, *language).is_some()).collect();
    assert!(wrong.is_empty(), "{} of {} bad answers: {wrong:#?}", wrong.len(), BAD.len());
}

#[test]
fn of_a_wrapped_answer_the_memory_is_kept() {
    let wrong: Vec<_> = WRAPPED
        .iter()
        .filter(|(language, text, memory)| kept(text, *language).as_deref() != Some(*memory))
        .map(|(language, text, _)| (text, kept(text, *language)))
        .collect();
    assert!(wrong.is_empty(), "{} of {} wrapped answers: {wrong:#?}", wrong.len(), WRAPPED.len());
}

/// A wrapper is around the whole: what a memory of several parts begins or ends with is its own.
#[test]
fn good_answers_stay_good_beside_each_other() {
    for language in [Ja, En] {
        let bulleted = |text: &&str| text.starts_with("- ") || text.starts_with("* ");
        let good: Vec<&str> = GOOD.iter().filter(|(l, _)| *l == language).map(|(_, text)| *text).collect();
        let good: Vec<&str> = good.into_iter().filter(bulleted).collect();
        for first in &good {
            for second in &good {
                let text = format!("{first}\n{second}");
                assert_eq!(kept(&text, language).as_deref(), Some(text.as_str()));
            }
        }
    }
}
