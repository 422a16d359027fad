//! What a model may do before it answers (SPEC §4).
//!
//! Tools come in [`Kit`]s, each made for one answer: `memo` is one. A kit says what its tools are and carries
//! their calls out; [`Tools`] is all of them together. No tool writes anything but memos, and what a tool gives
//! back is data: whatever it says, it gives no orders.

pub mod memo;
pub mod web;

use std::sync::Arc;

use futures::FutureExt as _;
use myao_core::{
    ports::{BoxFuture, ToolCall, ToolSpec},
    prompt::{Language, Prompt, estimate_tokens},
};

use self::web::WebTools;
use crate::ask::ToolResult;

/// Tools that belong together, for one answer.
pub struct Kit {
    /// What there is.
    pub specs: Vec<ToolSpec>,
    /// Carries out a call of one of them.
    pub run: Box<dyn Fn(ToolCall) -> BoxFuture<'static, ToolResult> + Send + Sync>,
}

/// Makes a kit for the answer to a prompt.
pub type MakeKit = Arc<dyn Fn(&Prompt) -> Kit + Send + Sync>;

/// What is left of a prompt's room beside its tools, in estimated tokens: they are sent with it every time. At least
/// half is left, should somebody allow prompts of a few hundred.
pub fn room_beside(specs: &[ToolSpec], max_tokens: usize) -> usize {
    let price = |spec: &ToolSpec| {
        let parameters = estimate_tokens(&spec.parameters.to_string());
        estimate_tokens(&spec.name) + estimate_tokens(&spec.description) + parameters
    };
    max_tokens.saturating_sub(specs.iter().map(price).sum()).max(max_tokens / 2)
}

/// The tools of a reply, as a model is told of them: memos, which are only read where nobody asked, and the web.
pub fn specs_of_reply(language: Language, web: &WebTools, is_asked: bool) -> Vec<ToolSpec> {
    [memo::specs(language, is_asked), web.specs()].concat()
}

/// All tools of one answer.
#[derive(Default)]
pub struct Tools {
    kits: Vec<Kit>,
}

impl Tools {
    /// Adds a kit.
    pub fn add(&mut self, kit: Kit) {
        self.kits.push(kit);
    }

    /// What a model is told of them.
    pub fn specs(&self) -> Vec<ToolSpec> {
        self.kits.iter().flat_map(|kit| kit.specs.iter().cloned()).collect()
    }

    /// Carries out a call.
    pub fn run(&self, call: ToolCall) -> BoxFuture<'static, ToolResult> {
        let has = |kit: &&Kit| kit.specs.iter().any(|spec| spec.name == call.name);
        match self.kits.iter().find(has) {
            Some(kit) => (kit.run)(call),
            None => std::future::ready(Err(format!("there is no tool `{}`", call.name))).boxed(),
        }
    }
}
