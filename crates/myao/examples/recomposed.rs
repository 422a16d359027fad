//! How often an answer is made anew because of edits: an export is lived through again message by message, some of its
//! messages are edited a little later, every so often somebody asks us something, and the model takes its time.
//!
//! `cargo run -p myao --example recomposed -- EXPORT [PERCENT_EDITED] [SECONDS_OF_THOUGHT]`
//! prints how many replies there were, how often the model was asked for them, and how many were excuses.

use std::{collections::BTreeMap, error::Error, path::Path, sync::Arc};

use jiff::{SignedDuration, Timestamp, tz::TimeZone};
use myao_companion::{
    ask::{Asker, AskerParts, Models},
    live::{Answering, ArrivalSpans, RepliesAtWork, TypingOrder},
    tools::web::WebTools,
};
use myao_config::Config;
use myao_core::{
    chat::{Event, Message, MessageTs, Own, UserId},
    judgment::Attention,
    ports::{Clock, Model},
    text::Language,
    wording::Templates,
};
use myao_slack::export::Export;
use myao_store::{Store, Target};
use myao_testkit::{HandClock, InstantChat, ScriptedModel};
use tokio::{sync::watch, task::JoinHandle};
use tokio_util::sync::CancellationToken;

/// Of so many messages of people, one asks us.
const ASKS: usize = 40;
/// How long after a message it is edited, at most, in seconds.
const EDITED_WITHIN: u64 = 120;
/// The longest silence that is lived through, in seconds: nothing happens in a longer one.
const LONGEST_SILENCE: i64 = 600;

fn attention() -> Attention {
    Attention {
        own: Own { user: UserId::new("UMYAO"), bot: None },
        bots: [].into(),
        max_message_age_seconds: 3600,
        threads_of_own: false,
    }
}

/// A number below `most` that looks drawn, the same in every run.
fn drawn(n: u64, most: u64) -> u64 {
    let mixed = n.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 33) % most.max(1)
}

/// Who and where there is; messages and edits in the order of time; how many edits there are.
type LivedExport = (Vec<Event>, Vec<(MessageTs, Message)>, usize);

/// An export as it happens: who and where there is, then messages and edits in the order of time, without long silences.
#[expect(clippy::disallowed_methods, reason = "nobody gives an example a clock")]
fn happenings(export: &Path, percent: u64) -> Result<LivedExport, Box<dyn Error>> {
    let mut known = Vec::new();
    let mut messages = Vec::new();
    for step in Export::open(export)?.steps(Timestamp::now()) {
        for event in step.events {
            match event.message().cloned() {
                Some(message) if message.is_talk() && message.edited_at.is_none() => messages.push(message),
                None if matches!(
                    event,
                    Event::Channel(_) | Event::User(_) | Event::Departed(_) | Event::Dated(_)
                ) =>
                {
                    known.push(event);
                }
                Some(_) | None => {}
            }
        }
    }
    messages.sort_by_key(|message| message.ts);
    let mut at = MessageTs::from_micros(1_700_000_000_000_000);
    let mut before = None;
    let mut edits = 0;
    let mut all = Vec::new();
    for (n, message) in messages.into_iter().enumerate() {
        let silence = before.map_or(1, |before| message.ts.micros_since(before) / 1_000_000);
        before = Some(message.ts);
        at = at.plus_seconds(silence.clamp(1, LONGEST_SILENCE));
        let asks = n % ASKS == ASKS - 1;
        let text = if asks { format!("<@UMYAO> {}", message.text) } else { message.text.clone() };
        let message = Message { ts: at, thread_ts: None, text, ..message };
        let n = u64::try_from(n)?;
        if drawn(n, 100) < percent {
            let seconds = i64::try_from(5 + drawn(n + 7, EDITED_WITHIN - 5))?;
            let edited_at = at.plus_seconds(seconds);
            let text = format!("{} (edited)", message.text);
            all.push((edited_at, Message { text, edited_at: Some(edited_at), ..message.clone() }));
            edits += 1;
        }
        all.push((at, message));
    }
    all.sort_by_key(|(at, _)| *at);
    Ok((known, all, edits))
}

/// The replies under way.
struct Replies {
    answering: Arc<Answering>,
    model: Arc<ScriptedModel>,
    clock: HandClock,
    work: Option<JoinHandle<()>>,
    /// When the model has thought long enough, and how often it was asked by then.
    due: Option<(Timestamp, usize)>,
    thinks: SignedDuration,
}

