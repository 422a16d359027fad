//! Questions whose evidence is known, and the prompts of those who ask them.

use std::{error::Error, fs, path::Path};

use myao::app::App;
use myao_core::{
    chat::{Channel, ChannelId, Message, MessageKind, MessageTs, UserId},
    context::{Place, Visibility},
    prompt::{Fragments, Prompt, PromptTask},
};
use serde::Deserialize;

use crate::held::Evidence;

/// A line of a file of questions.
#[derive(Debug, Deserialize)]
pub(crate) struct KnownItem {
    /// The name of the channel in which it is asked.
    pub channel: String,
    /// What is asked.
    pub query: String,
    /// Nothing that was said from then on is looked up.
    pub before: MessageTs,
    /// The messages that answer it.
    pub gold: Vec<MessageTs>,
}

/// A question, where it is asked, and what it needs.
pub(crate) struct Asked {
    /// The line of the file.
    pub item: KnownItem,
    /// The channel in which it is asked.
    pub channel: Channel,
    /// The messages that answer it.
    pub evidence: Vec<Evidence>,
}

/// Each `every`-th question of a file.
pub(crate) async fn read(app: &App, file: &Path, every: usize) -> Result<Vec<Asked>, Box<dyn Error>> {
    let mut questions = Vec::new();
    for line in fs::read_to_string(file)?.lines().step_by(every) {
        let item: KnownItem = serde_json::from_str(line)?;
        let channel = app.channel(&item.channel).await.map_err(|failure| failure.to_string())?;
        let mut evidence = Vec::new();
        for ts in &item.gold {
            let message = app.store.message(&Visibility::Owner, &channel.id, *ts).await?;
            evidence.extend(message.map(Evidence::new));
        }
        questions.push(Asked { item, channel, evidence });
    }
    Ok(questions)
}

impl Asked {
    /// The prompt of a reply, as if it had just been asked.
    pub(crate) async fn prompt(
        &self,
        app: &App,
        max_tokens: usize,
        tool_tokens: usize,
    ) -> Result<Prompt, Box<dyn Error>> {
        let place = Place { channel: self.channel.id.clone(), thread: None };
        let message = message(&self.channel.id, &self.item);
        let snapshot = app.companion().gather_as_if_said(place, max_tokens, message).await?;
        let fragments = Fragments { tool_tokens, ..Fragments::default() };
        Ok(snapshot.compose(PromptTask::REPLY, fragments, max_tokens)?.prompt)
    }
}

fn message(channel: &ChannelId, item: &KnownItem) -> Message {
    Message {
        channel: channel.clone(),
        ts: item.before,
        thread_ts: None,
        user: UserId::new("somebody"),
        kind: MessageKind::Talk,
        text: item.query.clone(),
        files: Vec::new(),
        edited_at: None,
        deleted: false,
    }
}
