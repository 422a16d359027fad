//! What other programs find: their own conversations, the places that their token names, and open channels; each as it
//! stands when they ask.

use myao_core::{
    chat::{
        AgentId, AgentSees, AgentToken, Channel, ChannelId, ChannelKind, Event, Mentions, Message, UserId,
        Visibility,
    },
    recall::RecallFilter,
};
use myao_store::{OptOuts, RecallRequest, Recalled, Store};

use crate::support::{World, at, channel, message, on_both, ts, user};

const WORD: &str = "marzipan";

fn agent(letter: u8, sees: AgentSees) -> AgentToken {
    AgentToken { agent: AgentId::draw([letter; 10]), name: format!("a{letter}"), sees, may_write: true }
}

fn some(ids: &[&str]) -> AgentSees {
    AgentSees::Channels(ids.iter().map(|id| ChannelId::new(*id)).collect())
}

async fn furnish(store: &Store) {
    let mut events = vec![user("U1", "Ann")];
    for (id, kind) in
        [("C1", ChannelKind::Public), ("C2", ChannelKind::Private), ("C3", ChannelKind::Private)]
    {
        events.extend([channel(id, kind), Event::Message(message(id, 1, &format!("{WORD} in {id}")))]);
    }
    for letter in [1, 2] {
        let id = agent(letter, AgentSees::Open).agent.conversation("abc");
        let name = format!("a{letter}/notes");
        events.push(Event::Channel(Channel { id: id.clone(), name, kind: ChannelKind::Dm, external: false }));
        events.push(Event::Message(message(id.as_str(), 2, &format!("{WORD} of agent {letter}"))));
    }
    store.intake().apply(events, at(10)).await.expect("applied");
    while !store.recall().index_some().await.expect("indexed").is_complete {}
}

fn texts(found: &[Recalled]) -> Vec<String> {
    let mut texts: Vec<String> =
        found.iter().filter_map(|found| found.text.as_message()).map(|m| m.text.clone()).collect();
    texts.sort();
    texts
}

fn request() -> RecallRequest {
    RecallRequest {
        words: WORD.to_owned(),
        filter: RecallFilter::default(),
        most: 20,
        with_memories: true,
        now: ts(20),
        meaning: None,
        named_in: None,
    }
}

async fn reaches_all(store: &Store, visibility: &Visibility) -> bool {
    let nobody = |_: &[Recalled]| Mentions::default();
    store.recall().search_to_show(visibility, &request(), nobody).await.expect("read").reaches_all
}

/// What an agent finds by the word, which is the same that it is shown as newest.
async fn found_by(store: &Store, token: &AgentToken) -> Vec<String> {
    let visibility = store.hearing().seen_by_agent(token).await.expect("read");
    let found = texts(&store.recall().search(&visibility, &request()).await.expect("read"));
    let newest =
        store.recall().newest_messages(&visibility, &RecallFilter::default(), 20).await.expect("read");
    assert_eq!(texts(&newest), found);
    found
}

on_both! {
    an_agent_finds_its_own_the_places_of_its_token_and_what_is_open => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        let found = async |letter, sees| found_by(store, &agent(letter, sees)).await;
        let [c1, c2, c3] = ["C1", "C2", "C3"].map(|id| format!("{WORD} in {id}"));
        let [own1, own2] = [1, 2].map(|letter| format!("{WORD} of agent {letter}"));
        assert_eq!(found(1, AgentSees::Open).await, [c1.clone(), own1.clone()]);
        assert_eq!(found(2, AgentSees::Open).await, [c1.clone(), own2.clone()]);
        assert_eq!(found(3, AgentSees::Open).await, std::slice::from_ref(&c1));
        assert_eq!(found(1, some(&["C2"])).await, [c1.clone(), c2.clone(), own1.clone()]);
        assert_eq!(found(3, some(&["C2", "C3"])).await, [c1.clone(), c2.clone(), c3.clone()]);
        assert_eq!(found(3, some(&["C9"])).await, Vec::<String>::new(), "no such place");
        assert_eq!(found(3, AgentSees::Owner).await, [c1.clone(), c2.clone(), c3, own1, own2]);
        // A list of places is no pattern.
        assert_eq!(found(3, some(&["C|2", "%", "C_", ""])).await, Vec::<String>::new());

        store.intake().apply(vec![channel("C1", ChannelKind::Private), channel("C3", ChannelKind::Public)], at(30))
            .await.expect("applied");
        let moved = found(3, some(&["C2"])).await;
        assert_eq!(moved, [c2.clone(), format!("{WORD} in C3")], "before the index follows");
        while !store.recall().index_some().await.expect("indexed").is_complete {}
        assert_eq!(found(3, some(&["C2"])).await, moved);
        let outside = Channel { id: ChannelId::new("C2"), name: "c2".to_owned(), kind: ChannelKind::Private, external: true };
        store.intake().apply(vec![Event::Channel(outside)], at(31)).await.expect("applied");
        assert_eq!(found(3, some(&["C2"])).await, [c2], "people from outside see nothing of the house");
    };

    an_agent_of_many_conversations_is_told_that_not_all_are_searched => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        let agent = agent(7, AgentSees::Open);
        let to = store.hearing().seen_by_agent(&agent).await.expect("read");
        for so_far in 0..=101 {
            let id = agent.agent.conversation(&format!("{so_far}"));
            let named = Channel { id: id.clone(), name: "a7/c".to_owned(), kind: ChannelKind::Dm, external: false };
            let said = Event::Message(message(id.as_str(), 100 + so_far, "hello"));
            if so_far == 100 {
                assert!(reaches_all(store, &to).await, "a hundred are searched");
            }
            store.intake().apply(vec![Event::Channel(named), said], at(500)).await.expect("applied");
        }
        assert!(!reaches_all(store, &to).await);
        for other in [Visibility::Owner, Visibility::Open, Visibility::only(&ChannelId::new("C2"))] {
            assert!(reaches_all(store, &other).await, "{other:?}");
        }
    };

    nobody_is_shown_what_people_said_who_opted_out => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        let by = |user: &str| Message { user: UserId::new(user), ..message("C1", 5, "hello") };
        let both = || vec![by("U1"), by("U7")];
        assert_eq!(store.hearing().without_opted_out(both()).await.expect("read"), both());
        let out = store.clone().heeding(OptOuts::new(&["U1".to_owned()], &[]));
        out.intake().note_opted_out(at(40)).await.expect("noted");
        assert_eq!(out.hearing().without_opted_out(both()).await.expect("read"), [by("U7")]);
        let newest =
            out.recall().newest_messages(&Visibility::Owner, &RecallFilter::default(), 20).await.expect("read");
        assert_eq!(texts(&newest), Vec::<String>::new(), "all of it was said by U1");
    };
}
