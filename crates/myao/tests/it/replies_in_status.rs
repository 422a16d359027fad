//! What `myao status` tells of replies.

use jiff::{SignedDuration, Timestamp};
use myao_core::chat::{
    Channel, ChannelId, ChannelKind, Event, Message, MessageKind, MessageTs, Place, UserId,
};
use myao_store::{Store, Target, place_subject};

use crate::{binary::Home, reply_world::attention};

fn mention(channel: &str, now: Timestamp) -> [Event; 2] {
    let id = ChannelId::new(channel);
    let message = Message {
        channel: id.clone(),
        ts: MessageTs::from_timestamp(now),
        thread_ts: None,
        user: UserId::new("U1"),
        kind: MessageKind::Talk,
        text: "<@UMYAO> ?".to_owned(),
        files: Vec::new(),
        edited_at: None,
        deleted: false,
    };
    let name = channel.to_lowercase();
    [
        Event::Channel(Channel { id, name, kind: ChannelKind::Public, external: false }),
        Event::Message(message),
    ]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn status_tells_which_replies_are_late_and_which_were_not_given() {
    let home = Home::with_config("memory: {database_path: memory.db}");
    let store = Store::open(&Target::Sqlite(home.path("memory.db"))).await.expect("a new database");
    assert!(!home.done(&["status"]).out.contains("a reply"));
    let now = Timestamp::now();
    let hour = SignedDuration::from_hours(1);
    for channel in ["C1", "C2", "C3"] {
        store.intake().apply_live(mention(channel, now).into(), &attention(), now).await.expect("applied");
    }
    for (channel, is_late) in [("C1", true), ("C2", false)] {
        let place = Place { channel: ChannelId::new(channel), thread: None };
        let claim = store.claim(&place_subject(&place), now, now + hour).await.expect("asked").expect("free");
        let reply = store.replies().find_wanted(&place, now).await.expect("read").expect("wanted").id;
        if is_late {
            store
                .replies()
                .put_off(&claim, reply, now + hour, "the platform is down", now)
                .await
                .expect("put off");
        } else {
            store.replies().fail(&claim, reply, "is_archived", now).await.expect("failed");
        }
    }
    store.memory().set_back("channel:C1", "no key", now).await.expect("noted");
    store.memory().flag_for_person("export:C2", "too little").await.expect("noted");
    store.close().await;
    let told = home.done(&["status"]).out;
    assert!(
        told.contains("a reply in #c1 is late (the platform is down); tried 1 time, again at "),
        "{told}"
    );
    assert!(told.contains("a reply in #c2 was not given (is_archived)"), "{told}");
    assert!(told.contains("failed 1 time: #c1 (no key); next try at 20"), "{told}");
    assert!(told.contains("for a person to look at: #c2 (too little)"), "{told}");
    assert!(!told.contains("a reply in #c3"), "that one only waits for its turn: {told}");
    let json = home.json(&["status"]);
    assert_eq!(json["replies"][0]["state"], "wanted");
    assert_eq!(json["replies"][1]["reason"], "is_archived");
    assert_eq!(json["replies"].as_array().map(Vec::len), Some(2));
}
