//! The tools that a model may use for one answer (specification §4).

use std::sync::Arc;

use futures::FutureExt as _;
use myao_core::{
    mandate::{Mandate, Origins},
    ports::Role,
    prompt::Prompt,
};
use myao_store::{Grounds, WantedReply};
use tokio::sync::Mutex;

use super::Answering;
use crate::tools::{
    AnswerTools, Kit, estimate_specs,
    memo::MemoTools,
    recall::{RecallSession, RecallTools},
    specs_of_reply,
    web::WebSession,
};

impl Answering {
    /// Estimated tokens of the descriptions of a reply's tools.
    pub(super) fn tool_tokens(&self, reply: &WantedReply) -> usize {
        if !self.asker.model_takes_tools(Role::Response) {
            return 0;
        }
        let is_asked = !reply.triggers.is_empty();
        estimate_specs(&specs_of_reply(self.templates.language(), &self.web, is_asked))
    }

    /// What the model may use for one answer, and the searches among it.
    pub(super) fn answer_tools(
        &self,
        reply: &WantedReply,
        prompt: &Prompt,
        grounds: Grounds,
        origins: Origins,
        mandate: Mandate,
        session: Arc<WebSession>,
    ) -> (AnswerTools, Arc<RecallSession>) {
        let store = self.store.clone();
        let clock = Arc::clone(&self.clock);
        let language = self.templates.language();
        let zone = self.config.locale.timezone.clone();
        let channel = reply.place.channel.clone();
        let origins = Arc::new(Mutex::new(origins));
        let recall = RecallTools {
            store: store.clone(),
            clock: Arc::clone(&clock),
            language,
            zone: zone.clone(),
            asker: self.asker.clone(),
        };
        let inputs = grounds.inputs.clone();
        let recall = recall.session(channel.clone(), grounds.sight, prompt, Arc::clone(&origins), inputs);
        let recall = Arc::new(recall);
        let memos = MemoTools { store, clock, language, zone };
        let run = move |call| {
            let session = Arc::clone(&session);
            let run = async move {
                let gone = || Err("the web is not there any more".to_owned());
                session.run(&call).await.unwrap_or_else(gone)
            };
            run.boxed()
        };
        let mut tools = AnswerTools::new(mandate);
        tools.add(memos.kit(channel, grounds, origins));
        tools.add(recall.kit());
        tools.add(Kit { tools: self.web.tools(), run: Box::new(run) });
        for make in &self.more_tools {
            tools.add(make(prompt));
        }
        (tools, recall)
    }
}
