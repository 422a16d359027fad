//! Whose thing a question asks for, and of whom something tells (ADR 146).

use std::collections::BTreeSet;

use myao_core::{
    chat::{Message, Place, UserId},
    recall::{FoundWords, QuestionOwner, Questioner, ToldOf},
};

use crate::prompt_sample::said;

#[test]
fn what_is_the_questioners_is_told_from_what_others_may_tell() {
    use QuestionOwner::{Group, GroupDeeds, Questioner as Own, QuestionerLikeOthers as LikeOthers};
    for (question, owner) in [
        ("When is my dentist appointment?", Some(Own)),
        ("which locker is mine", Some(Own)),
        ("When do I fly to Lisbon?", Some(Own)),
        ("How do I renew my parking permit?", Some(LikeOthers)),
        ("What have my children to bring?", Some(Own)),
        ("私の席はどこ？", Some(Own)),
        // Who has a thing tells it, whosever the thing is.
        ("Who has my drill?", Some(LikeOthers)),
        ("Who's still got my drill?", Some(LikeOthers)),
        ("does anyone have my charger", Some(LikeOthers)),
        ("Who borrowed my blue umbrella?", Some(LikeOthers)),
        ("私のドリル誰が持ってる？", Some(LikeOthers)),
        ("僕の傘、だれか見つけた？", Some(LikeOthers)),
        ("私の傘借りてるの、誰？", Some(LikeOthers)),
        ("Who had our key?", Some(GroupDeeds)),
        ("Who took our projector?", Some(GroupDeeds)),
        ("Who leads our team?", Some(Group)),
        ("うちの鍵は誰が持ってる？", Some(GroupDeeds)),
        ("うちのチームのリーダーは誰？", Some(Group)),
    ] {
        assert_eq!(QuestionOwner::of(question), owner, "{question}");
    }
}

#[test]
fn who_has_a_thing_is_asked_for_by_the_thing_alone() {
    for (question, rest) in [
        ("Who has got my drill?", "Who my drill?"),
        ("who borrowed my drill?", "who borrowed my drill?"),
        ("What have I got to bring?", "What have I got to bring?"),
        ("ドリル、誰が持ってる？", "ドリル、誰が る？"),
        ("傘を持って行く？", "傘を持って行く？"),
    ] {
        assert_eq!(QuestionOwner::without_having(question), rest, "{question}");
    }
}

fn asks(second: i64, user: &str, text: &str) -> Message {
    Message { user: UserId::new(user), ..said(second, 1, text) }
}

fn questioner_of(messages: &[Message]) -> Option<Questioner> {
    let place = Place { channel: messages[0].channel.clone(), thread: None };
    let waiting: BTreeSet<_> = messages.iter().map(|message| message.ts).collect();
    Questioner::of(messages, &waiting, &place)
}

fn told_in(questioner: &Questioner, text: &str) -> ToldOf {
    questioner.told_in(FoundWords { is_by_asker: false, text, is_here: false })
}

#[test]
fn what_others_tell_of_themselves_is_told_from_what_they_tell_of_the_questioner() {
    let questioner =
        questioner_of(&[asks(10, "U1", "Where is my desk?")]).expect("one asks").called("Ann Lee", &[]);
    for (text, told) in [
        ("Ann's desk is 4B", ToldOf::Meant),
        ("<@U1> sits at 4B", ToldOf::Meant),
        ("My desk is 2A", ToldOf::Others),
        ("The desks are all by the window", ToldOf::Anybody),
        ("Hannah's desk is 2C", ToldOf::Anybody),
    ] {
        assert_eq!(told_in(&questioner, text), told, "{text}");
    }
    let own = FoundWords { is_by_asker: true, text: "My desk is 4B", is_here: false };
    assert_eq!(questioner.told_in(own), ToldOf::Meant);
    let asked = FoundWords { text: "Where is my desk?", ..own };
    assert_eq!(questioner.told_in(asked), ToldOf::Anybody, "whoever asked before told nothing");
}

#[test]
fn a_group_is_those_who_talk_where_it_is_asked() {
    let questioner = questioner_of(&[asks(10, "U1", "うちの屋台は何番？")]).expect("one asks");
    let found = FoundWords { is_by_asker: false, text: "うちの屋台は12番です", is_here: false };
    assert_eq!(questioner.told_in(found), ToldOf::Others);
    assert_eq!(questioner.told_in(FoundWords { is_here: true, ..found }), ToldOf::Meant);
    assert_eq!(questioner.told_in(FoundWords { text: "屋台は12番です", ..found }), ToldOf::Anybody);
}

#[test]
fn several_people_who_ask_for_theirs_mean_nobody_in_particular() {
    let own = asks(10, "U1", "Where is my desk?");
    let others = asks(20, "U2", "And where is mine?");
    assert!(questioner_of(&[own.clone(), others]).is_none());
    let unowned = asks(20, "U2", "Which room has the printer?");
    assert_eq!(questioner_of(&[own, unowned.clone()]).expect("one asks").user().as_str(), "U1");
    assert!(questioner_of(&[unowned]).is_none());
}
