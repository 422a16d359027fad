//! Makes talk of scenes.

use std::collections::BTreeSet;

use fastrand::Rng;
use myao_core::{
    chat::{
        Channel, ChannelId, ChannelKind, Message, MessageKind, MessageTs, Names, User, UserId, Visibility,
    },
    text::{Language, fold_for_comparison},
    worth::ARROW,
};

use super::{
    cast::{Cast, Roles},
    english, japanese,
    scene::{Scene, SceneLine},
};

/// When the first scene begins.
const BEGINS: MessageTs = MessageTs::from_micros(1_740_992_400_000_000);
/// Seconds between two scenes, at least and at most.
const PAUSES: std::ops::Range<i64> = 60..4000;
/// Seconds from one day's last scene to the next day.
const NIGHT: i64 = 16 * 3600;
/// Scenes of a day.
const OF_A_DAY: usize = 12;
/// How long after the last message everything has paused, in seconds.
const AFTERWARDS: i64 = 3 * 3600;
/// Pieces of words that stand nowhere else.
const ENGLISH_PIECES: [&str; 12] =
    ["vel", "mor", "tan", "drik", "sul", "fen", "gar", "plo", "zir", "quab", "nid", "jor"];
const JAPANESE_PIECES: [&str; 12] =
    ["ベル", "モラ", "タン", "ドリ", "スル", "フェ", "ガロ", "プラ", "ジリ", "ヌバ", "ニド", "ヨル"];

/// A statement of made talk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnedStatement {
    /// A word that stands in this statement, and in quotations of it, alone.
    pub keyword: String,
    /// Who says it, promises it or did it, as memories call them.
    pub owner: String,
    /// The kind of scene that it stands in.
    pub kind: &'static str,
}

impl OwnedStatement {
    /// Whether a line of a memory, without bullet and date, lets nobody but the owner say it. `None` if the line does
    /// not hold the statement.
    pub fn is_in_right_mouth(&self, line: &str) -> Option<bool> {
        let folded = fold_for_comparison(line);
        let keyword = fold_for_comparison(&self.keyword);
        let part = folded.split(ARROW).find(|part| part.contains(&keyword))?;
        Some(part.contains(&fold_for_comparison(&self.owner)))
    }
}

/// Made talk, and whose statements stand in it.
#[derive(Clone, Debug)]
pub struct TalkOfOthers {
    /// Where it is said.
    pub channel: Channel,
    /// Everybody whom the workspace knows.
    pub users: Vec<User>,
    /// What is said, in order.
    pub messages: Vec<Message>,
    /// The statements.
    pub statements: Vec<OwnedStatement>,
    /// A while after the last message.
    pub now: MessageTs,
}

/// Talk of so many scenes. The same seed makes the same talk.
pub fn make_talk_of_others(language: Language, scenes: usize, seed: u64) -> TalkOfOthers {
    let all = match language {
        Language::En => english::SCENES,
        Language::Ja => japanese::SCENES,
    };
    let cast = Cast::of(language);
    let mut talk = TalkOfOthers {
        channel: Channel {
            id: ChannelId::new(format!("CWHOSE{}", language.as_str().to_uppercase())),
            name: "whose-words".to_owned(),
            kind: ChannelKind::Public,
            external: false,
        },
        users: cast.users(),
        messages: Vec::new(),
        statements: Vec::new(),
        now: BEGINS,
    };
    let names = Names::new(&talk.users, [], &Visibility::Owner);
    let mut rng = Rng::with_seed(seed);
    let mut words = UniqueWords { language, taken: BTreeSet::new() };
    for (number, scene) in all.iter().cycle().take(scenes).enumerate() {
        let night = if number > 0 && number % OF_A_DAY == 0 { NIGHT } else { 0 };
        talk.now = talk.now.plus_seconds(rng.i64(PAUSES) + night);
        let roles = cast.roles(&mut rng);
        let drawn: Vec<(&str, String)> =
            scene.owners.iter().map(|(place, _)| (*place, words.draw(&mut rng))).collect();
        add_scene(&mut talk, scene, &roles, &drawn);
        let owned = scene.owners.iter().zip(&drawn).filter_map(|((_, role), (_, keyword))| {
            let owner = roles.get(role)?;
            let known = names.knows(&owner.id);
            let owner = if known { names.user(&owner.id).to_owned() } else { owner.name.clone() };
            Some(OwnedStatement { keyword: keyword.clone(), owner, kind: scene.kind })
        });
        talk.statements.extend(owned);
    }
    talk.now = talk.now.plus_seconds(AFTERWARDS);
    talk
}

fn add_scene(talk: &mut TalkOfOthers, scene: &Scene, roles: &Roles, words: &[(&str, String)]) {
    let mut root = None;
    for SceneLine { by, after, in_thread, said } in scene.lines {
        talk.now = talk.now.plus_seconds(*after);
        let message = Message {
            channel: talk.channel.id.clone(),
            ts: talk.now,
            thread_ts: if *in_thread { root } else { None },
            user: roles.get(by).map_or_else(|| UserId::new("UNOBODY"), |user| user.id.clone()),
            kind: MessageKind::Talk,
            text: with_names_and_words(said, roles, words),
            files: Vec::new(),
            edited_at: None,
            deleted: false,
        };
        root.get_or_insert(message.ts);
        talk.messages.push(message);
    }
}

fn with_names_and_words(said: &str, roles: &Roles, words: &[(&str, String)]) -> String {
    let mut text = said.to_owned();
    for (role, user) in roles {
        text = text.replace(&format!("{{{role}}}"), &user.name);
        for sign in ["@", "~"] {
            text = text.replace(&format!("<{sign}{role}>"), &format!("<{sign}{}>", user.id));
        }
    }
    for (place, word) in words {
        text = text.replace(&format!("{{{place}}}"), word);
    }
    text
}

/// Words that stand nowhere else.
struct UniqueWords {
    language: Language,
    taken: BTreeSet<String>,
}

impl UniqueWords {
    fn draw(&mut self, rng: &mut Rng) -> String {
        let pieces = match self.language {
            Language::En => ENGLISH_PIECES,
            Language::Ja => JAPANESE_PIECES,
        };
        loop {
            let drawn = (0..3).filter_map(|_| pieces.get(rng.usize(..pieces.len())).copied());
            let word: String = drawn.collect();
            if self.taken.insert(word.clone()) {
                return word;
            }
        }
    }
}
