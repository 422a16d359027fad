//! What messages teach of words of the house, and what teaches nothing (specification §5).

use myao_core::{
    chat::{ChannelId, MessageTs, UserId},
    recall::{
        HouseWord, HouseWordForm, HouseWordState, SaidHouseWord, asks_for_meaning, house_words_in,
        index_terms_of_house_words, index_terms_of_question, question_in_other_words, states_of_house_words,
    },
};

/// What a text teaches, as `word=meaning`, `~` in front of what stands beside, `!` of what is denied.
fn taught(text: &str) -> Vec<String> {
    let mark = |form| match form {
        HouseWordForm::Stated => "",
        HouseWordForm::Beside => "~",
        HouseWordForm::Denied => "!",
    };
    house_words_in(text).iter().map(|one| format!("{}{}={}", mark(one.form), one.word, one.meaning)).collect()
}

#[test]
fn explanations_in_english_are_read() {
    let cases: [(&str, &[&str]); 24] = [
        ("PJ-K = Kanda", &["PJ-K=Kanda"]),
        ("PJ-K = Kanda, just so everyone knows.", &["PJ-K=Kanda"]),
        ("Kanda = PJ-K", &["PJ-K=Kanda"]),
        ("fyi: PJ-K = Kanda, PJ-S = Shinagawa", &["PJ-K=Kanda", "PJ-S=Shinagawa"]),
        ("PJ-K stands for Kanda.", &["PJ-K=Kanda"]),
        ("By the way, PJ-K stands for the Kanda office, which opens in May.", &["PJ-K=Kanda office"]),
        ("SRB stands for site review board.", &["SRB=site review board"]),
        ("Halcyon is our code name for the Wakefield warehouse.", &["Halcyon=Wakefield warehouse"]),
        ("The “shed” is our name for the Bluebell Street depot.", &["shed=Bluebell Street depot"]),
        ("We meet at the Bluebell Street depot, aka The Shed, at nine.", &["Shed=Bluebell Street depot"]),
        ("the Northern Harbour Committee (also known as NHC) agreed", &["NHC=Northern Harbour Committee"]),
        ("The Northern Harbour Committee, or NHC for short, agreed.", &["NHC=Northern Harbour Committee"]),
        ("Northern Harbour Committee (NHC) has agreed", &["NHC=Northern Harbour Committee"]),
        ("NHC (Northern Harbour Committee) has agreed", &["NHC=Northern Harbour Committee"]),
        ("PJ-K (= Kanda) is late", &["PJ-K=Kanda"]),
        ("ODR means Old Dairy Road", &["ODR=Old Dairy Road"]),
        ("LSO refers to the Lower Street Office.", &["LSO=Lower Street Office"]),
        ("Kanda (PJ-K) is late", &["~PJ-K=Kanda"]),
        ("PJ-K (Kanda) is late", &["~PJ-K=Kanda"]),
        ("PJ-K stands for Kanagawa, not Kanda.", &["PJ-K=Kanagawa", "!PJ-K=Kanda"]),
        ("No, PJ-K does not stand for Kanda.", &["!PJ-K=Kanda"]),
        ("PJ-K doesn't mean Kanda", &["!PJ-K=Kanda"]),
        ("<@U1> PJ-K = Kanda", &["PJ-K=Kanda"]),
        ("Good morning! PJ-K stands for Kanda. See you.", &["PJ-K=Kanda"]),
    ];
    for (text, expected) in cases {
        assert_eq!(taught(text), expected, "{text}");
    }
}

