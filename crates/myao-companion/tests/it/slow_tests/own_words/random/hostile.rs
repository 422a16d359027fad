//! Somebody in a place names the secrets of other places, and asks in every way there is for what is known of them.

use std::sync::Arc;

use jiff::tz::TimeZone;
use myao_companion::tools::recall::{RECALL, RecallTools};
use myao_core::{
    chat::{ChannelId, MessageTs, Place, Visibility},
    ports::ToolCall,
    prompt::Fragments,
    recall::{RecallFilter, TextVector},
    text::Language,
    wording::PromptTask,
};
use myao_store::{QuestionVector, RecallRequest, Recalled, SharedInputs};
use serde_json::json;
use tokio::sync::Mutex;

use super::World;

/// Secrets named in one question, those said last: a longer one would be cut.
const MOST_NAMED: usize = 12;

impl World {
    /// What somebody in a channel is shown who asks for these words by a search, by the newest there is, through the
    /// model's tool, and in what a model is shown when they ask it. The question itself is left out.
    pub(super) async fn told_who_asks_for(&self, channel: &str, secrets: &[&String]) -> String {
        let store = &self.scenario.store;
        let here = ChannelId::new(channel);
        let named = &secrets[secrets.len().saturating_sub(MOST_NAMED)..];
        let asked = named.iter().map(|word| word.as_str()).collect::<Vec<_>>().join(" ");
        let visibility = store.hearing().seen_from(&here).await.expect("read");
        let request = RecallRequest {
            words: asked.clone(),
            filter: RecallFilter::default(),
            most: 40,
            with_memories: true,
            now: MessageTs::from_timestamp(self.scenario.now()),
            meaning: None,
            named_in: Some(TimeZone::UTC),
        };
        let found = store.recall().search(&visibility, &request).await.expect("searched");
        let meant = self.near_everything(&visibility, &request).await;
        let newest =
            store.recall().newest_messages(&visibility, &RecallFilter::default(), 40).await.expect("read");

        let templates = Self::templates();
        let companion = self.companion(&templates);
        let place = Place { channel: here.clone(), thread: None };
        let message = self.scenario.message(channel, &format!("<@UMYAO> {asked}"));
        let place = companion.gather_as_if_said(place, 8000, message).await.expect("gathered");
        let composed = place.compose(PromptTask::REPLY, Fragments::default(), 8000).expect("composed");

        let tools = RecallTools {
            store: store.clone(),
            clock: Arc::new(self.scenario.clock.clone()),
            language: Language::Ja,
            zone: TimeZone::UTC,
            asker: self.asker(),
        };
        let origins = Arc::new(Mutex::new(composed.origins));
        let shown = SharedInputs::new(composed.inputs.clone());
        let kit = Arc::new(tools.session(here, place.sight, &composed.prompt, origins, shown)).kit();
        let arguments = json!({ "query": asked });
        let answer = (kit.run)(ToolCall { id: "1".to_owned(), name: RECALL.to_owned(), arguments }).await;

        let prompt = format!("{}\n{}", composed.prompt.system, composed.prompt.user);
        let told = format!("{found:?}\n{meant:?}\n{newest:?}\n{answer:?}\n{prompt}");
        told.replace(&asked, "")
    }

    /// What is found by a question that lies nearest to everything that was said.
    async fn near_everything(&self, visibility: &Visibility, request: &RecallRequest) -> Vec<Recalled> {
        let store = &self.scenario.store;
        let vector = TextVector::new(&[1.0, 1.0]).expect("a direction");
        let model = "embeddings/everything".to_owned();
        while !store.recall().line_up_some(&model).await.expect("lined up") {}
        loop {
            let texts = store.recall().texts_to_embed(100).await.expect("read");
            if texts.is_empty() {
                break;
            }
            let vectors = texts.into_iter().map(|text| {
                let vector = text.words.as_ref().map(|_| vector.clone());
                (text, vector)
            });
            store.recall().put_vectors(&model, vectors.collect()).await.expect("stored");
        }
        let meaning = Some(QuestionVector { model, words: request.words.clone(), vector });
        store
            .recall()
            .search(visibility, &RecallRequest { meaning, ..request.clone() })
            .await
            .expect("searched")
    }
}
