//! Decides who may look at the pages, and who may change things (ADR 55).
//!
//! `hosts`: under which names a browser may reach us. `passwords`, `throttle`, `address`: signing in. `came_from`:
//! whether another site asks; `forgery`: whether a form is one of ours.

mod address;
mod came_from;
mod forgery;
mod hosts;
mod passwords;
mod throttle;

use std::net::IpAddr;

use axum::http::HeaderMap;
use jiff::Timestamp;
use myao_config::{Web, WebProxies};
use myao_store::{PageSession, Store, StoreError, WebRole};

pub use self::passwords::PasswordError;
pub(crate) use self::{
    came_from::{CameFrom, HERE_COOKIE},
    forgery::is_from_our_pages,
};
use self::{
    forgery::FormKey,
    hosts::HostNames,
    passwords::{Password, as_hex},
    throttle::SignInThrottle,
};
use crate::params::cookie_value;

/// The cookie that holds the id of a session.
pub(crate) const SESSION_COOKIE: &str = "myao_session";
/// The session of people who have none: before they sign in, or where nobody has to. Their forms carry its token.
const NO_SESSION: &str = "";
/// The most characters of a name, whether a person signs in with it or a proxy sends it.
const NAME_LIMIT: usize = 60;

/// Knows who may do what.
pub(crate) struct Access {
    hosts: HostNames,
    owner_password: Option<Password>,
    reader_password: Option<Password>,
    trusted_header: Option<String>,
    key: FormKey,
    throttle: SignInThrottle,
    proxies: WebProxies,
    sessions: Store,
    draw: fn() -> [u8; 32],
    owner: String,
    is_read_only: bool,
}

/// The person who makes a request.
#[derive(Clone, Debug)]
pub struct Visitor {
    /// The name under which the journal records them.
    pub name: String,
    /// What they may do.
    pub role: WebRole,
    /// The token that their forms must carry.
    pub(crate) token: String,
    /// The key of the session by which they signed in. `None` where nobody signs in: they cannot sign out.
    pub(crate) session: Option<String>,
}

/// What somebody sends to sign in.
pub(crate) struct SignIn<'a> {
    pub(crate) password: &'a str,
    pub(crate) name: &'a str,
    pub(crate) from: IpAddr,
}

