//! The tools that a model may use for one answer (SPEC §4).

use std::sync::Arc;

use futures::FutureExt as _;
use myao_core::{
    context::{Mandate, Origins},
    ports::Role,
    prompt::Prompt,
};
use myao_store::{Grounds, WantedReply};

use super::Answering;
use crate::tools::{AnswerTools, Kit, estimate_specs, memo::MemoTools, specs_of_reply, web::WebSession};

impl Answering {
    /// Estimated tokens of the descriptions of a reply's tools.
    pub(super) fn tool_tokens(&self, reply: &WantedReply) -> usize {
        if !self.asker.takes_tools(Role::Response) {
            return 0;
        }
        let is_asked = !reply.triggers.is_empty();
        estimate_specs(&specs_of_reply(self.templates.language(), &self.web, is_asked))
    }

    /// What the model may use for one answer.
    pub(super) fn tools(
        &self,
        reply: &WantedReply,
        prompt: &Prompt,
        (grounds, origins, mandate): (Grounds, Origins, Mandate),
        session: Arc<WebSession>,
    ) -> AnswerTools {
        let memos = MemoTools {
            store: self.store.clone(),
            clock: Arc::clone(&self.clock),
            language: self.templates.language(),
            zone: self.config.locale.timezone.clone(),
        };
        let run = move |call| {
            let session = Arc::clone(&session);
            let run = async move {
                let gone = || Err("the web is not there any more".to_owned());
                session.run(&call).await.unwrap_or_else(gone)
            };
            run.boxed()
        };
        let mut tools = AnswerTools::new(mandate);
        tools.add(memos.kit(reply.place.channel.clone(), grounds, origins));
        tools.add(Kit { tools: self.web.tools(), run: Box::new(run) });
        for make in &self.more_tools {
            tools.add(make(prompt));
        }
        tools
    }
}
