//! What answers an entry of a message's menu or a form: in a window of its own, or where that cannot be opened as commands
//! are answered.

use myao_slack::{
    interaction::{FORGET_SHORTCUT, REMEMBER_SHORTCUT, WHY_SHORTCUT},
    modal::{Modal, ModalForm},
    private_answer::{AnswerLine, PrivateAnswer},
};

use super::{
    context::Commands,
    correct::{CORRECT_FORM, place_of_button},
};

/// What answers an entry of a message's menu or a form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Screen {
    /// What the window is called.
    pub title: String,
    /// What it says. A button of it is shown where there is no window.
    pub answer: PrivateAnswer,
    /// What can be sent from the window.
    pub form: Option<ModalForm>,
    /// What is said besides where there is no window.
    pub without_window: Option<String>,
}

impl Screen {
    /// A screen that says something.
    pub const fn of(title: String, answer: PrivateAnswer) -> Self {
        Self { title, answer, form: None, without_window: None }
    }

    /// The screen as an answer where there is no window.
    pub fn into_answer(self) -> PrivateAnswer {
        let mut answer = self.answer;
        answer.lines.extend(self.without_window.map(AnswerLine::of));
        answer
    }
}

impl Commands<'_> {
    /// A screen as a window.
    pub fn window_of(&self, screen: &Screen) -> Modal {
        Modal {
            title: screen.title.clone(),
            lines: screen.answer.lines.clone(),
            form: screen.form.clone(),
            close: self.phrase("window-close").to_owned(),
        }
    }

    /// What a window shows until its answer is there.
    pub fn window_to_fill(&self, name: &str) -> Modal {
        Modal {
            title: self.title_of(name),
            lines: vec![AnswerLine::of(self.phrase("window-wait"))],
            form: None,
            close: self.phrase("window-close").to_owned(),
        }
    }

    /// A screen of words alone, as an entry of a message's menu or a form of this name has it.
    pub fn screen_of_words(&self, name: &str, text: impl Into<String>) -> Screen {
        Screen::of(self.title_of(name), PrivateAnswer::of_words(text))
    }

    /// What a window is called that an entry of a message's menu opens, or in which a form is.
    pub(super) fn title_of(&self, name: &str) -> String {
        let form = name.split('/').next();
        let key = match form.unwrap_or_default() {
            _ if name == CORRECT_FORM || place_of_button(name).is_some() => "window-correct",
            WHY_SHORTCUT => "window-why",
            FORGET_SHORTCUT => "window-forget",
            REMEMBER_SHORTCUT => "window-remember",
            // Of an older or newer version.
            _ => "window-other",
        };
        self.phrase(key).to_owned()
    }
}
