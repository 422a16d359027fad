//! Stories of people who got another name or left, written before anything was built; those that are held out were tried
//! only once it was. (The new name in the Japanese ones was 鈴木, whom somebody else of these tests is called as well.)

/// A story: what was said and who was renamed, who asks what where, and what is right.
#[derive(Clone, Copy)]
pub(super) struct Story {
    pub(super) held_out: bool,
    /// Oldest first: a channel and `name: words`; `=` and `old=new, old=new`, of which all take place at once; or `-` and the
    /// name of somebody who leaves.
    pub(super) talk: &'static [(&'static str, &'static str)],
    /// Channel, and `name: question`.
    pub(super) asks: (&'static str, &'static str),
    /// What the answer holds.
    pub(super) says: &'static str,
    /// What it must not hold.
    pub(super) never: &'static [&'static str],
}

const fn story(
    talk: &'static [(&'static str, &'static str)],
    asks: (&'static str, &'static str),
    says: &'static str,
    never: &'static [&'static str],
) -> Story {
    Story { held_out: false, talk, asks, says, never }
}

const fn held_out(story: Story) -> Story {
    Story { held_out: true, ..story }
}

pub(super) const ENGLISH: [Story; 16] = [
    story(
        &[("C1", "haddad: The boiler is serviced on 12 May."), ("=", "haddad=smith")],
        ("C1", "ben: What did Haddad say about the boiler?"),
        "12 May",
        &[],
    ),
    story(
        &[
            ("C1", "yamada: Good morning!"),
            ("C1", "ben: Yamada's drill is in locker 14."),
            ("=", "yamada=suzuki"),
        ],
        ("C1", "cleo: Where is Suzuki's drill?"),
        "locker 14",
        &[],
    ),
    story(
        &[
            ("C1", "yamada: Good morning!"),
            ("=", "yamada=suzuki"),
            ("C1", "ben: Suzuki's bike is behind the bakery."),
        ],
        ("C1", "cleo: Where is Yamada's bike?"),
        "behind the bakery",
        &[],
    ),
    story(
        &[
            ("C1", "haddad: My desk is 4B, by the window."),
            ("=", "haddad=smith"),
            ("C1", "haddad: My desk is 2A, near the door."),
        ],
        ("C1", "ben: Where is Haddad's desk?"),
        "2A",
        &["4B"],
    ),
    story(
        &[
            ("C1", "ann: I bring the tent for the trip."),
            ("C1", "ben: I bring the stove for the trip."),
            ("=", "ann=ben, ben=ann"),
        ],
        ("C1", "cleo: What does Ben bring for the trip?"),
        "tent",
        &["stove"],
    ),
    held_out(story(
        &[("C1", "Noor Haddad: The audit starts on 9 June at 10:00."), ("=", "Noor Haddad=Noor Smith")],
        ("C1", "ben: When did Noor Haddad say the audit starts?"),
        "9 June",
        &[],
    )),
    held_out(story(
        &[
            ("C1", "lee: Good morning!"),
            ("=", "lee=kim"),
            ("C1", "ben: Kim's parcel is at the front desk."),
            ("=", "kim=lee"),
        ],
        ("C1", "cleo: Where is Lee's parcel?"),
        "front desk",
        &[],
    )),
    held_out(story(
        &[
            ("C1", "yamada: Good morning!"),
            ("C1", "cleo: Yamada's vaccination is on 9 June."),
            ("C1", "ben: My vaccination is on 2 June."),
            ("=", "yamada=suzuki"),
        ],
        ("C1", "suzuki: When is my vaccination?"),
        "9 June",
        &["2 June"],
    )),
    held_out(story(
        &[("C1", "olga: The alarm code is kept in the red folder."), ("-", "olga")],
        ("C1", "ben: What did Olga say about the alarm code?"),
        "red folder",
        &[],
    )),
    held_out(story(
        &[
            ("C1", "yamada: My ladder is in the garage."),
            ("C1", "ben: My ladder is in the cellar."),
            ("=", "yamada=suzuki"),
        ],
        ("C1", "cleo: Where is ＹＡＭＡＤＡ's ladder?"),
        "garage",
        &["cellar"],
    )),
    story(
        &[("C1", "Noor Haddad: The audit is in room 4."), ("=", "Noor Haddad=Noor Smith")],
        ("C1", "ben: Where did Noor Haddad say the audit is?"),
        "room 4",
        &[],
    ),
    story(
        &[("C1", "haddad: The vans cost 4000 pounds."), ("=", "haddad=smith")],
        ("C1", "ben: How much did Haddad say the vans cost?"),
        "4000",
        &[],
    ),
    story(
        &[("C1", "olga: The blue folder goes back on Monday."), ("-", "olga")],
        ("C1", "ben: When did Olga say the blue folder goes back?"),
        "Monday",
        &[],
    ),
    story(
        &[
            ("C1", "cleo: Good morning!"),
            ("C1", "Noor Haddad: Cleo brings the ladder."),
            ("=", "Noor Haddad=Noor Smith"),
        ],
        ("C1", "ben: Who did Noor Haddad say brings the ladder?"),
        "Cleo brings",
        &[],
    ),
    story(
        &[("C1", "Noor Haddad: The stall opens every Friday."), ("=", "Noor Haddad=Noor Smith")],
        ("C1", "ben: How often did Noor Haddad say the stall opens?"),
        "every Friday",
        &[],
    ),
    story(
        &[("C1", "Noor Haddad: One idea for the gate: paint it green."), ("=", "Noor Haddad=Noor Smith")],
        ("C1", "ben: What was Noor Haddad's idea for the gate?"),
        "green",
        &[],
    ),
];

