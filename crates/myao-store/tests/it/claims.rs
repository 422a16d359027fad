//! Leases with fencing tokens (design §6).

use myao_store::{Store, StoreError, Target};

use crate::{
    planted::plant,
    support::{World, at, claim, on_both, short, sqlite, step},
};

on_both! {
    a_subject_is_worked_on_by_one => async |world: &World| {
        let first = claim(&world.store, "channel:C1").await;
        assert!(world.store.claim("channel:C1", at(1), at(61)).await.expect("asked").is_none());
        assert!(world.store.claim("channel:C2", at(1), at(61)).await.expect("asked").is_some());
        world.store.release(&first).await.expect("released");
        assert!(world.store.claim("channel:C1", at(2), at(62)).await.expect("asked").is_some());
    };

    an_expired_claim_is_taken_over_and_its_owner_writes_nothing => async |world: &World| {
        let lost = claim(&world.store, "channel:C1").await;
        let other = Store::open(&world.target).await.expect("a second process");
        assert!(other.claim("channel:C1", at(59), at(99)).await.expect("asked").is_none());
        assert!(other.claim("channel:C1", at(60), at(99)).await.expect("asked").is_some());
        let refused = world.store.memory().save_steps(&lost, vec![step(short("late"), 1, None)], at(61)).await;
        assert!(matches!(refused, Err(StoreError::ClaimLost(_))), "{refused:?}");
        assert!(!world.store.renew(&lost, at(200)).await.expect("asked"));
    };

    /// (What a killed process held is free at once as well: the kill test of the program shows it.)
    a_process_that_ends_gives_its_claims_back => async |world: &World| {
        let ending = Store::open(&world.target).await.expect("a second process");
        claim(&ending, "channel:C1").await;
        ending.close().await;
        assert!(world.store.claim("channel:C1", at(1), at(61)).await.expect("asked").is_some());
    };

    a_renewed_claim_holds => async |world: &World| {
        let held = claim(&world.store, "channel:C1").await;
        assert!(world.store.renew(&held, at(500)).await.expect("renewed"));
        let other = Store::open(&world.target).await.expect("a second process");
        assert!(other.claim("channel:C1", at(100), at(160)).await.expect("asked").is_none());
    };
}

/// The mark of a process that was killed is there, and nobody holds it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_killed_process_held_is_free_at_once() {
    let world = sqlite().await;
    plant(&world, "INSERT INTO claims (subject, owner, token, until) VALUES ('channel:C1', 'gone', 3, 9000000000000000)")
        .await;
    assert!(world.store.claim("channel:C1", at(0), at(60)).await.expect("asked").is_none());
    let Target::Sqlite(path) = &world.target else { panic!("another database") };
    std::fs::write(format!("{}-owner-gone", path.display()), "").expect("a mark");
    let next = Store::open(&world.target).await.expect("the next process");
    assert!(next.claim("channel:C1", at(0), at(60)).await.expect("asked").is_some());
}
