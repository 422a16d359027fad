//! Tells where other agents are given the memory, and whether any can ask.

use super::{super::token::standing_tokens, CheckReport, Failure, Finding, output};
use crate::app::App;

const SUBJECT: &str = "mcp";

/// Nothing is told where nobody set it up.
pub(super) async fn tell_who_can_ask(app: &App, report: &mut CheckReport) -> Result<(), Failure> {
    let tokens = standing_tokens(app).await?.len();
    let count = output::count_with_noun(tokens, "token");
    let mcp = &app.config.mcp;
    let Some(address) = app.config.web.listen.filter(|_| mcp.enabled) else {
        if tokens > 0 {
            report.add(Finding::fine(SUBJECT, format!("not served by a run, only by `myao mcp`; {count}")));
        }
        return Ok(());
    };
    let served = format!("http://{address}{}, {count}", mcp.path);
    report.add(match (tokens, mcp.without_token) {
        (_, true) => Finding::fine(
            SUBJECT,
            format!("{served}; programs of this machine see the open channels without one"),
        ),
        (0, false) => {
            Finding::noted(SUBJECT, served, "no agent can ask: `myao token add NAME` makes a token")
        }
        (_, false) => Finding::fine(SUBJECT, served),
    });
    Ok(())
}
