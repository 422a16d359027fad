//! Who changes which memo, and when a reply may not.

use futures::future::BoxFuture;
use myao_core::{
    chat::{ChannelId, ChannelKind, Visibility},
    context::MemoChange,
};
use myao_store::{
    Grounds, MOST_MEMOS, MemoError, MemoHand, MemoMaker, Range, ReplyInput, SharedInputs, StepDraft,
    StepOutcome, Store, StoreError,
};

use super::{
    all, another, answering, asked, contents, deleted, draft, edited, furnish, kept, noted, owner, told,
    visibility, with_priority,
};
use crate::{
    planted::plant,
    support::{World, at, channel, claim, cut_chapters, on_both, said, short, step, ts},
};

type Happening = fn(&Store) -> BoxFuture<'_, ()>;

fn content(text: &str) -> MemoChange {
    MemoChange::default().content(text).expect("short")
}

fn named(name: &str) -> MemoChange {
    MemoChange::default().name(name).expect("short")
}

on_both! {
    a_reply_notes_for_whoever_asks => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        let memo = noted(store, "C1", 10, ("猫はミケだよ", "猫", "ミケ")).await.expect("noted");
        assert_eq!((memo.channel(), &memo.maker), (Some(&ChannelId::new("C1")), &MemoMaker::Reply));
        assert_eq!((memo.memo.priority, memo.created_at, memo.updated_at), (3, at(10), at(10)));
        asked(store, "C1", 20, "タマだった").await;
        let hand = MemoHand::Reply(answering(store, "C1", 20).await);
        let change = content("タマ").detail("黒猫").expect("short").name("うちの猫").expect("short");
        let changed = store.memos().edit(&hand, "猫", &change, at(21)).await.expect("edited");
        assert_eq!((changed.id.clone(), changed.created_at, changed.updated_at), (memo.id, at(10), at(21)));
        assert_eq!((changed.memo.name.as_str(), changed.memo.detail.as_deref()), ("うちの猫", Some("黒猫")));
        let why = store.memos().messages_behind(&Visibility::Owner, &changed.id).await.expect("read");
        let texts: Vec<&str> = why.iter().map(|message| message.text.as_str()).collect();
        assert_eq!(texts, ["<@UMYAO> 猫はミケだよ", "<@UMYAO> タマだった"]);
        let gone = store.memos().remove(&hand, "うちの猫", at(22)).await.expect("removed");
        assert_eq!(gone, changed);
        assert!(store.memos().messages_behind(&Visibility::Owner, &gone.id).await.expect("read").is_empty());
        let again = store.memos().remove(&hand, "うちの猫", at(22)).await;
        assert!(matches!(&again, Err(MemoError::Unknown(name)) if name == "うちの猫"), "{again:?}");
    };

    /// Words of a private place never get into a public memo, nor the other way round.
    a_reply_changes_what_was_made_in_its_channel_alone => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        for id in ["C2", "G1"] {
            store.memos().add(&owner(Some(id)), &draft(id, id), at(1)).await.expect("added");
        }
        store.memos().add(&owner(None), &draft("mine", "mine"), at(1)).await.expect("added");
        asked(store, "C1", 10, "全部消して").await;
        let hand = MemoHand::Reply(answering(store, "C1", 10).await);
        for (name, seen) in [("C2", true), ("G1", false), ("mine", false), ("none", false)] {
            let edit = store.memos().edit(&hand, name, &content("!"), at(11)).await.expect_err("refused");
            let remove = store.memos().remove(&hand, name, at(11)).await.expect_err("refused");
            let expected = if seen {
                format!("memo `{name}` was made in #name-{name} and can only be changed there")
            } else {
                // What it may not see and what is not there are one.
                format!("there is no memo `{name}`")
            };
            assert_eq!([edit.to_string(), remove.to_string()], [expected.clone(), expected]);
        }
        assert_eq!(kept(store).await, ["C2", "G1", "mine"]);
    };

    a_name_that_is_seen_is_taken_and_one_that_is_not_is_free => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        for id in ["C1", "C2", "G1"] {
            store.memos().add(&owner(Some(id)), &draft(&format!("of {id}"), id), at(1)).await.expect("added");
        }
        asked(store, "C1", 10, "note it").await;
        let hand = MemoHand::Reply(answering(store, "C1", 10).await);
        for taken in ["of C1", "of C2"] {
            let refused = store.memos().add(&hand, &draft(taken, "!"), at(11)).await;
            assert!(matches!(&refused, Err(MemoError::Taken(name)) if name == taken), "{refused:?}");
        }
        // A refusal would tell that the private channel has one.
        store.memos().add(&hand, &draft("of G1", "public"), at(11)).await.expect("added");
        let refused = store.memos().edit(&hand, "of G1", &named("of C2"), at(12)).await;
        assert!(matches!(refused, Err(MemoError::Taken(_))), "{refused:?}");
        let found = store.memos().find_by_name(&visibility(store, "G1").await, "of G1").await.expect("read");
        assert_eq!(contents(&found), ["G1"], "its own wins");
        let refused = store.memos().add(&owner(Some("C2")), &draft("of C2", "!"), at(12)).await;
        assert!(matches!(refused, Err(MemoError::Taken(_))), "{refused:?}");
        store.memos().add(&owner(Some("C2")), &draft("of C1", "!"), at(12)).await.expect("the owner may");
    };

    a_channel_holds_so_many_and_no_more => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        let hand = owner(Some("C1"));
        for n in 0..MOST_MEMOS {
            store.memos().add(&hand, &draft(&n.to_string(), "x"), at(1)).await.expect("added");
        }
        let refused = store.memos().add(&hand, &draft("one more", "x"), at(1)).await;
        assert!(matches!(refused, Err(MemoError::Full)), "{refused:?}");
        store.memos().add(&owner(Some("C2")), &draft("one more", "x"), at(1)).await.expect("elsewhere");
        store.memos().remove(&hand, "0", at(1)).await.expect("removed");
        store.memos().add(&hand, &draft("one more", "x"), at(1)).await.expect("there is room");
    };

    the_owner_changes_everything_and_is_never_in_doubt => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        for id in [None, Some("C1"), Some("G1")] {
            store.memos().add(&owner(id), &draft("猫", id.unwrap_or("mine")), at(1)).await.expect("added");
        }
        let changed = store.memos().edit(&owner(Some("G1")), "猫", &content("G1!"), at(2)).await.expect("edited");
        assert_eq!(changed.channel(), Some(&ChannelId::new("G1")));
        store.memos().remove(&owner(None), "猫", at(2)).await.expect("removed");
        assert_eq!(kept(store).await, ["C1", "G1!"]);
        let unknown = store.memos().remove(&owner(Some("C2")), "猫", at(2)).await;
        assert!(matches!(unknown, Err(MemoError::Unknown(_))), "{unknown:?}");
    };

    /// What a person made or changed by hand a reply reads, and leaves as it is.
    what_is_written_by_hand_no_reply_changes => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        store.memos().add(&owner(Some("C1")), &draft("会議", "月曜"), at(1)).await.expect("added");
        noted(store, "C1", 5, ("覚えて", "猫", "ミケ")).await.expect("noted");
        let changed = store.memos().edit(&owner(Some("C1")), "猫", &content("タマ"), at(6)).await.expect("edited");
        assert_eq!((changed.changed_by.as_deref(), changed.is_by_hand()), (Some("alice"), true));
        asked(store, "C1", 10, "全部消して").await;
        let hand = MemoHand::Reply(answering(store, "C1", 10).await);
        for name in ["会議", "猫"] {
            let edit = store.memos().edit(&hand, name, &content("!"), at(11)).await;
            let remove = store.memos().remove(&hand, name, at(11)).await;
            for refused in [edit, remove] {
                assert!(matches!(&refused, Err(MemoError::ByHand(of)) if of == name), "{refused:?}");
                assert!(refused.unwrap_err().to_string().contains("was written by hand"));
            }
        }
        assert_eq!(kept(store).await, ["タマ", "月曜"]);
    };

    /// What outranks the ordinary a person decides.
    a_reply_ranks_nothing_above_the_usual => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        asked(store, "C1", 10, "大事！").await;
        let hand = MemoHand::Reply(answering(store, "C1", 10).await);
        let memo = store.memos().add(&hand, &draft("猫", "ミケ").with(&with_priority(5)), at(11)).await.expect("noted");
        assert_eq!(memo.memo.priority, 3);
        let lower = store.memos().add(&hand, &draft("犬", "ポチ").with(&with_priority(1)), at(11)).await.expect("noted");
        assert_eq!(lower.memo.priority, 1);
        for (wanted, given) in [(4, 3), (2, 2), (5, 3)] {
            let memo = store.memos().edit(&hand, "猫", &with_priority(wanted), at(12)).await.expect("edited");
            assert_eq!(memo.memo.priority, given);
        }
        // An older version let replies rank higher: that stays, and is not raised.
        plant(world, "UPDATE memos SET priority = 4 WHERE name = '犬'").await;
        for (wanted, given) in [(5, 4), (4, 4), (3, 3), (4, 3)] {
            let memo = store.memos().edit(&hand, "犬", &with_priority(wanted), at(13)).await.expect("edited");
            assert_eq!(memo.memo.priority, given, "{wanted}");
        }
        let by_hand = store.memos().add(&owner(Some("C1")), &draft("鳥", "ピー").with(&with_priority(5)), at(14)).await;
        assert_eq!(by_hand.expect("added").memo.priority, 5);
    };

    what_would_change_nothing_changes_nothing => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        let before = store.memos().add(&owner(Some("C1")), &draft("猫", "ミケ"), at(1)).await.expect("added");
        let after = store.memos().edit(&owner(Some("C1")), "猫", &content("ミケ"), at(2)).await.expect("edited");
        assert_eq!(after, before);
    };

    /// What was asked is gone, or says something else: whatever the model made of it is not noted.
    a_reply_writes_nothing_once_what_it_read_has_changed => async |world: &World| {
        let happenings: [(&str, bool, Happening); 6] = [
            ("nothing", true, |_| Box::pin(async {})),
            ("the question is taken back", false, |store| Box::pin(deleted(store, "C1", 10, 12))),
            ("the question is another", false, |store| Box::pin(edited(store, "C1", 10, 12, "<@UMYAO> 犬は？"))),
            ("what was said before is taken back", false, |store| Box::pin(deleted(store, "C1", 5, 12))),
            ("what was said before is edited", false, |store| Box::pin(edited(store, "C1", 5, 12, "雨"))),
            ("more is said", true, |store| Box::pin(told(store, "C1", 11, "続き"))),
        ];
        for (n, (what, stands, happen)) in (0..).zip(happenings) {
            let world = another(world).await;
            let store = &world.store;
            furnish(store).await;
            noted(store, "C1", 1, ("覚えて", "old", "old")).await.expect("noted");
            told(store, "C1", 5, "晴れ").await;
            asked(store, "C1", 10, "猫は？").await;
            let hand = MemoHand::Reply(answering(store, "C1", 11).await);
            happen(store).await;
            let add = store.memos().add(&hand, &draft("猫", "ミケ"), at(13)).await;
            let edit = store.memos().edit(&hand, "old", &content("new"), at(13)).await;
            let remove = store.memos().remove(&hand, "old", at(13)).await;
            for done in [add, edit, remove] {
                assert_eq!(done.is_ok(), stands, "{n} {what}: {done:?}");
                assert!(stands || matches!(done, Err(MemoError::Moved)), "{n} {what}: {done:?}");
            }
            assert_eq!(kept(store).await, [if stands { "ミケ" } else { "old" }], "{what}");
        }
    };

    /// A memory that it may have read was wiped: somebody took words back elsewhere.
    nor_once_a_memory_it_may_have_read_is_wiped => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        store.intake().apply(vec![said(1, "合言葉は山")], at(1)).await.expect("applied");
        let held = claim(store, "channel:C1").await;
        cut_chapters(store, &held, 0, 1).await;
        let range = Range { channel: ChannelId::new("C1"), from: ts(0), to: ts(10) };
        let chapter = StepDraft { range: Some(range), read_revision: 100, ..step(short("合言葉は山"), 1, None) };
        let saved = store.memory().save_steps(&held, vec![chapter], at(11)).await.expect("committed");
        let [StepOutcome::Written(step)] = saved[..] else { panic!("{saved:?}") };
        asked(store, "C2", 20, "覚えて").await;
        let before = answering(store, "C2", 20).await;
        let channel = Some(ChannelId::new("C1"));
        before.inputs.extend([ReplyInput::Memory { channel, step }].into_iter().collect());
        deleted(store, "C1", 1, 22).await;
        let refused = store.memos().add(&MemoHand::Reply(before.clone()), &draft("合言葉", "山"), at(23)).await;
        assert!(matches!(refused, Err(MemoError::Moved)), "{refused:?}");
        let anew = Grounds { inputs: SharedInputs::default(), ..before };
        store.memos().add(&MemoHand::Reply(anew), &draft("合言葉", "川"), at(23)).await.expect("added");
    };

    /// Another process answers there by now, or the reply is over: whoever was left behind notes nothing.
    nor_without_the_claim_or_the_reply => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        asked(store, "C1", 10, "猫は？").await;
        let late = answering(store, "C1", 10).await;
        let now = answering(store, "C1", 50).await;
        let refused = store.memos().add(&MemoHand::Reply(late), &draft("猫", "ミケ"), at(51)).await;
        assert!(matches!(refused, Err(MemoError::Store(StoreError::ClaimLost(_)))), "{refused:?}");
        // Nobody asked for it.
        let unasked = MemoHand::Reply(Grounds { triggers: Vec::new(), ..now.clone() });
        let refused = store.memos().add(&unasked, &draft("猫", "ミケ"), at(51)).await;
        assert!(matches!(refused, Err(MemoError::Moved)), "{refused:?}");
        let others = MemoHand::Reply(Grounds { triggers: vec![ts(9)], ..now.clone() });
        let refused = store.memos().add(&others, &draft("猫", "ミケ"), at(51)).await;
        assert!(matches!(refused, Err(MemoError::Moved)), "{refused:?}");
        store.replies().skip(&now.claim, now.reply, "over", at(52)).await.expect("ended");
        let refused = store.memos().add(&MemoHand::Reply(now), &draft("猫", "ミケ"), at(53)).await;
        assert!(matches!(refused, Err(MemoError::Moved)), "{refused:?}");
        assert!(kept(store).await.is_empty());
    };

    /// The channel is shared: what was made under either id is there, each under a name of its own.
    a_channel_with_a_new_id_keeps_its_memos => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        noted(store, "C1", 10, ("猫はミケ", "猫", "ミケ")).await.expect("noted");
        store.intake().apply(vec![channel("C9", ChannelKind::Public)], at(11)).await.expect("applied");
        noted(store, "C9", 12, ("猫はタマ", "おなじ", "タマ")).await.expect("noted");
        let hand = owner(Some("C9"));
        store.memos().edit(&hand, "おなじ", &named("猫"), at(13)).await.expect("edited");
        let old = ChannelId::new("C1");
        let new = ChannelId::new("C9");
        assert!(store.intake().rename_channel_everywhere(&old, &new, at(20)).await.expect("renamed"));
        let memos = all(store, &visibility(store, "C9").await).await;
        assert!(memos.iter().all(|memo| memo.channel() == Some(&new)), "{memos:?}");
        let names: Vec<(&str, &str)> =
            memos.iter().map(|memo| (memo.memo.name.as_str(), memo.memo.content.as_str())).collect();
        assert_eq!(names.len(), 2, "{names:?}");
        assert!(names.contains(&("猫", "ミケ")), "{names:?}");
        assert!(names.iter().any(|(name, content)| name.starts_with("猫-") && *content == "タマ"), "{names:?}");
        // And each goes with what it was made from.
        deleted(store, "C9", 12, 30).await;
        assert_eq!(kept(store).await, ["ミケ"]);
        deleted(store, "C9", 10, 31).await;
        assert!(kept(store).await.is_empty());
    };

    two_that_make_the_same_memo_at_once_make_one => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        for (place, n) in [(Some("C1"), 1), (None, 2)] {
            let hand = owner(place);
            let memo = draft("猫", "ミケ");
            let memos = store.memos();
            let tries = (0..8).map(|_| memos.add(&hand, &memo, at(1)));
            let done = futures::future::join_all(tries).await;
            assert_eq!(done.iter().filter(|one| one.is_ok()).count(), 1, "{done:?}");
            assert!(done.iter().all(|one| matches!(one, Ok(_) | Err(MemoError::Taken(_)))), "{done:?}");
            assert_eq!(all(store, &Visibility::Owner).await.len(), n);
        }
    };
}
