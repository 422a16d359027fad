//! Turns a context into the text of a prompt, within a budget.
//!
//! [`talk_lines`] writes talk down, [`Templates`] fill in the prompt files, [`estimate_tokens`] says how many tokens a
//! text costs, and [`Composer`] decides what the prompt of a [`PromptTask`] has room for.

mod allocation;
mod around;
mod asked;
mod citations;
mod clip;
mod compose;
mod conversation;
mod cut;
mod exchanges;
mod excuse;
mod found_line;
mod fragments;
mod held_lines;
mod hidden;
mod images;
mod linked_pages;
mod newest_lines;
mod people;
mod prices;
mod recall_lines;
mod recall_marks;
mod recalled;
mod repeated;
mod secrets;
mod selection;
mod talk;
mod task;
mod templates;
mod terminal_codes;
mod tokens;
mod view;

use crate::ports::{Request, Turn};

pub use allocation::OTHERS_SHARE;
pub use citations::{cited_marks, with_citations};
pub use clip::clip;
pub use compose::{ComposeError, Composer, Prompt, REPLY_TOKENS, VERDICT_TOKENS};
pub use cut::cut;
pub use excuse::{Excuse, not_let};
pub use found_line::found_line;
pub use fragments::Fragments;
pub use held_lines::LEAST_LINE_TOKENS;
pub(crate) use hidden::is_invisible;
pub use hidden::{hidden_in, without_hidden};
pub use images::MOST_IMAGES;
pub use linked_pages::{LinkedPage, PageExcerpt, hidden_note, linked_pages, quoted};
pub use people::{AboutPerson, PeopleMaterial};
pub use recall_lines::RecallLine;
pub use recall_marks::RecallMarks;
pub use recalled::{RecalledItem, RecalledWords, Recollections, ShownRecall};
pub use secrets::{MASK_BEGINS, masked, secret_kinds, secret_rules};
pub use selection::{Item, LeftOut};
pub use talk::{MESSAGE_LIMIT, TalkFormat, label, line_text, moment, talk_lines, talk_text};
pub(crate) use talk::{body, hanging};
pub use task::PromptTask;
pub use templates::{TemplateError, Templates};
pub use terminal_codes::without_codes;
pub use tokens::{IMAGE_TOKENS, estimate_request, estimate_tokens};
pub(crate) use view::channel_label;

/// A language prompts are written in (`locale.language`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// Japanese.
    Ja,
    /// English.
    En,
}

stored_names!(Language, "language of the prompts (there are: ja, en)", {
    Ja => "ja",
    En => "en",
});

/// Asks a model whose answer was cut off to write it again within `tokens` (specification §2.2 Guard).
pub fn ask_shorter(language: Language, tokens: u32) -> String {
    match language {
        Language::Ja => {
            format!(
                "途中で切れています。{tokens}トークン以内に収まるように、もっと短く、はじめから書き直してください。"
            )
        }
        Language::En => {
            format!("That was cut off. Write it again from the beginning, shorter, within {tokens} tokens.")
        }
    }
}

/// Asks a model that has used up its tool calls to answer now (specification §4).
pub fn ask_without_tools(language: Language) -> String {
    match language {
        Language::Ja => {
            "ここからはツールを使えません。これまでに分かったことで、いま答えてください。".to_owned()
        }
        Language::En => "No more tools can be used now. Answer with what you have found so far.".to_owned(),
    }
}

/// How many tokens are shown of an answer that cannot be read as data; `PROBLEM_TOKENS` is the same for the parser's
/// message.
const SHOWN_TOKENS: usize = 200;
const PROBLEM_TOKENS: usize = 100;

/// The same request once more, after an `answer` that cannot be read as data; `problem` is the parser's message. The
/// new request is at most 400 tokens longer than the first, however long the answer is.
pub fn repaired(request: &Request, answer: &str, problem: &str) -> Request {
    let mut again = request.clone();
    let text = cut(answer, SHOWN_TOKENS, request.language);
    let problem = cut(problem, PROBLEM_TOKENS, request.language);
    again.turns.push(Turn::Assistant { text, calls: Vec::new(), thoughts: Vec::new() });
    again.turns.push(Turn::User(ask_again_for_data(request.language, &problem)));
    again
}

fn ask_again_for_data(language: Language, problem: &str) -> String {
    match language {
        Language::Ja => format!(
            "この答えは読み取れませんでした（{problem}）。求められた形の JSON オブジェクトだけを、前後に何も書かずに、もう一度出力してください。"
        ),
        Language::En => format!(
            "This answer could not be read ({problem}). Give the JSON object that was asked for once more, and \
             nothing before or after it."
        ),
    }
}
