//! Detects a text that refuses in words, or that asks for what the model should have read.
//!
//! A model refuses in the first person, at once and to whoever asked. People refuse like that, too, and memories quote
//! them. So an entry of a list only counts if it is the only line of the text, and what is told of somebody never
//! counts.

use super::lines::{first_sentence, without_bullet, words_of_list};

/// How many sentences are looked at: a refusal comes at once, behind an apology or an acknowledgement at most.
const MOST_SENTENCES: usize = 3;

/// How clear a sentence has to be to count as a refusal.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RefusalEvidence {
    /// The sentence begins the answer: an apology and an inability are enough.
    Manner,
    /// The sentence could be quoted: it also has to speak of summarising, helping or the request.
    Task,
}

/// Whether `text` refuses.
pub(super) fn refuses_to_answer(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let Some(first) = lines.next() else { return false };
    if let Some(entry) = without_bullet(first) {
        return lines.next().is_none() && declines_with_evidence(entry, RefusalEvidence::Task);
    }
    let prose = text.lines().take_while(|line| without_bullet(line).is_none());
    let sentences = prose.flat_map(sentences_of_line).take(MOST_SENTENCES);
    let proofs = std::iter::once(RefusalEvidence::Manner).chain(std::iter::repeat(RefusalEvidence::Task));
    sentences.zip(proofs).any(|(sentence, proof)| declines_with_evidence(sentence, proof))
}

fn sentences_of_line(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line.trim();
    std::iter::from_fn(move || {
        let (said, behind) = first_sentence(rest);
        rest = behind;
        (!said.is_empty()).then_some(said)
    })
}

fn declines_with_evidence(sentence: &str, proof: RefusalEvidence) -> bool {
    let is_quoted = sentence.contains(['「', '『', '"', '“']);
    !is_quoted && (declines_in_japanese(sentence, proof) || declines_in_english(sentence, proof))
}

/// How a sentence ends in which the speaker tells somebody that they cannot do it. One about somebody else ends
/// otherwise (できなかった, と断った).
const UNABLE: &str = "\
    ません|ませんが|ませんでした|かねます|控えさせていただきます|控えます|お断りします|\
    お断りいたします";
const SORRY: &str = "\
    大変申し訳|誠に申し訳|まことに申し訳|本当に申し訳|申し訳|もうしわけ|すみません|すいません|\
    ごめんなさい|お役に立て";
const REGRET: &str = "残念ながら|あいにく|恐れ入り|恐縮|せっかく";
/// What a model calls itself.
const SELF: &str = "AIとして|AIアシスタント|言語モデル|AIなので";
/// Words for what was asked for.
const WISH: &str = "\
    要約|お手伝い|お応え|お答え|応じ|ご要望|ご依頼|リクエスト|ご質問|まとめる|ご提供|貼り付け|\
    提供されて";
/// Beginnings of a sentence that speaks of the request itself.
const REQUEST: &str =
    "私は|私には|この|その|ご|お|会話|要約|メッセージ|内容|提供|入力|テキスト|まとめる|与えられた";

/// Reasons for not doing it.
const POLICY: &str = "不適切|ポリシー|ガイドライン|利用規約|方針に反|個人情報|センシティブ";
/// What a model asks for instead, and how.
const SOURCES: &str = "会話|メッセージ|内容|テキスト|ログ|文章";
const GIVE: &str = "貼り付け|ご提供|提供して|共有して|入力して|お送り|送って";

fn declines_in_japanese(sentence: &str, proof: RefusalEvidence) -> bool {
    let said: String = sentence.chars().filter(|c| !c.is_whitespace()).collect();
    let said = said.trim_end_matches(['。', '！', '!', '…', '.', '、', '？']);
    let has = |list: &str| words_of_list(list).any(|word| said.contains(word));
    if said.ends_with("ください") && has(SOURCES) && has(GIVE) {
        return true;
    }
    if !words_of_list(UNABLE).any(|end| said.ends_with(end)) {
        return false;
    }
    let begins = |list: &str| words_of_list(list).any(|word| said.starts_with(word));
    let wishes = has(WISH);
    let is_self = has(SELF);
    match proof {
        RefusalEvidence::Manner if begins(SORRY) || is_self => true,
        RefusalEvidence::Manner if has(POLICY) => wishes,
        RefusalEvidence::Manner | RefusalEvidence::Task => {
            wishes && (begins(SORRY) || begins(REGRET) || begins(REQUEST) || is_self)
        }
    }
}

const APOLOGIES: &str = "\
    i'm sorry|i am sorry|sorry|i'm afraid|i am afraid|i apologize|i apologise|my apologies|apologies|\
    unfortunately|regrettably|i understand";
const CANNOT: &str = "\
    i can't|i cannot|i can not|i'm unable|i am unable|i'm not able|i am not able|i won't|i will not|\
    i must decline|i have to decline|i couldn't|i could not|i don't|i do not|i'm not comfortable|\
    i am not comfortable";
const ASKED: &str = "\
    help|assist|summari|comply|fulfil|request|answer|respond|do that|do this|continue|process|engage|\
    generate|create|complete|discuss|feel comfortable|support|provide|produce|have access|see any|\
    have any|have enough|conversation";
const MACHINE: &str = "\
    i am just an ai|as an ai|as a language model|as a large language model|as an artificial|i'm an ai|\
    i am an ai|i'm just an ai";
const BEG: &str = "\
    there is no conversation|there's no conversation|there are no messages|there is nothing to|\
    no messages|please provide the|please share the|please paste|could you|can you provide|\
    can you share|it looks like you|it seems you|you haven't provided|no conversation";
const GIVEN: &str = "conversation|messages|transcript|chat log|the text|content you|summari|share them";
/// What a model speaks of when it refuses what it was shown.
const SUBJECT: &str =
    "this request|this content|this conversation|your request|the content|the conversation contains";
/// Verbs that attribute words to somebody.
const TOLD: &str = "said|says|wrote|asked|told|replied";

fn declines_in_english(sentence: &str, proof: RefusalEvidence) -> bool {
    // With a space in front, so that words are found by their beginning.
    let said = format!(" {}", sentence.trim().to_lowercase().replace('’', "'"));
    let begins = |list: &str| words_of_list(list).any(|word| said.trim_start().starts_with(word));
    let has = |list: &str| words_of_list(list).any(|word| said.contains(&format!(" {word}")));
    if has(TOLD) {
        return false;
    }
    if begins(BEG) && has(GIVEN) {
        return true;
    }
    let is_unable = has(CANNOT) || (has("your request|this request") && has("can't|cannot|not possible"));
    match proof {
        RefusalEvidence::Manner if begins(MACHINE) => {
            is_unable || (begins("i") && has("can't|cannot|unable"))
        }
        RefusalEvidence::Manner if begins(APOLOGIES) => is_unable,
        RefusalEvidence::Manner => is_unable && has(ASKED) && (begins(CANNOT) || begins(SUBJECT)),
        RefusalEvidence::Task => {
            is_unable && has(ASKED) && (begins(MACHINE) || begins(APOLOGIES) || begins(CANNOT))
        }
    }
}
