//! What somebody missed, asked in talk and through the eyes of any place (ADR 140).

use std::{fmt::Write as _, sync::Arc};

use jiff::{SignedDuration, tz::TimeZone};
use myao_companion::brief::{Brief, BriefOrder, BriefSince, make_brief};
use myao_core::{
    chat::{Channel, ChannelId, ChannelKind, Event, Message, MessageTs, User, UserId, Visibility},
    memory::MemorySettings,
    recall::brief::{BriefWish, MOST_ASKED, MOST_DECIDED},
    text::Language,
};
use myao_model::Builtin;
use myao_testkit::ScriptedModel;
use proptest::{prelude::*, test_runner::Config};

use crate::{
    reply_world::World,
    scenario::{BUILD, Scenario},
};

async fn world() -> (World, Arc<ScriptedModel>) {
    let model = Arc::new(ScriptedModel::answering(|_| "はい"));
    let world = World::new(&model).await;
    world.store.hearing().hear_since(Some(world.now()));
    let channel = |id: &str, kind, external| {
        Event::Channel(Channel { id: ChannelId::new(id), name: id.to_lowercase(), kind, external })
    };
    world
        .hear(vec![
            channel("C1", ChannelKind::Public, false),
            channel("C2", ChannelKind::Public, false),
            channel("P1", ChannelKind::Private, false),
            channel("X1", ChannelKind::Public, true),
        ])
        .await;
    world.know(&CHANNELS).await;
    (world, model)
}

fn by(user: &str, message: Message) -> Message {
    Message { user: UserId::new(user), ..message }
}

/// U1 is told what they missed, through these eyes.
async fn missed(world: &World, visibility: &Visibility, wish: &BriefWish) -> (Brief, String) {
    let user = UserId::new("U1");
    let zone = TimeZone::UTC;
    let order = BriefOrder {
        visibility,
        user: &user,
        wish,
        place: None,
        now: world.now(),
        zone: &zone,
        language: Language::En,
    };
    let brief = make_brief(&world.store, order).await.expect("made");
    let mut text = brief.heading(&order);
    for section in brief.sections(&order, Some("https://town.slack.com/")) {
        let _written = write!(text, "\n{}", section.heading);
        for line in section.lines {
            let (label, address) = (line.label.unwrap_or_default(), line.address.unwrap_or_default());
            let _written = write!(text, "\n{label} {address} {}", line.text);
        }
    }
    (brief, text)
}

