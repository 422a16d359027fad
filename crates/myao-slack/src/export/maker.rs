//! Tells by the shape of an export whether Slack itself wrote it (ADR 81). Only such an export is known to hold
//! everything of the days that it covers: tools that read the Web API may leave out replies, bots or whatever they could
//! not read.

use serde_json::Value;

use super::layout::Layout;

/// The file about apps that Slack adds to every export. The Web API gives its content to nobody but owners of a paid
/// plan, so tools have none.
pub(super) const APP_LOGS: &str = "integration_logs.json";
/// Fields of a channel that the Web API gives, and Slack's exports do not have.
const FIELDS_OF_THE_API: [&str; 8] =
    ["is_channel", "is_group", "is_im", "is_mpim", "is_member", "num_members", "name_normalized", "unlinked"];
const PEOPLE: [&str; 2] = ["users.json", "org_users.json"];

/// The first field of a channel's object that only the Web API gives.
pub(super) fn field_of_the_api(channel: &Value) -> Option<&'static str> {
    FIELDS_OF_THE_API.into_iter().find(|field| channel.get(field).is_some())
}

/// What shows that it was not Slack that wrote an export; `None` if nothing does. `field` is a channel's field that only
/// the Web API gives, if there is one.
pub(super) fn why_not_slacks_own(layout: &Layout, field: Option<&'static str>) -> Option<String> {
    if let Some(field) = field {
        return Some(format!("its channels have the field `{field}`, which Slack's exports have not"));
    }
    if !PEOPLE.iter().any(|file| layout.index.contains_key(*file)) {
        return Some(format!("it has no {}", PEOPLE.first().copied().unwrap_or_default()));
    }
    (!layout.has_app_logs).then(|| format!("it has no {APP_LOGS}"))
}
