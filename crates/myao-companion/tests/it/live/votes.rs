//! People say what they think of our answers: with thumbs, and by the buttons beneath (ADR 129).

use jiff::{SignedDuration, Timestamp};
use myao_config::Feedback;
use myao_core::{
    chat::{ChannelId, Interaction, InteractionRequest, MessageTs, UserId, Visibility, Vote},
    text::Language,
};
use myao_slack::manifest::VOTES_SCOPE;
use myao_store::{LedgerQuery, OptOuts, VoteCount};
use myao_testkit::{
    ScriptedModel,
    slack::{ChannelSpec, Click, InjectedFault, SlackSetup, UserSpec},
};

use super::Live;

const POST: &str = "chat.postMessage";

/// People who speak to us, in a channel and directly.
struct Room {
    live: Live,
    channel: ChannelId,
    dm: ChannelId,
    aki: UserId,
    ben: UserId,
}

impl Room {
    async fn open(setup: impl FnOnce(SlackSetup) -> SlackSetup, feedback: Feedback) -> Self {
        let mut live = Live::with(20, setup, |config| {
            config.locale.language = Language::En;
            config.slack.agent_view = false;
            config.response.feedback = feedback;
        })
        .await;
        live.model = ScriptedModel::answering(|_| "On Tuesday & no sooner.".to_owned()).into();
        let aki = live.slack.user(UserSpec::person("aki"));
        let ben = live.slack.user(UserSpec::person("ben"));
        let channel = live.slack.channel(ChannelSpec::public("general").members(&[&aki, &ben]));
        let dm = live.slack.channel(ChannelSpec::dm(&aki));
        live.start().await;
        live.caught_up(&[&channel, &dm]).await;
        Self { live, channel, dm, aki, ben }
    }

    /// Somebody asks, and is answered; the time stamp of the answer.
    async fn answer(&self, channel: &ChannelId) -> MessageTs {
        let before = self.live.slack.seen().posts.len();
        let text = format!("<@{}> when is the fair?", self.live.slack.bot_user_id());
        self.live.slack.say(channel, &self.aki, &text);
        self.live.eventually("posted", async || self.live.slack.seen().posts.len() > before).await;
        self.live.all_answered().await;
        self.live.slack.posts().pop().expect("posted").ts
    }

    async fn votes(&self) -> Vec<VoteCount> {
        let query = LedgerQuery { channel: None, since: Timestamp::MIN, limit: 10 };
        let listed = self.live.store.replies().list_voted(&Visibility::Owner, &query).await.expect("read");
        listed.into_iter().map(|reply| reply.votes).collect()
    }

    /// Returns once these are the votes.
    async fn comes_to(&self, good: u64, bad: u64) {
        let wanted = if good + bad == 0 { vec![] } else { vec![VoteCount { good, bad }] };
        self.live.eventually("voted", async || self.votes().await == wanted).await;
    }

    /// Returns once everything is taken in that was delivered so far.
    async fn heard(&self) {
        let ts = self.live.slack.say(&self.channel, &self.ben, "anyway");
        self.live.eventually("heard", async || self.live.message(&self.channel, ts).await.is_some()).await;
    }

