//! Slack's limits of blocks and views, checked on their JSON (docs.slack.dev, "Blocks", "Views").
//!
//! A client library that takes a view proves nothing: the usual ones do not check whether ids are equal, or whether a
//! modal with something to fill in has a button to submit it.

mod elements;
mod kinds;
mod measure;
mod views;

use std::{collections::BTreeSet, fmt};

use serde_json::Value;

use measure::BlockMeasure;

pub use views::check_view;

/// The most bytes of a view.
pub const MOST_VIEW_BYTES: usize = 250_000;
/// The most characters of a `block_id`, `action_id`, `callback_id` or `external_id`.
const MOST_CHARS_OF_ID: usize = 255;

/// Where blocks are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surface {
    /// A message, for all or for one person.
    Message,
    /// A modal view.
    Modal,
    /// The Home tab.
    Home,
}

/// One limit that blocks or a view do not keep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LimitBreach {
    /// Where, as a JSON pointer into what was checked: `/0/text` in a list of blocks, `/blocks/0/text` in a view.
    pub at: String,
    /// What is wrong there.
    pub what: String,
}

impl fmt::Display for LimitBreach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [json-pointer:{}]", self.what, self.at)
    }
}

impl Surface {
    /// How many blocks it holds.
    fn most_blocks(self) -> usize {
        match self {
            Self::Message => 50,
            Self::Modal | Self::Home => 100,
        }
    }
}

/// The limits that a list of blocks does not keep.
pub fn check_blocks(blocks: &Value, surface: Surface) -> Vec<LimitBreach> {
    let mut measure = BlockMeasure::default();
    measure_blocks(&mut measure, "", blocks, surface);
    measure.found
}

fn measure_blocks(measure: &mut BlockMeasure, at: &str, blocks: &Value, surface: Surface) {
    let Some(all) = blocks.as_array() else { return measure.complain(at, "blocks are no list") };
    let most = surface.most_blocks();
    if all.len() > most {
        measure.complain(at, format!("{} blocks, at most {most} are taken", all.len()));
    }
    let mut ids = BTreeSet::new();
    for (number, block) in all.iter().enumerate() {
        let at = format!("{at}/{number}");
        measure.text(&at, block, "block_id", MOST_CHARS_OF_ID);
        if let Some(id) = block.get("block_id").and_then(Value::as_str)
            && !ids.insert(id)
        {
            measure.complain(format!("{at}/block_id"), format!("another block has the block_id {id}"));
        }
        measure_action_ids(measure, &at, block);
        kinds::measure_block(measure, &at, block, surface);
    }
    let charts = all.iter().filter(|block| block["type"] == "data_visualization").count();
    if charts > kinds::MOST_CHARTS {
        measure.complain(at, format!("{charts} charts, at most {} are taken", kinds::MOST_CHARTS));
    }
}

/// No two elements of one block have the same `action_id`.
fn measure_action_ids(measure: &mut BlockMeasure, at: &str, block: &Value) {
    let mut ids = BTreeSet::new();
    for element in elements::elements_of_block(block) {
        if let Some(id) = element.get("action_id").and_then(Value::as_str)
            && !ids.insert(id)
        {
            measure.complain(at, format!("another element of the block has the action_id {id}"));
        }
    }
}