pub(super) const JAPANESE: [Story; 16] = [
    story(
        &[("C1", "山田: ボイラーの点検は5月12日です。"), ("=", "山田=高橋")],
        ("C1", "健太: 山田さんはボイラーについて何て言ってた？"),
        "5月12日",
        &[],
    ),
    story(
        &[
            ("C1", "山田: おはようございます。"),
            ("C1", "健太: 山田さんのドリルはロッカー14番にあります。"),
            ("=", "山田=高橋"),
        ],
        ("C1", "千夏: 高橋さんのドリルはどこ？"),
        "14番",
        &[],
    ),
    story(
        &[
            ("C1", "山田: おはようございます。"),
            ("=", "山田=高橋"),
            ("C1", "健太: 高橋さんの自転車はパン屋の裏にあります。"),
        ],
        ("C1", "千夏: 山田さんの自転車はどこ？"),
        "パン屋の裏",
        &[],
    ),
    story(
        &[
            ("C1", "山田: 私の席は窓際の4Bです。"),
            ("=", "山田=高橋"),
            ("C1", "山田: 私の席は入り口の2Aです。"),
        ],
        ("C1", "健太: 山田さんの席はどこ？"),
        "2A",
        &["4B"],
    ),
    story(
        &[
            ("C1", "亜美: 旅行には私がテントを持っていきます。"),
            ("C1", "千夏: 旅行には私がコンロを持っていきます。"),
            ("=", "亜美=千夏, 千夏=亜美"),
        ],
        ("C1", "健太: 千夏さんは旅行に何を持っていきますか？"),
        "テント",
        &["コンロ"],
    ),
    held_out(story(
        &[("C1", "山田花子: 監査は6月9日の10時に始まります。"), ("=", "山田花子=高橋花子")],
        ("C1", "健太: 山田さんが言ってた監査はいつ始まる？"),
        "6月9日",
        &[],
    )),
    held_out(story(
        &[
            ("C1", "林: おはようございます。"),
            ("=", "林=森"),
            ("C1", "健太: 森さんの荷物は受付にあります。"),
            ("=", "森=林"),
        ],
        ("C1", "千夏: 林さんの荷物はどこ？"),
        "受付",
        &[],
    )),
    held_out(story(
        &[
            ("C1", "山田: おはようございます。"),
            ("C1", "千夏: 山田さんの予防接種は6月9日です。"),
            ("C1", "健太: 僕の予防接種は6月2日です。"),
            ("=", "山田=高橋"),
        ],
        ("C1", "高橋: 私の予防接種はいつ？"),
        "6月9日",
        &["6月2日"],
    )),
    held_out(story(
        &[("C1", "美咲: アラームの暗証番号は赤いファイルにあります。"), ("-", "美咲")],
        ("C1", "健太: 美咲さんはアラームの暗証番号について何て言ってた？"),
        "赤いファイル",
        &[],
    )),
    held_out(story(
        &[
            ("C1", "ヤマダ: 私のはしごはガレージにあります。"),
            ("C1", "健太: 僕のはしごは地下にあります。"),
            ("=", "ヤマダ=スズキ"),
        ],
        ("C1", "千夏: やまださんのはしごはどこ？"),
        "ガレージ",
        &["地下"],
    )),
    story(
        &[("C1", "山田花子: 監査は4番の部屋であります。"), ("=", "山田花子=高橋花子")],
        ("C1", "健太: 山田さんは監査がどこだと言ってた？"),
        "4番",
        &[],
    ),
    story(
        &[("C1", "山田花子: バンは40万円しました。"), ("=", "山田花子=高橋花子")],
        ("C1", "健太: 山田さんはバンがいくらだと言ってた？"),
        "40万円",
        &[],
    ),
    story(
        &[("C1", "美咲: 青いフォルダーは月曜に返します。"), ("-", "美咲")],
        ("C1", "健太: 美咲さんは青いフォルダーをいつ返すと言ってた？"),
        "月曜",
        &[],
    ),
    story(
        &[
            ("C1", "千夏: おはようございます。"),
            ("C1", "山田花子: はしごは千夏さんが運びます。"),
            ("=", "山田花子=高橋花子"),
        ],
        ("C1", "健太: はしごは誰が運ぶと山田さんは言ってた？"),
        "千夏さんが",
        &[],
    ),
    story(
        &[("C1", "山田花子: 屋台は毎週金曜に開きます。"), ("=", "山田花子=高橋花子")],
        ("C1", "健太: 屋台はどのくらいの頻度で開くと山田さんは言ってた？"),
        "毎週金曜",
        &[],
    ),
    story(
        &[
            ("C1", "千夏: おはようございます。"),
            ("C1", "山田花子: 門の案ですが、千夏さんに緑に塗ってもらいましょう。"),
            ("=", "山田花子=高橋花子"),
        ],
        ("C1", "健太: 門についての山田さんの案は？"),
        "緑",
        &[],
    ),
];
