//! What a prompt shows, as inputs of the reply that is made from it (ADR 85).
//!
//! A place is read once, and more of it than a prompt has room for. Only what the prompt shows counts: whatever else
//! changes makes no answer anew.

use std::collections::{BTreeMap, BTreeSet};

use myao_core::{
    chat::{ChannelId, MessageTs, Names, Place},
    memory::{MemoryType, StepId},
    prompt::{Item, Prompt},
    recall::{RecalledItem, RecalledWords},
};
use myao_store::{ChapterText, Gathered, RecalledText, ReplyInput, ReplyInputs};

/// Which stored rows everything comes from that a prompt of a place may show.
#[derive(Clone, Debug)]
pub(crate) struct PlaceInputs {
    place: Place,
    /// The channel's revision at the reading.
    revision: i64,
    /// Where the conversation starts: before it, only the place's thread was read, and what waits for an answer.
    start: MessageTs,
    /// The messages that were read, oldest first, and whether each belongs to the place's thread; those that are left out
    /// on purpose are among them.
    messages: BTreeMap<MessageTs, bool>,
    items: BTreeMap<Item, ReplyInput>,
    lines: BTreeSet<StepId>,
    found: BTreeMap<(ChannelId, MessageTs), ReplyInput>,
    found_lines: BTreeMap<(ChannelId, &'static str, u32), StepId>,
    /// The other channels whose names may be shown.
    named: BTreeSet<ChannelId>,
    opt_outs: ReplyInput,
}

impl PlaceInputs {
    /// Of what was gathered for a place; `left_out` of it is not shown although it stands in the conversation.
    pub(crate) fn new(
        gathered: &Gathered,
        place: &Place,
        names: &Names,
        left_out: &BTreeSet<(ChannelId, MessageTs)>,
    ) -> Self {
        let own = &place.channel;
        let is_in_thread = |thread: Option<MessageTs>, ts| {
            place.thread.is_some_and(|root| thread == Some(root) || ts == root)
        };
        let mut messages: BTreeMap<MessageTs, bool> =
            gathered.messages.iter().map(|m| (m.ts, is_in_thread(m.thread_ts, m.ts))).collect();
        let gaps = left_out.iter().filter(|(channel, _)| channel == own);
        messages.extend(gaps.map(|(_, ts)| (*ts, false)));
        let mut found_lines = BTreeMap::new();
        for found in gathered.found() {
            if let RecalledText::Line(line) = &found.text {
                let key = (line.channel.clone(), line.memory_type.as_str(), line.version);
                found_lines.insert(key, line.step);
            }
        }
        for line in &gathered.person_lines {
            let key = (line.channel.clone(), MemoryType::ShortTerm.as_str(), line.version);
            found_lines.insert(key, line.step);
        }
        Self {
            place: place.clone(),
            revision: gathered.channel.revision,
            start: gathered.inputs.start,
            messages,
            items: inputs_by_item(gathered, own),
            lines: gathered.inputs.lines.clone(),
            found: gathered.inputs.found.iter().filter_map(input_by_address).collect(),
            found_lines,
            named: names.seen_channels().filter(|id| *id != own).cloned().collect(),
            opt_outs: gathered.inputs.opt_outs.clone(),
        }
    }

    /// What a prompt shows of it.
    pub(crate) fn of_prompt(&self, prompt: &Prompt) -> ReplyInputs {
        let mut inputs: ReplyInputs = self.talk_stretches(&prompt.conversation).into_iter().collect();
        let shown = prompt.shown.iter().filter_map(|item| self.items.get(item).cloned());
        shown.chain([self.opt_outs.clone()]).for_each(|input| inputs.add(input));
        for step in &self.lines {
            inputs.add(ReplyInput::Memory { channel: Some(self.place.channel.clone()), step: *step });
        }
        for item in prompt.recalled.iter().map(|shown| &shown.item).chain(&prompt.people) {
            if let Some(input) = self.found(item) {
                inputs.add(input);
            }
        }
        self.named.iter().cloned().map(ReplyInput::Channel).for_each(|input| inputs.add(input));
        inputs
    }

    /// Something that was found, as an input.
    pub(crate) fn of_found(&self, item: &RecalledItem) -> ReplyInputs {
        self.found(item).into_iter().collect()
    }

