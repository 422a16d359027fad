//! Whose thing a message tells, where a question asks for somebody's: "my desk", 「うちのチームの締切」 (ADR 146).

use std::collections::BTreeSet;

use myao_core::{
    chat::Speaker,
    ports::TalkLine,
    recall::{CalledPerson, QuestionOwner},
    text::{Lexicon, fold_for_comparison},
    worth::words_with_spaces,
};

use super::{super::parts::TITLES, other_owners::AskedThings, topics::Topic};

static SPEAKER: Lexicon = Lexicon::english("owner.speaker");
static SPEAKER_JAPANESE: Lexicon = Lexicon::japanese("owner.speaker");
static OWN_THINGS: Lexicon = Lexicon::english("owner.own_things");
static OWN_THINGS_JAPANESE: Lexicon = Lexicon::japanese("owner.own_things");
static SPEAKERS: Lexicon = Lexicon::english("owner.speakers");
static SPEAKERS_JAPANESE: Lexicon = Lexicon::japanese("owner.speakers");
static ADDRESSED: Lexicon = Lexicon::english("owner.addressed");
static ADDRESSED_JAPANESE: Lexicon = Lexicon::japanese("owner.addressed");
static THIRD: Lexicon = Lexicon::english("owner.third");
static EVERYBODY: Lexicon = Lexicon::english("owner.everybody");
static EVERYBODY_JAPANESE: Lexicon = Lexicon::japanese("owner.everybody");

/// Whose thing a message tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ToldThing {
    /// That of whom the question means.
    Meant,
    /// Everybody's, or nobody's in particular.
    Anybodys,
    /// Somebody else's.
    Anothers,
}

/// A message that another one goes on from.
#[derive(Clone, Copy, Debug)]
pub(super) struct PrecedingLine<'a> {
    pub(super) line: &'a TalkLine,
    /// Whether it asks something.
    pub(super) asks: bool,
    /// Whether it speaks of what the question is about.
    pub(super) is_about: bool,
}

/// Somebody who speaks, and how people call them.
struct KnownPerson {
    name: String,
    called: CalledPerson,
}

/// Whom a question means by "my", "our" or "your".
pub(super) struct MeantOwner {
    owner: QuestionOwner,
    questioner: KnownPerson,
    others: Vec<KnownPerson>,
    /// The names of those who talk where the question is asked, or elsewhere where who asks talks.
    group: BTreeSet<String>,
    own_names: Vec<CalledPerson>,
    things: AskedThings,
}

impl MeantOwner {
    /// Of a question that says whose thing it asks for, among what was said.
    pub(super) fn of(
        (owner, topics): (QuestionOwner, &[Topic]),
        asked: &TalkLine,
        earlier: &[TalkLine],
        own_names: &[String],
    ) -> Self {
        let people =
            || earlier.iter().filter(|line| line.speaker == Speaker::Person && !line.name.is_empty());
        let names: BTreeSet<&str> = people().map(|line| line.name.as_str()).collect();
        let others: Vec<KnownPerson> =
            names.into_iter().filter(|name| *name != asked.name).map(KnownPerson::new).collect();
        let called: Vec<CalledPerson> = others.iter().map(|other| other.called.clone()).collect();
        // What they were called before is told with the question.
        let former = asked.explains.iter().filter(|one| one.meaning == asked.name).map(|one| &one.word);
        let ways = former.fold(CalledPerson::new(&asked.name), |ways, name| ways.also_called(name));
        let questioner = KnownPerson { name: asked.name.clone(), called: ways.told_from(&called) };
        let own_channels: BTreeSet<&str> = people()
            .filter(|line| line.name == asked.name)
            .filter_map(|line| line.channel.as_deref())
            .collect();
        let is_home = |line: &&TalkLine| {
            is_here(line) || line.channel.as_deref().is_some_and(|channel| own_channels.contains(channel))
        };
        let mut group: BTreeSet<String> = people().filter(is_home).map(|line| line.name.clone()).collect();
        group.insert(asked.name.clone());
        let own_names = own_names.iter().map(|name| CalledPerson::new(name)).collect();
        let folded = fold_for_comparison(&asked.text);
        let things = AskedThings::of(topics, folded, questioner.called.ways().to_vec());
        Self { owner, questioner, others, group, own_names, things }
    }

