//! Talk of made-up words in two scripts, each as often as its rank says (Zipf).

use jiff::Timestamp;
use myao_core::chat::{Channel, ChannelId, ChannelKind, Event, Message, MessageKind, MessageTs, UserId};

const CHANNELS: usize = 1_000;
const PEOPLE: usize = 500;
/// Words of each script.
const WORDS: usize = 10_000;
const SYLLABLES: [&str; 40] = [
    "ka", "ro", "mi", "tel", "san", "de", "ver", "lo", "pa", "ni", "qu", "est", "or", "bra", "cu", "fin",
    "ga", "hu", "is", "jo", "ke", "lum", "mo", "nar", "os", "pre", "ri", "so", "tu", "ul", "va", "wen", "xi",
    "yo", "zan", "act", "ble", "con", "dor", "ex",
];
const PARTICLES: [&str; 16] = [
    "の",
    "は",
    "が",
    "を",
    "に",
    "で",
    "と",
    "も",
    "から",
    "まで",
    "です",
    "ました",
    "という",
    "なので",
    "している",
    "ですね",
];

/// Draws numbers, the same each time.
pub(crate) struct Draw(u64);

impl Draw {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb) >> 11
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.bits()).unwrap_or(0) % end.max(1)
    }

    /// A rank below `end`: 0 is drawn most often, each other one in inverse proportion to it.
    pub(crate) fn rank(&mut self, end: usize) -> usize {
        let share = f64::from(u32::try_from(self.bits() & 0xffff_ffff).unwrap_or(0)) / f64::from(u32::MAX);
        let end_float = f64::from(u32::try_from(end).unwrap_or(u32::MAX));
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is below `end`")]
        let rank = end_float.powf(share) as usize;
        rank.clamp(1, end) - 1
    }
}

/// What is said, one message after the other.
pub(crate) struct Talk {
    pub(crate) draw: Draw,
    latin: Vec<String>,
    japanese: Vec<String>,
    said: u32,
    /// The last message of each channel: what a reply is to.
    roots: Vec<Option<MessageTs>>,
}

impl Talk {
    pub(crate) fn new() -> Self {
        let mut draw = Draw::new(14);
        let latin = (0..WORDS).map(|_| (0..2 + draw.below(3)).map(|_| SYLLABLES[draw.below(40)]).collect());
        let latin = latin.collect();
        let japanese = (0..WORDS).map(|_| japanese_word(&mut draw)).collect();
        Self { draw, latin, japanese, said: 0, roots: vec![None; CHANNELS] }
    }

    pub(crate) fn said(&self) -> u32 {
        self.said
    }

    /// One message every 20 seconds.
    pub(crate) fn now(&self) -> Timestamp {
        Timestamp::from_second(1_700_000_000 + i64::from(self.said) * 20).expect("in time")
    }

    /// Channels, three in ten private.
    pub(crate) fn workspace(&self) -> Vec<Event> {
        let kind = |n: usize| if n % 10 < 3 { ChannelKind::Private } else { ChannelKind::Public };
        let channel =
            |n| Channel { id: channel_id(n), name: format!("c{n}"), kind: kind(n), external: false };
        (0..CHANNELS).map(|n| Event::Channel(channel(n))).collect()
    }

    pub(crate) fn say(&mut self) -> Event {
        self.said += 1;
        let channel = self.draw.rank(CHANNELS);
        let ts = MessageTs::from_timestamp(self.now());
        let is_reply = self.draw.below(10) < 4;
        let thread_ts = self.roots[channel].filter(|_| is_reply);
        if thread_ts.is_none() {
            self.roots[channel] = Some(ts);
        }
        let words = 4 + self.draw.rank(30);
        Event::Message(Message {
            channel: channel_id(channel),
            ts,
            thread_ts,
            user: UserId::new(format!("U{}", self.draw.rank(PEOPLE))),
            kind: MessageKind::Talk,
            text: self.sentence(words),
            files: Vec::new(),
            edited_at: None,
            deleted: false,
        })
    }

    /// So many words, of one script or the other.
    pub(crate) fn sentence(&mut self, words: usize) -> String {
        let mut text = String::new();
        let is_japanese = self.draw.below(2) == 0;
        for _ in 0..words {
            if is_japanese {
                let rank = self.draw.rank(WORDS);
                text.push_str(&self.japanese[rank]);
                text.push_str(PARTICLES[self.draw.rank(PARTICLES.len())]);
            } else {
                let rank = self.draw.rank(WORDS);
                text.push_str(&self.latin[rank]);
                text.push(' ');
            }
        }
        text
    }

    /// Some of the words that are said most.
    pub(crate) fn common(&mut self) -> String {
        let mut word = |words: usize| (self.draw.below(words), self.draw.below(2));
        let drawn: Vec<(usize, usize)> = (0..3).map(|_| word(8)).collect();
        let words = drawn
            .into_iter()
            .map(|(n, script)| if script == 0 { self.latin[n].as_str() } else { self.japanese[n].as_str() });
        words.collect::<Vec<_>>().join(" ")
    }
}

pub(crate) fn channel_id(n: usize) -> ChannelId {
    ChannelId::new(format!("C{n}"))
}

/// Two kanji, or three to five katakana.
fn japanese_word(draw: &mut Draw) -> String {
    let (first, kinds, length) =
        if draw.below(3) > 0 { (0x4e00, 900, 2) } else { (0x30a2, 70, 3 + draw.below(3)) };
    let letter = |draw: &mut Draw| u32::try_from(first + draw.below(kinds)).ok().and_then(char::from_u32);
    (0..length).filter_map(|_| letter(draw)).collect()
}
