//! The reasons of journal entries, in the language of the page. The journal keeps our own reasons in English, as
//! `myao memory log` and exports show them. A reason that a person gave is shown as it was given.

use std::borrow::Cow;

use myao_core::text::Language;

/// Our reasons without numbers, each with its Japanese translation.
const WHOLE: [(&str, &str); 5] = [
    ("the chapter was closed", "章が閉じたため"),
    ("the window moved on", "期間が先へ進んだため"),
    ("the thread went on", "スレッドが続いたため"),
    ("written by hand", "人が書いたもの"),
    ("taken over from a database of myao2", "myao2のデータベースから引き継いだもの"),
];
/// What we add to a reason when something was unusual, with its Japanese translation.
const ADDED: [(&str, &str); 2] = [
    (
        "; builtin wrote it since the model's texts were not accepted",
        "。モデルの文章を受け取れなかったので、builtinが書きました",
    ),
    (
        "; cut, since the model wrote far more than it was asked to, twice",
        "。モデルの文章が二度とも長すぎたので、途中で切りました",
    ),
];

/// A reason in the language of the page.
pub(crate) fn reason(language: Language, reason: &str) -> Cow<'_, str> {
    match language {
        Language::En => Cow::Borrowed(reason),
        Language::Ja => in_japanese(reason).map_or(Cow::Borrowed(reason), Cow::Owned),
    }
}

/// A reason in quotation marks.
pub(crate) fn quoted_reason(language: Language, why: &str) -> String {
    let shown = reason(language, why);
    match language {
        Language::En => format!("“{shown}”"),
        Language::Ja => format!("「{shown}」"),
    }
}

fn in_japanese(reason: &str) -> Option<String> {
    let (why, added) = ADDED
        .iter()
        .find_map(|(english, japanese)| Some((reason.strip_suffix(english)?, *japanese)))
        .unwrap_or((reason, ""));
    let whole = WHOLE.iter().find(|(english, _)| *english == why).map(|(_, japanese)| (*japanese).to_owned());
    Some(whole.or_else(|| numbered(why))? + added)
}

fn numbered(why: &str) -> Option<String> {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let waiting = |rest: &str| match rest.split_once(" to ") {
        Some((first, last)) if is_number(first) && is_number(last) => {
            Some(format!("章{first}〜{last}が待っていたため"))
        }
        Some(_) | None => is_number(rest).then(|| format!("章{rest}が待っていたため")),
    };
    if let Some(rest) = why.strip_prefix("chapters ").and_then(|rest| rest.strip_suffix(" were waiting")) {
        return waiting(rest);
    }
    if let Some(rest) = why.strip_prefix("chapter ").and_then(|rest| rest.strip_suffix(" was waiting")) {
        return waiting(rest);
    }
    if let Some(changed) = why.strip_suffix(" channels' memories changed") {
        return is_number(changed).then(|| format!("{changed}チャンネルの記憶が変わったため"));
    }
    let entry = why.strip_prefix("back to entry ")?;
    is_number(entry).then(|| format!("記録{entry}に戻したもの"))
}
