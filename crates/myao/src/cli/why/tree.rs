//! Prints the lineage of a journal entry as a tree.

use myao_core::{
    chat::{MessageTs, Visibility},
    memory::{MemoryScope, MemoryType, StepId},
};
use myao_store::{JournalEntry, LineageLimits, LineageNode};
use serde_json::{Value, json};

use super::WhyArgs;
use crate::{
    app::App,
    cli::{
        Done, Failure,
        journal::{JournalFormatter, entry_as_line, entry_json},
        output,
    },
};

/// The most entries of a tree; nobody reads more.
const MOST_ENTRIES: usize = 200;

/// Prints the lineage of an entry.
pub(super) async fn run(app: &App, step: StepId, args: &WhyArgs) -> Result<Done, Failure> {
    let limits = LineageLimits { depth: args.depth, width: args.limit.get(), entries: MOST_ENTRIES };
    let nodes =
        app.store.memory().lineage_of_step(&Visibility::Owner, step, limits).await?.unwrap_or_default();
    let mut first = Vec::with_capacity(nodes.len());
    let mut expired = Vec::with_capacity(nodes.len());
    for node in &nodes {
        first.push(first_message(app, &node.entry).await?);
        expired.push(expired_messages(app, &node.entry).await?);
    }
    let formatter = JournalFormatter::new(app).await?;
    let tree = Tree { nodes, first, expired, formatter };
    if args.json {
        output::say_json(&tree.json(0))?;
    } else {
        tree.tell(0, "", "");
    }
    Ok(Done::All)
}

/// The first message of a chapter, as far as its messages are still there.
async fn first_message(app: &App, entry: &JournalEntry) -> Result<Option<MessageTs>, Failure> {
    match (entry.key.scope, entry.key.memory_type, entry.key.channel()) {
        (MemoryScope::Channel, MemoryType::ShortTerm, Some(channel)) => {
            Ok(app.store.memory().first_of_version(&channel, entry.key.version).await?)
        }
        _ => Ok(None),
    }
}

/// How many messages of a chapter have expired, so that only its memory tells of them.
async fn expired_messages(app: &App, entry: &JournalEntry) -> Result<u64, Failure> {
    match (entry.key.scope, entry.key.memory_type, entry.key.channel()) {
        (MemoryScope::Channel, MemoryType::ShortTerm, Some(channel)) => {
            Ok(app.store.intake().expired_of_version(&channel, entry.key.version).await?)
        }
        _ => Ok(0),
    }
}

struct Tree {
    nodes: Vec<LineageNode>,
    /// For each node, the first message of its chapter.
    first: Vec<Option<MessageTs>>,
    /// For each node, the messages of its chapter that have expired.
    expired: Vec<u64>,
    formatter: JournalFormatter,
}

impl Tree {
    fn children(&self, at: usize) -> Vec<usize> {
        let of = |(n, node): (usize, &LineageNode)| (node.of == Some(at)).then_some(n);
        self.nodes.iter().enumerate().filter_map(of).collect()
    }

    /// Prints a node and those under it. `lead` is put before the node's own line, `below` before the lines under it.
    fn tell(&self, at: usize, lead: &str, below: &str) {
        let Some(node) = self.nodes.get(at) else { return };
        output::print_line(&format!("{lead}{}", self.line(at, node)));
        let children = self.children(at);
        let last = children.len().saturating_sub(1);
        for (n, child) in children.iter().enumerate() {
            let ends = n == last && node.left_out == 0;
            let (arm, stem) = if ends { ("└─ ", "   ") } else { ("├─ ", "│  ") };
            self.tell(*child, &format!("{below}{arm}"), &format!("{below}{stem}"));
        }
        if node.left_out > 0 {
            output::print_line(&format!("{below}└─ … {} more", node.left_out));
        }
    }

    fn line(&self, at: usize, node: &LineageNode) -> String {
        let entry = &node.entry;
        let role = match node.of.and_then(|of| self.nodes.get(of)) {
            Some(_) if !node.is_hard => "beside it: ",
            Some(of) if of.entry.parent == Some(entry.step) => "before it: ",
            Some(_) | None => "",
        };
        let period = match (self.first.get(at).copied().flatten(), entry.source_latest_message_ts) {
            (Some(first), Some(last)) => {
                format!(", said {} – {}", self.formatter.moment(first), self.formatter.moment(last))
            }
            _ => String::new(),
        };
        let gone = match self.expired.get(at) {
            None | Some(0) => String::new(),
            Some(gone) => {
                format!(", its sources are gone: {} expired", output::count_with_noun(*gone, "message"))
            }
        };
        let again = if node.is_repeated { " (see above)" } else { "" };
        format!("{role}{}{period}{gone}{again}", entry_as_line(entry, &self.formatter))
    }

    fn json(&self, at: usize) -> Value {
        let Some(node) = self.nodes.get(at) else { return Value::Null };
        let inputs: Vec<Value> = self.children(at).into_iter().map(|child| self.json(child)).collect();
        let more = json!({
            "source_first_message_ts": self.first.get(at),
            "expired_messages": self.expired.get(at),
            "is_hard": node.is_hard,
            "is_repeated": node.is_repeated,
            "left_out": node.left_out,
            "inputs": inputs,
        });
        output::merge_objects(entry_json(&node.entry, &self.formatter), more)
    }
}
