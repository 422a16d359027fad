//! Makes and reads the addresses of messages.

use myao_core::chat::{ChannelId, MessageTs};
use url::Url;

/// Digits of a time stamp behind the point.
const MICROS: usize = 6;

/// The address of a message in the workspace at `team_url`, as `auth.test` gives it (`https://team.slack.com/`); for a
/// reply, `thread` is the root of its thread. `None` if no address can be made: `team_url` is not the address of a
/// workspace, or Slack cannot have such a channel or message, as may be the case in other archives.
pub fn permalink_of_message(
    team_url: &str,
    channel: &ChannelId,
    ts: MessageTs,
    thread: Option<MessageTs>,
) -> Option<String> {
    let id = channel.as_str();
    let is_id = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if !is_id || ts <= MessageTs::MIN {
        return None;
    }
    let mut address = team_address(team_url)?
        .join("archives/")
        .ok()?
        .join(&format!("{id}/p{}", digits_of_time_stamp(ts)))
        .ok()?;
    if let Some(root) = thread.filter(|root| *root != ts) {
        address.query_pairs_mut().append_pair("thread_ts", &root.to_string()).append_pair("cid", id);
    }
    Some(address.into())
}

/// The message that an address as `Copy link` gives it leads to; `None` for any other address.
pub fn message_at_permalink(address: &str) -> Option<(ChannelId, MessageTs)> {
    let url = Url::parse(address.trim()).ok()?;
    let mut path = url.path_segments()?;
    let (Some("archives"), Some(channel), Some(digits), None) =
        (path.next(), path.next(), path.next(), path.next())
    else {
        return None;
    };
    let digits =
        digits.strip_prefix('p').filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))?;
    let (seconds, micros) = digits.split_at_checked(digits.len().checked_sub(MICROS)?)?;
    Some((ChannelId::new(channel), format!("{seconds}.{micros}").parse().ok()?))
}

/// The address of a workspace, if message addresses may be made from it.
fn team_address(team_url: &str) -> Option<Url> {
    let url = Url::parse(team_url).ok()?;
    let is_plain = url.username().is_empty() && url.password().is_none() && url.query().is_none();
    let is_root = url.path() == "/" && url.fragment().is_none() && url.host_str().is_some();
    (url.scheme() == "https" && is_plain && is_root).then_some(url)
}

/// Seconds and microseconds without the point.
fn digits_of_time_stamp(ts: MessageTs) -> String {
    ts.to_string().replace('.', "")
}
