//! Killed at every step of a stream: exactly one whole answer stands (ADR 125).

use myao_testkit::slack::InjectedFault;

use crate::live::streams::{DirectThread, FIRST, MORE};

/// The call during which it is killed, whether it was done by then, and after how many pieces.
const STEPS: [(&str, InjectedFault, usize); 10] = [
    ("chat.startStream", InjectedFault::Hang, 1),
    ("chat.startStream", InjectedFault::HangAfter, 1),
    ("chat.appendStream", InjectedFault::Hang, 2),
    ("chat.appendStream", InjectedFault::HangAfter, 2),
    ("chat.stopStream", InjectedFault::Hang, 3),
    ("chat.stopStream", InjectedFault::HangAfter, 3),
    ("chat.update", InjectedFault::Hang, 3),
    ("chat.update", InjectedFault::HangAfter, 3),
    // While it takes away what a killed program left.
    ("chat.delete", InjectedFault::Hang, 4),
    ("chat.delete", InjectedFault::HangAfter, 4),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_at_every_step_one_whole_answer_stands() {
    for (method, fault, pieces) in STEPS {
        let mut thread = DirectThread::with(60, |setup| setup).await;
        let before = thread.calls(method);
        if pieces < 4 {
            thread.live.slack.fail_next(method, fault.clone());
        }
        thread.ask_and_begin(FIRST).await;
        if pieces > 1 {
            thread.live.slack.wait_until(|seen| !seen.streamed.is_empty()).await;
            thread.live.model.begin_answer(MORE);
        }
        if pieces > 2 {
            thread.live.slack.wait_until(|seen| seen.streamed.len() == 2).await;
        }
        if pieces == 3 {
            thread.live.model.release();
        }
        if pieces == 4 {
            // Twice: in the middle, and while it is taken away.
            thread.live.kill().await;
            thread.live.slack.fail_next(method, fault.clone());
            thread.live.start().await;
        }
        thread.live.slack.wait_until(|seen| seen.calls(method) > before).await;
        thread.live.kill().await;
        thread.live.slack.release();
        thread.live.model.release();
        thread.live.start().await;
        thread.live.all_answered().await;
        thread.one_answer_stands().await;
        println!("{method} {fault:?}: one answer");
        thread.end().await;
    }
}
