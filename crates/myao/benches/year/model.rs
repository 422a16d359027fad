//! The provider of models of the town. It answers questions by their number, writes memories as echoes of what it is shown,
//! fails when told to, and looks into every prompt for what may not stand in it.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use myao_testkit::{
    FakeProvider,
    llm::{ReceivedRequest, Reply},
};

use super::words::{PRIVATE, QUESTION, last_marked, marked, places};

/// The name of the model that answers; any other one writes memories.
pub(crate) const ANSWERS: &str = "town-answers";
/// The name of the model that writes memories.
pub(crate) const REMEMBERS: &str = "town-remembers";
/// What it answers, and what it says where nobody asked.
const ANSWER: &str = " yes, as it was said.";
const UNASKED: &str = "Somebody will know.";
/// Bytes of a request for each token that it is counted as.
const BYTES_PER_TOKEN: usize = 4;

/// How the provider is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ModelMood {
    #[default]
    Well,
    /// Answers status 500.
    Fails,
    /// Answers later than anybody waits.
    Slow,
    /// Breaks off in the middle.
    Cut,
}

/// What the provider knows of the town, and what it saw.
#[derive(Default)]
pub(crate) struct ModelWatch {
    pub(crate) mood: ModelMood,
    /// How long it takes where it is slow, on the machine's clock.
    pub(crate) too_long: Duration,
    /// The tags of places whose words anybody may see.
    pub(crate) open: BTreeSet<String>,
    /// Words said in private that stood in a prompt of an open place, with the tag of that place.
    pub(crate) leaks: BTreeMap<String, String>,
    /// Prompts of open places, and of others.
    pub(crate) prompts: [u64; 2],
    /// Requests to each model, those included that failed.
    pub(crate) asked: BTreeMap<String, u64>,
}

/// What is shared with the provider.
#[derive(Clone, Default)]
pub(crate) struct SharedWatch(Arc<Mutex<ModelWatch>>);

impl SharedWatch {
    /// Reads or changes it.
    pub(crate) fn with<T>(&self, look: impl FnOnce(&mut ModelWatch) -> T) -> T {
        look(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Starts the provider.
pub(crate) async fn provider(watch: &SharedWatch) -> FakeProvider {
    let watch = watch.clone();
    FakeProvider::deciding(move |call| answer(&watch, call)).await
}

fn answer(watch: &SharedWatch, call: &ReceivedRequest) -> Option<Reply> {
    let text = call.body.to_string();
    let model = call.body["model"].as_str().unwrap_or_default().to_owned();
    let (mood, too_long) = watch.with(|watch| {
        *watch.asked.entry(model.clone()).or_default() += 1;
        // A prompt begins with memories of many places and ends with the talk of its own.
        let place = places(&text).pop().unwrap_or_default();
        if watch.open.contains(&place) {
            watch.prompts[0] += 1;
            watch.leaks.extend(marked(&text, PRIVATE).into_iter().map(|word| (word, place.clone())));
        } else {
            watch.prompts[1] += 1;
        }
        (watch.mood, watch.too_long)
    });
    match mood {
        ModelMood::Fails => return Some(Reply::error(500, "internal_error", "the model is away")),
        ModelMood::Cut => return Some(Reply::cut()),
        ModelMood::Slow => return Some(Reply::text("too late").delayed(too_long)),
        ModelMood::Well => {}
    }
    (model == ANSWERS).then(|| {
        // What was answered before is not asked any more: it speaks up unasked.
        let question = last_marked(&text, QUESTION).filter(|question| !text.contains(&answer_to(question)));
        let words = question.map_or_else(|| UNASKED.to_owned(), |question| answer_to(&question) + ANSWER);
        let tokens = u64::try_from(text.len() / BYTES_PER_TOKEN).unwrap_or(u64::MAX);
        Reply::text(&words).counted(tokens, 0, u64::try_from(words.len() / BYTES_PER_TOKEN).unwrap_or(1))
    })
}

/// How an answer to a question begins.
fn answer_to(question: &str) -> String {
    format!("About {question}:")
}
