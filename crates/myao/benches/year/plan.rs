//! The options of a year.

use std::{path::PathBuf, str::FromStr};

use super::database::DatabaseKind;

/// What `--help` says.
pub(crate) const HELP: &str = "\
A year of a town in minutes, at whose end myao's promises are looked at.

cargo bench -p myao --bench year -- [OPTIONS]

  --days N             days of the year [365]
  --messages N         what people say in all of them [300000]
  --database NAME      sqlite or postgres [sqlite]
  --program PATH       the program, in place of the one that was built with the bench
  --upgrade-from PATH  an older program, with which the year begins; it is upgraded in the middle
  --pictures DIR       where to write year-DATABASE.csv, .svg and .log
  --seed N             another town [48]
  --pace N             how many times as fast clocks run between jumps [10]
  --trouble-every N    days from one thing that goes wrong to the next [5]
  --spoil KIND         breaks a promise by hand at the end, to see it told: forgotten, missing or private
  --help               this

The exit code is 0 where every promise was kept, 1 where one was broken, 2 where an option is wrong.";

const WHOLE_YEAR: u32 = 365;
const ALL_MESSAGES: usize = 300_000;
const SEED: u64 = 48;
const PACE: u32 = 10;
const TROUBLE_EVERY: u32 = 5;

/// Which promise is broken by hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spoiled {
    /// Words that were forgotten are put back into a memory.
    Forgotten,
    /// A message is taken out of the archive.
    Missing,
    /// Words said in private are put into the memory of the workspace.
    Private,
}

/// The options.
pub(crate) struct YearPlan {
    pub(crate) days: u32,
    messages: usize,
    pub(crate) database: DatabaseKind,
    pub(crate) program: PathBuf,
    pub(crate) upgrade_from: Option<PathBuf>,
    pub(crate) pictures: Option<PathBuf>,
    pub(crate) seed: u64,
    pub(crate) pace: u32,
    /// Every so many days something goes wrong.
    pub(crate) trouble_every: u32,
    pub(crate) spoiled: Option<Spoiled>,
}

impl YearPlan {
    /// Reads the options. `None` where only help is wanted.
    pub(crate) fn read(mut args: impl Iterator<Item = String>) -> Result<Option<Self>, String> {
        let mut plan = Self {
            days: WHOLE_YEAR,
            messages: ALL_MESSAGES,
            database: DatabaseKind::Sqlite,
            program: env!("CARGO_BIN_EXE_myao").into(),
            upgrade_from: None,
            pictures: None,
            seed: SEED,
            pace: PACE,
            trouble_every: TROUBLE_EVERY,
            spoiled: None,
        };
        while let Some(option) = args.next() {
            if option == "--help" {
                return Ok(None);
            }
            // Cargo says so to every bench.
            if option == "--bench" {
                continue;
            }
            let value = args.next().ok_or_else(|| format!("{option} needs a value"))?;
            plan.take(&option, &value)?;
        }
        if plan.days == 0 || plan.pace == 0 || plan.trouble_every == 0 {
            return Err(
                "a year has a day at least, clocks run, and no two things go wrong on one day".to_owned()
            );
        }
        Ok(Some(plan))
    }

    fn take(&mut self, option: &str, value: &str) -> Result<(), String> {
        match option {
            "--days" => self.days = number(option, value)?,
            "--messages" => self.messages = number(option, value)?,
            "--seed" => self.seed = number(option, value)?,
            "--pace" => self.pace = number(option, value)?,
            "--trouble-every" => self.trouble_every = number(option, value)?,
            "--program" => self.program = value.into(),
            "--upgrade-from" => self.upgrade_from = Some(value.into()),
            "--pictures" => self.pictures = Some(value.into()),
            "--database" => {
                self.database = match value {
                    "sqlite" => DatabaseKind::Sqlite,
                    "postgres" => DatabaseKind::Postgres,
                    _ => return Err(not_taken(option, value)),
                }
            }
            "--spoil" => {
                self.spoiled = Some(match value {
                    "forgotten" => Spoiled::Forgotten,
                    "missing" => Spoiled::Missing,
                    "private" => Spoiled::Private,
                    _ => return Err(not_taken(option, value)),
                });
            }
            _ => return Err(format!("there is no option {option}")),
        }
        Ok(())
    }

    /// The messages of a part of a day: as many on each day, whatever remains on the first ones.
    pub(crate) fn messages_of_part(&self, day: u32, part: usize, parts: usize) -> usize {
        let days = usize::try_from(self.days).unwrap_or(usize::MAX);
        let before = usize::try_from(day).unwrap_or(usize::MAX) * parts + part;
        let said = |parts_over: usize| self.messages * parts_over / (days * parts);
        said(before + 1) - said(before)
    }
}

fn number<N: FromStr>(option: &str, value: &str) -> Result<N, String> {
    value.parse().ok().ok_or_else(|| not_taken(option, value))
}

fn not_taken(option: &str, value: &str) -> String {
    format!("{option} does not take {value}")
}
