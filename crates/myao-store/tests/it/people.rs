//! Lines of memories that name somebody: found through a visibility, with their end, and gone with their text.

use myao_core::{
    chat::{ChannelId, ChannelKind, Event, UserId, Visibility},
    memory::{MemoryScope, MemoryType, StepId},
};
use myao_store::{Claim, GatherRequest, PersonLine, RestartFrom, Store};

use crate::{
    built::{chapter, commit, merge},
    gather::request,
    support::{
        World, at, by_hand, channel, claim, cut_chapters, draft, general, message, on_both, said, ts, user,
        write_memory,
    },
};

const FAIR: &str = "2026-03-02\n- Ana: The Lindwell fair is on 2 May.";
const BEES: &str = "2026-03-03\n- Ken: Decided: Ana keeps the twelve hives in Holm.";
const MOVED: &str = "2026-03-09\n- Ken: The Lindwell fair has been moved: it is now on 9 June.";

/// C1 with a message in each of seven chapters and these texts for the first ones; C2, private, with a line of its own.
async fn written(store: &Store, texts: &[&str]) -> Claim {
    let mut events = vec![channel("C1", ChannelKind::Public), channel("C2", ChannelKind::Private)];
    events.extend([user("U1", "Ana"), user("U2", "Ken"), user("U3", "Zoe")]);
    events.extend((0..8).map(|n| said(n * 10 + 1, "something")));
    store.intake().apply(events, at(0)).await.expect("applied");
    while !store.recall().index_some().await.expect("indexed").is_complete {}
    let claimed = claim(store, "channel:C1").await;
    cut_chapters(store, &claimed, 0, 7).await;
    for (n, text) in (1..).zip(texts) {
        commit(store, &claimed, chapter(n, text)).await;
    }
    let secret =
        draft(MemoryScope::Channel, "C2", MemoryType::ShortTerm, "- Zoe: Decided: Ana gets 500 euros.");
    write_memory(store, secret, by_hand(), at(2)).await;
    claimed
}

fn told(line: &PersonLine) -> String {
    let end = line.ended.as_ref().map(|end| format!(" ({} v{}: {})", end.day, end.version, end.words));
    format!("{} v{} {}{}", line.channel, line.version, line.words, end.unwrap_or_default())
}

async fn of(store: &Store, seen: &Visibility, person: &str) -> Vec<String> {
    let found = store.recall().lines_of_person(seen, &UserId::new(person), 99).await.expect("read");
    assert_eq!(found.all, found.lines.len() as u64);
    found.lines.iter().map(told).collect()
}

async fn of_ana(store: &Store) -> Vec<String> {
    of(store, &Visibility::Owner, "U1").await
}

async fn whole(store: &Store) {
    let found = store.verify().await.expect("verified").faults;
    let of_c1 = found.iter().filter(|fault| !fault.place.contains("C2"));
    assert_eq!(of_c1.count(), 0, "{found:?}");
}

/// Words of the lines that a prompt in a channel may hold.
async fn in_prompts(store: &Store, place: &str) -> Vec<String> {
    let request = GatherRequest { most_person_lines: 9, ..request(&ChannelId::new(place)) };
    let gathered = store.gather().for_prompt(&request).await.expect("read").expect("a known channel");
    gathered.person_lines.into_iter().map(|line| line.words).collect()
}

const FAIR_ENDED: &str = "C1 v1 Ana: The Lindwell fair is on 2 May. \
    (2026-03-09 v3: Ken: The Lindwell fair has been moved: it is now on 9 June.)";
const BEES_HOLD: &str = "C1 v2 Ken: Decided: Ana keeps the twelve hives in Holm.";

