//! A town: its places, its people, and what they say, change, take back and ask, drawn from a seed.

use std::collections::VecDeque;

use fastrand::Rng;
use myao_core::chat::{ChannelId, MessageTs, UserId};
use myao_testkit::{
    FakeSlack,
    slack::{ChannelSpec, UserSpec},
};

use super::words::{self, OPEN, PRIVATE, QUESTION};

const PEOPLE: [&str; 12] =
    ["aki", "ben", "花子", "Élodie", "次郎", "mira", "Noor", "さくら", "Tomas", "健太", "Ines", "Olaf"];
/// Who says little, and leaves for good.
const LEAVER: usize = 11;
/// The leaver says one of so many messages.
const LEAVER_SAYS: u32 = 100;
/// Channels by what they are all year: open; open first and closed later; closed; closed first and open later.
const CHANNELS: [(PlaceKind, usize); 4] =
    [(PlaceKind::Open, 20), (PlaceKind::Closes, 2), (PlaceKind::Closed, 6), (PlaceKind::Opens, 2)];
/// Shares of the year after which the channels that change do so, and the leaver leaves, in percent.
const CHANGES: [u32; 2] = [35, 65];
const LEAVES: u32 = 55;
/// People who write direct messages.
const DIRECT: usize = 6;
/// Places that speak in a part of a day, at least and at most, and how many messages make one more.
const LEAST_SPEAKING: usize = 2;
const MOST_SPEAKING: usize = 10;
const MESSAGES_A_PLACE: usize = 30;
/// One of so many messages has a word of its own, is an answer in a thread, is changed, is taken back.
const MARKED: u32 = 8;
const THREADED: u32 = 4;
const EDITED: u32 = 30;
const DELETED: u32 = 60;
/// Questions in a part of a day, besides the direct message of its first part.
const QUESTIONS: usize = 2;
/// The newest messages, which people change and take back: of this day and the one before at most, since what is changed
/// while nobody hears is only looked for in the last days.
const RECENT: usize = 200;

/// Who may read a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PlaceKind {
    Open,
    /// It becomes private in the course of the year.
    Closes,
    Closed,
    /// It becomes public in the course of the year.
    Opens,
    /// The direct messages of one person.
    Direct(usize),
}

impl PlaceKind {
    /// Who alone speaks there.
    fn speaker(self) -> Option<usize> {
        match self {
            Self::Direct(person) => Some(person),
            Self::Open | Self::Closes | Self::Closed | Self::Opens => None,
        }
    }
}

/// Where people talk.
pub(crate) struct TownPlace {
    pub(crate) id: ChannelId,
    pub(crate) tag: String,
    pub(crate) kind: PlaceKind,
    /// Whether anybody may read it now.
    pub(crate) is_open: bool,
    /// The day on which that changes.
    changes_on: Option<u32>,
    is_japanese: bool,
    /// The newest message that may have a thread.
    root: Option<MessageTs>,
}

/// What became of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    Stands,
    Deleted,
    Forgotten,
}

/// A message that a person said.
pub(crate) struct SaidMessage {
    pub(crate) place: usize,
    pub(crate) person: usize,
    pub(crate) ts: MessageTs,
    pub(crate) fate: Fate,
    /// The word that nobody else says, as long as it is in the message.
    pub(crate) mark: Option<String>,
    /// Whether it is a reply in a thread.
    pub(crate) is_reply: bool,
    has_question: bool,
}

/// A question to the bot.
pub(crate) struct Question {
    pub(crate) place: usize,
    pub(crate) ts: MessageTs,
    /// Whether something was wrong that may keep an answer back.
    pub(crate) in_trouble: bool,
}

/// The town, and all that was said in it.
pub(crate) struct Town {
    pub(crate) places: Vec<TownPlace>,
    people: Vec<UserId>,
    pub(crate) said: Vec<SaidMessage>,
    pub(crate) questions: Vec<Question>,
    /// Words that people changed into others.
    pub(crate) edited_away: Vec<String>,
    pub(crate) leaver_is_gone: bool,
    leaves_on: u32,
    recent: VecDeque<usize>,
    /// How many messages were said before this day.
    said_before: usize,
    marks: usize,
    chance: Rng,
    bot: UserId,
}

