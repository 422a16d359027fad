//! A past that was lived through, judged again: the replay finds what the ledger has.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use myao_companion::replay::{Judge, Past, Replay, ReplayOutcome};
use myao_core::{
    chat::{ChannelId, MessageTs, Place, PlaceFacts, Visibility},
    ports::{Material, Request},
    wording::Templates,
};
use myao_store::{Range, VerdictRecord};
use proptest::{prelude::*, test_runner::Config};

use crate::judging::{
    Room,
    slow_tests::random::{Step, steps},
    verdict,
};

/// A judge who decides by the newest message it is shown, the same at any time.
fn judge(request: &Request, seed: u64) -> String {
    let Material::Conversation(talk) = &request.material else { panic!("{request:?}") };
    let newest = talk.last().expect("something was said").ts.as_micros().cast_unsigned() / 1_000_000;
    let sum = newest.wrapping_mul(2_654_435_761).wrapping_add(seed);
    let sure = [0.5, 0.75, 0.95][usize::try_from(sum / 3 % 3).expect("small")];
    verdict(sum % 3 == 0, sure, (sum % 5 == 0).then_some(150))
}

/// A moment: where, about which message, when, after how long.
type Moments = Vec<(Place, MessageTs, Timestamp, Option<SignedDuration>)>;

fn of_ledger(records: Vec<VerdictRecord>) -> Moments {
    records.into_iter().map(|r| (r.place, r.latest_ts, r.at, r.wait)).collect()
}

fn of_replay(outcome: &ReplayOutcome) -> Moments {
    let moments = outcome.moments.iter();
    moments.map(|m| (m.place.clone(), m.latest_ts, m.at, Some(m.wait))).collect()
}

async fn lived(steps: &[Step], seed: u64) -> Room {
    let mut room = Room::judged_by(move |request| judge(request, seed)).await;
    room.world.config.response.jitter_ratio = 0.3;
    room.world.store.replies().seed_of_chance(7).await.expect("drawn");
    let mut roots = Vec::new();
    for step in steps {
        match step {
            Step::Say { who, reply_to, mention } => {
                let below = reply_to.and_then(|back| roots.iter().rev().nth(back).copied());
                let text = if *mention { "<@UMYAO> どう？" } else { "どう？" };
                let ts = room.say(["U1", "U2"][*who], ("C1", below), text).await;
                if below.is_none() {
                    roots.push(ts);
                }
                room.live(1).await;
            }
            Step::Wait(seconds) => room.live(*seconds).await,
        }
    }
    room.live(4 * 3600).await;
    room
}

async fn past(room: &Room) -> Past {
    let store = &room.world.store;
    let rows = store.archive().channels(&Visibility::Owner).await.expect("read");
    let id = ChannelId::new("C1");
    let channel = rows.into_iter().find(|row| row.channel.id == id).expect("C1").channel;
    let said = store.replies().utterances_between(&id, MessageTs::MIN, MessageTs::MAX).await.expect("read");
    let all = Range { channel: id, from: MessageTs::MIN, to: MessageTs::MAX };
    let (_, messages) = store.archive().talk_in_range(&Visibility::Owner, &all).await.expect("read");
    let names = store.archive().names(&Visibility::of(&channel)).await.expect("read");
    Past {
        facts: PlaceFacts::new(channel.clone()),
        channel,
        names,
        said,
        messages: messages.into_iter().map(|message| (message.ts, message)).collect(),
    }
}

/// The same past, judged by the same judge.
async fn again(room: &Room) -> ReplayOutcome {
    let manners = room.world.config.manners(7);
    let config = &room.world.config;
    let templates = Templates::new(config.locale.language, &BTreeMap::new()).expect("ours");
    let asker = room.world.asker();
    let replay = Replay {
        config,
        manners: &manners,
        templates: &templates,
        judge: Judge::Model(&asker),
        most: u64::MAX,
    };
    let span = (room.began, room.world.now());
    replay.channel(&past(room).await, span, &mut 0).await.expect("judged")
}

proptest! {
    #![proptest_config(Config { cases: 16, max_shrink_iters: 100, ..Config::default() })]
    #[test]
    fn the_replay_finds_the_moments_of_the_ledger(steps in steps(), seed in any::<u64>()) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            let room = lived(&steps, seed).await;
            let ledger = of_ledger(room.ledger().await);
            let asked = room.judge.calls();
            let outcome = again(&room).await;
            prop_assert_eq!(of_replay(&outcome), ledger);
            prop_assert_eq!((outcome.failed, outcome.is_cut), (0, false));
            prop_assert_eq!(room.judge.calls(), 2 * asked, "each moment once more");
            Ok(())
        })?;
    }
}

/// Nor is more said in an hour than was.
#[tokio::test]
async fn the_replay_keeps_to_four_answers_an_hour() {
    let room = crate::judging::forward().await;
    for i in 0..8 {
        let topic = room.say("U1", crate::judging::top("C1"), &format!("話題{i}")).await;
        room.live(1).await;
        room.say("U2", ("C1", Some(topic)), "?").await;
        room.live(1).await;
    }
    room.live(1800).await;
    let outcome = again(&room).await;
    assert_eq!(of_replay(&outcome), of_ledger(room.ledger().await));
    assert_eq!(outcome.moments.iter().filter(|moment| moment.said_at.is_some()).count(), 4);
}

/// While an answer waits for its time, nothing else is judged in its place: not before it is dropped, or given
/// since somebody asked for it.
#[tokio::test]
async fn the_replay_leaves_a_place_alone_while_an_answer_is_under_way() {
    for (words, judged) in [("やっぱり違うかも", 900), ("<@UMYAO> 分かる？", 720)] {
        let room = Room::judged_by(|_| verdict(true, 0.8, Some(600))).await;
        room.say("U1", crate::judging::top("C1"), "?").await;
        room.live(310).await;
        room.say("U1", crate::judging::top("C1"), words).await;
        // No two messages have one time stamp.
        room.world.clock.advance(SignedDuration::from_secs(1));
        room.live(199).await;
        room.say("U2", crate::judging::top("C1"), "!").await;
        room.live(2000).await;
        let ledger = of_ledger(room.ledger().await);
        assert_eq!(room.judged_at().await, [300, judged], "{words}");
        assert_eq!(of_replay(&again(&room).await), ledger, "{words}");
    }
}
