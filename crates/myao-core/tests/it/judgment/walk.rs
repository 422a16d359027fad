//! The walk through the past decides as the live program would have.

use jiff::{SignedDuration, Timestamp};
use myao_core::{
    chat::{ChannelId, MessageTs, Speaker},
    judgment::{ChannelTalk, Decision, Due, Manners, Utterance, Walk},
};
use proptest::prelude::*;

use super::{at, instant, manners, said};

/// (when, thread, about) of every moment.
type Judged = Vec<(Timestamp, Option<MessageTs>, MessageTs)>;

/// How the test's judge decides: about every third message to speak, else to hold for ten minutes.
fn judge(about: MessageTs, now: Timestamp) -> Decision {
    if about.as_micros() / 1_000_000 % 3 == 0 {
        Decision::Speak
    } else {
        Decision::Hold(now + SignedDuration::from_mins(10))
    }
}

/// Walks up to each of these times in turn.
fn walked(manners: &Manners, said: &[Utterance], stops: impl IntoIterator<Item = Timestamp>) -> Judged {
    let mut walk = Walk::new(manners, ChannelId::new("C1"), said);
    let mut judged = Vec::new();
    for until in stops {
        while let Some(moment) = walk.next_moment(until) {
            judged.push((moment.at, moment.pause.thread, moment.pause.latest_ts));
            walk.decide(&moment, judge(moment.pause.latest_ts, moment.at));
        }
    }
    judged
}

/// The same as the live program does it: at every second it looks at all that was said, before and after it hears
/// what is said in that second.
fn lived(manners: &Manners, said: &[Utterance], seconds: i64) -> Judged {
    let mut decisions: Vec<(Option<MessageTs>, MessageTs, Decision)> = Vec::new();
    let mut judged = Vec::new();
    for (second, heard) in (0..seconds).flat_map(|second| [(second, second - 1), (second, second)]) {
        let now = instant(second);
        let mut talk = ChannelTalk::new(ChannelId::new("C1"));
        for said in said.iter().filter(|said| said.ts <= at(heard)) {
            talk.hear(said);
        }
        for pause in talk.pauses() {
            let about =
                |(thread, latest, _): &&(_, _, _)| *thread == pause.thread && *latest == pause.latest_ts;
            let decided = decisions.iter().rev().find(about).map(|(_, _, decision)| *decision);
            let due = manners.due(&talk, &pause, decided, now);
            if matches!(due, Due::At { at, .. } if at <= now) {
                judged.push((now, pause.thread, pause.latest_ts));
                decisions.push((pause.thread, pause.latest_ts, judge(pause.latest_ts, now)));
            }
        }
    }
    judged
}

#[test]
fn a_lonely_question_is_judged_once_and_again_when_the_verdict_has_run_out() {
    let all = [said(0, None, Speaker::Person), said(100, None, Speaker::Person)];
    let judged = walked(&manners(), &all, [instant(1500)]);
    let seconds: Vec<i64> =
        judged.iter().map(|(when, ..)| when.duration_since(instant(0)).as_secs()).collect();
    assert_eq!(seconds, [400, 1000]);
    assert!(judged.iter().all(|(_, thread, about)| thread.is_none() && *about == at(100)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn the_past_is_judged_as_it_would_have_been_live(
        // When, in reply to which of those before (by its share of them), by whom.
        all in proptest::collection::vec((0..1500_i64, proptest::option::of(0.0..1.0_f64), 0..4_u8), 0..20),
    ) {
        let manners = Manners { min_wait_seconds: 90.0, ..manners() };
        let voice = |n| match n { 0 => Speaker::Own, 1 => Speaker::Bot, _ => Speaker::Person };
        let mut all = all;
        all.sort_by_key(|(second, ..)| *second);
        all.dedup_by_key(|(second, ..)| *second);
        let mut roots: Vec<i64> = Vec::new();
        let mut heard = Vec::new();
        for (second, reply_to, who) in all {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss,
                reason = "a share of a few")]
            let root = reply_to.and_then(|share| roots.get((share * roots.len() as f64) as usize).copied());
            if root.is_none() {
                roots.push(second);
            }
            heard.push(said(second, root, voice(who)));
        }
        let said = heard;
        let mut lived = lived(&manners, &said, 3000);
        let at_once = walked(&manners, &said, [instant(3000)]);
        let in_steps = walked(&manners, &said, (1..=60).map(|step| instant(step * 50)));
        prop_assert_eq!(&at_once, &in_steps);
        let mut walked = at_once;
        lived.sort();
        walked.sort();
        prop_assert_eq!(walked, lived);
    }
}
