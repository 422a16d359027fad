//! What models are told and what good ones answer, for the tests of the guard.

pub(super) const SYSTEM_JA: &str = "\
あなたは会話の長期的な流れを記録する書記です。次の点に気をつけて要約してください。

- 出来事を時系列順に整理する
- 重要なトピックと決定事項を残す
- 参加者の傾向と関係を捉える
- 繰り返し話題になるテーマを見つける
- 分かる限り具体的な日時を書く

箇条書きで、簡潔かつ具体的に書いてください。参考情報は理解を助けるためのもので、繰り返さないでください。";

pub(super) const SYSTEM_EN: &str = "\
You keep the long-term record of a conversation. When you summarise, take care to

- put events in the order in which they happened,
- keep important topics and decisions,
- notice what the participants tend to do and how they relate to each other,
- find the themes that come up again and again,
- give concrete dates wherever they are known.

Write bullet points, brief and concrete. Auxiliary information is there to help you understand; do not repeat it.";

pub(super) const MEMORIES_JA: [&str; 6] = [
    "- 2024-03-04 花子が新サイトの公開日を4月10日に決めた。健は移行手順を書くと約束した。\n\
     - 2024-03-06 検索が遅い件は未解決。健が索引の作り直しを提案し、花子は週明けに試す予定。\n\
     - 毎週金曜の昼に三人で進捗を話す習慣が続いている。",
    "- 重要なトピック：予算。決定事項：来期は据え置き（3月12日、田中）。\n- 未解決：会場の予約。",
    "* 3/1 `cargo build` が失敗。原因は openssl のバージョン。tanaka が Dockerfile を直して解決。\n\
     * 3/2 CI を GitHub Actions に移行。詳細は https://example.com/wiki/ci/migration?page=2 を参照。\n\
     * 3/5 deploy は staging → production の順、rollback は 5 分以内で合意。",
    "- [2024-05-01] 山田: リリースは延期します\n- [2024-05-01] Alice: OK, let's move the release to next Tuesday then.",
    "参加者：山田太郎、鈴木一郎、佐藤花子、高橋健、田中美咲。議題：引越の日程、会費の精算。",
    "公開は4月10日。",
];

pub(super) const MEMORIES_EN: [&str; 6] = [
    "- 2024-03-04 Hanako set the launch of the new site for 10 April; Ken promised to write the migration plan.\n\
     - 2024-03-06 Search is still slow. Ken suggested rebuilding the index, Hanako will try it on Monday.\n\
     - The three of them talk about progress every Friday at noon.",
    "- Important topics and decisions: the budget stays as it is (Tanaka, 12 March).\n- Open: who books the hall.",
    "* 山田太郎 and 鈴木花子 joined; 高橋 asked whether the talk \"記憶の設計\" can be moved to May.\n\
     * Agreed: it can. 山田 tells the venue by Friday, 3 May.",
    "- The build broke because of `こんにちは世界` in a path; fixed in\n\
     ```\nlet 名前 = \"挨拶のとても長い文章がここに入ります。とても長いです。本当に長いです。\";\n```\n\
     and released as 1.2.3 on 6 June.",
    "- Decided by vote, 7 to 2: weekly notes go to https://example.com/ノート/記録 from now on.",
    "Launch: 10 April.",
];