    /// Whose thing a message tells; `said` is what it states, folded, and `before` what it goes on from.
    pub(super) fn told_in(&self, said: &str, line: &TalkLine, before: &[PrecedingLine<'_>]) -> ToldThing {
        match self.owner {
            QuestionOwner::Questioner | QuestionOwner::QuestionerLikeOthers => {
                self.told_of_asker(said, line, before)
            }
            QuestionOwner::Group | QuestionOwner::GroupDeeds => self.told_of_group(said, line),
            QuestionOwner::Hearer if self.own_names.iter().any(|name| name.is_named_in(said)) => {
                ToldThing::Meant
            }
            QuestionOwner::Hearer => ToldThing::Anothers,
        }
    }

    fn told_of_asker(&self, said: &str, line: &TalkLine, before: &[PrecedingLine<'_>]) -> ToldThing {
        let speaks_of_self = speaks_of_self(said);
        let addresses = says(said, &ADDRESSED, &ADDRESSED_JAPANESE);
        let is_for_all = says(said, &EVERYBODY, &EVERYBODY_JAPANESE);
        let owns = |other: &KnownPerson| other.name != line.name && other.owns_in(said, &self.things);
        let is_of_other = self.things.are_others_in(said) || self.others.iter().any(owns);
        let is_own = says(said, &OWN_THINGS, &OWN_THINGS_JAPANESE);
        if line.name == self.questioner.name {
            let is_of_third = is_of_other && !is_own;
            let is_had =
                !speaks_of_self && (says_word(said, &THIRD) || self.things.are_had_by_others_in(said));
            return if is_of_third || is_had { ToldThing::Anothers } else { ToldThing::Meant };
        }
        if self.questioner.is_named_in(said) {
            let is_only_called =
                !self.questioner.is_owner_in(said) && !addresses && (is_of_other || speaks_of_self);
            return if is_only_called { ToldThing::Anothers } else { ToldThing::Meant };
        }
        let names_other = self.others.iter().any(|other| other.name != line.name && other.is_named_in(said));
        match self.answered(line, before) {
            PersonAnswered::Questioner if !names_other && (addresses || !speaks_of_self) => ToldThing::Meant,
            PersonAnswered::Questioner | PersonAnswered::Nobody
                if self.owner == QuestionOwner::QuestionerLikeOthers =>
            {
                if (is_of_other || is_own) && !is_for_all { ToldThing::Anothers } else { ToldThing::Anybodys }
            }
            PersonAnswered::Questioner | PersonAnswered::Nobody
                if is_for_all && !speaks_of_self && !names_other =>
            {
                ToldThing::Anybodys
            }
            PersonAnswered::Questioner | PersonAnswered::Other | PersonAnswered::Nobody => {
                ToldThing::Anothers
            }
        }
    }

    /// Whom a message goes on from: who asks, or somebody else who asked.
    fn answered(&self, line: &TalkLine, before: &[PrecedingLine<'_>]) -> PersonAnswered {
        let is_asker = |one: &PrecedingLine<'_>| one.line.name == self.questioner.name && one.is_about;
        let is_other = |one: &PrecedingLine<'_>| {
            one.asks && one.is_about && one.line.name != self.questioner.name && one.line.name != line.name
        };
        let near = before.iter().filter(|one| is_asker(one) || is_other(one));
        match near.max_by_key(|one| one.line.ts) {
            Some(one) if is_asker(one) => {
                let is_for_all = says(&fold_for_comparison(&one.line.text), &EVERYBODY, &EVERYBODY_JAPANESE);
                if is_for_all { PersonAnswered::Nobody } else { PersonAnswered::Questioner }
            }
            Some(_) => PersonAnswered::Other,
            None => PersonAnswered::Nobody,
        }
    }

    fn told_of_group(&self, said: &str, line: &TalkLine) -> ToldThing {
        if is_here(line) || self.group.contains(&line.name) {
            return ToldThing::Meant;
        }
        let is_of_theirs = says(said, &SPEAKERS, &SPEAKERS_JAPANESE);
        let is_another = self.owner == QuestionOwner::Group && is_of_theirs;
        if is_another { ToldThing::Anothers } else { ToldThing::Anybodys }
    }
}

/// Whom a message answers.
enum PersonAnswered {
    Questioner,
    Other,
    Nobody,
}

impl KnownPerson {
    fn new(name: &str) -> Self {
        Self { name: name.to_owned(), called: CalledPerson::new(name) }
    }

    fn is_named_in(&self, said: &str) -> bool {
        self.called.is_named_in(said)
    }

    /// Whether something is said to be theirs: `Ann's desk`, 「安さんの席」.
    fn is_owner_in(&self, said: &str) -> bool {
        let spaced = words_with_spaces(said);
        let is_english = |way: &String| way.is_ascii() && spaced.contains(&format!(" {way}'s "));
        self.called.ways().iter().any(is_english) || self.owned_in(said).next().is_some()
    }

    /// Whether one of these things is said to be theirs, with or without a title: 「健太の席」. In English that is known
    /// without knowing them.
    fn owns_in(&self, said: &str, things: &AskedThings) -> bool {
        self.owned_in(said).any(|owned| things.begins_near(owned))
    }

    /// What stands behind their names in a Japanese text where something is theirs.
    fn owned_in<'s>(&'s self, said: &'s str) -> impl Iterator<Item = &'s str> {
        self.called.ways().iter().flat_map(move |way| {
            said.match_indices(way.as_str()).filter_map(move |(at, _)| {
                let behind = said.get(at + way.len()..)?;
                let bare = TITLES.iter().find_map(|title| behind.strip_prefix(title)).unwrap_or(behind);
                bare.strip_prefix('の')
            })
        })
    }
}

/// Whether a line stands where the question is asked.
fn is_here(line: &TalkLine) -> bool {
    line.found.is_none_or(|found| found.is_here)
}

/// Whether somebody speaks of themselves in a folded statement.
pub(super) fn speaks_of_self(said: &str) -> bool {
    says(said, &SPEAKER, &SPEAKER_JAPANESE)
}

fn says(said: &str, english: &'static Lexicon, japanese: &'static Lexicon) -> bool {
    says_word(said, english) || japanese.words().any(|word| said.contains(word))
}

fn says_word(said: &str, english: &'static Lexicon) -> bool {
    let spaced = words_with_spaces(said);
    english.words().any(|word| spaced.contains(&format!(" {word} ")))
}
