//! Says who is to see a memo, and who sees one.

use clap::Args;
use myao_core::chat::{Channel, ChannelKind, Names};
use myao_store::MemoAudience;

use crate::{app::App, cli::Failure};

/// Where a memo is to be seen.
#[derive(Debug, Args)]
#[group(id = "audience", multiple = false)]
pub(super) struct AudienceArgs {
    /// Where this channel may be seen: `#name`, `name` or its id
    #[arg(long, value_name = "CHANNEL")]
    pub(super) to: Option<String>,
    /// In every place that no outsiders are in: it becomes everybody's
    #[arg(long)]
    pub(super) everywhere: bool,
    /// Only by you, at the terminal and on the pages
    #[arg(long)]
    pub(super) apart: bool,
}

impl AudienceArgs {
    /// Whether they say anything.
    pub(super) fn is_given(&self) -> bool {
        self.to.is_some() || self.everywhere || self.apart
    }

    /// The audience that they mean; `None` if they say nothing.
    pub(super) async fn read(&self, app: &App) -> Result<Option<Audience>, Failure> {
        Ok(match &self.to {
            Some(channel) => Some(Audience::Channel(app.channel(channel).await?)),
            None if self.everywhere => Some(Audience::Everybody),
            None => self.apart.then_some(Audience::Owner),
        })
    }
}

/// An audience that the owner may give a memo.
#[derive(Clone, Debug)]
pub(super) enum Audience {
    Channel(Channel),
    Everybody,
    Owner,
}

impl Audience {
    /// As it is stored.
    pub(super) fn stored(&self) -> MemoAudience {
        match self {
            Self::Channel(channel) => MemoAudience::Channel(channel.id.clone()),
            Self::Everybody => MemoAudience::Everybody,
            Self::Owner => MemoAudience::Owner,
        }
    }

    /// Says where such a memo is seen.
    pub(super) fn where_seen(&self) -> String {
        match self {
            Self::Channel(channel) if channel.is_open() => {
                format!("#{}: seen in every channel that no outsiders are in", channel.name)
            }
            Self::Channel(channel) if channel.kind == ChannelKind::Unknown => {
                format!("#{}: seen there alone until the platform says that it is public", channel.name)
            }
            Self::Channel(channel) => format!("#{}: seen there alone", channel.name),
            Self::Everybody => "everybody's: seen in every place that no outsiders are in".to_owned(),
            Self::Owner => "your own: seen nowhere but at the terminal and on the pages".to_owned(),
        }
    }
}

/// Whose a memo is, in a cell of a table.
pub(super) fn owner_in_table(audience: &MemoAudience, names: &Names) -> String {
    match audience {
        MemoAudience::Channel(id) => format!("#{}", names.channel(id)),
        MemoAudience::Everybody => "everybody".to_owned(),
        MemoAudience::Owner => "your own".to_owned(),
        MemoAudience::Undecided => "undecided".to_owned(),
    }
}