#[tokio::test]
async fn what_was_missed_is_answered_without_a_model_and_with_links() {
    let (world, model) = world().await;
    world.store.archive().note_team_url("https://town.slack.com/").await.expect("noted");
    world.told(world.message("C1", "お先に失礼します")).await;
    world.clock.advance(SignedDuration::from_hours(2));
    world.told(by("U2", world.message("C1", "文化祭の出し物は喫茶店に決まりました"))).await;
    world.told(by("U2", world.message("C1", "<@U1> 机の数を確認してもらえますか？"))).await;
    world.clock.advance(SignedDuration::from_hours(20));
    world.mention("C1", "不在の間に何があった？").await;
    world.settle().await;
    // The platform of the tests posts each line by itself.
    let text = world.chat.texts().join("\n");
    for part in [
        "前にいたとき（2026-03-02 00:00）",
        "あなたへ",
        "机の数を確認",
        "決まったこと",
        "喫茶店",
        "https://town.slack.com/archives/C1/",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_eq!(model.calls(), 0);
}

#[tokio::test]
async fn another_question_goes_to_the_model() {
    let (world, model) = world().await;
    world.mention("C1", "このレシピで何か見逃した材料は？").await;
    world.settle().await;
    assert_eq!((world.chat.texts(), model.calls()), (vec!["はい".to_owned()], 1));
}

/// Two wait for an answer in the same place: one wants a brief, the other something else.
#[tokio::test]
async fn another_question_that_waits_beside_it_is_answered_too() {
    let (world, model) = world().await;
    for question in ["不在の間に何があった？", "このレシピで何か見逃した材料は？"]
    {
        world.mention("C1", question).await;
    }
    world.settle().await;
    assert_eq!(world.chat.texts().last().map(String::as_str), Some("はい"), "{:?}", world.chat.texts());
    assert_eq!((world.chat.texts().len(), model.calls()), (2, 1));
}

#[tokio::test]
async fn what_goes_while_it_is_answered_is_not_in_it() {
    let (world, _) = world().await;
    world.told(world.message("C1", "では")).await;
    world.clock.advance(SignedDuration::from_hours(2));
    let gone = world.told(by("U2", world.message("C1", "会場は北館に決まりました"))).await;
    let (brief, text) = missed(&world, &Visibility::Owner, &BriefWish::default()).await;
    assert_eq!((brief.decided.len(), brief.because), (1, BriefSince::LastHere), "{text}");
    world.hear(vec![Event::Deleted { channel: ChannelId::new("C1"), ts: gone }]).await;
    let (brief, text) = missed(&world, &Visibility::Owner, &BriefWish::default()).await;
    assert!(brief.is_empty() && !text.contains("北館"), "{text}");
}

#[tokio::test]
async fn it_is_a_screen_however_much_there_is() {
    let (world, _) = world().await;
    for n in 0..60 {
        let text = format!("We decided to move stall number {n} to the yard, {}", "as it is ".repeat(60));
        world.told(by("U2", world.message("C1", &text))).await;
        world.told(by("U2", world.message("C2", &format!("<@U1> could you carry box {n}?")))).await;
    }
    let (brief, text) = missed(&world, &Visibility::Owner, &BriefWish::default()).await;
    assert_eq!((brief.asked.len(), brief.decided.len()), (MOST_ASKED, MOST_DECIDED));
    assert_eq!(brief.more, [60 - MOST_ASKED, 60 - MOST_DECIDED, 0]);
    assert_eq!(brief.because, BriefSince::Usual, "they said nothing");
    assert!(text.lines().count() <= 20 && text.chars().count() <= 5_000, "{text}");
}

/// What is remembered differently since, with what it was before and who says so.
#[tokio::test]
async fn what_changed_in_what_is_remembered_is_told_with_what_it_was() {
    let scenario = Scenario::new(MemorySettings::default(), Arc::new(Builtin)).await;
    scenario.channel("C1").await;
    let people = [("U1", "Noor"), ("U2", "Ben")]
        .map(|(id, name)| Event::User(User { id: UserId::new(id), name: name.to_owned(), is_bot: false }));
    scenario.apply(people.to_vec()).await;
    while !scenario.store.recall().index_some().await.expect("indexed").is_complete {}
    let say = async |text: &str| {
        let message = by("U2", scenario.message("C1", text));
        scenario.apply(vec![Event::Message(message)]).await;
        scenario.pass(SignedDuration::from_hours(3));
        scenario.round(BUILD).await;
    };
    say("The Lindwell fair is on 2 May.").await;
    scenario.pass(SignedDuration::from_hours(7 * 24));
    let since = MessageTs::from_timestamp(scenario.now());
    say("The Lindwell fair has been moved: it is now on 9 June.").await;
    let wish = BriefWish { since: Some(since), ..BriefWish::default() };
    let (user, zone) = (UserId::new("U1"), TimeZone::UTC);
    let visibility = Visibility::Owner;
    let order = BriefOrder {
        visibility: &visibility,
        user: &user,
        wish: &wish,
        place: None,
        now: scenario.now(),
        zone: &zone,
        language: Language::En,
    };
    let brief = make_brief(&scenario.store, order).await.expect("made");
    let [change] = &brief.changed[..] else { panic!("one change: {:?}", brief.changed) };
    assert!(change.was.words.contains("2 May") && change.is.words.contains("9 June"), "{change:?}");
    assert!(change.source.is_some(), "a message says so");
    let sections = brief.sections(&order, Some("https://town.slack.com/"));
    let told = sections.iter().find(|section| section.heading == "Changed").expect("told");
    assert!(told.lines.iter().all(|line| line.address.is_some()), "{told:?}");
}

/// Somebody says something somewhere: the channel, who, which kind of remark, and whether it is deleted afterwards.
type Said = (usize, usize, usize, bool);

const CHANNELS: [&str; 4] = ["C1", "C2", "P1", "X1"];
const USERS: [&str; 3] = ["U1", "U2", "U3"];

fn remark(kind: usize, nth: usize) -> String {
    let word = format!("canary{nth:03}x");
    match kind {
        0 => format!("We decided to take {word} to the fair"),
        1 => format!("<@U1> could you fetch {word} please?"),
        _ => format!("nice {word} over there"),
    }
}

fn talk() -> impl Strategy<Value = Vec<Said>> {
    prop::collection::vec((0_usize..4, 0_usize..3, 0_usize..3, prop::bool::weighted(0.2)), 1..25)
}

proptest! {
    #![proptest_config(Config { cases: 24, max_shrink_iters: 50, ..Config::default() })]
    /// Nobody is shown a word of a place that they do not see, or one that was deleted, or of somebody who opted out.
    #[test]
    fn a_brief_shows_what_its_eyes_see(said in talk(), opts_out in any::<bool>(), place in 0_usize..4) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            let (world, _) = world().await;
            let mut gone: Vec<(usize, MessageTs)> = Vec::new();
            for (nth, (channel, user, kind, is_deleted)) in said.iter().enumerate() {
                let text = remark(*kind, nth);
                let ts = world.told(by(USERS[*user], world.message(CHANNELS[*channel], &text))).await;
                if *is_deleted {
                    gone.push((*channel, ts));
                }
            }
            for (channel, ts) in gone {
                world.hear(vec![Event::Deleted { channel: ChannelId::new(CHANNELS[channel]), ts }]).await;
            }
            if opts_out {
                world.store.intake().never_remember(&UserId::new("U2"), true, world.now()).await.expect("noted");
            }
            let here = ChannelId::new(CHANNELS[place]);
            let visibility = world.store.hearing().seen_from(&here).await.expect("read");
            let wish = BriefWish { since: Some(MessageTs::MIN), ..BriefWish::default() };
            let (_, text) = missed(&world, &visibility, &wish).await;
            let sees = |channel: usize| {
                channel == place || (CHANNELS[place] != "X1" && channel < 2)
            };
            for (nth, (channel, user, _, is_deleted)) in said.iter().enumerate() {
                let is_shown = text.contains(&format!("canary{nth:03}x"));
                let may_be = sees(*channel) && !is_deleted && !(opts_out && USERS[*user] == "U2");
                prop_assert!(may_be || !is_shown, "{nth} in {} seen from {here}: {text}", CHANNELS[*channel]);
            }
            // And something of what it sees is there: what is asked of them and not answered is always among the newest.
            let is_asked = |(channel, user, kind, is_deleted): &&Said| {
                *kind == 1 && *user != 0 && sees(*channel) && !is_deleted && !(opts_out && USERS[*user] == "U2")
            };
            let has_own = said.iter().any(|(_, user, _, _)| *user == 0);
            if !has_own && said.iter().any(|one| is_asked(&one)) {
                prop_assert!(text.contains("Asked of you"), "{text}");
            }
            Ok(())
        })?;
    }
}
