//! Whether memories put what somebody said, promised or did into the wrong mouth.
//!
//! Memories are built of the corpora, and of talk made for it, in which people quote, forward, paste, bridge and report
//! what others say ([`myao_testkit::whose_words`]). Lines of chapters and of long-term memories are drawn, and each is
//! compared with its messages: whoever it lets say something has to have said it. A line of made talk is also known to be
//! wrong where it does not name the owner of a statement in it. Suspicious lines are printed with the messages that say
//! the same, for a person to read; only reading tells whether they are wrong.
//!
//! Read in this order: `lines` (which are drawn), `compare` (with messages).

mod compare;
mod lines;

use std::{error::Error, path::PathBuf};

use clap::Args;
use myao_core::text::Language;
use myao_testkit::whose_words::{TalkOfOthers, make_talk_of_others};
use serde_json::{Value, json};

use self::{compare::SaidByPeople, lines::draw_lines};
use crate::{
    Measurement,
    planted::{
        corpus::{CORPORA, Corpus, Talk, read_talk},
        memory::{self, MemoryModel},
    },
};

/// Messages that are printed with a suspicious line, at most.
const SHOWN: usize = 4;

/// What lines are drawn from.
#[derive(Debug, Args)]
pub(crate) struct Attributing {
    /// The folder with the corpora [default: the environment's `MYAO_DATA`]; without one only made talk is looked at
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// Only this one: a corpus, `made_en` or `made_ja`
    #[arg(long)]
    corpus: Option<String>,
    /// Lines to draw of each
    #[arg(long, default_value_t = 200)]
    lines: usize,
    /// Scenes of made talk in each language
    #[arg(long, default_value_t = 420)]
    scenes: usize,
    /// Makes other talk and draws other lines
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Build memories with the memory model of this configuration instead of builtin
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Build memories with this model, its key taken from the environment
    #[arg(long, value_name = "PROVIDER/MODEL", conflicts_with = "config")]
    memory_model: Option<String>,
}

/// Talk, and what is known of whose words stand in it.
struct Source {
    name: &'static str,
    corpus: Corpus,
    talk: Talk,
    made: Option<TalkOfOthers>,
}

/// The figures of one source.
struct Figures {
    name: &'static str,
    drawn: usize,
    of_long_term: usize,
    /// Lines of made talk that are known to be wrong.
    wrong: usize,
    /// Lines that no message of whoever they let say it holds.
    suspicious: usize,
}

impl Attributing {
    /// Builds, draws, compares and prints.
    pub(crate) async fn run(&self, measurement: &Measurement) -> Result<(), Box<dyn Error>> {
        let model = MemoryModel::of(self.config.as_deref(), self.memory_model.as_deref(), measurement)?;
        let mut all = Vec::new();
        for source in self.sources()? {
            all.push(Box::pin(self.measure(&source, &model)).await?);
        }
        let sum = |count: fn(&Figures) -> usize| all.iter().map(count).sum::<usize>();
        let (drawn, wrong, suspicious) =
            (sum(|one| one.drawn), sum(|one| one.wrong), sum(|one| one.suspicious));
        if measurement.json {
            let row = |one: &Figures| {
                json!({ "name": one.name, "drawn": one.drawn, "of_long_term": one.of_long_term,
                    "wrong": one.wrong, "suspicious": one.suspicious })
            };
            println!(
                "{:#}",
                json!({ "model": model.name(), "sources": all.iter().map(row).collect::<Vec<Value>>() })
            );
        } else {
            for Figures { name, drawn, of_long_term, wrong, suspicious } in &all {
                println!(
                    "{name}: {drawn} lines, {of_long_term} of them of long-term memories: {wrong} known to be in the \
                     wrong mouth, {suspicious} suspicious"
                );
            }
            println!("{drawn} lines by {}: {wrong} wrong, {suspicious} suspicious", model.name());
        }
        Ok(())
    }

    fn sources(&self) -> Result<Vec<Source>, Box<dyn Error>> {
        let data = self.data.clone().or_else(|| std::env::var_os("MYAO_DATA").map(PathBuf::from));
        let is_wanted = |name: &str| self.corpus.as_ref().is_none_or(|wanted| wanted == name);
        let mut sources = Vec::new();
        match data.filter(|data| data.is_dir()) {
            Some(data) => {
                for corpus in CORPORA.iter().filter(|corpus| is_wanted(corpus.name)) {
                    let talk = read_talk(&data, corpus)?;
                    sources.push(Source { name: corpus.name, corpus: *corpus, talk, made: None });
                }
            }
            None => {
                eprintln!("no folder of corpora is named (--data or MYAO_DATA): only made talk is looked at");
            }
        }
        for (name, language) in [("made_en", Language::En), ("made_ja", Language::Ja)] {
            if is_wanted(name) {
                let made = make_talk_of_others(language, self.scenes, self.seed);
                let corpus = Corpus::made(name, language);
                sources.push(Source { name, corpus, talk: talk_of(&made), made: Some(made) });
            }
        }
        Ok(sources)
    }

    async fn measure(&self, source: &Source, model: &MemoryModel) -> Result<Figures, Box<dyn Error>> {
        let built = memory::build(&source.corpus, &source.talk, &[], model).await?;
        let drawn = draw_lines(&built.app, self.lines, self.seed).await?;
        built.app.store.close().await;
        let said = SaidByPeople::of(&source.talk);
        let mut figures = Figures {
            name: source.name,
            drawn: drawn.len(),
            of_long_term: drawn.iter().filter(|line| line.is_long_term).count(),
            wrong: 0,
            suspicious: 0,
        };
        for line in &drawn {
            let statements = source.made.iter().flat_map(|made| &made.statements);
            let wrong: Vec<_> = statements
                .filter(|statement| statement.is_in_right_mouth(&line.words) == Some(false))
                .collect();
            figures.wrong += usize::from(!wrong.is_empty());
            for statement in &wrong {
                println!(
                    "{}: wrong ({}, {}'s): {}",
                    source.name, statement.kind, statement.owner, line.words
                );
            }
            let Some(others) = said.suspicion(line) else { continue };
            figures.suspicious += 1;
            if wrong.is_empty() {
                println!("{}: suspicious: {} {}", source.name, line.day_text(), line.words);
                others.iter().take(SHOWN).for_each(|message| println!("    {message}"));
            }
        }
        Ok(figures)
    }
}

fn talk_of(made: &TalkOfOthers) -> Talk {
    Talk {
        channels: vec![made.channel.clone()],
        users: made.users.clone(),
        messages: made.messages.clone(),
        evidence: Vec::new(),
        now: made.now,
    }
}
