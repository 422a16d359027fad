//! Nothing lingers, in its strongest form. Two workspaces are alike but for one message: in the first it is remembered,
//! folded, quoted and answered, and then deleted or forgotten; in its twin it was gone before anything was made from it.
//! Once both are built they are equal to the letter: every memory, what searches find, every prompt.
//!
//! The twin is given the borders of the first one's chapters, since where talk is cut depends on how much was said, and
//! what we said in the first, as far as it stands there at the end, since the twin's answers would be others.

mod world;

use std::collections::BTreeMap;

use proptest::prelude::*;

use self::world::{Going, Happening, Record, Twin};

/// Pairs in a usual run; `MYAO_WORKSPACES` asks for more.
const PAIRS: u32 = 12;

/// Everything that is shown in both, by what it is.
async fn live(happenings: &[Happening], which: usize, going: Going) -> [BTreeMap<String, String>; 2] {
    let mut first = Twin::new().await;
    let mut record = Record::default();
    for happening in happenings {
        first.let_happen(*happening, None, &mut record).await;
    }
    let Some(canary) = first.choose(which) else { return Default::default() };
    first.take_back(canary, going).await;
    first.end(None, &mut record).await;
    record.own = first.own().await;

    let mut twin = Twin::new().await;
    for happening in happenings {
        let said = twin.said_so_far();
        twin.let_happen(*happening, Some(&record), &mut Record::default()).await;
        if said < twin.said_so_far() && twin.choose_last() == Some(canary) {
            twin.take_back(canary, going).await;
        }
    }
    twin.end(Some(&record), &mut Record::default()).await;
    [first.shown().await, twin.shown().await]
}

/// The first differences, whole.
fn differences([first, twin]: &[BTreeMap<String, String>; 2]) -> String {
    let keys = first.keys().chain(twin.keys()).collect::<std::collections::BTreeSet<_>>();
    let differ = keys.into_iter().filter(|key| first.get(*key) != twin.get(*key)).take(3);
    let nothing = String::from("(nothing)");
    let text = |world: &BTreeMap<String, String>, key: &String| world.get(key).unwrap_or(&nothing).clone();
    let told = differ.map(|key| {
        format!("== {key}\n-- taken back\n{}\n-- never there\n{}", text(first, key), text(twin, key))
    });
    told.collect::<Vec<_>>().join("\n")
}

fn pairs() -> u32 {
    std::env::var("MYAO_WORKSPACES").ok().and_then(|many| many.parse().ok()).unwrap_or(PAIRS)
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 100, ..ProptestConfig::with_cases(pairs()) })]

    #[test]
    fn what_was_taken_back_leaves_no_trace(
        happenings in prop::collection::vec((any::<u8>(), any::<usize>(), 0_i64..200), 6..40),
        which in any::<usize>(),
        is_forgotten in any::<bool>(),
    ) {
        let going = if is_forgotten { Going::Forgotten } else { Going::Deleted };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let both = runtime.expect("a runtime").block_on(live(&happenings, which, going));
        prop_assert!(both[0] == both[1], "{going:?}\n{}", differences(&both));
    }
}
