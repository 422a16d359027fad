//! Eighty questions about the two samples, which `builtin` answers (`examples/questions`). The right answers were written
//! down before anything was built. A third is held out: nobody tunes with those.

mod asking;
mod judged;

use std::fmt::Write as _;

use self::{
    asking::SampleTown,
    judged::{Outcome, Question, questions},
};

/// How many of the questions of a language are answered right at least, in percent: of those that may be tuned with, and
/// of those that are held out.
const RIGHT: (usize, usize) = (70, 70);

/// How many answers to the questions of a language that are held out may mislead; of the others none may.
const MISLEADING_HELD_OUT: usize = 1;
/// How many questions of a language are asked a second time.
const ASKED_AGAIN: usize = 6;

/// Asks all questions of a language that are held out, or those that are not, each in a workspace in which nobody asked
/// before. Gives what was answered, to be read, and how many answers were right and how many misled.
async fn ask_all(language: &str, held_out: bool) -> (String, usize, usize) {
    let town = SampleTown::of(language);
    let mut read = String::new();
    let mut right = 0;
    let mut misleading = 0;
    let asked: Vec<Question> =
        questions(language).into_iter().filter(|question| question.held_out == held_out).collect();
    for question in &asked {
        let answer = town.ask(question).await;
        let outcome = question.judge(&answer);
        right += usize::from(outcome == Outcome::Right);
        misleading += usize::from(outcome == Outcome::Misleading);
        let Question { ask, channel, by, .. } = question;
        let expected = question.answer.as_deref().unwrap_or("(nobody said that)");
        writeln!(read, "#{channel} {by}: {ask}\n  {outcome:?}; right is: {expected}").expect("written");
        for line in answer.text.lines() {
            writeln!(read, "  | {line}").expect("written");
        }
    }
    writeln!(read, "{right} of {} right, {misleading} misleading", asked.len()).expect("written");
    (read, right * 100 / asked.len(), misleading)
}

/// The answers stand in a snapshot each, so that whoever changes how they are found reads what has changed.
async fn are_answered(language: &str, held_out: bool, name: &str) {
    let (read, right, misleading) = ask_all(language, held_out).await;
    insta::assert_snapshot!(name, read);
    assert!(right >= if held_out { RIGHT.1 } else { RIGHT.0 }, "{right} % right");
    assert!(misleading <= if held_out { MISLEADING_HELD_OUT } else { 0 }, "{read}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn english_questions_are_answered() {
    are_answered("en", false, "en").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn japanese_questions_are_answered() {
    are_answered("ja", false, "ja").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn english_questions_that_are_held_out_are_answered() {
    are_answered("en", true, "en_held_out").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn japanese_questions_that_are_held_out_are_answered() {
    are_answered("ja", true, "ja_held_out").await;
}

/// Whoever asks again gets the answer, and not the asking.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn asking_again_gets_the_same_answer() {
    for language in ["en", "ja"] {
        let town = SampleTown::of(language);
        for question in
            questions(language).into_iter().filter(|question| question.kind.is_none()).take(ASKED_AGAIN)
        {
            let once = question.judge(&town.ask(&question).await);
            let again = Question { after: Some(question.ask.clone()), ..question };
            let answer = town.ask(&again).await;
            assert_eq!(again.judge(&answer), once, "{}: {}", again.ask, answer.text);
        }
    }
}
