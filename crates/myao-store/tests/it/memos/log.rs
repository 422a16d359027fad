//! The memo log: who did what to which memo, because of what; and that removed words leave it.

use myao_core::{
    chat::{ChannelId, ChannelKind, Visibility},
    context::MemoChange,
};
use myao_store::{MemoActor, MemoDeed, MemoEntry, MemoHand, Store};
use serde_json::json;

use super::{all, answering, asked, deleted, draft, edited, furnish, noted, owner, told, with_priority};
use crate::support::{World, at, channel, on_both, ts};

const YEAR: i64 = 365 * 24 * 3600;

async fn log(store: &Store, memo: Option<&str>) -> Vec<MemoEntry> {
    let mut entries = store.memos().newest_entries(&Visibility::Owner, memo, 1000).await.expect("read");
    entries.reverse();
    entries
}

fn deeds(entries: &[MemoEntry]) -> Vec<MemoDeed> {
    entries.iter().map(|entry| entry.deed).collect()
}

/// Everything that the log says, in one text.
async fn words(store: &Store) -> String {
    format!("{:?}", log(store, None).await.iter().map(|e| (&e.name, &e.before, &e.after)).collect::<Vec<_>>())
}

fn content(text: &str) -> MemoChange {
    MemoChange::default().content(text).expect("short")
}

