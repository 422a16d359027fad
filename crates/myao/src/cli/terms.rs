//! `myao memory terms`: words of the house, as messages explain them, and ending a wrong meaning by hand.

use clap::Args;
use myao_core::{
    chat::{Channel, Names, Visibility},
    recall::{HouseWordForm, HouseWordState},
    text::one_line,
    wording::moment_in_prompt,
};
use myao_store::{HouseWordEnd, HouseWordQuery, StoredHouseWord};
use serde_json::{Value, json};

use super::{Done, Failure, output};
use crate::app::App;

#[derive(Debug, Args)]
pub(super) struct TermsArgs {
    /// Only this word, or what means it
    word: Option<String>,
    /// Only what was explained in this channel: `#name`, `name` or its id
    #[arg(long, value_name = "CHANNEL")]
    channel: Option<String>,
    /// Show only what this place may see: a channel (`#name`, `name` or its id), or a thread in it.
    /// Without it everything is shown, private channels included
    #[arg(long, value_name = "PLACE")]
    place: Option<String>,
    /// Show also what does not count: what was denied or ended, and what only stood in brackets once
    #[arg(long)]
    all: bool,
    /// The word does not mean this: whatever said so in the channel up to now counts no more. What is right is said there
    #[arg(long, value_name = "MEANING", requires = "word", requires = "channel", conflicts_with = "undo")]
    wrong: Option<String>,
    /// Let a meaning count again that was ended so
    #[arg(long, value_name = "MEANING", requires = "word", requires = "channel")]
    undo: Option<String>,
    /// Print JSON: `word`, `meaning`, `state`, `channel`, `ts`, `user`, `said` and `permalink` of each
    #[arg(long)]
    json: bool,
}

impl TermsArgs {
    /// Whether nothing is changed.
    pub(super) const fn reads(&self) -> bool {
        self.wrong.is_none() && self.undo.is_none()
    }

    /// The place through whose eyes words are shown.
    pub(super) fn place(&self) -> Option<&str> {
        self.place.as_deref()
    }
}

pub(super) async fn run(app: &App, args: &TermsArgs, visibility: &Visibility) -> Result<Done, Failure> {
    let channel = match &args.channel {
        Some(channel) => Some(app.channel(channel).await?),
        None => None,
    };
    if let (Some(word), Some(channel)) = (&args.word, &channel) {
        let ended = args.wrong.as_ref().map(|meaning| (meaning, HouseWordEnd::Ended));
        let back = args.undo.as_ref().map(|meaning| (meaning, HouseWordEnd::TakenBack));
        if let Some((meaning, end)) = ended.or(back) {
            return end_meaning(app, channel, (word, meaning), end).await;
        }
    }
    let query = HouseWordQuery { channel: channel.map(|channel| channel.id), word: args.word.clone() };
    let mut words = app.store.recall().house_words(visibility, &query).await?;
    words.retain(|one| args.all || one.state == HouseWordState::Stands);
    let names = app.store.archive().names(visibility).await?.in_language(app.config.locale.language);
    let team_url = app.store.archive().team_url().await?;
    let printed = PrintedTerms { app, names, team_url };
    if args.json {
        output::say_json(&words.iter().map(|one| printed.as_json(one)).collect::<Vec<_>>())?;
    } else {
        printed.print(&words, args.all);
    }
    if !app.store.recall().index_progress().await?.finds_all {
        output::print_to_stderr(
            "note: not all messages are looked through yet; `myao memory build` and `myao run` go on with it",
        );
    }
    Ok(Done::All)
}

/// Ends a meaning, or lets it count again, and says of how many messages.
async fn end_meaning(
    app: &App,
    channel: &Channel,
    (word, meaning): (&str, &str),
    end: HouseWordEnd,
) -> Result<Done, Failure> {
    let now = app.clock.now();
    let changed = app.store.recall().end_house_word(&channel.id, word, meaning, end, now).await?;
    if changed == 0 {
        return Err(Failure::usage(format!(
            "no message in #{} says that counts {} that `{word}` means `{meaning}`; `myao memory terms --all` lists what was said",
            channel.name,
            if end == HouseWordEnd::Ended { "now" } else { "no more" },
        )));
    }
    let told = if end == HouseWordEnd::Ended { "counts no more" } else { "counts again" };
    let messages = if changed == 1 { "1 message".to_owned() } else { format!("{changed} messages") };
    output::print_line(&format!("{word} = {meaning} {told} in #{}: {messages}", channel.name));
    Ok(Done::All)
}

/// What is needed to print words.
struct PrintedTerms<'a> {
    app: &'a App,
    names: Names,
    team_url: Option<String>,
}

impl PrintedTerms<'_> {
    fn permalink(&self, one: &StoredHouseWord) -> Option<String> {
        let message = &one.message;
        let team_url = self.team_url.as_deref()?;
        myao_slack::permalink_of_message(team_url, &message.channel, message.ts, message.thread_ts)
    }

    fn as_json(&self, one: &StoredHouseWord) -> Value {
        json!({
            "word": one.said.said.word,
            "meaning": one.said.said.meaning,
            "state": name_of_state(one.state),
            "channel": one.message.channel,
            "ts": one.message.ts.to_string(),
            "user": one.message.user,
            "said": self.names.resolve(&one.message.text),
            "permalink": self.permalink(one),
        })
    }

    fn print(&self, words: &[StoredHouseWord], with_states: bool) {
        if words.is_empty() {
            output::print_line("nobody explained a word there");
            return;
        }
        let heads = ["word", "means", "said by", "when", "where"];
        let mut table = output::bare_table(&heads);
        if with_states {
            table = output::bare_table(&["word", "means", "said by", "when", "where", "counts"]);
        }
        for one in words {
            let message = &one.message;
            let is_denial = one.said.said.form == HouseWordForm::Denied;
            let place = format!("#{}", self.names.channel(&message.channel));
            let mut row = vec![
                one_line(&one.said.said.word),
                format!("{}{}", if is_denial { "not: " } else { "" }, one_line(&one.said.said.meaning)),
                self.names.user(&message.user).to_owned(),
                moment_in_prompt(message.ts, &self.app.config.locale.timezone),
                self.permalink(one).unwrap_or(place),
            ];
            if with_states {
                row.push(name_of_state(one.state).to_owned());
            }
            table.add_row(row);
        }
        output::print_line(&table.to_string());
    }
}

const fn name_of_state(state: HouseWordState) -> &'static str {
    match state {
        HouseWordState::Stands => "yes",
        HouseWordState::Ended => "ended",
        HouseWordState::Denied(_) => "denied",
        HouseWordState::Unsure => "unsure",
        HouseWordState::Denial => "denial",
    }
}