on_both! {
    lines_that_hold_come_before_those_that_ended => async |world: &World| {
        let store = &world.store;
        written(store, &[FAIR, BEES, MOVED]).await;
        assert_eq!(of_ana(store).await, [BEES_HOLD, "C2 v1 Zoe: Decided: Ana gets 500 euros.", FAIR_ENDED]);
        let some = store.recall().lines_of_person(&Visibility::Owner, &UserId::new("U1"), 1).await.expect("read");
        assert_eq!((some.lines.len(), some.all), (1, 3));
        assert_eq!(of(store, &Visibility::Owner, "U9").await, Vec::<String>::new());
        whole(store).await;
    };

    a_place_is_told_what_it_sees => async |world: &World| {
        let store = &world.store;
        written(store, &[FAIR, BEES, MOVED]).await;
        let from = async |id: &str| store.hearing().seen_from(&ChannelId::new(id)).await.expect("known");
        assert_eq!(of(store, &from("C1").await, "U1").await, [BEES_HOLD, FAIR_ENDED]);
        assert_eq!(of(store, &from("C2").await, "U1").await.len(), 3);
        assert_eq!(of(store, &Visibility::only(&ChannelId::new("C2")), "U1").await.len(), 1);
        store.intake().apply(vec![channel("C1", ChannelKind::Private)], at(70)).await.expect("applied");
        assert_eq!(of(store, &from("C2").await, "U1").await.len(), 1, "C1 is private now");
    };

    prompts_hold_what_holds_of_those_who_speak => async |world: &World| {
        let store = &world.store;
        written(store, &[FAIR, BEES, MOVED]).await;
        let talk = ["C1", "C2"].map(|id| Event::Message(message(id, 80, "hello")));
        store.intake().apply(talk.to_vec(), at(80)).await.expect("applied");
        // Ana, U1, says all of it.
        let bees = BEES_HOLD.trim_start_matches("C1 v2 ").to_owned();
        assert_eq!(in_prompts(store, "C1").await, std::slice::from_ref(&bees));
        let secret = "Zoe: Decided: Ana gets 500 euros.".to_owned();
        let mut private = in_prompts(store, "C2").await;
        private.sort();
        assert_eq!(private, [bees, secret]);
        let request = GatherRequest { most_person_lines: 0, ..request(&general()) };
        assert_eq!(store.gather().for_prompt(&request).await.expect("read").expect("known").person_lines, []);
    };

    a_version_tells_what_replaced_its_lines => async |world: &World| {
        let store = &world.store;
        written(store, &[FAIR, BEES, MOVED]).await;
        let versions = store.memory().version_log(&Visibility::Owner, &general()).await.expect("read");
        let steps: Vec<StepId> = versions.iter().map(|log| log.step).collect();
        let ended = store.recall().ended_lines_of(&Visibility::Owner, &general(), &steps).await.expect("read");
        let told = ended.iter().map(|line| (line.step, line.nth, line.end.version, line.end.day.to_string()));
        assert_eq!(told.collect::<Vec<_>>(), [(steps[0], 1, 3, "2026-03-09".to_owned())]);
        assert_eq!(ended[0].end.words, "Ken: The Lindwell fair has been moved: it is now on 9 June.");
        store.intake().apply(vec![channel("C1", ChannelKind::Private)], at(70)).await.expect("applied");
        let elsewhere = store.hearing().seen_from(&ChannelId::new("C2")).await.expect("known");
        assert_eq!(store.recall().ended_lines_of(&elsewhere, &general(), &steps).await.expect("read"), []);
    };

    lines_go_with_their_words => async |world: &World| {
        let store = &world.store;
        let claimed = written(store, &[FAIR, BEES, MOVED]).await;
        let gone = Event::Deleted { channel: general(), ts: ts(11) };
        store.intake().apply(vec![gone], at(100)).await.expect("applied");
        assert!(!of_ana(store).await.contains(&BEES_HOLD.to_owned()));
        let versions = store.memory().version_log(&Visibility::Owner, &general()).await.expect("read");
        let steps: Vec<StepId> = versions.iter().map(|log| log.step).collect();
        commit(store, &claimed, merge("all", 1, &steps[..1], None)).await;
        store.memory().drop_from(&claimed, &general(), RestartFrom::Chapter(1), by_hand(), at(150)).await.expect("restarted");
        assert_eq!(of_ana(store).await, ["C2 v1 Zoe: Decided: Ana gets 500 euros."]);
        whole(store).await;
    };

    lines_follow_a_channel_that_got_another_id => async |world: &World| {
        let store = &world.store;
        written(store, &[FAIR, BEES, MOVED]).await;
        assert!(store.intake().rename_channel_everywhere(&general(), &ChannelId::new("C9"), at(60)).await.expect("renamed"));
        assert!(of_ana(store).await.contains(&BEES_HOLD.replace("C1", "C9")));
    };

    /// A database of the version before has lines, and does not know whom they name.
    an_older_archive_is_looked_through_in_the_background => async |world: &World| {
        let store = &world.store;
        written(store, &[FAIR, BEES, MOVED]).await;
        let before = of_ana(store).await;
        crate::recall::run(world, "DELETE FROM line_people; UPDATE settings SET value = 'lines 1' WHERE key = 'lines'").await;
        assert_eq!(of_ana(store).await, Vec::<String>::new());
        while !store.recall().index_some().await.expect("indexed").is_complete {}
        assert_eq!(of_ana(store).await, before);
        whole(store).await;
    };

    a_row_that_is_not_its_lines_is_a_fault => async |world: &World| {
        let store = &world.store;
        written(store, &[FAIR, BEES, MOVED]).await;
        crate::recall::run(world, "UPDATE line_people SET worth = worth + 7 WHERE user_id = 'U2'").await;
        let found = store.verify().await.expect("verified").faults;
        assert!(found.iter().any(|fault| fault.what.contains("whom its lines name")), "{found:?}");
    };

    programs_are_nobody => async |world: &World| {
        let store = &world.store;
        let robot = myao_core::chat::User { id: UserId::new("B1"), name: "Robo".to_owned(), is_bot: true };
        store.intake().apply(vec![Event::User(robot)], at(0)).await.expect("applied");
        written(store, &["- Robo: Decided: release 12 is out."]).await;
        assert_eq!(of(store, &Visibility::Owner, "B1").await, Vec::<String>::new());
    };
}
