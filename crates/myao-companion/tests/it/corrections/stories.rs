//! Stories in which somebody puts right what is remembered: what was said, which words of it were wrong, and what holds.
//! The last three of each language were held out: they were written with the others and first tried when all was built.

/// A story.
pub(crate) struct Story {
    /// What people said, each line by the one before the colon.
    pub(crate) talk: [&'static str; 3],
    /// Words of the statement that is wrong.
    pub(crate) wrong: &'static str,
    /// What is written in its place.
    pub(crate) right: &'static str,
    /// What we answered when somebody asked.
    pub(crate) answer: &'static str,
    /// What somebody said then.
    pub(crate) said: &'static str,
}

const fn story(
    talk: [&'static str; 3],
    wrong: &'static str,
    right: &'static str,
    (answer, said): (&'static str, &'static str),
) -> Story {
    Story { talk, wrong, right, answer, said }
}

/// In English.
pub(crate) const ENGLISH: [Story; 10] = [
    story(
        [
            "ann: The village party is on Friday 12 June.",
            "bob: I will bring the long tables.",
            "ann: Thank you, Bob.",
        ],
        "Friday 12 June",
        "The village party is on Thursday 11 June.",
        ("On Friday 12 June, Ann says.", "No, it's Thursday 11 June."),
    ),
    story(
        [
            "bob: We decided that the new boiler comes from Kessler.",
            "ann: Good.",
            "bob: They deliver in March.",
        ],
        "boiler comes from Kessler",
        "We decided that the new boiler comes from Thermex.",
        ("From Kessler, that was decided.", "That's wrong, it was Thermex"),
    ),
    story(
        ["ann: The rent of the workshop is 940 euros a month.", "bob: As agreed.", "ann: Heating is extra."],
        "940 euros",
        "The rent of the workshop is 890 euros a month.",
        ("It is 940 euros a month.", "No, 890 euros."),
    ),
    story(
        ["bob: Carla promised to translate the brochure by Monday.", "ann: Into Dutch?", "bob: Into Danish."],
        "Carla promised",
        "Dana promised to translate the brochure by Monday.",
        ("Carla promised that.", "No, it was Dana."),
    ),
    story(
        [
            "ann: The key of the archive lies with the porter in building 4.",
            "bob: I looked for it.",
            "ann: Ask him.",
        ],
        "building 4",
        "The key of the archive lies with the porter in building 7.",
        ("With the porter in building 4.", "no - building 7"),
    ),
    story(
        [
            "bob: The backup server is called heron, it runs Debian 12.",
            "ann: Since when?",
            "bob: Since spring.",
        ],
        "heron",
        "The backup server is called egret, it runs Debian 12.",
        ("It is called heron.", "That's not right, it's egret, not heron."),
    ),
    story(
        ["ann: Our meeting with the city council was moved to room 210.", "bob: I see.", "ann: At nine."],
        "room 210",
        "Our meeting with the city council was moved to room 120.",
        ("It was moved to room 210.", "No, it's room 120!"),
    ),
    // Held out.
    story(
        [
            "bob: The choir rehearses every Tuesday in the old chapel.",
            "ann: I love that.",
            "bob: From seven on.",
        ],
        "every Tuesday",
        "The choir rehearses every Wednesday in the old chapel.",
        ("They rehearse every Tuesday.", "Nope, it's Wednesday."),
    ),
    story(
        ["ann: Mr Okafor signed the lease of the greenhouse.", "bob: At last.", "ann: Until 2031."],
        "Okafor signed",
        "Mrs Adeyemi signed the lease of the greenhouse.",
        ("Mr Okafor signed it.", "That’s not true, it was Mrs Adeyemi."),
    ),
    story(
        [
            "bob: The deadline for the grant is 30 September, said the ministry.",
            "ann: Noted.",
            "bob: By post.",
        ],
        "30 September",
        "The deadline for the grant is 15 October, said the ministry.",
        ("It is 30 September.", "No, it is 15 October, not 30 September."),
    ),
];

/// In Japanese.
pub(crate) const JAPANESE: [Story; 10] = [
    story(
        ["田中: 夏祭りは8月12日の金曜に決まりました。", "佐藤: 屋台を出します。", "田中: お願いします。"],
        "8月12日",
        "夏祭りは8月11日の木曜に決まりました。",
        ("8月12日の金曜です。", "ちがうよ、8月11日の木曜だよ"),
    ),
    story(
        ["佐藤: 新しいプリンターはキヤノンに決定しました。", "田中: いいですね。", "佐藤: 来月に届きます。"],
        "キヤノン",
        "新しいプリンターはエプソンに決定しました。",
        ("キヤノンに決まったそうです。", "違います、エプソンです。"),
    ),
    story(
        ["田中: 会場の使用料は1日3万円です。", "佐藤: わかりました。", "田中: 税込みです。"],
        "3万円",
        "会場の使用料は1日2万5千円です。",
        ("1日3万円です。", "いや、2万5千円です"),
    ),
    story(
        ["佐藤: 見積書は鈴木さんが月曜までに作ります。", "田中: 助かります。", "佐藤: 伝えておきます。"],
        "鈴木さん",
        "見積書は高橋さんが月曜までに作ります。",
        ("鈴木さんが作ります。", "ちがう、高橋さんだよ"),
    ),
    story(
        ["田中: 倉庫の鍵は2階の管理室に預けてあります。", "佐藤: 了解です。", "田中: 夕方は閉まります。"],
        "2階の管理室",
        "倉庫の鍵は1階の受付に預けてあります。",
        ("2階の管理室に預けてあります。", "いいえ、1階の受付です。"),
    ),
    story(
        ["佐藤: 本番サーバーの名前はhayabusaになりました。", "田中: 速そう。", "佐藤: 先週からです。"],
        "hayabusa",
        "本番サーバーの名前はtsubameになりました。",
        ("hayabusaです。", "ちがうよ、tsubameだよ。"),
    ),
    story(
        ["田中: 定例会議は毎週水曜の10時に変更になりました。", "佐藤: はい。", "田中: 会議室Bです。"],
        "毎週水曜",
        "定例会議は毎週木曜の10時に変更になりました。",
        ("毎週水曜の10時です。", "いえ、木曜です。"),
    ),
    // Held out.
    story(
        ["佐藤: 合宿の行き先は箱根に決まりました。", "田中: 楽しみです。", "佐藤: 一泊します。"],
        "箱根",
        "合宿の行き先は熱海に決まりました。",
        ("箱根に行きます。", "箱根じゃなくて熱海だよ"),
    ),
    story(
        ["田中: 契約書には山本部長が署名しました。", "佐藤: よかった。", "田中: 来年までです。"],
        "山本部長",
        "契約書には中村部長が署名しました。",
        ("山本部長が署名しました。", "違うよ、中村部長だよ"),
    ),
    story(
        ["佐藤: 応募の締め切りは9月30日だそうです。", "田中: 急ぎます。", "佐藤: 郵送です。"],
        "9月30日",
        "応募の締め切りは10月15日だそうです。",
        ("9月30日です。", "いや、10月15日です。"),
    ),
];
