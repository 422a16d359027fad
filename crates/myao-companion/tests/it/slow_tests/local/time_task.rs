//! Time that somebody wants to pass goes on by itself, can be stopped, and is told of.

use jiff::SignedDuration;
use myao_companion::live::local::{PassingState, TimePassing};
use myao_core::{chat::instant_after, ports::Clock as _};

use super::{Town, aki, general, in_general};

const DAY: SignedDuration = SignedDuration::from_hours(24);

fn passing(town: &Town) -> TimePassing {
    town.workspace.time_passing().expect("asked for")
}

async fn ended(town: &Town) -> TimePassing {
    town.eventually("ended", async || !passing(town).is_under_way()).await;
    passing(town)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_goes_on_by_itself_and_tells_what_happened() {
    let mut town = Town::awake().await;
    town.say(&aki(), &in_general(), "Decided: the bat count is on Friday 27 March.").await;
    let began = town.clock.now();
    town.workspace.ask_to_pass(DAY);
    // Whoever asks again while it passes, adds to it.
    town.workspace.ask_to_pass(DAY);
    assert!(passing(&town).is_under_way());
    let over = ended(&town).await;
    assert_eq!(over.state, PassingState::Over);
    assert!(over.now >= instant_after(began, DAY * 2), "{over:?}");
    // The workspace's memory follows in a quiet moment, which may come later, and is not counted.
    assert_eq!((over.progress.chapters, over.progress.merges), (1, 1));
    assert!(town.long_term(&general()).await.contains("27 March"));
    town.workspace.ask_to_pass(DAY);
    let over = ended(&town).await;
    assert_eq!((over.progress.chapters, over.progress.merges), (0, 0), "each stretch is counted by itself");
    town.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_stops_where_it_is() {
    let mut town = Town::awake().await;
    town.say(&aki(), &in_general(), "Decided: the bat count is on Friday 27 March.").await;
    town.workspace.ask_to_pass(DAY * 28);
    town.workspace.stop_passing();
    let stopped = ended(&town).await;
    assert_eq!(stopped.state, PassingState::Stopped);
    assert!(town.clock.now() < instant_after(stopped.from, DAY * 28));
    town.workspace.stop_passing();
    assert_eq!(passing(&town), stopped, "there is nothing more to stop");
    town.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_that_is_killed_while_time_passes_loses_and_doubles_nothing() {
    let mut town = Town::awake().await;
    town.say(&aki(), &in_general(), "Decided: the bat count is on Friday 27 March.").await;
    town.workspace.ask_to_pass(DAY * 7);
    // The next program goes on from what is noted, which comes a moment after a chapter.
    town.eventually("on its way", async || {
        let noted = town.store.hearing().last_heard().await.expect("read");
        passing(&town).progress.chapters > 0 && noted.is_some_and(|noted| noted > passing(&town).from)
    })
    .await;
    town.kill().await;
    town.start();
    town.workspace.ask_to_pass(DAY);
    ended(&town).await;
    assert_eq!(town.store.memory().chapters_in_channel(&general()).await.expect("read").latest_version, 1);
    let memory = town.long_term(&general()).await;
    assert_eq!(memory.matches("27 March").count(), 1, "{memory}");
    town.stop().await;
}
