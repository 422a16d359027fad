//! A Slack to talk to without Slack: `cargo run -p myao-testkit --example fake_slack`.
//!
//! It prints what to write into a configuration, takes lines from the terminal and prints what the bot does.

#![expect(clippy::disallowed_methods, reason = "it runs in real time")]
#![expect(clippy::print_stdout, reason = "talks to a person at a terminal")]

use std::{collections::BTreeMap, io::BufRead, sync::Arc};

use jiff::Timestamp;
use myao_core::{
    chat::{ChannelId, MessageTs, UserId},
    ports::{BoxFuture, Clock},
};
use myao_testkit::{
    FakeSlack,
    slack::{ChannelSpec, Disconnect, Rule, Seen, UserSpec},
};
use tokio::sync::mpsc;

const HELP: &str = "\
#general alice: hello         alice says hello; @bot mentions the bot
#general 3 bob: so do I       bob replies in the thread of message 3
@alice: hello                 alice writes to the bot directly
#general alice: /myao help    alice types a command there
/home alice                   alice opens the app's Home tab
/edit 3 other words           message 3 is edited
/delete 3                     message 3 is deleted
/join #random, /leave #random the bot comes and goes
/disconnect, /drop, /freeze   the sockets are refreshed, dropped, or go half-open
/help, /quit";

/// The real time.
struct Wall;

impl Clock for Wall {
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }

    fn sleep_until(&self, instant: Timestamp) -> BoxFuture<'static, ()> {
        let wait = instant.duration_since(Timestamp::now());
        Box::pin(async move { tokio::time::sleep(wait.try_into().unwrap_or_default()).await })
    }
}

/// The workspace and its names.
struct Town {
    slack: Arc<FakeSlack>,
    channels: BTreeMap<String, ChannelId>,
    people: BTreeMap<String, UserId>,
    /// What was said at the terminal, by number from 1.
    said: Vec<(ChannelId, MessageTs)>,
}

#[tokio::main]
async fn main() {
    let slack =
        Arc::new(FakeSlack::setup().with_clock(Wall).with_rate_limits().with_redelivery().start().await);
    // A bot that is stopped in a debugger acknowledges late; that is no reason to end the session.
    slack.tolerate(Rule::AcknowledgeInTime);
    println!("api_base_url: {}", slack.api_base_url());
    println!("bot_token:    {}", slack.bot_token());
    println!("app_token:    {}", slack.app_token());
    println!("channels: #general #random #secret (private); people: alice bob carol\n{HELP}\n");
    tokio::spawn(print_what_the_bot_does(Arc::clone(&slack)));
    let mut town = Town::new(slack);
    let mut lines = lines();
    while let Some(line) = lines.recv().await {
        match town.obey(line.trim()) {
            Ok(true) => {}
            Ok(false) => break,
            Err(why) => println!("! {why}"),
        }
    }
    for violation in town.slack.violations() {
        println!("! the bot broke a rule of Slack's: {violation}");
        town.slack.tolerate(violation.rule); // it is told; the program need not fail for it
    }
}

/// The terminal's lines, read beside the server.
fn lines() -> mpsc::UnboundedReceiver<String> {
    let (sender, lines) = mpsc::unbounded_channel();
    std::thread::spawn(move || {
        let read = std::io::stdin().lock().lines().map_while(Result::ok);
        read.take_while(|line| sender.send(line.clone()).is_ok()).for_each(drop);
    });
    lines
}

async fn print_what_the_bot_does(slack: Arc<FakeSlack>) {
    let mut posts = 0;
    let mut sockets = 0;
    let (mut ephemerals, mut views) = (0, 0);
    loop {
        let is_new = |seen: &Seen| {
            seen.posts.len() > posts
                || seen.connections != sockets
                || seen.ephemerals.len() > ephemerals
                || seen.views.len() > views
        };
        slack.wait_for(is_new).await;
        let seen = slack.seen();
        if seen.connections != sockets {
            println!("* sockets open: {}", seen.connections);
        }
        for post in seen.posts.iter().skip(posts) {
            let thread = post.thread_ts.map(|ts| format!(" (thread {ts})")).unwrap_or_default();
            println!("< {}{thread}: {}", post.channel, post.text);
        }
        for shown in seen.ephemerals.iter().skip(ephemerals) {
            println!("< {} (only {} sees it): {}", shown.channel, shown.user, shown.drawn());
        }
        for view in seen.views.iter().skip(views) {
            println!("< a view for {}:\n{}", view.user, view.drawn());
        }
        (ephemerals, views) = (seen.ephemerals.len(), seen.views.len());
        (posts, sockets) = (seen.posts.len(), seen.connections);
    }
}