impl Replies {
    /// Waits until the model is asked, or nothing is left to do.
    async fn look(&mut self) -> Result<(), Box<dyn Error>> {
        let calls = self.due.map_or_else(|| self.model.calls(), |(_, calls)| calls) + 1;
        let Some(work) = &mut self.work else { return Ok(()) };
        tokio::select! {
            done = work => {
                done?;
                (self.work, self.due) = (None, None);
            }
            () = self.model.asked(calls) => {
                self.due = Some((self.clock.now() + self.thinks, calls));
            }
        }
        Ok(())
    }

    /// Lets the model answer what it has thought about by an instant.
    async fn until(&mut self, at: Timestamp) -> Result<(), Box<dyn Error>> {
        while let Some((due, _)) = self.due.filter(|(due, _)| *due <= at) {
            self.clock.set(due);
            self.model.release_one();
            self.look().await?;
        }
        Ok(())
    }

    async fn begin(&mut self) -> Result<(), Box<dyn Error>> {
        if self.work.is_none() {
            let before = self.model.calls();
            self.work = Some(tokio::spawn(Arc::clone(&self.answering).settle()));
            self.due = Some((Timestamp::MAX, before));
            self.look().await?;
        }
        Ok(())
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let export = args.next().ok_or("which export?")?;
    let percent: u64 = args.next().map_or(Ok(2), |n| n.parse())?;
    let thinks: i64 = args.next().map_or(Ok(8), |n| n.parse())?;
    let (known, happenings, edits) = happenings(Path::new(&export), percent)?;
    let folder = tempfile::tempdir()?;
    let store = Store::open(&Target::Sqlite(folder.path().join("myao.db"))).await?;
    let first = happenings.first().ok_or("nobody says anything")?.0.to_timestamp();
    let clock = HandClock::at(first);
    store.recall().note_own(&attention().own).await?;
    for batch in known.chunks(400) {
        store.intake().apply(batch.to_vec(), first).await?;
    }
    let model = Arc::new(ScriptedModel::answering(|_| "yes".to_owned()));
    model.hold();
    let answering = answering(&store, &clock, &model)?;
    let thinks = SignedDuration::from_secs(thinks);
    let mut replies = Replies { answering, model, clock, work: None, due: None, thinks };
    let mut asked = 0;
    for (at, message) in happenings {
        let at = at.to_timestamp();
        replies.until(at).await?;
        replies.clock.set(at);
        let asks = message.text.contains("<@UMYAO>") && message.edited_at.is_none();
        store.intake().apply_live(vec![Event::Message(message)], &attention(), at).await?;
        if asks {
            asked += 1;
            replies.begin().await?;
        }
    }
    replies.until(Timestamp::MAX).await?;
    let troubled = store.replies().failed_and_postponed(first).await?;
    say(&format!("{asked} questions, {edits} edits, {} calls", replies.model.calls()));
    let anew = replies.model.calls().saturating_sub(asked);
    say(&format!("{anew} answers made anew, {} excuses or failures", troubled.len()));
    for reply in troubled.iter().take(5) {
        say(&format!("  {}", reply.reason));
    }
    Ok(())
}

fn answering(
    store: &Store,
    clock: &HandClock,
    model: &Arc<ScriptedModel>,
) -> Result<Arc<Answering>, Box<dyn Error>> {
    let shared: Arc<dyn Clock> = Arc::new(clock.clone());
    let asker = Asker::new(AskerParts {
        store: store.clone(),
        clock: Arc::clone(&shared),
        models: Models::all(&(Arc::clone(model) as Arc<dyn Model>)),
        zone: TimeZone::UTC,
        daily_tokens: None,
        is_patient: true,
        recording: None,
    });
    let mut config = Config::default();
    config.tools.web_fetch.enabled = false;
    Ok(Arc::new(Answering {
        web: WebTools::new(&config.tools, Language::En, Arc::clone(&shared))?,
        config,
        store: store.clone(),
        clock: shared,
        templates: Arc::new(Templates::new(Language::En, &BTreeMap::new())?),
        asker,
        chat: Arc::new(InstantChat::new(Arc::new(clock.clone()), || {})),
        lookups: None,
        in_view: Arc::default(),
        attention: attention(),
        more_tools: Vec::new(),
        typing: TypingOrder::default(),
        at_work: RepliesAtWork::default(),
        arrivals: ArrivalSpans::default(),
        stops: watch::channel(()).1,
        stop: CancellationToken::new(),
    }))
}

#[expect(clippy::print_stdout, reason = "figures for a person")]
fn say(line: &str) {
    println!("{line}");
}
