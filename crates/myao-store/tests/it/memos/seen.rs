//! What a place sees of memos.

use jiff::tz::TimeZone;
use myao_core::{
    chat::{ChannelId, ChannelKind, Place, Visibility},
    context::MemoChange,
};
use myao_store::{GatherRequest, MemoAudience, MemoMaker, MemoQuery, Store};
use proptest::{prelude::*, test_runner::TestRunner};

use super::{all, contents, draft, everybodys, furnish, owner, visibility, with_priority};
use crate::support::{World, at, channel, on_both};

/// One memo in each channel, and the owner's own; each says where it is.
async fn one_each(store: &Store) {
    furnish(store).await;
    for id in ["C1", "C2", "G1", "D1", "CX"] {
        let memo = draft(&format!("memo of {id}"), id);
        store.memos().add(&owner(Some(id)), &memo, at(1)).await.expect("added");
    }
    store.memos().add(&owner(None), &draft("memo of mine", "mine"), at(1)).await.expect("added");
}

async fn seen(store: &Store, id: &str) -> Vec<String> {
    let visibility = visibility(store, id).await;
    let listed: Vec<String> =
        contents(&all(store, &visibility).await).into_iter().map(str::to_owned).collect();
    // A prompt and a question by name see the same.
    let mut in_prompt = in_prompt(store, id).await;
    in_prompt.sort();
    let mut sorted = listed.clone();
    sorted.sort();
    assert_eq!(in_prompt, sorted);
    for other in ["C1", "C2", "G1", "D1", "CX", "mine"] {
        let found = store.memos().find_by_name(&visibility, &format!("memo of {other}")).await.expect("read");
        assert_eq!(found.len(), usize::from(listed.iter().any(|one| one == other)), "{id} {other}");
    }
    listed
}

/// The contents of the memos that a prompt in the channel holds.
pub(super) async fn in_prompt(store: &Store, id: &str) -> Vec<String> {
    let request = GatherRequest {
        place: Place { channel: ChannelId::new(id), thread: None },
        versions: 5,
        messages: 20,
        most_remembered: usize::MAX,
        most_messages: 100,
        most_channels: 1000,
        most_tokens: 1_000_000,
        recent_seconds: i64::MAX,
        beside: None,
        most_recalled: 0,
        most_lines: 50,
        most_person_lines: 10,
        as_if_said: None,
        meaning: None,
        left_out: std::collections::BTreeSet::new(),
        only_own: false,
        in_view: std::collections::BTreeSet::new(),
        as_of: None,
        record: None,
        zone: TimeZone::UTC,
        threads_seconds: 60,
        now: at(86_400),
    };
    let gathered = store.gather().for_prompt(&request).await.expect("read").expect("a known channel");
    gathered.memos.into_iter().map(|memo| memo.memo.content).collect()
}

