//! A platform that limits, fails, or does not say what became of a post.

use jiff::SignedDuration;
use myao_core::{ports::PostError, prompt::not_let, text::Language};

use super::{World, platform::Fate, saying, top};

async fn asked(words: &'static str) -> World {
    let world = World::new(&saying(words)).await;
    world.mention("C1", "いる？").await;
    world
}

fn unknown() -> PostError {
    PostError::Unknown("500".to_owned())
}

#[tokio::test]
async fn a_limit_is_waited_for_as_long_as_asked() {
    let world = asked("一\n二").await;
    world.chat.will(Fate::Before(PostError::Limited(30)));
    world.settle().await;
    assert_eq!(world.chat.texts(), Vec::<String>::new());
    let before = world.now();
    world.settle_later().await;
    assert!(world.now().duration_since(before).as_secs() >= 30);
    assert_eq!(world.chat.texts(), ["一", "二"]);
    assert_eq!(world.chat.looks(), 0, "a limit is no doubt");
}

/// An earlier reply that waits keeps its place: the next question is asked after it.
#[tokio::test]
async fn what_waits_to_be_posted_goes_first() {
    let world = asked("はい").await;
    world.chat.will(Fate::Before(PostError::Unreachable("down".to_owned())));
    world.chat.will(Fate::Before(PostError::Unreachable("down".to_owned())));
    world.settle().await;
    world.mention("C1", "もう一つ").await;
    world.settle().await;
    assert_eq!(world.chat.texts(), Vec::<String>::new());
    world.settle_later().await;
    assert_eq!(world.chat.texts(), Vec::<String>::new());
    world.settle_later().await;
    assert_eq!(world.chat.texts(), ["はい", "はい"]);
    let marks: Vec<i64> = world.chat.posts().into_iter().map(|(post, _)| post.mark.reply).collect();
    assert_eq!(marks, [1, 2]);
}

#[tokio::test]
async fn a_post_that_got_through_with_an_error_is_not_doubled() {
    let world = asked("一\n二").await;
    world.chat.will(Fate::After(unknown()));
    world.settle().await;
    assert_eq!(world.chat.texts(), ["一"]);
    world.settle_later().await;
    assert_eq!(world.chat.texts(), ["一", "二"]);
    assert_eq!(world.chat.looks(), 1);
    let own: Vec<String> = world.own("C1").await.into_iter().map(|message| message.text).collect();
    assert_eq!(own, ["一", "二"]);
    assert_eq!(world.states().await, [("done".to_owned(), String::new())]);
}

#[tokio::test]
async fn a_post_that_did_not_get_through_is_looked_for_twice_and_made_again() {
    let world = asked("はい").await;
    world.chat.will(Fate::Before(unknown()));
    world.settle().await;
    let before = world.now();
    world.settle_later().await;
    assert!(world.now().duration_since(before).as_secs() >= 35, "the call's time and a little");
    assert_eq!(world.chat.texts(), ["はい"]);
    assert_eq!(world.chat.looks(), 2);
}

/// While nobody can look, nothing is posted.
#[tokio::test]
async fn a_platform_that_cannot_be_searched_is_waited_for() {
    for error in [unknown(), PostError::Limited(9), PostError::Refused("missing_scope".to_owned())] {
        let world = asked("はい").await;
        world.chat.will(Fate::After(unknown()));
        world.chat.cannot_look(error.clone());
        world.chat.cannot_look(error);
        world.settle().await;
        for _ in 0..2 {
            world.settle_later().await;
            let states = world.states().await;
            assert!(states[0].0 == "written" && states[0].1.contains("cannot be looked up"), "{states:?}");
        }
        world.settle_later().await;
        assert_eq!(world.chat.texts(), ["はい"]);
        assert_eq!((world.chat.looks(), world.states().await[0].0.as_str()), (3, "done"));
    }
}

#[tokio::test]
async fn a_refusal_ends_the_reply_with_its_reason() {
    let world = asked("一\n二").await;
    world.chat.will(Fate::Before(PostError::Refused("invalid_arguments".to_owned())));
    world.settle().await;
    assert_eq!(texts_in(&world, "C1"), Vec::<String>::new());
    let states = world.states().await;
    assert!(states[0].0 == "failed" && states[0].1.contains("invalid_arguments"), "{states:?}");
    world.mention("C1", "まだ？").await;
    world.settle().await;
    assert_eq!(texts_in(&world, "C1"), ["一", "二"], "the next one is tried for itself");
}

