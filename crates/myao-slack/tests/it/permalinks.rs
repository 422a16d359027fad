//! Addresses of messages, and how a post shows a citation.

use myao_core::chat::{ChannelId, MessageTs};
use myao_slack::{mrkdwn::from_markdown, permalink_of_message};

use crate::live::Live;

const TEAM: &str = "https://team.slack.com/";

fn ts(text: &str) -> MessageTs {
    text.parse().unwrap()
}

fn link(team: &str, channel: &str) -> Option<String> {
    permalink_of_message(team, &ChannelId::new(channel), ts("1772409600.000200"), None)
}

#[test]
fn a_message_has_an_address() {
    let to = "https://team.slack.com/archives/C1/p1772409600000200";
    assert_eq!(link(TEAM, "C1").as_deref(), Some(to));
    assert_eq!(link("https://team.slack.com", "C1").as_deref(), Some(to));
    let root = ts("1772409500.000100");
    let reply = permalink_of_message(TEAM, &ChannelId::new("C1"), ts("1772409600.000200"), Some(root));
    assert_eq!(reply, Some(format!("{to}?thread_ts=1772409500.000100&cid=C1")));
    let root = permalink_of_message(TEAM, &ChannelId::new("C1"), root, Some(root));
    assert_eq!(root.as_deref(), Some("https://team.slack.com/archives/C1/p1772409500000100"));
}

#[test]
fn nothing_else_has_one() {
    for (team, channel) in [
        ("", "C1"),
        ("team.slack.com", "C1"),
        ("http://team.slack.com/", "C1"),
        ("javascript:alert(1)", "C1"),
        ("https://a:b@team.slack.com/", "C1"),
        ("https://team.slack.com/x?y=", "C1"),
        (TEAM, ""),
        (TEAM, "../C1"),
        (TEAM, "general)"),
        (TEAM, "C1|x>"),
    ] {
        assert_eq!(link(team, channel), None, "{team} {channel}");
    }
    assert_eq!(permalink_of_message(TEAM, &ChannelId::new("C1"), MessageTs::MIN, None), None);
}

#[test]
fn a_citation_is_a_small_link() {
    let cited = "九時です[[1]](https://team.slack.com/archives/C1/p1?thread_ts=1.2&cid=C1)[[2]](https://team.slack.com/archives/C1/p2)。";
    let shown = "九時です<https://team.slack.com/archives/C1/p1?thread_ts=1.2&amp;cid=C1|[1]><https://team.slack.com/archives/C1/p2|[2]>。";
    assert_eq!(from_markdown(cited), shown);
}

#[tokio::test]
async fn slack_tells_the_workspaces_address() {
    let live = Live::start().await;
    let directory = live.directory().await;
    let team = &directory.own().team_url;
    assert!(link(team, "C1").is_some_and(|link| link.starts_with(team.as_str())), "{team}");
}
