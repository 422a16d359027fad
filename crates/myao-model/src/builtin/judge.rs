//! Judges whether to speak up: only where somebody is clearly left without an answer (specification §4), and what was
//! said before answers them (ADR 101).
//!
//! It looks at who spoke last, whether they ask or complain, whether anybody reacted, and whom they addressed. In doubt
//! it stays quiet.

mod cue_words;
mod judged_messages;

use std::collections::BTreeSet;

use myao_core::{
    chat::{MessageTs, Speaker},
    judgment::Verdict,
    ports::{Request, TalkLine},
    text::Language,
};

use super::reply;

use self::judged_messages::{JudgedMessage, Need, is_addressed, is_on_matter};

pub(super) use self::judged_messages::is_soft;

/// Most minutes between lines of one person that are about one matter.
const SAME_MATTER_MINUTES: i64 = 60;
/// Minutes after talking with somebody in which a person is expected to answer.
const IN_CONVERSATION_MINUTES: i64 = 3 * 60;
/// The same minutes in a thread, and for a question: people come back to these later.
const COMING_BACK_MINUTES: i64 = 24 * 60;
/// Earlier lines in which such a person is looked for.
const IN_CONVERSATION_LINES: usize = 12;
/// Seconds for which a question is left to others before we answer. In lively chats every third open question is answered
/// by somebody within that time.
const PATIENCE_SECONDS: f64 = 300.0;
const MICROS_PER_MINUTE: i64 = 60_000_000;

/// The kinds of endings of a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    /// There is no message.
    Nothing,
    /// We spoke last.
    Own,
    /// Programs were the only ones to speak.
    Bots,
    /// A question or a complaint that somebody took up.
    Answered,
    /// Thanks, a goodbye, a solution.
    Closed,
    /// Words addressed to somebody by name.
    Addressed,
    /// An announcement to everybody that wants no answer.
    Announced,
    /// A greeting, a sound, a link.
    Courtesy,
    /// A question within a conversation of people.
    Talking,
    /// A remark that some would answer and some would not.
    Remark,
    /// A question that nobody took up.
    Question,
    /// A cry for help that nobody took up.
    Trouble,
}

/// Whether to speak at the end of a conversation; `lines` are what was found, then the conversation.
pub(super) fn verdict_at_end(lines: &[TalkLine], request: &Request) -> Verdict {
    let (found, talk) = lines.split_at(reply::found_in(lines));
    let (ending, asked) = Ending::of(talk);
    let is_known = asked.is_some_and(|asked| {
        let earlier = reply::found_then_said(found, talk, asked);
        !reply::known_unasked(asked, &earlier, &request.own_names).is_empty()
    });
    Verdict {
        should_respond: is_known,
        reason: ending.reason(is_known, request.language).to_owned(),
        confidence: ending.confidence(),
        delay_seconds: (is_known && ending == Ending::Question).then_some(PATIENCE_SECONDS),
    }
}

/// The message at the end of a conversation that should get an answer and gets none from people.
pub(super) fn left_alone(talk: &[TalkLine]) -> Option<&TalkLine> {
    Ending::of(talk).1
}

impl Ending {
    /// How a conversation ends, and what somebody who is left alone asks or complains about.
    fn of(talk: &[TalkLine]) -> (Self, Option<&TalkLine>) {
        let Some(scene) = ConversationEnd::of(talk) else { return (Self::Nothing, None) };
        let Some(last) = scene.run.last() else { return (Self::Bots, None) };
        if last.speaker == Speaker::Own {
            return (Self::Own, None);
        }
        let said: Vec<JudgedMessage> = scene.run.iter().map(|line| JudgedMessage::of(&line.text)).collect();
        let newest = scene.run.iter().zip(&said).enumerate().rev();
        let mut wishes = newest.filter_map(|(at, (line, said))| Some((at, *line, said, said.wish?)));
        let Some((at, line, asked, wish)) = wishes.next() else { return (scene.without_wish(&said), None) };
        let ending = if said.iter().skip(at + 1).any(|later| later.closes) || scene.is_closed_under(last) {
            Self::Closed
        } else if scene.is_taken_up(last) {
            Self::Answered
        } else if scene.run.iter().skip(at).any(|line| is_addressed(&line.text, &scene.others)) {
            Self::Addressed
        } else if asked.announces {
            Self::Announced
        } else if scene.is_conversation(line) {
            Self::Talking
        } else {
            let ending = match wish {
                Need::Answer => Self::Question,
                Need::Help => Self::Trouble,
            };
            return (ending, Some(line));
        };
        (ending, None)
    }

    /// The confidence of the verdict: thanks surely want no answer, a remark may be anything.
    const fn confidence(self) -> f64 {
        match self {
            Self::Own | Self::Closed => 0.95,
            Self::Nothing | Self::Bots | Self::Answered => 0.9,
            Self::Addressed | Self::Announced | Self::Courtesy | Self::Question => 0.8,
            Self::Trouble => 0.7,
            Self::Remark => 0.6,
            Self::Talking => 0.5,
        }
    }

