//! The effort of a model's thinking (`reasoning_effort`).

/// An effort as a word, or as a number of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effort {
    None,
    Minimal,
    Low,
    Medium,
    High,
    XHigh,
    Max,
    Tokens(u32),
}

impl Effort {
    /// Parses the value of a configuration.
    pub(super) fn read(text: &str) -> Option<Self> {
        Some(match text.to_lowercase().as_str() {
            "none" | "zero" => Self::None,
            "minimal" => Self::Minimal,
            "low" => Self::Low,
            "medium" => Self::Medium,
            "high" => Self::High,
            "xhigh" => Self::XHigh,
            "max" => Self::Max,
            tokens => Self::Tokens(tokens.parse().ok()?),
        })
    }

    /// OpenAI's word for it; `None` for a number of tokens.
    pub(super) const fn word(self) -> Option<&'static str> {
        match self {
            Self::None => Some("none"),
            Self::Minimal => Some("minimal"),
            Self::Low => Some("low"),
            Self::Medium => Some("medium"),
            Self::High => Some("high"),
            Self::XHigh => Some("xhigh"),
            Self::Max => Some("max"),
            Self::Tokens(_) => None,
        }
    }
}
