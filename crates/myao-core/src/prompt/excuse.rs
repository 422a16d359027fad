//! The fixed sentences that say why there is no answer (specification §4); they are used when no model can write one.

use crate::text::Language;

/// Why somebody who asked gets no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Excuse {
    /// The model failed for good.
    Failed,
    /// The model, or a filter before it, will not answer this.
    Refused,
    /// The day's budget is spent.
    Budget,
    /// The person was answered as often as the limit for an hour allows.
    TooMany,
}

impl Excuse {
    /// The sentence.
    pub const fn words(self, language: Language) -> &'static str {
        match (self, language) {
            (Self::Failed, Language::Ja) => {
                "すみません、いまはお返事を用意できませんでした。しばらくしてから、もう一度声をかけてください。"
            }
            (Self::Failed, Language::En) => {
                "Sorry, I couldn't come up with an answer just now. Please ask me again in a while."
            }
            (Self::Refused, Language::Ja) => "すみません、これについてはお返事できません。",
            (Self::Refused, Language::En) => "Sorry, I can't answer this one.",
            (Self::Budget, Language::Ja) => {
                "すみません、今日話せる分を使い切ってしまいました。明日また声をかけてください。"
            }
            (Self::Budget, Language::En) => {
                "Sorry, I've used up what I may say in a day. Please ask me again tomorrow."
            }
            (Self::TooMany, Language::Ja) => {
                "たくさん話しかけてくれてありがとうございます。少し休みますね。1時間ほどしたら、また声をかけてください。"
            }
            (Self::TooMany, Language::En) => {
                "Thank you for talking with me so much! I need a short break: please ask me again in an hour or so."
            }
        }
    }
}

/// What somebody is told in a direct message whose answer may not be posted where they asked.
pub const fn not_let(language: Language) -> &'static str {
    match language {
        Language::Ja => {
            "さきほどのご質問にお返事しようとしましたが、そのチャンネルには投稿できないようになっていました。チャンネルの設定を確かめていただくか、ここでもう一度声をかけてください。"
        }
        Language::En => {
            "I had an answer to what you asked me just now, but I'm not allowed to post it in that channel. Please have \
             its settings looked at, or ask me again here."
        }
    }
}
