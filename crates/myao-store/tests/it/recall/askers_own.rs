//! What is found for a question that says whose thing it asks for: what whoever asks said, or others of them, comes first
//! (ADR 146).

use myao_core::chat::{ChannelKind, Message, UserId};
use myao_store::GatherRequest;

use super::tell;
use crate::support::{World, at, channel, general, message, on_both, ts, user};

const DAY: i64 = 86_400;
/// More people than a prompt is shown.
const MANY: i64 = 40;

async fn meet(world: &World) {
    let known = [
        channel("C1", ChannelKind::Public),
        channel("C2", ChannelKind::Public),
        user("U1", "ann"),
        user("U2", "ben"),
        user("U3", "亜美"),
    ];
    world.store.intake().apply(known.to_vec(), at(0)).await.expect("applied");
}

fn said(who: &str, place: &str, day: i64, text: &str) -> Message {
    Message { ts: ts(day * DAY), user: UserId::new(who), ..message(place, 1, text) }
}

/// The best of what is found for somebody who asks this in C1, two months later; `most` is how much is looked for.
async fn found(world: &World, who: &str, words: &str, most: usize) -> Vec<String> {
    let request = GatherRequest {
        most_recalled: most,
        most_messages: 5,
        as_if_said: Some(said(who, "C1", 60, words)),
        now: at(60 * DAY),
        ..crate::gather::request(&general())
    };
    let gathered = world.store.gather().for_prompt(&request).await.expect("read").expect("a known channel");
    gathered.recalled.iter().map(|found| found.text.words()).collect()
}

on_both! {
    what_is_the_askers_comes_before_what_is_others => async |world: &World| {
        meet(world).await;
        let own = "The Palewater licence of mine runs until May.";
        let others = "My Palewater licence: the Palewater licence is good until June.";
        tell(&world.store, vec![said("U1", "C2", 1, own), said("U2", "C2", 9, others)]).await;
        let asked = "Until when does my Palewater licence run?";
        assert_eq!(found(world, "U1", asked, 20).await, [own, others]);
        assert_eq!(found(world, "U2", asked, 20).await, [others, own]);
    };

    what_others_say_of_the_asker_counts_as_well => async |world: &World| {
        meet(world).await;
        let told = ["亜美さんの霧ヶ浦の席は窓際です。", "<@U1> has the Palewater desk by the window."];
        let others = ["自分の霧ヶ浦の席、自分の席は入り口です。", "My desk in Palewater, my Palewater desk, is near the door."];
        let talk = [(told[0], others[0]), (told[1], others[1])].into_iter().zip([1, 3]);
        let talk = talk.flat_map(|((told, others), day)| [said("U2", "C2", day, told), said("U2", "C2", day + 1, others)]);
        tell(&world.store, talk.collect()).await;
        assert_eq!(found(world, "U3", "私の霧ヶ浦の席はどこ？", 20).await, [told[0], others[0]]);
        assert_eq!(found(world, "U1", "Where is my Palewater desk?", 20).await, [told[1], others[1]]);
    };

    what_the_asker_said_is_found_however_many_others_said_the_same => async |world: &World| {
        meet(world).await;
        let others = (1..=MANY).map(|day| said("U2", "C2", day, &format!("my Palewater permit number {day}, Palewater permit")));
        let own = "Got a long letter today, from the office at the harbour: the Palewater permit is valid again.";
        tell(&world.store, others.chain([said("U1", "C2", 1, own)]).collect()).await;
        assert_eq!(found(world, "U1", "Is my Palewater permit valid?", 3).await.first().map(String::as_str), Some(own));
    };

    what_is_the_groups_comes_before_what_is_anothers => async |world: &World| {
        meet(world).await;
        let here = "Palewater: the stall is number 7, under the bridge.";
        let elsewhere = "Our Palewater stall, our stall is number 12.";
        tell(&world.store, vec![said("U2", "C1", 1, here), said("U2", "C2", 9, elsewhere)]).await;
        // So many that the conversation does not hold the first.
        let later = (10..20).map(|day| said("U1", "C1", day, "It rains again, bring boots."));
        tell(&world.store, later.collect()).await;
        let first = found(world, "U1", "Where is our Palewater stall?", 20).await;
        assert_eq!(first.first().map(String::as_str), Some(here), "{first:?}");
    };
}
