//! What is said in a closed place is shown nowhere else.

use jiff::SignedDuration;
use myao_companion::live::local::{LocalError, NewChannel};
use myao_core::{
    chat::{ChannelKind, Event, MessageTs, Place, User, UserId},
    ports::Clock as _,
};

use super::{Town, aki, general, in_general, ken};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn words_of_a_private_channel_are_in_no_other_places_prompt() {
    let town = Town::awake().await;
    let new = NewChannel { name: "hiring".to_owned(), is_private: true };
    let hiring = town.workspace.create_channel(&aki(), &new).await.expect("created");
    let there = Place { channel: hiring.clone(), thread: None };
    town.say(&aki(), &there, "Marguerite Holloway starts on 4 May, at forty thousand.").await;
    let direct = town.workspace.open_direct(&aki(), &[]).await.expect("opened");
    town.say(&aki(), &Place { channel: direct.clone(), thread: None }, "Please never mention Zanzibar.")
        .await;
    town.answered(&aki(), &direct, 1).await;
    // A day later it is all remembered, in its own place.
    town.workspace.pass(SignedDuration::from_hours(26)).await.expect("passed");
    let asked_so_far = town.model.shown().len();
    town.say(&ken(), &in_general(), "@myao who starts on 4 May? Marguerite Holloway? And what of Zanzibar?")
        .await;
    town.answered(&ken(), &general(), 1).await;
    let shown = town.model.shown();
    let since = shown.get(asked_so_far - 1..).expect("more was asked");
    assert!(since.contains("who starts on 4 May"), "it was asked");
    assert!(!since.contains("forty thousand") && !since.contains("never mention"), "{since}");
    // In the channel itself it is known.
    town.say(&aki(), &there, "@myao when does Marguerite start?").await;
    let answers = town.answered(&aki(), &hiring, 1).await;
    assert!(answers.iter().any(|answer| answer.contains("4 May")), "{answers:?}");
}

#[tokio::test]
async fn whoever_is_not_in_a_channel_finds_no_such_channel() {
    let town = Town::asleep().await;
    let new = NewChannel { name: "hiring".to_owned(), is_private: true };
    let hiring = town.workspace.create_channel(&aki(), &new).await.expect("created");
    let there = Place { channel: hiring.clone(), thread: None };
    let ts = town.say(&aki(), &there, "Shall we ask Ken?").await;
    let refused = [
        town.workspace.post(&ken(), &there, "hello?").await.map(drop),
        town.workspace.talk(&ken(), &hiring, MessageTs::MAX, 10).await.map(drop),
        town.workspace.edit(&ken(), &hiring, ts, "hello").await,
        town.workspace.delete(&ken(), &hiring, ts).await,
        town.workspace.react(&ken(), &hiring, ts, "🦇", true).await,
        town.workspace.invite(&ken(), &hiring, &ken()).await,
    ];
    assert!(refused.iter().all(|one| matches!(one, Err(LocalError::NotThere))), "{refused:?}");
    let names = async |who: UserId| {
        let all = town.workspace.channels_of(&who).await.expect("read");
        all.into_iter().map(|channel| channel.name).collect::<Vec<_>>()
    };
    assert_eq!(names(ken()).await, ["general"]);
    town.workspace.invite(&aki(), &hiring, &ken()).await.expect("invited");
    assert_eq!(names(ken()).await, ["general", "hiring"]);
    assert_eq!(town.lines(&ken(), &hiring).await.len(), 1);
    let group = town.workspace.open_direct(&ken(), &[aki()]).await.expect("opened");
    let channels = town.workspace.channels_of(&aki()).await.expect("read");
    let group = channels.into_iter().find(|channel| channel.id == group).expect("theirs");
    assert_eq!((group.kind, &*group.name), (ChannelKind::GroupDm, "Aki, Ken"));
    assert_eq!(town.workspace.talk(&ken(), &general(), MessageTs::MAX, 1).await.expect("read").says.len(), 0);
}

#[tokio::test]
async fn two_direct_messages_are_never_one() {
    let town = Town::asleep().await;
    let person = |id: &str| Event::User(User { id: UserId::new(id), name: id.to_lowercase(), is_bot: false });
    let people = ["UA", "UB", "UC", "UAUB", "UBUC"].map(person).to_vec();
    town.store.intake().apply(people, town.clock.now()).await.expect("applied");
    let open = async |who: &str, other: &str| {
        town.workspace.open_direct(&UserId::new(who), &[UserId::new(other)]).await.expect("opened")
    };
    let one = open("UA", "UBUC").await;
    let other = open("UAUB", "UC").await;
    assert_ne!(one, other, "though their people's ids read alike one after the other");
    assert!(!town.workspace.sees(&UserId::new("UC"), &one).await.expect("read"));
    assert_eq!(open("UBUC", "UA").await, one, "the same people, the same place");
}
