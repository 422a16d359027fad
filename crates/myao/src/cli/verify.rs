//! `myao memory verify`: checks that the memories are consistent.

use myao_store::{Fault, Verification};
use serde_json::{Value, json};

use super::{Done, Failure, output};
use crate::app::App;

/// Checks the memories. [`Done::Partly`], exit code 1, when there is a fault.
pub(super) async fn run(app: &App, as_json: bool) -> Result<Done, Failure> {
    let found = app.store.verify().await?;
    if as_json {
        output::say_json(&verification(&found))?;
    } else {
        tell(&found);
    }
    Ok(if found.faults.is_empty() { Done::All } else { Done::Partly })
}

fn tell(found: &Verification) {
    for fault in &found.faults {
        output::say(&format!("{}: {}\n  {}", fault.place, fault.what, fault.mend()));
    }
    let checked = found.checked;
    let faults = match found.faults.len() {
        0 => "no fault".to_owned(),
        n => output::counted(n, "fault"),
    };
    output::say(&format!(
        "{}, {}, {}, {}, {}: {faults}",
        output::counted(checked.channels, "channel"),
        output::counted(checked.messages, "message"),
        output::counted(checked.chapters, "chapter"),
        output::counted(checked.memories, "memory"),
        output::counted(checked.entries, "journal entry")
    ));
}

/// The result as JSON: `clean`, `checked` with its numbers, and `faults`, each with `fault` (its kind), `place`,
/// `channel_id`, `entries`, `what` and `mend`.
fn verification(found: &Verification) -> Value {
    let checked = found.checked;
    json!({
        "clean": found.faults.is_empty(),
        "checked": {
            "channels": checked.channels,
            "messages": checked.messages,
            "chapters": checked.chapters,
            "memories": checked.memories,
            "entries": checked.entries,
        },
        "faults": found.faults.iter().map(fault).collect::<Vec<_>>(),
    })
}

fn fault(fault: &Fault) -> Value {
    json!({
        "fault": fault.kind.as_str(),
        "place": fault.place,
        "channel_id": fault.channel,
        "entries": fault.entries.iter().map(|step| step.0).collect::<Vec<_>>(),
        "what": fault.what,
        "mend": fault.mend(),
    })
}
