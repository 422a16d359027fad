//! Time is moved on, and what is due happens.

use jiff::SignedDuration;
use myao_core::{chat::instant_after, ports::Clock as _};

use super::{Town, aki, general, in_general, ken};

const DAY: SignedDuration = SignedDuration::from_hours(24);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_sleeps_wakes_when_time_is_moved_on() {
    let town = Town::asleep().await;
    let then = instant_after(town.clock.now(), DAY);
    let asleep = tokio::spawn(town.clock.sleep_until(then));
    town.clock.move_to(instant_after(town.clock.now(), SignedDuration::from_hours(1)));
    assert!(!asleep.is_finished());
    town.clock.move_to(then);
    asleep.await.expect("awake");
    town.clock.move_to(instant_after(then, -DAY));
    assert!(town.clock.now() >= then, "it never goes back");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn chapters_close_and_memories_are_written_as_time_passes() {
    let town = Town::awake().await;
    town.say(&aki(), &in_general(), "Decided: the bat count is on Friday 27 March.").await;
    town.say(&ken(), &in_general(), "I bring the forty boxes.").await;
    assert_eq!(town.store.memory().chapters_in_channel(&general()).await.expect("read").latest_version, 0);
    town.workspace.pass(SignedDuration::from_hours(3)).await.expect("passed");
    let chapters = town.store.memory().chapters_in_channel(&general()).await.expect("read");
    assert_eq!(chapters.latest_version, 1, "two hours of silence end a chapter");
    assert_eq!(town.long_term(&general()).await, "", "a small chapter waits a day to be folded in");
    let before = town.clock.now();
    let then = town.workspace.pass(DAY * 2).await.expect("passed");
    assert!(
        then >= instant_after(before, DAY * 2)
            && then < instant_after(before, DAY * 2 + SignedDuration::from_mins(1))
    );
    let memory = town.long_term(&general()).await;
    assert!(memory.contains("27 March"), "{memory}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn edits_and_deletions_reach_what_is_remembered() {
    let town = Town::awake().await;
    let date = town.say(&aki(), &in_general(), "Decided: the bat count is on Friday 27 March.").await;
    let price = town.say(&ken(), &in_general(), "Decided: the boxes cost 166 pounds, from Petersham.").await;
    town.workspace.pass(DAY * 2).await.expect("passed");
    let memory = town.long_term(&general()).await;
    assert!(memory.contains("27 March") && memory.contains("Petersham"), "{memory}");
    town.workspace
        .edit(&aki(), &general(), date, "Decided: the bat count is on Monday 20 April.")
        .await
        .expect("edited");
    town.workspace.delete(&ken(), &general(), price).await.expect("deleted");
    // At once it is out of everything.
    assert_eq!(town.long_term(&general()).await, "");
    town.workspace.pass(DAY * 2).await.expect("passed");
    let memory = town.long_term(&general()).await;
    assert!(memory.contains("20 April") && !memory.contains("27 March"), "{memory}");
    assert!(!memory.contains("Petersham") && !memory.contains("166"), "{memory}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pauses_are_judged_at_their_time_however_far_time_is_moved() {
    let town = Town::awake().await;
    town.say(&aki(), &in_general(), "Does anybody know when the bat count is?").await;
    town.workspace.pass(DAY * 7).await.expect("passed");
    let judged = town.store.replies().verdict_counts(town.clock.now() - DAY * 8).await.expect("read");
    assert!(!judged.is_empty(), "the pause was judged before it was too old");
}
