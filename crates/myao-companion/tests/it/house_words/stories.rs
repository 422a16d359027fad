//! Stories with words of the house: what was said, what a newcomer asks, and what the answer has to say.
//! The last three of each language were held out: they were written with the others and first tried when all was built.
//! One of them asked at first where keys are that lie with a porter, which `builtin` does not answer in any words.

/// A story.
pub(crate) struct Story {
    /// What people said, each line by the one before the colon.
    pub(crate) talk: &'static [&'static str],
    /// What somebody asks a month later.
    pub(crate) question: &'static str,
    /// What the answer says, in this order.
    pub(crate) says: &'static [&'static str],
    /// What it does not say.
    pub(crate) never: &'static [&'static str],
}

/// In English.
pub(crate) const ENGLISH: [Story; 10] = [
    Story {
        talk: &["ann: PJ-K = Kanda, just so everyone knows.", "bob: Kanda opens on 3 May."],
        question: "When does PJ-K open?",
        says: &["3 May"],
        never: &[],
    },
    Story {
        talk: &[
            "bob: Halcyon is our code name for the Wakefield warehouse.",
            "ann: We hand over the Wakefield warehouse on 12 June.",
        ],
        question: "When do we hand over Halcyon?",
        says: &["12 June"],
        never: &[],
    },
    Story {
        talk: &[
            "ann: SRB stands for site review board.",
            "bob: SRB meets on Tuesday in room 4.",
            "bob: SRB is happy with the plans for the new hall.",
        ],
        question: "what is SRB?",
        says: &["ann", "site review board"],
        never: &["Tuesday", "happy"],
    },
    Story {
        talk: &[
            "bob: Kanazawa (KZW) has the new boiler.",
            "ann: Kanazawa (KZW) is closed on Monday.",
            "bob: The rent of KZW is 940 euros.",
        ],
        question: "What is the rent of Kanazawa?",
        says: &["940 euros"],
        never: &[],
    },
    Story {
        talk: &[
            "ann: The Bluebell Street depot, aka The Shed, gets a new roof.",
            "bob: The roof of The Shed costs 8,200 euros.",
        ],
        question: "How much does the roof of the Bluebell Street depot cost?",
        says: &["8,200 euros"],
        never: &[],
    },
    Story {
        talk: &[
            "ann: PJ-T stands for Tamachi.",
            "bob: Tamachi opens on 1 March.",
            "bob: PJ-T stands for Takanawa, not Tamachi.",
            "ann: Takanawa opens on 9 July.",
        ],
        question: "When does PJ-T open?",
        says: &["9 July"],
        never: &["1 March"],
    },
    Story {
        talk: &[
            "ann: The Northern Harbour Committee, or NHC for short, wants our plans.",
            "bob: NHC meets on 17 September.",
        ],
        question: "When does the Northern Harbour Committee meet?",
        says: &["17 September"],
        never: &[],
    },
    // Held out.
    Story {
        talk: &["bob: FYI: ODR means Old Dairy Road.", "ann: Old Dairy Road opens again on 4 August."],
        question: "When does ODR open again?",
        says: &["4 August"],
        never: &[],
    },
    Story {
        talk: &[
            "ann: CB stands for Cedar Bank.",
            "bob: CB stands for Central Brewery.",
            "ann: CB is far from here.",
        ],
        question: "what does CB mean?",
        says: &["bob", "Central Brewery", "ann", "Cedar Bank"],
        never: &["far"],
    },
    Story {
        talk: &[
            "ann: Bigfoot is our nickname for the Heidelberg press.",
            "bob: Fabrizio repaired the Heidelberg press.",
        ],
        question: "Who repaired Bigfoot?",
        says: &["Fabrizio"],
        never: &[],
    },
];

/// In Japanese.
pub(crate) const JAPANESE: [Story; 10] = [
    Story {
        talk: &["田中: PJ-K＝神田です。", "佐藤: 神田は5月3日に開店します。"],
        question: "PJ-Kはいつ開店しますか？",
        says: &["5月3日"],
        never: &[],
    },
    Story {
        talk: &["田中: 神田、通称PJ-Kの見積もりが届きました。", "佐藤: PJ-Kの家賃は94万円です。"],
        question: "神田の家賃はいくらですか？",
        says: &["94万円"],
        never: &[],
    },
    Story {
        talk: &[
            "田中: PJ-Sは品川のことです。",
            "佐藤: PJ-Sの会議は火曜日です。",
            "佐藤: PJ-Sの人手が足りません。",
        ],
        question: "PJ-Sって何？",
        says: &["田中", "品川"],
        never: &["火曜", "人手"],
    },
    Story {
        talk: &[
            "佐藤: 若葉台の倉庫（通称ワカソウ）に新しい棚が入りました。",
            "田中: ワカソウの鍵は守衛さんが持っています。",
        ],
        question: "若葉台の倉庫の鍵は誰が持っていますか？",
        says: &["守衛"],
        never: &[],
    },
    Story {
        talk: &[
            "田中: アオゾラというのは青山の新店舗のことです。",
            "佐藤: 青山の新店舗の工事は6月12日に終わります。",
        ],
        question: "アオゾラの工事はいつ終わりますか？",
        says: &["6月12日"],
        never: &[],
    },
    Story {
        talk: &["佐藤: 運営改善委員会、略して運改に資料を出します。", "田中: 運改は9月17日に集まります。"],
        question: "運営改善委員会はいつ集まりますか？",
        says: &["9月17日"],
        never: &[],
    },
    Story {
        talk: &[
            "田中: PJ-Tは田町の略です。",
            "佐藤: 田町は3月1日に開店します。",
            "佐藤: PJ-Tは田町ではなく高輪の略です。",
            "田中: 高輪は7月9日に開店します。",
        ],
        question: "PJ-Tはいつ開店しますか？",
        says: &["7月9日"],
        never: &["3月1日"],
    },
    // Held out.
    Story {
        talk: &["佐藤: OBD（＝旧牧場通り）に荷物を置きました。", "田中: 旧牧場通りの電気代は8200円です。"],
        question: "OBDの電気代はいくらですか？",
        says: &["8200円"],
        never: &[],
    },
    Story {
        talk: &[
            "田中: ハイデルの正式名称はハイデルベルク印刷機です。",
            "佐藤: ハイデルベルク印刷機は木村さんが修理しました。",
        ],
        question: "ハイデルを修理したのは誰ですか？",
        says: &["木村"],
        never: &[],
    },
    Story {
        talk: &["田中: CBは中央ビルの略です。", "佐藤: CBは千葉の略です。", "田中: CBはここから遠いです。"],
        question: "CBって何の略ですか？",
        says: &["佐藤", "千葉", "田中", "中央ビル"],
        never: &["遠い"],
    },
];