#[test]
fn explanations_in_japanese_are_read() {
    let cases: [(&str, &[&str]); 24] = [
        ("PJ-K＝神田", &["PJ-K=神田"]),
        ("PJ-K=神田です。", &["PJ-K=神田"]),
        ("ちなみに、神田＝PJ-Kだよ", &["PJ-K=神田"]),
        ("神田、通称PJ-K", &["PJ-K=神田"]),
        ("神田、通称PJ-Kの見積もりが届きました。", &["PJ-K=神田"]),
        ("若葉台の倉庫（通称ワカソウ）に棚が入りました。", &["ワカソウ=若葉台の倉庫"]),
        ("今日から運営改善委員会、略して運改に出ます。", &["運改=運営改善委員会"]),
        ("神田の通称はPJ-Kです。", &["PJ-K=神田"]),
        ("PJ-K（＝神田）の件です。", &["PJ-K=神田"]),
        ("PJ-K(=神田)の件です。", &["PJ-K=神田"]),
        ("KND（＝神田通り）の件です。", &["KND=神田通り"]),
        ("運営会（通称 KND Admins）は解散しました。", &["KND Admins=運営会"]),
        ("PJ-Kは神田のことです。", &["PJ-K=神田"]),
        ("PJ-Kは神田のこと", &["PJ-K=神田"]),
        ("アオゾラというのは青山の新店舗のことだよ。", &["アオゾラ=青山の新店舗"]),
        ("CBは中央ビルの略です。", &["CB=中央ビル"]),
        ("「ほたる」は蛍光灯の別名です。", &["ほたる=蛍光灯"]),
        ("神田の現場をPJ-Kと呼んでいます。", &["PJ-K=神田の現場"]),
        ("ハイデルの正式名称はハイデルベルク印刷機です。", &["ハイデル=ハイデルベルク印刷機"]),
        ("神田（PJ-K）は遅れています。", &["~PJ-K=神田"]),
        ("PJ-K（神田）は遅れています。", &["~PJ-K=神田"]),
        ("PJ-Tは田町ではなく高輪の略です。", &["PJ-T=高輪", "!PJ-T=田町"]),
        ("PJ-Tは田町のことじゃなくて、高輪のことです。", &["PJ-T=高輪", "!PJ-T=田町"]),
        ("PJ-Kは神田のことではないです。", &["!PJ-K=神田"]),
    ];
    for (text, expected) in cases {
        assert_eq!(taught(text), expected, "{text}");
    }
}

#[test]
fn what_is_no_explanation_teaches_nothing() {
    let cases = [
        // Questions, guesses, jokes, quotations and code.
        "is PJ-K = Kanda?",
        "PJ-K = Kanda?",
        "does PJ-K stand for Kanda?",
        "maybe PJ-K stands for Kanda",
        "I think PJ-K = Kanda",
        "PJ-K stands for Kanda lol",
        "> PJ-K stands for Kanda",
        "Ann said PJ-K stands for Kanda",
        "“PJ-K stands for Kanda and for nothing else” was on the wall",
        "```\nPJ_K = Kanda\n```",
        "run `PJ_K = Kanda` first",
        "https://example.com/?PJ-K=Kanda",
        "PJ-Kは神田のことですか？",
        "PJ-Kは神田のことかな",
        "PJ-K＝神田？",
        "たぶんPJ-K＝神田です",
        "PJ-K＝神田（笑）",
        "> PJ-K＝神田",
        "田中さんが「PJ-Kは神田のことです」と言っていました",
        // What only looks like it.
        "x = 5",
        "PATH=/usr/bin:/bin",
        "if a = B then C",
        "Monday = meeting day",
        "PHP = bad",
        "MATE = fork of GNOME 2",
        "see you (PM)",
        "I'll be late (sorry)",
        "the meeting (Thursday) is moved",
        "Peace stands for nothing these days",
        "this means war",
        "it means a lot to me",
        "1 EUR = 160 JPY",
        "明日は会議のことで相談があります",
        "彼は仕事のことが好きです",
        "犬は家族のことです",
        "所属とは、会社名のことです。",
        "AtCoder STL（仮称）の翻訳です",
        "金曜（10日）に集まります",
        "会議（30分）のあとで",
        "それは昨日のことです",
        "以下の通りです",
        "俺=天才",
        "",
    ];
    for text in cases {
        assert_eq!(taught(text), <[String; 0]>::default(), "{text}");
    }
}

fn said(channel: &str, second: i64, text: &str) -> Vec<SaidHouseWord> {
    let words = house_words_in(text);
    assert!(!words.is_empty(), "{text}");
    let one = |said: HouseWord| SaidHouseWord {
        said,
        channel: ChannelId::new(channel),
        ts: MessageTs::from_micros(second * 1_000_000),
        user: UserId::new(format!("U{second}")),
        is_ended: false,
    };
    words.into_iter().map(one).collect()
}