/// A part of a day in which people talk.
pub(crate) struct DayPart {
    /// The messages in it.
    pub(crate) count: usize,
    /// How many of them were said.
    pub(crate) told: usize,
    /// Where they are said, one place after the other.
    speaking: Vec<usize>,
    /// Whether a direct message is among them.
    has_direct: bool,
    /// Whether what is asked now may stay without an answer.
    pub(crate) in_trouble: bool,
}

impl Town {
    /// Furnishes a Slack. The year has `days`.
    pub(crate) fn found(slack: &FakeSlack, days: u32, seed: u64) -> Self {
        let people: Vec<UserId> = PEOPLE.iter().map(|name| slack.user(UserSpec::person(name))).collect();
        let members: Vec<&UserId> = people.iter().collect();
        let kinds = CHANNELS.iter().flat_map(|(kind, many)| std::iter::repeat_n(*kind, *many));
        let kinds = kinds.chain((0..DIRECT).map(PlaceKind::Direct));
        let mut changes = CHANGES.iter().cycle().map(|share| days * share / 100);
        let mut places = Vec::new();
        for (number, kind) in kinds.enumerate() {
            let name = format!("room-{number:02}");
            let (spec, is_open) = match kind {
                PlaceKind::Open | PlaceKind::Closes => (ChannelSpec::public(&name).members(&members), true),
                PlaceKind::Closed | PlaceKind::Opens => {
                    (ChannelSpec::private(&name).members(&members), false)
                }
                PlaceKind::Direct(person) => (ChannelSpec::dm(&people[person]), false),
            };
            let does_change = matches!(kind, PlaceKind::Closes | PlaceKind::Opens);
            places.push(TownPlace {
                id: slack.channel(spec),
                tag: words::tag(number),
                kind,
                is_open,
                changes_on: does_change.then(|| changes.next()).flatten(),
                is_japanese: number % 2 == 1,
                root: None,
            });
        }
        Self {
            places,
            people,
            said: Vec::new(),
            questions: Vec::new(),
            edited_away: Vec::new(),
            leaver_is_gone: false,
            leaves_on: days * LEAVES / 100,
            recent: VecDeque::new(),
            said_before: 0,
            marks: 0,
            chance: Rng::with_seed(seed),
            bot: slack.bot_user_id(),
        }
    }

    /// The name of the person who leaves.
    pub(crate) fn leaver(&self) -> &UserId {
        &self.people[LEAVER]
    }

    /// What changes on a day besides what is said: kinds of channels, and who is there.
    pub(crate) fn begin_day(&mut self, slack: &FakeSlack, day: u32) {
        let yesterday = std::mem::replace(&mut self.said_before, self.said.len());
        self.recent.retain(|at| *at >= yesterday);
        for place in self.places.iter_mut().filter(|place| place.changes_on == Some(day)) {
            if place.is_open {
                slack.convert_to_private(&place.id);
            } else {
                slack.convert_to_public(&place.id);
            }
            place.is_open = !place.is_open;
        }
        if day == self.leaves_on && !self.leaver_is_gone {
            self.leaver_is_gone = true;
            for place in self.places.iter().filter(|place| place.kind.speaker().is_none()) {
                slack.leave(&place.id, &self.people[LEAVER]);
            }
        }
    }

    /// Draws where people speak in a part of a day.
    pub(crate) fn begin_part(&mut self, count: usize, is_first: bool) -> DayPart {
        let many = (count / MESSAGES_A_PLACE).clamp(LEAST_SPEAKING, MOST_SPEAKING);
        let is_channel = |at: &usize| self.places[*at].kind.speaker().is_none();
        let mut speaking: Vec<usize> = (0..self.places.len()).filter(is_channel).collect();
        self.chance.shuffle(&mut speaking);
        speaking.truncate(many);
        DayPart { count, told: 0, speaking, has_direct: is_first, in_trouble: false }
    }

    /// The next message of a part of a day, and what people change of earlier ones.
    pub(crate) fn say_next(&mut self, slack: &FakeSlack, part: &mut DayPart) {
        let nth = part.told;
        part.told += 1;
        let is_direct = part.has_direct && nth == 0;
        let place = if is_direct {
            self.places.len() - 1 - self.chance.usize(..DIRECT)
        } else {
            part.speaking[nth * part.speaking.len() / part.count]
        };
        let asks = is_direct || nth % (part.count / QUESTIONS).max(2) == 1;
        self.say(slack, place, asks);
        if asks && let Some(question) = self.questions.last_mut() {
            question.in_trouble = part.in_trouble;
        }
        if self.chance.u32(..EDITED) == 0 {
            self.edit(slack);
        }
        if self.chance.u32(..DELETED) == 0 {
            self.delete(slack);
        }
    }

