//! What goes wrong in the course of the year, each in its turn.

use std::time::Duration;

use myao_testkit::slack::{Disconnect, InjectedFault};

use super::{Year, model::ModelMood, plan::YearPlan, town::DayPart};

/// How many calls of a method Slack refuses in a storm, and for how many seconds.
const STORM_CALLS: usize = 3;
const STORM_SECONDS: u64 = 30;
const STORM_METHODS: [&str; 6] = [
    "chat.postMessage",
    "conversations.history",
    "conversations.replies",
    "conversations.info",
    "users.info",
    "users.list",
];
/// How long a server of a database is away, on the machine's clock.
const DATABASE_AWAY: Duration = Duration::from_millis(1_500);
/// What is waited for so that a model that is away is asked, on the machine's clock.
const MODEL_AWAY: Duration = Duration::from_millis(1_500);

/// Something that goes wrong in a part of a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// Killed while people talk, and started again; Slack tells again what was not acknowledged.
    Killed,
    /// The same, and Slack has given up what was not acknowledged.
    KilledAndLost,
    /// Ended in order while people talk, and started again.
    Restarted,
    /// The model answers with errors.
    ModelFails,
    /// The model answers too late.
    ModelSlow,
    /// The model's answers are cut off.
    ModelCut,
    /// Slack answers that it is asked too often.
    Storm,
    /// Sockets break.
    SocketsBreak,
    /// Slack asks for new sockets.
    SocketsRefreshed,
    /// The database's server is stopped and started again.
    DatabaseAway,
    /// Another program takes the place of the one before.
    Upgraded,
}

/// All but the upgrade, in their order.
const IN_TURN: [Trouble; 10] = [
    Trouble::Killed,
    Trouble::ModelFails,
    Trouble::Storm,
    Trouble::SocketsBreak,
    Trouble::Restarted,
    Trouble::ModelSlow,
    Trouble::KilledAndLost,
    Trouble::DatabaseAway,
    Trouble::SocketsRefreshed,
    Trouble::ModelCut,
];

/// What goes wrong on a day of a year.
pub(crate) fn trouble_of(day: u32, plan: &YearPlan) -> Option<Trouble> {
    if plan.upgrade_from.is_some() && day == plan.days / 2 {
        return Some(Trouble::Upgraded);
    }
    let every = plan.trouble_every;
    let nth = usize::try_from(day / every).ok()?;
    (day % every == every - 1).then(|| IN_TURN[nth % IN_TURN.len()])
}

impl Year {
    /// A part of a day in which something goes wrong while people talk.
    pub(crate) async fn suffer(&mut self, trouble: Trouble, part: &mut DayPart) {
        let third = part.count / 3;
        self.talk(part, third).await;
        part.in_trouble = true;
        match trouble {
            Trouble::Killed | Trouble::KilledAndLost => {
                self.talk_at_once(part, third);
                if let Some(running) = self.running.take() {
                    self.cpu_before += running.cpu();
                    running.kill();
                }
                self.talk_at_once(part, third);
                if trouble == Trouble::KilledAndLost {
                    self.slack.forget_unacknowledged();
                }
                self.start().await;
            }
            Trouble::Restarted | Trouble::Upgraded => {
                if trouble == Trouble::Upgraded {
                    self.home.program.clone_from(&self.plan.program);
                }
                self.stop().await;
                self.talk_at_once(part, third);
                self.slack.forget_unacknowledged();
                self.start().await;
            }
            Trouble::ModelFails => self.lose_model(part, ModelMood::Fails).await,
            Trouble::ModelSlow => self.lose_model(part, ModelMood::Slow).await,
            Trouble::ModelCut => self.lose_model(part, ModelMood::Cut).await,
            Trouble::Storm => {
                for method in STORM_METHODS {
                    for _ in 0..STORM_CALLS {
                        self.slack.fail_next(method, InjectedFault::Limited(STORM_SECONDS));
                    }
                }
                self.talk(part, third).await;
            }
            Trouble::SocketsBreak => {
                self.talk_at_once(part, third);
                self.slack.drop_sockets();
            }
            Trouble::SocketsRefreshed => {
                self.talk_at_once(part, third);
                self.slack.disconnect(Disconnect::RefreshRequested);
            }
            Trouble::DatabaseAway => {
                self.talk_at_once(part, third);
                if self.database.stop() {
                    self.talk_at_once(part, third);
                    tokio::time::sleep(DATABASE_AWAY).await;
                    self.database.start_again();
                }
            }
        }
        let rest = part.count.saturating_sub(part.told);
        self.talk(part, rest).await;
    }

    async fn lose_model(&mut self, part: &mut DayPart, mood: ModelMood) {
        // What was asked before has its answer first: on a busy machine the model would be gone by then.
        self.wait_for_answers(false).await;
        self.watch.with(|watch| watch.mood = mood);
        let third = part.count / 3;
        self.talk(part, third).await;
        tokio::time::sleep(MODEL_AWAY).await;
        self.watch.with(|watch| watch.mood = ModelMood::Well);
    }
}
