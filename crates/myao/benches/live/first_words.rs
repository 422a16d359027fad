//! How soon people see the words of a model that takes its time: from the piece with which they are certainly its answer
//! to the first words in their thread.

use std::time::{Duration, Instant};

use myao::clock::SystemClock;
use myao_testkit::{
    FakeProvider, FakeSlack,
    llm::Reply,
    slack::{ChannelSpec, UserSpec},
};

use super::{Home, IN_ONE_CHANNEL, Running, tell};

/// Answers that are watched.
const ANSWERS: usize = 30;
/// Between two: with more of them in a minute, answers are shown once they are whole, for Slack's sake.
const BETWEEN: Duration = Duration::from_secs(4);
/// Between two pieces of seven characters.
const PACE: Duration = Duration::from_millis(25);
/// Pieces without words that come first: a comment, and the role.
const WITHOUT_WORDS: u32 = 2;
/// The piece of words with which the beginning of an answer is certain: 120 characters, and 24 that are held back.
const CERTAIN: u32 = 21;
const ANSWER: &str = "The release was put off to Thursday, since the tests were not green yet. Ben looks at them once \
    more, and Aki has told the customers. Nothing else changes, and the party is on Friday, as was said before.";

/// Asks in threads of direct messages, and measures.
pub(super) async fn first_words() {
    let slack = FakeSlack::setup().with_clock(SystemClock).start().await;
    let replies = (0..=2 * ANSWERS).map(|_| Reply::text(ANSWER).paced(PACE));
    let provider = FakeProvider::answering(replies).await;
    let home = Home::new(&slack, Some(&provider));
    let running = Running::start(&home);
    slack.wait_until(|seen| seen.connected > 0).await;
    let mut took = Vec::new();
    let mut thread = None;
    for n in 0..ANSWERS {
        if n % IN_ONE_CHANNEL == 0 {
            let user = slack.user(UserSpec::person(&format!("asker-{n}")));
            let place = slack.channel(ChannelSpec::dm(&user));
            let posts = slack.posts().len();
            let root = slack.say(&place, &user, "hello there");
            slack.wait_until(|seen| seen.posts.len() > posts).await;
            thread = Some((user, place, root));
        }
        let Some((user, place, root)) = &thread else { continue };
        let calls = provider.calls().len();
        let posts = slack.posts().len();
        let shown = slack.seen().streamed.len();
        slack.reply(place, *root, user, &format!("what about release {n}?"));
        provider.asked(calls + 1).await;
        let began = Instant::now();
        slack.wait_until(|seen| seen.streamed.len() > shown || seen.posts.len() > posts).await;
        if slack.seen().streamed.len() > shown {
            // What is certain comes that long after it is asked.
            took.push(began.elapsed().saturating_sub(PACE * (WITHOUT_WORDS + CERTAIN)));
        }
        while slack.own_messages(place).iter().any(|message| message.is_growing) {
            tokio::time::sleep(PACE).await;
        }
        tokio::time::sleep(BETWEEN).await;
    }
    took.sort_unstable();
    let at = |share: usize| took.get(took.len() * share / 100).copied().unwrap_or_default().as_millis();
    tell(&format!(
        "words: from the first piece of an answer that is certain to the first words in Slack, a piece of seven characters \
         every {} ms: p50 {} ms, \
         p99 {} ms of {}; {} more were shown once they were whole",
        PACE.as_millis(),
        at(50),
        at(99),
        took.len(),
        ANSWERS - took.len()
    ));
    running.stop();
}