    fn say(&mut self, slack: &FakeSlack, at: usize, asks: bool) {
        let speaker = self.places[at].kind.speaker();
        let is_leaver = !asks && !self.leaver_is_gone && self.chance.u32(..LEAVER_SAYS) == 0;
        let person = speaker.unwrap_or_else(|| if is_leaver { LEAVER } else { self.chance.usize(..LEAVER) });
        let mark = if asks {
            Some(words::mark(QUESTION, self.questions.len()))
        } else {
            (self.chance.u32(..MARKED) == 0).then(|| self.new_mark(at))
        };
        let text = self.text(at, mark.as_deref());
        let place = &mut self.places[at];
        let root = place.root.filter(|_| !asks && self.chance.u32(..THREADED) == 0);
        let text = if asks && speaker.is_none() { format!("<@{}> {text}", self.bot) } else { text };
        let ts = match root {
            Some(root) => slack.reply(&place.id, root, &self.people[person], &text),
            None => slack.say(&place.id, &self.people[person], &text),
        };
        if root.is_none() && !asks {
            place.root = Some(ts);
        }
        if asks {
            self.questions.push(Question { place: at, ts, in_trouble: false });
        } else {
            self.recent.push_back(self.said.len());
            if self.recent.len() > RECENT {
                self.recent.pop_front();
            }
        }
        let is_reply = root.is_some();
        self.said.push(SaidMessage {
            place: at,
            person,
            ts,
            fate: Fate::Stands,
            mark,
            is_reply,
            has_question: asks,
        });
    }

    fn new_mark(&mut self, place: usize) -> String {
        self.marks += 1;
        // What was private once and is open later would be no secret.
        let kind = match self.places[place].kind {
            PlaceKind::Closed | PlaceKind::Direct(_) => PRIVATE,
            PlaceKind::Open | PlaceKind::Closes | PlaceKind::Opens => OPEN,
        };
        words::mark(kind, self.marks)
    }

    fn text(&mut self, at: usize, mark: Option<&str>) -> String {
        let place = &self.places[at];
        let said = words::sentence(&mut self.chance, place.is_japanese);
        [Some(place.tag.as_str()), mark, Some(said.as_str())]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// Somebody changes one of the newest messages.
    fn edit(&mut self, slack: &FakeSlack) {
        let Some(at) = self.chance.choice(self.recent.iter().copied()) else { return };
        let place = self.said[at].place;
        let mark = self.said[at].mark.is_some().then(|| self.new_mark(place));
        let text = self.text(place, mark.as_deref());
        let said = &mut self.said[at];
        self.edited_away.extend(std::mem::replace(&mut said.mark, mark));
        slack.edit(&self.places[place].id, said.ts, &text);
    }

    /// Somebody takes one of the newest messages back.
    fn delete(&mut self, slack: &FakeSlack) {
        if self.recent.is_empty() {
            return;
        }
        let at = self.chance.usize(..self.recent.len());
        let Some(at) = self.recent.remove(at) else { return };
        let said = &mut self.said[at];
        said.fate = Fate::Deleted;
        let place = &mut self.places[said.place];
        if place.root == Some(said.ts) {
            place.root = None;
        }
        slack.delete(&place.id, said.ts);
    }

    /// An older message with a word of its own, which somebody wants forgotten. It counts as forgotten from now on.
    pub(crate) fn forget_one(&mut self) -> Option<&SaidMessage> {
        let newest = self.recent.front().copied().unwrap_or(self.said.len());
        let older: Vec<usize> = (0..newest)
            .filter(|at| {
                let said = &self.said[*at];
                said.fate == Fate::Stands && said.mark.is_some() && !said.has_question
            })
            .collect();
        let at = self.chance.choice(older)?;
        self.said[at].fate = Fate::Forgotten;
        self.said.get(at)
    }

    /// All that the leaver said is to be forgotten.
    pub(crate) fn forget_leaver(&mut self) {
        for said in self.said.iter_mut().filter(|said| said.person == LEAVER && said.fate == Fate::Stands) {
            said.fate = Fate::Forgotten;
        }
    }
}