on_both! {
    it_tells_who_did_what_and_because_of_which_message => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        let memo = noted(store, "C1", 10, ("猫はミケだよ、覚えて", "猫", "ミケ")).await.expect("noted");
        asked(store, "C1", 20, "タマだった").await;
        let hand = MemoHand::Reply(answering(store, "C1", 20).await);
        let change = content("タマ").name("うちの猫").expect("short");
        store.memos().edit(&hand, "猫", &change, at(21)).await.expect("edited");
        store.memos().edit(&hand, "うちの猫", &change, at(22)).await.expect("nothing new");
        store.memos().edit(&owner(Some("C1")), "うちの猫", &with_priority(5), at(30)).await.expect("edited");
        store.memos().add(&owner(None), &draft("私の", "x"), at(31)).await.expect("added");

        let entries = log(store, None).await;
        assert_eq!(deeds(&entries), [MemoDeed::Added, MemoDeed::Changed, MemoDeed::Changed, MemoDeed::Added]);
        let [added, changed, ranked, own] = entries.as_slice() else { panic!("{entries:?}") };
        assert_eq!((&added.memo, added.at, added.channel.clone()), (&memo.id, at(10), Some(ChannelId::new("C1"))));
        assert_eq!(added.fields, ["name", "content", "priority"]);
        assert!(added.before.is_empty());
        assert_eq!(json!(added.after), json!({"name": "猫", "content": "ミケ", "priority": 3}));
        let MemoActor::Reply { asked, posted_ts, .. } = &added.by else { panic!("{added:?}") };
        assert_eq!((asked[0].ts, asked[0].user.as_str(), *posted_ts), (ts(10), "U1", None));
        assert_eq!((changed.name.as_deref(), &changed.fields), (Some("うちの猫"), &vec!["name".to_owned(), "content".to_owned()]));
        assert_eq!(json!([changed.before, changed.after]), json!([
            {"name": "猫", "content": "ミケ"}, {"name": "うちの猫", "content": "タマ"}]));
        let MemoActor::Reply { asked, .. } = &changed.by else { panic!("{changed:?}") };
        assert_eq!(asked.iter().map(|message| message.ts).collect::<Vec<_>>(), [ts(20)], "not what asked before");
        assert_eq!(ranked.by, MemoActor::Person("alice".to_owned()));
        assert_eq!(json!([ranked.before, ranked.after]), json!([{"priority": 3}, {"priority": 5}]));
        assert_eq!((own.name.as_deref(), &own.channel), (Some("私の"), &None));

        // By any name that it had, or by its id.
        let begin = |letters: usize| memo.id.as_str().chars().take(letters).collect::<String>();
        for name in ["猫", "うちの猫", memo.id.as_str(), &begin(8)] {
            assert_eq!(log(store, Some(name)).await, entries[..3], "{name}");
        }
        for name in ["犬", &begin(7), "%", ""] {
            assert_eq!(log(store, Some(name)).await.len(), if name.is_empty() { 4 } else { 0 }, "{name}");
        }
        assert_eq!(store.memos().newest_entries(&Visibility::Owner, None, 1).await.expect("read"), entries[3..]);
    };

    /// What a reply takes away, the owner can read until the words go; what they take away themselves is gone.
    what_was_removed_by_a_reply_is_told_and_by_hand_is_not => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        noted(store, "C1", 10, ("猫はミケ、覚えて", "猫", "ミケ")).await.expect("noted");
        noted(store, "C1", 15, ("犬はポチ、覚えて", "犬", "ポチ")).await.expect("noted");
        asked(store, "C1", 20, "忘れて").await;
        let hand = MemoHand::Reply(answering(store, "C1", 20).await);
        store.memos().remove(&hand, "猫", at(21)).await.expect("removed");
        store.memos().remove(&owner(Some("C1")), "犬", at(22)).await.expect("removed");
        let cat = log(store, Some("猫")).await;
        assert_eq!(deeds(&cat), [MemoDeed::Added, MemoDeed::Removed]);
        assert_eq!(json!(cat[1].before), json!({"name": "猫", "content": "ミケ", "priority": 3}));
        let entries = log(store, None).await;
        assert_eq!(deeds(&entries), [MemoDeed::Added, MemoDeed::Added, MemoDeed::Removed, MemoDeed::Removed]);
        assert!(!words(store).await.contains("ポチ") && !words(store).await.contains('犬'));
        assert_eq!((&entries[3].by, &entries[3].fields), (&MemoActor::Person("alice".to_owned()), &entries[2].fields));
        assert_eq!((entries[1].wiped_at, entries[3].wiped_at), (Some(at(22)), Some(at(22))));
    };

    /// Deleted words go from everything that was written down of the memo, whoever changed it since.
    deleted_words_leave_the_log => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        noted(store, "C1", 10, ("合言葉は鰐、覚えて", "合言葉", "鰐")).await.expect("noted");
        store.memos().edit(&owner(Some("C1")), "合言葉", &content("鰐と猫"), at(11)).await.expect("edited");
        noted(store, "C1", 15, ("犬はポチ、覚えて", "犬", "ポチ")).await.expect("noted");
        deleted(store, "C1", 10, 20).await;
        let entries = log(store, None).await;
        assert_eq!(deeds(&entries), [MemoDeed::Added, MemoDeed::Changed, MemoDeed::Added, MemoDeed::Gone]);
        assert!(!words(store).await.contains('鰐') && !words(store).await.contains("合言葉"), "{entries:?}");
        assert!(words(store).await.contains("ポチ"), "{entries:?}");
        assert_eq!((&entries[3].by, entries[3].at), (&MemoActor::Program, at(20)));
        // Who, when and what is known still.
        assert_eq!(entries[1].by, MemoActor::Person("alice".to_owned()));
        assert_eq!(entries[1].fields, ["content"]);
        let MemoActor::Reply { asked, .. } = &entries[0].by else { panic!("{entries:?}") };
        assert!(asked[0].deleted && asked[0].text.is_empty() && asked[0].user.as_str() == "U1");
    };

    /// Also when the memo does not hold them any more, or is not there any more.
    words_leave_the_log_after_the_memo_has_lost_them => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        told(store, "C1", 5, "合言葉はサンショウウオ").await;
        noted(store, "C1", 10, ("上の話、覚えて", "合言葉", "サンショウウオ")).await.expect("noted");
        noted(store, "C1", 12, ("鰐もね", "動物", "鰐")).await.expect("noted");
        asked(store, "C1", 20, "秘密に直して、鰐は忘れて").await;
        let hand = MemoHand::Reply(answering(store, "C1", 20).await);
        store.memos().edit(&hand, "合言葉", &content("秘密"), at(21)).await.expect("edited");
        store.memos().remove(&hand, "動物", at(21)).await.expect("removed");
        assert!(words(store).await.contains("サンショウウオ") && words(store).await.contains('鰐'));
        // Words that were read beside, and those that asked for what is removed since.
        deleted(store, "C1", 5, 30).await;
        assert!(!words(store).await.contains("サンショウウオ"), "{}", words(store).await);
        assert!(words(store).await.contains('鰐'));
        edited(store, "C1", 12, 31, "<@UMYAO> 猫もね").await;
        assert!(!words(store).await.contains('鰐'), "{}", words(store).await);
    };

    /// What a person typed at the terminal stays until they remove it.
    deletions_in_the_chat_leave_what_is_written_by_hand => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        told(store, "C1", 5, "合言葉はサンショウウオ").await;
        store.memos().add(&owner(Some("C1")), &draft("合言葉", "サンショウウオ"), at(6)).await.expect("added");
        deleted(store, "C1", 5, 30).await;
        assert!(words(store).await.contains("サンショウウオ"));
    };

    it_goes_along_with_a_channel_that_gets_another_id => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        noted(store, "C1", 10, ("猫はミケ、覚えて", "猫", "ミケ")).await.expect("noted");
        store.intake().apply(vec![channel("C9", ChannelKind::Public)], at(11)).await.expect("applied");
        noted(store, "C9", 12, ("猫はタマ、覚えて", "猫?", "タマ")).await.expect("noted");
        store.memos().edit(&owner(Some("C9")), "猫?", &MemoChange::default().name("猫").expect("short"), at(13))
            .await.expect("edited");
        let old = ChannelId::new("C1");
        let new = ChannelId::new("C9");
        assert!(store.intake().rename_channel_everywhere(&old, &new, at(20)).await.expect("renamed"));
        let entries = log(store, None).await;
        assert!(entries.iter().all(|entry| entry.channel.as_ref() == Some(&new)), "{entries:?}");
        // The clash of names is told as well.
        let last = entries.last().expect("some");
        assert_eq!((last.deed, &last.by, &last.fields), (MemoDeed::Changed, &MemoActor::Program, &vec!["name".to_owned()]));
        let MemoActor::Reply { asked, .. } = &entries[0].by else { panic!("{entries:?}") };
        assert_eq!(asked[0].text, "<@UMYAO> 猫はミケ、覚えて");
        deleted(store, "C9", 10, 30).await;
        assert!(!words(store).await.contains("ミケ") && words(store).await.contains("タマ"));
        deleted(store, "C9", 12, 31).await;
        assert!(!words(store).await.contains("タマ"), "{}", words(store).await);
    };

    it_is_bounded_and_expires => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        store.memos().add(&owner(Some("C2")), &draft("別", "別"), at(1)).await.expect("added");
        store.memos().add(&owner(Some("C1")), &draft("数", "0"), at(2)).await.expect("added");
        for n in 1..=1000_i64 {
            store.memos().edit(&owner(Some("C1")), "数", &content(&n.to_string()), at(2 + n)).await.expect("edited");
        }
        let of_one = store.memos().newest_entries(&Visibility::Owner, Some("数"), 5000).await.expect("read");
        assert_eq!((of_one.len(), of_one[999].deed), (1000, MemoDeed::Changed));
        assert_eq!(store.memos().newest_entries(&Visibility::Owner, Some("別"), 10).await.expect("read").len(), 1, "each channel has its own bound");
        assert_eq!(store.memos().drop_expired_entries(at(YEAR + 1)).await.expect("expired"), 0);
        assert_eq!(store.memos().drop_expired_entries(at(YEAR + 2)).await.expect("expired"), 1);
        assert_eq!(store.memos().drop_expired_entries(at(3 * YEAR)).await.expect("expired"), 1000);
        assert!(log(store, None).await.is_empty());
        assert_eq!(all(store, &Visibility::Owner).await.len(), 2, "the memos stay");
    };

    /// An entry stands with the change or not at entries.
    what_is_refused_is_not_written_down => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        store.memos().add(&owner(Some("C1")), &draft("会議", "月曜"), at(1)).await.expect("added");
        store.memos().add(&owner(Some("C1")), &draft("会議", "火曜"), at(2)).await.expect_err("taken");
        asked(store, "C1", 10, "消して").await;
        let hand = MemoHand::Reply(answering(store, "C1", 10).await);
        store.memos().remove(&hand, "会議", at(11)).await.expect_err("by hand");
        deleted(store, "C1", 10, 12).await;
        store.memos().add(&hand, &draft("猫", "ミケ"), at(13)).await.expect_err("moved");
        assert_eq!(deeds(&log(store, None).await), [MemoDeed::Added]);
    };
}
