//! Says in the terminal of a demo when its model cannot be asked any more, and when it answers again.

use std::sync::Arc;

use myao_companion::{live::local::LocalWorkspace, model_trouble::models_in_trouble};
use myao_config::Config;
use myao_core::ports::Clock;
use myao_store::Store;

use super::super::{output, status::what_is_wrong};

/// Looks after each change in the workspace, without an end. `config` names the demo's model.
pub(super) async fn tell_of_silence(
    store: Store,
    config: Config,
    clock: Arc<dyn Clock>,
    workspace: Arc<LocalWorkspace>,
) {
    let mut changes = workspace.changes();
    let mut told = None;
    while changes.changed().await.is_ok() {
        // A database that fails ends the demo where it is needed.
        let Ok(troubles) = models_in_trouble(&store, &config, clock.now()).await else { continue };
        let trouble = troubles.into_iter().next().map(|trouble| (trouble.model, trouble.kind));
        if trouble == told {
            continue;
        }
        match (&trouble, &told) {
            (Some((model, kind)), _) => output::print_line(&format!(
                "{model} {}. It is asked again by itself; if it stays so, end the demo and start it with another \
                 --model, or without one. With --keep nothing is lost by that.",
                what_is_wrong(*kind)
            )),
            (None, Some((model, _))) => output::print_line(&format!("{model} answers again.")),
            (None, None) => {}
        }
        told = trouble;
    }
}
