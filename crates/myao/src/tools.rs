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
    prompt::Prompt,
};

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
