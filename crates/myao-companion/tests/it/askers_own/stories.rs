//! Stories of what is whose, written before anything was built; those that are held out after it was, before it was tried on
//! them.

/// A story: what was said where, who asks what where, and what is right.
#[derive(Clone, Copy)]
pub(super) struct Story {
    pub(super) held_out: bool,
    /// Channel and `name: words`, oldest first.
    pub(super) talk: &'static [(&'static str, &'static str)],
    /// Channel, and `name: question`.
    pub(super) asks: (&'static str, &'static str),
    /// What the answer holds; `None` if nobody said that.
    pub(super) says: Option<&'static str>,
    /// What it must not hold: the values of others.
    pub(super) never: &'static [&'static str],
}

const fn story(
    talk: &'static [(&'static str, &'static str)],
    asks: (&'static str, &'static str),
    says: Option<&'static str>,
    never: &'static [&'static str],
) -> Story {
    Story { held_out: false, talk, asks, says, never }
}

const fn held_out(story: Story) -> Story {
    Story { held_out: true, ..story }
}

pub(super) const ENGLISH: [Story; 30] = [
    story(
        &[
            ("C1", "ann: My dentist appointment is on Thursday at 15:30."),
            ("C1", "ben: My dentist appointment is on Friday at 9:00."),
        ],
        ("C1", "ann: When is my dentist appointment?"),
        Some("15:30"),
        &["9:00"],
    ),
    story(
        &[("C1", "ben: The dentist appointment was moved, mine is on Friday at 9:00 now.")],
        ("C2", "ann: When is my dentist appointment?"),
        None,
        &["9:00"],
    ),
    story(
        &[("C1", "cleo: Ann's desk is 4B, by the window."), ("C1", "ben: My desk is 2A, near the door.")],
        ("C1", "ann: Where is my desk?"),
        Some("4B"),
        &["2A"],
    ),
    story(
        &[
            ("C1", "ann: Which locker is mine?"),
            ("+C1", "cleo: You have locker 31."),
            ("C1", "ben: I have locker 12, it does not close."),
        ],
        ("C1", "ann: What is my locker number?"),
        Some("31"),
        &["12"],
    ),
    story(
        &[
            ("C2", "cleo: Our stall is number 7, under the bridge."),
            ("C2", "ann: Great, I like the bridge."),
            ("C1", "ben: Our stall is number 12, beside the fountain."),
        ],
        ("C2", "ann: Where is our stall?"),
        Some("number 7"),
        &["12"],
    ),
    story(
        &[
            ("C2", "ann: Who brings the tent on Saturday?"),
            ("C1", "ben: Our stall is number 12, beside the fountain."),
        ],
        ("C2", "ann: Where is our stall?"),
        None,
        &["12"],
    ),
    story(
        &[
            ("C1", "cleo: Everyone has to renew the parking permit by 30 June."),
            ("C1", "ben: My parking permit runs until 2 August."),
        ],
        ("C1", "ann: Until when do I have to renew my parking permit?"),
        Some("30 June"),
        &["2 August"],
    ),
    story(
        &[("C1", "ben: My birthday is on 4 April."), ("C1", "cleo: Mine is in autumn.")],
        ("C1", "ann: When is your birthday?"),
        None,
        &["4 April"],
    ),
    story(
        &[
            ("C2", "cleo: We meet for the rehearsal on Wednesday at 19:30."),
            ("C2", "dora: I bring the cello."),
            ("C1", "ben: We meet for the rehearsal on Tuesday at 18:00."),
        ],
        ("C2", "dora: When do we meet for the rehearsal?"),
        Some("19:30"),
        &["18:00"],
    ),
    story(
        &[("C1", "ann: I fly to Lisbon on 7 May."), ("C1", "ben: I fly to Lisbon on 3 May.")],
        ("C2", "ann: When do I fly to Lisbon?"),
        Some("7 May"),
        &["3 May"],
    ),
    story(
        &[("C1", "ann: I am allergic to walnuts, please no cake with nuts.")],
        ("C1", "ben: What am I allergic to?"),
        None,
        &["walnuts"],
    ),
    story(
        &[
            ("C1", "cleo: @ann your vaccination is on 9 June."),
            ("C1", "ann: Thanks! Ben's vaccination is on 2 June."),
        ],
        ("C1", "ann: When is my vaccination?"),
        Some("9 June"),
        &["2 June"],
    ),
    held_out(story(
        &[
            ("C1", "cleo: Ben's bike is in the cellar of number 14."),
            ("C1", "cleo: Ann's bike stands behind the bakery."),
        ],
        ("C1", "ann: Where is my bike?"),
        Some("behind the bakery"),
        &["cellar"],
    )),
    held_out(story(
        &[("C1", "dora: Mia's exam is on 12 May at 9:00, good luck to her.")],
        ("C1", "ann: When is my exam?"),
        None,
        &["12 May"],
    )),
    held_out(story(
        &[
            ("C1", "ann: Which table do I have at the fair?"),
            ("+C1", "cleo: You are at table 9."),
            ("C1", "ben: I am at table 22 at the fair, next to the stage."),
        ],
        ("C1", "ann: What is my table number at the fair?"),
        Some("table 9"),
        &["22"],
    )),
    held_out(story(
        &[
            ("C2", "dora: Our van leaves at 6:45 from the depot."),
            ("C2", "ann: Early, but fine."),
            ("C1", "ben: Our van leaves at 8:15 from the school."),
        ],
        ("C2", "ann: When does our van leave?"),
        Some("6:45"),
        &["8:15"],
    )),
    held_out(story(
        &[("C1", "ben: My rent is 640 euros now."), ("C1", "ben: Leo's rent is 720 euros.")],
        ("C1", "ben: How much is my rent?"),
        Some("640"),
        &["720"],
    )),
    held_out(story(
        &[("C1", "cleo: To reset a badge hold it to the reader for ten seconds.")],
        ("C1", "ann: How do I reset my badge?"),
        Some("ten seconds"),
        &[],
    )),
    story(
        &[("C1", "cleo: I have Ben's drill, it is in my van."), ("C1", "dora: My drill is broken.")],
        ("C1", "ben: Who has my drill?"),
        Some("in my van"),
        &["broken"],
    ),
    story(
        &[("C1", "ben: I need the drill on Friday."), ("+C1", "cleo: I took your drill home, sorry.")],
        ("C1", "ben: Who has my drill?"),
        Some("took your drill home"),
        &[],
    ),
    story(
        &[("C2", "cleo: We have the key of the hall, it is in our office."), ("C1", "ann: Good morning!")],
        ("C1", "ann: Who had our key of the hall?"),
        Some("in our office"),
        &[],
    ),
    held_out(story(
        &[("C1", "dora: I borrowed Ann's blue umbrella until Monday."), ("C1", "ben: My umbrella is black.")],
        ("C1", "ann: Who borrowed my umbrella?"),
        Some("until Monday"),
        &["black"],
    )),
    held_out(story(
        &[("C1", "cleo: Leo keeps the spare charger in the locker."), ("C1", "ben: Lunch?")],
        ("C1", "ann: Who has got my spare charger?"),
        Some("Leo"),
        &[],
    )),
    story(
        &[("C2", "cleo: We took the marquee home after the fair.")],
        ("C1", "ann: Who took our marquee?"),
        Some("after the fair"),
        &[],
    ),
    story(
        &[("C2", "dora: The projector is in the cupboard of our studio.")],
        ("C1", "ann: Who has our projector?"),
        Some("cupboard of our studio"),
        &[],
    ),
    story(
        &[("C1", "ben: We've still got the long ladder, sorry.")],
        ("C1", "ann: Who's got our long ladder?"),
        Some("still got"),
        &[],
    ),
    story(
        &[("C1", "dora: We keep the spare keys for now.")],
        ("C1", "ann: Who keeps our spare keys?"),
        Some("for now"),
        &[],
    ),
    story(
        &[("C1", "ben: The trailer is behind our bakery.")],
        ("C1", "ann: Who has the trailer?"),
        Some("behind our bakery"),
        &[],
    ),
    story(
        &[("C1", "cleo: We met at noon, and the key of the hall was shiny.")],
        ("C1", "ann: Who had our key of the hall?"),
        None,
        &[],
    ),
    story(
        &[("C1", "cleo: We painted the marquee blue.")],
        ("C1", "ann: Who borrowed our marquee?"),
        None,
        &[],
    ),
];

