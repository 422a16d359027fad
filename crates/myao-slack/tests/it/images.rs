//! Shared images: where they are, and where our token goes.

use futures::future;
use myao_core::{
    chat::{ChannelId, FileRef},
    ports::{Chat, ImageFormat, NoImage},
    text::Language,
};
use myao_slack::{api::may_see_token, message::Reading, post::SlackChat};
use myao_testkit::slack::{ChannelSpec, FakeSlack, FileSpec, InjectedFault, SlackSetup, UserSpec};
use serde_json::{Value, json};

use crate::live::Live;

const PNG: &[u8] = b"\x89PNG\r\n\x1a\nand so on";
const DOWNLOAD: &str = "files-pri";

fn chat(live: &Live) -> SlackChat {
    SlackChat::new(live.bot(), live.own(), Language::Ja)
}

fn png(name: &str) -> FileSpec {
    FileSpec::new(name, "image/png", PNG)
}

/// The file as the archive keeps it, of the message it was shared with.
fn shared(slack: &FakeSlack, file: &FileSpec) -> FileRef {
    let aki = slack.user(UserSpec::person("aki"));
    let channel = slack.channel(ChannelSpec::public("a").members(&[&aki]));
    let ts = slack.share(&channel, &aki, file, "look");
    of_message(&channel, &slack.message(&channel, ts).unwrap())
}

fn of_message(channel: &ChannelId, raw: &Value) -> FileRef {
    match myao_slack::message::read_message_object(channel, raw) {
        Ok(Reading::Said(said)) => said.message.files.into_iter().next().unwrap(),
        other => panic!("{other:?}"),
    }
}

async fn why(live: &Live, file: &FileRef) -> String {
    let NoImage(why) = chat(live).image(file).await.unwrap_err();
    assert!(!why.contains("xoxb") && !why.contains("http"), "neither token nor address: {why}");
    why
}

#[tokio::test]
async fn a_shared_image_is_had_with_our_token() {
    let live = Live::start().await;
    let kinds: [(&str, &[u8], ImageFormat); 4] = [
        ("image/png", PNG, ImageFormat::Png),
        ("image/jpeg", b"\xff\xd8\xff\xe0 and so on", ImageFormat::Jpeg),
        ("image/gif", b"GIF89a and so on", ImageFormat::Gif),
        ("image/webp", b"RIFF\x10\0\0\0WEBP and so on", ImageFormat::WebP),
    ];
    for (media_type, content, format) in kinds {
        let file = shared(&live.slack, &FileSpec::new("猫.img", media_type, content).alt("a cat"));
        assert_eq!(file.alt.as_deref(), Some("a cat"));
        let image = chat(&live).image(&file).await.unwrap();
        assert_eq!((image.name.as_str(), image.format, &*image.bytes), ("猫.img", format, content));
    }
    assert!(live.slack.seen().fetches.iter().all(|fetch| fetch.with_token));
    live.slack.finish();
}

/// A page at status 200 is what Slack gives whoever may not read files.
#[tokio::test]
async fn what_is_no_image_is_not_taken_for_one() {
    let live = Live::start().await;
    for (file, said) in [
        (png("a.png").served_as("text/html; charset=utf-8"), "the scope `files:read`"),
        (FileSpec::new("a.png", "image/png", b"<!doctype html>"), "does not begin like an image"),
        (png("a.png").served_as("image/svg+xml"), "of no kind"),
        (png("a.png").served_as(""), "of no kind"),
        (FileSpec::new("a.png", "image/png", b""), "does not begin like an image"),
        (png("a.png").redirecting("https://fake.slack.com/sign-in"), "sign in"),
        (FileSpec::new("a.png", "image/png", &vec![0x89; 3_900_001]).sized(9), "more than 3900000 bytes"),
    ] {
        let why = why(&live, &shared(&live.slack, &file)).await;
        assert!(why.contains(said), "{said}: {why}");
    }
    let nothing = FileRef { name: "a.png".to_owned(), ..FileRef::default() };
    assert_eq!(why(&live, &nothing).await, "it is no image");
    let without = Live::with(|setup: SlackSetup| setup.without_scope("files:read")).await;
    let why = why(&without, &shared(&without.slack, &png("a.png"))).await;
    assert!(why.contains("`files:read`"), "{why}");
}

#[tokio::test]
async fn what_fails_is_not_tried_again() {
    let live = Live::start().await;
    let file = shared(&live.slack, &png("a.png"));
    for (tries, fault) in (1..).zip([
        InjectedFault::ServerError,
        InjectedFault::CutBefore,
        InjectedFault::Limited(3),
        InjectedFault::Html,
        InjectedFault::CutAfter,
    ]) {
        live.slack.fail_next(DOWNLOAD, fault);
        why(&live, &file).await;
        assert_eq!(live.slack.seen().fetches.len(), tries);
    }
    live.slack.fail_next(DOWNLOAD, InjectedFault::Hang);
    let (said, ()) = future::join(why(&live, &file), live.pass(30, 30)).await;
    assert!(said.contains("no answer within 30 s"), "{said}");
    live.slack.release();
}

