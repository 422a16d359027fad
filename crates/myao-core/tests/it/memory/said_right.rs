//! What a message puts right, read by its words alone.

use myao_core::memory::SaidRight;

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