pub(super) const JAPANESE: [Story; 30] = [
    story(
        &[
            ("C1", "亜美: 私の歯医者の予約は木曜の15時半になりました。"),
            ("C1", "健太: 僕の歯医者の予約は金曜の9時です。"),
        ],
        ("C1", "亜美: 私の歯医者の予約はいつ？"),
        Some("15時半"),
        &["9時"],
    ),
    story(
        &[("C1", "健太: 歯医者の予約、金曜の9時に取れました。")],
        ("C2", "亜美: 私の歯医者の予約っていつでしたっけ？"),
        None,
        &["9時"],
    ),
    story(
        &[("C1", "千夏: 亜美さんの席は窓際の4Bです。"), ("C1", "健太: 自分の席は入り口の2Aでした。")],
        ("C1", "亜美: 私の席はどこ？"),
        Some("4B"),
        &["2A"],
    ),
    story(
        &[
            ("C1", "亜美: 私のロッカーは何番ですか？"),
            ("+C1", "千夏: ロッカーは31番ですよ。"),
            ("C1", "健太: ロッカー12番、扉が閉まりません。"),
        ],
        ("C1", "亜美: 私のロッカーは何番？"),
        Some("31番"),
        &["12番"],
    ),
    story(
        &[
            ("C2", "千夏: うちのチームの締切は6月24日に決まりました。"),
            ("C2", "大輔: 了解、がんばります。"),
            ("C1", "健太: うちのチームの締切は6月10日です。"),
        ],
        ("C2", "大輔: うちのチームの締切はいつですか？"),
        Some("24日"),
        &["10日"],
    ),
    story(
        &[
            ("C2", "亜美: 土曜のテントは誰が持ってきますか？"),
            ("C1", "健太: うちの屋台は噴水の横の12番です。"),
        ],
        ("C2", "亜美: わたしたちの屋台は何番？"),
        None,
        &["12番"],
    ),
    story(
        &[
            ("C1", "千夏: 駐車許可証は全員6月30日までに更新してください。"),
            ("C1", "健太: 僕の駐車許可証は8月2日まで有効です。"),
        ],
        ("C1", "亜美: 私の駐車許可証はいつまでに更新すればいい？"),
        Some("30日"),
        &["8月2日"],
    ),
    story(
        &[("C1", "健太: 僕の誕生日は4月4日です。"), ("C1", "千夏: 私は秋生まれです。")],
        ("C1", "亜美: あなたの誕生日はいつ？"),
        None,
        &["4月4日"],
    ),
    story(
        &[
            ("C2", "千夏: 僕たちの合奏の練習は水曜の19時半からです。"),
            ("C2", "大輔: チェロを持っていきます。"),
            ("C1", "健太: 僕たちの合奏の練習は火曜の18時からです。"),
        ],
        ("C2", "大輔: 僕たちの合奏の練習は何時から？"),
        Some("19時半"),
        &["18時"],
    ),
    story(
        &[("C1", "亜美: リスボンには5月7日に出発します。"), ("C1", "健太: リスボンには5月3日に出発します。")],
        ("C2", "亜美: 私はリスボンにいつ出発するんだっけ？"),
        Some("5月7日"),
        &["5月3日"],
    ),
    story(
        &[("C1", "亜美: 私のアレルギーはくるみです、ケーキに入れないでください。")],
        ("C1", "健太: 俺のアレルギーって何？"),
        None,
        &["くるみ"],
    ),
    story(
        &[
            ("C1", "千夏: 亜美さん、予防接種は6月9日です。"),
            ("C1", "亜美: ありがとう。健太さんの予防接種は6月2日です。"),
        ],
        ("C1", "亜美: 私の予防接種はいつ？"),
        Some("6月9日"),
        &["6月2日"],
    ),
    held_out(story(
        &[
            ("C1", "千夏: 健太さんの自転車は14番の地下です。"),
            ("C1", "千夏: 亜美さんの自転車はパン屋の裏にあります。"),
        ],
        ("C1", "亜美: 私の自転車はどこ？"),
        Some("パン屋の裏"),
        &["地下"],
    )),
    held_out(story(
        &[("C1", "大輔: 美咲さんの試験は5月12日の9時からです。")],
        ("C1", "亜美: 私の試験はいつ？"),
        None,
        &["12日"],
    )),
    held_out(story(
        &[
            ("C1", "亜美: 見本市で私のテーブルはどこですか？"),
            ("+C1", "千夏: テーブルは9番です。"),
            ("C1", "健太: 見本市のテーブルは22番、舞台の隣です。"),
        ],
        ("C1", "亜美: 見本市の私のテーブル番号は？"),
        Some("9番"),
        &["22番"],
    )),
    held_out(story(
        &[
            ("C2", "大輔: うちの車は6時45分に倉庫から出ます。"),
            ("C2", "亜美: 早いけど大丈夫。"),
            ("C1", "健太: うちの車は8時15分に学校から出ます。"),
        ],
        ("C2", "亜美: うちの車は何時に出ますか？"),
        Some("6時45分"),
        &["8時15分"],
    )),
    held_out(story(
        &[
            ("C1", "健太: 僕の家賃は6万4千円になりました。"),
            ("C1", "健太: 直樹さんの家賃は7万2千円だそうです。"),
        ],
        ("C1", "健太: 僕の家賃はいくら？"),
        Some("6万4千円"),
        &["7万2千円"],
    )),
    held_out(story(
        &[("C1", "千夏: 入館証の再設定は、読み取り機に10秒かざすとできます。")],
        ("C1", "亜美: 私の入館証はどうやって再設定すればいい？"),
        Some("10秒"),
        &[],
    )),
    story(
        &[
            ("C1", "千夏: 健太さんのドリルは私が借りています、車に積んであります。"),
            ("C1", "大輔: 僕のドリルは壊れました。"),
        ],
        ("C1", "健太: 僕のドリル誰が持ってる？"),
        Some("車に積んで"),
        &["壊れ"],
    ),
    story(
        &[("C1", "千夏: ドリル、土曜まで借りています。")],
        ("C1", "健太: 僕のドリルは誰が持っていますか？"),
        Some("土曜まで借りて"),
        &[],
    ),
    story(
        &[("C2", "千夏: ホールの鍵はこちらの事務所で預かっています。"), ("C1", "亜美: おはようございます。")],
        ("C1", "亜美: うちのホールの鍵は誰が持ってる？"),
        Some("事務所で預かって"),
        &[],
    ),
    held_out(story(
        &[("C1", "大輔: 亜美さんの青い傘、月曜まで僕が借りています。"), ("C1", "健太: 僕の傘は黒です。")],
        ("C1", "亜美: 私の傘を借りてるのは誰？"),
        Some("月曜まで"),
        &["黒"],
    )),
    held_out(story(
        &[
            ("C1", "千夏: 予備の充電器は美咲さんがロッカーで預かっています。"),
            ("C1", "健太: お昼にしますか？"),
        ],
        ("C1", "亜美: 私の予備の充電器、だれが持ってる？"),
        Some("美咲さん"),
        &[],
    )),
    story(
        &[("C1", "千夏: テントは私たちが借りて倉庫に入れてあります。")],
        ("C1", "亜美: うちのテント、誰が借りてる？"),
        Some("倉庫"),
        &[],
    ),
    story(
        &[("C2", "健太: プロジェクターは私たちの部屋の棚にあります。")],
        ("C1", "亜美: うちのプロジェクター、誰が持ってる？"),
        Some("棚"),
        &[],
    ),
    story(
        &[("C1", "千夏: 脚立は僕たちがまだ使っています、すみません。")],
        ("C1", "亜美: うちの脚立、誰が使ってる？"),
        Some("すみません"),
        &[],
    ),
    story(
        &[("C1", "健太: 台車はパン屋の裏に置いてあります。")],
        ("C1", "亜美: うちの台車はどこ？"),
        Some("パン屋の裏"),
        &[],
    ),
    story(&[("C1", "千夏: 会館の鍵はぴかぴかでした。")], ("C1", "亜美: うちの会館の鍵は何色？"), None, &[]),
    story(&[("C1", "千夏: 脚立は重いですね。")], ("C1", "亜美: うちの脚立は何段ある？"), None, &[]),
    story(&[("C1", "千夏: テントは青く塗りました。")], ("C1", "亜美: うちのテントは誰が洗った？"), None, &[]),
];
