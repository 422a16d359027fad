//! The page on which Slack makes an app from a manifest, filled in.

use std::fmt::Write as _;

use serde_json::Value;

/// The pages of all apps that one may change, beside the Web API of this address.
pub fn apps_page(api_base_url: &str) -> &'static str {
    let host = url::Url::parse(api_base_url).ok().and_then(|url| url.host_str().map(str::to_owned));
    match host.as_deref() {
        Some(host) if host == "slack-gov.com" || host.ends_with(".slack-gov.com") => {
            "https://api.slack-gov.com/apps"
        }
        Some(_) | None => "https://api.slack.com/apps",
    }
}

/// The address of the page that makes an app from a manifest. Every character that a terminal, a chat or a mail program
/// could take for the end of an address is encoded.
pub fn creation_link(apps_page: &str, manifest: &Value) -> String {
    let mut link = format!("{apps_page}?new_app=1&manifest_json=");
    for byte in manifest.to_string().bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            link.push(char::from(byte));
        } else {
            write!(link, "%{byte:02X}").ok();
        }
    }
    link
}