/// What is posted in a channel, or to a person.
fn texts_in(world: &World, place: &str) -> Vec<String> {
    let posts = world.chat.posts().into_iter().map(|(post, _)| post);
    posts.filter(|post| post.place.channel.as_str() == place).map(|post| post.text).collect()
}

/// Whoever asked hears of it once, in a direct message, and nobody else does.
#[tokio::test]
async fn who_asked_hears_that_the_answer_may_not_be_posted() {
    let told = not_let(Language::Ja);
    for error in [
        PostError::Forbidden("restricted_action".to_owned()),
        PostError::Refused("invalid_arguments".to_owned()),
        PostError::NoThreads("there is none to leave".to_owned()),
    ] {
        let world = asked("はい").await;
        world.chat.will(Fate::Before(error.clone()));
        world.settle().await;
        assert_eq!(texts_in(&world, "C1"), Vec::<String>::new(), "{error}");
        assert_eq!(texts_in(&world, "U1"), [told], "{error}");
        let states = world.states().await;
        assert!(
            states[0].0 == "failed" && states[0].1 == error.to_string(),
            "told for what it is: {states:?}"
        );
        world.settle().await;
        assert_eq!(world.chat.posts().len(), 1, "{error}: once");
    }
}

/// A post that is too long is posted in pieces, in order, and nothing of it is lost; what cannot be cut is given up.
#[tokio::test]
async fn what_is_too_long_is_posted_in_pieces() {
    let too_long = || Fate::Before(PostError::TooLong("msg_too_long".to_owned()));
    for refusals in [1, 2, 3] {
        let first: String = ('a'..='z').cycle().take(4_000).collect();
        let world = asked(String::leak(format!("{first}\n二"))).await;
        (0..refusals).for_each(|_| world.chat.will(too_long()));
        world.settle().await;
        let texts = texts_in(&world, "C1");
        let (last, pieces) = texts.split_last().expect("some");
        assert_eq!((pieces.concat(), last.as_str()), (first.clone(), "二"), "{refusals}");
        assert!(pieces.len() > 1 && pieces.iter().all(|piece| piece.chars().count() <= 2_000), "{refusals}");
        assert_eq!(world.states().await[0].0, "done");
    }
    let world = asked("short").await;
    world.chat.will(too_long());
    world.settle().await;
    assert_eq!(texts_in(&world, "U1"), [not_let(Language::Ja)], "nothing to be cut");
}

/// A channel that takes only replies in threads gets one, under the question; one without threads a post.
#[tokio::test]
async fn an_answer_goes_where_the_channel_takes_it() {
    let world = asked("はい").await;
    world.chat.will(Fate::Before(PostError::ThreadsOnly("threads only".to_owned())));
    world.settle().await;
    let (post, _) = world.chat.posts().remove(0);
    assert!(post.place.thread.is_some(), "{post:?}");
    assert_eq!(texts_in(&world, "C1"), ["はい"]);
    assert_eq!(world.states().await[0].0, "done");
}

/// The wait that it asks for is longer than the calendar is: it is asked again after an hour, and nobody else waits.
#[tokio::test]
async fn a_wait_without_end_is_probed_after_an_hour() {
    let world = asked("一\n二").await;
    for seconds in [1_000_000_000_000, u64::MAX] {
        world.chat.will(Fate::Before(PostError::Limited(seconds)));
        world.settle().await;
        assert_eq!(world.chat.texts(), Vec::<String>::new());
        world.clock.advance(SignedDuration::from_mins(60));
    }
    world.chat.will(Fate::Before(PostError::Limited(u64::MAX)));
    world.settle().await;
    world.mention("C2", "そちらは？").await;
    world.settle().await;
    assert_eq!(world.chat.texts(), ["一", "二"], "another place does not wait");
    world.clock.advance(SignedDuration::from_mins(60));
    world.settle().await;
    assert_eq!(world.chat.texts(), ["一", "二", "一", "二"]);
}

