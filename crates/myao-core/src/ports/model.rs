//! The port to a language model.

use super::{clock::BoxFuture, model_error::ModelError, request::Request, response::Response};

/// Is told the beginning of an answer that is still being written, as far as it is certain: longer each time, until the
/// answer is begun anew.
pub type ShowWords<'a> = dyn Fn(&str) + Send + Sync + 'a;

/// A language model: text in, text out.
pub trait Model: Send + Sync {
    /// The longest that one call may take; zero for one that takes no time to speak of.
    fn time_limit(&self) -> std::time::Duration {
        std::time::Duration::ZERO
    }
    /// The `provider/model` it is recorded under; [`BUILTIN`] for the one that needs no provider.
    fn id(&self) -> &str;
    /// How many tokens the answer may have at most; they are reserved for it. It is twice the target
    /// (specification §2.2), unless the model's own settings say otherwise, plus what the request adds.
    fn output_limit(&self, request: &Request) -> u32 {
        request.target_tokens.saturating_mul(2).saturating_add(request.extra_tokens)
    }
    /// Makes one call, without trying again.
    ///
    /// # Errors
    /// Any [`ModelError`].
    fn ask<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Response, ModelError>>;
    /// The same, and tells while the answer is written what of it is certain. A model that cannot do so, or of which it is
    /// not known whether what it writes first are its thoughts, tells nothing.
    ///
    /// # Errors
    /// Any [`ModelError`]. What was told before is then no answer.
    fn ask_and_show<'a>(
        &'a self,
        request: &'a Request,
        _show: &'a ShowWords<'a>,
    ) -> BoxFuture<'a, Result<Response, ModelError>> {
        self.ask(request)
    }
}

/// The id of the model that needs no provider.
pub const BUILTIN: &str = "builtin";
