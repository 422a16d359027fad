//! What a model may use for one answer, and the pages it is shown beside the conversation (SPEC §4).

use std::sync::Arc;

use futures::FutureExt as _;
use myao_core::{
    chat::Speaker,
    context::{Mandate, Origins},
    ports::{BUILTIN, Role, TalkLine, Turn},
    prompt::{Language, LinkedPage, Prompt, estimate_tokens, linked_pages},
};
use myao_store::{Grounds, WantedReply};

use super::Answering;
use crate::{
    companion::ComposedPrompt,
    tools::{AnswerTools, Kit, memo::MemoTools, room_beside, specs_of_reply, web::WebSession},
};

impl Answering {
    /// The web for the answer to a prompt: what may be fetched stands in what others said.
    pub(super) fn session(&self, composed: &ComposedPrompt) -> Arc<WebSession> {
        let others = composed.prompt.talk.iter().filter(|line| line.speaker != Speaker::Own);
        let session = self.web.session(others.map(|line| &line.text));
        keep_private(&session, composed);
        Arc::new(session)
    }

    /// The pages that the messages to be answered link to.
    pub(super) async fn linked(
        &self,
        reply: &WantedReply,
        prompt: &Prompt,
        session: &WebSession,
    ) -> Vec<LinkedPage> {
        // builtin does not read them.
        if self.asker.model_id(Role::Response) == BUILTIN {
            return Vec::new();
        }
        let is_meant = |line: &&TalkLine| {
            line.speaker != Speaker::Own
                && (prompt.answers.contains(&line.ts) || reply.about == Some(line.ts))
        };
        let texts: Vec<&str> = prompt.talk.iter().filter(is_meant).map(|line| line.text.as_str()).collect();
        session.read_links(&texts).await
    }

    /// The room of a reply's prompt, in estimated tokens: `prompt.max_tokens`, less what its tools take of it.
    pub(super) fn room(&self, reply: &WantedReply) -> usize {
        let whole = usize::try_from(self.config.prompt.max_tokens).unwrap_or(usize::MAX);
        if !self.asker.takes_tools(Role::Response) {
            return whole;
        }
        let is_asked = !reply.triggers.is_empty();
        room_beside(&specs_of_reply(self.templates.language(), &self.web, is_asked), whole)
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

/// What not everybody in the workspace may know is not to be told by which links are followed.
pub(super) fn keep_private(session: &WebSession, composed: &ComposedPrompt) {
    if !composed.is_open {
        session.keep_to_named_hosts();
    }
}

/// Pages as a section of the prompt, as many of the first as take no more than half of the room; and what it costs.
pub(super) fn section(language: Language, pages: &[LinkedPage], room: usize) -> (String, usize) {
    let of = |many: usize| linked_pages(language, pages.get(..many).unwrap_or_default());
    let priced = |text: String| (estimate_tokens(&text) + estimate_tokens("\n\n"), text);
    let fitting = (1..=pages.len()).rev().map(of).map(priced).find(|(price, _)| *price <= room / 2);
    fitting.map_or_else(|| (String::new(), 0), |(price, text)| (text, price))
}

/// A dialogue with a section behind what we say first.
pub(super) fn with_section(mut turns: Vec<Turn>, section: &str) -> Vec<Turn> {
    if let (Some(Turn::User(text)), false) = (turns.first_mut(), section.is_empty()) {
        text.push_str("\n\n");
        text.push_str(section);
    }
    turns
}
