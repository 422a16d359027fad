//! Writes dates that Slack leaves to the reader's client.

use jiff::Timestamp;

/// An instant in one of Slack's formats (`{date_short} at {time}`). Slack shows it in the reader's own time zone and
/// language; here it is the same for everybody.
pub(crate) fn instant_in_format(seconds: i64, format: &str) -> String {
    let Ok(at) = Timestamp::from_second(seconds) else { return String::new() };
    let day = at.strftime("%Y-%m-%d").to_string();
    let time = at.strftime("%H:%M UTC").to_string();
    let mut out = String::new();
    let mut rest = format;
    while let Some((before, tail)) = rest.split_once('{') {
        out.push_str(before);
        let Some((token, after)) = tail.split_once('}') else { break };
        out.push_str(if token.starts_with("time") { &time } else { &day });
        rest = after;
    }
    out.push_str(rest);
    if format.contains('{') { out } else { format!("{day} {time}") }
}
