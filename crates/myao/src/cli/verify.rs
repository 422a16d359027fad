//! `myao memory verify`: checks that the memories are consistent.

use myao_store::{Fault, Verification};
use serde_json::{Value, json};

use super::{Done, Failure, output, unfinished_imports};
use crate::app::App;

/// Checks the memories. [`Done::Partly`], exit code 1, when there is a fault.
pub(super) async fn run(app: &App, as_json: bool) -> Result<Done, Failure> {
    let found = app.store.verify().await?;
    if as_json {
        let unfinished = json!({"unfinished_imports": unfinished_imports::unfinished_as_json(app).await?});
        output::say_json(&output::merge_objects(result_as_json(&found), unfinished))?;
    } else {
        print_faults(&found);
        unfinished_imports::print_unfinished(app, output::print_line).await?;
    }
    Ok(if found.faults.is_empty() { Done::All } else { Done::Partly })
}

fn print_faults(found: &Verification) {
    for fault in &found.faults {
        output::print_line(&format!("{}: {}\n  {}", fault.place, fault.what, fault.how_to_repair()));
    }
    let checked = found.checked;
    let faults = match found.faults.len() {
        0 => "no fault".to_owned(),
        n => output::count_with_noun(n, "fault"),
    };
    output::print_line(&format!(
        "{}, {}, {}, {}, {}: {faults}",
        output::count_with_noun(checked.channels, "channel"),
        output::count_with_noun(checked.messages, "message"),
        output::count_with_noun(checked.chapters, "chapter"),
        output::count_with_noun(checked.memories, "memory"),
        output::count_with_noun(checked.entries, "journal entry")
    ));
}

/// The result as JSON: `clean`, `checked` with its numbers, and `faults`, each with `fault` (its kind), `place`,
/// `channel_id`, `entries`, `what` and `mend`.
fn result_as_json(found: &Verification) -> Value {
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
        "faults": found.faults.iter().map(fault_as_json).collect::<Vec<_>>(),
    })
}

/// A fault as JSON.
pub(super) fn fault_as_json(fault: &Fault) -> Value {
    json!({
        "fault": fault.kind.as_str(),
        "place": fault.place,
        "channel_id": fault.channel,
        "entries": fault.entries.iter().map(|step| step.0).collect::<Vec<_>>(),
        "what": fault.what,
        "mend": fault.how_to_repair(),
    })
}
