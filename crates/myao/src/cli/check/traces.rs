//! Checks OpenTelemetry's variables.

use super::finding::Finding;
use crate::app::App;

/// Says whether traces are sent, or what is wrong with the variables; `None` where no variable asks for traces.
pub(super) fn examine_trace_variables(app: &App) -> Option<Finding> {
    const SUBJECT: &str = "traces";
    match app.config.trace_export() {
        Ok(None) => None,
        Ok(Some(_)) => {
            Some(Finding::fine(SUBJECT, "a run sends them to the collector that the environment names"))
        }
        Err(error) => {
            let advice =
                "`myao run` does not start with these variables; docs/operations.md lists what they may be";
            Some(Finding::wrong(SUBJECT, error.to_string().replace('\n', "; "), advice))
        }
    }
}
