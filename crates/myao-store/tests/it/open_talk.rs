//! The talk in which it is looked for what is open (ADR 138): bounded, and nothing of what is gone or hidden.

use myao_core::chat::{ChannelId, ChannelKind, Event, Message, MessageTs, UserId, Visibility};
use myao_store::{NewestTalkQuery, OptOuts, Store};

use crate::support::{World, at, channel, general, message, on_both, ts, user};

const ALL: NewestTalkQuery = NewestTalkQuery {
    channel: None,
    after: MessageTs::MIN,
    until: MessageTs::MAX,
    most_channels: 99,
    most_messages: 99,
    most_in_all: 99,
};

async fn words(store: &Store, query: &NewestTalkQuery) -> Vec<String> {
    let talk = store.gather().newest_talk(&Visibility::Owner, query).await.expect("read");
    let mut words: Vec<String> = talk.into_iter().map(|message| message.text).collect();
    words.sort();
    words
}

fn said_by(who: &str, channel: &str, second: i64, text: &str) -> Event {
    Event::Message(Message { user: UserId::new(who), ..message(channel, second, text) })
}

on_both! {
    what_is_deleted_edited_or_hidden_is_not_read => async |world: &World| {
        let store = &world.store;
        let places = ["C1", "C2"].map(|id| channel(id, ChannelKind::Public));
        store.intake().apply(places.to_vec(), at(0)).await.expect("applied");
        store.intake().apply(vec![user("U1", "Ann"), user("U2", "Zoe")], at(0)).await.expect("applied");
        store.intake().apply(vec![
            said_by("U1", "C1", 1, "I'll send it by Friday."),
            said_by("U1", "C1", 2, "I'll book it tomorrow."),
            said_by("U2", "C1", 3, "I'll order it tomorrow."),
            said_by("U1", "C2", 4, "I'll file it tomorrow."),
        ], at(5)).await.expect("applied");
        let all = ["I'll book it tomorrow.", "I'll file it tomorrow.", "I'll order it tomorrow.", "I'll send it by Friday."];
        assert_eq!(words(store, &ALL).await, all);

        let edited = Message { edited_at: Some(ts(6)), ..message("C1", 2, "I cannot book it.") };
        let gone = Event::Deleted { channel: general(), ts: ts(1) };
        store.intake().apply(vec![gone, Event::Message(edited)], at(7)).await.expect("applied");
        assert_eq!(words(store, &ALL).await, ["I cannot book it.", "I'll file it tomorrow.", "I'll order it tomorrow."]);

        let heeding = store.clone().heeding(OptOuts::new(&["U2".to_owned()], &["C2".to_owned()]));
        heeding.intake().note_opted_out(at(8)).await.expect("noted");
        assert_eq!(words(&heeding, &ALL).await, ["I cannot book it."], "who opted out is shown nowhere");
    };
    it_is_bounded => async |world: &World| {
        let store = &world.store;
        let places = ["C1", "C2", "C3"].map(|id| channel(id, ChannelKind::Public));
        store.intake().apply(places.to_vec(), at(0)).await.expect("applied");
        let said = (1..10).map(|second| {
            let id = ["C1", "C2", "C3"][usize::try_from(second % 3).expect("small")];
            Event::Message(message(id, second, &format!("word {second}")))
        });
        store.intake().apply(said.collect(), at(20)).await.expect("applied");
        let some = |query: NewestTalkQuery| async move { words(store, &query).await };
        assert_eq!(some(NewestTalkQuery { most_messages: 1, ..ALL }).await, ["word 7", "word 8", "word 9"]);
        assert_eq!(some(NewestTalkQuery { most_channels: 1, most_messages: 2, ..ALL }).await, ["word 6", "word 9"]);
        assert_eq!(some(NewestTalkQuery { after: ts(7), ..ALL }).await, ["word 8", "word 9"]);
        assert_eq!(some(NewestTalkQuery { until: ts(2), ..ALL }).await, ["word 1", "word 2"]);
        assert_eq!(some(NewestTalkQuery { most_in_all: 1, ..ALL }).await, ["word 3", "word 6", "word 9"]);
        let only = NewestTalkQuery { channel: Some(ChannelId::new("C2")), most_channels: 1, ..ALL };
        assert_eq!(some(only).await, ["word 1", "word 4", "word 7"], "a channel that is asked for is read");
    };
}
