//! The program is killed, and posts once.

use jiff::SignedDuration;
use myao_core::{
    chat::{MessageTs, instant_after},
    ports::{Chat, Clock as _, Post, PostMark, Reaction, ReactionOutcome},
};
use myao_store::{PartBody, ReplyDraft, ReplyId, Sight, place_subject};

use super::{Town, aki, general, in_general, ken};

const ANSWER: &str = "On Friday 27 March.";

/// Brings a reply as far as the moment before its post, as a program does that is killed then or a little later.
async fn written(town: &Town, parts: Vec<PartBody>) -> ReplyId {
    let now = town.clock.now();
    let wanted = town.store.replies().list_wanted(now).await.expect("read").pop().expect("wanted");
    let until = instant_after(now, SignedDuration::from_secs(30));
    let claim =
        town.store.claim(&place_subject(&in_general()), now, until).await.expect("read").expect("free");
    let draft = ReplyDraft {
        reply: wanted.id,
        triggers: wanted.triggers,
        read_revision: i64::MAX,
        sight: Sight::Open,
        mixed: false,
        parts,
        excuse: false,
        inputs: myao_store::ReplyInputs::default(),
        calls: Vec::new(),
    };
    assert!(town.store.replies().write_parts(&claim, draft, now).await.expect("written"));
    assert!(town.store.intake().mark_part_sending(&claim, wanted.id, 1, now).await.expect("marked"));
    town.store.release(&claim).await.expect("released");
    wanted.id
}

async fn ends(town: &Town) {
    town.workspace.pass(SignedDuration::from_mins(10)).await.expect("passed");
    town.eventually("nothing is on its way", async || {
        town.store.replies().list_unfinished().await.expect("read").is_empty()
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_kill_between_a_post_and_its_record_posts_once() {
    let mut town = Town::asleep().await;
    town.say(&ken(), &in_general(), "@myao when is the bat count?").await;
    let reply = written(&town, vec![PartBody::Post(ANSWER.to_owned())]).await;
    let mark = PostMark { reply: reply.0, part: 1 };
    let post = Post { place: in_general(), text: ANSWER.to_owned(), mark, asks_for_vote: false };
    Chat::post(&*town.workspace, &post).await.expect("posted");
    assert_eq!(town.answers(&ken(), &general()).await, [ANSWER]);
    town.start();
    ends(&town).await;
    assert_eq!(town.answers(&ken(), &general()).await, [ANSWER], "it is found, not posted again");
    town.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_kill_before_the_post_posts_once() {
    let mut town = Town::asleep().await;
    town.say(&ken(), &in_general(), "@myao when is the bat count?").await;
    written(&town, vec![PartBody::Post(ANSWER.to_owned())]).await;
    town.start();
    ends(&town).await;
    assert_eq!(town.answers(&ken(), &general()).await, [ANSWER]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_kill_beside_a_reaction_leaves_one_reaction() {
    let mut town = Town::asleep().await;
    let ts = town.say(&ken(), &in_general(), "@myao thank you!").await;
    let emoji = "🦇".to_owned();
    written(&town, vec![PartBody::Reaction { emoji: emoji.clone(), to: ts }]).await;
    let reaction = Reaction { channel: general(), to: ts, emoji };
    assert_eq!(Chat::react(&*town.workspace, &reaction).await, Ok(ReactionOutcome::There));
    town.start();
    ends(&town).await;
    let says = town.workspace.talk(&aki(), &general(), MessageTs::MAX, 10).await.expect("read").says;
    assert_eq!(says[0].reactions, [("🦇".to_owned(), vec![town.workspace.own().clone()])].into());
    assert!(town.answers(&ken(), &general()).await.is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_that_is_killed_and_started_again_answers_each_mention_once() {
    let mut town = Town::awake().await;
    for nth in 1..=6 {
        town.say(&aki(), &in_general(), &format!("@myao number {nth}?")).await;
        town.kill().await;
        town.start();
    }
    // What was under way is looked for once it is settled, and claims of the dead run out.
    ends(&town).await;
    let own = town.workspace.own();
    let says = town.workspace.talk(&ken(), &general(), MessageTs::MAX, 100).await.expect("read").says;
    let answers = says.iter().filter(|say| say.message.user == *own).count();
    assert!((1..=6).contains(&answers), "waiting mentions are answered together, none twice: {answers}");
    assert!(town.store.replies().list_wanted(town.clock.now()).await.expect("read").is_empty());
}
