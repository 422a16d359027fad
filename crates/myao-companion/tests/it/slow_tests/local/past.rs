//! What was said elsewhere is lived through: it comes in its time, and is remembered as it comes.

use jiff::{SignedDuration, Timestamp};
use myao_companion::live::local::LocalPast;
use myao_core::{
    chat::{Channel, ChannelId, ChannelKind, Event, Message, MessageKind, MessageTs, UserId, instant_after},
    ports::Clock as _,
};

use super::{Town, aki, general, ken};

fn said(channel: &str, at: Timestamp, who: UserId, text: &str) -> Event {
    Event::Message(Message {
        channel: ChannelId::new(channel),
        ts: MessageTs::from_timestamp(at),
        thread_ts: None,
        user: who,
        kind: MessageKind::Talk,
        text: text.to_owned(),
        files: Vec::new(),
        edited_at: None,
        deleted: false,
    })
}

fn hours(hours: i64) -> SignedDuration {
    SignedDuration::from_hours(hours)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_comes_as_time_passes_and_is_remembered() {
    let town = Town::awake().await;
    let start = town.clock.now();
    let events = vec![
        said(
            "CGENERAL",
            instant_after(start, hours(50)),
            ken(),
            "Change of plan: the bat count is on Saturday 28 March.",
        ),
        said(
            "CGENERAL",
            instant_after(start, hours(1)),
            aki(),
            "Decided: the bat count is on Friday 27 March.",
        ),
        Event::HeardUntil {
            channel: general(),
            until: MessageTs::from_timestamp(instant_after(start, hours(900))),
        },
    ];
    let past = LocalPast::new(events, None);
    assert_eq!((past.progress(), past.busiest()), ((0, 2), Some(general())));
    town.workspace.live_through(past).await.expect("begun");
    assert!(town.lines(&ken(), &general()).await.is_empty(), "nothing was said yet");
    town.workspace.pass(hours(2)).await.expect("passed");
    let next = MessageTs::from_timestamp(instant_after(start, hours(50))).to_timestamp();
    assert_eq!(town.lines(&ken(), &general()).await.len(), 1);
    assert_eq!(town.workspace.past().await, Some((1, 2, Some(next))));
    town.workspace.pass(hours(40)).await.expect("passed");
    let memory = town.long_term(&general()).await;
    assert!(
        memory.contains("27 March") && !memory.contains("28 March"),
        "what is to come is not known: {memory}"
    );
    town.workspace.pass(hours(80)).await.expect("passed");
    assert!(town.long_term(&general()).await.contains("28 March"));
    assert_eq!(town.workspace.past().await, Some((2, 2, None)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_database_did_not_take_comes_later() {
    let town = Town::awake().await;
    let start = town.clock.now();
    let events = vec![
        said("CGENERAL", instant_after(start, -hours(2)), aki(), "The boat leaves at nine."),
        said("CGENERAL", instant_after(start, -hours(1)), ken(), "I bring the rope."),
    ];
    town.in_database(
        "CREATE TRIGGER refuses BEFORE INSERT ON messages BEGIN SELECT RAISE(ABORT, 'refused by the test'); END",
    )
    .await;
    assert!(town.workspace.live_through(LocalPast::new(events, None)).await.is_err());
    assert_eq!(town.workspace.past().await.map(|(come, all, _)| (come, all)), Some((0, 2)));
    town.in_database("DROP TRIGGER refuses").await;
    town.workspace.pass(hours(1)).await.expect("passed");
    assert_eq!(town.lines(&ken(), &general()).await.len(), 2, "nothing of it was lost");
    assert_eq!(town.workspace.past().await, Some((2, 2, None)));
}

#[tokio::test]
async fn who_speaks_in_a_closed_channel_is_in_it_and_what_came_comes_no_more() {
    let town = Town::asleep().await;
    let start = town.clock.now();
    let hiring = Channel {
        id: ChannelId::new("GHIRING"),
        name: "hiring".to_owned(),
        kind: ChannelKind::Private,
        external: false,
    };
    town.store.intake().apply(vec![Event::Channel(hiring.clone())], start).await.expect("applied");
    let events = vec![
        said("GHIRING", instant_after(start, -hours(5)), aki(), "Who shall it be?"),
        said("GHIRING", instant_after(start, hours(5)), aki(), "Nobody yet."),
    ];
    let past = LocalPast::new(events, Some(instant_after(start, -hours(1))));
    assert_eq!(past.progress(), (1, 2), "of a demo that goes on, the first part is there already");
    town.workspace.live_through(past).await.expect("begun");
    assert!(town.workspace.sees(&aki(), &hiring.id).await.expect("read"));
    assert!(!town.workspace.sees(&ken(), &hiring.id).await.expect("read"));
}
