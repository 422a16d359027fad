//! Memories as seed 01 wants them: save, versions, history.

use std::collections::BTreeSet;

use myao_core::context::Visibility;
use myao_core::memory::{MemoryScope, MemoryType, ScopeId};

use crate::support::{World, at, by_hand, draft, long, on_both, short};

fn c1() -> ScopeId {
    ScopeId::new("C1")
}

on_both! {
    save_overwrites_and_keeps_created_at => async |world: &World| {
        let first = world.store.save(long("old"), by_hand(), at(1)).await.expect("saved");
        let second = world.store.save(long("new"), by_hand(), at(9)).await.expect("saved");
        assert_eq!((first.version(), second.version()), (1, 1));
        assert_eq!((second.created_at(), second.updated_at()), (at(1), at(9)));
        let all = world.store.find_all_by_scope(&Visibility::Owner, MemoryScope::Channel, &c1()).await.expect("read");
        assert_eq!(all, [second]);
    };

    versions_count_up_and_history_is_newest_first => async |world: &World| {
        let id = c1();
        let latest = || world.store.latest_version(MemoryScope::Channel, &id, MemoryType::ShortTerm);
        assert_eq!(latest().await.expect("read"), 0);
        for n in 1..=7 {
            let saved = world.store.save_as_new_version(short(&format!("v{n}")), by_hand(), at(n)).await.expect("saved");
            assert_eq!(i64::from(saved.version()), n);
        }
        assert_eq!(latest().await.expect("read"), 7);
        let history = world.store.find_history(&Visibility::Owner, MemoryScope::Channel, &c1(), MemoryType::ShortTerm, 5).await.expect("read");
        assert_eq!(history.iter().map(myao_core::memory::Memory::content).collect::<Vec<_>>(), ["v7", "v6", "v5", "v4", "v3"]);
        let newest = world.store.find_latest(&Visibility::Owner, MemoryScope::Channel, &c1(), MemoryType::ShortTerm).await.expect("read");
        assert_eq!(newest.map(|m| m.version()), Some(7));
    };

    /// Two writers never collide or skip: 1..n without holes.
    versions_have_no_holes_under_concurrent_writers => async |world: &World| {
        let other = myao_store::Store::open(&world.target).await.expect("a second process");
        let mut writers = tokio::task::JoinSet::new();
        for n in 0..24 {
            let store = if n % 2 == 0 { world.store.clone() } else { other.clone() };
            writers.spawn(async move {
                store.save_as_new_version(short("x"), by_hand(), at(n)).await.expect("saved").version()
            });
        }
        let versions: BTreeSet<u32> = writers.join_all().await.into_iter().collect();
        assert_eq!(versions, (1..=24).collect());
    };

    other_memories_are_always_version_one => async |world: &World| {
        for (scope, id, memory_type) in [
            (MemoryScope::Workspace, "default", MemoryType::LongTerm),
            (MemoryScope::Channel, "C1", MemoryType::LongTerm),
            (MemoryScope::Thread, "C1:1.000000", MemoryType::ShortTerm),
        ] {
            let memory = || draft(scope, id, memory_type, "text");
            world.store.save_as_new_version(memory(), by_hand(), at(1)).await.expect("saved");
            let again = world.store.save_as_new_version(memory(), by_hand(), at(2)).await.expect("saved");
            assert_eq!(again.version(), 1, "{scope} {memory_type}");
        }
    };

    scopes_do_not_mix => async |world: &World| {
        world.store.save_as_new_version(short("one"), by_hand(), at(1)).await.expect("saved");
        let other = draft(MemoryScope::Channel, "C2", MemoryType::ShortTerm, "two");
        assert_eq!(world.store.save_as_new_version(other, by_hand(), at(2)).await.expect("saved").version(), 1);
        let all = world.store.find_all_by_scope(&Visibility::Owner, MemoryScope::Channel, &c1()).await.expect("read");
        assert_eq!(all.iter().map(myao_core::memory::Memory::content).collect::<Vec<_>>(), ["one"]);
    };

    find_all_is_ordered_by_type_and_version => async |world: &World| {
        world.store.save_as_new_version(short("v1"), by_hand(), at(1)).await.expect("saved");
        world.store.save_as_new_version(short("v2"), by_hand(), at(2)).await.expect("saved");
        world.store.save(long("long"), by_hand(), at(3)).await.expect("saved");
        let all = world.store.find_all_by_scope(&Visibility::Owner, MemoryScope::Channel, &c1()).await.expect("read");
        assert_eq!(all.iter().map(myao_core::memory::Memory::content).collect::<Vec<_>>(), ["long", "v1", "v2"]);
    };

    delete_drops_all_versions => async |world: &World| {
        world.store.save_as_new_version(short("v1"), by_hand(), at(1)).await.expect("saved");
        world.store.save_as_new_version(short("v2"), by_hand(), at(2)).await.expect("saved");
        let id = c1();
        let delete = || world.store.delete(MemoryScope::Channel, &id, MemoryType::ShortTerm);
        assert!(delete().await.expect("deleted"));
        assert!(!delete().await.expect("nothing left"));
        assert_eq!(world.store.latest_version(MemoryScope::Channel, &c1(), MemoryType::ShortTerm).await.expect("read"), 0);
    };
}
