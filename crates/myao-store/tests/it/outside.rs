//! Channels that we are not in: about which the platform is asked again, and which are in doubt because it was not.

use myao_core::chat::ChannelKind;
use myao_store::{FirstSight, Store};

use crate::support::{World, at, channel, general, on_both, ts};

const HOUR: i64 = 3_600;

async fn seen(store: &Store) -> usize {
    let from = store.hearing().seen_from(&myao_core::chat::ChannelId::new("C2")).await.expect("read");
    store.hearing().seen_among(&from, [general()].into()).await.expect("read").len()
}

async fn to_ask(store: &Store, second: i64) -> Vec<String> {
    let channels = store.hearing().outside_to_ask(10, at(second)).await.expect("read");
    channels.into_iter().map(|channel| channel.to_string()).collect()
}

on_both! {
    what_nobody_asked_about_for_a_day_is_in_doubt => async |world: &World| {
        let store = &world.store;
        store.intake().apply(vec![channel("C1", ChannelKind::Public), channel("C2", ChannelKind::Public),
            channel("C3", ChannelKind::Private)], at(0)).await.expect("applied");
        store.hearing().join_channel(&myao_core::chat::ChannelId::new("C2"), FirstSight::since(ts(0))).await.expect("joined");
        assert_eq!(to_ask(store, 1).await, ["C1"], "we are in one, and nobody shows us a private one");
        store.hearing().doubt_unseen_channels(at(1)).await.expect("noted");
        assert_eq!(seen(store).await, 0, "an imported one is not known until it was asked about");
        store.hearing().note_known(&[general()], at(2)).await.expect("noted");
        assert_eq!(seen(store).await, 1);
        assert!(to_ask(store, 5 * HOUR).await.is_empty());
        assert_eq!(to_ask(store, 7 * HOUR).await, ["C1"]);
        store.hearing().doubt_unseen_channels(at(23 * HOUR)).await.expect("noted");
        assert_eq!(seen(store).await, 1);
        store.hearing().doubt_unseen_channels(at(25 * HOUR)).await.expect("noted");
        assert_eq!(seen(store).await, 0);
        assert_eq!(to_ask(store, 25 * HOUR).await, ["C1"]);
        store.hearing().note_known(&[general()], at(25 * HOUR + 1)).await.expect("noted");
        assert_eq!(seen(store).await, 1);
        // What Slack did not show is asked about once a day.
        store.intake().apply(vec![channel("C1", ChannelKind::Unknown)], at(0)).await.expect("applied");
        assert!(to_ask(store, 32 * HOUR).await.is_empty());
        assert_eq!(to_ask(store, 50 * HOUR).await, ["C1"]);
    };
}