on_both! {
    a_place_sees_its_own_and_open_channels => async |world: &World| {
        let store = &world.store;
        one_each(store).await;
        assert_eq!(seen(store, "C1").await, ["C1", "C2"]);
        assert_eq!(seen(store, "G1").await, ["C1", "C2", "G1"]);
        assert_eq!(seen(store, "D1").await, ["C1", "C2", "D1"]);
        assert_eq!(seen(store, "CX").await, ["CX"], "outsiders see what is theirs alone");
        let everything = all(store, &Visibility::Owner).await;
        assert_eq!(contents(&everything), ["C1", "C2", "CX", "D1", "G1", "mine"]);
        assert_eq!(everything[5].channel(), None);
        assert!(everything.iter().all(|memo| memo.maker == MemoMaker::Person("alice".to_owned())));
        assert_eq!(contents(&all(store, &Visibility::Open).await), ["C1", "C2"]);
    };

    /// The kind it has now decides.
    a_channel_that_turns_private_takes_its_memos_along => async |world: &World| {
        let store = &world.store;
        one_each(store).await;
        store.intake().apply(vec![channel("C2", ChannelKind::Private)], at(2)).await.expect("applied");
        assert_eq!(seen(store, "C1").await, ["C1"]);
        assert_eq!(seen(store, "C2").await, ["C1", "C2"]);
        store.intake().apply(vec![channel("G1", ChannelKind::Public)], at(3)).await.expect("applied");
        assert_eq!(seen(store, "C1").await, ["C1", "G1"]);
    };

    of_one_name_a_place_sees_its_own_or_the_oldest => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        for (second, id) in [(3, "C1"), (2, "C2"), (1, "G1")] {
            store.memos().add(&owner(Some(id)), &draft("猫", id), at(second)).await.expect("added");
        }
        assert_eq!(in_prompt(store, "G1").await, ["G1"]);
        assert_eq!(in_prompt(store, "C1").await, ["C1"]);
        assert_eq!(in_prompt(store, "D1").await, ["C2"]);
        for (id, expected) in [("G1", "G1"), ("C2", "C2"), ("D1", "C2")] {
            let found = store.memos().find_by_name(&visibility(store, id).await, "猫").await.expect("read");
            assert_eq!(contents(&found), [expected]);
        }
        let all_three = store.memos().find_by_name(&Visibility::Owner, "猫").await.expect("read");
        assert_eq!(contents(&all_three), ["G1", "C2", "C1"]);
    };

    listed_by_importance_and_time_some_at_a_time => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        let hand = owner(Some("C1"));
        for n in 0..7_i64 {
            let change = with_priority(1 + n % 3).tags(&[format!("三で{}", n % 3), "猫".into()]).expect("short");
            let memo = draft(&format!("memo {n}"), &n.to_string()).with(&change);
            store.memos().add(&hand, &memo, at(n)).await.expect("added");
        }
        let own = visibility(store, "C1").await;
        let page = async |tag: Option<&str>, offset, limit| {
            let query = MemoQuery { tag: tag.map(str::to_owned), offset, limit };
            let page = store.memos().page(&own, &query).await.expect("read");
            (contents(&page.memos).join(" "), page.total)
        };
        assert_eq!(page(None, 0, 50).await, ("5 2 4 1 6 3 0".into(), 7));
        assert_eq!(page(None, 2, 3).await, ("4 1 6".into(), 7));
        assert_eq!(page(None, 9, 3).await, (String::new(), 7));
        assert_eq!(page(Some("三で0"), 0, 50).await, ("6 3 0".into(), 3));
        assert_eq!(page(Some("三で"), 0, 50).await, (String::new(), 0));
        assert_eq!(page(Some("\""), 0, 50).await, (String::new(), 0));
        assert_eq!(page(None, 0, u64::MAX).await.1, 7);
        let tags = store.memos().tags_with_counts(&own).await.expect("read");
        assert_eq!(tags, [("猫".into(), 7), ("三で0".into(), 3), ("三で1".into(), 2), ("三で2".into(), 2)]);
        assert!(store.memos().tags_with_counts(&visibility(store, "CX").await).await.expect("read").is_empty());
    };

    /// At most 20 important ones, and of the others the last five.
    a_prompt_holds_the_important_and_the_last => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        let hand = owner(Some("C1"));
        for n in 0..30_i64 {
            // 22 of priority 4 and 5, the lower ones later.
            let priority = if n < 10 { 5 } else if n < 22 { 4 } else { 1 };
            let memo = draft(&format!("{n}"), &n.to_string()).with(&with_priority(priority));
            store.memos().add(&hand, &memo, at(n)).await.expect("added");
        }
        let shown = in_prompt(store, "C1").await;
        let numbers: Vec<i64> = shown.iter().map(|content| content.parse().expect("a number")).collect();
        let expected: Vec<i64> =
            (0..10).rev().chain((12..22).rev()).chain((25..30).rev()).collect();
        assert_eq!(numbers, expected);
        // One that is changed is among the last, whatever its priority.
        store.memos().edit(&hand, "10", &MemoChange::default().content("10!").expect("short"), at(99)).await.expect("edited");
        let shown = in_prompt(store, "C1").await;
        assert!(shown.contains(&"10!".to_owned()) && !shown.contains(&"12".to_owned()), "{shown:?}");
    };
}

