//! Promise 3: a memo goes with the words it was made from, in the transaction that removes them.

use myao_core::chat::{ChannelId, ChannelKind, Event};
use myao_core::context::MemoChange;
use myao_core::memory::{MemoryScope, MemoryType};
use myao_store::MemoHand;

use super::{another, answering, asked, deleted, draft, edited, furnish, kept, noted, owner, told, we_said};
use crate::support::{World, at, channel, on_both, ts, write_memory};

on_both! {
    it_goes_when_what_asked_for_it_is_deleted => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        noted(store, "C1", 10, ("覚えて", "猫", "ミケ")).await.expect("noted");
        noted(store, "C1", 20, ("これも", "犬", "ポチ")).await.expect("noted");
        store.memos().add(&owner(Some("C1")), &draft("鳥", "ピー"), at(1)).await.expect("added");
        deleted(store, "C1", 10, 30).await;
        assert_eq!(kept(store).await, ["ピー", "ポチ"]);
        deleted(store, "C1", 20, 31).await;
        assert_eq!(kept(store).await, ["ピー"], "what a person wrote at the terminal stays");
    };

    it_goes_when_what_asked_for_it_loses_its_words => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        noted(store, "C1", 10, ("猫の名前はミケランジェロだよ", "猫", "名前はミケランジェロ")).await.expect("noted");
        edited(store, "C1", 10, 20, "<@UMYAO> 猫の名前はミケランジェロだよ。よろしくね").await;
        assert_eq!(kept(store).await.len(), 1, "nothing it holds was lost");
        edited(store, "C1", 10, 30, "<@UMYAO> 猫の名前は秘密だよ").await;
        assert!(kept(store).await.is_empty());
    };

    /// The question said nothing of it; the reply had read it above.
    it_goes_with_words_that_were_read_beside => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        told(store, "C1", 5, "合言葉はサンショウウオ").await;
        told(store, "C1", 6, "雨が降ってきた").await;
        noted(store, "C1", 10, ("上の話、覚えておいて", "合言葉", "サンショウウオ")).await.expect("noted");
        // We said so, which explains nothing.
        we_said(store, "C1", 11, "覚えました：サンショウウオ").await;
        deleted(store, "C1", 6, 20).await;
        assert_eq!(kept(store).await.len(), 1);
        deleted(store, "C1", 5, 21).await;
        assert!(kept(store).await.is_empty());
    };

    it_stays_where_others_said_the_same => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        told(store, "C1", 5, "合言葉はサンショウウオ").await;
        told(store, "C1", 6, "サンショウウオが合言葉だね").await;
        noted(store, "C1", 10, ("覚えておいて", "合言葉", "サンショウウオ")).await.expect("noted");
        deleted(store, "C1", 5, 20).await;
        assert_eq!(kept(store).await.len(), 1);
        deleted(store, "C1", 6, 21).await;
        assert!(kept(store).await.is_empty());
    };

    /// It cannot have been made from them.
    it_stays_when_words_go_that_were_said_later_or_elsewhere => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        told(store, "G1", 5, "合言葉はサンショウウオ").await;
        noted(store, "C1", 10, ("覚えておいて", "生き物", "サンショウウオ")).await.expect("noted");
        told(store, "C1", 12, "サンショウウオを見た").await;
        deleted(store, "C1", 12, 20).await;
        deleted(store, "G1", 5, 21).await;
        assert_eq!(kept(store).await.len(), 1);
    };

    /// A second question changed it: it stands for both.
    one_that_was_changed_goes_with_either_question => async |world: &World| {
        for gone in [10, 20] {
            let world = another(world).await;
            let store = &world.store;
            furnish(store).await;
            noted(store, "C1", 10, ("月曜", "会議", "月曜")).await.expect("noted");
            asked(store, "C1", 20, "火曜も").await;
            let hand = MemoHand::Reply(answering(store, "C1", 20).await);
            let change = MemoChange::default().content("月曜と火曜").expect("short");
            store.memos().edit(&hand, "会議", &change, at(20)).await.expect("edited");
            // Even one that a person has changed since.
            let change = MemoChange::default().priority(5).expect("1 to 5");
            store.memos().edit(&owner(Some("C1")), "会議", &change, at(25)).await.expect("edited");
            deleted(store, "C1", gone, 30).await;
            assert!(kept(store).await.is_empty(), "{gone}");
        }
    };

    /// What was noted elsewhere while a channel was open was asked for there.
    it_stays_when_another_channel_is_closed => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        let memory = crate::support::draft(MemoryScope::Channel, "C1", MemoryType::LongTerm, "サンショウウオ");
        write_memory(store, memory, crate::support::by_hand(), at(2)).await;
        noted(store, "C2", 20, ("覚えて", "合言葉", "サンショウウオ")).await.expect("noted");
        store.intake().apply(vec![channel("C1", ChannelKind::Private)], at(30)).await.expect("applied");
        assert_eq!(kept(store).await.len(), 1);
    };

    names_tags_and_details_count_as_well => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        told(store, "C1", 5, "サンショウウオ").await;
        told(store, "C1", 6, "オオカミ").await;
        told(store, "C1", 7, "Kangaroo").await;
        asked(store, "C1", 10, "覚えて").await;
        let hand = MemoHand::Reply(answering(store, "C1", 10).await);
        let detail = MemoChange::default().detail("山にサンショウウオ").expect("short");
        let tag = MemoChange::default().tags(&["オオカミ".to_owned()]).expect("short");
        store.memos().add(&hand, &draft("一", "1").with(&detail), at(10)).await.expect("added");
        store.memos().add(&hand, &draft("二", "2").with(&tag), at(10)).await.expect("added");
        store.memos().add(&hand, &draft("a KANGAROO", "3"), at(10)).await.expect("added");
        for (second, left) in [(5, 2), (6, 1), (7, 0)] {
            let gone = Event::Deleted { channel: ChannelId::new("C1"), ts: ts(second) };
            store.intake().apply(vec![gone], at(20 + second)).await.expect("applied");
            assert_eq!(kept(store).await.len(), left, "{second}");
        }
    };
}
