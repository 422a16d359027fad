//! Why a page could not be read, in words for the model that asked for it.

/// Why there is no page. It goes to the model, which tells people in its own words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FetchError {
    /// Not an address.
    #[error("this is not a web address; give it whole, beginning with https:// or http://")]
    NotAnAddress,
    /// Something else than the web.
    #[error("only http and https are fetched, not `{0}`")]
    Scheme(String),
    /// A name or password stands in the address.
    #[error("addresses with a user name or password in them are not fetched")]
    UserInfo,
    /// A port that is not the web's.
    #[error("port {0} is not fetched from")]
    Port(u16),
    /// It leads into somebody's own network.
    #[error("the address is not on the public internet, and nothing else is fetched")]
    NotPublic,
    /// Nobody knows its name.
    #[error("there is no such site: its name does not resolve")]
    NoName,
    /// It redirects for ever.
    #[error("the site redirects more than {0} times")]
    Redirects(usize),
    /// A redirect without a target.
    #[error("the site redirects to nowhere")]
    Nowhere,
    /// A redirect leads where nothing is asked for on behalf of a private place.
    #[error(
        "it redirects to {0}, a site that neither people nor a search named; for a private conversation nothing else is \
         fetched"
    )]
    UnnamedHost(String),
    /// The server said no.
    #[error("the site answered with status {0}")]
    Status(u16),
    /// Nothing to read.
    #[error("it is {0}, which can't be read as text")]
    NotText(String),
    /// Nothing came in time.
    #[error("the page did not come within {0} s")]
    Timeout(u64),
    /// The connection failed.
    #[error("the site can't be reached")]
    Unreachable,
    /// The page came in part.
    #[error("the connection broke in the middle of the page")]
    Broken,
    /// It is nested or marked up beyond all measure.
    #[error("the page is built in a way that can't be read")]
    Unreadable,
    /// There is nothing on it.
    #[error("there is no text on the page; it may need a browser that runs its scripts")]
    Empty,
    /// The owner's own service failed.
    #[error("the service that fetches pages failed: {0}")]
    Service(String),
}