/// Where we may not speak as things stand it is tried again, until what was asked is too old; what nobody asked for is
/// dropped.
#[tokio::test]
async fn a_place_where_we_may_not_speak_is_waited_for() {
    let barred = || Fate::Before(PostError::Barred("not_in_channel".to_owned()));
    let world = asked("はい").await;
    (0..5).for_each(|_| world.chat.will(barred()));
    world.settle().await;
    for _ in 0..5 {
        assert_eq!(world.chat.texts(), Vec::<String>::new());
        world.settle_later().await;
    }
    assert_eq!(world.chat.texts(), ["はい"]);
    let world = asked("はい").await;
    (0..100).for_each(|_| world.chat.will(barred()));
    world.settle().await;
    let begin = world.now();
    while !world.store.replies().list_unfinished().await.expect("read").is_empty() {
        world.settle_later().await;
    }
    let took = world.now().duration_since(begin);
    assert!((3590..=3900).contains(&took.as_secs()), "{took:?}: response.max_message_age_seconds");
    let states = world.states().await;
    assert!(states[0].0 == "failed" && states[0].1.contains("not_in_channel"), "{states:?}");
    let world = World::new(&saying("はい")).await;
    let about = world.told(world.message("C1", "だれか？")).await;
    world.speak_up(&top("C1"), about).await;
    world.chat.will(barred());
    world.settle().await;
    assert_eq!((world.chat.texts(), world.states().await[0].0.as_str()), (Vec::new(), "failed"));
}

/// What a database may hold after damage, or was told by an earlier version.
#[tokio::test]
async fn a_reply_that_cannot_be_read_stops_no_other() {
    let beyond = "9223372036854775807";
    let cases = [
        // What is damaged, whether it is given up, and what is said in both places.
        ("UPDATE replies SET cause = 'whim'".to_owned(), true, vec!["はい"]),
        (format!("UPDATE replies SET not_before = {beyond}"), false, vec!["はい", "はい"]),
        (format!("UPDATE replies SET made_at = {beyond}"), false, vec!["はい", "はい"]),
        ("UPDATE reply_parts SET state = 'lost'".to_owned(), true, vec!["はい"]),
        ("UPDATE reply_parts SET text = NULL".to_owned(), true, vec!["はい"]),
    ];
    for (damage, given_up, said) in cases {
        let world = asked("はい").await;
        if damage.contains("reply_parts") {
            world.chat.will(Fate::Before(PostError::Unreachable("down".to_owned())));
            world.settle().await;
        }
        world.damage(&damage).await;
        world.mention("C2", "そちらは？").await;
        world.settle().await;
        let mut later = world.chat.texts();
        assert_eq!(later.pop().as_deref(), Some("はい"), "{damage}");
        world.clock.advance(SignedDuration::from_mins(10));
        world.settle().await;
        assert_eq!(world.chat.texts(), said, "{damage}");
        let (state, reason) = world.states().await.remove(0);
        assert_eq!(
            state == "failed" && reason.contains("cannot be read"),
            given_up,
            "{damage}: {state}, {reason}"
        );
        let shown =
            world.store.replies().failed_and_postponed(world.now() - SignedDuration::from_hours(1)).await;
        assert_eq!(shown.expect("read").len(), usize::from(given_up), "{damage}");
        // Nor does it stand in the way of what is asked next.
        world.mention("C1", "もう一度").await;
        world.settle().await;
        assert_eq!(world.chat.texts().len(), said.len() + 1, "{damage}");
    }
}

/// What is wanted in the same place had to wait for its posts, and waits no longer than until it is given up.
#[tokio::test]
async fn what_waits_behind_a_reply_that_cannot_be_read_is_answered_at_once() {
    let world = asked("はい").await;
    world.chat.will(Fate::Before(PostError::Unreachable("down".to_owned())));
    world.settle().await;
    world.damage("UPDATE reply_parts SET state = 'lost'").await;
    world.mention("C1", "もう一度").await;
    world.settle().await;
    assert_eq!(world.chat.texts(), ["はい"]);
}

/// However long an answer is, a channel does not drown in it.
#[tokio::test]
async fn an_answer_without_end_is_six_posts() {
    let endless = (0..6_020).fold(String::new(), |lines, n: u32| lines + &n.to_string() + " 行目\n");
    let world =
        World::new(&std::sync::Arc::new(myao_testkit::ScriptedModel::answering(move |_| endless.clone())))
            .await;
    world.mention("C1", "全部話して").await;
    world.settle().await;
    let texts = world.chat.texts();
    assert_eq!(texts.len(), 6);
    assert!(texts[5].starts_with("5 行目") && texts[5].ends_with('…'), "{texts:?}");
    assert!(!texts[4].contains('…'));
    assert_eq!(world.states().await, [("done".to_owned(), String::new())]);
}
