//! How much a model is to think (`reasoning_effort`).

/// In words, or as a number of tokens.
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
    /// Reads what a configuration says.
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

    /// OpenAI's word for it; a number of tokens has none.
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
