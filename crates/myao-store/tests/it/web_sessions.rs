//! Who is signed in to the pages, and for how long.

use myao_store::{PageSession, WebRole};

use crate::support::{World, at, on_both};

const DAY: i64 = 24 * 3600;

fn session(name: &str, role: WebRole) -> PageSession {
    PageSession { name: name.to_owned(), role }
}

on_both! {
    a_session_lasts_while_it_is_used => async |world: &World| {
        let store = &world.store;
        let noor = session("Noor", WebRole::Owner);
        let ada = session("Ada", WebRole::Reader);
        store.local().begin_web_session("a", &noor, at(0)).await.expect("begun");
        store.local().begin_web_session("b", &ada, at(1)).await.expect("begun");
        assert_eq!(store.local().web_session("a", at(2)).await.expect("read"), Some(noor.clone()));
        assert_eq!(store.local().web_session("b", at(2)).await.expect("read"), Some(ada));
        assert_eq!(store.local().web_session("c", at(2)).await.expect("read"), None);
        // Noor comes back every ten days, Ada never does.
        for day in [10, 20, 30, 80] {
            let seen = store.local().web_session("a", at(day * DAY)).await.expect("read");
            assert_eq!(seen.is_some(), day != 80, "day {day}");
        }
        assert_eq!(store.local().web_session("b", at(20 * DAY)).await.expect("read"), None);
    };
    nothing_keeps_a_session_for_ever => async |world: &World| {
        let store = &world.store;
        store.local().begin_web_session("a", &session("Noor", WebRole::Owner), at(0)).await.expect("begun");
        for day in (0..=100).step_by(5) {
            let seen = store.local().web_session("a", at(day * DAY)).await.expect("read");
            assert_eq!(seen.is_some(), day <= 90, "day {day}");
        }
    };
    a_session_ends_when_somebody_signs_out => async |world: &World| {
        let store = &world.store;
        let noor = session("Noor", WebRole::Owner);
        store.local().begin_web_session("a", &noor, at(0)).await.expect("begun");
        store.local().begin_web_session("b", &noor, at(0)).await.expect("begun");
        store.local().end_web_session("a").await.expect("ended");
        assert_eq!(store.local().web_session("a", at(1)).await.expect("read"), None);
        assert_eq!(store.local().web_session("b", at(1)).await.expect("read"), Some(noor));
    };
}
