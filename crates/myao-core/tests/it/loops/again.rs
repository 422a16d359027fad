//! A question that waits is told once, however often whoever asks it asks again.

use myao_core::{chat::Message, loops::LoopKind};

use super::{in_thread_of, said, words_open};

const EVENING: &str = "2026-03-02T20:00";

/// The questions that wait in the evening after Ann's, which others follow: `in the thread` of it or at top level.
fn waiting(question: &str, later: &[(&str, &str, &str)]) -> Vec<String> {
    let asked = said("c", "10:00", "ann", question);
    let later = later.iter().map(|(who, at, text)| match who.strip_suffix(" in the thread") {
        Some(who) => in_thread_of(&asked, said("c", at, who, text)),
        None => said("c", at, who, text),
    });
    let talk: Vec<Message> = [asked.clone()].into_iter().chain(later).collect();
    let open = words_open(&talk, EVENING).into_iter();
    open.filter(|(kind, _)| *kind == LoopKind::Question).map(|(_, words)| words).collect()
}

#[test]
fn who_asks_again_without_a_word_of_what_is_told_once() {
    let english = "How do I rotate the certificates of the proxy?";
    for again in [
        "Does anybody know?",
        "Has anyone done this before?",
        "Any idea who could know this?",
        "Can somebody help me?",
    ] {
        assert_eq!(waiting(english, &[("ann in the thread", "15:00", again)]), [english], "{again}");
        assert_eq!(waiting(english, &[("ann", "10:20", again)]), [english], "{again}");
    }
    let japanese = "プロキシの証明書はどうやって更新しますか？";
    for again in [
        "どなたかご存じの方いらっしゃいますか？",
        "誰かわかる方いますか？",
        "前にやったことがある人いますか？",
        "どなたか助けてもらえますか？",
    ] {
        assert_eq!(waiting(japanese, &[("ann in the thread", "15:00", again)]), [japanese], "{again}");
        assert_eq!(waiting(japanese, &[("ann", "10:20", again)]), [japanese], "{again}");
    }
}

/// Whoever is called by it is waited for, and an answer closes it as before.
#[test]
fn whom_it_calls_is_waited_for() {
    let english = "How do I rotate the certificates of the proxy?";
    let again = ("ann in the thread", "15:00", "<@bob> do you know?");
    assert_eq!(waiting(english, &[again]), [english]);
    assert_eq!(waiting(english, &[again, ("bob", "15:30", "There is a script for that.")]), [] as [&str; 0]);
    let anybody = ("ann in the thread", "15:00", "Does anybody know?");
    assert_eq!(
        waiting(english, &[anybody, ("bob in the thread", "15:30", "A script does it.")]),
        [] as [&str; 0]
    );
    let japanese = "プロキシの証明書はどうやって更新しますか？";
    let again = ("ann in the thread", "15:00", "<@bob> ご存じですか？");
    assert_eq!(waiting(japanese, &[again]), [japanese]);
    assert_eq!(waiting(japanese, &[again, ("bob", "15:30", "スクリプトがあります。")]), [] as [&str; 0]);
}

#[test]
fn another_question_is_another() {
    let english = "How do I rotate the certificates of the proxy?";
    let other = "Does anybody know where the key of the archive room is?";
    assert_eq!(waiting(english, &[("ann in the thread", "15:00", other)]), [english, other]);
    assert_eq!(waiting(english, &[("ann", "10:20", other)]), [english, other]);
    let japanese = "プロキシの証明書はどうやって更新しますか？";
    let other = "倉庫の鍵はどこにありますか？";
    assert_eq!(waiting(japanese, &[("ann in the thread", "15:00", other)]), [japanese, other]);
}