impl Town {
    fn new(slack: Arc<FakeSlack>) -> Self {
        let names = ["alice", "bob", "carol"];
        let people: BTreeMap<_, _> =
            names.map(|name| (name.to_owned(), slack.user(UserSpec::person(name)))).into_iter().collect();
        let mut channels = BTreeMap::new();
        let everybody: Vec<&UserId> = people.values().collect();
        let specs =
            [ChannelSpec::public("general"), ChannelSpec::public("random"), ChannelSpec::private("secret")];
        for (name, spec) in ["#general", "#random", "#secret"].into_iter().zip(specs) {
            channels.insert(name.to_owned(), slack.channel(spec.members(&everybody)));
        }
        for (name, user) in &people {
            channels.insert(format!("@{name}"), slack.channel(ChannelSpec::dm(user)));
        }
        Self { slack, channels, people, said: Vec::new() }
    }

    /// Does what a line says; false at the end.
    fn obey(&mut self, line: &str) -> Result<bool, String> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "" => {}
            "/quit" => return Ok(false),
            "/help" => println!("{HELP}"),
            "/disconnect" => self.slack.disconnect(Disconnect::RefreshRequested),
            "/drop" => self.slack.drop_sockets(),
            "/freeze" => self.slack.freeze_sockets(),
            "/join" => self.slack.invite_bot(self.channel(rest)?),
            "/leave" => self.slack.remove_bot(self.channel(rest)?),
            "/home" => self.slack.open_home(self.person(rest)?),
            "/delete" => {
                let (channel, ts) = self.message(rest)?;
                self.slack.delete(&channel, ts);
            }
            "/edit" => {
                let (number, text) = rest.split_once(' ').ok_or("/edit NUMBER TEXT")?;
                let (channel, ts) = self.message(number)?;
                self.slack.edit(&channel, ts, &self.words(text));
            }
            _ => self.say(line)?,
        }
        Ok(true)
    }

    fn say(&mut self, line: &str) -> Result<(), String> {
        let (head, text) = line.split_once(':').ok_or("#channel name: text (or /help)")?;
        let text = self.words(text.trim());
        let words: Vec<&str> = head.split_whitespace().collect();
        let (channel, root, name) = match words.as_slice() {
            [direct] if direct.starts_with('@') => (*direct, None, direct.trim_start_matches('@')),
            [channel, name] => (*channel, None, *name),
            [channel, number, name] => (*channel, Some(self.message(number)?.1), *name),
            _ => return Err("#channel name: text (or /help)".to_owned()),
        };
        let channel = self.channel(channel)?.clone();
        let user = self.person(name)?.clone();
        if text.starts_with('/') {
            let (command, rest) = text.split_once(' ').unwrap_or((&text, ""));
            self.slack.slash(&channel, &user, command, rest);
            return Ok(());
        }
        let ts = match root {
            Some(root) => self.slack.reply(&channel, root, &user, &text),
            None => self.slack.say(&channel, &user, &text),
        };
        self.said.push((channel, ts));
        println!("> message {} ({ts})", self.said.len());
        Ok(())
    }

    /// Names as Slack writes them.
    fn words(&self, text: &str) -> String {
        let bot = format!("<@{}>", self.slack.bot_user_id());
        let named = text.replace("@bot", &bot);
        self.people
            .iter()
            .fold(named, |text, (name, id)| text.replace(&format!("@{name}"), &format!("<@{id}>")))
    }

    fn channel(&self, name: &str) -> Result<&ChannelId, String> {
        self.channels.get(name).ok_or_else(|| format!("there is no {name}"))
    }

    fn person(&self, name: &str) -> Result<&UserId, String> {
        self.people.get(name).ok_or_else(|| format!("there is no {name} here"))
    }

    fn message(&self, number: &str) -> Result<(ChannelId, MessageTs), String> {
        let number: Option<usize> = number.trim().parse().ok();
        let said = number.and_then(|number| self.said.get(number.checked_sub(1)?));
        said.cloned().ok_or_else(|| "there is no message of that number".to_owned())
    }
}