async fn sees_what_it_may(kinds: &[(ChannelKind, bool)], memos: &[(Option<usize>, u8, i64)]) {
    let world = crate::support::sqlite().await;
    let store = &world.store;
    let channels: Vec<myao_core::chat::Channel> = kinds
        .iter()
        .enumerate()
        .map(|(n, (kind, external))| myao_core::chat::Channel {
            id: ChannelId::new(format!("C{n}")),
            name: format!("c{n}"),
            kind: *kind,
            external: *external,
        })
        .collect();
    let events = channels.iter().cloned().map(myao_core::chat::Event::Channel).collect();
    store.intake().apply(events, at(0)).await.expect("applied");
    for (second, (place, name, priority)) in (0..).zip(memos) {
        let id = place.map(|n| format!("C{}", n % channels.len()));
        let memo = draft(&format!("n{name}"), &format!("of {id:?}")).with(&with_priority(*priority));
        let hand = match &id {
            None if priority % 2 == 0 => everybodys(),
            id => owner(id.as_deref()),
        };
        // A name that is in use in the channel is refused; that is another test's.
        drop(store.memos().add(&hand, &memo, at(second)).await);
    }
    let everything = all(store, &Visibility::Owner).await;
    for place in &channels {
        let visibility = Visibility::of(place);
        let may = |audience: &MemoAudience| match audience {
            MemoAudience::Channel(id) => {
                channels.iter().any(|channel| channel.id == *id && visibility.sees(channel))
            }
            MemoAudience::Everybody => visibility.sees_open_channels(),
            MemoAudience::Owner | MemoAudience::Undecided => false,
        };
        let seen = all(store, &visibility).await;
        assert!(seen.iter().all(|memo| may(&memo.audience)), "{place:?} {seen:?}");
        let mut names: Vec<&str> = seen.iter().map(|memo| memo.memo.name.as_str()).collect();
        names.sort_unstable();
        let mut visible: Vec<&str> = everything
            .iter()
            .filter(|memo| may(&memo.audience))
            .map(|memo| memo.memo.name.as_str())
            .collect();
        visible.sort_unstable();
        visible.dedup();
        assert_eq!(names, visible, "one of each name that it may see");
        for memo in in_prompt(store, place.id.as_str()).await {
            assert!(seen.iter().any(|one| one.memo.content == memo), "{place:?} {memo}");
        }
    }
}

/// Left out by `scripts/test fast`.
mod slow_tests {
    use super::*;

    /// Some channels of any kind, memos in them with few names, and a place: what it sees is what it may see.
    #[test]
    fn what_a_place_sees_is_never_more_than_it_may() {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        let kinds = prop::sample::select(vec![
            (ChannelKind::Public, false),
            (ChannelKind::Public, true),
            (ChannelKind::Private, false),
            (ChannelKind::Private, true),
            (ChannelKind::Dm, false),
            (ChannelKind::GroupDm, false),
            (ChannelKind::Unknown, false),
        ]);
        let channels = prop::collection::vec(kinds, 1..6);
        let memos =
            prop::collection::vec((prop::option::weighted(0.9, 0..6_usize), 0..4_u8, 1..6_i64), 0..30);
        let cases = ProptestConfig { cases: 40, ..ProptestConfig::default() };
        TestRunner::new(cases)
            .run(&(channels, memos), |(channels, memos)| {
                runtime.block_on(sees_what_it_may(&channels, &memos));
                Ok(())
            })
            .expect("it holds");
    }
}
