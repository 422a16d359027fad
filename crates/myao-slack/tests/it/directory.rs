//! Who is there, and what the channels are.

use std::collections::BTreeMap;

use futures::TryStreamExt;
use myao_core::chat::{Channel, ChannelId, ChannelKind};
use myao_slack::directory::Directory;
use myao_testkit::slack::{ChannelSpec, UserSpec};

use crate::live::Live;

async fn channels(directory: &Directory) -> BTreeMap<ChannelId, Channel> {
    let _everybody: Vec<_> = directory.people().try_concat().await.unwrap();
    let channels: Vec<Channel> = directory.channels().await.unwrap().try_collect().await.unwrap();
    channels.into_iter().map(|channel| (channel.id.clone(), channel)).collect()
}

#[tokio::test]
async fn the_channels_we_are_in_and_what_they_are() {
    let live = Live::start().await;
    let slack = &live.slack;
    let aki = slack.user(UserSpec::person("aki"));
    let ben = slack.user(UserSpec::person("ben"));
    let guest = slack.user(UserSpec::person("gast").guest());
    let stranger = slack.user(UserSpec::person("stranger").outsider());
    let table = [
        (slack.channel(ChannelSpec::public("open").members(&[&aki])), "open", ChannelKind::Public, false),
        (
            slack.channel(ChannelSpec::public("with-guest").members(&[&guest])),
            "with-guest",
            ChannelKind::Public,
            true,
        ),
        (slack.channel(ChannelSpec::public("connected").external()), "connected", ChannelKind::Public, true),
        (
            slack.channel(ChannelSpec::private("secret").members(&[&aki])),
            "secret",
            ChannelKind::Private,
            false,
        ),
        (slack.channel(ChannelSpec::dm(&aki)), "aki", ChannelKind::Dm, false),
        (slack.channel(ChannelSpec::dm(&stranger)), "stranger", ChannelKind::Dm, true),
        (slack.channel(ChannelSpec::group_dm(&[&aki, &ben])), "aki, ben", ChannelKind::GroupDm, false),
        (slack.channel(ChannelSpec::group_dm(&[&aki, &guest])), "aki, gast", ChannelKind::GroupDm, true),
    ];
    let elsewhere = slack.channel(ChannelSpec::public("elsewhere").without_bot());
    slack.channel(ChannelSpec::public("old").archived());
    let directory = live.directory().await;
    let found = channels(&directory).await;
    assert_eq!(found.len(), table.len());
    for (id, name, kind, external) in &table {
        let expected = Channel { id: id.clone(), name: (*name).to_owned(), kind: *kind, external: *external };
        assert_eq!(found.get(id), Some(&expected), "in the list");
        let fresh = live.directory().await;
        assert_eq!(fresh.channel(id).await.unwrap().as_ref(), Some(&expected), "by itself");
    }
    assert_eq!(directory.channel(&elsewhere).await.unwrap().unwrap().name, "elsewhere");
    assert_eq!(directory.channel(&ChannelId::new("C0NOWHERE")).await.unwrap(), None);
    live.slack.finish();
}

#[tokio::test]
async fn a_large_workspace_without_guests_asks_little() {
    let live = Live::start().await;
    let aki = live.slack.user(UserSpec::person("aki"));
    for n in 0..150 {
        live.slack.channel(ChannelSpec::public(&format!("c{n}")).members(&[&aki]));
    }
    let directory = live.directory().await;
    assert_eq!(channels(&directory).await.len(), 150);
    assert!(live.slack.calls("conversations.members").is_empty());
    // A guest arrives: from now on it matters who is where.
    let guest = live.slack.user(UserSpec::person("gast").guest());
    assert!(directory.person(&guest).await.unwrap().unwrap().outside);
    let with_guest = live.slack.channel(ChannelSpec::public("with-guest").members(&[&guest]));
    assert!(directory.channel(&with_guest).await.unwrap().unwrap().external);
    live.slack.finish();
}

#[tokio::test]
async fn kinds_we_have_no_scope_for_are_left_out() {
    let live = Live::with(|setup| setup.without_scope("im:read")).await;
    let aki = live.slack.user(UserSpec::person("aki"));
    let open = live.slack.channel(ChannelSpec::public("open").members(&[&aki]));
    live.slack.channel(ChannelSpec::dm(&aki));
    let found = channels(&live.directory().await).await;
    assert_eq!(found.keys().collect::<Vec<_>>(), [&open]);
}

#[tokio::test]
async fn people_are_called_what_they_chose() {
    let live = Live::start().await;
    let aki = live.slack.user(UserSpec::person("aki").real_name("Akira Sato"));
    let bot = live.slack.user(UserSpec::bot("ci").real_name("CI & Co"));
    let directory = live.directory().await;
    let called = async |id| {
        let person = directory.person(id).await.unwrap().unwrap();
        (person.user.name, person.user.is_bot, person.outside)
    };
    assert_eq!(called(&aki).await, ("aki".to_owned(), false, false));
    assert_eq!(called(&bot).await, ("CI & Co".to_owned(), true, false));
    live.slack.rename_user(&aki, "aki2");
    assert_eq!(called(&aki).await.0, "aki2");
    assert_eq!(directory.person(&myao_core::chat::UserId::new("U0NOBODY")).await.unwrap(), None);
    let own = directory.own();
    assert_eq!((&own.user, own.team.as_str()), (&live.slack.bot_user_id(), live.slack.team_id()));
    assert_eq!(own.bot.as_ref().map(myao_core::chat::UserId::as_str), Some(live.slack.bot_id()));
}
