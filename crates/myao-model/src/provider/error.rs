//! The errors of setting up a provider, worded for the person who wrote the configuration.

/// How similar two names must be for one to be suggested for the other; 1 is the same.
const ALIKE: f64 = 0.8;

/// Why a provider cannot be set up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProviderError {
    /// There is no such provider.
    #[error(
        "there is no provider `{name}`{suggestion}; known are {known}. Any server that speaks OpenAI's \
         protocol works as openai/<model> with client_args.api_base"
    )]
    Unknown {
        /// The name in the configuration.
        name: String,
        /// `: did you mean …?`, or nothing.
        suggestion: String,
        /// The names of all providers.
        known: String,
    },
    /// It needs a key, and there is none.
    #[error("{provider} needs a key: set client_args.api_key, usually to ${{{variable}}}")]
    KeyMissing {
        /// The provider.
        provider: &'static str,
        /// The environment variable that usually holds the key; it is not read here.
        variable: &'static str,
    },
    /// The key is malformed.
    #[error("client_args.api_key holds characters that no key has, such as a line break")]
    KeyMalformed,
    /// It needs an address, which only the owner knows.
    #[error("{provider} needs client_args.api_base: {example}")]
    BaseMissing {
        /// The provider.
        provider: &'static str,
        /// What to write there.
        example: &'static str,
    },
    /// The address is malformed.
    #[error("client_args.api_base is no address of a server: {0}")]
    BaseMalformed(String),
    /// One of `params` has a wrong value.
    #[error("params.{key} has to be {wanted}")]
    Param {
        /// The parameter.
        key: String,
        /// The values allowed.
        wanted: &'static str,
    },
    /// The HTTP client could not be made.
    #[error("the HTTP client cannot be set up: {0}")]
    Client(String),
}

impl ProviderError {
    pub(super) fn unknown(name: &str, known: &[&str]) -> Self {
        let score = |known: &&str| strsim::jaro_winkler(&name.to_lowercase(), known);
        let nearest = known.iter().max_by(|a, b| score(a).total_cmp(&score(b)));
        let suggestion = nearest
            .filter(|known| score(known) >= ALIKE)
            .map_or_else(String::new, |known| format!(": did you mean `{known}`?"));
        Self::Unknown { name: name.to_owned(), suggestion, known: known.join(", ") }
    }
}
