//! Why a page could not be read.

/// Why there is no page. The model is given this text and tells people in its own words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FetchError {
    /// Not an address.
    #[error("this is not a web address; give it whole, beginning with https:// or http://")]
    NotAnAddress,
    /// A scheme other than http and https.
    #[error("only http and https are fetched, not `{0}`")]
    Scheme(String),
    /// A name or password stands in the address.
    #[error("addresses with a user name or password in them are not fetched")]
    UserInfo,
    /// A port below 1024 other than 80 and 443.
    #[error("port {0} is not fetched from")]
    Port(u16),
    /// Its address is not on the public internet.
    #[error("the address is not on the public internet, and nothing else is fetched")]
    NotPublic,
    /// Its name does not resolve.
    #[error("there is no such site: its name does not resolve")]
    NoName,
    /// It redirects too often.
    #[error("the site redirects more than {0} times")]
    Redirects(usize),
    /// A redirect without a target.
    #[error("the site redirects to nowhere")]
    Nowhere,
    /// A redirect leads to a host that may not be contacted for a private place.
    #[error(
        "it redirects to {0}, a site that neither people nor a search named; for a private conversation nothing else is \
         fetched"
    )]
    UnnamedHost(String),
    /// The server answered with an error status.
    #[error("the site answered with status {0}")]
    Status(u16),
    /// Its type is not text.
    #[error("it is {0}, which can't be read as text")]
    NotText(String),
    /// It did not come in time.
    #[error("the page did not come within {0} s")]
    Timeout(u64),
    /// The connection failed.
    #[error("the site can't be reached")]
    Unreachable,
    /// The page came only in part.
    #[error("the connection broke in the middle of the page")]
    Broken,
    /// It is too large or nested too deep to be parsed.
    #[error("the page is built in a way that can't be read")]
    Unreadable,
    /// It has no text.
    #[error("there is no text on the page; it may need a browser that runs its scripts")]
    Empty,
    /// The owner's own service failed.
    #[error("the service that fetches pages failed: {0}")]
    Service(String),
}
