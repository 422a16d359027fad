//! What fits best comes first; what is written in another way is found all the same.

use myao_core::chat::{ChannelId, ChannelKind, FileRef, Message, UserId, Visibility};
use myao_store::GatherRequest;

use super::{asked, found, request, tell};
use crate::support::{World, at, channel, general, message, on_both, ts};

on_both! {
    a_word_comes_before_a_longer_one_that_holds_it => async |world: &World| {
        let store = &world.store;
        tell(store, vec![message("C1", 1, "京都に行きたい"), message("C1", 2, "東京都に行きたい"), message("C1", 3, "東京に行きたい")]).await;
        assert_eq!(found(store, "京都").await, ["京都に行きたい", "東京都に行きたい"]);
        assert_eq!(found(store, "東京都").await[0], "東京都に行きたい");
    };

    width_case_and_kana_do_not_matter => async |world: &World| {
        let store = &world.store;
        let texts = ["ｶﾀｶﾅの話", "カタカナの話", "かたかなの話", "ＡＢＣ商事", "abc商事", "ガギグ", "ｶﾞｷﾞｸﾞ"];
        let messages = (1..).zip(texts).map(|(second, text)| message("C1", second, text)).collect();
        tell(store, messages).await;
        for words in ["ｶﾀｶﾅ", "カタカナ", "かたかな"] {
            assert_eq!(found(store, words).await.len(), 3, "{words}");
        }
        for words in ["ＡＢＣ", "abc", "Abc"] {
            assert_eq!(found(store, words).await.len(), 2, "{words}");
        }
        for words in ["ガギグ", "ｶﾞｷﾞｸﾞ", "がぎぐ"] {
            assert_eq!(found(store, words).await.len(), 2, "{words}");
        }
        assert!(found(store, "カキク").await.is_empty());
    };

    a_single_character_is_found => async |world: &World| {
        let store = &world.store;
        let texts = ["日本酒を飲む", "いぬを飼う", "ネコ", "🦕を見た", "a b"];
        let messages = (1..).zip(texts).map(|(second, text)| message("C1", second, text)).collect();
        tell(store, messages).await;
        assert_eq!(found(store, "酒").await, ["日本酒を飲む"]);
        assert_eq!(found(store, "🦕").await, ["🦕を見た"]);
        assert_eq!(found(store, "ぬ").await, ["いぬを飼う"]);
        assert_eq!(found(store, "ﾈ").await, ["ネコ"]);
        assert_eq!(found(store, "「ぬ」").await, ["いぬを飼う"]);
        assert!(found(store, "め").await.is_empty());
    };

    english_is_stemmed_and_names_of_code_are_cut => async |world: &World| {
        let store = &world.store;
        let texts = ["we deploy today", "it was deployed", "deploying it now", "see foo_bar", "in Data.Map", "parseJson"];
        let messages = (1..).zip(texts).map(|(second, text)| message("C1", second, text)).collect();
        tell(store, messages).await;
        for words in ["deploy", "Deployed", "deploying", "DEPLOYS"] {
            assert_eq!(found(store, words).await.len(), 3, "{words}");
        }
        for (words, text) in [("bar", "see foo_bar"), ("foo_bar", "see foo_bar"), ("map", "in Data.Map"), ("json", "parseJson")] {
            assert_eq!(found(store, words).await, [text], "{words}");
        }
    };

    // The kanji of the question stand elsewhere, the words that tell what it is about are of hiragana.
    words_of_hiragana_are_found_after_the_others => async |world: &World| {
        let store = &world.store;
        let texts = ["ぐりとぐらのえほん", "駅前で待つ", "ねこがいる"];
        let messages = (1..).zip(texts).map(|(second, text)| message("C1", second, text)).collect();
        tell(store, messages).await;
        assert_eq!(found(store, "駅前でえほんをよむ").await, ["駅前で待つ", "ぐりとぐらのえほん"]);
    };

    a_prompt_leaves_out_what_shares_a_word_and_no_more => async |world: &World| {
        let store = &world.store;
        store.intake().apply(vec![channel("C1", ChannelKind::Public), channel("C2", ChannelKind::Public)], at(0)).await.expect("applied");
        let chatter = (2..30).map(|second| message("C2", second, &format!("きょうもねこが{second}ひきいます")));
        let told = message("C2", 1, "新茶の発送は5月8日に決めます");
        let asked = message("C1", 40, "新茶の発送はいつからになりますか");
        tell(store, std::iter::once(told).chain(chatter).chain([asked]).collect()).await;
        assert!(found(store, "新茶の発送はいつからになりますか").await.len() > 2, "a search shows them, last");
        let request = GatherRequest { most_recalled: 30, ..crate::gather::request(&general()) };
        let gathered = store.gather().for_prompt(&request).await.expect("read").expect("a known channel");
        let recalled: Vec<String> = gathered.recalled.iter().map(|found| found.text.words()).collect();
        assert_eq!(recalled, ["新茶の発送は5月8日に決めます"]);
    };

    a_rare_name_in_the_question_tells_most => async |world: &World| {
        let store = &world.store;
        let named = "they said yes by the way, so the plants in Brackenford get watered by somebody who actually likes them";
        let texts = [named, "hello everybody", "good night everybody", "everybody happy"];
        let messages = (1..).zip(texts).map(|(second, text)| message("C1", second, text)).collect();
        tell(store, messages).await;
        assert_eq!(found(store, "Does everybody like it in Brackenford?").await[0], named);
    };

    // A dozen pairs of what everybody writes count less than the one word that says what is asked about.
    a_word_tells_more_than_the_phrase_around_it => async |world: &World| {
        let store = &world.store;
        let texts = ["rhubarb を煮ました", "タルトが焼けました", "温室に苗を植えた"];
        let told = (1..).zip(texts).map(|(second, text)| message("C1", second, text));
        let asked = (10..70).map(|second| message("C1", second, &format!("{second}番の使い方を教えてください")));
        tell(store, told.chain(asked).collect()).await;
        for (asked, told) in [
            ("rhubarbの使い方を教えてください", "rhubarb を煮ました"),
            ("タルトの作り方を教えてください", "タルトが焼けました"),
            ("温室の使い方を教えてください", "温室に苗を植えた"),
        ] {
            assert_eq!(found(store, asked).await[0], told, "{asked}");
        }
    };

    letters_that_two_words_share_are_incidental => async |world: &World| {
        let store = &world.store;
        let reply = |second, text: &str| Message { thread_ts: Some(ts(20)), ..message("C1", second, text) };
        let texts = ["ゆっくり育てましょう", "エラーメッセージが出た", "ステッカーを配る", "マフィンの型と、ゆで卵", "ファイルを送った", "サーバを直した", "テストの試合表"];
        let mut messages: Vec<Message> = (1..).zip(texts).map(|(second, text)| message("C1", second, text)).collect();
        messages.extend([message("C1", 20, "パネルを塗る"), reply(21, "さんぷるも要る"), reply(22, "ネルシャツで来て")]);
        tell(store, messages).await;
        let told = async |words: &str| {
            let found = store.recall().search(&Visibility::Owner, &request(words)).await.expect("asked");
            let mut told: Vec<String> = found.iter().filter(|one| !one.is_incidental).map(|one| one.text.words()).collect();
            told.sort();
            (told, found.len())
        };
        for words in ["ふぁっくす", "ファックス", "ラーメン", "サッカー", "テラリウムのラーメン"] {
            let (told, found) = told(words).await;
            assert!(told.is_empty() && found > 0, "{words}: {told:?} of {found}");
        }
        for (words, text) in [("ファイルシステム", "ファイルを送った"), ("サーバー", "サーバを直した"), ("ゆっくりと", "ゆっくり育てましょう"), ("試合", "テストの試合表")] {
            assert_eq!(told(words).await.0, [text], "{words}");
        }
        assert_eq!(told("パネル").await.0.len(), 2, "a reply of a thread that holds the word");
    };

    a_thread_is_found_by_all_that_was_said_in_it => async |world: &World| {
        let store = &world.store;
        let reply = |second, text: &str| Message { thread_ts: Some(ts(1)), ..message("C1", second, text) };
        tell(store, vec![
            message("C1", 1, "how do I resize an image?"),
            reply(2, "with imagemagick"),
            reply(3, "the flag is geometry"),
            message("C1", 50, "an image of a cat"),
        ]).await;
        let found = found(store, "imagemagick geometry resize").await;
        assert_eq!(found[0], "how do I resize an image?");
        assert_eq!(found.len(), 3, "{found:?}");
    };

    filters_narrow => async |world: &World| {
        let store = &world.store;
        let by = |user: &str, message: Message| Message { user: UserId::new(user), ..message };
        let file = FileRef { name: "a.pdf".to_owned(), ..FileRef::default() };
        tell(store, vec![
            by("U1", message("C1", 1, "a crocodile of hana")),
            by("U2", message("C1", 2, "the big crocodile of ken https://example.org/crocodile")),
            by("U2", Message { files: vec![file], ..message("C2", 3, "crocodile big and green") }),
        ]).await;
        let with = async |change: &dyn Fn(&mut myao_store::RecallRequest)| {
            let mut request = request("crocodile");
            change(&mut request);
            asked(store, &Visibility::Owner, &request).await.len()
        };
        assert_eq!(with(&|_| {}).await, 3);
        assert_eq!(with(&|r| r.filter.users = vec![UserId::new("U2")]).await, 2);
        assert_eq!(with(&|r| r.filter.users = vec![UserId::new("U1"), UserId::new("U2")]).await, 3);
        assert_eq!(with(&|r| r.filter.channels = vec![general()]).await, 2);
        assert_eq!(with(&|r| r.filter.channels = vec![ChannelId::new("C2"), general()]).await, 3);
        assert_eq!(with(&|r| r.filter.since = Some(ts(2))).await, 2);
        assert_eq!(with(&|r| r.filter.before = Some(ts(2))).await, 1);
        assert_eq!(with(&|r| { r.filter.since = Some(ts(2)); r.filter.before = Some(ts(3)); r.filter.channels = vec![general()]; }).await, 1);
        assert_eq!(with(&|r| r.filter.with_link = true).await, 1);
        assert_eq!(with(&|r| r.filter.with_file = true).await, 1);
        assert_eq!(with(&|r| r.filter.phrases = vec!["Big Crocodile".to_owned()]).await, 1);
        assert_eq!(with(&|r| r.most = 2).await, 2);
    };
}