#[test]
fn what_stands_in_brackets_counts_once_two_people_wrote_it_and_nothing_else() {
    let once = said("C1", 1, "Kanda (PJ-K) is late");
    assert_eq!(states_of_house_words(&once), [HouseWordState::Unsure]);
    let twice = [once.clone(), said("C1", 2, "PJ-K (Kanda) is open")].concat();
    assert_eq!(states_of_house_words(&twice), [HouseWordState::Stands; 2]);
    let by_one = [said("C1", 1, "Kanda (PJ-K) is late"), said("C1", 1, "PJ-K (Kanda) is open")].concat();
    assert_eq!(states_of_house_words(&by_one), [HouseWordState::Unsure; 2]);
    let elsewhere = [once.clone(), said("C2", 2, "PJ-K (Kanda) is open")].concat();
    assert_eq!(states_of_house_words(&elsewhere), [HouseWordState::Unsure; 2]);
    let of_two = [twice, said("C1", 3, "Shinagawa (PJ-K) is open")].concat();
    assert_eq!(states_of_house_words(&of_two), [HouseWordState::Unsure; 3]);
}

#[test]
fn what_is_denied_later_in_its_place_counts_no_more() {
    let first = said("C1", 1, "PJ-T stands for Tamachi.");
    let denial = said("C1", 2, "PJ-T stands for Takanawa, not Tamachi.");
    let states = states_of_house_words(&[first.clone(), denial.clone()].concat());
    let at = MessageTs::from_micros(2_000_000);
    assert_eq!(states, [HouseWordState::Denied(at), HouseWordState::Stands, HouseWordState::Denial]);
    let again = said("C1", 3, "PJ-T stands for Tamachi.");
    let states = states_of_house_words(&[first, denial, again, said("C2", 1, "PJ-T = Tamachi")].concat());
    assert_eq!(states[3..], [HouseWordState::Stands, HouseWordState::Stands]);
}

#[test]
fn a_question_is_asked_in_the_words_that_its_words_mean() {
    let pairs = [("PJ-K", "Kanda"), ("NHC", "Northern Harbour Committee"), ("運改", "運営改善委員会")];
    let cases: [(&str, &[&str]); 9] = [
        ("When does PJ-K open?", &["When does Kanda open?"]),
        ("when does pj-k's roof come?", &["when does Kanda's roof come?"]),
        ("When does kanda open?", &["When does PJ-K open?"]),
        ("When does the northern harbour committee meet?", &["When does the NHC meet?"]),
        ("PJ-Kの予算は？", &["Kandaの予算は？"]),
        ("運改はいつ？", &["運営改善委員会はいつ？"]),
        ("PJ-K2 opens when?", &[]),
        ("Where is Kandahar?", &[]),
        ("is PJ-K Kanda?", &[]),
    ];
    for (question, expected) in cases {
        assert_eq!(question_in_other_words(question, pairs), expected, "{question}");
    }
}

#[test]
fn who_asks_only_what_a_word_means_is_recognised() {
    for question in [
        "what is PJ-K?",
        "What's PJ-K",
        "@myao what does PJ-K mean?",
        "PJ-K stands for what?",
        "sorry, what does pj-k stand for again?",
        "PJ-Kって何？",
        "PJ-Kとは？",
        "PJ-Kの意味は何ですか？",
        "PJ-Kって何の略でしたっけ",
        "@みゃお PJ-Kって何のことですか？",
    ] {
        assert!(asks_for_meaning(question, "PJ-K"), "{question}");
    }
    for question in [
        "what is the budget of PJ-K?",
        "when does PJ-K open?",
        "PJ-Kの予算は何円ですか？",
        "PJ-Kはいつ？",
        "what is PJ-S?",
        "PJ-K?",
    ] {
        assert!(!asks_for_meaning(question, "PJ-K"), "{question}");
    }
}

/// Whoever asks with a word finds the message that explains it, whichever of the two is asked with.
#[test]
fn a_question_and_an_explanation_share_a_term() {
    let explains = index_terms_of_house_words("Northern Harbour Committee (NHC) has agreed");
    for question in ["When does the Northern Harbour Committee meet?", "what does nhc want"] {
        let asked = index_terms_of_question(question);
        assert!(asked.iter().any(|term| explains.contains(term)), "{question}");
    }
    let asked = index_terms_of_question("what is for lunch?");
    assert!(!asked.iter().any(|term| explains.contains(term)));
    assert!(index_terms_of_house_words("When does the Northern Harbour Committee meet?").is_empty());
}
