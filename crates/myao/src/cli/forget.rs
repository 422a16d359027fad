//! `myao forget`: forgets for good. Without `--yes` it only says what would go.

mod beside;
mod log;
mod preview;
mod work;

use clap::Args;
use jiff::Timestamp;
use myao_config::TerminalUser;
use myao_core::{
    chat::{ChannelId, MessageTs, User, UserId, name_in_talk},
    forget::{ForgetScope, SoughtWords},
};
use myao_slack::message_at_permalink;
use myao_store::ForgetPreview;

pub(super) use self::work::{finish_before_run, note_unfinished};
use super::{Done, Failure, output, time_range};
use crate::app::App;

/// How many similar names are suggested where a name means nobody.
const NAMES_LISTED: usize = 3;

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP, group = clap::ArgGroup::new("scope").multiple(true))]
pub(super) struct ForgetArgs {
    /// One message: its link, as `Copy link` gives it, or CHANNEL:TIME as in '#general:1770000000.000100', which
    /// `myao recall` prints
    #[arg(long, value_name = "LINK", group = "scope", conflicts_with_all = ["user", "channel", "since", "until", "text"])]
    message: Option<String>,
    /// What this person said (whole name, or id). Without other limits: everything, and their name
    #[arg(long, value_name = "NAME", group = "scope")]
    user: Option<String>,
    /// What was said in this channel: `#name`, `name` or its id. Without other limits its memos go too
    #[arg(long, value_name = "CHANNEL", group = "scope")]
    channel: Option<String>,
    /// From this day on (2026-03-01, yesterday, `last week`, 先週; in the configured time zone), or for the last days (7d)
    #[arg(long, value_name = "WHEN", group = "scope")]
    since: Option<String>,
    /// Before this day begins (2026-04-01, today)
    #[arg(long, value_name = "DAY", group = "scope")]
    until: Option<String>,
    /// Messages that hold these words in one piece; width, case and kana make no difference
    #[arg(long, value_name = "WORDS", group = "scope")]
    text: Option<String>,
    #[command(flatten)]
    doing: DoingArgs,
    /// List what was forgotten: who had it done, when, and how far it reached
    #[arg(long, conflicts_with = "scope")]
    log: bool,
    /// Who wants it; stands in the list [default: $USER]
    #[arg(long)]
    by: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct DoingArgs {
    /// Do it. It cannot be taken back
    #[arg(long)]
    yes: bool,
    /// With --yes: only if just that would go which was shown with this code, and nothing said after it
    #[arg(long, value_name = "CODE", requires = "yes")]
    as_shown: Option<ShownCode>,
    /// Also remove the copies of the database beside it whose names begin with its name. Others are named, exit code 1
    #[arg(long, requires = "yes")]
    remove_backups: bool,
    /// Finish what was begun and interrupted, and nothing else
    #[arg(long, conflicts_with_all = ["scope", "yes", "log"])]
    resume: bool,
}

const AFTER_HELP: &str = "\
Several limits mean what meets all of them. Nothing goes until --yes: first everything is listed that would, with a code. \
With --yes and --as-shown CODE just that goes; where by then something else would, nothing does, and it is listed anew.

What goes: the words in the archive, in every memory made from them, in the journal, the index, memos, reasons, raw \
copies, recordings of model calls, and the file's free pages. Memories are written anew from what remains, by the next \
`myao memory build` or by `myao run`. It is not taken in again by an import, by catching up or by another process. \
What cannot be reached is named: the chat itself, exports, backups elsewhere, a provider's logs.

Examples:
  myao forget --message '#general:1770000000.000100'
  myao forget --user 'Noor Haddad'       # everything she said, and her name
  myao forget --user U0NOOR01 --channel '#general' --until 2026-04-01
  myao forget --text '07700 900142' --yes";

pub(super) async fn run(app: &App, args: &ForgetArgs) -> Result<Done, Failure> {
    if args.log {
        return log::run(app, args.json).await;
    }
    if args.doing.resume {
        return work::resume_forgetting(app, args).await;
    }
    let mut scope = scope_of_arguments(app, args).await?;
    if !args.doing.yes {
        let preview = app.store.forget().preview(&scope).await?;
        preview::print_preview(app, &scope, &preview, args.json).await?;
        return Ok(Done::All);
    }
    if let Some(code) = args.doing.as_shown.as_ref().filter(|_| scope.until_now) {
        scope.to = scope.to.min(code.to);
    }
    work::forget_if_shown(app, args, &scope).await
}

/// Stands for a preview that was shown: the last instant that it covers, and its fingerprint.
#[derive(Clone, Debug)]
struct ShownCode {
    to: MessageTs,
    fingerprint: String,
}

impl ShownCode {
    fn of(scope: &ForgetScope, preview: &ForgetPreview) -> Self {
        Self { to: scope.to, fingerprint: preview.fingerprint() }
    }
}

impl std::fmt::Display for ShownCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:x}-{}", self.to.as_micros(), self.fingerprint)
    }
}

