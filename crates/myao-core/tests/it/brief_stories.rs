//! Stories of people who were away and ask what they missed: the talk, the question, and what the brief has to hold. They
//! were written before the rules; a third of each language was held out until these stood.

use jiff::{Timestamp, tz::TimeZone};
use myao_core::{
    chat::{ChannelId, Message, MessageKind, MessageTs, UserId},
    recall::brief::{BriefTalk, BriefWish, last_here},
    text::Language,
};

/// Somebody says something, so many minutes after the beginning; in a thread of the message with this number, if any.
type Said = (i64, &'static str, &'static str, Option<usize>);

#[derive(Clone, Copy)]
struct Story {
    language: Language,
    is_held_out: bool,
    /// Who asks, and what they are called.
    me: (&'static str, &'static str),
    said: &'static [Said],
    /// When they ask, in minutes, and what.
    question: (i64, &'static str),
    /// The numbers of the messages that asked something of them, and those that decided something.
    asked: &'static [usize],
    decided: &'static [usize],
}

const MONDAY: &str = "2026-03-02T00:00:00Z";
const HOUR: i64 = 60;
const DAY: i64 = 24 * HOUR;

use Language::{En, Ja};

const fn story(
    language: Language,
    me: (&'static str, &'static str),
    said: &'static [Said],
    question: (i64, &'static str),
    asked: &'static [usize],
    decided: &'static [usize],
) -> Story {
    Story { language, is_held_out: false, me, said, question, asked, decided }
}

const fn held_out(story: Story) -> Story {
    Story { is_held_out: true, ..story }
}

const STORIES: [Story; 20] = [
    story(
        En,
        ("U1", "Noor"),
        &[
            (0, "U1", "I am off until Wednesday, see you", None),
            (HOUR, "U2", "We decided to count the bats at Millbrook on Friday", None),
            (2 * HOUR, "U3", "<@U1> can you bring the detectors?", None),
            (3 * HOUR, "U2", "lovely weather today", None),
        ],
        (2 * DAY, "what did I miss?"),
        &[2],
        &[1],
    ),
    story(
        En,
        ("U1", "Noor"),
        &[
            (0, "U1", "good night", None),
            (9 * HOUR, "U2", "the printer is out of paper", None),
            (9 * HOUR + 5, "U3", "haha again", None),
        ],
        (10 * HOUR, "<@UMYAO> what did I miss"),
        &[],
        &[],
    ),
    // What was answered is not asked any more.
    story(
        En,
        ("U1", "Noor"),
        &[
            (HOUR, "U2", "<@U1> could you send the permit to the council?", None),
            (2 * HOUR, "U1", "sent this morning", Some(0)),
            (DAY, "U3", "<@U1> please check the roost list before Thursday", None),
        ],
        (2 * DAY, "brief me since Monday"),
        &[2],
        &[],
    ),
    // Told in a thread as well as at top level.
    story(
        En,
        ("U4", "Tom"),
        &[
            (0, "U4", "back on Thursday", None),
            (HOUR, "U2", "where do we meet for the survey?", None),
            (2 * HOUR, "U3", "agreed: we meet at the old mill at 19:30", Some(1)),
            (3 * HOUR, "U2", "<@U4> thanks for the maps!", None),
        ],
        (2 * DAY, "What happened while I was away?"),
        &[],
        &[2],
    ),
    // By name, without a mention.
    story(
        En,
        ("U4", "Tom"),
        &[
            (0, "U4", "bye", None),
            (HOUR, "U2", "Tom, could you order two more detectors?", None),
            (2 * HOUR, "U3", "I saw Tom and Jerry yesterday, what a film", None),
        ],
        (DAY, "catch me up"),
        &[1],
        &[],
    ),
    // A proposal, a joke and a question decide nothing.
    story(
        En,
        ("U1", "Noor"),
        &[
            (0, "U1", "off now", None),
            (HOUR, "U2", "should we cancel the walk?", None),
            (2 * HOUR, "U3", "we decided to paint the van pink, just kidding", None),
            (3 * HOUR, "U2", "The walk on Saturday is cancelled because of the storm", None),
        ],
        (DAY, "anything I missed?"),
        &[],
        &[3],
    ),
    // Only since the day that is named.
    story(
        En,
        ("U1", "Noor"),
        &[
            (HOUR, "U2", "We agreed to hire a second surveyor", None),
            (DAY + HOUR, "U2", "We decided to postpone the lottery to May", None),
        ],
        (2 * DAY, "summary since 2026-03-03"),
        &[],
        &[1],
    ),
    held_out(story(
        En,
        ("U1", "Noor"),
        &[
            (0, "U1", "signing off", None),
            (HOUR, "U3", "Let's go with the blue leaflets for the fair", None),
            (2 * HOUR, "U2", "<@U1> which printer did we use last year?", None),
        ],
        (DAY, "fill me in, please"),
        &[2],
        &[1],
    )),
    // What one says in the same visit does not count as having been here.
    held_out(story(
        En,
        ("U1", "Noor"),
        &[
            (0, "U1", "see you tomorrow", None),
            (HOUR, "U2", "Decision: the grant goes to the new bat boxes", None),
            (DAY, "U1", "good morning all", None),
        ],
        (DAY + 5, "what did I miss?"),
        &[],
        &[1],
    )),
    held_out(story(
        En,
        ("U1", "Noor"),
        &[
            (0, "U1", "bye", None),
            (HOUR, "U2", "<@U1> you are on the list for the training", None),
            (2 * HOUR, "U3", "<@U1> <@U4> can one of you lock the shed tonight?", None),
        ],
        (DAY, "What have I missed since yesterday?"),
        &[2],
        &[],
    )),
    story(
        Ja,
        ("U1", "阿部"),
        &[
            (0, "U1", "お先に失礼します", None),
            (HOUR, "U2", "文化祭の出し物は喫茶店に決まりました", None),
            (2 * HOUR, "U3", "<@U1> 机の数を確認してもらえますか？", None),
            (3 * HOUR, "U2", "今日は暑いですね", None),
        ],
        (DAY, "不在の間に何があった？"),
        &[2],
        &[1],
    ),
    story(
        Ja,
        ("U1", "阿部"),
        &[
            (HOUR, "U2", "<@U1> 予算表を送ってください", None),
            (2 * HOUR, "U1", "送りました", Some(0)),
            (DAY, "U3", "<@U1> 会場の予約をお願いします", None),
        ],
        (2 * DAY, "月曜からのまとめ"),
        &[2],
        &[],
    ),
    story(
        Ja,
        ("U4", "井上"),
        &[
            (0, "U4", "また明日", None),
            (HOUR, "U2", "井上さん、ポスターの原稿をお願いできますか？", None),
            (2 * HOUR, "U3", "井上さんのケーキおいしかった", None),
        ],
        (DAY, "いない間に何かありましたか？"),
        &[1],
        &[],
    ),
    story(
        Ja,
        ("U1", "阿部"),
        &[
            (0, "U1", "おやすみなさい", None),
            (9 * HOUR, "U2", "おはようございます", None),
            (9 * HOUR + 1, "U3", "おはよう", None),
        ],
        (10 * HOUR, "何か見逃した？"),
        &[],
        &[],
    ),
    story(
        Ja,
        ("U1", "阿部"),
        &[
            (0, "U1", "失礼します", None),
            (HOUR, "U2", "集合は何時にしますか", None),
            (2 * HOUR, "U3", "集合は8時に変更しました", Some(1)),
        ],
        (DAY, "休んでいる間のことを教えて"),
        &[],
        &[2],
    ),
    story(
        Ja,
        ("U1", "阿部"),
        &[
            (HOUR, "U2", "会計は木村さんが担当することに決定しました", None),
            (DAY + HOUR, "U2", "打ち上げは延期になりました。延期で確定です", None),
        ],
        (2 * DAY, "3月3日からのまとめをお願い"),
        &[],
        &[1],
    ),
    story(
        Ja,
        ("U1", "阿部"),
        &[
            (0, "U1", "おつかれさまでした", None),
            (HOUR, "U3", "<@U1> ありがとうございました！", None),
            (2 * HOUR, "U2", "<@U1> 鍵はどこにありますか", None),
        ],
        (DAY, "<@UMYAO> 留守の間に何がありましたか"),
        &[2],
        &[],
    ),
    held_out(story(
        Ja,
        ("U1", "阿部"),
        &[
            (0, "U1", "では明日", None),
            (HOUR, "U2", "看板は青でいきましょう", None),
            (DAY, "U1", "おはようございます", None),
        ],
        (DAY + 3, "昨日から何があった？"),
        &[],
        &[1],
    )),
    held_out(story(
        Ja,
        ("U1", "阿部"),
        &[
            (0, "U1", "帰ります", None),
            (HOUR, "U2", "じゃんけんで負けたら中止、なんちゃって", None),
            (2 * HOUR, "U3", "雨のため土曜の散策は中止です。中止に決まりました", None),
        ],
        (DAY, "見逃したことをまとめて"),
        &[],
        &[2],
    )),
    held_out(story(
        Ja,
        ("U4", "井上"),
        &[
            (0, "U4", "お先です", None),
            (HOUR, "U2", "<@U4> <@U1> どちらか窓を閉めてもらえる？", None),
            (2 * HOUR, "U3", "<@U4> 写真見ました", None),
        ],
        (DAY, "ブリーフお願いします"),
        &[1],
        &[],
    )),
];

fn start() -> Timestamp {
    MONDAY.parse().expect("a moment")
}

fn ts(minutes: i64) -> MessageTs {
    MessageTs::from_timestamp(start()).plus_seconds(minutes * 60)
}

fn messages(story: &Story) -> Vec<Message> {
    let said = story.said.iter().map(|(minutes, user, text, thread)| Message {
        channel: ChannelId::new("C1"),
        ts: ts(*minutes),
        thread_ts: thread.map(|root| ts(story.said[root].0)),
        user: UserId::new(*user),
        kind: MessageKind::Talk,
        text: (*text).to_owned(),
        files: Vec::new(),
        edited_at: None,
        deleted: false,
    });
    said.collect()
}

/// What a story goes wrong about; `None` if it comes out right.
fn wrong(story: &Story) -> Option<String> {
    let (minutes, question) = story.question;
    let now = ts(minutes).to_timestamp();
    let Some(wish) = BriefWish::of_talk(question, now, &TimeZone::UTC) else {
        return Some(format!("not understood: {question}"));
    };
    let me = UserId::new(story.me.0);
    let all = messages(story);
    let own: Vec<MessageTs> =
        all.iter().rev().filter(|message| message.user == me).map(|message| message.ts).collect();
    let since = wish.since.or_else(|| last_here(&own, now)).unwrap_or(MessageTs::MIN);
    let span: Vec<Message> = all.iter().filter(|message| message.ts > since).cloned().collect();
    let points = BriefTalk { me: &me, name: story.me.1, messages: &span }.points();
    let numbers = |found: &[usize]| -> Vec<usize> {
        found.iter().filter_map(|nth| all.iter().position(|message| message.ts == span[*nth].ts)).collect()
    };
    let found = (numbers(&points.asked), numbers(&points.decided));
    let right = (story.asked.to_vec(), story.decided.to_vec());
    (found != right).then(|| format!("{question}: {found:?} instead of {right:?}"))
}

#[test]
fn a_brief_holds_what_was_decided_and_asked() {
    let wrong: Vec<String> = STORIES.iter().filter_map(wrong).collect();
    assert!(wrong.is_empty(), "{} of {} stories: {wrong:#?}", wrong.len(), STORIES.len());
}

#[test]
fn there_are_ten_stories_a_language_a_third_of_them_held_out() {
    for language in [En, Ja] {
        let of = STORIES.iter().filter(|story| story.language == language);
        assert_eq!((of.clone().count(), of.filter(|story| story.is_held_out).count()), (10, 3));
    }
}

/// What people say that they will do is no decision by that alone.
#[test]
fn intentions_are_no_decisions() {
    let (me, other) = (UserId::new("U1"), UserId::new("U2"));
    for (text, is_decided) in [
        ("yes! could you write down the times of what we say? we'll want them afterwards", false),
        ("We will need forty envelopes and a bag of rubber bands for that", false),
        ("Agreed, we'll take the yard and move the stalls there", true),
        ("Decided then: tracked, £166.00. I'll book it for Monday 13 April", true),
        ("文化祭の出し物は喫茶店でいきます", true),
    ] {
        let message = Message {
            channel: ChannelId::new("C1"),
            ts: ts(0),
            thread_ts: None,
            user: other.clone(),
            kind: MessageKind::Talk,
            text: text.to_owned(),
            files: Vec::new(),
            edited_at: None,
            deleted: false,
        };
        let points = BriefTalk { me: &me, name: "Noor", messages: &[message] }.points();
        assert_eq!(points.decided.len(), usize::from(is_decided), "{text}");
    }
}

/// What asks for something else is no wish for a brief.
#[test]
fn other_questions_are_left_to_others() {
    let now = ts(3 * DAY).to_timestamp();
    for text in [
        "what did I miss in the recipe?",
        "Did anybody brief the council?",
        "since Monday the printer is broken",
        "what happened to the printer?",
        "she said \"what did I miss?\"",
        "I missed the bus",
        "what happened yesterday?",
        "what was decided on Monday?",
        "昨日何があった？",
        "会議のまとめを書いたのは誰？",
        "月曜から雨です",
        "何があったら連絡する？",
        "このレシピで何か見逃した材料は？",
        "",
    ] {
        assert_eq!(BriefWish::of_talk(text, now, &TimeZone::UTC), None, "{text}");
    }
}

/// What is typed behind a command names a day: a whole text names none, however long it takes to look.
#[test]
fn a_text_is_no_day() {
    let now = ts(3 * DAY).to_timestamp();
    let told = BriefWish::of_command(&"明日の3月11〜、".repeat(1_000), now, &TimeZone::UTC);
    assert!(told.is_err_and(|words| words.starts_with("明日の") && words.chars().count() <= 120));
    assert!(BriefWish::of_command("<#C1> <#C2> since monday", now, &TimeZone::UTC).is_ok());
}
