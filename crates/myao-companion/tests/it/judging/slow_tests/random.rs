//! Whatever people say and the judge decides, the manners hold.

use std::collections::BTreeMap;

use jiff::SignedDuration;
use myao_core::chat::{MessageTs, Place};
use proptest::{prelude::*, test_runner::Config};

use crate::judging::{Room, verdict};

/// One thing that happens: somebody speaks (at top level, or replies to the message so many before), or nothing.
#[derive(Clone, Debug)]
pub(super) enum Step {
    Say { who: usize, reply_to: Option<usize>, mention: bool },
    Wait(i64),
}

pub(super) fn steps() -> impl Strategy<Value = Vec<Step>> {
    let say = (0..2_usize, proptest::option::weighted(0.4, 0..4_usize), proptest::bool::weighted(0.15))
        .prop_map(|(who, reply_to, mention)| Step::Say { who, reply_to, mention });
    let wait = prop_oneof![10..400_i64, 400..9000_i64].prop_map(Step::Wait);
    proptest::collection::vec(prop_oneof![2 => say, 3 => wait], 1..16)
}

/// Everything said in a place in order of time: whether by us, and whether it asked us.
type Said = BTreeMap<Option<MessageTs>, Vec<(MessageTs, bool, bool)>>;

async fn live_through(steps: &[Step], seed: u64, chunk: Option<i64>) -> (Vec<(i64, Place)>, Said) {
    let room = Room::judged_by(move |request| {
        // By what is asked, so that it is the same in every run.
        let words = format!("{seed}{:?}", request.turns);
        let sum = words.bytes().fold(seed, |sum, byte| sum.wrapping_mul(31).wrapping_add(u64::from(byte)));
        verdict(sum % 3 > 0, 0.6, (sum % 5 == 0).then_some(90))
    })
    .await;
    let mut said: Said = BTreeMap::new();
    let mut roots = Vec::new();
    for step in steps {
        match step {
            Step::Say { who, reply_to, mention } => {
                let below = reply_to.and_then(|back| roots.iter().rev().nth(back).copied());
                let text = if *mention { "<@UMYAO> どう？" } else { "どう？" };
                let ts = room.say(["U1", "U2"][*who], ("C1", below), text).await;
                if below.is_none() {
                    roots.push(ts);
                }
                said.entry(below).or_default().push((ts, false, *mention));
                room.world.clock.advance(SignedDuration::from_secs(1));
            }
            Step::Wait(seconds) => {
                let mut left = *seconds;
                while left > 0 {
                    let now = chunk.unwrap_or(left).min(left);
                    room.live(now).await;
                    left -= now;
                }
            }
        }
    }
    room.live(4 * 3600).await;
    for (post, ts) in room.world.chat.posts() {
        said.entry(post.place.thread).or_default().push((ts, true, false));
    }
    for all in said.values_mut() {
        all.sort();
    }
    // Two places are answered at once, in whatever order.
    let mut spoke = room.spoke();
    spoke.sort();
    (spoke, said)
}

proptest! {
    #![proptest_config(Config { cases: 16, max_shrink_iters: 60, ..Config::default() })]
    #[test]
    fn manners_hold_and_restarts_change_nothing(steps in steps(), seed in any::<u64>(), chunk in 7..300_i64) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let (spoke, said) = runtime.block_on(live_through(&steps, seed, None));
        for (place, all) in &said {
            for two in all.windows(2) {
                let both_ours = two[0].1 && two[1].1;
                prop_assert!(!both_ours, "twice in a row in {place:?}: {all:?}");
            }
        }
        let (again, _) = runtime.block_on(live_through(&steps, seed, Some(chunk)));
        prop_assert_eq!(spoke, again, "with a new process every {} s", chunk);
    }
}
