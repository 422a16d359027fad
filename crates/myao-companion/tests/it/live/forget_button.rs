//! `/myao forget`: what goes is shown first, and a button forgets it, if it is still one's own.

use myao_companion::commands::FORGET_BUTTON;
use myao_core::{
    chat::{ChannelId, MessageTs, UserId},
    text::Language,
};
use myao_testkit::slack::{ChannelSpec, Ephemeral, UserSpec};

use super::Live;

const WORDS: &str = "the spare key of the kiln lies under the quince";

/// A workspace in which one of two people said something that she wants back.
struct Regret {
    live: Live,
    general: ChannelId,
    aki: UserId,
    ben: UserId,
    said: MessageTs,
}

impl Regret {
    async fn new() -> Self {
        Self::with_owners(&[]).await
    }

    /// Ben's id is known before he is made.
    async fn with_owners(owners: &[&str]) -> Self {
        let mut live = Live::with(
            20,
            |setup| setup,
            |config| {
                config.locale.language = Language::En;
                config.slack.owners = owners.iter().map(|&owner| owner.to_owned()).collect();
            },
        )
        .await;
        let [aki, ben] = ["aki", "ben"].map(|name| live.slack.user(UserSpec::person(name)));
        let general = live.slack.channel(ChannelSpec::public("general").members(&[&aki, &ben]));
        live.start().await;
        live.slack.invite_bot(&general);
        live.caught_up(&[&general]).await;
        let said = live.slack.say(&general, &aki, WORDS);
        live.eventually("stored", async || live.message(&general, said).await.is_some()).await;
        Self { live, general, aki, ben, said }
    }

    fn link(&self) -> String {
        let digits = self.said.to_string().replace('.', "");
        format!("https://fake.slack.com/archives/{}/p{digits}", self.general)
    }

    /// What somebody is shown who asks that the message be forgotten.
    async fn ask(&self, user: &UserId) -> String {
        let typed = format!("forget <{}>", self.link());
        self.live.slack.slash(&self.general, user, "/myao", &typed).answered().await.drawn()
    }

    fn shown_to(&self, user: &UserId) -> Ephemeral {
        self.live.slack.ephemerals(user).pop().expect("an answer is shown")
    }

    async fn is_kept(&self) -> bool {
        let kept = self.live.message(&self.general, self.said).await;
        kept.is_some_and(|message| !message.deleted && message.text == WORDS)
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ones_own_message_goes_after_a_look_at_what_goes() {
    let mut regret = Regret::new().await;
    let shown = regret.ask(&regret.aki).await;
    assert!(shown.contains(WORDS) && shown.contains("goes for good"), "{shown}");
    assert!(regret.is_kept().await, "nothing goes before the button is pressed");
    let pressed = regret.live.slack.click_ephemeral(&regret.shown_to(&regret.aki), FORGET_BUTTON);
    pressed.deliver_again();
    let told = pressed.answered().await.drawn();
    assert!(told.contains("Forgotten, with everything"), "{told}");
    assert!(!regret.is_kept().await);
    let found =
        regret.live.slack.slash(&regret.general, &regret.ben, "/myao", "recall spare key kiln quince");
    assert!(!found.answered().await.drawn().contains("quince"));
    assert_eq!(pressed.answers().len(), 1);
    // What was shown with the button is replaced: nobody reads the words there either.
    assert!(!regret.shown_to(&regret.aki).drawn().contains("quince"));
    regret.live.stop().await;
    regret.live.slack.finish();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_forgets_what_others_said() {
    let mut regret = Regret::new().await;
    let shown = regret.ask(&regret.ben).await;
    assert!(shown.contains("no message of yours") && !shown.contains("quince"), "{shown}");
    // A button that somebody else was shown, pressed in one's own name.
    regret.ask(&regret.aki).await;
    let ben = regret.ben.clone();
    regret.live.slack.change_next_interaction(move |payload| payload["user"]["id"] = ben.as_str().into());
    let pressed = regret.live.slack.click_ephemeral(&regret.shown_to(&regret.aki), FORGET_BUTTON);
    assert!(pressed.answered().await.drawn().contains("Nothing was forgotten"));
    assert!(regret.is_kept().await);
    regret.live.stop().await;
}

/// An owner may do it with words of others, in channels that they are in when they press the button.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_owner_has_what_they_can_see_forgotten() {
    let ids = Regret::new().await;
    let ben = ids.ben.clone();
    let mut regret = Regret::with_owners(&[ben.as_str()]).await;
    assert_eq!(regret.ben, ben, "ids are given in order");
    regret.live.slack.convert_to_private(&regret.general);
    regret.live.slack.leave(&regret.general, &regret.ben);
    let left = async || regret.ask(&regret.ben).await.contains("no message of yours");
    regret.live.eventually("it is closed to them", left).await;
    regret.live.slack.join(&regret.general, &regret.ben);
    let back = async || regret.ask(&regret.ben).await.contains("goes for good");
    regret.live.eventually("it is open to them", back).await;
    let shown = regret.shown_to(&regret.ben);
    assert!(shown.drawn().contains(WORDS));
    let pressed = regret.live.slack.click_ephemeral(&shown, FORGET_BUTTON);
    assert!(pressed.answered().await.drawn().contains("Forgotten, with everything"));
    assert!(!regret.is_kept().await);
    regret.live.stop().await;
    regret.live.slack.finish();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_changed_since_the_look_is_looked_at_again() {
    let mut regret = Regret::new().await;
    for value in
        ["", "C1", "C1/1.2", "/1.2/x", "C1/not a time/x", &format!("{}/{}/0", regret.general, regret.said)]
    {
        regret.ask(&regret.aki).await;
        let shown = regret.shown_to(&regret.aki);
        let value = value.to_owned();
        regret.live.slack.change_next_interaction(move |payload| {
            payload["actions"][0]["value"] = value.into();
        });
        let told = regret.live.slack.click_ephemeral(&shown, FORGET_BUTTON).answered().await.drawn();
        assert!(told.contains("Nothing was"), "{told}");
        assert!(regret.is_kept().await);
    }
    for typed in ["forget", "forget yesterday", "forget https://example.com/archives/C1"] {
        let told =
            regret.live.slack.slash(&regret.general, &regret.aki, "/myao", typed).answered().await.drawn();
        assert!(told.contains("Which message?"), "{told}");
    }
    regret.live.stop().await;
}