/// Why nobody was signed in.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SignInError {
    #[error("too many wrong passwords")]
    TooMany,
    #[error("the password is wrong")]
    Wrong,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Access {
    pub(crate) fn new(
        web: &Web,
        sessions: Store,
        draw: fn() -> [u8; 32],
        owner: String,
    ) -> Result<Self, PasswordError> {
        let password = |secret: &Option<myao_config::Secret>| {
            secret.as_ref().map(|secret| Password::new(secret.expose(), &draw())).transpose()
        };
        Ok(Self {
            hosts: HostNames::new(web),
            owner_password: password(&web.access.password)?,
            reader_password: password(&web.access.reader_password)?,
            trusted_header: web.access.trusted_header.clone(),
            key: FormKey::new(draw()),
            throttle: SignInThrottle::default(),
            proxies: web.proxies.clone(),
            sessions,
            draw,
            owner,
            is_read_only: false,
        })
    }

    pub(crate) fn read_only(self, is_read_only: bool) -> Self {
        Self { is_read_only, ..self }
    }

    /// Whether a request names us by a host name that we know.
    pub(crate) fn knows_host(&self, headers: &HeaderMap) -> bool {
        self.hosts.knows(headers)
    }

    /// Whether people can sign in.
    pub(crate) fn takes_passwords(&self) -> bool {
        self.owner_password.is_some() || self.reader_password.is_some()
    }

    /// The person who makes a request. `None` when they have to say who they are, and have not.
    pub(crate) async fn visitor(
        &self,
        headers: &HeaderMap,
        now: Timestamp,
    ) -> Result<Option<Visitor>, StoreError> {
        if let Some(name) = self.trusted_header.as_ref().and_then(|header| name_in(headers, header)) {
            return Ok(Some(self.admitted_visitor(name, WebRole::Owner, NO_SESSION)));
        }
        if !self.takes_passwords() {
            let is_open = self.trusted_header.is_none();
            return Ok(is_open.then(|| self.admitted_visitor(self.owner.clone(), WebRole::Owner, NO_SESSION)));
        }
        let Some(id) = cookie_value(headers, SESSION_COOKIE) else { return Ok(None) };
        for password in [&self.owner_password, &self.reader_password].into_iter().flatten() {
            let key = password.session_key(id);
            if let Some(PageSession { name, role }) = self.sessions.local().web_session(&key, now).await? {
                let visitor = self.admitted_visitor(name, role, &key);
                return Ok(Some(Visitor { session: Some(key), ..visitor }));
            }
        }
        Ok(None)
    }

    /// Whether somebody who was let in would be let in still: a session ends when they sign out, and by itself.
    pub(crate) async fn still_admits(&self, visitor: &Visitor, now: Timestamp) -> Result<bool, StoreError> {
        match &visitor.session {
            Some(key) => Ok(self.sessions.local().web_session(key, now).await?.is_some()),
            None => Ok(true),
        }
    }

    /// What the cookie holds that a browser sends from our own pages alone.
    pub(crate) fn here(&self) -> String {
        self.key.token(HERE_COOKIE)
    }

    /// Where a request comes from.
    pub(crate) fn came_from(&self, headers: &HeaderMap) -> CameFrom {
        CameFrom::of(headers, &self.here())
    }

    /// The address that a request really comes from.
    pub(crate) fn address_of(&self, headers: &HeaderMap, peer: IpAddr) -> IpAddr {
        address::address_of_requester(&self.proxies, headers, peer)
    }

    /// The visitor for somebody who is not known yet, and may only sign in.
    pub(crate) fn stranger(&self) -> Visitor {
        self.admitted_visitor(String::new(), WebRole::Reader, NO_SESSION)
    }

    fn admitted_visitor(&self, name: String, role: WebRole, session: &str) -> Visitor {
        let role = if self.is_read_only { WebRole::Reader } else { role };
        Visitor { name, role, token: self.key.token(session), session: None }
    }

    /// Signs somebody in and returns the id of their session, which goes into a cookie and nowhere else.
    pub(crate) async fn sign_in(&self, with: &SignIn<'_>, now: Timestamp) -> Result<String, SignInError> {
        let accounts = [(&self.reader_password, WebRole::Reader), (&self.owner_password, WebRole::Owner)];
        let accounts: Vec<(&Password, WebRole)> =
            accounts.into_iter().filter_map(|(password, role)| Some((password.as_ref()?, role))).collect();
        let all = accounts.len();
        let open: Vec<(&Password, WebRole)> =
            accounts.into_iter().filter(|(_, role)| self.throttle.lets_try(with.from, *role, now)).collect();
        for (password, role) in &open {
            if !self.throttle.check_in_turn((*password).clone(), with.password.to_owned()).await {
                continue;
            }
            self.throttle.forgive(with.from, *role);
            for (_, other) in open.iter().filter(|(_, other)| other != role) {
                self.throttle.take_back(with.from, *other);
            }
            let id = as_hex(&(self.draw)());
            let name = match shorten_name(with.name) {
                name if name.is_empty() => self.owner.clone(),
                name => name,
            };
            let session = PageSession { name, role: *role };
            self.sessions.local().begin_web_session(&password.session_key(&id), &session, now).await?;
            return Ok(id);
        }
        // Of an account that may not be tried nobody knows whether this is its password.
        if open.len() < all {
            return Err(SignInError::TooMany);
        }
        Err(SignInError::Wrong)
    }

    /// Ends the session of a request.
    pub(crate) async fn sign_out(&self, headers: &HeaderMap) -> Result<(), StoreError> {
        let Some(id) = cookie_value(headers, SESSION_COOKIE) else { return Ok(()) };
        for password in [&self.owner_password, &self.reader_password].into_iter().flatten() {
            self.sessions.local().end_web_session(&password.session_key(id)).await?;
        }
        Ok(())
    }
}

/// The name that a proxy sends. `None` if the header does not stand exactly once, or is empty.
fn name_in(headers: &HeaderMap, header: &str) -> Option<String> {
    let mut values = headers.get_all(header).iter();
    // With two values, whoever asks has put one beside the proxy's.
    let (Some(value), None) = (values.next(), values.next()) else { return None };
    Some(shorten_name(&String::from_utf8_lossy(value.as_bytes()))).filter(|name| !name.is_empty())
}

fn shorten_name(name: &str) -> String {
    let name = name.trim().chars().filter(|c| !c.is_control()).take(NAME_LIMIT);
    name.collect::<String>().trim().to_owned()
}
