//! Recognises sentences that can be a question, and texts that can be an answer.

use myao_core::{
    text::fold_for_comparison,
    worth::{
        has_number, is_question, is_said, weight_of_text, without_address, words_about_matter, words_of_list,
        words_with_spaces,
    },
};

use super::{judge::is_soft, sentences};

/// The least weight of a question: it has to say what it is about.
const LEAST_WEIGHT: i64 = 4;

/// Thanks, greetings and wishes for help, which are no answers. Japanese ones are parts of a text, English ones whole
/// words.
const JAPANESE_NO_ANSWER: &str = "\
    ありがと, 有難う, 感謝, 助かりました, 了解, 承知しました, なるほど, わかりました, 分かりました, \
    同じ問題, 同じ現象, 同じエラー, 同じ状況, 同じく, 私も, 僕も, 自分も, うちも, 俺も, 困って, 教えてほし, \
    教えて欲し, 教えてくださ, わからない, 分からない, わかりません, 分かりません";
const ENGLISH_NO_ANSWER: &str = "\
    thanks, thank you, thx, ty, cheers, never mind, nevermind, nvm, same problem, same issue, same error, \
    same here, same thing here, me too, i also, i'm having, im having, i am having, i'm getting, im getting, \
    i am getting, i get, i still, i can't, i cant, i cannot, i tried, i did, my problem, help me, i don't know, \
    i dont know, dunno, no idea, not sure, no clue, i'm sorry to, im sorry to, your question, your problem, private message, pm, \
    don't flood, rephrase, the channel, don't understand, dont understand, not understanding, real question, \
    real issue, ask your, just ask, please ask, use nicks, please don't, be patient, google, need help, can't help, \
    cant help, join me";
/// Beginnings of replies that hesitate rather than answer.
const HESITATIONS: &str = "うーん, うーむ, えーと, えっと, んー, さあ, はて, eh, hm, hmm, hmmm, huh, uh, um, umm, er, erm, well dunno";
/// Beginnings of an answer to a yes-or-no question.
const YES_OR_NO: &str = "\
    はい, いえ, いや, いいえ, うん, ええ, そう, ない, なし, あり, まだ, もう, yes, yep, yeah, yup, no, nope, not, nah, \
    sure, correct, right, unfortunately";
/// Beginnings of English sentences that ask back without a question mark.
const ASKING: &str = "\
    how, what, which, where, why, who, when, whose, is, are, was, were, do, does, did, can, could, would, \
    have you, has, any, so what, so how, and what, and how, or is, but what, but how";
/// Words of questions that ask for a number or a time.
const JAPANESE_NUMBERS: &str =
    "いくら, いくつ, いつ, 何時, 何日, 何月, 何曜, 何歳, 何人, 何回, 何個, 何円, 何年";
const ENGLISH_NUMBERS: &str =
    "how much, how many, how long, how old, what time, what date, which day, which date";
/// Ends of sentences that ask back in a soft way.
const ASKS_BACK: &str =
    "ですかね, ますかね, でしょうかね, ってことか, んですかね, ましたっけ, でしたっけ, かしら, のかな, 何か";

/// The questions in a text.
pub(super) fn questions_in_text(text: &str) -> Vec<String> {
    let sentences = sentences::split_into_sentences(text).into_iter().map(sentences::sentence_as_read);
    sentences
        .filter(|s| is_question(s) && !is_exclamation(s) && !is_soft(s) && weight_of_text(s) >= LEAST_WEIGHT)
        .collect()
}

/// Whether a text tells something and neither asks, thanks nor complains.
pub(super) fn is_reply(text: &str) -> bool {
    let folded = fold_for_comparison(text);
    let english = words_with_spaces(&folded);
    let no_answer = words_of_list(JAPANESE_NO_ANSWER).any(|word| folded.contains(word))
        || words_of_list(ENGLISH_NO_ANSWER).any(|word| english.contains(&format!(" {word} ")));
    let sentences = sentences::split_into_sentences(text);
    let asks =
        |sentence: &&str| is_question(sentence) || ends_with(sentence, ASKS_BACK) || asks_first(sentence);
    // `!grub | ann` is a command to a bot.
    let no_answer =
        no_answer || folded.contains(" | ") || without_address(&folded).trim_start().starts_with('!');
    let no_answer = no_answer || begins_with(&folded, HESITATIONS);
    !no_answer && !sentences.iter().any(asks) && sentences.iter().any(|s| is_said(s))
}

/// How many words a text shares with the questions.
pub(super) fn shared_words(text: &str, questions: &[String]) -> usize {
    let folded = fold_for_comparison(text);
    let asked = fold_for_comparison(&questions.join("\n"));
    words_about_matter(&folded).intersection(&words_about_matter(&asked)).count()
}

/// Whether one of the questions asks for a number or a time, and the text gives one.
pub(super) fn answers_with_number(text: &str, questions: &[String]) -> bool {
    let asked = fold_for_comparison(&questions.join("\n"));
    let english = words_with_spaces(&asked);
    let asks_number = words_of_list(JAPANESE_NUMBERS).any(|word| asked.contains(word))
        || words_of_list(ENGLISH_NUMBERS).any(|word| english.contains(&format!(" {word} ")));
    asks_number && has_number(&without_names(&fold_for_comparison(text)))
}

/// A text without names that hold a digit: the 6 of `v6` is no number.
fn without_names(folded: &str) -> String {
    let is_name = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_alphabetic()) && word.contains(|c: char| c.is_ascii_digit())
    };
    let mut rest = String::with_capacity(folded.len());
    for run in folded.split_inclusive(|c: char| !c.is_ascii_alphanumeric()) {
        let word = run.trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
        rest.push_str(if is_name(word) { run.strip_prefix(word).unwrap_or(run) } else { run });
    }
    rest
}

/// Whether a text begins with yes or no.
pub(super) fn is_verdict(text: &str) -> bool {
    begins_with(&fold_for_comparison(text), YES_OR_NO)
}

/// Whether a text, without the name it addresses, begins with one of these words.
fn begins_with(folded: &str, list: &'static str) -> bool {
    let first = without_address(folded).trim_start();
    let first = match first.split_once("さん、") {
        Some((name, after)) if !name.contains(char::is_whitespace) => after.trim_start(),
        Some(_) | None => first,
    };
    let english = words_with_spaces(first);
    words_of_list(list).any(|word| {
        let is_english = word.is_ascii();
        (is_english && english.starts_with(&format!(" {word} "))) || (!is_english && first.starts_with(word))
    })
}

/// Whether an English sentence begins like a question, with or without a question mark.
fn asks_first(sentence: &str) -> bool {
    let folded = fold_for_comparison(sentence);
    let english = words_with_spaces(without_address(&folded));
    words_of_list(ASKING).any(|word| english.starts_with(&format!(" {word} ")))
}

fn ends_with(sentence: &str, list: &'static str) -> bool {
    let folded = fold_for_comparison(sentence);
    let end = folded.trim_end_matches(|c: char| c.is_whitespace() || "。.!?…・♪w笑".contains(c));
    words_of_list(list).any(|word| end.ends_with(word))
}

/// Whether a sentence is an exclamation or a thought rather than a question, even with a question mark.
fn is_exclamation(sentence: &str) -> bool {
    sentence.trim_end().ends_with(['!', '！']) || ends_with(sentence, "なのか")
}
