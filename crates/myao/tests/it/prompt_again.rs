//! `myao prompt --reply`: the prompt of an answer that was given, composed again from its record.

use jiff::{SignedDuration, Timestamp};
use myao_core::chat::{
    Channel, ChannelId, ChannelKind, Event, Message, MessageKind, MessageTs, Place, UserId,
};
use myao_store::{PartBody, ReplyDraft, ReplyInput, ReplyInputs, Sight, Store, Target, place_subject};

use crate::{binary::Home, reply_world::attention};

const QUESTION: &str = "when is the Lindwell fair?";

fn message(user: &str, ts: MessageTs, text: &str) -> Message {
    Message {
        channel: ChannelId::new("C1"),
        ts,
        thread_ts: None,
        user: UserId::new(user),
        kind: MessageKind::Talk,
        text: text.to_owned(),
        files: Vec::new(),
        edited_at: None,
        deleted: false,
    }
}

async fn opened(home: &Home) -> Store {
    Store::open(&Target::Sqlite(home.path("memory.db"))).await.expect("opened")
}

/// A workspace in which somebody asked and was answered: when they asked, and the time stamp of the answer.
async fn answered(language: &str) -> (Home, MessageTs, MessageTs) {
    let home = Home::with_config(&format!(
        "memory: {{database_path: memory.db}}\nlocale: {{language: {language}, timezone: UTC}}\n"
    ));
    let store = opened(&home).await;
    let now = Timestamp::now() - SignedDuration::from_mins(5);
    let asked = MessageTs::from_timestamp(now);
    let channel = Channel {
        id: ChannelId::new("C1"),
        name: "general".to_owned(),
        kind: ChannelKind::Public,
        external: false,
    };
    let question = message("U1", asked, &format!("<@UMYAO> {QUESTION}"));
    let events = vec![Event::Channel(channel), Event::Message(question)];
    store.intake().apply_live(events, &attention(), now).await.expect("applied");
    let place = Place { channel: ChannelId::new("C1"), thread: None };
    let until = now + SignedDuration::from_mins(1);
    let claim = store.claim(&place_subject(&place), now, until).await.expect("asked").expect("free");
    let wanted = store.replies().find_wanted(&place, now).await.expect("read").expect("wanted");
    let (row, _) =
        store.archive().talk_after(&place.channel, MessageTs::MIN).await.expect("read").expect("known");
    let talk = ReplyInput::Talk {
        channel: place.channel.clone(),
        from: asked,
        to: asked,
        thread: None,
        revision: row.revision,
    };
    let draft = ReplyDraft {
        reply: wanted.id,
        triggers: wanted.triggers,
        read_revision: i64::MAX,
        sight: Sight::Open,
        inputs: ReplyInputs::from_iter([talk]),
        mixed: false,
        parts: vec![PartBody::Post("On 2 May.".to_owned())],
        excuse: false,
        calls: Vec::new(),
    };
    let posted = asked.plus_seconds(2);
    let post = message("UMYAO", posted, "On 2 May.");
    assert!(store.replies().write_parts(&claim, draft, now).await.expect("written"));
    assert!(store.intake().mark_part_sending(&claim, wanted.id, 1, now).await.expect("asked"));
    store.intake().note_part_posted(&claim, wanted.id, 1, post, now).await.expect("posted");
    store.close().await;
    (home, asked, posted)
}

async fn later(home: &Home, event: Event) {
    let store = opened(home).await;
    store.intake().apply(vec![event], Timestamp::now()).await.expect("applied");
    store.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answers_prompt_is_composed_again() {
    let (home, asked, posted) = answered("en").await;
    later(&home, Event::Message(message("U1", posted.plus_seconds(1), "It was moved to June."))).await;
    let again = home.done(&["prompt", "general", "--reply"]);
    assert!(again.out.contains(QUESTION) && !again.out.contains("moved to June"), "{again:?}");
    assert!(!again.out.contains("On 2 May."), "the answer itself came later: {again:?}");
    assert!(again.err.contains("It shows just what the answer was made from"), "{again:?}");
    let told = home.json(&["prompt", "general", "--reply", &posted.to_string()]);
    assert_eq!(told["record"]["same"], told["record"]["recorded"], "{told}");
    assert_eq!(told["reply"]["as_of"].as_str(), Some(&*asked.to_string()), "{told}");
    let number = told["reply"]["id"].to_string();
    assert_eq!(home.json(&["prompt", "general", "--reply", &number])["user"], told["user"]);
    for wrong in ["1.000001", "99"] {
        home.run(&["prompt", "general", "--reply", wrong]).ends(2, "--reply: ");
    }
    home.run(&["prompt", "general", "--reply", "--as-of", "2026-03-01"]).ends(2, "cannot be used with");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_deleted_since_is_gone_and_told_in_both_languages() {
    for (language, words) in [("en", "1 of them is no longer there"), ("ja", "1 件はもうない")] {
        let (home, asked, _) = answered(language).await;
        later(&home, Event::Deleted { channel: ChannelId::new("C1"), ts: asked }).await;
        let again = home.done(&["prompt", "general", "--reply"]);
        assert!(!again.out.contains("Lindwell"), "{again:?}");
        assert!(again.err.contains(words), "{again:?}");
        let told = home.json(&["prompt", "general", "--reply"]);
        assert_eq!(told["record"]["removed"], 1, "{told}");
    }
}
