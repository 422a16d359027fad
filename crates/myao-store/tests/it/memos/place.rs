//! Who sees a memo is the owner's word.

use myao_core::chat::{ChannelId, Visibility};
use myao_store::{MemoAudience, MemoDeed, MemoError, MemoHand, MemoPlacement, Store, StoredMemo};
use serde_json::json;

use super::{
    all, answering, asked, contents, draft, everybodys, furnish, noted, owner, seen::in_prompt, visibility,
    with_priority,
};
use crate::support::{World, at, on_both};

async fn placed(store: &Store, memo: &StoredMemo, audience: MemoAudience) -> Result<StoredMemo, MemoError> {
    let placement = MemoPlacement { memo: memo.id.clone(), audience, by: "alice".to_owned() };
    store.memos().change_audience(&placement, at(50)).await
}

fn channel(id: &str) -> MemoAudience {
    MemoAudience::Channel(ChannelId::new(id))
}

/// The channels in which it is seen: by a prompt, by name, and in lists.
async fn seen_in(store: &Store, memo: &StoredMemo) -> Vec<&'static str> {
    let mut places = Vec::new();
    for id in ["C1", "C2", "G1", "D1", "CX"] {
        let visibility = visibility(store, id).await;
        let in_a_prompt = in_prompt(store, id).await.contains(&memo.memo.content);
        let by_name = store.memos().find_by_name(&visibility, &memo.memo.name).await.expect("read");
        let is_listed = all(store, &visibility).await.iter().any(|one| one.id == memo.id);
        assert_eq!((in_a_prompt, !by_name.is_empty()), (is_listed, is_listed), "{id}");
        places.extend(is_listed.then_some(id));
    }
    places
}

