//! The chat workspace: ids and instants, channels, people, messages, what can happen to them, and who may see them.

mod absence;
mod agent;
mod answer_stop;
mod answer_vote;
mod channel;
mod event;
mod hearsay;
mod held;
mod ids;
mod interaction;
mod inventory;
mod message;
mod names;
mod place_kind;
mod sighting;
mod ts;
mod visibility;

pub use absence::{
    Absence, ComparedChannel, KeptMissing, Listed, MissingPattern, PatternSizes, absent_in_list,
    interpret_missing,
};
pub use agent::{AgentId, AgentSees, AgentToken, NoAgentId};
pub use answer_stop::AnswerStop;
pub use answer_vote::{AnswerVote, Vote, VoteSource};
pub use channel::{Channel, ChannelKind, Own, User};
pub use event::Event;
pub use hearsay::{DatedUser, Hearsay, HearsaySource};
pub use held::{HeldMessage, HeldState};
pub use ids::{ChannelId, UserId};
pub use interaction::{Interaction, InteractionRequest, InteractionView, RefusedInteraction};
pub use inventory::{ExportTimes, Inventory, KnownBy};
pub use message::{FileRef, Message, MessageKind};
pub(crate) use names::without_references;
pub use names::{Mentions, Names, Speaker, name_in_talk};
pub use place_kind::{ForgottenKinds, PlaceFacts, PlaceKind};
pub use sighting::{Sighting, Telling, WritingProgress};
pub use ts::{MessageTs, TsError, instant_after};
pub use visibility::{Place, Visibility};