    async fn end(mut self) {
        self.live.stop().await;
        self.live.slack.finish();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn thumbs_are_counted_while_they_stand() {
    let mut room = Room::open(|setup| setup, Feedback::Dm).await;
    let answer = room.answer(&room.channel).await;
    let slack = &room.live.slack;
    slack.duplicate_next_event();
    slack.react(&room.channel, answer, &room.aki, "+1::skin-tone-4");
    room.comes_to(1, 0).await;
    slack.react(&room.channel, answer, &room.ben, "thumbsdown");
    room.comes_to(1, 1).await;
    // Whoever thinks otherwise now.
    slack.react(&room.channel, answer, &room.aki, "-1");
    slack.take_reaction_back(&room.channel, answer, &room.aki, "+1::skin-tone-4");
    room.comes_to(0, 2).await;
    slack.take_reaction_back(&room.channel, answer, &room.ben, "thumbsdown");
    room.comes_to(0, 1).await;
    // What says nothing of an answer.
    let others = slack.say(&room.channel, &room.ben, "on Tuesday, I think");
    let bot = slack.user(UserSpec::bot("deploys"));
    slack.react(&room.channel, others, &room.aki, "+1");
    slack.react(&room.channel, answer, &room.ben, "tada");
    slack.react(&room.channel, answer, &room.live.slack.bot_user_id(), "+1");
    room.heard().await;
    assert_eq!(room.votes().await, [VoteCount { good: 0, bad: 1 }]);
    drop(bot);
    // They are there after a restart, and go with the answer.
    room.live.kill().await;
    room.live.start().await;
    room.comes_to(0, 1).await;
    room.live.slack.delete(&room.channel, answer);
    room.comes_to(0, 0).await;
    room.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn buttons_beneath_a_direct_answer_are_pressed() {
    let room = Room::open(|setup| setup, Feedback::Dm).await;
    let answer = room.answer(&room.dm).await;
    let post = room.live.slack.posts().pop().expect("posted");
    let blocks = post.blocks.clone().expect("blocks");
    assert_eq!(post.text, "On Tuesday &amp; no sooner.");
    assert_eq!(
        myao_testkit::slack::drawn::draw_blocks(&blocks),
        "On Tuesday &amp; no sooner.\n[Good answer] [Bad answer]"
    );
    room.heard().await;
    let kept = room.live.message(&room.dm, answer).await.expect("archived");
    assert_eq!(kept.text, "On Tuesday & no sooner.", "nothing of the buttons");
    let press =
        |value| room.live.slack.click(&room.dm, answer, &room.aki, Click::choice("vote-answer", value));
    let pressed = press("good");
    pressed.deliver_again();
    pressed.acknowledged().await;
    assert_eq!(pressed.answered().await.drawn(), "Noted, thank you.");
    room.comes_to(1, 0).await;
    // Another time is later than the first.
    room.live.clock.skip(SignedDuration::from_secs(2));
    press("bad").acknowledged().await;
    room.comes_to(0, 1).await;
    let unknown = press("perhaps");
    unknown.acknowledged().await;
    unknown.answered().await;
    assert_eq!(room.votes().await, [VoteCount { good: 0, bad: 1 }]);
    // What is said in a channel has none.
    room.answer(&room.channel).await;
    assert_eq!(room.live.slack.posts().pop().expect("posted").blocks, None);
    room.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_press_counts_however_late_it_is_taken_up() {
    let mut room = Room::open(|setup| setup, Feedback::Always).await;
    let answer = room.answer(&room.channel).await;
    room.live.stop().await;
    let pressed = Interaction {
        key: "interactive/1.2.3".to_owned(),
        user: room.ben.clone(),
        channel: Some(room.channel.clone()),
        request: InteractionRequest::Vote { ts: answer, vote: Vote::Bad },
        answer_to: None,
        trigger: None,
        view: None,
    };
    let interactions = room.live.store.interactions();
    interactions.take_in(vec![pressed], room.live.clock_now()).await.expect("noted");
    room.live.clock.skip(SignedDuration::from_hours(1));
    room.live.start().await;
    room.comes_to(0, 1).await;
    room.live
        .eventually("over", async || {
            let counts = room.live.store.interactions().counts().await.expect("read");
            counts.get("late") == Some(&1)
        })
        .await;
    room.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_older_manifest_makes_the_calls_that_it_always_made() {
    for (setup, feedback) in [(true, Feedback::Always), (false, Feedback::Never)] {
        let older = |given: SlackSetup| if setup { given.without_scope(VOTES_SCOPE.name) } else { given };
        let room = Room::open(older, feedback).await;
        for channel in [&room.channel, &room.dm] {
            room.answer(channel).await;
            let post = room.live.slack.posts().pop().expect("posted");
            assert_eq!(post.blocks, None);
        }
        assert_eq!(room.live.slack.calls(POST).len(), 2);
        room.end().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_no_buttons_are_shown_answers_go_without() {
    let room = Room::open(|setup| setup, Feedback::Always).await;
    room.live.slack.fail_next(POST, InjectedFault::Refused("invalid_blocks".to_owned()));
    for calls in [2, 3] {
        room.answer(&room.channel).await;
        assert_eq!(room.live.slack.posts().pop().expect("posted").blocks, None);
        assert_eq!(room.live.slack.calls(POST).len(), calls, "they are not tried again");
    }
    assert_eq!(room.live.slack.posts().len(), 2);
    room.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_kept_of_who_opted_out() {
    let mut room = Room::open(|setup| setup, Feedback::Dm).await;
    room.live.stop().await;
    room.live.store = room.live.store.clone().heeding(OptOuts::new(&["@ben".to_owned()], &[]));
    room.live.start().await;
    let answer = room.answer(&room.channel).await;
    room.live.slack.react(&room.channel, answer, &room.ben, "+1");
    room.live.slack.react(&room.channel, answer, &room.aki, "+1");
    room.comes_to(1, 0).await;
    room.end().await;
}
