//! Names come by themselves, and late names hold nothing up (specification §4).

use myao_core::chat::{ChannelKind, Event, UserId, Visibility};
use myao_store::FirstSight;
use myao_testkit::slack::{ChannelSpec, InjectedFault, SlackSetup, UserSpec};

use crate::live::Live;

const TALK: &str = "SELECT count(*) FROM messages WHERE channel_id = $1 AND kind = 'talk'";

async fn name(live: &Live, user: &UserId) -> String {
    live.store.archive().names(&Visibility::Owner).await.unwrap().user(user).to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn messages_of_strangers_are_stored_at_once_and_their_names_follow() {
    let mut live = Live::with(10, SlackSetup::with_rate_limits, |_| {}).await;
    let general = live.slack.channel(ChannelSpec::public("general"));
    live.start().await;
    live.caught_up(&[&general]).await;
    for _ in 0..3 {
        live.slack.fail_next("users.info", InjectedFault::Limited(5));
    }
    let strangers: Vec<UserId> =
        (0..60).map(|n| live.slack.user(UserSpec::person(&format!("stranger{n}")))).collect();
    for stranger in &strangers {
        live.slack.say(&general, stranger, "hello");
    }
    live.slack.wait_until(|seen| seen.unacknowledged == 0).await;
    assert_eq!(live.count(TALK, &general).await, 60);
    let limited = live.slack.calls("users.info").len();
    assert!(limited < 60, "the names take longer than the messages: {limited}");
    for (n, stranger) in strangers.iter().enumerate() {
        live.eventually("a name", async || name(&live, stranger).await == format!("stranger{n}")).await;
    }
    assert!(live.slack.calls("users.info").len() < 70, "nobody is asked for again and again");
    live.stop().await;
    live.slack.finish();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whom_the_overview_names_is_not_asked_for() {
    let mut live = Live::new(|_| {}).await;
    let aki = live.slack.user(UserSpec::person("aki"));
    let general = live.slack.channel(ChannelSpec::public("general").members(&[&aki]));
    live.slack.say(&general, &aki, "hello");
    live.start().await;
    live.caught_up(&[&general]).await;
    live.slack.say(&general, &aki, "again");
    live.slack.wait_until(|seen| seen.unacknowledged == 0).await;
    live.eventually("her name", async || name(&live, &aki).await == "aki").await;
    live.stop().await;
    assert_eq!(live.slack.calls("users.info").len(), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_changed_its_name_meanwhile_is_called_by_the_new_one() {
    let mut live = Live::new(|_| {}).await;
    let aki = live.slack.user(UserSpec::person("aki"));
    let general = live.slack.channel(ChannelSpec::public("general").members(&[&aki]));
    live.start().await;
    live.caught_up(&[&general]).await;
    live.stop().await;
    live.slack.muted(|slack| {
        slack.rename_user(&aki, "akiko");
        slack.rename_channel(&general, "everybody");
        slack.convert_to_private(&general);
    });
    live.start().await;
    live.eventually("the new names", async || {
        let row = live.row(&general).await.unwrap();
        row.channel.name == "everybody"
            && row.channel.kind == ChannelKind::Private
            && name(&live, &aki).await == "akiko"
    })
    .await;
    live.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_left_without_a_name_is_looked_up_at_the_next_start() {
    let mut live = Live::new(|_| {}).await;
    let outside = live.slack.channel(ChannelSpec::public("elsewhere").without_bot());
    live.slack.fail_next("users.list", InjectedFault::Refused("fatal_error".to_owned()));
    let left = Event::HeardUntil { channel: outside.clone(), until: live.ago(crate::live::days(1)) };
    live.store
        .hearing()
        .join_channel(&outside, FirstSight::since(live.ago(crate::live::days(1))))
        .await
        .unwrap();
    live.store.hearing().leave_channel(&outside, live.clock.base).await.unwrap();
    live.store.intake().apply(vec![left], live.clock.base).await.unwrap();
    assert_eq!(live.row(&outside).await.unwrap().channel.kind, ChannelKind::Unknown);
    live.start().await;
    live.eventually("what it is", async || {
        let row = live.row(&outside).await.unwrap();
        row.channel.kind == ChannelKind::Public && row.channel.name == "elsewhere" && !row.member
    })
    .await;
    live.stop().await;
}

/// Everybody is still being listed, which takes minutes in a large workspace: who asks is known by name at once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_asks_is_known_by_name_before_everybody_is_listed() {
    let mut live = Live::new(|_| {}).await;
    let aki = live.slack.user(UserSpec::person("aki"));
    let ben = live.slack.user(UserSpec::person("ben"));
    let general = live.slack.channel(ChannelSpec::public("general").members(&[&aki, &ben]));
    for _ in 0..10 {
        live.slack.fail_next("users.list", InjectedFault::Hang);
    }
    live.start().await;
    live.slack.say(&general, &aki, &format!("<@{}> hello", live.slack.bot_user_id()));
    live.eventually("her name", async || name(&live, &aki).await == "aki").await;
    // Whom the lookup of her channel has met on the way is known, too.
    live.eventually("his name", async || name(&live, &ben).await == "ben").await;
    live.slack.release();
    live.stop_at_once().await;
}

/// With a guest in the workspace the members of every channel have to be read, at Slack's rate.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mention_does_not_wait_until_hundreds_of_channels_are_looked_up() {
    let mut live = Live::with(1, SlackSetup::with_rate_limits, |_| {}).await;
    let aki = live.slack.user(UserSpec::person("aki"));
    let guest = live.slack.user(UserSpec::person("gerda").guest());
    let asked = live.slack.channel(ChannelSpec::public("zz-asked").members(&[&aki]));
    for n in 0..300 {
        live.slack.channel(ChannelSpec::public(&format!("room-{n}")).members(&[&aki]));
    }
    live.slack.channel(ChannelSpec::public("visited").members(&[&aki, &guest]));
    live.start().await;
    let members = "conversations.members";
    live.slack.wait_until(|seen| seen.calls(members) >= 15).await;
    let before = live.slack.calls(members).len();
    live.slack.say(&asked, &aki, &format!("<@{}> hello", live.slack.bot_user_id()));
    live.slack.wait_until(|seen| seen.posts.len() == 1).await;
    let between = live.slack.calls(members).len() - before;
    println!("answered after {between} calls of {members}");
    // Those that had their turn: some two hundred and eighty channels were not looked up yet.
    assert!(between < 60, "{between}");
    let by_sight =
        live.store.hearing().replies_by_sight(myao_store::Sight::Open, jiff::Timestamp::UNIX_EPOCH).await;
    assert_eq!(by_sight.expect("counted"), 1, "its channel was looked up for it");
    live.stop_at_once().await;
}
