//! Where talk has paused.

use myao_core::{
    chat::{ChannelId, Speaker},
    judgment::{ChannelTalk, Utterance},
};
use proptest::prelude::*;

use super::{at, said};

fn talk(said: &[Utterance]) -> ChannelTalk {
    let mut talk = ChannelTalk::new(ChannelId::new("C1"));
    for said in said {
        talk.hear(said);
    }
    talk
}

/// (thread, latest, said) of a pause, in seconds.
type Short = (Option<i64>, i64, i64);

fn pauses(said: &[Utterance]) -> Vec<Short> {
    let seconds = |ts: myao_core::chat::MessageTs| ts.micros_since(at(0)) / 1_000_000;
    talk(said).pauses().map(|p| (p.thread.map(seconds), seconds(p.latest_ts), seconds(p.said_ts))).collect()
}

#[test]
fn the_last_word_decides() {
    use Speaker::{Bot, Own, Person};
    let top = |ts, voice| said(ts, None, voice);
    let reply = |ts, root, voice| said(ts, Some(root), voice);
    let cases: [(&str, Vec<Utterance>, &[Short]); 14] = [
        ("nobody said anything", vec![], &[]),
        ("a question stands alone", vec![top(1, Person)], &[(None, 1, 1)]),
        ("the newest counts", vec![top(1, Person), top(5, Person)], &[(None, 5, 5)]),
        ("we had the last word", vec![top(1, Person), top(5, Own)], &[]),
        ("a person after us", vec![top(1, Person), top(5, Own), top(9, Person)], &[(None, 9, 9)]),
        ("a bot is no company", vec![top(1, Person), top(5, Bot)], &[(None, 1, 1)]),
        ("a bot is not left alone", vec![top(1, Bot)], &[]),
        ("replied to in its thread", vec![top(1, Person), reply(4, 1, Person)], &[(Some(1), 4, 4)]),
        ("answered by us in its thread", vec![top(1, Person), reply(4, 1, Own)], &[]),
        (
            "one before it is still open",
            vec![top(1, Person), top(3, Person), reply(4, 3, Person)],
            &[(None, 1, 3), (Some(3), 4, 4)],
        ),
        (
            "what we said stays the last word",
            vec![top(1, Person), top(3, Own), reply(4, 3, Person)],
            &[(Some(3), 4, 4)],
        ),
        ("only a bot replied", vec![top(1, Person), reply(4, 1, Bot)], &[(None, 1, 1)]),
        ("a root that names itself", vec![reply(1, 1, Person)], &[(None, 1, 1)]),
        ("a root nobody knows", vec![reply(4, 1, Person)], &[(Some(1), 4, 4)]),
    ];
    for (what, said, expected) in cases {
        assert_eq!(pauses(&said), expected, "{what}");
    }
}

#[test]
fn what_was_said_to_us_is_ours_to_answer_already() {
    let asked = Utterance { takes_nothing_unasked: true, ..said(5, None, Speaker::Person) };
    assert_eq!(pauses(&[said(1, None, Speaker::Person), asked]), []);
    assert_eq!(pauses(&[asked, said(9, None, Speaker::Person)]), [(None, 9, 9)]);
}

fn any_said() -> impl Strategy<Value = Vec<Utterance>> {
    let voice = prop_oneof![Just(Speaker::Person), Just(Speaker::Own), Just(Speaker::Bot)];
    let one = (0..40_i64, proptest::option::of(0..40_i64), voice, any::<bool>());
    proptest::collection::vec(one, 0..25).prop_map(|all| {
        let mut all: Vec<Utterance> = all
            .into_iter()
            .map(|(ts, root, voice, asked)| Utterance {
                takes_nothing_unasked: asked && voice == Speaker::Person,
                ..said(ts, root.filter(|root| *root < ts), voice)
            })
            .collect();
        all.sort_by_key(|said| said.ts);
        all.dedup_by_key(|said| said.ts);
        all
    })
}

proptest! {
    #[test]
    fn the_order_of_arrival_does_not_matter(all in any_said(), seed in any::<u64>()) {
        let mut shuffled = all.clone();
        let len = u64::try_from(shuffled.len().max(1)).unwrap();
        for i in 0..shuffled.len() {
            let j = usize::try_from(seed.rotate_left(u32::try_from(i).unwrap()) % len).unwrap();
            shuffled.swap(i, j);
        }
        prop_assert_eq!(pauses(&all), pauses(&shuffled));
    }

    #[test]
    fn a_pause_is_about_a_person_and_never_after_our_own_last_word(all in any_said()) {
        let talk = talk(&all);
        for pause in talk.pauses() {
            let about = all.iter().find(|said| said.ts == pause.latest_ts).unwrap();
            prop_assert_eq!(about.speaker, Speaker::Person);
            prop_assert!(!about.takes_nothing_unasked);
            let ours_after = all.iter().any(|said| said.speaker == Speaker::Own
                && said.thread_ts == pause.thread && said.ts > pause.latest_ts);
            prop_assert!(!ours_after, "{:?}", pause);
        }
    }
}
