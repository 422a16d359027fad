//! What a message puts right, read by its words alone.

use myao_core::memory::{MeantStatement, SaidRight};

fn value(text: &str) -> Option<String> {
    SaidRight::of_message(text).map(|said| said.value().to_owned())
}

fn put(statement: &str, answer: &str, message: &str) -> Option<String> {
    SaidRight::of_message(message).and_then(|said| said.put_into(statement, answer))
}

#[test]
fn what_is_right_is_read_behind_a_denial() {
    for (text, right) in [
        ("No, it's Thursday", "Thursday"),
        ("that's wrong, it was Ann", "Ann"),
        ("<@U1> No, no, it's Thursday.", "Thursday"),
        ("Nope: 15 October", "15 October"),
        ("No it's Thursday. I checked", "Thursday"),
        ("ちがうよ、木曜だよ", "木曜"),
        ("違います、エプソンです。", "エプソン"),
        ("金曜じゃなくて木曜だよ", "木曜"),
        ("No, Thursday, not Friday", "Thursday"),
    ] {
        assert_eq!(value(text).as_deref(), Some(right), "{text}");
    }
}

/// A question, an echo, a joke with its mark, a quotation and everything else put nothing right.
#[test]
fn everything_else_puts_nothing_right() {
    for text in [
        "so it's Friday?",
        "No, isn't it Thursday?",
        "No, it's Thursday lol",
        "No, it's Thursday, jk",
        "No, it's next century (just kidding)",
        "No one knows",
        "Nobody told me it's Thursday",
        "No",
        "That's wrong",
        "It's Thursday",
        "> No, it's Thursday",
        "Ann said \"No, it's Thursday\"",
        "ちがうよ、木曜だよ笑",
        "ちがうよ、木曜だよｗ",
        "いや、木曜だよ（冗談）",
        "木曜だよ",
        "ちがうよ、木曜？",
        "違う意味でおもしろい",
        "いやな天気だ",
        "「ちがうよ、木曜だよ」と言ってた",
    ] {
        assert_eq!(value(text), None, "{text}");
    }
}

/// Echoes, jokes, quotations, thoughts and courtesies, as people write them behind an answer with "Friday".
#[test]
fn echoes_jokes_and_quotations_put_nothing_right() {
    for text in [
        "wait, Friday?",
        "Friday, you say?",
        "oh so Friday it is then?",
        "so Friday then",
        "ah, Friday, not Thursday",
        "oh, Friday, not Thursday then",
        "Right, Friday, not Thursday",
        "haha no it's the 40th of May :joy:",
        "No, it's the 40th of May 😂",
        "no, it's Thursday ;)",
        "No, it's Thursday:rofl:",
        "&gt; No, it's Thursday",
        "<@U1> > No, it's Thursday",
        "~No, it's Thursday~",
        "Ann: No, it's Thursday",
        "`No, it's Thursday`",
        "No, it's Thursday, isn't it",
        "No, it's Thursday, right",
        "no, maybe Thursday, or what",
        "No, thanks",
        "No, never",
        "no, cheaper",
        "No problem, Thursday is fine",
        "I come on Thursday, not Friday",
        "not sure, that's for the boss",
        "え、金曜？",
        "金曜ってこと？",
        "金曜なんだ？",
        "え、金曜なんだ",
        "え、金曜じゃなくて木曜",
        "なるほど、木曜じゃなくて金曜",
        "金曜か、ありがとう",
        "いや、木曜か",
        "いや、木曜かも",
        "いや、木曜だっけ",
        "いや、木曜だよね",
        "ちがうよ、木曜かな",
        "いや、40月だよ😂",
        "いや、木曜だよ:joy:",
        "＞ちがうよ、木曜だよ",
        "> ちがうよ、木曜だよ",
        "いえ、大丈夫です",
        "いや、中止です",
        "田中: ちがうよ、木曜だよ",
    ] {
        assert_eq!(value(text), None, "{text}");
    }
}

/// Whoever means it says it in many ways.
#[test]
fn what_is_meant_counts_in_every_shape() {
    for (text, right) in [
        ("Oh no, it's Thursday", "Thursday"),
        ("Wait, no, it's Thursday", "Thursday"),
        ("Sorry, but that's wrong: it's Thursday", "Thursday"),
        ("Hmm, no - Thursday", "Thursday"),
        ("No, sorry, it's Thursday", "Thursday"),
        ("Actually, it's Thursday", "Thursday"),
        ("Actually no, it's Thursday.", "Thursday"),
        ("it's Thursday, actually", "Thursday"),
        ("You got that wrong, it's Thursday", "Thursday"),
        ("It's not Friday, it's Thursday", "Thursday"),
        ("It isn't Friday. It's Thursday.", "Thursday"),
        ("No, not Friday but Thursday", "Thursday"),
        ("Friday is wrong, it's Thursday", "Thursday"),
        ("No, the party is on Thursday", "Thursday"),
        ("*No, it's Thursday*", "Thursday"),
        ("No, it's Thursday :)", "Thursday"),
        ("<@U1>, no, thursday", "thursday"),
        ("あ、違う、木曜だよ", "木曜"),
        ("いや木曜です", "木曜"),
        ("いやいや、木曜だよ", "木曜"),
        ("それは違うよ、木曜だよ", "木曜"),
        ("すみません、違います。木曜です", "木曜"),
        ("金曜じゃないよ、木曜だよ", "木曜"),
        ("金曜ではありません。木曜です。", "木曜"),
        ("木曜だよ、金曜じゃなくて", "木曜"),
        ("金曜は間違いで、木曜です", "木曜"),
        ("正しくは木曜です", "木曜"),
        ("木曜の間違いだよ", "木曜"),
        ("違うよ、祭りは木曜だよ", "木曜"),
        ("いや、担当は高橋さんだよ", "高橋さん"),
        ("ちゃうで、木曜やで", "木曜"),
        ("<@U1>さん、ちがうよ、木曜だよ", "木曜"),
    ] {
        assert_eq!(value(text).as_deref(), Some(right), "{text}");
    }
}