    fn found(&self, item: &RecalledItem) -> Option<ReplyInput> {
        match &item.text {
            RecalledWords::Message(message) => {
                self.found.get(&(message.channel.clone(), message.ts)).cloned()
            }
            RecalledWords::Line { memory_type, version, .. } => {
                let step = self.found_lines.get(&(item.channel.clone(), memory_type.as_str(), *version))?;
                Some(ReplyInput::Memory { channel: Some(item.channel.clone()), step: *step })
            }
        }
    }

    /// The stretches of talk that are shown: what lies between two messages that were read is no part of them if it was not
    /// shown, or was not read.
    fn talk_stretches(&self, shown: &BTreeSet<MessageTs>) -> Vec<ReplyInput> {
        let mut stretches: Vec<ReplyInput> = Vec::new();
        let mut open: Option<(MessageTs, MessageTs, bool)> = None;
        let close = |open: &mut Option<(MessageTs, MessageTs, bool)>, stretches: &mut Vec<ReplyInput>| {
            if let Some((from, to, is_thread)) = open.take() {
                stretches.push(self.talk_stretch_input(from, to, is_thread));
            }
        };
        for (ts, is_thread) in &self.messages {
            // Before the start, the messages of the thread follow each other; what waits stands alone.
            let is_thread = *is_thread && *ts <= self.start;
            let is_alone = !is_thread && *ts <= self.start;
            if open.is_some_and(|(.., of_thread)| of_thread != is_thread) || is_alone {
                close(&mut open, &mut stretches);
            }
            if !shown.contains(ts) {
                close(&mut open, &mut stretches);
                continue;
            }
            match &mut open {
                Some((_, to, _)) => *to = *ts,
                None => open = Some((*ts, *ts, is_thread)),
            }
            if is_alone {
                close(&mut open, &mut stretches);
            }
        }
        close(&mut open, &mut stretches);
        stretches
    }

    fn talk_stretch_input(&self, from: MessageTs, to: MessageTs, is_thread: bool) -> ReplyInput {
        ReplyInput::Talk {
            channel: self.place.channel.clone(),
            from,
            to,
            thread: self.place.thread.filter(|_| is_thread),
            revision: self.revision,
        }
    }
}

/// The memories and memos that a prompt may show.
fn inputs_by_item(gathered: &Gathered, own: &ChannelId) -> BTreeMap<Item, ReplyInput> {
    let memory = |channel: Option<&ChannelId>, step| ReplyInput::Memory { channel: channel.cloned(), step };
    let mut items = BTreeMap::new();
    let inputs = &gathered.inputs;
    items.extend(inputs.workspace.map(|step| (Item::Workspace, memory(None, step))));
    for (channel, step) in &inputs.long_term {
        items.insert(Item::LongTerm(channel.clone()), memory(Some(channel), *step));
    }
    let version = |channel: &ChannelId, text: &ChapterText| {
        (Item::ShortTerm(channel.clone(), Some(text.version)), memory(Some(channel), text.step))
    };
    for (channel, texts) in &gathered.versions {
        items.extend(texts.iter().map(|text| version(channel, text)));
    }
    let own_texts = gathered.own_versions.iter().chain(&gathered.versions_in_conversation);
    items.extend(own_texts.map(|text| version(own, text)));
    for (root, step) in &inputs.threads {
        items.insert(Item::Thread(*root), memory(Some(own), *step));
    }
    for memo in &gathered.memos {
        let id = memo.id.clone();
        let channel = memo.channel().cloned();
        let input = ReplyInput::Memo { id, channel, changed_at: memo.updated_at.as_microsecond() };
        items.insert(Item::Memo(memo.memo.name.clone()), input);
    }
    items
}

/// A message that was found, by its address.
fn input_by_address(input: &ReplyInput) -> Option<((ChannelId, MessageTs), ReplyInput)> {
    match input {
        ReplyInput::Talk { channel, from, .. } => Some(((channel.clone(), *from), input.clone())),
        ReplyInput::Memory { .. }
        | ReplyInput::Memo { .. }
        | ReplyInput::Reason(_)
        | ReplyInput::Channel(_)
        | ReplyInput::OptOuts(_) => None,
    }
}
