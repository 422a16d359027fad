//! Who asks for what is open is known by words; what merely sounds like it is not.

use myao_core::{
    chat::UserId,
    loops::{LoopsAsked, LoopsAskedFor},
};

use super::names;

fn asked(text: &str) -> Option<(LoopsAsked, Option<String>)> {
    let asked = LoopsAskedFor::of_message(text, &UserId::new("ann"), &names())?;
    Some((asked.what, asked.of.map(|of| of.to_string())))
}

#[test]
fn questions_for_what_is_open_are_known() {
    let all = |what| Some((what, None));
    let of = |what, who: &str| Some((what, Some(who.to_owned())));
    for (question, meant) in [
        ("<@myao> who still owes what?", all(LoopsAsked::All)),
        ("<@myao> what did I promise?", of(LoopsAsked::Promises, "ann")),
        ("<@myao> what did Bob promise?", of(LoopsAsked::Promises, "bob")),
        ("<@myao> what did <@cleo> promise?", of(LoopsAsked::Promises, "cleo")),
        ("What's still open?", all(LoopsAsked::All)),
        ("which questions are unanswered?", all(LoopsAsked::Questions)),
        ("<@myao> what's coming up?", all(LoopsAsked::Coming)),
        ("<@myao> まだ返事待ちのものは？", all(LoopsAsked::All)),
        ("<@myao> 私が約束したのは？", of(LoopsAsked::Promises, "ann")),
        ("bobさんが約束したのは？", of(LoopsAsked::Promises, "bob")),
        ("未回答の質問は？", all(LoopsAsked::Questions)),
        ("これからの予定は？", all(LoopsAsked::Coming)),
    ] {
        assert_eq!(asked(question), meant, "{question}");
    }
}

#[test]
fn whoever_was_called_so_before_is_meant_unless_somebody_is_called_so_now() {
    let former = [("bob", "Yamada"), ("bob", "Cleo"), ("ann", "Rossi"), ("cleo", "Rossi")];
    let names = names().with_former(former.map(|(id, name)| (UserId::new(id), name.to_owned())));
    let whose = |name: &str| {
        let question = format!("<@myao> what did {name} promise?");
        LoopsAskedFor::of_message(&question, &UserId::new("ann"), &names).and_then(|asked| asked.of)
    };
    assert_eq!(whose("Yamada"), Some(UserId::new("bob")));
    assert_eq!(whose("Cleo"), Some(UserId::new("cleo")), "who is called so now");
    assert_eq!(whose("Rossi"), None, "two were");
}

#[test]
fn other_questions_are_not() {
    for question in [
        "<@myao> when do we count?",
        "<@myao> is the shop open?",
        "<@myao> what did the landlord promise?",
        "<@myao> promise?",
        "<@myao> who owns the van?",
        "<@myao> what did Bob say about the cake?",
        "<@myao> 約束の場所はどこ？",
        "<@myao> 棚卸しはいつ？",
        "<@myao> 申請の締め切りはいつだっけ？",
        "<@myao> I asked Ann who still owes what, and she told me at length what everybody said about it all",
        "",
    ] {
        assert_eq!(asked(question), None, "{question}");
    }
}