/// Who says what the answer says agrees with it.
#[test]
fn agreement_puts_nothing_right() {
    let party = "The party is on Friday 12 June; Thursday was full.";
    assert_eq!(put(party, "On Friday 12 June.", "Friday, not Thursday"), None);
    assert!(put(party, "On Thursday.", "Friday, not Thursday").is_some());
}

#[test]
fn which_of_two_is_meant_is_read_by_number_and_by_words() {
    let (fair, choir) = ("The fair is on Friday.", "The choir sings on Friday in room 210.");
    let meant = |said: &str| MeantStatement::of_message(said, fair, choir);
    for said in ["the first", "The first one!", "1", "the fair", "The one about the fair is wrong."] {
        assert_eq!(meant(said), Some(MeantStatement::First), "{said}");
    }
    for said in ["second", "the latter", "the choir", "that in room 210", "2nd please"] {
        assert_eq!(meant(said), Some(MeantStatement::Second), "{said}");
    }
    for said in [
        "hm",
        "both",
        "neither",
        "the fair and the choir",
        "Friday",
        "the first, no, the second",
        "the second lol",
    ] {
        assert_eq!(meant(said), None, "{said}");
    }
    let (fair, choir) = ("夏祭りは金曜です。", "合唱は金曜に公民館です。");
    let meant = |said: &str| MeantStatement::of_message(said, fair, choir);
    for said in ["夏祭りのほう", "最初のほうです", "一つ目", "夏祭りがちがいます"] {
        assert_eq!(meant(said), Some(MeantStatement::First), "{said}");
    }
    for said in ["合唱です", "後者", "二つ目のほう", "公民館のやつ"] {
        assert_eq!(meant(said), Some(MeantStatement::Second), "{said}");
    }
    for said in ["うーん", "どちらも", "金曜のほう", "夏祭りじゃないほう"] {
        assert_eq!(meant(said), None, "{said}");
    }
}

#[test]
fn a_value_is_put_in_the_place_of_one_of_its_kind() {
    let party = "The party is on Friday 12 June in room 210.";
    let answer = "On Friday 12 June in room 210, Bob says.";
    assert_eq!(
        put(party, answer, "No, it's Thursday").as_deref(),
        Some("The party is on Thursday 12 June in room 210.")
    );
    assert_eq!(
        put(party, answer, "No, room 120").as_deref(),
        Some("The party is on Friday 12 June in room 120.")
    );
    assert_eq!(
        put(party, answer, "No, 13 June").as_deref(),
        Some("The party is on Friday 13 June in room 210.")
    );
    assert_eq!(put(party, answer, "No, 15"), None, "which number?");
    assert_eq!(put(party, "In room 210.", "No, it's Thursday"), None, "the answer said no day");
    assert_eq!(put(party, answer, "No, it's Friday"), None, "nothing else is said");
    assert_eq!(
        put("Bob pays, and Ann drives.", "Bob pays.", "No, it was Carla").as_deref(),
        Some("Carla pays, and Ann drives.")
    );
    assert_eq!(
        put("The server is called heron.", "It is called heron.", "No, it's egret"),
        None,
        "what is a name?"
    );
    let egret = put("The server is called heron.", "It is called heron.", "No, it's egret, not heron");
    assert_eq!(egret.as_deref(), Some("The server is called egret."));
    assert_eq!(
        put("What was decided?", "That was decided.", "No, Thermex"),
        None,
        "a question states nothing"
    );
    let rent = put("The rent is 940 euros a month.", "It is 940 euros a month.", "No, 890 euros.");
    assert_eq!(rent.as_deref(), Some("The rent is 890 euros a month."));
    let ja = "夏祭りは8月12日の金曜に決まりました。";
    assert_eq!(
        put(ja, "金曜です", "ちがうよ、木曜だよ").as_deref(),
        Some("夏祭りは8月12日の木曜に決まりました。")
    );
    assert_eq!(
        put("契約書には山本部長が署名しました。", "山本部長です", "いや、中村さんだよ").as_deref(),
        Some("契約書には中村さんが署名しました。")
    );
}