impl std::str::FromStr for ShownCode {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let code = text.split_once('-').and_then(|(to, fingerprint)| {
            let to = MessageTs::from_micros(i64::from_str_radix(to, 16).ok()?);
            Some(Self { to, fingerprint: fingerprint.to_owned() })
        });
        code.ok_or_else(|| "expected the code that the same command without --yes tells".to_owned())
    }
}

impl ForgetArgs {
    /// Whether the command only says what would go, or what went.
    pub(super) fn reads(&self) -> bool {
        !self.doing.yes && !self.doing.resume
    }

    fn actor(&self) -> String {
        self.by.clone().unwrap_or_else(|| TerminalUser::at_the_terminal().name)
    }
}

/// The scope that the arguments mean.
async fn scope_of_arguments(app: &App, args: &ForgetArgs) -> Result<ForgetScope, Failure> {
    if let Some(link) = &args.message {
        let (channel, ts) = find_message(app, link).await?;
        return Ok(ForgetScope::message(channel, ts));
    }
    let zone = &app.config.locale.timezone;
    let now = app.clock.now();
    let from = match &args.since {
        Some(since) => MessageTs::from_timestamp(time_range::parse_since(Some(since), 0, now, zone)?),
        None => MessageTs::MIN,
    };
    let to = match &args.until {
        Some(until) => last_before_day(time_range::parse_until(until, now, zone)?),
        None => MessageTs::from_timestamp(now),
    };
    if to < from {
        return Err(Failure::usage("nothing lies between --since and --until"));
    }
    let words = match &args.text {
        Some(text) => Some(SoughtWords::anywhere(text).ok_or_else(|| Failure::usage("--text is empty"))?),
        None => None,
    };
    let user = match &args.user {
        Some(name) => Some(find_person(app, name).await?),
        None => None,
    };
    let channel = match &args.channel {
        Some(wanted) => Some(app.channel(wanted).await?.id),
        None => None,
    };
    if user.is_none() && channel.is_none() && words.is_none() && args.since.is_none() && args.until.is_none()
    {
        return Err(Failure::usage(
            "what is to be forgotten? --message, --user, --channel, --since, --until and --text say it; \
             `myao forget --help` has examples",
        ));
    }
    Ok(ForgetScope { channel, user, from, to, until_now: args.until.is_none(), words })
}

/// The last instant before a day.
fn last_before_day(day: Timestamp) -> MessageTs {
    MessageTs::from_micros(day.as_microsecond().saturating_sub(1))
}

/// The message that a link leads to, or that a channel and a time stamp name. The message need not be archived, since it
/// is then refused later; but the channel of a name has to be known.
async fn find_message(app: &App, link: &str) -> Result<(ChannelId, MessageTs), Failure> {
    if let Some(linked) = message_at_permalink(link) {
        return Ok(linked);
    }
    let named = link.rsplit_once(['/', ':']).and_then(|(channel, ts)| Some((channel, ts.parse().ok()?)));
    let Some((channel, ts)) = named else {
        return Err(Failure::usage(format!(
            "--message {link}: expected a message's link, or CHANNEL:TIME as in '#general:1770000000.000100'"
        )));
    };
    Ok((app.channel(channel).await?.id, ts))
}

/// The one person with this id or whole name. A part of a name is not enough: it could be somebody else's. An id that
/// nobody has is taken as it is, since a person who is half forgotten has no name any more.
async fn find_person(app: &App, name: &str) -> Result<UserId, Failure> {
    let people = app.store.recall().named_people().await?;
    match &people.with_whole_name(name)[..] {
        [one] => Ok(one.id.clone()),
        [] if is_id(name) => Ok(UserId::new(name)),
        [] => {
            let like = people.with_name(name);
            let like: Vec<String> = like.iter().take(NAMES_LISTED).map(|user| describe_user(user)).collect();
            let hint = if like.is_empty() {
                "give the whole name as it is shown in the chat, or the id".to_owned()
            } else {
                format!("did you mean {}?", like.join(", "))
            };
            Err(Failure::usage(format!("there is nobody called just `{name}`; {hint}")))
        }
        several => {
            let several: Vec<String> = several.iter().map(|user| describe_user(user)).collect();
            let count = several.len();
            let listed = several.join(", ");
            Err(Failure::usage(format!("{count} people are called `{name}`; name one by the id: {listed}")))
        }
    }
}

fn describe_user(user: &User) -> String {
    format!("{} ({})", name_in_talk(&user.name), user.id)
}

/// Whether something looks like one of the platform's ids.
fn is_id(name: &str) -> bool {
    name.len() >= 2
        && name.starts_with(['U', 'W', 'B'])
        && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
}

/// Prints lines of a result.
fn say_all(lines: &[String]) {
    for line in lines {
        output::print_line(line);
    }
}