on_both! {
    what_is_everybodys_is_seen_where_open_channels_are => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        let memo = store.memos().add(&everybodys(), &draft("朝会", "9時"), at(1)).await.expect("added");
        assert_eq!(memo.audience, MemoAudience::Everybody);
        assert_eq!(seen_in(store, &memo).await, ["C1", "C2", "G1", "D1"], "outsiders see what is theirs alone");
        assert_eq!(contents(&all(store, &Visibility::Open).await), ["9時"]);
        assert_eq!(contents(&all(store, &Visibility::Owner).await), ["9時"]);
        // A place's own memo of the same name comes first there.
        store.memos().add(&owner(Some("G1")), &draft("朝会", "10時"), at(2)).await.expect("added");
        assert_eq!(in_prompt(store, "G1").await, ["10時"]);
        assert_eq!(in_prompt(store, "C1").await, ["9時"]);
    };

    the_owner_says_who_sees_a_memo_and_takes_it_back => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        let memo = store.memos().add(&owner(None), &draft("猫", "ミケ"), at(1)).await.expect("added");
        for (audience, seen, word) in [
            (channel("G1"), &["G1"][..], "channel"),
            (channel("C1"), &["C1", "C2", "G1", "D1"], "channel"),
            (channel("CX"), &["CX"], "channel"),
            (MemoAudience::Everybody, &["C1", "C2", "G1", "D1"], "everybody"),
            (MemoAudience::Owner, &[], "owner"),
        ] {
            for _again in 0..2 {
                let now = placed(store, &memo, audience.clone()).await.expect("placed");
                assert_eq!(now, StoredMemo { audience: audience.clone(), ..memo.clone() }, "nothing else is different");
            }
            assert_eq!(seen_in(store, &memo).await, seen, "{audience:?}");
            let entry = &store.memos().newest_entries(&Visibility::Owner, Some("猫"), 1).await.expect("read")[0];
            assert_eq!((entry.deed, entry.channel.as_ref()), (MemoDeed::Placed, audience.channel()));
            assert_eq!(json!(entry.after), json!({ "audience": word }));
            assert_eq!(entry.fields, ["audience"]);
        }
        let entries = store.memos().newest_entries(&Visibility::Owner, Some("猫"), 99).await.expect("read");
        assert_eq!(entries.len(), 6, "what changes nothing is not written down: {entries:?}");
        let others = store.memos().newest_entries(&visibility(store, "C1").await, None, 99).await.expect("read");
        assert_eq!(others.len(), 1, "what belongs to no channel is the owner's to read: {others:?}");
        // Its name is one of those without a channel again.
        store.memos().edit(&owner(None), "猫", &with_priority(5), at(60)).await.expect("edited");
    };

    what_replies_wrote_stays_where_it_was_said => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        let memo = noted(store, "G1", 10, ("猫はミケ、覚えて", "猫", "ミケ")).await.expect("noted");
        for audience in [MemoAudience::Everybody, MemoAudience::Owner, channel("C1")] {
            let refused = placed(store, &memo, audience).await;
            assert!(matches!(&refused, Err(MemoError::MadeFromTalk(name)) if name == "猫"), "{refused:?}");
        }
        // Not even when the owner has rewritten it.
        store.memos().edit(&owner(Some("G1")), "猫", &with_priority(5), at(20)).await.expect("edited");
        assert!(matches!(placed(store, &memo, channel("C1")).await, Err(MemoError::MadeFromTalk(_))));
        assert_eq!(seen_in(store, &memo).await, ["G1"]);
        placed(store, &memo, channel("G1")).await.expect("it is there already");
    };

    a_name_is_free_where_it_goes => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        let own = store.memos().add(&owner(None), &draft("猫", "ミケ"), at(1)).await.expect("added");
        let there = store.memos().add(&owner(Some("C1")), &draft("猫", "タマ"), at(1)).await.expect("added");
        for (memo, audience) in [(&own, channel("C1")), (&there, MemoAudience::Everybody), (&there, MemoAudience::Owner)] {
            let refused = placed(store, memo, audience).await;
            assert!(matches!(&refused, Err(MemoError::Taken(name)) if name == "猫"), "{refused:?}");
        }
        placed(store, &own, MemoAudience::Everybody).await.expect("its own name is no other's");
        store.memos().remove(&everybodys(), "猫", at(2)).await.expect("removed");
        let unknown = placed(store, &own, channel("C2")).await;
        assert!(matches!(unknown, Err(MemoError::Unknown(_))), "{unknown:?}");
    };

    /// A reply reads what is everybody's, and is told that it is by hand.
    a_reply_does_not_change_what_is_everybodys => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        store.memos().add(&everybodys(), &draft("朝会", "9時"), at(1)).await.expect("added");
        asked(store, "C1", 10, "朝会のメモを消して").await;
        let hand = MemoHand::Reply(answering(store, "C1", 10).await);
        let refused = store.memos().remove(&hand, "朝会", at(11)).await;
        assert!(matches!(&refused, Err(MemoError::ByHand(name)) if name == "朝会"), "{refused:?}");
        let refused = store.memos().edit(&hand, "朝会", &with_priority(1), at(11)).await;
        assert!(matches!(refused, Err(MemoError::ByHand(_))), "{refused:?}");
        let refused = store.memos().add(&hand, &draft("朝会", "10時"), at(11)).await;
        assert!(matches!(refused, Err(MemoError::Taken(_))), "{refused:?}");
    };

    /// What somebody wants always remembered may be of any priority, and nothing else.
    a_reply_gives_the_priority_that_is_asked_for => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        asked(store, "C1", 10, "猫はミケ、ずっと覚えて").await;
        let grounds = answering(store, "C1", 10).await;
        let modest = MemoHand::Reply(grounds.clone());
        let asked_for = MemoHand::Reply(myao_store::Grounds { highest_priority: 5, ..grounds });
        let given = |memo: StoredMemo| memo.memo.priority;
        let wanted = |name: &str, priority| draft(name, "ミケ").with(&with_priority(priority));
        assert_eq!(given(store.memos().add(&modest, &wanted("a", 5), at(11)).await.expect("noted")), 3);
        assert_eq!(given(store.memos().add(&asked_for, &wanted("b", 5), at(11)).await.expect("noted")), 5);
        assert_eq!(given(store.memos().add(&asked_for, &wanted("c", 2), at(11)).await.expect("noted")), 2);
        assert_eq!(given(store.memos().edit(&modest, "a", &with_priority(4), at(11)).await.expect("edited")), 3);
        assert_eq!(given(store.memos().edit(&asked_for, "a", &with_priority(4), at(11)).await.expect("edited")), 4);
        assert_eq!(given(store.memos().edit(&modest, "a", &with_priority(5), at(11)).await.expect("edited")), 4);
        assert_eq!(given(store.memos().edit(&modest, "a", &with_priority(1), at(11)).await.expect("edited")), 1);
    };

    /// What was taken over waits for the owner's word, and stays in the list of it afterwards.
    what_was_taken_over_waits_for_the_owners_word => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        store.memos().add(&owner(None), &draft("own", "not of the predecessor"), at(1)).await.expect("added");
        crate::planted::plant(world, "INSERT INTO memos (id, name, content, priority, tags, detail, channel_id, audience,
                created_at, updated_at, made_by)
            VALUES ('old1', '猫', 'ミケ', 3, '[]', NULL, NULL, 'undecided', 1, 2, 'myao2'),
                   ('old2', '朝会', '9時', 5, '[]', NULL, NULL, 'undecided', 1, 2, 'myao2')").await;
        let taken = store.memos().taken_over().await.expect("read");
        assert_eq!(contents(&taken), ["9時", "ミケ"], "most important first");
        assert_eq!(store.memos().count_undecided().await.expect("counted"), 2);
        assert_eq!(seen_in(store, &taken[0]).await, [""; 0], "the owner's alone until then");
        placed(store, &taken[0], MemoAudience::Everybody).await.expect("placed");
        assert_eq!(store.memos().count_undecided().await.expect("counted"), 1);
        let still = store.memos().taken_over().await.expect("read");
        assert_eq!(contents(&still), ["9時", "ミケ"], "both were taken over");
        assert_eq!(still[0].audience, MemoAudience::Everybody);
    };
}