    /// The reason of the verdict; `is_known` tells whether what was said before answers.
    const fn reason(self, is_known: bool, language: Language) -> &'static str {
        let (ja, en) = match self {
            Self::Nothing => ("まだ誰も話していない", "nobody has said anything yet"),
            Self::Own => ("最後に話したのは自分自身", "the last words were mine"),
            Self::Bots => ("話しているのはボットだけ", "only bots have spoken"),
            Self::Answered => ("もう誰かが応じている", "somebody has taken it up already"),
            Self::Closed => ("話は終わっている", "it has come to its end"),
            Self::Addressed => ("ほかの人に向けた発言", "it is meant for somebody else"),
            Self::Announced => ("返事のいらないお知らせ", "it is an announcement that wants no answer"),
            Self::Courtesy => {
                ("返事のいるようなことは言われていない", "little was said that wants an answer")
            }
            Self::Talking => ("人どうしの会話の途中", "people are talking to each other"),
            Self::Remark => ("質問でも相談でもない", "it is neither a question nor a call for help"),
            Self::Question if is_known => (
                "質問に誰も答えておらず、前に言われたことが答えになる",
                "nobody has answered the question, and what was said before does",
            ),
            Self::Question => (
                "質問に誰も答えていないが、答えを知らない",
                "nobody has answered the question, and I know no answer",
            ),
            Self::Trouble if is_known => (
                "困っている人に誰も応じておらず、前に言われたことが助けになる",
                "somebody is in trouble and nobody has reacted, and what was said before helps",
            ),
            Self::Trouble => (
                "困っている人に誰も応じていないが、助けになることを知らない",
                "somebody is in trouble and nobody has reacted, and I know nothing that helps",
            ),
        };
        match language {
            Language::Ja => ja,
            Language::En => en,
        }
    }
}

/// The end of a conversation, and what came before it.
struct ConversationEnd<'a> {
    /// The last lines, all by one speaker; empty if only bots have spoken.
    run: Vec<&'a TalkLine>,
    /// Earlier lines of people and ours in the same place, oldest first.
    before: Vec<&'a TalkLine>,
    /// Replies to the run in threads under it.
    under: Vec<&'a TalkLine>,
    /// Whether all of it is one thread.
    is_thread: bool,
    /// The names of all speakers except us and the last one.
    others: BTreeSet<&'a str>,
}

impl<'a> ConversationEnd<'a> {
    fn of(talk: &'a [TalkLine]) -> Option<Self> {
        let root = |line: &TalkLine| line.thread.unwrap_or(line.ts);
        let first = talk.first()?;
        // A thread is a place of its own; lines in threads do not count at top level.
        let is_thread = talk.iter().all(|line| root(line) == root(first));
        let voices = talk.iter().filter(|line| line.speaker != Speaker::Bot);
        let mut here: Vec<&TalkLine> =
            voices.clone().filter(|line| is_thread || line.thread.is_none()).collect();
        let mut run: Vec<&TalkLine> = Vec::new();
        while let Some(line) = here.pop() {
            let goes_on = run
                .last()
                .is_none_or(|next| is_same(next, line) && minutes_between(line, next) <= SAME_MATTER_MINUTES);
            if !goes_on {
                here.push(line);
                break;
            }
            run.push(line);
        }
        run.reverse();
        let roots: BTreeSet<MessageTs> = run.iter().map(|line| line.ts).collect();
        let under = voices.clone().filter(|line| line.thread.is_some_and(|root| roots.contains(&root)));
        let last = run.last().map(|line| line.name.as_str());
        let others =
            voices.clone().filter(|line| line.speaker == Speaker::Person).map(|line| line.name.as_str());
        Some(Self {
            under: under.filter(|_| !is_thread).collect(),
            others: others.filter(|name| Some(*name) != last).collect(),
            is_thread,
            run,
            before: here,
        })
    }

    /// Whether somebody other than its author replied to `last` in a thread under it.
    fn is_taken_up(&self, last: &TalkLine) -> bool {
        self.under.iter().any(|line| !is_same(line, last))
    }

    /// Whether the author of `last` said in a thread under it that it is done.
    fn is_closed_under(&self, last: &TalkLine) -> bool {
        self.under.iter().any(|line| is_same(line, last) && JudgedMessage::of(&line.text).closes)
    }

    /// Whether the author of `line` is in a conversation with other people, who will go on: they talked before, or the
    /// line asks back.
    fn is_conversation(&self, line: &TalkLine) -> bool {
        let asks_back = self.before.last().is_some_and(|other| asks_back(line, other));
        let within = if self.is_thread { COMING_BACK_MINUTES } else { IN_CONVERSATION_MINUTES };
        let near = self.before.iter().rev().take(IN_CONVERSATION_LINES);
        let near = near.take_while(|earlier| minutes_between(earlier, line) <= within);
        let mut own = self.is_thread;
        let mut others = false;
        for earlier in near.filter(|earlier| is_person(earlier)) {
            own |= is_same(earlier, line);
            others |= !is_same(earlier, line);
        }
        asks_back || (own && others)
    }

    /// The ending if the last speaker neither asks nor complains.
    fn without_wish(&self, run: &[JudgedMessage]) -> Ending {
        if run.iter().any(|said| said.closes) {
            return Ending::Closed;
        }
        if self.before.last().is_some_and(|line| JudgedMessage::of(&line.text).wish.is_some()) {
            return Ending::Answered;
        }
        if run.iter().any(|said| said.announces) {
            return Ending::Announced;
        }
        if run.iter().all(|said| said.is_slight) { Ending::Courtesy } else { Ending::Remark }
    }
}

fn is_person(line: &TalkLine) -> bool {
    line.speaker == Speaker::Person
}

fn is_same(one: &TalkLine, other: &TalkLine) -> bool {
    one.name == other.name && one.speaker == other.speaker
}

/// Whether `line` asks about what somebody asked or complained about in `other`.
fn asks_back(line: &TalkLine, other: &TalkLine) -> bool {
    is_person(other)
        && minutes_between(other, line) <= COMING_BACK_MINUTES
        && JudgedMessage::of(&other.text).wish.is_some()
        && is_on_matter(&line.text, &other.text)
}

fn minutes_between(earlier: &TalkLine, later: &TalkLine) -> i64 {
    later.ts.as_micros().saturating_sub(earlier.ts.as_micros()) / MICROS_PER_MINUTE
}