#[test]
fn the_token_is_for_slack_alone() {
    for base in ["https://slack.com/api/", "http://127.0.0.1:9/api/", "no address"] {
        for address in [
            "https://files.slack.com/files-pri/T1-F1/cat.png",
            "https://slack.com/files-pri/T1-F1/cat.png",
            "https://team.enterprise.slack.com/files/x",
            "https://files.slack-gov.com/files-pri/T1-F1/cat.png",
            "https://FILES.Slack.com:443/files-pri/T1-F1/cat.png",
        ] {
            assert!(may_see_token(address, base), "{address}");
        }
        for address in [
            "http://files.slack.com/files-pri/T1-F1/cat.png",
            "https://files.slack.com:8443/files-pri/T1-F1/cat.png",
            "https://slack.com.example/cat.png",
            "https://notslack.com/cat.png",
            "https://slack.com@example.com/cat.png",
            "https://us:er@files.slack.com/cat.png",
            "https://example.com/https://files.slack.com/cat.png",
            "https://example.com/?files.slack.com",
            "https://example.com#.slack.com",
            "https://example.com\\.slack.com/cat.png",
            "https://slack-files.com/T1-F1",
            "ftp://files.slack.com/cat.png",
            "file:///etc/passwd",
            "data:image/png;base64,AAAA",
            "//files.slack.com/cat.png",
            "",
        ] {
            assert!(!may_see_token(address, base), "{address}");
        }
    }
    let own = "http://127.0.0.1:9/api/";
    assert!(may_see_token("http://127.0.0.1:9/files-pri/x", own));
    for address in
        ["http://127.0.0.1:10/x", "https://127.0.0.1:9/x", "http://localhost:9/x", "http://127.0.0.2:9/x"]
    {
        assert!(!may_see_token(address, own), "{address}");
    }
}

/// Wherever a message says that its file is, and wherever Slack says that it went.
#[tokio::test]
async fn nobody_else_hears_of_us() {
    let live = Live::start().await;
    let elsewhere = FakeSlack::start().await;
    let url = elsewhere.api_base_url().replace("/api/", "/files-pri/T0-F0/cat.png");
    let file = shared(&live.slack, &png("a.png").found_at(&url));
    assert_eq!(file.image_url.as_deref(), Some(url.as_str()));
    assert_eq!(why(&live, &file).await, "it is not at Slack");
    let file = shared(&live.slack, &png("a.png").redirecting(&url));
    assert!(why(&live, &file).await.contains("sign in"));
    assert_eq!(live.slack.seen().fetches.len(), 1);
    assert!(elsewhere.seen().fetches.is_empty(), "not even without a token");
}

/// What a model would not take is seen by Slack's preview of it.
#[tokio::test]
async fn what_is_too_large_or_of_another_kind_is_seen_by_its_preview() {
    let live = Live::start().await;
    for file in [
        FileSpec::new("IMG_1.heic", "image/heic", b"ftypheic").previewed(PNG),
        png("large.png").sized(3_900_001).previewed(PNG),
    ] {
        let image = chat(&live).image(&shared(&live.slack, &file)).await.unwrap();
        assert_eq!(image.format, ImageFormat::Png);
        assert_eq!(live.slack.seen().fetches.pop().unwrap().name, "large.png", "the largest of them");
    }
    for file in [
        FileSpec::new("IMG_1.heic", "image/heic", b"ftypheic"),
        png("large.png").sized(3_900_001),
        FileSpec::new("plan.pdf", "application/pdf", b"%PDF").previewed(PNG),
        FileSpec::new("logo.svg", "image/svg+xml", b"<svg/>"),
    ] {
        assert_eq!(shared(&live.slack, &file).image_url, None, "{file:?}");
    }
}

/// Where a file is, is all that is kept of its address.
#[tokio::test]
async fn a_token_in_an_address_is_not_kept() {
    let live = Live::start().await;
    let file = shared(&live.slack, &png("a.png").with_token("xoxe-1234"));
    let url = file.image_url.clone().unwrap();
    assert!(url.ends_with("/a.png"), "{url}");
    assert!(chat(&live).image(&file).await.is_ok(), "it is had without");
    let channel = ChannelId::new("C1");
    let external = json!({"mimetype": "image/png", "name": "x.png", "is_external": true,
        "url_private": "https://files.slack.com/x.png"});
    let raw =
        json!({"type": "message", "user": "U1", "ts": "1700000000.000100", "text": "", "files": [external]});
    assert_eq!(of_message(&channel, &raw).image_url, None, "it is somewhere else in truth");
}
