//! Makes the manifest of our Slack app from what is switched on, and says what an app that lacks some of it does not do.
//!
//! Read in this order: `features`: the table of what the app does and needs; `document`: the manifest that follows;
//! `yaml`: its text; `link`: the page on which Slack makes an app from it. A token's scopes can be compared with what is
//! wanted; events and fields cannot: an app that does not subscribe to an event just never gets it.

mod document;
mod features;
mod link;
mod yaml;

/// The events that matter to agents: somebody pressed stop while an answer was being written, looks at another channel, or
/// opened the direct messages.
pub const AGENT_EVENTS: [&str; 3] = ["agent_session_stopped", "app_context_changed", "app_home_opened"];

pub use self::{
    document::{LONGEST_NAME, ManifestComments, ManifestWords, ShortcutWords, manifest_of},
    features::{
        AGENT_SCOPE, BOT_EVENTS, BOT_SCOPES, COMMANDS_SCOPE, FEATURES, FILES_SCOPE, Feature, ManifestField,
        OptionalFeatures, REACTIONS_SCOPE, Scope, VOTES_SCOPE,
    },
    link::{apps_page, creation_link},
    yaml::manifest_as_yaml,
};

/// What of the table is switched on.
pub fn wanted_features(on: OptionalFeatures) -> impl Iterator<Item = &'static Feature> {
    FEATURES.iter().filter(move |feature| (feature.is_on)(on))
}

/// The scopes that the bot's token needs for what is switched on, each once, in the order of their names.
pub fn wanted_scopes(on: OptionalFeatures) -> Vec<Scope> {
    let mut scopes: Vec<Scope> = wanted_features(on).flat_map(|feature| feature.scopes).copied().collect();
    scopes.sort_unstable_by_key(|scope| scope.name);
    scopes.dedup_by_key(|scope| scope.name);
    scopes
}

/// The events that the app subscribes to for what is switched on, each once, in the order of their names.
pub fn wanted_events(on: OptionalFeatures) -> Vec<&'static str> {
    let mut events: Vec<&str> = wanted_features(on).flat_map(|feature| feature.events).copied().collect();
    events.sort_unstable();
    events.dedup();
    events
}

/// The `wanted` scopes that are not among the `granted`.
pub fn missing_scopes(wanted: &[Scope], granted: &[String]) -> Vec<Scope> {
    wanted.iter().copied().filter(|scope| !granted.iter().any(|name| name == scope.name)).collect()
}

/// What is switched on that came into the manifest after its first version, and that no scope tells of: an app made from
/// an older manifest may lack its events and fields.
pub fn later_features(on: OptionalFeatures) -> impl Iterator<Item = &'static Feature> {
    wanted_features(on).filter(|feature| {
        feature.since.is_some() && !(feature.events.is_empty() && feature.fields.is_empty())
    })
}
