//! The manifest that follows from what is switched on.

use serde_json::{Map, Value, json};

use super::{
    features::{ManifestField, OptionalFeatures},
    wanted_events, wanted_features, wanted_scopes,
};

/// The most characters of an app's name (docs.slack.dev/reference/app-manifest).
pub const LONGEST_NAME: usize = 35;
/// The name of a bot whose own one Slack would refuse.
const USUAL_BOT_NAME: &str = "myao";

/// What people read of the app in Slack, and beside it in the manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManifestWords {
    /// What the app is called; what is beyond [`LONGEST_NAME`] is cut off.
    pub name: String,
    /// What it is, at most 140 characters.
    pub description: String,
    /// What it does as an agent, at most 300 characters.
    pub agent_description: String,
    /// What `/myao` does, at most 2,000 characters.
    pub command_description: String,
    /// What may stand behind `/myao`, at most 1,000 characters.
    pub command_hint: String,
    /// The entries of a message's menu.
    pub shortcuts: Vec<ShortcutWords>,
    /// Comments for whoever reads the manifest as YAML.
    pub comments: ManifestComments,
}

/// What people read of an entry of a message's menu.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShortcutWords {
    /// Which: its name for ourselves.
    pub shortcut: &'static str,
    /// What stands in the menu, at most 24 characters.
    pub name: String,
    /// What it does, at most 150 characters.
    pub description: String,
}

/// The comments of a manifest; JSON has none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ManifestComments {
    /// Above everything: what to do with it. It may have several lines.
    pub head: String,
    /// Each with the path of the field above which it stands, as in `features.app_home`.
    pub of_fields: Vec<(&'static str, String)>,
}

/// The manifest of an app that does what is switched on.
pub fn manifest_of(on: OptionalFeatures, words: &ManifestWords) -> Value {
    let name: String = words.name.trim().chars().take(LONGEST_NAME).collect();
    let scopes: Vec<&str> = wanted_scopes(on).iter().map(|scope| scope.name).collect();
    let mut manifest = json!({
        "display_information": {
            "name": name.trim_end(),
            "description": words.description,
        },
        "features": {
            "app_home": {
                "home_tab_enabled": false,
                // Without this tab nobody can write to it directly.
                "messages_tab_enabled": true,
                "messages_tab_read_only_enabled": false,
            },
            "bot_user": {
                "display_name": name_of_bot(name.trim_end()),
                "always_online": true,
            },
        },
        "oauth_config": {
            "scopes": {"bot": scopes},
        },
        "settings": {
            "event_subscriptions": {"bot_events": wanted_events(on)},
            "org_deploy_enabled": false,
            "socket_mode_enabled": true,
            "token_rotation_enabled": false,
        },
    });
    for ManifestField { path, value } in wanted_features(on).flat_map(|feature| feature.fields) {
        put_field(&mut manifest, path, value(words));
    }
    manifest
}

/// The name by which the bot is mentioned. Slack's own page on manifests allows fewer characters in it than in the name of
/// the app; whoever wants others changes it on the app's page App Home.
fn name_of_bot(name: &str) -> &str {
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, ' ' | '-' | '_' | '.');
    if !name.is_empty() && name.chars().all(is_allowed) { name } else { USUAL_BOT_NAME }
}

/// Puts a value at a path, and objects on the way to it.
fn put_field(manifest: &mut Value, path: &str, value: Value) {
    let mut here = manifest;
    for key in path.split('.') {
        if !here.is_object() {
            *here = Value::Object(Map::new());
        }
        let Value::Object(fields) = here else { return };
        here = fields.entry(key).or_insert(Value::Null);
    }
    *here = value;
}
