//! A prompt reads what stands around the messages that a search found: of its thread, or of its channel, nothing that
//! was said later than the question, and nothing that is gone.

use myao_core::chat::{ChannelId, ChannelKind, Event, Message, UserId};
use myao_store::{GatherRequest, Gathered, Store};

use super::tell;
use crate::support::{World, at, channel, general, message, on_both, ts};

fn by(user: &str, message: Message) -> Message {
    Message { user: UserId::new(user), ..message }
}

fn reply(channel: &str, root: i64, second: i64, text: &str) -> Message {
    Message { thread_ts: Some(ts(root)), ..by("U2", message(channel, second, text)) }
}

/// What a prompt in C1 is made from if somebody asks this.
async fn asked(store: &Store, second: i64, words: &str) -> Gathered {
    let request = GatherRequest {
        most_recalled: 9,
        as_if_said: Some(by("U9", message("C1", second, words))),
        ..crate::gather::request(&general())
    };
    store.gather().for_prompt(&request).await.expect("read").expect("a known channel")
}

fn texts(gathered: &Gathered) -> Vec<&str> {
    gathered.around.iter().map(|message| message.text.as_str()).collect()
}

async fn open(store: &Store, kind: ChannelKind) {
    let channels = vec![channel("C1", ChannelKind::Public), channel("C2", kind)];
    store.intake().apply(channels, at(0)).await.expect("applied");
}

on_both! {
    the_messages_before_and_after_a_hit_are_read => async |world: &World| {
        let store = &world.store;
        open(store, ChannelKind::Public).await;
        let mut talk: Vec<Message> =
            (1..30).map(|n| by("U2", message("C2", 1000 + n * 10, &format!("neighbour {n}")))).collect();
        talk.push(message("C2", 1155, "which lighthouse do you mean?"));
        talk.push(message("C2", 9000, "hours later"));
        talk.push(reply("C2", 1010, 1156, "in another thread"));
        tell(store, talk).await;
        let gathered = asked(store, 20_000, "lighthouse").await;
        let expected: Vec<String> = (8..24).map(|n| format!("neighbour {n}")).collect();
        assert_eq!(texts(&gathered), expected);
    };

    of_a_thread_the_root_and_the_replies_around_are_read => async |world: &World| {
        let store = &world.store;
        open(store, ChannelKind::Public).await;
        let mut talk = vec![message("C2", 10, "who feeds the cat?"), message("C2", 4000, "beside the thread")];
        talk.extend((1..40).map(|n| reply("C2", 10, 1000 + n * 100, &format!("reply {n}"))));
        talk.push(reply("C2", 10, 3050, "there is a lighthouse"));
        tell(store, talk).await;
        let gathered = asked(store, 20_000, "lighthouse").await;
        // The root of the thread is found as well.
        let replies = (1..9).chain(13..29).map(|n| format!("reply {n}"));
        let expected: Vec<String> = std::iter::once("who feeds the cat?".to_owned()).chain(replies).collect();
        assert_eq!(texts(&gathered), expected);
    };

    nothing_that_was_said_later_than_the_question_or_is_gone_is_read => async |world: &World| {
        let store = &world.store;
        open(store, ChannelKind::Public).await;
        tell(store, vec![
            message("C2", 100, "which lighthouse do you mean?"),
            by("U2", message("C2", 110, "the white one")),
            by("U2", message("C2", 120, "no, the red one")),
            message("C2", 500, "where is the ferry?"),
            reply("C2", 500, 510, "in the harbour"),
            reply("C2", 500, 900, "on the other side"),
        ]).await;
        let gone = Event::Deleted { channel: ChannelId::new("C2"), ts: ts(110) };
        store.intake().apply(vec![gone], at(1001)).await.expect("applied");
        assert_eq!(texts(&asked(store, 800, "lighthouse").await), ["no, the red one", "where is the ferry?"]);
        assert_eq!(texts(&asked(store, 115, "lighthouse").await), Vec::<&str>::new());
        assert!(!texts(&asked(store, 800, "ferry").await).contains(&"on the other side"));
    };

    of_a_hidden_place_nothing_is_read => async |world: &World| {
        let store = &world.store;
        open(store, ChannelKind::Private).await;
        tell(store, vec![
            message("C2", 100, "which lighthouse do you mean?"),
            by("U2", message("C2", 110, "the white one")),
        ]).await;
        let gathered = asked(store, 800, "lighthouse").await;
        assert!(gathered.recalled.is_empty() && gathered.around.is_empty());
    };

    each_is_an_input_of_the_reply => async |world: &World| {
        let store = &world.store;
        open(store, ChannelKind::Public).await;
        tell(store, vec![
            message("C2", 100, "which lighthouse do you mean?"),
            by("U2", message("C2", 110, "the white one")),
        ]).await;
        let gathered = asked(store, 800, "lighthouse").await;
        assert_eq!(gathered.inputs.found.len(), 2, "{:?}", gathered.inputs.found);
    };
}
