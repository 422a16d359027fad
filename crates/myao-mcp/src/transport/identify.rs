//! Who shows which token.

use std::sync::Arc;

use axum::http::request::Parts;
use futures::future::BoxFuture;
use myao_core::chat::AgentToken;
use rmcp::model::Extensions;

/// Nobody can tell now whose token it is: the database does not answer. Whoever looked has logged why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("nobody can tell now whose token it is")]
pub struct CannotTell;

/// Whose token a secret is. `None` when it is nobody's, or was revoked.
pub type Identified = Result<Option<AgentToken>, CannotTell>;

/// Looks up whose token a secret is. It is asked at each request, so that a token can be revoked at once.
pub type Identify = Arc<dyn Fn(String) -> BoxFuture<'static, Identified> + Send + Sync>;

/// An [`Identify`] from an async closure.
pub fn identify_with<Looking>(look_up: impl Fn(String) -> Looking + Send + Sync + 'static) -> Identify
where
    Looking: Future<Output = Identified> + Send + 'static,
{
    Arc::new(move |secret| Box::pin(look_up(secret)))
}

/// Who makes a request, by the extensions of its context. `None` where no transport of ours brought it.
pub fn token_of(extensions: &Extensions) -> Option<&AgentToken> {
    let over_http = || extensions.get::<Parts>().and_then(|parts| parts.extensions.get());
    extensions.get().or_else(over_http)
}
