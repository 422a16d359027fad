//! What tells nothing is found by nobody: what we said, what we were asked, and the question itself (ADR 101).

use jiff::tz::TimeZone;
use myao_core::{
    chat::{Message, Own, UserId, Visibility},
    recall::RecallFilter,
};
use myao_store::{RecallRequest, Store};

use super::{asked, request, tell};
use crate::support::{World, message, on_both};

const MYAO: &str = "UMYAO";

fn said(second: i64, user: &str, text: &str) -> Message {
    Message { user: UserId::new(user), ..message("C1", second, text) }
}

/// A question of a person.
fn question(words: &str) -> RecallRequest {
    RecallRequest { named_in: Some(TimeZone::UTC), ..request(words) }
}

async fn found(store: &Store, request: &RecallRequest) -> Vec<String> {
    asked(store, &Visibility::Owner, request).await
}

on_both! {
    whoever_asks_again_finds_no_asking => async |world: &World| {
        let store = &world.store;
        store.recall().note_own(&Own { user: UserId::new(MYAO), bot: Some(UserId::new("BMYAO")) }).await.expect("noted");
        let count = "the bat count is on 27 March";
        tell(store, vec![
            said(1, "U1", count),
            said(2, "U2", "<@UMYAO> when is the bat count?"),
            said(3, MYAO, "Quoted, no model — U1: “the bat count is on 27 March”"),
            said(4, "U2", "<@UMYAO> so the bat count moves, what now?"),
            said(5, "BMYAO", "the bat count is on 27 March"),
            said(6, "U3", "when is the bat count"),
            said(7, "U3", "<@UMYAO> remember that the bat count needs torches"),
        ])
        .await;
        let asked = found(store, &question("when is the bat count?")).await;
        assert_eq!(asked, [count, "<@UMYAO> remember that the bat count needs torches"]);
        // Other questions of people are found: they may be answered.
        let other = found(store, &question("bat count")).await;
        assert!(other.iter().any(|text| text == "when is the bat count"), "{other:?}");
        assert!(!other.iter().any(|text| text.contains("what now") || text.contains("no model")), "{other:?}");
        // Who searches for our words finds them.
        let filter = RecallFilter { users: vec![UserId::new(MYAO)], ..RecallFilter::default() };
        let ours = found(store, &RecallRequest { filter, ..question("bat count") }).await;
        assert_eq!(ours.len(), 1, "{ours:?}");
    };

    asking_a_hundred_times_leaves_the_answer_first => async |world: &World| {
        let store = &world.store;
        store.recall().note_own(&Own { user: UserId::new(MYAO), bot: None }).await.expect("noted");
        let mut messages = vec![said(1, "U1", "the bat count is on 27 March")];
        messages.extend((0..50).flat_map(|n| {
            let asked = said(10 + 2 * n, "U2", "<@UMYAO> when is the bat count?");
            [asked, said(11 + 2 * n, MYAO, "the bat count, the bat count: on 27 March")]
        }));
        tell(store, messages).await;
        let request = RecallRequest { most: 3, ..question("when is the bat count?") };
        assert_eq!(found(store, &request).await, ["the bat count is on 27 March"]);
    };
}
