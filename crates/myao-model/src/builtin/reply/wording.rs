//! What is said, in both languages. Whoever reads it sees by one short sign that nothing was thought up.

use jiff::civil::{Date, DateTime};
use myao_core::{memory::parse_when, ports::TalkLine, text::one_line};

use super::found_answer::Quotation;

/// The sign, at the beginning of what is quoted, and in brackets behind what we say ourselves.
const SIGN: &str = "Quoted, no model";
const SIGN_JAPANESE: &str = "引用（モデルなし）";
const OWN_SIGN: &str = "(no model)";
const OWN_SIGN_JAPANESE: &str = "（モデルなし）";

/// Words by which our own replies are recognised, those of older versions included.
pub(super) const OWN_WORDS: [&str; 8] = [
    SIGN,
    OWN_SIGN,
    SIGN_JAPANESE,
    OWN_SIGN_JAPANESE,
    "I run without a language model",
    "This may help: on ",
    "言語モデルなしで動いているので",
    "さんが近い話をしていました：「",
];

/// The language of an answer, and the day on which it is given.
#[derive(Clone, Copy)]
pub(super) struct Wording {
    pub(super) japanese: bool,
    pub(super) today: Option<Date>,
}

impl Wording {
    /// What answers, each message in a sentence with who and when, and the mark of what it rests on.
    pub(super) fn quoted(self, found: &[Quotation<'_>]) -> String {
        let sign = if self.japanese { SIGN_JAPANESE } else { SIGN };
        self.sentences(sign, found)
    }

    /// From what something is remembered that we said.
    pub(super) fn sources(self, found: &[Quotation<'_>]) -> String {
        let sign = if self.japanese {
            "こう言われていたからです（モデルなし）"
        } else {
            "Because of what was said (no model)"
        };
        self.sentences(sign, found)
    }

    fn sentences(self, sign: &str, found: &[Quotation<'_>]) -> String {
        let newest = found.first().and_then(|first| day_of(first.line)).map(|day| self.day(day));
        let said = found.iter().enumerate().map(|(at, quoted)| {
            let before = match (at, quoted.is_replaced, self.japanese, &newest) {
                (0, ..) if self.japanese => format!("{sign}："),
                (0, ..) => format!("{sign} — "),
                (_, true, true, Some(day)) => format!("{day}までは："),
                (_, true, false, Some(day)) => format!("Until {day} it was — "),
                _ => String::new(),
            };
            format!("{before}{}", self.sentence(quoted))
        });
        said.collect::<Vec<_>>().join("\n")
    }

    fn sentence(self, Quotation { line, words, .. }: &Quotation<'_>) -> String {
        let name = one_line(&line.name);
        let mark = line.mark.as_ref().map(|mark| format!(" [{mark}]")).unwrap_or_default();
        let when = day_of(line).map(|day| self.day(day)).unwrap_or_default();
        match (self.japanese, name.is_empty()) {
            (true, false) => format!("{when}、{name}さん「{words}」{mark}"),
            (true, true) => format!("{when}「{words}」{mark}"),
            (false, false) => format!("{name} on {when}: “{words}”{mark}"),
            (false, true) => format!("on {when}: “{words}”{mark}"),
        }
    }

    /// A day, with its year if that is another than today's.
    fn day(self, day: Date) -> String {
        let is_same_year = self.today.is_none_or(|today| today.year() == day.year());
        let format = match (self.japanese, is_same_year) {
            (true, true) => "%-m月%-d日",
            (true, false) => "%Y年%-m月%-d日",
            (false, true) => "%-d %B",
            (false, false) => "%-d %B %Y",
        };
        day.strftime(format).to_string()
    }

    /// That nothing answers. `asked` is a message that asked the same and got no answer.
    pub(super) fn unknown(self, asked: Option<&TalkLine>) -> String {
        let Some(asked) = asked else {
            return if self.japanese {
                "わかりません（モデルなし）。そう言っている人が見つかりませんでした。".to_owned()
            } else {
                "I don't know (no model): I found nobody who said that.".to_owned()
            };
        };
        let name = one_line(&asked.name);
        let mark = asked.mark.as_ref();
        let mark = mark.map(|mark| format!(" [{mark}]")).unwrap_or_default();
        let when = day_of(asked).map(|day| self.day(day)).unwrap_or_default();
        if self.japanese {
            format!(
                "わかりません（モデルなし）。{when}に{name}さんも聞いていますが、答えが見つかりませんでした。{mark}"
            )
        } else {
            format!(
                "I don't know (no model): {name} asked that on {when}, and I found no answer to it.{mark}"
            )
        }
    }

    /// Who we are.
    pub(super) fn own_name(self, name: &str) -> String {
        if self.japanese {
            format!(
                "{name}です。ここの会話を読んで覚えていて、聞かれたら、言われたことを引用して答えます（モデルなし）。"
            )
        } else {
            format!(
                "I'm {name}. I read along here, remember what was said, and answer by quoting it (no model)."
            )
        }
    }

    /// What we can do.
    pub(super) fn abilities(self) -> String {
        let words = if self.japanese {
            "誰が、いつ、どこで、いくらで、なぜ、と聞いてください。言われたことを探して、誰がいつ言ったかと一緒に引用します。「…って覚えておいて」と言えばメモに残します（モデルなし）。"
        } else {
            "Ask me who, when, where, how much or why: I look up what was said and quote it, with who said it and when. Say “remember that …” and I keep a memo (no model)."
        };
        words.to_owned()
    }

    /// That nothing is forgotten by talking, and where it is done.
    pub(super) fn nothing_forgotten(self) -> String {
        let words = if self.japanese {
            "話しかけられても、わたしは何も消しません（モデルなし）。メッセージを削除すれば、わたしの記憶からもすぐ消えます。跡形もなく忘れさせるのは、管理している人の `myao forget` です。"
        } else {
            "I removed nothing: I forget nothing on being told in talk (no model). Delete the message, and it leaves my memory at once; whoever runs me makes me forget for good with `myao forget`."
        };
        words.to_owned()
    }

    /// That something was noted.
    pub(super) fn noted(self, words: &str) -> String {
        if self.japanese {
            format!("メモしました（モデルなし）：「{words}」")
        } else {
            format!("Noted (no model): “{words}”")
        }
    }

    /// That something could not be noted, and why.
    pub(super) fn not_noted(self, why: &str) -> String {
        if self.japanese {
            format!("メモできませんでした（モデルなし）：{why}")
        } else {
            format!("I could not note that (no model): {why}")
        }
    }

    /// That there is nothing to be noted.
    pub(super) fn nothing_to_note(self) -> String {
        if self.japanese {
            "何を覚えればよいですか（モデルなし）。「…って覚えておいて」と書いてください。".to_owned()
        } else {
            "What shall I remember (no model)? Write “remember that …”.".to_owned()
        }
    }

    /// That nothing was said that could have a source.
    pub(super) fn no_sources(self) -> String {
        if self.japanese {
            "わかりません（モデルなし）。ここでは、出どころを示せることをまだ何も言っていません。".to_owned()
        } else {
            "I don't know (no model): I have said nothing here that has a source.".to_owned()
        }
    }
}

/// The day on which a line was said, as the prompt shows it.
pub(super) fn day_of(line: &TalkLine) -> Option<Date> {
    parse_when(&line.when).map(DateTime::date)
}
