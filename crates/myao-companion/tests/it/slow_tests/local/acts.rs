//! What people do.

use myao_companion::live::local::{LocalError, MOST_POST_CHARS, NewChannel};
use myao_core::chat::{ChannelId, MessageTs, Place, UserId};

use super::{Town, aki, general, in_general, ken};

fn private(name: &str) -> NewChannel {
    NewChannel { name: name.to_owned(), is_private: true }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mention_is_answered_where_it_was_said() {
    let town = Town::awake().await;
    town.say(&aki(), &in_general(), "The bat count is on Friday 27 March, at the old mill.").await;
    town.say(&ken(), &in_general(), "@myao when is the bat count?").await;
    let answers = town.answered(&ken(), &general(), 1).await;
    assert!(answers.iter().any(|answer| answer.contains("27 March")), "{answers:?}");
    let root = town.say(&ken(), &in_general(), "I have a question").await;
    let thread = Place { channel: general(), thread: Some(root) };
    town.say(&aki(), &thread, "@myao where is the bat count?").await;
    let talk = async || town.workspace.talk(&ken(), &general(), MessageTs::MAX, 100).await.expect("read");
    town.eventually("answered in the thread", async || {
        let says = talk().await.says;
        let replies = says.into_iter().filter(|say| say.message.ts == root).flat_map(|say| say.replies);
        replies.filter(|reply| reply.message.user == *town.workspace.own()).count() == 1
    })
    .await;
    assert_eq!(town.answers(&ken(), &general()).await.len(), 2, "and nowhere else");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn in_a_direct_message_everything_is_answered() {
    let town = Town::awake().await;
    let direct = town.workspace.open_direct(&aki(), &[]).await.expect("opened");
    assert_eq!(town.workspace.open_direct(&aki(), &[aki()]).await.expect("opened"), direct, "the same one");
    town.say(&aki(), &Place { channel: direct.clone(), thread: None }, "Good morning!").await;
    town.answered(&aki(), &direct, 1).await;
    let other = town.workspace.talk(&ken(), &direct, MessageTs::MAX, 10).await;
    assert!(matches!(other, Err(LocalError::NotThere)), "it is nobody else's");
}

#[tokio::test]
async fn names_are_kept_as_who_is_meant() {
    let town = Town::asleep().await;
    let hidden = town.workspace.create_channel(&aki(), &private("secret")).await.expect("created");
    for (typed, shown) in [
        ("@Ken and @ミオさん, see #general", "@Ken and @ミオさん, see #general"),
        ("mail ken@Ken.example, @Kenneth", "mail ken@Ken.example, @Kenneth"),
        ("a < b & c > d <@UAKI> &lt;", "a < b & c > d <\u{200B}@UAKI> &lt;"),
    ] {
        town.say(&ken(), &in_general(), typed).await;
        assert_eq!(town.lines(&ken(), &general()).await.pop().expect("said").1, shown);
    }
    // Whoever may not see a channel cannot find out its name by naming it.
    let ts = town.say(&ken(), &in_general(), "what is #secret?").await;
    let everything = myao_core::chat::Visibility::Owner;
    let stands =
        town.store.archive().message(&everything, &general(), ts).await.expect("read").expect("said");
    assert_eq!(stands.text, "what is #secret?");
    let ts = town.say(&aki(), &in_general(), "what is #secret?").await;
    let stands =
        town.store.archive().message(&everything, &general(), ts).await.expect("read").expect("said");
    assert_eq!(stands.text, format!("what is <#{hidden}>?"));
    assert!(!town.lines(&ken(), &general()).await.pop().expect("said").1.contains("secret"));
}

#[tokio::test]
async fn only_ones_own_words_are_changed() {
    let town = Town::asleep().await;
    let ts = town.say(&aki(), &in_general(), "We meet at six").await;
    let refused = town.workspace.edit(&ken(), &general(), ts, "We meet at nine").await;
    assert!(matches!(refused, Err(LocalError::NotYours)));
    assert!(matches!(town.workspace.delete(&ken(), &general(), ts).await, Err(LocalError::NotYours)));
    for words in ["We meet at seven", "We meet at eight"] {
        town.workspace.edit(&aki(), &general(), ts, words).await.expect("edited");
        assert_eq!(town.lines(&ken(), &general()).await, [("Aki".to_owned(), words.to_owned())]);
    }
    town.workspace.delete(&aki(), &general(), ts).await.expect("deleted");
    assert!(town.lines(&ken(), &general()).await.is_empty());
    let again = town.workspace.edit(&aki(), &general(), ts, "We meet").await;
    assert!(matches!(again, Err(LocalError::NotThere)), "what is gone stays gone");
    let under = Place { channel: general(), thread: Some(ts) };
    assert!(matches!(town.workspace.post(&aki(), &under, "Hello?").await, Err(LocalError::NotThere)));
}

#[tokio::test]
async fn two_things_said_in_one_instant_are_two() {
    let town = Town::asleep().await;
    let words = ["one", "two", "three", "four"];
    let place = in_general();
    let all = words.map(|word| {
        let workspace = std::sync::Arc::clone(&town.workspace);
        let place = place.clone();
        tokio::spawn(async move { workspace.post(&aki(), &place, word).await.expect("said") })
    });
    let mut stamps = std::collections::BTreeSet::new();
    for said in all {
        stamps.insert(said.await.expect("said"));
    }
    assert_eq!((stamps.len(), town.lines(&ken(), &general()).await.len()), (4, 4));
}

#[tokio::test]
async fn a_reaction_is_one_emoji_of_one_person() {
    let town = Town::asleep().await;
    let ts = town.say(&aki(), &in_general(), "The boxes are here").await;
    for who in [aki(), ken(), ken()] {
        town.workspace.react(&who, &general(), ts, " 🦇 ", true).await.expect("added");
    }
    for wrong in ["bat", "", "🦇 🦇", "<b>", "🦇🦇🦇🦇🦇🦇🦇🦇🦇🦇🦇"] {
        let refused = town.workspace.react(&aki(), &general(), ts, wrong, true).await;
        assert!(matches!(refused, Err(LocalError::NoEmoji)), "{wrong}");
    }
    town.workspace.react(&aki(), &general(), ts, "🦇", false).await.expect("taken back");
    let says = town.workspace.talk(&aki(), &general(), MessageTs::MAX, 10).await.expect("read").says;
    assert_eq!(says[0].reactions, [("🦇".to_owned(), vec![ken()])].into());
    let nowhere = town.workspace.react(&aki(), &general(), MessageTs::MIN, "🦇", true).await;
    assert!(matches!(nowhere, Err(LocalError::NotThere)));
}

#[tokio::test]
async fn odd_input_is_refused_in_words() {
    let town = Town::asleep().await;
    let long = "あ".repeat(MOST_POST_CHARS + 1);
    for (typed, wrong) in [("", "Empty"), (" \n\t", "Empty"), ("\0", "Empty"), (&*long, "TooLong")] {
        let refused = town.workspace.post(&aki(), &in_general(), typed).await.expect_err("refused");
        assert_eq!(format!("{refused:?}"), wrong);
    }
    for name in ["", "#", "two words", "a/b", &"x".repeat(81)] {
        let refused = town.workspace.create_channel(&aki(), &private(name)).await;
        assert!(matches!(refused, Err(LocalError::BadName)), "{name}");
    }
    let taken = town.workspace.create_channel(&aki(), &private("#General")).await;
    assert!(matches!(taken, Err(LocalError::NameTaken)));
    let stranger = town.workspace.open_direct(&UserId::new("UNOBODY"), &[]).await;
    assert!(matches!(stranger, Err(LocalError::NotThere)));
    let nowhere = Place { channel: ChannelId::new("CNOWHERE"), thread: None };
    assert!(matches!(town.workspace.post(&aki(), &nowhere, "hello").await, Err(LocalError::NotThere)));
}
